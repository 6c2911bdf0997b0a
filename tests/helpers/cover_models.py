"""Small models that are exact covers, and what their solutions and counts are compared with."""

from __future__ import annotations

import random
from itertools import product
from typing import Any

import pytest

from calmip._base.limits import Deadline
from calmip.mip import kernel
from calmip.mip.exact_cover.parts import PartCount, PlainPartCount, components_of
from calmip.mip.exact_cover.recognition import ModelCover
from calmip.mip.model import Model

Row = tuple[dict[int, float], float, float]


needs_kernel = pytest.mark.skipif(kernel.library() is None, reason="no compiled count here")


def model_of(columns: int, rows: list[Row], **others: Any) -> Model:
    named = [(f"r{number}", *row) for number, row in enumerate(rows)]
    return Model.from_rows([f"x{number}" for number in range(columns)], named, **others)


def points(model: Model) -> set[tuple[int, ...]]:
    """Return the solutions among all 0/1 points."""
    every = product((0, 1), repeat=len(model.columns))
    ones = (tuple(c for c, value in enumerate(point) if value) for point in every)
    return {one for one in ones if model.violated(one) is None}


def count_parts(cover: ModelCover, kind: type[PartCount | PlainPartCount], **given: Any) -> int:
    """Return the product of the counts of all parts, and look at them on the way."""
    parts = components_of(cover)
    if parts is None:
        return 0
    total = 1
    for part in parts:
        search = kind(part, given.get("memory", 1 << 20), given.get("trial", 1 << 60))
        before = 0
        while not search.finished:
            search.step(given.get("budget", 10))
            assert search.found >= before  # what is found is never taken back
            before = search.found
        assert search.found <= 2**part.bits * 1.001
        total *= search.found
    return total


class Ended(Deadline):
    """A clock that ends when it is read for the n-th time."""

    def __init__(self, readings: int) -> None:
        super().__init__(None)
        self.readings = readings

    @property
    def over(self) -> bool:
        self.readings -= 1
        return self.readings < 0


def packing(rng: random.Random) -> Model:
    """Return a cover of cells by pieces, each with some sets of cells, that has a solution.

    In one of three, an item may be left uncovered.
    """
    cells, pieces = rng.randint(4, 9), rng.randint(2, 4)
    home = [*range(pieces), *(rng.randrange(pieces) for _ in range(cells - pieces))]
    rng.shuffle(home)
    placed = [
        (piece, rng.sample(range(cells), rng.randint(1, 4)))
        for piece in range(pieces)
        for _ in range(rng.randint(1, 12))
    ]
    placed += [(one, [c for c in range(cells) if home[c] == one]) for one in range(pieces)]
    items = [*(("piece", one) for one in range(pieces)), *(("cell", one) for one in range(cells))]
    rng.shuffle(items)
    rows: list[Row] = []
    for kind, number in items:
        own = [
            option
            for option, (piece, some) in enumerate(placed)
            if (number == piece if kind == "piece" else number in some)
        ]
        rows.append((dict.fromkeys(own, 1), 1, 1))
    if not rng.randrange(3):
        rows[0] = (rows[0][0], 0, 1)
    return model_of(len(placed), rows)
