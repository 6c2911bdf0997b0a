"""MPS files, fixed or free: written so that every solver reads them alike, and read strictly.

Written files have marker pairs around the integer columns with the keyword in field 3, explicit
bounds of every integer column, and a cost row even without a cost. They have no OBJSENSE section,
and names of up to eight characters stand in their fixed columns. Some reader misreads each
alternative.

The reader refuses whatever a solver might skip. Names must not contain blanks, so one reader
serves the fixed and the free form.
"""

from __future__ import annotations

import math
import re
from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import accumulate, chain, compress, islice, pairwise, repeat
from operator import ne
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple, cast

from calmip._base.errors import InputError, join_words
from calmip.mip.display import quote
from calmip.mip.files.entries import plain_numbers
from calmip.mip.files.model_builder import (
    FUNCTIONS,
    ModelBuilder,
    unknown_function,
)
from calmip.mip.files.text_source import TextFile, is_long, number, parse_number
from calmip.mip.model import Model, unused_name
from calmip.mip.rows import Bound, Number, finite_or_infinite, is_finite

if TYPE_CHECKING:
    from calmip.mip.files.mps.compiled import CompiledSections

__all__ = ["maximises_by_comment", "mps_parts", "mps_text", "read_mps"]


def mps_text(
    model: Model, semi: Mapping[int, bool] = MappingProxyType({}), more: Sequence[str] = ()
) -> str:
    """Return the model as the text of an MPS file; see `mps_parts`."""
    return "".join(mps_parts(model, semi, more))


def mps_parts(
    model: Model, semi: Mapping[int, bool] = MappingProxyType({}), more: Sequence[str] = ()
) -> Iterator[str]:
    """Return the lines of the model as an MPS file, one after the other.

    With names of up to eight characters the text is valid fixed and free MPS, otherwise free MPS.

    Parameters
    ----------
    model
        The model.
    semi
        The semi-continuous columns, which are continuous in the model, and whether each is
        integer, too.
    more
        The lines of further sections.
    """
    objective = unused_name("OBJ", model.rows)
    for name in (*model.columns, *model.rows):
        if name.split() != [name]:
            raise InputError(
                f"an MPS file cannot have the name {quote(name)}; leave out its blanks"
            )
    marker = next((name for name in model.rows if _is_marker(name)), None)
    if marker is not None:
        raise InputError(f"an MPS file cannot have a row called {quote(marker)}; rename it")
    lines = _lines(_without_empty_rows(model), objective, semi)
    return (f"{line}\n" for line in chain(lines, more, ["ENDATA"]))


def _lines(model: Model, objective: str, semi: Mapping[int, bool]) -> Iterator[str]:
    """Yield the lines of all sections up to the bounds."""
    yield from (f"* {line}" for line in model.comments)
    yield f"NAME          {'_'.join(model.name.split())}"
    yield from ("ROWS", f" N  {objective}")
    senses, right, ranges = _senses(model)
    yield from (f" {sense}  {row}" for sense, row in zip(senses, model.rows, strict=True))
    yield "COLUMNS"
    yield from _columns(model, objective)
    yield "RHS"
    # By convention the right-hand side of the objective is its constant, negated.
    constant = model.constant if model.maximise else -model.constant
    if constant:
        yield f"    RHS       {objective:<8}  {number(constant)}"
    yield from (f"    RHS       {row:<8}  {number(value)}" for row, value in right)
    yield from ["RANGES"] if ranges else []
    yield from (f"    RNG       {row:<8}  {number(value)}" for row, value in ranges)
    bounds = _bounds(model, semi)
    for first in bounds:
        yield from ("BOUNDS", first)
        yield from bounds


def _is_marker(text: str) -> bool:
    """Return whether a text in field 2 of COLUMNS begins or ends the integer columns."""
    return text.strip("'").upper() == "MARKER"


