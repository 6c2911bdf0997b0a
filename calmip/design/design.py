"""The sets of pieces of a pool that make every date of a board solvable, decided and counted.

For a pool that is too large for that, an integer program is solved. A date that fails joins
it, and it is solved again.
"""

from __future__ import annotations

import contextlib
import math
import random
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from calmip._base.errors import InputError, SolverFailed
from calmip._base.files import scratch_folder, suffix_of
from calmip._base.limits import Deadline, Limits, Progress
from calmip.design.dead_regions import CutOff, Relabelling, cut_off_dates, relabel
from calmip.design.piece_sets import (
    Numbers,
    PieceSet,
    SetJudge,
    decide_parts,
    entry_of,
    halve,
    identity,
    parts_of,
    sets_of,
    shares_of,
)
from calmip.design.rearrange import ORDERS as ARRANGEMENTS
from calmip.design.rearrange import Labels, Rearrangement, rearrange
from calmip.mip.files.model_files import write_model
from calmip.mip.status import Status
from calmip.models.choice import choice_model
from calmip.puzzle.documents.serialise import describe_fields
from calmip.puzzle.files.cover_files import LINEAR
from calmip.puzzle.piece_set import PiecePool
from calmip.puzzle.puzzle import Puzzle
from calmip.puzzle.tasks.interface import of_puzzle
from calmip.puzzle.tasks.journal import Journal, check_integer
from calmip.puzzle.tasks.results import Result
from calmip.solvers.highs import Highs

__all__ = ["Design", "PieceSet", "design", "design_by_model"]


ORDERS: dict[str, Callable[[PieceSet], float]] = {
    "min": lambda one: -one.minimum,
    "median": lambda one: -one.median,
    "total": lambda one: -one.total,
    "spread": lambda one: one.spread,
    "unique": lambda one: -one.unique,
}
"""The number by which sets are ranked, the smallest first, by the name of the order."""

ABOUT = {
    "min": "The smallest number of tilings of a date, largest first.",
    "median": "The median of the numbers of tilings, largest first.",
    "total": "The number of tilings of all dates, largest first.",
    "spread": "Ratio of the largest number of tilings to the smallest, smallest first.",
    "unique": "The number of dates with a single tiling, largest first.",
}
"""A sentence about each order, by its name."""

MAX_SETS = 1_000_000
"""More sets than this are decided only on demand."""

MAX_SAMPLES, SAMPLE_SECONDS = 5, 10.0
"""The most parts, and the most seconds, of the estimate of the time for all sets."""


