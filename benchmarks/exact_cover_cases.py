"""Exact covers for measurements: the items that must be covered, and the items of each option.

As in a file of Knuth's programs, items behind | are secondary, and may have a colour in an option;
``2|item`` is covered twice, ``1:5|item`` up to five times, and ``|7`` is the cost of an option.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from itertools import combinations, product

__all__ = [
    "CASES",
    "COLOURED",
    "COSTLY",
    "MULTIPLE",
    "Cases",
    "Cover",
    "dlx_text",
    "miniexact_text",
]

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


def word_rectangles(rows: int, columns: int, number: int, seed: int) -> Cover:
    """Return the rectangles whose rows and columns are among some random words.

    Letters are as frequent as in English texts, and every second one is a vowel.
    """
    rng = random.Random(seed)

    def words(length: int) -> list[str]:
        found: set[str] = set()
        while len(found) < number:
            first = rng.random() < 0.3
            found.add("".join(map(letter, ((n + first) % 2 for n in range(length)))))
        return sorted(found)

    def letter(vowel: int) -> str:
        if rng.random() < 0.15:
            vowel = 1 - vowel
        return rng.choice(
            "aaaaaeeeeeeeiiiioooouu" if vowel else "tttttnnnnsssshhrrrrddlllccmmpwgbfkvy"
        )

    across, along = words(columns), words(rows)
    cells = list(product(range(rows), range(columns)))
    items = [*(f"A{r}" for r in range(rows)), *(f"D{c}" for c in range(columns)), "|"]
    options = [
        [f"A{r}", *(f"{r}.{c}:{word[c]}" for c in range(columns))]
        for r in range(rows)
        for word in across
    ]
    options += [
        [f"D{c}", *(f"{r}.{c}:{word[r]}" for r in range(rows))]
        for c in range(columns)
        for word in along
    ]
    return [*items, *(f"{r}.{c}" for r, c in cells)], options


def macmahon(rows: int, columns: int) -> Cover:
    """Return MacMahon's 24 squares of three colours in a rectangle whose edge has one colour.

    The square with the edge's colour on all sides is fixed at a place, one of those up to
    rotations by half a turn and reflections.
    """
    squares: dict[tuple[int, ...], set[tuple[int, ...]]] = {}
    for sides in product(range(3), repeat=4):
        turned = {sides[n:] + sides[:n] for n in range(4)}
        squares[min(turned)] = turned
    edges = [f"h{r}.{c}" for r in range(rows + 1) for c in range(columns)]
    edges += [f"v{r}.{c}" for r in range(rows) for c in range(columns + 1)]
    cells = list(product(range(rows), range(columns)))
    options = []
    for name, turned in squares.items():
        for (r, c), (top, right, bottom, left) in product(cells, sorted(turned)):
            at = (f"h{r}.{c}", f"v{r}.{c + 1}", f"h{r + 1}.{c}", f"v{r}.{c}")
            own = [(r == 0, top), (c + 1 == columns, right), (r + 1 == rows, bottom)]
            own.append((c == 0, left))
            if any(outer and colour for outer, colour in own):
                continue
            sides = zip(at, (top, right, bottom, left), strict=True)
            square = "s" + "".join(map(str, name))
            options.append([square, f"c{r}.{c}", *(f"{e}:{colour}" for e, colour in sides)])
    names = ["s" + "".join(map(str, name)) for name in squares]
    return [*names, *(f"c{r}.{c}" for r, c in cells), "|", *edges], options


def de_bruijn(length: int) -> Cover:
    """Return the binary cycles in which each word of a length is once, each from every place."""
    size = 1 << length
    items = [*(f"p{p}" for p in range(size)), *(f"w{w}" for w in range(size)), "|"]
    options = [
        [f"p{p}", f"w{w}", *(f"b{(p + n) % size}:{w >> n & 1}" for n in range(length))]
        for p, w in product(range(size), repeat=2)
    ]
    return [*items, *(f"b{n}" for n in range(size))], options


def peaceful_queens(order: int, number: int) -> Cover:
    """Return the ways to place so many white and black queens that do not attack each other."""
    items = [f"{number}|white", f"{number}|black", "|"]
    lines = [f"{kind}{n}" for kind in "rc" for n in range(order)]
    lines += [f"{kind}{n}" for kind in "ud" for n in range(2 * order - 1)]
    options = [
        [
            colour,
            *(
                f"{line}:{colour}"
                for line in (f"r{r}", f"c{c}", f"u{r + c}", f"d{r - c + order - 1}")
            ),
            f"s{r}.{c}",
        ]
        for colour in ("white", "black")
        for r, c in product(range(order), repeat=2)
    ]
    squares = [f"s{r}.{c}" for r, c in product(range(order), repeat=2)]
    return [*items, *lines, *squares], options


def dominating_queens(order: int, number: int) -> Cover:
    """Return the ways to place so many queens that attack or occupy all squares."""
    squares = list(product(range(order), repeat=2))
    items = [f"{number}|#", *(f"1:{number}|{_name(one)}" for one in squares)]
    options = [
        ["#"]
        + [
            _name((r, c))
            for r, c in squares
            if r == x or c == y or r + c == x + y or r - c == x - y
        ]
        for x, y in squares
    ]
    return items, options


def two_factors(number: int) -> Cover:
    """Return the graphs of which each vertex has two neighbours."""
    vertices = [f"v{n}" for n in range(number)]
    return [f"2|{one}" for one in vertices], [list(pair) for pair in combinations(vertices, 2)]


def with_costs(cover: Cover, highest: int, seed: int) -> Cover:
    """Return a cover with random costs of its options."""
    rng = random.Random(seed)
    return cover[0], [[*one, f"|{rng.randint(1, highest)}"] for one in cover[1]]


def _name(cell: Cell) -> str:
    return "c" + ".".join(map(str, cell))


Cases = dict[str, tuple[Callable[[], Cover], int]]
"""Covers by name, each with its number of solutions or its least cost."""

CASES: Cases = {
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

COLOURED: Cases = {
    "word rectangles 3 x 3": (lambda: word_rectangles(3, 3, 200, 1), 2_017),
    "word rectangles 4 x 5": (lambda: word_rectangles(4, 5, 400, 1), 3),
    "de Bruijn cycles of 32 bits": (lambda: de_bruijn(5), 65_536),
    "MacMahon squares 4 x 6": (lambda: macmahon(4, 6), 106_624),
}

MULTIPLE: Cases = {
    "peaceful queens, 4 and 4 on 5 x 5": (lambda: peaceful_queens(5, 4), 18),
    "graphs of degree 2 on 9 vertices": (lambda: two_factors(9), 30_016),
    "graphs of degree 2 on 10 vertices": (lambda: two_factors(10), 286_884),
    "5 queens that dominate 8 x 8": (lambda: dominating_queens(8, 5), 4_860),
}

COSTLY: Cases = {
    "matchings of 30": (lambda: with_costs(matchings(30), 99, 1), 61),
    "Latin squares of order 6": (lambda: with_costs(latin(6), 99, 1), 1_045),
    "word rectangles 3 x 3": (lambda: with_costs(word_rectangles(3, 3, 200, 1), 99, 1), 87),
    "de Bruijn cycles of 16 bits": (lambda: with_costs(de_bruijn(4), 99, 1), 480),
    "pentominoes 4 x 15": (lambda: with_costs(pentominoes(4, 15), 99, 3), 290),
    "pentominoes 6 x 10": (lambda: with_costs(pentominoes(6, 10), 99, 4), 258),
}


def dlx_text(cover: Cover) -> str:
    """Return a cover as a file of Knuth's programs."""
    items, options = cover
    return "".join(" ".join(one) + "\n" for one in (items, *options))


def miniexact_text(cover: Cover) -> str:
    """Return a cover in the format of miniexact, which has multiplicities behind the names."""
    items, options = cover
    at = items.index("|") if "|" in items else len(items)
    words = []
    for item in items[:at]:
        times, _, name = item.rpartition("|")
        words.append(":".join([name, *filter(None, [times.replace(":", ";")])]))
    lines = [f"< {' '.join(words)} >"]
    if at < len(items):
        lines.append(f"[ {' '.join(items[at + 1 :])} ]")
    return "\n".join([*lines, *(" ".join(one) + " ;" for one in options)]) + "\n"
