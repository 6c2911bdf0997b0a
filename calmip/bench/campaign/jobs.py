"""The problems of a campaign: the bytes of a model, and the verdict on each answer to it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from calmip._base.errors import InputError, clip
from calmip._base.files import digest_of, scratch_folder, suffix_of
from calmip._base.limits import Deadline, Limits
from calmip.bench.campaign.campaign_file import Campaign, ModelFile
from calmip.mip.defined import project
from calmip.mip.files.model_files import READERS, Known, known_beside, read_model
from calmip.mip.files.mps import maximises_by_comment, mps_text
from calmip.mip.files.text_source import read_source, unpack
from calmip.mip.model import Model
from calmip.mip.rows import Number
from calmip.mip.status import Status
from calmip.models import build, objective, obstacle, pose
from calmip.processes import Ended
from calmip.puzzle.cover import ExactCover
from calmip.puzzle.files.cover_files import LINEAR
from calmip.puzzle.instance import Instance
from calmip.puzzle.search.exact_cover import witnesses
from calmip.puzzle.tiling import Tiling
from calmip.solvers import Outcome
from calmip.solvers.base import KILLED
from calmip.solvers.verdicts import Evidence, Standing, judge_count, judge_model

FILE = "file"
"""The formulation of a model that came as a file."""


class Witness:
    """Searches of an instance by calmip itself, each done once and with a time limit."""

    def __init__(self, instance: Instance, seconds: float = 60.0) -> None:
        self.cover = ExactCover(instance)
        self._seconds = seconds
        self.tiling: list[int] = []
        self._solvable: dict[bool, bool | None] = {}

    @cached_property
    def count(self) -> int | None:
        """The number of tilings; None if it is not known in time."""
        from calmip.puzzle.search.exact_cover.counting import count

        try:
            return count(self.cover, Limits(self._seconds))
        except TimeoutError:
            return None

    def solvable(self, against: str = "") -> bool | None:
        """Return whether there is a tiling, None if it is not known in time.

        The witness against the exact-cover search is the one-tree search.
        """
        own = against == "exact-cover"
        if self.tiling:
            return True
        if own not in self._solvable:
            clock = Deadline(self._seconds)
            self._solvable[own], found = witnesses.exists(self.cover, clock, against=against)
            self.tiling = found or self.tiling
        return self._solvable[own]


class _OfInstance(Evidence):
    """Evidence on a formulation of an instance: searches of the instance itself."""

    def __init__(self, problem: Question, witness: Witness) -> None:
        super().__init__(
            problem.model, lambda: Deadline(problem.seconds), problem.known, problem.source
        )
        self._formulation, self._witness = problem.formulation, witness
        self._packs = pose(problem.formulation, witness.cover).packs

    def check(self, point: Mapping[int, Number]) -> None:
        """Raise `NotATiling` unless a point that should be a tiling is one on the board."""
        cover = self._witness.cover
        names = [self.model.columns[number] for number in sorted(point)]
        options = [cover.option_number[name] for name in names if name in cover.option_number]
        covered = sum(len(cover.option(option).cells) for option in options)
        if not self._packs or covered == len(cover.instance.to_cover):
            Tiling.from_options(cover, options)
            self._witness.tiling = options

    def search(self, against: str) -> tuple[bool | None, None]:
        """Search for a tiling."""
        there = self._witness.solvable(against)
        if self._packs and not there:
            # The empty packing is feasible, unless a label that the model chooses forbids it.
            there = None if self._witness.cover.instance.free else True
        return there, None

    def counter_example(self) -> str:
        """Return the known tiling in words."""
        names = " ".join(self._witness.cover.option_names[n] for n in self._witness.tiling)
        return f"there is a tiling: {names}" if names else super().counter_example()

    def optimum(self) -> float | None:
        """Return the objective of every tiling, if there is one."""
        cover = self._witness.cover
        return objective(self._formulation, cover) if self._witness.solvable() else None

    def count(self, most: int) -> int | None:  # noqa: ARG002
        """Return the number of tilings, however many."""
        return self._witness.count


@dataclass(frozen=True, eq=False)
class Question:
    """A model file and a question; without a witness, the model came as a file.

    Parameters
    ----------
    known, source
        The answer that a ``.solu`` file or the campaign gives, and the name of that file.
    seconds
        The seconds for each search of the model.
    skipped
        The status and the reason, if there is nothing to run.
    """

    name: str
    formulation: str
    goal: str
    suffix: str
    data: bytes
    witness: Witness | None = None
    known: Known | None = None
    source: str = "the .solu file"
    seconds: float = 60.0
    skipped: tuple[str, str] | None = None

    @cached_property
    def digest(self) -> str:
        """The SHA-256 of the model's bytes."""
        return digest_of(self.data)

    @cached_property
    def model(self) -> Model:
        """The model, read from the bytes."""
        with scratch_folder() as folder:
            path = folder / f"model{self.suffix}"
            path.write_bytes(self.data)
            return read_model(path)

    @cached_property
    def evidence(self) -> Evidence:
        """The evidence by which claims of solvers are judged."""
        if self.witness is not None:
            return _OfInstance(self, self.witness)
        return Evidence(self.model, lambda: Deadline(self.seconds), self.known, self.source)


