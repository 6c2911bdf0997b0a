"""How many tilings there are: of an instance, for every label of its free groups, for any cells.

A large count is made in parts, in processes or on a Dask cluster, each kept when it is
done. A part is the count where some pieces lie before a cut or behind it, so the parts
have no solution in common and each can be counted again by itself; two of them take
1.1 to 1.2 times as long as the whole, eight 2.3 times.
"""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from calmip._limits import NO_LIMITS, Limits, Progress
from calmip.documents.description import describe_instance
from calmip.errors import InputError
from calmip.problem.cover import ExactCover
from calmip.problem.instance import Instance
from calmip.problem.puzzle import Puzzle
from calmip.problem.status import Status
from calmip.search.exact_cover.search import count_few
from calmip.search.symmetry import different, symmetries
from calmip.tasks._result import Pictured

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future

    from calmip.search.exact_cover.options import Ints, Options
    from calmip.tasks._journal import Journal

__all__ = ["Counts", "Sharing", "count", "count_part"]


PAUSE = 0.2
"""Seconds between two looks at the clock."""

MOST_PARTS = 1024

MOST = (1 << 63) - 1
"""Tilings of a choice at most; a count of more is refused."""


class Sharing:
    """Who counts the parts of a count, and where the numbers of those that are done are kept.

    Parameters
    ----------
    limits
        The time, the memory for each part, and how many parts are counted at a time on this
        machine, or on which Dask cluster.
    journal
        A file with a line for each part that is done; what is there is not counted
        again.
    parts
        How many parts there are at least; by default as many as workers. A journal that
        has been begun knows it.
    """

    def __init__(
        self, limits: Limits, *, journal: Path | None = None, parts: int | None = None
    ) -> None:
        if parts is not None and not 1 <= parts <= MOST_PARTS:
            raise InputError(f"the number of parts is from 1 to {MOST_PARTS}, not {parts}")
        self._limits, self._journal, self._parts = limits, journal, parts

    @property
    def wanted(self) -> bool:
        """Whether more is asked for than this machine's workers do by themselves."""
        given = (self._limits.dask, self._journal, self._parts)
        return any(one is not None for one in given)

    def few(self, cover: ExactCover) -> dict[tuple[str, ...], int] | None:
        """Return the number of solutions if they are few, with nothing to share or choose."""
        limits = self._limits
        shared = self.wanted or limits.workers > 1 or limits.memory_limit is not None
        if shared or cover.instance.free or limits.clock.over:
            return None
        found = count_few(cover)
        return None if found is None else {(): found}

    def __call__(self, options: Options) -> Ints:
        """Return the number of solutions of each choice."""
        from calmip.search.exact_cover.counting import tally, threads_pay

        limits = self._limits
        if not self.wanted and (limits.workers == 1 or threads_pay(options)):
            alone: Ints = tally(options, limits)
            return alone
        from concurrent.futures import FIRST_COMPLETED, wait

        of_part = limits.share()
        with self._executor(options) as (executor, size), self._opened(options) as journal:
            parts, found = _kept(journal, options, self._parts or size)
            missing = iter([one for one in range(len(parts)) if one not in found])
            waiting: dict[Future[dict[int, int]], int] = {}
            while True:
                # No more than there are workers, so that what is left of the time is true.
                while len(waiting) < size and (one := next(missing, None)) is not None:
                    waiting[executor.submit(count_part, parts[one], of_part)] = one
                if not waiting:
                    return _sum(found, options.choices)
                limits.tick(len(found))
                for job in wait(waiting, PAUSE, FIRST_COMPLETED).done:
                    one = waiting.pop(job)
                    found[one] = job.result()
                    journal.add({"part": one, "counts": found[one]})

    def _opened(self, options: Options) -> Journal:
        import hashlib

        from calmip.tasks._journal import Journal

        digest = hashlib.sha256(repr(options).encode()).hexdigest()
        return Journal(
            self._journal, {"count": digest}, resume=True, work="count",
            remedy="name another file",
        )  # fmt: skip

    @contextlib.contextmanager
    def _executor(self, options: Options) -> Iterator[tuple[Executor, int]]:
        workers = self._limits.workers
        if self._limits.dask is not None:
            from calmip.tasks.campaign.runs import pool

            with pool(workers, self._limits.dask, ()) as cluster:
                yield cluster.executor, cluster.size()
            return
        from concurrent.futures import ThreadPoolExecutor

        from calmip.processes import check_processes
        from calmip.search.exact_cover.counting import threads_pay

        check_processes("a count in parts")
        executor: Executor
        if threads_pay(options):
            executor = ThreadPoolExecutor(workers)
        else:
            # Loads multiprocessing, which a browser has not.
            from concurrent.futures import ProcessPoolExecutor

            executor = ProcessPoolExecutor(workers)
        with executor:
            try:
                yield executor, workers
            finally:
                executor.shutdown(wait=True, cancel_futures=True)


def count_part(options: Options, limits: Limits = NO_LIMITS) -> dict[int, int]:
    """Return the number of solutions of each choice that has any.

    Raises
    ------
    InputError
        If the memory does not suffice, or there are 2**63 solutions or more.
    TimeoutError
        If the time is over first.
    """
    from calmip.search.exact_cover.counting import tally

    found = tally(options, limits)
    return {choice: int(found[choice]) for choice in found.nonzero()[0].tolist()}


