"""The placement model in PuLP."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pulp

from calmip.models.base import Formulation
from calmip.puzzle.cover import ExactCover

__all__ = ["PulpModel"]


class PulpModel(Formulation):
    """The placement model as a ``pulp.LpProblem``; see `calmip.models.Formulation`.

    Parameters
    ----------
    cover
        The exact cover to express.

    Attributes
    ----------
    native : pulp.LpProblem
        The problem; its variables and constraints carry the names of the
        options and items.
    """

    def __init__(self, cover: ExactCover) -> None:
        problem = pulp.LpProblem("calmip", pulp.LpMinimize)
        x = [problem.add_variable(name, cat=pulp.LpBinary) for name in cover.option_names]
        first_piece = len(cover.instance.to_cover)
        rows = cover.options_of()
        problem += pulp.lpSum(x[option] for option in rows[first_piece])
        for item, options in zip(cover.items, rows, strict=True):
            problem += pulp.lpSum(x[option] for option in options) == item.demand, item.name
        self.native = problem
        self._x = x
        self._items = cover.rows
        self._nonzeros = cover.nonzeros
        self._cuts = 0

    @property
    def size(self) -> tuple[int, int, int]:
        """The numbers of columns, rows and nonzeros, cuts included."""
        return len(self._x), self._items + self._cuts, self._nonzeros

    def forbid(self, options: Iterable[int], *, most: int) -> None:
        """Add a no-good cut: at most ``most`` of these options together."""
        chosen = [self._x[option] for option in options]
        self._cuts += 1
        self._nonzeros += len(chosen)
        self.native += pulp.lpSum(chosen) <= most, f"n{self._cuts}"

    def write(self, path: Path) -> None:
        """Write the problem with PuLP's own writers, as MPS or LP by suffix."""
        if path.suffix == ".lp":
            self.native.writeLP(str(path))
        else:
            self.native.writeMPS(str(path), rename=False)
