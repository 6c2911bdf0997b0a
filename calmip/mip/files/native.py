"""What the readers of objects share: a model in parts, and an object with its variables."""

from __future__ import annotations

import math
import numbers
from abc import ABC, abstractmethod
from array import array
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar, cast

from calmip._base.errors import InputError
from calmip.mip.display import quote, tell
from calmip.mip.model import Model, NamedRow, decimal_of, inexact, unused_name
from calmip.mip.rows import INFINITE, Bound, Number, finite_or_infinite, no_finite_value, shortest
from calmip.mip.status import Status

if TYPE_CHECKING:
    from calmip.mip.constructs import Construct, Extreme


def exact_number(value: Any) -> Bound:
    """Return a number without rounding, that of a float as its shortest decimal; keep infinity."""
    if type(value) is float:
        return decimal_of(value)
    if isinstance(value, numbers.Integral):
        return int(value)
    # A decimal may be infinite, or too large to be written in full.
    if isinstance(value, Fraction) or (isinstance(value, Decimal) and math.isfinite(float(value))):
        return shortest(Fraction(value))
    return decimal_of(float(value))


def added(terms: Iterable[tuple[int, Any]]) -> dict[int, Any]:
    """Return coefficients by column, the exact sum where a column is repeated."""
    found: dict[int, Any] = {}
    for column, value in terms:
        repeated = column in found
        found[column] = exact_number(found[column]) + exact_number(value) if repeated else value
    return found


def distinct_names(names: Sequence[str], letter: str) -> Iterator[str]:
    """Yield the names; one that is empty or a duplicate gets the number of its place."""
    taken, seen = set(names), {""}
    for number, name in enumerate(names):
        new = name
        if name in seen:
            new = unused_name(f"{name}_{number}" if name else f"{letter}{number}", taken)
            taken.add(new)
        seen.add(new)
        yield new


