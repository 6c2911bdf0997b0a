"""Puzzles and instances from YAML documents and from the bundled collection."""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from pathlib import Path

from calmip.documents.collection import bundled_puzzles, file_of
from calmip.documents.fields import MAX_NAME, check_keys, flag_of, name_of
from calmip.documents.nodes import Items, Node, Table, Text, line_of, located
from calmip.documents.placed import Placed, with_placed
from calmip.documents.puzzle_file import puzzle_of
from calmip.documents.yaml import read_document
from calmip.errors import InputError, listed, shown
from calmip.problem.board import label_among, label_of
from calmip.problem.dates import parse_date
from calmip.problem.instance import Instance
from calmip.problem.pool import Supply
from calmip.problem.puzzle import Puzzle

__all__ = ["INSTANCE_KEYS", "parse_reveal", "read_board", "read_instance", "read_puzzle"]

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
        in ``"U:15+16 Y:3,0"``; see `calmip.documents.placed.with_placed`.

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
