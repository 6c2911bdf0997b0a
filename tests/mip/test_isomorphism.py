"""Columns of two models paired by names and by structure."""

from __future__ import annotations

import math
import random
from array import array

import pytest

from calmip._base.errors import InputError
from calmip._base.limits import Deadline
from calmip.mip.compare.column_pairing import (
    MAX_TRIALS,
    _Match,
    _Structure,
    match_columns,
    pair_columns,
)
from calmip.mip.model import Model


def grid(size: int, *, extra: float = 1.0) -> Model:
    """An assignment problem with a few more rows: many symmetries, some broken."""
    columns = [f"x{i}_{j}" for i in range(size) for j in range(size)]
    rows = [(f"r{i}", {i * size + j: 1.0 for j in range(size)}, 1.0, 1.0) for i in range(size)]
    rows += [(f"c{j}", {i * size + j: 1.0 for i in range(size)}, 1.0, 1.0) for j in range(size)]
    rows.append(("cut", {0: 2.0, 1: extra, size: -3.0}, -math.inf, 2.5))
    rows.append(("empty", {}, -1.0, 1.0))
    cost = [float(1 + (3 * c) % 4) for c in range(size * size)]
    return Model.from_rows(columns, rows, cost)


def disguised(model: Model, seed: int) -> tuple[Model, list[int]]:
    """The model with other names, its rows and columns permuted, scaled and turned around."""
    chance = random.Random(seed)
    order = list(range(len(model.columns)))
    chance.shuffle(order)
    place = {column: new for new, column in enumerate(order)}
    rows = []
    for number in range(len(model.rows)):
        terms, low, high = model.exact_row(number)
        factor = chance.choice([1, 2, -1, -3])
        ends = sorted((float(low) * factor, float(high) * factor))
        own = [(place[c], float(value) * factor) for c, value in terms.items()]
        chance.shuffle(own)
        rows.append((f"n{number}", dict(own), *ends))
    chance.shuffle(rows)
    cost = [2 * model.values("cost")[column] for column in order]
    return Model.from_rows([f"v{c}" for c in range(len(order))], rows, cost), order


@pytest.mark.parametrize("seed", range(4))
def test_a_disguised_model_is_recognised(seed: int) -> None:
    model = grid(4)
    other, _ = disguised(model, seed)
    found = match_columns(model, other)
    assert found is not None
    assert sorted(found) == sorted(found.values()) == list(range(16))
    # Renamed back, it has the same rows up to a factor: no matter which of the symmetric ones.
    names = {other.columns[theirs]: model.columns[ours] for theirs, ours in found.items()}
    pairing = pair_columns(model, other, names)
    assert dict(pairing.columns) == dict(sorted(found.items()))
    assert pairing.how == {"mapped": 16}


def test_an_altered_model_is_refused() -> None:
    other, _ = disguised(grid(4, extra=1.25), 0)
    assert match_columns(grid(4), other) is None
    with pytest.raises(InputError, match="no renaming of the columns"):
        pair_columns(grid(4), other, match=True)
    integer = grid(4).changed(integer=array("b", [0] + [1] * 15))
    assert match_columns(grid(4), integer) is None


@pytest.mark.parametrize("place", ["coefficient", "side"])
def test_two_instead_of_one_is_refused_without_a_trial(place: str) -> None:
    """Rows with a least side are turned around: -1 and -2, which Python gives one hash."""

    def ring(factor: float) -> _Structure:
        rows = [(f"r{n}", {n: 1.0, (n + 1) % 9: 1.0}, 1.0, math.inf) for n in range(9) if n != 3]
        one, side = (factor, 1.0) if place == "coefficient" else (1.0, factor)
        rows.append(("r3", {3: one, 4: 1.0}, side, math.inf))
        return _Structure(Model.from_rows([f"x{c}" for c in range(9)], rows))

    same, different = (
        _Match(ring(1.0), ring(factor), Deadline(None), MAX_TRIALS) for factor in (1.0, 2.0)
    )
    assert same.find({}) is not None
    assert different.find({}) is None
    assert different.trials == 0


def test_given_pairs_are_kept() -> None:
    model = grid(3)
    other, order = disguised(model, 1)
    theirs = order.index(8)
    assert (match_columns(model, other, {theirs: 8}) or {})[theirs] == 8
    assert match_columns(model, other, {theirs: 0}) is None


def cycles(*sizes: int) -> Model:
    edges: list[tuple[int, int]] = []
    first = 0
    for size in sizes:
        edges += [(first + i, first + (i + 1) % size) for i in range(size)]
        first += size
    rows = [(f"e{a}_{b}", {a: 1.0, b: 1.0}, -math.inf, 1.0) for a, b in edges]
    return Model.from_rows([f"x{c}" for c in range(first)], rows)


