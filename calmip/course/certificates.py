"""Exercises 7 and 10: Farkas multipliers, dual prices, and an IIS; JSON files that are not run.

All numbers are rational. Exercise 7 has three sets of multipliers of rows:
``{"colouring": {"cell_00": 1, ...}, "date": {"piece_T": "1/2", ...}, "prices": {...}}``. The first
two are Farkas certificates, the third is a solution of the dual of the packing.

Exercise 10 has the rows of an irreducible infeasible subsystem, and for each of them the
placements that satisfy all others:
``{"rows": ["cell_10", ...], "without": {"cell_10": ["T_...", ...], ...}}``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import partial
from pathlib import Path

from calmip._base.errors import join_words
from calmip._base.limits import Deadline
from calmip.course.answers import AnswerParts
from calmip.course.checks import (
    CONFLICT,
    DOMINOES,
    NO_TILING,
    Check,
    Failed,
    course_name,
    example_of,
    options_of,
    quote,
    rational_of,
    rational_text,
    run_checks,
)
from calmip.mip.independent_search import exists
from calmip.mip.lp.exact_lp import ExactLp, LinearAnswer
from calmip.mip.model import Model
from calmip.mip.status import Status
from calmip.models import build
from calmip.puzzle.cover import ExactCover
from calmip.puzzle.instance import Instance

QUESTION_SECONDS = 20.0
"""The time limit of each question about some rows, and of the linear relaxation."""

ROUNDING_TOLERANCE = Fraction(1, 1000)
"""A violation below this looks like a rounded number."""

Multipliers = dict[int, Fraction]
"""The multiplier of each item of an exact cover that has one."""


def row_names(cover: ExactCover) -> list[str]:
    """Return the course's names of the rows: ``cell_01``, ``piece_T``."""
    cells = [f"cell_{row}{column}" for row, column in cover.instance.to_cover]
    pieces = [
        re.sub(r"piece (\S+).*", r"piece_\1", item.text) for item in cover.items[len(cells) :]
    ]
    return cells + pieces


def _plain(name: str) -> str:
    """Return what two spellings of a row have in common: ``pieces[T]`` and ``piece_T``."""
    return re.sub(r"^(cell|piece)s", r"\1", re.sub(r"\W|_", "", name))


def rows_of(cover: ExactCover, names: Iterable[object]) -> list[int]:
    """Return the items whose rows some names mean, in their order.

    Raises
    ------
    Failed
        If a name is not that of a row, or two are those of the same row.
    """
    right = row_names(cover)
    known = {_plain(name): number for number, name in enumerate(right)}
    # An exported model has these rows as c_01 and p_T.
    known |= {_plain(re.sub("ell|iece", "", name, count=1)): known[_plain(name)] for name in right}
    rows: dict[int, object] = {}
    for name in names:
        row = known.get(_plain(name)) if isinstance(name, str) else None
        if row is None:
            raise Failed(
                f"{quote(name)} is not a row of this model; its rows are {join_words(right)}"
            )
        if row in rows:
            raise Failed(f"the row {right[row]} is named twice")
        rows[row] = name
    return list(rows)


def grade_duality(path: Path, *, task: Instance = NO_TILING) -> tuple[Check, ...]:
    """Mark two Farkas certificates and the dual prices of a packing; two are about the task."""
    covers = {
        "colouring": ExactCover(DOMINOES),
        **dict.fromkeys(("date", "prices"), ExactCover(task)),
    }
    multipliers: dict[str, Multipliers] = {}

    def read_set(key: str, given: object) -> None:
        multipliers[key] = _multipliers(covers[key], key, given)

    def prices() -> None:
        _check_prices(covers["prices"], multipliers["prices"])

    def best() -> None:
        prices()
        cover = covers["prices"]
        bound, optimum = _total(cover, multipliers["prices"]), _packing_bound(cover)
        if bound > optimum:
            raise Failed(
                f"the prices add up to {rational_text(bound)}, and other prices to less; by strong "
                "duality the least sum is the optimum of the relaxation"
            )

    def farkas(key: str) -> Callable[[], object]:
        return parts.after(lambda: _check_farkas(covers[key], multipliers[key]), key)

    parts = AnswerParts(
        path,
        dict.fromkeys(covers, '{"cell_00": 1, ...}'),
        {key: partial(read_set, key) for key in covers},
    )
    return run_checks(
        [
            ("the file has three sets of multipliers", 1, parts.read, False),
            ("the colouring is a Farkas certificate", 2, farkas("colouring"), False),
            ("the multipliers of the date are a Farkas certificate", 4, farkas("date"), False),
            ("the prices are feasible in the dual", 2, parts.after(prices, "prices"), False),
            ("the prices are optimal in the dual", 1, parts.after(best, "prices"), False),
        ]
    )


