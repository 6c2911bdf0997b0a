"""How large a violation is beside what is added up: of a row, of a construct, of a column."""

from __future__ import annotations

import itertools
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from calmip._base.limits import Deadline
from calmip.mip.files.model_files import read_model
from calmip.mip.lp.exact_lp import exact_model
from calmip.mip.status import Status
from calmip.solvers import points

ROW = {0: 2, 1: -3}
FACTORS = [(0, Fraction(5)), (1, Fraction(7))]


@pytest.mark.parametrize("kind", ["row", "construct", "lower", "upper", "integer"])
@pytest.mark.parametrize("constructs", [True, False])
def test_a_violation_is_relative_to_what_is_added_up(kind: str, constructs: bool) -> None:
    model: Any = exact_model(["x", "y"], [(0, 9)] * 2, [True] * 2, [("r", ROW, 0, 1)])
    if constructs:
        logic = SimpleNamespace(constructs=[SimpleNamespace(factors=FACTORS)])
        model = SimpleNamespace(exact_row=model.exact_row, logic=logic)
    if kind == "construct" and not constructs:
        return
    violation: Any = SimpleNamespace(kind=kind, number=0, amount=Fraction(6))
    for x, y in itertools.product((None, 0, 2, -4), (None, 1, Fraction(-3, 2))):
        point = {c: v for c, v in ((0, x), (1, y)) if v is not None}
        terms = {"row": list(ROW.items()), "construct": FACTORS}.get(kind)
        size = abs(x or 0) if terms is None else sum(abs(a * point.get(c, 0)) for c, a in terms)
        assert points._total(model, violation, point) == max(1, size)
        assert points.relative(model, violation, point) == 6 / Fraction(max(1, size))


GREATEST = """\
Minimize
 obj: {goal}
Subject To
 need: y + z + 4 b >= 2
Bounds
 -3 <= y <= 5
 -3 <= z <= 5
 {bounds}
Binaries
 b
General constraints
 m: x = MAX ( y , z )
End
"""


@pytest.mark.parametrize(
    ("goal", "bounds", "b", "status", "cost"),
    [
        ("x", "x free", 0, Status.OPTIMAL, 1),
        ("x", "x free", 1, Status.OPTIMAL, -1),
        ("2 x + y", "x free", 1, Status.OPTIMAL, -5 + 2),
        ("x", "x <= 0.5\n -4 <= x", 0, Status.INFEASIBLE, None),
        ("x - w", "x free\n w free", 0, Status.UNKNOWN, None),
    ],
)
def test_the_best_completion_with_a_construct(
    goal: str, bounds: str, b: int, status: Status, cost: int | None, tmp_path: Path
) -> None:
    path = tmp_path / "m.lp"
    path.write_text(GREATEST.format(goal=goal, bounds=bounds))
    model = read_model(path)
    number = model.columns.index("b")
    found = points.best_completion(model, {number: b}, Deadline(None))
    assert found.status is status
    if cost is not None:
        assert found.cost == cost
        assert model.violated(found.point) is None
        assert found.point.get(number, 0) == b
    late = points.best_completion(model, {number: b}, Deadline(1e-9))
    assert late.status in (Status.UNKNOWN, status)


def test_exact_numbers_stay_where_others_are_replaced() -> None:
    """Those of the arrays that are replaced go, those of the others stay."""
    third, seventh = Fraction(1, 3), Fraction(1, 7)
    ends = [(third, 9), (0, seventh)]
    model = exact_model(["x", "y"], ends, [False] * 2, [("r", {0: third, 1: seventh}, third, 1)])
    found = model.with_numbers({"column_lower": [0, seventh / 2]})
    assert [found.bounds(c) for c in (0, 1)] == [(0, 9), (seventh / 2, seventh)]
    assert found.exact_row(0) == model.exact_row(0)
    assert model.bounds(0) == (third, 9)
