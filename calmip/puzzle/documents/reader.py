"""Puzzles and instances from YAML files and from the bundled collection.

Errors name the file and the line of the place inside the document.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from calmip._base.errors import InputError, clip, did_you_mean, errors_at, join_words
from calmip._base.files import bare_suffix, nearby
from calmip.puzzle.board import Board, Piece, free_name, label_among, label_of
from calmip.puzzle.dates import parse_dates
from calmip.puzzle.documents.yaml import (
    MAX_NAME_CHARACTERS,
    Items,
    Node,
    Table,
    Text,
    check_keys,
    flag_of,
    integer_of,
    line_of,
    locate_errors,
    name_of,
    names_in,
    plain_node,
    read_table,
    text_of,
    texts_of,
)
from calmip.puzzle.instance import Instance
from calmip.puzzle.lattice import LATTICES, SHAPES, SQUARE, Lattice, Shape
from calmip.puzzle.placements import Placed, with_placed
from calmip.puzzle.puzzle import MAX_PIECES, Puzzle, Supply, group_labels

DEFAULT_PUZZLE = "a-puzzle-a-day"
"""The puzzle used by default."""

INSTANCE_KEYS = ("puzzle", "reveal", "placed", "flip", "name", "note")

PUZZLE_KEYS = (
    "name",
    "grid",
    "uncover",
    "flip",
    "pieces",
    "lattice",
    "groups",
    "note",
    "sources",
    "counts",
    "id",
    "no_flip_pieces",
    "use",
)

PIECE_KEYS = ("shape", "colour", "flip", "rotate", "optional")

COMMENT = (
    "a piece has no shape: a bare '#' begins a YAML comment; quote its rows, as in "
    "['##', '#.'], or draw them below a '|'"
)

TIMES = re.compile(r"^\d+\s*[x*\xd7]?\s*|\s*[x*\xd7]\s*\d+$")
"""A number of pieces before or after the name of a shape."""

UNNAMED = "ABCDEGHJKMOQRS"
"""Names for pieces that are drawn without one; no shape has such a name."""

MIN_BRAND_LETTERS = 4
"""Letters that a word needs to be looked up in the names and notes of the puzzles."""


@cache
def bundled_puzzles() -> tuple[str, ...]:
    """Return the names of the puzzles that come with the package, sorted."""
    return tuple(sorted(path.stem for path in _folder("puzzles").glob("*.yaml")))


def bundled_instances() -> tuple[str, ...]:
    """Return the names of the instances that come with the package, sorted."""
    return tuple(sorted(path.stem for path in _folder("instances").glob("*.yaml")))


def file_of(source: str | Path) -> tuple[Path, str]:
    """Return the file of a path or a bundled name, and its name for messages.

    A bundled puzzle's name comes before a path, a path before a bundled instance's name.
    A model's file is refused.
    """
    name, path = str(source), Path(source)
    if name in bundled_puzzles():
        return _folder("puzzles") / f"{name}.yaml", name
    try:
        exists = path.exists()
    except (OSError, ValueError):
        exists = False
    if exists:
        _check_kind(path)
        return path, name
    if name in bundled_instances():
        return _folder("instances") / f"{name}.yaml", name
    bundled = [*bundled_puzzles(), *bundled_instances()]
    # A path may end in the name of an instance, as in a checkout.
    brands = _brands(name)
    close = f" (did you mean {brands}?)" if brands else ""
    close = close or nearby(path, bundled) or nearby(path.with_suffix(""), bundled)
    raise InputError(
        f"{clip(source, 200)}: no such file or bundled puzzle{close}; calmip puzzles lists those "
        "that are bundled"
    )


def _folder(name: str) -> Path:
    # importlib.resources gives the same folder but takes time to load.
    package = Path(__file__).parents[2]
    # In a checkout, the instances lie beside the package.
    folders = (package / name, package.parent / name)
    return next(filter(Path.is_dir, folders), folders[0])


def _brands(name: str) -> str:
    """Return the bundled puzzles whose name or note has a word, with their own names."""
    if len(name) < MIN_BRAND_LETTERS:
        return ""
    word = re.compile(rf"\b{re.escape(name)}\b", re.IGNORECASE)
    found = {}
    for puzzle in bundled_puzzles():
        document: Any = read_table(_folder("puzzles") / f"{puzzle}.yaml", puzzle, "")
        if word.search(f"{document['name']} {document.get('note', '')}"):
            found[puzzle] = f"{puzzle}: {document['name']}"
    return f"one of {join_words(found)}" if len(found) > 1 else "".join(found.values())


def _check_kind(path: Path) -> None:
    """Refuse a model file by its suffix; the message names the command to use."""
    suffix = bare_suffix(path)
    if suffix in (".yaml", ".yml", ".json"):  # JSON is YAML as well
        return
    if suffix == ".py":
        raise InputError(
            "is a Python program; write its model to an MPS or LP file there, or call a function "
            "of calmip with the model, as in calmip.explain(problem)",
            path=clip(path, 200),
        )
    from calmip.mip.files.registry import FORMATS

    kind = FORMATS.get(suffix)
    if kind is None or kind.data:
        return
    fault = "is a model for other programs; name the puzzle or the instance that it was made of"
    if kind.model:
        fault = "is a model, not a puzzle or an instance; solve it with calmip solve FILE"
    elif kind.language:
        fault = (
            "is a model in a modelling language; write it as an MPS or LP file there, and solve "
            "that with calmip solve FILE"
        )
    raise InputError(fault, path=clip(path, 200))


def read_puzzle(source: str | Path) -> Puzzle:
    """Return a puzzle: a bundled one by its name, or one from a YAML file.

    Raises
    ------
    InputError
        If there is no such puzzle, or its file is not a valid puzzle.
    """
    return _read(source, pieces=True)


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
    return _read(source, pieces=None if pieces else False)


def _read(source: str | Path, *, pieces: bool | None) -> Puzzle:
    """Return a puzzle with its pieces, without them, or with those that the file has."""
    path, file = file_of(source)
    document = read_table(path, file, "a puzzle is a mapping with keys such as grid and pieces")
    if "puzzle" in document and "grid" not in document:
        fault = "is an instance (it has the key 'puzzle'), not a puzzle; name the puzzle itself"
        raise InputError(fault, path=file, line=line_of(document, ("puzzle",)))
    with locate_errors(file, document):
        return puzzle_of(
            document, _stem(path), pieces="pieces" in document if pieces is None else pieces
        )


def lacks_labels(source: str | Path) -> bool:
    """Return whether a puzzle uncovers labels, and its file does not say which.

    Raises
    ------
    InputError
        As for `read_instance`.
    """
    path, file = file_of(source)
    document = read_table(path, file, "an instance is a mapping")
    return "reveal" not in document and bool(read_instance(source, free=True).puzzle.groups)


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
        The labels to leave uncovered, instead of the file's: a mapping from
        group to label (or ``free``), a sequence of labels, or the text of
        either, as in ``"month=Feb,day=29"`` and ``"Feb,29"``.
    date
        A date (or ``"2024-02-29"``, ``"today"``) that gives all labels, instead of the file's;
        or several with commas between them, which stay uncovered at once.
    flip
        Whether pieces may be turned over, instead of what the file says.
    free
        Whether a source without labels leaves all groups to the model; otherwise it is
        an error.
    placed
        The pieces that are already placed, instead of the file's, as
        in ``"U:15+16 Y:3,0"``; see `calmip.puzzle.placements.with_placed`.

    Raises
    ------
    InputError
        If there is no such file or puzzle, it is not valid, or the labels or
        the placed pieces do not fit the puzzle. The error has the file and line
        of a fault in a file.
    """
    path, file = file_of(source)
    keys = join_words(INSTANCE_KEYS)
    document = read_table(path, file, f"an instance is a mapping with the keys {keys}")
    if "puzzle" not in document and "grid" not in document:
        raise InputError(
            "neither an instance (it has no key 'puzzle') nor a puzzle (no key 'grid'); "
            f"found the keys {join_words(document, most=12)}",
            path=file,
        )
    title = _stem(path)
    with locate_errors(file, document):
        if "puzzle" in document:
            check_keys(document, INSTANCE_KEYS)
            title = name_of(document, "name", default=title)
            if flip is None and "flip" in document:
                flip = flag_of(document, "flip", default=True)
            puzzle = _puzzle_of_instance(document, path, file)
        else:
            puzzle = puzzle_of(document, title)
        puzzle = puzzle if flip is None else puzzle.with_flip(flip)
        own = _entries(document) if placed is None and "placed" in document else None
        if reveal is None and date is None:
            instance = _instance(document, puzzle, title, file, free=free)
    if reveal is not None and date is not None:
        raise InputError("give the labels or a date, not both (--reveal, --date)")
    if date is not None:
        days = parse_dates(date) if isinstance(date, str) else (date,)
        named = " ".join(day.isoformat() for day in days)
        instance = Instance.of_dates(puzzle, days, name=f"{title} {named}")
    elif reveal is not None:
        labels = parse_reveal(reveal) if isinstance(reveal, str) else reveal
        known = puzzle.board.labels
        given = labels.values() if isinstance(labels, Mapping) else labels
        words = [label_among(known, label) or label_of(label) for label in given]
        instance = _reveal(puzzle, labels, f"{title} {' '.join(words)}")
    if own is None:
        return instance if placed is None else with_placed(instance, placed)
    with locate_errors(file, document):
        return with_placed(instance, own)


