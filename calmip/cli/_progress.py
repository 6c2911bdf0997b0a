"""Progress on stderr, for a person at a terminal only, and how far it came before Ctrl-C."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator

from calmip.cli._work import kept, no_line

__all__ = ["bar", "counter", "progress"]


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
def bar(
    what: str, total: int, left: str = "are done, and nothing is written"
) -> Iterator[Callable[[], None]]:
    """Show how many of a known number are done, and the time that is left.

    Yields a function to call after each.

    Parameters
    ----------
    what
        What is done, in the plural.
    total
        How many there are.
    left
        What is said after Ctrl-C behind how many are done: where they are.
    """
    done = 0

    def count() -> None:
        nonlocal done
        done += 1

    kept(lambda: f"{done:,} of {total:,} {what} {left}")
    if not sys.stderr.isatty():
        yield count
        return
    from rich.console import Console
    from rich.progress import Progress

    no_line()
    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(what, total=total)

        def step() -> None:
            count()
            progress.advance(task)

        yield step


@contextlib.contextmanager
def progress(what: str) -> Iterator[Callable[..., None]]:
    """Show how far a task is: yields what the task calls with the number done, and of how many.

    Parameters
    ----------
    what
        What is done, in the plural.
    """
    with contextlib.ExitStack() as stack:
        show: Callable[[int], None] | None = None
        step: Callable[[], None] | None = None

        def call(done: int, total: int | None = None) -> None:
            nonlocal show, step
            if total is None:
                show = show or stack.enter_context(counter(what, silent=True))
                show(done)
            elif step is None:
                step = stack.enter_context(bar(what, total))
                for _ in range(done):
                    step()
            else:
                step()

        yield call
