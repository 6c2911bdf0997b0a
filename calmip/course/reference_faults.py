"""Faults in the rules of a model: families of rows, and of integer variables.

A rule is left out, loosened, tightened, reversed, or has the constants of another one.
"""

from __future__ import annotations

import itertools
import math
import re
from array import array
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from operator import methodcaller
from typing import NamedTuple

from calmip.mip.display import describe_number
from calmip.mip.model import Model
from calmip.mip.rows import Bound, Interval, Number, Row, is_finite

STEM = re.compile(r"[^\W\d_]+")
"""What the names of a family have in common."""

VARIABLES = "variables"
"""Stands for the sense of a rule that says which variables are integer."""

Sides = Mapping[int, tuple[Bound, Bound]]
"""The bounds of some rows."""


class Rule(NamedTuple):
    """What the names of a family begin with, and the sense of its rows, or `VARIABLES`."""

    word: str
    sense: str


class Rules:
    """The rules of a model: families of rows, and of integer variables.

    Parameters
    ----------
    model
        The model.
    """

    def __init__(self, model: Model) -> None:
        self.model = model
        self.rows = model.exact_rows()
        self.families: dict[Rule, list[int]] = defaultdict(list)
        """The rows, or the integer variables, of each rule."""
        for number, (name, row) in enumerate(zip(model.rows, self.rows, strict=True)):
            if row.bounds.finite:
                self.families[Rule(_word(name, row), _sense(row.bounds))].append(number)
        for column, name in enumerate(model.columns):
            if model.is_integer(column):
                stem = STEM.search(name)
                self.families[Rule(stem[0] if stem else name, VARIABLES)].append(column)

    def names(self, rule: Rule) -> list[str]:
        """Return the names of a rule's rows, or variables."""
        names = self.model.columns if rule.sense == VARIABLES else self.model.rows
        return [names[n] for n in self.families.get(rule, ())]

    def reach(self, row: Row[Number]) -> Interval:
        """Return the least and the most that the variables of a row allow."""
        ends = [self.model.bounds(column).times(factor) for column, factor in row.terms.items()]
        return Interval(sum(end.low for end in ends), sum(end.high for end in ends))

    def changed(self, sides: Sides) -> Model | None:
        """Return the model with other bounds of some rows; None if all demand the same."""
        if all(
            self._demanded(n, self.rows[n].bounds) == self._demanded(n, bounds)
            for n, bounds in sides.items()
        ):
            return None
        return self.model.with_sides(sides).changed(native=None)

    def _demanded(self, row: int, bounds: tuple[Bound, Bound]) -> tuple[Bound, Bound]:
        """Return the bounds of a row, infinite where those of its variables say as much."""
        least, most = self.reach(self.rows[row])
        low, high = bounds
        return -math.inf if low <= least else low, math.inf if high >= most else high

    def relaxed(self, rule: Rule) -> Model | None:
        """Return the model with some integer variables continuous; None without them."""
        columns = self.families.get(rule)
        if not columns:
            return None
        integer = array("b", self.model.values("integer"))
        for column in columns:
            integer[column] = 0
        return self.model.changed(integer=integer, native=None)

    def borrowed(self, rule: Rule, other: Rule) -> Sides:
        """Return the bounds of a rule's rows with another rule's constants; empty without them."""
        holders: dict[int, set[int]] = defaultdict(set)
        for number in self.families.get(other, ()):
            for column in self.rows[number].terms:
                holders[column].add(number)
        found: dict[int, tuple[Bound, Bound]] = {}
        for number in self.families.get(rule, ()):
            row = self.rows[number]
            if len(row.terms) < 2:  # a single variable is in rows of any kind
                return {}
            common = set.intersection(*(holders[column] for column in row.terms))
            if not common:
                return {}
            nearest = min(common, key=lambda n: (len(self.rows[n].terms), n))
            constant = self.rows[nearest].bounds.finite[0]
            low, high = (constant if is_finite(end) else end for end in row.bounds)
            found[number] = low, high
        return found


def _word(name: str, row: Row[Number]) -> str:
    """Return the beginning of a row's name; for one such as _C12, a solver's, its coefficients."""
    stem = STEM.search(name)
    word = stem[0] if stem else ""
    if len(word) > 1:
        return word
    factors = sorted({*row.terms.values()})
    shape = ", ".join(str(describe_number(one)) for one in factors[:4])
    return f"{word or 'rows'} with {shape}"


def _sense(bounds: Interval) -> str:
    low, high = bounds
    if low == high:
        return "="
    return "range" if is_finite(low) and is_finite(high) else ">=" if is_finite(low) else "<="


