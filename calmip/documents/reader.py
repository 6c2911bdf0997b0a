"""Puzzles and instances from YAML documents and from the bundled collection.

Errors name the file and the line of the place inside the document.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from calmip.documents.collection import bundled_puzzles, file_of
from calmip.documents.yaml import (
    MAX_NAME,
    Items,
    Node,
    Table,
    Text,
    check_keys,
    flag_of,
    line_of,
    located,
    name_of,
    names_in,
    read_document,
    text_of,
    texts_of,
)
from calmip.errors import InputError, did_you_mean, listed, shown
from calmip.problem.board import Board, Piece, label_among, label_of
from calmip.problem.dates import parse_date
from calmip.problem.instance import Instance
from calmip.problem.lattice import LATTICES, SHAPES, SQUARE, Lattice
from calmip.problem.placements import Placed, with_placed
from calmip.problem.pool import Supply
from calmip.problem.puzzle import Puzzle, group_labels

__all__ = [
    "INSTANCE_KEYS",
    "PUZZLE_KEYS",
    "parse_reveal",
    "pieces_of",
    "puzzle_of",
    "read_board",
    "read_instance",
    "read_puzzle",
]


INSTANCE_KEYS = ("puzzle", "reveal", "placed", "flip", "name", "note")


def read_puzzle(source: str | Path) -> Puzzle:
    """Return a puzzle: a bundled one by its name, or one from a YAML file.

    Raises
    ------
    InputError
        If there is no such puzzle, or its file is not a valid puzzle.
    """
    return _read(source, Puzzle)


def read_board(source: str | Path, *, pieces: bool = False) -> Puzzle:
    """Return the board and the groups of a puzzle, without its pieces; the file may have none.

    Parameters
    ----------
    source
        A path to a puzzle in YAML, or the name of a bundled one.
    pieces
        Whether to keep the pieces where the file has some.

    Raises
    ------
    InputError
        If there is no such puzzle, or its file is not valid.
    """
    return _read(source, None if pieces else Supply)


def _read(source: str | Path, kind: type[Puzzle] | None) -> Puzzle:
    path, file = file_of(source)
    document = read_document(path, file)
    if not isinstance(document, Table):
        raise InputError("a puzzle is a mapping with keys such as grid and pieces", path=file)
    if "puzzle" in document and "grid" not in document:
        raise InputError(
            "is an instance (it has the key 'puzzle'), not a puzzle; name the puzzle itself",
            path=file,
            line=line_of(document, ("puzzle",)),
        )
    kind = kind or (Puzzle if "pieces" in document else Supply)
    with located(file, document):
        return puzzle_of(document, _stem(path), file, kind)


def read_instance(
    source: str | Path,
    *,
    reveal: Mapping[str, str] | Sequence[str] | str | None = None,
    date: datetime.date | str | None = None,
    flip: bool | None = None,
    free: bool = False,
    placed: Placed | None = None,
) -> Instance:
    """Return the instance that a file or a bundled puzzle describes.

    Parameters
    ----------
    source
        A path to an instance or a puzzle in YAML, or the name of a bundled one.
    reveal
        The labels to leave uncovered, in place of the file's: a mapping from
        group to label (or ``free``), a sequence of labels, or the text of
        either, as in ``"month=Feb,day=29"`` and ``"Feb,29"``.
    date
        A date (or ``"2024-02-29"``, ``"today"``) that gives all labels, in
        place of the file's.
    flip
        Whether pieces may be turned over, in place of what the file says.
    free
        Whether a source without labels leaves all groups to the model; it is
        an error otherwise.
    placed
        The pieces that lie on the board already, in place of the file's, as
        in ``"U:15+16 Y:3,0"``; see `calmip.problem.placements.with_placed`.

    Raises
    ------
    InputError
        If there is no such file or puzzle, it is not valid, or the labels or
        the placed pieces do not suit the puzzle; with file and line where the
        fault is in a file.
    """
    path, file = file_of(source)
    document = read_document(path, file)
    if not isinstance(document, Table):
        raise InputError(
            f"an instance is a mapping with the keys {listed(INSTANCE_KEYS)}", path=file
        )
    if "puzzle" not in document and "grid" not in document:
        raise InputError(
            "neither an instance (it has no key 'puzzle') nor a puzzle (no key 'grid'); "
            f"found the keys {listed(list(document), most=12)}",
            path=file,
        )
    title = _stem(path)
    with located(file, document):
        if "puzzle" in document:
            check_keys(document, INSTANCE_KEYS)
            puzzle = _puzzle_of_instance(document, path, file)
            title = name_of(document, "name", default=title)
            flip = flag_of(document, "flip", default=puzzle.flip) if flip is None else flip
        else:
            puzzle = puzzle_of(document, title, file)
        puzzle = puzzle if flip is None else puzzle.with_flip(flip)
    if reveal is not None and date is not None:
        raise InputError("give the labels or a date, not both (--reveal, --date)")
    if date is not None:
        day = parse_date(date) if isinstance(date, str) else date
        instance = Instance.of_date(puzzle, day, name=f"{title} {day.isoformat()}")
    elif reveal is not None:
        labels = parse_reveal(reveal) if isinstance(reveal, str) else reveal
        instance = _revealed(puzzle, labels, f"{title} {_words(puzzle, labels)}")
    else:
        with located(file, document):
            instance = _as_written(document, puzzle, title, file, free=free)
    if placed is not None:
        return with_placed(instance, placed)
    with located(file, document):
        return with_placed(instance, _placed(document)) if "placed" in document else instance


def parse_reveal(text: str) -> dict[str, str] | list[str]:
    """Return what a text such as ``month=Feb,day=29`` or ``Feb,29`` says.

    Raises
    ------
    InputError
        If a part is empty, a group is named twice, or the two ways are mixed.
    """
    parts = [part.strip() for part in text.split(",")]
    if not all(parts):
        raise InputError(
            f"--reveal '{shown(text)}' has an empty part; write month=Feb,day=29 or Feb,29"
        )
    if not any("=" in part for part in parts):
        return parts
    labels: dict[str, str] = {}
    for part in parts:
        group, sign, label = (piece.strip() for piece in part.partition("="))
        if not sign or not group or not label:
            raise InputError(f"--reveal: '{shown(part)}' is not of the form GROUP=LABEL")
        if group in labels:
            raise InputError(f"--reveal names the group {shown(group)} twice")
        labels[group] = label
    return labels


def _puzzle_of_instance(document: Table, path: Path, file: str) -> Puzzle:
    node = document["puzzle"]
    if isinstance(node, Table):
        with located(file, document, "puzzle"):
            return puzzle_of(node, _stem(path), file)
    if not isinstance(node, Text) or not node:
        raise InputError(
            "puzzle: give a bundled puzzle's name, a path, or the puzzle itself",
            path=file,
            line=node.line,
        )
    if node in bundled_puzzles():
        return read_puzzle(str(node))
    try:
        return read_puzzle(path.parent / node)
    except InputError as error:
        if error.line is not None:
            raise
        raise InputError(
            f"puzzle: {error.message if error.path is None else error}", path=file, line=node.line
        ) from None


def _as_written(document: Table, puzzle: Puzzle, title: str, file: str, *, free: bool) -> Instance:
    """Return the instance with the labels that the document reveals, or with all groups free."""
    if "reveal" in document:
        return _revealed(puzzle, _labels(document["reveal"]), title)
    if free or not puzzle.groups:
        return Instance(puzzle, (), tuple(puzzle.groups), title)
    groups = list(puzzle.groups)
    raise InputError(
        f"{puzzle.name} reveals {' and '.join(groups)}: say which, with --date today, "
        f"--reveal {','.join(f'{group}=LABEL' for group in groups)}, or a key 'reveal' "
        f"in the file ({groups[0]}=free lets the model choose)",
        path=file,
    )


def _labels(node: Node) -> dict[str, str] | list[str]:
    """Return the labels under ``reveal``, by group or as a list."""
    if isinstance(node, Table) and all(isinstance(value, Text) for value in node.values()):
        return {str(group): str(label) for group, label in node.items()}
    if isinstance(node, Items) and all(isinstance(value, Text) for value in node):
        return [str(label) for label in node]
    raise InputError(
        "reveal is a mapping such as {month: Feb, day: 29}, or a list of labels",
        where=("reveal",),
    )


def _placed(document: Table) -> Placed:
    """Return what stands under ``placed`` as plain texts."""
    node = document["placed"]
    if isinstance(node, Text):
        return str(node)
    if isinstance(node, Items) and all(isinstance(entry, Text) for entry in node):
        return [str(entry) for entry in node]
    if not isinstance(node, Table):
        raise InputError(
            'placed is a mapping such as {U: [15, 16]}, or a list such as ["U:15+16"]',
            where=("placed",),
        )
    places: dict[str, str | list[str]] = {}
    for piece, value in node.items():
        if isinstance(value, Text):
            places[str(piece)] = str(value)
        elif isinstance(value, Items) and all(isinstance(place, Text) for place in value):
            places[str(piece)] = [str(place) for place in value]
        else:
            raise InputError(
                f'placed: give the places of {shown(piece)} as in [15, 16] or ["3,0", "3,1"]',
                where=("placed", str(piece)),
            )
    return places


def _revealed(puzzle: Puzzle, labels: Mapping[str, str] | Sequence[str], name: str) -> Instance:
    if isinstance(labels, Mapping):
        return Instance.reveal(puzzle, labels, name=name)
    return Instance(puzzle, tuple(labels), name=name)


def _words(puzzle: Puzzle, labels: Mapping[str, str] | Sequence[str]) -> str:
    known = puzzle.board.labels
    given = labels.values() if isinstance(labels, Mapping) else labels
    return " ".join(label_among(known, label) or label_of(label) for label in given)


def _stem(path: Path) -> str:
    """Return a file's name as a name for people; its bytes may be no text, or no harmless one."""
    return shown(path.name.removesuffix(".yaml").removesuffix(".yml"), MAX_NAME)[:MAX_NAME]


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
