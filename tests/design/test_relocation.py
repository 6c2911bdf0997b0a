"""The fewest labels to move, against all arrangements."""

import itertools
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calmip._base.limits import Deadline
from calmip.design.label_moves import Relocation, fewest_moves


def drawn(seed: int) -> tuple[int, np.ndarray, np.ndarray, list[int]]:
    """Return random labels, by number, dates, forbidden choices of cells, and labels kept."""
    chance = random.Random(seed)
    sizes = [chance.randint(1, 3) for _ in range(chance.choice([2, 2, 3]))]
    labels, degree = sum(sizes), len(sizes)
    cells = max(labels + chance.randint(0, 1), degree + 1)
    starts = [sum(sizes[:n]) for n in range(degree)]
    groups = [range(start, start + size) for start, size in zip(starts, sizes, strict=True)]
    every = list(itertools.product(*groups))
    dates = chance.sample(every, max(1, round(len(every) * chance.uniform(0.6, 1))))
    forbidden = np.zeros((cells,) * degree, dtype=bool)
    share = chance.choice([0.1, 0.2, 0.4])
    for chosen in itertools.combinations(range(cells), degree):
        if chance.random() < share:
            for order in itertools.permutations(chosen):
                forbidden[order] = True
    kept = [label for label in range(labels) if chance.random() < 0.15]
    return labels, np.array(dates), forbidden, kept


def by_brute_force(
    labels: int, dates: np.ndarray, forbidden: np.ndarray, kept: list[int]
) -> int | None:
    """Return the fewest moves of all arrangements, or None if none is without a violated date."""
    moves = [
        sum(cell != label for label, cell in enumerate(order))
        for order in itertools.permutations(range(len(forbidden)), labels)
        if all(order[label] == label for label in kept)
        and not any(forbidden[tuple(order[label] for label in date)] for date in dates)
    ]
    return min(moves, default=None)


def check(found: Relocation, seed: int) -> None:
    labels, dates, forbidden, kept = drawn(seed)
    if found.moves is None:
        return
    at = np.arange(labels)
    at[list(found.moves)] = list(found.moves.values())
    assert not set(kept) & set(found.moves)
    assert all(label != cell for label, cell in found.moves.items())
    assert len(set(at.tolist())) == labels
    assert not forbidden[tuple(at[dates].T)].any()
    assert found.least <= len(found.moves)


@pytest.mark.long
@given(st.integers(0, 10**6))
@settings(deadline=None, max_examples=100)
def test_no_arrangement_moves_fewer(seed: int) -> None:
    drawing = drawn(seed)
    found, least = fewest_moves(*drawing), by_brute_force(*drawing)
    check(found, seed)
    assert found.feasible == (least is not None)
    if least is not None:
        assert found.moves is not None
        assert len(found.moves) == found.least == least


def test_a_limit_leaves_a_bound_and_proves_nothing() -> None:
    seen = set()
    for seed in range(60):
        drawing = drawn(seed)
        clock = Deadline(1e-9)
        found, whole = fewest_moves(*drawing, clock), fewest_moves(*drawing)
        check(found, seed)
        assert found.feasible in (None, whole.feasible)
        seen.add(found.feasible)
        if whole.feasible and found.moves is None:
            assert found.feasible is None
        if whole.moves is not None:
            assert found.least <= len(whole.moves)
    assert seen == {None, True, False}


def test_a_cell_that_no_label_can_have_is_named() -> None:
    """Every choice with cell 0 is forbidden, and each cell has a label."""
    forbidden = np.zeros((4, 4), dtype=bool)
    forbidden[0, 1:] = forbidden[1:, 0] = True
    dates = np.array([(0, 2), (0, 3), (1, 2), (1, 3)])
    assert fewest_moves(4, dates, forbidden) == Relocation(None, 0, False, (0,))
    # A free cell is enough.
    free = np.zeros((5, 5), dtype=bool)
    free[0, 1:] = free[1:, 0] = True
    assert fewest_moves(4, dates, free) == Relocation({0: 4}, 1, True)
    assert fewest_moves(4, dates, free, [0]).feasible is False
