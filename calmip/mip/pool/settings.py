"""What a search of the tree is asked for, its limits, and what it counts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any

from calmip._base.limits import ENDLESS, Deadline
from calmip.mip.pool.counting import Ways
from calmip.mip.pool.integer_model import WholeModel
from calmip.mip.pool.relaxation import NodeRelaxation
from calmip.mip.rows import Number

GOALS = ("gap", "within", "best", "most")


@dataclass(frozen=True)
class Goal:
    """The solutions that are wanted; all if nothing is given, else at most one is given.

    Parameters
    ----------
    optimal
        All with the best objective.
    gap
        All within this share of the absolute value of the optimum: 1/100 is one per cent.
    within
        All whose objective is worse than the optimum by at most this number.
    best
        This many with the best objectives.
    most
        All whose sum of the costs, without the constant, is at most this.
    ties
        Whether to find out if others are as good as the last of the best.
    """

    optimal: bool = False
    gap: Fraction | None = None
    within: Fraction | None = None
    best: int | None = None
    most: Number | None = None
    ties: bool = True

    @cached_property
    def plain(self) -> bool:
        """Whether the objective plays no part."""
        return not self.name

    @cached_property
    def name(self) -> str:
        """The name of the goal; empty for all solutions."""
        given = {"optimal": self.optimal or None, **{n: getattr(self, n) for n in GOALS}}
        return next((name for name, one in given.items() if one is not None), "")

    def worst(self, program: WholeModel, value: Number) -> Fraction:
        """Return the worst sum of costs that belongs to an optimal one."""
        extra = Fraction(0)
        if self.gap is not None:
            extra = self.gap * abs(program.objective(value))
        elif self.within is not None:
            extra = self.within
        return value + extra / program.unit


EVERY = Goal()
"""The goal of all solutions."""
OPTIMUM = Goal(best=1, ties=False)
"""The goal of one optimal solution."""


@dataclass
class PoolStatistics:
    """The effort of the search of a pool."""

    nodes: int = 0
    """Nodes that were entered."""
    solutions: int = 0
    """Solutions found."""
    relaxations: int = 0
    """Linear relaxations solved."""
    pruned: int = 0
    """Nodes that exact bounds from multipliers pruned."""
    unproved: int = 0
    """Nodes that HiGHS calls infeasible or too costly without a proof; the search went on below."""
    cuts: int = 0
    """Cuts that were added at the root."""
    covers: int = 0
    """Trees whose solutions were searched as an exact cover instead."""
    undecided: int = 0
    """Leaves whose continuous columns could not be completed in exact arithmetic."""


@dataclass(frozen=True, eq=False, repr=False)
class TreeSettings:
    """What a search of the tree is asked for, and its limits.

    Parameters
    ----------
    program
        The model in whole numbers.
    goal
        The solutions that are wanted.
    clock, node_limit, memory
        Stop at the time limit, after this many nodes, when the process has so many bytes.
    limited
        Whether only some of the solutions are wanted.
    tally
        Whether solutions are counted and not listed.
    relaxation
        The class of the linear relaxations; None for none.
    ways
        For columns of the program that stand for several, the number of their points.
    usage
        By column, the number of solutions so far in which it is not 0; None if it is not counted.
    covers
        Whether the rest of a slow tree may be searched as an exact cover.
    """

    program: WholeModel
    goal: Goal = EVERY
    clock: Deadline = ENDLESS
    node_limit: int | None = None
    memory: float = math.inf
    limited: bool = False
    tally: bool = False
    relaxation: type[NodeRelaxation] | None = NodeRelaxation
    ways: dict[int, Ways] = field(default_factory=dict)
    usage: list[int] | None = None
    covers: bool = True

    @cached_property
    def early(self) -> bool:
        """Whether only some of the solutions with a goal are wanted, in any order."""
        return self.limited and not self.goal.plain and self.goal.best is None

    @cached_property
    def streams(self) -> bool:
        """Whether solutions are yielded as they are found."""
        return self.goal.plain or self.early or self.goal.most is not None

    @cached_property
    def sums(self) -> bool:
        """Whether boxes of values are counted, and nothing but their number matters."""
        program = self.program
        counts = self.tally and self.streams and self.usage is None
        return counts and program.pure and program.distinct == program.integers

    @cached_property
    def sparing(self) -> bool:
        """Whether relaxations are solved where they pay, before all of them are."""
        return self.goal.plain and self.program.pure

    @cached_property
    def relaxes_all(self) -> bool:
        """Whether all relaxations are solved in the end.

        Where each leaf of a binary model is wanted, branchings that look for one gain nothing.
        """
        some = self.limited and not self.tally
        every = self.sparing and self.program.model.binary and not some
        return self.relaxation is not None and not every

    def use(self, low: Sequence[Number], high: Sequence[Number]) -> None:
        """Count the points of a box, or one point, by the columns that are not 0."""
        if self.usage is None:
            return
        every: Any = math.prod(top - bottom + 1 for bottom, top in zip(low, high, strict=True))
        if low == high:  # also of continuous columns
            every = 1
        for column, (bottom, top) in enumerate(zip(low, high, strict=True)):
            zeros = every // (top - bottom + 1) if bottom < top else every
            self.usage[column] += every - (int(zeros) if bottom <= 0 <= top else 0)

    def key_of(self, point: Sequence[Number]) -> tuple[int, ...]:
        """Return the values that distinguish a solution."""
        return tuple(map(int, point[: self.program.distinct]))
