"""What all commands have in common: their help, and who reads it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

from calmip.cli._streams import drop
from calmip.cli._work import work

if TYPE_CHECKING:
    from calmip.problem.status import Status

__all__ = ["About", "Explained", "PrintsHelp", "Source", "command", "named"]


def named(place: str) -> Any:
    """Return what a place such as ``tasks.solve.solve`` names: a command has its task's name."""
    module, _, name = place.rpartition(".")
    return getattr(import_module(f"calmip.{module}"), name)


@dataclass(frozen=True)
class About:
    """What the command line knows of a command beyond its task's signature and docstring.

    Parameters
    ----------
    text
        The line of ``calmip --help``.
    examples
        Lines for the command's help, as they are typed.
    exits
        What the help says of the exit codes, where they are not those of ``calmip --help``.
    codes
        These exit codes, by how the result stands.
    task
        The function that does it, as ``module.function`` of `calmip.tasks`, where its name is
        not the command's.
    free
        Whether groups without a label are left free.
    counts
        What the command counts while it is running, in the plural.
    unfinished
        What is said after Ctrl-C, where it is more than that there is no answer.
    needs, excludes
        For an option the one without which it changes nothing, and those that contradict it.
    old
        Options of earlier versions, and what is read instead of them.
    """

    text: str
    examples: tuple[str, ...] = ()
    exits: str = ""
    codes: Mapping[Status, int] = field(default_factory=dict)
    task: str = ""
    free: bool = False
    counts: str = ""
    unfinished: str = ""
    needs: Mapping[str, str] = field(default_factory=dict)
    excludes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    old: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


class Explained(click.Choice):  # type: ignore[type-arg] # generic in newer versions only
    """A choice of words with a sentence for each, which the help shows.

    Parameters
    ----------
    about
        The sentence for each word.
    """

    def __init__(self, about: Mapping[str, str]) -> None:
        super().__init__(list(about))
        self.about = dict(about)


class Source(click.ParamType):  # type: ignore[type-arg] # generic in newer versions only
    """A puzzle or an instance: the name of a bundled one, or a file; completed by the shell."""

    name = "text"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Return the bundled names that begin so, and let the shell add its files."""
        from calmip.documents.collection import bundled_puzzles

        names = [name for name in bundled_puzzles() if name.startswith(incomplete)]
        return [*map(CompletionItem, names), CompletionItem(incomplete, type="file")]


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

    examples: tuple[str, ...] = ()
    old: Mapping[str, tuple[str, ...]] = {}

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options, and below them what their words mean."""
        super().format_options(ctx, formatter)
        for parameter in self.params:
            if isinstance(parameter.type, Explained) and parameter.type.about:
                with formatter.section(parameter.opts[0]):
                    formatter.write_dl(list(parameter.type.about.items()))

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the examples."""
        if self.examples:
            with formatter.section("Examples"):
                for example in self.examples:
                    formatter.write(f"{' ' * formatter.current_indent}{example}\n")
        super().format_epilog(ctx, formatter)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the arguments; an option that takes one value is given once.

        Raises
        ------
        UsageError
            If such an option is repeated, of which only the last would count.
        """
        args = [new for word in args for new in self.old.get(word, (word,))]
        if not ctx.resilient_parsing:
            _, _, order = self.make_parser(ctx).parse_args(list(args))
            for option in (one for one in order if isinstance(one, click.Option)):
                plain = option.multiple or (option.is_flag and not option.secondary_opts)
                if not plain and order.count(option) > 1:
                    names = "/".join([*option.opts[:1], *option.secondary_opts[:1]])
                    raise click.UsageError(f"{names} is given twice; give it once", ctx)
        return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; return its exit code."""
        with work(ctx):
            return super().invoke(ctx)


def command(name: str, *examples: str) -> Callable[[Callable[..., int]], click.Command]:
    """Return a decorator that makes a command of a function that gives back the exit code.

    Parameters
    ----------
    name
        The command's name.
    examples
        Lines for its help, as they are typed.
    """

    def decorate(function: Callable[..., int]) -> click.Command:
        made = click.command(name, cls=Command)(function)
        made.examples = examples
        return made

    return decorate
