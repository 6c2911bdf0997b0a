"""Whether the data sets of a reference tell it from wrong models.

A rule of a model is a family of rows. Each family is left out, loosened, tightened, reversed and
taken for another one, one fault at a time, and every wrong model is compared with the reference
on each data set: what no data set tells apart would have full marks. Other data that do are
looked for near the data sets. The method is that of mutation testing (R. A. DeMillo,
R. J. Lipton, F. G. Sayward, "Hints on test data selection", 1978,
https://doi.org/10.1109/C-M.1978.218136).
"""

from __future__ import annotations

import copy
import itertools
import json
import math
import random
import re
from array import array
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from calmip._base.errors import InputError, clip
from calmip._base.limits import Deadline
from calmip.course.checks import Failed, Undecided
from calmip.course.references import (
    COMPARISON_SECONDS,
    ReferenceModels,
    build_models,
    compare_with_reference,
)
from calmip.mip.display import describe_number
from calmip.mip.model import Model
from calmip.mip.rows import Bound, Interval, Number, Row, is_finite
from calmip.mip.status import Status
from calmip.puzzle.tasks.results import Result

MAX_NONZEROS = 20_000
"""The most coefficients of a reference's model: each is compared some forty times."""

MAX_NEARBY = 200
"""The most data sets that are tried beside those that are given."""

SEARCH_SECONDS = 60.0
"""The seconds in which data are looked for that tell the wrong models apart."""

SEED = 1
"""Draws the data that are tried where there are too many."""

STEM = re.compile(r"[^\W\d_]+")
"""What the names of a family's rows have in common."""

Sides = Mapping[int, tuple[Bound, Bound]]
"""The bounds of some rows."""

Build = Callable[[list[tuple[str, list[Any]]]], Sequence[Model | str]]
"""What makes the reference's model of data sets, or says why there is none."""


@dataclass(frozen=True)
class WrongModel:
    """A fault in one rule of the reference, and what tells it from the reference.

    Parameters
    ----------
    rule
        The rule: how the names of its rows begin, or its variables.
    size
        The rows, or variables, of all data sets.
    fault
        What is wrong, in words.
    told_by
        The first data set on which the solutions differ, the smallest first; empty if none does.
    undecided
        The data sets on which it was not decided in time whether they differ.
    change
        What was changed in a given data set to find other data that tell it apart, in words;
        empty if none were found or looked for.
    data
        These data: the arguments of ``build``; None without them.
    """

    KEYS = ("rule", "size", "fault", "told_by", "undecided", "change", "data")

    rule: str
    size: int
    fault: str
    told_by: str = ""
    undecided: tuple[str, ...] = ()
    change: str = ""
    data: list[Any] | None = None

    @property
    def told(self) -> bool:
        """Whether some data set tells it from the reference."""
        return bool(self.told_by)


