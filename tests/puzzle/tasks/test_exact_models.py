"""Models with decimal numbers of any size: every verdict is that of exact arithmetic."""

from __future__ import annotations

import itertools
import math
import re
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from requirements import need_solver

from calmip._base.errors import InputError, SolverFailed
from calmip.cli import main
from calmip.mip.files.lp import lp_text
from calmip.mip.files.model_files import read_model
from calmip.mip.files.mps import mps_text
from calmip.mip.model import Model, whole_row
from calmip.puzzle.search.matching import model_rows
from calmip.puzzle.tasks.enumerate import enumerate as enumerate_all
from calmip.puzzle.tasks.solve import solve

Point = tuple[int, ...]

# In this process or a quick one of its own; those that import for seconds read the same file.
SOLVERS = ["highs", "cbc", "scip", "glpk", "gurobi", "z3"]


@dataclass(frozen=True)
class Sheet:
    """A model as it is written: the objective's and the rows' numbers are decimal texts."""

    cost: tuple[str, ...]
    rows: tuple[tuple[tuple[str, ...], str, str], ...]

    def text(self, suffix: str) -> str:
        columns = range(len(self.cost))
        if suffix == ".lp":
            sums = [
                " ".join(f"{_sign(v)} x{c}" for c, v in enumerate(values))
                for values in (self.cost, *(row for row, _, _ in self.rows))
            ]
            lines = ["Minimize", f" o: {sums[0]}", "Subject To"]
            lines += [
                f" r{n}: {sums[n + 1]} {relation} {side}"
                for n, (_, relation, side) in enumerate(self.rows)
            ]
            return "\n".join([*lines, "Binaries", *(f" x{c}" for c in columns), "End", ""])
        senses = {"<=": "L", ">=": "G", "=": "E"}
        lines = ["NAME m", "ROWS", " N o"]
        lines += [f" {senses[sense]} r{n}" for n, (_, sense, _) in enumerate(self.rows)]
        lines += ["COLUMNS", " M 'MARKER' 'INTORG'"]
        for c in columns:
            lines.append(f" x{c} o {self.cost[c]}")
            lines += [f" x{c} r{n} {row[c]}" for n, (row, _, _) in enumerate(self.rows)]
        lines += [" M 'MARKER' 'INTEND'", "RHS"]
        lines += [f" RHS r{n} {side}" for n, (_, _, side) in enumerate(self.rows)]
        return "\n".join([*lines, "BOUNDS", *(f" BV BND x{c}" for c in columns), "ENDATA", ""])

    def read(self, folder: Path, suffix: str) -> Model:
        path = folder / f"m{suffix}"
        path.write_text(self.text(suffix))
        return read_model(path)

    def objective(self, point: Point) -> Fraction:
        return sum((Fraction(self.cost[c]) for c in point), Fraction())

    @property
    def plain(self) -> bool:
        """Whether every number is a small one of tenths, so that no tolerance matters."""
        rows = itertools.chain(*((*values, side) for values, _, side in self.rows))
        numbers = map(Fraction, (*self.cost, *rows))
        return all(abs(number) <= 10 and (10 * number).denominator == 1 for number in numbers)

    def solutions(self) -> set[Point]:
        """Return the solutions by brute force, in fractions of the texts themselves."""
        size = range(len(self.cost))
        every = itertools.chain(*(itertools.combinations(size, n) for n in range(len(size) + 1)))
        return {point for point in every if all(_holds(row, point) for row in self.rows)}


def _sign(text: str) -> str:
    return f"- {text[1:]}" if text.startswith("-") else f"+ {text}"


def _holds(row: tuple[tuple[str, ...], str, str], point: Point) -> bool:
    values, relation, side = row
    total, wanted = sum((Fraction(values[c]) for c in point), Fraction()), Fraction(side)
    if relation == "=":
        return total == wanted
    return total <= wanted if relation == "<=" else total >= wanted


NUMBERS = st.sampled_from(
    ["1", "-1", "2", "0.1", "0.2", "0.3", "-0.3", "1e-9", "2e-9", "-1e-9", "1e9", "1000000001",
     "1.000000001", "0.3333333333333333333333", "0.99999999999999999999", "1e-20", "1e17",
     "100000000000000001", "9007199254740993", "0"]
)  # fmt: skip


