"""The arrays of a tree: made from the rows of a model, and kept true."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from calmip.search.one_tree import _tree_kernel as kernel
from calmip.search.one_tree._farkas import Proof, least_of
from calmip.search.one_tree._tree_rows import TOLERANCE, FloatArray, Rows
from calmip.search.one_tree._tree_type import Tree

__all__ = ["add_proof", "new_tree", "refresh", "value_of"]

DRIFT = 1e-9
"""Sums of fractional coefficients are trusted to this part of the row's absolute sum.

`refresh` computes them anew long before rounding errors add up to that.
"""


def new_tree(rows: Rows) -> Tree:
    """Return the tree of a model before its root is entered."""
    columns, count = rows.columns, len(rows)
    column_start, column_row, column_value = rows.by_columns()
    # Whole sums lie at least one half inside or outside of these bounds.
    pad = np.where(rows.whole, 0.5, TOLERANCE + DRIFT * rows.size)
    largest = np.zeros(count)
    np.maximum.at(largest, rows.owner, np.abs(rows.value))
    unit = np.ones(count, dtype=np.bool_)
    unit[rows.owner[rows.value != 1.0]] = False
    numbers = np.zeros(kernel.COUNTS, dtype=np.int64)
    numbers[kernel.QUEUE] = count
    value = np.full(columns, -1, dtype=np.int8)
    least, most = _sums(rows, value)
    slots = kernel.PROOF_SLOTS
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
        "value": value,
        "trail": np.zeros(columns, dtype=np.int64),
        "least": least,
        "most": most,
        "free": np.diff(rows.start),
        "queue": np.arange(count),
        "queued": np.ones(count, dtype=np.bool_),
        "second": np.zeros(columns, dtype=np.bool_),
        "proof_one": np.zeros((columns, slots)),
        "proof_zero": np.zeros((columns, slots)),
        "proof_least": np.zeros(slots),
        "proof_bound": np.zeros(slots),
        "proof_used": np.zeros(slots, dtype=np.int64),
        "count": numbers,
    }
    for name in ("branch", "mark", "group", "began", "leaves"):
        arrays[name] = np.zeros(columns, dtype=np.int64)
    for name in ("relaxed", "pruned", "fruitless", "fruitless_work"):
        arrays[name] = np.zeros(kernel.CLASSES, dtype=np.int64)
    if kernel.COMPILED:
        return Tree(**arrays)
    return Tree(**{name: array.tolist() for name, array in arrays.items()})


def value_of(tree: Tree) -> npt.NDArray[np.int8]:
    """Return the current node: 0 or 1 for each fixed column, -1 for each free one."""
    return np.array(tree.value, dtype=np.int8)


def refresh(tree: Tree, rows: Rows) -> None:
    """Compute the sums anew, so that rounding errors of fractional coefficients cannot add up."""
    value = np.full(rows.columns, -1, dtype=np.int8)
    # Columns at the end of the trail are fixed but not yet in the sums.
    done = np.array(tree.trail[: tree.count[kernel.APPLIED]], dtype=np.int64)
    value[done] = value_of(tree)[done]
    least, most = _sums(rows, value)
    tree.least[:], tree.most[:] = least.tolist(), most.tolist()
    for slot in range(tree.count[kernel.PROOFS]):
        one, zero = (
            np.array(table, dtype=np.float64).reshape(rows.columns, -1)[:, slot]
            for table in (tree.proof_one, tree.proof_zero)
        )
        tree.proof_least[slot] = least_of(one - zero, value)


def add_proof(tree: Tree, proof: Proof) -> None:
    """Keep a proof for the nodes to come, in the place of the one that was least of use."""
    number = tree.count[kernel.PROOFS]
    if number < kernel.PROOF_SLOTS:
        slot = int(number)
        tree.count[kernel.PROOFS] = slot + 1
    else:
        slot = int(np.argmin(tree.proof_used))
    one, zero = np.maximum(proof.coefficients, 0.0), -np.minimum(proof.coefficients, 0.0)
    if kernel.COMPILED:
        tree.proof_one[:, slot], tree.proof_zero[:, slot] = one, zero
    else:
        for column, (up, down) in enumerate(zip(one.tolist(), zero.tolist(), strict=True)):
            tree.proof_one[column][slot], tree.proof_zero[column][slot] = up, down
    tree.proof_least[slot] = least_of(proof.coefficients, value_of(tree))
    tree.proof_bound[slot] = proof.bound
    tree.proof_used[slot] = tree.count[kernel.NODES]


def _sums(rows: Rows, value: npt.NDArray[np.int8]) -> tuple[FloatArray, FloatArray]:
    """Return the least and the greatest sum that each row can still have."""
    state = value[rows.column]
    low = np.where(state == 1, rows.value, np.where(state == 0, 0.0, np.minimum(rows.value, 0.0)))
    high = np.where(state == 1, rows.value, np.where(state == 0, 0.0, np.maximum(rows.value, 0.0)))
    least = np.bincount(rows.owner, low, minlength=len(rows)).astype(np.float64)
    most = np.bincount(rows.owner, high, minlength=len(rows)).astype(np.float64)
    return least, most
