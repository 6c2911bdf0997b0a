"""Solutions one at a time by any method, each verified, the end said honestly."""

from __future__ import annotations

import struct
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Protocol, cast

from calmip._limits import Deadline, Limits, resident_memory
from calmip.errors import InputError, SolverFailed, listed
from calmip.models import posed
from calmip.problem.cover import ExactCover
from calmip.problem.status import Status
from calmip.problem.tiling import Tiling, Verifier
from calmip.search.symmetry import foremost, symmetries
from calmip.search.witnesses import number_of
from calmip.tasks._source import Sourced, subject_of
from calmip.tasks._trust import Standing, judge_count

if TYPE_CHECKING:
    from calmip.search.one_tree import TreeStatistics
    from calmip.search.witnesses import Subject
    from calmip.tasks._source import Source

__all__ = ["METHODS", "OF_MODELS", "Enumeration"]

METHODS = {
    "exact-cover": "The compiled search without any numbers: the fastest by far.",
    "one-tree": "One branch-and-bound tree over HiGHS relaxations; every leaf is a tiling.",
    "no-good": "Solve, forbid what was found, solve again until infeasible: the textbook.",
}
"""The ways to find all tilings, the first of them unless another is named."""

OF_MODELS = "one-tree"
"""The only method that needs no more than the rows of a model."""


class _Search(Protocol):
    """Iterates over solutions as option numbers; afterwards tells whether these are all."""

    complete: bool

    def __iter__(self) -> Iterator[list[int]]: ...


def _search_of(subject: Subject, method: str, limits: Limits, **settings: Any) -> _Search:
    """Return a method's search; the settings are those of no-good cuts."""
    if method == "one-tree" or not isinstance(subject, ExactCover):
        from calmip.search.one_tree import OneTree

        return OneTree(subject, time_limit=limits.time_limit)
    if method == "no-good":
        from calmip.tasks._no_good import NoGoodSearch

        return NoGoodSearch(subject, limits=limits, **settings)
    from calmip.search.exact_cover.search import Search

    return Search(subject, time_limit=limits.time_limit)


LOOK = 1024
"""After so many tilings the memory is looked at."""

DIGEST = struct.Struct("QI")
"""What stands for a tiling where it is only asked whether it came before: 96 bits."""


