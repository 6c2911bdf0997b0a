"""The linear relaxation of a binary model in HiGHS, to be changed and solved again."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from calmip._highs import new_highs, pass_rows
from calmip._interrupt import heed
from calmip.errors import SolverFailed
from calmip.problem.binary_model import BinaryModel

__all__ = ["TINY", "LinearModel", "LinearPoint"]

TINY = 1e-7
"""What is so near to a whole number is taken for it."""

ACCURACY = 1e-9
"""The tolerances of HiGHS, once the greatest cost is about 1."""

FloatArray = npt.NDArray[np.float64]


class LinearPoint(NamedTuple):
    """An optimal vertex of a linear relaxation.

    Parameters
    ----------
    bound
        The objective, which was to be small.
    values, reduced
        The value and the reduced cost of every column.
    prices
        The dual value of every row, those of added rows last.
    """

    bound: float
    values: FloatArray
    reduced: FloatArray
    prices: FloatArray

    @property
    def fractional(self) -> list[int]:
        """The columns that are neither 0 nor 1."""
        return np.flatnonzero(np.abs(self.values - np.round(self.values)) > TINY).tolist()

    @property
    def ones(self) -> list[int]:
        """The columns that are 1."""
        return np.flatnonzero(self.values > 1 - TINY).tolist()


class LinearModel:
    """A binary model whose columns may take any value from 0 to 1.

    Every solve starts from the last basis, by the dual simplex method on one
    thread without presolve: the same changes give the same points. The costs
    are scaled by the greatest, since HiGHS's tolerances are absolute.

    Parameters
    ----------
    model
        The model.

    Raises
    ------
    SolverMissing
        If highspy is not installed.
    """

    def __init__(self, model: BinaryModel) -> None:
        self._highs: Any = new_highs(
            "the linear relaxation",
            presolve="off",
            solver="simplex",
            simplex_strategy=1,
            parallel="off",
            primal_feasibility_tolerance=ACCURACY,
            dual_feasibility_tolerance=ACCURACY,
        )
        import highspy

        self._statuses: Any = highspy.HighsModelStatus
        bounds, matrix = (model.lower, model.upper), (model.start, model.index, model.value)
        # A power of two changes no digit.
        self._scale = 2.0 ** math.frexp(float(np.abs(model.cost).max(initial=0.0)))[1]
        if not pass_rows(self._highs, bounds, matrix, cost=model.cost / self._scale):
            raise SolverFailed("HiGHS does not take this model")

    def bound(self, column: int, low: float, high: float) -> None:
        """Let a column take values from ``low`` to ``high`` only."""
        self._highs.changeColBounds(column, low, high)

    def at_most(self, columns: Iterable[int], most: float) -> None:
        """Add the row that these columns add up to at most so much."""
        chosen = np.array(sorted(columns), dtype=np.int32)
        self._highs.addRow(-np.inf, most, len(chosen), chosen, np.ones(len(chosen)))

    def solve(self) -> LinearPoint | None:
        """Return an optimal vertex, or None if HiGHS calls the relaxation infeasible.

        Raises
        ------
        SolverFailed
            If HiGHS ends without an answer.
        """
        highs = self._highs
        highs.run()
        heed()
        status = highs.getModelStatus()
        if status == self._statuses.kInfeasible:
            return None
        if status != self._statuses.kOptimal:
            word = highs.modelStatusToString(status)
            raise SolverFailed(f"HiGHS ended the relaxation with the status '{word}'")
        found = highs.getSolution()
        bound, reduced, prices = (
            np.where(np.abs(numbers) <= TINY, 0.0, numbers) * self._scale
            for numbers in (
                np.array(highs.getInfo().objective_function_value),
                np.array(found.col_dual),
                np.array(found.row_dual),
            )
        )
        return LinearPoint(float(bound), np.array(found.col_value), reduced, prices)
