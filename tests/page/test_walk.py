"""A random walk, the same in both engines: nothing may lock, fail or lose the focus."""

from __future__ import annotations

import pytest
from browsing import DAY
from page_monkey import walk, walk_everywhere

ACTIONS = [pytest.param(60, marks=pytest.mark.long), pytest.param(2_000, marks=pytest.mark.slow)]


@pytest.mark.parametrize("actions", ACTIONS)
@pytest.mark.parametrize(("opener", "seed"), [("opened", 1), ("second", 3)])
def test_a_random_walk_leaves_no_disabled_button_and_no_error_in_the_lab(
    request: pytest.FixtureRequest, opener: str, seed: int, actions: int
) -> None:
    walk(request.getfixturevalue(opener)(f"{DAY}&view=lab"), seed, actions)


@pytest.mark.parametrize("actions", ACTIONS)
@pytest.mark.parametrize(("opener", "seed"), [("opened", 5), ("second", 7)])
def test_a_random_walk_over_the_page_never_loses_the_focus_and_meets_no_dead_button(
    request: pytest.FixtureRequest, opener: str, seed: int, actions: int
) -> None:
    walk_everywhere(request.getfixturevalue(opener)(assisted=False), seed, actions)
