"""The marks of a submission, or of a class, as a text, a table and for other programs.

The students see the forms of autograders, so those leave out the notes for the instructor.
"""

from __future__ import annotations

import os
import re
from base64 import b64encode
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from calmip._base.errors import InputError, clip, join_words
from calmip.course.checks import Check, Example
from calmip.course.classroom import Student
from calmip.course.exercises import EXERCISES, FUNCTIONS, SITE, page_of
from calmip.course.grade import Audit, ClassMarks, Marks, Written, is_one
from calmip.course.sandbox import Protection
from calmip.course.translations import ENGLISH, fill
from calmip.course.viva import Viva
from calmip.features import Call
from calmip.puzzle.documents.serialise import csv_text, json_text
from calmip.puzzle.render.report import (
    Block,
    DataTable,
    Document,
    Drawing,
    Markup,
    Output,
    as_json,
    as_page,
    as_text,
    svg_by,
)
from calmip.puzzle.render.text import draw_choice
from calmip.puzzle.render.tiles import choice_picture

NBGRADER = (
    "assignment",
    "duedate",
    "timestamp",
    "student_id",
    "last_name",
    "first_name",
    "email",
    "raw_score",
    "late_submission_penalty",
    "score",
    "max_score",
)


MALFORMED = re.compile(
    r"SyntaxError|IndentationError|TabError|JSON\s?[:\uff1a]\s?['\"]|Jupyter.* 4\b"
)
"""What is said of a file that is not JSON, Python or a notebook, in all languages."""

CLASSROOM50 = {
    "classroom": "CLASSROOM",
    "assignment": "ASSIGNMENT",
    "submission": "SUBMISSION_TAG",
    "commit": "COMMIT_URL",
    "release": "RELEASE_URL",
}
"""The variables of the runner of Classroom 50, by the keys of a result."""

FORMS_OF_AUDIT = ("text", "json", "csv", "html")

OF_MARKING = (
    "names",
    "match",
    "roster",
    "deadline",
    "workers",
    "before",
    "feedback",
    "into",
    "into_column",
    "resume",
    "shard",
    "unprotected",
)
"""The options of `grade model` that change nothing in an audit."""


def run(call: Call) -> int:
    """Mark submissions, unless the form is for one only, and a class is to be marked."""
    if call.given.get("audit"):
        call.refuse_unused("files to mark", *OF_MARKING)
        if call.form not in FORMS_OF_AUDIT:
            raise InputError(
                f"{call.form} is a form of marks; an audit has {join_words(FORMS_OF_AUDIT)}"
            )
        return call.once()
    if call.form in GRADERS and not is_one(call.given["files"]):
        raise only_one(call.form)
    return call.once()


def text(marks: Marks | ClassMarks | Written | Audit) -> str:
    """Return the checks of a submission, with reasons and examples, or a line for each of many."""
    if isinstance(marks, Audit):
        return as_text(_audit(marks))
    if isinstance(marks, Written):
        return "".join(f"{clip(path, 300)}\n" for path in marks.files)
    lines = [_head(marks), ""]
    if isinstance(marks, ClassMarks):
        for one in marks.submissions:
            lines += [line(one), *(f"        {clip(note, 600)}" for note in one.notes)]
        return "\n".join([*lines, "", summary(marks)]) + "\n"
    for check in marks.checks:
        lines.append(f"  {_earned(check)}/{check.worth}  {check.what}")
        if not check.passed:
            lines.append(f"       {clip(check.fault, 4000)}")
            lines.extend(f"       {one}" for one in check.board.splitlines())
    return "\n".join([*lines, "", *_foot(marks)]) + "\n"


def _head(marks: Marks | ClassMarks) -> str:
    language = marks.language if isinstance(marks, Marks) else ENGLISH
    head = "Exercise {exercise}: {title}"
    return fill(head, language, exercise=marks.exercise, title=marks.title)