PLAIN = st.sampled_from(["1", "-1", "2", "0.1", "0.2", "0.3", "-0.3", "0"])
"""Numbers that no solver takes for others."""


@st.composite
def sheets(
    draw: st.DrawFn, numbers: st.SearchStrategy[str] = NUMBERS, step: str = "1e-18"
) -> Sheet:
    columns = draw(st.integers(1, 4))
    several = st.tuples(*[numbers] * columns)
    rows = []
    for _ in range(draw(st.integers(1, 3))):
        values = draw(several)
        relation = draw(st.sampled_from(["<=", ">=", "="]))
        # Often a side that some sum reaches exactly, or misses by very little.
        near = sum((Fraction(v) for v in values if draw(st.booleans())), Fraction())
        near += draw(st.sampled_from([0, 0, 1, -1])) * Fraction(step)
        rows.append((values, relation, _text(near)))
    return Sheet(draw(several), tuple(rows))


def _text(value: Fraction) -> str:
    digits = next(n for n in range(60) if (value * 10**n).denominator == 1)
    return f"{value * 10**digits}e-{digits}"


def equation(left: tuple[str, ...], right: str) -> Sheet:
    return Sheet(("1",) * len(left), ((left, "=", right),))


SMALL = equation(("1e-9", "1e-9"), "2e-9")
GREAT = equation(("1000000000", "1000000000"), "1000000001")
BESIDE = equation(("1", "1"), "1.000000001")
NEAR = Sheet(("1", "1"), ((("1", "0.99999999999999999999"), ">=", "1"),))
TENTHS = equation(("0.1", "0.2", "0.3"), "0.6")
LONG = equation(("0.99999999999999999999", "1"), "1")


@pytest.mark.long
@settings(deadline=None)
@given(sheet=sheets(), suffix=st.sampled_from([".lp", ".mps"]))
@example(sheet=SMALL, suffix=".lp")
@example(sheet=GREAT, suffix=".mps")
@example(sheet=BESIDE, suffix=".lp")
@example(sheet=TENTHS, suffix=".mps")
@example(sheet=LONG, suffix=".lp")
def test_the_solutions_are_those_of_exact_arithmetic(
    tmp_path_factory: pytest.TempPathFactory, sheet: Sheet, suffix: str
) -> None:
    folder = tmp_path_factory.mktemp("exact")
    model, wanted = sheet.read(folder, suffix), sheet.solutions()
    pool = enumerate_all(model)
    assert pool.complete
    assert set(pool.points) == wanted
    size = range(len(sheet.cost))
    for point in itertools.chain(*(itertools.combinations(size, n) for n in range(5))):
        assert (model.violated(point) is None) == (point in wanted)
        assert model.objective(point) == float(sheet.objective(point))
    # What the rows come to has the same solutions.
    rows = model_rows(model)
    for point in wanted:
        assert rows.zero.isdisjoint(point)
        assert all(len(columns.intersection(point)) == total for columns, total in rows.equations)


@pytest.mark.long
@settings(deadline=None)
@given(sheet=sheets(), suffix=st.sampled_from([".lp", ".mps"]))
def test_what_is_read_is_written_again_exactly(
    tmp_path_factory: pytest.TempPathFactory, sheet: Sheet, suffix: str
) -> None:
    folder = tmp_path_factory.mktemp("again")
    model = sheet.read(folder, suffix)
    for writer, other in ((lp_text, ".lp"), (mps_text, ".mps")):
        path = folder / f"again{other}"
        path.write_text(writer(model))
        again = read_model(path)
        assert again.costs == model.costs
        for row in range(len(model.rows)):
            assert again.row(row) == model.row(row)


def is_within_tolerance(sheet: Sheet, chosen: Point) -> bool:
    """Whether a point holds as docs/reference/commands/check.md says of rows of integers."""
    for numbers, relation, side in sheet.rows:
        terms = [Fraction(numbers[column]) for column in chosen]
        beyond = sum(terms) - Fraction(side)
        outside = {"<=": beyond, ">=": -beyond, "=": abs(beyond)}[relation]
        whole = all(Fraction(number).denominator == 1 for number in numbers)
        if outside > (0 if whole else Fraction(1, 10**6) * max(1, sum(map(abs, terms)))):
            return False
    return True


