"""``calmip check``."""

from __future__ import annotations

from pathlib import Path

import click

from calmip.cli import FOUND, NONE
from calmip.cli.options import (
    deliver,
    instance_from,
    instance_options,
    terminal_style,
)
from calmip.cover import ExactCover
from calmip.errors import InputError, NotATiling
from calmip.formats.points import chosen_options, violations
from calmip.formats.solution_files import read_solution
from calmip.models.cells import assignment_names
from calmip.render.text import draw_tiling
from calmip.search.exact_cover import exists
from calmip.tiling import Tiling

__all__ = ["check_command"]


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
        further = frozenset(assignment_names(cover))
        chosen = chosen_options(cover, answer.values, auxiliary=further)
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