class Fault(NamedTuple):
    """A fault of a rule: its words, and the bounds of rows that it changes.

    Without ``sides`` the rule's variables are continuous. One that ``rests_on_data`` may change
    nothing in some data, and something in others.
    """

    rule: Rule
    words: str
    sides: Callable[[Rules], Sides] | None = None
    rests_on_data: bool = False

    def apply(self, rules: Rules) -> Model | None:
        """Return what the fault makes of a model; None if nothing changes."""
        if self.sides is None:
            return rules.relaxed(self.rule)
        return rules.changed(self.sides(rules))


def describe_rule(rule: Rule, models: Sequence[Rules]) -> tuple[str, int]:
    """Return a rule as its rows' names begin, and how many rows or variables it has."""
    every = [name for model in models for name in model.names(rule)]
    if rule.sense == VARIABLES:
        return f"{VARIABLES} {rule.word}", len(every)
    word = rule.word
    if STEM.fullmatch(word):
        # Of senior_d1 and senior_d2, not the beginning of the days.
        ends = zip(min(every), max(every), strict=False)
        shared = "".join(a for a, _ in itertools.takewhile(lambda pair: pair[0] == pair[1], ends))
        start = re.match(r"(.*)[\W_]", shared)
        word = shared if shared == every[0] else start[1] if start else word
    return f"{word} ({rule.sense})", len(every)


def faults_of(models: Sequence[Rules]) -> list[Fault]:
    """Return the faults of all rules of some models of one reference."""
    rules = dict.fromkeys(rule for model in models for rule in model.families)
    found: list[Fault] = []
    for rule in rules:
        if rule.sense == VARIABLES:
            found.append(Fault(rule, "taken as continuous"))
        else:
            found += [*own_faults(rule), *_mistaken(rule, rules, models)]
    return found


Change = Callable[[Bound, Bound, Bound], tuple[Bound, Bound]]
"""The bounds of a row with a fault, by the right ones and the most that its variables allow."""

LEFT_OUT: Mapping[str, Change] = {"left out": lambda *_: (-math.inf, math.inf)}

EITHER: Mapping[str, Change] = {
    **LEFT_OUT,
    "loosened by 1": lambda low, high, _: (low - 1, high + 1),
    "tightened by 1": lambda low, high, _: (low + 1, high - 1),
}

CHANGES: Mapping[str, Mapping[str, Change]] = {
    "=": {
        **LEFT_OUT,
        "at most instead of equal": lambda _low, high, _: (-math.inf, high),
        "at least instead of equal": lambda low, _high, _: (low, math.inf),
        "its constant 1 too large": lambda low, high, _: (low + 1, high + 1),
        "its constant 1 too small": lambda low, high, _: (low - 1, high - 1),
    },
    "<=": {
        **EITHER,
        "reversed": lambda _, high, __: (high, math.inf),
        "equal instead of at most": lambda _, high, __: (high, high),
        "at least 1, too": lambda _, high, __: (1, high),
    },
    ">=": {
        **EITHER,
        "reversed": lambda low, *_: (-math.inf, low),
        "equal instead of at least": lambda low, *_: (low, low),
        "as much as its variables allow": lambda low, _, most: (
            (most if is_finite(most) else low),
            math.inf,
        ),
    },
    "range": EITHER,
}
"""The faults of a rule by the sense of its rows."""


def own_faults(rule: Rule) -> Iterator[Fault]:
    """Yield the faults of a rule that need no other one."""
    for words, change in CHANGES[rule.sense].items():

        def sides(model: Rules, change: Change = change) -> Sides:
            rows = {n: model.rows[n] for n in model.families.get(rule, ())}
            return {n: change(row.low, row.high, model.reach(row).high) for n, row in rows.items()}

        yield Fault(rule, words, sides)


def _mistaken(rule: Rule, rules: Iterable[Rule], models: Sequence[Rules]) -> Iterator[Fault]:
    """Yield the faults of a rule with the constants of another one.

    Each of its rows has the constant of the other rule's smallest row that has all its variables.
    So "one senior" becomes "as many seniors as people in all".
    """
    for other in rules:
        if other == rule or {rule.sense, other.sense} & {"range", VARIABLES}:
            continue
        if any(model.borrowed(rule, other) for model in models):
            sides = methodcaller("borrowed", rule, other)
            words = f"with the constants of {describe_rule(other, models)[0]}"
            yield Fault(rule, words, sides, rests_on_data=True)
