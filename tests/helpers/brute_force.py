"""Slow and plain answers to compare with: brute force that shares no code with the package."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence

import numpy as np
import numpy.typing as npt
import pytest

Cell = tuple[int, int]
Cells = frozenset[Cell]

ROTATIONS = (
    lambda r, c: (r, c),
    lambda r, c: (c, -r),
    lambda r, c: (-r, -c),
    lambda r, c: (-c, r),
)
REFLECTIONS = (
    lambda r, c: (r, -c),
    lambda r, c: (-r, c),
    lambda r, c: (c, r),
    lambda r, c: (-c, -r),
)


def cornered(cells: Iterable[Cell]) -> Cells:
    """Return the cells moved into the corner: least row 0 and least column 0."""
    cells = list(cells)
    top = min(r for r, _ in cells)
    left = min(c for _, c in cells)
    return frozenset((r - top, c - left) for r, c in cells)


def turned(cells: Iterable[Cell], *, flip: bool, rotate: bool = True) -> set[Cells]:
    """Return the distinct orientations of a polyomino on the square lattice."""
    cells = list(cells)
    motions = (ROTATIONS + REFLECTIONS if flip else ROTATIONS) if rotate else ROTATIONS[:1]
    return {cornered(motion(r, c) for r, c in cells) for motion in motions}


def placements(
    free: Iterable[Cell], cells: Iterable[Cell], *, flip: bool, rotate: bool = True
) -> set[Cells]:
    """Return every set of free cells on which the polyomino can lie."""
    free = set(free)
    if not free:
        return set()
    height, width = max(r for r, _ in free) + 1, max(c for _, c in free) + 1
    return {
        moved
        for shape in turned(cells, flip=flip, rotate=rotate)
        for down in range(height)
        for right in range(width)
        if (moved := frozenset((r + down, c + right) for r, c in shape)) <= free
    }


def tilings(
    free: Iterable[Cell],
    pieces: Mapping[str, Iterable[Cell]],
    *,
    flip: bool,
    no_flip: Container[str] = (),
    no_turn: Container[str] = (),
) -> set[frozenset[tuple[str, Cells]]]:
    """Return every way to cover the free cells with all pieces, piece by piece."""
    free = frozenset(free)
    choices = [
        (
            name,
            placements(free, cells, flip=flip and name not in no_flip, rotate=name not in no_turn),
        )
        for name, cells in pieces.items()
    ]

    def place(number: int, left: Cells) -> Iterator[tuple[tuple[str, Cells], ...]]:
        if number == len(choices):
            if not left:
                yield ()
            return
        name, sets = choices[number]
        for cells in sets:
            if cells <= left:
                for rest in place(number + 1, left - cells):
                    yield ((name, cells), *rest)

    return {frozenset(tiling) for tiling in place(0, free)}


def pictures(found: Iterable[frozenset[tuple[str, Cells]]]) -> set[frozenset[Cells]]:
    """Return the distinct partitions of the board, whatever the pieces are called."""
    return {frozenset(cells for _, cells in tiling) for tiling in found}


def components(cells: Iterable[Cell], steps: Sequence[Cell]) -> int:
    """Return the number of connected parts, by merging what touches until nothing does."""
    parts = [{cell} for cell in set(cells)]
    merged = True
    while merged:
        merged = False
        for part in parts:
            around = {(r + dr, c + dc) for r, c in part for dr, dc in steps}
            other = next((p for p in parts if p is not part and p & around), None)
            if other is not None:
                part |= other
                parts.remove(other)
                merged = True
                break
    return len(parts)


def rank_correlation(first: npt.ArrayLike, second: npt.ArrayLike) -> float:
    """Return Spearman's rank correlation; equal values share the mean of their ranks.

    If all values on a side are equal, there is no order to compare: 0.
    """
    one, two = _ranks(first), _ranks(second)
    one, two = one - one.mean(), two - two.mean()
    size = float(np.sqrt((one @ one) * (two @ two)))
    return float(one @ two) / size if size else 0.0


def _ranks(values: npt.ArrayLike) -> npt.NDArray[np.float64]:
    _, place, number = np.unique(np.asarray(values), return_inverse=True, return_counts=True)
    mean: npt.NDArray[np.float64] = (np.cumsum(number) - (number - 1) / 2.0)[place]
    return mean


def batches(number: int) -> list[object]:
    """Return the numbers of batches of random cases: the first is long, the others are slow."""
    marks = pytest.mark.long, *[pytest.mark.slow] * (number - 1)
    return [pytest.param(batch, marks=mark) for batch, mark in enumerate(marks)]
