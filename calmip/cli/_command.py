"""What all commands have in common: their help, and how their arguments are read."""

from __future__ import annotations

import itertools
import re
import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

from calmip.cli._streams import drop, note
from calmip.cli._work import work

if TYPE_CHECKING:
    from calmip.tasks._result import About

__all__ = [
    "Explained",
    "PrintsHelp",
    "Source",
    "command_in",
    "first_sentence",
    "later",
    "load",
    "moved_to",
]


def load(place: str) -> Any:
    """Return the object at a place such as ``tasks.solve.solve``."""
    module, _, name = place.rpartition(".")
    return getattr(import_module(f"calmip.{module}"), name)


LATER = "calmip.later"


def later(ctx: click.Context, line: str) -> None:
    """Print a line on stderr once the command has ended without an error."""
    ctx.meta.setdefault(LATER, []).append(line)


def first_sentence(text: str) -> str:
    """Return the first sentence of a text, on one line."""
    return re.split(r"(?<=\.)\s", " ".join(text.split()), maxsplit=1)[0]


def command_in(line: str) -> str:
    """Return the command of a line such as ``cut PUZZLE``: what precedes the words in capitals."""
    return " ".join(itertools.takewhile(str.islower, line.split()))


def moved_to(ctx: click.Context, has: Callable[[click.Parameter], bool]) -> str:
    """Return the command to which options of this one moved, if a parameter of it qualifies."""
    root, command = ctx.find_root(), ctx.command
    assert isinstance(command, Command)
    for name in map(command_in, command.about.moved.values()):
        other = root.command.get_command(root, name)  # type: ignore[attr-defined]
        if any(map(has, other.params)):
            return f"calmip {name}"
    return ""


class Explained(click.Choice):  # type: ignore[type-arg] # generic in newer versions only
    """A choice of words with a sentence for each, which the help shows.

    Parameters
    ----------
    about
        The sentence for each word.
    """

    def __init__(self, about: Mapping[str, str]) -> None:
        self.about = about
        super().__init__(())

    @property
    def choices(self) -> tuple[str, ...]:
        """The words; those of other packages are looked for when these are listed."""
        return tuple(self.about)

    @choices.setter
    def choices(self, _: object) -> None:
        """Ignore the words that click stores."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the word; only one that is not calmip's own needs a search of packages."""
        known = isinstance(value, str) and value in self.about
        return value if known else super().convert(value, param, ctx)


class Source(click.ParamType):  # type: ignore[type-arg] # generic in newer versions only
    """A puzzle or an instance: the name of a bundled one, or a file; completed by the shell."""

    name = "text"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Return the bundled names that begin so, and let the shell add its files."""
        from calmip.documents.reader import bundled_puzzles

        names = [name for name in bundled_puzzles() if name.startswith(incomplete)]
        return [*map(CompletionItem, names), CompletionItem(incomplete, type="file")]


class PrintsHelp(click.Command):
    """A command that ends quietly if the reader of its help has left."""

    def make_context(self, *args: Any, **extra: Any) -> click.Context:
        """Read the arguments; help and version are printed here."""
        try:
            return super().make_context(*args, **extra)
        except BrokenPipeError:
            drop(sys.stdout)
            raise click.exceptions.Exit from None


class Command(PrintsHelp):
    """A command with examples, options of earlier versions, and notes on long work."""

    about: About

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options, and below them the meaning of their words."""
        super().format_options(ctx, formatter)
        for parameter in self.params:
            if isinstance(parameter.type, Explained) and any(parameter.type.about.values()):
                with formatter.section(parameter.opts[0]):
                    formatter.write_dl(list(parameter.type.about.items()))

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands below this one, and the examples."""
        root = ctx.find_root()
        group = root.command
        if self.about.commands and isinstance(group, click.Group):
            with formatter.section("Commands"):
                names = [f"{self.name} {name}" for name in self.about.commands]
                below = [(name, group.get_command(root, name)) for name in names]
                formatter.write_dl(
                    [(name, first_sentence(one.help)) for name, one in below if one and one.help]
                )
        if self.about.examples:
            with formatter.section("Examples"):
                for example in self.about.examples:
                    formatter.write(f"{' ' * formatter.current_indent}{example}\n")
        super().format_epilog(ctx, formatter)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the arguments; an option that takes one value is given once.

        Raises
        ------
        UsageError
            If such an option is repeated, of which only the last would count.
        """
        old = dict.fromkeys(
            name for word in args if (name := word.partition("=")[0]) in self.about.old
        )
        args = [new for word in args for new in self._now(word)]
        if not ctx.resilient_parsing:
            try:
                _, _, order = self.make_parser(ctx).parse_args(list(args))
            except click.NoSuchOption as error:
                unknown = error.option_name
                other = moved_to(ctx, lambda one: unknown in one.opts)
                if not other:
                    raise
                raise click.UsageError(f"{unknown} is an option of {other}", ctx) from None
            for option in (one for one in order if isinstance(one, click.Option)):
                plain = option.multiple or (option.is_flag and not option.secondary_opts)
                if not plain and order.count(option) > 1:
                    names = "/".join([*option.opts[:1], *option.secondary_opts[:1]])
                    raise click.UsageError(f"{names} is given twice; give it once", ctx)
        left = super().parse_args(ctx, args)
        for word in old if not ctx.resilient_parsing else ():
            now = " ".join(self.about.old[word])
            later(ctx, f"note: {word} is now: {now}" if now else f"note: {word} is not needed")
        return left

    def _now(self, word: str) -> tuple[str, ...]:
        """Return the words that replace a word of an earlier version, or the word itself."""
        name, same, value = word.partition("=")
        return (
            (*self.about.old[name], *([value] * bool(same))) if name in self.about.old else (word,)
        )

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; return its exit code."""
        with work(ctx):
            code = super().invoke(ctx)
        for line in ctx.meta.get(LATER, ()):
            note(line)
        return code
