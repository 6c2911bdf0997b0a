"""Which column is which placement, when only the rows can tell.

Colour refinement (Weisfeiler and Leman, 1968) on the bipartite graph of rows
and columns, with individualisation where the board's symmetries leave a choice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from calmip.problem.binary_model import BinaryModel
from calmip.problem.cover import ExactCover

__all__ = ["matched_by_structure", "simple_rows"]

MAX_TRIES = 300
"""Refinements after which the search for a match is given up."""

Row = tuple[frozenset[int], int]
"""The columns that a row adds up, and the sum that it asks for."""

Colours = list[int]


def simple_rows(
    model: BinaryModel, name: Mapping[int, int], *, partly: bool = False
) -> list[Row] | None:
    """Return the rows as sets of columns and the sum that each asks for.

    Parameters
    ----------
    model
        The model.
    name
        What a column is called in the result.
    partly
        Whether to leave out rows that are not of this kind, or have columns
        without such a name.

    Returns
    -------
    list or None
        None if a row is not an equation over columns with one common
        coefficient, unless only these rows are asked for.
    """
    rows: list[Row] = []
    for number in range(len(model.rows)):
        part = slice(model.start[number], model.start[number + 1])
        values = set(model.value[part].tolist())
        columns = model.index[part].tolist()
        low, high = float(model.lower[number]), float(model.upper[number])
        scale = values.pop() if len(values) == 1 else 0.0 if values else 1.0
        total = low / scale if scale and low == high else 0.5
        known = all(column in name for column in columns) and len(set(columns)) == len(columns)
        if known and total.is_integer():
            rows.append((frozenset(name[column] for column in columns), int(total)))
        elif not partly:
            return None
    return rows


def matched_by_structure(cover: ExactCover, model: BinaryModel) -> dict[int, int] | None:
    """Return which option each column is, if the model is the placement model up to names.

    Returns
    -------
    dict or None
        None if it is not, if its rows are written in another way, or if the
        board's symmetries are too many to try.
    """
    if len(model.columns) != cover.columns or len(model.rows) != cover.rows:
        return None
    theirs = simple_rows(model, {column: column for column in range(cover.columns)})
    mine = [
        (frozenset(row), int(demand))
        for row, demand in zip(cover.options_of(), cover.demand, strict=True)
    ]
    if theirs is None:
        return None
    return _Matching(theirs, mine, cover.columns).search()


class _Matching:
    """Two lists of rows over the same number of columns; a search for a renaming."""

    def __init__(self, left: list[Row], right: list[Row], columns: int) -> None:
        self.sides = (left, right)
        self.of_column = tuple(_rows_of_columns(rows, columns) for rows in self.sides)
        self.columns = columns
        self.tries = 0

    def search(self) -> dict[int, int] | None:
        """Return the right column of every left column, or None."""
        return self._search([[0] * self.columns, [0] * self.columns])

    def _search(self, colours: list[Colours]) -> dict[int, int] | None:
        self.tries += 1
        if self.tries > MAX_TRIES:
            return None
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
            found = self._search(tried)
            if found is not None:
                return found
        return None

    def _refined(self, colours: list[Colours]) -> list[Colours] | None:
        """Refine until nothing changes; None as soon as the two sides differ."""
        number = len(set(colours[0]))
        while True:
            names: dict[object, int] = {}
            rows = [
                [
                    _numbered(names, (demand, *sorted(colour[c] for c in row)))
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
            number = len(names)

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
