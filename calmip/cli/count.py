"""``calmip count``."""

from __future__ import annotations

from pathlib import Path

import click

from calmip.cli import exit_code
from calmip.cli._command import command
from calmip.cli._options import (
    instance_options,
    note,
    note_faults,
    refuse_workers,
    sharing_options,
    time_limit_option,
)
from calmip.cli._pictures import chosen_form, deliver_data, format_option
from calmip.cli._progress import counter
from calmip.cli._work import kept
from calmip.documents.reader import read_instance
from calmip.errors import shown
from calmip.problem.status import Status
from calmip.render.reports import count as report
from calmip.render.reports import data
from calmip.tasks.count import count

__all__ = ["count_command"]


@command(
    "count",
    "calmip count a-puzzle-a-day",
    "calmip count praxis-rhombus --date today",
    "calmip count a-puzzle-a-day --any-two-cells --format csv",
)
@instance_options
@click.option("--any-two-cells", is_flag=True, help="Uncover any two cells, whatever the labels.")
@click.option("--any-cells", type=int, metavar="K", help="Uncover any K cells.")
@click.option(
    "--up-to-symmetry", is_flag=True, help="Say how many there are if mirror images count once."
)
@time_limit_option("Give up after so many seconds.")
@sharing_options
@click.option("--dask", metavar="ADDRESS", help="Count parts on a Dask cluster; local: one here.")
@click.option("--parts", type=int, metavar="N", help="Count in so many parts.")
@click.option(
    "--journal",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Keep each part that is done in FILE, and go on from there.",
)
@format_option(*report.FORMS)
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Write to a file.")
def count_command(
    source: str,
    reveal: str | None,
    date: str | None,
    flip: bool | None,
    any_two_cells: bool,
    any_cells: int | None,
    up_to_symmetry: bool,
    time_limit: float | None,
    workers: int,
    memory_limit: float | None,
    dask: str | None,
    parts: int | None,
    journal: Path | None,
    form: str | None,
    output: Path | None,
) -> int:
    """Count the tilings of INSTANCE, for every label of each group that is free.

    A puzzle without labels counts its whole year in one search. The exit code
    is 0 if there is any tiling, 1 if there is none, 3 if the time limit came
    first; then, and after Ctrl-C (130), nothing is written: a part of a count
    is no count. --up-to-symmetry also counts tilings once that are carried into
    each other by a motion under which what is to be covered stays the same.
    """
    form = chosen_form(form, output, report.FORMS)
    refuse_workers(dask)
    if any_two_cells and any_cells is not None:
        raise click.UsageError("--any-two-cells is --any-cells 2; give one of them")
    if (any_two_cells or any_cells is not None) and (reveal or date):
        raise click.UsageError("any cells are counted whatever the labels; leave out which")
    instance = read_instance(source, reveal=reveal, date=date, flip=flip, free=True)
    note_faults(instance.puzzle)
    done = "" if journal is None else f" but the parts that are done, to {shown(journal, 300)}"
    kept(f"not all tilings were counted, so nothing is written{done}")
    with counter("states", silent=True) as show:
        counts = count(
            instance,
            any_cells=2 if any_two_cells else any_cells,
            up_to_symmetry=up_to_symmetry,
            time_limit=time_limit,
            workers=workers,
            memory_limit=memory_limit,
            dask=dask,
            parts=parts,
            journal=journal,
            progress=show,
        )
    if counts.status is Status.UNKNOWN:
        note(str(counts))
        return exit_code(counts)
    deliver_data(data(counts, form), form, output)
    return exit_code(counts)
