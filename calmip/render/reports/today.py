"""Today's tiling in every form."""

from __future__ import annotations

from calmip.render.picture_files import PICTURES, draw_tilings
from calmip.render.reports import Forms, as_json
from calmip.render.text import Style, draw_tiling
from calmip.tasks.today import Today

__all__ = ["FORMS", "text"]


PLAIN = Style()


def text(found: Today, style: Style = PLAIN) -> str:
    """Return the drawing, if there is a tiling, and a line."""
    drawing = [] if found.tiling is None else [draw_tiling(found.tiling, style)]
    return "\n".join([*drawing, _line(found)]) + "\n"


def _line(found: Today) -> str:
    """Return the date, the puzzle and the number of tilings on one line."""
    head = f"{found.date:%A} {found.date}, {found.instance.puzzle.name}"
    if found.tiling is None:
        what = "the time limit was reached" if found.tilings is None else "there is no tiling"
        return f"{head}: {what}"
    if found.tilings is None:
        return f"{head}: one of more tilings than could be counted"
    ways = "the only tiling" if found.tilings == 1 else f"one of {found.tilings:,} tilings"
    return f"{head}: {ways}"


def pictures(found: Today, form: str, theme: str) -> bytes:
    """Return the day's tiling in a picture format; see `draw_tilings`."""
    return draw_tilings([found.tiling] if found.tiling else [], form, theme)


FORMS: Forms = {"text": text, "json": as_json, **dict.fromkeys(PICTURES, pictures)}
