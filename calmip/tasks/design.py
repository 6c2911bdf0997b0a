"""Which pieces make every date of a board solvable: all sets of a pool, decided and counted.

For a pool too large for that there is an integer program, which dates that fail join, and which
is solved again.
"""

from __future__ import annotations

import contextlib
import math
import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from calmip._limits import Deadline, Limits, Progress
from calmip.documents.description import described
from calmip.errors import InputError, SolverFailed
from calmip.problem.pool import PiecePool
from calmip.problem.puzzle import Puzzle
from calmip.problem.status import Status
from calmip.tasks._journal import Journal, whole
from calmip.tasks._result import Result
from calmip.tasks._sets import (
    Numbers,
    PieceSet,
    SetJudge,
    decided,
    divided,
    entry_of,
    graded,
    identity,
    parts_of,
    sets_of,
)
from calmip.tasks.rearrange import Rearrangement, check_groups, rearrange

__all__ = ["ORDERS", "Design", "PieceSet", "design"]


ORDERS: dict[str, Callable[[PieceSet], float]] = {
    "min": lambda one: -one.minimum,
    "median": lambda one: -one.median,
    "total": lambda one: -one.total,
    "spread": lambda one: one.spread,
    "unique": lambda one: -one.unique,
}
"""What comes first, by the word for it: the smallest of these numbers."""

ABOUT = {
    "min": "The fewest tilings of a date, the greatest first.",
    "median": "The median of the numbers of tilings, the greatest first.",
    "total": "All tilings of all dates, the greatest first.",
    "spread": "The greatest number of tilings over the least, the smallest first.",
    "unique": "The dates with a single tiling, the most first.",
}
"""A sentence about each order, by its name."""

MOST_SETS = 1_000_000
"""More sets than this are decided only on demand."""

SAMPLES, PATIENCE = 5, 10.0
"""So many parts are decided for a guess at the time of all, and in so many seconds."""


@dataclass(frozen=True, repr=False)
class Design(Result):
    """The sets of pieces of a pool, and which of them make every date solvable.

    Parameters
    ----------
    frame
        The board and its groups.
    pool
        The pieces to choose from.
    sets
        Every set that was decided and has a tiling of some date, the best first:
        those that work, then the near misses, those with the fewest dates in want.
    decided
        How many sets were decided; those that are not among ``sets`` have no
        tiling of any date.
    at_least
        How many tilings each date must have.
    by
        What makes one set better than another, one of `ORDERS`.
    detail
        Why not all sets were decided, or empty.
    rearranged
        The boards of the best sets with their labels in other places, in the
        order of ``working``, if `rearrange` was asked for them.
    stopped
        Whether a limit came before all sets were decided.
    """

    frame: Puzzle
    pool: PiecePool
    sets: tuple[PieceSet, ...]
    decided: int
    at_least: int = 1
    by: str = "min"
    detail: str = ""
    rearranged: tuple[Rearrangement, ...] = ()
    stopped: bool = False

    @property
    def complete(self) -> bool:
        """Whether all sets of the pool were decided."""
        return self.decided == self.pool.sets

    @cached_property
    def working(self) -> tuple[PieceSet, ...]:
        """The sets with so many tilings of each date as were asked for, the best first."""
        return tuple(one for one in self.sets if not one.wanting)

    @property
    def status(self) -> Status:
        """Feasible if a set works, infeasible if all were decided and none does."""
        if self.working:
            return Status.FEASIBLE
        return Status.INFEASIBLE if self.complete else Status.UNKNOWN

    def puzzle(self, chosen: PieceSet) -> Puzzle:
        """Return the puzzle with a set's pieces."""
        return self.pool.puzzle(self.frame, chosen.numbers)

    def rearrange(
        self,
        most: int = 3,
        *,
        seed: int = 0,
        starts: int = 8,
        progress: Callable[[Progress], None] | None = None,
    ) -> Design:
        """Return the same with the labels of the board arranged for each of the best sets.

        Parameters
        ----------
        most
            For so many sets that work, the best ones, or all if there are fewer.
        seed, starts
            As for `calmip.rearrange`, for each of them.
        progress
            As for `calmip.solvers.Limits`. It counts the starts of all sets together.

        Raises
        ------
        InputError, SolverFailed
            As `calmip.rearrange` does.
        """
        check_groups(self.frame)
        limits, chosen = Limits(seed=seed, progress=progress), self.working[:most]

        def report(before: int, now: Progress) -> None:
            limits.report(before + now.done, len(chosen) * starts, now.what)

        found = (
            rearrange(
                self.puzzle(one), seed=seed, starts=starts, progress=partial(report, n * starts)
            )
            for n, one in enumerate(chosen)
        )
        return replace(self, rearranged=tuple(found))

    def describe(self) -> dict[str, Any]:
        """Return the sets as plain data, with the keys in their documented order."""
        told = described(self, ("sets", "decided", "complete"))
        if self.rearranged:
            told["rearranged"] = [
                {"pieces": list(one.pieces), **new.describe()}
                for one, new in zip(self.working, self.rearranged, strict=False)
            ]
        return told

    def _summary(self) -> str:
        return f"{self.frame.name}, {len(self.working):,} of {self.decided:,} sets work"


