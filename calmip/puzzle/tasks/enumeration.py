"""Solutions one at a time by any method, each verified, and whether they are all."""

from __future__ import annotations

import os
import struct
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from calmip._base.errors import InputError, SolverFailed, join_words
from calmip._base.limits import Deadline, Limits, Progress
from calmip.mip.files.objects import refuse_open_ends
from calmip.mip.status import Status
from calmip.models import pose
from calmip.processes import resident
from calmip.puzzle.search.exact_cover.search import Search
from calmip.puzzle.search.exact_cover.witnesses import number_of
from calmip.puzzle.search.symmetry import count_different, is_first_image, symmetries
from calmip.puzzle.tasks.no_good import NoGoodSearch
from calmip.puzzle.tasks.pool_options import PoolOptions, workers_for
from calmip.puzzle.tasks.problems import (
    METHODS,
    InstanceProblem,
    ModelProblem,
    per_kind,
    problem_of,
)
from calmip.puzzle.tasks.results import Sourced
from calmip.puzzle.tiling import Tiling, Verifier
from calmip.solvers.verdicts import Standing, judge_count

if TYPE_CHECKING:
    from calmip.mip.exact_cover.counting import CoverCount
    from calmip.mip.exact_cover.search import CoverSearch
    from calmip.mip.model import Model
    from calmip.mip.one_tree import OneTree
    from calmip.mip.pool import PoolSearch, PoolSolution, PoolStatistics
    from calmip.mip.rows import Number
    from calmip.puzzle.tasks.problems import PerKind, Problem, Source

TILINGS_PER_MEMORY_CHECK = 1024
"""The number of tilings between two checks of the memory."""

HALVES = struct.Struct("QH")
"""The digest of 10 bytes that stands for a tiling in the search for duplicates."""

SIZE = HALVES.size


