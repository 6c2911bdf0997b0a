"""``calmip export``."""

from __future__ import annotations

from pathlib import Path

import click

from calmip import models
from calmip.cli import exit_code
from calmip.cli._command import Explained, command
from calmip.cli._options import check_empty, instance_from, instance_options, note
from calmip.cli._progress import bar
from calmip.documents.reader import read_instance
from calmip.errors import InputError, shown
from calmip.formats.export import WRITERS
from calmip.tasks._library import library_dates
from calmip.tasks.export import Export, Library, export, export_dates

__all__ = ["export_command"]


@command(
    "export",
    "calmip export a-puzzle-a-day --reveal Feb,29 -o feb29.mps",
    "calmip export a-puzzle-a-day --date today -o today.lp --formulation pyomo",
    "calmip export a-puzzle-a-day --all-dates --suffix .lp.gz -o models",
)
@instance_options
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    required=True,
    help="The file: .mps .lp .opb .cnf .dlx .json .mod .mzn, data alone as .dat .dzn; each also "
    "with .gz. With --all-dates a folder.",
)
@click.option(
    "--formulation",
    type=Explained(models.ABOUT),
    default="matrix",
    show_default=True,
    help="Who writes .mps and .lp; matrix is calmip's own portable writer.",
)
@click.option("--reduce", is_flag=True, help="Leave out columns that no tiling can use.")
@click.option(
    "--count/--no-count",
    default=True,
    show_default=True,
    help="Say the number of tilings in the head of the file, where it is quickly counted.",
)
@click.option("--all-dates", is_flag=True, help="Write a file for every real date of a puzzle.")
@click.option(
    "--suffix",
    type=click.Choice([*WRITERS, *(f"{suffix}.gz" for suffix in WRITERS)]),
    help="With --all-dates: the format.  [default: .mps]",
)
@click.option("--force", is_flag=True, help="With --all-dates: replace files with another content.")
@click.option(
    "--resume", is_flag=True, help="With --all-dates: keep what is there already; the default."
)
def export_command(
    source: str,
    reveal: str | None,
    date: str | None,
    flip: bool | None,
    output: Path,
    formulation: str,
    reduce: bool,
    count: bool,
    all_dates: bool,
    suffix: str | None,
    force: bool,
    resume: bool,
) -> int:
    """Write the model of INSTANCE as a file for other solvers, by the file's suffix.

    With --all-dates every real date of INSTANCE's puzzle gets a file in the
    folder, beside index.csv and index.solu. If it was interrupted, run it
    again: files that are there already are compared and kept.
    """
    if all_dates:
        if reveal is not None or date is not None:
            raise InputError("--all-dates writes every date; leave out --reveal and --date")
        if reduce:
            raise InputError("--all-dates writes the textbook's models; leave out --reduce")
        instance = read_instance(source, flip=flip, free=True)
        check_empty(instance)
        where = f"in {shown(output, 300)}; run it again to go on"
        with bar("files", len(library_dates(instance.puzzle)), where) as step:
            written: Export | Library = export_dates(
                instance.puzzle,
                output,
                suffix=suffix or ".mps",
                formulation=formulation,
                force=force,
                progress=step,
            )
    elif suffix is not None or force or resume:
        raise InputError(
            "--suffix, --force and --resume go with --all-dates; the file's name says its format"
        )
    else:
        instance = instance_from(source, reveal, date, flip)
        written = export(instance, output, formulation=formulation, reduce=reduce, count=count)
    note(str(written))
    return exit_code(written)
