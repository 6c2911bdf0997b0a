"""Verification of solvers' claims: a point is checked, and any other claim needs a witness.

A solution is checked row by row. Values of continuous variables, which solvers round, are
completed exactly. A *witness* verifies that there is no solution, no better one, or no further
one. It is a search of calmip that did not make the claim, a ``.solu`` file or a suite. A claim that
no witness decides in time is unverified.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Self

from calmip._base.errors import NotATiling, SolverFailed
from calmip._base.limits import Deadline
from calmip.mip import independent_search
from calmip.mip.display import tell, tell_apart
from calmip.mip.files.model_files import Known
from calmip.mip.model import Model
from calmip.mip.rows import Number
from calmip.mip.status import Status
from calmip.solvers import Outcome
from calmip.solvers.points import Checked, check_point, completed, objective_step

if TYPE_CHECKING:
    from calmip.mip.lp.exact_lp import LinearAnswer

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
    exact
        Whether the point is a solution exactly; else it is one within 1e-6.
    note
        How the point differs from the solver's, in words; empty if it does not.
    """

    status: Status
    standing: Standing | None
    reason: str
    point: Mapping[int, Number] = field(default_factory=dict)
    exact: bool = True
    note: str = ""

    def accept(self) -> Self:
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

    def search(
        self,
        against: str,  # noqa: ARG002 - that of a subclass
    ) -> tuple[bool | None, Mapping[int, Number] | None]:
        """Search for a solution, to judge a solver; see `calmip.mip.independent_search`.

        The solution of all zeros is an empty mapping; None is one whose values are not known.
        """
        return independent_search.find(self.model, self.clock())

    @cached_property
    def relaxed(self) -> LinearAnswer:
        """The exact answer to the linear relaxation."""
        from calmip.mip.lp.exact_lp import ExactLp

        clock = Deadline(self.clock().left(independent_search.WITNESS_SECONDS))
        return ExactLp(self.model, range(len(self.model.columns))).solve(clock=clock)

    def optimum(self) -> float | None:
        """Return the optimum if it is known without a search of the model."""
        return None

    def count(self, most: int) -> int | None:
        """Return the number of solutions, at most one above ``most``; None at the time limit."""
        if most not in self._counts:
            self._counts[most] = independent_search.number_of(self.model, most, self.clock())
        return self._counts[most]

    def _search_better(self, point: Mapping[int, Number]) -> bool | None:
        """Return whether a short search finds a better solution; None if not in time."""
        value = self._cost(point)
        most = min(value - Fraction(ALIKE) * max(self._unit, value, -value), value - self._step)
        clock = Deadline(independent_search.WITNESS_SECONDS)
        there, better = independent_search.find(self.model, clock, most=most)
        if there:
            self.note(better)
        return there

    @cached_property
    def _step(self) -> Number:
        """A number that divides the costs, if only integers have costs; else 0."""
        return objective_step(self.model)

    def polish(self, found: Checked) -> Checked:
        """Return an exact point with continuous values that are better by rounding, if any."""
        model = self.model
        if not found.exact or found.note or all(model.values("integer")):
            return found
        better = completed(model, found.point, Deadline(independent_search.WITNESS_SECONDS))
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
            bound = tell(self.model.exact_objective(self.relaxed.point))
            return Standing.REFUTED, f"no solution is better than {bound}; {REPORT}"
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
            right, wrong = tell_apart(proved, objective)
            return Standing.REFUTED, f"the optimum is {right}, not {wrong}"
        if self._beaten(objective):
            right, wrong = tell_apart(self._best_objective or 0, objective)
            better = f"a point with the objective {right}, not {wrong}"
            return Standing.REFUTED, f"{better}, satisfies every row; {REPORT}"
        if given is not None and self._short(objective, given):
            right, wrong = tell_apart(given, objective)
            words = f"the {'optimum' if word == 'opt' else 'best known objective'} is {right}"
            return Standing.REFUTED, f"{self.source} says that {words}, not {wrong}"
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
        if word == "opt" and self._beaten(given):
            wrong, right = tell_apart(given, self._best_objective or 0)
            return f"{claim} {wrong}, but a checked solution has the objective {right}"
        for objective, better in self._unbeaten.items():
            if better is False and self._short(objective, given):
                wrong, right = tell_apart(given, objective)
                return f"{claim} {wrong}, but a search proves that none is better than {right}"
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
        found = check_point(model, outcome.values, claim, evidence.clock(), spread=outcome.spread)
        if not found.decided:
            return Judgement(Status.UNKNOWN, Standing.UNVERIFIED, f"{claim}, but {found.note}")
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