class Enumeration(Sourced):
    """The tilings of an instance or the solutions of a model, found while you iterate.

    Iterate once. Each tiling is verified, and there are no duplicates. ``complete``
    is set only when the search proved that there are no more and, for the
    methods that use floating-point numbers, another search counted the same number.

    Each solution of a binary model is the ascending tuple of the columns that are one, by
    number; of another model, the exact values by column. Every row was checked as it was read, in
    exact arithmetic. If all solutions of a binary model are wanted, their order depends on the
    model alone; see `calmip.mip.one_tree.OneTree`. Otherwise see
    `calmip.mip.pool.PoolSearch`.

    Further attributes are those of `calmip.SolutionPool`, so far.

    Parameters
    ----------
    source
        The instance; or a model, also as an object of PuLP, Pyomo and others. Its integer
        variables need bounds, of their own or by the rows.
    method
        Search by this method. A model is searched by ``"exact-cover"`` if its rows are an exact
        cover and all solutions are wanted, else by ``"one-tree"``.
    limit
        Stop after this many solutions, or None.
    time_limit, memory_limit
        As for `calmip.solvers.Limits`: seconds from the first iteration on, and megabytes of the
        whole process.
    optimal
        Find all solutions with the best objective.
    gap
        Find all solutions within this gap of the optimum; ``1%``, or 0.01 of its absolute value.
    within
        Find all solutions at most this far from the optimum.
    best
        Find this many solutions with the best objectives.
    distinct
        Count solutions as equal if these variables are; integer ones, by names or patterns such
        as ``x*``. Each is completed in the best way. In Python, the variables
        of a PuLP, Pyomo or highspy object may be given themselves.
    node_limit
        Stop the search after this many nodes.
    count
        Count the solutions without listing them.
    usage
        Count the solutions in which each integer variable is not 0. They are not listed.
    workers
        Search with this many processes. With ``best`` it decides which of
        several solutions with the last objective are found.
    resumable
        Search a model so that `calmip.puzzle.tasks.journal.save_pool` can continue.
    progress
        Called now and then with a `Progress` of the search of a model.
    keep
        Whether ``solutions`` keeps the solutions. Without it a million tilings take some
        40 MB, to detect duplicates.
    reduce
        Leave out columns that no tiling can use; for ``one-tree`` and ``no-good``. See
        `calmip.puzzle.reduction`. The exact-cover search, which verifies them, always sees all
        columns.
    up_to_symmetry
        Keep one of the tilings that are alike by symmetry.
    solver
        With ``no-good``, run this solver.
    formulation
        With ``no-good``, build this model.
    no_good_cut
        With ``no-good``, forbid a solution by this cut. See `NoGoodSearch`.
    swaps
        With ``no-good``, swap this many pieces; 0 for none.
    seed
        With ``no-good``, start from this seed.
    threads
        With ``no-good``, use this many threads.
    log
        With ``no-good``, called with each line of the solver's log.

    Attributes
    ----------
    solutions : list
        The tilings, or the columns that are one, found so far; empty if they are not kept.
    count : int
        The number of solutions found so far.
    unlisted : int
        The number of those that an interrupt kept from being yielded; they are counted alone.
    complete : bool
        Whether it is proved that there are no further solutions.
    stopped : str
        Why it ended early: ``"limit"``, ``"time"``, ``"memory"``, ``"interrupt"``; or empty.
    seconds : float
        The wall-clock seconds of the search so far.

    Raises
    ------
    InputError
        If a name is unknown or a number out of range.
    """

    diversity = None

    def __init__(
        self,
        source: Source,
        *,
        method: str | None = None,
        limit: int | None = None,
        time_limit: float | None = None,
        memory_limit: float | None = None,
        optimal: bool = False,
        gap: str | float | None = None,
        within: str | float | None = None,
        best: int | None = None,
        distinct: Sequence[str] | Sequence[Any] = (),
        node_limit: int | None = None,
        count: bool = False,
        usage: bool = False,
        workers: int = 1,
        resumable: bool = False,
        progress: Callable[[Progress], None] | None = None,
        keep: bool = True,
        solver: str = "highs",
        formulation: str = "matrix",
        reduce: bool = True,
        up_to_symmetry: bool = False,
        no_good_cut: str = "near",
        swaps: int = 5,
        seed: int = 0,
        threads: int = 1,
        log: Callable[[str], None] | None = None,
    ) -> None:
        self.problem = problem = problem_of(source, open_ends=not count)
        self.source, asked, method = problem.source, method, method or problem.methods[0]
        pool = PoolOptions(
            optimal, gap, within, best, distinct, node_limit, count, usage, workers, resumable
        )
        _check_options(problem, method, pool, limit, up_to_symmetry=up_to_symmetry)
        limits = Limits(
            time_limit,
            seed,
            threads,
            log,
            memory_limit=memory_limit,
            workers=workers,
            progress=progress,
        )
        self.solutions: list[Any] = []
        self.count, self.unlisted, self.complete, self.stopped, self.seconds = 0, 0, False, "", 0.0
        self._limit, self._limits, self._keep = limit, limits, keep
        self._seen = _Digests()
        self._earlier: list[list[int]] = []
        self._digests = bytearray()
        by_solver = method == "no-good"
        self.solver = solver if by_solver else None
        self.formulation = formulation if by_solver else None
        self._motions = symmetries(self.instance) if up_to_symmetry else ()
        self.symmetries = len(self._motions) or None
        no_good = {"solver": solver, "formulation": formulation, "cut": no_good_cut, "swaps": swaps}
        self._work = _work_of(
            problem, limits, method, no_good, reduce=reduce, pool=pool, limit=limit, asked=asked
        )
        self._method = self._work.method or method
        self._search, self.columns, self.rows, self.reduced, *_ = self._work

    @property
    def verifier(self) -> Verifier:
        """The verifier of the tilings of an instance."""
        assert self._work.verifier is not None
        return self._work.verifier

    @property
    def status(self) -> Status:
        """Feasible, infeasible if it is proved that there is no solution, or unknown."""
        return Status.of_pool(self.count, self.complete)

    @property
    def pool(self) -> PoolSearch | None:
        """The search of a model for a pool; None for an instance, and for a plain binary model."""
        return cast("PoolSearch", self._search) if hasattr(self._search, "goal") else None

    @property
    def counting(self) -> PoolSearch | CoverCount | None:
        """The search that counts the solutions and does not list them, or None."""
        counts = getattr(self._search, "tally", False)
        return cast("PoolSearch | CoverCount", self._search) if counts else None

    @property
    def tally(self) -> bool:
        """Whether the solutions are counted and not listed."""
        return self.counting is not None

    def report_to(self, progress: Callable[[Progress], None]) -> bool:
        """Let the search of a model report its progress; return whether it does so by itself."""
        reports = hasattr(self._search, "progress")
        if reports:
            cast("PoolSearch | CoverCount", self._search).progress = progress
        return reports

    @property
    def goal(self) -> str:
        """The goal that the objective sets: its option, or empty."""
        return self.pool.goal.name if self.pool is not None else ""

    @property
    def optimum(self) -> Number | None:
        """The best objective found so far, if the goal needs it."""
        return self.pool.best if self.pool is not None and self.goal else None

    @property
    def proved(self) -> bool:
        """Whether the best objective is proved to be the optimum."""
        return self.pool is not None and self.pool.proved

    @property
    def cutoff(self) -> Number | None:
        """The worst objective that belongs to the pool, as soon as it is known."""
        return self.pool.cutoff if self.pool is not None and self.goal else None

    @property
    def tied(self) -> bool | None:
        """Whether others are as good as the last of the best ones; None if that is not known."""
        return self.pool.tied if self.pool is not None else None

    @property
    def unique(self) -> bool | None:
        """Whether the continuous variables of each solution are; None if that is not known."""
        return True if self.pool is None else self.pool.unique

    @property
    def second(self) -> tuple[int, dict[int, Number]] | None:
        """The number of a solution whose continuous variables are not, and another point."""
        return None if self.pool is None else self.pool.second

    @property
    def used(self) -> dict[str, int] | None:
        """By integer variable, the solutions so far in which it is not 0, if that is counted."""
        found = None if self.pool is None else self.pool.used
        if found is None:
            return None
        return {self.model.columns[column]: number for column, number in found.items()}

    @property
    def method(self) -> str:
        """The method by which solutions are searched; at the end, that by which they were found."""
        return getattr(self._search, "ended_by", "") or self._method

    @property
    def statistics(self) -> PoolStatistics | None:
        """The statistics of the method ``"one-tree"`` so far."""
        return getattr(self._search, "statistics", None)

    def __iter__(self) -> Iterator[Any]:
        return self.after(())

    def after(self, earlier: Iterable[Tiling]) -> Iterator[Any]:
        """Continue an earlier run: its tilings count, and are not yielded again.

        The method ``"no-good"`` cuts them off before the first solve; the
        others find them again, and compare.

        Raises
        ------
        InputError
            If there is a duplicate, or there are more tilings than the limit; while iterating,
            if the search finds them in another order.
        """
        for tiling in earlier:
            self._take(tiling)
        if self._limit is not None and self.count > self._limit:
            raise InputError(
                f"the earlier run has {self.count} tilings already, more than the limit of "
                f"{self._limit}; raise the limit, or leave out --resume"
            )
        return self._found()

    def _take(self, tiling: Tiling) -> None:
        """Count a tiling of an earlier run."""
        try:
            options = self.verifier.options(tiling.placements, tiling.labels)
        except KeyError:
            raise SolverFailed(
                "the reduction has left out a column of an earlier tiling; report this"
            ) from None
        digest = _digest(_key_of(options))
        if not self._add(tiling, digest):
            first = next(n for n in range(self.count) if self._earlier_digest(n) == digest) + 1
            raise InputError(
                f"is a duplicate of line {first}, which calmip never writes; "
                "remove the line, or leave out --resume to start anew",
                line=self.count,
            )
        self._digests += digest
        if self.method == "no-good":
            self._earlier.append(options)

    def _earlier_digest(self, number: int) -> bytearray:
        return self._digests[number * SIZE : (number + 1) * SIZE]

    def _add(self, solution: Any, digest: bytes) -> bool:
        """Count a solution, and keep it if requested; return whether it is new."""
        self.count += 1
        if self._keep:
            self.solutions.append(solution)
        return self._seen.add(digest)

    def _found(self) -> Iterator[Any]:
        """Yield the solutions that the search finds, except the earlier tilings."""
        if self.pool is None:
            yield from self._verified()
        else:
            with workers_for(self.pool, self._limits):
                yield from self._verified()

    def _verified(self) -> Iterator[Any]:
        """Yield the new solutions, each checked; conclude whether they are all."""
        clock = self._limits.clock
        clock.restart()
        earlier, found, every = self.count, 0, 0
        try:
            after = getattr(self._search, "after", None)  # only no-good cuts have it
            found_by: Iterable[Any] = after(self._earlier) if after else self._search
            for options in found_by:
                solution = self._work.read(options)
                every += 1
                if self._motions and not is_first_image(solution, self._motions):
                    continue
                digest = _digest(self._work.key(options))
                found += 1
                self.seconds = clock.elapsed
                if found > earlier:
                    if not self._add(solution, digest):
                        raise SolverFailed(f"{self.method} found a {self.what} twice; report this")
                    yield solution
                elif digest != self._earlier_digest(found - 1):
                    raise InputError(
                        f"tiling {found} of the earlier run is not tiling {found} of this one; "
                        "it had another instance or method: leave out --resume"
                    )
                self.stopped = self._limit_reached(found)
                if self.stopped:
                    return
            if self.counting is not None:
                self.count = self.counting.counted
            if not self._search.complete:
                self.stopped = getattr(self._search, "stopped", "") or "time"
            elif found < earlier:
                raise InputError(
                    f"the earlier run has {earlier} tilings, and there are only {found}: "
                    "it had other options: leave out --resume"
                )
            else:
                self.complete = self._confirm(clock, every)
                self.stopped = "" if self.complete else "time"
        except KeyboardInterrupt:
            self.interrupt()
            raise
        finally:
            self.seconds = clock.elapsed

    def interrupt(self) -> None:
        """Note that the search was interrupted, and how many of its solutions were not yielded."""
        self.stopped = "interrupt"
        search = self.counting or self.pool
        if search is not None and (self.tally or not search.streams):
            listed, self.count = self.count, max(self.count, search.counted)
            self.unlisted += 0 if self.tally else self.count - listed

    def _limit_reached(self, found: int) -> str:
        """Return the limit at which the search stops, if any."""
        if found == self._limit:
            # The search has not looked for another one.
            return "limit"
        if found % TILINGS_PER_MEMORY_CHECK:
            return ""
        return "memory" if resident(os.getpid()) > self._limits.memory else ""

    def _confirm(self, clock: Deadline, every: int) -> bool:
        """Return whether independent counts agree that there are no more; False if not in time."""
        counts = []
        if self._motions:
            number = None
            with suppress(TimeoutError):  # by Burnside's lemma
                number = count_different(self.problem.cover, self._motions, every, clock)
            claim = f"{self.count} of {every} tilings differ up to symmetry"
            counts.append(judge_count(number, self.count, claim).accept())
        if self._work.number_of is not None:
            number = self._work.number_of(every, clock)
            claim = f"{self.method} says that {every} tilings are all"
            counts.append(judge_count(number, every, claim).accept())
        return all(count.standing is Standing.VERIFIED for count in counts)


