"""``calmip solvers``."""

from __future__ import annotations

import click

from calmip.cli import FOUND
from calmip.cli._options import deliver
from calmip.cli.puzzles import _columns
from calmip.errors import SolverMissing
from calmip.models import FORMULATIONS, package_version
from calmip.solvers import SOLVERS, solver_named

__all__ = ["solvers_command"]


@click.command("solvers")
def solvers_command() -> int:
    """List the solvers and formulations: version, where found, how to get what is missing."""
    rows = []
    for name in SOLVERS:
        try:
            here = solver_named(name).availability()
        except SolverMissing as error:
            rows.append((name, "missing", str(error)))
            continue
        if here.found is None:
            rows.append((name, "missing", here.remedy))
        else:
            rows.append((name, here.version or "version unknown", here.found))
    lines = ["solvers", *_columns(rows), "", "formulations"]
    rows = []
    for name, (_, _, package) in FORMULATIONS.items():
        version = package_version(name)
        remedy = f"pip install {package}"
        rows.append((name, version or "missing", (package or "built in") if version else remedy))
    deliver("\n".join([*lines, *_columns(rows)]) + "\n", None)
    return FOUND
