"""The one hook through which data is shown, and how wide a text is: no data knows more of drawing.

A renderer is found by its name, when a notebook or ``print`` asks for it, so
that no module of data imports one.
"""

from __future__ import annotations

import re
import unicodedata
from importlib import import_module
from typing import Any

__all__ = ["Drawn", "renderer", "shown_by", "width_of"]

ESCAPES = re.compile(r"\x1b\[[0-9;]*m")


def renderer(module: str, name: str) -> Any:
    """Return what a module of ``calmip.render`` calls by a name, such as a function."""
    return getattr(import_module(f"calmip.render.{module}"), name)


def shown_by(module: str, form: str, value: object) -> str:
    """Return how a module of ``calmip.render`` shows a value.

    Parameters
    ----------
    module
        The module's name below ``calmip.render``.
    form
        The name of its function: ``svg``, ``html`` or ``text``.
    value
        What is to be shown; the function's only argument.
    """
    text: str = renderer(module, form)(value)
    return text


def width_of(text: str) -> int:
    """Return how many columns a terminal gives a text, colours apart."""
    text = ESCAPES.sub("", text)
    wide = sum(unicodedata.east_asian_width(mark) in "WF" for mark in text)
    thin = sum(unicodedata.combining(mark) != 0 for mark in text)
    return len(text) + wide - thin


class Drawn:
    """Something that notebooks show as a picture."""

    def _repr_svg_(self) -> str:
        """Return the picture as SVG, for notebooks."""
        return shown_by("notebook", "svg", self)
