"""Compare formulations of one instance: sizes, linear relaxation, and what solvers do with them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from time import perf_counter

from calmip._files import scratch_folder
from calmip.errors import InputError, SolverFailed, SolverMissing
from calmip.formats.model_files import read_model
from calmip.models import FORMULATIONS, Formulation, build, packs
from calmip.problem.cover import ExactCover
from calmip.problem.instance import Instance
from calmip.problem.tiling import Tiling
from calmip.solvers import SOLVERS, Limits, Outcome, Status, solver_named
from calmip.solvers.relaxation import Relaxation, relax
from calmip.tasks._verification import verified

__all__ = ["Comparison", "compare"]


@dataclass(frozen=True)
class Comparison:
    """One formulation of an instance, and one solver's run on it.

    Parameters
    ----------
    formulation
        The formulation.
    columns, rows, nonzeros
        The size of its model file.
    bound
        The optimum of the linear relaxation as a number to be made small,
        None if the relaxation is infeasible.
    solver
        The solver.
    answer
        ``"tiling"``, ``"none"`` (the solver's claim, where the compiled search
        agrees), ``"unknown"`` (a limit came first), or ``"failed"``.
    optimum
        The objective's value at the best point found, None without one.
    nodes
        The solver's nodes, None if it does not say.
    seconds
        The wall-clock seconds of the solver, reading the file included.
    detail
        The solver's own word, or what went wrong.
    """

    formulation: str
    columns: int
    rows: int
    nonzeros: int
    bound: float | None
    solver: str
    answer: str
    optimum: float | None
    nodes: int | None
    seconds: float
    detail: str

    @property
    def gap(self) -> float | None:
        """The root gap: how far the bound is below the optimum, relative to the optimum."""
        if self.bound is None or self.optimum is None:
            return None
        return (self.optimum - self.bound) / max(1.0, abs(self.optimum))


def compare(
    instance: Instance,
    *,
    formulations: Sequence[str] = (),
    solvers: Sequence[str] = (),
    time_limit: float | None = 60.0,
    seed: int = 0,
) -> Iterator[Comparison]:
    """Yield the runs of every solver on every formulation, as they end.

    Parameters
    ----------
    instance
        The instance.
    formulations, solvers
        Names; all that are installed unless given.
    time_limit
        The most wall-clock seconds for each run, or None.
    seed
        The solvers' random seed.

    Raises
    ------
    InputError
        If a name is unknown or a number is out of range.
    SolverMissing
        If something that was named is not installed.
    """
    limits = Limits(time_limit, seed)
    cover = ExactCover(instance)
    obstacle = cover.obstacle()
    programs = [name for name in (solvers or SOLVERS) if solvers or _is_here(name)]
    for name in programs:
        solver_named(name)
    for name in formulations or FORMULATIONS:
        if obstacle is not None and not packs(name):
            if formulations:
                raise InputError(f"{name} has no model to solve: {obstacle}")
            continue
        try:
            model = build(name, cover)
        except SolverMissing:
            if formulations:
                raise
            continue
        yield from _runs(cover, name, model, programs, limits)


def _is_here(solver: str) -> bool:
    try:
        return solver_named(solver).availability().found is not None
    except SolverMissing:
        return False


def _runs(
    cover: ExactCover, name: str, model: Formulation, solvers: Sequence[str], limits: Limits
) -> Iterator[Comparison]:
    with scratch_folder() as folder:
        path = folder / f"model{model.suffix}"
        model.write(path)
        arrays = read_model(path)
        numbers = {column: number for number, column in enumerate(arrays.columns)}
        root = relax(path)
        for solver in solvers:
            started = perf_counter()
            failed = ""
            outcome = Outcome(Status.UNKNOWN)
            try:
                outcome = solver_named(solver).solve(path, limits)
            except SolverFailed as error:
                failed = str(error)
            row = Comparison(
                formulation=name,
                columns=len(arrays.columns),
                rows=len(arrays.rows),
                nonzeros=arrays.nonzeros,
                bound=_without_constant(root, arrays.offset),
                solver=solver,
                answer="failed" if failed else "unknown",
                optimum=None,
                nodes=outcome.nodes,
                seconds=perf_counter() - started,
                detail=failed or outcome.detail,
            )
            if outcome.values:
                ones = [numbers[n] for n, value in outcome.values.items() if value > 0.5]
                row = replace(row, optimum=float(arrays.cost[ones].sum()))
            yield row if failed else _judged(row, cover, model, outcome)


def _without_constant(root: Relaxation, offset: float) -> float | None:
    return None if root.bound is None else root.bound - offset


def _judged(row: Comparison, cover: ExactCover, model: Formulation, outcome: Outcome) -> Comparison:
    """Return the run with its answer, once that is checked."""
    from calmip.search.exact_cover import exists

    none = outcome.status is Status.INFEASIBLE
    if outcome.values and not none:
        try:
            packing = verified(cover, outcome, row.solver, model)[1]
        except SolverFailed as error:
            return replace(row, answer="failed", detail=str(error))
        if isinstance(packing, Tiling):
            return replace(row, answer="tiling")
        none = outcome.status is Status.OPTIMAL
    if none and exists(cover):
        return replace(row, answer="failed", detail="claims that there is none, but there is one")
    return replace(row, answer="none" if none else "unknown")