def parse_reveal(text: str) -> dict[str, str] | list[str]:
    """Return the labels of a text such as ``month=Feb,day=29`` or ``Feb,29``."""
    parts = [part.strip() for part in text.split(",")]
    if not all(parts):
        raise InputError(
            f"--reveal '{clip(text)}' has an empty part; write month=Feb,day=29 or Feb,29"
        )
    if "=" not in text:
        return parts
    labels: dict[str, str] = {}
    for part in parts:
        group, sign, label = (piece.strip() for piece in part.partition("="))
        if not sign or not group or not label:
            raise InputError(f"--reveal: '{clip(part)}' is not of the form GROUP=LABEL")
        if group in labels:
            raise InputError(f"--reveal names the group {clip(group)} twice")
        labels[group] = label
    return labels


def _puzzle_of_instance(document: Table, path: Path, file: str) -> Puzzle:
    node = document["puzzle"]
    if isinstance(node, Table):
        with locate_errors(file, document, "puzzle"):
            return puzzle_of(node, _stem(path))
    if not isinstance(node, Text) or not node:
        fault = "puzzle: give a bundled puzzle's name, a path, or the puzzle itself"
        raise InputError(fault, where=("puzzle",))
    if node in bundled_puzzles():
        return read_puzzle(str(node))
    try:
        return read_puzzle(path.parent / node)
    except InputError as error:
        if error.line is not None:
            raise
        message = f"puzzle: {error.message if error.path is None else error}"
        raise InputError(message, where=("puzzle",)) from None


