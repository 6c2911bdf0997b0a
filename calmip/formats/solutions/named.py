"""Lists of names and values: Gurobi, COPT, MIPLIB, SCIP and Xpress."""

from __future__ import annotations

import re

from calmip.formats.reading import TextFile, parse_number, quoted
from calmip.formats.solutions.base import Claim, SolutionFile, Values

__all__ = ["is_list", "is_scip", "is_slx", "read_list", "read_scip", "read_slx"]

SCIP_LINE = re.compile(r"(\S+)\s+(\S+)(?:\s+\(obj:[^)]*\))?")
SCIP_HEADS = ("solution status:", "objective value:", "no solution available")

MARKS: dict[str, Claim] = {
    "=obj=": "feasible",
    "=opt=": "optimal",
    "=best=": "feasible",
    "=infeas=": "infeasible",
    "=inf=": "infeasible",
    "=unkn=": "unknown",
}
"""MIPLIB's marks, in its solution files and in its lists of solutions."""


def is_list(first: str) -> bool:
    """Return whether a first line opens a list of names and values, after comments or a mark."""
    fields = first.split()
    if first.startswith("#") or fields[0] in MARKS:
        return True
    return (
        len(fields) == 2 and parse_number(fields[0]) is None and parse_number(fields[1]) is not None
    )


def read_list(source: TextFile) -> SolutionFile:
    """Read a list: comments behind ``#``, MIPLIB's marks, then a name and a value per line."""
    point = Values(source)
    kind = "list of values"
    mark: str | None = None
    for number, line in enumerate(source.lines, start=1):
        fields = line.split()
        if line.startswith("#"):
            if not point.values and line.startswith("# Objective value"):
                kind = "Gurobi" if "=" in line else "COPT"
        elif fields and fields[0] in MARKS:
            if mark is not None:
                raise source.error(
                    f"found {fields[0]} after {mark}; a solution file holds one solution", number
                )
            kind, mark = "MIPLIB", fields[0]
        elif fields:
            if len(fields) != 2:
                raise source.error(f"found {quoted(line)}, not a name and a value", number)
            point.add(fields[0], fields[1], number)
    claim = "feasible" if mark is None else MARKS[mark]
    if claim == "infeasible" and point.values:
        raise source.error(f"says {mark} and yet gives values")
    if claim not in ("infeasible", "unknown") and not point.values:
        raise source.error("holds no values; is it cut?")
    return SolutionFile(kind, claim, point.values, mark or "")


def is_scip(first: str) -> bool:
    """Return whether a first line opens one of SCIP's solution files."""
    return first.startswith(SCIP_HEADS)


def read_scip(source: TextFile) -> SolutionFile:
    """Read what SCIP writes: ``name value (obj:c)``, zeros left out."""
    point = Values(source)
    claim: Claim = "unknown"
    status = ""
    for number, line in enumerate(source.lines, start=1):
        text = line.strip()
        if text.startswith("solution status:"):
            status = text.partition(":")[2].strip()
        elif text.startswith("objective value:"):
            if claim == "feasible":
                raise source.error("a second solution starts; keep one in the file", number)
            source.number(text.partition(":")[2].strip(), number, "the objective value")
            claim = "feasible"
        elif text and text != "no solution available":
            match = SCIP_LINE.fullmatch(text)
            if match is None or claim != "feasible":
                raise source.error(f"found {quoted(line)}, not a name and a value", number)
            point.add(match.group(1), match.group(2), number)
    # Binaries are bounded, so "infeasible or unbounded" is infeasible.
    if status.startswith("infeasible") and claim == "unknown":
        claim = "infeasible"
    elif claim == "feasible":
        claim = "optimal" if status.startswith("optimal") else claim
        if not point.values:
            # SCIP leaves out zeros, but no model of a puzzle is solved by zeros alone.
            raise source.error("holds no values; is it cut?")
    return SolutionFile("SCIP", claim, point.values, status)


def is_slx(first: str) -> bool:
    """Return whether a first line opens one of Xpress's .slx files."""
    return first.split(maxsplit=1)[0] == "NAME"


def read_slx(source: TextFile) -> SolutionFile:
    """Read Xpress's ``.slx``: ``C name value`` between NAME and ENDATA."""
    point = Values(source)
    names = 0
    ended = False
    for number, line in enumerate(source.lines, start=1):
        fields = line.split()
        if not fields or line.startswith("*"):
            continue
        if ended:
            raise source.error(f"found {quoted(line)} after ENDATA", number)
        if fields[0] == "NAME" and not line[0].isspace():
            names += 1
            if names > 1:
                raise source.error("a second solution starts; keep one in the file", number)
        elif fields[0] == "ENDATA" and len(fields) == 1:
            ended = True
        elif fields[0] == "C" and len(fields) == 3:
            point.add(fields[1], fields[2], number)
        else:
            raise source.error(f"found {quoted(line)}, not 'C name value'", number)
    if not ended:
        raise source.error("is cut: ENDATA is missing", len(source.lines))
    if not point.values:
        raise source.error("holds no values")
    return SolutionFile("Xpress", "feasible", point.values)
