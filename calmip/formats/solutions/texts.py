"""Solution files of lines: their claims, and the readers of most solvers' formats.

The readers of lists of names and values (Gurobi, COPT, MIPLIB, SCIP, Xpress) come first. Those
of HiGHS (raw, sparse and pretty), CBC, and GLPK (``-o`` for people, ``-w`` for programs; HiGHS
writes them too) follow.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from calmip.formats.reading import TextFile, parse_number, quote

__all__ = [
    "GLPK_RAW", "READERS", "Claim", "SolutionFile", "Values", "is_list", "read_glpk_raw",
    "read_list",
]  # fmt: skip

Claim = Literal["optimal", "feasible", "infeasible", "unbounded", "unknown"]


@dataclass(frozen=True)
class SolutionFile:
    """The contents of a solution file: an unverified claim, and a point if it has one.

    Parameters
    ----------
    format
        The solver whose format it is, for example ``HiGHS``.
    claim
        ``"optimal"`` or ``"feasible"`` (with a point), ``"infeasible"`` or ``"unbounded"``
        (without), or ``"unknown"``: the solver stopped early, or solved the relaxation; any
        point may follow.
    values
        The values by column name, as far as the file lists them; the others are 0.
    detail
        The solver's own word for its status, if there is one.
    objective
        The objective that the file states, None if it states none.
    either
        Whether the claim is "infeasible or unbounded", which is ``"infeasible"`` for a model of
        bounded variables.
    """

    format: str
    claim: Claim
    values: Mapping[str, float] = field(default_factory=dict)
    detail: str = ""
    objective: float | None = None
    either: bool = False


class Values:
    """The values by name in a file."""

    def __init__(self, source: TextFile) -> None:
        self.values: dict[str, float] = {}
        self._source = source
        self._lines: dict[str, int] = {}

    def add(self, name: str, text: str, line: int) -> None:
        """Add a value to a name that has none."""
        value = self._source.number(text, line, f"the value of {quote(name)}")
        if name in self._lines:
            raise self._source.error(
                f"{quote(name)} has a value on line {self._lines[name]} already", line
            )
        self.values[name] = value
        self._lines[name] = line

    def some(self) -> dict[str, float]:
        """Return the values; raise `InputError` if there are none."""
        if not self.values:
            raise self._source.error("holds no values; is it cut?")
        return self.values


PAIR = "a name and a value"
SECOND = "a second solution starts; keep one in the file"

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
    numbers = [parse_number(text) is not None for text in fields]
    return numbers == [False, True]


def read_list(source: TextFile) -> SolutionFile:
    """Read a list: comments behind ``#``, MIPLIB's marks, then a name and a value per line."""
    point = Values(source)
    kind, mark = "list of values", ""
    objective = None
    for number, line in enumerate(source.lines, start=1):
        fields = line.split()
        if line.startswith("#"):
            if not point.values and line.startswith("# Objective value"):
                kind = "Gurobi" if "=" in line else "COPT"
                objective = parse_number(fields[-1])
        elif fields and fields[0] in MARKS:
            if mark:
                raise source.error(
                    f"found {fields[0]} after {mark}; a solution file holds one solution", number
                )
            kind, mark = "MIPLIB", fields[0]
            objective = parse_number(fields[1]) if len(fields) == 2 else None
        elif fields:
            if len(fields) != 2:
                raise source.unexpected(line, PAIR, number)
            point.add(fields[0], fields[1], number)
    claim = MARKS[mark] if mark else "feasible"
    if claim == "infeasible" and point.values:
        raise source.error(f"says {mark} and yet gives values")
    complete = claim in ("infeasible", "unknown") or objective is not None
    values = point.values if complete else point.some()
    return SolutionFile(kind, claim, values, mark, objective)


SCIP_LINE = re.compile(r"(\S+)\s+(\S+)(?:\s+\(obj:[^)]*\))?")


