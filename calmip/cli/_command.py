"""What all commands have in common: their help, and how their arguments are read."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

import click

from calmip.cli._streams import drop
from calmip.cli._work import work
from calmip.features import FEATURES, Feature, feature_named

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


def first_sentence(text: str) -> str:
    """Return the first sentence of a text, on one line."""
    return re.split(r"(?<=\.)\s", " ".join(text.split()), maxsplit=1)[0]


def owner_of(ctx: click.Context, has: Callable[[click.Parameter], bool]) -> str:
    """Return the command beside or below this one that has a parameter; an empty text if none."""
    root, own = ctx.find_root(), ctx.command.name or ""
    first = own.partition(" ")[0]
    feature = feature_named(first)
    beside = [name for name, one in FEATURES.own.items() if one.after == first]
    below = [f"{first} {name}" for name in feature.below] if feature else []
    for name in (first, *below, *beside):
        command = root.command.get_command(root, name)  # type: ignore[attr-defined]
        if name != own and any(map(has, command.params)):
            return f"calmip {name}"
    return ""


Read = tuple[dict[str, Any], list[str], list[click.Parameter]]
"""The values by the parameters' names, the words that are left, and the parameters in order."""


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
        from click.shell_completion import CompletionItem

        from calmip.puzzle.documents.reader import bundled_puzzles

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
    """The command of a feature: with examples, and notes on long work."""

    feature: Feature
    read: Read | None = None
    """What has been typed, if the command above has read it."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options, and below them the meaning of their words."""
        super().format_options(ctx, formatter)
        for parameter in self.params:
            if isinstance(parameter.type, Explained) and any(parameter.type.about.values()):
                with formatter.section(parameter.opts[0]):
                    formatter.write_dl(list(parameter.type.about.items()))

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands below this one, the examples, and the page."""
        root = ctx.find_root()
        group = root.command
        if self.feature.commands and isinstance(group, click.Group):
            with formatter.section("Commands"):
                names = [f"{self.name} {name}" for name in self.feature.below]
                below = [(name, group.get_command(root, name)) for name in names]
                formatter.write_dl(
                    [(name, first_sentence(one.help)) for name, one in below if one and one.help]
                )
        if self.feature.lines:
            with formatter.section("Examples"):
                for example in self.feature.lines:
                    formatter.write(f"{' ' * formatter.current_indent}{example}\n")
        if self.feature.page:
            with formatter.section("More"):
                formatter.write(f"{' ' * formatter.current_indent}{self.feature.page}\n")
        super().format_epilog(ctx, formatter)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the arguments; for an unknown option, name the command that has it."""
        try:
            if self.feature.commands and self.read is None:
                return self._read_with_below(ctx, args)
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            unknown = error.option_name
            other = owner_of(ctx, lambda one: unknown in one.opts)
            if not other:
                raise
            raise click.UsageError(f"{unknown} is an option of {other}", ctx) from None

    def make_parser(self, ctx: click.Context) -> Any:
        """Return a parser that refuses an option with one value if it is given twice.

        Only the last value would count. What the command above has read is not read again.
        """
        parser = super().make_parser(ctx)
        parse = parser.parse_args

        def parse_once(args: list[str]) -> Read:
            given, left, order = self.read or parse(args)
            if not ctx.resilient_parsing:
                _refuse_repeated(ctx, order)
            return given, left, order

        parser.parse_args = parse_once  # type: ignore[method-assign]
        return parser

    def _read_with_below(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the arguments of this command or of one below it, which the first word names.

        Options may precede that word.
        """
        root = ctx.find_root()
        group: Any = root.command
        family = [
            self,
            *(group.get_command(root, f"{self.name} {one}") for one in self.feature.below),
        ]
        options: dict[str, click.Parameter] = {}
        for command in family:
            for one in command.get_params(ctx):
                if isinstance(one, click.Option):
                    options.setdefault(one.opts[-1], one)
        try:
            given, left, order = _parser(ctx, options.values()).parse_args(list(args))
        except click.UsageError:
            named = next((one for one in args if one in self.feature.below), "")
            ctx.info_name = f"{self.name} {named}".rstrip()
            raise
        chosen, needed = self, ""
        if left and left[0] in self.feature.below:
            chosen = family[1 + list(self.feature.below).index(left.pop(0))]
        elif self.feature.choose:
            name, needed = self.feature.load(self.feature.choose)(left, set(given))
            if name in self.feature.below:  # its trade may be left out
                chosen = family[1 + list(self.feature.below).index(name)]
        ctx.command, ctx.info_name = chosen, chosen.name
        own = {one.name: one for one in chosen.get_params(ctx)}
        for foreign in (one for one in order if one.name not in own and not ctx.resilient_parsing):
            if needed:
                why = f"goes with {needed} only, and changes nothing here"
            else:
                owner = next(one for one in family if foreign in one.params)
                why = f"is an option of calmip {owner.name}"
            raise click.UsageError(f"{foreign.opts[0]} {why}", ctx)
        arguments = [one for one in chosen.params if isinstance(one, click.Argument)]
        words, left, _ = _parser(ctx, arguments).parse_args(["--", *left])
        chosen.read = given | words, left, [own.get(one.name, one) for one in order]
        return chosen.parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; return its exit code."""
        with work(ctx):
            return super().invoke(ctx)


def _parser(ctx: click.Context, parameters: Iterable[click.Parameter]) -> Any:
    """Return a parser of these parameters."""
    command = click.Command(ctx.info_name, params=list(parameters), add_help_option=False)
    return command.make_parser(ctx)


def _refuse_repeated(ctx: click.Context, order: list[click.Parameter]) -> None:
    for option in (one for one in order if isinstance(one, click.Option)):
        plain = option.multiple or (option.is_flag and not option.secondary_opts)
        if not plain and order.count(option) > 1:
            names = "/".join([*option.opts[:1], *option.secondary_opts[:1]])
            raise click.UsageError(f"{names} is given twice; give it once", ctx)
