"""Models that are exact covers: recognised, listed and counted as such, and nothing else is."""

from __future__ import annotations

import functools
import math
import random
import threading
from array import array
from fractions import Fraction
from itertools import chain, combinations, product, repeat
from itertools import count as count_from
from pathlib import Path
from typing import Any

import pytest
from cover_models import Ended, Row, count_parts, model_of, needs_kernel, packing, points
from hypothesis import given, settings
from hypothesis import strategies as st

import calmip
from benchmarks import exact_cover_cases
from calmip._base.errors import InputError
from calmip._base.limits import Progress
from calmip.mip import kernel
from calmip.mip.exact_cover import counting, recognition
from calmip.mip.exact_cover.branches import BranchCounts, branches_of
from calmip.mip.exact_cover.counting import CoverCount
from calmip.mip.exact_cover.memory import NARROW, WIDE, kind_of
from calmip.mip.exact_cover.parts import (
    Component,
    PartCount,
    PlainPartCount,
    choose_item,
    components_of,
)
from calmip.mip.exact_cover.pieces import board_of, neighbours_of, pieces_of
from calmip.mip.exact_cover.recognition import cover_of
from calmip.mip.exact_cover.regions import Graph, Overflow
from calmip.mip.exact_cover.search import CoverSearch
from calmip.mip.model import Model
from calmip.mip.one_tree import OneTree
from calmip.mip.pool import PoolSearch

CROSSED = [(2.0, 1.0), (0.0, -1.0), (1.0, 0.0)]
"""Bounds of a binary column that no value satisfies, as of a file with ``x >= 2``."""


@st.composite
def covers(draw: st.DrawFn) -> Model:
    """Return a small model whose rows are those of an exact cover, in some disguise."""
    columns = draw(st.integers(1, 8))
    some = st.sets(st.integers(0, columns - 1), min_size=1)
    rows: list[Row] = []
    for members in draw(st.lists(some, max_size=6)):
        scale = draw(st.sampled_from([1, 1, 2, -3, 0.5, 0.1]))
        low = draw(st.sampled_from([1, 1, 0, -math.inf]))
        sides = sorted((low * scale, scale))
        rows.append((dict.fromkeys(sorted(members), scale), sides[0], sides[1]))
        if draw(st.booleans()):
            rows.append((dict.fromkeys(sorted(members), 7), 7 * low, 7))
    ends = st.sampled_from([(0.0, 0.0), (1.0, 1.0), (0.5, 1.0), (0.0, 0.5), (0.2, 0.8), *CROSSED])
    bounds = draw(st.dictionaries(st.integers(0, columns - 1), ends, max_size=2))
    return model_of(
        columns,
        rows,
        column_lower=array("d", (bounds.get(c, (0.0, 1.0))[0] for c in range(columns))),
        column_upper=array("d", (bounds.get(c, (0.0, 1.0))[1] for c in range(columns))),
    )


@pytest.mark.long
@given(covers())
@settings(max_examples=300, deadline=None)
def test_the_solutions_are_those_of_all_points(model: Model) -> None:
    has_all_solutions(model)


@pytest.mark.parametrize("low", [0, 1])
def test_whatever_is_fixed_the_solutions_are_those_of_all_points(low: int) -> None:
    """Two columns that are 1 in a row leave no solution, by bounds as by rows that come later."""
    rows: list[Row] = [({0: 1, 1: 1, 2: 1}, low, 1), ({2: 1, 3: 1}, 1, 1)]
    for how in product(["free", "zero", "one", "row"], repeat=4):
        later: list[Row] = [({c: 1}, 1, 1) for c, one in enumerate(how) if one == "row"]
        lower = array("d", (one == "one" for one in how))
        upper = array("d", (one != "zero" for one in how))
        has_all_solutions(model_of(4, rows + later, column_lower=lower, column_upper=upper))


@pytest.mark.parametrize("exclusive", [True, False])
def test_a_clause_with_fixed_columns_has_the_solutions_of_all_points(exclusive: bool) -> None:
    """One column at most is free where no row keeps the sum of the others at 1."""
    every: dict[int, float] = dict.fromkeys(range(3), 1)
    rows: list[Row] = [(every, 1, math.inf), *[(every, -math.inf, 1)] * exclusive]
    for how in product(["free", "zero", "one", "off", "on"], repeat=3):
        if exclusive or how.count("free") < 2:
            later: list[Row] = [
                ({c: 1}, one == "on", one == "on")
                for c, one in enumerate(how)
                if one in ("off", "on")
            ]
            lower = array("d", (one == "one" for one in how))
            upper = array("d", (one != "zero" for one in how))
            has_all_solutions(model_of(3, rows + later, column_lower=lower, column_upper=upper))


