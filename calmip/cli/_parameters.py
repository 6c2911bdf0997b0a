"""The arguments and options of a command, from the signature of its task.

The help of each is the first sentence of its text in the docstring.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import click

from calmip._base.errors import InputError
from calmip._base.limits import Limits, check_seconds
from calmip._base.registry import View
from calmip.cli._command import OF_INSTANCES, OF_MODELS, Explained, Source, first_sentence
from calmip.cli._options import COMMON, Named, Names, OutputPath, Read
from calmip.cli._signatures import Described, constant, described, of_object
from calmip.features import Feature, load
from calmip.models import FORMULATIONS
from calmip.puzzle.render.report import DEFAULT
from calmip.puzzle.tasks.interface import SEVERAL
from calmip.puzzle.tasks.results import Result
from calmip.solvers import SOLVERS

OF_LIMITS = "As for calmip.solvers.Limits"
"""How a task's docstring refers to the parameters of all tasks."""

PATHS = "Sequence[Path]"
"""The kind of a parameter that is several files."""

KINDS: dict[str, Mapping[str, str]] = {
    "solver": View(SOLVERS, lambda _, entry: entry[-1]),
    "formulation": View(FORMULATIONS, lambda _, entry: entry[-1]),
}
"""The meaning of an option's words, by its name."""

METAVARS = {
    "time_limit": "SECONDS", "memory_limit": "MB", "memory": "MB", "dask": "ADDRESS",
    "limit": "N", "date": "DATE", "suffix": "SUFFIX", "answer": "FILE",
    "instance": "INSTANCE", "source": "INSTANCE", "board": "PUZZLE", "frame": "BOARD",
    "name": "NAME", "files": "FILE...", "folder": "DIR", "path": "FILE", "output": "FILE",
    "model": "MODEL", "gap": "GAP", "within": "NUMBER", "deadline": "DATE", "term": "TERM",
    "student": "STUDENT", "hardness": "SECONDS:SOLVER", "piece_size": "CELLS", "against": "BUILD",
    "instances": "PATTERN", "tag": "TAG", "pool": "PIECES", "history": "FILE", "journal": "FILE",
    "roster": "FILE", "assigned": "FILE", "before": "FILE", "data": "FILE", "metadata": "FILE",
    "shard": "I/N", "machine": "NAME", "refresh": "SECONDS",
    "variants": "N", "file": "FILE", "feedback": "DIR", "wheels": "DIR", "into": "FILE",
    "codes": "FILE",
}  # fmt: skip
"""The placeholders of values in the help."""

OWN: dict[str, Any] = {
    "time_limit": Read("number", lambda: lambda text: check_seconds(click.FLOAT(text))),
    "workers": click.IntRange(1, 1024),
    "name": Source(),
    "date": click.STRING,
}
"""Types that options have by their name."""


class Made:
    """A feature, its function, and the report of the result."""

    def __init__(self, name: str, feature: Feature) -> None:
        self.name, self.feature = name, feature
        task = described(feature.task, feature.load)
        self.text, self.helps = documentation(task)
        self.parameters = {
            name: _spelled(one)
            for name, one in _parameters(task).items()
            if not feature.parameter(name).hidden
        }
        report = next(iter(feature.reports.values()), "")
        self.report = feature.load(report) if report else DEFAULT
        self.writers = self.report.forms
        self.writes = feature.output if feature.output in self.parameters else ""
        """The parameter that says where the task itself writes."""

    def call(self, work: Callable[..., Any], *arguments: Any, **named: Any) -> Any:
        """Call a function; errors of another package's code name it."""
        offer = self.feature.offer
        if offer is None:
            return work(*arguments, **named)
        return offer.call(work, *arguments, **named)

    def result(self, **given: Any) -> Any:
        """Return the result of the function."""
        task, offer = self.feature.load(self.feature.task), self.feature.offer
        result = self.call(task, **given)
        return result if offer is None else offer.expect(result, Result)


def metavar(feature: Feature, name: str, usual: Any) -> Any:
    """Return the placeholder of the value of a parameter."""
    return feature.parameter(name).value or METAVARS.get(name, usual)


def add_output(text: str, what: str) -> Callable[[Any], Any]:
    """Return the option -o with a help and a placeholder."""
    return click.option("-o", "--output", type=OutputPath(), metavar=what, help=text)


