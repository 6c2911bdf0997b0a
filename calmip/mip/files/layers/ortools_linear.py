"""Models of OR-Tools' linear interfaces, pywraplp and model_builder: one message has both."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import Any

from calmip._base.errors import join_words
from calmip.mip.display import quote
from calmip.mip.files.arrays import Layer, ModelArrays
from calmip.mip.files.native import Draft, added
from calmip.mip.rows import Number

KNOWN = frozenset(
    (
        "name",
        "maximize",
        "objective_offset",
        "variable",
        "constraint",
        "general_constraint",
        "solution_hint",
    )
)
"""The parts of a message that a linear model may have; a hint says nothing about its solutions."""


def unknown_part(message: Any, known: frozenset[str]) -> str:
    """Return which part of a message is not known, with the names in it; empty if there is none."""
    for part, content in message.ListFields():
        if part.name not in known:
            inside = content.values() if hasattr(content, "values") else content
            several = inside if isinstance(inside, Iterable) else ()
            names = [quote(name) for one in several if (name := getattr(one, "name", ""))]
            return f"it has the part {part.name}{': ' if names else ''}{join_words(names)}"
    return ""


class LinearMessage(Layer):
    """A model that exports itself as an ``MPModelProto``."""

    def message(self) -> Any:
        """Return the message of the model as it is now."""
        raise NotImplementedError

    def objects(self) -> Sequence[Any]:
        """Return the caller's variables in the order of the message."""
        raise NotImplementedError

    def add_constructs(self, draft: Draft) -> None:
        """Add the indicator constraints of the message that was read."""
        for number, one in enumerate(self._constructs):
            name = one.name or f"general{number}"
            part = one.indicator_constraint
            if not one.HasField("indicator_constraint") or part.constraint.is_lazy:
                raise self.refuse(f"general constraint {quote(name)} is none that is read")
            row = part.constraint
            terms = zip(row.var_index, row.coefficient, strict=True)
            condition = part.var_index, int(part.var_value)
            draft.indicator(name, [condition], terms, row.lower_bound, row.upper_bound)

    def arrays(self) -> ModelArrays:
        """Return the model as it is now."""
        message = self.message()
        if unknown := unknown_part(message, KNOWN):
            raise self.refuse(unknown)
        variables, rows = message.variable, message.constraint
        self._constructs = list(message.general_constraint)
        return {
            "c": [x.objective_coefficient for x in variables],
            "offset": message.objective_offset,
            "maximise": message.maximize,
            "lower": [x.lower_bound for x in variables],
            "upper": [x.upper_bound for x in variables],
            "integrality": [x.is_integer for x in variables],
            "names": [x.name for x in variables],
            "A": [added(zip(row.var_index, row.coefficient, strict=True)) for row in rows],
            "row_lower": [row.lower_bound for row in rows],
            "row_upper": [row.upper_bound for row in rows],
            "row_names": [row.name for row in rows],
            "variables": self.objects(),
            "name": message.name,
        }


class SolverObject(LinearMessage):
    """A ``pywraplp.Solver``."""

    package, base, title = "ortools.linear_solver.pywraplp", "Solver", "pywraplp.Solver"

    def message(self) -> Any:
        """Return the message of the model as it is now."""
        from ortools.linear_solver import linear_solver_pb2

        message = linear_solver_pb2.MPModelProto()
        self.problem.ExportModelToProto(message)
        return message

    def objects(self) -> Sequence[Any]:
        """Return the variables of the solver."""
        found: Sequence[Any] = self.problem.variables()
        return found

    def key(self, variable: Any) -> Hashable:
        """Return the address of a variable, of which there are several Python objects."""
        return int(variable.this)

    def assign(self, values: Sequence[Number]) -> None:
        """Set the hint with which the solver starts; it alone sets values."""
        self.problem.SetHint(list(self.variables), [float(value) for value in values])

    def current(self) -> Sequence[float | None]:
        """Return the solution of the solver, if it has one."""
        from ortools.linear_solver import linear_solver_pb2

        answer = linear_solver_pb2.MPSolutionResponse()
        self.problem.FillSolutionResponseProto(answer)
        return list(answer.variable_value)


class BuilderObject(LinearMessage):
    """A ``model_builder.Model``."""

    package, base = "ortools.linear_solver.python.model_builder", "Model"
    title = "model_builder.Model"

    def message(self) -> Any:
        """Return the message of the model as it is now."""
        return self.problem.export_to_proto()

    def objects(self) -> Sequence[Any]:
        """Return the variables of the model."""
        return [self.problem.var_from_index(n) for n in range(self.problem.num_variables)]

    def key(self, variable: Any) -> Hashable:
        """Return the number of a variable of this model."""
        here = variable.helper is self.problem.helper
        return int(variable.index) if here else None

    def assign(self, values: Sequence[Number]) -> None:
        """Set the hint with which a solver starts; the model has no values."""
        self.problem.clear_hints()
        for variable, value in zip(self.variables, values, strict=True):
            self.problem.add_hint(variable, float(value))
