"""Commands made of their tasks: options from the signature, their help from the docstring.

One `About` in `calmip.cli.GROUPS` declares a command. The task's parameters are its arguments and
options, the first sentence of what the docstring says of each is its help, and the forms of its
result are those of the report. A report may say more of a result: ``said`` beside a picture and
``noted`` always are lines for stderr, ``line`` is one for each step, ``check`` refuses a form
before the work, and ``FILE`` is what ``-o`` writes where the result itself is printed.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from calmip import models
from calmip._files import check_target
from calmip.cli._command import About, Command, Explained, Source
from calmip.cli._options import (
    deliver,
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
    refuse_other_suffixes,
    theme_option,
)
from calmip.cli._progress import progress
from calmip.cli._work import kept
from calmip.documents.reader import read_board, read_instance, read_puzzle
from calmip.errors import InputError, shown
from calmip.problem.instance import Instance
from calmip.problem.pool import PiecePool
from calmip.problem.puzzle import Puzzle
from calmip.problem.status import Status
from calmip.render.reports import Forms, files, forms, report_of
from calmip.solvers import ABOUT as SOLVERS_ABOUT

__all__ = ["declared"]

OF_ALL = ("form", "theme", "output", "quiet")
"""The options of every command, which its help lists last."""

KINDS: dict[str, Mapping[str, str]] = {"solver": SOLVERS_ABOUT, "formulation": models.ABOUT}
"""What the words of an option mean, by its name."""

METAVARS = {"time_limit": "SECONDS", "memory_limit": "MB", "dask": "ADDRESS", "year": "YEAR",
            "board": "PUZZLE", "frame": "BOARD", "name": "[NAME]", "files": "FILE...",
            "cell": "LENGTH", "kerf": "LENGTH", "radius": "LENGTH", "sheet": "SIZE"}  # fmt: skip
"""What stands for a value in the help where its type says too little."""

OWN: dict[str, Any] = {
    "time_limit": seconds, "workers": click.IntRange(1, 1024), "year": year_of, "name": Source(),
}  # fmt: skip
"""Types that options have by their name."""

POOL = {
    "words": "--pool",
    "number": "--pieces",
    "required": "--with",
    "excluded": "--without",
    "repeat": "--repeat",
}
"""The options that say which pool of pieces is meant, by the parameters of `read_pool`."""

MOST_YEARS = 100


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


class Years(click.ParamType):  # type: ignore[type-arg] # generic in newer versions only
    """A year, or the first and the last of several."""

    name = "YEAR"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> int | range:
        """Return the year, or the years that a text such as ``2026-2031`` means."""
        if "-" not in value[1:]:
            return year_of(value)
        found = re.fullmatch(r"(\d{4})-(\d{4})", value, re.ASCII)
        first, last = map(int, found.groups()) if found else (0, 0)
        if not 1 <= first <= last:
            what = "a year, or a first and a last one such as 2026-2031"
            self.fail(f"{what}, not '{shown(value)}'", param, ctx)
        if last - first >= MOST_YEARS:
            self.fail(f"at most {MOST_YEARS} years at once", param, ctx)
        return range(first, last + 1)


def declared(name: str, about: About, codes: Mapping[Status, int]) -> click.Command:
    """Return the command that runs the task of a name, prints its result and gives an exit code."""
    if about.commands and not about.task:
        return _gathered(name, about)
    module = name.partition(" ")[0]
    task = _named(about.task or f"{module}.{name.replace(' ', '_')}")
    text, helps = _documented(task)
    signature = inspect.signature(task)
    parameters = signature.parameters
    report, writers = report_of(module), forms(module, signature.return_annotation)

    def run(form: str | None, output: Path | None, quiet: bool, theme: str = "auto",
            **given: Any) -> int:  # fmt: skip
        target = None if "output" in parameters else output
        form = _form(form, target, writers, report)
        _check(about)
        for parameter in parameters.values():
            _gather(parameter, given)
        for source, read in SOURCES.items():
            if source in parameters:
                given[source] = read(given, about)
        if "output" in parameters:
            given["output"] = output
        if hasattr(report, "check"):
            report.check(form, given)
        found = []
        several, said = _several(given, target, report)
        for one, path in several:
            result = _done(task, about, one, path, None if quiet else report)
            _deliver(result, report, form, theme, path, quiet=quiet)
            _tidy(about, result, path)
            stopped = getattr(result, "stopped", False)
            found.append(codes[Status.UNKNOWN if stopped else result.status])
        if said:
            note(said)
        return min(found, default=0)

    for parameter in reversed(list(parameters.values())):
        run = _added(parameter, helps[parameter.name], about, run)
    by_suffix = "output" not in parameters and not hasattr(report, "FILE")
    run = format_option(*writers, default=next(iter(writers)), by_suffix=by_suffix)(run)
    if any(_themed(write) for write in writers.values()):
        run = theme_option(run)
    run = quiet_option(run)
    if "output" not in parameters:
        what = report.FILE[0] if hasattr(report, "FILE") else "the result to a file"
        run = click.option(
            "-o", "--output", type=click.Path(path_type=Path), help=f"Write {what}."
        )(run)
    return _shaped(run, name, about, text)


def _gathered(name: str, about: About) -> click.Command:
    """Return a command that has only others below it."""

    def run(action: str) -> int:
        raise click.UsageError(f"write {action} right behind {name}")

    run = click.argument("action", type=click.Choice(list(about.commands)), metavar="ACTION")(run)
    return _shaped(run, name, about, [about.text])


def _shaped(run: Callable[..., int], name: str, about: About, text: list[str]) -> click.Command:
    paragraphs = [*text, about.exits] if about.exits else text
    made = click.command(name, cls=Command, help="\n\n".join(paragraphs))(run)
    made.params.sort(key=lambda one: isinstance(one, click.Option) and one.name in OF_ALL)
    made.examples, made.old, made.commands = about.examples, about.old, about.commands
    return made


def _named(path: str) -> Any:
    module, _, name = path.rpartition(".")
    return getattr(import_module(f"calmip.tasks.{module}"), name)


def _themed(write: Callable[..., Any]) -> bool:
    return "theme" in inspect.signature(write).parameters


def _form(form: str | None, output: Path | None, writers: Forms, report: Any) -> str:
    """Return the form that is meant, once it is sure that it can be written."""
    if output is not None and hasattr(report, "FILE"):
        refuse_other_suffixes(output, *report.FILE[:2])
        check_target(output)
        output = None
    form = chosen_form(form, output, writers)
    if form in BINARY and _themed(writers[form]):
        from calmip.render.printing import plotting

        plotting()
    return form


def _several(
    given: dict[str, Any], output: Path | None, report: Any
) -> tuple[list[tuple[dict[str, Any], Path | None]], str]:
    """Return what is to be done, and the file of each; and what is said of all."""
    years = given.get("year")
    if not isinstance(years, range):
        return [(given, output)], ""
    if output is None:
        raise InputError("several years make a file for each; name them with -o NAME.html")
    # Asked here, as labels that are missing are better said before the work.
    said = report.together(given["puzzle"], years)
    made: list[tuple[dict[str, Any], Path | None]] = []
    for year in years:
        path = output.with_name(f"{output.stem}-{year}{output.suffix}")
        if not (given["resume"] and path.exists()):
            made.append(({**given, "year": year}, path))
    return made, said


def _part(about: About, output: Path | None) -> Path | None:
    """Return the file that keeps what is done until the output is written."""
    return output.with_name(f"{output.name}.part") if about.part and output is not None else None


def _done(
    task: Callable[..., Any], about: About, given: dict[str, Any], output: Path | None, report: Any
) -> Any:
    """Return the result of a task, while it is shown how far it is."""
    part = _part(about, output)
    if about.part:
        given["journal"] = part
    if output is not None:
        check_target(output)
    left = about.left.format_map({name: shown(str(one), 300) for name, one in given.items()})
    if part is not None:
        left = f"are done, in {shown(part, 300)}; go on with --resume"
    elif about.part:
        left = "are done; without -o nothing is kept"
    if about.unfinished:
        done = given.get("journal")
        kept(
            about.unfinished
            + (f" but the parts that are done, to {shown(done, 300)}" if done else "")
        )
    if "progress" not in inspect.signature(task).parameters:
        return task(**given)
    if not about.counts:
        line = getattr(report, "line", None)
        return task(**given, progress=lambda one: note(line(one)) if line else None)
    with progress(about.counts, *([left] if left else [])) as show:
        return task(**given, progress=show)


def _deliver(
    result: Any, report: Any, form: str, theme: str, output: Path | None, *, quiet: bool
) -> None:
    """Print or write a result in one of its forms."""
    if not result.known:
        note(str(result))
        return
    file = getattr(report, "FILE", None)
    path = None if file else output
    if path is not None or not quiet:
        made = files(result, form, theme, terminal_style(path))
        if len(made) > 1 and path is None:
            raise InputError(f"{len(made)} files; name them with -o NAME.{form}, or take pdf")
        for number, one in enumerate(made, start=1):
            own = path.with_stem(f"{path.stem}-{number}") if path and len(made) > 1 else path
            deliver_data(one, form, own)
    if file and output is not None and (text := file[-1](result)):
        deliver(text, output)
    for kind in ["said"] * (form in PICTURES) + ["noted"] * (not quiet):
        for line in getattr(report, kind, lambda _: ())(result):
            note(line)


def _tidy(about: About, result: Any, output: Path | None) -> None:
    """Remove the file that keeps what is done, unless a limit came first; then say where it is."""
    part = _part(about, output)
    if part is not None and getattr(result, "stopped", False):
        note(f"what is done is in {shown(part, 300)}; go on with --resume")
    elif part is not None:
        part.unlink(missing_ok=True)


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


def _puzzle(given: dict[str, Any], about: About) -> Puzzle:
    source = given.pop("source")
    free = about.free
    return _turned(read_instance(source, free=True).puzzle if free else read_puzzle(source), given)


def _frame(given: dict[str, Any], _: About) -> Puzzle:
    return _turned(read_board(given.pop("source")), given)


def _board(given: dict[str, Any], _: About) -> Puzzle:
    return read_board(given.pop("source"), pieces=True)


def _turned(puzzle: Puzzle, given: dict[str, Any]) -> Puzzle:
    """Return a puzzle whose pieces may be turned over if that was said; note what is odd."""
    flip = given.pop("flip")
    puzzle = puzzle if flip is None else puzzle.with_flip(flip)
    note_faults(puzzle)
    return puzzle


def _pool(given: dict[str, Any], _: About) -> PiecePool:
    from calmip.documents.pool import read_pool

    parameters = inspect.signature(read_pool).parameters
    asked = {name: given.pop(f"pool_{name}") for name in POOL}
    for name in POOL:
        _gather(parameters[name], asked)
    return read_pool(asked.pop("words"), given["frame"], **asked)


SOURCES: dict[str, Callable[[dict[str, Any], About], Any]] = {
    "instance": _instance, "puzzle": _puzzle, "frame": _frame, "board": _board, "pool": _pool,
}  # fmt: skip
"""What reads the parameters that several options describe."""


def _flag(name: str) -> str:
    return "-o FILE" if name == "output" else f"--{name.replace('_', '-')}"


def _kind(parameter: inspect.Parameter) -> str:
    kinds = str(parameter.annotation).split(" | ")
    return "Path" if "Path" in kinds else kinds[0]


def _added(
    parameter: inspect.Parameter, text: str, about: About, run: Callable[..., int]
) -> Callable[..., int]:
    """Return a command with the arguments and the options for a parameter of its task."""
    kind, name = _kind(parameter), parameter.name
    if name == "instance":
        return instance_options(placed_option(run))
    if name in SOURCES and name != "pool":
        if name != "board":
            flip = "Whether pieces may be turned over."
            run = click.option("--flip/--no-flip", default=None, help=flip)(run)
        metavar = METAVARS.get(name, name.upper())
        return click.argument("source", type=Source(), metavar=metavar)(run)
    if name == "pool":
        from calmip.documents.pool import read_pool

        helps = _documented(read_pool)[1]
        for own, flag in reversed(POOL.items()):
            one = inspect.signature(read_pool).parameters[own]
            run = _option(one, helps[own], about, (flag, f"pool_{own}"))(run)
        return run
    if name == "progress" or (name == "journal" and about.part):
        return run
    if name == "output":
        return click.option(
            "-o", "--output", type=click.Path(path_type=Path), help=text,
            required=parameter.default is parameter.empty,
        )(run)  # fmt: skip
    many = kind == "Sequence[Path]"
    if parameter.kind is parameter.POSITIONAL_OR_KEYWORD and (many or kind in ("Path", "str")):
        added = click.argument(
            name, type=_type(parameter, about), metavar=METAVARS.get(name, name.upper()),
            nargs=-1 if many else 1, required=parameter.default is parameter.empty,
        )  # fmt: skip
    else:
        added = _option(parameter, text, about, (_flag(name), name))
    return added(run)


def _type(parameter: inspect.Parameter, about: About) -> Any:
    name = parameter.name
    if name in about.words or name in KINDS:
        words = KINDS.get(name) or _named(about.words[name])
        return Explained(words) if isinstance(words, Mapping) else click.Choice(words)
    if name == "year" and about.part:
        return Years()
    types: dict[str, Any] = {"int": click.INT, "float": click.FLOAT, "str": click.STRING}
    return OWN.get(name) or types.get(_kind(parameter)) or click.Path(path_type=Path)


def _option(
    parameter: inspect.Parameter, text: str, about: About, names: tuple[str, str]
) -> Callable[[Any], Any]:
    """Return the option for a parameter of a task."""
    kind, name, default = _kind(parameter), parameter.name, parameter.default
    if kind == "bool":
        flag = names[0]
        both = flag if default is False else f"{flag}/--no-{flag.removeprefix('--')}"
        return click.option(both, names[1], default=default, is_flag=True, help=text)
    if kind == "Sequence[str]":
        usual = ",".join(default)
        if usual:
            text = f"{text}  [default: {usual}]"
        return click.option(*names, type=Names(KINDS.get(name, {})), multiple=True, help=text)
    if kind == "Mapping[str, float]":
        return click.option(*names, type=Named(), multiple=True, help=text)
    required = default is parameter.empty
    return click.option(
        *names,
        type=_type(parameter, about),
        metavar=METAVARS.get(name),
        default=None if required else default,
        required=required,
        show_default=not required and default is not None,
        help=text,
    )


def _documented(task: Callable[..., Any]) -> tuple[list[str], dict[str, str]]:
    """Return the paragraphs of a docstring before its sections, and a sentence per parameter."""
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
        helps |= dict.fromkeys(names.split(", "), sentence)
    return [" ".join(part.split()) for part in parts[0].split("\n\n") if part.strip()], helps
