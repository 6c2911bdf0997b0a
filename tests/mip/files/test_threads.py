"""Questions of public threads: the table of answers is what each layer gives today."""

from __future__ import annotations

import pytest
from requirements import missing

from benchmarks.tables import kept
from benchmarks.threads import PACKAGES, THREADS, answers, available


def test_the_table_has_every_question() -> None:
    asked = [[one.layer, one.link, one.question, f"`{one.call}`"] for one in THREADS]
    assert [row[:4] for row in kept()["threads"].rows] == asked
    assert len(asked) >= 20
    assert len({one.issue for one in THREADS}) == len(asked)


@pytest.mark.long
@pytest.mark.parametrize("layer", list(dict.fromkeys(one.layer for one in THREADS)))
def test_a_layer_answers_as_the_table_says(layer: str) -> None:
    if not available(layer):
        missing(PACKAGES.get(layer, layer))
    assert answers(layer) == [row[4] for row in kept()["threads"].rows if row[0] == layer]
