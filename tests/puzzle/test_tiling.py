"""A tiling accepts what brute force finds and nothing else."""

import itertools
import random
import re
from dataclasses import replace

import brute_force
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import instances, solvable_instances

import calmip
from calmip import Board, ExactCover, Instance, NotATiling, Piece, Placement, Puzzle, Tiling
from calmip.puzzle.documents.reader import read_instance
from calmip.puzzle.documents.serialise import describe_tiling, json_text, tiling_lines
from calmip.puzzle.search.exact_cover.search import solutions
from calmip.puzzle.tiling import Packing, Verifier, check_labels

TINY = "instances/tiny.yaml"


def tiny_tilings() -> list[Tiling]:
    cover = ExactCover(read_instance(TINY))
    return [Tiling.from_options(cover, options) for options in solutions(cover)]


@pytest.mark.long
@settings(max_examples=40, deadline=None)
@given(instances(height=3))
def test_every_brute_force_tiling_is_accepted_and_found(instance: Instance) -> None:
    pieces = {piece.name: piece.cells for piece in instance.puzzle.pieces}
    expected = brute_force.tilings(instance.to_cover, pieces, flip=instance.puzzle.flip)
    for cells in expected:
        placements = tuple(Placement(name, tuple(sorted(at))) for name, at in cells)
        assert Tiling(instance, placements, instance.labels).labels == instance.labels
    cover = ExactCover(instance)
    found = [Tiling.from_options(cover, options) for options in solutions(cover)]
    pictures = {frozenset(frozenset(p.cells) for p in tiling.placements) for tiling in found}
    assert len(pictures) == len(found)
    assert pictures == brute_force.pictures(expected)


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


@pytest.mark.long
@settings(max_examples=40, deadline=None)
@given(instances(height=3), st.randoms(use_true_random=False))
def test_a_tiling_is_its_picture_in_any_order_of_its_pieces(
    instance: Instance, rng: random.Random
) -> None:
    pieces = {piece.name: piece.cells for piece in instance.puzzle.pieces}
    told = brute_force.tilings(instance.to_cover, pieces, flip=instance.puzzle.flip)
    made = set()
    for cells in told:
        placements = [Placement(name, tuple(rng.sample(sorted(at), len(at)))) for name, at in cells]
        labels = list(instance.labels)
        rng.shuffle(placements)
        rng.shuffle(labels)
        made.add(Tiling(instance, placements, labels))
    # With equal pieces, brute force tells every picture several times.
    assert len(made) == len(brute_force.pictures(told))
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


@st.composite
def positions(draw: st.DrawFn) -> Instance:
    """Draw an instance with a tiling: groups may be free, pieces equal or on the board already."""
    instance = draw(solvable_instances(3, 4, 3))
    puzzle, board = instance.puzzle, instance.puzzle.board
    others = [label for label in board.labels if label not in instance.labels]
    free = tuple(f"group {label}" for label in instance.labels if draw(st.booleans()))
    groups = {group: (group.removeprefix("group "),) for group in free}
    for label in others:
        if free:
            groups[draw(st.sampled_from(free))] += (label,)
    fixed = tuple(label for label in instance.labels if f"group {label}" not in free)
    puzzle = replace(puzzle, groups=groups)
    found = next(solutions(ExactCover(Instance(puzzle, fixed, free))))
    tiling = Tiling.from_options(ExactCover(Instance(puzzle, fixed, free)), found)
    placed = tuple(one for one in tiling.placements if draw(st.integers(0, 3)) == 0)
    return Instance(puzzle, fixed, free, placed=placed)


