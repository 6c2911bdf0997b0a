"""The status of an answer: one enumeration for solvers, tasks and exit codes."""

from __future__ import annotations

from enum import StrEnum


class Status(StrEnum):
    """Status of an answer: a solver's is a claim, a task's is verified."""

    OPTIMAL = "optimal"
    """A solution, and a solver's claim that none is better."""
    FEASIBLE = "feasible"
    """A solution; from a solver, one found before it reached a limit."""
    INFEASIBLE = "infeasible"
    """Proved to have no solution."""
    UNBOUNDED = "unbounded"
    """Solutions with an arbitrarily good objective, proved by a ray."""
    UNKNOWN = "unknown"
    """A limit was reached: neither a solution nor a proof that there is none."""
    ACCEPTED = "accepted"
    """The check succeeded."""
    REFUSED = "refused"
    """The check failed; the result says why."""
    DONE = "done"
    """The output was made."""
    FAILED = "failed"
    """A solver is missing, or its answer was refuted."""

    @classmethod
    def of_pool(cls, count: int, complete: bool) -> Status:
        """Return the status of so many solutions, complete if they are proved to be all."""
        if count:
            return cls.FEASIBLE
        return cls.INFEASIBLE if complete else cls.UNKNOWN
