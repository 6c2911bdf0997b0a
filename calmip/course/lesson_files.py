"""Lessons for the lab of the page: a small model, a question, hints, and an answer that is proved.

A lesson is a YAML file. `lesson_data` is what the page has of it: all but the answer, since the
page judges what a student writes by exact arithmetic. What an answer must do is under ``ask``:

``row``
    An inequality that keeps all solutions, or an optimum (``keeps``). With it, the relaxation's
    optimum is at best ``bound``, and at most ``leaves`` solutions are left.
``point``
    A solution worth at least ``worth``; at most, where the objective is minimised.
``number``
    The optimum of the ``relaxation``, the ``optimum`` of the model, or how many ``solutions`` it
    has (``of``).
``multipliers``
    Multipliers of rows that prove the ``bound``, or without one that the relaxation is
    infeasible; those of the rows in ``without`` are 0.
``tree``
    A tree of at most ``nodes`` nodes that proves the optimum.

With ``exam: true`` the page has neither the hints nor what is under ``ask`` beside the kind: it
makes a code of an answer, and `calmip.course.lesson` judges the codes.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from importlib import resources
from pathlib import Path
from typing import Any

from calmip._base.errors import InputError, did_you_mean, join_words
from calmip.mip.files.lp import read_lp
from calmip.mip.files.text_source import TextFile
from calmip.mip.model import Model
from calmip.mip.rows import Bound, is_finite
from calmip.puzzle.documents.yaml import (
    Table,
    check_keys,
    choice_of,
    flag_of,
    locate_errors,
    read_table,
    text_of,
    texts_of,
)

KEYS = ("title", "question", "hints", "model", "ask", "answer")
"""The keys that every lesson has; ``exam`` may be there, too."""

KINDS: dict[str, tuple[str, ...]] = {
    "row": ("keeps", "bound", "leaves"),
    "point": ("worth",),
    "number": ("of",),
    "multipliers": ("bound", "without"),
    "tree": ("nodes",),
}
"""The keys beside ``kind``, for each kind of answer."""

WORDS = {"keeps": ("all", "optimum"), "of": ("relaxation", "optimum", "solutions")}
"""The words that a key may have; the others are numbers, but for ``without``."""

MAX_COLUMNS = 60
"""A page shows and branches models up to this size."""

NAME = re.compile(r"(?!cut$)[A-Za-z_]\w*", re.ASCII)
"""The names of columns that a student can write; "cut" stands for a cut in the text of a tree."""

NUMBER = re.compile(r"-?\d{1,15}(\.\d{1,9})?(/[1-9]\d{0,14})?", re.ASCII)
"""The numbers in an answer; those of a page have no exponent."""


@dataclass(frozen=True)
class Lesson:
    """A lesson as its file has it.

    Parameters
    ----------
    name
        The name of the file, without its suffix.
    title, question, hints
        What a student reads.
    model
        The model.
    ask
        What an answer must do, see above.
    answer
        An answer that does.
    exam
        Whether the page shows no hints and no verdict.
    """

    name: str
    title: str
    question: str
    hints: tuple[str, ...]
    model: Model
    ask: Mapping[str, Any]
    answer: str
    exam: bool = False


def bundled_lessons() -> list[str]:
    """Return the names of the lessons that come with the package."""
    folder = resources.files("calmip") / "course" / "lessons"
    return sorted(entry.name.removesuffix(".yaml") for entry in folder.iterdir())


def read_lesson(source: str | Path) -> Lesson:
    """Return a bundled lesson, or the lesson in a file.

    Raises
    ------
    InputError
        If there is none, or the file is not a lesson; with its line.
    """
    path = Path(source)
    if path.suffix not in (".yaml", ".yml"):
        known = bundled_lessons()
        if str(source) not in known:
            near = did_you_mean(str(source), known)
            raise InputError(
                f"no such bundled lesson; there are {join_words(known)}; the name of a file ends "
                f"in .yaml{f' (did you mean {near}?)' if near else ''}",
                path=str(source),
            )
        path = Path(str(resources.files("calmip") / "course" / "lessons" / f"{source}.yaml"))
    document = read_table(path, str(path), f"is not a lesson; it has the keys {join_words(KEYS)}")
    with locate_errors(str(path), document):
        check_keys(document, (*KEYS, "exam"))
        missing = [key for key in KEYS if key not in document]
        if missing:
            raise InputError(f"the key '{missing[0]}' is missing; a lesson has {join_words(KEYS)}")
        title, question, model, answer = (
            text_of(document, key, default="") for key in ("title", "question", "model", "answer")
        )
        hints = tuple(texts_of(document, "hints"))
        ask = _ask(document)
        exam = flag_of(document, "exam", default=False)
    line = document.lines["model"]
    # Lines of the model are those of the file.
    lines = [""] * line + model.splitlines()
    found = read_lp(TextFile(str(path), lines))
    found.check_rows_alone("a lesson")
    if found.constant:
        raise InputError("the objective has a constant; leave it out", path=str(path), line=line)
    if len(found.columns) > MAX_COLUMNS:
        fault = f"the model has {len(found.columns)} columns; a lesson has at most {MAX_COLUMNS}"
        raise InputError(fault, path=str(path), line=line)
    if odd := next((name for name in found.columns if not NAME.fullmatch(name)), None):
        fault = f"'{odd}' is not a name that a student can write; use letters, digits and _"
        raise InputError(fault, path=str(path), line=line)
    return Lesson(path.stem, title, question, hints, found, ask, answer.strip(), exam)


def _ask(document: Table) -> dict[str, Any]:
    table = document["ask"]
    if not isinstance(table, Table):
        raise InputError("'ask' has keys: its kind, and what an answer of that kind must do")
    kind = choice_of(table, "kind", tuple(KINDS))
    check_keys(table, ("kind", *KINDS[kind]))
    ask: dict[str, Any] = {"kind": kind}
    for key in KINDS[kind]:
        if key not in table:
            continue
        if key in WORDS:
            ask[key] = choice_of(table, key, WORDS[key])
        elif key == "without":
            ask[key] = texts_of(table, key)
        else:
            ask[key] = _number(table[key], key)
    return ask


def _number(value: object, what: str) -> int | float:
    number = fraction_of(str(value), f"'{what}' is a number, not '{value}'")
    return int(number) if number.denominator == 1 else float(number)


def fraction_of(text: str, fault: str) -> Fraction:
    """Return the number in a text such as ``-1.5`` or ``29/2``."""
    if not NUMBER.fullmatch(text):
        raise InputError(fault)
    above, _, below = text.partition("/")
    return Fraction(above) / int(below or 1)


def lesson_data(lesson: Lesson) -> dict[str, Any]:
    """Return what the page has of a lesson: the answer is not in it.

    Of an exam it has neither the hints nor what an answer must do.
    """
    model, exam = lesson.model, lesson.exam
    sign = -1 if model.maximise else 1
    return {
        "title": lesson.title,
        "question": lesson.question,
        "hints": [] if exam else list(lesson.hints),
        "sense": -sign,
        "columns": [
            [
                name,
                _plain(sign * model.costs.get(column, 0)),
                *map(_plain, model.bounds(column)),
                int(model.is_integer(column)),
            ]
            for column, name in enumerate(model.columns)
        ],
        "rows": [
            [name, [[c, _plain(value)] for c, value in row.terms.items()], *map(_plain, row.bounds)]
            for name, row in zip(model.rows, model.exact_rows(), strict=True)
        ],
        "ask": {"kind": lesson.ask["kind"]} if exam else dict(lesson.ask),
        **({"exam": True} if exam else {}),
    }


def _plain(number: Bound) -> int | float | None:
    """Return a number for JSON; an endless side is none."""
    if not is_finite(number):
        return None
    return int(number) if number == int(number) else float(number)
