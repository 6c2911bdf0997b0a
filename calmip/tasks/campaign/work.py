"""What a run's own process does: give a solver the model, and write down what it says."""

from __future__ import annotations

import json
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from calmip._limits import Deadline, Limits
from calmip.errors import CalmipError, SolverFailed, SolverMissing
from calmip.formats.model_files import read_model
from calmip.formats.mps import mps_text
from calmip.problem.binary_model import BinaryModel
from calmip.solvers import Outcome, Status, solver_named
from calmip.solvers.base import KindRefused, ModelRefused, OptionUnknown
from calmip.solvers.exact_cover import ExactCoverSearch

__all__ = ["REFERENCE", "work"]

REFERENCE = "reference"
"""The job that is always the same, and shows how fast the machine is."""


def work(folder: Path) -> None:
    """Do ``task.json`` in a folder and write ``answer.json`` there, whole or not at all."""
    task = json.loads((folder / "task.json").read_text(encoding="utf-8"))
    started = perf_counter()
    answer: dict[str, Any]
    try:
        answer = _reference() if task["goal"] == REFERENCE else _answer(task, folder)
    except MemoryError:
        answer = {"memory": "the solver had no more memory"}
    except SolverMissing as error:
        answer = {"missing": str(error)}
    except OptionUnknown as error:
        answer = {"option": str(error)}
    except (KindRefused, ModelRefused) as error:
        answer = {"unfit": str(error)}
    except CalmipError as error:
        answer = {"failed": str(error)}
    answer["wall"] = perf_counter() - started
    part = folder / "answer.part"
    part.write_text(json.dumps(answer), encoding="utf-8")
    part.replace(folder / "answer.json")


def _answer(task: dict[str, Any], folder: Path) -> dict[str, Any]:
    model = folder / task["model"]
    options = tuple((str(name), str(value)) for name, value in task["options"])
    limits = Limits(task["seconds"], task["seed"], options=options)
    if task["goal"] == "count":
        return _counted(task["solver"], model, limits)
    outcome = solver_named(task["solver"]).solve(model, limits)
    return {
        "status": outcome.status.value,
        "values": {name: value for name, value in outcome.values.items() if value},
        "detail": outcome.detail,
        "nodes": outcome.nodes,
        "bound": outcome.bound,
    }


def _counted(name: str, model: Path, limits: Limits) -> dict[str, Any]:
    """Count all solutions: by the search itself, or by solving again and again with cuts."""
    solver = solver_named(name)
    clock = Deadline(limits.seconds)
    if isinstance(solver, ExactCoverSearch):
        number, whole, nodes = solver.count(model, clock)
        return _count(number, whole, nodes)
    arrays = read_model(model)
    number = nodes = 0
    while not clock.over:
        left = Limits(clock.left(), limits.seed, options=limits.options)
        outcome = solver.solve(model, left)
        nodes += outcome.nodes or 0
        if outcome.status is Status.INFEASIBLE:
            return _count(number, True, nodes)
        if not outcome.values:
            return _count(number, False, nodes)
        ones = _ones(arrays, outcome, name)
        number += 1
        arrays = _without(arrays, ones, number)
        model = model.with_name("cut.mps")
        model.write_text(mps_text(arrays), encoding="utf-8")
    return _count(number, False, nodes)


def _count(number: int, whole: bool, nodes: int | None) -> dict[str, Any]:
    status = Status.DONE if whole else Status.UNKNOWN
    detail = f"{number} solutions{'' if whole else ' so far'}"
    return {"status": status.value, "count": number, "detail": detail, "nodes": nodes}


def _ones(model: BinaryModel, outcome: Outcome, name: str) -> list[int]:
    """Return the columns that are one; what was found twice or breaks a row ends the count."""
    numbers = {column: number for number, column in enumerate(model.columns)}
    try:
        ones = [numbers[column] for column, value in outcome.values.items() if value > 0.5]
    except KeyError as error:
        raise SolverFailed(f"{name}'s answer names {error}, which is no column") from None
    row = model.violated(ones)
    if row is not None:
        raise SolverFailed(f"{name}'s answer breaks row {model.rows[row]}")
    return ones


def _without(model: BinaryModel, ones: list[int], number: int) -> BinaryModel:
    """Return a model with a no-good cut: not these columns, and no others, are one."""
    every = np.arange(len(model.columns))
    signs = np.where(np.isin(every, ones), 1.0, -1.0)
    return model.with_row(f"cut{number}", every, -np.inf, len(ones) - 1.0, signs)


def _reference() -> dict[str, Any]:
    from calmip.documents.reader import read_instance
    from calmip.problem.cover import ExactCover
    from calmip.search.exact_cover.counting import count

    number = count(ExactCover(read_instance("a-puzzle-a-day", free=True)))
    return _count(number, True, None)