@dataclass(eq=False, repr=False)
class Draft:
    """The parts of a model as its language gives them.

    Parameters
    ----------
    title
        The kind of object, for messages.
    name, maximise, offset
        Those of the model; ``offset`` is the objective's constant.
    """

    title: str
    name: str = ""
    maximise: bool = False
    offset: Number = 0
    variables: list[Any] = field(default_factory=list)
    columns: list[tuple[str, Bound, Bound, bool]] = field(default_factory=list)
    rows: list[tuple[str, dict[int, float | Number], Bound, Bound]] = field(default_factory=list)
    cost: dict[int, float | Number] = field(default_factory=dict)
    constructs: list[Construct] = field(default_factory=list)
    semi: set[int] = field(default_factory=set)

    def refuse(self, what: str) -> InputError:
        """Return the error that the object has a part that is no part of a linear model."""
        return InputError(f"{self.title}: {what}; only mixed-integer linear models are read")

    def column(
        self, variable: Any, name: str, low: Any, high: Any, *, integer: bool, semi: bool = False
    ) -> None:
        """Add a variable; a bound of None is infinite, and a semi-continuous one may be 0."""
        self.variables.append(variable)
        if semi:
            self.semi.add(len(self.columns))
        where = f"variable {quote(name or f'c{len(self.columns)}')}"
        self.columns.append((name, *self._sides(low, high, where), integer))

    def row(
        self, name: str, terms: Iterable[tuple[int, Any]], low: Any, high: Any, constant: Any = 0
    ) -> None:
        """Add a row whose constant is moved to the bounds, without rounding."""
        where = f"row {quote(name or f'r{len(self.rows)}')}"
        moved = cast(Number, exact_number(self._number(constant, where)))
        sides = self._sides(low, high, where, moved)
        self.rows.append((name, self.terms(terms, where), *sides))

    def indicator(
        self,
        name: str,
        conditions: Sequence[tuple[int, int]],
        terms: Iterable[tuple[int, Any]],
        low: Any,
        high: Any,
    ) -> None:
        """Add a row that holds if each of some binary columns has its value, 0 or 1."""
        from calmip.mip.constructs import Indicator  # as for all of them: a small model has none

        name = name or f"indicator{len(self.constructs)}"
        where = f"indicator constraint {quote(name)}"
        exact = self._exact(terms, where)
        sides, (first, *also) = self._sides(low, high, where), conditions
        self.constructs.append(Indicator(name, *first, exact, *sides, tuple(also)))

    def equivalence(
        self,
        name: str,
        condition: tuple[int, int],
        terms: Iterable[tuple[int, Any]],
        low: Any,
        high: Any,
    ) -> None:
        """Add that a binary column has a value, 0 or 1, if and only if a row holds."""
        from calmip.mip.constructs import Equivalence

        name = name or f"equivalence{len(self.constructs)}"
        where = f"equivalence {quote(name)}"
        exact, sides = self._exact(terms, where), self._sides(low, high, where)
        self.constructs.append(Equivalence(name, *condition, exact, *sides))

    def ordered_set(self, name: str, most: int, members: Iterable[tuple[int, Any]]) -> None:
        """Add a special ordered set of columns with weights."""
        from calmip.mip.constructs import OrderedSet

        name = name or f"sos{len(self.constructs)}"
        pairs = sorted(members, key=lambda pair: float(pair[1]))
        columns = tuple(column for column, _ in pairs)
        if len(set(columns)) < len(columns) or len({weight for _, weight in pairs}) < len(pairs):
            raise self.refuse(f"set {quote(name)} has a variable or a weight twice")
        if most not in (1, 2):
            raise self.refuse(f"set {quote(name)} is of the type {most}, not 1 or 2")
        self.constructs.append(OrderedSet(name, columns, most))

    def extreme(
        self,
        name: str,
        column: int,
        sums: Iterable[tuple[Iterable[tuple[int, Any]], Any]],
        sign: int,
    ) -> None:
        """Add that a column is the greatest (1) or the least (-1) of sums with constants."""
        from calmip.mip.constructs import Extreme

        name = name or f"general{len(self.constructs)}"
        where = f"general constraint {quote(name)}"
        parts = [
            (self._exact(terms, where), cast(Number, exact_number(self._number(add, where))))
            for terms, add in sums
        ]
        if not parts:
            raise self.refuse(f"{where} has no arguments")
        (one, _), (other, _) = parts[0], parts[-1]
        opposite = {c: -v for c, v in one.items()} == other and len(one) == 1
        absolute = sign > 0 and len(parts) == 2 and opposite and not any(add for _, add in parts)
        self.constructs.append(Extreme(name, column, tuple(parts), sign, absolute=absolute))

    def logical(self, name: str, column: int, arguments: Iterable[int], sign: int) -> None:
        """Add that a binary column is the disjunction (1) or the conjunction (-1) of others."""
        self.extreme(name, column, (([(one, 1)], 0) for one in arguments), sign)
        self.constructs[-1] = replace(cast("Extreme", self.constructs[-1]), logical=True)

    def broken_line(
        self, name: str, column: int, argument: int, points: Iterable[tuple[Any, Any]]
    ) -> None:
        """Add that a column is a piecewise-linear function of another one."""
        from calmip.mip.constructs import BrokenLine, is_ascending

        name = name or f"general{len(self.constructs)}"
        where = f"general constraint {quote(name)}"
        exact = [
            tuple(cast(Number, exact_number(self._number(one, where))) for one in point)
            for point in points
        ]
        pairs = tuple((x, y) for x, y in exact)
        if len(pairs) < 2 or not is_ascending(pairs):
            raise self.refuse(f"{where} has fewer than two points, or a jump")
        self.constructs.append(BrokenLine(name, column, argument, pairs))

    def _exact(self, terms: Iterable[tuple[int, Any]], where: str) -> dict[int, Number]:
        found = self.terms(terms, where)
        return {column: cast(Number, exact_number(value)) for column, value in found.items()}

    def objective(self, terms: Iterable[tuple[int, Any]], constant: Any) -> None:
        """Set the objective."""
        self.cost = self.terms(terms, "the objective")
        self.offset = cast(Number, exact_number(self._number(constant, "the objective")))

    def terms(self, terms: Iterable[tuple[int, Any]], where: str) -> dict[int, float | Number]:
        """Return coefficients by column, the exact sum where a column is repeated, without 0."""
        found = added((column, self._number(value, where)) for column, value in terms)
        return {column: found[column] for column in sorted(found) if found[column]}

    def _sides(self, low: Any, high: Any, where: str, constant: Number = 0) -> tuple[Bound, Bound]:
        """Return bounds minus a constant; those that solvers treat as infinite are."""
        lower = exact_number(-math.inf if low is None else low)
        upper = exact_number(math.inf if high is None else high)
        if lower != lower or upper != upper:  # noqa: PLR0124 - isnan takes no integer over 1e308
            raise self.refuse(f"{where} has the bounds {tell(lower)} and {tell(upper)}")
        lower, upper = (finite_or_infinite(end) for end in (lower - constant, upper - constant))
        if lower == math.inf or upper == -math.inf:
            raise self.refuse(no_finite_value(where, lower, upper))
        return lower, upper

    def _number(self, value: Any, where: str) -> float | Number:
        """Return a number of the model; one that solvers treat as infinite is refused.

        A float stays one, as the model takes it as its shortest decimal.
        """
        found = value if type(value) is float else exact_number(value)
        if not -INFINITE < found < INFINITE:
            shown = found if isinstance(found, float) else tell(found)
            raise self.refuse(
                f"{where} has the number {shown}, not a finite one below {INFINITE:g}"
            )
        return found

    def model(self, native: Native) -> Model:
        """Return the model; a name that is missing or a duplicate is changed."""
        if not self.columns:
            raise self.refuse("the model has no variables")
        sign = -1 if self.maximise else 1
        columns = list(distinct_names([name for name, *_ in self.columns], "c"))
        names = distinct_names([name for name, *_ in self.rows], "r")
        lower, upper = (
            [low for _, low, *_ in self.columns],
            [high for _, _, high, _ in self.columns],
        )
        cost = [sign * self.cost.get(column, 0) for column in range(len(columns))]
        rows = [(name, *rest) for name, (_, *rest) in zip(names, self.rows, strict=True)]
        exact = {
            **inexact("value", (value for _, some, _, _ in self.rows for value in some.values())),
            **inexact("lower", (low for *_, low, _ in self.rows)),
            **inexact("upper", (high for *_, high in self.rows)),
            **inexact("column_lower", lower),
            **inexact("column_upper", upper),
            **inexact("cost", cost),
            **inexact("offset", [self.offset]),
        }
        model = Model.from_rows(
            columns,
            cast("list[NamedRow]", rows),
            cast("list[float]", cost),
            exact=exact,
            column_lower=array("d", lower),
            column_upper=array("d", upper),
            integer=array("b", (integer for *_, integer in self.columns)),
            name="_".join(self.name.split()) or "model",
            maximise=self.maximise,
            offset=float(self.offset),
            native=native,
        )
        if not self.semi and not self.constructs:
            return model
        from calmip.mip.constructs import semi_continuous
        from calmip.mip.linearise import linearise

        constructs = [*semi_continuous(columns, self.semi, lower, upper), *self.constructs]

        try:
            return linearise(model, constructs)
        except InputError as error:
            raise InputError(f"{self.title}: {error.message}") from None


