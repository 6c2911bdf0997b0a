"""The graded exercises: what they ask, what marks an answer, and a puzzle for every student.

A student's puzzle is drawn from the name by a hash, and no two are the same. Whoever has the
roster can draw the same puzzles again, so nothing but the roster is kept. The students draw
in the roster's order, and one who draws what somebody before has drawn draws again: a new
student belongs at the end of the roster.
"""

from __future__ import annotations

import csv
import gzip
import hashlib
import math
import re
import zlib
from collections.abc import Callable, Hashable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from calmip._files import make_folder, write_atomically
from calmip.course.marks import Check
from calmip.course.sandbox import LIMITS, Protection, protection
from calmip.documents.reader import read_instance, read_puzzle
from calmip.errors import InputError, listed, shown
from calmip.formats.reading import read_source
from calmip.problem.board import Board, Piece
from calmip.problem.cover import ExactCover
from calmip.problem.instance import Instance
from calmip.problem.puzzle import Puzzle
from calmip.search.witnesses import exists

__all__ = [
    "DRAWN",
    "EXERCISES",
    "SUFFIXES",
    "Assignment",
    "assigned",
    "checks_of",
    "protection_of",
    "read_roster",
    "student_of",
    "write_sheets",
    "write_solutions",
]


EXERCISES = {
    "1": "List the placements of a tiny board by hand",
    "2": "Write the placement model in PuLP",
    "3": "Write the placement model in Pyomo",
    "4": "LP relaxation, bounds, and clique cuts",
    "5": "All solutions: k-1 against k-2",
    "6": "Export, solve elsewhere, bring it back",
}
"""The exercises and their titles."""

SUFFIXES = {"1": ".txt", "2": ".py", "3": ".py", "4": ".json", "5": ".py", "6": ".sol"}
"""What the files of an exercise are called, where a folder is searched for them."""

JOBS = {"2": "pulp", "3": "pyomo", "5": "cuts"}
"""The exercises whose files are run, and what is done with them first."""

MOST_BYTES = {"1": 64_000, "2": 1_000_000, "3": 1_000_000, "4": 64_000, "5": 1_000_000,
              "6": 1_000_000}  # fmt: skip
"""Bytes of a file that is marked; a right one has a thousand, a solver's up to a
hundred thousand."""


def checks_of(
    exercise: str,
    path: Path,
    *,
    time_limit: float | None = None,
    instance: Instance | None = None,
) -> tuple[Check, ...]:
    """Return what was looked at in one submission, in order.

    Parameters
    ----------
    exercise
        The exercise's name, ``"1"`` to ``"6"``.
    path
        The submitted file.
    time_limit
        The seconds that a Python file may run, or None for as many as
        `calmip.course.sandbox` gives it.
    instance
        What the student is to work on, where it was drawn; None for what the
        exercise says.

    Raises
    ------
    InputError
        If there is no such exercise, or no such file, or it is too large.
    """
    if exercise not in EXERCISES:
        raise InputError(f"there is no exercise '{exercise}'; use one of {listed(list(EXERCISES))}")
    _check_file(path, MOST_BYTES[exercise])
    marker = _marker(exercise)
    if instance is not None:
        return marker(path, instance=instance)
    if time_limit is None or SUFFIXES[exercise] != ".py":
        return marker(path)
    return marker(path, limits={**LIMITS, "seconds": math.ceil(time_limit)})


def _marker(exercise: str) -> Callable[..., tuple[Check, ...]]:
    """Return what marks an exercise; modelling libraries and searches are loaded now."""
    if exercise in JOBS:
        from calmip.course.enumerating import grade_enumeration
        from calmip.course.modelling import grade_pulp, grade_pyomo

        return {"2": grade_pulp, "3": grade_pyomo, "5": grade_enumeration}[exercise]
    from calmip.course.answers import grade_answer, grade_cuts, grade_listing

    markers: dict[str, Callable[..., tuple[Check, ...]]]
    markers = {"1": grade_listing, "4": grade_cuts, "6": grade_answer}
    return markers[exercise]


def _check_file(path: Path, most: int) -> None:
    """Raise `InputError` if a path is no file that can be read, or a large one."""
    try:
        if not path.is_file():
            raise InputError("there is no such file to grade", path=path)
        with path.open("rb") as file:
            large = len(file.read(most + 1)) > most
        if not large:
            # What is no gzip file, or a damaged one, is for whoever reads it to say.
            with suppress(gzip.BadGzipFile, zlib.error, EOFError), gzip.open(path) as unpacked:
                large = len(unpacked.read(most + 1)) > most
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", path=path) from None
    if large:
        raise InputError(
            f"has more than {most:,} bytes, the most that a file for this exercise may have",
            path=path,
        )


