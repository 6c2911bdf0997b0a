"""Is somebody else's model the model of this instance? With a counter-example if not."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from calmip._limits import ENDLESS, Deadline, Limits
from calmip.errors import InputError, listed
from calmip.formats.model_files import meaning
from calmip.formats.mps import number as decimal
from calmip.formats.reading import quoted
from calmip.formats.values import violations
from calmip.problem.binary_model import BinaryModel
from calmip.problem.cover import ExactCover
from calmip.problem.placements import PlacementNames
from calmip.search.exact_cover.counting import count
from calmip.search.exact_cover.search import Search
from calmip.search.matching import (
    Row,
    equations_of,
    matched_by_row_names,
    matched_by_structure,
    model_rows,
)
from calmip.search.one_tree import OneTree
from calmip.search.witnesses import exists

__all__ = ["Equivalence", "compare_model"]

LEAST_SECONDS = 0.1
"""What a part of the comparison gets even if the time is over."""


@dataclass(frozen=True)
class Equivalence:
    """Whether the solutions of a model are the tilings of an instance.

    Parameters
    ----------
    equal
        True or False where it was proved, None where a limit came first.
    reason
        Why, in a sentence or two.
    options
        The counter-example as options of the exact cover, or None: a tiling
        that the model forbids, or a solution of the model that is no tiling.
    """

    equal: bool | None
    reason: str
    options: tuple[int, ...] | None = None


def compare_model(
    cover: ExactCover,
    model: BinaryModel,
    *,
    names: Mapping[str, str] | None = None,
    limit: int = 100_000,
    clock: Deadline = ENDLESS,
) -> Equivalence:
    """Compare the solutions of a model with the tilings of an instance.

    Columns are placements by their names: those that `calmip export` gives, or
    piece and cells (`calmip.problem.placements`). Where names do not say
    it, the rows that a column stands in do, by their own names or by their
    structure (`calmip.search.matching`). Rows that are scaled, split or idle
    count for nothing, nor do columns that rows force to 0
    (`calmip.search.matching`).

    Then the rows of the exact cover that the model has need no proof; for each
    of the others the model's solutions are searched for one that breaks it
    (`calmip.search.one_tree.OneTree`), and every tiling is tried on the model.
    Columns that are no placements are free to take whatever value the rows
    allow. What was concluded from structure alone is refused only if the
    number of solutions is another as well. The objective plays no part.

    Parameters
    ----------
    cover
        The exact cover of the instance.
    model
        The model.
    names
        Which option a column of the model is, where its own name does not say it.
    limit
        The most tilings, or nameless solutions, to look at.
    clock
        When to give up.

    Raises
    ------
    InputError
        If ``names`` holds what is no column or no option, or a limit is not positive.
    """
    if limit < 1:
        raise InputError(f"the limit is a number of tilings from 1 on, not {limit}")
    check = _Check(cover, model, limit, clock)
    options = _named(cover, model, names or {})
    if options:
        said = check.verdict(options)
        if said.equal is False and len(options) < cover.columns:
            # Were some placements named in a way that is not understood?
            found = matched_by_structure(cover, model, check.rows, options)
            said = check.verdict(found) if found is not None else said
        return said
    return _by_rows(check)


def _by_rows(check: _Check) -> Equivalence:
    """Compare a model none of whose columns' names is understood."""
    options = matched_by_row_names(check.cover, check.model, check.rows)
    told = check.verdict(options) if options else None
    if told is not None and told.equal:
        return replace(told, reason=f"{told.reason}, by the names of the rows")
    found = matched_by_structure(check.cover, check.model, check.rows, {})
    if found is None:  # are columns forced to 0 that should not be?
        every = model_rows(check.model, forced=False)
        found = matched_by_structure(check.cover, check.model, every, {})
    alike = check.verdict(found) if found is not None else None
    if alike is not None and alike.equal:
        return replace(alike, reason=_nameless(alike.reason))
    numbers = check.numbers()
    shown = told or alike
    if shown is None or shown.equal is None or (told is None and numbers.equal is not False):
        return numbers
    said = numbers.reason.partition(";")[0] + "; " if numbers.equal is False else ""
    return replace(shown, reason=f"{said}by the rows that its columns stand in, {shown.reason}")


def _nameless(reason: str) -> str:
    return f"{reason.replace('the same columns and rows', 'the same rows')}, up to the names"


def _named(cover: ExactCover, model: BinaryModel, names: Mapping[str, str]) -> dict[int, int]:
    """Return the option that each column stands for, where its name says it."""
    numbers = {name: number for number, name in enumerate(model.columns)}
    known = PlacementNames(cover)
    for theirs, ours in names.items():
        if theirs not in numbers:
            raise InputError(f"the model has no column {quoted(theirs)}")
        if known.option(ours) is None:
            raise InputError(
                f"{quoted(ours)} is no placement of this instance; calmip export names them"
            )
    found: dict[int, int] = {}
    taken: dict[int, str] = {}
    for name, number in numbers.items():
        option = known.option(names.get(name, name))
        if option is None:
            continue
        if option in taken:
            raise InputError(
                f"columns {quoted(taken[option])} and {quoted(name)} are the same placement "
                f"{cover.option_names[option]}"
            )
        taken[option] = name
        found[number] = option
    return found


