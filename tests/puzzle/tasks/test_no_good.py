"""The no-good method: its swaps and cuts, and the same tilings as the compiled search."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from requirements import need_solver
from strategies import instances, solvable_instances

from calmip._base.errors import InputError, SolverFailed
from calmip.mip.one_tree import OneTree
from calmip.puzzle.cover import ExactCover
from calmip.puzzle.documents.reader import read_instance
from calmip.puzzle.instance import Instance
from calmip.puzzle.search.exact_cover.search import Swaps, solutions
from calmip.puzzle.tasks import no_good
from calmip.puzzle.tasks.no_good import CUTS, NoGoodSearch
from calmip.solvers import Limits, Outcome, Status


def cover_of(source: str, labels: str) -> ExactCover:
    return ExactCover(read_instance(source, reveal=labels))


def everything(cover: ExactCover) -> set[tuple[int, ...]]:
    return set(map(tuple, solutions(cover)))


def near(every: set[tuple[int, ...]], solution: tuple[int, ...], size: int) -> set[tuple[int, ...]]:
    return {
        other for other in every if other != solution and len(set(solution) - set(other)) <= size
    }


@pytest.mark.long
@pytest.mark.parametrize(
    ("source", "labels"),
    [
        ("a-puzzle-a-day", "Feb,29"),
        ("a-puzzle-a-day", "month=Oct,day=free"),
        ("praxis-rhombus", "Thu,Oct,23"),
    ],
)
def test_swaps_find_all_that_is_near(source: str, labels: str) -> None:
    cover = cover_of(source, labels)
    every = everything(cover)
    for size in (0, 1, 2, 5):
        swaps = Swaps(cover, size=size)
        assert swaps.size == size
        for solution in sorted(every)[::29]:
            found = [tuple(other) for other in swaps.of(solution)]
            assert len(set(found)) == len(found)
            assert set(found) == near(every, solution, size)


def test_swaps_leave_work_to_the_solver() -> None:
    cover = cover_of("a-puzzle-a-day", "Feb,29")
    assert Swaps(cover, size=8).size == 6
    assert Swaps(ExactCover(read_instance("instances/tiny.yaml")), size=8).size == 1


@pytest.mark.long
@settings(max_examples=40, deadline=None)
@given(st.one_of(instances(), solvable_instances()), st.integers(1, 6), st.data())
def test_swaps_on_random_boards(instance: Instance, size: int, data: st.DataObject) -> None:
    try:
        cover = ExactCover(instance)
    except InputError:
        return
    found = sorted(everything(cover))
    if not found or cover.obstacle() is not None:
        return
    swaps = Swaps(cover, size=size)
    solution = data.draw(st.sampled_from(found))
    assert {tuple(other) for other in swaps.of(solution)} == near(set(found), solution, swaps.size)


@pytest.mark.long
@settings(max_examples=15, deadline=None)
@given(st.one_of(instances(), solvable_instances()), st.sampled_from(list(CUTS)), st.integers(0, 5))
def test_random_boards_have_the_tilings_of_the_compiled_search(
    instance: Instance, cut: str, swaps: int
) -> None:
    try:
        cover = ExactCover(instance)
    except InputError:
        return
    search = NoGoodSearch(cover, cut=cut, swaps=swaps)
    found = list(map(tuple, search))
    assert search.complete
    assert len(set(found)) == len(found)
    assert set(found) == everything(cover)


@pytest.mark.parametrize("cut", CUTS)
@pytest.mark.parametrize(
    "swaps",
    [pytest.param(n, marks=pytest.mark.slow if n == 3 else pytest.mark.long) for n in (0, 3, 5)],
)
def test_no_cut_forbids_a_tiling_that_was_not_found(cut: str, swaps: int) -> None:
    # A solver that answers with any tiling the model still allows.
    cover = cover_of("a-puzzle-a-day", "Feb,29")
    search = NoGoodSearch(cover, cut=cut, swaps=swaps)
    left = sorted(everything(cover))

    class Oracle:
        name = "oracle"

        def solve(self, model: object, limits: Limits) -> Outcome:
            rows = search._model.native
            allowed = [solution for solution in left if rows.violated(solution) is None]
            assert set(allowed) == set(left) - search._found
            if not allowed:
                return Outcome(Status.INFEASIBLE)
            ones = {cover.option_names[option]: 1.0 for option in allowed[-1]}
            return Outcome(Status.OPTIMAL, ones, "Optimal")

    search._solver = Oracle()
    assert set(map(tuple, search)) == set(left)
    assert search.complete
    assert search.solves <= 65


@pytest.mark.long
def test_the_seven_tilings_of_october_6() -> None:
    need_solver("highs")
    cover = cover_of("a-puzzle-a-day", "Oct,6")
    search = NoGoodSearch(cover, swaps=6)
    found = list(map(tuple, search))
    assert (len(found), search.complete) == (7, True)
    assert set(found) == everything(cover)


@pytest.mark.parametrize("formulation", ["matrix", "pulp", "pyomo"])
@pytest.mark.parametrize("solver", ["highs", "cbc"])
@pytest.mark.parametrize(("cut", "swaps"), [("near", 5), ("k-1", 0), ("k-2", 0)])
def test_every_solver_and_formulation_takes_the_cuts(
    solver: str, formulation: str, cut: str, swaps: int
) -> None:
    need_solver(solver)
    cover = ExactCover(read_instance("instances/tiny.yaml"))
    search = NoGoodSearch(cover, solver=solver, formulation=formulation, cut=cut, swaps=swaps)
    assert set(map(tuple, search)) == everything(cover)
    assert search.complete


SPREAD = [
    ("a-puzzle-a-day", "Oct,6", 7),
    ("a-puzzle-a-day", "Feb,29", 64),
    ("a-puzzle-a-day", "Apr,24", 26),
    ("a-puzzle-a-day", "Dec,25", 92),
    ("a-puzzle-a-day", "Jan,25", 216),
    ("jarringwords", "Jul,2", 10),
    ("palmetto-whole-year", "May,21", 11),
]


@pytest.mark.slow
@pytest.mark.parametrize("solver", ["highs", "cbc"])
@pytest.mark.parametrize(("source", "labels", "number"), SPREAD)
def test_a_spread_of_dates_by_solver(solver: str, source: str, labels: str, number: int) -> None:
    need_solver(solver)
    cover = cover_of(source, labels)
    for cut in CUTS:
        search = NoGoodSearch(cover, solver=solver, cut=cut)
        found = list(map(tuple, search))
        assert (len(found), search.complete) == (number, True)
        assert set(found) == everything(cover)


@pytest.mark.slow
@pytest.mark.parametrize("formulation", ["pulp", "pyomo"])
@pytest.mark.parametrize("solver", ["highs", "cbc"])
@pytest.mark.parametrize("cut", ["k-1", "k-2"])
def test_the_textbook_loop_without_swaps(solver: str, formulation: str, cut: str) -> None:
    need_solver(solver)
    cover = cover_of("a-puzzle-a-day", "Oct,6")
    search = NoGoodSearch(cover, solver=solver, formulation=formulation, cut=cut, swaps=0)
    assert set(map(tuple, search)) == everything(cover)
    assert search.complete
    assert search.solves == 8


@pytest.mark.parametrize(
    ("source", "labels", "number"),
    [*SPREAD, ("praxis-rhombus", "Thu,Oct,23", 201), ("a-puzzle-a-day", "Jan,1", 64)],
)
def test_a_spread_of_dates_in_one_tree(source: str, labels: str, number: int) -> None:
    cover = cover_of(source, labels)
    tree = OneTree(cover)
    found = list(map(tuple, tree))
    assert (len(found), tree.complete) == (number, True)
    assert set(found) == everything(cover)


class Liar:
    """A solver that returns what it is told to, one answer after the other."""

    name = "liar"

    def __init__(self, answers: list[Outcome]) -> None:
        self.answers = answers

    def solve(self, model: object, limits: Limits) -> Outcome:
        return self.answers.pop(0)


@pytest.mark.parametrize("cut", CUTS)
@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({}, "not a tiling"),
        ({"nosuch": 1.0}, "not a tiling"),
        ("fraction", "neither 0 nor 1"),
        ("half", "not a tiling"),
        ("nan", "neither 0 nor 1"),
        ("repeated", "that a no-good cut forbids"),
        ("neighbour", "that a no-good cut forbids"),
    ],
)
def test_lies_after_a_true_answer(
    monkeypatch: pytest.MonkeyPatch, cut: str, values: object, message: str
) -> None:
    cover = cover_of("a-puzzle-a-day", "Feb,29")
    swaps = Swaps(cover, size=5)
    names = cover.option_names
    first = next(s for s in sorted(everything(cover)) if list(swaps.of(s)))
    good = dict.fromkeys((names[option] for option in first), 1.0)
    lies = {
        "fraction": dict.fromkeys(good, 0.5),
        "half": dict(list(good.items())[:4]),
        "nan": dict.fromkeys(good, float("nan")),
        "repeated": good,
        # Found by swapping, so forbidden as well.
        "neighbour": {names[option]: 1.0 for option in next(iter(swaps.of(first)))},
    }
    lie = lies[values] if isinstance(values, str) else values
    answers = [Outcome(Status.OPTIMAL, good, "Optimal"), Outcome(Status.OPTIMAL, lie, "Optimal")]
    monkeypatch.setattr(no_good, "solver_named", lambda name: Liar(answers))
    search = NoGoodSearch(cover, cut=cut)
    with pytest.raises(SolverFailed, match=message):
        list(search)
    assert not search.complete


@pytest.mark.parametrize(
    ("outcome", "complete"),
    [
        (Outcome(Status.INFEASIBLE, detail="none"), True),
        (Outcome(Status.UNKNOWN, detail="late"), False),
        (Outcome(Status.OPTIMAL, {}, "Optimal"), True),
        (Outcome(Status.FEASIBLE, {}, "late"), False),
    ],
)
def test_the_last_answer_decides_whether_all_were_found(
    monkeypatch: pytest.MonkeyPatch, outcome: Outcome, complete: bool
) -> None:
    """A packing, which leaves cells uncovered, is the best one or not."""
    cover = ExactCover(read_instance("instances/tiny.yaml")).packing()
    monkeypatch.setattr(no_good, "solver_named", lambda name: Liar([outcome]))
    search = NoGoodSearch(cover, formulation="packing")
    assert list(search) == []
    assert (search.complete, search.solves) == (complete, 1)


def test_an_obstacle_needs_no_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(no_good, "solver_named", lambda name: Liar([]))
    cover = ExactCover(read_instance("instances/tiny.yaml")).restricted([0])
    search = NoGoodSearch(cover, swaps=0)
    assert list(search) == []
    assert (search.complete, search.solves) == (True, 0)
