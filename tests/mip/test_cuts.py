"""Cuts of a point against brute force on small graphs of conflicts."""

from __future__ import annotations

import itertools
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from calmip.mip.lp.linear import MAX_CUTS, find_cuts

Edges = frozenset[tuple[int, int]]


def cover_of(size: int, edges: Edges, demand: int = 1) -> Any:
    """Return what `find_cuts` reads of an exact cover: one item for each pair in conflict."""
    pairs = sorted(edges)
    return SimpleNamespace(
        columns=size,
        options_of=lambda: [list(pair) for pair in pairs],
        demand=np.full(len(pairs), demand),
        items_of=lambda option: [item for item, pair in enumerate(pairs) if option in pair],
    )


@st.composite
def points(draw: st.DrawFn) -> tuple[Edges, list[float]]:
    """Draw a graph on up to seven options, and a value for each."""
    size = draw(st.integers(1, 7))
    pairs = list(itertools.combinations(range(size), 2))
    edges = frozenset(pair for pair in pairs if draw(st.booleans()))
    kinds = st.sampled_from([0.0, 0.2, 1 / 3, 0.4, 0.5, 0.6])
    return edges, [draw(kinds) for _ in range(size)]


def clique(options: tuple[int, ...], edges: Edges) -> bool:
    return edges.issuperset(itertools.combinations(sorted(options), 2))


def ring(options: tuple[int, ...], edges: Edges) -> bool:
    """Whether the options can stand around a circle, each in conflict with its neighbours."""
    first, *others = options
    return any(
        all(
            tuple(sorted(pair)) in edges
            for pair in zip((first, *order), (*order, first), strict=True)
        )
        for order in itertools.permutations(others)
    )


def subsets(size: int) -> list[tuple[int, ...]]:
    return [s for n in range(1, size + 1) for s in itertools.combinations(range(size), n)]


TRIANGLE = frozenset({(0, 1), (0, 2), (1, 2)})
FIVE = frozenset({(0, 1), (1, 2), (2, 3), (3, 4), (0, 4)})
TAIL = TRIANGLE | {(2, 3)}


@given(points())
@example((TRIANGLE, [0.4, 0.4, 0.4]))
@example((TRIANGLE, [1 / 3, 1 / 3, 1 / 3]))
@example((frozenset({(0, 1)}), [0.6, 0.5]))
@example((TRIANGLE | {(0, 3), (1, 3)}, [0.6, 0.6, 0.0, 0.0]))
def test_every_broken_clique_is_found(drawn: tuple[Edges, list[float]]) -> None:
    edges, values = drawn
    cuts = find_cuts(cover_of(len(values), edges), values, ["clique"])
    for cut in cuts:
        assert (cut.family, cut.most) == ("clique", 1)
        assert clique(cut.options, edges)
        assert sum(values[option] for option in cut.options) > 1
        # It is as large as it can be.
        rest = set(range(len(values))).difference(cut.options)
        assert not any(clique((*cut.options, option), edges) for option in rest)
    assert len(cuts) == len(set(cuts)) <= MAX_CUTS
    for options in subsets(len(values)):
        if clique(options, edges) and sum(values[o] for o in options) > 1 + 1e-5:
            held = [o for o in options if values[o]]
            assert any(set(held) <= set(cut.options) for cut in cuts)
    excess = [sum(values[o] for o in cut.options) - 1 for cut in cuts]
    assert excess == sorted(excess, reverse=True)


@given(points())
@example((FIVE, [0.5] * 5))
@example((FIVE, [0.4] * 5))
@example((TAIL, [0.5] * 4))
@example((TAIL | {(3, 4)}, [0.5] * 5))
def test_odd_holes_are_rings_that_the_point_breaks(drawn: tuple[Edges, list[float]]) -> None:
    edges, values = drawn
    cuts = find_cuts(cover_of(len(values), edges), values, ["odd-hole"])
    for cut in cuts:
        size = len(cut.options)
        assert (cut.family, cut.most) == ("odd-hole", size // 2)
        assert len(set(cut.options)) == size
        assert size % 2 == 1
        assert size >= 5
        assert ring(cut.options, edges)
        assert sum(values[option] for option in cut.options) > cut.most
        for options in subsets(len(values)):
            if not any(clique(pair, edges) for pair in itertools.combinations(options, 2)):
                assert len(set(options).intersection(cut.options)) <= cut.most


@pytest.mark.parametrize(
    ("edges", "size", "found"),
    [(FIVE, 5, [(0, 1, 2, 3, 4)]), (TRIANGLE, 3, []), (TAIL, 4, []), (TAIL | {(3, 4)}, 5, [])],
    ids=["five around a circle", "a triangle", "a tail", "a longer tail"],
)
def test_a_walk_that_comes_back_by_the_same_way_is_no_ring(
    edges: Edges, size: int, found: list[tuple[int, ...]]
) -> None:
    """From the end of a tail, around the triangle and back are an odd number of steps too."""
    cuts = find_cuts(cover_of(size, edges), [0.5] * size, ["odd-hole"])
    assert [cut.options for cut in cuts] == found


def test_a_ring_is_left_when_the_point_keeps_to_it() -> None:
    assert not find_cuts(cover_of(5, FIVE), [0.4] * 5, ["odd-hole"])
    assert find_cuts(cover_of(5, FIVE), [0.41] * 5, ["odd-hole"])


def test_options_that_share_an_item_covered_twice_are_in_no_conflict() -> None:
    for family in ("clique", "odd-hole"):
        assert not find_cuts(cover_of(5, FIVE, demand=2), [0.6] * 5, [family])


def test_the_most_broken_come_first_and_not_too_many() -> None:
    pairs = [(2 * n, 2 * n + 1) for n in range(MAX_CUTS + 5)]
    values = [0.51 + 0.01 * (option // 2) for option in range(2 * len(pairs))]
    cuts = find_cuts(cover_of(len(values), frozenset(pairs)), values, ["clique"])
    assert [cut.options for cut in cuts] == pairs[:4:-1]


def test_the_search_for_cliques_ends_after_so_many_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    edges = frozenset({(0, 1), (2, 3), (4, 5)})
    found = []
    for steps in range(20):
        monkeypatch.setattr("calmip.mip.lp.linear.MAX_CLIQUE_STEPS", steps)
        found.append(len(find_cuts(cover_of(6, edges), [0.6] * 6, ["clique"])))
    # None in the first step, which tries all options; each edge takes a few more.
    assert found[:2] == [0, 0]
    assert found == sorted(found)
    assert found[-1] == 3
