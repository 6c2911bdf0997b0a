"""All solutions of a pure binary model from one branch-and-bound tree.

After each no-good cut, a MIP solver starts a new tree for the next solution. Here one tree is
searched to its end and every integral leaf is a solution (Danna, Fenelon, Gu and
Wunderling 2007, https://doi.org/10.1007/978-3-540-72792-7_22). The tree is that of
`calmip.mip.pool`, without an objective.

At a node the rows fix the columns that they force (activity bounds). The linear relaxation is
solved at the root, and elsewhere where that is likely to pay: where the relaxations of nodes of
the same size have saved more work in subtrees without solutions than they cost. On calendar
puzzles a relaxation costs as much as hundreds of nodes, so few are solved
(`OneTree.statistics` counts them). On models that a counting argument refutes, such as dominoes
on a chessboard without two opposite corners, the relaxation of the root ends the search.

The claim of a relaxation that a node is infeasible does not prune it. Its multipliers must prove
the infeasibility in exact arithmetic. Without a proof the search goes on below the node.
"""

from __future__ import annotations

from collections.abc import Iterator

from calmip._base.errors import InputError
from calmip._base.limits import ENDLESS, Deadline
from calmip.mip.model import Cover, Model
from calmip.mip.pool import NodeRelaxation, PoolSearch, PoolStatistics

__all__ = ["OneTree"]


class OneTree:
    """All solutions of a binary model, found while you iterate, in a fixed order.

    Each solution is the ascending list of the columns that are one, checked against the rows
    in exact arithmetic. The objective is ignored. The two children of every branching have no
    solution in common, so no solution is duplicate. A proof prunes only nodes without a
    solution, so the order depends neither on HiGHS nor on the time. Every iteration starts anew.

    Parameters
    ----------
    model
        A model with any rows over binary columns, or an exact cover, whose options are columns.
    limit, clock
        Stop after so many solutions, or at the time limit in seconds of the clock.
    relaxation
        The class of the nodes' relaxations; None for none.

    Attributes
    ----------
    complete : bool
        Whether the tree was searched to its end: there are proved to be no further solutions.

    Raises
    ------
    InputError
        If the limit is out of range or the model has an entry that is not a number.
    """

    def __init__(
        self,
        model: Model | Cover,
        *,
        limit: int | None = None,
        clock: Deadline = ENDLESS,
        relaxation: type[NodeRelaxation] | None = NodeRelaxation,
    ) -> None:
        if limit is not None and limit < 1:
            raise InputError(f"the limit is {limit}; ask for at least one solution")
        self.complete = False
        self._limit = limit
        binary = (
            model.as_binary("one-tree").with_costs({})
            if isinstance(model, Model)
            else Model.from_cover(model)
        )
        self._search = PoolSearch(binary, clock=clock, relaxation=relaxation)

    @property
    def statistics(self) -> PoolStatistics:
        """The effort of the last iteration so far."""
        return self._search.statistics

    def __iter__(self) -> Iterator[list[int]]:
        self.complete = False
        for solution in self._search:
            yield list(solution.point)
            if self.statistics.solutions == self._limit:
                return
        self.complete = self._search.complete