class Enumeration(Sourced):
    """The tilings of an instance or the solutions of a model, found while you iterate.

    Iterate once. Each tiling is verified, and none comes twice. ``complete``
    is set only when the search proved that there are no more and, for the
    methods that use floating-point numbers, another search counted the same number.

    Each solution of a model is the ascending tuple of the columns that are one, by number;
    every row was checked as it was read, in exact arithmetic. They come in an order that
    the model fixes; see `calmip.search.one_tree.OneTree`. The objective plays no part.

    Parameters
    ----------
    source
        The instance; or a model whose variables are all binary.
    method
        ``"exact-cover"``, ``"one-tree"`` or ``"no-good"``; the first of them unless given,
        and for a model always ``"one-tree"``.
    limit
        Stop after so many solutions, or None.
    time_limit, memory_limit
        As for `calmip.solvers.Limits`. The time begins with the iteration; the memory is that
        of the process.
    keep
        Whether ``solutions`` keeps what was found. Without it a million tilings take some
        40 MB, to know that none comes twice.
    reduce
        Whether ``"one-tree"`` and ``"no-good"`` get only the columns that a tiling
        might use; see `calmip.problem.reduction`. The exact-cover search, which
        judges them, always sees all columns.
    up_to_symmetry
        Of tilings that symmetries of the instance carry into each other, only one counts.
    solver, formulation, cut, swaps, seed, threads, log
        For ``"no-good"`` only; see `calmip.tasks._no_good.NoGoodSearch`.

    Attributes
    ----------
    source : Instance or BinaryModel
        The instance, or the model.
    method : str
        The method.
    solver, formulation : str or None
        What the method ``"no-good"`` uses; None for the others.
    symmetries : int or None
        How many motions carry the instance into itself; None if tilings that they
        carry into each other count each.
    columns, rows : int
        The size of the exact cover, or of the model.
    reduced : int or None
        How many of the columns were left after the reduction; None without one.
    solutions : list
        The tilings, or the columns that are one, found so far; empty if they are not kept.
    count : int
        How many solutions were found so far.
    complete : bool
        Whether there are proved to be no further solutions.
    stopped : str
        Why it ended early: ``"limit"``, ``"time"``, ``"memory"``, ``"interrupt"``; or
        empty.
    seconds : float
        Wall-clock seconds of the search so far.

    Raises
    ------
    InputError
        If a name is unknown or a number out of range.
    """

    def __init__(
        self,
        source: Source,
        *,
        method: str | None = None,
        limit: int | None = None,
        time_limit: float | None = None,
        memory_limit: float | None = None,
        keep: bool = True,
        solver: str = "highs",
        formulation: str = "matrix",
        reduce: bool = True,
        up_to_symmetry: bool = False,
        cut: str = "near",
        swaps: int = 5,
        seed: int = 0,
        threads: int = 1,
        log: Callable[[str], None] | None = None,
    ) -> None:
        self.source = source
        subject = subject_of(source)
        method = method or (next(iter(METHODS)) if self.of_instance else OF_MODELS)
        if method not in METHODS:
            raise InputError(f"unknown method '{method}'; use one of {listed(list(METHODS))}")
        if limit is not None and limit < 1:
            raise InputError(f"the limit is a number of {self.what}s from 1 on, not {limit}")
        if not self.of_instance and (method != OF_MODELS or up_to_symmetry):
            raise InputError(
                f"a model goes with the method {OF_MODELS} only, and its symmetries are not known"
            )
        limits = Limits(time_limit, seed, threads, log, memory_limit=memory_limit)
        self.method = method
        self.solutions: list[Any] = []
        self.count = 0
        self.complete = False
        self.stopped = ""
        self.seconds = 0.0
        self._limit = limit
        self._limits, self._memory = limits, limits.memory
        self._keep = keep
        self._seen = _Digests()
        self._earlier: list[list[int]] = []
        self._digests = bytearray()
        by_solver = method == "no-good"
        self.solver = solver if by_solver else None
        self.formulation = formulation if by_solver else None
        self._motions = symmetries(self.instance) if up_to_symmetry else ()
        self.symmetries = len(self._motions) or None
        self.reduced: int | None = None
        part, self._read = subject, cast("Callable[[Sequence[int]], Any]", tuple)
        if isinstance(subject, ExactCover):
            self._cover = subject
            self.columns, self.rows = subject.columns, subject.rows
            part = subject
            if reduce and method != "exact-cover":  # the compiled search is done sooner
                part = (posed(formulation, subject) if by_solver else subject).reduced()
            self.reduced = part.columns if part.columns < self.columns else None
            self._verifier = Verifier(part)
            self._read = self._verifier.tiling
        else:
            self.columns, self.rows = len(subject.columns), len(subject.rows)
        self._search = _search_of(
            part, method, limits, solver=solver, formulation=formulation, cut=cut, swaps=swaps
        )

    @property
    def status(self) -> Status:
        """Feasible if there is a solution, infeasible if there is proved to be none, or unknown."""
        return Status.of_pool(self.count, self.complete)

    @property
    def verifier(self) -> Verifier:
        """What verifies the tilings of an instance."""
        return self._verifier

    @property
    def statistics(self) -> TreeStatistics | None:
        """What the method ``"one-tree"`` took so far."""
        return getattr(self._search, "statistics", None)

    def __iter__(self) -> Iterator[Any]:
        return self.after(())

    def after(self, earlier: Iterable[Tiling]) -> Iterator[Any]:
        """Go on where an earlier run ended: its tilings count, and are not yielded again.

        The method ``"no-good"`` cuts them off before the first solve; the
        others find them again, and compare.

        Parameters
        ----------
        earlier
            The tilings, in the order in which they were found. They are gone through at once.

        Raises
        ------
        InputError
            If one of them comes twice, or they are more than the limit; while iterating, if
            they do not come here in the same order.
        """
        for tiling in earlier:
            self._take(tiling)
        if self._limit is not None and self.count > self._limit:
            raise InputError(
                f"the earlier run has {self.count} tilings already, more than the limit of "
                f"{self._limit}; raise the limit, or start anew"
            )
        return self._found()

    def _take(self, tiling: Tiling) -> None:
        """Count a tiling of an earlier run."""
        try:
            options = self._verifier.options(tiling.placements, tiling.labels)
        except KeyError:
            raise SolverFailed(
                "the reduction has left out a column of an earlier tiling; please report this"
            ) from None
        digest = _digest(options)
        if not self._add(tiling, digest):
            size = DIGEST.size
            places = range(0, len(self._digests), size)
            first = next(n for n in places if self._digests[n : n + size] == digest) // size + 1
            raise InputError(
                f"is the tiling of line {first} once more, which no run of ours writes; "
                "remove the line, or leave out --resume to start anew",
                line=self.count,
            )
        self._digests += digest
        if self.method == "no-good":
            self._earlier.append(options)

    def _add(self, solution: Any, digest: bytes) -> bool:
        """Count a solution, and keep it if that is wanted; return whether it is new."""
        self.count += 1
        if self._keep:
            self.solutions.append(solution)
        return self._seen.add(digest)

    def _found(self) -> Iterator[Any]:
        """Yield what the search finds, but for the earlier tilings."""
        clock = self._limits.anew().clock
        earlier, found, every = self.count, 0, 0
        try:
            for options in self._solutions():
                solution = self._read(options)
                every += 1
                if self._motions and not foremost(solution, self._motions):
                    continue
                digest = _digest(options)
                found += 1
                self.seconds = clock.elapsed
                if found > earlier:
                    if not self._add(solution, digest):
                        raise SolverFailed(f"{self.method} found a {self.what} twice; report this")
                    yield solution
                elif digest != self._digests[(found - 1) * DIGEST.size : found * DIGEST.size]:
                    raise InputError(
                        f"tiling {found} of the earlier run is not the one that comes here; "
                        "it had another instance or method: start anew"
                    )
                self.stopped = self._limit_reached(found)
                if self.stopped:
                    return
            if not self._search.complete:
                self.stopped = "time"
            elif found < earlier:
                raise InputError(
                    f"the earlier run has {earlier} tilings, and there are only {found}: "
                    "it had other options; start anew"
                )
            else:
                self._conclude(clock, every)
        except KeyboardInterrupt:
            self.stopped = "interrupt"
            raise
        finally:
            self.seconds = clock.elapsed

    def _limit_reached(self, found: int) -> str:
        """Return the limit at which the search stops, if any."""
        if found == self._limit:
            # Whether there are more is not known, even if there are not.
            return "limit"
        return "memory" if found % LOOK == 0 and resident_memory() > self._memory else ""

    def _solutions(self) -> Iterator[list[int]]:
        from calmip.tasks._no_good import NoGoodSearch

        if isinstance(self._search, NoGoodSearch):
            return self._search.after(self._earlier)
        return iter(self._search)

    def _conclude(self, clock: Deadline, every: int) -> None:
        """Believe that there are no more only when an independent count agrees."""
        if self._motions and not self._as_burnside_says(every, clock):
            self.stopped = "time"
            return
        if self.method == "exact-cover" or not self.of_instance:  # one-tree's proofs are exact
            self.complete = True
            return
        number = number_of(self._cover, every, clock, against=self.method)
        found = judge_count(number, every, f"{self.method} says that {every} tilings are all")
        self.complete = found.believed().standing is Standing.VERIFIED
        self.stopped = "" if self.complete else "time"

    def _as_burnside_says(self, every: int, clock: Deadline) -> bool:
        """Compare the number up to symmetry with Burnside's lemma; False if the time is over."""
        from calmip.search.symmetry import different

        try:
            number = different(self._cover, self._motions, every, clock)
        except TimeoutError:
            return False
        if number != self.count:
            raise SolverFailed(
                f"{self.count} tilings differ up to symmetry, but by Burnside's lemma it is "
                f"{number} of {every}; please report this"
            )
        return True


