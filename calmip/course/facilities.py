"""Exercise 17: Lagrange and Benders for the location of depots; JSON.

The file has ``{"lagrange": {"prices": {...}, "bound": ...}, "benders": {"constant": ...,
"coefficients": {...}}, "optimum": {"open": [...], "cost": ...}}``. There are few depots, so what a
cut excludes is found by all sets of them, and the best prices by an exact linear program.
"""

from __future__ import annotations

import itertools
import math
from array import array
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from calmip._base.errors import join_words
from calmip._base.limits import Deadline
from calmip.course.answers import AnswerParts
from calmip.course.certificates import QUESTION_SECONDS
from calmip.course.checks import (
    Check,
    Failed,
    Undecided,
    quote,
    rational_of,
    rational_text,
    run_checks,
)
from calmip.course.declared_numbers import TOLERANCE
from calmip.course.dice import Dice
from calmip.mip.lp.exact_lp import ExactLp
from calmip.mip.model import Model, NamedRow
from calmip.mip.status import Status

PAGE: dict[str, Any] = {
    "fixed": {"p": 5, "q": 5, "r": 5, "s": 6},
    "cost": {
        "p": {"a": 1, "b": 9, "c": 9, "d": 1, "e": 2, "f": 2},
        "q": {"a": 3, "b": 9, "c": 1, "d": 3, "e": 8, "f": 8},
        "r": {"a": 2, "b": 8, "c": 3, "d": 1, "e": 9, "f": 9},
        "s": {"a": 9, "b": 3, "c": 9, "d": 9, "e": 3, "f": 3},
    },
    "open": ["q", "s"],
}
"""The data of the page."""

Prices = Mapping[str, Fraction]


def customers_of(data: Mapping[str, Any]) -> list[str]:
    """Return the customers."""
    return list(next(iter(data["cost"].values())))