def test_two_components_that_refinement_cannot_tell_apart() -> None:
    """A hexagon and two triangles have the same colours, and no renaming."""

    assert match_columns(cycles(6), cycles(3, 3)) is None
    found = match_columns(cycles(3, 4), cycles(4, 3))
    assert found is not None
    assert {found[c] for c in range(4)} == {3, 4, 5, 6}


def test_the_search_ends_at_its_limit_and_claims_nothing() -> None:
    with pytest.raises(TimeoutError, match="not matched within"):
        match_columns(cycles(6), cycles(6), clock=Deadline(1e-9))
    with pytest.raises(InputError, match=r"not matched within .* --names"):
        pair_columns(cycles(6), cycles(6), match=True, clock=Deadline(1e-9))


def named(*names: str) -> Model:
    return Model.from_rows(names, [("r", dict.fromkeys(range(len(names)), 1.0), 1.0, 1.0)])


def test_names_that_differ_in_punctuation() -> None:
    pairing = pair_columns(named("x[1,2]", "x[2,1]", "y"), named("y", "x(1_2)", "x_2_1"))
    assert pairing.columns == {0: 2, 1: 0, 2: 1}
    assert pairing.how == {"equal": 1, "spelling": 2}


def test_names_by_a_pattern() -> None:
    one, other = named("x[1,2]", "x[2,1]", "y"), named("flow1to2", "flow2to1", "open")
    pairing = pair_columns(one, other, {"flow*to*": "x[*,*]", "open": "y"})
    assert pairing.columns == {0: 0, 1: 1, 2: 2}


@pytest.mark.parametrize(
    ("names", "message"),
    [
        ({"q": "y"}, "has no column 'q'"),
        ({"y": "q"}, "has no column 'q'"),
        ({"a*": "b*"}, "no column of the model .* is like"),
        ({"x*": "y"}, "as many"),
        ({"x": "y", "y": "y"}, "both paired with"),
    ],
)
def test_wrong_names_are_refused(names: dict[str, str], message: str) -> None:
    with pytest.raises(InputError, match=message):
        pair_columns(named("x", "y"), named("x", "y"), names)


def test_models_without_a_common_name() -> None:
    with pytest.raises(InputError, match=r"share no name .* --match"):
        pair_columns(named("a"), named("b"))


def test_interchangeable_columns_take_few_steps() -> None:
    """Three hundred equal flows of each of three arcs, and their own bounds, are one guess."""
    columns = [f"f{arc}_{n}" for arc in range(3) for n in range(300)]
    rows = [
        (f"arc{arc}", {arc * 300 + n: 1.0 for n in range(300)}, -math.inf, 10.0 + arc)
        for arc in range(3)
    ]
    rows += [(f"own{c}", {c: 2.0}, 0.0, 5.0) for c in range(900)]
    model = Model.from_rows(columns, rows, [1.0] * 900)
    other, _ = disguised(model, 5)
    match = _Match(_Structure(model), _Structure(other), Deadline(None), MAX_TRIALS)
    found = match.find({})
    assert found is not None
    assert sorted(found.values()) == list(range(900))
    assert match.trials == 1


def test_equal_columns_in_rows_with_others_take_few_steps() -> None:
    """Four equal columns of each of forty items, in one row with all others, are one guess."""
    rows = [("all", dict.fromkeys(range(160), 2.0), 3.0, 77.0)]
    rows += [
        (
            f"item{n}",
            {c: float(2 + c // 4 - n) for c in range(4 * n, min(4 * n + 8, 160))},
            1.0,
            9.0,
        )
        for n in range(40)
    ]
    model = Model.from_rows([f"x{c}" for c in range(160)], rows)
    other, _ = disguised(model, 6)
    match = _Match(_Structure(model), _Structure(other), Deadline(None), MAX_TRIALS)
    found = match.find({})
    assert found is not None
    assert sorted(found.values()) == list(range(160))
    assert match.trials == 1


def test_a_wrong_guess_is_taken_back() -> None:
    """Columns of one class in rows of their own are a cycle: most bijections are wrong."""
    model, other = cycles(7, 5), cycles(5, 7)
    match = _Match(_Structure(model), _Structure(other), Deadline(None), MAX_TRIALS)
    assert match.find({}) is not None
    assert match.wrong >= 1
    assert match_columns(cycles(6, 6), cycles(5, 7)) is None
