"""The usual statements of LP files by a compiled loop, and the others by plain Python."""

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
    Unusual,
    run,
)
from calmip.mip.files.model_builder import ModelBuilder
from calmip.mip.files.text_source import Lines, TextFile
from calmip.mip.kernel import DONE, MORE
from calmip.mip.model import unused_name
from calmip.mip.rows import Bound, Number, finite_or_infinite, is_finite

SECTIONS = {"minimise": 0, "maximise": 0, "rows": 1, "bounds": 2, "integers": 3, "binaries": 3}
"""The numbers of the kinds of sections that the loop reads."""

NEGATIVE, LESS, GREATER, ROW_NAME, COEFFICIENT, FREE = 1, 2, 4, 8, 16, 32
"""The bits of the kinds of items; an equation is less and greater."""

NAMES = 1 << 12
"""The names for which there is room at first."""

_NUMBER, _POINTER = ctypes.c_int64, ctypes.c_void_p


class LpState(ctypes.Structure):
    """Lp in kernel/lp.c."""

    _fields_ = [
        ("text", _POINTER),
        ("size", _NUMBER),
        ("at", _NUMBER),
        ("columns", NamesState),
        ("row", _NUMBER),
        ("entries", CoefficientsState),
        ("items", ItemsState),
    ]


class LpParts(Protocol):
    """What the loop fills in a reader of an LP file."""

    source: TextFile
    model: ModelBuilder
    binaries: set[int]


class CompiledStatements:
    """Statements that a loop reads for a reader, up to the first that is not usual.

    An error names no line: the file is read again.
    """

    def __init__(self, reader: LpParts, scan: Scan) -> None:
        self.reader = reader
        self.scan = scan
        self.state = LpState()
        scan.begin(self.state)
        # A table with as many slots as it needs stays in the cache of the processor.
        self.names = NameTable(self.state.columns, NAMES)
        self.numbers: dict[str, Bound] = {"": 1}
        self.kind = ""
        self.before = 0

    @property
    def ended(self) -> bool:
        """Whether nothing is left."""
        return bool(self.state.at == self.state.size)

    def line(self) -> str:
        """Return the next line, which is then read."""
        self.before = self.state.at
        text, self.state.at = self.scan.line(self.before)
        return text

    def put_back(self) -> None:
        """Leave the last line to plain Python."""
        self.state.at = self.before

    def begins(self, kind: str, rest: str) -> bool:
        """Return whether a line, by the heading found in it, begins a section for the loop.

        A sum before a line that is no heading would go on there; so would the objective.
        """
        usual = kind in SECTIONS and not rest
        if not usual and (not self.kind or (not kind and SECTIONS[self.kind] == 0)):
            raise Unusual
        self.kind = kind or self.kind
        return usual

    def rest(self) -> Iterator[str]:
        """Yield the lines that are left."""
        if self.ended:
            return iter(())
        return iter(Lines(self.scan.text[self.scan.character(self.state.at) :]))

    def read(self, kind: str) -> bool:
        """Read statements of a section; return whether none is left that is not usual."""
        self.state.row = len(self.reader.model.rows)
        ended = MORE
        while ended == MORE:
            ended = run("calmip_lp", ctypes.byref(self.state), SECTIONS[kind])
            if ended == MORE and not self.state.items.count:
                self.make_room()
                continue
            self.take_columns()
            if SECTIONS[kind] == 0:
                self.take_objective()
            elif kind == "rows":
                self.take_rows()
            elif kind == "bounds":
                self.take_bounds()
            else:
                self.take_kinds(kind)
        return ended == DONE

    def make_room(self) -> None:
        """Make room for a statement, which is longer than others or has new names."""
        self.names.grow(self.state.text)
        self.scan.make_room(2 * self.scan.room)
        self.scan.begin(self.state)

    def number(self, text: str) -> Bound:
        """Return the number in a text, or infinity; that in an empty text is 1."""
        value = self.numbers.get(text)
        if value is None:
            infinite = text.lower() in ("inf", "infinity")
            value = math.inf if infinite else self.source_number(text)
            self.numbers[text] = value
        return value

    def source_number(self, text: str) -> Number:
        """Return the number in a text, which is not infinite."""
        return self.reader.source.exact(text, 0)

    def take_columns(self) -> None:
        """Take new columns."""
        model, known = self.reader.model, len(self.reader.model.columns)
        names = self.names.new(self.scan, known)
        model.columns.update(zip(names, range(known, known + len(names)), strict=True))
        model.lower.extend([0] * len(names))
        model.upper.extend([math.inf] * len(names))
        model.integer.extend([False] * len(names))

    def take_objective(self) -> None:
        """Take the costs and the constant, which are those of one sum."""
        columns, kinds, texts = self.scan.items(self.state)
        model, numbers = self.reader.model, self.numbers
        for column, negative, text in zip(columns, kinds, texts, strict=True):
            value = numbers[text] if text in numbers else self.number(text)
            assert is_finite(value)  # a name is none of its numbers
            value = -value if negative else value
            if column < 0:
                model.offset += value
            else:
                model.cost[column] = model.cost.get(column, 0) + value

    def take_rows(self) -> None:
        """Take rows and their coefficients."""
        model = self.reader.model
        first = self.scan.take_entries(self.state, model.entries)
        places, kinds, texts = self.scan.items(self.state)
        long: list[tuple[int, str]] = []
        name = ""
        for place, kind, text in zip(places, kinds, texts, strict=True):
            if kind & COEFFICIENT:
                long.append((first + place, f"-{text}" if kind & NEGATIVE else text))
            elif kind == ROW_NAME:
                name = text
            else:
                name = name or unused_name(f"R{len(model.rows) + 1}", model.rows)
                value = self.number(text)
                side = finite_or_infinite(-value if kind & NEGATIVE else value)
                low = side if kind & GREATER else -math.inf
                high = side if kind & LESS else math.inf
                if low == math.inf or high == -math.inf:
                    raise Unusual
                model.row(name, low, high, 0)
        self.scan.take_long(long, model.entries, self.source_number)

    def take_bounds(self) -> None:
        """Take bounds."""
        columns, kinds, texts = self.scan.items(self.state)
        lower, upper, numbers = self.reader.model.lower, self.reader.model.upper, self.numbers
        for column, kind, text in zip(columns, kinds, texts, strict=True):
            if kind == FREE:
                lower[column], upper[column] = -math.inf, math.inf
                continue
            value = numbers[text] if text in numbers else self.number(text)
            value = finite_or_infinite(-value if kind & NEGATIVE else value)
            if kind & GREATER:
                lower[column] = value
            if kind & LESS:
                upper[column] = value

    def take_kinds(self, kind: str) -> None:
        """Take integer columns, which may be binary."""
        columns, _, _ = self.scan.items(self.state)
        for column in columns:
            self.reader.model.integer[column] = True
        if kind == "binaries":
            self.reader.binaries.update(columns)

    def release(self) -> None:
        """Free the memory of the loop."""
        for one in (self.scan, self.names):
            one.release()