def test_rows_with_crossed_sides_have_no_solution() -> None:
    for low, high in ((1, 0), (2, 1), (3, 1), (0, -1), (4, 2)):
        has_all_solutions(model_of(3, [({0: 1, 1: 1, 2: 1}, low, high)]))


def has_all_solutions(model: Model) -> None:
    """Check that a model's cover has its solutions, listed and counted."""
    cover, expected = cover_of(model), points(model)
    search, count = CoverSearch(cover), CoverCount(cover)
    assert not search.complete
    assert not count.complete
    found = [tuple(one) for one in search]
    assert len(found) == len(set(found))
    assert set(found) == expected
    assert list(count) == []
    assert count.counted == len(expected)
    assert search.complete
    assert count.complete


@pytest.mark.long
@pytest.mark.skipif(kernel.library() is None, reason="there is no compiled count here")
@given(covers(), st.sampled_from([1, 3, 1 << 60]), st.sampled_from([1, 1 << 20]))
@settings(max_examples=200, deadline=None)
def test_compiled_and_plain_count_alike(model: Model, trial: int, memory: int) -> None:
    cover = cover_of(model)
    compiled = count_parts(cover, PartCount, trial=trial, memory=memory)
    assert compiled == count_parts(cover, PlainPartCount, trial=trial, memory=memory)


def dominoes(rows: int, columns: int) -> Model:
    cells = [(r, c) for r in range(rows) for c in range(columns)]
    pairs = [(one, two) for one in cells for two in ((one[0] + 1, one[1]), (one[0], one[1] + 1))]
    pairs = [pair for pair in pairs if pair[1] in cells]
    own = [{n: 1.0 for n, pair in enumerate(pairs) if cell in pair} for cell in cells]
    return model_of(len(pairs), [(terms, 1, 1) for terms in own])


def pentominoes(rows: int, columns: int) -> Model:
    """Return the twelve pentominoes in a box, the items of the pieces first."""
    items, options = exact_cover_cases.pentominoes(rows, columns)
    own = [[n for n, option in enumerate(options) if item in option] for item in items]
    return model_of(len(options), [(dict.fromkeys(some, 1), 1, 1) for some in own])


def queens(size: int) -> Model:
    """Return the queens of a board: rows and columns must have one, diagonals may."""
    lines: dict[tuple[str, int], dict[int, float]] = {}
    for r, c in product(range(size), repeat=2):
        for line in (("r", r), ("c", c), ("d", r + c), ("e", r - c)):
            lines.setdefault(line, {})[r * size + c] = 1.0
    return model_of(size * size, [(own, kind in "rc", 1) for (kind, _), own in lines.items()])


@pytest.mark.parametrize(
    ("model", "expected"),
    [(dominoes(4, 6), 281), (dominoes(5, 5), 0), (queens(6), 4), (queens(7), 40)],
)
def test_the_tree_finds_the_same(model: Model, expected: int) -> None:
    found = sorted(CoverSearch(cover_of(model)))
    assert len(found) == expected
    assert found == sorted(OneTree(model))
    count = CoverCount(cover_of(model))
    assert (list(count), count.counted) == ([], expected)
    tree = PoolSearch(model, tally=True, limited=True)
    assert (list(tree), tree.counted) == ([], expected)


@pytest.mark.long
def test_a_count_of_more_than_64_bits_is_exact() -> None:
    # https://oeis.org/A004003
    count = CoverCount(cover_of(dominoes(14, 14)))
    assert (list(count), count.counted) == ([], 112202208776036178000000)
    # Parts multiply: each pair of equal columns has two solutions.
    pairs = model_of(400, [({n: 1, n + 1: 1}, 1, 1) for n in range(0, 400, 2)])
    count = CoverCount(cover_of(pairs))
    assert (list(count), count.counted) == ([], 2**200)


def test_a_small_table_replaces_entries_and_counts_right() -> None:
    cover = cover_of(dominoes(8, 8))
    assert count_parts(cover, PartCount, memory=3_000, budget=1 << 20) == 12_988_816
    assert count_parts(cover, PartCount, memory=1 << 30, budget=1 << 20) == 12_988_816


