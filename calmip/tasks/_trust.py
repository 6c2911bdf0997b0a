"""Verification of solvers' claims: a point is checked, and any other claim needs a witness.

A solution is checked row by row, and on its board where there is one. Values of continuous
variables, which solvers round, are completed exactly. A *witness* verifies that
there is no solution, no better one, or no further one. It is a search of calmip that did not
make the claim, a ``.solu`` file or a suite. A claim that no witness decides in time is
unverified.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from calmip._base.errors import InputError, NotATiling, SolverFailed
from calmip._base.limits import ENDLESS, Deadline
from calmip.formats.model_files import Known
from calmip.formats.reading import quote
from calmip.formats.values import TOLERANCE, chosen_options
from calmip.problem.cover import ExactCover
from calmip.problem.defined import complete
from calmip.problem.display import shortest
from calmip.problem.model import Model, Number, Violation
from calmip.problem.status import Status
from calmip.problem.tiling import Packing, Tiling
from calmip.search import witnesses
from calmip.solvers import Outcome

if TYPE_CHECKING:
    from calmip.models import Formulation
    from calmip.search.exact_lp import LinearAnswer

__all__ = [
    "Checked",
    "Evidence",
    "Judgement",
    "Standing",
    "alike",
    "check_point",
    "falls_short",
    "greatest_violations",
    "judge_count",
    "judge_cover",
    "judge_model",
    "judge_none",
    "verify",
]

ALIKE = 1e-6
"""The relative difference below which objectives are the same."""

REPORT = "report this to the solver's developers"
LATE = "the check took too long"


class Standing(StrEnum):
    """Whether a claim is verified."""

    VERIFIED = "verified"
    """A check or a witness agrees."""
    UNVERIFIED = "unverified"
    """No check refutes it, and no witness has decided it."""
    REFUTED = "refuted"
    """A check or a witness refutes it."""


@dataclass(frozen=True)
class Judgement:
    """The verdict on a claim.

    Parameters
    ----------
    status
        Optimal, feasible, infeasible or unbounded; unknown without a solution or a verified claim.
    standing
        Whether the claim is verified; None if the solver claims nothing.
    reason
        The counter-example, or that the claim is unverified; else the solver's own word.
    point
        The exact values of the columns that are not 0 in a checked point of a model.
    packing
        The checked tiling, or packing.
    exact
        Whether the point is a solution exactly; else it is one within 1e-6.
    note
        How the point differs from the solver's, in words; empty if it does not.
    """

    status: Status
    standing: Standing | None
    reason: str
    point: Mapping[int, Number] = field(default_factory=dict)
    packing: Packing | None = None
    exact: bool = True
    note: str = ""

    def accept(self) -> Judgement:
        """Return the judgement itself, or raise `SolverFailed` if the claim is refuted."""
        if self.standing is Standing.REFUTED:
            raise SolverFailed(self.reason)
        return self


def falls_short(objective: float, optimum: float, *, maximise: bool, unit: float) -> bool:
    """Whether an objective is worse than the optimum by more than a file's rounding.

    The difference is relative to the optimum, or near zero to ``unit``: the largest cost, at
    most 1.
    """
    lack = optimum - objective if maximise else objective - optimum
    return lack > ALIKE * max(unit, abs(optimum))


def alike(stated: float, objective: float) -> bool:
    """Whether a stated objective is the computed one but for rounding."""
    return abs(stated - objective) <= ALIKE * max(1.0, abs(objective))


def verify(
    cover: ExactCover, outcome: Outcome, solver: str, model: Formulation
) -> tuple[list[int], Packing]:
    """Return the options that a solver's values choose, and the tiling or packing that they make.

    Raises
    ------
    SolverFailed
        If the values are not 0 and 1 on columns of the model, or make neither a tiling nor a
        packing.
    """
    try:
        options = chosen_options(cover, outcome.values, auxiliary=model.auxiliary)
        if cover.packs:
            packing = Packing.from_options(cover, options)
            if packing.missing:
                return options, packing
        return options, Tiling.from_options(cover, options)
    except (NotATiling, InputError) as error:
        raise SolverFailed(
            f"{solver} says '{outcome.detail}', but its answer is not a tiling: {error}"
        ) from None


def judge_cover(
    cover: ExactCover, model: Formulation, outcome: Outcome, solver: str, clock: Deadline
) -> Judgement:
    """Judge a solver's answer to a formulation of an exact cover: a tiling, or that there is none.

    An optimal packing that is not a tiling is a claim that there is no tiling.
    """
    packing: Packing | None = None
    claim = f"{solver} says '{outcome.detail}'"
    if outcome.status not in (Status.OPTIMAL, Status.FEASIBLE, Status.INFEASIBLE):
        return Judgement(Status.UNKNOWN, None, outcome.detail)
    if outcome.status is not Status.INFEASIBLE:
        try:
            packing = verify(cover, outcome, solver, model)[1]
        except SolverFailed as error:
            return Judgement(Status.UNKNOWN, Standing.REFUTED, str(error))
        if isinstance(packing, Tiling):
            return Judgement(Status.FEASIBLE, Standing.VERIFIED, outcome.detail, packing=packing)
        if outcome.status is not Status.OPTIMAL:
            return Judgement(Status.UNKNOWN, None, outcome.detail, packing=packing)
        claim = f"{solver} says that at least {len(packing.missing)} cells stay uncovered"
    return replace(judge_none(cover, claim, solver, clock, outcome.detail), packing=packing)


def judge_none(
    cover: ExactCover, claim: str, solver: str, clock: Deadline, detail: str
) -> Judgement:
    """Judge the claim that a cover has no tiling."""
    there, tiling = witnesses.exists(cover, clock, against=solver)
    if there:
        names = " ".join(cover.option_names[option] for option in tiling)
        reason = f"{claim}, but there is a tiling: {names}; {REPORT}"
        return Judgement(Status.FEASIBLE, Standing.REFUTED, reason)
    if there is None:
        return Judgement(Status.UNKNOWN, Standing.UNVERIFIED, f"{claim}, but {LATE}")
    return Judgement(Status.INFEASIBLE, Standing.VERIFIED, detail)


class Evidence:
    """The facts about a model by which claims are judged; each question is asked once.

    Parameters
    ----------
    model
        The model.
    clock
        Makes the clock of a search for any solution.
    known, source
        The answer that a ``.solu`` file or a suite gives, and the file's name.
    """

    def __init__(
        self,
        model: Model,
        clock: Callable[[], Deadline],
        known: Known | None = None,
        source: str = "",
    ) -> None:
        self.model, self.known, self.source = model, known or ("unkn", None), source
        self.clock = clock
        size = max((max(cost, -cost) for cost in model.costs.values()), default=1)
        self._unit: Number = min(size, 1)  # the objective's, if its costs are small
        self._best: Mapping[int, Number] | None = None
        self._solvable: dict[bool, bool | None] = {}
        self._unbeaten: dict[float, bool | None] = {}
        self._counts: dict[int, int | None] = {}

    def check(self, point: Mapping[int, Number]) -> None:
        """Raise `NotATiling` or `SolverFailed` if a point that satisfies every row is refuted."""

    def search(self, against: str) -> tuple[bool | None, Mapping[int, Number] | None]:
        """Search for a solution, to judge a solver; see `calmip.search.witnesses`.

        The solution of all zeros is an empty mapping; None is one whose values are not known.
        """
        return witnesses.find(self.model, self.clock(), against=against)

    @cached_property
    def relaxed(self) -> LinearAnswer:
        """The exact answer to the linear relaxation."""
        from calmip.search.exact_lp import ExactLp

        clock = Deadline(self.clock().left(witnesses.WITNESS_SECONDS))
        return ExactLp(self.model, range(len(self.model.columns))).solve(clock=clock)

    def optimum(self) -> float | None:
        """Return the optimum if it is known without a search of the model."""
        return None

    def count(self, most: int) -> int | None:
        """Return the number of solutions, at most one above ``most``; None at the time limit."""
        if most not in self._counts:
            self._counts[most] = witnesses.number_of(self.model, most, self.clock())
        return self._counts[most]

    def _search_better(self, point: Mapping[int, Number]) -> bool | None:
        """Return whether a short search finds a better solution; None if not in time."""
        value = self._cost(point)
        most = min(value - Fraction(ALIKE) * max(self._unit, value, -value), value - self._step)
        clock = Deadline(witnesses.WITNESS_SECONDS)
        there, better = witnesses.find(self.model, clock, most=most)
        if there:
            self.note(better)
        return there

    @cached_property
    def _step(self) -> Number:
        """A number that divides the costs, if only integers have costs; else 0."""
        costs = self.model.costs
        if not all(map(self.model.is_integer, costs)):
            return 0
        up = math.lcm(*(cost.denominator for cost in costs.values()))
        return Fraction(math.gcd(*(int(cost * up) for cost in costs.values())), up)

    def polish(self, found: Checked) -> Checked:
        """Return an exact point with continuous values that are better by rounding, if any."""
        model = self.model
        if not found.exact or found.note or all(model.values("integer")):
            return found
        better = _completed(model, found.point, Deadline(witnesses.WITNESS_SECONDS))
        if better.status is not Status.OPTIMAL or better.cost == self._cost(found.point):
            return found
        if self._short(model.objective(found.point), model.objective(better.point)):
            return found
        return found._replace(point=better.point, note="continuous values were completed exactly")

    def note(self, point: Mapping[int, Number]) -> None:
        """Keep a checked solution as a witness, if it is the best one so far."""
        if self._best is None or self._cost(point) < self._cost(self._best):
            self._best = point

    def _cost(self, point: Mapping[int, Number]) -> Number:
        """Return the exact cost of a solution, to be minimised, without its constant."""
        return sum(cost * point[c] for c, cost in self.model.costs.items() if c in point)

    def solvable(self, against: str = "") -> bool | None:
        """Return whether there is a solution; None if not known in time."""
        if self._best is not None:
            return True
        own = against == "exact-cover"  # exact-cover is the witness against the others
        if own not in self._solvable:
            self._solvable[own], point = self.search(against)
            if self._solvable[own] and point is not None:
                self.note(point)
        return self._solvable[own]

    def counter_example(self) -> str:
        """Return the known solution in words."""
        known = self._best is not None and self.model.binary
        ones = f" with {len(self._best or ())} ones" if known else ""
        return f"a point{ones} satisfies every row"

    def judge_infeasible(self, solver: str = "") -> tuple[Standing, str]:
        """Judge a solver's claim that there is no solution; return the reason, too."""
        word, there = self.known[0], self.solvable(solver)
        if there:
            return Standing.REFUTED, f"{self.counter_example()}; {REPORT}"
        if there is False:
            return Standing.VERIFIED, "a search of the model proves it"
        if word in ("opt", "best", "feas"):
            return Standing.REFUTED, f"{self.source} says that there is a solution"
        if word == "inf":
            return Standing.VERIFIED, f"{self.source} says so"
        return Standing.UNVERIFIED, LATE

    def judge_unbounded(self, solver: str = "") -> tuple[Standing, str]:
        """Judge the claim that solutions are arbitrarily good; return the reason, too.

        With a solution, a ray of the linear relaxation proves it for rational numbers (Meyer 1974,
        https://doi.org/10.1007/BF01585518).
        """
        status = self.relaxed.status
        if status is Status.UNBOUNDED:
            there = self.solvable(solver)
            if there:
                return Standing.VERIFIED, "a solution and a ray prove it"
            late = Standing.UNVERIFIED, LATE
            return late if there is None else (Standing.REFUTED, "there is no solution")
        if status is Status.OPTIMAL:
            bound = self.model.objective(self.relaxed.point)
            return Standing.REFUTED, f"no solution is better than {bound:g}; {REPORT}"
        if status is Status.INFEASIBLE:
            return Standing.REFUTED, f"there is no solution; {REPORT}"
        return Standing.UNVERIFIED, LATE

    def judge_optimal(self, point: Mapping[int, Number]) -> tuple[Standing, str]:
        """Judge the claim that no solution is better than a checked one; return the reason, too."""
        objective = self.model.objective(point)
        proved, (word, given) = self.optimum(), self.known
        if proved is None and not self._beaten(objective) and objective not in self._unbeaten:
            self._unbeaten[objective] = self._search_better(point)
        if self.reached(objective):
            return Standing.VERIFIED, "a search proves it, or a file says so"
        if proved is not None:
            return Standing.REFUTED, f"the optimum is {proved:g}, not {objective:g}"
        if self._beaten(objective):
            better = f"a point with the objective {self._best_objective:g}, not {objective:g}"
            return Standing.REFUTED, f"{better}, satisfies every row; {REPORT}"
        if given is not None and self._short(objective, given):
            words = f"the {'optimum' if word == 'opt' else 'best known objective'} is {given:g}"
            return Standing.REFUTED, f"{self.source} says that {words}, not {objective:g}"
        return Standing.UNVERIFIED, LATE

    def reached(self, objective: float) -> bool:
        """Return whether an objective is known to be the optimum."""
        proved, (word, given) = self.optimum(), self.known
        if proved is not None:
            return not self._short(objective, proved)
        if self._unbeaten.get(objective) is False:
            return True
        if word != "opt" or given is None or self.doubt or self._beaten(objective):
            return False
        return not self._short(objective, given)

    @property
    def _best_objective(self) -> float | None:
        return None if self._best is None else self.model.objective(self._best)

    def _beaten(self, objective: float) -> bool:
        """Whether a checked solution is better."""
        best = self._best_objective
        return best is not None and self._short(objective, best)

    def _short(self, objective: float, optimum: float) -> bool:
        return falls_short(objective, optimum, maximise=self.model.maximise, unit=float(self._unit))

    @property
    def doubt(self) -> str:
        """The counter-example to the ``.solu`` file or suite, in words; or empty."""
        word, given = self.known
        claim = f"{self.source} says ={word}="
        if word == "inf" and self._best is not None:
            return f"{claim}, but a checked solution satisfies every row"
        if word in ("opt", "best", "feas") and False in self._solvable.values():
            return f"{claim}, but a search proves that there is no solution"
        if given is None:
            return ""
        claim = f"{claim} {given:g}"
        if word == "opt" and self._beaten(given):
            return f"{claim}, but a checked solution has the objective {self._best_objective:g}"
        for objective, better in self._unbeaten.items():
            if better is False and self._short(objective, given):
                return f"{claim}, but a search proves that none is better than {objective:g}"
        return ""


