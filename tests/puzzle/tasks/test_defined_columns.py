"""Columns that rows define, such as slacks and constants: they are part of every answer."""

import csv
import io
import math
import random
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from requirements import need_package

import calmip
from calmip.cli import main
from calmip.mip.defined import complete, definitions, project
from calmip.mip.lp.exact_lp import ExactLp
from calmip.mip.model import Model
from calmip.mip.status import Status

LP = """Minimize
 cost: x + 2 y + 3 one
Subject To
 need: 6 x + 4 y + s = 7
 most: x + y - 2 t = 0
 unit: 5 one = 5
Bounds
 s <= 5
 t <= 3
Binaries
 x y
End
"""
# By hand: 6 x + 4 y is from 2 to 7 for x alone and for y alone.
SOLUTIONS = [
    {"x": 1, "s": 1, "t": 0.5, "one": 1},
    {"y": 1, "s": 3, "t": 0.5, "one": 1},
]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    (tmp_path / "m.lp").write_text(LP)
    return tmp_path / "m.lp"


def test_rows_and_columns_of_the_file_stay(path: Path) -> None:
    model = calmip.read_model(path)
    assert model.columns == ("x", "y", "one", "s", "t")
    assert model.rows == ("need", "most", "unit")
    named = {model.columns[column]: row for column, row in definitions(model).items()}
    assert named == {"s": "need", "t": "most", "one": ""}
    part = project(model)
    assert (part.columns, part.rows, part.constant) == (("x", "y"), ("need", "most"), 3)


