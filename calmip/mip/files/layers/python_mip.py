"""Models of python-mip whose solver is HiGHS."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from typing import Any

from calmip.mip.display import quote
from calmip.mip.files.arrays import Layer, ModelArrays, dense
from calmip.mip.files.native import exact_number
from calmip.mip.rows import Number

GENERATORS = ("lazy_constrs_generator", "cuts_generator")
"""What adds rows while the model is solved."""


class PythonMipObject(Layer):
    """A ``mip.Model``.

    With CBC its lazy constraints and special ordered sets are in the solver alone, where nothing
    reads them. HiGHS has none.
    """

    package, base, title = "mip.model", "Model", "mip.Model"

    def arrays(self) -> ModelArrays:
        """Return the model as it is now."""
        model = self.problem
        solver = type(model.solver).__name__.removeprefix("Solver")
        if solver.upper() != "HIGHS":
            raise self.refuse(
                f"its solver {solver} may have lazy constraints and special ordered sets, which "
                "cannot be read; make it with solver_name=mip.HIGHS"
            )
        for part in GENERATORS:
            if getattr(model, part) is not None:
                raise self.refuse(f"the model has a {part}")
        variables, goal = list(model.vars), model.objective
        for x in variables:
            if x.var_type not in ("B", "I", "C"):
                raise self.refuse(f"variable {quote(x.name)} is of the type {x.var_type}")
        rows = [(row.name, row.expr) for row in model.constrs]
        # The constant of a row is on its left side.
        sides = [(one.sense, -exact_number(one.const)) for _, one in rows]
        return {
            "c": dense(((x.idx, value) for x, value in goal.expr.items()), len(variables)),
            "offset": goal.const,
            "maximise": model.sense == "MAX",
            "lower": [x.lb for x in variables],
            "upper": [x.ub for x in variables],
            "integrality": [x.var_type != "C" for x in variables],
            "names": [x.name for x in variables],
            "variables": variables,
            "A": [{x.idx: value for x, value in one.expr.items()} for _, one in rows],
            "row_lower": [-math.inf if sense == "<" else side for sense, side in sides],
            "row_upper": [math.inf if sense == ">" else side for sense, side in sides],
            "row_names": [name for name, _ in rows],
            "name": model.name,
        }

    def key(self, variable: Any) -> Hashable:
        """Return the number of a variable of this model."""
        return int(variable.idx) if variable.model is self.problem else None

    def assign(self, values: Sequence[Number]) -> None:
        """Set the start of the next solve; its solver alone sets the values."""
        self.problem.start = list(zip(self.variables, map(float, values), strict=True))

    def current(self) -> Sequence[float | None]:
        """Return the solution of the model, if it has one."""
        return [x.x for x in self.variables] if self.problem.num_solutions else []
