"""Commands made of their tasks: how they run, and deliver their results.

A `Feature` declares its command. The task's parameters are its arguments and options
(`calmip.cli._parameters`). The report has the forms of the result. An `Output` says what
else is written: notes on stderr, a line for each step, and a file of its own.
"""

from __future__ import annotations

import contextlib
import inspect
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from calmip._base.errors import InputError, clip, join_words
from calmip._base.files import check_target, make_folder
from calmip.cli._command import OF_INSTANCES, OF_MODELS, OF_OUTPUT, Command, owner_of
from calmip.cli._options import (
    BINARY,
    COMMON,
    STDOUT,
    check_suffix,
    choose_form,
    deliver,
    flag_of,
    format_option,
    is_given,
    note_faults,
    note_written,
    refuse_unheeded,
    refuse_unused,
    terminal_style,
)
from calmip.cli._parameters import (
    METAVARS,
    Made,
    add_output,
    add_parameter,
    flag_named,
)
from calmip.cli._stdin import FOLDER, SUFFIX, stdin_as_file, without_folder
from calmip.cli._streams import note
from calmip.cli._work import EXIT_CODES, on_interrupt, progress, steps
from calmip.features import Feature
from calmip.mip.display import PAPER
from calmip.mip.status import Status
from calmip.models import PACKING
from calmip.puzzle.render.palette import AUTO
from calmip.puzzle.render.report import PICTURES
from calmip.puzzle.render.reports import files

if TYPE_CHECKING:
    from calmip.mip.model import Model
    from calmip.puzzle.instance import Instance
    from calmip.puzzle.puzzle import Puzzle

OF_ALL = (SUFFIX, *OF_OUTPUT)
"""The options of all commands, or of all that read a model."""


def make_command(name: str, feature: Feature) -> click.Command:
    """Return the command of a feature: it prints the result, and gives an exit code."""
    if feature.commands and not feature.task:

        def choose(action: str) -> int:
            raise click.UsageError(f"write {action} directly after {name}")

        actions = click.Choice(list(feature.below))
        argument = click.argument("action", type=actions, metavar="ACTION")
        return _command(argument(choose), name, feature, [feature.line])
    made = Made(name, feature)

    def run(**given: Any) -> int:
        with stdin_as_file(given, feature.models):
            return Typed(made, given).run()

    for parameter in reversed(list(made.parameters.values())):
        run = add_parameter(parameter, made, run, of_sources=parameter.name in SOURCES)
    file = made.report.file
    if "model" in feature.models:
        run = COMMON[OF_MODELS[1]](run)
    if feature.models and "suffix" not in made.parameters:
        run = COMMON[SUFFIX](run)
    run = format_option([*made.writers], by_suffix=not made.writes and file is None)(run)
    for option in ("paper", "theme"):
        if any(_takes(write, option) for write in made.writers.values()):
            run = COMMON[option](run)
    run = COMMON["quiet"](run)
    if not made.writes:
        what = file[0] if file else "the result to a file"
        run = add_output(f"Write {what}; - is stdout.", "FILE")(run)
    return _command(run, name, feature, made.text)


