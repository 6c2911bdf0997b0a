"""Exact covers with rows of other kinds beside them, which their search cuts in."""

from __future__ import annotations

import itertools
import math
import random
from pathlib import Path
from typing import Any

import pytest
from cover_models import Ended, Row, count_parts, model_of, needs_kernel, points
from hypothesis import given, reject, settings
from hypothesis import strategies as st

import calmip
from benchmarks import exact_cover_cases
from calmip._base.errors import InputError
from calmip._base.limits import Limits
from calmip.mip import kernel
from calmip.mip.exact_cover import recognition
from calmip.mip.exact_cover.branches import BranchCounts, branches_of
from calmip.mip.exact_cover.counting import CoverCount
from calmip.mip.exact_cover.parts import PartCount, PlainPartCount, components_of
from calmip.mip.exact_cover.recognition import cover_of
from calmip.mip.exact_cover.search import CoverSearch, PartWalk, PlainPartWalk
from calmip.mip.model import Model
from calmip.mip.pool import PoolSearch
from calmip.puzzle.tasks import pool_options
from calmip.puzzle.tasks.pool_options import PoolOptions

off = pytest.mark.parametrize("kernel_is_off", [False, True])


@st.composite
def mixed(draw: st.DrawFn) -> Model:
    """Return a small model with rows of a cover and of other kinds, in any order."""
    columns = draw(st.integers(2, 9))
    some = st.sets(st.integers(0, columns - 1), min_size=1)
    rows: list[Row] = [
        (dict.fromkeys(sorted(members), 1.0), draw(st.sampled_from([1.0, 1.0, 0.0])), 1.0)
        for members in draw(st.lists(some, min_size=1, max_size=5))
    ]
    inside = sorted({column for terms, _, _ in rows for column in terms})
    numbers = st.sampled_from([1.0, 1.0, 1.0, -1.0, 2.0, -3.0, 7.0, 0.5, 1e15])
    for _ in range(draw(st.integers(1, 3))):
        terms = {c: draw(numbers) for c in draw(st.sets(st.sampled_from(inside), min_size=1))}
        one = sum(a for a in terms.values() if draw(st.booleans()))
        low, high = draw(st.sampled_from([(one, one), (-math.inf, one), (one, math.inf)]))
        rows.insert(draw(st.integers(0, len(rows))), (terms, low, high))
    return model_of(columns, rows)


@pytest.mark.long
@off
@given(model=mixed())
@settings(max_examples=300, deadline=None)
def test_the_solutions_are_those_of_all_points(kernel_is_off: bool, model: Model) -> None:
    with pytest.MonkeyPatch.context() as patch:
        if kernel_is_off:
            patch.setattr(kernel, "library", lambda: None)
        try:
            cover = cover_of(model)
        except InputError:  # once columns are fixed, no row of the cover may be left
            reject()
        expected = points(model)
        search, count = CoverSearch(cover), CoverCount(cover)
        found = [tuple(one) for one in search]
        assert len(found) == len(set(found))
        assert set(found) == expected
        assert (list(count), count.counted) == ([], len(expected))
        assert search.complete
        assert count.complete


@st.composite
def sums(draw: st.DrawFn) -> Model:
    """Return a small model of items that are covered several times."""
    columns = draw(st.integers(2, 9))
    rows: list[Row] = []
    for _ in range(draw(st.integers(1, 5))):
        members = draw(st.sets(st.integers(0, columns - 1), min_size=1))
        ends = sorted(draw(st.tuples(*[st.integers(0, len(members))] * 2)))
        factor = draw(st.sampled_from([1.0, 1.0, -2.0]))
        low, high = sorted(factor * end for end in ends)
        rows.append((dict.fromkeys(sorted(members), factor), low, high))
    return model_of(columns, rows)


@pytest.mark.long
@off
@given(model=sums())
@settings(max_examples=200, deadline=None)
def test_items_that_are_covered_several_times(kernel_is_off: bool, model: Model) -> None:
    """Listed, counted and counted by the tree, against all points."""
    with pytest.MonkeyPatch.context() as patch:
        if kernel_is_off:
            patch.setattr(kernel, "library", lambda: None)
        cover, expected = cover_of(model), points(model)
        assert sorted(map(tuple, CoverSearch(cover))) == sorted(expected)
        for nodes in ((), pool_options.TREE_NODES):
            patch.setattr(pool_options, "TREE_NODES", nodes)
            assert calmip.count(model).total == len(expected)


def two_factors(vertices: int) -> Model:
    """Return the graphs of which each vertex has two neighbours."""
    pairs = list(itertools.combinations(range(vertices), 2))
    rows: list[Row] = [
        ({n: 1 for n, pair in enumerate(pairs) if one in pair}, 2, 2) for one in range(vertices)
    ]
    return model_of(len(pairs), rows)


