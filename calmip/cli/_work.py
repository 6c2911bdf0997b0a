"""What a person at a terminal is told of long work, and what Ctrl-C leaves behind.

Every command says after two seconds that it is at work, and when it is
interrupted what it has kept. A command that knows more than that says so here.
"""

from __future__ import annotations

import contextlib
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from calmip.cli._streams import note

if TYPE_CHECKING:
    from calmip.problem.instance import Instance

__all__ = ["compare_with_search", "kept", "long_line", "no_line", "work"]

INTERRUPTED = 130
"""The exit code after Ctrl-C."""

PATIENCE = 2.0
"""Seconds of silence at a terminal."""

GLANCE = 0.5
"""Seconds in which the exact-cover search would be at once."""

KEY = "calmip.work"


@dataclass
class _Work:
    line: Callable[[], str]
    kept: Callable[[], str]
    special: bool = False
    shown: bool = False


@contextlib.contextmanager
def work(context: click.Context) -> Iterator[None]:
    """Say a line if a command takes long and stderr is a terminal, and another after Ctrl-C."""
    name = context.info_name
    now = _Work(
        line=lambda: f"calmip {name} is at work; Ctrl-C ends it",
        kept=lambda: "there is no answer yet, and nothing is written",
    )
    context.meta[KEY] = now

    def say() -> None:
        with contextlib.suppress(Exception, KeyboardInterrupt):
            if now.special or not now.shown:
                note(now.line())

    timer = threading.Timer(PATIENCE, say)
    timer.daemon = True
    if sys.stderr.isatty():
        timer.start()
    try:
        yield
    except KeyboardInterrupt:
        timer.cancel()
        note(f"interrupted: {now.kept()}")
        raise click.exceptions.Exit(INTERRUPTED) from None
    finally:
        timer.cancel()


def kept(text: str | Callable[[], str]) -> None:
    """Set what is said after Ctrl-C of what the command leaves behind."""
    _now().kept = text if callable(text) else lambda: text


def long_line(text: str | Callable[[], str]) -> None:
    """Set what is said when the command takes long, whatever else is shown."""
    now = _now()
    now.line, now.special = text if callable(text) else lambda: text, True


def no_line() -> None:
    """Do not say that the command is at work, as something else shows how far it is."""
    _now().shown = True


def compare_with_search(instance: Instance, what: str, remedy: str) -> None:
    """If the command takes long, find out whether the exact-cover search would be at once.

    Parameters
    ----------
    instance
        What is being solved.
    what
        What is at work.
    remedy
        The command that runs the exact-cover search.
    """

    def line() -> str:
        from calmip._limits import Deadline
        from calmip.problem.cover import ExactCover
        from calmip.search.exact_cover.search import Search

        clock = Deadline()
        search = Search(ExactCover(instance), limit=1, time_limit=GLANCE)
        found = any(True for _ in search)
        if not found and not search.complete:
            return f"{what} is at work; Ctrl-C ends it"
        answer = "a tiling" if found else "that there is none"
        return (
            f"{what} is at work; the exact-cover search found {answer} in {clock.elapsed:.2f} s: "
            f"{remedy}"
        )

    long_line(line)


def _now() -> _Work:
    now: _Work = click.get_current_context().meta[KEY]
    return now