def _digest(options: Sequence[int]) -> bytes:
    """Return what stands for a tiling: a digest of its options, which no other tiling has."""
    return blake2b(array("I", sorted(options)).tobytes(), digest_size=DIGEST.size).digest()


class _Digests:
    """A set of digests in two arrays: 12 bytes for a place, of which two thirds are taken."""

    def __init__(self) -> None:
        self._count = 0
        self._make(1 << 10)

    def _make(self, places: int) -> None:
        self._high, self._low = array("Q", bytes(8 * places)), array("I", bytes(4 * places))

    def add(self, digest: bytes) -> bool:
        """Add a digest; return whether it is new."""
        if 3 * self._count > 2 * len(self._high):
            high, low = self._high, self._low
            self._make(2 * len(high))
            for one, rest in zip(high, low, strict=True):
                if one:
                    self._put(one, rest)
        high_part, low_part = DIGEST.unpack(digest)
        # 0 is an empty place.
        new = self._put(high_part or 1, low_part)
        self._count += new
        return new

    def _put(self, one: int, rest: int) -> bool:
        high, low = self._high, self._low
        most = len(high) - 1
        place = one & most
        while found := high[place]:
            if found == one and low[place] == rest:
                return False
            place = place + 1 & most
        high[place], low[place] = one, rest
        return True
