"""Tilings one at a time by any method, each verified, the end said honestly."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

from calmip._limits import Deadline, Limits
from calmip.errors import InputError, SolverFailed, listed
from calmip.models import packs
from calmip.problem.cover import ExactCover
from calmip.problem.instance import Instance
from calmip.problem.symmetry import foremost, symmetries
from calmip.problem.tiling import Tiling
from calmip.tasks.solve import WITNESS_SECONDS

__all__ = ["METHODS", "Enumeration"]

METHODS = {
    "exact-cover": "The compiled search without any numbers: the fastest by far.",
    "one-tree": "One branch-and-bound tree over HiGHS relaxations; every leaf is a tiling.",
    "no-good": "Solve, forbid what was found, solve again until infeasible: the textbook.",
}
"""The ways to find all tilings, the first of them unless another is named."""


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
    instance : Instance
        The instance.
    method : str
        The method.
    solver, formulation : str or None
        What the method ``"no-good"`` uses; None for the others.
    symmetries : int or None
        How many motions carry the instance into itself; None if tilings that they
        carry into each other count each.
    columns, rows : int
        The size of the exact cover.
    reduced : int or None
        How many of the columns were left after the reduction; None without one.
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
        if method not in METHODS:
            raise InputError(f"unknown method '{method}'; use one of {listed(list(METHODS))}")
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
        self._time_limit = time_limit
        by_solver = method == "no-good"
        self.solver = solver if by_solver else None
        self.formulation = formulation if by_solver else None
        self._motions = symmetries(instance) if up_to_symmetry else ()
        self.symmetries = len(self._motions) or None
        self._cover = ExactCover(instance)
        self.columns, self.rows = self._cover.columns, self._cover.rows
        # A packing may use any placement, and the compiled search is done sooner.
        reducible = method == "one-tree" or (by_solver and not packs(formulation))
        self._part = self._cover.reduced() if reduce and reducible else self._cover
        self.reduced = self._part.columns if self._part.columns < self.columns else None
        self._search: _Search
        if by_solver:
            from calmip.tasks._no_good import NoGoodSearch

            self._search = NoGoodSearch(
                self._part,
                solver=solver,
                formulation=formulation,
                cut=cut,
                swaps=swaps,
                limits=limits,
            )
        elif method == "one-tree":
            from calmip.search.one_tree import OneTree

            self._search = OneTree(self._part, time_limit=time_limit)
        else:
            from calmip.search.exact_cover.search import Search

            self._search = Search(self._part, time_limit=time_limit)

    @property
    def count(self) -> int:
        """How many tilings were found so far."""
        return len(self.tilings)

    def __iter__(self) -> Iterator[Tiling]:
        return self.after(())

    def after(self, earlier: Sequence[Tiling]) -> Iterator[Tiling]:
        """Go on where an earlier run ended: its tilings count, and are not yielded again.

        The method ``"no-good"`` cuts them off before the first solve; the
        others find them again, and compare.

        Parameters
        ----------
        earlier
            The tilings, in the order in which they were found.

        Raises
        ------
        InputError
            If they do not come here in the same order, or are more than the limit.
        """
        if self._limit is not None and len(earlier) > self._limit:
            raise InputError(
                f"the earlier run has {len(earlier)} tilings already, more than the limit of "
                f"{self._limit}; raise the limit, or start anew"
            )
        clock = Deadline(self._time_limit)
        self.tilings = list(earlier)
        seen: set[Tiling] = set()
        every = 0
        try:
            for options in self._solutions(earlier):
                tiling = Tiling.from_options(self._part, options)
                every += 1
                if self._motions and not foremost(tiling, self._motions):
                    continue
                if tiling in seen:
                    raise SolverFailed(f"{self.method} found a tiling twice; please report this")
                seen.add(tiling)
                self.seconds = clock.elapsed
                if len(seen) > len(earlier):
                    self.tilings.append(tiling)
                    yield tiling
                elif tiling != earlier[len(seen) - 1]:
                    raise InputError(
                        f"tiling {len(seen)} of the earlier run is not the one that comes here; "
                        "it had another instance or method: start anew"
                    )
                if len(seen) == self._limit:
                    # Whether there are more is not known, even if there are not.
                    self.stopped = "limit"
                    return
            if self._search.complete and len(seen) < len(earlier):
                raise InputError(
                    f"the earlier run has {len(earlier)} tilings, and there are only {len(seen)}: "
                    "some are repeated; start anew"
                )
            if self._search.complete:
                self._conclude(clock, every)
            else:
                self.stopped = "time"
        except KeyboardInterrupt:
            self.stopped = "interrupt"
            raise
        finally:
            self.seconds = clock.elapsed

    def _solutions(self, earlier: Sequence[Tiling]) -> Iterator[list[int]]:
        from calmip.tasks._no_good import NoGoodSearch

        if isinstance(self._search, NoGoodSearch):
            return self._search.after([tiling.options(self._part) for tiling in earlier])
        return iter(self._search)

    def _conclude(self, clock: Deadline, every: int) -> None:
        """Believe that there are no more only when an independent count agrees."""
        if self._motions and not self._as_burnside_says(every, clock):
            self.stopped = "time"
            return
        if self.method == "exact-cover":
            self.complete = True
            return
        from calmip.search.exact_cover.search import Search

        witness = Search(self._cover, time_limit=clock.left(WITNESS_SECONDS))
        count = sum(1 for _ in witness)
        if not witness.complete:
            self.stopped = "time"
        elif count != every:
            raise SolverFailed(
                f"{self.method} says that {every} tilings are all, but the "
                f"exact-cover search counts {count}; please report this"
            )
        else:
            self.complete = True

    def _as_burnside_says(self, every: int, clock: Deadline) -> bool:
        """Compare the number up to symmetry with Burnside's lemma; False if the time is over."""
        from calmip.search.symmetric import different

        try:
            number = different(self._cover, self._motions, every, clock)
        except TimeoutError:
            return False
        if number != len(self.tilings):
            raise SolverFailed(
                f"{len(self.tilings)} tilings differ up to symmetry, but by Burnside's lemma it is "
                f"{number} of {every}; please report this"
            )
        return True
