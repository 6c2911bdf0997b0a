"""Commands made of their tasks: options from the signature, their help from the docstring.

A command whose task takes an instance or a puzzle and returns a result needs no module of its
own: one `About` in `calmip.cli.GROUPS` declares it. The task's parameters are its options, the
first sentence of what the docstring says of each is its help, and the forms of its result are
those of the report.
"""

from __future__ import annotations

import contextlib
import inspect
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from calmip import models
from calmip._limits import Limits
from calmip.cli._command import About, Command, Explained, Source, named
from calmip.cli._options import (
    instance_from,
    instance_options,
    note,
    note_faults,
    placed_option,
    quiet_option,
    refuse_unused,
    refuse_workers,
    seconds,
    terminal_style,
    year_of,
)
from calmip.cli._pictures import (
    BINARY,
    PICTURES,
    chosen_form,
    deliver_data,
    format_option,
    theme_option,
)
from calmip.cli._progress import progress
from calmip.cli._work import kept
from calmip.documents.reader import read_instance, read_puzzle
from calmip.errors import InputError, shown
from calmip.problem.instance import Instance
from calmip.problem.puzzle import Puzzle
from calmip.problem.status import Status
from calmip.render.reports import data, forms, report_of
from calmip.solvers import ABOUT as SOLVERS_ABOUT

__all__ = ["declared"]

OF_ALL = ("form", "theme", "output", "quiet")
"""The options of every command, which its help lists last."""

OF_LIMITS = "As for calmip.solvers.Limits"
"""How a task's docstring says that some parameters are those of all tasks."""

KINDS: dict[str, Mapping[str, str]] = {"solver": SOLVERS_ABOUT, "formulation": models.ABOUT}
"""What the words of an option mean, by its name."""

METAVARS = {"time_limit": "SECONDS", "memory_limit": "MB", "dask": "ADDRESS", "year": "YEAR"}
"""What stands for an option's value where its type says too little."""


OWN: dict[str, Any] = {"time_limit": seconds, "workers": click.IntRange(1, 64), "year": year_of}
"""Types that options have by their name."""


class Names(Explained):
    """Several words with commas between them; the option may be repeated instead."""

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, ...]:
        """Return the words, which are known if the option explains any."""
        words = [word.strip() for word in value.split(",")]
        return tuple(super(Names, self).convert(word, param, ctx) if self.about else word
                     for word in words)  # fmt: skip

    def get_metavar(self, *_: Any, **__: Any) -> str:
        """Return what stands for the words in the help."""
        return "NAMES"


class Named(click.ParamType):  # type: ignore[type-arg] # generic in newer versions only
    """A number for a placement: ``PLACEMENT=NUMBER``."""

    name = "PLACEMENT=NUMBER"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, float]:
        """Return the name and the number."""
        name, _, number = value.rpartition("=")
        try:
            found = name, float(number)
        except ValueError:
            found = "", 0.0
        if not found[0]:
            self.fail(f"PLACEMENT=NUMBER is needed, not '{shown(value)}'", param, ctx)
        return found


def declared(name: str, about: About, codes: Mapping[Status, int]) -> click.Command:
    """Return the command that runs the task of a name, prints its result and gives an exit code."""
    task: Callable[..., Any] = named(f"tasks.{about.task or f'{name}.{name}'}")
    writers = forms(name)
    text, helps = _documented(task)
    signature = inspect.signature(task).parameters

    def run(form: str | None, output: Path | None, quiet: bool, theme: str = "auto",
            **given: Any) -> int:  # fmt: skip
        form = chosen_form(form, output, writers)
        if form in BINARY:
            from calmip.render.printing import plotting

            plotting()
        _check(about)
        for parameter in signature.values():
            _gather(parameter, given)
        if "instance" in signature:
            given["instance"] = _instance(given, about)
        elif "puzzle" in signature:
            given["puzzle"] = _puzzle(given)
        if about.unfinished:
            done = given.get("journal")
            parts = f" but the parts that are done, to {shown(done, 300)}" if done else ""
            kept(about.unfinished + parts)
        with (
            progress(about.counts) if "progress" in signature else contextlib.nullcontext() as show
        ):
            result = task(**given, **({"progress": show} if show else {}))
        _deliver(name, result, form, theme, output, quiet=quiet)
        return codes[result.status]

    for parameter in reversed(list(signature.values())):
        if parameter.name == "instance":
            run = instance_options(placed_option(run))
        elif parameter.name == "puzzle":
            run = click.option(
                "--flip/--no-flip", default=None, help="Whether pieces may be turned over."
            )(run)
            run = click.argument("source", type=Source(), metavar="PUZZLE")(run)
        elif parameter.name != "progress":
            run = _option(parameter, helps[parameter.name])(run)
    run = format_option(*writers)(run)
    if any(form in PICTURES for form in writers):
        run = theme_option(run)
    run = click.option(
        "-o", "--output", type=click.Path(path_type=Path), help="Write the result to a file."
    )(quiet_option(run))
    paragraphs = [*text, about.exits] if about.exits else text
    made = click.command(name, cls=Command, help="\n\n".join(paragraphs))(run)
    made.params.sort(key=lambda one: isinstance(one, click.Option) and one.name in OF_ALL)
    made.examples, made.old = about.examples, about.old
    return made


