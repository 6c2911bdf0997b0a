"""FlatZinc: files that MiniZinc writes, all solutions beside Gecode's, and what is refused."""

from __future__ import annotations

import itertools
import json
import random
import shutil
import subprocess
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from requirements import missing

import calmip
from calmip import InputError, Status
from calmip._base.limits import Deadline
from calmip.mip.iis.nearest import find_nearest
from calmip.mip.projection import Projection

HEAD = """predicate own(var int: x);
% a comment
array [1..2] of int: two = [1,-1];
var 0..3: x:: output_var;
var {-1,0,2}: y:: output_var;
var bool: b:: output_var;
var 0..3: A_0;
var bool: h:: var_is_introduced:: is_defined_var;
var -9..9: t:: var_is_introduced:: is_defined_var;
var bool: g = true;
array [1..2] of var int: z:: output_array([3..4]) = [A_0,7];
"""

Point = Callable[[int, int, int, int], bool]

RULES: dict[str, tuple[str, Point]] = {
    "int_lin_le(two,[x,y],1)": ("", lambda x, y, b, z: x - y <= 1),
    "int_lin_eq([1,1],[x,z[1]],3):: domain": ("", lambda x, y, b, z: x + z == 3),
    "int_lin_ne(two,[x,y],0)": ("", lambda x, y, b, z: x != y),
    "int_le(x,y)": ("", lambda x, y, b, z: x <= y),
    "int_lt(x,y)": ("", lambda x, y, b, z: x < y),
    "int_eq(x,A_0)": ("", lambda x, y, b, z: x == z),
    "int_ne(x,2)": ("", lambda x, y, b, z: x != 2),
    "int_ne(x,0)": ("", lambda x, y, b, z: x != 0),
    "int_ne(x,3)": ("", lambda x, y, b, z: x != 3),
    "int_lin_eq([2,-1],[t,x],0):: defines_var(t)": ("", lambda x, y, b, z: x % 2 == 0),
    "int_lin_le_reif(two,[x,y],1,b)": ("", lambda x, y, b, z: b == (x - y <= 1)),
    "int_lin_eq_reif(two,[x,y],0,b)": ("", lambda x, y, b, z: b == (x == y)),
    "int_lin_ne_reif(two,[x,y],0,b)": ("", lambda x, y, b, z: b == (x != y)),
    "int_lin_le_imp(two,[x,y],0,b)": ("", lambda x, y, b, z: not b or x <= y),
    "int_ne_imp(x,y,b)": ("", lambda x, y, b, z: not b or x != y),
    "int_eq_reif(x,2,true)": ("", lambda x, y, b, z: x == 2),
    "int_eq_reif(x,2,false)": ("", lambda x, y, b, z: x != 2),
    "int_max(x,y,A_0)": ("", lambda x, y, b, z: z == max(x, y)),
    "int_min(x,y,t)": ("int_lin_le([1,1],[t,A_0],1)", lambda x, y, b, z: min(x, y) + z <= 1),
    "int_abs(y,x)": ("", lambda x, y, b, z: x == abs(y)),
    "int_lin_eq([1,2,-1],[x,y,t],0):: defines_var(t)": (
        "int_abs(t,A_0)",
        lambda x, y, b, z: abs(x + 2 * y) == z,
    ),
    "int_times(b,x,A_0)": ("", lambda x, y, b, z: z == b * x),
    "int_times(y,2,x)": ("", lambda x, y, b, z: x == 2 * y),
    "int_times(x,b,A_0)": ("", lambda x, y, b, z: z == b * x),
    "int_times(2,y,x)": ("", lambda x, y, b, z: x == 2 * y),
    "int_plus(x,y,A_0)": ("", lambda x, y, b, z: z == x + y),
    "int_minus(x,y,A_0)": ("", lambda x, y, b, z: z == x - y),
    "set_in(x,{0,2,3})": ("", lambda x, y, b, z: x in (0, 2, 3)),
    "set_in_reif(x,{0,2,7},b)": ("", lambda x, y, b, z: b == (x in (0, 2, 7))),
    "set_in_reif(x,{0,2},true)": ("", lambda x, y, b, z: x in (0, 2)),
    "set_in_reif(x,{0,2},false)": ("", lambda x, y, b, z: x not in (0, 2)),
    "set_in_imp(x,{0,2},b)": ("", lambda x, y, b, z: not b or x in (0, 2)),
    "set_in_imp(x,{0,2},false)": ("", lambda x, y, b, z: True),
    "set_in_reif(x,1..2,h)": (
        "array_bool_or([h,b],true)",
        lambda x, y, b, z: 1 <= x <= 2 or bool(b),
    ),
    "array_int_maximum(A_0,[x,y,1])": ("", lambda x, y, b, z: z == max(x, y, 1)),
    "array_int_element(x,[2,0,1],A_0)": (
        "",
        lambda x, y, b, z: 1 <= x <= 3 and z == (2, 0, 1)[x - 1],
    ),
    "array_var_int_element(x,[y,A_0],1)": (
        "",
        lambda x, y, b, z: 1 <= x <= 2 and (y, z)[x - 1] == 1,
    ),
    "bool2int(b,x)": ("", lambda x, y, b, z: x == b),
    "int_le_reif(2,x,h):: defines_var(h)": (
        "bool_clause([b],[h])",
        lambda x, y, b, z: bool(b) or x < 2,
    ),
    "int_le_reif(x,y,h)": ("array_bool_and([h,g],b)", lambda x, y, b, z: b == (x <= y)),
    "int_ne_reif(x,y,h)": ("bool_not(h,b)", lambda x, y, b, z: b == (x == y)),
    "int_lt_reif(x,y,h)": ("bool_xor(h,b,g)", lambda x, y, b, z: b != (x < y)),
    "int_lt_reif(y,x,h) ": ("array_bool_xor([h,b,g])", lambda x, y, b, z: b == (y < x)),
    "int_lt_reif(x,y,h) ": ("bool_clause_reif([h],[g],b)", lambda x, y, b, z: b == (x < y)),
    "int_eq_reif(x,y,h)": ("array_bool_or_imp([h],b)", lambda x, y, b, z: not b or x == y),
    "int_le_reif(x,y,h) ": ("array_bool_and_imp([h,g],b)", lambda x, y, b, z: not b or x <= y),
    "int_le_reif(y,x,h)": ("bool_and(h,g,b)", lambda x, y, b, z: b == (y <= x)),
    "int_le_reif(y,x,h) ": ("bool_or(h,false,b)", lambda x, y, b, z: b == (y <= x)),
    "int_eq_reif(y,x,h)": ("bool_clause_imp([h],[g],b)", lambda x, y, b, z: not b or x == y),
    "int_lt_reif(x,1,h)": ("bool_le(b,h)", lambda x, y, b, z: not b or x < 1),
    "int_lt_reif(x,1,h) ": ("bool_eq(b,h)", lambda x, y, b, z: b == (x < 1)),
}
"""A constraint, another one, and what they say of a point."""


