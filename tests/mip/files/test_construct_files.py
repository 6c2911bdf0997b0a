"""Constructs in LP and MPS files that calmip writes: they come back as they were."""

from __future__ import annotations

import importlib.util
import itertools
import math
import re
import subprocess
import sys
from array import array
from fractions import Fraction
from pathlib import Path

import pytest
from logic_models import KINDS, random_model, solutions
from requirements import missing

import calmip
from calmip import InputError
from calmip.cli import main
from calmip.mip.constructs import Construct, Extreme, Indicator, SemiContinuous
from calmip.mip.files.lp import read_lp
from calmip.mip.files.lp.constructs import lp_text_of_constructs
from calmip.mip.files.mps import read_mps
from calmip.mip.files.mps.constructs import mps_text_of_constructs
from calmip.mip.files.text_source import TextFile
from calmip.mip.linearise import linearise, own_part
from calmip.mip.model import Model

WRITERS = {
    ".lp": (lp_text_of_constructs, read_lp),
    ".mps": (mps_text_of_constructs, read_mps),
}


def again(model: Model, suffix: str) -> Model:
    write, read = WRITERS[suffix]
    return read(TextFile(f"m{suffix}", write(model).splitlines()))


def named(model: Model) -> dict[str, Construct]:
    """Return the constructs but for semi-continuous variables, which have the variables' names."""
    constructs = () if model.logic is None else model.logic.constructs
    return {one.name: one for one in constructs if not isinstance(one, SemiContinuous)}


def below_zero(model: Model) -> bool:
    """Return whether a semi-continuous variable is below 0, which no file says."""
    constructs = () if model.logic is None else model.logic.constructs
    return any(isinstance(one, SemiContinuous) and one.low < 0 for one in constructs)


def keep(kind: str, suffix: str, seeds: range) -> None:
    """Assert that constructs, rows and solutions of random models are those of their files."""
    written = 0
    for seed in seeds:
        model = random_model(seed, kind, decimal=True)
        if model.logic is None or below_zero(model):
            continue
        back = again(model, suffix)
        written += 1
        assert back.logic is not None
        assert named(back) == named(model)
        assert back.own_columns == model.own_columns
        assert own_part(back).exact_rows() == own_part(model).exact_rows()
        assert solutions(back) == solutions(model)
    assert written


@pytest.mark.parametrize("suffix", WRITERS)
@pytest.mark.parametrize("kind", KINDS)
def test_a_construct_comes_back(kind: str, suffix: str) -> None:
    keep(kind, suffix, range(2))


@pytest.mark.long
@pytest.mark.parametrize("suffix", WRITERS)
@pytest.mark.parametrize("kind", KINDS)
def test_many_constructs_come_back(kind: str, suffix: str) -> None:
    keep(kind, suffix, range(2, 32))


SOLVERS = {
    "gurobipy": (
        "import gurobipy, sys\nenv = gurobipy.Env(params={'OutputFlag': 0})\n"
        "for path in sys.argv[1:]:\n    m = gurobipy.read(path, env); m.optimize()\n"
        "    print(m.ObjVal if m.Status == 2 else None)\n",
        KINDS,
    ),
    "pyscipopt": (
        "import pyscipopt, sys\nfor path in sys.argv[1:]:\n    m = pyscipopt.Model()\n"
        "    m.hideOutput(); m.readProblem(path); m.optimize()\n"
        "    print(m.getObjVal() if m.getStatus() == 'optimal' else None)\n",
        ("indicator", "semi", "sos1", "sos2"),
    ),
    "highspy": (
        "import highspy, sys\nfor path in sys.argv[1:]:\n    m = highspy.Highs(); m.silent()\n"
        "    m.readModel(path); m.run(); status = m.modelStatusToString(m.getModelStatus())\n"
        "    print(m.getObjectiveValue() if status == 'Optimal' else None)\n",
        ("semi",),
    ),
}
"""A program that prints the optima of files, and the kinds of constructs that the solver reads."""


@pytest.mark.long
@pytest.mark.parametrize("suffix", WRITERS)
@pytest.mark.parametrize("package", SOLVERS)
def test_solvers_find_the_same_optima(package: str, suffix: str, tmp_path: Path) -> None:
    if importlib.util.find_spec(package) is None:
        missing(package)
    program, kinds = SOLVERS[package]
    wanted = {}
    for kind, seed in itertools.product(kinds, range(8)):
        model = random_model(seed, kind, decimal=True)
        if not below_zero(model):
            path = tmp_path / f"{kind}{seed}{suffix}"
            path.write_text(WRITERS[suffix][0](model))
            wanted[path] = min(solutions(model).values(), default=None)
    ran = subprocess.run(
        [sys.executable, "-c", program, *wanted], capture_output=True, text=True, check=True
    )
    found = [line for line in ran.stdout.splitlines() if re.fullmatch(r"None|-?[\d.e+-]+", line)]
    for path, text, best in zip(wanted, found, wanted.values(), strict=True):
        assert text == "None" if best is None else float(text) == pytest.approx(best), path


