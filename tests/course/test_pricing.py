"""Exercise 11: column generation in many forms, and faults with a counter-example."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from calmip.course import pricing
from calmip.course.checks import LARGE, Check, Undecided
from calmip.course.exercises import SOLUTIONS, checks_of
from calmip.course.pricing import STOPS, _Board

REFERENCE = (SOLUTIONS / "11-columns").read_text()

Changes = tuple[tuple[str, str], ...]


def program(changes: Changes) -> str:
    text = REFERENCE
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    return text


def mark(text: str, folder: Path) -> tuple[Check, ...]:
    path = folder / "mine.py"
    path.write_text(text)
    return checks_of("11", path)


def marks(checks: tuple[Check, ...]) -> int:
    assert sum(check.worth for check in checks) == 10
    return sum(check.marks for check in checks)


def faults(checks: tuple[Check, ...]) -> list[str]:
    return [check.fault for check in checks if not check.passed]


PRICE = """    best = max(placements, key=lambda name: reduced(name, prices, placements, value))
    return best if reduced(best, prices, placements, value) > 0 else None
"""
REDUCED = "value[name] - sum(prices[row] for row in placements[name])"
BEST = "best[piece] = max(best.get(piece, 0), reduced(name, prices, placements, value))"
BOUND = "return sum(prices.values()) + sum(best.values())"
STOP = "return best >= math.floor(bound)"
KEPT = "        if used.isdisjoint(placements[name]):"
COLUMNS = "    columns = []\n    while"
APPEND = "        columns.append(entering)\n"
PIECE = 'piece = name.split("_")[0]'
SORTED = """    found = sorted((reduced(n, prices, placements, value), n) for n in placements)
    return found[-1][1] if found[-1][0] > 0 else None
"""
LOOPED = """    most, best = 0, None
    for name in placements:
        own = reduced(name, prices, placements, value)
        if own > most:
            most, best = own, name
    return best
"""
SEVERAL = """        for piece in {n.split("_")[0] for n in placements}:
            mine = {n: placements[n] for n in placements if n.split("_")[0] == piece}
            found = price(prices, mine, value)
            columns += [found] if found else []
