"""Whether the solutions of one model are those of another, on the columns that they share.

Each row, bound and integrality of one model is a question to the other one
(`calmip.mip.compare.implication`). Columns of one model alone are projected out
(`calmip.mip.compare.elimination`). Where that would make too many rows, every solution of the other
model is tried. A point that one model has and the other has not is checked in rational
numbers, on both models as they were read.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple, cast

from calmip._base.errors import InputError, SolverFailed, join_words
from calmip._base.limits import ENDLESS, Deadline
from calmip.mip.compare.elimination import project, uncompleted
from calmip.mip.compare.implication import ByHighs, Implications, Proposer
from calmip.mip.display import describe_number, quote, row_words
from calmip.mip.independent_search import find
from calmip.mip.lp.exact_lp import ExactLp
from calmip.mip.lp.inequality import Basis, HalfSpace, half_space, half_spaces
from calmip.mip.model import Model, Violation
from calmip.mip.rows import Number, is_finite
from calmip.mip.status import Status

PROOF_SECONDS = 20.0
"""The most seconds of exact search per direction without a time limit."""

SOLVER_SHARE = 0.9
"""The share of the remaining seconds in which HiGHS looks for a point that cannot be completed."""

SEARCH_SHARE = 0.75
"""The share of the rest for the same question to exact search; then all points are tried."""

FIRST_SLICE_SECONDS = 0.25
"""The seconds of exact search for each question at first."""

MAX_POINTS = 10_000
"""The most solutions that are tried one by one on a model with further columns."""

MAX_CONFIRMED = 3
"""The most sides for which an exact linear program is to confirm HiGHS's point."""

MAX_TERMS = 6
"""The terms of a row that are written."""

Numbers = Mapping[int, Number]


@dataclass(frozen=True)
class Side:
    """A side of a row, a bound or the integrality of a column, asked of the other model.

    Parameters
    ----------
    kind
        ``row``, ``bound`` or ``integrality``.
    name
        The name of the row or the column; of several rows after elimination, joined.
    words
        The inequality, or the type.
    holds
        Whether every solution of the other model satisfies it; None if that was not decided.
    basis
        What that rests on; None if it is violated or was not decided.
    relaxed
        Whether every point of the other model's linear relaxation satisfies it, if known.
    """

    KEYS = ("kind", "name", "words", "holds", "basis", "relaxed")

    kind: str
    name: str
    words: str
    holds: bool | None = None
    basis: Basis | None = None
    relaxed: bool | None = None


@dataclass(frozen=True)
class Inclusion:
    """Whether the solutions of one model are solutions of another, on the shared columns.

    Parameters
    ----------
    holds
        Whether that is so; None if it was not decided.
    sides
        All sides of the other model.
    point
        A solution of the one model that the other has not, exact; or None.
    violations
        The rows, bounds and integrality of the other model that the point violates.
    reason
        The same in words, if no values of further columns make the point a solution.
    relaxed_proved
        Whether `relaxed` rests on exact numbers alone.
    """

    holds: bool | None
    sides: tuple[Side, ...] = ()
    point: Mapping[int, Number] | None = None
    violations: tuple[Violation, ...] = ()
    reason: str = ""
    relaxed_proved: bool = False

    @property
    def proved(self) -> bool:
        """Whether it holds, and rests on exact numbers alone."""
        exact = all(side.basis is not None and side.basis.exact for side in self.sides)
        return self.holds is True and exact

    @property
    def relaxed(self) -> bool | None:
        """Whether the same holds for the linear relaxations; None if not known."""
        found = [side.relaxed for side in self.sides if side.kind != "integrality"]
        return False if False in found else None if None in found else True


class _Question(NamedTuple):
    """A side in the columns of the other model, and in the numbers of its file."""

    half: HalfSpace | None
    terms: Numbers
    side: Number
    column: int = -1
    """The column whose integrality is asked for, or -1."""


def include(
    one: Model,
    other: Model,
    columns: Mapping[int, int],
    clock: Deadline = ENDLESS,
    solver: Proposer | None = None,
) -> Inclusion:
    """Return whether the solutions of one model are solutions of another.

    Parameters
    ----------
    one, other
        The models.
    columns
        The column of the one model by the column of the other, for those that they share.
    clock
        The time limit.
    solver
        As for `Implications`.
    """
    return _Inclusion(one, other, columns, clock, solver).decide()


