"""Colours of pieces as puzzle files write them."""

from __future__ import annotations

import re

from calmip.errors import InputError, listed, shown

__all__ = ["NAMED_COLOURS", "colour_of"]

NAMED_COLOURS = {
    "black": "#000000", "silver": "#c0c0c0", "gray": "#808080", "grey": "#808080",
    "white": "#ffffff", "maroon": "#800000", "red": "#ff0000", "purple": "#800080",
    "fuchsia": "#ff00ff", "magenta": "#ff00ff", "green": "#008000", "lime": "#00ff00",
    "olive": "#808000", "yellow": "#ffff00", "navy": "#000080", "blue": "#0000ff",
    "teal": "#008080", "aqua": "#00ffff", "cyan": "#00ffff", "orange": "#ffa500",
    "brown": "#a52a2a", "pink": "#ffc0cb", "gold": "#ffd700", "violet": "#ee82ee",
    "beige": "#f5f5dc", "tan": "#d2b48c",
}  # fmt: skip
"""The sixteen colours of HTML 4 and a few that wood and plastic have, as in CSS."""


def colour_of(text: str) -> str:
    """Return a colour as ``#rrggbb``: given so, as ``#rgb``, or by a name.

    Raises
    ------
    InputError
        If the text is none of these.
    """
    given = text.strip().lower()
    if given in NAMED_COLOURS:
        return NAMED_COLOURS[given]
    if re.fullmatch("#[0-9a-f]{3}", given):
        return "#" + "".join(2 * digit for digit in given[1:])
    if re.fullmatch("#[0-9a-f]{6}", given):
        return given
    raise InputError(
        f"'{shown(text)}' is no colour; write it as \"#1e90ff\", in quotes, or use one of "
        f"{listed(list(NAMED_COLOURS))}"
    )
