"""Somebody else's model of an instance, held against the tilings."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from calmip.formats.values import read_column_names
from calmip.problem.binary_model import BinaryModel
from calmip.problem.cover import ExactCover
from calmip.problem.instance import Instance
from calmip.problem.status import Status
from calmip.search.equivalence import compare_model
from calmip.tasks.check import Point, Verdict

__all__ = ["MOST_TILINGS", "check_model"]

MOST_TILINGS = 100_000
"""So many tilings are tried on a model unless told otherwise."""

STATUS = {True: Status.ACCEPTED, False: Status.REFUSED, None: Status.UNKNOWN}
WORDS = {
    Status.ACCEPTED: "is a model of this instance",
    Status.REFUSED: "is not a model of this instance",
    Status.UNKNOWN: "was not decided",
}


def check_model(
    instance: Instance,
    model: BinaryModel,
    *,
    names: Mapping[str, str] | str | Path | None = None,
    limit: int = MOST_TILINGS,
    time_limit: float | None = None,
) -> Verdict:
    """Check whether the solutions of a model are the tilings of an instance.

    All of them and no others; if not, the verdict has a counter-example. The
    objective plays no part. See `calmip.search.equivalence.compare_model`.

    Parameters
    ----------
    instance
        The instance.
    model
        The model, from `calmip.read_model`.
    names
        Which placement a column of the model is, where its own name does not
        say it; or the path of a file of lines ``COLUMN,PLACEMENT``.
    limit
        The most tilings to try.
    time_limit
        Seconds after which to give up, or None.

    Raises
    ------
    InputError
        If ``names`` holds what is no column or no placement, or a number is
        out of range.
    """
    cover = ExactCover(instance)
    named = read_column_names(Path(names)) if isinstance(names, (str, Path)) else names
    found = compare_model(cover, model, names=named, limit=limit, time_limit=time_limit)
    size = f"{len(model.columns)} columns, {len(model.rows)} rows"
    status = STATUS[found.equal]
    reason = f"{model.source or model.name} ({size}) {WORDS[status]}: {found.reason}"
    point = None if found.options is None else Point.from_options(cover, found.options)
    return Verdict(instance, status, (reason,), point)