class Native(ABC):
    """An object of a modelling language, with its variables in the order of the columns.

    Attributes
    ----------
    package, base : str
        The package of the object's class, and the name of this class or of one it extends.
    title : str
        The usual name of the class.
    """

    package: ClassVar[str]
    base: ClassVar[str]
    title: ClassVar[str]

    def __init__(self, problem: Any) -> None:
        self.problem = problem
        self.variables: tuple[Any, ...] = ()
        self.constraints: tuple[Any, ...] = ()
        """Those of the rows, if the object takes dual values."""
        self.open_ends: dict[tuple[int, str], str] = {}
        self._places: dict[Hashable, int] = {}

    def model(self) -> Model:
        """Return the model of the object as it is now."""
        draft = Draft(self.title)
        self.open_ends = {}
        self.read(draft)
        self.variables = tuple(draft.variables)
        self._places = {self.key(one): index for index, one in enumerate(self.variables)}
        return draft.model(self)

    @abstractmethod
    def read(self, draft: Draft) -> None:
        """Add the variables, the rows and the objective to a draft."""

    @abstractmethod
    def key(self, variable: Any) -> Hashable:
        """Return what tells a variable from the others; an `AttributeError` if it is none."""

    @abstractmethod
    def assign(self, values: Sequence[Number]) -> None:
        """Set the values of all variables."""

    @abstractmethod
    def current(self) -> Sequence[float | None]:
        """Return the values that the variables have now; none at all without a solution."""

    def assign_duals(  # noqa: B027 - most take none
        self, duals: Sequence[Number], reduced_costs: Sequence[Number], slacks: Sequence[Number]
    ) -> None:
        """Set the dual values and slacks of the rows, and the reduced costs of the variables.

        If they are empty, those of an earlier solve are removed.
        """

    def tell(self, status: Status) -> None:  # noqa: B027 - most have none to set
        """Set the status of the object, if it has one that can be set."""

    def constant(self, _: Any) -> Number | None:
        """Return the value of a variable that is fixed and so no column; None of another."""
        return None

    def place(self, variable: Any) -> int | None:
        """Return the column of a variable, or None if the model has no such variable."""
        try:
            return self._places.get(self.key(variable))
        except Exception:  # what a foreign object raises: highspy a bare Exception
            return None

    def __reduce__(self) -> tuple[Any, ...]:
        # A model that is sent to another process loses its object, which need not be portable.
        return type(None), ()
