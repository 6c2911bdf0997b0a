"""HiGHS, in this process through highspy."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np

from calmip._highs import new_highs
from calmip._interrupt import heed
from calmip._limits import Deadline
from calmip.errors import SolverFailed, shown
from calmip.solvers._rows import dividing_rows
from calmip.solvers.base import (
    Availability,
    Limits,
    OptionUnknown,
    Outcome,
    Status,
    package_availability,
)

__all__ = ["Highs", "read_file"]

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

DIVING = {"presolve": "off", "mip_root_presolve_only": True, "mip_detect_symmetry": False}
"""A dive has no use for what prepares a long search."""

SEARCHING = {"presolve": "on", "mip_allow_restart": False}
"""What no dive solves is often infeasible, and nothing here profits from restarts."""

DIVES_OPTION = "dives"
"""The one option that is not HiGHS's own: how many dives there are, in place of `DIVES`."""

SEEDS = 2**31 - 1


class Highs:
    """HiGHS, the embedded default; see `calmip.solvers.base.Solver`."""

    name = "highs"
    starts = True
    unused = ()

    def availability(self) -> Availability:
        """Return whether highspy is installed, without importing it."""
        return package_availability("highspy", "pip install highspy")

    def solve(self, model: Path, limits: Limits) -> Outcome:
        """Read a model file and solve it; see `calmip.solvers.base.Solver`."""
        deadline = Deadline(limits.seconds)
        # "Optimal" is not to mean "within a ten-thousandth", which is HiGHS's own gap.
        highs = new_highs("HiGHS", log_to_console=False, threads=limits.threads, mip_rel_gap=0.0)
        # The scheduler's threads are made once per process; another number
        # takes effect only after a reset.
        highs.resetGlobalScheduler(True)
        if limits.log is not None:
            highs.setOptionValue("output_flag", True)
            _forward_log(highs, limits)
        read_file(highs, model)
        own = {name: value for name, value in limits.options if name != DIVES_OPTION}
        _check(highs, own)
        _solve(highs, limits, deadline, own, _dives(limits))
        return _outcome(highs)


def read_file(highs: Any, model: Path) -> None:
    """Read a model file.

    Raises
    ------
    SolverFailed
        If HiGHS cannot read it.
    """
    if str(highs.readModel(str(model))).endswith("kError"):
        raise SolverFailed(f"HiGHS cannot read the model file {model.name}")


def _forward_log(highs: Any, limits: Limits) -> None:
    highs.cbLogging.subscribe(lambda event: limits.log(event.message.rstrip("\n")))  # type: ignore[misc]


def _check(highs: Any, options: dict[str, str]) -> None:
    for name, value in options.items():
        if str(highs.setOptionValue(name, value)).endswith("kError"):
            raise OptionUnknown(f"HiGHS has no option {shown(name)} that could be '{shown(value)}'")


def _dives(limits: Limits) -> int:
    text = dict(limits.options).get(DIVES_OPTION, str(DIVES))
    if not (text.isascii() and text.isdigit() and int(text) <= DIVES):
        raise OptionUnknown(f"{DIVES_OPTION} is a number from 0 to {DIVES}, not '{shown(text)}'")
    return int(text)


def _solve(highs: Any, limits: Limits, deadline: Deadline, own: dict[str, str], dives: int) -> None:
    """Run dives with different seeds if they may succeed, then the full search.

    The callback also lets Python handle Ctrl-C while HiGHS works: its
    exception ends the run.
    """
    calls = 0
    diving = True

    def interrupt(event: Any) -> None:
        nonlocal calls
        calls += 1
        event.data_in.user_interrupt = diving and calls >= CALLS_OF_A_DIVE

    def run(number: int) -> None:
        if deadline.seconds is not None:
            highs.setOptionValue("time_limit", max(deadline.seconds - deadline.elapsed, 0.0))
        highs.setOptionValue("random_seed", (limits.seed * (DIVES + 1) + number) % SEEDS)
        if not limits.start:
            highs.clearSolver()
        highs.run()
        heed()

    highs.cbMipInterrupt.subscribe(interrupt)
    rows = _Rows(highs)
    searching: dict[str, Any] = SEARCHING
    if limits.start:
        _start(highs, limits.start)
        # A point that is feasible ends the run at once, before any preparation.
        searching = {**SEARCHING, "presolve": "off"}
    elif rows.promising and dives:
        _set(highs, {**DIVING, **own})
        rows.relax(highs)
        for dive in range(dives):
            if dive == DIVES_BEFORE_PRESOLVE and _presolve_refutes(highs):
                return
            calls = 0
            run(dive)
            if not str(highs.getModelStatus()).endswith("kInterrupt"):
                return
        rows.tighten(highs)
    diving = False
    _set(highs, {**searching, **own})
    run(DIVES)


