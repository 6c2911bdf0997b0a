"""CPLEX's solution files, which are XML; nothing of XML's dangers is let in."""

from __future__ import annotations

from collections.abc import Mapping
from xml.parsers import expat  # Not ElementTree: it would expand entities before we look.

from calmip.formats.reading import TextFile, quoted
from calmip.formats.solutions.base import Claim, SolutionFile, Values

__all__ = ["is_cplex", "read_cplex"]

OPTIMAL = ("1", "101", "102", "129", "130")
INFEASIBLE = ("3", "103", "119")
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
    if number in INFEASIBLE:
        claim, values = "infeasible", {}
    elif values and number in OPTIMAL:
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
