"""Counting in plain Python: short, slow, and for covers of any size.

It takes the place of the compiled loops where no library fits or where cells or
words have too many bits for them, and is the witness that they are compared with.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable

import numpy as np

from calmip.search.exact_cover.options import Ints, Options
from calmip.search.exact_cover.paths import Overflow

__all__ = ["by_word", "tally"]

PAUSE = 500
"""States between two calls of the tick."""


def tally(options: Options, tick: Callable[[int], None]) -> Ints:
    """Return the number of solutions of each choice of labels."""
    return by_word(options, tick).get(options.full, np.zeros(options.choices, dtype=np.int64))


def by_word(options: Options, tick: Callable[[int], None]) -> dict[int, Ints]:
    """Return the number of ways to cover all cells, for each word, by choice of labels.

    A state is what is covered: cells and a word. States are taken by their
    first bare cell; equal ones are merged, and their numbers by choice added.
    """
    cells = options.cells
    starting: list[list[tuple[int, int, int, int]]] = [[] for _ in range(cells + 1)]
    for option in options.options:
        field = options.fields[option.field]
        starting[option.first].append((option.cells, field.top, field.delta, option.worth))
    levels: list[dict[tuple[int, int], dict[int, int]]] = [{} for _ in range(cells + 1)]
    levels[0][0, options.root] = {0: 1}
    handled = 0
    for cell in range(cells):
        while levels[cell]:
            (covered, word), counts = levels[cell].popitem()
            handled += 1
            if handled % PAUSE == 0:
                tick(handled)
            for more, top, delta, worth in starting[cell]:
                if covered & more or word & top:
                    continue
                found = covered | more
                bare = (~found & (found + 1)).bit_length() - 1
                sums = levels[bare].setdefault((found, word + delta), defaultdict(int))
                for choice, number in counts.items():
                    sums[choice + worth] += number
    tick(handled)
    result: dict[int, Ints] = {}
    for (_, word), numbers in levels[cells].items():
        if sum(numbers.values()) >= 1 << 63:
            raise Overflow
        result[word] = np.zeros(options.choices, dtype=np.int64)
        for choice, number in numbers.items():
            result[word][choice] = number
    return result