def _without_empty_rows(model: Model) -> Model:
    """Return the model with two rows for each whose bounds contradict each other.

    The format has the distance of two bounds without its sign.
    """
    bounds = list(zip(model.values("lower"), model.values("upper"), strict=True))
    for row, (low, high) in enumerate(bounds):
        if low <= high:
            continue
        terms, _, most = model.exact_row(row)
        columns = sorted(terms)
        name = unused_name(f"{model.rows[row]}_", model.rows)
        model = model.with_row(name, columns, -math.inf, most, [terms[c] for c in columns])
        upper = model.values("upper")
        upper[row] = math.inf
        exact = {key: v for key, v in model.exact.items() if key != ("upper", row)}
        model = model.changed(upper=array("d", upper), exact=exact)
    return model


def _columns(model: Model, objective: str) -> Iterator[str]:
    """Yield the lines of the section COLUMNS: the entries of each column by row, then its cost."""
    start, order, owner = _by_column(model)
    # A model of ones has no numbers to format.
    values = repeat("1") if model.of_ones else _texts(model, order)
    costs = model.costs
    integer = [False, *map(bool, model.values("integer")), False]
    for column, (name, (before, now)) in enumerate(
        zip((*model.columns, ""), pairwise(integer), strict=True)
    ):
        if before != now:
            yield f"    MARKER    'MARKER'                 '{'INTORG' if now else 'INTEND'}'"
        if column == len(model.columns):
            return
        head = f"    {name:<8}  "
        rows = owner[start[column] : start[column + 1]]
        for row, value in zip(rows, values, strict=False):
            yield f"{head}{model.rows[row]:<8}  {value}"
        if column in costs or not rows:  # a column without entries is named as well
            yield f"{head}{objective:<8}  {number(costs.get(column, 0))}"


def _by_column(model: Model) -> tuple[array[int], array[int], array[int]]:
    """Return where each column begins, and the places and the rows of the entries, by column."""
    index = model.values("index")
    start = array("i", [0]) * (len(model.columns) + 1)
    for column in index:
        start[column + 1] += 1
    start = array("i", accumulate(start))
    free = start[:]
    order, owner = (array("i", [0]) * len(index) for _ in range(2))
    for row, (first, last) in enumerate(pairwise(model.values("start"))):
        for place in range(first, last):
            column = index[place]
            to = free[column]
            order[to], owner[to], free[column] = place, row, to + 1
    return start, order, owner


def _texts(model: Model, order: array[int]) -> Iterator[str]:
    """Yield the coefficients at places as texts; all at once they would take much memory."""
    for first in range(0, len(order), BLOCK):
        yield from map(number, model.numbers("value", order[first : first + BLOCK]))


def _bounds(model: Model, semi: Mapping[int, bool]) -> Iterator[str]:
    """Yield the lines of the section BOUNDS; every integer column has one."""
    indices = range(len(model.columns))
    numbers = (model.numbers(side, indices) for side in ("column_lower", "column_upper"))
    kinds = model.values("integer")
    for place, (low, high, integer) in enumerate(zip(*numbers, kinds, strict=True)):
        column = f"BND       {model.columns[place]:<8}"
        if place in semi:
            top = number(high) if is_finite(high) else "1e30"
            if low:
                yield f" LO {column}  {number(low)}"
            yield f" {'SI' if semi[place] else 'SC'} {column}  {top}"
            continue
        if low == high:
            yield f" FX {column}  {number(low)}"
            continue
        if low == -math.inf:
            yield f" {'FR' if high == math.inf else 'MI'} {column}"
        elif low or high < 0:  # below a negative bound alone, solvers take minus infinity
            yield f" LO {column}  {number(low)}"
        if high != math.inf:
            yield f" UP {column}  {number(high)}"
        elif low == 0 and integer:
            yield f" PL {column}"


Sides = list[tuple[str, Bound]]


