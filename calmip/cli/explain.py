"""``calmip explain``."""

from __future__ import annotations

from pathlib import Path

import click

from calmip.cli import FOUND, LIMIT, NONE
from calmip.cli._command import command
from calmip.cli._options import (
    deliver,
    instance_from,
    instance_options,
    placed_option,
    terminal_style,
    time_limit_option,
)
from calmip.cli._pictures import chosen_form, format_option
from calmip.documents.description import json_text
from calmip.problem.status import Status
from calmip.render.reports import explain as report
from calmip.search.conflict import TRIES
from calmip.tasks.explain import explain

__all__ = ["explain_command"]

# A conflict is what was asked for.
EXIT_CODES = {Status.INFEASIBLE: FOUND, Status.FEASIBLE: NONE, Status.UNKNOWN: LIMIT}


@command(
    "explain",
    "calmip explain a-puzzle-a-day --reveal Jul,Feb",
    'calmip explain a-puzzle-a-day --date today --placed "U:15+16"',
    "calmip explain a-puzzle-a-day --reveal Dec,29 --no-flip --format json",
)
@instance_options
@placed_option
@click.option(
    "--tries",
    type=int,
    default=TRIES,
    show_default=True,
    help="Look for a small conflict around so many cells.",
)
@time_limit_option()
@format_option("text", "json")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Write to a file.")
def explain_command(
    source: str,
    reveal: str | None,
    date: str | None,
    flip: bool | None,
    placed: str | None,
    tries: int,
    time_limit: float | None,
    form: str | None,
    output: Path | None,
) -> int:
    """Name cells and pieces that already conflict in INSTANCE, which has no tiling.

    They are few, and none is idle: the others could be served without it.
    Where linear programming suffices, numbers prove the conflict, checked
    without rounding. The exit code is 0 if a conflict is named, 1 if there is
    a tiling and nothing to explain, 3 if a limit came first.
    """
    form = chosen_form(form, output, ("text", "json"))
    instance = instance_from(source, reveal, date, flip, placed)
    found = explain(instance, tries=tries, time_limit=time_limit)
    if form == "json":
        text = json_text(found.describe())
    else:
        text = report.text(found, terminal_style(output))
    deliver(text, output)
    return EXIT_CODES[found.status]
