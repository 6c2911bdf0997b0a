"""The branch-and-bound tree of a small instance or model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import product
from typing import TYPE_CHECKING, Any

from calmip._base.errors import InputError, NotATiling, SolverFailed, clip, join_words
from calmip._base.limits import Deadline, Limits
from calmip.mip import independent_search
from calmip.mip.defined import complete
from calmip.mip.display import quote
from calmip.mip.lp.branching import BRANCHINGS, ORDERS, Node, SearchedTree, branch_and_bound
from calmip.mip.model import Model, Point
from calmip.mip.rows import Number
from calmip.mip.status import Status
from calmip.puzzle.documents.serialise import describe_tiling
from calmip.puzzle.search.exact_cover.witnesses import number_of
from calmip.puzzle.tasks.interface import public
from calmip.puzzle.tasks.problems import (
    InstanceProblem,
    ModelProblem,
    Problem,
    per_kind,
    problem_of,
)
from calmip.puzzle.tasks.relax import Subjected, relaxable
from calmip.puzzle.tasks.results import Pictured
from calmip.puzzle.tasks.verdicts import judge_none
from calmip.puzzle.tiling import Tiling
from calmip.solvers.verdicts import Evidence, Standing, judge_count

if TYPE_CHECKING:
    from calmip.puzzle.search.exact_cover.witnesses import Subject
    from calmip.puzzle.tasks.problems import PerKind, Source

__all__ = ["DEFAULT_NODES", "Tree", "tree"]

DEFAULT_NODES = 500
"""The default node limit."""


@dataclass(frozen=True, repr=False)
class Tree(Subjected, Pictured):
    """Result of `tree`: branch-and-bound trees of one source, one for every way to search.

    Parameters
    ----------
    subject
        The exact cover of the instance, or the model.
    status
        Feasible with a solution, infeasible if a whole tree has none and an independent search
        agrees, unknown if a limit was reached.
    searches
        The trees; none if the time limit was reached before the first relaxation was solved.
    maximises
        Whether the objective is maximised; the bounds of the nodes have its sign changed.
    offset
        The constant of the objective, which the bounds of the nodes leave out.
    stopped
        ``"time"`` if the time limit was reached; a tree is then missing, or has open nodes.
    original_model
        The model with the columns that its rows define, if it has such columns; the trees do not
        branch on them.
    """

    subject: Subject
    status: Status
    searches: tuple[SearchedTree, ...]
    maximises: bool
    offset: float = 0.0
    stopped: str = ""
    original_model: Model | None = None

    @property
    def known(self) -> bool:
        """Whether there is a tree to show."""
        return bool(self.searches)

    def bound(self, node: Node) -> float:
        """Return the optimum of a node's feasible relaxation, in the sense of the objective."""
        value = node.bound or 0.0
        return (-value if self.maximises else value) + self.offset + 0.0

    def tiling(self, node: Node) -> Tiling | None:
        """Return the verified tiling at a leaf; None if it has none."""
        if node.status != "solution" or not self.problem.has_board:
            return None
        try:
            return Tiling.from_options(self.cover, node.ones)
        except NotATiling:
            return None

    def solution(self, node: Node) -> tuple[Model, Point]:
        """Return the solution at a leaf of a model, and the model whose columns it numbers."""
        if self.original_model is None:
            return self.model, node.ones
        places = self.original_model.column_index
        ones: dict[int, Number] = {places[self.columns[column]]: 1 for column in node.ones}
        return self.original_model, complete(
            self.original_model, ones, range(len(self.original_model.columns))
        )

    def describe(self) -> dict[str, Any]:
        """Return the trees, with the keys in their documented order."""
        return self.problem.describe() | {
            "status": str(self.status),
            "maximises": self.maximises,
            "stopped": self.stopped,
            "searches": [
                {
                    "order": search.order,
                    "branching": search.branching,
                    "complete": search.complete,
                    "nodes": [self._node(node) for node in search.nodes],
                }
                for search in self.searches
            ],
        }

    def _node(self, node: Node) -> dict[str, Any]:
        described = {
            "node": node.number,
            "parent": None if node.parent < 0 else node.parent,
            "column": None if node.column < 0 else self.columns[node.column],
            "value": None if node.column < 0 else node.value,
            "bound": None if node.bound is None else self.bound(node),
            "fractional": node.fractional,
            "status": node.status,
        }
        return described | _leaf(self.problem, self, node)

    def _summary(self) -> str:
        counts = [f"{len(search.nodes)} nodes {search.order}" for search in self.searches]
        return f"{self.source.name}, {', '.join(counts)}"


_leaf: PerKind[dict[str, Any]] = per_kind()
"""Return the solution at a node as plain data, None at an inner one."""


@_leaf.register(InstanceProblem)
def _(_: Problem, found: Tree, node: Node) -> dict[str, Any]:
    tiling = found.tiling(node)
    return {
        "fate": node.status,  # its former key, for one more release
        "tiling": None if tiling is None else describe_tiling(tiling),
    }


@_leaf.register(ModelProblem)
def _(_: Problem, found: Tree, node: Node) -> dict[str, Any]:
    model, point = found.solution(node)
    solved = node.status == "solution"
    return {"solution": model.describe_point(point) if solved else None}