class Typed:
    """A command that has been typed: what is given, and the steps to its result."""

    def __init__(self, made: Made, given: dict[str, Any]) -> None:
        self.made, self.given = made, given
        given["stdout"] = given["output"] == STDOUT
        self.output = None if made.writes or given["stdout"] else given["output"]
        if made.feature.makes_folder and self.output is not None:
            make_folder(self.output.parent)
        given["form"] = self.form = _form(given["form"], self.output, made)
        _check(made.feature)
        for source, read in SOURCES.items():
            if source in made.parameters:
                given[source] = read(given, made)
        for name, option in made.feature.parameters.items():
            if option.parts:
                make = made.feature.load(option.parts)
                given[name] = make(
                    **{one: given[one] for one in inspect.signature(make).parameters}
                )
        given["log"] = note if given.get("verbose") else None

    def run(self) -> int:
        """Run the command; return the exit code."""
        feature, given = self.made.feature, self.given
        with contextlib.ExitStack() as stack:
            if self.made.writes:
                written = _written(self.made, given, given["output"])
                given[self.made.writes] = stack.enter_context(written)
            if not feature.run:
                return self.once()
            code: int = self.made.call(feature.load(feature.run), self)
            return code

    def once(self) -> int:
        """Call the task, deliver the result, and return the exit code."""
        return self.code(self.work(self.output))

    def work(self, output: Path | None, **changed: Any) -> Any:
        """Call the task with some arguments changed, deliver the result, and return it."""
        given = self.given | changed
        result = _do(self.made, given, output)
        _deliver(self.made, result, given, output)
        if given.get("file") is not None:
            note_written(given["file"])
        _tidy(self.made.feature, result, output)
        return result

    def code(self, result: Any) -> int:
        """Return the exit code for a result."""
        status: Status = self.made.call(lambda: result.exit_status)
        return EXIT_CODES[Status.UNKNOWN if getattr(result, "stopped", False) else status]

    def refuse_unused(self, needed: str, *names: str) -> None:
        """Raise `InputError` if one of these options is typed; it goes with what is needed."""
        refuse_unused(needed, *names)

    def model(self, path: Path) -> Model:
        """Return the model in a file, read as the options say."""
        return _model(path, self.given)

    def note(self, line: str) -> None:
        """Print a line on stderr."""
        note(line)


def _command(
    run: Callable[..., int], name: str, feature: Feature, text: list[str]
) -> click.Command:
    paragraphs = [*text, feature.exits] if feature.exits else text
    made = click.command(name, cls=Command, help="\n\n".join(paragraphs))(run)
    made.params.sort(key=lambda one: isinstance(one, click.Option) and one.name in OF_ALL)
    made.feature = feature
    return made


def _takes(write: Callable[..., Any], name: str) -> bool:
    """Return whether a form depends on an option such as the theme."""
    return name in inspect.signature(write).parameters


def _form(form: str | None, output: Path | None, made: Made) -> str:
    """Return the form of the result, after checking that it can be written."""
    report, writers = made.report, made.writers
    if output is not None and report.file is not None:
        check_suffix(output, *report.file[:2])
        check_target(output)
        output = None
    try:
        form = choose_form(form, output, writers, made.feature.files[1:] or ("txt",))
    except InputError as error:
        suffix = output.suffix[1:].lower() if output else ""
        takes = owner_of(
            click.get_current_context(),
            lambda one: one.name == "form" and suffix in getattr(one.type, "choices", ()),
        )
        remedy = f", or use {takes}" if takes else ""
        raise InputError(f"{error.message}{remedy}", path=error.path) from None
    if form in BINARY and _takes(writers[form], "theme"):
        from calmip.puzzle.render.lettering import need_matplotlib

        need_matplotlib()
    return form


@contextlib.contextmanager
def _written(made: Made, given: Mapping[str, Any], output: Path | None) -> Iterator[Path | None]:
    """Yield the path that a task writes to; output to stdout goes through a file."""
    kind, (what, *suffixes) = METAVARS[made.writes], made.feature.files or ("",)
    if output is None:
        if made.parameters[made.writes].default is inspect.Parameter.empty:
            text = made.helps[made.writes].rstrip(".")
            raise InputError(f"-o {kind} is missing. {text}")
        yield None
    elif output != STDOUT:
        if suffixes:
            check_suffix(output, what, suffixes)
        yield output
    elif kind == "DIR":
        raise InputError("the output is a folder; name it with -o DIR")
    else:
        suffix = given.get("suffix") or "".join(f".{one}" for one in suffixes[:1])
        if not suffix:
            remedy = "give --suffix as well" if "suffix" in given else "name a file: -o FILE"
            raise InputError(f"-o - does not determine the format; {remedy}")
        refuse_unused("-o FILE", "form")
        from calmip._base.files import scratch_folder

        with scratch_folder() as folder:
            yield folder / f"model{suffix}"


def _part(feature: Feature, output: Path | None) -> Path | None:
    """Return the file of partial results."""
    return (
        output.with_name(f"{output.name}.part")
        if feature.steps.part and output is not None
        else None
    )


