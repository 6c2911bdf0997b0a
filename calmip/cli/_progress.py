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
    """Show how many of a known number are done; the rest as for `progress`."""
    with progress(what, left) as show:
        show(Progress(0, total))
        yield show


@contextlib.contextmanager
def progress(what: str, left: str = LEFT) -> Iterator[Callable[[Progress], None]]:
    """Show how far a task is, and the time that is left if it says of how many.

    Yields what the task tells its progress.

    Parameters
    ----------
    what
        What is done, in the plural, unless the task says it.
    left
        What is said after Ctrl-C behind how many of a known number are done: where they are.
    """
    with contextlib.ExitStack() as stack:
        shown: dict[str, Callable[[Progress], None]] = {}
        at = Progress(0)

        def show(now: Progress) -> None:
            nonlocal at
            at, name = now, now.what or what
            if name not in shown:
                stack.close()
                if now.total is None:
                    shown[name] = stack.enter_context(counter(name, silent=True))
                else:
                    kept(lambda: f"{at.done:,} of {at.total:,} {name} {left}")
                    shown[name] = stack.enter_context(_bar(name, now.total))
            shown[name](now)

        yield show


@contextlib.contextmanager
def _bar(what: str, total: int) -> Iterator[Callable[[Progress], None]]:
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import Progress as Bar

    no_line()
    with Bar(console=Console(stderr=True), transient=True) as columns:
        task = columns.add_task(what, total=total)
        yield lambda now: columns.update(task, completed=now.done)
