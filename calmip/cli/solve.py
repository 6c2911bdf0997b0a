"""``calmip solve``."""

from __future__ import annotations

from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any

import click

from calmip.cli import exit_code
from calmip.cli._command import command
from calmip.cli._options import (
    check_alone,
    instance_from,
    instance_or_model_options,
    note,
    options_again,
    reduce_option,
    refuse_unheeded,
    solver_options,
    terminal_style,
)
from calmip.cli._pictures import (
    PICTURES,
    chosen_form,
    deliver_data,
    format_option,
    refuse_pictures,
    theme_option,
)
from calmip.cli._work import compare_with_search
from calmip.errors import InputError
from calmip.formats.model_files import read_model
from calmip.render.reports import data
from calmip.render.reports import solve as report
from calmip.render.text import draw_tiling
from calmip.tasks.solve import STARTS, solve

if TYPE_CHECKING:
    from calmip.tasks._source import Source

__all__ = ["solve_command"]


@command(
    "solve",
    "calmip solve a-puzzle-a-day --date today",
    "calmip solve a-puzzle-a-day --reveal month=Feb,day=29 --solver cbc",
    "calmip solve hex43-v1 --date +3 -o hexagons.svg",
)
@instance_or_model_options
@solver_options
@reduce_option
@click.option(
    "--start",
    type=click.Choice(STARTS),
    default="none",
    show_default=True,
    help="Hand the solver a tiling that the exact-cover search has found.",
)
@format_option(*report.FORMS)
@theme_option
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Write to a file.")
@click.option("-q", "--quiet", is_flag=True, help="Print nothing; the exit code tells.")
@click.option("-v", "--verbose", is_flag=True, help="Show the solver's own lines on stderr.")
def solve_command(
    source: str | None,
    reveal: str | None,
    date: str | None,
    flip: bool | None,
    model: Path | None,
    solver: str,
    formulation: str,
    time_limit: float | None,
    seed: int,
    threads: int,
    reduce: bool,
    start: str,
    form: str | None,
    theme: str,
    output: Path | None,
    quiet: bool,
    verbose: bool,
) -> int:
    """Find one tiling of INSTANCE, or prove that there is none.

    INSTANCE is the path of an instance or a puzzle in YAML, or the name of a
    bundled puzzle (see: calmip puzzles). With --model a file is solved that
    somebody wrote by hand or with another program.
    """
    form = chosen_form(form, output, report.FORMS)
    refuse_unheeded(solver)
    subject: Source
    settings: dict[str, Any] = {}
    if model is not None:
        refuse_pictures(form)
        check_alone(
            ("solver", "time_limit", "seed", "threads", "form", "output", "quiet", "verbose")
        )
        subject = read_model(model)
    elif source is None:
        raise InputError("name an INSTANCE, or give --model FILE (see calmip solve --help)")
    else:
        subject = instance_from(source, reveal, date, flip)
        settings = {"formulation": formulation, "reduce": reduce, "start": start}
        if solver != "exact-cover":
            exact = ["calmip solve", quote(source), *options_again(), "--solver exact-cover"]
            compare_with_search(subject, solver, " ".join(exact), draw_tiling)
    solution = solve(
        subject,
        solver=solver,
        time_limit=time_limit,
        seed=seed,
        threads=threads,
        log=note if verbose else None,
        **settings,
    )
    if form in PICTURES and not solution.tilings:
        note(str(solution))
    elif output is not None or not quiet:
        deliver_data(data(solution, form, theme, terminal_style(output)), form, output)
    return exit_code(solution)
