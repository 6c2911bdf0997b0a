"""``calmip check``: somebody else's answer, or somebody else's model."""

from __future__ import annotations

from pathlib import Path

import click

from calmip.cli import exit_code
from calmip.cli._command import command
from calmip.cli._options import (
    deliver,
    instance_from,
    instance_options,
    refuse_unused,
    terminal_style,
    time_limit_option,
)
from calmip.cli._progress import bar
from calmip.documents.description import json_text
from calmip.errors import InputError
from calmip.formats.model_files import is_model, read_model
from calmip.render.reports import text
from calmip.tasks._check_folder import check_folder
from calmip.tasks.check import MOST_TILINGS, check

__all__ = ["check_command"]


@command(
    "check",
    "calmip check a-puzzle-a-day --reveal Feb,29 feb29.sol",
    "calmip check a-puzzle-a-day --reveal Feb,29 --model mine.lp",
    "calmip check a-puzzle-a-day --date today today.sol --format json",
)
@instance_options
@click.argument("solution", type=click.Path(path_type=Path), metavar="[FILE]", required=False)
@click.option(
    "--model",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="In place of an answer: an MPS or LP file to compare with the puzzle.",
)
@click.option(
    "--names",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="With --model: lines COLUMN,PLACEMENT where its columns are named in another way.",
)
@click.option(
    "--limit",
    type=int,
    default=MOST_TILINGS,
    show_default=True,
    metavar="N",
    help="With --model: the most tilings to try.",
)
@time_limit_option("With --model or a folder: when to give up on one.", default=120.0)
@click.option(
    "--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True
)
def check_command(
    source: str,
    reveal: str | None,
    date: str | None,
    flip: bool | None,
    solution: Path | None,
    model: Path | None,
    names: Path | None,
    limit: int,
    time_limit: float,
    form: str,
) -> int:
    """Check a solver's solution FILE of INSTANCE, whatever solver wrote it.

    With --model a model file is checked: whether its solutions are the
    tilings of INSTANCE, all of them and no others; a counter-example is drawn
    if not. INSTANCE may be a folder of models, such as calmip export
    --all-dates writes; then FILE is a folder of answers NAME.sol, the same
    unless given. The exit code is 0 if the file holds a tiling (or rightly says
    that there is none) or the model is right, 1 if not, 2 if the file cannot
    be read, 3 if a limit came first.
    """
    if Path(source).is_dir():
        if model is not None or reveal or date or flip is not None:
            raise InputError("a folder of models is a whole; leave out all other options")
        refuse_unused("--model", "names", "limit")
        return _check_folder(Path(source), solution, time_limit, form)
    if (solution is None) == (model is None):
        raise InputError("give either a solution FILE, or a model with --model FILE")
    if model is None:
        refuse_unused("--model", "names", "limit")
        refuse_unused("--model or a folder", "time_limit")
    if solution is not None and is_model(solution):
        raise InputError(f"is a model by its name; write --model {solution}", path=solution)
    instance = instance_from(source, reveal, date, flip)
    if solution is not None:
        verdict = check(instance, solution)
    else:
        assert model is not None
        verdict = check(
            instance, read_model(model), names=names, limit=limit, time_limit=time_limit
        )
    style = terminal_style(None)
    deliver(json_text(verdict.describe()) if form == "json" else text(verdict, style), None)
    return exit_code(verdict)


def _check_folder(folder: Path, answers: Path | None, time_limit: float, form: str) -> int:
    with bar("files", sum(1 for _ in folder.iterdir())) as step:
        verdict = check_folder(folder, answers, time_limit=time_limit, progress=step)
    deliver(json_text(verdict.describe()) if form == "json" else f"{verdict}\n", None)
    return exit_code(verdict)
