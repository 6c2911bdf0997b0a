"""The words for how an answer stands: one enumeration for solvers, tasks and exit codes."""

from __future__ import annotations

from enum import StrEnum

__all__ = ["Status"]


class Status(StrEnum):
    """How an answer stands. From a solver it is a claim; from a task it is checked."""

    OPTIMAL = "optimal"
    """A solution, and a solver's word that none is better."""
    FEASIBLE = "feasible"
    """A solution; of a solver, that a limit came before its search was finished."""
    INFEASIBLE = "infeasible"
    """Proved to have no solution."""
    UNKNOWN = "unknown"
    """A limit came first: neither a solution nor a proof that there is none."""
    ACCEPTED = "accepted"
    """What was to be checked holds."""
    REFUSED = "refused"
    """What was to be checked does not hold; the result says why."""
    DONE = "done"
    """What was to be made is made."""
    FAILED = "failed"
    """A solver is missing or its answer did not survive its check."""

    @classmethod
    def of_pool(cls, count: int, complete: bool) -> Status:
        """Return how so many solutions stand, and whether they are proved to be all."""
        if count:
            return cls.FEASIBLE
        return cls.INFEASIBLE if complete else cls.UNKNOWN