@public
def tree(
    source: Source,
    *,
    order: Sequence[str] = ORDERS[:1],
    branching: Sequence[str] = BRANCHINGS[:1],
    every: bool = False,
    weight: Mapping[str, float] | None = None,
    packing: bool = False,
    node_limit: int = DEFAULT_NODES,
    time_limit: float | None = None,
) -> Tree:
    """Solve a small instance or model by branch and bound, and show the tree.

    The linear relaxation of every node is solved. Then the node is branched on a
    fractional column, or pruned: as infeasible, by bound, or by optimality (its
    solution is integral). Several search strategies are drawn side by side.

    Parameters
    ----------
    source
        A small instance; or a small model whose variables are all binary, from
        `calmip.read_model` for example.
    order
        Select nodes in this order, or in several side by side: ``depth-first``,
        ``best-first``.
    branching
        Branch on the column that this rule selects, or several side by side:
        ``most-fractional``, ``pseudo-cost``.
    every
        Find all tilings or solutions instead of one that is optimal.
    weight
        Maximise the sum of the weights of these placements or columns; may be repeated. The
        objective of a model is left out.
    packing
        Cover as many cells as possible, none of them twice.
    node_limit
        Stop at this many nodes.
    time_limit
        As for `calmip.solvers.Limits`. The nodes so far are shown, and some of them are open.

    Raises
    ------
    InputError
        If a name is unknown, a number is out of range, or a variable is not binary.
    TypeError
        If the source is neither an instance nor a model.
    SolverFailed
        If a leaf is no solution in exact arithmetic, or a whole tree and an independent search
        do not agree.
    SolverMissing
        If highspy is not installed.
    """
    for what, names, known in (("order", order, ORDERS), ("branching", branching, BRANCHINGS)):
        odd = [name for name in names if name not in known]
        if odd or not names:
            word = f", not '{clip(odd[0])}'" if odd else ""
            raise InputError(f"the {what} is {join_words(known)}{word}")
    if node_limit < 1:
        raise InputError(f"a tree has at least one node, not {node_limit}")
    if every and packing:
        raise InputError("all tilings are those of the placement model, not of the packing")
    clock = Limits(time_limit).clock
    problem, given = problem_of(source).as_binary("tree")
    model = relaxable(problem, packing=packing, weight=weight)
    searches: list[SearchedTree] = []
    with suppress(TimeoutError):
        for first, rule in product(order, branching):
            found_tree = branch_and_bound(
                model, order=first, branching=rule, every=every, limit=node_limit, clock=clock
            )
            searches.append(found_tree)
    complete = [one.complete or len(one.nodes) + 2 > node_limit for one in searches]
    stopped = "" if all(complete) and len(complete) == len(order) * len(branching) else "time"
    trees, unknown = tuple(searches), Status.UNKNOWN
    found = Tree(problem.subject, unknown, trees, model.maximise, model.offset, stopped, given)
    status = _judge(problem, found, model, clock, every=every, packing=packing)
    return replace(found, status=status)


_judge: PerKind[Status] = per_kind()
"""Check the leaves of the trees of a problem, and what the complete trees claim."""


@_judge.register(InstanceProblem)
def _judge_tilings(
    problem: InstanceProblem, found: Tree, _: Model, clock: Deadline, *, every: bool, packing: bool
) -> Status:
    cover, count = problem.cover, 0
    for search in found.searches:
        tilings = {one.placements for node in search.nodes if (one := found.tiling(node))}
        count += len(tilings)
        if not packing and len(tilings) != len(search.solutions):
            raise SolverFailed("a leaf of the tree is not a tiling, or a duplicate")
        if search.complete and every:
            claim = f"the tree says that {len(tilings)} tilings are all"
            judge_count(number_of(cover, len(tilings), clock), len(tilings), claim).accept()
    status = Status.of_pool(count, any(search.complete for search in found.searches))
    if status is Status.INFEASIBLE:
        status = judge_none(cover, "the tree has no tiling", "", clock, "").accept().status
    return status


@_judge.register(ModelProblem)
def _judge_points(
    _: Problem, found: Tree, model: Model, clock: Deadline, *, every: bool, **__: bool
) -> Status:
    searches = found.searches
    evidence = Evidence(model, lambda: clock)
    empty = False
    best: Mapping[int, Number] = {}
    for search in searches:
        for ones in search.solutions:
            row = model.violated(ones)
            if row is not None:
                raise SolverFailed(
                    f"a leaf of the tree violates row {quote(model.rows[row])} in exact "
                    "arithmetic; HiGHS ignores differences below 1e-9"
                )
            best = dict.fromkeys(ones, 1)
            evidence.note(best)
        number = len(search.solutions)
        if len(set(search.solutions)) < number:
            raise SolverFailed("a leaf of the tree is a duplicate")
        if not search.complete:
            continue
        if every:
            claim = f"the tree says that {number} solutions are all"
            count = judge_count(
                independent_search.number_of(model, number, clock), number, claim
            ).accept()
            empty |= not number and count.standing is Standing.VERIFIED
            continue
        claim, (standing, why) = (
            ("a tree says that its solution is optimal", evidence.judge_optimal(best))
            if number
            else ("a tree has no solution", evidence.judge_infeasible())
        )
        if standing is Standing.REFUTED:
            raise SolverFailed(f"{claim}, but {why}")
        empty |= not number and standing is Standing.VERIFIED
    return Status.of_pool(sum(len(search.solutions) for search in searches), empty)