@dataclass(frozen=True, repr=False)
class Audit(Result):
    """Wrong models beside a reference, and which of them its data sets tell apart.

    Parameters
    ----------
    reference
        The name of the reference.
    sets
        The names of its data sets.
    wrong
        The wrong models.
    tried
        How many further data sets were built to tell the others apart.
    """

    KEYS = ("reference", "sets", "told", "wrong", "tried")

    reference: str
    sets: tuple[str, ...]
    wrong: tuple[WrongModel, ...]
    tried: int = 0

    @property
    def told(self) -> int:
        """How many wrong models some data set tells from the reference."""
        return sum(one.told for one in self.wrong)

    @property
    def untold(self) -> tuple[WrongModel, ...]:
        """The wrong models that no data set tells from the reference, or not in time."""
        return tuple(one for one in self.wrong if not one.told)

    @property
    def status(self) -> Status:
        """Accepted if all are told, refused if one has the reference's solutions everywhere."""
        if not self.untold:
            return Status.ACCEPTED
        same = any(not one.undecided for one in self.untold)
        return Status.REFUSED if same else Status.UNKNOWN

    def _summary(self) -> str:
        return f"{self.reference}, {self.told} of {len(self.wrong)} wrong models told"


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
        self.families = self._families()
        self.whole: dict[str, list[int]] = defaultdict(list)
        """The integer variables by the beginning of their names."""
        for column, name in enumerate(model.columns):
            if model.is_integer(column):
                stem = STEM.search(name)
                self.whole[f"variables {stem[0] if stem else name}"].append(column)

    def _families(self) -> dict[str, list[int]]:
        """Return the rows that demand something, by name, sense and shape."""
        found: dict[str, list[int]] = defaultdict(list)
        for number, (name, row) in enumerate(zip(self.model.rows, self.rows, strict=True)):
            if not row.bounds.finite:
                continue
            stem = STEM.search(name)
            word = stem[0] if stem else ""
            if len(word) < 2:  # a solver's own name, such as _C12: what its rows look like
                factors = sorted({*row.terms.values()})
                shape = ", ".join(str(describe_number(one)) for one in factors[:4])
                word = f"{word or 'rows'} with {shape}"
            found[f"{word} ({_sense(row.bounds)})"].append(number)
        return found

    def names(self, rule: str) -> list[str]:
        """Return the names of a rule's rows, or variables."""
        rows, columns = self.families.get(rule, ()), self.whole.get(rule, ())
        return [self.model.rows[n] for n in rows] + [self.model.columns[n] for n in columns]

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

    def relaxed(self, rule: str) -> Model | None:
        """Return the model with some integer variables continuous; None without them."""
        columns = self.whole.get(rule)
        if not columns:
            return None
        integer = array("b", self.model.values("integer"))
        for column in columns:
            integer[column] = 0
        return self.model.changed(integer=integer, native=None)

    def borrowed(self, rule: str, other: str) -> Sides:
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


def _sense(bounds: Interval) -> str:
    low, high = bounds
    if low == high:
        return "="
    return "range" if is_finite(low) and is_finite(high) else ">=" if is_finite(low) else "<="


class Fault(NamedTuple):
    """A fault of a rule: its words, and what it makes of a model; None if nothing changes.

    One that ``rests_on_data`` may change nothing in some data, and something in others.
    """

    rule: str
    words: str
    apply: Callable[[Rules], Model | None]
    rests_on_data: bool = False


def audit_reference(reference: ReferenceModels, path: Path, time_limit: float | None) -> Audit:
    """Return the audit of the reference in a file; other data are looked for if it is a program."""
    seconds = None if time_limit is None else math.ceil(time_limit)

    def build(sets: list[tuple[str, list[Any]]]) -> Sequence[Model | str]:
        try:
            return build_models(path, sets, seconds)[1]
        except Failed:  # on one of these data it ran into a limit
            return ["not built"] * len(sets)

    return audit(reference, build if reference.programs else None, time_limit)


def audit(
    reference: ReferenceModels, build: Build | None = None, seconds: float | None = None
) -> Audit:
    """Return which faults in a reference's rules its data sets tell.

    Parameters
    ----------
    reference
        The reference.
    build
        What makes its model of other data; without it none are looked for.
    seconds
        The time limit of each comparison.

    Raises
    ------
    InputError
        If a model of the reference is too large.
    """
    seconds = seconds or COMPARISON_SECONDS
    for (name, _), model in zip(reference.data, reference.models, strict=True):
        if model.nonzeros > MAX_NONZEROS:
            where = f"data set {clip(name)}: " if name else ""
            raise InputError(
                f"{where}the reference has {model.nonzeros:,} coefficients; an audit takes at most "
                f"{MAX_NONZEROS:,}, so give it smaller data"
            )
    named = [name or reference.name for name, _ in reference.data]
    order = sorted(range(len(named)), key=lambda n: reference.models[n].nonzeros)
    found: list[WrongModel] = []
    left: list[tuple[int, Fault]] = []
    models = [*map(Rules, reference.models)]
    for fault in faults_of(models):
        # The bounds of the variables say the same; but other data may have other constants.
        idle = all(fault.apply(model) is None for model in models)
        if idle and (build is None or not fault.rests_on_data):
            continue
        rule, size = _described(fault.rule, models)
        one = WrongModel(rule, size, fault.words)
        for n in order:
            told = _tells(fault, models[n], reference.columns, seconds)
            if told is None:
                one = replace(one, undecided=(*one.undecided, named[n]))
            elif told:
                one = replace(one, told_by=named[n], undecided=())
                break
        if not one.told:
            left.append((len(found), fault))
        found.append(one)
    tried, none = 0, set[int]()
    if build is not None and left:
        tried, none = _look_nearby(reference, build, found, left, seconds)
    wrong = tuple(one for n, one in enumerate(found) if n not in none)
    return Audit(reference.name, tuple(named), wrong, tried)


