"""What a solution file says, and what its readers share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from calmip.formats.reading import TextFile, quoted

__all__ = ["Claim", "SolutionFile", "Values"]

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
