"""The number of tilings of every date of a puzzle, counted in one search, and their difficulty.

Choices of labels that are not dates, such as February 30, are counted too and kept apart.
"""

from __future__ import annotations

import datetime
import math
import statistics
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from calmip._base.errors import InputError, join_words
from calmip._base.limits import Limits, Progress
from calmip.mip.status import Status
from calmip.puzzle.cover import ExactCover
from calmip.puzzle.dates import (
    DIGITS,
    GROUPS,
    WEEKDAYS,
    calendar_numbers,
    check_digits,
    labels_of_date,
    real_dates,
    short_weekdays,
    with_day,
)
from calmip.puzzle.instance import FREE, Instance
from calmip.puzzle.puzzle import Puzzle
from calmip.puzzle.search.difficulty import Rating, rank_correlation, rate
from calmip.puzzle.tasks.interface import of_puzzle
from calmip.puzzle.tasks.results import Pictured

__all__ = ["DateCount", "Difficulty", "Year", "year"]

MAX_FEW_DATES = 3
"""With this many dates or fewer a correlation has no interval."""

NEAR_ONE = 1 - 1e-9
"""Fisher's transform of a correlation of 1 is infinite."""


@dataclass(frozen=True)
class DateCount:
    """The number of tilings of one choice of labels.

    Parameters
    ----------
    labels
        The uncovered label of every group, in the puzzle's order.
    name
        The known numbers of the date, as in ``02-30``, ``02-29-thu`` and ``2027-02-28-sun``.
    month, day, weekday
        The numbers of the month, the day and the weekday, Monday = 1; None without a weekday.
    tilings
        The number of tilings.
    real
        Whether there is such a date.
    difficulty
        The difficulty for people; None unless requested, and for what is no date.
    """

    labels: Mapping[str, str]
    name: str
    month: int
    day: int
    weekday: int | None
    tilings: int
    real: bool
    difficulty: Rating | None = None

    @property
    def tries(self) -> float | None:
        """The expected number of placements that a person tries; None if it is not known."""
        tries = None if self.difficulty is None else self.difficulty.tries
        return None if tries is None else float(tries)

    @property
    def day_label(self) -> str:
        """The uncovered label of the day; its number if the board shows tens and ones."""
        return self.labels.get("day", str(self.day))


@dataclass(frozen=True)
class Difficulty:
    """Statistics of the numbers of tilings of some dates.

    Parameters
    ----------
    dates, impossible
        The number of dates, and of those without a tiling.
    least, median, greatest, geometric_mean
        Of the numbers of tilings; the geometric mean of those above 0, or 0 without any.
    """

    dates: int
    impossible: int
    least: int
    median: float
    greatest: int
    geometric_mean: float

    @classmethod
    def of(cls, counts: Iterable[int]) -> Difficulty:
        """Return the statistics of one number of tilings or more."""
        numbers = sorted(counts)
        some = [number for number in numbers if number]
        return cls(
            len(numbers),
            len(numbers) - len(some),
            numbers[0],
            statistics.median(numbers),
            numbers[-1],
            statistics.geometric_mean(some) if some else 0.0,
        )


