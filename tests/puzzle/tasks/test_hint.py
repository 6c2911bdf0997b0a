"""Hints against all tilings, one by one."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import instances, solvable_instances

from calmip import ExactCover, InputError, Instance, Placement, Tiling
from calmip._base.limits import Deadline, Limits
from calmip.cli import main
from calmip.mip.status import Status
from calmip.puzzle.documents.reader import read_instance
from calmip.puzzle.placements import entry_of, with_placed
from calmip.puzzle.search.difficulty import Rating, rate
from calmip.puzzle.search.exact_cover.search import solutions
from calmip.puzzle.search.exact_cover.witnesses import exists
from calmip.puzzle.tasks import hint as hint_module
from calmip.puzzle.tasks.hint import Hint, hint

LEAP = read_instance("a-puzzle-a-day", reveal="Feb,29")


def tilings_of(instance: Instance) -> list[Tiling]:
    cover = ExactCover(instance)
    return [Tiling.from_options(cover, chosen) for chosen in solutions(cover)]


@pytest.mark.long
@settings(max_examples=40, deadline=None)
@given(instance=solvable_instances(), data=st.data())
def test_the_piece_is_the_commonest_and_the_numbers_are_right(
    instance: Instance, data: st.DataObject
) -> None:
    some = data.draw(st.sampled_from(tilings_of(instance)))
    placed = data.draw(st.sets(st.sampled_from(some.placements)))
    position = replace(instance, placed=tuple(sorted(placed)))
    tilings = tilings_of(position)
    found = hint(position)
    assert found.solvable
    assert found.tilings == len(tilings)
    shared = Counter(
        p.cells
        for tiling in tilings
        for p in tiling.placements
        if p.cells not in {one.cells for one in position.placed}
    )
    if not shared:
        assert found.piece is None
        assert len(position.placed) == len(instance.puzzle.pieces)
        return
    assert found.piece is not None
    assert found.piece.piece not in {one.piece for one in placed}
    assert found.tilings_left == shared[found.piece.cells] == max(shared.values())
    after = hint(replace(position, placed=(*position.placed, found.piece)))
    assert after.tilings == found.tilings_left


def position_of(text: str) -> Instance:
    return with_placed(LEAP, text)


def dead(instance: Instance, names: set[str]) -> bool:
    rest = tuple(one for one in instance.placed if one.piece not in names)
    return not exists(ExactCover(replace(instance, placed=rest)))[0]


@pytest.mark.long
@settings(max_examples=40, deadline=None)
@given(instance=instances(), data=st.data())
def test_what_blocks_a_dead_position(instance: Instance, data: st.DataObject) -> None:
    cover = ExactCover(instance)
    options = data.draw(st.permutations(range(cover.columns)))
    taken: set[tuple[int, int]] = set()
    placed: list[Placement] = []
    for number in options:
        option = cover.option(number)
        assert isinstance(option, Placement)
        if not taken & set(option.cells) and option.piece not in {p.piece for p in placed}:
            placed.append(option)
            taken |= set(option.cells)
    position = replace(instance, placed=tuple(placed[: data.draw(st.integers(0, 4))]))
    found = hint(position)
    names = [one.piece for one in position.placed]
    assert found.solvable == (not dead(position, set()))
    if found.solvable:
        assert not found.blocking + found.take_off
        return
    assert (found.tilings, found.piece) == (0, None)
    assert found.hopeless == dead(position, set(names))
    assert set(found.blocking) == {n for n in names if not dead(position, {n})}
    if found.take_off:
        assert not found.blocking
        assert not dead(position, set(found.take_off))
        assert all(dead(position, set(found.take_off) - {name}) for name in found.take_off)
    else:
        assert found.hopeless or found.blocking


def test_known_positions() -> None:
    assert (hint(LEAP).tilings, hint(LEAP).tilings_left) == (64, 35)
    found = hint(position_of("U:Apr+Jun+Oct+Nov+Dec"))
    assert (found.solvable, found.blocking) == (False, ("U",))
    # Neither can stay where it is.
    found = hint(position_of("N:Apr+May+Jun+Sep+Oct V:3+10+15+16+17"))
    assert (found.solvable, found.blocking, found.take_off) == (False, (), ("N", "V"))


@pytest.mark.parametrize("late", [True, False])
@pytest.mark.parametrize("counted", [[9, 4], [9, None], [None, 4], [None, None]])
def test_a_hint_is_complete_unless_the_time_is_over(
    monkeypatch: pytest.MonkeyPatch, counted: list[int | None], late: bool
) -> None:
    """More tilings than a count may have are no lack of time."""
    monkeypatch.setattr(hint_module, "MAX_SAMPLED_TILINGS", 1)
    monkeypatch.setattr(hint_module, "_count", lambda *_: numbers.pop(0))
    numbers, limits = list(counted), Limits(None)
    limits.__dict__["clock"] = SimpleNamespace(over=late, left=lambda *_: None)
    found = hint_module._answer(LEAP, limits)
    assert (found.tilings, found.tilings_left) == tuple(counted)
    assert found.complete is (not late or None not in counted)


@pytest.mark.long
def test_a_great_many_tilings_are_counted_and_not_listed() -> None:
    instance = read_instance("shiura-daily-11p", reveal="Feb,1")
    found = hint(instance)
    assert found.tilings == 2163952 // 8
    assert found.piece is not None
    after = hint(replace(instance, placed=(found.piece,)))
    assert after.tilings == found.tilings_left
    assert found.tilings_left is not None
    assert 0 < found.tilings_left < found.tilings


def test_limits_are_honest() -> None:
    instance = read_instance("kao-pentomino-year-8x8", free=True)
    found = hint(instance, time_limit=0.05)
    # Some tilings may be found in time, but never all of them.
    assert found.tilings is None
    assert found.solvable is not False
    assert not found.complete
    for wrong in (0, -1, float("nan")):
        with pytest.raises(InputError, match="above 0"):
            hint(LEAP, time_limit=wrong)


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(arguments)
    out, err = capsys.readouterr()
    return code, out, err


DAY = ("hint", "a-puzzle-a-day", "--reveal", "Feb,29")


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, *DAY, "--placed", "U:Jan O6:Apr+Dec")
    assert (code, err) == (0, "")
    assert "Feb 29 with U, O6 placed: it can be solved in 15 ways" in out
    last = out.splitlines()[-1]
    assert last.startswith("lay ")
    # The entry that is shown can be given back, and one piece only is shown.
    name, _, places = last.split()[1].partition(":")
    assert f"[{name}]" in out
    assert out.count("[") == len(places.split("+"))
    code, out, _ = run(capsys, *DAY, "--placed", f"U:Jan O6:Apr+Dec {name}:{places}")
    assert code == 0
    code, out, _ = run(capsys, *DAY, "--placed", "U:Apr+Jun+Oct+Nov+Dec")
    assert code == 1
    assert "it cannot be solved\ntake off U to make it solvable" in out


def test_no_hint_gives_the_whole_answer(capsys: pytest.CaptureFixture[str]) -> None:
    placed: list[str] = []
    instance = LEAP
    for number in range(8):
        code, out, _ = run(capsys, *DAY, "--format", "json", "--placed", " ".join(placed))
        found = json.loads(out)
        assert (code, found["solvable"]) == (0, True)
        assert len(found["instance"].get("placed", [])) == number
        piece = found["piece"]
        placement = Placement(piece["piece"], tuple(map(tuple, piece["cells"])))
        placed.append(entry_of(instance, placement))
        assert "placements" not in out
    code, out, _ = run(capsys, *DAY, "--placed", " ".join(placed))
    assert code == 0
    assert out.splitlines()[-1].endswith("placed: solved")


def test_json_of_a_dead_position(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, *DAY, "--format", "json", "--placed", "U:Apr+Jun+Oct+Nov+Dec")
    found = json.loads(out)
    assert code == 1
    assert list(found) == [
        "instance",
        "solvable",
        "tilings",
        "piece",
        "tilings_left",
        "blocking",
        "take_off",
        "hopeless",
        "complete",
        "difficulty",
    ]
    assert (found["solvable"], found["tilings"], found["piece"]) == (False, 0, None)
    assert (found["blocking"], found["hopeless"]) == (["U"], False)
    code, out, _ = run(capsys, "hint", "instances/dead-corner.yaml")
    assert code == 1
    assert "the empty board has no tiling" in out


def test_the_difficulty_is_in_each_form(capsys: pytest.CaptureFixture[str]) -> None:
    position = (*DAY, "--placed", "U:Jan O6:Apr+Dec", "--difficulty")
    rating = rate(ExactCover(position_of("U:Jan O6:Apr+Dec")), Deadline())
    assert rating.tries is not None
    assert rating.forced is not None
    code, out, _ = run(capsys, *position)
    assert code == 0
    assert out.splitlines()[-1] == (
        f"difficulty: {float(rating.tries):.1f} placements tried on average, "
        f"{float(rating.forced):.1f} of 6 pieces forced, "
        f"at most {rating.depth} guesses open at once"
    )
    code, out, _ = run(capsys, *position, "--format", "json")
    assert json.loads(out)["difficulty"] == {
        "pieces": 6,
        "tries": round(float(rating.tries), 6),
        "forced": round(float(rating.forced), 6),
        "depth": rating.depth,
    }
    code, out, _ = run(capsys, "hint", "instances/dead-corner.yaml", "--difficulty")
    assert code == 1
    last = out.splitlines()[-1]
    assert last == "difficulty: 0.0 placements tried until all are refuted, no guess"


def test_there_is_no_difficulty_of_many_dates_or_of_no_time() -> None:
    with pytest.raises(InputError, match="month, day are free; give their labels"):
        hint(read_instance("a-puzzle-a-day", free=True), difficulty=True)
    many = read_instance("shiura-daily-11p", reveal="Feb,1")
    found = hint(many, difficulty=True, time_limit=0.05)
    assert (found.difficulty, found.complete) == (None, False)
    # With too many positions there is no number, and the text says so.
    none = replace(hint(LEAP), difficulty=Rating(8))
    assert str(none).endswith("difficulty: not rated, because there are too many positions")


def test_a_position_of_which_nothing_is_known_has_no_difficulty(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    open_yet = Hint(LEAP, Status.UNKNOWN, None, complete=False)
    monkeypatch.setattr("calmip.puzzle.tasks.hint._answer", lambda *_: open_yet)
    assert hint(LEAP, difficulty=True).difficulty is None


@pytest.mark.parametrize(
    ("revived", "expected"),
    [
        ({}, {"hopeless": True}),
        ({"ABC": None}, {"complete": False}),
        ({"ABC": True, "A": True, "C": True}, {"blocking": ("A", "C")}),
        ({"ABC": True, "A": True, "B": None}, {"blocking": ("A",), "complete": False}),
        ({"ABC": True, "B": None}, {"complete": False}),
        ({"ABC": True, "BC": True}, {"take_off": ("B", "C")}),
        ({"ABC": True, "AB": None, "BC": True}, {"complete": False}),
        ({"ABC": True}, {"take_off": ("A", "B", "C")}),
    ],
)
def test_what_blocks_is_known_or_left_open(
    monkeypatch: pytest.MonkeyPatch, revived: dict[str, bool | None], expected: dict[str, object]
) -> None:
    """By the sets of pieces without which there is a tiling; None if that is not known in time."""
    placed = tuple(SimpleNamespace(piece=name) for name in "ABC")
    monkeypatch.setattr(
        hint_module,
        "_revives",
        lambda _, off, __: revived.get("".join(one.piece for one in off), False),
    )
    found = hint_module._dead(SimpleNamespace(placed=placed), Limits(None))  # type: ignore[arg-type]
    usual = {"blocking": (), "take_off": (), "hopeless": False, "complete": True}
    assert {name: getattr(found, name) for name in usual} == usual | expected
    assert (found.status, found.tilings) == ("infeasible", 0)
    nothing = hint_module._dead(SimpleNamespace(placed=()), Limits(None))  # type: ignore[arg-type]
    assert (nothing.hopeless, nothing.complete) == (True, True)


def test_words_for_what_helps() -> None:
    lines = [
        str(Hint(LEAP, Status.INFEASIBLE, 0, **some)).splitlines()[-1]
        for some in (
            {"blocking": ("U", "Y")},
            {"take_off": ("U", "Y")},
            {},
            {"complete": False},
        )
    ]
    assert lines == [
        "take off any one of U, Y to make it solvable",
        "take off U and Y together; no fewer pieces suffice",
        "taking off one piece is not enough",
        "the time limit was reached before it was known what to take off",
    ]


def test_a_position_in_a_file_and_a_hexagonal_one(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "position.yaml"
    path.write_text("puzzle: hex43-v1\nreveal: [Jan, 1]\nplaced: {O4: [29, 23, May]}\n")
    code, out, err = run(capsys, "hint", str(path))
    assert (code, err) == (0, "")
    assert "with O4 placed: it can be solved in " in out


@pytest.mark.parametrize("seed", range(80))
def test_what_is_not_known_of_a_dead_position_is_not_said(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each set of pieces that is taken off revives the position, does not, or is not decided."""
    draw, names = Random(seed), "ABC"
    sets = [off for size in range(1, 4) for off in combinations(names, size)]
    table = {off: draw.choice([True, False, False, None]) for off in sets}
    if seed % 2:  # then no piece alone decides, and all do
        table |= dict.fromkeys(sets[:3], False) | {tuple(names): True}
    position = SimpleNamespace(placed=tuple(SimpleNamespace(piece=name) for name in names))

    def revives(_: object, off: tuple[SimpleNamespace, ...], __: object) -> bool | None:
        return table[tuple(one.piece for one in off)]

    monkeypatch.setattr(hint_module, "_revives", revives)
    found = hint_module._dead(position, Limits())  # type: ignore[arg-type]
    assert (found.status, found.tilings, found.piece) == (Status.INFEASIBLE, 0, None)
    every, singles = table[tuple(names)], [name for name in names if table[name,]]
    said = (found.hopeless, found.complete, found.blocking, found.take_off)
    if not every:
        assert said == (every is False, every is False, (), ())
    elif singles or None in (table[name,] for name in names):
        assert said == (False, None not in (table[n,] for n in names), tuple(singles), ())
    else:
        first = next(off for off in sets[3:] if table[off] is not False)
        known = table[first] is True
        assert said == (False, known, (), first if known else ())


