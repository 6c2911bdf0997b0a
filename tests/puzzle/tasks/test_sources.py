"""Export, count, relax and tree of models: files, and models made in Python."""

import itertools
import json
import math
from array import array
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st
from requirements import need_package
from strategies import binary_models

import calmip
from calmip._base.errors import InputError, SolverFailed
from calmip.cli import main
from calmip.mip.lp.branching import BRANCHINGS, ORDERS, Node, SearchedTree
from calmip.mip.lp.linear import FAMILIES, Certificate, LinearModel, find_cuts
from calmip.mip.model import Model
from calmip.puzzle.tasks.relax import relax
from calmip.puzzle.tasks.tree import tree

FREE = """\
Maximize
 gain: 3 a - 2 b + 4
Subject To
 one: a + b + c >= 1
 knapsack: 2 a + 3 b - c <= 3
Binaries
 a b c d
End
"""

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def free(tmp_path: Path) -> Path:
    path = tmp_path / "free.lp"
    path.write_text(FREE)
    return path


def points(model: Model) -> list[tuple[int, ...]]:
    """Return all solutions by trying every point."""
    every = itertools.product((0, 1), repeat=len(model.columns))
    return [
        tuple(column for column, value in enumerate(point) if value)
        for point in every
        if all(
            low <= sum(value * point[column] for column, value in terms.items()) <= high
            for terms, low, high in map(model.exact_row, range(len(model.rows)))
        )
    ]


def rows_of(model: Model) -> dict[str, Any]:
    rows = map(model.exact_row, range(len(model.rows)))
    named = [({model.columns[c]: v for c, v in terms.items()}, *sides) for terms, *sides in rows]
    return dict(zip(model.rows, named, strict=True))


@pytest.mark.long
@settings(deadline=None)
@given(model=binary_models())
def test_a_count_is_that_of_brute_force(model: Model) -> None:
    found = calmip.count(model)
    assert found.total == len(points(model))
    assert found.known
    assert str(found.status) == ("feasible" if found.total else "infeasible")


