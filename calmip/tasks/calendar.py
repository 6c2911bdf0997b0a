"""A tiling for every day of a year, made in one go or where an earlier run ended.

Each day depends on the puzzle, its date and the seed alone, so a part of a year can be made anew
and is the same. As JSON a calendar is small enough to ship with a web page, and it is read back
with every check: what the numbers of a day mean is said at `Calendar.describe`. Reading needs no
geometry: the cells are the place's row and column plus the orientation's differences.
"""

from __future__ import annotations

import datetime
import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from calmip._limits import Limits, Progress
from calmip.documents.description import describe_tiling
from calmip.errors import InputError, NotATiling, listed
from calmip.problem.board import Board, Piece
from calmip.problem.cover import ExactCover, Placement, Reveal
from calmip.problem.instance import Instance
from calmip.problem.lattice import LATTICES, Shape, normalised
from calmip.problem.puzzle import Puzzle
from calmip.problem.status import Status
from calmip.problem.tiling import Tiling
from calmip.tasks._journal import Journal, tiling_from
from calmip.tasks._result import Pictured

if TYPE_CHECKING:
    from calmip.search.exact_cover.words import Packed

__all__ = [
    "FORMAT",
    "VERSION",
    "Calendar",
    "Day",
    "DaySearch",
    "calendar",
    "calendar_from_json",
    "calendar_json",
    "days_of",
    "read_calendar",
]


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


MOST_CHARACTERS = 20_000_000


def calendar_json(calendar: Calendar) -> str:
    """Return a calendar as one line of JSON and a line end; the same input, the same text."""
    return json.dumps(calendar.describe(), ensure_ascii=False, separators=(",", ":")) + "\n"


def read_calendar(path: Path | str, *, puzzle: Puzzle | None = None) -> Calendar:
    """Return the calendar in a file, every tiling verified.

    Parameters
    ----------
    path
        The file.
    puzzle
        The puzzle against which to verify; what the file itself says unless given.

    Raises
    ------
    InputError
        If the file cannot be read, is no calendar, or holds what is no tiling.
    """
    try:
        with Path(path).open(encoding="utf-8") as file:
            text = file.read(MOST_CHARACTERS + 1)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise InputError(f"cannot be read: {reason}", path=path) from None
    try:
        return calendar_from_json(text, puzzle=puzzle)
    except InputError as error:
        raise InputError(error.message, path=path) from None


def calendar_from_json(text: str, *, puzzle: Puzzle | None = None) -> Calendar:
    """Return the calendar that a text describes, every tiling verified.

    Days without a tiling are taken at their word. See `read_calendar`.

    Raises
    ------
    InputError
        If the text is no calendar, or holds what is no tiling.
    """
    if len(text) > MOST_CHARACTERS:
        raise InputError(f"has over {MOST_CHARACTERS:,} characters; no calendar is so large")
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        raise InputError("is not JSON") from None
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise InputError(f'is not a calendar: it has no key "format" with the value "{FORMAT}"')
    if document.get("version") != VERSION:
        raise InputError(f"is a calendar of another version; this program reads version {VERSION}")
    year, seed = (_of(document, key, int) for key in ("year", "seed"))
    shapes = _shapes(document)
    found = _puzzle(document, shapes) if puzzle is None else puzzle
    if puzzle is not None and {piece.name for piece in puzzle.pieces} != set(shapes):
        raise InputError(
            f"its pieces are {listed(list(shapes))}, not those of {puzzle.name}: "
            f"{listed([piece.name for piece in puzzle.pieces])}"
        )
    entries = _of(document, "days", dict)
    dates = days_of(year)
    names = [f"{date:%m-%d}" for date in dates]
    if list(entries) != names:
        odd = [name for name in names if name not in entries] or [
            str(name)[:20] for name in entries if name not in names
        ]
        raise InputError(f"its days are not those of {year}: see {listed(odd or names, most=3)}")
    width = len(str(_of(document, "grid", list)[0]).split())
    days = tuple(
        _day(found, date, entries[name], shapes, width)
        for date, name in zip(dates, names, strict=True)
    )
    return Calendar(found, year, seed, days)


def _of(document: Mapping[str, Any], key: str, kind: type) -> Any:
    value = document.get(key)
    if not isinstance(value, kind) or isinstance(value, bool) is not (kind is bool):
        words = {int: "a whole number", str: "a text", dict: "a mapping", list: "a list",
                 bool: "true or false"}  # fmt: skip
        raise InputError(f'its key "{key}" is not {words[kind]}')
    if kind is list and not value:
        raise InputError(f'its key "{key}" is empty')
    return value


def _texts(value: object, what: str) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(text, str) for text in value):
        raise InputError(f"{what} is not a list of texts")
    return value


def _shapes(document: Mapping[str, Any]) -> dict[str, list[Shape]]:
    found: dict[str, list[Shape]] = {}
    for piece in _of(document, "pieces", list):
        try:
            name = piece["name"]
            shapes = [tuple((r, c) for r, c in shape) for shape in piece["orientations"]]
            whole = all(
                type(number) is int for shape in shapes for cell in shape for number in cell
            )
        except (TypeError, ValueError, KeyError):
            name, shapes, whole = "", [], False
        if not whole or not isinstance(name, str) or not all(shapes) or not shapes:
            raise InputError(
                'an entry of "pieces" does not have the form '
                '{"name": ..., "orientations": [[[row, column], ...], ...]}'
            )
        if name in found:
            raise InputError(f"two pieces are called {name}")
        found[name] = shapes
    return found


