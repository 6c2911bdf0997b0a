"""Sets of pieces, and the number of tilings of each real date of a board with them.

A pool of pieces is decided part by part, here or on a cluster, and a design's journal has a line
for the sets of each part.
"""

from __future__ import annotations

import os
from collections.abc import Generator, Iterable, Iterator
from dataclasses import astuple, dataclass, replace
from functools import cached_property, partial
from math import prod
from typing import Any, cast

from calmip._base.limits import NO_LIMITS, Limits, Progress
from calmip.processes.workers import share, workers_of
from calmip.puzzle.cover import ExactCover, Reveal
from calmip.puzzle.dates import real_dates
from calmip.puzzle.instance import FREE, Instance, Selection
from calmip.puzzle.piece_set import PiecePool
from calmip.puzzle.puzzle import Puzzle
from calmip.puzzle.tasks.journal import check_integer

Numbers = tuple[int, ...]
"""The number of copies of each piece of a pool in a set."""

MAX_HARDEST_DATES = 12
"""The most dates that a set names as its hardest."""

MAX_TILINGS = (1 << 63) - 1


@dataclass(frozen=True)
class PieceSet:
    """A set of pieces and the numbers of tilings that the dates have with it.

    Parameters
    ----------
    pieces
        The names of its pieces.
    numbers
        The number of each piece of the pool.
    minimum, median, maximum, total
        Of the numbers of tilings of the real dates.
    impossible, unique, wanting
        The number of real dates with no tiling, with one, and with fewer than required.
    hardest
        The real dates with the fewest tilings, twelve at most.
    """

    KEYS = ("pieces", "minimum", "median", "maximum", "total", "impossible", "hardest")

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
        """The ratio of the maximum to the minimum; infinite if some date has no tiling."""
        return self.maximum / self.minimum if self.minimum else float("inf")


@dataclass(frozen=True)
class SetJudge:
    """Evaluates sets of a pool on the real dates of a board, each of which needs some tilings."""

    frame: Puzzle
    pool: PiecePool
    at_least: int

    @cached_property
    def dates(self) -> dict[str, tuple[str, ...]]:
        """The labels of every real date, by its name."""
        return {name: tuple(one.values()) for name, one in real_dates(self.frame.groups).items()}

    @cached_property
    def symmetries(self) -> list[dict[str, str]]:
        """The images of the labels under motions of the board that keep each group.

        Symmetric dates have equally many tilings.
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
    def labels_to_count(self) -> frozenset[str]:
        """The labels of one group whose dates are counted: one of each set of symmetric labels."""
        labels = {label for members in self.frame.groups.values() for label in members}
        least: list[set[str]] = [
            {label for label in members if all(label <= one[label] for one in self.symmetries)}
            | labels.difference(members)
            for members in self.frame.groups.values()
        ]
        return frozenset(sorted(least, key=len)[0])

    def places(self, labels: list[tuple[str, ...]]) -> list[int]:
        """Return the positions of the real dates, or symmetric ones, in choices of labels."""
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
        """Return a set with these numbers of each piece, from its counts for the real dates."""
        import numpy as np

        least = int(counts.min())
        names = list(self.dates)
        hardest = np.flatnonzero(counts == least)[:MAX_HARDEST_DATES].tolist()
        return PieceSet(
            pieces=tuple(piece.name for piece in self.pool.copies(numbers)),
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
        """Count a set by itself, and return it."""
        import numpy as np

        from calmip.puzzle.search.exact_cover.counting import count_by_reveal

        puzzle = self.pool.puzzle(self.frame, numbers)
        free = Instance.reveal(puzzle, dict.fromkeys(puzzle.groups, FREE))
        counts = count_by_reveal(ExactCover(free), limits)
        return self.piece_set(numbers, np.array([counts[labels] for labels in self.dates.values()]))

    def decide_anywhere(self, part: PiecePool, limits: Limits) -> list[PieceSet]:
        """Decide a part of the pool in a worker process."""
        return self.decide(part, limits.share(os.cpu_count() or 1))

    def decide(self, part: PiecePool, limits: Limits) -> list[PieceSet]:
        """Return those sets of a part of the pool that have a tiling of some real date.

        A part whose count does not fit into the memory is decided in two halves.
        """
        from calmip.puzzle.search.exact_cover.counting import count_sets

        piece_indices = [place for place, most in enumerate(part.most) if most]
        selected = replace(
            part,
            pieces=tuple(part.pieces[place] for place in piece_indices),
            least=tuple(part.least[place] for place in piece_indices),
            most=tuple(part.most[place] for place in piece_indices),
        )
        instance = Selection(selected.supply(self.frame), (), tuple(self.frame.groups))
        cover = ExactCover(instance)
        cover = cover.restricted(
            number
            for number in range(cover.columns)
            if number < cover.placements
            or cast("Reveal", cover.option(number)).label in self.labels_to_count
        )
        try:
            labels, found = count_sets(cover, selected.least, selected.has, limits)
        except MemoryError:
            halves = part.halves()
            if halves is None:
                return [self.alone(part.least, limits)]
            return [one for half in halves for one in self.decide(half, limits)]
        real = self.places(labels)
        sets = []
        for chosen, counts in found.items():
            if counts[real].any():
                numbers = dict(zip(piece_indices, chosen, strict=True))
                every = tuple(numbers.get(place, 0) for place in range(len(part.pieces)))
                sets.append(self.piece_set(every, counts[real]))
        return sets


def identity(frame: Puzzle, pool: PiecePool, at_least: int) -> dict[str, Any]:
    """Return the first line of a journal: everything that determines the numbers of the sets."""
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


def entry_of(number: int, sets: Iterable[PieceSet]) -> dict[str, Any]:
    """Return a part of the pool as a line: its number, and its sets without the pieces' names."""
    return {"part": number, "sets": [astuple(one)[1:] for one in sets]}


