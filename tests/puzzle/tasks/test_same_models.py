"""The pairs of the benchmark: formulations of the same problem, with and without a fault."""

from __future__ import annotations

import random

import pytest

from benchmarks.same_models import VERDICTS, Pair, altered, families, lot_sizing, renamed
from calmip._base.limits import ENDLESS
from calmip.mip.compare.column_pairing import match_columns
from calmip.puzzle.tasks.compare import compare_models

SMALL = {"lot sizing": "8", "facility": "20 x 6", "cliques": "40", "queens": "8", "tours": "6"}
"""The sizes that are compared every day; tours of eight cities every night."""


@pytest.mark.parametrize(
    "pair",
    [
        pytest.param(pair, marks=pytest.mark.long if size == SMALL[pair.kind] else pytest.mark.slow)
        for pair in families()
        if (size := pair.name.split(",")[0]) == SMALL[pair.kind]
        or (pair.kind, size) == ("tours", "8")
    ],
    ids=lambda pair: f"{pair.kind} {pair.name}",
)
def test_formulations_of_the_same_problem_and_planted_faults(pair: Pair) -> None:
    found = compare_models(pair.one, pair.other, clock=ENDLESS)
    assert VERDICTS[found.status] == pair.expected
    # The sides of tours are no rows of the other: HiGHS's word is left for some of them.
    assert found.proved or (pair.kind, pair.expected) == ("tours", "same")
    if pair.expected == "different":
        assert found.refuted is not None
        holder, other, inclusion = found.refuted
        assert inclusion.point is not None
        assert holder.violated(inclusion.point) is None
        there = {holder.columns[c]: value for c, value in inclusion.point.items()}
        if set(holder.columns) == set(other.columns):
            named = {other.column_index[name]: value for name, value in there.items()}
            assert other.violated(named) is not None


def test_a_renamed_model_is_found_again_and_an_altered_one_is_not() -> None:
    model = lot_sizing(8, tight=True)
    other = renamed(model, random.Random(1))
    found = match_columns(model, other)
    assert found is not None
    assert sorted(found.values()) == list(range(len(model.columns)))
    assert match_columns(model, altered(other, random.Random(2))) is None
