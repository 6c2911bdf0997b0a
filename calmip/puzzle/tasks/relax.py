"""The linear relaxation of an instance or a model: bound, fractional point, prices, cuts."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from calmip._base.errors import InputError, clip, join_words
from calmip._base.limits import CpuDeadline, Deadline, Limits
from calmip.mip.independent_search import WITNESS_SECONDS
from calmip.mip.lp.linear import (
    FAMILIES,
    TINY,
    Certificate,
    Cut,
    LinearModel,
    LinearPoint,
    find_certificate,
    find_cuts,
    refute_rows,
)
from calmip.mip.rows import INFINITE, Number, shortest
from calmip.mip.status import Status
from calmip.puzzle.documents.serialise import plain_data
from calmip.puzzle.instance import Placement
from calmip.puzzle.lattice import Cell
from calmip.puzzle.tasks.interface import public
from calmip.puzzle.tasks.problems import (
    InstanceProblem,
    ModelProblem,
    Problem,
    per_kind,
    problem_of,
)
from calmip.puzzle.tasks.results import Pictured, Sourced

if TYPE_CHECKING:
    from calmip.mip.model import Model
    from calmip.puzzle.cover import ExactCover
    from calmip.puzzle.search.exact_cover.witnesses import Subject
    from calmip.puzzle.tasks.problems import PerKind, Source

__all__ = ["Relaxation", "Round", "Subjected", "relax", "relaxable"]


PROOF_SECONDS = 60.0
"""The most CPU seconds of the exact proof that a relaxation is infeasible."""

MAX_WEIGHT_RATIO = 1_000_000
"""The largest ratio of two weights."""


@dataclass(frozen=True)
class Round:
    """One solve: the optimum or None, the fractional columns, and the cuts added, by family."""

    bound: float | None
    fractional: int
    cuts: Mapping[str, int]


class Subjected(Sourced):
    """A result of the exact cover of an instance, or of a model."""

    subject: Subject
    maximises: bool

    @property
    def has_objective(self) -> bool:
        """Whether there is an objective: one that is maximised, or that of a model."""
        return self.maximises or self.problem.has_objective

    @cached_property
    def problem(self) -> Problem:
        """The subject as a problem."""
        return problem_of(self.subject, open_ends=True)

    @property
    def source(self) -> Source:  # type: ignore[override]
        """The instance or the model."""
        return self.problem.source

    @property
    def cover(self) -> ExactCover:
        """The exact cover of the instance; there is none where the source is a model."""
        return self.problem.cover

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns."""
        return self.problem.columns

    @property
    def rows(self) -> tuple[str, ...]:
        """The names of the rows."""
        return self.problem.rows


