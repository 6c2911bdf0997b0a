"""``calmip relax``."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from calmip.cli import exit_code
from calmip.cli._command import command
from calmip.cli._options import instance_from, instance_options, note, refuse_unused
from calmip.cli._pictures import PICTURES, chosen_form, deliver_data, format_option, theme_option
from calmip.errors import InputError
from calmip.render.reports import data
from calmip.render.reports import relax as report
from calmip.search.cuts import FAMILIES
from calmip.tasks.relax import relax

__all__ = ["numbers", "objective_options", "relax_command"]


def numbers(option: str, texts: tuple[str, ...]) -> dict[str, float]:
    """Return what texts ``PLACEMENT=NUMBER`` say.

    Raises
    ------
    InputError
        If one has no number, or a placement comes twice.
    """
    found: dict[str, float] = {}
    for text in texts:
        name, sign, number = text.rpartition("=")
        try:
            value = float(number)
        except ValueError:
            sign = ""
        if not sign or not name or name in found:
            raise InputError(f"{option} takes PLACEMENT=NUMBER, each placement once, not '{text}'")
        found[name] = value
    return found


def objective_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options ``--weight`` and ``--packing`` to a command."""
    weight = click.option(
        "--weight",
        multiple=True,
        metavar="PLACEMENT=W",
        help="An objective that is made large: the weight of a placement; may be repeated.",
    )
    packing = click.option(
        "--packing", is_flag=True, help="Cover as many cells as possible, none of them twice."
    )
    return weight(packing(command))


@command(
    "relax",
    "calmip relax a-puzzle-a-day --reveal Feb,29 --cuts clique,odd-hole",
    "calmip relax a-puzzle-a-day --date today -o relaxation.svg",
    "calmip relax a-puzzle-a-day --reveal Feb,29 --fix U:Jan+Mar+Jul+Aug+Sep=1",
)
@instance_options
@click.option("--cuts", metavar="FAMILIES", help=f"Add cuts in rounds: {','.join(FAMILIES)}.")
@click.option("--rounds", type=int, default=5, show_default=True, help="The most rounds of cuts.")
@click.option(
    "--fix", multiple=True, metavar="PLACEMENT=0|1", help="Fix a placement; may be repeated."
)
@objective_options
@format_option(*report.FORMS)
@theme_option
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Write to a file.")
def relax_command(
    source: str,
    reveal: str | None,
    date: str | None,
    flip: bool | None,
    cuts: str | None,
    rounds: int,
    fix: tuple[str, ...],
    weight: tuple[str, ...],
    packing: bool,
    form: str | None,
    theme: str,
    output: Path | None,
) -> int:
    """Solve the linear relaxation of INSTANCE: every column from 0 to 1.

    Shown are the bound, the columns that are not 0, the share of every piece in
    every cell and, where there is an objective, dual prices and reduced costs.
    A picture (-o relaxation.svg) has every cell in stripes. A placement is
    named as in model files (U_b30) or by its cells (U:Jan+Mar+Jul+Aug+Sep). Where
    there is no point, numbers prove it. The exit code is 0 with a point, 1
    without.
    """
    form = chosen_form(form, output, report.FORMS)
    instance = instance_from(source, reveal, date, flip)
    if not cuts:
        refuse_unused("--cuts", "rounds")
    fixed = numbers("--fix", fix)
    if any(value not in (0, 1) for value in fixed.values()):
        raise InputError("--fix takes PLACEMENT=0 or PLACEMENT=1")
    found = relax(
        instance,
        formulation="packing" if packing else "matrix",
        weights=numbers("--weight", weight),
        fixed={name: int(value) for name, value in fixed.items()},
        cuts=[name.strip() for name in cuts.split(",")] if cuts else [],
        rounds=rounds,
    )
    deliver_data(data(found, form, theme), form, output)
    if form in PICTURES:
        for line in report.said(found):
            note(line)
    return exit_code(found)
