"""A tiling accepts what brute force finds and nothing else."""

import random
from dataclasses import replace

import pytest
import reference
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import instances

from calmip import Board, ExactCover, Instance, NotATiling, Piece, Placement, Puzzle, Tiling
from calmip.documents.reader import read_instance
from calmip.problem.tiling import Packing
from calmip.problem.verification import check_labels
from calmip.search.exact_cover.search import solutions

TINY = "instances/tiny.yaml"


def tiny_tilings() -> list[Tiling]:
    cover = ExactCover(read_instance(TINY))
    return [Tiling.from_options(cover, options) for options in solutions(cover)]


@settings(max_examples=40, deadline=None)
@given(instances(height=3))
def test_every_brute_force_tiling_is_accepted_and_found(instance: Instance) -> None:
    pieces = {piece.name: piece.cells for piece in instance.puzzle.pieces}
    expected = reference.tilings(instance.to_cover, pieces, flip=instance.puzzle.flip)
    for cells in expected:
        placements = tuple(Placement(name, tuple(sorted(at))) for name, at in cells)
        assert Tiling(instance, placements, instance.labels).labels == instance.labels
    cover = ExactCover(instance)
    found = [Tiling.from_options(cover, options) for options in solutions(cover)]
    pictures = {frozenset(frozenset(p.cells) for p in tiling.placements) for tiling in found}
    assert len(pictures) == len(found)
    assert pictures == reference.pictures(expected)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda p: p[:1], "no placement for piece square"),
        (lambda p: (p[0], p[0]), "used twice"),
        (lambda p: (p[0], Placement("blob", p[1].cells)), "not a piece of the puzzle"),
        (lambda p: (p[0], Placement("square", ((1, 1),))), "must stay uncovered"),
        (lambda p: (p[0], Placement("square", ((0, 0),))), "both cover"),
        (lambda p: (p[0], Placement("square", ((7, 7),))), "leaves the board"),
        (lambda p: (p[0], Placement("square", ((0, 0), (1, 0)))), "do not have the shape"),
    ],
)
def test_what_is_wrong_is_said(change: object, message: str) -> None:
    tiling = next(t for t in tiny_tilings() if t.owner[0, 1] == "domino")
    domino, square = sorted(tiling.placements, key=lambda p: p.piece)
    with pytest.raises(NotATiling, match=message):
        replace(tiling, placements=change((domino, square)))


def test_the_same_picture_is_the_same_tiling_whatever_was_asked() -> None:
    """Found with the day chosen by the model, or with the day given."""
    days = Instance(read_instance(TINY).puzzle, (), ("day",))
    cover = ExactCover(days)
    every = {Tiling.from_options(cover, options) for options in solutions(cover)}
    assert {tiling for tiling in every if tiling.labels == ("4",)} == set(tiny_tilings())
    assert all("Instance(" not in repr(tiling) for tiling in every)


def test_labels_are_checked_too() -> None:
    tiling = tiny_tilings()[0]
    for labels, words in (
        ((), "does not leave 4 uncovered"),
        (("3",), "does not leave 4 uncovered"),
        (("4", "3"), "not asked for"),
        (("4", "4"), "not asked for"),
    ):
        with pytest.raises(NotATiling, match=words):
            replace(tiling, labels=labels)
        with pytest.raises(NotATiling, match=words):
            Packing(tiling.instance, (), labels)


def test_all_pieces_used_are_not_all_cells_covered() -> None:
    # The label a leaves seven cells to two pieces of three, b leaves six.
    pieces = (Piece.from_rows("I", ["###"]), Piece.from_rows("J", ["###"]))
    board = Board.from_text(["a b b *", "* * * *"])
    instance = Instance(Puzzle("Unlike labels", board, pieces, {"side": ("a", "b")}), (), ("side",))
    placements = (
        Placement("I", ((0, 1), (0, 2), (0, 3))),
        Placement("J", ((1, 1), (1, 2), (1, 3))),
    )
    packing = Packing(instance, placements, ("a",))
    assert packing.missing == ((1, 0),)
    with pytest.raises(NotATiling, match=r"cell \* \(1, 0\) is not covered"):
        Tiling(instance, placements, ("a",))


