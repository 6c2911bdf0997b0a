"""``calmip calendar``."""

from __future__ import annotations

import datetime
from pathlib import Path

import click

from calmip.cli import FOUND, NONE
from calmip.cli._options import note
from calmip.cli._pictures import chosen_form, deliver_data, theme_option
from calmip.cli._progress import bar
from calmip.documents.reader import read_puzzle
from calmip.errors import InputError, listed
from calmip.tasks._resume import DayJournal
from calmip.tasks.calendar import Calendar, Day, days_of, make_calendar

__all__ = ["calendar_command"]

FORMS = ("json", "html", "pdf")


@click.command("calendar")
@click.argument("source", metavar="PUZZLE")
@click.option("--year", type=int, metavar="Y", help="The year; this year unless given.")
@click.option("--seed", type=int, default=0, show_default=True, help="Another one, other tilings.")
@click.option("--flip/--no-flip", default=None, help="Whether pieces may be turned over.")
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMS),
    help="By the suffix of -o unless given, else json.",
)
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
    form = chosen_form(form, output, FORMS)
    if form == "pdf":
        from calmip.render.printing import plotting

        plotting()
    puzzle = read_puzzle(source)
    if flip is not None:
        puzzle = puzzle.with_flip(flip)
    year = datetime.date.today().year if year is None else year
    if resume and output is None:
        raise InputError("--resume goes with -o FILE")
    journal = DayJournal(puzzle, year, seed, output, resume=resume)
    with bar("tilings", len(days_of(year)) - len(journal.days)) as advance:

        def keep(day: Day) -> None:
            journal.add(day)
            advance()

        calendar = make_calendar(puzzle, year, seed=seed, known=journal.days, progress=keep)
    deliver_data(_data(calendar, form, theme), form, output)
    journal.done()
    none = [day.date.isoformat() for day in calendar.days if day.tiling is None]
    if none:
        note(f"{len(none)} of {len(calendar.days)} dates have no tiling: {listed(none, most=10)}")
    return NONE if len(none) == len(calendar.days) else FOUND


def _data(calendar: Calendar, form: str, theme: str) -> bytes:
    if form == "html":
        from calmip.render.calendar_html import calendar_page

        return calendar_page(calendar, theme=theme).encode()
    if form == "pdf":
        from calmip.render.calendar_pages import month_pages
        from calmip.render.printing import a4_for, pdf_of

        pages = month_pages(calendar)
        return pdf_of(pages, theme=theme, paper=a4_for(pages[0]))
    from calmip.tasks._calendar_file import calendar_json

    return calendar_json(calendar).encode()
