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

The arrays of a tree are made from the rows of a model, and kept true.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from calmip._highs import new_highs
from calmip._limits import Deadline, checked_seconds
from calmip.errors import InputError
from calmip.problem.binary_model import BinaryModel
from calmip.problem.cover import ExactCover
from calmip.search import kernel
from calmip.search.one_tree._tree_plain import (
    APPLIED,
    CLASSES,
    COUNTS,
    DONE,
    LEAF,
    NODES,
    QUEUE,
    RELAX,
    RELAX_WORK,
    SearchTree,
    advance,
    prune,
)  # fmt: skip
from calmip.search.one_tree._tree_rows import FloatArray, Rows, proof_of, rows_of

__all__ = ["Answer", "HighsRelaxation", "OneTree", "TreeStatistics"]


BASE_ITERATIONS = 4
"""The fixed cost of a solve, in simplex iterations."""

NEVER = 2**52
"""A cost that nothing can repay."""


class Answer(NamedTuple):
    """What a relaxation says of a node.

    Parameters
    ----------
    infeasible
        Whether it claims that the node is infeasible.
    multipliers
        The row multipliers that are to prove it, or None.
    work
        What it cost, in touched coefficients.
    """

    infeasible: bool
    multipliers: FloatArray | None
    work: int


class Judge(Protocol):
    """Something that may recognise infeasible nodes; its claims count only with a proof."""

    def solve(self, value: npt.NDArray[np.int8], seconds: float | None) -> Answer:
        """Judge a node.

        Parameters
        ----------
        value
            0 or 1 for each fixed column, -1 for each free one.
        seconds
            How long it may take; None for as long as it needs.
        """
        ...  # pragma: no cover


class HighsRelaxation:
    """One HiGHS LP whose column bounds follow the nodes; each solve starts from the last basis.

    Raises
    ------
    SolverMissing
        If highspy is not installed.
    """

    def __init__(self, rows: Rows) -> None:
        self._highs = new_highs(
            "the one-tree search",
            presolve="off",
            solver="simplex",
            simplex_strategy=1,
            parallel="off",
        )
        self._nonzeros = len(rows.value)
        self._value = np.full(rows.columns, -1, dtype=np.int8)
        # HiGHS refuses coefficients above 1e15; then the rows alone have to do.
        bounds, matrix = (rows.lower, rows.upper), (rows.start, rows.column, rows.value)
        self._accepted = self._highs.pass_rows(bounds, matrix, cost=np.zeros(rows.columns))

    def solve(self, value: npt.NDArray[np.int8], seconds: float | None) -> Answer:
        """Solve the relaxation of a node; anything but a plain "infeasible" says nothing."""
        if not self._accepted:
            return Answer(False, None, NEVER)
        highs = self._highs
        changed = np.flatnonzero(value != self._value)
        fixed = value[changed]
        highs.bound_columns(changed, fixed == 1, fixed != 0)
        self._value = value.copy()
        if seconds is not None:
            # HiGHS counts the time of all solves of one object together.
            highs.set({"time_limit": highs.seconds + max(0.0, seconds)})
        highs.run()
        infeasible = highs.status == "Infeasible"
        ray = highs.dual_ray() if infeasible else None
        multipliers = None if ray is None else np.array(ray)
        iterations = max(0, int(highs.info("simplex_iteration_count") or 0))
        return Answer(infeasible, multipliers, (iterations + BASE_ITERATIONS) * self._nonzeros)


BREATH = 2_000_000
"""After so many touched coefficients, some milliseconds, the clock is looked at."""

BREATH_PLAIN = 20_000
"""The same without compiled loops."""

DRIFT = 1e-9
"""Sums of fractional coefficients are trusted to this part of the row's absolute sum.

`refresh` computes them anew long before rounding errors add up to that.
"""