def _point_of(model: Model, found: PoolSolution) -> Any:
    """Return a solution that a pool's search found: the columns that are one, or all values."""
    refuse_open_ends(model, found.point)
    return tuple(found.point) if model.binary else found.point


def _key_of(options: Sequence[int]) -> bytes:
    return array("I", sorted(options)).tobytes()


def _key_of_point(found: PoolSolution) -> bytes:
    return repr(sorted(found.point.items())).encode()


def _digest(key: bytes) -> bytes:
    from hashlib import blake2b  # as in `digest_of`

    return blake2b(key, digest_size=SIZE).digest()


def _check_options(
    problem: Problem, method: str, pool: PoolOptions, limit: int | None, *, up_to_symmetry: bool
) -> None:
    """Raise `InputError` for an option that is unknown, out of range or of another problem."""
    if pool.given - {"resumable"} and not problem.pooled:
        raise InputError(
            "a puzzle has no objective: optimal, gap, within, best, distinct, count, usage, "
            "node_limit and workers are for models"
        )
    if method not in METHODS:
        raise InputError(f"unknown method '{method}'; use one of {join_words(METHODS)}")
    if limit is not None and limit < 1:
        raise InputError(f"the limit is a number of {problem.what}s from 1 on, not {limit}")
    if method not in problem.methods or (up_to_symmetry and not problem.has_board):
        raise InputError(
            f"a {problem.kind} needs the method {' or '.join(problem.methods)}, and its "
            "symmetries are not known"
        )