def _described(rule: str, models: Sequence[Rules]) -> tuple[str, int]:
    """Return a rule as its rows' names begin, and how many rows or variables it has."""
    every = [name for model in models for name in model.names(rule)]
    word, _, sense = rule.rpartition(" ")
    if word != "variables" and STEM.fullmatch(word):
        # Of senior_d1 and senior_d2, not the beginning of the days.
        ends = zip(min(every), max(every), strict=False)
        shared = "".join(a for a, _ in itertools.takewhile(lambda pair: pair[0] == pair[1], ends))
        start = re.match(r"(.*)[\W_]", shared)
        word = shared if shared == every[0] else start[1] if start else word
    return f"{word} {sense}", len(every)


def _tells(fault: Fault, model: Rules, columns: Sequence[str], seconds: float) -> bool | None:
    """Return whether a model tells a fault from itself; None if that was not decided."""
    wrong = fault.apply(model)
    if wrong is None:
        return False
    try:
        found = compare_with_reference(wrong, model.model, columns=columns, seconds=seconds)
    except Undecided:
        return None
    if found.wrong.point is not None or found.missing.point is not None:
        return True
    return False if found.same else None


def faults_of(models: Sequence[Rules]) -> list[Fault]:
    """Return the faults of all rules of some models of one reference."""
    rules = dict.fromkeys(rule for model in models for rule in model.families)
    whole = dict.fromkeys(rule for model in models for rule in model.whole)
    return [
        *(
            fault
            for rule in rules
            for fault in (*_own_faults(rule), *_mistaken(rule, rules, models))
        ),
        *(Fault(rule, "taken as continuous", partial(_relaxed, rule)) for rule in whole),
    ]


def _relaxed(rule: str, model: Rules) -> Model | None:
    return model.relaxed(rule)


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


def _own_faults(rule: str) -> Iterator[Fault]:
    """Yield the faults of a rule that need no other one."""
    for words, change in CHANGES[rule.rpartition("(")[2][:-1]].items():

        def apply(model: Rules, change: Change = change) -> Model | None:
            rows = {n: model.rows[n] for n in model.families.get(rule, ())}
            return model.changed(
                {n: change(row.low, row.high, model.reach(row).high) for n, row in rows.items()}
            )

        yield Fault(rule, words, apply)


def _mistaken(rule: str, rules: Iterable[str], models: Sequence[Rules]) -> Iterator[Fault]:
    """Yield the faults of a rule with the constants of another one.

    Each of its rows has the constant of the other rule's smallest row that has all its variables.
    So "one senior" becomes "as many seniors as people in all".
    """
    for other in rules:
        if other == rule or "(range)" in (rule[-7:], other[-7:]):
            continue
        if any(model.borrowed(rule, other) for model in models):

            def apply(model: Rules, other: str = other) -> Model | None:
                return model.changed(model.borrowed(rule, other))

            words = f"with the constants of {_described(other, models)[0]}"
            yield Fault(rule, words, apply, rests_on_data=True)


