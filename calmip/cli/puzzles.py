"""``calmip puzzles``."""

from __future__ import annotations

from pathlib import Path

import click

from calmip.cli import exit_code
from calmip.cli._command import Source, command
from calmip.cli._options import terminal_style
from calmip.cli._pictures import chosen_form, deliver_data, format_option, theme_option
from calmip.render.reports import puzzles as report
from calmip.tasks.puzzles import puzzles

__all__ = ["puzzles_command"]


@command(
    "puzzles",
    "calmip puzzles",
    "calmip puzzles a-puzzle-a-day -o puzzle.svg",
    "calmip puzzles -o all.html",
)
@click.argument("name", type=Source(), required=False)
@format_option(*report.FORMS)
@theme_option
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Write to a file.")
def puzzles_command(name: str | None, form: str | None, theme: str, output: Path | None) -> int:
    """List the bundled puzzles, or show the board, pieces, sources and known counts of one.

    NAME is the name of a bundled puzzle, or the path of a puzzle in YAML. A
    picture shows its board and its pieces; the page (html) also shows all.
    """
    form = chosen_form(form, output, report.FORMS)
    found = puzzles(name)
    style = terminal_style(output)
    deliver_data(report.data(found, form, theme, style), form, output)
    return exit_code(found)
