"""Which labels are months, days, weekdays and years, and which of them a date reveals."""

from __future__ import annotations

import calendar
import datetime
import itertools
import re
from collections.abc import Iterable, Mapping, Sequence

from calmip.errors import InputError, listed, shown

__all__ = [
    "GROUPS",
    "MONTHS",
    "WEEKDAYS",
    "calendar_numbers",
    "labels_of_date",
    "parse_date",
    "real_dates",
    "usual_labels",
]

MONTHS = (
    "January February March April May June July August September October November December"
).split()
WEEKDAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()

GROUPS = ("month", "day", "weekday", "year")
"""The reveal groups whose labels follow from the usual English names and numbers."""


def _calendar_number(group: str, label: str) -> int | None:
    """Return the number that a usual name stands for (month 1-12, Monday = 1), or None."""
    text = label.strip().lower().rstrip(".")
    if group in ("month", "weekday"):
        names = MONTHS if group == "month" else WEEKDAYS
        for number, name in enumerate(names, start=1):
            if len(text) >= 3 and name.lower().startswith(text):
                return number
        return None
    if not (text.isascii() and text.isdigit() and len(text) <= 4):
        return None
    number = int(text)
    if group == "day":
        return number if 1 <= number <= 31 and len(text) <= 2 else None
    if group == "year":
        return number if len(text) == 4 and number >= 1000 else None
    return None


def usual_labels(group: str, labels: Iterable[str]) -> tuple[str, ...]:
    """Return the labels that belong to a group by their usual names, in calendar order."""
    numbered = [(_calendar_number(group, label), label) for label in labels]
    return tuple(label for _, label in sorted((n, x) for n, x in numbered if n is not None))


def parse_date(text: str) -> datetime.date:
    """Return the date that a text means: ``today``, or year-month-day as ISO 8601 writes it.

    Raises
    ------
    InputError
        If the text is neither, or names a day that does not exist.
    """
    if text.strip().lower() == "today":
        return datetime.date.today()
    try:
        return datetime.date.fromisoformat(text.strip())
    except ValueError as error:
        shaped = re.fullmatch(r"\d{4}-\d\d-\d\d", text.strip(), re.ASCII)
        why = f": {error}" if shaped else ""
        raise InputError(
            f"'{shown(text)}' is not a date{why}; "
            "write it as 2024-02-29 (year-month-day), or 'today'"
        ) from None


def labels_of_date(groups: Mapping[str, Sequence[str]], date: datetime.date) -> dict[str, str]:
    """Return the label that a date reveals in each group.

    A group with usual names is matched by name. Otherwise its labels count in
    the order in which the puzzle lists them: January first, the 1st first,
    Monday first (ISO 8601).

    Raises
    ------
    InputError
        If a group has no label for the date, is not a calendar group, or its
        labels contradict each other.
    """
    chosen: dict[str, str] = {}
    wanted = {
        "month": date.month,
        "day": date.day,
        "weekday": date.isoweekday(),
        "year": date.year,
    }
    for group, labels in groups.items():
        numbers = calendar_numbers(group, labels)
        if wanted[group] not in numbers:
            raise InputError(
                f"the board has no {group} for {date.isoformat()}; "
                f"its {group} labels are {listed(labels)}"
            )
        chosen[group] = labels[numbers.index(wanted[group])]
    return chosen


def real_dates(groups: Mapping[str, Sequence[str]]) -> dict[str, dict[str, str]]:
    """Return the choices of one label per group that some date reveals, in calendar order.

    February 29 is a date, and falls on each weekday in some year. A board
    that says the year knows which one.

    Returns
    -------
    dict
        The labels by group, under a name such as ``02-29``, ``2028-02-29-tue``
        or ``05``: the year, the month, the day and the weekday where there is
        such a group.

    Raises
    ------
    InputError
        If a group is not a calendar group, or its labels contradict each other.
    """
    numbers = {group: calendar_numbers(group, labels) for group, labels in groups.items()}
    order = [group for group in ("year", "month", "day", "weekday") if group in groups]
    found = []
    for places in itertools.product(*(range(len(groups[group])) for group in order)):
        given = zip(order, places, strict=True)
        date = {group: number for group, k in given if (number := numbers[group][k]) is not None}
        if len(date) == len(order) and _exists(date):
            labels = {group: groups[group][k] for group, k in zip(order, places, strict=True)}
            found.append((list(date.values()), _date_name(date), labels))
    found.sort(key=lambda entry: entry[0])
    return {name: {group: labels[group] for group in groups} for _, name, labels in found}


def calendar_numbers(group: str, labels: Sequence[str]) -> list[int | None]:
    """Return the number of each label of a group: by its usual name, or else by its place.

    Months count from January = 1, days from the first, weekdays from Monday = 1.

    Raises
    ------
    InputError
        If the group is not a calendar group.
    """
    if group not in GROUPS:
        raise InputError(
            f"a date says nothing about the group '{group}'; "
            f"give its label with --reveal {group}=LABEL"
        )
    numbers = [_calendar_number(group, label) for label in labels]
    remedy = f"give the right labels, in calendar order, with groups: {{{group}: [...]}}"
    if None in numbers and group != "year":
        for place, (label, number) in enumerate(zip(labels, numbers, strict=True), start=1):
            if number is not None and number != place:
                raise InputError(
                    f"{label} is {group} {number} by its name, but {group} {place} by its place, "
                    f"which counts as not all labels have usual names; {remedy}"
                )
        return list(range(1, len(labels) + 1))
    first: dict[int, str] = {}
    for label, number in zip(labels, numbers, strict=True):
        if number is not None and first.setdefault(number, label) != label:
            raise InputError(f"{first[number]} and {label} are both {group} {number}; {remedy}")
    return numbers


def _exists(date: Mapping[str, int]) -> bool:
    """Return whether some date has these numbers; groups that are not given may be anything."""
    if "month" not in date or "day" not in date:
        return True
    year = date.get("year", 2000)
    if not 1 <= date["month"] <= 12 or not 1 <= date["day"] <= 31:
        return False
    if date["day"] > calendar.monthrange(year, date["month"])[1]:
        return False
    if "year" not in date or "weekday" not in date:
        return True
    return datetime.date(year, date["month"], date["day"]).isoweekday() == date["weekday"]


def _date_name(date: Mapping[str, int]) -> str:
    parts = []
    for group, number in date.items():
        if group == "weekday":
            parts.append(WEEKDAYS[number - 1][:3].lower() if number <= 7 else f"w{number}")
        else:
            parts.append(f"{number:04}" if group == "year" else f"{number:02}")
    return "-".join(parts)