class _Inclusion:
    def __init__(
        self,
        one: Model,
        other: Model,
        columns: Mapping[int, int],
        clock: Deadline,
        solver: Proposer | None,
    ) -> None:
        # The rows and columns that linearise constructs are as good as any others here.
        self.one, self.other = one.changed(logic=None), other.changed(logic=None)
        self.columns, self.clock = columns, clock
        self.proposer = solver or ByHighs()
        self.asked = Implications(self.one, clock, self.proposer)
        self.further = [c for c in range(len(other.columns)) if c not in columns]
        self.projected = project(self.other, self.further, clock.first(0.2))
        self.questions: list[_Question] = []
        self.sides: list[Side] = []
        self.extended: list[int] = []
        """The sides with columns that could not be eliminated."""
        self._completion: ExactLp | None = None
        self._ask()

    def _ask(self) -> None:
        """List the sides of the other model."""
        names, flags = self.other.columns, self.asked.integer
        for row in self.projected.rows:
            name = " + ".join(self.other.rows[number] for number in row.origin)
            if any(column not in self.columns for column in row.terms):
                self.extended.append(len(self.sides))
                words = row_words(row.terms, row.low, row.high, names, most=MAX_TERMS)
                self._add(Side("row", name, words), None)
                continue
            terms = {self.columns[c]: value for c, value in row.terms.items()}
            for upper, half in half_spaces(terms, row.low, row.high, flags):
                low, high = (-math.inf, row.high) if upper else (row.low, math.inf)
                words = row_words(row.terms, low, high, names, most=MAX_TERMS)
                sign = 1 if upper else -1
                own = {c: sign * value for c, value in terms.items()}
                end = cast("Number", row.high if upper else row.low)
                self._add(Side("row", name, words), half, own, sign * end)
        integer = list(map(bool, self.other.values("integer")))
        for column, index in self.columns.items():
            for sign, bound in zip((-1, 1), self.other.bounds(column), strict=True):
                if is_finite(bound):
                    half = half_space({index: sign}, sign * bound, flags)
                    words = f"{names[column]} {'<=' if sign > 0 else '>='} {describe_number(bound)}"
                    side = Side("bound", names[column], words)
                    self._add(side, half, {index: sign}, sign * bound)
            if integer[column] and not flags[index]:
                side = Side("integrality", names[column], f"{names[column]} is integer")
                self.sides.append(side)
                self.questions.append(_Question(None, {}, 0, index))

    def _add(
        self, side: Side, half: HalfSpace | None, terms: Numbers | None = None, end: Number = 0
    ) -> None:
        self.sides.append(side)
        self.questions.append(_Question(half, terms or {}, end))

    def _close(self, number: int, basis: Basis, relaxed: bool | None = None) -> None:
        relaxed = self.sides[number].relaxed if relaxed is None else relaxed
        self.sides[number] = replace(self.sides[number], holds=True, basis=basis, relaxed=relaxed)

    def _open(self, *, halves: bool = True) -> list[int]:
        """Return the numbers of the sides that are not decided."""
        return [
            number
            for number, side in enumerate(self.sides)
            if side.holds is None and (self.questions[number].half is not None) is halves
        ]

    def decide(self) -> Inclusion:
        """Return the answer."""
        found = self._decide()
        return replace(found, relaxed_proved=self._confirm(found))

    def _confirm(self, found: Inclusion) -> bool:
        """Return whether the answer for the linear relaxations is proved.

        That one implies a side always is; that a point violates it is HiGHS's word at first.
        """
        if found.relaxed is not False:
            return found.relaxed is True
        if not self.further and any(one.kind != "integrality" for one in found.violations):
            return True
        outside = [
            question.half
            for question, side in zip(self.questions, found.sides, strict=True)
            if side.relaxed is False and question.half is not None
        ]
        return any(self.asked.exceeds(half) for half in outside[:MAX_CONFIRMED])

    def _decide(self) -> Inclusion:
        self._by_rows()
        self._by_relaxation()
        found = self._by_probe()
        if found is None:
            self._by_strengthening()
            found = self._by_solver()
        if found is None:
            self._by_search()
            found = self._wrong
        if found is None and self.extended:
            found = self._by_multipliers()
        if found is None and any(side.holds is None for side in self.sides):
            found = self._by_points()
        if found is not None:
            return found
        holds = True if all(side.holds for side in self.sides) else None
        return Inclusion(holds, tuple(self.sides))

    def _by_rows(self) -> None:
        for number in self._open():
            half, terms, end, _ = self.questions[number]
            assert half is not None
            if self.clock.over:
                return
            basis, relaxed = self.asked.quick(half)
            if basis is Basis.BOUNDS and self.sides[number].kind == "bound":
                ((column, sign),) = terms.items()
                own = self.asked.bounds[column][1 if sign > 0 else 0]
                basis = Basis.ROW if sign * own == end else basis
            if basis is None and self.asked.rounded(half, terms, end):
                basis = Basis.ROUNDING
            self.sides[number] = replace(self.sides[number], relaxed=relaxed)
            if basis is not None:
                self._close(number, basis)
        for number in self._open(halves=False):
            column = self.questions[number].column
            if column >= 0 and self.asked.integral(column):
                self._close(number, Basis.ROW)

    def _by_relaxation(self) -> None:
        limit = Deadline(None if self.clock.seconds is None else (self.clock.left() or 0) / 3)
        for number, (question, side) in enumerate(zip(self.questions, self.sides, strict=True)):
            if question.half is None or (side.holds and side.relaxed is not None):
                continue
            if side.basis is Basis.ROUNDING or limit.over:
                continue
            implied, relaxed = self.asked.linear(question.half)
            if implied and not side.holds:
                self._close(number, Basis.LINEAR, relaxed)
            else:
                self.sides[number] = replace(side, relaxed=relaxed)

    def _by_strengthening(self) -> None:
        """Ask tighter bounds and rows."""
        limit = Deadline(None if self.clock.seconds is None else (self.clock.left() or 0) / 3)
        for number in self._open():
            half = self.questions[number].half
            assert half is not None
            if limit.over:
                return
            if self.asked.strengthened(half):
                self._close(number, Basis.STRENGTHENED)

    # counter-examples

    def _found(self, number: int, point: Numbers) -> Inclusion | None:
        """Return the answer that a point refutes the inclusion, if the other model has it not."""
        question = self.questions[number]
        least: dict[int, Number] = dict(point)
        if question.half is not None:
            least = self.asked.smaller(least, question.half, 2.0)
        for one in (least, point):
            missed, violations, reason = self._misses(one)
            if missed:
                self.sides[number] = replace(self.sides[number], holds=False)
                return Inclusion(False, tuple(self.sides), one, violations, reason)
        return None

    def _misses(self, point: Numbers) -> tuple[bool | None, tuple[Violation, ...], str]:
        """Return whether the other model has not an exact point, what it violates, and why."""
        values = {column: point[index] for column, index in self.columns.items() if index in point}
        if not self.further:
            violations = tuple(self.other.violations(values))
            return bool(violations), violations, ""
        shared = tuple(
            one
            for one in self.other.violations(values)
            if one.kind != "row" and one.number in self.columns
        )
        if shared:
            return True, shared, ""
        if self._completion is None:
            self._completion = ExactLp(self.other, self.further)
        answer = self._completion.solve(values, Deadline(self.clock.left(0.5) or 5.0))
        if answer.status is Status.INFEASIBLE:
            rows = [quote(self.other.rows[row]) for row in sorted(answer.prices)]
            words = f"rows {join_words(rows, most=6)}" if rows else answer.reason
            return True, (), f"no values of its further columns satisfy {words}"
        if answer.status is Status.UNKNOWN:
            return None, (), ""
        integer = self.other.values("integer")
        if not any(integer[column] for column in self.further):
            return False, (), ""
        fixed = self.other.fixed({column: values.get(column, 0) for column in self.columns})
        there, _ = find(fixed, Deadline(self.clock.left(0.5) or 5.0), least=0.1)
        missed = None if there is None else not there
        return missed, (), "no integer values of its further columns satisfy its rows"

    def _by_probe(self) -> Inclusion | None:
        """Try the best solution that HiGHS finds, and the points that it is asked for."""
        if not self._open() and not self.extended:
            return None
        point = self.asked.best(1.0)
        if point is None:
            return None
        for number in self._open():
            half = self.questions[number].half
            if half is not None and half.value(point) > half.side:
                return self._found(number, point)
        return self._found(self.extended[0], point) if self.extended else None

    def _by_solver(self) -> Inclusion | None:
        """Ask HiGHS for a violation of each side."""
        self._denied: list[int] = []
        todo = [*self._open(), *self._open(halves=False)]
        for index, number in enumerate(todo):
            left = self.clock.left()
            if self.clock.over:
                break
            seconds = 60.0 if left is None else max(left / 2 / (len(todo) - index), left / 10)
            question = self.questions[number]
            if question.half is not None:
                there, point = self.asked.point(question.half, seconds)
            elif question.column >= 0:
                there, point = self.asked.fractional(question.column, seconds)
            else:
                continue
            if there:
                found = self._found(number, point)
                if found is not None:
                    return found
            elif there is False and question.half is None:
                self._close(number, Basis.SOLVER)
            elif there is False:
                self._denied.append(number)
        return None

    _wrong: Inclusion | None = None

    def _by_search(self) -> None:
        """Decide what is left by exact search; at the time limit, HiGHS's word stays."""
        left = self.clock.left()
        deadline = Deadline(PROOF_SECONDS if left is None else left)
        for round_ in range(2):
            todo = self._open()
            for index, number in enumerate(todo):
                if deadline.over or self.clock.over:
                    break
                rest = (deadline.left() or 0) / (len(todo) - index)
                half = self.questions[number].half
                assert half is not None
                seconds = min(FIRST_SLICE_SECONDS, rest) if not round_ else rest
                there, point = self.asked.search(half, Deadline(seconds))
                if there:
                    self._wrong = self._found(number, point)
                    if self._wrong is not None:
                        return
                elif there is False:
                    self._close(number, Basis.SEARCH)
        for number in self._denied:
            if self.sides[number].holds is None:
                self._close(number, Basis.SOLVER)

    def _by_multipliers(self) -> Inclusion | None:
        """Look for a solution that no values of the further columns complete."""
        made = uncompleted(self.one, self.other, self.projected, self.columns)
        if made is None or self.clock.over:
            return None
        model, half = made
        asked = Implications(model, self.clock, self.proposer)
        left = self.clock.left()
        there, point = asked.point(half, 60.0 if left is None else SOLVER_SHARE * left)
        self._complete = there is False
        if not there and not self.clock.over:
            left = self.clock.left()
            seconds = PROOF_SECONDS if left is None else SEARCH_SHARE * left
            there, point = asked.search(half, Deadline(seconds))
        if there:
            own = {c: value for c, value in point.items() if c < len(self.one.columns)}
            return self._found(self.extended[0], own)
        if there is False:
            for number in self.extended:
                self._close(number, Basis.SEARCH)
        return None

    _complete = False
    """Whether HiGHS says that all solutions can be completed."""

    def _by_points(self) -> Inclusion | None:
        """Try every solution of the one model on the other."""
        shared = sorted(self.columns.values())
        if not self.extended:
            return None
        basis = Basis.SOLVER if self._complete else None
        if all(self.asked.integer[index] for index in shared):
            try:
                found, complete = self._try_points(shared)
            except (InputError, SolverFailed, TimeoutError):
                found, complete = None, False
            if found is not None:
                return found
            basis = Basis.SEARCH if complete else basis
        for number, side in enumerate(self.sides):
            of_points = basis is Basis.SEARCH or number in self.extended
            if basis is not None and side.holds is None and of_points:
                self._close(number, basis)
        return None

    def _try_points(self, shared: list[int]) -> tuple[Inclusion | None, bool]:
        """Return the answer that a solution refutes it, and whether all solutions were tried."""
        from calmip.mip.pool import PoolSearch

        left = self.clock.left()
        clock = Deadline(PROOF_SECONDS if left is None else left)
        search = PoolSearch(self.one, distinct=shared, clock=clock)
        for tried, (_, point) in enumerate(search):
            missed, _, _ = self._misses(point)
            if missed:
                return self._found(self.extended[0], point), False
            if missed is None or tried >= MAX_POINTS or clock.over:
                return None, False
        return None, search.complete
