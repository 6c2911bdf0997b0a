"""The exact-cover search as a solver of model files whose rows are cardinality equations."""

from __future__ import annotations

import itertools
from pathlib import Path

from calmip._base.errors import InputError, SolverFailed, clip
from calmip._base.limits import Deadline, Limits
from calmip._base.version import __version__
from calmip.mip.model import Model
from calmip.mip.packed_cover import Packed, pack, walk
from calmip.mip.status import Status
from calmip.solvers.base import (
    Availability,
    KindRefused,
    OptionUnknown,
    Outcome,
    Solver,
    read_binary,
)


class ExactCoverSearch(Solver):
    """calmip's own search; see `calmip.solvers.base.Solver`.

    It accepts cardinality equations, which fix how many of some columns are one, and constant
    objectives. It uses one thread and no random numbers.
    """

    name = "exact-cover"
    unused = ("seed", "threads", "formulation")

    def availability(self) -> Availability:
        """Return that it is a part of calmip."""
        return Availability("calmip", __version__, "")

    def solve(self, model: Path, limits: Limits) -> Outcome:
        """Read a model file and search it; see `calmip.solvers.base.Solver`."""
        if limits.options:
            raise OptionUnknown(
                f"exact-cover has no option {clip(limits.options[0][0])}; it has none"
            )
        arrays = _read(model)
        words, columns = _words(arrays)
        search = walk(words)
        while not search.finished:
            for solution in search.step(1):
                values = {arrays.columns[columns[option]]: 1.0 for option in solution}
                return Outcome(Status.OPTIMAL, values, "solution found", search.nodes)
            if limits.clock.over:
                return Outcome(Status.UNKNOWN, detail="time limit reached", nodes=search.nodes)
        return Outcome(Status.INFEASIBLE, detail="searched to the end", nodes=search.nodes)

    def count(self, model: Path, deadline: Deadline) -> tuple[int, bool, int]:
        """Return the number of solutions of a model file, whether those are all, and the nodes.

        A column in no row is refused: it may take either value.
        """
        arrays = _read(model)
        if len(set(arrays.values("index"))) < len(arrays.columns):
            raise SolverFailed("exact-cover does not count models with a column that is in no row")
        search, found = walk(_words(arrays)[0]), 0
        while not search.finished and not deadline.over:
            found += len(search.step(10_000))
        return found, search.finished, search.nodes


def _read(model: Path) -> Model:
    try:
        return read_binary(model, "exact-cover")
    except KindRefused:
        raise
    except InputError as error:
        raise SolverFailed(f"exact-cover cannot read {model.name}: {error}") from None


def _words(model: Model) -> tuple[Packed, list[int]]:
    """Return a model in bits, and the column of each of its options."""
    index, ends = model.values("index"), itertools.pairwise(model.values("start"))
    demand: list[int] = []
    covered: list[list[int]] = [[] for _ in model.columns]
    zero: set[int] = set()
    for row, (first, last) in enumerate(ends):
        values = () if model.of_ones else model.numbers("value", range(first, last))
        if any(value != 1 for value in values):
            raise _refusal(f"row {model.rows[row]} has a coefficient other than 1")
        (lower,), (upper,) = model.numbers("lower", [row]), model.numbers("upper", [row])
        if lower != upper or not isinstance(lower, int) or lower < 0:
            raise _refusal(
                f"row {model.rows[row]} is not an equation with a whole number from 0 on"
            )
        if lower == 0:
            zero.update(index[first:last])
            continue
        for column in index[first:last]:
            covered[column].append(len(demand))
        # A demand above the number of columns in a row is never met.
        demand.append(min(lower, last - first + 1))
    if not _is_constant(model):
        raise _refusal("its objective is not a multiple of a row")
    # Columns of a row "= 0", and those of no row, stay zero.
    columns = [column for column, items in enumerate(covered) if items and column not in zero]
    options = [covered[column] for column in columns]
    return pack(options, demand, late=(), size=sum(demand)), columns


def _is_constant(model: Model) -> bool:
    """Return whether all solutions are equally good: the objective is 0 or a row's multiple."""
    used = sorted(model.costs)
    if len(set(model.costs.values())) > 1:
        return False
    if not used:
        return True
    index, ends = model.values("index"), itertools.pairwise(model.values("start"))
    return any(sorted(index[first:last]) == used for first, last in ends)


def _refusal(why: str) -> KindRefused:
    return KindRefused(
        "exact-cover takes equations with coefficients 1 and whole right-hand sides only: "
        f"{why}; use another solver"
    )
