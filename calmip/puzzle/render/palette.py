"""Colours for print and screen, distinct for colour-blind eyes and in grey.

The sixteen piece colours come from a fine grid of the OKLCH space. They maximise the least
difference between two of them, for normal eyes and for each kind of colour blindness (Machado,
Oliveira and Fernandes 2009). Dark outlines keep neighbours apart where a printer has no colour
at all.
"""

from __future__ import annotations

from calmip._base.errors import InputError, join_words

AUTO = "auto"
"""Light, or dark where the viewer's system asks for it (SVG only)."""

LIGHT_PIECES = (
    "#6bbb92 #eff166 #8a8dfb #e07227 #93fef7 #d173ca #e2b40a #c5f9b9 "
    "#f3906d #c1c1c1 #7dddfb #a98c99 #a1b8fb #abdea0 #e2d064 #c2a0ca"
).split()
DARK_PIECES = (
    "#549f79 #cacc46 #7274da #c25c0b #73d8d1 #b35cad #c19700 #a3d398 "
    "#d17656 #a2a2a2 #61bbd7 #8f7480 #869ad9 #8dbc83 #c0af49 #a585ac"
).split()

HEAT = (
    "#46085c #481f70 #463480 #3f4889 #375b8d #2f6b8e #297b8e #228b8d "
    "#1f9a8a #24aa83 #38b977 #58c765 #7cd250 #a8db34 #d5e21a #fde725"
).split()
"""Viridis in sixteen steps: even to the eye, to colour-blind eyes and in grey."""

THEMES: dict[str, dict[str, str]] = {
    "light": {
        "paper": "#ffffff",
        "ink": "#111111",
        "quiet": "#5c5c66",
        "line": "#1c1c22",
        "board": "#f1f1f4",
        "bare": "#ffffff",
        "name": "#111111",
        "name-light": "#ffffff",
    },
    "dark": {
        "paper": "#16161a",
        "ink": "#f5f5f5",
        "quiet": "#a9a9b4",
        "line": "#0a0a0c",
        "board": "#3a3a42",
        "bare": "#26262c",
        "name": "#0a0a0c",
        "name-light": "#ffffff",
    },
}
"""Colours by role for each theme; `colour` knows those of the pieces too."""

for _theme, _pieces in (("light", LIGHT_PIECES), ("dark", DARK_PIECES)):
    THEMES[_theme].update({f"p{number}": shade for number, shade in enumerate(_pieces)})
    THEMES[_theme].update({f"h{number}": shade for number, shade in enumerate(HEAT)})
    THEMES[_theme].update({"heat-dark": "#101014", "heat-light": "#ffffff"})


def piece_role(number: int) -> str:
    """Return the role of the colour of a puzzle's n-th piece, from 0 on; they repeat after 16."""
    return f"p{number % len(LIGHT_PIECES)}"


def name_role(fill: str) -> str:
    """Return the role of a name on a fill: dark, except on a dark colour that a piece sets."""
    return "name-light" if fill.startswith("#") and _is_dark(fill) else "name"


CUBE = (0, 95, 135, 175, 215, 255)
"""The steps of red, green and blue in the 216 colours from 16 on of the 256-colour table."""


def terminal_colour(shade: str) -> int:
    """Return the number of the nearest of these colours."""
    red, green, blue = (
        min(range(6), key=lambda k: abs(CUBE[k] - value)) for value in bytes.fromhex(shade[1:])
    )
    return 16 + 36 * red + 6 * green + blue


def terminal_ink(number: int) -> int:
    """Return black or white, whichever is easier to read on a colour of the 256-colour table."""
    place = number - 16
    if not 0 <= place < 216:
        return 16
    red, green, blue = CUBE[place // 36], CUBE[place // 6 % 6], CUBE[place % 6]
    return 231 if _is_dark(f"#{red:02x}{green:02x}{blue:02x}") else 16


def _is_dark(shade: str) -> bool:
    """Return whether white is easier to read on a colour than black (WCAG 2 contrast)."""
    light = [value / 255 for value in bytes.fromhex(shade[1:])]
    red, green, blue = (v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in light)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue < 0.179


def colour(role: str, theme: str) -> str:
    """Return the colour of a role as ``#rrggbb``; ``auto`` counts as light.

    A colour is its own role, in each theme.
    """
    if role.startswith("#"):
        return role
    return THEMES["light" if theme == AUTO else theme][role]


def check_theme(theme: str) -> None:
    """Raise `InputError` if a theme is not ``light``, ``dark`` or ``auto``."""
    if theme not in (*THEMES, AUTO):
        raise InputError(f"unknown theme '{theme}'; use one of {join_words([*THEMES, AUTO])}")
