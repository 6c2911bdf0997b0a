"""The structures of kernel/regions.c, and the arrays that they point to."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Any

import numpy as np

from calmip.mip.exact_cover.options import Options

BLOCK_EDGES = 1 << 16
"""Edges in a block; the first ones are smaller."""

MAX_NUMBER = (1 << 32) - 1
"""The words and the edges of one level are numbered with 32 bits."""

MAX_WAITING_CHILDREN = 128
"""The most children that wait for their look-up when the next region is begun."""


@dataclass(frozen=True)
class Kind:
    """One of the two compilations of the loops: its suffix and the widths of its numbers."""

    suffix: str
    cells: int
    bits: int
    word: Any
    option: Any

    def sets(self, values: list[int]) -> Any:
        """Return sets of cells as 64-bit words, the same number for each."""
        words = range(self.cells // 64)
        return np.array(
            [value >> 64 * word & (1 << 64) - 1 for value in values for word in words],
            dtype=np.uint64,
        )


NARROW = Kind("_16", 64, 16, np.uint16, np.uint16)
WIDE = Kind("_32", 128, 32, np.uint32, np.uint32)


def kind_of(options: Options) -> Kind | None:
    """Return the compilation for some options, None if they are too large for both."""
    sizes = options.cells, options.bits, len(options.options)
    for kind in (NARROW, WIDE):
        most = kind.cells, kind.bits, np.iinfo(kind.option).max
        if all(size <= limit for size, limit in zip(sizes, most, strict=True)):
            return kind
    return None


def struct(name: str, *fields: tuple[str, Any]) -> Any:
    """Return a structure with the fields of these names, group by group of one type."""
    every = [(one, kind) for names, kind in fields for one in names.split()]
    return type(name, (ctypes.Structure,), {"_fields_": every})


_number, _pointer = ctypes.c_int64, ctypes.c_void_p

# The structures of kernel/regions.c, where their fields are explained.
LEVEL = struct(
    "Level",
    ("found room slots", _number),
    ("keys slot", _pointer),
    ("filled limit", _number),
    ("to from by begin edge at source option words state", _pointer),
)
WORK = struct(
    "Work",
    ("budget region end kept edges words room waiting sent edge level need", _number),
    ("children set", _pointer),
    ("slots", _number),
    ("used", _pointer),
    ("stamp", ctypes.c_uint64),
    ("place sums hits", _pointer),
)
COVER = {
    kind: struct(
        "Cover",
        ("cells fields", _number),
        ("covers mask delta lead first at_cell of_cell at_field of_field", _pointer),
        ("near top low times areas", _pointer),
        ("board", ctypes.c_uint64 * (kind.cells // 64)),
        ("root full", np.ctypeslib.as_ctypes_type(kind.word)),
    )
    for kind in (NARROW, WIDE)
}


class Arrays(dict[str, Any]):
    """Arrays by the names of the fields of a structure that point to them."""

    def __init__(self, struct: Any) -> None:
        super().__init__()
        self.struct = struct
        self.address = ctypes.addressof(struct)

    def __setitem__(self, name: str, array: Any) -> None:
        super().__setitem__(name, array)
        setattr(self.struct, name, array.ctypes.data)

    def drop(self, *names: str) -> None:
        """Free arrays."""
        for name in names:
            if self.pop(name, None) is not None:
                setattr(self.struct, name, None)

    @property
    def bytes(self) -> int:
        """The memory that they take."""
        return sum(array.nbytes for array in self.values())


class Level(Arrays):
    """The regions with one first bare cell, and the edges that lead to them, in blocks."""

    def __init__(self, struct: Any, kind: Kind) -> None:
        super().__init__(struct)
        self.kind = kind
        self.blocks: list[tuple[Any, ...]] = []

    @property
    def bytes(self) -> int:
        """The memory that it takes."""
        blocks: int = sum(array.nbytes for block in self.blocks for array in block)
        return super().bytes + blocks

    def more_regions(self) -> None:
        """Make room for more regions, and an empty hash table."""
        struct, words = self.struct, self.kind.cells // 64
        struct.slots = max(2048, 2 * struct.slots)
        struct.room = 3 * struct.slots // 4
        keys = np.empty(struct.room * words, dtype=np.uint64)
        if struct.found:
            keys[: struct.found * words] = self["keys"][: struct.found * words]
        self["keys"] = keys
        self.drop("slot")
        self["slot"] = np.zeros(struct.slots, dtype=np.uint32)

    def more_edges(self, need: int) -> None:
        """Begin another block of edges."""
        self.end_block()
        struct = self.struct
        struct.limit = max(min(2048 << len(self.blocks), BLOCK_EDGES), need)
        for name, dtype in (("to", np.uint32), ("from", np.uint32), ("by", self.kind.option)):
            self[name] = np.empty(struct.limit, dtype=dtype)

    def end_block(self) -> None:
        """Append the current block to the others."""
        names = "to", "from", "by"
        if filled := self.struct.filled:
            self.blocks.append(tuple(self[name][:filled] for name in names))
        self.drop(*names)
        self.struct.filled = self.struct.limit = 0

    def sort(self, number: int, tally: Any, place: Any) -> tuple[Any, Any, Any]:
        """Sort all edges by their ``number`` targets, and drop the blocks.

        Return the position where the edges to each target begin, their sources and options.
        """
        self.end_block()
        edges = sum(len(to) for to, _, _ in self.blocks)
        if max(edges, number) > MAX_NUMBER - 2:
            raise MemoryError(f"{edges:,} edges between regions")
        begin = np.zeros(number + 2, dtype=np.uint32)
        for to, _, _ in self.blocks:
            tally(to.ctypes.data, len(to), begin[2:].ctypes.data)
        np.cumsum(begin, out=begin)
        source = np.empty(edges, dtype=np.uint32)
        option = np.empty(edges, dtype=self.kind.option)
        while self.blocks:
            to, where, by = self.blocks.pop()
            place(
                to.ctypes.data,
                where.ctypes.data,
                by.ctypes.data,
                len(to),
                begin[1:].ctypes.data,
                source.ctypes.data,
                option.ctypes.data,
            )
        return begin[:-1], source, option


def levels(cells: int, kind: Kind) -> tuple[Any, list[Level]]:
    """Return the levels as the loops take them, and with their arrays."""
    structs = (LEVEL * (cells + 1))()
    return structs, [Level(struct, kind) for struct in structs]


def cover_arrays(options: Options, kind: Kind) -> Arrays:
    """Return an exact cover as the loops take it."""
    struct = COVER[kind]()
    struct.cells, struct.fields = options.cells, len(options.fields)
    struct.board[:] = kind.sets([(1 << options.cells) - 1]).tolist()
    struct.root, struct.full = options.root, options.full
    cover, every, fields = Arrays(struct), options.options, options.fields
    cover["covers"] = kind.sets([option.cells for option in every])
    cover["near"] = kind.sets(list(options.near))
    lead = np.array([option.first for option in every], dtype=np.uint32)
    field = np.array([option.field for option in every], dtype=np.int64)
    cover["lead"], cover["first"] = lead, _begins(lead, options.cells)
    top, delta = (
        np.array([getattr(one, name) for one in fields], dtype=np.int64).astype(kind.word)
        for name in ("top", "delta")
    )
    cover["top"], cover["mask"], cover["delta"] = top, top[field], delta[field]
    cover["low"] = np.array([one.low.bit_length() - 1 for one in fields], dtype=np.uint32)
    cover["times"] = np.array([one.times for one in fields], dtype=np.uint32)
    areas = [sum(1 << area for area in one.areas if area < 64) for one in fields]
    cover["areas"] = np.array(areas, dtype=np.uint64)
    cover["of_field"] = np.argsort(field, kind="stable").astype(kind.option)
    cover["at_field"] = _begins(field, len(fields))
    covers = cover["covers"].view(np.uint8).reshape(len(every), kind.cells // 8)
    cell, number = np.nonzero(np.unpackbits(covers, axis=1, bitorder="little").T)
    cover["at_cell"], cover["of_cell"] = _begins(cell, options.cells), number.astype(kind.option)
    return cover


def work_arrays(options: Options, kind: Kind, cover: Arrays) -> Arrays:
    """Return the other arrays of the loops."""
    work = Arrays(WORK())
    children = MAX_WAITING_CHILDREN + int(np.diff(cover["first"]).max(initial=0))
    # A child is a set of cells, a hash, two numbers of 32 bits and an option.
    work["children"] = np.zeros(children * (kind.cells // 64 + 3), dtype=np.uint64)
    # The first option of each field; a field without options is never used.
    first = np.minimum(cover["at_field"][:-1], len(options.options) - 1)
    work["hits"] = cover["of_field"].astype(np.uint32)[first]
    work["used"] = np.zeros(16, dtype=np.uint64)
    work.struct.slots = 1024
    work["set"] = np.zeros(work.struct.slots, dtype=np.uint64)
    if kind is NARROW:
        work["place"] = np.zeros(1 << options.bits, dtype=np.uint32)
        work["sums"] = np.zeros(1 << options.bits, dtype=np.uint64)
    return work


def _begins(numbers: Any, size: int) -> Any:
    """Return the position at which each number begins once they are sorted."""
    counts = np.bincount(numbers, minlength=size)
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.uint32)
