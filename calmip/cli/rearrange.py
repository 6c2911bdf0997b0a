"""``calmip rearrange``."""

from __future__ import annotations

from pathlib import Path

import click

from calmip._files import check_target
from calmip.cli import exit_code
from calmip.cli._command import Source, command
from calmip.cli._options import deliver, note, note_faults
from calmip.cli._pictures import refuse_other_suffixes
from calmip.cli._progress import bar
from calmip.documents.reader import read_instance
from calmip.render.reports import text
from calmip.render.reports.short import reached
from calmip.tasks.rearrange import rearrange

__all__ = ["rearrange_command"]


@command(
    "rearrange",
    "calmip rearrange a-puzzle-a-day --starts 1",
    "calmip rearrange a-puzzle-a-day -o new.yaml",
    "calmip rearrange heart-set1 --seed 3 -o heart.yaml",
)
@click.argument("source", type=Source(), metavar="PUZZLE")
@click.option("--flip/--no-flip", default=None, help="Whether pieces may be turned over.")
@click.option("--starts", type=int, default=8, show_default=True, help="Arrangements to improve.")
@click.option("--seed", type=int, default=0, show_default=True, help="Of the random starts.")
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), help="Write the new puzzle as YAML."
)
def rearrange_command(
    source: str, flip: bool | None, starts: int, seed: int, output: Path | None
) -> int:
    """Arrange the months and days of PUZZLE anew, so that the year grows difficult.

    The cells and the pieces stay. Without -o the new puzzle goes to stdout,
    and what was reached to stderr: Spearman's rank correlation of a date's
    place in the year with its number of tilings, -1 at best.
    """
    refuse_other_suffixes(output, "a puzzle in YAML", ["yaml"])
    puzzle = read_instance(source, flip=flip, free=True).puzzle
    note_faults(puzzle)
    if output is not None:
        check_target(output)
    with bar("starts", starts) as step:
        found = rearrange(puzzle, seed=seed, starts=starts, progress=step)
    for line in reached(found):
        note(line)
    deliver(text(found), output)
    return exit_code(found)
