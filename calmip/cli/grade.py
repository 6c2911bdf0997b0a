"""``calmip grade``."""

from __future__ import annotations

from pathlib import Path

import click

from calmip.cli import exit_code
from calmip.cli._command import command
from calmip.cli._options import deliver
from calmip.cli._pictures import chosen_form, format_option
from calmip.course import EXERCISES
from calmip.documents.description import json_text
from calmip.tasks.grade import grade

__all__ = ["grade_command"]


@command(
    "grade",
    "calmip grade 1 placements.py",
    "calmip grade 6 feb29.sol",
    "calmip grade 5 cuts.py --format json",
)
@click.argument("exercise", type=click.Choice(list(EXERCISES)), metavar="EXERCISE")
@click.argument("submission", type=click.Path(path_type=Path), metavar="FILE")
@format_option("text", "json")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Write to a file.")
def grade_command(exercise: str, submission: Path, form: str | None, output: Path | None) -> int:
    """Mark a submitted FILE of one of the six exercises of the course.

    What failed is said with a counter-example drawn as a board. A Python file
    is run in a process of its own with limits of time and memory; what it
    prints is not read. The exit code is 0 for full marks, 1 for fewer.
    """
    form = chosen_form(form, output, ("text", "json"))
    result = grade(exercise, submission)
    deliver(json_text(result.describe()) if form == "json" else f"{result}\n", output)
    return exit_code(result)
