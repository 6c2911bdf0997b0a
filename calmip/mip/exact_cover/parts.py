"""The count of a part of an exact cover, whose items are connected, or of a branch of it.

Nodes of the search whose open items are the same have the same number of solutions below them, so
a table keeps it (M. Nishino, N. Yasuda, S. Minato and M. Nagata, "Dancing with decision
diagrams", 2017, https://doi.org/10.1609/aaai.v31i1.10662). Where look-ups save less work than
they cost, the table is given up. Equal options are one. Compiled (`calmip/mip/kernel/count.c`) or
in plain Python, the counts are the same.
"""

from __future__ import annotations

import ctypes
import math
import mmap
import threading
from array import array
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from typing import NamedTuple

from calmip._base.bits import bits, counts
from calmip.mip import kernel
from calmip.mip.exact_cover.recognition import WORD, ModelCover
from calmip.mip.exact_cover.rests import Fields, InRows, Options, RestRow, fields_of, homes_of

TRIAL = 1 << 14
"""Look-ups after which the table is judged."""

BUDGET = 8_000_000
"""Options that a compiled call looks at: some ten milliseconds."""

COST, STEPS, SMALL = 64, 8, 12
"""The steps of a look-up and of a node beside its list, which has a step for each word of its
options, and the options of the largest node that is not looked up; as count.c has them."""

BYTES, BUCKET = 8, 4
"""The bytes of a word, and the entries of a bucket, as count.c has them."""

ENTRIES = 5
"""The place of the number of entries in a state."""

FIRST = 1 << 10
"""The buckets of the first table."""

NEVER = 1 << 62
"""More entries than a table has: it does not grow."""

UNJUDGED = (0, 0, 1)
"""What is known of a new table: the look-ups, the steps that they saved, and that it is in use."""


class Branch(NamedTuple):
    """A node of the search: what is covered, the options that fit, the item to branch on."""

    state: int
    options: Options
    """The items of each option as bits, and how many options they stand for."""
    item: int
    times: int = 1
    """How many ways lead to it."""


