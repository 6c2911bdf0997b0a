"""Results of optima in words and as data: every state that they can have, by planted values."""

from __future__ import annotations

import itertools
import math
from typing import Any

import pytest

from calmip import Model
from calmip.mip import Goal
from calmip.mip.iis.nearest import MAX_LISTED, Nearest
from calmip.mip.optima.face import OptimalFace
from calmip.mip.optima.ranges import Range, Ranges
from calmip.mip.status import Status

PLAIN = Model.from_rows(["x", "y"], [])
PRICED = Model.from_rows(["x", "y"], [], [1.0, 2.0])

ENDS = [(0, 0), (2, 2), (1, 3), (-math.inf, math.inf), (math.inf, math.inf)]


@pytest.mark.parametrize("proved", list(itertools.product((False, True), repeat=4)))
def test_ranges_say_what_is_fixed_and_what_is_open(proved: tuple[bool, ...]) -> None:
    for first, second in itertools.product(ENDS, repeat=2):
        ranges = (Range(*first, *proved[:2]), Range(*second, *proved[2:]))
        found = Ranges(PLAIN, Goal(), ranges, complete=all(proved))
        open_ = [name for name, n in (("x", 0), ("y", 2)) if not all(proved[n : n + 2])]
        # Where values differ a column is not fixed, whatever is proved.
        fixed = {
            name: low
            for name, (low, high) in (("x", first), ("y", second))
            if low == high and name not in open_ and math.isfinite(low)
        }
        unused = [name for name, low in fixed.items() if low == 0]
        assert found.open == tuple(open_)
        assert found.fixed == fixed
        assert found.unused == tuple(unused)
        words = f"{len(fixed)} of 2 variables are fixed, {len(unused)} of them at 0"
        assert str(found) == words + (f"; {len(open_)} are not decided" if open_ else "")
        assert [
            (one["variable"], one["low_proved"], one["high_proved"]) for one in found.describe()
        ] == [
            ("x", *proved[:2]),
            ("y", *proved[2:]),
        ]
        for one, (low, high) in zip(found.describe(), (first, second), strict=True):
            assert [one["low"], one["high"]] == [
                end if math.isfinite(end) else str(end) for end in (low, high)
            ]


@pytest.mark.parametrize(
    ("complete", "status", "words", "unique"),
    [
        (True, Status.INFEASIBLE, "there is no solution", False),
        (False, Status.UNKNOWN, "no solution was found", None),
    ],
)
def test_no_ranges(complete: bool, status: Status, words: str, unique: bool | None) -> None:
    found = Ranges(PLAIN, Goal(), (), complete)
    assert (found.status, str(found), found.unique) == (status, words, unique)
    assert (found.describe(), len(found)) == ([], 0)


@pytest.mark.parametrize("model", [PLAIN, PRICED])
def test_a_face_says_how_many_vertices_rays_and_lines_it_has(model: Model) -> None:
    which = "the optimal face" if model is PRICED else "the feasible set"
    assert str(OptimalFace(model, 0, 0)) == f"{which} is a point"
    for why, words in (("time", "time limit reached"), ("vertices", "there are too many")):
        found = OptimalFace(model, 0, 2, complete=False, stopped=why)
        assert str(found) == f"{which} has dimension 2; its vertices are not listed: {words}"
        assert (found.describe()["complete"], found.describe()["stopped"]) == (False, why)
    for vertices, rays, lines in itertools.product(range(3), repeat=3):
        directions: list[tuple[dict[int, Any], ...]] = [
            ({0: 1},) * number for number in (vertices, rays, lines)
        ]
        found = OptimalFace(model, 0, 2, *directions)
        parts = [f"{vertices} " + ("vertex" if vertices == 1 else "vertices")]
        parts += [f"{rays} ray" + "s" * (rays > 1)] * (rays > 0)
        parts += [f"{lines} line" + "s" * (lines > 1)] * (lines > 0)
        assert str(found) == f"{which} has dimension 2, {', '.join(parts)}"
        data = found.describe()
        counts = [len(data[key]) for key in ("vertices", "rays", "lines")]
        assert counts == [vertices, rays, lines]
        assert (data["dimension"], data["complete"], data["stopped"]) == (2, True, "")


@pytest.mark.parametrize("proved", [True, False])
@pytest.mark.parametrize("number", [0, 1, MAX_LISTED, MAX_LISTED + 1, MAX_LISTED + 2])
def test_the_nearest_point_names_its_changes(number: int, proved: bool) -> None:
    model = Model.from_rows([f"x{column}" for column in range(number + 1)], [])
    changes = {column: (column, column + 2) for column in range(number)}
    found = Nearest(model, changes, {}, 2 * number, proved)
    data = found.describe()
    assert data["changes"] == [
        {"variable": f"x{column}", "from": column, "to": column + 2} for column in range(number)
    ]
    assert (data["amount"], data["proved"]) == (2 * number, proved)
    if not number:
        assert str(found) == "the point is feasible"
        return
    how = "proved to be the least" if proved else "perhaps not the least"
    assert str(found).endswith(f"(sum of changes {2 * number}, {how})")
    assert str(found).count(" from ") == min(number, MAX_LISTED)
    more = number - MAX_LISTED
    assert (f" and {more} more" in str(found)) is (more > 0)
    assert (" more" in str(found)) is (more > 0)