class _Nearby(NamedTuple):
    """Data beside those that are given: the changes in words, and the arguments of ``build``."""

    words: str
    data: list[Any]


def _look_nearby(
    reference: ReferenceModels,
    build: Build,
    found: list[WrongModel],
    left: Sequence[tuple[int, Fault]],
    seconds: float,
) -> tuple[int, set[int]]:
    """Look for data that tell the rest, and write them into ``found``.

    Return how many were tried, and which faults change nothing in any of them: they are none.
    What has told one fault is tried first for the others, so that few data are proposed.
    """
    clock = Deadline(SEARCH_SECONDS)
    candidates = _nearby(reference)
    models = build([(str(n), one.data) for n, one in enumerate(candidates)])
    built = [
        (one, Rules(model))
        for one, model in zip(candidates, models, strict=True)
        if isinstance(model, Model)
    ]
    built.sort(key=lambda pair: pair[1].model.nonzeros)
    given = [*map(Rules, reference.models)]
    proposed: list[tuple[_Nearby, Rules]] = []
    none = set()
    for place, fault in left:
        changing = [pair for pair in (*proposed, *built) if fault.apply(pair[1]) is not None]
        if not changing and all(fault.apply(model) is None for model in given):
            none.add(place)
        for one, model in changing:
            if clock.over:
                return len(built), none
            limit = min(seconds, clock.left() or seconds)
            if _tells(fault, model, reference.columns, limit):
                found[place] = replace(found[place], change=one.words, data=one.data)
                proposed.append((one, model))
                break
    return len(built), none


def _nearby(reference: ReferenceModels) -> list[_Nearby]:
    """Return data with one or two numbers changed, or one entry of a list left out."""
    draw = random.Random(SEED)  # noqa: S311 - not for secrets
    singles: list[_Nearby] = []
    doubles: list[_Nearby] = []
    for name, data in reference.data:
        start = f"{name}: " if name else ""
        changes = [*_changes(data, ())]
        singles += [_Nearby(start + words, _with(data, [change])) for words, *change in changes]
        for _ in range(min(len(changes), MAX_NEARBY // 4)):
            one, other = draw.sample(changes, 2) if len(changes) > 1 else (changes[0],) * 2
            numbers = one[2] is not _GONE and other[2] is not _GONE
            if numbers and one[1] != other[1]:
                both = _with(data, [[*one[1:]], [*other[1:]]])
                doubles.append(_Nearby(f"{start}{one[0]}, {other[0]}", both))
    singles = draw.sample(singles, min(len(singles), MAX_NEARBY * 3 // 4))
    return [*singles, *doubles[: MAX_NEARBY - len(singles)]]


_GONE: Any = object()
"""Stands for an entry of a list that is left out."""

Way = tuple[Any, ...]
"""The keys that lead to a place in data."""


def _changes(value: Any, path: Way) -> Iterator[tuple[str, Way, Any]]:
    """Yield the changes of data: words, the way to the place, and what stands there then."""
    where = " ".join(map(str, path[1:])) or "the data"
    if isinstance(value, dict):
        for key, one in value.items():
            yield from _changes(one, (*path, key))
    elif isinstance(value, list):
        for place, one in enumerate(value):
            if path:
                yield f"{where} without {json.dumps(one)}", (*path, place), _GONE
            yield from _changes(one, (*path, place))
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        for other in (value + 1, value - 1):
            if other >= 0 or value < 0:
                yield f"{where} is {other}, not {value}", path, other


def _with(data: list[Any], changes: Sequence[Sequence[Any]]) -> list[Any]:
    """Return a copy of data with changes."""
    changed = copy.deepcopy(data)
    for path, value in changes:
        holder: Any = changed
        for key in path[:-1]:
            holder = holder[key]
        if value is _GONE:
            del holder[path[-1]]
        else:
            holder[path[-1]] = value
    return changed
