"""All solutions of a pure binary model from one branch-and-bound tree.

After each no-good cut, a MIP solver starts a new tree for the next solution. Here one tree is
searched to its end and every integral leaf is a solution (Danna, Fenelon, Gu and
Wunderling 2007, https://doi.org/10.1007/978-3-540-72792-7_22).

At a node the rows fix the columns that they force (activity bounds). HiGHS solves the linear
relaxation where that is likely to pay. It always does at the root. Elsewhere it does if the
relaxations of nodes of the same size have saved more work in subtrees without solutions than they
cost. On calendar puzzles a relaxation costs as much as hundreds of nodes, so few are solved
(`OneTree.statistics` counts them). On models that a counting argument refutes, such as dominoes
on a chessboard without two opposite corners, the relaxation of the root ends the search.

HiGHS's claim that a node is infeasible does not prune it. Its multipliers must prove the
infeasibility: in exact arithmetic if all coefficients are whole numbers, otherwise with a safe
margin. Without a proof the search goes on below the node.
"""

from __future__ import annotations

import contextlib
import ctypes
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from calmip._base.errors import InputError, SolverFailed
from calmip._base.highs import HighsModel, linear_program
from calmip._base.limits import ENDLESS, Deadline
from calmip.mip import kernel
from calmip.mip.model import Cover, Model
from calmip.mip.one_tree import _tree_plain as plain
from calmip.mip.one_tree._tree_plain import SearchTree
from calmip.mip.one_tree._tree_rows import FloatArray, Rows, proof_of, rows_of

__all__ = ["NEVER", "Answer", "HighsRelaxation", "OneTree", "TreeStatistics"]


BASE_ITERATIONS = 4
"""The fixed cost of a solve, in simplex iterations."""

NEVER = 2**52
"""A cost that is never repaid."""


class Answer(NamedTuple):
    """The claim of a relaxation about a node."""

    infeasible: bool
    multipliers: FloatArray | None
    """The row multipliers for a proof of infeasibility, or None."""
    work: int
    """The effort, in touched coefficients."""


class HighsRelaxation:
    """One HiGHS LP whose column bounds follow the nodes; each solve starts from the last basis."""

    def __init__(self, rows: Rows) -> None:
        self._nonzeros = len(rows.value)
        self._value = np.full(rows.columns, -1, dtype=np.int8)
        bounds, matrix = (rows.lower, rows.upper), (rows.start, rows.column, rows.value)
        cost = np.zeros(rows.columns)
        self._highs: HighsModel | None = None
        # HiGHS refuses coefficients above 1e15; then only the rows prune.
        with contextlib.suppress(SolverFailed):
            self._highs = linear_program("the one-tree search", bounds, matrix, cost=cost)

    def solve(self, value: npt.NDArray[np.int8], seconds: float | None) -> Answer:
        """Solve the relaxation of a node: 0 or 1 for each fixed column, -1 for each free one."""
        highs = self._highs
        if highs is None:
            return Answer(False, None, NEVER)
        changed = np.flatnonzero(value != self._value)
        fixed = value[changed]
        highs.bound_columns(changed, fixed == 1, fixed != 0)
        self._value = value.copy()
        highs.run(seconds)
        infeasible = highs.status == "Infeasible"
        ray = highs.dual_ray() if infeasible else None
        multipliers = None if ray is None else np.array(ray)
        iterations = max(0, int(highs.info("simplex_iteration_count") or 0))
        return Answer(infeasible, multipliers, (iterations + BASE_ITERATIONS) * self._nonzeros)


BREATH = 2_000_000
"""The coefficients touched between two readings of the clock: some milliseconds."""

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
    numbers = np.zeros(plain.COUNTS, dtype=np.int64)
    numbers[plain.QUEUE] = count
    free = np.arange(columns + 1)
    free[0] = 1
    classes = np.minimum(4.0 * np.log2(free), plain.CLASSES - 1).astype(np.int64)
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
        arrays[name] = np.zeros(plain.CLASSES, dtype=np.int64)
    if kernel.library() is None:
        return SearchTree(**{name: array.tolist() for name, array in arrays.items()})
    return SearchTree(**arrays)


class _Tree(ctypes.Structure):  # as tree.c has it
    _fields_ = [(name, ctypes.c_void_p) for name in SearchTree._fields]
    _fields_ += [("rows", ctypes.c_int64), ("columns", ctypes.c_int64)]


def loops(tree: SearchTree) -> Callable[[], int]:
    """Return the function that searches on for some milliseconds, compiled or not.

    It returns why it stopped, as `_tree_plain.advance` does.
    """
    library = kernel.library()
    if library is None:
        return partial(plain.advance, tree, BREATH_PLAIN)
    arrays = _Tree(*map(kernel.address, tree), len(tree.lower), len(tree.value))
    return partial(library.calmip_tree, ctypes.byref(arrays), BREATH)


