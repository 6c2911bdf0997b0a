"""What is installed as two lists."""

from __future__ import annotations

from collections.abc import Mapping

from calmip.render.columns import aligned
from calmip.solvers import Availability
from calmip.tasks.solvers import Installed

__all__ = ["text"]


def text(installed: Installed) -> str:
    """Return the solvers and the formulations: version, where found, how to get what is missing."""
    lines = ["solvers", *_lines(installed.solvers), "", "formulations"]
    return "\n".join([*lines, *_lines(installed.formulations)]) + "\n"


def _lines(known: Mapping[str, Availability]) -> list[str]:
    rows = [
        (name, "missing", one.remedy)
        if one.found is None
        else (name, one.version or "version unknown", one.found)
        for name, one in known.items()
    ]
    return aligned(rows, left=range(3), indent="  ")
