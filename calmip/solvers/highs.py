"""HiGHS, in this process: binary models, and the linear relaxation of any."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from types import MappingProxyType

from calmip._base.errors import SolverFailed, clip
from calmip._base.highs import (
    EITHER,
    INFEASIBLE,
    MAX_COEFFICIENT,
    Columns,
    HighsModel,
    describe_way,
    new_highs,
)
from calmip._base.limits import Limits
from calmip.solvers.base import (
    Availability,
    OptionUnknown,
    Outcome,
    Solver,
    StatusWords,
    no_option,
    package_availability,
)

__all__ = ["Highs", "LinearOptimum", "relax"]

DIVES = 40
"""Short runs before the full one, if the rows are cardinality equations and any feasible point
suffices. HiGHS's feasibility-jump heuristic tiles one reduced date in five within some ten
milliseconds; the root cuts that follow it take ten times as long (docs/reference/solvers)."""

DIVES_BEFORE_SPARE = 6
"""After so many unsuccessful dives HiGHS starts from a known solution, if it has one. Nine dates
in ten are solved before, and none takes long."""

DIVES_BEFORE_PRESOLVE = 16
"""After so many unsuccessful dives, presolve runs. It refutes most infeasible models; on the
others it takes as long as seven dives."""

CALLS_OF_A_DIVE = 3
"""A dive ends when HiGHS asks for the third time whether to continue: the heuristic is done. If
another version asks more or less often, dives become shorter or longer."""

DIVING: dict[str, str | bool] = {
    "presolve": "off",
    "mip_root_presolve_only": True,
    "mip_detect_symmetry": False,
}

SEARCHING = {"presolve": "on", "mip_allow_restart": "false"}
"""A model that no dive solves is often infeasible, and restarts do not pay for it."""

DIVES_OPTION = "dives"
"""The one option that is not HiGHS's own: the number of dives instead of `DIVES`."""

SEEDS = 2**31 - 1

INTERRUPTED = "Interrupted by user"

WORDS = StatusWords(
    "HiGHS",
    "Optimal",
    INFEASIBLE,
    EITHER,
    (INTERRUPTED, "Time limit reached", "Iteration limit reached", "Solution limit reached"),
    "Unbounded",
)

FEASIBLE = 2
"""The value of `primal_solution_status` if a feasible point is known."""


class Highs(Solver):
    """HiGHS, the embedded default; see `calmip.solvers.base.Solver`."""

    name = "highs"
    starts = True
    tries = True
    exact = MappingProxyType({"mip_rel_gap": "0"})
    tuned = MappingProxyType(
        {DIVES_OPTION: str(DIVES), **{k: str(v).lower() for k, v in DIVING.items()}, **SEARCHING}
    )

    def availability(self) -> Availability:
        """Return how HiGHS is called, without importing highspy."""
        known = package_availability("highspy", "pip install highspy")
        way, version = describe_way()
        if version is None and known.found is None:
            return known
        return replace(known, found=way, version=version or known.version)

    def solve(self, model: Path, limits: Limits) -> Outcome:
        """Read a model file and solve it; see `calmip.solvers.base.Solver`."""
        highs = new_highs("HiGHS", log_to_console=False, threads=limits.threads)
        dive = _Dive()
        highs.set({"output_flag": limits.log is not None})
        highs.listen(limits.log, dive.is_over)
        _read(highs, model)
        chosen = {name: value for name, value in limits.options if name != DIVES_OPTION}
        own = {**self.exact, **chosen}
        for name, value in own.items():
            if not highs.set({name: value}):
                raise no_option("HiGHS", name, value)
        costed = _solve(highs, limits, own, dive)
        if highs.status == EITHER and not highs.columns().bounded:
            # Presolve does not say which; the search without it does.
            highs.set({"presolve": "off"})
            highs.forget()
            highs.run(limits.clock.left())
        optimal, count = highs.status == WORDS.optimal, highs.info("mip_node_count") or 0.0
        # The number of nodes is -1 before the first one, and for linear programs.
        own_bound = count >= 0
        bound = highs.info("mip_dual_bound" if own_bound else "objective_function_value")
        known = costed and (own_bound or optimal) and bound is not None and math.isfinite(bound)
        found = optimal or highs.info("primal_solution_status") == FEASIBLE
        nodes = max(int(count), 0)
        values = _values(highs) if found else None
        bounded = highs.columns().bounded
        return WORDS.outcome(highs.status, values, nodes, bound if known else None, bounded=bounded)


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
    bound = highs.optimum()
    return LinearOptimum(bound, {} if bound is None else _values(highs))


