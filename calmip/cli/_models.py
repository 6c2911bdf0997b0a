"""What the commands do with a model file in the place of an instance."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from calmip.cli import FOUND, LIMIT, NONE
from calmip.documents.description import json_text
from calmip.formats.model_files import read_model
from calmip.problem.binary_model import BinaryModel
from calmip.render.model_text import describe_model, describe_point, point_text
from calmip.tasks._solve_model import ModelSolution, solve_model

__all__ = ["solve_file"]

EXIT_CODES = {"optimal": FOUND, "feasible": FOUND, "infeasible": NONE, "unknown": LIMIT}


def solve_file(
    path: Path,
    solver: str,
    form: str,
    *,
    time_limit: float | None,
    seed: int,
    threads: int,
    log: Callable[[str], None] | None,
) -> tuple[int, str]:
    """Solve a model file and return the exit code and what to print."""
    model = read_model(path)
    solution = solve_model(
        model, solver=solver, time_limit=time_limit, seed=seed, threads=threads, log=log
    )
    if form == "json":
        text = json_text(describe_model_solution(path, model, solution))
    else:
        text = _text(model, solution)
    return EXIT_CODES[solution.status], text


def describe_model_solution(
    path: Path, model: BinaryModel, solution: ModelSolution
) -> dict[str, Any]:
    """Return what solving a model gave, with the keys in their documented order."""
    point = None if solution.objective is None else solution.chosen
    return {
        "model": describe_model(model, str(path)),
        "status": solution.status,
        "detail": solution.detail,
        "solver": solution.solver,
        "seconds": {"total": round(solution.seconds, 6)},
        "objective": solution.objective,
        "solution": None if point is None else describe_point(model, point),
    }


def _text(model: BinaryModel, solution: ModelSolution) -> str:
    lines = [] if solution.objective is None else [point_text(model, solution.chosen)]
    verdict = {
        "optimal": f"solution found and checked; {solution.solver} says that it is optimal",
        "feasible": "solution found and checked",
        "infeasible": "there is no solution",
        "unknown": "stopped before an answer",
    }[solution.status]
    if solution.objective is not None and model.cost.any():
        verdict += f", objective {solution.objective:g}"
    if solution.status in ("infeasible", "unknown") and solution.detail:
        verdict += f": {solution.detail}"
    size = f"{len(model.columns)} columns x {len(model.rows)} rows"
    lines.append(f"{verdict} ({solution.solver}, {size}, {solution.seconds:.2f} s)")
    return "\n".join(lines) + "\n"
