"""Exact covers that place pieces on a board, whatever their rows mean.

Each option has one item of a few, its *piece*. Its other items are *cells*, and cells that are
often in one option are neighbours. Nothing is known of places: the board is what the options
show. `calmip.mip.exact_cover.regions` counts such covers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations, islice

import numpy as np

from calmip._base.bits import bits
from calmip.mip.exact_cover.memory import WIDE
from calmip.mip.exact_cover.options import Field, Option, Options

MAX_PAIRS = 500_000
"""The most pairs of items in an option, in both orders: the search takes a second or two."""

MAX_NODES = 200
"""The nodes of the search for pieces."""

WIDTH = 8
"""The options among which that with the fewest possible pieces is chosen."""

Pair = tuple[int, int]


def board_of(masks: Sequence[int], ways: Sequence[int], items: int) -> Options | None:
    """Return an exact cover as counts by regions take it, or None if it is no board.

    Covers that are too large for the search for pieces are none, either.

    Parameters
    ----------
    masks
        The items of each option, as bits. Each item must be covered.
    ways
        How many options each mask stands for.
    items
        The number of items.
    """
    if items > WIDE.cells + WIDE.bits or sum(one.bit_count() ** 2 for one in masks) > MAX_PAIRS:
        return None
    pieces = pieces_of(masks, items)
    if pieces is None:
        return None
    chosen = sum(1 << item for item in pieces)
    covered = [mask & ~chosen for mask in masks]
    if not all(covered):
        return None
    near = neighbours_of(covered)
    order = _order((1 << items) - 1 & ~chosen, covered, near)
    place = {cell: 1 << number for number, cell in enumerate(order)}
    field = {item: number for number, item in enumerate(pieces)}
    options = [
        Option(sum(map(place.__getitem__, bits(cells))), field[next(bits(mask & chosen))], 0)
        for mask, cells, number in zip(masks, covered, ways, strict=True)
        for _ in range(number)
    ]
    areas: list[set[int]] = [set() for _ in pieces]
    for option in options:
        areas[option.field].add(option.cells.bit_count())
    fields = (
        Field(1 << number, 1 << number, 0, tuple(sorted(some)), 1 << number)
        for number, some in enumerate(areas)
    )
    around = dict.fromkeys(order, 0)
    for one, other in near:
        around[one] |= place[other]
        around[other] |= place[one]
    options.sort(key=lambda option: option.first)
    return Options(tuple(around.values()), tuple(fields), tuple(options))


def pieces_of(masks: Sequence[int], items: int) -> list[int] | None:
    """Return items of which each option has exactly one; None if none are found.

    They are the exact cover of the options by items, so no two of them are in one option. Items
    with many options are tried first, and not all are tried.
    """
    options = [0] * items
    for number, mask in enumerate(masks):
        for item in bits(mask):
            options[item] |= 1 << number
    waiting: list[tuple[int, int, tuple[int, ...]]] = [
        ((1 << len(masks)) - 1, (1 << items) - 1, ())
    ]
    for _ in range(MAX_NODES):
        if not waiting:
            break
        bare, free, chosen = waiting.pop()
        if not bare:
            return sorted(chosen)
        best = min((masks[one] & free for one in islice(bits(bare), WIDTH)), key=int.bit_count)
        for item in sorted(bits(best), key=lambda one: options[one].bit_count()):
            apart = sum(1 << one for one in bits(free) if not options[one] & options[item])
            waiting.append((bare & ~options[item], apart, (*chosen, item)))
    return None


def neighbours_of(covered: Sequence[int]) -> set[Pair]:
    """Return pairs of cells that connect the cells of each option, and few others.

    They are the edges of a greatest spanning tree of each option's cells, by how often a pair is
    in one option. On a grid these are the sides that two cells share, or nearly.
    """
    every = [tuple(bits(cells)) for cells in covered]
    degree = Counter(cell for cells in every for cell in cells)
    together = Counter(pair for cells in every for pair in combinations(cells, 2))

    def rank(pair: Pair) -> tuple[float, Pair]:
        return -together[pair] / min(degree[pair[0]], degree[pair[1]]), pair

    place = {pair: number for number, pair in enumerate(sorted(together, key=rank))}
    found: set[Pair] = set()
    for cells in every:
        tree = {cell: cell for cell in cells}
        for one, other in sorted(combinations(cells, 2), key=place.__getitem__):
            own, others = tree[one], tree[other]
            if own != others:
                found.add((one, other))
                tree = {cell: own if top == others else top for cell, top in tree.items()}
    return found


def _order(cells: int, covered: Sequence[int], near: set[Pair]) -> list[int]:
    """Return the cells in a good order of filling: options reach least far ahead in it.

    It is that of the items, or that of the second eigenvector of the board's Laplacian, which
    goes along the board (M. Fiedler, 1975, https://doi.org/10.21136/CMJ.1975.101357).
    """
    given = list(bits(cells))
    place = {cell: number for number, cell in enumerate(given)}
    laplacian = np.zeros((len(given), len(given)))
    for one, other in near:
        a, b = place[one], place[other]
        laplacian[[a, b], [a, b]] += 1
        laplacian[[a, b], [b, a]] -= 1
    along = np.linalg.eigh(laplacian)[1].T[min(1, len(given) - 1)].round(6)
    orders = [given, [given[number] for number in np.lexsort((range(len(given)), along))]]

    def reach(order: list[int]) -> int:
        at = {cell: number for number, cell in enumerate(order)}
        places = ([at[cell] for cell in bits(one)] for one in covered)
        return sum(max(some) - min(some) for some in places)

    return min(orders, key=reach)
