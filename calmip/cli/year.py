"""``calmip year``."""

from __future__ import annotations

from pathlib import Path

import click

from calmip.cli import FOUND, LIMIT, NONE
from calmip.cli._options import note
from calmip.cli._pictures import BINARY, PICTURES, chosen_form, deliver_data, drawn, theme_option
from calmip.cli._progress import counter
from calmip.documents.reader import read_puzzle
from calmip.errors import InputError
from calmip.tasks.year import Year, count_year

__all__ = ["year_command"]

FORMS = ("text", *PICTURES, "html", "csv", "json")


@click.command("year")
@click.argument("source", metavar="PUZZLE")
@click.option("--year", type=int, metavar="Y", help="Only this year's dates, with their weekdays.")
@click.option("--flip/--no-flip", default=None, help="Whether pieces may be turned over.")
@click.option("--time-limit", type=float, metavar="SECONDS", help="Stop after so many seconds.")
@click.option(
    "--workers",
    type=click.IntRange(1, 64),
    default=1,
    show_default=True,
    help="Threads that share a large count.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMS),
    help="By the suffix of -o unless given, else text.",
)
@theme_option
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Write to a file.")
def year_command(
    source: str,
    year: int | None,
    flip: bool | None,
    time_limit: float | None,
    workers: int,
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
    form = chosen_form(form, output, FORMS)
    if form in BINARY:
        from calmip.render.printing import plotting

        plotting()
    if time_limit is not None and not time_limit > 0:
        raise InputError(f"the time limit is a number of seconds above 0, not {time_limit:g}")
    puzzle = read_puzzle(source)
    if flip is not None:
        puzzle = puzzle.with_flip(flip)
    try:
        with counter("states", silent=True) as show:
            found = count_year(puzzle, year, time_limit=time_limit, progress=show, workers=workers)
    except TimeoutError as error:
        note(f"stopped before an answer: {error}")
        return LIMIT
    deliver_data(_data(found, form, theme), form, output)
    return FOUND if any(count.tilings for count in found.counts) else NONE


def _data(year: Year, form: str, theme: str) -> bytes:
    if form in PICTURES:
        from calmip.render.year_picture import year_picture

        return drawn(year_picture(year), form, theme)
    if form == "html":
        from calmip.render.year_html import year_page

        return year_page(year, theme=theme).encode()
    from calmip.documents.description import json_text
    from calmip.render.year_text import describe_year, year_csv, year_text

    if form == "csv":
        return year_csv(year).encode()
    return (json_text(describe_year(year)) if form == "json" else year_text(year)).encode()