def problems(campaign: Campaign) -> Iterator[Question]:
    """Yield the problems of a campaign, each built or read on demand.

    Raises
    ------
    InputError
        If a ``.solu`` file cannot be read.
    SolverMissing
        If a formulation's package is not installed.
    """
    for one, goal, known, _ in campaign.instances:
        if isinstance(one, ModelFile):
            yield problem_of_file(one, goal, known, campaign.time_limit)
            continue
        witness = Witness(one, campaign.time_limit)
        for formulation in campaign.formulations:
            yield _problem_of_instance(witness, formulation, goal, known, campaign.time_limit)


def _problem_of_instance(
    witness: Witness, formulation: str, goal: str, known: Known | None, seconds: float
) -> Question:
    cover = pose(formulation, witness.cover)
    skipped, why = None, obstacle(cover)
    if goal == "count" and cover.packs:
        skipped = "unfit", f"{formulation} has solutions that are not tilings, so it counts none"
    elif why is not None:
        skipped = "infeasible", f"no model to solve: {why}"
    suffix, name = ".mps", cover.instance.name
    if skipped is not None:
        data = f"{name}: {skipped[1]}".encode()
    else:
        with scratch_folder() as folder:
            model = build(formulation, cover)
            suffix = model.suffix
            path = folder / f"model{suffix}"
            model.write(path)
            data = path.read_bytes()
    source = "the campaign" if known else ""
    return Question(name, formulation, goal, suffix, data, witness, known, source, seconds, skipped)


def problem_of_file(
    file: ModelFile, goal: str, known: Known | None = None, seconds: float = 60.0
) -> Question:
    """Return a model file as a problem, with the answer of the campaign or of ``.solu`` files."""
    answer, source = known_beside(file.path.parent).get(file.name, (None, ""))
    if known is not None:
        answer, source = known, "the campaign"
    suffix, _ = suffix_of(file.path, READERS, read=True)
    skipped = None
    try:
        data = file.path.read_bytes()
        model = read_model(file.path)
        if goal == "count":
            project(model).as_binary("a count")
        data = unpack(data, str(file.path))
        if suffix not in LINEAR:  # solvers of linear models do not read it
            data, suffix = mps_text(model).encode(), ".mps"
        if suffix == ".mps" and maximises_by_comment(read_source(file.path)):
            why = (
                "maximises by its comment *SENSE:Maximize alone, which solvers ignore; write "
                "a section OBJSENSE, or an LP file"
            )
            skipped = "unfit", why
    except OSError as error:
        raise InputError(f"cannot be read: {error}", path=clip(file.path, 200)) from None
    except InputError as error:
        skipped = "unfit", f"not a model that calmip {goal}s: {error}"
    return Question(file.name, FILE, goal, suffix, data, None, answer, source, seconds, skipped)