def _do(made: Made, given: dict[str, Any], output: Path | None) -> Any:
    """Run a task, and show its progress."""
    kept, part = made.feature.steps, _part(made.feature, output)
    if kept.part:
        given["journal"] = part
    if isinstance(given.get("solver"), str):
        refuse_unheeded(given["solver"])
    if output is not None:
        check_target(output)
    left = kept.left if given["output"] or not made.writes else ""
    named = {name: one for name, one in given.items() if f"{{{name}}}" in left}
    left = left.format_map({name: clip(str(one), 300) for name, one in named.items()})
    if part is not None:
        left = f"are done; partial results are in {clip(part, 300)}; continue with --resume"
    elif kept.part:
        left = "are done; without -o nothing is kept"
    if kept.unfinished:
        done = given.get("journal")
        parts = f" but the parts that are done, to {clip(done, 300)}" if done else ""
        on_interrupt(lambda: kept.unfinished + parts)
    task = {one: given[one] for one in made.parameters if given.get(one) is not None}
    with contextlib.ExitStack() as stack:
        if kept.counts:
            show = progress(kept.counts, left)
            task["progress"] = stack.enter_context(show)
        elif (line := made.report.step) is not None and "progress" in made.parameters:
            task["progress"] = steps(None if given["quiet"] else line, left)
        try:
            return made.result(**task)
        except InputError as error:
            if error.path is not None or not error.where or error.where[0] not in task:
                raise
            raise InputError(f"{flag_named(str(error.where[0]))}: {error.message}") from None


def _deliver(made: Made, result: Any, given: Mapping[str, Any], output: Path | None) -> None:
    """Print or write a result in one of its forms."""
    form, file = given["form"], made.report.file
    if made.writes and given["stdout"]:
        deliver(Path(given[made.writes]).read_bytes(), BINARY[0], None)
        return
    if made.report.aside and form == "text":
        if not given["quiet"]:
            note(str(result))
        return
    if not result.known or (form in PICTURES and not result.has_picture):
        note(str(result))
        return
    path = None if file else output
    there = given["stdout"] and not file
    if path is not None or there or not (given["quiet"] or given["stdout"]):
        drawn = given.get("theme", AUTO), terminal_style(path), given.get("paper", PAPER)
        texts = made.call(files, result, form, *drawn)
        if len(texts) > 1 and path is None:
            raise InputError(
                f"the result has {len(texts)} files; name them with -o NAME.{form}, or use pdf"
            )
        for number, one in enumerate(texts, start=1):
            own = path.with_stem(f"{path.stem}-{number}") if path and len(texts) > 1 else path
            deliver(without_folder(one, given[FOLDER]), form, own)
    if file and given["output"] is not None and (text := file[-1](result)):
        deliver(text.encode(), form, output)
    notes = [made.report.picture_notes] * (form in PICTURES)
    notes += [made.report.notes] * (not given["quiet"])
    notes += [made.report.sizes] * bool(given.get("verbose"))
    for lines in notes:
        for line in lines(result):
            note(line)


def _tidy(feature: Feature, result: Any, output: Path | None) -> None:
    """Remove the file of partial results; if the result is not finished, note where it is."""
    part = _part(feature, output)
    unfinished = getattr(result, "stopped", False) or getattr(result, "unfinished", False)
    if part is not None and part.exists() and unfinished:
        note(f"partial results are in {clip(part, 300)}; continue with --resume")
    elif part is not None:
        with contextlib.suppress(OSError):  # the result is written
            part.unlink(missing_ok=True)


def _check(feature: Feature) -> None:
    """Refuse options that contradict each other, or that change nothing without another."""
    given = click.get_current_context().params
    if given.get("dask") not in (None, "local"):
        refuse_unused("--dask local, or without --dask,", "workers")
    if "reduce" in given and given.get("formulation") == PACKING:
        refuse_unused("a formulation of equations", "reduce")
    for name, option in feature.parameters.items():
        if option.needs and (not is_given(option.needs) or given[option.needs] == STDOUT):
            refuse_unused(flag_named(option.needs), name)
    for name, option in feature.parameters.items():
        for other in option.excludes:
            if is_given(name) and is_given(other):
                both = f"{_typed(name)} and {_typed(other)}"
                raise InputError(f"{both} exclude each other; leave out one of them")