class _Work(NamedTuple):
    """A search, the size of its problem, and functions that read and identify its solutions."""

    search: Search | OneTree | NoGoodSearch | PoolSearch | CoverSearch | CoverCount
    columns: int
    rows: int
    reduced: int | None = None
    read: Callable[[Any], Any] = tuple
    key: Callable[[Any], bytes] = _key_of
    verifier: Verifier | None = None
    number_of: Callable[..., int | None] | None = None
    """Counts independently, where the search's own proof is not exact."""
    method: str = ""
    """The method, where the problem decides it."""


_work_of: PerKind[_Work] = per_kind()
"""Return the search for the solutions of a problem."""


@_work_of.register(InstanceProblem)
def _cover_work(
    problem: InstanceProblem,
    limits: Limits,
    method: str,
    no_good: Mapping[str, Any],
    *,
    reduce: bool,
    **_: Any,
) -> _Work:
    part = cover = problem.cover
    if reduce and method != "exact-cover":  # the compiled search is done sooner
        part = (pose(no_good["formulation"], cover) if method == "no-good" else cover).reduced()
    search: Search | OneTree | NoGoodSearch
    if method == "exact-cover":
        search = Search(part, clock=limits.clock)
    elif method == "no-good":
        search = NoGoodSearch(part, limits=limits, **no_good)
    else:
        from calmip.mip.one_tree import OneTree

        search = OneTree(part, clock=limits.clock)
    left = part.columns if part.columns < cover.columns else None
    verifier = Verifier(part)
    witness = None if method == "exact-cover" else partial(number_of, cover, against=method)
    return _Work(
        search, cover.columns, cover.rows, left, verifier.tiling, _key_of, verifier, witness
    )


