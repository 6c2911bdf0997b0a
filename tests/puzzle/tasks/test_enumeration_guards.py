"""Searches that lie, and files that fail: what an enumeration makes of them."""

from __future__ import annotations

import errno
import math
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import calmip
from calmip import ExactCover, InputError, Instance, SolverFailed, Tiling
from calmip._base.limits import Limits
from calmip.mip.exact_cover import regions
from calmip.puzzle.cover import Reveal
from calmip.puzzle.lattice import HEXAGONAL, SQUARE
from calmip.puzzle.puzzle import Puzzle
from calmip.puzzle.render import picture, tiles
from calmip.puzzle.render.reports import enumerate as report
from calmip.puzzle.render.reports import relaxations
from calmip.puzzle.search.exact_cover import counting
from calmip.puzzle.tasks import diverse, enumeration, hint, interface, journal, tree
from calmip.puzzle.tasks.enumeration import Enumeration
from calmip.puzzle.tasks.problems import InstanceProblem

TINY = calmip.read_instance("instances/tiny.yaml")

TWO = Instance(
    Puzzle(
        "two",
        calmip.Board.from_text(["* * * *"]),
        (calmip.Piece.from_rows("a", ["###"]), calmip.Piece.from_rows("b", ["#"])),
    )
)
"""A puzzle of two tilings."""


class Told:
    """A search that tells what it is given, and whether that is all."""

    def __init__(self, options: list[Any], *, complete: bool) -> None:
        self.options, self.complete, self.stopped = options, complete, ""

    def __iter__(self) -> Iterator[Any]:
        return iter(self.options)


def planted(*places: int, complete: bool = True) -> Enumeration:
    """Return an enumeration whose search finds some of two tilings."""
    every = list(Enumeration(TWO)._search)
    assert len(every) == 2
    search = Enumeration(TWO)
    search._search = Told([every[place] for place in places], complete=complete)
    return search


TILINGS: list[Tiling] = list(Enumeration(TWO))


def test_a_tiling_that_is_found_twice_ends_an_enumeration() -> None:
    search = planted(0, 0)
    with pytest.raises(SolverFailed, match="exact-cover found a tiling twice; report this"):
        list(search)
    assert not search.complete
    assert list(planted(0, 1)) == TILINGS


@pytest.mark.parametrize(
    ("earlier", "found", "fault"),
    [
        ((0,), (0, 1), ""),
        ((0, 1), (0, 1), ""),
        ((1,), (0, 1), "tiling 1 of the earlier run is not tiling 1 of this one"),
        ((0, 1), (0,), "the earlier run has 2 tilings, and there are only 1"),
        ((0,), (), "the earlier run has 1 tilings, and there are only 0"),
    ],
)
def test_an_earlier_run_is_the_beginning_of_this_one(
    earlier: tuple[int, ...], found: tuple[int, ...], fault: str
) -> None:
    search = planted(*found)
    rest = search.after([TILINGS[place] for place in earlier])
    if fault:
        with pytest.raises(InputError, match=fault):
            list(rest)
        assert not search.complete
    else:
        assert list(rest) == TILINGS[len(earlier) :]
        assert (search.complete, search.count) == (True, 2)
    late = planted(*found, complete=False)
    if fault.startswith("the earlier"):  # a search that was stopped may have had more
        assert list(late.after([TILINGS[place] for place in earlier])) == []
        assert (late.complete, late.stopped) == (False, "time")


def test_an_earlier_tiling_that_was_reduced_away_is_a_fault() -> None:
    def options(*_: object) -> None:
        raise KeyError

    search: Any = SimpleNamespace(verifier=SimpleNamespace(options=options))
    with pytest.raises(SolverFailed, match="left out a column of an earlier tiling"):
        Enumeration._take(search, TILINGS[0])


