"""``calmip compare``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from calmip.cli import FAILED, FOUND, LIMIT, NONE
from calmip.cli._options import deliver, instance_from, instance_options
from calmip.cli._progress import bar
from calmip.documents.description import describe_instance, json_text
from calmip.models import FORMULATIONS
from calmip.problem.cover import ExactCover
from calmip.solvers import SOLVERS
from calmip.tasks.compare import Comparison, compare

__all__ = ["compare_command"]

HEADS = ("formulation", "columns", "rows", "nonzeros", "LP bound", "solver", "answer", "optimum",
         "root gap", "nodes", "seconds")  # fmt: skip
WORDS = (0, 5, 6)
"""The columns of the table that hold words; the others hold numbers."""


@click.command("compare")
@instance_options
@click.option(
    "--formulation",
    "formulations",
    multiple=True,
    type=click.Choice(list(FORMULATIONS)),
    help="Only this one; may be repeated.",
)
@click.option(
    "--solver",
    "solvers",
    multiple=True,
    type=click.Choice(list(SOLVERS)),
    help="Only this one; may be repeated.",
)
@click.option(
    "--time-limit",
    type=float,
    default=60.0,
    show_default=True,
    metavar="SECONDS",
    help="The most seconds for each run.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="The solvers' random seed.")
@click.option(
    "--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True
)
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
    form: str,
    output: Path | None,
) -> int:
    """Compare the formulations of INSTANCE with every solver that is installed.

    The LP bound is the optimum of the linear relaxation; the root gap is how
    far it is from the optimum that was found. Objectives are numbers to be made
    small: the packing model's is minus the number of covered cells. The exit
    code is 0 if a tiling was found, 1 if there is none, 3 if no run ended
    within its limit, 4 if an answer did not survive its check.
    """
    instance = instance_from(source, reveal, date, flip)
    rows = []
    runs = (len(formulations) or len(FORMULATIONS)) * (len(solvers) or len(SOLVERS))
    with bar("runs", runs) as step:
        for row in compare(
            instance,
            formulations=formulations,
            solvers=solvers,
            time_limit=time_limit,
            seed=seed,
        ):
            rows.append(row)
            step()
    obstacle = ExactCover(instance).obstacle()
    if form == "json":
        text = json_text(
            {
                "instance": describe_instance(instance),
                "obstacle": obstacle,
                "runs": [_described(row) for row in rows],
            }
        )
    else:
        text = _table(rows, obstacle)
    deliver(text, output)
    answers = {row.answer for row in rows}
    for answer, code in (("failed", FAILED), ("tiling", FOUND), ("unknown", LIMIT)):
        if answer == "unknown" and (obstacle is not None or answers != {"unknown"}):
            continue
        if answer in answers:
            return code
    return NONE


def _described(row: Comparison) -> dict[str, Any]:
    return {
        "formulation": row.formulation,
        "columns": row.columns,
        "rows": row.rows,
        "nonzeros": row.nonzeros,
        "bound": row.bound,
        "solver": row.solver,
        "answer": row.answer,
        "optimum": row.optimum,
        "gap": row.gap,
        "nodes": row.nodes,
        "seconds": round(row.seconds, 6),
        "detail": row.detail,
    }


def _table(rows: list[Comparison], obstacle: str | None) -> str:
    cells = [HEADS, *(_cells(row) for row in rows)]
    widths = [max(len(line[place]) for line in cells) for place in range(len(HEADS))]
    lines = [
        "  ".join(
            f"{text:<{width}}" if place in WORDS else f"{text:>{width}}"
            for place, (text, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in cells
    ]
    lines += [
        f"{row.formulation}, {row.solver}: {row.detail}" for row in rows if row.answer == "failed"
    ]
    if obstacle is not None:
        lines.append(f"there is no tiling: {obstacle}; only packing has a model to solve")
    return "\n".join(lines) + "\n"


def _cells(row: Comparison) -> tuple[str, ...]:
    return (
        row.formulation,
        str(row.columns),
        str(row.rows),
        str(row.nonzeros),
        "infeasible" if row.bound is None else _number(row.bound),
        row.solver,
        row.answer,
        "-" if row.optimum is None else _number(row.optimum),
        "-" if row.gap is None else f"{100 * row.gap:.1f} %",
        "-" if row.nodes is None else str(row.nodes),
        f"{row.seconds:.2f} s",
    )


def _number(value: float) -> str:
    return f"{round(value, 4) + 0.0:g}"
