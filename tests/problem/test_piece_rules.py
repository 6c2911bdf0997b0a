"""Pieces that may not be turned over, or not be turned, and others may: brute force as witness."""

from __future__ import annotations

import json
import random
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
import reference
from presence import need_solver
from strategies import cut

import calmip
from calmip import Board, ExactCover, InputError, Instance, Piece, Puzzle, read_puzzle
from calmip.documents.description import puzzle_text
from calmip.documents.pool import read_pool
from calmip.proofs.check_proofs import check_proofs
from calmip.search.exact_cover.counting import count
from calmip.search.exact_cover.search import Search
from calmip.search.symmetry import count_invariant, symmetries
from calmip.tasks.calendar import Calendar, DaySearch, calendar_json, days_of, read_calendar
from calmip.tasks.prove import write_proofs

MOTIONS = (*reference.ROTATIONS, *reference.REFLECTIONS)

Picture = frozenset[tuple[str, frozenset[tuple[int, int]]]]


def drawn(seed: int) -> Instance:
    """Return an instance whose pieces have rules; the pieces of odd seeds were turned before."""
    rng = random.Random(seed)
    height, width = rng.randint(2, 4), rng.randint(3, 4)
    rows = [[rng.choice(["*", "*", "*", "."]) for _ in range(width)] for _ in range(height)]
    rows[0][0] = "A"
    rows[0][1] = "*"
    board = Board(tuple(map(tuple, rows)))
    cells = set(board.cells) - {(0, 0)}
    pieces = cut(cells, rng, 7)
    if seed % 2:
        pieces = [
            [motion(r, c) for r, c in piece] for piece in pieces for motion in [rng.choice(MOTIONS)]
        ]
    named = tuple(
        Piece(f"q{k}", tuple(piece), flip=rng.random() < 0.5, rotate=rng.random() < 0.3)
        for k, piece in enumerate(pieces)
    )
    flip = rng.random() < 0.7
    try:
        puzzle = Puzzle(f"drawn {seed}", board, named, {"letter": ("A",)}, flip=flip)
    except InputError:  # the mirror image of a piece fits nowhere
        return drawn(seed + 1001)
    return Instance(puzzle, ("A",), name=f"drawn {seed}")


def brute_force(instance: Instance) -> set[Picture]:
    """Return the tilings, with equal pieces under the name of the first."""
    puzzle = instance.puzzle
    pieces = {piece.name: piece.cells for piece in puzzle.pieces}
    no_flip = {piece.name for piece in puzzle.pieces if not piece.flip}
    no_turn = {piece.name for piece in puzzle.pieces if not piece.rotate}
    ways = {
        name: frozenset(
            reference.turned(
                cells, flip=puzzle.flip and name not in no_flip, rotate=name not in no_turn
            )
        )
        for name, cells in pieces.items()
    }
    first = {name: next(one for one in ways if ways[one] == ways[name]) for name in ways}
    found = reference.tilings(
        instance.to_cover, pieces, flip=puzzle.flip, no_flip=no_flip, no_turn=no_turn
    )
    return {frozenset((first[name], cells) for name, cells in tiling) for tiling in found}


def check(instance: Instance) -> int:
    known = brute_force(instance)
    first = instance.puzzle.first_equal
    cover = ExactCover(instance)
    found = [
        frozenset((first[p.piece], frozenset(p.cells)) for p in tiling.placements)
        for tiling in (calmip.Tiling.from_options(cover, options) for options in Search(cover))
    ]
    assert len(found) == len(set(found))
    assert set(found) == known
    assert count(cover) == len(known)
    return len(known)


def several(seeds: range) -> Counter[bool]:
    """Check instances, and return how many have a tiling and how many have none."""
    return Counter(check(drawn(seed)) > 0 for seed in seeds)


def test_a_few_boards_against_brute_force() -> None:
    assert len(several(range(20))) == 2


@pytest.mark.parametrize("batch", reference.batches(6))
def test_boards_against_brute_force(batch: int) -> None:
    found = several(range(100 * batch, 100 * batch + 100))
    assert found.total() == 100
    assert len(found) == 2


@pytest.mark.long
@pytest.mark.parametrize("method", ["no-good", "one-tree"])
def test_other_methods_have_the_same_tilings(method: str) -> None:
    for seed in range(0, 60, 3):
        instance = drawn(seed)
        pool = calmip.enumerate(instance, method=method)
        assert pool.complete
        assert len(pool) == len(brute_force(instance))


@pytest.mark.long
@pytest.mark.parametrize("solver", ["cbc", "glpk"])
@pytest.mark.parametrize("formulation", ["matrix", "pulp", "pyomo"])
def test_solvers_of_the_exported_files_agree(solver: str, formulation: str) -> None:
    need_solver(solver)
    for seed in range(1, 24, 5):
        instance = drawn(seed)
        found = calmip.solve(instance, solver=solver, formulation=formulation)
        assert (found.status == "feasible") == bool(brute_force(instance))


@pytest.mark.long
def test_proofs_state_the_rules(tmp_path: Path) -> None:
    for seed in range(30):
        instance = drawn(seed)
        folder = tmp_path / str(seed)
        folder.mkdir()
        known = len(brute_force(instance))
        assert write_proofs(ExactCover(instance), folder, ["tree", "veripb"]).tilings == known
        assert check_proofs(folder, instance).tilings == known
        assert check_proofs(folder).tilings == known