def _typed(name: str) -> str:
    """Return an option or an argument of the current command as its help has it."""
    for one in click.get_current_context().command.params:
        if one.name == name and isinstance(one, click.Argument):
            return METAVARS.get(name, name.upper())
    return flag_named(name)


def _instance(given: dict[str, Any], made: Made) -> Instance | None:
    from calmip.puzzle.documents.reader import lacks_labels, read_instance

    if made.feature.remembered:
        from calmip.cli._remembered import last_puzzle

        given["source"] = last_puzzle(given["source"])
    if given["source"] is None:
        for name in OF_INSTANCES:
            refuse_unused("an INSTANCE", name)
        return None
    if made.feature.remembered and not given["reveal"] and not given["date"]:
        given["date"] = "today" if lacks_labels(given["source"]) else None
    chosen = {one: given[one] for one in OF_INSTANCES}
    instance = read_instance(given["source"], **chosen, free=made.feature.free)
    note_faults(instance.puzzle)
    return instance


def _source(given: dict[str, Any], made: Made) -> Any:
    from calmip.mip.files.model_files import READERS, is_model

    source = given["source"]
    if source is None or not is_model(Path(source)):
        refuse_unused("a model", "integer_default", *made.feature.only_models)
        try:
            return _instance(given, made)
        except InputError as error:
            suffix = Path(source or "").suffix.lower()
            if suffix in ("", ".yaml", ".yml") or "YAML" not in error.message:
                raise
            known = join_words([*READERS, ".yaml"])
            fault = f"{suffix} is not a suffix of a model or an instance; these are {known}"
            raise InputError(fault, path=error.path) from None
    if given["form"] in PICTURES and "form" not in made.feature.models:
        raise InputError(
            f"{given['form']} draws a board, and a model file has only columns; use text or json"
        )
    for name in click.get_current_context().params:
        if is_given(name) and name not in (*OF_MODELS, *OF_ALL, *made.feature.models):
            raise InputError(
                f"{clip(source, 200)} is a model, not a puzzle; leave out {flag_of(name)}"
            )
    return _model(source, given)


def _model(path: Path, given: Mapping[str, Any]) -> Model:
    from calmip.mip.files.model_files import read_model

    default = given["integer_default"]
    return read_model(path, integer_default=None if default is None else float(default))


def _puzzle(given: dict[str, Any], made: Made) -> Puzzle | str:
    from calmip.puzzle.documents.reader import read_instance, read_puzzle

    source: str = given["source"]
    if made.feature.remembered:
        from calmip.cli._remembered import last_puzzle

        source = last_puzzle(source)
    if made.parameters["puzzle"].annotation != "Puzzle":
        return source
    if not made.feature.free:
        return _with_flip(read_puzzle(source), given)
    instance = read_instance(source, free=True)
    if instance.placed:
        raise InputError("this command starts from an empty board; leave out the key 'placed'")
    return _with_flip(instance.puzzle, given)


def _frame(given: dict[str, Any], _: Made) -> Puzzle:
    from calmip.puzzle.documents.reader import read_board

    return _with_flip(read_board(given["source"]), given)


def _board(given: dict[str, Any], _: Made) -> Puzzle:
    from calmip.puzzle.documents.reader import read_board

    return read_board(given["source"], pieces=True)


def _with_flip(puzzle: Puzzle, given: dict[str, Any]) -> Puzzle:
    """Return a puzzle with the option --flip; note its faults."""
    flip = given["flip"]
    puzzle = puzzle if flip is None else puzzle.with_flip(flip)
    note_faults(puzzle)
    return puzzle


SOURCES: dict[str, Callable[[dict[str, Any], Made], Any]] = {
    "instance": _instance,
    "source": _source,
    "puzzle": _puzzle,
    "frame": _frame,
    "board": _board,
}
"""The readers of parameters that several options describe."""
