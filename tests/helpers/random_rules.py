"""Random instances with the rules that a puzzle may have, and their tilings by brute force."""

from __future__ import annotations

import cmath
import datetime
import itertools
import math
import random
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple, TypeVar

import brute_force
from brute_force import Cell, Cells
from strategies import cut

import calmip
from calmip import Board, InputError, Instance, Piece, Puzzle, Tiling
from calmip.puzzle.lattice import CAIRO, HEXAGONAL, RHOMBILLE, TRIANGULAR, Lattice

Solution = tuple[frozenset[str], frozenset[tuple[str, Cells]]]
"""The uncovered labels, and the cells of each piece; equal pieces have the name of the first."""

One = TypeVar("One")

MOTIONS = (*brute_force.ROTATIONS, *brute_force.REFLECTIONS)

SHAPES = tuple(
    Piece.from_rows(name, rows)
    for name, rows in calmip.puzzle.lattice.SHAPES["square"].items()
    if sum(map(len, rows)) <= 9
)

MAX_SINGLE_CELLS = 3
"""The most pieces of one cell: brute force tries all their orders."""


class Case(NamedTuple):
    """An instance, the first of the pieces that equal each one, and all its solutions."""

    instance: Instance
    first: Mapping[str, str]
    known: set[Solution]

    def solution(self, tiling: Tiling) -> Solution:
        """Return a tiling as `known` has it."""
        placed = ((self.first[one.piece], frozenset(one.cells)) for one in tiling.placements)
        return frozenset(tiling.labels), frozenset(placed)


def solved(
    instance: Instance,
    boards: Mapping[frozenset[str], Iterable[Cell]],
    *,
    no_flip: Container[str] = (),
    no_turn: Container[str] = (),
) -> Case:
    """Return an instance with its solutions: for each choice of labels and pieces, the tilings."""
    puzzle = instance.puzzle
    ways = {
        piece.name: frozenset(
            brute_force.turned(
                piece.cells,
                flip=puzzle.flip and piece.name not in no_flip,
                rotate=piece.name not in no_turn,
            )
        )
        for piece in puzzle.pieces
    }
    first = {name: next(one for one in ways if ways[one] == ways[name]) for name in ways}
    needed = [one for one in puzzle.pieces if not one.optional]
    spare = [one for one in puzzle.pieces if one.optional]
    known = set()
    for labels, cells in boards.items():
        free = set(cells)
        for number in range(len(spare) + 1):
            for some in itertools.combinations(spare, number):
                pieces = {one.name: one.cells for one in (*needed, *some)}
                if sum(map(len, pieces.values())) != len(free):
                    continue
                if puzzle.use not in (None, len(pieces)):
                    continue
                known |= {
                    (labels, frozenset((first[name], where) for name, where in tiling))
                    for tiling in brute_force.tilings(
                        free, pieces, flip=puzzle.flip, no_flip=no_flip, no_turn=no_turn
                    )
                }
    return Case(instance, first, known)


def least_bare(instance: Instance) -> int:
    """Return how few cells stay bare if pieces of one choice with their area are laid on squares.

    The choices have the pieces that must be used, and as many as stated.
    """
    puzzle = instance.puzzle
    board = puzzle.board
    least = len(board.cells)
    needed = [one for one in puzzle.pieces if not one.optional]
    spare = [one for one in puzzle.pieces if one.optional]
    freed = itertools.product(*(puzzle.groups[group] for group in instance.free))
    for labels in freed:
        free = [one for one in board.cells if board.label(one) not in (*labels, *instance.labels)]
        bits = {cell: 1 << place for place, cell in enumerate(free)}
        ways = {
            one.name: {
                sum(bits[cell] for cell in where)
                for where in brute_force.placements(
                    free, one.cells, flip=puzzle.flip and one.flip, rotate=one.rotate
                )
            }
            for one in puzzle.pieces
        }
        for number in range(len(spare) + 1):
            for some in itertools.combinations(spare, number):
                choice = [*needed, *some]
                if sum(len(one.cells) for one in choice) != len(free):
                    continue
                if puzzle.use not in (None, len(choice)):
                    continue
                filled = {0}
                for one in choice:
                    filled |= {
                        old | new for old in filled for new in ways[one.name] if not old & new
                    }
                least = min(least, len(free) - max(map(int.bit_count, filled)))
    return least


