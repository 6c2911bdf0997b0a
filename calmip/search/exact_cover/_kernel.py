"""The compiled loops of the exact-cover search; imported only when a search runs.

A state says what is covered, in words of 63 bits, so that every word is a
non-negative int64 and the same source runs as plain Python, slowly, where
numba is missing. Arguments are flat sequences of integers: numpy arrays for
numba, lists for Python. `calmip.search.exact_cover._bitmasks` says what the bits mean; to
the loops an entry fits a state that has no bit of its mask, and adding its
delta makes the next state.
"""

# All loops are in one file, because numba's cache forgets a compiled function
# when its own file changes, but not when that of a helper does.
#
# A compiled loop is one long function of plain arrays: calls and objects cost.
# ruff: noqa: PLR0912, PLR0917, SIM110

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

try:
    import numba
except ImportError:  # the search still works, about a hundred times slower
    numba = None

__all__ = ["BITS", "BUDGET", "COMPILED", "DONE", "FULL", "MORE", "OVERFLOW"]
__all__ += ["depth_first", "expand", "gather", "index", "vector", "zeros"]

BITS = 63
"""Bits per word; the sign bit stays clear."""

COMPILED = numba is not None
"""Whether the loops run as machine code."""

BUDGET = 1_000_000 if COMPILED else 10_000
"""Steps per call: some hundredths of a second, so that Ctrl-C and clocks are heard."""

MORE, DONE, FULL, OVERFLOW = 0, 1, 2, 3
"""Why a loop came back: its budget is spent, it is done, there is no room, a count is too big."""

ALL = (1 << BITS) - 1
MIX = 0x1E3779B97F4A7C15
"""An odd number without pattern, for hashing by multiplication (Knuth, TAOCP 6.4)."""

# Multiplied by a de Bruijn number, every power of two has another pattern in
# its six highest bits: this table gives its exponent.
DE_BRUIJN = 0x03F79D71B4CB0A89
_places = [0] * 64
for _bit in range(BITS):
    _places[((DE_BRUIJN << _bit) >> 58) & 63] = _bit
PLACES = tuple(_places)


def vector(values: Sequence[int] | np.ndarray[Any, Any]) -> Any:
    """Return integers as the loops want them: an int64 array, or a list without numba."""
    return np.ascontiguousarray(values, dtype=np.int64) if COMPILED else [int(x) for x in values]


def zeros(size: int) -> Any:
    """Return so many zeros as the loops want them."""
    return np.zeros(size, dtype=np.int64) if COMPILED else [0] * size


