"""What all commands have in common: their help, and how their arguments are read."""

from __future__ import annotations

import contextlib
import os
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from calmip.cli._stdin import SUFFIX
from calmip.cli._streams import drop
from calmip.cli._variables import PREFIX
from calmip.cli._work import work
from calmip.features import FEATURES, Feature, feature_named

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


OF_INSTANCES = ("reveal", "date", "flip", "placed")
"""The options that choose an instance of a puzzle."""

OF_MODELS = ("source", "integer_default")
"""The arguments that choose and read a model."""

OF_OUTPUT = ("form", "paper", "theme", "output", "quiet", "verbose")
"""The options of the output; the help lists them last."""

MAX_HELP_LINES = 60
"""The most lines of a command's help: two screens."""

MAX_ROWS = 12
"""The most words below each other, if each has a meaning."""

MAX_WIDTH = 80
"""The most characters of a line of the help, with two that stay empty."""

MAX_NAME_CHARACTERS = 20
"""The width of the names of options in the help; longer ones have a line of their own."""

PAGES = "https://calmip.github.io/calmip/reference/commands"
"""The pages of calmip's own commands."""


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
    """A choice of words with a sentence for each.

    Parameters
    ----------
    about
        The sentence for each word.
    listed
        Whether ``calmip solvers`` lists the words, so that the help need not.
    """

    def __init__(self, about: Mapping[str, str], *, listed: bool = False) -> None:
        self.about, self.listed = about, listed
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


def _help_width() -> int:
    """Return the width of the help as click has it, without its imports of what packs files."""
    columns = os.environ.get("COLUMNS", "")
    found = int(columns) if columns.isdecimal() else 0
    if not found and sys.__stdout__ is not None:
        with contextlib.suppress(OSError, ValueError):
            found = os.get_terminal_size(sys.__stdout__.fileno()).columns
    return max(min(found or MAX_WIDTH, MAX_WIDTH) - 2, 50)


class PrintsHelp(click.Command):
    """A command that ends quietly if the reader of its help has left."""

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        """Return the option --help, which no variable gives."""
        option = super().get_help_option(ctx)
        if option is not None:
            option.allow_from_autoenv = False
        return option

    def make_context(self, *args: Any, **extra: Any) -> click.Context:
        """Read the arguments; help and version are printed here."""
        extra.setdefault("terminal_width", _help_width())
        try:
            return super().make_context(*args, **extra)
        except BrokenPipeError:
            drop(sys.stdout)
            raise click.exceptions.Exit from None


HEADINGS = ("Options", "Options of puzzles", "Options of models", "Output")
"""The headings of options, in their order."""

PARTS = (
    "usage",
    "summary",
    "examples",
    "details",
    "options",
    "words",
    "commands",
    "further",
    "exits",
    "more",
)
"""The parts of a command's help, in their order."""


def _written(
    ctx: click.Context,
    write: Callable[[click.Context, click.HelpFormatter], None],
    *,
    space: bool = False,
) -> str:
    """Return what a function writes; with ``space`` indented, below an empty line."""
    formatter = ctx.make_formatter()
    if not space:
        write(ctx, formatter)
        return formatter.getvalue()
    with formatter.indentation():
        write(ctx, formatter)
    return f"\n{formatter.getvalue()}"


def _lead(text: str) -> str:
    """Return a part of the help below an empty line."""
    return f"\n{text}" if text else ""