@dataclass(frozen=True, repr=False)
class Design(Result):
    """The sets of pieces of a pool, and which of them make every date solvable.

    Parameters
    ----------
    frame, pool
        The board and its groups, and the pieces to choose from.
    sets
        Every decided set with a tiling of some date: the working sets, the best first, then
        the others, by their number of dates with too few tilings.
    decided
        The number of decided sets; those that are not in ``sets`` have no tiling of any date.
    at_least, by
        The tilings that each date must have, and the order of the sets.
    detail
        Why not all sets were decided, or empty.
    rearranged
        The boards of the best sets with their labels arranged anew, in the order of
        ``best``, if `rearrange` was asked for them.
    stopped
        Whether a limit was reached before all sets were decided.
    cut_off
        The regions that dates cut off and no pieces of the pool fill: these dates fail with
        every set, decided or not.
    relabelling
        The fewest labels to move so that there are none, if there are some.
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
    cut_off: tuple[CutOff, ...] = ()
    relabelling: Relabelling | None = None

    @property
    def complete(self) -> bool:
        """Whether all sets of the pool were decided."""
        return self.decided == self.pool.sets

    @cached_property
    def working(self) -> tuple[PieceSet, ...]:
        """The sets with enough tilings of each date, the best first."""
        return tuple(one for one in self.sets if not one.wanting)

    @property
    def best(self) -> tuple[PieceSet, ...]:
        """The working sets, or all of them if none works."""
        return self.working or self.sets

    @property
    def solved(self) -> Rearrangement | None:
        """The rearranged board on which every date is solvable: of the best set, if sets work.

        Otherwise it is the best arrangement.
        """
        some = [
            (one.after.key(one.by), place, one)
            for place, one in enumerate(self.rearranged)
            if one.after and not one.after.impossible
        ]
        return (some[0] if self.working else min(some))[2] if some else None

    @property
    def status(self) -> Status:
        """Feasible if a set works, also with rearranged labels; infeasible if none is left."""
        if self.working or self.solved:
            return Status.FEASIBLE
        return Status.INFEASIBLE if self.complete else Status.UNKNOWN

    def puzzle(self, chosen: PieceSet) -> Puzzle:
        """Return the puzzle with a set's pieces."""
        return self.pool.puzzle(self.frame, chosen.numbers)

    def rearrange(
        self,
        most: int = 3,
        *,
        by: str = "correlation",
        keep: Sequence[str] = (),
        progress: Callable[[Progress], None] | None = None,
    ) -> Design:
        """Return this result with the labels of the board arranged for each of the best sets.

        If no set works, they are those with the fewest impossible dates.

        Parameters
        ----------
        most
            The number of sets to arrange.
        by, keep
            As for `rearrange`.
        progress
            As for `calmip.solvers.Limits`. It counts the starts of all sets together.

        Raises
        ------
        InputError, SolverFailed
            As `rearrange`.
        """
        Labels(self.frame, keep)
        chosen = self.best[:most]

        def report(index: int, now: Progress) -> None:
            starts = now.total or 0
            Limits(progress=progress).report(
                index * starts + now.done, len(chosen) * starts, now.what
            )

        found = (
            rearrange(self.puzzle(one), by=by, keep=keep, progress=partial(report, place))
            for place, one in enumerate(chosen)
        )
        return replace(self, rearranged=tuple(found))

    def describe(self) -> dict[str, Any]:
        """Return the sets as plain data, with the keys in their documented order."""
        found = describe_fields(self, ("sets", "decided", "complete"))
        if self.cut_off:
            found |= describe_fields(self, ("cut_off", "relabelling"))
        if self.rearranged:
            found["rearranged"] = [
                {"pieces": list(one.pieces), **new.describe()}
                for one, new in zip(self.best, self.rearranged, strict=False)
            ]
        return found

    def _summary(self) -> str:
        return f"{self.frame.name}, {len(self.working):,} of {self.decided:,} sets work"


def _check_settings(by: str, at_least: int, limit: int | None, arrange_by: str) -> None:
    """Raise `InputError` for an unknown order, or a number out of range."""
    if by not in ORDERS:
        raise InputError(f"the order is one of {', '.join(ORDERS)}, not {by}")
    for name, value in (("at-least", at_least), ("limit", limit)):
        if value is not None and value < 1:
            raise InputError(f"{name} is a number from 1 on, not {value}")
    if arrange_by not in ARRANGEMENTS:
        raise InputError(f"the order is one of {', '.join(ARRANGEMENTS)}, not {arrange_by}")


