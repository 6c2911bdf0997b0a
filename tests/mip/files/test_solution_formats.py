"""Every format of solution files: what is written is read, what is broken is refused.

A small writer of each format lives here; it takes the values as texts, so that
it can write nonsense too.
"""

import gzip
import json
import string
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from xml.sax.saxutils import quoteattr

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from calmip._base.errors import InputError
from calmip.mip.files.solutions import points as readings
from calmip.mip.files.solutions import read_solution
from calmip.mip.files.text_source import MAX_LINE, TextFile

Values = Mapping[str, str]


def lines(*parts: str) -> str:
    return "".join(part + "\n" for part in parts)


def highs_raw(values: Values) -> str:
    body = [f"{n} {v}" for n, v in values.items()]
    head = ["Model status", "Optimal", "", "# Primal solution values", "Feasible", "Objective 0"]
    return lines(
        *head,
        f"# Columns {len(body)}",
        *body,
        "# Rows 2",
        "c_00 1",
        "c_01 1",
        "",
        "# Dual solution values",
        "None",
    )


def highs_sparse(values: Values) -> str:
    body = [f"{n} {v} {i}" for i, (n, v) in enumerate(values.items())]
    head = ["Model status", "Optimal", "", "# Primal solution values", "Feasible", "Objective 0"]
    return lines(*head, f"# Columns -{len(body)}", *body)


def highs_pretty(values: Values) -> str:
    top = "    Index Status        Lower        Upper       Primal         Dual"
    body = [
        f"{i:9d}        {0:12d} {1:12d} {v:>12}               Integer     {n}"
        for i, (n, v) in enumerate(values.items())
    ]
    rows = "        0                   1            1            1               c_00"
    return lines(
        "Columns",
        f"{top}  Type        Name",
        *body,
        "Rows",
        f"{top}  Name",
        rows,
        "",
        "Model status: Optimal",
        "",
        "Objective value: 0",
    )


def cbc(values: Values) -> str:
    body = [f"{i:7d} {n:<20} {v:>15} {0:23d}" for i, (n, v) in enumerate(values.items())]
    return lines("Optimal - objective value 0.00000000", *body)


def scip(values: Values) -> str:
    body = [f"{n:<40} {v:>20} \t(obj:0)" for n, v in values.items()]
    return lines("solution status: optimal solution found", "objective value:     0", *body)


def gurobi(values: Values) -> str:
    body = [f"{n} {v}" for n, v in values.items()]
    return lines("# Solution for model calmip", "# Objective value = 0", *body)


def gurobi_json(values: Values) -> str:
    # Numbers stand bare, so that nonsense is nonsense.
    body = ", ".join(f'{{"VarName": {json.dumps(n)}, "X": {v}}}' for n, v in values.items())
    return f'{{"SolutionInfo": {{"Status": 2, "ObjVal": 0}}, "Vars": [{body}]}}\n'


def copt(values: Values) -> str:
    return lines(
        "# Objective value 0",
        *(f"{n:<10}{v:>5}" if len(n) < 10 else f"{n} {v}" for n, v in values.items()),
    )


def miplib(values: Values) -> str:
    return lines("=obj= 0", *(f"{n}\t{v}" for n, v in values.items()))


def cplex(values: Values) -> str:
    body = [
        f'  <variable name={quoteattr(n)} index="{i}" value={quoteattr(v)}/>'
        for i, (n, v) in enumerate(values.items())
    ]
    return lines(
        '<?xml version = "1.0" encoding="UTF-8" standalone="yes"?>',
        '<CPLEXSolution version="1.2">',
        ' <header solutionStatusValue="101" solutionStatusString="integer optimal solution"/>',
        " <variables>",
        *body,
        " </variables>",
        "</CPLEXSolution>",
    )


def xpress(values: Values) -> str:
    return lines(
        "NAME          calmip", *(f"  C {n:<20}{v:>20}" for n, v in values.items()), "ENDATA"
    )


