"""The nearest feasible point: against all points, in fractions, at limits, and in ``check``."""

from __future__ import annotations

import json
import random
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest

import calmip
from calmip._base.errors import SolverFailed
from calmip.cli import main
from calmip.mip import find_nearest, find_sensitivity
from calmip.mip.iis import nearest
from calmip.mip.lp.exact_lp import exact_model
from calmip.mip.rows import Number

Capture = pytest.CaptureFixture[str]


def drawn(seed: int) -> tuple[calmip.Model, list[tuple[int, int]], dict[int, Number]]:
    """Return an integer model, its bounds, and a point that need not be within them."""
    draw = random.Random(seed)
    bounds = [(low, low + draw.randint(1, 4)) for low in (draw.randint(-2, 0) for _ in range(3))]
    rows = [
        (
            f"r{n}",
            {c: draw.randint(-1, 2) for c in range(3)},
            draw.randint(-4, 2),
            draw.randint(2, 6),
        )
        for n in range(2)
    ]
    model = exact_model(["x", "y", "z"], bounds, [True] * 3, rows)
    values: list[Number] = [
        draw.randint(-4, 5),
        Fraction(draw.randint(-1, 3), draw.choice([1, 1, 2, 3])),
        draw.randint(0, 1),
    ]
    return model, bounds, dict(enumerate(values))


def compare(seeds: range) -> dict[str, int]:
    seen = {"near": 0, "none": 0, "same": 0}
    for seed in seeds:
        model, bounds, point = drawn(seed)
        every = product(*(range(low, high + 1) for low, high in bounds))
        sizes = [
            sum((abs(Fraction(point[c]) - x) for c, x in enumerate(one)), Fraction(0))
            for one in every
            if model.violated({c: x for c, x in enumerate(one) if x}) is None
        ]
        found = find_nearest(model, point)
        if not sizes:
            assert found is None
            seen["none"] += 1
            continue
        assert found is not None
        assert (found.amount, found.proved) == (min(sizes), True)
        assert model.violated(found.point) is None
        changes = {
            c: (point[c], found.point.get(c, 0))
            for c in range(3)
            if point[c] != found.point.get(c, 0)
        }
        assert found.changes == changes
        seen["near" if changes else "same"] += 1
    return seen


def test_no_feasible_point_is_nearer_for_a_few_models() -> None:
    assert min(compare(range(20)).values()) > 0


@pytest.mark.long
def test_no_feasible_point_is_nearer() -> None:
    assert min(compare(range(100)).values()) > 1


@pytest.mark.long
def test_no_feasible_point_is_nearer_for_many_models() -> None:
    assert min(compare(range(100, 2000)).values()) > 5


def test_continuous_values_are_fractions() -> None:
    model = exact_model(["x", "y"], [(0, 9), (0, 9)], [False] * 2, [("r", {0: 3, 1: 1}, -9, 10)])
    found = find_nearest(model, {0: 4, 1: 1})
    assert found is not None
    assert found.changes == {0: (4, 3)}
    found = find_nearest(model, {0: Fraction(10, 3), 1: Fraction(1, 2)})
    assert found is not None
    assert found.amount == Fraction(1, 6)
    assert str(found).endswith("(sum of changes 0.166666666667, proved to be the least)")
    same = find_nearest(model, {0: 1})
    assert same is not None
    assert str(same) == "the point is feasible"


def test_what_is_not_proved_is_not_called_the_least(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nearest, "minimise", lambda *_: ({0: 4}, False))
    found = find_nearest(exact_model(["x"], [(0, 9)], [True], [("r", {0: 1}, 0, 5)]), {0: 7})
    assert found is not None
    assert not found.proved
    assert str(found).endswith("change x from 7 to 4 (sum of changes 3, perhaps not the least)")