def read(tmp_path: Path, *constraints: str, solve: str = "solve satisfy;") -> calmip.Model:
    path = tmp_path / "model.fzn"
    lines = [f"constraint {one.strip()};\n" for one in constraints if one]
    path.write_text(HEAD + "".join(lines) + solve + "\n")
    return calmip.read_model(path)


@pytest.mark.parametrize("rule", RULES)
def test_a_constraint_keeps_the_solutions_of_its_meaning(rule: str, tmp_path: Path) -> None:
    """The pool and the judgement of points are those of brute force."""
    other, holds = RULES[rule]
    model = read(tmp_path, rule, other)
    assert model.own_columns == ("x", "y", "b", "z[3]")
    boxes = itertools.product(range(4), (-1, 0, 2), (0, 1), range(4))
    wanted = {point for point in boxes if holds(*point)}
    pool = calmip.enumerate(model)
    found = [tuple(values[name] for name in model.own_columns) for values in pool.values]
    assert sorted(found) == sorted(wanted)
    # A point is judged without the pool's search.
    for point in itertools.product(range(4), range(-1, 3), (0, 1), range(4)):
        violated = model.violated(dict(enumerate(point))) is not None
        assert violated is (point not in wanted)


@pytest.mark.parametrize("number", range(-2, 9))
def test_a_number_within_a_sum_alone_needs_a_variable_to_be_left_out(
    number: int, tmp_path: Path
) -> None:
    """At an end of the sum one row leaves it out, and beside the sum none."""
    model = read(tmp_path, f"int_lin_ne([1,1],[x,A_0],{number})")
    plain = read(tmp_path)
    added = (len(model.rows) - len(plain.rows), len(model.columns) - len(plain.columns))
    assert added == ((2, 1) if 0 < number < 6 else (int(number in (0, 6)), 0))


def test_a_negation_is_replaced_by_what_it_negates(tmp_path: Path) -> None:
    model = read(tmp_path, "bool_not(h,b)", "int_le_reif(x,1,h)")
    assert "h" not in model.columns
    assert {one["x"] > 1 for one in calmip.enumerate(model).values if one["b"]} == {True}


