"""All solutions of an exact cover, depth first, as blocks: compiled, or in plain Python.

Every node branches on the item with the fewest options that still fit, and
keeps their list; `calmip/search/kernel/search.c` says how. Compiled or not, the
solutions are the same, in the same order, with as many nodes.
"""

from __future__ import annotations

import ctypes
from typing import Any, Protocol

import numpy as np

from calmip.search import kernel
from calmip.search.exact_cover.words import Bits, Ints, Packed

__all__ = ["Walk", "walk"]

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