def read_scip(source: TextFile) -> SolutionFile:
    """Read a file of SCIP: ``name value (obj:c)``, without zeros."""
    point = Values(source)
    claim: Claim = "unknown"
    status = ""
    objective = None
    for number, line in enumerate(source.lines, start=1):
        text = line.strip()
        if text.startswith("solution status:"):
            status = text.partition(":")[2].strip()
        elif text.startswith("objective value:"):
            if claim == "feasible":
                raise source.error(SECOND, number)
            stated = text.partition(":")[2].strip()
            objective = source.number(stated, number, "the objective value")
            claim = "feasible"
        elif text and text != "no solution available":
            match = SCIP_LINE.fullmatch(text)
            if match is None or claim != "feasible":
                raise source.unexpected(line, PAIR, number)
            point.add(match[1], match[2], number)
    if claim == "feasible":
        claim = "optimal" if status.startswith("optimal") else "feasible"
        return SolutionFile("SCIP", claim, point.values, status, objective)
    claim = "infeasible" if status.startswith("infeasible") else "unknown"
    if status.startswith("unbounded"):
        claim = "unbounded"
    return SolutionFile("SCIP", claim, {}, status, either="unbounded" in status)


def read_slx(source: TextFile) -> SolutionFile:
    """Read Xpress's ``.slx``: ``C name value`` between NAME and ENDATA."""
    point = Values(source)
    names, ended = 0, False
    for number, line in enumerate(source.lines, start=1):
        fields = line.split()
        if not fields or line.startswith("*"):
            continue
        if ended:
            raise source.error(f"found {quote(line)} after ENDATA", number)
        if fields[0] == "NAME" and not line[0].isspace():
            names += 1
            if names > 1:
                raise source.error(SECOND, number)
        elif fields[0] == "ENDATA" and len(fields) == 1:
            ended = True
        elif fields[0] == "C" and len(fields) == 3:
            point.add(fields[1], fields[2], number)
        else:
            raise source.unexpected(line, "'C name value'", number)
    if not ended:
        raise source.cut("ENDATA is missing")
    return SolutionFile("Xpress", "feasible", point.some())


NONE: dict[str, Claim] = {
    "Infeasible": "infeasible",
    "Primal infeasible or unbounded": "infeasible",
    "Unbounded": "unbounded",
}
"""HiGHS's statuses without a solution."""


def _highs(
    status: str, values: Mapping[str, float], *, feasible: bool, objective: float | None = None
) -> SolutionFile:
    claim: Claim = "unknown"
    if feasible:
        claim = "optimal" if status == "Optimal" else "feasible"
    return SolutionFile("HiGHS", claim, values, status, objective)


LATER = ("Objective_bound", "MIP_rel_gap")
"""What HiGHS 1.16 adds to a file after the objective of a MIP."""


def read_raw(source: TextFile) -> SolutionFile:
    """Read HiGHS's styles 0 (raw: every column) and 4 (sparse: those that are not zero)."""
    lines = [line.strip() for line in source.lines]

    def at(place: int) -> str:
        if place >= len(lines):
            raise source.cut("the file ends too early")
        return lines[place]

    status = at(lines.index("Model status") + 1)
    if "# Primal solution values" not in lines:
        raise source.cut("'# Primal solution values' is missing")
    place = lines.index("# Primal solution values") + 1
    quality = at(place)
    if status in NONE:
        return SolutionFile("HiGHS", NONE[status], {}, status, either="or unbounded" in status)
    if quality == "None":
        return _highs(status, {}, feasible=False)
    if quality not in ("Feasible", "Infeasible"):
        raise source.unexpected(quality, "Feasible, Infeasible or None", place + 1)
    head = at(place + 1).split()
    if len(head) != 2 or head[0] != "Objective":
        raise source.unexpected(at(place + 1), "the objective", place + 2)
    objective = parse_number(head[1])
    place += 2
    while at(place).partition(" ")[0] in LATER:
        place += 1
    # HiGHS 1.16 repeats behind a negative number what it means.
    columns = re.sub(r"^(# Columns -\d+) sparse$", r"\1", at(place))
    count = _count(source, columns, "# Columns", place + 1)
    place += 1
    point = Values(source)
    # A negative number announces the sparse style, which adds each column's index.
    width = 2 if count >= 0 else 3
    for number in range(place, place + abs(count)):
        fields = at(number).split()
        if len(fields) != width:
            raise source.unexpected(at(number), PAIR, number + 1)
        point.add(fields[0], fields[1], number + 1)
    if count >= 0:
        rows = _count(source, at(place + count), "# Rows", place + count + 1)
        at(place + count + rows)
    feasible = quality == "Feasible"
    return _highs(status, point.values, feasible=feasible, objective=objective)


def _count(source: TextFile, text: str, head: str, line: int) -> int:
    number = text.removeprefix(head).strip()
    digits = number.removeprefix("-")
    if not text.startswith(head) or not digits.isdecimal() or len(digits) > 9:
        raise source.unexpected(text, f"'{head}' and a number", line)
    return int(number)


