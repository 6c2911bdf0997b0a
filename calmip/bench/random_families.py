"""Families of instances that are drawn at random: boards, costs, packings, sets, arrangements.

A feasible instance is made from its solution, which is kept. An infeasible one has a proof: a
colouring (`calmip.bench.colouring_proofs`), or a search that ended. Efforts are counted in steps,
so that a seed gives the same instances on every machine.
"""

from __future__ import annotations

import math
import random
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations

from calmip._base.errors import InputError
from calmip.bench.colouring_proofs import refute
from calmip.mip.files.model_files import Known
from calmip.mip.model import Model, NamedRow
from calmip.models import PACKING, build
from calmip.models.choice import choice_model
from calmip.puzzle.board import BLANK, HOLE, Board, Piece
from calmip.puzzle.cover import ExactCover
from calmip.puzzle.documents.reader import DEFAULT_PUZZLE, read_puzzle
from calmip.puzzle.instance import Instance, Placement, Selection
from calmip.puzzle.lattice import SQUARE, Cell, Lattice
from calmip.puzzle.piece_set import PiecePool
from calmip.puzzle.puzzle import MAX_PIECES, Puzzle
from calmip.puzzle.tasks.instance_library import quick_count
from calmip.puzzle.tasks.problems import problem_of

ANSWERS = {
    "feasible": "Made from a solution.",
    "infeasible": "With a proof, by a colouring or a complete search.",
    "any": "Drawn without regard to the answer.",
}
"""The answers that instances are drawn for."""

MAX_DRAWS = 1000
"""The most draws for an instance with the requested answer."""

MAX_NODES = 20_000
"""Nodes of the search for an optimum; beyond them the best known objective is given."""

MAX_PERMUTED_SIZE = 8
"""The largest arrangement whose optimum is found by trying all permutations."""


@dataclass(frozen=True)
class Shape:
    """What the boards of a family look like.

    Parameters
    ----------
    size
        The number of cells to cover; of dates for ``choice``, of labels for ``arrangement``.
    pieces
        The least and the most cells of a piece.
    lattice
        The lattice.
    """

    size: int
    pieces: tuple[int, int] = (4, 6)
    lattice: Lattice = SQUARE


@dataclass(frozen=True)
class Drawn:
    """An instance that was drawn.

    Parameters
    ----------
    model
        The exact cover, or the model.
    known
        Its answer as in a ``.solu`` file; the objective is minimised.
    reason
        What the answer rests on.
    point
        The columns that are one, or all values by column, in a solution; None without one.
    puzzle
        The board and its pieces, if that is the whole instance.
    """

    model: ExactCover | Model
    known: Known
    reason: str
    point: Mapping[int, float] | None = None
    puzzle: Puzzle | None = None


@dataclass(frozen=True)
class Family:
    """A family of instances: what it is, how one is drawn, and its usual size."""

    about: str
    draw: Callable[[random.Random, Shape, str], Drawn | None]
    size: int
    least: int = 4
    most: int = 2000
    answers: tuple[str, ...] = ("feasible", "any")


def draw(family: str, shape: Shape, answer: str, seed: str) -> Drawn:
    """Return the instance of a family that a seed draws.

    Raises
    ------
    InputError
        If the family has no such answers or sizes, or no draw has the answer.
    """
    one, chance = FAMILIES[family], random.Random(seed)  # noqa: S311 - not for secrets
    if answer not in one.answers:
        raise InputError(
            f"the models of family {family} always have a solution; leave out --answer {answer}"
        )
    if not one.least <= shape.size <= one.most:
        raise InputError(
            f"the size of family {family} is from {one.least} to {one.most}, not {shape.size}"
        )
    for _ in range(MAX_DRAWS):
        found = one.draw(chance, shape, answer)
        if found is not None:
            return found
    raise InputError(
        f"no instance of {MAX_DRAWS} draws is {answer} with a proof; draw smaller ones, or "
        "pieces of other sizes"
    )


