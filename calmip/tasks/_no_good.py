"""All tilings by no-good cuts: solve, forbid what was found, solve again until infeasible.

The textbook method, on any formulation and any solver. With k chosen options a
tiling S is forbidden by ``sum of x over S <= k - 1``: every feasible point has
exactly k ones, so no other is cut off (E. Balas and R. Jeroslow, Canonical cuts
on the unit hypercube, SIAM J. Appl. Math. 23 (1972) 61-69,
doi:10.1137/0123007). Two tilings that share k - 1 options are equal, since the
last option has to cover exactly what is left and the columns are distinct; so
``<= k - 2`` is valid too, and stronger.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from calmip._files import scratch_folder
from calmip._limits import NO_LIMITS, Limits
from calmip.errors import InputError, SolverFailed
from calmip.models import build, posed
from calmip.problem.cover import ExactCover
from calmip.problem.tiling import Tiling
from calmip.search.exact_cover.search import Swaps
from calmip.solvers import Status, solver_named
from calmip.tasks._trust import verified

__all__ = ["CUTS", "NoGoodSearch"]

CUTS = {"near": 0, "k-1": 1, "k-2": 2}
"""By how much a cut's right-hand side is below the number of chosen options.

``near`` goes as far below as the swaps allow: it forbids all that they have found
around a tiling, together.
"""


class NoGoodSearch:
    """Enumerate solutions of an exact cover with a MIP solver and no-good cuts.

    Iterating yields each solution once, as ascending option numbers, checked
    as a tiling before it is cut off.

    Parameters
    ----------
    cover
        The exact cover.
    solver, formulation
        The names of a solver and a formulation.
    cut
        ``"k-1"``, ``"k-2"`` or ``"near"``.
    swaps
        After each solve, look for further tilings in which so many options
        cover their common region another way; 0 for none. Each is checked and
        cut off like an incumbent. (More than three quarters are never swapped:
        a swap of all would be a plain exact-cover search.)
    limits
        Seconds for the whole enumeration; seed, threads and log for each solve.

    Attributes
    ----------
    complete : bool
        Whether the solver said that no further solution exists. The caller
        compares with a second witness before believing it.
    solves : int
        How often the solver was run.

    Raises
    ------
    InputError
        If a name is unknown.
    SolverFailed
        While iterating: if the solver crashes, returns no tiling, or returns
        one that a cut forbids.
    """

    def __init__(
        self,
        cover: ExactCover,
        *,
        solver: str = "highs",
        formulation: str = "matrix",
        cut: str = "near",
        swaps: int = 5,
        limits: Limits = NO_LIMITS,
    ) -> None:
        if cut not in CUTS:
            raise InputError(f"unknown cut '{cut}'; use one of {', '.join(CUTS)}")
        self.cover = posed(formulation, cover)
        self.complete = False
        self.solves = 0
        self._solver = solver_named(solver)
        self._model = build(formulation, cover)
        self._swaps = Swaps(cover, size=swaps) if swaps else None
        around = self._swaps.size if self._swaps is not None else 0
        self._slack = CUTS[cut] or max(around + 1, 2)
        self._limits = limits
        self._found: set[tuple[int, ...]] = set()

    def __iter__(self) -> Iterator[list[int]]:
        return self.after(())

    def after(self, earlier: Sequence[Sequence[int]]) -> Iterator[list[int]]:
        """Yield what an earlier run found, in its order, without a solve; then all others."""
        limits = self._limits.anew()
        if self.cover.obstacle() is not None:
            self.complete = True
            return
        # First come, first served: the earlier ones precede what swaps make of them.
        for solution in self._around(earlier):
            self._forbid(solution)
            yield list(solution)
        with scratch_folder() as folder:
            path = folder / f"model{self._model.suffix}"
            while True:
                if limits.clock.over:
                    return
                self._model.write(path)
                self.solves += 1
                outcome = self._solver.solve(path, limits)
                if outcome.status is Status.INFEASIBLE:
                    self.complete = True
                    return
                if outcome.status is Status.UNKNOWN:
                    return
                incumbent, packing = verified(self.cover, outcome, self._solver.name, self._model)
                if not isinstance(packing, Tiling):
                    # The best packing leaves cells bare: there is no further tiling.
                    self.complete = outcome.status is Status.OPTIMAL
                    return
                for solution in self._new(tuple(incumbent)):
                    self._forbid(solution)
                    yield list(solution)

    def _new(self, incumbent: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        """Yield the incumbent and what swapping makes of it, each verified and new."""
        if incumbent in self._found:
            raise SolverFailed(
                f"{self._solver.name} returned a tiling that a no-good cut forbids "
                f"(solve {self.solves})"
            )
        yield from self._around([incumbent])

    def _around(self, solutions: Sequence[Sequence[int]]) -> Iterator[tuple[int, ...]]:
        """Yield new solutions and all that swaps make of them, each verified."""
        waiting = list(solutions)
        while waiting:
            solution = tuple(waiting.pop(0))
            if solution in self._found:
                continue
            Tiling.from_options(self.cover, solution)
            self._found.add(solution)
            if self._swaps is not None:
                waiting.extend(self._swaps.of(solution))
            yield solution

    def _forbid(self, solution: Sequence[int]) -> None:
        self._model.forbid(solution, most=len(solution) - self._slack)
