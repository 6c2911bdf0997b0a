"""One search of the tree with a cutoff: its leaves, and the relaxations of its nodes."""

from __future__ import annotations

import math
import os
from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product
from time import perf_counter, process_time
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import calmip.mip.pool.branch_and_bound as plain
from calmip._base.errors import InputError, clip
from calmip._base.highs import Setting
from calmip._base.limits import CpuDeadline
from calmip.mip.exact_cover.search import CoverSearch
from calmip.mip.model import Model
from calmip.mip.pool.by_cover import AFRESH, AGAIN, PATIENCE, TRIAL, cover_within
from calmip.mip.pool.counting import points_of_box
from calmip.mip.pool.integer_model import (
    MAX_COST_SUM,
    WholeModel,
    copy_of,
    rounded,
    rounded_costs,
    strengthen,
    tighten,
)
from calmip.mip.pool.open_nodes import Part, closed_share, enter, open_parts
from calmip.mip.pool.relaxation import NodeRelaxation, Nodes, bound_rest, cutoff_of, scaled_program
from calmip.mip.pool.settings import PoolStatistics, TreeSettings
from calmip.mip.rows import Interval, Number, Row, is_finite, shortest
from calmip.mip.status import Status

if TYPE_CHECKING:
    from calmip.mip.lp.exact_lp import ExactLp
    from calmip.mip.pool.incumbent import Found, Incumbent
    from calmip.mip.pool.open_nodes import Answer

WORK_PER_CLOCK_READ = 1_000_000
"""The coefficients touched between two readings of the clock: some milliseconds."""

WORK_BEFORE_RELAXATIONS = 10_000_000
"""The coefficients touched before linear relaxations are solved."""

LOOK = 5, 20
"""Once this part of that is touched, that part of the tree should be closed, for the proof of the
optimum. Otherwise relaxations are solved at once."""

UNEQUAL_DIVISOR = 10
"""The budget is divided by this where half of the coefficients are in rows of unequal ones, which
imply less."""

PLAIN_DIVISOR = 100
"""Without compiled loops, both numbers are divided by this."""

SOLUTIONS_PER_MEMORY_CHECK = 1024
"""The number of solutions between two checks of the memory."""

MIN_STEPS = 3
"""The fewest steps before a pause: then a node is branched or closed."""

MAX_BOX = 1 << 14
"""Larger boxes are divided, where a search pauses."""

MAX_COMPLETIONS = 10_000
"""The most integer values whose completions are kept."""

WORK_PER_SOLUTION = 20_000
"""By so much the budget rises with each solution, and falls with each better incumbent."""

RELAXATIONS_BEFORE_IMPROVING = 20_000, 3000
"""The relaxations that are solved before HiGHS looks for a better incumbent: those of pure integer
models, and those of others."""

ROWS_BEFORE_IMPROVING = 250_000
"""The relaxations that are solved before that have so many rows in all, at least."""

FEW_INTEGERS = 16
"""With so many integer columns the tree itself is faster than HiGHS at its first feasible point."""

INCUMBENT_SECONDS = 10.0
"""The most seconds for HiGHS to find an incumbent."""

NEARLY = 1e-7
"""Values of a relaxation so near to a whole number are it, where a completion is rounded."""

MAX_DENOMINATOR = 1000
"""The greatest denominator of the others."""

FIRST, BETTER = {"mip_max_improving_sols": 1}, {"mip_max_nodes": 100}
"""HiGHS's effort for its first feasible point, and for one that is near the optimum."""

WHOLE = 1e-6
"""Values of a relaxation so near to a whole number count as whole, for branching alone."""


class Observer(Protocol):
    """What is told of a search: of each solution that is kept, and of each step."""

    @property
    def wants_bound(self) -> bool:
        """Whether a bound of all solutions is wanted."""

    @property
    def wants_best_completions(self) -> bool:
        """Whether the best completion of a solution is wanted, and not only that there is one."""

    def write(self, point: Sequence[Number]) -> None:
        """Verify and record a solution."""

    def note(self, tree: TreeSearch) -> None:
        """Take notice of a step."""


class Completed(NamedTuple):
    """The best completion of integer values, None if there is none; whether it is the only best."""

    found: Found | None
    unique: bool


class KnownCuts(NamedTuple):
    """Rows that every solution of a program satisfies whose sum of costs is at most a limit."""

    program: WholeModel
    limit: Fraction | None
    rows: list[Row[int]]

    def hold(self, program: WholeModel, cutoff: Fraction | None) -> bool:
        """Return whether every solution of a program within a cutoff satisfies the rows."""
        lower = self.limit is None or (cutoff is not None and cutoff <= self.limit)
        return program is self.program and lower


