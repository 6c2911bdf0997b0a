"""SVG: well-formed, safe, and the polygons are the cells."""

from __future__ import annotations

import itertools
import math
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import solvable_instances

import calmip
from calmip import Board, Instance, Piece, Puzzle, Tiling, read_instance, read_puzzle
from calmip.puzzle.cover import ExactCover
from calmip.puzzle.lattice import LATTICES, SQUARE, Lattice
from calmip.puzzle.render.outline import area
from calmip.puzzle.render.palette import THEMES, colour
from calmip.puzzle.render.picture import Area, Words, fit, text_width
from calmip.puzzle.render.svg import svg_of
from calmip.puzzle.render.tiles import (
    _roles,
    board_picture,
    piece_picture,
    puzzle_picture,
    shares_picture,
    sheet_pages,
    sheet_picture,
    tiling_picture,
)
from calmip.puzzle.search.exact_cover.search import solutions

DATA = Path(__file__).parents[2] / "data" / "pictures"
SVG = "{http://www.w3.org/2000/svg}"

EVIL = ["<script>alert(1)</script>", "&amp;", "\"'><b", "]]>", "<!--", "${x}", "{{x}}", "$a_b$"]


def first_tiling(instance: Instance) -> Tiling:
    cover = ExactCover(instance)
    return Tiling.from_options(cover, next(solutions(cover, limit=1)))


def least_tiling(source: str, labels: str) -> Tiling:
    """Return a tiling that does not depend on the order of the search."""
    found = calmip.enumerate(read_instance(source, reveal=labels)).tilings
    return min(found, key=lambda tiling: tiling.placements)


def polygons(path: str) -> list[list[tuple[float, float]]]:
    return [
        [tuple(map(float, corner.split())) for corner in loop.split("L")]
        for loop in re.findall(r"M([^Z]*)Z", path)
    ]


def filled(root: ElementTree.Element, shades: set[str]) -> float:
    return sum(
        area(polygons(path.get("d", "")))
        for path in root.iter(f"{SVG}path")
        if path.get("fill") in shades
    )


@pytest.mark.long
@pytest.mark.parametrize("lattice", LATTICES.values(), ids=LATTICES)
@settings(deadline=None)
@given(st.lists(st.integers(1, 9), min_size=1, max_size=3))
def test_the_stripes_of_a_cell_fill_it_by_their_shares(lattice: Lattice, parts: list[int]) -> None:
    board = Board.from_text(["1 2", "3 4"], lattice)
    pieces = tuple(Piece(name, board.cells[:1]) for name in "ABC")
    instance = Instance(Puzzle("shares", board, (*pieces, Piece("D", board.cells[:1]))))
    shares = [(name, part / sum(parts)) for name, part in zip("ABC", parts, strict=False)]
    picture = shares_picture(instance, dict.fromkeys(board.cells, shares))
    roles = _roles(instance.puzzle)
    stripes = {
        name: [
            abs(area(mark.loops))
            for mark in picture.marks
            if isinstance(mark, Area) and mark.fill == roles[name]
        ]
        for name, _ in shares
    }
    for number, cell in enumerate(board.cells):
        whole = abs(area([lattice.corners(cell)]))
        sizes = [sizes[number] for sizes in stripes.values()]
        assert sum(sizes) == pytest.approx(whole)
        if lattice is SQUARE:
            assert sizes == pytest.approx([share * whole for _, share in shares])
    named = [
        (stripe, mark)
        for stripe, mark in itertools.pairwise(picture.marks)
        if isinstance(stripe, Area) and stripe.fill in roles.values() and isinstance(mark, Words)
    ]
    assert len(named) == len(board.cells) * sum(share > 0.2 for _, share in shares)
    for stripe, name in named:
        across = [x for x, _ in stripe.loops[0]]
        assert name.x == pytest.approx((min(across) + max(across)) / 2)


@pytest.mark.long
@settings(deadline=None)
@given(solvable_instances(), st.sampled_from([*THEMES, "auto"]))
def test_the_areas_are_the_cells(instance: Instance, theme: str) -> None:
    tiling = first_tiling(instance)
    root = ElementTree.fromstring(svg_of(tiling_picture(tiling), theme=theme))
    pieces = {colour(f"p{number}", theme) for number in range(16)}
    bare = sum(len(instance.puzzle.board.labels[label]) for label in tiling.labels)
    assert filled(root, pieces) == pytest.approx(len(tiling.owner))
    board = len(instance.puzzle.board.cells)
    assert filled(root, {colour("board", theme)}) == pytest.approx(board)
    on_page = {colour("bare", theme)} - {colour("paper", theme)}
    if on_page:
        assert filled(root, on_page) == pytest.approx(bare)
    outlined = [p for p in root.iter(f"{SVG}path") if p.get("fill") in pieces]
    assert len(outlined) == len(tiling.placements)
    texts = [text.text for text in root.iter(f"{SVG}text")]
    assert texts == [*tiling.labels, *(placement.piece for placement in tiling.placements)]


def test_hexagons_have_their_area_too() -> None:
    tiling = first_tiling(read_instance("hex43-v1", reveal="Feb,29"))
    root = ElementTree.fromstring(svg_of(tiling_picture(tiling), theme="light"))
    pieces = {colour(f"p{number}", "light") for number in range(16)}
    assert filled(root, pieces) == pytest.approx(41 * math.sqrt(3) / 2, rel=1e-3)


