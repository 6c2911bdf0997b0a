"""Words that are none of a choice, and options without a subject, in calls that no command makes.

A command offers its choices itself, so a program alone can give another word.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import calmip
from calmip import InputError
from calmip._base.limits import Limits
from calmip.mip.lp.linear import LinearModel
from calmip.puzzle.cover import ExactCover
from calmip.puzzle.documents.reader import read_puzzle
from calmip.puzzle.instance import Instance
from calmip.puzzle.tasks.no_good import NoGoodSearch
from calmip.puzzle.tasks.relax import relax
from calmip.solvers.base import OptionUnknown
from calmip.solvers.highs import Highs

MONTHS = Path(__file__).parents[2] / "data" / "three-months.yaml"


@pytest.fixture
def instance() -> Instance:
    return Instance(read_puzzle(MONTHS), ("Jan", "1"), name="first")


Call = Callable[[Instance], object]

REFUSED: dict[str, Call] = {
    "unknown cut 'wide'; use one of ": lambda one: NoGoodSearch(ExactCover(one), cut="wide"),
    "the instance has no objective; leave out ignore_objective": lambda one: calmip.unique(
        one, ignore_objective=True
    ),
}


@pytest.mark.parametrize("words", REFUSED)
def test_what_is_no_choice_is_refused(words: str, instance: Instance) -> None:
    with pytest.raises(InputError, match=words):
        REFUSED[words](instance)


@pytest.mark.parametrize("text", ["", "x", "-1", "1.5", "9999", "²"])
def test_a_number_of_dives_is_a_whole_number_within_its_range(text: str, tmp_path: Path) -> None:
    model = tmp_path / "m.lp"
    model.write_text("Minimize\n obj: x\nSubject To\n c: x >= 1\nEnd\n")
    with pytest.raises(OptionUnknown, match=r"is a number from 0 to .*, not"):
        Highs().solve(model, Limits(options=(("dives", text),)))


def test_a_relaxation_without_a_point_has_no_values(
    instance: Instance, monkeypatch: pytest.MonkeyPatch
) -> None:
    def late(*_: object) -> None:
        raise TimeoutError

    for words in ("first, infeasible, 0 fractional", "first, time limit reached"):
        found = relax(instance)
        assert (found.bound, found.values, found.prices) == (None, {}, {})
        assert found.stopped == ("time" if "time" in words else "")
        assert found.reduced == [0.0] * len(found.columns)
        assert words in repr(found)
        with pytest.raises(InputError, match="has no solution here: "):
            found.values_of(None)
        monkeypatch.setattr(LinearModel, "solve", late)
