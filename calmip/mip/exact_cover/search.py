"""All solutions of a model that is an exact cover, by the compiled search in bits."""

from __future__ import annotations

from collections.abc import Iterator

from calmip._base.errors import SolverFailed
from calmip._base.limits import ENDLESS, Deadline
from calmip.mip.exact_cover.recognition import ModelCover
from calmip.mip.packed_cover import walk

MAX_BATCH = 1024
"""The most solutions that wait in the buffer."""


class CoverSearch:
    """All solutions of a model that is an exact cover, found while you iterate, in a fixed order.

    Each solution is the ascending list of the columns that are one, checked against the rows in
    exact arithmetic. The objective is ignored. Every iteration starts anew.

    Parameters
    ----------
    cover
        The model as an exact cover.
    limit
        The number of solutions that are wanted; the search may go on.
    clock
        Stop at its time limit.

    Attributes
    ----------
    complete : bool
        Whether everything was searched.
    stopped : str
        ``"time"`` if the time limit was reached; or empty.
    """

    def __init__(
        self, cover: ModelCover, *, limit: int | None = None, clock: Deadline = ENDLESS
    ) -> None:
        self.complete, self.stopped = False, ""
        self._cover, self._clock = cover, clock
        self._batch = MAX_BATCH if limit is None else min(limit, MAX_BATCH)

    def __iter__(self) -> Iterator[list[int]]:
        self.complete, self.stopped = False, ""
        violated = self._cover.model.violated
        search = walk(self._cover.packed())
        while not search.finished:
            if self._clock.over:
                self.stopped = "time"
                return
            for chosen in search.step(self._batch):
                columns = self._cover.columns(chosen)
                if violated(columns) is not None:
                    raise SolverFailed(
                        "the exact-cover search found a point that violates the model; report this"
                    )
                yield columns
        self.complete = True
