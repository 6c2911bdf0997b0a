"""Z3, in a process of its own: rows become pseudo-Boolean constraints."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

from calmip._limits import Limits
from calmip.errors import SolverFailed, shown
from calmip.problem.binary_model import WholeRow
from calmip.solver.base import OptionUnknown, Outcome, Status
from calmip.solver.packages.base import Package

__all__ = ["Z3"]

MOST = 2**31
"""Numbers of its pseudo-Boolean constraints are smaller."""


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
        minimised = bool(arrays.costs)
        solver: Any = z3.Optimize() if minimised else z3.Solver()
        if minimised:
            cost = arrays.costs.items()
            solver.minimize(
                z3.Sum([z3.If(x[c], z3.Q(v.numerator, v.denominator), 0) for c, v in cost])
            )
        if limits.seconds is not None:
            solver.set("timeout", max(1, round(limits.seconds * 1000)))
        for row in range(len(arrays.rows)):
            solver.add(*_row(z3, x, arrays.row(row)))
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


def _row(z3: Any, x: list[Any], row: WholeRow) -> list[Any]:
    """Return a row's constraints."""
    coefficients, low, high = row
    terms = [(x[column], value) for column, value in coefficients.items()]
    if not terms or low > high:
        return [z3.BoolVal(low <= 0 <= high)]
    finite = [side for side in (low, high) if not math.isinf(side)]
    small = all(abs(number) < MOST for number in (*coefficients.values(), *finite))
    if small and low == high:
        return [z3.PbEq(terms, low)]
    # Its pseudo-Boolean constraints take 32 bits, its integers take any number.
    total: Any = None if small else z3.Sum([z3.If(one, z3.IntVal(v), 0) for one, v in terms])
    rows = []
    if low > -math.inf:
        rows.append(z3.PbGe(terms, low) if small else total >= low)
    if high < math.inf:
        rows.append(z3.PbLe(terms, high) if small else total <= high)
    return rows
