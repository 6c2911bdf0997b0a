"""``calmip design``."""

from __future__ import annotations

from pathlib import Path

import click
from click.core import ParameterSource

from calmip._files import check_target
from calmip.cli import LIMIT, exit_code
from calmip.cli._command import Explained, Source, command
from calmip.cli._options import (
    deliver,
    note,
    note_faults,
    note_written,
    refuse_workers,
    time_limit_option,
)
from calmip.cli._pictures import refuse_other_suffixes
from calmip.cli._progress import bar, counter
from calmip.cli._work import kept
from calmip.documents.description import puzzle_text
from calmip.documents.pool import read_pool
from calmip.documents.reader import read_board
from calmip.errors import InputError, shown
from calmip.render.reports import data
from calmip.render.reports.design import FORMS
from calmip.tasks._design_model import design_by_model
from calmip.tasks.design import ORDERS, Design, design
from calmip.tasks.rearrange import check_groups

__all__ = ["design_command"]

METHODS = {
    "count": "Decide all sets, many in one count.",
    "model": "Let an integer program choose one set; slow, for teaching and for hopeless pools.",
}

AS_COUNTED = ("by", "at_least", "limit", "workers", "dask", "yes", "resume")
"""The parameters that say nothing about the integer program."""

BEST, STARTS = 3, 8
"""The labels are arranged for so many sets, each from so many beginnings."""


@command(
    "design",
    "calmip design a-puzzle-a-day --pool pentominoes --with O6 --pieces 8",
    "calmip design a-puzzle-a-day --pool pentominoes,hexominoes --pieces 8 --workers 2",
    "calmip design hex43-v1 --pool tetrahexes,tetrahexes --with 5-11 --pieces 10 -o best.yaml",
)
@click.argument("source", type=Source(), metavar="BOARD")
@click.option(
    "--pool",
    "words",
    required=True,
    metavar="WORDS",
    help="Pieces to choose from: pentominoes, 'polyominoes<=5', tetrahexes, L,N,P, or a YAML file.",
)
@click.option("--pieces", type=int, metavar="N", help="How many, those of --with included.")
@click.option("--with", "required", multiple=True, metavar="PIECE", help="In every set.")
@click.option("--without", "excluded", multiple=True, metavar="PIECE", help="In no set.")
@click.option("--repeat", is_flag=True, help="A piece may be in a set more than once.")
@click.option("--flip/--no-flip", default=None, help="Whether pieces may be turned over.")
@click.option(
    "--by", type=click.Choice(list(ORDERS)), default="min", show_default=True, help="What is best."
)
@click.option(
    "--at-least", type=int, default=1, show_default=True, metavar="K", help="Tilings of each date."
)
@click.option("--limit", type=int, metavar="N", help="Stop once N working sets are found.")
@click.option("--method", type=Explained(METHODS), default="count", show_default=True)
@click.option(
    "--model",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="With --method model: write the last integer program, as .mps or .lp.",
)
@click.option(
    "--rearrange",
    "rearranging",
    is_flag=True,
    help="Then arrange the labels for the three best sets, as calmip rearrange does.",
)
@time_limit_option()
@click.option(
    "--workers", type=click.IntRange(1, 64), default=1, show_default=True, help="Threads at work."
)
@click.option(
    "--dask",
    metavar="ADDRESS",
    help="Decide on a Dask cluster; local: on one of --workers processes here.",
)
@click.option("--yes", is_flag=True, help="Begin even if there are more than a million sets.")
@click.option("--format", "form", type=click.Choice(list(FORMS)), default="text", show_default=True)
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), help="Write the best puzzle as YAML."
)
@click.option("--resume", is_flag=True, help="With -o: go on where a run ended.")
@click.pass_context
def design_command(
    context: click.Context,
    /,
    source: str,
    words: str,
    pieces: int | None,
    required: tuple[str, ...],
    excluded: tuple[str, ...],
    repeat: bool,
    flip: bool | None,
    by: str,
    at_least: int,
    limit: int | None,
    method: str,
    model: Path | None,
    rearranging: bool,
    time_limit: float | None,
    workers: int,
    dask: str | None,
    yes: bool,
    form: str,
    output: Path | None,
    resume: bool,
) -> int:
    """Find the sets of pieces with which every date of BOARD can be solved.

    BOARD is the name of a bundled puzzle, or a YAML file with a board and what it
    uncovers; its pieces, if there are any, play no part. Every set of pieces of
    the pool whose areas add up is decided, and its tilings of each date are
    counted. The best come first: by the fewest tilings of a date (min), the
    median or the total, the more the better; by the greatest number over the
    least (spread), the less the better; or by the dates with a single tiling
    (unique). Then come the near misses.

    With --rearrange the months and days are then put in other places for the
    three best sets, so that the year grows difficult, and -o writes the best
    set's puzzle with the new places. The time limit is not for this.

    The exit code is 0 if a set works, 1 if all were decided and none does, 3 if
    a limit came first. With -o what is decided stands in FILE.part meanwhile,
    and stays there if a limit comes first; --resume goes on from there.
    """
    refuse_other_suffixes(output, "a puzzle in YAML", ["yaml"])
    if resume and output is None:
        raise InputError("--resume goes with -o FILE")
    refuse_workers(dask)
    frame = read_board(source)
    note_faults(frame)
    if flip is not None:
        frame = frame.with_flip(flip)
    pool = read_pool(
        words, frame, number=pieces, required=required, excluded=excluded, repeat=repeat
    )
    if rearranging:
        check_groups(frame)
    if method == "model":
        for name in AS_COUNTED:
            if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
                raise InputError(f"--{name.replace('_', '-')} goes with --method count only")
        with counter("dates in the model", silent=True) as show:
            found = design_by_model(frame, pool, time_limit=time_limit, file=model, progress=show)
        if model is not None:
            note_written(model)
        _deliver(found, form, output, rearranging)
        return exit_code(found)
    if model is not None:
        raise InputError("--model FILE goes with --method model")
    journal = None
    where = "and nothing is written"
    if output is not None:
        check_target(output)
        journal = output.with_name(output.name + ".part")
        where = (
            f"and the parts of the pool that were decided are in {shown(journal, 300)}; "
            "go on with --resume"
        )
        kept(where.removeprefix("and "))
    with counter(f"of {pool.sets:,} sets decided", silent=True) as show:
        found = design(
            frame,
            pool,
            by=by,
            at_least=at_least,
            limit=limit,
            time_limit=time_limit,
            workers=workers,
            dask=dask,
            journal=journal,
            resume=resume,
            yes=yes,
            progress=show,
        )
    _deliver(found, form, output, rearranging, where)
    if journal is not None and found.complete:
        journal.unlink(missing_ok=True)
    elif journal is not None:
        note(where.removeprefix("and "))
    return exit_code(found) if found.complete else LIMIT


def _deliver(
    found: Design,
    form: str,
    output: Path | None,
    rearranging: bool,
    where: str = "and nothing is written",
) -> None:
    """Print what was found, rearranged if that is asked for, and write the best puzzle."""
    if rearranging and found.working:
        with bar("starts", min(BEST, len(found.working)) * STARTS, f"are done, {where}") as step:
            found = found.rearrange(BEST, starts=STARTS, progress=step)
    deliver(data(found, form).decode(), None)
    if output is not None and found.rearranged:
        deliver(puzzle_text(found.rearranged[0].puzzle), output)
    elif output is not None and found.working:
        deliver(puzzle_text(found.puzzle(found.working[0])), output)
