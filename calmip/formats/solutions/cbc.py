"""CBC's solution files."""

from __future__ import annotations

from calmip.formats.reading import TextFile, quoted
from calmip.formats.solutions.base import Claim, SolutionFile, Values

__all__ = ["is_cbc", "read_cbc"]

# How the status may start, and what it claims.
STATUSES: tuple[tuple[str, Claim], ...] = (
    ("Optimal", "optimal"),
    ("Infeasible", "infeasible"),
    ("Integer infeasible", "infeasible"),
    ("Stopped on", "feasible"),
    ("Unbounded", "unknown"),
    ("Status unknown", "unknown"),
)

TAIL = " - objective value "


def is_cbc(first: str) -> bool:
    """Return whether a first line is one of CBC's statuses."""
    return TAIL in first and first.startswith(tuple(word for word, _ in STATUSES))


def read_cbc(source: TextFile) -> SolutionFile:
    """Read what CBC writes: a status, then ``index name value reduced-cost``.

    A line that CBC finds infeasible starts with ``**``. With ``printingOptions
    all`` the rows come before the columns; their values are kept under their
    names too.
    """
    start = next(n for n, line in enumerate(source.lines) if line.strip())
    head = source.lines[start].strip()
    status = head.partition(TAIL)[0]
    claim = next(claim for word, claim in STATUSES if status.startswith(word))
    if "no integer solution" in status:
        # What follows is the point of the relaxation.
        claim = "unknown"
    source.number(head.partition(TAIL)[2].strip(), start + 1, "the objective value")
    point = Values(source)
    for number, line in enumerate(source.lines[start + 1 :], start=start + 2):
        fields = line.replace("**", " ", 1).split()
        if not fields:
            continue
        if len(fields) != 4 or not fields[0].isdecimal():
            raise source.error(
                f"found {quoted(line)}, not an index, a name, a value and a reduced cost", number
            )
        source.number(fields[3], number, "a reduced cost")
        point.add(fields[1], fields[2], number)
    return SolutionFile("CBC", claim, {} if claim == "infeasible" else point.values, status)
