"""Models of MathOpt, the newest interface of OR-Tools."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

from calmip._base.errors import InputError
from calmip.mip.files.arrays import Layer, ModelArrays, dense
from calmip.mip.files.layers.ortools_linear import unknown_part
from calmip.mip.files.native import Draft, added
from calmip.mip.rows import Number

KNOWN = frozenset(
    (
        "name",
        "variables",
        "objective",
        "linear_constraints",
        "linear_constraint_matrix",
        "indicator_constraints",
    )
)
"""The parts of a message that are read."""

KNOWN_OF_OBJECTIVE = frozenset(("maximize", "offset", "linear_coefficients", "name", "priority"))


class MathOptObject(Layer):
    """A ``mathopt.Model``."""

    package, base, title = "ortools.math_opt.python.model", "Model", "mathopt.Model"

    def arrays(self) -> ModelArrays:
        """Return the model as it is now."""
        message = self.problem.export_model()
        goal = unknown_part(message.objective, KNOWN_OF_OBJECTIVE)
        if unknown := unknown_part(message, KNOWN) or goal:
            raise self.refuse(unknown)
        variables, rows = message.variables, message.linear_constraints
        columns = {number: position for position, number in enumerate(variables.ids)}
        row_positions = {number: position for position, number in enumerate(rows.ids)}
        terms: list[list[tuple[int, float]]] = [[] for _ in row_positions]
        entries = message.linear_constraint_matrix
        for row, column, value in zip(
            entries.row_ids, entries.column_ids, entries.coefficients, strict=True
        ):
            terms[row_positions[row]].append((columns[column], value))
        linear = message.objective.linear_coefficients
        costs = zip(linear.ids, linear.values, strict=True)
        return {
            "c": dense(((columns[number], value) for number, value in costs), len(columns)),
            "offset": message.objective.offset,
            "maximise": message.objective.maximize,
            "lower": list(variables.lower_bounds),
            "upper": list(variables.upper_bounds),
            "integrality": list(variables.integers),
            "names": [self.problem.get_variable(n).name for n in columns],
            "A": [added(some) for some in terms],
            "row_lower": list(rows.lower_bounds),
            "row_upper": list(rows.upper_bounds),
            "row_names": [self.problem.get_linear_constraint(n).name for n in row_positions],
            "variables": [self.problem.get_variable(number) for number in columns],
            "name": message.name,
        }

    def add_constructs(self, draft: Draft) -> None:
        """Add the indicator constraints; without a variable, one is ignored."""
        model = self.problem
        places = {variable.id: place for place, variable in enumerate(self.arrays()["variables"])}
        for one in model.get_indicator_constraints():
            if one.indicator_variable is None:
                continue
            condition = places[one.indicator_variable.id], int(not one.activate_on_zero)
            terms = [(places[term.variable.id], term.coefficient) for term in one.terms()]
            draft.indicator(one.name, [condition], terms, one.lower_bound, one.upper_bound)

    def key(self, variable: Any) -> Hashable:
        """Return the number of a variable of this model."""
        self.problem.check_compatible(variable)
        return int(variable.id)

    def assign(self, _: Sequence[Number]) -> None:
        """Refuse, as the model has no place for values."""
        raise InputError(
            f"{self.title} holds no values; give them to a solver by a mathopt.SolutionHint"
        )
