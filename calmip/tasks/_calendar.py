"""A calendar's days: each is solved by itself from the puzzle, its date and the seed.

So a part of a year can be made anew and is the same.
"""

from __future__ import annotations

import datetime
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from calmip.errors import InputError
from calmip.problem.cover import ExactCover
from calmip.problem.instance import Instance
from calmip.problem.lattice import Shape, normalised
from calmip.problem.puzzle import Puzzle
from calmip.problem.status import Status
from calmip.problem.tiling import Tiling
from calmip.tasks._result import Pictured

__all__ = ["FORMAT", "VERSION", "Calendar", "Day", "day_of", "days_of"]

FORMAT, VERSION = "calmip-calendar", 1
"""What the document says of itself."""

CHOICE = 200
"""A tiling is drawn by lot from so many, or from all if there are fewer."""


@dataclass(frozen=True)
class Day:
    """One day of a calendar.

    Parameters
    ----------
    date
        The date.
    instance
        What is solved on that day.
    tiling
        A verified tiling, or None where it is proved that there is none.
    """

    date: datetime.date
    instance: Instance
    tiling: Tiling | None


@dataclass(frozen=True, repr=False)
class Calendar(Pictured):
    """A year of tilings.

    Parameters
    ----------
    puzzle
        The puzzle.
    year
        The year.
    seed
        The seed by which tilings were chosen.
    days
        One entry per day, in order.
    """

    puzzle: Puzzle
    year: int
    seed: int
    days: tuple[Day, ...]

    @property
    def status(self) -> Status:
        """Feasible if some day has a tiling, infeasible if none has."""
        return Status.FEASIBLE if len(self.without) < len(self.days) else Status.INFEASIBLE

    @property
    def without(self) -> tuple[datetime.date, ...]:
        """The dates that have no tiling."""
        return tuple(day.date for day in self.days if day.tiling is None)

    def describe(self) -> dict[str, Any]:
        """Return the calendar as plain data, with the keys in their documented order.

        A day is a flat list, two numbers per piece in the order of ``pieces``: the
        number of its orientation, and the place of its first cell, counted row by
        row through the grid.
        """
        puzzle = self.puzzle
        shapes = {piece.name: piece.orientations(flip=puzzle.flip) for piece in puzzle.pieces}
        return {
            "format": FORMAT,
            "version": VERSION,
            "puzzle": puzzle.name,
            "id": puzzle.id,
            "year": self.year,
            "seed": self.seed,
            "flip": puzzle.flip,
            "lattice": puzzle.board.lattice.name,
            "grid": [" ".join(row) for row in puzzle.board.rows],
            "groups": {group: list(labels) for group, labels in puzzle.groups.items()},
            "pieces": [{"name": name, "orientations": found} for name, found in shapes.items()],
            "days": {f"{day.date:%m-%d}": _entry(day, shapes) for day in self.days},
        }

    def _summary(self) -> str:
        made = len(self.days) - len(self.without)
        return f"{self.puzzle.name} in {self.year}, {made} of {len(self.days)} days have a tiling"


def _entry(day: Day, shapes: Mapping[str, Sequence[Shape]]) -> list[int] | None:
    if day.tiling is None:
        return None
    width = day.instance.puzzle.board.shape[1]
    found = {placement.piece: placement.cells for placement in day.tiling.placements}
    entry = []
    for name, orientations in shapes.items():
        row, column = found[name][0]
        entry += [orientations.index(normalised(found[name])), row * width + column]
    return entry


def days_of(year: int) -> list[datetime.date]:
    """Return the dates of a year.

    Raises
    ------
    InputError
        If the year is not from 1 to 9999.
    """
    if not 1 <= year <= 9999:
        raise InputError(f"the year is a number from 1 to 9999, not {year}")
    first = datetime.date(year, 1, 1).toordinal()
    last = datetime.date(year, 12, 31).toordinal()
    return [datetime.date.fromordinal(number) for number in range(first, last + 1)]


def day_of(puzzle: Puzzle, date: datetime.date, *, seed: int = 0) -> Day:
    """Return a day with one of its tilings, the same for the same seed.

    Parameters
    ----------
    puzzle
        The puzzle.
    date
        The date.
    seed
        0 takes the first tiling found; any other number draws one by lot from
        the first two hundred.

    Raises
    ------
    InputError
        If the puzzle has no label for the date.
    """
    from calmip.search.exact_cover import Search

    instance = Instance.of_date(puzzle, date, name=date.isoformat())
    cover = ExactCover(instance)
    found = list(Search(cover, limit=CHOICE if seed else 1))
    if not found:
        return Day(date, instance, None)
    lot = int.from_bytes(hashlib.sha256(f"{seed} {date.isoformat()}".encode()).digest()[:8], "big")
    return Day(date, instance, Tiling.from_options(cover, found[lot % len(found)]))
