"""The text of a model file, as a formulation writes it, and what its head says."""

from __future__ import annotations

import re
from collections.abc import Iterator

from calmip._files import scratch_folder
from calmip.errors import InputError, listed
from calmip.formats.comments import header
from calmip.formats.export import cover_parts
from calmip.models import build
from calmip.problem.cover import ExactCover

__all__ = ["known_count", "model_parts"]

COMMENT_MARKS = {".mps": "*", ".lp": "\\"}

EFFORT = 1000
"""Steps of a count after which it is not for free; every bundled puzzle needs under 600 a date."""


def model_parts(
    cover: ExactCover,
    suffix: str,
    formulation: str = "matrix",
    *,
    tilings: int | None = None,
    name: str = "",
) -> Iterator[str]:
    """Return the text of an exact cover's file in parts, as a formulation writes it.

    Parameters
    ----------
    cover
        The exact cover.
    suffix
        One of `calmip.formats.export.WRITERS`; the formulations other than
        ``matrix`` write ``.mps`` and ``.lp``.
    formulation
        The formulation's name.
    tilings
        The number of tilings for the head of the file, where it is known.
    name
        What the NAME line of an MPS file says, in the place of what it says by itself.

    Raises
    ------
    InputError
        If the suffix or the formulation is unknown.
    SolverMissing
        If the formulation's package is not installed.
    """
    comments = header(cover, tilings=tilings)
    if formulation == "matrix":
        return _named(cover_parts(cover, suffix, comments), suffix, name)
    if suffix not in COMMENT_MARKS:
        raise InputError(
            f"formulation {formulation} writes {listed(list(COMMENT_MARKS))}, not {suffix}; "
            "formulation matrix writes every format"
        )
    with scratch_folder() as folder:
        path = folder / f"model{suffix}"
        build(formulation, cover).write(path)
        text = path.read_text(encoding="utf-8")
    parts = [*(f"{COMMENT_MARKS[suffix]} {line}\n" for line in comments), text]
    return _named(iter(parts), suffix, name)


def _named(parts: Iterator[str], suffix: str, name: str) -> Iterator[str]:
    if suffix != ".mps" or not name:
        return parts
    return (re.sub(r"^NAME\b.*", f"NAME          {name}", part, flags=re.M) for part in parts)


def known_count(cover: ExactCover) -> int | None:
    """Return the number of tilings if a second or so is enough to count them, or None.

    The effort is measured in steps of the search, not by a clock, so that the
    same instance always has the same answer.
    """
    from calmip.search.exact_cover.counting import count

    steps = iter(range(EFFORT))

    def step(_: int) -> None:
        if next(steps, None) is None:
            raise TimeoutError

    try:
        return count(cover, progress=step)
    except TimeoutError:
        return None
