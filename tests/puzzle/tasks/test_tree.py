"""Branch and bound: every order and branching finds what brute force finds, and the tree is one."""

import itertools
import json
import re
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from cpu_marks import marked_long
from hypothesis import given, settings
from hypothesis import strategies as st
from requirements import need_package
from strategies import solvable_instances

import calmip
from calmip._base.errors import InputError, SolverFailed
from calmip._base.limits import Deadline
from calmip.cli import main
from calmip.mip.lp.branching import BRANCHINGS, ORDERS, SearchedTree
from calmip.mip.lp.linear import LinearModel
from calmip.mip.model import Model
from calmip.mip.status import Status
from calmip.models import build
from calmip.puzzle.cover import ExactCover
from calmip.puzzle.instance import Instance
from calmip.puzzle.search.exact_cover.search import solutions
from calmip.puzzle.tasks.problems import problem_of
from calmip.puzzle.tasks.tree import Tree, _judge, tree
from calmip.solvers.verdicts import Evidence, Standing

BOTH = {"order": ORDERS, "branching": BRANCHINGS}


def is_a_tree(search: SearchedTree) -> None:
    assert [node.number for node in search.nodes] == list(range(len(search.nodes)))
    children: dict[int, list[tuple[int, int]]] = {}
    for node in search.nodes[1:]:
        assert node.parent < node.number
        parent = search.nodes[node.parent]
        assert parent.status == "branched"
        assert parent.bound is not None
        if node.bound is not None:
            assert node.bound >= parent.bound - 1e-6 * max(abs(parent.bound), 1e-12)
        children.setdefault(node.parent, []).append((node.column, node.value))
    for number, node in enumerate(search.nodes):
        below = sorted(children.get(number, []))
        assert (node.status == "branched") == (len(below) == 2)
        if below:
            assert below[0][0] == below[1][0]
            assert [value for _, value in below] == [0, 1]
            path = {search.nodes[number].column}
            while search.nodes[number].parent >= 0:
                number = search.nodes[number].parent
                path.add(search.nodes[number].column)
            assert below[0][0] not in path


def test_highs_runs_once_for_each_node(monkeypatch: pytest.MonkeyPatch) -> None:
    # A second run from an optimal basis ends at another vertex, so the tree is another one.
    instance, runs = calmip.read_instance("instances/feb29.yaml"), []
    linear = LinearModel(build("matrix", ExactCover(instance)).native)
    program = type(linear._highs)
    run = program.run

    def counted(self: Any, *seconds: Any) -> None:
        runs.append(self)
        run(self, *seconds)

    monkeypatch.setattr(program, "run", counted)
    (search,) = tree(instance).searches
    assert search.complete
    assert len(runs) == len(search.nodes) > 3


@pytest.mark.long
@settings(max_examples=25, deadline=None)
@given(instance=solvable_instances())
def test_all_tilings_are_leaves(instance: Instance) -> None:
    cover = ExactCover(instance)
    wanted = {tuple(sorted(options)) for options in itertools.islice(solutions(cover), 31)}
    if len(wanted) > 30:
        return
    found = tree(instance, every=True, node_limit=4000, **BOTH)
    for search in found.searches:
        is_a_tree(search)
        assert search.complete
        assert sorted(search.solutions) == sorted(wanted)


