"""Commands made of their tasks: options from the signature, their help from the docstring.

One `About` in `calmip.cli.GROUPS` declares a command. The task's parameters are its arguments and
options, the first sentence of what the docstring says of each is its help, and the forms of its
result are those of the report. A report may say more of a result: ``said`` beside a picture and
``noted`` always are lines for stderr, ``line`` is one for each step, ``check`` refuses a form
before the work, and ``FILE`` is what ``-o`` writes where the result itself is printed.
"""

from __future__ import annotations

import contextlib
import inspect
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from shlex import quote
from typing import Any

import click

from calmip._files import check_target
from calmip._limits import Limits
from calmip.cli._command import About, Command, Explained, Source, later, named
from calmip.cli._options import (
    Named,
    Names,
    Years,
    check_alone,
    check_empty,
    deliver,
    flip_option,
    instance_options,
    is_given,
    note,
    note_faults,
    note_written,
    options_again,
    quiet_option,
    refuse_unheeded,
    refuse_unused,
    refuse_workers,
    seconds,
    terminal_style,
    verbose_option,
    year_of,
)
from calmip.cli._pictures import (
    BINARY,
    PICTURES,
    chosen_form,
    deliver_data,
    format_option,
    refuse_other_suffixes,
    refuse_pictures,
    theme_option,
)
from calmip.cli._progress import progress
from calmip.cli._work import compare_with_search, kept
from calmip.documents.reader import read_board, read_instance, read_puzzle
from calmip.errors import InputError, shown
from calmip.models import ABOUT as FORMULATIONS_ABOUT
from calmip.problem.instance import Instance
from calmip.problem.pool import PiecePool
from calmip.problem.puzzle import Puzzle
from calmip.problem.status import Status
from calmip.render.palette import AUTO
from calmip.render.reports import Forms, files, forms, report_of
from calmip.solvers import ABOUT as SOLVERS_ABOUT

__all__ = ["declared"]

OF_ALL = ("form", "theme", "output", "quiet", "verbose")
"""The options of every command, which its help lists last."""

OF_LIMITS = "As for calmip.solvers.Limits"
"""How a task's docstring says that some parameters are those of all tasks."""
STDOUT = Path("-")
"""The output that is stdout."""

LISTS = ("Sequence[str]", "Collection[str]")
"""The kinds of parameters that are lists of words."""

KINDS: dict[str, Mapping[str, str]] = {"solver": SOLVERS_ABOUT, "formulation": FORMULATIONS_ABOUT}
"""What the words of an option mean, by its name."""

METAVARS = {
    "time_limit": "SECONDS", "memory_limit": "MB", "dask": "ADDRESS", "year": "YEAR",
    "limit": "N", "date": "DATE", "names": "FILE", "suffix": "SUFFIX", "answer": "FILE",
    "instance": "INSTANCE", "source": "INSTANCE", "board": "PUZZLE", "frame": "BOARD",
    "name": "NAME", "files": "FILE...", "folder": "DIR", "path": "FILE", "output": "FILE",
    "cell": "LENGTH", "kerf": "LENGTH", "radius": "LENGTH", "sheet": "SIZE",
}  # fmt: skip
"""What stands for a value in the help where its type says too little."""

OWN: dict[str, Any] = {
    "time_limit": seconds, "workers": click.IntRange(1, 1024), "year": year_of, "name": Source(),
    "date": click.STRING,
}  # fmt: skip
"""Types that options have by their name."""

OF_INSTANCES = ("reveal", "date", "flip", "placed")
"""The options that say which instance of a puzzle is meant."""

POOL = {
    "words": "--pool",
    "number": "--pieces",
    "required": "--with",
    "excluded": "--without",
    "repeat": "--repeat",
}
"""The options that say which pool of pieces is meant, by the parameters of `read_pool`."""


