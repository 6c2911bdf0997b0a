"""Variables that exclude or imply each other: by their definition, of complete pools alone."""

from __future__ import annotations

import random
from itertools import permutations
from pathlib import Path

import pytest

import calmip
from calmip import InputError
from calmip.mip.optima.relations import find_relations

TEXT = """Maximize
 o: a + b + c + d
Subject To
 r: a + b <= 1
 s: c - a <= 0
 t: d - c = 0
Binary
 a b c d e
End
"""


def model(tmp_path: Path) -> calmip.Model:
    file = tmp_path / "m.lp"
    file.write_text(TEXT.replace(" t:", " u: e - d >= -1\n t:"))
    return calmip.read_model(file)


def test_relations_of_a_pool(tmp_path: Path) -> None:
    found = calmip.enumerate(model(tmp_path)).relations
    assert found.equal == (("c", "d"),)
    assert set(map(frozenset, found.exclusions)) == {frozenset("ab"), frozenset("bc")}
    assert found.implications == (("c", "a"),)
    assert found.counts == {"a": 4, "b": 2, "c": 2, "d": 2, "e": 4}
    assert found.solutions == 8
    assert str(found) == (
        "5 variables differ in 8 solutions; 1 always equal another, 2 pairs exclude each other, "
        "1 imply one another"
    )
    assert found.describe()["implications"] == [["c", "a"]]


@pytest.mark.parametrize("seed", range(20))
def test_relations_are_those_of_the_definition(seed: int) -> None:
    draw = random.Random(seed)
    points = [{c: 1 for c in range(5) if draw.random() < 0.4} for _ in range(draw.randint(2, 6))]
    names = list("abcde")
    found = find_relations(names, points)
    rows = {name: [point.get(c, 0) for point in points] for c, name in enumerate(names)}
    varying = {name: row for name, row in rows.items() if 0 < sum(row) < len(row)}
    assert found.counts == {name: sum(row) for name, row in varying.items()}
    first = {name: min(o for o in varying if varying[o] == varying[name]) for name in varying}
    assert {g for group in found.equal for g in group[1:]} == {n for n in first if first[n] != n}
    alone = {name: row for name, row in varying.items() if first[name] == name}
    pairs = list(permutations(alone, 2))
    both = {frozenset(p) for p in pairs if not any(map(min, alone[p[0]], alone[p[1]]))}
    assert set(map(frozenset, found.exclusions)) == both
    implied = {
        p for p in pairs if all(x <= y for x, y in zip(alone[p[0]], alone[p[1]], strict=True))
    }
    assert set(found.implications) == implied


def test_a_variable_with_other_values_has_none() -> None:
    assert find_relations(["a", "b"], [{0: 2}, {1: 1}, {0: 1, 1: 1}]).counts == {"b": 2}


def test_a_pool_that_is_not_complete_has_none(tmp_path: Path) -> None:
    for given in ({"limit": 2}, {"diverse": 2}, {"count": True}):
        with pytest.raises(InputError, match="does not hold all solutions"):
            _ = calmip.enumerate(model(tmp_path), **given).relations
