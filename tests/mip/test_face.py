"""Whether the continuous columns of a solution are unique, against Fourier and Motzkin."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from pool_referee import draw_model, is_unique

import calmip
from calmip import InputError, Model
from calmip._base.errors import SolverFailed
from calmip._base.limits import Deadline
from calmip.cli import main
from calmip.mip.face import other_point
from calmip.mip.lp import exact_lp
from calmip.mip.lp.exact_lp import ExactLp, LinearAnswer
from calmip.mip.status import Status

FACE = """Minimize
 o: x + y
Subject To
 c: x + y >= 1
Bounds
 x <= 5
 y <= 5
End
"""


def compare(seeds: range, path: Path) -> dict[bool, int]:
    """Compare all solutions of mixed models with the referee; return the numbers of answers."""
    seen = {True: 0, False: 0}
    for seed in seeds:
        _, small = draw_model(8 * seed + (2, 3, 7)[seed % 3])  # mixed, free, odd
        if seed // 2 % 2:  # the objective of continuous columns plays no part
            whole = {c: cost for c, cost in small.cost.items() if c in small.whole}
            small = replace(small, cost=whole)
        path.write_text(small.mps())
        try:
            model = calmip.read_model(path)
            pool = calmip.enumerate(model, **({"optimal": True} if seed % 2 else {}))
        except InputError:
            continue
        if len(model.columns) != len(small.columns) or all(model.values("integer")):
            continue
        every = []
        for solution in pool.solutions:
            point = dict.fromkeys(solution, 1) if isinstance(solution, tuple) else solution
            named = {int(model.columns[c][1:]): Fraction(x) for c, x in point.items()}
            every.append(is_unique(small, named))
            another = other_point(model, point)
            assert (another is None) is every[-1], seed
            seen[every[-1]] += 1
            if another is not None:
                assert model.violated(another) is None
                assert model.exact_objective(another) == model.exact_objective(point)
                assert another != point
        assert pool.complete
        assert pool.unique is all(every), seed
        assert (pool.second is None) is all(every)
        if pool.second is not None:
            assert pool.second[0] == every.index(False) + 1
    return seen


def test_a_few_second_points_are_there_where_the_referee_says(tmp_path: Path) -> None:
    assert min(compare(range(10), tmp_path / "small.mps").values()) > 0


@pytest.mark.long
def test_second_points_are_there_where_the_referee_says(tmp_path: Path) -> None:
    assert min(compare(range(24), tmp_path / "small.mps").values()) > 5


@pytest.mark.long
def test_hundreds_of_second_points_are_there_where_the_referee_says(tmp_path: Path) -> None:
    assert min(compare(range(24, 300), tmp_path / "small.mps").values()) > 100


@pytest.mark.parametrize(
    ("text", "second"),
    [
        (FACE, {0: 1}),
        # A vertex of the face, none of the whole; free columns; a ray.
        (FACE.replace("x + y >= 1", "x + y >= 1\n d: x - y = 0"), None),
        (FACE.replace("o: x + y", "o: x + 2 y"), None),
        (FACE.replace("x <= 5\n y <= 5", "x free\n y free"), {}),
        (FACE.replace("o: x + y", "o: 0 x").replace("<= 5", "<= 1e30"), {}),
    ],
)
def test_points_of_a_face(text: str, second: dict[int, int] | None, tmp_path: Path) -> None:
    path = tmp_path / "face.lp"
    path.write_text(text)
    pool = calmip.enumerate(calmip.read_model(path))
    assert (pool.count, pool.complete, pool.unique) == (1, True, second is None)
    if second:
        assert pool.second == (1, second)
    elif second is not None:
        assert pool.second is not None


@pytest.mark.parametrize("answer", ["the point itself", "another integer", "a violation", "none"])
def test_a_linear_program_that_lies_makes_no_second_point(
    answer: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "face.lp"
    path.write_text(FACE.replace("x + y >= 1", "x + y + z >= 1").replace("End", "Binary\n z\nEnd"))
    model = calmip.read_model(path)
    points: dict[str, dict[int, int]] = {
        "the point itself": {1: 1},
        "another integer": {0: 1, 2: 1},
        "a violation": {0: 5},
        "none": {},
    }
    status = Status.INFEASIBLE if answer == "none" else Status.UNBOUNDED
    lie = LinearAnswer(status, dict(points[answer]), ray={})
    monkeypatch.setattr(ExactLp, "solve", lambda *_, **__: lie)
    words = "exact searches disagree" if answer == "none" else "a second optimal point is none"
    with pytest.raises(SolverFailed, match=words):
        other_point(model, {1: 1})


def test_without_time_it_is_not_known_whether_a_point_is_unique(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "face.lp"
    path.write_text(FACE)
    model = calmip.read_model(path)
    over = Deadline(1e-9)
    with pytest.raises(TimeoutError):
        other_point(model, {1: 1}, over)
    unknown = LinearAnswer(Status.UNKNOWN, reason="late")
    with monkeypatch.context() as patch:
        patch.setattr(ExactLp, "solve", lambda *_, **__: unknown)
        with pytest.raises(TimeoutError, match="late"):
            other_point(model, {1: 1})

    def late(*_: object) -> None:
        raise TimeoutError

    monkeypatch.setattr("calmip.mip.pool.other_point", late)
    pool = calmip.enumerate(model)
    assert (pool.count, pool.complete, pool.unique, pool.second) == (1, True, None, None)
    for command in ("enumerate", "count"):
        assert main([command, str(path)]) == 0
        last = capsys.readouterr().out.splitlines()[-1]
        assert last.startswith("1 choice of the integers, proved complete; it is not known whether")


def test_of_many_solutions_the_first_are_looked_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """That z is 0 costs nothing, so that no reduced cost says it."""
    path = tmp_path / "many.lp"
    path.write_text(
        "Minimize\n o: y\nSubject To\n r: y - x >= 0\n s: z + y <= 9\n t: z + y - x <= 0\n"
        "Bounds\n x <= 9\nGeneral\n x\nEnd\n"
    )
    model = calmip.read_model(path)
    assert calmip.enumerate(model).unique is True
    monkeypatch.setattr("calmip.mip.pool.MAX_FACES", 9)
    assert calmip.enumerate(model).unique is None
    found = calmip.count(model.with_costs({}))
    assert (found.total, found.unique) == (10, None)


def test_reduced_costs_need_no_second_linear_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "many.lp"
    path.write_text(
        "Minimize\n o: y\nSubject To\n r: y - x >= 0\nBounds\n x <= 9\nGeneral\n x\nEnd\n"
    )
    model = calmip.read_model(path)
    with monkeypatch.context() as patch:
        patch.setattr("calmip.mip.pool.other_point", lambda *_: pytest.fail("it is known"))
        patch.setattr("calmip.mip.pool.MAX_FACES", 0)
        assert calmip.enumerate(model).unique is True
    found = calmip.count(model)  # which has no objective
    assert (found.total, found.unique) == (10, False)
    assert found.second is not None
    assert model.violated(found.second[1]) is None
    assert "of" not in found.describe()["second"]


def test_models_of_integers_have_no_face(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exact_lp, "ExactLp", lambda *_: pytest.fail("there is nothing to decide"))
    model = Model.from_rows(["x"], [("r", {0: 1.0}, 0.0, 1.0)])
    assert other_point(model, {}) is None


def test_the_commands_name_a_second_point(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "face.lp"
    path.write_text(FACE)
    for command in (["enumerate", str(path)], ["enumerate", str(path), "--optimal"]):
        assert main(command) == 0
        last = capsys.readouterr().out.splitlines()[-1]
        assert last.startswith("1 choice of the integers")
        assert "not unique (here is a second point: x=1)" in last
        assert "solution" not in last
    assert main(["count", str(path)]) == 0
    assert "its continuous variables are not unique" in capsys.readouterr().out
    wide = FACE.replace("c: x + y >= 1", "c: x + y - z >= 1").replace("End", "Binary\n z\nEnd")
    path.write_text(wide)
    assert main(["enumerate", str(path)]) == 0
    last = capsys.readouterr().out.splitlines()[-1]
    assert last.startswith("2 choices of the integers, proved complete; of choice 1 the continuous")
    assert main(["count", str(path)]) == 0
    last = capsys.readouterr().out.splitlines()[-1]
    assert last.startswith("2 choices of the integers, proved complete; of at least one of them ")
