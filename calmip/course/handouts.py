"""What an instructor hands out: folders, notebooks for nbgrader, questions for PrairieLearn."""

from __future__ import annotations

import hashlib
import json
import uuid
from pathlib import Path
from typing import Any

from calmip._base.errors import InputError, join_words
from calmip._base.files import make_folder, write_atomically
from calmip._base.version import __version__
from calmip.course.assignments import assign, table_of
from calmip.course.autograder import wheel
from calmip.course.exercises import (
    EXERCISES,
    FUNCTIONS,
    SOLUTIONS,
    SUFFIXES,
    check_exercise,
    page_of,
    solution_names,
)
from calmip.course.grade import Written
from calmip.course.notebooks import SUFFIX
from calmip.course.statements import pages, statement
from calmip.course.translations import ENGLISH, check_language
from calmip.course.variants import DRAWN, Assignment
from calmip.puzzle.documents.serialise import json_text

__all__ = ["grade_notebook", "grade_question", "grade_starters"]

IMAGE = "calmip-grader"
"""The image of PrairieLearn's grader, which the Dockerfile builds."""

MAX_VARIANTS = 200

EDITOR = (
    '<pl-file-editor file-name="answer%(suffix)s" source-file-name="starter%(suffix)s">'
    "</pl-file-editor>"
)

MODELS = "models"
"""The folder of models after problems of Williams, whose data tell every fault in a rule."""


def grade_starters(folder: Path | str) -> Written:
    """Write each exercise's statement, starter and data.

    Its folder `MODELS` has references for assignments of your own, `calmip.grade.model`.

    Parameters
    ----------
    folder
        As for `calmip.grade.solutions`, and so are the errors.
    """
    folder = Path(folder)
    found = [(folder / "licence.md", (pages() / "licence.md").read_bytes())]
    for name in (*solution_names(), MODELS):
        for path in sorted(filter(Path.is_file, (pages() / name).rglob("*"))):
            if path.parent.name == "__pycache__":
                continue
            page = path.name == "index.md"
            data = statement(name, alone=False).encode() if page else path.read_bytes()
            found.append((folder / path.relative_to(pages()), data))
    for path, data in found:
        make_folder(path.parent)
        write_atomically(path, data)
    return Written(tuple(path for path, _ in found))


def grade_notebook(exercise: str, output: Path | str, *, language: str = ENGLISH) -> Written:
    """Write the notebook of an exercise for nbgrader.

    Parameters
    ----------
    exercise
        The exercise's name.
    output
        Write the notebook to this file.
    language
        Write feedback in this language; the statement is in English.

    Raises
    ------
    InputError
        If the answer to the exercise is not a program, or the notebook cannot be written.
    """
    check_exercise(exercise)
    check_language(language)
    if exercise not in FUNCTIONS:
        raise InputError(
            f"the answer to exercise {exercise} is not a program; notebooks are for exercises "
            f"{join_words(FUNCTIONS)}"
        )
    path = Path(output)
    if path.suffix.lower() != SUFFIX:
        raise InputError(f"a notebook is a file NAME{SUFFIX}", path=path)
    write_atomically(path, json_text(_notebook(exercise, language)).encode())
    return Written((path,))


TEST = """\
# This cell marks the cell that defines {function}.
from pathlib import Path

import calmip

answer = Path("answer.py")
answer.write_text(next(cell for cell in reversed(In[:-1]) if "def {function}(" in cell))
marks = calmip.grade("{exercise}", answer{more})
display(marks)
marks.marks"""


def _notebook(exercise: str, language: str) -> dict[str, Any]:
    name = page_of(exercise)
    folder, function = pages() / name, FUNCTIONS[exercise][-1]
    starter = (folder / "starter.py").read_text(encoding="utf-8").rstrip()
    solution = (SOLUTIONS / name).read_text(encoding="utf-8").rstrip()
    begin = "Write your program in the answer's cell, with its imports. Begin with:"
    text = f"{statement(name, alone=True)}\n{begin}\n\n```python\n{starter}\n```"
    cells = [_cell("markdown", "statement", text, locked=True)]
    data = folder / "data.json"
    if data.is_file():
        literal = repr(json.loads(data.read_bytes()))
        cells.append(_cell("code", "data", f"# data.json\ndata = {literal}", locked=True))
    answer = f"### BEGIN SOLUTION\n{solution}\n### END SOLUTION"
    more = "" if language == ENGLISH else f', language="{language}"'
    test = TEST.format(function=function, exercise=exercise, more=more)
    cells += [
        _cell("code", "answer", answer, solution=True),
        _cell("code", "marks", test, locked=True, grade=True, points=10),
    ]
    return {
        "cells": cells,
        "metadata": {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
            "title": f"Exercise {exercise}: {EXERCISES[exercise]}",
        },
        "nbformat": 4,
        "nbformat_minor": 5,
    }


def _cell(kind: str, name: str, source: str, **marks: Any) -> dict[str, Any]:
    """Return a cell of a notebook as nbgrader knows it: locked, with a solution, or with points."""
    flags = {"grade": False, "locked": False, "solution": False, "task": False, **marks}
    output: dict[str, Any] = {"execution_count": None, "outputs": []} if kind == "code" else {}
    return {
        "cell_type": kind,
        "id": name,
        "metadata": {"nbgrader": {"grade_id": name, "schema_version": 3, **flags}},
        "source": source.splitlines(keepends=True),
        **output,
    }