def test_a_file_with_rules_comes_back(tmp_path: Path) -> None:
    for seed in range(20):
        puzzle = drawn(seed).puzzle
        path = tmp_path / f"{seed}.yaml"
        path.write_text(puzzle_text(puzzle), encoding="utf-8")
        assert read_puzzle(path).pieces == puzzle.pieces


def strip(*pieces: Piece) -> Instance:
    return Instance(Puzzle("strip", Board.from_text(["* * *", "* * *"]), pieces))


def test_symmetries_map_pieces_to_pieces() -> None:
    free, single = Piece.from_rows("V", ["##", "#."]), Piece.from_rows("I", ["###"])
    assert len(symmetries(strip(free, single))) == 4
    fixed = Piece("V", free.cells, rotate=False)
    assert len(symmetries(strip(fixed, single))) == 1
    handed = Piece.from_rows("L", ["###", "#.."]), Piece.from_rows("D", ["##"])
    assert len(symmetries(strip(*handed))) == 4
    assert len(symmetries(strip(Piece("L", handed[0].cells, flip=False), handed[1]))) == 2
    # Both hands of a piece: a reflection exchanges them.
    pair = Piece("L", handed[0].cells, flip=False), Piece.from_rows("J", ["###", "..#"])
    assert len(symmetries(strip(Piece("I", ((0, 0),)), Piece("H", ((0, 0),)), *pair[:1]))) == 2
    lying = Piece("a", single.cells, rotate=False), Piece("b", single.cells, rotate=False)
    motions = symmetries(strip(*lying))
    assert len(motions) == 4
    cover = ExactCover(strip(*lying))
    assert [
        count_invariant(cover, motion, calmip._base.limits.Deadline()) for motion in motions
    ] == [1] * 4


def test_one_shape_with_two_rules_is_two_pieces() -> None:
    free, fixed = Piece.from_rows("V", ["##", "#."]), Piece.from_rows("W", ["##", "#."])
    instance = strip(free, Piece("W", fixed.cells, rotate=False))
    # W lies in its corner or in the middle; V fills the rest beside it.
    assert check(instance) == 1
    assert len(instance.puzzle.piece_classes) == 2
    with pytest.raises(InputError, match="pieces V and W have one shape but may be turned diff"):
        symmetries(instance)


def test_no_flip_pieces_keep_the_rules(tmp_path: Path) -> None:
    path = tmp_path / "own.yaml"
    head = "grid: ['1 2 3', '4 5 *']\nuncover: [day]\n"
    path.write_text(
        head + "pieces: {A: {shape: L4, rotate: false, colour: red}, B: I1}\n"
        "no_flip_pieces: {A: L4, B: I1}\n",
        encoding="utf-8",
    )
    piece = read_puzzle(path).with_flip(False).pieces[0]
    assert piece.rules == {"rotate": False}
    assert piece.colour == "#ff0000"
    path.write_text(path.read_text().replace("{A: L4, B", "{A: ['#..', '###'], B"))
    with pytest.raises(InputError, match=r"own.yaml:4: .*A lies otherwise than under pieces"):
        read_puzzle(path)


def test_a_placed_piece_follows_its_rule() -> None:
    fixed = Piece.from_rows("V", ["##", "#."])
    puzzle = strip(Piece("V", fixed.cells, rotate=False), Piece.from_rows("I", ["###"])).puzzle
    with pytest.raises(InputError, match="unless it is turned, which is forbidden here"):
        Instance(puzzle, placed=(calmip.Placement("V", ((0, 0), (0, 1), (1, 1))),))


def test_a_calendar_keeps_the_rules(tmp_path: Path) -> None:
    whole = read_puzzle("a-puzzle-a-day")
    pieces = tuple(
        replace(one, flip=one.name != "L", rotate=one.name != "O6") for one in whole.pieces
    )
    puzzle = replace(whole, pieces=pieces, no_flip_pieces=())
    dates = days_of(2027)
    days = tuple(DaySearch(puzzle).day(date) for date in dates[:2])
    assert all(day.tiling is not None for day in days)
    document = json.loads(calendar_json(Calendar(puzzle, 2027, 0, days)))
    document["days"] |= {f"{date:%m-%d}": None for date in dates[2:]}
    path = tmp_path / "rules.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    back = read_calendar(path)
    assert back.puzzle.rules == puzzle.rules == {"L": {"flip": False}, "O6": {"rotate": False}}
    assert [day.tiling for day in back.days[:2]] == [day.tiling for day in days]
    document["pieces"][0]["orientations"].pop()
    path.write_text(json.dumps(document), encoding="utf-8")
    with pytest.raises(InputError, match="the orientations of piece L are not those of one shape"):
        read_calendar(path)


def test_a_pool_has_no_such_pieces(tmp_path: Path) -> None:
    path = tmp_path / "pool.yaml"
    path.write_text("pieces:\n  a: {shape: L4, flip: false}\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"pool.yaml:1: piece a of a pool has the key 'flip'"):
        read_pool([str(path)], calmip.read_board("a-puzzle-a-day"))


def test_rules_in_words() -> None:
    pieces = (
        Piece("a", ((0, 0), (0, 1), (0, 2), (1, 0)), flip=False),
        Piece("b", ((0, 0), (0, 1)), rotate=False),
    )
    puzzle = strip(*pieces).puzzle
    clauses = ("a may not be turned over", "b may not be turned at all")
    assert puzzle.piece_rules == clauses
    assert puzzle.with_flip(False).piece_rules == clauses[1:]
