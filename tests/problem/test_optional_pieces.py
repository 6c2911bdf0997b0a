"""Pieces that may be left out: brute force over the choices of pieces as witness."""

from __future__ import annotations

import itertools
import json
import random
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest
import reference
from presence import need_solver
from strategies import cut

import calmip
from calmip import (
    Board,
    ExactCover,
    InputError,
    Instance,
    NotATiling,
    Piece,
    Puzzle,
    Tiling,
    read_puzzle,
)  # fmt: skip
from calmip.documents.description import describe_tiling, puzzle_text, tiling_lines
from calmip.documents.pool import read_pool
from calmip.proofs import check_tree
from calmip.proofs.check_proofs import check_proofs
from calmip.render.text import draw_tiling
from calmip.search.exact_cover.counting import count, count_by_reveal, plain_tally
from calmip.search.exact_cover.options import Options, order_of
from calmip.search.exact_cover.search import Search
from calmip.search.symmetry import is_first_image, symmetries
from calmip.tasks.calendar import Calendar, DaySearch, calendar_json, days_of, read_calendar
from calmip.tasks.prove import write_proofs

Picture = frozenset[tuple[str, frozenset[tuple[int, int]]]]

SHAPES = tuple(
    Piece.from_rows(name, rows)
    for name, rows in calmip.problem.lattice.SHAPES["square"].items()
    if sum(map(len, rows)) <= 9
)


def drawn(seed: int) -> Instance:
    """Return an instance with some pieces to spare, of which no optional one equals another."""
    rng = random.Random(seed)
    height, width = rng.randint(2, 4), rng.randint(3, 4)
    rows = [[rng.choice(["*", "*", "*", "."]) for _ in range(width)] for _ in range(height)]
    rows[0][:2] = "A", "B" if rng.random() < 0.5 else "*"
    board = Board(tuple(map(tuple, rows)))
    pieces = [
        Piece(f"q{k}", tuple(cells), optional=rng.random() < 0.6)
        for k, cells in enumerate(cut(set(board.cells) - {(0, 0)}, rng, 7))
    ]
    if sum(len(piece.cells) == 1 for piece in pieces) > 3:  # brute force tries all their orders
        return drawn(seed + 1001)
    more = [one for one in rng.sample(SHAPES, 3) if len(one.cells) <= 5]
    pieces += [replace(one, optional=True) for one in more]
    flip = rng.random() < 0.7
    kept: list[Piece] = []
    for piece in pieces:
        equal = [
            one for one in kept if one.orientations(flip=flip) == piece.orientations(flip=flip)
        ]
        if any(one.optional for one in [*equal, piece] if equal):
            piece = replace(piece, optional=False)
            kept = [replace(one, optional=one.optional and one not in equal) for one in kept]
        kept.append(piece)
    free = "B" in rows[0] and rng.random() < 0.5
    try:
        puzzle = Puzzle(
            f"drawn {seed}", board, tuple(kept),
            {"letter": ("A", "B") if "B" in rows[0] else ("A",)}, flip=flip,
        )  # fmt: skip
        return Instance(
            puzzle, () if free else ("A",), ("letter",) if free else (), f"drawn {seed}"
        )
    except InputError:  # a piece fits nowhere, or no choice of the pieces has the area
        return drawn(seed + 1001)


def brute_force(instance: Instance) -> set[tuple[str, Picture]]:
    """Return the tilings with their label, equal pieces under the name of the first."""
    puzzle = instance.puzzle
    first = puzzle.first_equal
    found = set()
    for label in puzzle.groups["letter"] if instance.free else ("A",):
        cells = [cell for cell in puzzle.board.cells if puzzle.board.label(cell) != label]
        for number in range(len(puzzle.optional) + 1):
            for some in itertools.combinations(puzzle.optional, number):
                chosen = {piece.name: piece.cells for piece in (*puzzle.needed, *some)}
                if sum(map(len, chosen.values())) == len(cells):
                    found |= {
                        (label, frozenset((first[name], where) for name, where in tiling))
                        for tiling in reference.tilings(cells, chosen, flip=puzzle.flip)
                    }
    return found


def picture(tiling: Tiling) -> tuple[str, Picture]:
    first = tiling.instance.puzzle.first_equal
    placed = frozenset((first[one.piece], frozenset(one.cells)) for one in tiling.placements)
    return tiling.labels[0], placed


def check(instance: Instance) -> int:
    known = brute_force(instance)
    cover = ExactCover(instance)
    solutions = list(Search(cover))
    found = [picture(Tiling.from_options(cover, options)) for options in solutions]
    assert len(found) == len(set(found))
    assert set(found) == known
    assert count(cover) == len(known)
    assert plain_tally(Options.of(cover, order_of(cover)), lambda _: None)[0] == len(known)
    assert len(list(Search(cover.reduced()))) == len(known)
    if instance.free:
        labels = Counter(label for label, _ in known)
        assert {one: n for (one,), n in count_by_reveal(cover).items() if n} == labels
    for options in solutions:
        tiling = Tiling.from_options(cover, options)
        assert tiling.options(cover) == options
        used = {one.piece for one in tiling.placements}
        assert set(tiling.left) == {one.name for one in instance.puzzle.optional} - used
    return len(known)


