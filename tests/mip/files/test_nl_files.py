"""Files ``.nl``: those that Pyomo writes, number by number, and what is refused."""

from __future__ import annotations

import contextlib
import math
from fractions import Fraction
from pathlib import Path
from typing import Any

import pyomo.environ as pyo
import pytest
from hypothesis import given
from hypothesis import strategies as st
from layer_models import Drawn, draw, matches

import calmip
import calmip.mip
from calmip import InputError
from calmip.mip.files.nl import read_nl
from calmip.mip.files.text_source import TextFile

TEXT = """g3 1 1 0	# problem unknown
 2 1 1 0 0	# vars, constraints, objectives, ranges, eqns
 0 0 0 0 0 0	# nonlinear constrs, objs; ccons: lin, nonlin, nd, nzlb
 0 0	# network constraints: nonlinear, linear
 0 0 0	# nonlinear vars in constraints, objectives, both
 0 0 0 1	# linear network variables; functions; arith, flags
 0 1 0 0 0	# discrete variables: binary, integer, nonlinear (b,c,o)
 2 1	# nonzeros in Jacobian, obj. gradient
 4 1	# max name lengths: constraints, variables
 0 0 0 0 0	# common exprs: b,c,o,c1,o1
C0	#room
n0
O0 1	#cost
n2.5
x1	# initial guess
0 1.0	#x
r	#1 ranges (rhs's)
1 7.3
b	#2 bounds (on variables)
3	#y
0 -1 4	#x
k1	#intermediate Jacobian column lengths
1
J0 2	#room
0 0.1
1 2
G0 1	#cost
1 3
"""


def read(tmp_path: Path, text: str = TEXT) -> calmip.Model:
    path = tmp_path / "model.nl"
    path.write_text(text)
    return calmip.read_model(path)


def written(drawn: Drawn, path: Path) -> list[int]:
    """Write a model by Pyomo, and return the columns of its variables."""
    model = pyo.ConcreteModel()
    whole = [integer for *_, integer in drawn.columns]

    def bounds(_: Any, n: int) -> tuple[float | None, float | None]:
        low, high, _ = drawn.columns[n]
        return (None if math.isinf(low) else low, None if math.isinf(high) else high)

    model.x = pyo.Var(
        range(len(whole)),
        bounds=bounds,
        domain=lambda _, n: pyo.Integers if whole[n] else pyo.Reals,
    )
    model.rows = pyo.ConstraintList()
    for terms, low, high in drawn.rows:
        left = sum(a * model.x[n] for n, a in enumerate(terms) if a)
        sides = (None if math.isinf(low) else low, left, None if math.isinf(high) else high)
        model.rows.add(sides if low != high else left == low)
    goal = sum(a * model.x[n] for n, a in enumerate(drawn.cost)) + drawn.constant
    model.goal = pyo.Objective(expr=goal, sense=pyo.maximize if drawn.maximise else pyo.minimize)
    model.write(str(path), format="nl", io_options={"symbolic_solver_labels": True})
    names = path.with_suffix(".col").read_text().split()
    return [names.index(f"x[{n}]") for n in range(len(whole))]


def test_twenty_models_of_pyomo(tmp_path: Path) -> None:
    for seed in range(20):
        drawn = draw(seed)
        path = tmp_path / f"m{seed}.nl"
        order = written(drawn, path)
        model = calmip.read_model(path)
        places = {name: n for n, name in enumerate(model.rows)}
        kept = sorted(range(len(drawn.rows)), key=lambda n: places[f"rows[{n + 1}]"])
        turned = Drawn(
            drawn.columns,
            tuple(drawn.rows[n] for n in kept),
            drawn.cost,
            drawn.constant,
            drawn.maximise,
        )
        matches(model, turned, order)
        assert [model.columns[place] for place in order] == [
            f"x[{n}]" for n in range(len(drawn.columns))
        ]


def test_a_file_without_names(tmp_path: Path) -> None:
    model = read(tmp_path)
    assert (model.columns, model.rows) == (("x0", "x1"), ("c0",))
    assert [model.bounds(n) for n in range(2)] == [(-math.inf, math.inf), (-1, 4)]
    assert model.exact_row(0) == ({0: Fraction(1, 10), 1: 2}, -math.inf, Fraction(73, 10))
    assert (model.costs, model.maximise, model.constant) == ({1: -3}, True, Fraction(5, 2))
    assert list(model.integer) == [0, 1]


def test_bounds_that_solvers_take_for_infinite_are_infinite(tmp_path: Path) -> None:
    model = read(tmp_path, TEXT.replace("0 -1 4", "0 -1e20 1e20").replace("1 7.3", "0 -2e20 7"))
    assert model.bounds(1) == (-math.inf, math.inf)
    assert model.exact_row(0)[1:] == (-math.inf, 7)


@pytest.mark.parametrize("end", ["\r\n", "\r"])
def test_ends_of_lines_of_other_systems(end: str, tmp_path: Path) -> None:
    path = tmp_path / "model.nl"
    path.write_bytes(TEXT.replace("\n", end).encode())
    found, model = calmip.read_model(path), read(tmp_path)
    assert [found.exact_row(0), found.costs] == [model.exact_row(0), model.costs]


def test_names_beside_it(tmp_path: Path) -> None:
    (tmp_path / "model.col").write_text("y\nx\n")
    (tmp_path / "model.row").write_text("room\ncost\n")
    model = read(tmp_path)
    assert (model.columns, model.rows) == (("y", "x"), ("room",))
    (tmp_path / "model.col").write_text("y\n")
    with pytest.raises(InputError, match="has 1 names, and the model 2"):
        read(tmp_path)


