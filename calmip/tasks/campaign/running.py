"""A campaign's runs in their order: what is missing is done, judged and written down."""

from __future__ import annotations

import datetime
import hashlib
import json
import math
import random
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass
from typing import Any

from calmip._interrupt import heed
from calmip.errors import InputError, SolverMissing
from calmip.tasks.campaign.document import Campaign, Setting
from calmip.tasks.campaign.problems import Problem, judged
from calmip.tasks.campaign.runs import NOTHING, REFERENCE, Job, Pool, execute
from calmip.tasks.campaign.store import Store

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
) -> Iterator[tuple[dict[str, Any], str]]:
    """Do runs and yield each as it is in the store, with what it shows to be a false given answer.

    A run at its time limit that hardly got the processor is done again, once.

    Raises
    ------
    InputError
        If a solver has no option of a name.
    SolverMissing
        If a solver is missing where it was to run.
    """
    for one in planned:
        if one.problem.unrun is not None:
            yield _stored(_record(campaign, one, {**NOTHING, "said": ""}, pool.here), "", store)
    waiting: dict[Future[dict[str, Any]], Planned | None] = {}
    jobs = _jobs(campaign, [run for run in planned if run.problem.unrun is None])
    again: list[Planned] = []
    repeated: set[str] = set()
    ended = False
    while waiting or again or not ended:
        while len(waiting) < 2 * pool.size():
            following = (_job(campaign, again[0]), again.pop(0)) if again else next(jobs, None)
            if following is None:
                ended = True
                break
            waiting[pool.executor.submit(execute, following[0])] = following[1]
        done, _ = wait(waiting, timeout=PATIENCE, return_when=FIRST_COMPLETED)
        heed()
        for future in done:
            run = waiting.pop(future)
            finished = _result(future)
            if run is None:
                store.add_reference({**finished, "finished": _now()})
                continue
            record = _record(campaign, run, finished, pool.here)
            if record["status"] == "starved" and run.key not in repeated:
                repeated.add(run.key)
                again.append(run)
                continue
            doubt = run.problem.evidence.doubt
            yield _stored(record, f"{run.problem.name}: {doubt}" if doubt else "", store)


def _stored(record: dict[str, Any], doubt: str, store: Store) -> tuple[dict[str, Any], str]:
    """Write down a run and what it puts in doubt, and return both."""
    store.add(record)
    if doubt:
        store.add_doubt(doubt)
    return record, doubt


def _jobs(campaign: Campaign, planned: list[Planned]) -> Iterator[tuple[Job, Planned | None]]:
    every = campaign.reference_every
    for number, run in enumerate(planned):
        if every and number % every == 0:
            yield Job("", b"", ".mps", REFERENCE, "", (), 0, None, None), None
        yield _job(campaign, run), run


def _job(campaign: Campaign, run: Planned) -> Job:
    problem, setting = run.problem, run.setting
    return Job(
        run.key, problem.data, problem.suffix, problem.goal, setting.solver,
        setting.options, run.seed, campaign.time_limit, campaign.memory_limit,
    )  # fmt: skip


def _result(future: Future[dict[str, Any]]) -> dict[str, Any]:
    """Return what a run took and gave, also if no worker survived it."""
    error = future.exception()
    if error is None:
        return future.result()
    if type(error).__name__ != "KilledWorker":  # of Dask, which tried it on several workers
        raise error
    return {**NOTHING, "said": "every worker that had this run died"}


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
        "bound": _finite(answer.get("bound")),
        "sense": "max" if problem.unrun is None and problem.model.maximise else "min",
        "time_limit": campaign.time_limit,
        "memory_limit": campaign.memory_limit,
        "model": problem.digest,
        "machine": here["machine"],
        "host": ended["host"],
        "overhead": ended["overhead"],
        "calmip": here["calmip"],
        "finished": _now(),
    }


def _finite(number: float | None) -> float | None:
    return number if number is not None and math.isfinite(number) else None


def _now() -> str:
    return datetime.datetime.now(datetime.UTC).isoformat(timespec="milliseconds")