def judge_model(evidence: Evidence, outcome: Outcome, solver: str) -> Judgement:
    """Judge a solver's answer to a model: a solution, the best one, or that there is none."""
    claim = f"{solver} says '{outcome.detail}'"
    if outcome.status in (Status.INFEASIBLE, Status.UNBOUNDED):
        infeasible = outcome.status is Status.INFEASIBLE
        judge = evidence.judge_infeasible if infeasible else evidence.judge_unbounded
        standing, why = judge(solver)
        if standing is Standing.VERIFIED:
            return Judgement(outcome.status, standing, outcome.detail)
        return Judgement(Status.UNKNOWN, standing, f"{claim}, but {why}")
    if outcome.status not in (Status.OPTIMAL, Status.FEASIBLE):
        return Judgement(Status.UNKNOWN, None, outcome.detail)
    model = evidence.model
    try:
        found = check_point(model, outcome.values, claim, evidence.clock())
        evidence.check(found.point)
    except (SolverFailed, NotATiling) as error:
        return Judgement(Status.UNKNOWN, Standing.REFUTED, str(error))
    if outcome.status is Status.OPTIMAL:
        found = evidence.polish(found)
    if found.exact:
        evidence.note(found.point)
    if outcome.status is not Status.OPTIMAL or not model.costs:
        standing, status, why = Standing.VERIFIED, Status.FEASIBLE, ""
    else:
        status = Status.OPTIMAL
        standing, why = evidence.judge_optimal(found.point)
    if not found.exact and standing is not Standing.REFUTED:
        standing, why = Standing.UNVERIFIED, found.note
    reason = outcome.detail if standing is Standing.VERIFIED else f"{claim}, but {why}"
    return Judgement(status, standing, reason, found.point, exact=found.exact, note=found.note)