def _side_by_side(rows: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return many short rows side by side, in two columns that are read downwards."""
    if len(rows) <= MAX_ROWS:
        return rows
    half = -(-len(rows) // 2)
    first = max(len(text) for _, text in rows[:half])
    names = max(len(name) for name, _ in rows)
    right = [*(f"{name:{names}}  {text}" for name, text in rows[half:]), ""]
    if names + first + max(map(len, right)) + 4 > MAX_WIDTH - 4:
        return rows
    return [
        (name, f"{text:{first}}  {other}".rstrip())
        for (name, text), other in zip(rows[:half], right, strict=False)
    ]


def _write_paragraphs(formatter: click.HelpFormatter, paragraphs: Iterable[str]) -> None:
    with formatter.indentation():
        for number, one in enumerate(paragraphs):
            if number:
                formatter.write_paragraph()
            formatter.write_text(one)


def _section(heading: str, lines: Iterable[str]) -> str:
    """Return lines below a heading, none of them wrapped."""
    text = "".join(f"  {line}\n" for line in lines)
    return f"\n{heading}:\n{text}" if text else ""


def _row(option: click.Parameter, names: str, text: str, *, short: bool) -> tuple[str, str]:
    """Return the names of an option and its help, without what the help need not say."""
    names = names.replace(" / ", "/")
    text, found, default = text.partition("  [")
    default = re.sub(r"; \S+<=x<=\S+\]", "]", f"{found}{default}")
    if isinstance(option.type, click.Choice) and len(names) > MAX_NAME_CHARACTERS:
        first, bracket, _ = names.partition("[")
        if bracket:  # a word for the choices, which the text lists
            word = option.opts[-1].strip("-").rpartition("-")[2].upper()
            names = f"{first}{word}"
            text = f"{re.split('[.;]', text)[0]}: {', '.join(option.type.choices)}."
    if short:
        text = f"{re.split(r'[.;] ', text)[0].rstrip('.')}."
    return names, f"{text}{default}"


class Command(PrintsHelp):
    """The command of a feature: with examples, and notes on long work."""

    feature: Feature
    read: Read | None = None
    """What has been typed, if the command above has read it."""

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the help: what must be there, and of the rest what fits on two screens."""
        needed, further = self._parts(ctx)
        words, long = further.pop("words", ""), needed["options"]
        # The words of an argument, such as the exercises, come before further sentences.
        for short, about in ((False, words), (True, words), (False, ""), (True, "")):
            text = _written(ctx, partial(self._write_options, short=True)) if short else ""
            needed |= {"options": _lead(text) or long, "words": about}
            lines = sum(part.count("\n") for part in needed.values())
            if lines <= MAX_HELP_LINES - 2:  # for the line that names the page
                break
        left_out = needed["words"] != words
        for name, text in further.items():
            size = text.count("\n")
            if lines + size > MAX_HELP_LINES - 2:
                left_out = True
                continue
            lines += size
            needed[name] = text
        if (left_out or self.feature.page) and (page := self._page()):
            needed["more"] = f"\nMore: {page}\n"
        for name in PARTS:
            formatter.write(needed.get(name, ""))

    def whole_help(self, ctx: click.Context) -> dict[str, str]:
        """Return all parts of the help by their names, in their order."""
        needed, further = self._parts(ctx)
        found = needed | further
        return {name: found[name] for name in PARTS if found.get(name)}

    def _page(self) -> str:
        first = (self.name or "").partition(" ")[0]
        own = self.feature.offer is None
        return self.feature.page or (f"{PAGES}/{first}.html" if own else "")

    def _parts(self, ctx: click.Context) -> tuple[dict[str, str], dict[str, str]]:
        """Return the parts of the help that must be there, and those that may be left out.

        The latter stand in the order of their weight.
        """
        first, *more = (self.help or "").split("\n\n")
        lines, exits = self.feature.lines, self.feature.exits
        details = more[:-1] if exits else more
        needed = {
            "usage": _written(ctx, self.format_usage),
            "summary": _written(ctx, lambda _, out: out.write_text(first), space=True),
            "examples": _section("Examples", lines[:2]),
            "options": _lead(_written(ctx, self._write_options)),
            "commands": _lead(_written(ctx, self._write_below)),
        }
        further = {
            "exits": _written(ctx, lambda _, out: out.write_text(exits), space=True),
            "words": _lead(_written(ctx, self._write_words)),
            "details": _lead(_written(ctx, lambda _, out: _write_paragraphs(out, details))),
            "further": _section("More examples", lines[2:]),
        }
        return needed, {name: text for name, text in further.items() if text.strip()}

    def heading_of(self, option: click.Parameter) -> str:
        """Return the heading above an option."""
        name, feature = option.name or "", self.feature
        if name in OF_OUTPUT or "--help" in option.opts:
            return "Output"
        if name in (*OF_MODELS, SUFFIX, *feature.only_models):
            return "Options of models"
        both = not feature.models or name in feature.models
        return "Options" if both and name not in OF_INSTANCES else "Options of puzzles"

    def _write_options(
        self, ctx: click.Context, formatter: click.HelpFormatter, *, short: bool = False
    ) -> None:
        """Write the options below their headings."""
        found: dict[str, list[tuple[str, str]]] = {}
        for option in self.get_params(ctx):
            record = option.get_help_record(ctx) if isinstance(option, click.Option) else None
            if record is not None:
                row = _row(option, *record, short=short)
                found.setdefault(self.heading_of(option), []).append(row)
        rows = [row for some in found.values() for row in some]
        width = min(MAX_NAME_CHARACTERS, max(len(names) for names, _ in rows))
        for heading in HEADINGS:
            if heading in found:
                with formatter.section(heading):
                    padded = [(f"{names:{width}}", text) for names, text in found[heading]]
                    formatter.write_dl(padded, col_max=MAX_NAME_CHARACTERS)

    def _write_words(self, _: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the meaning of the words of options that `calmip solvers` does not list."""
        for parameter in self.params:
            words = parameter.type
            if isinstance(words, Explained) and not words.listed and any(words.about.values()):
                option = isinstance(parameter, click.Option)
                name = parameter.opts[0] if option else parameter.human_readable_name
                with formatter.section(name):
                    formatter.write_dl(_side_by_side(list(words.about.items())))

    def _write_below(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands below this one."""
        root = ctx.find_root()
        group = root.command
        if self.feature.commands and isinstance(group, click.Group):
            with formatter.section("Commands"):
                names = [f"{self.name} {name}" for name in self.feature.below]
                below = [(name, group.get_command(root, name)) for name in names]
                formatter.write_dl(
                    [(name, first_sentence(one.help)) for name, one in below if one and one.help]
                )

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the arguments; for an unknown option, name the command that has it."""
        try:
            if self.feature.commands and self.read is None:
                return self._read_with_below(ctx, args)
            if not ctx.resilient_parsing:
                from calmip.cli._defaults import check_variables, defaults_of

                check_variables(self)
                ctx.default_map = defaults_of(self)
            return super().parse_args(ctx, args)
        except click.BadParameter as error:
            raise _with_variable(error, ctx) from None
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
        ctx.auto_envvar_prefix = f"{PREFIX}_{chosen.name}".upper().replace(" ", "_")
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


def _with_variable(error: click.BadParameter, ctx: click.Context) -> click.BadParameter:
    """Return an error of a value with the variable that has it."""
    option = error.param
    if isinstance(option, click.Option) and option.name:
        source = ctx.get_parameter_source(option.name)
        if source is ParameterSource.ENVIRONMENT:
            where = f"(from the variable {ctx.auto_envvar_prefix}_{option.name.upper()})"
            if where not in error.message:  # a command above passes it on
                return click.BadParameter(f"{error.message} {where}", ctx, option)
    return error


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
