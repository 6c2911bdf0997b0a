"""The linear relaxation of a model file, by HiGHS."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from calmip.errors import SolverFailed, SolverMissing

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
    try:
        import highspy
    except ImportError as error:
        raise SolverMissing(f"relaxations need highspy ({error}); pip install highspy") from None
    highs = highspy.Highs()
    highs.setOptionValue("output_flag", False)
    highs.setOptionValue("solve_relaxation", True)
    if highs.readModel(str(model)) == highspy.HighsStatus.kError:
        raise SolverFailed(f"HiGHS cannot read the model file {model.name}")
    highs.run()
    status = highs.getModelStatus()
    if status in (
        highspy.HighsModelStatus.kInfeasible,
        highspy.HighsModelStatus.kUnboundedOrInfeasible,
    ):
        return LinearOptimum(None, {})
    if status != highspy.HighsModelStatus.kOptimal:
        word = highs.modelStatusToString(status)
        raise SolverFailed(f"HiGHS ended the relaxation with the status '{word}'")
    names, values = highs.getLp().col_names_, highs.getSolution().col_value
    point = {name: value for name, value in zip(names, values, strict=True) if value}
    return LinearOptimum(float(highs.getInfo().objective_function_value), point)
