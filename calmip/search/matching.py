"""Which column is which placement, when only the rows can tell: their names, or their structure.

Colour refinement (Weisfeiler and Leman, 1968) on the bipartite graph of rows
and columns, with individualisation where the board's symmetries leave a choice.

Before that, the rows are brought into one form (`model_rows`): what is scaled, split or idle no
longer shows.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product

from calmip.problem.binary_model import BinaryModel, WholeRow, whole_row
from calmip.problem.cover import ExactCover

__all__ = [
    "ModelRows",
    "Row",
    "equations_of",
    "matched_by_row_names",
    "matched_by_structure",
    "model_rows",
]


Row = tuple[frozenset[int], int]
"""The columns that a row adds up, and the sum that it asks for."""

MOST_PASSES = 20


@dataclass(frozen=True)
class ModelRows:
    """What the rows of a model come to; its solutions are those of the model.

    Parameters
    ----------
    zero
        The columns that single rows force to 0, one after the other. They
        stand in no equation.
    equations
        The rows that add up columns to a whole number, once each: scaled rows
        with their coefficients made 1, and pairs of <= and >= joined.
    further
        How many other rows there are that do not follow from an equation.
    """

    zero: frozenset[int]
    equations: frozenset[Row]
    further: int


def model_rows(model: BinaryModel, *, forced: bool = True) -> ModelRows:
    """Bring the rows of a model into one form, without rounding and without tolerance.

    Every step leaves the solutions as they are: a column that would break a
    row by itself is 0, a row that every 0/1 point satisfies goes, rows over
    the same columns with proportional coefficients become one, and so do
    bounds of whole sums whole numbers. A sum of columns that is at most (at
    least) what an equation over more (fewer) of them says follows from it.

    Parameters
    ----------
    model
        The model.
    forced
        Whether to leave out the columns that rows force to 0.
    """
    rows = [model.row(number) for number in range(len(model.rows))]
    zero = _forced_to_zero(rows) if forced else set()
    joined: dict[tuple[tuple[int, int], ...], tuple[float, float]] = {}
    for terms, lower, upper in rows:
        left = {c: v for c, v in terms.items() if c not in zero}
        key, low, high = _turned(whole_row(left, lower, upper))
        before = joined.get(key, (-math.inf, math.inf))
        joined[key] = max(low, before[0]), min(high, before[1])
    equations: set[Row] = set()
    others: list[tuple[frozenset[int], bool, float, float]] = []
    for key, (low, high) in joined.items():
        columns = frozenset(c for c, _ in key)
        least = sum(min(v, 0) for _, v in key)
        most = sum(max(v, 0) for _, v in key)
        plain = all(v == 1 for _, v in key)
        if plain and low == high:
            equations.add((columns, int(low)))
        elif least < low or most > high:
            others.append((columns, plain and low <= high, low, high))
    around: dict[int, list[Row]] = {}
    for row in equations:
        for column in row[0]:
            around.setdefault(column, []).append(row)
    further = sum(
        not (plain and _follows(columns, low, high, around)) for columns, plain, low, high in others
    )
    return ModelRows(frozenset(zero), frozenset(equations), further)


def _forced_to_zero(rows: Sequence[WholeRow]) -> set[int]:
    """Return the columns that cannot be 1, because a row could no longer be satisfied."""
    zero: set[int] = set()
    for _ in range(MOST_PASSES):
        before = len(zero)
        for terms, low, high in rows:
            left = {c: v for c, v in terms.items() if c not in zero}
            least = sum(v for v in left.values() if v < 0)
            most = sum(v for v in left.values() if v > 0)
            zero.update(
                c for c, v in left.items()
                if (v > 0 and least + v > high) or (v < 0 and most + v < low)
            )  # fmt: skip
        if len(zero) == before:
            break
    return zero


def _turned(row: WholeRow) -> tuple[tuple[tuple[int, int], ...], float, float]:
    """Return a row with its terms in order, the first coefficient positive."""
    terms, low, high = row
    key = tuple(sorted(terms.items()))
    if not key or key[0][1] > 0:
        return key, low, high
    return tuple((c, -v) for c, v in key), -high, -low


def _follows(
    columns: frozenset[int], low: float, high: float, around: Mapping[int, list[Row]]
) -> bool:
    """Return whether one equation gives the row's upper bound, and one its lower."""
    near = [row for column in columns for row in around.get(column, ())]
    upper = high >= len(columns) or any(wider >= columns and total <= high for wider, total in near)
    lower = low <= 0 or any(narrower <= columns and total >= low for narrower, total in near)
    return upper and lower


