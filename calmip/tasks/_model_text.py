"""The text of a model file, as a formulation writes it, and what its head says."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from calmip._files import scratch_folder
from calmip.errors import InputError, listed
from calmip.formats.covers import FORMATS
from calmip.formats.model_files import READERS, cover_parts, header
from calmip.models import build
from calmip.problem.cover import ExactCover

__all__ = ["ModelText", "known_count", "model_text"]

EFFORT = 1000
"""Steps of a count after which it is not for free; every bundled puzzle needs under 600 a date."""


class ModelText(NamedTuple):
    """The text of a model file.

    Parameters
    ----------
    parts
        The text, in parts.
    columns, rows, nonzeros
        The size of the model in it.
    """

    parts: Iterator[str]
    columns: int
    rows: int
    nonzeros: int


def model_text(
    cover: ExactCover,
    suffix: str,
    formulation: str = "matrix",
    *,
    tilings: int | None = None,
    name: str = "",
) -> ModelText:
    """Return the text of an exact cover's file, as a formulation writes it, and its size.

    Parameters
    ----------
    cover
        The exact cover.
    suffix
        One of `calmip.formats.model_files.WRITERS`; the formulations other than
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
    if formulation == "matrix":
        # A model file without any column would not be read; see `BinaryModel.from_cover`.
        least = 1 if suffix in READERS else 0
        size = (max(cover.columns, least), cover.rows, cover.nonzeros)
        comments = header(cover, size, tilings=tilings)
        return ModelText(_named(cover_parts(cover, suffix, comments), suffix, name), *size)
    if suffix not in READERS:
        raise InputError(
            f"formulation {formulation} writes {listed(list(READERS))}, not {suffix}; "
            "formulation matrix writes every format"
        )
    with scratch_folder() as folder:
        path = folder / f"model{suffix}"
        model = build(formulation, cover)
        model.write(path)
        text = path.read_text(encoding="utf-8")
    comments = header(cover, model.size, tilings=tilings)
    parts = [*(f"{FORMATS[suffix].comment} {line}\n" for line in comments), text]
    return ModelText(_named(iter(parts), suffix, name), *model.size)


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
