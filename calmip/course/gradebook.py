"""Marks go back into the CSV file of a learning platform: cells are filled, nothing else changes.

Moodle's grading worksheet has a column for the grade and one for comments, Canvas's gradebook a
column for each assignment. Both take a file back if its other cells are as they were. So the file
is not written anew: each filled cell replaces its own characters, whatever the quotes, the ends
of lines and the byte order mark.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from html import escape
from pathlib import Path

from calmip._base.errors import InputError, clip, join_words
from calmip._base.files import read_bytes, write_atomically
from calmip.course.checks import Check
from calmip.course.classroom import NO_STUDENTS, Student, student_by

MAX_BYTES = 20_000_000
"""The most bytes of a gradebook; one of 2,000 students and 100 assignments has a tenth of that."""

ASSIGNMENT = re.compile(r".+ \(\d+\)")
"""A column of Canvas that is an assignment's."""

GRADE, COMMENTS, MOST = "grade", "feedback comments", "maximum grade"
"""The columns of Moodle's worksheet, in small letters."""

IDENTIFIER = re.compile(r"\D*(\d+)")


@dataclass(frozen=True)
class _Cell:
    """A cell: its text, and where it stands in the file."""

    text: str
    start: int
    end: int


@dataclass(frozen=True)
class Grade:
    """What is filled in for a student.

    Parameters
    ----------
    student
        The student, with all names by which platforms may call this one.
    checks
        The checks of the submission.
    known
        Whether the marks are final: this machine did not fail, and all checks were decided.
    """

    student: Student
    checks: Sequence[Check]
    known: bool


