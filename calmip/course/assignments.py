"""A puzzle for every student: drawn, kept in a table, and written as a sheet.

A student's puzzle is drawn from the name by a hash, and no two are the same: a student whose
puzzle is taken draws again. The table `TABLE` beside the sheets keeps who has which, so that a
student who leaves, or a roster in another order, changes no other puzzle.
"""

from __future__ import annotations

import csv
import hashlib
import io
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from calmip._files import make_folder, write_atomically
from calmip.course.exercises import checks_of
from calmip.documents.reader import read_instance, read_puzzle
from calmip.errors import CalmipError, InputError, clip, join_words
from calmip.formats.reading import read_source
from calmip.problem.board import Board, Piece
from calmip.problem.cover import ExactCover
from calmip.problem.instance import Instance
from calmip.problem.puzzle import Puzzle
from calmip.search.witnesses import exists

__all__ = [
    "DRAWN",
    "TABLE",
    "Assignment",
    "assign",
    "owners_of",
    "read_assigned",
    "write_sheets",
]


TABLE = "assigned.csv"
"""The table of who has which puzzle, in the folder of the sheets."""

COLUMNS = ("student", "exercise", "number", "puzzle")

PUZZLES = ("a-puzzle-a-day", "crea-makerspace", "jarringwords", "palmetto-whole-year")
"""Month and day on a board of 43 cells: seconds for any solver of integer programs."""

LARGE = {"L": ["###", "#.."], "T": ["###", ".#."], "S": [".##", "##."], "P": ["##", "##", "#."]}
SMALL = {"I": ["##"], "III": ["###"], "V": ["##", "#."]}
GRIDS = ((2, 3), (2, 4), (3, 3))

TRIES = 500
"""Draws for one student before the class is too large."""


@dataclass(frozen=True)
class Assignment:
    """A student's puzzle.

    Parameters
    ----------
    student, exercise
        The student and the exercise.
    seed
        The number that it was drawn by.
    instance
        The puzzle and its date.
    source
        These as arguments of the program; empty for a board of its own.
    """

    student: str
    exercise: str
    seed: int
    instance: Instance
    source: str = ""

    @property
    def text(self) -> str:
        """The puzzle in a few words, the same for the same puzzle."""
        puzzle = self.instance.puzzle
        rows = "/".join("".join(row) for row in puzzle.board.rows)
        pieces = [
            f"{piece.name}={'+'.join(f'{row}{column}' for row, column in sorted(piece.cells))}"
            for piece in puzzle.pieces
        ]
        return self.source or " ".join([rows, *pieces])


Draw = tuple[
    Callable[[int], tuple[Instance, str]],
    Callable[[Instance], Hashable],
    Callable[[Assignment], str],
]
"""How an exercise is drawn: by a number, what makes two the same, and the sheet."""


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
    draw, likeness, _ = _drawn(exercise)
    old = kept or {}
    found: dict[str, Assignment] = {}
    taken: set[Hashable] = {likeness(one.instance) for one in old.values()}
    for student in students:
        if student.casefold() in old:
            found[student] = replace(old[student.casefold()], student=student)
            continue
        for attempt in range(TRIES):
            text = "/".join(filter(None, (exercise, student, str(attempt), term)))
            seed = int.from_bytes(hashlib.sha256(text.encode()).digest()[:6], "big")
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
            number = len(old.keys() | {one.casefold() for one in students})
            raise InputError(f"exercise {exercise} has not enough puzzles for {number} students")
    return found


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
    draw, _, _ = _drawn(exercise)
    rows = csv.reader(read_source(path).lines)
    found: dict[str, Assignment] = {}
    try:
        if tuple(next(rows)) != COLUMNS:
            raise InputError(
                f"is not a table of calmip grade assign: its first line is {','.join(COLUMNS)}",
                path=path, line=1,
            )  # fmt: skip
        for row in rows:
            if not row:
                continue
            student, of, number, text = row if len(row) == len(COLUMNS) else ("", "", "", "")
            if of != exercise and of in DRAWN:
                raise InputError(
                    f"has the puzzles of exercise {of}, not {exercise}; use another folder for "
                    "each exercise",
                    path=path, line=rows.line_num,
                )  # fmt: skip
            mine = None
            with suppress(ValueError, CalmipError):
                mine = Assignment(student, of, int(number), *draw(int(number)))
            if mine is None or mine.text != text:
                raise InputError(
                    f"this line was changed, or written by another version: number "
                    f"{clip(number, 20)} does not draw '{clip(text, 60)}'",
                    path=path, line=rows.line_num,
                )  # fmt: skip
            if student.casefold() in found:
                raise InputError(f"'{clip(student)}' appears twice", path=path, line=rows.line_num)
            found[student.casefold()] = mine
    except csv.Error as error:
        raise InputError(f"is not CSV: {error}", path=path, line=rows.line_num) from None
    return found


def write_sheets(
    exercise: str, students: Sequence[str], folder: Path, *, term: str = ""
) -> tuple[Path, ...]:
    """Write a sheet per student, ``STUDENT.md``, and the table `TABLE`; return the files.

    Who is in the table already keeps the puzzle, and stays in it.

    Raises
    ------
    InputError
        As `assign` and `read_assigned`, or if a file cannot be written.
    """
    _, _, sheet = _drawn(exercise)
    table = folder / TABLE
    kept = read_assigned(table, exercise) if table.exists() else {}
    assignments = assign(exercise, students, term=term, kept=kept)
    make_folder(folder)
    every = {**kept, **{name.casefold(): one for name, one in assignments.items()}}
    # The table comes first: a sheet that it lacks would be drawn again.
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows((one.student, exercise, one.seed, one.text) for one in every.values())
    write_atomically(table, stream.getvalue().encode())
    written = []
    for student, assignment in assignments.items():
        path = folder / f"{student}.md"
        write_atomically(path, sheet(assignment).encode())
        written.append(path)
    return (*written, table)


def owners_of(path: Path, assignments: Iterable[Assignment]) -> list[str]:
    """Return the students whose puzzles a file solves with full marks."""
    return [
        one.student
        for one in assignments
        if all(check.passed for check in checks_of(one.exercise, path, instance=one.instance))
    ]


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
    # The cells suffice: no tiling covers two different sets of cells.
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


DRAWN: dict[str, Draw] = {
    "1": (_board, _placements, _listing_sheet),
    "6": (_date, _cells, _answer_sheet),
}
"""The exercises that can be drawn: how, what makes two the same, and the sheet."""
