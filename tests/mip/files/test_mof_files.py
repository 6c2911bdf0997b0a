"""Models in MathOptFormat, as JuMP writes them: read exactly, or refused by the name of a part."""

import contextlib
import gzip
import json
import math
import random
from fractions import Fraction
from pathlib import Path
from time import process_time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calmip import InputError
from calmip.cli import main
from calmip.mip import Model, PoolSearch, read_model
from calmip.mip.files.mof import read_mof
from calmip.mip.files.text_source import TextFile

Data = dict[str, Any]


def variable(name: str) -> Data:
    return {"type": "Variable", "name": name}


def affine(terms: dict[str, Any], constant: Any = 0) -> Data:
    listed = [{"coefficient": value, "variable": name} for name, value in terms.items()]
    return {"type": "ScalarAffineFunction", "terms": listed, "constant": constant}


def rule(function: Data, kind: str, /, name: str | None = None, **given: Any) -> Data:
    more = {} if name is None else {"name": name}
    return {**more, "function": function, "set": {"type": kind, **given}}


def whole(names: str, constraints: list[Data], objective: Data | None = None) -> Data:
    return {
        "name": "small",
        "version": {"major": 1, "minor": 9},
        "variables": [{"name": name} for name in names.split()],
        "objective": objective or {"sense": "feasibility"},
        "constraints": constraints,
    }


def read(data: Any, folder: Path) -> Model:
    path = folder / "model.mof.json"
    path.write_text(data if isinstance(data, str) else json.dumps(data))
    return read_model(path)


def read_lp(text: str, folder: Path) -> Model:
    path = folder / "model.lp"
    path.write_text(text)
    return read_model(path)


def points(model: Model) -> set[tuple[Any, ...]]:
    """Return all solutions by the variables of the user."""
    number = len(model.own_columns)
    return {tuple(one.point.get(c, 0) for c in range(number)) for one in PoolSearch(model)}


def rows_of(model: Model) -> Any:
    names = model.columns
    return [
        ({names[c]: a for c, a in row.terms.items()}, row.low, row.high)
        for row in model.exact_rows()
    ]


def test_the_example_of_the_format_is_read(tmp_path: Path) -> None:
    data = whole(
        "x y",
        [
            rule(affine({"x": 1, "y": 1}), "GreaterThan", name="x + y >= 1", lower=1),
            rule(variable("x"), "Interval", name="x in [0, 1]", lower=0, upper=1),
            rule(variable("y"), "ZeroOne"),
        ],
        {"sense": "min", "function": variable("x")},
    )
    data["version"] = {"major": 0, "minor": 7}
    data["variables"][0]["primal_start"] = 0.5
    model = read(data, tmp_path)
    assert (model.columns, model.rows, list(model.values("integer"))) == (
        ("x", "y"),
        ("x + y >= 1",),
        [0, 1],
    )
    assert [tuple(one) for one in model.column_bounds] == [(0, 1), (0, 1)]
    assert main(["solve", str(tmp_path / "model.mof.json"), "-q"]) == 0


