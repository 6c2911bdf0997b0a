"""All solutions of a pure binary model from one branch-and-bound tree.

A MIP solver that is asked for the next solution after a no-good cut starts a
new tree every time. Here one tree is searched to its end and every leaf is a
solution (Danna, Fenelon, Gu and Wunderling 2007,
https://doi.org/10.1007/978-3-540-72792-7_22).

At a node the rows fix what they force (activity bounds), and the linear
relaxation is solved by HiGHS where that is likely to pay: always at the root,
and elsewhere where the relaxations of nodes of the same size have saved more
work in fruitless subtrees than they cost. On calendar puzzles a relaxation
costs as much as hundreds of nodes, so that few are solved
(`OneTree.statistics` says how many); on models whose infeasibility is a matter
of counting, such as a chessboard without two corners under dominoes, the
relaxation of the root ends the search.

The word of HiGHS is not enough to close a node: its multipliers must prove the
infeasibility, in exact arithmetic where all coefficients are whole numbers and
with a safe margin elsewhere. Otherwise the search goes on below the node.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from calmip._limits import Deadline, checked_seconds
from calmip.errors import InputError
from calmip.problem.binary_model import BinaryModel
from calmip.problem.cover import ExactCover
from calmip.search.one_tree._farkas import proof_of
from calmip.search.one_tree._relaxation import HighsRelaxation, Judge
from calmip.search.one_tree._tree_rows import Rows, rows_of
from calmip.search.one_tree._tree_type import SearchTree

__all__ = ["OneTree", "TreeStatistics"]


@dataclass
class TreeStatistics:
    """What the search of a tree took.

    Parameters
    ----------
    nodes
        Nodes that were entered: the root and the children of all branchings.
    solutions
        Leaves that satisfy every row.
    relaxations
        Linear relaxations solved.
    proved, unproved
        Nodes that HiGHS called infeasible: those whose proof was checked and
        that were closed, and those without a valid proof, below which the
        search went on.
    seconds
        The time from the start to the last event, that of the consumer included.
    """

    nodes: int = 0
    solutions: int = 0
    relaxations: int = 0
    proved: int = 0
    unproved: int = 0
    seconds: float = 0.0


@dataclass
class OneTree:
    """All solutions of a binary model, found while you iterate, in an order that it fixes.

    Each solution is the ascending list of the columns that are one, checked
    against the rows in exact arithmetic. The objective plays no part. Every branching gives a
    column the value one in one child and zero in the other, so no solution can
    come twice. A proof only closes nodes without a solution, so the order
    depends neither on HiGHS nor on the time. Every iteration starts anew.

    Parameters
    ----------
    model
        A model with arbitrary rows over binary columns, or an exact cover,
        whose options then are the columns.
    limit
        Stop after so many solutions; whether there are more then stays open.
    time_limit
        Stop after so many seconds.
    relaxation
        What judges nodes in the place of a HiGHS LP.

    Attributes
    ----------
    complete : bool
        Whether the tree of the last iteration was searched to its end, so
        that there are proved to be no further solutions.
    stopped : str
        Why it ended before: ``"limit"``, ``"time"``, ``"interrupt"``, or ``""``.
    statistics : TreeStatistics
        What it took, up to date whenever the iterator is not running.

    Raises
    ------
    InputError
        If a limit is out of range or the model has an entry that is no number.
    """

    model: BinaryModel | ExactCover = field(repr=False)
    limit: int | None = None
    time_limit: float | None = None
    relaxation: Judge | None = None
    complete: bool = field(default=False, init=False)
    stopped: str = field(default="", init=False)
    statistics: TreeStatistics = field(default_factory=TreeStatistics, init=False)

    def __post_init__(self) -> None:
        if self.limit is not None and self.limit < 1:
            raise InputError(f"the limit is {self.limit}; ask for at least one solution")
        checked_seconds(self.time_limit)
        model = self.model
        self._model = BinaryModel.from_cover(model) if isinstance(model, ExactCover) else model
        self._rows: Rows = rows_of(self._model)
        self._deadline = Deadline()
        self._judge: Judge | None = None
        self._work_of_relaxations = 0

    def __iter__(self) -> Iterator[list[int]]:
        self.complete, self.stopped = False, ""
        self.statistics = TreeStatistics()
        self._judge, self._work_of_relaxations = self.relaxation, 0
        self._deadline = Deadline(self.time_limit)
        try:
            yield from self._search()
        except KeyboardInterrupt:
            self.stopped = "interrupt"
            raise
        finally:
            self._judge = None
            self._clock()

    def _search(self) -> Iterator[list[int]]:
        from calmip.search.one_tree._tree_arrays import loops, new_tree, refresh, value_of
        from calmip.search.one_tree._tree_plain import DONE, LEAF, NODES, RELAX

        rows, seen = self._rows, self.statistics
        if (rows.lower > rows.upper).any():
            self.complete = True
            return
        tree = new_tree(rows)
        advance = loops(tree)
        rounded = not rows.whole.all()
        while not self._late():
            if rounded:
                refresh(tree, rows)
            event = advance()
            seen.nodes = int(tree.count[NODES])
            if event == DONE:
                self.complete = True
                return
            if event == RELAX:
                self._relax(tree)
            elif event == LEAF:
                ones = np.flatnonzero(value_of(tree) == 1).tolist()
                if self._model.violated(ones) is None:
                    seen.solutions += 1
                    self._clock()
                    yield ones
                    if seen.solutions == self.limit:
                        self.stopped = "limit"
                        return

    def _relax(self, tree: SearchTree) -> None:
        """Solve the relaxation of the node on top of the stack, and close it if it is proved."""
        from calmip.search.one_tree._tree_arrays import value_of
        from calmip.search.one_tree._tree_plain import RELAX_WORK, prune

        if self._judge is None:
            self._judge = HighsRelaxation(self._rows)
        value, seen = value_of(tree), self.statistics
        answer = self._judge.solve(value, self._deadline.left())
        seen.relaxations += 1
        self._work_of_relaxations += answer.work
        tree.count[RELAX_WORK] = self._work_of_relaxations // seen.relaxations
        if not answer.infeasible:
            return
        if answer.multipliers is None or proof_of(self._rows, answer.multipliers, value) is None:
            seen.unproved += 1
            return
        seen.proved += 1
        prune(tree)

    def _late(self) -> bool:
        late = self._deadline.over
        if late:
            self.stopped = "time"
        return late

    def _clock(self) -> None:
        self.statistics.seconds = self._deadline.elapsed
