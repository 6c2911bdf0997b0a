"""``calmip grade``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from calmip.cli import FOUND, NONE
from calmip.cli._options import deliver
from calmip.course import EXERCISES, grade
from calmip.course.marks import Result
from calmip.documents.description import json_text

__all__ = ["grade_command"]


@click.command("grade")
@click.argument("exercise", type=click.Choice(list(EXERCISES)), metavar="EXERCISE")
@click.argument("submission", type=click.Path(path_type=Path), metavar="FILE")
@click.option(
    "--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True
)
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Write to a file.")
def grade_command(exercise: str, submission: Path, form: str, output: Path | None) -> int:
    """Mark a submitted FILE of one of the six exercises of the course.

    What failed is said with a counter-example drawn as a board. A Python file
    is run in a process of its own with limits of time and memory; what it
    prints is not read. The exit code is 0 for full marks, 1 for fewer.
    """
    result = grade(exercise, submission)
    deliver(json_text(_described(result)) if form == "json" else _text(result), output)
    return FOUND if result.marks == result.most else NONE


def _text(result: Result) -> str:
    lines = [f"Exercise {result.exercise}: {result.title}", ""]
    for check in result.checks:
        earned = check.worth if check.passed else 0
        lines.append(f"  {earned}/{check.worth}  {check.what}")
        if not check.passed:
            lines.append(f"       {check.fault}")
            lines.extend(f"       {line}" for line in check.board.splitlines())
    lines += ["", f"{result.marks} of {result.most} marks"]
    return "\n".join(lines) + "\n"


def _described(result: Result) -> dict[str, Any]:
    return {
        "exercise": result.exercise,
        "title": result.title,
        "marks": result.marks,
        "most": result.most,
        "checks": [
            {
                "what": check.what,
                "marks": check.worth if check.passed else 0,
                "most": check.worth,
                "passed": check.passed,
                "fault": check.fault,
                "board": check.board,
            }
            for check in result.checks
        ],
    }
