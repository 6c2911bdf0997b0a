"""``calmip puzzles``."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import click

from calmip.cli import FOUND
from calmip.cli._options import deliver, terminal_style
from calmip.cli._pictures import PICTURES, chosen_form, deliver_data, draw_puzzle, theme_option
from calmip.documents.reader import bundled_puzzles, read_puzzle
from calmip.errors import shown
from calmip.problem.puzzle import Puzzle
from calmip.render.characters import Style, side_by_side, width_of
from calmip.render.text import draw_board, draw_piece

__all__ = ["puzzles_command"]

COUNTED = {
    "all": "all choices of labels",
    "valid": "real dates",
    "solvable": "choices that have a tiling",
    "min": "fewest",
    "max": "most",
    "average": "mean",
    "flip": "turning over allowed",
    "no_flip": "turning over forbidden",
    "equal_pieces_told_apart": "equal pieces told apart",
}
"""What the keys under ``counts`` mean; any other is a choice of labels, such as Feb 29."""


@click.command("puzzles")
@click.argument("name", required=False)
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", *PICTURES]),
    help="By the suffix of -o unless given, else text.",
)
@theme_option
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Write to a file.")
def puzzles_command(name: str | None, form: str | None, theme: str, output: Path | None) -> int:
    """List the bundled puzzles, or show the board, pieces, sources and known counts of one.

    NAME is the name of a bundled puzzle, or the path of a puzzle in YAML. A
    picture shows its board and its pieces.
    """
    form = chosen_form(form, output, ("text", *PICTURES))
    if name is None:
        if form in PICTURES:
            raise click.UsageError("a picture shows one puzzle; give its NAME")
        rows = []
        for bundled in bundled_puzzles():
            puzzle = read_puzzle(bundled)
            size = f"{len(puzzle.board.cells)} cells, {len(puzzle.pieces)} pieces"
            rows.append((bundled, size, puzzle.name))
        deliver("\n".join(_columns(rows, indent="")) + "\n", output)
        return FOUND
    puzzle = read_puzzle(name)
    if form in PICTURES:
        deliver_data(draw_puzzle(puzzle, form, theme), form, output)
    else:
        deliver("\n".join(_described(puzzle, terminal_style(output))) + "\n", output)
    return FOUND


def _described(puzzle: Puzzle, style: Style) -> list[str]:
    """Return what a person wants to know of a puzzle, line by line."""
    board = puzzle.board
    room = max(width_of(piece.name) for piece in puzzle.pieces)
    choices = math.prod(len(labels) for labels in puzzle.groups.values())
    lines = [
        puzzle.name,
        draw_board(board, style),
        "",
        f"{len(board.cells)} {board.lattice.name} cells, {len(puzzle.pieces)} pieces",
        f"uncover: {', '.join(puzzle.groups) or 'nothing'} ({choices:,} choices)",
        f"pieces may be turned over: {'yes' if puzzle.flip else 'no'}",
        "",
        side_by_side(
            draw_piece(piece, style, colour=number, room=room)
            for number, piece in enumerate(puzzle.pieces)
        ),
    ]
    equal = [pieces for pieces in puzzle.piece_classes if len(pieces) > 1]
    if equal:
        names = "; ".join(" = ".join(piece.name for piece in pieces) for pieces in equal)
        lines += ["", f"equal pieces, counted as one picture: {names}"]
    if puzzle.note:
        lines += ["", *_visible(f"note: {puzzle.note}".splitlines())]
    if puzzle.counts:
        lines += ["", "known numbers of tilings:"]
        lines += _visible(_columns(_counts(puzzle.counts)))
    if puzzle.sources:
        lines += ["", "sources:", *_visible(f"  {source}" for source in puzzle.sources)]
    return lines


def _visible(lines: Iterable[str]) -> list[str]:
    """Return lines that a file carries along for people; a terminal might obey what is in them."""
    return [shown(line, 10_000) for line in lines]


def _counts(counts: Mapping[str, object], prefix: str = "") -> list[tuple[str, ...]]:
    """Return the numbers that a puzzle file states, as rows of two texts."""
    rows: list[tuple[str, ...]] = []
    for key, value in counts.items():
        words = COUNTED.get(key, key)
        if isinstance(value, Mapping) and "count" in value:
            dates = value.get("dates", value.get("date", []))
            dates = dates if isinstance(dates, list) else [dates]
            where = f"  {', '.join(map(str, dates))}" if dates else ""
            rows.append((prefix + words, f"{_number(value['count'])}{where}"))
        elif isinstance(value, Mapping):
            rows.extend(_counts(value, f"{prefix}{words}, "))
        else:
            rows.append((prefix + words, _number(value)))
    return rows


def _number(value: object) -> str:
    text = str(value)
    return f"{int(text):,}" if text.isascii() and text.isdigit() else text


def _columns(rows: Sequence[tuple[str, ...]], indent: str = "  ") -> list[str]:
    """Return rows of texts as aligned lines."""
    widths = [max(map(width_of, column)) for column in zip(*rows, strict=True)]
    return [
        indent
        + "  ".join(
            text + " " * (width - width_of(text)) for text, width in zip(row, widths, strict=True)
        ).rstrip()
        for row in rows
    ]
