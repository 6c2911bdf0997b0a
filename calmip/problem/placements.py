"""Where a shape can lie: all its placements at once, as arrays of cells."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from calmip.problem.lattice import Shape

__all__ = ["agreeing", "placements"]

IntArray = npt.NDArray[np.int32]


def placements(shape: Shape, cells: IntArray, size: tuple[int, int]) -> IntArray:
    """Return the cells of every placement of one orientation.

    Parameters
    ----------
    shape
        The orientation: sorted (row, column), the first one (0, 0).
    cells
        The cells to cover, in row-major order, shape (cells, 2).
    size
        The numbers of rows and columns of the grid.

    Returns
    -------
    numpy.ndarray of int32
        Positions in ``cells``, ascending, shape (placements, k).
    """
    down_most = max(down for down, _ in shape)
    left_most = -min(right for _, right in shape)
    right_most = max(right for _, right in shape)
    height, width = size
    lookup = np.full((height + down_most, left_most + width + right_most), -1, dtype=np.int32)
    rows, columns = cells[:, 0], cells[:, 1]
    lookup[rows, columns + left_most] = np.arange(len(cells))
    offsets = np.array(shape, dtype=np.int32)
    covered: IntArray = lookup[
        rows[:, None] + offsets[:, 0], columns[:, None] + offsets[:, 1] + left_most
    ]
    whole: IntArray = covered[(covered >= 0).all(axis=1)]
    return whole


def agreeing(
    covered: IntArray, names: Sequence[str], lying: Sequence[tuple[str, Sequence[int]]]
) -> npt.NDArray[np.bool_]:
    """Return which placements of equal pieces agree with the pieces that lie there already.

    Parameters
    ----------
    covered
        The placements, as from `placements`.
    names
        The names of the equal pieces.
    lying
        The name of every piece that lies on the board, and its cells' positions, ascending.
    """
    taken = [cell for _, cells in lying for cell in cells]
    fixed = [cells for name, cells in lying if name in names]
    agrees = np.zeros(len(covered), dtype=bool)
    if len(fixed) < len(names):
        agrees |= ~np.isin(covered, taken).any(axis=1)
    for cells in fixed:
        agrees |= (covered == np.array(cells)).all(axis=1)
    return agrees
