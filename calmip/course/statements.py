"""The statements of the exercises: their pages, whose links lead to the documentation.

They are in the package; in a checkout they are those of the documentation.
"""

from __future__ import annotations

import posixpath
import re
from pathlib import Path

from calmip.course.exercises import SITE

LINK = re.compile(r"\]\((?!https?:|#)([^)#\s]*)(#[^)\s]*)?\)")
"""A link to another page or file."""


def pages() -> Path:
    """Return the folder of the exercises' pages."""
    package = Path(__file__).resolve().parents[1]
    return next(filter(Path.is_dir, (package / "course" / "pages", package.parent / "docs/course")))


def statement(name: str, *, alone: bool) -> str:
    """Return the statement of an exercise; its links lead to the documentation.

    Parameters
    ----------
    name
        The folder of the exercise, such as ``"2-pulp"``.
    alone
        Whether no other file of the course is beside it, so that their links lead there as well.
    """

    def lead(found: re.Match[str]) -> str:
        place = posixpath.normpath(posixpath.join("course", name, found[1]))
        if not alone and place.startswith("course/"):
            return found[0]
        return f"]({SITE}/{re.sub('[.]md$', '.html', place)}{found[2] or ''})"

    return LINK.sub(lead, (pages() / name / "index.md").read_text(encoding="utf-8"))
