"""Verification of solvers' claims about an instance: a tiling is checked on its board.

Any other claim needs a witness, as in `calmip.solvers.verdicts`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from calmip._base.errors import InputError, NotATiling, SolverFailed
from calmip._base.limits import Deadline
from calmip.mip.status import Status
from calmip.puzzle.cover import ExactCover
from calmip.puzzle.files.chosen_options import chosen_options
from calmip.puzzle.search.exact_cover import witnesses
from calmip.puzzle.tiling import Packing, Tiling
from calmip.solvers import Outcome
from calmip.solvers.verdicts import LATE, REPORT, Judgement, Standing

if TYPE_CHECKING:
    from calmip.models import Formulation


@dataclass(frozen=True)
class TilingJudgement(Judgement):
    """The verdict on an answer to a formulation.

    Parameters
    ----------
    packing
        The checked tiling, or packing.
    """

    packing: Packing | None = None


def verify(
    cover: ExactCover, outcome: Outcome, solver: str, model: Formulation
) -> tuple[list[int], Packing]:
    """Return the options that a solver's values choose, and the tiling or packing that they make.

    Raises
    ------
    SolverFailed
        If the values are not 0 and 1 on columns of the model, or make neither a tiling nor a
        packing.
    """
    try:
        options = chosen_options(cover, outcome.values, auxiliary=model.auxiliary)
        if cover.packs:
            packing = Packing.from_options(cover, options)
            if packing.missing:
                return options, packing
        return options, Tiling.from_options(cover, options)
    except (NotATiling, InputError) as error:
        raise SolverFailed(
            f"{solver} says '{outcome.detail}', but its answer is not a tiling: {error}"
        ) from None


def judge_cover(
    cover: ExactCover, model: Formulation, outcome: Outcome, solver: str, clock: Deadline
) -> TilingJudgement:
    """Judge a solver's answer to a formulation of an exact cover: a tiling, or that there is none.

    An optimal packing that is not a tiling is a claim that there is no tiling.
    """
    packing: Packing | None = None
    claim = f"{solver} says '{outcome.detail}'"
    if outcome.status not in (Status.OPTIMAL, Status.FEASIBLE, Status.INFEASIBLE):
        return TilingJudgement(Status.UNKNOWN, None, outcome.detail)
    if outcome.status is not Status.INFEASIBLE:
        try:
            packing = verify(cover, outcome, solver, model)[1]
        except SolverFailed as error:
            return TilingJudgement(Status.UNKNOWN, Standing.REFUTED, str(error))
        if isinstance(packing, Tiling):
            return TilingJudgement(
                Status.FEASIBLE, Standing.VERIFIED, outcome.detail, packing=packing
            )
        if outcome.status is not Status.OPTIMAL:
            return TilingJudgement(Status.UNKNOWN, None, outcome.detail, packing=packing)
        claim = f"{solver} says that at least {len(packing.missing)} cells stay uncovered"
    return replace(judge_none(cover, claim, solver, clock, outcome.detail), packing=packing)


def judge_none(
    cover: ExactCover, claim: str, solver: str, clock: Deadline, detail: str
) -> TilingJudgement:
    """Judge the claim that a cover has no tiling."""
    there, tiling = witnesses.exists(cover, clock, against=solver)
    if there:
        names = " ".join(cover.option_names[option] for option in tiling)
        reason = f"{claim}, but there is a tiling: {names}; {REPORT}"
        return TilingJudgement(Status.FEASIBLE, Standing.REFUTED, reason)
    if there is None:
        return TilingJudgement(Status.UNKNOWN, Standing.UNVERIFIED, f"{claim}, but {LATE}")
    return TilingJudgement(Status.INFEASIBLE, Standing.VERIFIED, detail)
