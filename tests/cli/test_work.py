"""What a command tells of its work at a terminal: progress, or a line instead of it."""

from __future__ import annotations

import contextlib
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any

import click
import pytest

from calmip._base.limits import Progress
from calmip.cli import _work as module
from calmip.puzzle.tasks import enumeration


class Timer:
    """A timer whose time is over when the test says so."""

    started = False

    def __init__(self, seconds: float, function: Callable[[], None]) -> None:
        assert seconds == module.PROGRESS_SECONDS
        self.function, self.daemon = function, False

    def start(self) -> None:
        assert self.daemon, "the program would wait for it"
        self.started = True

    def cancel(self) -> None:
        self.started = False


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the lines that are printed on stderr, as they come."""
    lines: list[str] = []
    monkeypatch.setattr(module, "note", lines.append)
    monkeypatch.setattr(module, "note_interrupt", lines.append)
    return lines


@pytest.fixture
def timer(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Timer]]:
    """Return the timers of works; stderr is a terminal."""
    made: list[Timer] = []

    def make(*given: Any) -> Timer:
        made.append(Timer(*given))
        return made[-1]

    monkeypatch.setattr(threading, "Timer", make)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    yield made
    assert not any(one.started for one in made), "it speaks after the end"


@contextlib.contextmanager
def working() -> Iterator[module._Work]:
    with click.Context(click.Command("some"), info_name="some") as context, module.work(context):
        yield module._now()


def interrupted() -> str:
    """Return what is kept after Ctrl-C, as it is now."""
    return module._now().kept()


STILL = "calmip some is still running; press Ctrl-C to stop"


def test_long_work_has_a_line_at_a_terminal(
    said: list[str], timer: list[Timer], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its own, if it has one; none beside progress, and none in a file."""
    with working() as now:
        timer[-1].function()
        assert said == [STILL]
        now.progress = True
        timer[-1].function()
        assert timer[-1].started
    assert said == [STILL]
    with working() as now:
        now.line, now.progress = lambda: "so far so good", True
        timer[-1].function()
        now.line = lambda: 1 // 0  # type: ignore[assignment]
        timer[-1].function()
    assert said == [STILL, "so far so good"]
    monkeypatch.setattr(sys.stderr, "isatty", lambda: False)
    with working():
        assert not timer[-1].started
    assert len(timer) == 3


@pytest.mark.parametrize("kept", [None, "3 of 4 are done"])
def test_ctrl_c_ends_work_with_its_own_code(
    kept: str | None, said: list[str], timer: list[Timer]
) -> None:
    def work() -> None:
        with working():
            if kept:
                module.on_interrupt(lambda: kept)
            raise KeyboardInterrupt

    with pytest.raises(click.exceptions.Exit) as ended:
        work()
    assert ended.value.exit_code == module.INTERRUPTED
    assert said == [f"interrupted: {kept or 'there is no answer yet, and nothing is written'}"]
    assert len(timer) == 1


