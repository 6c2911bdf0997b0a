"""The comments at the head of a written file: what it is, and how to read its names."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from calmip.problem.cover import ExactCover, Placement, Reveal

__all__ = ["header", "meaning", "plain"]

WIDTH = 75


def plain(text: str) -> str:
    """Return a text on one line of printable ASCII, whatever a label or a name contains."""
    return "".join(
        c if " " <= c <= "~" else c.encode("unicode_escape").decode("ascii") for c in text
    )


def header(
    cover: ExactCover, size: tuple[int, int, int] | None = None, *, tilings: int | None = None
) -> tuple[str, ...]:
    """Return the lines that open an exported file.

    Parameters
    ----------
    cover
        The exact cover in the file.
    size
        The numbers of columns, rows and nonzeros in the file, where they are not the cover's.
    tilings
        The number of its tilings, where it is known.

    Returns
    -------
    tuple of str
        Lines of printable ASCII, under 80 characters.
    """
    return tuple(line for part in _parts(cover, size, tilings) for line in _wrapped(part))


def meaning(cover: ExactCover, option: int) -> str:
    """Return what an option does, in words: the piece and its cells, or the label it reveals."""
    chosen = cover.option(option)
    if isinstance(chosen, Reveal):
        return f"reveals {chosen.label}"
    board = cover.instance.puzzle.board
    cells = " ".join(f"{board.label(cell)}({cell[0]},{cell[1]})" for cell in chosen.cells)
    return f"piece {chosen.piece} on {cells}"


def _parts(
    cover: ExactCover, size: tuple[int, int, int] | None, tilings: int | None
) -> Iterator[str]:
    instance = cover.instance
    puzzle, board = instance.puzzle, instance.puzzle.board
    yield puzzle.name + (f": {instance.name}" if instance.name != puzzle.name else "")
    group_of = {label: group for group, labels in puzzle.groups.items() for label in labels}
    reveal = [f"{group_of.get(label, 'label')} {label}" for label in instance.labels]
    reveal += [f"{group} free" for group in instance.free]
    flips = "may" if puzzle.flip else "may not"
    yield f"uncovered: {', '.join(reveal) or 'nothing'}; pieces {flips} be turned over"
    for placed in instance.placed:
        cells = " ".join(f"{board.label((r, c))}({r},{c})" for r, c in placed.cells)
        yield f"placed already: {placed.piece} on {cells}"
    count = "" if tilings is None else f"; {tilings} tilings"
    columns, rows, nonzeros = size or (cover.columns, cover.rows, cover.nonzeros)
    yield f"{columns} columns, {rows} rows, {nonzeros} nonzeros{count}"
    shown = next((n for n in range(cover.columns) if isinstance(cover.option(n), Placement)), None)
    if shown is not None:
        yield (
            f"A column is a placement: {cover.option_names[shown]} is {meaning(cover, shown)}. "
            "Its name is piece _ orientation (a, b, ...) row column; row and column, from 0, "
            "are those of the first cell in row-major order."
        )
    if instance.free:
        yield "A column r_LABEL reveals that label."
    yield (
        "A row is what must be covered: c_ row column a cell, p_ a piece"
        + (", g_ a group with one label to reveal." if instance.free else ".")
    )


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(plain(text), WIDTH, subsequent_indent="  ", break_on_hyphens=False)
