"""What a run's answer is worth: every one is held against the model and against the truth."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from calmip.errors import NotATiling, SolverFailed, shown
from calmip.models import packs
from calmip.problem.status import Status
from calmip.problem.tiling import Tiling
from calmip.solvers.base import KILLED
from calmip.tasks._solve_model import checked_point, falls_short
from calmip.tasks.campaign.problems import Problem

__all__ = ["STATUSES", "judged"]

STATUSES = {
    "solved": "an answer in time that no check refutes",
    "wrong": "an answer that a check refutes",
    "time": "the time limit came first",
    "memory": "the memory limit came first",
    "crash": "the solver failed, or its process died",
    "unknown": "the solver gave up before its limits",
    "unfit": "the solver takes no models of this kind, or its licence none of this size",
}
"""What a run's status means."""


def judged(
    problem: Problem, solver: str, seconds: float, ended: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the verdict on a run.

    Parameters
    ----------
    problem
        What was to be solved.
    solver
        The solver's name.
    seconds
        The time limit.
    ended
        What `calmip.tasks.campaign.runs.execute` returned.

    Returns
    -------
    dict
        ``status`` (one of `STATUSES`), ``correct`` (whether a witness of its own confirms
        the answer; None where there is none, or no answer), ``answer`` (the solver's claim),
        ``objective`` and ``count`` (None where there is none), ``detail``.
    """
    answer = ended["answer"]
    claim = "" if answer is None else str(answer.get("status", ""))
    status, correct, detail = "crash", None, ""
    objective = None
    if ended["killed"] is not None:
        status = str(ended["killed"])
        detail = "killed: overran its limit"
    elif answer is None:
        detail = f"its process ended with {_how(ended['status'])}"
        detail += f"; its last line: {shown(ended['said'], 200)}" if ended["said"] else ""
    elif "memory" in answer:
        status, detail = "memory", str(answer["memory"])
    elif "unfit" in answer:
        status, detail = "unfit", str(answer["unfit"])
    elif "failed" in answer:
        detail = str(answer["failed"])
    else:
        detail = str(answer["detail"])
        try:
            status, correct, objective = _checked(problem, solver, claim, answer)
        except _Wrong as error:
            status, correct, detail = "wrong", False, str(error)
    if status == "unknown" and (detail == KILLED or ended["wall"] >= 0.95 * seconds):
        status = "time"
    if status == "solved" and ended["wall"] > seconds:
        status = "time"
    return {
        "status": status,
        "correct": correct if status in ("solved", "wrong") else None,
        "answer": claim,
        "objective": objective,
        "count": None if answer is None else answer.get("count"),
        "detail": shown(detail, 500),
    }


class _Wrong(Exception):
    """An answer is refuted; the message says how."""


Verdict = tuple[str, bool | None, float | None]


def _checked(problem: Problem, solver: str, claim: str, answer: Mapping[str, Any]) -> Verdict:
    truth = problem.truth
    said = f"{solver} says '{answer['detail']}'"
    if problem.goal == "count":
        if claim != Status.DONE:
            return "unknown", None, None
        if truth.count is not None and answer["count"] != truth.count:
            raise _Wrong(f"{said}, but there are {truth.count}")
        return "solved", None if truth.count is None else True, None
    if claim == Status.INFEASIBLE:
        if truth.feasible:
            raise _Wrong(f"{said}, but there is a solution")
        return "solved", None if truth.feasible is None else True, None
    if claim not in (Status.OPTIMAL, Status.FEASIBLE):
        return "unknown", None, None
    return _point(problem, claim, answer["values"], said)


def _point(problem: Problem, claim: str, values: Mapping[str, float], said: str) -> Verdict:
    """Judge a point: row by row, on the board, and by its objective."""
    model, truth = problem.model, problem.truth
    try:
        chosen = checked_point(model, values, said)
        _check_board(problem, [model.columns[number] for number in chosen])
    except (SolverFailed, NotATiling) as error:
        raise _Wrong(str(error)) from None
    objective = model.objective(chosen)
    # A solution is a witness of its own; a .solu file that denies it is the one that errs.
    if not model.cost.any():
        return "solved", True, objective
    if truth.optimum is None:
        return ("solved" if claim == Status.OPTIMAL else "unknown"), None, objective
    if not falls_short(objective, truth.optimum, maximise=model.maximise):
        return "solved", True, objective
    if claim == Status.OPTIMAL:
        raise _Wrong(f"{said} at {objective:g}, but the optimum is {truth.optimum:g}")
    return "unknown", None, objective


def _check_board(problem: Problem, ones: list[str]) -> None:
    """Raise `NotATiling` unless a point that should be a tiling is one, from the board itself."""
    if problem.witness is None:
        return
    cover = problem.witness.cover
    numbers = cover.option_number
    options = [numbers[name] for name in ones if name in numbers]
    covered = sum(len(cover.option(option).cells) for option in options)
    if not packs(problem.formulation) or covered == len(cover.instance.to_cover):
        Tiling.from_options(cover, options)


def _how(status: int | None) -> str:
    if status is None:
        return "no exit status"
    return f"signal {-status}" if status < 0 else f"exit status {status}"