def test_what_a_packing_leaves_bare() -> None:
    for tiling in tiny_tilings():
        assert tiling.missing == ()
        for number, left in enumerate(tiling.placements):
            others = tiling.placements[:number] + tiling.placements[number + 1 :]
            assert Packing(tiling.instance, others, tiling.labels).missing == left.cells


def test_a_free_group_uncovers_exactly_one_label() -> None:
    cover = ExactCover(read_instance("a-puzzle-a-day", reveal="month=Feb,day=free"))
    tiling = Tiling.from_options(cover, next(solutions(cover)))
    assert tiling.reveal["month"] == "Feb"
    with pytest.raises(NotATiling):
        replace(tiling, labels=("Feb",))


def test_a_turned_over_piece_is_refused_where_flips_are_not_allowed() -> None:
    instance = read_instance("a-puzzle-a-day", reveal="Jan,1")
    cover = ExactCover(instance)
    rigid = read_instance("a-puzzle-a-day", reveal="Jan,1", flip=False)
    refused = 0
    for options in solutions(cover):
        tiling = Tiling.from_options(cover, options)
        try:
            Tiling(rigid, tiling.placements, tiling.labels)
        except NotATiling:
            refused += 1
    assert refused == 62  # of 64; two need no turning over


@settings(max_examples=40, deadline=None)
@given(instances(height=3), st.randoms(use_true_random=False))
def test_a_tiling_is_its_picture_in_whatever_order_it_is_told(
    instance: Instance, rng: random.Random
) -> None:
    pieces = {piece.name: piece.cells for piece in instance.puzzle.pieces}
    told = reference.tilings(instance.to_cover, pieces, flip=instance.puzzle.flip)
    made = set()
    for cells in told:
        placements = [Placement(name, tuple(rng.sample(sorted(at), len(at)))) for name, at in cells]
        labels = list(instance.labels)
        rng.shuffle(placements)
        rng.shuffle(labels)
        made.add(Tiling(instance, placements, labels))
    # With equal pieces, brute force tells every picture several times.
    assert len(made) == len(reference.pictures(told))
    for tiling in made:
        assert {(p.piece, frozenset(p.cells)) for p in tiling.placements} in told


def test_free_labels_in_any_order_are_one_tiling() -> None:
    cover = ExactCover(read_instance("a-puzzle-a-day", reveal="month=free,day=free"))
    options = next(solutions(cover))
    tilings = {Tiling.from_options(cover, order) for order in (options, options[::-1])}
    (tiling,) = tilings
    assert list(tiling.reveal) == ["month", "day"] == list(cover.instance.puzzle.groups)
    assert tiling.labels == tuple(tiling.reveal.values())
    # Also where the instance was told the day first.
    cover = ExactCover(read_instance("a-puzzle-a-day", reveal="month=free,day=29"))
    assert Tiling.from_options(cover, next(solutions(cover))).labels[1] == "29"


@pytest.mark.parametrize("options", [[-1], [5], [10**9], [0, 1], [0, 0], []])
def test_options_that_make_no_tiling(options: list[int]) -> None:
    with pytest.raises(NotATiling):
        Tiling.from_options(ExactCover(read_instance(TINY)), options)


def test_each_free_group_uncovers_one_label_of_its_own() -> None:
    given = read_instance("a-puzzle-a-day", reveal="month=free,day=free")
    several = [("Feb", "Mar"), ("28", "29"), ("Feb",), ("Feb", "28", "29")]
    for labels in several:
        with pytest.raises(NotATiling, match=r"exactly one (month|day) stays uncovered"):
            check_labels(given, labels)
    with pytest.raises(NotATiling, match="not asked for"):
        check_labels(
            read_instance("a-puzzle-a-day", reveal="month=free,day=29"), ("29", "Feb", "28")
        )
    check_labels(given, ("29", "Feb"))
