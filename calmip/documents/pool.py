"""Pools of pieces from words such as ``pentominoes``, names of shapes, and files."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from calmip.documents.collection import file_of
from calmip.documents.reader import pieces_of
from calmip.documents.yaml import Table, located, read_document
from calmip.errors import InputError, did_you_mean, listed, shown
from calmip.problem.board import Piece
from calmip.problem.dates import real_dates
from calmip.problem.lattice import SHAPES, Lattice, polyforms
from calmip.problem.pool import PiecePool
from calmip.problem.puzzle import Puzzle

__all__ = ["read_pool"]

LARGEST = 8
"""Shapes of more cells are not made: there are over a thousand of nine."""

PREFIXES = ("mono", "do", "tro", "tetro", "pento", "hexo", "hepto", "octo")
GREEK = ("mono", "di", "tri", "tetra", "penta", "hexa", "hepta", "octa")
WORDS = {
    "square": {
        **{f"{prefix}mino": size for size, prefix in enumerate(PREFIXES, start=1)},
        "triomino": 3,
    },
    "hexagonal": {f"{prefix}hex": size for size, prefix in enumerate(GREEK, start=1)},
}
"""What all shapes of a size are called, by the lattice."""

ALL = {"square": "polyomino", "hexagonal": "polyhex"}
"""What the shapes of a lattice are called, whatever their size."""


def read_pool(
    words: str | Iterable[str],
    frame: Puzzle,
    *,
    number: int | None = None,
    required: Sequence[str] = (),
    excluded: Sequence[str] = (),
    repeat: bool = False,
) -> PiecePool:
    """Return the pool of pieces that words name, for a board with groups to uncover.

    Parameters
    ----------
    words
        Words with commas between them, or a list: all shapes of a size
        (``pentominoes``, ``tetrahexes``) or up to a size (``polyominoes<=5``),
        shapes by name (``L``), or YAML files with a key ``pieces``. A shape that
        is named twice may be used twice.
    frame
        The board, its groups, and whether pieces may be turned over. Where they
        may not, a shape and its mirror image, which has a ``'`` behind its name,
        are two pieces.
    number
        How many pieces a set has, those that are required included; any number
        whose areas add up unless given.
    required
        Names of pieces that are in every set; they join the pool if need be.
    excluded
        Names of pieces of the pool that are in none.
    repeat
        Whether a set may have a piece more than once.

    Raises
    ------
    InputError
        If a word is unknown or of another lattice, a number is out of range,
        or no set has the area of the cells to cover; the message then says
        which areas there are.
    """
    area = _area(frame)
    lattice, flip = frame.board.lattice, frame.flip
    if number is not None and not 1 <= number <= area:
        raise InputError(
            f"the number of pieces is from 1 to {area}, as there are {area} cells to cover, "
            f"not {number}"
        )
    listed_words = words.split(",") if isinstance(words, str) else list(words)
    pieces: list[Piece] = []
    most: list[int] = []

    def place_of(piece: Piece) -> int:
        turned = piece.orientations(flip=flip)
        for place, other in enumerate(pieces):
            if other.orientations(flip=flip) == turned:
                return place
        taken = {other.name for other in pieces}
        if piece.name in taken:
            raise InputError(f"two pieces of the pool are called {piece.name}; rename one")
        pieces.append(piece)
        most.append(0)
        return len(pieces) - 1

    for word in listed_words:
        for piece in _pieces(word.strip(), lattice, flip=flip):
            most[place_of(piece)] += 1
    if not pieces:
        raise InputError("the pool is empty; name shapes such as pentominoes or L,N,P")
    if repeat:
        most = [area // len(piece.cells) for piece in pieces]
    least = [0] * len(pieces)
    for name in required:
        place = next((n for n, one in enumerate(pieces) if one.name == name.strip()), None)
        if place is None:
            place = place_of(_named(name.strip(), lattice, [one.name for one in pieces]))
            least += [0] * (len(pieces) - len(least))
        least[place] += 1
        most[place] = max(most[place], least[place])
    for name in excluded:
        place = next((n for n, one in enumerate(pieces) if one.name == name.strip()), None)
        if place is None:
            raise InputError(_unknown(name, [one.name for one in pieces], "of the pool"))
        if least[place]:
            raise InputError(f"piece {pieces[place].name} cannot be both in and out of every set")
        most[place] = 0
    pool = PiecePool(tuple(pieces), tuple(least), tuple(most), area, number)
    if not pool.sets:
        what = "no set of pieces" if number is None else f"no {number} piece{'s' * (number != 1)}"
        raise InputError(
            f"{what} of the pool can cover the {area} cells of {frame.name} that a date leaves; "
            f"{_possible(pool)}"
        )
    return pool.narrowed()


def _area(frame: Puzzle) -> int:
    """Return how many cells are to be covered, which must be the same for each date."""
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
            f"the dates of {frame.name} leave {listed(sorted(areas))} cells to cover, so no set "
            "of pieces suits them all; let the labels of a group have equally many cells"
        )
    return areas.pop()


def _possible(pool: PiecePool) -> str:
    areas = pool.areas
    if not areas:
        return "there are not so many pieces in it"
    near = sorted(areas, key=lambda area: abs(area - pool.area))[:10]
    more = f" ({len(areas) - len(near)} more)" if len(areas) > len(near) else ""
    return f"the areas that are possible are {listed(sorted(near))}{more}"


def _pieces(word: str, lattice: Lattice, *, flip: bool) -> Iterator[Piece]:
    """Yield the pieces that a word of a pool names."""
    sizes = _sizes(word, lattice)
    if sizes is not None:
        for size in sizes:
            yield from _all(size, lattice, flip=flip)
        return
    if word in SHAPES.get(lattice.name, {}) or re.fullmatch(r"\d+-\d+'?", word):
        yield _named(word, lattice, [])
        return
    if not word.lower().endswith((".yaml", ".yml")) and not Path(word).is_file():
        known = [*SHAPES.get(lattice.name, {}), *(f"{one}s" for one in WORDS[lattice.name])]
        raise InputError(_unknown(word, known, f"of {lattice.name} cells, nor a file"))
    path, file = file_of(word)
    document = read_document(path, file)
    if not isinstance(document, Table) or "pieces" not in document:
        raise InputError("a pool is a mapping with the key pieces", path=file)
    with located(file, document):
        yield from pieces_of(document, "pieces", lattice, file)


def _sizes(word: str, lattice: Lattice) -> range | None:
    """Return the sizes of the shapes that a word names all of, None if it names no sizes."""
    found = re.fullmatch(r"([a-z]+?)(?:e?s)?(?:(<?)=(\d+))?", word.strip().lower(), re.ASCII)
    for name, sizes in WORDS.items() if found else ():
        kind, up_to, number = found.groups() if found else ("", "", "")
        if kind not in (*sizes, ALL[name]) or (kind in sizes) != (number is None):
            continue
        if name != lattice.name:
            raise InputError(
                f"{shown(word)} are shapes of {name} cells, and the board's are {lattice.name}"
            )
        size = sizes[kind] if number is None else int(number)
        if not 1 <= size <= LARGEST:
            raise InputError(f"a pool has all shapes of 1 to {LARGEST} cells, not of {size}")
        return range(1 if up_to else size, size + 1)
    return None


def _all(size: int, lattice: Lattice, *, flip: bool) -> Iterator[Piece]:
    """Yield all shapes of a size, and their mirror images where they may not be turned over.

    Those with names of their own come first, in their usual order.
    """
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


def _named(name: str, lattice: Lattice, known: Sequence[str]) -> Piece:
    """Return the shape with a name: a letter such as L, or its size and number such as 6-12."""
    sizes = {len("".join(rows).replace(".", "")) for rows in SHAPES.get(lattice.name, {}).values()}
    number = re.match(r"(\d)-\d+", name)
    for size in sorted(sizes) if number is None else [min(int(number[1]), LARGEST)]:
        for piece in _all(size, lattice, flip=False):
            if piece.name == name:
                return piece
    raise InputError(_unknown(name, [*known, *SHAPES.get(lattice.name, {})], ""))


def _unknown(name: str, known: Sequence[str], where: str) -> str:
    guess = did_you_mean(name, known)
    remedy = (
        f"did you mean {guess}?"
        if guess
        else f"there are {listed(list(dict.fromkeys(known)), most=40)}"
    )
    return f"'{shown(name)}' is no piece {where}".rstrip() + f"; {remedy}"
