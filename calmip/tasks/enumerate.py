"""All solutions of an instance or a model, and whether they are proved to be all."""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from calmip.documents.description import describe_point, describe_tiling
from calmip.errors import InputError, NotATiling
from calmip.problem.shown import renderers
from calmip.problem.status import Status
from calmip.problem.tiling import Tiling
from calmip.tasks._enumeration import Enumeration
from calmip.tasks._result import Pictured
from calmip.tasks._source import Sourced

if TYPE_CHECKING:
    from calmip.search.one_tree import TreeStatistics
    from calmip.tasks._source import Source

__all__ = ["SolutionPool", "enumerate"]


@dataclass(frozen=True, repr=False)
class SolutionPool(Sourced, Pictured):
    """The solutions that were found, and whether there are proved to be no more.

    Parameters
    ----------
    source
        The instance, or the model.
    solutions
        The distinct solutions in the order in which they were found: tilings of an
        instance, or of a model the columns that are one, by number, ascending.
    complete
        Whether it was proved that there is no other solution.
    stopped
        Why the search ended early: ``"limit"``, ``"time"``, ``"memory"``, ``"interrupt"``; or
        empty.
    method
        The method.
    solver, formulation
        What the method ``"no-good"`` used; None for the others.
    columns, rows
        The size of the exact cover, or of the model.
    seconds
        The wall-clock seconds of the search.
    reduced
        How many of the columns were left after the reduction; None without one.
    symmetries
        How many motions carry the instance into itself, if of tilings that they
        carry into each other only one is there; None otherwise.
    statistics
        What the method ``"one-tree"`` took; None for the others.

    Raises
    ------
    NotATiling
        If a solution is there twice.
    """

    source: Source
    solutions: tuple[Any, ...]
    complete: bool
    stopped: str = ""
    method: str = "exact-cover"
    solver: str | None = None
    formulation: str | None = None
    columns: int = 0
    rows: int = 0
    seconds: float = field(default=0.0, compare=False)
    reduced: int | None = None
    symmetries: int | None = None
    statistics: TreeStatistics | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        if len(set(self.solutions)) != len(self.solutions):
            raise NotATiling(f"the pool holds the same {self.what} twice")

    @classmethod
    def of(cls, search: Enumeration) -> Self:
        """Return what an enumeration has found so far."""
        return cls(
            search.source, tuple(search.solutions), search.complete, search.stopped,
            search.method, search.solver, search.formulation, search.columns, search.rows,
            search.seconds, search.reduced, search.symmetries, copy(search.statistics),
        )  # fmt: skip

    @property
    def status(self) -> Status:
        """Feasible if there is a solution, infeasible if there is proved to be none, or unknown.

        Whether the solutions are all is another question, which ``complete`` answers.
        """
        return Status.of_pool(self.count, self.complete)

    @property
    def tilings(self) -> tuple[Tiling, ...]:
        """The tilings; there are none where the source is a model."""
        return self.solutions if self.of_instance else ()

    @property
    def points(self) -> tuple[tuple[int, ...], ...]:
        """The solutions of a model, each as the columns that are one; none of an instance."""
        return () if self.of_instance else self.solutions

    @property
    def count(self) -> int:
        """How many solutions were found."""
        return len(self.solutions)

    def __len__(self) -> int:
        return len(self.solutions)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.solutions)

    def describe(self) -> dict[str, Any]:
        """Return the pool, with the keys in their documented order."""
        if self.of_instance:
            found = {"tilings": [describe_tiling(tiling) for tiling in self.tilings]}
        else:
            found = {"solutions": [describe_point(self.model, ones) for ones in self.points]}
        return {**self.describe_search(), **found}

    def describe_search(self) -> dict[str, Any]:
        """Return what `describe` does, but for the solutions."""
        if not self.of_instance:
            return {
                **self.describe_source(),
                "status": self.status.value,
                "complete": self.complete,
                "stopped": self.stopped,
                "method": self.method,
                "seconds": {"total": round(self.seconds, 6)},
                "count": self.count,
            }
        symmetries = {} if self.symmetries is None else {"symmetries": self.symmetries}
        return {
            **self.describe_source(),
            "status": self.status.value,
            "complete": self.complete,
            "stopped": self.stopped,
            "method": self.method,
            "solver": self.solver,
            "formulation": self.formulation,
            "columns": self.columns,
            "reduced": self.reduced,
            "rows": self.rows,
            "seconds": {"total": round(self.seconds, 6)},
            **symmetries,
            "count": self.count,
        }

    def _summary(self) -> str:
        count = f"{len(self):,} {self.what}{'' if len(self) == 1 else 's'}"
        return f"{count}, {'complete' if self.complete else 'not complete'}, {self.source.name}"

    def _repr_html_(self) -> str:
        """Return how many there are and the first tilings as pictures, for notebooks."""
        return renderers.notebook().html(self)


def enumerate(  # noqa: A001 - the name of the command
    source: Source,
    *,
    method: str | None = None,
    limit: int | None = None,
    time_limit: float | None = None,
    memory_limit: float | None = None,
    file: str | Path | None = None,
    resume: bool = False,
    **settings: Any,
) -> SolutionPool:
    """Return all tilings of an instance or solutions of a model, or as many as the limits allow.

    A model's solutions are the 0/1 points that satisfy every row; its objective plays no
    part. `Enumeration` does the same one solution at a time.

    Parameters
    ----------
    source
        The instance; or a model whose variables are all binary, from `calmip.read_model`
        for example.
    method
        ``"exact-cover"``, ``"one-tree"`` or ``"no-good"``; the first of them unless given,
        and for a model always ``"one-tree"``.
    limit
        Stop after so many solutions, or None.
    time_limit, memory_limit
        As for `calmip.solvers.Limits`; the memory is that of the process.
    file
        Write the tilings of an instance to this file as they are found, one line of JSON each.
        It grows as ``NAME.part`` and gets its name at the end, also after Ctrl-C.
    resume
        Whether to go on where an earlier run with the same file ended, be it that
        it was killed (``NAME.part``) or that it stopped at a limit (``NAME``).
    settings
        ``up_to_symmetry``, and those of the method ``"no-good"``, as for `Enumeration`.

    Raises
    ------
    InputError
        If the method is unknown or a number out of range, or if the file cannot
        be written or is not of an earlier run like this.
    TypeError
        If the source is neither an instance nor a model.
    SolverMissing
        If the method needs a solver that is not installed.
    SolverFailed
        If a solver crashed, or an answer did not survive its check.
    """
    search = Enumeration(
        source, method=method, limit=limit, time_limit=time_limit, memory_limit=memory_limit,
        **settings,
    )  # fmt: skip
    found: Iterator[Any] = iter(search)
    if not search.of_instance and (file is not None or resume):
        raise InputError("only the tilings of an instance are written to a file and taken up again")
    if file is not None:
        from calmip.tasks._journal import saved

        found = saved(search, Path(file), resume=resume)
    elif resume:
        raise InputError("to resume, name the file that the earlier run wrote")
    for _ in found:
        pass
    return SolutionPool.of(search)
