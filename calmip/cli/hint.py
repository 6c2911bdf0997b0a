"""``calmip hint``."""

from __future__ import annotations

from pathlib import Path

import click

from calmip.cli import exit_code
from calmip.cli._command import command
from calmip.cli._options import (
    deliver,
    instance_from,
    instance_options,
    note,
    placed_option,
    terminal_style,
    time_limit_option,
)
from calmip.cli._pictures import PICTURES, chosen_form, deliver_data, format_option, theme_option
from calmip.render.reports import hint as report
from calmip.tasks.hint import hint

__all__ = ["hint_command"]


@command(
    "hint",
    "calmip hint a-puzzle-a-day --date today",
    'calmip hint a-puzzle-a-day --reveal Feb,29 --placed "U:Jan+Mar"',
    "calmip hint a-puzzle-a-day --date today -o hint.svg",
)
@instance_options
@placed_option
@time_limit_option()
@format_option(*report.FORMS)
@theme_option
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Write to a file.")
def hint_command(
    source: str,
    reveal: str | None,
    date: str | None,
    flip: bool | None,
    placed: str | None,
    time_limit: float | None,
    form: str | None,
    theme: str,
    output: Path | None,
) -> int:
    """Say whether INSTANCE can be solved with what lies on its board, and show one piece more.

    Write what lies on the board as --placed "U:15+16 Y:3,0": the piece, and
    places that it covers, by label or by row,column from 0 on. If several ways
    to lie cover them, they are listed. In a file, the key placed says the same.
    A picture (-o hint.svg) shows the position and, in a heavy outline, the piece.
    The exit code is 0 if the position can be solved, 1 if not, 3 if a limit
    came first.
    """
    form = chosen_form(form, output, report.FORMS)
    position = instance_from(source, reveal, date, flip, placed)
    found = hint(position, time_limit=time_limit)
    if form == "text":
        deliver(report.text(found, terminal_style(output)), output)
    else:
        deliver_data(report.data(found, form, theme), form, output)
    if form in PICTURES:
        for line in report.said(found):
            note(line)
    return exit_code(found)
