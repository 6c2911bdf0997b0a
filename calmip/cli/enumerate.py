"""``calmip enumerate``."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from calmip.cli import FOUND, INTERRUPTED, LIMIT, NONE
from calmip.cli._options import (
    instance_from,
    instance_or_model_options,
    note,
    output_stream,
    solver_options,
    terminal_style,
)
from calmip.cli._pictures import (
    MOST,
    PICTURES,
    chosen_form,
    deliver_data,
    draw_tilings,
    refuse_pictures,
    theme_option,
)
from calmip.cli._progress import counter
from calmip.documents.description import describe_instance, describe_tiling, json_text
from calmip.errors import InputError
from calmip.render.text import draw_tiling
from calmip.tasks._no_good import CUTS
from calmip.tasks._resume import earlier_tilings
from calmip.tasks.enumerate import METHODS, Enumeration

__all__ = ["enumerate_command"]

FORMS = ("text", "json", "jsonl", *PICTURES)


@click.command("enumerate")
@instance_or_model_options
@click.option(
    "--method",
    type=click.Choice(METHODS),
    default="exact-cover",
    show_default="exact-cover; one-tree with --model",
)
@click.option("--limit", type=int, metavar="N", help="Stop after so many tilings.")
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
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMS),
    help="By the suffix of -o unless given, else text.",
)
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
    (130) what was found is kept. --solver, --formulation, --seed and --threads
    concern the method no-good. An enumeration that was killed has left its
    tilings in FILE.part; --resume goes on from there. A picture shows all
    tilings on one sheet, as PDF on pages; it stops at 1,000 tilings unless
    --limit says otherwise.

    With --model, the solutions are the 0/1 points that satisfy every row of the
    file, whatever it is a model of and whatever its objective; each is shown by
    the names of the columns that are one.
    """
    form = chosen_form(form, output, FORMS)
    if model is not None:
        refuse_pictures(form)
        from calmip.cli._enumerate_model import enumerate_model, refuse_instance_options

        refuse_instance_options(context)
        limits = {name: settings[name] for name in ("limit", "time_limit")}
        return enumerate_model(
            model, **limits, form=form, output=output, quiet=quiet, verbose=verbose
        )
    if source is None:
        raise click.UsageError("give an INSTANCE or --model FILE", context)
    if form in PICTURES and settings["limit"] is None:
        settings["limit"] = MOST
    instance = instance_from(source, reveal, date, flip)
    kept = 0
    if resume:
        if form != "jsonl" or output is None:
            raise InputError("--resume goes with a file of lines: -o FILE.jsonl")
        settings["known"], kept = earlier_tilings(instance, output)
    search = Enumeration(instance, log=note if verbose else None, **settings)
    interrupted = False
    with contextlib.ExitStack() as stack:
        show = Writer(form, None)
        if form not in PICTURES and (output is not None or not quiet):
            show = Writer(form, stack.enter_context(output_stream(output, kept)), output=output)
        try:
            with counter("tilings") as count:
                first = len(settings.get("known", ())) + 1
                for number, tiling in enumerate(search, start=first):
                    show.tiling(number, tiling)
                    count(number)
        except KeyboardInterrupt:
            interrupted = True
            # It may have come while a tiling was written, and not to the search.
            search.stopped = "interrupt"
        show.end(search, settings)
    if form in PICTURES and search.tilings and (output is not None or not quiet):
        deliver_data(draw_tilings(search.tilings, form, theme), form, output)
    if form in ("jsonl", *PICTURES) or output is not None or interrupted:
        note(summary(search))
    return INTERRUPTED if interrupted else exit_code(search)


def exit_code(search: Enumeration) -> int:
    """Return the exit code of an enumeration that ended by itself."""
    if not search.complete:
        return LIMIT
    return FOUND if search.tilings else NONE


class Writer:
    """Writes tilings in one of the forms, as they come or at the end."""

    def __init__(
        self,
        form: str,
        write: Callable[[str], None] | None,
        *,
        output: Path | None = None,
    ) -> None:
        self._form = form
        self._write = write
        self._style = terminal_style(output)

    def tiling(self, number: int, tiling: Any) -> None:
        """Write one tiling, unless the form is one JSON document."""
        if self._write is None:
            return
        if self._form == "jsonl":
            self._write(json_text(describe_tiling(tiling)))
        elif self._form == "text":
            self._write(
                f"{number}. {' '.join(tiling.labels)}\n{draw_tiling(tiling, self._style)}\n\n"
            )

    def end(self, search: Enumeration, settings: dict[str, Any]) -> None:
        """Write what comes at the end."""
        if self._write is None:
            return
        if self._form == "text":
            self._write(summary(search) + "\n")
        elif self._form == "json":
            self._write(json_text(describe_enumeration(search, settings)))


def summary(search: Enumeration) -> str:
    """Return one line: how many tilings, and whether they are all."""
    count = len(search.tilings)
    found = f"{count} tiling{'' if count == 1 else 's'}"
    size = f"{search.columns} columns x {search.rows} rows, {search.seconds:.2f} s"
    if search.complete:
        end = "complete: proved that there are no more" if count else "proved that there is none"
    else:
        why = {
            "limit": "stopped at the limit",
            "time": "stopped at the time limit",
            "interrupt": "interrupted",
        }.get(search.stopped, "stopped")
        end = f"not complete: {why}, there may be more"
    return f"{found}, {end} ({search.method}, {size})"


def describe_enumeration(search: Enumeration, settings: dict[str, Any]) -> dict[str, Any]:
    """Return an enumeration's result with the keys in their documented order."""
    by_solver = search.method == "no-good"
    status = "feasible" if search.tilings else "infeasible" if search.complete else "unknown"
    return {
        "instance": describe_instance(search.instance),
        "status": status,
        "complete": search.complete,
        "stopped": search.stopped,
        "method": search.method,
        "solver": settings["solver"] if by_solver else None,
        "formulation": settings["formulation"] if by_solver else None,
        "columns": search.columns,
        "rows": search.rows,
        "seconds": {"total": round(search.seconds, 6)},
        "count": len(search.tilings),
        "tilings": [describe_tiling(tiling) for tiling in search.tilings],
    }
