"""``calmip today``: your puzzle's tiling of the day. Your puzzle is remembered."""

from __future__ import annotations

import contextlib
from pathlib import Path

import click

from calmip._files import make_folder, write_text
from calmip.cli import exit_code
from calmip.cli._command import Source, command
from calmip.cli._options import note, note_faults, terminal_style, time_limit_option
from calmip.cli._pictures import (
    PICTURES,
    chosen_form,
    deliver_data,
    format_option,
    theme_option,
)
from calmip.documents.collection import DEFAULT_PUZZLE, bundled_puzzles
from calmip.documents.reader import read_puzzle
from calmip.errors import InputError, shown
from calmip.render.reports import data
from calmip.render.reports import today as report
from calmip.tasks.today import today

__all__ = ["today_command"]

MOST = 4096
"""Characters of a path that is worth remembering."""


@command(
    "today",
    "calmip today",
    "calmip today praxis-rhombus",
    "calmip today --date tomorrow -o tomorrow.svg",
)
@click.argument("puzzle", type=Source(), required=False)
@click.option(
    "--date",
    metavar="DATE",
    default="today",
    show_default=True,
    help="Another day: tomorrow, +3 days, 2024-02-29.",
)
@time_limit_option()
@format_option(*report.FORMS)
@theme_option
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Write to a file.")
def today_command(
    puzzle: str | None,
    date: str,
    time_limit: float | None,
    form: str | None,
    theme: str,
    output: Path | None,
) -> int:
    """Show today's tiling of PUZZLE, and say how many there are.

    PUZZLE is the name of a bundled puzzle or the path of a puzzle in YAML. It is
    remembered, so that `calmip today` is enough from then on. The exit code is
    0 if there is a tiling, 1 if there is none, 3 if a limit came first.
    """
    form = chosen_form(form, output, report.FORMS)
    chosen = puzzle or _remembered() or DEFAULT_PUZZLE
    try:
        wanted = read_puzzle(chosen)
    except InputError as error:
        if puzzle is not None:
            raise
        raise InputError(
            f"your puzzle {shown(chosen)}, which was remembered, cannot be read ({error}); "
            "name another: calmip today PUZZLE"
        ) from None
    note_faults(wanted)
    found = today(wanted, date, time_limit=time_limit)
    if puzzle is not None:
        _remember(puzzle)
    if form in PICTURES and found.tiling is None:
        note(report.said(found))
    else:
        deliver_data(data(found, form, theme, terminal_style(output)), form, output)
    return exit_code(found)


def _file() -> Path:
    return Path(click.get_app_dir("calmip")) / "puzzle"


def _remembered() -> str | None:
    """Return what was named last, or None; that it cannot be read is no matter."""
    with contextlib.suppress(OSError, ValueError), _file().open(encoding="utf-8") as file:
        return file.read(MOST).strip() or None
    return None


def _remember(puzzle: str) -> None:
    """Keep what was named, a file by its whole path; that it cannot be kept is no matter."""
    name = puzzle if puzzle in bundled_puzzles() else str(Path(puzzle).resolve())
    with contextlib.suppress(InputError, ValueError):
        make_folder(_file().parent)
        write_text(_file(), [f"{name}\n"])
