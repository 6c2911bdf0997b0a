"""What is ticked of a model is true: all points of small models are tried."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from calmip.course.checks import CASES, Failed, course_name, find_option
from calmip.course.programs import (
    _Answer,
    _check_rows,
    _has_every_tiling,
    _has_nothing_else,
    _has_the_placements,
)
from calmip.mip.model import Model
from calmip.puzzle.cover import ExactCover, Placement
from calmip.puzzle.search.exact_cover.search import Search

COVER = ExactCover(CASES[0])
TILINGS = {tuple(options) for options in Search(COVER)}
RIGHT = replace(
    Model.from_cover(COVER),
    columns=tuple(course_name(COVER, option) for option in range(COVER.columns)),
)
BOUNDS = {"=": (1, 1), "<": (0, 1), ">": (1, 9), "2": (2, 2), "0": (0, 0)}
FURTHER = ("helper", "free", "L_00_01_02_11", "x[I_00_01]")
"""Two helpers, a placement that there is not, and a second variable of one that there is."""


@st.composite
def models(draw: st.DrawFn) -> Model:
    """The right model with rows left out or altered, variables left out, and others put in."""
    model = RIGHT
    usual = draw(st.sampled_from("==<"))
    bounds = [draw(st.sampled_from(9 * usual + "<>20")) for _ in model.rows]
    left_out = draw(st.lists(st.sampled_from(range(len(model.rows))), unique=True))
    model = replace(
        model,
        lower=np.array([BOUNDS[b][0] for b in bounds], dtype=float),
        upper=np.array([BOUNDS[b][1] for b in bounds], dtype=float),
    )
    for row in left_out:
        model.lower[row], model.upper[row] = -np.inf, np.inf
    for name in draw(st.lists(st.sampled_from(FURTHER), unique=True, max_size=2)):
        number = len(model.columns)
        model = replace(
            model,
            columns=(*model.columns, name),
            cost=np.append(model.cost, 0.0),
            column_lower=(),
            column_upper=(),
            integer=(),
        )
        others = draw(st.lists(st.sampled_from(range(number)), unique=True, max_size=3))
        low = draw(st.sampled_from([0, 1]))
        model = model.with_row("further", [*others, number], low, draw(st.integers(low, 2)))
    return model


def points(model: Model) -> list[tuple[int, ...]]:
    """Return the columns that are one, for all solutions of a model."""
    size = len(model.columns)
    every = np.array(list(itertools.product((0, 1), repeat=size)), dtype=np.int8)
    matrix = np.zeros((len(model.rows), size))
    owner = np.repeat(np.arange(len(model.rows)), np.diff(model.start))
    matrix[owner, model.index] = model.value
    sums = every @ matrix.T
    good = ((sums >= model.lower) & (sums <= model.upper)).all(axis=1)
    return [tuple(np.flatnonzero(point).tolist()) for point in every[good]]


def holds(look: Callable[[_Answer], object], model: Model) -> bool:
    try:
        look(_Answer(COVER, model))
    except Failed:
        return False
    return True


@pytest.mark.long
@given(models())
@example(replace(RIGHT, lower=np.zeros(len(RIGHT.rows))))  # no cell or piece more than once
def test_ticks_are_true_of_all_points(model: Model) -> None:
    intended = {n: find_option(COVER, name) for n, name in enumerate(model.columns)}
    solutions = points(model)
    as_options = {
        tuple(sorted(intended[n] for n in point if isinstance(intended[n], int)))
        if not any(isinstance(intended[n], Placement) for n in point)
        else ("wrong",)
        for point in solutions
    }
    assert holds(_has_nothing_else, model) == (bool(solutions) and as_options <= TILINGS)
    assert holds(_check_rows, model) == (as_options <= TILINGS)
    first = {n for n, name in enumerate(model.columns) if name in RIGHT.columns}
    helpers = {n for n, one in intended.items() if one is None}
    reached = {
        point_of
        for point in solutions
        if set(point) <= first | helpers
        for point_of in [tuple(sorted(set(point) & first))]
    }
    forbids = len(solutions) < 2 ** len(model.columns)
    assert holds(_has_every_tiling, model) == (forbids and reached >= TILINGS)
    assert holds(_has_the_placements, model) == (len(first) + len(helpers) == len(intended))


@pytest.mark.parametrize("missing", range(COVER.columns))
def test_a_model_of_all_placements_but_one_lacks_the_tilings_that_have_it(missing: int) -> None:
    kept = [n for n in range(COVER.columns) if n != missing]
    rows = [
        (item.name, {kept.index(n): 1.0 for n in kept if row in COVER.items_of(n)}, 1, 1)
        for row, item in enumerate(COVER.items)
    ]
    model = Model.from_rows([RIGHT.columns[n] for n in kept], rows)
    assert not holds(_has_the_placements, model)
    assert holds(_has_nothing_else, model)
    assert holds(_has_every_tiling, model) == all(missing not in tiling for tiling in TILINGS)
