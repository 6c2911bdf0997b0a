"""The questions with folded answers on the pages of the exercises, and the numbers in them."""

from __future__ import annotations

import re
import runpy
from fractions import Fraction
from typing import Any

import pytest
from marked_answers import PAGES

from calmip import Model, read_instance
from calmip.course import orbits
from calmip.course.checks import CASES, CONFLICT, SYMMETRIC, plain
from calmip.course.exercises import EXERCISES, SOLUTIONS, page_of
from calmip.mip.files.objects import read_object
from calmip.mip.one_tree import OneTree
from calmip.puzzle.cover import ExactCover

FOLD = re.compile(r"<details><summary>Do you remember\?</summary>\n\n(.*?)\n\n</details>", re.S)

NUMBERED = [exercise for exercise in EXERCISES if exercise.isdigit()]


def remembered(exercise: str) -> list[str]:
    """Return the questions of a page with their answers."""
    (fold,) = FOLD.findall((PAGES / page_of(exercise) / "index.md").read_text("utf-8"))
    return [" ".join(one.split()) for one in re.split(r"^\* ", fold, flags=re.MULTILINE)[1:]]


@pytest.mark.parametrize("exercise", NUMBERED)
def test_each_question_has_an_answer(exercise: str) -> None:
    found = remembered(exercise)
    assert 2 <= len(found) <= 4
    for one in found:
        question, mark, answer = one.rpartition("? ")
        assert mark
        assert question
        assert answer.endswith((".", ")"))


def says(exercise: str, *words: str) -> None:
    """Assert that the folded answers of an exercise have words."""
    text = "\n".join(remembered(exercise))
    for one in words:
        assert one in text, one


def built(function: str, puzzle: dict[str, Any]) -> Model:
    """Return the model that a function of the solution of exercise 2 builds."""
    model = read_object(runpy.run_path(str(SOLUTIONS / "2-pulp"))[function](puzzle))
    assert model is not None
    return model


@pytest.mark.long
def test_the_sizes_of_models_are_right() -> None:
    says("1", f"{len(ExactCover(CASES[0]).items)}: one for each of six cells and two pieces")
    page = (PAGES / "2-pulp" / "index.md").read_text("utf-8")
    example: dict[str, Any] = {}
    exec(page.split("```python\n")[1].split("```")[0], example)
    model = built("build", example["puzzle"])
    says("2", f"{len(model.columns)} and {len(model.rows)}.")
    assert not list(OneTree(model))
    leap_day = ExactCover(read_instance("feb29"))
    sizes = [len(leap_day.option(option).cells) for option in range(leap_day.columns)]
    assert set(sizes) == {5, 6}
    pieces = len(leap_day.instance.puzzle.pieces)
    nonzeros = sum(map(len, map(leap_day.items_of, range(leap_day.columns))))
    says(
        "6",
        f"{len(leap_day.items)} rows",
        f"{nonzeros:,} nonzeros",
        f"{len(leap_day.items) - pieces} cells and {pieces} pieces",
        f"{sizes.count(5)} placements of five cells and {sizes.count(6)} of six",
    )
    says("10", f"{len(ExactCover(CONFLICT).items)}, one for each row of ten cells and three pieces")
    says("12", f"{4 * 7 * 3}, and {4 * 7}: one for each person and day")


@pytest.mark.long
def test_both_languages_write_the_same_matrix() -> None:
    one, other = (built(name, plain(CASES[3])) for name in ("build", "build_in_pyomo"))
    names = [f"x[{name}]" for name in one.columns]
    assert sorted(names) == sorted(other.columns)

    def rows(model: Model, names: list[str]) -> set[frozenset[str]]:
        terms = [model.exact_row(row).terms for row in range(len(model.rows))]
        assert all(value == 1 for row in terms for value in row.values())
        return {frozenset(names[column] for column in row) for row in terms}

    assert rows(one, names) == rows(other, list(other.columns))


def test_the_orbits_and_the_gap_are_right() -> None:
    found = orbits.figures_of(SYMMETRIC[0])
    symmetries = 1 + len(orbits.data_of(SYMMETRIC[0])["symmetries"])
    assert (symmetries, found["orbits"]) == (4, 2)
    says("9", f"{found['solutions']} tilings with names", "Two: four symmetries times two orders")
    assert found["solutions"] == found["orbits"] * symmetries * 2
    gap = Fraction(45 - 40, 40)
    says("11", "An incumbent of 40 and a bound of 45", f"{float(100 * gap)} % of the incumbent")
