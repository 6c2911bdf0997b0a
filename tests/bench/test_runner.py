"""A run that counts: the number is that of brute force, and it is done or says "so far"."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from calmip import Model, solvers
from calmip._base.errors import SolverFailed
from calmip.bench.campaign import runner
from calmip.bench.campaign.runner import Job
from calmip.mip.files.mps import mps_text
from calmip.mip.status import Status
from calmip.solvers.base import Outcome


def covers(seed: int) -> Model:
    """Return a small exact cover of up to four rows, drawn by a seed."""
    draw = random.Random(seed)
    width, height = draw.randint(2, 5), draw.randint(1, 4)
    rows = []
    left = set(range(width))
    for row in range(height):
        chosen = draw.sample(range(width), draw.randint(1, width))
        left -= set(chosen)
        rows.append((f"r{row}", dict.fromkeys(chosen, 1.0), 1.0, 1.0))
    if left:  # the search refuses columns in no row
        rows.append(("rest", dict.fromkeys(sorted(left), 1.0), 1.0, 1.0))
    if not seed % 5:
        rows += [("one", {0: 1.0}, 1.0, 1.0), ("both", {0: 1.0, 1: 1.0}, 1.0, 1.0)]
        rows.append(("other", {1: 1.0}, 1.0, 1.0))
    return Model.from_rows([f"x{n}" for n in range(width)], rows)


def brute_force(model: Model) -> int:
    points = itertools.product((0, 1), repeat=len(model.columns))
    ones = (tuple(itertools.compress(range(len(model.columns)), point)) for point in points)
    return sum(model.violated(point) is None for point in ones)


def counted(model: Model, solver: str, folder: Path, **how: Any) -> dict[str, Any]:
    path = folder / "model.mps"
    path.write_text(mps_text(model))
    job = Job(goal="count", solver=solver, **{"seconds": 60.0, **how})
    answer = runner._answer_to(job, path)
    return {key: answer[key] for key in ("status", "count", "detail")}


@pytest.mark.parametrize("solver", ["highs", "exact-cover"])
def test_a_count_is_that_of_brute_force(solver: str, tmp_path: Path) -> None:
    numbers = set()
    for seed in range(16):
        model = covers(seed)
        number = brute_force(model)
        expected = {"status": "done", "count": number, "detail": f"{number} solutions"}
        assert counted(model, solver, tmp_path) == expected, seed
        numbers.add(number)
    assert len(numbers) > 3
    assert 0 in numbers


LATE = {"status": "unknown", "count": 0, "detail": "0 solutions so far"}


def test_a_count_that_is_cut_off_is_not_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = next(model for model in map(covers, range(16)) if brute_force(model) == 2)
    assert counted(model, "highs", tmp_path, seconds=1e-9) == LATE
    highs = solvers.solver_named("highs")
    solve = highs.solve

    def told(change: Callable[[Outcome], Outcome]) -> dict[str, Any]:
        monkeypatch.setattr(highs, "solve", lambda *given: change(solve(*given)))
        monkeypatch.setattr(runner, "solver_named", lambda name: highs)
        return counted(model, "highs", tmp_path)

    # A solver without a solution and without a proof, after any number of solutions.
    assert told(lambda said: replace(said, status=Status.UNKNOWN, values={})) == LATE
    for most in range(1, 3):
        left = iter(range(most))

        def ends(said: Outcome, left: Any = left) -> Outcome:
            return (
                said
                if next(left, None) is not None
                else replace(said, status=Status.UNKNOWN, values={})
            )

        found = told(ends)
        assert (found["status"], found["count"]) == ("unknown", most)
        assert found["detail"] == f"{most} solutions so far"
    # A point that violates a row is counted by none.
    with pytest.raises(SolverFailed):
        told(lambda said: replace(said, values=dict.fromkeys(model.columns, 1.0)))
