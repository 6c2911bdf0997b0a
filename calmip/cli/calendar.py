"""``calmip calendar``."""

from __future__ import annotations

import datetime
import re
from pathlib import Path

import click

from calmip._files import check_target
from calmip.cli import FOUND, exit_code
from calmip.cli._command import Source, command
from calmip.cli._options import note, note_faults, year_option
from calmip.cli._pictures import chosen_form, deliver_data, format_option, theme_option
from calmip.cli._progress import bar
from calmip.documents.reader import read_puzzle
from calmip.errors import InputError, shown
from calmip.problem.dates import different_puzzles, labels_of_date
from calmip.problem.puzzle import Puzzle
from calmip.render.reports import calendar as report
from calmip.render.reports import data
from calmip.tasks.calendar import Calendar, calendar, days_of

__all__ = ["calendar_command"]

MOST_YEARS = 100


@command(
    "calendar",
    "calmip calendar a-puzzle-a-day --year 2027 -o 2027.html",
    "calmip calendar weekday-8x7 --years 2026-2028 -o years.json",
    "calmip calendar heart-set1 --seed 7 -o heart.json",
)
@click.argument("source", type=Source(), metavar="PUZZLE")
@year_option("The year; this year unless given.")
@click.option(
    "--years",
    metavar="Y-Z",
    help="All years from Y to Z, as in 2026-2031, each into a file: -o NAME.html makes "
    "NAME-2026.html and so on.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Another one, other tilings.")
@click.option("--flip/--no-flip", default=None, help="Whether pieces may be turned over.")
@format_option(*report.FORMS, default="json")
@theme_option
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Write to a file.")
@click.option("--resume", is_flag=True, help="With -o: go on where a killed run ended.")
def calendar_command(
    source: str,
    year: int | None,
    years: str | None,
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
    goes on from there; of --years, years that are there already are kept. On
    boards with weekdays a date is another puzzle in another year. The exit code
    is 1 if no day has a tiling.
    """
    form = chosen_form(form, output, report.FORMS)
    if form == "pdf":
        from calmip.render.printing import plotting

        plotting()
    puzzle = read_puzzle(source)
    if flip is not None:
        puzzle = puzzle.with_flip(flip)
    note_faults(puzzle)
    if resume and output is None:
        raise InputError("--resume goes with -o FILE")
    wanted = _wanted(year, years)
    if years is not None and output is None:
        raise InputError("--years makes a file for each year; name them with -o NAME.html")
    for one in wanted:
        # Asked here, as labels that are missing are better said before the work.
        labels_of_date(puzzle.groups, days_of(one)[0])
    codes = set()
    for one in wanted:
        path = output
        if output is not None and years is not None:
            path = output.with_name(f"{output.stem}-{one}{output.suffix}")
            if resume and path.exists():
                continue
        codes.add(exit_code(_year(puzzle, one, seed, path, form, theme, resume=resume)))
    if years is not None:
        days = [day for one in wanted for day in days_of(one)]
        different = different_puzzles(puzzle.groups, days)
        note(f"{len(days):,} days, {different:,} different puzzles")
    return min(codes, default=FOUND)


def _wanted(year: int | None, years: str | None) -> range:
    """Return the years that are meant."""
    if years is None:
        only = datetime.date.today().year if year is None else year
        return range(only, only + 1)
    if year is not None:
        raise InputError("give --year Y or --years Y-Z, not both")
    found = re.fullmatch(r"(\d{4})-(\d{4})", years, re.ASCII)
    first, last = map(int, found.groups()) if found else (0, 0)
    if not 1 <= first <= last:
        raise InputError(
            f"--years is a first and a last year such as 2026-2031, not '{shown(years)}'"
        )
    if last - first >= MOST_YEARS:
        raise InputError(f"--years takes at most {MOST_YEARS} years at once")
    return range(first, last + 1)


def _year(
    puzzle: Puzzle,
    year: int,
    seed: int,
    output: Path | None,
    form: str,
    theme: str,
    *,
    resume: bool,
) -> Calendar:
    """Make one year's calendar, write it and say what it lacks."""
    journal = None
    if output is not None:
        # Whatever bears the name now, a device say, must be one to replace.
        check_target(output)
        journal = output.with_name(output.name + ".part")
    where = "made; without -o nothing is kept"
    if journal is not None:
        where = f"in {shown(journal, 300)}; go on with --resume"
    with bar("days", len(days_of(year)), where) as advance:
        found = calendar(puzzle, year, seed=seed, journal=journal, resume=resume, progress=advance)
    deliver_data(data(found, form, theme), form, output)
    if journal is not None:
        journal.unlink(missing_ok=True)
    if found.without:
        note(report.missing(found))
    return found
