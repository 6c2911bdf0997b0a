"""The compiled loops of the exact-cover search; imported only when a search runs.

Bits stand for items, 63 to a word, so that every word is a non-negative int64
and the same source runs as plain Python, slowly, where numba is missing.
Arguments are flat sequences of integers: numpy arrays for numba, lists for
Python. A state is the set of items that are covered, ``words`` words long.
"""

# A compiled loop is one long function of plain arrays: calls and objects cost.
# ruff: noqa: PLR0912, PLR0915, PLR0917

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

try:
    import numba
except ImportError:  # the search still works, about a hundred times slower
    numba = None

__all__ = ["BITS", "BUDGET", "COMPILED", "DONE", "FULL", "MORE", "depth_first", "vector"]

BITS = 63
"""Items per word; the sign bit stays clear."""

ALL = (1 << BITS) - 1
DE_BRUIJN = 0x03F79D71B4CB0A89

COMPILED = numba is not None
"""Whether the loops run as machine code."""

BUDGET = 1_000_000 if COMPILED else 10_000
"""Nodes per call: some hundredths of a second, so that Ctrl-C and clocks are heard."""

MORE, DONE, FULL = 0, 1, 2
"""Why a loop came back: its budget is spent, the search is over, its buffer is full."""

# A multiplication by a de Bruijn number moves a distinct pattern to the six
# highest bits for every power of two: this table inverts it.
_places = [0] * 64
for _bit in range(BITS):
    _places[((DE_BRUIJN << _bit) >> 58) & 63] = _bit
PLACES = tuple(_places)


def vector(values: Sequence[int] | np.ndarray[Any, Any]) -> Any:
    """Return integers as the loops want them: an int64 array, or a list without numba."""
    return np.ascontiguousarray(values, dtype=np.int64) if COMPILED else [int(x) for x in values]


def _compiled(signature: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        if numba is None:
            return function
        fast: Callable[..., Any]
        try:
            fast = numba.njit(signature, cache=True, nogil=True)(function)
        except Exception:
            # Nowhere to write the cache, a full disk, a damaged cache file:
            # compiling anew each time is slower by seconds, and right.
            fast = numba.njit(signature, nogil=True)(function)
        return fast

    return decorate


@functools.cache
def depth_first(words: int) -> Callable[..., int]:
    """Return the depth-first search for states of a number of words.

    It always covers the first cell that is bare, trying the entries of that
    cell's bucket in order. Its whole state is in its arguments, so it can
    stop anywhere and go on.
    """

    @_compiled("int64(" + "int64[::1], " * 11 + "int64, int64, int64)")
    def search(
        first: Any,  # bucket b holds the entries first[b] to first[b + 1]
        masks: Any,  # the items of each entry
        option: Any,  # its option
        counter: Any,  # the bit of its equal pieces, or -1
        left: Any,  # how many of the equal pieces at a bit are left
        full: Any,  # the state with every item covered
        used: Any,  # the states from the root to here
        at: Any,  # the next entry to try at each depth
        end: Any,  # the end of its bucket
        out: Any,  # the options of the tilings found, options per tiling each
        state: Any,  # depth, nodes, tilings in out
        cells: int,
        peek: int,  # bits after the first bare cell that choose the bucket
        budget: int,
    ) -> int:
        depth = state[0]
        found = 0
        nodes = 0
        size = len(at)
        room = len(out) // size
        pattern = (1 << peek) - 1
        counted = len(left) > 0
        result = MORE
        while True:
            if depth < 0:
                result = DONE
                break
            if nodes >= budget:
                break
            if found == room:
                result = FULL
                break
            entry = at[depth]
            stop = end[depth]
            here = depth * words
            while entry < stop:
                clash = 0
                for word in range(words):
                    clash |= used[here + word] & masks[entry * words + word]
                if clash == 0:
                    break
                entry += 1
            if entry == stop:
                depth -= 1
                if counted and depth >= 0 and counter[at[depth] - 1] >= 0:
                    left[counter[at[depth] - 1]] += 1
                continue
            nodes += 1
            at[depth] = entry + 1
            there = here + words
            for word in range(words):
                used[there + word] = used[here + word] | masks[entry * words + word]
            if counted and counter[entry] >= 0:
                # Equal pieces share a bit, which is set when the last is used.
                bit = counter[entry]
                left[bit] -= 1
                if left[bit] > 0:
                    used[there + bit // BITS] ^= 1 << (bit % BITS)
            cell = cells
            for word in range(words):
                value = used[there + word]
                if value != ALL:
                    low = PLACES[(((value + 1) & ~value) * DE_BRUIJN >> 58) & 63]
                    cell = word * BITS + low
                    break
            if cell < cells:
                depth += 1
                bucket = cell << peek
                if peek > 0:
                    bucket += (used[there + cell // BITS] >> (cell % BITS + 1)) & pattern
                at[depth] = first[bucket]
                end[depth] = first[bucket + 1]
                continue
            whole = True
            for word in range(words):
                if used[there + word] != full[word]:
                    whole = False
            if whole:
                for level in range(size):
                    out[found * size + level] = option[at[level] - 1]
                found += 1
            if counted and counter[entry] >= 0:
                left[counter[entry]] += 1
        state[0] = depth
        state[1] += nodes
        state[2] = found
        return result

    return search