def value_of(tree: SearchTree) -> npt.NDArray[np.int8]:
    """Return the current node: 0 or 1 for each fixed column, -1 for each free one."""
    return np.array(tree.value, dtype=np.int8)


def refresh(tree: SearchTree, rows: Rows) -> None:
    """Compute the sums of the rows anew, so that rounding errors cannot add up."""
    value = np.full(rows.columns, -1, dtype=np.int8)
    # Columns at the end of the trail are fixed but not yet in the sums.
    done = np.array(tree.trail[: tree.count[plain.APPLIED]], dtype=np.int64)
    value[done] = value_of(tree)[done]
    least, most = _sums(rows, value)
    tree.least[:], tree.most[:] = least.tolist(), most.tolist()


def _sums(rows: Rows, value: npt.NDArray[np.int8]) -> tuple[FloatArray, FloatArray]:
    """Return the least and the greatest sum that each row can still have."""
    state = value[rows.column]

    def sums(bound: Callable[..., FloatArray]) -> FloatArray:
        free = np.where(state == 0, 0.0, bound(rows.value, 0.0))
        parts = np.where(state == 1, rows.value, free)
        return np.bincount(rows.owner, parts, minlength=len(rows)).astype(np.float64)

    return sums(np.minimum), sums(np.maximum)


@dataclass
class TreeStatistics:
    """The effort of the search of a tree."""

    nodes: int = 0
    """Nodes that were entered: the root and the children of all branchings."""
    solutions: int = 0
    """Leaves that satisfy every row."""
    relaxations: int = 0
    """Linear relaxations solved."""
    proved: int = 0
    """Nodes that HiGHS called infeasible and a checked proof pruned."""
    unproved: int = 0
    """Nodes that HiGHS called infeasible without a valid proof; the search went on below."""


class OneTree:
    """All solutions of a binary model, found while you iterate, in a fixed order.

    Each solution is the ascending list of the columns that are one, checked against the rows
    in exact arithmetic. The objective is ignored. Every branching gives a column the value
    one in one child and zero in the other, so no solution is duplicate. A proof prunes only
    nodes without a solution, so the order depends neither on HiGHS nor on the time. Every
    iteration starts anew.

    Parameters
    ----------
    model
        A model with any rows over binary columns, or an exact cover, whose options are columns.
    limit, clock
        Stop after so many solutions, or at the time limit in seconds of the clock.
    relaxation
        The solver of the nodes' relaxations, by default HiGHS.

    Attributes
    ----------
    complete : bool
        Whether the tree was searched to its end: there are proved to be no further solutions.
    statistics : TreeStatistics
        The effort of the last iteration so far.

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
        relaxation: HighsRelaxation | None = None,
    ) -> None:
        if limit is not None and limit < 1:
            raise InputError(f"the limit is {limit}; ask for at least one solution")
        self.complete = False
        self.statistics = TreeStatistics()
        self._limit, self._clock, self._relaxation = limit, clock, relaxation
        binary = (
            model.as_binary("one-tree") if isinstance(model, Model) else Model.from_cover(model)
        )
        self._model = binary
        self._rows = rows_of(self._model)

    def __iter__(self) -> Iterator[list[int]]:
        self.complete = False
        seen = self.statistics = TreeStatistics()
        rows, relaxation, work = self._rows, self._relaxation, 0
        if (rows.lower > rows.upper).any():
            self.complete = True
            return
        tree = new_tree(rows)
        advance = loops(tree)
        rounded = not rows.whole.all()
        while not self._clock.over:
            if rounded:
                refresh(tree, rows)
            event = advance()
            seen.nodes = int(tree.count[plain.NODES])
            if event == plain.DONE:
                self.complete = True
                return
            if event == plain.RELAX:
                relaxation = relaxation or HighsRelaxation(rows)
                value = value_of(tree)
                answer = relaxation.solve(value, self._clock.left())
                seen.relaxations += 1
                work += answer.work
                tree.count[plain.RELAX_WORK] = work // seen.relaxations
                if answer.infeasible:
                    multipliers = answer.multipliers
                    if multipliers is None or proof_of(rows, multipliers, value) is None:
                        seen.unproved += 1
                    else:
                        seen.proved += 1
                        plain.prune(tree)
            elif event == plain.LEAF:
                ones = np.flatnonzero(value_of(tree) == 1).tolist()
                if self._model.violated(ones) is None:
                    seen.solutions += 1
                    yield ones
                    if seen.solutions == self._limit:
                        return
