"""The placement of each column, found from the names or the structure of its rows.

First, `model_rows` converts the rows to one form, the same for scaled, split and redundant rows.
Equal structures are paired as those of any two models (`calmip.mip.compare.column_pairing`).
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations, islice, product

from calmip._base.limits import ENDLESS, Deadline
from calmip.mip.compare.column_pairing import match_columns
from calmip.mip.model import Model, whole_row
from calmip.puzzle.cover import ExactCover

Row = tuple[frozenset[int], int]
"""The columns of a row, and its right-hand side."""

MAX_PASSES = 20


@dataclass(frozen=True)
class ModelRows:
    """The rows of a model in one form, with the same solutions."""

    zero: frozenset[int]
    """The columns that single rows force to 0, in turn; no equation contains them."""
    equations: frozenset[Row]
    """The rows that equate a sum of columns to a whole number, without duplicates."""
    further: int
    """The number of other rows that do not follow from an equation."""


def model_rows(model: Model, *, forced: bool = True) -> ModelRows:
    """Return the rows of a model in one form, without rounding and without tolerance.

    Every step keeps the solutions: a column that would violate a row by itself is 0, a row that
    every 0/1 point satisfies is dropped, rows over the same columns with proportional
    coefficients become one, and bounds of integral sums are rounded. An upper (lower) bound of a
    sum of columns is dropped if an equation over more (fewer) of them implies it.

    Parameters
    ----------
    model
        The model.
    forced
        Whether to leave out the columns that rows force to 0.
    """
    rows = model.whole_rows()
    zero = _forced_to_zero(rows) if forced else set()
    joined: dict[tuple[tuple[int, int], ...], tuple[float, float]] = {}
    for entries, lower, upper in rows:
        left = {c: v for c, v in entries.items() if c not in zero}
        terms, low, high = whole_row(left, lower, upper)
        key = tuple(sorted(terms.items()))
        if key and key[0][1] < 0:
            key, low, high = tuple((c, -v) for c, v in key), -high, -low
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


def _forced_to_zero(rows: Iterable[tuple[Mapping[int, int], float, float]]) -> set[int]:
    """Return the columns that cannot be 1, since some row would be violated."""
    zero: set[int] = set()
    for _ in range(MAX_PASSES):
        before = len(zero)
        for terms, low, high in rows:
            left = {c: v for c, v in terms.items() if c not in zero}
            least = sum(v for v in left.values() if v < 0)
            most = sum(v for v in left.values() if v > 0)
            zero.update(
                c
                for c, v in left.items()
                if (v > 0 and least + v > high) or (v < 0 and most + v < low)
            )
        if len(zero) == before:
            break
    return zero


def _follows(
    columns: frozenset[int], low: float, high: float, around: Mapping[int, list[Row]]
) -> bool:
    """Return whether equations imply the row's upper bound and its lower bound."""
    near = [row for column in columns for row in around.get(column, ())]
    upper = high >= len(columns) or any(wider >= columns and total <= high for wider, total in near)
    lower = low <= 0 or any(narrower <= columns and total >= low for narrower, total in near)
    return upper and lower


MAX_TRIALS = 300
"""The most parts of the rows that are compared, and the most partners that are tried in each."""


def match_by_structure(
    cover: ExactCover,
    model: Model,
    rows: ModelRows,
    known: Mapping[int, int],
    clock: Deadline = ENDLESS,
) -> dict[int, int] | None:
    """Return the option of each column if the equations can be those of the placement model.

    Equations on one side only are omitted, as far as their numbers of columns identify them.
    The function does not decide whether the models are equivalent.

    ``known`` has the option of each column that is already identified. The result is None if
    there is no match, or if the board has too many symmetries to try.
    """
    columns = [c for c in range(len(model.columns)) if c not in rows.zero]
    if len(columns) != cover.columns or not rows.zero.isdisjoint(known):
        return None
    place = {column: number for number, column in enumerate(columns)}
    theirs = [(frozenset(place[c] for c in row), total) for row, total in rows.equations]
    mine = equations_of(cover)
    given = {place[column]: option for column, option in known.items()}
    for left, right in islice(_same_sizes(theirs, mine), MAX_TRIALS):
        if 2 * len(right) < len(mine):
            return None
        ours, other = (_equations_model(part, cover.columns) for part in (right, left))
        try:
            options = match_columns(ours, other, given, clock, trials=MAX_TRIALS)
        except TimeoutError:
            return None
        if options is not None:
            return {column: options[number] for column, number in place.items()}
    return None


def _equations_model(rows: Sequence[Row], columns: int) -> Model:
    """Return the model of equations over binary columns."""
    terms = (dict.fromkeys(row, 1.0) for row, _ in rows)
    return Model.from_rows(
        [str(column) for column in range(columns)],
        [(str(n), some, rows[n][1], rows[n][1]) for n, some in enumerate(terms)],
    )


def match_by_row_names(cover: ExactCover, model: Model, rows: ModelRows) -> dict[int, int] | None:
    """Return the option of each column if the names of its rows give the items that it covers.

    The end of a row's name gives the item: a piece, a group, a cell's row and column, or its
    label. The result is None if that identifies less than half of the columns.
    """
    option_of = {tuple(cover.items_of(number)): number for number in range(cover.columns)}
    best: dict[int, int] = {}
    for keys in _keys_of_items(cover):
        touched: dict[int, set[int]] = {}
        for number, name in enumerate(model.rows):
            words = _words(name)
            item = keys.get(words) or keys.get(words[-2:]) or keys.get(words[-1:])
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
    """Return the equations of an exact cover: the options of each item, and its demand."""
    return [
        (frozenset(row), int(demand))
        for row, demand in zip(cover.options_of(), cover.demand, strict=True)
    ]


def _words(name: str) -> tuple[str, ...]:
    return tuple(re.findall(r"[a-z]+|[0-9]+", name.casefold()))


def _keys_of_items(cover: ExactCover) -> Iterator[dict[tuple[str, ...], int]]:
    """Yield, for each way to name cells, the items, numbered from 1 on, by the words of a name."""
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
    """Yield parts of two lists of rows with equally many rows of each size."""
    wanted = Counter(map(_size, left)) & Counter(map(_size, right))

    def parts(rows: list[Row]) -> Iterator[list[Row]]:
        groups = [
            combinations([row for row in rows if _size(row) == size], most)
            for size, most in wanted.items()
        ]
        return ([*chain.from_iterable(part)] for part in product(*groups))

    for one in parts(left):
        for other in parts(right):
            yield one, other


def _size(row: Row) -> tuple[int, int]:
    return len(row[0]), row[1]
