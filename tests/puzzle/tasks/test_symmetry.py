"""Tilings up to symmetry: classical numbers, orbits by hand, and Burnside as the witness."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import calmip
from calmip._base.limits import Deadline
from calmip.cli import main
from calmip.puzzle.lattice import HEXAGONAL, SHAPES, SQUARE
from calmip.puzzle.search.exact_cover.search import solutions
from calmip.puzzle.search.symmetry import (
    count_different,
    count_invariant,
    is_first_image,
    symmetries,
)

TWELVE = "[F, I, L, N, P, T, U, V, W, X, Y, Z]"
SQUARE_GRIDS = (
    ["* * * *", "* * * *", "* * * *"],
    ["* * * *", "* * * *", "* * * *", "* * * *"],
    [". * * .", "* * * *", "* * * *", ". * * ."],
    ["* * * *", "* A . *", "* . . *", "* * * *"],
    ["* * . .", "* * * *", ". . * *"],
    ["* * * * * *"],
    ["* * A", "* * *", "* * *"],
)
HEXAGONAL_GRIDS = (
    ["* * .", "* * *", ". * *"],
    ["* * .", "* . *", ". * *"],
    ["* * * .", "* * * *", ". * * *"],
)


@st.composite
def symmetric_instances(draw: st.DrawFn) -> calmip.Instance:
    lattice, grids = draw(st.sampled_from([(SQUARE, SQUARE_GRIDS), (HEXAGONAL, HEXAGONAL_GRIDS)]))
    board = calmip.Board.from_text(draw(st.sampled_from(grids)), lattice)
    labels = tuple(board.labels)
    area = len(board.cells) - len(labels)
    names = [name for name in SHAPES[lattice.name] if name[-1] in "1234"]
    pieces: list[calmip.Piece] = []
    while area:
        shape = draw(st.sampled_from([name for name in names if int(name[-1]) <= area]))
        rows = SHAPES[lattice.name][shape]
        pieces.append(calmip.Piece.from_rows(f"{shape}n{len(pieces)}", rows, lattice))
        area -= int(shape[-1])
    assume(len(pieces) <= 7)
    try:
        puzzle = calmip.Puzzle("drawn", board, tuple(pieces), flip=draw(st.booleans()))
        return calmip.Instance(puzzle, labels)
    except calmip.InputError:
        assume(False)
        raise


@pytest.mark.long
@given(symmetric_instances())
@settings(deadline=None, max_examples=80)
def test_orbits_are_counted_and_one_of_each_is_found(instance: calmip.Instance) -> None:
    motions = symmetries(instance)
    every = calmip.enumerate(instance).tilings
    assume(len(every) < 2000)

    def picture(tiling: calmip.Tiling, motion: dict[object, object]) -> frozenset[object]:
        return frozenset(frozenset(motion[cell] for cell in p.cells) for p in tiling.placements)

    images = [{picture(tiling, motion) for motion in motions} for tiling in every]
    pictures = {picture(tiling, motions[0]) for tiling in every}
    assert all(some <= pictures for some in images), "a motion makes a tiling of a tiling"
    orbits = {frozenset(some) for some in images}
    counts = calmip.count(instance, up_to_symmetry=True)
    assert (counts.total, counts.different) == (len(every), len(orbits))
    assert counts.symmetries == len(motions)
    chosen = calmip.enumerate(instance, up_to_symmetry=True)
    assert chosen.complete
    assert len(chosen) == len(orbits)
    assert {frozenset(picture(one, m) for m in motions) for one in chosen} == orbits
    assert all(is_first_image(one, motions) for one in chosen)


@pytest.mark.long
@given(symmetric_instances())
@settings(deadline=None, max_examples=60)
def test_a_motion_leaves_as_many_tilings_as_they_are_as_brute_force_finds(
    instance: calmip.Instance,
) -> None:
    """Equal pieces may change places under it."""
    cover = calmip.ExactCover(instance)
    every = list(solutions(cover))
    assume(len(every) < 500)
    pictures = [
        frozenset(frozenset(cover.option(option).cells) for option in options) for options in every
    ]
    for motion in symmetries(instance):
        fixed = sum(
            picture == frozenset(frozenset(motion[cell] for cell in one) for one in picture)
            for picture in pictures
        )
        assert count_invariant(cover, motion, Deadline()) == fixed


def test_a_sum_that_the_symmetries_do_not_divide_is_an_error() -> None:
    board = calmip.Board.from_text(["* * *", "* * *"])
    pieces = tuple(calmip.Piece.from_rows(f"d{n}", ["##"]) for n in range(3))
    cover = calmip.ExactCover(calmip.Instance(calmip.Puzzle("dominoes", board, pieces)))
    motions = symmetries(cover.instance)
    # Three tilings; by hand, 3 + 1 + 1 + 3 of them stay as they are under the four motions.
    assert [count_invariant(cover, motion, Deadline()) for motion in motions[1:]] in (
        [1, 1, 3],
        [1, 3, 1],
        [3, 1, 1],
    )
    assert count_different(cover, motions, 3, Deadline()) == 2
    with pytest.raises(calmip.SolverFailed, match=r"4 solutions .* make 9, .* of the 4 symmetries"):
        count_different(cover, motions, 4, Deadline())
    with pytest.raises(TimeoutError):
        count_different(cover, motions, 3, Deadline(1e-9))


@pytest.mark.parametrize(
    ("grid", "motions", "every", "different"),
    [
        (["* * * * * * * * * *"] * 6, 4, 9356, 2339),
        pytest.param(
            ["* * * * * * * *"] * 3 + ["* * * . . * * *"] * 2 + ["* * * * * * * *"] * 3,
            8,
            520,
            65,
            marks=pytest.mark.long,
        ),
        (["* * * * * * * * * * * * * * * * * * * *"] * 3, 4, 8, 2),
    ],
)
def test_the_classical_numbers(
    grid: list[str],
    motions: int,
    every: int,
    different: int,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = tmp_path / "board.yaml"
    path.write_text(f"grid: {json.dumps(grid)}\npieces: {TWELVE}\n")
    assert main(["count", str(path), "--up-to-symmetry", "--format", "json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["total"], told["symmetries"], told["up_to_symmetry"]) == (
        every,
        motions,
        different,
    )
    if every < 1000:
        assert main(["enumerate", str(path), "--up-to-symmetry", "--format", "json"]) == 0
        told = json.loads(capsys.readouterr().out)
        assert (told["count"], told["symmetries"], told["complete"]) == (different, motions, True)


@pytest.mark.parametrize("method", ["one-tree", "no-good"])
def test_every_method_finds_one_of_each(method: str) -> None:
    board = calmip.Board.from_text(["* * *", "* * *"])
    pieces = tuple(calmip.Piece.from_rows(f"d{n}", ["##"]) for n in range(3))
    instance = calmip.Instance(calmip.Puzzle("dominoes", board, pieces))
    assert len(calmip.enumerate(instance, method=method)) == 3
    pool = calmip.enumerate(instance, method=method, up_to_symmetry=True)
    assert (len(pool), pool.complete, pool.symmetries) == (2, True, 4)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["a-puzzle-a-day"], "give the labels of month and day"),
        (["a-puzzle-a-day", "--any-cells", "2"], "needs labels; leave out any_cells"),
    ],
)
def test_what_has_no_symmetry_is_refused(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["count", *arguments, "--up-to-symmetry"]) == 2
    assert message in capsys.readouterr().err
    placed = calmip.read_instance("a-puzzle-a-day", reveal="Feb,29", placed="U:Jan+Mar")
    with pytest.raises(calmip.InputError, match="leave out the key 'placed'"):
        calmip.enumerate(placed, up_to_symmetry=True)
