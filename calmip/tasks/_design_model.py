"""Which pieces, by an integer program: dates that fail join it, and it is solved again."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from calmip._files import scratch_folder, suffix_of
from calmip._limits import Deadline, Limits
from calmip.errors import SolverFailed
from calmip.formats.model_files import READERS, write_model
from calmip.models.choice import choice_model, chosen_numbers
from calmip.problem.pool import PiecePool
from calmip.problem.puzzle import Puzzle
from calmip.problem.status import Status
from calmip.solvers.highs import Highs
from calmip.tasks._sets import SetJudge
from calmip.tasks.design import Design

__all__ = ["design_by_model"]


def design_by_model(
    frame: Puzzle,
    pool: PiecePool,
    *,
    time_limit: float | None = None,
    seed: int = 0,
    file: Path | None = None,
    progress: Callable[[int], None] = lambda _: None,
) -> Design:
    """Find one set of pieces that makes every date solvable, by an integer program.

    The model (`calmip.models.choice`) has one tiling for each of a sample of
    dates, all with the same pieces. HiGHS solves it; the year of the set that it
    chose is counted; and if some date fails, the hardest joins the sample.
    No set is chosen twice, since a date that it fails is in the sample then: a
    cutting-plane loop. That there is no set is HiGHS's claim alone, so then the
    status is unknown: `design` proves it.

    Parameters
    ----------
    frame, pool
        As for `design`.
    time_limit
        The most wall-clock seconds, or None.
    seed
        The solver's random seed.
    file
        Where to write the last model, ``.mps`` or ``.lp`` (``.gz``), or None.
    progress
        Called with the number of dates in the sample, before each solve.

    Raises
    ------
    InputError
        If a number is out of range or the file cannot be written.
    SolverFailed
        If HiGHS crashed, or its answer did not survive a check.
    """
    if file is not None:
        suffix_of(file, READERS)
    deadline, judge = Deadline(time_limit), SetJudge(frame, pool, 1)
    names = list(judge.dates)
    sample = [names[0], names[-1]]
    sets = []
    detail = ""
    while not detail:
        progress(len(sample))
        model = choice_model(frame, pool, {name: judge.dates[name] for name in sample})
        if file is not None:
            write_model(file, model)
        with scratch_folder() as folder:
            path = folder / "choice.mps"
            write_model(path, model)
            outcome = Highs().solve(path, Limits(deadline.left(), seed))
        if outcome.status is Status.INFEASIBLE:
            detail = f"HiGHS says that no set solves {', '.join(sample)}, which is not confirmed"
        elif not outcome.values:
            detail = f"HiGHS has stopped: {outcome.detail}"
        else:
            sets.append(judge.alone(_checked(pool, chosen_numbers(pool, outcome.values))))
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
    return Design(frame, pool, tuple(ranked), len(sets), detail=detail)


def _checked(pool: PiecePool, numbers: tuple[int, ...]) -> tuple[int, ...]:
    if not pool.has(numbers):
        raise SolverFailed("HiGHS's answer is no set of the pool")
    return numbers
