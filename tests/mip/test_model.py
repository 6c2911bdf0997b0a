"""A model of binary variables if nothing else is given, and of any others."""

from __future__ import annotations

import math
import re
from array import array
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calmip.mip.display import row_words
from calmip.mip.model import Bound, Model, inexact

ROWS = [("r", {0: 1.0, 1: 2.0}, 0.0, 2.0)]


def test_variables_are_binary_unless_bounds_or_kinds_are_given() -> None:
    model = Model.from_rows(["x", "y"], ROWS)
    assert model.binary
    assert model.column_lower.tolist() == [0.0, 0.0]
    assert model.column_upper.tolist() == [1.0, 1.0]
    assert model.integer.tolist() == [1, 1]


def test_the_repr_of_a_model_fits_a_line() -> None:
    model = Model.from_rows([f"x{number}" for number in range(1000)], ROWS, name="many")
    assert repr(model) == "<Model many: 1000 columns, 1 rows, 2 nonzeros>"


@pytest.mark.parametrize(
    ("lower", "upper", "integer", "binary"),
    [
        ((0, 0), (1, 1), (1, 0), False),
        ((0, 0), (1, 2), (1, 1), False),
        ((0, -1), (1, 1), (1, 1), False),
        ((0, 0), (1, math.inf), (1, 1), False),
        ((0, -0.5), (1, 1.5), (1, 1), True),  # integers from -0.5 to 1.5 are 0 and 1
        ((0, 1), (0, 1), (1, 1), True),
    ],
)
def test_a_model_is_binary_if_each_variable_is_an_integer_from_0_to_1(
    lower: tuple[float, ...], upper: tuple[float, ...], integer: tuple[int, ...], binary: bool
) -> None:
    model = Model.from_rows(
        ["x", "y"],
        ROWS,
        column_lower=array("d", lower),
        column_upper=array("d", upper),
        integer=array("b", integer),
    )
    assert model.binary is binary
    assert model.changed(name="other").column_upper.tolist() == list(upper)


NUMBERS = st.one_of(
    st.integers(-5, 5),
    st.sampled_from([0.1, -0.3, 2.5, 1e-7, 1e6, Fraction(1, 3), 2**60 + 1, Fraction(7, 6)]),
)
SIDES = st.one_of(NUMBERS, st.just(math.inf))


@st.composite
def models_and_points(draw: st.DrawFn) -> tuple[Any, ...]:
    """A model with its exact rows, bounds of rows and columns, and costs; and a point."""
    width, height = draw(st.integers(1, 4)), draw(st.integers(0, 4))
    matrix = [[draw(NUMBERS) for _ in range(width)] for _ in range(height)]
    rows = [(-draw(SIDES), draw(SIDES)) for _ in range(height)]
    columns = [(-draw(SIDES), draw(SIDES)) for _ in range(width)]
    cost = [draw(NUMBERS) for _ in range(width)]
    integer = [draw(st.booleans()) for _ in range(width)]
    flat = [value for row in matrix for value in row]
    model = Model.from_rows(
        [f"x{c}" for c in range(width)],
        [
            (f"r{r}", dict(enumerate(map(float, matrix[r]))), float(low), float(high))
            for r, (low, high) in enumerate(rows)
        ],
        list(map(float, cost)),
        column_lower=array("d", (float(low) for low, _ in columns)),
        column_upper=array("d", (float(high) for _, high in columns)),
        integer=array("b", integer),
        maximise=draw(st.booleans()),
        offset=2.5,
        exact={
            **inexact("value", flat),
            **inexact("cost", cost),
            **inexact("lower", [low for low, _ in rows]),
            **inexact("upper", [high for _, high in rows]),
            **inexact("column_lower", [low for low, _ in columns]),
            **inexact("column_upper", [high for _, high in columns]),
        },
    )
    whole = st.integers(-6, 6)
    value = st.one_of(whole, st.fractions(-6, 6, max_denominator=7))
    point = {c: draw(value) for c in range(width) if draw(st.booleans())}
    return model, matrix, rows, columns, cost, point


