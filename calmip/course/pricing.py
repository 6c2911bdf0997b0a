"""Exercise 11: column generation on larger boards: prices, bounds, and when one may stop.

The functions of the submission answer questions, and generate columns with a solver of the
restricted master. Everything is marked in rational numbers. The prices of a master are no one
solver's, and neither is the number of its columns, so that not the way is marked but the end:
with the columns generated the master has the value of the full linear program.
"""

from __future__ import annotations

import math
import re
from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from calmip._limits import Deadline
from calmip.course.formulations import naming
from calmip.course.marks import (
    LARGE,
    Check,
    Failed,
    Undecided,
    course_name,
    example_of,
    quote,
    run_checks,
)
from calmip.course.programs import read_handed
from calmip.course.sandbox import run_submission
from calmip.problem.cover import ExactCover
from calmip.problem.instance import Instance
from calmip.problem.model import Model
from calmip.problem.status import Status
from calmip.search.exact_lp import ExactLp

__all__ = ["grade_pricing"]

SECONDS = 20.0
"""For each linear program."""

LOOP_SECONDS = 20.0
"""Processor seconds of the loop on one board; a correct one needs about one."""

SHARE = 4
"""One of so many placements may be generated; a correct loop needs one of six."""

NUMBER = re.compile(r"=-?\d{1,400}(/\d{1,400})?")

Prices = dict[str, Fraction]

STOPS = tuple(
    (best, Fraction(bound))
    for best, bound in (
        (17, "17"), (17, "35/2"), (17, "18"), (17, "53999999/3000000"), (17, "37/2"), (0, "1/3"),
        (0, "1"), (49, "5530/111"), (48, "5530/111"), (17, "20"),
    )
)  # fmt: skip
"""An incumbent and a bound: below, at and above the next whole number."""


class _Board:
    """A board whose placements are worth something, and its linear program of packing."""

    def __init__(self, instance: Instance) -> None:
        self.name = instance.name
        self.cover = cover = ExactCover(instance)
        options = range(cover.columns)
        self.names = [course_name(cover, option) for option in options]
        cells = [f"{row}{column}" for row, column in instance.to_cover]
        self.rows = cells + [piece.name for piece in instance.puzzle.pieces]
        pieces = {item.name: item.text.split()[1] for item in cover.items if item.kind == "piece"}
        self.uses = {
            name: [
                cells[row] if row < len(cells) else pieces[cover.items[row].name]
                for row in cover.items_of(option)
            ]
            for option, name in enumerate(self.names)
        }
        self.value = {name: 5 + (7 * n * n + 11 * n) % 13 for n, name in enumerate(self.names)}
        self.option = {name: n for n, name in enumerate(self.names)}

    def relaxation(self, names: Sequence[str]) -> tuple[Fraction, Prices]:
        """Return the exact optimum of the linear program over some columns, and its prices."""
        rows = [
            (row, {n: 1.0 for n, name in enumerate(names) if row in self.uses[name]}, -math.inf,
             1.0)
            for row in self.rows
        ]  # fmt: skip
        costs = [-float(self.value[name]) for name in names]
        upper = array("d", [math.inf]) * len(names)
        model = Model.from_rows(names, rows, costs, maximise=True, column_upper=upper)
        answer = ExactLp(model, range(len(names))).solve(clock=Deadline(SECONDS))
        if answer.status is not Status.OPTIMAL or answer.cost is None:
            raise Undecided("the linear program was not solved in time")
        prices = {row: -Fraction(answer.prices.get(n, 0)) for n, row in enumerate(self.rows)}
        return -Fraction(answer.cost), prices

    @cached_property
    def full(self) -> tuple[Fraction, Prices]:
        """The optimum of the full linear program, and optimal prices."""
        return self.relaxation(self.names)

    @cached_property
    def questions(self) -> list[Prices]:
        """Prices: none, equal ones, those of masters with some columns, and optimal ones."""
        found = [dict.fromkeys(self.rows, Fraction(0)), dict.fromkeys(self.rows, Fraction(2))]
        found += [self.relaxation(self.names[start::step])[1] for start, step in ((0, 9), (3, 40))]
        return [*found, self.full[1]]

    def reduced(self, name: str, prices: Prices) -> Fraction:
        """Return the value of a placement less the prices of what it uses."""
        return self.value[name] - sum((prices[row] for row in self.uses[name]), Fraction(0))

    def lagrangian(self, prices: Prices) -> Fraction:
        """Return the bound of some prices: each piece is used once at most."""
        best: dict[str, Fraction] = {}
        for name in self.names:
            piece = name.partition("_")[0]
            best[piece] = max(best.get(piece, Fraction(0)), self.reduced(name, prices))
        return sum(prices.values(), Fraction(0)) + sum(best.values(), Fraction(0))


