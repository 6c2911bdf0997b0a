"""Compare formulations of one instance: sizes, linear relaxation, and what solvers do with them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from calmip._files import scratch_folder
from calmip._limits import Deadline, Limits, Progress
from calmip.documents.description import describe_instance
from calmip.errors import InputError, SolverFailed, SolverMissing
from calmip.formats.model_files import read_model
from calmip.models import FORMULATIONS, Formulation, build, obstacle, posed
from calmip.problem.cover import ExactCover
from calmip.problem.instance import Instance
from calmip.problem.status import Status
from calmip.solvers import SOLVERS, Outcome, solver_named
from calmip.solvers.base import KindRefused, ModelRefused
from calmip.solvers.highs import LinearOptimum, relax
from calmip.tasks._result import Result
from calmip.tasks._trust import Standing, judge_cover

__all__ = ["Comparison", "Run", "compare"]


@dataclass(frozen=True)
class Run:
    """One formulation of an instance, and one solver's run on it.

    Parameters
    ----------
    formulation
        The formulation.
    solver
        The solver; None where the formulation is missing, so that nothing ran.
    answer
        ``"tiling"``, ``"none"`` (the solver's claim, where a witness agrees),
        ``"unverified"`` (the same claim, which no witness has decided in time),
        ``"unknown"`` (a limit came first), ``"failed"``, ``"unfit"``
        (the solver takes no models of this kind, or its licence none of this
        size), or ``"missing"`` (the formulation's package cannot be imported).
    columns, rows, nonzeros
        The size of the model file, None without one.
    bound
        The optimum of the linear relaxation as a number to be made small,
        None if the relaxation is infeasible.
    optimum
        The objective's value at the best point found, None without one.
    nodes
        The solver's nodes, None if it does not say.
    seconds
        The wall-clock seconds of the solver, reading the file included.
    detail
        The solver's own word, what went wrong, or what is missing.
    """

    formulation: str
    solver: str | None
    answer: str
    columns: int | None = None
    rows: int | None = None
    nonzeros: int | None = None
    bound: float | None = None
    optimum: float | None = None
    nodes: int | None = None
    seconds: float = field(default=0.0, compare=False)
    detail: str = ""

    @property
    def gap(self) -> float | None:
        """The root gap: how far the bound is below the optimum, relative to the optimum."""
        if self.bound is None or self.optimum is None:
            return None
        return (self.optimum - self.bound) / max(1.0, abs(self.optimum))

    def describe(self) -> dict[str, Any]:
        """Return the run as plain data, with the keys in their documented order."""
        return {
            "formulation": self.formulation,
            "columns": self.columns,
            "rows": self.rows,
            "nonzeros": self.nonzeros,
            "bound": self.bound,
            "solver": self.solver,
            "answer": self.answer,
            "optimum": self.optimum,
            "gap": self.gap,
            "nodes": self.nodes,
            "seconds": round(self.seconds, 6),
            "detail": self.detail,
        }


@dataclass(frozen=True, repr=False)
class Comparison(Result):
    """The runs of several solvers on several formulations of one instance.

    Parameters
    ----------
    instance
        The instance.
    runs
        What was run, formulation by formulation.
    obstacle
        Why there can be no tiling, if that is plain; then only a packing has a
        model to solve.
    """

    instance: Instance
    runs: tuple[Run, ...]
    obstacle: str | None = None

    @property
    def status(self) -> Status:
        """Failed if an answer did not survive its check, else what the answers say together."""
        answers = {run.answer for run in self.runs}
        if "failed" in answers:
            return Status.FAILED
        if "tiling" in answers:
            return Status.FEASIBLE
        known = self.obstacle is not None or "none" in answers
        return Status.INFEASIBLE if known else Status.UNKNOWN

    def describe(self) -> dict[str, Any]:
        """Return the comparison as plain data, with the keys in their documented order."""
        return {
            "instance": describe_instance(self.instance),
            "obstacle": self.obstacle,
            "runs": [run.describe() for run in self.runs],
        }

    def _summary(self) -> str:
        return f"{self.instance.name}, {len(self.runs)} runs"


def compare(
    instance: Instance,
    *,
    formulation: Sequence[str] = (),
    solver: Sequence[str] = (),
    time_limit: float | None = 60.0,
    seed: int = 0,
    progress: Callable[[Progress], None] | None = None,
) -> Comparison:
    """Compare the formulations of an instance with every solver that is installed.

    The LP bound is the optimum of the linear relaxation; the root gap is how
    far it is from the optimum that was found. Objectives are minimised: the
    packing model's is minus the number of covered cells.

    Parameters
    ----------
    instance
        The instance.
    formulation
        Compare only these formulations; all by default.
    solver
        Use only these solvers; by default all that are installed.
    time_limit
        Stop each run after so many seconds.
    seed, progress
        As for `calmip.solvers.Limits`. Progress counts the runs.

    Raises
    ------
    InputError
        If a name is unknown or a number is out of range.
    SolverMissing
        If something that was named is not installed.
    """
    limits = Limits(time_limit, seed, progress=progress)
    cover = ExactCover(instance)
    programs = [name for name in (solver or SOLVERS) if solver or _is_here(name)]
    for name in programs:
        solver_named(name)
    runs = []
    total = (len(formulation) or len(FORMULATIONS)) * len(programs)
    for run in _all_runs(cover, formulation, programs, limits):
        runs.append(run)
        limits.report(min(len(runs), total), total)
    return Comparison(instance, tuple(runs), cover.obstacle())


def _is_here(solver: str) -> bool:
    try:
        return solver_named(solver).availability().found is not None
    except SolverMissing:
        return False


def _all_runs(
    cover: ExactCover,
    formulations: Sequence[str],
    solvers: Sequence[str],
    limits: Limits,
) -> Iterator[Run]:
    for name in formulations or FORMULATIONS:
        try:
            subject = posed(name, cover)
            if (why := obstacle(subject)) is not None:
                if formulations:
                    raise InputError(f"{name} has no model to solve: {why}")
                continue
            model = build(name, subject)
        except SolverMissing as error:
            if formulations:
                raise
            yield Run(name, None, "missing", detail=str(error))
            continue
        yield from _runs(subject, name, model, solvers, limits)


def _runs(
    cover: ExactCover, name: str, model: Formulation, solvers: Sequence[str], limits: Limits
) -> Iterator[Run]:
    with scratch_folder() as folder:
        path = folder / f"model{model.suffix}"
        model.write(path)
        arrays = read_model(path)
        numbers = {column: number for number, column in enumerate(arrays.columns)}
        root, data = relax(path), path.read_bytes()
        for solver in solvers:
            path.write_bytes(data)  # whatever the solver before has done to it
            clock, each = Deadline(), limits.anew()
            answer, detail = "unknown", ""
            outcome = Outcome(Status.UNKNOWN)
            try:
                outcome = solver_named(solver).solve(path, each)
            except (KindRefused, ModelRefused) as error:
                answer, detail = "unfit", str(error)
            except SolverFailed as error:
                answer, detail = "failed", str(error)
            run = Run(
                formulation=name,
                solver=solver,
                answer=answer,
                columns=len(arrays.columns),
                rows=len(arrays.rows),
                nonzeros=arrays.nonzeros,
                bound=_without_constant(root, arrays.offset),
                nodes=outcome.nodes,
                seconds=clock.elapsed,
                detail=detail or outcome.detail,
            )
            if outcome.values:
                # A name that is no column is for the check below to judge.
                ones = [numbers[n] for n, v in outcome.values.items() if n in numbers and v > 0.5]
                run = replace(run, optimum=float(arrays.cost[ones].sum()))
            yield run if detail else _judged(run, cover, model, outcome, limits.anew().clock)


def _without_constant(root: LinearOptimum, offset: float) -> float | None:
    return None if root.bound is None else root.bound - offset


def _judged(
    run: Run, cover: ExactCover, model: Formulation, outcome: Outcome, clock: Deadline
) -> Run:
    """Return the run with its answer, once that is checked, for which there is time anew."""
    found = judge_cover(cover, model, outcome, str(run.solver), clock)
    if found.standing is Standing.REFUTED:
        return replace(run, answer="failed", detail=found.reason)
    if found.standing is Standing.UNVERIFIED:
        return replace(run, answer="unverified", detail=found.reason)
    answers = {Status.FEASIBLE: "tiling", Status.INFEASIBLE: "none"}
    return replace(run, answer=answers.get(found.status, "unknown"))
