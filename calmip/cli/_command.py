"""What all commands have in common: their help, and who reads it."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

from calmip.cli._streams import drop, note
from calmip.cli._work import work

if TYPE_CHECKING:
    from calmip.problem.status import Status

__all__ = ["About", "Explained", "PrintsHelp", "Source", "later", "named"]


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
    settings
        Whose parameters the ``settings`` of the task are, likewise.
    run
        What takes the place of the task, as ``module.function`` of `calmip.cli`.
    commands
        The commands below this one, such as ``calmip bench run``. Without a task it has
        nothing else. One of the name ``folder`` is meant where a folder is named.
    hidden
        The parameters of the task that are no options.
    output
        The parameter of the task that says where it writes, which ``-o`` gives.
    files
        What such a file is, and its suffixes.
    aside
        Whether a text goes to stderr, as the result is the file.
    free
        Whether groups without a label are left free.
    of_models
        The options that go with a model instead of an instance.
    unnamed
        What is said on stderr where an instance may be named and is not.
    remembers
        Whether the puzzle that was named last is taken where none is named.
    rival
        Whether the exact-cover search may be quicker than the solver, which is then said.
    counts
        What the command counts while it is running, in the plural.
    unfinished
        What is said after Ctrl-C, where it is more than that there is no answer.
    left
        What is said then behind how many are done of a known number; options may be named in it.
    part
        Whether what is done stands in FILE.part until FILE is written, for ``--resume``.
    words
        For an option the words that it takes, and what they mean: as ``module.constant``.
    defaults
        The defaults of options, where they are not the task's.
    needs, excludes
        For an option the one without which it changes nothing, and those that contradict it.
    old
        Options of earlier versions, and what is read instead of them.
    moved
        Options of earlier versions that are commands now: ``--flag``, ``--option word`` or,
        where a value follows, ``--option VALUE``; and how to type that command.
    """

    text: str
    examples: tuple[str, ...] = ()
    exits: str = ""
    codes: Mapping[Status, int] = field(default_factory=dict)
    task: str = ""
    settings: str = ""
    run: str = ""
    commands: Mapping[str, About] = field(default_factory=dict)
    hidden: tuple[str, ...] = ()
    output: str = "output"
    files: tuple[str, ...] = ()
    aside: bool = False
    free: bool = False
    of_models: tuple[str, ...] = ()
    unnamed: str = ""
    remembers: bool = False
    rival: bool = False
    counts: str = ""
    unfinished: str = ""
    left: str = ""
    part: bool = False
    words: Mapping[str, str] = field(default_factory=dict)
    defaults: Mapping[str, Any] = field(default_factory=dict)
    needs: Mapping[str, str] = field(default_factory=dict)
    excludes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    old: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    moved: Mapping[str, str] = field(default_factory=dict)


LATER = "calmip.later"


def later(ctx: click.Context, line: str) -> None:
    """Say a line on stderr once the command has ended; an error stands alone."""
    ctx.meta.setdefault(LATER, []).append(line)


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
    commands: Mapping[str, About] = {}

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options, and below them what their words mean."""
        super().format_options(ctx, formatter)
        for parameter in self.params:
            if isinstance(parameter.type, Explained) and any(parameter.type.about.values()):
                with formatter.section(parameter.opts[0]):
                    formatter.write_dl(list(parameter.type.about.items()))

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands below this one, and the examples."""
        if self.commands:
            with formatter.section("Commands"):
                formatter.write_dl(
                    [(f"{self.name} {name}", about.text) for name, about in self.commands.items()]
                )
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
        old = dict.fromkeys(name for word in args if (name := word.partition("=")[0]) in self.old)
        args = [new for word in args for new in self._now(word)]
        if not ctx.resilient_parsing:
            _, _, order = self.make_parser(ctx).parse_args(list(args))
            for option in (one for one in order if isinstance(one, click.Option)):
                plain = option.multiple or (option.is_flag and not option.secondary_opts)
                if not plain and order.count(option) > 1:
                    names = "/".join([*option.opts[:1], *option.secondary_opts[:1]])
                    raise click.UsageError(f"{names} is given twice; give it once", ctx)
        left = super().parse_args(ctx, args)
        for word in old if not ctx.resilient_parsing else ():
            now = " ".join(self.old[word])
            later(ctx, f"note: {word} is now: {now}" if now else f"note: {word} is not needed")
        return left

    def _now(self, word: str) -> tuple[str, ...]:
        """Return what is read for a word; an option of earlier versions may have its value on."""
        name, same, value = word.partition("=")
        return (*self.old[name], *([value] * bool(same))) if name in self.old else (word,)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; return its exit code."""
        with work(ctx):
            code = super().invoke(ctx)
        for line in ctx.meta.get(LATER, ()):
            note(line)
        return code
