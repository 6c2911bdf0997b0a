"""Problems of cvxpy that are linear, or become so by its own reductions (abs, max, norm1)."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator, Sequence
from fractions import Fraction
from typing import Any

from calmip._base.errors import InputError, clip
from calmip.mip.display import quote
from calmip.mip.files.arrays import Layer, ModelArrays, sparse_rows
from calmip.mip.files.native import exact_number
from calmip.mip.rows import Bound, Interval, Number

Terms = dict[int, Any]
Line = tuple[Terms, Bound, Bound]

KEPT = frozenset(("boolean", "integer", "bounds", "nonneg", "nonpos", "pos", "neg"))
"""The attributes with which a variable keeps its entries; cvxpy replaces others by smaller ones."""


class CvxpyObject(Layer):
    """A ``cvxpy.Problem``."""

    package, base, title = "cvxpy", "Problem", "cvxpy.Problem"

    def arrays(self) -> ModelArrays:
        """Return the problem as it is now, as cvxpy gives it to SciPy."""
        self.refuse_unknown()
        data, inverse = self.reduced()
        program = data["param_prob"]
        own = {variable.id: variable for variable in self.problem.variables()}
        # Those of cvxpy's own come last.
        found = sorted(
            program.variables, key=lambda x: (x.id not in own, program.var_id_to_col[x.id])
        )
        names: list[str] = []
        keys: list[Hashable] = []
        columns: list[int] = []
        for variable in found:
            title = own[variable.id].name() if variable.id in own else f"auxiliary[{len(names)}]"
            names += _named(title, variable.shape, variable.size)
            first = program.var_id_to_col[variable.id]
            columns += range(first, first + variable.size)
            number = variable.id if variable.id in own else None
            keys += [(number, index) for index in range(variable.size)]
        width = len(names)
        lower, upper = (
            [infinite] * width if data.get(key) is None else data[key].tolist()
            for key, infinite in (("lower_bounds", -math.inf), ("upper_bounds", math.inf))
        )
        order = self.row_order(inverse)
        lines = [
            *_lines(data["A"], data["b"], equal=True),
            *_lines(data["G"], data["h"], equal=False),
        ]
        named = [
            (name, *line)
            for (_, name), line in sorted(
                zip(order, lines, strict=True), key=lambda pair: pair[0][0]
            )
        ]
        rows = [line for line in named if not _is_bound(line, lower, upper)]
        integers = {*data["bool_vars_idx"], *data["int_vars_idx"]}
        for column in data["bool_vars_idx"]:
            lower[column], upper[column] = max(lower[column], 0), min(upper[column], 1)
        sign = -1 if type(self.problem.objective).__name__ == "Maximize" else 1
        row_of = {column: index for index, column in enumerate(columns)}
        return {
            "c": [sign * data["c"][column] for column in columns],
            "offset": sign * float(program.apply_parameters()[1]),
            "maximise": sign < 0,
            "lower": [lower[column] for column in columns],
            "upper": [upper[column] for column in columns],
            "integrality": [column in integers for column in columns],
            "names": names,
            "variables": keys,
            "A": [{row_of[c]: value for c, value in terms.items()} for _, terms, *_ in rows],
            "row_lower": [low for *_, low, _ in rows],
            "row_upper": [high for *_, high in rows],
            "row_names": [name for name, *_ in rows],
        }

    def refuse_unknown(self) -> None:
        """Refuse a parameter without a value, and a variable that cvxpy replaces."""
        if not self.problem.variables():
            raise self.refuse("the problem has no variables")
        for parameter in self.problem.parameters():
            if parameter.value is None:
                raise self.refuse(f"parameter {quote(parameter.name())} has no value")
        for variable in self.problem.variables():
            for attribute, value in variable.attributes.items():
                if value is not None and value is not False and attribute not in KEPT:
                    where = f"variable {quote(variable.name())}"
                    raise self.refuse(f"{where} has the attribute {attribute}")

    def reduced(self) -> tuple[Any, Any]:
        """Return the arrays that SciPy's solver would get, and how rows belong to constraints."""
        import cvxpy

        try:
            data, _, inverse = self.problem.get_problem_data(cvxpy.SCIPY)
        except cvxpy.error.DCPError as error:
            why = clip(" ".join(str(error).split()), 300)
            raise self.refuse(f"cvxpy does not accept the problem: {why}") from None
        except cvxpy.error.SolverError as error:
            raise self.refuse(self.not_linear() or clip(str(error), 300)) from None
        return data, inverse[-1]

    def not_linear(self) -> str:
        """Return which part is neither linear nor piecewise linear; empty if none is found."""
        parts = {"the objective": self.problem.objective}
        parts |= {f"constraints[{n}]": one for n, one in enumerate(self.problem.constraints)}
        for where, part in parts.items():
            linear = getattr(part, "is_pwl", lambda part=part: all(a.is_pwl() for a in part.args))
            known = type(part).__name__ in ("Minimize", "Maximize", "Inequality", "Equality")
            if not (known or type(part).__name__ in ("NonNeg", "NonPos", "Zero")) or not linear():
                return f"{where} is not piecewise linear: {clip(part, 100)}"
        return ""

    def row_order(self, inverse: Any) -> Iterator[tuple[int, str]]:
        """Yield the number of each row's constraint, and a name: its label or number, and entry.

        Constraints of cvxpy's own, as for abs and max, come after those of the problem.
        """
        numbers = {one.id: number for number, one in enumerate(self.problem.constraints)}
        auxiliary = 0
        for constraint in (*inverse["eq_constr"], *inverse["other_constr"]):
            number = numbers.get(constraint.id)
            if number is None:
                name, auxiliary = f"auxiliary[{auxiliary}]", auxiliary + 1
                number = len(numbers)
            else:
                label = getattr(self.problem.constraints[number], "label", None)
                name = label or f"constraints[{number}]"
            (inside,) = constraint.args
            for entry in _named(name, inside.shape, inside.size):
                yield number, entry

    def key(self, variable: Any) -> Hashable:
        """Return the number of a scalar variable or of an entry such as ``x[0]``, and its place."""
        if isinstance(variable, tuple):
            return variable
        if type(variable).__name__ == "index":
            (parent,) = variable.args
            index, step = 0, 1
            for part, size in zip(variable.key, parent.shape, strict=True):
                (number,) = range(*part.indices(size))
                index, step = index + step * number, step * size
            return parent.id, index
        return (variable.id, 0) if variable.size == 1 else None

    def assign(self, values: Sequence[Number]) -> None:
        """Set the values of all variables."""
        import numpy as np

        found = dict(zip(self.variables, values, strict=True))
        for variable in self.problem.variables():
            flat = [float(found[variable.id, index]) for index in range(variable.size)]
            variable.save_value(np.reshape(flat, variable.shape, order="F"))

    def current(self) -> Sequence[float | None]:
        """Return the values that the variables have now; a solution of cvxpy has no others."""
        if any(column[0] is None for column in self.variables):
            raise InputError(
                f"{self.title}: the values of auxiliary variables, as of abs and max, are unknown"
            )
        own = {variable.id: variable for variable in self.problem.variables()}
        if any(variable.value is None for variable in own.values()):
            return []
        flat = {
            number: variable.value.flatten(order="F").tolist() for number, variable in own.items()
        }
        return [flat[number][index] for number, index in self.variables]