@of_puzzle
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
    arrange_by: str = "correlation",
    keep: Sequence[str] = (),
    journal: Path | None = None,
    resume: bool = False,
    yes: bool = False,
    progress: Callable[[Progress], None] | None = None,
) -> Design:
    """Find the sets of pieces with which every date of a board can be solved.

    The board gives the groups to uncover; its own pieces, if any, are ignored. The command
    counts the tilings of each date for every set of pieces whose area fits, many sets in one
    count. It counts the best set once more, on its own.

    Parameters
    ----------
    frame
        The board and its groups, as from `calmip.read_board`.
    pool
        The pieces to choose from, as from `calmip.read_pool`.
    by
        Rank the sets in this order.
    at_least
        Require this number of tilings of each date.
    limit
        Stop after this number of working sets. Each part of the pool is then decided in
        shares, a few sets first; the journal keeps whole parts.
    time_limit, workers, dask, progress
        As for `calmip.solvers.Limits`. Workers are threads, and progress counts the decided
        sets, then as `Design.rearrange` says.
    rearrange
        Rearrange the labels for the three best sets, as `rearrange` does, without the
        time limit.
    arrange_by
        Compare arrangements with as many impossible dates in this order.
    keep
        Leave these labels in their places: all of a group, such as ``weekday``, or single ones.
    journal
        Keep the decided sets in this file while the work goes on.
    resume
        Continue where the journal of an earlier run ends.
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
    _check_settings(by, at_least, limit, arrange_by)
    if rearrange or keep:
        Labels(frame, keep)
    if pool.sets > MAX_SETS and not yes and limit is None and time_limit is None:
        raise InputError(_too_many(frame, pool))
    judge = SetJudge(frame, pool, at_least)
    with Journal(journal, identity(frame, pool, at_least), resume=resume) as lines:
        found, count, detail = _decided_sets(judge, lines, limits, limit)
    working = sum(not one.wanting for one in found.values())
    if count < pool.sets and not detail:
        detail = f"stopped after {working} working sets"
    ranked = sorted(
        found.values(),
        key=lambda one: (one.wanting, ORDERS[by](one), -one.minimum, -one.total, one.numbers),
    )
    cut_off = cut_off_dates(frame, pool)
    result = Design(
        frame,
        pool,
        tuple(ranked),
        count,
        at_least,
        by,
        detail,
        stopped=count < pool.sets,
        cut_off=cut_off,
        relabelling=relabel(frame, pool, keep) if cut_off else None,
    )
    if result.working:
        _check_count(judge, result.working[0])
    if not rearrange:
        return result
    return result.rearrange(by=arrange_by, keep=keep, progress=progress)


def _decided_sets(
    judge: SetJudge, lines: Journal, limits: Limits, limit: int | None
) -> tuple[dict[Numbers, PieceSet], int, str]:
    """Return the decided sets that are kept, the number of all decided, and why it ended early."""
    found: dict[Numbers, PieceSet] = {}
    done: set[int] = set()
    count, working, total = 0, 0, judge.pool.sets

    def add(sets: Iterable[PieceSet], size: int) -> None:
        nonlocal count, working
        for one in sets:
            found[one.numbers] = one
            working += not one.wanting
        count += size
        limits.report(count, total)

    limits.report(0, total)
    for place, part, sets in _decided_parts(lines, judge):
        done.add(place)
        add(sets, part.sets)
    with contextlib.closing(_decide(judge, lines, done, limits, limit)) as results:
        try:
            while (limit is None or working < limit) and (one := next(results, None)):
                add(*one)
        except TimeoutError as error:
            return found, count, str(error)
    return found, count, ""


def _decide(
    judge: SetJudge, journal: Journal, done: set[int], limits: Limits, limit: int | None
) -> Generator[tuple[list[PieceSet], int]]:
    """Yield the sets of each share of the parts that are not done, and the share's size."""
    sizes: dict[int, int] = {}
    begun: dict[int, tuple[int, list[PieceSet]]] = {}

    def shares() -> Iterator[tuple[int, PiecePool]]:
        for place, part in enumerate(parts_of(judge.pool, judge.frame)):
            if place not in done:
                sizes[place] = part.sets
                for share in [part] if limit is None else shares_of(part):
                    yield place, share

    with contextlib.closing(decide_parts(judge, shares(), limits)) as results:
        for place, share, sets in results:
            size, some = begun.get(place, (0, []))
            begun[place] = size + share.sets, [*some, *sets]
            if begun[place][0] == sizes[place]:
                journal.add(entry_of(place, begun.pop(place)[1]))
            yield sets, share.sets


def _check_count(judge: SetJudge, best: PieceSet) -> None:
    """Count the best set by itself, and compare."""
    again = judge.alone(best.numbers)
    if again != best:
        raise SolverFailed(
            f"the pieces {' '.join(best.pieces)} have {best.total:,} tilings when counted with "
            f"other sets, and {again.total:,} by themselves; report this"
        )


def _decided_parts(
    journal: Journal, judge: SetJudge
) -> Iterator[tuple[int, PiecePool, list[PieceSet]]]:
    """Yield the parts of the pool that a journal has, with their sets; refuse other lines."""
    lines: dict[int, int] = {}
    for number, place in journal.read(
        lambda entry: check_integer(entry["part"], 0, judge.pool.sets - 1)
    ):
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


