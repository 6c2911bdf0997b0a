"""The solutions within a cutoff as an exact cover, where a tree is slow to close.

A row bounds the costs, and cuts in as other rows beside a cover do
(`calmip.mip.exact_cover.rests`). So covers are found least cost first, as by Knuth's XCCDC (The Art
of Computer Programming 4B, 7.2.2.1): the tree has found a good one, whose cost is the first bound.
"""

from __future__ import annotations

import math
from fractions import Fraction

from calmip._base.errors import InputError
from calmip.mip.exact_cover.recognition import ModelCover, cover_of
from calmip.mip.pool.integer_model import WholeModel

PATIENCE = 0.4
"""The CPU seconds of a tree before its rest is tried as a cover: before processes share it."""

TRIAL = 1.0
"""A trial may take half of the CPU seconds of the tree, and so many in any case."""

AFRESH = 0.1
"""The CPU seconds of a search before it begins anew with a better cutoff: as long as that takes."""

AGAIN = 4
"""By this the patience grows with each trial that does not end."""


def cover_within(program: WholeModel, limit: Fraction | None) -> ModelCover | None:
    """Return the solutions with a sum of costs up to a limit as a cover; None if it is none."""
    model = program.model
    if limit is not None:
        model = model.with_objective_row("", -math.inf, program.unit * limit)
    try:
        found = cover_of(model)
    except InputError:
        return None
    return None if found.loose else found
