"""What is known of a set of pieces, and how it comes from counts: the year of each set.

A pool of pieces is decided part by part, here or on a cluster, and a design's journal has a line
for the sets of each part.
"""

from __future__ import annotations

import os
from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from math import prod
from typing import Any, cast

from calmip._limits import NO_LIMITS, Limits, Progress
from calmip.problem.cover import ExactCover, Reveal
from calmip.problem.dates import real_dates
from calmip.problem.instance import FREE, Instance
from calmip.problem.pool import PiecePool, Selection
from calmip.problem.puzzle import Puzzle
from calmip.processes import check_processes
from calmip.tasks._journal import whole

__all__ = [
    "Numbers",
    "PieceSet",
    "SetJudge",
    "decided",
    "divided",
    "entry_of",
    "graded",
    "identity",
    "parts_of",
    "sets_of",
]


Numbers = tuple[int, ...]
"""How many of each piece of a pool a set has."""

MOST_HARDEST = 12
"""So many of the hardest dates are kept."""


@dataclass(frozen=True)
class PieceSet:
    """A set of pieces and the numbers of tilings that the dates have with it.

    Parameters
    ----------
    pieces
        The names of its pieces.
    numbers
        How many of each piece of the pool it has.
    minimum, median, maximum, total
        Of the numbers of tilings of the real dates.
    impossible
        How many real dates have no tiling.
    unique
        How many real dates have one tiling.
    wanting
        How many real dates have fewer tilings than were asked for.
    hardest
        The real dates with the fewest tilings, twelve at most.
    """

    pieces: tuple[str, ...]
    numbers: Numbers
    minimum: int
    median: float
    maximum: int
    total: int
    impossible: int
    unique: int
    wanting: int
    hardest: tuple[str, ...]

    @property
    def spread(self) -> float:
        """The greatest number of tilings over the least; infinite if some date has none."""
        return self.maximum / self.minimum if self.minimum else float("inf")

    def describe(self) -> dict[str, Any]:
        """Return the set as plain data, with the keys in their documented order."""
        return {
            "pieces": list(self.pieces),
            "minimum": self.minimum,
            "median": self.median,
            "maximum": self.maximum,
            "total": self.total,
            "impossible": self.impossible,
            "hardest": list(self.hardest),
        }


