"""Z3, in a process of its own: rows become pseudo-Boolean constraints."""

from __future__ import annotations

import math
from fractions import Fraction
from pathlib import Path
from typing import Any

from calmip._limits import Limits
from calmip.errors import SolverFailed, shown
from calmip.problem.binary_model import BinaryModel
from calmip.solvers.base import OptionUnknown, Outcome, Status
from calmip.solvers.packages.base import Package

__all__ = ["Z3"]


class Z3(Package):
    """Z3. It uses one thread, whatever the limits say."""

    name, package, module = "z3", "z3-solver", "z3"
    unused = ("threads",)

    def work(self, model: Path, limits: Limits) -> Outcome:
        """Read a model file and solve it, in this process."""
        import z3

        from calmip.formats.model_files import read_model

        arrays = read_model(model)
        x = [z3.Bool(name) for name in arrays.columns]
        z3.set_param("smt.random_seed", limits.seed)
        z3.set_param("sat.random_seed", limits.seed)
        for name, value in limits.options:
            try:
                z3.set_param(name, value)
            except z3.Z3Exception as error:
                raise OptionUnknown(
                    f"Z3 has no option {shown(name)} that could be '{shown(value)}': {error}"
                ) from None
        minimised = _is_minimised(arrays)
        solver: Any = z3.Optimize() if minimised else z3.Solver()
        if minimised:
            cost = [
                (Fraction(number), v) for number, v in zip(arrays.cost.tolist(), x, strict=True)
            ]
            solver.minimize(
                z3.Sum([z3.If(v, z3.Q(*c.as_integer_ratio()), 0) for c, v in cost if c])
            )
        if limits.seconds is not None:
            solver.set("timeout", max(1, round(limits.seconds * 1000)))
        for row in range(len(arrays.rows)):
            part = slice(arrays.start[row], arrays.start[row + 1])
            columns = [x[column] for column in arrays.index[part].tolist()]
            values = [Fraction(value) for value in arrays.value[part].tolist()]
            solver.add(*_row(z3, columns, values, arrays.lower[row], arrays.upper[row]))
        verdict = solver.check()
        if verdict == z3.sat:
            found = solver.model()
            chosen = [name for name, v in zip(arrays.columns, x, strict=True) if found[v]]
            return Outcome(Status.OPTIMAL, dict.fromkeys(chosen, 1.0), "sat")
        if verdict == z3.unsat:
            return Outcome(Status.INFEASIBLE, detail="unsat")
        reason = solver.reason_unknown()
        if reason == "timeout" or reason.endswith("canceled"):  # or sat.canceled
            return Outcome(Status.UNKNOWN, detail=reason)
        raise SolverFailed(f"Z3 gave up: {reason}")


def _is_minimised(model: BinaryModel) -> bool:
    """Return whether there is an objective that could tell two points apart."""
    return bool(model.cost.any())


def _row(z3: Any, columns: list[Any], values: list[Fraction], low: float, high: float) -> list[Any]:
    """Return a row's constraints, its coefficients made whole numbers."""
    sides = [Fraction(side) for side in (low, high) if math.isfinite(side)]
    scale = math.lcm(*(number.denominator for number in (*values, *sides)))
    terms = [(x, int(value * scale)) for x, value in zip(columns, values, strict=True)]
    if not terms:
        return [z3.BoolVal(low <= 0 <= high)]
    if low == high:
        return [z3.PbEq(terms, int(Fraction(low) * scale))]
    rows = []
    if math.isfinite(low):
        rows.append(z3.PbGe(terms, int(Fraction(low) * scale)))
    if math.isfinite(high):
        rows.append(z3.PbLe(terms, int(Fraction(high) * scale)))
    return rows
