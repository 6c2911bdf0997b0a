"""Solution files of all solvers, recognised by their content.

`calmip.mip.files.solutions.texts` reads files of lines; this module reads XML (CPLEX) and JSON
(Gurobi, calmip). Document types and entities of XML are refused. Gurobi can report "infeasible"
only in its JSON results.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, cast
from xml.parsers import expat  # Not ElementTree, which expands entities before they can be refused.

from calmip._base.errors import InputError
from calmip.mip.display import quote
from calmip.mip.files.solutions import texts
from calmip.mip.files.solutions.points import DOUBLE, EXACT, Claim, SolutionFile, Values
from calmip.mip.files.text_source import TextFile, read_source

__all__ = ["Claim", "SolutionFile", "read_solution", "solution_in"]

CPLEX_OPTIMAL = ("1", "101", "102", "129", "130")
CPLEX_UNBOUNDED = ("2", "118")
CPLEX_EITHER = ("4", "119")
CPLEX_INFEASIBLE = ("3", "103", *CPLEX_EITHER)
"""CPLEX's status numbers; infeasible or unbounded is infeasible for bounded variables."""

CPLEX_NONE = ("106", "108", "110", "112", "114", "117", "132")
"""It stopped without an integer solution: node, time, failure, memory, abort, tree, ticks."""


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
    if number in CPLEX_INFEASIBLE:
        return SolutionFile("CPLEX", "infeasible", {}, status, either=number in CPLEX_EITHER)
    if number in CPLEX_UNBOUNDED:
        return SolutionFile("CPLEX", "unbounded", {}, status)
    stopped = number in CPLEX_NONE or reading.header.get("primalFeasible") == "0"
    if stopped or not reading.point.values:
        return SolutionFile("CPLEX", "unknown", {}, status)
    claim: Claim = "optimal" if number in CPLEX_OPTIMAL else "feasible"
    return reading.point.solution("CPLEX", claim, status, reading.header.get("objectiveValue", ""))


CUT = (
    expat.errors.codes[expat.errors.XML_ERROR_NO_ELEMENTS],
    expat.errors.codes[expat.errors.XML_ERROR_UNCLOSED_TOKEN],
    expat.errors.codes[expat.errors.XML_ERROR_UNCLOSED_CDATA_SECTION],
)


class _Reading:
    """Receives the parser's events."""

    def __init__(self, source: TextFile) -> None:
        self.source = source
        self.point = Values(source, DOUBLE)
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
            raise self.source.error(f"is XML of another kind: {quote(f'<{tag}>')}", line)
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
            raise self.source.error(f"found {quote(data.strip())} between the tags", line)

    def end(self, _: str) -> None:
        self.depth -= 1


MAX_STATUS = 9
GUROBI_OPTIMAL = "2"
GUROBI_EITHER, GUROBI_UNBOUNDED = "4", "5"
GUROBI_INFEASIBLE = ("3", GUROBI_EITHER)
"""Gurobi's status numbers; 4, infeasible or unbounded, is infeasible for bounded variables."""


def read_json(source: TextFile) -> SolutionFile:
    """Read a JSON result of Gurobi, or of ``calmip solve`` and ``calmip enumerate``."""
    try:
        # Numbers stay text, to be checked and read as in every other format.
        result = json.loads("\n".join(source.lines), parse_float=str, parse_int=str)
    except json.JSONDecodeError as error:
        raise source.error(f"is not valid JSON: {error.msg}", error.lineno) from None
    except RecursionError:
        raise source.error("is nested too deeply") from None
    if "status" in result and ("tilings" in result or "solution" in result):
        return _read_own(result, source)
    information = result.get("SolutionInfo")
    status = information.get("Status") if isinstance(information, dict) else None
    if not isinstance(status, str) or not status.isdecimal() or len(status) > MAX_STATUS:
        raise source.error(
            "is JSON without Gurobi's SolutionInfo and its Status, and not a result of calmip solve"
        )
    if status in GUROBI_INFEASIBLE:
        either = status == GUROBI_EITHER
        return SolutionFile("Gurobi", "infeasible", {}, f"status {status}", either=either)
    if status == GUROBI_UNBOUNDED:
        return SolutionFile("Gurobi", "unbounded", {}, f"status {status}")
    variables: Any = result.get("Vars", [])
    if not isinstance(variables, list):
        raise source.error("its 'Vars' is not a list")
    point = Values(source, DOUBLE)
    if information.get("SolCount") == "0":
        variables = []  # it stopped without a solution
    for entry in variables:
        name = entry.get("VarName") if isinstance(entry, dict) else None
        if not isinstance(name, str):
            raise source.error(f"found {quote(str(entry))}, not a variable with a VarName")
        point.add(name, str(entry.get("X")), 1)
    claim: Claim = "unknown"
    if point.values:
        claim = "optimal" if status == GUROBI_OPTIMAL else "feasible"
    return point.solution("Gurobi", claim, f"status {status}", str(information.get("ObjVal", "")))


