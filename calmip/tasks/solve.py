"""Solve an instance or a model: a model file, a solver, and a solution that is verified."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from calmip._files import scratch_folder
from calmip._limits import Limits
from calmip.documents.description import describe_point, describe_tiling
from calmip.errors import InputError, listed
from calmip.formats.mps import mps_text
from calmip.formats.reading import quoted
from calmip.models import Formulation, build, obstacle, posed
from calmip.problem.binary_model import BinaryModel, WholeRow, whole_row
from calmip.problem.cover import ExactCover
from calmip.problem.status import Status
from calmip.problem.tiling import Packing, Tiling
from calmip.solvers import SOLVERS, Solver, solver_named
from calmip.tasks._result import Pictured
from calmip.tasks._source import Sourced, subject_of
from calmip.tasks._trust import Evidence, Judgement, Standing, judge_cover, judge_model, judge_none

if TYPE_CHECKING:
    from calmip.tasks._source import Source

__all__ = ["STARTS", "Solution", "solve"]

STARTS = ("none", "search")
"""What a solver may start from: nothing, or the first tiling of the exact-cover search."""

MOST = 2**30
"""Rows of a model with greater whole coefficients are divided before a solver gets them."""

MOST_COST = 2**20
"""So is an objective with greater ones."""


@dataclass(frozen=True, repr=False)
class Solution(Sourced, Pictured):
    """What solving an instance or a model gave.

    Parameters
    ----------
    source
        The instance, or the model.
    status
        Feasible, infeasible or unknown; optimal for a model with an objective.
    solver, formulation
        The names of what was used; the formulation is None for a model.
    columns, rows
        The size of the model.
    seconds
        The wall-clock seconds of each step: ``cover``, ``reduce``, ``model``
        (formulate and write), ``solve``, ``verify``, and their ``total``.
    detail
        The solver's own word for its status, or why there can be no solution.
    tiling
        A verified tiling of the instance, or None.
    packing
        The best packing that the solver found, where one was asked for and it is no
        tiling: verified; that none covers more is the solver's word.
    reduced
        How many of the columns were left after the reduction; None without one.
    found_by
        Who found the tiling: the solver, or ``"search"`` if it started from that
        tiling and gave it back; empty without a tiling.
    chosen
        The columns of the model that are one, by number, ascending; every row was checked.
    objective
        The value of the model's objective as its author wrote it; None without a solution.
    verified
        Whether a check or a witness agrees with the status. An optimum that no
        witness has proved in a second is the solver's word: unverified.
    """

    KEYS = ("instance", "status", "complete", "detail", "solver", "found_by", "formulation",
            "columns", "reduced", "rows", "seconds", "tilings")  # fmt: skip
    MODEL_KEYS = ("model", "status", "verified", "detail", "solver", "seconds", "objective",
                  "solution")  # fmt: skip

    source: Source
    status: Status
    solver: str
    formulation: str | None
    columns: int
    rows: int
    seconds: Mapping[str, float] = field(compare=False)
    detail: str = ""
    tiling: Tiling | None = None
    packing: Packing | None = None
    reduced: int | None = None
    found_by: str = ""
    chosen: tuple[int, ...] = ()
    objective: float | None = None
    verified: bool = True

    @property
    def tilings(self) -> tuple[Tiling, ...]:
        """The tiling, if there is one, in a tuple."""
        return () if self.tiling is None else (self.tiling,)

    @property
    def drawn(self) -> bool:
        """Whether there is something to draw."""
        return bool(self.tilings)

    @property
    def complete(self) -> bool:
        """Whether there are proved to be no further tilings; here, whether there is none."""
        return self.status is Status.INFEASIBLE

    @property
    def solution(self) -> dict[str, Any] | None:
        """The names of the columns of a model that are one, under ``ones``; None without any."""
        return None if self.objective is None else describe_point(self.model, self.chosen)

    def describe(self) -> dict[str, Any]:
        """Return what solving gave, with the keys in their documented order."""
        packing = {}
        if self.packing is not None:
            missing = [list(cell) for cell in self.packing.missing]
            packing["packing"] = {**describe_tiling(self.packing), "missing": missing}
        return super().describe() | packing

    def _summary(self) -> str:
        by = f"{self.source.name} by {self.solver}"
        if self.objective is not None:
            return f"{by}, objective {self.objective:g}"
        return f"{by}, {self.formulation}" if self.formulation else by


def solve(
    source: Source,
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
    """Find one tiling of an instance or a solution of a model, or prove that there is none.

    A tiling is verified against the instance. A solver's "infeasible" counts only when
    the exact-cover search, which uses no floating-point numbers and sees the whole cover,
    finds no tiling either. The one-tree search checks the solver exact-cover. A model is
    named by its MPS or LP file; its solution is checked row by row, in exact arithmetic.

    Parameters
    ----------
    source
        An instance; or a model whose variables are all binary, from
        `calmip.read_model` for example.
    solver
        Run this solver: ``highs``, ``cbc``, ``scip``, ``glpk``, ``cpsat``,
        ``gurobi``, ``z3``, ``exact-cover``.
    formulation
        Build the model of an instance so: ``matrix``, ``pulp``, ``pyomo``,
        ``packing``, ``cells``. A model is solved as it is written.
    reduce
        Leave out columns that no tiling can use. See `calmip.problem.reduction`.
        A packing may use any, and so may a solution of a model.
    start
        Warm-start the solver with a tiling found by the exact-cover search (``search``).
        ``none`` leaves it alone, so that its time is its own.
    time_limit, seed, threads, log
        As for `calmip.solvers.Limits`. The time is that of solver and check together.

    Raises
    ------
    InputError
        If a name is unknown or a number is out of range.
    TypeError
        If the source is neither an instance nor a model.
    SolverMissing
        If the solver or the formulation's package is not installed.
    SolverFailed
        If the solver crashed, or its answer did not survive its check.

    Notes
    -----
    Of a model, the solver gets calmip's own words: columns and rows are
    numbered, so that no name can confuse its reader, and scaled, so that no
    coefficient is within its tolerances. Its "infeasible" is verified only when a
    search of one tree (`calmip.search.one_tree.OneTree`) finds nothing either. Its
    "optimal" is refused if a second of that search finds a better point, verified if
    it proves that there is none, and else unverified: the solver's word.
    """
    limits = Limits(time_limit, seed, threads, log)
    chosen_solver = solver_named(solver)
    _check_start(start, chosen_solver)
    subject = subject_of(source)
    if not isinstance(subject, ExactCover):
        if formulation != "matrix" or start != "none":
            raise InputError("a model is solved as it is written; leave out formulation and start")
        return _solve_model(subject, chosen_solver, limits)
    return _solve_cover(
        subject, chosen_solver, limits, formulation=formulation, reduce=reduce,
        search_first=start == "search",
    )  # fmt: skip


def _solve_cover(
    cover: ExactCover, solver: Solver, limits: Limits, *,
    formulation: str, reduce: bool, search_first: bool,
) -> Solution:  # fmt: skip
    """Solve the exact cover of an instance in a formulation."""
    clock = limits.clock
    seconds = {"cover": clock.lap()}

    def solution(found: Judgement, size: tuple[int, int], **more: Any) -> Solution:
        return _solution(
            cover.instance, solver, found, seconds, size, formulation=formulation, **more
        )

    cover = posed(formulation, cover)
    why = obstacle(cover)
    if why is not None:
        none = Judgement(Status.INFEASIBLE, Standing.VERIFIED, why)
        return solution(none, (cover.columns, cover.rows))
    part = cover.reduced() if reduce else cover
    seconds["reduce"] = clock.lap()
    if not part.columns:
        detail = "no column is left after reduction"
        claim = f"the reduction says that {detail}"
        none = judge_none(cover, claim, solver.name, clock, detail).believed()
        seconds["verify"] = clock.lap()
        return solution(none, (cover.columns, cover.rows), reduced=0)
    with scratch_folder() as folder:
        model = build(formulation, part)
        if search_first:
            limits = replace(limits, start=_first_tiling(part, model, limits))
            seconds["start"] = clock.lap()
        path = folder / f"model{model.suffix}"
        model.write(path)
        seconds["model"] = clock.lap()
        outcome = solver.solve(path, limits)
    seconds["solve"] = clock.lap()
    found = judge_cover(cover, model, outcome, solver.name, clock).believed()
    seconds["verify"] = clock.lap()
    dropped = cover.columns - part.columns
    columns, rows, _ = model.size
    size = columns + dropped, rows
    left = columns if dropped else None
    tiling = found.packing
    if not isinstance(tiling, Tiling):
        return solution(found, size, packing=tiling, reduced=left)
    found_by = solver.name
    if limits.start:
        names = {cover.option_names[option] for option in tiling.options(cover)}
        found_by = "search" if set(limits.start) == names else solver.name
    return solution(found, size, tiling=tiling, reduced=left, found_by=found_by)


def _check_start(start: str, solver: Solver) -> None:
    if start not in STARTS:
        raise InputError(f"unknown start '{start}'; use one of {listed(STARTS)}")
    if start != "none" and not solver.starts:
        able = [name for name in SOLVERS if solver_named(name).starts]
        raise InputError(f"{solver.name} takes no start; those that do are {listed(able)}")


def _first_tiling(cover: ExactCover, model: Formulation, limits: Limits) -> tuple[str, ...]:
    """Return the columns of the first tiling that the exact-cover search finds, or none."""
    from calmip.search.exact_cover.search import Search

    if model.auxiliary:
        raise InputError("the formulation has columns that are no placements; leave out the start")
    first = next(iter(Search(cover, limit=1, time_limit=limits.seconds)), [])
    return tuple(cover.option_names[option] for option in first)


def _solve_model(model: BinaryModel, solver: Solver, limits: Limits) -> Solution:
    """Solve a model as it is written, but for its names and the size of its numbers."""
    clock = limits.clock
    plain, size = _renamed(model), (len(model.columns), len(model.rows))
    rows = [model.row(number) for number in range(len(model.rows))]
    contradiction = next((n for n, (_, low, high) in enumerate(rows) if low > high), None)
    if contradiction is not None:
        detail = f"no 0/1 point satisfies row {quoted(model.rows[contradiction])}"
        none = Judgement(Status.INFEASIBLE, Standing.VERIFIED, detail)
        return _solution(model, solver, none, {"model": clock.lap()}, size)
    with scratch_folder() as folder:
        path = folder / "model.mps"
        path.write_text(mps_text(_scaled(plain, rows)), encoding="utf-8")
        seconds = {"model": clock.lap()}
        outcome = solver.solve(path, limits)
    seconds["solve"] = clock.lap()
    found = judge_model(Evidence(plain, lambda: clock), outcome, solver.name).believed()
    seconds["verify"] = clock.lap()
    if found.status not in (Status.OPTIMAL, Status.FEASIBLE):
        return _solution(model, solver, found, seconds, size)
    return _solution(
        model, solver, replace(found, reason=outcome.detail), seconds, size,
        chosen=found.chosen, objective=model.objective(found.chosen),
    )  # fmt: skip


def _solution(
    source: Source, solver: Solver, found: Judgement, seconds: Mapping[str, float],
    size: tuple[int, int], *, formulation: str | None = None, **more: Any,
) -> Solution:  # fmt: skip
    """Return a solution as it was judged."""
    seconds = {**seconds, "total": sum(seconds.values())}
    return Solution(
        source, found.status, solver.name, formulation, *size, seconds, found.reason,
        verified=found.standing is not Standing.UNVERIFIED, **more,
    )  # fmt: skip


def _renamed(model: BinaryModel) -> BinaryModel:
    """Return the model with names that every reader takes alike, and without a title."""
    return replace(
        model,
        columns=tuple(f"x{number}" for number in range(len(model.columns))),
        rows=tuple(f"r{number}" for number in range(len(model.rows))),
        name="model",
        comments=(),
    )


def _scaled(model: BinaryModel, rows: Sequence[WholeRow]) -> BinaryModel:
    """Return the model in whole numbers, or such as are near to them in size.

    A solver takes differences below 1e-6 for none, and coefficients above 1e15 for errors.
    """
    import numpy as np

    divided = [_divided(row, MOST) for row in rows]
    terms = [values for values, _, _ in divided]
    lower, upper = (np.array([row[side] for row in divided], np.float64) for side in (1, 2))
    costs, *_ = _divided(whole_row(model.costs, -math.inf, math.inf), MOST_COST)
    return replace(
        model,
        start=np.cumsum([0, *map(len, terms)]).astype(np.int32),
        index=np.array([column for row in terms for column in row], dtype=np.int32),
        value=np.array([value for row in terms for value in row.values()], dtype=np.float64),
        lower=lower,
        upper=upper,
        cost=np.array([costs.get(column, 0.0) for column in range(len(model.columns))]),
        exact={},
    )


def _divided(row: WholeRow, most: int) -> tuple[dict[int, float], float, float]:
    terms, low, high = row
    scale = max(1, max(map(abs, terms.values()), default=0) // most)
    return {column: value / scale for column, value in terms.items()}, low / scale, high / scale
