"""Hexagonal puzzles through the whole program, against geometry in the complex plane."""

from __future__ import annotations

import cmath
import json
import math
from pathlib import Path

import brute_force
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from strategies import polyforms

from calmip import Board, ExactCover, InputError, Instance, Piece, Placement, Puzzle
from calmip.cli import main
from calmip.puzzle.documents.reader import read_puzzle
from calmip.puzzle.lattice import HEXAGONAL, SHAPES

Cell = tuple[int, int]


def point(cell: Cell) -> complex:
    """Return where a hexagon's centre is: rows go down and half a cell to the left."""
    return complex(cell[1] - cell[0] / 2, cell[0] * math.sqrt(3) / 2)


def cell_at(place: complex) -> Cell:
    row = round(place.imag / (math.sqrt(3) / 2))
    column = round(place.real + row / 2)
    assert abs(point((row, column)) - place) < 1e-6
    return row, column


def turned(cells: list[Cell], *, flip: bool) -> set[frozenset[Cell]]:
    """Return the orientations of a polyhex, by turning its centres about the first one."""
    found = set()
    for mirrored in (False, True) if flip else (False,):
        for sixth in range(6):
            points = [point(cell) - point(cells[0]) for cell in cells]
            points = [p.conjugate() if mirrored else p for p in points]
            spun = [cell_at(p * cmath.exp(1j * math.pi / 3 * sixth)) for p in points]
            top, left = min(r for r, _ in spun), min(c for _, c in spun)
            found.add(frozenset((r - top, c - left) for r, c in spun))
    return found


@pytest.mark.long
@settings(max_examples=60, deadline=None)
@given(data=st.data(), flip=st.booleans())
def test_placements_are_those_of_the_plane(data: st.DataObject, flip: bool) -> None:
    kinds = data.draw(st.lists(st.sampled_from("##."), min_size=20, max_size=20))
    free = {(n // 5, n % 5) for n, kind in enumerate(kinds) if kind == "#"}
    cells = data.draw(polyforms(HEXAGONAL, largest=4))
    rest = len(free) - len(cells)
    assume(rest > 0)
    grid = [["*" if (r, c) in free else "." for c in range(5)] for r in range(4)]
    ones = tuple(Piece(f"one{n}", ((0, 0),), HEXAGONAL) for n in range(rest))
    try:
        puzzle = Puzzle(
            "drawn",
            Board(tuple(map(tuple, grid)), HEXAGONAL),
            (Piece("it", tuple(cells), HEXAGONAL), *ones),
            flip=flip,
        )
    except InputError:
        assume(False)
    assume(len(cells) > 1)
    cover = ExactCover(Instance(puzzle))
    options = [cover.option(number) for number in range(cover.columns)]
    found = [frozenset(o.cells) for o in options if isinstance(o, Placement) and o.piece == "it"]
    expected = {
        moved
        for shape in turned(cells, flip=flip)
        for down in range(4)
        for right in range(5)
        if (moved := frozenset((r + down, c + right) for r, c in shape)) <= free
    }
    assert len(found) == len(set(found))
    assert set(found) == expected


def test_named_shapes_are_all_polyhexes_of_up_to_four_cells_once() -> None:
    turned_over = {
        Piece.from_rows(name, rows, HEXAGONAL).orientations(flip=True)
        for name, rows in SHAPES["hexagonal"].items()
    }
    sizes = sorted(len(shapes[0]) for shapes in turned_over)
    assert sizes == [1, 2, *[3] * 3, *[4] * 7]
    assert len(SHAPES["hexagonal"]) == len(turned_over)


def test_neighbours_in_a_file_are_neighbours_in_the_drawing() -> None:
    puzzle = read_puzzle("hex43-v1")
    board = puzzle.board
    (five,) = board.labels["5"]
    around = {board.label(cell) for cell in board.lattice.neighbours(five)}
    assert around == {"4", "6", "1", "2", "10", "11"}
    assert brute_force.components(board.cells, HEXAGONAL.kinds[0].steps) == 1


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    code = main(arguments)
    out, err = capsys.readouterr()
    assert "error" not in err
    return code, out


@pytest.mark.long
def test_the_commands_on_a_hexagonal_board(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    code, out = run(capsys, "solve", "hex43-v1", "--date", "2027-01-01", "--format", "json")
    (tiling,) = json.loads(out)["tilings"]
    assert (code, tiling["reveal"]) == (0, {"month": "Jan", "day": "1"})
    assert len({tuple(c) for p in tiling["placements"] for c in p["cells"]}) == 41
    for method in ("exact-cover", "one-tree"):
        code, out = run(
            capsys, "enumerate", "hex43-v1", "--reveal", "Jan,1", "--no-flip", "--method", method
        )
        assert code == 0
        assert "20 tilings, proved complete" in out
    for suffix in ("mps", "lp", "opb", "cnf", "dlx", "json"):
        path = tmp_path / f"hex.{suffix}"
        assert run(capsys, "export", "hex43-v1", "--reveal", "Jan,1", "-o", str(path))[0] == 0
        assert path.stat().st_size > 10_000
    answer = tmp_path / "answer.sol"
    cover = ExactCover(Instance.reveal(read_puzzle("hex43-v1"), {"month": "Jan", "day": "1"}))
    from calmip.puzzle.search.exact_cover.search import solutions

    chosen = next(solutions(cover))
    lines = [f"{cover.option_names[number]} 1" for number in chosen]
    answer.write_text("\n".join(["=obj= 0", *lines, ""]))
    code, out = run(capsys, "check", "hex43-v1", str(answer), "--reveal", "Jan,1")
    assert code == 0
    assert "verified: it is a tiling" in out


def test_a_bundled_hexagonal_puzzle_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    code, out = run(capsys, "puzzles", "hex61-symmetric")
    assert code == 0
    assert "|Mar| * |Thu|Fri|Sat| * |Oct|" in out
    assert "61 hexagonal cells, 11 pieces" in out
    assert "uncover: month, day, weekday (2,604 choices)" in out
    assert "1,248,866" in out
    assert "Mar 30 Sat, Oct 30 Thu" in out


def test_equal_pieces_and_both_conventions_are_shown(capsys: pytest.CaptureFixture[str]) -> None:
    _, out = run(capsys, "puzzles", "shiura-daily-11p")
    assert "equal pieces, counted as one picture: O4 = O4b; L4 = L4b; S4 = S4b" in out
    # All pieces are drawn at one size, whatever their names.
    tops = [line for line in out.splitlines() if line.startswith("+---") and "   +---" in line]
    assert [len(top) for top in tops[0].split("   ")[:2]] == [4 * 6 + 1, 2 * 6 + 1]
    assert "|  O4       |" in out
    assert "| O4b       |" in out
    assert "equal pieces distinct, all choices of labels  196,818,352" in out
    assert "24,602,294" in out
    _, out = run(capsys, "puzzles", "hex43-v1")
    assert "P4 = P4b; I4 = I4b" in out
    assert "flips forbidden, Jan 1" in out
