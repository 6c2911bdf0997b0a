"""Names of files and texts from them do nothing where they are shown."""

from __future__ import annotations

import csv
import io
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calmip.puzzle.documents.serialise import csv_cell, csv_text
from calmip.puzzle.render.characters import align
from calmip.puzzle.render.escaping import markdown_text

TEXTS = st.text() | st.text("=+-@\t\r\n \xa0\uff1d\uff0b\u202e\x1b|<>*_`#x")


@given(TEXTS)
def test_no_cell_is_a_formula_to_any_spreadsheet(text: str) -> None:
    cell = csv_cell(text)
    assert cell.isprintable()
    start = unicodedata.normalize("NFKC", cell).strip()
    assert not start.startswith(("=", "+", "-", "@"))
    ((read,),) = csv.reader(io.StringIO(csv_text((text,), ()), newline=""))
    assert read == cell


@given(TEXTS)
def test_markdown_takes_nothing_of_a_text_for_markup(text: str) -> None:
    found = markdown_text(text)
    assert found.isprintable()
    rest = found.replace("\\\\", "")
    for mark in "`*[]<>|&~$":
        assert rest.count(mark) == rest.count("\\" + mark)
    assert not found.startswith("#")


def test_plain_names_stay_as_they_are_in_markdown() -> None:
    for name in ("chessboard_10", "l4-10x10", "a b.mps", "1.5", "29. Feb"):
        assert markdown_text(name) == name
    assert markdown_text("_x_ a_b") == r"\_x\_ a_b"


@pytest.mark.long
@given(st.lists(st.tuples(TEXTS, TEXTS), min_size=1))
def test_a_row_of_a_table_is_a_line(rows: list[tuple[str, str]]) -> None:
    lines = align(rows, left=(0, 1))
    assert len(lines) == len(rows)
    assert all(line.isprintable() for line in lines)
