"""Each guard of exercise 11 refuses the wrong answer next to the right one, and no right one."""

from __future__ import annotations

from contextlib import nullcontext
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from calmip.course import pricing
from calmip.course.checks import CASES, Failed, Undecided
from calmip.course.pricing import (
    FUNCTIONS,
    MAX_GAP,
    MIN_PLACEMENTS_PER_COLUMN,
    STOPS,
    _Board,
    _Pricing,
)
from calmip.mip.lp.exact_lp import LinearAnswer
from calmip.mip.status import Status


@pytest.fixture(scope="module")
def board() -> _Board:
    return _Board(CASES[3])


def fault(function: Any, *given: Any) -> str:
    """Return why an answer is refused; empty if it is not."""
    try:
        function(*given)
    except Failed as failed:
        return str(failed)
    return ""


def test_the_price_is_the_largest_reduced_value_or_none(board: _Board) -> None:
    check = pricing._check_price
    for prices in board.questions:
        ranked = sorted(board.names, key=lambda name: board.reduced(name, prices))
        least = board.reduced(ranked[0], prices)
        most = board.reduced(ranked[-1], prices)
        best = [name for name in ranked if board.reduced(name, prices) == most]
        if most <= 0:
            assert fault(check, board, prices, None) == ""
            for name in (best[0], ranked[0]):
                assert "the answer is None" in fault(check, board, prices, name)
            continue
        for name in best:
            assert fault(check, board, prices, name) == ""
        assert "price returned None, and" in fault(check, board, prices, None)
        second = next(name for name in reversed(ranked) if name not in best)
        for name in (second, ranked[0]):
            assert least < most
            assert "whose reduced value is" in fault(check, board, prices, name)
        for wrong in ("X_00", "=7", True, 7, [best[0]]):
            assert "is not a placement or None" in fault(check, board, prices, wrong)
    assert any(max(board.reduced(n, p) for n in board.names) == 0 for p in board.questions)


