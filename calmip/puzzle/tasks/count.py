"""The number of tilings or solutions: of an instance, its free groups, any cells; of a model.

A large count is made in parts, in processes or on a Dask cluster, each kept when it is
done. A part is the count where some pieces lie before a cut or behind it. So the parts have no
solution in common, and each can be counted again by itself. Two parts take 1.1 to 1.2 times as
long as the whole, eight 2.3 times.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from calmip._base.errors import InputError, SolverFailed
from calmip._base.files import digest_of
from calmip._base.limits import NO_LIMITS, Limits, Progress
from calmip._base.shards import WHOLE, Shard, read_shard
from calmip.mip.status import Status
from calmip.puzzle.cover import ExactCover
from calmip.puzzle.documents.serialise import describe_fields, describe_instance
from calmip.puzzle.instance import Instance
from calmip.puzzle.puzzle import Puzzle
from calmip.puzzle.search.exact_cover.search import count_few
from calmip.puzzle.search.symmetry import count_different, symmetries
from calmip.puzzle.tasks.enumerate import describe_faces
from calmip.puzzle.tasks.interface import public
from calmip.puzzle.tasks.problems import (
    InstanceProblem,
    ModelProblem,
    Problem,
    per_kind,
    problem_of,
)
from calmip.puzzle.tasks.results import Pictured, Sourced

if TYPE_CHECKING:
    from calmip.mip.exact_cover.options import Ints, Options
    from calmip.mip.rows import Number
    from calmip.puzzle.tasks.journal import Journal
    from calmip.puzzle.tasks.problems import PerKind, Source

__all__ = ["Counts", "count", "count_dates", "count_part"]


MAX_PARTS = 1024

MEMORY = 512
"""The megabytes of the table of an exact cover's count, by default."""

MAX_TILINGS = (1 << 63) - 1
"""The most tilings of a choice; a count of more is refused."""


class _ShardDone(Exception):
    """A shard of a count is done, so there is no count yet."""


def _tally(
    options: Options,
    limits: Limits,
    journal: Path | None,
    parts: int | None,
    shard: Shard = WHOLE,
) -> Ints:
    """Return the number of solutions of each choice, in parts if requested or faster.

    By default there is at least one part per worker. A journal keeps finished parts; that of an
    earlier run determines the number of parts. A shard counts some of the parts; unless these are
    the last ones, it raises `_ShardDone`.
    """
    from calmip.puzzle.search.exact_cover.counting import tally, threads_pay

    shared = _shared(limits, journal, parts)
    if not shared and (limits.workers == 1 or threads_pay(options)):
        alone: Ints = tally(options, limits)
        return alone
    from calmip.processes.workers import share, workers_of
    from calmip.puzzle.tasks.journal import Journal

    of_part = limits.share()
    head = {"count": digest_of(repr(options).encode())}
    with (
        workers_of(limits, "a count in parts", threads=threads_pay(options)) as workers,
        Journal(journal, head, resume=True, work="count", remedy="name another file") as lines,
    ):
        every, found = _parts_of(lines, options, parts or workers[1])
        jobs = (
            (one, (count_part, part, of_part))
            for one, part in enumerate(every)
            if one not in found and shard.has(f"part {one}")
        )
        for one, counts in share(workers, jobs, lambda: limits.tick(len(found))):
            found[one] = counts
            lines.add({"part": one, "counts": counts})
        if len(found) < len(every):
            raise _ShardDone(
                f"shard {shard}: {len(found)} of {len(every)} parts are counted, in {journal}"
            )
        return _sum(found, options.choices)


def _shared(limits: Limits, journal: Path | str | None, parts: int | None) -> bool:
    """Whether a cluster, a journal or parts are requested."""
    return any(one is not None for one in (limits.dask, journal, parts))


