"""calmip as a solver of PuLP: ``problem.solve(CALMIP())``.

Importing this module also adds it to PuLP's list, for ``pulp.getSolver("CALMIP")``.
"""

from __future__ import annotations

from array import array
from typing import Any

import pulp

from calmip._base.errors import CalmipError
from calmip.mip.files.objects import read_object
from calmip.mip.status import Status
from calmip.solvers.model_solving import ModelSolution, solve_model

__all__ = ["CALMIP"]


class CALMIP(pulp.LpSolver):  # type: ignore[misc] # PuLP 3 has no types
    """A solver of PuLP whose answers calmip has checked.

    After a solve, the problem's ``solverModel`` is the
    `calmip.solvers.model_solving.ModelSolution`. ``pi`` and ``slack`` of constraints and ``dj`` of
    variables are exact before they are rounded; they are changes of the objective, of a maximum,
    too. Integer variables are fixed for them.

    Parameters
    ----------
    mip
        Whether the integer variables have to be integers.
    msg
        Whether to print the log of the solver.
    timeLimit
        The time limit in seconds, or None.
    backend
        The solver that does the work, one of `calmip.installed_solvers`.
    seed, threads
        As for `calmip.solvers.Limits`.
    """

    name = "CALMIP"

    def __init__(
        self,
        mip: bool = True,
        msg: bool = False,
        *,
        timeLimit: float | None = None,  # noqa: N803 - the name that PuLP uses
        backend: str = "highs",
        seed: int = 0,
        threads: int = 1,
    ) -> None:
        super().__init__(
            mip=mip, msg=msg, timeLimit=timeLimit, backend=backend, seed=seed, threads=threads
        )

    def available(self) -> bool:
        """Return that the solver is here; PuLP asks before it lists a solver."""
        return True

    def copy(self) -> CALMIP:
        """Return a solver with the same settings."""
        return type(self)(self.mip, self.msg, timeLimit=self.timeLimit, **self.optionsDict)

    def actualSolve(self, lp: pulp.LpProblem, **_: Any) -> Any:  # noqa: N802 - the name of PuLP
        """Solve a problem, set its variables, and return PuLP's status or statistics.

        Raises
        ------
        pulp.PulpSolverError
            If the problem is not linear, or if the solver is missing, fails or gives an answer
            that is wrong.
        """
        start: Any = getattr(pulp.apis.core, "clocks", tuple)()  # PuLP 3 has none
        try:
            solution = self._solve(lp)
        except CalmipError as error:
            raise pulp.PulpSolverError(f"calmip: {error}") from error
        lp.solverModel = solution
        found = solution.objective is not None
        if found:
            solution.apply_to(lp)
        else:
            solution.model.native.tell(solution.status)
        solution.assign_duals()
        if hasattr(lp, "assignStatus"):
            return lp.status
        return self.buildStats(lp, self._code(solution), found, start=start)

    def _code(self, solution: ModelSolution) -> int:
        """Return the status of PuLP 4 for a solution."""
        codes = pulp.constants.LpSolveStatus
        if solution.status in (Status.INFEASIBLE, Status.UNBOUNDED):
            unbounded = solution.status is Status.UNBOUNDED
            return int(codes.Unbounded if unbounded else codes.Infeasible)
        if solution.status is Status.OPTIMAL or (
            solution.status is Status.FEASIBLE and not solution.model.costs
        ):
            return int(codes.Optimal)
        return int(codes.Stopped if self.timeLimit is None else codes.TimeLimit)

    def _solve(self, lp: pulp.LpProblem) -> ModelSolution:
        model = read_object(lp)
        assert model is not None
        if not self.mip:
            model = model.changed(integer=array("b", bytes(len(model.columns))))
        given = dict(self.optionsDict)
        log = print if self.msg else None
        return solve_model(
            model, solver=given.pop("backend"), time_limit=self.timeLimit, log=log, **given
        )


def _register() -> None:
    if hasattr(pulp.apis, "addSolver"):
        pulp.apis.addSolver(CALMIP)
    else:
        pulp.apis._all_solvers.append(CALMIP)  # PuLP 3 has no function for it


_register()
