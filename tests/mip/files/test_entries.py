"""Coefficients while a file is read, and the lines of MPS files that are read many at a time."""

import math
import random
from collections.abc import Iterator
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import calmip
from calmip.mip.files import mps
from calmip.mip.files.entries import Entries, plain_numbers
from calmip.mip.files.mps import read_mps
from calmip.mip.files.text_source import Lines, TextFile
from calmip.mip.model import Model, decimal_of

NUMBERS = ("1", "-1", "+2", "0", "0.5", "1e3", ".25", "7.", "1d2", "0.1", "1.0e-05", "9.3e-05")
LONG = (
    "0.30000000000000004",
    "9007199254740993",
    "1e-320",
    "1e400",
    "nan",
    "1_0",
    "x",
    "12345678901234567e-3",
)


def texts() -> st.SearchStrategy[str]:
    return st.one_of(
        st.sampled_from((*NUMBERS, *LONG)),
        st.floats(allow_nan=False, allow_infinity=False).map(repr),
        st.decimals(allow_nan=False, allow_infinity=False, places=4).map(str),
        st.integers().map(str),
        st.text("0123456789.eE+-_ ", max_size=18).filter(str.strip),
    )


@pytest.mark.long
@given(st.lists(texts(), min_size=1, max_size=4))
def test_a_float_stands_for_the_number_in_the_text(some: list[str]) -> None:
    found = plain_numbers(some)
    if found is not None:
        assert [decimal_of(value) for value in found] == [Fraction(text) for text in some]
        assert all(map(math.isfinite, found))


def test_usual_numbers_are_read_at_once() -> None:
    assert plain_numbers(["1", "-2.5", "0", "+3", ".5", "1e-05", "0.30000000000000004"]) is not None
    for text in (
        "nan",
        "inf",
        "1_0",
        "x",
        "",
        "9007199254740993",
        "1e400",
        "\N{FULLWIDTH DIGIT ONE}",
    ):
        assert plain_numbers(["1", text]) is None


@pytest.mark.long
@given(
    st.lists(
        st.tuples(
            st.integers(0, 3),
            st.integers(0, 4),
            st.one_of(st.integers(-3, 3), st.fractions(), st.just(2**60 + 1)),
        ),
        max_size=12,
    ),
    st.sets(st.integers(0, 3)),
)
def test_entries_are_those_of_rows_added_up(
    some: list[tuple[int, int, int | Fraction]], left_out: set[int]
) -> None:
    entries, expected = Entries(), [{} for _ in range(4)]  # type: ignore[var-annotated]
    for row, column, value in some:
        entries.add(row, column, value)
        expected[row][column] = expected[row].get(column, 0) + value
    rows = [{c: v for c, v in sorted(terms.items()) if v} for terms in expected]
    found = entries.by_row(4)
    assert [found.of_row(row) for row in range(4)] == rows
    assert [list(found.of_row(row)) for row in range(4)] == [list(terms) for terms in rows]
    assert all(found.values)
    kept = found.without_rows(left_out)
    assert [kept.of_row(row) for row in range(len(kept.start) - 1)] == [
        terms for row, terms in enumerate(rows) if row not in left_out
    ]


def mps_lines(draw: random.Random) -> Iterator[str]:
    """Yield the lines of a random MPS file, which often has a fault or an unusual line."""
    rows = [f"r{n}" for n in range(draw.randint(1, 4))]
    yield from (
        "NAME m",
        "ROWS",
        " N cost",
        " N free",
        *(f" {draw.choice('LGE')} {row}" for row in rows),
    )
    yield "COLUMNS"
    columns = [f"x{n}" for n in range(draw.randint(1, 8))]
    marked = False
    for column in columns:
        if draw.random() < 0.2:
            marked = not marked
            yield f" M MARKER {'INTORG' if marked else 'INTEND'}"
        for row in draw.sample([*rows, "cost"], draw.randint(1, len(rows) + 1)):
            number = draw.choice(NUMBERS if draw.random() < 0.98 else LONG)
            yield f" {column}  {row} {number}"
            if draw.random() < 0.03:
                yield draw.choice(
                    [
                        f" {column} {row} 1",
                        f" {column} none 1",
                        f" {column} free 1",
                        f" {draw.choice(columns)} {draw.choice(rows)} 1",
                        f"{column} {row} 1",
                        f" {column} {row}",
                        f" {column} r0 1 r1 2",
                        "* a comment",
                        "",
                        " ",
                        f" {column} $ a comment",
                        "RHS",
                        "BOUNDS",
                        "COLUMNS",
                        " UP b y 3",
                    ]
                )
    if marked:
        yield " M MARKER INTEND"
    yield from ("RHS", f" r {rows[0]} 1.5", "BOUNDS")
    yield from (f" UP b {column} {draw.choice(('1', '2.5', '1e30'))}" for column in columns)
    if draw.random() < 0.9:
        yield "ENDATA"


def read_or_error(lines: Lines) -> Model | str:
    try:
        return read_mps(TextFile("m.mps", lines))
    except calmip.InputError as error:
        return str(error)


@pytest.mark.parametrize("size", [1, 3, 1000])
def test_lines_read_at_once_are_those_read_one_by_one(
    size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Lines, "BLOCK", 10 * size)
    taken = [0, 0]
    take = mps.MpsReader.take_entries

    def counted(reader: mps.MpsReader, fields: list[list[str]]) -> bool:
        found = take(reader, fields)
        taken[found] += len(fields)
        return found

    kinds = {Model: 0, str: 0}
    for seed in range(150):
        lines = Lines("\n".join(mps_lines(random.Random(seed))))
        with monkeypatch.context() as patch:
            patch.setattr(mps.MpsReader, "take_entries", lambda *_: False)
            expected = read_or_error(lines)
        with monkeypatch.context() as patch:
            patch.setattr(mps, "BLOCK", size)
            patch.setattr(mps.MpsReader, "take_entries", counted)
            found = read_or_error(lines)
        assert type(found) is type(expected), (seed, found, expected)
        kinds[type(found)] += 1
        if isinstance(found, Model) and isinstance(expected, Model):
            assert vars(found) == vars(expected)
        else:
            assert found == expected
    assert min(kinds.values()) > 20
    assert taken[True] > 200