PANEL = """\
<pl-question-panel>
<markdown>
{statement}
</markdown>
{sheet}{editor}
</pl-question-panel>
<pl-submission-panel>
  <pl-external-grader-results></pl-external-grader-results>
  <pl-file-preview></pl-file-preview>
</pl-submission-panel>
"""

SHEET = "<pre>{{params.sheet}}</pre>\n"
DATA = (
    "<details><summary>{{params.variant}}-data.json</summary><pre>{{params.data}}</pre></details>\n"
)

SERVER = """\
import json
import os
import random


def generate(data):
    \"\"\"Draw one of the variants that calmip has written.\"\"\"
    path = os.path.join(data["options"]["question_path"], "variants.json")
    with open(path, encoding="utf-8") as file:
        variants = json.load(file)
    data["params"].update(random.Random(data["variant_seed"]).choice(variants))
"""

DOCKERFILE = """\
# The image of the grader: docker build -t {image} .
FROM python:3.13-slim
COPY {wheel} /
RUN pip install --no-cache-dir /{wheel}
"""

RUN = """\
#!/usr/bin/env bash
# Mark the submission. Without a result, PrairieLearn reports that the grader failed.
base=${CALMIP_GRADE:-/grade}
python=${CALMIP_PYTHON:-python3}
%(variant)s"$python" -P -m calmip grade submission %(exercise)s "$base/student" --time-limit 20 \\
    --format prairielearn -o "$base/results/results.json"%(more)s
[ -f "$base/results/results.json" ]
"""

VARIANT = """\
read='import json, sys; print(json.load(open(sys.argv[1]))["params"]["variant"])'
variant=$("$python" -P -c "$read" "$base/data/data.json") || exit 1
"""


def grade_question(
    exercise: str,
    folder: Path | str,
    *,
    variants: int = 30,
    term: str = "",
    language: str = ENGLISH,
) -> Written:
    """Write a question of PrairieLearn with drawn variants.

    Beside it are the Dockerfile of the grader's image and calmip as a wheel.

    Parameters
    ----------
    exercise
        The exercise's name.
    folder
        Write the question to this folder, which is made if it is missing.
    variants
        Draw this many variants, if the exercise is one that is drawn.
    term
        Draw other puzzles than for another TERM, which is any text.
    language
        Write feedback in this language; the statement is in English.

    Raises
    ------
    InputError
        If there is no such exercise, not that many variants, or a file cannot be written.
    """
    check_exercise(exercise)
    check_language(language)
    if not 1 <= variants <= MAX_VARIANTS:
        raise InputError(f"the number of variants is 1 to {MAX_VARIANTS}, not {variants}")
    name, suffix = page_of(exercise), SUFFIXES[exercise]
    folder = Path(folder)
    package = f"calmip-{__version__}-py3-none-any.whl"
    drawn = exercise in DRAWN
    files = {
        "info.json": json_text(_info(exercise, drawn=drawn)).encode(),
        f"starter{suffix}": (pages() / name / f"starter{suffix}").read_bytes(),
        "Dockerfile": DOCKERFILE.format(image=IMAGE, wheel=package).encode(),
        package: wheel(),
    }
    sheet, variant = "", ""
    more = "" if language == ENGLISH else f" --language {language}"
    if drawn:
        names = [f"variant-{number}" for number in range(1, variants + 1)]
        found = [*assign(exercise, names, term=term).values()]
        files["variants.json"] = json_text([_variant(one) for one in found]).encode()
        files["tests/assigned.csv"] = table_of(found)
        files["server.py"] = SERVER.encode()
        sheet = SHEET + (DATA if DRAWN[exercise].data is not None else "")
        variant = VARIANT
        more += ' \\\n    --assigned "$base/tests/assigned.csv" --student "$variant"'
    run = RUN % {"variant": variant, "exercise": exercise, "more": more}
    files["tests/run.sh"] = run.encode()
    text = statement(name, alone=True)
    panel = PANEL.format(statement=text, sheet=sheet, editor=EDITOR % {"suffix": suffix})
    files["question.html"] = panel.encode()
    for place, data in files.items():
        make_folder((folder / place).parent)
        write_atomically(folder / place, data)
    return Written(tuple(folder / place for place in files))


def _info(exercise: str, *, drawn: bool) -> dict[str, Any]:
    """Return the description of a question, whose identifier is the same for an exercise."""
    number = hashlib.sha256(f"calmip exercise {exercise}".encode()).digest()[:16]
    return {
        "uuid": str(uuid.UUID(bytes=number, version=4)),
        "title": EXERCISES[exercise],
        "topic": "Integer programming",
        "tags": ["calmip"],
        "type": "v3",
        "singleVariant": not drawn,
        "gradingMethod": "External",
        "externalGradingOptions": {
            "image": IMAGE,
            "entrypoint": "/grade/tests/run.sh",
            "timeout": 120,
        },
    }


def _variant(assignment: Assignment) -> dict[str, str]:
    draw = DRAWN[assignment.exercise]
    data = "" if draw.data is None else json.dumps(draw.data(assignment.task))
    lines = draw.sheet(assignment)
    return {"variant": assignment.student, "sheet": "\n".join(lines), "data": data}
