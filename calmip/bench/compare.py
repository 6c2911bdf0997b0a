"""Compare formulations of one instance: sizes, linear relaxations, and solvers' runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from calmip._base.errors import InputError, SolverFailed, SolverMissing
from calmip._base.files import scratch_folder
from calmip._base.limits import Deadline, Limits, Progress
from calmip.mip.files.model_files import read_model
from calmip.mip.status import Status
from calmip.models import FORMULATIONS, Formulation, build, obstacle, pose
from calmip.puzzle.cover import ExactCover
from calmip.puzzle.instance import Instance
from calmip.puzzle.tasks.interface import of_instance
from calmip.puzzle.tasks.results import Pictured
from calmip.puzzle.tasks.verdicts import judge_cover
from calmip.solvers import SOLVERS, Outcome, solver_named
from calmip.solvers.base import KindRefused, ModelRefused
from calmip.solvers.highs import relax
from calmip.solvers.verdicts import Standing

__all__ = ["Comparison", "Run", "compare_formulations"]

ANSWERS = {Status.FEASIBLE: "tiling", Status.INFEASIBLE: "none"}
DOUBTS = {Standing.REFUTED: "failed", Standing.UNVERIFIED: "unverified", None: ""}


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
        ``"tiling"``, ``"none"`` (infeasible, as a witness verifies), ``"unverified"``
        (infeasible, which no witness decides in time), ``"unknown"`` (a limit was reached),
        ``"failed"``, ``"unfit"`` (the solver takes no models of this kind, or its licence none
        of this size), or ``"missing"`` (the formulation's package cannot be imported).
    columns, rows, nonzeros
        The size of the model file, None without one.
    bound
        The optimum of the linear relaxation, minimised; None if the relaxation is infeasible.
    optimum
        The objective of the best solution found, None without one.
    nodes
        The solver's nodes, None if it does not report them.
    seconds
        The wall-clock seconds of the solver, reading the file included.
    detail
        The solver's own word, the error, or what is missing.
    """

    KEYS = (
        "formulation",
        "columns",
        "rows",
        "nonzeros",
        "bound",
        "solver",
        "answer",
        "optimum",
        "gap",
        "nodes",
        "seconds",
        "detail",
    )

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
        """The root gap: the distance from the bound to the optimum, relative to the optimum."""
        if self.bound is None or self.optimum is None:
            return None
        return (self.optimum - self.bound) / max(1.0, abs(self.optimum))


@dataclass(frozen=True, repr=False)
class Comparison(Pictured):
    """The runs of several solvers on several formulations of one instance.

    Parameters
    ----------
    instance
        The instance.
    runs
        The runs, formulation by formulation.
    obstacle
        Why there can be no tiling, if a simple check shows it; then only a packing has a
        model to solve.
    """

    KEYS = ("instance", "obstacle", "runs")

    instance: Instance
    runs: tuple[Run, ...]
    obstacle: str | None = None

    @property
    def status(self) -> Status:
        """Failed if an answer is refuted, else the combined status of the answers."""
        answers = {run.answer for run in self.runs}
        if "failed" in answers:
            return Status.FAILED
        if "tiling" in answers:
            return Status.FEASIBLE
        known = self.obstacle is not None or "none" in answers
        return Status.INFEASIBLE if known else Status.UNKNOWN

    def _summary(self) -> str:
        return f"{self.instance.name}, {len(self.runs)} runs"


@of_instance
def compare_formulations(
    instance: Instance,
    *,
    formulation: Sequence[str] = (),
    solver: Sequence[str] = (),
    time_limit: float | None = 60.0,
    seed: int = 0,
    progress: Callable[[Progress], None] | None = None,
) -> Comparison:
    """Compare the formulations of an instance with every solver that is installed.

    The LP bound is the optimum of the linear relaxation; the root gap is its relative
    distance from the best objective found. Objectives are minimised: the packing model
    minimises minus the number of covered cells.

    Parameters
    ----------
    instance
        The instance.
    formulation
        Compare only these formulations; all by default.
    solver
        Use only these solvers; by default all installed ones.
    time_limit
        Stop each run after this many seconds.
    seed, progress
        As for `calmip.solvers.Limits`. Progress counts the runs.

    Raises
    ------
    InputError
        If a name is unknown or a number is out of range.
    SolverMissing
        If a named solver or formulation is not installed.
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
    except (SolverMissing, SolverFailed):
        return False


def _all_runs(
    cover: ExactCover, formulations: Sequence[str], solvers: Sequence[str], limits: Limits
) -> Iterator[Run]:
    for name in formulations or FORMULATIONS:
        try:
            subject = pose(name, cover)
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
        root, data = relax(path).bound, path.read_bytes()
        bound = None if root is None else root - arrays.offset
        for solver in solvers:
            path.write_bytes(data)  # a solver may have changed it
            clock, answer = Deadline(), ""
            outcome = Outcome(Status.UNKNOWN)
            try:
                outcome = solver_named(solver).solve(path, limits.renew())
            except (KindRefused, ModelRefused) as error:
                answer, detail = "unfit", str(error)
            except SolverFailed as error:
                answer, detail = "failed", str(error)
            seconds, optimum = clock.elapsed, None
            if not answer:
                judged = judge_cover(cover, model, outcome, solver, limits.renew().clock)
                doubt = DOUBTS.get(judged.standing)
                answer = doubt or ANSWERS.get(judged.status, "unknown")
                detail = judged.reason if doubt else outcome.detail
            if outcome.values:
                # The judge refutes names that are not columns.
                ones = [numbers[n] for n, v in outcome.values.items() if n in numbers and v > 0.5]
                optimum = float(arrays.cost[ones].sum())
            yield Run(
                name,
                solver,
                answer,
                len(arrays.columns),
                len(arrays.rows),
                arrays.nonzeros,
                bound,
                optimum,
                outcome.nodes,
                seconds,
                detail,
            )