@dataclass(frozen=True)
class Gradebook:
    """A file of a learning platform into which marks are written.

    Parameters
    ----------
    path
        The file.
    text
        Its text, with its byte order mark if it has one.
    rows
        The cells of each row, the header first.
    grade, comments, most
        The places of the columns of the marks, the comments and the highest grade; the last two
        are None where there are none.
    """

    path: Path
    text: str
    rows: tuple[tuple[_Cell, ...], ...]
    grade: int
    comments: int | None
    most: int | None

    @classmethod
    def read(cls, path: Path, column: str | None = None) -> Gradebook:
        """Return a gradebook with the column to fill, by default that of Moodle's worksheet.

        Raises
        ------
        InputError
            If the file cannot be read, is not CSV, or has not the column.
        """
        try:
            text = read_bytes(path, MAX_BYTES).decode()
        except UnicodeDecodeError:
            raise InputError("a gradebook is a CSV file in UTF-8", path=path) from None
        rows = tuple(_rows(path, text))
        names = [cell.text.strip() for cell in rows[0]] if rows else []
        small = [name.casefold() for name in names]
        moodle = GRADE in small and "sis user id" not in small
        wanted = GRADE if column is None and moodle else (column or "").strip().casefold()
        if small.count(wanted) != 1:
            known = [name for name in names if ASSIGNMENT.fullmatch(name)] or names
            which = "choose a column" if column is None else f"there is not one column '{column}'"
            raise InputError(
                f"{which}; --into-column is one of {join_words(list(map(clip, known)), most=20)}",
                path=path,
                line=1,
            )
        places = {name: place for place, name in enumerate(small)}
        return cls(
            path,
            text,
            rows,
            places[wanted],
            places.get(COMMENTS),
            places.get(MOST) if wanted == GRADE else None,
        )

    def fill(self, grades: Sequence[Grade]) -> str:
        """Write the marks of students into their rows, and return what was filled and what not.

        Marks are scaled to the highest grade of the platform, if it states one. A student whose
        marks are not final keeps the cell as it is.

        Raises
        ------
        InputError
            If the file cannot be written, or has changed since it was read.
        """
        by_name = {one.student.name: one for one in grades}
        points = self._points()
        filled: dict[str, tuple[_Cell, ...]] = {}
        changes: dict[int, tuple[int, str]] = {}
        twice: set[str] = set()
        for row in self.rows[1:]:
            student = self._student(row, [one.student for one in grades])
            if student is None or len(row) <= self.grade:
                continue
            if student.name in filled:
                twice.add(student.name)
            filled[student.name] = row
            one = by_name[student.name]
            if one.known:
                for place, value in self._values(row, one, points).items():
                    cell = row[place]
                    changes[cell.start] = cell.end, self._quoted(value)
        if twice:
            raise InputError(f"has two rows of {join_words(sorted(twice))}", path=self.path)
        if read_bytes(self.path, MAX_BYTES).decode(errors="replace") != self.text:
            raise InputError(
                "has changed since the marking began; nothing is filled", path=self.path
            )
        parts, at = [], 0
        for start, (end, value) in sorted(changes.items()):
            parts += [self.text[at:start], value]
            at = end
        write_atomically(self.path, "".join([*parts, self.text[at:]]).encode())
        final = [name for name in filled if by_name[name].known]
        told = f"{clip(self.path, 200)}: {len(final)} rows filled"
        for what, names in (
            ("not final", [name for name in filled if not by_name[name].known]),
            ("without a row", [name for name in by_name if name not in filled]),
        ):
            told += f"; {what}: {join_words([clip(n) for n in names], most=10)}" if names else ""
        return told

    def _student(self, row: tuple[_Cell, ...], students: Sequence[Student]) -> Student | None:
        cells = [cell.text.strip() for cell in row[: self.grade]]
        if not cells or cells[0].casefold() in NO_STUDENTS:
            return None
        number = IDENTIFIER.fullmatch(cells[0])
        return student_by([*([f"moodle id {number[1]}"] if number else []), *cells], students)

    def _points(self) -> str:
        """Return what the row of Canvas states as the points of the assignment; empty without."""
        for row in self.rows[1:]:
            if row[0].text.strip().casefold() == NO_STUDENTS[0] and len(row) > self.grade:
                return row[self.grade].text
        return ""

    def _values(self, row: tuple[_Cell, ...], one: Grade, points: str) -> Mapping[int, str]:
        """Return the texts of the cells that are filled, by their places."""
        marks, worth = (sum(getattr(c, n) for c in one.checks) for n in ("marks", "worth"))
        stated = points
        if self.most is not None and self.most < len(row):
            stated = row[self.most].text
        most = re.fullmatch(r"\s*(\d+)(?:([.,])(\d+))?\s*", stated)
        scale = Fraction(f"{most[1]}.{most[3] or 0}") / worth if most and worth else Fraction(1)
        value = f"{float(marks * scale):.2f}".rstrip("0").rstrip(".")
        values = {self.grade: value.replace(".", most[2] or ".") if most else value}
        if self.comments is not None and self.comments < len(row):
            lines = [f"{marks} of {worth} marks"]
            lines += [f"{c.marks}/{c.worth} {c.what}: {c.fault}" for c in one.checks if c.fault]
            values[self.comments] = "<br>".join(escape(line, quote=False) for line in lines)
        return values

    def _quoted(self, value: str) -> str:
        return (
            f'"{value.replace(chr(34), 2 * chr(34))}"' if re.search(r'[",;\t<]', value) else value
        )


def _rows(path: Path, text: str) -> list[tuple[_Cell, ...]]:
    """Return the cells of each row of a CSV file, and where they stand."""
    begin = 1 if text.startswith("\ufeff") else 0
    first = text[begin:].partition("\n")[0]
    delimiter = max(",;\t", key=first.count)
    field = re.compile(
        rf'(?:"((?:[^"]|"")*)"|((?!")[^{delimiter}\r\n]*))({delimiter}|\r\n|\n|\r|\Z)', re.DOTALL
    )
    rows: list[tuple[_Cell, ...]] = []
    cells: list[_Cell] = []
    at = begin
    while at < len(text):
        found = field.match(text, at)
        if found is None:
            line = text.count("\n", 0, at) + 1
            raise InputError("is not CSV: a quoted cell does not end", path=path, line=line)
        quoted, plain, end = found.groups()
        value = plain if quoted is None else quoted.replace('""', '"')
        cells.append(_Cell(value, found.start(), found.start(3)))
        at = found.end()
        if end != delimiter or at == len(text):
            rows.append(tuple(cells))
            cells = []
    return rows
