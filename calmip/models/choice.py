"""The model that chooses pieces with which several dates of a board can be solved."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from calmip.mip.model import Model
from calmip.puzzle.cover import ExactCover
from calmip.puzzle.instance import Selection
from calmip.puzzle.piece_set import PiecePool
from calmip.puzzle.puzzle import Puzzle


def choice_model(frame: Puzzle, pool: PiecePool, dates: Mapping[str, Sequence[str]]) -> Model:
    r"""Return the model that chooses pieces with which each of some dates can be solved.

    With :math:`y_{ik} = 1` if the set has the k-th copy of piece i, and
    :math:`x_{dp} = 1` if the tiling of date d has the placement p:

    * each cell of each date is covered once: :math:`\sum_p x_{dp} = 1` over its placements;
    * each tiling uses the pieces of the set:
      :math:`\sum_p x_{dp} - \sum_k y_{ik} = 0` over the placements of piece i;
    * copies are taken in their order, and there are as many pieces and cells as
      the pool says.

    Parameters
    ----------
    frame, pool
        The board and its groups, and the pieces to choose from.
    dates
        The labels that each date leaves uncovered, by its name.
    """
    columns: list[str] = []
    rows: list[tuple[str, dict[int, float], float, float]] = []
    copies: list[list[int]] = []
    for number, most in enumerate(pool.most):
        copies.append(list(range(len(columns), len(columns) + most)))
        columns += [f"y{number}_{copy}" for copy in range(most)]
        for copy, column in enumerate(copies[-1][1:], start=1):
            rows.append((f"o{number}_{copy}", {column - 1: 1.0, column: -1.0}, 0.0, math.inf))
        if pool.least[number]:
            rows.append(
                (f"w{number}", dict.fromkeys(copies[-1], 1.0), pool.least[number], math.inf)
            )
    areas = {
        column: float(len(piece.cells))
        for piece, some in zip(pool.pieces, copies, strict=True)
        for column in some
    }
    rows.append(("area", areas, pool.area, pool.area))
    if pool.number is not None:
        rows.append(("pieces", dict.fromkeys(areas, 1.0), pool.number, pool.number))
    used = [number for number, most in enumerate(pool.most) if most]
    supply = pool.supply(frame)
    for day, labels in enumerate(dates.values()):
        cover = ExactCover(Selection(supply, tuple(labels)))
        cells, first = len(cover.instance.to_cover), len(columns)
        columns += [f"x{day}_{option}" for option in range(cover.columns)]
        for item, options in enumerate(cover.options_of()):
            entries = {first + option: 1.0 for option in options}
            if item < cells:
                rows.append((f"c{day}_{item}", entries, 1, 1))
            else:
                number = used[item - cells]
                entries |= dict.fromkeys(copies[number], -1.0)
                rows.append((f"p{day}_{number}", entries, 0, 0))
    return Model.from_rows(
        columns,
        rows,
        name="choice",
        comments=(
            "which pieces: y(piece)_(copy); tilings: x(date)_(placement)",
            *(f"piece {n}: {len(p.cells)} cells" for n, p in enumerate(pool.pieces)),
            *(f"date {day}: {name}" for day, name in enumerate(dates)),
        ),
    )
