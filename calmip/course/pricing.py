"""Exercise 11: column generation on larger boards: prices, bounds, and when one may stop.

The functions of the submission answer questions, give a MIP start, and generate columns with a
solver of the restricted master. Everything is marked in rational numbers. The prices of a master
are no one solver's, and neither is the number of its columns, so that not the way is marked but
the end: with the columns generated the master has the value of the full linear program.
"""

from __future__ import annotations

import math
import re
from array import array
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cache, cached_property, partial
from pathlib import Path
from typing import Any

from calmip._base.limits import Deadline
from calmip.course.checks import (
    LARGE,
    Check,
    Failed,
    Undecided,
    course_name,
    example_of,
    quote,
    run_checks,
)
from calmip.course.declared_numbers import Figures, figure_checks
from calmip.course.formulations import naming
from calmip.course.programs import read_handed
from calmip.course.sandbox import run_submission
from calmip.mip.lp.exact_lp import ExactLp
from calmip.mip.model import Model
from calmip.mip.status import Status
from calmip.puzzle.cover import ExactCover
from calmip.puzzle.instance import Instance

LP_SECONDS = 20.0
"""The time limit of each linear program."""

LOOP_CPU_SECONDS = 20.0
"""Processor seconds of the loop on one board; a correct one needs about one."""

MIN_PLACEMENTS_PER_COLUMN = 4
"""The least number of placements for each one that is generated; a correct loop has six."""

MAX_GAP = 1
"""The largest gap that a start may leave."""

NUMBER = re.compile(r"=-?\d{1,400}(/\d{1,400})?")

Prices = dict[str, Fraction]

STOPS = tuple(
    (best, Fraction(bound))
    for best, bound in (
        (17, "17"),
        (17, "35/2"),
        (17, "18"),
        (17, "53999999/3000000"),
        (17, "37/2"),
        (0, "1/3"),
        (0, "1"),
        (49, "5530/111"),
        (48, "5530/111"),
        (17, "20"),
    )
)
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
            (
                row,
                {n: 1.0 for n, name in enumerate(names) if row in self.uses[name]},
                -math.inf,
                1.0,
            )
            for row in self.rows
        ]
        costs = [-float(self.value[name]) for name in names]
        upper = array("d", [math.inf]) * len(names)
        model = Model.from_rows(names, rows, costs, column_upper=upper)
        answer = ExactLp(model, range(len(names))).solve(clock=Deadline(LP_SECONDS))
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
        """Prices: none, low and high ones, those of masters with some columns, and optimal ones."""
        found = [dict.fromkeys(self.rows, Fraction(price)) for price in (0, 2, 20)]
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

    def greedy(self) -> int:
        """Return the value of a packing that takes the most valuable placement that fits."""
        used: set[str] = set()
        total = 0
        for name in sorted(self.names, key=lambda name: -self.value[name]):
            if used.isdisjoint(self.uses[name]):
                used.update(self.uses[name])
                total += self.value[name]
        return total


_board = cache(_Board)


def data_of(instance: Instance) -> dict[str, Any]:
    """Return the placements and their values, as the student's functions get them."""
    return {"placements": _board(instance).uses, "value": _board(instance).value}


@cache
def figures_of(instance: Instance) -> Figures:
    """Return the optimum of the linear program, and the least packing that it proves optimal."""
    optimum = _board(instance).full[0]
    return {"optimum": optimum, "stop": Fraction(math.floor(optimum))}


def is_asked(instance: Instance) -> bool:
    """Return whether the optimum of a board is fractional, and a greedy start is good enough."""
    optimum = figures_of(instance)["optimum"]
    return optimum.denominator > 1 and _gap(_board(instance).greedy(), optimum) <= MAX_GAP


def _gap(best: int, bound: Fraction) -> Fraction:
    """Return the gap of an incumbent above 0, relative to it."""
    return (bound - best) / best


def _exact(given: Any) -> Any:
    """Return data with its fractions as text, as `calmip.course._child` reads them."""
    if isinstance(given, Mapping):
        return {key: _exact(value) for key, value in given.items()}
    return f"={given}" if isinstance(given, Fraction) else given


def _number(answer: object, what: str) -> Fraction:
    if not isinstance(answer, str) or not NUMBER.fullmatch(answer):
        raise Failed(f"{what} is a number, not {quote(answer)}")
    return Fraction(answer[1:])


FUNCTIONS = ("price", "bound", "may_stop", "start")


