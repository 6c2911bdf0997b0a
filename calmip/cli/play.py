"""``calmip play``."""

from __future__ import annotations

from pathlib import Path

import click

from calmip.cli import exit_code
from calmip.cli._command import Source, command
from calmip.cli._options import deliver
from calmip.cli._pictures import refuse_other_suffixes
from calmip.documents.collection import DEFAULT_PUZZLE
from calmip.tasks.play import play

__all__ = ["play_command"]


@command(
    "play",
    "calmip play",
    "calmip play hex43-v1 --date tomorrow",
    "calmip play heart-set1 -o heart.html",
)
@click.argument("puzzle", type=Source(), default=DEFAULT_PUZZLE)
@click.option(
    "--date",
    metavar="DATE",
    help="Open this date: 2024-02-29, tomorrow, +3 days; today unless given.",
)
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Write the page to a file.")
def play_command(puzzle: str, date: str | None, output: Path | None) -> int:
    """Open a page to play PUZZLE on, in the browser: without a server, without network.

    PUZZLE is the name of a bundled puzzle, or the path of a puzzle in YAML. On
    the page are all bundled puzzles and dates, the number of tilings left after
    every move, hints, the year, the model with its files, and HiGHS. With -o
    the page is one file that can be copied and mailed.
    """
    refuse_other_suffixes(output, "a page", ["html", "htm"])
    page = play(puzzle, date=date, output=output)
    deliver(f"{page}\n", None)
    return exit_code(page)
