"""The one judge of solvers' claims: a point is checked, and the rest needs a witness.

A solution is checked row by row, and on its board where there is one. That there is no
solution, or none better, or no further one, is verified by a *witness*: a search of
calmip's own that did not make the claim, or what a ``.solu`` file or a suite says. A claim
that no witness decides in time is unverified, and nobody takes it for proved.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from typing import TYPE_CHECKING

from calmip._limits import Deadline
from calmip.errors import InputError, NotATiling, SolverFailed
from calmip.formats.model_files import Known
from calmip.formats.values import TOLERANCE, chosen_options
from calmip.problem.binary_model import BinaryModel, Number
from calmip.problem.cover import ExactCover
from calmip.problem.status import Status
from calmip.problem.tiling import Packing, Tiling
from calmip.search import witnesses
from calmip.solvers import Outcome

if TYPE_CHECKING:
    from calmip.models import Formulation

__all__ = [
    "Evidence",
    "Judgement",
    "Standing",
    "checked_point",
    "falls_short",
    "judge_count",
    "judge_cover",
    "judge_model",
    "judge_none",
    "verified",
]

ALIKE = 1e-6
"""Objectives that differ by less, relative to the optimum, are the same."""

REPORT = "please report this to the solver's developers"
LATE = "the check took too long"


class Standing(StrEnum):
    """How a claim stands."""

    VERIFIED = "verified"
    """A check or a witness agrees."""
    UNVERIFIED = "unverified"
    """No check refutes it, and no witness has decided it."""
    REFUTED = "refuted"
    """A check or a witness refutes it."""


@dataclass(frozen=True)
class Judgement:
    """What is known after a claim was judged.

    Parameters
    ----------
    status
        Optimal, feasible or infeasible; unknown where nothing is known, or only the claim.
    standing
        How the claim stands; None if the solver claims nothing.
    reason
        What refutes the claim, or that it is unverified; else the solver's own word.
    chosen
        The columns that are one in a checked point of a model.
    packing
        The checked tiling, or packing.
    """

    status: Status
    standing: Standing | None
    reason: str
    chosen: tuple[int, ...] = ()
    packing: Packing | None = None

    def believed(self) -> Judgement:
        """Return the judgement itself.

        Raises
        ------
        SolverFailed
            If the claim is refuted.
        """
        if self.standing is Standing.REFUTED:
            raise SolverFailed(self.reason)
        return self


def falls_short(objective: float, optimum: float, *, maximise: bool, unit: float) -> bool:
    """Whether an objective is worse than the optimum, by more than a rounding in a file.

    Parameters
    ----------
    objective, optimum
        The two.
    maximise
        Whether a greater one is better.
    unit
        The size of objectives near zero: that of the costs, at most 1.
    """
    lack = optimum - objective if maximise else objective - optimum
    return lack > ALIKE * max(unit, abs(optimum))


def verified(
    cover: ExactCover, outcome: Outcome, solver: str, model: Formulation
) -> tuple[list[int], Packing]:
    """Return the options that a solver's values choose, and the tiling that they make.

    A packing may leave cells bare; then a `Packing` is returned that is
    no `Tiling`.

    Raises
    ------
    SolverFailed
        If the values are not 0 and 1 on columns of the model, or make neither.
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
            f"{solver} says '{outcome.detail}', but its answer is no tiling: {error}"
        ) from None