@pytest.mark.skipif(kernel.library() is None, reason="there is no compiled count here")
@pytest.mark.parametrize("trial", [20, 1 << 60])
@pytest.mark.parametrize(("model", "useful"), [(queens(8), False), (dominoes(6, 6), True)])
def test_a_table_that_saves_nothing_is_given_up(model: Model, useful: bool, trial: int) -> None:
    (part,) = components_of(cover_of(model)) or []
    compiled, plain = PartCount(part, 1 << 20, trial), PlainPartCount(part, 1 << 20, trial)
    while not (compiled.finished and plain.finished):
        compiled.step()
        plain.step()
    assert compiled.remembers == plain.remembers == (useful or trial > 20)
    assert compiled.found == plain.found
    assert compiled.nodes == plain.nodes


@pytest.mark.skipif(kernel.library() is None, reason="there is no compiled count here")
@pytest.mark.parametrize("options", [20, 60, 150, 400])
@pytest.mark.parametrize("words", [1, 2, 3, 4, 5])
def test_the_compiled_count_branches_on_the_item_with_the_fewest_options(
    words: int, options: int
) -> None:
    """Few or many options an item, in sets of any number of words."""
    depths = set()
    for seed in range(40):
        rng = random.Random(seed)
        used = rng.sample(range(64 * words), 16)
        masks = [
            sum(1 << item for item in rng.sample(used, rng.randint(1, 4))) for _ in range(options)
        ]
        must = functools.reduce(int.__or__, masks)
        late = sum(1 << item for item in used if seed % 2 and rng.random() < 0.8)
        count = PartCount(Component(tuple(masks), (1,) * options, must, late, 64 * words), 1 << 20)
        root = choose_item(0, masks, must, late)
        first = next(mask for mask in masks if mask >> root & 1)
        left = [mask for mask in masks if not mask & first]
        count.step(1)
        depth, nodes, *_ = count.state
        assert nodes == 1
        depths.add(depth)
        if depth == 1:
            frames = memoryview(count._buffers["frames"]).cast("q")
            assert frames[8] == choose_item(first, left, must, late)
        else:
            assert must & ~first & ~functools.reduce(int.__or__, left, 0)
    assert 1 in depths


@pytest.mark.skipif(kernel.library() is None, reason="there is no compiled count here")
@pytest.mark.parametrize("ways", [1, 3])
@pytest.mark.parametrize("shift", [0, 60, 190])
def test_compiled_and_plain_count_a_cover_of_triples_alike(shift: int, ways: int) -> None:
    rng = random.Random(ways)
    triples = rng.sample(list(combinations(range(9), 3)), 70)
    part = Component(
        masks=tuple(sum(1 << item + shift for item in triple) for triple in triples),
        ways=tuple(rng.randint(1, ways) for _ in triples),
        must=0x1FF << shift,
        late=0,
        items=9 + shift,
    )
    compiled, plain = PartCount(part, 1 << 20), PlainPartCount(part, 1 << 20)
    while not (compiled.finished and plain.finished):
        compiled.step(50)
        plain.step()
    assert (compiled.nodes, compiled.found) == (plain.nodes, plain.found)
    assert compiled.found > 100


@pytest.fixture
def by_regions(monkeypatch: pytest.MonkeyPatch) -> list[int | None]:
    """Let each part be tried by regions after its first node; return what they find."""
    found: list[int | None] = []
    count = CoverCount._by_regions

    def spy(self: CoverCount, part: Component, left: float) -> int | None:
        found.append(count(self, part, left))
        return found[-1]

    monkeypatch.setattr(CoverCount, "_by_regions", spy)
    monkeypatch.setattr(counting, "REGIONS_AFTER", 1)
    monkeypatch.setattr(counting, "REGIONS_FROM", -1)
    monkeypatch.setattr(PartCount.step, "__defaults__", (1,))
    return found


@needs_kernel
def test_regions_count_covers_by_pieces(by_regions: list[int | None]) -> None:
    """Whatever sets of cells the options are, connected or not, and equal ones twice."""
    numbers = set()
    for seed in range(200):
        cover = cover_of(packing(random.Random(seed)))
        count = CoverCount(cover)
        assert list(count) == []
        expected = count_parts(cover, PlainPartCount)
        assert (count.counted, count.complete, count.stopped) == (expected, True, ""), seed
        numbers.add(expected)
    assert len(numbers) > 10
    assert sum(one is not None for one in by_regions) > 100


def test_a_board_has_cells_in_each_option_and_some_bits() -> None:
    assert board_of([0b01, 0b11], [1, 1], 2) is None
    for cells, kind in ((64, NARROW), (65, WIDE), (128, WIDE), (129, None)):
        board = board_of([1 | 2 << cell for cell in range(cells)], [1] * cells, cells + 1)
        assert (None if board is None else kind_of(board)) is kind