@dataclass(frozen=True, repr=False)
class Year(Pictured):
    """The numbers of tilings of all dates of a puzzle.

    Parameters
    ----------
    puzzle
        The puzzle.
    counts
        One entry per choice of labels, in calendar order; none if a limit was reached.
    year
        The year to which the dates are restricted, or None for any year.
    detail
        The limit that was reached, or empty.
    seconds
        The seconds that a player took without help, by the labels of the date; None without
        a history.
    """

    puzzle: Puzzle
    counts: tuple[DateCount, ...]
    year: int | None = None
    detail: str = ""
    seconds: Mapping[tuple[str, ...], int] | None = None

    @property
    def known(self) -> bool:
        """Whether everything was counted."""
        return not self.detail

    @property
    def status(self) -> Status:
        """Feasible if a date has a tiling, infeasible if none has, unknown at a limit."""
        if self.detail:
            return Status.UNKNOWN
        return Status.FEASIBLE if any(one.tilings for one in self.counts) else Status.INFEASIBLE

    @cached_property
    def dates(self) -> tuple[DateCount, ...]:
        """The counts of the choices that are dates."""
        return tuple(count for count in self.counts if count.real)

    @cached_property
    def others(self) -> tuple[DateCount, ...]:
        """The counts of the choices that are not dates, such as February 30."""
        return tuple(count for count in self.counts if not count.real)

    @cached_property
    def by_month(self) -> dict[int, Difficulty]:
        """The difficulty of every month's real dates, January = 1."""
        return _difficulties((count.month, count.tilings) for count in self.dates)

    @cached_property
    def by_weekday(self) -> dict[int, Difficulty]:
        """The difficulty of every weekday's real dates, Monday = 1; empty without weekdays."""
        return _difficulties(
            (count.weekday, count.tilings) for count in self.dates if count.weekday is not None
        )

    @cached_property
    def impossible(self) -> tuple[DateCount, ...]:
        """The dates that have no tiling."""
        return tuple(count for count in self.dates if not count.tilings)

    @cached_property
    def rated(self) -> tuple[DateCount, ...]:
        """The dates with tilings whose difficulty for people is known."""
        return tuple(count for count in self.dates if count.tilings and count.tries is not None)

    @cached_property
    def unrated(self) -> tuple[DateCount, ...]:
        """The dates that have too many positions to be rated."""
        return tuple(count for count in self.dates if count.difficulty and count.tries is None)

    def most_tried(self, most: int = 5) -> tuple[DateCount, ...]:
        """Return the dates on which a person tries the most placements, in order."""
        return tuple(sorted(self.rated, key=lambda count: -(count.tries or 0))[:most])

    def least_tried(self, most: int = 5) -> tuple[DateCount, ...]:
        """Return the dates on which a person tries the fewest placements, in order."""
        return tuple(sorted(self.rated, key=lambda count: count.tries or 0)[:most])

    @cached_property
    def rank_correlation(self) -> float | None:
        """Spearman's rank correlation of placements tried and tilings; None if it has none."""
        return rank_correlation((count.tries or 0.0, count.tilings) for count in self.rated)

    @cached_property
    def played(self) -> tuple[tuple[DateCount, int], ...]:
        """The rated dates that the player solved without help, with the seconds."""
        times = self.seconds or {}
        found = ((count, times.get(tuple(count.labels.values()))) for count in self.rated)
        return tuple((count, seconds) for count, seconds in found if seconds is not None)

    def player_correlation(self, measure: str) -> tuple[float, float, float] | None:
        """Return the rank correlation of the player's seconds with ``tries`` or ``tilings``.

        With it come the ends of its interval of 95 % by Fisher's transform; None if fewer than
        four dates were played, or the seconds or the numbers do not differ.
        """
        pairs = [(float(getattr(count, measure)), seconds) for count, seconds in self.played]
        found = rank_correlation(pairs) if len(pairs) > MAX_FEW_DATES else None
        if found is None:
            return None
        middle = math.atanh(max(-NEAR_ONE, min(NEAR_ONE, found)))
        half = 1.96 / math.sqrt(len(pairs) - 3)
        return found, math.tanh(middle - half), math.tanh(middle + half)

    def hardest(self, most: int = 5) -> tuple[DateCount, ...]:
        """Return the dates with the fewest tilings, those without any first, in order."""
        return tuple(sorted(self.dates, key=lambda count: count.tilings)[:most])

    def easiest(self, most: int = 5) -> tuple[DateCount, ...]:
        """Return the dates with the most tilings, in order."""
        some = [count for count in self.dates if count.tilings]
        return tuple(sorted(some, key=lambda count: -count.tilings)[:most])

    @cached_property
    def month_names(self) -> dict[int, str]:
        """The puzzle's label of every month that occurs, January = 1."""
        return {count.month: count.labels["month"] for count in self.counts}

    @cached_property
    def weekday_names(self) -> dict[int, str]:
        """Names of the weekdays that occur, Monday = 1: the puzzle's labels or usual ones."""
        labels = {
            count.weekday: count.labels["weekday"]
            for count in self.counts
            if count.weekday is not None and "weekday" in count.labels
        }
        usual = short_weekdays(self.puzzle.groups)
        return {number: labels.get(number, usual[(number - 1) % 7]) for number in self.by_weekday}

    def describe(self) -> dict[str, Any]:
        """Return the year as plain data, with the keys in their documented order."""
        return {
            "puzzle": self.puzzle.id or self.puzzle.name,
            "flip": self.puzzle.flip,
            "year": self.year,
            "choices": len(self.counts),
            "tilings": sum(count.tilings for count in self.counts),
            "real_dates": len(self.dates),
            "real_tilings": sum(count.tilings for count in self.dates),
            "impossible": [count.name for count in self.impossible],
            **{
                key: [{"date": count.name, "tilings": count.tilings} for count in some]
                for key, some in (("hardest", self.hardest()), ("easiest", self.easiest()))
            },
            **self._ratings(),
            "by_month": _rows(self.by_month, self.month_names),
            "by_weekday": _rows(self.by_weekday, self.weekday_names),
            "counts": [
                {
                    "date": count.name,
                    "labels": dict(count.labels),
                    "tilings": count.tilings,
                    "real": count.real,
                }
                | ({"difficulty": count.difficulty.describe()} if count.difficulty else {})
                for count in self.counts
            ],
        }

    def _ratings(self) -> dict[str, Any]:
        """Return what the dates' difficulty says of the year, if it was requested."""
        if not any(count.difficulty for count in self.counts):
            return {}
        correlation = self.rank_correlation
        return {
            **{
                key: [{"date": count.name, "tries": round(count.tries or 0, 6)} for count in some]
                for key, some in (
                    ("most_tried", self.most_tried()),
                    ("least_tried", self.least_tried()),
                )
            },
            "rank_correlation": None if correlation is None else round(correlation, 6),
            **({} if self.seconds is None else {"history": self._history()}),
        }

    def _history(self) -> dict[str, Any]:
        """Return how the player's times agree with the ratings and with the tilings."""
        found = {word: self.player_correlation(word) for word in ("tries", "tilings")}
        return {
            "dates": len(self.played),
            **{
                word: None if some is None else [round(number, 6) for number in some]
                for word, some in found.items()
            },
        }

    def _summary(self) -> str:
        total = sum(count.tilings for count in self.counts)
        when = f" in {self.year}" if self.year is not None else ""
        return self.detail or (
            f"{self.puzzle.name}{when}, {total:,} tilings of {len(self.counts):,} choices"
        )


