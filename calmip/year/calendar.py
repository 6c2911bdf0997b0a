"""A tiling for every day of a year, as JSON too; reading it verifies every tiling.

Each day depends on the puzzle, its date and the seed alone, so any part of a year can be
reproduced. A reader needs no geometry: the cells are the place's row and column plus the
orientation's differences.
"""

from __future__ import annotations

import datetime
import json
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from calmip._base.errors import InputError, NotATiling, clip, join_words
from calmip._base.files import digest_of
from calmip._base.limits import NO_LIMITS, Limits, Progress
from calmip._base.shards import WHOLE, Shard, read_shard
from calmip.mip.status import Status
from calmip.puzzle.board import Board, Piece
from calmip.puzzle.cover import ExactCover, Reveal
from calmip.puzzle.documents.serialise import describe_tiling
from calmip.puzzle.instance import Instance, Placement
from calmip.puzzle.lattice import LATTICES, Cell, Lattice, Shape
from calmip.puzzle.puzzle import Puzzle
from calmip.puzzle.tasks.interface import of_puzzle
from calmip.puzzle.tasks.journal import Journal, tiling_from
from calmip.puzzle.tasks.results import Pictured
from calmip.puzzle.tiling import Tiling
from calmip.year.holidays import read_holidays

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from calmip.mip.packed_cover import Packed

