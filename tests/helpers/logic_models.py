"""Random models with constructs, and their solutions by brute force."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from random import Random

from calmip.mip.constructs import (
    BrokenLine,
    Construct,
    Extreme,
    Indicator,
    OrderedSet,
    SemiContinuous,
)
from calmip.mip.linearise import linearise, own_part
from calmip.mip.lp.exact_lp import exact_model
from calmip.mip.model import Model
from calmip.mip.rows import Interval, Number

KINDS = ("indicator", "semi", "sos1", "sos2", "abs", "max", "min", "line", "mixture")

Solutions = dict[tuple[Number, ...], Number]
"""The objective of each solution, by its values."""


def number(random: Random) -> Fraction:
    """Return a coefficient such as 1/3, seldom 0."""
    return Fraction(random.randint(-6, 6), random.choice((1, 1, 2, 3)))


def lp_file(model: Model) -> str:
    """Return a model with constructs as Gurobi writes it; its numbers are decimals."""
    assert model.logic is not None
    own, constructs = own_part(model), list(model.logic.constructs)
    semi = {one.column: one for one in constructs if isinstance(one, SemiContinuous)}

    def text(number: Number | float) -> str:
        return "inf" if number == math.inf else str(float(number)).replace(".0", "")

    def words(terms: Mapping[int, Number]) -> str:
        return " ".join(f"{float(v):+} {own.columns[c]}" for c, v in terms.items())

    lines = ["Minimize", f" obj: {words(dict.fromkeys(range(len(own.columns)), 0) | own.costs)}"]
    lines.append("Subject To")
    for name, (terms, low, high) in zip(own.rows, own.exact_rows(), strict=True):
        lines.append(f" {name}: {words(terms) or '0 x0'} <= {text(high)}")
        assert low == -math.inf
    for one in constructs:
        if isinstance(one, Indicator):
            head = f" {one.name}: {own.columns[one.column]} = {one.value} -> {words(one.terms)}"
            sides = [f"= {text(one.low)}"] if one.low == one.high else []
            sides += [f"<= {text(one.high)}"] if not sides and one.high < math.inf else []
            sides += [f">= {text(one.low)}"] if one.high == math.inf else []
            assert len(sides) == 1
            lines.append(f"{head} {sides[0]}")
    lines.append("Bounds")
    for column, (low, high) in enumerate(own.column_bounds):
        if column in semi:
            low, high = semi[column].low, semi[column].high
        lines.append(f" {text(low)} <= {own.columns[column]} <= {text(high)}")
    lines += ["Generals", f" {' '.join(own.columns)}"]
    if semi:
        lines += ["Semi-continuous", f" {' '.join(own.columns[c] for c in semi)}"]
    for head, kinds in (("SOS", OrderedSet), ("General Constraints", (Extreme, BrokenLine))):
        found = [one for one in constructs if isinstance(one, kinds)]
        lines += [head, *(f" {one.words(own.columns)}" for one in found)] if found else []
    return "\n".join([*lines, "End"]) + "\n"


def construct(random: Random, kind: str, columns: int, name: str) -> Construct:
    """Return a construct of a kind over integer columns, the last two of which are binary."""
    some = random.sample(range(columns), 3)
    if kind == "indicator":
        binary = columns - random.choice((1, 2))
        terms = {column: number(random) or Fraction(1) for column in some}  # maybe the binary too
        low, high = sorted((random.randint(-6, 4), random.randint(-4, 6)))
        ends = random.choice(((low, high), (low, math.inf), (-math.inf, high), (low, low)))
        return Indicator(name, binary, random.randint(0, 1), terms, *ends)
    if kind == "semi":
        low = random.randint(-3, 3) + Fraction(random.randint(0, 1), 2)
        return SemiContinuous(name, random.randrange(columns - 2), low, low + random.randint(0, 3))
    if kind in ("sos1", "sos2"):
        members = random.sample(range(columns), random.randint(2, columns))
        return OrderedSet(name, tuple(members), int(kind[-1]))
    if kind == "line":
        places = sorted(random.sample(range(-3, 5), random.randint(2, 4)))
        points = tuple((place, Fraction(random.randint(-4, 4))) for place in places)
        return BrokenLine(name, some[0], some[1], points)
    if kind == "abs":
        sums = (({some[1]: 1}, 0), ({some[1]: -1}, 0))
        return Extreme(name, some[0], sums, 1, absolute=True)
    given = [({column: 1}, 0) for column in some[1:]]
    if random.random() < 0.5:
        given.append(({}, random.randint(-2, 2)))
    return Extreme(name, some[0], tuple(given), 1 if kind == "max" else -1)


def _in_decimals(one: Construct) -> Construct:
    """Return a construct with decimal numbers, and one side if it is an indicator's row."""
    if not isinstance(one, Indicator):
        return one
    terms = {c: round(2 * v) or 1 for c, v in one.terms.items()}
    low = one.low if one.high in (math.inf, one.low) else -math.inf
    return replace(one, terms=terms, low=low)


def random_model(seed: int, kind: str, *, decimal: bool = False) -> Model:
    """Return a random model with constructs over integer columns, the last two of which are binary.

    If its numbers are to be decimal, and each indicator's row has one side, an LP file has it.
    """
    random = Random(f"{kind} {seed}")
    columns = random.randint(4, 5)
    bounds = []
    for _ in range(columns - 2):
        low = random.randint(-3, 1)
        bounds.append(Interval(low, low + random.randint(1, 3)))
    bounds += [Interval(0, 1)] * 2
    kinds = [kind] * random.randint(1, 2)
    if kind == "mixture":
        kinds = random.sample(KINDS[:-1], 3)
    made = [construct(random, one, columns, f"k{n}") for n, one in enumerate(kinds)]
    if decimal:
        made = [_in_decimals(one) for one in made]
    semi = {
        one.column: Interval(one.low, one.high)
        for one in made
        if hasattr(one, "low") and isinstance(one, SemiContinuous)
    }
    bounds = [semi.get(column, pair) for column, pair in enumerate(bounds)]
    rows = []
    for n in range(random.randint(0, 2)):
        terms = {c: v for c in range(columns) if (v := number(random))}
        terms = {c: round(2 * v) if decimal else v for c, v in terms.items()}
        rows.append((f"r{n}", terms, -math.inf, Fraction(random.randint(-3, 9))))
    cost = {c: number(random) for c in range(columns)} if random.random() < 0.8 else {}
    cost = {c: round(2 * v) if decimal else v for c, v in cost.items()}
    names = [f"x{c}" for c in range(columns)]
    model = exact_model(names, bounds, [True] * columns, rows, cost)
    # Of two constructs of one column the first counts: the bounds of a column are one pair.
    seen: set[int] = set()
    kept = []
    for one in made:
        if isinstance(one, SemiContinuous):
            if one.column in seen or one.low <= 0 <= one.high:
                continue
            seen.add(one.column)
        kept.append(one)
    return linearise(model, kept)


def solutions(model: Model) -> Solutions:
    """Return all solutions of a model of integers with few values, by their meaning."""
    own = own_part(model)
    constructs = model.logic.constructs if model.logic else ()
    ranges = [range(math.ceil(pair.low), math.floor(pair.high) + 1) for pair in own.column_bounds]
    found: Solutions = {}
    for point in itertools.product(*ranges):
        values = dict(enumerate(point))
        if own.violated(values) is None and not any(one.fault(values) for one in constructs):
            found[point] = own.exact_objective(values)
    return found