def glpk_text(values: Values) -> str:
    rule = "------ ------------    ------------- ------------- -------------"
    body = []
    for i, (n, v) in enumerate(values.items(), start=1):
        if len(n) > 12:
            body += [f"{i:6d} {n}", f"{'':20}*  {v:>13} {0:13d} {1:13d}"]
        else:
            body.append(f"{i:6d} {n:<12} *  {v:>13} {0:13d} {1:13d}")
    return lines(
        "Problem:    calmip",
        "Rows:       1",
        f"Columns:    {len(values)} (all integer)",
        "Non-zeros:  3",
        "Status:     INTEGER OPTIMAL",
        "Objective:  OBJ = 0 (MINimum)",
        "",
        "   No.   Row name        Activity     Lower bound   Upper bound",
        rule,
        "     1 c_00                        1             1             = ",
        "",
        "   No. Column name       Activity     Lower bound   Upper bound",
        rule,
        *body,
        "",
        "Integer feasibility conditions:",
        "",
        "End of output",
    )


def glpk_raw(values: Values) -> str:
    body = [f"j {i} {v}" for i, v in enumerate(values.values(), start=1)]
    return lines("c Problem:    calmip", "c", f"s mip 1 {len(body)} o 0", "i 1 1", *body, "e o f")


@dataclass(frozen=True)
class Format:
    """A format's writer, the claim in what it writes, and whether a cut file shows."""

    write: Callable[[Values], str]
    claim: str
    ends: bool
    named: bool = True


FORMATS = {
    "HiGHS raw": Format(highs_raw, "optimal", True),
    "HiGHS sparse": Format(highs_sparse, "optimal", True),
    "HiGHS pretty": Format(highs_pretty, "optimal", True),
    "CBC": Format(cbc, "optimal", False),
    "SCIP": Format(scip, "optimal", False),
    "Gurobi": Format(gurobi, "feasible", False),
    "Gurobi JSON": Format(gurobi_json, "optimal", True),
    "COPT": Format(copt, "feasible", False),
    "MIPLIB": Format(miplib, "feasible", False),
    "CPLEX": Format(cplex, "optimal", True),
    "Xpress": Format(xpress, "feasible", True),
    "GLPK text": Format(glpk_text, "optimal", True),
    "GLPK raw": Format(glpk_raw, "optimal", True, named=False),
}

POINT = {"U_b30": "1", "a_long_name_of_a_column": "0", "V_a00": "0.25", "r_Feb": "1e-09", "Z": "1"}

LETTERS = string.ascii_letters + "_"
names = st.builds(
    str.__add__,
    st.sampled_from(LETTERS),
    st.text(LETTERS + string.digits + ".", max_size=24),
)
# HiGHS's pretty style rounds to six digits in twelve places.
numbers = (
    st.floats(-1e90, 1e90)
    .filter(lambda v: v == 0 or abs(v) > 1e-90)
    .map(lambda v: float(f"{v:.6g}"))
)
points = st.dictionaries(names, numbers, min_size=1, max_size=12)


@pytest.fixture(params=FORMATS)
def kind(request: pytest.FixtureRequest) -> Format:
    return FORMATS[request.param]


def read(folder: Path, text: str | bytes, columns: tuple[str, ...] | None = None, **how: bool):
    path = folder / "answer"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return read_solution(path, columns, **how)


@pytest.mark.long
@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40, deadline=None
)
@given(point=points)
def test_what_is_written_is_read(point: dict[str, float], kind: Format, tmp_path: Path) -> None:
    printed = {name: f"{value:.6g}" for name, value in point.items()}
    text = kind.write(printed)
    for data in (text.encode(), text.replace("\n", "\r\n").encode(), gzip.compress(text.encode())):
        solution = read(tmp_path, data, tuple(point))
        assert solution.claim == kind.claim
        assert solution.values == {name: Fraction(text) for name, text in printed.items()}


