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
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from pathlib import Path
from shlex import quote
from typing import Any

import click

from calmip import models
from calmip.cli._command import About, Command, Explained, Source
from calmip.cli._options import (
    check_alone,
    check_empty,
    flip_option,
    is_given,
    note,
    note_faults,
    options_again,
    output_option,
    placed_option,
    quiet_option,
    refuse_unheeded,
    refuse_unused,
    refuse_workers,
    reveal_options,
    seconds,
    terminal_style,
    typed,
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
from calmip.documents.reader import read_instance, read_puzzle
from calmip.errors import InputError, listed, shown
from calmip.formats.model_files import is_model, read_model
from calmip.problem.instance import Instance
from calmip.problem.puzzle import Puzzle
from calmip.problem.status import Status
from calmip.render.palette import AUTO
from calmip.render.reports import data, forms
from calmip.solvers import ABOUT as SOLVERS_ABOUT

__all__ = ["declared"]

OF_ALL = ("form", "theme", "output", "quiet", "verbose")
"""The options of every command, which its help lists last."""

LISTS = ("Sequence[str]", "Collection[str]")
"""The kinds of parameters that are lists of words."""

SUBJECTS = {"instance", "source", "puzzle"}
"""The parameters of tasks that are read from the first argument."""

OF_INSTANCES = ("reveal", "date", "flip", "placed")
"""The options that say which instance of a puzzle is meant."""

FOLDER = "folder"
"""Stands for the option of a mode where INSTANCE is a folder."""

WRITES = {"path": "FILE", "output": "FILE", "folder": "DIR"}
"""The parameters of tasks that say where they write, and what that is."""

STDOUT = Path("-")
"""The output that is stdout."""

CALLED = {"log": "verbose", "answers": "answer"}
"""What parameters are called on the command line, where it is not their name."""

KINDS: dict[str, Mapping[str, str]] = {"solver": SOLVERS_ABOUT, "formulation": models.ABOUT}
"""What the words of an option mean, by its name."""

METAVARS = {
    "time_limit": "SECONDS", "memory_limit": "MB", "dask": "ADDRESS", "year": "YEAR",
    "limit": "N", "date": "DATE", "names": "FILE", "suffix": "SUFFIX", "suite": "NAME",
}  # fmt: skip
"""What stands for an option's value where its type says too little."""

TYPES: dict[str, Any] = {
    "int": click.INT,
    "float": click.FLOAT,
    "str": click.STRING,
    "Path": click.Path(path_type=Path),
    "str | Path": click.Path(path_type=Path),
}
"""The types of options by those of parameters."""

OWN: dict[str, Any] = {
    "time_limit": seconds, "workers": click.IntRange(1, 64), "year": year_of,
    "date": click.STRING, "names": TYPES["Path"],
}  # fmt: skip
"""Types that options have by their name."""

SHARED = {
    **reveal_options, "flip": flip_option, "placed": placed_option,
    "verbose": verbose_option,
}  # fmt: skip
"""Options that every command words alike."""


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


class Task:
    """A task of a command: what is called, with which parameters, and a sentence for each."""

    def __init__(self, name: str, about: About) -> None:
        self.about = about
        self.call: Callable[..., Any] = _named(f"tasks.{about.task or f'{name}.{name}'}")
        self.text, self.helps = _documented(self.call)
        self.parameters = dict(inspect.signature(self.call).parameters)
        if about.settings:
            del self.parameters["settings"]
            more = _named(f"tasks.{about.settings}")
            own = set(self.parameters)
            self.parameters |= {
                one: parameter for one, parameter in inspect.signature(more).parameters.items()
                if one not in own and one not in about.hidden
            }  # fmt: skip
            self.helps = _documented(more)[1] | self.helps
        first = next(iter(self.parameters), "")
        self.value = first if about.task and first not in SUBJECTS else ""
        """The parameter that gets the value of the option for which this is the task."""
        self.output = next((one for one in WRITES if one in self.parameters), "")
        """The parameter that says where the task itself writes."""
        if self.output == self.value:
            self.output = ""

    def takes(self) -> dict[str, inspect.Parameter]:
        """Return the parameters by the names that the command has for them."""
        found: dict[str, inspect.Parameter] = {}
        for name, parameter in self.parameters.items():
            if name == "puzzle":
                read = ("source", "flip") if parameter.annotation == "Puzzle" else ("source",)
                found |= dict.fromkeys(read, parameter)
            elif name in SUBJECTS:
                found |= dict.fromkeys(("source", *OF_INSTANCES), parameter)
            elif name == self.output:
                found["output"] = parameter
            elif name not in (self.value, "progress", *self.about.hidden):
                found[CALLED.get(name, name)] = parameter
        return found


def declared(name: str, about: About, codes: Mapping[Status, int]) -> click.Command:
    """Return the command that runs the task of a name, prints its result and gives an exit code."""
    tasks = {mode: Task(name, one) for mode, one in {"": about, **about.modes}.items()}
    main, writers = tasks[""], forms(name)

    def run(**given: Any) -> int:
        return _run(name, tasks, codes, given)

    options: dict[str, Callable[[Any], Any]] = {}
    for mode, task in tasks.items():
        if mode and mode != FOLDER:
            options[mode] = _of_mode(mode, task)
        for one, parameter in task.takes().items():
            text = task.helps.get(parameter.name, "")
            if task is not main:
                goes = [_flag(other) for other, its in tasks.items() if one in its.takes()]
                text += f"  [with {listed(goes)}]"
            options.setdefault(one, _option(one, parameter, text, about))
    for option in reversed(options.values()):
        run = option(run)
    run = quiet_option(format_option(*writers, by_suffix=not main.output)(run))
    if any(form in PICTURES for form in writers):
        run = theme_option(run)
    if not main.output:
        run = output_option("Write the result to a file; - is stdout.")(run)
    paragraphs = [*main.text, about.exits] if about.exits else main.text
    made = click.command(name, cls=Command, help="\n\n".join(paragraphs))(run)
    made.params.sort(key=lambda one: isinstance(one, click.Option) and one.name in OF_ALL)
    made.examples, made.old = about.examples, about.old
    return made


def _run(
    name: str, tasks: Mapping[str, Task], codes: Mapping[Status, int], given: dict[str, Any]
) -> int:
    """Run the task that the options ask for, and deliver its result."""
    main, output, quiet = tasks[""], given["output"], given["quiet"]
    chosen = _mode(main.about, given)
    task, about = tasks[chosen], tasks[chosen].about
    file = None if main.output or output == STDOUT else output
    form = given["form"] = chosen_form(given["form"], file, forms(name))
    if form in BINARY:
        from calmip.render.printing import plotting

        plotting()
    _check(main.about, tasks, chosen)
    for parameter in task.parameters.values():
        _gather(parameter, given)
    with contextlib.ExitStack() as stack:
        if task.value:
            given[task.value] = given["source" if chosen == FOLDER else chosen]
        given["log"] = note if given.get("verbose") else None
        given["answers"] = given.get("answer")
        for subject in SUBJECTS & task.parameters.keys():
            given[subject] = stack.enter_context(_subject(subject, task, given, form))
        if task.output:
            given[task.output] = stack.enter_context(_written(task, given, output))
        if about.run:
            return int(_named(f"cli.{about.run}")(file, **given))
        _work(task, given)
        if "progress" in task.parameters:
            left = [about.left.format(output=shown(output, 300))] if about.left and output else []
            given["progress"] = stack.enter_context(progress(about.counts, *left))
        result = task.call(
            **{one: given[one] for one in task.parameters if given.get(one) is not None}
        )
        if task.output and output == STDOUT:
            deliver_data(Path(given[task.output]).read_bytes(), BINARY[0], None)
        elif main.about.aside and form == "text":
            if not quiet:
                note(str(result))
        else:
            quiet = quiet and output != STDOUT
            _deliver(name, result, form, given.get("theme", AUTO), file, quiet=quiet)
    if not quiet and result.status in about.notes:
        note(about.notes[result.status])
    return codes[result.status]


def _named(path: str) -> Any:
    """Return what a path such as ``tasks.solve.solve`` names."""
    module, _, name = path.rpartition(".")
    return getattr(import_module(f"calmip.{module}"), name)


def _mode(about: About, given: dict[str, Any]) -> str:
    """Return the option that says what the command does, if one was given."""
    chosen = [mode for mode in about.modes if mode != FOLDER and given.get(mode)]
    if len(chosen) > 1:
        raise InputError(
            f"{listed([_flag(mode) for mode in chosen])} exclude each other; leave out one of them"
        )
    if not chosen and FOLDER in about.modes and Path(given["source"]).is_dir():
        return FOLDER
    return chosen[0] if chosen else ""


@contextlib.contextmanager
def _written(task: Task, given: Mapping[str, Any], output: Path | None) -> Iterator[Path | None]:
    """Yield where a task writes; what it writes to stdout goes through a file."""
    kind, suffixes = WRITES[task.output], task.about.files
    if output is None:
        if task.parameters[task.output].default is inspect.Parameter.empty:
            raise InputError(f"name where it is written to: -o {kind}")
        yield None
    elif output != STDOUT:
        if suffixes:
            refuse_other_suffixes(output, suffixes[0], suffixes[1:])
        yield output
    elif kind == "DIR":
        raise InputError("a folder is written, which stdout cannot be; name it with -o DIR")
    else:
        suffix = given.get("suffix") or "".join(f".{one}" for one in suffixes[1:2])
        if not suffix:
            raise InputError("-o - does not say the format; give --suffix as well")
        from calmip._files import scratch_folder

        with scratch_folder() as folder:
            yield folder / f"model{suffix}"


@contextlib.contextmanager
def _subject(kind: str, task: Task, given: dict[str, Any], form: str) -> Iterator[Any]:
    """Yield the instance, the model or the puzzle that the options describe."""
    about, source = task.about, given["source"]
    if kind == "puzzle" and task.parameters[kind].annotation == "Puzzle":
        if about.task:  # of an instance's options
            instance = read_instance(_needed(source), flip=given["flip"], free=True)
            check_empty(instance)
            yield instance.puzzle
        else:
            with (
                _named("cli._own.remembered")(source)
                if about.remembers
                else (contextlib.nullcontext(source)) as named
            ):
                yield _puzzle(named, given["flip"])
    elif kind == "puzzle":
        yield source
    elif kind == "source" and about.of_models and is_model(Path(source)):
        refuse_pictures(form)
        check_alone(source, (*OF_ALL, *about.of_models))
        yield read_model(source)
    elif source is None and task.parameters[kind].default is None:
        for name in OF_INSTANCES:
            refuse_unused("an INSTANCE", name)
        if about.unnamed and not given.get("quiet"):
            note(about.unnamed)
        yield None
    else:
        yield _instance(_needed(source), given, about)


def _needed(source: str | None) -> str:
    if source is None:
        path = click.get_current_context().command_path
        raise InputError(f"name an INSTANCE (see {path} --help)")
    return source


def _work(task: Task, given: Mapping[str, Any]) -> None:
    """Say what is known of long work, and of what Ctrl-C leaves behind; refuse what is unused."""
    about, subject, answer = task.about, given.get("source"), given.get("answer")
    if about.unfinished:
        done = given.get("journal")
        parts = f" but the parts that are done, to {shown(done, 300)}" if done else ""
        kept(about.unfinished + parts)
    if "answer" in task.parameters and answer is None:
        raise InputError("name the FILE to check: a solution, or a model")
    if "names" in task.parameters and (answer is None or not is_model(answer)):
        refuse_unused("a model as FILE", "names", "limit")
    if about.rival and isinstance(subject, Instance) and given["solver"] != "exact-cover":
        from calmip.render.text import draw_tiling

        source = click.get_current_context().params["source"]
        remedy = ["calmip solve", quote(source), *options_again(), "--solver exact-cover"]
        compare_with_search(subject, given["solver"], " ".join(remedy), draw_tiling)


def _deliver(
    name: str, result: Any, form: str, theme: str, output: Path | None, *, quiet: bool
) -> None:
    """Print or write a result in one of its forms."""
    if not result.known or (form in PICTURES and not result.drawn):
        note(str(result))
    elif output is not None or not quiet:
        deliver_data(data(result, form, theme, terminal_style(output)), form, output)
    if form in PICTURES and result.known:
        report = import_module(f"calmip.render.reports.{name}")
        for line in getattr(report, "said", lambda _: ())(result):
            note(line)


def _check(about: About, tasks: Mapping[str, Task], chosen: str) -> None:
    """Refuse options that contradict each other, or that change nothing without another."""
    context = click.get_current_context()
    refuse_workers(context.params.get("dask"))
    if isinstance(solver := context.params.get("solver"), str) and not about.run:
        refuse_unheeded(solver)
    given = {name for name in context.params if is_given(name)}
    takes = {mode: {mode, *one.takes()} for mode, one in tasks.items()}
    takes.get(FOLDER, set()).add("source")
    for name in [one for one in context.params if one in given]:
        if name in takes[chosen] or not any(name in taken for taken in takes.values()):
            continue
        if name not in takes[""]:
            refuse_unused(listed([_flag(mode) for mode in tasks if name in takes[mode]]), name)
        what = "a folder" if chosen == FOLDER else _flag(chosen)
        raise InputError(f"{typed(name)} does not go with {what}; leave out one of them")
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
    if kind in LISTS:
        given[name] = [word for words in given[name] for word in words] or parameter.default
    elif kind == "Mapping[str, float]":
        numbers = dict(given[name])
        if len(numbers) < len(given[name]):
            raise InputError(f"{_flag(name)} names a placement twice")
        given[name] = numbers


def _instance(source: str, given: Mapping[str, Any], about: About) -> Instance:
    chosen = {one: given[one] for one in OF_INSTANCES}
    instance = read_instance(source, **chosen, free=about.free)
    note_faults(instance.puzzle)
    return instance


def _puzzle(source: str, flip: bool | None) -> Puzzle:
    puzzle = read_puzzle(source)
    puzzle = puzzle if flip is None else puzzle.with_flip(flip)
    note_faults(puzzle)
    return puzzle


def _flag(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _kind(parameter: inspect.Parameter) -> str:
    return str(parameter.annotation).removesuffix(" | None").removesuffix(" | str")


def _of_mode(mode: str, task: Task) -> Callable[[Any], Any]:
    """Return the option that says what the command does, with a value if the task takes one."""
    if not task.value:
        return click.option(_flag(mode), mode, is_flag=True, help=task.about.text)
    kind = _kind(task.parameters[task.value])
    return click.option(
        _flag(mode),
        mode,
        type=TYPES[kind],
        help=task.about.text,
        metavar=METAVARS.get(mode, WRITES.get(task.value)),
    )


def _option(
    name: str, parameter: inspect.Parameter, text: str, about: About
) -> Callable[[Any], Any]:
    """Return the option or the argument that a command has for a parameter of a task."""
    kind, flag = _kind(parameter), _flag(name)
    default = about.defaults.get(name, parameter.default)
    if parameter.name in SUBJECTS | {"log"} and name != "source":
        return SHARED[name]
    if name == "source":
        what = "PUZZLE" if parameter.name == "puzzle" else "INSTANCE"
        fixed = default if isinstance(default, str) else None
        needed = fixed is None and not about.remembers and about.modes.keys() <= {FOLDER}
        # A default of None would make an argument optional in newer versions.
        more: dict[str, Any] = {"default": fixed} if fixed else {"required": needed}
        metavar = what if needed else f"[{what}]"
        return click.argument("source", type=Source(), metavar=metavar, **more)
    if name == "answer":
        return click.argument(
            "answer", type=TYPES["Path"], metavar="[FILE]" if about.modes else "FILE",
            required=not about.modes,
        )  # fmt: skip
    if name == "output":
        return output_option(text, WRITES[parameter.name])
    words: Any = _named(f"tasks.{about.words[name]}") if name in about.words else KINDS.get(name)
    if kind == "bool":
        both = flag if default is False else f"{flag}/--no-{name.replace('_', '-')}"
        return click.option(both, name, default=default, is_flag=True, help=text)
    if kind in LISTS:
        usual = ",".join(default)
        if usual:
            text = f"{text}  [default: {usual}]"
        return click.option(flag, type=Names(_explained(words or {})), multiple=True, help=text)
    if kind == "Mapping[str, float]":
        return click.option(flag, type=Named(), multiple=True, help=text)
    return click.option(
        flag,
        type=Explained(_explained(words)) if words else OWN.get(name, TYPES.get(kind)),
        metavar=METAVARS.get(name),
        default=default,
        show_default=default is not None,
        help=text,
    )


def _explained(words: Any) -> dict[str, str]:
    """Return words with what they mean, as far as that is said."""
    if not isinstance(words, Mapping):
        return dict.fromkeys(words, "")
    return {word: about if isinstance(about, str) else "" for word, about in words.items()}


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
