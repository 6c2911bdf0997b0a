"""The placement model in Pyomo."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pyomo.core as pyo
from pyomo.opt import WriterFactory
from pyomo.repn import plugins

from calmip.models.base import Formulation
from calmip.puzzle.cover import ExactCover

__all__ = ["PyomoModel"]

# pyomo.environ loads twice as many modules, of solvers and extensions.
if "lp" not in list(WriterFactory):
    plugins.load()


class PyomoModel(Formulation):
    """The placement model as a ``pyomo.ConcreteModel``; see `calmip.models.Formulation`.

    Parameters
    ----------
    cover
        The exact cover to express.

    Attributes
    ----------
    native : pyomo.environ.ConcreteModel
        The model: binary ``x`` by option name, constraints ``cover`` by item
        name, and ``cuts``, a list for no-good cuts.
    """

    suffix = ".lp"

    def __init__(self, cover: ExactCover) -> None:
        names = cover.option_names
        items = {item.name: number for number, item in enumerate(cover.items)}
        rows = cover.options_of()
        demand = cover.demand
        first_piece = len(cover.instance.to_cover)

        model = pyo.ConcreteModel("calmip")
        model.x = pyo.Var(names, domain=pyo.Binary)
        x = [model.x[name] for name in names]

        def covered(_: Any, name: str) -> Any:
            row = items[name]
            if not rows[row]:
                return pyo.Constraint.Infeasible
            return sum(x[option] for option in rows[row]) == demand[row]

        model.tilings = pyo.Objective(expr=sum(x[option] for option in rows[first_piece]))
        model.cover = pyo.Constraint(list(items), rule=covered)
        model.cuts = pyo.ConstraintList()
        self.native = model
        self._x = x
        self._items = cover.rows
        self._nonzeros = cover.nonzeros

    @property
    def size(self) -> tuple[int, int, int]:
        """The numbers of columns, rows and nonzeros, cuts included."""
        return len(self._x), self._items + len(self.native.cuts), self._nonzeros

    def forbid(self, options: Iterable[int], *, most: int) -> None:
        """Add a no-good cut: at most ``most`` of these options together."""
        chosen = [self._x[option] for option in options]
        self._nonzeros += len(chosen)
        self.native.cuts.add(sum(chosen) <= most)

    def write(self, path: Path) -> None:
        """Write the model with Pyomo's own writers, as MPS or LP by suffix."""
        self.native.write(str(path), io_options={"labeler": _label})


def _label(component: Any) -> str:
    """Return a component's name in a file: variables and rows by their index."""
    index = component.index()
    return index if isinstance(index, str) else component.name.replace("[", "").replace("]", "")
