"""A model that is too large to be compared is undecided: it has no marks, and no fault."""

from __future__ import annotations

import pytest

from calmip import Model
from calmip.course import references
from calmip.course.checks import Undecided
from calmip.course.references import compare_with_reference


def model(rows: int) -> Model:
    row = ({0: 1.0, 1: 1.0}, 0.0, 1.0)
    return Model.from_rows(["x", "y"], [(f"r{n}", *row) for n in range(rows)], [1.0, 1.0])


@pytest.mark.parametrize(("rows", "decided"), [(1, True), (10, True), (11, False), (40, False)])
def test_a_model_of_ten_times_the_coefficients_is_compared(
    rows: int, decided: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(references, "MAX_NONZEROS", 8)
    if decided:
        assert compare_with_reference(model(rows), model(1)) is not None
        return
    with pytest.raises(Undecided, match=f"has {2 * rows} coefficients; at most 20 are compared"):
        compare_with_reference(model(rows), model(1))


def test_a_small_model_is_compared_whatever_the_reference_has() -> None:
    assert references.MAX_NONZEROS == 100_000
    assert compare_with_reference(model(40), model(1)) is not None