def test_a_position_without_pieces_that_is_dead_is_hopeless(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(hint_module, "_revives", lambda *_: pytest.fail("nothing is placed"))
    found = hint_module._dead(SimpleNamespace(placed=()), Limits())  # type: ignore[arg-type]
    assert (found.hopeless, found.complete, found.take_off) == (True, True, ())


@pytest.mark.parametrize("fault", [None, TimeoutError, InputError("2**63 tilings and more")])
def test_a_position_that_is_not_counted_is_not_complete(
    fault: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All pieces lie, or more tilings than are sampled are left, and the count may fail."""
    first = tilings_of(LEAP)[0]
    whole = replace(LEAP, placed=tuple(sorted(first.placements)))
    assert (hint(whole).tilings, hint(whole).piece, hint(whole).complete) == (1, None, True)
    known = hint(LEAP).tilings
    monkeypatch.setattr(hint_module, "MAX_SAMPLED_TILINGS", 1)
    if fault is not None:

        def refuse(*_: object) -> int:
            raise fault

        monkeypatch.setattr("calmip.puzzle.search.exact_cover.counting.count", refuse)
    found = hint(LEAP)
    assert found.solvable
    assert found.tilings == (known if fault is None else None)
    assert (found.tilings_left is None) is (fault is not None)