TEXTS = st.one_of(
    st.from_regex(
        r"[+-]?([0-9]{1,25}\.?[0-9]{0,25}|\.[0-9]{1,5})([eEdD][+-]?[0-9]{1,2})?", fullmatch=True
    ),
    st.sampled_from(
        [
            "1/3",
            "-0",
            "0.000",
            "+7",
            "-12/4",
            "0" * 320,
            "3.14159265358979311",
            "1" + "0" * 290 + ".5",
        ]
    ),
)
PRECISIONS = (
    readings.EXACT,
    readings.DOUBLE,
    readings.HIGHS,
    readings.CBC,
    readings.TABLE,
)


@given(
    st.lists(TEXTS, max_size=8),
    st.sampled_from(
        [readings.EXACT, readings.DOUBLE, readings.HIGHS, readings.CBC, readings.TABLE]
    ),
    st.integers(1, 3),
)
def test_plain_decimals_are_read_as_any_number(
    texts: list[str], precision: readings.Precision, most: int
) -> None:
    source = TextFile("answer", ())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(readings, "MAX_KNOWN", most)
        found = readings.Values(source, precision)
        for number, text in enumerate(texts + texts):
            found.add(f"x{number}", text, number + 1)
    numbers = {f"x{number}": text for number, text in enumerate(texts + texts)}
    assert found.values == {name: source.exact(text, 1) for name, text in numbers.items()}
    halves = {n: 0 if "/" in text else precision.spread(text) for n, text in numbers.items()}
    assert found.spread == {name: half for name, half in halves.items() if half}
    if texts:
        with pytest.raises(InputError, match=r"answer:99: 'x0' has a value on line 1 already"):
            found.add("x0", "1", 99)


def test_a_list_with_an_exponent_has_the_digits_of_its_longest_number(tmp_path: Path) -> None:
    numbers = ["1.23456789e+09", "7", *(f"12345{n}.5" for n in range(1, 10))]
    found = read(tmp_path, "".join(f"x{n} {text}\n" for n, text in enumerate(numbers)))
    precision = readings.Precision(9)
    assert found.spread == {f"x{n}": precision.spread(text) for n, text in enumerate(numbers)}


def test_a_long_answer_on_one_line_is_read(tmp_path: Path) -> None:
    """As Gurobi and calmip write their JSON."""
    names = [f"x{number}" for number in range(8000)]
    some = [{"VarName": name, "X": 0.5} for name in names]
    gurobi = {"SolutionInfo": {"Status": 2, "ObjVal": 0}, "Vars": some}
    own = {"status": "optimal", "solution": {"values": dict.fromkeys(names, "1/2")}}
    for document in (gurobi, own):
        text = json.dumps(document)
        assert len(text) > MAX_LINE
        assert read(tmp_path, text).values == dict.fromkeys(names, Fraction(1, 2))


NUMBERS = ["nan", "NaN", "inf", "-Infinity", "1e999", "1_0", "0x1", "one", "1,0"]


@pytest.mark.parametrize("number", NUMBERS)
def test_what_is_no_number_is_refused(kind: Format, number: str, tmp_path: Path) -> None:
    text = kind.write({**POINT, "V_a00": number})
    with pytest.raises(
        InputError, match=r"where the value of 'V_a00' should stand|not valid JSON|not a variable"
    ):
        read(tmp_path, text, tuple(POINT))


def test_a_name_that_comes_twice_is_refused(kind: Format, tmp_path: Path) -> None:
    text = kind.write(POINT)
    twice = text.replace("j 3 ", "j 1 ") if not kind.named else text.replace("V_a00", "U_b30")
    with pytest.raises(InputError, match="'U_b30' has a value on line"):
        read(tmp_path, twice, tuple(POINT))