def _multipliers(cover: ExactCover, key: str, entry: object) -> Multipliers:
    """Return the multipliers of a set by item, without zeros."""
    if not isinstance(entry, dict):
        raise Failed(f'{key} is a set of multipliers, such as {{"cell_00": 1}}, not {quote(entry)}')
    values = {
        name: rational_of(value, f"the multiplier of {name} in {key}")
        for name, value in entry.items()
    }
    # One that is missing is 0, so a 0 for a cell without a row changes nothing.
    named = [name for name, value in values.items() if value]
    return {row: values[name] for row, name in zip(rows_of(cover, named), named, strict=True)}


def _total(cover: ExactCover, multipliers: Multipliers) -> Fraction:
    """Return the sum of the multipliers times the right sides."""
    return sum((cover.demand[row] * y for row, y in multipliers.items()), Fraction(0))


def _column(cover: ExactCover, option: int, multipliers: Multipliers) -> Fraction:
    """Return the sum of the multipliers over the rows of a placement."""
    return sum((multipliers.get(row, Fraction(0)) for row in cover.items_of(option)), Fraction(0))


def _sum(cover: ExactCover, option: int, multipliers: Multipliers) -> str:
    """Return the sum of a placement in words, with its parts."""
    names = row_names(cover)
    parts = [
        f"{names[row]}: {rational_text(multipliers[row])}"
        for row in cover.items_of(option)
        if row in multipliers
    ]
    total = rational_text(_column(cover, option, multipliers))
    return f"{total} ({', '.join(parts)})" if parts else f"{total} (it has no multiplier)"


def _check_farkas(cover: ExactCover, multipliers: Multipliers) -> None:
    """Refuse multipliers that do not contradict the rows."""
    if not multipliers:
        raise Failed("all multipliers are 0, so nothing is proved")
    total = _total(cover, multipliers)
    if total == 0:
        raise Failed(
            "the multipliers times the right sides add up to 0; a certificate needs a sum above 0"
        )
    if total < 0:  # the same certificate with the other sign
        multipliers, total = {row: -y for row, y in multipliers.items()}, -total
    worst = max(range(cover.columns), key=lambda one: _column(cover, one, multipliers))
    excess = _column(cover, worst, multipliers)
    if excess > 0:
        raise Failed(
            f"the right sides add up to {rational_text(total)}, so no placement may have a sum "
            f"above 0; {course_name(cover, worst)} has "
            f"{_sum(cover, worst, multipliers)}{_rounded(excess)}",
            example_of(cover, [worst]),
        )


def _rounded(excess: Fraction) -> str:
    """Return the slip behind a sum that is wrong by no more than a decimal is rounded."""
    if excess > ROUNDING_TOLERANCE:
        return ""
    return "; write thirds as fractions, since decimals are rounded"


def _check_prices(cover: ExactCover, prices: Multipliers) -> None:
    """Refuse prices that are not feasible in the dual of the packing."""
    negative = next((row for row, price in prices.items() if price < 0), None)
    if negative is not None:
        raise Failed(
            f"the price of {row_names(cover)[negative]} is {rational_text(prices[negative])}; the "
            "rows of the packing are <= 1, so no price is below 0"
        )

    def slack(option: int) -> Fraction:
        return _column(cover, option, prices) - _size(cover, option)

    worst = min(range(cover.columns), key=slack)
    if slack(worst) < 0:
        raise Failed(
            f"{course_name(cover, worst)} covers {_size(cover, worst)} cells, and its prices add "
            f"up to less: {_sum(cover, worst, prices)}{_rounded(-slack(worst))}",
            example_of(cover, [worst]),
        )


def _size(cover: ExactCover, option: int) -> int:
    return sum(cover.items[row].kind == "cell" for row in cover.items_of(option))


def _packing_bound(cover: ExactCover) -> Fraction:
    """Return the exact optimum of the relaxation of the packing."""
    answer = relaxation_of(cover.packing())
    if answer.status is not Status.OPTIMAL or answer.cost is None:
        raise Failed("not decided: the relaxation was not solved in time")
    return -Fraction(answer.cost)


def relaxation_of(cover: ExactCover) -> LinearAnswer:
    """Return the exact answer to the linear relaxation of an exact cover or of its packing."""
    model = build("matrix", cover).native
    return ExactLp(model, range(len(model.columns))).solve(clock=Deadline(QUESTION_SECONDS))