def protection_of(exercise: str) -> Protection | None:
    """Return what protects this machine from the programs of an exercise; None if it has none.

    Raises
    ------
    SolverFailed
        If no program of a student can be run on this machine.
    """
    return protection(JOBS[exercise]) if exercise in JOBS else None


def write_solutions(folder: Path) -> tuple[Path, ...]:
    """Write a right answer to every exercise, for instructors; return the files.

    Parameters
    ----------
    folder
        Where to; it is made if it is not there.

    Raises
    ------
    InputError
        If the folder cannot be made, or a file cannot be written.
    """
    make_folder(folder)
    written = []
    for solution in sorted((Path(__file__).parent / "solutions").iterdir()):
        path = folder / f"{solution.name}{SUFFIXES[solution.name[0]]}"
        write_atomically(path, solution.read_bytes())
        written.append(path)
    return tuple(written)


NAME = re.compile(r"\w[\w.@+-]*")
COLUMNS = ("student", "student_id", "id")

PUZZLES = ("a-puzzle-a-day", "crea-makerspace", "jarringwords", "palmetto-whole-year")
"""Month and day on a board of 43 cells: seconds for any solver of integer programs."""

LARGE = {"L": ["###", "#.."], "T": ["###", ".#."], "S": [".##", "##."], "P": ["##", "##", "#."]}
SMALL = {"I": ["##"], "III": ["###"], "V": ["##", "#."]}
GRIDS = ((2, 3), (2, 4), (3, 3))

TRIES = 500
"""Draws for one student, before the class is said to be too large."""


@dataclass(frozen=True)
class Assignment:
    """What one student is to work on.

    Parameters
    ----------
    student, exercise
        Whose it is, and of which exercise.
    seed
        The number that it was drawn by.
    instance
        The puzzle and its date.
    source
        The puzzle and date as the program takes them; empty for a board of its own.
    """

    student: str
    exercise: str
    seed: int
    instance: Instance
    source: str = ""


def read_roster(path: Path) -> tuple[str, ...]:
    """Return the students of a roster, a CSV file with a column ``student``, in its order.

    Parameters
    ----------
    path
        The file; the column may be called ``student_id`` or ``id`` as well, and
        there may be others.

    Raises
    ------
    InputError
        If it cannot be read, has no such column, or a name is empty, is there
        twice, or could not be the name of a file.
    """
    rows = csv.reader(read_source(path).lines)
    try:
        header = [name.strip().lower() for name in next(rows)]
        column = next((header.index(name) for name in COLUMNS if name in header), None)
        if column is None:
            raise InputError(
                f"a roster has a column named one of {listed(list(COLUMNS))}; found "
                f"{shown(','.join(header))}",
                path=path, line=1,
            )  # fmt: skip
        students: list[str] = []
        for row in rows:
            if not any(cell.strip() for cell in row):
                continue
            name = row[column].strip() if column < len(row) else ""
            if NAME.fullmatch(name) is None:
                raise InputError(
                    f"'{shown(name)}' cannot be the name of a student's file; use letters, "
                    "digits, and . _ - @ + after the first",
                    path=path, line=rows.line_num,
                )  # fmt: skip
            if name.lower() in map(str.lower, students):
                raise InputError(f"'{name}' is there twice", path=path, line=rows.line_num)
            students.append(name)
    except csv.Error as error:
        raise InputError(f"is not CSV: {error}", path=path, line=rows.line_num) from None
    if not students:
        raise InputError("there is no student on this roster", path=path)
    return tuple(students)


def assigned(exercise: str, students: Sequence[str]) -> dict[str, Assignment]:
    """Return what each student is to work on; no two have the same.

    Raises
    ------
    InputError
        If this exercise is the same for everybody, or the class is too large for it.
    """
    if exercise not in DRAWN:
        raise InputError(
            f"exercise {exercise} is the same for all students; those that can be drawn for each "
            f"are {listed(list(DRAWN))}"
        )
    draw, likeness, _ = DRAWN[exercise]
    found: dict[str, Assignment] = {}
    taken: set[Hashable] = set()
    for student in students:
        for attempt in range(TRIES):
            digest = hashlib.sha256(f"{exercise}/{student}/{attempt}".encode()).digest()
            seed = int.from_bytes(digest[:6], "big")
            try:
                drawn, source = draw(seed)
            except InputError:  # a piece that fits nowhere on the board that was drawn
                continue
            same = likeness(drawn)
            if same in taken or not exists(ExactCover(drawn))[0]:
                continue
            taken.add(same)
            found[student] = Assignment(student, exercise, seed, drawn, source)
            break
        else:
            raise InputError(
                f"exercise {exercise} has not enough puzzles for {len(students)} students"
            )
    return found


