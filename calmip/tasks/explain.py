"""Why an instance has no tiling: a small conflict, and numbers that prove it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from calmip._limits import Limits
from calmip.documents.description import describe_instance
from calmip.problem.cover import ExactCover, Item
from calmip.problem.status import Status
from calmip.search.conflict import TRIES, find_conflict
from calmip.tasks._result import Pictured

if TYPE_CHECKING:
    from calmip.problem.instance import Instance
    from calmip.problem.lattice import Cell
    from calmip.search.conflict import Conflict

__all__ = ["Explanation", "explain"]


@dataclass(frozen=True, repr=False)
class Explanation(Pictured):
    """What conflicts in an instance.

    Parameters
    ----------
    cover
        The exact cover of the instance, whose equations conflict.
    status
        Infeasible with a conflict, feasible if there is a tiling and nothing to
        explain, unknown if the time limit was reached first.
    conflict
        The equations that conflict, or None.
    """

    cover: ExactCover
    status: Status
    conflict: Conflict | None = None

    @property
    def instance(self) -> Instance:
        """The instance."""
        return self.cover.instance

    @property
    def items(self) -> tuple[Item, ...]:
        """The cells, pieces and groups whose equations conflict."""
        rows = () if self.conflict is None else self.conflict.rows
        return tuple(self.cover.items[row] for row in rows)

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The cells among them, in row-major order."""
        to_cover = self.instance.to_cover
        rows = () if self.conflict is None else self.conflict.rows
        return tuple(to_cover[row] for row in rows if row < len(to_cover))

    def describe(self) -> dict[str, Any]:
        """Return the conflict, with the keys in their documented order."""
        document: dict[str, Any] = {
            "instance": describe_instance(self.instance),
            "status": self.status.value,
            "columns": self.cover.columns,
            "rows": self.cover.rows,
            "conflict": None,
            "certificate": None,
        }
        if self.conflict is None:
            return document
        document["conflict"] = {
            "irreducible": self.conflict.irreducible,
            "rows": [
                {"name": item.name, "kind": item.kind, "text": item.text, "demand": item.demand}
                for item in self.items
            ],
            "cells": [list(cell) for cell in self.cells],
        }
        certificate = self.conflict.certificate
        if certificate is not None:
            document["certificate"] = {
                "value": str(certificate.value(self.cover)),
                "multipliers": {
                    self.cover.items[row].name: str(certificate.multipliers[row])
                    for row in certificate.rows
                },
            }
        return document

    def _summary(self) -> str:
        conflict = f", {len(self.items)} equations conflict" if self.items else ""
        return f"{self.instance.name}{conflict}"


def explain(
    instance: Instance, *, tries: int = TRIES, time_limit: float | None = None
) -> Explanation:
    """Name few cells and pieces that already conflict in an instance without a tiling.

    Their equations are an irreducible infeasible subsystem (IIS): remove any one
    of them and the rest can be satisfied. Where the linear relaxation is
    infeasible, a Farkas certificate proves the conflict in exact arithmetic.

    Parameters
    ----------
    instance
        The instance, with placed pieces or without.
    tries
        Look for a small conflict around so many cells.
    time_limit
        As for `calmip.solvers.Limits`. Then the smallest conflict so far is named,
        perhaps one that is not irreducible.

    Raises
    ------
    InputError
        If a number is out of range.
    SolverMissing
        If highspy is not installed.
    """
    clock, cover = Limits(time_limit).clock, ExactCover(instance)
    try:
        conflict = find_conflict(cover, tries=tries, clock=clock)
    except TimeoutError:
        return Explanation(cover, Status.UNKNOWN)
    status = Status.FEASIBLE if conflict is None else Status.INFEASIBLE
    return Explanation(cover, status, conflict)