def several(seeds: Iterable[int]) -> Counter[bool]:
    """Check instances, and return how many have a tiling and how many have none."""
    return Counter(check(drawn(seed)) > 0 for seed in seeds)


def test_a_few_boards_against_brute_force() -> None:
    assert len(several([*range(12), 20])) == 2


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
        assert {picture(tiling) for tiling in pool} == brute_force(instance)


@pytest.mark.long
@pytest.mark.parametrize("solver", ["cbc", "glpk", "highs"])
@pytest.mark.parametrize("formulation", ["matrix", "pulp", "pyomo", "cells"])
def test_solvers_of_the_exported_files_agree(solver: str, formulation: str) -> None:
    need_solver(solver)
    for seed in range(1, 24, 4):
        instance = drawn(seed)
        found = calmip.solve(instance, solver=solver, formulation=formulation)
        known = brute_force(instance)
        assert (found.status == "feasible") == bool(known)
        assert found.tiling is None or picture(found.tiling) in known


@pytest.mark.long
def test_proofs_state_what_may_be_left_out(tmp_path: Path) -> None:
    for seed in range(30):
        instance = drawn(seed)
        folder = tmp_path / str(seed)
        folder.mkdir()
        known = len(brute_force(instance))
        assert write_proofs(ExactCover(instance), folder).tilings == known
        assert check_proofs(folder, instance).tilings == known
        assert check_proofs(folder).tilings == known


ALL = ("V3", "I3", "T4", "L4", "O4", "P", "V")


def spare(*, use: int | None = None, optional: tuple[str, ...] = ()) -> Instance:
    """Return a board of nine cells, to cover by some of seven pieces."""
    pieces = tuple(
        replace(piece, optional=piece.name in optional) for piece in SHAPES if piece.name in ALL
    )
    board = Board.from_text(["* * *"] * 3)
    return Instance(Puzzle("spare", board, pieces, use=use))


def test_the_count_says_which_pieces_are_left_out() -> None:
    instance = spare(optional=ALL)
    cover = ExactCover(instance)
    left = Counter(Tiling.from_options(cover, one).left for one in Search(cover))
    found = calmip.count(instance)
    assert found.left == left
    assert len(left) > 1
    assert found.describe()["left"][0]["tilings"] == max(left.values())


def test_symmetric_tilings_have_the_same_pieces() -> None:
    instance = spare(optional=ALL)
    cover = ExactCover(instance)
    tilings = [Tiling.from_options(cover, one) for one in Search(cover)]
    found = calmip.count(instance, up_to_symmetry=True)
    motions = symmetries(instance)
    firsts = [one for one in tilings if is_first_image(one, motions)]
    assert (found.symmetries, found.different) == (8, len(firsts))
    # The two hands of a piece, of which every tiling uses one: no reflection.
    hands = [Piece.from_rows("L", ["###", "#.."]), Piece.from_rows("J", ["###", "..#"])]
    pieces = (hands[0], replace(hands[1], optional=True), Piece.from_rows("I", ["####"]))
    puzzle = Puzzle("hands", Board.from_text(["* * * *"] * 2), pieces, flip=False)
    assert len(symmetries(Instance(puzzle))) == 2


def test_pieces_that_must_be_used_are_in_every_tiling() -> None:
    instance = spare(optional=(*ALL[:5], "V"))
    assert check_board(instance) > 0
    cover = ExactCover(instance)
    assert {"V3_left", "P_left"} & {*cover.option_names} == {"V3_left"}
    tiling = Tiling.from_options(cover, next(iter(Search(cover))))
    with pytest.raises(NotATiling, match="no placement for piece P"):
        Tiling(instance, tuple(one for one in tiling.placements if one.piece != "P"), ())


def check_board(instance: Instance) -> int:
    """Return the number of tilings, which brute force confirms."""
    known = 0
    puzzle = instance.puzzle
    for number in range(len(puzzle.optional) + 1):
        for some in itertools.combinations(puzzle.optional, number):
            chosen = {piece.name: piece.cells for piece in (*puzzle.needed, *some)}
            if sum(map(len, chosen.values())) == len(instance.to_cover):
                known += len(reference.tilings(instance.to_cover, chosen, flip=puzzle.flip))
    assert count(ExactCover(instance)) == known
    return known