@pytest.mark.long
@settings(max_examples=40, deadline=None)
@given(sheet=st.one_of(sheets(), sheets(PLAIN, "0.1")), solver=st.sampled_from(["highs", "cbc"]))
@example(sheet=SMALL, solver="highs")
@example(sheet=GREAT, solver="highs")
@example(sheet=BESIDE, solver="cbc")
@example(sheet=TENTHS, solver="highs")
@example(sheet=TENTHS, solver="cbc")
@example(sheet=NEAR, solver="cbc")
def test_a_solver_s_answer_is_right_or_refused(
    tmp_path_factory: pytest.TempPathFactory, sheet: Sheet, solver: str
) -> None:
    need_solver(solver)
    model, wanted = sheet.read(tmp_path_factory.mktemp("solve"), ".lp"), sheet.solutions()
    try:
        found = solve(model, solver=solver)
    except SolverFailed:
        # It works in floating point, and its answer did not survive the check.
        assert not sheet.plain
        return
    if found.status == "infeasible":
        assert not wanted
        return
    assert found.status in ("optimal", "feasible")
    assert found.exact == (found.chosen in wanted)
    assert found.exact or is_within_tolerance(sheet, found.chosen)


@pytest.mark.long
@pytest.mark.parametrize("solver", SOLVERS)
def test_small_and_great_rows_are_solved(solver: str, tmp_path: Path) -> None:
    """Rows are made whole before a solver, whose tolerance is 1e-6, gets them."""
    need_solver(solver)
    for sheet, chosen in ((SMALL, (0, 1)), (GREAT, ()), (BESIDE, ()), (TENTHS, (0, 1, 2))):
        found = solve(sheet.read(tmp_path, ".lp"), solver=solver)
        assert (found.status, found.chosen) == ("optimal" if chosen else "infeasible", chosen)


@pytest.mark.parametrize("solver", [name for name in SOLVERS if name != "z3"])
def test_bounds_of_integers_are_rounded_exactly(solver: str, tmp_path: Path) -> None:
    """Bounds that read as 2.0 and 1.0 exclude 2 and 1."""
    need_solver(solver)
    path = tmp_path / "m.lp"
    bounds = f" 0 <= x <= 1.{30 * '9'}\n 1.{30 * '0'}1 <= y <= 3\n"
    path.write_text(
        f"Maximize\n o: x - y\nSubject To\n r: x + y <= 5\nBounds\n{bounds}Generals\n x y\nEnd\n"
    )
    found = solve(read_model(path), solver=solver)
    assert (found.status, found.point) == ("optimal", {0: 1, 1: 2})


@pytest.mark.long
@pytest.mark.parametrize("solver", SOLVERS)
def test_small_and_great_objectives_are_minimised(solver: str, tmp_path: Path) -> None:
    need_solver(solver)
    for unit in ("e-8", "e-12", "e9"):
        sheet = Sheet(tuple(v + unit for v in ("-1", "-2", "3")), ((("1", "1", "0"), "=", "1"),))
        found = solve(sheet.read(tmp_path, ".lp"), solver=solver)
        assert (found.status, found.chosen) == ("optimal", (1,))
        assert found.objective == float(sheet.objective((1,)))


# What is changed in the model of the instance, into what, and how many solutions are left.
ROWS = {
    "a great scale": (
        "dom_a00 + squ_a01 = 1",
        "1000000000 dom_a00 + 1000000000 squ_a01 = 1000000001",
        0,
    ),
    "a right-hand side beside 1": ("dom_a00 + squ_a01 = 1", "dom_a00 + squ_a01 = 1.000000001", 0),
    "twenty digits": ("dom_a00 + squ_a01 = 1", "dom_a00 + squ_a01 = 1.00000000000000000001", 0),
    "a sum of two": ("dom_a00 + squ_a01 = 1", "1e-9 dom_a00 + 1e-9 squ_a01 = 2e-9", 0),
    "a small row more": ("Binaries", "more: 1e-9 dom_a00 <= 0\nBinaries", 1),
    "a smaller row more": ("Binaries", "more: 1e-300 dom_a00 <= 0\nBinaries", 1),
    "a coefficient beside 1": ("dom_a00 + squ_a01 = 1", "0.999999999 dom_a00 + squ_a01 = 1", 1),
}


