"""HiGHS's own solution files: the raw and sparse styles, and the pretty one."""

from __future__ import annotations

from calmip.formats.reading import TextFile, quoted
from calmip.formats.solutions.base import Claim, SolutionFile, Values

__all__ = ["is_pretty", "is_raw", "read_pretty", "read_raw"]

INFEASIBLE = ("Infeasible", "Primal infeasible or unbounded")
"""The second is possible for models with unbounded variables only; binaries are bounded."""


def is_raw(first: str) -> bool:
    """Return whether a first line opens a raw or a sparse file."""
    return first == "Model status"


def read_raw(source: TextFile) -> SolutionFile:
    """Read styles 0 (raw: every column) and 4 (sparse: those that are not zero)."""
    lines = [line.strip() for line in source.lines]

    def at(place: int) -> str:
        if place >= len(lines):
            raise source.error("is cut: the file ends too early", len(lines))
        return lines[place]

    start = lines.index("Model status")
    status = at(start + 1)
    if "# Primal solution values" not in lines:
        raise source.error("is cut: '# Primal solution values' is missing", len(lines))
    place = lines.index("# Primal solution values") + 1
    quality = at(place)
    if quality == "None" or status in INFEASIBLE:
        claim: Claim = "infeasible" if status in INFEASIBLE else "unknown"
        return SolutionFile("HiGHS", claim, {}, status)
    if quality not in ("Feasible", "Infeasible"):
        raise source.error(f"found {quoted(quality)}, not Feasible, Infeasible or None", place + 1)
    head = at(place + 1).split()
    if len(head) != 2 or head[0] != "Objective":
        raise source.error(f"found {quoted(at(place + 1))}, not the objective", place + 2)
    count = _count(source, at(place + 2), "# Columns", place + 3)
    place += 3
    point = Values(source)
    # A negative number announces the sparse style, which adds each column's index.
    width = 2 if count >= 0 else 3
    for number in range(place, place + abs(count)):
        fields = at(number).split()
        if len(fields) != width:
            raise source.error(f"found {quoted(at(number))}, not a name and a value", number + 1)
        point.add(fields[0], fields[1], number + 1)
    if count >= 0:
        rows = _count(source, at(place + count), "# Rows", place + count + 1)
        at(place + count + rows)
    claim = "unknown"
    if quality == "Feasible":
        claim = "optimal" if status == "Optimal" else "feasible"
    return SolutionFile("HiGHS", claim, point.values, status)


def _count(source: TextFile, text: str, head: str, line: int) -> int:
    number = text.removeprefix(head).strip()
    digits = number.removeprefix("-")
    if not text.startswith(head) or not digits.isdecimal() or len(digits) > 9:
        raise source.error(f"found {quoted(text)}, not '{head}' and a number", line)
    return int(number)


def is_pretty(first: str) -> bool:
    """Return whether a first line opens a pretty file."""
    return first == "Columns"


def read_pretty(source: TextFile) -> SolutionFile:
    """Read style 1: a table whose numbers end, and whose names start, below their headings."""
    stripped = [line.strip() for line in source.lines]
    status = next((s for s in stripped if s.startswith("Model status:")), None)
    if status is None or not any(s.startswith("Objective value:") for s in stripped):
        raise source.error("is cut: the model status and objective value at its end are missing")
    status = status.partition(":")[2].strip()
    if status in INFEASIBLE:
        return SolutionFile("HiGHS", "infeasible", {}, status)
    start = stripped.index("Columns") + 1
    heading = source.lines[start]
    try:
        left = heading.index("Upper") + len("Upper")
        right = heading.index("Primal", left) + len("Primal")
        name = heading.index("Name", right)
    except ValueError:
        raise source.error(
            f"found {quoted(heading)}, not the headings of a table of columns", start + 1
        ) from None
    point = Values(source)
    empty = 0
    for number in range(start + 1, len(source.lines)):
        line = source.lines[number]
        if line.strip() == "Rows":
            break
        expected = str(number - start - 1)
        if line.split()[:1] != [expected] or not line[name:].strip():
            raise source.error(f"found {quoted(line)}, not column {expected}", number + 1)
        # A number too wide for its column moves all that follow.
        if not line[left].isspace() or not line[right].isspace():
            raise source.error(f"found {quoted(line)}, which does not fit its headings", number + 1)
        value = line[left:right].strip()
        if value:
            point.add(line[name:].strip(), value, number + 1)
        else:
            empty += 1
    else:
        raise source.error("is cut: the rows are missing", len(source.lines))
    if empty and point.values:
        raise source.error(f"{empty} columns have no value", start + 1)
    claim: Claim = "unknown"
    if point.values:
        claim = "optimal" if status == "Optimal" else "feasible"
    return SolutionFile("HiGHS", claim, point.values, status)