@pytest.mark.long
def test_results_have_their_values(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = calmip.read_model(path)
    need_package("z3")
    for solver in ("highs", "z3"):  # CBC 2.10.8 says that y is optimal
        found = calmip.solve(model, solver=solver)
        assert {n: float(v) for n, v in found.values.items() if v} == SOLUTIONS[0], solver
    for options in ({}, {"optimal": True, "gap": None}, {"best": 2}):
        pool = calmip.enumerate(model, **options)
        values = [{n: float(v) for n, v in one.items() if v} for one in pool.values]
        assert all(one in SOLUTIONS for one in values)
        assert len(values) == (1 if "optimal" in options else 2)
    assert calmip.count(model).total == 2
    assert main(["enumerate", str(path), "--format", "csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    listed = sorted(tuple(float(row[name]) for name in "xyst") for row in rows)
    assert listed == [(0, 1, 3, 0.5), (1, 0, 1, 0.5)]
    (search,) = calmip.tree(model).describe()["searches"]
    (leaf,) = [node for node in search["nodes"] if node["status"] == "solution"]
    assert leaf["solution"]["values"] == SOLUTIONS[0]


def test_an_answer_is_checked_by_all_rows_of_the_file(path: Path) -> None:
    model, answer = calmip.read_model(path), path.with_name("m.sol")
    for text, status in {
        "x 1\ns 1\nt 0.5\none 1\n": "accepted",
        "x 1\n": "accepted",  # the rest follows
        "y 1\ns 3\n": "accepted",
        "x 1\ns 2\nt 0.5\none 1\n": "refused",
        "x 1\ns 0.5\n": "refused",
        "y 1\ns 3\nt 0\none 1\n": "refused",
        "x 1\none 0\n": "refused",
        "x 0\n": "refused",  # s would be 7
        "x 0\ns 5\none 1\n": "refused",
    }.items():
        answer.write_text(text)
        found = calmip.check(model, answer)
        assert found.status == status, text
        assert ("the rows define" in str(found)) == (text in ("x 1\n", "y 1\ns 3\n"))


def test_models_that_differ_in_a_slack_are_not_equal(path: Path) -> None:
    model, other = calmip.read_model(path), path.with_name("n.lp")
    for old, new in (("+ s = 7", "+ 2 s = 7"), ("s <= 5", "s <= 2"), ("- 2 t", "- t")):
        other.write_text(LP.replace(old, new))
        found = calmip.compare(model, calmip.read_model(other))
        assert found.status == "refused", new
    other.write_text(LP.replace("6 x + 4 y + s = 7", "12 x + 8 y + 2 s = 14"))
    found = calmip.compare(model, calmip.read_model(other))
    assert (found.status, found.proved) == ("accepted", True)


@pytest.mark.parametrize("suffix", [".mps", ".lp"])
def test_an_exported_file_has_them(path: Path, suffix: str) -> None:
    model, other = calmip.read_model(path), path.with_name(f"n{suffix}")
    calmip.export(model, other)
    again = calmip.read_model(other)
    assert again.columns == model.columns
    assert calmip.compare(model, again).proved


def test_a_file_of_binary_variables_names_what_it_leaves_out(path: Path) -> None:
    other = path.with_name("n.opb")
    model = path.with_name("m1.lp")
    model.write_text(LP.replace(" + 3 one", "").replace("5 one = 5", "5 one + x >= 1"))
    with pytest.raises(calmip.InputError, match="variables 's', 't', 'one' are continuous"):
        calmip.export(calmip.read_model(model), other)
    model.write_text(LP.replace(" + 3 one", ""))
    calmip.export(calmip.read_model(model), other)
    lines = other.read_text().splitlines()
    assert "* s is left out: row need defines it" in lines
    assert "* one is left out: it is a constant" in lines
    assert calmip.count(calmip.read_model(other)).total == 2


def test_columns_of_an_object_have_the_same_fate(path: Path) -> None:
    pulp = need_package("pulp")
    problem = pulp.LpProblem("m", pulp.LpMinimize)
    x, y = (problem.add_variable(name, cat="Binary") for name in "xy")
    s, t = (problem.add_variable(n, lowBound=0, upBound=u) for n, u in (("s", 5), ("t", 3)))
    one = problem.add_variable("one", lowBound=0)
    problem += x + 2 * y + 3 * one
    problem += 6 * x + 4 * y + s == 7, "need"
    problem += x + y - 2 * t == 0, "most"
    problem += 5 * one == 5, "unit"
    found = [calmip.enumerate(given) for given in (problem, calmip.read_model(path))]
    values = [[{n: v for n, v in p.items() if v} for p in pool.values] for pool in found]
    assert values[0] == values[1]
    assert calmip.compare(calmip.read_model(path), calmip.read_model(path)).proved
    for given in (problem, calmip.read_model(path)):
        calmip.export(given, path.with_name("n.mps"))
        again = calmip.read_model(path.with_name("n.mps"))
        assert set(again.columns) == {"x", "y", "s", "t", "one"}
        assert calmip.tree(given).describe()["status"] == "feasible"


def random_model(draw: random.Random) -> Model:
    """Return a model of three binary columns, and two others in rows of every kind."""
    bounds = [(0.0, 1.0)] * 3 + [
        draw.choice([(0.0, 5.0), (2.0, 2.0), (-1.0, 3.0), (0.0, math.inf), (3.0, 1.0)])
        for _ in range(2)
    ]
    rows: list[Any] = []
    for column in (3, 4):
        side = float(draw.randint(-1, 4))
        if draw.random() < 0.5:  # a row of its own: an equation, or an inequality
            ends = draw.choice([(side, side), (side, math.inf), (-math.inf, side)])
            rows.append((f"alone{column}", {column: draw.choice([1.0, -1.0, 2.0])}, *ends))
        if draw.random() < 0.7:
            terms = {c: float(draw.choice([0, 0, 1, -2, 3])) for c in range(3)}
            ends = draw.choice([(side, side), (side, side), (side, math.inf)])
            rows.append((f"with{column}", {**terms, column: draw.choice([1.0, -2.0])}, *ends))
    rows.append(("most", {0: 1.0, 1: 2.0, 2: 1.0}, 1.0, 3.0))
    draw.shuffle(rows)
    low, high = zip(*bounds, strict=True)
    return Model.from_rows(
        ["x", "y", "z", "s", "t"],
        rows,
        column_lower=np.array(low),
        column_upper=np.array(high),
        integer=np.arange(5) < 3,
    )


def test_a_projection_has_the_solutions_of_its_model() -> None:
    """A binary point is one if some values of the others complete it, and those are found."""
    draw, seen = random.Random(1), set()
    for _ in range(150):
        model = random_model(draw)
        part = project(model)
        if part is model:
            assert not definitions(model)
            seen.add("none")
            continue
        assert part.columns == ("x", "y", "z")
        assert definitions(model).keys() == {3, 4}
        for point in product((0, 1), repeat=3):
            values = dict(enumerate(point))
            answer = ExactLp(model).solve(values)
            inside = answer.status is Status.OPTIMAL
            assert (next(part.violations(values), None) is None) == inside
            completed = complete(model, values, {3, 4})
            assert (next(model.violations(completed), None) is None) == inside
            seen.add("solution" if inside else "refused")
    assert seen == {"none", "solution", "refused"}
