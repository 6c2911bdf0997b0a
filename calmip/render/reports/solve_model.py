"""A model file's solution as a text."""

from __future__ import annotations

from calmip.problem.status import Status
from calmip.render.text import point_text
from calmip.tasks._solve_model import ModelSolution

__all__ = ["text"]


def text(solution: ModelSolution) -> str:
    """Return the columns that are one, if there is a solution, and the status line."""
    model = solution.model
    lines = [] if solution.objective is None else [point_text(model, solution.chosen)]
    optimal = "verified" if solution.verified else f"the word of {solution.solver}, unverified"
    verdict = {
        Status.OPTIMAL: f"solution found and checked; optimal: {optimal}",
        Status.FEASIBLE: "solution found and checked",
        Status.INFEASIBLE: "there is no solution",
        Status.UNKNOWN: "stopped before an answer",
    }[solution.status]
    if solution.objective is None:
        verdict += f": {solution.detail}" if solution.detail else ""
    elif model.cost.any():
        verdict += f", objective {solution.objective:g}"
    size = f"{len(model.columns)} columns x {len(model.rows)} rows"
    lines.append(f"{verdict} ({solution.solver}, {size}, {solution.seconds:.2f} s)")
    return "\n".join(lines) + "\n"