def exactly(number: Bound) -> Fraction:
    """Return the number whose decimal text this is."""
    return Fraction(repr(number)) if isinstance(number, float) else Fraction(number)


def outside(value: Fraction, low: Bound, high: Bound) -> Fraction | None:
    """Return the distance to a range, None within it."""
    if low != -math.inf and value < exactly(low):
        return exactly(low) - value
    if high != math.inf and value > exactly(high):
        return value - exactly(high)
    return None


@pytest.mark.parametrize("bits", [0, 256])
def test_no_sum_is_rounded(bits: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("calmip.mip.model.MAX_SCALE_BITS", bits)
    rows = [("a", {0: 1 / 3, 1: 1.0}, 1.0, 1.0), ("b", {1: 1.0}, -math.inf, 2.0**60)]
    exact = {("value", 0): Fraction(1, 3), ("upper", 1): 2**60 + 1}
    bounds = array("d", [-math.inf] * 2), array("d", [math.inf] * 2)
    model = Model.from_rows(
        ["x", "y"],
        rows,
        column_lower=bounds[0],
        column_upper=bounds[1],
        integer=array("b", [0, 0]),
        exact=exact,
    )
    for most in (2**60, 2**60 + 1):
        assert model.violated({0: 3 - 3 * most, 1: most}) is None
    assert model.violated({0: -3 - 3 * 2**60, 1: 2**60 + 2}) == 1
    assert model.violated({0: Fraction(5, 2), 1: Fraction(1, 6)}) is None


@pytest.mark.long
@pytest.mark.parametrize("bits", [0, 256])
@given(found=models_and_points())
def test_points_are_judged_as_in_fractions(bits: int, found: tuple[Any, ...]) -> None:
    """Also if no small number makes all rows whole."""
    model, matrix, rows, columns, cost, point = found
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("calmip.mip.model.MAX_SCALE_BITS", bits)
        model.violated(point)
    wanted: list[tuple[str, int, Fraction]] = []
    for number, (row, (low, high)) in enumerate(zip(matrix, rows, strict=True)):
        total = sum((exactly(value) * point.get(c, 0) for c, value in enumerate(row)), Fraction())
        if (far := outside(total, low, high)) is not None:
            wanted.append(("row", number, far))
    first = next((number for _, number, _ in wanted), None)
    for number, (low, high) in enumerate(columns):
        value = Fraction(point.get(number, 0))
        off = (far := outside(value, low, high)) is not None
        fractional = bool(model.integer[number]) and value.denominator != 1
        if first is None and (off or fractional):
            first = len(rows) + number
        if far is not None:
            wanted.append(("bound", number, far))
        if fractional:
            wanted.append(("integrality", number, abs(value - round(value))))
    # Where a range is empty, either end may be the nearest.
    crossed = {("row", n) for n, (low, high) in enumerate(rows) if low > high}
    crossed |= {("bound", n) for n, (low, high) in enumerate(columns) if low > high}
    seen = [(each.kind, each.number, each.amount) for each in model.violations(point)]
    assert [each for each in seen if each[:2] not in crossed] == [
        each for each in wanted if each[:2] not in crossed
    ]
    assert {each[:2] for each in seen} == {each[:2] for each in wanted}
    assert model.violated(point) == first
    total = sum((exactly(value) * point.get(c, 0) for c, value in enumerate(cost)), Fraction())
    total = (-total if model.maximise else total) + Fraction(5, 2)
    assert model.exact_objective(point) == total
    assert model.objective(point) == float(total)
    for number, bounds in enumerate(columns):
        low, high = model.bounds(number)
        assert (low, high) == tuple(b if math.isinf(b) else exactly(b) for b in bounds)


@pytest.mark.long
@given(models_and_points(), st.sets(st.integers(0, 3)))
def test_the_columns_that_are_one_are_a_point(found: tuple[Any, ...], ones: set[int]) -> None:
    model = found[0]
    ones = {one for one in ones if one < len(model.columns)}
    point = dict.fromkeys(ones, 1)
    assert model.violated(ones) == model.violated(point)
    assert model.objective(ones) == model.objective(point)


@pytest.mark.long
@given(models_and_points())
def test_a_row_in_whole_numbers_has_the_same_solutions(found: tuple[Any, ...]) -> None:
    model, matrix, rows, *_, point = found
    point = {c: round(v) if model.integer[c] else v for c, v in point.items()}
    if model.binary:
        point = {c: v % 2 for c, v in point.items()}
    for number, (row, (low, high)) in enumerate(zip(matrix, rows, strict=True)):
        terms, least, most = model.row(number)
        assert all(type(value) is int for value in terms.values())
        total = sum((exactly(value) * point.get(c, 0) for c, value in enumerate(row)), Fraction())
        whole = sum(value * point.get(c, 0) for c, value in terms.items())
        assert (least <= whole <= most) == (outside(total, low, high) is None)


def test_a_column_that_the_model_does_not_have_is_no_part_of_a_point() -> None:
    model = Model.from_rows(["x", "y"], ROWS, integer=array("b", [1, 0]))
    with pytest.raises(IndexError, match="no column 2"):
        model.violated({2: 1})
    with pytest.raises(IndexError):
        model.violated([2])


def test_a_point_of_ones_leaves_the_bounds_of_a_fixed_column() -> None:
    model = Model.from_rows(["x", "y"], ROWS, column_lower=array("d", [0, 1]))
    assert model.binary
    assert model.violated([1]) is None
    assert model.violated([]) == 2  # the row holds; 2 is one row and column 1
    assert model.violated([0, 1]) == 0


EXACT_NUMBERS = st.one_of(st.integers(-9, 9), st.fractions(max_denominator=99))
ROWS_OF_NUMBERS = st.dictionaries(st.integers(0, 15), EXACT_NUMBERS)
ENDS = st.tuples(EXACT_NUMBERS, EXACT_NUMBERS).map(sorted)


@pytest.mark.long
@given(ROWS_OF_NUMBERS, ENDS, st.sampled_from(["both", "low", "high"]))
def test_a_row_in_words_has_its_exact_numbers(
    terms: dict[int, int | Fraction], ends: list[int | Fraction], finite: str
) -> None:
    low: Bound = -math.inf if finite == "high" else ends[0]
    high: Bound = math.inf if finite == "low" else ends[1]
    names = "abcdefghijklmnop"
    text = row_words(terms, low, high, names, most=16)
    left, _, right = text.partition(" = ")
    if low == high:
        assert Fraction(right) == low
    elif finite == "both":
        first, left, last = text.split(" <= ")
        assert (Fraction(first), Fraction(last)) == (low, high)
    else:
        left, right = text.split(" >= " if finite == "low" else " <= ")
        assert Fraction(right) == (low if finite == "low" else high)
    found = re.findall(r"(?:^|([+-]) ?|^(-))((?:[\d.e/-]+ )?)([a-p])(?= |$)", left)
    numbers = {
        names.index(name): Fraction(size or 1) * (-1 if "-" in (one, other) else 1)
        for one, other, size, name in found
    }
    assert numbers == {column: value for column, value in terms.items() if value}
    short = row_words(terms, low, high, names, most=2)
    assert ("..." in short) is (sum(map(bool, terms.values())) > 2)


def test_a_model_whose_file_has_no_name_goes_by_the_file() -> None:
    model = Model.from_rows(["x", "y"], ROWS, name="model", source="folder/staff.lp")
    assert model.title == "staff.lp"
    assert model.changed(source="").title == "model"
    assert model.changed(name="own").title == "own"
