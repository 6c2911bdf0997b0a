"""Counting many sets of pieces at once: which pieces are used is read from the final words.

Sets that share pieces share most of their partial tilings. So all pieces of a
pool go into one count, in which none of them need be used, and the words of
the full board say which were. Each word is an end of the graph of states, and
the paths to it are the tilings of its set: on the board of A-Puzzle-A-Day the
792 sets of seven pentominoes take as long as two dozen of them alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from calmip.problem.cover import ExactCover
from calmip.search.exact_cover._memory import kind_of
from calmip.search.exact_cover.counting import label_choices
from calmip.search.exact_cover.options import Ints, Options, order_of
from calmip.search.exact_cover.plain_count import by_word
from calmip.search.exact_cover.regions import Regions
from calmip.search.kernel import library

__all__ = ["MOST_BITS", "count_sets"]

MOST_BITS = 16
"""Words of so many bits, pieces and groups together, are counted fastest."""

Numbers = tuple[int, ...]


def count_sets(
    cover: ExactCover,
    least: Sequence[int],
    wanted: Callable[[Numbers], bool],
    *,
    tick: Callable[[int], None],
    memory: float,
) -> tuple[list[tuple[str, ...]], dict[Numbers, Ints]]:
    """Return the numbers of tilings of every set of pieces that has any.

    Parameters
    ----------
    cover
        The exact cover of all pieces, each so often as it may be used at most.
    least
        How often the pieces of each class are used at least.
    wanted
        Which sets are counted: how many pieces of each class they have.
    tick
        Called some ten times a second; may raise.
    memory
        Bytes for the arrays.

    Returns
    -------
    tuple
        The choices of labels, and for every set its counts in that order.

    Raises
    ------
    MemoryError
        If the arrays would be larger than they may be.
    Overflow
        If there are 2**63 tilings or more.
    """
    labels, worth = label_choices(cover)
    options = Options.of(cover, order_of(cover), worth, len(labels))
    most = cover.demand[len(cover.instance.to_cover) :].tolist()
    fields = list(options.fields)
    for number, (low, high) in enumerate(zip(least, most, strict=False)):
        fields[number] = replace(fields[number], needed=low == high, piece=False)
    options = replace(options, fields=tuple(fields))
    if options.hopeless:
        return labels, {}

    def sets(words: Sequence[int]) -> list[Numbers]:
        at = np.array(words, dtype=np.int64)
        return list(zip(*(field.used(at).tolist() for field in fields[: len(least)]), strict=True))

    def chosen(words: Any) -> Any:
        return np.fromiter(map(wanted, sets(words)), dtype=bool, count=len(words))

    kind = kind_of(options)
    if library() is None or kind is None:
        found = {word: n for word, n in by_word(options, tick).items()
                 if word & options.full == options.full and n.any()}  # fmt: skip
        return labels, {one: n for one, n in zip(sets(list(found)), found.values(), strict=True)
                        if wanted(one)}  # fmt: skip
    graph = Regions(options, kind, tick, memory).graph(chosen)
    if graph is None:
        return labels, {}
    counts = graph.by_choice(len(labels), lambda: tick(0)).reshape(-1, len(labels))
    return labels, dict(zip(sets(graph.ends), counts, strict=True))
