"""``calmip puzzles``."""

from __future__ import annotations

from pathlib import Path

import click
from click.core import ParameterSource

from calmip.cli import FOUND, exit_code
from calmip.cli._command import Source, command
from calmip.cli._options import Length, Size, note, terminal_style
from calmip.cli._pictures import chosen_form, deliver_data, format_option, theme_option
from calmip.errors import InputError, listed
from calmip.render.cutting import Cutting, sheets
from calmip.render.cutting_files import FORMS, cut_files
from calmip.render.reports import data
from calmip.render.reports import puzzles as report
from calmip.tasks.puzzles import puzzles

__all__ = ["puzzles_command"]

CUTTING = ("cell", "kerf", "radius", "sheet", "words", "scale_bar")
"""The options that say how to cut."""


@command(
    "puzzles",
    "calmip puzzles",
    "calmip puzzles a-puzzle-a-day -o puzzle.svg",
    "calmip puzzles a-puzzle-a-day --cut --cell 15mm --kerf 0.1mm -o cut.dxf",
)
@click.argument("name", type=Source(), required=False)
@format_option(*report.FORMS, "dxf")
@theme_option
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Write to a file.")
@click.option("--cut", is_flag=True, help="Draw board and pieces to be cut: .svg, .dxf, .pdf.")
@click.option("--cell", type=Length(), default="20mm", show_default=True, help="Width of a cell.")
@click.option(
    "--kerf", type=Length(), default="0mm", show_default=True, help="Width that the cut takes away."
)
@click.option(
    "--radius", type=Length(), default="0mm", show_default=True, help="Radius of the corners."
)
@click.option(
    "--sheet",
    type=Size(),
    default="600x400",
    show_default=True,
    help="Size of a sheet: 600x400, 60x40cm, 24x16in; for a printer A4, A3 or letter.",
)
@click.option(
    "--words",
    type=click.Choice(["lines", "text"]),
    default="lines",
    show_default=True,
    help="Draw labels as single lines, or leave them as text (svg).",
)
@click.option(
    "--scale-bar",
    is_flag=True,
    help="Draw for a printer, whatever the size: 100 mm to measure, wider margins and lines.",
)
def puzzles_command(
    name: str | None,
    form: str | None,
    theme: str,
    output: Path | None,
    cut: bool,
    cell: float,
    kerf: float,
    radius: float,
    sheet: tuple[float, float, bool],
    words: str,
    scale_bar: bool,
) -> int:
    """List the bundled puzzles, or show the board, pieces, sources and known counts of one.

    NAME is the name of a bundled puzzle, or the path of a puzzle in YAML. A
    picture shows its board and its pieces; the page (html) also shows all.

    A file is checked: labels that are missing or typed twice, cells that no piece
    covers, dates that cannot be, and the numbers of tilings. It may lack pieces.

    --cut draws the same at its real size, to be cut of wood, acrylic or paper:
    a base with the labels, a frame around the board, and the pieces, packed on
    sheets. Cuts are red hairlines, engravings blue ones, on layers of their own;
    letters are single lines. Lengths are in mm, or with their unit: 2cm, 0.75in.
    Several sheets are the pages of a PDF, or NAME-1.svg, NAME-2.svg and so on.
    """
    if cut:
        if _given("theme"):
            raise InputError("--theme is for pictures; with --cut leave it out")
        width, height, paper = sheet
        size = (width, height)
        cutting = Cutting(cell, kerf, radius, size, paper or scale_bar, words == "text")
        return _cut(name, form, output, cutting)
    given = [f"--{option.replace('_', '-')}" for option in CUTTING if _given(option)]
    if given:
        verb = "goes" if len(given) == 1 else "go"
        raise InputError(f"{listed(given)} {verb} with --cut; add --cut")
    if form == "dxf" or (output is not None and output.suffix.lower() == ".dxf"):
        raise InputError("dxf is for parts that are cut; add --cut")
    form = chosen_form(form, output, report.FORMS)
    found = puzzles(name)
    style = terminal_style(output)
    deliver_data(data(found, form, theme, style), form, output)
    return exit_code(found)


def _given(name: str) -> bool:
    """Return whether an option stands on the command line."""
    source = click.get_current_context().get_parameter_source(name)
    return source is ParameterSource.COMMANDLINE


def _cut(name: str | None, form: str | None, output: Path | None, cutting: Cutting) -> int:
    """Write the sheets of parts, each as a file of its own unless the format has pages."""
    if name is None:
        raise InputError("--cut goes with the NAME of one puzzle")
    form = chosen_form(form, output, FORMS)
    (puzzle,) = puzzles(name).puzzles.values()
    found = sheets(puzzle, cutting)
    files = cut_files(found, cutting, form)
    if len(files) == 1:
        deliver_data(files[0], form, output)
        if len(found) > 1:
            note(f"{len(found)} sheets")
        return FOUND
    if output is None:
        raise InputError(
            f"{len(files)} sheets are as many files; name them with -o NAME.{form}, or take pdf"
        )
    paths = [output.with_stem(f"{output.stem}-{n}") for n in range(1, len(files) + 1)]
    for path, sheet in zip(paths, files, strict=True):
        deliver_data(sheet, form, path)
    note(f"{len(files)} sheets: {listed([path.name for path in paths])}")
    return FOUND