@pytest.mark.parametrize("draws", [True, False])
@pytest.mark.parametrize(
    ("found", "complete", "answer", "shows", "kept"),
    [
        ([], False, "", "", ""),
        ([], True, "that there is none", "stop", "that there is none"),
        (["T"], False, "a tiling", "see it", "this tiling:\n<T>"),
        (["T"], True, "a tiling", "see it", "this tiling:\n<T>"),
    ],
)
def test_a_slow_solver_is_held_against_what_the_search_found(
    found: list[str],
    complete: bool,
    answer: str,
    shows: str,
    kept: str,
    draws: bool,
    said: list[str],
    timer: list[Timer],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A search that is cut short and has found none says nothing of the puzzle."""

    class Search(list[str]):
        seconds = 0.25

        def __init__(self, puzzle: object, **limits: object) -> None:
            assert (puzzle, limits) == ("P", {"limit": 1, "time_limit": module.SEARCH_SECONDS})
            super().__init__(found)
            self.complete = complete

    monkeypatch.setattr(enumeration, "Enumeration", Search)
    puzzle: Any = "P"
    draw: Any = (lambda tiling: f"<{tiling}>") if draws else None
    with working():
        before = interrupted()
        module.compare_with_search(puzzle, "cbc", "calmip solve P", draw)
        timer[-1].function()
        if answer:
            press = f"press Ctrl-C to {shows}, or run " if draws else ""
            assert said == [
                f"cbc is still running; the exact-cover search found {answer} in 0.25 s: "
                f"{press}calmip solve P"
            ]
        else:
            assert said == ["cbc is still running; press Ctrl-C to stop"]
        told = f"cbc has no answer yet; the exact-cover search found {kept}"
        assert interrupted() == (told if answer and draws else before)


@pytest.mark.parametrize("speed", [None, 1234.56])
@pytest.mark.parametrize("total", [None, 5])
def test_a_counter_shows_speed_and_details_as_they_are(
    total: int | None,
    speed: float | None,
    timer: list[Timer],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from rich import progress as rich

    shown: list[Any] = []

    class Shown(rich.Progress):
        def __init__(self, *columns: Any, **more: Any) -> None:
            assert more["transient"], "it would stay on the screen"
            super().__init__(*columns, **more)
            shown.append(self)

    monkeypatch.setattr(rich, "Progress", Shown)
    monkeypatch.setattr(rich.Task, "speed", speed)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: False)
    with working(), module.counter("tilings", total) as show:
        show(Progress(3, total, detail="[red]best"))
        (task,) = shown[0].tasks
        fields = {"rate": "1,234.6/s" if speed else "", "detail": "[red]best"}
        assert (task.completed, task.total, task.fields) == (3, total, fields)
        texts = [str(one(task)) for one in shown[0].columns]
        # A bar where the end is known, else the number, and a detail without markup.
        assert any(isinstance(one, rich.BarColumn) for one in shown[0].columns) is (total == 5)
        assert ("3 tilings" in texts, "[red]best" in texts) == (total is None, total is None)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    with working(), module.counter("tilings", total) as show:
        show(Progress(3, total))
    assert len(shown) == 1, "the output is progress enough"
    assert len(timer) == 2


def test_progress_has_a_counter_for_each_kind_of_part(
    timer: list[Timer], monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[object] = []

    @contextlib.contextmanager
    def counter(what: str, total: int | None, *, silent: bool) -> Iterator[Any]:
        seen.append((what, total, silent))
        yield seen.append
        seen.append("end")

    monkeypatch.setattr(module, "counter", counter)
    with working():
        before = interrupted()
        steps = [Progress(1), Progress(2), Progress(3, 9, what="days"), Progress(4, 9, what="days")]
        with module.progress("parts") as show:
            for step in steps[:2]:
                show(step)
            assert interrupted() == before
            show(steps[2])
            assert interrupted() == f"3 of 9 days {module.LEFT}"
            show(steps[3])
            assert interrupted() == f"4 of 9 days {module.LEFT}"
        head, days = ("parts", None, True), ("days", 9, True)
        assert seen == [head, *steps[:2], "end", days, *steps[2:], "end"]
        with module.progress("parts", "are kept") as show:
            show(Progress(1000, 9000))
            assert interrupted() == "1,000 of 9,000 parts are kept"
    assert len(timer) == 1


@pytest.mark.parametrize("left", ["", "are kept"])
@pytest.mark.parametrize("line", [None, lambda latest: f"<{latest}>"])
def test_each_step_has_its_line(
    line: Callable[[Any], str] | None, left: str, said: list[str], timer: list[Timer]
) -> None:
    with working():
        before = interrupted()
        show = module.steps(line, left)
        show(Progress(1, None, latest="a"))
        assert interrupted() == before
        show(Progress(2, 10, latest="b"))
        assert interrupted() == f"2 of 10 {left or module.LEFT}"
    assert said == ([] if line is None else ["<a>", " 2/10 <b>"])
    assert len(timer) == 1


@pytest.mark.parametrize("silent", [True, False])
@pytest.mark.parametrize("out", [True, False])
@pytest.mark.parametrize("err", [True, False])
@pytest.mark.parametrize("total", [None, 5])
def test_progress_is_shown_at_a_terminal_that_is_not_written_to(
    silent: bool,
    out: bool,
    err: bool,
    total: int | None,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Then the line after two seconds is left out."""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: err)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: out)
    with click.Context(click.Command("some")) as context, module.work(context):
        now = module._now()
        assert not now.progress
        with module.counter("tilings", total, silent=silent) as show:
            show(Progress(3, total))
            assert now.progress is (err and (silent or not out))
    assert capsys.readouterr().out == ""
