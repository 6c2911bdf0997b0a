"""The reduction loses no tiling, and where it leaves nothing there is none."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import instances, polyforms, solvable_instances

import calmip
from calmip import Board, ExactCover, Instance, Piece, Puzzle
from calmip.puzzle.cover import Reveal
from calmip.puzzle.lattice import HEXAGONAL, SQUARE, Lattice
from calmip.puzzle.search.exact_cover.counting import count
from calmip.puzzle.search.exact_cover.search import solutions
from calmip.puzzle.tiling import Tiling


def brute_force(cover: ExactCover) -> set[frozenset[int]]:
    """Return all solutions by trying every option for the first item that needs one."""
    options = [tuple(cover.items_of(option)) for option in range(cover.columns)]
    found: set[frozenset[int]] = set()

    def search(left: list[int], chosen: tuple[int, ...]) -> None:
        open_item = next((item for item, need in enumerate(left) if need), None)
        if open_item is None:
            found.add(frozenset(chosen))
            return
        for option, items in enumerate(options):
            if open_item in items and all(left[item] for item in items) and option not in chosen:
                search(
                    [need - (item in items) for item, need in enumerate(left)], (*chosen, option)
                )

    search(cover.demand, ())
    return found


def check(cover: ExactCover) -> None:
    used = {cover.option_names[option] for one in brute_force(cover) for option in one}
    assert used <= set(cover.reduced().option_names) <= set(cover.option_names)


@pytest.mark.long
@given(solvable_instances())
def test_no_tiling_is_lost(instance: Instance) -> None:
    cover = ExactCover(instance)
    check(cover)
    assert cover.reduced().columns > 0


@pytest.mark.long
@given(instances())
def test_whether_or_not_there_is_a_tiling(instance: Instance) -> None:
    check(ExactCover(instance))


@pytest.mark.long
@given(solvable_instances(height=3, width=4, largest=4), st.data())
def test_placed_pieces(instance: Instance, data: st.DataObject) -> None:
    cover = ExactCover(instance)
    solution = next(iter(brute_force(cover)))
    placed = Tiling.from_options(cover, solution).placements
    some = data.draw(st.lists(st.sampled_from(placed), unique=True, max_size=len(placed)))
    check(ExactCover(replace(instance, placed=tuple(some))))


@st.composite
def free_instances(draw: st.DrawFn) -> Instance:
    """Draw boards of either lattice: free groups, labels over two cells, equal pieces."""
    lattice: Lattice = draw(st.sampled_from([SQUARE, HEXAGONAL]))
    cells = sorted({(r % 4, c % 4) for r, c in draw(polyforms(lattice, 6, 11))})
    board = {cell: f"L{number}" for number, cell in enumerate(cells)}
    pairs = [
        (one, other) for one in cells for other in lattice.neighbours(one) if other in board
    ]  # a label that stands in two cells
    if pairs and draw(st.booleans()):
        one, other = draw(st.sampled_from(pairs))
        board[other] = board[one]
    rows = tuple(tuple(board.get((r, c), ".") for c in range(4)) for r in range(4))
    labels = list(dict.fromkeys(board.values()))
    groups = {"g": tuple(labels[::2]), "h": tuple(labels[1::2])}
    free = tuple(draw(st.sets(st.sampled_from(sorted(groups)), min_size=1)))
    sizes = [len(Board(rows, lattice).labels[groups[group][0]]) for group in free]
    area = len(cells) - sum(sizes)
    pieces = []
    while area > 0:
        shape = draw(polyforms(lattice, 1, min(area, 3)))
        for _ in range(draw(st.integers(1, 2))):
            if area >= len(set(shape)):
                pieces.append(Piece(f"q{len(pieces)}", tuple(shape), lattice))
                area -= len(set(shape))
    shown = {group: groups[group] for group in free}
    return Instance(
        Puzzle("drawn", Board(rows, lattice), tuple(pieces), shown, flip=draw(st.booleans())),
        (),
        free,
    )


@pytest.mark.long
@given(st.data())
def test_free_groups_equal_pieces_and_hexagons(data: st.DataObject) -> None:
    try:
        instance = data.draw(free_instances())
    except calmip.InputError:
        return
    check(ExactCover(instance))


@pytest.mark.parametrize(
    ("source", "reveal", "most"),
    [
        ("a-puzzle-a-day", "Feb,29", 598),
        ("a-puzzle-a-day", "Oct,6", 462),
        ("praxis-rhombus", "Fri,Feb,29", 754),
    ],
)
def test_what_is_left_of_known_dates(source: str, reveal: str, most: int) -> None:
    """At least as few columns as by areas and pairwise support, in another program."""
    cover = ExactCover(calmip.read_instance(source, reveal=reveal))
    reduced = cover.reduced()
    assert reduced.columns <= most
    assert count(reduced) == count(cover)


@pytest.mark.long
@pytest.mark.parametrize("source", ["a-puzzle-a-day", "lieban-festival", "hex43-v1"])
def test_the_whole_year_keeps_its_number(source: str) -> None:
    cover = ExactCover(calmip.read_instance(source, free=True))
    reduced = cover.reduced()
    assert reduced.columns < cover.columns
    assert count(reduced) == count(cover)


@pytest.mark.long
def test_dates_that_are_refuted_have_no_tiling() -> None:
    """Probing refutes many of the dates that have no tiling without turning over, and no other."""
    refuted = 0
    for month in ("Jan", "Apr", "Dec"):
        for day in range(1, 32):
            instance = calmip.read_instance("a-puzzle-a-day", reveal=f"{month},{day}", flip=False)
            cover = ExactCover(instance)
            if not cover.reduced().columns:
                refuted += 1
                assert next(solutions(cover, limit=1), None) is None
    assert refuted > 0


@pytest.mark.long
@given(solvable_instances(), st.data())
def test_a_restricted_cover_is_the_same_options(instance: Instance, data: st.DataObject) -> None:
    cover = ExactCover(instance)
    kept = sorted(data.draw(st.sets(st.sampled_from(range(cover.columns)))))
    # What was asked of the whole before is not what the part answers.
    assert len(cover.option_number) == cover.matrix.shape[1] == cover.columns
    part = cover.restricted(kept)
    assert part.option_number == {name: n for n, name in enumerate(part.option_names)}
    assert part.option_names == tuple(cover.option_names[option] for option in kept)
    assert [part.option(number) for number in range(len(kept))] == [
        cover.option(option) for option in kept
    ]
    assert [part.items_of(number) for number in range(len(kept))] == [
        cover.items_of(option) for option in kept
    ]
    assert (part.matrix == cover.matrix[:, kept]).all()
    assert part.items == cover.items


def test_reveals_of_a_restricted_cover() -> None:
    cover = ExactCover(calmip.read_instance("a-puzzle-a-day", free=True))
    part = cover.restricted(range(0, cover.columns, 3))
    for number, name in enumerate(part.option_names):
        option = cover.option_number[name]
        assert part.option(number) == cover.option(option)
        assert isinstance(part.option(number), Reveal) == (number >= part.placements)


def test_a_cover_beyond_bounds_is_left_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    cover = ExactCover(calmip.read_instance("a-puzzle-a-day", reveal="Feb,29"))
    monkeypatch.setattr("calmip.puzzle.reduction.MAX_WORK", 1000)
    assert cover.reduced() is cover
