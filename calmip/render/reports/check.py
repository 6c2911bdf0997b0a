"""The verdict of a check as a text."""

from __future__ import annotations

from calmip.errors import shown
from calmip.render.characters import PLAIN, Style
from calmip.render.text import draw_choice
from calmip.tasks.check import Verdict

__all__ = ["text"]


def text(verdict: Verdict, style: Style = PLAIN) -> str:
    """Return the point, if there is one to show, and the reasons."""
    lines = [shown(reason, 4000) for reason in verdict.reasons]
    if verdict.point is not None:
        point = verdict.point
        lines.insert(0, draw_choice(verdict.instance, point.placements, point.labels, style))
    return "\n".join(lines) + "\n"
