"""Exercise 13: right models of a workshop in many forms, and wrong ideas with a counter-example."""

from __future__ import annotations

import itertools
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from marked_answers import Changes, changed, mark, starter

import calmip
from calmip.course.assignments import assign
from calmip.course.exercises import SOLUTIONS
from calmip.course.patterns import IDEAS, MINE, WORKSHOPS, best_of, figures_of, patterns_model
from calmip.course.variants import DRAWN
from calmip.mip.status import Status

MOST = 'problem += make[p] <= one["most"] * on[p], f"most_{p}"'
LEAST = 'problem += make[p] >= one["least"] * on[p], f"least_{p}"'
MACHINE = 'problem += hours <= limit + large * other, f"machine_{machine}"'
EITHER = 'problem += on[p] + on[q] <= 1, f"either_{p}_{q}"'
NEEDS = 'problem += on[p] <= on[q], f"needs_{p}_{q}"'
FULL = 'problem += first >= energy["first"] * full, "full"'
DISCOUNT = 'problem += further <= (most - energy["first"]) * full, "discount"'
FIRST = '- energy["price"] * first'
FURTHER = '- energy["further"] * further'

PYOMO = """
import pyomo.environ as pyo

FIGURES = {"profit": 32, "without rules": 46}


def build(data):
    P, E = data["products"], data["energy"]
    m = pyo.ConcreteModel()
    m.make = pyo.Var(list(P), domain=pyo.NonNegativeIntegers)
    m.on = pyo.Var(list(P), domain=pyo.Binary)
    m.first = pyo.Var(bounds=(0, E["first"]))
    m.further = pyo.Var(domain=pyo.NonNegativeReals)
    m.full = pyo.Var(domain=pyo.Binary)
    m.second = pyo.Var(domain=pyo.Binary)
    m.rules = pyo.ConstraintList()
    for p in P:
        m.rules.add(m.make[p] <= P[p]["most"] * m.on[p])
        m.rules.add(m.make[p] >= P[p]["least"] * m.on[p])
    for k, off in enumerate((m.second, 1 - m.second)):
        hours = sum(P[p]["hours"][k] * m.make[p] for p in P)
        m.rules.add(hours <= data["machines"][k] + 1000 * off)
    for p, q in data["either"]:
        m.rules.add(m.on[p] + m.on[q] <= 1)
    for p, q in data["needs"]:
        m.rules.add(m.on[p] <= m.on[q])
    m.rules.add(sum(P[p]["energy"] * m.make[p] for p in P) == m.first + m.further)
    m.rules.add(m.first >= E["first"] * m.full)
    m.rules.add(m.further <= 1000 * m.full)
    m.profit = pyo.Objective(
        expr=sum(P[p]["gain"] * m.make[p] - P[p]["setup"] * m.on[p] for p in P)
        - E["price"] * m.first - E["further"] * m.further, sense=pyo.maximize)
    return m
"""

RIGHT: dict[str, Changes | str] = {
    "the reference": (),
    "Pyomo, M is 1000": PYOMO,
    "a larger M of a product": ((MOST, 'problem += make[p] <= 50 * on[p]\n'
                                 '        problem += make[p] <= one["most"]'),),
    "bounds of the pieces": (('0, cat="Integer"', '0, products[p]["most"], cat="Integer"'),),
    "the contrapositive": ((NEEDS, "problem += (1 - on[q]) <= (1 - on[p])"),),
    "off for the other": ((EITHER, "problem += on[p] <= 1 - on[q]"),),
    "costs are minimised": (("LpMaximize", "LpMinimize"), ('products[p]["gain"] * make[p] - '
                            'products[p]["setup"] * on[p]', '-products[p]["gain"] * make[p] + '
                            'products[p]["setup"] * on[p]'), (FIRST, FIRST.replace("-", "+")),
                            (FURTHER, FURTHER.replace("-", "+"))),
    "the profit less one": ((FURTHER, FURTHER + " - 1"),),
    "two rows of the energy": (('problem += used == first + further, "energy"',
                                "problem += used <= first + further\n"
                                "    problem += used >= first + further"),),
    "the discount by all energy": ((DISCOUNT, "problem += used <= first + most * full"),),
    "first is what is not further": ((FULL, 'problem += used - further >= energy["first"] * full'),
                                     ),
    "a row that all plans satisfy": ((DISCOUNT, DISCOUNT + "\n    problem += used <= most"),),
    "scaled rows": ((MACHINE, "problem += 3 * hours <= 3 * limit + 3 * large * other"),),
    "a helper": ((DISCOUNT, DISCOUNT + '\n    problem += problem.add_variable("h", 0, 1) <= 1'),),
}  # fmt: skip

