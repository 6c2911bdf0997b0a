"""All tilings by a MIP solver: solve, cut off the tiling, solve again until infeasible."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from calmip._base.errors import InputError, SolverFailed
from calmip._base.files import scratch_folder
from calmip._base.limits import NO_LIMITS, Limits
from calmip.mip.status import Status
from calmip.models import build, pose
from calmip.puzzle.cover import ExactCover
from calmip.puzzle.search.exact_cover.search import Swaps
from calmip.puzzle.tasks.verdicts import verify
from calmip.puzzle.tiling import Tiling
from calmip.solvers import solver_named

CUTS = {"near": 0, "k-1": 1, "k-2": 2}
"""The number of chosen options minus a cut's right-hand side.

``near`` forbids a tiling and all its swaps together.
"""


class NoGoodSearch:
    """Enumerate solutions of an exact cover with a MIP solver and no-good cuts.

    Iterating yields each solution once, as ascending option numbers, verified
    as a tiling before it is cut off.

    With k chosen options a tiling S is forbidden by ``sum of x over S <= k - 1``: every
    feasible point has exactly k ones, so no other is cut off [1]_. Two tilings that share k - 1
    options are equal: the last option covers exactly the remaining items, and the columns are
    distinct. So ``<= k - 2`` is valid too, and stronger.

    Parameters
    ----------
    cover
        The exact cover.
    solver, formulation
        The names of a solver and a formulation.
    cut
        One of `CUTS`.
    swaps
        The size of the neighbourhood that is searched after each solve: up to this many options
        cover their common region another way; 0 for none. See
        `calmip.puzzle.search.exact_cover.search.Swaps`.
    limits
        Seconds for the whole enumeration; seed, threads and log for each solve.

    Attributes
    ----------
    complete : bool
        Whether the solver claims that there is no further solution; the claim is unverified.
    solves : int
        The number of solves.

    Raises
    ------
    InputError
        If a name is unknown.
    SolverFailed
        While iterating: if the solver crashes, returns no tiling, or returns
        one that a cut forbids.

    References
    ----------
    .. [1] E. Balas and R. Jeroslow, Canonical cuts on the unit hypercube, SIAM J. Appl.
       Math. 23 (1972) 61-69, https://doi.org/10.1137/0123007
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
        self.cover = pose(formulation, cover)
        self.complete = False
        self.solves = 0
        self._solver = solver_named(solver)
        self._model = build(formulation, cover)
        self._swaps = Swaps(cover, size=swaps) if swaps else None
        self._slack = CUTS[cut] or max(self._swaps.size + 1 if self._swaps else 0, 2)
        self._limits = limits
        self._found: set[tuple[int, ...]] = set()

    def __iter__(self) -> Iterator[list[int]]:
        return self.after(())

    def after(self, earlier: Sequence[Sequence[int]]) -> Iterator[list[int]]:
        """Yield the solutions of an earlier run, in its order, without a solve; then all others."""
        if self.cover.obstacle() is not None:
            self.complete = True
            return
        # The earlier ones precede their swaps.
        yield from self._around(earlier)
        with scratch_folder() as folder:
            path = folder / f"model{self._model.suffix}"
            while not self._limits.clock.over:
                self._model.write(path)
                self.solves += 1
                outcome = self._solver.solve(path, self._limits)
                if outcome.status in (Status.INFEASIBLE, Status.UNKNOWN):
                    self.complete = outcome.status is Status.INFEASIBLE
                    return
                incumbent, packing = verify(self.cover, outcome, self._solver.name, self._model)
                if not isinstance(packing, Tiling):
                    # The best packing leaves cells uncovered: there is no further tiling.
                    self.complete = outcome.status is Status.OPTIMAL
                    return
                if tuple(incumbent) in self._found:
                    raise SolverFailed(
                        f"{self._solver.name} returned a tiling that a no-good cut forbids "
                        f"(solve {self.solves})"
                    )
                yield from self._around([incumbent])

    def _around(self, solutions: Sequence[Sequence[int]]) -> Iterator[list[int]]:
        """Yield new solutions and all their swaps, each verified and cut off."""
        waiting = list(solutions)
        while waiting:
            solution = tuple(waiting.pop(0))
            if solution in self._found:
                continue
            Tiling.from_options(self.cover, solution)
            self._found.add(solution)
            if self._swaps is not None:
                waiting.extend(self._swaps.of(solution))
            self._model.forbid(solution, most=len(solution) - self._slack)
            yield list(solution)
