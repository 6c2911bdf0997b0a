"""Gurobi's JSON results: the only files in which it can say "infeasible"."""

from __future__ import annotations

import json
from typing import Any

from calmip.formats.reading import TextFile, quoted
from calmip.formats.solutions.base import Claim, SolutionFile, Values

__all__ = ["is_gurobi_json", "read_gurobi_json"]

OPTIMAL, INFEASIBLE, INFEASIBLE_OR_UNBOUNDED = 2, 3, 4
"""Gurobi's status numbers; the last is infeasible for bounded variables."""


def is_gurobi_json(first: str) -> bool:
    """Return whether a first line opens a JSON object."""
    return first.startswith("{")


def read_gurobi_json(source: TextFile) -> SolutionFile:
    """Read ``SolutionInfo`` and the values ``X`` of ``Vars``; zeros are left out."""
    try:
        # Numbers stay text, so that they are checked and read as in every other format.
        result = json.loads("\n".join(source.lines), parse_float=str, parse_int=str)
    except json.JSONDecodeError as error:
        raise source.error(f"is not valid JSON: {error.msg}", error.lineno) from None
    except RecursionError:
        raise source.error("is nested too deeply") from None
    information = result.get("SolutionInfo")
    status = information.get("Status") if isinstance(information, dict) else None
    if not isinstance(status, str) or not status.isdecimal():
        raise source.error("is JSON without Gurobi's SolutionInfo and its Status")
    if status in (str(INFEASIBLE), str(INFEASIBLE_OR_UNBOUNDED)):
        return SolutionFile("Gurobi", "infeasible", {}, f"status {status}")
    variables: Any = result.get("Vars", [])
    if not isinstance(variables, list):
        raise source.error("its 'Vars' is not a list")
    point = Values(source)
    for entry in variables:
        name = entry.get("VarName") if isinstance(entry, dict) else None
        if not isinstance(name, str):
            raise source.error(f"found {quoted(str(entry))}, not a variable with a VarName")
        point.add(name, str(entry.get("X")), 1)
    claim: Claim = "unknown"
    if point.values:
        claim = "optimal" if status == str(OPTIMAL) else "feasible"
    return SolutionFile("Gurobi", claim, point.values, f"status {status}")