def judge_cover(
    cover: ExactCover, model: Formulation, outcome: Outcome, solver: str, clock: Deadline
) -> Judgement:
    """Judge a solver's answer to a formulation of an exact cover: a tiling, or that there is none.

    That a packing of fewer cells is the best one is a claim that there is no tiling.
    """
    packing: Packing | None = None
    claim = f"{solver} says '{outcome.detail}'"
    if outcome.status not in (Status.OPTIMAL, Status.FEASIBLE, Status.INFEASIBLE):
        return Judgement(Status.UNKNOWN, None, outcome.detail)
    if outcome.status is not Status.INFEASIBLE:
        try:
            packing = verified(cover, outcome, solver, model)[1]
        except SolverFailed as error:
            return Judgement(Status.UNKNOWN, Standing.REFUTED, str(error))
        if isinstance(packing, Tiling):
            return Judgement(Status.FEASIBLE, Standing.VERIFIED, outcome.detail, packing=packing)
        if outcome.status is not Status.OPTIMAL:
            return Judgement(Status.UNKNOWN, None, outcome.detail, packing=packing)
        claim = f"{solver} says that {len(packing.missing)} cells stay bare at best"
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
    """What is known of a model besides the claim that is judged; each question is asked once.

    Parameters
    ----------
    model
        The model.
    clock
        Makes the clock of a search for any solution.
    known, source
        What a ``.solu`` file or a suite says of the model, and its name.
    """

    def __init__(
        self,
        model: BinaryModel,
        clock: Callable[[], Deadline],
        known: Known | None = None,
        source: str = "",
    ) -> None:
        self.model, self.known, self.source = model, known or ("unkn", None), source
        self._clock = clock
        # The objective's unit, where it has a smaller one than 1.
        size = max((max(cost, -cost) for cost in model.costs.values()), default=1)
        self._unit: Number = min(size, 1)
        self._best: tuple[int, ...] | None = None
        self._solvable: dict[bool, bool | None] = {}
        self._unbeaten: dict[float, bool | None] = {}
        self._counts: dict[int, int | None] = {}

    def check(self, chosen: tuple[int, ...]) -> None:
        """Raise `NotATiling` or `SolverFailed` if a point that satisfies every row is refuted."""

    def search(self, against: str) -> tuple[bool | None, list[int]]:
        """Search for a solution, to judge a solver; see `calmip.search.witnesses`."""
        return witnesses.exists(self.model, self._clock(), against=against)

    def optimum(self) -> float | None:
        """Return the optimum where it is known without any search of the model."""
        return None

    def count(self, most: int) -> int | None:
        """Return the number of solutions, or one above the most; None if not known in time."""
        if most not in self._counts:
            self._counts[most] = witnesses.number_of(self.model, most, self._clock())
        return self._counts[most]

    def search_better(self, chosen: tuple[int, ...]) -> bool | None:
        """Return whether a short search finds a solution better than one; None: not in time."""
        model = self.model
        priced = sorted(model.costs)
        value = self._cost(chosen)
        most = value - Fraction(ALIKE) * max(self._unit, value, -value)
        values = [model.costs[column] for column in priced]
        better = model.with_row("better", priced, -math.inf, most, values)
        there, point = witnesses.exists(better, Deadline(witnesses.WITNESS_SECONDS))
        if there:
            self.note(tuple(point))
        return there

    def note(self, chosen: tuple[int, ...]) -> None:
        """Keep a checked solution, if it is the best one so far: it is a witness from now on."""
        if self._best is None or self._cost(chosen) < self._cost(self._best):
            self._best = chosen

    def _cost(self, chosen: tuple[int, ...]) -> Number:
        """Return the exact objective of a solution, to be made small, without its constant."""
        return sum(self.model.costs.get(column, 0) for column in chosen)

    def solvable(self, against: str = "") -> bool | None:
        """Return whether there is a solution, None if it is not known in time."""
        if self._best is not None:
            return True
        own = against == "exact-cover"  # which alone is a witness for others
        if own not in self._solvable:
            self._solvable[own], point = self.search(against)
            if point:
                self.note(tuple(point))
        return self._solvable[own]

    def counter_example(self) -> str:
        """Return in words the solution that is known."""
        ones = "" if self._best is None else f" with {len(self._best)} ones"
        return f"a point{ones} satisfies every row"

    def none(self, solver: str = "") -> tuple[Standing, str]:
        """Return how a solver's claim stands that there is no solution, and why."""
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

    def optimal(self, chosen: tuple[int, ...]) -> tuple[Standing, str]:
        """Return how the claim stands that no solution is better than a checked one, and why."""
        objective = self.model.objective(chosen)
        unknown = self.optimum() is None and not self._beaten(objective)
        if unknown and objective not in self._unbeaten:
            self._unbeaten[objective] = self.search_better(chosen)
        if self.reached(objective):
            return Standing.VERIFIED, "a search proves it, or a file says so"
        better = self._better_known(objective)
        return (Standing.REFUTED, better) if better else (Standing.UNVERIFIED, LATE)

    def _better_known(self, objective: float) -> str:
        """Return what is known to be better than an objective, or nothing."""
        proved, (word, told) = self.optimum(), self.known
        if proved is not None:
            return f"the optimum is {proved:g}, not {objective:g}"
        if self._beaten(objective):
            assert self._best is not None
            reached = self.model.objective(self._best)
            return (
                f"a point with the objective {reached:g}, not {objective:g}, satisfies every row; "
                f"{REPORT}"
            )
        if told is not None and self._short(objective, told):
            words = f"the {'optimum' if word == 'opt' else 'best known objective'} is {told:g}"
            return f"{self.source} says that {words}, not {objective:g}"
        return ""

    def reached(self, objective: float) -> bool:
        """Return whether an objective is known to be the optimum."""
        proved, (word, told) = self.optimum(), self.known
        if proved is not None:
            return not self._short(objective, proved)
        if self._unbeaten.get(objective) is False:
            return True
        if word != "opt" or told is None or self.doubt or self._beaten(objective):
            return False
        return not self._short(objective, told)

    def _beaten(self, objective: float) -> bool:
        """Whether a checked solution is better."""
        best = self._best
        return best is not None and self._short(objective, self.model.objective(best))

    def _short(self, objective: float, optimum: float) -> bool:
        return falls_short(objective, optimum, maximise=self.model.maximise, unit=float(self._unit))

    @property
    def doubt(self) -> str:
        """What refutes the word of the ``.solu`` file or suite; empty if nothing does."""
        word, told = self.known
        said = f"{self.source} says ={word}="
        if word == "inf" and self._best is not None:
            return f"{said}, but a checked solution satisfies every row"
        if word in ("opt", "best", "feas") and False in self._solvable.values():
            return f"{said}, but a search proves that there is no solution"
        if told is None:
            return ""
        said = f"{said} {told:g}"
        best = None if self._best is None else self.model.objective(self._best)
        if word == "opt" and best is not None and self._short(told, best):
            return f"{said}, but a checked solution has the objective {best:g}"
        for objective, better in self._unbeaten.items():
            if better is False and self._short(objective, told):
                return f"{said}, but a search proves that none is better than {objective:g}"
        return ""


