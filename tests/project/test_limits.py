"""Limits and the clock: which numbers they take, and what they say is left."""

import contextlib
import importlib
import inspect
import math
import pickle
import re
from dataclasses import replace
from typing import Any

import pytest

import calmip
from calmip._base import limits as clocks
from calmip._base.errors import InputError
from calmip._base.limits import CpuDeadline, Deadline, Limits, Progress
from calmip.cli import main
from calmip.features import OWN


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
        ({"workers": 0}, "the number of workers is from 1 to 1024, not 0"),
        ({"workers": 1025}, "not 1025"),
        ({"memory_limit": 0}, "the memory limit is a number of MB above 0, not 0"),
        ({"memory_limit": math.nan}, "not nan"),
        ({"memory_limit": math.inf}, "not inf"),
    ],
)
def test_numbers_have_ends(numbers: dict[str, int], text: str) -> None:
    with pytest.raises(InputError, match=text):
        Limits(**numbers)  # type: ignore[arg-type]


@pytest.mark.parametrize(("seconds", "most"), [(2, 3.2), (10, 12), (600, 661), (0.001, 1.0011)])
def test_a_solver_may_overrun_by_a_second_and_a_tenth(
    seconds: float, most: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clocks, "perf_counter", lambda: 100.0)
    assert Limits(seconds).patience == pytest.approx(most, abs=1e-2)
    assert Limits().patience is None


def test_a_deadline_tells_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr(clocks, "perf_counter", lambda: now)
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
    assert (deadline.over, deadline.left(), deadline.lap()) == (True, clocks.MIN_SECONDS, 2)
    now = 1e9
    assert (deadline.left(), deadline.left(least=1)) == (clocks.MIN_SECONDS, 1)
    assert (endless.left(), endless.left(least=1), endless.over) == (None, None, False)
    assert endless.elapsed == 1e9 - 100


def test_limits_have_one_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr(clocks, "perf_counter", lambda: now)
    limits = Limits(5, memory_limit=30)
    now = 103.0
    changed = replace(limits, start=("x",), seed=3)
    assert changed.clock is limits.clock
    assert limits.share(2).clock is limits.clock
    assert (changed.seconds, changed.patience) == (2, pytest.approx(3.2))
    # A limit that is another one, and another run, begin anew.
    assert (limits.renew().seconds, replace(limits, time_limit=4).seconds) == (5, 4)
    assert limits == limits.renew()
    # Another process has another clock, and no more time.
    sent = pickle.dumps(limits)
    now = 7.0
    there = pickle.loads(sent)
    assert (there, there.seconds) == (limits, 2)
    now = 9.0
    assert there.clock.over
    with pytest.raises(TimeoutError, match=r"^not all tilings were counted within 5 s$"):
        there.tick(1)


def test_those_who_share_the_work_share_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    limits = Limits(memory_limit=30, workers=3, dask="local", progress=print)
    assert limits.memory == 30e6
    part = limits.share(3)
    assert (part.memory, part.workers, part.dask, part.progress) == (10e6, 1, None, None)
    assert limits.share().memory_limit == 30
    assert Limits().share().memory_limit is None
    monkeypatch.setattr(clocks, "machine_memory", lambda: 8e6)
    assert (Limits().memory, Limits().share(4).memory_limit) == (8e6, 2)
    monkeypatch.setattr(clocks, "machine_memory", lambda: math.inf)
    assert (Limits().memory, Limits().share(4).memory_limit) == (math.inf, None)


def test_progress_is_one_record() -> None:
    told: list[Progress] = []
    limits = Limits(60, progress=told.append)
    limits.report(1)
    limits.report(2, 3, "days", latest="Jan 2")
    limits.tick(4)
    records = [(1, None, "", None), (2, 3, "days", "Jan 2"), (4, None, "", None)]
    assert told == [(*record, "") for record in records]
    assert told[1].latest == "Jan 2"
    Limits().report(1)


TASKS = [
    value
    for value in (getattr(calmip, name) for name in calmip.__all__)
    if (inspect.isfunction(value) or inspect.isclass(value)) and "Limits`" in (value.__doc__ or "")
]


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.__name__)
def test_what_a_docstring_leaves_to_the_limits_is_described_there(task: Any) -> None:
    """Where it is is said by a name that is there, and nothing else is left to it."""
    for names, home in re.findall(r"^ +(\S.*)\n +As for `(\S+Limits)`", task.__doc__ or "", re.M):
        module, _, name = home.rpartition(".")
        limits = getattr(importlib.import_module(module), name)
        assert limits is Limits
        for one in names.split(", "):
            assert re.search(rf"^ +{one}\n +[A-Z]", limits.__doc__, re.M), one
            assert one in inspect.signature(task).parameters


@pytest.mark.parametrize("command", OWN)
def test_the_help_says_what_a_docstring_leaves_to_the_limits(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with contextlib.suppress(SystemExit):
        main([command, "--help"])
    said = capsys.readouterr().out
    assert "Limits" not in said
    assert "As for" not in said


def test_a_clock_of_cpu_seconds_also_ends_with_another_one(monkeypatch: pytest.MonkeyPatch) -> None:
    used, now = [100.0], [1000.0]
    monkeypatch.setattr(clocks, "thread_time", lambda: used[0])
    monkeypatch.setattr(clocks, "perf_counter", lambda: now[0])
    outer = Deadline(50)
    alone, inner = CpuDeadline(4, clocks.ENDLESS), CpuDeadline(4, outer)
    now[0] += 40  # of which the thread had none
    assert (alone.left(), inner.left(), inner.elapsed) == (4, 4, 0)
    used[0] += 1
    assert (alone.left(), inner.left()) == (3, 3)
    now[0] += 8
    assert (alone.left(), inner.left()) == (3, 2)
    assert (alone.over, inner.over) == (False, False)
    now[0] += 2
    assert (alone.over, inner.over) == (False, True)
    used[0] += 3
    assert alone.over


def test_a_clock_has_at_least_so_many_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [1000.0]
    monkeypatch.setattr(clocks, "perf_counter", lambda: now[0])
    clock, endless = Deadline(5), Deadline()
    assert endless.at_least(7) is endless
    assert clock.at_least(5) is clock
    now[0] += 1
    assert clock.at_least(5).left() == 5
    assert clock.at_least(4) is clock