@dataclass(frozen=True)
class SetJudge:
    """Says what the counts of a set mean for the real dates of a board.

    Parameters
    ----------
    frame
        The board and its groups.
    pool
        The pieces to choose from.
    at_least
        How many tilings each date must have.
    """

    frame: Puzzle
    pool: PiecePool
    at_least: int

    @cached_property
    def dates(self) -> dict[str, tuple[str, ...]]:
        """The labels of every real date, by its name."""
        return {name: tuple(one.values()) for name, one in real_dates(self.frame.groups).items()}

    @cached_property
    def symmetries(self) -> list[dict[str, str]]:
        """Where the motions of the board carry the labels that stay in their groups, all of them.

        Dates that are carried into each other have equally many tilings.
        """
        board, groups = self.frame.board, self.frame.groups
        found = []
        for motion in board.lattice.symmetries(board.cells, flip=self.frame.flip):
            carried: dict[str, str] = {}
            for members in groups.values():
                label_at = {frozenset(board.labels[label]): label for label in members}
                for cells, label in label_at.items():
                    image = label_at.get(frozenset(motion[cell] for cell in cells))
                    if image is not None:
                        carried[label] = image
            if len(carried) == sum(map(len, groups.values())):
                found.append(carried)
        return found

    @cached_property
    def counted(self) -> frozenset[str]:
        """The labels whose dates are counted: of one group, one of each set of symmetric labels."""
        labels = {label for members in self.frame.groups.values() for label in members}
        least: list[set[str]] = [
            {label for label in members if all(label <= one[label] for one in self.symmetries)}
            | labels.difference(members)
            for members in self.frame.groups.values()
        ]
        return frozenset(sorted(least, key=len)[0])

    def places(self, labels: list[tuple[str, ...]]) -> list[int]:
        """Return where the real dates, or dates symmetric to them, are among choices of labels."""
        at = {choice: place for place, choice in enumerate(labels)}
        return [
            next(
                at[image]
                for one in self.symmetries
                if (image := tuple(one[label] for label in choice)) in at
            )
            for choice in self.dates.values()
        ]

    def piece_set(self, numbers: Numbers, counts: Any) -> PieceSet:
        """Return a set with so many of each piece, from its counts for the real dates."""
        import numpy as np

        least = int(counts.min())
        names = list(self.dates)
        hardest = np.flatnonzero(counts == least)[:MOST_HARDEST].tolist()
        return PieceSet(
            pieces=tuple(piece.name for piece in self.pool.named(numbers)),
            numbers=numbers,
            minimum=least,
            median=float(np.median(counts)),
            maximum=int(counts.max()),
            total=int(counts.sum()),
            impossible=int((counts == 0).sum()),
            unique=int((counts == 1).sum()),
            wanting=int((counts < self.at_least).sum()),
            hardest=tuple(names[place] for place in hardest),
        )

    def alone(self, numbers: Numbers, limits: Limits = NO_LIMITS) -> PieceSet:
        """Return a set that is counted by itself, if need be in parts by where a piece lies."""
        import numpy as np

        from calmip.search.exact_cover.counting import count_by_reveal

        puzzle = self.pool.puzzle(self.frame, numbers)
        free = Instance.reveal(puzzle, dict.fromkeys(puzzle.groups, FREE))
        counts = count_by_reveal(ExactCover(free), limits)
        return self.piece_set(numbers, np.array([counts[labels] for labels in self.dates.values()]))

    def decide_anywhere(self, part: PiecePool, limits: Limits) -> list[PieceSet]:
        """Return what `decide` does, by one of the processes that a machine may have."""
        return self.decide(part, limits.share(os.cpu_count() or 1))

    def decide(self, part: PiecePool, limits: Limits) -> list[PieceSet]:
        """Return those sets of a part of the pool that have a tiling of some real date.

        A part whose count has no room in the memory is decided in two.
        """
        from calmip.search.exact_cover.counting import count_sets

        used = [place for place, most in enumerate(part.most) if most]
        some = replace(
            part,
            pieces=tuple(part.pieces[place] for place in used),
            least=tuple(part.least[place] for place in used),
            most=tuple(part.most[place] for place in used),
        )
        instance = Selection(some.supply(self.frame), (), tuple(self.frame.groups))
        cover = ExactCover(instance)
        left_out = {
            number
            for number in range(cover.placements, cover.columns)
            if cast("Reveal", cover.option(number)).label not in self.counted
        }
        if left_out:
            cover = cover.restricted(set(range(cover.columns)) - left_out)
        try:
            labels, found = count_sets(cover, some.least, some.has, limits)
        except MemoryError:
            halves = part.halves()
            if halves is None:
                return [self.alone(part.least, limits)]
            return [one for half in halves for one in self.decide(half, limits)]
        real = self.places(labels)
        sets = []
        for chosen, counts in found.items():
            if counts[real].any():
                numbers = dict(zip(used, chosen, strict=True))
                every = tuple(numbers.get(place, 0) for place in range(len(part.pieces)))
                sets.append(self.piece_set(every, counts[real]))
        return sets


MOST = (1 << 63) - 1


def identity(frame: Puzzle, pool: PiecePool, at_least: int) -> dict[str, Any]:
    """Return the first line: all that the numbers of the sets depend on."""
    return {
        "board": frame.board.rows,
        "lattice": frame.board.lattice.name,
        "groups": dict(frame.groups),
        "flip": frame.flip,
        "pieces": [[piece.name, piece.cells] for piece in pool.pieces],
        "least": pool.least,
        "most": pool.most,
        "number": pool.number,
        "at_least": at_least,
    }


def entry_of(place: int, sets: Iterable[PieceSet]) -> dict[str, Any]:
    """Return a part of the pool as a line: which one it is, and its sets that were found."""
    rows = [
        [one.numbers, one.minimum, one.median, one.maximum, one.total, one.impossible,
         one.unique, one.wanting, one.hardest]
        for one in sets
    ]  # fmt: skip
    return {"part": place, "sets": rows}


