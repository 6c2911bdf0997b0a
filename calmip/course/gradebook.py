"""Marks go back into the CSV file of a learning platform: cells are filled, nothing else changes.

Moodle's grading worksheet has a column for the grade and one for comments, Canvas's gradebook a
column for each assignment. Both take a file back if its other cells are as they were. So the file
is not written anew: each filled cell replaces its own characters, whatever the quotes, the ends
of lines and the byte order mark.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from html import escape
from pathlib import Path

from calmip._base.errors import InputError, clip, join_words
from calmip._base.files import read_bytes, write_atomically
from calmip.course.checks import Check
from calmip.course.classroom import (
    NO_STUDENTS,
    Student,
    delimiter_of,
    keys_of,
    moodle_id,
    student_by,
)
from calmip.course.translations import ENGLISH, fill

MAX_BYTES = 20_000_000
"""The most bytes of a gradebook; one of 2,000 students and 100 assignments has a tenth of that."""

ASSIGNMENT = re.compile(r".+ \(\d+\)")
"""A column of Canvas that is an assignment's."""

GRADE, COMMENTS, MOST = "grade", "feedback comments", "maximum grade"
"""The columns of Moodle's worksheet, in small letters."""


@dataclass(frozen=True)
class _Cell:
    """A cell: its text, and where it stands in the file."""

    text: str
    start: int
    end: int


_Row = tuple[_Cell, ...]


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
        The rows of the students of the class, by their names.
    grade, comments, most
        The places of the columns of the marks, the comments and the highest grade; the last two
        are None where there are none.
    points
        What the row of Canvas states as the highest grade; empty without one.
    """

    path: Path
    text: str
    rows: Mapping[str, _Row]
    grade: int
    comments: int | None
    most: int | None
    points: str

    @classmethod
    def read(cls, path: Path, students: Iterable[Student], column: str | None = None) -> Gradebook:
        """Return a gradebook with the column to fill, by default that of Moodle's worksheet.

        Raises
        ------
        InputError
            If the file cannot be read, is not CSV, has not the column, or two rows of one student.
        """
        try:
            text = read_bytes(path, MAX_BYTES).decode()
        except UnicodeDecodeError:
            raise InputError("a gradebook is a CSV file in UTF-8", path=path) from None
        rows = _rows(path, text)
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
        grade = places[wanted]
        full = [row for row in rows[1:] if len(row) > grade]
        return cls(
            path,
            text,
            _rows_of(path, full, grade, keys_of(students)),
            grade,
            places.get(COMMENTS),
            places.get(MOST) if wanted == GRADE else None,
            next((row[grade].text for row in full if _start(row) == NO_STUDENTS[0]), ""),
        )

    def fill(self, checks: Mapping[str, Sequence[Check] | None], language: str = ENGLISH) -> str:
        """Write the marks of students into their rows, and return what was filled and what not.

        Marks are scaled to the highest grade of the platform, if it states one.

        Parameters
        ----------
        checks
            The checks of each student's submission, by name; None if the marks are not final, so
            that the cell stays as it is.
        language
            The language of the comments, in which the checks are.

        Raises
        ------
        InputError
            If the file cannot be written, or has changed since it was read.
        """
        changes: dict[int, tuple[int, str]] = {}
        filled: list[str] = []
        kept: list[str] = []
        for name, row in self.rows.items():
            found = checks.get(name)
            (kept if found is None else filled).append(name)
            for place, value in (
                {} if found is None else self._values(row, found, language)
            ).items():
                changes[row[place].start] = row[place].end, _quoted(value)
        if read_bytes(self.path, MAX_BYTES).decode(errors="replace") != self.text:
            raise InputError(
                "has changed since the marking began; nothing is filled", path=self.path
            )
        parts, at = [], 0
        for start, (end, value) in sorted(changes.items()):
            parts += [self.text[at:start], value]
            at = end
        write_atomically(self.path, "".join([*parts, self.text[at:]]).encode())
        told = f"{clip(self.path, 200)}: {len(filled)} rows filled"
        for what, names in (
            ("not final", kept),
            ("without a row", [name for name in checks if name not in self.rows]),
        ):
            told += f"; {what}: {join_words([clip(n) for n in names], most=10)}" if names else ""
        return told

    def _values(self, row: _Row, checks: Sequence[Check], language: str) -> Mapping[int, str]:
        """Return the texts of the cells that are filled, by their places."""
        marks, worth = (sum(getattr(c, n) for c in checks) for n in ("marks", "worth"))
        stated = self.points
        if self.most is not None and self.most < len(row):
            stated = row[self.most].text
        most = re.fullmatch(r"\s*(\d+)(?:([.,])(\d+))?\s*", stated)
        scale = Fraction(f"{most[1]}.{most[3] or 0}") / worth if most and worth else Fraction(1)
        value = f"{float(marks * scale):.2f}".rstrip("0").rstrip(".")
        values = {self.grade: value.replace(".", most[2] or ".") if most else value}
        if self.comments is not None and self.comments < len(row):
            tell = partial(fill, language=language)
            lines = [tell("{earned} of {most} marks", earned=marks, most=worth)]
            failed = [(f"{c.marks}/{c.worth} {c.what}", c.fault) for c in checks if c.fault]
            lines += [tell("{a}: {b}", a=what, b=fault) for what, fault in failed]
            values[self.comments] = "<br>".join(escape(line, quote=False) for line in lines)
        return values


def _start(row: _Row) -> str:
    return row[0].text.strip().casefold()


def _rows_of(
    path: Path, rows: Iterable[_Row], grade: int, keys: Mapping[str, Student]
) -> dict[str, _Row]:
    """Return the rows of students, by their names; what is before the marks says whose one is."""
    found: dict[str, _Row] = {}
    twice: set[str] = set()
    for row in rows:
        cells = [cell.text.strip() for cell in row[:grade]]
        if not cells or _start(row) in NO_STUDENTS:
            continue
        student = student_by([moodle_id(cells[0]), *cells], keys)
        if student is not None:
            twice |= {student.name} & found.keys()
            found[student.name] = row
    if twice:
        raise InputError(f"has two rows of {join_words(sorted(twice))}", path=path)
    return found


def _quoted(value: str) -> str:
    return f'"{value.replace(chr(34), 2 * chr(34))}"' if re.search(r'[",;\t<]', value) else value


def _rows(path: Path, text: str) -> list[_Row]:
    """Return the cells of each row of a CSV file, and where they stand."""
    begin = 1 if text.startswith("\ufeff") else 0
    delimiter = delimiter_of(text[begin:].partition("\n")[0])
    field = re.compile(
        rf'(?:"((?:[^"]|"")*)"|((?!")[^{delimiter}\r\n]*))({delimiter}|\r\n|\n|\r|\Z)', re.DOTALL
    )
    rows: list[_Row] = []
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
