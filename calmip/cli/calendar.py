"""``calmip calendar``."""

from __future__ import annotations

import datetime
from pathlib import Path

import click

from calmip._files import check_target
from calmip.cli import exit_code
from calmip.cli._command import command
from calmip.cli._options import note
from calmip.cli._pictures import chosen_form, deliver_data, format_option, theme_option
from calmip.cli._progress import bar
from calmip.documents.reader import read_puzzle
from calmip.errors import InputError, shown
from calmip.render.reports import calendar as report
from calmip.tasks.calendar import calendar, days_of

__all__ = ["calendar_command"]


@command("calendar")
@click.argument("source", metavar="PUZZLE")
@click.option("--year", type=int, metavar="Y", help="The year; this year unless given.")
@click.option("--seed", type=int, default=0, show_default=True, help="Another one, other tilings.")
@click.option("--flip/--no-flip", default=None, help="Whether pieces may be turned over.")
@format_option(*report.FORMS, default="json")
@theme_option
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Write to a file.")
@click.option("--resume", is_flag=True, help="With -o: go on where a killed run ended.")
def calendar_command(
    source: str,
    year: int | None,
    seed: int,
    flip: bool | None,
    form: str | None,
    theme: str,
    output: Path | None,
    resume: bool,
) -> int:
    """Make a verified tiling of PUZZLE for every day of a year.

    PUZZLE is the name of a bundled puzzle or the path of a puzzle in YAML.
    json is small and documented, html one page with a picture a day, pdf a
    month a page. Dates without a tiling are marked. The same arguments give
    the same file. While it is made, the days stand in FILE.part; --resume
    goes on from there. The exit code is 1 if no day has a tiling.
    """
    form = chosen_form(form, output, report.FORMS)
    if form == "pdf":
        from calmip.render.printing import plotting

        plotting()
    puzzle = read_puzzle(source)
    if flip is not None:
        puzzle = puzzle.with_flip(flip)
    year = datetime.date.today().year if year is None else year
    if resume and output is None:
        raise InputError("--resume goes with -o FILE")
    journal = None
    if output is not None:
        # Whatever bears the name now, a device say, must be one to replace.
        check_target(output)
        journal = output.with_name(output.name + ".part")
    where = "made; without -o nothing is kept"
    if journal is not None:
        where = f"in {shown(journal, 300)}; go on with --resume"
    with bar("days", len(days_of(year)), where) as advance:
        found = calendar(
            puzzle, year, seed=seed, journal=journal, resume=resume, progress=lambda _: advance()
        )
    deliver_data(report.data(found, form, theme), form, output)
    if journal is not None:
        journal.unlink(missing_ok=True)
    if found.without:
        note(report.missing(found))
    return exit_code(found)