def new_tree(rows: Rows) -> SearchTree:
    """Return the tree of a model before its root is entered."""
    columns, count = rows.columns, len(rows)
    column_start, column_row, column_value = rows.by_columns()
    # Whole sums lie at least one half inside or outside of these bounds.
    pad = np.where(rows.whole, 0.5, DRIFT * rows.size)
    largest = np.zeros(count)
    np.maximum.at(largest, rows.owner, np.abs(rows.value))
    unit = np.ones(count, dtype=np.bool_)
    unit[rows.owner[rows.value != 1.0]] = False
    numbers = np.zeros(COUNTS, dtype=np.int64)
    numbers[QUEUE] = count
    free = np.arange(columns + 1)
    free[0] = 1
    classes = np.minimum(4.0 * np.log2(free), CLASSES - 1).astype(np.int64)
    value = np.full(columns, -1, dtype=np.int8)
    least, most = _sums(rows, value)
    arrays: dict[str, npt.NDArray[Any]] = {
        "row_start": rows.start,
        "row_column": rows.column,
        "row_value": rows.value,
        "column_start": column_start,
        "column_row": column_row,
        "column_value": column_value,
        "lower": rows.lower - pad,
        "upper": rows.upper + pad,
        "largest": largest,
        "unit": unit,
        "class_of": classes,
        "value": value,
        "trail": np.zeros(columns, dtype=np.int64),
        "least": least,
        "most": most,
        "free": np.diff(rows.start),
        "queue": np.arange(count),
        "queued": np.ones(count, dtype=np.bool_),
        "second": np.zeros(columns, dtype=np.bool_),
        "count": numbers,
    }
    for name in ("branch", "mark", "group", "began", "leaves"):
        arrays[name] = np.zeros(columns, dtype=np.int64)
    for name in ("relaxed", "pruned", "fruitless", "fruitless_work"):
        arrays[name] = np.zeros(CLASSES, dtype=np.int64)
    if kernel.library() is None:
        return SearchTree(**{name: array.tolist() for name, array in arrays.items()})
    return SearchTree(**arrays)


class _Tree(ctypes.Structure):
    """What `calmip_tree` takes."""

    _fields_ = [(name, ctypes.c_void_p) for name in SearchTree._fields]
    _fields_ += [("rows", ctypes.c_int64), ("columns", ctypes.c_int64)]


def loops(tree: SearchTree) -> Callable[[], int]:
    """Return what searches on in a tree for some milliseconds, compiled or not.

    It returns why it stopped, as `_tree_plain.advance` does.
    """
    library = kernel.library()
    if library is None:
        return partial(advance, tree, BREATH_PLAIN)
    places = [kernel.address(array) for array in tree]
    shown = _Tree(*places, len(tree.lower), len(tree.value))
    return partial(library.calmip_tree, ctypes.byref(shown), BREATH)


def value_of(tree: SearchTree) -> npt.NDArray[np.int8]:
    """Return the current node: 0 or 1 for each fixed column, -1 for each free one."""
    return np.array(tree.value, dtype=np.int8)


def refresh(tree: SearchTree, rows: Rows) -> None:
    """Compute the sums anew, so that rounding errors of fractional coefficients cannot add up."""
    value = np.full(rows.columns, -1, dtype=np.int8)
    # Columns at the end of the trail are fixed but not yet in the sums.
    done = np.array(tree.trail[: tree.count[APPLIED]], dtype=np.int64)
    value[done] = value_of(tree)[done]
    least, most = _sums(rows, value)
    tree.least[:], tree.most[:] = least.tolist(), most.tolist()


def _sums(rows: Rows, value: npt.NDArray[np.int8]) -> tuple[FloatArray, FloatArray]:
    """Return the least and the greatest sum that each row can still have."""
    state = value[rows.column]
    low = np.where(state == 1, rows.value, np.where(state == 0, 0.0, np.minimum(rows.value, 0.0)))
    high = np.where(state == 1, rows.value, np.where(state == 0, 0.0, np.maximum(rows.value, 0.0)))
    least = np.bincount(rows.owner, low, minlength=len(rows)).astype(np.float64)
    most = np.bincount(rows.owner, high, minlength=len(rows)).astype(np.float64)
    return least, most


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