@pytest.mark.parametrize("change", ROWS)
def test_a_model_that_differs_by_little_is_another_model(
    change: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "m.lp"
    assert main(["export", "tiny", "-o", str(path)]) == 0
    old, new, left = ROWS[change]
    assert old in path.read_text()
    path.write_text(path.read_text().replace(old, new))
    capsys.readouterr()
    assert main(["check", "tiny", str(path)]) == 1
    said = capsys.readouterr().out
    assert "is not a model of this instance" in said
    shown = re.search(r"whose sum is (\S+), not \S+ (\S+)", said)
    assert shown is None or Fraction(shown[1]) != Fraction(shown[2])
    every = enumerate_all(read_model(path))
    assert (every.count, every.complete) == (left, True)


@pytest.mark.parametrize("scale", ["1e-9", "1e-30", "0.3", "12345678901", "1e15"])
def test_a_scaled_row_is_the_same_row(
    scale: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "m.lp"
    assert main(["export", "tiny", "-o", str(path)]) == 0
    new = f"{scale} dom_a00 + {scale} squ_a01 = {scale}"
    path.write_text(path.read_text().replace("dom_a00 + squ_a01 = 1", new))
    assert main(["check", "tiny", str(path)]) == 0
    assert "the same columns and rows" in capsys.readouterr().out
    assert enumerate_all(read_model(path)).count == 2


@pytest.mark.parametrize(
    ("number", "fault"),
    [
        ("1e-400", "found '1e-400', too small a number; leave it out"),
        ("0." + "3" * 400, "found a number of over 400 characters; round it"),
        ("1e400", "found '1e400' where a number should stand; the greatest number is 1.8e308"),
        ("1e20", "row 'r0' has a coefficient of 1e\\+20 or more, which solvers take for infinite"),
    ],
)
@pytest.mark.parametrize("suffix", [".lp", ".mps"])
def test_numbers_that_no_model_has_are_refused(
    number: str, fault: str, suffix: str, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match=fault):
        equation((number, "1"), "1").read(tmp_path, suffix)
    if number == "1e20":
        costly = Sheet((number, "1"), ((("1", "1"), "=", "1"),))
        with pytest.raises(InputError, match="the objective has a coefficient of 1e\\+20 or more"):
            costly.read(tmp_path, suffix)


@pytest.mark.parametrize("zero", ["0", "0.0", "-0", "0e999999999", "0.00e-5", ".0"])
def test_zero_is_zero_however_it_is_written(zero: str, tmp_path: Path) -> None:
    model = equation(("1", zero), "1").read(tmp_path, ".mps")
    assert model.nonzeros == 1


def test_whole_numbers_stay_whole_numbers(tmp_path: Path) -> None:
    """So that a placement model is read as fast as ever."""
    model = equation(("1", "3"), "4").read(tmp_path, ".lp")
    assert not model.exact
    assert [type(v) for v in model.numbers("value", range(2))] == [int, int]


@pytest.mark.long
@given(
    st.dictionaries(st.integers(0, 3), st.fractions(max_denominator=50), max_size=4),
    st.fractions(-3, 3, max_denominator=60),
    st.fractions(-3, 3, max_denominator=60),
)
def test_a_row_in_whole_numbers_has_the_same_points(
    terms: dict[int, Fraction], low: Fraction, high: Fraction
) -> None:
    whole, least, most = whole_row(terms, low, high)
    assert all(type(v) is int and v for v in whole.values())
    assert math.gcd(*whole.values()) in (0, 1)
    for point in itertools.product((0, 1), repeat=4):
        total = sum(v * point[c] for c, v in terms.items())
        assert (low <= total <= high) == (
            least <= sum(v * point[c] for c, v in whole.items()) <= most
        )