@pytest.mark.long
@settings(max_examples=40, deadline=None)
@given(
    instance=solvable_instances(),
    unit=st.sampled_from(["1", "1e-8", "3e-8", "1e-15", "0.001", "1e13"]),
    most=st.sampled_from([3, 100_000]),
    data=st.data(),
)
def test_the_best_tiling_is_found(
    instance: Instance, unit: str, most: int, data: st.DataObject
) -> None:
    """However small and however near to each other the weights are."""
    cover = ExactCover(instance)
    some = list(itertools.islice(solutions(cover), 200))
    near = st.integers(-most, most) | st.integers(most - 1, most)
    steps = {name: data.draw(near) for name in cover.option_names}
    if len(some) == 200 or not any(steps.values()):
        return
    weights = {name: float(step * Fraction(unit)) for name, step in steps.items()}
    gains = np.array([steps[name] for name in cover.option_names])
    best = max(gains[list(options)].sum() for options in some)
    found = tree(instance, weight=weights, node_limit=4000, **BOTH)
    for search in found.searches:
        is_a_tree(search)
        assert search.complete
        # Each solution is better than those before.
        values = [gains[list(ones)].sum() for ones in search.solutions]
        assert values == sorted(set(values))
        assert values[-1] == best
        bounds = [node.bound for node in search.nodes if node.status == "solution"]
        expected = [float(-int(value) * Fraction(unit)) for value in values]
        assert bounds == pytest.approx(expected, rel=1e-6, abs=1e-6 * float(Fraction(unit)))


def test_weights_that_no_bound_tells_apart_are_refused() -> None:
    tiny = calmip.read_instance("instances/tiny.yaml")
    with pytest.raises(InputError, match="multiples of 1e-09, the greatest 1,000,000,000 times"):
        tree(tiny, weight={"dom_b00": 0.123456789, "dom_a00": 1.0})
    finest = tree(tiny, weight={"dom_b00": 0.999999, "dom_a00": 1.0}).searches[0]
    assert [node.bound for node in finest.nodes if node.status == "solution"][-1] == -1


@pytest.mark.long
def test_a_date_without_a_tiling_has_a_tree_without_one() -> None:
    instance = calmip.read_instance("no-flip-dec29")
    found = tree(instance, order=["best-first"])
    assert (found.status, found.searches[0].solutions) == ("infeasible", [])
    assert found.searches[0].count("infeasible") > 1
    short = tree(instance, node_limit=9)
    assert short.status == "unknown"
    assert len(short.searches[0].nodes) <= 9
    assert short.searches[0].count("open")


def test_bounds_close_nodes() -> None:
    found = tree(calmip.read_instance("feb29"))
    (search,) = found.searches
    assert search.count("bound")
    (leaf,) = [node for node in search.nodes if node.status == "solution"]
    assert found.tiling(leaf) is not None


def test_a_tree_that_lost_a_tiling_is_not_believed(monkeypatch: pytest.MonkeyPatch) -> None:
    nothing = SearchedTree("depth-first", "most-fractional", (), True)
    monkeypatch.setattr("calmip.puzzle.tasks.tree.branch_and_bound", lambda *_, **__: nothing)
    for every in (False, True):
        with pytest.raises(SolverFailed, match="the tree"):
            tree(calmip.read_instance("instances/tiny.yaml"), every=every)


LEAST = Model.from_rows(["x", "y"], [("r", {0: 1.0, 1: 1.0}, 1.0, 2.0)], [1.0, 2.0])
NONE = LEAST.with_row("s", [0, 1], 3.0, 3.0)


@pytest.mark.parametrize(
    ("model", "every", "leaves", "complete", "expected"),
    [
        (LEAST, True, [(0,), (1,), (0, 1)], True, "feasible"),
        (LEAST, True, [(0,), (1,)], True, "there are more"),
        (LEAST, True, [(0,), (1,)], False, "feasible"),
        (LEAST, True, [], True, "there are"),
        (LEAST, False, [(0,)], True, "feasible"),
        (LEAST, False, [(1,)], True, "optimal, but"),
        (LEAST, False, [(1,)], False, "feasible"),
        (LEAST, False, [], True, "a tree has no solution, but"),
        (LEAST, False, [], False, "unknown"),
        (LEAST, False, [()], False, "violates row 'r' in exact"),
        (LEAST, False, [(0,), (0,)], False, "a duplicate"),
        (NONE, True, [], True, "infeasible"),
        (NONE, False, [], True, "infeasible"),
        (NONE, True, [], False, "unknown"),
    ],
)
def test_leaves_of_a_model_and_what_complete_trees_claim_are_checked(
    model: Model, every: bool, leaves: list[tuple[int, ...]], complete: bool, expected: str
) -> None:
    search = SimpleNamespace(solutions=leaves, complete=complete)
    found: Any = SimpleNamespace(searches=[search])
    problem = problem_of(model)

    def judge() -> Status:
        return _judge(problem, found, model, Deadline(), every=every, packing=False)

    if expected in tuple(Status):
        assert judge() == expected
    else:
        with pytest.raises(SolverFailed, match=expected):
            judge()