def judge_count(found: int | None, number: int, claim: str) -> Judgement:
    """Judge the claim of a number of solutions, by a witness's number."""
    if found is None:
        return Judgement(Status.UNKNOWN, Standing.UNVERIFIED, f"{claim}, but {LATE}")
    if found != number:
        there = "more" if found > number else str(found)
        return Judgement(Status.UNKNOWN, Standing.REFUTED, f"{claim}, but there are {there}")
    return Judgement(Status.DONE, Standing.VERIFIED, claim)


class Checked(NamedTuple):
    """A checked point of a model.

    Parameters
    ----------
    point
        The exact values of the columns that are not 0.
    exact
        Whether the point is a solution exactly; else it is one within 1e-6.
    note
        How the point differs from the values that were given, in words; empty if it does not.
    violation
        The greatest violation of the values that were given; None if they are exact.
    """

    point: Mapping[int, Number]
    exact: bool = True
    note: str = ""
    violation: Violation | None = None


def check_point(
    model: Model, values: Mapping[str, float | Number], claim: str, clock: Deadline = ENDLESS
) -> Checked:
    """Check every value, bound and row of a point in exact arithmetic.

    Values of integers are rounded. If the other values violate a row or a bound within 1e-6,
    the best exact values for these integers replace them.

    Raises
    ------
    SolverFailed
        If a name is not a column, an integer has another value, or a row or a bound is violated by
        more.
    """
    numbers = {name: number for number, name in enumerate(model.columns)}
    point: dict[int, Number] = {}
    for name, value in values.items():
        if name not in numbers:
            raise SolverFailed(f"{claim}, but its answer names {name!r}, which is not a column")
        exact = exact_number(value) if math.isfinite(value) else None
        nearest = round(exact or 0)
        known = exact is not None and nearest in (0, 1) and _near(exact, nearest)
        if model.binary and not known:
            raise SolverFailed(f"{claim}, but its answer has the value {_text(value)}, not 0 or 1")
        if exact is None:
            raise SolverFailed(f"{claim}, but its answer has the value {value!r}")
        if model.is_integer(numbers[name]):
            if not _near(exact, nearest):
                what = f"the value {_text(value)} of the integer column {name!r}"
                raise SolverFailed(f"{claim}, but its answer has {what}")
            exact = nearest
        if exact:
            point[numbers[name]] = exact
    point = complete(model, point, {c for name, c in numbers.items() if name not in values})
    if model.binary:
        row = model.violated(point)
        if row is None:
            return Checked(point)
        raise SolverFailed(f"{claim}, but its answer violates row {row + 1} of {len(model.rows)}")
    greatest = max(model.violations(point), key=_excess, default=None)
    if greatest is None:
        return Checked(point)
    words = describe_violation(model, greatest)
    if _excess(greatest) > TOLERANCE:
        raise SolverFailed(f"{claim}, but its answer violates {words}")
    return _complete(model, point, greatest, clock)


