"""Models of docplex, which are read without CPLEX."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator, Sequence
from typing import Any

from calmip.mip.display import quote
from calmip.mip.files.arrays import Layer, ModelArrays, dense
from calmip.mip.files.model_builder import finite_or_infinite
from calmip.mip.files.native import Draft, added, exact_number
from calmip.mip.rows import Bound, Number

Line = tuple[str, dict[int, Any], Bound, Bound]

OTHER_PARTS = ("pwl_constraints", "lazy_constraints", "user_cut_constraints")
"""What docplex keeps beside its constraints."""


class DocplexObject(Layer):
    """A ``docplex.mp.model.Model``."""

    package, base, title = "docplex.mp.model", "Model", "docplex.mp.model.Model"

    def arrays(self) -> ModelArrays:
        """Return the model as it is now."""
        model = self.problem
        goal = model.objective_expr
        self.refuse_unknown(goal)
        # docplex makes variables for abs, max and others when it looks at the terms.
        costs = [(x.index, value) for x, value in goal.iter_terms()]
        rows = enumerate(model.iter_constraints())
        lines = [self.line(row, number) for number, row in rows if not _is_indicator(row)]
        self.refuse_made()
        variables = list(model.iter_variables())
        return {
            "c": dense(costs, len(variables)),
            "offset": goal.get_constant(),
            "maximise": model.is_maximized(),
            "lower": [x.lb for x in variables],
            "upper": [x.ub for x in variables],
            "integrality": [x.cplex_typecode not in "CS" for x in variables],
            "names": [x.name or "" for x in variables],
            "variables": variables,
            "A": [terms for _, terms, *_ in lines],
            "row_lower": [low for *_, low, _ in lines],
            "row_upper": [high for *_, high in lines],
            "row_names": [name for name, *_ in lines],
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

    def refuse_made(self) -> None:
        """Refuse constructs that docplex has made of others: its variables are not the user's."""
        model = self.problem
        made = [one.binary_var for one in model.iter_constraints() if _is_indicator(one)]
        made += [x for one in model.iter_sos() for x in one.iter_variables()]
        if any(x.is_generated() for x in made):
            raise self.refuse(
                "docplex has made variables for abs, max, min or a logical constraint"
            )

    def add_constructs(self, draft: Draft) -> None:
        """Add indicator constraints, special ordered sets, and semi-continuous variables."""
        model = self.problem
        for place, x in enumerate(model.iter_variables()):
            if x.cplex_typecode in "SN":
                draft.semi.add(place)
        for number, row in enumerate(model.iter_constraints()):
            if _is_indicator(row):
                _, terms, low, high = self.line(row.linear_constraint, number)
                condition = row.binary_var.index, int(row.active_value)
                draft.indicator(row.name or "", [condition], terms.items(), low, high)
        for one in model.iter_sos():
            members = [x.index for x in one.iter_variables()]
            pairs = zip(members, one.weights, strict=True)
            draft.ordered_set(one.name or "", one.sos_type.value, pairs)

    def line(self, row: Any, number: int) -> Line:
        """Return a row; a constraint that docplex has made of others has no name."""
        name = row.name or ""
        if type(row).__name__ == "RangeConstraint":
            moved = row.expr.get_constant()
            terms = added((x.index, value) for x, value in row.expr.iter_terms())
            return name, terms, _shifted(row.lb, moved), _shifted(row.ub, moved)
        sense = getattr(getattr(row, "sense", None), "name", "")
        if type(row).__name__ != "LinearConstraint" or sense not in ("LE", "GE", "EQ"):
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


def _is_indicator(row: Any) -> bool:
    """Return whether a constraint holds if a binary variable has a value, and not only then."""
    return type(row).__name__ == "IndicatorConstraint"


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