__all__ = [
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
"""The kind of the JSON document, and its version."""

FORM: dict[str, Any] = {
    "puzzle": str,
    "id": str,
    "year": int,
    "seed": int,
    "flip": bool,
    "lattice": str,
    "grid": [str],
    "groups": {"*": [str]},
    "pieces": [{"name": str, "orientations": [[[int]]]}],
    "days": {},
}
"""The form of the document, see `Calendar.describe`; the days are numbers for each piece."""

KINDS = {
    int: "a whole number",
    str: "a text",
    dict: "a mapping",
    list: "a list",
    bool: "true or false",
}

SEEDED_TILINGS = 200
"""The number of tilings from which a seed draws the tiling of a day."""

TILINGS_PER_STEP = 10_000
"""The tilings that are searched at once where all are wanted."""

MAX_CHARACTERS = 20_000_000


@dataclass(frozen=True)
class Day:
    """One day of a calendar: its instance, and a tiling, or None if proved infeasible."""

    date: datetime.date
    instance: Instance
    tiling: Tiling | None


@dataclass(frozen=True, repr=False)
class Calendar(Pictured):
    """A verified tiling for every day of a year.

    Parameters
    ----------
    puzzle
        The puzzle.
    year
        The year.
    seed
        The seed with which tilings were drawn.
    days
        The days, in order.
    wall
        Whether a calendar on paper is for the wall: bare boards, and the tilings at the end.
    week
        Whether it has a week on each page, not a month.
    holidays
        The names of the holidays that stand on paper, by their dates; None without a file.
    bound
        A lower bound on the pieces that move in the year: the sum of the fewest that move in
        each change of days alone. None unless the fewest pieces of all calendars move.
    stopped
        ``"time"`` if the time limit was reached; the calendar then has the finished days only.
    shard
        The shard whose days are finished, without those of the others.
    """

    puzzle: Puzzle
    year: int
    seed: int
    days: tuple[Day, ...]
    wall: bool = False
    week: bool = False
    holidays: Mapping[datetime.date, str] | None = None
    bound: int | None = None
    stopped: str = ""
    shard: Shard = WHOLE

    @property
    def unfinished(self) -> bool:
        """Whether days are missing."""
        return len(self.days) < len(days_of(self.year))

    @property
    def known(self) -> bool:
        """Whether all days are finished."""
        return not (self.stopped or self.unfinished)

    @property
    def status(self) -> Status:
        """Feasible if a day has a tiling, infeasible if none has, unknown at a time limit.

        Done if the days of a shard are finished.
        """
        if not self.known:
            return Status.UNKNOWN if self.stopped else Status.DONE
        return Status.FEASIBLE if len(self.without) < len(self.days) else Status.INFEASIBLE

    @property
    def without(self) -> tuple[datetime.date, ...]:
        """The dates that have no tiling."""
        return tuple(day.date for day in self.days if day.tiling is None)

    @cached_property
    def changes(self) -> tuple[int, ...]:
        """The pieces that move from each day with a tiling to the next such day."""
        # Equal pieces may take each other's cells; pieces of one shape with other rules may not.
        equal = self.puzzle.first_equal
        placed = [
            {(equal[one.piece], frozenset(one.cells)) for one in day.tiling.placements}
            for day in self.days
            if day.tiling is not None
        ]
        return tuple(len(after - before) for before, after in pairwise(placed))

    @property
    def moves(self) -> int:
        """The pieces that move in the whole year."""
        return sum(self.changes)

    def describe(self) -> dict[str, Any]:
        """Return the calendar as plain data, with the keys in their documented order.

        A day is a flat list, two numbers per piece in the order of ``pieces``: the
        number of its orientation, and the place of its first cell, counted row by
        row through the grid; twice -1 if the piece is left out.
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
            **({"use": puzzle.use} if puzzle.use else {}),
            "lattice": puzzle.board.lattice.name,
            "grid": [" ".join(row) for row in puzzle.board.rows],
            "groups": {group: list(labels) for group, labels in puzzle.groups.items()},
            "pieces": [
                {
                    "name": piece.name,
                    "orientations": shapes[piece.name],
                    **({"optional": True} if piece.optional else {}),
                    **(_sides(piece, shapes[piece.name]) if piece in puzzle.two_sided else {}),
                }
                for piece in puzzle.pieces
            ],
            "days": {f"{day.date:%m-%d}": _entry(day, shapes) for day in self.days},
        }

    def __str__(self) -> str:
        if self.known:
            return super().__str__()
        days = len(days_of(self.year))
        why = "time limit reached" if self.stopped else f"shard {self.shard}"
        return f"{why}: {len(self.days)} of {days} days of {self.year} are finished"

    def _summary(self) -> str:
        if not self.known:
            return f"{self.puzzle.name}, {self}"
        made = len(self.days) - len(self.without)
        return f"{self.puzzle.name} in {self.year}, {made} of {len(self.days)} days have a tiling"


def _sides(piece: Piece, shapes: Sequence[Shape]) -> dict[str, Any]:
    """Return the two colours of a piece, and the numbers of its orientations with the back up."""
    backs = [number for number, shape in enumerate(shapes) if piece.is_over(shape)]
    return {"colour": [piece.colour, piece.back], "backs": backs}


def _entry(day: Day, shapes: Mapping[str, Sequence[Shape]]) -> list[int] | None:
    if day.tiling is None:
        return None
    width = day.instance.puzzle.board.shape[1]
    found = {placement.piece: placement.cells for placement in day.tiling.placements}
    normal_form = day.instance.puzzle.board.lattice.normal_form
    entry = []
    for name, orientations in shapes.items():
        if name not in found:
            entry += [-1, -1]
            continue
        row, column = found[name][0]
        entry += [orientations.index(normal_form(found[name])), row * width + column]
    return entry


def days_of(year: int) -> list[datetime.date]:
    """Return the dates of a year; raise `InputError` unless it is from 1 to 9999."""
    if not 1 <= year <= 9999:
        raise InputError(f"the year is a number from 1 to 9999, not {year}")
    first = datetime.date(year, 1, 1).toordinal()
    last = datetime.date(year, 12, 31).toordinal()
    return [datetime.date.fromordinal(number) for number in range(first, last + 1)]


MAX_YEARS = 100
"""The most years that are made at once."""


def read_year(text: str) -> int:
    """Return the year that a text means; one before 1000 is written with four digits, too.

    Raises
    ------
    ValueError
        If it means none.
    """
    try:
        year = int(text)
    except ValueError:
        raise ValueError(f"'{text}' is not a valid integer.") from None
    if year > 0 and len(text.strip()) < 4:
        raise ValueError(f"'{text}' has {len(text.strip())} digits; a year has four: 2027")
    return year


def read_years(text: str) -> int | range:
    """Return the year, or the years that a text such as ``2026-2031`` means.

    Raises
    ------
    ValueError
        If it means none, or too many.
    """
    if "-" not in text[1:]:
        return read_year(text)
    found = re.fullmatch(r"(\d{4})-(\d{4})", text, re.ASCII)
    first, last = map(int, found.groups()) if found else (0, 0)
    if not 1 <= first <= last:
        what = "a year, or a first and a last one such as 2026-2031"
        raise ValueError(f"{what}, not '{clip(text)}'")
    if last - first >= MAX_YEARS:
        raise ValueError(f"at most {MAX_YEARS} years at once")
    return range(first, last + 1)


class DaySearch:
    """The search for the days of a puzzle, which differ in their uncovered labels.

    The options of the whole year, in bits, are made once. The search of a day begins where its
    labels are uncovered, and visits the options of the day's own cover in their order.

    Parameters
    ----------
    puzzle
        The puzzle.
    seed
        0 takes the first tiling of each day; any other number draws one of the first two
        hundred.
    limits
        Of time; each search raises a `TimeoutError` when it is reached.
    """

    def __init__(self, puzzle: Puzzle, *, seed: int = 0, limits: Limits = NO_LIMITS) -> None:
        self.puzzle = puzzle
        self.seed = seed
        self._clock = limits.clock

    def day(self, date: datetime.date) -> Day:
        """Return a day with one of its tilings, the same for the same seed.

        Raises
        ------
        InputError
            If the puzzle has no label for the date.
        """
        found = self.tilings(date, SEEDED_TILINGS if self.seed else 1)
        if not found:
            return self.day_of(date, None)
        text = f"{self.seed} {date.isoformat()}"
        lot = int(digest_of(text.encode())[:16], 16)
        return self.day_of(date, found[lot % len(found)])

    def tilings(self, date: datetime.date, most: int | None = None) -> list[list[int]]:
        """Return the tilings of a date as options of the year, all of them or the first ones."""
        from calmip.mip.packed_cover import walk

        _, words, _ = self._year
        root = words.root + sum(words.deltas[option] for option in self._revealed(date))
        search = walk(words, root)
        found: list[list[int]] = []
        while not search.finished and (most is None or len(found) < most):
            self._clock.check(f"not all days up to {date} were searched")
            found += search.step(TILINGS_PER_STEP if most is None else most - len(found))
        return found

    def day_of(self, date: datetime.date, options: Sequence[int] | None) -> Day:
        """Return a day with the tiling of some options, verified, or without one."""
        instance = Instance.of_date(self.puzzle, date, name=date.isoformat())
        if options is None:
            return Day(date, instance, None)
        whole = [*options, *self._revealed(date)]
        return Day(date, instance, Tiling.from_options(self._year[0], whole, instance))

    def pool(self, date: datetime.date) -> NDArray[np.int32]:
        """Return all tilings of a date by pieces: the number of the cells of each, or -1."""
        import numpy as np

        found = self.tilings(date)
        pool = np.full((len(found), len(self.puzzle.pieces)), -1, np.int32)
        for row, options in enumerate(found):
            for option in options:
                columns, cells = self._places[option]
                if not columns:
                    continue
                # Equal pieces have the same options.
                free = next(column for column in columns if pool[row, column] < 0)
                pool[row, free] = cells
        return pool

    def _revealed(self, date: datetime.date) -> list[int]:
        reveals = self._year[2]
        return [reveals[label] for label in Instance.of_date(self.puzzle, date).labels]

    @cached_property
    def options(self) -> dict[tuple[int, int], int]:
        """The option of a piece on the cells of a number, as `pool` has them."""
        return {
            (column, cells): option
            for option, (columns, cells) in enumerate(self._places)
            for column in columns
        }

    @cached_property
    def equal(self) -> list[list[int]]:
        """The columns of equal pieces in `pool`."""
        columns = {piece.name: number for number, piece in enumerate(self.puzzle.pieces)}
        return [[columns[piece.name] for piece in some] for some in self.puzzle.piece_classes]

    @cached_property
    def _places(self) -> list[tuple[list[int], int]]:
        """The columns of the pieces and the number of the cells of each placement.

        There are no columns if a piece is left out.
        """
        cover = self._year[0]
        classes = zip(self.puzzle.piece_classes, self.equal, strict=True)
        columns = {piece.name: some for pieces, some in classes for piece in pieces}
        placements = [cast(Placement, cover.option(option)) for option in range(cover.placements)]
        cells: dict[frozenset[Cell], int] = {}
        return [
            (
                columns[one.piece] if one.cells else [],
                cells.setdefault(frozenset(one.cells), len(cells)),
            )
            for one in placements
        ]

    @cached_property
    def _year(self) -> tuple[ExactCover, Packed, dict[str, int]]:
        """The cover in which every label is free, its bits, and the option of each label."""
        from calmip.puzzle.search.exact_cover.search import words_of

        cover = ExactCover(Instance(self.puzzle, (), tuple(self.puzzle.groups)))
        options = range(cover.placements, cover.columns)
        reveals = {cast(Reveal, cover.option(number)).label: number for number in options}
        return cover, words_of(cover), reveals


def calendar_json(calendar: Calendar) -> str:
    """Return a calendar as one line of JSON and a line end."""
    return json.dumps(calendar.describe(), ensure_ascii=False, separators=(",", ":")) + "\n"


def read_calendar(path: Path | str, *, puzzle: Puzzle | None = None) -> Calendar:
    """Return the calendar in a file, every tiling verified.

    Days without a tiling are not proved again.

    Parameters
    ----------
    path
        The file.
    puzzle
        The puzzle against which to verify; by default the puzzle in the file.

    Raises
    ------
    InputError
        If the file cannot be read, is not a calendar, or has a wrong tiling.
    """
    try:
        with Path(path).open(encoding="utf-8") as file:
            text = file.read(MAX_CHARACTERS + 1)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise InputError(f"cannot be read: {reason}", path=path) from None
    try:
        return calendar_from_json(text, puzzle=puzzle)
    except InputError as error:
        raise InputError(error.message, path=path) from None


def calendar_from_json(text: str, *, puzzle: Puzzle | None = None) -> Calendar:
    """Return the calendar of a JSON document; errors as of `read_calendar`."""
    if len(text) > MAX_CHARACTERS:
        raise InputError(f"has over {MAX_CHARACTERS:,} characters; no calendar is so large")
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        raise InputError("is not JSON") from None
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise InputError(f'is not a calendar: it has no key "format" with the value "{FORMAT}"')
    if document.get("version") != VERSION:
        raise InputError(f"is a calendar of another version; this program reads version {VERSION}")
    _check_form(document, FORM, "it")
    shapes = _shapes(document["pieces"])
    if puzzle is None:
        puzzle = _puzzle(document, shapes)
    names = [piece.name for piece in puzzle.pieces]
    if set(names) != set(shapes):
        raise InputError(
            f"its pieces are {join_words(shapes)}, not those of {puzzle.name}: {join_words(names)}"
        )
    year, entries = document["year"], document["days"]
    dates = days_of(year)
    names = [f"{date:%m-%d}" for date in dates]
    if list(entries) != names:
        odd = [name for name in names if name not in entries]
        odd = odd or [name for name in entries if name not in names] or names
        raise InputError(f"its days are not those of {year}: see {join_words(odd, most=3)}")
    width = len(document["grid"][0].split())
    days = (
        _day(puzzle, date, entry, shapes, width)
        for date, entry in zip(dates, entries.values(), strict=True)
    )
    return Calendar(puzzle, year, document["seed"], tuple(days))


def _check_form(value: Any, form: Any, what: str) -> None:
    """Refuse a value that is not of a form such as `FORM`: a key ``*`` stands for all keys."""
    kind: type = form if isinstance(form, type) else type(form)
    if type(value) is not kind:
        raise InputError(f"{what} is not {KINDS[kind]}")
    if isinstance(value, list):
        if not value:
            raise InputError(f"{what} is empty")
        for inner in value:
            _check_form(inner, form[0], f"an entry of {what}")
    elif isinstance(value, dict):
        for key in value if "*" in form else form:
            _check_form(value.get(key), form.get("*", form.get(key)), f'its key "{key}"')


def _shapes(pieces: Sequence[Mapping[str, Any]]) -> dict[str, list[Shape]]:
    """Return the orientations of each piece."""
    found: dict[str, list[Shape]] = {}
    for piece in pieces:
        if any(len(cell) != 2 for shape in piece["orientations"] for cell in shape):
            raise InputError('a cell of "pieces" is not [row, column]')
        if piece["name"] in found:
            raise InputError(f"two pieces are called {piece['name']}")
        found[piece["name"]] = [tuple((r, c) for r, c in shape) for shape in piece["orientations"]]
    return found


def _puzzle(document: Mapping[str, Any], shapes: Mapping[str, Sequence[Shape]]) -> Puzzle:
    lattice = LATTICES.get(document["lattice"])
    if lattice is None:
        raise InputError(f'its key "lattice" is not one of {join_words(LATTICES)}')
    use = document.get("use")
    if use is not None and type(use) is not int:
        raise InputError('its key "use" is not a whole number')
    return Puzzle(
        name=document["puzzle"],
        board=Board.from_text(document["grid"], lattice),
        pieces=tuple(
            _with_facts(_piece(entry["name"], found, lattice, flip=document["flip"]), entry, found)
            for entry, found in zip(document["pieces"], shapes.values(), strict=True)
        ),
        groups={group: tuple(labels) for group, labels in document["groups"].items()},
        flip=document["flip"],
        use=use,
        id=document["id"],
    )


def _piece(name: str, shapes: Sequence[Shape], lattice: Lattice, *, flip: bool) -> Piece:
    """Return the piece that has some orientations and no others."""
    free = Piece(name, shapes[0], lattice)
    ways = (free, replace(free, flip=False), replace(free, rotate=False))
    found = next(
        (
            one
            for one in ways
            if {*one.orientations(flip=flip)} == {*map(lattice.normal_form, shapes)}
        ),
        None,
    )
    if found is None:
        raise InputError(f"the orientations of piece {name} are not those of one shape")
    return found


def _with_facts(piece: Piece, entry: Mapping[str, Any], shapes: Sequence[Shape]) -> Piece:
    """Return a piece that may be left out, and has two colours, if its entry says so."""
    piece = replace(piece, optional=entry.get("optional") is True)
    colours, backs = entry.get("colour"), entry.get("backs")
    if colours is None:
        return piece
    if isinstance(colours, list) and len(colours) == 2 and isinstance(backs, list):
        fronts = [shape for number, shape in enumerate(shapes) if number not in backs]
        front, back = map(str, colours)
        piece = replace(piece, cells=fronts[0] if fronts else piece.cells, colour=front, back=back)
        if backs == _sides(piece, shapes)["backs"]:
            return piece
    raise InputError(
        f'piece {piece.name}: "colour" is a list of two, and "backs" has the numbers of the '
        "orientations that are its mirror images"
    )


def _day(
    puzzle: Puzzle,
    date: datetime.date,
    entry: object,
    shapes: Mapping[str, Sequence[Shape]],
    width: int,
) -> Day:
    """Return a day of the document, its tiling verified."""
    instance = Instance.of_date(puzzle, date, name=date.isoformat())
    if entry is None:
        return Day(date, instance, None)
    if (
        not isinstance(entry, list)
        or len(entry) != 2 * len(shapes)
        or not all(type(number) is int and number >= -1 for number in entry)
    ):
        raise InputError(
            f"{date}: not null or a list of {2 * len(shapes)} whole numbers from -1 on"
        )
    placements = []
    for (name, orientations), turn, place in zip(
        shapes.items(), entry[::2], entry[1::2], strict=True
    ):
        if turn == place == -1:
            continue
        if not 0 <= turn < len(orientations):
            raise InputError(
                f"{date}: piece {name} has {len(orientations)} orientations, and number {turn} "
                "is out of range (they count from 0)"
            )
        row, column = divmod(place, width)
        lattice = puzzle.board.lattice
        shape = lattice.normal_form(orientations[turn])
        placements.append(Placement(name, lattice.moved(shape, (row, column))))
    try:
        return Day(date, instance, Tiling(instance, tuple(placements), instance.labels))
    except NotATiling as error:
        raise InputError(f"{date}: {error}") from None


@of_puzzle
def calendar(
    puzzle: Puzzle,
    year: int | None = None,
    *,
    seed: int = 0,
    least_moves: bool = False,
    wall: bool = False,
    week: bool = False,
    holidays: Path | str | None = None,
    journal: Path | str | None = None,
    resume: bool = False,
    shard: str | None = None,
    time_limit: float | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Calendar:
    """Make a verified tiling of a puzzle for every day of a year.

    A calendar is a small JSON file of a documented format, an HTML page with a picture for
    each day, or a PDF with a page for each month. With --wall the PDF has bare boards, and the
    tilings on the last sheets. Dates without a tiling are marked. The same
    arguments give the same file. On boards with weekdays, a date differs from year to year.

    Parameters
    ----------
    puzzle
        A puzzle whose labels depend on the date.
    year
        Make this year; by default the current one.
    seed
        Draw the tiling of each day from the first two hundred, with this seed; 0 takes the
        first. The same seed gives the same year.
    least_moves
        Choose the tilings so that in the whole year the fewest pieces move from day to day.
        That is proved by a shortest path through all tilings of all days.
    wall
        Make a PDF for the wall: bare boards with room to write, the tilings on the last sheets.
    week
        Put a week on each page of the PDF, not a month.
    holidays
        Put the holidays of this file on the PDF: .ics, or .yaml with lines such as
        '12-25: Christmas Day'. See `calmip.year.holidays.read_holidays`.
    journal
        Write each day to this file as soon as it is made, so that a killed run can be resumed.
        Remove the file when the calendar is saved. With ``least_moves`` nothing is written.
    resume
        Continue where the journal of the same calendar ends.
    shard
        Make part I of N of the days; I may be a scheduler's variable. The journals of all
        shards together, joined by ``cat``, are that of the calendar.
    time_limit, progress
        As for `calmip.solvers.Limits`. At the limit the journal has the finished days, and no
        calendar is written. The latest of the progress is a day; days of the journal come first.

    Raises
    ------
    InputError
        If a number is out of range, the puzzle has no label for a date or pieces of
        another area than the date leaves, or the journal is that of another calendar or
        cannot be read or written.
    """
    limits, part = Limits(time_limit, seed, progress=progress), read_shard(shard)
    year = datetime.date.today().year if year is None else year
    dates = days_of(year)
    names = None if holidays is None else read_holidays(holidays, year)
    if not puzzle.groups:
        raise InputError(
            f"{puzzle.name} has no months, days or weekdays, so no tiling is of a date"
        )
    for date in dates:
        Instance.of_date(puzzle, date)  # refuse it now, not after half of the work
    search = DaySearch(puzzle, seed=seed, limits=limits)
    if least_moves:
        if seed or resume or not part.whole:
            raise InputError(
                "the fewest moves need all tilings; leave out the seed, the shard and resume"
            )
        try:
            chosen, bound = _least_moves(search, dates, limits)
        except TimeoutError:
            return Calendar(puzzle, year, seed, (), wall, week, names, stopped="time")
        return Calendar(puzzle, year, seed, chosen, wall, week, names, bound)
    head = Calendar(puzzle, year, seed, ()).describe()
    path = None if journal is None else Path(journal)
    with Journal(path, head, resume=resume, work="puzzle, year or seed") as kept:
        days = _days(search, dates, kept, limits, part)
    made = tuple(days[date] for date in dates if date in days)
    wanted = [date for date in dates if part.has(date.isoformat())]
    stopped = "" if days.keys() >= {*wanted} else "time"
    return Calendar(puzzle, year, seed, made, wall, week, names, stopped=stopped, shard=part)


def _days(
    search: DaySearch,
    dates: Sequence[datetime.date],
    kept: Journal,
    limits: Limits,
    shard: Shard,
) -> dict[datetime.date, Day]:
    """Return the days of a journal, and those of a shard, which it gets, up to the limit."""
    days: dict[datetime.date, Day] = {}

    def keep(entry: dict[str, Any]) -> None:
        """Verify a day of the journal."""
        date = datetime.date.fromisoformat(entry["date"])
        if entry["date"] != date.isoformat() or date.year != dates[0].year or date in days:
            raise ValueError(f"{entry['date']} is a duplicate, or of another year")
        days[date] = _kept_day(search, search.puzzle, date, entry["tiling"])

    with suppress(TimeoutError):
        for _ in kept.read(keep):
            pass
        limits.report(0, len(dates))
        for number, day in enumerate(days.values(), start=1):
            limits.report(number, len(dates), latest=day)
        for date in dates:
            if date in days or not shard.has(date.isoformat()):
                continue
            day = days[date] = search.day(date)
            tiling = None if day.tiling is None else describe_tiling(day.tiling)
            kept.add({"date": date.isoformat(), "tiling": tiling})
            limits.report(len(days), len(dates), latest=day)
    return days


def _kept_day(search: DaySearch, puzzle: Puzzle, date: datetime.date, tiling: Any) -> Day:
    """Return a day of a journal, verified."""
    if tiling is None:  # a line cannot prove infeasibility, so prove it again
        return search.day(date)
    instance = Instance.of_date(puzzle, date, name=date.isoformat())
    return Day(date, instance, tiling_from(instance, tiling))


def _least_moves(
    search: DaySearch, dates: Sequence[datetime.date], limits: Limits
) -> tuple[tuple[Day, ...], int]:
    """Return the days of the calendar in which the fewest pieces move, and the lower bound."""
    from calmip.year.fewest_moves import shortest_chain

    pools = []
    for number, date in enumerate(dates):
        limits.report(number, what="days searched")
        pools.append(search.pool(date))

    def compared(done: int) -> None:
        limits.clock.check("not all days were compared")
        limits.report(done, what="days compared")

    chain = shortest_chain(pools, search.equal, report=compared)
    days = []
    for date, pool, place in zip(dates, pools, chain.tilings, strict=True):
        cells = [] if place is None else enumerate(pool[place].tolist())
        options = [search.options[one] for one in cells if one[1] >= 0]
        days.append(search.day_of(date, None if place is None else options))
    return tuple(days), chain.bound
