"""Equivalences and piecewise-linear functions in LP and MPS files as CPLEX writes them."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest
from logic_models import solutions

import calmip
from calmip import InputError
from calmip.cli import main
from calmip.mip.compare.constructs import include_constructs
from calmip.mip.constructs import BrokenLine, Construct, Equivalence, Extreme
from calmip.mip.files.lp import read_lp
from calmip.mip.files.lp.constructs import lp_text_of_constructs
from calmip.mip.files.model_files import read_model
from calmip.mip.files.mps import read_mps
from calmip.mip.files.mps.constructs import mps_text_of_constructs
from calmip.mip.files.text_source import TextFile
from calmip.mip.linearise import linearise, own_part
from calmip.mip.lp.exact_lp import exact_model
from calmip.mip.model import Model
from calmip.mip.pool import PoolSearch
from calmip.mip.rows import Interval, Number

WRITERS = {
    ".lp": (lp_text_of_constructs, read_lp),
    ".mps": (mps_text_of_constructs, read_mps),
}

# As CPLEX 22.2 wrote them.
LP = """\\ENCODING=ISO-8859-1
\\Problem name:

Minimize
 obj1: x + 2 y + w + 0 b
Subject To
 r: x + y <= 7
 _e1#0: b = 1 <-> x - w =< 3
 _e2#1: b = 0 -> x => 3
 _e3#2: b = 0 <- x  = 3
Bounds
 0 <= x <= 5
-10 <= y <= 10
-10 <= w <= 10
 0 <= b <= 1
Binaries
 b
Generals
 x  y  w
Pwl
 pwl1: y = x 0.5 (0, 0) (1, 1) (2, 4) 2
 p3:   w = y -1 (0, 0) 1
End
"""

MPS = """* ENCODING=ISO-8859-1
NAME
ROWS
 N  obj1
 L  r
 L  e1
 G  e2
 E  e3
COLUMNS
    MARK0000  'MARKER'                 'INTORG'
    x         obj1                            1
    x         r                               1
    x         e1                              1
    x         e2                              1
    x         e3                              1
    y         obj1                            2
    y         r                               1
    w         obj1                            1
    w         e1                             -1
    b         obj1      0
    MARK0003  'MARKER'                 'INTEND'
RHS
    rhs       r                               7
    rhs       e1                              3
    rhs       e2                              3
    rhs       e3                              3
BOUNDS
 UP bnd       x                               5
 LO bnd       y                             -10
 UP bnd       y                              10
 LO bnd       w                             -10
 UP bnd       w                              10
 BV bnd       b
INDICATORS
 FF e1        b                               1
 IF e2        b                               0
 OI e3        b                               0
PWLNAM
 pwl1     y        x                            0.5                       2
 p3       w        y                             -1                       1
PWLCON
 pwl1                           0                       0
 pwl1                           1                       1
 pwl1                           2                       4
 p3                             0                       0
