"""How many tilings there are: of an instance, for every label of its free groups, for any cells."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from calmip._limits import Deadline
from calmip.documents.description import describe_instance
from calmip.errors import InputError
from calmip.problem.cover import ExactCover
from calmip.problem.instance import Instance
from calmip.problem.puzzle import Puzzle
from calmip.problem.status import Status
from calmip.search.symmetry import symmetries
from calmip.tasks._count_parts import Sharing
from calmip.tasks._result import Pictured

__all__ = ["Counts", "count"]

Choices = tuple[tuple[Mapping[str, Any], int], ...]
"""What stays uncovered, and the number of tilings that leave just that."""


@dataclass(frozen=True, repr=False)
class Counts(Pictured):
    """How many tilings there are.

    Parameters
    ----------
    instance
        What was counted.
    counts
        What stays uncovered and the number of tilings, for every choice: the
        labels by group or, where any cells were to stay uncovered, ``cells``
        and their ``labels``. None if a limit came first: a part of a count is
        no count.
    any_cells
        How many cells, whatever their labels, were to stay uncovered; None if
        the instance says which.
    detail
        Why nothing is known, or empty.
    symmetries
        How many motions carry the instance into itself; None if that was not asked.
    different
        How many tilings there are if those that such motions carry into each
        other count once; None if that was not asked.
    """

    instance: Instance
    counts: Choices | None
    any_cells: int | None = None
    detail: str = ""
    symmetries: int | None = None
    different: int | None = None

    @property
    def total(self) -> int | None:
        """The number of tilings of all choices together; None if not known."""
        return None if self.counts is None else sum(number for _, number in self.counts)

    @property
    def status(self) -> Status:
        """Feasible if there is a tiling, infeasible if there is none, unknown after a limit."""
        if self.counts is None:
            return Status.UNKNOWN
        return Status.FEASIBLE if self.total else Status.INFEASIBLE

    def describe(self) -> dict[str, Any]:
        """Return the counts, with the keys in their documented order."""
        counts = self.counts or ()
        described = {
            "puzzle": describe_instance(self.instance)["puzzle"],
            "total": self.total,
            "counts": [{"reveal": dict(reveal), "tilings": number} for reveal, number in counts],
        }
        if self.symmetries is not None:
            described |= {"symmetries": self.symmetries, "up_to_symmetry": self.different}
        return described

    def _summary(self) -> str:
        if self.counts is None:
            return f"{self.instance.name}, {self.detail}"
        return f"{self.instance.name}, {self.total:,} tilings in {len(self.counts):,} choices"


def count(
    instance: Instance,
    *,
    any_cells: int | None = None,
    up_to_symmetry: bool = False,
    time_limit: float | None = None,
    workers: int = 1,
    memory_limit: float | None = None,
    dask: str | None = None,
    journal: Path | str | None = None,
    parts: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> Counts:
    """Count the tilings of an instance, for every label of each group that is free.

    All choices are counted in one exact-cover search; a puzzle without labels
    (``read_instance(name, free=True)``) counts its whole year.

    Parameters
    ----------
    instance
        The instance.
    any_cells
        Let any so many cells stay uncovered, whatever the instance's labels.
    up_to_symmetry
        Count as well how many tilings there are if those that a symmetry of the
        instance carries into each other count once (by Burnside's lemma).
    time_limit
        The most wall-clock seconds, or None.
    workers
        How many threads share a large count; processes, where it is too large for the
        compiled search and threads would wait for each other.
    memory_limit
        Megabytes for the count's arrays; by default three quarters of the
        machine's memory. What needs more is counted in parts, one after the
        other.
    dask
        The address of a Dask cluster that counts the parts, or ``"local"`` for one of
        ``workers`` processes on this machine.
    journal
        A file in which every part that is done is a line; a count that was interrupted
        goes on from there.
    parts
        How many parts there are; by default as many as workers.
    progress
        Called several times a second with the number of states handled so far; of
        parts, if there are any.

    Raises
    ------
    InputError
        If a number is out of range, if the pieces do not leave ``any_cells``
        cells, if there are too many choices to count in one search, if
        pieces lie on a board of which any cells are to stay uncovered, if the
        journal is of another count, or if the cluster cannot be reached; up to
        symmetry also if groups are free or pieces lie on the board.
    SolverMissing
        If Dask is asked for and not installed.
    """
    deadline = Deadline(time_limit)
    if up_to_symmetry and any_cells is not None:
        raise InputError("up to symmetry is counted with labels, not with any cells uncovered")
    motions = symmetries(instance) if up_to_symmetry else None
    if any_cells is not None and instance.placed:
        raise InputError("this starts from an empty board; leave out the key 'placed'")
    sharing = Sharing(
        workers=workers,
        dask=dask,
        journal=None if journal is None else Path(journal),
        parts=parts,
        seconds=time_limit,
        memory_limit=memory_limit,
    )
    if any_cells is not None and sharing.wanted:
        raise InputError("any cells are counted on this machine, by threads; leave out the rest")
    from calmip.search.symmetry import different

    try:
        if any_cells is None:
            counts = _by_label(
                instance,
                sharing,
                time_limit=time_limit,
                workers=workers,
                memory_limit=memory_limit,
                progress=progress,
            )
        else:
            counts = _by_cells(
                instance.puzzle,
                any_cells,
                time_limit=time_limit,
                workers=workers,
                memory_limit=memory_limit,
                progress=progress,
            )
        if motions is None:
            return Counts(instance, counts, any_cells)
        number = different(ExactCover(instance), motions, counts[0][1], deadline)
        return Counts(instance, counts, symmetries=len(motions), different=number)
    except TimeoutError as error:
        late = f"not all tilings were counted within {deadline.seconds:g} s"
        return Counts(instance, None, any_cells, str(error) or late)


def _by_label(instance: Instance, sharing: Sharing, **settings: Any) -> Choices:
    from calmip.search.exact_cover.counting import count_by_reveal

    found = count_by_reveal(ExactCover(instance), **settings, share=sharing)
    # The cover has no label that lies under a placed piece.
    every = (
        [label for label in instance.puzzle.groups[group] if label not in instance.labels]
        for group in instance.free
    )
    return tuple(
        (instance.reveal_of([*instance.labels, *free]), found.get(free, 0))
        for free in itertools.product(*every)
    )


def _by_cells(puzzle: Puzzle, any_cells: int, **settings: Any) -> Choices:
    from calmip.search.exact_cover.counting import count_uncovered

    label = puzzle.board.label
    found = count_uncovered(puzzle, any_cells, **settings)
    return tuple(
        ({"cells": [list(cell) for cell in cells], "labels": [label(cell) for cell in cells]}, n)
        for cells, n in found.items()
    )