class _SubsystemMarker:
    """The checks of a submitted subsystem: rows, and placements without each row."""

    def __init__(self, cover: ExactCover, path: Path) -> None:
        self.cover = cover
        form = {"rows": '["cell_00", ...]', "without": '{"cell_00": [...]}'}
        self.parts = AnswerParts(
            path, form, {"rows": self._read_rows, "without": self._read_without}
        )
        self.names = row_names(cover)
        self.rows: list[int] = []
        self.twice = ""
        self.witnesses: dict[int, list[int]] = {}

    def _read_rows(self, listed: object) -> None:
        if not isinstance(listed, list) or not listed:
            raise Failed(f"rows is a list of rows, not {quote(listed)}")
        named = [rows_of(self.cover, [name])[0] for name in listed]
        self.rows.extend(dict.fromkeys(named))
        # A row that is named again is in the same set.
        self.twice = next((self.names[row] for row in self.rows if named.count(row) > 1), "")

    def read(self) -> None:
        """Read all parts, and refuse a row that is named twice, for the marks of the form alone."""
        self.parts.read()
        if self.twice:
            raise Failed(f"the row {self.twice} is named twice")

    def _read_without(self, without: object) -> None:
        """Read the placements without each of the rows."""
        if not isinstance(without, dict):
            raise Failed(f"without has a list of placements for every row, not {quote(without)}")
        if not self.rows:
            raise Failed("without has placements for the rows listed, and none is")
        named = rows_of(self.cover, without)
        for row, (name, placements) in zip(named, without.items(), strict=True):
            if row not in self.rows:
                raise Failed(f"without names {quote(name)}, which is not one of the rows listed")
            if not isinstance(placements, list):
                raise Failed(f"without has a list of placements for {quote(name)}")
            where = f"without {quote(name)}: "
            self.witnesses[row] = options_of(self.cover, placements, where=where)

    def check_infeasible(self) -> None:
        """Refuse rows that some placements satisfy together."""
        there, chosen = _feasible(self.cover, self.rows)
        if there is None:
            raise Failed("not decided: whether the rows exclude each other")
        if there:
            raise Failed(
                "these placements satisfy all rows listed: "
                f"{join_words([course_name(self.cover, one) for one in chosen])}",
                example_of(self.cover, chosen),
            )

    def check_irreducible(self) -> None:
        """Refuse a row without which the others still exclude each other."""
        if _feasible(self.cover, self.rows)[0] is not False:
            raise Failed("not checked, because the rows are not infeasible")
        for row in self.rows:
            there, _ = _feasible(self.cover, self._others(row))
            if there is None:
                raise Failed(f"not decided: whether {self.names[row]} can go")
            if not there:
                others = f"the other {len(self.rows) - 1} rows are still infeasible"
                raise Failed(f"{self.names[row]} can go: {others}")

    def check_witnesses(self) -> None:
        """Refuse placements that do not satisfy the rows without theirs."""
        for row in self.rows:
            if row not in self.witnesses:
                raise Failed(f"without has no placements for {self.names[row]}")
            _check_witness(self.cover, self._others(row), row, self.witnesses[row])

    def _others(self, row: int) -> list[int]:
        return [other for other in self.rows if other != row]


def grade_iis(path: Path, *, task: Instance = CONFLICT) -> tuple[Check, ...]:
    """Mark an irreducible infeasible subsystem of the rows of a puzzle, and its witnesses."""
    marker = _SubsystemMarker(ExactCover(task), path)
    parts = marker.parts
    return run_checks(
        [
            ("the file has rows of the model, and placements for them", 1, marker.read, False),
            (
                "no choice of placements satisfies all rows listed",
                3,
                parts.after(marker.check_infeasible, "rows"),
                False,
            ),
            (
                "without any one of them the others can be satisfied",
                3,
                parts.after(marker.check_irreducible, "rows"),
                False,
            ),
            (
                "the placements without each row satisfy all others",
                3,
                parts.after(marker.check_witnesses),
                False,
            ),
        ]
    )


def _feasible(cover: ExactCover, rows: Iterable[int]) -> tuple[bool | None, list[int]]:
    """Return whether some rows can be satisfied, None if not decided, and placements that do."""
    members = cover.options_of()
    chosen: list[tuple[str, Mapping[int, float], float, float]] = [
        (cover.items[row].name, dict.fromkeys(members[row], 1.0), 1.0, 1.0) for row in rows
    ]
    return exists(Model.from_rows(cover.option_names, chosen), Deadline(QUESTION_SECONDS))


def _check_witness(cover: ExactCover, others: list[int], row: int, chosen: list[int]) -> None:
    """Refuse placements that do not satisfy all rows but one."""
    names = row_names(cover)
    for other in others:
        by = [course_name(cover, one) for one in chosen if other in cover.items_of(one)]
        if len(by) != 1:
            how = join_words(by) if by else "no placement"
            raise Failed(
                f"without {names[row]}: the row {names[other]} is {len(by)}, not 1, by {how}",
                *([example_of(cover, chosen)] if chosen else []),
            )
