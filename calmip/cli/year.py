"""``calmip year``."""

from __future__ import annotations

from pathlib import Path

import click

from calmip.cli import exit_code
from calmip.cli._command import Source, command
from calmip.cli._options import note, note_faults, sharing_options, time_limit_option, year_option
from calmip.cli._pictures import BINARY, chosen_form, deliver_data, format_option, theme_option
from calmip.cli._progress import counter
from calmip.cli._work import kept
from calmip.documents.reader import read_puzzle
from calmip.problem.status import Status
from calmip.render.reports import data
from calmip.render.reports import year as report
from calmip.tasks.year import year as count_year

__all__ = ["year_command"]


@command(
    "year",
    "calmip year a-puzzle-a-day",
    "calmip year a-puzzle-a-day -o year.html",
    "calmip year praxis-rhombus --year 2027 --format csv",
)
@click.argument("source", type=Source(), metavar="PUZZLE")
@year_option("Only this year's dates, with their weekdays.")
@click.option("--flip/--no-flip", default=None, help="Whether pieces may be turned over.")
@time_limit_option()
@sharing_options
@format_option(*report.FORMS)
@theme_option
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Write to a file.")
def year_command(
    source: str,
    year: int | None,
    flip: bool | None,
    time_limit: float | None,
    workers: int,
    memory_limit: float | None,
    form: str | None,
    theme: str,
    output: Path | None,
) -> int:
    """Count the tilings of every date of PUZZLE: the year at a glance.

    PUZZLE is the name of a bundled puzzle or the path of a puzzle in YAML.
    Pictures show a calendar heat-map, a histogram, the months and the
    weekdays; csv and json hold the numbers. The exit code is 0 if some date
    has a tiling, 1 if none has, 3 if the time limit came first.
    """
    form = chosen_form(form, output, report.FORMS)
    if form in BINARY:
        from calmip.render.printing import plotting

        plotting()
    puzzle = read_puzzle(source)
    if flip is not None:
        puzzle = puzzle.with_flip(flip)
    note_faults(puzzle)
    kept("not all tilings were counted, so nothing is written")
    with counter("states", silent=True) as show:
        found = count_year(
            puzzle,
            year,
            time_limit=time_limit,
            progress=show,
            workers=workers,
            memory_limit=memory_limit,
        )
    if found.status is Status.UNKNOWN:
        note(str(found))
    else:
        deliver_data(data(found, form, theme), form, output)
    return exit_code(found)