@pytest.mark.long
@settings(max_examples=80, deadline=None)
@given(positions(), st.randoms(use_true_random=False))
def test_masks_say_what_the_check_cell_by_cell_says(instance: Instance, rng: random.Random) -> None:
    cover = ExactCover(instance)
    verifier, line = Verifier(cover), tiling_lines(instance)
    found = list(itertools.islice(solutions(cover), 60))
    for options in found:
        tiling = verifier.tiling(options)
        full = Tiling.from_options(cover, options)
        assert (tiling.placements, tiling.labels) == (full.placements, full.labels)
        assert hash(tiling) == hash(full)
        assert line(tiling) == json_text(describe_tiling(full))
        assert verifier.options(tiling.placements, tiling.labels) == options
        assert verifier.options(tiling.placements, tiling.labels) == tiling.options(cover)
    # What is no tiling: an option too many, too few, another one, or any.
    for options in found[:10]:
        others = range(cover.columns)
        for wrong in (
            options[1:],
            options[:-1],
            [*options, options[0]],
            [*options, rng.choice(others)],
            [*options[1:], rng.choice(others)],
            rng.sample(others, min(len(options), len(others))),
            [*options[:-1], cover.columns],
            [-1, *options[1:]],
            [],
        ):
            try:
                expected = Tiling.from_options(cover, wrong)
            except NotATiling as error:
                with pytest.raises(NotATiling, match=re.escape(str(error)[:40])):
                    verifier.tiling(wrong)
            else:
                assert verifier.tiling(wrong) == expected


def test_a_cover_that_is_wrong_makes_no_tilings() -> None:
    """The masks come from the puzzle's board: a fault in the items of the cover is found."""
    instance = read_instance("a-puzzle-a-day", reveal="month=Jan,day=free")
    rng = random.Random(5)
    for _ in range(20):
        cover = ExactCover(instance)
        options = rng.choice(list(itertools.islice(solutions(cover), 40)))
        # The last option is that of the day.
        items = cover.covered[rng.choice(options[:-1])]
        items[0] = (items[0] + rng.randint(1, 40)) % 41
        with pytest.raises(NotATiling):
            Verifier(cover).tiling(options)


@pytest.mark.long
def test_a_mask_that_is_wrong_is_no_verdict() -> None:
    cover = ExactCover(read_instance("instances/feb29.yaml"))
    for options in itertools.islice(solutions(cover), 10):
        for first, second in itertools.permutations(options, 2):
            verifier = Verifier(cover)
            verifier.tiling(options)
            verifier._known[first] = verifier._known[second]
            with pytest.raises(NotATiling, match="disagree"):
                verifier.tiling(options)


def test_every_thousandth_tiling_is_checked_cell_by_cell(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("calmip.puzzle.tiling.TILINGS_PER_SAMPLE", 3)
    cover = ExactCover(read_instance("instances/feb29.yaml"))
    verifier = Verifier(cover)
    checked = []
    made = Tiling.from_options.__func__  # type: ignore[attr-defined]
    monkeypatch.setattr(
        Tiling,
        "from_options",
        classmethod(lambda cls, *given: checked.append(1) or made(cls, *given)),
    )
    for options in solutions(cover):
        verifier.tiling(options)
    assert len(checked) == 1 + 64 // 3
    # A placement that is another one than its mask says is found by the sample.
    options = next(solutions(cover))
    one = verifier._known[options[0]]
    one[5][0] = Placement(one[5][0].piece, verifier._known[options[1]][3])
    verifier._count = 2
    with pytest.raises(NotATiling, match="disagree"):
        verifier.tiling(options)


def test_a_label_under_a_placed_piece_is_not_uncovered() -> None:
    """Equal pieces share an item, so that nothing else keeps the one that lies there."""
    puzzle = Puzzle(
        "Three equal ones",
        Board.from_text(["a b c", "d * *"]),
        (*(Piece(name, ((0, 0),)) for name in "ABC"), Piece("D", ((0, 0), (0, 1)))),
        {"letter": ("a", "b", "c", "d")},
    )
    placed = (Placement("B", ((1, 0),)),)
    instance = Instance(puzzle, (), ("letter",), placed=placed)
    found = {
        label: sum(1 for _ in solutions(ExactCover(Instance(puzzle, (label,), placed=placed))))
        for label in "abc"
    }
    counted = {reveal["letter"]: number for reveal, number in calmip.count(instance).counts or ()}
    assert counted == {**found, "d": 0}
    pool = calmip.enumerate(instance)
    assert len(pool) == sum(found.values())
    assert all(Placement("B", ((1, 0),)) in tiling.placements for tiling in pool)
