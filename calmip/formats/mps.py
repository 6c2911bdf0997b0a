"""MPS files, fixed or free: written so that every solver reads them alike, and read strictly.

What is written has one marker pair around the integer columns with its keyword in field 3,
explicit upper bounds of 1, a cost row without entries when there is no cost, no OBJSENSE
section, and names of up to eight characters in their fixed columns: each of
these avoids a reader that misreads the alternative.

Whatever a solver might pass over when it reads is an error here. Names must not hold blanks,
which makes the fixed and the free form one.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import pairwise

from calmip.formats.model_builder import ModelBuilder, finite_or_infinite
from calmip.formats.reading import TextFile, quoted
from calmip.problem.binary_model import BinaryModel, Bound, Number

__all__ = ["maximises_by_comment", "mps_text", "read_mps"]


def mps_text(model: BinaryModel) -> str:
    """Return the model as the text of an MPS file.

    Names of up to eight characters give a file that is valid fixed and free
    MPS; longer names give free MPS.
    """
    lines = [f"* {line}" for line in model.comments]
    lines.append(f"NAME          {model.name}")
    lines.append("ROWS")
    objective = "OBJ"
    while objective in model.rows:
        objective += "_"
    lines.append(f" N  {objective}")
    senses, right, ranges = _senses(model)
    lines.extend(f" {sense}  {row}" for sense, row in zip(senses, model.rows, strict=True))
    lines.append("COLUMNS")
    lines.append("    MARKER    'MARKER'                 'INTORG'")
    lines.extend(_columns(model, objective))
    lines.append("    MARKER    'MARKER'                 'INTEND'")
    lines.append("RHS")
    lines.extend(_entry("RHS", row, value) for row, value in right)
    if ranges:
        lines.append("RANGES")
        lines.extend(_entry("RNG", row, value) for row, value in ranges)
    lines.append("BOUNDS")
    lines.extend(f" UP BND       {column:<8}  1" for column in model.columns)
    lines.append("ENDATA")
    return "\n".join(lines) + "\n"


def _entry(first: str, second: str, value: Bound) -> str:
    return f"    {first:<8}  {second:<8}  {number(value)}"


def number(value: Bound) -> str:
    """Return a number as short as it can be read back exactly."""
    if isinstance(value, int):
        return str(value)
    text = repr(float(value))
    if isinstance(value, float) or Fraction(text) == value:
        return text
    # Numbers that were read are decimal: their denominators divide a power of ten.
    most = value.denominator.bit_length()
    if 10**most % value.denominator:
        return text
    digits = str(value * 10**most)
    short = digits.rstrip("0")
    return f"{short}E{len(digits) - len(short) - most}"


def _columns(model: BinaryModel, objective: str) -> list[str]:
    index = model.values("index")
    sizes = (last - first for first, last in pairwise(model.values("start")))
    owner = [row for row, size in enumerate(sizes) for _ in range(size)]
    order = sorted(range(len(index)), key=index.__getitem__)  # by column, and there by row
    heads = [f"    {column:<8}  " for column in model.columns]
    tails = [f"{row:<8}  " for row in model.rows]
    columns, rows = [index[place] for place in order], [owner[place] for place in order]
    # A model of ones, as every placement model is, need not format its numbers.
    ones = not model.exact and all(value == 1.0 for value in model.values("value"))
    values = ["1"] * len(rows) if ones else list(map(number, model.numbers("value", order)))
    costed = list(model.costs)
    lines = [
        heads[column] + tails[row] + value
        for column, row, value in zip(columns, rows, values, strict=True)
    ]
    unused = sorted(set(range(len(model.columns))) - set(columns) - set(costed))
    if not costed and not unused:
        return lines
    # Entries of one column stand together; a column without any still must be named.
    extra = [
        (c, f"{heads[c]}{objective:<8}  {number(model.costs.get(c, 0))}") for c in costed + unused
    ]
    merged = sorted([*zip(columns, lines, strict=True), *extra], key=lambda pair: pair[0])
    return [line for _, line in merged]


def _senses(
    model: BinaryModel,
) -> tuple[list[str], list[tuple[str, Bound]], list[tuple[str, Bound]]]:
    """Return the rows' senses, their right-hand sides other than 0, and their ranges."""
    senses: list[str] = []
    right: list[tuple[str, Bound]] = []
    ranges: list[tuple[str, Bound]] = []
    places = range(len(model.rows))
    bounds = zip(model.numbers("lower", places), model.numbers("upper", places), strict=True)
    for row, (low, high) in zip(model.rows, bounds, strict=True):
        bounded = not isinstance(low, float), not isinstance(high, float)
        sense, value = ("L", high) if bounded[1] else ("G", low) if bounded[0] else ("N", 0)
        if low == high:
            sense = "E"
        elif all(bounded):
            ranges.append((row, high - low))
        senses.append(sense)
        if value:
            right.append((row, value))
    return senses, right, ranges


