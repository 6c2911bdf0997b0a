"""Which pieces, by an integer program: dates that fail join it, and it is solved again.

The program has one tiling for each of some dates, all with one set.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np

from calmip._files import scratch_folder, suffix_of
from calmip._limits import Limits, Progress
from calmip.errors import SolverFailed
from calmip.formats.model_files import READERS, write_model
from calmip.problem.binary_model import BinaryModel
from calmip.problem.cover import ExactCover
from calmip.problem.pool import PiecePool, Selection
from calmip.problem.puzzle import Puzzle
from calmip.problem.status import Status
from calmip.solvers.highs import Highs
from calmip.tasks._sets import SetJudge
from calmip.tasks.design import Design

__all__ = ["choice_model", "chosen_numbers", "design_by_model"]


def choice_model(frame: Puzzle, pool: PiecePool, dates: Mapping[str, Sequence[str]]) -> BinaryModel:
    r"""Return the model that chooses pieces with which each of some dates can be solved.

    With :math:`y_{ik} = 1` if the set has the k-th copy of piece i, and
    :math:`x_{dp} = 1` if the tiling of date d has the placement p:

    * each cell of each date is covered once: :math:`\sum_p x_{dp} = 1` over its placements;
    * each tiling uses the pieces of the set:
      :math:`\sum_p x_{dp} - \sum_k y_{ik} = 0` over the placements of piece i;
    * copies are taken in their order, and there are so many pieces and cells as
      the pool says.

    Parameters
    ----------
    frame
        The board and its groups.
    pool
        The pieces to choose from.
    dates
        The labels that each date leaves uncovered, by its name.
    """
    columns: list[str] = []
    rows: list[tuple[str, dict[int, float], float, float]] = []
    copies: list[list[int]] = []
    for number, most in enumerate(pool.most):
        copies.append(list(range(len(columns), len(columns) + most)))
        columns += [f"y{number}_{copy}" for copy in range(most)]
        for copy, column in enumerate(copies[-1][1:], start=1):
            rows.append((f"o{number}_{copy}", {column - 1: 1.0, column: -1.0}, 0.0, np.inf))
        if pool.least[number]:
            rows.append((f"w{number}", dict.fromkeys(copies[-1], 1.0), pool.least[number], np.inf))
    areas = {
        column: float(len(piece.cells))
        for piece, some in zip(pool.pieces, copies, strict=True)
        for column in some
    }
    rows.append(("area", areas, pool.area, pool.area))
    if pool.number is not None:
        rows.append(("pieces", dict.fromkeys(areas, 1.0), pool.number, pool.number))
    used = [number for number, most in enumerate(pool.most) if most]
    supply = pool.supply(frame)
    for day, labels in enumerate(dates.values()):
        cover = ExactCover(Selection(supply, tuple(labels)))
        cells, first = len(cover.instance.to_cover), len(columns)
        columns += [f"x{day}_{option}" for option in range(cover.columns)]
        for item, options in enumerate(cover.options_of()):
            entries = {first + option: 1.0 for option in options}
            if item < cells:
                rows.append((f"c{day}_{item}", entries, 1, 1))
            else:
                number = used[item - cells]
                entries |= dict.fromkeys(copies[number], -1.0)
                rows.append((f"p{day}_{number}", entries, 0, 0))
    sizes = [len(entries) for _, entries, _, _ in rows]
    return BinaryModel(
        columns=tuple(columns),
        rows=tuple(name for name, *_ in rows),
        start=np.cumsum([0, *sizes], dtype=np.int32),
        index=np.array([column for _, some, _, _ in rows for column in some], dtype=np.int32),
        value=np.array([v for _, some, _, _ in rows for v in some.values()], dtype=np.float64),
        lower=np.array([low for _, _, low, _ in rows], dtype=np.float64),
        upper=np.array([high for _, _, _, high in rows], dtype=np.float64),
        cost=np.zeros(len(columns)),
        name="choice",
        comments=(
            "which pieces: y(piece)_(copy); tilings: x(date)_(placement)",
            *(f"piece {n}: {len(p.cells)} cells" for n, p in enumerate(pool.pieces)),
            *(f"date {day}: {name}" for day, name in enumerate(dates)),
        ),
    )


def chosen_numbers(pool: PiecePool, values: Mapping[str, float]) -> tuple[int, ...]:
    """Return how many of each piece a solution of the model has."""
    return tuple(
        sum(values.get(f"y{number}_{copy}", 0.0) > 0.5 for copy in range(most))
        for number, most in enumerate(pool.most)
    )


def design_by_model(
    frame: Puzzle,
    pool: PiecePool,
    *,
    time_limit: float | None = None,
    seed: int = 0,
    file: Path | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Design:
    """Find one set of pieces that makes every date solvable, by an integer program.

    The model (`choice_model`) has one tiling for each of a sample of
    dates, all with the same pieces. HiGHS solves it; the year of the set that it
    chose is counted; and if some date fails, the hardest joins the sample.
    No set is chosen twice, since a date that it fails is in the sample then: a
    cutting-plane loop. That there is no set is HiGHS's claim alone, so then the
    status is unknown: `design` proves it.

    Parameters
    ----------
    frame, pool
        As for `design`.
    time_limit, seed, progress
        As for `calmip.solvers.Limits`. Progress counts the dates in the sample, before each
        solve.
    file
        Where to write the last model, ``.mps`` or ``.lp`` (``.gz``), or None.

    Raises
    ------
    InputError
        If a number is out of range or the file cannot be written.
    SolverFailed
        If HiGHS crashed, or its answer did not survive a check.
    """
    if file is not None:
        suffix_of(file, READERS)
    limits, judge = Limits(time_limit, seed, progress=progress), SetJudge(frame, pool, 1)
    names = list(judge.dates)
    sample = [names[0], names[-1]]
    sets = []
    detail = ""
    while not detail:
        limits.report(len(sample))
        model = choice_model(frame, pool, {name: judge.dates[name] for name in sample})
        if file is not None:
            write_model(file, model)
        with scratch_folder() as folder:
            path = folder / "choice.mps"
            write_model(path, model)
            outcome = Highs().solve(path, limits)
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
