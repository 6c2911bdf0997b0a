"""What all public functions do with names of sources, and with keywords that they lack."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

import calmip
from calmip.features import OWN, load

PUZZLE = "a-puzzle-a-day"


@pytest.mark.parametrize(
    ("function", "keyword", "near"),
    [
        (calmip.solve, "time_limt", "time_limit"),
        (calmip.enumerate, "gaps", "gap"),  # a keyword of an inner class
        (calmip.enumerate, "lmit", "limit"),
        (calmip.count, "any_cell", "any_cells"),
        (calmip.puzzles, "colour", ""),
    ],
)
def test_an_unknown_keyword_is_named_with_one_like_it(
    function: Callable[..., Any], keyword: str, near: str
) -> None:
    remedy = f"; did you mean '{near}'?" if near else ""
    with pytest.raises(TypeError) as caught:
        function("tiny", **{keyword: 1})
    assert str(caught.value) == f"calmip.{function.__name__}() has no keyword '{keyword}'{remedy}"


def test_every_public_function_has_such_errors() -> None:
    places = [one.task for above in OWN.values() for one in (above, *above.commands) if one.task]
    public = [load(one) for one in places if not one.startswith("calmip.cli.")]
    public = [one for one in public if hasattr(calmip, one.__name__)]
    assert len(public) > 15
    for function in public:
        if function.__name__ not in ("installed_solvers",):
            with pytest.raises(TypeError, match=rf"calmip\.{function.__name__}\(\) has no keyword"):
                function(nothing_like_it=1)


def test_a_path_or_a_name_is_a_source(tmp_path: Path) -> None:
    tiny = Path("instances/tiny.yaml")
    model = tmp_path / "tiny.mps"
    for source in ("tiny", tiny, str(tiny), calmip.read_instance("tiny")):
        calmip.export(source, model)
        assert calmip.solve(source).status == "feasible"
        assert calmip.hint(source).solvable  # type: ignore[arg-type]
        assert calmip.hint(instance=source).solvable  # type: ignore[call-arg]
    for named in (model, str(model), calmip.read_model(model)):
        assert calmip.enumerate(named).count == calmip.enumerate("tiny").count
        assert calmip.compare(named, model).status == "accepted"
    for puzzle in (PUZZLE, Path(f"calmip/puzzles/{PUZZLE}.yaml"), calmip.read_puzzle(PUZZLE)):
        found = calmip.today(puzzle, "2024-02-29")
        assert found.tilings == 64
    with pytest.raises(calmip.InputError, match="no such file or bundled puzzle"):
        calmip.hint("nothing")
    with pytest.raises(calmip.InputError, match="no such file"):
        calmip.solve("nothing.mps")


def test_a_pool_is_a_sequence(tmp_path: Path) -> None:
    pool = calmip.enumerate("feb29")
    assert isinstance(pool, Sequence)
    assert pool[0] is pool.solutions[0]
    assert pool[-1] in pool
    assert pool[:2] == pool.solutions[:2]
    assert list(reversed(pool)) == list(pool.solutions[::-1])
    assert pool.index(pool[5]) == 5
    assert (len(pool), pool.count) == (64, 64)
    with pytest.raises(IndexError):
        _ = pool[64]
    calmip.export("tiny", tmp_path / "tiny.mps")
    assert len(calmip.enumerate(tmp_path / "tiny.mps")[0]) == 2


def test_an_input_error_is_a_value_error() -> None:
    with pytest.raises(ValueError, match="no such file or bundled puzzle"):
        calmip.read_instance("nothing like it")


def test_one_name_stands_for_several(tmp_path: Path) -> None:
    assert calmip.relax("tiny", cuts="clique").status == "optimal"
    calmip.export("tiny", tmp_path / "tiny.mps")
    (search,) = calmip.tree(tmp_path / "tiny.mps", order="depth-first").searches
    assert search.order == "depth-first"
    with pytest.raises(calmip.InputError, match="unknown cuts 'nothing'"):
        calmip.relax("tiny", cuts="nothing")