def sets_of(judge: SetJudge, part: PiecePool, entry: dict[str, Any]) -> list[PieceSet]:
    """Return the sets of a part from a line; raise one of `MALFORMED` for any other line."""
    dates = len(judge.dates)
    found: dict[Numbers, PieceSet] = {}
    for row, *numbers, hardest in entry["sets"]:
        chosen = tuple(check_integer(number, 0, part.area) for number in row)
        if chosen in found or not part.has(chosen):
            raise ValueError(f"{chosen} is a duplicate, or not a set of this part")
        names = tuple(piece.name for piece in judge.pool.copies(chosen))
        fields: list[Any] = [*numbers, tuple(hardest)]
        found[chosen] = one = PieceSet(names, chosen, *fields)
        check_integer(
            one.maximum,
            check_integer(one.minimum, 0, MAX_TILINGS),
            check_integer(one.total, 1, MAX_TILINGS),
        )
        if type(one.median) is not float or not one.minimum <= one.median <= one.maximum:
            raise ValueError(f"{one.median!r} is not a median")
        for number in (one.impossible, one.unique, one.wanting):
            check_integer(number, 0, dates)
        named = len(one.hardest)
        if not 1 <= named <= MAX_HARDEST_DATES or not set(one.hardest) <= set(judge.dates):
            raise ValueError(f"{one.hardest} are not dates")
    return list(found.values())


MAX_PART_COUNTS = 1 << 22
"""The most sets times choices of labels of a part: some 100 MB of numbers."""

FIRST_SHARE_SETS = 10
"""The most sets of the first share of a part, where a limit may end the work early."""


def parts_of(pool: PiecePool, frame: Puzzle) -> Iterator[PiecePool]:
    """Yield the parts of a pool, each small enough for one count, the same in each run."""
    halves = halve(pool, frame)
    if halves is None:
        yield pool
    for half in halves or ():
        yield from parts_of(half, frame)


def halve(pool: PiecePool, frame: Puzzle) -> tuple[PiecePool, PiecePool] | None:
    """Return both halves of a pool, or None if one count suffices."""
    from calmip.puzzle.search.exact_cover.counting import MAX_FAST_BITS

    choices = prod(map(len, frame.groups.values()))
    large = pool.bits() + len(frame.groups) > MAX_FAST_BITS or pool.sets * choices > MAX_PART_COUNTS
    return pool.halves() if large else None


def shares_of(part: PiecePool) -> Iterator[PiecePool]:
    """Yield a part of a pool in shares, a few sets first, then more and more.

    Deciding the shares takes about twice as long as deciding the part at once.
    """
    halves = part.halves() if part.sets > FIRST_SHARE_SETS else None
    if halves is None:
        yield part
        return
    few, many = halves
    yield from shares_of(few)
    yield many


class _Ended(Exception):
    """The result of the part is no longer needed."""


def decide_parts(
    judge: SetJudge, parts: Iterable[tuple[int, PiecePool]], limits: Limits
) -> Generator[tuple[int, PiecePool, list[PieceSet]]]:
    """Yield parts as they are decided, with their sets that have a tiling of some real date.

    Raise `TimeoutError` at the time limit; unfinished parts are lost.
    """
    ended = False

    def end(_: Progress) -> None:
        if ended:
            raise _Ended

    def job(part: PiecePool) -> tuple[Any, ...]:
        if limits.dask is not None:
            return judge.decide_anywhere, part, limits.share()
        return judge.decide, part, limits.share(limits.workers, end)

    jobs = (((place, part), job(part)) for place, part in parts)
    with workers_of(limits, "the choice of pieces") as workers:
        try:
            late = partial(limits.clock.check, "not all sets were decided")
            for (number, part), sets in share(workers, jobs, late):
                yield number, part, sets
        finally:
            ended = True