def _named(name: str, shape: Sequence[int], size: int) -> Iterator[str]:
    """Yield the names of the entries, column by column as cvxpy has them; a scalar has its own."""
    for index in range(size):
        numbers, rest = [], index
        for width in shape:
            numbers.append(str(rest % width))
            rest //= width
        yield f"{name}[{','.join(numbers)}]" if numbers else name


def _lines(matrix: Any, sides: Any, *, equal: bool) -> Iterator[Line]:
    """Yield the rows of a matrix, equations or inequalities."""
    if matrix is None:
        return
    for terms, side in zip(sparse_rows(matrix), sides.tolist(), strict=True):
        yield {c: value for c, value in terms if value}, side if equal else -math.inf, side


def _is_bound(line: tuple[str, Terms, Bound, Bound], lower: list[Any], upper: list[Any]) -> bool:
    """Set the bounds of a variable by a row that has it alone; return whether it is such a row."""
    _, terms, low, high = line
    if len(terms) != 1:
        return False
    ((column, factor),) = terms.items()
    sides = Interval(exact_number(low), exact_number(high))
    ends = sides.times(1 / Fraction(exact_number(factor)))
    lower[column] = max(exact_number(lower[column]), ends.low)
    upper[column] = min(exact_number(upper[column]), ends.high)
    return True
