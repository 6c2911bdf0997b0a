"""HiGHS, in this process: binary models, and the linear relaxation of any."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from calmip._highs import Columns, HighsModel, new_highs
from calmip.errors import SolverFailed, shown
from calmip.solvers.base import (
    Availability,
    Limits,
    OptionUnknown,
    Outcome,
    Status,
    package_availability,
)

__all__ = ["Highs", "LinearOptimum", "relax"]

DIVES = 40
"""Short runs before the full one, where the rows say "exactly one" and any feasible
point will do. HiGHS opens with a feasibility-jump heuristic that tiles one reduced
date in five within some ten milliseconds; the root cuts that follow it take ten
times as long (docs/reference/solvers)."""

DIVES_BEFORE_PRESOLVE = 16
"""After so many dives in vain, presolve has a look. It proves most of the models
infeasible that are; on the others it takes as long as seven dives."""

CALLS_OF_A_DIVE = 3
"""A dive ends at the third time that HiGHS asks whether to go on, which is when
the heuristic is done. If another version counts otherwise, dives become shorter
or longer; the full run that follows is the same."""

DIVING: dict[str, str | bool] = {
    "presolve": "off",
    "mip_root_presolve_only": True,
    "mip_detect_symmetry": False,
}
"""A dive has no use for what prepares a long search."""

SEARCHING: dict[str, str | bool] = {"presolve": "on", "mip_allow_restart": False}
"""What no dive solves is often infeasible, and nothing here profits from restarts."""

DIVES_OPTION = "dives"
"""The one option that is not HiGHS's own: how many dives there are, in place of `DIVES`."""

SEEDS = 2**31 - 1

INTERRUPTED = "Interrupted by user"

INFEASIBLE = ("Infeasible", "Primal infeasible or unbounded")

STOPPED = (
    INTERRUPTED, "Time limit reached", "Iteration limit reached", "Solution limit reached",
)  # fmt: skip

FEASIBLE = 2
"""What `primal_solution_status` is where a feasible point is known."""


class Highs:
    """HiGHS, the embedded default; see `calmip.solvers.base.Solver`."""

    name = "highs"
    starts = True
    unused: tuple[str, ...] = ()

    def availability(self) -> Availability:
        """Return whether highspy is installed, without importing it."""
        return package_availability("highspy", "pip install highspy")

    def solve(self, model: Path, limits: Limits) -> Outcome:
        """Read a model file and solve it; see `calmip.solvers.base.Solver`."""
        # "Optimal" is not to mean "within a ten-thousandth", which is HiGHS's own gap.
        highs = new_highs("HiGHS", log_to_console=False, threads=limits.threads, mip_rel_gap=0.0)
        dive = _Dive()
        highs.set({"output_flag": limits.log is not None})
        highs.listen(limits.log, dive.is_over)
        _read(highs, model)
        own = {name: value for name, value in limits.options if name != DIVES_OPTION}
        for name, value in own.items():
            if not highs.set({name: value}):
                raise OptionUnknown(
                    f"HiGHS has no option {shown(name)} that could be '{shown(value)}'"
                )
        return _outcome(highs, bounded=_solve(highs, limits, own, dive))


@dataclass(frozen=True)
class LinearOptimum:
    """The optimum of a linear relaxation.

    Parameters
    ----------
    bound
        The optimum, None if the relaxation is infeasible.
    values
        The columns that are not zero, by name.
    """

    bound: float | None
    values: dict[str, float]


def relax(model: Path) -> LinearOptimum:
    """Solve the linear relaxation of a model file.

    Raises
    ------
    SolverMissing
        If highspy is not installed.
    SolverFailed
        If HiGHS cannot read the file, or ends without an answer.
    """
    highs = new_highs("the linear relaxation", solve_relaxation=True)
    _read(highs, model)
    highs.run()
    if highs.status in INFEASIBLE:
        return LinearOptimum(None, {})
    bound = highs.info("objective_function_value")
    if highs.status != "Optimal" or bound is None:
        raise SolverFailed(f"HiGHS ended the relaxation with the status '{highs.status}'")
    return LinearOptimum(bound, _values(highs))


def _read(highs: HighsModel, model: Path) -> None:
    if not highs.read(model):
        raise SolverFailed(f"HiGHS cannot read the model file {model.name}")


class _Dive:
    """Whether HiGHS is on a dive, and how often it has asked whether to go on."""

    def __init__(self) -> None:
        self.running, self.calls = False, 0

    def is_over(self) -> bool:
        self.calls += 1
        return self.running and self.calls >= CALLS_OF_A_DIVE


def _dives(limits: Limits) -> int:
    text = dict(limits.options).get(DIVES_OPTION, str(DIVES))
    if not (text.isascii() and text.isdigit() and int(text) <= DIVES):
        raise OptionUnknown(f"{DIVES_OPTION} is a number from 0 to {DIVES}, not '{shown(text)}'")
    return int(text)


