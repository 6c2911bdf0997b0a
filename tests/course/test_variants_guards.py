"""What is drawn for a student is a task that the exercise can ask: every drawing, every verdict."""

from __future__ import annotations

import contextlib
import itertools
from collections import Counter
from types import SimpleNamespace
from typing import Any

import pytest

from calmip._base.errors import InputError
from calmip.course import variants
from calmip.course.variants import DRAWN, MAX_ROSTERS
from calmip.mip.status import Status
from calmip.puzzle.instance import Instance


def boards(exercise: str, count: int = 12) -> list[Instance]:
    """Return what some numbers draw for an exercise; what fits nowhere is drawn again."""
    found: list[Instance] = []
    for number in range(9 * count):
        with contextlib.suppress(InputError):
            found.append(DRAWN[exercise].make(7919 * number)[0])
    assert len(found) >= count
    return found[:count]


@pytest.mark.parametrize("exercise", ["1", "7", "8", "9", "10", "11"])
def test_the_pieces_of_a_drawn_board_have_as_many_cells_as_it(exercise: str) -> None:
    for instance in boards(exercise):
        shapes = [piece.cells for piece in instance.puzzle.pieces]
        assert sum(map(len, shapes)) == len(instance.to_cover)
        rows, columns = instance.puzzle.board.shape
        assert set(instance.to_cover) <= set(itertools.product(range(rows), range(columns)))
        if exercise != "9":
            assert len(set(shapes)) == len(shapes)


def test_a_symmetric_board_has_equal_pieces_and_half_a_turn_unless_none_is_left() -> None:
    turned = 0
    for instance in boards("9", 15):
        equal = Counter(piece.cells for piece in instance.puzzle.pieces)
        assert max(equal.values()) >= 2
        rows, columns = instance.puzzle.board.shape
        cells = set(instance.to_cover)
        turned += cells == {(rows - 1 - row, columns - 1 - column) for row, column in cells}
    assert turned > 7


@pytest.mark.parametrize("there", [True, False, None])
@pytest.mark.parametrize("status", [Status.INFEASIBLE, Status.OPTIMAL, Status.UNKNOWN])
def test_a_board_that_is_not_decided_is_never_asked(
    there: bool | None, status: Status, monkeypatch: pytest.MonkeyPatch
) -> None:
    board = boards("1", 1)[0]
    monkeypatch.setattr(variants, "exists", lambda _: (there, None))
    monkeypatch.setattr(variants, "relaxation_of", lambda _: SimpleNamespace(status=status))
    for asked in (True, False):
        monkeypatch.setattr(variants.orbits, "is_asked", lambda *_, asked=asked: asked)
        assert DRAWN["9"].fits(board) is (there is True and asked)
    assert DRAWN["1"].fits(board) is DRAWN["6"].fits(board) is (there is True)
    assert DRAWN["7"].fits(board) is (status is Status.INFEASIBLE)
    assert DRAWN["10"].fits(board) is (status is Status.OPTIMAL and there is False)
    assert DRAWN["8"].fits(board) is True


def test_a_roster_has_some_solutions_and_not_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    for number in (0, 9, 10, MAX_ROSTERS, MAX_ROSTERS + 1):
        given: list[Any] = []

        def figures(*args: Any, given: list[Any] = given, number: int = number) -> dict[str, int]:
            given.append(args)
            return {"rosters": number}

        monkeypatch.setattr(variants.rosters, "figures_of", figures)
        assert variants._has_rosters({}) is (10 <= number <= MAX_ROSTERS)
        assert given == [({}, MAX_ROSTERS)]


def test_the_figures_of_the_page_are_found_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are those of the largest roster, and asked for each student's."""
    found: list[Any] = []

    def figures(task: Any) -> dict[str, Any]:
        found.append(task)
        return {"rosters": task, "least": 7}

    draw = variants._drawn_program(
        lambda _: (0, ""), lambda _: True, dict, figures, "it", public=-1
    )
    assert [draw.fits(task) for task in (1, -1, 2)] == [False] * 3  # the least is public
    assert found.count(-1) == 2


@pytest.mark.parametrize("exercise", ["8", "9", "11"])
def test_tasks_are_alike_if_their_figures_are(exercise: str) -> None:
    """Whatever order they come in: two students would have the same right answer."""
    told = [{"a": 1, "b": 2}, {"b": 2, "a": 1}, {"a": 1, "b": 3}, {"a": 1}]
    alike = [variants._figures(lambda one: one)(one) for one in told]
    assert alike[0] == alike[1]
    assert len({*alike}) == 3
    draw = DRAWN[exercise]
    if draw.figures is not None:
        drawn = boards(exercise, 2)
        assert [draw.likeness(one) for one in drawn] == [
            tuple(sorted(draw.figures(one).items())) for one in drawn
        ]