def _senses(model: Model) -> tuple[list[str], Sides, Sides]:
    """Return the rows' senses, their right-hand sides other than 0, and their ranges."""
    senses: list[str] = []
    right: Sides = []
    ranges: Sides = []
    indices = range(len(model.rows))
    bounds = zip(model.numbers("lower", indices), model.numbers("upper", indices), strict=True)
    for row, (low, high) in zip(model.rows, bounds, strict=True):
        bounded = is_finite(low), is_finite(high)
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
"""PuLP's files have no OBJSENSE: this comment before the first section sets their sense."""

PULP_4 = re.compile(r"\d\.\d{12}e(0|-?[1-9]\d*)\s*")
"""The ends of PuLP 4's lines. Its comment has the sense of the original problem. PuLP 4 negates an
objective to maximise, so the file is minimised whatever the comment says."""


INFINITY = ("inf", "infinity")


def _sense_in(text: str, source: TextFile) -> bool | None:
    """Return whether a comment sets the sense to maximise; None for another comment."""
    match = SENSE_COMMENT.fullmatch(text)
    if match is None or any(PULP_4.search(line[20:]) for line in source.lines):
        return None
    return match[1] == "Maximize"


REFUSED = {
    **dict.fromkeys(("QUADOBJ", "QMATRIX", "QSECTION", "QCMATRIX"), "quadratic terms"),
    **dict.fromkeys(("SOS1", "SOS2"), "special ordered sets under other headings than SOS"),
    "PWLOBJ": "piecewise-linear objectives, other than of a variable by PWL of GENCONS,",
    **dict.fromkeys(("CSECTION", "CONES"), "cones"),
    "LAZYCONS": "lazy constraints",
    "USERCUTS": "user cuts",
    "MULTIOBJ": "several objectives",
    "SCENARIOS": "scenarios",
}
"""What calmip does not read, by the section."""

ARROWS = {"IF": "->", "FF": "<->", "OI": "<-"}
"""The kinds of INDICATORS, and the same in an LP file."""

PLAIN = ("ROWS", "COLUMNS", "RHS", "RANGES")
"""Sections in which nothing is beyond linear models."""

REFUSED_BOUNDS = {
    **dict.fromkeys(("SB", "sb"), "semi-continuous variables by SB"),
    **dict.fromkeys(("PI", "pi"), "partially integer variables"),
}

BOUNDS_WITH_VALUE = ("UP", "LO", "FX", "UI", "LI", "SC", "SI")

BLOCK = 4_096
"""The lines of COLUMNS that are read or written at a time."""

BOUNDS_WITHOUT = ("BV", "FR", "MI", "PL")


def read_mps(source: TextFile) -> Model:
    """Return the model in an MPS file; errors are those of `read_model`."""
    if is_long(source):
        from calmip.mip.files.compiled import Unusual, scan_of
        from calmip.mip.files.mps.compiled import CompiledSections

        scan = scan_of(source)
        if scan is not None:
            reader = MpsReader(source)
            reader.compiled = CompiledSections(reader, scan)
            try:
                return reader.read_lines()
            except (InputError, Unusual):
                pass  # Plain Python alone says what is wrong, and where.
    return MpsReader(source).read()


def maximises_by_comment(source: TextFile) -> bool:
    """Return whether only a comment, as PuLP writes it, sets the sense to maximise."""
    rows = (n for n, text in enumerate(source.lines) if text[:4].upper() == "ROWS")
    head = source.lines[: next(rows, 0)]
    return any(_sense_in(text, source) for text in head) and not any(
        text.upper().startswith("OBJSENSE") for text in head
    )


class _Line(NamedTuple):
    """A piecewise-linear function being read; ``number`` is its line in the file."""

    columns: tuple[str, str]
    slopes: tuple[Number, Number]
    points: list[tuple[Number, Number]]
    number: int