@pytest.mark.parametrize("number", [1, nearest.MAX_LISTED, nearest.MAX_LISTED + 1, 25])
def test_as_many_changes_are_listed_as_there_are(number: int) -> None:
    names = [f"x{column}" for column in range(number)]
    model = exact_model(names, [(1, 1)] * number, [True] * number, [])
    found = find_nearest(model, {})
    assert found is not None
    assert len(found.changes) == found.amount == number
    more = f" and {number - nearest.MAX_LISTED} more (" if number > nearest.MAX_LISTED else " ("
    assert str(found).count(" from 0 to 1") == min(number, nearest.MAX_LISTED)
    assert f" from 0 to 1{more}sum of changes {number}, proved" in str(found)


def test_a_point_that_is_not_feasible_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nearest, "minimise", lambda *_: ({0: 99}, True))
    model = exact_model(["x"], [(0, 9)], [False], [("r", {0: 1}, 0, 5)])
    with pytest.raises(SolverFailed, match="is not feasible"):
        find_nearest(model, {0: 7})


def test_check_all_says_how_to_repair_the_answer(tmp_path: Path, capsys: Capture) -> None:
    file, answer = tmp_path / "m.lp", tmp_path / "m.sol"
    file.write_text(
        "Minimize\n o: x + y\nSubject To\n r: x + 2 y <= 6\nBounds\n x <= 4\n y <= 5\n"
        "General\n x\nEnd\n"
    )
    answer.write_text("x 4.5\ny 3\n")
    assert main(["check", str(file), str(answer), "--all"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(" by ")[0].strip() for line in lines[1:4]] == [
        "row 'r'",
        "the bound of 'x'",
        "the integrality of 'x'",
    ]
    assert lines[4] == (
        "nearest feasible point: change x from 4.5 to 4, y from 3 to 1 (sum of changes 2.5, proved "
        "to be the least)"
    )
    assert main(["check", str(file), str(answer), "--all", "--format", "json"]) == 1
    assert json.loads(capsys.readouterr().out)["repair"] == {
        "amount": 2.5,
        "proved": True,
        "changes": [
            {"variable": "x", "from": 4.5, "to": 4},
            {"variable": "y", "from": 3, "to": 1},
        ],
    }
    assert main(["check", str(file), str(answer)]) == 1
    assert "nearest" not in capsys.readouterr().out


def test_without_a_feasible_point_there_is_no_repair(tmp_path: Path) -> None:
    file = tmp_path / "m.lp"
    file.write_text("Minimize\n o: x\nSubject To\n r: x >= 6\nBounds\n x <= 4\nGeneral\n x\nEnd\n")
    verdict = calmip.check(calmip.read_model(file), {"x": 5}, all=True)
    assert (verdict.valid, verdict.repair, len(verdict.violations)) == (False, None, 2)
    assert "repair" not in verdict.describe()


LOGIC = """Minimize
 o: x + y + b
Subject To
 c: x + y >= 2
 i1: b = 1 -> x <= 0
 s: x + 3 b >= 1
Bounds
 x <= 4
 y <= 4
General
 x y
Binary
 b
SOS
 s1: S1:: x:1 y:2
End
"""


def test_columns_that_linearise_constructs_are_neither_changed_nor_compared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "m.lp"
    file.write_text(LOGIC)
    model = calmip.read_model(file)
    found = find_nearest(model, {0: 1, 1: 1, 2: 1})
    assert found is not None
    assert (found.changes, found.amount) == ({0: (1, 0), 1: (1, 2)}, 2)
    for most in (3000, 1):
        monkeypatch.setattr("calmip.mip.optima.diversity.MAX_POOL", most)
        chosen = calmip.enumerate(model, diverse=2)
        assert chosen.diversity is not None
        assert chosen.diversity.least == 3
        assert all(set(point) <= {0, 1, 2} for point in chosen.points)
    with pytest.raises(calmip.InputError, match="needs rows alone"):
        find_sensitivity(model, {0: 2})
