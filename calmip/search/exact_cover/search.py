"""All solutions, by compiled exact-cover search without any solver.

Enumeration covers the item that has the fewest options left with each of them
[1]_. Equal pieces share one item with a demand, so every picture is found once. A node
keeps the list of the options that still fit; `calmip/search/kernel/search.c` says how.
Compiled or in plain Python, the solutions are the same, in the same order, with as many nodes.

`Swaps` finds all solutions that differ from a given one in a few options only.

References
----------
.. [1] D. E. Knuth, "Dancing links", in: Millennial Perspectives in Computer
   Science, 2000, https://arxiv.org/abs/cs/0011047
"""

from __future__ import annotations

import ctypes
import math
from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import Protocol

from calmip._limits import Deadline, checked_seconds
from calmip.problem.cover import ExactCover
from calmip.search import kernel
from calmip.search.exact_cover.words import Packed, words_of

__all__ = ["Search", "Swaps", "Walk", "count_few", "solutions", "walk"]


BUDGET = 4_000_000
"""Options that a compiled call looks at: some ten milliseconds."""

NEW = -3
"""The item of a node that has not been asked for one; search.c has it, too."""

BYTES, NAME = 8, 4
"""The bytes of a word or a number, and of an option's name, as search.c has them."""


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

    def step(self, most: int, budget: int | None = None) -> list[list[int]]:
        """Search on and return the solutions found, each as its options in the order of the search.

        Parameters
        ----------
        most
            Stop after so many solutions.
        budget
            Stop after so many options were looked at; by default after some
            hundredths of a second.
        """
        ...  # pragma: no cover


def walk(words: Packed, root: int | None = None) -> Walk:
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
    """The search in search.c. Its whole state is in the buffers that are held here."""

    def __init__(self, words: Packed, root: int) -> None:
        self.finished = False
        self.nodes = 0
        self._size = words.size
        self._width = width = BYTES * words.words

        def packed(states: Iterable[int]) -> bytearray:
            return bytearray().join(state.to_bytes(width, "little") for state in states)

        fits = [option for option, mask in enumerate(words.masks) if not mask & root]
        depth = words.size + 2
        self._search = _Search(size=words.size)
        self._buffers: dict[str, bytearray] = {}
        masks = packed(words.masks)
        self._put("masks", masks)
        self._put("deltas", masks if words.deltas is words.masks else packed(words.deltas))
        self._put("full", packed([words.full]))
        self._put("late", packed([words.late]))
        self._put("states", packed([root]) + bytes((depth - 1) * width))
        frame = array("q", (0, len(fits), 0, NEW)).tobytes()
        self._put("frames", bytearray(frame) + bytes((depth - 1) * len(frame)))
        self._put("lists", packed(words.masks[option] for option in fits))
        self._put("names", bytearray(array("I", fits).tobytes()))
        self._put("out", bytearray())
        self._put("state", bytearray(3 * BYTES))
        self._grow(4 * len(fits) + 1)

    def step(self, most: int, budget: int | None = None) -> list[list[int]]:
        library = kernel.library()
        assert library is not None
        size = self._size
        if len(self._buffers["out"]) < most * size * BYTES:
            self._put("out", bytearray(most * size * BYTES))
        self._search.solutions = most
        self._search.budget = BUDGET if budget is None else budget
        result = kernel.GROW
        while result == kernel.GROW:
            result = library.calmip_search(self._width // BYTES, ctypes.byref(self._search))
            if result == kernel.GROW:
                self._grow(2 * self._search.room)
        self.finished = result == kernel.DONE
        state = memoryview(self._buffers["state"]).cast("q")
        self.nodes, found, state[2] = state[1], state[2], 0
        options = memoryview(self._buffers["out"]).cast("q")[: found * size].tolist()
        rows = (options[row * size : row * size + size] for row in range(found))
        # A solution of fewer options than others is filled up with -1.
        return [row[: row.index(-1)] if -1 in row else row for row in rows]

    def _put(self, name: str, buffer: bytearray) -> None:
        """Hold a buffer and tell the library where it is; it does not move while it is held."""
        self._buffers[name] = buffer
        there = (ctypes.c_char * len(buffer)).from_buffer(buffer)
        setattr(self._search, name, ctypes.addressof(there))

    def _grow(self, room: int) -> None:
        """Make room for so many options in the lists."""
        for name, width in (("lists", self._width), ("names", NAME)):
            old = self._buffers[name]
            self._put(name, old + bytes(room * width - len(old)))
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

        deadline = Deadline(self._time_limit)
        left = math.inf if self._limit is None else self._limit
        search = walk(words_of(self._cover))
        while left > 0 and not search.finished:
            block = search.step(int(min(left, ROOM)))
            self.nodes = search.nodes
            left -= len(block)
            yield from map(sorted, block)
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


FEW, EFFORT = 10_000, 40_000_000
"""Solutions, and options looked at, that are found in the time that importing numpy takes."""


def count_few(cover: ExactCover) -> int | None:
    """Return the number of solutions if they are few and soon found, or None.

    The effort is measured in steps, not by a clock. A count that merges regions
    (`calmip.search.exact_cover.counting`) needs numpy; this one does not.
    """
    if kernel.library() is None:
        return None
    search = walk(words_of(cover))
    found = len(search.step(FEW, EFFORT))
    return found if search.finished else None


SWAP_ROOM = 256
"""Solutions that wait in the buffer at most."""


class Swaps:
    """Find further solutions by covering again what a few options of one cover.

    Two neighbouring pieces that make a symmetric region, or five whose region
    can be tiled another way, give a further tiling without a solver. The
    compiled exact-cover search covers each region.

    Parameters
    ----------
    cover
        The exact cover.
    size
        How many options are exchanged at most. More than three quarters of a
        solution are never exchanged: that would be the whole search by
        another name.

    Attributes
    ----------
    size : int
        How many options are exchanged indeed. No solution that differs in so
        many options or fewer is missed.
    """

    def __init__(self, cover: ExactCover, *, size: int) -> None:
        self._words = words_of(cover)
        self.size = min(size, 3 * self._words.size // 4)

    def of(self, solution: Sequence[int]) -> Iterator[list[int]]:
        """Yield the other solutions in which at most ``size`` options differ, ascending."""
        seen = {tuple(solution)}
        every = set(solution)
        for leaving in combinations(solution, self.size) if self.size else ():
            for entering in self._covers(leaving):
                found = tuple(sorted([*every.difference(leaving), *entering]))
                if found not in seen:
                    seen.add(found)
                    yield list(found)

    def _covers(self, leaving: Sequence[int]) -> Iterator[list[int]]:
        """Yield every way to cover again what these options of a solution cover."""
        words = self._words
        # What the others cover: all that a solution does, but for what these add.
        bare = words.full - sum(words.deltas[option] for option in leaving)
        search = walk(words, bare)
        while not search.finished:
            yield from search.step(SWAP_ROOM)
