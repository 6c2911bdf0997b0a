"""Whether there is a solution, and how many: decided by searches that check what they find.

A *witness* is a search of calmip's own that did not make the claim that is judged: the
exact-cover search, which uses no floating-point numbers, and one-tree, whose proofs are exact.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from calmip._limits import ENDLESS, Deadline
from calmip.problem.cover import ExactCover
from calmip.problem.tiling import Tiling

if TYPE_CHECKING:
    from calmip.problem.binary_model import BinaryModel
    from calmip.search.exact_cover.search import Search
    from calmip.search.one_tree import OneTree

    Subject = ExactCover | BinaryModel
    """What can be searched."""

__all__ = ["WITNESS_SECONDS", "exists", "number_of"]

WITNESS_SECONDS = 1.0
"""The least time that a witness gets, whatever is left of a time limit."""


def exists(
    subject: Subject,
    clock: Deadline = ENDLESS,
    *,
    against: str = "",
    least: float | None = None,
) -> tuple[bool | None, list[int]]:
    """Return whether there is a solution, None if no witness decides that in time, and which.

    Parameters
    ----------
    subject
        An exact cover, which the exact-cover search searches, then one-tree; or a
        model, which one-tree searches.
    clock
        Each witness gets what is left.
    against
        The solver or method that made the claim, which is not its own witness.
    least
        The seconds that a witness gets even if fewer are left, `WITNESS_SECONDS` unless given.
    """
    for search in _witnesses(subject, clock, against, limit=1, least=least):
        for solution in _checked(subject, search):
            return True, solution
        if search.complete:
            return False, []
    return None, []


def number_of(
    subject: Subject, most: int, clock: Deadline = ENDLESS, *, against: str = ""
) -> int | None:
    """Return the number of solutions, one above the most if more; None if not known in time.

    Parameters
    ----------
    subject, clock, against
        As for `exists`.
    most
        The search stops as soon as there are more.
    """
    for search in _witnesses(subject, clock, against, limit=most + 1):
        number = sum(1 for _ in _checked(subject, search))
        if search.complete or number > most:
            return number
    return None


def _checked(subject: Subject, search: Search | OneTree) -> Iterator[list[int]]:
    """Yield the solutions that a witness finds: it is no more believed than a solver."""
    for solution in search:
        if isinstance(subject, ExactCover):
            Tiling.from_options(subject, solution)
        elif subject.violated(solution) is not None:
            continue
        yield solution


def _witnesses(
    subject: Subject, clock: Deadline, against: str, *, limit: int,
    least: float | None = None,
) -> Iterator[Search | OneTree]:  # fmt: skip
    of_cover = isinstance(subject, ExactCover)
    least = WITNESS_SECONDS if least is None else least
    if isinstance(subject, ExactCover) and against != "exact-cover":
        from calmip.search.exact_cover.search import Search

        yield Search(subject, limit=limit, time_limit=clock.left(least))
    if not (of_cover and against == "one-tree"):
        from calmip.search.one_tree import OneTree

        yield OneTree(subject, limit=limit, time_limit=clock.left(least))
