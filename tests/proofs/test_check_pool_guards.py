"""The words of a proof that holds, keys that stand twice, and values that a tree ends at."""

from __future__ import annotations

import itertools
import json
import math
from types import SimpleNamespace
from typing import Any

import pytest

from calmip._base.errors import SolverFailed
from calmip.mip.proof import check_model, check_pool, pool_tree
from calmip.mip.rows import Row


@pytest.mark.parametrize("module", [check_pool, check_model])
def test_a_key_that_stands_twice_in_one_object_is_refused(module: Any) -> None:
    refused = getattr(module, "PoolRefused", None) or module.TreeRefused
    for text in ('{"tree": [], "tree": []}', '[{"a": {"b": 1, "c": 2, "b": 1}}]'):
        with pytest.raises(refused, match="duplicate key in an object"):
            module.read_proof(text)
    for value in ({"tree": [], "solutions": 0}, [{"a": {"a": 1}}, {"a": 2}], {}, 7):
        assert module.read_proof(json.dumps(value)) == value


@pytest.mark.parametrize(
    ("goal", "words"),
    [
        (None, ""),
        (["within", "2"], " within 2 of the optimum"),
        (["gap", "1/9"], " within a gap of 1/9"),
    ],
)
def test_what_a_proof_shows_is_what_its_goal_is(goal: Any, words: str) -> None:
    for number, distinct in itertools.product((0, 1, 3), (2, 3)):
        proof = {"goal": goal, "model": {"distinct": distinct, "integers": 3}}
        claim = check_pool.Claim(number, 9, 4, 6)  # type: ignore[arg-type]
        ends = ", objective 4 to 6" if number else ""
        apart = ", told apart by 2 of 3 integer variables" if distinct < 3 else ""
        wanted = f"{number} solutions{words}{ends}{apart}, and no others"
        assert check_pool.words(proof, claim) == wanted


def prover(low: list[int], rows: list[Any], *, pure: bool = True) -> Any:
    """Return a prover at a node at which all columns are fixed."""
    mine: Any = object.__new__(pool_tree._Tree)
    mine.low = mine.high = low
    mine.program = SimpleNamespace(rows=rows, pure=pure, distinct=len(low), value_of=sum)
    return mine


def test_a_leaf_is_refuted_by_a_row_or_by_the_objective() -> None:
    rows = [Row({0: 1, 1: 1}, 1, 2), Row({0: 1, 1: -1}, -1, 1)]
    for point in itertools.product(range(-1, 4), repeat=2):
        for most in (None, 1, 2):
            mine = prover(list(point), rows)
            total, apart = sum(point), point[0] - point[1]
            if not 1 <= total <= 2:
                wanted: Any = [(1, 1 if total < 1 else -1)]
            elif not -1 <= apart <= 1:
                wanted = [(2, 1 if apart < -1 else -1)]
            else:
                wanted = [(0, -1)] if most is not None and total > most else None
            for number in (0, 5):
                limit = SimpleNamespace(most=most, solution=number)
                assert mine.violated(limit) == wanted
                if wanted is None:
                    with pytest.raises(SolverFailed, match="a solution is not in the pool"):
                        mine.end(limit)
                else:
                    end = ["solution", 5, wanted] if number else ["none", wanted]
                    assert mine.end(limit) == end


def test_a_column_is_split_between_its_bounds_whichever_are_finite() -> None:
    ends = (-math.inf, -3, 0, 2, 5, math.inf)
    for low, high in itertools.product(ends, ends):
        if not low < high:
            continue
        mine = prover([low, 0], [])  # type: ignore[list-item]
        mine.high = [high, 0]
        for point in (None, [low if math.isfinite(low) else -7, 0]):
            column, at, below, above = mine.split([0], point, None)
            assert (column, below, above) == (0, None, None)
            assert low <= at < high
            if point is None and math.isfinite(low) and math.isfinite(high):
                assert at == min((low + high) // 2, high - 1)


def small_proof(*tree: Any, solutions: Any = (), high: int = 3) -> dict[str, Any]:
    """Return a proof about one integer column of 0 to ``high`` that costs itself.

    Row 1 says that it is at least 1, and row 2 says so of its opposite.
    """
    model = {
        "maximise": False,
        "columns": [["x", 0, high]],
        "distinct": 1,
        "integers": 1,
        "rows": [["one", 1, None, [[1, 1]]], ["other", None, -1, [[1, -1]]]],
        "costs": [[1, 1]],
        "unit": 1,
        "constant": 0,
    }
    return {"model": model, "goal": None, "solutions": list(solutions), "tree": list(tree)}


# Below the split row 1 refutes each value, above it the side of the cut, row 3, does.
BELOW, ABOVE = [[1, 1]], [[3, -1]]


@pytest.mark.parametrize(
    ("side", "split", "parts", "fine"),
    [
        (1, 0, (BELOW, ABOVE), True),
        (1, 0, (BELOW, [[3, -1], [1, 0]]), True),
        (1, 0, (BELOW, []), False),
        # Row 1 is reached, not violated, in 0 and 1: only a violated cut makes that a conflict.
        (2, 1, (BELOW, ABOVE), False),
        (2, 1, ([[1, 1], [3, 0]], ABOVE), False),
        (2, 1, ([[2, -1]], ABOVE), False),
        (2, 1, ([[2, -1], [3, 0]], ABOVE), False),
    ],
)
def test_a_cut_is_refuted_by_what_its_parts_violate(
    side: int, split: int, parts: Any, fine: bool
) -> None:
    tree = (["cut", [[1, 1]], side, 1, split, *parts], ["none", [[1, 1]]])
    proof = small_proof(*tree, high=0 if fine and side == 1 and split == 0 else 3)
    if fine:
        assert check_pool.check_pool(proof) == (0, 1, None, None)
    else:
        with pytest.raises(check_pool.PoolRefused, match=r"refute nothing|multiplied by 0"):
            check_pool.check_pool(proof)


def test_a_cut_ends_no_tree() -> None:
    """There are solutions; the cut alone says nothing of them."""
    with pytest.raises(check_pool.PoolRefused, match="malformed"):
        check_pool.check_pool(small_proof(["cut", [[1, 1]], 1, 1, 0, BELOW, ABOVE]))


@pytest.mark.parametrize(
    ("number", "low", "message"),
    [
        (1, 1, ""),
        (0, 1, "there is no solution 0"),
        (-1, 1, "there is no solution -1"),
        (2, 1, "there is no solution 2"),
        (1, 0, "solution 1 is not at its place"),
    ],
)
def test_a_solution_is_one_of_the_list_at_its_place(number: int, low: int, message: str) -> None:
    proof = small_proof(["solution", number, [[0, -1]]], solutions=[[1, [[1, 1]]]], high=1)
    proof["model"]["columns"] = [["x", low, 1]]
    proof["goal"] = ["within", 0]
    if not message:
        assert check_pool.check_pool(proof) == (1, 1, 1, 1)
    else:
        with pytest.raises(check_pool.PoolRefused, match=message):
            check_pool.check_pool(proof)