def _puzzle(document: Mapping[str, Any], shapes: Mapping[str, Sequence[Shape]]) -> Puzzle:
    lattice = LATTICES.get(_of(document, "lattice", str))
    if lattice is None:
        raise InputError(f'its key "lattice" is none of {listed(list(LATTICES))}')
    groups = _of(document, "groups", dict)
    return Puzzle(
        name=_of(document, "puzzle", str),
        board=Board.from_text(_texts(document.get("grid"), 'its key "grid"'), lattice),
        pieces=tuple(Piece(name, found[0], lattice) for name, found in shapes.items()),
        groups={group: tuple(_texts(labels, f"the group {group}"))
                for group, labels in groups.items()},
        flip=_of(document, "flip", bool),
        id=_of(document, "id", str),
    )  # fmt: skip


def _day(
    puzzle: Puzzle,
    date: datetime.date,
    entry: object,
    shapes: Mapping[str, Sequence[Shape]],
    width: int,
) -> Day:
    instance = Instance.of_date(puzzle, date, name=date.isoformat())
    if entry is None:
        return Day(date, instance, None)
    if (
        not isinstance(entry, list)
        or len(entry) != 2 * len(shapes)
        or not all(type(number) is int and number >= 0 for number in entry)
    ):
        raise InputError(f"{date}: not null or a list of {2 * len(shapes)} whole numbers")
    placements = []
    for (name, orientations), turn, place in zip(
        shapes.items(), entry[::2], entry[1::2], strict=True
    ):
        if turn >= len(orientations):
            raise InputError(
                f"{date}: piece {name} has {len(orientations)} orientations, and number {turn} "
                "is asked for (they count from 0)"
            )
        row, column = divmod(place, width)
        cells = tuple((row + down, column + right) for down, right in orientations[turn])
        placements.append(Placement(name, cells))
    try:
        return Day(date, instance, Tiling(instance, tuple(placements), instance.labels))
    except NotATiling as error:
        raise InputError(f"{date}: {error}") from None


def calendar(
    puzzle: Puzzle,
    year: int | None = None,
    *,
    seed: int = 0,
    journal: Path | str | None = None,
    resume: bool = False,
    progress: Callable[[Progress], None] | None = None,
) -> Calendar:
    """Return a year of tilings, one per day, each verified.

    Parameters
    ----------
    puzzle
        A puzzle whose labels depend on the date.
    year
        The year; this year unless given.
    seed
        0 takes the first tiling found of each day; any other number draws one
        by lot from the first two hundred. The same seed gives the same year.
    journal
        A file that gets every day as soon as it is made, so that a run that is
        killed can be resumed. It stays: remove it when the calendar is saved.
    resume
        Whether to go on where the journal of the same calendar ends.
    progress
        As for `calmip.solvers.Limits`. The latest one is a day; those of the journal come first.

    Raises
    ------
    InputError
        If a number is out of range, the puzzle has no label for a date or pieces of
        another area than the date leaves, or the journal is that of another calendar or
        cannot be read or written.
    """
    limits = Limits(seed=seed, progress=progress)
    year = datetime.date.today().year if year is None else year
    dates = days_of(year)
    if not puzzle.groups:
        raise InputError(
            f"{puzzle.name} has no months, days or weekdays, so its tilings know no date"
        )
    for date in dates:
        # Better said before the work than after half of it.
        Instance.of_date(puzzle, date)
    path = None if journal is None else Path(journal)
    search = DaySearch(puzzle, seed=seed)
    days: dict[datetime.date, Day] = {}
    # A calendar without days says the puzzle, the year and the seed.
    head = Calendar(puzzle, year, seed, ()).describe()
    with Journal(path, head, resume=resume, work="puzzle, year or seed") as kept:

        def keep(entry: dict[str, Any]) -> None:
            """Take a day from the journal, its tiling verified."""
            date = datetime.date.fromisoformat(entry["date"])
            if entry["date"] != date.isoformat() or date.year != year or date in days:
                raise ValueError(f"{entry['date']} is a duplicate, or of another year")
            if entry["tiling"] is None:
                # That there is none cannot be seen from the line: it is proved again.
                days[date] = search.day(date)
            else:
                instance = Instance.of_date(puzzle, date, name=date.isoformat())
                days[date] = Day(date, instance, tiling_from(instance, entry["tiling"]))

        for _ in kept.read(keep):
            pass
        for number, day in enumerate(days.values(), start=1):
            limits.report(number, len(dates), latest=day)
        for date in dates:
            if date in days:
                continue
            day = days[date] = search.day(date)
            tiling = None if day.tiling is None else describe_tiling(day.tiling)
            kept.add({"date": date.isoformat(), "tiling": tiling})
            limits.report(len(days), len(dates), latest=day)
    return Calendar(puzzle, year, seed, tuple(days[date] for date in dates))
