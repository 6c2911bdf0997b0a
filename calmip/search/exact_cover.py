"""All solutions by compiled exact-cover search, without any solver.

The search fills the first bare cell in a fixed order with every option that
fits, on bitmasks [1]_. Equal pieces share one item with a demand, so every
picture is found once.

References
----------
.. [1] J. G. Fletcher, "A program to solve the pentomino problem by the
   recursive use of macros", Communications of the ACM 8(10), 1965,
   https://doi.org/10.1145/365628.365654
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterator

import numpy as np

from calmip.cover import ExactCover

__all__ = ["Search", "count", "exists", "solutions"]

ROOM = 4096
"""Tilings that wait in the buffer at most."""


class Search:
    """An exact-cover search: iterate over it for the solutions, then ask whether it is complete.

    Parameters
    ----------
    cover
        The exact cover.
    time_limit
        Seconds after which the search stops; none by default.

    Attributes
    ----------
    complete : bool
        Whether every solution was handed out: it is proved that there are no more.
    nodes : int
        The options placed so far.
    """

    def __init__(self, cover: ExactCover, *, time_limit: float | None = None) -> None:
        self.complete = False
        self.nodes = 0
        self._cover = cover
        self._time_limit = time_limit

    def __iter__(self) -> Iterator[list[int]]:
        """Yield the option numbers of each solution, ascending, in a fixed order."""
        for block in self.blocks():
            yield from np.sort(block, axis=1).tolist()

    def blocks(self) -> Iterator[np.ndarray[tuple[int, int], np.dtype[np.int64]]]:
        """Yield arrays of solutions, shape (solutions, options), unsorted within a row.

        A block may be empty; one comes every few hundredths of a second.
        """
        from calmip.search import _bitmasks, _kernel

        clock = time.monotonic()
        self.complete, self.nodes = False, 0
        rows = _bitmasks.Rows.of(self._cover)
        masks = _bitmasks.pack(rows, _bitmasks.orders(rows.cells)[0])
        search = _kernel.depth_first(masks.words)
        size = masks.chosen
        vector = _kernel.vector
        at, end, used = ([0] * n for n in (size, size, (size + 1) * masks.words))
        end[0] = int(masks.first[1])
        at, end, used = vector(at), vector(end), vector(used)
        left, state, out = vector(list(masks.demand)), vector([0] * 3), vector([0] * (ROOM * size))
        result = _kernel.MORE
        while result != _kernel.DONE:
            result = search(
                masks.first,
                masks.masks,
                masks.option,
                masks.counter,
                left,
                masks.full,
                used,
                at,
                end,
                out,
                state,
                masks.cells,
                masks.peek,
                _kernel.BUDGET,
            )
            self.nodes = int(state[1])
            found = int(state[2])
            yield np.array(out[: found * size], dtype=np.int64).reshape(found, size)
            if self._time_limit is not None and time.monotonic() - clock >= self._time_limit:
                break
        # Only here: a caller who stops early, in the last block too, has no proof.
        self.complete = result == _kernel.DONE


def solutions(cover: ExactCover, *, limit: int | None = None) -> Iterator[list[int]]:
    """Yield solutions as they are found: the numbers of the options chosen, ascending.

    Parameters
    ----------
    cover
        The exact cover.
    limit
        How many to find at most; all of them by default.
    """
    return itertools.islice(Search(cover), limit)


def exists(cover: ExactCover) -> bool:
    """Return whether the cover has a solution; both answers are proved."""
    return any(True for _ in solutions(cover, limit=1))


def count(cover: ExactCover) -> int:
    """Return the number of solutions."""
    return sum(len(block) for block in Search(cover).blocks())