def _instance(document: Table, puzzle: Puzzle, title: str, file: str, *, free: bool) -> Instance:
    """Return the instance with the labels that the document reveals, or with all groups free."""
    if "reveal" in document:
        labels = plain_node(document["reveal"])
        values = labels.values() if isinstance(labels, dict) else labels
        if isinstance(labels, str) or not all(isinstance(label, str) for label in values):
            fault = "reveal is a mapping such as {month: Feb, day: 29}, or a list of labels"
            raise InputError(fault, where=("reveal",))
        return _reveal(puzzle, labels, title)
    if free or not puzzle.groups:
        return Instance(puzzle, (), tuple(puzzle.groups), title)
    groups = list(puzzle.groups)
    raise InputError(
        f"{puzzle.name} reveals {' and '.join(groups)}: say which, with --date today, "
        f"--reveal {','.join(f'{group}=LABEL' for group in groups)}, or a key 'reveal' "
        f"in the file ({groups[0]}=free lets the model choose)",
        path=file,
    )


def _entries(document: Table) -> Placed:
    """Return the entries under ``placed`` as plain texts."""
    placed: Placed = plain_node(document["placed"])
    if isinstance(placed, str):
        return placed
    if not isinstance(placed, dict):
        if not all(isinstance(entry, str) for entry in placed):
            fault = 'placed is a mapping such as {U: [15, 16]}, or a list such as ["U:15+16"]'
            raise InputError(fault, where=("placed",))
        return placed
    for piece, places in placed.items():
        if isinstance(places, dict) or not all(isinstance(place, str) for place in places):
            fault = f'placed: give the places of {clip(piece)} as in [15, 16] or ["3,0", "3,1"]'
            raise InputError(fault, where=("placed", piece))
    return placed


