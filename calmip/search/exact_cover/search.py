"""All solutions, by compiled exact-cover search without any solver.

Enumeration covers the item that has the fewest options left with each of them
[1]_. Equal pieces share one item with a demand, so every picture is found once. A node
keeps the list of the options that still fit; `calmip/search/kernel/search.c` says how.
Compiled or in plain Python, the solutions are the same, in the same order, with as many nodes.

References
----------
.. [1] D. E. Knuth, "Dancing links", in: Millennial Perspectives in Computer
   Science, 2000, https://arxiv.org/abs/cs/0011047
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Iterator
from typing import Any, Protocol

import numpy as np

from calmip._limits import Deadline, checked_seconds
from calmip.problem.cover import ExactCover
from calmip.search import kernel
from calmip.search.exact_cover.words import Bits, Ints, Packed

__all__ = ["Search", "Walk", "exists", "solutions", "walk"]


BUDGET = 4_000_000
"""Options that a compiled call looks at: some ten milliseconds."""

NEW = -3
"""The item of a node that has not been asked for one; search.c has it, too."""


class Walk(Protocol):
    """A search that stops now and then, so that others are heard, and goes on.

    Attributes
    ----------
    finished : bool
        Whether everything was searched.
    nodes : int
        The options placed so far.
    """

    finished: bool
    nodes: int

    def step(self, most: int, budget: int | None = None) -> Ints:
        """Search on and return the solutions found, one per row, each filled up with -1.

        Parameters
        ----------
        most
            Stop after so many solutions.
        budget
            Stop after so many options were looked at; by default after some
            hundredths of a second.
        """
        ...  # pragma: no cover


def walk(words: Packed, root: Bits | None = None) -> Walk:
    """Return a search, compiled if that is possible.

    Parameters
    ----------
    words
        The exact cover.
    root
        The state to begin with; by default nothing is covered.
    """
    root = words.root if root is None else root
    if kernel.library() is not None:
        return _Compiled(words, root)
    from calmip.search.exact_cover.plain import PlainWalk

    return PlainWalk(words, root)


_POINTERS = "masks deltas full late states frames lists names out state".split()
_NUMBERS = "room solutions size budget".split()


class _Search(ctypes.Structure):
    """What `calmip_search` takes; search.c describes it."""

    _fields_ = [(name, ctypes.c_void_p) for name in _POINTERS]
    _fields_ += [(name, ctypes.c_int64) for name in _NUMBERS]


class _Compiled:
    """The search in search.c. Its whole state is in the arrays that are held here."""

    def __init__(self, words: Packed, root: Bits) -> None:
        self.finished = False
        self.nodes = 0
        self._words = words
        width = len(root)
        fits = np.flatnonzero((words.masks & root).max(axis=1, initial=0) == 0)
        depth = words.size + 2
        self._arrays: dict[str, Any] = {
            "masks": words.masks,
            "deltas": words.deltas,
            "full": words.full,
            "late": words.late,
            "states": np.empty((depth, width), dtype=np.uint64),
            "frames": np.zeros((depth, 4), dtype=np.int64),
            "lists": words.masks[:0],
            "names": np.empty(0, dtype=np.uint32),
            "out": np.empty((0, words.size), dtype=np.int64),
            "state": np.zeros(3, dtype=np.int64),
        }
        self._search = _Search(size=words.size)
        for name, array in self._arrays.items():
            setattr(self._search, name, kernel.address(array))
        self._grow(4 * len(fits) + 1)
        self._arrays["states"][0] = root
        self._arrays["frames"][0] = 0, len(fits), 0, NEW
        self._arrays["lists"][: len(fits)] = words.masks[fits]
        self._arrays["names"][: len(fits)] = fits

    def step(self, most: int, budget: int | None = None) -> Ints:
        library = kernel.library()
        assert library is not None
        state = self._arrays["state"]
        if len(self._arrays["out"]) < most:
            self._put("out", np.empty((most, self._words.size), dtype=np.int64))
        self._search.solutions = most
        self._search.budget = BUDGET if budget is None else budget
        result = kernel.GROW
        while result == kernel.GROW:
            result = library.calmip_search(len(self._words.root), ctypes.byref(self._search))
            if result == kernel.GROW:
                self._grow(2 * self._search.room)
        self.finished = result == kernel.DONE
        self.nodes, found = int(state[1]), int(state[2])
        state[2] = 0
        block: Ints = self._arrays["out"][:found].copy()
        return block

    def _put(self, name: str, array: Any) -> None:
        self._arrays[name] = array
        setattr(self._search, name, kernel.address(array))

    def _grow(self, room: int) -> None:
        """Make room for so many options in the lists."""
        for name in ("lists", "names"):
            old = self._arrays[name]
            new = np.empty((room, *old.shape[1:]), dtype=old.dtype)
            new[: len(old)] = old
            self._put(name, new)
        self._search.room = room


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
