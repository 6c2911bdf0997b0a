"""A puzzle for every student: drawn, kept in a table, and written as a sheet.

A student's puzzle is drawn from the name by a hash, and no two are the same: a student whose
puzzle is taken draws again. The table `TABLE` beside the sheets keeps who has which, so that a
student who leaves, or a roster in another order, changes no other puzzle.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
from collections.abc import Hashable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from calmip._base.errors import CalmipError, InputError, clip, join_words
from calmip._base.files import make_folder, write_atomically
from calmip.course.declared_numbers import has_figures
from calmip.course.exercises import SUFFIXES, checks_of, page_of
from calmip.course.statements import statement
from calmip.course.variants import DRAWN, Assignment, Draw
from calmip.mip.files.text_source import read_source

TABLE = "assigned.csv"
"""The table of who has which puzzle, in the folder of the sheets."""

COLUMNS = ("student", "exercise", "number", "puzzle")

FROM_ROSTER = ("1", "6")
"""The exercises that are drawn from a roster alone; the others need the table."""

MAX_DRAWS = 500
"""The most draws for one student; after them the class is too large."""


def assign(
    exercise: str,
    students: Sequence[str],
    *,
    term: str = "",
    kept: Mapping[str, Assignment] | None = None,
) -> dict[str, Assignment]:
    """Return the puzzle of each student; no two are the same.

    Parameters
    ----------
    exercise
        The exercise's name.
    students
        The students who need a puzzle, in order.
    term
        Any text: with another one the students draw other puzzles.
    kept
        Puzzles of earlier draws, as of `read_assigned`. They are not drawn again, nor by others.

    Raises
    ------
    InputError
        If this exercise is the same for all, or the class is too large for it.
    """
    draw = _drawn(exercise)
    old = kept or {}
    assignments: dict[str, Assignment] = {}
    taken: set[Hashable] = {draw.likeness(one.task) for one in old.values()}
    for student in students:
        if student.casefold() in old:
            assignments[student] = replace(old[student.casefold()], student=student)
            continue
        for attempt in range(MAX_DRAWS):
            text = "/".join(filter(None, (exercise, student, str(attempt), term)))
            seed = int.from_bytes(hashlib.sha256(text.encode()).digest()[:6], "big")
            try:
                drawn, source = draw.make(seed)
                fits = draw.fits(drawn)
            except InputError:  # a piece that fits nowhere on the board that was drawn
                continue
            if not fits or (same := draw.likeness(drawn)) in taken:
                continue
            taken.add(same)
            assignments[student] = Assignment(student, exercise, seed, drawn, source)
            break
        else:
            number = len(old.keys() | {one.casefold() for one in students})
            raise InputError(f"exercise {exercise} has not enough puzzles for {number} students")
    return assignments


def _drawn(exercise: str) -> Draw:
    if exercise not in DRAWN:
        raise InputError(
            f"exercise {exercise} is the same for all students; those that can be drawn for each "
            f"are {join_words(DRAWN)}"
        )
    return DRAWN[exercise]


def read_assigned(path: Path, exercise: str) -> dict[str, Assignment]:
    """Return the puzzles in a table of `write_sheets`, by the students' names in lower case.

    Raises
    ------
    InputError
        If it cannot be read, is not such a table, is that of another exercise, or a line of it
        is not what was drawn.
    """
    draw = _drawn(exercise)
    rows = csv.reader(read_source(path).lines)
    assignments: dict[str, Assignment] = {}
    try:
        if tuple(next(rows)) != COLUMNS:
            raise InputError(
                f"is not a table of calmip grade assign: its first line is {','.join(COLUMNS)}",
                path=path,
                line=1,
            )
        for row in rows:
            if not row:
                continue
            student, of, number, text = row if len(row) == len(COLUMNS) else ("", "", "", "")
            if of != exercise and of in DRAWN:
                raise InputError(
                    f"has the puzzles of exercise {of}, not {exercise}; use another folder for "
                    "each exercise",
                    path=path,
                    line=rows.line_num,
                )
            assignment = None
            with suppress(ValueError, CalmipError):
                assignment = Assignment(student, of, int(number), *draw.make(int(number)))
            if assignment is None or assignment.text != text:
                raise InputError(
                    f"this line was changed, or written by another version: number "
                    f"{clip(number, 20)} does not draw '{clip(text, 60)}'",
                    path=path,
                    line=rows.line_num,
                )
            if student.casefold() in assignments:
                raise InputError(f"'{clip(student)}' appears twice", path=path, line=rows.line_num)
            assignments[student.casefold()] = assignment
    except csv.Error as error:
        raise InputError(f"is not CSV: {error}", path=path, line=rows.line_num) from None
    return assignments


def write_sheets(
    exercise: str, students: Sequence[str], folder: Path, *, term: str = "", whole: bool = False
) -> tuple[Path, ...]:
    """Write a sheet per student, ``STUDENT.md``, and the table `TABLE`; return the files.

    Data are in ``STUDENT-data.json``. With ``whole`` a sheet has the exercise's statement, too.
    Who is in the table already keeps the puzzle, and stays in it.

    Raises
    ------
    InputError
        As `assign` and `read_assigned`, or if a file cannot be written.
    """
    draw = _drawn(exercise)
    table = folder / TABLE
    kept = read_assigned(table, exercise) if table.exists() else {}
    assignments = assign(exercise, students, term=term, kept=kept)
    make_folder(folder)
    below = f"\n---\n\n{statement(page_of(exercise), alone=True)}" if whole else ""
    every = {**kept, **{name.casefold(): one for name, one in assignments.items()}}
    # The table comes first: a sheet that it lacks would be drawn again.
    write_atomically(table, table_of(every.values()))
    written = []
    for student, assignment in assignments.items():
        path = folder / f"{student}.md"
        write_atomically(path, (_sheet(assignment, draw.sheet(assignment)) + below).encode())
        written.append(path)
        if draw.data is not None:
            path = folder / assignment.data_name
            write_atomically(path, (json.dumps(draw.data(assignment.task)) + "\n").encode())
            written.append(path)
        for name, text in draw.files(assignment.task).items() if draw.files is not None else ():
            path = folder / f"{student}-{name}"
            write_atomically(path, text.encode())
            written.append(path)
    return (*written, table)


def table_of(assignments: Iterable[Assignment]) -> bytes:
    """Return the table of who has which puzzle, for `read_assigned`."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows((one.student, one.exercise, one.seed, one.text) for one in assignments)
    return stream.getvalue().encode()


def owners_of(path: Path, assignments: Iterable[Assignment]) -> list[str]:
    """Return the students whose puzzles a file solves, or whose figures a program states."""
    return [one.student for one in assignments if _solves(path, one)]


def _solves(path: Path, assignment: Assignment) -> bool:
    figures = DRAWN[assignment.exercise].figures
    if figures is not None:  # another student's data do not tell who wrote the program
        return has_figures(path, figures(assignment.task))
    return all(check.passed for check in checks_of(assignment.exercise, path, task=assignment.task))


def _sheet(assignment: Assignment, lines: list[str]) -> str:
    head = [
        f"# Exercise {assignment.exercise}: {assignment.student}",
        "",
        f"This sheet is yours alone (number {assignment.seed}).",
    ]
    tail = [f"Hand in the file `{assignment.student}{SUFFIXES[assignment.exercise]}`."]
    return "\n".join([*head, "", *lines, "", *tail]) + "\n"
