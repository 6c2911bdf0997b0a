"""A compiled search of all solutions of an exact cover in bits, without any solver.

It covers the item that has the fewest options left with each of them (D. E. Knuth,
"Dancing links", 2000, https://arxiv.org/abs/cs/0011047). Compiled (`calmip/mip/kernel/search.c`)
or in plain Python, the solutions are the same, in the same order, with as many nodes.
"""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from calmip._base.errors import InputError
from calmip.mip import kernel

BITS = 64

MAX_WORDS = 50_000_000
"""More words than this in the masks of all options are refused."""


@dataclass(frozen=True, eq=False)
class Packed:
    """An exact cover in bits: whole numbers, which the compiled search cuts into words.

    A state holds the covered items. Every item has one bit in it or, if it has demand
    d, a counter that starts at ``2**w - d`` in w bits and a top bit, which is set when
    the demand is met. Options that cover the item require that bit to be clear.

    """

    masks: list[int]
    """The bits that each option must find clear in a state."""
    deltas: list[int]
    """The number that each option adds to the state."""
    root: int
    """The state in which nothing is covered."""
    full: int
    """The state in which everything is covered."""
    late: int
    """The bits of items that are branched on only if they are forced or no other is left."""
    size: int
    """The most options in a solution."""
    words: int
    """The words of 64 bits of a state; no item has bits in two of them."""


def pack(
    covered: Collection[Sequence[int]], demand: Sequence[int], *, late: Sequence[int], size: int
) -> Packed:
    """Return any exact cover in bits.

    Parameters
    ----------
    covered
        For every option the items that it covers.
    demand
        How often each item must be covered, 1 or more.
    late
        Items that are branched on late; those with a demand above 1 always are.
    size
        The most options in a solution; the sum of all demands is never too low.

    Raises
    ------
    InputError
        If there are more than 50 million words in the masks.
    """
    low, top = _fields(demand)
    words = max(top, default=0) // BITS + 1
    if len(covered) * words > MAX_WORDS:
        raise InputError(
            f"{len(covered):,} options of {len(demand):,} items are too many for the exact-cover "
            "search; use a smaller board or fewer pieces"
        )
    tops, lows = [1 << bit for bit in top], [1 << bit for bit in low]
    masks = deltas = [sum(tops[item] for item in items) for items in covered]
    if low != top:
        deltas = [sum(lows[item] for item in items) for items in covered]
    starts = zip(low, top, demand, strict=True)
    delayed = {*late, *(item for item, number in enumerate(demand) if number > 1)}
    return Packed(
        masks=masks,
        deltas=deltas,
        root=sum(((1 << (last - first)) - number) << first for first, last, number in starts),
        full=sum(tops),
        late=sum(tops[item] for item in delayed),
        size=size,
        words=words,
    )


def _fields(demand: Sequence[int]) -> tuple[list[int], list[int]]:
    """Return the lowest and the top bit of each item's field, none across two words."""
    low, top, end = [], [], 0
    for number in demand:
        width = max(number - 1, 0).bit_length() + 1
        if end % BITS + width > BITS:
            end += BITS - end % BITS
        low.append(end)
        end += width
        top.append(end - 1)
    return low, top


BUDGET = 4_000_000
"""Options that a compiled call looks at: some ten milliseconds."""

NEW = -3
"""The item of a node without a chosen item yet; search.c has it, too."""

BYTES, NAME = 8, 4
"""The bytes of a word or a number, and of an option's name, as search.c has them."""


_POINTERS = "masks deltas full late states frames lists names out state".split()
_NUMBERS = "room solutions size budget".split()


class _Search(ctypes.Structure):
    """The argument of `calmip_search`; search.c describes it."""

    _fields_ = [(name, ctypes.c_void_p) for name in _POINTERS]
    _fields_ += [(name, ctypes.c_int64) for name in _NUMBERS]


