"""Many tilings on a sheet: each in its place, with its caption, and pages of one scale."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calmip import Board, InputError, Instance, Piece, Puzzle, Tiling
from calmip.puzzle.cover import Placement
from calmip.puzzle.render.picture import Area, Mark, Picture, Words
from calmip.puzzle.render.tiles import CAPTION, GAP, MARGIN, day_picture, sheet_pages, sheet_picture

SPACE = 0.25
"""Between a tiling and its caption."""


def tiling(width: int, height: int = 1) -> Tiling:
    """Return the tiling of a rectangle by one piece, all but its first cell."""
    rows = [" ".join(str(r * width + c + 1) for c in range(width)) for r in range(height)]
    board = Board.from_text(rows)
    piece = Piece("A", board.cells[1:])
    instance = Instance(Puzzle("strip", board, (piece,), {"day": ("1",)}), ("1",))
    return Tiling(instance, (Placement("A", board.cells[1:]),), ("1",))


def box(marks: list[Mark]) -> tuple[float, float, float, float]:
    points = [p for mark in marks if isinstance(mark, Area) for loop in mark.loops for p in loop]
    across, down = [x for x, _ in points], [y for _, y in points]
    return min(across), min(down), max(across), max(down)


def split(picture: Picture, tilings: list[Tiling]) -> list[tuple[list[Mark], Words]]:
    """Return the marks of each tiling, and its caption after them."""
    marks = list(picture.marks)
    found = []
    for one in tilings:
        count = len(day_picture(one.instance, one).marks)
        own, (caption, *_) = marks[:count], marks[count:]
        assert isinstance(caption, Words)
        found.append((own, caption))
        marks = marks[count + 1 :]
    assert marks == []
    return found


@pytest.mark.long
@given(
    sizes=st.lists(st.tuples(st.integers(2, 5), st.integers(1, 4)), min_size=1, max_size=9),
    columns=st.integers(1, 4),
    rows=st.none() | st.integers(1, 5),
)
@settings(deadline=None, max_examples=40)
def test_tilings_stand_row_by_row(
    sizes: list[tuple[int, int]], columns: int, rows: int | None
) -> None:
    tilings = [tiling(*size) for size in sizes]
    wide, high = max(w for w, _ in sizes), max(h for _, h in sizes) + CAPTION + SPACE
    picture = sheet_picture(tilings, columns=columns, rows=rows)
    across = columns if rows is not None else min(columns, len(tilings))
    under = max(rows or 1, math.ceil(len(tilings) / across))
    assert picture.width == pytest.approx(across * (wide + GAP) - GAP + 2 * MARGIN)
    assert picture.height == pytest.approx(under * (high + GAP) - GAP + 2 * MARGIN)
    for number, (own, caption) in enumerate(split(picture, tilings)):
        left = MARGIN + number % across * (wide + GAP)
        top = MARGIN + number // across * (high + GAP)
        width, height = sizes[number]
        # In the middle of its column, at the top of its row.
        middle = left + wide / 2
        assert box(own) == pytest.approx(
            (middle - width / 2, top, middle + width / 2, top + height)
        )
        assert (caption.x, caption.y) == pytest.approx((middle, top + high - CAPTION / 2))
        assert caption.text == str(number + 1)
        assert caption.size <= CAPTION


@pytest.mark.parametrize(
    ("size", "count", "columns"),
    [((7, 7), 12, 4), ((7, 7), 64, 10), ((3, 1), 1, 1), ((3, 1), 30, 5), ((1, 9), 4, 4)],
)
def test_a_sheet_is_a_little_wider_than_high(
    size: tuple[int, int], count: int, columns: int
) -> None:
    tilings = [tiling(*size)] * count
    picture = sheet_picture(tilings)
    wide, high = size[0] + GAP, size[1] + CAPTION + SPACE + GAP
    assert picture.width == pytest.approx(columns * wide - GAP + 2 * MARGIN)
    # No more columns than tilings; else what is nearest to 1.3 by 1, as far as a root says.
    ideal = math.sqrt(1.3 * count * high / wide)
    assert abs(columns - ideal) <= 0.5 or columns == count


def test_captions_and_titles() -> None:
    tilings = [tiling(3)] * 2
    picture = sheet_picture(
        tilings, captions=["x", "a caption that is far too long for so small a picture"]
    )
    first, second = (words for _, words in split(picture, tilings))
    assert (first.text, first.size, first.role) == ("x", CAPTION, "quiet")
    assert second.text.endswith("…")
    assert second.size < CAPTION
    assert (picture.title, picture.description) == (
        "strip: 2 tilings",
        "2 tilings of strip, row by row.",
    )
    assert sheet_picture(tilings[:1]).title == "strip: 1 tiling"
    with pytest.raises(InputError, match="at least one tiling"):
        sheet_picture([])


def test_pages_are_filled_and_numbered_through() -> None:
    tilings = [tiling(3)] * 13
    pages = sheet_pages(tilings, rows=2, columns=3)
    captions = [
        [mark.text for mark in page.marks if isinstance(mark, Words) and mark.role == "quiet"]
        for page in pages
    ]
    assert captions == [[str(n) for n in range(first, min(first + 6, 14))] for first in (1, 7, 13)]
    assert len({(page.width, page.height) for page in pages}) == 1
    assert pages[0].width == pytest.approx(3 * (3 + GAP) - GAP + 2 * MARGIN)
    assert pages[0].height == pytest.approx(2 * (1 + CAPTION + SPACE + GAP) - GAP + 2 * MARGIN)
    assert len(sheet_pages(tilings)) == 1
    assert len(sheet_pages([tiling(3)] * 20)) == 1
    assert len(sheet_pages([tiling(3)] * 21)) == 2


def test_a_sheet_has_one_column_at_least() -> None:
    picture = sheet_picture([tiling(9)], rows=1)
    assert picture.width == pytest.approx(9 + 2 * MARGIN)
    assert picture.height == pytest.approx(1 + CAPTION + SPACE + 2 * MARGIN)