@pytest.mark.parametrize("seed", range(20))
def test_numbers_are_those_of_the_text(seed: int, tmp_path: Path) -> None:
    """The same model as JSON and as LP, with numbers that no float has."""
    rng = random.Random(seed)
    names = [f"v{number}" for number in range(rng.randint(1, 4))]

    def number() -> str:
        return str(
            rng.choice(["0.1", "-2.7", "3", "1e-3", "12345678901234567.25", "-0.3333333333"])
        )

    def some() -> dict[str, str]:
        return {name: number() for name in rng.sample(names, rng.randint(1, len(names)))}

    sense, costs, sign = rng.choice(["min", "max"]), some(), rng.choice(["<=", ">=", "="])
    rows = [(some(), number()) for _ in range(rng.randint(0, 3))]
    integer = [name for name in names if rng.random() < 0.5]
    kinds = {"<=": ("LessThan", "upper"), ">=": ("GreaterThan", "lower"), "=": ("EqualTo", "value")}
    kind, key = kinds[sign]
    # A constant on the left: 0.75 + terms against the side.
    constraints = [
        rule(affine(terms, "0.75"), kind, name=f"r{n}", **{key: side})
        for n, (terms, side) in enumerate(rows)
    ]
    constraints += [rule(variable(name), "Interval", lower="-1.5", upper="4") for name in names]
    constraints += [rule(variable(name), "Integer") for name in integer]
    data = whole(" ".join(names), constraints, {"sense": sense, "function": affine(costs, "7.1")})
    text = json.dumps(data)
    for one in {value for terms, side in rows for value in (*terms.values(), side)} | {
        *costs.values(),
        "0.75",
        "7.1",
        "-1.5",
        "4",
    }:
        text = text.replace(f'"{one}"', one)
    model = read(text, tmp_path)

    def total(terms: dict[str, str]) -> str:
        return " ".join(
            f"{'' if v.startswith('-') else '+'}{v} {name}" for name, v in terms.items()
        )

    lines = [f"{sense}imize", f" obj: {total(costs)} + 7.1", "Subject To"]
    lines += [
        f" r{n}: {total(terms)} {sign} {Fraction(side) - Fraction(3, 4)}"
        for n, (terms, side) in enumerate(rows)
    ]
    lines += ["Bounds", *(f" -1.5 <= {name} <= 4" for name in names)]
    lines += ["Generals", " " + " ".join(integer), "End"]
    expected = read_lp("\n".join(lines) + "\n", tmp_path)
    order = [expected.columns.index(name) for name in model.columns if name in expected.columns]
    assert rows_of(model) == rows_of(expected)
    assert model.maximise == expected.maximise
    assert model.constant == expected.constant
    assert {model.columns[c]: v for c, v in model.costs.items()} == {
        expected.columns[c]: v for c, v in expected.costs.items()
    }
    bounds = dict(zip(model.columns, model.column_bounds, strict=True))
    assert all(bounds[expected.columns[c]] == expected.column_bounds[c] for c in order)
    kinds_of = dict(zip(model.columns, map(bool, model.values("integer")), strict=True))
    assert kinds_of == {name: name in integer for name in names}


def test_vectors_are_a_row_for_each_output(tmp_path: Path) -> None:
    term = {"output_index": 2, "scalar_term": {"coefficient": 2, "variable": "x"}}
    other = {"output_index": 2, "scalar_term": {"coefficient": -1, "variable": "y"}}
    first = {"output_index": 1, "scalar_term": {"coefficient": 3, "variable": "y"}}
    function = {
        "type": "VectorAffineFunction",
        "terms": [term, first, other],
        "constants": [-6, 1],
    }
    both = {"type": "VectorOfVariables", "variables": ["x", "y"]}
    model = read(
        whole(
            "x y",
            [
                rule(function, "Nonpositives", name="v", dimension=2),
                rule(both, "Nonnegatives", dimension=2),
                *(rule(variable(name), "Integer") for name in "xy"),
            ],
        ),
        tmp_path,
    )
    assert model.rows == ("v[1]", "v[2]")
    assert points(model) == {
        (x, y) for x in range(9) for y in range(9) if 3 * y <= 6 and 2 * x - y + 1 <= 0
    }


def box(names: str, low: int, high: int) -> list[Data]:
    return [
        one
        for name in names.split()
        for one in (
            rule(variable(name), "Interval", lower=low, upper=high),
            rule(variable(name), "Integer"),
        )
    ]


@pytest.mark.parametrize("activate", ["one", "zero"])
def test_constructs_are_those_of_an_lp_file(activate: str, tmp_path: Path) -> None:
    implied = {
        "type": "VectorAffineFunction",
        "terms": [
            {"output_index": 1, "scalar_term": {"coefficient": 1, "variable": "b"}},
            {"output_index": 2, "scalar_term": {"coefficient": 1, "variable": "x"}},
            {"output_index": 2, "scalar_term": {"coefficient": 2, "variable": "y"}},
        ],
        "constants": [0, 0],
    }
    inner = {"type": "LessThan", "upper": 1}
    ordered = {"type": "VectorOfVariables", "variables": ["x", "y", "z"]}
    model = read(
        whole(
            "b x y z s",
            [
                rule(variable("b"), "ZeroOne"),
                *box("x y z", -1, 2),
                rule(implied, "Indicator", set=inner, activate_on=activate),
                rule(ordered, "SOS2", weights=[3, 1, 2]),
                rule(variable("s"), "Semiinteger", lower=2, upper=3),
            ],
        ),
        tmp_path,
    )
    text = f"""Minimize
 obj: 0 b + 0 x + 0 y + 0 z + 0 s
Subject To
 i: b = {int(activate == "one")} -> x + 2 y <= 1
Bounds
 -1 <= x <= 2
 -1 <= y <= 2
 -1 <= z <= 2
 2 <= s <= 3
Binaries
 b
Generals
 x y z s
Semi-continuous
 s
SOS
 o: S2 :: x:3 y:1 z:2
End
"""
    expected = read_lp(text, tmp_path)
    assert model.own_columns == expected.own_columns
    assert points(model) == points(expected) != set()


