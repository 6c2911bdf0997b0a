"""Solution files of lines: their claims, and the readers of most solvers' formats.

The readers of lists of names and values (Gurobi, COPT, MIPLIB, SCIP, Xpress) come first. Those
of HiGHS (raw, sparse and pretty), CBC, and GLPK (``-o`` for people, ``-w`` for programs; HiGHS
writes them too) follow.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from calmip._base.errors import join_words
from calmip.mip.display import quote
from calmip.mip.files.solutions.points import (
    CBC,
    DOUBLE,
    HIGHS,
    TABLE,
    TITLE,
    Claim,
    Precision,
    SolutionFile,
    Values,
)
from calmip.mip.files.text_source import TextFile, parse_number

PAIR = "a name and a value"
SECOND = "a second solution starts; keep one in the file"
MAX_DIGITS = 9
"""The most digits of a count or of a column's number: no model has more columns."""

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
    point = Values(source, _precision(source))
    kind, mark, objective = "list of values", "", ""
    for number, line in enumerate(source.lines, start=1):
        fields = line.split()
        if line.startswith("#"):
            if not point.values and line.startswith(HEAD):
                kind = "Gurobi" if "=" in line else "COPT"
                objective = fields[-1]
        elif fields and fields[0] in MARKS:
            if mark:
                raise source.error(
                    f"found {fields[0]} after {mark}; a solution file holds one solution", number
                )
            kind, mark = "MIPLIB", fields[0]
            objective = fields[1] if len(fields) == 2 else ""
        elif fields:
            if len(fields) != 2:
                raise source.unexpected(line, PAIR, number)
            point.add(fields[0], fields[1], number)
    claim = MARKS[mark] if mark else "feasible"
    if claim == "infeasible" and point.values:
        raise source.error(f"says {mark} and yet gives values")
    if claim not in ("infeasible", "unknown") and parse_number(objective) is None:
        point.require()
    return point.solution(kind, claim, mark, objective)


def _precision(source: TextFile) -> Precision:
    """Return the digits of a list of any origin.

    A program that prints so many digits writes greater numbers with an exponent. So the digits of a
    list with one are the most that a number of it has, at least six. Another list has doubles if a
    number shows more than six digits, or its head is Gurobi's; else nothing tells it from a list of
    six.
    """
    pairs = (line.split() for line in source.lines if not line.startswith("#"))
    numbers = {pair[1] for pair in pairs if len(pair) == 2 and pair[0] not in MARKS}
    great = any(map(GREAT.search, numbers))
    longest = 0
    for number in numbers:
        longest = max(longest, len(re.sub(r"[edED].*|[^0-9]", "", number).lstrip("0")))
        if longest > LEAST and not great:
            break  # as they are doubles
    known = longest != LEAST or any(line.startswith(HEAD) for line in source.lines)
    return DOUBLE if known and not great else Precision(max(LEAST, longest))


GREAT = re.compile(r"[edED]\+?0*[1-9]")
"""The end of a number from ten on with an exponent."""


HEAD = "# Objective value"
"""The head of the lists of Gurobi and COPT."""


LEAST = TABLE.digits
"""No program prints fewer digits."""

SCIP_LINE = re.compile(r"(\S+)\s+(\S+)(?:\s+\(obj:[^)]*\))?")


def read_scip(source: TextFile) -> SolutionFile:
    """Read a file of SCIP: ``name value (obj:c)``, without zeros."""
    point = Values(source, DOUBLE)
    claim: Claim = "unknown"
    status = stated = ""
    for number, line in enumerate(source.lines, start=1):
        text = line.strip()
        if text.startswith("solution status:"):
            status = text.partition(":")[2].strip()
        elif text.startswith("objective value:"):
            if claim == "feasible":
                raise source.error(SECOND, number)
            stated = text.partition(":")[2].strip()
            source.number(stated, number, "the objective value")
            claim = "feasible"
        elif text and text != "no solution available":
            match = SCIP_LINE.fullmatch(text)
            if match is None or claim != "feasible":
                raise source.unexpected(line, PAIR, number)
            point.add(match[1], match[2], number)
    if claim == "feasible":
        claim = "optimal" if status.startswith("optimal") else "feasible"
        return point.solution("SCIP", claim, status, stated)
    claim = "infeasible" if status.startswith("infeasible") else "unknown"
    if status.startswith("unbounded"):
        claim = "unbounded"
    return SolutionFile("SCIP", claim, {}, status, either="unbounded" in status)