class Walk:
    """The search in search.c, in steps; its whole state is in its buffers.

    Attributes
    ----------
    finished : bool
        Whether everything was searched.
    nodes : int
        The options placed so far.
    """

    def __init__(self, words: Packed, root: int) -> None:
        self.finished = False
        self.nodes = 0
        self._size = words.size
        self._width = width = BYTES * words.words

        def pack_states(states: Iterable[int]) -> bytearray:
            return bytearray().join(state.to_bytes(width, "little") for state in states)

        fits = [option for option, mask in enumerate(words.masks) if not mask & root]
        depth = words.size + 2
        masks, frame = pack_states(words.masks), array("q", (0, len(fits), 0, NEW)).tobytes()
        self._search = _Search(size=words.size)
        self._buffers: dict[str, bytearray] = {}
        self._put(
            masks=masks,
            deltas=masks if words.deltas is words.masks else pack_states(words.deltas),
            full=pack_states([words.full]),
            late=pack_states([words.late]),
            states=pack_states([root]) + bytes((depth - 1) * width),
            frames=bytearray(frame) + bytes((depth - 1) * len(frame)),
            lists=pack_states(words.masks[option] for option in fits),
            names=bytearray(array("I", fits).tobytes()),
            out=bytearray(),
            state=bytearray(3 * BYTES),
        )
        self._grow(4 * len(fits) + 1)

    def step(self, most: int, budget: int | None = None) -> list[list[int]]:
        """Search on and return the solutions found, each as its options in the order of the search.

        Stop after so many solutions, or after so many options tried, by default after some
        milliseconds.
        """
        library = kernel.library()
        assert library is not None
        size = self._size
        if len(self._buffers["out"]) < most * size * BYTES:
            self._put(out=bytearray(most * size * BYTES))
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
        # A solution with fewer options than others is padded with -1.
        return [row[: row.index(-1)] if -1 in row else row for row in rows]

    def _put(self, **buffers: bytearray) -> None:
        """Hold buffers, so that they do not move, and pass their addresses to the library."""
        self._buffers.update(buffers)
        for name, buffer in buffers.items():
            there = (ctypes.c_char * len(buffer)).from_buffer(buffer)
            setattr(self._search, name, ctypes.addressof(there))

    def _grow(self, capacity: int) -> None:
        """Make room for so many options in the lists."""
        for name, width in (("lists", self._width), ("names", NAME)):
            old = self._buffers[name]
            self._put(**{name: old + bytes(capacity * width - len(old))})
        self._search.room = capacity


PLAIN_BUDGET = 40_000
"""Options looked at between two stops: some milliseconds."""

PLANES = 5
"""Counts of options have so many bits; what does not fit into them is many."""

DEAD = -2


class PlainSteps:
    """A search in plain Python that goes on step by step, and counts the options it looks at."""

    def __init__(self) -> None:
        self.finished = False
        self._looked = 0
        self._events: Iterator[list[int] | None] = iter(())

    def step(self, most: int, budget: int | None = None) -> list[list[int]]:
        """Search on; see `Walk.step`."""
        found: list[list[int]] = []
        end = self._looked + (PLAIN_BUDGET if budget is None else budget)
        while len(found) < most and self._looked < end and not self.finished:
            try:
                solution = next(self._events)
            except StopIteration:
                self.finished = True
                break
            if solution is not None:
                found.append(solution)
        return found


class PlainWalk(PlainSteps):
    """The search of `Walk` in plain Python: short, slow, and for covers of any size.

    The counters of the items' options have a bit for each item, like states and masks.
    """

    def __init__(self, words: Packed, root: int) -> None:
        super().__init__()
        self.nodes = 0
        self._masks, self._deltas = words.masks, words.deltas
        self._full, self._late = words.full, words.late
        fits = [option for option, mask in enumerate(words.masks) if not mask & root]
        self._events = self._search(root, fits)

    def _search(self, root: int, fits: list[int]) -> Iterator[list[int] | None]:
        """Yield the options of each solution, and None for other nodes."""
        if not self._full & ~root:
            yield []
        chosen: list[int] = []
        path = [self._children(root, fits)]
        while path:
            option, after, left = next(path[-1], (-1, 0, []))
            if option < 0:
                path.pop()
                del chosen[-1:]
                continue
            self.nodes += 1
            if not self._full & ~after:
                yield [*chosen, option]
            else:
                chosen.append(option)
                path.append(self._children(after, left))
                yield None

    def _children(self, state: int, fits: list[int]) -> Iterator[tuple[int, int, list[int]]]:
        """Yield the options of a node's item, their states, and the options that then fit."""
        masks = self._masks
        item = self._choose(state, [masks[option] for option in fits])
        self._looked += len(fits) + 1
        if item < 0:
            return
        bit = 1 << item
        for index, option in enumerate(fits):
            if masks[option] & bit:
                after = state + self._deltas[option]
                # Below, options of this item remain only if they were not tried yet.
                own = after | bit
                left = [other for other in fits[:index] if not masks[other] & own]
                left += [other for other in fits[index + 1 :] if not masks[other] & after]
                self._looked += len(fits)
                yield option, after, left

    def _choose(self, state: int, masks: list[int]) -> int:
        """Return the item with the fewest options, to branch on, or why there is none."""
        bare = self._full & ~state
        count = [0] * PLANES  # the bits of every item's number of options
        many = 0
        for mask in masks:
            carry = mask
            for plane in range(PLANES):
                count[plane], carry = count[plane] ^ carry, count[plane] & carry
            many |= carry
        several, any_at_all = many, many | count[0]
        for bits in count[1:]:
            several |= bits
            any_at_all |= bits
        if bare & ~any_at_all:
            return DEAD
        bare = bare & ~(self._late & several) or bare
        if bare & ~many:
            bare &= ~many
            for bits in reversed(count):
                bare = bare & ~bits or bare
        return (bare & -bare).bit_length() - 1


def walk(words: Packed, root: int | None = None) -> Walk | PlainWalk:
    """Return a search from a state, by default the empty one, compiled if possible."""
    kind = PlainWalk if kernel.library() is None else Walk
    return kind(words, words.root if root is None else root)
