"""All 0/1 points of a model that somebody else wrote, whatever it is a model of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Self

from calmip._limits import checked_seconds
from calmip.documents.description import describe_model, describe_point
from calmip.problem.binary_model import BinaryModel
from calmip.problem.status import Status
from calmip.search.one_tree import OneTree, TreeStatistics
from calmip.tasks._result import Result

__all__ = ["METHOD", "ModelEnumeration", "PointPool", "enumerate_model"]

METHOD = "one-tree"
"""The only method that needs no more than the rows of a model."""


class ModelEnumeration:
    """The solutions of a model, found while you iterate.

    Each is the ascending list of the columns that are one, checked against the
    rows as they were read, in exact arithmetic. They come in an order that the
    model fixes, and none comes twice; see `calmip.search.one_tree.OneTree`.

    Parameters
    ----------
    model
        The model.
    limit
        Stop after so many solutions, or None.
    time_limit
        Stop after so many wall-clock seconds, or None.

    Attributes
    ----------
    model : BinaryModel
        The model.
    complete : bool
        Whether there are proved to be no further solutions.
    stopped : str
        Why it ended early: ``"limit"``, ``"time"``; or empty.
    statistics : TreeStatistics
        What it took so far.

    Raises
    ------
    InputError
        If a number is out of range.
    """

    def __init__(
        self, model: BinaryModel, *, limit: int | None = None, time_limit: float | None = None
    ) -> None:
        checked_seconds(time_limit)
        self.model = model
        self.complete = False
        self.stopped = ""
        self._tree = OneTree(model, limit=limit, time_limit=time_limit)

    def __iter__(self) -> Iterator[list[int]]:
        yield from self._tree
        self.complete, self.stopped = self._tree.complete, self._tree.stopped

    @property
    def count(self) -> int:
        """How many solutions were found so far."""
        return self._tree.statistics.solutions

    @property
    def statistics(self) -> TreeStatistics:
        """What it took so far."""
        return self._tree.statistics


@dataclass(frozen=True, repr=False)
class PointPool(Result):
    """The solutions of a model that were found, and whether there are proved to be no more.

    Parameters
    ----------
    model
        The model.
    points
        The solutions that were kept, each as the numbers of the columns that are one.
    complete
        Whether it was proved that there is no other solution.
    stopped
        Why the search ended early: ``"limit"``, ``"time"``, ``"interrupt"``; or empty.
    statistics
        What the search took, and how many solutions it found.
    """

    model: BinaryModel
    points: tuple[tuple[int, ...], ...]
    complete: bool
    stopped: str
    statistics: TreeStatistics = field(compare=False)

    @classmethod
    def of(cls, search: ModelEnumeration, points: Iterable[Sequence[int]]) -> Self:
        """Return what an enumeration has found so far, with the points that were kept."""
        kept = tuple(map(tuple, points))
        return cls(search.model, kept, search.complete, search.stopped, replace(search.statistics))

    @property
    def status(self) -> Status:
        """Feasible if there is a solution, infeasible if there is proved to be none, or unknown.

        Whether the solutions are all is another question, which ``complete`` answers.
        """
        return Status.of_pool(self.count, self.complete)

    @property
    def count(self) -> int:
        """How many solutions were found."""
        return self.statistics.solutions

    def describe(self) -> dict[str, Any]:
        """Return the pool, with the keys in their documented order."""
        return {
            "model": describe_model(self.model),
            "status": self.status.value,
            "complete": self.complete,
            "stopped": self.stopped,
            "method": METHOD,
            "seconds": {"total": round(self.statistics.seconds, 6)},
            "count": self.count,
            "solutions": [describe_point(self.model, ones) for ones in self.points],
        }

    def _summary(self) -> str:
        known = "complete" if self.complete else "not complete"
        return f"{self.count:,} solutions, {known}, {self.model.name}"


def enumerate_model(
    model: BinaryModel, *, limit: int | None = None, time_limit: float | None = None
) -> PointPool:
    """Return all 0/1 points that satisfy every row of a model, or as many as the limits allow.

    The objective plays no part. `ModelEnumeration` does the same one at a time.

    Parameters
    ----------
    model
        The model, from `calmip.read_model` for example.
    limit
        Stop after so many solutions, or None.
    time_limit
        Stop after so many wall-clock seconds, or None.

    Raises
    ------
    InputError
        If a limit is out of range.
    """
    search = ModelEnumeration(model, limit=limit, time_limit=time_limit)
    return PointPool.of(search, list(search))
