"""The exact-cover search as a solver: what it takes, what it refuses, and who judges it."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import calmip
from calmip import InputError, SolverFailed
from calmip.mip.files.mps import mps_text
from calmip.mip.model import Model
from calmip.mip.one_tree import OneTree
from calmip.puzzle.tasks.solve import solve
from calmip.solvers import Limits, Status, exact_cover, solver_named
from calmip.solvers.exact_cover import ExactCoverSearch

TINY = "instances/tiny.yaml"


@st.composite
def exact_covers(draw: st.DrawFn) -> Model:
    """Draw rows that say how many of some columns are one, and perhaps a row as the objective."""
    columns = draw(st.integers(1, 7))
    some = st.sets(st.integers(0, columns - 1), max_size=columns)
    rows = [sorted(row) for row in draw(st.lists(some, min_size=1, max_size=5))]
    demand = np.array([draw(st.integers(0, min(3, len(row)))) for row in rows], dtype=float)
    cost = np.zeros(columns)
    if draw(st.booleans()):
        cost[draw(st.sampled_from(rows))] = draw(st.sampled_from([1.0, -2.0]))
    return Model(
        columns=tuple(f"x{number}" for number in range(columns)),
        rows=tuple(f"r{number}" for number in range(len(rows))),
        start=np.cumsum([0, *map(len, rows)]).astype(np.int32),
        index=np.array([column for row in rows for column in row], dtype=np.int32),
        value=np.ones(sum(map(len, rows))),
        lower=demand,
        upper=demand,
        cost=cost,
    )


@pytest.mark.long
@given(exact_covers())
def test_it_finds_a_point_if_there_is_one(model: Model) -> None:
    points = itertools.product((0, 1), repeat=len(model.columns))
    chosen = [[c for c, one in enumerate(point) if one] for point in points]
    feasible = [point for point in chosen if model.violated(point) is None]
    found = solve(model, solver="exact-cover")
    # solve_model has checked every row, and an "infeasible" by the one-tree search.
    assert (found.status == "infeasible") == (not feasible)


REFUSED = {
    "inequality": ("c1: x + y <= 1", "row c1 is not an equation"),
    "coefficient": ("c1: 2 x + y = 1", "row c1 has a coefficient other than 1"),
    "fraction": ("c1: x + y = 0.5", "row c1 is not an equation with a whole number"),
    "negative": ("c1: x + y = -1", "row c1 is not an equation with a whole number"),
}


@pytest.mark.parametrize(("row", "why"), REFUSED.values(), ids=REFUSED)
def test_other_rows_are_refused(tmp_path: Path, row: str, why: str) -> None:
    path = tmp_path / "model.lp"
    path.write_text(f"Minimize\n obj: 0 x\nSubject To\n {row}\nBinaries\n x y\nEnd\n")
    with pytest.raises(InputError, match=why):
        solver_named("exact-cover").solve(path, Limits())


def test_an_objective_is_refused_unless_it_is_constant(tmp_path: Path) -> None:
    path = tmp_path / "model.lp"
    for objective, fine in (("x + y", True), ("3 x + 3 y", True), ("x", False), ("x + 2 y", False)):
        path.write_text(
            f"Minimize\n obj: {objective}\nSubject To\n c1: x + y = 1\nBinaries\n x y\nEnd\n"
        )
        if fine:
            assert solver_named("exact-cover").solve(path, Limits()).status is Status.OPTIMAL
        else:
            with pytest.raises(InputError, match="its objective is not a multiple of a row"):
                solver_named("exact-cover").solve(path, Limits())


@pytest.mark.parametrize("formulation", ["cells", "packing"])
def test_formulations_that_say_more_are_refused(formulation: str) -> None:
    with pytest.raises(InputError, match="use another solver"):
        calmip.solve(calmip.read_instance(TINY), solver="exact-cover", formulation=formulation)


def test_a_broken_file_is_a_failure(tmp_path: Path) -> None:
    path = tmp_path / "model.mps"
    path.write_text("ROWS\n")
    with pytest.raises(SolverFailed, match=r"cannot read model\.mps"):
        solver_named("exact-cover").solve(path, Limits())


def test_its_infeasible_is_judged_by_another_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """The search may not be its own witness."""
    asked: list[object] = []
    init = OneTree.__init__

    def noted(self: OneTree, model: object, **settings: object) -> None:
        asked.append(model)
        init(self, model, **settings)  # type: ignore[arg-type]

    monkeypatch.setattr(OneTree, "__init__", noted)
    none = calmip.read_instance("a-puzzle-a-day", reveal="Dec,29", flip=False)
    solution = calmip.solve(none, solver="exact-cover")
    assert (solution.status, solution.detail) == ("infeasible", "searched to the end")
    assert [cover.columns for cover in asked] == [solution.columns]  # type: ignore[attr-defined]


def test_a_false_infeasible_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    false = calmip.solvers.Outcome(Status.INFEASIBLE, detail="searched to the end")
    monkeypatch.setattr(ExactCoverSearch, "solve", lambda *_: false)
    with pytest.raises(SolverFailed, match="but there is a tiling"):
        calmip.solve(calmip.read_instance(TINY), solver="exact-cover")


def test_a_time_limit_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Thirteen pigeons for twelve holes: no solution, and no end in sight."""
    pigeons, holes = 13, 12
    pairs = list(itertools.product(range(pigeons), range(holes + 1)))
    rows = [[n for n, (p, _) in enumerate(pairs) if p == pigeon] for pigeon in range(pigeons)]
    rows += [[n for n, (_, h) in enumerate(pairs) if h == hole] for hole in range(holes)]
    demand = np.array([1.0] * pigeons + [1.0] * holes)
    rows.append([n for n, (_, h) in enumerate(pairs) if h == holes])
    demand = np.append(demand, 0.0)
    model = Model(
        columns=tuple(f"x{n}" for n in range(len(pairs))),
        rows=tuple(f"r{n}" for n in range(len(rows))),
        start=np.cumsum([0, *map(len, rows)]).astype(np.int32),
        index=np.array([n for row in rows for n in row], dtype=np.int32),
        value=np.ones(sum(map(len, rows))),
        lower=demand,
        upper=demand,
        cost=np.zeros(len(pairs)),
    )
    path = tmp_path / "model.mps"
    path.write_text(mps_text(model))
    for seconds in (0.1, 1, 10, 100):
        outcome = solver_named("exact-cover").solve(path, Limits(seconds))
        assert outcome.status is Status.UNKNOWN
        # On a busy machine a short time is over before the search begins.
        if outcome.nodes:
            break
    assert outcome.nodes


def test_an_objective_is_constant_if_it_is_a_row_in_any_order() -> None:
    for order in itertools.permutations(range(3)):
        row = ("one", dict.fromkeys(order, 1.0), 1.0, 1.0)
        for costs in ([2.0, 2.0, 2.0, 0.0], [2.0, 2.0, 0.0, 2.0], [2.0, 2.0, 1.0, 0.0]):
            model = Model.from_rows(list("abcd"), [row, ("last", {3: 1.0}, 1.0, 1.0)], costs)
            assert exact_cover._is_constant(model) is (costs[2:] == [2.0, 0.0])
