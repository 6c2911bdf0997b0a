"""The usual lines of MPS files by a compiled loop, and the others by the reader in plain Python."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Iterator
from typing import Protocol

from calmip.mip.files.compiled import (
    CoefficientsState,
    ItemsState,
    NamesState,
    NameTable,
    Scan,
    run,
)
from calmip.mip.files.model_builder import ModelBuilder
from calmip.mip.files.sorting import ints
from calmip.mip.files.text_source import Lines
from calmip.mip.kernel import DONE, MORE, address
from calmip.mip.rows import Bound, Number

SECTIONS = ("ROWS", "COLUMNS", "RHS", "RANGES", "BOUNDS")
"""What the loop reads, in the order of its numbers."""

KINDS = ("UP", "LO", "FX", "UI", "LI", "SC", "SI", "BV", "FR", "MI", "PL")
"""The kinds of bounds, in the order of their numbers."""

OBJECTIVE, FREE_ROW = -1, -2
"""What a row is if it is none of the model's."""

_NUMBER, _POINTER = ctypes.c_int64, ctypes.c_void_p


class MpsState(ctypes.Structure):
    """Mps in kernel/mps.c."""

    _fields_ = [
        ("text", _POINTER),
        ("size", _NUMBER),
        ("at", _NUMBER),
        ("rows", NamesState),
        ("columns", NamesState),
        ("target", _POINTER),
        ("mark", _POINTER),
        ("integer", _POINTER),
        ("current", _NUMBER),
        ("in_marker", _NUMBER),
        ("set_at", _NUMBER),
        ("set_size", _NUMBER),
        ("entries", CoefficientsState),
        ("items", ItemsState),
    ]


class MpsParts(Protocol):
    """What the loop fills in a reader of an MPS file, which says what each is."""

    model: ModelBuilder
    section: str
    objective: str
    free_rows: set[str]
    senses: dict[str, str]
    sets: dict[str, str]
    right: dict[str, Bound]
    ranges: dict[str, Bound]
    bounded: set[int]
    current: str | None
    position: int
    seen: set[str]
    in_marker: bool

    def number(self, text: str) -> Number:
        """Return the number in a text."""

    def bound(self, text: str) -> Bound:
        """Return the number in a text, which may be infinite."""

    def apply_bound(self, kind: str, column: int, value: Bound) -> None:
        """Set a bound."""