def _foot(marks: Marks) -> list[str]:
    """Return the lines below the checks of a submission."""
    tell = partial(fill, language=marks.language)
    total = tell("{earned} of {most} marks", earned=_total(marks), most=marks.most)
    before = "" if marks.before is None else f" ({tell('before: {marks}', marks=marks.before)})"
    lines = [f"{total}{_undecided(marks)}{before}"]
    if marks.late:
        lines.append(tell("late by {time}", time=_duration(marks.late)))
    if marks.sheet:
        lines.append(tell("marked by the sheet of {student}", student=clip(marks.sheet, 100)))
    return [*lines, *(clip(note, 600) for note in marks.notes)]


def _earned(check: Check) -> str:
    """Return the marks of a check, ``?`` if it was not decided."""
    return "?" if check.undecided else str(check.marks)


def _total(marks: Marks) -> str:
    """Return the marks of a submission, ``?`` if this machine could not mark it."""
    return "?" if marks.failed else str(marks.marks)


def _undecided(marks: Marks) -> str:
    if not marks.undecided or marks.failed:
        return ""
    return f", {fill('{number} not decided', marks.language, number=marks.undecided)}"


def summary(marks: ClassMarks) -> str:
    """Return how many submissions have full marks, are missing, are late, or have no student."""
    rows = marks.submissions
    numbers = {
        "not marked, as this machine failed (--resume marks them)": sum(one.failed for one in rows),
        "with checks that were not decided": sum(
            one.undecided > 0 and not one.failed for one in rows
        ),
        "without a file": sum(not one.file for one in rows),
        "late": sum(bool(one.late) for one in rows),
        "not on the roster": sum(not one.student for one in rows),
    }
    full = sum(one.status == "accepted" for one in rows)
    more = [f"{number} {what}" for what, number in numbers.items() if number]
    return "; ".join([f"{full} of {len(rows)} with full marks", *more])


def _duration(seconds: int) -> str:
    """Return a duration in the two largest of its units."""
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    days, hours = divmod(hours, 24)
    parts = [(days, "d"), (hours, "h"), (minutes, "min"), (seconds, "s")]
    first = next((n for n, (number, _) in enumerate(parts) if number), 3)
    return " ".join(f"{number} {unit}" for number, unit in parts[first : first + 2] if number)


def line(marks: Marks | Protection) -> str:
    """Return the marks of one submission of a class: how many, whose, and the first fault.

    The protection of this machine describes itself.
    """
    if isinstance(marks, Protection):
        return str(marks)
    first = next((check.fault for check in marks.checks if not check.passed), "")
    first = clip(first, len(first))
    fault = f"  {first[:90]}{'...' if len(first) > 90 else ''}" if first else ""
    late = f"  late by {_duration(marks.late)}" if marks.late else ""
    same = marks.before == marks.marks and not marks.failed
    before = "" if marks.before is None or same else f"  (before: {marks.before})"
    who = clip(marks.student, 100) or "?"
    file = f"  {clip(marks.file, 300)}" if marks.file else ""
    undecided = _undecided(marks)
    undecided = undecided and f"  ({undecided[2:]})"
    return f"{_total(marks):>3}/{marks.most}  {who}{file}{undecided}{late}{before}{fault}"