class Made:
    """What a command is made of: its declaration, its task, and the report of the result."""

    def __init__(self, name: str, about: About, codes: Mapping[Status, int]) -> None:
        self.name, self.about, self.codes = name, about, codes
        module, function = name.partition(" ")[0], name.replace(" ", "_")
        self.task: Callable[..., Any] = named(f"tasks.{about.task or f'{module}.{function}'}")
        signature = inspect.signature(self.task)
        self.text, self.helps = _documented(self.task)
        self.parameters = dict(signature.parameters)
        if about.settings:
            del self.parameters["settings"]
            more = named(f"tasks.{about.settings}")
            self.parameters = {**inspect.signature(more).parameters, **self.parameters}
            self.helps = _documented(more)[1] | self.helps
        for hidden in about.hidden:
            del self.parameters[hidden]
        self.report = report_of(module)
        self.writers: Forms = forms(module, signature.return_annotation)
        self.writes = about.output if about.output in self.parameters else ""
        """The parameter that says where the task itself writes."""


def declared(name: str, about: About, codes: Mapping[Status, int]) -> click.Command:
    """Return the command that runs the task of a name, prints its result and gives an exit code."""
    if about.commands and not about.task:
        return _gathered(name, about)
    made = Made(name, about, codes)

    def run(**given: Any) -> int:
        return _run(made, given)

    for parameter in reversed(list(made.parameters.values())):
        run = _added(parameter, made.helps.get(parameter.name, ""), made, run)
    by_suffix = not made.writes and not hasattr(made.report, "FILE")
    first = next(iter(made.writers))
    run = format_option(*made.writers, default=first, by_suffix=by_suffix)(run)
    if any(_themed(write) for write in made.writers.values()):
        run = theme_option(run)
    run = quiet_option(run)
    if not made.writes:
        file = getattr(made.report, "FILE", None)
        what = file[0] if file else "the result to a file"
        run = _output(f"Write {what}; - is stdout.", "FILE")(run)
    return _shaped(run, name, about, made.text)


def _run(made: Made, given: dict[str, Any]) -> int:
    """Run the task of a command, and deliver its result."""
    about, report, output = made.about, made.report, given["output"]
    given["stdout"] = output == STDOUT
    target = None if made.writes or given["stdout"] else output
    given["form"] = form = _form(given["form"], target, made.writers, report)
    _check(about)
    for parameter in made.parameters.values():
        _gather(parameter, given)
    for source, read in SOURCES.items():
        if source in made.parameters:
            given[source] = read(given, made)
    with contextlib.ExitStack() as stack:
        if made.writes:
            given[made.writes] = stack.enter_context(_written(made, given, output))
        if hasattr(report, "check"):
            report.check(form, given)
        given["log"] = note if given.get("verbose") else None
        if about.run:
            return int(named(f"cli.{about.run}")(target, **given))
        found = []
        several, said = _several(given, target, report)
        for one, path in several:
            result = _done(made, one, path)
            _deliver(made, result, one, path)
            if one.get("file") is not None:
                note_written(one["file"])
            _tidy(about, result, path)
            stopped = getattr(result, "stopped", False)
            found.append(made.codes[Status.UNKNOWN if stopped else result.status])
    if about.remembers:
        named("cli._own.remember")(click.get_current_context().params["source"])
    if said:
        note(said)
    return min(found, default=0)


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


def _themed(write: Callable[..., Any]) -> bool:
    return "theme" in inspect.signature(write).parameters


def _output(text: str, what: str) -> Callable[[Any], Any]:
    kind = click.Path(path_type=Path)
    return click.option("-o", "--output", type=kind, metavar=what, help=text)


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


