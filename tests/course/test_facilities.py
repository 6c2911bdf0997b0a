"""Exercise 17: right prices and cuts in many forms, wrong ones by what they exclude."""

from __future__ import annotations

import itertools
import json
from fractions import Fraction
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from marked_answers import answers_battery, mark, reference, replaced

from calmip.course.assignments import assign
from calmip.course.facilities import (
    PAGE,
    customers_of,
    is_asked,
    lagrangian,
    optimum,
    relaxation,
    sets_of,
    total,
)

PRICES = {"a": 2, "b": "17/2", "c": 6, "d": "5/2", "e": "7/2", "f": 3}


def with_(*path: Any, by: Any) -> str:
    return replaced("17", *path, by=by)


def prices(bound: Any, **others: Any) -> str:
    """Return the reference with other prices and another bound."""
    return with_("lagrange", by={"prices": {**PRICES, **others}, "bound": bound})


def cut(constant: Any, **coefficients: Any) -> str:
    return with_("benders", by={"constant": constant, "coefficients": coefficients})


def best(cost: Any, *depots: str) -> str:
    return with_("optimum", by={"open": list(depots), "cost": cost})


RIGHT = {
    "the reference": reference("17"),
    "another optimum": best(26, "r", "s"),
    "a third optimum": best(26, "p", "q", "s"),
    "another order": best(26, "q", "p"),
    "a decimal": prices(25.5),
    "prices as decimals": prices("51/2", b=8.5, d=2.5, e="3.50"),
    "a bound of a solver": prices(25.50000001),
    "zeros are left out": cut(16, p=6, r=3),
    "a cost as text": best("26", "p", "q"),
    "fractions not reduced": prices("102/4", b="34/4"),
    "the coefficients of the given depots": cut("16", p="6", q="0", r="3", s="0"),
    "a cut as decimals": cut("16.0", p=6.0, r=3.0),
}

WRONG: dict[str, tuple[str, int, str]] = {
    "no prices": (prices(0, **dict.fromkeys("abcdef", 0)), 6, "all prices are 0"),
    "a bound too large": (prices(26), 8, "the bound of your prices is not 26"),
    "a bound too small": (prices(25), 8, "the bound of your prices is not 25"),
    "the sum of the prices": (prices("51/2", a=9), 6, "the term of p is min(0, -7)"),
    "weak prices": (prices(22, a=2, b=8, c=1, d=1, e=2, f=2), 6, "the bound of your prices is"),
    "cheapest costs": (prices(11, a=1, b=3, c=1, d=1, e=2, f=2), 6, "prices is not 11; the term"),
    "cheapest costs, their bound": (prices(10, a=1, b=3, c=1, d=1, e=2, f=2), 8,
                                    "is 10, and other prices have a larger one"),
    "one price too low": (prices(25, a="3/2"), 8, "other prices have a larger one"),
    "a price too high": (prices("47/2", b="19/2"), 8, "other prices have a larger one"),
    "a price is left out": (with_("lagrange", "prices", "b", by=...), 6, "is not 51/2"),
    "an unknown customer": (with_("lagrange", "prices", "g", by=1), 5, "has 'g'; known are"),
    "the optimum as the bound": (prices(26, a=3), 6, "the bound of your prices is not 26"),
    "a weaker coefficient elsewhere": (cut(16, p=6, q=0, r=4, s=0), 9, "of r can be lowered"),
    "a large M": (cut(16, p=6, q=0, r=1000, s=0), 9, "of r can be lowered"),
    "no coefficients": (cut(16), 7, "says nothing about the depots"),
    "a constant alone": (cut(10, p=0, q=0), 7, "says nothing about the depots"),
    "a cut that says nothing": (cut(0, p=1), 7, "says nothing: serving costs 10 at least"),
    "a cut far below": (cut(16, p=6, q=6, r=6, s=6), 7, "says nothing: serving costs 10"),
    "a constant too large": (cut(17, p=6, r=3), 7, "from q, s costs at least 17; it costs 16"),
    "a constant too small": (cut(15, p=6, r=3), 9, "at least 15; serving from them costs 16"),
    "a coefficient too small": (cut(16, p=5, r=3), 7, "the cut says that serving from"),
    "the other coefficient too small": (cut(16, p=6, r=2), 7, "the cut says that serving from"),
    "no coefficient for r": (cut(16, p=6), 7, "the cut says that serving from"),
    "signs reversed": (cut(16, p=-6, r=-3), 7, "costs at least 22; it costs 16"),
    "a coefficient for an open depot": (cut(16, p=6, r=3, q=1), 9, "the cut says at least 15"),
    "the cut of all depots": (cut(11, p=1, q=1), 9, "the given depots, q, s"),
    "fixed costs in the cut": (cut(27, p=6, r=3), 7, "the cut says that serving from"),
    "an unknown depot": (cut(16, t=1), 6, "has 't'; known are"),
    "the given depots": (best(27, "q", "s"), 8, "other depots cost less"),
    "all depots": (best(31, "p", "q", "r", "s"), 8, "other depots cost less"),
    "no depots": (best(0), 8, "no depot is open"),
    "the best without the fixed costs": (best(16, "p", "q"), 8, "is not 16"),
    "a wrong cost": (best(25, "p", "q"), 8, "is not 25"),
    "an unknown open depot": (best(26, "t"), 7, "open is a list of depots"),
    "no optimum": (with_("optimum", by=...), 7, "the file is {"),
    "no bound": (with_("lagrange", "bound", by=...), 5, "lagrange is {"),
    "prices in a list": (with_("lagrange", "prices", by=[1, 2]), 5, "has a number for each name"),
    "no JSON": ("u = 2", 0, "is not JSON"),
}  # fmt: skip