def test_a_cut_file_is_refused_or_gives_what_is_left(kind: Format, tmp_path: Path) -> None:
    text = kind.write(POINT)
    whole = {name: Fraction(value) for name, value in POINT.items()}
    # The last line of a table may be complete without what follows it.
    needed = len(text.rstrip())
    if kind.write is highs_raw:
        needed = text.index("c_01 1")
    refused = 0
    for end in [*range(0, len(text) - 60, 3), *range(len(text) - 60, len(text))]:
        try:
            solution = read(tmp_path, text[:end], tuple(POINT))
        except InputError:
            refused += 1
            continue
        if end < needed and kind.ends:
            # A number cut short is still a number; only the very last one may be.
            assert text[end:needed].isdigit() or text[end:needed].strip() in ("", "0", "00"), end
        shown = list(solution.values.items())
        assert shown[:-1] == [(n, whole[n]) for n, _ in shown[:-1]]
    assert refused > 10


def test_a_line_of_another_kind_is_refused(kind: Format, tmp_path: Path) -> None:
    text = kind.write(POINT)
    mark = "V_a00" if kind.named else "j 3 0.25"
    assert text.count(mark) == 1
    at = text.index(mark)
    start, end = text.rfind("\n", 0, at) + 1, text.index("\n", at) + 1
    for junk in ("what is this doing here then\n", "\x1b[2J\n", "<html>\n", "{\n"):
        broken = text[:start] + junk + text[end:]
        with pytest.raises(InputError) as caught:
            read(tmp_path, broken, tuple(POINT))
        assert "\x1b" not in str(caught.value)


@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60, deadline=None
)
@given(data=st.data())
def test_damage_gives_an_error_or_a_finite_point(
    data: st.DataObject, kind: Format, tmp_path: Path
) -> None:
    text = kind.write(POINT)
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(text)))
        end = data.draw(st.integers(start, min(len(text), start + 20)))
        text = text[:start] + data.draw(st.text(max_size=8)) + text[end:]
    try:
        solution = read(tmp_path, text.encode("utf-8", "replace"), tuple(POINT))
    except InputError as error:
        assert str(error).startswith(str(tmp_path))
    else:
        assert all(abs(value) < float("inf") for value in solution.values.values())


HIGHS = "Model status\nOptimal\n\n# Primal solution values\nFeasible\nObjective 0\n"


