"""Pieces on the board: the notation, its faults, and that positions are instances like others."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from requirements import need_solver
from strategies import solvable_instances

import calmip
from calmip import ExactCover, InputError, Instance, NotATiling, Placement, Tiling
from calmip.cli import main
from calmip.puzzle.documents.reader import read_instance
from calmip.puzzle.files.cover_files import header
from calmip.puzzle.placements import entry_of, with_placed
from calmip.puzzle.search.exact_cover.counting import count, count_by_reveal
from calmip.puzzle.search.exact_cover.search import solutions

LEAP = read_instance("a-puzzle-a-day", reveal="Feb,29")
U = Placement("U", ((0, 0), (0, 2), (1, 0), (1, 1), (1, 2)))


@pytest.mark.parametrize(
    "text",
    [
        "U:Jan",
        "U:0,0",
        "U:Jan+Mar",
        "U:Sep+Jan",
        "U:0,0+0,2+1,0+1,1+1,2",
        "U:Jan+Mar+Jul+Aug+Sep",
        "U : Jan + Mar",
        "U:0, 0",
        {"U": ["Jan", "1,1"]},
        {"U": "Jan + Mar"},
        ["U:Jan"],
        " U:Jan ; ",
    ],
)
def test_ways_to_write_one_placement(text: object) -> None:
    assert with_placed(LEAP, text).placed == (U,)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("U", "does not say what lies where; write PIECE:PLACE"),
        (":15", "does not say what lies where"),
        ("Q:15", "'Q' is not a piece of A-Puzzle-A-Day .DragonFjord.; its pieces are L, N, P"),
        ("U:", "there is no place ''"),
        ("U:*", "no label '\\*'; write row,column"),
        ("U:32", "'32' is neither a label on the board nor row,column"),
        ("U:-1,3", "neither a label"),
        ("U:0,6", "0,6 is off the board; rows are 0 to 6 from the top, columns 0 to 6"),
        ("U:9999999999999,1", "off the board"),
        ("U:Feb", "placed on Feb .0, 1., which is to stay uncovered"),
        ("U:Jan+Jan", "Jan is named twice"),
        ("U:1+2+3+4+5+6", "has 5 cells and cannot cover 6 places"),
        ("U:1+2+3+4+5", "do not have the shape of piece U"),
        ("U:Jan+Dec", "piece U cannot lie on Jan, Dec and on cells to cover only"),
        ("U:Apr", "in 7 ways; name more of its places, as in U:Mar"),
        ("U:Jan U:Jan", "piece U is placed twice"),
        ("U:Jan O6:Jan+Feb+Mar+Jul+Aug+Sep", "placed on Feb"),
        ("U:Jan Y:Jan+Jul+Aug+1+8", "pieces U and Y are both placed on Jan .0, 0."),
    ],
)
def test_a_wrong_entry_is_one_clear_line(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        with_placed(LEAP, text)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 500


def test_ways_that_a_message_lists_can_be_copied() -> None:
    with pytest.raises(InputError) as caught:
        with_placed(LEAP, "U:Apr")
    ways = str(caught.value).partition("as in ")[2].split(", ")
    assert len(ways) == 7
    placed = {with_placed(LEAP, way).placed for way in ways}
    assert len(placed) == 7
    assert all((0, 3) in one.cells for (one,) in placed)


def test_a_piece_that_may_not_be_turned_over_says_so() -> None:
    rigid = read_instance("a-puzzle-a-day", reveal="Feb,29", flip=False)
    with pytest.raises(InputError, match="unless it is turned over, which is forbidden here"):
        with_placed(rigid, "L:6+13+20+27+26")
    assert with_placed(rigid, "L:Jan+Jul+1+8+9").placed


def test_labels_over_two_cells_and_blanks_are_distinguished() -> None:
    lieban = read_instance("lieban-festival", reveal="Jul,14")
    name = lieban.puzzle.pieces[1].name
    with pytest.raises(InputError, match="Jan stands in 2 cells; write 0,0 or 0,1 instead"):
        with_placed(lieban, f"{name}:Jan")
    first = next(solutions(ExactCover(lieban)))
    for placement in Tiling.from_options(ExactCover(lieban), first).placements:
        assert with_placed(lieban, entry_of(lieban, placement)).placed == (placement,)


@pytest.mark.long
@settings(max_examples=60, deadline=None)
@given(instance=solvable_instances(), data=st.data())
def test_a_position_has_the_tilings_that_hold_its_pieces(
    instance: Instance, data: st.DataObject
) -> None:
    cover = ExactCover(instance)
    tilings = [Tiling.from_options(cover, chosen) for chosen in solutions(cover)]
    some = data.draw(st.sampled_from(tilings))
    placed = data.draw(st.sets(st.sampled_from(some.placements)))
    position = replace(instance, placed=tuple(sorted(placed)))
    options = ExactCover(position)
    found = [Tiling.from_options(options, chosen) for chosen in solutions(options)]
    # Equal pieces are told apart by name only here, so compare what lies where.
    pictures = {frozenset(p.cells for p in tiling.placements) for tiling in tilings}
    kinds = {p.name: pieces[0].name for pieces in instance.puzzle.piece_classes for p in pieces}
    wanted = {(kinds[p.piece], p.cells) for p in placed}
    expected = {
        frozenset((kinds[p.piece], p.cells) for p in tiling.placements)
        for tiling in tilings
        if wanted <= {(kinds[p.piece], p.cells) for p in tiling.placements}
    }
    assert len(pictures) <= len(tilings)
    got = [frozenset((kinds[p.piece], p.cells) for p in tiling.placements) for tiling in found]
    assert len(got) == len(set(got)) == count(options)
    assert set(got) == expected
    assert all(wanted <= picture for picture in got)
    assert options.columns <= cover.columns
    assert options.rows == cover.rows
    entries = {p.piece: entry_of(instance, p).partition(":")[2] for p in position.placed}
    assert set(with_placed(instance, entries).placed) == set(position.placed)


def test_a_tiling_that_moves_a_placed_piece_is_refused() -> None:
    cover = ExactCover(LEAP)
    tilings = [Tiling.from_options(cover, chosen) for chosen in solutions(cover)]
    other = next(tiling for tiling in tilings if U not in tiling.placements)
    with pytest.raises(NotATiling, match="piece U is not where it was placed"):
        Tiling(replace(LEAP, placed=(U,)), other.placements, other.labels)


def test_equal_pieces_are_placed_by_either_name() -> None:
    instance = read_instance("shiura-daily-11p", reveal="Jan,1")
    tiling = Tiling.from_options(ExactCover(instance), next(solutions(ExactCover(instance))))
    squares = [p for p in tiling.placements if p.piece in ("O4", "O4b")]
    assert len(squares) == 2
    both = replace(
        instance, placed=(Placement("O4b", squares[0].cells), Placement("O4", squares[1].cells))
    )
    one = replace(instance, placed=(Placement("O4b", squares[0].cells),))
    cover = ExactCover(both)
    found = Tiling.from_options(cover, next(solutions(cover)))
    assert set(both.placed) <= set(found.placements)
    assert count(cover) < count(ExactCover(one)) < count(ExactCover(instance))


def test_a_placed_piece_keeps_its_name_in_every_tiling() -> None:
    instance = read_instance("shiura-daily-11p", reveal="Jan,1")
    tiling = next(solutions(ExactCover(instance), limit=1))
    found = Tiling.from_options(ExactCover(instance), tiling)
    # The first by place is O4 unless somebody put O4b there.
    first, second = [p for p in found.placements if p.piece in ("O4", "O4b")]
    assert (first.piece, second.piece) == ("O4", "O4b")
    for placed in (Placement("O4b", first.cells), Placement("O4", second.cells)):
        position = replace(instance, placed=(placed,))
        cover = ExactCover(position)
        again = Tiling.from_options(cover, next(solutions(cover, limit=1)))
        assert again.owner[placed.cells[0]] == placed.piece
        assert len(set(again.owner.values())) == len(instance.puzzle.pieces)
        assert Tiling.from_options(cover, again.options(cover)) == again
        swapped = Tiling(position, found.placements, found.labels)
        assert swapped.owner[placed.cells[0]] == placed.piece


def test_a_free_label_under_a_piece_is_no_choice() -> None:
    free = read_instance("a-puzzle-a-day", free=True)
    position = with_placed(free, "U:Jan+Mar+Jul+Aug+Sep")
    counts = count_by_reveal(ExactCover(position))
    assert {month for month, _ in counts}.isdisjoint({"Jan", "Mar", "Jul", "Aug", "Sep"})
    listed = calmip.count(position).counts
    assert listed is not None
    assert len(listed) == 372
    assert sum(number for _, number in listed) == sum(counts.values())
    months = {month for (month, _), number in counts.items() if number}
    assert months == {"Feb"}
    # Only Feb can stay bare in the hollow of the U, in 35 of the 64 tilings of Feb 29.
    assert counts["Feb", "29"] == 35
    assert sum(counts.values()) == count(ExactCover(position))


@pytest.mark.parametrize("solver", ["highs", "cbc"])
@pytest.mark.parametrize("formulation", ["matrix", "pulp", "pyomo"])
def test_solvers_and_formulations_keep_placed_pieces(solver: str, formulation: str) -> None:
    need_solver(solver)
    position = with_placed(LEAP, "U:Jan O6:Apr+Jun+Oct+Dec Z:26+31")
    solution = calmip.solve(position, solver=solver, formulation=formulation)
    assert solution.tiling is not None
    assert set(position.placed) <= set(solution.tiling.placements)


FILES = [
    ("placed: {U: [Jan], O6: Apr+Dec}", None),
    ("placed: ['U:Jan', 'O6:Apr+Dec']", None),
    ("placed: 'U:Jan O6:Apr+Dec'", None),
    ('placed: {U: ["0,0"], O6: ["0,3", "1,5"]}', None),
    ("placed: {U: {Jan: x}}", "give the places of U as in"),
    ("placed: [[U]]", "placed is a mapping such as"),
    ("placed: {\n  U: [Jan],\n  Q: [15]}", ":5: 'Q' is not a piece"),
    ("placed:\n- U:Jan\n- O6:Feb", ":5: piece O6 is placed on Feb"),
    ("placed: {U: [Jan],\n  U: [15]}", "given twice"),
]


@pytest.mark.parametrize(("text", "message"), FILES)
def test_placed_in_a_file(tmp_path: Path, text: str, message: str | None) -> None:
    path = tmp_path / "position.yaml"
    path.write_text(f"puzzle: a-puzzle-a-day\nreveal: [Feb, 29]\n{text}\n")
    if message is None:
        assert [one.piece for one in read_instance(path).placed] == ["U", "O6"]
        assert read_instance(path, placed="").placed == ()
        assert [p.piece for p in read_instance(path, placed="Z:26+31").placed] == ["Z"]
    else:
        with pytest.raises(InputError, match=message):
            read_instance(path)


def test_commands_that_start_from_an_empty_board_say_so(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "position.yaml"
    path.write_text("puzzle: a-puzzle-a-day\nplaced: {U: [Jan, Mar, Jul, Aug, Sep]}\n")
    folder = str(tmp_path / "all")
    for arguments in (
        ["count", str(path), "--any-cells", "2"],
        ["export", "dates", str(path), "-o", folder],
    ):
        assert main(arguments) == 2
        out, err = capsys.readouterr()
        assert out == ""
        assert "starts from an empty board; leave out the key 'placed'" in err
    assert not (tmp_path / "all").exists()
    assert main(["count", str(path)]) == 0
    assert "in 372 choices" in capsys.readouterr().out


def test_the_head_of_a_model_file_says_what_is_placed() -> None:
    lines = header(ExactCover(with_placed(LEAP, "U:Jan")))
    assert "placed already: U on Jan(0,0) Mar(0,2) Jul(1,0) Aug(1,1) Sep(1,2)" in lines
    assert not any("placed already" in line for line in header(ExactCover(LEAP)))


def test_a_piece_without_a_place_is_asked_for_one(tmp_path: Path) -> None:
    path = tmp_path / "none.yaml"
    path.write_text("puzzle: a-puzzle-a-day\nreveal: [Feb, 29]\nplaced:\n  U: []\n")
    with pytest.raises(InputError, match=r"none.yaml:4: piece U: name a place that it covers"):
        read_instance(path)
