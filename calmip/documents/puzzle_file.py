"""A puzzle from its YAML document; errors name the place inside the document."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from calmip.documents.fields import check_keys, flag_of, name_of, names_in, text_of, texts_of
from calmip.documents.nodes import Items, Node, Table, Text, located
from calmip.errors import InputError, did_you_mean, listed, shown
from calmip.problem.board import Board, Piece
from calmip.problem.lattice import LATTICES, SQUARE, Lattice
from calmip.problem.polyforms import SHAPES
from calmip.problem.puzzle import Puzzle, group_labels

__all__ = ["PUZZLE_KEYS", "pieces_of", "puzzle_of"]

PUZZLE_KEYS = (
    "name", "grid", "uncover", "flip", "pieces", "lattice", "groups",
    "note", "sources", "counts", "id", "no_flip_pieces",
)  # fmt: skip

PIECE_KEYS = ("shape", "colour")

COMMENT = (
    "a piece has no shape: a bare '#' begins a YAML comment; quote its rows, as in "
    "['##', '#.'], or draw them below a '|'"
)

TIMES = re.compile(r"^\d+\s*[x*\xd7]?\s*|\s*[x*\xd7]\s*\d+$")
"""A number of pieces before or behind a shape's name."""

UNNAMED = "ABCDEGHJKMOQRS"
"""Names for pieces that are drawn without one; no shape is called so."""


def puzzle_of(document: Table, name: str, file: str, kind: type[Puzzle] = Puzzle) -> Puzzle:
    """Return the puzzle of a document, called ``name`` unless it says otherwise.

    A supply (`calmip.problem.pool`) is read without the pieces, if there are any.
    Errors of a piece say its line in the file; others their place in the document.
    """
    for key in ("reveal", "placed"):
        if key in document:
            raise InputError(
                f"'{key}' belongs to an instance and not to a puzzle: put the puzzle's keys under "
                f"'puzzle:', indented, or into a file that 'puzzle:' names, and write '{key}:' "
                "beside 'puzzle:'",
                where=(key,),
            )
    check_keys(document, PUZZLE_KEYS)
    lattice = _lattice(document)
    has_pieces = kind is Puzzle
    for key in ("grid", "pieces") if has_pieces else ("grid",):
        if key not in document:
            raise InputError(f"a puzzle needs the key '{key}'")
    board = Board.from_text(texts_of(document, "grid"), lattice)
    given = document.get("groups", Table())
    if not isinstance(given, Table):
        raise InputError(
            "groups is a mapping from a group to its labels, for example {month: [Janv, Fevr]}",
            where=("groups",),
        )
    groups = {str(group): tuple(texts_of(given, group, ("groups",))) for group in given}
    uncover = texts_of(document, "uncover") if "uncover" in document else list(groups)
    counts = document.get("counts", Table())
    puzzle = kind(
        name=name_of(document, "name", default=name),
        board=board,
        pieces=pieces_of(document, "pieces", lattice, file) if has_pieces else (),
        groups=group_labels(board, uncover, groups),
        no_flip_pieces=(
            pieces_of(document, "no_flip_pieces", lattice, file)
            if has_pieces and "no_flip_pieces" in document
            else ()
        ),
        id=name_of(document, "id", default=name),
        note=text_of(document, "note", default=""),
        sources=tuple(texts_of(document, "sources")) if "sources" in document else (),
        counts=_plain(counts) if isinstance(counts, Table) else {},
    )
    # Last of all, so that a puzzle without flips lies as its no_flip_pieces say.
    return puzzle.with_flip(flag_of(document, "flip", default=True))


def _lattice(document: Table) -> Lattice:
    name = text_of(document, "lattice", default=SQUARE.name)
    if name not in LATTICES:
        raise InputError(
            f"lattice '{shown(name)}' is unknown; use one of {listed(list(LATTICES))}",
            where=("lattice",),
        )
    return LATTICES[name]