class _Pricing:
    """What the functions of a submission answer."""

    def __init__(self, path: Path, task: Instance, limits: Mapping[str, int] | None) -> None:
        self.path, self.limits = path, limits
        self.boards = (_board(task), *map(_board, LARGE[1:]))
        self.asked = [(board, prices) for board in self.boards for prices in board.questions]
        self.handed: dict[str, Any] = {}
        self.faults: dict[str, str] = {}

    def ask(self) -> None:
        """Run the four functions that answer questions."""
        asked = [[_exact(prices), board.uses, board.value] for board, prices in self.asked]
        stops = [[best, _exact(bound)] for best, bound in STOPS]
        starts = [[board.uses, board.value] for board in self.boards]
        task = {
            "job": "pricing",
            "price": asked,
            "bound": asked,
            "may_stop": stops,
            "start": starts,
        }
        with run_submission(self.path, task, ["pricing.json"], limits=self.limits) as folder:
            self.handed.update(read_handed(folder / "pricing.json", _answers))
        for name in FUNCTIONS:
            if isinstance(self.handed[name], str):
                self.faults[name] = f"{name} failed: {quote(self.handed[name])}"

    def loop(self) -> None:
        """Run the loop, apart: one without an end leaves the answers."""
        tasks = [[board.uses, board.value] for board in self.boards]
        task = {"job": "columns", "boards": tasks, "seconds": LOOP_CPU_SECONDS}
        with run_submission(self.path, task, ["columns.json"], limits=self.limits) as folder:
            self.handed.update(read_handed(folder / "columns.json", _columns))
        if self.handed["endless"]:
            raise Failed(
                "the loop does not end: it called solve more often than there are placements, or "
                f"took more than {LOOP_CPU_SECONDS:g} seconds. Stop when price returns None"
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
                    f"may_stop({best}, {bound}) should be {right}, and returned "
                    f"{quote(answer)}: all values are whole, so {text}"
                )

    def listed(
        self, name: str, key: str, look: Callable[[_Board, list[str]], None]
    ) -> Callable[[], None]:
        """Return a check that looks at the placements that a function lists for every board."""

        def run() -> None:
            listed = self.answers(name, len(self.boards), key)
            for board, columns in zip(self.boards, listed, strict=True):
                with naming(board.name):
                    look(board, _known(board, name, columns))

        return run


def grade_pricing(
    path: Path, *, task: Instance = LARGE[0], limits: Mapping[str, int] | None = None
) -> tuple[Check, ...]:
    """Mark a file with ``price``, ``bound``, ``may_stop``, ``start`` and ``generate``."""
    mine = _Pricing(path, task, limits)

    def start() -> None:
        mine.run()
        mine.listed("start", "start", _check_start)()

    def columns() -> None:
        for look in (_check_optimum, _check_few):
            mine.listed("generate", "columns", look)()

    checks = run_checks(
        [
            ("the functions run; start is a packing, its gap at most 100 %", 1, start, False),
            ("price gives the column with the largest reduced value", 1,
             mine.each("price", _check_price), False),
            ("bound is valid, and that of the reduced values", 1,
             mine.each("bound", _check_bound), False),
            ("may_stop is true where the incumbent is proved optimal", 1, mine.stops, False),
            (f"one of {MIN_PLACEMENTS_PER_COLUMN} placements at most is generated, and they have "
             "the optimum of all", 1, columns, False),
        ]
    )  # fmt: skip
    worth = {"optimum": 3, "stop": 2}
    return (
        *checks,
        *figure_checks(path, partial(figures_of, task), worth, partial(_slips_of, task)),
    )


def _slips_of(instance: Instance) -> dict[str, dict[Fraction, str]]:
    """Return what is found instead of a figure by those who answer another question."""
    right = figures_of(instance)
    return {
        "optimum": {right["stop"]: "a whole number: the optimum of the linear program is not"},
        "stop": {
            right["stop"] + 1: "the optimum rounded up: no packing has this value",
            right["optimum"]: "the optimum: values are whole",
        },
    }


def _answers(answer: Any) -> dict[str, Any]:
    return {
        name: answer[name] if isinstance(answer[name], str) else list(answer[name])
        for name in FUNCTIONS
    }


def _columns(answer: Any) -> dict[str, Any]:
    return {
        "columns": [list(listed) for listed in answer["columns"]],
        "endless": bool(answer["endless"]),
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
    if abs(bound - right) > slack:
        raise Failed(
            f"{where}; each piece adds its largest reduced value, if that is above 0, which gives "
            f"{_text(right)}"
        )


def _known(board: _Board, function: str, answer: object) -> list[str]:
    """Return the placements that a function lists, without duplicates."""
    if not isinstance(answer, list):
        raise Failed(f"{function} returned {quote(answer)}, which is not a list of placements")
    for name in answer:
        if not isinstance(name, str) or name not in board.uses:
            raise Failed(
                f"{function} returned {quote(name)}, which is not a placement of this board"
            )
    return list(dict.fromkeys(map(str, answer)))


def _check_start(board: _Board, chosen: list[str]) -> None:
    by: dict[str, str] = {}
    for name in chosen:
        for row in board.uses[name]:
            if row in by:
                raise Failed(
                    f"the start is no packing, and a solver ignores it: {by[row]} and {name} both "
                    f"use {row}",
                    example_of(board.cover, [board.option[by[row]], board.option[name]]),
                )
            by[row] = name
    value, optimum = sum(board.value[name] for name in chosen), board.full[0]
    if not value or _gap(value, optimum) > MAX_GAP:
        raise Failed(
            f"the start is worth {value} and the bound of the relaxation is {_text(optimum)}: the "
            f"gap is {f'{float(_gap(value, optimum)):.0%}' if value else 'infinite'}",
            *([example_of(board.cover, [board.option[one] for one in chosen])] if chosen else []),
        )


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
    if len(columns) * MIN_PLACEMENTS_PER_COLUMN > len(board.names):
        raise Failed(
            f"{len(columns)} of {len(board.names)} placements were generated; begin with few, and "
            "add the one that price returns"
        )


def _text(number: Fraction) -> str:
    return str(number) if number.denominator < 1000 else f"{float(number):.6g}"