def test_without_an_output_all_variables_that_are_not_introduced_are_printed(
    tmp_path: Path,
) -> None:
    path = tmp_path / "model.fzn"
    path.write_text(
        "var 0..1: x;\nvar 0..1: y:: var_is_introduced;\nvar 0..1: z:: is_defined_var;\n"
        "var 0..1: w:: var_is_introduced:: is_defined_var;\nvar 0..2: v;\n"
        "array [1..2] of var int: q = [x,y];\n"
        "constraint int_lin_le([1,1,1,1],[x,y,z,w],v);\nsolve satisfy;\n"
    )
    assert calmip.read_model(path).own_columns == ("x", "v")


def test_the_objective_is_in_the_columns(tmp_path: Path) -> None:
    """A variable that is a sum is replaced by it; what cannot be replaced is a column."""
    defined = "int_lin_eq([2,-1,-1],[x,y,t],-1):: defines_var(t)"
    model = read(tmp_path, defined, solve="solve :: int_search([x],a,b) maximize t;")
    assert (model.maximise, model.costs, model.constant) == (True, {0: -2, 1: 1}, 1)
    assert calmip.solve(model).objective == 2 * 3 + 1 + 1
    largest = read(tmp_path, "int_max(x,y,t)", solve="solve minimize t;")
    assert largest.own_columns[-1] == "t"
    pool = calmip.enumerate(largest, optimal=True)
    assert pool.optimum == 0
    assert {(one["x"], one["y"]) for one in pool.values} == {(0, -1), (0, 0)}


def test_words_names_and_conflicts(tmp_path: Path) -> None:
    model = read(
        tmp_path,
        'int_lin_le([1,1],[x,A_0],6):: mzn_constraint_name("room")',
        "int_le_reif(2,x,h):: defines_var(h)",
        "bool_clause([b],[h])",
        "int_le(3,x)",
        "bool_eq(b,false)",
    )
    assert model.rows[0].startswith("c") or "room" not in model.rows  # it always holds
    said = str(calmip.explain(model))
    assert "infeasible" in said
    assert "c2: -b + h <= 0; c2: h = 1 -> -x <= -2;" in said
    assert model.logic is not None
    assert any(isinstance(one, Projection) for one in model.logic.constructs)


def test_an_alias_is_an_equation(tmp_path: Path) -> None:
    path = tmp_path / "m.fzn"
    path.write_text(
        "var 0..4: X_5:: var_is_introduced;\nvar 1..3: y:: output_var = X_5;\n"
        "var 0..9: w:: output_var;\nvar 2..9: v:: var_is_introduced = w;\n"
        "constraint int_le(X_5,2);\nconstraint int_lin_le([1,1],[v,y],4);\nsolve satisfy;\n"
    )
    model = calmip.read_model(path)
    assert model.own_columns == ("y", "w")
    pool = calmip.enumerate(model)
    assert {(one["y"], one["w"]) for one in pool.values} == {(1, 2), (1, 3), (2, 2)}


def test_real_numbers_are_exact(tmp_path: Path) -> None:
    path = tmp_path / "m.fzn"
    path.write_text(
        "var 0.5..2.5: f:: output_var;\nvar 1..2: i:: output_var;\n"
        "var 1.0..2.0: k:: var_is_introduced:: is_defined_var;\n"
        "constraint int2float(i,k):: defines_var(k);\n"
        "constraint float_lin_le([-1.0,-0.1],[f,k],-1.0);\nsolve minimize f;\n"
    )
    model = calmip.read_model(path)
    assert list(model.integer) == [0, 1]
    assert model.exact_row(0)[:1] == ({0: -1, 1: Fraction(-1, 10)},)
    assert calmip.solve(model).objective == 0.8


REFUSED = {
    "'fzn_cumulative' with 1 arguments, which is not read": "constraint fzn_cumulative(x);",
    "'int_div' with 3 arguments": "constraint int_div(x,2,y);",
    "the product of two variables is linear only": "constraint int_times(x,y,A_0);",
    "a variable that is a set": "var set of 1..3: s;",
    "does not declare 'w'": "constraint int_le(w,x);",
    "declares 'x' twice": "var 0..1: x;",
    "strict inequality of real numbers": "var float: f;\nconstraint float_lt(f,1.0);",
    "a set that is no constant": "constraint set_in(x,[1]);",
    "has 2 coefficients for 1 variables": "constraint int_lin_le(two,[x],1);",
    "a variable where a number should stand": "constraint int_lin_le([x],[x],1);",
    "found '&);', not a part of FlatZinc": "constraint int_le(x,&);",
    "has no element 3": "constraint int_le(z[3],x);",
    "int_le has 3 arguments": "constraint int_le(x,y,b);",
    "found 'b', not a number": "constraint int_le(z[b],x);",
    "found a list, a set or a text where a number or a variable": "constraint int_le([x],1);",
    "found a single value where a list should stand": "constraint int_lin_le(1,[x],1);",
    "a maximum or a minimum has no arguments": "constraint array_int_maximum(x,[]);",
    "the array 'q' has not the size of its indices": "array [1..2] of var int: q"
    ":: output_array([1..3]) = [x,y];",
    "has no finite bound, because 'u' has no": "var int: u:: var_is_introduced;\n"
    "constraint int_le_imp(u,x,b);\nconstraint int_le_imp(x,u,b);",
}


