"""All solutions of an instance or a model, and whether they are proved to be all."""

from __future__ import annotations

import builtins
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, cast, overload

from calmip._base.errors import InputError, NotATiling
from calmip.mip.status import Status
from calmip.puzzle.tasks.enumeration import Enumeration
from calmip.puzzle.tasks.interface import public
from calmip.puzzle.tasks.problems import values_of
from calmip.puzzle.tasks.results import Pictured, Sourced
from calmip.puzzle.tiling import Tiling

if TYPE_CHECKING:
    from calmip.mip.files.objects import PointValues
    from calmip.mip.model import Point
    from calmip.mip.optima.distance import Diversity
    from calmip.mip.optima.relations import Relations
    from calmip.mip.pool import PoolStatistics
    from calmip.mip.rows import Number
    from calmip.puzzle.instance import Instance
    from calmip.puzzle.tasks.problems import Source

if TYPE_CHECKING:
    from typing_extensions import TypeVar

    T_co = TypeVar("T_co", covariant=True, default=Any)
else:
    from typing import TypeVar

    T_co = TypeVar("T_co", covariant=True)


@dataclass(frozen=True, repr=False)
class SolutionPool(Sourced, Pictured, Sequence[T_co]):
    """Result of `enumerate`: a solution pool, and whether it is proved to hold all solutions.

    It is a sequence of its solutions: ``pool[0]``, ``pool[:2]``, ``len(pool)``; but ``count`` is
    their number, also where they are counted and not listed.

    Parameters
    ----------
    source
        The instance, or the model.
    solutions
        The distinct solutions in the order in which they were found: tilings of an
        instance; of a binary model the columns that are one, by number, ascending; of
        another model the exact values by column that are not 0.
    complete
        Whether it is proved that there is no other solution.
    stopped
        Why the search ended early: ``"limit"``, ``"time"``, ``"memory"``, ``"nodes"``,
        ``"undecided"`` (an exact linear program was not finished), ``"interrupt"``; or empty.
    method
        The method of the search.
    solver, formulation
        Those of the method ``"no-good"``; None for the others.
    columns, rows
        The size of the exact cover, or of the model.
    seconds
        The wall-clock seconds of the search.
    reduced
        The number of columns after the reduction; None without one.
    symmetries
        The number of symmetries of the region to cover, if only one tiling of each orbit
        counts; None otherwise.
    statistics
        The statistics of the method ``"one-tree"``; None for the others.
    goal
        The solutions of a model that were wanted: ``"optimal"``, ``"gap"``, ``"within"``,
        ``"best"``; or empty for all.
    optimum
        The best objective found, if the goal needs it.
    proved
        Whether that is proved to be the optimum.
    cutoff
        The worst objective that belongs to the pool.
    tied
        Of the best ones: whether others are as good as the last; None if that is not known.
    number
        The number of solutions, where they are counted and not listed.
    unique
        Whether the continuous variables of each solution are the only ones with its integers and
        its objective; None if that is not known.
    second
        The number of the first solution, from 1 on, for which they are not, and the exact values
        of another point; or None.
    diversity
        How different the solutions are, if they were chosen so; then ``complete`` is whether it is
        proved that no choice is better. None otherwise.
    used
        By integer variable, the number of solutions in which it is not 0, if that was counted.

    Raises
    ------
    NotATiling
        If there are duplicates.
    """

    KEYS = (
        "instance",
        "status",
        "complete",
        "stopped",
        "method",
        "solver",
        "formulation",
        "columns",
        "reduced",
        "rows",
        "seconds",
        "symmetries",
        "count",
    )
    MODEL_KEYS = (
        "model",
        "status",
        "complete",
        "stopped",
        "method",
        "seconds",
        "count",
        "goal",
        "optimum",
        "proved",
        "cutoff",
        "tied",
    )

    source: Source
    solutions: tuple[T_co, ...]
    complete: bool
    stopped: str = ""
    method: str = "exact-cover"
    solver: str | None = None
    formulation: str | None = None
    columns: int = 0
    rows: int = 0
    seconds: float = field(default=0.0, compare=False)
    reduced: int | None = None
    symmetries: int | None = None
    statistics: PoolStatistics | None = field(default=None, compare=False)
    goal: str = ""
    optimum: Number | None = None
    proved: bool = False
    cutoff: Number | None = None
    tied: bool | None = None
    number: int | None = None
    unique: bool | None = True
    second: tuple[int, Mapping[int, Number]] | None = field(default=None, compare=False)
    diversity: Diversity | None = None
    used: Mapping[str, int] | None = None

    def __post_init__(self) -> None:
        if len(set(map(key_of, self.solutions))) != len(self.solutions):
            raise NotATiling(f"the pool has a duplicate {self.what}")

    @classmethod
    def of(cls, search: Enumeration, *, listed: bool = True) -> Self:
        """Return the pool of an enumeration so far, with its solutions or their number alone."""
        counted = search.tally or not listed
        return cls(
            search.source, () if counted else tuple(search.solutions), search.complete,
            search.stopped, search.method, search.solver, search.formulation, search.columns,
            search.rows, search.seconds, search.reduced, search.symmetries, copy(search.statistics),
            search.goal, search.optimum, search.proved, search.cutoff, search.tied,
            search.count if counted else None, search.unique, search.second, None, search.used,
        )  # fmt: skip

    @property
    def status(self) -> Status:
        """Feasible, infeasible if it is proved that there is no solution, or unknown."""
        return Status.of_pool(self.count, self.complete)

    @property
    def has_picture(self) -> bool:
        """Whether there is something to draw."""
        return bool(self.solutions) or bool(self.count and self.used)

    @property
    def tilings(self) -> tuple[Tiling, ...]:
        """The tilings; there are none where the source is a model."""
        return cast("tuple[Tiling, ...]", self.solutions) if self.problem.has_board else ()

    @property
    def points(self) -> tuple[Point, ...]:
        """The solutions of a model, as in ``solutions``; none of an instance."""
        return cast("tuple[Point, ...]", self.solutions) if self.problem.pooled else ()

    @cached_property
    def values(self) -> tuple[PointValues, ...]:
        """The values of a model's variables in each solution; none of an instance.

        ``pool.values[i][x]`` is the value of a variable, by its name or by the caller's variable,
        and ``pool.values[i].apply_to(problem)`` sets the variables of a PuLP or Pyomo object.
        """
        return tuple(map(self.values_of, self.points))

    @property
    def count(self) -> int:  # type: ignore[override] # older than the sequence, and in all results
        """The number of solutions."""
        return len(self.solutions) if self.number is None else self.number

    @property
    def tally(self) -> bool:
        """Whether the solutions are counted and not listed."""
        return self.number is not None

    unlisted = 0

    @cached_property
    def objectives(self) -> tuple[Number, ...]:
        """The exact objective of each solution of a model; none of an instance."""
        return tuple(map(self.model.exact_objective, self.points)) if self.points else ()

    def __len__(self) -> int:
        return len(self.solutions)

    def __iter__(self) -> Iterator[T_co]:
        return iter(self.solutions)

    @overload
    def __getitem__(self, place: int) -> T_co: ...

    @overload
    def __getitem__(self, place: slice) -> tuple[T_co, ...]: ...

    def __getitem__(self, place: int | slice) -> T_co | tuple[T_co, ...]:
        return self.solutions[place]

    @property
    def backbone(self) -> dict[str, Number]:
        """The integer variables of a model that have the same value in all solutions."""
        points = [values_of(point) for point in self.points]
        integer = self.model.values("integer")
        return {
            name: points[0].get(column, 0)
            for column, name in builtins.enumerate(self.model.own_columns)
            if points and integer[column] and len({one.get(column, 0) for one in points}) == 1
        }

    @property
    def usage(self) -> dict[str, int]:
        """The number of solutions in which each variable of a model is not 0.

        Raises
        ------
        InputError
            If the solutions were counted without ``usage=True``.
        """
        if self.used is not None:
            return dict(self.used)
        if self.tally:
            raise InputError("the solutions were counted, not listed; give usage=True instead")
        counts = Counter(column for point in self.points for column in values_of(point))
        return {name: counts[column] for column, name in builtins.enumerate(self.model.own_columns)}

    @cached_property
    def relations(self) -> Relations:
        """The pairs of binary variables of a model that exclude or imply each other.

        Raises
        ------
        InputError
            If the pool is not complete, or holds a choice: then others may refute them.
        """
        from calmip.mip.optima.relations import find_relations

        if not self.complete or self.diversity is not None or self.tally:
            raise InputError(
                "the pool does not hold all solutions, and others may refute what holds in these"
            )
        integer, points = self.model.values("integer"), map(values_of, self.points)
        every = [{c: x for c, x in point.items() if integer[c]} for point in points]
        return find_relations(self.model.columns, every)

    def most_different(self, number: int, distance: str = "unequal") -> tuple[T_co, ...]:
        """Return ``number`` solutions of which the two most similar differ as much as possible.

        The choice is exact for up to 3,000 solutions, if that takes at most 10 seconds; otherwise
        the least distance is at least half of the greatest possible one. `calmip.enumerate` with
        ``diverse`` says which it is. The order is that of the pool.

        Parameters
        ----------
        number
            The number of solutions; all if there are fewer.
        distance
            ``"unequal"``: the number of integer variables with another value, or of placements
            that one of two tilings has. ``"l1"``: the sum of the differences.
        """
        from calmip._base.limits import Deadline
        from calmip.mip.optima.distance import check_choice
        from calmip.mip.optima.diversity import CHOICE_SECONDS, choose

        check_choice(number, distance)
        if self.problem.has_board:
            every: list[Mapping[int, Number]]
            every = [dict.fromkeys(one.options(self.problem.cover), 1) for one in self.tilings]
        else:
            integer = self.model.values("integer")
            named = map(values_of, self.points)
            every = [{c: x for c, x in values.items() if integer[c]} for values in named]
        chosen = choose(every, number, distance, Deadline(CHOICE_SECONDS))
        return tuple(self.solutions[place] for place in chosen.places)

    def union(self, other: SolutionPool[Any]) -> tuple[Any, ...]:
        """Return the solutions of this pool and those of another that this one lacks.

        Solutions of models are compared by the names of variables.
        """
        return self.solutions + other.difference(self)

    def difference(self, other: SolutionPool[Any]) -> tuple[T_co, ...]:
        """Return the solutions of this pool that another lacks, compared as in `union`."""
        known = set(map(other.problem.key_of, other.solutions))
        return tuple(one for one in self.solutions if self.problem.key_of(one) not in known)

    def describe(self) -> dict[str, Any]:
        """Return the pool, with the keys in their documented order."""
        found = [self.describe_solution(one) for one in self.solutions]
        return {**self.describe_search(), f"{self.what}s": found}

    def describe_search(self) -> dict[str, Any]:
        """Return the description without the solutions."""
        found = super().describe() | {"seconds": {"total": round(self.seconds, 6)}}
        if self.symmetries is None:
            found.pop("symmetries", None)
        for key in () if self.goal else ("goal", "optimum", "proved", "cutoff"):
            found.pop(key, None)
        if self.goal != "best":
            found.pop("tied", None)
        if self.diversity is not None:
            return found | {"diversity": self.diversity.describe()}
        if self.used is not None:
            found["usage"] = dict(self.used)
        return found | describe_faces(self)

    def describe_solution(self, solution: Any) -> dict[str, Any]:
        """Return a solution, with its objective where that plays a part."""
        return self.problem.describe_solution(solution, valued=bool(self.goal))

    def _summary(self) -> str:
        count = f"{len(self):,} {self.what}{'' if len(self) == 1 else 's'}"
        return f"{count}, {'complete' if self.complete else 'not complete'}, {self.source.name}"


