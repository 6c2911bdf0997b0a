"""What a run's answer is worth: every one is held against the model and against the truth."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from calmip.errors import shown
from calmip.problem.status import Status
from calmip.solvers import Outcome
from calmip.solvers.base import KILLED
from calmip.tasks._trust import Standing, judge_count, judge_model
from calmip.tasks.campaign.problems import Problem

__all__ = ["STATUSES", "judged"]

STATUSES = {
    "solved": "an answer in time that a check or a witness verifies",
    "unverified": "an answer in time that no check refutes and no witness has decided",
    "wrong": "an answer that a check refutes",
    "time": "the time limit came first",
    "starved": "the time limit came first, and other work had the processor; it is done again",
    "memory": "the memory limit came first",
    "crash": "the solver failed, or its process died",
    "unknown": "the solver gave up before its limits",
    "unfit": "the solver takes no models of this kind, or its licence none of this size",
    "infeasible": "plainly no solution, so that there is no model to solve",
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
        ``status`` (one of `STATUSES`), ``correct`` (whether a witness of its own verifies
        the answer; None where there is none, or no answer), ``answer`` (the solver's claim),
        ``objective`` and ``count`` (None where there is none), ``detail``.
    """
    if problem.unrun is not None:
        status, detail = problem.unrun
        return dict.fromkeys(("correct", "objective", "count")) | {
            "status": status, "answer": "", "detail": shown(detail, 500),
        }  # fmt: skip
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
        status, correct, objective, detail = _checked(problem, solver, claim, answer)
    if status == "unknown" and (detail == KILLED or ended["wall"] >= 0.95 * seconds):
        status = "time"
    if status in ("solved", "unverified") and ended["wall"] > seconds:
        status = "time"
    if status == "time" and (ended.get("waited") or 0.0) > ended["wall"] / 2:
        status = "starved"
    doubt = problem.evidence.doubt if status in ("solved", "wrong", "unverified") else ""
    if doubt and doubt not in detail:
        detail = f"{detail}; {doubt}"
    return {
        "status": status,
        "correct": correct if status in ("solved", "wrong") else None,
        "answer": claim,
        "objective": objective,
        "count": None if answer is None else answer.get("count"),
        "detail": shown(detail, 500),
    }


Checked = tuple[str, bool | None, float | None, str]


def _checked(problem: Problem, solver: str, claim: str, answer: Mapping[str, Any]) -> Checked:
    """Return the status, whether the answer is correct, its objective, and the detail."""
    evidence, said = problem.evidence, f"{solver} says '{answer['detail']}'"
    if problem.goal == "count":
        if claim != Status.DONE:
            return "unknown", None, None, str(answer["detail"])
        number = int(answer["count"])
        found = judge_count(evidence.count(number), number, said)
    else:
        values = answer.get("values") or {}
        outcome = Outcome(Status(claim), values, str(answer["detail"]))
        found = judge_model(evidence, outcome, solver)
    if found.standing is Standing.REFUTED:
        return "wrong", False, None, found.reason
    pointed = found.status in (Status.OPTIMAL, Status.FEASIBLE)
    objective = evidence.model.objective(found.chosen) if pointed else None
    # A point of which nobody claims that it is the best, and that is not known to be it.
    short = found.status is Status.FEASIBLE and bool(evidence.model.cost.any())
    if found.standing is None or (short and not evidence.reached(objective or 0.0)):
        return "unknown", None, objective, found.reason
    if found.standing is Standing.UNVERIFIED:
        return "unverified", None, objective, found.reason
    return "solved", True, objective, str(answer["detail"])


def _how(status: int | None) -> str:
    if status is None:
        return "no exit status"
    return f"signal {-status}" if status < 0 else f"exit status {status}"