@dataclass(frozen=True, repr=False)
class Relaxation(Subjected, Pictured):
    """Result of `relax`.

    Parameters
    ----------
    subject
        The exact cover of the instance, or the model.
    status
        Optimal or infeasible; unknown if HiGHS calls it infeasible and no exact
        computation proves it, or at the time limit.
    point
        The last vertex, or None; an objective that is maximised has its sign changed there.
    maximises
        Whether the objective is maximised. An instance has one only by weights or as a packing.
    rounds
        The solves, in their order; none if the time limit was reached before.
    cuts
        The cuts that were added.
    fixed
        The columns that were fixed.
    certificate
        Farkas multipliers that prove infeasibility without cuts, verified in exact arithmetic;
        None if there are none.
    stopped
        ``"time"`` if the time limit was reached; the point is then that of the last solve.
    """

    subject: Subject
    status: Status
    point: LinearPoint | None
    maximises: bool
    rounds: tuple[Round, ...]
    cuts: tuple[Cut, ...]
    fixed: Mapping[int, Number]
    certificate: Certificate | None = None
    stopped: str = ""

    @property
    def known(self) -> bool:
        """Whether the relaxation was solved at least once."""
        return bool(self.rounds)

    @property
    def has_picture(self) -> bool:
        """Whether there is something to draw: the cells of an instance."""
        return self.problem.has_board

    @property
    def bound(self) -> float | None:
        """The optimum of the last relaxation, None if it is infeasible."""
        return self.rounds[-1].bound if self.rounds else None

    @property
    def values(self) -> dict[int, float]:
        """The columns that are not 0, with their values."""
        if self.point is None:
            return {}
        some = self.point.values[: len(self.columns)]
        places = np.flatnonzero(np.abs(some) > TINY).tolist()
        return {option: float(some[option]) for option in places}

    @property
    def prices(self) -> dict[int, float]:
        """The dual prices of the rows that are not 0."""
        if self.point is None:
            return {}
        return {
            row: self._sign * float(price) + 0.0
            for row, price in enumerate(self.point.prices[: len(self.rows)])
            if price
        }

    @property
    def reduced(self) -> list[float]:
        """The reduced costs of all columns; 0 if the relaxation is infeasible."""
        if self.point is None:
            return [0.0] * len(self.columns)
        costs = self.point.reduced[: len(self.columns)]
        return [self._sign * cost + 0.0 for cost in costs.tolist()]

    @property
    def activities(self) -> list[float]:
        """The left-hand side of every row; 0 if the relaxation is infeasible."""
        values = self.values
        model = self.problem.relaxed(packing=False)
        rows = (model.exact_row(row)[0] for row in range(len(self.rows)))
        return [
            sum(float(value) * values.get(column, 0.0) for column, value in terms.items())
            for terms in rows
        ]

    @property
    def _sign(self) -> int:
        """The sign that turns what is minimised into the objective."""
        return -1 if self.maximises else 1

    def shares(self) -> dict[Cell, list[tuple[str, float]]]:
        """Return the pieces on every cell to cover with their shares; ``""`` for uncovered."""
        found: dict[Cell, dict[str, float]] = {cell: {} for cell in self.instance.to_cover}
        for option, value in self.values.items():
            chosen = self.cover.option(option)
            name = chosen.piece if isinstance(chosen, Placement) else ""
            for cell in chosen.cells:
                found[cell][name] = found[cell].get(name, 0.0) + value
        return {cell: sorted(of.items()) for cell, of in found.items()}

    def describe(self) -> dict[str, Any]:
        """Return the relaxation, with the keys in their documented order."""
        names, rows, reduced = self.columns, self.rows, self.reduced
        problem, items, certificate = self.problem, self.problem.items, self.certificate
        proof = certificate and {
            rows[row]: str(certificate.multipliers[row]) for row in certificate.rows
        }
        return problem.describe() | {
            "status": str(self.status),
            "bound": self.bound,
            "maximises": self.maximises,
            "fixed": {
                names[option]: value if isinstance(value, int) else float(value)
                for option, value in self.fixed.items()
            },
            "columns": [
                {
                    "column": names[option],
                    "value": value,
                    "reduced": reduced[option],
                    **problem.describe_column(option),
                }
                for option, value in self.values.items()
            ],
            "rows": [
                {
                    "row": rows[row],
                    **({"item": items[row].text} if items else {}),
                    "price": price,
                }
                for row, price in self.prices.items()
            ],
            "rounds": plain_data(self.rounds),
            "cuts": [
                {
                    "family": cut.family,
                    "most": cut.most,
                    "columns": [names[option] for option in cut.options],
                }
                for cut in self.cuts
            ],
            "certificate": proof,
            "stopped": self.stopped,
        }

    def _summary(self) -> str:
        if not self.rounds:
            return f"{self.source.name}, time limit reached"
        bound = "infeasible" if self.bound is None else f"bound {self.bound:g}"
        return f"{self.source.name}, {bound}, {self.rounds[-1].fractional} fractional"


@public
def relax(
    source: Source,
    *,
    cuts: Sequence[str] = (),
    rounds: int = 5,
    fix: Mapping[str, float] | None = None,
    weight: Mapping[str, float] | None = None,
    packing: bool = False,
    time_limit: float | None = None,
) -> Relaxation:
    """Solve the linear relaxation of an instance or a model, and strengthen it by cuts.

    Every column may take any value from 0 to 1, or within its bounds in a model. HiGHS
    finds an optimal vertex; violated cuts are added, and the relaxation is solved again. The
    report shows the bound, the columns that are not 0 and the share of every piece in every
    cell. With an objective it also shows dual prices and reduced costs. A picture shows the
    shares as stripes. If the relaxation is infeasible, a Farkas certificate proves it.
    Name a placement as in model files (U_b30) or by its cells (U:Jan+Mar+Jul+Aug+Sep), and
    a column of a model by its name.

    Parameters
    ----------
    source
        The instance; or a model, from `calmip.read_model` for example.
    cuts
        Add cuts of these families in rounds: ``clique``, ``odd-hole``.
    rounds
        Add cuts in at most this many rounds.
    fix
        Fix a placement at 0 or 1, or a column of a model at a value within its bounds; may
        be repeated.
    weight
        Maximise the sum of the weights of these placements or columns; may be repeated. Others
        weigh nothing, and the objective of a model is left out. The greatest is at most a
        million times the least.
    packing
        Cover as many cells as possible, none of them twice. Otherwise the placement
        model has no objective of its own.
    time_limit
        As for `calmip.solvers.Limits`. The last relaxation that was solved is reported.

    Raises
    ------
    InputError
        If a family, a placement or a column is unknown, a number is out of range, weights
        are given to the packing, or the relaxation is unbounded.
    TypeError
        If the source is neither an instance nor a model.
    SolverMissing
        If highspy is not installed.
    """
    clock, problem = Limits(time_limit).clock, problem_of(source)
    model = relaxable(problem, packing=packing, weight=weight)
    held = _held(problem, fix or {})
    unknown = [family for family in cuts if family not in FAMILIES]
    if unknown:
        raise InputError(f"unknown cuts '{clip(unknown[0])}'; there are {join_words(FAMILIES)}")
    if rounds < 0:
        raise InputError(f"the number of rounds is 0 or more, not {rounds}")
    linear = LinearModel(model)
    for option, value in held.items():
        linear.bound(option, float(value), float(value))
    maximises = model.maximise
    size = len(problem.columns)
    done: list[Round] = []
    added: list[Cut] = []
    point: LinearPoint | None = None
    status, stopped = Status.OPTIMAL, ""
    try:
        while True:
            point = linear.solve(clock)
            if point is None:
                done.append(Round(None, 0, {}))
                break
            bound = (-point.bound if maximises else point.bound) + model.offset + 0.0
            done.append(Round(bound, len(point.fractional), {}))
            left = cuts if len(done) <= rounds else ()
            new = find_cuts(problem.subject, point.values[:size].tolist(), left, clock)
            if not new:
                break
            counts = {family: sum(cut.family == family for cut in new) for family in cuts}
            done[-1] = replace(done[-1], cuts=counts)
            for cut in new:
                linear.at_most(cut.options, cut.most)
            added += new
    except TimeoutError:
        status, stopped = Status.UNKNOWN, "time"
    proof = None
    if point is None and not stopped:
        limit = CpuDeadline(PROOF_SECONDS, clock.at_least(WITNESS_SECONDS))
        proved, proof = _refuted(problem, model, added, held, limit, packing=packing)
        status = Status.INFEASIBLE if proved else Status.UNKNOWN
        stopped = "" if proved or not clock.over else "time"
    return Relaxation(
        problem.subject, status, point, maximises, tuple(done), tuple(added), held, proof, stopped
    )


