"""``enumerate --diverse``: models and puzzles, text and data, what goes not together."""

from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path

import pytest

import calmip
from calmip import InputError
from calmip.cli import main
from calmip.mip.optima import diversity

Capture = pytest.CaptureFixture[str]

MODEL = """Minimize
 o: a + b + c + d + 2 e
Subject To
 r: a + b + c + d + e >= 2
Binary
 a b c d e
End
"""

DATE = ("a-puzzle-a-day", "--reveal", "Oct,6")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "model.lp"
    path.write_text(MODEL)
    return path


def test_a_model_says_how_different_the_solutions_are(file: Path, capsys: Capture) -> None:
    assert main(["enumerate", str(file), "--optimal", "--diverse", "2"]) == 0
    *solutions, last = capsys.readouterr().out.splitlines()
    assert len(solutions) == 2
    assert not set(solutions[0].split()[3:]) & set(solutions[1].split()[3:])
    assert last.startswith(
        "2 solutions of 6; any two differ in at least 4 integer variables, the greatest possible "
        "number, proved (optimum 2, proved) (one-tree, "
    )


def test_data_for_programs(file: Path, capsys: Capture) -> None:
    words = ["enumerate", str(file), "--within", "1", "--diverse", "3", "--distance", "l1"]
    assert main([*words, "--format", "json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["diversity"] == {
        "wanted": 3,
        "distance": "l1",
        "method": "exact",
        "least": 3,
        "bound": 3,
        "proved": True,
        "pool": told["diversity"]["pool"],
    }
    assert (told["count"], len(told["solutions"]), told["optimum"]) == (3, 3, 2)
    assert main([*words, "--format", "csv"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 4


def test_tilings(capsys: Capture) -> None:
    assert main(["enumerate", *DATE, "--diverse", "3"]) == 0
    out = capsys.readouterr().out
    assert out.splitlines()[-1].startswith("3 tilings of 7; any two differ in at least 14 placeme")
    assert main(["enumerate", *DATE, "--diverse", "9"]) == 0
    assert "7 tilings, all there are; nothing to choose (exact-cover, " in capsys.readouterr().out
    assert main(["enumerate", "instances/dead-corner.yaml", "--diverse", "2"]) == 1
    assert capsys.readouterr().out.startswith("there is no tiling, proved (")


def test_tilings_without_a_list(monkeypatch: pytest.MonkeyPatch) -> None:
    instance = calmip.read_instance("a-puzzle-a-day", reveal="Oct,6")
    every = calmip.enumerate(instance)
    best = calmip.enumerate(instance, diverse=2)
    assert best.diversity is not None
    monkeypatch.setattr("calmip.puzzle.tasks.diverse.MAX_POOL", 1)
    found = calmip.enumerate(instance, diverse=2)
    assert found.diversity is not None
    assert found.diversity.method == "greedy"
    assert set(found.solutions) <= set(every.solutions)
    assert found.diversity.least is not None
    assert best.diversity.least is not None
    assert found.diversity.bound is not None
    assert found.diversity.least <= best.diversity.least <= found.diversity.bound
    assert best.complete
    assert not found.diversity.proved
    assert not found.complete


def test_a_pool_chooses_as_the_option_does() -> None:
    instance = calmip.read_instance("a-puzzle-a-day", reveal="Oct,6")
    every = calmip.enumerate(instance)
    chosen = every.most_different(3)
    assert chosen == calmip.enumerate(instance, diverse=3).solutions
    covers = [set(one.placements) for one in every.solutions]
    best = max(
        min(len(a ^ b) for a, b in combinations(some, 2)) for some in combinations(covers, 3)
    )
    assert min(len({*a.placements} ^ {*b.placements}) for a, b in combinations(chosen, 2)) == best
    with pytest.raises(InputError, match="unknown distance"):
        every.most_different(2, "far")


def test_a_limit_makes_no_choice(file: Path, capsys: Capture) -> None:
    words = ["enumerate", str(file), "--optimal", "--diverse", "2", "--time-limit", "1e-9"]
    assert main(words) == 3
    assert capsys.readouterr().out.startswith("time limit reached: 0 of 2 chosen (")


def test_what_goes_not_together(file: Path, capsys: Capture) -> None:
    for more in (["--limit", "3"], ["--best", "3"], ["--count"], ["--workers", "2"]):
        assert main(["enumerate", str(file), "--diverse", "2", *more]) == 2
        assert "exclude each other" in capsys.readouterr().err
    assert main(["enumerate", str(file), "--distance", "l1"]) == 2
    assert "--distance goes with --diverse only" in capsys.readouterr().err
    model = calmip.read_model(file)
    with pytest.raises(InputError, match="diverse excludes limit, workers"):
        calmip.enumerate(model, diverse=2, limit=3, workers=2)
    with pytest.raises(InputError, match="a puzzle has no objective: optimal are for models"):
        calmip.enumerate(calmip.read_instance("instances/tiny.yaml"), diverse=2, optimal=True)
    assert main(["enumerate", str(file), "--diverse", "0"]) == 2
    assert "from 1 on" in capsys.readouterr().err


def test_named_variables_distinguish(file: Path) -> None:
    for names, least in ((["a", "b"], 2), (["a", "b", "c"], 3)):
        found = calmip.enumerate(calmip.read_model(file), diverse=2, distinct=names).diversity
        assert found is not None
        assert (found.least, found.pool) == (least, 2 ** len(names))
    assert calmip.enumerate(calmip.read_model(file), diverse=2).unique is True


def test_solutions_of_a_mixed_model_are_complete(file: Path) -> None:
    file.write_text(MODEL.replace("+ 2 e", "+ 2 e + f").replace("e >= 2", "e + f >= 2.5"))
    for most in (diversity.MAX_POOL, 1):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(diversity, "MAX_POOL", most)
            found = calmip.enumerate(calmip.read_model(file), diverse=2)
        assert found.diversity is not None
        assert found.diversity.least == 5
        assert (found.optimum, found.unique) == (None, None)
        assert all(found.model.violated(point) is None for point in found.points)
        assert max(found.objectives) <= 6