SENSES = {"MIN": False, "MINIMIZE": False, "MAX": True, "MAXIMIZE": True}
SENSE_COMMENT = re.compile(r"\*SENSE:(Minimize|Maximize)\s*")
"""PuLP's files have no OBJSENSE: this comment, before the first section, is their sense."""

PULP_4 = re.compile(r"\d\.\d{12}e(0|-?[1-9]\d*)\s*")
"""How PuLP 4 ends its lines. Its comment is the sense of the problem that it was written for, and
the objective is turned round, so that the file is minimised whatever the comment says."""


def _sense_in(text: str, source: TextFile) -> bool | None:
    """Return whether a comment says that the file maximises, None if it says nothing of it."""
    said = SENSE_COMMENT.fullmatch(text)
    if said is None or any(PULP_4.search(line[20:]) for line in source.lines):
        return None
    return said[1] == "Maximize"


BOUNDS_WITH_VALUE = ("UP", "LO", "FX", "UI", "LI")
BOUNDS_WITHOUT = ("BV", "FR", "MI", "PL")


def read_mps(source: TextFile) -> BinaryModel:
    """Return the binary model in an MPS file.

    Raises
    ------
    InputError
        If the file is not MPS, is cut, defines or uses a name wrongly, or is
        not a linear model in binary variables; with the line.
    """
    return _Reader(source).read()


def maximises_by_comment(source: TextFile) -> bool:
    """Return whether only a comment, as PuLP writes it, says that the objective is maximised."""
    rows = (n for n, text in enumerate(source.lines) if text[:4].upper() == "ROWS")
    head = source.lines[: next(rows, 0)]
    return any(_sense_in(text, source) for text in head) and not any(
        text.upper().startswith("OBJSENSE") for text in head
    )


