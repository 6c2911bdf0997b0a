"""Solution files as lines of text: what one says, and the readers of most solvers' formats.

First the lists of names and values (Gurobi, COPT, MIPLIB, SCIP, Xpress), then HiGHS (raw, sparse
and pretty), CBC, and GLPK's files for people (``-o``) and for programs (``-w``), which HiGHS
writes too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from calmip.formats.reading import TextFile, parse_number, quoted

__all__ = [
    "Claim",
    "SolutionFile",
    "Values",
    "is_cbc",
    "is_glpk_raw",
    "is_glpk_text",
    "is_list",
    "is_pretty",
    "is_raw",
    "is_scip",
    "is_slx",
    "read_cbc",
    "read_glpk_raw",
    "read_glpk_text",
    "read_list",
    "read_pretty",
    "read_raw",
    "read_scip",
    "read_slx",
]


Claim = Literal["optimal", "feasible", "infeasible", "unknown"]


@dataclass(frozen=True)
class SolutionFile:
    """What a solver wrote: a claim, and a point if it has one. Neither is checked yet.

    Parameters
    ----------
    format
        Whose format it is, for example ``HiGHS``.
    claim
        ``"optimal"`` or ``"feasible"`` (with a point), ``"infeasible"``
        (without), or ``"unknown"``: the solver stopped early, or answered
        another question such as the relaxation; the point, if any, may be
        anything.
    values
        The values by column name, as far as the file lists them; a column
        that it does not list is 0.
    detail
        The solver's own word for its status, if it says one.
    """

    format: str
    claim: Claim
    values: Mapping[str, float] = field(default_factory=dict)
    detail: str = ""


class Values:
    """Gathers values by name; a name that comes twice is refused.

    Parameters
    ----------
    source
        The file that they are read from.
    """

    def __init__(self, source: TextFile) -> None:
        self.values: dict[str, float] = {}
        self._source = source
        self._lines: dict[str, int] = {}

    def add(self, name: str, text: str, line: int) -> None:
        """Add the value that a text means.

        Raises
        ------
        InputError
            If the name was added before or the text is no finite number.
        """
        value = self._source.number(text, line, f"the value of {quoted(name)}")
        if name in self._lines:
            raise self._source.error(
                f"{quoted(name)} has a value on line {self._lines[name]} already", line
            )
        self.values[name] = value
        self._lines[name] = line


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


LETTERS: dict[str, Claim] = {"o": "optimal", "f": "feasible", "n": "infeasible", "u": "unknown"}
WORDS: dict[str, Claim] = {
    "INTEGER OPTIMAL": "optimal",
    "INTEGER NON-OPTIMAL": "feasible",
    "INTEGER EMPTY": "infeasible",
    "INTEGER UNDEFINED": "unknown",
    # Of the relaxation, which glpsol --nomip solves: no integer point, no integer program.
    "INFEASIBLE (FINAL)": "infeasible",
}
STATES = ("*", "B", "NL", "NU", "NF", "NS")
"""What may stand between a name and its value: integer, or the state in a basis."""


def is_glpk_text(first: str) -> bool:
    """Return whether a first line opens a file for people."""
    return first.startswith("Problem:")


def read_glpk_text(source: TextFile) -> SolutionFile:
    """Read the table of columns by name; a name of over 12 characters has a line of its own."""
    heads: dict[str, str] = {}
    for line in source.lines[:20]:
        key, colon, value = line.partition(":")
        if colon and key in ("Columns", "Status"):
            heads.setdefault(key, value.strip())
    status = heads.get("Status", "")
    count = heads.get("Columns", "").partition(" ")[0]
    if not status or not count.isdecimal():
        raise source.error("its head says no status or number of columns; is it cut?")
    claim = WORDS.get(status, "unknown")
    tabled = any("Column name" in line for line in source.lines)
    if claim == "infeasible" or (status.endswith("UNDEFINED") and not tabled):
        return SolutionFile("GLPK", claim, {}, status)
    point = Values(source)
    for fields, number in _entries(source):
        after = fields[2:]
        if after and after[0] in STATES:
            after = after[1:]
        if not after:
            raise source.error(f"{quoted(fields[1])} has no value", number)
        point.add(fields[1], after[0], number)
    if len(point.values) != int(count):
        raise source.error(f"lists {len(point.values)} of {count} columns; is it cut?")
    if not any(line.strip() == "End of output" for line in source.lines):
        raise source.error("is cut: 'End of output' is missing", len(source.lines))
    return SolutionFile("GLPK", claim, point.values, status)


def _entries(source: TextFile) -> Iterator[tuple[list[str], int]]:
    """Yield the fields of every column, broken lines joined, and the line where it starts."""
    start = next((n for n, line in enumerate(source.lines) if "Column name" in line), None)
    if start is None:
        raise source.error("is cut: the table of columns is missing", len(source.lines))
    waiting: list[str] | None = None
    expected = 1
    # The line below the headings is a rule.
    for number, line in enumerate(source.lines[start + 2 :], start=start + 3):
        fields = line.split()
        if not fields:
            break
        if waiting is not None:
            fields = waiting + fields
            waiting = None
        elif fields[0] != str(expected) or len(fields) == 1:
            raise source.error(f"found {quoted(line)}, not column {expected}", number)
        elif len(fields) == 2:
            waiting = fields
            continue
        yield fields, number
        expected += 1


def is_glpk_raw(first: str) -> bool:
    """Return whether a first line opens a file for programs."""
    return first == "c" or first.startswith(("c Problem:", "c Status:", "s mip ", "s bas "))


def read_glpk_raw(source: TextFile, columns: Sequence[str] | None) -> SolutionFile:
    """Read values by the columns' numbers, which start at 1 in the order of the model file."""
    if columns is None:
        raise source.error("numbers its columns instead of naming them; give their names in order")
    head = next((n for n, line in enumerate(source.lines) if line.startswith("s ")), None)
    if head is None:
        raise source.error("is cut: the line 's mip ...' is missing", len(source.lines))
    claim = _raw_claim(source, head, len(columns))
    if claim == "infeasible":
        return SolutionFile("GLPK", claim, {}, "INTEGER EMPTY")
    point = Values(source)
    ended = False
    for number, line in enumerate(source.lines[head + 1 :], start=head + 2):
        fields = line.split()
        if fields == ["e", "o", "f"]:
            ended = True
            break
        if len(fields) == 3 and fields[0] == "j" and fields[1].isdecimal():
            place = int(fields[1]) if len(fields[1]) < 10 else 0
            if not 1 <= place <= len(columns):
                raise source.error(f"there is no column {fields[1][:20]}", number)
            point.add(columns[place - 1], fields[2], number)
        elif fields and fields[0] not in ("c", "i"):
            raise source.error(f"found {quoted(line)}, not 'j column value'", number)
    if claim != "unknown" and not ended:
        raise source.error("is cut: 'e o f' is missing", len(source.lines))
    if claim != "unknown" and len(point.values) != len(columns):
        raise source.error(f"lists {len(point.values)} of {len(columns)} columns")
    return SolutionFile("GLPK", claim, point.values)


def _raw_claim(source: TextFile, head: int, columns: int) -> Claim:
    """Return the claim of the line ``s mip rows columns status objective``."""
    fields = source.lines[head].split()
    if len(fields) != 6 or fields[1] != "mip":
        raise source.error(
            f"found {quoted(source.lines[head])}, not 's mip rows columns status objective'; "
            "an answer to the relaxation is no answer to the puzzle",
            head + 1,
        )
    if fields[4] not in LETTERS:
        raise source.error(f"found the status {quoted(fields[4])}; it is o, f, n or u", head + 1)
    if fields[3] != str(columns):
        raise source.error(
            f"is about {fields[3][:20]} columns, and the model has {columns}; "
            "is it the answer to another instance?",
            head + 1,
        )
    return LETTERS[fields[4]]
