"""Conflicts of a model with constructs: what they name suffices.

The numbers that switch a row of a construct off may rest on other constructs and rows. So a
subsystem of the rows that linearise a model can be feasible without the members that these numbers
rest on. Here each subsystem is linearised once more by its own members alone. If its rows stay as
they are, its proof holds. Else members are added until they are infeasible by their meaning, and
those that are not needed are removed.

Members whose constructs have no linear form without others, as a bound is missing, are split into
cases: a construct is a union of systems of rows.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import singledispatch
from itertools import pairwise
from typing import NamedTuple

from calmip._base.errors import InputError, SolverFailed
from calmip._base.limits import ENDLESS, CpuDeadline, Deadline
from calmip.mip.constructs import (
    BrokenLine,
    Construct,
    Equivalence,
    Extreme,
    Indicator,
    OrderedSet,
    SemiContinuous,
    Terms,
)
from calmip.mip.iis.constraint_sets import SIDES, Member
from calmip.mip.iis.subsystem import HARD_SECONDS, SEARCH, Subsystem, Subsystems
from calmip.mip.linearise import NoLinearForm, linearise, own_part
from calmip.mip.model import Model
from calmip.mip.rows import Bound, Number, is_finite

MAX_CASES = 200
"""The most systems of rows into which the constructs of some members are split."""

Case = Sequence[tuple[Terms, Bound, Bound]]
"""Rows that hold together."""

Values = Mapping[int, Number]


_What = tuple[frozenset[int], frozenset[Member]]
"""Members by their first rows, and the bounds and integrality that are left out."""


class _Answer(NamedTuple):
    """Whether members are feasible together, None if that is not known, and a point."""

    feasible: bool | None
    point: Values | None = None


class ConstructSubsystems:
    """The infeasible subsystems of the rows and constructs of a model, as `Subsystems` has them.

    First all bounds and integrality of columns are given; then those that are not needed go. What
    a construct says of its columns itself is no member: that a condition is binary, and that the
    row of an equivalence is of integers.

    Parameters
    ----------
    model
        The model, with constructs.
    keep, clock, rows_only, groups, among
        As for `Subsystems`. The rows of a construct are one member, and are in the same set.
    """

    def __init__(
        self,
        model: Model,
        *,
        keep: Iterable[int] = (),
        clock: Deadline = ENDLESS,
        rows_only: bool = False,
        groups: Iterable[Collection[int]] = (),
        among: Iterable[int] | None = None,
    ) -> None:
        assert model.logic is not None
        self._model, self._logic, self._clock = model, model.logic, clock
        self._own = own_part(model)
        self._kept = frozenset(keep)
        chosen = {tuple(sorted(group)) for group in groups}
        taken = self._kept.union(*chosen)
        single = ((row,) for row in range(len(model.rows)) if row not in taken)
        self._members = {rows[0]: rows for rows in (*chosen, *single)}
        self._search = Subsystems(
            model.changed(logic=None),
            keep=self._kept,
            clock=clock,
            rows_only=True,
            groups=chosen,
            among=among,
        )
        allowed = set(self._members if among is None else among)
        self._left = frozenset(allowed.intersection(self._members))
        self._rows_only = rows_only
        self._answers: dict[tuple[frozenset[int], frozenset[Member]], _Answer] = {}
        self._point: Values | None = None

    def point(self) -> Values | None:
        """Return a solution of what is in no subsystem so far, if one is known."""
        return self._point or self._search.point()

    def find(self, tries: int = 4, *, smallest: bool = False) -> Subsystem | None:
        """Return an infeasible subsystem of what is in none so far, or None if it is feasible.

        See `Subsystems.find`; a bound on the number of rows counts a construct as one.
        """
        found = self._search.find(tries, smallest=smallest)
        members = frozenset(found.numbers("row")) if found is not None else frozenset()
        if found is not None and found.proof and not self._is_alone(members):
            found = self._repaired(found, members)
            members = frozenset(found.numbers("row")) if found is not None else frozenset()
        self._left -= members
        self._search.restrict(self._left)
        if found is not None and found.proof and members and not self._rows_only:
            return self._with_columns(found, members)
        return found

    def _with_columns(self, found: Subsystem, chosen: frozenset[int]) -> Subsystem:
        """Return a subsystem with the bounds and integrality that it needs."""
        rows = self._kept.union(*(self._members[row] for row in chosen))
        own = range(len(self._own.rows))
        used = {c for row in rows if row in own for c in self._own.exact_row(row).terms}
        said: set[Member] = set()
        for one, owned in zip(self._logic.constructs, self._logic.owned, strict=True):
            if owned[0] in rows:
                used |= set(one.columns)
                said |= _said_of_columns(one)
        columns = sorted(used)
        given = [Member("integer", c) for c in columns if self._own.is_integer(c)]
        for column in columns:
            ends = zip(SIDES, self._own.bounds(column), strict=False)
            given += [Member(side, column) for side, end in ends if is_finite(end)]
        needed = [member for member in given if member not in said]
        integers = [member for member in needed if member.kind == "integer"]
        loose, witnesses = frozenset[Member](), dict(found.witnesses)
        clock, self._clock = self._clock, CpuDeadline(HARD_SECONDS, self._clock)
        for some in ([*integers], *([member] for member in needed)):
            without = loose.union(some)
            if without == loose or self._clock.over:
                continue
            answer = self._test(chosen, without)
            if answer.feasible is False:
                loose = without
            elif answer.point is not None and len(some) == 1:
                witnesses[some[0]] = answer.point
        self._clock = clock
        left = tuple(member for member in needed if member not in loose)
        certificate = None if loose else found.certificate
        proof = SEARCH if loose else found.proof
        return replace(
            found,
            members=(*found.members, *sorted(left)),
            witnesses=witnesses,
            proof=proof,
            certificate=certificate,
            rows_irreducible=found.irreducible,
        )

    def _is_alone(self, members: frozenset[int]) -> bool:
        """Return whether the rows of constructs rest on these members alone."""
        try:
            alone, numbers = self._linearised(members)
        except InputError:
            return False
        logic = alone.logic
        return logic is None or all(
            _rows_of(alone, own) == _rows_of(self._model, self._logic.owned[number])
            for number, own in zip(numbers, logic.owned, strict=True)
        )

    def _repaired(self, found: Subsystem, start: frozenset[int]) -> Subsystem | None:
        """Return a subsystem that is infeasible by its meaning, near one that may not be."""
        chosen = start
        if self._test(chosen).feasible is not False:
            whole = self._test(self._left)
            if whole.feasible:
                self._point = whole.point
                return None
            if whole.feasible is None:
                return replace(found, proof="", certificate=None)
            chosen |= self._added(chosen, sorted(self._left - chosen), changed=False)
        witnesses: dict[Member, Values] = {}
        for row in sorted(chosen):
            member, others = Member("row", row), chosen - {row}
            point = found.witnesses.get(member)
            if point is None or not self._holds(others, point):
                answer = self._test(others)
                if answer.feasible is False:
                    chosen = others
                    continue
                point = answer.point
            if point is not None:
                witnesses[member] = point
        groups = self._search.members.groups
        return Subsystem(
            tuple(Member("row", row) for row in sorted(chosen)),
            witnesses,
            SEARCH,
            None,
            found.least,
            {row: groups[row] for row in sorted(chosen) if row in groups},
            len(witnesses) == len(chosen),
        )

    def _added(
        self, given: frozenset[int], others: Sequence[int], *, changed: bool
    ) -> frozenset[int]:
        """Return a smallest set of others with which what is given is infeasible (QuickXplain).

        Junker 2004, https://cdn.aaai.org/AAAI/2004/AAAI04-027.pdf. ``changed``: whether something
        was given since the last test.
        """
        if changed and self._test(given).feasible is False:
            return frozenset()
        if len(others) == 1:
            return frozenset(others)
        half = len(others) // 2
        first, second = others[:half], others[half:]
        found = self._added(given.union(first), second, changed=True)
        return found | self._added(given | found, first, changed=bool(found))

    def _linearised(
        self,
        members: Iterable[int],
        cases: Mapping[int, Case] | None = None,
        loose: Iterable[Member] = (),
    ) -> tuple[Model, list[int]]:
        """Return the model of some members, and its constructs by number.

        Constructs that are split have the rows of a case instead. Some bounds and integrality are
        left out.
        """
        cases = cases or {}
        rows = self._kept.union(*(self._members[row] for row in members))
        part = self._own.with_rows(sorted(row for row in rows if row < len(self._own.rows)))
        by_side = {side: [c for kind, c in loose if kind == side] for side in SIDES}
        part = part.loosened({side: some for side, some in by_side.items() if some})
        for number, case in cases.items():
            for terms, low, high in case:
                columns = sorted(column for column, value in terms.items() if value)
                values = [terms[column] for column in columns]
                part = part.with_row(f"case {number}", columns, low, high, values)
        owned = enumerate(self._logic.owned)
        numbers = [n for n, own in owned if own[0] in rows and n not in cases]
        some = [self._logic.constructs[number] for number in numbers]
        return linearise(part, some, derived=False, again=True), numbers

    def _holds(self, members: Iterable[int], point: Values) -> bool:
        """Return whether members hold at a point, by the meaning of constructs."""
        rows = self._kept.union(*(self._members[row] for row in members))
        values = self._model.own(point)
        faults = self._model.violations(values)
        first = [own[0] for own in self._logic.owned]
        wrong = {
            first[one.number] if one.kind == "construct" else one.number
            for one in faults
            if one.kind in ("row", "construct")
        }
        return not rows & wrong

    def _test(self, members: frozenset[int], loose: frozenset[Member] = frozenset()) -> _Answer:
        """Return whether members are feasible together by their meaning, without some bounds."""
        key = members, loose
        if key not in self._answers:
            self._answers[key] = self._tested(key, {}, [MAX_CASES])
        return self._answers[key]

    def _tested(self, what: _What, split: Mapping[int, Case], left: list[int]) -> _Answer:
        try:
            model, _ = self._linearised(what[0], split, what[1])
        except NoLinearForm as error:
            constructs = enumerate(self._logic.constructs)
            number = next(n for n, one in constructs if one is error.construct)
            return self._split(what, split, number, left)
        except InputError:  # what should be binary is not
            return _Answer(None)
        linear = model.changed(logic=None)
        every = range(len(linear.rows))
        search = Subsystems(linear, keep=every, clock=self._clock, rows_only=True)
        try:
            found = search.find(1)
        except (SolverFailed, TimeoutError):
            return _Answer(None)
        if found is not None:
            return _Answer(False if found.proof else None)
        point = search.point()
        return _Answer(True, None if point is None else self._model.own(point))

    def _split(
        self, what: _What, split: Mapping[int, Case], number: int, left: list[int]
    ) -> _Answer:
        """Return whether members are feasible together, by the cases of one construct."""
        every = cases_of(self._logic.constructs[number])
        left[0] -= len(every)
        if not every or left[0] < 0:
            return _Answer(None)
        answer = _Answer(False)
        for case in every:
            one = self._tested(what, {**split, number: case}, left)
            if one.feasible:
                return one
            if one.feasible is None:
                answer = one
        return answer


def _said_of_columns(one: Construct) -> set[Member]:
    """Return the bounds and integrality of columns that a construct itself says."""
    binary: Iterable[int] = ()
    integer: Iterable[int] = ()
    if isinstance(one, Indicator):
        binary = dict(one.conditions)
    elif isinstance(one, Equivalence):
        binary, integer = [one.column], one.columns
    elif isinstance(one, Extreme) and one.logical:
        binary = one.columns
    found = {Member(side, column) for column in binary for side in SIDES}
    return found | {Member("integer", column) for column in integer}


def _rows_of(model: Model, rows: Iterable[int]) -> list[object]:
    """Return the rows of a construct and its auxiliary columns, numbered from the first on."""
    logic = model.logic
    assert logic is not None
    found = [model.exact_row(row) for row in rows]
    columns = sorted({c for row in found for c in row.terms if c >= logic.columns})
    names = {column: -1 - place for place, column in enumerate(columns)}
    return [
        [(model.bounds(column), model.is_integer(column)) for column in columns],
        [({names.get(c, c): v for c, v in row.terms.items()}, *row[1:]) for row in found],
    ]


@singledispatch
def cases_of(construct: Construct) -> list[Case]:
    """Return systems of rows of which one holds if and only if a construct holds.

    None are known for a projection, which needs no bound.
    """
    del construct
    return []


@cases_of.register
def _cases_of_indicator(one: Indicator) -> list[Case]:
    others: list[Case] = [[({c: 1}, 1 - value, 1 - value)] for c, value in one.conditions]
    return [*others, [(one.terms, one.low, one.high)]]


@cases_of.register
def _cases_of_equivalence(one: Equivalence) -> list[Case]:
    column = {one.column: 1}
    held = [] if not one.both else [(one.terms, one.low, one.high)]
    beyond = [
        [(column, 1 - one.value, 1 - one.value), (one.terms, *ends)] for ends in one.otherwise
    ]
    return [[(column, one.value, one.value), *held], *beyond]


@cases_of.register
def _cases_of_semi_continuous(one: SemiContinuous) -> list[Case]:
    return [[({one.column: 1}, 0, 0)], [({one.column: 1}, one.low, one.high)]]


@cases_of.register
def _cases_of_set(one: OrderedSet) -> list[Case]:
    members, most = one.members, one.most
    return [
        [({column: 1}, 0, 0) for column in (*members[:first], *members[first + most :])]
        for first in range(max(len(members) - most, 0) + 1)
    ]


@cases_of.register
def _cases_of_extreme(one: Extreme) -> list[Case]:
    differences = []
    for terms, constant in one.sums:
        difference = {column: -value for column, value in terms.items()}
        difference[one.column] = difference.get(one.column, 0) + 1
        differences.append((difference, constant))
    return [
        [
            (
                difference,
                constant if place == chosen or one.sign > 0 else -math.inf,
                constant if place == chosen or one.sign < 0 else math.inf,
            )
            for place, (difference, constant) in enumerate(differences)
        ]
        for chosen in range(len(differences))
    ]


@cases_of.register
def _cases_of_line(one: BrokenLine) -> list[Case]:
    found: list[Case] = []
    last = len(one.points) - 2
    for place, ((left, low), (right, high)) in enumerate(pairwise(one.points)):
        slope = Fraction(high - low) / (right - left)
        ends = left if place else -math.inf, right if place < last else math.inf
        value = low - slope * left
        line = {one.column: Fraction(1), one.argument: -slope}
        found.append([({one.argument: 1}, *ends), (line, value, value)])
    return found
