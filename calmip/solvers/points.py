"""A point of a model: what its printed digits can mean, and whether it is a solution.

Within tolerance is the same everywhere, and no solver's own word for it. Values of integers are
rounded if they are within 1e-6 of an integer. Rows of integers with whole coefficients, and bounds
of integers, then hold exactly. In other rows a violation of at most 1e-6 times the sum of the
absolute terms, or 1e-6 if that sum is below 1, is rounding, as solvers scale the rows and allow
1e-6 in each. Bounds of continuous variables have the same, of the value.

A file has printed digits, so a value is a range: half a unit of the last digit up and down. A
point is right if an exact point of the model lies in these ranges.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from calmip._base.errors import InputError, SolverFailed, join_words
from calmip._base.limits import ENDLESS, Deadline
from calmip.mip import independent_search
from calmip.mip.constructs import OrderedSet, SemiContinuous
from calmip.mip.defined import complete
from calmip.mip.display import describe_number, quote, tell, tell_apart
from calmip.mip.files import points as _values
from calmip.mip.model import Model, Violation, exact_sum
from calmip.mip.rows import Bound, Number, is_finite, shortest
from calmip.mip.status import Status

if TYPE_CHECKING:
    from calmip.mip.lp.exact_lp import LinearAnswer

TOLERANCE = Fraction(str(_values.TOLERANCE))
"""1e-6 as a fraction; see the definition above."""

COARSE = Fraction(1, 10**9)
"""Digits of which half a unit is more than this part of a value may hide a better one."""

SIDES = (0, "lower"), (1, "upper")

MAX_BETTER_POINTS = 20
"""The most better points that are looked for within the digits."""

UNDECIDED = "whether auxiliary variables can have values was not known in time"

LATE = "an exact point within the printed digits was not found in time"


class Stated(NamedTuple):
    """The objective that a file states, and half a unit of its last digit."""

    objective: Number
    rounding: Number = 0

    def senses(self, model: Model) -> Iterator[Stated]:
        """Yield the objective, and of a model to be maximised also that of the minimisation.

        Many programs, and files that know no maximisation, negate the objective.
        """
        yield self
        if model.maximise:
            yield self._replace(objective=-self.objective)


class Checked(NamedTuple):
    """A checked point of a model.

    Parameters
    ----------
    point
        The exact values of the columns that are not 0; empty if not decided.
    exact
        Whether the point is a solution exactly; else it is one within the tolerance.
    note
        How the point differs from the values that were given, in words; empty if it does not.
    decided
        Whether it is known which integers the printed digits mean.
    """

    point: Mapping[int, Number]
    exact: bool = True
    note: str = ""
    decided: bool = True


def check_point(
    model: Model,
    values: Mapping[str, float | Number],
    claim: str,
    clock: Deadline = ENDLESS,
    *,
    spread: Mapping[str, float | Number] | None = None,
    stated: Stated | None = None,
) -> Checked:
    """Check every value, bound and row of a point in exact arithmetic.

    Values of integers are rounded. If the other values violate a row or a bound within the
    tolerance or the printed digits, the best exact values for these integers replace them. If
    the digits leave a choice of integers, an exact point among them is searched.

    Parameters
    ----------
    model, values
        The model, and values by the names of its columns; others are 0.
    claim
        What the answer claims, for messages.
    clock
        The time limit for exact values.
    spread
        Half a unit of the last printed digit by column, 0 where none is given.
    stated
        The objective that the answer states.

    Raises
    ------
    SolverFailed
        If a name is not a column, an integer has another value, or a row or a bound is violated by
        more.
    """
    printed = _Printed(model)
    for name, value in values.items():
        printed.add(name, value, (spread or {}).get(name, 0), claim)
    missing = {c for c, name in enumerate(model.own_columns) if name not in values}
    printed.point = complete(model, printed.point, missing)
    clock = Deadline(clock.left(independent_search.WITNESS_SECONDS))
    if printed.open:
        return printed.search(claim, clock, stated)
    worst = model.violated(printed.point, clock)
    if worst is None and model.undecided(printed.point, clock):
        return Checked({}, False, f"{claim}; {UNDECIDED}", decided=False)
    if worst is None and not (printed.is_ambiguous and model.costs):
        return Checked(printed.point, note=_left_out(model, printed.point, missing))
    return printed.complete(claim, clock)


def _left_out(model: Model, point: Mapping[int, Number], missing: Collection[int]) -> str:
    """Return that values of columns which the answer leaves out follow from rows, or nothing."""
    found = [c for c in missing if point.get(c)]
    names = join_words([quote(model.columns[column]) for column in sorted(found)], most=3)
    several = "values" if found[1:] else "a value"
    return f"the rows define {several} that the answer leaves out: {names}" if found else ""


@dataclass
class _Printed:
    """The values of an answer and their ranges.

    Parameters
    ----------
    point
        The exact values, of integers the nearest ones.
    half
        Half a unit of the last digit of continuous variables.
    open
        The ranges of integers of which the digits leave a choice.
    """

    model: Model
    point: dict[int, Number] = field(default_factory=dict)
    half: dict[int, Number] = field(default_factory=dict)
    open: dict[int, tuple[int, int]] = field(default_factory=dict)

    def add(self, name: str, value: float | Number, half: float | Number, claim: str) -> None:
        """Add a value; raise `SolverFailed` if its column cannot have it."""
        model, column = self.model, self.model.column_index.get(name)
        if column is None:
            raise SolverFailed(f"{claim}, but its answer names {name!r}, which is not a column")
        if column >= len(model.own_columns):
            return  # it linearises constructs, which are judged by what they mean
        if not (isinstance(value, (int, Fraction)) or math.isfinite(value)):
            what = ", not 0 or 1" if model.binary else ""
            raise SolverFailed(f"{claim}, but its answer has the value {value!r}{what}")
        exact, half = exact_number(value), exact_number(half)
        if model.is_integer(column):
            low = high = exact.numerator
            if exact.denominator > 1 or 4 * half.numerator > half.denominator:
                reach = half + TOLERANCE
                low, high = math.ceil(exact - reach), math.floor(exact + reach)
            if low > high or (model.binary and not (low <= 1 and high >= 0)):
                what = f"the value {_text(value)} of the integer column {name!r}"
                if model.binary:
                    what = f"the value {_text(value)}, not 0 or 1"
                raise SolverFailed(f"{claim}, but its answer has {what}")
            if low < high:
                self.open[column] = low, high
            exact = min(max(round(exact), low), high) if low < high else low
        elif half:
            self.half[column] = half
        if exact:
            self.point[column] = exact

    @property
    def is_ambiguous(self) -> bool:
        """Whether the digits of a continuous variable may hide a better value."""
        # Most digits are fine for any value, and whole numbers are compared fast.
        return any(
            half.numerator * COARSE.denominator > half.denominator
            and half > COARSE * max(1, _size(self.point.get(column, 0)))
            for column, half in self.half.items()
        )

    def complete(self, claim: str, clock: Deadline) -> Checked:
        """Return the best exact point within the digits, or else for the same integers."""
        model, point = self.model, self.point
        found = [(allowance(model, one, point), one) for one in model.violations(point, clock)]
        failing = [one for within, one in found if one.amount > within + self.reach(one)]
        worst = self.worst(failing or [one for _, one in found])
        words = "" if worst is None else f"violates {describe_violation(model, worst)}"
        if failing:
            raise SolverFailed(f"{claim}, but its answer {words}")
        if self.is_ambiguous:
            rounded = all(one.amount <= within for within, one in found)
            inside = self.inside(claim, words, clock, rounded=rounded)
            if inside is not None:
                return inside
        if worst is None:
            return Checked(point)
        answer = completed(model, point, clock)
        if answer.status in (Status.OPTIMAL, Status.UNBOUNDED):
            note = f"continuous values were completed exactly, as the answer {words}"
            return Checked(answer.point, True, note)
        why = "these integers have no exact solution"
        if answer.status is Status.UNKNOWN:
            why = "an exact solution with these integers was not found in time"
        note = f"its answer is a solution within 1e-06, not exactly: it {words}; {why}"
        return Checked(point, False, note)

    def inside(self, claim: str, words: str, clock: Deadline, *, rounded: bool) -> Checked | None:
        """Return the best exact point within the digits; None if only the tolerance may help.

        Parameters
        ----------
        claim, words, clock
            What the answer claims, the violation, and the time limit.
        rounded
            Whether the answer as it is printed is a solution within the tolerance.
        """
        integers = {c: value for c, value in self.point.items() if self.model.is_integer(c)}
        ranges = self.ranges()
        answer = best_completion(self.model, integers, clock, ranges)
        if answer.status is Status.OPTIMAL:
            note = "continuous values were completed exactly within the printed digits"
            return Checked(answer.point, True, note)
        if rounded:
            return None
        if answer.status is Status.INFEASIBLE:
            answer = best_completion(self.eased(), integers, clock, ranges)
        if answer.status is Status.UNKNOWN:
            return Checked({}, False, f"its answer {words}, and {LATE}", decided=False)
        if answer.status is Status.INFEASIBLE:
            why = "no point within its printed digits satisfies every row"
            raise SolverFailed(f"{claim}, but {why}: its answer {words}")
        return None

    def worst(self, found: list[Violation]) -> Violation | None:
        """Return the violation that is greatest relative to the sum of the absolute terms."""
        return max(found, key=lambda one: relative(self.model, one, self.point), default=None)

    def reach(self, violation: Violation) -> Number:
        """Return by how much the digits can change the value of a row or a column."""
        if violation.kind not in SUMS:
            return self.half.get(violation.number, 0)
        terms = _terms_of(self.model, violation)
        return sum(_size(factor) * self.half[c] for c, factor in terms if c in self.half)

    def ranges(self, more: Number = 0) -> dict[int, tuple[Bound, Bound]]:
        """Return the ranges of the continuous variables, inside their bounds."""
        model, found = self.model, {}
        for column in range(len(model.own_columns)):
            if model.is_integer(column):
                continue
            (low, high), value = model.bounds(column), self.point.get(column, 0)
            half = self.half.get(column, 0) + more * max(1, _size(value))
            first, last = max(low, value - half), min(high, value + half)
            # A value that is outside its bounds by rounding is at the bound.
            found[column] = (first, last) if first <= last else (max(low, min(high, first)),) * 2
        return found

    def eased(self) -> Model:
        """Return the model with every row as much wider as the tolerance allows."""
        model = self.model
        sides: dict[str, list[Bound]] = {"lower": [], "upper": []}
        for number, (_, low, high) in enumerate(model.exact_rows()):
            more = allowance(model, Violation("row", number, 0, 0), self.point)
            sides["lower"].append(low - more if is_finite(low) else low)
            sides["upper"].append(high + more if is_finite(high) else high)
        return model.with_numbers(sides)

    def search(self, claim: str, clock: Deadline, stated: Stated | None) -> Checked:
        """Return an exact point within the digits, with the stated objective or the best one.

        Points with the very digits and objective come first, then those within the tolerance.
        """
        words = f"{len(self.open)} integers have more digits than were printed"
        if len(self.open) == 1:
            name = quote(self.model.columns[next(iter(self.open))])
            words = f"the integer {name} has more digits than were printed"
        late = Checked({}, False, f"{words}, and {LATE}", decided=False)
        objectives = [] if stated is None or not self.model.costs else stated.senses(self.model)
        mixed = not all(self.model.values("integer"))
        first: Number = 0 if mixed else TOLERANCE
        for one, tolerance in itertools.product([*objectives, None], sorted({first, TOLERANCE})):
            boxed = self.boxed(claim, tolerance)
            if one is not None:
                boxed = self.with_objective(boxed, one, tolerance)
            there, point = independent_search.find(boxed, clock)
            if there is None:
                return late
            if there:
                if stated is None and self.model.costs:
                    point = _better(boxed, point, clock)
                near = "has" if tolerance == first else "is within 1e-06 of"
                return Checked(point, True, f"{words}; an exact point {near} all printed digits")
        if mixed:
            boxed = self.boxed(claim, TOLERANCE, self.eased())
            there, _ = independent_search.find(boxed, clock)
            if there:
                near = "no exact point has all printed digits, but one within the tolerance has"
                return Checked({}, False, f"{words}; {near}", decided=False)
        found = self.model.violations(self.point, clock)
        worst = max(found, key=lambda one: one.amount, default=None)
        if worst is None:  # a construct that is not decided in time
            return late
        where = describe_violation(self.model, worst)
        why = f"no exact point has its printed digits: its answer violates {where}"
        raise SolverFailed(f"{claim}, but {why}")

    def boxed(self, claim: str, tolerance: Number, eased: Model | None = None) -> Model:
        """Return the model, or one with wider rows, with the ranges of its columns as bounds."""
        model, ranges = eased or self.model, self.ranges(tolerance)
        sides: dict[str, list[Bound]] = {"column_lower": [], "column_upper": []}
        for column in range(len(model.columns)):
            low, high = model.bounds(column)
            value = self.point.get(column, 0)
            if column >= len(model.own_columns):
                pass
            elif model.is_integer(column):
                first, last = self.open.get(column, (value, value))
                low, high = max(low, first), min(high, last)
                if low > high:
                    wrong = Violation("bound", column, value, model.bounds(column).nearest(value))
                    where = describe_violation(model, wrong)
                    raise SolverFailed(f"{claim}, but its answer violates {where}")
            else:
                low, high = ranges[column]
            sides["column_lower"].append(low)
            sides["column_upper"].append(high)
        return model.with_numbers(sides)

    def with_objective(self, boxed: Model, stated: Stated, tolerance: Number) -> Model:
        """Return a model with the stated objective, exact but for its last digit, as a row."""
        model = self.model
        value = stated.objective - model.constant
        value = -value if model.maximise else value
        reach = stated.rounding
        if tolerance:
            reach += objective_allowance(model, self.point)
        return boxed.with_objective_row("objective", value - reach, value + reach)


def _better(model: Model, point: dict[int, Number], clock: Deadline) -> dict[int, Number]:
    """Return the best point of a model, or the best one that is found in time."""
    step = objective_step(model)
    for _ in range(MAX_BETTER_POINTS):
        value = sum(cost * point[c] for c, cost in model.costs.items() if c in point)
        there, better = independent_search.find(
            model, clock, most=value - (step or COARSE * max(1, _size(value)))
        )
        if not there:
            break
        point = better
    return point


def _size(number: Number) -> Number:
    return max(number, -number)


def _text(value: float | Number) -> str:
    return str(describe_number(exact_number(value)))


def exact_number(value: float | Number) -> Number:
    """Return an exact number itself, and a float as the shortest decimal with its value."""
    if isinstance(value, (int, Fraction)):
        return value
    return shortest(Fraction(repr(float(value))))


def completed(model: Model, point: Mapping[int, Number], clock: Deadline) -> LinearAnswer:
    """Return the best exact values of the continuous columns for the integers of a point."""
    integers = {column: value for column, value in point.items() if model.is_integer(column)}
    if model.logic is not None:
        # What is nearly 0 chooses among the linear programs: mostly one is left.
        switched = {
            column
            for construct in model.logic.constructs
            if isinstance(construct, (OrderedSet, SemiContinuous))
            for column in construct.columns
        }
        near = {c: (0, 0) for c in switched if abs(float(point.get(c, 0))) <= TOLERANCE}
        answer = best_completion(model, integers, clock.first(0.5), near)
        if answer.status is Status.OPTIMAL:
            return answer
    return best_completion(model, integers, clock)


def best_completion(
    model: Model,
    integers: Mapping[int, Number],
    clock: Deadline,
    ranges: Mapping[int, tuple[Bound, Bound]] | None = None,
) -> LinearAnswer:
    """Return the best exact values of the continuous columns within ranges, for given integers.

    Constructs make several linear programs of it, of which the best is searched.
    """
    from calmip.mip.lp.exact_lp import ExactLp, LinearAnswer

    if model.logic is None:
        return ExactLp(model).solve(integers, clock, bounds=ranges or {})
    from calmip.mip.pool import OPTIMUM, PoolSearch

    bounds = dict(enumerate(model.column_bounds)) | dict(ranges or {})
    every = range(len(model.columns))
    sides = {f"column_{name}": [bounds[c][n] for c in every] for n, name in SIDES}
    own = range(len(model.own_columns))
    values = {column: integers.get(column, 0) for column in own if model.is_integer(column)}
    search = PoolSearch(model.with_numbers(sides).fixed(values), OPTIMUM, clock=clock)
    try:
        found = next(iter(search), None)
    except InputError:  # the objective is unbounded
        return LinearAnswer(Status.UNKNOWN)
    if found is None:
        return LinearAnswer(Status.INFEASIBLE if search.complete else Status.UNKNOWN)
    cost = sum(factor * found.point.get(c, 0) for c, factor in model.costs.items())
    return LinearAnswer(Status.OPTIMAL, found.point, cost)


def _total(model: Model, violation: Violation, point: Mapping[int, Number]) -> Number:
    """Return the sum of the absolute terms of a row, or a column's size; at least 1."""
    if violation.kind not in SUMS:
        return max(1, _size(point.get(violation.number, 0)))
    terms = _terms_of(model, violation)
    return max(1, sum(_size(factor * point[c]) for c, factor in terms if c in point))


