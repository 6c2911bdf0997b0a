"""The compiled depth-first search against the plain one, both against brute force."""

from __future__ import annotations

import itertools
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calmip._base.errors import InputError
from calmip.mip import kernel, packed_cover
from calmip.mip.packed_cover import Packed, PlainWalk, Walk, pack, walk
from calmip.puzzle.cover import ExactCover
from calmip.puzzle.documents.reader import read_instance
from calmip.puzzle.search.exact_cover.search import Search, words_of

ITEMS = 7


def packed(sets: list[set[int]], demand: list[int], late: list[int]) -> Packed:
    """Return a cover whose options are sets of items."""
    return pack([sorted(items) for items in sets], demand, late=late, size=sum(demand))


class Random(NamedTuple):
    sets: list[set[int]]
    demand: list[int]
    late: list[int]
    fillers: int


@st.composite
def covers(draw: st.DrawFn) -> Random:
    """Return options, demands and late items; fillers push the items into further words."""
    items = draw(st.integers(1, ITEMS))
    demand = draw(st.lists(st.sampled_from([1, 1, 1, 2, 3]), min_size=items, max_size=items))
    sets = draw(st.lists(st.sets(st.integers(0, items - 1), min_size=1), max_size=10))
    late = draw(st.lists(st.integers(0, items - 1), unique=True))
    fillers = draw(st.sampled_from([0, 0, 61, 124, 200]))
    moved = [{item + fillers for item in option} for option in sets]
    return Random(
        [{item} for item in range(fillers)] + moved,
        [1] * fillers + demand,
        [item + fillers for item in late],
        fillers,
    )


def brute_force(sets: list[set[int]], demand: list[int], fillers: int) -> set[tuple[int, ...]]:
    """Return all solutions; the fillers, an option for an item each, are in every one."""
    counts = [sum(1 << 4 * (item - fillers) for item in items if item >= fillers) for items in sets]
    wanted = sum(number << 4 * item for item, number in enumerate(demand[fillers:]))
    free = range(fillers, len(sets))
    return {
        (*range(fillers), *chosen)
        for size in range(len(free) + 1)
        for chosen in itertools.combinations(free, size)
        if sum(counts[option] for option in chosen) == wanted
    }


def run(search: Walk, most: int = 100, budget: int | None = None) -> tuple[list[list[int]], int]:
    rows: list[list[int]] = []
    while not search.finished:
        rows.extend(search.step(most, budget))
    return rows, search.nodes


@pytest.mark.long
@settings(deadline=None)
@given(covers())
def test_both_searches_find_all_solutions_in_one_order(
    cover: Random,
) -> None:
    masks = packed(cover.sets, cover.demand, cover.late)
    compiled, plain = walk(masks), PlainWalk(masks, masks.root)
    assert not isinstance(compiled, PlainWalk), "no compiled search on this machine"
    found, nodes = run(compiled)
    assert (found, nodes) == run(plain)
    expected = brute_force(cover.sets, cover.demand, cover.fillers)
    assert {tuple(sorted(options)) for options in found} == expected
    assert len(found) == len(expected)


@pytest.mark.long
@settings(deadline=None)
@given(covers(), st.integers(1, 3), st.integers(1, 30))
def test_stops_change_nothing(cover: Random, most: int, budget: int) -> None:
    masks = packed(cover.sets, cover.demand, cover.late)
    expected = run(walk(masks))
    assert run(walk(masks), most, budget) == expected
    assert run(PlainWalk(masks, masks.root), most, budget) == expected


@pytest.mark.long
@pytest.mark.parametrize("labels", ["Feb 29", "Oct 6"])
def test_a_date_in_plain_python(labels: str) -> None:
    masks = words_of(ExactCover(read_instance("a-puzzle-a-day", reveal=labels.split())))
    assert run(walk(masks)) == run(PlainWalk(masks, masks.root))


def test_lists_that_grow_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    cover = ExactCover(read_instance("a-puzzle-a-day", reveal=["Jan", "25"]))
    expected = list(Search(cover))
    assert len(expected) == 216
    grown = []
    grow = Walk._grow

    def tight(self: Walk, room: int) -> None:
        if not self._search.room:
            room = room // 4 + 1  # the root's own list and one entry more
        grown.append(room)
        grow(self, room)

    monkeypatch.setattr(Walk, "_grow", tight)
    assert list(Search(cover)) == expected
    assert len(grown) > 2


@pytest.mark.long
@given(covers())
def test_a_plain_call_ends_with_its_budget(cover: Random) -> None:
    masks = packed(cover.sets, cover.demand, cover.late)
    search = PlainWalk(masks, masks.root)
    while not search.finished:
        before = search.nodes
        search.step(100, 1)
        assert search.nodes <= before + 1


def test_a_compiled_call_ends_with_its_budget() -> None:
    cover = ExactCover(read_instance("a-puzzle-a-day", reveal={"month": "free", "day": "free"}))
    search = walk(words_of(cover))
    assert kernel.library() is not None
    search.step(10**6, 50_000)
    first = search.nodes
    assert 0 < first < 50_000
    search.step(10**6, 50_000)
    assert first < search.nodes < 2 * 50_000


def test_a_counter_never_lies_across_two_words() -> None:
    demand = [1] * 63 + [3, 2, 1]
    low, top = packed_cover._fields(demand)
    assert [bit // 64 for bit in low] == [bit // 64 for bit in top]
    assert low[63:] == [64, 67, 69]
    sets = [{item} for item in range(63)] + [{63}] * 4 + [{64, 65}, {64}, {63, 64}]
    found, _ = run(walk(packed(sets, demand, [])))
    rest = {tuple(sorted(set(options) - set(range(63)))) for options in found}
    three = set(itertools.combinations(range(63, 67), 3))
    two = {(*some, 67, 69) for some in itertools.combinations(range(63, 67), 2)}
    assert rest == {(*some, 67, 68) for some in three} | two


def test_too_many_options_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packed_cover, "MAX_WORDS", 100)
    with pytest.raises(InputError, match="too many for the exact-cover search"):
        words_of(ExactCover(read_instance("a-puzzle-a-day", reveal=["Jan", "1"])))


def test_every_word_of_an_option_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    sets, demand = [{item} for item in range(100)], [1] * 100
    assert packed(sets, demand, []).words == 2
    monkeypatch.setattr(packed_cover, "MAX_WORDS", 200)
    packed(sets, demand, [])
    monkeypatch.setattr(packed_cover, "MAX_WORDS", 199)
    with pytest.raises(InputError, match="100 options of 100 items are too many"):
        packed(sets, demand, [])


def test_labels_are_branched_on_late() -> None:
    """So are pieces of which there are several: one bit of each item says so."""
    free = {"month": "free", "day": "free"}
    cover = ExactCover(read_instance("a-puzzle-a-day", reveal=free))
    both = words_of(cover)
    top = packed_cover._fields(cover.demand)[1]
    assert both.late == (1 << top[-1]) + (1 << top[-2])
    assert words_of(ExactCover(read_instance("a-puzzle-a-day", reveal="Feb,29"))).late == 0
