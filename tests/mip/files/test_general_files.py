"""General models: integer and continuous variables with any bounds, written and read back.

HiGHS is the referee: it reads each file with the same arrays.
"""

import math
from array import array
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import highspy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from peers import ours, referee

import calmip
from benchmarks.model_files import compare
from calmip._base.errors import InputError
from calmip.cli import main
from calmip.mip.defined import definitions, project
from calmip.mip.files.model_files import read_model, write_model
from calmip.mip.model import Model, inexact
from calmip.mip.one_tree import OneTree

INF = math.inf
ARRAYS = ("value", "lower", "upper", "cost", "column_lower", "column_upper", "integer")


def facts(model: Model) -> list[object]:
    """Return what two equal models share; the constant is that of the minimised objective."""
    sizes = dict(zip(ARRAYS, (len(model.values(name)) for name in ARRAYS), strict=True))
    exact = [model.numbers(name, range(sizes[name])) for name in ARRAYS]
    constant = -model.constant if model.maximise else model.constant
    shape = [model.columns, model.rows, model.values("start"), model.values("index"), constant]
    return [*shape, *exact]


numbers = st.one_of(
    st.integers(-9, 9),
    st.fractions(-50, 50).map(lambda f: Fraction(round(f * 1000), 1000)),
    st.sampled_from(
        [
            Fraction("0.1"),
            Fraction("1.00000000000000000000001"),
            Fraction("1E-8"),
            Fraction(1, 2**20),
        ]
    ),
)
nonzero = numbers.filter(bool)


@st.composite
def general_models(draw: st.DrawFn, *, ranges: bool = True) -> Model:
    """Draw a small model in which no row has two infinite bounds."""
    names = [f"x{number}" for number in range(draw(st.integers(1, 5)))]
    whole, low, high = [], [], []
    for _ in names:
        integer = draw(st.booleans())
        number = st.integers(-9, 9) if integer else numbers
        ends = sorted((draw(number), draw(number)))
        whole.append(integer)
        low.append(draw(st.sampled_from([ends[0], -INF, 0 if ends[1] >= 0 else -INF])))
        high.append(draw(st.sampled_from([ends[1], INF, ends[0] if low[-1] == ends[0] else INF])))
    terms = [
        draw(st.dictionaries(st.integers(0, len(names) - 1), nonzero))
        for _ in range(draw(st.integers(0, 4)))
    ]
    sides: list[tuple[float | int | Fraction, float | int | Fraction]] = []
    for _ in terms:
        one, two = sorted((draw(numbers), draw(numbers)))
        sides.append(
            draw(
                st.sampled_from(
                    [(one, one), (-INF, two), (one, INF), (one, two if ranges else one)]
                )
            )
        )
    cost = [draw(numbers) for _ in names]
    constant = draw(numbers)
    value = [each for some in terms for _, each in sorted(some.items())]

    return Model.from_rows(
        names,
        [
            (f"r{number}", {c: float(some[c]) for c in sorted(some)}, float(one), float(two))
            for number, (some, (one, two)) in enumerate(zip(terms, sides, strict=True))
        ],
        [float(each) for each in cost],
        column_lower=array("d", map(float, low)),
        column_upper=array("d", map(float, high)),
        integer=array("b", whole),
        offset=float(constant),
        exact={
            **inexact("value", value),
            **inexact("lower", [one for one, _ in sides]),
            **inexact("upper", [two for _, two in sides]),
            **inexact("cost", cost),
            **inexact("column_lower", low),
            **inexact("column_upper", high),
            **inexact("offset", [constant]),
        },
    )


