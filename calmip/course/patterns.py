"""Exercise 13: on/off, either-or, implication and piecewise cost, in the plan of a workshop.

The model is compared with the course's on several data sets, as a roster is. All amounts are
integers, so that the figures are found by trying every plan.
"""

from __future__ import annotations

import itertools
import math
from array import array
from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

from calmip.course.checks import Check
from calmip.course.declared_numbers import Figures, figure_checks
from calmip.course.dice import Dice
from calmip.course.formulations import Limit
from calmip.course.references import ReferenceModels
from calmip.mip.model import Model, NamedRow

WORKSHOPS: dict[str, dict[str, Any]] = {
    "two products": {
        "products": {
            "chair": {"gain": 7, "setup": 5, "least": 2, "most": 4, "energy": 3, "hours": [9, 1]},
            "desk": {"gain": 9, "setup": 0, "least": 1, "most": 3, "energy": 4, "hours": [2, 4]},
        },
        "machines": [13, 15],
        "either": [],
        "needs": [],
        "energy": {"first": 10, "price": 2, "further": 1},
    },
    "rules": {
        "products": {
            "bed": {"gain": 8, "setup": 4, "least": 1, "most": 3, "energy": 2, "hours": [1, 2]},
            "lamp": {"gain": 6, "setup": 3, "least": 2, "most": 3, "energy": 1, "hours": [2, 1]},
            "shelf": {"gain": 5, "setup": 1, "least": 1, "most": 2, "energy": 3, "hours": [2, 2]},
        },
        "machines": [9, 8],
        "either": [["bed", "lamp"]],
        "needs": [["bed", "shelf"], ["lamp", "shelf"]],
        "energy": {"first": 5, "price": 3, "further": 2},
    },
    "workshop": {
        "products": {
            "bench": {"gain": 9, "setup": 8, "least": 3, "most": 5, "energy": 4, "hours": [3, 1]},
            "chest": {"gain": 11, "setup": 6, "least": 2, "most": 4, "energy": 3, "hours": [3, 1]},
            "crate": {"gain": 12, "setup": 7, "least": 2, "most": 5, "energy": 5, "hours": [4, 2]},
            "desk": {"gain": 10, "setup": 6, "least": 1, "most": 5, "energy": 5, "hours": [2, 3]},
        },
        "machines": [21, 15],
        "either": [["chest", "desk"]],
        "needs": [["crate", "desk"]],
        "energy": {"first": 11, "price": 2, "further": 1},
    },
}
"""Data sets: without further rules, with few numbers, and one whose figures are asked."""

MINE = "workshop"
"""The data set that a student may have a variant of, and whose figures are requested."""

MACHINES = range(2)


def patterns_model(data: Mapping[str, Any]) -> Model:
    """Return the model of a workshop."""
    products = data["products"]
    names = [
        *(f"make_{one}" for one in products),
        *(f"on_{one}" for one in products),
        *("first", "further", "full", "second"),
    ]
    place = {name: number for number, name in enumerate(names)}
    energy = data["energy"]
    every = sum(one["energy"] * one["most"] for one in products.values())

    def row(name: str, terms: Mapping[str, float], low: float, high: float) -> NamedRow:
        return name, {place[key]: float(v) for key, v in terms.items() if v}, low, high

    rows: list[NamedRow] = []
    for name, one in products.items():
        make, on = f"make_{name}", f"on_{name}"
        rows.append(row(f"most_{name}", {make: 1, on: -one["most"]}, -math.inf, 0.0))
        rows.append(row(f"least_{name}", {make: 1, on: -one["least"]}, 0.0, math.inf))
    for machine in MACHINES:
        work = {f"make_{name}": one["hours"][machine] for name, one in products.items()}
        limit = data["machines"][machine]
        large = sum(one["hours"][machine] * one["most"] for one in products.values())
        large = max(0, large - limit)
        terms = {**work, "second": large if machine else -large}
        rows.append(row(f"machine_{machine}", terms, -math.inf, limit + machine * large))
    for one, other in data["either"]:
        terms = {f"on_{one}": 1, f"on_{other}": 1}
        rows.append(row(f"either_{one}_{other}", terms, -math.inf, 1.0))
    for one, other in data["needs"]:
        rows.append(row(f"needs_{one}_{other}", {f"on_{one}": 1, f"on_{other}": -1}, -math.inf, 0))
    used = {f"make_{name}": one["energy"] for name, one in products.items()}
    rows += [
        row("energy", {**used, "first": -1, "further": -1}, 0.0, 0.0),
        row("block", {"first": 1}, -math.inf, energy["first"]),
        row("full", {"first": 1, "full": -energy["first"]}, 0.0, math.inf),
        row("discount", {"further": 1, "full": -max(0, every - energy["first"])}, -math.inf, 0.0),
    ]
    cost = {"first": energy["price"], "further": energy["further"]}
    cost |= {f"make_{name}": -one["gain"] for name, one in products.items()}
    cost |= {f"on_{name}": one["setup"] for name, one in products.items()}
    upper = [float(one["most"]) for one in products.values()]
    upper += [1.0] * len(products) + [math.inf, math.inf, 1.0, 1.0]
    integer = [name not in ("first", "further") for name in names]
    return Model.from_rows(
        names,
        rows,
        [float(cost.get(name, 0)) for name in names],
        column_upper=array("d", upper),
        integer=array("b", integer),
        maximise=True,
    )


