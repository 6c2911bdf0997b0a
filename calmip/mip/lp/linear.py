"""The linear relaxation of a model in HiGHS, certificates of infeasibility, and cuts.

A Farkas certificate is checked without rounding. Let ``A x = b`` be the equations of an exact
cover, one per item, and ``x >= 0``. Multipliers y, one per equation, with ``y A <= 0`` in every
column and ``y b > 0`` prove that there is no such x, integral or fractional: ``0 < y b = (y A) x
<= 0`` (Farkas 1902). HiGHS finds y in floating-point numbers; here it becomes whole numbers.
For any rows ``lower <= A x <= upper`` of a model, y proves the same if the least ``(y A) x`` within
the bounds of the columns is above the greatest value of y times the row sums.

A cut is violated by a fractional point and by no tiling: cliques and odd holes. Two options are in
conflict if they share an item with demand 1. A tiling has at most one of a clique, whose options
are pairwise in conflict. It has at most k of an odd hole, a cycle of 2k + 1 options in which
neighbours are in conflict (Padberg 1973, https://doi.org/10.1007/BF01580121). In a model, two
binary columns are in conflict if a row with positive coefficients has no room for both.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, chain
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from calmip._base.errors import InputError, SolverFailed
from calmip._base.highs import EITHER, MAX_COEFFICIENT, linear_program
from calmip._base.limits import ENDLESS, Deadline
from calmip.mip.display import quote
from calmip.mip.lp.exact_lp import ExactLp
from calmip.mip.model import Cover, Model
from calmip.mip.rows import Bound, Number, is_finite, shortest
from calmip.mip.status import Status

TINY = 1e-7
"""The distance from a whole number at which a value counts as integral."""

ACCURACY = 1e-9
"""The tolerances of HiGHS for costs up to about 1."""

FloatArray = npt.NDArray[np.float64]


class LinearPoint(NamedTuple):
    """An optimal vertex of a linear relaxation."""

    bound: float
    values: FloatArray
    reduced: FloatArray
    """The reduced cost of every column."""
    prices: FloatArray
    """The dual value of every row, those of added rows last."""
    integer: npt.NDArray[np.bool_] | np.bool_ = np.True_
    """Whether the model requires each column, or all, to be integer."""

    @property
    def fractional(self) -> list[int]:
        """The integer columns that are not integral."""
        far = np.abs(self.values - np.round(self.values)) > TINY
        return np.flatnonzero(far & self.integer).tolist()

    @property
    def ones(self) -> list[int]:
        """The columns that are 1."""
        return np.flatnonzero(self.values > 1 - TINY).tolist()


def _check_size(model: Model) -> None:
    """Refuse coefficients that HiGHS refuses, by the name of the row."""
    large = np.flatnonzero(np.abs(model.value) > MAX_COEFFICIENT)
    if len(large):
        row = int(np.searchsorted(model.start, large[0], side="right")) - 1
        raise InputError(
            f"row {quote(model.rows[row])} has the coefficient {model.value[large[0]]:g}, and "
            f"HiGHS takes none above {MAX_COEFFICIENT:g}; scale the row",
            path=model.source or None,
        )


class LinearModel:
    """A model whose columns may take any value within their bounds.

    The costs are scaled by the greatest, since HiGHS's tolerances are absolute.
    """

    def __init__(self, model: Model) -> None:
        _check_size(model)
        # A power of two changes no digit.
        self._scale = 2.0 ** math.frexp(float(np.abs(model.cost).max(initial=0.0)))[1]
        rows, matrix = (model.lower, model.upper), (model.start, model.index, model.value)
        self._highs = linear_program(
            "the linear relaxation",
            rows,
            matrix,
            cost=model.cost / self._scale,
            primal_feasibility_tolerance=ACCURACY,
            dual_feasibility_tolerance=ACCURACY,
        )
        self._integer = model.integer.astype(np.bool_)
        low, high = model.column_lower, model.column_upper
        others = np.flatnonzero((low != 0.0) | (high != 1.0))
        if len(others):
            self._highs.bound_columns(others, low[others], high[others])

    def bound(self, column: int, low: float, high: float) -> None:
        """Change the bounds of a column."""
        self._highs.bound_columns([column], [low], [high])

    def at_most(self, columns: Iterable[int], most: float) -> None:
        """Add the row that the sum of these columns is at most a number."""
        self._highs.add_row(-math.inf, most, sorted(columns))

    def solve(self, clock: Deadline = ENDLESS) -> LinearPoint | None:
        """Return an optimal vertex, or None if HiGHS calls the relaxation infeasible.

        Raises
        ------
        InputError
            If the relaxation is unbounded.
        TimeoutError
            If the time limit is reached.
        """
        try:
            # Once: a second run moves on to another vertex, and doubles the time of a tree.
            optimum = self._highs.optimum(clock.left())
        except SolverFailed:
            if self._highs.status not in ("Unbounded", EITHER):
                raise
            raise InputError(
                f"HiGHS calls the linear relaxation {self._highs.status.lower()}; "
                "give the columns of the objective finite bounds"
            ) from None
        if optimum is None:
            return None
        values, *duals = self._highs.solution()
        bound, reduced, prices = (
            np.where(np.abs(numbers) <= TINY, 0.0, numbers) * self._scale
            for numbers in map(np.array, (optimum, *duals))
        )
        return LinearPoint(float(bound), np.array(values), reduced, prices, self._integer)


@dataclass(frozen=True)
class Certificate:
    """Farkas multipliers that prove that equations conflict, by item; others are 0."""

    multipliers: Mapping[int, Fraction]

    @property
    def rows(self) -> tuple[int, ...]:
        """The items with multipliers, ascending."""
        return tuple(sorted(row for row, y in self.multipliers.items() if y))

    def value(self, cover: Cover) -> Fraction:
        """Return y b, the combined right-hand side."""
        demand = cover.demand
        return sum((y * demand[row] for row, y in self.multipliers.items()), Fraction(0))

    def fault(self, cover: Cover) -> str | None:
        """Return why the multipliers prove nothing about a cover, or None if they do."""
        odd = [row for row in self.multipliers if not 0 <= row < cover.rows]
        if odd:
            return f"there is no equation {odd[0]}; they are numbered from 0 to {cover.rows - 1}"
        for option in range(cover.columns):
            total = sum(self.multipliers.get(item, 0) for item in cover.items_of(option))
            if total > 0:
                return f"column {cover.option_names[option]} gets {total}, which is above 0"
        value = self.value(cover)
        return None if value > 0 else f"the right-hand sides add up to {value}, not to more than 0"


def find_certificate(
    cover: Cover, rows: Sequence[int] | None = None, *, clock: Deadline = ENDLESS
) -> Certificate | None:
    """Return multipliers that refute the linear relaxation of some equations, or None.

    None means that the relaxation is feasible, or that no proof was found.

    Parameters
    ----------
    cover, clock
        The exact cover, and the time limit of the linear program.
    rows
        The items whose equations count; all by default.

    Raises
    ------
    InputError
        If a row does not exist or is given twice.
    """
    chosen = list(range(cover.rows)) if rows is None else list(rows)
    if len(set(chosen)) != len(chosen) or not all(0 <= row < cover.rows for row in chosen):
        raise InputError(f"the rows are distinct numbers from 0 to {cover.rows - 1}")
    index = {row: number for number, row in enumerate(chosen)}
    covered = {
        tuple(sorted(index[item] for item in items if item in index)) for items in cover.covered
    }
    columns = sorted(covered - {()})
    holders: list[list[int]] = [[] for _ in chosen]
    for number, column in enumerate(columns):
        for row in column:
            holders[row].append(number)
    if [] in holders:  # an empty row refutes itself, and HiGHS gives no ray for it
        return Certificate({chosen[holders.index([])]: Fraction(1)})
    demand = [cover.demand[row] for row in chosen]
    start = [0, *accumulate(map(len, holders))]
    matrix = (start, chain.from_iterable(holders), [1.0] * start[-1])
    cost = [0.0] * len(columns)
    highs = linear_program("a certificate", (demand, demand), matrix, cost=cost, most=math.inf)
    highs.run(clock.left())
    ray = highs.dual_ray() if highs.status == "Infeasible" else None
    for guess in _guesses(ray or (), columns):
        found = Certificate({row: y for row, y in zip(chosen, _whole(guess), strict=True) if y})
        if found.fault(cover) is None:
            return found
    return None


def _guesses(ray: Sequence[float], columns: Sequence[tuple[int, ...]]) -> Iterator[list[Fraction]]:
    """Yield exact multipliers near a ray of either sign: first simple fractions, then corrected."""
    if not any(ray) or not all(map(math.isfinite, ray)):
        return
    size = max(map(abs, ray))
    for near in ([Fraction(sign * y / size) for y in ray] for sign in (1, -1)):
        yield [y.limit_denominator() for y in near]
        # Every column has an entry, so subtracting the largest excess from all rows suffices.
        excess = max([Fraction(0), *(sum(near[row] for row in column) for column in columns)])
        yield [y - excess for y in near]


def _whole(y: Sequence[Fraction]) -> list[Fraction]:
    """Return fractions multiplied to whole numbers without a common factor."""
    common = math.lcm(*(number.denominator for number in y))
    integers = [int(number * common) for number in y]
    factor = max(math.gcd(*integers), 1)  # all multipliers may be zero
    return [Fraction(number // factor) for number in integers]


Fixed = Mapping[int, Number]
"""The values of fixed columns."""


def sides_of(model: Model, certificate: Certificate, fixed: Fixed) -> tuple[Number, Number] | None:
    """Return the least left-hand side and the greatest right-hand side of a sum of rows.

    The multipliers refute the linear relaxation if the first is greater. None means that a
    bound which they need is infinite. No number is rounded.
    """
    most: Number = 0
    least: Number = 0
    total: dict[int, Number] = {}
    for row, multiplier in certificate.multipliers.items():
        terms, low, high = model.exact_row(row)
        y = shortest(multiplier)  # whole numbers are added many times faster
        side = high if y > 0 else low
        if not is_finite(side):
            return None
        most += y * side
        for column, value in terms.items():
            total[column] = total.get(column, 0) + y * value
    for column, value in total.items():
        low, high = (fixed[column],) * 2 if column in fixed else model.bounds(column)
        side = low if value > 0 else high
        if value:
            if not is_finite(side):
                return None
            least += value * side
    return least, most


def refute_rows(
    model: Model, fixed: Fixed, clock: Deadline = ENDLESS
) -> tuple[bool | None, Certificate | None]:
    """Return whether a linear relaxation with fixed columns is infeasible, and multipliers.

    No number is rounded. None means that this was not decided in time. There are no multipliers
    if the bounds of a row or a column contradict each other.
    """
    bounds = {column: (value, value) for column, value in fixed.items()}
    answer = ExactLp(model, range(len(model.columns))).solve(clock=clock, bounds=bounds)
    if answer.status is not Status.INFEASIBLE:
        return (None if answer.status is Status.UNKNOWN else False), None
    multipliers = _whole([Fraction(price) for price in answer.prices.values()])
    for sign in (1, -1):
        numbers = (sign * y for y in multipliers)
        found = Certificate(dict(zip(answer.prices, numbers, strict=True)))
        sides = sides_of(model, found, fixed)
        if sides is not None and sides[0] > sides[1]:
            return True, found
    return True, None


MAX_CUTS = 25
"""The most cuts of a family that are added at once: those that the point violates most."""

MAX_CLIQUE_STEPS = 3_000
"""The most steps of the search for cliques."""

Graph = Mapping[int, set[int]]


class Cut(NamedTuple):
    """A cut: a solution has at most ``most`` of the options; a ``clique`` or an ``odd-hole``."""

    family: str
    options: tuple[int, ...]
    most: int


def find_cuts(
    subject: Cover | Model,
    values: Sequence[float],
    families: Sequence[str],
    clock: Deadline = ENDLESS,
) -> list[Cut]:
    """Return cuts of some `FAMILIES` that a point violates, the most violated of each first.

    Raises
    ------
    TimeoutError
        If the time limit is reached.
    """
    everywhere = _Conflicts(_cliques_of(subject))
    support = [option for option in everywhere.holders if values[option] > TINY]
    graph = {option: everywhere[option].intersection(support) for option in support}
    found = []
    for family in families:
        cuts = {
            cut: sum(values[o] for o in cut.options) - cut.most
            for cut in FAMILIES[family](graph, everywhere, values, clock)
        }
        violated = [cut for cut, excess in cuts.items() if excess > 1e-6]
        found += sorted(violated, key=lambda cut: (-cuts[cut], cut))[:MAX_CUTS]
    return found


class _Conflicts(dict[int, set[int]]):
    """The options in conflict with each option, computed on demand."""

    def __init__(self, cliques: Iterable[Sequence[int]]) -> None:
        super().__init__()
        holders: dict[int, list[Sequence[int]]] = {}
        for clique in cliques:
            for option in clique:
                holders.setdefault(option, []).append(clique)
        self.holders = dict(sorted(holders.items()))
        """The cliques with each option."""

    def __missing__(self, option: int) -> set[int]:
        self[option] = set().union(*self.holders[option])
        self[option].discard(option)
        return self[option]


def _cliques_of(subject: Cover | Model) -> Iterator[Sequence[int]]:
    """Yield the cliques that single rows state."""
    if not isinstance(subject, Model):
        once = zip(subject.options_of(), subject.demand, strict=True)
        yield from (options for options, demand in once if demand == 1)
        return
    for row in range(len(subject.rows)):
        terms, low, high = subject.exact_row(row)
        if not all(subject.integer[c] and subject.bounds(c) == (0, 1) for c in terms):
            continue
        sides: tuple[tuple[int, Bound], ...] = (1, high), (-1, -low)
        for sign, most in sides:
            if all(sign * value > 0 for value in terms.values()):
                # The greatest terms, as long as any two of them are too much together.
                some = sorted(terms, key=lambda column: float(terms[column]), reverse=sign > 0)
                while len(some) > 1 and sign * (terms[some[-1]] + terms[some[-2]]) <= most:
                    some.pop()
                yield some


def _cliques(
    graph: Graph, everywhere: Graph, values: Sequence[float], clock: Deadline
) -> Iterator[Cut]:
    """Yield cliques of the point, extended to maximal ones by the other options."""
    steps = MAX_CLIQUE_STEPS
    # Bron and Kerbosch (1973), with a pivot; sets of too small a sum are skipped.
    stack: list[tuple[list[int], set[int], set[int]]] = [([], set(graph), set())]
    while stack and steps:
        steps -= 1
        clock.check("the cuts were not found")
        clique, near, past = stack.pop()
        if sum(values[o] for o in [*clique, *near]) <= 1 + 1e-6:
            continue
        if not near and not past:
            yield _maximal(clique, everywhere)
            continue
        pivot = max(sorted(near | past), key=lambda o: len(graph[o] & near))
        for option in sorted(near - graph[pivot]):
            stack.append(([*clique, option], near & graph[option], past & graph[option]))
            near = near - {option}
            past = past | {option}


def _maximal(clique: Sequence[int], graph: Graph) -> Cut:
    options = set(clique)
    near = set.intersection(*(graph[option] for option in options))
    while near:
        option = min(near)
        options.add(option)
        near &= graph[option]
    return Cut("clique", tuple(sorted(options)), 1)


def _odd_holes(graph: Graph, _: Graph, values: Sequence[float], clock: Deadline) -> Iterator[Cut]:
    """Yield odd cycles by shortest paths from an option to itself in an odd number of steps.

    A step costs 1 - x - y, so the cut of a cycle shorter than 1 is violated (Grötschel,
    Lovász and Schrijver 1988).
    """
    for start in sorted(graph):
        clock.check("the cuts were not found")
        reached = {(start, 0): 0.0}
        queue: list[tuple[float, tuple[int, int], tuple[int, ...]]] = [(0.0, (start, 0), ())]
        while queue:
            length, (option, side), before = heapq.heappop(queue)
            path = (*before, option)
            if (option, side) == (start, 1):
                if len(set(before)) == len(before) > 3:
                    yield Cut("odd-hole", tuple(sorted(before)), len(before) // 2)
                break
            for other in graph[option] if length == reached[option, side] else ():
                step = length + max(0.0, 1 - values[option] - values[other])
                node = (other, 1 - side)
                if step < min(1 - 1e-9, reached.get(node, math.inf)):
                    reached[node] = step
                    heapq.heappush(queue, (step, node, path))


FAMILIES: dict[str, Callable[[Graph, Graph, Sequence[float], Deadline], Iterator[Cut]]] = {
    "clique": _cliques,
    "odd-hole": _odd_holes,
}