REFUSED = {
    "is a binary": TEXT.replace("g3", "b3", 1),
    "a header such as": "Minimize\n",
    "is cut: a line is missing": TEXT[: TEXT.index("1 2\n")],
    "has nonlinear constraints": TEXT.replace(" 0 0 0 0 0 0\t", " 1 0 0 0 0 0\t"),
    "complementarity conditions;": TEXT.replace(" 0 0 0 0 0 0\t", " 0 0 1 0 0 0\t"),
    "has network constraints": TEXT.replace(" 0 0\t# net", " 0 1\t# net"),
    "has nonlinear variables": TEXT.replace(" 0 0 0\t# nonlinear v", " 0 2 0\t# nonlinear v"),
    "has network variables, functions": TEXT.replace(" 0 0 0 1\t", " 0 1 0 1\t"),
    "has nonlinear integer": TEXT.replace(" 0 1 0 0 0\t", " 0 1 0 1 0\t"),
    "has common expressions": TEXT.replace(" 0 0 0 0 0\t# common", " 0 0 1 0 0\t# common"),
    "has 2 objectives": TEXT.replace(" 2 1 1 0 0\t", " 2 1 2 0 0\t"),
    "has logical constraints": TEXT.replace(" 2 1 1 0 0\t", " 2 1 1 0 0 3\t"),
    "row 'c0' is not linear": TEXT.replace("n0\nO0", "o5\nO0"),
    "row 'c0' has a constant": TEXT.replace("n0\nO0", "n3\nO0"),
    "the objective is not linear": TEXT.replace("n2.5", "o0"),
    "has the segment 'S0'": TEXT + "S0 1 sosno\n1 1\n",
    "has the segment 'L0'": TEXT + "L0\no20\n",
    "found the number '7'": TEXT.replace("\n1 2\n", "\n7 2\n"),
    "the kind of a bound": TEXT.replace("\n1 7.3\n", "\n1\n"),
    "has a complementarity condition": TEXT.replace("\n1 7.3\n", "\n5 1 1\n"),
    "where a number should stand": TEXT.replace("\n1 7.3\n", "\n1 abc\n"),
    "not 3 counts": TEXT.replace(" 2 1 1 0 0\t", " 2 x 1 0 0\t"),
    "is cut: the segment b": TEXT.replace("b\t#2 bounds (on variables)\n3\t#y\n0 -1 4\t#x\n", ""),
    "is cut: 2 coefficients of the rows are announced": TEXT.replace("J0 2", "J0 1").replace(
        "\n1 2\n", "\n"
    ),
    "is cut: 1 coefficients of the objective are ann": TEXT[: TEXT.index("G0")],
    "a column and a number": TEXT.replace("\n1 2\n", "\n1 2 3\n"),
    "has 3 integer variables of 2": TEXT.replace(" 0 1 0 0 0\t", " 1 2 0 0 0\t"),
    "is cut: 900000001 variables and constraints": TEXT.replace(" 2 1 1 0 0\t", " 900000000 1 1\t"),
    "has the segment 'b' twice": TEXT.replace("k1\t", "b\n3\n0 0 4\nk1\t"),
    "has the segment 'J0' twice": TEXT.replace("G0", "J0 1\n1 1\nG0"),
    "has the segment 'O0' twice": TEXT.replace("x1\t", "O0 0\nn0\nx1\t"),
    "is cut: the segment O0 is missing": TEXT.replace("O0 1\t#cost\nn2.5\n", ""),
    "found '2', not 0 (minimise) or 1 (maximise)": TEXT.replace("O0 1", "O0 2"),
    "found '', not 0 (minimise) or 1 (maximise)": TEXT.replace("O0 1", "O0"),
    "found the number '1'; there are 1": TEXT.replace("O0 1", "O1 1"),
    "found the number '3'; there are 1": TEXT.replace("G0 1", "G3 1"),
    "found the number '0'; there are 0": TEXT.replace(" 2 1 1 0 0\t", " 2 1 0 0 0\t"),
    "found '-2', not a number of columns, rows": TEXT.replace("J0 2", "J0 -2"),
    "row 'c0' has no finite value": TEXT.replace("\n1 7.3\n", "\n1 -1e20\n"),
    "variable 'x1' has no finite value": TEXT.replace("0 -1 4", "0 1e20 1e30"),
}


@pytest.mark.parametrize("words", REFUSED)
def test_what_is_not_linear_or_cut_is_refused(words: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        read(tmp_path, REFUSED[words])
    assert words in str(caught.value)


def test_it_is_not_written(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is read and not written"):
        calmip.mip.write_model(tmp_path / "other.nl", read(tmp_path))


def test_a_file_is_solved_and_explained(tmp_path: Path) -> None:
    model = read(tmp_path)
    solution = calmip.solve(model)
    assert (solution.objective, solution["x1"]) == (14.5, 4)


@given(
    line=st.integers(0, len(TEXT.splitlines()) - 1),
    word=st.integers(0),
    new=st.sampled_from(
        ["", "0", "1", "-1", "9" * 20, "1e999", "x", "J1", "k9", "b3", "5", "n", "#"]
    ),
    whole=st.booleans(),
)
def test_with_any_word_changed_it_is_read_or_refused(
    line: int, word: int, new: str, whole: bool
) -> None:
    lines = TEXT.splitlines()
    words = [new] if whole else lines[line].partition("\t")[0].split()
    if not whole:
        words[word % len(words)] = new
    lines[line] = " ".join(words)
    with contextlib.suppress(InputError):
        assert isinstance(read_nl(TextFile("m.nl", tuple(lines))), calmip.Model)