class CompiledSections:
    """Sections that a loop reads for a reader, up to the first line that is not usual.

    An error names no line: the file is read again.
    """

    def __init__(self, reader: MpsParts, scan: Scan) -> None:
        self.reader = reader
        self.scan = scan
        self.state = MpsState(current=-1)
        scan.begin(self.state)
        # A table with as many slots as it needs stays in the cache of the processor.
        rows = scan.text.count("\n", 0, max(0, scan.text.find("\nCOLUMNS")))
        self.row_names = NameTable(self.state.rows, min(scan.names, rows))
        self.column_names = NameTable(self.state.columns, scan.names)
        self.whole = bytearray(scan.names)
        self.state.integer = address(memoryview(self.whole))
        self.marks, self.targets = ints(0), ints(0)
        self.read_sections: list[str] = []

    def unread(self) -> Iterator[str]:
        """Yield the lines that the loop does not read."""
        while self.state.at < self.state.size:
            text, self.state.at = self.scan.line(self.state.at)
            yield text
            section = self.reader.section
            if section in SECTIONS and not self.read_section(section):
                return

    def rest(self) -> Iterator[str]:
        """Yield the lines behind them."""
        first = self.scan.character(self.state.at)
        return iter(Lines(self.scan.text[first:])) if self.state.at < self.state.size else iter(())

    def read_section(self, section: str) -> bool:
        """Read usual lines; return whether all of the section are."""
        if section in self.read_sections or not self.is_known():
            return False
        self.read_sections.append(section)
        self.state.set_at, self.state.set_size = -1, 0
        size = self.state.rows.count
        self.marks = ints(max(size, 1))
        self.state.mark = address(self.marks)
        take = {
            "ROWS": self.take_rows,
            "COLUMNS": self.take_columns,
            "RHS": self.take_sides,
            "RANGES": self.take_sides,
            "BOUNDS": self.take_bounds,
        }[section]
        ended = MORE
        while ended == MORE:
            ended = run("calmip_mps", ctypes.byref(self.state), SECTIONS.index(section))
            take()
        if self.state.set_at >= 0:
            self.reader.sets[section] = self.scan.piece(self.state.set_at, self.state.set_size)
        if section == "COLUMNS" and self.state.current >= 0:
            self.go_on_with(self.state.current)
        return ended == DONE

    def go_on_with(self, column: int) -> None:
        """Set what `read_column` knows of the column that the last line has."""
        self.reader.position, self.reader.current = column, list(self.reader.model.columns)[column]
        rows = self.row_names.new(self.scan, 0)
        self.reader.seen.update(rows[n] for n, mark in enumerate(self.marks) if mark == column + 1)

    def is_known(self) -> bool:
        """Return whether the loop knows all names."""
        rows = len(self.reader.model.rows) + len(self.reader.free_rows)
        return (rows, len(self.reader.model.columns)) == (
            self.state.rows.count,
            self.state.columns.count,
        )

    def take_rows(self) -> None:
        """Take the rows, free or not, that the loop has read."""
        model = self.reader.model
        _, kinds, names = self.scan.items(self.state)
        for kind, name in zip(kinds, names, strict=True):
            sense = chr(kind).upper()
            if sense == "N":
                self.reader.objective = self.reader.objective or name
                self.reader.free_rows.add(name)
                self.targets.append(OBJECTIVE if name == self.reader.objective else FREE_ROW)
            else:
                self.targets.append(len(model.rows))
                self.reader.senses[name] = sense
                model.rows[name] = len(model.rows)
        unbounded = len(model.rows) - len(model.row_lower)
        model.row_lower.extend([-math.inf] * unbounded)
        model.row_upper.extend([math.inf] * unbounded)
        self.state.target = address(self.targets)

    def take_columns(self) -> None:
        """Take columns, their coefficients and costs."""
        model, state = self.reader.model, self.state
        known = len(model.columns)
        first = self.scan.take_entries(state, model.entries)
        places, _, texts = self.scan.items(state)
        names = self.column_names.new(self.scan, known)
        model.columns.update(zip(names, range(known, state.columns.count), strict=True))
        new = state.columns.count - known
        model.lower.extend([0] * new)
        model.upper.extend([math.inf] * new)
        model.integer.extend(map(bool, self.whole[known : state.columns.count]))
        long: list[tuple[int, str]] = []
        for place, text in zip(places, texts, strict=True):
            if place < 0:
                model.cost[-1 - place] = self.reader.number(text)
            else:
                long.append((first + place, text))
        self.scan.take_long(long, model.entries, self.reader.number)
        self.reader.in_marker = bool(state.in_marker)

    def take_sides(self) -> None:
        """Take right-hand sides or ranges."""
        sides = self.reader.right if self.reader.section == "RHS" else self.reader.ranges
        rows, _, texts = self.scan.items(self.state)
        names = self.row_names.new(self.scan, 0)
        known: dict[str, Bound] = {}
        for row, text in zip(rows, texts, strict=True):
            name = names[row]
            if name == self.reader.objective:
                sides[name] = self.reader.number(text)
                continue
            value = known.get(text)
            if value is None:
                value = known[text] = self.reader.bound(text)
            sides[name] = value

    def take_bounds(self) -> None:
        """Take bounds."""
        columns, kinds, texts = self.scan.items(self.state)
        known: dict[str, Bound] = {"": 0}
        upper = self.reader.model.upper
        for column, kind, text in zip(columns, kinds, texts, strict=True):
            value = known.get(text)
            if value is None:
                value = known[text] = self.reader.bound(text)
            if kind == 0:
                upper[column] = value
            else:
                self.reader.apply_bound(KINDS[kind], column, value)
        self.reader.bounded.update(columns)

    def release(self) -> None:
        """Free the memory of the loop."""
        for one in (self.scan, self.row_names, self.column_names):
            one.release()