def _audit(found: Audit) -> Document:
    """Return what no data set tells, with data that do, and a table of all faults by rules."""
    sets = f"{len(found.sets)} data set{'' if len(found.sets) == 1 else 's'}"
    blocks: list[Block] = [
        f"models with one fault in a rule: {len(found.wrong)}, compared on {sets}; told from the "
        f"reference: {found.told}",
    ]
    for one in found.untold:
        fault = f"{one.rule} {one.fault}"
        if one.undecided:
            blocks += ["", f"Not decided in time: {fault} ({', '.join(one.undecided)})"]
            continue
        blocks += ["", f"No data set tells {fault}"]
        if one.change:
            blocks.append(f"  data that do: {one.change}")
        elif one.tried:
            blocks.append(f"  nor do {one.tried} others near them: is the rule implied?")
    rules = dict.fromkeys(one.rule for one in found.wrong)
    rows = []
    for rule in rules:
        own = [one for one in found.wrong if one.rule == rule]
        told = f"{sum(one.told for one in own)} of {len(own)}"
        by = dict.fromkeys(one.told_by for one in own if one.told)
        rows.append((rule, str(own[0].size), told, ", ".join(by)))
    table = DataTable(("rule", "rows", "told", "by"), rows, left=(0, 3))
    return Document(f"The rules of {clip(found.reference)}", [*blocks, "", table])


def document(marks: Marks | ClassMarks | Audit) -> Document:
    """Return the page of a submission, with its boards drawn, or the table of a class."""
    if isinstance(marks, Audit):
        return _audit(marks)
    title = _head(marks)
    if isinstance(marks, ClassMarks):
        table = DataTable(
            ("student", "marks", "of", "late", "file", "first fault", "notes"),
            [
                (
                    one.student or "?",
                    _total(one),
                    str(one.most),
                    _duration(one.late) if one.late else "",
                    one.file,
                    next((check.fault for check in one.checks if not check.passed), ""),
                    "; ".join(one.notes),
                )
                for one in marks.submissions
            ],
            left=(0, 3, 4, 5, 6),
        )
        return Document(title, [summary(marks), *marks.notes, table])
    tell = partial(fill, language=marks.language)
    total, *foot = _foot(marks)
    blocks: list[Block] = [tell("{a}: {b}", a=marks.whose, b=total), *foot]
    if marks.exercise in EXERCISES:
        blocks.append(Markup(lambda _: _link(marks.exercise, tell("The exercise"))))
    if marks.file:
        time = "" if marks.time is None else f"{marks.time:%Y-%m-%d %H:%M:%S %z}"
        when = f", {tell('last written {time}', time=time)}" if time else ""
        blocks.append(f"{tell('File: {file}', file=Path(marks.file).name)}{when}")
    head = [tell(word) for word in ("check", "marks", "of")]
    blocks.append(
        DataTable(head, [(one.what, _earned(one), str(one.worth)) for one in marks.checks])
    )
    for check in marks.checks:
        if not check.passed:
            blocks.append(tell("{a}: {b}", a=check.what, b=check.fault))
            if check.table:
                first, *rows = check.table
                blocks.append(DataTable(first, rows, left=range(len(first))))
            blocks += map(_drawing, check.examples)
    return Document(title, blocks, language=marks.language)


def _link(exercise: str, words: str) -> str:
    address = f"{SITE}/course/{page_of(exercise)}/index.html"
    return f'<p><a href="{address}">{words}</a></p>'


def _drawing(example: Example) -> Drawing:
    return Drawing(
        lambda style: draw_choice(example.instance, example.placements, example.labels, style),
        svg_by(lambda: choice_picture(example.instance, example.placements, example.labels)),
    )


def csv(marks: Marks | ClassMarks | Audit) -> str:
    """Return a line per submission: student, file, time, marks, and those of every check."""
    if isinstance(marks, Audit):
        heads = ("rule", "rows", "fault", "told by", "not decided", "data that tell it")
        return csv_text(
            heads,
            [
                (one.rule, one.size, one.fault, one.told_by, "; ".join(one.undecided), one.change)
                for one in marks.wrong
            ],
        )
    submissions = _submissions(marks)
    # The one check of a file that was not marked is no column.
    marked = [one for one in submissions if len(one.checks) > 1]
    whats = list(dict.fromkeys(check.what for one in marked for check in one.checks))
    rows = []
    for submission in submissions:
        earned = {check.what: _earned(check) for check in submission.checks}
        faults = "; ".join(check.fault for check in submission.checks if not check.passed)
        parts = [earned.get(what, "?" if submission.failed else 0) for what in whats]
        rows.append(
            (
                submission.student,
                submission.file,
                Path(submission.file).stem,
                submission.exercise,
                _time(submission),
                "" if submission.late is None else submission.late,
                _total(submission),
                submission.most,
                "" if submission.before is None else submission.before,
                *parts,
                faults,
                "; ".join(submission.notes),
            )
        )
    header = (
        "student",
        "file",
        "submission",
        "exercise",
        "time",
        "late",
        "marks",
        "most",
        "before",
        *whats,
        "faults",
        "notes",
    )
    return csv_text(header, rows)