class _Check:
    def __init__(
        self, cover: ExactCover, model: BinaryModel, limit: int, deadline: Deadline
    ) -> None:
        self.cover = cover
        self.model = model
        self.limit = limit
        self.deadline = deadline
        self.mine = equations_of(cover)
        self.rows = model_rows(model)

    def left(self) -> float | None:
        """Return the seconds that are left, never quite none."""
        return self.deadline.left(LEAST_SECONDS)

    def verdict(self, options: Mapping[int, int]) -> Equivalence:
        """Return whether the two are equal if these columns are these options."""
        return self.same_rows(options) or self.tilings(options) or self.solutions(options)

    def renamed(self, options: Mapping[int, int]) -> set[Row]:
        """Return the equations over placements alone, with the options for columns."""
        return {
            (frozenset(options[column] for column in row), total)
            for row, total in self.rows.equations
            if all(column in options for column in row)
        }

    def same_rows(self, options: Mapping[int, int]) -> Equivalence | None:
        """Return that the two are equal if they have the same columns and rows."""
        zero = self.rows.zero
        used = len(self.model.columns) - len(zero)
        if not len(set(options).difference(zero)) == used == self.cover.columns:
            return None
        if self.rows.further or len(self.rows.equations) != len(set(self.mine)):
            return None
        if self.renamed(options) != set(self.mine):
            return None
        left_out = f", once the {len(zero)} columns that rows force to 0 are left out"
        return Equivalence(
            True, f"the same columns and rows as the placement model{left_out if zero else ''}"
        )

    def tilings(self, options: Mapping[int, int]) -> Equivalence | None:
        """Return the first tiling that the model forbids, or None."""
        column_of = {option: column for column, option in options.items()}
        others = [c for c in range(len(self.model.columns)) if c not in options]
        search = Search(self.cover, limit=self.limit, time_limit=self.left())
        for chosen in search:
            missing = next((option for option in chosen if option not in column_of), None)
            if missing is not None:
                return Equivalence(
                    False,
                    "a tiling that the model does not have: there is no column "
                    f"{self.cover.option_names[missing]} ({meaning(self.cover, missing)})",
                    tuple(chosen),
                )
            columns = [column_of[option] for option in chosen]
            broken = self.model.violated(columns)
            if broken is None:
                continue
            extended = self.extends(columns, others)
            if extended is None:
                return Equivalence(
                    None, "whether the model has a certain tiling was not found out in time"
                )
            if not extended:
                return Equivalence(
                    False,
                    "a tiling that the model forbids: it breaks "
                    f"{_described(self.model, broken, columns)}",
                    tuple(chosen),
                )
        if not search.complete:
            return Equivalence(
                None, f"the model has the first tilings, but there are more than {self.limit:,}, "
                "or the time was over"
            )  # fmt: skip
        return None

    def extends(self, columns: list[int], others: list[int]) -> bool | None:
        """Return whether the columns that are no placements can make this point a solution.

        None if that was not found out in time.
        """
        if not others:
            return False
        fixed = self.model
        chosen = set(columns)
        for column in set(range(len(self.model.columns))) - set(others):
            value = float(column in chosen)
            fixed = fixed.with_row("fixed", [column], value, value)
        return exists(fixed, self.deadline, least=LEAST_SECONDS)[0]

    def solutions(self, options: Mapping[int, int]) -> Equivalence:
        """Search the model's solutions for one that breaks an equation of the exact cover."""
        column_of = {option: column for column, option in options.items()}
        theirs = self.renamed(options)
        for row, item in zip(self.mine, self.cover.items, strict=True):
            if row in theirs:
                continue
            columns = [column_of[option] for option in row[0] if option in column_of]
            for low, high in ((-np.inf, item.demand - 1.0), (item.demand + 1.0, np.inf)):
                other = self.model.with_row("other", columns, low, high)
                there, point = exists(other, self.deadline, least=LEAST_SECONDS)
                if there:
                    chosen = sorted(options[column] for column in point if column in options)
                    faults = violations(self.cover, chosen)
                    return Equivalence(
                        False,
                        "a solution of the model that is no tiling: "
                        + listed(faults, most=3).replace(", row", "; row"),
                        tuple(chosen),
                    )
                if there is None:
                    return Equivalence(None, "the model has every tiling; whether it has other "
                                      "solutions was not found out in time")  # fmt: skip
        further = len(self.model.columns) - len(options)
        ignored = f"; {further} further columns stand for no placement" if further else ""
        return Equivalence(True, f"every tiling is a solution, and there are no others{ignored}")

    def numbers(self) -> Equivalence:
        """Compare how many solutions there are, for want of names."""
        hint = "name the columns as calmip export does, or say which is which with --names"
        search = OneTree(self.model, limit=self.limit, time_limit=self.left())
        found = sum(1 for _ in search)
        try:
            tilings = count(self.cover, Limits(self.left()))
        except TimeoutError:
            return Equivalence(None, f"the time was over; {hint}")
        if found > tilings or (search.complete and found != tilings):
            more = "" if search.complete else "at least "
            return Equivalence(
                False, f"the model has {more}{found} solutions, the instance {tilings} tilings; "
                f"to see a counter-example, {hint}"
            )  # fmt: skip
        if not search.complete:
            return Equivalence(None, f"a limit came after {found:,} solutions; {hint}")
        if not found:
            return Equivalence(True, "there is no tiling, and the model has no solution")
        return Equivalence(
            None, f"the model has as many solutions as there are tilings ({tilings}), but which "
            f"is which is not known: {hint}"
        )  # fmt: skip


def _described(model: BinaryModel, row: int, columns: Iterable[int]) -> str:
    """Return a broken row in words: its sum and what it asks for."""
    places = range(model.start[row], model.start[row + 1])
    entries = zip(model.index[places].tolist(), model.numbers("value", places), strict=True)
    chosen = set(columns)
    total = sum((value for column, value in entries if column in chosen), 0)
    (low,), (high,) = model.numbers("lower", [row]), model.numbers("upper", [row])
    side = decimal(low if total < low else high)
    wanted = f"= {side}" if low == high else f">= {side}" if total < low else f"<= {side}"
    return f"row {quoted(model.rows[row])}, whose sum is {decimal(total)}, not {wanted}"