def _terms_of(model: Model, violation: Violation) -> list[tuple[int, Number]]:
    """Return the columns and coefficients of a violated row or construct."""
    if violation.kind == "row" or model.logic is None:
        return list(model.exact_row(violation.number).terms.items())
    return list(model.logic.constructs[violation.number].factors)


def relative(model: Model, violation: Violation, point: Mapping[int, Number]) -> Number:
    """Return a violation relative to the sum of the absolute terms."""
    return violation.amount / Fraction(_total(model, violation, point))


def allowance(model: Model, violation: Violation, point: Mapping[int, Number]) -> Number:
    """Return the greatest violation of a row or a column that is rounding: the tolerance."""
    if violation.kind in SUMS:
        parts = [(c, factor) for c, factor in _terms_of(model, violation) if factor]
        exact = all(model.is_integer(c) and factor.denominator == 1 for c, factor in parts)
    else:
        exact = model.is_integer(violation.number)
    return 0 if exact else TOLERANCE * Fraction(_total(model, violation, point))


def objective_step(model: Model) -> Number:
    """Return a number that divides the costs, if only integers have costs; else 0."""
    if not model.costs or not all(map(model.is_integer, model.costs)):
        return 0
    up = math.lcm(*(cost.denominator for cost in model.costs.values()))
    return Fraction(math.gcd(*(int(cost * up) for cost in model.costs.values())), up)