@pytest.mark.parametrize("value", [Fraction(0), Fraction(1, 10**9), Fraction(-1, 10**9)])
def test_a_reduced_value_of_0_is_none_to_price(
    value: Fraction, board: _Board, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(board, "reduced", lambda name, prices: value, raising=False)
    none, some = (fault(pricing._check_price, board, {}, one) for one in (None, board.names[0]))
    assert bool(none) is (value > 0)
    assert bool(some) is (value <= 0)


def test_a_bound_is_that_of_the_reduced_values_up_to_rounding(board: _Board) -> None:
    slack = Fraction(1, 10**6)
    for prices in board.questions:
        right, optimum = board.lagrangian(prices), board.full[0]
        assert right >= optimum
        for answer, words in (
            (right, ""),
            (right + slack, ""),
            (right - slack, ""),
            (right + 2 * slack, "each piece adds"),
            *([] if right == optimum else [(right - 2 * slack, "each piece adds")]),
            (optimum - 2 * slack, "the linear program has the optimum"),
        ):
            assert words in fault(pricing._check_bound, board, prices, f"={answer}")
            assert bool(words) is bool(fault(pricing._check_bound, board, prices, f"={answer}"))
    for wrong in (None, "7", True, 7.0, "=", "=1/", "=1e9", f"={'9' * 401}"):
        assert "a bound is a number" in fault(pricing._check_bound, board, prices, wrong)


def test_a_start_is_a_packing_that_is_worth_half_the_bound(
    board: _Board, monkeypatch: pytest.MonkeyPatch
) -> None:
    check = pricing._check_start
    first = board.names[0]
    other = next(n for n in board.names[1:] if set(board.uses[n]) & set(board.uses[first]))
    apart = next(n for n in board.names if not set(board.uses[n]) & set(board.uses[first]))
    assert "a solver ignores it" in fault(check, board, [first, other])
    assert "the gap is infinite" in fault(check, board, [])
    value = board.value[first] + board.value[apart]
    for optimum, refused in (
        (value, False),
        ((1 + MAX_GAP) * value, False),
        ((1 + MAX_GAP) * value + Fraction(1, 10**6), True),
        (9 * value, True),
    ):
        monkeypatch.setattr(board, "full", (Fraction(optimum), {}), raising=False)
        assert bool(fault(check, board, [first, apart])) is refused


def test_the_columns_have_the_optimum_of_all_and_are_few(
    board: _Board, monkeypatch: pytest.MonkeyPatch
) -> None:
    optimum, few = pricing._check_optimum, pricing._check_few
    assert fault(optimum, board, board.names) == ""
    assert "is not among them" in fault(optimum, board, [])
    assert "is not among them" in fault(optimum, board, board.names[:2])
    assert "is not among them" in fault(few, board, board.names[:2])
    assert "were generated" in fault(few, board, board.names)
    monkeypatch.setattr(board, "relaxation", lambda names: board.full, raising=False)
    number = len(board.names) // MIN_PLACEMENTS_PER_COLUMN
    assert fault(few, board, board.names[:number]) == ""
    assert "were generated" in fault(few, board, board.names[: number + 1])
    near = board.full[0] - Fraction(1, 10**9), board.full[1]
    monkeypatch.setattr(board, "relaxation", lambda names: near, raising=False)
    assert "is not among them" in fault(optimum, board, board.names[:number])


def test_what_is_listed_are_placements(board: _Board) -> None:
    first, second = board.names[:2]
    assert pricing._known(board, "start", [first, second, first]) == [first, second]
    for wrong in (first, {first: 1}, None):
        assert "not a list" in fault(pricing._known, board, "start", wrong)
    for wrong in ([first, 7], [first.lower()]):
        words = "not a placement"
        assert words in fault(pricing._known, board, "start", wrong)


def test_the_bound_of_prices_is_counted_piece_by_piece(board: _Board) -> None:
    assert board.lagrangian(board.full[1]) == board.full[0]  # duality
    for prices in board.questions:
        expected = sum(prices.values())
        for piece in {name[0] for name in board.names}:
            own = [
                board.value[n] - sum(prices[row] for row in board.uses[n])
                for n in board.names
                if n[0] == piece
            ]
            expected += max(0, *own)
        assert board.lagrangian(prices) == expected


FIGURES = 'FIGURES = {{"optimum": "{optimum}", "stop": "{stop}"}}\n'

WRONG = ("price", "bound", "may_stop", "start", "columns", "FIGURES")

CHECKS = (
    "the functions run; start is a packing",
    "price gives",
    "bound is valid",
    "may_stop is true",
    "one of 1 placements at most is generated",
    "the figure 'optimum'",
    "the figure 'stop'",
)


@pytest.mark.parametrize(
    "wrong", [None, "price", "bound", "may_stop", "start", "columns", "FIGURES"]
)
def test_one_wrong_answer_fails_its_own_checks_and_no_other(
    wrong: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    task, other = CASES[3], CASES[0]
    monkeypatch.setattr(pricing, "LARGE", (CASES[1], other))
    monkeypatch.setattr(pricing, "MIN_PLACEMENTS_PER_COLUMN", 1)  # these boards are small
    boards = [pricing._board(task), pricing._board(other)]
    path = tmp_path / "mine.py"
    figures = {name: f"{value}" for name, value in pricing.figures_of(task).items()}
    path.write_text(FIGURES.format(**figures | ({"stop": "1"} if wrong == "FIGURES" else {})))
    questions = [(one, prices) for one in boards for prices in one.questions]

    def price(one: _Board, prices: dict[str, Fraction]) -> str | None:
        best = max(one.names, key=lambda name: one.reduced(name, prices))
        return best if one.reduced(best, prices) > 0 else None

    def start(one: _Board) -> list[str]:
        used: set[str] = set()
        found = []
        for name in sorted(one.names, key=lambda name: -one.value[name]):
            if used.isdisjoint(one.uses[name]):
                used.update(one.uses[name])
                found.append(name)
        return found

    handed: dict[str, Any] = {
        "price": [price(*question) for question in questions],
        "bound": [f"={one.lagrangian(prices)}" for one, prices in questions],
        "may_stop": [best >= bound.__floor__() for best, bound in STOPS],
        "start": [start(one) for one in boards],
        "columns": [one.names for one in boards],
    }
    if wrong in handed:  # the last answer alone
        handed[wrong] = [
            *handed[wrong][:-1],
            {"may_stop": None, "start": [], "columns": []}.get(wrong, "=0"),
        ]
    asked = iter((handed, {"columns": handed["columns"], "endless": False}))
    monkeypatch.setattr(pricing, "run_submission", lambda *_, **__: nullcontext(tmp_path))
    monkeypatch.setattr(pricing, "read_handed", lambda *_: next(asked))
    checks = pricing.grade_pricing(path, task=task)
    failed = [check.what for check in checks if not check.passed]
    number = {
        None: [],
        "price": [1],
        "bound": [2],
        "may_stop": [3],
        "start": [0],
        "columns": [4],
        "FIGURES": [6],
    }[wrong]
    assert failed == [checks[one].what for one in number]
    assert all(check.what.startswith(words) for check, words in zip(checks, CHECKS, strict=True))
    assert [check.worth for check in checks] == [1, 1, 1, 1, 1, 3, 2]
    assert sum(check.marks for check in checks) == 10 - sum(checks[one].worth for one in number)


def asked(board: _Board, **handed: Any) -> _Pricing:
    """Return the answers of a program, as if it had given them."""
    mine = object.__new__(_Pricing)
    mine.boards = (board,)
    mine.asked = [(board, prices) for prices in board.questions]
    mine.faults = {}
    mine.handed = handed
    return mine


def test_may_stop_is_right_for_every_question(board: _Board) -> None:
    right = [best >= bound.__floor__() for best, bound in STOPS]
    assert fault(asked(board, may_stop=right).stops) == ""
    for number, answer in enumerate(right):
        for wrong in (not answer, int(answer), str(answer), None):
            given = [*right[:number], wrong, *right[number + 1 :]]
            words = "no packing is worth more" if answer else "a better packing is not excluded"
            assert words in fault(asked(board, may_stop=given).stops)
    for given in (right[:-1], [*right, True], []):
        assert "one answer for every question" in fault(asked(board, may_stop=given).stops)


def test_every_answer_is_looked_at(board: _Board) -> None:
    looked: list[Any] = []
    answers = list(range(len(board.questions)))
    mine = asked(board, price=answers, start=[["x"]], columns=[[board.names[0]]])
    mine.each("price", lambda *given: looked.append(given))()
    assert looked == [(board, p, a) for p, a in zip(board.questions, answers, strict=True)]
    assert "not a placement of this board" in fault(mine.listed("start", "start", looked.append))
    looked.clear()
    mine.listed("generate", "columns", lambda *given: looked.append(given))()
    assert looked == [(board, [board.names[0]])]
    mine.faults["price"] = "price failed"
    assert "price does not run" in fault(mine.each("price", lambda *_: None))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_that_fails_is_named(
    name: str, board: _Board, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    mine = asked(board)
    mine.path, mine.limits = tmp_path, None
    given = {one: [] for one in FUNCTIONS} | {name: "TypeError: x"}
    handed = iter((given, {"columns": [], "endless": False}))
    monkeypatch.setattr(pricing, "run_submission", lambda *_, **__: nullcontext(tmp_path))
    monkeypatch.setattr(pricing, "read_handed", lambda *_: next(handed))
    assert f"{name} failed" in fault(mine.run)


@pytest.mark.parametrize("endless", [True, False])
def test_a_loop_without_an_end_is_no_answer(endless: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """The other functions keep their answers, and the loop has a fault of its own."""
    handed = {name: [] for name in FUNCTIONS} | {"generate": [], "endless": endless}
    monkeypatch.setattr(pricing, "run_submission", lambda *_, **__: nullcontext(Path()))
    monkeypatch.setattr(pricing, "read_handed", lambda *_: handed)
    asked: Any = object.__new__(_Pricing)
    asked.path, asked.limits, asked.boards, asked.asked = Path(), None, [], []
    asked.handed, asked.faults = {}, {}
    assert ("the loop does not end" in fault(asked.run)) is endless
    assert asked.faults.keys() == ({"generate"} if endless else set())
    assert ("not checked" in fault(asked.answers, "generate", 0)) is endless
    assert fault(asked.answers, "price", 0) == ""


@pytest.mark.parametrize(
    ("status", "cost"),
    [(Status.UNKNOWN, None), (Status.OPTIMAL, None), (Status.INFEASIBLE, Fraction(1))],
)
def test_a_program_that_was_not_solved_is_undecided(
    status: Status, cost: Fraction | None, board: _Board, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pricing.ExactLp, "solve", lambda *_, **__: LinearAnswer(status, cost=cost))
    with pytest.raises(Undecided, match="the linear program was not solved in time"):
        board.relaxation(board.names[:2])
