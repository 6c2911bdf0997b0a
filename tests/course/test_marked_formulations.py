"""Exercise 8: each check looks at every packing, and names the one in which it fails."""

from __future__ import annotations

import math
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from calmip import Model
from calmip.course import formulations
from calmip.course.checks import CONFLICT, NO_TILING, SIX, Failed, Undecided
from calmip.course.formulations import _best, _packing, _Strength, models_of


def test_a_check_of_every_packing_looks_at_each_in_order() -> None:
    strength: Any = object.__new__(_Strength)
    strength.packings = {"six": 6, "conflict": 7, "task": 8}
    strength.compared = strength.packings
    seen: list[tuple[str, int]] = []
    strength.every(lambda name, packing: seen.append((name, packing)))()
    assert seen == [("six", 6), ("conflict", 7), ("task", 8)]

    def fails(name: str, packing: int) -> None:
        if packing == 7:
            raise Failed("a fault")

    with pytest.raises(Failed, match=r"conflict.*a fault"):
        strength.every(fails)()


def marked(kind: str, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """Return the faults of a formulation, by the checks."""
    packing = _packing(CONFLICT)
    size = len(packing.names)
    cliques = packing.model(list(packing.cliques()))
    two = next((a, b) for a in range(size) for b in packing.conflicts[a])
    free = next((a, b) for a in range(size) for b in range(a) if b not in packing.conflicts[a])
    rows = {
        "edges": packing.edges(),
        "big-M": packing.big_m(),
        "smallest M": packing.big_m(packing.packed),
    }
    model = packing.model(list(rows.get(kind, packing.cliques())))
    if kind == "a cut of the objective":
        terms = dict(enumerate(map(float, packing.values)))
        best = float(packing.packed(range(size), packing.values))
        model = packing.model([*packing.big_m(), ("cut", terms, -math.inf, best)])
        assert _best(model)[0] == best < _best(cliques)[0]
    if kind == "too few":
        keep = [row for row in packing.edges() if set(row[1]) != set(two)]
        model = packing.model(keep)
    if kind == "too many":
        model = cliques.with_row("more", free, -math.inf, 1)
    if kind == "nothing":
        model = cliques.with_row("more", range(size), 1, math.inf)
    if kind == "another value":
        model = Model.from_rows(
            packing.names, list(packing.cliques()), [-1.0] * size, maximise=True
        )
    for other in ("SIX", "TILED"):
        monkeypatch.setattr(formulations, other, CONFLICT)
    monkeypatch.setattr(formulations, "models_of", lambda *_: {CONFLICT.name: model})
    monkeypatch.setattr(formulations, "figure_checks", lambda *_: ())
    checks = formulations.grade_strength(Path("model.py"), task=CONFLICT)
    return {one.what: one.fault for one in checks if one.fault}


SAME = "build(data) returns a model whose solutions are the packings"
BIG, TIGHT = (
    "the bound is below that of the big-M rows",
    "the relaxation satisfies every clique",
)


@pytest.mark.parametrize(
    ("kind", "wrong"),
    [
        ("cliques", set()),
        ("edges", {TIGHT}),
        ("big-M", {BIG, TIGHT}),
        ("smallest M", {TIGHT}),
        ("a cut of the objective", {TIGHT}),
        ("too few", {SAME, BIG, TIGHT}),
        ("too many", {SAME, BIG, TIGHT}),
        ("nothing", {SAME, BIG, TIGHT}),
        ("another value", {"it maximises the value"}),
    ],
)
def test_a_formulation_has_all_packings_and_the_bound_of_cliques(
    kind: str, wrong: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    found = marked(kind, monkeypatch)
    assert found.keys() == wrong
    if SAME not in wrong and TIGHT in wrong:
        assert "add up to" in found[TIGHT]
    elif BIG in wrong:
        assert found[BIG].endswith("the solutions are not the packings")
    if kind == "nothing":
        assert found[SAME].endswith("the one without placements")


def test_a_relaxation_has_a_bound_only_if_it_is_solved(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [("r", {0: 2.0}, -math.inf, 1.0)]
    model = Model.from_rows(["x"], rows, [-3.0], maximise=True)
    assert _best(model) == (1.5, {0: 0.5})
    with pytest.raises(Failed, match="the relaxation is infeasible"):
        _best(model.with_row("no", [0], 1, 1))
    monkeypatch.setattr(formulations, "COMPARISON_SECONDS", 1e-9)
    with pytest.raises(Undecided, match="was not solved in time"):
        _best(model)


def test_a_program_gives_a_model_for_each_data_set(monkeypatch: pytest.MonkeyPatch) -> None:
    model = Model.from_rows(["x"], [("r", {0: 1.0}, 0.0, 1.0)])
    built: list[Any] = [model, model]
    monkeypatch.setattr(formulations, "build_models", lambda *_: (None, built))
    assert models_of(Path("model.py"), {"a": {}, "b": {}}, None) == {"a": model, "b": model}
    built[1] = "build(data) returned None"
    with pytest.raises(Failed, match=r"b: build\(data\) returned None"):
        models_of(Path("model.py"), {"a": {}, "b": {}}, None)


@pytest.mark.parametrize("instance", [SIX, CONFLICT, NO_TILING], ids=lambda one: one.name)
def test_the_smallest_m_is_that_of_all_sets_of_conflicts(instance: Any) -> None:
    packing = _packing(instance)
    apart = [set(range(len(packing.names))) - set(others) for others in packing.conflicts]
    for others in packing.conflicts:
        most = max(
            number
            for number in range(4)
            for chosen in combinations(others, number)
            if all(b in apart[a] for a, b in combinations(chosen, 2))
        )
        assert packing.packed(others) == most
    worth = max(
        sum(packing.values[one] for one in chosen)
        for number in range(4)
        for chosen in combinations(range(len(packing.names)), number)
        if all(b in apart[a] for a, b in combinations(chosen, 2))
    )
    assert packing.packed(range(len(packing.names)), packing.values) == worth


def test_without_a_model_nothing_is_said_of_it() -> None:
    strength: Any = object.__new__(_Strength)
    strength.packings, strength.compared = {"six": 6}, {}
    with pytest.raises(Failed, match="not checked, because there is no model"):
        strength.every(lambda *_: None)()
