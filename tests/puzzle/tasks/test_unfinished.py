"""Where the clock runs out: a second search that was not finished proves nothing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

import calmip
from calmip import solvers
from calmip.mip.model import Model
from calmip.mip.status import Status
from calmip.puzzle.search.exact_cover.search import Search
from calmip.puzzle.search.exact_cover.witnesses import exists, number_of
from calmip.solvers import Outcome

TINY = "instances/tiny.yaml"


class Unfinished:
    """A search that finds nothing, and is stopped before it can say that there is nothing."""

    complete = False
    stopped = "time"

    def __init__(self, *_: object, **__: object) -> None: ...

    def __iter__(self) -> Iterator[list[int]]:
        return iter(())


class Endless(Search):
    """A search that finds what there is, and is stopped before it can say that this is all."""

    complete = property(lambda _: False, lambda *_: None)  # type: ignore[assignment]


class Inventing(Search):
    """A search that hands out the first option as a solution."""

    def __iter__(self) -> Iterator[list[int]]:
        yield [0]
        yield from super().__iter__()


class Denying:
    """A solver that calls everything infeasible."""

    name = "denying"

    def solve(self, *_: object) -> Outcome:
        return Outcome(Status.INFEASIBLE, detail="Infeasible")


def two_corners_cut_off() -> calmip.Instance:
    """Return a board of 12 x 12 cells without two of one colour, to be covered by dominoes.

    Linear programming sees at once that there is no tiling; a search that does not
    count would take ages.
    """
    row = "*" * 12
    grid = [f".{row[1:]}", *[row] * 10, f"{row[1:]}."]
    board = calmip.Board.from_text([" ".join(line) for line in grid])
    domino = calmip.Piece.from_rows("I2", ["##"])
    pieces = tuple(replace(domino, name=f"I2.{number}") for number in range(71))
    return calmip.Instance(calmip.Puzzle("Two corners cut off", board, pieces))


def test_a_witness_is_not_believed_either(monkeypatch: pytest.MonkeyPatch) -> None:
    cover = calmip.ExactCover(calmip.read_instance(TINY))
    right = number_of(cover, 100)
    assert right
    monkeypatch.setattr("calmip.puzzle.search.exact_cover.search.Search", Inventing)
    with pytest.raises(calmip.NotATiling):
        exists(cover)
    with pytest.raises(calmip.NotATiling):
        number_of(cover, 100)
    assert number_of(cover, 100, against="exact-cover") == right


@pytest.mark.long
def test_a_solver_s_word_alone_is_no_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    # The depth-first search would take all of its time.
    monkeypatch.setattr("calmip.puzzle.search.exact_cover.search.Search", Unfinished)
    monkeypatch.setattr("calmip.mip.one_tree.OneTree", Unfinished)
    for formulation in ("matrix", "packing"):
        found = calmip.solve(two_corners_cut_off(), time_limit=60, formulation=formulation)
        assert (found.status, found.complete, found.tiling) == (Status.UNKNOWN, False, None)
        if formulation == "matrix":
            assert found.detail == "highs says 'Infeasible', but the check took too long"


@pytest.mark.parametrize("witness", [Unfinished, Endless])
@pytest.mark.parametrize("method", ["one-tree", "no-good"])
def test_a_pool_is_not_complete_before_the_witness_has_counted(
    method: str, witness: type, monkeypatch: pytest.MonkeyPatch
) -> None:
    instance = calmip.read_instance(TINY)
    assert calmip.enumerate(instance, method=method).complete
    monkeypatch.setattr("calmip.puzzle.search.exact_cover.search.Search", witness)
    if method == "no-good":  # one-tree is the other witness
        assert calmip.enumerate(instance, method=method).complete
        monkeypatch.setattr("calmip.mip.one_tree.OneTree", Unfinished)
    pool = calmip.enumerate(instance, method=method)
    assert (len(pool), pool.complete, pool.stopped) == (2, False, "time")
    assert "there may be more" in str(pool)


def test_nothing_found_in_time_is_not_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("calmip.puzzle.tasks.enumeration.Search", Unfinished)
    pool = calmip.enumerate(calmip.read_instance(TINY))
    assert (pool.status, pool.complete, pool.stopped) == (Status.UNKNOWN, False, "time")


def test_a_model_without_a_second_opinion_is_open(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(solvers.SOLVERS, "denying", (lambda _: Denying(), ""))
    cover = calmip.ExactCover(calmip.read_instance(TINY))
    model = Model.from_cover(cover)
    model = model.with_row("never", [0], 2, np.inf)
    assert calmip.solve(model, solver="denying").status is Status.INFEASIBLE
    monkeypatch.setattr("calmip.mip.one_tree.OneTree", Unfinished)
    found = calmip.solve(model, solver="denying")
    assert (found.status, found.objective) == (Status.UNKNOWN, None)
    assert found.detail == "denying says 'Infeasible', but the check took too long"


def test_a_hint_without_an_end_knows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    instance = calmip.read_instance(
        "a-puzzle-a-day", reveal="Feb,29", placed="U:Apr+Jun+Oct+Nov+Dec"
    )
    assert calmip.hint(instance).status is Status.INFEASIBLE
    monkeypatch.setattr("calmip.puzzle.search.exact_cover.search.Search", Unfinished)
    found = calmip.hint(instance)
    assert (found.status, found.solvable, found.tilings) == (Status.UNKNOWN, None, None)
    assert (found.complete, found.hopeless) == (False, False)
    assert found.blocking == found.take_off == ()
    assert "the time limit was reached before an answer" in str(found)


def test_what_to_take_off_is_not_guessed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The position is proved dead; whether the empty board is, too, is not known in time."""
    from calmip.puzzle.search.exact_cover import search

    finished = search.Search

    def first_only(*given: object, **settings: object) -> object:
        monkeypatch.setattr("calmip.puzzle.search.exact_cover.search.Search", Unfinished)
        monkeypatch.setattr("calmip.mip.one_tree.OneTree", Unfinished)
        return finished(*given, **settings)  # type: ignore[arg-type]

    monkeypatch.setattr("calmip.puzzle.search.exact_cover.search.Search", first_only)
    found = calmip.hint(
        calmip.read_instance("a-puzzle-a-day", reveal="Feb,29", placed="U:Apr+Jun+Oct+Nov+Dec")
    )
    assert (found.status, found.hopeless, found.complete) == (Status.INFEASIBLE, False, False)
    assert str(found).endswith("the time limit was reached before it was known what to take off")


def test_an_explanation_needs_the_proof_that_there_is_no_tiling(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("calmip.puzzle.search.cover_conflict.Search", Unfinished)
    found = calmip.explain(two_corners_cut_off(), time_limit=60)
    assert (found.status, found.conflict) == (Status.UNKNOWN, None)
