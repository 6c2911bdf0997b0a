"""Whether a model is equivalent to an instance, with a counter-example if not."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from calmip._base.errors import InputError, join_words
from calmip._base.limits import ENDLESS, Deadline, Limits
from calmip.mip.defined import project
from calmip.mip.display import quote
from calmip.mip.files.text_source import number as decimal
from calmip.mip.independent_search import exists
from calmip.mip.model import Model
from calmip.mip.one_tree import OneTree
from calmip.puzzle.cover import ExactCover
from calmip.puzzle.files.chosen_options import violations
from calmip.puzzle.files.cover_files import meaning
from calmip.puzzle.placements import PlacementNames
from calmip.puzzle.search.exact_cover.counting import count
from calmip.puzzle.search.exact_cover.search import Search
from calmip.puzzle.search.matching import (
    Row,
    equations_of,
    match_by_row_names,
    match_by_structure,
    model_rows,
)

MIN_PART_SECONDS = 0.1
"""The least seconds of each part of the comparison."""


@dataclass(frozen=True)
class SameTilings:
    """Whether the solutions of a model are the tilings of an instance."""

    equal: bool | None
    """Whether that is proved or refuted; None where a limit was reached first."""
    reason: str
    """The reason, in one sentence or two."""
    options: tuple[int, ...] | None = None
    """A tiling that the model forbids, or a solution of the model that is not a tiling."""


def compare_model(
    cover: ExactCover,
    model: Model,
    *,
    names: Mapping[str, str] | None = None,
    limit: int = 100_000,
    clock: Deadline = ENDLESS,
) -> SameTilings:
    """Compare the solutions of a model with the tilings of an instance.

    Columns are placements by their names: those that `calmip export` gives, or
    piece and cells (`calmip.puzzle.placements`). Other columns are identified by their rows: by
    the rows' names or by their structure (`calmip.puzzle.search.matching`). Rows
    that are scaled, split or redundant make no difference, nor do columns that rows force to 0.

    Rows of the exact cover that the model has need no proof. For each of the others, one-tree
    searches the model's solutions for one that violates it. Every tiling is tried on the model.
    Columns that are not placements may have any value that the rows allow. A match by structure
    alone is refuted only if the number of solutions differs as well. The objective is ignored.

    Parameters
    ----------
    cover, model
        The exact cover of the instance, and the model.
    names
        The option of each column whose own name does not give it.
    limit, clock
        The most tilings, or solutions without names, to examine, and the time limit.

    Raises
    ------
    InputError
        If ``names`` has an unknown column or option, or the limit is not positive.
    """
    if limit < 1:
        raise InputError(f"the limit is a number of tilings from 1 on, not {limit}")
    model = project(model).as_binary("a comparison")
    check = _Check(cover, model, limit, clock)
    options = _by_name(cover, model, names or {})
    if not options:
        return _compare_by_rows(check)
    verdict = check.verdict(options)
    if verdict.equal is False and len(options) < cover.columns:
        # Perhaps the names of some placements were not recognised.
        found = match_by_structure(cover, model, check.rows, options, check.clock())
        verdict = check.verdict(found) if found is not None else verdict
    return verdict


def _compare_by_rows(check: _Check) -> SameTilings:
    """Compare a model without any recognised name of a column."""
    options = match_by_row_names(check.cover, check.model, check.rows)
    by_name = check.verdict(options) if options else None
    if by_name is not None and by_name.equal:
        return replace(by_name, reason=f"{by_name.reason}, by the names of the rows")
    found = match_by_structure(check.cover, check.model, check.rows, {}, check.clock())
    if found is None:  # are columns forced to 0 that should not be?
        every = model_rows(check.model, forced=False)
        found = match_by_structure(check.cover, check.model, every, {}, check.clock())
    alike = check.verdict(found) if found is not None else None
    if alike is not None and alike.equal:
        reason = alike.reason.replace("the same columns and rows", "the same rows")
        return replace(alike, reason=f"{reason}, up to the names")
    numbers = check.numbers()
    verdict = by_name or alike
    if verdict is None or verdict.equal is None or (by_name is None and numbers.equal is not False):
        return numbers
    first = numbers.reason.partition(";")[0] + "; " if numbers.equal is False else ""
    return replace(
        verdict, reason=f"{first}by the rows that its columns stand in, {verdict.reason}"
    )


def _by_name(cover: ExactCover, model: Model, names: Mapping[str, str]) -> dict[int, int]:
    """Return the option of each column whose name gives it."""
    numbers = {name: number for number, name in enumerate(model.columns)}
    known = PlacementNames(cover)
    for theirs, ours in names.items():
        if theirs not in numbers:
            raise InputError(f"the model has no column {quote(theirs)}")
        if known.option(ours) is None:
            raise InputError(
                f"{quote(ours)} is not a placement of this instance; calmip export names them"
            )
    column_of: dict[int, str] = {}
    for name in model.columns:
        option = known.option(names.get(name, name))
        if option is None:
            continue
        if option in column_of:
            raise InputError(
                f"columns {quote(column_of[option])} and {quote(name)} are the same placement "
                f"{cover.option_names[option]}"
            )
        column_of[option] = name
    return {numbers[name]: option for option, name in column_of.items()}


class _Check:
    def __init__(self, cover: ExactCover, model: Model, limit: int, deadline: Deadline) -> None:
        self.cover, self.model, self.limit, self.deadline = cover, model, limit, deadline
        self.mine, self.rows = equations_of(cover), model_rows(model)

    def clock(self) -> Deadline:
        """Return a clock with the remaining seconds."""
        return Deadline(self.deadline.left(MIN_PART_SECONDS))

    def verdict(self, options: Mapping[int, int]) -> SameTilings:
        """Return whether the two are equivalent if these columns are these options."""
        return self.same_rows(options) or self.tilings(options) or self.solutions(options)

    def rename(self, options: Mapping[int, int]) -> set[Row]:
        """Return the equations over placements alone, with the options for columns."""
        return {
            (frozenset(options[column] for column in row), total)
            for row, total in self.rows.equations
            if all(column in options for column in row)
        }

    def same_rows(self, options: Mapping[int, int]) -> SameTilings | None:
        """Return the verdict "equivalent" if both have the same columns and rows."""
        zero = self.rows.zero
        used = len(self.model.columns) - len(zero)
        if not len(set(options).difference(zero)) == used == self.cover.columns:
            return None
        if self.rows.further or len(self.rows.equations) != len(set(self.mine)):
            return None
        if self.rename(options) != set(self.mine):
            return None
        left_out = f", once the {len(zero)} columns that rows force to 0 are left out"
        return SameTilings(
            True, f"the same columns and rows as the placement model{left_out if zero else ''}"
        )

    def tilings(self, options: Mapping[int, int]) -> SameTilings | None:
        """Return the first tiling that the model forbids, or None."""
        column_of = {option: column for column, option in options.items()}
        others = [c for c in range(len(self.model.columns)) if c not in options]
        search = Search(self.cover, limit=self.limit, clock=self.clock())
        for chosen in search:
            missing = next((option for option in chosen if option not in column_of), None)
            if missing is not None:
                return SameTilings(
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
                return SameTilings(None, "the time limit was reached before every tiling was tried")
            if not extended:
                return SameTilings(
                    False,
                    "a tiling that the model forbids: it violates "
                    f"{_describe_row(self.model, broken, columns)}",
                    tuple(chosen),
                )
        if not search.complete:
            return SameTilings(
                None,
                f"the model has the first tilings, but there are more than {self.limit:,}, "
                "or the time limit was reached",
            )
        return None

    def extends(self, columns: list[int], others: list[int]) -> bool | None:
        """Return whether the other columns can make this point a solution, None if not known."""
        if not others:
            return False
        fixed = self.model
        chosen = set(columns)
        for column in set(range(len(self.model.columns))) - set(others):
            value = float(column in chosen)
            fixed = fixed.with_row("fixed", [column], value, value)
        return exists(fixed, self.deadline, least=MIN_PART_SECONDS)[0]

    def solutions(self, options: Mapping[int, int]) -> SameTilings:
        """Search the model's solutions for one that violates an equation of the exact cover."""
        column_of = {option: column for column, option in options.items()}
        theirs = self.rename(options)
        for row, item in zip(self.mine, self.cover.items, strict=True):
            if row in theirs:
                continue
            columns = [column_of[option] for option in row[0] if option in column_of]
            for low, high in ((-math.inf, item.demand - 1.0), (item.demand + 1.0, math.inf)):
                other = self.model.with_row("other", columns, low, high)
                there, point = exists(other, self.deadline, least=MIN_PART_SECONDS)
                if there:
                    chosen = sorted(options[column] for column in point if column in options)
                    faults = violations(self.cover, chosen)
                    return SameTilings(
                        False,
                        "a solution of the model that is not a tiling: "
                        + join_words(faults, most=3).replace(", row", "; row"),
                        tuple(chosen),
                    )
                if there is None:
                    return SameTilings(
                        None,
                        "the model has every tiling; whether it has other solutions is "
                        "unknown at the time limit",
                    )
        further = len(self.model.columns) - len(options)
        ignored = f"; {further} further columns stand for no placement" if further else ""
        return SameTilings(True, f"every tiling is a solution, and there are no others{ignored}")

    def numbers(self) -> SameTilings:
        """Compare the numbers of solutions, where names are missing."""
        hint = "name the columns as calmip export does, or say which is which with --names"
        search = OneTree(self.model, limit=self.limit, clock=self.clock())
        found = sum(1 for _ in search)
        try:
            tilings = count(self.cover, Limits(self.deadline.left(MIN_PART_SECONDS)))
        except TimeoutError:
            return SameTilings(None, f"the time limit was reached; {hint}")
        if found > tilings or (search.complete and found != tilings):
            more = "" if search.complete else "at least "
            return SameTilings(
                False,
                f"the model has {more}{found} solutions, the instance {tilings} tilings; "
                f"to see a counter-example, {hint}",
            )
        if not search.complete:
            return SameTilings(None, f"a limit was reached after {found:,} solutions; {hint}")
        if not found:
            return SameTilings(True, "there is no tiling, and the model has no solution")
        return SameTilings(
            None,
            f"the model has as many solutions as there are tilings ({tilings}), but which "
            f"is which is not known: {hint}",
        )


def _describe_row(model: Model, row: int, columns: Iterable[int]) -> str:
    """Return a violated row in words, with its sum and its bound."""
    places = range(model.start[row], model.start[row + 1])
    entries = zip(model.index[places].tolist(), model.numbers("value", places), strict=True)
    chosen = set(columns)
    total = sum((value for column, value in entries if column in chosen), 0)
    (low,), (high,) = model.numbers("lower", [row]), model.numbers("upper", [row])
    side = decimal(low if total < low else high)
    wanted = f"= {side}" if low == high else f">= {side}" if total < low else f"<= {side}"
    return f"row {quote(model.rows[row])}, whose sum is {decimal(total)}, not {wanted}"
