"""Cuts that a fractional point breaks and no tiling does: cliques and odd holes.

Two options are in conflict if they share an item that is covered once. Of
options in conflict pairwise (a clique) a tiling has one at most; of 2k + 1
options in conflict one after the other around a circle (an odd hole), k at
most (Padberg 1973, https://doi.org/10.1007/BF01580121).
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from calmip.problem.cover import ExactCover
from calmip.search.linear import TINY

__all__ = ["FAMILIES", "Cut", "find_cuts"]

MOST_CUTS = 25
"""So many cuts of a family are added at once: those that the point breaks most."""

MOST_STEPS = 3_000
"""So many steps the search for cliques takes at most."""

Graph = Mapping[int, set[int]]


class Cut(NamedTuple):
    """Options of which a tiling has at most so many.

    Parameters
    ----------
    family
        ``clique`` or ``odd-hole``.
    options
        The options, ascending.
    most
        How many of them a tiling may have.
    """

    family: str
    options: tuple[int, ...]
    most: int


def find_cuts(cover: ExactCover, values: Sequence[float], families: Sequence[str]) -> list[Cut]:
    """Return cuts that a point breaks, the most broken of every family first.

    Parameters
    ----------
    cover
        The exact cover.
    values
        The value of every option.
    families
        Names out of `FAMILIES`.
    """
    support = [option for option in range(cover.columns) if values[option] > TINY]
    everywhere = _Conflicts(cover)
    graph = {option: everywhere[option].intersection(support) for option in support}
    found = []
    for family in families:
        cuts = {cut: sum(values[o] for o in cut.options) - cut.most
                for cut in FAMILIES[family](graph, everywhere, values)}  # fmt: skip
        broken = [cut for cut, excess in cuts.items() if excess > 1e-6]
        found += sorted(broken, key=lambda cut: (-cuts[cut], cut))[:MOST_CUTS]
    return found


class _Conflicts(dict[int, set[int]]):
    """For every option those that it is in conflict with, found when they are asked for."""

    def __init__(self, cover: ExactCover) -> None:
        super().__init__()
        once = zip(cover.options_of(), cover.demand, strict=True)
        self._covering = [options if demand == 1 else [] for options, demand in once]
        self._items = cover.items_of

    def __missing__(self, option: int) -> set[int]:
        near = {other for item in self._items(option) for other in self._covering[item]}
        self[option] = near - {option}
        return self[option]


def _cliques(graph: Graph, everywhere: Graph, values: Sequence[float]) -> Iterator[Cut]:
    """Yield cliques of the point, made as large as they can be with the other options."""
    steps = MOST_STEPS
    # Bron and Kerbosch (1973), with a pivot; a set that weighs too little is left.
    stack: list[tuple[list[int], set[int], set[int]]] = [([], set(graph), set())]
    while stack and steps:
        steps -= 1
        clique, near, past = stack.pop()
        if sum(values[o] for o in [*clique, *near]) <= 1 + 1e-6:
            continue
        if not near and not past:
            yield _grown(clique, everywhere)
            continue
        pivot = max(sorted(near | past), key=lambda o: len(graph[o] & near))
        for option in sorted(near - graph[pivot]):
            stack.append(([*clique, option], near & graph[option], past & graph[option]))
            near = near - {option}
            past = past | {option}


def _grown(clique: Sequence[int], graph: Graph) -> Cut:
    options = set(clique)
    near = set.intersection(*(graph[option] for option in options))
    while near:
        option = min(near)
        options.add(option)
        near &= graph[option]
    return Cut("clique", tuple(sorted(options)), 1)


def _odd_holes(graph: Graph, _: Graph, values: Sequence[float]) -> Iterator[Cut]:
    """Yield odd circles by shortest paths from an option to itself in an odd number of steps.

    A step costs 1 - x - y, so a circle shorter than 1 is broken (Grötschel,
    Lovász and Schrijver 1988).
    """
    for start in sorted(graph):
        before: dict[tuple[int, int], tuple[int, int] | None] = {}
        reached = {(start, 0): 0.0}
        queue: list[tuple[float, tuple[int, int], tuple[int, int] | None]] = [
            (0.0, (start, 0), None)
        ]
        while queue:
            length, node, last = heapq.heappop(queue)
            if node in before:
                continue
            before[node] = last
            if node == (start, 1):
                break
            option, side = node
            for other in graph[option]:
                step = length + max(0.0, 1 - values[option] - values[other])
                place = (other, 1 - side)
                if step < min(1 - 1e-9, reached.get(place, math.inf)):
                    reached[place] = step
                    heapq.heappush(queue, (step, place, node))
        if (start, 1) not in before:
            continue
        circle, back = [start], before[start, 1]
        while back is not None and back != (start, 0):
            circle.append(back[0])
            back = before[back]
        if len(set(circle)) == len(circle) > 3:
            yield Cut("odd-hole", tuple(sorted(circle)), len(circle) // 2)


# One line per family: its name -> the search for its cuts.
FAMILIES: dict[str, Callable[[Graph, Graph, Sequence[float]], Iterator[Cut]]] = {
    "clique": _cliques,
    "odd-hole": _odd_holes,
}