@contextlib.contextmanager
def _written(made: Made, given: Mapping[str, Any], output: Path | None) -> Iterator[Path | None]:
    """Yield where a task writes; what it writes to stdout goes through a file."""
    kind, (what, *suffixes) = METAVARS[made.writes], made.about.files or ("",)
    if output is None:
        if made.parameters[made.writes].default is inspect.Parameter.empty:
            raise InputError(f"name where it is written to: -o {kind}")
        yield None
    elif output != STDOUT:
        if suffixes:
            refuse_other_suffixes(output, what, suffixes)
        yield output
    elif kind == "DIR":
        raise InputError("a folder is written, which stdout cannot be; name it with -o DIR")
    else:
        suffix = given.get("suffix") or "".join(f".{one}" for one in suffixes[:1])
        if not suffix:
            remedy = "give --suffix as well" if "suffix" in given else "name a file: -o FILE"
            raise InputError(f"-o - does not say the format; {remedy}")
        refuse_unused("-o FILE", "form")
        from calmip._files import scratch_folder

        with scratch_folder() as folder:
            yield folder / f"model{suffix}"


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


def _done(made: Made, given: dict[str, Any], output: Path | None) -> Any:
    """Return the result of a task, while it is shown how far it is."""
    about, part = made.about, _part(made.about, output)
    if about.part:
        given["journal"] = part
    if output is not None:
        check_target(output)
    left = about.left if given["output"] or not made.writes else ""
    left = left.format_map({name: shown(str(one), 300) for name, one in given.items()})
    if part is not None:
        left = f"are done; what is kept is in {shown(part, 300)}; go on with --resume"
    elif about.part:
        left = "are done; without -o nothing is kept"
    if about.unfinished:
        done = given.get("journal")
        parts = f" but the parts that are done, to {shown(done, 300)}" if done else ""
        kept(about.unfinished + parts)
    if about.rival and isinstance(given["source"], Instance) and given["solver"] != "exact-cover":
        from calmip.render.text import draw_tiling

        source = click.get_current_context().params["source"]
        remedy = ["calmip solve", quote(source), *options_again(), "--solver exact-cover"]
        compare_with_search(given["source"], given["solver"], " ".join(remedy), draw_tiling)
    task = {one: given[one] for one in made.parameters if given.get(one) is not None}
    if "progress" not in made.parameters:
        return made.task(**task)
    if not about.counts:
        line = None if given["quiet"] else getattr(made.report, "line", None)
        return made.task(**task, progress=lambda now: note(line(now.latest)) if line else None)
    with progress(about.counts, *([left] if left else [])) as show:
        return made.task(**task, progress=show)


def _deliver(made: Made, result: Any, given: Mapping[str, Any], output: Path | None) -> None:
    """Print or write a result in one of its forms."""
    form, file = given["form"], getattr(made.report, "FILE", None)
    if made.writes and given["stdout"]:
        deliver_data(Path(given[made.writes]).read_bytes(), BINARY[0], None)
        return
    if made.about.aside and form == "text":
        if not given["quiet"]:
            note(str(result))
        return
    if not result.known or (form in PICTURES and not result.drawn):
        note(str(result))
        return
    path = None if file else output
    there = given["stdout"] and not file
    if path is not None or there or not (given["quiet"] or given["stdout"]):
        texts = files(result, form, given.get("theme", AUTO), terminal_style(path))
        if len(texts) > 1 and path is None:
            raise InputError(
                f"these are {len(texts)} files; name them with -o NAME.{form}, or take pdf"
            )
        for number, one in enumerate(texts, start=1):
            own = path.with_stem(f"{path.stem}-{number}") if path and len(texts) > 1 else path
            deliver_data(one, form, own)
    if file and given["output"] is not None and (text := file[-1](result)):
        deliver(text, output)
    for kind in ["said"] * (form in PICTURES) + ["noted"] * (not given["quiet"]):
        for line in getattr(made.report, kind, lambda _: ())(result):
            note(line)


def _tidy(about: About, result: Any, output: Path | None) -> None:
    """Remove the file that keeps what is done, unless a limit is reached; then say where it is."""
    part = _part(about, output)
    if part is not None and getattr(result, "stopped", False):
        note(f"what is done is in {shown(part, 300)}; go on with --resume")
    elif part is not None:
        part.unlink(missing_ok=True)


