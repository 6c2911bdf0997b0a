"""Limits and the clock: which numbers they take, and what they say is left."""

import math

import pytest

from calmip import _limits
from calmip._limits import Deadline, Limits
from calmip.errors import InputError


@pytest.mark.parametrize("wrong", [0.0, -0.0, -1.0, math.inf, -math.inf, math.nan])
def test_a_time_limit_is_a_finite_number_above_zero(wrong: float) -> None:
    text = f"the time limit is a number of seconds above 0, not {wrong:g}"
    for use in (Limits, Deadline):
        with pytest.raises(InputError) as caught:
            use(wrong)
        assert caught.value.message == text


@pytest.mark.parametrize(
    ("numbers", "text"),
    [
        ({"seed": -1}, "the seed is a whole number from 0 to 2147483647, not -1"),
        ({"seed": 2**31}, "not 2147483648"),
        ({"threads": 0}, "the number of threads is from 1 to 1024, not 0"),
        ({"threads": 1025}, "not 1025"),
    ],
)
def test_seeds_and_threads_have_ends(numbers: dict[str, int], text: str) -> None:
    with pytest.raises(InputError, match=text):
        Limits(**numbers)  # type: ignore[arg-type]


@pytest.mark.parametrize(("seconds", "most"), [(2, 3.2), (10, 12), (600, 661), (0.001, 1.0011)])
def test_a_solver_may_overrun_by_a_second_and_a_tenth(seconds: float, most: float) -> None:
    assert Limits(seconds).patience == pytest.approx(most)
    assert Limits().patience is None


def test_a_deadline_tells_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr(_limits, "perf_counter", lambda: now)
    deadline, endless = Deadline(5), Deadline()
    assert (deadline.started, deadline.elapsed, deadline.left(), deadline.over) == (
        100,
        0,
        5,
        False,
    )
    now = 103.0
    assert (deadline.elapsed, deadline.left(), deadline.lap(), deadline.over) == (3, 2, 3, False)
    assert (deadline.left(least=2.5), deadline.lap()) == (2.5, 0)
    now = 105.0
    assert (deadline.over, deadline.left(), deadline.lap()) == (True, _limits.LEAST, 2)
    now = 1e9
    assert (deadline.left(), deadline.left(least=1)) == (_limits.LEAST, 1)
    assert (endless.left(), endless.left(least=1), endless.over) == (None, None, False)
    assert endless.elapsed == 1e9 - 100
