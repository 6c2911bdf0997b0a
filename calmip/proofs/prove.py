"""Prove the number of tilings of an instance or a year, or of the solutions of a model."""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from calmip._base.errors import InputError, ProofRefused, join_words
from calmip._base.limits import Deadline, Limits, Progress
from calmip.mip.defined import project
from calmip.mip.display import describe_number
from calmip.mip.files.boolean import constraints_of
from calmip.mip.model import Model
from calmip.mip.proof.model_tree import Multipliers, Refute, write_model_proof
from calmip.mip.rows import Number, Row
from calmip.mip.status import Status
from calmip.proofs.check_proofs import check_proofs, pool_proved
from calmip.proofs.check_tree import Refused, check
from calmip.proofs.logs import DIALECTS, PROOFS, Proved, proof_text, write_proofs
from calmip.puzzle.cover import ExactCover
from calmip.puzzle.instance import Instance
from calmip.puzzle.puzzle import Puzzle
from calmip.puzzle.tasks.count import count_dates
from calmip.puzzle.tasks.interface import of_puzzle, public
from calmip.puzzle.tasks.pool_options import PoolOptions
from calmip.puzzle.tasks.problems import InstanceProblem, ModelProblem, per_kind, problem_of
from calmip.puzzle.tasks.results import Result
from calmip.solvers.verdicts import judge_count

if TYPE_CHECKING:
    from calmip.puzzle.tasks.problems import PerKind, Source

__all__ = ["Proof", "prove", "prove_check", "prove_dates"]


@dataclass(frozen=True, repr=False)
class Proof(Result):
    """Result of `prove`, `prove_check` and `prove_dates`: a proof, written or checked.

    Parameters
    ----------
    tilings
        The number of tilings, or of solutions of a model; None at the time limit.
    nodes
        The number of nodes of the search tree.
    folder
        The folder of the proof; None if it was checked in memory only.
    checks
        Of a check: for each file, in words, how it was checked.
    unchecked
        Of a check: the files that were not checked, in words.
    dates
        Of a year: the number of tilings of every real date, by the name of its folder; at the
        time limit of those that are proved.
    of_model
        Whether it is about a model; the key of its number is ``solutions``.
    stopped
        ``"time"`` if the time limit was reached.
    scope
        Of a model: which solutions these are, in words; empty for all.
    objectives
        Of a model: the best and the worst objective of these solutions; None if it plays no part.
    compared
        Whether it is about the puzzle or the model that the caller named; without a name, it is
        about that in the folder.
    """

    KEYS = ("tilings", "nodes", "folder", "checks", "unchecked", "dates", "stopped")

    tilings: int | None
    nodes: int
    folder: Path | None
    checks: tuple[tuple[str, str], ...] = ()
    unchecked: tuple[str, ...] = ()
    dates: Mapping[str, int] | None = None
    of_model: bool = False
    stopped: str = ""
    scope: str = ""
    objectives: tuple[Number, Number] | None = None
    compared: bool = True

    @classmethod
    def of(cls, proved: Proved, folder: Path, *, compared: bool = True) -> Self:
        """Return the result of a proof in a folder."""
        return cls(
            proved.tilings,
            proved.nodes,
            folder,
            proved.checks,
            proved.unchecked,
            of_model=proved.of_model,
            scope=proved.scope,
            objectives=proved.objectives,
            compared=compared,
        )

    @property
    def known(self) -> bool:
        """Whether something is proved."""
        return self.tilings is not None or bool(self.dates)

    @property
    def status(self) -> Status:
        """Feasible if there is a solution, infeasible if it is proved that there is none."""
        if self.tilings is None:
            return Status.UNKNOWN
        return Status.FEASIBLE if self.tilings else Status.INFEASIBLE

    def describe(self) -> dict[str, Any]:
        """Return the claim and its checks as plain data."""
        found = super().describe() | {"checks": dict(self.checks)}
        if self.of_model:
            found = {"solutions": found.pop("tilings"), **found, "scope": self.scope}
            ends = self.objectives
            found["objectives"] = None if ends is None else list(map(describe_number, ends))
        return found

    def _summary(self) -> str:
        if self.tilings is None:
            return (
                f"time limit reached, {len(self.dates or ())} dates, {self.folder or 'in memory'}"
            )
        dates = "" if self.dates is None else f" of {len(self.dates)} dates"
        what = "solution" if self.of_model else "tiling"
        return (
            f"{self.tilings:,} {what}s{dates}, {self.nodes:,} nodes, {self.folder or 'in memory'}"
        )