def _too_many(frame: Puzzle, pool: PiecePool) -> str:
    """Return the message with the number of sets, and the estimated time to decide them.

    A part is drawn as often as it has sets, so its seconds per set are a fair estimate.
    """
    chance = random.Random(0)  # noqa: S311 - a sample, and the same one at each run
    judge, clock = SetJudge(frame, pool, 1), Deadline()
    spent: list[float] = []
    while clock.elapsed < SAMPLE_SECONDS and len(spent) < MAX_SAMPLES:
        part = pool
        while (halves := halve(part, frame)) is not None:
            part = chance.choices(halves, [half.sets for half in halves])[0]
        clock.lap()
        with contextlib.suppress(TimeoutError):
            list(decide_parts(judge, [(0, part)], Limits(SAMPLE_SECONDS)))
        spent.append(clock.lap() / part.sets)
    seconds = pool.sets * math.fsum(spent) / len(spent)
    unit, size = next(
        (unit, size)
        for unit, size in (("days", 86400), ("hours", 3600), ("minutes", 60), ("seconds", 1))
        if seconds >= 2 * size or size == 1
    )
    return (
        f"there are {pool.sets:,} sets of pieces, and deciding them takes about "
        f"{seconds / size:,.0f} {unit} with one worker; begin with --yes, or give --limit or "
        "--time-limit, or a smaller pool"
    )


@of_puzzle
def design_by_model(
    frame: Puzzle,
    pool: PiecePool,
    *,
    time_limit: float | None = None,
    seed: int = 0,
    file: Path | None = None,
    rearrange: bool = False,
    log: Callable[[str], None] | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Design:
    """Find one set of pieces that makes every date solvable, by an integer program.

    The method is slow: use it for teaching, and for pools with too many sets to decide each.
    The model has one tiling for each date of a sample, all with the same pieces. HiGHS solves
    it, and the whole year is counted with its set. If dates are infeasible, the hardest joins
    the sample: a cutting-plane loop, which chooses no set twice. If HiGHS finds no set, the
    status is unknown, as its claim is unverified; `design` proves it.

    Parameters
    ----------
    frame, pool
        As for `design`.
    time_limit, seed, log, progress
        As for `calmip.solvers.Limits`. Progress counts the dates in the sample, before each
        solve; then as `Design.rearrange` says.
    file
        Write the last model to this file, ``.mps`` or ``.lp`` (``.gz``).
    rearrange
        Rearrange the labels for the set, as `rearrange` does, without the time limit.

    Raises
    ------
    InputError
        If a number is out of range or the file cannot be written.
    SolverFailed
        If HiGHS crashed, or its answer failed a check.
    """
    if file is not None:
        suffix_of(file, LINEAR)
    if rearrange:
        Labels(frame)
    limits, judge = Limits(time_limit, seed, log=log, progress=progress), SetJudge(frame, pool, 1)
    names = list(judge.dates)
    sample = [names[0], names[-1]]
    sets = []
    detail = ""
    while not detail:
        limits.report(len(sample))
        model = choice_model(frame, pool, {name: judge.dates[name] for name in sample})
        if file is not None:
            write_model(file, model)
        with scratch_folder() as folder:
            path = folder / "choice.mps"
            write_model(path, model)
            outcome = Highs().solve(path, limits)
        if outcome.status is Status.INFEASIBLE:
            detail = f"HiGHS says that no set solves {', '.join(sample)}, which is unverified"
        elif not outcome.values:
            detail = f"HiGHS has stopped: {outcome.detail}"
        else:
            chosen = tuple(
                sum(outcome.values.get(f"y{number}_{copy}", 0.0) > 0.5 for copy in range(most))
                for number, most in enumerate(pool.most)
            )
            if not pool.has(chosen):
                raise SolverFailed("HiGHS's answer is not a set of the pool")
            sets.append(judge.alone(chosen))
            if not sets[-1].impossible:
                detail = f"by an integer program with {len(sample)} dates"
                break
            failed = next((name for name in sets[-1].hardest if name not in sample), None)
            if failed is None or set(sets[-1].hardest) & set(sample):
                raise SolverFailed(
                    f"HiGHS's pieces {' '.join(sets[-1].pieces)} do not solve a date of its model"
                )
            sample.append(failed)
    ranked = sorted(sets, key=lambda one: (one.impossible, one.numbers))
    found = Design(frame, pool, tuple(ranked), len(sets), detail=detail)
    return found.rearrange(progress=progress) if rearrange else found