def _read_own(result: dict[str, Any], source: TextFile) -> SolutionFile:
    """Read the one tiling of an instance, or the one solution of a model, in calmip's own JSON.

    A placement is named by its piece and cells, ``U:3,0+3,1``, and a label by its group,
    ``month:Feb``.
    """
    claim, solver = result["status"], result.get("solver") or "calmip"
    tilings, solution = result.get("tilings") or [], result.get("solution")
    point = Values(source, EXACT)
    try:
        if len(tilings) > 1:
            raise source.error(f"holds {len(tilings)} tilings; keep one in the file")
        for tiling in tilings:
            for placed in tiling["placements"]:
                cells = "+".join(f"{row},{column}" for row, column in placed["cells"])
                point.add(f"{placed['piece']}:{cells}", "1", 1)
            for group, labels in tiling["reveal"].items():
                for label in [labels] if isinstance(labels, str) else labels:
                    point.add(f"{group}:{label}", "1", 1)
        for name in (solution or {}).get("ones", ()):
            point.add(name, "1", 1)
        for name, value in (solution or {}).get("values", {}).items():
            point.add(name, value, 1)
    except InputError:
        raise
    except (AttributeError, KeyError, TypeError, ValueError):
        raise source.error("is not a result as calmip solve writes it") from None
    none = not tilings and solution is None
    known = ("infeasible", "unbounded") if none else ("optimal", "feasible")
    kept = cast("Claim", claim) if claim in known else "unknown"
    # It prints the objective as a double number.
    stated = str(result.get("objective"))
    return point.solution("calmip", kept, f"{claim} by {solver}", stated, DOUBLE)


KNOWN = (
    "HiGHS (raw, pretty, sparse, glpsol styles), CBC, SCIP, Gurobi (.sol, .json), COPT, CPLEX XML, "
    "Xpress .slx, GLPK (-o, -w), MIPLIB, calmip's own .json"
)

BANNER = re.compile(r"Running HiGHS \d|(?:Copyright|Includes third-party) .*|\s*$")

READERS = texts.READERS | {r"<\?xml|<CPLEXSolution|<!": read_cplex, r"\{": read_json}


def read_solution(
    path: Path, columns: Sequence[str] | None = None, *, zeros: bool = False, linear: bool = False
) -> SolutionFile:
    """Read a solver's solution file and detect its format.

    Known: the files of HiGHS (raw, pretty, sparse, and its two in GLPK's manner), CBC, SCIP,
    Gurobi (``.sol`` and ``.json``), COPT, CPLEX (XML), Xpress (``.slx``), GLPK (``-o`` and
    ``-w``), MIPLIB and ``calmip solve --format json``, each also compressed by gzip.

    Parameters
    ----------
    path
        The file.
    columns
        The model's columns in the order of the model file, for GLPK's ``-w``, which numbers them.
    zeros
        Whether a solution without any value may be one of zeros alone, if its file states an
        objective; it solves no puzzle.
    linear
        Whether the model has no integers, so that an answer to a linear program answers it.

    Raises
    ------
    InputError
        If the file cannot be read, is of no known format, is cut or holds more than one
        solution, or a value is not a finite number or is duplicate. The error has the line.
    """
    source = read_source(path)
    if path.suffix.lower() in (".yaml", ".yml"):
        raise source.error("is a puzzle or an instance, not an answer; name a solution file")
    found = solution_in(source, columns, linear=linear)
    if found.linear and not linear and found.claim != "infeasible":
        found = replace(found, claim="unknown")
    stated = found.format == "calmip" or (zeros and found.objective is not None)
    if found.claim in ("optimal", "feasible") and not found.values and not stated:
        # Many formats omit zeros, but zeros alone solve no puzzle.
        raise source.error(f"says '{found.detail or found.claim}' and gives no values; is it cut?")
    return found


def _without_banner(source: TextFile) -> TextFile:
    """Return a file with the lines left empty that HiGHS 1.16 prints first, though it is silent.

    They come before an answer that a program writes to stdout.
    """
    blank = 0
    for line in source.lines:
        if not BANNER.match(line):
            break
        blank += 1
    return replace(source, lines=("",) * blank + tuple(source.lines[blank:])) if blank else source


def solution_in(
    source: TextFile, columns: Sequence[str] | None = None, *, linear: bool = True
) -> SolutionFile:
    """Return the solution in a file's lines, as `read_solution` does; all may be zero."""
    source = _without_banner(source)
    first = next((line.strip() for line in source.lines if line.strip()), "")
    if not first:
        raise source.error("holds no solution")
    if re.match(texts.GLPK_RAW, first):
        return texts.read_glpk_raw(source, columns, linear=linear)
    for pattern, read in READERS.items():
        if re.match(pattern, first):
            return read(source)
    if texts.is_list(first):
        return texts.read_list(source)
    hint = ""
    if "Number of columns and rows for primal or dual solution" in first:
        hint = "; HiGHS's old raw style names no columns: write it with write_solution_style 0"
    raise source.error(f"starts with {quote(first)}, which no known format does: {KNOWN}{hint}")
