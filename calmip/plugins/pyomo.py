"""calmip as a solver of Pyomo: importing this module registers ``SolverFactory("calmip")``."""

from __future__ import annotations

from types import TracebackType
from typing import Any

from pyomo.common.collections import Bunch
from pyomo.opt import (
    ProblemSense,
    SolverFactory,
    SolverResults,
    TerminationCondition,
)

from calmip._base.errors import InputError, join_words
from calmip._base.version import __version__
from calmip.mip.status import Status
from calmip.solvers.model_solving import ModelSolution, solve_model

__all__ = ["PyomoSolver"]

OPTIONS = ("solver", "time_limit", "seed", "threads")
"""The options, which are parameters of `calmip.solve`."""


@SolverFactory.register("calmip", doc="calmip, which checks the answer of a solver exactly")
class PyomoSolver:
    """A solver of Pyomo whose answers calmip has checked.

    ``SolverFactory("calmip:scip")`` names the solver that does the work. The suffixes ``dual``,
    ``rc`` and ``slack`` are filled if the model imports them, with integer variables fixed.

    Parameters
    ----------
    options
        The parameters ``solver``, ``time_limit``, ``seed`` and ``threads`` of `calmip.solve`.

    Attributes
    ----------
    options
        These options, which may be changed.
    solution : calmip.solvers.model_solving.ModelSolution
        The result of the last solve, or None.
    """

    def __init__(self, **options: Any) -> None:
        options.pop("type", None)
        self.options = Bunch(**options)
        self.solution: ModelSolution | None = None

    def available(self, exception_flag: bool = True) -> bool:  # noqa: ARG002 - Pyomo's own
        """Return that the solver is here."""
        return True

    def license_is_valid(self) -> bool:
        """Return that no licence is needed."""
        return True

    def version(self) -> tuple[int, ...]:
        """Return the version of calmip."""
        return tuple(int(part) for part in __version__.split(".")[:3])

    def set_options(self, text: str) -> None:
        """Set an option that is written as ``name=value``."""
        name, _, value = text.partition("=")
        self.options[name] = value

    def solve(
        self,
        model: Any,
        *,
        tee: bool = False,
        timelimit: float | None = None,
        load_solutions: bool = True,
        options: dict[str, Any] | None = None,
    ) -> SolverResults:
        """Solve a model, set its variables, and return the results as other solvers do.

        Parameters
        ----------
        model
            The model or block.
        tee
            Whether to print the log of the solver.
        timelimit
            The time limit in seconds, or None.
        load_solutions
            Whether to set the variables. If not, ``solution.apply_to(model)`` does it.
        options
            Further options, for this solve alone.

        Raises
        ------
        InputError
            If the model is not linear, or an option is unknown.
        SolverMissing, SolverFailed
            As `calmip.solve` does.
        """
        given = {**self.options, **(options or {})}
        unknown = given.keys() - set(OPTIONS)
        if unknown:
            raise InputError(f"unknown option {min(unknown)!r}; use {join_words(OPTIONS)}")
        if timelimit is not None:
            given["time_limit"] = timelimit
        self.solution = solve_model(model, log=print if tee else None, **given)
        if load_solutions and self.solution.objective is not None:
            self.solution.apply_to(model)
        if load_solutions and getattr(self.solution.model.native, "suffixes", None):
            self.solution.assign_duals()
        return _results(self.solution, limited=given.get("time_limit") is not None)

    def __enter__(self) -> PyomoSolver:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Do nothing: a solve keeps no process."""


def _results(solution: ModelSolution, *, limited: bool) -> SolverResults:
    """Return a solution's status, size and bound in Pyomo's own type."""
    results, model = SolverResults(), solution.model
    done = solution.status is Status.FEASIBLE and not model.costs
    ends = {
        Status.OPTIMAL: "optimal",
        Status.INFEASIBLE: "infeasible",
        Status.UNBOUNDED: "unbounded",
    }
    stopped = "maxTimeLimit" if limited else "other"
    end = "optimal" if done else ends.get(solution.status, stopped)
    condition = TerminationCondition(end)
    results.solver.termination_condition = condition
    results.solver.status = TerminationCondition.to_solver_status(condition)
    results.solver.message = solution.detail
    results.solver.wallclock_time = solution.seconds["total"]
    problem = results.problem
    problem.name = model.name
    problem.number_of_variables, problem.number_of_constraints = solution.columns, solution.rows
    problem.number_of_nonzeros = model.nonzeros
    problem.number_of_objectives = 1
    problem.sense = ProblemSense.maximize if model.maximise else ProblemSense.minimize
    if solution.objective is not None:
        side = "lower_bound" if model.maximise else "upper_bound"
        sides = ("lower_bound", "upper_bound") if end == "optimal" else (side,)
        for name in sides:
            setattr(problem, name, solution.objective)
    return results