def sets_of(judge: SetJudge, part: PiecePool, entry: dict[str, Any]) -> list[PieceSet]:
    """Return the sets of a part that a line names.

    Raises
    ------
    ValueError, TypeError, KeyError
        If it is no line that `entry_of` makes of this part: a set is not in the part, comes
        twice, or has numbers that no year has.
    """
    dates = len(judge.dates)
    found: dict[tuple[int, ...], PieceSet] = {}
    for row in entry["sets"]:
        numbers, minimum, median, maximum, total, impossible, unique, wanting, hardest = row
        chosen = tuple(whole(number, 0, part.area) for number in numbers)
        if chosen in found or not part.has(chosen):
            raise ValueError(f"{chosen} is a duplicate, or no set of this part")
        whole(maximum, whole(minimum, 0, MOST), whole(total, 1, MOST))
        if type(median) is not float or not minimum <= median <= maximum:
            raise ValueError(f"{median!r} is no median")
        for number in (impossible, unique, wanting):
            whole(number, 0, dates)
        if not 1 <= len(hardest) <= MOST_HARDEST or not set(hardest) <= set(judge.dates):
            raise ValueError(f"{hardest} are no dates")
        names = tuple(piece.name for piece in judge.pool.named(chosen))
        found[chosen] = PieceSet(
            names, chosen, minimum, median, maximum, total, impossible, unique, wanting,
            tuple(hardest),
        )  # fmt: skip
    return list(found.values())


MOST_COUNTS = 1 << 22
"""A part has so many sets times choices of labels at most: some 100 MB of numbers."""

FEW_SETS = 10
"""The first share of a part has at most so many sets, where a limit may end the work early."""

PAUSE = 0.1
"""Seconds between two looks at the threads."""


def parts_of(pool: PiecePool, frame: Puzzle) -> Iterator[PiecePool]:
    """Yield the pool in parts that are counted at once, always the same ones."""
    halves = divided(pool, frame)
    if halves is None:
        yield pool
    for half in halves or ():
        yield from parts_of(half, frame)


def divided(pool: PiecePool, frame: Puzzle) -> tuple[PiecePool, PiecePool] | None:
    """Return a pool in two, or None if it is counted at once."""
    from calmip.search.exact_cover.counting import MOST_BITS

    choices = prod(map(len, frame.groups.values()))
    large = pool.bits() + len(frame.groups) > MOST_BITS or pool.sets * choices > MOST_COUNTS
    return pool.halves() if large else None


def graded(part: PiecePool) -> Iterator[PiecePool]:
    """Yield a part of a pool in shares, a few sets first, then more and more.

    To decide the shares takes about twice as long as to decide the part at once.
    """
    halves = part.halves() if part.sets > FEW_SETS else None
    if halves is None:
        yield part
        return
    few, many = halves
    yield from graded(few)
    yield many


LATE = "not all sets were decided"


class _Ended(Exception):
    """Nobody waits for the part any more."""


def decided(
    judge: SetJudge, parts: Iterable[tuple[int, PiecePool]], limits: Limits
) -> Generator[tuple[int, PiecePool, list[PieceSet]]]:
    """Yield parts as they are decided, with their sets that have a tiling of some real date.

    They are decided by threads here or, if an address is given, by a Dask cluster.

    Raises
    ------
    TimeoutError
        If the time is over; parts that are not done are lost.
    """
    ended, workers, dask = False, limits.workers, limits.dask

    def end(_: Progress) -> None:
        if ended:
            raise _Ended

    left = iter(parts)
    waiting: dict[Future[list[PieceSet]], tuple[int, PiecePool]] = {}
    with ExitStack() as stack:
        executor: Executor
        if dask is None:
            check_processes("the choice of pieces")
            executor = ThreadPoolExecutor(workers, thread_name_prefix="calmip-design")
            stack.enter_context(executor)
        else:
            from calmip.tasks.campaign.runs import pool

            cluster = stack.enter_context(pool(workers, dask, ()))
            executor, workers = cluster.executor, cluster.size()

        def submitted(part: PiecePool) -> Future[list[PieceSet]]:
            if dask is not None:
                return executor.submit(judge.decide_anywhere, part, limits.share())
            return executor.submit(judge.decide, part, limits.share(workers, end))

        try:
            while True:
                for place, part in islice(left, workers - len(waiting)):
                    waiting[submitted(part)] = place, part
                if not waiting:
                    return
                done, _ = wait(waiting, PAUSE, FIRST_COMPLETED)
                limits.clock.check(LATE)
                for job in done:
                    yield *waiting.pop(job), job.result()
        finally:
            ended = True
            for job in waiting:
                job.cancel()
