"""All solutions of a mixed-integer model, all optimal ones, those within a gap, or the K best.

A tree is searched to its end (Danna, Fenelon, Gu and Wunderling 2007,
https://doi.org/10.1007/978-3-540-72792-7_22), first for the optimum. From the optimum follows the
cutoff of the next one, plus the gap; or it is that of the K-th best solution. A solution is the
values of the integer columns, or of those that are named; each is completed in the best way.

What closes a node is exact: bounds that rows in whole numbers imply, the cutoff among them, and
bounds from multipliers of the linear relaxation (`calmip.mip.pool.safe_bounds`), with cuts that are
derived in fractions (`calmip.mip.pool.cuts`). HiGHS and a compiled simplex method propose
multipliers, incumbents and branchings, and nothing rests on them. So the optimum is proved, too.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import asdict, replace
from fractions import Fraction
from itertools import compress
from time import perf_counter
from typing import Any, NamedTuple, Self

from calmip._base.errors import SolverFailed
from calmip._base.limits import ENDLESS, Deadline, Progress
from calmip.mip.display import tell
from calmip.mip.face import LATE, other_point
from calmip.mip.model import Model
from calmip.mip.pool.counting import components, merged
from calmip.mip.pool.incumbent import Found, Incumbent
from calmip.mip.pool.integer_model import (
    WholeModel,
    activity,
    copy_of,
    program_of,
    tighten,
)
from calmip.mip.pool.open_nodes import Part, closed_share
from calmip.mip.pool.relaxation import NodeRelaxation
from calmip.mip.pool.settings import EVERY, OPTIMUM, Goal, PoolStatistics, TreeSettings
from calmip.mip.pool.shared_search import Share, shared
from calmip.mip.pool.tree_search import Experience, TreeSearch
from calmip.mip.rows import Bound, Number, Row, shortest

__all__ = [
    "EVERY",
    "OPTIMUM",
    "Goal",
    "NodeRelaxation",
    "PoolSearch",
    "PoolSolution",
    "PoolStatistics",
]


MAX_WINDOWS = 6
"""The most runs for the K best.