def _rows(rng: random.Random) -> list[list[str]]:
    height, width = rng.randint(2, 4), rng.randint(3, 4)
    return [[rng.choice(["*", "*", "*", "."]) for _ in range(width)] for _ in range(height)]


def _lettered(rng: random.Random, second: float) -> Board:
    """Return a board with the label A and, with a probability, the label B."""
    rows = _rows(rng)
    rows[0][:2] = "A", "B" if rng.random() < second else "*"
    return Board(tuple(map(tuple, rows)))


def turns(seed: int) -> Case:
    """Draw pieces that may not be turned over, or not be turned.

    The pieces of odd seeds were turned before.
    """
    rng = random.Random(seed)
    rows = _rows(rng)
    rows[0][:2] = "A", "*"
    board = Board(tuple(map(tuple, rows)))
    cells = set(board.cells) - {(0, 0)}
    pieces = cut(cells, rng, 7)
    if seed % 2:
        pieces = [
            [motion(r, c) for r, c in piece] for piece in pieces for motion in [rng.choice(MOTIONS)]
        ]
    named = tuple(
        Piece(f"q{k}", tuple(piece), flip=rng.random() < 0.5, rotate=rng.random() < 0.3)
        for k, piece in enumerate(pieces)
    )
    flip = rng.random() < 0.7
    try:
        puzzle = Puzzle(f"drawn {seed}", board, named, {"letter": ("A",)}, flip=flip)
    except InputError:  # the mirror image of a piece fits nowhere
        return turns(seed + 1001)
    return solved(
        Instance(puzzle, ("A",), name=f"drawn {seed}"),
        {frozenset("A"): cells},
        no_flip={piece.name for piece in named if not piece.flip},
        no_turn={piece.name for piece in named if not piece.rotate},
    )


def spare(seed: int) -> Case:
    """Draw some pieces to spare, of which no optional one equals another."""
    rng = random.Random(seed)
    board = _lettered(rng, 0.5)
    pieces = [
        Piece(f"q{k}", tuple(cells), optional=rng.random() < 0.6)
        for k, cells in enumerate(cut(set(board.cells) - {(0, 0)}, rng, 7))
    ]
    if sum(len(piece.cells) == 1 for piece in pieces) > MAX_SINGLE_CELLS:
        return spare(seed + 1001)
    more = [one for one in rng.sample(SHAPES, 3) if len(one.cells) <= 5]
    pieces += [replace(one, optional=True) for one in more]
    flip = rng.random() < 0.7
    kept: list[Piece] = []
    for piece in pieces:
        equal = [
            one for one in kept if one.orientations(flip=flip) == piece.orientations(flip=flip)
        ]
        if any(one.optional for one in [*equal, piece] if equal):
            piece = replace(piece, optional=False)
            kept = [replace(one, optional=one.optional and one not in equal) for one in kept]
        kept.append(piece)
    return _spare_case(seed, rng, board, kept, flip=flip) or spare(seed + 1001)


def copies(seed: int, *, use: float = 0.7) -> Case:
    """Draw some pieces to spare, equal ones among them, and perhaps how many are used.

    Most or all may be left out. If ``use`` is 1, so many are used as their sizes do not imply.
    """
    rng = random.Random(seed)
    board = _lettered(rng, 0.4)
    drawn: list[Iterable[Cell]] = [*cut(set(board.cells) - {(0, 0)}, rng, 5)]
    if use == 1:
        drawn += [one.cells for one in rng.choices(SHAPES, k=5) if len(one.cells) <= 4]
    else:
        drawn = [
            [motion(r, c) for r, c in cells]
            for cells in drawn
            for motion in rng.choices(MOTIONS, k=rng.choice([1, 1, 2, 3]))
        ]
    share = rng.choice([0.6, 1])
    every = [
        Piece(f"q{k}", tuple(cells), optional=rng.random() < share) for k, cells in enumerate(drawn)
    ]
    pieces = rng.sample(every, len(every))
    if len(pieces) > 8 or sum(len(piece.cells) == 1 for piece in pieces) > MAX_SINGLE_CELLS:
        return copies(seed + 1001, use=use)
    case = _spare_case(seed, rng, board, pieces, flip=rng.random() < 0.7, use=use)
    return case or copies(seed + 1001, use=use)