def _sizes(chance: random.Random, shape: Shape) -> list[int]:
    """Return the sizes of the pieces, whose sum is as near to the size as can be."""
    low, high = shape.pieces
    counts = [n for n in range(1, shape.size // low + 2) if n * low <= shape.size <= n * high]
    if not counts:  # no sum is equal to it: the nearest
        number = max(1, round(2 * shape.size / (low + high)))
        return [high if number * high < shape.size else low] * number
    number = chance.choice(counts)
    sizes = [low] * number
    for _ in range(shape.size - sum(sizes)):
        sizes[chance.choice([n for n, size in enumerate(sizes) if size < high])] += 1
    return sizes


def _cut(chance: random.Random, shape: Shape) -> list[list[Cell]]:
    """Return pieces that together are a board, on a strip from its top row downwards."""
    left = _sizes(chance, shape)
    width = max(2, round(math.sqrt(sum(left) * chance.uniform(0.7, 1.2))))
    taken: set[Cell] = set()
    pieces: list[list[Cell]] = []
    row = column = 0

    def free_beside(cells: Sequence[Cell]) -> list[Cell]:
        beside = {near for cell in cells for near in shape.lattice.neighbours(cell)}
        return sorted((r, c) for r, c in beside - taken - {*cells} if r >= 0 and 0 <= c < width)

    while left:
        while (row, column) in taken:
            row, column = (row, column + 1) if column + 1 < width else (row + 1, 0)
        size = chance.choice(left)
        piece = [(row, column)]
        while len(piece) < size and (beside := free_beside(piece)):
            # Upper cells come first, so that the board has few holes and a low rim.
            weights = [3.0 ** -(r - row) for r, _ in beside]
            piece += chance.choices(beside, weights)
        if len(piece) == size:
            left.remove(size)
            pieces.append(piece)
        taken.update(piece)  # those of a region that is too small are holes
    return pieces


def _board(cells: Sequence[Cell], lattice: Lattice) -> Board:
    """Return the board of some cells, without labels."""
    rows, columns = lattice.frame(cells)
    places = {*cells}
    return Board(
        tuple(tuple(BLANK if (r, c) in places else HOLE for c in columns) for r in rows), lattice
    )


def _puzzle(
    board: Sequence[Sequence[Cell]], pieces: Sequence[Sequence[Cell]], shape: Shape
) -> Puzzle:
    """Return the puzzle of a board, which is cut into pieces, with these or other pieces."""
    if len(pieces) > MAX_PIECES:
        raise InputError(f"there would be {len(pieces)} pieces; at most {MAX_PIECES}")
    named = tuple(Piece(f"P{n}", tuple(cells), shape.lattice) for n, cells in enumerate(pieces, 1))
    cells = [cell for piece in board for cell in piece]
    return Puzzle(f"{len(cells)} cells", _board(cells, shape.lattice), named)


def _tiled(chance: random.Random, shape: Shape) -> tuple[ExactCover, list[int]]:
    """Return a random board that was cut into its pieces, and the options of that tiling."""
    pieces = _cut(chance, shape)
    puzzle = _puzzle(pieces, pieces, shape)
    cover = ExactCover(Instance(puzzle))
    rows, columns = shape.lattice.frame([cell for piece in pieces for cell in piece])
    at = {cell: number for number, cell in enumerate(cover.instance.to_cover)}
    # The cells of a placement tell its piece, or equal ones, which are one item.
    wanted = {tuple(sorted(at[r - rows[0], c - columns[0]] for r, c in piece)) for piece in pieces}
    chosen = [n for n, covered in enumerate(cover.covered) if tuple(covered[:-1]) in wanted]
    return cover, chosen


def _mixed(chance: random.Random, shape: Shape) -> ExactCover | None:
    """Return the cover of a random board by pieces of another one, of the same sizes."""
    pieces, others = _cut(chance, shape), _cut(chance, shape)
    if sum(map(len, pieces)) != sum(map(len, others)):
        return None
    try:
        return ExactCover(Instance(_puzzle(pieces, others, shape)))
    except InputError:  # a piece fits nowhere
        return None


def _uneven(chance: random.Random, shape: Shape) -> ExactCover | None:
    """Return a cover whose board has more cells of one colour than any tiling covers."""
    pieces, others = _cut(chance, shape), _cut(chance, shape)
    cells = {cell for piece in pieces for cell in piece}
    lattice = shape.lattice
    most = sum(
        max(abs(_excess(way)) for way in lattice.orientations(one, flip=True)) for one in others
    )
    for _ in range(4 * len(cells)):
        if _excess(cells) > most:
            break
        rim = {near for cell in cells for near in lattice.neighbours(cell)} - cells
        even = sorted(cell for cell in rim if sum(cell) % 2 == 0)
        odd = sorted(cell for cell in cells if sum(cell) % 2)
        if not even or not odd:  # triangles: all neighbours of the odd cells are taken
            break
        new, old = chance.choice(even), chance.choice(odd)
        moved = (cells - {old}) | {new}
        cells = moved if lattice.is_connected(moved) else cells
    try:
        cover = ExactCover(Instance(_puzzle([sorted(cells)], others, shape)))
    except InputError:  # a piece fits nowhere
        return None
    return cover if refute(cover) else None


def _excess(cells: Iterable[Cell]) -> int:
    """Return the number of even cells, as on a chessboard, less that of odd ones."""
    return sum(1 if sum(cell) % 2 == 0 else -1 for cell in cells)


def _judged(cover: ExactCover) -> tuple[Known, str]:
    """Return the answer of a board of which nothing is known, if it is soon found."""
    small = len(cover.instance.to_cover) < LARGE_BOARD_CELLS
    colouring = refute(cover)
    number = quick_count(cover) if small or not colouring else None
    if colouring:
        if number:
            raise AssertionError(f"{number} tilings, and none by the colouring {colouring}")
        return ("inf", None), f"colouring {colouring}" + ", and a search" * (number == 0)
    if number is None:
        return ("unkn", None), "not decided"
    return (("opt", 0.0), f"{number} tilings") if number else (("inf", None), "a search")


LARGE_BOARD_CELLS = 60
"""The number of cells above which nearly all boards have a tiling."""


def _tiling(chance: random.Random, shape: Shape, answer: str) -> Drawn | None:
    if answer == "feasible":
        cover, chosen = _tiled(chance, shape)
        point = dict.fromkeys(chosen, 1.0)
        return Drawn(cover, ("opt", 0.0), "made from a tiling", point, cover.instance.puzzle)
    drawn = _mixed(chance, shape)
    if answer == "infeasible" and shape.size >= LARGE_BOARD_CELLS and not (drawn and refute(drawn)):
        drawn = _uneven(chance, shape)
    if drawn is None:
        return None
    known, reason = _judged(drawn)
    if answer == "infeasible" and known[0] != "inf":
        return None
    return Drawn(drawn, known, reason, None, drawn.instance.puzzle)


def _weighted(chance: random.Random, shape: Shape, answer: str) -> Drawn | None:
    plain = _tiling(chance, shape, answer)
    if plain is None:
        return None
    model = problem_of(plain.model).relaxed(packing=False)
    costs = array("d", (chance.randint(1, 100) for _ in model.columns))
    model = model.changed(cost=costs, name="weighted")
    if plain.known[0] == "inf":
        return Drawn(model, plain.known, plain.reason)
    return _with_optimum(model, plain.point)


def _with_optimum(model: Model, point: Mapping[int, float] | None) -> Drawn:
    """Return a model with its optimum, or with the best known objective if that takes long."""
    from calmip.mip.pool import OPTIMUM, PoolSearch

    search = PoolSearch(model, OPTIMUM, node_limit=MAX_NODES)
    if point is not None:  # then no solver has to find an incumbent, by a clock
        search.recall({"solution": [[column, int(value)] for column, value in point.items()]})
    found = next(iter(search), None)
    if search.complete:
        if found is None:
            return Drawn(model, ("inf", None), "a search")
        values = {column: float(value) for column, value in found.point.items()}
        return Drawn(model, ("opt", float(found.objective)), "a search", values)
    best = search.best
    if point is not None:
        planted = Fraction(sum(model.costs.get(column, 0) * int(n) for column, n in point.items()))
        if best is None or planted <= best:
            return Drawn(model, ("best", float(planted)), "made from a tiling", point)
    if best is None:
        return Drawn(model, ("unkn", None), "not decided")
    return Drawn(model, ("best", float(best)), f"the best of {MAX_NODES} nodes")


def _packing(chance: random.Random, shape: Shape, answer: str) -> Drawn | None:
    if answer == "feasible":
        cover, chosen = _tiled(chance, shape)
        point = dict.fromkeys(chosen, 1.0)
        reason = "made from a tiling"
    else:
        drawn = _mixed(chance, shape)
        if drawn is None:
            return None
        cover, point, reason = drawn, None, ""
    model = build(PACKING, cover).native
    if point is None:
        return _with_optimum(model, None)
    cells = float(len(cover.instance.to_cover))
    return Drawn(model, ("opt", -cells), reason, point)


def _choice(chance: random.Random, shape: Shape, answer: str) -> Drawn | None:
    puzzle = read_puzzle(DEFAULT_PUZZLE)
    dates = puzzle.named_dates()
    chosen = sorted(chance.sample(sorted(dates), shape.size))
    own = list(puzzle.pieces)
    if answer == "any":
        own = chance.sample(own, len(own) - 2)
    pieces, seen = list(own), {piece.orientations(flip=puzzle.flip) for piece in puzzle.pieces}
    while len(pieces) < len(puzzle.pieces) + 4:
        cells = _grow(chance, chance.randint(4, 6))
        piece = Piece(f"Q{len(pieces)}", tuple(cells))
        if piece.orientations(flip=puzzle.flip) not in seen:
            seen.add(piece.orientations(flip=puzzle.flip))
            pieces.append(piece)
    chance.shuffle(pieces)
    ones = (1,) * len(pieces)
    pool = PiecePool(tuple(pieces), (0,) * len(pieces), ones, puzzle.area, len(puzzle.pieces))
    if not pool.sets:
        return None
    model = choice_model(puzzle, pool, {name: tuple(dates[name].values()) for name in chosen})
    if answer == "any":
        return Drawn(model, ("unkn", None), "not decided")
    point = _choose(puzzle, pool, [tuple(dates[name].values()) for name in chosen], model)
    return Drawn(model, ("opt", 0.0), "made from the puzzle's own pieces", point)


def _grow(chance: random.Random, size: int) -> list[Cell]:
    """Return a random shape of squares."""
    cells = [(0, 0)]
    while len(cells) < size:
        beside = {near for cell in cells for near in SQUARE.neighbours(cell)} - {*cells}
        cells.append(chance.choice(sorted(beside)))
    return cells


def _choose(
    puzzle: Puzzle, pool: PiecePool, dates: Sequence[tuple[str, ...]], model: Model
) -> Mapping[int, float]:
    """Return the solution that takes a puzzle's own pieces for each date."""
    from calmip.puzzle.search.exact_cover.search import solutions

    place = {name: number for number, name in enumerate(model.columns)}
    own = {piece.name for piece in puzzle.pieces}
    point = {
        place[f"y{number}_0"]: 1.0 for number, piece in enumerate(pool.pieces) if piece.name in own
    }
    supply = pool.supply(puzzle)
    for day, labels in enumerate(dates):
        cover = ExactCover(Instance(puzzle, labels))
        there = ExactCover(Selection(supply, labels))
        option_of = {
            (one.piece, one.cells): number
            for number in range(there.columns)
            if isinstance(one := there.option(number), Placement)
        }
        for option in next(solutions(cover, limit=1)):
            one = cover.option(option)
            assert isinstance(one, Placement)
            point[place[f"x{day}_{option_of[one.piece, one.cells]}"]] = 1.0
    return point


def _arrangement(chance: random.Random, shape: Shape, _: str) -> Drawn:
    """Draw a quadratic assignment problem, linearised as Kaufman and Broeckx did.

    Labels get cells of a square; the sum of flow times distance over their pairs is least.
    (Kaufman and Broeckx 1978, https://doi.org/10.1016/0377-2217(78)90095-4)
    """
    size = shape.size
    side = math.ceil(math.sqrt(size))
    cells = [(n // side, n % side) for n in range(size)]
    distance = [[abs(a - c) + abs(b - d) for c, d in cells] for a, b in cells]
    flow = [[0] * size for _ in range(size)]
    for first in range(size):
        for other in range(first):
            flow[first][other] = chance.choice([0, 0, *range(1, 10)])
    every = range(size)
    columns = [f"x{label}_{cell}" for label in every for cell in every]
    columns += [f"w{label}_{cell}" for label in every for cell in every]
    rows: list[NamedRow] = [
        *((f"label{n}", {n * size + cell: 1.0 for cell in every}, 1.0, 1.0) for n in every),
        *((f"cell{n}", {label * size + n: 1.0 for label in every}, 1.0, 1.0) for n in every),
    ]
    for label in every:
        for cell in every:
            most = sum(flow[label]) * max(distance[cell])
            terms = {
                other * size + place: float(flow[label][other] * distance[cell][place])
                for other in every
                for place in every
                if flow[label][other] * distance[cell][place]
            }
            column = label * size + cell
            if not most:
                continue
            terms[column] = terms.get(column, 0.0) + most
            terms[size * size + column] = -1.0
            rows.append((f"w{label}_{cell}", terms, -math.inf, float(most)))
    number = size * size
    model = Model.from_rows(
        columns,
        rows,
        [0.0] * number + [1.0] * number,
        name="arrangement",
        column_lower=array("d", [0.0] * (2 * number)),
        column_upper=array("d", [1.0] * number + [math.inf] * number),
        integer=array("b", [1] * number + [0] * number),
    )
    cost, at = _best_arrangement(chance, flow, distance)
    point = {label * size + at[label]: 1.0 for label in every}
    for label in every:
        cost_here = sum(flow[label][other] * distance[at[label]][at[other]] for other in every)
        if cost_here:
            point[number + label * size + at[label]] = float(cost_here)
    if size <= MAX_PERMUTED_SIZE:
        return Drawn(model, ("opt", float(cost)), "all permutations", point)
    return Drawn(model, ("best", float(cost)), "swaps from 100 starts", point)


def _best_arrangement(
    chance: random.Random, flow: Sequence[Sequence[int]], distance: Sequence[Sequence[int]]
) -> tuple[int, Sequence[int]]:
    """Return the least cost of an arrangement, and the arrangement; a good one if it is large."""
    size = len(flow)
    pairs = [(a, b, flow[a][b]) for a in range(size) for b in range(size) if flow[a][b]]

    def cost(at: Sequence[int]) -> int:
        return sum(much * distance[at[a]][at[b]] for a, b, much in pairs)

    if size <= MAX_PERMUTED_SIZE:
        return min((cost(at), at) for at in permutations(range(size)))
    return min(_swapped(chance.sample(range(size), size), cost) for _ in range(100))


def _swapped(at: list[int], cost: Callable[[Sequence[int]], int]) -> tuple[int, list[int]]:
    """Return an arrangement that no swap of two labels improves, and its cost."""
    best = cost(at)
    for a, b in _again(len(at)):
        at[a], at[b] = at[b], at[a]
        found = cost(at)
        if found < best:
            best = found
        else:
            at[a], at[b] = at[b], at[a]
    return best, at


def _again(size: int) -> Iterator[tuple[int, int]]:
    """Yield all pairs, three times over."""
    for _ in range(3):
        yield from ((a, b) for a in range(size) for b in range(a))


FAMILIES: dict[str, Family] = {
    "tiling": Family(
        "A random board and pieces that cover it.",
        _tiling,
        40,
        answers=("feasible", "infeasible", "any"),
    ),
    "weighted": Family(
        "The same, and the placements have costs.",
        _weighted,
        40,
        answers=("feasible", "infeasible", "any"),
    ),
    "packing": Family("The same, and as many cells as possible are covered.", _packing, 40),
    "choice": Family(
        "Eight of twelve pieces that solve each of some dates.", _choice, 4, least=1, most=366
    ),
    "arrangement": Family(
        "Labels on a board, a linearised quadratic assignment problem.",
        _arrangement,
        6,
        least=2,
        most=60,
        answers=("feasible",),
    ),
}
"""The families by their names."""

SENTENCES = {name: family.about for name, family in FAMILIES.items()}
"""A sentence about each family."""
