"""The linear relaxation of a binary model in HiGHS, to be changed and solved again."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from calmip._highs import new_highs
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
        self._highs = new_highs(
            "the linear relaxation",
            presolve="off",
            solver="simplex",
            simplex_strategy=1,
            parallel="off",
            primal_feasibility_tolerance=ACCURACY,
            dual_feasibility_tolerance=ACCURACY,
        )
        bounds, matrix = (model.lower, model.upper), (model.start, model.index, model.value)
        # A power of two changes no digit.
        self._scale = 2.0 ** math.frexp(float(np.abs(model.cost).max(initial=0.0)))[1]
        if not self._highs.pass_rows(bounds, matrix, cost=model.cost / self._scale):
            raise SolverFailed("HiGHS does not take this model")

    def bound(self, column: int, low: float, high: float) -> None:
        """Let a column take values from ``low`` to ``high`` only."""
        self._highs.bound_columns([column], [low], [high])

    def at_most(self, columns: Iterable[int], most: float) -> None:
        """Add the row that these columns add up to at most so much."""
        self._highs.add_row(-math.inf, most, sorted(columns))

    def solve(self) -> LinearPoint | None:
        """Return an optimal vertex, or None if HiGHS calls the relaxation infeasible.

        Raises
        ------
        SolverFailed
            If HiGHS ends without an answer.
        """
        highs = self._highs
        highs.run()
        if highs.status == "Infeasible":
            return None
        optimum = highs.info("objective_function_value")
        if highs.status != "Optimal" or optimum is None:
            raise SolverFailed(f"HiGHS ended the relaxation with the status '{highs.status}'")
        bound, reduced, prices = (
            np.where(np.abs(numbers) <= TINY, 0.0, numbers) * self._scale
            for numbers in map(np.array, (optimum, *highs.duals()))
        )
        return LinearPoint(float(bound), np.array(highs.values()), reduced, prices)
