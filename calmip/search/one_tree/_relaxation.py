"""The linear relaxation of a node, by the dual simplex method of HiGHS."""

from __future__ import annotations

from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from calmip._highs import new_highs
from calmip.search.one_tree._tree_rows import FloatArray, Rows

__all__ = ["Answer", "HighsRelaxation", "Judge"]

BASE_ITERATIONS = 4
"""The fixed cost of a solve, in simplex iterations."""

NEVER = 2**52
"""A cost that nothing can repay."""


class Answer(NamedTuple):
    """What a relaxation says of a node.

    Parameters
    ----------
    infeasible
        Whether it claims that the node holds no point.
    multipliers
        The row multipliers that are to prove it, or None.
    work
        What it cost, in touched coefficients.
    """

    infeasible: bool
    multipliers: FloatArray | None
    work: int


class Judge(Protocol):
    """Something that may recognise infeasible nodes; it is never believed without proof."""

    def solve(self, value: npt.NDArray[np.int8], seconds: float | None) -> Answer:
        """Judge a node.

        Parameters
        ----------
        value
            0 or 1 for each fixed column, -1 for each free one.
        seconds
            How long it may take; None for as long as it needs.
        """
        ...  # pragma: no cover


class HighsRelaxation:
    """One HiGHS LP whose column bounds follow the nodes; each solve starts from the last basis.

    Raises
    ------
    SolverMissing
        If highspy is not installed.
    """

    def __init__(self, rows: Rows) -> None:
        self._highs = new_highs(
            "the one-tree search",
            presolve="off",
            solver="simplex",
            simplex_strategy=1,
            parallel="off",
        )
        self._nonzeros = len(rows.value)
        self._value = np.full(rows.columns, -1, dtype=np.int8)
        # HiGHS refuses coefficients above 1e15; then the rows alone have to do.
        bounds, matrix = (rows.lower, rows.upper), (rows.start, rows.column, rows.value)
        self._accepted = self._highs.pass_rows(bounds, matrix, cost=np.zeros(rows.columns))

    def solve(self, value: npt.NDArray[np.int8], seconds: float | None) -> Answer:
        """Solve the relaxation of a node; anything but a plain "infeasible" says nothing."""
        if not self._accepted:
            return Answer(False, None, NEVER)
        highs = self._highs
        changed = np.flatnonzero(value != self._value)
        fixed = value[changed]
        highs.bound_columns(changed, fixed == 1, fixed != 0)
        self._value = value.copy()
        if seconds is not None:
            # HiGHS counts the time of all solves of one object together.
            highs.set({"time_limit": highs.seconds + max(0.0, seconds)})
        highs.run()
        infeasible = highs.status == "Infeasible"
        ray = highs.dual_ray() if infeasible else None
        multipliers = None if ray is None else np.array(ray)
        iterations = max(0, int(highs.info("simplex_iteration_count") or 0))
        return Answer(infeasible, multipliers, (iterations + BASE_ITERATIONS) * self._nonzeros)