def _deliver(
    name: str, result: Any, form: str, theme: str, output: Path | None, *, quiet: bool
) -> None:
    """Print or write a result in one of its forms."""
    if not result.known:
        note(str(result))
    elif output is not None or not quiet:
        deliver_data(data(result, form, theme, terminal_style(output)), form, output)
    if form in PICTURES and result.known:
        for line in getattr(report_of(name), "said", lambda _: ())(result):
            note(line)


def _check(about: About) -> None:
    """Refuse options that contradict each other, or that change nothing without another."""
    context = click.get_current_context()
    refuse_workers(context.params.get("dask"))
    given = {
        name
        for name in context.params
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE
    }
    for name, needed in about.needs.items():
        if needed not in given:
            refuse_unused(_flag(needed), name)
    for name, others in about.excludes.items():
        for other in others:
            if {name, other} <= given:
                raise InputError(
                    f"{_flag(name)} and {_flag(other)} exclude each other; leave out one of them"
                )


def _gather(parameter: inspect.Parameter, given: dict[str, Any]) -> None:
    """Make one value of an option that was repeated."""
    kind, name = _kind(parameter), parameter.name
    if kind == "Sequence[str]":
        given[name] = [word for words in given[name] for word in words] or parameter.default
    elif kind == "Mapping[str, float]":
        numbers = dict(given[name])
        if len(numbers) < len(given[name]):
            raise InputError(f"{_flag(name)} names a placement twice")
        given[name] = numbers


def _instance(given: dict[str, Any], about: About) -> Instance:
    source = given.pop("source")
    chosen = {one: given.pop(one) for one in ("reveal", "date", "flip", "placed")}
    if not about.free:
        return instance_from(source, **chosen)
    instance = read_instance(source, **chosen, free=True)
    note_faults(instance.puzzle)
    return instance


def _puzzle(given: dict[str, Any]) -> Puzzle:
    puzzle, flip = read_puzzle(given.pop("source")), given.pop("flip")
    puzzle = puzzle if flip is None else puzzle.with_flip(flip)
    note_faults(puzzle)
    return puzzle


def _flag(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _kind(parameter: inspect.Parameter) -> str:
    return str(parameter.annotation).removesuffix(" | None").removesuffix(" | str")


def _option(parameter: inspect.Parameter, text: str) -> Callable[[Any], Any]:
    """Return the option for a parameter of a task."""
    kind, name = _kind(parameter), parameter.name
    if kind == "bool":
        flag = _flag(name)
        both = flag if parameter.default is False else f"{flag}/--no-{name.replace('_', '-')}"
        return click.option(both, name, default=parameter.default, is_flag=True, help=text)
    if kind == "Sequence[str]":
        usual = ",".join(parameter.default)
        if usual:
            text = f"{text}  [default: {usual}]"
        return click.option(_flag(name), type=Names(KINDS.get(name, {})), multiple=True, help=text)
    if kind == "Mapping[str, float]":
        return click.option(_flag(name), type=Named(), multiple=True, help=text)
    types: dict[str, Any] = {
        "int": click.INT,
        "float": click.FLOAT,
        "str": Explained(KINDS[name]) if name in KINDS else click.STRING,
        "Path": click.Path(path_type=Path),
    }
    return click.option(
        _flag(name),
        type=OWN.get(name, types[kind]),
        metavar=METAVARS.get(name),
        default=parameter.default,
        show_default=parameter.default is not None,
        help=text,
    )


def _documented(task: Callable[..., Any]) -> tuple[list[str], dict[str, str]]:
    """Return the paragraphs of a docstring before its sections, and a sentence per parameter.

    What a task shares with all others is described once, with the limits.
    """
    text = (inspect.getdoc(task) or "").replace("``", "").replace("`", "")
    # A section is a line with a line of dashes under it.
    parts = re.split(r"^(\w+)\n-+\n", text, flags=re.MULTILINE)
    sections = dict(zip(parts[1::2], parts[2::2], strict=True))
    found = re.findall(
        r"^(\S.*)\n((?:    .*\n?|\n)+)", sections.get("Parameters", ""), re.MULTILINE
    )
    helps: dict[str, str] = {}
    for names, body in found:
        sentence = re.split(r"(?<=\.)\s", " ".join(body.split()), maxsplit=1)[0]
        of_all = _documented(Limits)[1] if sentence.startswith(OF_LIMITS) else {}
        helps |= {name: of_all.get(name, sentence) for name in names.split(", ")}
    return [" ".join(part.split()) for part in parts[0].split("\n\n") if part.strip()], helps