def flag_named(name: str) -> str:
    """Return the option for a parameter of a task, as a user types it."""
    return "-o FILE" if name == "output" else f"--{name.rstrip('_').replace('_', '-')}"


def _parameters(task: Described) -> dict[str, inspect.Parameter]:
    """Return the parameters of a task, those that ``settings`` stands for first."""
    own, others = dict(task.parameters), _settings(task)
    if others is None:
        return own
    del own["settings"]
    return {**others.parameters, **own}


def _settings(task: Described) -> Described | None:
    """Return what has the other keywords of a task: they are "as for" it, says the docstring."""
    settings = re.search(r"^settings\n((?:    .*\n)+)", task.text, re.MULTILINE)
    found = re.search(r"as\s+for\s+`(\w+)`\.", settings[1]) if settings else None
    return _beside(task, found[1]) if found else None


def _beside(task: Described, name: str) -> Described:
    """Return the function of this name in the module of a task."""
    return described(f"{task.module}.{name}", load)


def _spelled(parameter: inspect.Parameter) -> inspect.Parameter:
    """Return a parameter with its annotation as a text, without the modules of types."""
    found = parameter.annotation
    if isinstance(found, str):
        return parameter
    text = found.__name__ if isinstance(found, type) else str(found)
    return parameter.replace(annotation=re.sub(r"\b\w+\.", "", text))


def _kind(parameter: inspect.Parameter) -> str:
    kinds = str(parameter.annotation).split(" | ")
    return next((one for one in (PATHS, "Path") if one in kinds), kinds[0])


def add_parameter(
    parameter: inspect.Parameter, made: Made, run: Callable[..., int], *, of_sources: bool
) -> Any:
    """Return a command with the arguments and the options for a parameter of its task.

    A parameter ``of_sources`` is read from a file, which an argument names.
    """
    kind, name, feature = _kind(parameter), parameter.name, made.feature
    text = made.helps.get(name, "")
    needed = parameter.default is parameter.empty
    if place := feature.parameter(name).parts:
        for one, told in reversed(parts_of(described(place, feature.load), made)):
            run = _option(one, told, feature, (flag_named(one.name), one.name))(run)
        return run
    if of_sources:
        if name in ("instance", "source"):
            for option in (*OF_MODELS[1:] * bool(feature.models), *reversed(OF_INSTANCES)):
                run = COMMON[option](run)
        elif name != "board" and kind == "Puzzle":
            run = COMMON["flip"](run)
        if feature.remembered:
            needed, parameter = False, parameter.replace(default=None)
        return _argument("source", Source(), metavar(feature, name, "PUZZLE"), parameter, needed)(
            run
        )
    if name == "progress" or (name == "journal" and feature.steps.part):
        return run
    if name == "log":
        return COMMON["log"](run)
    if name == made.writes:
        return add_output(text, metavar(feature, name, "FILE"))(run)
    many = kind == PATHS
    if parameter.kind is parameter.POSITIONAL_OR_KEYWORD and (many or kind in ("Path", "str")):
        shape = metavar(feature, name, name.upper())
        added = _argument(name, _type(parameter, feature), shape, parameter, needed, many=many)
    else:
        added = _option(parameter, text, feature, (flag_named(name), name))
    return added(run)


def parts_of(make: Described, made: Made) -> list[tuple[inspect.Parameter, str]]:
    """Return the parameters of a function that are options instead of a parameter, with helps."""
    helps = documentation(make)[1]
    return [
        (_spelled(one), helps[name])
        for name, one in make.parameters.items()
        if name not in made.parameters or made.feature.parameter(name).parts
    ]


def _argument(
    name: str,
    kind: Any,
    shape: str,
    parameter: inspect.Parameter,
    needed: bool,
    *,
    many: bool = False,
) -> Callable[[Any], Any]:
    """Return the argument for a parameter of a task."""
    fixed = parameter.default if isinstance(parameter.default, str) else None
    # A default of None would make an argument optional in newer versions.
    more: dict[str, Any] = {"default": fixed} if fixed else {"required": needed}
    shape = shape if needed else f"[{shape}]"
    return click.argument(name, type=kind, metavar=shape, nargs=-1 if many else 1, **more)


def _words(name: str, feature: Feature) -> Any:
    """Return the words of an option, with their meanings if there are any."""
    words = feature.parameter(name).words
    found = constant(words, feature.load) if isinstance(words, str) and words else words
    return found or KINDS.get(name)