def read_slx(source: TextFile) -> SolutionFile:
    """Read Xpress's ``.slx``: ``C name value`` between NAME and ENDATA."""
    point = Values(source, DOUBLE)
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
    point.require()
    return point.solution("Xpress", "feasible")


NONE: dict[str, Claim] = {
    "Infeasible": "infeasible",
    "Primal infeasible or unbounded": "infeasible",
    "Unbounded": "unbounded",
}
"""HiGHS's statuses without a solution."""


def _highs(point: Values, status: str, objective: str, *, feasible: bool) -> SolutionFile:
    """Return a point of HiGHS, which is no solution if it stopped at one that is not feasible."""
    if not feasible and status != "Optimal":
        return SolutionFile("HiGHS", "unknown", {}, status)
    claim: Claim = "unknown"
    if feasible:
        claim = "optimal" if status == "Optimal" else "feasible"
    return point.solution("HiGHS", claim, status, objective, HIGHS)


LATER = ("Objective_bound", "MIP_rel_gap")
"""What HiGHS 1.16 adds to a file after the objective of a MIP."""


def read_raw(source: TextFile) -> SolutionFile:
    """Read HiGHS's styles 0 (raw: every column) and 4 (sparse: those that are not zero)."""
    rest = _Rest(source)
    while rest.line()[1] != "Model status":
        pass
    _, status = rest.line()
    if all(text != "# Primal solution values" for _, text in rest.lines):
        raise source.cut("'# Primal solution values' is missing")
    number, quality = rest.line()
    if status in NONE:
        return SolutionFile("HiGHS", NONE[status], {}, status, either="or unbounded" in status)
    point = Values(source, HIGHS)
    if quality == "None":
        return _highs(point, status, "", feasible=False)
    if quality not in ("Feasible", "Infeasible"):
        raise source.unexpected(quality, "Feasible, Infeasible or None", number)
    number, text = rest.line()
    head = text.split()
    if len(head) != 2 or head[0] != "Objective":
        raise source.unexpected(text, "the objective", number)
    _read_columns(rest, point)
    return _highs(point, status, head[1], feasible=quality == "Feasible")


class _Rest:
    """The lines of a file that are not read yet, with their numbers, without blanks around them."""

    def __init__(self, source: TextFile) -> None:
        self.source = source
        self.lines = enumerate(map(str.strip, source.lines), start=1)

    def line(self) -> tuple[int, str]:
        """Return the next line; raise `InputError` if there is none."""
        for found in self.lines:
            return found
        raise self.source.cut("the file ends too early")


def _read_columns(rest: _Rest, point: Values) -> None:
    """Read the columns of a raw or sparse file, and whether its rows are all there."""
    source = rest.source
    number, text = rest.line()
    while text.partition(" ")[0] in LATER:
        number, text = rest.line()
    # HiGHS 1.16 repeats behind a negative number what it means.
    columns = re.sub(r"^(# Columns -?\d+) sparse$", r"\1", text)
    count = _count(source, columns, "# Columns", number)
    # A negative number announces the sparse style, which adds each column's index.
    width = 2 if count >= 0 else 3
    left = abs(count)
    for number, text in islice(rest.lines, left):
        fields = text.split()
        if len(fields) != width:
            raise source.unexpected(text, PAIR, number)
        point.add(fields[0], fields[1], number)
        left -= 1
    # The sparse style of zeros alone ends here.
    last = next(rest.lines, None) if count == 0 else rest.line() if left or count > 0 else None
    if last is not None:
        rows = _count(source, last[1], "# Rows", last[0])
        for _ in range(rows):
            rest.line()