def _spare_case(
    seed: int, rng: random.Random, board: Board, pieces: list[Piece], *, flip: bool, use: float = 0
) -> Case | None:
    """Return the case of some pieces, None if one fits nowhere or no choice has the area.

    ``use`` is the probability that the number of pieces is stated. If it is 1, None is also
    returned where the sizes imply it.
    """
    letters = tuple(letter for letter in "AB" if letter in board.rows[0])
    free = len(letters) == 2 and rng.random() < 0.5
    labels, open_groups = ((), ("letter",)) if free else (("A",), ())
    try:
        puzzle = Puzzle(f"drawn {seed}", board, tuple(pieces), {"letter": letters}, flip=flip)
        if use and rng.random() < use:
            numbers = puzzle.areas.get(len(board.cells) - 1, frozenset()) - {len(pieces)}
            puzzle = replace(puzzle, use=rng.choice(sorted(numbers)) if numbers else None)
        instance = Instance(puzzle, labels, open_groups, f"drawn {seed}")
    except InputError:
        return None
    if use == 1 and not instance.use:
        return None
    boards = {
        frozenset(letter): [cell for cell in board.cells if board.label(cell) != letter]
        for letter in (letters if free else "A")
    }
    return solved(instance, boards)


def two_dates(seed: int) -> Case:
    """Draw two dates, which may share a month or a day."""
    rng = random.Random(seed)
    width = rng.randint(3, 4)
    texts = [
        *("Jan", "Feb", *(["Mar"] if rng.random() < 0.5 else [])),
        *map(str, range(1, rng.randint(4, 6))),
    ]
    grid = texts + ["*"] * (-len(texts) % width + width * rng.randint(0, 1))
    rng.shuffle(grid)
    rows = [grid[start : start + width] for start in range(0, len(grid), width)]
    months = [text for text in ("Jan", "Feb", "Mar") if text in texts]
    days = [text for text in texts if text not in months]
    every = [
        datetime.date(2027, month, int(day)) for month in range(1, len(months) + 1) for day in days
    ]
    dates = rng.sample(every, 2)
    bare = {months[date.month - 1] for date in dates} | {str(date.day) for date in dates}
    cells = {(r, c) for r, row in enumerate(rows) for c, text in enumerate(row) if text not in bare}
    pieces = cut(cells, rng, 5)
    if sum(len(piece) == 1 for piece in pieces) > MAX_SINGLE_CELLS:
        return two_dates(seed + 1001)
    named = tuple(Piece(f"q{k}", tuple(piece)) for k, piece in enumerate(pieces))
    board = Board(tuple(map(tuple, rows)))
    groups = {"month": tuple(months), "day": tuple(days)}
    puzzle = Puzzle(f"drawn {seed}", board, named, groups, flip=rng.random() < 0.5)
    return solved(Instance.of_dates(puzzle, dates), {frozenset(bare): cells})


Vertex = tuple[int, int]
"""A point a e + b f, where e and f have length 1 and meet at 60 degrees."""

Triangle = frozenset[Vertex]
Triangles = frozenset[Triangle]


def triangles(side: int) -> list[Triangle]:
    """Return the triangles of a rhombus."""
    pairs = [(a, b) for a in range(side) for b in range(side)]
    up = [frozenset({(a, b), (a + 1, b), (a, b + 1)}) for a, b in pairs]
    return up + [frozenset({(a + 1, b), (a, b + 1), (a + 1, b + 1)}) for a, b in pairs]


def cell_of(triangle: Triangle) -> Cell:
    """Return the row and the place of a triangle: f goes down a row, half a place to the left."""
    a, b = (min(numbers) for numbers in zip(*triangle, strict=True))
    up = sorted(triangle)[0] == (a, b)  # here f goes up: the first triangle of a pair points up
    return -b, 2 * a + b + (not up)


