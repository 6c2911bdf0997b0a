"""All solutions, by compiled exact-cover search without any solver.

Enumeration covers the item that has the fewest options left with each of them
[1]_. Equal pieces share one item with a demand, so every picture is found once.

References
----------
.. [1] D. E. Knuth, "Dancing links", in: Millennial Perspectives in Computer
   Science, 2000, https://arxiv.org/abs/cs/0011047
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from calmip._limits import Deadline, checked_seconds
from calmip.problem.cover import ExactCover

__all__ = ["Search", "exists", "solutions"]

ROOM = 4096
"""Solutions that wait in the buffer at most."""

LOOK = 200_000
"""Options looked at for one more solution than was asked for, half a millisecond."""


class Search:
    """An exact-cover search: iterate over it for the solutions, then ask how it ended.

    Parameters
    ----------
    cover
        The exact cover.
    limit
        The search stops after so many solutions; none by default.
    time_limit
        The search stops after so many seconds; none by default.

    Attributes
    ----------
    complete : bool
        Whether it is proved that there are no solutions but those handed out.
    stopped : str
        Why it ended before that: ``"limit"``, ``"time"``; or empty.
    nodes : int
        The options placed so far.
    """

    def __init__(
        self, cover: ExactCover, *, limit: int | None = None, time_limit: float | None = None
    ) -> None:
        self.complete = False
        self.stopped = ""
        self.nodes = 0
        self._cover = cover
        self._limit = limit
        self._time_limit = checked_seconds(time_limit)

    def __iter__(self) -> Iterator[list[int]]:
        """Yield the option numbers of each solution, ascending, in a fixed order."""
        self.complete = False
        self.stopped, self.nodes = "", 0

        from calmip.search.exact_cover.depth_first import walk
        from calmip.search.exact_cover.words import words_of

        deadline = Deadline(self._time_limit)
        left = math.inf if self._limit is None else self._limit
        search = walk(words_of(self._cover))
        while left > 0 and not search.finished:
            block = search.step(int(min(left, ROOM)))
            self.nodes = search.nodes
            left -= len(block)
            yield from np.sort(block, axis=1).tolist()
            if deadline.over and left > 0 and not search.finished:
                self.stopped = "time"
                return
        # Whether those were all is worth a short look.
        more = not search.finished and len(search.step(1, LOOK)) > 0
        self.complete = search.finished and not more
        self.stopped = "" if self.complete else "limit"


def solutions(cover: ExactCover, *, limit: int | None = None) -> Iterator[list[int]]:
    """Yield solutions as they are found: the numbers of the options chosen, ascending.

    Parameters
    ----------
    cover
        The exact cover.
    limit
        How many to find at most; all of them by default.
    """
    return iter(Search(cover, limit=limit))


def exists(cover: ExactCover) -> bool:
    """Return whether the cover has a solution; both answers are proved."""
    return any(True for _ in solutions(cover, limit=1))