"""
START = """    columns = []
    for piece in {n.split("_")[0] for n in placements}:
        columns.append(min(n for n in placements if n.split("_")[0] == piece))
    while"""

RIGHT: dict[str, Changes] = {
    "sorted": ((PRICE, SORTED),),
    "a loop": ((PRICE, LOOPED),),
    "the last of equal ones": (("max(placements,", "max(list(placements)[::-1],"),),
    "floating point in the bound": (
        (BOUND, "return float(sum(prices.values())) + float(sum(best.values()))"),
    ),
    "several at once": ((APPEND, SEVERAL),),
    "one of each piece at first": ((COLUMNS, START),),
    "twice": ((APPEND, APPEND + APPEND),),
    "the piece is the last row": ((PIECE, "piece = placements[name][-1]"),),
    "the ceiling": (
        (
            STOP,
            "return math.ceil(bound) == bound and best >= bound or best >= bound - 1"
            " + (bound == math.floor(bound))",
        ),
    ),
    "the gap": ((STOP, "return best + 1 > bound"),),
    "no comparison with 0 in the bound": (
        (
            BEST,
            "best[piece] = max(best.get(piece, 0), 0, reduced(name, prices, placements, value))",
        ),
    ),
    "a tuple": (("return columns", "return tuple(columns)"),),
    "the optimum ends it": (
        (
            "        _, prices = solve(columns)\n",
            "        optimum, prices = solve(columns)\n"
            "        if optimum >= bound(prices, placements, value):\n"
            "            return columns\n",
        ),
    ),
}

WRONG: dict[str, tuple[Changes, int, str]] = {
    "the value alone": (((REDUCED, "value[name]"),), 6, "whose reduced value is"),
    "the prices are added": (((REDUCED, REDUCED.replace(" - ", " + ")),), 6, "reduced value"),
    "the first price alone": (
        ((REDUCED, "value[name] - prices[placements[name][0]]"),), 6, "reduced value"),
    "the piece is free": (((REDUCED, REDUCED.replace("placements[name])", "placements[name][:-1])"
                                                     )),), 6, "reduced value"),
    "the cells are free": (((REDUCED, REDUCED.replace("placements[name])",
                                                      "placements[name][-1:])")),), 6, "reduced"),
    "the smallest": ((("best = max(placements", "best = min(placements"),), 8, "whose reduced"),
    "never None": ((("> 0 else None", "> -99 else None"),), 7, "the answer is None"),
    "None at 5": ((("> 0 else None", "> 5 else None"),), 8, "price returned None, and"),
    "always None": (((PRICE, "    return None\n"),), 8, "price returned None, and"),
    "the first that improves": (
        ((PRICE, "    return next((n for n in placements if reduced(n, prices, placements, value) "
          "> 0), None)\n"),), 9, "whose reduced value is"),
    "its number": ((("return best if", "return 7 if"),), 7, "which is not a placement"),
    "a pair": ((("return best if", "return (best, 1) if"),), 7, "solve has no placement"),
    "prices alone": (((BOUND, "return sum(prices.values())"),), 9, "has the optimum"),
    "the best column alone": (((BOUND, BOUND.replace("sum(best", "max(best")),), 9, "the optimum"),
    "all values": (((BOUND, "return sum(value.values())"),), 9, "each piece adds"),
    "below 0 as well": (
        (("best.get(piece, 0)", "best.get(piece, -999)"),), 9, "if that is above 0"),
    "no prices": (((BOUND, "return sum(best.values())"),), 9, "has the optimum"),
    "twice the prices": (((BOUND, BOUND.replace("return", "return sum(prices.values()) +")),), 9,
                         "each piece adds"),
    "one more": (((BOUND, BOUND + " + 1"),), 9, "each piece adds"),
    "a piece is a name": (((PIECE, "piece = name"),), 9, "each piece adds"),
    "no bound": (((BOUND, "return None"),), 9, "a bound is a number"),
    "infinite": (((BOUND, 'return float("inf")'),), 8, "neither a number"),
    "equal": (((STOP, "return best == bound"),), 9, "should be True, and returned 'False'"),
    "a gap of 1": (((STOP, "return bound - best <= 1"),), 9, "a better packing is not excluded"),
    "rounded": (((STOP, "return best >= round(bound)"),), 9, "may_stop("),
    "one per cent": (((STOP, "return bound - best <= 0.01 * bound"),), 9, "may_stop("),
    "never": (((STOP, "return False"),), 9, "no packing is worth more"),
    "always": (((STOP, "return True"),), 9, "a better packing is not excluded"),
    "a number": (((STOP, "return int(best >= math.floor(bound))"),), 9, "may_stop("),
    "all placements": ((("            return columns", "            return list(placements)"),), 9,
                       "placements were generated; begin with few"),
    "the last column is lost": (
        (("            return columns", "            return columns[:-1]"),), 9,
        "and is not among them"),
    "ten rounds": ((("    while True:", "    for _ in range(10):"),
                    (APPEND, APPEND + "    return columns\n")), 9, "is not among them"),
    "old prices": ((("    columns = []\n    while True:\n        _, prices = solve(columns)\n",
                     "    columns = []\n    _, prices = solve(columns)\n    while True:\n"),), 8,
                   "does not end"),
    "only the last column": (((APPEND, "        columns = [entering]\n"),), 8, "does not end"),
    "a name of its own": (((APPEND, "        columns.append(entering.lower())\n"),), 8,
                          "solve has no placement"),
    "nothing": ((("            return columns", "            return None"),), 8, "TypeError"),
    "no function": ((("def price", "def prices_of"),), 7, "no function price"),
    "an error": (((STOP, "return best[0]"),), 8, "may_stop failed"),
    "two that overlap": (((KEPT, "        if len(chosen) < 2:"),), 9, "a solver ignores it"),
    "no start": (((KEPT, "        if False:"),), 9, "the gap is infinite"),
    "one placement": (((KEPT, "        if not used:"),), 9, "the gap is "),
    "a start of pieces": (
        (("            chosen.append(name)", "            chosen.append(name[0])"),), 9,
        "which is not a placement of this board"),
    "a start that is a number": ((("    return chosen\n", "    return 7\n"),), 9,
                                 "which is not a list of placements"),
    "the bound as the stop": ((('"stop": 70', '"stop": 71'),), 8, "'stop' is not 71"),
}  # fmt: skip

SOON = ("sorted", "prices alone")


def each(programs: dict[str, object]) -> list[object]:
    return [
        pytest.param(name, marks=pytest.mark.long if name in SOON else pytest.mark.slow)
        for name in programs
    ]


def test_the_lists_are_long() -> None:
    assert len(RIGHT) >= 12
    assert len(WRONG) >= 25


@pytest.mark.parametrize("name", each(RIGHT))  # type: ignore[arg-type]
def test_every_right_program_has_full_marks(name: str, tmp_path: Path) -> None:
    checks = mark(program(RIGHT[name]), tmp_path)
    assert (marks(checks), faults(checks)) == (10, [])


@pytest.mark.parametrize("name", each(WRONG))  # type: ignore[arg-type]
def test_a_wrong_program_is_refused_with_a_counter_example(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pricing, "LOOP_CPU_SECONDS", 2.0)
    changes, earned, words = WRONG[name]
    checks = mark(program(changes), tmp_path)
    assert marks(checks) == earned, faults(checks)
    assert any(words in fault for fault in faults(checks)), faults(checks)


@pytest.fixture(scope="module")
def board() -> _Board:
    return _Board(LARGE[0])


def test_the_bounds_hold_and_the_optimal_prices_give_the_optimum(board: _Board) -> None:
    optimum, prices = board.full
    assert optimum.denominator > 1  # else nothing is left for may_stop
    assert min(prices.values()) >= 0
    assert board.lagrangian(prices) == optimum == sum(prices.values())
    assert max(board.reduced(name, prices) for name in board.names) == 0
    assert all(board.lagrangian(question) >= optimum for question in board.questions)


def test_the_questions_about_stopping_have_both_answers_close_to_each_other() -> None:
    answers = {best >= bound.__floor__() for best, bound in STOPS}
    assert answers == {True, False}
    gaps = [bound - best for best, bound in STOPS]
    assert Fraction(1) in gaps
    assert any(Fraction(9, 10) < gap < 1 for gap in gaps)


def test_what_is_not_solved_in_time_is_undecided(
    board: _Board, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pricing, "LP_SECONDS", 1e-9)
    with pytest.raises(Undecided, match="not solved in time"):
        board.relaxation(board.names)