class Experience:
    """What earlier trees of a program have taught.

    Attributes
    ----------
    history : tuple
        What branchings on each side of the columns gained, and how often.
    cutless : bool
        Whether cuts were of no use.
    cuts : KnownCuts or None
        The cuts of the last tree that looked for some.
    completions : dict
        The completions of integer values, which one cutoff after the other asks for again.
    lp : ExactLp or None
        What completes them.
    patience : float
        The CPU seconds that a tree has before its solutions are searched as an exact cover.
    """

    def __init__(self, program: WholeModel) -> None:
        self.history: tuple[Any, ...] = tuple(
            array("d", bytes(8 * (2 * program.integers + 2))) for _ in "12"
        )
        self.cutless = False
        self.cuts: KnownCuts | None = None
        self.completions: dict[tuple[Number, ...], Completed] = {}
        self.lp: ExactLp | None = None
        # A column that stands for others has no place in a cover, nor has one beside the solutions.
        whole = program.distinct == len(program.model.columns) and program.model.binary
        self.patience = PATIENCE if whole else math.inf

    def __getstate__(self) -> dict[str, object]:
        """Return what another process needs."""
        return {**vars(self), "cuts": None, "completions": {}, "lp": None}


class Costs(NamedTuple):
    """A program with costs that fit into the tree, and how they bound the true ones."""

    program: WholeModel
    step: int
    rest: Fraction


