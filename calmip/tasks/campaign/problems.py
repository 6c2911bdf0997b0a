"""What a campaign runs on: the bytes of a model, and what is known of it from elsewhere.

Every answer of a run is held against the model and against that truth.
"""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from calmip._files import scratch_folder
from calmip._limits import Deadline, Limits
from calmip.errors import InputError, shown
from calmip.formats.model_files import Known, known_beside, read_model
from calmip.formats.mps import maximises_by_comment
from calmip.formats.reading import read_source
from calmip.models import build, objective, obstacle, posed
from calmip.problem.binary_model import BinaryModel
from calmip.problem.cover import ExactCover
from calmip.problem.instance import Instance
from calmip.problem.status import Status
from calmip.problem.tiling import Tiling
from calmip.search import witnesses
from calmip.solvers import Outcome
from calmip.solvers.base import KILLED
from calmip.tasks._trust import Evidence, Standing, judge_count, judge_model
from calmip.tasks.campaign.document import Campaign, ModelFile

__all__ = ["FILE", "STATUSES", "Problem", "Witness", "judged", "problem_of_file", "problems"]


FILE = "file"
"""The formulation of a model that came as a file."""


class Witness:
    """What calmip's own searches say of an instance: each question is asked once.

    Parameters
    ----------
    instance
        The instance.
    seconds
        The time for each question.
    """

    def __init__(self, instance: Instance, seconds: float = 60.0) -> None:
        self.cover = ExactCover(instance)
        self._seconds = seconds
        self.tiling: list[int] = []
        self._solvable: dict[bool, bool | None] = {}

    @cached_property
    def count(self) -> int | None:
        """The number of tilings, None if it is not known in time."""
        from calmip.search.exact_cover.counting import count

        try:
            return count(self.cover, Limits(self._seconds))
        except TimeoutError:
            return None

    def solvable(self, against: str = "") -> bool | None:
        """Return whether there is a tiling, None if it is not known in time.

        The exact-cover search is not its own witness: against it one-tree is asked.
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
    """What is known of a formulation of an instance: by searches of the instance itself."""

    def __init__(self, problem: Problem, witness: Witness) -> None:
        super().__init__(
            problem.model, lambda: Deadline(problem.seconds), problem.known, problem.source
        )
        self._formulation, self._witness = problem.formulation, witness
        self._packs = posed(problem.formulation, witness.cover).packs

    def check(self, chosen: tuple[int, ...]) -> None:
        """Raise `NotATiling` unless a point that should be a tiling is one, on the board itself."""
        cover = self._witness.cover
        names = [self.model.columns[number] for number in chosen]
        options = [cover.option_number[name] for name in names if name in cover.option_number]
        covered = sum(len(cover.option(option).cells) for option in options)
        if not self._packs or covered == len(cover.instance.to_cover):
            Tiling.from_options(cover, options)
            self._witness.tiling = options

    def search(self, against: str) -> tuple[bool | None, list[int]]:
        """Search for a tiling."""
        there = self._witness.solvable(against)
        if self._packs and not there:
            # Nothing laid at all is a packing; only a label that the model chooses may forbid it.
            there = None if self._witness.cover.instance.free else True
        return there, []

    def counter_example(self) -> str:
        """Return the tiling that is known."""
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
class Problem:
    """A model file and a question.

    Parameters
    ----------
    name
        The instance's name.
    formulation
        Who wrote the model, or `FILE`.
    goal
        ``solve`` or ``count``.
    suffix
        The file's suffix, ``.mps`` or ``.lp``.
    data
        The file's bytes.
    witness
        Who knows the instance, where there is one.
    known, source
        What a ``.solu`` file or the campaign says of it, and the name of that file.
    seconds
        The time for each question to a witness.
    unrun
        The status of its runs and why, where there is nothing to run.
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
    unrun: tuple[str, str] | None = None

    @cached_property
    def digest(self) -> str:
        """The SHA-256 of the model's bytes."""
        return hashlib.sha256(self.data).hexdigest()

    @cached_property
    def model(self) -> BinaryModel:
        """The model, as calmip's own readers read it."""
        with scratch_folder() as folder:
            path = folder / f"model{self.suffix}"
            path.write_bytes(self.data)
            return read_model(path)

    @cached_property
    def evidence(self) -> Evidence:
        """What is known of the model, to judge the claims of solvers."""
        if self.witness is not None:
            return _OfInstance(self, self.witness)
        return Evidence(self.model, lambda: Deadline(self.seconds), self.known, self.source)


