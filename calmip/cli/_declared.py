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
from shlex import quote
from typing import TYPE_CHECKING, Any

import click

from calmip._base.errors import InputError, clip, join_words
from calmip._base.files import check_target
from calmip._base.limits import Deadline
from calmip.cli._command import Command, owner_of
from calmip.cli._options import (
    BINARY,
    COMMON,
    PICTURES,
    STDOUT,
    check_suffix,
    choose_form,
    deliver,
    flag_of,
    format_option,
    is_given,
    note,
    note_faults,
    note_written,
    options_again,
    refuse_unheeded,
    refuse_unused,
    terminal_style,
)
from calmip.cli._parameters import (
    METAVARS,
    OF_INSTANCES,
    OF_MODELS,
    POOL,
    Made,
    add_output,
    add_parameter,
    flag_named,
)
from calmip.cli._stdin import stdin_as_file
from calmip.cli._work import EXIT_CODES, compare_with_search, on_interrupt, progress, steps
from calmip.features import Feature
from calmip.mip.display import PAPER
from calmip.mip.status import Status
from calmip.models import PACKING
from calmip.puzzle.documents.reader import read_board, read_instance, read_puzzle
from calmip.puzzle.instance import Instance
from calmip.puzzle.piece_set import PiecePool
from calmip.puzzle.puzzle import Puzzle
from calmip.puzzle.render.palette import AUTO
from calmip.puzzle.render.report import Output
from calmip.puzzle.render.reports import files

if TYPE_CHECKING:
    from calmip.mip.model import Model

__all__ = ["make_command"]

OF_ALL = ("form", "paper", "theme", "output", "quiet", "verbose")
"""The options of every command, which its help lists last."""


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
        with stdin_as_file(given):
            return _run(made, given)

    for parameter in reversed(list(made.parameters.values())):
        run = add_parameter(parameter, made, run, of_sources=parameter.name in SOURCES)
    file = made.report.file
    run = format_option([*made.writers], by_suffix=not made.writes and file is None)(run)
    for option in ("paper", "theme"):
        if any(_takes(write, option) for write in made.writers.values()):
            run = COMMON[option](run)
    run = COMMON["quiet"](run)
    if not made.writes:
        what = file[0] if file else "the result to a file"
        run = add_output(f"Write {what}; - is stdout.", "FILE")(run)
    return _command(run, name, feature, made.text)


def _run(made: Made, given: dict[str, Any]) -> int:
    """Run the task of a command, and deliver its result."""
    feature, report, output = made.feature, made.report, given["output"]
    given["stdout"] = output == STDOUT
    target = None if made.writes or given["stdout"] else output
    given["form"] = form = _form(given["form"], target, made)
    _check(feature)
    for source, read in SOURCES.items():
        if source in made.parameters:
            given[source] = read(given, made)
    if given.get("against") is not None and "integer_default" in given:  # a model, not a build
        given["against"] = _model(given["against"], given)
    with contextlib.ExitStack() as stack:
        if made.writes:
            given[made.writes] = stack.enter_context(_written(made, given, output))
        report.check(form, given)
        given["log"] = note if given.get("verbose") else None
        if feature.streams:
            from calmip.cli._own import enumerate as stream

            return stream(target, **given)
        found: list[int] = []
        several, remark = _several(given, target, report)
        clock, stopped = Deadline(given.get("time_limit")), False  # one clock for all
        for one, path in several:
            if found and clock.seconds is not None:
                one["time_limit"] = clock.left()
            result, status = _do(made, one, path)
            _deliver(made, result, one, path)
            if one.get("file") is not None:
                note_written(one["file"])
            _tidy(feature, result, path)
            stopped = getattr(result, "stopped", False)
            found.append(EXIT_CODES[Status.UNKNOWN if stopped else status])
            if stopped:
                break
    if feature.remembers:
        from calmip.cli._own import remember

        remember(click.get_current_context().params["source"])
    if remark:
        note(remark)
    return found[-1] if stopped else min(found, default=0)


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
        from calmip.puzzle.render.printing import need_matplotlib

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


