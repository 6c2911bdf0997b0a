"""What the commands do with a model file in the place of an instance."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from calmip.cli import FOUND, LIMIT, NONE
from calmip.formats.binary_model import BinaryModel
from calmip.formats.model_files import read_model
from calmip.model_solving import ModelSolution, solve_model
from calmip.render.as_json import json_text

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
    return {
        "model": str(path),
        "status": solution.status,
        "detail": solution.detail,
        "solver": solution.solver,
        "columns": len(model.columns),
        "rows": len(model.rows),
        "seconds": {"total": round(solution.seconds, 6)},
        "objective": solution.objective,
        "ones": [model.columns[column] for column in solution.chosen],
    }


def _text(model: BinaryModel, solution: ModelSolution) -> str:
    lines = [f"{name} = 1" for name in _printable(model.columns[c] for c in solution.chosen)]
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


def _printable(names: Iterable[str]) -> Iterable[str]:
    """Yield names without anything that a terminal might obey."""
    for name in names:
        yield name if name.isprintable() else repr(name)[1:-1]
