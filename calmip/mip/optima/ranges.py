"""The least and the greatest value of each variable over all optimal solutions, or over all.

The variables that are fixed are the *backbone*. A few solutions are found first, and each decides
many questions. What is left is one search for each bound of a variable: is there a solution
beyond? Each solution found serves all variables, as in backbones of satisfiability (Janota,
Lynce and Marques-Silva 2015, https://doi.org/10.3233/AIC-140640). The bound of the objective stays
the cutoff of the search, where it prunes by the relaxation; as a row it would not.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from typing import Any, NamedTuple

from calmip._base.errors import InputError, SolverFailed, did_you_mean
from calmip._base.limits import ENDLESS, Deadline
from calmip.mip.display import describe_number, quote, renderers
from calmip.mip.lp.exact_lp import ExactLp
from calmip.mip.model import Model
from calmip.mip.pool import OPTIMUM, Goal, PoolSearch
from calmip.mip.pool.integer_model import WholeModel
from calmip.mip.rows import Bound, Number, is_finite
from calmip.mip.status import Status


def describe_bound(bound: Bound) -> int | float | str:
    """Return an end of a range as `describe_number` does, or ``-inf`` or ``inf``."""
    return describe_number(bound) if is_finite(bound) else str(bound)


OPTIMAL = Goal(optimal=True)
"""The goal of all optimal solutions."""

MAX_QUIET = 50
"""So many solutions in a row that widen no range end the listing before the single searches."""

Values = Mapping[int, Number]


class Range(NamedTuple):
    """The least and the greatest value of a variable that solutions have, as far as known.

    Attributes
    ----------
    low, high
        The least and the greatest value found; infinite where it is proved that there is none.
    low_proved, high_proved
        Whether it is proved that no solution is beyond.
    """

    low: Bound
    high: Bound
    low_proved: bool = False
    high_proved: bool = False

    @property
    def proved(self) -> bool:
        """Whether both ends are proved."""
        return self.low_proved and self.high_proved

    @property
    def fixed(self) -> bool | None:
        """Whether all solutions have the same value; None if that is not known."""
        if self.low < self.high:
            return False
        return True if self.proved else None

    @property
    def unused(self) -> bool | None:
        """Whether the value is 0 in all solutions; None if that is not known."""
        if self.low < 0 or self.high > 0:
            return False
        return self.fixed


@dataclass(frozen=True, repr=False)
class Ranges:
    """Result of `find_ranges`.

    Parameters
    ----------
    model
        The model.
    goal
        The solutions that count.
    ranges
        The range of each column; empty if no solution was found.
    complete
        Whether every range is proved, or that there is no solution.
    stopped
        Why something is left open: ``"time"``, ``"undecided"``; or empty.
    searches
        The number of searches for single ranges.
    """

    model: Model = field(repr=False)
    goal: Goal
    ranges: tuple[Range, ...]
    complete: bool
    stopped: str = ""
    searches: int = field(default=0, compare=False)

    @property
    def status(self) -> Status:
        """Feasible, infeasible if it is proved that there is no solution, or unknown."""
        return Status.of_pool(len(self.ranges), self.complete)

    @cached_property
    def named(self) -> dict[str, Range]:
        """The ranges by the names of the columns."""
        return dict(zip(self.model.columns, self.ranges, strict=False))

    def __getitem__(self, name: str) -> Range:
        if name not in self.named:
            guess = did_you_mean(name, self.named)
            more = f"; did you mean {guess}?" if guess else ""
            raise InputError(f"there is no range of {quote(name)}{more}")
        return self.named[name]

    def __iter__(self) -> Iterator[Range]:
        return iter(self.ranges)

    def __len__(self) -> int:
        return len(self.ranges)

    @property
    def unique(self) -> bool | None:
        """Whether there is exactly one solution; None if that is not known."""
        if not self.ranges:
            return False if self.complete else None
        every = {one.fixed for one in self.ranges}
        return False if False in every else None if None in every else True

    @property
    def fixed(self) -> dict[str, Number]:
        """The columns that have the same value in all solutions, and this: the backbone."""
        return {
            name: one.low for name, one in self.named.items() if one.fixed and is_finite(one.low)
        }

    @property
    def unused(self) -> tuple[str, ...]:
        """The columns that are 0 in all solutions."""
        return tuple(name for name, one in self.named.items() if one.unused)

    @property
    def open(self) -> tuple[str, ...]:
        """The columns with an end that is not proved."""
        return tuple(name for name, one in self.named.items() if not one.proved)

    def describe(self) -> list[dict[str, Any]]:
        """Return each range as plain data; an infinite end is a text."""
        return [
            {
                "variable": name,
                "low": describe_bound(one.low),
                "high": describe_bound(one.high),
                "low_proved": one.low_proved,
                "high_proved": one.high_proved,
            }
            for name, one in self.named.items()
        ]

    def __str__(self) -> str:
        """Return a sentence on all variables."""
        if not self.ranges:
            return "there is no solution" if self.complete else "no solution was found"
        fixed, unused, left = len(self.fixed), len(self.unused), len(self.open)
        text = f"{fixed} of {len(self)} variables are fixed, {unused} of them at 0"
        return text + (f"; {left} are not decided" if left else "")

    def __repr__(self) -> str:
        return f"<Ranges {self.status}: {self}>"

    def _repr_html_(self) -> str:
        """Return a table, for notebooks."""
        return renderers.notebook().html(self)


def find_ranges(model: Model, goal: Goal = OPTIMAL, *, clock: Deadline = ENDLESS) -> Ranges:
    """Return the range of each variable over the solutions of a model that a goal wants.

    A solution is a point that satisfies the model, with an objective within the goal's bound. So
    the ranges of continuous variables are over all their values, not the best ones alone.

    Parameters
    ----------
    model
        The model. Its integer columns need bounds, of their own or by the rows.
    goal
        The solutions that count, by default the optimal ones. ``Goal()`` is all solutions;
        ``best`` is not accepted.
    clock
        The time limit: what it leaves open is not proved.

    Returns
    -------
    Ranges
        Each range that is called proved is exact.

    Raises
    ------
    InputError
        If the goal is a number of best solutions, if an integer column is unbounded, or if the
        objective is unbounded and counts.
    """
    if goal.best is not None:
        raise InputError("ranges are over all solutions of a goal; best is not one of them")
    if not model.costs:
        goal = Goal()
    search = _Search(model.with_costs({}) if goal.plain else model, goal, clock)
    # The columns that linearise constructs are searched as others are, and have no ranges.
    search.run()
    found = tuple(search.ranges())
    complete = all(one.proved for one in found) if found else search.pool.complete
    return Ranges(model, goal, found, complete, "" if complete else search.stopped, search.searches)


def ranges_of_point(model: Model, point: Values) -> Ranges:
    """Return the ranges of a model of which a point is the only solution."""
    every = (point.get(column, 0) for column in range(len(model.own_columns)))
    return Ranges(model, Goal(), tuple(Range(x, x, True, True) for x in every), complete=True)


class _Search:
    """The search for all ranges.

    Attributes
    ----------
    low, high : list
        The least and the greatest value of each column so far; none before the first solution.
    proved : list of two lists
        Whether the least, and the greatest, is proved.
    """

    def __init__(self, model: Model, goal: Goal, clock: Deadline) -> None:
        self.own = len(model.own_columns)
        whole = [column for column in range(self.own) if model.is_integer(column)]
        self.model, self.goal, self.clock = model.changed(logic=None), goal, clock
        self.pool = PoolSearch(self.model, goal, distinct=whole, clock=clock, limited=True)
        self.low: list[Any] = []
        self.high: list[Any] = []
        self.proved = [[False] * len(model.columns) for _ in "<>"]
        self.searches, self.stopped = 0, ""
        self.most: Number | None = None
        """The greatest sum of the costs."""

    def ranges(self) -> Iterator[Range]:
        """Yield the range of each column."""
        if self.low:
            every = zip(self.low, self.high, *self.proved, strict=True)
            yield from map(Range._make, islice(every, self.own))

    def run(self) -> None:
        """Search until all is proved, or the time limit is reached."""
        try:
            self._list()
            if not self.low:
                self.stopped = self.pool.stopped
                return
            program = self._bounded()
            for place in range(program.integers):
                for side in (0, 1) if program.order[place] < self.own else ():
                    self._test_integer(program, place, side)
            self._test_continuous(program)
        except TimeoutError:
            self.stopped = "time"

    def take(self, point: Values) -> bool:
        """Take notice of a solution; return whether it widens a range."""
        every = [point.get(column, 0) for column in range(len(self.model.columns))]
        if not self.low:
            self.low, self.high = list(every), list(every)
            return True
        low, high = self.low, self.high
        wider = False
        for column, value in enumerate(every):
            if value < low[column]:
                low[column], wider = value, True
            elif value > high[column]:
                high[column], wider = value, True
        return wider

    def _note(self, search: PoolSearch) -> None:
        """Take notice of what has stopped a search."""
        if search.stopped == "time":
            raise TimeoutError
        self.stopped = search.stopped or self.stopped

    def _list(self) -> None:
        """Take the first solutions, until they widen no range any more.

        Binary columns are widened once at most; a far end that they approach by steps is left to
        the single searches.
        """
        quiet = wider = 0
        solutions = iter(self.pool)
        for solution in solutions:
            if self.take(solution.point):
                quiet, wider = 0, wider + 1
            else:
                quiet += 1
            if quiet >= MAX_QUIET or wider > len(self.model.columns) + MAX_QUIET:
                break
        solutions.close()  # type: ignore[attr-defined]
        if self.low and not self.goal.plain:
            self.most = self.pool.cost_limit

    def _bounded(self) -> WholeModel:
        """Return the program with bounds that its rows and the cutoff imply; note what they prove.

        All integer columns are proved if all solutions were listed.
        """
        program = self.pool.bounded(self.most)
        for place, column in enumerate(program.order):
            listed = self.pool.complete and place < program.distinct
            self.proved[0][column] |= listed or self.low[column] <= program.low[place]
            self.proved[1][column] |= listed or self.high[column] >= program.high[place]
        return program

    def _test_integer(self, program: WholeModel, place: int, side: int) -> None:
        """Search for solutions beyond the values of an integer column, until none is there.

        After the first search the interval that is left is halved: its end may be far off.
        """
        column, step = program.order[place], 1 if side else -1
        end = (program.low, program.high)[side][place]
        part = 0
        while not self.proved[side][column]:
            self.clock.check("the ranges were not found")
            here = (self.low, self.high)[side][column]
            start = here + step
            if part and is_finite(end):
                start += step * (abs(end - start) // 2)
            found = self._beyond(program, place, side, start, end)
            if found is None:
                return
            if not found:
                end = start - step
            here = (self.low, self.high)[side][column]
            self.proved[side][column] = end == here
            part = 1

    def _beyond(
        self, program: WholeModel, place: int, side: int, start: int, end: Bound
    ) -> bool | None:
        """Return whether a column has values from one to another one; None if that is open."""
        low, high = list(program.low), list(program.high)
        low[place], high[place] = (start, end) if side else (end, start)
        self.searches += 1
        search = self.pool.within(low, high, self.most)
        found = next(iter(search), None)
        if found is not None:
            self.take(found.point)
            return True
        if search.complete:
            return False
        self._note(search)
        return None

    def _test_continuous(self, program: WholeModel) -> None:
        """Find the ranges of the continuous columns: by exact linear programs, and by searches."""
        columns = [c for c in range(self.own) if not self.model.is_integer(c)]
        if not columns:
            return
        face = self.model
        if self.most is not None:
            face = face.with_objective_row("", -math.inf, self.most)
        whole = program.order[: program.integers]
        bounds = {c: (self.low[c], self.high[c]) for c in whole}
        proved = all(self.proved[0][c] and self.proved[1][c] for c in whole)
        if not proved:  # a value that was not found may be there
            bounds = {c: (program.low[place], program.high[place]) for place, c in enumerate(whole)}
        lp = ExactLp(face, range(len(face.columns)))
        for column in columns:
            for side in (0, 1):
                if not self.proved[side][column]:
                    self._test_side(face, lp, bounds, column, side)

    def _test_side(
        self, face: Model, lp: ExactLp, bounds: Mapping[int, Any], column: int, side: int
    ) -> None:
        """Find the least or the greatest value of a continuous column."""
        self.clock.check("the ranges were not found")
        costs: dict[int, Number] = {column: -1 if side else 1}
        lp.set_costs(costs)
        self.searches += 1
        answer = lp.solve({}, self.clock, bounds=bounds)
        if answer.status is Status.UNKNOWN:
            raise TimeoutError
        ends = (self.low, self.high)[side]
        if answer.status is Status.UNBOUNDED:
            # All numbers are rational: from a solution, a multiple of the ray leads to others.
            ends[column] = math.inf if side else -math.inf
            self.proved[side][column] = True
            return
        if answer.status is not Status.OPTIMAL:
            raise SolverFailed("exact searches disagree; report this")
        point = answer.point
        if face.violated(point) is None:
            self.take(point)
        if answer.point.get(column, 0) == ends[column]:
            self.proved[side][column] = True
        elif any(self.model.values("integer")):
            self._search_side(face, costs, column, side)
        else:
            raise SolverFailed("the exact linear program found a point that is none; report this")

    def _search_side(self, face: Model, costs: Values, column: int, side: int) -> None:
        """Find the least or the greatest value of a column where the relaxation is not enough."""
        search = PoolSearch(face.with_costs(costs), OPTIMUM, clock=self.clock)
        for solution in search:
            self.take(solution.point)
        self._note(search)
        ends = (self.low, self.high)[side]
        best = search.best
        self.proved[side][column] = search.proved and best == (-1 if side else 1) * ends[column]
