"""Puzzles as YAML, for `calmip.documents.reader` to read again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from calmip.problem.board import Piece
from calmip.problem.lattice import SQUARE
from calmip.problem.puzzle import Puzzle
from calmip.problem.shown import width_of

__all__ = ["puzzle_text"]


def puzzle_text(puzzle: Puzzle) -> str:
    """Return a puzzle as a YAML document that says all that is needed to solve it."""
    return "\n".join(_lines(puzzle)) + "\n"


def _lines(puzzle: Puzzle) -> Iterator[str]:
    board = puzzle.board
    yield f"name: {_quoted(puzzle.name)}"
    if puzzle.note:
        yield f"note: {_quoted(puzzle.note)}"
    if board.lattice != SQUARE:
        yield f"lattice: {board.lattice.name}"
    yield "grid:"
    width = max(width_of(text) for row in board.rows for text in row)
    for row in board.rows:
        yield f"- {_quoted(' '.join(' ' * (width - width_of(text)) + text for text in row))}"
    if puzzle.groups:
        yield f"uncover: {_listed(puzzle.groups)}"
        yield "groups:"
        for group, labels in puzzle.groups.items():
            yield f"  {_quoted(group)}: {_listed(labels)}"
    yield f"flip: {'true' if puzzle.flip else 'false'}"
    yield from _drawn("pieces", puzzle.pieces)
    if puzzle.no_flip_pieces:
        yield from _drawn("no_flip_pieces", puzzle.no_flip_pieces)


def _drawn(key: str, pieces: Iterable[Piece]) -> Iterator[str]:
    yield f"{key}:"
    for piece in pieces:
        height = max(r for r, _ in piece.cells) + 1
        left = min(c for _, c in piece.cells)
        width = max(c for _, c in piece.cells) - left + 1
        rows = [["."] * width for _ in range(height)]
        for r, c in piece.cells:
            rows[r][c - left] = "#"
        shape = _listed("".join(row) for row in rows)
        coloured = f"{{shape: {shape}, colour: {_quoted(piece.colour)}}}"
        yield f"  {_quoted(piece.name)}: {coloured if piece.colour else shape}"


def _listed(texts: Iterable[str]) -> str:
    return "[" + ", ".join(map(_quoted, texts)) + "]"


def _quoted(text: str) -> str:
    """Return a text in double quotes, and what nobody sees as an escape."""
    quoted = text.replace("\\", "\\\\").replace('"', '\\"')
    escaped = (mark if mark.isprintable() else f"\\U{ord(mark):08x}" for mark in quoted)
    return f'"{"".join(escaped)}"'
