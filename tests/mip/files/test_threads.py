"""Questions of public threads: the table of answers is what each layer gives today.

Each answer is found a second time by brute force, from the question and without calmip.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any

import pytest
from requirements import missing

from benchmarks.tables import kept
from benchmarks.threads import PACKAGES, THREADS, answers, available

Point = tuple[Any, ...]
Rule = Callable[..., Any]

HALVES = [Fraction(n, 2) for n in range(53)]


def grid(*ranges: Iterable[Any]) -> list[Point]:
    return list(itertools.product(*ranges))


def best(points: Iterable[Point], cost: Rule) -> list[Point]:
    """Return the points of the least cost."""
    some = list(points)
    least = min(cost(*point) for point in some)
    return [point for point in some if cost(*point) == least]


def listed(points: Iterable[Point]) -> str:
    return " ".join("".join(map(str, point)) for point in sorted(points)) + ", complete"


def bits(size: int, *rules: Rule) -> list[Point]:
    points = grid(*[(0, 1)] * size)
    return [point for point in points if all(rule(*point) for rule in rules)]


def conflict(points: Sequence[Point], **rules: Rule) -> str:
    """Return the names of the only irreducible set of rules that no point satisfies."""
    found: list[set[str]] = []
    for size in range(1, len(rules) + 1):
        for names in itertools.combinations(rules, size):
            some = [rules[name] for name in names]
            new = not any(one <= set(names) for one in found)
            if new and not any(all(rule(*point) for rule in some) for point in points):
                found.append(set(names))
    assert len(found) == 1
    return ", ".join(name for name in rules if name in found[0])


def vertices(lines: Sequence[tuple[int, int, Any]]) -> list[Point]:
    """Return the points of the plane in all ``a x + b y <= c`` that are on two of these lines."""
    points = set()
    for (a, b, c), (d, e, f) in itertools.combinations(lines, 2):
        if det := a * e - b * d:
            x, y = Fraction(c * e - b * f, det), Fraction(a * f - c * d, det)
            if all(p * x + q * y <= r for p, q, r in lines):
                points.add((x, y))
    return sorted(points)


def status() -> str:
    corners = vertices([(1, 1, 3), (-1, -1, -3), (-1, 0, 0), (0, -1, 0)])
    found = ", ".join(f"({x}, {y})" for x, y in best(corners, lambda x, y: x + y))
    return f"unique: {len(corners) == 1}; vertices {found}"


def ranges() -> str:
    """The value of the optimum by the side is a broken line; its slope is the dual value."""

    def value(side: Fraction) -> Fraction:
        corners = vertices([(1, 1, side), (1, 3, 6), (-1, 0, 0), (0, -1, 0)])
        return max(3 * x + 2 * y for x, y in corners)

    def slope(side: Fraction) -> Fraction:
        return 2 * (value(side + Fraction(1, 2)) - value(side))

    sides = [side for side in HALVES[:20] if slope(side) == slope(Fraction(4))]
    low, high = sides[0], sides[-1] + Fraction(1, 2)
    return f"hours: dual {slope(Fraction(7, 2))} to {slope(Fraction(4))} for sides {low} to {high}"


def duals() -> str:
    """Dual values of the workers and the tasks by complementary slackness, in steps of 10."""

    def ends(size: int) -> list[tuple[int, int]]:
        every, below = range(-size, size + 1, 10), range(-size, 1, 10)
        found = [
            (u, v)
            for u, v, p, q in grid(below, below, every, every)
            if u + p >= 100 and v + q >= 140 and u + q <= 120 and v + p <= 150
        ]
        return [(min(values), max(values)) for values in zip(*found, strict=True)]

    small, large = ends(160), ends(180)
    assert [high for _, high in small] == [high for _, high in large]
    assert all(low - 20 == other for (low, _), (other, _) in zip(small, large, strict=True))
    return "workers: " + ", ".join(f"-inf to {high}" for _, high in small)


def cell() -> str:
    points = grid(HALVES[:21], HALVES[:17], HALVES[:11], HALVES[42:])
    return conflict(
        points,
        sugar=lambda eat, burn, ferment, _: eat == burn + ferment,
        energy=lambda _, burn, ferment, live: 2 * burn + 2 * ferment == live,
    )


def repair() -> str:
    """The sugar that is eaten is at most 10, so 21 of energy need a change of a balance."""
    steps = [Fraction(n, 4) for n in range(-8, 9)]
    changes = [(s, e) for s, e in grid(steps, steps) if 2 * (10 + s) + e >= 21]
    return f"a change of {min(abs(s) + abs(e) for s, e in changes)}, proved the least: True"


def jump() -> list[Point]:
    return [(x, y, z) for x, y, z in grid(range(4), range(4), (0, 1)) if not z or x + y == 5]


def diverse() -> str:
    pairs = itertools.combinations(bits(3, lambda a, b, c: c == a * b), 2)
    (pair,) = best(pairs, lambda one, other: -sum(map(int.__ne__, one, other)))
    return f"{listed(pair)}: exact, distance {sum(map(int.__ne__, *pair))}"


SECOND: dict[str, Callable[[], str]] = {
    "coin-or/pulp/issues/161": lambda: listed(
        best(
            bits(4, lambda a, b, c, d: a + b < 2 and b + c < 2 and c + d < 2 and d + a < 2),
            lambda *x: -sum(x),
        )
    ),
    "coin-or/Cbc/issues/629": status,
    "NVIDIA/cuopt/issues/1395": ranges,
    "Pyomo/pyomo/issues/639": lambda: listed(
        best(bits(4, lambda a, b, c, d: (a or b) and (b or c) and (c or d) and (a or d)), sum_of)
    ),
    "coin-or/python-mip/issues/18": lambda: (
        "objectives "
        + ", ".join(
            map(
                str, sorted(5 * a + 5 * b + 6 * c for a, b, c in bits(3, lambda *x: sum(x) > 1))[:3]
            )
        )
    ),
    "coin-or/python-mip/issues/211": lambda: listed(
        best(bits(5, lambda a, b, c, d, e: a + b == c + d and a + b + c + d + e > 1), sum_of)
    ),
    "cvxpy/cvxpy/issues/1037": lambda: listed(bits(3, lambda a, b, c: a + b + c == 2 and a >= b)),
    "cvxpy/cvxpy/issues/2036": lambda: f"share by {7 - (3 * 2 + 4 * 0)}",
    "google/or-tools/issues/3345": lambda: listed(
        {(x, y) for x, y, z in grid(*[range(3)] * 3) if x == y and z >= x}
    ),
    "google/or-tools/issues/3712": lambda: listed(
        best(bits(4, lambda a, b, c, d: (a or b) and (b or c) and (c or d)), sum_of)
    ),
    "google/or-tools/issues/1760": lambda: conflict(
        grid(range(10), range(10)),
        room=lambda x, y: x + y <= 4,
        orders=lambda x, _: x >= 3,
        stock=lambda _, y: y >= 2,
        other=lambda x, y: x - y <= 7,
    ),
    "google/or-tools/issues/419": duals,
    "PyPSA/linopy/issues/355": lambda: conflict(
        grid(range(4), range(4)),
        **{"demand[1]": lambda x, _: x >= 2, "demand[2]": lambda _, y: y >= 4},
        fuel=lambda x, y: x + y <= 9,
    ),
    "PyPSA/linopy/pull/549": lambda: f"objective {max(cost * min(4, 5) for cost in (1, 3, 2))}",
    "opencobra/cobrapy/issues/1202": cell,
    "opencobra/cobrapy/issues/1338": repair,
    "ERGO-Code/HiGHS/issues/2676": lambda: conflict(
        grid(range(6), range(6)),
        least=lambda x, y: 2 * x + 2 * y >= 3,
        most=lambda x, y: 2 * x + 2 * y <= 3,
        other=lambda x, _: x <= 4,
    ),
    "jump-dev/HiGHS.jl/issues/57": lambda: f"objective {max(map(sum, jump()))}",
    "jump-dev/CPLEX.jl/issues/197": lambda: (
        f"{sum(sum(one) >= 0.8 * max(map(sum, jump())) for one in jump())} solutions, complete"
    ),
    "MiniZinc/libminizinc/issues/127": lambda: listed(bits(3, lambda a, b, c: c == a * b)),
    "MiniZinc/libminizinc/issues/22": lambda: (
        f"{len(bits(3, lambda a, b, c: c == a * b))} solutions, complete"
    ),
    "MiniZinc/minizinc-python/pull/87": diverse,
    "ERGO-Code/HiGHS/issues/2148": lambda: f"objective {max(cost * 3 for cost in (2, 3, 1))}",
    "coin-or/Cbc/issues/313": lambda: (
        "unique: "
        + str(
            len(
                best(
                    [one for one in grid(*[range(4)] * 3) if sum(one) <= 4],
                    lambda x, y, z: -2 * x - 3 * y - 2 * z,
                )
            )
            == 1
        )
    ),
}


def sum_of(*values: int) -> int:
    return sum(values)


def test_the_table_has_every_question() -> None:
    asked = [[one.layer, one.link, one.question, f"`{one.call}`"] for one in THREADS]
    assert [row[:4] for row in kept()["threads"].rows] == asked
    assert len(asked) >= 20
    assert len({one.issue for one in THREADS}) == len(asked)


@pytest.mark.long
def test_brute_force_gives_every_answer_of_the_table() -> None:
    found = {one.issue: row[4] for one, row in zip(THREADS, kept()["threads"].rows, strict=True)}
    assert {issue: answer() for issue, answer in SECOND.items()} == found


@pytest.mark.long
@pytest.mark.parametrize("layer", list(dict.fromkeys(one.layer for one in THREADS)))
def test_a_layer_answers_as_the_table_says(layer: str) -> None:
    if not available(layer):
        missing(PACKAGES.get(layer, layer))
    assert answers(layer) == [row[4] for row in kept()["threads"].rows if row[0] == layer]
