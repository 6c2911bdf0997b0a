"""From a solver's values to a verified tiling."""

from __future__ import annotations

from calmip.cover import ExactCover
from calmip.errors import InputError, NotATiling, SolverFailed
from calmip.formats.points import chosen_options
from calmip.solvers import Outcome
from calmip.tiling import Tiling

__all__ = ["verified"]


def verified(cover: ExactCover, outcome: Outcome, solver: str) -> tuple[list[int], Tiling]:
    """Return the options that a solver's values choose, and the tiling that they make.

    Raises
    ------
    SolverFailed
        If the values are not 0 and 1 on columns of the model, or do not make
        a tiling.
    """
    try:
        options = chosen_options(cover, outcome.values)
        return options, Tiling.from_options(cover, options)
    except (NotATiling, InputError) as error:
        raise SolverFailed(
            f"{solver} says '{outcome.detail}', but its answer is no tiling: {error}"
        ) from None