MAX_TRIES = 300
"""Refinements after which the search for a match is given up."""

Colours = list[int]


def matched_by_structure(
    cover: ExactCover, model: BinaryModel, rows: ModelRows, known: Mapping[int, int]
) -> dict[int, int] | None:
    """Return which option each column is, if the equations can be those of the placement model.

    Rows that one side has and the other has not are left out, as long as the
    numbers of columns in them say which these may be. Whether the models are
    equal is then still to be asked.

    Parameters
    ----------
    cover
        The exact cover.
    model
        The model.
    rows
        Its rows in one form.
    known
        The option of the columns that are known already.

    Returns
    -------
    dict or None
        None if no match was found: there is none, or the symmetries of the
        board are too many to try.
    """
    columns = [c for c in range(len(model.columns)) if c not in rows.zero]
    if len(columns) != cover.columns or not rows.zero.isdisjoint(known):
        return None
    place = {column: number for number, column in enumerate(columns)}
    theirs = [(frozenset(place[c] for c in row), total) for row, total in rows.equations]
    mine = equations_of(cover)
    colours = [[0] * cover.columns, [0] * cover.columns]
    for number, (column, option) in enumerate(known.items(), start=1):
        colours[0][place[column]] = colours[1][option] = number
    tries = iter(range(MAX_TRIES))
    for left, right in _same_sizes(theirs, mine):
        if 2 * len(right) < len(mine):
            return None
        try:
            found = _Matching(left, right, cover.columns, tries).search(colours)
        except _NoTryIsLeft:
            return None
        if found is not None:
            return {column: found[number] for column, number in place.items()}
    return None


def matched_by_row_names(
    cover: ExactCover, model: BinaryModel, rows: ModelRows
) -> dict[int, int] | None:
    """Return which option each column is, where the names of rows say which cells it touches.

    Rows are known by the ends of their names: a piece or a group, and for
    cells row and column or the label.

    Returns
    -------
    dict or None
        None if not even half of the columns are known in this way.
    """
    option_of = {tuple(cover.items_of(number)): number for number in range(cover.columns)}
    best: dict[int, int] = {}
    for keys in _keys_of_items(cover):
        touched: dict[int, set[int]] = {}
        for number, name in enumerate(model.rows):
            item = keys.get(_words(name)) or keys.get(_words(name)[-2:]) or keys.get(
                _words(name)[-1:])  # fmt: skip
            if item is None:
                continue
            for column in model.index[model.start[number] : model.start[number + 1]].tolist():
                if column not in rows.zero:
                    touched.setdefault(column, set()).add(item - 1)
        found = {
            column: option_of[place]
            for column, items in touched.items()
            if (place := tuple(sorted(items))) in option_of
        }
        if len(found) > len(best) and len(set(found.values())) == len(found):
            best = found
    return best if 2 * len(best) >= len(model.columns) - len(rows.zero) else None


def equations_of(cover: ExactCover) -> list[Row]:
    """Return the rows of an exact cover: the options that cover an item, and how often."""
    return [
        (frozenset(row), int(demand))
        for row, demand in zip(cover.options_of(), cover.demand, strict=True)
    ]


def _words(name: str) -> tuple[str, ...]:
    return tuple(re.findall(r"[a-z]+|[0-9]+", name.casefold()))


