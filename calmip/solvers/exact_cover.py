"""The exact-cover search as a solver: a model file whose rows say "exactly so many" in."""

from __future__ import annotations

import itertools
from pathlib import Path

from calmip._limits import Deadline
from calmip._version import __version__
from calmip.errors import InputError, SolverFailed, shown
from calmip.formats.model_files import read_model
from calmip.problem.binary_model import BinaryModel
from calmip.search.exact_cover.search import walk
from calmip.search.exact_cover.words import Packed, pack
from calmip.solvers.base import Availability, KindRefused, Limits, OptionUnknown, Outcome, Status

__all__ = ["ExactCoverSearch"]


class ExactCoverSearch:
    """calmip's own search; see `calmip.solvers.base.Solver`.

    It knows rows that say how many of some columns are one, and no objective
    that prefers one solution to another. It uses one thread and no random
    numbers, whatever the limits say.
    """

    name = "exact-cover"
    starts = False
    unused: tuple[str, ...] = ("seed", "threads")

    def availability(self) -> Availability:
        """Return that it is here: it is a part of calmip."""
        return Availability("calmip", __version__, "")

    def solve(self, model: Path, limits: Limits) -> Outcome:
        """Read a model file and search it; see `calmip.solvers.base.Solver`."""
        if limits.options:
            raise OptionUnknown(
                f"exact-cover has no option {shown(limits.options[0][0])}; it has none"
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
        """Return how many solutions a model file has, whether those are all, and the nodes.

        Raises
        ------
        SolverFailed
            If the file cannot be read, or a column stands in no row: there are
            solutions with it and without.
        KindRefused
            If the model is no exact cover.
        """
        arrays = _read(model)
        if len(set(arrays.values("index"))) < len(arrays.columns):
            raise SolverFailed("exact-cover counts no models with a column that is in no row")
        search, found = walk(_words(arrays)[0]), 0
        while not search.finished and not deadline.over:
            found += len(search.step(10_000))
        return found, search.finished, search.nodes


def _read(model: Path) -> BinaryModel:
    try:
        return read_model(model)
    except InputError as error:
        raise SolverFailed(f"exact-cover cannot read {model.name}: {error}") from None


def _words(model: BinaryModel) -> tuple[Packed, list[int]]:
    """Return a model in bits, and the column that each of its options is.

    Raises
    ------
    KindRefused
        If the model is no exact cover.
    """
    ends = list(itertools.pairwise(model.values("start")))
    for number, name in enumerate(model.rows):
        places = range(*ends[number])
        if any(value != 1 for value in model.numbers("value", places)):
            raise _refusal(f"row {name} has a coefficient other than 1")
        (lower,), (upper,) = model.numbers("lower", [number]), model.numbers("upper", [number])
        if lower != upper or not isinstance(lower, int) or lower < 0:
            raise _refusal(f"row {name} is no equation with a whole number from 0 on")
    if not _is_constant(model):
        raise _refusal("its objective is more than a multiple of a row")
    demand: list[int] = []
    covered: list[list[int]] = [[] for _ in model.columns]
    index, zero = model.values("index"), set()
    for (first, last), number in zip(ends, model.values("lower"), strict=True):
        if number == 0:
            zero.update(index[first:last])
            continue
        for column in index[first:last]:
            covered[column].append(len(demand))
        # More than there are columns in a row is never reached.
        demand.append(int(min(number, last - first + 1)))
    # Columns in a row that says "none", or in no row at all, stay zero.
    columns = [column for column, items in enumerate(covered) if items and column not in zero]
    options = [covered[column] for column in columns]
    return pack(options, demand, late=(), size=sum(demand)), columns


def _is_constant(model: BinaryModel) -> bool:
    """Return whether all solutions are equally good: the objective is zero or a row's multiple."""
    used = sorted(model.costs)
    if len(set(model.costs.values())) > 1:
        return False
    if not used:
        return True
    index, ends = model.values("index"), itertools.pairwise(model.values("start"))
    return any(sorted(index[first:last]) == used for first, last in ends)


def _refusal(why: str) -> KindRefused:
    return KindRefused(
        f"exact-cover takes rows that say how many of some columns are one, and nothing else: "
        f"{why}; use another solver"
    )