@pytest.mark.parametrize("theme", [*THEMES, "auto"])
@pytest.mark.parametrize("evil", EVIL)
def test_texts_are_only_texts(evil: str, theme: str) -> None:
    board = Board(((evil, "1", "*"),))
    puzzle = Puzzle(f"a\x1b[31m{evil}\u202e\n", board, (Piece(evil, ((0, 0), (0, 1))),))
    tiling = first_tiling(Instance(puzzle, (evil,)))
    pictures = [
        svg_of(tiling_picture(tiling), theme=theme),
        svg_of(board_picture(board), theme=theme),
        svg_of(piece_picture(puzzle.pieces[0]), theme=theme),
        svg_of(puzzle_picture(puzzle), theme=theme),
        svg_of(sheet_picture([tiling] * 3, captions=["1", evil, "\x00\u2066"]), theme=theme),
    ]
    for picture in pictures:
        assert all(mark.isprintable() or mark == "\n" for mark in picture)
        root = ElementTree.fromstring(picture)
        known = {"svg", "title", "desc", "style", "g", "path", "text"}
        assert {element.tag.removeprefix(SVG) for element in root.iter()} <= known
        assert not any(name.startswith("on") for e in root.iter() for name in e.attrib)
    title = ElementTree.fromstring(pictures[0]).findtext(f"{SVG}title")
    assert title == f"a\ufffd[31m{evil}\ufffd : {evil}"


@pytest.mark.parametrize("theme", [*THEMES, "auto"])
def test_pictures_say_what_they_show(theme: str) -> None:
    picture = svg_of(
        tiling_picture(first_tiling(read_instance("instances/tiny.yaml"))), theme=theme
    )
    root = ElementTree.fromstring(picture)
    assert root.get("role") == "img"
    assert root.get("aria-label") == root.findtext(f"{SVG}title")
    assert "uncovered" in (root.findtext(f"{SVG}desc") or "")
    assert not re.search(r'\bid="|href|url\(', picture)
    assert ("prefers-color-scheme" in picture) == (theme == "auto")


GOLDEN = {
    "feb29-light.svg": lambda: svg_of(
        tiling_picture(least_tiling("a-puzzle-a-day", "Feb,29")), theme="light"
    ),
    "hexagons-auto.svg": lambda: svg_of(tiling_picture(least_tiling("hex43-v1", "Jan,1"))),
    "sheet-dark.svg": lambda: svg_of(
        sheet_picture(
            sorted(
                calmip.enumerate(read_instance("instances/tiny.yaml")), key=lambda t: t.placements
            )
        ),
        theme="dark",
    ),
    "two-cell-months.svg": lambda: svg_of(
        board_picture(read_puzzle("lieban-festival").board), theme="light"
    ),
    "puzzle-light.svg": lambda: svg_of(
        puzzle_picture(read_instance("instances/tiny.yaml").puzzle), theme="light"
    ),
}


@pytest.mark.parametrize("name", GOLDEN)
def test_pictures_are_those_that_were_looked_at(name: str) -> None:
    # If a change of the drawing is meant: write the new text and look at it.
    assert GOLDEN[name]() == (DATA / name).read_text(encoding="utf-8")


@pytest.mark.long
def test_sheets_have_all_tilings_and_pages_one_scale() -> None:
    tilings = calmip.enumerate(read_instance("a-puzzle-a-day", reveal="Feb,29")).tilings
    root = ElementTree.fromstring(svg_of(sheet_picture(tilings), theme="light"))
    pieces = {colour(f"p{number}", "light") for number in range(16)}
    # One cell is one unit in the sheet as well.
    assert filled(root, pieces) == pytest.approx(41 * 64, rel=1e-3)
    texts = [text.text for text in root.iter(f"{SVG}text")]
    assert {str(number) for number in range(1, 65)} <= set(texts)
    pages = sheet_pages(tilings)
    assert len(pages) == 4
    assert len({(page.width, page.height) for page in pages}) == 1


def test_more_pieces_than_colours_and_long_names() -> None:
    width = 40
    board = Board.from_text([" ".join(f"L{number}" for number in range(width))])
    pieces = tuple(Piece(f"piece {number} " + "x" * 40, ((0, 0), (0, 1))) for number in range(19))
    tiling = first_tiling(Instance(Puzzle("many", board, pieces), ("L0", "L39")))
    root = ElementTree.fromstring(svg_of(tiling_picture(tiling)))
    names = [text.text or "" for text in root.iter(f"{SVG}text")][2:]
    assert all(name.endswith("…") for name in names)
    assert len(names) == 19
    marks = [mark for mark in tiling_picture(tiling).marks if isinstance(mark, Area)]
    assert len({mark.fill for mark in marks if mark.fill.startswith("p")}) == 16


@settings(deadline=None)
@given(st.text(min_size=1, max_size=60), st.floats(0.5, 5))
def test_texts_fit(text: str, width: float) -> None:
    shown, size = fit(text, width, 0.5, 0.13)
    assert text.startswith(shown.removesuffix("…"))
    assert 0.13 <= size <= 0.5
    assert text_width(shown) * size <= width * 1.0001 or shown == "…"