def _start(highs: Any, ones: tuple[str, ...]) -> None:
    import highspy

    solution, chosen = highspy.HighsSolution(), set(ones)
    solution.col_value = [float(name in chosen) for name in highs.getLp().col_names_]
    highs.setSolution(solution)


def _presolve_refutes(highs: Any) -> bool:
    highs.setOptionValue("presolve", "on")
    highs.presolve()
    highs.setOptionValue("presolve", "off")
    return str(highs.getModelStatus()).endswith("kInfeasible")


def _set(highs: Any, options: dict[str, Any]) -> None:
    for option, setting in options.items():
        highs.setOptionValue(option, setting)


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
    """

    def __init__(self, highs: Any) -> None:
        lp = highs.getLp()
        matrix = lp.a_matrix_
        start, self._row = np.array(matrix.start_), np.array(matrix.index_, dtype=np.int64)
        self._column = np.repeat(np.arange(lp.num_col_), np.diff(start))
        self._lower, self._upper = np.array(lp.row_lower_), np.array(lp.row_upper_)
        self._equations = self._lower == self._upper
        cost = np.array(lp.col_cost_)
        ones = bool((np.array(matrix.value_) == 1).all())
        self.promising = ones and self._is_constant(cost)
        if self.promising and cost.any():
            # It would only lead the heuristic astray.
            highs.changeColsCost(len(cost), np.arange(len(cost), dtype=np.int32), 0 * cost)
        self._relaxed = self._redundant() if self.promising else []

    def _is_constant(self, cost: np.ndarray[Any, Any]) -> bool:
        if not cost.any():
            return True
        first = int(np.flatnonzero(cost)[0])
        for row in self._row[self._column == first]:
            multiple = np.zeros(len(cost))
            multiple[self._column[self._row == row]] = cost[first]
            if self._equations[row] and np.array_equal(cost, multiple):
                return True
        return False

    def _redundant(self) -> list[int]:
        """Return equations that hold with ``<=`` as well."""
        use = self._equations[self._row]
        row, column = self._row[use], self._column[use]
        rows = dividing_rows(row, column)
        if not rows:
            return []
        divides = np.zeros(len(self._lower), dtype=bool)
        divides[rows] = True
        areas = np.bincount(column[~divides[row]], minlength=int(column.max()) + 1)
        total = 0.0
        for one in rows:
            among = {int(areas[own]) for own in column[row == one]}
            if len(among) > 1 or among == {0}:
                return []
            total += among.pop() * self._upper[one]
        others = self._equations & ~divides
        return rows if total == self._upper[others].sum() else []

    def relax(self, highs: Any) -> None:
        """Write the redundant equations with ``<=``."""
        for row in self._relaxed:
            highs.changeRowBounds(row, -np.inf, self._upper[row])

    def tighten(self, highs: Any) -> None:
        """Write them as equations again."""
        for row in self._relaxed:
            highs.changeRowBounds(row, self._upper[row], self._upper[row])


def _outcome(highs: Any) -> Outcome:
    import highspy

    status = highs.getModelStatus()
    word = highs.modelStatusToString(status)
    kinds = highspy.HighsModelStatus
    solved = highs.getInfo().primal_solution_status == int(
        highspy.SolutionStatus.kSolutionStatusFeasible
    )
    # -1 stands for "none": the last run was no search.
    nodes = max(int(highs.getInfo().mip_node_count), 0)
    bound = float(highs.getInfo().mip_dual_bound)
    # Where all feasible points are alike the costs are gone, and this bounds nothing.
    known = bound if math.isfinite(bound) and any(highs.getLp().col_cost_) else None
    if status in (kinds.kInfeasible, kinds.kUnboundedOrInfeasible):
        return Outcome(Status.INFEASIBLE, detail=word, nodes=nodes)
    if status == kinds.kOptimal:
        return Outcome(Status.OPTIMAL, _values(highs), word, nodes, known)
    if status in (kinds.kTimeLimit, kinds.kInterrupt, kinds.kIterationLimit, kinds.kSolutionLimit):
        if solved:
            return Outcome(Status.FEASIBLE, _values(highs), word, nodes, known)
        return Outcome(Status.UNKNOWN, detail=word, nodes=nodes, bound=known)
    raise SolverFailed(f"HiGHS ended with the status '{word}'")


def _values(highs: Any) -> dict[str, float]:
    values = highs.getSolution().col_value
    names = highs.getLp().col_names_
    return {name: value for name, value in zip(names, values, strict=True) if value}