def _count(source: TextFile, text: str, head: str, line: int) -> int:
    number = text.removeprefix(head).strip()
    digits = number.removeprefix("-")
    if not text.startswith(head) or not digits.isdecimal() or len(digits) > MAX_DIGITS:
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
    point = Values(source, TABLE)
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
    if empty and point.values:
        raise source.error(f"{empty} columns have no value", start + 1)
    # Of a linear program that was stopped, the table has the last iterate.
    feasible = bool(point.values) and (status == "Optimal" or "Type" in heading)
    return _highs(point, status, stated.partition(":")[2].strip(), feasible=feasible)


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
    lines = enumerate(source.lines, start=1)
    start, text = next((n, line.strip()) for n, line in lines if line.strip())
    head = CBC_HEAD.fullmatch(text)
    assert head is not None
    stated = head[3].strip()
    source.number(stated, start, "the objective value")
    claim = CBC_STATUSES[head[2]]
    point = Values(source, CBC)
    for number, line in lines:
        fields = line.replace("**", " ", 1).split()
        if not fields:
            continue
        if len(fields) != 4 or not fields[0].isdecimal():
            raise source.unexpected(line, "an index, a name, a value and a reduced cost", number)
        source.number(fields[3], number, "a reduced cost")
        point.add(fields[1], fields[2], number)
        if claim == "feasible" and line.lstrip().startswith("**"):
            claim = "unknown"  # the last iterate of a linear program
    # Without an integer solution, the point of the relaxation follows.
    if claim in ("infeasible", "unbounded", "unknown") or "no integer solution" in head[1]:
        claim = "unknown" if claim in ("feasible", "optimal") else claim
        return SolutionFile("CBC", claim, {}, head[1])
    return point.solution("CBC", claim, head[1], stated, Precision(0))


GLPK_WORDS: dict[str, Claim] = {
    "INTEGER OPTIMAL": "optimal",
    "INTEGER NON-OPTIMAL": "feasible",
    "INTEGER EMPTY": "infeasible",
    "INTEGER UNDEFINED": "unknown",
    "OPTIMAL": "optimal",
    "FEASIBLE": "feasible",
    # If a relaxation is infeasible, there is no integer point either.
    "INFEASIBLE (FINAL)": "infeasible",
    "UNBOUNDED": "unbounded",
}
"""The statuses; without INTEGER of a linear program, or of a relaxation by glpsol --nomip."""


def _claims_of_a_basis(primal: str) -> Iterator[tuple[str, Claim]]:
    """Yield the letters for the dual solution, and the claims, beside one for the primal."""
    claims: dict[str, Claim] = {"u": "unknown", "i": "unknown", "n": "infeasible"}
    duals: dict[str, Claim] = {"f": "optimal", "i": "feasible", "n": "unbounded", "u": "feasible"}
    for dual, claim in duals.items():
        yield dual, claims.get(primal, claim)


GLPK_LETTERS: dict[str, dict[str, Claim]] = {
    "mip": {"o": "optimal", "f": "feasible", "n": "infeasible", "u": "unknown"},
    "ipt": {"o": "optimal", "n": "infeasible", "i": "unknown", "u": "unknown"},
    "bas": {
        f"{primal} {dual}": claim for primal in "finu" for dual, claim in _claims_of_a_basis(primal)
    },
}
"""Claims by the kind of an answer and its letters; a basis has one for primal, one for dual."""