def moved(piece: Iterable[Triangle], *, flip: bool, rotate: bool = True) -> Iterator[Triangles]:
    """Yield the images of a piece under rotations by 60 degrees, and reflections."""
    if not rotate:
        yield frozenset(piece)
        return
    for mirror in (False, True) if flip else (False,):
        image = [frozenset((b, a) if mirror else (a, b) for a, b in triangle) for triangle in piece]
        for _ in range(6):
            image = [frozenset((-b, a + b) for a, b in triangle) for triangle in image]
            yield frozenset(image)


def triangle_placements(
    piece: Triangles, board: Triangles, *, flip: bool, rotate: bool
) -> set[Triangles]:
    """Return the ways to lay a piece on a board."""
    corners = {vertex for triangle in board for vertex in triangle}
    found = set()
    for image in moved(piece, flip=flip, rotate=rotate):
        a0, b0 = min(min(triangle) for triangle in image)
        for a, b in corners:
            shifted = frozenset(
                frozenset((x + a - a0, y + b - b0) for x, y in triangle) for triangle in image
            )
            if shifted <= board:
                found.add(shifted)
    return found


def cornered(piece: Triangles) -> Triangles:
    """Return a piece translated so that its first vertex is the origin."""
    a0, b0 = min(min(triangle) for triangle in piece)
    return frozenset(frozenset((a - a0, b - b0) for a, b in triangle) for triangle in piece)


def triangle_tilings(
    board: Triangles, pieces: Mapping[str, tuple[Triangles, bool, bool]]
) -> tuple[dict[str, str], set[frozenset[tuple[str, Triangles]]]]:
    """Return the first of the pieces that equal each one, and the ways to cover a board."""
    choices = {
        name: triangle_placements(piece, board, flip=flip, rotate=rotate)
        for name, (piece, flip, rotate) in pieces.items()
    }
    ways = {
        name: frozenset(map(cornered, moved(piece, flip=flip, rotate=rotate)))
        for name, (piece, flip, rotate) in pieces.items()
    }
    first = {name: next(one for one in ways if ways[one] == ways[name]) for name in pieces}

    return first, set(_covers([(first[name], choices[name]) for name in pieces], board))


def _covers(
    choices: Sequence[tuple[str, Iterable[frozenset[One]]]], left: frozenset[One]
) -> Iterator[frozenset[tuple[str, frozenset[One]]]]:
    """Yield the ways to cover all that is left by one of the choices of each piece."""
    if not choices:
        if not left:
            yield frozenset()
        return
    (name, places), *others = choices
    for placed in places:
        if placed <= left:
            for rest in _covers(others, left - placed):
                yield rest | {(name, placed)}


def iamonds(seed: int) -> Case:
    """Draw a board of triangles and pieces that cover it; some may not be turned as others may."""
    rng = random.Random(seed)
    every = triangles(3)
    board = frozenset(rng.sample(every, rng.randint(8, 14)))
    left, pieces = set(board), []
    while left:
        piece = {rng.choice(sorted(left, key=sorted))}
        for _ in range(rng.randint(1, 5)):
            near = [one for one in left - piece if any(len(one & other) == 2 for other in piece)]
            if near:
                piece.add(rng.choice(sorted(near, key=sorted)))
        left -= piece
        pieces.append(frozenset(piece))
    if sum(len(piece) == 1 for piece in pieces) > MAX_SINGLE_CELLS:
        return iamonds(seed + 1001)
    flip = rng.random() < 0.6
    named, plain = [], {}
    for k, piece in enumerate(pieces):
        may_flip, may_turn = rng.random() < 0.8, rng.random() < 0.8
        # Also a piece that may not be turned may be drawn turned: then it may fit nowhere.
        turned = rng.choice(sorted(moved(piece, flip=flip and may_flip), key=repr))
        turned = turned if may_turn or rng.random() < 0.2 else piece
        named.append(
            Piece(f"q{k}", tuple(map(cell_of, turned)), TRIANGULAR, flip=may_flip, rotate=may_turn)
        )
        plain[f"q{k}"] = turned, flip and may_flip and may_turn, may_turn
    where = {cell_of(triangle): triangle for triangle in board}
    rows, columns = TRIANGULAR.frame(where)
    grid = tuple(tuple("*" if (r, c) in where else "." for c in columns) for r in rows)
    try:
        puzzle = Puzzle(f"drawn {seed}", Board(grid, TRIANGULAR), tuple(named), flip=flip)
    except InputError:  # a piece that may not be turned fits nowhere
        return iamonds(seed + 1001)
    first, known = triangle_tilings(board, plain)

    def cells(piece: Triangles) -> Cells:
        return frozenset((r - rows[0], c - columns[0]) for r, c in map(cell_of, piece))

    return Case(
        Instance(puzzle),
        first,
        {(frozenset(), frozenset((name, cells(one)) for name, one in some)) for some in known},
    )


