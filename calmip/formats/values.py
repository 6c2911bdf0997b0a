"""Points of other programs: from values by name to options, and what is wrong with them.

A file of lines ``COLUMN,PLACEMENT`` says which column of somebody's model is which placement.
"""

from __future__ import annotations

import math
from collections.abc import Container, Iterable, Mapping, Sequence
from pathlib import Path

from calmip.errors import InputError, NotATiling, listed
from calmip.formats.reading import quoted, read_source
from calmip.problem.cover import ExactCover
from calmip.problem.placements import PlacementNames

__all__ = ["TOLERANCE", "chosen_options", "read_column_names", "violations"]


TOLERANCE = 1e-6
"""A value this near to 0 or 1 is taken for it: solvers work in floating point."""

VERBS = {"cell": "is covered", "piece": "is used", "group": "is revealed"}


def chosen_options(
    cover: ExactCover, values: Mapping[str, float], *, auxiliary: Container[str] = ()
) -> list[int]:
    """Return the options that a point chooses: those whose columns are 1, ascending.

    Parameters
    ----------
    cover
        The exact cover that the columns belong to.
    values
        Values by column name, or by what else `PlacementNames` understands; a
        column that is missing is 0. Names of rows, which some solvers list
        too, are passed over.
    auxiliary
        The names of further columns that the model has; they choose nothing.

    Raises
    ------
    InputError
        If a name is no placement, or two that are 1 are the same one.
    NotATiling
        If a value is neither 0 nor 1 within 1e-6, or a piece is placed where it cannot lie.
    """
    numbers = cover.option_number
    rows = {item.name for item in cover.items}
    others = [
        name
        for name in values
        if name not in numbers and name not in rows and name not in auxiliary
    ]
    known = PlacementNames(cover) if others else None
    option_of = {name: numbers[name] for name in values if name in numbers}
    unknown, outside = [], set()
    for name in others:
        assert known is not None
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
            f"{listed([quoted(name) for name in unknown], most=5)}; "
            "is it the answer to another instance?"
        )
    chosen: dict[int, str] = {}
    for name, value in values.items():
        if name not in option_of and name not in outside:
            continue
        nearest = round(value) if math.isfinite(value) else -1
        if nearest not in (0, 1) or abs(value - nearest) > TOLERANCE:
            raise NotATiling(
                f"column {name} is {value!r}, neither 0 nor 1 (within {TOLERANCE:g}); a placement "
                "is made or not made: declare the columns as binary, and do not solve a relaxation"
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
                f"columns {quoted(chosen[option])} and {quoted(name)} are the same placement "
                f"{cover.option_names[option]}"
            )
        chosen[option] = name
    return sorted(chosen)


def violations(
    cover: ExactCover, chosen: Iterable[int], *, names: Sequence[str] | None = None
) -> list[str]:
    """Return the equations that a choice of options breaks, in order of the rows.

    The sums are whole numbers: nothing is rounded.

    Parameters
    ----------
    cover
        The exact cover.
    chosen
        The numbers of the options that are 1; one that comes twice counts twice.
    names
        What the options are called by a reader who does not know the model's
        names of columns and rows; None for one who does.

    Returns
    -------
    list of str
        One sentence per broken row, which says what the row stands for and
        which columns cover it; empty if the point solves the model.
    """
    covering: list[list[int]] = [[] for _ in cover.items]
    for option in chosen:
        for row in cover.items_of(option):
            covering[row].append(option)
    faults = []
    for item, options in zip(cover.items, covering, strict=True):
        if len(options) != item.demand:
            called = cover.option_names if names is None else names
            by = f" (by {listed([called[one] for one in options], most=6)})" if options else ""
            head = f"row {item.name}: " if names is None else ""
            faults.append(
                f"{head}{item.text} {VERBS[item.kind]} {_times(len(options))}{by}, "
                f"not {_times(item.demand)}"
            )
    return faults


def _times(number: int) -> str:
    return {0: "not at all", 1: "once", 2: "twice"}.get(number, f"{number} times")


def read_column_names(path: Path) -> dict[str, str]:
    """Return the placement's name for every column that a file names.

    Empty lines and lines that begin with ``#`` are passed over.

    Raises
    ------
    InputError
        If the file cannot be read, a line is not of this form, or a column comes twice.
    """
    source = read_source(path)
    names: dict[str, str] = {}
    for number, text in enumerate(source.lines, start=1):
        if not text.strip() or text.startswith("#"):
            continue
        column, sign, option = (part.strip() for part in text.rpartition(","))
        if not sign or not column or not option:
            raise source.error("a line is COLUMN,PLACEMENT, such as x[17],U_b30", number)
        if column in names:
            raise source.error(f"column {column[:60]!r} comes twice", number)
        names[column] = option
    return names
