"""The ``repr`` of everything public fits a line, whatever the names are."""

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

import calmip
from calmip._base.errors import short_repr
from calmip.models import FORMULATIONS, build
from calmip.puzzle.lattice import LATTICES

LEAP = calmip.read_instance("a-puzzle-a-day", reveal="Feb,29")


class Thing:
    """A type with a short name."""


@given(st.text(max_size=300))
def test_any_text_becomes_one_line(text: str) -> None:
    shown = short_repr(Thing(), text)
    assert len(shown) <= 100
    assert shown.isprintable()
    assert (shown.startswith("Thing("), shown.endswith(")")) == (True, True)


@pytest.mark.parametrize(
    ("thing", "text"),
    [
        (LEAP, "Instance(a-puzzle-a-day Feb 29: A-Puzzle-A-Day (DragonFjord), Feb 29)"),
        (LEAP.puzzle, "Puzzle(A-Puzzle-A-Day (DragonFjord): 43 cells, 8 pieces)"),
        (LEAP.puzzle.board, "Board(43 cells, square)"),
        (LEAP.puzzle.pieces[0], "Piece(L: 5 cells, square)"),
        (LATTICES["hexagonal"], "Lattice(hexagonal)"),
        (calmip.ExactCover(LEAP), "ExactCover(a-puzzle-a-day Feb 29: 49 items, 872 options)"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_data_is_named_by_its_size(thing: object, text: str) -> None:
    assert repr(thing) == text


def test_a_tiling_is_named_by_its_date() -> None:
    tiling = calmip.solve(LEAP, solver="exact-cover").tiling
    assert repr(tiling) == "Tiling(A-Puzzle-A-Day (DragonFjord), Feb 29: 8 pieces)"


def test_a_free_group_and_placed_pieces_are_named() -> None:
    tiling = calmip.solve(LEAP, solver="exact-cover").tiling
    assert tiling is not None
    begun = dataclasses.replace(LEAP, placed=tiling.placements[:2])
    assert repr(begun).endswith(", Feb 29, 2 pieces placed)")
    free = calmip.Instance(LEAP.puzzle, ("29",), ("month",))
    assert repr(free).endswith(", 29 any month)")


@pytest.mark.parametrize("name", ["matrix", "cells", "packing"])
def test_a_formulation_fits_a_line(name: str) -> None:
    assert name in FORMULATIONS
    assert len(repr(build(name, calmip.ExactCover(LEAP)))) <= 100