def tiles(seed: int) -> Case:
    """Draw a board of rhombs or pentagons, or of any other cells, and pieces that cover it.

    Brute force has the corners of the cells, and moves them in the complex plane.
    """
    rng = random.Random(seed)
    lattice = (RHOMBILLE, CAIRO, RHOMBILLE, CAIRO, TRIANGULAR, HEXAGONAL)[seed % 6]
    cells = {(2, 3)}
    while len(cells) < 8 + seed % 5:
        around = {near for cell in cells for near in lattice.neighbours(cell)} - cells
        cells.add(rng.choice(sorted(around)))
    rows, columns = lattice.frame(cells)
    cells = {(r - rows[0], c - columns[0]) for r, c in cells}
    pieces = cut(cells, rng, 4, lattice)
    if sum(len(piece) == 1 for piece in pieces) > MAX_SINGLE_CELLS:
        return tiles(seed + 1001)
    flip = rng.random() < 0.6
    named = [
        Piece(f"q{k}", rng.choice(lattice.orientations(piece, flip=flip)), lattice)
        for k, piece in enumerate(pieces)
    ]
    height, width = max(r for r, _ in cells) + 1, max(c for _, c in cells) + 1
    grid = [["*" if (r, c) in cells else "." for c in range(width)] for r in range(height)]
    puzzle = Puzzle(
        f"drawn {seed}", Board(tuple(map(tuple, grid)), lattice), tuple(named), flip=flip
    )
    where = {_polygon(_corners(lattice, cell)): cell for cell in cells}
    points = {corner for cell in cells for corner in _corners(lattice, cell)}
    ways = {}
    for piece in named:
        ways[piece.name] = frozenset(
            frozenset(where[one] for one in placed)
            for placed in _laid(
                [_corners(lattice, cell) for cell in piece.cells], where, points, flip=flip
            )
        )
    kinds = {piece.name: piece.orientations(flip=flip) for piece in named}
    first = {name: next(one for one in kinds if kinds[one] == kinds[name]) for name in kinds}

    choices = [(first[name], ways[name]) for name in ways]
    known = {(frozenset[str](), found) for found in _covers(choices, frozenset(cells))}
    return Case(Instance(puzzle), first, known)


Polygon = frozenset[tuple[float, float]]


def _corners(lattice: Lattice, cell: Cell) -> list[complex]:
    return [complex(*point) for point in lattice.corners(cell)]


def _polygon(corners: Iterable[complex]) -> Polygon:
    return frozenset((round(z.real, 6) + 0.0, round(z.imag, 6) + 0.0) for z in corners)


def _laid(
    piece: list[list[complex]],
    board: Mapping[Polygon, Cell],
    corners: Iterable[complex],
    *,
    flip: bool,
) -> Iterator[frozenset[Polygon]]:
    """Yield the polygons of a board on which a piece lies, turned by multiples of 30 degrees."""
    for mirror in (False, True) if flip else (False,):
        for turn in range(12):
            by = cmath.exp(2j * math.pi * turn / 12)
            image = [[by * (z.conjugate() if mirror else z) for z in one] for one in piece]
            for corner in corners:
                move = corner - image[0][0]
                placed = frozenset(_polygon(z + move for z in one) for one in image)
                if placed <= board.keys():
                    yield placed


RULES: dict[str, Callable[[int], Case]] = {
    "turns": turns,
    "spare": spare,
    "copies": copies,
    "counted": partial(copies, use=1),
    "two-dates": two_dates,
    "triangles": iamonds,
    "tiles": tiles,
}