def design(
    frame: Puzzle,
    pool: PiecePool,
    *,
    by: str = "min",
    at_least: int = 1,
    limit: int | None = None,
    time_limit: float | None = None,
    workers: int = 1,
    dask: str | None = None,
    rearrange: bool = False,
    journal: Path | None = None,
    resume: bool = False,
    yes: bool = False,
    progress: Callable[[Progress], None] | None = None,
) -> Design:
    """Find the sets of pieces with which every date of a board can be solved.

    The board has what is uncovered; its pieces, if there are any, play no part. Every set
    of pieces of the pool whose areas add up is decided, many in one count, and its tilings
    of each date are counted; those of the best set once more, by itself. The best come
    first, then the near misses.

    Parameters
    ----------
    frame
        The board and its groups, as from `calmip.read_board`.
    pool
        The pieces to choose from, as from `calmip.read_pool`.
    by
        What makes one set better than another.
    at_least
        How many tilings each date must have.
    limit
        Stop once so many working sets are found. Each part of the pool is then
        decided in shares, a few sets first; the journal keeps whole parts.
    time_limit, workers, dask, progress
        As for `calmip.solvers.Limits`. Workers are threads, and progress counts the sets that
        are decided, then as `Design.rearrange` says.
    rearrange
        Then arrange the labels anew for the three best sets, as `rearrange` does;
        the time limit is not for this.
    journal
        A file that keeps what is decided while the work goes on, or None.
    resume
        Go on where the journal of an earlier run ends.
    yes
        Begin even if there are more than a million sets.

    Raises
    ------
    InputError
        If a number is out of range, there are too many sets to begin without
        ``yes`` or a limit, or the journal is that of another work.
    SolverFailed
        If the two counts of the best set differ.
    """
    limits = Limits(time_limit, workers=workers, dask=dask, progress=progress)
    _check(by, {"at-least": at_least, "limit": limit})
    if rearrange:
        check_groups(frame)
    if pool.sets > MOST_SETS and not yes and limit is None and time_limit is None:
        raise InputError(_too_many(frame, pool))
    found: dict[Numbers, PieceSet] = {}
    done: set[int] = set()
    count, detail, working = 0, "", 0

    def keep(sets: Iterable[PieceSet], size: int) -> None:
        nonlocal count, working
        for one in sets:
            found[one.numbers] = one
            working += not one.wanting
        count += size
        limits.report(count, pool.sets)

    limits.report(0, pool.sets)
    judge = SetJudge(frame, pool, at_least)
    head = identity(frame, pool, at_least)
    with Journal(journal, head, resume=resume) as lines:
        for place, part, sets in _kept(lines, judge):
            done.add(place)
            keep(sets, part.sets)
        sizes: dict[int, int] = {}
        begun: dict[int, tuple[int, list[PieceSet]]] = {}

        def shares() -> Iterator[tuple[int, PiecePool]]:
            for place, part in enumerate(parts_of(pool, frame)):
                if place not in done:
                    sizes[place] = part.sets
                    for share in [part] if limit is None else graded(part):
                        yield place, share

        results = decided(judge, shares(), limits)
        try:
            if not (limit is not None and working >= limit):
                for place, share, sets in results:
                    size, some = begun.get(place, (0, []))
                    begun[place] = size + share.sets, [*some, *sets]
                    if begun[place][0] == sizes[place]:
                        lines.add(entry_of(place, begun.pop(place)[1]))
                    keep(sets, share.sets)
                    if limit is not None and working >= limit:
                        break
        except TimeoutError as error:
            detail = str(error)
        finally:
            results.close()
    if count < pool.sets and not detail:
        detail = f"stopped as soon as {working} sets were found that work"
    order = ORDERS[by]
    ranked = sorted(
        found.values(),
        key=lambda one: (one.wanting, order(one), -one.minimum, -one.total, one.numbers),
    )
    result = Design(
        frame, pool, tuple(ranked), count, at_least, by, detail, stopped=count < pool.sets
    )
    if result.working:
        _witness(judge, result)
    return result.rearrange(progress=progress) if rearrange else result


