"""Points of other programs: the options that they choose, and the equations that they violate.

A file of lines ``COLUMN,PLACEMENT`` gives the placement of each column of a model.
"""

from __future__ import annotations

import math
from collections.abc import Container, Iterable, Mapping, Sequence
from pathlib import Path

from calmip._base.errors import InputError, NotATiling, join_words
from calmip.mip.display import quote, tell
from calmip.mip.files.points import TOLERANCE, read_pairs
from calmip.mip.rows import Number
from calmip.puzzle.cover import ExactCover
from calmip.puzzle.placements import PlacementNames

VERBS = {"cell": "is covered", "piece": "is used", "group": "is revealed"}


def chosen_options(
    cover: ExactCover, values: Mapping[str, float | Number], *, auxiliary: Container[str] = ()
) -> list[int]:
    """Return the options that a point chooses: those whose columns are 1, ascending.

    Parameters
    ----------
    cover
        The exact cover that the columns belong to.
    values
        Values by column name, or by a name that `PlacementNames` understands; missing columns
        are 0. Names of rows, which some solvers also list, are skipped.
    auxiliary
        The names of the model's other columns, which are not options.

    Raises
    ------
    InputError
        If a name is not a placement, or two columns that are 1 are the same placement.
    NotATiling
        If a value is neither 0 nor 1 within 1e-6, or a piece is placed where it cannot lie.
    """
    numbers = cover.option_number
    rows = {item.name for item in cover.items}
    option_of = {name: numbers[name] for name in values if name in numbers}
    unknown, outside = [], set()
    known: PlacementNames | None = None
    for name in values:
        if name in numbers or name in rows or name in auxiliary:
            continue
        known = known or PlacementNames(cover)
        option = known.option(name)
        if option is not None:
            option_of[name] = option
        elif known.placement(name) is not None:
            outside.add(name)
        else:
            unknown.append(name)
    if unknown:
        raise InputError(
            f"{len(unknown)} of its {len(values)} names are not columns of this model: "
            f"{join_words([quote(name) for name in unknown], most=5)}; "
            "is it the answer to another instance?"
        )
    chosen: dict[int, str] = {}
    for name, value in values.items():
        if name not in option_of and name not in outside:
            continue
        nearest = round(value) if math.isfinite(value) else -1
        if nearest not in (0, 1) or not -TOLERANCE <= value - nearest <= TOLERANCE:
            raise NotATiling(
                f"column {name} is {_text(value)}, neither 0 nor 1 (within {TOLERANCE:g}); a "
                "placement is made or not made: declare the columns as binary, and do not solve a "
                "relaxation"
            )
        if not nearest:
            continue
        if name in outside:
            raise NotATiling(
                f"column {name} is 1, but the piece cannot lie there: a cell of it is not to be "
                "covered, or it has not this shape"
            )
        option = option_of[name]
        if option in chosen:
            raise InputError(
                f"columns {quote(chosen[option])} and {quote(name)} are the same placement "
                f"{cover.option_names[option]}"
            )
        chosen[option] = name
    return sorted(chosen)


def _text(value: float | Number) -> str:
    return repr(value) if isinstance(value, float) else tell(value, 17)


def violations(
    cover: ExactCover, chosen: Iterable[int], *, names: Sequence[str] | None = None
) -> list[str]:
    """Return the equations that a choice of options violates, in order of the rows.

    Each is one sentence with the meaning of the row and the columns that cover it. All sums are
    whole numbers, without rounding.

    Parameters
    ----------
    cover
        The exact cover.
    chosen
        The numbers of the options that are 1; a duplicate counts twice.
    names
        Names of the options for a reader who does not know the model's columns and rows.
    """
    covering: list[list[int]] = [[] for _ in cover.items]
    for option in chosen:
        for row in cover.items_of(option):
            covering[row].append(option)
    faults = []
    for item, options in zip(cover.items, covering, strict=True):
        if len(options) != item.demand:
            called = cover.option_names if names is None else names
            by = f" (by {join_words([called[one] for one in options], most=6)})" if options else ""
            head = f"row {item.name}: " if names is None else ""
            faults.append(
                f"{head}{item.text} {VERBS[item.kind]} {_times(len(options))}{by} "
                f"instead of {_times(item.demand)}"
            )
    return faults


def _times(number: int) -> str:
    return {1: "once", 2: "twice"}.get(number, f"{number} times")


def read_column_names(path: Path) -> dict[str, str]:
    """Return the placement of every column in a file, as text; see `read_pairs`."""
    return read_pairs(path, "COLUMN,PLACEMENT", "x[17],U_b30")