def test_a_count_of_sums_begins_with_the_tree_where_few_points_fit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The numbers of graphs are known (https://oeis.org/A001205)."""
    monkeypatch.setattr(pool_options, "TREE_NODES", (100, 1_000_000))
    nodes = {}
    for vertices, number in ((3, 1), (5, 12), (6, 70), (8, 3_507)):
        model = two_factors(vertices)
        search = PoolOptions(count=True).cover_search(cover_of(model), limit=None, limits=Limits())
        assert isinstance(search, CoverCount)
        assert (list(search), search.counted, search.complete) == ([], number, True)
        nodes[vertices] = search.nodes
        # Three vertices leave nothing to choose, and the tree has few nodes for five.
        method = "one-tree" if vertices == 5 else "exact-cover"
        assert search.ended_by == ("" if method == "exact-cover" else method)
        assert calmip.enumerate(model, count=True).method == method
        assert f"({method})" in str(calmip.count(model))
    assert not nodes[3]  # the tree has all
    assert nodes[8]
    # Solutions are listed by the tree, unless it is said otherwise.
    listed = calmip.enumerate(two_factors(5))
    assert (listed.method, listed.count) == ("one-tree", 12)
    assert calmip.enumerate(two_factors(5), method="exact-cover").count == 12


@pytest.mark.parametrize("readings", [0, 1, 2, 5])
def test_a_count_of_sums_that_ends_early_is_never_complete(
    readings: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(PartCount.step, "__defaults__", (200,))
    monkeypatch.setattr(PlainPartCount.step, "__defaults__", (200,))
    limits = Limits()
    object.__setattr__(limits, "clock", Ended(readings))
    cover = cover_of(two_factors(7))
    search = PoolOptions(count=True).cover_search(cover, limit=None, limits=limits)
    assert isinstance(search, CoverCount)
    assert (list(search), search.complete, search.stopped) == ([], False, "time")
    assert search.counted <= 465


def test_a_journal_of_a_count_of_sums_goes_on(tmp_path: Path) -> None:
    model, path = two_factors(8), tmp_path / "journal.jsonl"
    whole = calmip.count(model, journal=path)
    assert whole.total == 3_507
    assert calmip.count(model, journal=path).total == 3_507
    with pytest.raises(InputError, match="another file"):
        calmip.count(two_factors(7), journal=path)


COVERS = {
    "dominoes": exact_cover_cases.dominoes(4, 6),
    "latin": exact_cover_cases.latin(4),
    "matchings": exact_cover_cases.matchings(8),
    "langford": exact_cover_cases.langford(7),
}


def restricted(seed: int) -> Model:
    """Return a larger cover with some rows of other kinds."""
    rng = random.Random(seed)
    items, options = COVERS[rng.choice(list(COVERS))]
    every = range(len(options))
    rows: list[Row] = [
        (dict.fromkeys([n for n in every if item in options[n]], 1), 1, 1) for item in items
    ]
    chosen = len(items) // len(options[0])
    for _ in range(rng.randint(1, 4)):
        kind = rng.choice(["budget", "capacity", "number", "implication", "clause"])
        some = [n for n in every if rng.random() < 0.6] or [0]
        if kind == "implication":
            one, other = rng.sample(every, 2)
            rows.append(({one: 1, other: -1}, -math.inf, 0))
        elif kind == "clause":
            rows.append((dict.fromkeys(rng.sample(every, 9), 1), 1, math.inf))
        elif kind == "number":
            rows.append((dict.fromkeys(some, 1), 0, round(0.6 * chosen)))
        else:
            terms = {
                n: rng.choice([a for a in range(-9 * (kind == "budget"), 10) if a]) for n in some
            }
            usual = round(sum(terms.values()) * chosen / len(options))
            rows.append((terms, usual - rng.randint(0, 9), usual + rng.randint(0, 9)))
    return model_of(len(options), rows)


@pytest.mark.parametrize("seed", range(12))
def test_the_tree_and_the_table_count_the_solutions_that_are_listed(seed: int) -> None:
    """The table's keys hold what is used of the rows; a small table forgets."""
    model = restricted(seed)
    cover = cover_of(model)
    listed = sum(1 for _ in CoverSearch(cover))
    tree = PoolSearch(model.with_costs({}), tally=True, limited=True)
    assert (list(tree), tree.counted) == ([], listed)
    for kind in (PartCount, PlainPartCount):
        if kind is PlainPartCount or kernel.library() is not None:
            for memory in (1_000, 1 << 26):
                assert count_parts(cover, kind, memory=memory, budget=1 << 20) == listed


def test_the_models_drawn_have_solutions_rows_and_repeated_nodes() -> None:
    covers = [cover_of(restricted(seed)) for seed in range(12)]
    assert sum(len(cover.rests) > 0 for cover in covers) > 8
    assert sum(next(iter(CoverSearch(cover)), None) is not None for cover in covers) > 8


@needs_kernel
@pytest.mark.parametrize("seed", range(12))
def test_compiled_and_plain_searches_are_alike(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    cover = cover_of(restricted(seed))
    for part in components_of(cover) or []:
        compiled, plain = PartCount(part, 1 << 26, 1), PlainPartCount(part, 1 << 26, 1)
        while not (compiled.finished and plain.finished):
            compiled.step()
            plain.step()
        assert (compiled.found, compiled.nodes) == (plain.found, plain.nodes)
    listed = list(CoverSearch(cover))
    monkeypatch.setattr(kernel, "library", lambda: None)
    assert list(CoverSearch(cover)) == listed


@off
def test_an_early_end_is_never_complete(
    kernel_is_off: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if kernel_is_off:
        monkeypatch.setattr(kernel, "library", lambda: None)
    for kind in (PartCount, PlainPartCount):
        monkeypatch.setattr(kind.step, "__defaults__", (200,))
    for walk in (PartWalk, PlainPartWalk):
        monkeypatch.setattr(walk.step, "__defaults__", (10,))
    cover = cover_of(restricted(0))
    every = len(list(CoverSearch(cover)))
    assert cover.rests
    for search in (
        CoverCount(cover, clock=Ended(1)),
        CoverSearch(cover, clock=Ended(1), limit=10),
    ):
        assert len(list(search)) < every
        assert (search.complete, search.stopped) == (False, "time")
    count = CoverCount(cover, memory=1.0)
    assert (list(count), count.complete, count.stopped) == ([], False, "memory")


@off
def test_branches_have_all_solutions(kernel_is_off: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if kernel_is_off:
        monkeypatch.setattr(kernel, "library", lambda: None)
    for seed in range(12):
        cover, total = cover_of(restricted(seed)), 1
        for part in components_of(cover) or []:
            split = branches_of(part, 20)
            if seed % 2 and not kernel_is_off:  # from where a count is
                before = PartCount(part, 1 << 12)
                before.step(50 * seed)
                branches, found = branches_of(part, 20, before.begun())
                split = branches, found + before.found
            count = BranchCounts(part, {}, memory=1 << 12, workers=3, split=split)
            assert len([one for one in count if one is not None]) == len(split[0])
            total *= count.found
        assert total == sum(1 for _ in CoverSearch(cover)), seed


def test_parts_are_linked_by_rows_of_other_kinds() -> None:
    rows: list[Row] = [({2 * n: 1, 2 * n + 1: 1}, 1, 1) for n in range(4)]
    rows += [({0: 3, 2: 2}, -math.inf, 4), ({4: 5, 6: 7}, 5, 12)]
    parts = components_of(cover_of(model_of(8, rows)))
    assert [part.items for part in parts or []] == [2, 2]
    count = CoverCount(cover_of(model_of(8, rows)))
    assert (list(count), count.counted) == ([], 3 * 3)


def test_what_a_journal_keeps_of_other_rows_is_of_no_use() -> None:
    """The same cover with another row has other counts of its branches."""
    rows: list[Row] = [(dict.fromkeys(range(4 * n, 4 * n + 4), 1), 1, 1) for n in range(3)]
    one, other = (
        CoverCount(cover_of(model_of(12, [*rows, (dict.fromkeys(range(0, 12, 2), 1), 0, most)])))
        for most in (1, 2)
    )
    entries: list[dict[str, Any]] = []
    one.record = entries.append
    one._keep(0, None, 20)
    assert one.identity != other.identity
    with pytest.raises(ValueError, match="counts another node"):
        other.recall(entries[0])


def test_numbers_of_more_than_63_bits_and_mostly_other_rows_are_left_to_the_tree(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    cover: Row = (dict.fromkeys(range(3), 1), 1, 1)
    for size, fits in ((2.0**62, True), (2.0**63, False)):
        row: Row = ({0: size, 3: 1, 4: 3}, -math.inf, size)
        model = model_of(6, [cover, (dict.fromkeys(range(3, 6), 1), 1, 1), row])
        if fits:
            assert {tuple(one) for one in CoverSearch(cover_of(model))} == points(model)
        else:
            with pytest.raises(InputError, match="numbers of more than 63 bits"):
                cover_of(model)
    monkeypatch.setattr(recognition, "MAX_RESTS", 1)
    others: list[Row] = [({0: 1, 1: 2, 2: a}, 1, 3) for a in (4, 5)]
    with pytest.raises(InputError, match="row 'r1' has different coefficients"):
        cover_of(model_of(3, [cover, *others]))
    assert cover_of(model_of(3, [cover, others[0]])).primary


def test_a_file_with_a_budget_is_counted_and_listed_by_the_search(tmp_path: Path) -> None:
    path = tmp_path / "budget.lp"
    path.write_text(
        "Minimize\n cost: a + b\nSubject To\n one: a + b + c = 1\n two: d + e + f = 1\n"
        " budget: 2 a + 3 b + 5 c + 1 d + 4 e + 6 f <= 7\n link: a - e <= 0\nBinaries\n"
        " a b c d e f\nEnd\n"
    )
    # By hand: a needs e; b goes with d and e, c with d alone.
    pool = calmip.enumerate(calmip.read_model(path))
    assert (pool.method, pool.complete, pool.count) == ("exact-cover", True, 4)
    assert calmip.count(calmip.read_model(path)).method == "exact-cover"
    assert calmip.count(calmip.read_model(path)).total == 4
    tree = calmip.enumerate(calmip.read_model(path), method="one-tree")
    assert {frozenset(one) for one in tree.points} == {frozenset(one) for one in pool.points}
