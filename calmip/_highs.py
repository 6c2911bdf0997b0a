"""HiGHS, made in one way for all who use it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from calmip.errors import SolverMissing

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    _Integers = npt.NDArray[np.integer[Any]]

__all__ = ["new_highs", "pass_rows"]


def new_highs(user: str, **options: str | bool | float) -> Any:
    """Return a silent `highspy.Highs` with these options set.

    Parameters
    ----------
    user
        Who needs it, for the message if it is missing: "HiGHS", "the one-tree search".
    options
        HiGHS's options by name; one that this version does not know is passed over.

    Raises
    ------
    SolverMissing
        If highspy is not installed or does not load.
    """
    try:
        import highspy
    except ImportError as error:
        raise SolverMissing(f"{user} needs highspy ({error}); pip install highspy") from None
    highs = highspy.Highs()
    for option, setting in {"output_flag": False, **options}.items():
        highs.setOptionValue(option, setting)
    return highs


def pass_rows(
    highs: Any,
    bounds: tuple[npt.ArrayLike, npt.ArrayLike],
    matrix: tuple[_Integers, _Integers, npt.NDArray[np.float64]],
    *,
    cost: npt.NDArray[np.float64],
    most: float = 1.0,
) -> bool:
    """Give HiGHS the linear program over these rows; return whether it takes it.

    Parameters
    ----------
    highs
        What `new_highs` made.
    bounds
        The lower and the upper bound of each row, infinite where there is none.
    matrix
        Start, index and value of the rows in compressed form: row ``i`` has the
        coefficients ``value[start[i]:start[i + 1]]`` in the columns
        ``index[start[i]:start[i + 1]]``.
    cost
        What each column costs, which says how many there are.
    most
        The upper bound of all columns; the lower one is 0.
    """
    import highspy
    import numpy as np

    start, index, value = matrix
    lp = highspy.HighsLp()
    lp.num_col_, lp.num_row_ = len(cost), len(start) - 1
    lp.col_cost_ = cost
    lp.col_lower_, lp.col_upper_ = np.zeros(len(cost)), np.full(len(cost), most)
    lp.row_lower_, lp.row_upper_ = (np.asarray(side, dtype=np.float64) for side in bounds)
    lp.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    lp.a_matrix_.start_ = start.astype(np.int32)
    lp.a_matrix_.index_ = index.astype(np.int32)
    lp.a_matrix_.value_ = value
    return bool(highs.passModel(lp) != highspy.HighsStatus.kError)