class _Reader:
    """Reads one file; ``line`` is always the 1-based line being read."""

    def __init__(self, source: TextFile) -> None:
        self.source = source
        self.model = ModelBuilder(source)
        self.line = 0
        self.objective: str | None = None
        self.free_rows: set[str] = set()
        self.senses: dict[str, str] = {}
        self.current: str | None = None
        self.in_marker = False
        self.commented: bool | None = None
        self.sets: dict[str, str] = {}
        self.right: dict[str, Number] = {}
        self.ranges: dict[str, Number] = {}
        self.seen: set[str] = set()
        self.numbers: dict[str, Number] = {}

    def read(self) -> BinaryModel:
        sections: dict[str, Callable[[list[str]], None]] = {
            "OBJSENSE": self.read_sense,
            "ROWS": self.read_row,
            "COLUMNS": self.read_column,
            "RHS": self.read_right,
            "RANGES": self.read_range,
            "BOUNDS": self.read_bound,
        }
        take: Callable[[list[str]], None] | None = None
        ended = False
        for text in self.source.lines:
            self.line += 1
            fields = text.split()
            if take is None and (said := _sense_in(text, self.source)) is not None:
                self.commented = self.model.maximise = said
                continue
            if not fields or text.startswith("*"):
                continue
            if ended:
                raise self.error(f"found {quoted(text)} after ENDATA")
            if text[0].isspace():
                if take is None:
                    raise self.error(f"found {quoted(text)} before the first section")
                take(fields)
                continue
            section = fields[0].upper()
            if section == "NAME":
                self.read_name(fields)
            elif section == "ENDATA":
                ended = True
            elif section in sections:
                take = sections[section]
                if section == "OBJSENSE" and len(fields) > 1:
                    self.read_sense(fields[1:])
            else:
                raise self.error(
                    f"found the section {quoted(fields[0])}; a linear model in binaries has NAME, "
                    f"{', '.join(sections)} and ENDATA"
                )
        if not ended:
            raise self.error("is cut: ENDATA is missing")
        return self.finish()

    def error(self, message: str) -> Exception:
        return self.source.error(message, self.line)

    def number(self, text: str) -> Number:
        value = self.numbers.get(text)
        if value is None:
            value = self.numbers[text] = self.source.exact(text, self.line)
        return value

    def read_name(self, fields: list[str]) -> None:
        if len(fields) > 1 and re.fullmatch(r"[!-~]{1,60}", fields[1]):
            self.model.name = fields[1]

    def read_sense(self, fields: list[str]) -> None:
        if len(fields) != 1 or fields[0].upper() not in SENSES:
            raise self.error(f"found {quoted(' '.join(fields))}, not MIN or MAX")
        self.model.maximise = SENSES[fields[0].upper()]
        if self.commented not in (None, self.model.maximise):
            raise self.error(
                f"found the sense {fields[0]}, but the comment *SENSE says the opposite; "
                "remove one of them"
            )

    def read_row(self, fields: list[str]) -> None:
        if len(fields) != 2 or fields[0].upper() not in ("N", "E", "L", "G"):
            raise self.error(
                f"found {quoted(' '.join(fields))}, not a sense (N, E, L, G) and a name without "
                "blanks"
            )
        sense, name = fields[0].upper(), fields[1]
        if name == self.objective or name in self.free_rows:
            raise self.error(f"a second row is called {quoted(name)}")
        if sense == "N":
            if name in self.model.rows:
                raise self.error(f"a second row is called {quoted(name)}")
            if self.objective is None:
                self.objective = name
            else:
                self.free_rows.add(name)
            return
        self.model.row(name, -math.inf, math.inf, self.line)
        self.senses[name] = sense

    def read_column(self, fields: list[str]) -> None:
        if len(fields) == 3 and fields[1].strip("'").upper() == "MARKER":
            kind = fields[2].strip("'").upper()
            if kind not in ("INTORG", "INTEND") or (kind == "INTORG") == self.in_marker:
                raise self.error(f"found the marker {quoted(fields[2])} out of place")
            self.in_marker = kind == "INTORG"
            return
        if len(fields) not in (3, 5):
            raise self.error(
                f"found {quoted(' '.join(fields))}, not a column and one or two pairs of a row "
                "and a number (names must not hold blanks)"
            )
        name = fields[0]
        if name != self.current:
            if name in self.model.columns:
                raise self.error(f"column {quoted(name)} goes on after another column")
            self.current = name
            self.seen.clear()
            self.model.integer[self.model.column(name, self.line)] = self.in_marker
        column = self.model.columns[name]
        for row, text in zip(fields[1::2], fields[2::2], strict=True):
            value = self.number(text)
            if row in self.seen:
                raise self.error(f"column {quoted(name)} has row {quoted(row)} twice")
            self.seen.add(row)
            position = self.model.rows.get(row)
            if position is not None:
                self.model.entry(position, column, value, self.line)
            elif row == self.objective:
                self.model.cost[column] = value
            elif row not in self.free_rows:
                raise self.error(f"there is no row {quoted(row)}")

    def pairs(self, section: str, fields: list[str]) -> Iterator[tuple[str, Number]]:
        """Yield rows and numbers, an optional set name before them; one set per file."""
        if len(fields) % 2:
            first = self.sets.setdefault(section, fields[0])
            if fields[0] != first:
                raise self.error(f"found a second {section} set, {quoted(fields[0])}; keep one")
            fields = fields[1:]
        if len(fields) not in (2, 4):
            raise self.error(f"found {len(fields)} fields, not one or two pairs of row and number")
        for row, text in zip(fields[::2], fields[1::2], strict=True):
            if row not in self.senses and row != self.objective and row not in self.free_rows:
                raise self.error(f"there is no row {quoted(row)}")
            yield row, self.number(text)

    def read_right(self, fields: list[str]) -> None:
        for row, value in self.pairs("RHS", fields):
            if row in self.right:
                raise self.error(f"row {quoted(row)} has two right-hand sides")
            self.right[row] = value

    def read_range(self, fields: list[str]) -> None:
        for row, value in self.pairs("RANGES", fields):
            if row in self.ranges or row not in self.senses:
                raise self.error(f"row {quoted(row)} has two ranges or is an objective")
            self.ranges[row] = value

    def read_bound(self, fields: list[str]) -> None:
        kind, names = fields[0].upper(), self.model.columns
        value: Number = 0
        if kind in BOUNDS_WITH_VALUE and len(fields) in (3, 4):
            set_name, name = (fields[1:3]) if len(fields) == 4 else ("", fields[1])
            value = self.number(fields[-1])
        elif kind in BOUNDS_WITHOUT and len(fields) in (2, 3, 4):
            # The set's name may be missing, and a number that says nothing may follow.
            place = 1 if len(fields) == 2 or (len(fields) == 3 and fields[2] not in names) else 2
            set_name, name = ("" if place == 1 else fields[1]), fields[place]
        else:
            raise self.error(
                f"found {quoted(' '.join(fields))}, not a bound: "
                f"{' '.join((*BOUNDS_WITH_VALUE, *BOUNDS_WITHOUT))}, a set, a column, a number"
            )
        if name not in names:
            raise self.error(f"there is no column {quoted(name)}")
        if self.sets.setdefault("BOUNDS", set_name) != set_name:
            raise self.error(f"found a second BOUNDS set, {quoted(set_name)}; keep one")
        self.apply_bound(kind, names[name], finite_or_infinite(value))

    def apply_bound(self, kind: str, column: int, value: Bound) -> None:
        model = self.model
        if kind in ("LO", "LI", "FX"):
            model.lower[column] = value
        if kind in ("UP", "UI", "FX"):
            model.upper[column] = value
        if kind in ("FR", "MI"):
            model.lower[column] = -math.inf
        if kind in ("FR", "PL"):
            model.upper[column] = math.inf
        if kind == "BV":
            model.lower[column], model.upper[column] = 0, 1
        if kind in ("BV", "LI", "UI"):
            model.integer[column] = True

    def finish(self) -> BinaryModel:
        """Return the model once senses, right-hand sides and ranges are known."""
        if self.objective is not None and self.objective not in self.senses:
            # By convention the right-hand side of the objective is its constant, negated.
            self.model.offset = -self.right.get(self.objective, 0)
        for name, sense in self.senses.items():
            row = self.model.rows[name]
            side = self.right.get(name, 0)
            low: Bound = side
            high: Bound = side
            width = self.ranges.get(name)
            if sense == "G":
                high = math.inf if width is None else side + max(width, -width)
            elif sense == "L":
                low = -math.inf if width is None else side - max(width, -width)
            elif width is not None:
                low, high = (side, side + width) if width >= 0 else (side + width, side)
            self.model.row_lower[row] = finite_or_infinite(low)
            self.model.row_upper[row] = finite_or_infinite(high)
            if self.model.row_lower[row] == math.inf or self.model.row_upper[row] == -math.inf:
                raise self.source.error(f"row {quoted(name)} has an infinite right-hand side")
        return self.model.build()
