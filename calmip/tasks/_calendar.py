"""A calendar's days: each depends on the puzzle, its date and the seed alone.

So a part of a year can be made anew and is the same.
"""

from __future__ import annotations

import datetime
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

from calmip.errors import InputError
from calmip.problem.cover import ExactCover, Reveal
from calmip.problem.instance import Instance
from calmip.problem.lattice import Shape, normalised
from calmip.problem.puzzle import Puzzle
from calmip.problem.status import Status
from calmip.problem.tiling import Tiling
from calmip.tasks._result import Pictured

if TYPE_CHECKING:
    from calmip.search.exact_cover.words import Packed

__all__ = ["FORMAT", "VERSION", "Calendar", "Day", "DaySearch", "days_of"]

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


class DaySearch:
    """The search for the days of a puzzle, which differ in the labels that they reveal.

    The options, in bits, are those of the whole year and made once. A day's search begins
    where its labels are revealed, and is then that of the day's own cover: the options
    that still fit are its options, in the same order.

    Parameters
    ----------
    puzzle
        The puzzle.
    seed
        0 takes the first tiling found of each day; any other number draws one by lot from
        the first two hundred.

    Attributes
    ----------
    puzzle : Puzzle
        The puzzle.
    seed : int
        The seed.
    """

    def __init__(self, puzzle: Puzzle, *, seed: int = 0) -> None:
        self.puzzle = puzzle
        self.seed = seed

    def day(self, date: datetime.date) -> Day:
        """Return a day with one of its tilings, the same for the same seed.

        Raises
        ------
        InputError
            If the puzzle has no label for the date.
        """
        instance = Instance.of_date(self.puzzle, date, name=date.isoformat())
        cover, words, reveals = self._year
        revealed = [reveals[label] for label in instance.labels]
        root = words.root + sum(words.deltas[option] for option in revealed)
        found = _first(words, root, CHOICE if self.seed else 1)
        if not found:
            return Day(date, instance, None)
        text = f"{self.seed} {date.isoformat()}"
        lot = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")
        options = [*found[lot % len(found)], *revealed]
        return Day(date, instance, Tiling.from_options(cover, options, instance))

    @cached_property
    def _year(self) -> tuple[ExactCover, Packed, dict[str, int]]:
        """The cover that leaves every label free, in bits as well, and the label's options."""
        from calmip.search.exact_cover.words import words_of

        cover = ExactCover(Instance(self.puzzle, (), tuple(self.puzzle.groups)))
        options = range(cover.placements, cover.columns)
        reveals = {cast(Reveal, cover.option(number)).label: number for number in options}
        return cover, words_of(cover), reveals


def _first(words: Packed, root: int, most: int) -> list[list[int]]:
    """Return the first solutions from a state on, each as its options."""
    from calmip.search.exact_cover.search import walk

    search = walk(words, root)
    found: list[list[int]] = []
    while not search.finished and len(found) < most:
        found += search.step(most - len(found))
    return found
