"""A hint in words and pictures: the position with the piece that is shown."""

from __future__ import annotations

from calmip.errors import listed
from calmip.problem.placements import written
from calmip.render import picture_files
from calmip.render.picture_files import PICTURES
from calmip.render.reports import Forms, as_json
from calmip.render.text import Style, draw_position
from calmip.tasks.hint import Hint

__all__ = ["FORMS", "said", "text"]


PLAIN = Style()


def text(found: Hint, style: Style = PLAIN) -> str:
    """Return the position, what is known of it, and a piece to lay or to take off."""
    drawing = draw_position(found.instance, style, shown=found.piece)
    return "\n".join([drawing, *said(found)]) + "\n"


def said(found: Hint) -> list[str]:
    """Return what is known of the position, line by line."""
    instance = found.instance
    names = [one.piece for one in instance.placed]
    lying = f" with {listed(names)} placed" if names else ""
    free = [f"any {group}" for group in instance.free]
    title = " ".join([*instance.labels, *free]) + lying
    if found.solvable is None:
        return [f"{title}: the time was over before an answer"]
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
        return ["the time was over before it was known what to take off"]
    return ["to take off any one piece does not suffice"]


def pictures(found: Hint, form: str, theme: str) -> bytes:
    """Return the position, and the piece that is shown, in a picture format."""
    return picture_files.draw_position(found.instance, found.piece, form, theme)


FORMS: Forms = {"text": text, "json": as_json, **dict.fromkeys(PICTURES, pictures)}