def _solve(highs: HighsModel, limits: Limits, own: dict[str, str], dive: _Dive) -> bool:
    """Run dives with different seeds if they may succeed, then the full search.

    Return whether the bound says something: not where all feasible points are alike.
    """

    def run(number: int) -> None:
        if (seconds := limits.clock.left(0.0)) is not None:
            highs.set({"time_limit": seconds})
        highs.set({"random_seed": (limits.seed * (DIVES + 1) + number) % SEEDS})
        if not limits.start:
            highs.forget()
        highs.run()

    dives = _dives(limits)
    rows = _Rows(highs)
    searching = {**SEARCHING}
    if limits.start:
        chosen = set(limits.start)
        highs.start([float(highs.name(column) in chosen) for column in range(rows.columns)])
        # A point that is feasible ends the run at once, before any preparation.
        searching["presolve"] = "off"
    elif rows.promising and dives:
        highs.set({**DIVING, **own})
        rows.relax(highs)
        dive.running = True
        for number in range(dives):
            if number == DIVES_BEFORE_PRESOLVE and _presolve_refutes(highs):
                return False
            dive.calls = 0
            run(number)
            if highs.status != INTERRUPTED:
                return False
        rows.tighten(highs)
    dive.running = False
    highs.set({**searching, **own})
    run(DIVES)
    return rows.costed


def _presolve_refutes(highs: HighsModel) -> bool:
    highs.set({"presolve": "on"})
    highs.presolve()
    highs.set({"presolve": "off"})
    return highs.status == "Infeasible"


class _Rows:
    """The rows of a model, and which of them a dive may relax.

    An exact cover by pieces of known areas does not need "each piece once": if
    every cell is covered once and no piece is used twice, the areas say that
    each is used. The heuristic succeeds a little more often with ``<= 1``
    there, and the full search needs the equations. So, in general: a column of
    row p, of some rows that divide all columns among them, has a ones in
    other equations. If these sum to the same as a times the right-hand side
    of p over all such p, then the rows p are equations even where they are
    written with ``<=``.

    Attributes
    ----------
    promising : bool
        Whether dives may succeed: all coefficients are one, as in an exact
        cover, and the objective is the same for all feasible points, zero or a
        multiple of an equation.
    costed : bool
        Whether the objective has costs, which are gone where it is the same for all.
    """

    def __init__(self, highs: HighsModel) -> None:
        model = highs.columns()
        self._upper = model.upper
        equations = [low == high for low, high in zip(model.lower, model.upper, strict=True)]
        # The columns of each equation, which are numbered ascending.
        self._parts: dict[int, list[int]] = {
            row: [] for row, equation in enumerate(equations) if equation
        }
        for column, rows in enumerate(model.rows):
            for row in rows:
                if equations[row]:
                    self._parts[row].append(column)
        self.columns = len(model.cost)
        ones = model.values.count(1.0) == len(model.values)
        self.promising = ones and self._is_constant(model)
        self.costed = any(model.cost) and not self.promising
        if self.promising and any(model.cost):
            # It would only lead the heuristic astray.
            highs.set_costs([0.0] * self.columns)
        self._relaxed = self._redundant() if self.promising else []

    def _is_constant(self, model: Columns) -> bool:
        costed = [column for column, cost in enumerate(model.cost) if cost]
        if not costed:
            return True
        alike = len({model.cost[column] for column in costed}) == 1
        return alike and any(self._parts.get(row) == costed for row in model.rows[costed[0]])

    def _redundant(self) -> list[int]:
        """Return equations that hold with ``<=`` as well."""
        dividing = self._dividing()
        areas = dict.fromkeys(chain.from_iterable(self._parts.values()), 0)
        others = [row for row in self._parts if row not in dividing]
        for column in chain.from_iterable(self._parts[row] for row in others):
            areas[column] += 1
        total = 0.0
        for row in dividing:
            among = {areas[column] for column in self._parts[row]}
            if len(among) > 1 or among == {0}:
                return []
            total += among.pop() * self._upper[row]
        return sorted(dividing) if total == sum(self._upper[row] for row in others) else []

    def _dividing(self) -> set[int]:
        """Return equations that divide the columns of all among them, or none.

        In the models of puzzles these are the rows of pieces and free groups, which
        come last (or, elsewhere, first): rows are taken from either end as long as
        they share no column with those taken before.
        """
        parts = [(row, columns) for row, columns in self._parts.items() if columns]
        for ordered in (parts[::-1], parts):
            free = set(chain.from_iterable(columns for _, columns in parts))
            taken = set()
            for row, columns in ordered:
                if free.issuperset(columns):
                    taken.add(row)
                    free.difference_update(columns)
            if not free:
                return taken
        return set()

    def relax(self, highs: HighsModel) -> None:
        """Write the redundant equations with ``<=``."""
        for row in self._relaxed:
            highs.bound_row(row, -math.inf, self._upper[row])

    def tighten(self, highs: HighsModel) -> None:
        """Write them as equations again."""
        for row in self._relaxed:
            highs.bound_row(row, self._upper[row], self._upper[row])


def _outcome(highs: HighsModel, *, bounded: bool) -> Outcome:
    word = highs.status
    # Before the first node the number is -1.
    nodes = max(int(highs.info("mip_node_count") or 0), 0)
    bound = highs.info("mip_dual_bound")
    known = bounded and bound is not None and math.isfinite(bound)
    if word in INFEASIBLE:
        return Outcome(Status.INFEASIBLE, detail=word, nodes=nodes)
    values, status = {}, Status.UNKNOWN
    if word == "Optimal":
        values, status = _values(highs), Status.OPTIMAL
    elif word not in STOPPED:
        raise SolverFailed(f"HiGHS ended with the status '{word}'")
    elif highs.info("primal_solution_status") == FEASIBLE:
        values, status = _values(highs), Status.FEASIBLE
    return Outcome(status, values, word, nodes, bound if known else None)


def _values(highs: HighsModel) -> dict[str, float]:
    return {highs.name(column): value for column, value in enumerate(highs.values()) if value}
