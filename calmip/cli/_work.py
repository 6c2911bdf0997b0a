"""Exit codes; long work at a terminal: a line after two seconds, progress, Ctrl-C."""

from __future__ import annotations

import contextlib
import sys
import threading
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import click

from calmip.cli._streams import note, note_interrupt
from calmip.mip.status import Status

if TYPE_CHECKING:
    from calmip._base.limits import Progress
    from calmip.puzzle.instance import Instance
    from calmip.puzzle.tiling import Tiling

FOUND, NONE, USAGE, LIMIT, FAILED = range(5)

EXIT_CODES = {
    Status.OPTIMAL: FOUND,
    Status.FEASIBLE: FOUND,
    Status.ACCEPTED: FOUND,
    Status.DONE: FOUND,
    Status.INFEASIBLE: NONE,
    Status.UNBOUNDED: NONE,
    Status.REFUSED: NONE,
    Status.UNKNOWN: LIMIT,
    Status.FAILED: FAILED,
}

INTERRUPTED = 130
"""The exit code after Ctrl-C."""

PROGRESS_SECONDS = 2.0
"""Seconds of silence at a terminal."""

SEARCH_SECONDS = 0.5
"""Seconds that the exact-cover search gets beside a slow solver."""

KEY = "calmip.work"

LEFT = "are done, and nothing is written"


class _Work:
    """The line after Ctrl-C; the line after two seconds, and whether progress is shown instead."""

    def __init__(self, kept: Callable[[], str]) -> None:
        self.kept = kept
        self.line: Callable[[], str] | None = None
        self.progress = False


@contextlib.contextmanager
def work(context: click.Context) -> Iterator[None]:
    """Print a line if a command takes long and stderr is a terminal, and another after Ctrl-C."""
    now = _Work(lambda: "there is no answer yet, and nothing is written")
    context.meta[KEY] = now

    def show() -> None:
        with contextlib.suppress(Exception, KeyboardInterrupt):
            if now.line is not None:
                note(now.line())
            elif not now.progress:
                note(f"calmip {context.info_name} is still running; press Ctrl-C to stop")

    timer = threading.Timer(PROGRESS_SECONDS, show)
    timer.daemon = True
    if sys.stderr.isatty():
        timer.start()
    try:
        yield
    except KeyboardInterrupt:
        timer.cancel()
        note_interrupt(f"interrupted: {now.kept()}")
        raise click.exceptions.Exit(INTERRUPTED) from None
    finally:
        timer.cancel()


def on_interrupt(text: Callable[[], str]) -> None:
    """Set what is printed after Ctrl-C: what the command leaves behind."""
    _now().kept = text


def compare_with_search(
    instance: Instance, what: str, remedy: str, draw: Callable[[Tiling], str] | None = None
) -> None:
    """If the command takes long, find out whether the exact-cover search is faster.

    Its answer is shown after Ctrl-C, instead of the solver's.

    Parameters
    ----------
    instance
        The instance.
    what
        The solver or the method that is running.
    remedy
        The command that runs the exact-cover search.
    draw
        Draws a tiling; without it the command shows the tilings itself.
    """
    now = _now()

    def line() -> str:
        from calmip.puzzle.tasks.enumeration import Enumeration

        search = Enumeration(instance, limit=1, time_limit=SEARCH_SECONDS)
        found = list(search)
        if not found and not search.complete:
            return f"{what} is still running; press Ctrl-C to stop"
        shows = ""
        if draw is not None:
            text = f"this tiling:\n{draw(found[0])}" if found else "that there is none"
            now.kept = lambda: f"{what} has no answer yet; the exact-cover search found {text}"
            shows = f"press Ctrl-C to {'see it' if found else 'stop'}, or run "
        answer = "a tiling" if found else "that there is none"
        return (
            f"{what} is still running; the exact-cover search found {answer} "
            f"in {search.seconds:.2f} s: {shows}{remedy}"
        )

    now.line = line


@contextlib.contextmanager
def counter(
    what: str, total: int | None = None, *, silent: bool = False
) -> Iterator[Callable[[Progress], None]]:
    """Show a growing number at a terminal; yields a function that takes the progress.

    Parameters
    ----------
    what
        What is counted, in the plural.
    total
        Where it ends, if that is known: then a bar shows the time that is left.
    silent
        Whether nothing is printed meanwhile. Output to the same terminal is progress enough.
    """
    if not sys.stderr.isatty() or (sys.stdout.isatty() and not silent):
        yield lambda _: None
        return
    from rich import progress as rich
    from rich.console import Console

    _now().progress = True
    columns: tuple[rich.ProgressColumn, ...] = ()
    if total is None:
        columns = (
            rich.SpinnerColumn(),
            rich.TextColumn("{task.completed:,.0f} " + what),
            rich.TextColumn("{task.fields[rate]}"),
            rich.TextColumn("{task.fields[detail]}", markup=False),
            rich.TimeElapsedColumn(),
        )
    with rich.Progress(*columns, console=Console(stderr=True), transient=True) as shown:
        task = shown.add_task(what, total=total, rate="", detail="")

        def show(now: Progress) -> None:
            speed = shown.tasks[0].speed
            rate = f"{speed:,.1f}/s" if speed else ""
            shown.update(task, completed=now.done, rate=rate, detail=now.detail)

        yield show


@contextlib.contextmanager
def progress(what: str, left: str = "") -> Iterator[Callable[[Progress], None]]:
    """Show how far a task is; yields the function that the task calls with its progress.

    Parameters
    ----------
    what
        What is counted, in the plural, unless the task gives it.
    left
        The text that follows the number of finished parts after Ctrl-C.
    """
    with contextlib.ExitStack() as stack:
        counters: dict[str, Callable[[Progress], None]] = {}
        from calmip._base.limits import Progress  # which the help does not need

        at = Progress(0)

        def show(now: Progress) -> None:
            nonlocal at
            at, name = now, now.what or what
            if name not in counters:
                stack.close()
                if now.total is not None:
                    on_interrupt(lambda: f"{at.done:,} of {at.total:,} {name} {left or LEFT}")
                counters[name] = stack.enter_context(counter(name, now.total, silent=True))
            counters[name](now)

        yield show


def steps(line: Callable[[Any], str] | None, left: str = "") -> Callable[[Progress], None]:
    """Return a function that prints a line for each step; a task calls it with its progress.

    Parameters
    ----------
    line
        The line for the latest unit; None to print none.
    left
        The text that follows the number of finished units after Ctrl-C.
    """

    def show(now: Progress) -> None:
        number = ""
        if now.total is not None:
            number = f"{now.done:{len(str(now.total))}}/{now.total} "
            on_interrupt(lambda: f"{now.done:,} of {now.total:,} {left or LEFT}")
        if line is not None:
            note(f"{number}{line(now.latest)}")

    return show


def _now() -> _Work:
    now: _Work = click.get_current_context().meta[KEY]
    return now
