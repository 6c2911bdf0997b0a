"""``calmip export`` and ``calmip check``."""

from __future__ import annotations

import tempfile
from pathlib import Path

import click

from calmip.cli import FOUND, NONE
from calmip.cli.options import (
    deliver,
    instance_from,
    instance_options,
    note,
    terminal_style,
)
from calmip.cover import ExactCover
from calmip.errors import InputError, NotATiling
from calmip.formats.comments import header
from calmip.formats.export import write_cover
from calmip.formats.files import suffix_of, write_text
from calmip.formats.points import chosen_options, violations
from calmip.formats.solution_files import read_solution
from calmip.models import FORMULATIONS, build
from calmip.render.text import draw_tiling
from calmip.search.exact_cover import exists
from calmip.tiling import Tiling

__all__ = ["check_command", "export_command"]


@click.command("export")
@instance_options
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    required=True,
    help="The file: .mps .lp .opb .cnf .dlx .json, each also with .gz.",
)
@click.option(
    "--formulation",
    type=click.Choice(list(FORMULATIONS)),
    default="matrix",
    show_default=True,
    help="Who writes .mps and .lp; matrix is calmip's own portable writer.",
)
def export_command(
    source: str,
    reveal: str | None,
    date: str | None,
    flip: bool | None,
    output: Path,
    formulation: str,
) -> int:
    """Write the model of INSTANCE as a file for other solvers, by the file's suffix."""
    cover = ExactCover(instance_from(source, reveal, date, flip))
    if formulation == "matrix":
        write_cover(output, cover, header(cover))
    else:
        suffix, _ = suffix_of(output, (".mps", ".lp"))
        with tempfile.TemporaryDirectory(prefix="calmip-") as folder:
            path = Path(folder) / f"model{suffix}"
            build(formulation, cover).write(path)
            write_text(output, [path.read_text(encoding="utf-8")])
    note(f"{output}: {cover.columns} columns, {cover.rows} rows, {cover.nonzeros} nonzeros")
    return FOUND


@click.command("check")
@instance_options
@click.argument("solution", type=click.Path(path_type=Path), metavar="FILE")
def check_command(
    source: str,
    reveal: str | None,
    date: str | None,
    flip: bool | None,
    solution: Path,
) -> int:
    """Check a solver's solution FILE of INSTANCE, whatever solver wrote it.

    The exit code is 0 if the file holds a tiling (or rightly says that there
    is none), 1 if not, 2 if it cannot be read.
    """
    cover = ExactCover(instance_from(source, reveal, date, flip))
    answer = read_solution(solution, cover.option_names)
    told = f"{solution}: a file of {answer.format}, claims '{answer.detail or answer.claim}'"
    if answer.claim == "infeasible":
        right = not exists(cover)
        verdict = "there is no tiling, by an independent search" if right else "but there is one"
        deliver(f"{told}; {verdict}\n", None)
        return FOUND if right else NONE
    try:
        chosen = chosen_options(cover, answer.values)
    except InputError as error:
        raise InputError(error.message, path=solution) from None
    except NotATiling as error:
        deliver(f"{told}\nnot a tiling: {error}\n", None)
        return NONE
    faults = violations(cover, chosen)
    if faults:
        lines = [told, f"not a tiling: {len(faults)} equations fail", *faults[:20]]
        deliver("\n".join(lines) + "\n", None)
        return NONE
    tiling = Tiling.from_options(cover, chosen)
    text = f"{draw_tiling(tiling, terminal_style(None))}\n{told}; verified: it is a tiling\n"
    deliver(text, None)
    return FOUND
