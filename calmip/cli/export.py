"""``calmip export``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from calmip import models
from calmip.cli import exit_code
from calmip.cli._command import Explained, command
from calmip.cli._options import (
    check_empty,
    instance_from,
    note,
    optional_instance_options,
    refuse_unused,
)
from calmip.cli._progress import bar
from calmip.documents.reader import read_instance
from calmip.errors import InputError, shown
from calmip.formats.covers import FORMATS
from calmip.formats.model_files import WRITERS
from calmip.tasks.campaign.document import read_campaign
from calmip.tasks.export import Export, Library, export, export_dates, export_suite

__all__ = ["export_command"]


def _suffixes(*, data: bool) -> str:
    return " ".join(suffix for suffix in WRITERS if FORMATS[suffix].data is data)


@command(
    "export",
    "calmip export a-puzzle-a-day --reveal Feb,29 -o feb29.mps",
    "calmip export a-puzzle-a-day --date today -o today.lp --formulation pyomo",
    "calmip export a-puzzle-a-day --all-dates --suffix .lp.gz -o models",
)
@optional_instance_options
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    required=True,
    help=f"The file: {_suffixes(data=False)}, data alone as {_suffixes(data=True)}; each also "
    "with .gz. A library is a folder.",
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
    "--suite", metavar="NAME", help="Write the models of a suite, or of a campaign's file."
)
@click.option(
    "--suffix",
    type=click.Choice([*WRITERS, *(f"{suffix}.gz" for suffix in WRITERS)]),
    help="With a library: the format.  [default: .mps]",
)
@click.option("--force", is_flag=True, help="With a library: replace files with another content.")
@click.option(
    "--resume", is_flag=True, help="With a library: keep what is there already; the default."
)
def export_command(
    source: str | None,
    reveal: str | None,
    date: str | None,
    flip: bool | None,
    output: Path,
    formulation: str,
    reduce: bool,
    count: bool,
    all_dates: bool,
    suite: str | None,
    suffix: str | None,
    force: bool,
    resume: bool,
) -> int:
    """Write the model of INSTANCE as a file for other solvers, by the file's suffix.

    --all-dates and --suite write a library: a folder with a file for every
    real date of INSTANCE's puzzle, or for every instance of a suite, beside
    index.csv, index.solu, README.md, LICENSE, CITATION.cff and SHA256SUMS. If
    it was interrupted, run it again: files that are there already are compared
    and kept.
    """
    if suite is not None or all_dates:
        if reveal is not None or date is not None:
            raise InputError("a library has every date; leave out --reveal and --date")
        if reduce:
            raise InputError("a library has the textbook's models; leave out --reduce")
        if suite is not None and (all_dates or source is not None or flip is not None):
            raise InputError("--suite NAME says what is written; leave out all other instances")
        refuse_unused("a single file", "count")
        where = f"in {shown(output, 300)}; run it again to go on"
        settings: dict[str, Any] = {
            "suffix": suffix or ".mps", "formulation": formulation, "force": force,
        }  # fmt: skip
        if suite is not None:
            with bar("files", len(read_campaign(suite).instances), where) as step:
                written: Export | Library = export_suite(suite, output, progress=step, **settings)
        else:
            instance = read_instance(_named(source), flip=flip, free=True)
            check_empty(instance)
            with bar("files", len(instance.puzzle.named_dates()), where) as step:
                written = export_dates(instance.puzzle, output, progress=step, **settings)
    elif suffix is not None or force or resume:
        raise InputError(
            "--suffix, --force and --resume go with --all-dates and --suite; the file's name says "
            "its format"
        )
    else:
        instance = instance_from(_named(source), reveal, date, flip)
        written = export(instance, output, formulation=formulation, reduce=reduce, count=count)
    note(str(written))
    return exit_code(written)


def _named(source: str | None) -> str:
    if source is None:
        raise InputError("name an INSTANCE to write, or a suite with --suite NAME")
    return source