def _check(by: str, numbers: dict[str, int | None]) -> None:
    if by not in ORDERS:
        raise InputError(f"the order is one of {', '.join(ORDERS)}, not {by}")
    for name, value in numbers.items():
        if value is not None and value < 1:
            raise InputError(f"{name} is a number from 1 on, not {value}")


def _kept(journal: Journal, judge: SetJudge) -> Iterator[tuple[int, PiecePool, list[PieceSet]]]:
    """Yield the parts of the pool that a journal has, with their sets.

    Raises
    ------
    InputError
        If a line is of no part, or of one that another line has.
    """
    lines: dict[int, int] = {}
    for number, place in journal.read(lambda entry: whole(entry["part"], 0, judge.pool.sets - 1)):
        if lines.setdefault(place, number) != number:
            journal.refuse(number)
    found = dict(zip(lines, journal.entries, strict=True))
    for place, part in enumerate(parts_of(judge.pool, judge.frame)):
        if not lines:
            return
        if lines.pop(place, None) is not None:
            [(_, sets)] = journal.read(partial(sets_of, judge, part), [found[place]])
            yield place, part, sets
    for number in lines.values():
        journal.refuse(number)


def _witness(judge: SetJudge, result: Design) -> None:
    """Count the best set by itself, and compare."""
    best = result.working[0]
    again = judge.alone(best.numbers)
    if again != best:
        raise SolverFailed(
            f"the pieces {' '.join(best.pieces)} have {best.total:,} tilings when counted with "
            f"other sets, and {again.total:,} by themselves; please report this"
        )


def _too_many(frame: Puzzle, pool: PiecePool) -> str:
    """Return how many sets there are, and how long they would take as some parts of them do.

    A part is drawn as often as it has sets, so its seconds per set are a fair
    guess at those of all.
    """
    chance = random.Random(0)  # noqa: S311 - a sample, and the same one at each run
    judge, clock = SetJudge(frame, pool, 1), Deadline()
    spent: list[float] = []
    while clock.elapsed < PATIENCE and len(spent) < SAMPLES:
        part = pool
        while (halves := divided(part, frame)) is not None:
            part = chance.choices(halves, [half.sets for half in halves])[0]
        clock.lap()
        with contextlib.suppress(TimeoutError):
            list(decided(judge, [(0, part)], Limits(PATIENCE)))
        spent.append(clock.lap() / part.sets)
    seconds = pool.sets * math.fsum(spent) / len(spent)
    unit, size = next(
        (unit, size)
        for unit, size in (("days", 86400), ("hours", 3600), ("minutes", 60), ("seconds", 1))
        if seconds >= 2 * size or size == 1
    )
    return (
        f"there are {pool.sets:,} sets of pieces, and to decide them would take about "
        f"{seconds / size:,.0f} {unit} with one worker; begin with --yes, or give --limit or "
        "--time-limit, or a smaller pool"
    )
