"""Pools of pieces from words such as ``pentominoes``, names of shapes, and files."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from calmip._base.errors import InputError, clip, did_you_mean, join_words
from calmip.puzzle.board import Piece
from calmip.puzzle.dates import real_dates
from calmip.puzzle.documents.reader import file_of, pieces_of
from calmip.puzzle.documents.yaml import locate_errors, read_table
from calmip.puzzle.lattice import SHAPES, Lattice, Shape, polyforms
from calmip.puzzle.piece_set import PiecePool
from calmip.puzzle.puzzle import Puzzle

MAX_SHAPE_CELLS = 8
"""The most cells of a generated shape; there are over a thousand shapes of nine."""

PREFIXES = ("mono", "do", "tro", "tetro", "pento", "hexo", "hepto", "octo")
IAMONDS = ("moni", "di", "tri", "tetri", "penti", "hexi", "hepti", "octi")
GREEK = ("mono", "di", "tri", "tetra", "penta", "hexa", "hepta", "octa")
WORDS = {
    "square": {
        **{f"{prefix}mino": size for size, prefix in enumerate(PREFIXES, start=1)},
        "triomino": 3,
    },
    "hexagonal": {f"{prefix}hex": size for size, prefix in enumerate(GREEK, start=1)},
    "triangular": {f"{prefix}amond": size for size, prefix in enumerate(IAMONDS, start=1)},
    "rhombille": {},
    "cairo": {},
}
"""The number of cells of the shapes that a word selects, by lattice."""

ALL = {
    "square": "polyomino",
    "hexagonal": "polyhex",
    "triangular": "polyiamond",
    "rhombille": "polyrhomb",
    "cairo": "polycairo",
}
"""The word for the shapes of any size, by lattice."""


def _check_number(number: int | None, area: int) -> None:
    """Raise `InputError` for a number of pieces that no set has."""
    if number is not None and not 1 <= number <= area:
        raise InputError(
            f"the number of pieces is from 1 to {area}, as there are {area} cells to cover, "
            f"not {number}"
        )


def read_pool(
    words: str | Iterable[str],
    frame: Puzzle,
    *,
    number: int | None = None,
    required: Sequence[str] = (),
    excluded: Sequence[str] = (),
    repeat: bool = False,
) -> PiecePool:
    """Return the pool of pieces named by words, for a board with groups to uncover.

    Parameters
    ----------
    words
        Choose from these pieces, with commas between them or as a list: ``pentominoes``,
        ``polyominoes<=5``, ``tetrahexes``, ``L,N,P``, or a YAML file with a key ``pieces``.
        A shape that appears twice may be used twice.
    frame
        The board, its groups, and whether pieces may be turned over. Otherwise a shape and
        its mirror image, whose name ends in ``'``, are two pieces.
    number
        Take this number of pieces, the required ones included; by default any number.
    required
        Require these pieces in every set; they are added to the pool if missing.
    excluded
        Forbid these pieces.
    repeat
        Allow a piece more than once in a set.

    Raises
    ------
    InputError
        If a word is unknown or of another lattice, a number is out of range, or no set has
        the area of the cells to cover; the message then lists the possible areas.
    """
    area = _area(frame)
    _check_number(number, area)
    lattice, flip = frame.board.lattice, frame.flip
    pieces: dict[str, Piece] = {}
    names: dict[tuple[Shape, ...], str] = {}
    least, most = Counter[str](), Counter[str]()

    def name_of(piece: Piece) -> str:
        """Return the name of the equal piece of the pool; a new piece joins it."""
        turned = piece.orientations(flip=flip)
        if turned not in names:
            if piece.name in pieces:
                raise InputError(f"two pieces of the pool are called {piece.name}; rename one")
            names[turned] = piece.name
            pieces[piece.name] = piece
        return names[turned]

    for word in words.split(",") if isinstance(words, str) else words:
        most.update(map(name_of, _pieces(word.strip(), lattice, flip=flip)))
    if not pieces:
        raise InputError("the pool is empty; name shapes such as pentominoes or L,N,P")
    if repeat:
        most = Counter({name: area // len(piece.cells) for name, piece in pieces.items()})
    for name in map(str.strip, required):
        one = name if name in pieces else name_of(_shape(name, lattice, list(pieces)))
        least[one] += 1
        most[one] = max(most[one], least[one])
    for name in map(str.strip, excluded):
        if name not in pieces:
            raise InputError(_unknown(name, list(pieces), "of the pool"))
        if least[name]:
            raise InputError(f"piece {name} cannot be both in and out of every set")
        most[name] = 0
    low, high = (tuple(count[name] for name in pieces) for count in (least, most))
    pool = PiecePool(tuple(pieces.values()), low, high, area, number)
    if not pool.sets:
        what = "no set of pieces" if number is None else f"no {number} piece{'s' * (number != 1)}"
        raise InputError(
            f"{what} of the pool can cover the {area} cells of {frame.name} that a date leaves; "
            f"{_possible(pool)}"
        )
    return pool.tighten()


def pool_of(
    frame: Puzzle,
    *,
    pool: str,
    pieces: int | None = None,
    with_: Sequence[str] = (),
    without: Sequence[str] = (),
    repeat: bool = False,
) -> PiecePool:
    """Return the pool of pieces that the options of a command describe.

    Parameters
    ----------
    frame
        The board.
    pool
        Choose from these pieces, with commas between them or as a list: ``pentominoes``,
        ``polyominoes<=5``, ``tetrahexes``, ``L,N,P``, or a YAML file with a key ``pieces``.
    pieces
        Take this number of pieces, the required ones included; by default any number.
    with_
        Require these pieces in every set; they are added to the pool if missing.
    without
        Forbid these pieces.
    repeat
        Allow a piece more than once in a set.

    Raises
    ------
    InputError
        As for `read_pool`.
    """
    return read_pool(pool, frame, number=pieces, required=with_, excluded=without, repeat=repeat)


def _area(frame: Puzzle) -> int:
    """Return the number of cells to cover, which must be the same for each date."""
    if not frame.groups:
        raise InputError(
            f"{frame.name} has no groups to uncover, so there are no dates to be solvable; "
            "give its file the key uncover, as in uncover: [month, day]"
        )
    labels = frame.board.labels
    areas = {
        len(frame.board.cells) - sum(len(labels[label]) for label in date.values())
        for date in real_dates(frame.groups).values()
    }
    if len(areas) != 1:
        raise InputError(
            f"the dates of {frame.name} leave {join_words(sorted(areas))} cells to cover, so no "
            "set of pieces suits them all; let the labels of a group have equally many cells"
        )
    return areas.pop()


def _possible(pool: PiecePool) -> str:
    areas = pool.areas
    if not areas:
        return "there are not so many pieces in it"
    near = sorted(areas, key=lambda area: abs(area - pool.area))[:10]
    more = f" ({len(areas) - len(near)} more)" if len(areas) > len(near) else ""
    return f"the areas that are possible are {join_words(sorted(near))}{more}"


def _pieces(word: str, lattice: Lattice, *, flip: bool) -> Iterator[Piece]:
    """Yield the pieces that a word of a pool names."""
    sizes = _sizes(word, lattice)
    if sizes is not None:
        for size in sizes:
            yield from _all(size, lattice, flip=flip)
        return
    if word in SHAPES.get(lattice.name, {}) or re.fullmatch(r"\d+-\d+'?", word):
        yield _shape(word, lattice, [])
        return
    if not word.lower().endswith((".yaml", ".yml")) and not Path(word).is_file():
        known = [*SHAPES.get(lattice.name, {}), *(f"{one}s" for one in WORDS.get(lattice.name, {}))]
        raise InputError(_unknown(word, known, f"of {lattice.name} cells, nor a file"))
    path, file = file_of(word)
    fault = "a pool is a mapping with the key pieces"
    document = read_table(path, file, fault)
    if "pieces" not in document:
        raise InputError(fault, path=file)
    with locate_errors(file, document):
        for piece in pieces_of(document, "pieces", lattice):
            # Symmetric dates have equally many tilings only if all pieces may be turned alike.
            if piece.rules:
                raise InputError(
                    f"piece {piece.name} of a pool has the key '{next(iter(piece.rules))}'; "
                    "leave it out, as all pieces of a pool may be turned alike",
                    where=("pieces",),
                )
            yield piece


def _sizes(word: str, lattice: Lattice) -> range | None:
    """Return the sizes of all shapes that a word selects, or None for another word."""
    found = re.fullmatch(r"([a-z]+?)(?:e?s)?(?:(<?)=(\d+))?", word.strip().lower(), re.ASCII)
    if not found:
        return None
    kind, up_to, number = found.groups()
    for name, sizes in WORDS.items():
        if kind not in (*sizes, ALL[name]) or (kind in sizes) != (number is None):
            continue
        if name != lattice.name:
            raise InputError(
                f"{clip(word)} are shapes of {name} cells, and the board's are {lattice.name}"
            )
        size = sizes[kind] if number is None else int(number)
        if not 1 <= size <= MAX_SHAPE_CELLS:
            raise InputError(
                f"a pool has all shapes of 1 to {MAX_SHAPE_CELLS} cells, not of {size}"
            )
        return range(1 if up_to else size, size + 1)
    return None


def _all(size: int, lattice: Lattice, *, flip: bool) -> Iterator[Piece]:
    """Yield all shapes of a size, known names first; without flips, mirror images as well."""
    shapes = {shape: f"{size}-{n}" for n, shape in enumerate(polyforms(lattice, size), start=1)}
    pieces = []
    for name, rows in SHAPES.get(lattice.name, {}).items():
        piece = Piece.from_rows(name, rows, lattice)
        if shapes.pop(piece.orientations(flip=True)[0], None) is not None:
            pieces.append(piece)
    pieces += [Piece(name, shape, lattice) for shape, name in shapes.items()]
    for piece in pieces:
        yield piece
        mirrored = set(piece.orientations(flip=True)) - set(piece.orientations(flip=False))
        if mirrored and not flip:
            yield replace(piece, name=f"{piece.name}'", cells=min(mirrored))


def _shape(name: str, lattice: Lattice, known: Sequence[str]) -> Piece:
    """Return the shape of a name such as L, or of a size and a number such as 6-12."""
    sizes = {len("".join(rows).replace(".", "")) for rows in SHAPES.get(lattice.name, {}).values()}
    number = re.match(r"(\d)-\d+", name)
    for size in sorted(sizes) if number is None else [min(int(number[1]), MAX_SHAPE_CELLS)]:
        for piece in _all(size, lattice, flip=False):
            if piece.name == name:
                return piece
    raise InputError(_unknown(name, [*known, *SHAPES.get(lattice.name, {})], ""))


def _unknown(name: str, known: Sequence[str], where: str) -> str:
    guess = did_you_mean(name, known)
    there = join_words(dict.fromkeys(known))
    remedy = f"did you mean {guess}?" if guess else f"there are {there}"
    return f"'{clip(name)}' is not a piece {where}".rstrip() + f"; {remedy}"