@pytest.fixture(scope="module")
def drawn() -> Tree:
    return tree(calmip.read_instance("instances/tiny.yaml"), every=True, **BOTH)


@pytest.mark.parametrize(
    "suffix", marked_long(["svg", "html", "png", "pdf", "txt", "json"], {"pdf"})
)
def test_trees_are_drawn(drawn: Tree, suffix: str, tmp_path: Path) -> None:
    if suffix in ("png", "pdf"):
        need_package("matplotlib")
    path = tmp_path / f"tree.{suffix}"
    drawn.save(path)
    if suffix in ("svg", "html"):
        text = path.read_text()
        assert text.count(">infeasible<") == sum(s.count("infeasible") for s in drawn.searches)
        for search in drawn.searches:
            assert f"{search.order}, {search.branching}" in text
    assert drawn._repr_mimebundle_()["image/svg+xml"].startswith("<svg")


def test_a_wide_tree_scrolls_on_a_page_at_a_readable_size(
    drawn: Tree, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # As if there were hundreds of nodes: the picture alone is made as narrow as it may be.
    monkeypatch.setattr("calmip.puzzle.render.reports.relaxations.MAX_WIDTH_PIXELS", 10)
    scales = {}
    for suffix in ("svg", "html"):
        path = tmp_path / f"tree.{suffix}"
        drawn.save(path)
        found = re.search(
            r'<svg [^>]* width="([0-9.]+)"[^>]* viewBox="0 0 ([0-9.]+) ', path.read_text()
        )
        assert found is not None
        scales[suffix] = float(found[1]) / float(found[2])
    assert scales["svg"] == pytest.approx(24, rel=0.01)
    assert scales["html"] == pytest.approx(55, rel=0.01)  # numbers of nodes: 0.24 * 55 pixels
    page = (tmp_path / "tree.html").read_text()
    assert ".scroll{overflow-x:auto}" in page
    assert ".scroll svg{max-width:none}" in page


def test_the_command_says_what_the_task_found(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["tree", "instances/tiny.yaml", "--every", "--branching", "pseudo-cost"]
    assert main([*command, "--format", "json"]) == 0
    told = json.loads(capsys.readouterr().out)["searches"]
    assert [one["branching"] for one in told] == ["pseudo-cost"]
    assert sum(node["tiling"] is not None for node in told[0]["nodes"]) == 2
    assert main(["tree", "instances/chessboard.yaml"]) == 1
    assert "infeasible" in capsys.readouterr().out
    for arguments, message in (
        (["--order", "random"], "the order is depth-first, best-first, not 'random'"),
        (["--node-limit", "0"], "a tree has at least one node"),
        (["--packing"], "all tilings are those of the placement model"),
    ):
        assert main([*command, *arguments]) == 2
        assert message in " ".join(capsys.readouterr().err.split())


@pytest.mark.parametrize("every", [False, True])
@pytest.mark.parametrize("known", [False, True])
def test_a_tree_without_a_solution_that_nothing_confirms_is_not_infeasible(
    every: bool, known: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = Model.from_rows(["x", "y"], [("r", {0: 2.0, 1: 2.0}, 1.0, 1.0)])
    if not known:
        monkeypatch.setattr("calmip.mip.independent_search.number_of", lambda *_: None)
        unverified = (Standing.UNVERIFIED, "late")
        monkeypatch.setattr(Evidence, "judge_infeasible", lambda _: unverified)
    found = tree(model, every=every)
    assert found.searches[0].complete
    assert found.status is (Status.INFEASIBLE if known else Status.UNKNOWN)