def test_a_model_is_counted_on_the_command_line(free: Path, capsys: Capture) -> None:
    assert main(["count", str(free)]) == 0
    assert capsys.readouterr().out == "10 solutions, proved complete (one-tree)\n"
    assert main(["count", str(free), "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "model": {"file": str(free), "name": "model", "columns": 4, "rows": 2},
        "status": "feasible",
        "total": 10,
        "detail": "",
        "method": "one-tree",
    }
    assert main(["count", str(free), "--format", "csv"]) == 0
    assert capsys.readouterr().out.split() == ["solutions", "10"]
    free.write_text(FREE.replace(">= 1", ">= 4"))
    assert main(["count", str(free)]) == 1
    assert capsys.readouterr().out.startswith("0 solutions, proved complete")


def test_a_partial_count_of_a_model_is_not_reported(free: Path, capsys: Capture) -> None:
    pairs = list(itertools.combinations(range(40), 2))  # the perfect matchings: some 10^23
    rows = [(f"v{v}", {n: 1.0 for n, two in enumerate(pairs) if v in two}, 1, 1) for v in range(40)]
    many = Model.from_rows([f"x{number}" for number in range(len(pairs))], rows)
    for limits, word in (({"time_limit": 0.01}, "time"), ({"memory_limit": 1.0}, "memory")):
        found = calmip.count(many, **limits)  # type: ignore[arg-type]
        assert (found.known, found.counts, str(found.status)) == (False, None, "unknown")
        assert str(found) == f"{word} limit reached: the number of solutions is unknown"
    assert main(["count", str(free), "--time-limit", "1e-6"]) == 3
    assert "limit reached: the number of solutions is unknown" in capsys.readouterr().err


@pytest.mark.parametrize("given", [{"any_cells": 2}, {"up_to_symmetry": True}, {"parts": 2}])
def test_what_only_a_board_has_is_refused(given: dict[str, Any], free: Path) -> None:
    with pytest.raises(InputError, match="a model has no cells"):
        calmip.count(calmip.read_model(free), **given)


def test_a_model_file_is_converted(free: Path, tmp_path: Path, capsys: Capture) -> None:
    target = tmp_path / "free.mps"
    assert main(["export", str(free), "-o", str(target)]) == 0
    assert "4 columns, 2 rows, 6 nonzeros" in capsys.readouterr().err
    assert target.read_text().splitlines()[0] == "* the model free.lp"
    assert "negated" in target.read_text()
    assert main(["export", str(target), "-o", "-", "--suffix", ".lp"]) == 0
    assert "knapsack: 2 a + 3 b - c <= 3" in capsys.readouterr().out
    before = target.read_bytes()
    for suffix in (".dlx", ".cnf", ".json", ".mzn"):
        assert main(["export", str(free), "-o", str(tmp_path / f"free{suffix}")]) == 2
        faults = {".cnf": "has an objective", ".dlx": "which a DLX file cannot say"}
        assert faults.get(suffix, "holds an exact cover") in capsys.readouterr().err
        assert not (tmp_path / f"free{suffix}").exists()
    for option in (["--reduce"], ["--formulation", "pyomo"], ["--reveal", "4"], ["--no-flip"]):
        assert main(["export", str(free), "-o", str(target), *option]) == 2
        assert "is a model, not a puzzle; leave out" in capsys.readouterr().err
    assert target.read_bytes() == before
    with pytest.raises(InputError, match="leave out the formulation"):
        calmip.export(calmip.read_model(free), target, formulation="pulp")


def test_a_command_of_puzzles_names_one_of_models(free: Path, capsys: Capture) -> None:
    assert main(["hint", str(free)]) == 2
    fault = capsys.readouterr().err
    assert "is a model, not a puzzle or an instance; solve it with calmip solve FILE" in fault
    assert main(["hint", str(free.with_name("missing.lp"))]) == 2
    assert "missing.lp: no such file" in capsys.readouterr().err


def general() -> Model:
    """Return a model with an integer from 0 to 5 and a continuous column."""
    columns = {"column_upper": array("d", [5, 1]), "integer": array("b", [1, 0])}
    return Model.from_rows(["x", "y"], [("r", {0: 1.0, 1: 1.0}, 1, 3)], [1.0, 1.0], **columns)


def test_general_columns_are_counted() -> None:
    # By hand: x from 0 to 3, each with some y from 0 to 1.
    counts = calmip.count(general())
    assert (counts.status, counts.total) == ("feasible", 4)
    stopped = calmip.count(general(), time_limit=1e-9)
    assert not stopped.known
    assert stopped.describe()["total"] is None
    with pytest.raises(InputError, match="there is no total: "):
        _ = stopped.total
    unbounded = general().changed(
        column_upper=array("d", [math.inf, 1]), upper=array("d", [math.inf])
    )
    with pytest.raises(InputError, match="the integer column x is unbounded"):
        calmip.count(unbounded)


@pytest.mark.long
@pytest.mark.parametrize("solver", ["exact-cover", "cpsat"])
def test_a_solver_that_refuses_a_model_names_its_variable(solver: str) -> None:
    if solver == "cpsat":
        need_package("ortools")
    model = general().changed(columns=("the number", "y"))
    refusal = InputError if solver == "exact-cover" else SolverFailed
    with pytest.raises(refusal, match="'y' is continuous; use another solver"):
        calmip.solve(model, solver=solver)


@pytest.mark.parametrize("task", [calmip.count, lambda one: calmip.export(one, "x.mps")])
def test_another_source_is_refused(task: Any) -> None:
    with pytest.raises(TypeError, match="an Instance or a Model is needed, not int"):
        task(29)


@st.composite
def general_models(draw: st.DrawFn) -> Model:
    """Return models with integer and continuous columns, bounded or not."""
    model = draw(binary_models(5))
    size = len(model.columns)
    integer = draw(st.lists(st.booleans(), min_size=size, max_size=size))
    below = st.sampled_from([0.0, -2.0, 0.5, float("-inf")])
    above = st.sampled_from([1.0, 3.0, 0.75, float("inf")])
    lower = draw(st.lists(below, min_size=size, max_size=size))
    upper = draw(st.lists(above, min_size=size, max_size=size))
    return model.changed(
        column_lower=array(
            "d",
            [0.0 if one and low == 0.5 else low for low, one in zip(lower, integer, strict=True)],
        ),
        column_upper=array(
            "d",
            [
                2.0 if one and high == 0.75 else high
                for high, one in zip(upper, integer, strict=True)
            ],
        ),
        integer=array("b", integer),
    )


def fields_of(model: Model) -> Any:
    """Return what a file says of a model, by names: objective, rows, bounds and kinds."""
    costs = {model.columns[column]: cost for column, cost in model.costs.items()}
    kinds = zip(map(model.bounds, range(len(model.columns))), model.values("integer"), strict=True)
    columns = zip(model.columns, ((pair, bool(integer)) for pair, integer in kinds), strict=True)
    return costs, rows_of(model), dict(columns)


@pytest.mark.long
@settings(deadline=None)
@given(model=binary_models() | general_models(), suffix=st.sampled_from([".mps", ".lp", ".mps.gz"]))
def test_an_exported_model_is_the_same_model(
    model: Model, suffix: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("models") / f"model{suffix}"
    try:
        written = calmip.export(model, path)
    except InputError as error:
        assert "two bounds, which an LP file cannot say" in str(error)
        return
    again = calmip.read_model(path)
    assert (written.columns, written.rows) == (len(model.columns), len(model.rows))
    assert fields_of(again) == fields_of(model)
    if model.binary:
        assert calmip.count(again).total == len(points(model))
    theirs, ours = by_scipy(again), by_scipy(model)
    assert theirs.status == ours.status
    if ours.status == 0:
        sign = -1 if model.maximise else 1
        assert theirs.fun + again.offset == pytest.approx(ours.fun + sign * model.offset)


def by_scipy(model: Model) -> Any:
    """Return the linear relaxation as scipy solves it."""
    optimize = need_package("scipy.optimize")
    matrix = np.zeros((len(model.rows), len(model.columns)))
    for row in range(len(model.rows)):
        for column, value in model.exact_row(row)[0].items():
            matrix[row, column] = value
    bounds = optimize.Bounds(model.column_lower, model.column_upper)
    rows = [optimize.LinearConstraint(matrix, model.lower, model.upper)] if model.rows else []
    return optimize.milp(model.cost, bounds=bounds, constraints=rows)


@pytest.mark.long
@settings(deadline=None, max_examples=150)
@given(model=binary_models() | general_models())
def test_a_relaxation_is_that_of_scipy_and_a_refutation_is_exact(model: Model) -> None:
    theirs = by_scipy(model)
    try:
        ours = relax(model)
    except InputError as error:
        assert "unbounded" in str(error)
        assert theirs.status in (3, 4)
        return
    except SolverFailed as error:
        # HiGHS's simplex gives up on a rare one, which is no answer.
        assert "the status 'Unknown'" in str(error)
        reject()
    if theirs.status == 0:
        best = -theirs.fun if model.maximise else theirs.fun
        assert ours.bound == pytest.approx(best + model.offset, abs=1e-6)
        rows = [model.exact_row(row) for row in range(len(model.rows))]
        for activity, (_, low, high) in zip(ours.activities, rows, strict=True):
            assert low - 1e-6 <= activity <= high + 1e-6
        values = [ours.values.get(column, 0.0) for column in range(len(model.columns))]
        assert (model.column_lower - 1e-6 <= values).all()
        assert (values <= model.column_upper + 1e-6).all()
        return
    assert ours.bound is None
    assert ours.status == "infeasible"
    assert ours.certificate is not None
    refutes(model, ours.certificate)


def refutes(model: Model, certificate: Certificate) -> None:
    """Assert that no point within the bounds satisfies the sum of the rows."""
    sums: dict[int, Fraction] = {}
    most = Fraction(0)
    for row, y in certificate.multipliers.items():
        terms, low, high = model.exact_row(row)
        most += y * Fraction(high if y > 0 else low)  # infinity raises
        for column, value in terms.items():
            sums[column] = sums.get(column, Fraction(0)) + y * value
    least = sum(
        (d * Fraction(model.bounds(column)[d < 0]) for column, d in sums.items() if d), Fraction(0)
    )
    assert least > most


@pytest.mark.long
@settings(deadline=None)
@given(model=binary_models(), data=st.data())
def test_no_solution_violates_a_cut_of_a_model(model: Model, data: st.DataObject) -> None:
    size = len(model.columns)
    values = data.draw(st.lists(st.floats(0, 1), min_size=size, max_size=size))
    for cut in find_cuts(model, values, list(FAMILIES)):
        assert sum(values[column] for column in cut.options) > cut.most
        for ones in points(model):
            assert len(set(ones).intersection(cut.options)) <= cut.most


TRIANGLE = """\
Maximize
 gain: 5 a + 4 b + 3 c + 7
Subject To
 ab: a + b <= 1
 bc: 3 b + 2 c <= 4
 ac: - a - c >= -1
Binaries
 a b c
End
"""


def test_cuts_of_a_model_are_those_of_its_conflicts(tmp_path: Path, capsys: Capture) -> None:
    path = tmp_path / "triangle.lp"
    path.write_text(TRIANGLE)
    assert main(["relax", str(path), "--cuts", "clique", "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["bound"] == 12
    assert found["maximises"]
    assert found["rounds"][0]["bound"] > 12
    assert found["cuts"] == [{"family": "clique", "most": 1, "columns": ["a", "b", "c"]}]
    assert main(["relax", str(path)]) == 0
    assert "dual prices of the rows:" in capsys.readouterr().out
    assert main(["relax", str(path), "--weight", "b=2", "--weight", "c=1", "--fix", "a=0"]) == 0
    assert "at most 2.5" in capsys.readouterr().out.replace("5/2", "2.5")
    assert main(["relax", str(path), "--fix", "a=1", "--fix", "b=1"]) == 1
    proof = capsys.readouterr().out
    assert "+1  ab" in proof
    assert "left-hand side is at least 2, but the right-hand side is at most 1" in proof
    assert main(["relax", str(path), "-o", str(tmp_path / "x.svg")]) == 2
    assert "draws a board" in capsys.readouterr().err
    assert main(["relax", str(path), "--format", "csv"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(",")[1] for line in lines] == ["name", "a", "b", "c", "ab", "bc", "ac"]


def test_a_general_column_is_relaxed_within_its_bounds() -> None:
    found = relax(general(), weight={"x": 2, "y": 1})
    assert (found.bound, found.values) == (6, {0: 3.0})
    assert relax(general(), fix={"x": 2, "y": 0.25}).bound == 2.25
    for fix, fault in (
        ({"x": 0.5}, "'x' is fixed at a whole number within its bounds, from 0 to 5"),
        ({"y": 1.5}, "'y' is fixed at a number within its bounds, from 0 to 1"),
        ({"z": 1}, "'z' is not a column of the model"),
        ({"x": float("nan")}, "not finite"),
    ):
        with pytest.raises(InputError, match=fault):
            relax(general(), fix=fix)
    with pytest.raises(InputError, match="a packing is of an instance"):
        relax(general(), packing=True)


def test_an_infeasible_relaxation_without_an_exact_proof_is_unproved(
    free: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    """HiGHS lies here: the relaxation is feasible, and its multipliers prove nothing."""
    monkeypatch.setattr(LinearModel, "solve", lambda *_: None)
    tiny = calmip.read_instance("instances/tiny.yaml")
    for found in (relax(calmip.read_model(free)), relax(tiny), relax(tiny, packing=True)):
        assert (found.status, found.certificate) == ("unknown", None)
    assert main(["relax", str(free)]) == 3
    assert "unverified: HiGHS finds it infeasible" in capsys.readouterr().out


def test_a_proof_that_is_not_finished_in_time_is_none(
    free: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    free.write_text(FREE.replace(">= 1", ">= 4"))
    assert relax(calmip.read_model(free)).status == "infeasible"
    monkeypatch.setattr("calmip.puzzle.tasks.relax.PROOF_SECONDS", 1e-9)
    found = relax(calmip.read_model(free))
    assert (found.status, found.certificate) == ("unknown", None)


def test_bounds_that_contradict_each_other_need_no_multipliers() -> None:
    row = Model.from_rows(["x"], [("r", {0: 1.0}, 0.75, 0.25)])
    found = relax(row)
    assert (found.status, found.certificate) == ("infeasible", None)
    assert "contradict each other" in str(found)


def test_names_of_a_model_are_shown_safely() -> None:
    name = "x\x1b[31m\u202e"
    model = Model.from_rows([name], [(name, {0: 1.0}, 2, 3)], name=name)
    for text in (str(relax(model)), str(relax(model.changed(lower=array("d", [0.0]))))):
        assert "\x1b" not in text
        assert "\u202e" not in text
        assert r"\x1b[31m" in text


@pytest.mark.long
@settings(deadline=None)
@given(model=binary_models(5), every=st.booleans())
def test_a_tree_finds_what_brute_force_finds(model: Model, every: bool) -> None:
    wanted = points(model)
    found = tree(model, order=ORDERS, branching=BRANCHINGS, every=every, node_limit=4000)
    assert found.status == ("feasible" if wanted else "infeasible")
    for search in found.searches:
        assert search.complete
        leaves = [node for node in search.nodes if node.status == "solution"]
        for leaf in leaves:
            assert found.bound(leaf) == pytest.approx(model.objective(leaf.ones))
        if every:
            assert sorted(leaf.ones for leaf in leaves) == sorted(wanted)
        elif wanted:
            best = (max if model.maximise else min)(map(model.objective, wanted))
            assert model.objective(leaves[-1].ones) == best


def test_a_tree_of_a_model_on_the_command_line(free: Path, tmp_path: Path, capsys: Capture) -> None:
    assert main(["tree", str(free), "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["model"]["columns"] == 4
    (search,) = found["searches"]
    assert search["nodes"][0]["bound"] == 7
    solution = [node for node in search["nodes"] if node["solution"]][-1]
    assert "a" in solution["solution"]["ones"]
    assert {"fate", "tiling"}.isdisjoint(solution)
    picture = tmp_path / "tree.svg"
    assert main(["tree", str(free), "--weight", "b=1", "-o", str(picture)]) == 0
    assert "branch and bound on free.lp" in picture.read_text()
    assert "1 integral" in capsys.readouterr().err
    many = Model.from_rows(["x", "y", "z"], [("r", {0: 2.0, 1: 2.0, 2: 2.0}, 3, 3)])
    short = tree(many, node_limit=1)
    assert (short.status, short.searches[0].complete) == ("unknown", False)
    assert tree(many).status == "infeasible"
    assert main(["tree", str(free), "--packing"]) == 2
    assert "leave out --packing" in capsys.readouterr().err
    with pytest.raises(InputError, match="tree needs binary variables, and variable 'y' is cont"):
        tree(general())
    with pytest.raises(InputError, match="'q' is not a column of the model"):
        tree(many, weight={"q": 1})


def test_a_tree_of_a_model_that_lies_is_not_believed(
    free: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No leaf, a leaf that is no solution, one that is not optimal, and one twice."""
    model = calmip.read_model(free)
    b, a = model.columns.index("b"), model.columns.index("a")
    for leaves, every, fault in (
        ([], False, "a tree has no solution, but a point"),
        ([(a, b)], False, "a leaf of the tree violates row 'knapsack'"),
        ([(b,)], False, "says that its solution is optimal, but a point with the objective 7"),
        ([], True, "0 solutions are all, but there are more"),
        ([(b,), (b,)], True, "a leaf of the tree is a duplicate"),
    ):
        nodes = [Node(n, -1, status="solution", ones=ones) for n, ones in enumerate(leaves)]
        lie = SearchedTree("depth-first", "most-fractional", tuple(nodes), True)
        monkeypatch.setattr(
            "calmip.puzzle.tasks.tree.branch_and_bound", lambda *_, lie=lie, **__: lie
        )
        with pytest.raises(SolverFailed, match=fault):
            tree(model, every=every)
