"""Certificates that the equations of an exact cover conflict, checked without rounding.

Let ``A x = b`` be the equations, one per item, and ``x >= 0``. Numbers y, one
per equation, with ``y A <= 0`` in every column and ``y b > 0`` prove that there
is no such x, whole or fractional: ``0 < y b = (y A) x <= 0`` (Farkas 1902). A
linear programming solver finds y in floating-point numbers; here it becomes
whole numbers, and only what holds for these is believed.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, chain

from calmip._highs import new_highs
from calmip._limits import ENDLESS, Deadline
from calmip.errors import InputError
from calmip.problem.cover import ExactCover

__all__ = ["Certificate", "find_certificate"]


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
