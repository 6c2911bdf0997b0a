"""Exercise 8: each check looks at every packing, and names the one in which it fails."""

from __future__ import annotations

from typing import Any

import pytest

from calmip.course.checks import Failed
from calmip.course.formulations import _Strength


def test_a_check_of_every_packing_looks_at_each_in_order() -> None:
    strength: Any = object.__new__(_Strength)
    strength.packings = {"six": 6, "conflict": 7, "task": 8}
    seen: list[tuple[str, int]] = []
    strength.every(lambda name, packing: seen.append((name, packing)))()
    assert seen == [("six", 6), ("conflict", 7), ("task", 8)]

    def fails(name: str, packing: int) -> None:
        if packing == 7:
            raise Failed("a fault")

    with pytest.raises(Failed, match=r"conflict.*a fault"):
        strength.every(fails)()
