"""What a model of orbits is believed to have found: all its solutions, by the names of pieces."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from calmip import Model
from calmip.course import orbits
from calmip.course.checks import Failed
from calmip.puzzle.instance import Placement

NAMES = ("L_00_01", "I_10_11", "L_10_11", "helper")


def solved(names: tuple[str, ...], labelled: int = 9) -> Any:
    """Return what is found in a model in which the first or the second column is 1."""
    rows = [("one", {0: 1.0, 1: 1.0}, 1.0, 1.0), ("rest", {2: 1.0, 3: 1.0}, 1.0, 1.0)]
    puzzle: Any = SimpleNamespace(labelled=lambda: labelled)
    return orbits._solutions(puzzle, Model.from_rows(list(names), rows))


def test_solutions_are_those_of_the_placements_that_are_named() -> None:
    found, search = solved(NAMES)
    pieces = [[(one.piece, one.cells) for one in chosen] for chosen in found]
    left, right, below = ("L", ((0, 0), (0, 1))), ("I", ((1, 0), (1, 1))), ("L", ((1, 0), (1, 1)))
    expected = [[left, below], [left], [right, below], [right]]
    assert sorted(map(sorted, pieces)) == sorted(map(sorted, expected))
    assert search.complete


def test_a_model_that_names_no_placement_is_refused() -> None:
    with pytest.raises(Failed, match="no variable is named as a placement, such as L_00_01_02_10"):
        solved(("a", "b", "c", "d"))
    # Two placements in one name are none.
    with pytest.raises(Failed, match="no variable is named as a placement"):
        solved(("L_00_01 I_10_11", "b", "c", "d"))
    assert solved(("L_00_01", "b", "c", "d"))[0]


def test_more_solutions_than_twice_the_tilings_are_not_all_looked_for() -> None:
    for labelled, complete in ((0, False), (1, False), (2, True), (9, True)):
        assert solved(NAMES, labelled)[1].complete is complete


def marked(keep: str, monkeypatch: pytest.MonkeyPatch, nodes: int = 10**6) -> dict[str, str]:
    """Return the faults of a model whose solutions are some tilings of a puzzle, by the checks."""
    task = orbits.SYMMETRIC[0]
    puzzle = orbits._orbits(task)
    model = puzzle.model()
    tilings = [
        (frozenset(point), [puzzle.placements[n] for n in sorted(point)])
        for point in orbits.OneTree(model, relaxation=None)
    ]
    kept: list[Any] = []
    for columns, tiling in tilings:
        alike = any(puzzle.picture(tiling) == puzzle.picture(one) for one in kept)
        image = any(puzzle.orbit(tiling) == puzzle.orbit(one) for one in kept)
        second = [puzzle.orbit(one) for one in kept].count(puzzle.orbit(tiling)) == 1
        wanted = {
            "one of each orbit": not image,
            "all": True,
            "one": not kept,
            "two by equal pieces": not image or (alike and second),
            "an image": not image or (not alike and second),
            "none": False,
        }
        if wanted[keep]:
            kept.append(tiling)
        else:
            model = model.with_row(f"not{len(model.rows)}", sorted(columns), 0, len(columns) - 1)
    monkeypatch.setattr(orbits, "SYMMETRIC", (task,))
    monkeypatch.setattr(orbits, "models_of", lambda *_: {task.name: model})
    monkeypatch.setattr(orbits, "_nodes", lambda _: nodes)
    monkeypatch.setattr(orbits, "figure_checks", lambda *_: ())
    checks = orbits.grade_symmetry(Path("model.py"), task=task)
    return {one.what: one.fault for one in checks if one.fault}


LOST = "no orbit is lost"
ALIKE = "no two solutions differ by equal pieces alone"
IMAGES = "no two solutions are images of each other"
FEWER = "all trees together have fewer nodes than without your rows"


@pytest.mark.parametrize(
    ("keep", "wrong"),
    [
        ("one of each orbit", set()),
        ("one", {LOST, FEWER}),
        ("all", {LOST, FEWER, ALIKE, IMAGES}),
        ("two by equal pieces", {ALIKE}),
        ("an image", {IMAGES}),
    ],
)
def test_one_tiling_of_each_orbit_and_no_other_passes(
    keep: str, wrong: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    found = marked(keep, monkeypatch)
    assert found.keys() == wrong
    assert keep != "all" or "excludes no tiling" in found[LOST]
    assert keep != "one" or "neither this tiling nor an image" in found[LOST]


def test_a_model_without_solutions_has_no_marks_for_what_it_lost(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = marked("none", monkeypatch)
    assert found.keys() == {LOST, ALIKE, IMAGES, FEWER}
    assert "neither this tiling nor an image" in found[LOST]
    for what in (ALIKE, IMAGES):
        assert "not checked, because the model has no solution" in found[what]
    for check in (orbits._no_exchange, orbits._no_images):
        with pytest.raises(Failed, match="the model has no solution"):
            check(orbits._orbits(orbits.SYMMETRIC[0]), [])


def test_as_many_nodes_as_without_rows_are_not_fewer(monkeypatch: pytest.MonkeyPatch) -> None:
    text = marked("one of each orbit", monkeypatch, 0)[FEWER]
    number = int(text.split(" have ")[1].split()[0])
    assert number > 0
    assert marked("one of each orbit", monkeypatch, number).keys() == {FEWER}
    assert not marked("one of each orbit", monkeypatch, number + 1)


def test_solutions_that_were_not_all_found_are_not_decided(monkeypatch: pytest.MonkeyPatch) -> None:
    task = orbits.SYMMETRIC[0]
    puzzle = orbits._orbits(task)
    first = next(iter(orbits.OneTree(puzzle.model(), relaxation=None)))
    chosen = tuple(puzzle.placements[n] for n in sorted(first))
    search = SimpleNamespace(complete=False, statistics=SimpleNamespace(nodes=1))
    monkeypatch.setattr(orbits, "SYMMETRIC", (task,))
    monkeypatch.setattr(orbits, "models_of", lambda *_: {task.name: puzzle.model()})
    monkeypatch.setattr(orbits, "_solutions", lambda *_: ([chosen], search))
    checks = orbits.grade_symmetry(Path("model.py"), task=task)
    assert (checks[0].undecided, checks[1].fault[:11]) == (True, "not checked")
    assert "the solutions were not all found; there are 1 or more" in checks[0].fault


def test_a_solution_that_is_no_tiling_is_shown() -> None:
    puzzle = orbits._orbits(orbits.SYMMETRIC[0])
    first = next(iter(orbits.OneTree(puzzle.model(), relaxation=None)))
    chosen = tuple(puzzle.placements[n] for n in sorted(first))
    orbits._only_tilings(puzzle, [chosen])
    twice = (*chosen[:-1], chosen[0])
    for wrong in (chosen[1:], (*chosen, chosen[0]), twice):
        with pytest.raises(Failed, match=r"a solution is no tiling: cell .* is used [02] times"):
            orbits._only_tilings(puzzle, [chosen, wrong])
    with pytest.raises(Failed, match="is not one of the placements given"):
        orbits._only_tilings(puzzle, [(Placement("nobody", chosen[0].cells), *chosen[1:])])


def test_the_nodes_without_rows_are_those_of_the_tree_of_all_tilings() -> None:
    task = orbits.SYMMETRIC[0]
    puzzle = orbits._orbits(task)
    search = orbits.OneTree(puzzle.model(), relaxation=None)
    assert len(list(search)) == puzzle.labelled() > 1
    assert orbits._nodes(task) == search.statistics.nodes > 1
