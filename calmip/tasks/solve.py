"""Solve one instance: cover, formulation, model file, solver, verified tiling."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from calmip._files import scratch_folder
from calmip._limits import Deadline, Limits
from calmip.documents.description import describe_instance, describe_tiling
from calmip.errors import InputError, listed
from calmip.models import Formulation, build, packs
from calmip.problem.cover import ExactCover
from calmip.problem.instance import Instance
from calmip.problem.status import Status
from calmip.problem.tiling import Packing, Tiling
from calmip.solvers import SOLVERS, Solver, solver_named
from calmip.tasks._result import Pictured
from calmip.tasks._trust import judge_cover, judge_none

__all__ = ["STARTS", "Solution", "solve"]

STARTS = ("none", "search")
"""What a solver may start from: nothing, or the first tiling of the exact-cover search."""


@dataclass(frozen=True, repr=False)
class Solution(Pictured):
    """What solving an instance gave.

    Parameters
    ----------
    instance
        The instance.
    tiling
        A verified tiling, or None.
    status
        Feasible, infeasible or unknown.
    solver, formulation
        What was used.
    columns, rows
        The size of the model.
    reduced
        How many of the columns were left after the reduction; None without one.
    found_by
        Who found the tiling: the solver, or ``"search"`` if it started from that
        tiling and gave it back; empty without a tiling.
    seconds
        The wall-clock seconds of each step: ``cover``, ``reduce``, ``model``
        (formulate and write), ``solve``, ``verify``, and their ``total``.
    detail
        The solver's own word for its status, or why there can be no tiling.
    packing
        Where a formulation that packs found no tiling: the best packing that
        the solver found, verified; that none covers more is the solver's word.
    """

    instance: Instance
    tiling: Tiling | None
    status: Status
    solver: str
    formulation: str
    columns: int
    rows: int
    seconds: Mapping[str, float] = field(compare=False)
    detail: str = ""
    packing: Packing | None = None
    reduced: int | None = None
    found_by: str = ""

    @property
    def tilings(self) -> tuple[Tiling, ...]:
        """The tiling, if there is one, in a tuple."""
        return () if self.tiling is None else (self.tiling,)

    @property
    def complete(self) -> bool:
        """Whether there are proved to be no further tilings; here, whether there is none."""
        return self.status is Status.INFEASIBLE

    def describe(self) -> dict[str, Any]:
        """Return what solving gave, with the keys in their documented order."""
        found = {
            "instance": describe_instance(self.instance),
            "status": self.status.value,
            "complete": self.complete,
            "detail": self.detail,
            "solver": self.solver,
            "found_by": self.found_by,
            "formulation": self.formulation,
            "columns": self.columns,
            "reduced": self.reduced,
            "rows": self.rows,
            "seconds": {step: round(value, 6) for step, value in self.seconds.items()},
            "tilings": [describe_tiling(tiling) for tiling in self.tilings],
        }
        if self.packing is not None:
            missing = [list(cell) for cell in self.packing.missing]
            found["packing"] = {**describe_tiling(self.packing), "missing": missing}
        return found

    def _summary(self) -> str:
        return f"{self.instance.name} by {self.solver}, {self.formulation}"


def solve(
    instance: Instance,
    *,
    solver: str = "highs",
    formulation: str = "matrix",
    reduce: bool = True,
    start: str = "none",
    time_limit: float | None = None,
    seed: int = 0,
    threads: int = 1,
    log: Callable[[str], None] | None = None,
) -> Solution:
    """Find one tiling of an instance, or prove that there is none.

    The tiling is verified against the instance. A solver's "infeasible" is
    believed only when the exact-cover search, which uses no floating-point
    numbers and sees the whole cover, finds nothing either; that of the solver
    ``exact-cover`` only when the one-tree search does not.

    Parameters
    ----------
    instance
        The instance.
    solver
        A solver's name: ``highs``, ``cbc``, ``scip``, ``glpk``, ``cpsat``,
        ``gurobi``, ``z3``, ``exact-cover``.
    formulation
        A formulation's name: ``matrix``, ``pulp``, ``pyomo``, ``packing``, ``cells``.
    reduce
        Whether the solver gets only the columns that a tiling might use; see
        `calmip.problem.reduction`. A packing may use any.
    start
        What the solver starts from: ``"none"``, so that its time is its own, or
        ``"search"``, the first tiling of the exact-cover search, if there is one.
    time_limit
        The most wall-clock seconds for solver and check together, or None.
    seed, threads
        The solver's random seed and number of threads.
    log
        What receives the solver's own lines.

    Raises
    ------
    InputError
        If a name is unknown or a number is out of range.
    SolverMissing
        If the solver or the formulation's package is not installed.
    SolverFailed
        If the solver crashed, or its answer did not survive its check.
    """
    limits = Limits(time_limit, seed, threads, log)
    chosen_solver = solver_named(solver)
    _check_start(start, chosen_solver)
    clock = Deadline(time_limit)
    cover = ExactCover(instance)
    seconds = {"cover": clock.lap()}
    # A packing is worth a solve even so, if there is anything to lay.
    obstacle = None if packs(formulation) and cover.columns else cover.obstacle()
    if obstacle is not None:
        return _without_model(cover, solver, formulation, seconds, (Status.INFEASIBLE, obstacle))
    part = cover.reduced() if reduce and not packs(formulation) else cover
    seconds["reduce"] = clock.lap()
    if not part.columns:
        detail = "no column is left after reduction"
        claim = f"the reduction says that {detail}"
        none = judge_none(cover, claim, solver, clock, detail).believed()
        seconds["verify"] = clock.lap()
        verdict = none.status, none.reason
        return _without_model(cover, solver, formulation, seconds, verdict, reduced=0)
    with scratch_folder() as folder:
        model = build(formulation, part)
        if start == "search":
            limits = replace(limits, start=_first_tiling(part, model, clock))
            seconds["start"] = clock.lap()
        path = folder / f"model{model.suffix}"
        model.write(path)
        seconds["model"] = clock.lap()
        outcome = chosen_solver.solve(path, limits)
    seconds["solve"] = clock.lap()
    found = judge_cover(cover, model, outcome, solver, clock).believed()
    packing = found.packing
    seconds["verify"] = clock.lap()
    seconds["total"] = sum(seconds.values())
    dropped = cover.columns - part.columns
    columns, rows, _ = model.size
    tiling = packing if isinstance(packing, Tiling) else None
    found_by = "" if tiling is None else solver
    if (
        tiling is not None
        and limits.start
        and set(limits.start) == {cover.option_names[option] for option in tiling.options(cover)}
    ):
        found_by = "search"
    return Solution(
        instance, tiling, found.status, solver, formulation, columns + dropped, rows, seconds,
        found.reason, packing if tiling is None else None, columns if dropped else None, found_by,
    )  # fmt: skip


def _check_start(start: str, solver: Solver) -> None:
    if start not in STARTS:
        raise InputError(f"unknown start '{start}'; use one of {listed(STARTS)}")
    if start != "none" and not solver.starts:
        able = [name for name in SOLVERS if solver_named(name).starts]
        raise InputError(f"{solver.name} takes no start; those that do are {listed(able)}")


def _first_tiling(cover: ExactCover, model: Formulation, clock: Deadline) -> tuple[str, ...]:
    """Return the columns of the first tiling that the exact-cover search finds, or none."""
    from calmip.search.exact_cover.search import Search

    if model.auxiliary:
        raise InputError("the formulation has columns that are no placements; leave out the start")
    first = next(iter(Search(cover, limit=1, time_limit=clock.left())), [])
    return tuple(cover.option_names[option] for option in first)


def _without_model(
    cover: ExactCover,
    solver: str,
    formulation: str,
    seconds: dict[str, float],
    verdict: tuple[Status, str],
    *,
    reduced: int | None = None,
) -> Solution:
    """Return the answer where it was known before there was a model."""
    seconds["total"] = sum(seconds.values())
    status, detail = verdict
    return Solution(
        cover.instance, None, status, solver, formulation, cover.columns, cover.rows, seconds,
        detail, reduced=reduced,
    )  # fmt: skip
