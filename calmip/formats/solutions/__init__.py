"""Solution files, whatever solver wrote them: known by their content.

Those of lines are read in `calmip.formats.solutions.texts`, those in XML (CPLEX) and JSON (Gurobi)
here. Nothing of XML's dangers is let in. Gurobi's JSON results are the only files in which it can
say "infeasible".
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any
from xml.parsers import expat  # Not ElementTree: it would expand entities before we look.

from calmip.formats.reading import TextFile, quoted, read_source
from calmip.formats.solutions.texts import (
    Claim,
    SolutionFile,
    Values,
    is_cbc,
    is_glpk_raw,
    is_glpk_text,
    is_list,
    is_pretty,
    is_raw,
    is_scip,
    is_slx,
    read_cbc,
    read_glpk_raw,
    read_glpk_text,
    read_list,
    read_pretty,
    read_raw,
    read_scip,
    read_slx,
)

__all__ = [
    "Claim",
    "SolutionFile",
    "read_solution",
    "solution_in",
]


CPLEX_OPTIMAL = ("1", "101", "102", "129", "130")
CPLEX_INFEASIBLE = ("3", "103", "119")
"""CPLEX's status numbers; 119, infeasible or unbounded, is infeasible for bounded variables."""


def is_cplex(first: str) -> bool:
    """Return whether a first line opens an XML file."""
    return first.startswith(("<?xml", "<CPLEXSolution", "<!"))


def read_cplex(source: TextFile) -> SolutionFile:
    """Read the header and the variables of a ``CPLEXSolution``."""
    reading = _Reading(source)
    try:
        reading.parser.Parse("\n".join(source.lines).encode(), True)
    except expat.ExpatError as error:
        cut = " (is it cut?)" if error.code in CUT else ""
        raise source.error(
            f"is not valid XML: {expat.ErrorString(error.code)}{cut}", error.lineno
        ) from None
    if not reading.solutions:
        raise source.error("holds no CPLEXSolution")
    status = reading.header.get("solutionStatusString", "")
    number = reading.header.get("solutionStatusValue", "")
    values = reading.point.values
    claim: Claim = "feasible" if values else "unknown"
    if number in CPLEX_INFEASIBLE:
        claim, values = "infeasible", {}
    elif values and number in CPLEX_OPTIMAL:
        claim = "optimal"
    return SolutionFile("CPLEX", claim, values, status)


CUT = (
    expat.errors.codes[expat.errors.XML_ERROR_NO_ELEMENTS],
    expat.errors.codes[expat.errors.XML_ERROR_UNCLOSED_TOKEN],
    expat.errors.codes[expat.errors.XML_ERROR_UNCLOSED_CDATA_SECTION],
)


class _Reading:
    """Receives the parser's events."""

    def __init__(self, source: TextFile) -> None:
        self.source = source
        self.point = Values(source)
        self.header: Mapping[str, str] = {}
        self.solutions = 0
        self.depth = 0
        self.parser = expat.ParserCreate("utf-8")
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = self.end
        # Entities can only be declared in a document type; CPLEX writes none.
        self.parser.StartDoctypeDeclHandler = self.refuse
        self.parser.CharacterDataHandler = self.text

    def refuse(self, *_: object) -> None:
        raise self.source.error(
            "declares a document type, which CPLEX never does; refused",
            self.parser.CurrentLineNumber,
        )

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        line = self.parser.CurrentLineNumber
        if self.depth == 0 and tag not in ("CPLEXSolution", "CPLEXSolutions"):
            raise self.source.error(f"is XML of another kind: {quoted(f'<{tag}>')}", line)
        self.depth += 1
        if tag == "CPLEXSolution":
            self.solutions += 1
            if self.solutions > 1:
                raise self.source.error("a second solution starts; keep one in the file", line)
        elif tag == "header":
            self.header = attributes
        elif tag == "variable":
            if "name" not in attributes or "value" not in attributes:
                raise self.source.error("a <variable> has no name or no value", line)
            self.point.add(attributes["name"], attributes["value"], line)

    def text(self, data: str) -> None:
        if data.strip():
            line = self.parser.CurrentLineNumber
            raise self.source.error(f"found {quoted(data.strip())} between the tags", line)

    def end(self, _: str) -> None:
        self.depth -= 1


GUROBI_OPTIMAL = "2"
GUROBI_INFEASIBLE = ("3", "4")
"""Gurobi's status numbers; 4, infeasible or unbounded, is infeasible for bounded variables."""


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
    if status in GUROBI_INFEASIBLE:
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
        claim = "optimal" if status == GUROBI_OPTIMAL else "feasible"
    return SolutionFile("Gurobi", claim, point.values, f"status {status}")


KNOWN = (
    "HiGHS (raw, pretty, sparse, glpsol styles), CBC, SCIP, Gurobi (.sol, .json), COPT, CPLEX XML, "
    "Xpress .slx, GLPK (-o, -w), MIPLIB"
)

# Whether a first line (of those that are not blank) is of a format -> its reader.
READERS: tuple[tuple[Callable[[str], bool], Callable[[TextFile], SolutionFile]], ...] = (
    (is_raw, read_raw),
    (is_pretty, read_pretty),
    (is_cbc, read_cbc),
    (is_scip, read_scip),
    (is_cplex, read_cplex),
    (is_gurobi_json, read_gurobi_json),
    (is_glpk_text, read_glpk_text),
    (is_slx, read_slx),
    (is_list, read_list),
)


def read_solution(path: Path, columns: Sequence[str] | None = None) -> SolutionFile:
    """Read a solver's solution file; its format is known from its content.

    Known are the files of HiGHS (raw, pretty, sparse, and its two in GLPK's
    manner), CBC, SCIP, Gurobi (``.sol`` and ``.json``), COPT, CPLEX (XML),
    Xpress (``.slx``), GLPK (``-o`` and ``-w``) and MIPLIB, each also
    compressed by gzip.

    Parameters
    ----------
    path
        The file.
    columns
        The names of the model's columns in the order of the model file, for
        GLPK's ``-w``, which numbers them.

    Raises
    ------
    InputError
        If the file cannot be read, is of no known format, is cut or holds
        more than one solution, or a value is no finite number or comes twice;
        with the line.
    """
    source = read_source(path)
    found = solution_in(source, columns)
    if found.claim in ("optimal", "feasible") and not found.values:
        # Many formats leave out zeros, but no puzzle is solved by zeros alone.
        raise source.error(f"says '{found.detail or found.claim}' and gives no values; is it cut?")
    return found


def solution_in(source: TextFile, columns: Sequence[str] | None = None) -> SolutionFile:
    """Return what the lines of a solution file say; see `read_solution`.

    A solution of zeros alone is one here: models that are no puzzles have it.

    Raises
    ------
    InputError
        As `read_solution` does.
    """
    first = next(line.strip() for line in source.lines if line.strip())
    if is_glpk_raw(first):
        return read_glpk_raw(source, columns)
    for recognises, read in READERS:
        if recognises(first):
            return read(source)
    hint = ""
    if "Number of columns and rows for primal or dual solution" in first:
        hint = "; HiGHS's old raw style names no columns: write it with write_solution_style 0"
    raise source.error(f"starts with {quoted(first)}, which no known format does: {KNOWN}{hint}")