def test_the_number_of_pieces_follows_from_the_sizes() -> None:
    assert check_board(spare(use=2)) == check_board(spare(optional=ALL))
    with pytest.raises(InputError, match="use is 3, but by their sizes 2 pieces cover 9 cells"):
        spare(use=3)
    for use, fault in ((7, "leave out the key 'use'"), (8, "has 7 pieces"), (0, "use is 0")):
        with pytest.raises(InputError, match=fault):
            spare(use=use)


def test_a_piece_to_spare_differs_from_all_others() -> None:
    pieces = (Piece("a", ((0, 0),)), Piece("b", ((0, 0),), optional=True))
    puzzle = Puzzle("equal", Board.from_text(["*"]), pieces)
    with pytest.raises(InputError, match="pieces a, b are equal, and one may be left out"):
        Instance(puzzle)


def test_areas_that_no_choice_covers() -> None:
    pieces = (Piece.from_rows("a", ["##"]), Piece("b", ((0, 0),), optional=True))
    board = Board.from_text(["1 2 * *"])
    puzzle = Puzzle("areas", board, pieces, {"day": ("1", "2")})
    assert count(ExactCover(Instance(puzzle, ("1",)))) == 2
    with pytest.raises(InputError, match="left out, the pieces cover 2 or 3 cells, but 4"):
        Instance(puzzle)


def test_what_cannot_carry_them_refuses(tmp_path: Path) -> None:
    instance = spare(use=2)
    with pytest.raises(InputError, match="a packing may lack any piece"):
        calmip.solve(instance, formulation="packing")
    with pytest.raises(InputError, match="only if all pieces are used; any 2 of the 7 pieces"):
        calmip.count(instance, any_cells=2)
    path = tmp_path / "spare.yaml"
    path.write_text(puzzle_text(instance.puzzle), encoding="utf-8")
    with pytest.raises(InputError, match="pieces that may be left out cannot be played"):
        calmip.play(path, output=tmp_path / "page.html")
    pool = tmp_path / "pool.yaml"
    pool.write_text("pieces:\n  a: {shape: L4, optional: true}\n", encoding="utf-8")
    with pytest.raises(InputError, match="piece a of a pool has the key 'optional'"):
        read_pool([str(pool)], calmip.read_board("a-puzzle-a-day"))


def test_a_file_with_spare_pieces_comes_back(tmp_path: Path) -> None:
    path = tmp_path / "spare.yaml"
    for puzzle in (spare(use=2).puzzle, *(drawn(seed).puzzle for seed in range(20))):
        path.write_text(puzzle_text(puzzle), encoding="utf-8")
        back = read_puzzle(path)
        assert (back.pieces, back.use) == (puzzle.pieces, puzzle.use)


def test_a_tiling_says_what_is_left_out() -> None:
    instance = spare(use=2)
    pool = calmip.enumerate(instance)
    line = tiling_lines(instance)
    for tiling in pool:
        assert len(tiling.placements) + len(tiling.left) == 7
        assert json.loads(line(tiling)) == json.loads(json.dumps(describe_tiling(tiling)))
        assert describe_tiling(tiling)["left"] == list(tiling.left)
        assert draw_tiling(tiling).endswith(f"left out: {', '.join(tiling.left)}")


def test_a_proof_of_equal_pieces_to_spare_is_refused() -> None:
    # One option for two pieces left out would hide solutions.
    piece = [[0, 0]]
    puzzle = {
        "board": [["*"]], "lattice": "square", "flip": True, "pieces": {"a": piece, "b": piece},
        "rules": {"a": {"optional": True}}, "uncovered": [], "free": {},
    }  # fmt: skip
    with pytest.raises(check_tree.Refused, match="piece a may be left out and is equal to another"):
        check_tree.check({"puzzle": puzzle, "options": [], "tree": [], "tilings": 0})


@pytest.mark.long
def test_a_calendar_leaves_pieces_out(tmp_path: Path) -> None:
    whole = read_puzzle("a-puzzle-a-day")
    more = Piece.from_rows("T", ["###", ".#.", ".#."])
    puzzle = replace(whole, pieces=(*whole.pieces, more), use=8, no_flip_pieces=(), counts={})
    dates = days_of(2027)
    days = tuple(DaySearch(puzzle).day(date) for date in dates[:3])
    assert any(day.tiling is not None and day.tiling.left != ("T",) for day in days)
    document = json.loads(calendar_json(Calendar(puzzle, 2027, 0, days)))
    document["days"] |= {f"{date:%m-%d}": None for date in dates[3:]}
    path = tmp_path / "spare.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    back = read_calendar(path)
    assert back.puzzle.rules == puzzle.rules
    assert [day.tiling for day in back.days[:3]] == [day.tiling for day in days]
    document["days"]["01-01"][:2] = -1, 0
    path.write_text(json.dumps(document), encoding="utf-8")
    with pytest.raises(InputError, match="number -1 is out of range"):
        read_calendar(path)
