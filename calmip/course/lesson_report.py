"""The answers of a class to a lesson as a text and a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from calmip._base.errors import clip
from calmip.puzzle.documents.serialise import csv_text
from calmip.puzzle.render.report import DataTable, Document, Output, as_json, as_text

if TYPE_CHECKING:
    from calmip.course.lesson import LessonAnswers
    from calmip.puzzle.tasks.play import Page

HEADS = ("name", "answer", "right", "why")


def _lesson_rows(found: LessonAnswers) -> list[tuple[str, str, str, str]]:
    words = {True: "yes", False: "no", None: "?"}
    return [
        (clip(one.name, 60), clip(one.answer, 200), words[one.right], clip(one.why, 200))
        for one in found.answers
    ]


def lesson_text(found: LessonAnswers) -> str:
    """Return the answers of a class to a lesson: ``?`` where one is not decided."""
    table = DataTable(HEADS, _lesson_rows(found), left=range(4))
    line = f"{found.right} of {len(found.answers)} answers right"
    return as_text(Document(found.lesson, [found.lesson, *([table] if table.rows else []), line]))


def lesson_csv(found: LessonAnswers) -> str:
    """Return a line per answer."""
    return csv_text(HEADS, _lesson_rows(found))


def lesson_notes(found: Page | LessonAnswers) -> list[str]:
    """Return a line for each code that has no answer to the lesson."""
    unread = getattr(found, "unread", ())  # a page has none
    return [f"not a code of this lesson: {code}" for code in unread]


LESSON = Output({"text": lesson_text, "json": as_json, "csv": lesson_csv}, notes=lesson_notes)