def count_part(options: Options, limits: Limits = NO_LIMITS) -> dict[int, int]:
    """Return the number of solutions of each choice that has any.

    Raises
    ------
    InputError
        If the memory does not suffice, or there are 2**63 solutions or more.
    TimeoutError
        If the time limit is reached.
    """
    from calmip.puzzle.search.exact_cover.counting import tally

    found = tally(options, limits)
    return {choice: int(found[choice]) for choice in found.nonzero()[0].tolist()}


def _sum(found: dict[int, dict[int, int]], choices: int) -> Ints:
    import numpy as np

    total = [0] * choices
    for part in found.values():
        for choice, number in part.items():
            total[choice] += number
    if sum(total) > MAX_TILINGS:
        raise InputError(f"there are more than {MAX_TILINGS:,} tilings; reveal labels, or divide")
    return np.array(total, dtype=np.int64)


def _parts_of(
    journal: Journal, options: Options, asked: int
) -> tuple[list[Options], dict[int, dict[int, int]]]:
    """Return the parts of a count, and the numbers of those that a journal has.

    Its first entry is the number of parts.
    """
    from calmip.puzzle.search.exact_cover.counting import divide
    from calmip.puzzle.tasks.journal import check_integer

    parts: list[Options] = []
    found: dict[int, dict[int, int]] = {}
    planned = 0

    def keep(entry: dict[str, Any]) -> None:
        nonlocal planned
        if not parts:
            planned = check_integer(entry["parts"], 1, MAX_PARTS)
            parts.extend(divide(options, planned))
            return
        if entry == {"parts": planned}:  # of another shard
            return
        part = check_integer(entry["part"], 0, len(parts) - 1)
        if part in found:
            raise ValueError(f"part {part} is a duplicate")
        counts: dict[int, int] = {}
        for choice, number in entry["counts"].items():
            counts[check_integer(int(choice), 0, options.choices - 1)] = check_integer(
                number, 1, MAX_TILINGS
            )
        if list(map(str, counts)) != list(entry["counts"]):
            raise ValueError("a choice is not written as a number is")
        found[part] = counts

    for _ in journal.read(keep):
        pass
    if not parts:
        parts.extend(divide(options, asked))
        journal.add({"parts": asked})
    return parts, found


Choices = tuple[tuple[Mapping[str, Any], int], ...]
"""Choices of labels or cells that stay uncovered, each with its number of tilings."""


@dataclass(frozen=True, repr=False)
class Counts(Sourced, Pictured):
    """Result of `count`.

    Parameters
    ----------
    source
        The instance, or the model.
    counts
        The labels by group that stay uncovered, or ``cells`` and their ``labels``, and the
        number of tilings, for every choice; a model has one choice, without labels. None if a
        limit was reached: a partial count is not reported.
    any_cells
        As given.
    detail
        The limit that was reached, or the parts that a shard has counted, or empty.
    symmetries
        The number of symmetries of the region to cover; None unless requested.
    different
        The number of tilings up to symmetry; None unless requested.
    left
        The number of tilings of all choices by the pieces that are left out; None if all
        pieces are used.
    unique, second
        Of a model: as of `calmip.SolutionPool`, for any objective.
    method
        Of a model: the method of the search.
    shard
        The shard that is counted, without those of the others.
    """

    MODEL_KEYS = ("model", "status", "total", "detail", "method")

    source: Source
    counts: Choices | None
    any_cells: int | None = None
    detail: str = ""
    symmetries: int | None = None
    different: int | None = None
    left: Mapping[tuple[str, ...], int] | None = None
    unique: bool | None = True
    second: tuple[int, Mapping[int, Number]] | None = None
    method: str = "exact-cover"
    shard: Shard = WHOLE

    tally = True

    @property
    def complete(self) -> bool:
        """Whether the count is complete, as ``known``."""
        return self.known

    @property
    def count(self) -> int:
        """The number of all choices together, 0 if it is unknown."""
        return self.total if self.known else 0

    @property
    def known(self) -> bool:
        """Whether the count is complete."""
        return self.counts is not None

    @property
    def total(self) -> int:
        """The number of tilings of all choices together.

        Raises
        ------
        InputError
            If the count was not finished; `known` says so, and the description has null.
        """
        if self.counts is None:
            raise InputError(f"there is no total: {self.detail or 'the count was not finished'}")
        return sum(number for _, number in self.counts)

    @property
    def status(self) -> Status:
        """Feasible if there is a tiling, infeasible if there is none, unknown at a limit.

        Done if a shard is counted, and other shards are not.
        """
        if self.counts is None:
            return Status.UNKNOWN if self.shard.whole else Status.DONE
        return Status.FEASIBLE if self.total else Status.INFEASIBLE

    def describe(self) -> dict[str, Any]:
        """Return the counts, with the keys in their documented order."""
        return _described(self.problem, self)

    def _summary(self) -> str:
        if self.counts is None:
            return f"{self.source.name}, {self.detail}"
        choices = f" in {len(self.counts):,} choices" if self.problem.has_board else ""
        return f"{self.source.name}, {self.total:,} {self.what}s{choices}"


