"""From a solver's values to a verified tiling."""

from __future__ import annotations

from collections.abc import Mapping

from calmip.cover import ExactCover
from calmip.errors import NotATiling, SolverFailed
from calmip.solvers import Outcome
from calmip.tiling import Tiling

__all__ = ["chosen_options", "verified"]

TOLERANCE = 1e-6
"""How far a solver's value may be from 0 or 1; the tiling is then checked exactly."""


def verified(cover: ExactCover, outcome: Outcome, solver: str) -> Tiling:
    """Return the tiling of a solver's values.

    Raises
    ------
    SolverFailed
        If the values are not 0 and 1, or do not make a tiling.
    """
    try:
        return Tiling.from_options(cover, chosen_options(cover, outcome.values))
    except NotATiling as error:
        raise SolverFailed(
            f"{solver} says '{outcome.detail}', but its answer is no tiling: {error}"
        ) from None


def chosen_options(cover: ExactCover, values: Mapping[str, float]) -> list[int]:
    """Return the options whose columns have the value 1.

    Raises
    ------
    NotATiling
        If a name is not a column of the model, or a value is neither 0 nor 1
        within 1e-6.
    """
    chosen = []
    for name, value in values.items():
        if abs(value) <= TOLERANCE:
            continue
        if name not in cover.option_number:
            raise NotATiling(f"it has a column '{name[:60]}', which the model does not have")
        if not abs(value - 1.0) <= TOLERANCE:
            raise NotATiling(f"column {name} has the value {value:g}, neither 0 nor 1")
        chosen.append(cover.option_number[name])
    return sorted(chosen)
