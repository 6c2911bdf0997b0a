"""Exercise 12: the model of a roster, compared with the course's on several data sets."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

from calmip.course.checks import Check, Table
from calmip.course.declared_numbers import Figures, figure_checks
from calmip.course.dice import Dice
from calmip.course.formulations import Limit
from calmip.course.references import ReferenceModels
from calmip.mip.display import describe_number
from calmip.mip.model import Model, NamedRow
from calmip.mip.one_tree import OneTree
from calmip.mip.rows import Number

ROSTERS: dict[str, dict[str, Any]] = {
    "three days": {
        "people": ["anna", "ben", "cleo"],
        "days": ["mon", "tue", "wed"],
        "shifts": ["early", "late"],
        "demand": {
            "mon": {"early": 1, "late": 1},
            "tue": {"early": 1, "late": 1},
            "wed": {"early": 2, "late": 1},
        },
        "rest": [["late", "early"]],
        "most": {"anna": 3, "ben": 2, "cleo": 3},
        "off": {"ben": ["tue"]},
        "seniors": ["anna", "cleo"],
        "dislike": {
            "anna": {"early": 2, "late": 0},
            "ben": {"early": 1, "late": 3},
            "cleo": {"early": 0, "late": 4},
        },
    },
    "no rules": {
        "people": ["ida", "jon", "kim", "leo"],
        "days": ["d1", "d2"],
        "shifts": ["s2", "s3", "s1"],
        "demand": {"d1": {"s2": 1, "s3": 1, "s1": 0}, "d2": {"s2": 0, "s3": 1, "s1": 2}},
        "rest": [],
        "most": {"ida": 2, "jon": 2, "kim": 2, "leo": 2},
        "off": {},
        "seniors": ["ida", "jon", "kim"],
        "dislike": {
            "ida": {"s2": 0, "s3": 7, "s1": 1},
            "jon": {"s2": 4, "s3": 4, "s1": 4},
            "kim": {"s2": 0, "s3": 0, "s1": 3},
            "leo": {"s2": 1, "s3": 2, "s1": 0},
        },
    },
    "nights": {
        "people": ["dan", "eve", "fay", "gus", "hal"],
        "days": ["fri", "sat", "sun", "mon"],
        "shifts": ["early", "late", "night"],
        "demand": {
            "fri": {"early": 1, "late": 1, "night": 1},
            "sat": {"early": 1, "late": 0, "night": 1},
            "sun": {"early": 0, "late": 2, "night": 1},
            "mon": {"early": 2, "late": 1, "night": 0},
        },
        "rest": [["late", "early"], ["night", "early"], ["night", "late"]],
        "most": {"dan": 3, "eve": 2, "fay": 4, "gus": 3, "hal": 1},
        "off": {"dan": ["sat"], "fay": ["fri", "mon"], "hal": []},
        "seniors": ["eve", "fay", "gus"],
        "dislike": {
            "dan": {"early": 0, "late": 1, "night": 5},
            "eve": {"early": 2, "late": 0, "night": 1},
            "fay": {"early": 3, "late": 1, "night": 0},
            "gus": {"early": 1, "late": 1, "night": 2},
            "hal": {"early": 0, "late": 0, "night": 9},
        },
    },
}
"""Data sets: with and without rests, absences and limits, and names of other words."""

MINE = "nights"
"""The data set that a student may have a variant of, and whose figures are requested."""


def roster_model(data: Mapping[str, Any]) -> Model:
    """Return the model of a roster; the last shift of each day needs a senior person."""
    people, days, shifts = data["people"], data["days"], data["shifts"]
    place = {
        (p, d, s): (i * len(days) + j) * len(shifts) + k
        for i, p in enumerate(people)
        for j, d in enumerate(days)
        for k, s in enumerate(shifts)
    }

    def row(name: str, keys: list[tuple[str, str, str]], low: float, high: float) -> NamedRow:
        return name, dict.fromkeys((place[key] for key in keys), 1.0), low, high

    rows: list[NamedRow] = []
    for d in days:
        for s in shifts:
            need = float(data["demand"][d][s])
            rows.append(row(f"demand_{d}_{s}", [(p, d, s) for p in people], need, need))
        last = shifts[-1]
        if data["demand"][d][last]:
            who = [(p, d, last) for p in data["seniors"]]
            rows.append(row(f"senior_{d}", who, 1.0, math.inf))
    for p in people:
        mine = [(p, d, s) for d in days for s in shifts]
        rows.append(row(f"most_{p}", mine, -math.inf, float(data["most"][p])))
        rows += [
            row(f"one_shift_{p}_{d}", [(p, d, s) for s in shifts], -math.inf, 1.0) for d in days
        ]
        rows += [
            row(f"off_{p}_{d}", [(p, d, s) for s in shifts], 0.0, 0.0)
            for d in data["off"].get(p, ())
        ]
        rows += [
            row(f"rest_{p}_{d}_{s}_{t}", [(p, d, s), (p, e, t)], -math.inf, 1.0)
            for d, e in pairwise(days)
            for s, t in data["rest"]
        ]
    cost = [float(data["dislike"][p][s]) for p, _, s in place]
    return Model.from_rows(["x_" + "_".join(key) for key in place], rows, cost)


def roster_table(data: Mapping[str, Any], point: Mapping[int, Number]) -> Table:
    """Return a roster, a point of `roster_model`, as people by days, with what the data demand."""
    people, days, shifts = data["people"], data["days"], data["shifts"]
    values = iter(range(len(people) * len(days) * len(shifts)))
    works = {(p, d, s): point.get(next(values), 0) for p in people for d in days for s in shifts}

    def cell(person: str, day: str) -> str:
        mine = {s: works[person, day, s] for s in shifts if works[person, day, s]}
        texts = [s if value == 1 else f"{describe_number(value)} {s}" for s, value in mine.items()]
        off = ["(off)"] if day in data["off"].get(person, ()) else []
        return " ".join([*texts, *off]) or "-"

    def count(*keys: tuple[str, str, str], of: int) -> str:
        return f"{describe_number(sum(works[key] for key in keys))} of {of}"

    rows: list[tuple[str, ...]] = [("", *days, "shifts")]
    for p in people:
        mine = [(p, d, s) for d in days for s in shifts]
        senior = " (senior)" if p in data["seniors"] else ""
        cells = [cell(p, d) for d in days]
        rows.append((f"{p}{senior}", *cells, count(*mine, of=data["most"][p])))
    for s in shifts:
        needs = [count(*((p, d, s) for p in people), of=data["demand"][d][s]) for d in days]
        rows.append((s, *needs, ""))
    return tuple(rows)


MOST_ROSTERS = 5000
"""The most rosters that are counted to name a slip."""


def _costs_of(data: Mapping[str, Any], limit: int | None = None) -> list[float]:
    model = roster_model(data)
    return [
        sum(model.cost[column] for column in point)
        for point in OneTree(model, limit=None if limit is None else limit + 1)
    ]


def figures_of(data: Mapping[str, Any], limit: int | None = None) -> Figures:
    """Return how many rosters satisfy the rules, and the least sum of dislike.

    With a limit at most one more is counted.
    """
    costs = _costs_of(data, limit)
    return {"rosters": Fraction(len(costs)), "least": Fraction(min(costs, default=0.0))}


def _slips_of(data: Mapping[str, Any]) -> dict[str, dict[Fraction, str]]:
    """Return how many rosters those count who leave out a rule, or want the least dislike."""
    people, most = data["people"], len(data["days"]) * len(data["shifts"])
    ideas = {
        "rest": [],
        "off": {},
        "most": dict.fromkeys(people, most),
        "seniors": people,
    }
    found = [
        (figures_of({**data, key: value}, MOST_ROSTERS)["rosters"], f"the rosters without {key!r}")
        for key, value in ideas.items()
    ]
    costs = _costs_of(data)
    found.append((Fraction(costs.count(min(costs))), "those of the least dislike alone"))
    counts = [count for count, _ in found]
    # Two ideas with the same number are not told apart.
    return {"rosters": {count: text for count, text in found if counts.count(count) == 1}}


def grade_roster(
    path: Path, *, task: Mapping[str, Any] | None = None, limits: Limit = None
) -> tuple[Check, ...]:
    """Mark a roster's model by comparing it with the course's, on several data sets."""
    sets = ROSTERS if task is None else {**ROSTERS, MINE: task}
    data = tuple((name, [one]) for name, one in sets.items())
    models = tuple(roster_model(one) for one in sets.values())
    reference = ReferenceModels(
        "roster",
        "A roster",
        True,
        data,
        models,
        table=lambda given, point: roster_table(given[0], point),
    )
    built, *checks = reference.checks_of(path, None if limits is None else limits["seconds"])[0]
    solutions, objectives = checks[::2], checks[1::2]
    # The least sum, a figure, stands for the objective of the student's own data.
    failed = [
        replace(one, fault=f"{name}: {one.fault}")
        for name, one in zip(sets, objectives[:-1], strict=False)
        if built.passed and not one.passed
    ]
    ranked = next((one for one in failed if not one.undecided), (*failed, objectives[0])[0])
    return (
        built,
        *(replace(one, worth=1) for one in solutions),
        replace(ranked, what="the objective ranks them as the reference"),
        *figure_checks(
            path,
            lambda: figures_of(sets[MINE]),
            {"rosters": 3, "least": 2},
            partial(_slips_of, sets[MINE]),
        ),
    )


def draw_data(seed: int) -> dict[str, Any]:
    """Draw the data of a roster of four people over three days."""
    dice = Dice(seed)
    people = dice.some(["ada", "bo", "cy", "dee", "eli", "fox", "gil", "hu"], 4)
    days = dice.some(["mon", "tue", "wed", "thu", "fri", "sat", "sun"], 3)
    shifts = ["early", "late", "night"][: 2 + dice.below(2)]
    return {
        "people": people,
        "days": days,
        "shifts": shifts,
        "demand": {d: {s: dice.one([0, 1, 1, 2]) for s in shifts} for d in days},
        "rest": [[s, t] for t, s in itertools.combinations(shifts, 2)],
        "most": {p: 1 + dice.below(3) for p in people},
        "off": {dice.one(people): [dice.one(days)]},
        "seniors": dice.some(people, 2),
        "dislike": {p: {s: dice.below(10) for s in shifts} for p in people},
    }