def _reveal(puzzle: Puzzle, labels: Mapping[str, str] | Sequence[str], name: str) -> Instance:
    if isinstance(labels, Mapping):
        return Instance.reveal(puzzle, labels, name=name)
    return Instance(puzzle, tuple(labels), name=name)


def _stem(path: Path) -> str:
    """Return a file's name as a name for people, with control characters escaped."""
    name, most = path.name.removesuffix(".yaml").removesuffix(".yml"), MAX_NAME_CHARACTERS
    return clip(name, most)[:most]


def puzzle_of(document: Table, name: str, *, pieces: bool = True) -> Puzzle:
    """Return the puzzle of a document, called ``name`` unless the document names it.

    Without ``pieces`` it is a `Supply`, whatever pieces the document has. Errors have
    their place in the document.
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
    shape = text_of(document, "lattice", default=SQUARE.name)
    if shape not in LATTICES:
        fault = f"lattice '{clip(shape)}' is unknown; use one of {join_words(LATTICES)}"
        raise InputError(fault, where=("lattice",))
    lattice = LATTICES[shape]
    for key in ("grid", "pieces") if pieces else ("grid",):
        if key not in document:
            raise InputError(f"a puzzle needs the key '{key}'")
    rows = texts_of(document, "grid")
    given = document.get("groups", Table())
    if not isinstance(given, Table):
        fault = "groups is a mapping from a group to its labels, for example {month: [Janv, Fevr]}"
        raise InputError(fault, where=("groups",))
    with errors_at("groups"):
        groups = {str(group): tuple(texts_of(given, group)) for group in given}
    uncover = texts_of(document, "uncover", default=tuple(groups))
    counts = plain_node(document.get("counts", Table()))
    facts: dict[str, Any] = {
        "name": name_of(document, "name", default=name),
        "id": name_of(document, "id", default=name),
        "note": text_of(document, "note", default=""),
        "sources": tuple(texts_of(document, "sources")),
        "counts": counts if isinstance(counts, dict) else {},
        "pieces": (),
    }
    for key in ("pieces", "no_flip_pieces") if pieces else ():
        facts[key] = pieces_of(document, key, lattice)
    if pieces and "use" in document:
        facts["use"] = integer_of(text_of(document, "use", default=""), ("use",))
    flip = flag_of(document, "flip", default=True)
    board = Board.from_text(rows, lattice)
    puzzle = (Puzzle if pieces else Supply)(
        board=board, groups=group_labels(board, uncover, groups), **facts
    )
    # This comes last, so that a puzzle without flips has its no_flip_pieces.
    return puzzle.with_flip(flip)


def pieces_of(document: Table, key: str, lattice: Lattice) -> tuple[Piece, ...]:
    """Return the pieces at a key, or none; errors have their place in the document."""
    node = document.get(key, Items())
    pieces: dict[str, Piece] = {}
    if isinstance(node, Text):
        names = names_in(node)
        known = set(names) <= set(SHAPES.get(lattice.name, {}))
        remedy = f"; write {key}: [{join_words(names)}]" if known else ""
        raise InputError(
            f"{key} is a list of shapes, or a mapping from names to rows{remedy}", where=(key,)
        )
    if len(node) > MAX_PIECES:
        raise InputError(f"{len(node)} pieces; at most {MAX_PIECES}", where=(key,))
    for place, entry in node.items() if isinstance(node, Table) else enumerate(node):
        with errors_at(key, place):
            # The other key has the same pieces, which keep their rules.
            keys = PIECE_KEYS if key == "pieces" else PIECE_KEYS[:2]
            piece = _piece(place, entry, lattice, pieces, keys)
        pieces[piece.name] = piece
    return tuple(pieces.values())


def _piece(
    place: str | int,
    entry: Node,
    lattice: Lattice,
    taken: Mapping[str, Piece],
    keys: Sequence[str],
) -> Piece:
    """Return one piece from a shape's name or from rows, named by key, shape or letter."""
    facts: dict[str, Any] = {}
    if isinstance(entry, Table) and set(entry) & set(PIECE_KEYS):
        check_keys(entry, keys)
        if "shape" not in entry:
            raise InputError(
                f"a piece with the key '{next(iter(entry))}' needs the key 'shape' for its name "
                "or its rows"
            )
        facts = {key: flag_of(entry, key, default=key != "optional") for key in PIECE_KEYS[2:]}
        if "flip" in entry and facts["flip"] and not facts["rotate"]:
            raise InputError(
                "a piece that may not be turned lies as drawn and cannot be turned over; leave "
                "out flip: true, or rotate: false",
                where=("flip",),
            )
        facts["colour"], facts["back"] = _colours(entry)
        entry = entry["shape"]
    if isinstance(entry, Text) and entry.block:
        entry = entry.rows()
    shapes = SHAPES.get(lattice.name, {})
    if isinstance(entry, Text):
        if not entry:
            raise InputError(COMMENT)
        if entry not in shapes:
            raise InputError(
                f"shape '{clip(entry)}' is unknown; {_remedy(place, entry, shapes)}"
                "or give rows such as ['##.', '.##']"
            )
        piece = Piece.from_rows(str(entry), shapes[entry], lattice)
    elif isinstance(entry, Items) and all(isinstance(row, Text) for row in entry):
        rows = [str(row) for row in entry]
        if "" in rows:
            raise InputError(
                f"row {rows.index('') + 1} of a piece is empty; "
                "quote rows: a bare '#' begins a YAML comment"
            )
        number = place + 1 if isinstance(place, int) else place
        piece = Piece.from_rows(f"{number}", rows, lattice)
    else:
        raise InputError("a piece is a shape's name or a list of rows such as ['##.', '.##']")
    name = str(place)
    if isinstance(place, int):
        name = piece.name if isinstance(entry, Text) else _name_of(piece, taken)
        name = free_name(name, taken)
    return replace(piece, name=name, **facts)


