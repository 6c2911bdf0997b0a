"""Exact covers for measurements: the items that must be covered, and the items of each option."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from itertools import combinations, product

__all__ = ["CASES", "Cover", "dlx_text"]

Cover = tuple[list[str], list[list[str]]]
"""The items, and the options."""

Cell = tuple[int, ...]


def dominoes(rows: int, columns: int) -> Cover:
    cells = list(product(range(rows), range(columns)))
    options = [[(r, c), (r + 1, c)] for r, c in cells if r + 1 < rows]
    options += [[(r, c), (r, c + 1)] for r, c in cells if c + 1 < columns]
    return [_name(cell) for cell in cells], [list(map(_name, one)) for one in options]


PENTOMINOES = """
F .xx xx. .x.
I xxxxx
L x... xxxx
N xx.. .xxx
P xx xx x.
T xxx .x. .x.
U x.x xxx
V x.. x.. xxx
W x.. xx. .xx
X .x. xxx .x.
Y .x.. xxxx
Z xx. .x. .xx
"""

SOMA = """
V 000 100 010
L 000 100 200 010
T 000 100 200 110
Z 000 100 110 210
A 000 100 010 011
B 000 100 010 101
P 000 100 010 001
"""


def pentominoes(*sides: int) -> Cover:
    """Return the twelve pentominoes in a box; images under a symmetry count, too."""
    pieces: dict[str, list[Cell]] = {}
    for line in PENTOMINOES.strip().splitlines():
        name, *rows = line.split()
        pieces[name] = [
            (r, c, 0) for r, row in enumerate(rows) for c in range(len(row)) if row[c] == "x"
        ]
    return _packing(pieces, (*sides, 1)[:3])


def soma() -> Cover:
    """Return the seven pieces of the soma cube."""
    lines = (line.split() for line in SOMA.strip().splitlines())
    pieces = {name: [tuple(map(int, cell)) for cell in cells] for name, *cells in lines}
    return _packing(pieces, (3, 3, 3))


def _packing(pieces: dict[str, list[Cell]], sides: Cell) -> Cover:
    items = [*pieces, *map(_name, product(*map(range, sides)))]
    options = []
    for piece, cells in pieces.items():
        placed = {
            tuple(sorted(moved)) for turned in _rotations(cells) for moved in _moves(turned, sides)
        }
        options += [[piece, *map(_name, some)] for some in sorted(placed)]
    return items, options


def _rotations(cells: list[Cell]) -> Iterator[list[Cell]]:
    """Yield the cells turned in each of 24 ways."""
    for axes in ((0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)):
        odd = axes in ((0, 2, 1), (1, 0, 2), (2, 1, 0))
        for signs in product((1, -1), repeat=3):
            if (signs[0] * signs[1] * signs[2] < 0) == odd:
                yield [
                    tuple(s * cell[a] for s, a in zip(signs, axes, strict=True)) for cell in cells
                ]


def _moves(cells: list[Cell], sides: Cell) -> Iterator[list[Cell]]:
    low = [min(cell[a] for cell in cells) for a in range(3)]
    size = [max(cell[a] for cell in cells) - low[a] + 1 for a in range(3)]
    for shift in product(
        *(range(side - length + 1) for side, length in zip(sides, size, strict=True))
    ):
        yield [tuple(cell[a] - low[a] + shift[a] for a in range(3)) for cell in cells]


def latin(order: int) -> Cover:
    every = range(order)
    items = [f"{kind}{a}.{b}" for kind in "prc" for a, b in product(every, every)]
    options = [[f"p{r}.{c}", f"r{r}.{n}", f"c{c}.{n}"] for r, c, n in product(every, every, every)]
    return items, options


def matchings(number: int) -> Cover:
    """Return the perfect matchings of a complete graph."""
    items = [f"v{n}" for n in range(number)]
    return items, [list(pair) for pair in combinations(items, 2)]


def langford(number: int) -> Cover:
    """Return the sequences in which two numbers n have n others between them."""
    items = [f"n{n}" for n in range(1, number + 1)] + [f"p{p}" for p in range(2 * number)]
    options = [
        [f"n{n}", f"p{p}", f"p{p + n + 1}"]
        for n in range(1, number + 1)
        for p in range(2 * number - n - 1)
    ]
    return items, options


def sudoku(givens: int, seed: int) -> Cover:
    """Return a sudoku with some givens of a shuffled grid."""
    rng = random.Random(seed)
    digits = rng.sample(range(9), 9)
    rows = [3 * band + row for band in rng.sample(range(3), 3) for row in rng.sample(range(3), 3)]
    grid = {
        (r, c): digits[(3 * (rows[r] % 3) + rows[r] // 3 + c) % 9]
        for r in range(9)
        for c in range(9)
    }
    kept = set(rng.sample(sorted(grid), givens))
    options = [
        [f"p{r}.{c}", f"r{r}.{n}", f"c{c}.{n}", f"b{r // 3 * 3 + c // 3}.{n}"]
        for r, c, n in product(range(9), range(9), range(9))
        if (r, c) not in kept or grid[r, c] == n
    ]
    items = [f"{kind}{a}.{b}" for kind in "prcb" for a, b in product(range(9), range(9))]
    return items, options


def _name(cell: Cell) -> str:
    return "c" + ".".join(map(str, cell))


CASES: dict[str, tuple[Callable[[], Cover], int]] = {
    "one option": (lambda: (["a"], [["a"]]), 1),
    "dominoes 8 x 8": (lambda: dominoes(8, 8), 12_988_816),
    "soma cube": (soma, 11_520),
    "Latin squares of order 5": (lambda: latin(5), 161_280),
    "perfect matchings of 14": (lambda: matchings(14), 135_135),
    "Langford 11": (lambda: langford(11), 35_584),
    "a sudoku of 24 givens": (lambda: sudoku(24, 8), 5_982),
    "pentominoes 6 x 10": (lambda: pentominoes(6, 10), 9_356),
    "pentominoes 3 x 4 x 5": (lambda: pentominoes(3, 4, 5), 31_520),
    "Latin squares of order 6": (lambda: latin(6), 812_851_200),
}


def dlx_text(cover: Cover) -> str:
    """Return a cover as a file of Knuth's programs."""
    items, options = cover
    return "".join(" ".join(one) + "\n" for one in (items, *options))