def _near(value: Number, nearest: int) -> bool:
    return float(max(value - nearest, nearest - value)) <= TOLERANCE


def _text(value: float | Number) -> str:
    return str(value) if isinstance(value, Fraction) else repr(value)


def exact_number(value: float | Number) -> Number:
    """Return an exact number itself, and a float as the shortest decimal with its value."""
    if isinstance(value, (int, Fraction)):
        return value
    return shortest(Fraction(repr(float(value))))


def _complete(
    model: Model, point: Mapping[int, Number], violation: Violation, clock: Deadline
) -> Checked:
    """Replace the continuous values of a point by exact ones."""
    answer = _completed(model, point, Deadline(clock.left(witnesses.WITNESS_SECONDS)))
    words = describe_violation(model, violation)
    if answer.status in (Status.OPTIMAL, Status.UNBOUNDED):
        note = f"continuous values were completed exactly, as the answer violates {words}"
        return Checked(answer.point, True, note, violation)
    why = "these integers have no exact solution"
    if answer.status is Status.UNKNOWN:
        why = "an exact solution with these integers was not found in time"
    note = f"its answer is a solution within {TOLERANCE:g}, not exactly: it violates {words}; {why}"
    return Checked(point, False, note, violation)


def _completed(model: Model, point: Mapping[int, Number], clock: Deadline) -> LinearAnswer:
    """Return the best exact values of the continuous columns for the integers of a point."""
    from calmip.search.exact_lp import ExactLp

    integers = {column: value for column, value in point.items() if model.is_integer(column)}
    return ExactLp(model).solve(integers, clock)


