"""A hint in words and pictures: the position with the piece that is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from calmip.errors import listed
from calmip.problem.placements import written
from calmip.render.report import Document, Drawing, svg_by
from calmip.render.reports import heading, made_of
from calmip.render.text import draw_position
from calmip.tasks.hint import Hint

if TYPE_CHECKING:
    from calmip.render.picture import Picture

__all__ = ["FORMS", "report", "said"]


def report(found: Hint) -> Document:
    """Return the position, what is known of it, and a piece to lay or to take off."""
    drawing = Drawing(
        lambda style: draw_position(found.instance, style, shown=found.piece),
        svg_by(lambda: picture(found)),
    )
    return Document(f"{found.instance.name}: hint", [drawing, *said(found)])


def said(found: Hint) -> list[str]:
    """Return what is known of the position, line by line."""
    instance = found.instance
    names = [one.piece for one in instance.placed]
    lying = f" with {listed(names)} placed" if names else ""
    title = heading(instance) + lying
    if found.solvable is None:
        return [f"{title}: the time limit was reached before an answer"]
    if not found.solvable:
        return [f"{title}: it cannot be solved", *_remedy(found)]
    lines = [f"{title}: it can be solved {_times(found.tilings)}"]
    if found.piece is None:
        return [f"{title}: solved"]
    if found.tilings_left is not None and found.tilings_left == found.tilings:
        share = "it must lie there" if found.tilings > 1 else ""
    elif found.tilings_left is not None:
        share = f"{_times(found.tilings_left)} then"
    else:
        share = ""
    lines.append(f"lay {written(instance, found.piece)}" + (f" ({share})" if share else ""))
    return lines


def _times(number: int | None) -> str:
    if number is None:
        return "in more ways than could be counted"
    return "in one way" if number == 1 else f"in {number:,} ways"


def _remedy(found: Hint) -> list[str]:
    """Return what would help: a piece to take off, or the command that says why nothing does."""
    if found.hopeless:
        return ["there is no tiling whatever is placed; calmip explain says what conflicts"]
    if len(found.blocking) == 1:
        return [f"take off {found.blocking[0]}, and it can be"]
    if found.blocking:
        return [f"take off any one of {listed(found.blocking)}, and it can be"]
    if found.take_off:
        return [f"take off {' and '.join(found.take_off)} together; no fewer pieces suffice"]
    if not found.complete:
        return ["the time limit was reached before it was known what to take off"]
    return ["to take off any one piece does not suffice"]


def picture(found: Hint) -> Picture:
    """Return the position, and the piece that is shown."""
    from calmip.render.tiles import position_picture

    return position_picture(found.instance, found.piece)


FORMS = made_of(report, picture)
