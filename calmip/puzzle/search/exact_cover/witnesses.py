"""The existence and number of tilings, by searches that verify every tiling on its board.

A *witness* is a search of calmip's own, other than the one whose claim is checked: the exact-cover
search, without floating-point arithmetic, or one-tree, with exact proofs.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from calmip._base.limits import ENDLESS, Deadline
from calmip.mip import independent_search
from calmip.puzzle.cover import ExactCover
from calmip.puzzle.tiling import Tiling

if TYPE_CHECKING:
    from calmip.mip.model import Model
    from calmip.mip.one_tree import OneTree
    from calmip.puzzle.search.exact_cover.search import Search

    Subject = ExactCover | Model
    """What can be searched."""


def exists(
    cover: ExactCover,
    clock: Deadline = ENDLESS,
    *,
    against: str = "",
    least: float | None = None,
) -> tuple[bool | None, list[int]]:
    """Return whether there is a tiling, None if no witness decides in time, and its options.

    Parameters
    ----------
    cover
        The exact cover.
    clock
        The time limit; each witness has the remaining time.
    against
        The solver or method that made the claim, which is not its own witness.
    least
        The seconds that a witness has even if fewer remain, by default those of
        `calmip.mip.independent_search`.
    """
    for search in _witnesses(cover, clock, against, 1, least):
        for solution in _check(cover, search):
            return True, solution
        if search.complete:
            return False, []
    return None, []


def number_of(
    cover: ExactCover, most: int, clock: Deadline = ENDLESS, *, against: str = ""
) -> int | None:
    """Return the number of tilings, or one more than ``most``; None if not known in time.

    The other parameters are those of `exists`.
    """
    for search in _witnesses(cover, clock, against, most + 1):
        number = sum(1 for _ in _check(cover, search))
        if search.complete or number > most:
            return number
    return None


def _check(cover: ExactCover, search: Search | OneTree) -> Iterator[list[int]]:
    """Yield the solutions of a witness, verified as those of a solver are."""
    for solution in search:
        Tiling.from_options(cover, solution)
        yield solution


def _witnesses(
    cover: ExactCover, clock: Deadline, against: str, limit: int, least: float | None = None
) -> Iterator[Search | OneTree]:
    least = independent_search.WITNESS_SECONDS if least is None else least
    if against != "exact-cover":
        from calmip.puzzle.search.exact_cover.search import Search

        yield Search(cover, limit=limit, clock=clock.at_least(least))
    if against != "one-tree":
        from calmip.mip.one_tree import OneTree

        yield OneTree(cover, limit=limit, clock=clock.at_least(least))
