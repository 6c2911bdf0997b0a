"""``calmip solvers``."""

from __future__ import annotations

from calmip.cli import exit_code
from calmip.cli._command import command
from calmip.cli._options import deliver
from calmip.tasks.solvers import solvers

__all__ = ["solvers_command"]


@command("solvers", "calmip solvers")
def solvers_command() -> int:
    """List the solvers and formulations: version, where found, how to get what is missing."""
    found = solvers()
    deliver(f"{found}\n", None)
    return exit_code(found)
