"""Reader of the text form of ``.nl`` files, which AMPL, Pyomo and others give to solvers.

The format is that of Gay, Writing .nl Files (2005). Only linear models are read: the counts in the
header say what else there is. Names stand in files ``.col`` and ``.row`` beside it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from pathlib import Path

from calmip._base.errors import InputError
from calmip.mip.display import quote
from calmip.mip.files.model_builder import ModelBuilder
from calmip.mip.files.native import distinct_names
from calmip.mip.files.text_source import TextFile, read_source
from calmip.mip.model import Model
from calmip.mip.rows import Bound, Number, finite_or_infinite

ZEROS = (
    (3, "nonlinear constraints, nonlinear objectives, complementarity conditions"),
    (4, "network constraints"),
    (5, "nonlinear variables"),
    (6, "network variables, functions"),
    (10, "common expressions"),
)
"""The lines of the header whose counts have to be 0, and what they count; of line 6 two."""

HEADER = 10
"""The lines of the header."""

HARMLESS = frozenset("xd")
"""Segments that say nothing about the solutions: first guesses."""


def read_nl(source: TextFile) -> Model:
    """Return the model in a file; raise `InputError` if it is not linear, or not text."""
    return _Reader(source).read()


class _Reader:
    """The lines of a file, read one by one."""

    def __init__(self, source: TextFile) -> None:
        self.source, self.next = source, 0
        self.builder = ModelBuilder(source)
        self.entries = 0
        """The coefficients of rows, with those that are 0."""
        self.objectives = 0
        self.announced: list[int] = []
        """The numbers of coefficients in the rows and in the objective."""

    def words(self) -> list[str]:
        """Return the words of the next line, without its comment."""
        if self.next == len(self.source.lines):
            raise self.source.cut("a line is missing")
        line = self.source.lines[self.next]
        self.next += 1
        return line.partition("#")[0].split()

    def counts(self, least: int) -> list[int]:
        """Return the whole numbers of the next line, of which there are so many at least."""
        words = self.words()
        if len(words) < least or not all(re.fullmatch("[0-9]+", word) for word in words):
            found = self.source.lines[self.next - 1]
            raise self.source.unexpected(found, f"{least} counts", self.next)
        return [self.source.count(word, self.next) for word in words]

    def read(self) -> Model:
        """Return the model."""
        if not re.match("[gb][0-9]", self.source.lines[0]):
            raise self.source.unexpected(self.source.lines[0][:60], "a header such as g3 1 1 0", 1)
        if self.source.lines[0].startswith("b"):
            raise self.source.error("is a binary .nl file; write it as text (option g)", 1)
        self.next = 1
        sizes = self.counts(3)
        if sizes[5:6] not in ([], [0]):
            raise self.source.error("has logical constraints; only linear models are read", 2)
        if sizes[2] > 1:
            raise self.source.error(f"has {sizes[2]} objectives; one is read", 2)
        if sum(sizes[:2]) > len(self.source.lines):  # each has a line of its own
            raise self.source.cut(f"{sum(sizes[:2])} variables and constraints are announced")
        integers = self.header()
        if integers > sizes[0]:
            raise self.source.error(f"has {integers} integer variables of {sizes[0]}", 7)
        self.objectives = sizes[2]
        self.declare(sizes[0], sizes[1], integers)
        segments: dict[str, Callable[[str, list[str]], None]] = {
            "C": self.constraint,
            "O": self.objective,
            "J": self.row,
            "G": self.costs,
            "r": self.sides,
            "b": self.bounds,
            "k": self.skip,
        }
        seen = set[str]()
        while self.next < len(self.source.lines):
            words = self.words()
            if not words:
                continue
            kind = words[0][0]
            if words[0] in seen:
                raise self.source.error(f"has the segment {quote(words[0])} twice", self.next)
            seen.add(words[0])
            if kind in HARMLESS:
                self.skip(words[0][1:], words[1:])
            elif kind in segments:
                segments[kind](words[0][1:], words[1:])
            else:
                raise self.source.error(
                    f"has the segment {quote(words[0])}, which is no part of a linear model; "
                    "suffixes, functions and logical constraints are not read",
                    self.next,
                )
        self.check_end(seen, sizes)
        return self.builder.build()

    def check_end(self, seen: set[str], sizes: list[int]) -> None:
        """Refuse a file that lacks a segment or coefficients."""
        for kind, size in (("b", sizes[0]), ("r", sizes[1]), ("O0", sizes[2])):
            if size and kind not in seen:
                raise self.source.cut(f"the segment {kind} is missing")
        found = self.entries, len(self.builder.cost)
        for what, told, there in zip(("rows", "objective"), self.announced, found, strict=True):
            if told != there:
                raise self.source.cut(
                    f"{told} coefficients of the {what} are announced, and {there} are there"
                )

    def header(self) -> int:
        """Check the lines of the header from the third on; return the number of integers."""
        integers = 0
        for line, what in ZEROS:
            while self.next < line - 1:
                found = self.counts(2)
                if self.next == 8:
                    self.announced = found[:2]
                if self.next == 7:
                    integers = sum(found[:2])
                    if any(found[2:]):
                        raise self.source.error("has nonlinear integer variables", 7)
            several = self.counts(2)
            if any(several[:2] if line == 6 else several):
                raise self.source.error(f"has {what}; only linear models are read", line)
        return integers

    def declare(self, width: int, height: int, integers: int) -> None:
        """Add the columns and the rows under their names; the last columns are integer."""
        builder = self.builder
        for number, name in enumerate(self.names("col", width, "x")):
            builder.column(name, 2)
            builder.integer[number] = number >= width - integers
            builder.lower[number] = -math.inf
        for name in self.names("row", height, "c"):
            builder.row(name, -math.inf, math.inf, 2)

    def names(self, kind: str, number: int, letter: str) -> list[str]:
        """Return the names in the file beside this one, or numbers if there is none."""
        path = Path(re.sub(r"\.nl(\.\w+)?$", f".{kind}", self.source.name, flags=re.IGNORECASE))
        names = [""] * number
        if path.suffix == f".{kind}" and path.is_file():
            found = [line.strip() for line in read_source(path).lines]
            if len(found) < number:
                raise InputError(
                    f"has {len(found)} names, and the model {number}; it is of another model",
                    path=str(path),
                )
            names = found[:number]
        return list(distinct_names(names, letter))

    def place(self, text: str, size: int) -> int:
        """Return the number of a column or row in a text."""
        number = self.size(text)
        if number >= size:
            raise self.source.error(f"found the number {quote(text)}; there are {size}", self.next)
        return number

    def size(self, text: str) -> int:
        """Return the whole number in a text."""
        if not re.fullmatch("[0-9]{1,9}", text):
            raise self.source.unexpected(text, "a number of columns, rows or lines", self.next)
        return int(text)

    def value(self, text: str) -> Number:
        """Return a number, without rounding."""
        return self.source.exact(text, self.next)

    def constant(self, what: str) -> Number:
        """Return the constant that is all there is of an expression."""
        words = self.words()
        if len(words) != 1 or not words[0].startswith("n"):
            raise self.source.error(f"{what} is not linear: {quote(' '.join(words))}", self.next)
        return self.value(words[0][1:])

    def constraint(self, number: str, _: list[str]) -> None:
        """Read the constant of a row, which is moved to its sides."""
        row = self.place(number, len(self.builder.rows))
        name = list(self.builder.rows)[row]
        if self.constant(f"row {quote(name)}"):
            raise self.source.error(f"row {quote(name)} has a constant on its left side", self.next)

    def objective(self, number: str, words: list[str]) -> None:
        """Read the sense and the constant of the objective."""
        self.place(number, self.objectives)
        if words not in (["0"], ["1"]):
            raise self.source.unexpected(" ".join(words), "0 (minimise) or 1 (maximise)", self.next)
        self.builder.maximise = words == ["1"]
        self.builder.offset = self.constant("the objective")

    def row(self, number: str, words: list[str]) -> None:
        """Read the coefficients of a row."""
        row = self.place(number, len(self.builder.rows))
        for column, value in self.pairs(words):
            self.entries += 1
            self.builder.entry(row, column, value, self.next)

    def costs(self, number: str, words: list[str]) -> None:
        """Read the coefficients of the objective."""
        self.place(number, self.objectives)
        for column, value in self.pairs(words):
            self.builder.cost[column] = self.builder.cost.get(column, 0) + value

    def pairs(self, words: list[str]) -> list[tuple[int, Number]]:
        """Return so many columns with their numbers."""
        found = []
        for _ in range(self.size(words[0] if words else "")):
            both = self.words()
            if len(both) != 2:
                raise self.source.error("a column and a number should stand here", self.next)
            found.append((self.place(both[0], len(self.builder.columns)), self.value(both[1])))
        return found

    def sides(self, _: str, __: list[str]) -> None:
        """Read the sides of all rows."""
        builder = self.builder
        for row in range(len(builder.rows)):
            builder.row_lower[row], builder.row_upper[row] = self.interval()

    def bounds(self, _: str, __: list[str]) -> None:
        """Read the bounds of all columns."""
        builder = self.builder
        for column in range(len(builder.columns)):
            builder.lower[column], builder.upper[column] = self.interval()

    def interval(self) -> tuple[Bound, Bound]:
        """Return the interval of a line: its kind, and its ends."""
        kind, *ends = self.words() or [""]
        if kind == "5":
            raise self.source.error("has a complementarity condition", self.next)
        sizes = {"0": 2, "1": 1, "2": 1, "3": 0, "4": 1}
        if sizes.get(kind) != len(ends):
            raise self.source.error(
                "the kind of a bound, 0 to 4, and its ends are expected", self.next
            )
        values = [finite_or_infinite(self.value(end)) for end in ends]
        low = -math.inf if kind in "13" else values[0]
        return low, math.inf if kind in "23" else values[-1]

    def skip(self, number: str, __: list[str]) -> None:
        """Skip so many lines."""
        for _ in range(self.size(number)):
            self.words()
