"""``calmip enumerate``."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from calmip._limits import Progress
from calmip.cli import EXIT_CODES, FOUND, LIMIT
from calmip.cli._command import Explained, command
from calmip.cli._options import (
    check_alone,
    instance_from,
    instance_or_model_options,
    memory_limit_option,
    note,
    note_written,
    output_stream,
    reduce_option,
    refuse_unheeded,
    refuse_unused,
    solver_options,
    terminal_style,
)
from calmip.cli._pictures import (
    MOST,
    PICTURES,
    chosen_form,
    deliver_data,
    format_option,
    refuse_pictures,
    theme_option,
)
from calmip.cli._progress import counter
from calmip.cli._streams import ReaderLeft
from calmip.cli._work import INTERRUPTED, compare_with_search
from calmip.errors import InputError
from calmip.errors import shown as quoted
from calmip.formats.model_files import read_model
from calmip.models import packs
from calmip.render.reports import data
from calmip.render.reports import enumerate as report
from calmip.tasks._enumeration import METHODS, OF_MODELS, Enumeration
from calmip.tasks._journal import saved
from calmip.tasks._no_good import CUTS
from calmip.tasks.enumerate import SolutionPool

if TYPE_CHECKING:
    from calmip.problem.instance import Instance

__all__ = ["enumerate_command"]

MODEL_OPTIONS = ("method", "limit", "time_limit", "form", "output", "quiet", "verbose")
"""The parameters that concern model files."""


@command(
    "enumerate",
    "calmip enumerate a-puzzle-a-day --reveal Feb,29",
    "calmip enumerate a-puzzle-a-day --date today --method one-tree --limit 5",
    "calmip enumerate a-puzzle-a-day --reveal Oct,6 -o oct6.jsonl",
)
@instance_or_model_options
@click.option(
    "--method",
    type=Explained(METHODS),
    default="exact-cover",
    show_default="exact-cover; one-tree with --model",
)
@click.option("--limit", type=int, metavar="N", help="Stop after so many tilings.")
@memory_limit_option("Stop where the process would take more memory.")
@click.option(
    "--up-to-symmetry", is_flag=True, help="Of tilings that are symmetric images show one."
)
@click.option(
    "--cut", type=click.Choice(list(CUTS)), default="near", show_default=True, help="With no-good."
)
@click.option(
    "--swaps",
    type=click.IntRange(0, 8),
    default=5,
    show_default=True,
    help="With no-good: pieces to exchange after each solve.",
)
@solver_options
@reduce_option
@format_option(*report.FORMS)
@theme_option
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Write to a file.")
@click.option(
    "--resume", is_flag=True, help="With -o FILE.jsonl: go on where an earlier run ended."
)
@click.option("-q", "--quiet", is_flag=True, help="Print nothing; the exit code tells.")
@click.option("-v", "--verbose", is_flag=True, help="Show the solver's own lines on stderr.")
@click.pass_context
def enumerate_command(
    context: click.Context,
    /,
    source: str | None,
    model: Path | None,
    reveal: str | None,
    date: str | None,
    flip: bool | None,
    form: str | None,
    theme: str,
    output: Path | None,
    resume: bool,
    quiet: bool,
    verbose: bool,
    **settings: Any,
) -> int:
    """Find all tilings of INSTANCE, or all solutions of a model file.

    Tilings appear as they are found. The exit code is 0 if there are proved
    to be no others, 1 if there is none, 3 if a limit came first. After Ctrl-C
    (130) what was found is kept. --solver, --formulation, --seed, --threads,
    --cut and --swaps go with --method no-good. An enumeration that was killed has left its
    tilings in FILE.part; --resume goes on from there. A picture shows all
    tilings on one sheet, as PDF on pages; it stops at 1,000 tilings unless
    --limit says otherwise.

    With --model, the solutions are the 0/1 points that satisfy every row of the
    file, whatever it is a model of and whatever its objective; each is shown by
    the names of the columns that are one.
    """
    form = chosen_form(form, output, report.FORMS)
    wanted = output is not None or not quiet
    if model is not None:
        _check_model_options(context, form)
        limits = {name: settings[name] for name in ("limit", "time_limit")}
        search = Enumeration(read_model(model), keep=form == "json", **limits)
    elif source is None:
        raise click.UsageError("give an INSTANCE or --model FILE", context)
    else:
        if resume and (form != "jsonl" or output is None):
            raise InputError("--resume goes with a file of lines: -o FILE.jsonl")
        instance = instance_from(source, reveal, date, flip)
        search = _enumeration(instance, form, log=note if verbose else None, **settings)
    style = terminal_style(output)
    shown: dict[str, Callable[[Any], str]] = {
        "text": lambda solution: report.entry(search, search.count, solution, style),
        "jsonl": report.lines(search),
    }
    with contextlib.ExitStack() as stack:
        found: Iterator[Any] = iter(search)
        write: Callable[[str], None] = _nowhere
        if form == "jsonl" and output is not None and search.of_instance:
            lines = saved(search, output, resume=resume)
            found = stack.enter_context(contextlib.closing(lines))
        elif form not in PICTURES and wanted:
            write = stack.enter_context(output_stream(output))
        left = _stream(search, found, write, shown.get(form), f"{search.what}s")
        with contextlib.suppress(ReaderLeft):
            if form == "text":
                write(report.verdict(search) + "\n")
            elif form == "json":
                for part in report.json_parts(SolutionPool.of(search)):
                    write(part)
    if form in PICTURES and search.count and wanted:
        deliver_data(data(SolutionPool.of(search), form, theme), form, output)
    if left:
        return FOUND
    _notes(search, form, output, verbose=verbose)
    if search.stopped == "interrupt":
        return INTERRUPTED
    return EXIT_CODES[search.status] if search.complete else LIMIT


def _enumeration(instance: Instance, form: str, **settings: Any) -> Enumeration:
    """Return the enumeration of an instance that the options ask for.

    Raises
    ------
    InputError
        If one of them is out of range, or changes nothing.
    """
    if form in PICTURES and settings["limit"] is None:
        settings["limit"] = MOST
    _check_method(**settings)
    search = Enumeration(instance, keep=form == "json" or form in PICTURES, **settings)
    if search.method != next(iter(METHODS)):
        compare_with_search(instance, search.method, f"leave out --method {search.method}")
    return search


def _notes(search: Enumeration, form: str, output: Path | None, *, verbose: bool) -> None:
    """Say on stderr how it ended where stdout does not say it, and what Ctrl-C has left."""
    interrupted = search.stopped == "interrupt"
    if form in ("jsonl", *PICTURES) or output is not None or interrupted:
        note(report.verdict(search))
    if not search.of_instance:
        if verbose and search.statistics is not None:
            note(report.statistics(search.statistics))
        return
    if form == "jsonl" and output is not None:
        note_written(output)
    if interrupted and output is not None and search.count:
        more = "; go on with --resume" if form == "jsonl" else ""
        note(f"they are in {quoted(output, 300)}{more}")


def _stream(
    search: Enumeration,
    found: Iterator[Any],
    write: Callable[[str], None],
    shown: Callable[[Any], str] | None,
    what: str,
) -> bool:
    """Write what is found as it comes, until the end or Ctrl-C; return whether the reader left.

    Whoever reads a pipe may have seen enough. Then there is no use to go on.
    """
    try:
        with counter(what) as count:
            for one in found:
                if shown is not None:
                    write(shown(one))
                count(Progress(search.count))
    except KeyboardInterrupt:
        # It may have come while something was written, and not to the search.
        search.stopped = "interrupt"
    except ReaderLeft:
        return True
    return False


def _nowhere(_: str) -> None:
    """Drop a text."""


def _check_method(method: str, solver: str, formulation: str, **_: Any) -> None:
    """Refuse options that the method has no use for.

    Raises
    ------
    InputError
        If one was given.
    """
    if method != "no-good":
        refuse_unused(
            "--method no-good",
            "solver", "formulation", "seed", "threads", "cut", "swaps", "verbose",
        )  # fmt: skip
    else:
        refuse_unheeded(solver)
    if method == "exact-cover":
        refuse_unused("--method one-tree or no-good", "reduce")
    elif method == "no-good" and packs(formulation):
        refuse_unused("a formulation of equations", "reduce")


def _check_model_options(context: click.Context, form: str) -> None:
    """Refuse what was given that a model file has no use for.

    Raises
    ------
    InputError
        If an argument or an option concerns instances only.
    """
    refuse_pictures(form)
    check_alone(MODEL_OPTIONS)
    given = context.get_parameter_source("method") is ParameterSource.COMMANDLINE
    if given and context.params["method"] != OF_MODELS:
        raise InputError(f"--model goes with --method {OF_MODELS} only")