@pytest.mark.parametrize("words", REFUSED)
def test_what_is_not_read_is_refused_by_its_line(words: str, tmp_path: Path) -> None:
    path = tmp_path / "model.fzn"
    path.write_text(f"{HEAD}{REFUSED[words]}\nsolve satisfy;\n")
    with pytest.raises(InputError) as caught:
        calmip.read_model(path)
    assert words in str(caught.value)
    assert caught.value.line is None or caught.value.line > HEAD.count("\n")


@pytest.mark.parametrize(
    "constraint",
    [
        "float_ne(f,1.0)",
        "float_lt(f,1.0)",
        "float_lt_reif(f,1.0,b)",
        "float_le_reif(f,1.0,b)",
        "float_eq_reif(f,1.0,b)",
        "float_ne_imp(f,1.0,b)",
        "float_lin_ne([1.0],[f],1.0)",
        "set_in_reif(f,{0,2},b)",
        "set_in_reif(f,{0,2},false)",
    ],
)
def test_a_real_number_is_never_strictly_beside_another(constraint: str, tmp_path: Path) -> None:
    path = tmp_path / "model.fzn"
    path.write_text(f"{HEAD}var -9.0..9.0: f;\nconstraint {constraint};\nsolve satisfy;\n")
    with pytest.raises(InputError, match="strict inequality of real numbers"):
        calmip.read_model(path)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (HEAD, "is cut: the item solve is missing"),
        (HEAD + "solve satisfy", "not ';'"),
        (HEAD + "solve satisfy;\nsolve satisfy;", "a second item solve"),
        (HEAD + "solve minimise x;", "not satisfy, minimize or maximize"),
        ("array [1..2] of var int: z;\nsolve satisfy;", "'z' has no elements"),
        ("int: n;\nsolve satisfy;", "'n' has no value"),
    ],
)
def test_a_file_that_is_no_flatzinc(text: str, words: str, tmp_path: Path) -> None:
    path = tmp_path / "model.fzn"
    path.write_text(text)
    with pytest.raises(InputError) as caught:
        calmip.read_model(path)
    assert words in str(caught.value)


MODELS = {
    "maxima": """array[1..3] of var 1..4: x; var bool: b; var 0..10: m;
        constraint m = max(x); constraint b <-> x[1] + x[2] <= 3; constraint x[1] != x[3];
        constraint abs(x[1] - x[2]) <= 2; constraint b \\/ x[3] = 2; solve satisfy;""",
    "queens": """include "alldifferent.mzn"; array[1..5] of var 1..5: q;
        constraint alldifferent(q);
        constraint alldifferent([q[i] + i | i in 1..5]);
        constraint alldifferent([q[i] - i | i in 1..5]); solve satisfy;""",
    "knapsack": """array[1..4] of var 0..2: k; var int: worth = sum(i in 1..4)((i + 2) * k[i]);
        constraint sum(i in 1..4)(i * k[i]) <= 7; constraint worth >= 9; solve satisfy;""",
    "element": """var 1..4: i; var 1..4: j; array[1..4] of int: d = [2, 7, 1, 8];
        constraint d[i] + d[j] in {3, 8, 9, 16}; solve satisfy;""",
    "variable_element": """array[1..3] of var 0..2: a; var 1..3: p;
        constraint a[p] = 2; constraint sum(a) = 3; solve satisfy;""",
    "holes": """var {1, 3, 4, 7}: x; var {0, 2, 7}: y; constraint x > y \\/ x + y = 14;
        solve satisfy;""",
    "logic": """var bool: p; var bool: q; var bool: r; var 0..3: n;
        constraint (p xor q) <-> r; constraint n = bool2int(p) + 2 * bool2int(q);
        constraint not (p /\\ r) \\/ n >= 2; solve satisfy;""",
    "matrix": """array[1..2, 1..3] of var 0..1: m; constraint forall(i in 1..2)(sum(row(m, i)) = 1);
        constraint exists(j in 1..3)(m[1, j] + m[2, j] = 2); solve satisfy;""",
    "schedule": """array[1..3] of var 0..4: s; array[1..3] of int: d = [2, 1, 2];
        constraint forall(i, j in 1..3 where i < j)(s[i] + d[i] <= s[j] \\/ s[j] + d[j] <= s[i]);
        constraint forall(i in 1..3)(s[i] + d[i] <= 5); solve satisfy;""",
    "counts": """include "count.mzn"; array[1..4] of var 1..3: c; var 0..4: n;
        constraint n = count(c, 2); constraint c[1] <= c[2]; constraint min(c) = 1;
        constraint n >= 1; solve satisfy;""",
}