class MpsReader:
    """A reader of one file; ``line`` is the 1-based line being read."""

    def __init__(self, source: TextFile) -> None:
        self.source = source
        self.model = ModelBuilder(source)
        self.line = 0
        self.objective = ""
        self.free_rows: set[str] = set()
        self.senses: dict[str, str] = {}
        self.current: str | None = None
        """The column whose entries are being read; None behind a marker."""
        self.in_marker = False
        self.commented: bool | None = None
        self.sets: dict[str, str] = {}
        self.right: dict[str, Bound] = {}
        self.ranges: dict[str, Bound] = {}
        self.position = 0
        """The column of that name."""
        self.seen: set[str] = set()
        self.section = ""
        self.compiled: CompiledSections | None = None
        self.places: dict[str, int] = {}
        """The rows that lines with one entry may have; -1 stands for the objective."""
        self.numbers: dict[str, Number] = {}
        self.bounded: set[int] = set()
        self.below: set[int] = set()
        self.set: tuple[str, int, list[tuple[str, Number]], int] | None = None
        self.function: tuple[str, str, list[list[str]], int] | None = None
        self.lines: dict[str, _Line] = {}

    def read(self) -> Model:
        """Return the model; before any other fault, what is beyond linear models is refused."""
        try:
            return self.read_lines()
        except InputError:
            self.refuse_others()
            raise

    def read_lines(self) -> Model:
        sections: dict[str, Callable[[list[str]], None]] = {
            "OBJSENSE": self.read_sense,
            "OBJNAME": self.read_objective,
            "ROWS": self.read_row,
            "COLUMNS": self.read_column,
            "RHS": self.read_right,
            "RANGES": self.read_range,
            "BOUNDS": self.read_bound,
            "SOS": self.read_set,
            "SETS": self.read_set,
            "INDICATORS": self.read_indicator,
            "GENCONS": self.read_function,
            "PWLNAM": self.read_line,
            "PWLCON": self.read_break,
        }
        take: Callable[[list[str]], None] | None = None
        ended = False
        for text in self.unread():
            fields = text.split()
            if take is None and (maximise := _sense_in(text, self.source)) is not None:
                self.commented = self.model.maximise = maximise
                continue
            if not fields or text.startswith("*"):
                continue
            if text[0].isspace():
                if take is None:
                    raise self.error(f"found {quote(text)} before the first section")
                take(self.uncommented(fields, take))
                continue
            self.section = section = fields[0].upper()
            if section == "NAME":
                self.read_name(fields)
            elif section == "ENDATA":
                ended = True
                break  # Solvers ignore what follows.
            elif section in sections:
                take = sections[section]
                if section in ("OBJSENSE", "OBJNAME") and len(fields) > 1:
                    take(fields[1:])
            else:
                sense = "; write OBJSENSE" if section == "SENSE" else ""
                raise self.error(
                    f"found the section {quote(fields[0])}; a linear model has NAME, "
                    f"{', '.join([*sections][:7])} and ENDATA{sense}"
                )
        if not ended:
            raise self.source.cut("ENDATA is missing")
        if self.in_marker:
            raise self.source.error("has the marker 'INTORG' without 'INTEND' after it")
        return self.finish()

    @property
    def in_columns(self) -> bool:
        """Whether the lines of COLUMNS are being read."""
        return self.section == "COLUMNS"

    def unread(self) -> Iterator[str]:
        """Yield the lines, but for those that compiled loops and `take_entries` read."""
        lines = iter(self.source.lines)
        if self.compiled is not None:
            yield from self.compiled.unread()
            lines = self.compiled.rest()
        for text in lines:
            self.line += 1
            yield text
            if self.in_columns:
                self.places = {**self.model.rows, self.objective: -1}
            while self.in_columns and (block := list(islice(lines, BLOCK))):
                yield from self.unread_of(block)

    def unread_of(self, block: Sequence[str]) -> Iterator[str]:
        """Yield the lines of COLUMNS that have not one entry each, and all behind its end."""
        fields = [text.split() for text in block]
        # The greatest line begins with the greatest character.
        if max(block)[:1] <= " " and self.take_entries(fields):
            self.line += len(block)
            return
        unusual = [
            place
            for place, (text, words) in enumerate(zip(block, fields, strict=True))
            if len(words) != 3 or words[1] not in self.places or text[0] > " "
        ]
        first = 0
        for last in (*unusual, len(block)):
            usual = self.in_columns and first < last and self.take_entries(fields[first:last])
            if usual:
                self.line += last - first
            for text in block[last if usual else first : last + 1]:
                self.line += 1
                yield text
            first = last + 1

    def take_entries(self, fields: Sequence[Sequence[str]]) -> bool:
        """Read lines that have one entry each; return whether nothing is wrong or unusual there.

        Otherwise nothing is read, and `read_column` finds what it is.
        """
        model, entries = self.model, self.model.entries
        try:
            names, rows, numbers = zip(*fields, strict=True)
            places = [*map(self.places.__getitem__, rows)]
        except (ValueError, KeyError):
            return False
        values = plain_numbers(numbers)
        begins = [*map(ne, names, (self.current, *names))]
        new = [*compress(names, begins)]
        if values is None or len({*new}) < len(new) or not model.columns.keys().isdisjoint(new):
            return False
        last = len(model.columns) - 1
        columns = [last + count for count in accumulate(begins)]
        own = columns.count(last)  # entries of the column that the lines before have begun
        if own and (self.position != last or not self.seen.isdisjoint(rows[:own])):
            return False
        priced = compress(zip(columns, numbers, strict=True), map((-1).__eq__, places))
        costs = {column: self.number(text) for column, text in priced}
        if len({*zip(columns, places, strict=True)}) < len(places):
            return False  # a row stands there twice
        for name in new:
            self.start_column(name)
        model.cost.update(costs)
        kept = [*map((-1).__lt__, places)]
        if 0.0 in values:
            kept = [keep and value != 0 for keep, value in zip(kept, values, strict=True)]
        entries.rows.extend(compress(places, kept))
        entries.columns.extend(compress(columns, kept))
        entries.values.extend(compress(values, kept))
        self.seen.update(rows[names.index(names[-1]) :])
        return True

    def refuse_others(self) -> None:
        """Refuse what is beyond linear models."""
        section = ""
        for line, text in enumerate(self.source.lines, start=1):
            # Most lines have entries.
            if section in PLAIN and text[:1] == " ":
                continue
            fields = text.split(maxsplit=1)
            if not fields or text.startswith("*"):
                continue
            if not text[0].isspace():
                section = fields[0].upper()
                if section == "ENDATA":
                    return
            what = REFUSED.get(section) or (section == "BOUNDS" and REFUSED_BOUNDS.get(fields[0]))
            if what:
                raise self.source.error(f"{what} are not read: found {quote(text.strip())}", line)

    def error(self, message: str) -> Exception:
        return self.source.error(message, self.line)

    def unexpected(self, fields: list[str], wanted: str) -> Exception:
        return self.source.unexpected(" ".join(fields), wanted, self.line)

    def uncommented(self, fields: list[str], take: Callable[[list[str]], None]) -> list[str]:
        """Return the fields before a comment, which a $ in field 3 or 5 begins."""
        if not any(field.startswith("$") for field in fields):
            return fields
        # Sections without a sense or a kind begin at field 2.
        first = 2 if take in (self.read_row, self.read_bound) else 1
        known = (self.senses, self.free_rows, self.model.columns)
        for index in range(first, len(fields), 2):
            if fields[index].startswith("$") and not any(fields[index] in names for names in known):
                return fields[:index]
        return fields

    def bound(self, text: str) -> Bound:
        if text.lower().lstrip("+-") in INFINITY:
            return -math.inf if text.startswith("-") else math.inf
        return finite_or_infinite(self.number(text))

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
            raise self.unexpected(fields, "MIN or MAX")
        self.model.maximise = SENSES[fields[0].upper()]
        if self.commented not in (None, self.model.maximise):
            raise self.error(
                f"found the sense {fields[0]}, but the comment *SENSE says the opposite; "
                "remove one of them"
            )

    def read_objective(self, fields: list[str]) -> None:
        if len(fields) != 1 or self.objective or self.senses:
            raise self.unexpected(fields, "the name of one objective, before ROWS")
        self.objective = fields[0]

    def read_row(self, fields: list[str]) -> None:
        if len(fields) != 2 or fields[0].upper() not in ("N", "E", "L", "G"):
            raise self.unexpected(fields, "a sense (N, E, L, G) and a name without blanks")
        sense, name = fields[0].upper(), fields[1]
        if name in self.free_rows or name in self.model.rows:
            raise self.error(f"a second row is called {quote(name)}")
        if _is_marker(name):
            raise self.error(f"a row is called {quote(name)}, as marks in COLUMNS are; rename it")
        if sense == "N":
            self.objective = self.objective or name
            self.free_rows.add(name)
        else:
            self.model.row(name, -math.inf, math.inf, self.line)
            self.senses[name] = sense

    def read_column(self, fields: list[str]) -> None:
        if len(fields) == 3 and fields[1] not in self.model.rows and _is_marker(fields[1]):
            kind = fields[2].strip("'").upper()
            if kind not in ("INTORG", "INTEND") or (kind == "INTORG") == self.in_marker:
                raise self.error(f"found the marker {quote(fields[2])} out of place")
            self.in_marker = kind == "INTORG"
            self.current = None
            return
        if len(fields) not in (3, 5):
            raise self.unexpected(
                fields,
                "a column and one or two pairs of a row and a number (names must not hold blanks)",
            )
        name, model = fields[0], self.model
        if name != self.current:
            if name in model.columns:
                raise self.error(f"column {quote(name)} goes on after another column or a marker")
            self.start_column(name)
        for row, text in zip(fields[1::2], fields[2::2], strict=True):
            value = self.number(text)
            if row in self.seen:
                raise self.error(f"column {quote(name)} has row {quote(row)} twice")
            self.seen.add(row)
            if row in model.rows:
                model.entry(model.rows[row], self.position, value, self.line)
            elif row == self.objective:
                model.cost[self.position] = value
            elif row not in self.free_rows:
                raise self.error(f"there is no row {quote(row)}")

    def start_column(self, name: str) -> None:
        """Begin a new column, whose entries follow."""
        model = self.model
        model.check_entries(self.line)
        self.current = name
        self.position = model.column(name, self.line)
        model.integer[self.position] = self.in_marker
        self.seen.clear()

    def pairs(self, section: str, fields: list[str]) -> Iterator[tuple[str, Bound]]:
        """Yield rows and numbers, an optional set name before them; one set per file."""
        if len(fields) % 2:
            self.check_set(section, fields[0])
            fields = fields[1:]
        if len(fields) not in (2, 4):
            raise self.error(f"found {len(fields)} fields, not one or two pairs of row and number")
        for row, text in zip(fields[::2], fields[1::2], strict=True):
            if row not in self.senses and row not in self.free_rows:
                raise self.error(f"there is no row {quote(row)}")
            if row == self.objective:
                yield row, self.number(text)
            else:
                yield row, self.bound(text)

    def check_set(self, section: str, name: str) -> None:
        if self.sets.setdefault(section, name) != name:
            raise self.error(f"found a second {section} set, {quote(name)}; keep one")

    def read_right(self, fields: list[str]) -> None:
        for row, value in self.pairs("RHS", fields):
            if row in self.right:
                raise self.error(f"row {quote(row)} has two right-hand sides")
            self.right[row] = value

    def read_range(self, fields: list[str]) -> None:
        for row, value in self.pairs("RANGES", fields):
            if row in self.ranges or row not in self.senses:
                raise self.error(f"row {quote(row)} has two ranges or is an objective")
            self.ranges[row] = value

    def read_bound(self, fields: list[str]) -> None:
        kind, names = fields[0].upper(), self.model.columns
        value: Bound = 0
        if kind in BOUNDS_WITH_VALUE and len(fields) in (3, 4):
            set_name, name = (fields[1:3]) if len(fields) == 4 else ("", fields[1])
            value = self.bound(fields[-1])
        elif kind in BOUNDS_WITHOUT and len(fields) in (2, 3, 4):
            # The set's name may be missing, and an unused number may follow.
            numeric = parse_number(fields[-1]) is not None
            bare = len(fields) == 3 and fields[2] not in names and numeric
            index = 1 if len(fields) == 2 or bare else 2
            set_name, name = ("" if index == 1 else fields[1]), fields[index]
        else:
            kinds = " ".join((*BOUNDS_WITH_VALUE, *BOUNDS_WITHOUT))
            raise self.unexpected(fields, f"a bound: {kinds}, a set, a column, a number")
        self.check_set("BOUNDS", set_name)
        # A column without entries may stand here alone.
        self.apply_bound(kind, self.model.column(name, self.line), value)

    def apply_bound(self, kind: str, column: int, value: Bound) -> None:
        model = self.model
        self.bounded.add(column)
        if kind in ("LO", "LI", "FX", "FR", "MI", "BV"):
            self.below.add(column)
        if kind in ("LO", "LI", "FX"):
            model.lower[column] = value
        if kind in ("UP", "UI", "FX"):
            model.upper[column] = value
        if kind in ("SC", "SI"):
            # HiGHS and Gurobi take 0 for no upper bound, too; the dialect's findings list it.
            model.upper[column] = value or math.inf
            model.semi.add(column)
        if kind in ("FR", "MI"):
            model.lower[column] = -math.inf
        if kind in ("FR", "PL"):
            model.upper[column] = math.inf
        if kind == "BV":
            model.lower[column], model.upper[column] = 0, 1
        if kind in ("BV", "LI", "UI", "SI"):
            model.integer[column] = True

    def read_indicator(self, fields: list[str]) -> None:
        """Read a line such as ``IF row column 1``; FF is an equivalence, OI its half."""
        if len(fields) != 4 or fields[0].upper() not in ARROWS or fields[3] not in ("0", "1"):
            raise self.unexpected(fields, "IF, FF or OI, a row, a binary column, and 0 or 1")
        kind, row, column, value = fields
        if row not in self.senses:
            raise self.error(f"there is no row {quote(row)}")
        if self.model.rows[row] in self.model.conditions:
            raise self.error(f"row {quote(row)} has two conditions")
        found = self.model.known(column, f"indicator constraint {quote(row)}", self.line)
        self.model.conditions[self.model.rows[row]] = found, int(value), ARROWS[kind.upper()]

    def read_set(self, fields: list[str]) -> None:
        """Read the head of a special ordered set, or a member with its weight."""
        if self.set is not None and self.is_member(fields):
            self.set[2].append((fields[-2], self.number(fields[-1])))
        elif fields[0].upper() in ("S1", "S2") and len(fields) in (2, 3, 4):
            self.end_set()
            # Before the name may be that of all sets, behind it a priority.
            named = len(fields) == 2 or (len(fields) == 3 and parse_number(fields[2]) is not None)
            self.set = fields[1 if named else 2], int(fields[0][1]), [], self.line
        else:
            raise self.unexpected(fields, "S1 or S2 and a name, or a column and its weight")

    def is_member(self, fields: list[str]) -> bool:
        """Return whether a line is a member of the set, whose name may stand before it."""
        if len(fields) not in (2, 3) or parse_number(fields[-1]) is None:
            return False
        if fields[0].upper() not in ("S1", "S2"):
            return True
        # A column or a set may be called S1, too.
        named = len(fields) == 2 or (self.set is not None and fields[0] == self.set[0])
        return named and fields[-2] in self.model.columns

    def end_set(self) -> None:
        if self.set is not None:
            name, most, members, line = self.set
            self.model.ordered_set(name, most, members, line)
            self.set = None

    def read_function(self, fields: list[str]) -> None:
        """Read the head of a general constraint, or one of its lines."""
        if len(fields) == 2 and fields[0].upper() in FUNCTIONS:
            self.end_function()
            self.function = fields[1], fields[0].upper(), [], self.line
        elif self.function is not None and len(fields) <= 2:
            self.function[2].append(fields)
        else:
            raise self.error(unknown_function(fields[0]))

    def end_function(self) -> None:
        if self.function is None:
            return
        (name, kind, lines, line), self.function = self.function, None
        pairs = kind == "PWL"
        if not lines or any(len(fields) != 1 + pairs for fields in lines):
            wrong = next((fields for fields in lines if len(fields) != 1 + pairs), [kind])
            raise self.source.error(
                f"general constraint {quote(name)}: cannot make sense of {quote(' '.join(wrong))}",
                line,
            )
        if pairs:
            (argument, result), *rest = lines
            points = [(self.number(x), self.number(y)) for x, y in rest]
            self.model.broken_line(name, result, argument, points, line)
        else:
            result, *arguments = (fields[0] for fields in lines)
            self.model.function(name, kind, result, arguments, line)

    def read_line(self, fields: list[str]) -> None:
        """Read a piecewise-linear function: its name, y, x, and the slopes of its ends."""
        if len(fields) != 5:
            raise self.unexpected(
                fields, "a name, the column y, the column x, and the slopes before and behind"
            )
        name, result, argument, before, behind = fields
        if name in self.lines:
            raise self.error(f"a second construct is called {quote(name)}")
        slopes = self.number(before), self.number(behind)
        self.lines[name] = _Line((result, argument), slopes, [], self.line)

    def read_break(self, fields: list[str]) -> None:
        """Read a break point of a piecewise-linear function: its name, x and y."""
        if len(fields) != 3:
            raise self.unexpected(fields, "the name of a function in PWLNAM, x and y")
        name, x, y = fields
        if name not in self.lines:
            raise self.error(f"there is no function {quote(name)} in PWLNAM")
        self.lines[name].points.append((self.number(x), self.number(y)))

    def end_lines(self) -> None:
        for name, one in self.lines.items():
            self.model.sloped_line(name, one.columns, one.slopes, one.points, one.number)

    def check_bounds(self) -> None:
        """Refuse bounds that solvers read differently."""
        model = self.model
        columns = enumerate(zip(model.columns, model.integer, strict=True))
        unbounded = {c: quote(name) for c, (name, i) in columns if i and c not in self.bounded}
        if unbounded and self.source.integer_default is None:
            names = list(unbounded.values())
            several = f"s {join_words(names, most=3)} are" if names[1:] else ""
            raise self.source.error(
                f"variable{several or f' {names[0]} is'} integer without an upper bound, which "
                "solvers read differently; bound it by 1, declare it binary, or choose an integer "
                "default of 1 or inf"
            )
        for column in unbounded:
            model.upper[column] = cast(float, self.source.integer_default)
        for name, column in model.columns.items():
            if column not in self.below and model.upper[column] < 0:
                raise self.source.error(
                    f"variable {quote(name)} has a negative upper bound and no lower bound, which "
                    "solvers read differently; give it a lower bound by LO or MI"
                )

    def finish(self) -> Model:
        """Return the model once senses, right-hand sides and ranges are known."""
        if self.compiled is not None:
            self.compiled.release()
        self.end_set()
        self.end_function()
        self.end_lines()
        self.check_bounds()
        if self.objective and self.objective not in self.free_rows:
            raise self.source.error(f"OBJNAME: there is no row N {quote(self.objective)}")
        # By convention the right-hand side of the objective is its constant, negated.
        self.model.offset = -cast(Number, self.right.get(self.objective, 0))
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
                raise self.source.error(f"row {quote(name)} has an infinite right-hand side")
        return self.model.build()