def _colours(entry: Table) -> tuple[str, str]:
    """Return the colours of a piece's front and back; empty if they are not given."""
    if not isinstance(entry.get("colour"), Items):
        return text_of(entry, "colour", default=""), ""
    colours = texts_of(entry, "colour")
    if len(colours) != 2:
        raise InputError(
            "colour is one colour, or a list of two, that of the front and that of the back; "
            f"found {len(colours)}",
            where=("colour",),
        )
    return colours[0], colours[1]


def _remedy(place: str | int, text: str, shapes: Mapping[str, object]) -> str:
    """Return a suggestion for an unknown shape, or the known shapes."""
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
    known = f"he shapes are {join_words(shapes)}, "
    return f"did you mean {near}? T{known}" if near in shapes else f"t{known}"


def _name_of(piece: Piece, taken: Mapping[str, Piece]) -> str:
    """Return a name for a piece that was drawn without one."""
    name = _shape_names(piece.lattice).get(piece.orientations(flip=True)[0])
    free = (letter for letter in UNNAMED if letter not in taken)
    return name or next(free, f"p{len(taken) + 1}")


@cache
def _shape_names(lattice: Lattice) -> dict[Shape, str]:
    """Return the names of a lattice's shapes by the first of their orientations."""
    names: dict[Shape, str] = {}
    for name, rows in SHAPES.get(lattice.name, {}).items():
        names.setdefault(Piece.from_rows(name, rows, lattice).orientations(flip=True)[0], name)
    return names
