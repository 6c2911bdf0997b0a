"""Lessons in the lab of the page, and the answers of a class that sat one as an exam."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

from calmip._base.errors import InputError
from calmip._base.files import read_bytes
from calmip.course.lesson_files import Lesson, bundled_lessons, lesson_data, read_lesson
from calmip.course.lesson_proofs import fault_of, prove
from calmip.mip.status import Status
from calmip.puzzle.tasks.interface import public
from calmip.puzzle.tasks.play import Page, show_page
from calmip.puzzle.tasks.results import Result

CODE = re.compile(r"calmip-answer-1:([\w-]*)", re.ASCII)
"""What the page makes of an answer, with whatever stands between the codes of a class."""

MAX_CODES = 5_000_000
"""Bytes of a file of codes."""


@dataclass(frozen=True)
class LessonAnswer:
    """An answer in a code.

    Parameters
    ----------
    name
        What the student wrote as a name.
    answer
        The answer.
    right
        Whether it is right, proved by exact arithmetic; None where that is not decided.
    why
        What is wrong with it, or why it is not decided.
    """

    name: str
    answer: str
    right: bool | None
    why: str


@dataclass(frozen=True, repr=False)
class LessonAnswers(Result):
    """The answers of a class to a lesson.

    Parameters
    ----------
    lesson
        The lesson's title.
    answers
        The answers, in the order of their codes.
    unread
        The beginnings of codes that cannot be read, or are of another lesson.
    """

    KEYS = ("lesson", "right", "answers", "unread")

    lesson: str
    answers: tuple[LessonAnswer, ...]
    unread: tuple[str, ...]

    status = Status.DONE

    @property
    def right(self) -> int:
        """How many answers are right."""
        return sum(one.right is True for one in self.answers)

    def describe(self) -> dict[str, Any]:
        """Return it as plain data."""
        return super().describe() | {"answers": [vars(one) for one in self.answers]}

    def _summary(self) -> str:
        return f"{self.right} of {len(self.answers)} right"


@public
def lesson(
    path: str | Path, *, output: Path | str | None = None, codes: Path | str | None = None
) -> LessonAnswers | Page:
    """Prove the answer to a lesson, and open it in the lab of the page.

    A lesson has a model of at most 60 columns, a question, hints and an answer.
    The page judges a student's answer by exact arithmetic; the lesson's own is
    proved here and is not on the page. With `exam: true` in the file, the page
    shows no hints and no verdict, and makes a code of an answer.

    Parameters
    ----------
    path
        A bundled lesson's name, or the path of a lesson in YAML.
    output
        Write the page to a file instead of opening the browser.
    codes
        Judge the codes of answers in a text file instead: name, answer, right.

    Raises
    ------
    InputError
        If there is no such lesson, its answer is wrong, a file cannot be read or
        written, or has no code.
    """
    found = read_lesson(path)
    prove(found)
    if codes is not None:
        if output is not None:
            raise InputError("--codes makes no page; leave out --output")
        return judge_codes(found, Path(codes))
    known = str(path) in bundled_lessons()
    text = str(path) if known else json.dumps(lesson_data(found), ensure_ascii=False)
    # Who sits an exam has nothing else on the page.
    lock = "&lock=lab" if found.exam else ""
    return show_page(f"#lesson={quote(text, safe='')}{lock}", output)


# Codes -------------------------------------------------------------------------


def judge_codes(lesson: Lesson, path: Path) -> LessonAnswers:
    """Return the answers in a file of codes, each judged; duplicates count once.

    Raises
    ------
    InputError
        If the file cannot be read, or has no code.
    """
    text = read_bytes(path, MAX_CODES).decode(errors="replace")
    codes = dict.fromkeys(CODE.findall(text))
    if not codes:
        fault = "there is no code in it; the page of an exam makes codes that begin with"
        raise InputError(f"{fault} calmip-answer-1:", path=path)

    @cache
    def verdict(answer: str) -> tuple[bool | None, str]:
        try:
            fault = fault_of(replace(lesson, answer=answer))
        except InputError as error:
            return None, error.message
        return not fault, fault

    answers, unread = [], []
    for code in codes:
        found = list(_answers_in(code, lesson.title))
        answers += [LessonAnswer(name, answer, *verdict(answer)) for name, answer in found]
        if not found:
            unread.append(f"calmip-answer-1:{code[:20]}")
    return LessonAnswers(lesson.title, tuple(answers), tuple(unread))


def _answers_in(code: str, title: str) -> Iterator[tuple[str, str]]:
    """Yield the names and answers in a code of a lesson; none where it cannot be read."""
    try:
        parts = json.loads(base64.urlsafe_b64decode(code + "=" * (-len(code) % 4)))
    except (ValueError, RecursionError):
        return
    for part in parts if isinstance(parts, list) else ():
        if isinstance(part, list) and len(part) == 3 and all(isinstance(one, str) for one in part):
            lesson, name, answer = part
            if lesson == title:
                yield name, answer