def compiled(signature: str | None = None) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return a decorator that compiles a function now, or takes it from the cache on disk.

    Without a signature it is compiled with each function that calls it.
    """

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        if numba is None:
            return function
        fast: Callable[..., Any]
        if signature is None:
            fast = numba.njit(nogil=True)(function)
            return fast
        try:
            fast = numba.njit(signature, cache=True, nogil=True)(function)
        except Exception:
            # Nowhere to write the cache, a full disk, a damaged cache file:
            # compiling anew each time is slower by seconds, and right.
            fast = numba.njit(signature, nogil=True)(function)
        return fast

    return decorate


# The helpers are compiled into their callers, where `words` is a constant.


@compiled()
def bucket_of(states: Any, at: int, words: int, cells: int, peek: int) -> int:
    """Return the bucket of the first bare cell of the state at a place, -1 if there is none."""
    for word in range(words):
        value: int = states[at + word]
        if value != ALL:
            bit = PLACES[((((value + 1) & ~value) * DE_BRUIJN) >> 58) & 63]
            if word * BITS + bit >= cells:
                return -1
            return ((word * BITS + bit) << peek) + ((value >> bit >> 1) & ((1 << peek) - 1))
    return -1


@compiled()
def clash(states: Any, at: int, masks: Any, entry: int, words: int) -> int:
    """Return zero if an entry fits the state at a place."""
    bits = 0
    for word in range(words):
        bits |= states[at + word] & masks[entry * words + word]
    return bits


@compiled()
def same(states: Any, at: int, others: Any, other: int, words: int) -> bool:
    """Return whether two states are equal."""
    for word in range(words):
        if states[at + word] != others[other + word]:
            return False
    return True


@compiled()
def slot_of(states: Any, at: int, keys: Any, slots: Any, words: int) -> int:
    """Return the slot of a hash table that a state has or would get."""
    mixed = 0
    for word in range(words):
        mixed = ((mixed ^ states[at + word]) * MIX) & ALL
        mixed ^= mixed >> 32
    slot = mixed & (len(slots) - 1)
    while slots[slot] != 0 and not same(keys, (slots[slot] - 1) * words, states, at, words):
        slot = (slot + 1) & (len(slots) - 1)
    return slot


@functools.cache
def depth_first(words: int) -> Callable[..., int]:
    """Return the depth-first search for states of a number of words.

    It always covers the first cell that is bare, trying the entries of that
    cell's bucket in order. Its whole state is in its arguments, so it can
    stop anywhere and go on.
    """

    @compiled("int64(" + "int64[::1], " * 10 + "int64, int64, int64)")
    def search(
        first: Any,  # bucket b holds the entries first[b] to first[b + 1]
        masks: Any,  # the bits that each entry must find clear
        deltas: Any,  # what it adds to the state
        option: Any,  # its option
        full: Any,  # the state of a solution
        used: Any,  # the states from the root to here
        at: Any,  # the next entry to try at each depth; one more than options in a solution
        end: Any,  # the end of its bucket
        out: Any,  # the options of the solutions found
        state: Any,  # depth, nodes, solutions in out
        cells: int,
        peek: int,  # bits after the first bare cell that choose its bucket
        budget: int,
    ) -> int:
        depth = state[0]
        found = 0
        nodes = 0
        size = len(at) - 1
        room = len(out) // size
        result = DONE
        while depth >= 0:
            if nodes >= budget:
                result = MORE
                break
            if found == room:
                result = FULL
                break
            here = depth * words
            entry = at[depth]
            stop = end[depth]
            while entry < stop and clash(used, here, masks, entry, words) != 0:
                entry += 1
            if entry == stop:
                depth -= 1
                continue
            nodes += 1
            at[depth] = entry + 1
            there = here + words
            for word in range(words):
                used[there + word] = used[here + word] + deltas[entry * words + word]
            bucket = bucket_of(used, there, words, cells, peek)
            if bucket >= 0:
                depth += 1
                at[depth] = first[bucket]
                end[depth] = first[bucket + 1]
            elif same(used, there, full, 0, words):
                for level in range(size):
                    out[found * size + level] = option[at[level] - 1]
                found += 1
        state[0] = depth
        state[1] += nodes
        state[2] = found
        return result

    return search


@functools.cache
def expand(words: int) -> Callable[..., int]:
    """Return the step from the states of one layer to the distinct states of the next.

    Next states without a fitting entry are left out.
    """

    @compiled("int64(" + "int64[::1], " * 10 + "int64, int64, int64)")
    def step(
        first: Any,
        masks: Any,
        deltas: Any,
        full: Any,
        parents: Any,  # the states of the layer
        reached: Any,  # in how many ways each of them is reached
        keys: Any,  # the states of the next layer
        ways: Any,  # in how many ways each of them is reached
        state: Any,  # next parent, end of parents, states in keys
        slots: Any,  # hash table of the next states: 1 + the place in keys, or 0
        cells: int,
        peek: int,
        widest: int,  # the entries in the largest bucket
    ) -> int:
        parent = state[0]
        count = state[2]
        result = DONE
        while parent < state[1]:
            if (count + widest) * words > len(keys):
                result = FULL
                break
            here = parent * words
            bucket = bucket_of(parents, here, words, cells, peek)
            for entry in range(first[bucket], first[bucket + 1]):
                if clash(parents, here, masks, entry, words) != 0:
                    continue
                # Written behind the last state, where it stays if it is new.
                there = count * words
                for word in range(words):
                    keys[there + word] = parents[here + word] + deltas[entry * words + word]
                bucket = bucket_of(keys, there, words, cells, peek)
                if bucket >= 0:
                    other = first[bucket]
                    stop = first[bucket + 1]
                    while other < stop and clash(keys, there, masks, other, words) != 0:
                        other += 1
                    if other == stop:
                        continue
                elif not same(keys, there, full, 0, words):
                    continue
                slot = slot_of(keys, there, keys, slots, words)
                if slots[slot] == 0:
                    count += 1
                    slots[slot] = count
                    ways[count - 1] = reached[parent]
                else:
                    ways[slots[slot] - 1] += reached[parent]
                    if ways[slots[slot] - 1] < 0:
                        result = OVERFLOW
            parent += 1
            if result == OVERFLOW:
                break
        state[0] = parent
        state[2] = count
        return result

    return step


@functools.cache
def index(words: int) -> Callable[..., None]:
    """Return the loop that enters states into an empty hash table."""

    @compiled("void(int64[::1], int64[::1], int64)")
    def enter(keys: Any, slots: Any, count: int) -> None:
        for number in range(count):
            slots[slot_of(keys, number * words, keys, slots, words)] = number + 1

    return enter


@functools.cache
def gather(words: int) -> Callable[..., int]:
    """Return the step that sums the counts by choice of a layer from those of the next.

    States of the layer without any solution are dropped from it.
    A choice of labels is a number, the sum of what its options are worth.
    """

    @compiled("int64(" + "int64[::1], " * 15 + "int64, int64)")
    def step(
        first: Any,
        masks: Any,
        deltas: Any,
        worth: Any,  # what each entry adds to the choice
        parents: Any,
        keys: Any,  # the states of the next layer, and their hash table
        slots: Any,
        starts: Any,  # next state s has the counts starts[s] to starts[s + 1]
        choices: Any,
        counts: Any,
        out_starts: Any,  # the same of this layer's states that have any solution
        out_choices: Any,
        out_counts: Any,
        sums: Any,  # a zero for each choice, and room for a state
        state: Any,  # next parent, end of parents, counts written, parents kept
        cells: int,
        peek: int,
    ) -> int:
        parent = state[0]
        written = state[2]
        kept = state[3]
        spare = len(sums) - words
        result = DONE
        while parent < state[1]:
            if written + spare > len(out_choices):
                result = FULL
                break
            here = parent * words
            begin = written
            bucket = bucket_of(parents, here, words, cells, peek)
            for entry in range(first[bucket], first[bucket + 1]):
                if clash(parents, here, masks, entry, words) != 0:
                    continue
                for word in range(words):
                    sums[spare + word] = parents[here + word] + deltas[entry * words + word]
                child = slots[slot_of(sums, spare, keys, slots, words)] - 1
                if child < 0:
                    continue
                for at in range(starts[child], starts[child + 1]):
                    choice = choices[at] + worth[entry]
                    if sums[choice] == 0:
                        out_choices[written] = choice
                        written += 1
                    sums[choice] += counts[at]
            for at in range(begin, written):
                out_counts[at] = sums[out_choices[at]]
                sums[out_choices[at]] = 0
            if written > begin:
                for word in range(words):
                    parents[kept * words + word] = parents[here + word]
                kept += 1
                out_starts[kept] = written
            parent += 1
        state[0] = parent
        state[2] = written
        state[3] = kept
        return result

    return step