def _keys_of_items(cover: ExactCover) -> Iterator[dict[tuple[str, ...], int]]:
    """Yield, for each way to name cells, the number of every item from 1 on by its words."""
    board = cover.instance.puzzle.board
    others = {
        _words(part): number
        for number, item in enumerate(cover.items, start=1)
        if item.kind != "cell"
        for part in item.text.partition(" ")[2].split(" = ")
    }
    cells = list(enumerate(cover.instance.to_cover, start=1))
    yield others | {(str(r), str(c)): number for number, (r, c) in cells}
    yield others | {(f"{r}{c}",): number for number, (r, c) in cells}
    yield others | {_words(board.label(cell)): number for number, cell in cells}


def _same_sizes(left: list[Row], right: list[Row]) -> Iterator[tuple[list[Row], list[Row]]]:
    """Yield parts of two lists of rows that have as many rows of every size on either side."""
    sides = []
    wanted = Counter(map(_size, left)) & Counter(map(_size, right))
    for rows in (left, right):
        groups = [[row for row in rows if _size(row) == size] for size in wanted]
        sides.append([(group, wanted[size]) for group, size in zip(groups, wanted, strict=True)])
    for one in product(*(combinations(group, most) for group, most in sides[0])):
        for other in product(*(combinations(group, most) for group, most in sides[1])):
            yield [row for part in one for row in part], [row for part in other for row in part]


def _size(row: Row) -> tuple[int, int]:
    return len(row[0]), row[1]


class _NoTryIsLeft(Exception):
    """The search has refined `MAX_TRIES` times."""


class _Matching:
    """Two lists of rows over the same number of columns; a search for a renaming."""

    def __init__(
        self, left: list[Row], right: list[Row], columns: int, tries: Iterator[int]
    ) -> None:
        self.sides = (left, right)
        self.of_column = tuple(_rows_of_columns(rows, columns) for rows in self.sides)
        self.columns = columns
        self.tries = tries

    def search(self, colours: list[Colours]) -> dict[int, int] | None:
        """Return the right column of every left column, or None.

        Raises
        ------
        _NoTryIsLeft
            If no try is left.
        """
        if next(self.tries, None) is None:
            raise _NoTryIsLeft
        refined = self._refined(colours)
        if refined is None:
            return None
        left, right = refined
        classes = Counter(left)
        several = [(size, colour) for colour, size in classes.items() if size > 1]
        if not several:
            place = {colour: column for column, colour in enumerate(right)}
            match = {column: place[colour] for column, colour in enumerate(left)}
            return match if self._holds(match) else None
        _, colour = min(several)
        chosen = left.index(colour)
        for column in [c for c, found in enumerate(right) if found == colour]:
            tried = [list(left), list(right)]
            tried[0][chosen] = tried[1][column] = -1
            found = self.search(tried)
            if found is not None:
                return found
        return None

    def _refined(self, colours: list[Colours]) -> list[Colours] | None:
        """Refine until nothing changes; None as soon as the two sides differ."""
        names: dict[object, int] = {}
        while True:
            number = len(names)
            of_rows: dict[object, int] = {}
            rows = [
                [
                    _numbered(of_rows, (demand, *sorted(colour[c] for c in row)))
                    for row, demand in side
                ]
                for side, colour in zip(self.sides, colours, strict=True)
            ]
            names = {}
            colours = [
                [
                    _numbered(names, (old, *sorted(row[r] for r in around)))
                    for old, around in zip(colour, of_column, strict=True)
                ]
                for colour, row, of_column in zip(colours, rows, self.of_column, strict=True)
            ]
            if Counter(colours[0]) != Counter(colours[1]):
                return None
            if len(names) == number:
                return colours

    def _holds(self, match: Mapping[int, int]) -> bool:
        renamed = Counter((frozenset(match[c] for c in row), d) for row, d in self.sides[0])
        return renamed == Counter(self.sides[1])


def _rows_of_columns(rows: Sequence[Row], columns: int) -> list[list[int]]:
    found: list[list[int]] = [[] for _ in range(columns)]
    for number, (row, _) in enumerate(rows):
        for column in row:
            found[column].append(number)
    return found


def _numbered(names: dict[object, int], key: object) -> int:
    return names.setdefault(key, len(names))
