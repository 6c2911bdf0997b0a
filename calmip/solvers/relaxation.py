"""The linear relaxation of a model file, by HiGHS."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from calmip._highs import new_highs
from calmip._interrupt import heed
from calmip.errors import SolverFailed
from calmip.solvers.highs import read_file

__all__ = ["LinearOptimum", "relax"]


@dataclass(frozen=True)
class LinearOptimum:
    """The optimum of a linear relaxation.

    Parameters
    ----------
    bound
        The optimum, None if the relaxation is infeasible.
    values
        The columns that are not zero, by name.
    """

    bound: float | None
    values: dict[str, float]


def relax(model: Path) -> LinearOptimum:
    """Solve the linear relaxation of a model file.

    Raises
    ------
    SolverMissing
        If highspy is not installed.
    SolverFailed
        If HiGHS cannot read the file, or ends without an answer.
    """
    highs = new_highs("the linear relaxation", solve_relaxation=True)
    read_file(highs, model)
    highs.run()
    heed()
    word = highs.modelStatusToString(highs.getModelStatus())
    if word in ("Infeasible", "Primal infeasible or unbounded"):
        return LinearOptimum(None, {})
    if word != "Optimal":
        raise SolverFailed(f"HiGHS ended the relaxation with the status '{word}'")
    names, values = highs.getLp().col_names_, highs.getSolution().col_value
    point = {name: value for name, value in zip(names, values, strict=True) if value}
    return LinearOptimum(float(highs.getInfo().objective_function_value), point)