def _excess(violation: Violation) -> float:
    """Return the amount of a violation, relative to the bound if that is above 1."""
    return float(violation.amount) / max(1.0, abs(float(violation.allowed)))


def greatest_violations(model: Model, values: Mapping[str, float | Number]) -> tuple[str, ...]:
    """Return the greatest violation of rows, of bounds and of integrality by given values."""
    numbers = {name: number for number, name in enumerate(model.columns)}
    point: dict[int, Number] = {
        numbers[name]: exact_number(value)
        for name, value in values.items()
        if name in numbers and math.isfinite(value)
    }
    found: dict[str, list[Violation]] = {}
    for violation in model.violations(point):
        found.setdefault(violation.kind, []).append(violation)
    lines = []
    for kind, some in found.items():
        greatest = max(some, key=lambda violation: violation.amount)
        more = "" if len(some) == 1 else f", the greatest of {len(some):,}"
        lines.append(f"violated {PLURALS[kind]}: {describe_violation(model, greatest)}{more}")
    return tuple(lines)


PLURALS = {"row": "rows", "bound": "bounds", "integrality": "integrality"}


def describe_violation(model: Model, violation: Violation) -> str:
    """Return a violation in words: what is violated, and by how much."""
    names = model.rows if violation.kind == "row" else model.columns
    title = {"row": "row", "bound": "the bound of", "integrality": "the integrality of"}
    name = quote(names[violation.number])
    value, allowed = float(violation.value), float(violation.allowed)
    return (
        f"{title[violation.kind]} {name} by {float(violation.amount):.3g} "
        f"({value:.12g} instead of {allowed:.12g})"
    )
