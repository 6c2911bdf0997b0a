"""Puzzles and instances from YAML documents and from the bundled collection."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Mapping, Sequence
from importlib import resources
from pathlib import Path
from typing import TypeVar

from calmip.documents.instance_file import INSTANCE_KEYS, labels_of, placed_of
from calmip.documents.placed import Placed, with_placed
from calmip.documents.puzzle_file import MAX_NAME, check_keys, flag_of, name_of, puzzle_of
from calmip.documents.yaml import Table, Text, line_of, read_document
from calmip.errors import InputError, listed, shown
from calmip.problem.board import label_of
from calmip.problem.dates import parse_date
from calmip.problem.instance import Instance
from calmip.problem.puzzle import Puzzle

__all__ = ["bundled_puzzles", "parse_reveal", "read_instance", "read_puzzle"]

Made = TypeVar("Made")


def bundled_puzzles() -> tuple[str, ...]:
    """Return the names of the puzzles that come with the package, sorted."""
    folder = resources.files("calmip") / "puzzles"
    return tuple(
        sorted(entry.name[:-5] for entry in folder.iterdir() if entry.name.endswith(".yaml"))
    )


def read_puzzle(source: str | Path) -> Puzzle:
    """Return a puzzle: a bundled one by its name, or one from a YAML file.

    Raises
    ------
    InputError
        If there is no such puzzle, or its file is not a valid puzzle.
    """
    path, name = _locate(source)
    document = read_document(path, name)
    if not isinstance(document, Table):
        raise InputError("a puzzle is a mapping with keys such as grid and pieces", path=name)
    if "puzzle" in document and "grid" not in document:
        raise InputError(
            "is an instance (it has the key 'puzzle'), not a puzzle; name the puzzle itself",
            path=name,
            line=line_of(document, ("puzzle",)),
        )
    return _at(name, document, lambda: puzzle_of(document, _stem(path)))


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
        A path to an instance or a puzzle in YAML, or a bundled puzzle's name.
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
    path, name = _locate(source)
    document = read_document(path, name)
    if not isinstance(document, Table):
        raise InputError(
            f"an instance is a mapping with the keys {listed(INSTANCE_KEYS)}", path=name
        )
    if "puzzle" not in document and "grid" not in document:
        raise InputError(
            "neither an instance (it has no key 'puzzle') nor a puzzle (no key 'grid'); "
            f"found the keys {listed(list(document), most=12)}",
            path=name,
        )
    if "puzzle" in document:
        check_keys(document, INSTANCE_KEYS, name)
        puzzle = _puzzle_of_instance(document, path, name)
        title = _at(name, document, lambda: name_of(document, "name", default=_stem(path)))
    else:
        puzzle = _at(name, document, lambda: puzzle_of(document, _stem(path)))
        title = _stem(path)
    if flip is None and "puzzle" in document:
        flip = _at(name, document, lambda: flag_of(document, "flip", default=puzzle.flip))
    if flip is not None:
        chosen_flip = flip
        puzzle = _at(name, document, lambda: puzzle.with_flip(chosen_flip))
    instance = _instance_of(document, puzzle, title, name, reveal=reveal, date=date, free=free)
    if placed is not None:
        return with_placed(instance, placed)
    if "placed" in document:
        return _at(
            name,
            document,
            lambda: with_placed(instance, placed_of(document[Text("placed", 0)])),
        )
    return instance


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


def _instance_of(
    document: Table,
    puzzle: Puzzle,
    title: str,
    name: str,
    *,
    reveal: Mapping[str, str] | Sequence[str] | str | None,
    date: datetime.date | str | None,
    free: bool,
) -> Instance:
    """Return the instance with the labels that were given, or else with the file's."""
    if reveal is not None and date is not None:
        raise InputError("give the labels or a date, not both (--reveal, --date)")
    if date is not None:
        day = parse_date(date) if isinstance(date, str) else date
        return Instance.of_date(puzzle, day, name=f"{title} {day.isoformat()}")
    if reveal is not None:
        labels = parse_reveal(reveal) if isinstance(reveal, str) else reveal
        return _revealed(puzzle, labels, f"{title} {_words(labels)}")
    if "reveal" in document:
        labels = _at(name, document, lambda: labels_of(document[Text("reveal", 0)]))
        return _at(name, document, lambda: _revealed(puzzle, labels, title))
    if free or not puzzle.groups:
        return _at(name, document, lambda: Instance(puzzle, (), tuple(puzzle.groups), title))
    groups = list(puzzle.groups)
    raise InputError(
        f"{puzzle.name} reveals {' and '.join(groups)}: say which, with --date today, "
        f"--reveal {','.join(f'{group}=LABEL' for group in groups)}, or a key 'reveal' "
        f"in the file ({groups[0]}=free lets the model choose)",
        path=name,
    )


def _revealed(puzzle: Puzzle, labels: Mapping[str, str] | Sequence[str], name: str) -> Instance:
    if isinstance(labels, Mapping):
        return Instance.reveal(puzzle, labels, name=name)
    return Instance(puzzle, tuple(labels), name=name)


def _words(labels: Mapping[str, str] | Sequence[str]) -> str:
    return " ".join(map(label_of, labels.values() if isinstance(labels, Mapping) else labels))


def _stem(path: Path) -> str:
    """Return a file's name as a name for people; its bytes may be no text, or no harmless one."""
    return shown(path.name.removesuffix(".yaml").removesuffix(".yml"), MAX_NAME)[:MAX_NAME]


def _locate(source: str | Path) -> tuple[Path, str]:
    """Return the file of a path or a bundled name, and what messages call it."""
    bundled = bundled_puzzles()
    if str(source) in bundled:
        return Path(str(resources.files("calmip") / "puzzles" / f"{source}.yaml")), str(source)
    path = Path(source)
    try:
        exists = path.exists()
    except (OSError, ValueError):
        exists = False
    if not exists:
        import difflib

        close = difflib.get_close_matches(str(source), bundled, n=1)
        guess = f" (did you mean {close[0]}?)" if close else ""
        raise InputError(
            f"{shown(source, 200)}: no such file or bundled puzzle{guess}; "
            f"the bundled puzzles are {listed(bundled)}"
        )
    return path, str(source)


def _at(name: str, document: Table, make: Callable[[], Made], *prefix: str | int) -> Made:
    """Return what ``make`` returns; an `InputError` gets the file and the line of its place."""
    try:
        return make()
    except InputError as error:
        if error.path is not None:
            raise
        error.path = name
        error.line = line_of(document, (*prefix, *error.where))
        raise


def _puzzle_of_instance(document: Table, path: Path, name: str) -> Puzzle:
    node = document[Text("puzzle", 0)]
    if isinstance(node, Table):
        return _at(name, document, lambda: puzzle_of(node, _stem(path)), "puzzle")
    if not isinstance(node, Text) or not node:
        raise InputError(
            "puzzle: give a bundled puzzle's name, a path, or the puzzle itself",
            path=name,
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
            f"puzzle: {error.message if error.path is None else error}", path=name, line=node.line
        ) from None