def read_pretty(source: TextFile) -> SolutionFile:
    """Read HiGHS's style 1, a table.

    Its numbers end, and its names start, below their headings.
    """
    lines = [line.strip() for line in source.lines]
    status = next((line for line in lines if line.startswith("Model status:")), None)
    stated = next((line for line in lines if line.startswith("Objective value:")), None)
    if status is None or stated is None:
        raise source.error("is cut: the model status and objective value at its end are missing")
    status = status.partition(":")[2].strip()
    if status in NONE:
        return SolutionFile("HiGHS", NONE[status], {}, status, either="or unbounded" in status)
    start = lines.index("Columns") + 1
    heading = source.lines[start]
    try:
        left = heading.index("Upper") + len("Upper")
        right = heading.index("Primal", left) + len("Primal")
        name = heading.index("Name", right)
    except ValueError:
        wanted = "the headings of a table of columns"
        raise source.unexpected(heading, wanted, start + 1) from None
    point = Values(source)
    empty = 0
    for number in range(start + 1, len(lines)):
        line = source.lines[number]
        if lines[number] == "Rows":
            break
        expected = str(number - start - 1)
        if line.split()[:1] != [expected] or not line[name:].strip():
            raise source.unexpected(line, f"column {expected}", number + 1)
        # A number too wide for its column shifts the following ones.
        if not line[left].isspace() or not line[right].isspace():
            raise source.error(f"found {quote(line)}, which does not fit its headings", number + 1)
        value = line[left:right].strip()
        if value:
            point.add(line[name:].strip(), value, number + 1)
        else:
            empty += 1
    else:
        raise source.cut("the rows are missing")
    if empty and point.values:
        raise source.error(f"{empty} columns have no value", start + 1)
    objective = parse_number(stated.partition(":")[2].strip())
    return _highs(status, point.values, feasible=bool(point.values), objective=objective)


CBC_STATUSES: dict[str, Claim] = {
    "Optimal": "optimal",
    "Infeasible": "infeasible",
    "Integer infeasible": "infeasible",
    "Stopped on": "feasible",
    "Unbounded": "unbounded",
    "Status unknown": "unknown",
}
"""The beginnings of the status, and their claims."""

CBC_HEAD = re.compile(rf"(({'|'.join(CBC_STATUSES)}).*?) - objective value (.*)")


def read_cbc(source: TextFile) -> SolutionFile:
    """Read a file of CBC: a status, then ``index name value reduced-cost``.

    An infeasible line starts with ``**``. With ``printingOptions all`` the rows come before the
    columns; their values are kept under their names.
    """
    start = next(n for n, line in enumerate(source.lines) if line.strip())
    head = CBC_HEAD.fullmatch(source.lines[start].strip())
    assert head is not None
    # Without an integer solution, the point of the relaxation follows.
    claim = "unknown" if "no integer solution" in head[1] else CBC_STATUSES[head[2]]
    objective = source.number(head[3].strip(), start + 1, "the objective value")
    point = Values(source)
    for number, line in enumerate(source.lines[start + 1 :], start=start + 2):
        fields = line.replace("**", " ", 1).split()
        if not fields:
            continue
        if len(fields) != 4 or not fields[0].isdecimal():
            raise source.unexpected(line, "an index, a name, a value and a reduced cost", number)
        source.number(fields[3], number, "a reduced cost")
        point.add(fields[1], fields[2], number)
    values = {} if claim in ("infeasible", "unbounded") else point.values
    return SolutionFile("CBC", claim, values, head[1], objective)


GLPK_LETTERS: dict[str, Claim] = {
    "o": "optimal", "f": "feasible", "n": "infeasible", "u": "unknown",
}  # fmt: skip
GLPK_WORDS: dict[str, Claim] = {
    "INTEGER OPTIMAL": "optimal",
    "INTEGER NON-OPTIMAL": "feasible",
    "INTEGER EMPTY": "infeasible",
    "INTEGER UNDEFINED": "unknown",
    # Of a linear program, or of the relaxation that glpsol --nomip solves. If that is
    # infeasible, there is no integer point either.
    "INFEASIBLE (FINAL)": "infeasible",
}
STATES = ("*", "B", "NL", "NU", "NF", "NS")
"""The words between a name and its value: integer, or the state in a basis."""


