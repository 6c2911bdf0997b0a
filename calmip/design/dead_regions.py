"""The dates that fail with every set of pieces, as a region is cut off, and labels to move."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import combinations, permutations
from math import comb
from typing import Any

import numpy as np

from calmip._base.errors import InputError, join_words
from calmip._base.limits import CpuDeadline, Deadline
from calmip.design.label_moves import Relocation, fewest_moves
from calmip.design.rearrange import Labels
from calmip.puzzle.board import BLANK, Board
from calmip.puzzle.dates import real_dates
from calmip.puzzle.lattice import Cell
from calmip.puzzle.piece_set import PiecePool
from calmip.puzzle.puzzle import Puzzle

__all__ = ["CutOff", "Relabelling", "cut_off_dates", "relabel"]

RELABEL_CPU_SECONDS = 10.0
"""CPU seconds to look for the fewest labels to move."""

MAX_CHOICES = 50_000
"""More choices of cells to uncover are not examined one by one."""


@dataclass(frozen=True)
class CutOff:
    """A region of cells that some dates cut off, and that no pieces fill.

    Parameters
    ----------
    region, by
        The labels or cells of the region, and of the uncovered cells around it.
    dates
        The names of the dates.
    """

    region: tuple[str, ...]
    by: tuple[str, ...]
    dates: tuple[str, ...]

    def __str__(self) -> str:
        one = len(self.region) == 1
        verb = f"{'is' if one else 'are'} {'cut off by' if self.by else 'apart from the board'}"
        words = f"{_join(self.region)} {verb} {_join(self.by)}".rstrip()
        return f"{words}, and no pieces of the pool cover {len(self.region)} cell{'s' * (not one)}"


@dataclass(frozen=True)
class Relabelling:
    """The fewest labels to move so that no date cuts off a region that no pieces fill.

    Parameters
    ----------
    moves
        The labels to move, and the label or cell whose place each takes; empty if none are known.
    least
        A proved lower bound on the number of labels to move.
    feasible
        Whether moves suffice; None if that is not known.
    grid
        The rows of the board with these moves, or of the old one.
    blocked
        Labels or cells in whose place any label fails, where moves are proved not to suffice.
    kept
        Whether some labels had to stay.
    """

    KEYS = ("moves", "least", "feasible", "grid", "blocked")

    moves: Mapping[str, str]
    least: int
    feasible: bool | None
    grid: tuple[str, ...]
    blocked: tuple[str, ...] = ()
    kept: bool = False

    def __str__(self) -> str:
        if self.feasible is False:
            where = f", as any label in the place of {join_words(self.blocked)} fails on some dates"
            return (
                f"no other places of the labels prevent that{where * bool(self.blocked)}: change "
                f"the shape of the board{', or keep fewer labels' * self.kept}"
            )
        if not self.moves:
            return (
                f"at least {self.least} labels must move to prevent that; no such moves were "
                f"found within {RELABEL_CPU_SECONDS:g} s of CPU time"
            )
        places = [f"{label} to the place of {at}" for label, at in self.moves.items()]
        proof = "proved: fewer do not suffice"
        if self.least < len(self.moves):
            proof = f"at least {self.least} must move; not proved that these are the fewest"
        number = len(self.moves)
        return f"to prevent that move {number} labels: {join_words(places)} ({proof})"


def _join(words: Sequence[str]) -> str:
    """Return words with "and" before the last."""
    return " and ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


def sums_of(pool: PiecePool) -> int:
    """Return, as bits, the areas of the pieces of a pool, as many as a set may use."""
    sizes = [len(piece.cells) for piece in pool.copies(pool.most)]
    return reduce(lambda sums, size: sums | sums << size, sizes, 1)


def cut_off_dates(frame: Puzzle, pool: PiecePool) -> tuple[CutOff, ...]:
    """Return the regions that dates cut off and no pieces of a pool fill, most dates first."""
    board, sums = frame.board, sums_of(pool)
    found: dict[tuple[tuple[str, ...], tuple[str, ...]], list[str]] = {}
    for name, labels in real_dates(frame.groups).items():
        bare = board.labelled(labels.values())
        region = board.odd_region(bare, sums)
        if region:
            around = {near for cell in region for near in board.lattice.neighbours(cell)}
            by = sorted(around.intersection(bare))
            words = tuple(_word(board, one) for one in region), tuple(_word(board, x) for x in by)
            found.setdefault(words, []).append(name)
    reasons = [CutOff(*words, tuple(dates)) for words, dates in found.items()]
    return tuple(sorted(reasons, key=lambda one: -len(one.dates)))


def _word(board: Board, cell: Cell) -> str:
    label = board.label(cell)
    return f"the cell {cell}" if label == BLANK else label


def relabel(
    frame: Puzzle, pool: PiecePool, keep: Sequence[str] = (), clock: Deadline | None = None
) -> Relabelling | None:
    """Return the fewest labels to move so that no date cuts off a region that no pieces fill.

    Labels may take the places of others and of blank cells. The result is None if the labels
    cannot be rearranged, or there are too many choices of cells to uncover.
    """
    try:
        board, labels = frame.board, Labels(frame, keep)
    except InputError:
        return None
    cells = [*labels.cells, *(cell for cell in board.cells if board.label(cell) == BLANK)]
    degree = len(labels.groups)
    if comb(len(cells), degree) > MAX_CHOICES:
        return None
    clock = CpuDeadline(RELABEL_CPU_SECONDS, clock or Deadline())
    sums = sums_of(pool)
    forbidden = np.zeros((len(cells),) * degree, dtype=bool)
    for chosen in combinations(range(len(cells)), degree):
        if board.odd_region([cells[one] for one in chosen], sums):
            for order in permutations(chosen):
                forbidden[order] = True
    kept = [labels.names.index(label) for label in labels.kept]
    found = fewest_moves(len(labels.names), labels.dates, forbidden, kept, clock)
    return _relabelling(board, labels, cells, found)


def _relabelling(
    board: Board, labels: Labels, cells: list[Cell], relocation: Relocation
) -> Relabelling:
    moves = relocation.moves or {}
    text: dict[Cell, Any] = {cells[label]: BLANK for label in moves}
    text |= {cells[cell]: labels.names[label] for label, cell in moves.items()}
    grid = tuple(
        " ".join(text.get((r, c), old) for c, old in enumerate(row))
        for r, row in enumerate(board.rows)
    )
    words = {labels.names[label]: _word(board, cells[cell]) for label, cell in moves.items()}
    blocked = tuple(_word(board, cells[cell]) for cell in relocation.blocked)
    return Relabelling(
        words, relocation.least, relocation.feasible, grid, blocked, bool(labels.kept)
    )