@overload
def enumerate(  # noqa: A001 - the name of the command
    source: Instance,
    *,
    method: str | None = None,
    limit: int | None = None,
    time_limit: float | None = None,
    memory_limit: float | None = None,
    file: str | Path | None = None,
    resume: bool = False,
    diverse: int | None = None,
    distance: str = "unequal",
    **settings: Any,
) -> SolutionPool[Tiling]: ...


@overload
def enumerate(  # noqa: A001 - the name of the command
    source: Source,
    *,
    method: str | None = None,
    limit: int | None = None,
    time_limit: float | None = None,
    memory_limit: float | None = None,
    file: str | Path | None = None,
    resume: bool = False,
    diverse: int | None = None,
    distance: str = "unequal",
    **settings: Any,
) -> SolutionPool[Any]: ...


@public
def enumerate(  # noqa: A001 - the name of the command
    source: Source,
    *,
    method: str | None = None,
    limit: int | None = None,
    time_limit: float | None = None,
    memory_limit: float | None = None,
    file: str | Path | None = None,
    resume: bool = False,
    diverse: int | None = None,
    distance: str = "unequal",
    **settings: Any,
) -> SolutionPool:
    """Find all tilings of an instance or all solutions of a model, or as many as the limits allow.

    The command shows each tiling as soon as it is found; in Python, Enumeration yields them.
    A model's solutions are the values of its integer variables that satisfy every row; for each,
    the continuous variables have their best values. --optimal, --gap, --within and --best ask for
    the best ones alone, in the order of the objective. The pool is complete if exact
    arithmetic proves that there are no others. If the enumeration is killed, its tilings are
    in FILE.part, and a model's solutions in FILE.journal; --resume continues. A picture shows
    the tilings on one sheet, a PDF on pages; by default it stops at 1,000 tilings. Of a
    model it shows which variables the solutions use.

    Parameters
    ----------
    source
        The instance; or a model, from `calmip.read_model` for example, or as an object of PuLP,
        Pyomo, highspy, Gurobi or SCIP. Its integer variables need bounds.
    method
        Search by this method; exact-cover by default. A model is searched by ``exact-cover`` if
        its rows are an exact cover and all solutions are wanted, else by ``one-tree``.
    limit
        Stop after this many solutions.
    time_limit, memory_limit
        As for `calmip.solvers.Limits`; the memory is that of the process.
    file
        Write the solutions to this file, one line of JSON each. It grows as ``NAME.part`` and
        gets its name at the end, also after Ctrl-C. Beside the file of a model is
        ``NAME.journal`` until the pool is complete.
    resume
        Continue an earlier run with the same JSONL file; it was killed or stopped at a limit.
        Of an instance its tilings are in ``NAME.part`` or ``NAME``; of a model all that is known
        is in ``NAME.journal``.
    diverse
        Choose this many that differ most; the two most similar differ as much as possible. The
        choice is exact if all solutions can be listed: up to 3,000, in 10 seconds. Otherwise each
        is as far as possible from those before, and a linear program bounds what is possible.
    distance
        Measure differences so, with ``diverse``; ``unequal`` is the number of integer variables
        with another value, or of placements that one of two tilings has, ``l1`` the sum of the
        differences.
    settings
        ``up_to_symmetry``, those of the method ``"no-good"``, and of models ``optimal``,
        ``gap``, ``within``, ``best``, ``distinct``, ``node_limit``, ``count``, ``usage``,
        ``workers`` and ``progress``, as for `Enumeration`.

    Raises
    ------
    InputError
        If the method is unknown or a number out of range, or if the file cannot
        be written or belongs to another run.
    TypeError
        If the source is neither an instance nor a model.
    SolverMissing
        If the method needs a solver that is not installed.
    SolverFailed
        If a solver crashed, or an answer failed its check.
    """
    if diverse is not None:
        from calmip.puzzle.tasks.diverse import choose_solutions

        others = {"method": method, "limit": limit, "memory_limit": memory_limit, "file": file}
        given = {**settings, **others, "resume": resume or None}
        return SolutionPool(**choose_solutions(source, diverse, distance, time_limit, given))
    search = Enumeration(
        source,
        method=method,
        limit=limit,
        time_limit=time_limit,
        memory_limit=memory_limit,
        resumable=file is not None,
        **settings,
    )
    if resume and file is None:
        raise InputError("to resume, name the file that the earlier run wrote")
    if file is None:
        found: Iterator[Any] = iter(search)
    elif search.pool is None:
        from calmip.puzzle.tasks.journal import save_tilings

        found = save_tilings(search, Path(file), resume=resume)
    else:
        found = _save(search, Path(file), resume=resume)
    for _ in found:
        pass
    return SolutionPool.of(search)


enumerate.settings_of = Enumeration  # type: ignore[attr-defined]


def _save(search: Enumeration, file: Path, *, resume: bool) -> Iterator[Any]:
    """Yield the solutions of a pool, each after writing it to a file as a line of JSON."""
    from calmip._base.files import part_file
    from calmip.puzzle.tasks.journal import save_pool

    line_of = search.problem.lines(valued=bool(search.goal))
    with part_file(file) as write:
        for point in save_pool(search, file, resume=resume):
            write(line_of(point))
            yield point


def describe_faces(found: Any) -> dict[str, Any]:
    """Return whether the continuous variables are unique, of a complete pool or count that has any.

    ``second`` is another point, with the number of the solution if they are listed.
    """
    if not (found.problem.mixed and found.complete and found.count):
        return {}
    second = None
    if found.second is not None:
        number, point = found.second
        of = {} if found.tally else {"of": number}
        second = {**of, **found.model.describe_point(point)}
    return {"unique": found.unique, "second": second}


def key_of(solution: Any) -> Any:
    """Return an object that can be compared and hashed instead of a solution."""
    return tuple(sorted(solution.items())) if isinstance(solution, Mapping) else solution
