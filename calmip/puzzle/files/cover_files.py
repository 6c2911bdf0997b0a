"""Model files written from exact covers, and the comments at their head.

The comments describe the contents of a file and its names.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from calmip._base.files import suffix_of, write_text
from calmip._base.registry import View
from calmip.mip.files.model_files import model_parts
from calmip.mip.files.registry import FORMATS
from calmip.mip.model import Model
from calmip.puzzle.cover import ExactCover, Reveal
from calmip.puzzle.files.covers import writer_of

LINEAR = View(
    FORMATS,
    lambda suffix, one: None if writer_of(suffix, one) or one.read_only else one.model,
)
"""The suffixes of files of any linear model."""

WRITERS = View(
    FORMATS,
    lambda suffix, one: None if one.read_only else writer_of(suffix, one) or one.model,
)
"""The suffixes of files that an exact cover is written in."""

WIDTH = 75


def cover_parts(cover: ExactCover, suffix: str, comments: Iterable[str] = ()) -> Iterator[str]:
    """Return the text of an exact cover in the format of a suffix, in parts."""
    suffix_of(Path(f"model{suffix}"), WRITERS)
    write = writer_of(suffix, FORMATS[suffix])
    if write is not None:
        return write(cover, comments)
    return model_parts(Model.from_cover(cover, comments=comments), suffix)


def write_cover(path: Path, cover: ExactCover, comments: Iterable[str] = ()) -> None:
    """Write an exact cover in the format of the file's suffix, compressed if ``.gz`` follows.

    The same cover and comments give the same bytes on every system.

    Parameters
    ----------
    path
        The file to make or replace; its suffix is one of `WRITERS`, each also with ``.gz``.
    cover
        The exact cover.
    comments
        Lines of printable ASCII for the head, such as those of `header`.

    Raises
    ------
    InputError
        If the suffix is unknown or the file cannot be written.
    """
    suffix, _ = suffix_of(path, WRITERS)
    write_text(path, cover_parts(cover, suffix, comments))


def plain(text: str) -> str:
    """Return a text as one line of printable ASCII, with any other character replaced."""
    return "".join(
        c if " " <= c <= "~" else c.encode("unicode_escape").decode("ascii") for c in text
    )


def header(
    cover: ExactCover, size: tuple[int, int, int] | None = None, *, tilings: int | None = None
) -> tuple[str, ...]:
    """Return the lines that open an exported file, printable ASCII of under 80 characters.

    Parameters
    ----------
    cover
        The exact cover in the file.
    size
        The numbers of columns, rows and nonzeros in the file, if they are not the cover's.
    tilings
        The number of its tilings, if it is known.
    """
    import textwrap

    wrapper = textwrap.TextWrapper(WIDTH, subsequent_indent="  ", break_on_hyphens=False)
    parts = _parts(cover, size, tilings)
    return tuple(line for part in parts for line in wrapper.wrap(plain(part)))


def meaning(cover: ExactCover, option: int) -> str:
    """Return an option in words: the piece and its cells, or the label that it reveals."""
    chosen = cover.option(option)
    if isinstance(chosen, Reveal):
        return f"reveals {chosen.label}"
    if not chosen.cells:
        rule = cover.option_names[option].rpartition("_")[2]
        if rule.startswith("max"):
            return f"leaves at most {rule[3:]} of piece {chosen.piece} and its equals out"
        return f"leaves piece {chosen.piece} out" + ", or an equal one" * (rule != "left")
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
    rules = "".join(f"; {rule}" for rule in puzzle.piece_rules)
    yield f"uncovered: {', '.join(reveal) or 'nothing'}; pieces {flips} be turned over{rules}"
    for placed in instance.placed:
        cells = " ".join(f"{board.label((r, c))}({r},{c})" for r, c in placed.cells)
        yield f"placed already: {placed.piece} on {cells}"
    columns, rows, nonzeros = size or (cover.columns, cover.rows, cover.nonzeros)
    count = "" if tilings is None else f"; {tilings} tilings"
    yield f"{columns} columns, {rows} rows, {nonzeros} nonzeros{count}"
    if cover.placements:
        yield (
            f"A column is a placement: {cover.option_names[0]} is {meaning(cover, 0)}. "
            "Its name is piece _ orientation (a, b, ...) row column; row and column, from 0, "
            "are those of the first cell in row-major order."
        )
    if puzzle.optional:
        equal = any(number > 1 for number in cover.spare)
        more = (
            " Of equal pieces, PIECE_out1, PIECE_out2, ... leave one more out each, and "
            "PIECE_max0, PIECE_max1, ... state that at most so many are."
        )
        yield "A column PIECE_left leaves that piece out." + more * equal
    if instance.free:
        yield "A column r_LABEL reveals that label."
    yield (
        "A row is what must be covered: c_ row column a cell, p_ a piece"
        + ", g_ a group with one label to reveal" * bool(instance.free)
        + ", u_left the number of pieces left out" * bool(instance.use)
        + ", o_ the order in which equal pieces are left out" * any(n > 1 for n in cover.spare)
        + "."
    )