def pieces_of(document: Table, key: str, lattice: Lattice, file: str) -> tuple[Piece, ...]:
    """Return the pieces that stand at a key; errors say the file and the line."""
    node = document[key]
    pieces: list[Piece] = []
    entries: list[tuple[str | int, Node]]
    if isinstance(node, Table):
        entries = list(node.items())
    elif isinstance(node, Items):
        entries = list(enumerate(node))
    else:
        names = names_in(node)
        known = set(names) <= set(SHAPES.get(lattice.name, {}))
        remedy = f"; write {key}: [{listed(names)}]" if known else ""
        raise InputError(
            f"{key} is a list of shapes, or a mapping from names to rows{remedy}", where=(key,)
        )
    for place, entry in entries:
        with located(file, document, key, place):
            shape, colour = _shape_and_colour(entry)
            piece = _piece(place, shape, lattice, {piece.name for piece in pieces})
        with located(file, document, key, place, "colour"):
            pieces.append(replace(piece, colour=colour))
    return tuple(pieces)


def _shape_and_colour(entry: Node) -> tuple[Node, str]:
    """Return a piece's shape, and its colour where it has one."""
    if not isinstance(entry, Table) or not set(entry) & set(PIECE_KEYS):
        return entry, ""
    check_keys(entry, PIECE_KEYS)
    if "shape" not in entry:
        raise InputError("a piece with a colour needs the key 'shape' for its name or its rows")
    return entry["shape"], text_of(entry, "colour", default="")


def _piece(place: str | int, entry: Node, lattice: Lattice, taken: set[str]) -> Piece:
    """Return one piece: a shape by its name, or rows; named by its key, its shape or a letter."""
    if isinstance(entry, Text) and entry.block:
        entry = entry.rows()
    shapes = SHAPES.get(lattice.name, {})
    if isinstance(entry, Text):
        if not entry:
            raise InputError(COMMENT)
        if entry not in shapes:
            raise InputError(
                f"shape '{shown(entry)}' is unknown; {_meant(place, entry, shapes)}"
                "or give rows such as ['##.', '.##']"
            )
        shape = Piece.from_rows(str(entry), shapes[entry], lattice)
    elif isinstance(entry, Items) and all(isinstance(row, Text) for row in entry):
        if "" in entry:
            raise InputError(
                f"row {[str(row) for row in entry].index('') + 1} of a piece is empty; "
                "quote rows: a bare '#' begins a YAML comment"
            )
        number = place + 1 if isinstance(place, int) else place
        shape = Piece.from_rows(f"{number}", [str(row) for row in entry], lattice)
        if isinstance(place, int):
            shape = Piece(_name_of(shape, taken), shape.cells, lattice)
    else:
        raise InputError("a piece is a shape's name or a list of rows such as ['##.', '.##']")
    if isinstance(place, str):
        return Piece(str(place), shape.cells, lattice)
    names = (shape.name, *(f"{shape.name}{letter}" for letter in "bcdefghijklmnopqrstuvwxyz"))
    numbered = (f"{shape.name}x{number}" for number in range(27, 10_000))
    name = next(name for group in (names, numbered) for name in group if name not in taken)
    return Piece(name, shape.cells, lattice)


def _meant(place: str | int, text: str, shapes: Mapping[str, object]) -> str:
    """Return what an unknown shape was probably meant to be, or else which shapes there are."""
    names = names_in(text)
    if len(names) > 1 and set(names) <= set(shapes):
        return f"put commas between shapes, as in [{', '.join(names)}], "
    if set(text) <= set("#. "):
        return "draw rows below a '|', "
    name = str(place) if text.isdigit() else re.sub(TIMES, "", text)
    if name != text and name in shapes:
        return f"write {name} as often as there are such pieces, as in [{name}, {name}], "
    near = text.upper()
    if near not in shapes:
        near = near.removesuffix("5") if near.endswith("5") else did_you_mean(text, shapes)
    if near in shapes:
        return f"did you mean {near}? The shapes are {listed(list(shapes))}, "
    return f"the shapes are {listed(list(shapes))}, "


def _name_of(piece: Piece, taken: set[str]) -> str:
    """Return a name for a piece that was drawn without one."""
    turned = piece.orientations(flip=True)
    for name, rows in SHAPES.get(piece.lattice.name, {}).items():
        if Piece.from_rows(name, rows, piece.lattice).orientations(flip=True) == turned:
            return name
    return next((letter for letter in UNNAMED if letter not in taken), f"p{len(taken) + 1}")


def _plain(node: Node) -> Any:
    """Return a node as built-in types, for what is only carried along."""
    if isinstance(node, Table):
        return {str(key): _plain(value) for key, value in node.items()}
    return [_plain(entry) for entry in node] if isinstance(node, Items) else str(node)