def _rows(difficulties: Mapping[int, Difficulty], names: Mapping[int, str]) -> list[dict[str, Any]]:
    return [
        {
            "number": key,
            "label": names[key],
            "dates": one.dates,
            "impossible": one.impossible,
            "least": one.least,
            "median": one.median,
            "geometric_mean": round(one.geometric_mean, 6),
            "greatest": one.greatest,
            # The key of version 0.2; no key is removed within a major version.
            "typical": round(one.geometric_mean, 6),
        }
        for key, one in difficulties.items()
    ]


def _difficulties(pairs: Iterable[tuple[int, int]]) -> dict[int, Difficulty]:
    found: dict[int, list[int]] = {}
    for key, number in pairs:
        found.setdefault(key, []).append(number)
    return {key: Difficulty.of(found[key]) for key in sorted(found)}


@of_puzzle
def year(
    puzzle: Puzzle,
    year: int | None = None,
    *,
    difficulty: bool = False,
    history: Path | str | None = None,
    time_limit: float | None = None,
    workers: int = 1,
    memory_limit: float | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Year:
    """Count the tilings of every date of a puzzle.

    Pictures show a calendar heat-map, a histogram, the months and the weekdays;
    csv and json hold the numbers.

    Parameters
    ----------
    puzzle
        A puzzle with months and days.
    year
        Keep only the dates of this year, with their weekdays. By default every choice of
        labels is counted.
    difficulty
        Rate each date for people, too: the expected number of placements tried until solved.
        On most boards with months and days this takes half a minute.
    history
        Compare the difficulty with your own times, in a file saved by the page of calmip play.
        See `calmip.year.history.read_history`.
    time_limit, workers, memory_limit, progress
        As for `calmip.solvers.Limits`. At the time limit the status is unknown, without counts.
        A count that needs more memory is done in parts, one after the other. Workers are
        threads, and progress counts states.

    Raises
    ------
    InputError
        If the puzzle has no months or no days, has a group that no calendar
        knows, or has no label for the year; if a number is out of range; or if the history
        is wrong, or comes without ``difficulty``.
    """
    from calmip.puzzle.search.exact_cover.counting import count_by_reveal
    from calmip.year.history import read_history

    limits = Limits(time_limit, memory_limit=memory_limit, workers=workers, progress=progress)
    groups = puzzle.groups
    _check_groups(puzzle)
    if year is not None and not 1 <= year <= 9999:
        raise InputError(f"the year is a number from 1 to 9999, not {year}")
    if history is not None and not difficulty:
        raise InputError("the history is compared with the difficulty; ask for that, too")
    times = None if history is None else read_history(history, puzzle)
    choice = dict.fromkeys(groups, FREE)
    if year is not None and "year" in groups:
        choice["year"] = labels_of_date(groups, datetime.date(year, 1, 1))["year"]
    instance = Instance.reveal(puzzle, choice)
    try:
        found = count_by_reveal(ExactCover(instance), limits)
    except TimeoutError as error:
        return Year(puzzle, (), year, str(error))
    counts = _counts(found, instance, choice, year)
    if difficulty:
        try:
            counts = [
                _rated(puzzle, count, limits, done, len(counts))
                for done, count in enumerate(counts)
            ]
        except TimeoutError as error:
            return Year(puzzle, (), year, str(error))
    return Year(puzzle, tuple(counts), year, seconds=times)


def _counts(
    found: Mapping[tuple[str, ...], int],
    instance: Instance,
    choice: Mapping[str, str],
    year: int | None,
) -> list[DateCount]:
    """Return the counts of the dates, in the order of the calendar; those of one year, if any."""
    groups = instance.puzzle.groups
    numbers = {
        group: dict(zip(labels, calendar_numbers(group, labels), strict=True))
        for group, labels in groups.items()
    }
    real = {tuple(labels.values()) for labels in real_dates(groups).values()}
    counts = []
    for free, tilings in found.items():
        given = dict(zip(instance.free, free, strict=True))
        labels = {group: given.get(group, choice[group]) for group in groups}
        date = with_day(
            {
                group: number
                for group in (*GROUPS, *DIGITS)
                if group in groups and (number := numbers[group][labels[group]]) is not None
            }
        )
        exists = tuple(labels.values()) in real
        if year is not None:
            exists = exists and _falls_in(year, date)
            if not exists:
                continue
            day = datetime.date(year, date["month"], date["day"])
            date |= {"year": year, "weekday": day.isoweekday()}
        counts.append(
            DateCount(
                labels,
                _name(date),
                date.get("month", 0),
                date.get("day", 0),
                date.get("weekday"),
                tilings,
                exists,
            )
        )
    places = {group: {label: n for n, label in enumerate(groups[group])} for group in groups}
    order = [group for group in ("year", "month", "day", *DIGITS, "weekday") if group in groups]
    counts.sort(key=lambda count: [places[group][count.labels[group]] for group in order])
    return counts


def _check_groups(puzzle: Puzzle) -> None:
    """Raise `InputError` for a puzzle whose labels are not months and days."""
    groups = puzzle.groups
    check_digits(groups)
    for group in ("month", "day"):
        if group not in groups and not (group == "day" and set(DIGITS) <= set(groups)):
            raise InputError(
                f"{puzzle.name} has no {group}s to make a year of; "
                f"it uncovers {join_words(groups) if groups else 'nothing'}; "
                "where its labels are months and days, write uncover: [month, day]"
            )


def _rated(puzzle: Puzzle, count: DateCount, limits: Limits, done: int, total: int) -> DateCount:
    """Return the count of a date with its difficulty; what is no date has none."""
    if not count.real:
        return count
    limits.report(done, total, "dates")
    cover = ExactCover(Instance.reveal(puzzle, count.labels))
    return replace(count, difficulty=rate(cover, limits.clock))


def _falls_in(year: int, date: Mapping[str, int]) -> bool:
    """Return whether a date is in a year, and on this weekday."""
    try:
        day = datetime.date(year, date["month"], date["day"])
    except (KeyError, ValueError):
        return False
    return date.get("weekday", day.isoweekday()) == day.isoweekday()


def _name(date: Mapping[str, int]) -> str:
    """Return a name such as ``2027-02-28-sun`` from the numbers that are known."""
    parts = [f"{date['year']:04}"] if "year" in date else []
    parts += [f"{date.get(group, 0):02}" for group in ("month", "day")]
    if "weekday" in date:
        parts.append(WEEKDAYS[(date["weekday"] - 1) % 7][:3].lower())
    return "-".join(parts)