def _type(parameter: inspect.Parameter, feature: Feature) -> Any:
    name = parameter.name
    words = _words(name, feature)
    if words:
        about_each = isinstance(words, View) or (
            isinstance(words, Mapping) and all(isinstance(one, str) for one in words.values())
        )
        return Explained(words, listed=name in KINDS) if about_each else click.Choice(list(words))
    option = feature.parameter(name)
    if option.reads:
        return Read(option.value, lambda: feature.load(option.reads))
    types: dict[str, Any] = {"int": click.INT, "float": click.FLOAT, "str": click.STRING}
    return OWN.get(name) or types.get(_kind(parameter)) or click.Path(path_type=Path)


def _shape(feature: Feature, name: str, accepted: Any) -> str | None:
    """Return the placeholder of an option's value; None for a choice, which lists its words."""
    if isinstance(accepted, Explained) and accepted.listed:
        return "NAME"
    if isinstance(accepted, click.Choice):
        return None
    whole = isinstance(accepted, click.IntRange) or accepted is click.INT
    usual = "N" if whole else "NUMBER" if accepted is click.FLOAT else None
    found: str | None = metavar(feature, name, usual)
    return found


def _option(
    parameter: inspect.Parameter, text: str, feature: Feature, names: tuple[str, str]
) -> Callable[[Any], Any]:
    """Return the option for a parameter of a task."""
    kind, name = _kind(parameter), parameter.name
    own = feature.parameter(name).default
    default = parameter.default if own is None else own
    if kind == "bool":
        flag = names[0]
        both = flag if default is False else f"{flag}/--no-{flag.removeprefix('--')}"
        return click.option(both, names[1], default=default, is_flag=True, help=text)
    if kind in SEVERAL:
        usual = ",".join(default)
        if usual:
            text = f"{text}  [default: {usual}]"
        words = _words(name, feature) or {}
        kinds = Names(
            words
            if isinstance(words, View)
            else {word: one if isinstance(one, str) else "" for word, one in words.items()}
        )

        def join(_: Any, __: Any, lists: tuple[tuple[str, ...], ...]) -> Any:
            return [word for words in lists for word in words] or default

        return click.option(*names, type=kinds, multiple=True, help=text, callback=join)
    if kind == "Mapping[str, float]":
        what = metavar(feature, name, "PLACEMENT")

        def collect(_: Any, __: Any, given: tuple[dict[str, float], ...]) -> dict[str, float]:
            found = {name: number for some in given for name, number in some.items()}
            if len(found) < sum(map(len, given)):
                raise InputError(f"{names[0]} names a {what.lower()} twice")
            return found

        return click.option(*names, type=Named(what), multiple=True, help=text, callback=collect)
    optional: dict[str, Any] = {"default": default, "show_default": default is not None}
    accepted = _type(parameter, feature)
    return click.option(
        *names,
        type=accepted,
        metavar=_shape(feature, name, accepted),
        help=text,
        **({"required": True} if default is parameter.empty else optional),
    )


def documentation(task: Described) -> tuple[list[str], dict[str, str]]:
    """Return the paragraphs of a docstring before its sections, and a sentence per parameter.

    What a task shares with all others is described once, with the limits, and what it shares
    with another task of its module (``As for `export_dates`.``), with that task.
    """
    text = task.text.replace("``", "").replace("`", "")
    # A section is a line with a line of dashes under it.
    parts = re.split(r"^(\w+)\n-+\n", text, flags=re.MULTILINE)
    sections = dict(zip(parts[1::2], parts[2::2], strict=True))
    found = re.findall(
        r"^(\S.*)\n((?:    .*\n?|\n)+)", sections.get("Parameters", ""), re.MULTILINE
    )
    others = _settings(task)
    helps = documentation(others)[1] if others else {}
    for names, body in found:
        sentence = first_sentence(body)
        if sentence.startswith(OF_LIMITS):
            elsewhere = documentation(of_object(Limits))[1]
        elif match := re.fullmatch(r"As for (\w+)\.", sentence):
            elsewhere = documentation(_beside(task, match[1]))[1]
        else:
            elsewhere = {}
        helps |= {name: elsewhere.get(name, sentence) for name in names.split(", ")}
    return [" ".join(part.split()) for part in parts[0].split("\n\n") if part.strip()], helps