def run(*command: Any) -> str:
    return subprocess.run(
        list(map(str, command)), capture_output=True, text=True, check=True
    ).stdout


@pytest.mark.long
@pytest.mark.parametrize("library", ["std", "linear"])
@pytest.mark.parametrize("name", MODELS)
def test_all_solutions_beside_gecode(name: str, library: str, tmp_path: Path) -> None:
    if shutil.which("minizinc") is None:
        missing("minizinc")
    source, flat = tmp_path / "model.mzn", tmp_path / "model.fzn"
    source.write_text(MODELS[name])
    run("minizinc", "--compile", "-G", library, source, "--fzn", flat)
    pool = calmip.enumerate(calmip.read_model(flat))
    text = run("minizinc", "--solver", "gecode", "-a", "--output-mode", "json", source)
    wanted = {
        json.dumps(json.loads(one), sort_keys=True)
        for one in text.replace("==========", "").split("----------")
        if one.strip()
    }
    assert len(wanted) >= 3
    assert len(pool.values) == len(wanted)
    if library == "std":  # the other one renames truth values
        assert {written(values, wanted) for values in pool.values} == wanted


def written(values: Any, like: set[str]) -> str:
    """Return a solution as MiniZinc writes it."""
    example = json.loads(next(iter(like)))

    def fill(name: str, one: Any, place: tuple[int, ...] = ()) -> Any:
        if isinstance(one, list):
            return [fill(name, each, (*place, n)) for n, each in enumerate(one, start=1)]
        value = values[f"{name}[{','.join(map(str, place))}]" if place else name]
        return bool(value) if isinstance(one, bool) else value

    return json.dumps({name: fill(name, one) for name, one in example.items()}, sort_keys=True)


@pytest.mark.long
def test_a_point_is_not_judged_where_its_time_runs_out(tmp_path: Path) -> None:
    """The auxiliary columns of two equations with no solution need a search of hours."""
    rng, names = random.Random(5), [f"h{n}" for n in range(40)]
    lines = [
        "var 0..3: x:: output_var;",
        *(f"var 0..1: {name}:: is_defined_var;" for name in names),
    ]
    for _ in range(5):
        factors = [rng.randrange(100) for _ in names]
        every, half = ",".join(["x", *names]), sum(factors) // 2
        lines.append(f"constraint int_lin_eq({[1, *factors]},[{every}],{half});")
    (path := tmp_path / "m.fzn").write_text("\n".join([*lines, "solve satisfy;\n"]))
    model, clock = calmip.read_model(path), Deadline(5)
    verdict = calmip.check(model, {"x": 1}, time_limit=0.05)
    assert (verdict.status, verdict.violations) == (Status.UNKNOWN, ())
    assert "was not known in time" in verdict.reasons[0]
    outside = calmip.check(model, {"x": 4}, time_limit=0.05)
    assert outside.status is Status.REFUSED
    assert calmip.unique(model, time_limit=0.05).unique is None
    assert calmip.enumerate(model, time_limit=0.05).stopped == "time"
    assert calmip.compare(model, model, time_limit=0.05).feasible_set != "different"
    assert find_nearest(model, {0: 4}, clock=Deadline(0.05)) is None
    assert not clock.over


def test_no_search_judges_a_point_with_values_of_auxiliary_columns(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (path := tmp_path / "m.fzn").write_text(
        "var 0..5: x:: output_var;\nvar 0..5: h:: is_defined_var;\n"
        "constraint int_lin_eq([1,-2],[x,h],1);\nconstraint int_lin_le([1,-1],[x,h],1);\n"
        "solve satisfy;\n"
    )
    model = calmip.read_model(path)
    assert model.violated({0: 3, 1: 1}) is not None
    monkeypatch.setattr(Projection, "decided", lambda *_: pytest.fail("it was searched"))
    assert list(calmip.enumerate(model).values) == [{"x": 1}]
    assert model.violated({0: 1, 1: 0}) is None