def objective_allowance(model: Model, point: Mapping[int, Number]) -> Number:
    """Return the tolerance of an objective: that of a row, and less than a step of integers."""
    total = exact_sum(
        (_size(cost), _size(point[c])) for c, cost in model.costs.items() if c in point
    )
    within, step = TOLERANCE * max(1, total), objective_step(model)
    return min(within, Fraction(step) / 4) if step else within


def differs(
    model: Model,
    point: Mapping[int, Number],
    stated: Stated,
    values: Mapping[str, float | Number],
    spread: Mapping[str, float | Number],
) -> bool:
    """Whether a stated objective is neither that of a checked point nor of the values as printed.

    Parameters
    ----------
    model, point
        The model and the checked point.
    stated
        The objective that the file states.
    values, spread
        The values as they were printed, and half a unit of the last digits.
    """
    objective = model.exact_objective(point)
    off = min(_size(one.objective - objective) for one in stated.senses(model))
    if off <= stated.rounding:
        return False
    reach = stated.rounding + objective_allowance(model, point)
    if off <= reach:
        return False
    for name, value in values.items():
        column = model.column_index.get(name, -1)
        cost, printed = _size(model.costs.get(column, 0)), exact_number(value)
        moved = _size(printed - point.get(column, 0))
        if not model.is_integer(column):
            reach += cost * (moved + exact_number(spread.get(name, 0)))
        elif moved <= 2 * TOLERANCE:
            reach += cost * moved
    return off > reach


