"""What an instructor hands out: the exercises' folders, and notebooks for nbgrader.

The pages of the exercises are in the package; in a checkout they are those of the documentation.
"""

from __future__ import annotations

import json
import posixpath
import re
from pathlib import Path
from typing import Any

from calmip._base.errors import InputError, join_words
from calmip._base.files import make_folder, write_atomically
from calmip.course.exercises import (
    EXERCISES,
    FUNCTIONS,
    SITE,
    SOLUTIONS,
    page_of,
    solution_names,
)
from calmip.course.grade import Written, check_exercise
from calmip.course.notebooks import SUFFIX
from calmip.puzzle.documents.serialise import json_text

__all__ = ["grade_notebook", "grade_starters"]

LINK = re.compile(r"\]\((?!https?:|#)([^)#\s]*)(#[^)\s]*)?\)")
"""A link to another page or file."""


def pages() -> Path:
    """Return the folder of the exercises' pages."""
    package = Path(__file__).resolve().parents[1]
    return next(filter(Path.is_dir, (package / "course" / "pages", package.parent / "docs/course")))


def statement(name: str, *, alone: bool) -> str:
    """Return the statement of an exercise; its links lead to the documentation.

    Parameters
    ----------
    name
        The folder of the exercise, such as ``"2-pulp"``.
    alone
        Whether no other file of the course is beside it, so that their links lead there as well.
    """

    def lead(found: re.Match[str]) -> str:
        place = posixpath.normpath(posixpath.join("course", name, found[1]))
        if not alone and place.startswith("course/"):
            return found[0]
        return f"]({SITE}/{re.sub('[.]md$', '.html', place)}{found[2] or ''})"

    return LINK.sub(lead, (pages() / name / "index.md").read_text(encoding="utf-8"))


def grade_starters(folder: Path | str) -> Written:
    """Write the statement, the starter and the data of each exercise into a folder.

    Parameters
    ----------
    folder
        The folder; made if it is missing.

    Raises
    ------
    InputError
        If the folder cannot be made, or a file cannot be written.
    """
    folder = Path(folder)
    found = [(folder / "licence.md", (pages() / "licence.md").read_bytes())]
    for name in solution_names():
        for path in sorted((pages() / name).iterdir()):
            page = path.name == "index.md"
            data = statement(name, alone=False).encode() if page else path.read_bytes()
            found.append((folder / name / path.name, data))
    for path, data in found:
        make_folder(path.parent)
        write_atomically(path, data)
    return Written(tuple(path for path, _ in found))


def grade_notebook(exercise: str, output: Path | str) -> Written:
    """Write the notebook of an exercise for nbgrader, with a solution and one test cell.

    Parameters
    ----------
    exercise
        The exercise's name.
    output
        Write the notebook to this file.

    Raises
    ------
    InputError
        If the answer to the exercise is not a program, or the notebook cannot be written.
    """
    check_exercise(exercise)
    if exercise not in FUNCTIONS:
        raise InputError(
            f"the answer to exercise {exercise} is not a program; notebooks are for exercises "
            f"{join_words(FUNCTIONS)}"
        )
    path = Path(output)
    if path.suffix.lower() != SUFFIX:
        raise InputError(f"a notebook is a file NAME{SUFFIX}", path=path)
    write_atomically(path, json_text(_notebook(exercise)).encode())
    return Written((path,))


TEST = """\
# This cell marks the cell that defines {function}.
from pathlib import Path

import calmip

answer = Path("answer.py")
answer.write_text(next(cell for cell in reversed(In[:-1]) if "def {function}(" in cell))
marks = calmip.grade("{exercise}", answer)
display(marks)
marks.marks"""


def _notebook(exercise: str) -> dict[str, Any]:
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
    test = TEST.format(function=function, exercise=exercise)
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
