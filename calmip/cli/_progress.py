"""Progress on stderr, for a person at a terminal only, and how far it came before Ctrl-C."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator

from calmip._limits import Progress
from calmip.cli._work import kept, no_line

__all__ = ["bar", "counter", "progress"]

LEFT = "are done, and nothing is written"


@contextlib.contextmanager
def counter(what: str, *, silent: bool = False) -> Iterator[Callable[[Progress], None]]:
    """Show a growing number, its rate and the time; yields what is told the progress.

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
    from rich import progress as rich
    from rich.console import Console

    no_line()
    columns = rich.Progress(
        rich.SpinnerColumn(),
        rich.TextColumn("{task.completed:,.0f} " + what),
        rich.TextColumn("{task.fields[rate]}"),
        rich.TimeElapsedColumn(),
        console=Console(stderr=True),
        transient=True,
    )
    with columns:
        task = columns.add_task(what, total=None, rate="")

        def show(now: Progress) -> None:
            speed = columns.tasks[0].speed
            rate = f"{speed:,.1f}/s" if speed else ""
            columns.update(task, completed=now.done, rate=rate)

        yield show


@contextlib.contextmanager
def bar(what: str, total: int, left: str = LEFT) -> Iterator[Callable[[Progress], None]]:
    """Show how many of a known number are done, and the time that is left.

    Yields what is told the progress.

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

    def count(now: Progress) -> None:
        nonlocal done
        done = now.done

    kept(lambda: f"{done:,} of {total:,} {what} {left}")
    if not sys.stderr.isatty():
        yield count
        return
    from rich import progress as rich
    from rich.console import Console

    no_line()
    with rich.Progress(console=Console(stderr=True), transient=True) as columns:
        task = columns.add_task(what, total=total)

        def step(now: Progress) -> None:
            count(now)
            columns.update(task, completed=done)

        yield step


@contextlib.contextmanager
def progress(what: str, left: str = LEFT) -> Iterator[Callable[[Progress], None]]:
    """Show how far a task is, with the time that is left if it knows of how many.

    Parameters
    ----------
    what, left
        As for `bar`.
    """
    with contextlib.ExitStack() as stack:
        show: Callable[[Progress], None] | None = None

        def call(now: Progress) -> None:
            nonlocal show
            if show is None:
                shown = (
                    counter(what, silent=True) if now.total is None else bar(what, now.total, left)
                )
                show = stack.enter_context(shown)
            show(now)

        yield call