def sets_of(data: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    """Yield all sets of depots that are not empty."""
    for size in range(1, len(data["fixed"]) + 1):
        yield from itertools.combinations(data["fixed"], size)


def service(data: Mapping[str, Any], open_: Sequence[str]) -> int:
    """Return the least cost of serving all customers from the open depots."""
    costs: Mapping[str, Mapping[str, int]] = data["cost"]
    return sum(min(costs[depot][one] for depot in open_) for one in customers_of(data))


def total(data: Mapping[str, Any], open_: Sequence[str]) -> int:
    """Return the cost of opening some depots, and of serving all customers from them."""
    return service(data, open_) + sum(int(data["fixed"][depot]) for depot in open_)


def optimum(data: Mapping[str, Any]) -> int:
    """Return the least cost."""
    return min(total(data, open_) for open_ in sets_of(data))


def lagrangian(data: Mapping[str, Any], prices: Prices) -> Fraction:
    """Return the bound of some prices: a depot opens if its reduced costs are below 0."""
    found = sum(prices.values(), Fraction(0))
    for depot, fixed in data["fixed"].items():
        gains = (
            min(Fraction(0), data["cost"][depot][one] - price) for one, price in prices.items()
        )
        found += min(Fraction(0), fixed + sum(gains, Fraction(0)))
    return found


def relaxation(data: Mapping[str, Any], *, strong: bool = True) -> Fraction:
    """Return the exact bound of the linear relaxation, with a link per pair or one per depot."""
    depots, customers = list(data["fixed"]), customers_of(data)
    pairs = list(itertools.product(depots, customers))
    names = [*depots, *(f"{depot}_{one}" for depot, one in pairs)]
    place = {name: number for number, name in enumerate(names)}
    rows: list[NamedRow] = [
        (one, {place[f"{depot}_{one}"]: 1.0 for depot in depots}, 1.0, 1.0) for one in customers
    ]
    for depot in depots:
        mine = [place[f"{depot}_{one}"] for one in customers]
        if strong:
            rows += [(f"link_{n}", {n: 1.0, place[depot]: -1.0}, -math.inf, 0.0) for n in mine]
        else:
            terms = {**dict.fromkeys(mine, 1.0), place[depot]: -float(len(mine))}
            rows.append((f"link_{depot}", terms, -math.inf, 0.0))
    costs = [float(data["fixed"][depot]) for depot in depots]
    costs += [float(data["cost"][depot][one]) for depot, one in pairs]
    model = Model.from_rows(names, rows, costs, column_upper=array("d", [1.0] * len(names)))
    answer = ExactLp(model, range(len(names))).solve(clock=Deadline(QUESTION_SECONDS))
    if answer.status is not Status.OPTIMAL or answer.cost is None:
        raise Undecided("the linear program was not solved in time")
    return Fraction(answer.cost)


def draw_data(seed: int) -> dict[str, Any]:
    """Draw four depots and six customers; some depots are near a customer, the others far."""
    dice = Dice(seed)
    return {
        "fixed": {depot: 3 + dice.below(5) for depot in "pqrs"},
        "cost": {depot: {one: dice.one((1, 2, 3, 8, 9)) for one in "abcdef"} for depot in "pqrs"},
        "open": dice.some("pqrs", 1 + dice.below(2)),
    }


def is_asked(data: Mapping[str, Any]) -> bool:
    """Return whether no prices reach the optimum, and the given depots are not the best ones."""
    best = optimum(data)
    if service(data, data["open"]) == service(data, list(data["fixed"])):
        return False  # the cut of these depots would be a constant
    if total(data, data["open"]) == best or total(data, list(data["fixed"])) == best:
        return False
    if min(total(data, [depot]) for depot in data["fixed"]) == best:
        return False
    weak, strong = relaxation(data, strong=False), relaxation(data)
    return weak < strong < best


FORMS = {
    "lagrange": ("prices", "bound"),
    "benders": ("constant", "coefficients"),
    "optimum": ("open", "cost"),
}
"""The parts of an answer, and the keys of each."""


class _Facilities:
    """The checks of prices, a cut and an optimum."""

    def __init__(self, path: Path, data: Mapping[str, Any]) -> None:
        self.data = data
        forms = {
            name: "{" + ", ".join(f'"{key}": ...' for key in keys) + "}"
            for name, keys in FORMS.items()
        }
        self.parts = AnswerParts(
            path,
            forms,
            {name: partial(self._read, name, text) for name, text in forms.items()},
        )
        self.prices: dict[str, Fraction] = {}
        self.coefficients: dict[str, Fraction] = {}
        self.open: list[str] = []
        self.bound = self.constant = self.cost = Fraction(0)

    def _read(self, name: str, form: str, given: object) -> None:
        if not isinstance(given, dict) or set(given) != set(FORMS[name]):
            raise Failed(f"{name} is {form}")
        depots = list(self.data["fixed"])
        if name == "lagrange":
            self.prices = _by_name(given["prices"], customers_of(self.data), "prices")
            self.bound = rational_of(given["bound"], "the bound")
        elif name == "benders":
            self.coefficients = _by_name(given["coefficients"], depots, "coefficients")
            self.constant = rational_of(given["constant"], "the constant")
        else:
            self.cost = rational_of(given["cost"], "the cost")
            if not isinstance(given["open"], list) or any(o not in depots for o in given["open"]):
                raise Failed(f"open is a list of depots, not {quote(given['open'])}")
            self.open = [str(one) for one in given["open"]]

    def check_bound(self) -> None:
        """Refuse another number than the bound of the prices."""
        if not any(self.prices.values()):
            raise Failed("all prices are 0, so the bound is 0")
        right = lagrangian(self.data, self.prices)
        if abs(right - self.bound) > TOLERANCE * max(Fraction(1), abs(right)):
            least = min(self.data["fixed"], key=self._reduced)
            raise Failed(
                f"the bound of your prices is not {rational_text(self.bound)}; the term of {least} "
                f"is min(0, {rational_text(self._reduced(least))})"
            )

    def _reduced(self, depot: str) -> Fraction:
        cost, fixed = self.data["cost"][depot], Fraction(self.data["fixed"][depot])
        gains = (min(Fraction(0), Fraction(cost[c]) - u) for c, u in self.prices.items())
        return fixed + sum(gains, Fraction(0))

    def check_best(self) -> None:
        """Refuse prices whose bound is not the best one."""
        right, most = lagrangian(self.data, self.prices), relaxation(self.data)
        if right < most * (1 - TOLERANCE):
            slip = ""
            if right == relaxation(self.data, strong=False):
                slip = ". It is that of the relaxation with one link for each depot"
            raise Failed(
                f"the bound of your prices is {rational_text(right)}, and other prices have a "
                f"larger one{slip}"
            )

    def check_valid(self) -> None:
        """Refuse a cut that is more than the cost of serving from some depots."""
        if not any(self.coefficients.values()):
            raise Failed("all coefficients are 0, so the cut says nothing about the depots")
        cheapest = service(self.data, list(self.data["fixed"]))
        if all(self._cut(open_) <= cheapest for open_ in sets_of(self.data)):
            raise Failed(
                f"the cut says nothing: serving costs {cheapest} at least, whichever depots are "
                "open"
            )
        for open_ in sets_of(self.data):
            least, cost = self._cut(open_), service(self.data, open_)
            if least > cost:
                raise Failed(
                    f"the cut says that serving from {join_words(open_)} costs at least "
                    f"{rational_text(least)}; it costs {cost}"
                )

    def check_tight(self) -> None:
        """Refuse a cut that says less than it can about the given depots, or about one more."""
        self.check_valid()
        given = self.data["open"]
        least, cost = self._cut(given), service(self.data, given)
        if least < cost:
            raise Failed(
                f"for the given depots, {join_words(given)}, the cut says at least "
                f"{rational_text(least)}; serving from them costs {cost}"
            )
        for depot in self.data["fixed"]:
            more = [*given, depot]
            if depot not in given and self._cut(more) < service(self.data, more):
                raise Failed(
                    f"the coefficient of {depot} can be lowered, and the cut is still valid"
                )

    def _cut(self, open_: Sequence[str]) -> Fraction:
        used = (self.coefficients.get(depot, Fraction(0)) for depot in open_)
        return self.constant - sum(used, Fraction(0))

    def check_optimum(self) -> None:
        """Refuse depots that are not the best ones, or another cost."""
        if not self.open:
            raise Failed("no depot is open")
        cost, best = total(self.data, sorted(set(self.open))), optimum(self.data)
        if self.cost != cost:
            raise Failed(f"the cost of these depots is not {rational_text(self.cost)}")
        if cost > best:
            raise Failed("other depots cost less")


def grade_facilities(path: Path, *, task: Mapping[str, Any] = PAGE) -> tuple[Check, ...]:
    """Mark prices and their bound, a Benders cut, and the optimum."""
    mine = _Facilities(path, task)
    after = mine.parts.after
    return run_checks(
        [
            ("the file has prices, a cut and an optimum", 1, mine.parts.read, False),
            ("the bound is that of the prices", 2, after(mine.check_bound, "lagrange"), False),
            ("no prices have a larger bound", 2, after(mine.check_best, "lagrange"), False),
            (
                "the cut is valid for all sets of depots",
                2,
                after(mine.check_valid, "benders"),
                False,
            ),
            ("the cut is tight for the given depots", 1, after(mine.check_tight, "benders"), False),
            ("the open depots are the best ones", 2, after(mine.check_optimum, "optimum"), False),
        ]
    )


def ask(path: Path, data: Mapping[str, Any], draw: Random) -> list[tuple[str, str]]:
    """Return questions about a right answer, each with its own answer."""
    mine = _Facilities(path, data)
    mine.parts.read()
    chosen = draw.choice([one for one in sets_of(data) if list(one) != list(data["open"])])
    one = draw.choice(customers_of(data))
    bounds = []
    for step in ({one: 1}, dict.fromkeys(mine.prices, -1)):
        prices = {name: price + step.get(name, 0) for name, price in mine.prices.items()}
        changed = _Facilities(path, data)
        changed.prices = prices
        opened = [depot for depot in data["fixed"] if changed._reduced(depot) < 0]
        depots = join_words(opened) if opened else "None"
        bounds.append(f"{depots}; the bound is {rational_text(lagrangian(data, prices))}.")
    return [
        (
            f"The price of {one} is 1 higher. Which depots open then, and what is the bound?",
            bounds[0],
        ),
        (
            "All your prices are 1 lower. Which depots open then, and what is the bound?",
            bounds[1],
        ),
        (
            f"What does your Benders cut say for {join_words(list(chosen))}, and what does serving "
            "all customers from there cost?",
            f"At least {rational_text(mine._cut(chosen))}; it costs {service(data, chosen)}.",
        ),
    ]


def _by_name(given: object, names: Sequence[str], what: str) -> dict[str, Fraction]:
    if not isinstance(given, dict):
        raise Failed(f"{what} has a number for each name, not {quote(given)}")
    for name in given:
        if name not in names:
            raise Failed(f"{what} has {quote(name)}; known are {join_words(list(names))}")
    found = {name: rational_of(value, f"{what}: {name}") for name, value in given.items()}
    return {**dict.fromkeys(names, Fraction(0)), **found}