def _read(highs: HighsModel, model: Path) -> None:
    if not highs.read(model):
        raise SolverFailed(
            f"HiGHS cannot read the model file {model.name}; "
            f"it refuses coefficients above {MAX_COEFFICIENT:g}, for example"
        )


class _Dive:
    """Whether HiGHS is in a dive, and how often it has asked whether to continue."""

    running, calls = False, 0

    def is_over(self) -> bool:
        self.calls += 1
        return self.running and self.calls >= CALLS_OF_A_DIVE


def _dives(limits: Limits) -> int:
    if limits.stock:
        if DIVES_OPTION in dict(limits.options):
            raise OptionUnknown(f"{DIVES_OPTION} is an option of calmip; give settings: calmip too")
        return 0
    text = dict(limits.options).get(DIVES_OPTION, str(DIVES))
    if not (text.isascii() and text.isdigit() and int(text) <= DIVES):
        raise OptionUnknown(f"{DIVES_OPTION} is a number from 0 to {DIVES}, not '{clip(text)}'")
    return int(text)


def _solve(highs: HighsModel, limits: Limits, own: dict[str, str], dive: _Dive) -> bool:
    """Run dives with different seeds if they may succeed, then the full search.

    Return whether there is a bound; there is none if all feasible points are equally good.
    """

    def run(number: int) -> None:
        if (seconds := limits.clock.left(0.0)) is not None:
            highs.set({"time_limit": seconds})
        seed = limits.seed if limits.stock else limits.seed * (DIVES + 1) + number
        highs.set({"random_seed": seed % SEEDS})
        if not start:
            highs.forget()
        highs.run()

    start, dives = limits.start, _dives(limits)
    rows = _Rows(highs, plain=limits.stock)
    searching = {} if limits.stock else {**SEARCHING}
    if not start and rows.promising and dives:
        highs.set({**DIVING, **own})
        rows.relax(highs)
        dive.running = True
        for number in range(dives):
            if number == DIVES_BEFORE_SPARE and limits.spare:
                start = limits.spare
                break
            if number == DIVES_BEFORE_PRESOLVE and _presolve_refutes(highs):
                return False
            dive.calls = 0
            run(number)
            if highs.status != INTERRUPTED:
                return False
        rows.tighten(highs)
    dive.running = False
    if start:
        chosen = set(start)
        highs.start([float(highs.name(column) in chosen) for column in range(rows.columns)])
        # A feasible point ends the run at once, before any preparation.
        searching["presolve"] = "off"
    highs.set({**searching, **own})
    run(DIVES)
    return rows.costed


def _presolve_refutes(highs: HighsModel) -> bool:
    highs.set({"presolve": "on"})
    highs.presolve()
    highs.set({"presolve": "off"})
    return highs.status == INFEASIBLE


class _Rows:
    """The rows of a model, and those of them that a dive may relax.

    An exact cover by pieces of known areas does not need "each piece once": if every cell is
    covered once and no piece is used twice, the areas imply that each is used. The heuristic
    succeeds a little more often with ``<= 1`` there, and the full search needs the equations. In
    general let the rows p partition the columns, and let each column of row p have a(p) ones in
    the other equations. If the right-hand sides of these sum to that of a(p) times the right-hand
    side of p over all p, then the rows p are equations even if written with ``<=``.

    Dives are promising if all coefficients are one, as in an exact cover, and the objective is
    the same for all feasible points, zero or a multiple of an equation. Otherwise the objective
    may have costs.
    """

    def __init__(self, highs: HighsModel, *, plain: bool) -> None:
        model = highs.columns()
        self._upper = model.upper
        equations = [low == high for low, high in zip(model.lower, model.upper, strict=True)]
        # The columns of each equation, ascending.
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
        if self.promising and any(model.cost) and not plain:
            # a constant objective misleads the heuristic
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
        partition = self._partition()
        areas = dict.fromkeys(chain.from_iterable(self._parts.values()), 0)
        others = [row for row in self._parts if row not in partition]
        for column in chain.from_iterable(self._parts[row] for row in others):
            areas[column] += 1
        total = 0.0
        for row in partition:
            among = {areas[column] for column in self._parts[row]}
            if len(among) > 1 or among == {0}:
                return []
            total += among.pop() * self._upper[row]
        return sorted(partition) if total == sum(self._upper[row] for row in others) else []

    def _partition(self) -> set[int]:
        """Return equations that partition the columns of all, or none.

        In the models of puzzles these are the rows of pieces and free groups, which come last
        (elsewhere first): rows are taken from either end as long as they share no column.
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


def _values(highs: HighsModel) -> dict[str, float]:
    return {highs.name(column): value for column, value in enumerate(highs.solution()[0]) if value}