TestAnswers = answers_battery("17", RIGHT, WRONG)


def by_choices(data: Any, prices: dict[str, Fraction]) -> Fraction:
    """Return the Lagrangian bound by all depots and all customers that each of them serves."""
    customers, best = customers_of(data), sum(prices.values(), Fraction(0))
    for depot, fixed in data["fixed"].items():
        served = itertools.chain.from_iterable(
            itertools.combinations(customers, size) for size in range(len(customers) + 1)
        )
        least = fixed + min(sum(data["cost"][depot][c] - prices[c] for c in x) for x in served)
        best += min(Fraction(0), Fraction(least))
    return best


@given(st.lists(st.fractions(-2, 12, max_denominator=4), min_size=6, max_size=6))
def test_a_bound_is_that_of_all_choices_and_below_the_relaxation(numbers: list[Fraction]) -> None:
    prices = dict(zip("abcdef", numbers, strict=True))
    found = lagrangian(PAGE, prices)
    assert found == by_choices(PAGE, prices)
    assert found <= relaxation(PAGE) == Fraction(51, 2)


def test_what_is_drawn_has_a_gap_and_its_own_answer(tmp_path: Path) -> None:
    drawn: list[Any] = [one.task for one in assign("17", ["ada", "bo", "cy"]).values()]
    for data in (PAGE, *drawn):
        assert is_asked(data)
        assert relaxation(data, strong=False) < relaxation(data) < optimum(data)
        assert optimum(data) == min(total(data, one) for one in sets_of(data))
        prices = {c: min(data["cost"][d][c] for d in data["open"]) for c in customers_of(data)}
        own = {
            d: sum(max(0, prices[c] - cost[c]) for c in prices) for d, cost in data["cost"].items()
        }
        right = min(sets_of(data), key=lambda one: total(data, one))
        answer = {
            "lagrange": {"prices": prices, "bound": str(lagrangian(data, {
                c: Fraction(p) for c, p in prices.items()}))},
            "benders": {"constant": sum(prices.values()), "coefficients": own},
            "optimum": {"open": list(right), "cost": optimum(data)},
        }  # fmt: skip
        assert (
            mark("17", json.dumps(answer), tmp_path, task=data)[0] == 8
        )  # but not the best prices
        if data is not PAGE:
            assert mark("17", reference("17"), tmp_path, task=data)[0] <= 3


def test_a_cut_that_would_be_a_constant_is_not_asked() -> None:
    data = {**PAGE, "open": ["p", "q", "r", "s"]}
    assert total(data, data["open"]) > optimum(data)
    assert not is_asked(data)