@cache
def _boards() -> tuple[_Board, ...]:
    return tuple(map(_Board, LARGE))


def _exact(given: Any) -> Any:
    """Return data with its fractions as text, as `calmip.course._child` reads them."""
    if isinstance(given, Mapping):
        return {key: _exact(value) for key, value in given.items()}
    return f"={given}" if isinstance(given, Fraction) else given


def _number(answer: object, what: str) -> Fraction:
    if not isinstance(answer, str) or not NUMBER.fullmatch(answer):
        raise Failed(f"{what} is a number, not {quote(answer)}")
    return Fraction(answer[1:])


FUNCTIONS = ("price", "bound", "may_stop")


class _Pricing:
    """What the functions of a submission answer."""

    def __init__(self, path: Path, limits: Mapping[str, int] | None) -> None:
        self.path, self.limits = path, limits
        self.boards = _boards()
        self.asked = [(board, prices) for board in self.boards for prices in board.questions]
        self.handed: dict[str, Any] = {}
        self.faults: dict[str, str] = {}

    def ask(self) -> None:
        """Run the three functions that answer questions."""
        asked = [[_exact(prices), board.uses, board.value] for board, prices in self.asked]
        stops = [[best, _exact(bound)] for best, bound in STOPS]
        task = {"job": "pricing", "price": asked, "bound": asked, "may_stop": stops}
        with run_submission(self.path, task, ["pricing.json"], limits=self.limits) as folder:
            self.handed.update(read_handed(folder / "pricing.json", _answers))
        for name in FUNCTIONS:
            if isinstance(self.handed[name], str):
                self.faults[name] = f"{name} failed: {quote(self.handed[name])}"

    def loop(self) -> None:
        """Run the loop, apart: one without an end leaves the answers."""
        tasks = [[board.uses, board.value] for board in self.boards]
        task = {"job": "columns", "boards": tasks, "seconds": LOOP_SECONDS}
        with run_submission(self.path, task, ["columns.json"], limits=self.limits) as folder:
            self.handed.update(read_handed(folder / "columns.json", _columns))
        if self.handed["endless"]:
            raise Failed(
                "the loop does not end: it called solve more often than there are placements, or "
                f"took more than {LOOP_SECONDS:g} seconds. Stop when price returns None"
            )

    def run(self) -> None:
        """Run all functions."""
        try:
            self.ask()
        except Failed as failed:
            self.faults.update(dict.fromkeys((*FUNCTIONS, "generate"), str(failed)))
            raise
        try:
            self.loop()
        except Failed as failed:
            self.faults["generate"] = f"generate: {failed}"
        if self.faults:
            raise Failed(next(iter(self.faults.values())))

    def answers(self, name: str, wanted: int, key: str = "") -> list[Any]:
        """Return what a function has answered, if it runs and there is one for every question."""
        if name in self.faults:
            raise Failed(f"not checked, because {name} does not run")
        found: list[Any] = self.handed[key or name]
        if len(found) != wanted:
            raise Failed("there is not one answer for every question")
        return found

    def each(self, name: str, look: Callable[[_Board, Prices, Any], None]) -> Callable[[], None]:
        """Return a check that looks at every answer about prices."""

        def run() -> None:
            answers = self.answers(name, len(self.asked))
            for (board, prices), answer in zip(self.asked, answers, strict=True):
                with naming(board.name):
                    look(board, prices, answer)

        return run

    def stops(self) -> None:
        """Refuse an incumbent that is called optimal and need not be, or the other way."""
        answers = self.answers("may_stop", len(STOPS))
        for (best, bound), answer in zip(STOPS, answers, strict=True):
            right = best >= math.floor(bound)
            if answer is not right:
                text = "no packing is worth more" if right else "a better packing is not excluded"
                raise Failed(
                    f"may_stop({best}, {bound}) is {right}, not {quote(answer)}: all values are "
                    f"whole, so {text}"
                )

    def generated(self, look: Callable[[_Board, list[str]], None]) -> Callable[[], None]:
        """Return a check that looks at the columns of every board."""

        def run() -> None:
            listed = self.answers("generate", len(self.boards), "columns")
            for board, columns in zip(self.boards, listed, strict=True):
                with naming(board.name):
                    look(board, _known(board, columns))

        return run