def read_glpk_text(source: TextFile) -> SolutionFile:
    """Read GLPK's table of columns; a name of over 12 characters has a line of its own."""
    heads: dict[str, str] = {}
    for line in source.lines[:20]:
        key, colon, value = line.partition(":")
        if colon and key in ("Columns", "Status", "Objective"):
            heads.setdefault(key, value.strip())
    status = heads.get("Status", "")
    count = heads.get("Columns", "").partition(" ")[0]
    if not status or not count.isdecimal():
        raise source.error("its head says no status or number of columns; is it cut?")
    claim = GLPK_WORDS.get(status, "unknown")
    tabled = any("Column name" in line for line in source.lines)
    if claim == "infeasible" or (status.endswith("UNDEFINED") and not tabled):
        return SolutionFile("GLPK", claim, {}, status)
    point = Values(source)
    for fields, number in _glpk_columns(source):
        after = fields[2:]
        if after and after[0] in STATES:
            after = after[1:]
        if not after:
            raise source.error(f"{quote(fields[1])} has no value", number)
        point.add(fields[1], after[0], number)
    if len(point.values) != int(count):
        raise source.error(f"lists {len(point.values)} of {count} columns; is it cut?")
    if not any(line.strip() == "End of output" for line in source.lines):
        raise source.cut("'End of output' is missing")
    stated = re.search(r"=\s*(\S+)", heads.get("Objective", ""))
    objective = parse_number(stated[1]) if stated else None
    return SolutionFile("GLPK", claim, point.values, status, objective)


def _glpk_columns(source: TextFile) -> Iterator[tuple[list[str], int]]:
    """Yield the fields of every column, broken lines joined, and the line where it starts."""
    start = next((n for n, line in enumerate(source.lines) if "Column name" in line), None)
    if start is None:
        raise source.cut("the table of columns is missing")
    waiting: list[str] = []
    expected = 1
    # The line below the headings is a rule.
    for number, line in enumerate(source.lines[start + 2 :], start=start + 3):
        fields = line.split()
        if not fields:
            break
        if not waiting and (fields[0] != str(expected) or len(fields) == 1):
            raise source.unexpected(line, f"column {expected}", number)
        if not waiting and len(fields) == 2:
            waiting = fields
            continue
        yield waiting + fields, number
        waiting = []
        expected += 1


GLPK_RAW = r"c$|c Problem:|c Status:|s (mip|bas) "


def read_glpk_raw(source: TextFile, columns: Sequence[str] | None) -> SolutionFile:
    """Read values by the columns' numbers, which start at 1, in the model file's order."""
    if columns is None:
        raise source.error("numbers its columns instead of naming them; give their names in order")
    head = next((n for n, line in enumerate(source.lines) if line.startswith("s ")), None)
    if head is None:
        raise source.cut("the line 's mip ...' is missing")
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
            raise source.unexpected(line, "'j column value'", number)
    if claim != "unknown" and not ended:
        raise source.cut("'e o f' is missing")
    if claim != "unknown" and len(point.values) != len(columns):
        raise source.error(f"lists {len(point.values)} of {len(columns)} columns")
    objective = parse_number(source.lines[head].split()[5])
    return SolutionFile("GLPK", claim, point.values, objective=objective)


def _raw_claim(source: TextFile, head: int, columns: int) -> Claim:
    """Return the claim of the line ``s mip rows columns status objective``."""
    fields = source.lines[head].split()
    if len(fields) != 6 or fields[1] != "mip":
        wanted = (
            "'s mip rows columns status objective'; "
            "an answer to the relaxation is not an answer to the puzzle"
        )
        raise source.unexpected(source.lines[head], wanted, head + 1)
    if fields[4] not in GLPK_LETTERS:
        raise source.error(f"found the status {quote(fields[4])}; it is o, f, n or u", head + 1)
    if fields[3] != str(columns):
        raise source.error(
            f"is about {fields[3][:20]} columns, and the model has {columns}; "
            "is it the answer to another instance?",
            head + 1,
        )
    return GLPK_LETTERS[fields[4]]


READERS = {
    r"Model status$": read_raw,
    r"Columns$": read_pretty,
    CBC_HEAD.pattern: read_cbc,
    r"solution status:|objective value:|no solution available": read_scip,
    r"Problem:": read_glpk_text,
    r"NAME(\s|$)": read_slx,
}
"""The readers by a pattern of the first line that is not blank."""