STATUSES = {
    "solved": "an answer in time, verified by a check or a witness",
    "unverified": "an answer in time that no check refutes and no witness decides",
    "wrong": "an answer that a check refutes",
    "time": "time limit reached",
    "starved": "time limit reached while other programs used the processor; it is repeated",
    "memory": "memory limit reached",
    "crash": "the solver failed, or its process died",
    "unknown": "the solver gave up before its limits",
    "unfit": "the solver or its licence does not accept this model",
    "infeasible": "a simple check finds no solution, so there is no model to solve",
}
"""The meaning of each status of a run."""


def judge_run(
    problem: Question,
    solver: str,
    seconds: float,
    ended: Mapping[str, Any],
    *,
    cpu_limit: float | None = None,
) -> dict[str, Any]:
    """Return the verdict on a run that `calmip.bench.campaign.runner.execute` has done.

    Returns
    -------
    dict
        ``status`` (one of `STATUSES`), ``correct`` (whether a check or a witness verifies the
        answer; None without one), ``answer`` (the solver's claim), ``objective`` and
        ``count`` (None where there is none), ``detail``. An answer after the time limit is
        judged as well: which clock decides is a question of the report.
    """
    answer = ended["answer"] or {}
    claim = str(answer.get("status", ""))
    correct: bool | None = None
    objective: float | None = None
    if problem.skipped is not None:
        status, detail = problem.skipped
    elif ended["killed"] is not None:
        status, detail = str(ended["killed"]), "killed: overran its limit"
    elif not answer:
        process = Ended(ended["status"], ended["output"])
        how = "no exit status" if process.status is None else process.how
        status, detail = "crash", f"its process ended with {how}{process.last_line}"
    elif kind := next((kind for kind in ("memory", "unfit", "failed") if kind in answer), None):
        status, detail = "crash" if kind == "failed" else kind, str(answer[kind])
    else:
        status, objective, detail = _judge_answer(problem, solver, claim, answer)
        correct = {"solved": True, "wrong": False}.get(status)
    solving = ended["wall"] - (ended.get("start_wall") or 0.0)
    if status == "unknown" and (detail == KILLED or solving >= 0.95 * seconds):
        status = "time"
    patience = ended["wall"] / 2 if cpu_limit is None else ended["wall"] / 10
    spent = cpu_limit is not None and (ended["cpu"] or 0.0) >= cpu_limit
    if status == "time" and not spent and (ended.get("waited") or 0.0) > patience:
        status = "starved"
    doubt = problem.evidence.doubt if status in ("solved", "wrong", "unverified") else ""
    if doubt and doubt not in detail:
        detail = f"{detail}; {doubt}"
    return {
        "status": status,
        "correct": correct,
        "answer": claim,
        "objective": objective,
        "count": answer.get("count"),
        "detail": clip(detail, 500),
    }


def _judge_answer(
    problem: Question, solver: str, claim: str, answer: Mapping[str, Any]
) -> tuple[str, float | None, str]:
    """Return the status, the objective and the detail of an answer."""
    evidence, detail = problem.evidence, str(answer["detail"])
    if problem.goal == "count":
        if claim != Status.DONE:
            return "unknown", None, detail
        number = int(answer["count"])
        found = judge_count(evidence.count(number), number, f"{solver} says '{detail}'")
    else:
        values, spread = answer.get("values") or {}, answer.get("spread") or {}
        outcome = Outcome(Status(claim), values, detail, spread=spread)
        found = judge_model(evidence, outcome, solver)
    if found.standing is Standing.REFUTED:
        return "wrong", None, found.reason
    pointed = found.status in (Status.OPTIMAL, Status.FEASIBLE)
    objective = evidence.model.objective(found.point) if pointed else None
    # The solver does not claim that its solution is optimal, and it is not known to be.
    unclaimed = found.status is Status.FEASIBLE and bool(evidence.model.cost.any())
    short = unclaimed and objective is not None and not evidence.reached(objective)
    if found.standing is None or short:
        return "unknown", objective, found.reason
    if found.standing is Standing.UNVERIFIED:
        return "unverified", objective, found.reason
    return "solved", objective, detail
