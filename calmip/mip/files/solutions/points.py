"""What a solution file says: a claim and a point, and what the printed digits can mean.

Programs print their double numbers with six to seventeen digits. Decimals are read exactly, and
each format has its `Precision`: half a unit of the last printed digit is the *spread* of a number.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import Literal, NamedTuple

from calmip.mip.display import quote
from calmip.mip.files.text_source import TextFile, parse_number
from calmip.mip.rows import Number, shortest

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
        point may follow, but no point of which the file says that it is no solution.
    values
        The values by column name, as far as the file lists them, every decimal as it is printed;
        the others are 0.
    detail
        The solver's own word for its status, if there is one.
    objective
        The objective that the file states, None if it states none.
    either
        Whether the claim is "infeasible or unbounded", which is ``"infeasible"`` for a model of
        bounded variables.
    spread
        Half a unit of the last digit that the format prints, by column name: what was printed
        may be so much more or less. Absent names are exact.
    rounding
        The same of the objective.
    linear
        Whether the claim is about a linear program, or about the relaxation of a model with
        integers.
    """

    format: str
    claim: Claim
    values: Mapping[str, Number] = field(default_factory=dict)
    detail: str = ""
    objective: Number | None = None
    either: bool = False
    spread: Mapping[str, Number] = field(default_factory=dict)
    rounding: Number = 0
    linear: bool = False


class Precision(NamedTuple):
    """The digits of a format's numbers.

    Parameters
    ----------
    digits
        The significant digits, unless a number has more. A number with fewer had zeros there.
    least
        The least difference that is printed.
    """

    digits: int
    least: Number = 0

    def spread(self, text: str) -> Number:
        """Return half a unit of the last digit of a number, 0 for the number 0."""
        if self is EXACT:
            return 0
        mantissa, _, power = re.sub("[dD]", "e", text.lstrip("+-")).lower().partition("e")
        integral, _, part = mantissa.partition(".")
        digits = len((integral + part).lstrip("0"))
        return self.half(digits, int(power or 0) - len(part))

    def half(self, digits: int, last: int) -> Number:
        """Return half a unit of the last digit that is printed.

        Parameters
        ----------
        digits
            The significant digits of a number, 0 of the number 0.
        last
            The power of ten of the last one.
        """
        if self is EXACT:
            return 0
        if not digits:
            return Fraction(self.least) / 2
        return _half(min(last, last + digits - self.digits), self.least)


EXACT = Precision(0)
"""A number is what it says: the fractions and texts of calmip itself."""

DOUBLE = Precision(15)
"""``%.15g``, which SCIP, Gurobi, CPLEX, Xpress and GLPK (``-w``) print, or more digits."""

HIGHS = Precision(15, Fraction(1, 10**13))
"""HiGHS's own numbers: up to sixteen digits, but none below 1e-13."""

CBC = Precision(8)
"""``%15.8g`` of CBC's option ``-solution``."""

TABLE = Precision(6)
"""The tables for people of HiGHS (``%12g``) and GLPK (``%13.6g``)."""

TITLE = Precision(10)
"""The objective above the tables of GLPK and of HiGHS in its manner (``%.10g``)."""


@lru_cache(maxsize=1024)
def _half(power: int, least: Number) -> Fraction:
    """Return half of a power of ten, or of a greater number."""
    unit = Fraction(10**power) if power >= 0 else Fraction(1, 10**-power)
    return max(unit, Fraction(least)) / 2


DECIMAL = re.compile(r"[+-]?[0-9]+(?:\.([0-9]*))?", re.ASCII)

MAX_PLAIN = 300
"""The most characters of a decimal number that is a double for certain, and 0 only of zeros."""

MAX_KNOWN = 4096
"""The most texts of numbers that are kept with their values."""


class Values:
    """The values by name in a file, exact, and what the digits can mean."""

    def __init__(self, source: TextFile, precision: Precision) -> None:
        self.values: dict[str, Number] = {}
        self.spread: dict[str, Number] = {}
        self._precision = precision
        self._source = source
        self._lines = array("q")
        """The lines of the values, in their order."""
        self._known: dict[str, tuple[Number, Number]] = {}
        """Texts of numbers, most of which come often, with their values and spreads."""
        self._halves: dict[tuple[int, int], Number] = {}
        """Spreads by the digits of a number and the places behind its point."""

    def add(self, name: str, text: str, line: int) -> None:
        """Add a value to a name that has none."""
        known = self._known.get(text) or self._number(name, text, line)
        if name in self.values:
            first = self._lines[list(self.values).index(name)]
            raise self._source.error(f"{quote(name)} has a value on line {first} already", line)
        self.values[name], spread = known
        if spread:
            self.spread[name] = spread
        self._lines.append(line)

    def _number(self, name: str, text: str, line: int) -> tuple[Number, Number]:
        """Return the value and the spread of a text that is not known."""
        plain = DECIMAL.fullmatch(text) if len(text) <= MAX_PLAIN else None
        if plain is None:
            value: Number = self._source.exact(text, line, f"the value of {quote(name)}")
            spread = 0 if "/" in text else self._precision.spread(text)
        else:
            # Many times faster than what reads any number, and most are plain.
            places = len(plain[1] or "")
            value = whole = int(text.replace(".", ""))
            if places:
                value = shortest(Fraction(whole, 10**places))
            key = len(str(abs(whole))) if whole else 0, places
            found = self._halves.get(key)
            if found is None:
                found = self._halves[key] = self._precision.half(key[0], -places)
            spread = found
        if len(self._known) == MAX_KNOWN:
            self._known.clear()
        known = self._known[text] = value, spread
        return known

    def require(self) -> None:
        """Raise `InputError` if there are no values."""
        if not self.values:
            raise self._source.error("holds no values; is it cut?")

    def solution(
        self,
        kind: str,
        claim: Claim,
        detail: str = "",
        objective: str = "",
        precision: Precision | None = None,
        *,
        linear: bool = False,
    ) -> SolutionFile:
        """Return the file with these values and the objective in a text, in some precision."""
        stated = parse_number(objective) is not None
        return SolutionFile(
            kind,
            claim,
            self.values,
            detail,
            self._source.exact(objective, 1) if stated else None,
            spread=self.spread,
            rounding=(precision or self._precision).spread(objective) if stated else 0,
            linear=linear,
        )