def implied(
    kind: str, *, activate: str = "one", output: int = 2, factor: int = 1, **given: Any
) -> Data:
    """Return the change to a model with an indicator, of which one part may be wrong."""
    terms = [
        {"output_index": number, "scalar_term": {"coefficient": value, "variable": name}}
        for number, value, name in ((1, factor, "x"), (output, 1, "y"))
    ]
    function = {"type": "VectorAffineFunction", "terms": terms, "constants": [0, 0]}
    inner = {"type": kind, **given}
    return {"constraints": [rule(function, "Indicator", set=inner, activate_on=activate)]}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"version": {"major": 2, "minor": 0}}, "its version is 2; versions 0 and 1 are read"),
        ({"more": 1}, "the model: the key 'more' is not known"),
        ({"variables": [{"name": "x"}, {"name": "x"}]}, "variable 2: 'x' is no name of its own"),
        ({"variables": [{"name": "x", "kind": 1}]}, "variable 1: the key 'kind' is not known"),
        ({"objective": {"sense": "minimum"}}, "'minimum' is not min, max or feasibility"),
        (
            {"objective": {"sense": "min", "function": {"type": "ScalarNonlinearFunction"}}},
            "the objective: the function 'ScalarNonlinearFunction' is not linear, or not known",
        ),
        (
            {
                "objective": {
                    "sense": "min",
                    "function": {"type": "VectorOfVariables", "variables": ["x", "y"]},
                }
            },
            "a model has one objective",
        ),
        ({"constraints": [rule(variable("w"), "Integer")]}, "there is no variable 'w'"),
        (
            {"constraints": [rule(affine({"x": 2}), "Integer", name="odd")]},
            "constraint 'odd': the set Integer is for a variable alone",
        ),
        (
            {"constraints": [rule(variable("x"), "LessThan", upper=1, slack=2)]},
            "constraint 'c0': the key 'slack' is not known",
        ),
        ({"constraints": [rule(variable("x"), "LessThan")]}, "the key 'upper' is missing"),
        ({"constraints": [rule(variable("x"), "LessThan", upper="1")]}, "upper should be a number"),
        (
            {
                "constraints": [
                    rule(
                        {"type": "VectorOfVariables", "variables": ["x", "y"]},
                        "SecondOrderCone",
                        dimension=2,
                    )
                ]
            },
            "the set 'SecondOrderCone' is not read with this function",
        ),
        (
            {
                "constraints": [
                    rule(
                        {"type": "VectorOfVariables", "variables": ["x", "y"]},
                        "SOS1",
                        weights=[1],
                    )
                ]
            },
            "a special ordered set has a weight for each of its variables",
        ),
        ({"constraints": {}}, "the constraints should be a list"),
        (implied("Integer"), "constraint 'c0': the set Integer is not read in an indicator"),
        (implied("SOS1", weights=[1]), "an indicator is a variable, one or zero, and an interval"),
        (implied("LessThan", activate="two", upper=1), "an indicator is a variable, one or zero"),
        (implied("LessThan", output=3, upper=1), "there is no output '3'"),
        (implied("LessThan", factor=2, upper=1), "an indicator is a variable, one or zero"),
        (
            {
                "constraints": [
                    rule(
                        {"type": "VectorOfVariables", "variables": ["x", "y"]},
                        "Nonnegatives",
                        dimension=3,
                    )
                ]
            },
            "its dimension is 3, and its function's 2",
        ),
        (
            {"constraints": [rule(affine({"x": 2}), "LessThan", name="r", upper=-1e20)]},
            "row 'r' has no finite value",
        ),
    ],
)
def test_what_is_not_known_is_refused_by_its_place(
    change: Data, message: str, tmp_path: Path
) -> None:
    with pytest.raises(InputError) as caught:
        read({**whole("x y", []), **change}, tmp_path)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "is no JSON"),
        ("[" * 100_000, "is no"),
        ('{"a": 1, "a": 2}', "has the key 'a' twice in one object"),
        ("[]", "an object should stand here"),
        ('{"version": NaN}', "NaN"),
    ],
)
def test_what_is_no_model_is_one_message(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=message):
        read(text, tmp_path)


