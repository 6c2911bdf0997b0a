"""The branch-and-bound tree of a small instance, to be looked at."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from calmip._limits import ENDLESS
from calmip.documents.description import describe_instance, describe_tiling
from calmip.errors import InputError, NotATiling, SolverFailed, listed, shown
from calmip.problem.cover import ExactCover
from calmip.problem.instance import Instance
from calmip.problem.shown import Drawn
from calmip.problem.status import Status
from calmip.problem.tiling import Tiling
from calmip.search.branching import BRANCHINGS, ORDERS, Node, TreeSearch, branch_and_bound
from calmip.search.witnesses import number_of
from calmip.tasks._result import Pictured
from calmip.tasks._trust import judge_count, judge_none
from calmip.tasks.relax import relaxable

__all__ = ["MOST_NODES", "Tree", "tree"]

MOST_NODES = 500
"""So many nodes a tree has at most unless told otherwise."""


@dataclass(frozen=True, repr=False)
class Tree(Pictured, Drawn):
    """Branch-and-bound trees of one instance, one for every way to search.

    Parameters
    ----------
    cover
        The exact cover of the instance.
    status
        Feasible with a tiling, infeasible if a whole tree has none, unknown if
        a limit came first.
    searches
        The trees.
    maximises
        Whether there is an objective, which is made large; the bounds of the
        nodes have its sign changed.
    """

    cover: ExactCover
    status: Status
    searches: tuple[TreeSearch, ...]
    maximises: bool

    @property
    def instance(self) -> Instance:
        """The instance."""
        return self.cover.instance

    def tiling(self, node: Node) -> Tiling | None:
        """Return the tiling at a leaf, checked; None if it has none, as a packing with holes."""
        if node.fate != "solution":
            return None
        try:
            return Tiling.from_options(self.cover, node.ones)
        except NotATiling:
            return None

    def describe(self) -> dict[str, Any]:
        """Return the trees, with the keys in their documented order."""
        return {
            "instance": describe_instance(self.instance),
            "status": str(self.status),
            "maximises": self.maximises,
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
        tiling = self.tiling(node)
        bound = node.bound
        return {
            "node": node.number,
            "parent": None if node.parent < 0 else node.parent,
            "column": None if node.column < 0 else self.cover.option_names[node.column],
            "value": None if node.column < 0 else node.value,
            "bound": bound if bound is None or not self.maximises else -bound + 0.0,
            "fractional": node.fractional,
            "fate": node.fate,
            "tiling": None if tiling is None else describe_tiling(tiling),
        }

    def _summary(self) -> str:
        counts = [f"{len(search.nodes)} nodes {search.order}" for search in self.searches]
        return f"{self.instance.name}, {', '.join(counts)}"


def tree(
    instance: Instance,
    *,
    order: Sequence[str] = ORDERS[:1],
    branching: Sequence[str] = BRANCHINGS[:1],
    every: bool = False,
    weight: Mapping[str, float] | None = None,
    packing: bool = False,
    limit: int = MOST_NODES,
) -> Tree:
    """Solve a small instance by branch and bound, and show the tree.

    The linear relaxation of every node is solved. A node is branched on a
    fractional column, or it is pruned: as infeasible, by its bound, or because
    its solution is integral. Several ways to search are drawn side by side.

    Parameters
    ----------
    instance
        A small instance.
    order
        Select nodes in this order, or in several side by side: ``depth-first``,
        ``best-first``.
    branching
        Branch on the column that this rule selects, or several side by side:
        ``most-fractional``, ``pseudo-cost``.
    every
        Find all tilings instead of a best one.
    weight
        Maximise the sum of the weights of these placements; may be repeated.
    packing
        Cover as many cells as possible, none of them twice.
    limit
        Stop at so many nodes.

    Raises
    ------
    InputError
        If a name is unknown or a number is out of range.
    SolverFailed
        If a whole tree and an independent search do not agree whether there is a tiling.
    SolverMissing
        If highspy is not installed.
    """
    for what, names, known in (("order", order, ORDERS), ("branching", branching, BRANCHINGS)):
        odd = [name for name in names if name not in known]
        if odd or not names:
            word = f", not '{shown(odd[0])}'" if odd else ""
            raise InputError(f"the {what} is {listed(list(known))}{word}")
    if limit < 1:
        raise InputError(f"a tree has at least one node, not {limit}")
    if every and packing:
        raise InputError("all tilings are those of the placement model, not of the packing")
    cover = ExactCover(instance)
    model = relaxable(cover, packing=packing, weight=weight)
    searches = tuple(
        branch_and_bound(model, order=first, branching=rule, every=every, limit=limit)
        for first in order
        for rule in branching
    )
    found = Tree(cover, Status.UNKNOWN, searches, bool(model.cost.any()))
    tilings = [
        {one.placements for node in search.nodes if (one := found.tiling(node)) is not None}
        for search in searches
    ]
    if not packing:
        _check(cover, searches, [len(some) for some in tilings], every)
    if any(tilings):
        status = Status.FEASIBLE
    elif any(search.complete for search in searches):
        status = Status.INFEASIBLE
    else:
        status = Status.UNKNOWN
    if status is Status.INFEASIBLE:
        judge_none(cover, "the tree has no tiling", "", ENDLESS, "").believed()
    return Tree(cover, status, searches, found.maximises)


def _check(
    cover: ExactCover, searches: Sequence[TreeSearch], tilings: Sequence[int], every: bool
) -> None:
    """Hold whole trees against the exact-cover search: HiGHS alone is not believed."""
    for search, count in zip(searches, tilings, strict=True):
        if count != len(search.solutions):
            raise SolverFailed("a leaf of the tree is no tiling, or is there twice")
        if search.complete and every:
            said = f"the tree says that {count} tilings are all"
            judge_count(number_of(cover, count), count, said).believed()
