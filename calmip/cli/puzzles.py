"""``calmip puzzles``."""

from __future__ import annotations

import re
from pathlib import Path

import click

from calmip.cli import FOUND, exit_code
from calmip.cli._command import Source, command
from calmip.cli._options import note, terminal_style
from calmip.cli._pictures import chosen_form, deliver_data, format_option, theme_option
from calmip.errors import InputError
from calmip.render.cutting import Cutting, sheets
from calmip.render.cutting_files import FORMS, cut_file
from calmip.render.reports import puzzles as report
from calmip.tasks.puzzles import puzzles

__all__ = ["puzzles_command"]

PAPERS = {"a4": (210.0, 297.0), "a3": (297.0, 420.0), "letter": (215.9, 279.4)}


def _length(text: str) -> float:
    """Return a length in millimetres, with or without the unit."""
    return float(click.FLOAT(text.lower().removesuffix("mm").strip()))


def _size(text: str) -> tuple[float, float]:
    """Return the width and the height that a text such as ``600x400`` or ``A4`` says."""
    found = re.fullmatch(r"([\d.]+)(?:mm)?x([\d.]+)(?:mm)?", text.lower())
    if text.lower() in PAPERS:
        return PAPERS[text.lower()]
    if found is None:
        raise click.BadParameter(f"'{text}' is no size; write it as 600x400 or A4")
    return _length(found[1]), _length(found[2])


@command(
    "puzzles",
    "calmip puzzles",
    "calmip puzzles a-puzzle-a-day -o puzzle.svg",
    "calmip puzzles a-puzzle-a-day --cut --cell 15mm --kerf 0.1mm --radius 0.5mm -o cut.dxf",
)
@click.argument("name", type=Source(), required=False)
@format_option(*report.FORMS, "dxf")
@theme_option
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Write to a file.")
@click.option("--cut", is_flag=True, help="Draw board and pieces to be cut: .svg, .dxf, .pdf.")
@click.option(
    "--cell", type=_length, default="20", show_default="20mm", help="With --cut: of a cell."
)
@click.option("--kerf", type=_length, default="0", show_default="0mm", help="Width of the cut.")
@click.option("--radius", type=_length, default="0", show_default="0mm", help="Of the corners.")
@click.option(
    "--sheet",
    type=_size,
    default="600x400",
    show_default=True,
    help="Of a sheet, in mm; or A4, A3.",
)
@click.option("--scale-bar", is_flag=True, help="With --cut: 100 mm to measure, for paper.")
def puzzles_command(
    name: str | None,
    form: str | None,
    theme: str,
    output: Path | None,
    cut: bool,
    cell: float,
    kerf: float,
    radius: float,
    sheet: tuple[float, float],
    scale_bar: bool,
) -> int:
    """List the bundled puzzles, or show the board, pieces, sources and known counts of one.

    NAME is the name of a bundled puzzle, or the path of a puzzle in YAML. A
    picture shows its board and its pieces; the page (html) also shows all.

    A file is checked: labels that are missing or typed twice, cells that no piece
    covers, dates that cannot be, and the numbers of tilings. It may lack pieces.

    --cut draws the same at its real size, to be cut of wood, acrylic or paper:
    a base with the labels, a frame around the board, and the pieces, packed on
    sheets. Cuts are red hairlines, engravings blue ones, on layers of their own.
    """
    if cut:
        return _cut(name, form, output, Cutting(cell, kerf, radius, sheet, scale_bar))
    if form == "dxf":
        raise InputError("dxf goes with --cut")
    form = chosen_form(form, output, report.FORMS)
    found = puzzles(name)
    style = terminal_style(output)
    deliver_data(report.data(found, form, theme, style), form, output)
    return exit_code(found)


def _cut(name: str | None, form: str | None, output: Path | None, cutting: Cutting) -> int:
    """Write the sheets of parts."""
    if name is None:
        raise InputError("--cut goes with the NAME of one puzzle")
    form = chosen_form(form, output, FORMS)
    (puzzle,) = puzzles(name).puzzles.values()
    found = sheets(puzzle, cutting)
    deliver_data(cut_file(found, cutting, form), form, output)
    if len(found) > 1:
        note(f"{len(found)} sheets")
    return FOUND
