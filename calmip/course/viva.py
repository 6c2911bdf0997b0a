"""Questions for a conversation about a student's own file, with their answers.

Who wrote the file can answer them on paper in minutes. All answers are in exact numbers. Of a model
a point is a solution without one row and violates this row alone, or no such point is proved to
exist. About numbers that were handed in the module of the exercise asks.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from calmip._base.errors import InputError, join_words
from calmip._base.limits import Deadline, Limits
from calmip.course import (
    all_optima,
    facilities,
    formulations,
    hand_cuts,
    lazy_rows,
    least_m,
    orbits,
    plane_hulls,
)
from calmip.course.checks import CASES, NO_TILING, SYMMETRIC, Failed, plain, quote
from calmip.course.class_marking import Book
from calmip.course.classroom import find_submissions
from calmip.course.exercises import (
    MAX_BYTES,
    check_exercise,
    checks_of,
    page_of,
    protection_of,
    read_submission,
)
from calmip.course.formulations import models_of
from calmip.course.patterns import MINE, WORKSHOPS
from calmip.course.rosters import ROSTERS
from calmip.course.sandbox import LIMITS
from calmip.course.statements import pages
from calmip.course.variants import DRAWN
from calmip.mip.compare.comparison import include
from calmip.mip.display import describe_number, row_words
from calmip.mip.independent_search import exists
from calmip.mip.model import Model
from calmip.mip.rows import Number, is_finite
from calmip.mip.status import Status
from calmip.puzzle.tasks.results import Result

__all__ = ["Viva", "VivaQuestion", "grade_viva"]

DATA: dict[str, tuple[str, Callable[[], Any]]] = {
    "2": ("the puzzle twelve cells", lambda: plain(CASES[3])),
    "8": ("the data of its page", lambda: formulations.data_of(NO_TILING)),
    "9": ("the puzzle two by four", lambda: orbits.data_of(SYMMETRIC[0])),
    "12": ("the data set three days", lambda: ROSTERS["three days"]),
    "13": (f"the data set {MINE}", lambda: WORKSHOPS[MINE]),
}
"""The exercises whose programs build models, and the data for which one is built."""

Ask = Callable[[Path, Mapping[str, Any], random.Random], list[tuple[str, str]]]

ANSWERS: dict[str, tuple[Mapping[str, Any], Ask]] = {
    "14": (hand_cuts.PAGE, hand_cuts.ask),
    "15": (plane_hulls.PAGE, plane_hulls.ask),
    "16": (least_m.PAGE, least_m.ask),
    "17": (facilities.PAGE, facilities.ask),
    "18": (lazy_rows.PAGE, lazy_rows.ask),
    "19": (all_optima.PAGE, all_optima.ask),
}
"""The exercises whose answers are asked about, and the data of their pages."""

NEEDED = 4
"""The rows about which points are asked."""

OWN = "the data of the own sheet"

SECONDS = 5.0
"""The time limit for each row."""

MAX_ROWS = 40
"""The most rows that are looked at."""


@dataclass(frozen=True)
class VivaQuestion:
    """A question, and its answer.

    Parameters
    ----------
    question, answer
        Both in words.
    """

    question: str
    answer: str


@dataclass(frozen=True, repr=False)
class Viva(Result):
    """Three questions about a student's model.

    Parameters
    ----------
    exercise, file
        The exercise and the file.
    data
        The data for which the model was built.
    questions
        The questions and answers.
    """

    KEYS = ("exercise", "file", "data", "questions")

    exercise: str
    file: str
    data: str
    questions: tuple[VivaQuestion, ...]

    status = Status.DONE

    def describe(self) -> dict[str, Any]:
        """Return it as plain data."""
        asked = [{"question": one.question, "answer": one.answer} for one in self.questions]
        return super().describe() | {"questions": asked}

    def _summary(self) -> str:
        return f"exercise {self.exercise}, {len(self.questions)} questions"


def grade_viva(
    exercise: str,
    path: Path | str,
    *,
    assigned: Path | str | None = None,
    term: str = "",
    time_limit: float | None = None,
) -> Viva:
    """Ask three questions about a student's file: its model, or its right answer.

    The program is run as for marking. The same file has the same questions.

    Parameters
    ----------
    exercise
        The exercise's name: one whose program builds a model, or 14 to 19.
    path
        The student's file.
    assigned
        Ask about the data that `grade_assign` drew for this student, by its table.
    term
        Ask other questions than for another TERM, which is any text.
    time_limit
        Stop the Python file after this many seconds; 60 by default.

    Raises
    ------
    InputError
        If there is no such exercise or file, it is the unchanged starter, it builds no model or
        one that has too few rows to ask about, or it is no right answer.
    SolverFailed
        If the program cannot be run on this machine.
    """
    check_exercise(exercise)
    limits, path = Limits(time_limit), Path(path)
    if exercise not in DATA and exercise not in ANSWERS:
        raise InputError(
            f"there are no questions about exercise {exercise}; use one of "
            f"{join_words([*DATA, *ANSWERS])}"
        )
    protection_of(exercise)
    content = read_submission(path, MAX_BYTES[exercise])
    draw = random.Random(hashlib.sha256(content + term.encode()).digest())  # noqa: S311
    task = None if assigned is None else _task_of(exercise, path, Path(assigned))
    if exercise in ANSWERS:
        return _about_answer(exercise, path, task, draw)
    if content == (pages() / page_of(exercise) / "starter.py").read_bytes():
        raise InputError(
            "is the unchanged starter; ask about a file that a student has worked on", path=path
        )
    name, data = DATA[exercise]
    drawn = DRAWN[exercise].data if task is not None else None
    if drawn is not None:
        name, data = OWN, lambda: drawn(task)
    seconds = None if limits.time_limit is None else {**LIMITS, "seconds": int(limits.time_limit)}
    try:
        model = models_of(path, {name: data()}, seconds)[name]
    except Failed as failed:
        raise InputError(str(failed), path=path) from None
    questions = questions_of(model, draw)
    if not questions:
        raise InputError(
            f"the model has too few rows that matter to ask about ({len(model.rows)} in all); mark "
            f"it with calmip grade {exercise} first",
            path=path,
        )
    return Viva(exercise, str(path), name, questions)


def _task_of(exercise: str, path: Path, assigned: Path) -> Any:
    """Return the task that was drawn for the student of a file."""
    book = Book.read(exercise, None, assigned)
    for one in find_submissions([path], path.suffix, book.students):
        if one.path is not None and (drawn := book.puzzle_of(one.student)):
            return drawn.task
    raise InputError(f"{assigned} has no student of this file; name it as the student", path=path)


def _about_answer(exercise: str, path: Path, task: Any, draw: random.Random) -> Viva:
    """Ask about numbers that were handed in, which are right."""
    page, ask = ANSWERS[exercise]
    checks = checks_of(exercise, path, task=task)
    if wrong := [one for one in checks if not one.passed]:
        marks = sum(one.marks for one in checks)
        raise InputError(
            f"has {marks} of 10 marks, and the questions are about a right answer; not right is: "
            f"{wrong[0].what}",
            path=path,
        )
    asked = ask(path, page if task is None else task, draw)
    name = "the data of its page" if task is None else OWN
    return Viva(exercise, str(path), name, tuple(VivaQuestion(*one) for one in asked))


def questions_of(model: Model, draw: random.Random) -> tuple[VivaQuestion, ...]:
    """Return three questions about a model; none if too few of its rows matter.

    Of a model of tilings most rows are implied by the others. So the questions about points
    without one row are replaced by some about a solution with one change, and about two variables.
    """
    same = {column: column for column in range(len(model.columns))}
    rows = [number for number in range(len(model.rows)) if len(model.exact_row(number).terms) > 1]
    needed: list[tuple[int, Mapping[int, Number]]] = []
    implied: list[int] = []
    for row in draw.sample(rows, min(len(rows), MAX_ROWS)):
        if len(needed) >= NEEDED and implied:
            break
        found = include(model.without_sides(row), model, same, Deadline(SECONDS))
        if found.point is not None and len(needed) < NEEDED:
            needed.append((row, found.point))
        elif found.proved:
            implied.append(row)
    if len(needed) < NEEDED:
        return _about_variables(model, needed, implied, draw)
    return (
        _which(model, needed[:2], draw),
        _violated(model, *needed[2]),
        _dropped(model, needed[3], implied, draw),
    )


def _about_variables(
    model: Model,
    needed: Sequence[tuple[int, Mapping[int, Number]]],
    implied: Sequence[int],
    draw: random.Random,
) -> tuple[VivaQuestion, ...]:
    """Ask about a solution of a binary model with one change, and which variable excludes one."""
    if not model.binary or not (needed or implied):
        return ()
    found, ones = exists(model, Deadline(SECONDS))
    excluding = _excluding(model)
    if not found or not ones:
        return ()
    changed = draw.choice(ones)
    off = {one: 1 for one in ones if one != changed}
    broken = [one.number for one in model.violations(off) if one.kind == "row"]
    free = {column: _apart(model, column) for column in sorted(excluding)}
    asked = [column for column, some in free.items() if some]
    if not asked or not broken:
        return ()
    column = draw.choice(asked)
    other, row = excluding[column]
    names = [_name(model.columns[one]) for one in (column, other, draw.choice(free[column]))]
    rows = [f"{_row(model, one)}, which is {_left(model, one, off)}" for one in broken]
    both = " and ".join(draw.sample(names[1:], 2))
    return (
        VivaQuestion(
            f"This point is no solution. Which rows does it violate?\n  {_point(model, off)}",
            f"It violates {len(rows)}: {'; '.join(rows)}.",
        ),
        VivaQuestion(
            f"One of {both} has to be 0 if {names[0]} is 1, by a single row. Which one, and by "
            "which row?",
            f"{names[1]}, by {_row(model, row)}. {names[2]} is in no row with {names[0]}.",
        ),
        _dropped(model, needed[0], implied, draw)
        if needed
        else VivaQuestion(*_implied(model, implied[0])),
    )


def _excluding(model: Model) -> dict[int, tuple[int, int]]:
    """Return for variables another one that a row without negative terms excludes, and the row."""
    found: dict[int, tuple[int, int]] = {}
    for number, (terms, _, high) in enumerate(model.exact_rows()):
        if is_finite(high) and min(terms.values(), default=0) >= 0:
            for one, factor in terms.items():
                for other, more in terms.items():
                    if one != other and max(factor, more) <= high < factor + more:
                        found.setdefault(one, (other, number))
    return found


def _apart(model: Model, column: int) -> list[int]:
    """Return the variables that are in no row with one."""
    beside = {one for row in model.exact_rows() if column in row.terms for one in row.terms}
    return [one for one in range(len(model.columns)) if one not in beside | {column}]


def _implied(model: Model, row: int) -> tuple[str, str]:
    return (
        f"Has the model other solutions without {_row(model, row)}?",
        "No. The other rows imply it, which is proved.",
    )


def _which(
    model: Model, needed: Sequence[tuple[int, Mapping[int, Number]]], draw: random.Random
) -> VivaQuestion:
    """Ask which of two points becomes a solution without a row."""
    (row, right), (other, wrong) = needed
    letters = draw.sample("AB", 2)
    points = dict(zip(letters, (right, wrong), strict=True))
    lines = [f"  {letter}: {_point(model, points[letter])}" for letter in "AB"]
    return VivaQuestion(
        "\n".join([f"Without {_row(model, row)}, which point becomes a solution?", *lines]),
        f"{letters[0]}. The other still violates {_row(model, other)}: it is "
        f"{_left(model, other, wrong)}.",
    )


def _violated(model: Model, row: int, point: Mapping[int, Number]) -> VivaQuestion:
    """Ask which row a point violates."""
    return VivaQuestion(
        f"This point is no solution. Which row does it violate?\n  {_point(model, point)}",
        f"It violates {_row(model, row)}, and no other: it is {_left(model, row, point)}.",
    )


def _dropped(
    model: Model,
    needed: tuple[int, Mapping[int, Number]],
    implied: Sequence[int],
    draw: random.Random,
) -> VivaQuestion:
    """Ask whether there are other solutions without a row."""
    row, point = needed
    if implied and draw.random() < 0.5:
        return VivaQuestion(*_implied(model, implied[0]))
    return VivaQuestion(
        f"Has the model other solutions without {_row(model, row)}?",
        f"Yes, for example: {_point(model, point)}.",
    )


def _row(model: Model, row: int) -> str:
    terms, low, high = model.exact_row(row)
    words = row_words(terms, low, high, [_name(name) for name in model.columns])
    return f"the row {_name(model.rows[row])} ({words})"


def _left(model: Model, row: int, point: Mapping[int, Number]) -> int | float | str:
    terms = model.exact_row(row).terms
    return describe_number(sum(value * point.get(column, 0) for column, value in terms.items()))


def _point(model: Model, point: Mapping[int, Number]) -> str:
    parts = [
        f"{_name(model.columns[column])} = {describe_number(value)}"
        for column, value in sorted(point.items())
        if value
    ]
    return f"{', '.join(parts)}; all others are 0" if parts else "all variables are 0"


def _name(name: str) -> str:
    return quote(name)[1:-1]