def problems(campaign: Campaign) -> Iterator[Problem]:
    """Yield the models of a campaign, each built or read when it is asked for.

    An instance that plainly has no solution, so that there is no model of it, a formulation
    that cannot answer the question, and a file that is no model of binary variables are
    problems whose runs are done: ``unrun`` says why.

    Raises
    ------
    InputError
        If a ``.solu`` file cannot be read.
    SolverMissing
        If a formulation's package is not installed.
    """
    for one, goal, known in campaign.instances:
        if isinstance(one, ModelFile):
            yield problem_of_file(one, goal, known, campaign.time_limit)
            continue
        witness = Witness(one, campaign.time_limit)
        for formulation in campaign.formulations:
            yield _problem_of_instance(witness, formulation, goal, known, campaign.time_limit)


def _problem_of_instance(
    witness: Witness, formulation: str, goal: str, known: Known | None, seconds: float
) -> Problem:
    cover = posed(formulation, witness.cover)
    unrun, why = None, obstacle(cover)
    if goal == "count" and cover.packs:
        unrun = "unfit", f"{formulation} has solutions that are no tilings, and counts none"
    elif why is not None:
        unrun = "infeasible", f"no model to solve: {why}"
    suffix, name = ".mps", cover.instance.name
    if unrun is not None:
        data = f"{name}: {unrun[1]}".encode()
    else:
        with scratch_folder() as folder:
            model = build(formulation, cover)
            suffix = model.suffix
            path = folder / f"model{suffix}"
            model.write(path)
            data = path.read_bytes()
    source = "the campaign" if known else ""
    return Problem(name, formulation, goal, suffix, data, witness, known, source, seconds, unrun)


def problem_of_file(
    file: ModelFile, goal: str, known: Known | None = None, seconds: float = 60.0
) -> Problem:
    """Return a model file as a problem, with what the campaign or the ``.solu`` files know."""
    told, source = known_beside(file.path.parent).get(file.name, (None, ""))
    if known is not None:
        told, source = known, "the campaign"
    suffix = ".lp" if file.path.name.lower().removesuffix(".gz").endswith(".lp") else ".mps"
    unrun = None
    try:
        data = file.path.read_bytes()
        read_model(file.path)
        data = gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data
    except OSError as error:
        raise InputError(f"cannot be read: {error}", path=shown(file.path, 200)) from None
    except (InputError, EOFError) as error:
        unrun = "unfit", f"no model of binary variables: {error}"
    if unrun is None and suffix == ".mps" and maximises_by_comment(read_source(file.path)):
        unrun = (
            "unfit",
            (
                "maximises by its comment *SENSE:Maximize alone, which solvers pass over; write a "
                "section OBJSENSE, or an LP file"
            ),
        )
    return Problem(file.name, FILE, goal, suffix, data, None, told, source, seconds, unrun)


STATUSES = {
    "solved": "an answer in time that a check or a witness verifies",
    "unverified": "an answer in time that no check refutes and no witness has decided",
    "wrong": "an answer that a check refutes",
    "time": "the time limit came first",
    "starved": "the time limit came first, and other work had the processor; it is done again",
    "memory": "the memory limit came first",
    "crash": "the solver failed, or its process died",
    "unknown": "the solver gave up before its limits",
    "unfit": "the solver takes no models of this kind, or its licence none of this size",
    "infeasible": "plainly no solution, so that there is no model to solve",
}
"""What a run's status means."""