def grade_pricing(path: Path, *, limits: Mapping[str, int] | None = None) -> tuple[Check, ...]:
    """Mark a file with the functions ``price``, ``bound``, ``may_stop`` and ``generate``."""
    mine = _Pricing(path, limits)
    return run_checks(
        [
            ("the four functions run", 1, mine.run, False),
            ("price gives the column with the largest reduced value", 2,
             mine.each("price", _check_price), False),
            ("bound is valid, and that of the reduced values", 2,
             mine.each("bound", _check_bound), False),
            ("may_stop is true where the incumbent is proved optimal", 1, mine.stops, False),
            ("the columns generated have the optimum of all", 3, mine.generated(_check_optimum),
             False),
            (f"they are at most one of {SHARE} placements", 1, mine.generated(_check_few), False),
        ]
    )  # fmt: skip


def _answers(found: Any) -> dict[str, Any]:
    return {
        name: found[name] if isinstance(found[name], str) else list(found[name])
        for name in FUNCTIONS
    }


def _columns(found: Any) -> dict[str, Any]:
    return {
        "columns": [list(listed) for listed in found["columns"]],
        "endless": bool(found["endless"]),
    }


def _check_price(board: _Board, prices: Prices, answer: object) -> None:
    best = max(board.names, key=lambda name: board.reduced(name, prices))
    most = board.reduced(best, prices)
    if answer is None and most <= 0:
        return
    if not isinstance(answer, str) or answer not in board.uses:
        if answer is not None:
            shown = quote(str(answer).removeprefix("="))
            raise Failed(f"price returned {shown}, which is not a placement or None")
        raise Failed(
            f"price returned None, and {best} has the reduced value {most}",
            example_of(board.cover, [board.option[best]]),
        )
    own = board.reduced(answer, prices)
    if most <= 0:
        raise Failed(
            f"price returned {answer}, whose reduced value is {own}; none is above 0, so the "
            "answer is None",
            example_of(board.cover, [board.option[answer]]),
        )
    if own < most:
        raise Failed(
            f"price returned {answer}, whose reduced value is {own}; {best} has {most}",
            example_of(board.cover, [board.option[best]]),
        )


def _check_bound(board: _Board, prices: Prices, answer: object) -> None:
    bound, optimum, right = _number(answer, "a bound"), board.full[0], board.lagrangian(prices)
    total = sum(prices.values(), Fraction(0))
    where = f"for prices with the sum {_text(total)} the bound is {_text(bound)}"
    slack = Fraction(1, 10**6)  # floats are allowed here
    if bound < optimum - slack:
        raise Failed(f"{where}, and the linear program has the optimum {_text(optimum)}")
    if bound > right + slack:
        raise Failed(
            f"{where}; each piece adds its largest reduced value, if that is above 0, which gives "
            f"{_text(right)}"
        )


def _known(board: _Board, columns: Iterable[object]) -> list[str]:
    """Return the columns that a loop returned, without duplicates."""
    for name in columns:
        if not isinstance(name, str) or name not in board.uses:
            raise Failed(f"generate returned {quote(name)}, which is not a placement of this board")
    return list(dict.fromkeys(map(str, columns)))


def _check_optimum(board: _Board, columns: list[str]) -> None:
    optimum = board.full[0]
    value, prices = board.relaxation(columns) if columns else (Fraction(0), None)
    if value != optimum:
        prices = prices or dict.fromkeys(board.rows, Fraction(0))
        best = max(board.names, key=lambda name: board.reduced(name, prices))
        raise Failed(
            f"with the {len(columns)} columns generated the optimum is {_text(value)}; {best} has "
            f"the reduced value {board.reduced(best, prices)} and is not among them",
            example_of(board.cover, [board.option[best]]),
        )


def _check_few(board: _Board, columns: list[str]) -> None:
    _check_optimum(board, columns)
    if len(columns) * SHARE > len(board.names):
        raise Failed(
            f"{len(columns)} of {len(board.names)} placements were generated; begin with few, and "
            "add the one that price returns"
        )


def _text(number: Fraction) -> str:
    return str(number) if number.denominator < 1000 else f"{float(number):.6g}"