ENDATA
"""

READERS = {".lp": (LP, read_lp), ".mps": (MPS, read_mps)}


def read(suffix: str, change: Callable[[str], str] = str) -> Model:
    text, reader = READERS[suffix]
    return reader(TextFile(f"m{suffix}", change(text).splitlines(), integer_default=1))


def line(x: Number) -> Fraction:
    """Return the value of pwl1."""
    if x <= 1:
        return Fraction(x) if x >= 0 else Fraction(x, 2)
    return Fraction(3 * x - 2) if x <= 2 else Fraction(2 * x)


@pytest.mark.parametrize("suffix", READERS)
def test_a_file_of_cplex_has_the_solutions_of_its_meaning(suffix: str) -> None:
    model = read(suffix)
    wanted = {
        (x, y, w, b)
        for x, y, w, b in itertools.product(range(6), range(-10, 11), range(-10, 11), (0, 1))
        if x + y <= 7 and y == line(x) and w == abs(y)
        if (b == 1) == (x - w <= 3) and (b == 1 or x >= 3) and (b == 0 or x != 3)
    }
    assert wanted
    assert {tuple(one.point.get(c, 0) for c in range(4)) for one in PoolSearch(model)} == wanted
    assert solutions(model).keys() == wanted


def random_logic(seed: int, kind: str) -> Model:
    """Return a random model of four integers, the last of which is binary, with constructs."""
    random = Random(f"cplex {kind} {seed}")
    bounds = [Interval(random.randint(-3, 0), random.randint(1, 3)) for _ in range(3)]
    bounds.append(Interval(0, 1))
    made: list[Construct] = []
    for number in range(2 if kind == "equivalence" else 1):
        name = f"k{number}"
        if kind == "equivalence":
            some = random.sample(range(4), random.randint(1, 3))
            by = random.choice((1, 1, 2, 4))
            terms = {c: Fraction(random.choice((-3, -2, -1, 1, 2, 3)), by) for c in some}
            side = Fraction(random.randint(-5, 5), random.choice((1, 2)))
            ends = random.choice(((side, math.inf), (-math.inf, side), (side, side)))
            both = random.random() < 0.7
            made.append(Equivalence(name, 3, random.randint(0, 1), terms, *ends, both))
        else:
            places = sorted(random.sample(range(-3, 4), random.randint(1, 4)))
            points = [(x, Fraction(random.randint(-4, 4))) for x in places]
            slopes = [Fraction(random.randint(-4, 4), random.choice((1, 2))) for _ in range(2)]
            (x, y), (end, last) = points[0], points[-1]
            every = [(x - 1, y - slopes[0]), *points, (end + 1, last + slopes[1])]
            column, argument = random.sample(range(3), 2)
            made.append(BrokenLine(name, column, argument, tuple(every)))
    terms = {c: Fraction(random.randint(-3, 3)) for c in range(4)}
    rows = [("r", {c: v for c, v in terms.items() if v}, -math.inf, Fraction(random.randint(0, 6)))]
    cost = {c: Fraction(random.randint(-4, 4)) for c in range(4)}
    names = [f"x{c}" for c in range(4)]
    return linearise(exact_model(names, bounds, [True] * 4, rows, cost), made)


def truths(model: Model) -> set[tuple[int, ...]]:
    """Return the solutions of equivalences, written out."""
    assert model.logic is not None
    own, found = own_part(model), set()
    for point in itertools.product(*(range(b.low, b.high + 1) for b in own.column_bounds)):
        holds = own.violated(dict(enumerate(point))) is None
        for one in model.logic.constructs:
            assert isinstance(one, Equivalence)
            row = one.low <= sum(v * point[c] for c, v in one.terms.items()) <= one.high
            chosen = point[one.column] == one.value
            holds = holds and (chosen or not row) and (row or not chosen or not one.both)
        if holds:
            found.add(point)
    return found


def check(kind: str, seed: int) -> int:
    """Check the pool of a random model, and its files in CPLEX's form; return 1 if it has some."""
    model = random_logic(seed, kind)
    wanted = solutions(model)
    if kind == "equivalence":
        assert wanted.keys() == truths(model)
    found = {}
    for one in PoolSearch(model):
        point = tuple(one.point.get(c, 0) for c in range(4))
        assert point not in found
        found[point] = one.objective
    assert found == wanted
    for suffix, (writer, reader) in WRITERS.items():
        text = writer(model, "cplex")
        back = reader(TextFile(f"m{suffix}", text.splitlines()))
        assert back.logic is not None
        assert model.logic is not None
        if kind == "equivalence":
            assert list(back.logic.constructs) == list(model.logic.constructs)
        assert solutions(back) == wanted
        once = writer(back, "cplex")
        assert writer(reader(TextFile("m", once.splitlines())), "cplex") == once
    return bool(wanted)


@pytest.mark.parametrize("kind", ["equivalence", "line"])
def test_pools_and_files_are_those_of_brute_force(kind: str) -> None:
    assert sum(check(kind, seed) for seed in range(3)) > 0


@pytest.mark.long
@pytest.mark.parametrize("kind", ["equivalence", "line"])
def test_200_pools_and_files_are_those_of_brute_force(kind: str) -> None:
    assert sum(check(kind, seed) for seed in range(200)) > 100


def test_an_equivalence_is_implied_or_not() -> None:
    """As another model's construct: by the rows that linearise it, and not without them."""
    model = next(m for m in (random_logic(s, "equivalence") for s in range(9)) if truths(m))
    columns = {c: c for c in range(4)}
    linear = model.changed(logic=None)
    assert include_constructs(linear, model, columns).holds
    found = include_constructs(own_part(model), model, columns)
    assert found.holds is False
    assert found.point is not None


def test_a_conflict_names_an_equivalence(tmp_path: Path) -> None:
    text = (
        "Minimize\n obj: x\nSubject To\n r: x >= 3\n e: b = 1 <-> x >= 2\n s: b <= 0\n t: x <= 9\n"
        "Bounds\n x <= 9\nBinaries\n b\nGenerals\n x\nEnd\n"
    )
    path = tmp_path / "m.lp"
    path.write_text(text)
    found = calmip.explain(read_model(path))
    assert set(*found.names) == {"r", "e", "s"}
    assert "e: b = 1 <-> x >= 2" in str(found)


LP_FAULTS = {
    "its row has the continuous variable 'x'": (" x  y  w\n", " y  w\n"),
    "its variable 'b' is not binary": ("Binaries\n b\n", ""),
    "found '2', not 0 or 1, before '<->'": ("b = 1 <->", "b = 2 <->"),
    "has at least one break point": (" (0, 0) 1\n", " 1\n"),
    "ascend without a jump": ("(1, 1) (2, 4)", "(2, 1) (2, 4)"),
    "there is no variable 'q'": ("w = y -1", "w = q -1"),
    "a second construct is called 'p3'": ("pwl1: y", "p3: y"),
    "odd points": ("(0, 0) 1\n", "(0, 0, 1) 1\n"),
    "found 'many' where a number should stand": ("(0, 0) 1\n", "(0, many) 1\n"),
    "not '='": ("w = y -1", "w y -1"),
    "not a word": ("(0, 0) 1\n", "(0, 0)\n"),
    "found 'steep' where a number should stand": ("w = y -1", "w = y steep"),
}

