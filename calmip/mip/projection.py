"""A construct of other constructs and rows, with auxiliary columns of its own."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from calmip._base.limits import ENDLESS, Deadline
from calmip.mip.constructs import Construct, Fault, Values
from calmip.mip.display import row_words
from calmip.mip.rows import Number
from calmip.mip.status import Status

if TYPE_CHECKING:
    from calmip.mip.model import Model


@dataclass(frozen=True)
class Projection(Construct):
    """Constraints with auxiliary columns hold for some values of these.

    The points that satisfy it are the projection on the other columns.

    Parameters
    ----------
    shared
        The columns of the whole model that are the first columns of the other model.
    model
        The model of the constraints; its further columns are auxiliary.
    """

    shared: tuple[int, ...]
    model: Model = field(repr=False)
    _known: dict[tuple[Number, ...], bool] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    kind = "projection"

    @property
    def columns(self) -> Iterable[int]:
        """The columns of the whole model."""
        return self.shared

    def words(self, names: Sequence[str]) -> str:
        """Return its rows and constructs as people read them."""
        inner = self.model
        own = [names[column] for column in self.shared]
        every = [*own, *inner.columns[len(own) :]]
        logic = inner.logic
        linear = () if logic is None else logic.rows
        rows = [row for number, row in enumerate(inner.exact_rows()) if number not in linear]
        parts = [row_words(*row, every) for row in rows]
        parts += [one.words(every) for one in (() if logic is None else logic.constructs)]
        return f"{self.name}: {'; '.join(parts)}"

    def fault(self, values: Values) -> Fault | None:
        """Return whether it does not hold, 0 for the truth value 1: a search decides that."""
        self.decided(values, ENDLESS)
        # What is outside the bounds of the columns is the fault of these bounds.
        return None if self._known.get(self._point(values), True) else (0, 1)

    def decided(self, values: Values, clock: Deadline) -> bool:
        """Return whether it is known in time whether a point violates it, by a search."""
        point = self._point(values)
        bounds = zip(self.model.column_bounds, point, strict=False)
        inside = all(low <= value <= high for (low, high), value in bounds)
        if not inside or point in self._known:
            return True
        found = None if clock.over else self._holds(point, clock)
        if found is not None:
            self._known[point] = found
        return found is not None

    def _point(self, values: Values) -> tuple[Number, ...]:
        return tuple(values.get(column, 0) for column in self.shared)

    def _holds(self, point: Sequence[Number], clock: Deadline) -> bool | None:
        from calmip.mip.lp.exact_lp import ExactLp
        from calmip.mip.pool import PoolSearch

        fixed = self.model.fixed(dict(enumerate(point)))
        if not any(fixed.values("integer")):
            status = ExactLp(fixed).solve(clock=clock).status
            return None if status is Status.UNKNOWN else status is Status.OPTIMAL
        search = PoolSearch(fixed, clock=clock)
        if next(iter(search), None) is not None:
            return True
        return False if search.complete else None
