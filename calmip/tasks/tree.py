"""The branch-and-bound tree of a small instance, to be looked at."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from calmip._limits import Deadline
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
    orders: Sequence[str] = ORDERS[:1],
    branchings: Sequence[str] = BRANCHINGS[:1],
    formulation: str = "matrix",
    weights: Mapping[str, float] | None = None,
    every: bool = False,
    limit: int = MOST_NODES,
) -> Tree:
    """Solve an instance by branch and bound over linear relaxations, and keep the tree.

    Parameters
    ----------
    instance
        A small instance.
    orders
        Which node is taken next: ``depth-first``, ``best-first``, or both.
    branchings
        Which column is branched on: ``most-fractional``, ``pseudo-cost``, or both.
    formulation, weights
        The model and its objective, as for `calmip.relax`.
    every
        Whether to search all tilings, in place of a best one.
    limit
        The most nodes of a tree.

    Raises
    ------
    InputError
        If a name is unknown or a number is out of range.
    SolverFailed
        If a whole tree and an independent search do not agree whether there is a tiling.
    SolverMissing
        If highspy is not installed.
    """
    for what, names, known in (("order", orders, ORDERS), ("branching", branchings, BRANCHINGS)):
        odd = [name for name in names if name not in known]
        if odd or not names:
            word = f", not '{shown(odd[0])}'" if odd else ""
            raise InputError(f"the {what} is {listed(list(known))}{word}")
    if limit < 1:
        raise InputError(f"a tree has at least one node, not {limit}")
    if every and formulation != "matrix":
        raise InputError("all tilings are those of the placement model, not of the packing")
    cover = ExactCover(instance)
    model = relaxable(cover, formulation, weights)
    searches = tuple(
        branch_and_bound(model, order=order, branching=branching, every=every, limit=limit)
        for order in orders
        for branching in branchings
    )
    found = Tree(cover, Status.UNKNOWN, searches, bool(model.cost.any()))
    tilings = [
        {one.placements for node in search.nodes if (one := found.tiling(node)) is not None}
        for search in searches
    ]
    if formulation == "matrix":
        _check(cover, searches, [len(some) for some in tilings], every)
    if any(tilings):
        status = Status.FEASIBLE
    elif any(search.complete for search in searches):
        status = Status.INFEASIBLE
    else:
        status = Status.UNKNOWN
    if status is Status.INFEASIBLE:
        judge_none(cover, "the tree has no tiling", "", Deadline(), "").believed()
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