class TreeSearch:
    """One search of the tree with a cutoff.

    Parameters
    ----------
    settings
        What is asked for, and the limits.
    incumbent
        The solutions so far, and the cutoff.
    seen
        The statistics, to which the effort is added.
    experience
        What earlier trees have taught.
    observer
        What is told of the search.

    Attributes
    ----------
    parts : list
        The open parts of the tree; the first is at work.
    finished : bool
        Whether none is left.
    stopped : str
        Why it ended early: ``"time"``, ``"nodes"``, ``"memory"``; or empty.
    undecided : int
        The leaves that were not completed in exact arithmetic.
    uses_lp : bool or None
        Whether all relaxations are solved from the start; None to decide.
    bound : Fraction or None
        A bound of the sum of costs of all solutions, for the progress.
    seconds : float
        Pause after so long.
    """

    rounded: Fraction | None = None
    """The last cutoff by which the bounds were narrowed, where costs are rounded."""
    exact = True
    """Whether no row of the tree is rounded."""
    refined = emptied = False
    """Whether they allow finer costs; whether nothing is left."""
    entered = halfway = closed = False
    """Whether the tree is within the first part, within a leaf of it, or has closed it."""
    looked = lags = False
    """Whether it was found out if little of the tree is closed; whether that is so."""
    seconds = math.inf
    observer: Observer | None = None

    def __init__(
        self,
        settings: TreeSettings,
        incumbent: Incumbent,
        seen: PoolStatistics,
        experience: Experience | None = None,
        observer: Observer | None = None,
    ) -> None:
        self.settings, self.incumbent, self.seen = settings, incumbent, seen
        self.experience = experience or Experience(settings.program)
        self.observer = observer
        self.program = copy_of(settings.program)
        self.costs = Costs(self.program, 1, Fraction(0))
        self.finished, self.stopped, self.undecided = False, "", 0
        self.uses_lp: bool | None = None
        self.bound: Fraction | None = None
        self.parts: list[Part] = [()]
        self.number = {column: number for number, column in enumerate(self.program.order)}
        self.pattern: Found | None = None
        """The best completion of the current pattern."""
        self.relaxation: NodeRelaxation | None = None
        """Those that pay."""
        self.nodes: Nodes | None = None
        self.reported_cutoff: Any = None
        """The cutoff that the tree knows."""
        equal = [len(terms) if _alike(terms) else -len(terms) for terms, _, _ in self.program.rows]
        self.budget = (
            WORK_BEFORE_RELAXATIONS
            if sum(equal) > 0
            else WORK_BEFORE_RELAXATIONS // UNEQUAL_DIVISOR
        )
        """The coefficients touched before all relaxations are solved."""
        self.began: float | None = None
        self.steps = 0
        self.birth = process_time()

    @property
    def streams(self) -> bool:
        """Whether solutions are yielded as they are found."""
        return self.settings.goal.plain or (self.incumbent.fixed and self.settings.streams)

    # The cutoff.

    @property
    def small_limit(self) -> tuple[Fraction | None, bool]:
        """The cutoff in the costs of the tree, which every solution satisfies."""
        limit, excluded = self.incumbent.limit
        if self.costs.step == 1 or limit is None:
            return limit, excluded
        limit = (limit - self.costs.rest) / self.costs.step
        # What equals the cutoff may be better than it by what was rounded.
        return Fraction(math.floor(limit)) if self.program.objective_is_integral else limit, False

    def begin(self, value: Number, point: tuple[Number, ...]) -> None:
        """Begin with a feasible point."""
        if self.program.distinct == self.program.integers:
            self.keep(value, point)
        else:  # it may not be the best completion
            self.incumbent.begin_at(value)

    def keep(self, value: Number, point: tuple[Number, ...]) -> None:
        """Put a solution into the pool, unless it was found before the search started anew."""
        if not self.streams:
            found, key = self.incumbent.found, self.settings.key_of(point)
            if key in found:
                return
            if not self.settings.early:
                found[key] = value, point
                if self.observer is not None:
                    self.observer.write(point)
                if len(found) % SOLUTIONS_PER_MEMORY_CHECK == 0:
                    from calmip.processes import resident  # a small pool starts no program

                    if resident(os.getpid()) > self.settings.memory:
                        self.stopped = "memory"
        self.incumbent.add(value)

    # The search.

    def solutions(self) -> Iterator[tuple[Number, tuple[Number, ...]]]:
        """Search the tree; yield the solutions of a plain search as they are found."""
        if self.observer is not None and self.ends_as_cover():  # an earlier tree has
            self.parts.clear()
            self.finished = True
        elif self.prepare():
            yield from self.search_parts()

    def prepare(self) -> bool:
        """Tighten the program at the root; return whether there is something to search."""
        program = self.program
        empty = any(low > high for low, high in zip(program.low, program.high, strict=True))
        if empty or not self.parts or any(low > high for _, low, high in program.rows):
            self.finished = True
            return False
        # Where rows do not bound columns, or leave them wide, a cutoff may.
        far = self.far_sides() and tighten(program, []) and self.far_sides()
        if far or not (program.pure or program.integers <= FEW_INTEGERS):
            self.find_incumbent(BETTER if far and rounded_costs(program)[1] > 1 else FIRST)
        try:
            self.finished = not self.narrow()
        except TimeoutError:
            self.stopped = "time"
            return False
        if not self.finished:
            bound_rest(program, self.objective_row())
            strengthen(program)
        self.rounded = self.incumbent.cutoff
        return not self.finished

    def narrow(self) -> bool:
        """Tighten the bounds by the rows and the cutoff; False if there is no solution."""
        return tighten(self.program, [self.objective_row()]) and self.find_bounds()

    def find_incumbent(self, effort: Mapping[str, Setting] = FIRST) -> None:
        """Begin with a feasible point of HiGHS, where an incumbent is of use."""
        now = self.incumbent
        wanted = not now.fixed and not now.goal.plain and self.program.cost
        if wanted and now.optimum is None:
            self.improve(effort)

    def search_parts(self) -> Iterator[tuple[Number, tuple[Number, ...]]]:
        """Search the open parts; yield the solutions of a plain search as they are found."""
        if self.uses_lp is None:
            # Rows without the continuous columns prune little, and each leaf costs an exact LP.
            again = bool(self.incumbent.fixed and self.seen.relaxations)
            self.uses_lp = self.settings.relaxes_all and (not self.program.pure or again)
        fresh = True
        self.began, self.steps = None, 0
        while self.parts and not self.pauses:
            if fresh and not self.start(ask=self.uses_lp):
                self.parts.clear()
                break
            asked, fresh, self.refined = self.uses_lp, False, False
            self.entered = enter(self.tree, self.parts[0])
            if self.entered:
                yield from self.events()
                if self.uses_lp and not asked and not self.streams:
                    self.find_incumbent()
                    fresh = True  # with relaxations
                    continue
                if self.refined:
                    if self.emptied:
                        self.parts.clear()
                        self.entered = False
                        break
                    fresh = True  # with finer costs
                    continue
                if not self.closed:
                    return
            self.entered = False
            del self.parts[0]
        self.finished = not self.parts

    def refine(self) -> bool:
        """Return whether the cutoff has narrowed the bounds so that the costs are rounded less."""
        cutoff = self.incumbent.cutoff
        within = self.tree.numbers[plain.PATTERN] >= 0  # whose limit is its own
        if self.costs.step == 1 or within or cutoff is None or cutoff == self.rounded:
            return False
        self.rounded = cutoff
        try:
            self.emptied = not self.narrow()
        except TimeoutError:
            self.stopped = "time"
            return False
        self.refined = self.emptied or rounded_costs(self.program)[1] < self.costs.step
        return self.refined

    @property
    def pauses(self) -> bool:
        """Whether it is time to pause; not before something is done, nor within a pattern."""
        if self.began is None or self.steps < MIN_STEPS or self.tree.numbers[plain.PATTERN] >= 0:
            return False
        return perf_counter() >= self.began + self.seconds

    def __getstate__(self) -> dict[str, Any]:
        """Return what another process needs to search parts of the tree."""
        program = self.settings.program
        bare = replace(program, model=program.model.changed(native=None))
        settings = replace(self.settings, program=bare)
        gone = dict.fromkeys(("tree", "advance", "nodes", "relaxation", "observer"))
        return {**vars(self), **gone, "settings": settings, "parts": [], "seconds": math.inf}

    def merge(self, answer: Answer) -> None:
        """Take what another process has found in parts of the tree."""
        now = self.incumbent
        for value, point in () if self.streams else answer.found:
            self.keep(value, point)
        optimum = answer.optimum
        if optimum is not None and (now.optimum is None or optimum < now.optimum):
            now.begin_at(optimum)  # of an incumbent that is no solution of its own
        self.undecided += answer.undecided
        self.uses_lp = answer.uses_lp or self.uses_lp
        self.stopped = self.stopped or answer.stopped
        for name, number in answer.seen.items():
            setattr(self.seen, name, getattr(self.seen, name) + number)

    @property
    def open(self) -> list[Part]:
        """The parts that are not finished, as the search would enter them."""
        if not self.entered:
            return list(self.parts)
        first, *rest = self.parts
        return [(*first, *part) for part in open_parts(self.tree, leaf=self.halfway)] + rest

    def objective_row(self) -> Row[Any]:
        """Return the row of the objective: at most the cutoff, which may be a fraction."""
        limit, _ = self.incumbent.limit
        return Row(
            self.program.cost,
            -math.inf,
            math.inf
            if limit is None
            else math.floor(limit)
            if self.program.objective_is_integral
            else limit,
        )

    def far_sides(self) -> list[tuple[int, bool]]:
        """Return the integer columns with a bound that is infinite or far off, and whether above.

        Far off is also what makes the tree round the costs.
        """
        program = self.program
        share = len(program.cost) if rounded_costs(program)[1] > 1 else 0
        sides: tuple[list[Any], list[Any]] = program.low, program.high
        ends = [end for side in sides for end in side[: program.integers]]
        if not share and max(map(abs, ends), default=0) <= MAX_COST_SUM:
            return []
        return [
            (column, up)
            for column in range(program.integers)
            for up in (False, True)
            if abs(end := sides[up][column]) > MAX_COST_SUM
            or share * abs(program.cost.get(column, 0) * end) > MAX_COST_SUM
        ]

    def find_bounds(self) -> bool:
        """Bound integer columns by exact linear programs; False if there is no solution.

        Raises
        ------
        InputError
            If an integer column is unbounded.
        TimeoutError
            If the time limit is reached.
        """
        sides = self.far_sides()
        if not sides:
            return True
        from calmip.mip.lp.exact_lp import ExactLp

        program = self.program
        names = [program.model.columns[column] for column in program.order]
        limit, _ = self.incumbent.limit
        model = self.linear_model(names)
        for column, up in sides:
            lp = ExactLp(model.with_costs({column: -1 if up else 1}), range(len(names)))
            answer = lp.solve({}, self.settings.clock)
            if answer.status is Status.UNKNOWN:
                raise TimeoutError(answer.reason)
            if answer.status is Status.INFEASIBLE:
                return False
            if answer.status is Status.OPTIMAL:
                best = answer.point.get(column, 0)
                if up:
                    program.high[column] = min(program.high[column], math.floor(best))
                else:
                    program.low[column] = max(program.low[column], math.ceil(best))
            if is_finite((program.high if up else program.low)[column]):
                continue
            ray = answer.ray
            way = f" along {_direction(names, ray)}" if ray else ""
            name, side = names[column], "upper" if up else "lower"
            if limit is None and program.value_of([ray.get(c, 0) for c in range(len(names))]) < 0:
                raise InputError(
                    f"the relaxation is unbounded: the objective improves without end{way}; "
                    f"give the integer column {name} {_article(side)} {side} bound"
                )
            raise InputError(
                f"the integer column {name} is unbounded{way}, so there may be infinitely "
                f"many solutions; give it {_article(side)} {side} bound"
            )
        return True

    def linear_model(self, names: Sequence[str]) -> Model:
        """Return the rows, the cutoff and the bounds of the program alone, which may be a part."""
        from calmip.mip.lp.exact_lp import exact_model

        program = self.program
        rows = list(program.rows)
        if self.incumbent.limit[0] is not None:
            rows.append(self.objective_row())
        return exact_model(
            names,
            list(map(Interval, program.low, program.high)),
            [False] * len(names),
            [("", dict(sorted(terms.items())), low, high) for terms, low, high in rows],
        )

    def start(self, *, ask: bool) -> bool:
        """Prepare a tree; return False if it is empty."""
        program = self.program
        now = self.incumbent
        self.pattern = now.within = None  # an earlier tree may have ended within a pattern
        self.reported_cutoff = None
        self.costs = Costs(*rounded_costs(program))
        limit, _ = self.small_limit
        above = math.inf if limit is None else limit
        objective: Row[Any] = Row(self.costs.program.cost, -math.inf, above)
        rows = program.rows_on_integers([objective, *program.rows])
        if any(low > high for _, low, high in rows):
            return False
        low: Any = program.low[: program.integers]
        high: Any = program.high[: program.integers]
        small = [rows[0], *rounded(rows[1:], low, high, program.integers)]
        self.exact = small == rows
        self.tree = plain.new_tree(
            small,
            low,
            high,
            distinct=program.distinct,
            cubes=program.pure and now.goal.best is None and self.costs.step == 1 and self.exact,
        )
        self.advance, self.nodes, self.relaxation = plain.loops(self.tree), None, None
        self.earlier, self.solved = self.seen.nodes, self.seen.relaxations
        patience = RELAXATIONS_BEFORE_IMPROVING[not program.pure]
        patience = max(patience, ROWS_BEFORE_IMPROVING // max(1, len(program.rows)))
        proves = not now.fixed and program.cost and not now.goal.plain
        self.patience = patience if proves else math.inf
        if ask:
            self.ask()
        elif self.settings.sparing and self.settings.relaxation is not None:
            self.tree.numbers[plain.ASK] = plain.PAYING
        return True

    def ask(self) -> None:
        """Solve all linear relaxations from now on."""
        cost = bool(self.program.cost) and not self.settings.goal.plain
        # A leaf with continuous columns costs an exact linear program.
        self.tree.numbers[plain.ASK] = plain.BRANCHED if self.program.pure else plain.ALL
        program, priced = self.costs.program, cost or self.partial
        small = rounded(program.rows, program.low, program.high, program.integers)
        program = replace(program, rows=list(small))
        make = self.settings.relaxation
        assert make is not None
        relaxation = make(program, cost=priced)
        if cost:
            cuts = self.cuts(relaxation)
            if cuts or len(relaxation.scale) > len(program.rows):  # some were of no use
                program = replace(program, rows=[*program.rows, *cuts])
                relaxation = make(program, cost=priced)
        self.nodes = Nodes(program, relaxation, self.tree, *self.experience.history)
        if self.settings.node_limit is not None:
            self.nodes.stop(self.settings.node_limit - self.earlier)
        self.advance = self.nodes.loops(self.tree)
        self.renew()
        if cost and self.bound is None and self.observer is not None and self.observer.wants_bound:
            # On a linear program of its own: the basis that it leaves would change the tree.
            alone = make(program, cost=priced)
            bound = self.nodes.bound(self.tree, alone)
            self.bound = None if bound is None else bound * self.costs.step + self.costs.rest

    def cuts(self, relaxation: NodeRelaxation) -> list[Row[int]]:
        """Return cuts for the relaxations of this tree; none if they were of no use before."""
        whole, now, known = self.settings.program, self.incumbent, self.experience.cuts
        if self.experience.cutless:
            return []
        if known is not None and known.hold(whole, now.cutoff):
            return known.rows
        from calmip.mip.pool.cuts import cuts_of

        limit, _ = self.small_limit
        cutoff = cutoff_of(limit, objective_is_integral=self.program.objective_is_integral)
        cuts = cuts_of(self.costs.program, relaxation, cutoff, self.settings.clock)
        self.experience.cutless = not cuts
        self.experience.cuts = KnownCuts(whole, now.limit[0], cuts)
        self.seen.cuts += len(cuts)
        return cuts

    @property
    def partial(self) -> bool:
        """Whether a pattern has several completions, of which the best is wanted."""
        return self.program.distinct < len(self.program.order) and bool(self.program.cost)

    def events(self) -> Iterator[tuple[Number, tuple[Number, ...]]]:
        """Yield the solutions of a plain search in a part.

        It ends when the part is closed, at a limit, or to start anew with relaxations.
        """
        streams = self.streams
        slower = 1 if plain.is_compiled(self.tree) else PLAIN_DIVISOR
        self.closed = self.halfway = False
        event = plain.PAUSE
        while not self.over() and not self.pauses:
            if self.began is None:
                self.began = perf_counter()
            self.steps += 1
            if self.look_up():
                return
            nodes = self.nodes
            if nodes is not None and nodes.direct and (event == plain.PAUSE or nodes.late):
                nodes.prepare(self.settings.clock.left())
            event = self.advance(max(1, WORK_PER_CLOCK_READ // slower))
            self.count()
            if event == plain.DONE:
                self.closed = True
                return
            self.halfway = True
            for found in self.answer(event):
                if streams:
                    yield found
            self.halfway = bool(self.stopped)
            if self.refine():
                return
            work = self.tree.numbers[plain.WORK] * slower
            if work > self.budget // LOOK[0] and not self.looked:
                self.looked = True
                self.lags = closed_share(self.open) < 1 / LOOK[1]
            late = work > self.budget or (self.lags and not self.incumbent.fixed)
            if late and not self.uses_lp and self.settings.relaxes_all:
                self.uses_lp = True
                if not streams:
                    return
                self.ask()

    def look_up(self) -> bool:
        """Tell the observer how far the tree is; return whether nothing is left of it meanwhile."""
        if self.observer is None:
            return False
        self.observer.note(self)
        self.refined = self.emptied = self.ends_as_cover()
        self.renew()
        return self.refined

    def ends_as_cover(self) -> bool:
        """Search all solutions within the cutoff as an exact cover, if the tree is slow.

        Returns
        -------
        bool
            Whether all were found. Otherwise some may be, and the tree goes on.
        """
        seconds, learnt, now = process_time() - self.birth, self.experience, self.incumbent
        if self.streams or not self.settings.covers or seconds < learnt.patience:
            return False
        trial = max(seconds / 2, TRIAL)
        learnt.patience = AGAIN * trial
        clock = CpuDeadline(trial, self.settings.clock)
        ended = False
        while not (ended or clock.over or self.stopped):
            limit, due = now.limit, process_time() + AFRESH
            cover = cover_within(self.settings.program, limit[0])
            if cover is None:
                learnt.patience = math.inf
                return False
            search = CoverSearch(cover, clock=clock)
            for columns in search:
                ones = set(columns)
                point = tuple(int(column in ones) for column in self.program.order)
                value = self.program.value_of(point)
                if not now.beyond(value):
                    self.keep(value, point)
                better = now.limit != limit and not now.fixed
                if self.stopped or (better and process_time() > due):
                    break  # fewer are left
            ended = search.complete
        if ended:
            learnt.patience = 0.0
            self.seen.covers += 1
        return ended

    def answer(self, event: int) -> Iterator[Found]:
        """Do what the tree stopped for; yield solutions."""
        tree, nodes = self.tree, self.nodes
        if event == plain.LEAF:
            for value, point in self.leaf():
                before = self.incumbent.optimum
                if self.take(value, point):
                    # A better one is met again, as a solution of the new cutoff.
                    self.budget += (
                        WORK_PER_SOLUTION // 2
                        if before is not None and value >= before
                        else -WORK_PER_SOLUTION
                    )
                    yield value, point
        elif event == plain.NODE:
            self.relax()
        elif event == plain.GROW:
            self.tree = plain.grow(tree)
            if nodes is not None:
                nodes.grow(self.tree)
            self.advance = (nodes or plain).loops(self.tree)
        elif event == plain.LEFT:
            found = self.end_pattern()
            if found is not None:
                yield found
        if self.seen.relaxations - self.solved > self.patience:
            # What the tree has cost, HiGHS may spend on a better incumbent.
            self.patience = math.inf
            if self.improve(BETTER):
                self.renew()

    def relax(self) -> None:
        """Solve the relaxation of the current node."""
        tree, seconds = self.tree, self.settings.clock.left()
        if self.nodes is not None:
            self.nodes.relax(tree, seconds)
            return
        # Of those that pay, only the infeasible ones need bounds.
        if self.relaxation is None:
            assert self.settings.relaxation is not None
            self.relaxation = self.settings.relaxation(self.costs.program, cost=False)
        if self.relaxation.refused:
            tree.numbers[plain.ASK] = plain.NONE
            return
        claim = self.relaxation.solve(tree.low, tree.high, math.inf, seconds)
        if claim.status == "infeasible":
            program, history = self.costs.program, self.experience.history
            self.nodes = Nodes(program, self.relaxation, tree, *history)
            self.nodes.judge(tree, claim)
        else:
            self.seen.relaxations += 1
            plain.spend(tree, claim.work)

    def count(self) -> None:
        """Count the effort so far."""
        self.seen.nodes = self.earlier + int(self.tree.numbers[plain.NODES])
        if self.nodes is not None:
            relaxations, pruned, unproved = self.nodes.count()
            self.seen.relaxations += relaxations
            self.seen.pruned += pruned
            self.seen.unproved += unproved

    def over(self) -> bool:
        """Return whether a limit is reached."""
        self.count()
        return self.stops()

    def stops(self) -> bool:
        """Return whether a limit is reached, by what is counted."""
        limit = self.settings.node_limit
        if self.settings.clock.over:
            self.stopped = "time"
        elif limit is not None and self.seen.nodes >= limit:
            self.stopped = "nodes"
        return bool(self.stopped)

    def end_pattern(self) -> Found | None:
        """Keep the best completion of the distinct columns' values, and return it."""
        found = self.pattern
        if found is not None:
            self.keep(*found)
        self.pattern = self.incumbent.within = None
        self.tree.numbers[plain.PATTERN] = -1
        self.renew()
        return found

    def renew(self) -> None:
        """Tell the tree the cutoff, unless it knows it."""
        limit, excludes = self.small_limit
        program = self.costs.program
        now = id(self.nodes), limit, excludes
        if now == self.reported_cutoff:
            return
        self.reported_cutoff = now
        if self.nodes is not None:
            self.nodes.set_limit(
                limit, excludes_cutoff=excludes, objective_is_integral=program.objective_is_integral
            )
        if limit is None:
            self.tree.upper[0] = self.tree.numbers[plain.FAR]
            return
        objective: Row[Any] = Row(program.cost, -math.inf, limit)
        ((_, _, upper),) = program.rows_on_integers([objective])
        far = self.tree.numbers[plain.FAR]
        # Beyond all sums, a greater number says no more, and may be too large for 64 bits.
        self.tree.upper[0] = max(-far, min(far, upper))

    def take(self, value: Number, point: tuple[Number, ...]) -> bool:
        """Judge a feasible point; return whether it is a solution of its own."""
        if self.incumbent.beyond(value):
            return False
        if self.tree.numbers[plain.PATTERN] >= 0:
            self.pattern = value, point
            self.incumbent.within = value
            if not self.program.cost or self.any_completion:
                self.leave()
        else:
            self.keep(value, point)
        self.renew()
        return bool(self.tree.numbers[plain.PATTERN] < 0)

    def leave(self) -> None:
        """Abandon the current pattern."""
        plain.leave(self.tree)

    def leaf(self) -> Iterator[tuple[Number, tuple[Number, ...]]]:
        """Yield the feasible points of a leaf."""
        program, tree = self.program, self.tree
        low, high = list(tree.low), list(tree.high)
        if not program.pure:
            found = self.complete(tuple(low), leaf=True)
            if found is not None:
                yield found
            return
        # A leaf is one point, where costs or rows are rounded.
        worse = self.costs.step > 1 and self.incumbent.beyond(program.value_of(low))
        if worse or not (self.exact or program.satisfied_by(low)):
            return
        if self.settings.tally and self.streams and program.distinct == program.integers:
            self.seen.solutions += points_of_box(self.settings.ways, low, high)
            self.settings.use(low, high)
        elif low == high:
            yield program.value_of(low), tuple(low)
        else:
            yield from self.box(low, high)

    def box(self, low: list[int], high: list[int]) -> Iterator[tuple[Number, tuple[Number, ...]]]:
        """Yield the points of a box in which no row can be violated, or the best one."""
        program, tree = self.program, self.tree
        corner = tuple(
            top if program.cost.get(column, 0) < 0 else bottom
            for column, (bottom, top) in enumerate(zip(low, high, strict=True))
        )
        value = program.value_of(corner)
        if program.distinct < program.integers:
            yield value, corner
            return
        optimum = self.incumbent.optimum
        if not self.streams and (optimum is None or value < optimum):
            # Its value lowers the cutoff, which divides the box.
            yield value, corner
            tree.numbers[plain.MODE] = plain.ENTER
            return
        sizes = [top - bottom + 1 for bottom, top in zip(low, high, strict=True)]
        if math.isfinite(self.seconds) and math.prod(sizes) > MAX_BOX:
            column = sizes.index(max(sizes))
            plain.request(tree, column, (low[column] + high[column]) >> 1, above=False)
            tree.numbers[plain.MODE] = plain.CHOOSE
        else:
            # What is yielded may change the tree's cutoff, not the box.
            points = product(*map(range, low, [top + 1 for top in high]))
            for number, point in enumerate(points, start=1):
                yield program.value_of(point), point
                if number % SOLUTIONS_PER_MEMORY_CHECK == 0 and self.settings.clock.over:
                    self.stopped = "time"
                    return

    # Relaxations.

    def improve(self, effort: Mapping[str, Setting]) -> bool:
        """Begin with a feasible point that HiGHS finds with an effort; return whether it does."""
        point = self.feasible_point(effort)
        if point is None:
            return False
        self.begin(self.program.value_of(point), point)
        return True

    def feasible_point(self, effort: Mapping[str, Setting]) -> tuple[Number, ...] | None:
        """Return a feasible point that HiGHS finds, checked in exact arithmetic."""
        program, seconds = self.program, self.settings.clock.left()
        seconds = INCUMBENT_SECONDS if seconds is None else min(INCUMBENT_SECONDS, seconds / 2)
        point = first_point(self.settings.program, seconds, effort)
        if point is None:
            return None
        values = tuple(map(round, point[: program.integers]))
        bounds = zip(program.low, values, program.high, strict=False)
        if not all(low <= x <= high for low, x, high in bounds):
            return None
        if program.pure:
            return values if program.satisfied_by(values) else None
        found = self.complete(values)
        self.undecided = self.seen.undecided = 0
        return None if found is None else found[1]

    @property
    def any_completion(self) -> bool:
        """Whether a solution counts as soon as it has a completion within the cutoff."""
        goal, observer = self.settings.goal.name, self.observer
        counts = self.incumbent.fixed and goal in ("optimal", "gap", "within")
        return counts and observer is not None and not observer.wants_best_completions

    def rounded_completion(self, values: tuple[int, ...], relaxed: Sequence[float]) -> Found | None:
        """Return integer values with a relaxation's other ones, rounded, if it is a solution.

        It is judged in exact arithmetic by the rows as they were read.
        """
        program = self.settings.program
        point: list[Number] = list(values)
        for column in range(program.integers, len(program.order)):
            value = relaxed[column]
            if not math.isfinite(value):
                return None
            nearest: Number = round(value)
            if abs(value - nearest) > NEARLY * (1 + abs(value)):
                nearest = Fraction(value).limit_denominator(MAX_DENOMINATOR)
            if not program.low[column] <= nearest <= program.high[column]:
                return None
            point.append(nearest)
        cost = program.value_of(point)
        if self.incumbent.beyond(cost) or not program.satisfied_by(point):
            return None
        return cost, tuple(point)

    def complete(self, values: tuple[int, ...], *, leaf: bool = False) -> Found | None:
        """Return the best completion of integer values by continuous ones, exact; None if none.

        At a leaf, the point of its relaxation is probably optimal.

        Raises
        ------
        InputError
            If the objective is unbounded.
        """
        from calmip.mip.lp.exact_lp import ExactLp

        program, known = self.program, self.experience.completions
        order = program.order
        if values in known:
            return known[values].found
        lp = self.experience.lp = self.experience.lp or ExactLp(program.model)
        near: list[float] = []
        if leaf and self.nodes is not None:
            relaxed = self.nodes.arrays.values
            if self.any_completion:
                rough = self.rounded_completion(values, relaxed)
                if rough is not None:
                    return rough
            near = [relaxed[self.number[column]] for column in lp.free]
        given = dict(zip(order, values, strict=False))
        answer = lp.solve(given, self.settings.clock, near=near)
        if answer.status is Status.UNBOUNDED:
            raise InputError(
                f"the objective is unbounded: it improves without end along "
                f"{_direction(program.model.columns, answer.ray)}"
            )
        if answer.status is Status.UNKNOWN:
            self.undecided += 1
            self.seen.undecided += 1
            return None
        found = None
        if answer.status is Status.OPTIMAL:
            assert answer.cost is not None
            point = tuple(answer.point.get(column, 0) for column in order)
            found = shortest(Fraction(answer.cost) / program.unit), point
        if len(known) < MAX_COMPLETIONS:
            known[values] = Completed(found, answer.unique)
        return found


def first_point(
    program: WholeModel, seconds: float, effort: Mapping[str, Setting]
) -> list[float] | None:
    """Return a point that HiGHS calls optimal or feasible, None if there is none in time."""
    highs = scaled_program(program, cost=program.cost)
    if highs is None:
        return None
    # The tree proves the optimum; HiGHS need not.
    highs.set({"presolve": "choose", "solver": "choose", **effort})
    highs.make_integer(range(program.integers))
    highs.listen(None)  # so that Ctrl-C ends the run
    highs.run(seconds)
    if highs.info("primal_solution_status") != 2:
        return None
    return list(highs.solution()[0])


def _direction(names: Sequence[str], ray: Mapping[int, Number]) -> str:
    """Return a ray as text, with the names of its columns."""
    steps = [f"{'+' if one > 0 else '-'}{abs(one)} {names[c]}" for c, one in sorted(ray.items())]
    return clip(", ".join(steps), 200)


def _alike(terms: Mapping[int, int]) -> bool:
    """Return whether all coefficients of a row are equal, apart from their signs."""
    return len(set(map(abs, terms.values()))) == 1


def _article(word: str) -> str:
    return "an" if word[0] in "aeiou" else "a"
