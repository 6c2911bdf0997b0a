"""A campaign's runs in their order: what is missing is done, judged and written down."""

from __future__ import annotations

import datetime
import hashlib
import json
import random
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass
from typing import Any

from calmip._interrupt import heed
from calmip.errors import InputError, SolverMissing
from calmip.tasks.campaign.document import Campaign, Setting
from calmip.tasks.campaign.executors import Pool
from calmip.tasks.campaign.judge import judged
from calmip.tasks.campaign.problems import Problem
from calmip.tasks.campaign.runs import Job, execute
from calmip.tasks.campaign.store import Store
from calmip.tasks.campaign.work import REFERENCE

__all__ = ["Planned", "plan", "runs"]

PATIENCE = 0.5
"""Seconds after which somebody who wants to interrupt is heard."""


@dataclass(frozen=True)
class Planned:
    """A run that is to be: a problem, a setting and a seed, and its key."""

    key: str
    problem: Problem
    setting: Setting
    seed: int


def plan(
    campaign: Campaign, found: list[Problem], here: dict[str, str | None]
) -> dict[str, Planned]:
    """Return all runs of a campaign by their keys, in an order drawn by its seed.

    The key is the hash of all that the answer and the time may depend on: the model's
    bytes, the formulation, the solver, its version and options, the seed, the limits,
    the goal and the machine.
    """
    planned = {}
    for problem in found:
        for setting in campaign.settings:
            for seed in campaign.seeds:
                parts = [
                    problem.digest, problem.formulation, problem.goal, setting.solver,
                    here[setting.solver], setting.options, seed, campaign.time_limit,
                    campaign.memory_limit, here["machine"],
                ]  # fmt: skip
                key = hashlib.sha256(json.dumps(parts).encode()).hexdigest()
                planned[key] = Planned(key, problem, setting, seed)
    order = sorted(planned)
    random.Random(campaign.shuffle).shuffle(order)  # noqa: S311 - no secret
    return {key: planned[key] for key in order}


def runs(
    campaign: Campaign, planned: list[Planned], pool: Pool, store: Store
) -> Iterator[dict[str, Any]]:
    """Do runs and yield each as it is in the store.

    Raises
    ------
    InputError
        If a solver has no option of a name.
    SolverMissing
        If a solver is missing where it was to run.
    """
    waiting: dict[Future[dict[str, Any]], Planned | None] = {}
    jobs = _jobs(campaign, planned)
    ended = False
    while waiting or not ended:
        while not ended and len(waiting) < 2 * pool.size():
            one = next(jobs, None)
            if one is None:
                ended = True
                break
            waiting[pool.executor.submit(execute, one[0])] = one[1]
        done, _ = wait(waiting, timeout=PATIENCE, return_when=FIRST_COMPLETED)
        heed()
        for future in done:
            run = waiting.pop(future)
            finished = _result(future)
            if run is None:
                store.add_reference({**finished, "finished": _now()})
                continue
            record = _record(campaign, run, finished, pool.here)
            store.add(record)
            yield record


def _jobs(campaign: Campaign, planned: list[Planned]) -> Iterator[tuple[Job, Planned | None]]:
    every = campaign.reference_every
    for number, run in enumerate(planned):
        if every and number % every == 0:
            yield Job("", b"", ".mps", REFERENCE, "", (), 0, None, None), None
        problem, setting = run.problem, run.setting
        yield (
            Job(
                run.key, problem.data, problem.suffix, problem.goal, setting.solver,
                setting.options, run.seed, campaign.time_limit, campaign.memory_limit,
            ),
            run,
        )  # fmt: skip


def _result(future: Future[dict[str, Any]]) -> dict[str, Any]:
    """Return what a run took and gave, also if no worker survived it."""
    error = future.exception()
    if error is None:
        return future.result()
    if type(error).__name__ != "KilledWorker":  # of Dask, which tried it on several workers
        raise error
    nothing: dict[str, Any] = dict.fromkeys(("answer", "killed", "cpu", "memory", "overhead"))
    said = "every worker that had this run died"
    return {**nothing, "status": None, "said": said, "wall": 0.0, "host": ""}


def _record(
    campaign: Campaign, run: Planned, ended: dict[str, Any], here: dict[str, str | None]
) -> dict[str, Any]:
    answer = ended["answer"] or {}
    if "option" in answer:
        raise InputError(f"{answer['option']}; correct the campaign")
    if "missing" in answer:
        raise SolverMissing(
            f"{answer['missing']} (on {ended['host']}); runs that are done are kept"
        )
    problem, setting = run.problem, run.setting
    return {
        "key": run.key,
        "instance": problem.name,
        "formulation": problem.formulation,
        "goal": problem.goal,
        "solver": setting.solver,
        "version": here[setting.solver],
        "options": setting.words,
        "seed": run.seed,
        **judged(problem, setting.solver, campaign.time_limit, ended),
        "wall": ended["wall"],
        "cpu": ended["cpu"],
        "memory": ended["memory"],
        "nodes": answer.get("nodes"),
        "bound": answer.get("bound"),
        "sense": "max" if problem.model.maximise else "min",
        "time_limit": campaign.time_limit,
        "memory_limit": campaign.memory_limit,
        "model": problem.digest,
        "machine": here["machine"],
        "host": ended["host"],
        "overhead": ended["overhead"],
        "calmip": here["calmip"],
        "finished": _now(),
    }


def _now() -> str:
    return datetime.datetime.now(datetime.UTC).isoformat(timespec="milliseconds")
