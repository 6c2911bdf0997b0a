"""The hook that displays data, the width of a text, and numbers and rows of models as texts.

The package sets the hook (`calmip/__init__.py`), so no module of data imports a renderer.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from decimal import Context, Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:  # the package loads this module first, and help needs no rows
    from calmip.mip.rows import Bound, Number

PAPERS = {"a4": (210.0, 297.0), "a3": (297.0, 420.0), "letter": (215.9, 279.4)}
"""Sheets of paper: their widths and heights in millimetres."""

PAPER = "a4"
"""The usual sheet."""

PAPER_EDGE = 10.0
"""Millimetres at the edge of a sheet of paper on which printers do not print."""

DIGITS = 15
"""The decimal digits that a double number keeps."""

SMALL = Fraction(1, 10**300)
"""Numbers from here to its inverse are doubles without a loss of digits."""

LONG = 10**21
"""Whole numbers below this are written in full."""

ESCAPES = re.compile(r"\x1b\[[0-9;]*m")


class Notebook(Protocol):
    """The interface of `calmip.puzzle.render.notebook`."""

    def svg(self, value: Any, /) -> str:
        """Return a picture as SVG."""

    def html(self, value: Any, /) -> str:
        """Return a result as an HTML element."""

    def bundle(self, result: Any, /) -> dict[str, str]:
        """Return a result in the forms that a notebook shows, by their MIME types."""

    def draw_choice(self, instance: Any, placements: Any, labels: Any, /) -> str:
        """Return a board with pieces and uncovered labels as text, their faults marked."""


class Reports(Protocol):
    """The interface of `calmip.puzzle.render.reports`."""

    def text(self, result: Any, /) -> str:
        """Return a result as its command prints it."""

    def forms_of(self, result: Any, /) -> Mapping[str, object]:
        """Return the forms of a result."""

    def data(self, result: Any, form: str, theme: str, *, paper: str = PAPER) -> bytes:
        """Return a result in one of its forms."""


class Renderers:
    """The renderers, imported on first use."""

    notebook: Callable[[], Notebook]
    reports: Callable[[], Reports]


renderers = Renderers()


def width_of(text: str) -> int:
    """Return the columns that a text takes on a terminal, without its colour codes."""
    text = ESCAPES.sub("", text)
    wide = sum(unicodedata.east_asian_width(mark) in "WF" for mark in text)
    thin = sum(unicodedata.combining(mark) != 0 for mark in text)
    return len(text) + wide - thin


def describe_number(number: Number) -> int | float | str:
    """Return an exact number as JSON has it, or a text such as ``1/3`` if it is not decimal."""
    if number.denominator == 1:
        return number.numerator
    near = number.numerator / number.denominator
    return near if Fraction(repr(near)) == number else str(number)


def tell(number: Bound, digits: int = 12) -> str:
    """Return a number in words of a message: whole ones in full, others with so many digits."""
    if isinstance(number, float):
        if not math.isfinite(number):
            return f"{number:g}"
        number = Fraction(repr(number))
    size = max(number, -number)
    if number.denominator == 1 and size < LONG:
        return str(number.numerator)
    if digits <= DIGITS and SMALL < size < 1 / SMALL:
        return f"{float(number):.{digits}g}"
    context = Context(prec=digits)
    near = context.divide(Decimal(number.numerator), Decimal(number.denominator))
    return f"{near.normalize(context):g}"


def tell_apart(*numbers: Bound) -> tuple[str, ...]:
    """Return numbers as `tell` does, with the digits in which different ones differ."""
    different = len(set(numbers))
    for digits in (12, 15, 18, 24, 48, 96):
        texts = tuple(tell(number, digits) for number in numbers)
        if len(set(map(Decimal, texts))) == different:
            return texts
    return tuple(map(str, numbers))


def quote(text: str) -> str:
    """Quote a text for a message: shortened, with control characters escaped."""
    return ascii(text if len(text) <= 60 else text[:57] + "...")


def row_words(
    terms: Mapping[int, Number], low: Bound, high: Bound, names: Sequence[str], *, most: int = 12
) -> str:
    """Return a row of a model as a text; ``...`` stands for terms beyond so many."""
    from calmip.mip.rows import is_finite

    found = [(names[column], value) for column, value in terms.items() if value]
    parts = []
    for name, value in found[:most]:
        size = max(value, -value)
        factor = "" if size == 1 else f"{describe_number(size)} "
        parts.append(f"{'-' if value < 0 else '+'} {factor}{name}")
    text = " ".join(parts).removeprefix("+ ") or "0"
    text = f"-{text[2:]}" if text.startswith("- ") else text
    if len(found) > most:
        text += f" + ... ({len(found)} terms)"
    first, last = (describe_number(one) if is_finite(one) else one for one in (low, high))
    if low == high:
        return f"{text} = {first}"
    if not is_finite(low):
        return f"{text} <= {last}"
    return f"{first} <= {text} <= {last}" if is_finite(high) else f"{text} >= {first}"


class Drawable:
    """Data that notebooks display as a picture."""

    def _repr_svg_(self) -> str:
        """Return the picture as SVG, for notebooks."""
        return renderers.notebook().svg(self)

    def _repr_html_(self) -> str:
        """Return the picture as an image, which notebooks that are not trusted show, too."""
        return renderers.notebook().html(self)