def student_of(path: Path, students: Iterable[str]) -> str | None:
    """Return whose file this is: by its name, or by that of the nearest folder; or None."""
    known = {student.lower(): student for student in students}
    names = (path.stem, *reversed(path.parent.parts))
    return next((known[name.lower()] for name in names if name.lower() in known), None)


def write_sheets(exercise: str, students: Sequence[str], folder: Path) -> tuple[Path, ...]:
    """Write a sheet per student, ``STUDENT.md``, and return the files.

    Raises
    ------
    InputError
        As `assigned` does, and if a file cannot be written.
    """
    assignments = assigned(exercise, students)
    sheet = DRAWN[exercise][2]
    make_folder(folder)
    written = []
    for student, assignment in assignments.items():
        path = folder / f"{student}.md"
        write_atomically(path, sheet(assignment).encode())
        written.append(path)
    return tuple(written)


def _board(seed: int) -> tuple[Instance, str]:
    """Draw a board of at most nine cells and two pieces that fill it."""
    seed, large = divmod(seed, len(LARGE))
    seed, small = divmod(seed, len(SMALL))
    pieces = (
        Piece.from_rows("A", list(LARGE.values())[large]),
        Piece.from_rows("B", list(SMALL.values())[small]),
    )
    area = sum(len(piece.cells) for piece in pieces)
    grids = [grid for grid in GRIDS if grid[0] * grid[1] >= area]
    seed, which = divmod(seed, len(grids))
    rows, columns = grids[which]
    cells = [(row, column) for row in range(rows) for column in range(columns)]
    while len(cells) > area:
        seed, off = divmod(seed, len(cells))
        del cells[off]
    labels = iter("abcdefghi")
    text = [
        " ".join(next(labels) if (row, column) in cells else "." for column in range(columns))
        for row in range(rows)
    ]
    return Instance(Puzzle("drawn", Board.from_text(text), pieces), name="drawn"), ""


def _date(seed: int) -> tuple[Instance, str]:
    """Draw a puzzle, a month and a day."""
    seed, which = divmod(seed, len(PUZZLES))
    labels = []
    for group in read_puzzle(PUZZLES[which]).groups.values():
        seed, number = divmod(seed, len(group))
        labels.append(group[number])
    text = ",".join(labels)
    return read_instance(PUZZLES[which], reveal=text), f"{PUZZLES[which]} --reveal {text}"


def _placements(instance: Instance) -> Hashable:
    cover = ExactCover(instance)
    return frozenset(cover.option(number) for number in range(cover.columns))


def _cells(instance: Instance) -> Hashable:
    # By these alone: no tiling of other cells is one of these, whatever the puzzle.
    return frozenset(instance.to_cover)


def _listing_sheet(mine: Assignment) -> str:
    puzzle = mine.instance.puzzle
    rows, columns = puzzle.board.shape
    drawn = [
        " ".join(
            f"{r}{c}" if (r, c) in puzzle.board.cells else " ." for c in range(columns)
        ).rstrip()
        for r in range(rows)
    ]
    for piece in puzzle.pieces:
        left = min(column for _, column in piece.cells)
        cells = {(row, column - left) for row, column in piece.cells}
        height, width = (1 + max(cell[axis] for cell in cells) for axis in (0, 1))
        lines = ["".join(".#"[(r, c) in cells] for c in range(width)) for r in range(height)]
        drawn += ["", *(f"{piece.name if n == 0 else ' '}  {line}" for n, line in enumerate(lines))]
    return _sheet(mine, [
        "List all placements of both pieces, one per line: the piece, a colon and its cells, row",
        "and column as two digits (`A: 00 01 02 10`). Pieces may be turned, and turned over.",
        "Nothing lies on a dot.", "", "```text", *drawn, "```",
    ], ".txt")  # fmt: skip


def _answer_sheet(mine: Assignment) -> str:
    return _sheet(mine, [
        "Write this model, solve it with a second solver, and check its answer:", "", "```sh",
        f"calmip export {mine.source} -o model.mps",
        f"cbc model.mps -solve -solution {mine.student}.sol",
        f"calmip check {mine.source} {mine.student}.sol", "```",
    ], ".sol")  # fmt: skip


def _sheet(mine: Assignment, lines: list[str], suffix: str) -> str:
    head = [f"# Exercise {mine.exercise}: {mine.student}", "",
            f"This sheet is yours alone (number {mine.seed})."]  # fmt: skip
    tail = [f"Hand in the file `{mine.student}{suffix}`."]
    return "\n".join([*head, "", *lines, "", *tail]) + "\n"


DRAWN: dict[
    str,
    tuple[
        Callable[[int], tuple[Instance, str]],
        Callable[[Instance], Hashable],
        Callable[[Assignment], str],
    ],
] = {"1": (_board, _placements, _listing_sheet), "6": (_date, _cells, _answer_sheet)}
"""The exercises that can be drawn: how, by what two are the same, and what the sheet says."""