WRONG = [
    ("hello world\n", "which no known format does: HiGHS"),
    ("5 5 : Number of columns and rows for primal or dual solution or basis\n", "style 0"),
    ("# Objective value = 0\n", "gives no values; is it cut"),
    ("=obj= 0\n", "gives no values; is it cut"),
    ("=obj=\n", "holds no values; is it cut"),
    ("NAME\nENDATA\n", "holds no values; is it cut"),
    ("=infeas=\nx 1\n", "says =infeas= and yet gives values"),
    ("=obj= 0\nx 1\n=obj= 0\n", "answer:3: found =obj= after =obj="),
    ("objective value: 0\nx 1\nobjective value: 0\n", "answer:3: a second solution starts"),
    ("no solution available\nx 1\n", "answer:2: found 'x 1'"),
    ("Optimal - objective value 0\n", "says 'Optimal' and gives no values; is it cut"),
    ("Optimal - objective value zero\n", "answer:1: found 'zero'"),
    ("Optimal - objective value 0\n\n 0 x one 0\n", "answer:3: found 'one'"),
    ("NAME\n C x 1\nNAME\n", "answer:3: a second solution starts"),
    ("NAME\n C x 1\nENDATA\n C y 1\n", "answer:4: found ' C y 1' after ENDATA"),
    ("NAME\nROWS\n N OBJ\n", "answer:2: found 'ROWS', not 'C name value'"),
    ("s bas 1 1 f f 0\n", "an answer to the relaxation is not an answer"),
    ("c Problem: x\ns \n", "answer:2: found 's ', not 's mip rows columns status objective'"),
    ("c Problem: x\ns foo 1 5 o 0\n", "answer:2: found 's foo 1 5 o 0', not 's mip rows"),
    ("s mip 1 9 o 0\n", "is about 9 columns, and the model has 5; is it the answer to another"),
    ("s mip 1 5 x 0\n", "found the status 'x'"),
    (highs_pretty({"x": "1" * 16}), "answer:3: found '.*', which does not fit its headings"),
    (highs_pretty({"x": "1", "y": ""}), "answer:2: 1 columns have no value"),
    ("s mip 1 5 o 0\nj 6 1\ne o f\n", "answer:2: there is no column 6"),
    ("s mip 1 5 o 0\nj 1 1\ne o f\n", "lists 1 of 5 columns"),
    ("<html><body/></html>", "no known format"),
    ("<?xml version='1.0'?><html/>", "answer:1: is XML of another kind: .<html>"),
    ("<CPLEXSolutions/>", "holds no CPLEXSolution"),
    ('{"a":\n' * 100_000, "is nested too deeply"),
    ("<CPLEXSolution/><!-- ", r"is not valid XML: .* \(is it cut\?\)$"),
    ("<CPLEXSolution></header>", "answer:1: is not valid XML: mismatched tag$"),
    ("<CPLEXSolution>\n<variable name='x'/>", "answer:2: a <variable> has no name or no value"),
    ("{}", "JSON without Gurobi's SolutionInfo"),
    ('{"status": "feasible", "tilings": [1]}', "is not a result as calmip solve writes it"),
    ('{"status": "feasible", "tilings": [{}, {}]}', "holds 2 tilings; keep one in the file"),
    ('{"status": "optimal", "solution": {"values": {"x": "one"}}}', "answer:1: found 'one'"),
    ('{"status": "optimal", "solution": {"ones": ["x", "x"]}}', "'x' has a value on line 1"),
    ('{"SolutionInfo": {"Status": 2}, "Vars": [1]}', "not a variable with a VarName"),
    (
        '{"SolutionInfo": {"Status": 2}, "Vars": [{"VarName": "x", "X": "one"}]}',
        "answer:1: found 'one'",
    ),
    ('{"SolutionInfo": {"Status": 2}, "Vars": 7}', "its 'Vars' is not a list"),
    ("{" * 10, "is not valid JSON"),
    ('{"a":' * 50_000, "is nested too deeply|is not valid JSON|a line of over"),
    (HIGHS + "# Columns 99999999999\n", "answer:7: found"),
    (HIGHS.replace("Feasible", "Maybe"), "answer:5: found 'Maybe', not Feasible, Infeasible or N"),
    (HIGHS + "# Columns 999999\n", "is cut"),
    (HIGHS.replace("Objective 0", "# Columns 1"), "answer:6: found .*, not the objective"),
    (HIGHS.replace("Objective", "Goal"), "answer:6: found 'Goal 0', not the objective"),
]