@_work_of.register(ModelProblem)
def _model_work(
    problem: ModelProblem,
    limits: Limits,
    *_: Any,
    pool: PoolOptions,
    limit: int | None,
    asked: str | None,
    **__: Any,
) -> _Work:
    model = problem.model
    size = len(model.own_columns), model.own_rows
    cover = pool.cover(model, asked)
    if cover is not None:
        found = pool.cover_search(cover, limit=limit, limits=limits)
        return _Work(found, *size, method="exact-cover")
    if pool.given or not model.binary:
        search = pool.search(model, limit=limit, limits=limits, covers=asked is None)
        read = partial(_point_of, model)
        return _Work(search, *size, None, read, _key_of_point)
    from calmip.mip.one_tree import OneTree

    model = model.as_binary("an enumeration")  # without an objective, the tree of its rows is all
    return _Work(OneTree(model, clock=limits.clock), *size)


class _Digests:
    """A hash set of digests, at most two thirds full.

    A place has 8 bytes in one array and 2 in another, which are read twice as fast as slices.
    """

    def __init__(self) -> None:
        self._count = 0
        self._make(1 << 10)

    def _make(self, places: int) -> None:
        self._high, self._low = array("Q", [0]) * places, array("H", [0]) * places

    def add(self, digest: bytes) -> bool:
        """Add a digest; return whether it is new."""
        if 3 * self._count > 2 * len(self._high):
            old = zip(self._high, self._low, strict=True)
            self._make(3 * len(self._high) // 2)
            for high, low in old:
                if high:
                    self._put(high, low)
        high, low = HALVES.unpack(digest)
        new = self._put(high or 1, low)  # 0 is an empty place
        self._count += new
        return new

    def _put(self, one: int, rest: int) -> bool:
        high, low = self._high, self._low
        place = one % len(high)
        while found := high[place]:
            if found == one and low[place] == rest:
                return False
            place = (place + 1) % len(high)
        high[place], low[place] = one, rest
        return True