@settings(max_examples=60, deadline=None)
@given(data=st.data())
@pytest.mark.parametrize("suffix", [".mps", ".lp"])
@pytest.mark.long
def test_files_of_general_models_are_read_back(
    suffix: str, data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    model = data.draw(general_models(ranges=suffix == ".mps"))
    path = tmp_path_factory.mktemp("written") / f"m{suffix}"
    write_model(path, model)
    again = read_model(path)
    assert facts(again) == facts(model)
    theirs = referee(path)  # which computes an end of a range from the other, and rounds
    theirs[3], theirs[4] = (pytest.approx(theirs[side], abs=1e-12) for side in (3, 4))
    assert ours(again) == theirs


def of_rows(
    columns: list[str],
    rows: list[tuple[str, dict[int, float], float, float]],
    lower: list[float],
    upper: list[float],
) -> Model:
    """Return a model of integer columns with the cost 1 each."""
    return Model.from_rows(
        columns,
        rows,
        [1.0] * len(columns),
        column_lower=array("d", lower),
        column_upper=array("d", upper),
    )


ODD_NAMES = (" x", "x ", "a b", "", "x\u00a0y", "x\ny", "MARKER", "'marker'", "$x", "*x", "1x",
             "OBJ", "RHS", "RNG", "BND", "free", "inf", "<=", "x:", "[x]")  # fmt: skip


@pytest.mark.parametrize("of_row", [False, True])
@pytest.mark.parametrize("name", ODD_NAMES)
def test_an_odd_name_is_read_back_from_an_mps_file_or_refused(
    name: str, of_row: bool, tmp_path: Path
) -> None:
    column, row = ("x", name) if of_row else (name, "r")
    rows = [(row, {0: 1.0, 1: 2.0}, -INF, 5.0), ("s", {0: 1.0}, 0.0, 1.0)]
    model = of_rows([column, "y"], rows, [0, 0], [3, 3])
    path = tmp_path / "m.mps"
    try:
        write_model(path, model)
    except InputError as error:
        assert repr(name) in str(error) or ascii(name) in str(error)
        assert name.split() != [name] or name.strip("'").upper() == "MARKER"
        assert not path.exists()
        return
    assert facts(read_model(path)) == facts(model)


def test_contradicting_bounds_stay_contradicting_in_mps_files(tmp_path: Path) -> None:
    """A range has no sign, and an upper bound below 0 alone frees the variable."""
    variable = of_rows(["x", "y"], [("r", {0: 1.0, 1: 1.0}, -INF, 5.0)], [0, 0], [-1, 3])
    row = of_rows(["x", "y"], [("r", {1: 1.0, 0: 2.0}, 5.5, 3.5)], [0, 0], [3, 3])
    for number, model in enumerate((variable, row)):
        path = tmp_path / f"{number}.mps"
        write_model(path, model)
        highs = highspy.Highs()
        highs.setOptionValue("output_flag", False)
        highs.readModel(str(path))
        highs.run()
        assert highs.getModelStatus() == highspy.HighsModelStatus.kInfeasible
    again = read_model(path)
    assert again.rows == ("r", "r_")
    assert again.exact_row(0) == ({0: 2, 1: 1}, Fraction(11, 2), INF)
    assert again.exact_row(1) == ({0: 2, 1: 1}, -INF, Fraction(7, 2))


def read(folder: Path, name: str, text: str, **more: float) -> Model:
    (folder / name).write_text(text)
    return read_model(folder / name, **more)


LP = "Minimize\n obj: {}\nSubject To\n{}\nBounds\n{}\nGenerals\n i j\nEnd\n"
LP_TEXTS = {
    "bounds": LP.format("i + x", "c: i + j - x >= 2", " -3 <= i <= 7\n x free\n j <= 9"),
    "defaults": LP.format("i + x", "c: i + j - x >= 2", ""),
    "infinite bounds": LP.format("i", "c: i + j + x >= 2", " -inf <= x <= 3\n i <= +infinity"),
    "fixed": LP.format("i + x", "c: i + j - x >= 2", " x = 2.5\n i = 3"),
    "a column in bounds alone": LP.format("i", "c: i + j >= 2", " z <= 4\n 1 <= y <= 2"),
    "rows without terms": LP.format("i", "e: = 0\nf: = +0\ng: <= 1\nc: i + j >= 2", ""),
    "a constant": LP.format("i + 2.5", "c: i + j >= 2", ""),
    "maximise": LP.format("i", "c: i + j <= 2", "").replace("Minimize", "Maximize"),
}


@pytest.mark.parametrize("name", LP_TEXTS)
def test_lp_texts_are_read_as_highs_reads_them(name: str, tmp_path: Path) -> None:
    model = read(tmp_path, "m.lp", LP_TEXTS[name])
    assert not model.binary
    assert ours(model) == referee(tmp_path / "m.lp")


MPS = """NAME m
ROWS
 N OBJ
 G c
 E e
COLUMNS
 M 'MARKER' 'INTORG'
 i OBJ 1 c 1
 M 'MARKER' 'INTEND'
 x c 1 e 2
 M 'MARKER' 'INTORG'
 j c 3
 M 'MARKER' 'INTEND'
RHS
 RHS c 2 e 4
BOUNDS
{}
ENDATA
"""
MPS_TEXTS = {
    "bounds": " UP BND i 7\n LO BND i -3\n FR BND x\n PL BND j",
    "lower bounds alone": " LO BND i 2\n LI BND j 0\n LO BND x -1",
    "minus infinity": " MI BND i\n MI BND x\n UP BND x 5\n UI BND j 4",
    "infinite numbers": " UP BND i inf\n UP BND x 1e30\n LO BND x -Infinity\n UP BND j Inf",
    "fixed": " FX BND i 3\n FX BND x 2.5\n PL BND j",
    "a column in bounds alone": " PL BND i\n PL BND j\n UP BND z 4",
    "a comment behind a dollar": " UP BND i 7 $ seven\n UP BND j 5 $5",
    "a binary variable": " BV BND i\n UP BND j 5\n BV BND x",
}


@pytest.mark.parametrize("name", MPS_TEXTS)
def test_mps_texts_are_read_as_highs_reads_them(name: str, tmp_path: Path) -> None:
    model = read(tmp_path, "m.mps", MPS.format(MPS_TEXTS[name]))
    assert not model.binary
    bare = MPS.format(MPS_TEXTS[name]).replace(" $ seven", "").replace(" $5", "")
    (tmp_path / "bare.mps").write_text(bare)
    assert ours(model) == referee(tmp_path / "bare.mps")


def test_a_comment_begins_in_field_3_or_5(tmp_path: Path) -> None:
    text = MPS.format(" UP BND i 7\n UP BND j 5\n UP BND x 3")
    plain = facts(read(tmp_path, "m.mps", text))
    for old, new in (
        (" j c 3\n", " j c 3 $ a comment\n"),
        ("RHS c 2 e 4", "RHS c 2 e 4"),
    ):
        assert facts(read(tmp_path, "m.mps", text.replace(old, new))) == plain
    named = text.replace(" G c\n", " G $c\n").replace(" c 1", " $c 1").replace("j c", "j $c")
    assert "$c" in read(tmp_path, "m.mps", named.replace("RHS c", "RHS $c")).rows


def test_text_behind_endata_is_ignored(tmp_path: Path) -> None:
    text = MPS.format(" UP BND i 7\n UP BND j 5")
    more = read(tmp_path, "m.mps", text + "IMPORTANCES\n i 3\nQUADOBJ\n i i 2\n")
    assert facts(more) == facts(read(tmp_path, "m.mps", text))


def test_the_objective_may_be_named(tmp_path: Path) -> None:
    text = MPS.format(" UP BND i 7\n UP BND j 5").replace(" N OBJ\n", " N OBJ\n N second\n")
    text = text.replace("j c 3", "j c 3 second 8")
    named = text.replace("ROWS\n", "OBJNAME\n second\nROWS\n", 1)
    assert read(tmp_path, "m.mps", text).values("cost") == [1, 0, 0]
    assert read(tmp_path, "m.mps", named).values("cost") == [0, 0, 8]
    with pytest.raises(InputError, match="OBJNAME: there is no row N 'third'"):
        read(tmp_path, "m.mps", named.replace(" second\nROWS", " third\nROWS"))


@pytest.mark.parametrize("default", [1, INF])
def test_an_integer_without_bounds_has_the_default(default: float, tmp_path: Path) -> None:
    text = MPS.format(" UP BND i 7\n UP BND x 5")
    with pytest.raises(InputError, match=r"'j' is integer without an upper bound.*default of 1"):
        read(tmp_path, "m.mps", text)
    model = read(tmp_path, "m.mps", text, integer_default=default)
    assert model.values("column_upper") == [7, 5, default]
    with pytest.raises(InputError, match="the integer default is 1 or inf, not 2"):
        read(tmp_path, "m.mps", text, integer_default=2)
    assert main(["export", str(tmp_path / "m.mps"), "-o", str(tmp_path / "n.mps")]) == 2
    more = ["--integer-default", f"{default:g}", "-q"]
    assert main(["export", str(tmp_path / "m.mps"), "-o", str(tmp_path / "n.mps"), *more]) == 0
    assert facts(read_model(tmp_path / "n.mps")) == facts(model)
    assert main(["solve", "instances/tiny.yaml", *more]) == 2  # it is for models


def test_fractions_are_exact(tmp_path: Path) -> None:
    text = MPS.format(" UP BND i 9/10\n UP BND x 1/3\n UP BND j 5").replace("j c 3", "j c 2/3")
    model = read(tmp_path, "m.mps", text)
    assert model.numbers("column_upper", range(2)) == [Fraction(9, 10), Fraction(1, 3)]
    assert model.exact_row(0)[0][2] == Fraction(2, 3)
    lp = LP.format("i", "c: 1/3 i + 2/4 j >= 2/3", " x <= 1/7")
    assert read(tmp_path, "m.lp", lp).exact_row(0) == (
        {0: Fraction(1, 3), 1: Fraction(1, 2)},
        Fraction(2, 3),
        INF,
    )
    for name in ("n.lp", "n.mps"):  # no decimal number is one third
        with pytest.raises(InputError, match=r"[12]/3 is not a decimal number"):
            write_model(tmp_path / name, model)
    with pytest.raises(InputError, match="'1/0'"):
        read(tmp_path, "m.mps", text.replace("9/10", "1/0"))


# Models in binary variables, as other programs write them, and the model that is meant.
BINARY = "Minimize\n obj: a + b{}\nSubject To\n{}{}Binaries\n a b\nEnd\n"
ADDED = {
    "a constant in an empty constraint (PuLP)": BINARY.format(
        "", " c: a + b >= 1\n _dummy: __dummy = 0\n", ""
    ),
    "a constant in the objective (Pyomo)": BINARY.format(
        " + 0 one", " c: a + b >= 1\n one_: one = 1\n", ""
    ),
    "a constant in a row": BINARY.format("", " c: a + b + two >= 3\n", "Bounds\n two = 2\n"),
    "the slack of an inequality": BINARY.format("", " c: a + b - s = 1\n", ""),
}


@pytest.mark.parametrize("name", ADDED)
def test_what_programs_add_to_binary_models_is_projected_out(name: str, tmp_path: Path) -> None:
    model = read(tmp_path, "m.lp", ADDED[name])
    assert not model.binary
    (column,) = definitions(model)
    assert model.columns[column] in ("__dummy", "one", "two", "s")
    plain = read(tmp_path, "n.lp", BINARY.format("", " c: a + b >= 1\n", ""))
    assert project(model).binary
    assert facts(project(model)) == facts(plain)


def test_a_bounded_slack_is_a_range(tmp_path: Path) -> None:
    text = BINARY.format("", " c: a + 2 b - 4 s = 1\n", "Bounds\n -1 <= s <= 0.25\n")
    model = read(tmp_path, "m.lp", text)
    assert (model.columns, model.exact_row(0)) == (("a", "b", "s"), ({0: 1, 1: 2, 2: -4}, 1, 1))
    model = project(model)
    assert (model.columns, model.exact_row(0)) == (("a", "b"), ({0: 1, 1: 2}, -3, 2))
    for other in (
        text.replace("a + b", "a + b + s"),  # it costs
        text.replace("= 1\n", "= 1\n d: a + s >= 0\n"),  # it stands in two rows
        text.replace("= 1\n", ">= 1\n"),  # the row is not an equation
        text.replace(" 4 s", " 4 s - t"),  # a second one in the row
    ):
        assert not project(read(tmp_path, "m.lp", other)).binary


def test_answers_may_leave_out_what_rows_define(tmp_path: Path) -> None:
    text = BINARY.format(" + 2 one", " c: a + b - s = 1\n d: one = 1\n", "Bounds\n s <= 0.5\n")
    model = read(tmp_path, "m.lp", text)
    assert (model.columns, model.constant) == (("a", "b", "one", "s"), 0)
    assert (project(model).columns, project(model).constant) == (("a", "b"), 2)
    path = tmp_path / "m.sol"
    for values, status in {
        "a 1\nb 0\none 1\ns 0": "accepted",
        "a 1": "accepted",
        "a 1\none 2": "refused",
        "a 1\ns -1": "refused",
        "a 1\ns 0.6": "refused",
        "a 1\nq 0": "refused",
        "a 1\nb 0\none 1\ns 0.25": "refused",
    }.items():
        path.write_text(values + "\n")
        assert calmip.check(model, path).status == status
    assert calmip.solve(model).objective == 3


def test_an_equation_that_contradicts_the_bounds_stays(tmp_path: Path) -> None:
    model = read(tmp_path, "m.lp", BINARY.format("", " c: a + b >= 1\n d: 2 s = -1\n", ""))
    assert project(model).exact_row(1) == ({}, -INF, -1)
    assert list(OneTree(project(model))) == []
    assert calmip.solve(model).status == "infeasible"


REFUSED = {
    "semi-continuous variables": (" SB BND i 4", ""),
    "quadratic terms": ("", "QUADOBJ\n i i 2\n"),
    "special ordered sets": ("", "SOS1\n S1 SOS s 1\n"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_is_beyond_linear_models_is_named_before_other_faults(
    what: str, tmp_path: Path
) -> None:
    bound, section = REFUSED[what]
    text = MPS.format(bound).replace("x c 1", "x nosuch abc").replace("ENDATA", section + "ENDATA")
    with pytest.raises(InputError, match=f"^.*m.mps:[0-9]*: {what}.* are not read: found '"):
        read(tmp_path, "m.mps", text)


ENGINES: dict[str, Callable[[Model], object]] = {
    "a comparison": lambda one: calmip.check(calmip.read_instance("instances/tiny.yaml"), one),
    "one-tree": OneTree,
}


@pytest.mark.parametrize("engine", ENGINES)
def test_engines_of_binary_models_name_a_column(engine: str, tmp_path: Path) -> None:
    text = LP.format("i", "c: i + j + x >= 2", " i <= 1\n j <= 5")
    with pytest.raises(InputError, match=f"{engine} needs binary .*variable 'x' is continuous"):
        ENGINES[engine](read(tmp_path, "m.lp", text))
    model = read(tmp_path, "m.lp", text.replace("Generals\n", "Generals\n x "))
    with pytest.raises(InputError, match="variable 'j' is an integer from 0 to 5"):
        ENGINES[engine](model)


def test_bounds_of_a_binary_model_are_rows() -> None:
    bounds = {"column_lower": array("d", [1, 0, -0.5]), "column_upper": array("d", [1, 0.5, 1])}
    model = Model.from_rows(["a", "b", "c"], [("fix_a", {0: 1, 2: 1}, 1, 2)], **bounds)
    binary = model.as_binary()
    assert binary.rows == ("fix_a", "fix_a_", "fix_b")
    assert [binary.exact_row(number) for number in (1, 2)] == [({0: 1}, 1, 1), ({1: 1}, 0, 0)]
    assert binary.values("column_lower") == [0, 0, 0]
    assert sorted(map(sorted, OneTree(model))) == [[0], [0, 2]]
    none = Model.from_rows(
        ["a"], [], column_lower=array("d", [0.2]), column_upper=array("d", [0.8])
    )
    assert list(OneTree(none)) == []


def test_a_rounded_bound_of_a_binary_model_is_its_exact_bound(tmp_path: Path) -> None:
    text = LP.format("i", "c: i + j >= 0", " 0 <= i <= {high}\n {low} <= j <= 1\n 0 <= x <= 1")
    text = text.replace("Generals\n", "Generals\n x ")
    above, below = "1." + 30 * "0" + "1", "0." + 30 * "9"  # both read as 1.0
    binary = read(tmp_path, "m.lp", text.format(high=below, low="0.5")).as_binary()
    assert {name: binary.row(n) for n, name in enumerate(binary.rows) if name != "c"} == {
        "fix_i": ({0: 1}, 0, 0),
        "fix_j": ({1: 1}, 1, 1),
    }
    assert list(OneTree(read(tmp_path, "m.lp", text.format(high="1", low=above)))) == []


def test_names_that_an_lp_file_cannot_have_are_refused(tmp_path: Path) -> None:
    for name in ("1x", "a+b", "inf", "a b", "Free", "bounds", "st"):
        model = Model.from_rows([name], [("r", {0: 1}, 1, 1)])
        with pytest.raises(InputError, match="an LP file cannot have the name"):
            write_model(tmp_path / "m.lp", model)


def test_a_folder_of_files_is_compared_with_highs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    texts = {
        "equal.mps": MPS.format(MPS_TEXTS["bounds"]),
        "binary.lp": "Minimize\n obj: a\nSubject To\n c: a + b = 1\nBinaries\n a b\nEnd\n",
        "default.mps": MPS.format(" UP BND i 7\n UP BND x 5"),
        "number.mps": MPS.format(MPS_TEXTS["bounds"]).replace("c 3", "c abc"),
        "nothing.lp": "nothing\n",
        "fraction.mps": MPS.format(MPS_TEXTS["bounds"]).replace("c 3", "c 9/10"),
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    found = {name: compare(tmp_path / name, None)[0] for name in texts}
    assert found == {
        "equal.mps": "equal",
        "binary.lp": "equal, binary",
        "default.mps": "refused, HiGHS reads it",
        "number.mps": "refused, HiGHS reads it",
        "nothing.lp": "refused by both",
        "fraction.mps": "differs",  # HiGHS reads 9
    }
    assert compare(tmp_path / "default.mps", "1") == ("equal", "")
    assert compare(tmp_path / "default.mps", "inf")[0] == "differs"


def test_the_number_of_coefficients_is_limited(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = LP.format("i", "c: i + j >= 2\n d: i + x <= 3", "")
    monkeypatch.setattr("calmip.mip.files.model_builder.MAX_ENTRIES", 4)
    assert read(tmp_path, "m.lp", text).nonzeros == 4
    monkeypatch.setattr("calmip.mip.files.model_builder.MAX_ENTRIES", 3)
    with pytest.raises(InputError, match="has more than 3 coefficients"):
        read(tmp_path, "m.lp", text)