MPS_FAULTS = {
    "not IF, FF or OI, a row, a binary column, and 0 or 1": (" FF e1 ", " FG e1 "),
    "there is no row 'e9'": (" OI e3 ", " OI e9 "),
    "row 'e1' has two conditions": (" OI e3 ", " OI e1 "),
    "there is no variable 'q'": ("p3       w        y", "p3       w        q"),
    "a second construct is called 'pwl1'": (" p3       w", " pwl1     w"),
    "there is no function 'p4' in PWLNAM": (" p3                             0", " p4      0"),
    "not the name of a function in PWLNAM, x and y": ("1                       1\n p", "1\n p"),
    "not a name, the column y, the column x, and": ("-1                       1\n", "-1\n"),
    "found 'much' where a number should stand": ("2                       4\n", "2    much\n"),
    "has at least one break point": (
        " p3                             0                       0\n",
        "",
    ),
    "ascend without a jump": (" pwl1                           2", " pwl1      1"),
}


@pytest.mark.parametrize(
    ("suffix", "words"), [(".lp", one) for one in LP_FAULTS] + [(".mps", one) for one in MPS_FAULTS]
)
def test_a_fault_is_one_sentence(
    suffix: str, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    old, new = (LP_FAULTS if suffix == ".lp" else MPS_FAULTS)[words]
    text = READERS[suffix][0]
    assert old in text
    path = tmp_path / f"m{suffix}"
    path.write_text(text.replace(old, new, 1))
    assert main(["solve", str(path)]) != 0
    error = capsys.readouterr().err
    assert words in error
    assert error.startswith("calmip: error: ")
    assert error.count("\n") == 1


def test_a_variable_may_be_called_pwl() -> None:
    """The word opens a section only where a function follows."""
    text = (
        "Minimize\n obj: x + pwl\nSubject To\n r: x -\n pwl <= 1\n s: x + pwl >= 1.5\nBounds\n"
        " pwl <= 4\n x <= 4\nGenerals\n x\n pwl\nEnd\n"
    )
    found = read_lp(TextFile("m.lp", text.splitlines()))
    assert found.logic is None
    assert [found.is_integer(column) for column in range(2)] == [True, True]
    more = text.replace("End", "PWL\n pwl: x = pwl 1 (0, 0) 2\nEnd")
    found = read_lp(TextFile("m.lp", more.splitlines()))
    assert found.logic is not None
    assert [one.words(found.columns) for one in found.logic.constructs] == [
        "pwl: x = PWL ( pwl ) : (-1, -1) (0, 0) (1, 2)"
    ]


def test_what_programs_read_differently_has_no_sums_of_functions(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "m.lp"
    path.write_text(LP.replace("=<", "<=").replace("=>", ">="))
    assert main(["check", str(path)]) == 1
    found = [text.rpartition("[")[2] for text in capsys.readouterr().out.splitlines()]
    assert [one.partition("]")[0] for one in found[:-1]] == ["lp-equivalence", "lp-indicator"]


@pytest.mark.parametrize("suffix", WRITERS)
def test_a_dialect_says_what_its_program_reads(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / "m.lp"
    path.write_text(LP)
    model = read_model(path)
    target = tmp_path / f"out{suffix}"
    calmip.export(model, target, constructs=True, dialect="cplex")
    assert solutions(read_model(target)) == solutions(model)
    with pytest.raises(InputError, match="Gurobi's files cannot say it; write CPLEX's"):
        calmip.export(model, target, constructs=True)
    with pytest.raises(InputError, match="unknown dialect 'xpress'; there are gurobi"):
        calmip.export(model, target, constructs=True, dialect="xpress")
    with pytest.raises(InputError, match="add --constructs, or leave out --dialect"):
        calmip.export(model, target, dialect="cplex")


def test_a_dialect_refuses_what_its_program_does_not_know() -> None:
    bounds = [Interval(0, 2)] * 2 + [Interval(0, 1)]
    plain = exact_model(["x", "y", "b"], bounds, [True] * 3, [])
    most = linearise(plain, [Extreme("g", 0, (({1: 1}, 0), ({2: 1}, 0)), 1)])
    between = linearise(plain, [Equivalence("e", 2, 1, {0: 1}, 1, 1 + Fraction(1, 2))])
    third = linearise(plain, [BrokenLine("f", 0, 1, ((0, 0), (3, 1), (4, 2)))])
    for writer, _ in WRITERS.values():
        with pytest.raises(InputError, match="maximum g: CPLEX's files cannot say it"):
            writer(most, "cplex")
        with pytest.raises(InputError, match="cannot say that its row has two sides"):
            writer(between, "cplex")
        with pytest.raises(InputError, match="1/3"):
            writer(third, "cplex")