def point_of(model: Model, values: Mapping[str, float | Number]) -> dict[int, Number]:
    """Return given values by column, exact; without those that are infinite or of no column."""
    return {
        model.column_index[name]: exact_number(value)
        for name, value in values.items()
        if model.column_index.get(name, math.inf) < len(model.own_columns) and math.isfinite(value)
    }


def all_violations(
    model: Model, values: Mapping[str, float | Number], clock: Deadline = ENDLESS
) -> list[Violation]:
    """Return the violations by given values: rows, bounds, integrality; the greatest first.

    Constructs that are not decided in time are left out.
    """
    kinds, point = list(TITLES), point_of(model, values)
    return sorted(
        model.violations(point, clock), key=lambda one: (kinds.index(one.kind), -one.amount)
    )


TITLES = {
    "row": "row",
    "construct": "",
    "bound": "the bound of",
    "integrality": "the integrality of",
}

SUMS = ("row", "construct")
"""The kinds of violations of several columns."""


def describe_violation(model: Model, violation: Violation) -> str:
    """Return a violation in words: what is violated, and by how much."""
    value, allowed = tell_apart(violation.value, violation.allowed)
    title = TITLES[violation.kind]
    if model.logic is not None and violation.kind == "construct":
        title = model.logic.constructs[violation.number].kind
    return (
        f"{title} {quote(name_of(model, violation))} by "
        f"{tell(violation.amount, 6)} ({value} instead of {allowed})"
    )


def name_of(model: Model, violation: Violation) -> str:
    """Return the name of the row, the construct or the column that is violated."""
    if model.logic is not None and violation.kind == "construct":
        return model.logic.constructs[violation.number].name
    return (model.rows if violation.kind == "row" else model.columns)[violation.number]
