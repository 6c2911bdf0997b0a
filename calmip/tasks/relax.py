"""The linear relaxation of an instance: its bound, a fractional point, prices, and cuts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from calmip.documents.description import describe_instance, describe_placement
from calmip.errors import InputError, listed, shown
from calmip.formats.model_builder import INFINITE
from calmip.models import build
from calmip.problem.binary_model import BinaryModel
from calmip.problem.cover import ExactCover, Placement, Reveal
from calmip.problem.instance import Instance
from calmip.problem.lattice import Cell
from calmip.problem.placements import PlacementNames
from calmip.problem.shown import Drawn
from calmip.problem.status import Status
from calmip.search.linear import (
    FAMILIES,
    TINY,
    Certificate,
    Cut,
    LinearModel,
    LinearPoint,
    find_certificate,
    find_cuts,
)
from calmip.tasks._result import Pictured

__all__ = ["Relaxation", "Round", "relax"]


MOST_RATIO = 1_000_000
"""The greatest weight is at most so many times the least."""


@dataclass(frozen=True)
class Round:
    """One solve of the relaxation.

    Parameters
    ----------
    bound
        The optimum, None if there is no point.
    fractional
        How many columns are neither 0 nor 1.
    cuts
        How many cuts of each family the point breaks, which are added then.
    """

    bound: float | None
    fractional: int
    cuts: Mapping[str, int]


@dataclass(frozen=True, repr=False)
class Relaxation(Pictured, Drawn):
    """The linear relaxation of an instance.

    Parameters
    ----------
    cover
        The exact cover of the instance.
    status
        Optimal with a point, infeasible without.
    point
        The vertex that was found last, or None; an objective that is made
        large has its sign changed there.
    maximises
        Whether there is an objective, which is made large.
    rounds
        What every solve gave, the last one at the end.
    cuts
        The cuts that were added.
    fixed
        The columns that were fixed.
    certificate
        Where there is no point: multipliers that prove it of the rows without
        cuts, checked in whole numbers; None if there are none.
    """

    cover: ExactCover
    status: Status
    point: LinearPoint | None
    maximises: bool
    rounds: tuple[Round, ...]
    cuts: tuple[Cut, ...]
    fixed: Mapping[int, int]
    certificate: Certificate | None = None

    @property
    def instance(self) -> Instance:
        """The instance."""
        return self.cover.instance

    @property
    def bound(self) -> float | None:
        """The optimum of the relaxation, None if it has no point."""
        return self.rounds[-1].bound

    @property
    def values(self) -> dict[int, float]:
        """The options that are not 0, with their values."""
        if self.point is None:
            return {}
        some = self.point.values[: self.cover.columns]
        return {option: float(some[option]) for option in np.flatnonzero(some > TINY).tolist()}

    @property
    def prices(self) -> dict[int, float]:
        """The dual values of the items that are not 0."""
        if self.point is None:
            return {}
        return {item: -float(price) + 0.0 for item, price in
                enumerate(self.point.prices[: self.cover.rows]) if price}  # fmt: skip

    def shares(self) -> dict[Cell, list[tuple[str, float]]]:
        """Return for every cell to cover the pieces on it, or the label bared, with their shares.

        A label that stays uncovered in part is called by ``""``.
        """
        found: dict[Cell, dict[str, float]] = {cell: {} for cell in self.instance.to_cover}
        for option, value in self.values.items():
            chosen = self.cover.option(option)
            name = chosen.piece if isinstance(chosen, Placement) else ""
            for cell in chosen.cells:
                found[cell][name] = found[cell].get(name, 0.0) + value
        return {cell: sorted(of.items()) for cell, of in found.items()}

    def describe(self) -> dict[str, Any]:
        """Return the relaxation, with the keys in their documented order."""
        cover, point = self.cover, self.point
        certificate = self.certificate
        return {
            "instance": describe_instance(self.instance),
            "status": str(self.status),
            "bound": self.bound,
            "maximises": self.maximises,
            "fixed": {cover.option_names[option]: value for option, value in self.fixed.items()},
            "columns": [
                {"column": cover.option_names[option], "value": value,
                 "reduced": 0.0 if point is None else -float(point.reduced[option]) + 0.0,
                 **_meant(cover, option)}
                for option, value in self.values.items()
            ],
            "rows": [
                {"row": cover.items[item].name, "item": cover.items[item].text, "price": price}
                for item, price in self.prices.items()
            ],
            "rounds": [
                {"bound": one.bound, "fractional": one.fractional, "cuts": dict(one.cuts)}
                for one in self.rounds
            ],
            "cuts": [
                {"family": cut.family, "most": cut.most,
                 "columns": [cover.option_names[option] for option in cut.options]}
                for cut in self.cuts
            ],
            "certificate": None if certificate is None else {
                cover.items[row].name: str(certificate.multipliers[row])
                for row in certificate.rows
            },
        }  # fmt: skip

    def _summary(self) -> str:
        bound = "no point" if self.bound is None else f"bound {self.bound:g}"
        return f"{self.instance.name}, {bound}, {self.rounds[-1].fractional} fractional"


def relax(
    instance: Instance,
    *,
    cuts: Sequence[str] = (),
    rounds: int = 5,
    fix: Mapping[str, float] | None = None,
    weight: Mapping[str, float] | None = None,
    packing: bool = False,
) -> Relaxation:
    """Solve the linear relaxation of an instance, and strengthen it by cuts.

    Every column may take any value from 0 to 1. HiGHS finds an optimal vertex;
    violated cuts are added, and the relaxation is solved again. The report shows
    the bound, the columns that are not 0, the share of every piece in every cell
    and, with an objective, dual prices and reduced costs; a picture has every cell
    in stripes. If the relaxation is infeasible, a Farkas certificate proves it.
    A placement is named as in model files (U_b30) or by its cells
    (U:Jan+Mar+Jul+Aug+Sep).

    Parameters
    ----------
    instance
        The instance.
    cuts
        Add cuts of these families in rounds: ``clique``, ``odd-hole``.
    rounds
        Add cuts in at most so many rounds.
    fix
        Fix a placement at 0 or 1; may be repeated.
    weight
        Maximise the sum of the weights of these placements; may be repeated. Others
        weigh nothing. The greatest is at most a million times the least.
    packing
        Cover as many cells as possible, none of them twice. Otherwise the placement
        model has no objective of its own.

    Raises
    ------
    InputError
        If a family or a placement is unknown, a number is out of range, or weights
        are given to the packing.
    SolverMissing
        If highspy is not installed.
    """
    cover = ExactCover(instance)
    model = relaxable(cover, packing=packing, weight=weight)
    held = {option: int(value) for option, value in named(cover, fix or {}).items()}
    if any(value not in (0, 1) for value in (fix or {}).values()):
        raise InputError("a placement is fixed at 0 or at 1")
    unknown = [family for family in cuts if family not in FAMILIES]
    if unknown:
        raise InputError(f"unknown cuts '{shown(unknown[0])}'; there are {listed(list(FAMILIES))}")
    if rounds < 0:
        raise InputError(f"the number of rounds is 0 or more, not {rounds}")
    linear = LinearModel(model)
    for option, value in held.items():
        linear.bound(option, value, value)
    maximises = bool(model.cost.any())
    done: list[Round] = []
    added: list[Cut] = []
    while True:
        point = linear.solve()
        if point is None:
            done.append(Round(None, 0, {}))
            break
        left = cuts if len(done) < rounds else ()
        new = find_cuts(cover, point.values[: cover.columns].tolist(), left)
        counts = {family: sum(cut.family == family for cut in new) for family in cuts}
        bound = -point.bound + 0.0 if maximises else point.bound
        done.append(Round(bound, len(point.fractional), counts if new else {}))
        if not new:
            break
        for cut in new:
            linear.at_most(cut.options, cut.most)
        added += new
    status = Status.INFEASIBLE if point is None else Status.OPTIMAL
    found = Relaxation(cover, status, point, maximises, tuple(done), tuple(added), held)
    if point is None and not packing:
        return replace(found, certificate=_proof(cover, held))
    return found


def relaxable(
    cover: ExactCover, *, packing: bool, weight: Mapping[str, float] | None
) -> BinaryModel:
    """Return the model whose relaxation is meant, with its objective to be minimised."""
    model: BinaryModel = (
        build("matrix", cover.packing()).native if packing else BinaryModel.from_cover(cover)
    )
    if not weight:
        return model
    if packing:
        raise InputError("a packing has an objective of its own; leave out the weights")
    cost = model.cost.copy()
    for option, gain in named(cover, weight).items():
        cost[option] = -gain
    sizes = np.abs(cost[cost != 0.0])
    if len(sizes) and sizes.max() >= INFINITE:
        raise InputError(
            f"a weight of {sizes.max():g} is infinite to a solver; weights are smaller than "
            f"{INFINITE:g}: divide all of them by the same number"
        )
    if len(sizes) and sizes.max() > MOST_RATIO * sizes.min():
        raise InputError(
            f"the weights range from {sizes.min():g} to {sizes.max():g}; beside the greatest, "
            f"floating-point numbers lose one that is {MOST_RATIO:,} times smaller: leave it out"
        )
    return replace(model, cost=cost)


def named(cover: ExactCover, numbers: Mapping[str, float]) -> dict[int, float]:
    """Return numbers by options, which may be named by piece and cells."""
    names = PlacementNames(cover)
    found: dict[int, float] = {}
    for name, number in numbers.items():
        option = names.option(name)
        if option is None:
            known = cover.option_names[0] if cover.columns else "U_b30"
            raise InputError(
                f"'{shown(name, 60)}' is no placement of this instance; write a column's name, "
                f"such as {known}, or PIECE:PLACE+PLACE with labels"
            )
        if option in found or not np.isfinite(number):
            raise InputError(f"'{shown(name, 60)}' is named twice, or its number is none")
        found[option] = number
    return found


def _proof(cover: ExactCover, held: Mapping[int, int]) -> Certificate | None:
    """Return multipliers that prove that no point has these columns fixed.

    A column that is 1 leaves none of those that share an item with it that is
    covered once, so that fixing leaves an exact cover with fewer options.
    """
    once = {
        item
        for option, value in held.items() if value
        for item in cover.items_of(option) if cover.demand[item] == 1
    }  # fmt: skip
    left = [
        option
        for option in range(cover.columns)
        if held.get(option, not once.intersection(cover.items_of(option)))
    ]
    part = cover.restricted(left) if len(left) < cover.columns else cover
    return find_certificate(part)


def _meant(cover: ExactCover, option: int) -> dict[str, Any]:
    chosen = cover.option(option)
    if isinstance(chosen, Reveal):
        return {"reveals": chosen.label}
    return {"placement": describe_placement(chosen)}
