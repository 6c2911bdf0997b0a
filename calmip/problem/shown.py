"""The one hook through which data is shown, and how wide a text is: no data knows more of drawing.

The package says who draws (`calmip/__init__.py`), and imports it when a notebook or ``print``
asks, so no module of data imports a renderer.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping
from typing import Any, Protocol

__all__ = ["Drawn", "Notebook", "Reports", "renderers", "width_of"]

ESCAPES = re.compile(r"\x1b\[[0-9;]*m")


class Notebook(Protocol):
    """What draws data for notebooks: `calmip.render.notebook`."""

    def svg(self, value: Any, /) -> str:
        """Return a picture as SVG."""

    def html(self, value: Any, /) -> str:
        """Return a pool as an HTML element."""

    def board(self, check: Any, /) -> str:
        """Return the board of a check of an exercise as text."""


class Reports(Protocol):
    """What writes results: `calmip.render.reports`."""

    def text(self, result: Any, /) -> str:
        """Return what the command of a result prints."""

    def forms_of(self, result: Any, /) -> Mapping[str, object]:
        """Return the forms of a result."""

    def data(self, result: Any, form: str, theme: str, /) -> bytes:
        """Return a result in one of its forms."""


class Renderers:
    """Who draws; each is imported when it is asked for."""

    notebook: Callable[[], Notebook]
    reports: Callable[[], Reports]


renderers = Renderers()


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
        return renderers.notebook().svg(self)
