"""GLPK's solution files for people (``-o``) and for programs (``-w``); HiGHS writes both too."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from calmip.formats.reading import TextFile, quoted
from calmip.formats.solutions.base import Claim, SolutionFile, Values

__all__ = ["is_glpk_raw", "is_glpk_text", "read_glpk_raw", "read_glpk_text"]

LETTERS: dict[str, Claim] = {"o": "optimal", "f": "feasible", "n": "infeasible", "u": "unknown"}
WORDS: dict[str, Claim] = {
    "INTEGER OPTIMAL": "optimal",
    "INTEGER NON-OPTIMAL": "feasible",
    "INTEGER EMPTY": "infeasible",
    "INTEGER UNDEFINED": "unknown",
    # Of the relaxation, which glpsol --nomip solves: no integer point, no integer program.
    "INFEASIBLE (FINAL)": "infeasible",
}
MARKS = ("*", "B", "NL", "NU", "NF", "NS")
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
        if after and after[0] in MARKS:
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
