"""What a search says of a half-space or a projection, by planted answers of what it rests on."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from calmip._base.errors import InputError, SolverFailed
from calmip._base.limits import ENDLESS
from calmip.mip.compare import implication
from calmip.mip.compare.implication import Implications
from calmip.mip.lp.exact_lp import LinearAnswer
from calmip.mip.projection import Projection
from calmip.mip.status import Status


def implications(**values: Any) -> Any:
    mine: Any = object.__new__(Implications)
    mine.__dict__.update(values)
    return mine


@pytest.mark.parametrize("error", [InputError, TimeoutError, SolverFailed, OverflowError])
def test_a_search_that_fails_decides_nothing(error: type[Exception]) -> None:
    def fail(*_: Any) -> Any:
        raise error("planted")

    assert implications(_search=fail).search(None, ENDLESS) == (None, {})


@pytest.mark.parametrize("there", [True, False, None])
@pytest.mark.parametrize("violates", [True, False])
def test_a_point_that_violates_nothing_is_an_error(there: bool | None, violates: bool) -> None:
    point = {0: 1} if there else {}
    mine = implications(_search=lambda *_: (there, point), violates=lambda *_: violates)
    if there and not violates:
        with pytest.raises(AssertionError, match="wrong point"):
            mine.search(None, ENDLESS)
    else:
        assert mine.search(None, ENDLESS) == (there, point)


@pytest.mark.parametrize("status", [one for one in Status if one not in ("accepted", "refused")])
@pytest.mark.parametrize("value", [2, 3, 4])
def test_a_linear_program_violates_a_side_if_its_optimum_is_beyond(
    status: Status, value: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = LinearAnswer(status, {0: value}, ray={0: 1})
    monkeypatch.setattr(
        implication, "ExactLp", lambda *_: SimpleNamespace(solve=lambda **_: answer)
    )
    monkeypatch.setattr(implication, "_beyond", lambda *_: {0: 99})
    half: Any = SimpleNamespace(value=lambda point: point[0], side=3)
    found = implications(_priced=lambda _: None, bounds=[()])._search_linear(half, ENDLESS)
    wanted: dict[Status, Any] = {
        Status.UNBOUNDED: (True, {0: 99}),
        Status.OPTIMAL: (value > 3, {0: value}),
        Status.INFEASIBLE: (False, {}),
    }
    assert found == wanted.get(status, (None, {}))


@pytest.mark.parametrize("status", [Status.OPTIMAL, Status.INFEASIBLE, Status.UNKNOWN])
@pytest.mark.parametrize("integer", [True, False])
def test_a_projection_holds_if_the_rest_has_a_solution(
    status: Status, integer: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A linear program or a pool decides it, or does not."""
    mine: Any = object.__new__(Projection)
    fixed = SimpleNamespace(values=lambda _: (0, integer))
    mine.__dict__["model"] = SimpleNamespace(fixed=lambda _: fixed)
    truth = {Status.OPTIMAL: True, Status.INFEASIBLE: False}.get(status)

    class Pool:
        complete = truth is not None

        def __init__(self, *_: Any, **__: Any) -> None: ...

        def __iter__(self) -> Any:
            return iter([object()] if truth else [])

    answer = LinearAnswer(status)
    if integer:
        monkeypatch.setattr("calmip.mip.pool.PoolSearch", Pool)
        answer = LinearAnswer(Status.UNKNOWN)
    monkeypatch.setattr(
        "calmip.mip.lp.exact_lp.ExactLp",
        lambda *_: SimpleNamespace(solve=lambda **_: answer),
    )
    assert mine._holds((0, 1), ENDLESS) is truth