@pytest.mark.parametrize(
    ("tally", "streams", "search", "wanted"),
    [
        (False, False, "pool", (5, 3)),
        (True, False, "pool", (5, 0)),
        (True, True, "pool", (5, 0)),
        (False, True, "pool", (2, 0)),
        (False, False, "counting", (5, 3)),
        (True, False, "none", (2, 0)),
    ],
)
def test_solutions_that_ctrl_c_has_kept_back_are_counted(
    tally: bool, streams: bool, search: str, wanted: tuple[int, int]
) -> None:
    found = SimpleNamespace(streams=streams, counted=5)
    mine: Any = SimpleNamespace(count=2, unlisted=0, tally=tally, pool=None, counting=None)
    setattr(mine, search, found)
    Enumeration.interrupt(mine)
    assert (mine.stopped, (mine.count, mine.unlisted)) == ("interrupt", wanted)


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    for error, words in (
        (OSError(errno.EIO, "Input/output error"), "cannot be read: Input/output error"),
        (OSError("odd"), "cannot be read: odd"),
    ):

        def fails(*_: object, error: OSError = error) -> Any:
            raise error

        place: Any = SimpleNamespace(open=fails)
        mine: Any = SimpleNamespace(_path=place)
        with pytest.raises(InputError) as raised:
            journal.Journal._read(mine)
        assert (raised.value.message, raised.value.path) == (words, place)
        path = tmp_path / "t.jsonl"
        path.write_text("")
        search: Any = SimpleNamespace(instance=TWO, after=fails)
        with pytest.raises(InputError) as raised:
            next(journal.save_tilings(search, path, resume=True))
        assert (raised.value.message, raised.value.path) == (words, path)


def test_columns_of_a_puzzle_place_a_piece_or_uncover_a_label() -> None:
    puzzle = calmip.read_puzzle("a-puzzle-a-day")
    problem = InstanceProblem(Instance(puzzle, (), tuple(puzzle.groups)))
    kinds = set()
    for column in range(problem.cover.columns):
        option, told = problem.cover.option(column), problem.describe_column(column)
        kinds.add(type(option))
        if isinstance(option, Reveal):
            assert told == {"reveals": option.label}
        else:
            assert told["placement"]["piece"] == option.piece
    assert len(kinds) == 2
    assert problem.key_of(TILINGS[0]) == TILINGS[0]
    one, two = calmip.enumerate(TWO), calmip.enumerate(TWO, limit=1)
    assert one.difference(two) == (TILINGS[1],)
    assert (two.difference(one), two.union(one)) == ((), tuple(TILINGS))
    for value in (0, 1):
        problem.check_fixed(0, Fraction(value))
    with pytest.raises(InputError, match="a placement is fixed at 0 or at 1"):
        problem.check_fixed(0, Fraction(1, 2))


def test_a_function_of_a_board_reads_its_pieces_and_one_of_a_frame_does_not() -> None:
    read: dict[str, Any] = {
        "puzzle": interface.of_puzzle(lambda puzzle: puzzle),
        "board": interface.of_puzzle(lambda board: board),
        "frame": interface.of_puzzle(lambda frame: frame),
    }
    for name, function in read.items():
        found = function("a-puzzle-a-day")
        assert found.board == calmip.read_puzzle("a-puzzle-a-day").board
        assert bool(found.pieces) is (name != "frame")
        assert function(found) is found


def test_a_kind_of_problem_without_a_choice_of_solutions_is_named() -> None:
    problem: Any = SimpleNamespace(kind="odd")
    with pytest.raises(NotImplementedError, match="odd"):
        diverse._found(problem)