SET = "has a solution that is wrong"
LOST = "has not this solution"
RANKS = "ranks solutions differently"
WRONG: dict[str, tuple[Changes | str, int, str]] = {
    "made without on": (((MOST, "pass"),), 7, "the row most_"),
    "on without pieces": (((LEAST, "pass"),), 7, "the row least_"),
    "at least one piece": (((LEAST, "problem += make[p] >= on[p]"),), 7, "the row least_"),
    "the least always": (((LEAST, 'problem += make[p] >= one["least"]'),), 7, LOST),
    "one piece less": (((MOST, 'problem += make[p] <= (one["most"] - 1) * on[p]'),), 7, LOST),
    "one piece more": (((MOST, 'problem += make[p] <= (one["most"] + 1) * on[p]'),), 7,
                       "the row most_"),
    "a fraction of a product": ((('0, cat="Integer"', "0"),), 7, "is integer"),
    "on is continuous": ((('f"on_{p}", cat="Binary"', 'f"on_{p}", 0, 1'),), 7, ""),
    "both machines": (((MACHINE, "problem += hours <= limit"),), 7, LOST),
    "no machine": (((MACHINE, "pass"),), 7, "the row machine_"),
    "the machines are exchanged": ((("enumerate((second, 1 - second))",
                                     "enumerate((1 - second, second))"),), 7, ""),
    "the first machine alone": ((("large * other", "large * (0 if machine == 0 else 1)"),), 7, ""),
    "a small M": (((MACHINE, "problem += hours <= limit + other"),), 7, LOST),
    "the M of one machine": (((MACHINE, "problem += hours <= limit * (1 + other)"),), 9, LOST),
    "one or the other, not none": (((EITHER, "problem += on[p] + on[q] == 1"),), 8, LOST),
    "either is forgotten": (((EITHER, "pass"),), 8, "the row either_"),
    "either by pieces": (((EITHER, "problem += make[p] + make[q] <= 1"),), 8, ""),
    "needs the wrong way": (((NEEDS, "problem += on[q] <= on[p]"),), 8, ""),
    "the first pair alone": (
        (('in data["needs"]:', 'in data["needs"][:1]:'),), 9, "the row needs_lamp_shelf"),
    "needs is forgotten": (((NEEDS, "pass"),), 8, "the row needs_"),
    "needs both ways": (((NEEDS, "problem += on[p] - on[q] == 0"),), 8, LOST),
    "needs by pieces": (((NEEDS, "problem += make[p] <= make[q]"),), 8, LOST),
    "the first block need not be full": (((FULL, "pass"),), 7, "the row full"),
    "the discount is free": (((DISCOUNT, "pass"),), 7, "the row discount"),
    "full if the block is full": (((FULL, 'problem += first >= energy["first"] * full\n    '
                                    'problem += first <= energy["first"] - 1 + full'),), 8, LOST),
    "more than a block": ((('0, energy["first"])', "0)"),), 7, SET),
    "no further energy": (((DISCOUNT, "problem += further <= 0"),), 7, LOST),
    "energy to spare": (((('problem += used == first', 'problem += used <= first')),), 7,
                        "the row energy"),
    "no setups": ((('- products[p]["setup"] * on[p]', ""),), 9, RANKS),
    "all energy at one price": (((FURTHER, '- energy["price"] * further'),), 9, RANKS),
    "the profit is minimised": ((("LpMaximize", "LpMinimize"),), 9, RANKS),
    "setups of every piece": ((('["setup"] * on[p]', '["setup"] * make[p]'),), 9, RANKS),
    "a forgotten rule": ((('"profit": 32', '"profit": 46'),), 7, "the profit without rules"),
    "nothing": ((("return problem", "return make"),), 5, "returned dict"),
}  # fmt: skip

SOON = ("the reference", "needs the wrong way")
CASES = [
    pytest.param(changes, marks, words, id=name,
                 marks=pytest.mark.long if name in SOON else pytest.mark.slow)
    for name, (changes, marks, words) in {
        **{name: (changes, 10, "") for name, changes in RIGHT.items()}, **WRONG}.items()
]  # fmt: skip


def test_the_lists_are_long() -> None:
    assert len(RIGHT) >= 12
    assert len(WRONG) >= 25


@pytest.mark.parametrize(("changes", "marks", "words"), CASES)
def test_every_idea_has_what_it_is_worth(
    changes: Changes | str, marks: int, words: str, tmp_path: Path
) -> None:
    found, faults = mark("13", changed("13", changes), tmp_path)
    assert (found, any(words in fault for fault in faults)) == (marks, marks < 10), faults


@pytest.mark.long
def test_the_starter_has_two_marks_at_most(tmp_path: Path) -> None:
    assert mark("13", starter("13"), tmp_path)[0] <= 2


@pytest.mark.long
def test_the_data_tell_every_fault_in_a_rule(tmp_path: Path) -> None:
    path, data = tmp_path / "reference.py", tmp_path / "data"
    path.write_text((SOLUTIONS / "13-patterns").read_text())
    data.mkdir()
    for name, one in WORKSHOPS.items():
        (data / f"{name}.json").write_text(json.dumps(one))
    found = calmip.grade.model(path, audit=True, data=data)
    assert found.status is Status.ACCEPTED
    assert found.told == len(found.wrong) >= 40


def highest(data: Mapping[str, Any]) -> float:
    """Return the highest profit in the model, by all its integer points."""
    model, energy = patterns_model(data), data["energy"]
    place = model.column_index
    best = 0.0
    products = data["products"]
    for made in itertools.product(*(range(one["most"] + 1) for one in products.values())):
        used = sum(n * one["energy"] for n, one in zip(made, products.values(), strict=True))
        first = min(used, energy["first"])
        for second, full in itertools.product((0, 1), repeat=2):
            point = {
                **{place[f"make_{p}"]: n for p, n in zip(products, made, strict=True)},
                **{place[f"on_{p}"]: int(n > 0) for p, n in zip(products, made, strict=True)},
                place["first"]: first, place["further"]: used - first,
                place["full"]: full, place["second"]: second,
            }  # fmt: skip
            if not any(model.violations(point)):
                best = max(best, -sum(model.cost[c] * v for c, v in point.items()))
    return best


def test_the_highest_profit_is_that_of_the_model() -> None:
    for data in WORKSHOPS.values():
        assert best_of(data) == highest(data)


def test_every_pattern_matters_for_a_drawn_workshop() -> None:
    drawn = [one.task for one in assign("13", ["ada", "bo"]).values()]
    for data in (WORKSHOPS[MINE], *drawn):
        assert isinstance(data, Mapping)
        best = best_of(data)
        assert all(best_of(data, idea) != best for idea in IDEAS)
        assert figures_of(data)["without rules"] > best > 0
    assert not DRAWN["13"].fits(WORKSHOPS[MINE])
