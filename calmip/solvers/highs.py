"""HiGHS, in this process through highspy."""

from __future__ import annotations

from pathlib import Path
from time import perf_counter
from typing import Any

from calmip.errors import SolverFailed, SolverMissing
from calmip.solvers.base import Availability, Limits, Outcome, Status, package_availability

__all__ = ["Highs"]

DIVES = 10
"""Short runs before the full one. HiGHS opens with a feasibility-jump heuristic
that tiles one date in six within some 12 ms; ten seeds cost less than half of
the root cuts that follow it, and settle five dates in six (docs/reference/solvers)."""

CALLS_OF_A_DIVE = 3
"""A dive ends at the third time that HiGHS asks whether to go on, which is when
the heuristic is done. If another version counts otherwise, dives become shorter
or longer; the full run that follows is the same."""

SEEDS = 2**31 - 1


class Highs:
    """HiGHS, the embedded default; see `calmip.solvers.base.Solver`."""

    name = "highs"

    def availability(self) -> Availability:
        """Return whether highspy is installed, without importing it."""
        return package_availability("highspy", "pip install highspy")

    def solve(self, model: Path, limits: Limits) -> Outcome:
        """Read a model file and solve it; see `calmip.solvers.base.Solver`."""
        started = perf_counter()
        try:
            import highspy
        except ImportError as error:
            raise SolverMissing(f"HiGHS needs highspy ({error}); pip install highspy") from None
        highs = highspy.Highs()
        highs.setOptionValue("output_flag", limits.log is not None)
        highs.setOptionValue("log_to_console", False)
        if limits.log is not None:
            _forward_log(highs, limits)
        # The scheduler's threads are made once per process; another number
        # takes effect only after a reset.
        highspy.Highs.resetGlobalScheduler(True)
        highs.setOptionValue("threads", limits.threads)
        # Presolve finds little to remove here and costs more than it saves.
        highs.setOptionValue("presolve", "off")
        if highs.readModel(str(model)) == highspy.HighsStatus.kError:
            raise SolverFailed(f"HiGHS cannot read the model file {model.name}")
        _solve(highs, limits, started)
        return _outcome(highs, highspy)


def _forward_log(highs: Any, limits: Limits) -> None:
    highs.cbLogging.subscribe(lambda event: limits.log(event.message.rstrip("\n")))  # type: ignore[misc]


def _solve(highs: Any, limits: Limits, started: float) -> None:
    """Run dives with different seeds, then the full search, within the limits.

    The callback also lets Python handle Ctrl-C while HiGHS works: its
    exception ends the run.
    """
    calls = 0
    diving = True

    def interrupt(event: Any) -> None:
        nonlocal calls
        calls += 1
        event.data_in.user_interrupt = diving and calls >= CALLS_OF_A_DIVE

    highs.cbMipInterrupt.subscribe(interrupt)
    for dive in range(DIVES + 1):
        diving = dive < DIVES
        calls = 0
        if limits.seconds is not None:
            left = limits.seconds - (perf_counter() - started)
            highs.setOptionValue("time_limit", max(left, 0.0))
        seed = limits.seed * (DIVES + 1) + dive
        highs.setOptionValue("random_seed", seed % SEEDS)
        highs.clearSolver()
        highs.run()
        if not str(highs.getModelStatus()).endswith("kInterrupt"):
            return


def _outcome(highs: Any, highspy: Any) -> Outcome:
    status = highs.getModelStatus()
    word = highs.modelStatusToString(status)
    kinds = highspy.HighsModelStatus
    solved = highs.getInfo().primal_solution_status == int(
        highspy.SolutionStatus.kSolutionStatusFeasible
    )
    # -1 stands for "none": the last run was no search.
    nodes = max(int(highs.getInfo().mip_node_count), 0)
    if status in (kinds.kInfeasible, kinds.kUnboundedOrInfeasible):
        return Outcome(Status.INFEASIBLE, detail=word, nodes=nodes)
    if status == kinds.kOptimal:
        return Outcome(Status.OPTIMAL, _values(highs), word, nodes)
    if status in (kinds.kTimeLimit, kinds.kInterrupt, kinds.kIterationLimit, kinds.kSolutionLimit):
        if solved:
            return Outcome(Status.FEASIBLE, _values(highs), word, nodes)
        return Outcome(Status.UNKNOWN, detail=word, nodes=nodes)
    raise SolverFailed(f"HiGHS ended with the status '{word}'")


def _values(highs: Any) -> dict[str, float]:
    values = highs.getSolution().col_value
    names = highs.getLp().col_names_
    return {name: value for name, value in zip(names, values, strict=True) if value}