def places(data: Any) -> list[tuple[Any, Any]]:
    """Return all parts of a document, each by what holds it and its key there."""
    keys = data if isinstance(data, dict) else range(len(data)) if isinstance(data, list) else ()
    return [place for key in keys for place in ((data, key), *places(data[key]))]


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.sampled_from(["", "x", "Integer", "one", "min"]),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.just("type"), inner),
    max_leaves=3,
)


@given(number=st.integers(0), value=VALUES, add=st.booleans())
def test_with_any_part_changed_it_is_read_or_refused(number: int, value: Any, add: bool) -> None:
    data = whole(
        "x y",
        [
            rule(affine({"x": 1, "y": 2}), "LessThan", upper=1),
            rule(variable("x"), "Semicontinuous", lower=1, upper=2),
            rule({"type": "VectorOfVariables", "variables": ["x", "y"]}, "SOS1", weights=[1, 2]),
            *implied("LessThan", upper=1)["constraints"],
        ],
        {"sense": "max", "function": affine({"y": 1})},
    )
    every = places(data)
    holder, key = every[number % len(every)]
    if add and isinstance(holder, dict):
        holder[f"more {key}"] = value
    else:
        holder[key] = value
    with contextlib.suppress(InputError):
        assert isinstance(read_mof(TextFile("m", (json.dumps(data),))), Model)


@pytest.mark.parametrize("name", ["Semicontinuous", "Semiinteger"])
@pytest.mark.parametrize("first", [False, True])
def test_a_semi_continuous_variable_is_0_only_if_its_other_bounds_allow_it(
    name: str, first: bool, tmp_path: Path
) -> None:
    """A variable is in all of its sets."""
    semi = rule(variable("x"), name, lower=2, upper=5)

    def values(*others: Data) -> set[int]:
        rules = [semi, *others] if first else [*others, semi]
        return {x for (x,) in points(read(whole("x", [*rules, whole_x]), tmp_path))}

    whole_x = rule(variable("x"), "Integer")
    assert values() == {0, 2, 3, 4, 5}
    assert values(rule(variable("x"), "GreaterThan", lower=1)) == {2, 3, 4, 5}
    assert values(rule(variable("x"), "GreaterThan", lower=-1)) == {0, 2, 3, 4, 5}
    assert values(rule(variable("x"), "LessThan", upper=3)) == {0, 2, 3}
    assert values(rule(variable("x"), "EqualTo", value=3)) == {3}
    assert values(rule(variable("x"), name, lower=4, upper=9)) == {0, 4, 5}
    assert values(rule(variable("x"), "ZeroOne")) == {0}


def test_bounds_that_solvers_take_for_infinite_are_infinite(tmp_path: Path) -> None:
    ends = rule(variable("x"), "Interval", lower=-1e20, upper=2e20)
    sides = rule(affine({"x": 2}, 1), "Interval", lower=-3e20, upper=9)
    moved = rule(affine({"x": 2}, -6e19), "LessThan", upper=6e19)
    model = read(whole("x", [ends, sides, moved]), tmp_path)
    assert model.bounds(0) == (-math.inf, math.inf)
    assert rows_of(model) == [({"x": 2}, -math.inf, 8), ({"x": 2}, -math.inf, math.inf)]


def test_a_late_duplicate_of_a_key_takes_no_quadratic_time(tmp_path: Path) -> None:
    keys = [*(f'"k{n}": 1' for n in range(30_000)), '"k29999": 2']
    before = process_time()
    with pytest.raises(InputError, match="has the key 'k29999' twice"):
        read("{" + ", ".join(keys) + "}", tmp_path)
    assert process_time() - before < 5


def test_it_is_read_packed_and_not_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = whole("x", [rule(variable("x"), "ZeroOne")])
    (tmp_path / "m.mof.json.gz").write_bytes(gzip.compress(json.dumps(data).encode()))
    assert main(["count", str(tmp_path / "m.mof.json.gz")]) == 0
    assert "2 solutions" in capsys.readouterr().out
    assert main(["export", "tiny", "-o", str(tmp_path / "x.mof.json")]) == 2
    assert ".mof.json" in capsys.readouterr().err
    assert not (tmp_path / "x.mof.json").exists()
