"""Figures that a program states: a line ``FIGURES = {...}``, which is read and never run."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from fractions import Fraction
from functools import partial
from pathlib import Path

from calmip.course.checks import Check, Failed, number_of, quote, run_checks
from calmip.mip.files.text_source import read_source

Figures = Mapping[str, Fraction]
"""Numbers by their names."""

LINE = re.compile(r"^FIGURES\s*(?::[^=\n]{0,100})?=\s*(\{[^{}]{0,2000}\})", re.MULTILINE)
"""The line of the figures, short enough to be parsed quickly."""

QUOTIENT = re.compile(r"(?<=[:\s])(-?\d{1,15})\s*/\s*(\d{1,15})(?=\s*[,}#\n])")
"""A fraction that stands without quotes."""

NUMBER = re.compile(r"-?\d{1,15}(/\d{1,15}|\.\d{1,20})?")

TOLERANCE = Fraction(1, 10**6)
"""Of a solver's answer, relative to numbers above 1."""

ROUNDED = Fraction(1, 200)
"""The most by which a number with two digits after the point differs."""


def read_figures(path: Path) -> dict[str, object]:
    """Return the figures that a program states, as they stand there.

    Raises
    ------
    Failed
        If there are none, or the line cannot be read.
    """
    found = LINE.findall("\n".join(read_source(path).lines))
    if not found:
        raise Failed('the file has no line FIGURES = {"...": ...}')
    text = found[-1]  # as in Python, the last one counts
    given = None
    # A text too deep for the parser is a MemoryError, and none of this machine's.
    with suppress(ValueError, SyntaxError, TypeError, RecursionError, MemoryError):
        given = ast.literal_eval(QUOTIENT.sub(r'"\1/\2"', text))
    if given is None:
        raise Failed(
            "FIGURES has names and numbers alone, such as 85.5 or '37/3' in quotes, not "
            f"{quote(text)}"
        )
    if not isinstance(given, dict):  # braces without colons are a set
        raise Failed(f'FIGURES is {{"...": ...}}, not {quote(text)}')
    return {str(name): value for name, value in given.items()}


def _number(value: object, name: str) -> Fraction:
    if isinstance(value, str) and NUMBER.fullmatch(value.strip()):
        try:
            return Fraction(value.strip())
        except ZeroDivisionError:
            raise Failed(f"the figure {quote(name)} has the denominator 0") from None
    return Fraction(number_of(value, f"the figure {quote(name)}"))


def figure_checks(
    path: Path,
    right: Callable[[], Figures],
    worth: Mapping[str, int],
    slips: Callable[[], Mapping[str, Mapping[Fraction, str]]] = dict,
) -> tuple[Check, ...]:
    """Return a check of each figure that a program states; a wrong one is not put right.

    Parameters
    ----------
    path
        The program.
    right
        Returns the right figures, or raises `calmip.course.checks.Undecided`.
    worth
        The marks of each, in the order of the checks.
    slips
        Returns for a figure what some wrong numbers are the right answer to.
    """

    def check(name: str) -> None:
        figures = read_figures(path)
        if name not in figures:
            raise Failed(f"FIGURES has not {quote(name)}")
        given = _number(figures[name], name)
        if not _equal(given, right()[name]):
            known = slips().get(name, {})
            slip = next((f", {one}" for value, one in known.items() if _equal(given, value)), "")
            if not slip and abs(given - right()[name]) <= ROUNDED:
                slip = (
                    ": it is near, but another fraction; six digits after the point will do"
                    if "/" in str(figures[name])
                    else ": it is rounded too much, so give six digits after the point"
                )
            raise Failed(f"{quote(name)} is not {_text(given)}{slip}")

    return run_checks(
        [
            (f"the figure {quote(name)} is right", marks, partial(check, name), False)
            for name, marks in worth.items()
        ]
    )


def has_figures(path: Path, right: Figures) -> bool:
    """Return whether a program states these figures."""
    return all(
        check.passed for check in figure_checks(path, lambda: right, dict.fromkeys(right, 1))
    )


def _equal(given: Fraction, right: Fraction) -> bool:
    return abs(given - right) <= TOLERANCE * max(Fraction(1), abs(right))


def _text(number: Fraction) -> str:
    return str(number) if number.denominator < 1000 else f"{float(number):.8g}"