def _sum(found: dict[int, dict[int, int]], choices: int) -> Ints:
    import numpy as np

    total = [0] * choices
    for part in found.values():
        for choice, number in part.items():
            total[choice] += number
    if sum(total) > MOST:
        raise InputError(f"there are more than {MOST:,} tilings; reveal labels, or divide")
    return np.array(total, dtype=np.int64)


def _kept(
    journal: Journal, options: Options, asked: int
) -> tuple[list[Options], dict[int, dict[int, int]]]:
    """Return the parts of a count, and the numbers of those that a journal has.

    Its first entry is the number of parts that a run asked for; that stays.
    """
    from calmip.search.exact_cover.counting import divided
    from calmip.tasks._journal import whole

    parts: list[Options] = []
    found: dict[int, dict[int, int]] = {}

    def keep(entry: dict[str, Any]) -> None:
        if not parts:
            parts.extend(divided(options, whole(entry["parts"], 1, MOST_PARTS)))
            return
        part = whole(entry["part"], 0, len(parts) - 1)
        if part in found:
            raise ValueError(f"part {part} is a duplicate")
        counts: dict[int, int] = {}
        for choice, number in entry["counts"].items():
            counts[whole(int(choice), 0, options.choices - 1)] = whole(number, 1, MOST)
        if list(map(str, counts)) != list(entry["counts"]):
            raise ValueError("a choice is not written as a number is")
        found[part] = counts

    for _ in journal.read(keep):
        pass
    if not parts:
        parts.extend(divided(options, asked))
        journal.add({"parts": asked})
    return parts, found


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
    def known(self) -> bool:
        """Whether everything was counted."""
        return self.counts is not None

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

    def save(self, path: Path | str, *, theme: str = "auto") -> None:
        """Write the counts to a file, as every result; a partial count is not written.

        Raises
        ------
        InputError
            If a limit came first, the suffix is unknown, or the file cannot be written.
        """
        if not self.known:
            raise InputError(str(self))
        super().save(path, theme=theme)

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
    progress: Callable[[Progress], None] | None = None,
) -> Counts:
    """Count the tilings of an instance, for every label of each group that is free.

    All choices are counted in one exact-cover search; a puzzle without labels
    (``read_instance(name, free=True)``) counts its whole year.

    Parameters
    ----------
    instance
        The instance.
    any_cells
        Uncover any so many cells, whatever the labels.
    up_to_symmetry
        Count also the tilings that differ up to symmetry. Those that a symmetry of the
        instance carries into each other count once (by Burnside's lemma).
    time_limit, workers, memory_limit, dask, progress
        As for `calmip.solvers.Limits`. A partial count is not reported. What needs more
        memory is counted in parts, one after the other. Workers are threads; processes where
        the count is too large for the compiled search, for there threads would wait for each
        other. Progress counts states; parts, if there are any.
    journal
        Keep each finished part in this file, and continue from there.
    parts
        Count in so many parts. By default there are as many as workers.

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
    limits = Limits(
        time_limit, memory_limit=memory_limit, workers=workers, dask=dask, progress=progress
    )
    if up_to_symmetry and any_cells is not None:
        raise InputError("up to symmetry is counted with labels, not with any cells uncovered")
    motions = symmetries(instance) if up_to_symmetry else None
    if any_cells is not None and instance.placed:
        raise InputError("this starts from an empty board; leave out the key 'placed'")
    sharing = Sharing(limits, journal=None if journal is None else Path(journal), parts=parts)
    if any_cells is not None and sharing.wanted:
        raise InputError("any cells are counted on this machine, by threads; leave out the rest")
    try:
        if any_cells is None:
            counts = _by_label(instance, sharing)
        else:
            counts = _by_cells(instance.puzzle, any_cells, limits)
        if motions is None:
            return Counts(instance, counts, any_cells)
        number = different(ExactCover(instance), motions, counts[0][1], limits.clock)
        return Counts(instance, counts, symmetries=len(motions), different=number)
    except TimeoutError as error:
        return Counts(instance, None, any_cells, str(error))


def _by_label(instance: Instance, sharing: Sharing) -> Choices:
    cover = ExactCover(instance)
    found = sharing.few(cover)
    if found is None:
        from calmip.search.exact_cover.counting import count_by_reveal  # which needs numpy

        found = count_by_reveal(cover, share=sharing)
    # The cover has no label that lies under a placed piece.
    every = (
        [label for label in instance.puzzle.groups[group] if label not in instance.labels]
        for group in instance.free
    )
    return tuple(
        (instance.reveal_of([*instance.labels, *free]), found.get(free, 0))
        for free in itertools.product(*every)
    )


def _by_cells(puzzle: Puzzle, any_cells: int, limits: Limits) -> Choices:
    from calmip.search.exact_cover.counting import count_uncovered

    label = puzzle.board.label
    found = count_uncovered(puzzle, any_cells, limits)
    return tuple(
        ({"cells": [list(cell) for cell in cells], "labels": [label(cell) for cell in cells]}, n)
        for cells, n in found.items()
    )
