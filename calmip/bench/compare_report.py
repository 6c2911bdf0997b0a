"""The report of compare: a table of formulations and solvers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from calmip.puzzle.documents.serialise import csv_text, describe_fields
from calmip.puzzle.render.report import DataTable, Document, Output, forms_from

if TYPE_CHECKING:
    from calmip.bench.compare import Comparison, Run

HEADS = (
    "formulation",
    "columns",
    "rows",
    "nonzeros",
    "LP bound",
    "solver",
    "answer",
    "optimum",
    "root gap",
    "nodes",
    "seconds",
)


def comparison(result: Comparison) -> Document:
    """Return the table, a line for each run without an answer of its own, and the obstacle."""
    lines = [
        f"{run.formulation}, {run.solver}: {run.detail}" if run.solver else run.detail
        for run in result.runs
        if run.answer in ("failed", "missing", "unfit", "unverified")
    ]
    if result.obstacle is not None:
        able = "only packing" if result.runs else "no formulation"
        lines.append(f"there is no tiling: {result.obstacle}; {able} has a model to solve")
    table = DataTable(HEADS, [_cells(run) for run in result.runs], left=(0, 5, 6))
    return Document(f"{result.instance.name}: formulations compared", [table, *lines])


def _cells(run: Run) -> tuple[str, ...]:
    if run.solver is None:
        return (run.formulation, *["-"] * 5, run.answer, *["-"] * 4)
    return (
        run.formulation,
        str(run.columns),
        str(run.rows),
        str(run.nonzeros),
        "infeasible" if run.bound is None else _number(run.bound),
        run.solver,
        run.answer,
        "-" if run.optimum is None else _number(run.optimum),
        "-" if run.gap is None else f"{100 * run.gap:.1f} %",
        "-" if run.nodes is None else str(run.nodes),
        f"{run.seconds:.2f} s",
    )


def _number(value: float) -> str:
    return f"{round(value, 4) + 0.0:g}"


def comparison_csv(result: Comparison) -> str:
    """Return a line per run, with the keys of the JSON."""
    runs = [describe_fields(run) for run in result.runs]
    return csv_text(result.runs[0].KEYS if runs else (), (list(run.values()) for run in runs))


COMPARISON = Output(forms_from(comparison, csv=comparison_csv))