def _check(about: About) -> None:
    """Refuse options that contradict each other, or that change nothing without another."""
    given = click.get_current_context().params
    refuse_workers(given.get("dask"))
    if isinstance(given.get("solver"), str) and not about.run:
        refuse_unheeded(given["solver"])
    if "names" in given and "answer" in given:
        from calmip.formats.model_files import is_model

        if not is_model(given["answer"]):
            refuse_unused("a model as FILE", "names", "limit")
    for name, needed in about.needs.items():
        if not is_given(needed) or given[needed] == STDOUT:
            refuse_unused(_flag(needed), name)
    for name, others in about.excludes.items():
        for other in others:
            if is_given(name) and is_given(other):
                raise InputError(
                    f"{_flag(name)} and {_flag(other)} exclude each other; leave out one of them"
                )


def _gather(parameter: inspect.Parameter, given: dict[str, Any]) -> None:
    """Make one value of an option that was repeated."""
    kind, name = _kind(parameter), parameter.name
    if kind in LISTS:
        given[name] = [word for words in given[name] for word in words] or parameter.default
    elif kind == "Mapping[str, float]":
        numbers = dict(given[name])
        if len(numbers) < len(given[name]):
            raise InputError(f"{_flag(name)} names a placement twice")
        given[name] = numbers


def _instance(given: dict[str, Any], made: Made) -> Instance | None:
    if given["source"] is None:
        for name in OF_INSTANCES:
            refuse_unused("an INSTANCE", name)
        if not given["quiet"]:
            later(click.get_current_context(), made.about.unnamed)
        return None
    chosen = {one: given[one] for one in OF_INSTANCES}
    instance = read_instance(given["source"], **chosen, free=made.about.free)
    note_faults(instance.puzzle)
    return instance


def _source(given: dict[str, Any], made: Made) -> Any:
    from calmip.formats.model_files import is_model, read_model

    source = given["source"]
    if not is_model(Path(source)):
        return _instance(given, made)
    refuse_pictures(given["form"])
    check_alone(source, (*OF_ALL, *made.about.of_models))
    return read_model(source)


def _puzzle(given: dict[str, Any], made: Made) -> Puzzle | str:
    source: str = given["source"]
    if made.parameters["puzzle"].annotation != "Puzzle":
        return source
    if made.about.remembers:
        source = named("cli._own.remembered")(source)
    if not made.about.free:
        return _turned(read_puzzle(source), given)
    instance = read_instance(source, free=True)
    check_empty(instance)
    return _turned(instance.puzzle, given)


def _frame(given: dict[str, Any], _: Made) -> Puzzle:
    return _turned(read_board(given["source"]), given)


def _board(given: dict[str, Any], _: Made) -> Puzzle:
    return read_board(given["source"], pieces=True)


def _turned(puzzle: Puzzle, given: dict[str, Any]) -> Puzzle:
    """Return a puzzle whose pieces may be turned over if that was said; note what is odd."""
    flip = given["flip"]
    puzzle = puzzle if flip is None else puzzle.with_flip(flip)
    note_faults(puzzle)
    return puzzle


def _pool(given: dict[str, Any], _: Made) -> PiecePool:
    from calmip.documents.pool import read_pool

    parameters = inspect.signature(read_pool).parameters
    asked = {name: given.pop(f"pool_{name}") for name in POOL}
    for name in POOL:
        _gather(parameters[name], asked)
    return read_pool(asked.pop("words"), given["frame"], **asked)


SOURCES: dict[str, Callable[[dict[str, Any], Made], Any]] = {
    "instance": _instance, "source": _source, "puzzle": _puzzle, "frame": _frame,
    "board": _board, "pool": _pool,
}  # fmt: skip
"""What reads the parameters that several options describe."""


def _flag(name: str) -> str:
    return "-o FILE" if name == "output" else f"--{name.replace('_', '-')}"


def _kind(parameter: inspect.Parameter) -> str:
    kinds = str(parameter.annotation).split(" | ")
    return "Path" if "Path" in kinds else kinds[0]