Each allows an objective ten times as far from the optimum as the last one, then a hundred times,
and so on.
"""


MAX_FACES = 1000
"""Of so many solutions it is found out whether their continuous columns are unique."""

ENTRY_SECONDS = 1.0
"""The least seconds between two entries about the open parts of the tree."""

RATE = 20
"""So many times as long as the search has taken is the time between two entries, at most."""

PROGRESS_SECONDS = 0.2
"""Seconds between two calls of ``progress``."""


class _State(NamedTuple):
    """What is left of an earlier search: the number of its run, and the open parts of its tree."""

    run: int
    optimum: Number | None
    counted: int
    undecided: int
    uses_lp: bool
    open: list[Part]


class PoolSolution(NamedTuple):
    """A solution: its exact objective, and its exact values by column, without zeros."""

    objective: Fraction
    point: dict[int, Number]


class PoolSearch:
    """The solutions of a mixed-integer model that a goal wants.

    Iterating yields each `PoolSolution` once: with a goal at the end, from the best to the worst;
    otherwise as they are found. With a goal the optimum is proved before others are searched. An
    interrupt with a goal yields none: ``counted`` is the number of those found.

    Parameters
    ----------
    model
        The model. Integer columns need bounds, of their own or by the rows.
    goal
        The solutions that are wanted.
    distinct
        The integer columns that distinguish solutions; by default all but auxiliary ones.
    clock
        Stop at its time limit.
    node_limit
        Stop after this many nodes.
    limited
        Whether only some of the solutions are wanted. Then they are yielded as they are found.
    tally
        Count the solutions and yield none.
    memory
        Stop when the process has so many bytes.
    relaxation
        The class of the linear relaxations; None for none.
    usage
        Whether ``used`` is counted, with ``tally``.
    covers
        Whether the rest of a slow tree may be searched as an exact cover.

    Attributes
    ----------
    record : callable or None
        Called with plain data, from which `recall` continues: each solution when it is found, and
        now and then what is left of the tree.
    progress : callable or None
        Called now and then with a `Progress`.
    share : callable or None
        Runs jobs in ``workers`` processes; see `calmip.mip.pool.shared_search.Share`.
    complete : bool
        Whether it is proved that there are no further solutions.
    stopped : str
        Why it ended early: ``"time"``, ``"nodes"``, ``"memory"``, ``"undecided"``; or empty.
    best : Fraction or None
        The best objective found so far.
    proved : bool
        Whether that is proved to be the optimum.
    cutoff : Fraction or None
        The worst objective that belongs to the pool.
    unique : bool or None
        Whether the continuous columns of each solution are; None if that is not known.
    second : tuple or None
        The number of the first solution whose continuous columns are not unique, from 1 on, and
        another point with the same integers and objective.
    tied : bool or None
        Whether there are others as good as the last of the K best; None if unknown.

    Raises
    ------
    InputError
        While iterating, if an integer column has no bound.
    """

    def __init__(
        self,
        model: Model,
        goal: Goal = EVERY,
        *,
        distinct: Iterable[int] = (),
        clock: Deadline = ENDLESS,
        node_limit: int | None = None,
        limited: bool = False,
        tally: bool = False,
        memory: float = math.inf,
        relaxation: type[NodeRelaxation] | None = NodeRelaxation,
        usage: bool = False,
        covers: bool = True,
    ) -> None:
        settings = TreeSettings(
            program_of(model, distinct), goal, clock, node_limit, memory, limited, tally, relaxation
        )
        settings = replace(settings, covers=covers)
        if usage:
            settings = replace(settings, usage=[0] * len(settings.program.order))
        if settings.sums:
            program, ways = merged(settings.program)
            settings = replace(settings, program=program, ways=ways)
        self.model, self.settings = model, settings
        self.statistics = PoolStatistics()
        self.complete, self.stopped, self.proved = False, "", False
        self.tied: bool | None = None
        self.unique: bool | None = True
        self.second: tuple[int, dict[int, Number]] | None = None
        self._optimum: Number | None = None
        self._worst: Number | None = None
        self.record: Callable[[Mapping[str, Any]], None] | None = None
        self.progress: Callable[[Progress], None] | None = None
        self.share: Share | None = None
        self.workers = 1
        self._recalled: dict[tuple[int, ...], Found] = {}
        self._known: dict[tuple[int, ...], Found] = {}
        self._state: _State | None = None
        self._run = self._written = 0
        self._shown = self._saved = 0.0
        self._experience = Experience(settings.program)

    @property
    def goal(self) -> Goal:
        """The solutions that are wanted."""
        return self.settings.goal

    @property
    def tally(self) -> bool:
        """Whether the solutions are counted and not yielded."""
        return self.settings.tally

    @property
    def used(self) -> dict[int, int] | None:
        """By distinct column, the number of solutions so far in which it is not 0; or None."""
        usage = self.settings.usage
        if usage is None:
            return None
        places = range(self._program.distinct)
        return dict(sorted((self._program.order[place], usage[place]) for place in places))

    @property
    def ended_by(self) -> str:
        """The methods, if a tree was left for a search of covers; or empty."""
        return "one-tree and exact-cover" if self.statistics.covers else ""

    @property
    def streams(self) -> bool:
        """Whether solutions are yielded as they are found."""
        return self.settings.streams

    @property
    def wants_bound(self) -> bool:
        """Whether ``progress`` tells a bound of the objective."""
        return self.progress is not None

    @property
    def wants_best_completions(self) -> bool:
        """Whether the best completion of a solution is wanted, or whether it is unique."""
        looks = self.streams and self.unique and not self._program.pure
        return not self.tally or bool(looks)

    @property
    def _program(self) -> WholeModel:
        return self.settings.program

    @property
    def counted(self) -> int:
        """The number of solutions so far."""
        return self.statistics.solutions

    @counted.setter
    def counted(self, number: int) -> None:
        self.statistics.solutions = number

    @property
    def best(self) -> Fraction | None:
        """The best objective found so far."""
        return None if self._optimum is None else self._program.objective(self._optimum)

    @property
    def cutoff(self) -> Fraction | None:
        """The worst objective that belongs to the pool, once the optimum is proved."""
        return None if self._worst is None else self._program.objective(self._worst)

    @property
    def cost_limit(self) -> Number:
        """The greatest sum of the costs that belongs to the pool, once the optimum is proved."""
        goal, program = self.goal, self._program
        if goal.most is not None:
            return goal.most
        if not self.proved or self._optimum is None:
            raise SolverFailed("the optimum is not proved; report this")
        return shortest(goal.worst(program, self._optimum) * program.unit)

    def bounded(self, most: Number | None) -> WholeModel:
        """Return the program with the bounds that its rows, and a greatest sum of costs, imply."""
        program = copy_of(self._program)
        limit: Any = math.inf
        if most is not None:
            limit = Fraction(most) / program.unit
            limit = math.floor(limit) if program.objective_is_integral else limit
        if not tighten(program, [Row(program.cost, -math.inf, limit)]):
            raise SolverFailed("the bounds exclude a solution that was found; report this")
        return program

    def within(
        self, low: Sequence[Bound], high: Sequence[Bound], most: Number | None
    ) -> PoolSearch:
        """Return a search for some solutions within other bounds, in the order of the program.

        It goes on with what this one has learnt of branchings.

        Parameters
        ----------
        low, high
            The bounds.
        most
            The greatest sum of the costs; None for all solutions.
        """
        part = copy(self)
        program = replace(self._program, low=list(low), high=list(high))
        part.settings = replace(
            self.settings, program=program, goal=Goal(most=most), limited=True, tally=False
        )
        part.record = part.progress = part.share = None
        part._recalled, part._known, part._state = {}, {}, None
        return part

    def __iter__(self) -> Iterator[PoolSolution]:
        self.unique, self.second = True, None
        for number, (value, point) in enumerate(self.points(), start=1):
            solution = self._solution(value, point)
            yield solution
            self._look_around(number, point, solution.point)

    def _look_around(
        self, number: int, point: Sequence[Number], values: Mapping[int, Number]
    ) -> None:
        """Look for another point with the integers and the objective of a solution."""
        if not self.unique or self._program.pure:
            return
        known = self._experience.completions.get(tuple(point[: self._program.integers]))
        if known is not None and known.unique and self.model.logic is None:
            return
        try:
            find = other_point if self.model.logic is None else beside_constructs
            clock = self.settings.clock
            another = None if number > MAX_FACES else find(self.model, values, clock)
        except TimeoutError:
            self.unique = None
            return
        if another is not None:
            self.unique, self.second = False, (number, another)
        elif number > MAX_FACES:
            self.unique = None

    def points(self) -> Iterator[Found]:
        """Yield the solutions as the program numbers columns: the sum of costs, and all values."""
        self.complete, self.stopped = False, ""
        self.proved, self.tied = False, None
        self.statistics = PoolStatistics()
        if self.settings.usage is not None:
            self.settings.usage[:] = [0] * len(self.settings.usage)
        self._optimum = self._worst = None
        state, self._saved = self._state, perf_counter()
        kept: dict[tuple[int, ...], Found] = {}
        self._known = {}
        (self._known if self.streams else kept).update(self._recalled)
        values = [value for value, _ in self._recalled.values()]
        if state is not None:
            self.counted = state.counted if self.tally else 0
            values += [] if state.optimum is None else [state.optimum]
        self._optimum = min(values, default=None)
        for found in self._known.values():
            self.counted += 1
            yield found
        interrupted = False
        try:
            parts = self._components() if state is None else []
            if len(parts) > 1:
                self._count(parts)
                return
            yield from self._runs(kept, state)
        except KeyboardInterrupt:
            if self.streams:
                raise
            interrupted = True
        if not self.streams:
            inside = self._inside(kept.values())
            self.counted = min(len(inside), self.goal.best or len(inside))
            if interrupted:  # to sort and to check them may take longer than the search
                raise KeyboardInterrupt
            for found in self._sorted(inside):
                if self.tally:
                    self.settings.use(found[1], found[1])
                else:
                    yield found

    def _runs(self, kept: dict[tuple[int, ...], Found], state: _State | None) -> Iterator[Found]:
        """Search the tree with one cutoff after the other, from a state on."""
        for number, ceiling in enumerate(self._ceilings(kept)):
            if state is not None and number < state.run:
                self.proved = True
                continue
            self._run = number
            run = self.tree(kept, ceiling)
            if state is not None and number == state.run:
                run.parts, run.uses_lp, run.undecided = state.open, state.uses_lp, state.undecided
            try:
                for found in self._solutions(run):
                    if self._known and self.settings.key_of(found[1]) in self._known:
                        continue
                    self.counted += 1
                    if not self.tally:
                        self.write(found[1])
                        yield found
                        continue
                    self.settings.use(found[1], found[1])
                    if self.unique and not self._program.pure:  # each is a leaf, not a box
                        self._look_around(self.counted, found[1], self._verified(found[1]))
                self._save(run)
            finally:
                self._optimum, self.stopped = run.incumbent.optimum, run.stopped
                if run.finished and not run.undecided:
                    self._worst = run.incumbent.cutoff
                self.complete = run.finished and not run.undecided
                self.proved |= self.complete
                known = self.complete and self.goal.best is not None and self.goal.ties
                self.tied = run.incumbent.tied if known else None
            if not self.complete:
                self.stopped = "undecided" if run.finished else run.stopped
                return

    def tree(self, kept: dict[tuple[int, ...], Found], ceiling: Bound | None) -> TreeSearch:
        """Return the search of the tree with a cutoff; without one, the optimum is not known."""
        now = Incumbent(self.settings, kept, ceiling, self._optimum)
        return TreeSearch(self.settings, now, self.statistics, self._experience, self)

    def _components(self) -> list[Self]:
        """Return searches whose counts multiply to that of this one."""
        alone = self.share is None and self.record is None
        if not (self.settings.sums and alone and (self.goal.plain or self.goal.optimal)):
            return []
        found = []
        for program, ways in components(self._program, self.settings.ways):
            part = copy(self)
            part.settings, part.progress = replace(self.settings, program=program, ways=ways), None
            part._experience = Experience(program)
            found.append(part)
        return found

    def _count(self, parts: list[Self]) -> None:
        """Multiply the counts of independent parts."""
        seen = self.statistics
        optimum: Number = 0
        for part in parts:
            if self.settings.node_limit is not None:
                left = max(0, self.settings.node_limit - seen.nodes)
                part.settings = replace(part.settings, node_limit=left)
            list(part)
            for name, effort in asdict(part.statistics).items():
                if name != "solutions":  # which multiply
                    setattr(seen, name, getattr(seen, name) + effort)
            if part.complete and not part.counted:  # nothing can complete the others
                self.complete, self.proved, self.counted = True, True, 0
                return
            self.stopped = self.stopped or part.stopped
            if part._optimum is not None:
                optimum += part._optimum
        known = all(part._optimum is not None for part in parts)
        self._optimum = optimum if known else None
        self.complete = all(part.complete for part in parts)
        self.proved = all(part.proved for part in parts)
        self._worst = self._optimum if self.proved and self.goal.optimal else None
        self.counted = math.prod(part.counted for part in parts)

    def _solutions(self, run: TreeSearch) -> Iterator[Found]:
        """Yield the solutions of a plain search by one process or several."""
        if self.share is None:
            return run.solutions()
        return shared(run, self.share, self.workers)

    # What is kept of a search, and continued.

    @property
    def identity(self) -> str:
        """A digest of all that the search depends on."""
        program, model = self._program, self.model
        parts = (
            model.columns,
            model.maximise,
            program.order,
            program.distinct,
            program.integers,
            program.rows,
            program.low,
            program.high,
            program.cost,
            program.unit,
            program.constant,
            self.goal,
            self.goal.best and MAX_WINDOWS,  # a number of a run means another window with others
            self.settings.early,
            self.tally,
        )
        from hashlib import sha256  # loads a library, and a small pool has no journal

        return sha256(repr(parts).encode()).hexdigest()

    def write(self, point: Sequence[Number]) -> None:
        """Verify a solution, and record it; see ``record``.

        All are verified when they are found, as thousands at the time limit would exceed it.
        """
        if self.tally:
            return
        values = self._verified(point)
        if self.record is not None:
            self._written += 1
            self.record({"solution": [[column, str(x)] for column, x in values.items()]})

    def note(self, run: TreeSearch) -> None:
        """Record now and then what is left, and report the progress."""
        now = perf_counter()
        if self.progress is not None and now >= self._shown:
            self.progress(self._progress(run))
            self._shown = now + PROGRESS_SECONDS
        if self.record is not None and now >= self._saved + ENTRY_SECONDS:
            self._save(run)
            passed = perf_counter() - now
            self._saved = max(now, now + RATE * passed - ENTRY_SECONDS)

    def _save(self, run: TreeSearch) -> None:
        if self.record is not None:
            best = run.incumbent.optimum
            self.record(
                {
                    "run": self._run,
                    "optimum": None if best is None else str(best),
                    "counted": self.counted,
                    "undecided": run.undecided,
                    "asks": bool(run.uses_lp),
                    "found": self._written,
                    "open": run.open,
                }
            )

    def recall(self, entry: Mapping[str, Any]) -> None:
        """Take an entry of an earlier search; raise `ValueError` or `TypeError` if it is wrong."""
        program = self._program
        if "solution" in entry:
            values = {column: Fraction(str(x)) for column, x in entry["solution"]}
            if not all(0 <= column < len(program.order) for column in values):
                raise ValueError("this is not a solution of the model")
            binary = self.model.binary and set(values.values()) <= {1}
            if self.model.violated(list(values) if binary else values) is not None:
                raise ValueError("this is not a solution of the model")
            point = tuple(shortest(values.get(column, Fraction(0))) for column in program.order)
            self._recalled[self.settings.key_of(point)] = program.value_of(point), point
            self._written += 1
            return
        if entry["found"] != self._written:
            # What is closed rests on the solutions before: one of them is missing.
            raise ValueError("these are not all solutions")
        run, counted, undecided = (int(entry[key]) for key in ("run", "counted", "undecided"))
        optimum = entry["optimum"]
        parts = [tuple((int(side), int(bound)) for side, bound in part) for part in entry["open"]]
        sides = {side for part in parts for side, _ in part}
        if not 0 <= run < MAX_WINDOWS + 3 or not all(
            0 <= side < 2 * program.integers for side in sides
        ):
            raise ValueError("these are not parts of the tree")
        self._state = _State(
            run,
            None if optimum is None else shortest(Fraction(optimum)),
            counted,
            undecided,
            bool(entry["asks"]),
            parts,
        )

    def _progress(self, run: TreeSearch) -> Progress:
        """Return the progress of a run: what is found, what is proved, and the effort."""
        found = len(run.incumbent.found) if not self.streams else self.counted
        words = [
            f"{self.statistics.nodes:,} nodes",
            f"{closed_share(run.open):.0%} of the tree closed",
        ]
        best, bound = run.incumbent.optimum, run.bound
        if best is not None and not self.goal.plain:
            objective = float(self._program.objective(best))
            exact = tell(self._program.objective(best))
            reached = f"optimum {exact}" if self.proved else f"best objective {exact}"
            if bound is not None and not self.proved:
                limit = self._program.objective(min(bound, best))
                gap = abs(objective - float(limit)) / max(abs(objective), 1e-9)
                reached += f", root bound {tell(limit)} (gap {gap:.2%})"
            words.insert(0, reached)
        return Progress(found, None, "solutions", detail=", ".join(words))

    def _ceilings(self, kept: Mapping[tuple[int, ...], Found]) -> Iterator[Bound | None]:
        """Yield the cutoffs of the runs that reach the goal."""
        goal, program = self.goal, self._program
        if goal.plain:
            yield None
            return
        if goal.most is not None:
            yield Fraction(goal.most) / program.unit
            return
        # First the optimum is proved, by one solution.
        yield None
        if self._optimum is None:
            return
        if goal.best is None:
            yield goal.worst(program, self._optimum)
            return
        if goal.best == 1:
            return
        bounds = copy_of(program)
        tighten(bounds, [])
        most = activity(program.cost, bounds.low, bounds.high)[1]
        size: Any = abs(self._optimum)
        window: Any = max(Fraction(1), Fraction(size) / 50)
        before = 1
        for number in range(1, MAX_WINDOWS + 1):
            ceiling = self._optimum + window
            if ceiling >= most:
                break
            yield ceiling
            inside = sum(value <= ceiling for value, _ in kept.values())
            if inside >= goal.best:
                return
            if inside == before and number > 1:  # probably there are no others
                break
            before = inside
            window *= 10**number
        yield math.inf

    def _inside(self, found: Iterable[Found]) -> list[Found]:
        """Return the solutions that belong to the pool, as far as its cutoff is known."""
        if self.goal.best is not None or self._optimum is None:
            return list(found)
        worst = self.goal.worst(self._program, self._optimum)
        return [one for one in found if one[0] <= worst]

    def _sorted(self, inside: list[Found]) -> list[Found]:
        """Return the pool so far, from the best to the worst."""
        order = self._program.order
        back = sorted(range(len(order)), key=order.__getitem__)
        inside.sort(key=lambda one: (one[0], [-one[1][index] for index in back]))
        return inside[: self.goal.best]

    def _solution(self, value: Number, point: Sequence[Number]) -> PoolSolution:
        return PoolSolution(self._program.objective(value), self.model.own(self._values(point)))

    def _verified(self, point: Sequence[Number]) -> dict[int, Number]:
        """Return the values of a solution."""
        values = self._values(point)
        # A binary model checks the columns that are one by all rows at once.
        if self.model.violated(list(values) if self.model.binary else values) is not None:
            raise SolverFailed("the pool found a point that violates the model; report this")
        return values

    def _values(self, point: Sequence[Number]) -> dict[int, Number]:
        """Return the values of the columns that are not 0, in the order of the columns."""
        order = self._program.order
        if self.model.binary:
            return dict.fromkeys(sorted(compress(order, point)), 1)
        return dict(sorted((order[column], x) for column, x in enumerate(point) if x))


def beside_constructs(
    model: Model, point: Mapping[int, Number], clock: Deadline = ENDLESS
) -> dict[int, Number] | None:
    """Return another point as `calmip.mip.face.other_point` does, of a model with constructs.

    The columns that linearise them may have any values.
    """
    columns = range(len(model.own_columns))
    if all(map(model.is_integer, columns)):
        return None
    face = model
    if costs := model.costs:
        best = shortest(sum(cost * point[c] for c, cost in costs.items() if c in point))
        face = model.with_objective_row("", best, best)
    face = face.fixed({c: point.get(c, 0) for c in columns if model.is_integer(c)})
    own = model.own({column: value for column, value in point.items() if value})
    search = PoolSearch(face.with_costs({}).changed(logic=None), clock=clock)
    for _, one in search:
        if model.own(one) != own:
            return model.own(one)
    if search.second is not None and model.own(search.second[1]) != own:
        return model.own(search.second[1])
    if not search.complete or search.unique is None:
        raise TimeoutError(LATE)
    return None
