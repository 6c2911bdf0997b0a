"""``calmip grade``."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import click

from calmip.cli import exit_code
from calmip.cli._command import command
from calmip.cli._options import deliver, note, time_limit_option
from calmip.cli._pictures import chosen_form, deliver_data, format_option
from calmip.course.exercises import (
    EXERCISES,
    protection_of,
    read_roster,
    write_sheets,
    write_solutions,
)
from calmip.errors import shown
from calmip.render.reports import data
from calmip.render.reports import grade as report
from calmip.tasks.grade import grade, grade_class

__all__ = ["grade_command"]


@command(
    "grade",
    "calmip grade 1 placements.txt",
    "calmip grade 2 submissions/ -o marks.csv",
    "calmip grade 6 --assign roster.csv -o sheets",
)
@click.argument("exercise", type=click.Choice(list(EXERCISES)), metavar="EXERCISE", required=False)
@click.argument("submissions", type=click.Path(path_type=Path), metavar="FILE...", nargs=-1)
@time_limit_option("How long each Python file may run; 60 unless given.")
@format_option(*report.FORMS)
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Write to a file.")
@click.option(
    "--assign",
    type=click.Path(path_type=Path),
    metavar="ROSTER",
    help="Draw a puzzle for each student of a CSV file; their sheets are written to the folder -o.",
)
@click.option(
    "--roster",
    type=click.Path(path_type=Path),
    metavar="ROSTER",
    help="Mark each file by its student's own puzzle; the student is known by the file's name.",
)
@click.option(
    "--solutions",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Write a right answer to each exercise into a folder, and mark nothing.",
)
@click.option(
    "--unprotected",
    is_flag=True,
    help="Run the programs of a class as root although nothing protects this machine from them.",
)
def grade_command(
    exercise: str | None,
    submissions: tuple[Path, ...],
    time_limit: float | None,
    form: str | None,
    output: Path | None,
    assign: Path | None,
    roster: Path | None,
    solutions: Path | None,
    unprotected: bool,
) -> int:
    """Mark a submitted FILE of one of the six exercises of the course, or those of a class.

    What failed is said with a counter-example drawn as a board. A Python file
    is run in a process of its own with limits of time and memory; what it
    prints is not read. Several files, or a folder, make a table with a line for
    each; --format csv has a column for every check, nbgrader the columns of
    nbgrader's export, and gradescope is the file results.json for one
    submission. The exit code is 0 for full marks, 1 for fewer.
    """
    if solutions is not None:
        if exercise is not None or submissions or form or output or assign or roster or unprotected:
            raise click.UsageError("--solutions DIR stands by itself")
        deliver(_names(write_solutions(solutions)), None)
        return 0
    if assign is not None:
        if exercise is None or output is None or submissions or form or roster or unprotected:
            raise click.UsageError("sheets are drawn by: grade EXERCISE --assign ROSTER -o FOLDER")
        written = write_sheets(exercise, read_roster(assign), output)
        deliver(_names(written), None)
        return 0
    if exercise is None or not submissions:
        raise click.UsageError("name an EXERCISE, 1 to 6, and a FILE or folder to mark")
    form = chosen_form(form, output, report.FORMS)
    if len(submissions) == 1 and not submissions[0].is_dir():
        result = grade(exercise, submissions[0], time_limit=time_limit, roster=roster)
        deliver_data(data(result, form), form, output)
        return exit_code(result)
    report.check_form_of_class(form)
    protection = protection_of(exercise)
    if protection is not None:
        note(str(protection))
    marks = grade_class(
        exercise,
        submissions,
        time_limit=time_limit,
        roster=roster,
        unprotected=unprotected,
        progress=lambda now: note(report.line(now.latest)),
    )
    deliver_data(data(marks, form), form, output)
    return exit_code(marks)


def _names(paths: Iterable[Path]) -> str:
    return "".join(f"{shown(path, 300)}\n" for path in paths)
