"""All tilings of an instance by any method, each verified, the end said honestly."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from time import perf_counter
from typing import Protocol

from calmip._limits import Limits
from calmip.errors import InputError, SolverFailed, listed
from calmip.problem.cover import ExactCover
from calmip.problem.instance import Instance
from calmip.problem.tiling import Tiling, TilingPool

__all__ = ["METHODS", "Enumeration", "enumerate_tilings"]

METHODS = ("exact-cover", "one-tree", "no-good")
"""The compiled search, one branch-and-bound tree, and solving with no-good cuts."""

WITNESS_SECONDS = 1.0
"""The least time that the witness gets, even when the enumeration used all of it."""


class _Search(Protocol):
    """Iterates over solutions as option numbers; afterwards tells whether these are all."""

    complete: bool

    def __iter__(self) -> Iterator[list[int]]: ...


class Enumeration:
    """The tilings of an instance, found while you iterate.

    Iterate once. Each tiling is verified, and none comes twice. ``complete``
    is set only when the search proved that there are no more and, for the
    methods that use floating-point numbers, the exact-cover search counted
    the same number.

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
    known
        Tilings that an earlier run found, in its order: they count, and are
        not yielded again.
    solver, formulation, cut, swaps, seed, threads, log
        For ``"no-good"`` only; see `calmip.tasks._no_good.NoGoodSearch`.

    Attributes
    ----------
    instance : Instance
        The instance.
    method : str
        The method.
    columns, rows : int
        The size of the exact cover.
    tilings : list of Tiling
        What was found so far.
    complete : bool
        Whether there are proved to be no further tilings.
    stopped : str
        Why it ended early: ``"limit"``, ``"time"``, ``"interrupt"``; or empty.
    seconds : float
        Wall-clock seconds of the search so far.

    Raises
    ------
    InputError
        If a name is unknown or a number out of range.
    """

    def __init__(
        self,
        instance: Instance,
        *,
        method: str = "exact-cover",
        limit: int | None = None,
        time_limit: float | None = None,
        known: Sequence[Tiling] = (),
        solver: str = "highs",
        formulation: str = "matrix",
        cut: str = "near",
        swaps: int = 5,
        seed: int = 0,
        threads: int = 1,
        log: Callable[[str], None] | None = None,
    ) -> None:
        if method not in METHODS:
            raise InputError(f"unknown method '{method}'; use one of {listed(METHODS)}")
        if limit is not None and limit < 1:
            raise InputError(f"the limit is a number of tilings from 1 on, not {limit}")
        limits = Limits(time_limit, seed, threads, log)
        self.instance = instance
        self.method = method
        self.tilings: list[Tiling] = []
        self.complete = False
        self.stopped = ""
        self.seconds = 0.0
        self._limit = limit
        self._known = list(known)
        self._time_limit = time_limit
        self._cover = ExactCover(instance)
        self.columns, self.rows = self._cover.columns, self._cover.rows
        self._search: _Search
        if method == "no-good":
            from calmip.tasks._no_good import NoGoodSearch

            self._search = NoGoodSearch(
                self._cover,
                solver=solver,
                formulation=formulation,
                cut=cut,
                swaps=swaps,
                limits=limits,
                known=[tiling.options(self._cover) for tiling in self._known],
            )
        elif method == "one-tree":
            from calmip.search.one_tree import OneTree

            self._search = OneTree(self._cover, time_limit=time_limit)
        else:
            from calmip.search.exact_cover import Search

            self._search = Search(self._cover, time_limit=time_limit)

    def __iter__(self) -> Iterator[Tiling]:
        started = perf_counter()
        seen: set[Tiling] = set()
        if self.method == "no-good":
            seen.update(self._known)
            self.tilings.extend(self._known)
        try:
            for options in self._search:
                tiling = Tiling.from_options(self._cover, options)
                if tiling in seen:
                    raise SolverFailed(f"{self.method} found a tiling twice; please report this")
                seen.add(tiling)
                self.tilings.append(tiling)
                self.seconds = perf_counter() - started
                if len(seen) > len(self._known):
                    yield tiling
                elif tiling != self._known[len(seen) - 1]:
                    raise InputError(
                        f"tiling {len(seen)} of the earlier run is not the one that comes here; "
                        "it had another instance or method: start anew"
                    )
                if len(seen) == self._limit:
                    # Whether there are more is not known, even if there are not.
                    self.stopped = "limit"
                    return
            if self._search.complete:
                self._conclude(perf_counter() - started)
            else:
                self.stopped = "time"
        except KeyboardInterrupt:
            self.stopped = "interrupt"
            raise
        finally:
            self.seconds = perf_counter() - started

    def _conclude(self, elapsed: float) -> None:
        """Believe that there are no more only when an independent count agrees."""
        if self.method == "exact-cover":
            self.complete = True
            return
        from calmip.search.exact_cover import Search

        left = None
        if self._time_limit is not None:
            left = max(self._time_limit - elapsed, WITNESS_SECONDS)
        witness = Search(self._cover, time_limit=left)
        count = sum(1 for _ in witness)
        if not witness.complete:
            self.stopped = "time"
        elif count != len(self.tilings):
            raise SolverFailed(
                f"{self.method} says that {len(self.tilings)} tilings are all, but the "
                f"exact-cover search counts {count}; please report this"
            )
        else:
            self.complete = True

    def pool(self) -> TilingPool:
        """Return the tilings found so far and whether they are all."""
        return TilingPool(tuple(self.tilings), self.complete)


def enumerate_tilings(
    instance: Instance,
    *,
    method: str = "exact-cover",
    limit: int | None = None,
    time_limit: float | None = None,
) -> TilingPool:
    """Return the pool of all tilings of an instance, or of as many as the limits allow.

    `Enumeration` does the same one tiling at a time and takes more options.

    Raises
    ------
    InputError
        If the method is unknown or a limit out of range.
    SolverFailed
        If a solver crashed, or an answer did not survive its check.
    """
    search = Enumeration(instance, method=method, limit=limit, time_limit=time_limit)
    for _ in search:
        pass
    return search.pool()