def judged(
    problem: Problem, solver: str, seconds: float, ended: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the verdict on a run.

    Parameters
    ----------
    problem
        What was to be solved.
    solver
        The solver's name.
    seconds
        The time limit.
    ended
        What `calmip.tasks.campaign.runs.execute` returned.

    Returns
    -------
    dict
        ``status`` (one of `STATUSES`), ``correct`` (whether a witness of its own verifies
        the answer; None where there is none, or no answer), ``answer`` (the solver's claim),
        ``objective`` and ``count`` (None where there is none), ``detail``.
    """
    if problem.unrun is not None:
        status, detail = problem.unrun
        return dict.fromkeys(("correct", "objective", "count")) | {
            "status": status, "answer": "", "detail": shown(detail, 500),
        }  # fmt: skip
    answer = ended["answer"]
    claim = "" if answer is None else str(answer.get("status", ""))
    status, correct, detail = "crash", None, ""
    objective = None
    if ended["killed"] is not None:
        status = str(ended["killed"])
        detail = "killed: overran its limit"
    elif answer is None:
        detail = f"its process ended with {_how(ended['status'])}"
        detail += f"; its last line: {shown(ended['said'], 200)}" if ended["said"] else ""
    elif "memory" in answer:
        status, detail = "memory", str(answer["memory"])
    elif "unfit" in answer:
        status, detail = "unfit", str(answer["unfit"])
    elif "failed" in answer:
        detail = str(answer["failed"])
    else:
        status, correct, objective, detail = _checked(problem, solver, claim, answer)
    if status == "unknown" and (detail == KILLED or ended["wall"] >= 0.95 * seconds):
        status = "time"
    if status in ("solved", "unverified") and ended["wall"] > seconds:
        status = "time"
    if status == "time" and (ended.get("waited") or 0.0) > ended["wall"] / 2:
        status = "starved"
    doubt = problem.evidence.doubt if status in ("solved", "wrong", "unverified") else ""
    if doubt and doubt not in detail:
        detail = f"{detail}; {doubt}"
    return {
        "status": status,
        "correct": correct if status in ("solved", "wrong") else None,
        "answer": claim,
        "objective": objective,
        "count": None if answer is None else answer.get("count"),
        "detail": shown(detail, 500),
    }


Checked = tuple[str, bool | None, float | None, str]


def _checked(problem: Problem, solver: str, claim: str, answer: Mapping[str, Any]) -> Checked:
    """Return the status, whether the answer is correct, its objective, and the detail."""
    evidence, said = problem.evidence, f"{solver} says '{answer['detail']}'"
    if problem.goal == "count":
        if claim != Status.DONE:
            return "unknown", None, None, str(answer["detail"])
        number = int(answer["count"])
        found = judge_count(evidence.count(number), number, said)
    else:
        values = answer.get("values") or {}
        outcome = Outcome(Status(claim), values, str(answer["detail"]))
        found = judge_model(evidence, outcome, solver)
    if found.standing is Standing.REFUTED:
        return "wrong", False, None, found.reason
    pointed = found.status in (Status.OPTIMAL, Status.FEASIBLE)
    objective = evidence.model.objective(found.chosen) if pointed else None
    # A point of which nobody claims that it is the best, and that is not known to be it.
    short = found.status is Status.FEASIBLE and bool(evidence.model.cost.any())
    if found.standing is None or (short and not evidence.reached(objective or 0.0)):
        return "unknown", None, objective, found.reason
    if found.standing is Standing.UNVERIFIED:
        return "unverified", None, objective, found.reason
    return "solved", True, objective, str(answer["detail"])


def _how(status: int | None) -> str:
    if status is None:
        return "no exit status"
    return f"signal {-status}" if status < 0 else f"exit status {status}"
