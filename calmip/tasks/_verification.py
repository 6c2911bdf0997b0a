"""From a solver's values to a verified tiling."""

from __future__ import annotations

from calmip.errors import InputError, NotATiling, SolverFailed
from calmip.formats.values import chosen_options
from calmip.models import Formulation
from calmip.problem.cover import ExactCover
from calmip.problem.tiling import Packing, Tiling
from calmip.solvers import Outcome

__all__ = ["verified"]


def verified(
    cover: ExactCover, outcome: Outcome, solver: str, model: Formulation
) -> tuple[list[int], Packing]:
    """Return the options that a solver's values choose, and the tiling that they make.

    A model that packs may leave cells bare; then a `Packing` is returned that is
    no `Tiling`.

    Raises
    ------
    SolverFailed
        If the values are not 0 and 1 on columns of the model, or make neither.
    """
    try:
        options = chosen_options(cover, outcome.values, auxiliary=model.auxiliary)
        if model.packs:
            packing = Packing.from_options(cover, options)
            if packing.missing:
                return options, packing
        return options, Tiling.from_options(cover, options)
    except (NotATiling, InputError) as error:
        raise SolverFailed(
            f"{solver} says '{outcome.detail}', but its answer is no tiling: {error}"
        ) from None