@pytest.mark.parametrize("ending", [".yaml", ".YML"])
def test_an_instance_is_not_an_answer(ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"feb29{ending}"
    path.write_text(Path("instances/feb29.yaml").read_text())
    with pytest.raises(InputError, match="is a puzzle or an instance, not an answer; name a sol"):
        read_solution(path)


def test_zeros_and_fractions_of_calmip_itself_are_read(tmp_path: Path) -> None:
    nothing = read(tmp_path, '{"status": "optimal", "solution": {"values": {}}}')
    assert (nothing.claim, nothing.values) == ("optimal", {})
    half = read(tmp_path, '{"status": "optimal", "solution": {"values": {"x": "1/4", "y": 0.5}}}')
    assert half.values == {"x": 0.25, "y": 0.5}


@pytest.mark.parametrize(("text", "fault"), WRONG, ids=[fault for _, fault in WRONG])
def test_what_is_wrong_is_said(text: str, fault: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=fault):
        read(tmp_path, text, tuple(POINT))


CPLEX = '<CPLEXSolution version="1.2"><header solutionStatusValue="{}"/>{}</CPLEXSolution>'
VARIABLE = '<variables><variable name="x" value="1"/></variables>'
RAW = "Model status\n{}\n\n# Primal solution values\n"
ONE = "Objective 0\n# Columns 1\nx 1\n# Rows 0\n"

# What other statuses claim, and whether the point that follows them is kept.
CLAIMS = {
    "CPLEX infeasible": (CPLEX.format(103, VARIABLE), "infeasible", False),
    "CPLEX unbounded": (CPLEX.format(118, VARIABLE), "unbounded", False),
    "CPLEX stopped": (CPLEX.format(107, VARIABLE), "feasible", True),
    "CPLEX empty": (CPLEX.format(108, ""), "unknown", False),
    "Gurobi infeasible": ('{"SolutionInfo": {"Status": 3}}', "infeasible", False),
    "Gurobi either": ('{"SolutionInfo": {"Status": 4}}', "infeasible", False),
    "Gurobi unbounded": ('{"SolutionInfo": {"Status": 5}}', "unbounded", False),
    "Gurobi stopped": (
        '{"SolutionInfo": {"Status": 9}, "Vars": [{"VarName": "x", "X": 1}]}',
        "feasible",
        True,
    ),
    "CPLEX stopped at a relaxation": (CPLEX.format(108, VARIABLE), "unknown", False),
    "CPLEX iterate": (
        CPLEX.replace("/>", ' primalFeasible="0"/>').format(11, VARIABLE),
        "unknown",
        False,
    ),
    "Gurobi without a solution": (
        '{"SolutionInfo": {"Status": 9, "SolCount": 0}, "Vars": [{"VarName": "x"}]}',
        "unknown",
        False,
    ),
    "Gurobi empty": ('{"SolutionInfo": {"Status": 9}}', "unknown", False),
    "calmip infeasible": ('{"status": "infeasible", "tilings": []}', "infeasible", False),
    "calmip infeasible model": ('{"status": "infeasible", "solution": null}', "infeasible", False),
    "calmip stopped": ('{"status": "unknown", "tilings": []}', "unknown", False),
    "calmip optimal": ('{"status": "optimal", "solution": {"ones": ["x"]}}', "optimal", True),
    "CBC stopped": ("Stopped on time - objective value 0\n 0 x 1 0\n", "feasible", True),
    "CBC relaxation": (
        "Stopped on time (no integer solution - continuous used) - objective value 0\n 0 x 1 0\n",
        "unknown",
        False,
    ),
    "CBC iterate": (
        "Stopped on iterations - objective value 0\n** 0 x 1 0\n",
        "unknown",
        False,
    ),
    "CBC with an empty line": ("Optimal - objective value 0\n\n 0 x 1 0\n", "optimal", True),
    "CBC infeasible point": ("Optimal - objective value 0\n** 0 x 1 0\n", "optimal", True),
    "HiGHS stopped": (RAW.format("Time limit reached") + "Feasible\n" + ONE, "feasible", True),
    "HiGHS infeasible point": (RAW.format("Optimal") + "Infeasible\n" + ONE, "unknown", True),
    "HiGHS iterate": (
        RAW.format("Iteration limit reached") + "Infeasible\n" + ONE,
        "unknown",
        False,
    ),
    "HiGHS pretty iterate": (
        highs_pretty({"x": "1"}).replace("Optimal", "Time limit reached").replace("Type", "    "),
        "unknown",
        False,
    ),
    "HiGHS infeasible": (RAW.format("Infeasible") + "Infeasible\n" + ONE, "infeasible", False),
    "SCIP stopped": (
        "solution status: time limit reached\nno solution available\n",
        "unknown",
        False,
    ),
    "SCIP either": (
        "solution status: infeasible or unbounded\nno solution available\n",
        "infeasible",
        False,
    ),
    "MIPLIB unknown": ("=unkn=\n", "unknown", False),
    "MIPLIB comments": ("# from elsewhere\n=obj= 0\n\nx 1\n", "feasible", True),
    "GLPK feasible": ("s mip 1 1 f 0\nj 1 1\ne o f\n", "feasible", True),
    "GLPK undefined": ("s mip 1 1 u 0\ne o f\n", "unknown", False),
    "GLPK undefined point": ("s mip 1 1 u 0\nj 1 1\ne o f\n", "unknown", False),
    "GLPK undefined table": (
        glpk_text({"x": "1"}).replace("INTEGER OPTIMAL", "INTEGER UNDEFINED"),
        "unknown",
        False,
    ),
    "GLPK basis": ("s bas 1 1 f f 0\nj 1 b 1 0\ne o f\n", "optimal", True),
    "GLPK basis, not optimal": ("s bas 1 1 f u 0\nj 1 b 1 0\ne o f\n", "feasible", True),
    "GLPK basis, infeasible": ("s bas 1 1 n f 0\nj 1 b 1 0\ne o f\n", "infeasible", False),
    "GLPK basis, unbounded": ("s bas 1 1 f n 0\nj 1 b 1 0\ne o f\n", "unbounded", False),
    "GLPK iterate": ("s bas 1 1 i f 0\nj 1 b 1 0\ne o f\n", "unknown", False),
    "GLPK interior point": ("s ipt 1 1 o 0\nj 1 1 0\ne o f\n", "optimal", True),
    "a plain list": ("x 1\n", "feasible", True),
}


@pytest.mark.parametrize("name", CLAIMS)
def test_statuses_claim_what_they_mean(name: str, tmp_path: Path) -> None:
    text, claim, kept = CLAIMS[name]
    solution = read(tmp_path, text, ("x",), linear=True)
    assert solution.claim == claim
    assert solution.values == ({"x": 1} if kept else {})


@pytest.mark.parametrize(
    ("text", "claim", "either"),
    [
        *[(CPLEX.format(number, ""), "infeasible", False) for number in (3, 103)],
        *[(CPLEX.format(number, ""), "infeasible", True) for number in (4, 119)],
        *[(CPLEX.format(number, ""), "unbounded", False) for number in (2, 118)],
        ('{"SolutionInfo": {"Status": 3}}', "infeasible", False),
        ('{"SolutionInfo": {"Status": 4}}', "infeasible", True),
        ('{"SolutionInfo": {"Status": 5}}', "unbounded", False),
        ("solution status: infeasible\nno solution available\n", "infeasible", False),
        ("solution status: infeasible or unbounded\nno solution available\n", "infeasible", True),
        (RAW.format("Infeasible") + "None\n", "infeasible", False),
        (RAW.format("Primal infeasible or unbounded") + "None\n", "infeasible", True),
        (RAW.format("Unbounded") + "None\n", "unbounded", False),
    ],
)
def test_infeasible_or_unbounded_is_not_infeasible_alone(
    text: str, claim: str, either: bool, tmp_path: Path
) -> None:
    solution = read(tmp_path, text, ("x",), linear=True)
    assert (solution.claim, solution.either, solution.values) == (claim, either, {})


# The digits that each format prints: the text of a value, and half a unit of its last digit.
SPREADS = {
    "HiGHS raw": ("2.5", Fraction(1, 2 * 10**13)),
    "HiGHS sparse": ("123456.7", Fraction(1, 2 * 10**9)),
    "HiGHS pretty": ("1.23457e+07", Fraction(50)),
    "CBC": ("1.2345679e+08", Fraction(5)),
    "SCIP": ("2.5", Fraction(1, 2 * 10**14)),
    "Gurobi": ("1.2345679e+08", Fraction(5)),
    "Gurobi JSON": ("2.5", Fraction(1, 2 * 10**14)),
    "COPT": ("2.5", Fraction(1, 2 * 10**14)),
    "MIPLIB": ("1e+08", Fraction(500)),
    "CPLEX": ("0.333333333333333", Fraction(1, 2 * 10**15)),
    "Xpress": ("12345678901234567", Fraction(1, 2)),
    "GLPK text": ("2.5", Fraction(1, 2 * 10**5)),
    "GLPK raw": ("1.23456789012346e+17", Fraction(500)),
}


@pytest.mark.parametrize("name", SPREADS)
def test_the_printed_digits_say_what_a_value_can_be(name: str, tmp_path: Path) -> None:
    text, spread = SPREADS[name]
    found = read(tmp_path, FORMATS[name].write({"x": text, "y": "1"}), ("x", "y"))
    assert (found.values["x"], found.spread["x"]) == (Fraction(text), spread)


@pytest.mark.long
@given(
    st.floats(1e-9, 1e17), st.sampled_from([("GLPK text", ".6g"), ("CBC", ".8g"), ("SCIP", ".15g")])
)
@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=200, deadline=None
)
def test_what_was_printed_lies_within_its_digits(
    tmp_path: Path, number: float, how: tuple[str, str]
) -> None:
    found = read(tmp_path, FORMATS[how[0]].write({"x": f"{number:{how[1]}}", "y": "1"}))
    assert abs(Fraction(number) - found.values["x"]) <= found.spread["x"]


