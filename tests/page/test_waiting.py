"""A test that waits for what never comes fails soon, and one of a busy page does not."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import processes
import pytest
from browsing import IdleError
from processes import Idle

SLEEP = "import time; print('begun', flush=True); time.sleep(99)"
WORK = "print('begun', flush=True)\nwhile True: pass"


@pytest.mark.parametrize(("program", "idle"), [(SLEEP, True), (WORK, False)])
def test_a_program_is_idle_that_neither_runs_nor_could(program: str, idle: bool) -> None:
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE) as child:
        try:
            assert child.stdout is not None
            child.stdout.readline()
            watch = Idle(0.3)
            assert not watch.lasts(), "nothing is known yet"
            time.sleep(0.1)
            assert not watch.lasts(), "too short"
            time.sleep(0.3)
            assert watch.lasts() is idle
        finally:
            child.kill()


def test_where_the_system_tells_nothing_no_program_is_idle(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(processes, "working_seconds", dict)
    watch = Idle(0.0)
    assert not watch.lasts()
    assert not watch.lasts()


@pytest.mark.long
@pytest.mark.parametrize(
    "wait",
    [
        lambda page: page.wait_for_function("window.never"),
        lambda page: page.locator(".never").click(),
        lambda page: page.evaluate("new Promise(() => {})"),
    ],
    ids=["condition", "button", "answer"],
)
@pytest.mark.parametrize("opener", ["opened", "second"])
def test_what_never_comes_is_not_waited_for(
    request: pytest.FixtureRequest, opener: str, wait: Callable[[Any], Any]
) -> None:
    page = request.getfixturevalue(opener)()
    with pytest.raises(IdleError):
        wait(page)
