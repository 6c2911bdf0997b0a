"""Constructs in LP files that calmip writes: they come back as they were."""

from __future__ import annotations

import math
from fractions import Fraction
from pathlib import Path

import pytest
from logic_models import KINDS, random_model, solutions

import calmip
from calmip import InputError
from calmip.cli import main
from calmip.mip.constructs import Construct, Indicator, SemiContinuous
from calmip.mip.files.lp import read_lp
from calmip.mip.files.lp.constructs import lp_text_of_constructs
from calmip.mip.files.text_source import TextFile
from calmip.mip.linearise import linearise, own_part
from calmip.mip.model import Model


def again(model: Model) -> Model:
    return read_lp(TextFile("m.lp", lp_text_of_constructs(model).splitlines()))


def named(model: Model) -> dict[str, Construct]:
    """Return the constructs but for semi-continuous variables, which have the variables' names."""
    constructs = () if model.logic is None else model.logic.constructs
    return {one.name: one for one in constructs if not isinstance(one, SemiContinuous)}


def keep(kind: str, seeds: range) -> None:
    """Assert that constructs, rows and solutions of random models are those of their files."""
    written = 0
    for seed in seeds:
        model = random_model(seed, kind, decimal=True)
        back = again(model)
        if model.logic is None:
            continue
        written += 1
        assert back.logic is not None
        assert named(back) == named(model)
        assert back.own_columns == model.own_columns
        assert own_part(back).exact_rows() == own_part(model).exact_rows()
        assert solutions(back) == solutions(model)
    assert written


@pytest.mark.parametrize("kind", KINDS)
def test_a_construct_comes_back(kind: str) -> None:
    keep(kind, range(2))


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
def test_many_constructs_come_back(kind: str) -> None:
    keep(kind, range(2, 30))


TEXT = """Minimize
 obj: x + 2 y
Subject To
 room: x + y >= 1
 if: b = 1 -> x - y >= 2
Bounds
 x <= 4
 2 <= y <= 3
Generals
 x
Binaries
 b
Semi-continuous
 y
SOS
 one: S1 :: x:1 y:2
End
"""


def test_export_writes_either_form(tmp_path: Path) -> None:
    source, plain, constructs = (tmp_path / name for name in ("m.lp", "rows.lp", "own.lp"))
    source.write_text(TEXT)
    model = calmip.read_model(source)
    found = calmip.export(model, constructs, constructs=True)
    assert (found.columns, found.rows) == (3, 1)
    assert "if: b = 1 -> + 1 x - 1 y >= 2" in constructs.read_text()
    command = tmp_path / "command.lp"
    assert main(["export", str(source), "--constructs", "-o", str(command)]) == 0
    assert command.read_text().splitlines()[1:] == constructs.read_text().splitlines()[1:]
    assert calmip.export(model, plain).columns > 3
    back = calmip.read_model(constructs)
    assert back.logic == model.logic
    with pytest.raises(InputError, match="only a model in an LP file"):
        calmip.export(model, tmp_path / "m.mps", constructs=True)


def test_what_an_lp_file_cannot_say_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "m.lp"
    path.write_text(TEXT)
    own = own_part(calmip.read_model(path))
    third = Indicator("i", 2, 1, {0: Fraction(1, 3)}, -math.inf, 1)
    several = Indicator("i", 2, 1, {0: 1}, -math.inf, 1, ((2, 0),))
    with pytest.raises(InputError, match="is not a decimal number"):
        lp_text_of_constructs(linearise(own, [third]))
    with pytest.raises(InputError, match="several variables switch a row"):
        lp_text_of_constructs(linearise(own, [several]))
    named = Indicator("an if", 2, 1, {0: 1}, -math.inf, 1)
    with pytest.raises(InputError, match="cannot have the name 'an if'"):
        lp_text_of_constructs(linearise(own, [named]))
    ranged = again(linearise(own, [Indicator("i", 2, 0, {0: 1}, 1, 2)]))
    assert ranged.logic is not None
    assert [one.name for one in ranged.logic.constructs] == ["i", "i_"]
