"""Whether the data sets of a reference tell it from wrong models.

Each rule of the reference has one fault at a time (`calmip.course.reference_faults`), and every
wrong model is compared with the reference on each data set: what no data set tells apart would
have full marks. Other data that do are looked for near the data sets. The method is that of
mutation testing (R. A. DeMillo, R. J. Lipton, F. G. Sayward, "Hints on test data selection", 1978,
https://doi.org/10.1109/C-M.1978.218136).
"""

from __future__ import annotations

import copy
import json
import math
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from calmip._base.errors import InputError, clip
from calmip._base.limits import Deadline
from calmip.course.checks import Failed, Undecided
from calmip.course.reference_faults import Fault, Rules, describe_rule, faults_of
from calmip.course.references import (
    COMPARISON_SECONDS,
    ReferenceModels,
    build_models,
    compare_with_reference,
)
from calmip.mip.model import Model
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
    tried
        How many other data near them do not tell it.
    change
        What was changed in a given data set to find other data that tell it apart, in words;
        empty if none were found or looked for.
    data
        These data: the arguments of ``build``; None without them.
    """

    KEYS = ("rule", "size", "fault", "told_by", "undecided", "tried", "change", "data")

    rule: str
    size: int
    fault: str
    told_by: str = ""
    undecided: tuple[str, ...] = ()
    tried: int = 0
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
    """

    KEYS = ("reference", "sets", "told", "wrong")

    reference: str
    sets: tuple[str, ...]
    wrong: tuple[WrongModel, ...]

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
    models = [*map(Rules, reference.models)]
    found: list[WrongModel] = []
    untold: list[tuple[int, Fault]] = []
    for fault in faults_of(models):
        # The bounds of the variables say the same; but other data may have other constants.
        same = all(fault.apply(model) is None for model in models)
        if same and (build is None or not fault.rests_on_data):
            continue
        rule, size = describe_rule(fault.rule, models)
        one = WrongModel(rule, size, fault.words)
        for n in order:
            told = tells(fault, models[n], reference.columns, seconds)
            if told is None:
                one = replace(one, undecided=(*one.undecided, named[n]))
            elif told:
                one = replace(one, told_by=named[n], undecided=())
                break
        if not one.told:
            untold.append((len(found), fault))
        found.append(one)
    if build is not None and untold:
        nearby = _Nearby(reference, build, seconds)
        for place, fault in untold:
            found[place] = nearby.told(fault, found[place])
        # A constant that is the other one in all of these data, too, is no fault.
        none = {
            place
            for place, fault in untold
            if nearby.is_none(fault) and all(fault.apply(model) is None for model in models)
        }
        found = [one for place, one in enumerate(found) if place not in none]
    return Audit(reference.name, tuple(named), tuple(found))


def tells(fault: Fault, model: Rules, columns: Sequence[str], seconds: float) -> bool | None:
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


_GONE: Any = object()
"""Stands for an entry of a list that is left out."""

Way = tuple[Any, ...]
"""The keys that lead to a place in data."""


class _Change(NamedTuple):
    """A change of data: words, the way to the place, and what stands there then."""

    words: str
    way: Way
    value: Any


class _Data(NamedTuple):
    """Data beside those that are given: what was changed, the arguments of ``build``, the model."""

    change: str
    data: list[Any]
    rules: Rules


class _Nearby:
    """Data beside those that are given, the smallest model first.

    What has told one fault is tried first for the others, so that few data are proposed.
    """

    def __init__(self, reference: ReferenceModels, build: Build, seconds: float) -> None:
        self._columns, self._seconds = reference.columns, seconds
        self._clock = Deadline(SEARCH_SECONDS)
        candidates = _changed(reference)
        models = build([(str(n), data) for n, (_, data) in enumerate(candidates)])
        built = [
            _Data(change, data, Rules(model))
            for (change, data), model in zip(candidates, models, strict=True)
            if isinstance(model, Model)
        ]
        self._all = sorted(built, key=lambda one: one.rules.model.nonzeros)

    def is_none(self, fault: Fault) -> bool:
        """Return whether there are models, and a fault changes none of them."""
        return bool(self._all) and all(fault.apply(one.rules) is None for one in self._all)

    def told(self, fault: Fault, one: WrongModel) -> WrongModel:
        """Return a wrong model with data that tell it, or how many do not."""
        tried = 0
        for place, near in enumerate(self._all):
            if self._clock.over:
                break
            limit = min(self._seconds, self._clock.left() or self._seconds)
            told = tells(fault, near.rules, self._columns, limit)
            if told:
                self._all.insert(0, self._all.pop(place))
                return replace(one, change=near.change, data=near.data)
            tried += told is False
        return replace(one, tried=tried)


def _changed(reference: ReferenceModels) -> list[tuple[str, list[Any]]]:
    """Return data with one or two numbers changed, or one entry of a list left out."""
    draw = random.Random(SEED)  # noqa: S311 - not for secrets
    singles: list[tuple[str, list[Any]]] = []
    doubles: list[tuple[str, list[Any]]] = []
    for name, data in reference.data:
        start = f"{name}: " if name else ""
        changes = [*_changes(data, ())]
        singles += [(start + one.words, _with(data, [one])) for one in changes]
        numbers = [one for one in changes if one.value is not _GONE]
        for _ in range(MAX_NEARBY // 4 if len(numbers) > 1 else 0):
            one, other = draw.sample(numbers, 2)
            if one.way != other.way:
                doubles.append((f"{start}{one.words}, {other.words}", _with(data, [one, other])))
    singles = draw.sample(singles, min(len(singles), MAX_NEARBY * 3 // 4))
    return [*singles, *doubles[: MAX_NEARBY - len(singles)]]


def _changes(value: Any, way: Way) -> Iterator[_Change]:
    """Yield the changes of data at a place, and below it."""
    where = " ".join(map(str, way[1:])) or "the data"
    if isinstance(value, dict):
        for key, one in value.items():
            yield from _changes(one, (*way, key))
    elif isinstance(value, list):
        for place, one in enumerate(value):
            if way:
                yield _Change(f"{where} without {json.dumps(one)}", (*way, place), _GONE)
            yield from _changes(one, (*way, place))
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        for other in (value + 1, value - 1):
            if other >= 0 or value < 0:
                yield _Change(f"{where} is {other}, not {value}", way, other)


def _with(data: list[Any], changes: Sequence[_Change]) -> list[Any]:
    """Return a copy of data with changes."""
    changed = copy.deepcopy(data)
    for _, way, value in changes:
        holder: Any = changed
        for key in way[:-1]:
            holder = holder[key]
        if value is _GONE:
            del holder[way[-1]]
        else:
            holder[way[-1]] = value
    return changed