class SharedTable:
    """A table of several counts at the same time; it grows while none of them is at work.

    Parameters
    ----------
    part
        The part that is counted.
    memory
        The most bytes of it.
    """

    def __init__(self, part: Component, memory: int) -> None:
        self._words, self._values, self._bucket = part.words, part.values, part.bucket
        self._most = 1 << max(0, (memory // self._bucket).bit_length() - 1)
        self._ready = threading.Condition()
        self._users, self._grows = 0, False
        self._put(min(FIRST, self._most))
        self.entries = 0

    def _put(self, buckets: int) -> None:
        """Take an empty table; a page of it takes memory when something is in it."""
        self.table, self.buckets = mmap.mmap(-1, self._bucket * buckets), buckets
        self.address = ctypes.addressof((ctypes.c_char * len(self.table)).from_buffer(self.table))
        self.fill = NEVER if buckets == self._most else BUCKET * buckets // 2

    def enter(self) -> None:
        """Begin to use the table, once it does not grow."""
        with self._ready:
            while self._grows:
                self._ready.wait()
            self._users += 1

    def leave(self, more: int) -> None:
        """End to use the table, in which there are more entries than before."""
        with self._ready:
            self._users -= 1
            self.entries += more
            self._ready.notify_all()

    def grow(self, buckets: int) -> None:
        """Move everything into a table of four times the size, unless another one has done it."""
        library = kernel.library()
        assert library is not None
        with self._ready:
            if buckets != self.buckets or self._grows:
                return
            self._grows = True
            while self._users:
                self._ready.wait()
            old, address = self.table, self.address
            self._put(min(4 * buckets, self._most))
            self.entries = library.calmip_count_move(
                self._words,
                self._values,
                address,
                buckets,
                self.address,
                self.buckets,
            )
            del old
            self._grows = False
            self._ready.notify_all()


@dataclass(frozen=True)
class Component:
    """A part of an exact cover: sets of items as bits, and the options that each stands for.

    If other rows restrict it, ``fields`` has them, and each set what it adds there.
    """

    masks: tuple[int, ...]
    ways: tuple[int, ...]
    must: int
    late: int
    items: int
    fields: Fields | None = None

    @property
    def words(self) -> int:
        """The words of 64 bits of a state."""
        return words_for(self.items) + (self.fields.words if self.fields else 0)

    def left(self, options: Options, state: int) -> Options:
        """Return the options that fit a state."""
        if self.fields is not None:
            return self.fields.left(options, state)
        return [one for one in options if not one[0] & state]

    def key(self, options: Options, state: int) -> int:
        """Return the key of a node with some options left; see count.c."""
        items = 0
        for other, _ in options:
            items |= other
        return items if self.fields is None else self.fields.key(items, self.must, state)

    @property
    def bits(self) -> float:
        """A bound of the binary logarithm of the number of solutions.

        A random order of the items shows each option by its first item, which has some options
        to choose from (J. Radhakrishnan, 1997, https://doi.org/10.1006/jcta.1996.2727).
        """
        degree = Counter[int]()
        for mask, ways in zip(self.masks, self.ways, strict=True):
            for item in bits(mask & self.must):
                degree[item] += ways
        least = min((mask & self.must).bit_count() for mask in self.masks) if self.masks else 1
        return sum(map(math.log2, degree.values())) / max(least, 1)

    @cached_property
    def values(self) -> int:
        """The words of a number of solutions."""
        return int((self.bits + 0.01) // WORD) + 1

    @property
    def bucket(self) -> int:
        """The bytes of a bucket of the table: in each entry a key, a number and its worth."""
        return BUCKET * BYTES * (self.words + self.values + 1)


def words_for(items: int) -> int:
    """Return the words of 64 bits of a set of items."""
    return max(1, -(-items // WORD))


def components_of(cover: ModelCover) -> list[Component] | None:
    """Return the parts of a cover that have no item in common; None if an item has no option."""
    masks = cover.masks
    ways = Counter(masks)
    every = 0
    for mask in ways:
        every |= mask
    if cover.must & ~every:
        return None
    late = sum(1 << item for item in cover.late)
    if cover.rests:
        some = Counter(zip(masks, cover.in_rests, strict=True))
        joined = {
            (mask, own): mask | sum(1 << (cover.items + row) for row, _ in own)
            for mask, own in some
        }
        return [
            part_with_rows(
                cover,
                [(*one, some[one]) for one, mask in joined.items() if mask & inside],
                inside & ((1 << cover.items) - 1),
            )
            for inside in _components(list(joined.values()))
        ]
    return [
        _part([mask for mask in ways if mask & inside], ways, inside, cover.must, late)
        for inside in _components(list(ways))
    ]


def part_with_rows(
    cover: ModelCover, options: list[tuple[int, InRows, int]], inside: int
) -> Component:
    """Return the part with some items and the rest rows of its options.

    Given are the items of each option, its coefficients by rest row, and how many it stands for.
    """
    late = sum(1 << item for item in cover.late)
    masks = [mask for mask, _, _ in options]
    plain = _part(masks, Counter(), inside, cover.must, late)
    restricted = {option for option, (_, own, _) in enumerate(options) if own}
    homes = homes_of(plain.masks, plain.must, restricted)
    order = sorted(range(len(options)), key=lambda option: plain.masks[option] & homes)
    terms: dict[int, dict[int, int]] = {}
    for option, place in enumerate(order):
        for row, a in options[place][1]:
            terms.setdefault(row, {})[option] = a
    masks = [plain.masks[place] for place in order]
    rows = [RestRow(some, cover.rests[row].most) for row, some in terms.items()]
    fields, added = fields_of(rows, masks, plain.must, homes, WORD * words_for(plain.items))
    return replace(
        plain,
        masks=tuple(map(int.__add__, masks, added)),
        ways=tuple(options[place][2] for place in order),
        fields=fields,
    )


def _components(masks: list[int]) -> list[int]:
    """Return the sets of items that options connect, each as bits."""
    top = {item: item for mask in masks for item in bits(mask)}

    def find(item: int) -> int:
        while top[item] != item:
            top[item] = item = top[top[item]]
        return item

    for mask in masks:
        first = find((mask & -mask).bit_length() - 1)
        for item in bits(mask):
            top[find(item)] = first
    sets = dict.fromkeys(sorted(map(find, top)), 0)
    for item in top:
        sets[find(item)] |= 1 << item
    return sorted(sets.values(), key=lambda inside: inside & -inside)


def _part(masks: list[int], ways: Counter[int], inside: int, must: int, late: int) -> Component:
    """Return the part with some items, which get new numbers in the same order."""
    position = {item: number for number, item in enumerate(bits(inside))}

    def moved(mask: int) -> int:
        return sum(1 << position[item] for item in bits(mask & inside))

    return Component(
        tuple(map(moved, masks)),
        tuple(map(ways.__getitem__, masks)),
        moved(must),
        moved(late),
        len(position),
    )


class _Count(ctypes.Structure):
    """The argument of `calmip_count`; count.c describes it."""

    _fields_ = [
        (name, ctypes.c_void_p)
        for name in "full late states keys sums frames lists ways table state".split()
    ]
    _fields_ += [
        (name, ctypes.c_int64) for name in "room buckets fill trial budget shared rests".split()
    ]
    _fields_ += [
        (name, ctypes.c_void_p) for name in "guards widths homes scratch greatest out".split()
    ]
    _fields_ += [(name, ctypes.c_int64) for name in "solutions size".split()]


class CompiledPart:
    """The search of count.c in a part; its whole state is in its buffers.

    Parameters
    ----------
    part
        The part.
    memory
        The most bytes of its table.
    trial
        The look-ups after which the table is judged.
    branch
        Count only the solutions below this node.
    table
        Use this table, which others share.
    judged
        What is known of the table, as ``judged`` of an earlier count.

    Attributes
    ----------
    finished : bool
        Whether everything was counted.
    nodes : int
        The options placed so far.
    """

    lists = False

    def __init__(
        self,
        part: Component,
        memory: int,
        trial: int = TRIAL,
        *,
        branch: Branch | None = None,
        table: SharedTable | None = None,
        judged: tuple[int, int, int] = UNJUDGED,
    ) -> None:
        self.finished = False
        self.nodes = 0
        self._words, self._values, self._bucket = part.words, part.values, part.bucket
        self.table = SharedTable(part, memory) if table is None else table
        self._count = _Count(trial=trial, shared=table is not None)
        self._buffers: dict[str, bytearray | mmap.mmap] = {}
        depth = part.must.bit_count() + 2
        width = self._words * BYTES
        root = root_of(part) if branch is None else branch
        masks, every = zip(*root.options, strict=True)
        size = len(masks)
        asked, saved, remembers = judged
        self._put(
            full=_packed([part.must], width),
            late=_packed([part.late], width),
            states=_packed([root.state], width) + bytes((depth - 1) * width),
            keys=bytearray(depth * width),
            sums=bytearray(depth * self._values * BYTES),
            frames=bytearray(array("q", (0, size, 0, root.item, 0)).tobytes())
            + bytes((depth - 1) * 5 * BYTES),
            lists=_packed(masks, width),
            state=bytearray(array("q", (0, 0, 0, asked, saved, 0, remembers, 0)).tobytes()),
        )
        if part.fields is not None:
            self._put_fields(part.fields, words_for(part.items) * BYTES)
        if self.lists or any(ways != 1 for ways in every):
            self._put(ways=bytearray(array("I", every).tobytes()))
        self._grow_lists(4 * size + 1)

    @property
    def state(self) -> list[int]:
        """The numbers of the state, as count.c names them."""
        return memoryview(self._buffers["state"]).cast("q").tolist()

    def _put(self, **buffers: bytearray | mmap.mmap) -> None:
        """Hold buffers, so that they do not move, and pass their addresses to the library."""
        for name, buffer in buffers.items():
            self._buffers[name] = buffer
            there = (ctypes.c_char * len(buffer)).from_buffer(buffer)
            setattr(self._count, name, ctypes.addressof(there))

    def _put_fields(self, fields: Fields, width: int) -> None:
        self._count.rests = fields.words
        self._put(
            guards=_packed(fields.guards, BYTES),
            widths=_packed(fields.widths, BYTES),
            homes=_packed([fields.homes], width),
            scratch=bytearray(2 * BYTES * fields.words),
            greatest=_packed(tuple(chain.from_iterable(fields.greatest)), BYTES),
        )

    def _grow_lists(self, capacity: int) -> None:
        """Make room for so many options in the lists."""
        for name, width in (("lists", self._words * BYTES), ("ways", 4)):
            if name in self._buffers:
                old = bytes(self._buffers[name])
                self._put(**{name: bytearray(old) + bytes(capacity * width - len(old))})
        self._count.room = capacity


class PartCount(CompiledPart):
    """The compiled count of a part, in steps."""

    def step(self, budget: int = BUDGET) -> None:
        """Count on until so many options were looked at."""
        library = kernel.library()
        assert library is not None
        count, table = self._count, self.table
        count.budget = budget
        state = memoryview(self._buffers["state"]).cast("q")
        result = kernel.FULL
        while result not in (kernel.MORE, kernel.DONE):
            table.enter()
            before = state[ENTRIES] = table.entries
            count.table, count.buckets, count.fill = table.address, table.buckets, table.fill
            result = library.calmip_count(self._words, self._values, ctypes.byref(count))
            table.leave(state[ENTRIES] - before)
            if result == kernel.GROW:
                self._grow_lists(2 * count.room)
            elif result == kernel.FULL:
                table.grow(count.buckets)
        self.finished = result == kernel.DONE
        self.nodes = self.state[1]

    @property
    def remembers(self) -> bool:
        """Whether the table is in use."""
        return bool(self.state[6])

    @property
    def judged(self) -> tuple[int, int, int]:
        """What is known of the table."""
        _, _, _, asked, saved, _, remembers, _ = self.state
        return asked, saved, remembers

    @property
    def found(self) -> int:
        """The number of solutions found so far, or of all if it is finished."""
        sums = memoryview(self._buffers["sums"]).cast("Q").tolist()
        frames = memoryview(self._buffers["frames"]).cast("q").tolist()
        given = self._buffers.get("ways")
        ways = None if given is None else memoryview(given).cast("I")
        total, times = 0, 1
        for depth in range(max(self.state[0], 0) + 1):
            own = sums[depth * self._values : (depth + 1) * self._values]
            total += times * sum(value << WORD * index for index, value in enumerate(own))
            times *= 1 if ways is None else ways[max(frames[5 * depth + 2] - 1, 0)]
        return total

    def begun(self) -> Iterator[tuple[Branch, int]]:
        """Yield the nodes from the root to the open one, and how many options each has tried."""
        width = self._words * BYTES
        frames = memoryview(self._buffers["frames"]).cast("q").tolist()
        given = self._buffers.get("ways")
        ways = None if given is None else memoryview(given).cast("I")

        def bits_at(name: str, place: int) -> int:
            begin = place * width
            return int.from_bytes(self._buffers[name][begin : begin + width], "little")

        times = 1
        for depth in range(self.state[0] + 1):
            begin, end, following, item, _ = frames[5 * depth : 5 * depth + 5]
            options = [
                (bits_at("lists", place), 1 if ways is None else ways[place])
                for place in range(begin, end)
            ]
            yield Branch(bits_at("states", depth), options, item, times), following - begin
            times *= options[max(following - begin - 1, 0)][1]

    @property
    def share(self) -> float:
        """The share of the search that is done, if all options of a node take equally long.

        The item of each node has an option: a node with an item that has none is not opened.
        """
        share, of_node = 0.0, 1.0
        for node, tried in self.begun():
            own = [mask >> node.item & 1 for mask, _ in node.options]
            of_node /= sum(own)
            share += of_node * max(sum(own[:tried]) - 1, 0)
        return share


def _packed(sets: list[int] | tuple[int, ...], width: int) -> bytearray:
    return bytearray().join(one.to_bytes(width, "little") for one in sets)


def choose_item(state: int, masks: list[int] | tuple[int, ...], must: int, late: int) -> int:
    """Return the item to branch on: that with the fewest options, or -1 if none is left."""
    open_items = must & ~state
    if not open_items:
        return -1
    planes = counts(masks)  # of every item's number of options
    several = 0
    for plane in planes[1:]:
        several |= plane
    open_items = open_items & ~(late & several) or open_items
    for plane in reversed(planes):
        open_items = open_items & ~plane or open_items
    return (open_items & -open_items).bit_length() - 1


def root_of(part: Component) -> Branch:
    """Return the first node of a part."""
    options = list(zip(part.masks, part.ways, strict=True))
    start = 0 if part.fields is None else part.fields.start
    return Branch(start, options, choose_item(start, part.masks, part.must, part.late))


class PlainPartCount:
    """The count of `PartCount` in plain Python: short and slow."""

    judged = UNJUDGED

    ENTRY = 200
    """The bytes of an entry of the table, more or less."""

    def __init__(
        self, part: Component, memory: int, trial: int = TRIAL, *, branch: Branch | None = None
    ) -> None:
        self.finished = False
        self.nodes = 0
        self._part, self._trial = part, trial
        self._most = memory // self.ENTRY
        self._table: dict[int, tuple[int, int]] | None = {}
        self._asked = self._saved = self._steps = 0
        root = root_of(part) if branch is None else branch
        self._stack = [_Node(root.state, 0, 1, root.options, root.item)]
        self.found_below = 0

    @property
    def remembers(self) -> bool:
        """Whether the table is in use."""
        return self._table is not None

    @property
    def found(self) -> int:
        """The number of solutions found so far, or of all if it is finished."""
        total, times = self.found_below, 1
        for node in self._stack:
            times *= node.ways
            total += times * node.found
        return total

    def step(self, budget: int = BUDGET // 100) -> None:
        """Count on until so many options were looked at."""
        stack = self._stack
        while stack and budget > 0:
            node = stack[-1]
            budget -= len(node.options) + 1
            if node.untried:
                self._place(node, *node.untried.pop())
                continue
            stack.pop()
            has_capacity = self._table is not None and len(self._table) < self._most
            if self._table is not None and has_capacity and len(node.options) > SMALL:
                self._table[node.key] = node.found, self._steps - node.before + 1
            if stack:
                stack[-1].found += node.ways * node.found
            else:
                self.found_below = node.found
        self.finished = not stack

    def _place(self, node: _Node, mask: int, ways: int) -> None:
        """Place an option at a node: count what is below it, or open the node."""
        self.nodes += 1
        self._steps += self._part.words * len(node.options) + STEPS
        must = self._part.must
        state = node.state + mask
        if not must & ~state:
            node.found += ways
            return
        options = self._part.left(node.options, state)
        key = self._part.key(options, state)
        if must & ~state & ~key:
            return
        if self._table is not None and len(options) > SMALL:
            known, worth = self._table.get(key, (-1, 0))
            self._asked += 1
            self._saved += worth
            if known >= 0:
                node.found += ways * known
                return
            if self._asked >= self._trial:
                if self._saved < COST * self._asked:
                    self._table = None
                self._asked = self._saved = 0
        item = choose_item(state, [one for one, _ in options], must, self._part.late)
        self._stack.append(_Node(state, key, ways, options, item, self._steps))
        self._steps += self._part.words * len(options)


@dataclass
class _Node:
    """A node of the plain count: what is covered, its key, and its options."""

    state: int
    key: int
    ways: int
    options: list[tuple[int, int]]
    item: int
    before: int = 0
    found: int = 0

    def __post_init__(self) -> None:
        self.untried = [one for one in reversed(self.options) if one[0] >> self.item & 1]
