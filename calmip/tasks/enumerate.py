"""All tilings of an instance, and whether they are proved to be all."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from calmip.documents.description import describe_instance, describe_tiling
from calmip.errors import InputError, NotATiling
from calmip.problem.instance import Instance
from calmip.problem.shown import shown_by
from calmip.problem.status import Status
from calmip.problem.tiling import Tiling
from calmip.tasks._enumeration import Enumeration
from calmip.tasks._result import Pictured

__all__ = ["TilingPool", "enumerate"]


@dataclass(frozen=True, repr=False)
class TilingPool(Pictured):
    """The tilings of an instance that were found, and whether there are proved to be no more.

    Parameters
    ----------
    instance
        The instance.
    tilings
        Distinct tilings in the order in which they were found.
    complete
        Whether it was proved that no other tiling exists.
    stopped
        Why the search ended early: ``"limit"``, ``"time"``, ``"memory"``, ``"interrupt"``; or
        empty.
    method
        The method.
    solver, formulation
        What the method ``"no-good"`` used; None for the others.
    columns, rows
        The size of the exact cover.
    seconds
        The wall-clock seconds of the search.
    reduced
        How many of the columns were left after the reduction; None without one.
    symmetries
        How many motions carry the instance into itself, if of tilings that they
        carry into each other only one is there; None otherwise.

    Raises
    ------
    NotATiling
        If a tiling is there twice.
    """

    instance: Instance
    tilings: tuple[Tiling, ...]
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

    def __post_init__(self) -> None:
        if len(set(self.tilings)) != len(self.tilings):
            raise NotATiling("the pool holds the same tiling twice")

    @classmethod
    def of(cls, search: Enumeration) -> Self:
        """Return what an enumeration has found so far."""
        return cls(
            search.instance, tuple(search.tilings), search.complete, search.stopped,
            search.method, search.solver, search.formulation, search.columns, search.rows,
            search.seconds, search.reduced, search.symmetries,
        )  # fmt: skip

    @property
    def status(self) -> Status:
        """Feasible if there is a tiling, infeasible if there is proved to be none, or unknown.

        Whether the tilings are all is another question, which ``complete`` answers.
        """
        return Status.of_pool(self.count, self.complete)

    @property
    def count(self) -> int:
        """How many tilings were found."""
        return len(self.tilings)

    def __len__(self) -> int:
        return len(self.tilings)

    def __iter__(self) -> Iterator[Tiling]:
        return iter(self.tilings)

    def describe(self) -> dict[str, Any]:
        """Return the pool, with the keys in their documented order."""
        return {
            **self.describe_search(),
            "tilings": [describe_tiling(tiling) for tiling in self.tilings],
        }

    def describe_search(self) -> dict[str, Any]:
        """Return what `describe` does, but for the tilings."""
        symmetries = {} if self.symmetries is None else {"symmetries": self.symmetries}
        return {
            "instance": describe_instance(self.instance),
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
        count = f"{len(self):,} tiling{'' if len(self) == 1 else 's'}"
        return f"{count}, {'complete' if self.complete else 'not complete'}, {self.instance.name}"

    def _repr_html_(self) -> str:
        """Return how many tilings there are and the first of them as pictures, for notebooks."""
        return shown_by("notebook", "html", self)


def enumerate(  # noqa: A001 - the name of the command
    instance: Instance,
    *,
    method: str = "exact-cover",
    limit: int | None = None,
    time_limit: float | None = None,
    memory_limit: float | None = None,
    file: str | Path | None = None,
    resume: bool = False,
    **settings: Any,
) -> TilingPool:
    """Return the pool of all tilings of an instance, or of as many as the limits allow.

    `Enumeration` does the same one tiling at a time.

    Parameters
    ----------
    instance
        The instance.
    method
        ``"exact-cover"``, ``"one-tree"`` or ``"no-good"``.
    limit
        Stop after so many tilings, or None.
    time_limit
        Stop after so many wall-clock seconds, or None.
    memory_limit
        Stop where the process has so many megabytes in memory; by default three quarters
        of the machine's memory.
    file
        Write the tilings to this file as they are found, one line of JSON each.
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
    SolverMissing
        If the method needs a solver that is not installed.
    SolverFailed
        If a solver crashed, or an answer did not survive its check.
    """
    search = Enumeration(
        instance, method=method, limit=limit, time_limit=time_limit, memory_limit=memory_limit,
        **settings,
    )  # fmt: skip
    found: Iterator[Tiling] = iter(search)
    if file is not None:
        from calmip.tasks._journal import saved

        found = saved(search, Path(file), resume=resume)
    elif resume:
        raise InputError("to resume, name the file that the earlier run wrote")
    for _ in found:
        pass
    return TilingPool.of(search)