GLPK_PLACES = {"mip": (3, 2), "ipt": (4, 2), "bas": (5, 3)}
"""By the kind of an answer: the fields of a column's line, and the place of its value."""

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
    linear = not status.startswith("INTEGER")
    claim = GLPK_WORDS.get(status, "unknown")
    none = SolutionFile("GLPK", claim, {}, status, linear=linear)
    tabled = any("Column name" in line for line in source.lines)
    if claim in ("infeasible", "unbounded") or (status.endswith("UNDEFINED") and not tabled):
        return none
    point = Values(source, TABLE)
    for fields, number in _glpk_columns(source):
        after = fields[2:]
        if after and after[0] in STATES:
            after = after[1:]
        if not after:
            raise source.error(f"{quote(fields[1])} has no value", number)
        point.add(fields[1], after[0], number)
    if str(len(point.values)) != count:
        raise source.error(f"lists {len(point.values)} of {count[:20]} columns; is it cut?")
    if not any(line.strip() == "End of output" for line in source.lines):
        raise source.cut("'End of output' is missing")
    if claim == "unknown":
        return none
    stated = re.search(r"=\s*(\S+)", heads.get("Objective", ""))
    objective = stated[1] if stated else ""
    return point.solution("GLPK", claim, status, objective, TITLE, linear=linear)


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


GLPK_RAW = r"c$|c Problem:|c Status:|s (mip|bas|ipt) "


def read_glpk_raw(
    source: TextFile, columns: Sequence[str] | None, *, linear: bool = True
) -> SolutionFile:
    """Read values by the columns' numbers, which start at 1, in the model file's order.

    An answer to a linear program is refused unless one is expected.
    """
    if columns is None:
        raise source.error("numbers its columns instead of naming them; give their names in order")
    lines = enumerate(source.lines, start=1)
    head = next(((n, line) for n, line in lines if line.startswith("s ")), None)
    if head is None:
        raise source.cut("the line 's mip ...' is missing")
    kind, claim = _raw_claim(source, *head, len(columns), linear=linear)
    if claim not in ("optimal", "feasible"):
        detail = {"infeasible": "INTEGER EMPTY", "unknown": "INTEGER UNDEFINED"}.get(claim, claim)
        return SolutionFile("GLPK", claim, {}, detail if kind == "mip" else claim.upper())
    point = Values(source, HIGHS)
    width, at = GLPK_PLACES[kind]
    ended = False
    for number, line in lines:
        fields = line.split()
        if fields == ["e", "o", "f"]:
            ended = True
            break
        if len(fields) == width and fields[0] == "j" and fields[1].isdecimal():
            index = int(fields[1]) if len(fields[1]) <= MAX_DIGITS else 0
            if not 1 <= index <= len(columns):
                raise source.error(f"there is no column {fields[1][:20]}", number)
            point.add(columns[index - 1], fields[at], number)
        elif fields and fields[0] not in ("c", "i"):
            raise source.unexpected(line, "'j column value'", number)
    if not ended:
        raise source.cut("'e o f' is missing")
    if len(point.values) != len(columns):
        raise source.error(f"lists {len(point.values)} of {len(columns)} columns")
    stated = head[1].split()[-1]
    return point.solution("GLPK", claim, "", stated, HIGHS, linear=kind != "mip")


def _raw_claim(
    source: TextFile, number: int, line: str, columns: int, *, linear: bool
) -> tuple[str, Claim]:
    """Return the kind and the claim of the line ``s mip rows columns status objective``."""
    kind, *fields = line.split()[1:] or [""]
    known = GLPK_LETTERS.get(kind, {})
    if not known or len(fields) != (5 if kind == "bas" else 4) or (kind != "mip" and not linear):
        wanted = (
            "'s mip rows columns status objective'; "
            "an answer to the relaxation is not an answer to the puzzle"
        )
        raise source.unexpected(line, wanted, number)
    word = " ".join(fields[2:-1])
    if word not in known:
        letters = join_words(known)
        raise source.error(f"found the status {quote(word)}; it is {letters}", number)
    if fields[1] != str(columns):
        raise source.error(
            f"is about {fields[1][:20]} columns, and the model has {columns}; "
            "is it the answer to another instance?",
            number,
        )
    return kind, known[word]


READERS = {
    r"Model status$": read_raw,
    r"Columns$": read_pretty,
    CBC_HEAD.pattern: read_cbc,
    r"solution status:|objective value:|no solution available": read_scip,
    r"Problem:": read_glpk_text,
    r"NAME(\s|$)": read_slx,
}
"""The readers by a pattern of the first line that is not blank."""
