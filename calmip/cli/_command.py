"""What all commands have in common: their help, and who reads it."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import click

from calmip.cli._streams import drop
from calmip.cli._work import work

__all__ = ["PrintsHelp", "command"]


class PrintsHelp(click.Command):
    """A command whose help may be read by somebody who leaves before the end."""

    def make_context(self, *args: Any, **extra: Any) -> click.Context:
        """Read the arguments; help and version are printed here and nothing else."""
        try:
            return super().make_context(*args, **extra)
        except BrokenPipeError:
            drop(sys.stdout)
            raise click.exceptions.Exit from None


class Command(PrintsHelp):
    """A command that says when it takes long, and what Ctrl-C leaves behind."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; return its exit code."""
        with work(ctx):
            return super().invoke(ctx)


def command(name: str) -> Callable[[Callable[..., int]], click.Command]:
    """Return a decorator that makes a command of a function that gives back the exit code."""
    return click.command(name, cls=Command)
