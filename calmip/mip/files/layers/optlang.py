"""Models of optlang, and those of cobra, which hold one."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

from calmip._base.errors import InputError
from calmip.mip.display import quote
from calmip.mip.files.arrays import Layer, ModelArrays
from calmip.mip.rows import Number

KINDS = ("continuous", "integer", "binary")


class OptlangObject(Layer):
    """A ``Model`` of an interface of optlang, such as ``optlang.glpk_interface``."""

    package, base, title = "optlang", "Model", "optlang.Model"

    @property
    def source(self) -> Any:
        """The model of optlang."""
        return self.problem

    def arrays(self) -> ModelArrays:
        """Return the model as it is now, its variables by name: optlang has them from a set."""
        model = self.source
        model.update()
        variables = sorted(model.variables, key=lambda x: str(x.name))
        place = {x.name: number for number, x in enumerate(variables)}
        for x in variables:
            if x.type not in KINDS:
                raise self.refuse(f"variable {quote(x.name)} is {x.type}")
        rows = list(model.constraints)
        terms = [self.terms(row, f"constraint {quote(row.name)}", place) for row in rows]
        goal = model.objective
        cost = self.terms(goal, "the objective", place)
        return {
            "c": [cost.get(number, 0) for number in range(len(variables))],
            "offset": constant_of(goal.expression, variables),
            "maximise": goal.direction == "max",
            "lower": [-float("inf") if x.lb is None else x.lb for x in variables],
            "upper": [float("inf") if x.ub is None else x.ub for x in variables],
            "integrality": [x.type != "continuous" for x in variables],
            "names": [x.name for x in variables],
            "variables": variables,
            "A": terms,
            "row_lower": [-float("inf") if row.lb is None else row.lb for row in rows],
            "row_upper": [float("inf") if row.ub is None else row.ub for row in rows],
            "row_names": [row.name for row in rows],
            "name": model.name or getattr(self.problem, "id", None) or "",
        }

    def terms(self, part: Any, what: str, place: dict[str, int]) -> dict[int, Any]:
        """Return the coefficients of a row or the objective; refuse what is not linear."""
        if getattr(part, "indicator_variable", None) is not None:
            raise self.refuse(f"{what} has the indicator {quote(part.indicator_variable.name)}")
        if not part.is_Linear:
            raise self.refuse(f"{what} is not linear")
        variables = list(part.variables)
        found = part.get_linear_coefficients(variables) if variables else {}
        return {place[x.name]: value for x, value in found.items() if value}

    def key(self, variable: Any) -> Hashable:
        """Return the name of a variable of this model."""
        return str(variable.name) if variable.problem is self.source else None

    def assign(self, _: Sequence[Number]) -> None:
        """Refuse: optlang has no place for values."""
        raise InputError(
            f"{self.title} takes no values: its solver alone sets them; read them from the solution"
        )

    def current(self) -> Sequence[float | None]:
        """Return the solution of the solver, if it has one."""
        if self.source.status is None:
            return []
        return [x.primal for x in self.variables]


class CobraObject(OptlangObject):
    """A ``cobra.Model``, whose fluxes are the difference of two variables for each reaction."""

    package, base, title = "cobra", "Model", "cobra.Model"

    @property
    def source(self) -> Any:
        """The model of optlang that it holds."""
        return self.problem.solver


def constant_of(expression: Any, variables: Sequence[Any]) -> float:
    """Return the value of an expression where all variables are 0."""
    free = getattr(expression, "free_symbols", ())
    if not free:
        return float(expression)
    named = {x.name: x for x in variables}
    return float(expression.subs({named[str(x.name)]: 0 for x in free}))
