"""The linear relaxation of a binary model in HiGHS, proofs that it is infeasible, and cuts.

A certificate that the equations of an exact cover conflict is checked without rounding. Let ``A x
= b`` be the equations, one per item, and ``x >= 0``. Numbers y, one per equation, with ``y A <=
0`` in every column and ``y b > 0`` prove that there is no such x, whole or fractional: ``0 < y b =
(y A) x <= 0`` (Farkas 1902). A linear programming solver finds y in floating-point numbers; here
it becomes whole numbers, and only what holds for these counts.

A cut is violated by a fractional point and by no tiling: cliques and odd holes. Two options are in
conflict if they share an item that is covered once. Of options in conflict pairwise (a clique) a
tiling has one at most; of 2k + 1 options in conflict one after the other around a circle (an odd
hole), k at most (Padberg 1973, https://doi.org/10.1007/BF01580121).
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

from calmip._highs import new_highs
from calmip._limits import ENDLESS, Deadline
from calmip.errors import InputError, SolverFailed
from calmip.problem.binary_model import BinaryModel
from calmip.problem.cover import ExactCover

__all__ = [
    "FAMILIES",
    "TINY",
    "Certificate",
    "Cut",
    "LinearModel",
    "LinearPoint",
    "find_certificate",
    "find_cuts",
]


TINY = 1e-7
"""What is so near to a whole number is taken for it."""

ACCURACY = 1e-9
"""The tolerances of HiGHS, once the greatest cost is about 1."""

FloatArray = npt.NDArray[np.float64]


class LinearPoint(NamedTuple):
    """An optimal vertex of a linear relaxation.

    Parameters
    ----------
    bound
        The objective, which was to be small.
    values, reduced
        The value and the reduced cost of every column.
    prices
        The dual value of every row, those of added rows last.
    """

    bound: float
    values: FloatArray
    reduced: FloatArray
    prices: FloatArray

    @property
    def fractional(self) -> list[int]:
        """The columns that are neither 0 nor 1."""
        return np.flatnonzero(np.abs(self.values - np.round(self.values)) > TINY).tolist()

    @property
    def ones(self) -> list[int]:
        """The columns that are 1."""
        return np.flatnonzero(self.values > 1 - TINY).tolist()


class LinearModel:
    """A binary model whose columns may take any value from 0 to 1.

    Every solve starts from the last basis, by the dual simplex method on one
    thread without presolve: the same changes give the same points. The costs
    are scaled by the greatest, since HiGHS's tolerances are absolute.

    Parameters
    ----------
    model
        The model.

    Raises
    ------
    SolverMissing
        If highspy is not installed.
    """

    def __init__(self, model: BinaryModel) -> None:
        self._highs = new_highs(
            "the linear relaxation",
            presolve="off",
            solver="simplex",
            simplex_strategy=1,
            parallel="off",
            primal_feasibility_tolerance=ACCURACY,
            dual_feasibility_tolerance=ACCURACY,
        )
        bounds, matrix = (model.lower, model.upper), (model.start, model.index, model.value)
        # A power of two changes no digit.
        self._scale = 2.0 ** math.frexp(float(np.abs(model.cost).max(initial=0.0)))[1]
        if not self._highs.pass_rows(bounds, matrix, cost=model.cost / self._scale):
            raise SolverFailed("HiGHS does not take this model")

    def bound(self, column: int, low: float, high: float) -> None:
        """Let a column take values from ``low`` to ``high`` only."""
        self._highs.bound_columns([column], [low], [high])

    def at_most(self, columns: Iterable[int], most: float) -> None:
        """Add the row that these columns add up to at most so much."""
        self._highs.add_row(-math.inf, most, sorted(columns))

    def solve(self) -> LinearPoint | None:
        """Return an optimal vertex, or None if HiGHS calls the relaxation infeasible.

        Raises
        ------
        SolverFailed
            If HiGHS ends without an answer.
        """
        highs = self._highs
        highs.run()
        if highs.status == "Infeasible":
            return None
        optimum = highs.info("objective_function_value")
        if highs.status != "Optimal" or optimum is None:
            raise SolverFailed(f"HiGHS ended the relaxation with the status '{highs.status}'")
        bound, reduced, prices = (
            np.where(np.abs(numbers) <= TINY, 0.0, numbers) * self._scale
            for numbers in map(np.array, (optimum, *highs.duals()))
        )
        return LinearPoint(float(bound), np.array(highs.values()), reduced, prices)


@dataclass(frozen=True)
class Certificate:
    """Multipliers of equations that prove their conflict.

    Parameters
    ----------
    multipliers
        The numbers y by item number; items that are not in it have 0.
    """

    multipliers: Mapping[int, Fraction]

    @property
    def rows(self) -> tuple[int, ...]:
        """The items whose equations take part, ascending."""
        return tuple(sorted(row for row, y in self.multipliers.items() if y))

    def value(self, cover: ExactCover) -> Fraction:
        """Return y b, the combined right-hand side."""
        demand = cover.demand
        return _total(y * demand[row] for row, y in self.multipliers.items())

    def fault(self, cover: ExactCover) -> str | None:
        """Return why the multipliers prove nothing about a cover, or None if they do.

        All arithmetic is on whole numbers and fractions, never rounded.
        """
        odd = [row for row in self.multipliers if not 0 <= row < cover.rows]
        if odd:
            return f"there is no equation {odd[0]}; they are numbered from 0 to {cover.rows - 1}"
        for option in range(cover.columns):
            total = _total(
                self.multipliers.get(item, Fraction(0)) for item in cover.items_of(option)
            )
            if total > 0:
                return f"column {cover.option_names[option]} gets {total}, which is above 0"
        value = self.value(cover)
        return None if value > 0 else f"the right-hand sides add up to {value}, not to more than 0"


def find_certificate(
    cover: ExactCover, rows: Sequence[int] | None = None, *, clock: Deadline = ENDLESS
) -> Certificate | None:
    """Return multipliers that refute the linear relaxation of some equations, or None.

    None means that the relaxation has a point, or that no proof was found.

    Parameters
    ----------
    cover
        The exact cover.
    rows
        The items whose equations count; all by default. Others may be broken.
    clock
        When the linear program is given up.

    Raises
    ------
    InputError
        If a row does not exist or is given twice.
    SolverMissing
        If highspy is not installed.
    """
    chosen = list(range(cover.rows)) if rows is None else list(rows)
    if len(set(chosen)) != len(chosen) or not all(0 <= row < cover.rows for row in chosen):
        raise InputError(f"the rows are distinct numbers from 0 to {cover.rows - 1}")
    columns = _columns(cover, chosen)
    # HiGHS gives no ray for rows without entries, which refute themselves.
    filled = {number for column in columns for number in column}
    bare = next((row for number, row in enumerate(chosen) if number not in filled), None)
    if bare is not None:
        return Certificate({bare: Fraction(1)})
    demand = [cover.demand[row] for row in chosen]
    ray = _dual_ray(columns, demand, clock)
    if ray is None:
        return None
    for guess in _guesses(ray, columns):
        found = Certificate({row: y for row, y in zip(chosen, _whole(guess), strict=True) if y})
        if found.fault(cover) is None:
            return found
    return None


def _columns(cover: ExactCover, rows: Sequence[int]) -> list[tuple[int, ...]]:
    """Return the distinct columns as positions in the list of rows."""
    place = {row: number for number, row in enumerate(rows)}
    found = {
        tuple(sorted(place[item] for item in cover.items_of(option) if item in place))
        for option in range(cover.columns)
    }
    return sorted(found - {()})


def _dual_ray(
    columns: Sequence[tuple[int, ...]], demand: Sequence[int], clock: Deadline
) -> Sequence[float] | None:
    """Return a ray from HiGHS if it calls ``A x = b, x >= 0`` infeasible, or None."""
    highs = new_highs("a certificate", presolve="off", solver="simplex", parallel="off")
    if (seconds := clock.left()) is not None:
        highs.set({"time_limit": seconds})
    holders: list[list[int]] = [[] for _ in demand]
    for number, column in enumerate(columns):
        for row in column:
            holders[row].append(number)
    start = [0, *accumulate(map(len, holders))]
    matrix = (start, chain.from_iterable(holders), [1.0] * start[-1])
    highs.pass_rows((demand, demand), matrix, cost=[0.0] * len(columns), most=math.inf)
    highs.run()
    return highs.dual_ray() if highs.status == "Infeasible" else None


def _guesses(ray: Sequence[float], columns: Sequence[tuple[int, ...]]) -> Iterator[list[Fraction]]:
    """Yield exact multipliers near a ray, either way round: fractions, and then made to hold."""
    if not any(ray) or not all(map(math.isfinite, ray)):
        return
    size = max(map(abs, ray))
    for turned in (ray, [-y for y in ray]):
        near = [Fraction(y / size) for y in turned]
        yield [y.limit_denominator() for y in near]
        # Every column has an entry, so taking the largest excess off all rows mends them.
        excess = max([Fraction(0), *(_total(near[row] for row in column) for column in columns)])
        yield [y - excess for y in near]


def _whole(y: Sequence[Fraction]) -> list[Fraction]:
    """Return the multiples of fractions that are whole numbers without a common factor."""
    common = math.lcm(*(number.denominator for number in y))
    whole = [int(number * common) for number in y]
    factor = max(math.gcd(*whole), 1)  # a guess may be all noughts
    return [Fraction(number // factor) for number in whole]


def _total(numbers: Iterable[Fraction]) -> Fraction:
    return sum(numbers, Fraction(0))


MOST_CUTS = 25
"""So many cuts of a family are added at once: those that the point breaks most."""

MOST_STEPS = 3_000
"""So many steps the search for cliques takes at most."""

Graph = Mapping[int, set[int]]


class Cut(NamedTuple):
    """Options of which a tiling has at most so many.

    Parameters
    ----------
    family
        ``clique`` or ``odd-hole``.
    options
        The options, ascending.
    most
        How many of them a tiling may have.
    """

    family: str
    options: tuple[int, ...]
    most: int


def find_cuts(cover: ExactCover, values: Sequence[float], families: Sequence[str]) -> list[Cut]:
    """Return cuts that a point breaks, the most broken of every family first.

    Parameters
    ----------
    cover
        The exact cover.
    values
        The value of every option.
    families
        Names out of `FAMILIES`.
    """
    support = [option for option in range(cover.columns) if values[option] > TINY]
    everywhere = _Conflicts(cover)
    graph = {option: everywhere[option].intersection(support) for option in support}
    found = []
    for family in families:
        cuts = {cut: sum(values[o] for o in cut.options) - cut.most
                for cut in FAMILIES[family](graph, everywhere, values)}  # fmt: skip
        broken = [cut for cut, excess in cuts.items() if excess > 1e-6]
        found += sorted(broken, key=lambda cut: (-cuts[cut], cut))[:MOST_CUTS]
    return found


class _Conflicts(dict[int, set[int]]):
    """For every option those that it is in conflict with, found when they are asked for."""

    def __init__(self, cover: ExactCover) -> None:
        super().__init__()
        once = zip(cover.options_of(), cover.demand, strict=True)
        self._covering = [options if demand == 1 else [] for options, demand in once]
        self._items = cover.items_of

    def __missing__(self, option: int) -> set[int]:
        near = {other for item in self._items(option) for other in self._covering[item]}
        self[option] = near - {option}
        return self[option]


def _cliques(graph: Graph, everywhere: Graph, values: Sequence[float]) -> Iterator[Cut]:
    """Yield cliques of the point, made as large as they can be with the other options."""
    steps = MOST_STEPS
    # Bron and Kerbosch (1973), with a pivot; a set that weighs too little is left.
    stack: list[tuple[list[int], set[int], set[int]]] = [([], set(graph), set())]
    while stack and steps:
        steps -= 1
        clique, near, past = stack.pop()
        if sum(values[o] for o in [*clique, *near]) <= 1 + 1e-6:
            continue
        if not near and not past:
            yield _grown(clique, everywhere)
            continue
        pivot = max(sorted(near | past), key=lambda o: len(graph[o] & near))
        for option in sorted(near - graph[pivot]):
            stack.append(([*clique, option], near & graph[option], past & graph[option]))
            near = near - {option}
            past = past | {option}


def _grown(clique: Sequence[int], graph: Graph) -> Cut:
    options = set(clique)
    near = set.intersection(*(graph[option] for option in options))
    while near:
        option = min(near)
        options.add(option)
        near &= graph[option]
    return Cut("clique", tuple(sorted(options)), 1)


def _odd_holes(graph: Graph, _: Graph, values: Sequence[float]) -> Iterator[Cut]:
    """Yield odd circles by shortest paths from an option to itself in an odd number of steps.

    A step costs 1 - x - y, so a circle shorter than 1 is broken (Grötschel,
    Lovász and Schrijver 1988).
    """
    for start in sorted(graph):
        before: dict[tuple[int, int], tuple[int, int] | None] = {}
        reached = {(start, 0): 0.0}
        queue: list[tuple[float, tuple[int, int], tuple[int, int] | None]] = [
            (0.0, (start, 0), None)
        ]
        while queue:
            length, node, last = heapq.heappop(queue)
            if node in before:
                continue
            before[node] = last
            if node == (start, 1):
                break
            option, side = node
            for other in graph[option]:
                step = length + max(0.0, 1 - values[option] - values[other])
                place = (other, 1 - side)
                if step < min(1 - 1e-9, reached.get(place, math.inf)):
                    reached[place] = step
                    heapq.heappush(queue, (step, place, node))
        if (start, 1) not in before:
            continue
        circle, back = [start], before[start, 1]
        while back is not None and back != (start, 0):
            circle.append(back[0])
            back = before[back]
        if len(set(circle)) == len(circle) > 3:
            yield Cut("odd-hole", tuple(sorted(circle)), len(circle) // 2)


# One line per family: its name -> the search for its cuts.
FAMILIES: dict[str, Callable[[Graph, Graph, Sequence[float]], Iterator[Cut]]] = {
    "clique": _cliques,
    "odd-hole": _odd_holes,
}