def _added(parameter: inspect.Parameter, text: str, made: Made, run: Callable[..., int]) -> Any:
    """Return a command with the arguments and the options for a parameter of its task."""
    kind, name, about = _kind(parameter), parameter.name, made.about
    needed = parameter.default is parameter.empty
    if name == "pool":
        from calmip.documents.pool import read_pool

        helps = _documented(read_pool)[1]
        for own, flag in reversed(POOL.items()):
            one = inspect.signature(read_pool).parameters[own]
            run = _option(one, helps[own], about, (flag, f"pool_{own}"))(run)
        return run
    if name in SOURCES:
        if name in ("instance", "source"):
            run = instance_options(run)
        elif name != "board" and kind == "Puzzle":
            run = flip_option(run)
        needed = needed and not about.remembers
        return _argument("source", Source(), METAVARS.get(name, "PUZZLE"), parameter, needed)(run)
    if name == "progress" or (name == "journal" and about.part):
        return run
    if name == "log":
        return verbose_option(run)
    if name == made.writes:
        return _output(text, METAVARS[name])(run)
    many = kind == "Sequence[Path]"
    if parameter.kind is parameter.POSITIONAL_OR_KEYWORD and (many or kind in ("Path", "str")):
        metavar = METAVARS.get(name, name.upper())
        added = _argument(name, _type(parameter, about), metavar, parameter, needed, many=many)
    else:
        added = _option(parameter, text, about, (_flag(name), name))
    return added(run)


def _argument(
    name: str, kind: Any, metavar: str, parameter: inspect.Parameter, needed: bool,
    *, many: bool = False,
) -> Callable[[Any], Any]:  # fmt: skip
    """Return the argument for a parameter of a task."""
    fixed = parameter.default if isinstance(parameter.default, str) else None
    # A default of None would make an argument optional in newer versions.
    more: dict[str, Any] = {"default": fixed} if fixed else {"required": needed}
    shape = metavar if needed else f"[{metavar}]"
    return click.argument(name, type=kind, metavar=shape, nargs=-1 if many else 1, **more)


def _words(name: str, about: About) -> Any:
    """Return the words of an option, and what they mean if that is said."""
    return named(f"tasks.{about.words[name]}") if name in about.words else KINDS.get(name)


def _type(parameter: inspect.Parameter, about: About) -> Any:
    name = parameter.name
    words = _words(name, about)
    if words:
        told = isinstance(words, Mapping) and all(isinstance(one, str) for one in words.values())
        return Explained(words) if told else click.Choice(list(words))
    if name == "year" and about.part:
        return Years()
    types: dict[str, Any] = {"int": click.INT, "float": click.FLOAT, "str": click.STRING}
    return OWN.get(name) or types.get(_kind(parameter)) or click.Path(path_type=Path)


def _option(
    parameter: inspect.Parameter, text: str, about: About, names: tuple[str, str]
) -> Callable[[Any], Any]:
    """Return the option for a parameter of a task."""
    kind, name = _kind(parameter), parameter.name
    default = about.defaults.get(name, parameter.default)
    if kind == "bool":
        flag = names[0]
        both = flag if default is False else f"{flag}/--no-{flag.removeprefix('--')}"
        return click.option(both, names[1], default=default, is_flag=True, help=text)
    if kind in LISTS:
        usual = ",".join(default)
        if usual:
            text = f"{text}  [default: {usual}]"
        words = _words(name, about) or {}
        told = {word: one if isinstance(one, str) else "" for word, one in words.items()}
        return click.option(*names, type=Names(told), multiple=True, help=text)
    if kind == "Mapping[str, float]":
        return click.option(*names, type=Named(), multiple=True, help=text)
    optional: dict[str, Any] = {"default": default, "show_default": default is not None}
    return click.option(
        *names,
        type=_type(parameter, about),
        metavar=METAVARS.get(name),
        help=text,
        **({"required": True} if default is parameter.empty else optional),
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