def test_truth_values_of_gencons_are_read_and_written(tmp_path: Path) -> None:
    lines = ["Maximize", " obj: x + y - 3 a + o", "Binaries", " x y a o", "General Constraints"]
    lines += [" both: a = AND ( x , y )", " any: o = OR(x, y)", "End"]
    (path := tmp_path / "m.lp").write_text("\n".join(lines))
    model = calmip.read_model(path)
    assert len(calmip.enumerate(model).values) == 4
    assert [str(one) for one in model.logic.constructs] == ["conjunction both", "disjunction any"]
    assert named(again(model, ".mps")) == named(again(model, ".lp")) == named(model)
    path.write_text(path.read_text().replace(" x y a o", " x a o"))
    with pytest.raises(InputError, match="conjunction 'both': its variable 'y' is not binary"):
        calmip.read_model(path)


def test_files_of_xpress_are_read(tmp_path: Path) -> None:
    """A set's name stands before its members, a priority behind it; thresholds are bounds."""
    (path := tmp_path / "m.mps").write_text(
        "NAME m\nROWS\n N o\nCOLUMNS\n    S1 o 1\n    y o 1\n    z o 1\nSETS\n S2 S1\n"
        "    S1  y  1\n    S1  S1  2\n    S1  z  3\n S1 other 7\n    S1  1\n    y  2\n"
        "BOUNDS\n UP b S1 4\n UP b y 4\n UP b z 4\nENDATA\n"
    )
    logic = calmip.read_model(path).logic
    assert logic is not None
    assert list(map(vars, logic.constructs)) == [
        {"name": "S1", "members": (1, 0, 2), "most": 2},
        {"name": "other", "members": (0, 1), "most": 1},
    ]
    text = "Minimize\n o: s + t\nBounds\n s <= 5\n t <= 4\nSemi Continuous\n s > 2\n"
    (path := tmp_path / "m.lp").write_text(text + "Semi Integers\nt > 3\nEnd\n")
    model = calmip.read_model(path)
    assert [(one.low, one.high) for one in model.logic.constructs] == [(2, 5), (3, 4)]
    assert [model.is_integer(column) for column in (0, 1)] == [False, True]
    path.write_text(text + "Partial Integers\n t > 3\nEnd\n")
    with pytest.raises(InputError, match="partially integer variables are not read"):
        calmip.read_model(path)


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
    calmip.export(model, other := tmp_path / "m.mps", constructs=True)
    assert calmip.read_model(other).logic == model.logic
    with pytest.raises(InputError, match="only a model in an LP or MPS file"):
        calmip.export(model, tmp_path / "m.opb", constructs=True)


@pytest.mark.parametrize("suffix", WRITERS)
def test_what_a_file_cannot_say_is_refused(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / "m.lp"
    path.write_text(TEXT)
    own = own_part(calmip.read_model(path))
    third = Indicator("i", 2, 1, {0: Fraction(1, 3)}, -math.inf, 1)
    several = Indicator("i", 2, 1, {0: 1}, -math.inf, 1, ((2, 0),))
    with pytest.raises(InputError, match="is not a decimal number"):
        again(linearise(own, [third]), suffix)
    with pytest.raises(InputError, match="several variables switch a row"):
        again(linearise(own, [several]), suffix)
    named = Indicator("an if", 2, 1, {0: 1}, -math.inf, 1)
    with pytest.raises(InputError, match="cannot have the name 'an if'"):
        again(linearise(own, [named]), suffix)
    numbered = own.changed(columns=("2", *own.columns[1:]))
    greatest = Extreme("g", 1, (({2: 1}, 0), ({}, 2)), 1)
    words = "the number or the variable" if suffix == ".mps" else "cannot have the name '2'"
    with pytest.raises(InputError, match=words):
        again(linearise(numbered, [greatest]), suffix)
    negative = own.changed(column_lower=array("d", [-4, 0, 0]))
    with pytest.raises(InputError, match="replace it by its negative"):
        again(linearise(negative, [SemiContinuous("x", 0, -4, -1)]), suffix)
    with pytest.raises(InputError, match="add a variable for each sum"):
        again(linearise(own, [Extreme("g", 0, (({0: 2}, 1), ({1: 1}, 0)), 1)]), suffix)
    ranged = again(linearise(own, [Indicator("i", 2, 0, {0: 1}, 1, 2)]), suffix)
    assert ranged.logic is not None
    assert [one.name for one in ranged.logic.constructs] == ["i", "i_"]