def _time(marks: Marks) -> str:
    return "" if marks.time is None else marks.time.isoformat(sep=" ", timespec="seconds")


def nbgrader(marks: Marks | ClassMarks) -> str:
    """Return the table that ``nbgrader export`` writes; unknown values are empty."""
    rows = []
    for one in _submissions(marks):
        person = one.person or Student(one.student)
        score = "" if one.failed else one.marks
        # A single column has the full name: its last word stands for the last name.
        alone = "" if person.first or person.last else person.full
        before, _, after = alone.rpartition(" ")
        rows.append(
            (
                f"exercise-{one.exercise}",
                "",
                _time(one),
                one.student,
                person.last or after,
                person.first or before,
                person.email,
                score,
                0,
                score,
                one.most,
            )
        )
    return csv_text(NBGRADER, rows)


def _submissions(marks: Marks | ClassMarks) -> tuple[Marks, ...]:
    return marks.submissions if isinstance(marks, ClassMarks) else (marks,)


def page(marks: Marks | ClassMarks | Audit, theme: str) -> str:
    """Return the page of a submission, or of a class."""
    return as_page(document(marks), theme)


def only_one(form: str) -> InputError:
    """Return the error of such a form for the marks of a class."""
    return InputError(f"{form} takes the results of one submission; give one file, or choose csv")


def _reason(check: Check) -> str:
    return "\n".join(filter(None, (check.fault, check.board)))


def _one(form: str, marks: Marks | ClassMarks) -> Marks:
    if isinstance(marks, ClassMarks):
        raise only_one(form)
    return marks


def _title(marks: Marks) -> str:
    tell = partial(fill, language=marks.language)
    student = tell("the sheet of {student}", student=marks.sheet) if marks.sheet else marks.student
    whose = ", ".join(filter(None, (student, Path(marks.file).name)))
    return f"{_head(marks)} ({clip(whose or tell('no file'), 300)})"


def gradescope(marks: Marks | ClassMarks) -> str:
    """Return Gradescope's ``results.json``; raise `InputError` for the marks of a class."""
    one = _one("gradescope", marks)
    results = {
        "score": one.marks,
        "output": _title(one),
        "output_format": "text",
        "tests": [
            {
                "name": check.what,
                "score": check.marks,
                "max_score": check.worth,
                "status": "passed" if check.passed else "failed",
                "output": _reason(check),
            }
            for check in one.checks
        ],
    }
    return json_text(results)


def prairielearn(marks: Marks | ClassMarks) -> str:
    """Return the ``results.json`` of an external grader of PrairieLearn, its score from 0 to 1.

    A file that is not in its language costs no attempt.
    """
    one = _one("prairielearn", marks)
    malformed = [check.fault for check in one.checks if MALFORMED.search(check.fault)]
    results = {
        "gradable": not (one.undecided or malformed),
        "format_errors": malformed,
        "score": one.marks / one.most,
        "output": _title(one),
        "tests": [
            {**_named(check, "name", "points", "max_points"), **_images(check)}
            for check in one.checks
        ],
    }
    return json_text(results)


def _named(check: Check, what: str, marks: str, worth: str) -> dict[str, Any]:
    """Return what an autograder's test is called, its marks, and why they are missing."""
    return {what: check.what, marks: check.marks, worth: check.worth, "output": _reason(check)}


