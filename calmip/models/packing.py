"""The packing model: cover as many cells as possible, none and no piece more than once."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from calmip.models.matrix import MatrixModel
from calmip.problem.cover import ExactCover, Reveal

__all__ = ["PackingModel"]


class PackingModel(MatrixModel):
    """The placement model with ``<=`` for cells and pieces; see `calmip.models.base.Formulation`.

    It makes the number of covered cells large (as a file: minus that number
    small). The board can be tiled if and only if all cells can be covered;
    otherwise the optimum says how near one can come. A free reveal group still
    shows exactly one label, whose cells count as covered.

    Where labels differ in size, one more row keeps the uncovered area right:
    else a larger label could take the place of a piece.

    Parameters
    ----------
    cover
        The exact cover to express.

    Attributes
    ----------
    native : BinaryModel
        The arrays.
    """

    packs = True

    @staticmethod
    def objective(cover: ExactCover) -> float:
        """Return minus the number of cells to cover."""
        return -float(len(cover.instance.to_cover))

    def __init__(self, cover: ExactCover) -> None:
        super().__init__(cover)
        cells = len(cover.instance.to_cover)
        lower = np.array([item.demand if item.kind == "group" else -np.inf for item in cover.items])
        # Every option covers cells and, as its last item, a piece or a group.
        covered = np.diff(cover.start) - 1
        cost = self.native.cost.copy()
        cost[: cover.columns] = -covered
        self.native = replace(self.native, lower=lower, cost=cost)
        # A piece that lies on the board already stays there.
        lying = {placed.cells for placed in cover.instance.placed}
        for option in range(cover.placements):
            if lying and cover.option(option).cells in lying:
                self.native = self.native.with_row(f"f_{option}", [option], 1, 1)
        reveals = range(cover.placements, cover.columns)
        if len({int(covered[option]) for option in reveals}) > 1:
            area = cells - cover.instance.puzzle.area
            sizes = {option: len(_reveal(cover, option).cells) for option in reveals}
            self.native = self.native.with_row("a_area", reveals, area, area)
            self.native.value[-len(sizes) :] = list(sizes.values())


def _reveal(cover: ExactCover, option: int) -> Reveal:
    found = cover.option(option)
    assert isinstance(found, Reveal)
    return found
