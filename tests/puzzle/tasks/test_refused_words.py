"""Words that are none of a choice, and options without a subject, in calls that no command makes.

A command offers its choices itself, so a program alone can give another word.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import calmip
from calmip import InputError
from calmip._base.errors import ProofRefused
from calmip._base.limits import Limits
from calmip.bench.bench import Ways
from calmip.mip.lp.linear import LinearModel
from calmip.mip.model import Model
from calmip.proofs import prove as proofs
from calmip.proofs.check_tree import Refused
from calmip.puzzle.cover import ExactCover
from calmip.puzzle.documents.reader import read_puzzle
from calmip.puzzle.instance import Instance
from calmip.puzzle.tasks.no_good import NoGoodSearch
from calmip.puzzle.tasks.relax import relax
from calmip.solvers.base import OptionUnknown
from calmip.solvers.highs import Highs

SMALL = """\
name: Three months
grid: ["Jan Feb Mar 1", "2 3 4 5", "6 7 8 *"]
uncover: [month, day]
pieces:
  I: ["###"]
  V: ["##", "#."]
  L: ["###", "#.."]
"""


@pytest.fixture
def instance(tmp_path: Path) -> Instance:
    path = tmp_path / "small.yaml"
    path.write_text(SMALL)
    return Instance(read_puzzle(path), ("Jan", "1"), name="first")


Call = Callable[[Instance], object]

REFUSED: dict[str, Call] = {
    "unknown version '9' of VeriPB's format; use ": lambda one: calmip.prove(
        one, Path("nowhere"), dialect="9"
    ),
    "unknown format 'pdf' of a proof; use ": lambda one: calmip.prove(
        one, Path("nowhere"), proofs=["tree", "pdf"]
    ),
    "unknown cut 'wide'; use one of ": lambda one: NoGoodSearch(ExactCover(one), cut="wide"),
    "the instance has no objective; leave out ignore_objective": lambda one: calmip.unique(
        one, ignore_objective=True
    ),
    r"the order is one of .*, not size": lambda one: calmip.rearrange(one.puzzle, by="size"),
    "unknown measure 'eye'; use one of ": lambda _: Ways(measure="eye").check(),
    "the name of a machine is a text on one line, not 'two": lambda _: Ways(
        machine="two\nlines"
    ).check(),
    "the name of a machine is a text on one line, not ' '": lambda _: Ways(machine=" ").check(),
    "the number of rounds is from 1 to 1000, not 1001": lambda _: Ways(rounds=1001).check(),
}


@pytest.mark.parametrize("words", REFUSED)
def test_what_is_no_choice_is_refused(words: str, instance: Instance) -> None:
    with pytest.raises(InputError, match=words):
        REFUSED[words](instance)
    Ways(rounds=1000, machine="one").check()


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


def test_a_date_is_refused_if_its_tree_holds_for_another_number(
    instance: Instance, monkeypatch: pytest.MonkeyPatch
) -> None:
    proofs._prove_date(instance, None, (), Limits())
    monkeypatch.setattr(proofs, "check", lambda _: 10**6)
    with pytest.raises(ProofRefused, match="first: 1000000 tilings are proved"):
        proofs._prove_date(instance, None, (), Limits())

    def refuse(_: Any) -> int:
        raise Refused("a piece is missing")

    monkeypatch.setattr(proofs, "check", refuse)
    with pytest.raises(ProofRefused, match="first: a piece is missing"):
        proofs._prove_date(instance, None, (), Limits())


def test_a_model_has_its_own_refusals(tmp_path: Path) -> None:
    model = Model.from_rows(["x"], [("c", {0: 1.0}, 0.0, 1.0)])
    with pytest.raises(InputError, match=r"the proof of a model is proof\.json alone"):
        calmip.prove(model, tmp_path, proofs=["tree"])
    assert not list(tmp_path.iterdir())
