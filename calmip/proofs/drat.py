"""Proofs in DRAT, the common language of SAT solvers and their checkers.

The format: N. Wetzler, M. Heule and W. Hunt, "DRAT-trim: efficient checking and
trimming using expressive clausal proofs", SAT 2014,
https://doi.org/10.1007/978-3-319-09284-3_31. Every clause here follows by
reverse unit propagation from the formula and the clauses before it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

__all__ = ["BlockedLog", "DratLog", "clause"]


def clause(options: Sequence[int]) -> str:
    """Return the line of the clause that not all of the options are chosen."""
    return "".join(f"-{option + 1} " for option in options) + "0\n"


class DratLog:
    """Writes each closed branch as a clause; the last one is empty.

    Parameters
    ----------
    write
        Takes the text, line by line.
    """

    def __init__(self, write: Callable[[str], object]) -> None:
        self._write = write

    def node(self, item: int, options: Sequence[int]) -> None:
        """Write nothing: what is branched on, the checker need not know."""

    def tiling(self, options: Sequence[int]) -> None:
        """Write nothing: the formula itself excludes the solution."""

    def closed(self, decisions: Sequence[int]) -> None:
        """Write that not all of the decisions hold."""
        self._write(clause(decisions))


class BlockedLog:
    """Writes the clauses that the formula needs in addition, one for every solution.

    Parameters
    ----------
    write
        Takes the text, line by line.
    """

    def __init__(self, write: Callable[[str], object]) -> None:
        self._write = write

    def node(self, item: int, options: Sequence[int]) -> None:
        """Write nothing."""

    def tiling(self, options: Sequence[int]) -> None:
        """Write the clause that excludes a solution."""
        self._write(clause(sorted(options)))

    def closed(self, decisions: Sequence[int]) -> None:
        """Write nothing."""
