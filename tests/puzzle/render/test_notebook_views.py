"""What notebooks show: pictures that are well-formed and say what they show."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest

import calmip
from calmip import SolutionPool
from calmip.puzzle.render.notebook import MAX_DRAWN_TILINGS

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def pool() -> SolutionPool:
    return calmip.enumerate(calmip.read_instance("instances/feb29.yaml"))


def texts(svg: str) -> str:
    root = ET.fromstring(svg)
    assert root.tag == f"{SVG}svg"
    return " ".join("".join(element.itertext()) for element in root.iter())


def test_board_piece_puzzle_and_tiling_are_drawn(pool: SolutionPool) -> None:
    puzzle = calmip.read_puzzle("a-puzzle-a-day")
    assert "Feb" in texts(puzzle.board._repr_svg_())
    assert "Feb" in texts(puzzle._repr_svg_())
    for piece in puzzle.pieces:
        texts(piece._repr_svg_())
    assert "29" in texts(pool.tilings[0]._repr_svg_())


def test_a_pool_says_how_many_and_shows_the_first(pool: SolutionPool) -> None:
    html = pool._repr_html_()
    root = ET.fromstring(html)
    assert root.tag == "div"
    assert html.startswith(
        f"<div><p>64 tilings, proved complete; the first {MAX_DRAWN_TILINGS} are shown</p>"
    )
    assert len(root.findall(f"{SVG}svg")) == 1
    some = SolutionPool(pool.instance, pool.tilings[:1], complete=False)._repr_html_()
    assert some.startswith("<div><p>1 tiling, there may be more</p>")
    none = SolutionPool(pool.instance, (), complete=True)._repr_html_()
    assert none == "<div><p>0 tilings, proved complete</p></div>"
