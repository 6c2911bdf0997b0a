"""Progress on stderr, for a person at a terminal only, and how far it came before Ctrl-C."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator

from calmip.cli._work import kept, no_line

__all__ = ["counter", "progress"]


@contextlib.contextmanager
def counter(what: str, *, silent: bool = False) -> Iterator[Callable[[int], None]]:
    """Show a growing number, its rate and the time; yields a function that sets the number.

    Parameters
    ----------
    what
        What is counted, in the plural.
    silent
        Whether nothing is printed meanwhile. If something is, and to the same
        terminal, that is progress enough.
    """
    if not sys.stderr.isatty() or (sys.stdout.isatty() and not silent):
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    no_line()
    progress = Progress(
        SpinnerColumn(),
        TextColumn("{task.completed:,.0f} " + what),
        TextColumn("{task.fields[rate]}"),
        TimeElapsedColumn(),
        console=Console(stderr=True),
        transient=True,
    )
    with progress:
        task = progress.add_task(what, total=None, rate="")

        def show(number: int) -> None:
            speed = progress.tasks[0].speed
            rate = f"{speed:,.1f}/s" if speed else ""
            progress.update(task, completed=number, rate=rate)

        yield show


@contextlib.contextmanager
def progress(
    what: str, left: str = "are done, and nothing is written"
) -> Iterator[Callable[..., None]]:
    """Show how far a task is: yields what the task calls with the number done, and of how many.

    A task that does one thing after another says what is done now as well.

    Parameters
    ----------
    what
        What is done, in the plural.
    left
        What is said after Ctrl-C behind how many of a known number are done: where they are.
    """
    with contextlib.ExitStack() as stack:
        show: dict[str, Callable[[int], None]] = {}
        at = 0

        def call(done: int, total: int | None = None, what: str = what) -> None:
            nonlocal at
            at = done
            if what not in show:
                stack.close()
                if total is None:
                    show[what] = stack.enter_context(counter(what, silent=True))
                else:
                    kept(lambda: f"{at:,} of {total:,} {what} {left}")
                    show[what] = stack.enter_context(_bar(what, total))
            show[what](done)

        yield call


@contextlib.contextmanager
def _bar(what: str, total: int) -> Iterator[Callable[[int], None]]:
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import Progress

    no_line()
    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(what, total=total)
        yield lambda done: progress.update(task, completed=done)
