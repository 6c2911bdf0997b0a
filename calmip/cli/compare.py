"""``calmip compare``."""

from __future__ import annotations

from pathlib import Path

import click

from calmip import models
from calmip.cli import exit_code
from calmip.cli._command import Explained, command
from calmip.cli._options import deliver, instance_from, instance_options, time_limit_option
from calmip.cli._pictures import chosen_form, format_option
from calmip.cli._progress import bar
from calmip.documents.description import json_text
from calmip.models import FORMULATIONS
from calmip.solvers import ABOUT as SOLVERS_ABOUT
from calmip.solvers import SOLVERS
from calmip.tasks.compare import compare

__all__ = ["compare_command"]


@command(
    "compare",
    "calmip compare a-puzzle-a-day --date today",
    "calmip compare heart-set1 --date today --solver highs --solver cbc",
    "calmip compare heart-set1 --date today --formulation packing --time-limit 10",
)
@instance_options
@click.option(
    "--formulation",
    "formulations",
    multiple=True,
    type=Explained(models.ABOUT),
    help="Only this one; may be repeated.",
)
@click.option(
    "--solver",
    "solvers",
    multiple=True,
    type=Explained(SOLVERS_ABOUT),
    help="Only this one; may be repeated.",
)
@time_limit_option("The most seconds for each run.", default=60.0)
@click.option("--seed", type=int, default=0, show_default=True, help="The solvers' random seed.")
@format_option("text", "json")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Write to a file.")
def compare_command(
    source: str,
    reveal: str | None,
    date: str | None,
    flip: bool | None,
    formulations: tuple[str, ...],
    solvers: tuple[str, ...],
    time_limit: float,
    seed: int,
    form: str | None,
    output: Path | None,
) -> int:
    """Compare the formulations of INSTANCE with every solver that is installed.

    The LP bound is the optimum of the linear relaxation; the root gap is how
    far it is from the optimum that was found. Objectives are numbers to be made
    small: the packing model's is minus the number of covered cells. The exit
    code is 0 if a tiling was found, 1 if there is none, 3 if no run ended
    within its limit, 4 if an answer did not survive its check.
    """
    form = chosen_form(form, output, ("text", "json"))
    instance = instance_from(source, reveal, date, flip)
    runs = (len(formulations) or len(FORMULATIONS)) * (len(solvers) or len(SOLVERS))
    with bar("runs", runs) as step:
        found = compare(
            instance,
            formulations=formulations,
            solvers=solvers,
            time_limit=time_limit,
            seed=seed,
            progress=lambda _: step(),
        )
    deliver(json_text(found.describe()) if form == "json" else f"{found}\n", output)
    return exit_code(found)