def _several(
    given: dict[str, Any], output: Path | None, report: Output
) -> tuple[list[tuple[dict[str, Any], Path | None]], str]:
    """Return the arguments and the file of each run, and a remark on all."""
    years = given.get("year")
    if not isinstance(years, range):
        return [(given, output)], ""
    if output is None:
        raise InputError("each year is written to its own file; name the files with -o NAME.html")
    assert report.years is not None
    remark = report.years(given["puzzle"], years)  # before the work: it refuses missing labels
    made: list[tuple[dict[str, Any], Path | None]] = []
    for year in years:
        path = output.with_name(f"{output.stem}-{year}{output.suffix}")
        if not (given["resume"] and path.exists()):
            made.append(({**given, "year": year}, path))
    return made, remark


def _part(feature: Feature, output: Path | None) -> Path | None:
    """Return the file of partial results."""
    return (
        output.with_name(f"{output.name}.part")
        if feature.steps.part and output is not None
        else None
    )


def _do(made: Made, given: dict[str, Any], output: Path | None) -> tuple[Any, Status]:
    """Run a task, and show its progress; return the result, and the status for the exit code."""
    kept, part = made.feature.steps, _part(made.feature, output)
    if kept.part:
        given["journal"] = part
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
    if (
        made.feature.rival
        and isinstance(given["source"], Instance)
        and given["solver"] != "exact-cover"
    ):
        from calmip.puzzle.render.text import draw_tiling

        source = click.get_current_context().params["source"]
        remedy = ["calmip solve", quote(source), *options_again(), "--solver exact-cover"]
        compare_with_search(given["source"], given["solver"], " ".join(remedy), draw_tiling)
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
            deliver(one, form, own)
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
    if isinstance(given.get("solver"), str) and not feature.streams:
        refuse_unheeded(given["solver"])
    if "reduce" in given and given.get("formulation") == PACKING:
        refuse_unused("a formulation of equations", "reduce")
    if "names" in given and "answer" in given:
        from calmip.mip.files.model_files import is_model

        if given["answer"] is not None and not is_model(given["answer"]):
            refuse_unused("a model as FILE", "names", "limit")
    for name, option in feature.options.items():
        if option.needs and (not is_given(option.needs) or given[option.needs] == STDOUT):
            refuse_unused(flag_named(option.needs), name)
    for name, option in feature.options.items():
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
    if given["source"] is None and made.feature.remembered:
        from calmip.cli._own import last_puzzle

        given["source"] = last_puzzle(None)
        if not given["reveal"] and not given["date"]:
            given["date"] = "today"
    if given["source"] is None:
        for name in OF_INSTANCES:
            refuse_unused("an INSTANCE", name)
        return None
    from calmip.mip.files.model_files import is_model

    if "source" not in made.parameters and is_model(Path(given["source"])):
        fault = "is a model, not a puzzle or an instance; solve it with calmip solve FILE"
        raise InputError(fault, path=clip(given["source"], 200))
    chosen = {one: given[one] for one in OF_INSTANCES}
    instance = read_instance(given["source"], **chosen, free=made.feature.free)
    note_faults(instance.puzzle)
    return instance


def _source(given: dict[str, Any], made: Made) -> Any:
    from calmip.mip.files.model_files import READERS, is_model

    source = given["source"]
    if source is None or not is_model(Path(source)):
        refuse_unused("a model", "integer_default")
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
    source: str = given["source"]
    if made.feature.remembered:
        from calmip.cli._own import last_puzzle

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
    return _with_flip(read_board(given["source"]), given)


def _board(given: dict[str, Any], _: Made) -> Puzzle:
    return read_board(given["source"], pieces=True)


def _with_flip(puzzle: Puzzle, given: dict[str, Any]) -> Puzzle:
    """Return a puzzle with the option --flip; note its faults."""
    flip = given["flip"]
    puzzle = puzzle if flip is None else puzzle.with_flip(flip)
    note_faults(puzzle)
    return puzzle


def _pool(given: dict[str, Any], _: Made) -> PiecePool:
    from calmip.design.piece_set_words import read_pool

    asked = {name: given.pop(f"pool_{name}") for name in POOL}
    return read_pool(asked.pop("words"), given["frame"], **asked)


SOURCES: dict[str, Callable[[dict[str, Any], Made], Any]] = {
    "instance": _instance,
    "source": _source,
    "puzzle": _puzzle,
    "frame": _frame,
    "board": _board,
    "pool": _pool,
}
"""The readers of parameters that several options describe."""