def judge_model(evidence: Evidence, outcome: Outcome, solver: str) -> Judgement:
    """Judge a solver's answer to a model: a solution, the best one, or that there is none."""
    said = f"{solver} says '{outcome.detail}'"
    if outcome.status is Status.INFEASIBLE:
        standing, why = evidence.none(solver)
        status = Status.INFEASIBLE if standing is Standing.VERIFIED else Status.UNKNOWN
        reason = outcome.detail if standing is Standing.VERIFIED else f"{said}, but {why}"
        return Judgement(status, standing, reason)
    if outcome.status not in (Status.OPTIMAL, Status.FEASIBLE):
        return Judgement(Status.UNKNOWN, None, outcome.detail)
    model = evidence.model
    try:
        chosen = checked_point(model, outcome.values, said)
        evidence.check(chosen)
    except (SolverFailed, NotATiling) as error:
        return Judgement(Status.UNKNOWN, Standing.REFUTED, str(error))
    evidence.note(chosen)
    if outcome.status is not Status.OPTIMAL or not model.costs:
        return Judgement(Status.FEASIBLE, Standing.VERIFIED, outcome.detail, chosen)
    standing, why = evidence.optimal(chosen)
    reason = outcome.detail if standing is Standing.VERIFIED else f"{said}, but {why}"
    return Judgement(Status.OPTIMAL, standing, reason, chosen)


def judge_count(found: int | None, number: int, said: str) -> Judgement:
    """Judge the claim that there are so many solutions, by what a witness has found."""
    if found is None:
        return Judgement(Status.UNKNOWN, Standing.UNVERIFIED, f"{said}, but {LATE}")
    if found != number:
        there = "more" if found > number else str(found)
        return Judgement(Status.UNKNOWN, Standing.REFUTED, f"{said}, but there are {there}")
    return Judgement(Status.DONE, Standing.VERIFIED, said)


def checked_point(model: BinaryModel, values: Mapping[str, float], claim: str) -> tuple[int, ...]:
    """Return the columns that are one, once every value and every row is checked.

    Raises
    ------
    SolverFailed
        If a name is no column, a value neither 0 nor 1, or a row is broken.
    """
    numbers = {name: number for number, name in enumerate(model.columns)}
    chosen = []
    for name, value in values.items():
        if name not in numbers:
            raise SolverFailed(f"{claim}, but its answer names {name!r}, which is no column")
        if not min(abs(value), abs(value - 1)) <= TOLERANCE:
            raise SolverFailed(f"{claim}, but its answer has the value {value!r}, not 0 or 1")
        if value > 0.5:
            chosen.append(numbers[name])
    broken = model.violated(chosen)
    if broken is not None:
        raise SolverFailed(f"{claim}, but its answer breaks row {broken + 1} of {len(model.rows)}")
    return tuple(sorted(chosen))
