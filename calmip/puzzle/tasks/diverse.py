"""Solutions of an instance or a model that differ as much as possible."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import singledispatch
from inspect import signature
from typing import TYPE_CHECKING, Any

from calmip._base.errors import InputError, join_words
from calmip._base.limits import Deadline, Limits
from calmip.mip.optima.distance import check_choice
from calmip.mip.optima.diversity import (
    MAX_POOL,
    POOL_SECONDS,
    DiverseSolutions,
    find_diverse,
    find_diverse_of,
)
from calmip.puzzle.tasks.enumeration import Enumeration
from calmip.puzzle.tasks.pool_options import PoolOptions
from calmip.puzzle.tasks.problems import InstanceProblem, ModelProblem, problem_of
from calmip.puzzle.tiling import Verifier

if TYPE_CHECKING:
    from calmip.puzzle.tasks.problems import Problem, Source

GOALS = ("optimal", "gap", "within", "distinct")
"""The options of an enumeration that say what is chosen from."""


def choose_solutions(
    source: Source, number: int, distance: str, time_limit: float | None, given: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the fields of the `calmip.SolutionPool` of a choice; see `calmip.enumerate`.

    Parameters
    ----------
    source
        The instance or the model.
    number
        The number of solutions.
    distance
        A key of `calmip.mip.optima.distance.DISTANCES`.
    time_limit
        As for `calmip.solvers.Limits`.
    given
        The other parameters of `calmip.enumerate`, by their names.
    """
    check_choice(number, distance)
    usual = {name: one.default for name, one in signature(Enumeration).parameters.items()}
    wrong = [
        name
        for name, value in given.items()
        if name not in (*GOALS, "progress", "log") and value not in (usual.get(name), None)
    ]
    if wrong:
        raise InputError(f"diverse excludes {join_words(sorted(wrong))}; leave out one of them")
    problem = problem_of(source)
    goals = {name: given[name] for name in GOALS if given.get(name)}
    if goals and not problem.pooled:
        raise InputError(f"a puzzle has no objective: {join_words(goals)} are for models")
    clock = Limits(time_limit).clock
    found = _found(problem, number, distance, PoolOptions(**goals), clock)
    search = found.search
    return {
        "source": problem.source,
        "solutions": tuple(_solutions(problem, found)),
        "complete": found.diversity.proved,
        "stopped": found.stopped,
        "method": problem.methods[0],
        "columns": len(problem.columns),
        "rows": len(problem.rows),
        "seconds": clock.elapsed,
        "goal": found.goal.name,
        "optimum": search.best if search is not None and found.goal.name else None,
        "proved": search is not None and search.proved,
        "unique": None if problem.mixed else True,
        "diversity": found.diversity,
    }


@singledispatch
def _found(problem: Problem, *_: Any) -> DiverseSolutions:
    raise NotImplementedError(problem.kind)


@_found.register
def _(
    problem: ModelProblem, number: int, distance: str, options: PoolOptions, clock: Deadline
) -> DiverseSolutions:
    model = problem.model
    return find_diverse(
        model,
        number,
        options.goal(),
        distance=distance,
        distinct=options.columns(model),
        clock=clock,
    )


@_found.register
def _(
    problem: InstanceProblem, number: int, distance: str, _options: PoolOptions, clock: Deadline
) -> DiverseSolutions:
    seconds = clock.at_most(POOL_SECONDS).seconds
    listing = Enumeration(problem.source, limit=MAX_POOL + 1, time_limit=seconds)
    points = [dict.fromkeys(one.options(problem.cover), 1) for one in listing]
    return find_diverse_of(
        problem.relaxed(packing=False),
        points,
        number,
        distance=distance,
        complete=listing.complete,
        clock=clock,
    )


def _solutions(problem: Problem, found: DiverseSolutions) -> Sequence[Any]:
    """Return the points as solutions of the problem."""
    if problem.has_board:
        verifier = Verifier(problem.cover)
        return [verifier.tiling(sorted(point)) for point in found.points]
    if problem.model.binary:
        return [tuple(sorted(point)) for point in found.points]
    return found.points