def _refuted(
    problem: Problem,
    model: Model,
    cuts: Sequence[Cut],
    held: Mapping[int, Number],
    clock: Deadline,
    *,
    packing: bool,
) -> tuple[bool, Certificate | None]:
    """Return whether an exact computation proves that HiGHS's "infeasible" is right, and how."""
    proof = None if cuts or packing else _proof(problem, held, clock)
    if proof is not None:
        return True, proof
    for number, cut in enumerate(cuts):
        model = model.with_row(f"cut {number}", cut.options, -math.inf, cut.most)
    proved, proof = refute_rows(model, held, clock)
    return bool(proved), None if cuts or problem.items else proof


def _held(problem: Problem, fix: Mapping[str, float]) -> dict[int, Number]:
    """Return the values of fixed columns by their numbers."""
    held: dict[int, Number] = {}
    for column, number in by_option(problem, fix).items():
        value = Fraction(repr(float(number)))
        problem.check_fixed(column, value)
        held[column] = shortest(value)
    return held


def relaxable(problem: Problem, *, packing: bool, weight: Mapping[str, float] | None) -> Model:
    """Return the model to be relaxed, with its objective to be minimised."""
    model = problem.relaxed(packing=packing)
    if not weight:
        return model
    if packing:
        raise InputError("a packing has an objective of its own; leave out the weights")
    cost = np.zeros(len(model.columns))
    for option, gain in by_option(problem, weight).items():
        cost[option] = -gain
    sizes = np.abs(cost[cost != 0.0])
    if len(sizes) and sizes.max() >= INFINITE:
        raise InputError(
            f"a weight of {sizes.max():g} is infinite to a solver; weights are smaller than "
            f"{INFINITE:g}: divide all of them by the same number"
        )
    if len(sizes) and sizes.max() > MAX_WEIGHT_RATIO * sizes.min():
        raise InputError(
            f"the weights range from {sizes.min():g} to {sizes.max():g}; beside the greatest, "
            f"floating-point numbers lose one that is {MAX_WEIGHT_RATIO:,} times smaller: "
            "leave it out"
        )
    exact = {key: value for key, value in model.exact.items() if key[0] not in ("cost", "offset")}
    return model.changed(cost=cost, maximise=bool(cost.any()), offset=0.0, exact=exact)


def by_option(problem: Problem, numbers: Mapping[str, float]) -> dict[int, float]:
    """Return the numbers of columns by name, or of placements by column or by piece and cells."""
    found: dict[int, float] = {}
    for name, number in numbers.items():
        option = problem.column_named(name)
        if option in found or not np.isfinite(number):
            raise InputError(f"'{clip(name, 60)}' is a duplicate, or its number is not finite")
        found[option] = number
    return found


_proof: PerKind[Certificate | None] = per_kind()
"""Return multipliers of the equations of an exact cover; None for another problem."""


@_proof.register(ModelProblem)
def _(*_: Any) -> None:
    return None


@_proof.register(InstanceProblem)
def _cover_proof(
    problem: InstanceProblem, held: Mapping[int, Number], clock: Deadline
) -> Certificate | None:
    """Return multipliers that prove that the relaxation with fixed columns is infeasible.

    A column at 1 excludes those that share an item with it that is covered once, so fixing
    leaves an exact cover with fewer options.
    """
    cover = problem.cover
    once = {
        item
        for option, value in held.items()
        if value
        for item in cover.items_of(option)
        if cover.demand[item] == 1
    }
    left = [
        option
        for option in range(cover.columns)
        if held.get(option, not once.intersection(cover.items_of(option)))
    ]
    part = cover.restricted(left) if len(left) < cover.columns else cover
    return find_certificate(part, clock=clock)