@pytest.mark.parametrize(
    ("line", "letters"),
    [
        ("s mip 1 1 x 0", "o, f, n, u"),
        ("s ipt 1 1 x 0", "o, n, i, u"),
        ("s bas 1 1 f x 0", "f f, f i, f n, f u, .*, u u"),
    ],
)
def test_a_status_that_glpk_does_not_write_is_refused(
    line: str, letters: str, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match=f"answer:1: found the status '.*x'; it is {letters}$"):
        read(tmp_path, f"{line}\ne o f\n", ("x",), linear=True)


@pytest.mark.parametrize(
    ("status", "claim", "kept"),
    [
        ("INTEGER OPTIMAL", "optimal", True),
        ("INTEGER NON-OPTIMAL", "feasible", True),
        ("INTEGER EMPTY", "infeasible", False),
        ("INTEGER UNDEFINED", "unknown", False),
        ("OPTIMAL", "optimal", True),
        ("FEASIBLE", "feasible", True),
        ("INFEASIBLE (FINAL)", "infeasible", False),
        ("INFEASIBLE (INTERMEDIATE)", "unknown", False),
        ("UNBOUNDED", "unbounded", False),
        ("UNDEFINED", "unknown", False),
    ],
)
def test_a_table_of_glpk_claims_what_its_status_says(
    status: str, claim: str, kept: bool, tmp_path: Path
) -> None:
    text = glpk_text({"x": "1"}).replace("INTEGER OPTIMAL", status)
    solution = read(tmp_path, text.replace("OBJ = 0", "OBJ = 7.5"), ("x",), linear=True)
    assert (solution.claim, solution.values) == (claim, {"x": 1} if kept else {})
    assert solution.linear is not status.startswith("INTEGER")
    assert solution.objective == (7.5 if kept else None)
    bare = read(tmp_path, text.replace("OBJ = 0", ""), ("x",), linear=True)
    assert (bare.claim, bare.objective) == (claim, None)