def _images(check: Check) -> dict[str, Any]:
    """Return the drawn examples of a check as PrairieLearn takes them; empty without any."""
    pictures = [
        svg_by(partial(choice_picture, one.instance, one.placements, one.labels))("light")
        for one in check.examples
    ]
    urls = [f"data:image/svg+xml;base64,{b64encode(one.encode()).decode()}" for one in pictures]
    return {"images": [{"label": check.what, "url": url} for url in urls]} if urls else {}


def classroom50(marks: Marks | ClassMarks) -> str:
    """Return the ``result.json`` of an autograder of Classroom 50, whose runner says whose it is.

    Raises
    ------
    InputError
        If it is of a class, or the variables of the runner are not there.
    """
    one = _one("classroom50", marks)
    missing = [name for name in CLASSROOM50.values() if not os.environ.get(name)]
    if missing:
        raise InputError(
            f"classroom50 is for the runner of Classroom 50, which sets {join_words(missing)}"
        )
    commit = {"review": os.environ.get("REVIEW_URL") or os.environ["COMMIT_URL"]}
    moment = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    results = {
        "schema": "classroom50/result/v1",
        **{key: os.environ[name] for key, name in CLASSROOM50.items()},
        **commit,
        "datetime": moment,
        "score": one.marks,
        "max-score": one.most,
        "tests": [
            {**_named(check, "test-name", "score", "max-score"), "passed": check.passed}
            for check in one.checks
        ],
    }
    return json_text(results)


def dodona(marks: Marks | ClassMarks) -> str:
    """Return the feedback of a judge of Dodona: a tab with a context for each check."""
    submission = _one("dodona", marks)
    tell = partial(fill, language=submission.language)
    full = submission.marks == submission.most
    contexts = [
        {
            "accepted": check.passed,
            "description": {
                "format": "plain",
                "description": f"{_earned(check)}/{check.worth}  {check.what}",
            },
            "messages": [
                {"format": form, "description": text}
                for form, text in (("plain", check.fault), ("code", check.board))
                if text
            ],
        }
        for check in submission.checks
    ]
    results = {
        "accepted": full,
        "status": "correct" if full else "internal error" if submission.undecided else "wrong",
        "description": tell(
            "{earned} of {most} marks", earned=submission.marks, most=submission.most
        ),
        "groups": [
            {
                "description": tell("Exercise {exercise}", exercise=submission.exercise),
                "badgeCount": sum(not check.passed for check in submission.checks),
                "groups": contexts,
            }
        ],
    }
    return json_text(results)


GRADERS: Mapping[str, Callable[[Marks | ClassMarks], str]] = {
    "gradescope": gradescope,
    "prairielearn": prairielearn,
    "dodona": dodona,
    "classroom50": classroom50,
}
"""The forms by the tools' names."""

MARKS = Output(
    {"text": text, "json": as_json, "csv": csv, "html": page, "nbgrader": nbgrader, **GRADERS},
    notes=lambda marks: marks.notes if isinstance(marks, ClassMarks) else (),
    step=line,
)


def viva(found: Viva) -> str:
    """Return the questions of a conversation, and below them the answers."""
    numbers = range(1, 1 + len(found.questions))
    asked = [
        line
        for number, one in zip(numbers, found.questions, strict=True)
        for line in (f"{number}. {one.question}", "")
    ]
    answers = [f"{n}. {one.answer}" for n, one in zip(numbers, found.questions, strict=True)]
    what = "model of" if found.exercise in FUNCTIONS else "answer to"
    title = f"About {Path(found.file).name}: the {what} exercise {found.exercise}, {found.data}"
    return "\n".join([title, "", *asked, "Answers", "", *answers]) + "\n"


VIVA = Output({"text": viva, "json": as_json})
WRITTEN = Output({"text": text, "json": as_json})
