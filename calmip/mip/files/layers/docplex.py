"""Models of docplex, which are read without CPLEX."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator, Sequence
from itertools import pairwise
from typing import Any, cast

from calmip.mip.constructs import with_slopes
from calmip.mip.display import quote
from calmip.mip.files.arrays import Layer, ModelArrays, dense
from calmip.mip.files.native import Draft, added, exact_number
from calmip.mip.rows import Bound, Number, finite_or_infinite

Line = tuple[str, dict[int, Any], Bound, Bound]

OTHER_PARTS = ("lazy_constraints", "user_cut_constraints")
"""What docplex keeps beside its constraints."""

EXTREMES = {"AbsExpr": 1, "MaximumExpr": 1, "MinimumExpr": -1}
LOGICAL = {"LogicalAndExpr": -1, "LogicalOrExpr": 1}
"""The functions that are read: 1 for a maximum or a disjunction, -1 for the others."""

ROWS = ("LinearConstraint", "NotEqualConstraint")
"""Linear rows; docplex states an inequality by the truth value of its equation, which is 0."""

INDICATORS = ("IndicatorConstraint", "IfThenConstraint")
EQUIVALENCE = "EquivalenceConstraint"

OWN = ("PwlExpr", "LinearConstraint")
"""What the parts that docplex makes are constraints of the model for: the argument and the value of
a piecewise-linear function, and the truth value of a row.
"""


class DocplexObject(Layer):
    """A ``docplex.mp.model.Model``."""

    package, base, title = "docplex.mp.model", "Model", "docplex.mp.model.Model"

    def arrays(self) -> ModelArrays:
        """Return the model as it is now."""
        model = self.problem
        goal = model.objective_expr
        self.refuse_unknown(goal)
        # docplex makes variables for abs, max and others when it looks at the terms.
        costs, size = list(goal.iter_terms()), -1
        while size < model.number_of_variables:
            size = model.number_of_variables
            self._functions = self.functions()
            rows = [row for row in model.iter_constraints() if not self.is_made(row)]
            lines = [(row, number) for number, row in enumerate(rows) if not _is_construct(row)]
            found = [self.line(row, number) for row, number in lines]
        variables = [x for x in model.iter_variables() if not self.is_made(x)]
        self._place = {x.index: place for place, x in enumerate(variables)}
        return {
            "c": dense(((self.place_of(x), value) for x, value in costs), len(variables)),
            "offset": goal.get_constant(),
            "maximise": model.is_maximized(),
            "lower": [x.lb for x in variables],
            "upper": [x.ub for x in variables],
            "integrality": [x.cplex_typecode not in "CS" for x in variables],
            "names": [_made_of(x) if x.is_generated() else x.name or "" for x in variables],
            "variables": variables,
            "A": [self.placed(terms) for _, terms, *_ in found],
            "row_lower": [low for *_, low, _ in found],
            "row_upper": [high for *_, high in found],
            "row_names": [name for name, *_ in found],
            "name": model.name or "",
        }

    def refuse_unknown(self, goal: Any) -> None:
        """Refuse what is no part of a linear model; constraints are looked at one by one."""
        model = self.problem
        if model.has_multi_objective():
            raise self.refuse("the model has several objectives")
        if goal.is_quad_expr():
            raise self.refuse("the objective is quadratic")
        for kind in OTHER_PARTS:
            for part in getattr(model, f"iter_{kind}")():
                name = quote(getattr(part, "name", None) or str(part))
                raise self.refuse(f"{name} is one of its {kind.replace('_', ' ')}")

    def functions(self) -> dict[int, tuple[Any, Any]]:
        """Return each function whose value docplex has made a variable, and that variable."""
        found = {}
        for x in list(self.problem.iter_variables()):
            origin = x.origin[0] if x.is_generated() and isinstance(x.origin, tuple) else None
            if origin is not None and type(origin).__name__ in {*EXTREMES, *LOGICAL}:
                found[id(origin)] = origin, origin.functional_var
                for one in _arguments(origin):
                    list(one.iter_terms())  # which may have functions, too
        return found

    def is_made(self, part: Any) -> bool:
        """Return whether docplex has made a part to state a function, but for its value."""
        if not part.is_generated():
            return False
        origin = part.origin[0] if isinstance(part.origin, tuple) else part.origin
        if type(origin).__name__ in OWN:
            return False
        _, value = self._functions.get(id(origin), (None, part))
        return part is not value

    def place_of(self, variable: Any) -> int:
        """Return the column of a variable; refuse one that docplex has made of something else."""
        place = self._place.get(variable.index)
        if place is None:
            raise self.refuse(f"it uses a part of {quote(str(variable.origin[0]))}")
        return place

    def placed(self, terms: dict[int, Any]) -> dict[int, Any]:
        """Return terms by column."""
        variables = self.problem.get_var_by_index
        return {self.place_of(variables(index)): value for index, value in terms.items()}

    def add_constructs(self, draft: Draft) -> None:
        """Add functions, logical constraints, ordered sets, and semi-continuous variables."""
        model = self.problem
        for index, place in self._place.items():
            if model.get_var_by_index(index).cplex_typecode in "SN":
                draft.semi.add(place)
        for number, row in enumerate(model.iter_constraints()):
            if _is_logical(row) and not self.is_made(row):
                _, terms, *sides = self.line(row.linear_constraint, number)
                condition = self.place_of(row.binary_var), int(row.active_value)
                placed = self.placed(terms).items()
                if type(row).__name__ == EQUIVALENCE:
                    draft.equivalence(row.name or "", condition, placed, *sides)
                else:
                    draft.indicator(row.name or "", [condition], placed, *sides)
        for one in model.iter_sos():
            if not self.is_made(one):
                members = [self.place_of(x) for x in one.iter_variables()]
                pairs = zip(members, one.weights, strict=True)
                draft.ordered_set(one.name or "", one.sos_type.value, pairs)
        for line in model.iter_pwl_constraints():
            columns = self.place_of(line.y), self.place_of(line.expr)
            draft.broken_line(line.name or _made_of(line.y), *columns, _points(line.pwl_func))
        for function, value in self._functions.values():
            self.add_function(draft, function, self.place_of(value))

    def add_function(self, draft: Draft, function: Any, place: int) -> None:
        """Add that a column is the value of a function."""
        kind, name = type(function).__name__, str(function)
        if kind in LOGICAL:
            arguments = [self.place_of(x.as_logical_operand()) for x in _arguments(function)]
            draft.logical(name, place, arguments, LOGICAL[kind])
            return
        absolute = kind == "AbsExpr"
        sums = []
        for one in _arguments(function):
            terms = [(self.place_of(x), value) for x, value in one.iter_terms()]
            sums.append((terms, one.get_constant()))
            if absolute:
                opposite = [(column, -exact_number(value)) for column, value in terms]
                sums.append((opposite, -exact_number(one.get_constant())))
        draft.extreme(name, place, sums, EXTREMES[kind])

    def line(self, row: Any, number: int) -> Line:
        """Return a row; a constraint that docplex has made of others has no name."""
        name = row.name or ""
        if type(row).__name__ == "RangeConstraint":
            moved = row.expr.get_constant()
            terms = added((x.index, value) for x, value in row.expr.iter_terms())
            return name, terms, _shifted(row.lb, moved), _shifted(row.ub, moved)
        sense = getattr(getattr(row, "sense", None), "name", "")
        if type(row).__name__ not in ROWS or sense not in ("LE", "GE", "EQ"):
            where = quote(name) if name else f"{number} (it has no name)"
            raise self.refuse(f"constraint {where} is of the kind {type(row).__name__}")
        left, right = row.get_left_expr(), row.get_right_expr()
        side = _shifted(right.get_constant(), left.get_constant())
        low, high = -math.inf if sense == "LE" else side, math.inf if sense == "GE" else side
        return name, added(_difference(left, right)), low, high

    def key(self, variable: Any) -> Hashable:
        """Return the number of a variable of this model."""
        return int(variable.index) if variable.model is self.problem else None

    def assign(self, values: Sequence[Number]) -> None:
        """Add a start; CPLEX alone sets the values."""
        start = dict(zip(self.variables, map(float, values), strict=True))
        self.problem.add_mip_start(self.problem.new_solution(start))

    def current(self) -> Sequence[float | None]:
        """Return the solution of the model, if it has one."""
        solution = self.problem.solution
        return [] if solution is None else [solution.get_value(x) for x in self.variables]


def _arguments(function: Any) -> list[Any]:
    """Return the arguments of a function."""
    one = getattr(function, "argument_expr", None)
    return list(function.iter_exprs()) if one is None else [one]


def _is_construct(row: Any) -> bool:
    """Return whether a constraint is more than a row, and `add_constructs` adds it."""
    return _is_logical(row) or type(row).__name__ == "PwlConstraint"


def _is_logical(row: Any) -> bool:
    """Return whether a constraint is a row that a binary variable switches."""
    return type(row).__name__ in (*INDICATORS, EQUIVALENCE)


def _made_of(variable: Any) -> str:
    """Return what docplex has made a variable for."""
    origin = variable.origin
    if not isinstance(origin, tuple):
        return str(origin)
    function, place = origin
    is_argument = type(function).__name__ == "PwlExpr" and place
    return str(_arguments(function)[0] if is_argument else function)


def _points(function: Any) -> list[tuple[Number, Number]]:
    """Return points of a piecewise-linear function; the first and the last segment have no end.

    docplex itself rounds if a function is given by slopes.
    """

    def exact(number: Any) -> Number:
        return cast(Number, exact_number(number))

    given = function.pwl_def
    if hasattr(given, "breaksxy"):
        points = [(exact(x), exact(y)) for x, y in given.breaksxy]
        return with_slopes(exact(given.preslope), exact(given.postslope), points)
    slopes = [*(exact(slope) for slope, _ in given.slopebreaksx), exact(given.lastslope)]
    breaks = [exact(place) for _, place in given.slopebreaksx]
    start, value = map(exact, given.anchor)
    ends = [-math.inf, *breaks, math.inf]

    def at(place: Number) -> Number:
        low, high = sorted((start, place))
        pieces = zip(slopes, pairwise(ends), strict=True)
        change: Number = sum(
            slope * cast(Number, min(right, high) - max(left, low))
            for slope, (left, right) in pieces
            if left < high and right > low
        )
        return value + (change if place > start else -change)

    points = [(place, at(place)) for place in breaks] or [(start, value)]
    return with_slopes(slopes[0], slopes[-1], points)


def _shifted(bound: Any, constant: Any) -> Bound:
    """Return a bound of a row minus the constant on the row's other side, without rounding."""
    side = finite_or_infinite(exact_number(bound))
    return side if not constant else side - exact_number(constant)


def _difference(left: Any, right: Any) -> Iterator[tuple[int, Any]]:
    """Yield the terms of one side minus the other one, which may have the same variables."""
    for variable, value in left.iter_terms():
        yield variable.index, value
    for variable, value in right.iter_terms():
        yield variable.index, -exact_number(value)
