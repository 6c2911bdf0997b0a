"""The texts of an MPS file that programs read differently."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from calmip._base.errors import InputError
from calmip.mip.files.findings import Finding, Findings
from calmip.mip.files.mps import INFINITY, MpsReader
from calmip.mip.files.text_source import NUMBER, TextFile
from calmip.mip.rows import Bound, Number


def find_mps_differences(source: TextFile) -> list[Finding]:
    """Return what programs read differently in an MPS file."""
    return _MpsChecker(source).check()


SIDES = {
    "UP": "u",
    "UI": "u",
    "PL": "u",
    "LO": "l",
    "LI": "l",
    "MI": "l",
    "FX": "lu",
    "BV": "lu",
    "FR": "lu",
    "SC": "u",
    "SI": "u",
}
"""Which bounds a kind sets."""


HEXADECIMAL = re.compile(r"[+-]?0[xX][0-9a-fA-F.]+(?:[pP][+-]?[0-9]+)?")


class _MpsChecker(MpsReader):
    """A reader that goes on after a fault, and lists the faults."""

    def __init__(self, source: TextFile) -> None:
        super().__init__(replace(source, integer_default=math.inf))
        self.findings = Findings("mps")
        self.named = False
        self.first: dict[str, int] = {}
        self.kinds: dict[str, dict[str, int]] = {}

    def check(self) -> list[Finding]:
        for number, text in enumerate(self.source.lines, start=1):
            if "\t" in text and not text.startswith("*"):
                self.findings.add("tabs", number)
        try:
            self.refuse_others()
            model = self.read()
        except InputError as error:
            cut = "ENDATA" in error.message and self.line == len(self.source.lines)
            open_marker = self.in_marker and error.line is None
            row = "no-end" if cut else "marker-without-end" if open_marker else ""
            line = self.source.lines[self.line - 1] if self.line else ""
            row = "sense-header" if line.split()[:1] == ["SENSE"] else row
            if not self.line and error.line:
                # Beyond linear models: nothing is read.
                self.findings.refuse(error)
                return self.findings.listed()
            self.findings.refuse(error, row)
        else:
            self.check_end()
            for kind, name in model.without_value():
                bounds = list(self.kinds.get(name, {}).values())
                self.findings.contradict(name, bounds if kind == "column" else self.row_line(name))
        if not self.named:
            self.add("no-name", line=0)
        for number, text in enumerate(self.source.lines[: self.line], start=1):
            if re.match("[A-Za-z]*[a-z][A-Za-z]*", text.split(" ")[0]) and text[:1].islower():
                self.findings.add("lower-case", number, text.split()[0])
        return self.findings.listed()

    def row_line(self, name: str) -> list[int]:
        """Return the line that declares a row, if its name has no blank."""
        lines = enumerate(self.source.lines, start=1)
        return [number for number, text in lines if text.split()[1:] == [name]][:1]

    def add(self, row: str, name: str = "", line: int | None = None) -> None:
        self.findings.add(row, self.line if line is None else line, name)

    def attempt(self, read: Callable[[list[str]], None], fields: list[str], row: str = "") -> None:
        """Read a line, and list the error instead of raising it."""
        try:
            read(fields)
        except InputError as error:
            self.findings.refuse(error, row)

    def check_end(self) -> None:
        rest = enumerate(self.source.lines[self.line :], start=self.line + 1)
        after = next((number for number, text in rest if text.strip()), None)
        if after:
            self.add("after-end", line=after)
        if self.commented:
            head = enumerate(self.source.lines, start=1)
            self.add("sense-in-a-comment", line=next(n for n, t in head if "*SENSE" in t))

    def unread(self) -> Iterator[str]:
        """Yield every line: none is left out."""
        for text in self.source.lines:
            self.line += 1
            yield text

    def uncommented(self, fields: list[str], take: Callable[[list[str]], None]) -> list[str]:
        kept = super().uncommented(fields, take)
        if len(kept) < len(fields):
            self.add("dollar-comment")
        if fields[0].startswith("*"):
            self.add("comment-indented", fields[0])
        # Three fields where fixed MPS has the second.
        aligned = len(self.source.lines[self.line - 1][4:12].split()) < 3
        if not aligned and take in (self.read_column, self.read_right):
            self.add("no-column-marks")
        elif not aligned and take == self.read_bound:
            self.add("bound-marks")
        return kept

    def bound(self, text: str) -> Bound:
        if text.lower().lstrip("+-") in INFINITY:
            self.add(self.infinite, text)
        return super().bound(text)

    infinite = "infinity-word"

    def number(self, text: str) -> Number:
        if re.search("[0-9.][dD]", text):
            self.add("fortran-exponent", text)
        if re.fullmatch(r"[+-]?[0-9.]+/[0-9.]+", text):
            self.add("rational", text)
            return 0
        try:
            return super().number(text)
        except InputError as error:
            row = "nan" if "nan" in text.lower() else "not-a-number"
            row = "hexadecimal" if HEXADECIMAL.fullmatch(text) else row
            row = "" if NUMBER.fullmatch(text) else row  # too large or too long for calmip alone
            self.findings.refuse(error, row, text)
            return 0

    def read_name(self, fields: list[str]) -> None:
        self.named = True
        super().read_name(fields)

    def read_sense(self, fields: list[str]) -> None:
        inline = self.source.lines[self.line - 1].upper().startswith("OBJSENSE")
        if self.senses or self.free_rows:
            self.add("sense-after-rows")
        elif inline:
            self.add("sense-on-the-line", fields[0])
        else:
            self.add("sense-section" if len(fields[0]) == 3 else "sense-word", fields[0])
        self.attempt(super().read_sense, fields)

    def read_row(self, fields: list[str]) -> None:
        if len(fields) > 2:
            self.add("name-with-blank", " ".join(fields[1:]))
        elif fields[-1] in self.free_rows or fields[-1] in self.senses:
            self.add("duplicate-row", fields[-1])
        else:
            self.attempt(super().read_row, fields)

    def read_column(self, fields: list[str]) -> None:
        if len(fields) == 3 and fields[1].strip("'").upper() == "MARKER":
            return self.attempt(super().read_column, fields)
        name, rows = fields[0], fields[1::2]
        if len(fields) not in (3, 5):
            if not name.startswith("*"):
                self.add("name-with-blank", " ".join(fields))
            return None
        if name.startswith("$") and name not in self.model.columns:
            self.add("dollar-name", name)
        if name != self.current and name in self.model.columns:
            return self.add("column-resumed", name)
        self.first.setdefault(name, self.line)
        seen = self.seen if name == self.current else set()
        for row in rows:
            if row not in self.senses and row not in self.free_rows:
                self.add("unknown-row", row)
                fields = [*fields[:1], *_without(fields[1:], row)]
            elif row in seen or rows.count(row) > 1:
                self.add("duplicate-entry", name)
                fields = [*fields[:1], *_without(fields[1:], row)]
        if len(fields) > 1:
            self.attempt(super().read_column, fields)
        return None

    def is_new_set(self, section: str, name: str) -> bool:
        return self.sets.get(section, name) != name

    def read_right(self, fields: list[str]) -> None:
        if self.ranges:
            self.add("range-before-rhs")
        if self.kinds:
            self.add("bounds-before-rhs")
        if len(fields) % 2 == 0:
            self.add("bound-without-set", fields[0])
        elif self.is_new_set("RHS", fields[0]):
            return self.add("two-rhs-sets", fields[0])
        for row in fields[len(fields) % 2 :: 2]:
            if row == self.objective:
                self.add("objective-constant")
            elif row in self.free_rows:
                self.add("free-row-with-side", row)
            if row in self.right:
                return self.add("duplicate-side", row)
        self.infinite = "inf-word"
        self.attempt(super().read_right, fields)
        self.infinite = "infinity-word"
        return None

    def read_range(self, fields: list[str]) -> None:
        self.attempt(super().read_range, fields)

    def read_bound(self, fields: list[str]) -> None:
        kind = fields[0].upper()
        index = 1
        if kind not in SIDES or len(fields) < 2:
            return self.attempt(super().read_bound, fields)
        if len(fields) == 4 or (len(fields) == 3 and fields[2] in self.model.columns):
            index = 2
            if self.is_new_set("BOUNDS", fields[1]):
                return self.add("two-bound-sets", fields[1])
        elif kind in ("UP", "LO", "FX", "UI", "LI", "SC", "SI"):
            self.add("bound-without-set", fields[1])
        name = fields[index]
        if name not in self.model.columns:
            self.add("column-only-in-bounds", name)
        elif kind == "BV" and not self.model.integer[self.model.columns[name]]:
            self.add("bound-bv", name)
        if kind in ("SC", "SI"):
            self.check_semi(kind, name, fields[-1])
        before = self.kinds.setdefault(name, {})
        if any(set(SIDES[kind]) & set(SIDES[other]) for other in before):
            self.add("two-bounds", name)
        before[kind] = self.line
        return self.attempt(super().read_bound, fields)

    def check_semi(self, kind: str, name: str, number: str) -> None:
        """List what a semi-continuous or semi-integer column shows."""
        integer = self.model.integer[self.model.columns[name]] if name in self.first else False
        row = "bound-si" if kind == "SI" else "bound-sc-integer" if integer else "bound-sc"
        self.add(row, name)
        if not number.strip("+-0.") and kind == "SC":
            self.add("bound-sc-0", name)

    def read_set(self, fields: list[str]) -> None:
        if self.set is None:
            self.add("sos", " ".join(fields))
        super().read_set(fields)

    def read_indicator(self, fields: list[str]) -> None:
        self.add("indicators", " ".join(fields[1:2]))
        super().read_indicator(fields)

    def read_function(self, fields: list[str]) -> None:
        if self.function is None:
            self.add("gencons", " ".join(fields))
        super().read_function(fields)

    def check_bounds(self) -> None:
        """List bounds that programs read differently, instead of refusing the first."""
        for name, column in self.model.columns.items():
            kinds = self.kinds.get(name, {})
            has_upper = any("u" in SIDES[kind] for kind in kinds)
            line = next(iter(kinds.values()), self.first.get(name, 0))
            if self.model.integer[column] and not has_upper:
                row = "integer-with-lower-bound" if kinds else "integer-without-bounds"
                self.add("integer-minus-infinity" if "MI" in kinds else row, name, line)
            elif "MI" in kinds and not has_upper:
                self.add("minus-infinity", name, line)
            if column not in self.below and self.model.upper[column] < 0:
                self.add("negative-upper-bound", name, line)


def _without(pairs: list[str], row: str) -> list[str]:
    """Return pairs of a row and a number without the last pair of a row."""
    at = len(pairs) - 2 - pairs[::2][::-1].index(row) * 2
    return [*pairs[:at], *pairs[at + 2 :]]
