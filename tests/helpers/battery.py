"""What CI runs of very many cases: a draw by CALMIP_SEED, or what has every pair of values."""

import itertools
import os
import random
from collections.abc import Iterable, Sequence
from typing import Any

import pytest


def share(names: Iterable[str], parts: int, seed: int) -> set[str]:
    """Return one of so many parts of the names, the same for the same seed."""
    every = sorted(names)
    return set(random.Random(seed).sample(every, -(-len(every) // parts)))


def seeds(number: int, among: range) -> list[int]:
    """Return seeds of random inputs: others in each run of CI, the same without it."""
    return sorted(random.Random(os.environ.get("CALMIP_SEED", "")).sample(among, number))


def every_pair(*factors: Sequence[Any]) -> list[Any]:
    """Return the product of some factors; slow is what adds no pair of values of two of them."""
    seen: set[tuple[int, int, int, int]] = set()

    def pairs(case: tuple[int, ...]) -> set[tuple[int, int, int, int]]:
        places = itertools.combinations(range(len(case)), 2)
        return {(one, case[one], other, case[other]) for one, other in places}

    left = list(itertools.product(*(range(len(values)) for values in factors)))
    chosen = []
    while left:
        best = max(left, key=lambda case: len(pairs(case) - seen))
        if pairs(best) <= seen:
            break
        seen |= pairs(best)
        chosen.append(best)
        left.remove(best)
    return [
        pytest.param(*(values[n] for n, values in zip(case, factors, strict=True)), marks=marks)
        for cases, marks in ((chosen, ()), (left, pytest.mark.slow))
        for case in cases
    ]
