"""A comparison of formulations as a table."""

from __future__ import annotations

from calmip.documents.description import described
from calmip.render.escaping import csv_text
from calmip.render.report import DataTable, Document
from calmip.render.reports import made_of
from calmip.tasks.compare import Comparison, Run

__all__ = ["FORMS"]

HEADS = ("formulation", "columns", "rows", "nonzeros", "LP bound", "solver", "answer", "optimum",
         "root gap", "nodes", "seconds")  # fmt: skip
WORDS = (0, 5, 6)
"""The columns of the table that hold words; the others hold numbers."""


def report(comparison: Comparison) -> Document:
    """Return the table, a line for each run without an answer of its own, and the obstacle."""
    lines = [
        f"{run.formulation}, {run.solver}: {run.detail}" if run.solver else run.detail
        for run in comparison.runs
        if run.answer in ("failed", "missing", "unfit", "unverified")
    ]
    if comparison.obstacle is not None:
        able = "only packing" if comparison.runs else "no formulation"
        lines.append(f"there is no tiling: {comparison.obstacle}; {able} has a model to solve")
    table = DataTable(HEADS, [_cells(run) for run in comparison.runs], left=WORDS)
    return Document(f"{comparison.instance.name}: formulations compared", [table, *lines])


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


def csv(comparison: Comparison) -> str:
    """Return a line per run, with the keys of the JSON."""
    runs = map(described, comparison.runs)
    return csv_text(Run.KEYS, (list(run.values()) for run in runs))


FORMS = made_of(report, csv=csv)
