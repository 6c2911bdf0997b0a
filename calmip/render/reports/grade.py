"""The marks of a submission, or of a class, as a text, a table and for other programs."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from calmip.course.marks import Check
from calmip.course.sandbox import Protection
from calmip.documents.description import json_text
from calmip.errors import InputError, shown
from calmip.render.escaping import csv_text
from calmip.render.reports import Forms, as_json
from calmip.render.text import draw_choice
from calmip.tasks.grade import ClassMarks, Marks, Written, is_one

__all__ = ["FORMS", "FORMS_OF", "board", "check", "line", "text"]


NBGRADER = ("assignment", "duedate", "timestamp", "student_id", "last_name", "first_name", "email",
            "raw_score", "late_submission_penalty", "score", "max_score")  # fmt: skip

ONE = "gradescope takes the results of one submission; give one file, or choose csv"


def check(form: str, given: Mapping[str, Any]) -> None:
    """Raise `InputError` if a form is for one submission only, and a class is to be marked."""
    if form == "gradescope" and not is_one(given["files"]):
        raise InputError(ONE)


def text(marks: Marks | ClassMarks | Written) -> str:
    """Return the checks of a submission, with reasons and examples, or a line for each of many."""
    if isinstance(marks, Written):
        return "".join(f"{shown(path, 300)}\n" for path in marks.files)
    title = f"Exercise {marks.exercise}: {marks.title}"
    if isinstance(marks, ClassMarks):
        total = sum(one.status == "accepted" for one in marks.submissions)
        lines = [title, "", *map(line, marks.submissions), "",
                 f"{total} of {len(marks.submissions)} with full marks"]  # fmt: skip
        return "\n".join(lines) + "\n"
    lines = [title, ""]
    for check in marks.checks:
        lines.append(f"  {check.marks}/{check.worth}  {check.what}")
        if not check.passed:
            lines.append(f"       {shown(check.fault, 4000)}")
            lines.extend(f"       {one}" for one in board(check).splitlines())
    lines += ["", f"{marks.marks} of {marks.most} marks"]
    return "\n".join(lines) + "\n"


def line(marks: Marks | Protection) -> str:
    """Return the marks of one submission of a class: how many, whose, and the first fault.

    What protects this machine says itself what it is.
    """
    if isinstance(marks, Protection):
        return str(marks)
    first = next((check.fault for check in marks.checks if not check.passed), "")
    first = shown(first, len(first))
    fault = f"  {first[:90]}{'...' if len(first) > 90 else ''}" if first else ""
    return f"{marks.marks:3}/{marks.most}  {shown(marks.file, 300)}{fault}"


def board(check: Check) -> str:
    """Return a drawing of a check's counter-examples, their faults marked; empty without one."""
    return "\n".join(
        draw_choice(one.instance, one.placements, one.labels) for one in check.examples
    )


def csv(marks: Marks | ClassMarks) -> str:
    """Return a line per submission: file, marks, and those of every check."""
    submissions = _submissions(marks)
    whats = list(dict.fromkeys(check.what for one in submissions for check in one.checks))
    rows = []
    for one in submissions:
        earned = {check.what: check.marks for check in one.checks}
        faults = "; ".join(check.fault for check in one.checks if not check.passed)
        parts = [earned.get(what, 0) for what in whats]
        rows.append((one.file, Path(one.file).stem, one.exercise, one.marks, one.most,
                     *parts, faults))  # fmt: skip
    header = ("file", "submission", "exercise", "marks", "most", *whats, "faults")
    return csv_text(header, rows)


def nbgrader(marks: Marks | ClassMarks) -> str:
    """Return the table that ``nbgrader export`` writes; what is not known here is empty."""
    rows = [
        (f"exercise-{one.exercise}", "", "", one.student or Path(one.file).stem, "", "", "",
         one.marks, 0, one.marks, one.most)
        for one in _submissions(marks)
    ]  # fmt: skip
    return csv_text(NBGRADER, rows)


def _submissions(marks: Marks | ClassMarks) -> tuple[Marks, ...]:
    return marks.submissions if isinstance(marks, ClassMarks) else (marks,)


def gradescope(marks: Marks | ClassMarks) -> str:
    """Return what Gradescope reads as ``results/results.json``.

    Raises
    ------
    InputError
        If these are the marks of a class.
    """
    if isinstance(marks, ClassMarks):
        raise InputError(ONE)
    results = {
        "score": marks.marks,
        "output": f"Exercise {marks.exercise}: {marks.title} ({shown(Path(marks.file).name, 300)})",
        "output_format": "text",
        "tests": [
            {
                "name": check.what,
                "score": check.marks,
                "max_score": check.worth,
                "status": "passed" if check.passed else "failed",
                "output": "\n".join(filter(None, (check.fault, board(check)))),
            }
            for check in marks.checks
        ],
    }
    return json_text(results)


FORMS_OF: dict[str, Forms] = {"Written": {"text": text, "json": as_json}}
"""Those of files that were written."""

FORMS: Forms = {
    "text": text,
    "json": as_json,
    "csv": csv,
    "gradescope": gradescope,
    "nbgrader": nbgrader,
}