@public
def prove(
    source: Source,
    folder: Path | str,
    *,
    proofs: Collection[str] = tuple(PROOFS),
    dialect: str = DIALECTS[0],
    optimal: bool = False,
    gap: str | float | None = None,
    within: str | float | None = None,
    distinct: Sequence[str] | Sequence[Any] = (),
    time_limit: float | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Proof:
    """Prove the number of tilings of an instance, or that a pool of a model is complete.

    The folder gets the model and the proof in three formats. proof.json is the search tree.
    model.opb and proof.pbp are for VeriPB. model.cnf, which excludes the tilings, and
    proof.drat are for drat-trim. The proof of a model is proof.json alone: of a binary one without
    an objective, about model.opb; of any other pool, about the model in proof.json.
    If a run was interrupted, run it again: dates that are proved already are only checked.

    Parameters
    ----------
    source
        The instance; or a model, from `calmip.read_model` or as an object of PuLP, Pyomo,
        highspy, Gurobi or SCIP.
    folder
        Write the files to this folder, which is made if it is missing.
    proofs
        Write the proof in these formats: ``tree`` (``proof.json``), ``veripb``
        (``model.opb``, ``proof.pbp``), ``drat`` (``model.cnf``, ``proof.drat``).
    dialect
        Use this version of VeriPB's format: ``1.1`` or ``3.0``.
    optimal
        Prove which solutions of a model have the best objective. By default all solutions count.
    gap
        Prove those within this gap of the optimum; ``1%``, or 0.01 of its absolute value.
    within
        Prove those at most this far from the optimum.
    distinct
        Count solutions as equal if these variables are; integer ones, as for `calmip.enumerate`.
    time_limit, progress
        As for `calmip.solvers.Limits`. At the limit nothing is proved, and no file is written.
        Progress counts the nodes.

    Raises
    ------
    InputError
        If a format or the dialect is unknown, a file cannot be written, the formula has too
        many clauses, or an integer variable of the model has no bound.
    TypeError
        If the source is neither an instance nor a model.
    """
    if dialect not in DIALECTS:
        raise InputError(
            f"unknown version '{dialect}' of VeriPB's format; use {join_words(DIALECTS)}"
        )
    _check_proofs(proofs)
    limits = Limits(time_limit, progress=progress)
    problem, path = problem_of(source), Path(folder)
    pool = PoolOptions(optimal, gap, within, distinct=distinct)
    try:
        proved = _prove(problem, path, limits, proofs=proofs, dialect=dialect, pool=pool)
        return Proof.of(proved, path)
    except TimeoutError:
        return Proof(None, 0, path, of_model=problem.kind == "model", stopped="time")


_prove: PerKind[Proved] = per_kind()
"""Write the proof of the number of a problem's solutions."""


@_prove.register(InstanceProblem)
def _prove_cover(
    problem: InstanceProblem,
    folder: Path,
    limits: Limits,
    *,
    proofs: Collection[str],
    dialect: str,
    pool: PoolOptions,
) -> Proved:
    if pool.given:
        raise InputError("a puzzle has no objective: optimal, gap, within, distinct are for models")
    return write_proofs(problem.cover, folder, proofs, dialect=dialect, limits=limits)


@_prove.register(ModelProblem)
def _prove_model(
    problem: ModelProblem,
    folder: Path,
    limits: Limits,
    *,
    proofs: Collection[str],
    dialect: str,
    pool: PoolOptions,
) -> Proved:
    if set(proofs) != set(PROOFS) or dialect != DIALECTS[0]:
        raise InputError("the proof of a model is proof.json alone; leave out its formats")
    model = problem.model if problem.model.logic is not None else project(problem.model)
    if pool.given or not model.binary:
        return _prove_pool(problem.model, folder, pool, limits)
    model = model.as_binary("a proof")
    refute = _multipliers(model, limits.clock)
    return Proved(*write_model_proof(model, folder, refute, limits), of_model=True)


def _prove_pool(model: Model, folder: Path, pool: PoolOptions, limits: Limits) -> Proved:
    """Write the proof of a pool of a mixed-integer model."""
    from calmip.mip.proof.pool_tree import goal_data, write_pool_proof

    goal = pool.goal()
    claim = write_pool_proof(model, folder, goal, pool.columns(model), limits)
    return pool_proved(claim, goal_data(goal))


def _multipliers(model: Model, clock: Deadline) -> Refute | None:
    """Return what makes multipliers from HiGHS's relaxations; None if a number is too large."""
    from calmip.mip.pool import NodeRelaxation
    from calmip.mip.pool.integer_model import program_of

    constraints = [constraint for _, constraint in constraints_of(model)]
    rows: list[Row[int]] = [
        Row(terms, side, side if relation == "=" else math.inf)
        for terms, relation, side in constraints
    ]
    try:
        program = replace(program_of(model), rows=rows)
    except InputError:
        return None
    relaxation = NodeRelaxation(program, cost=False)
    if relaxation.refused:
        return None

    def refute(value: Sequence[int]) -> Iterator[Multipliers]:
        low, high = [int(one == 1) for one in value], [int(one != 0) for one in value]
        claim = relaxation.solve(low, high, math.inf, clock.left())
        if claim.status != "infeasible" or claim.multipliers is None:
            return
        pairs = zip(claim.multipliers, relaxation.scale, strict=True)
        ray = [float(y) / by for y, by in pairs]
        greatest = max(map(abs, ray), default=0.0)
        if not (greatest > 0.0 and all(map(math.isfinite, ray))):
            return
        for scale, sign in itertools.product(SCALES, (1, -1)):
            rounded = [round(y / greatest * sign * scale) for y in ray]
            multipliers = {n: y for n, y in enumerate(rounded) if y > 0 or constraints[n][1] == "="}
            factor = math.gcd(*multipliers.values()) or 1
            yield [(number, y // factor) for number, y in multipliers.items() if y]

    return refute


SCALES = (1, 12, 2**20, 2**40)
"""The greatest multiplier, before it is rounded to a whole number."""


@public
def prove_check(folder: Path | str, source: Source | None = None) -> Proof:
    """Check the proofs in a folder with a checker that shares no code with the search.

    Parameters
    ----------
    folder
        Check the files of this folder.
    source
        The instance or the model that the proof must be about; by default the one that the
        folder states.

    Raises
    ------
    InputError
        If ``proof.json`` is missing or cannot be read.
    ProofRefused
        If a proof does not hold or is about another puzzle or model.
    """
    proved = check_proofs(Path(folder), source)
    return Proof.of(proved, Path(folder), compared=source is not None)


@of_puzzle
def prove_dates(
    puzzle: Puzzle,
    folder: Path | str | None = None,
    *,
    proofs: Collection[str] = ("tree",),
    workers: int = 1,
    time_limit: float | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Proof:
    """Prove the number of tilings of every real date, and check each proof and number.

    Parameters
    ----------
    puzzle
        A puzzle whose labels depend on the date.
    folder
        Write a folder for each date to this folder. A folder whose proof holds is
        not written again. By default the proofs are checked in memory.
    proofs
        Write these proofs, as in `prove`; the tree must be among them.
    workers, time_limit, progress
        As for `calmip.solvers.Limits`. Workers are processes, and progress counts the dates. At
        the limit, the dates that are proved stand.

    Raises
    ------
    InputError
        If the puzzle has no dates, a number or a format is wrong, or a file
        cannot be written.
    ProofRefused
        If a proof does not hold.
    SolverFailed
        If a proof and the compiled search do not agree.
    """
    limits = Limits(time_limit, workers=workers, progress=progress)
    path = None if folder is None else Path(folder)
    if path is not None and "tree" not in proofs:
        raise InputError("every date's tree is checked; add tree to the proofs")
    _check_proofs(proofs)
    proved_dates: dict[str, Proved] = {}
    counts: dict[str, tuple[Instance, int]] = {}
    of_date = limits.share()
    stopped = ""
    try:
        counts = count_dates(puzzle, limits)
        jobs = [
            (name, (_prove_date, instance, path and path / name, tuple(proofs), of_date))
            for name, (instance, _) in counts.items()
        ]
        limits.report(0, len(jobs))
        for name, proved in _results(jobs, limits):
            proved_dates[name] = proved
            limits.report(len(proved_dates), len(jobs))
    except TimeoutError:
        stopped = "time"
    for name, one in proved_dates.items():
        claim = f"{name}: the proof says {one.tilings} tilings"
        judge_count(counts[name][1], one.tilings, claim).accept()
    return Proof(
        None if stopped else sum(one.tilings for one in proved_dates.values()),
        sum(one.nodes for one in proved_dates.values()),
        path,
        dates={name: proved_dates[name].tilings for name in counts if name in proved_dates},
        stopped=stopped,
    )


def _check_proofs(proofs: Collection[str]) -> None:
    for one in proofs:
        if one not in PROOFS:
            raise InputError(f"unknown format '{one}' of a proof; use {join_words(PROOFS)}")


def _results(
    jobs: Iterable[tuple[str, tuple[Any, ...]]], limits: Limits
) -> Iterator[tuple[str, Proved]]:
    if limits.workers == 1:
        for name, (prove_date, *arguments) in jobs:
            yield name, prove_date(*arguments)
        return
    from calmip.processes.workers import share, workers_of

    with workers_of(limits, "more than one worker", threads=False) as workers:
        yield from share(workers, jobs, lambda: limits.clock.check(LATE))


def _prove_date(
    instance: Instance, folder: Path | None, proofs: tuple[str, ...], limits: Limits
) -> Proved:
    """Make and check the proof of one date."""
    limits.clock.check(LATE)
    cover = ExactCover(instance)
    if folder is None:
        text, proved = proof_text(cover, limits)
        try:
            found = check(json.loads(text))
        except Refused as refusal:
            raise ProofRefused(f"{instance.name}: {refusal}") from None
        if found != proved.tilings:
            raise ProofRefused(f"{instance.name}: {found} tilings are proved")
        return proved
    if not all((folder / name).exists() for one in proofs for name in PROOFS[one]):
        write_proofs(cover, folder, proofs, limits=limits)
    return check_proofs(folder, instance)


LATE = "not all dates were proved"
