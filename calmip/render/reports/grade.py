"""The marks of a submission as a text, with counter-examples drawn as boards."""

from __future__ import annotations

from calmip.course.marks import Check
from calmip.render.text import draw_choice
from calmip.tasks.grade import Marks

__all__ = ["board", "text"]


def text(marks: Marks) -> str:
    """Return the checks, each with its marks and, if it does not hold, why and an example."""
    lines = [f"Exercise {marks.exercise}: {marks.title}", ""]
    for check in marks.checks:
        lines.append(f"  {check.marks}/{check.worth}  {check.what}")
        if not check.passed:
            lines.append(f"       {check.fault}")
            lines.extend(f"       {line}" for line in board(check).splitlines())
    lines += ["", f"{marks.marks} of {marks.most} marks"]
    return "\n".join(lines) + "\n"


def board(check: Check) -> str:
    """Return a drawing of a check's counter-example, its faults marked; empty without one."""
    if check.example is None:
        return ""
    return draw_choice(check.example.instance, check.example.placements, check.example.labels)