def test_columns_without_names_need_names(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="numbers its columns instead of naming them"):
        read(tmp_path, glpk_raw(POINT))


def test_xml_entities_are_never_expanded(tmp_path: Path) -> None:
    laughs = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
    for inside in (f'<!ENTITY l0 "ha">{laughs}', '<!ENTITY l9 SYSTEM "file:///etc/passwd">'):
        text = (
            f'<?xml version="1.0"?>\n<!DOCTYPE x [{inside}]>\n<CPLEXSolution>&l9;</CPLEXSolution>'
        )
        with pytest.raises(InputError, match="declares a document type"):
            read(tmp_path, text)


def test_what_highs_prints_first_though_it_is_silent_is_no_part_of_an_answer(
    tmp_path: Path,
) -> None:
    """Version 1.16 begins the stdout of a program that calls it through PuLP so."""
    banner = (
        "Running HiGHS 1.16.0 (git hash: f3f113d): Copyright (c) 2026 under MIT licence terms\n"
        "Includes third-party software components, see THIRD_PARTY_NOTICES.md for full details\n"
    )
    path = tmp_path / "a.sol"
    path.write_text(f"{banner}x 1\ny 2\n")
    assert dict(read_solution(path).values) == {"x": 1, "y": 2}
    path.write_text(f"{banner}x 1\ny\n")
    with pytest.raises(InputError, match="4"):
        read_solution(path)
    path.write_text(banner)
    with pytest.raises(InputError):
        read_solution(path)