@pytest.mark.parametrize(
    ("masks", "items"),
    [
        ([1 | 2 << cell for cell in range(160)], 161),
        ([(1 << 101) - 1 << n for n in range(50)], 150),
    ],
    ids=["items", "pairs"],
)
def test_a_cover_that_would_be_searched_long_for_pieces_is_not(
    masks: list[int], items: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No limit is looked at meanwhile."""
    search = "calmip.mip.exact_cover.pieces.pieces_of"
    monkeypatch.setattr(search, lambda *_: pytest.fail("it was searched"))
    assert board_of(masks, [1] * len(masks), items) is None


def overflow(_: Graph) -> int:
    raise Overflow


@needs_kernel
@pytest.mark.parametrize(
    "reason",
    [
        {
            "calmip.mip.exact_cover.regions.ARRAYS_PER_MEMORY_CHECK": 1,
            "calmip.mip.exact_cover.counting.MEMORY": 1 << 16,
            "calmip.mip.exact_cover.counting.LEAST": 1 << 16,
        },
        {"calmip.mip.exact_cover.regions.Graph.total": overflow},
        {
            "calmip.mip.exact_cover.parts.PartCount.share": 1.0,
            "calmip.mip.exact_cover.counting.REGIONS_SECONDS": -1,
        },
        {  # a year may be left, but of the first cell there is none
            "calmip.mip.exact_cover.parts.PartCount.share": 1e-9,
            "calmip.mip.exact_cover.counting.REGIONS_SECONDS": -1,
        },
    ],
    ids=["memory", "numbers", "time", "cells"],
)
def test_regions_that_are_no_use_leave_the_count_as_it_is(
    by_regions: list[int | None], reason: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in reason.items():
        monkeypatch.setattr(name, value)
    monkeypatch.setattr(PartCount.step, "__defaults__", (1 << 20,))
    count = CoverCount(cover_of(pentominoes(3, 20)))
    assert (list(count), count.counted, count.complete, by_regions) == ([], 8, True, [None])


@needs_kernel
def test_a_memory_limit_that_regions_reach_ends_them_alone(
    by_regions: list[int | None], monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes = chain([0] * 3, [1 << 40], repeat(0))
    monkeypatch.setattr(counting, "resident", lambda _: next(sizes))
    monkeypatch.setattr(PartCount.step, "__defaults__", (1 << 20,))
    count = CoverCount(cover_of(pentominoes(3, 20)), memory=1 << 30)
    assert (list(count), count.counted, count.complete, by_regions) == ([], 8, True, [None])


@needs_kernel
def test_regions_are_tried_for_a_long_count_on_a_board_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tried: list[float] = []
    monkeypatch.setattr(CoverCount, "_by_regions", lambda _, __, left: tried.append(left))
    for model in (dominoes(8, 8), pentominoes(3, 20)):
        list(CoverCount(cover_of(model)))
    assert tried == []
    monkeypatch.setattr(PartCount.step, "__defaults__", (100_000,))
    monkeypatch.setattr(counting, "REGIONS_FROM", -1)
    list(CoverCount(cover_of(pentominoes(3, 20))))
    assert len(tried) == 1


@needs_kernel
def test_a_busy_machine_does_not_end_regions(
    by_regions: list[int | None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What they may take is CPU time: hours may pass meanwhile."""
    monkeypatch.setattr(PartCount, "share", 1.0)
    monkeypatch.setattr(counting, "perf_counter", count_from(0, 10_000).__next__)
    count = CoverCount(cover_of(pentominoes(3, 20)))
    assert (list(count), count.counted, by_regions) == ([], 8, [8])


@needs_kernel
def test_regions_may_take_the_longer_the_more_cells_they_have(
    by_regions: list[int | None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A second for each reading of the clock, of which there are two for each of 60 cells."""
    monkeypatch.setattr(PartCount, "share", 1e-9)
    monkeypatch.setattr(counting, "process_time", count_from(0, 1).__next__)
    monkeypatch.setattr(counting, "REGIONS_SECONDS", 50)
    count = CoverCount(cover_of(pentominoes(3, 20)))
    assert (list(count), count.counted, by_regions) == ([], 8, [8])


@needs_kernel
def test_limits_end_regions_and_progress_is_reported(
    by_regions: list[int | None], monkeypatch: pytest.MonkeyPatch
) -> None:
    cover = cover_of(pentominoes(3, 20))
    for readings in (1, 2, 3):  # before the count, in its regions
        count = CoverCount(cover, clock=Ended(readings))
        assert (list(count), count.complete, count.stopped) == ([], False, "time")
        assert count.counted == 0
    assert by_regions == [None] * 3
    monkeypatch.setattr(counting, "GLANCE", 0)
    told: list[Progress] = []
    count = CoverCount(cover)
    count.progress = told.append
    assert (list(count), count.counted, count.complete) == ([], 8, True)
    assert by_regions[3:] == [8]
    assert any(one.detail.endswith(" words") for one in told)


def test_the_neighbours_of_a_board_are_the_sides_of_its_cells() -> None:
    cover = cover_of(pentominoes(6, 10))
    pieces = pieces_of(cover.masks, cover.items)
    assert pieces == list(range(12))
    found = neighbours_of([mask >> 12 for mask in cover.masks])
    cells = list(product(range(6), range(10)))
    sides = {
        (a, b)
        for (a, one), (b, other) in combinations(enumerate(cells), 2)
        if abs(one[0] - other[0]) + abs(one[1] - other[1]) == 1
    }
    assert found == sides


@given(st.lists(st.sets(st.integers(0, 9), min_size=1, max_size=5), min_size=1, max_size=12))
def test_neighbours_connect_the_cells_of_each_option(sets: list[set[int]]) -> None:
    found = neighbours_of([sum(1 << cell for cell in cells) for cells in sets])
    assert all(any({*pair} <= cells for cells in sets) for pair in found)
    for cells in sets:
        reached = {min(cells)}
        while more := {
            cell
            for pair in found
            if {*pair} & reached
            for cell in pair
            if cell in cells and cell not in reached
        }:
            reached |= more
        assert reached == cells


@given(st.lists(st.sets(st.integers(0, 7), min_size=1, max_size=3), min_size=1, max_size=10))
def test_each_option_has_one_of_the_pieces(sets: list[set[int]]) -> None:
    masks = [sum(1 << item for item in items) for items in sets]
    pieces = pieces_of(masks, 8)
    possible = any(
        all((mask & chosen).bit_count() == 1 for mask in masks) for chosen in range(1 << 8)
    )
    assert (pieces is not None) == possible
    if pieces is not None:
        assert all(len(items & {*pieces}) == 1 for items in sets)


def test_slacks_are_folded() -> None:
    # x0 + x1 + s2 = 1 and x1 + x3 <= 1: s2 is 1 where the others leave the row uncovered.
    model = model_of(4, [({0: 1, 1: 1, 2: 1}, 1, 1), ({1: 1, 3: 1}, 0, 1), ({0: 1, 3: 1}, 0, 1)])
    cover = cover_of(model)
    assert list(cover.slacks.values()) in ([], [2])
    assert {tuple(one) for one in CoverSearch(cover)} == points(model)


def test_clauses_with_exclusions_are_equations() -> None:
    # As a .cnf file has it: one of three, and no two of them.
    pairs: list[Row] = [({a: 1, b: 1}, -math.inf, 1) for a, b in ((0, 1), (0, 2), (1, 2))]
    model = model_of(3, [({0: 1, 1: 1, 2: 1}, 1, math.inf), *pairs])
    cover = cover_of(model)
    assert (cover.primary, cover.items) == (1, 1)
    model = model_of(3, [({0: 1, 1: 1, 2: 1}, 1, math.inf), *pairs[:2]])
    assert {tuple(one) for one in CoverSearch(cover_of(model))} == points(model)


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        (({2: 1, 3: 1, 4: 1}, 2, 2), "a sum of 2"),
        (({2: 1, 3: 1, 4: 1}, 0, 2), "a sum from 0 to 2"),
        (({2: 1, 3: 1, 4: 1}, 1, 2), "a sum from 1 to 2"),
        (({2: 1, 3: 2, 4: 1}, 1, 1), "different coefficients"),
        (({2: 1, 3: -1}, 0, 1), "different coefficients"),
        (({2: 1, 3: 1, 4: 1}, 1, math.inf), "a sum of at least 1"),
        (({1: 1, 2: 1, 3: 1}, 1, 3), "a sum of at least 1"),
    ],
)
def test_of_rows_whose_columns_are_in_no_row_of_the_cover_only_sums_are_searched(
    row: Row, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = model_of(5, [({0: 1, 1: 1}, 1, 1), row])
    if "sum" in reason:
        cover = cover_of(model)
        assert cover.loose
        assert {tuple(one) for one in CoverSearch(cover)} == points(model)
        monkeypatch.setattr(recognition, "MAX_RESTS", 0)  # more of them are left to the tree
        model = model_of(5, [({0: 1, 1: 1}, 1, 1), row, row])
    with pytest.raises(InputError, match=f"row 'r1' has {reason}"):
        cover_of(model)


@pytest.mark.parametrize("low", [-math.inf, -1, 0])
@pytest.mark.parametrize("high", [3, 4, math.inf])
def test_a_row_that_every_sum_satisfies_is_none(low: float, high: float) -> None:
    cover = cover_of(model_of(3, [({0: 1, 1: 1}, 1, 1), ({0: 1, 1: 1, 2: 1}, low, high)]))
    assert {tuple(one) for one in CoverSearch(cover)} == {(0,), (1,), (0, 2), (1, 2)}


def test_other_variables_are_left_to_the_tree() -> None:
    row: Row = ({0: 1, 1: 1}, 1, 1)
    cover_of(model_of(2, [row]))
    for other in (
        {"column_upper": array("d", [1, 2])},
        {"column_lower": array("d", [-1, 0])},
        {"integer": array("b", [True, False])},
    ):
        with pytest.raises(InputError, match="binary"):
            cover_of(model_of(2, [row], **other))


@pytest.mark.parametrize("ends", CROSSED)
def test_a_binary_column_without_a_value_has_no_solution(ends: tuple[float, float]) -> None:
    lower, upper = (array("d", [0.0, end, 0.0]) for end in ends)
    upper[0] = upper[2] = 1.0
    model = model_of(3, [({0: 1, 1: 1}, 1, 1)], column_lower=lower, column_upper=upper)
    count = CoverCount(cover_of(model))
    assert list(count) == list(CoverSearch(cover_of(model))) == []
    assert (count.counted, count.complete) == (0, True)


def test_a_rounded_number_is_no_other_number() -> None:
    # 1 + 1e-30 reads as 1.0; its exact value makes another row.
    model = model_of(2, [({0: 1, 1: 1}, 1, 1)])
    near = model.changed(exact={("value", 0): 1 + Fraction(1, 10**30)})
    with pytest.raises(InputError, match="different coefficients"):
        cover_of(near)
    bound = model.changed(exact={("column_lower", 0): Fraction(1, 10**400)})
    assert {tuple(one) for one in CoverSearch(cover_of(bound))} == {(0,)}


def test_a_cover_that_is_too_large_is_left_to_the_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("calmip.mip.exact_cover.recognition.MAX_MASK_WORDS", 100)
    with pytest.raises(InputError, match="too many for sets of bits"):
        cover_of(dominoes(8, 8))


@pytest.mark.parametrize("kernel_is_off", [False, True])
def test_an_early_end_is_never_complete(
    kernel_is_off: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if kernel_is_off:
        monkeypatch.setattr(kernel, "library", lambda: None)
    monkeypatch.setattr(PartCount.step, "__defaults__", (2_000,))
    monkeypatch.setattr(PlainPartCount.step, "__defaults__", (2_000,))
    cover = cover_of(dominoes(6, 6))
    numbers = []
    for readings in (0, 1, 3, 1000):
        count = CoverCount(cover, clock=Ended(readings))
        assert list(count) == []
        assert (count.complete, count.stopped) == (
            (True, "") if readings == 1000 else (False, "time")
        )
        numbers.append(count.counted)
    assert numbers == sorted(numbers)
    assert numbers[-1] == 6728
    search = CoverSearch(cover, clock=Ended(1), limit=10)
    assert len(list(search)) == 10
    assert (search.complete, search.stopped) == (False, "time")


def test_progress_tells_what_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counting, "GLANCE", 0)
    monkeypatch.setattr(PartCount.step, "__defaults__", (2_000,))
    told: list[Progress] = []
    count = CoverCount(cover_of(dominoes(6, 6)))
    count.progress = told.append
    list(count)
    assert len(told) > 1
    assert [one.done for one in told] == sorted(one.done for one in told)


def test_the_memory_limit_bounds_the_table_or_ends_the_count(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    count = CoverCount(cover_of(dominoes(8, 8)), memory=1.0)
    assert (list(count), count.complete, count.stopped) == ([], False, "memory")
    monkeypatch.setattr(counting, "resident", lambda _: 0)
    for memory, table in (
        (8 << 20, 6 << 20),
        (counting.LEAST, counting.LEAST),
        (math.inf, counting.MEMORY),
    ):
        count = CoverCount(cover_of(dominoes(8, 8)), memory=memory)
        assert (list(count), count.counted) == ([], 12_988_816)
        assert count._table_bytes() == table


@pytest.mark.parametrize("kernel_is_off", [False, True])
def test_branches_have_all_solutions(kernel_is_off: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Few or many branches, by several threads at one small table; equal nodes are one branch."""
    if kernel_is_off:
        monkeypatch.setattr(kernel, "library", lambda: None)
    monkeypatch.setattr(PartCount.step, "__defaults__", (1,))
    monkeypatch.setattr(PlainPartCount.step, "__defaults__", (1,))
    numbers, merged = set(), 0
    for seed in range(100):
        cover = cover_of(packing(random.Random(seed)))
        total = 1
        for part in components_of(cover) or []:
            split = branches_of(part, (1, 3, 20)[seed % 3])
            merged += sum(branch.times > 1 for branch in split[0])
            count = BranchCounts(part, {}, memory=1 << seed % 16, workers=3, split=split)
            seen = [one for one in count if one is not None]
            assert sorted(seen) == sorted(count.counts) == list(range(len(split[0])))
            total *= count.found
        assert total == (count_parts(cover, PlainPartCount) if components_of(cover) else 1), seed
        numbers.add(total)
    assert len(numbers) > 10
    assert merged > 5


@pytest.mark.long
@needs_kernel
def test_threads_that_share_a_table_count_as_one_does() -> None:
    """On a table that is full, or nearly, and that all of them want at the same time."""
    (part,) = components_of(cover_of(dominoes(12, 12))) or []
    for memory in (1 << 20, 1 << 24):
        split = branches_of(part, 500)
        assert len(split[0]) > 100
        count = BranchCounts(part, {}, memory=memory, workers=4, split=split)
        assert all(one is None or one in count.counts for one in count)
        assert count.found == 53060477521960000


@needs_kernel
def test_branches_go_on_where_a_count_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is counted twice, and nothing is left out, wherever the count is."""
    monkeypatch.setattr(PartCount.step, "__defaults__", (1,))
    off = (0, 0, 0)
    places, again = set(), 0
    for seed in range(100):
        rng = random.Random(seed)
        for part in components_of(cover_of(packing(rng))) or []:
            whole = PartCount(part, 1 << 12, judged=off)
            while not whole.finished:
                whole.step()
            before = PartCount(part, 1 << 12, judged=off)
            for _ in range(rng.randrange(12)):
                before.step()
            if before.finished:
                continue
            branches, found = branches_of(part, rng.choice((1, 8, 40)), before.begun())
            split = branches, found + before.found
            count = BranchCounts(part, {}, memory=1, workers=2, split=split, before=before)
            list(count)
            assert count.found == whole.found, seed
            assert before.nodes + count.nodes <= whole.nodes
            assert not before.table.entries
            places.add((before.state[0], before.found > 0))
            again += any(branch.times > 1 for branch in branches)
    assert len(places) > 5
    assert again > 3


@needs_kernel
def test_threads_find_in_the_table_what_was_counted_before() -> None:
    """The table of a count grows while threads are at work, and nothing in it is lost."""
    (part,) = components_of(cover_of(dominoes(10, 10))) or []
    before = PartCount(part, 1 << 26)
    before.step(1 << 18)
    first = before.table.buckets
    count = BranchCounts(part, {}, memory=1, workers=2, before=before)
    list(count)
    assert before.table.buckets > first
    assert count.found == 258_584_046_368
    again = BranchCounts(part, {}, memory=1, workers=2, before=before)
    list(again)
    assert again.found == 258_584_046_368
    assert 10 * again.nodes < count.nodes


@pytest.fixture
def in_branches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let each part be counted in branches after its first nodes."""
    monkeypatch.setattr(counting, "REGIONS_AFTER", 1)
    monkeypatch.setattr(counting, "SHARED_FROM", -1)
    monkeypatch.setattr(counting, "SHARED_PER_OPTION", 0)
    monkeypatch.setattr(PartCount.step, "__defaults__", (50,))
    monkeypatch.setattr(PlainPartCount.step, "__defaults__", (50,))


@pytest.mark.usefixtures("in_branches")
@pytest.mark.parametrize("kernel_is_off", [False, True])
def test_a_count_goes_on_where_another_one_ended(
    kernel_is_off: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if kernel_is_off:
        monkeypatch.setattr(kernel, "library", lambda: None)
    cover = cover_of(queens(8))
    entries: list[dict[str, Any]] = []
    for readings in (3, 9, 1 << 60):
        count = CoverCount(cover, clock=Ended(readings), workers=2)
        for entry in entries:
            count.recall(entry)
        before = len(entries)
        count.record = entries.append
        assert list(count) == []
        ended = readings == 1 << 60
        assert (count.complete, count.stopped) == (ended, "" if ended else "time")
        assert count.counted <= 92
        assert len(entries) > before
    assert count.counted == 92
    assert len({entry["branch"] for entry in entries}) == len(entries)
    again = CoverCount(cover)
    for entry in entries:
        again.recall(entry)
    assert (list(again), again.counted, again.nodes) == ([], 92, 0)
    again = CoverCount(cover)
    again.recall(entries[0])
    for fault in (
        entries[0],
        {**entries[1], "node": entries[0]["node"]},
        {**entries[1], "branch": entries[2]["branch"]},
        {**entries[1], "more": 1},
        {"part": 0, "count": 1},
        {"part": 1, "count": 1},
        {"part": True, "count": 1},
        {"part": 0, "count": -1},
        {"part": 0, "branch": 1 << 20, "count": 1},
        {"part": 0, "branch": -1, "count": 1},
        {"part": 0, "branch": 0.0, "count": 1},
    ):
        with pytest.raises(ValueError, match=r"no number|no part|no branch|duplicate|another node"):
            again.recall(fault)


@pytest.mark.usefixtures("in_branches")
@pytest.mark.parametrize("kernel_is_off", [False, True])
def test_threads_count_what_one_has_left(
    kernel_is_off: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if kernel_is_off:
        monkeypatch.setattr(kernel, "library", lambda: None)
    alone = CoverCount(cover_of(queens(8)))
    assert (list(alone), alone.counted) == ([], 92)
    for budget in (50, 5_000, 50_000):
        monkeypatch.setattr(PartCount.step, "__defaults__", (budget,))
        count = CoverCount(cover_of(queens(8)), workers=2)
        assert (list(count), count.counted) == ([], 92)
        assert count.nodes <= 1.2 * alone.nodes


@pytest.mark.usefixtures("in_branches")
def test_branches_end_at_the_memory_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    taken = iter([0, 0, 0, *[1 << 40] * 100])
    monkeypatch.setattr(counting, "resident", lambda _: next(taken))
    count = CoverCount(cover_of(queens(8)), memory=1 << 30, workers=2)
    assert (list(count), count.complete, count.stopped) == ([], False, "memory")


@needs_kernel
@pytest.mark.usefixtures("in_branches")
def test_a_fault_in_a_thread_is_raised_and_ends_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(self: PartCount, **_: Any) -> None:
        raise ZeroDivisionError

    (part,) = components_of(cover_of(queens(8))) or []
    split = branches_of(part)
    monkeypatch.setattr(PartCount, "step", fail)
    with pytest.raises(ZeroDivisionError):
        list(BranchCounts(part, {}, memory=1 << 20, workers=2, split=split))
    assert not [one for one in threading.enumerate() if "_run" in one.name]


@pytest.mark.usefixtures("in_branches")
def test_a_journal_keeps_the_branches_of_a_count(tmp_path: Path) -> None:
    model, journal = queens(8), tmp_path / "count.jsonl"
    counts = calmip.count(model, journal=journal, workers=2, memory=1)
    assert (counts.total, counts.method) == (92, "exact-cover")
    lines = journal.read_text().splitlines()
    assert len(lines) == 1 + len(branches_of((components_of(cover_of(model)) or [])[0])[0])
    half = lines[: len(lines) // 2]
    journal.write_text("\n".join(half) + "\n")
    assert calmip.count(model, journal=journal).total == 92
    assert sorted(journal.read_text().splitlines()) == sorted(lines)
    assert journal.read_text().splitlines()[: len(half)] == half
    with pytest.raises(InputError, match="belongs to another count"):
        calmip.count(queens(6), journal=journal)
    journal.write_text("\n".join([*lines, lines[1]]) + "\n")
    with pytest.raises(InputError, match="damaged, or not a line of this count"):
        calmip.count(model, journal=journal)
    knapsack = model_of(3, [({0: 2, 1: 3, 2: 4}, -math.inf, 5)])
    with pytest.raises(InputError, match="a journal keeps the count of an exact cover"):
        calmip.count(knapsack, journal=tmp_path / "other")
    assert calmip.count(knapsack, workers=2).total == calmip.count(knapsack).total == 5
    with pytest.raises(InputError, match="memory is a number of megabytes from 1 on"):
        calmip.count(model, memory=0)
    with pytest.raises(InputError, match="memory is for the exact cover of a model"):
        calmip.count(calmip.read_instance("a-puzzle-a-day", reveal="Feb,29"), memory=5)