def _plans(data: Mapping[str, Any]) -> Iterator[dict[str, int]]:
    """Yield the amounts of every product, each 0 or from its least to its most."""
    products = data["products"]
    amounts = [[0, *range(one["least"], one["most"] + 1)] for one in products.values()]
    for made in itertools.product(*amounts):
        yield dict(zip(products, made, strict=True))


IDEAS = ("either", "needs", "machines", "setup", "discount", "one machine")
"""What may be forgotten, or misread, in the plan of a workshop."""


def best_of(data: Mapping[str, Any], without: str = "") -> int:
    """Return the highest profit, or that without one of `IDEAS`.

    Without ``machines`` no machine limits the work, with ``one machine`` both do.
    """
    products, energy = data["products"], data["energy"]

    def profit(plan: Mapping[str, int]) -> int | None:
        made = {name for name, amount in plan.items() if amount}
        if without not in ("either", "rules") and any(
            {one, other} <= made for one, other in data["either"]
        ):
            return None
        if without not in ("needs", "rules") and any(
            one in made and other not in made for one, other in data["needs"]
        ):
            return None
        hours = [sum(products[n]["hours"][m] * plan[n] for n in plan) for m in MACHINES]
        fits = [hours[m] <= data["machines"][m] for m in MACHINES]
        if without != "machines" and not (all if without == "one machine" else any)(fits):
            return None
        used = sum(products[n]["energy"] * plan[n] for n in plan)
        first = used if without == "discount" else min(used, energy["first"])
        gain = sum(products[n]["gain"] * plan[n] for n in plan)
        setup = 0 if without == "setup" else sum(products[n]["setup"] for n in made)
        bought = energy["price"] * first + energy["further"] * (used - first)
        return int(gain - setup - bought)

    return max(found for plan in _plans(data) if (found := profit(plan)) is not None)


def figures_of(data: Mapping[str, Any]) -> Figures:
    """Return the highest profit, and that without the rules ``either`` and ``needs``."""
    return {"profit": Fraction(best_of(data)), "without rules": Fraction(best_of(data, "rules"))}


def draw_data(seed: int) -> dict[str, Any]:
    """Draw the data of a workshop with four products."""
    dice = Dice(seed)
    names = dice.some(["bench", "chest", "crate", "desk", "easel", "frame", "shelf", "stool"], 4)
    products = {
        name: {
            "gain": 5 + dice.below(9),
            "setup": 2 + dice.below(9),
            "least": 1 + dice.below(3),
            "most": 4 + dice.below(2),
            "energy": 1 + dice.below(5),
            "hours": [1 + dice.below(4), 1 + dice.below(4)],
        }
        for name in names
    }
    one, *others = [dice.some(names, 2) for _ in range(2)]
    return {
        "products": products,
        "machines": [14 + dice.below(9), 14 + dice.below(9)],
        "either": [one],
        "needs": others,
        "energy": {"first": 8 + dice.below(8), "price": 2 + dice.below(2), "further": 1},
    }


def is_asked(data: Mapping[str, Any]) -> bool:
    """Return whether the highest profit needs every pattern, and differs without the rules."""
    best = best_of(data)
    free = best_of(data, "rules")
    return 0 < best < free and all(best_of(data, idea) != best for idea in IDEAS)


def _slips_of(data: Mapping[str, Any]) -> dict[str, dict[Fraction, str]]:
    """Return what is found instead of the profit by those who forget something."""
    words = {
        "either": "the profit without the rule either",
        "needs": "the profit without the rule needs",
        "machines": "the profit if no machine limits the work",
        "setup": "the profit without the set-up costs",
        "discount": "the profit if all energy has the first price",
        "one machine": "the profit if the limits of both machines hold",
    }
    slips = {Fraction(best_of(data, idea)): text for idea, text in words.items()}
    return {"profit": {**slips, Fraction(best_of(data, "rules")): "the profit without rules"}}


def grade_patterns(
    path: Path, *, task: Mapping[str, Any] | None = None, limits: Limit = None
) -> tuple[Check, ...]:
    """Mark the model of a workshop by comparing it with the course's, on several data sets."""
    sets = WORKSHOPS if task is None else {**WORKSHOPS, MINE: task}
    reference = ReferenceModels(
        "patterns",
        "A workshop",
        True,
        tuple((name, [one]) for name, one in sets.items()),
        tuple(patterns_model(one) for one in sets.values()),
    )
    built, *checks = reference.checks_of(path, None if limits is None else limits["seconds"])[0]
    solutions, objectives = checks[::2], checks[1::2]
    failed = [
        replace(one, fault=f"{name}: {one.fault}")
        for name, one in zip(sets, objectives, strict=False)
        if built.passed and not one.passed
    ]
    ranked = next((one for one in failed if not one.undecided), (*failed, objectives[0])[0])
    mine = sets[MINE]
    return (
        built,
        *(replace(one, worth=1) for one in solutions),
        replace(ranked, what="the objective ranks them as the reference"),
        *figure_checks(
            path,
            lambda: figures_of(mine),
            {"profit": 3, "without rules": 2},
            partial(_slips_of, mine),
        ),
    )