_described: PerKind[dict[str, Any]] = per_kind()
"""Return the counts of a problem as plain data."""


@_described.register(ModelProblem)
def _(_: Problem, found: Counts) -> dict[str, Any]:
    keys = tuple(key for key in found.MODEL_KEYS if found.known or key != "total")
    described = describe_fields(found, keys)
    return {key: described.get(key) for key in found.MODEL_KEYS} | describe_faces(found)


@_described.register(InstanceProblem)
def _(problem: InstanceProblem, found: Counts) -> dict[str, Any]:
    counts = found.counts or ()
    described = {
        "puzzle": describe_instance(problem.instance)["puzzle"],
        "total": found.total if found.known else None,
        "counts": [{"reveal": dict(reveal), "tilings": number} for reveal, number in counts],
    }
    if found.symmetries is not None:
        described |= {"symmetries": found.symmetries, "up_to_symmetry": found.different}
    if found.left is not None:
        described["left"] = [
            {"pieces": list(pieces), "tilings": n} for pieces, n in found.left.items()
        ]
    return described


@public
def count(
    source: Source,
    *,
    any_cells: int | None = None,
    up_to_symmetry: bool = False,
    time_limit: float | None = None,
    workers: int = 1,
    memory_limit: float | None = None,
    memory: int = MEMORY,
    dask: str | None = None,
    journal: Path | str | None = None,
    parts: int | None = None,
    shard: str | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Counts:
    """Count the tilings of an instance, for every free label, or the solutions of a model.

    All choices are counted in one exact-cover search; a puzzle without labels
    (``read_instance(name, free=True)``) counts its whole year. The solutions of a model,
    whatever its objective, are counted by exact arithmetic: in one tree or, if its rows are an
    exact cover, by a search that counts equal sets of open items once. They are the values of its
    integer variables that satisfy every row.

    Parameters
    ----------
    source
        The instance; or a model whose integer variables are bounded, from `calmip.read_model`
        for example.
    any_cells
        Uncover this many cells, whatever their labels.
    up_to_symmetry
        Count also the tilings up to symmetry. Those that a symmetry of the
        instance carries into each other count once (by Burnside's lemma).
    time_limit, workers, memory_limit, dask, progress
        As for `calmip.solvers.Limits`. A partial count is not reported. A count that needs
        more memory is made in parts, one after the other. Workers are threads, or processes
        if the count is too large for the compiled search. Progress counts states; parts, if
        there are any.
    memory
        Give the table of an exact cover's count this many megabytes.
    journal
        Keep each finished part in this file, and continue from there.
    parts
        Count in this many parts. By default there are as many as workers.
    shard
        Count shard I of N of the parts, into a journal of its own; I may be a scheduler's variable.
        The journals of all shards together, joined by ``cat``, are that of the count.

    Raises
    ------
    InputError
        If a number is out of range or options exclude each other, if the pieces do not
        leave ``any_cells`` cells, if there are too many choices to count in one search, if
        the journal is of another count, or if the cluster cannot be reached; up to
        symmetry also if groups are free or pieces lie on the board.
    TypeError
        If the source is neither an instance nor a model.
    SolverMissing
        If Dask is asked for and not installed.
    """
    limits = Limits(
        time_limit, memory_limit=memory_limit, workers=workers, dask=dask, progress=progress
    )
    part = read_shard(shard)
    if not part.whole and journal is None:
        raise InputError("a shard of a count is kept in its journal; name one")
    parted: dict[str, Any] = {
        "journal": None if journal is None else Path(journal),
        "parts": parts,
        "shard": part,
    }
    if memory < 1:
        raise InputError(f"memory is a number of megabytes from 1 on, not {memory}")
    problem = problem_of(source)
    if memory != MEMORY and problem.has_board:
        raise InputError("memory is for the exact cover of a model; leave it out")
    return _count(
        problem, limits, any_cells, up_to_symmetry=up_to_symmetry, memory=memory, **parted
    )


_count: PerKind[Counts] = per_kind()
"""Count the solutions of a problem."""


@_count.register(InstanceProblem)
def _count_tilings(
    problem: InstanceProblem,
    limits: Limits,
    any_cells: int | None,
    *,
    up_to_symmetry: bool,
    journal: Path | None,
    parts: int | None,
    shard: Shard,
    **_: Any,
) -> Counts:
    instance, cover = problem.instance, problem.cover
    if up_to_symmetry and any_cells is not None:
        raise InputError("a count up to symmetry needs labels; leave out any_cells")
    motions = symmetries(instance) if up_to_symmetry else None
    if any_cells is not None and instance.placed:
        raise InputError("the count starts from an empty board; leave out the key 'placed'")
    if parts is not None and not 1 <= parts <= MAX_PARTS:
        raise InputError(f"the number of parts is from 1 to {MAX_PARTS}, not {parts}")
    if any_cells is not None and _shared(limits, journal, parts):
        raise InputError("any_cells are counted by threads on this machine; leave out the rest")
    try:
        if any_cells is None:
            counts = _by_label(cover, limits, journal, parts, shard)
        else:
            counts = _by_cells(instance.puzzle, any_cells, limits)
        left = _by_left(cover, limits) if instance.puzzle.optional else None
        if left is not None and sum(left.values()) != sum(number for _, number in counts):
            raise SolverFailed("two counts of the tilings, with and without sets, differ")
        if motions is None:
            return Counts(instance, counts, any_cells, left=left)
        number = count_different(cover, motions, counts[0][1], limits.clock)
        return Counts(instance, counts, symmetries=len(motions), different=number, left=left)
    except TimeoutError as error:
        return Counts(instance, None, any_cells, str(error))
    except _ShardDone as done:
        return Counts(instance, None, any_cells, str(done), shard=shard)


@_count.register(ModelProblem)
def _count_solutions(
    problem: ModelProblem,
    limits: Limits,
    cells: int | None,
    *,
    up_to_symmetry: bool,
    journal: Path | None,
    parts: int | None,
    shard: Shard,
    memory: int,
) -> Counts:
    from calmip.mip.exact_cover.counting import CoverCount
    from calmip.puzzle.tasks.enumeration import Enumeration
    from calmip.puzzle.tasks.journal import Journal

    model = problem.model
    others = up_to_symmetry or cells is not None or not shard.whole
    if others or _shared(limits, None, parts):
        raise InputError("a model has no cells, and its count is one search; leave out the rest")
    settings: dict[str, Any] = {
        "keep": False,
        "time_limit": limits.seconds,
        "memory_limit": limits.memory_limit,
        "workers": limits.workers,
        "progress": limits.progress,
    }
    try:
        search = Enumeration(model, method="exact-cover", count=True, **settings)
    except InputError as error:  # it is none
        if journal is not None:
            raise InputError(
                f"a journal keeps the count of an exact cover; {error.message} in "
                "calmip enumerate --count --resume"
            ) from None
        tally = not model.binary or limits.workers > 1
        search = Enumeration(model, method="one-tree", count=tally, **settings)
    found = search.counting
    if isinstance(found, CoverCount):
        found.table = memory << 20
        head = {"cover": found.identity if journal else ""}
        with Journal(journal, head, resume=True, work="count", remedy="name another file") as lines:
            for _ in lines.read(found.recall):
                pass
            found.record = None if journal is None else lines.add
            for _ in search:
                pass
    else:
        for _ in search:
            limits.report(search.statistics.nodes if search.statistics else 0)
    method = search.method
    if search.complete:
        counts: Choices = (({}, search.count),)
        return Counts(model, counts, unique=search.unique, second=search.second, method=method)
    return Counts(model, None, detail=f"{search.stopped} limit reached", method=method)


def count_dates(puzzle: Puzzle, limits: Limits = NO_LIMITS) -> dict[str, tuple[Instance, int]]:
    """Return the instance of every real date and the number of its tilings, by name.

    One search counts the whole year; a `TimeoutError` is raised at the time limit.
    """
    from calmip.puzzle.search.exact_cover.counting import count_by_reveal

    dates = puzzle.named_dates()
    counts = count_by_reveal(ExactCover(Instance(puzzle, (), tuple(puzzle.groups))), limits.share())
    return {
        name: (Instance.reveal(puzzle, labels, name=name), counts[tuple(labels.values())])
        for name, labels in dates.items()
    }


def _by_label(
    cover: ExactCover, limits: Limits, journal: Path | None, parts: int | None, shard: Shard
) -> Choices:
    instance = cover.instance
    plain = limits.workers == 1 and limits.memory_limit is None and not limits.clock.over
    few = None
    if plain and not instance.free and not _shared(limits, journal, parts):
        few = count_few(cover)
    found: dict[tuple[str, ...], int] = {} if few is None else {(): few}
    if few is None:
        from calmip.puzzle.search.exact_cover.counting import count_by_reveal  # which needs numpy

        tally = partial(_tally, limits=limits, journal=journal, parts=parts, shard=shard)
        found = count_by_reveal(cover, share=tally)
    # The cover has no label that lies under a placed piece.
    every = (
        [label for label in instance.puzzle.groups[group] if label not in instance.labels]
        for group in instance.free
    )
    return tuple(
        (instance.reveal_of([*instance.labels, *free]), found.get(free, 0))
        for free in itertools.product(*every)
    )


def _by_left(cover: ExactCover, limits: Limits) -> dict[tuple[str, ...], int] | None:
    """Return the number of tilings by the pieces left out, most tilings first.

    None if the memory does not suffice.
    """
    from calmip.puzzle.search.exact_cover.counting import count_sets

    classes, use = cover.instance.puzzle.piece_classes, cover.instance.puzzle.use
    least = [len(pieces) - spare for pieces, spare in zip(classes, cover.spare, strict=True)]

    def wanted(numbers: tuple[int, ...]) -> bool:
        enough = all(n >= low for n, low in zip(numbers, least, strict=True))
        return enough and use in (None, sum(numbers))

    try:
        _, found = count_sets(cover, least, wanted, limits)
    except MemoryError:
        return None
    place = {piece.name: number for number, piece in enumerate(cover.instance.puzzle.pieces)}
    counts = {
        tuple(
            sorted(
                (
                    piece.name
                    for pieces, n in zip(classes, numbers, strict=True)
                    for piece in pieces[n:]
                ),
                key=place.__getitem__,
            )
        ): int(by_choice.sum())
        for numbers, by_choice in found.items()
    }
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def _by_cells(puzzle: Puzzle, any_cells: int, limits: Limits) -> Choices:
    from calmip.puzzle.search.exact_cover.counting import count_uncovered

    label = puzzle.board.label
    found = count_uncovered(puzzle, any_cells, limits)
    return tuple(
        ({"cells": [list(cell) for cell in cells], "labels": [label(cell) for cell in cells]}, n)
        for cells, n in found.items()
    )
