"""Whether the rows of a model are an exact cover, in exact arithmetic.

A row over binary variables whose sum is 1 is an item that must be covered; one whose sum is at
most 1 is an item that may be (D. E. Knuth, "Dancing links", 2000,
https://arxiv.org/abs/cs/0011047, calls them primary and secondary). The variables are the options.
Before, rows are scaled, variables that are fixed are left out, clauses whose literals exclude
each other become equations, and rows that others imply are left out.
"""

from __future__ import annotations

import heapq
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, NoReturn

from calmip._base.errors import InputError
from calmip.mip.display import quote
from calmip.mip.exact_cover.rests import InRows, RestRow, rest_rows
from calmip.mip.model import Model
from calmip.mip.packed_cover import Packed
from calmip.mip.rows import Bound, Interval, Number, Row, ceil_of, floor_of, is_finite

CHUNK = 512
"""The rows that are scaled at a time: most models that are no exact cover end in the first."""

MAX_MASK_WORDS = 4_000_000
"""More words than this in the masks of all options are left to the tree."""

MAX_RESTS = 256
"""So many rows of other kinds are taken in any case, and more beside more rows of the cover."""

WORD = 64


@dataclass(frozen=True)
class ModelCover:
    """A model as an exact cover.

    Parameters
    ----------
    model
        The model.
    fixed
        The columns that are 1 in every solution.
    options
        The column of each option; None for one that stands for no column: it leaves an item
        uncovered.
    covered
        The items of each option, ascending; each option has one that must be covered.
    primary
        The number of items that must be covered, which come first.
    items
        The number of items; those after the first may be left uncovered.
    slacks
        Of items that may be left uncovered: the columns that are 1 if they are.
    late
        The items that are branched on late: some option leaves them uncovered.
    rests
        Rows of other kinds over the options, which may leave out some of the solutions.
    loose
        Whether most options of the rests are in no other row, which are then all sums: items that
        are covered several times.
    """

    model: Model
    fixed: tuple[int, ...]
    options: tuple[int | None, ...]
    covered: tuple[tuple[int, ...], ...]
    primary: int
    items: int
    slacks: Mapping[int, int]
    late: tuple[int, ...] = ()
    rests: tuple[RestRow, ...] = ()
    loose: bool = False

    @cached_property
    def masks(self) -> list[int]:
        """The items of each option, as the bits of a number."""
        return [sum(1 << item for item in items) for items in self.covered]

    @property
    def in_rests(self) -> list[InRows]:
        """The rest rows of each option, and its coefficients in them."""
        found: list[list[tuple[int, int]]] = [[] for _ in self.options]
        for number, row in enumerate(self.rests):
            for option, a in row.terms.items():
                found[option].append((number, a))
        return list(map(tuple, found))

    @property
    def must(self) -> int:
        """The items that must be covered, as bits."""
        return (1 << self.primary) - 1

    @property
    def words(self) -> int:
        """The words of 64 bits of a set of items."""
        return max(1, -(-self.items // WORD))

    def packed(self) -> Packed:
        """Return the exact cover as the compiled search takes it."""
        return Packed(
            masks=self.masks,
            deltas=self.masks,
            root=0,
            full=self.must,
            late=sum(1 << item for item in self.late),
            size=max(1, self.primary),
            words=self.words,
        )

    def columns(self, chosen: Sequence[int]) -> list[int]:
        """Return the columns that are 1 where some options are chosen, ascending."""
        found = [column for one in chosen if (column := self.options[one]) is not None]
        if self.slacks:
            covered = 0
            for one in chosen:
                covered |= self.masks[one]
            found += [column for item, column in self.slacks.items() if not covered >> item & 1]
        return sorted((*found, *self.fixed))


@dataclass
class _Row:
    """A row whose variables have the coefficient 1, its sum at most 1."""

    columns: set[int]
    equal: bool


class _Rest(NamedTuple):
    """A row of another kind, in whole numbers, and why it is no row of an exact cover."""

    name: str
    row: Row[int]
    reason: str


def cover_of(model: Model) -> ModelCover:
    """Return a model as an exact cover; the objective is ignored.

    Raises
    ------
    InputError
        If it is none, or if it is too large for sets of items as bits. The error names the
        reason.
    """
    if not model.binary:
        raise InputError("not every variable is a binary one")
    values: dict[int, int] = {}  # of the columns that are fixed
    for column, (low, high) in enumerate(_bounds(model)):
        if low > high:
            return _infeasible(model)
        if low == high:
            values[column] = low
    rows: list[_Row] = []
    clauses: list[_Rest] = []
    rests: list[_Rest] = []
    feasible = _read(model, values, rows, clauses, rests) and _fix(rows, values)
    if feasible:
        feasible = _merge(rows, clauses, rests, values) and _fix(rows, values)
    if not feasible:
        return _infeasible(model)
    _check_rests(rows, rests)
    return _cover(model, _needed(rows), rests, values)


def _bounds(model: Model) -> Iterator[tuple[int, int]]:
    """Yield the bounds of each column, rounded inwards to 0 or 1; crossed if it has no value.

    A file may bound a binary column beyond 0 and 1, such as by ``y >= 2``.
    """
    for bounds in model.column_bounds:
        low, high = bounds.rounded()
        yield (1, 0) if low > 1 or high < 0 else (int(low > 0), int(high >= 1))


def _infeasible(model: Model) -> ModelCover:
    """Return a cover without a solution: an item without options."""
    return ModelCover(model, (), (), (), 1, 1, {})


def _read(
    model: Model,
    values: dict[int, int],
    rows: list[_Row],
    clauses: list[_Rest],
    rests: list[_Rest],
) -> bool:
    """Read all rows; return False if one has no solution.

    Rows with a sum of at most 1, clauses, whose sum is at least 1, and rows of other kinds are
    collected, and the values of columns that a row fixes.
    """
    for first in range(0, len(model.rows), CHUNK):
        chosen = range(first, min(first + CHUNK, len(model.rows)))
        for number, row in zip(chosen, model.exact_rows(chosen), strict=True):
            name = model.rows[number]
            terms, low, high = _without(row, values).reduced()
            if low > high or not _within(terms, low, high):
                return False
            signs = set(terms.values())
            if signs - {1} and signs != {-1}:
                rests.append(_Rest(name, Row(terms, low, high), "different coefficients"))
                continue
            ends = Interval(low, high).times(min(signs, default=1))
            low, high = ceil_of(ends.low), floor_of(ends.high)
            columns, size = set(terms), len(terms)
            if low <= 0 and high >= size:
                continue
            if high == 0 or low == size:
                for column in columns:
                    values[column] = int(high != 0)
            elif high == 1:
                rows.append(_Row(columns, low == 1))
            else:
                one = Row(dict.fromkeys(columns, 1), low, high)
                if low == 1 and high >= size:
                    reason = "a sum of at least 1, and no other rows that keep it at 1"
                    clauses.append(_Rest(name, one, reason))
                    continue
                least, most = max(low, 0), min(high, size)
                many = f"a sum from {least} to {most}"
                rests.append(_Rest(name, one, f"a sum of {least}" if least == most else many))
        _check_rests([*rows, *clauses], rests)
    return True


def _without(row: Row[Number], values: Mapping[int, int]) -> Row[Number]:
    """Return a row without the columns that are fixed."""
    moved = sum(a * values[column] for column, a in row.terms.items() if column in values)
    terms = {column: a for column, a in row.terms.items() if column not in values}
    return Row(terms, *row.bounds.plus(-moved))


def _within(terms: Mapping[int, int], low: Bound, high: Bound) -> bool:
    """Return whether some values of the columns of a row are within its bounds, as far as known."""
    least = sum(a for a in terms.values() if a < 0)
    most = sum(a for a in terms.values() if a > 0)
    return low <= most and high >= least


def _check_rests(rows: Sequence[_Row | _Rest], rests: Sequence[_Rest]) -> None:
    """Raise `InputError` for rows that are mostly no exact cover: the tree is better at them."""
    if len(rests) > max(len(rows), MAX_RESTS):
        _refuse(rests[0])


def _refuse(one: _Rest) -> NoReturn:
    raise InputError(f"row {quote(one.name)} has {one.reason}")


def _fix(rows: list[_Row], values: dict[int, int]) -> bool:
    """Fix the columns that rows fix, and leave fixed ones out of the rows; False if infeasible."""
    inside = _inside(row.columns for row in rows)
    waiting = list(range(len(rows)))
    while waiting:
        row = rows[waiting.pop()]
        free = row.columns - values.keys()
        ones = sum(values.get(column, 0) for column in row.columns)
        if ones > 1 or (row.equal and not ones and not free):
            return False
        new = dict.fromkeys(free, 0) if ones else {}
        if row.equal and not ones and len(free) == 1:
            new = {free.pop(): 1}
        values.update(new)
        for column in new:
            waiting.extend(inside[column])
    open_rows = [row for row in rows if not any(map(values.get, row.columns))]
    rows[:] = [_Row(row.columns - values.keys(), row.equal) for row in open_rows]
    return True


def _inside(sets: Iterable[Iterable[int]]) -> dict[int, set[int]]:
    """Return the sets in which each member is, by their numbers."""
    inside: dict[int, set[int]] = defaultdict(set)
    for number, members in enumerate(sets):
        for one in members:
            inside[one].add(number)
    return inside


def _merge(
    rows: list[_Row], clauses: list[_Rest], rests: list[_Rest], values: dict[int, int]
) -> bool:
    """Make an equation of each clause, as two of its columns are never 1; False if infeasible.

    Others join the rests.
    """
    if not clauses:
        return True
    beside: dict[int, set[int]] = defaultdict(set)
    for row in rows:
        for column in row.columns:
            beside[column] |= row.columns
    for clause in clauses:
        columns = clause.row.terms
        if any(values.get(column) for column in columns):
            continue
        free = {column for column in columns if column not in values}
        if not free:
            return False
        if len(free) > 1 and any(not free <= beside[column] for column in free):
            rests.append(clause)
        else:
            rows.append(_Row(free, equal=True))
    return True


def _needed(rows: list[_Row]) -> list[_Row]:
    """Return the rows without those that another one implies."""
    unlike: dict[frozenset[int], _Row] = {}
    for row in rows:
        own = unlike.setdefault(frozenset(row.columns), row)
        own.equal = own.equal or row.equal
    found = list(unlike.values())
    inside = _inside(row.columns for row in found)

    def implied(number: int) -> bool:
        row = found[number]
        if row.equal:
            return False
        return (
            len(row.columns) < 2 or len(set.intersection(*map(inside.__getitem__, row.columns))) > 1
        )

    return [row for number, row in enumerate(found) if not implied(number)]


def _cover(
    model: Model, rows: list[_Row], rests: Sequence[_Rest], values: Mapping[int, int]
) -> ModelCover:
    """Return the cover of rows in which no column is fixed."""
    inside = _inside(row.columns for row in rows)
    others = [_without(one.row, values) for one in rests]
    linked = {column for row in others for column in row.terms}
    loose = 2 * sum(column not in inside for column in linked) > len(linked)
    if loose:
        for one in rests:
            if len(set(one.row.terms.values())) > 1:
                _refuse(one)
    # An equation with one variable of its own may be left uncovered by the others.
    slacks: dict[int, int] = {}
    for position, row in enumerate(rows):
        alone = [c for c in row.columns if len(inside[c]) == 1 and c not in linked]
        if row.equal and len(alone) == 1:
            slacks[position] = alone[0]
    optional = {
        position for position, row in enumerate(rows) if not row.equal or position in slacks
    }
    left_out = {*values, *slacks.values()}
    options = {c: set(inside[c]) for c in range(len(model.columns)) if c not in left_out}
    positions = len(rows)
    # A column without rows is an item of its own.
    for column in _by_rows([c for c, some in options.items() if not some], others):
        options[column].add(positions)
        optional.add(positions)
        positions += 1
    late = _hitting([some for some in options.values() if some <= optional])
    must = [
        position for position in range(positions) if position not in optional or position in late
    ]
    order = [*must, *sorted(optional - late)]
    item = {position: number for number, position in enumerate(order)}
    _check_size(len(options) + len(late), len(order))
    of_late = sorted(late)
    columns = [*options, *map(slacks.get, of_late)]
    covered = [tuple(sorted(map(item.__getitem__, some))) for some in options.values()]
    covered += [(item[position],) for position in of_late]
    kept: tuple[RestRow, ...] = ()
    if others:
        place = {column: number for number, column in enumerate(options)}
        shifted = rest_rows(list(_at_most(others, place)), covered, len(must))
        if shifted is None:
            return _infeasible(model)
        kept, excess = shifted
        columns = [one for number, one in enumerate(columns) if number not in excess]
        covered = [one for number, one in enumerate(covered) if number not in excess]
        if len({item for some in covered for item in some if item < len(must)}) < len(must):
            return _infeasible(model)
    return ModelCover(
        model,
        fixed=tuple(column for column, value in values.items() if value),
        options=tuple(columns),
        covered=tuple(covered),
        primary=len(must),
        items=len(order),
        slacks={item[position]: c for position, c in slacks.items() if position not in late},
        late=tuple(item[position] for position in of_late),
        rests=kept,
        loose=loose,
    )


def _by_rows(columns: Sequence[int], rows: Iterable[Row[Number]]) -> list[int]:
    """Return columns in an order in which few rows are begun at a time: the shortest one is next.

    The search decides them in this order.
    """
    given = set(columns)
    sets = [row.terms.keys() & given for row in rows]
    inside, sizes = _inside(sets), list(map(len, sets))
    waiting = [(size, number) for number, size in enumerate(sizes)]
    heapq.heapify(waiting)
    found: dict[int, None] = {}
    while waiting:
        size, number = heapq.heappop(waiting)
        if size > sizes[number]:
            continue  # it is there once more
        for column in sorted(sets[number] - found.keys()):
            found[column] = None
            for other in inside[column]:
                sizes[other] -= 1
                heapq.heappush(waiting, (sizes[other], other))
    return [*found, *(column for column in columns if column not in found)]


def _at_most(
    rows: Iterable[Row[Number]], place: Mapping[int, int]
) -> Iterator[tuple[dict[int, int], int]]:
    """Yield rows over options, each with a greatest sum: two for a row with two sides."""
    for row in rows:
        terms, low, high = row.reduced()
        for sign, most in ((1, high), (-1, -low)):
            if is_finite(most):
                yield {place[column]: sign * a for column, a in terms.items()}, most


def _check_size(options: int, items: int) -> None:
    if options * (items // WORD + 1) > MAX_MASK_WORDS:
        raise InputError(f"{options:,} options of {items:,} items are too many for sets of bits")


def _hitting(sets: list[set[int]]) -> set[int]:
    """Return some members of sets so that each set has one of them; few, but not the fewest."""
    found: set[int] = set()
    counts = Counter(member for one in sets for member in one)
    for one in sets:
        if found.isdisjoint(one):
            found.add(max(one, key=lambda member: (counts[member], -member)))
    return found