@pytest.mark.parametrize(
    ("revived", "blocking", "complete"),
    [
        (set(), (), True),
        ({("a",)}, ("a",), True),
        ({("b",), ("c",)}, ("b", "c"), True),
        ({("b", "c")}, (), True),
        ({None}, (), False),
    ],
)
def test_what_blocks_a_position_is_the_fewest_pieces_whose_removal_helps(
    revived: Any, blocking: tuple[str, ...], complete: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    pieces = [SimpleNamespace(piece=name) for name in "abc"]
    instance: Any = SimpleNamespace(placed=tuple(pieces))

    def revives(_: object, some: Any, __: object) -> bool | None:
        names = tuple(one.piece for one in some)
        return None if None in revived and len(names) == 2 else len(names) == 3 or names in revived

    monkeypatch.setattr(hint, "_revives", revives)
    for most in (99, 0):  # of no set of pieces is it found out then
        monkeypatch.setattr(hint, "MAX_REMOVED_SETS", most)
        found = hint._dead(instance, Limits())
        assert (found.status, found.blocking) == ("infeasible", blocking)
        pair = ("b", "c") if revived == {("b", "c")} else ("a", "b", "c")
        searched = most and complete and not blocking
        assert found.take_off == (pair if searched else ())
        assert found.complete is (complete or not most)
        assert not found.hopeless


def test_a_sum_beyond_64_bits_is_no_count(monkeypatch: pytest.MonkeyPatch) -> None:
    half = np.array([1 << 62, 1])
    assert counting._total([half]).tolist() == [1 << 62, 1]
    assert counting._total([half, half - 1]).tolist() == [(1 << 63) - 1, 1]
    with pytest.raises(counting.Overflow):
        counting._total([half, half])
    monkeypatch.setattr(counting, "threads_pay", lambda _: False)
    for counts, over in (([1 << 62, (1 << 62) - 1], False), ([1 << 62, 1 << 62], True)):
        monkeypatch.setattr(counting, "plain_tally", lambda *_, counts=counts: np.array(counts))
        options: Any = None
        if over:
            with pytest.raises(InputError, match="there are more than 9,223,372,036,854,775,808"):
                counting.tally(options, Limits())
        else:
            assert counting.tally(options, Limits()).tolist() == counts


def test_words_of_a_level_have_a_number_of_32_bits(monkeypatch: pytest.MonkeyPatch) -> None:
    work = SimpleNamespace(words=5, need=9, room=10)
    mine: Any = SimpleNamespace(_work=SimpleNamespace(struct=work))
    monkeypatch.setattr(regions, "MAX_NUMBER", 14)
    level: Any = None
    with pytest.raises(MemoryError, match="15 words of one level"):
        regions.Regions._more_words(mine, level)


def test_a_relaxation_without_a_certificate_is_infeasible_all_the_same() -> None:
    found: Any = SimpleNamespace(certificate=None)
    told = relaxations._proof(InstanceProblem(TWO), found)
    assert told == ["infeasible (verified in exact arithmetic)"]


def test_what_is_verified_is_a_tiling_of_the_instance() -> None:
    cover = ExactCover(TWO)
    assert [Tiling.from_options(cover, one.options(cover)) for one in TILINGS] == TILINGS
    assert enumeration.Enumeration(TINY).what == "tiling"


@pytest.mark.parametrize("symmetries", [None, 1, 2, 8])
def test_solutions_up_to_symmetry_are_called_so(symmetries: int | None) -> None:
    pool = replace(calmip.enumerate(TWO), symmetries=symmetries)
    told = report.verdict(pool)
    words = "symmetry" if symmetries == 1 else "symmetries"
    assert (f"2 tilings up to symmetry ({symmetries} {words})" in told) is (symmetries is not None)
    assert told.startswith("2 tilings")


@pytest.mark.parametrize("packing", [True, False])
def test_each_leaf_of_a_tree_is_a_tiling_of_its_own(packing: bool) -> None:
    one, two = TILINGS
    for leaves, right in (([one, two], True), ([one, one], False), ([one, None], False)):
        search = SimpleNamespace(nodes=range(2), solutions=["first", "second"], complete=False)
        found: Any = SimpleNamespace(searches=[search], tiling=leaves.__getitem__)
        more: Any = {"every": True, "packing": packing}
        given: Any = (InstanceProblem(TWO), found, None, None)
        if right or packing:
            assert tree._judge_tilings(*given, **more) == "feasible"
        else:
            with pytest.raises(SolverFailed, match="a leaf of the tree is not a tiling, or a dup"):
                tree._judge_tilings(*given, **more)


def test_a_label_across_rows_has_the_room_of_one_cell() -> None:
    for lattice in (SQUARE, HEXAGONAL):
        (_, one), (_, two) = (
            tiles.label_place(lattice, cells) for cells in ([(0, 0)], [(0, 0), (0, 1)])
        )
        place, room = tiles.label_place(lattice, [(0, 0), (1, 0), (1, 1)])
        assert one < two
        assert room == pytest.approx(one)
        assert all(map(math.isfinite, place))
    with pytest.raises(InputError, match="a sheet needs at least one tiling"):
        tiles.sheet_picture([])
    for text, bare in (("e\u0301", "e"), ("Ma\u0308rz", "Marz")):
        assert picture.text_width(text) == picture.text_width(bare)
