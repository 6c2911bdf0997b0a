"""The figures that a program states, and what is drawn for each student in exercises 7 to 12."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import calmip
from calmip.course import declared_numbers, formulations, orbits, patterns
from calmip.course.assignments import assign, owners_of, read_assigned, write_sheets
from calmip.course.certificates import relaxation_of, row_names
from calmip.course.checks import CONFLICT, LARGE, NO_TILING, SYMMETRIC
from calmip.course.declared_numbers import figure_checks, read_figures
from calmip.course.exercises import SOLUTIONS, SUFFIXES, checks_of
from calmip.course.rosters import MINE, ROSTERS, grade_roster, roster_model
from calmip.course.variants import DRAWN, MAX_COPIED
from calmip.mip.one_tree import OneTree
from calmip.mip.status import Status
from calmip.puzzle.cover import ExactCover
from calmip.puzzle.search.exact_cover.witnesses import exists

PROGRAMS: dict[str, Any] = {
    "8": NO_TILING,
    "9": SYMMETRIC[-1],
    "11": LARGE[0],
    "12": ROSTERS[MINE],
    "13": patterns.WORKSHOPS[patterns.MINE],
}
"""The exercises with a program, and what their pages ask figures about."""

PAGES = {
    "8": "8-strength",
    "9": "9-symmetry",
    "11": "11-columns",
    "12": "12-roster",
    "13": "13-patterns",
}

STUDENTS = [f"s{number}" for number in range(8)]

RIGHT = {"a": Fraction(1), "b": Fraction(5, 2)}


def stated(exercise: str, task: Any) -> str:
    """Return the line of a program with the right figures."""
    figures = DRAWN[exercise].figures
    assert figures is not None
    return f"FIGURES = { {name: float(value) for name, value in figures(task).items()} }\n"


@pytest.mark.parametrize("exercise", PAGES)
def test_the_data_of_a_page_are_those_of_its_figures(exercise: str) -> None:
    data, figures = DRAWN[exercise].data, DRAWN[exercise].figures
    assert data is not None
    assert figures is not None
    page = Path(__file__).parents[2] / "docs" / "course" / PAGES[exercise]
    assert json.loads((page / "data.json").read_text()) == json.loads(
        json.dumps(data(PROGRAMS[exercise]))
    )
    right = figures(PROGRAMS[exercise])
    worth = dict.fromkeys(right, 1)
    assert all(
        check.passed for check in figure_checks(SOLUTIONS / PAGES[exercise], lambda: right, worth)
    )
    for check in figure_checks(page / "starter.py", lambda: right, worth):
        assert check.fault.endswith("is not 0")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "the file has no line FIGURES"),
        ("FIGURE = {'a': 1}", "the file has no line FIGURES"),
        ("FIGURES = {'a': 1}", "FIGURES has not 'b'"),
        ("FIGURES = {'a': 1, 'b': 3}", "'b' is not 3"),
        ("FIGURES = {'a': 1, 'b': 2.51}", "'b' is not 2.51$"),
        ("FIGURES = {'a': 1, 'b': 2.499}", "'b' is not 2.499: it is rounded too much"),
        ("FIGURES = {'a': 1, 'b': 5 / 3}", "'b' is not 5/3$"),
        ("FIGURES = {'a': 1, 'b': 1666 / 667}", "'b' is not 1666/667: it is near, but another fra"),
        ("FIGURES = {'a': 1, 'b': 5 / 2 + 0}", "FIGURES has names and numbers alone"),
        ("FIGURES = {'a': 1, 'b': 2.5}\nFIGURES = {'a': 1, 'b': 0}", "'b' is not 0"),
        ("FIGURES = {'a': 1, 'b': open('x')}", "FIGURES has names and numbers alone"),
        ("FIGURES = {'a': 1, 'b': [2]}", "the figure 'b' is a number"),
        ("FIGURES = {'a': 1, 'b': True}", "the figure 'b' is a number"),
        ("FIGURES = {'a': 1, 'b': '5/0'}", "has the denominator 0"),
        ("FIGURES = {'a': 1, 'b': 1e999}", "the figure 'b' is a finite number"),
        (
            "FIGURES = {'a': 1, 'b': " + "9" * 1900 + "}",
            "the figure 'b' is a finite number|'b' is not",
        ),
        ("FIGURES = {1, 2}", "FIGURES is"),
        ("FIGURES = {" + "(" * 1900 + "}", "FIGURES has names and numbers alone"),
        ("FIGURES = {" + "-" * 1900 + "1: 1}", "FIGURES has names and numbers alone|has not"),
    ],
)
def test_wrong_figures_are_named(text: str, words: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(f"import os\n{text}\n")
    first, second = figure_checks(path, lambda: RIGHT, {"a": 1, "b": 2})
    assert re.search(words, second.fault)
    assert (second.marks, second.worth) == (0, 2)
    # A figure is marked beside a wrong one, but not in a line that cannot be read.
    assert first.passed is ("'b'" in words or words == "has the denominator 0")


@pytest.mark.parametrize("b", ["2.5", "'5/2'", "5/2", "10 / 4  ", "2.5000004", "25e-1", '"2.5"'])
def test_right_figures_in_other_forms_are_taken(b: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    stated = f"FIGURES = {{\n    'a': 1.0,\n    'b': {b},\n    'more': 7,\n}}\n"
    starter = "FIGURES = {'a': 0, 'b': 0}\n"
    path.write_text(f"{starter}x = 1\n{stated.replace(' =', ': dict[str, float] =')}")
    assert [check.marks for check in figure_checks(path, lambda: RIGHT, {"a": 1, "b": 2})] == [1, 2]
    path.write_text(f"x = 1\n{stated}")
    assert [check.marks for check in figure_checks(path, lambda: RIGHT, {"a": 1, "b": 2})] == [1, 2]
    assert read_figures(path)["more"] == 7


@pytest.mark.long
@pytest.mark.parametrize("exercise", PAGES)
def test_the_figures_of_another_student_name_that_one(exercise: str, tmp_path: Path) -> None:
    written = write_sheets(exercise, STUDENTS, tmp_path)
    assert len(written) == 2 * len(STUDENTS) + 1
    drawn = list(read_assigned(tmp_path / "assigned.csv", exercise).values())
    path = tmp_path / "answer.py"
    for mine in drawn:
        path.write_text(stated(exercise, mine.task))
        assert owners_of(path, drawn) == [mine.student]


@pytest.mark.slow
@pytest.mark.parametrize("exercise", PAGES)
def test_a_right_program_with_its_own_figures_has_full_marks(exercise: str, tmp_path: Path) -> None:
    write_sheets(exercise, STUDENTS, tmp_path)
    table = tmp_path / "assigned.csv"
    drawn = read_assigned(table, exercise)
    text = (SOLUTIONS / PAGES[exercise]).read_text()
    start, end = text.index("FIGURES"), text.index("}", text.index("FIGURES")) + 2
    mine, other = (
        text[:start] + stated(exercise, drawn[name].task) + text[end:] for name in ("s3", "s5")
    )
    figures = DRAWN[exercise].figures
    assert figures is not None
    theirs, own = (figures(drawn[name].task) for name in ("s3", "s5"))
    worth = {check.what: check.worth for check in checks_of(exercise, SOLUTIONS / PAGES[exercise])}
    alike = sum(worth[f"the figure '{name}' is right"] for name in own if own[name] == theirs[name])
    assert alike < 5
    for name, program, expected, notes in (
        ("s3", mine, 10, ()),
        ("s5", other, 10, ()),
        ("s5", mine, 5 + alike, ("it solves the puzzle of s3",)),
    ):
        path = tmp_path / f"{name}.py"
        path.write_text(program)
        marks = calmip.grade(exercise, path, assigned=table)
        assert (marks.marks, marks.notes) == (expected, notes), marks.describe()


@pytest.mark.long
def test_every_drawn_certificate_and_subsystem_exists() -> None:
    for exercise in ("7", "10"):
        for mine in assign(exercise, STUDENTS).values():
            cover = ExactCover(mine.task)  # type: ignore[arg-type]
            assert exists(cover)[0] is False
            farkas = relaxation_of(cover).status is Status.INFEASIBLE
            assert farkas is (exercise == "7")


@pytest.mark.long
def test_an_answer_to_another_board_has_no_full_marks(tmp_path: Path) -> None:
    """A certificate that a solver finds is right for its own board, and for no other one."""
    drawn = list(assign("7", STUDENTS[:4]).values())
    given = json.loads((SOLUTIONS / "7-duality").read_text())
    path = tmp_path / "mine.json"
    for mine in drawn:
        cover = ExactCover(mine.task)  # type: ignore[arg-type]
        names = row_names(cover)
        ray, prices = relaxation_of(cover).prices, relaxation_of(cover.packing()).prices
        given["date"] = {names[row]: str(y) for row, y in ray.items() if y}
        given["prices"] = {names[row]: str(-y) for row, y in prices.items() if y}
        path.write_text(json.dumps(given))
        for other in drawn:
            full = all(check.passed for check in checks_of("7", path, task=other.task))
            assert full is (other is mine), (mine.text, other.text)
        assert owners_of(path, drawn) == [mine.student]


def test_the_numbers_of_nodes_are_those_of_another_count() -> None:
    """Without an order every way to name equal pieces is another one."""
    for instance in SYMMETRIC:
        figures = orbits.figures_of(instance)
        ordered, every = int(figures["nodes in order"]), int(figures["nodes"])
        tilings = len(orbits._Orbits(instance).tilings())
        assert tilings < ordered < every
        assert figures["solutions"] <= every
        assert figures["orbits"] <= tilings


def test_no_bound_of_a_drawn_packing_is_another_or_the_optimum_in_integers() -> None:
    """Else a number that answers another question would be right by luck."""
    for one in assign("8", [f"s{number}" for number in range(12)]).values():
        packing = formulations._packing(one.task)
        best = packing.packed(range(len(packing.names)), packing.values)
        assert len({best, *formulations.figures_of(one.task).values()}) == 5


def test_the_figures_of_a_roster_are_those_of_its_model() -> None:
    model = roster_model(ROSTERS[MINE])
    points = list(OneTree(model))
    figures = DRAWN["12"].figures
    assert figures is not None
    assert figures(ROSTERS[MINE])["rosters"] == len(points) == 19


@pytest.mark.parametrize(
    ("count", "idea"),
    [
        (264, "the rosters without 'rest'"),
        (551, "the rosters without 'off'"),
        (720, "the rosters without 'most'"),
        (36, "the rosters without 'seniors'"),
        (1, "those of the least dislike alone"),
    ],
)
def test_a_wrong_number_of_rosters_names_the_idea(count: int, idea: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    text = (SOLUTIONS / PAGES["12"]).read_text()
    path.write_text(f"{text}\nFIGURES = {{'rosters': {count}, 'least': 7}}\n")
    rosters, least = grade_roster(path)[-2:]
    assert rosters.fault == f"'rosters' is not {count}, {idea}"
    assert least.passed


def test_the_two_dates_of_the_pages_are_as_drawn_ones() -> None:
    assert DRAWN["7"].fits(NO_TILING)
    assert not DRAWN["7"].fits(CONFLICT)
    assert DRAWN["10"].fits(CONFLICT)
    assert not DRAWN["10"].fits(NO_TILING)
    assert all(DRAWN["9"].fits(one) for one in (SYMMETRIC[0], SYMMETRIC[2]))
    # The answers to what is on the pages are public.
    for exercise, public in PROGRAMS.items():
        assert not DRAWN[exercise].fits(public)


@pytest.mark.parametrize(
    ("given", "right", "equal"),
    [(1001, 1000, False), (1000.0005, 1000, True), (5e-7, 0, True), (2e-6, 0, False)],
)
def test_a_figure_is_right_up_to_a_millionth(given: float, right: int, *, equal: bool) -> None:
    for sign in (1, -1):
        assert declared_numbers._equal(Fraction(sign * given), Fraction(sign * right)) is equal


def test_a_wrong_figure_is_told_what_it_is_the_answer_to(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text("FIGURES = {'a': 3, 'b': 4}\n")
    slips = {"a": {Fraction(3): "the other way round", Fraction(4): "nothing"}}
    faults = [
        one.fault for one in figure_checks(path, lambda: RIGHT, {"a": 1, "b": 1}, lambda: slips)
    ]
    assert faults == ["'a' is not 3, the other way round", "'b' is not 4"]


SLIPS: dict[str, tuple[tuple[str, str, str], ...]] = {
    "8": (
        ("big-M", "16", "is not 16, the optimum in integers"),
        ("big-M", "166.6", "'big-M' is not"),
        ("cliques", "'171/2'", "the bound of the edges"),
        ("edges", "'37/2'", "the bound of the cliques"),
        ("smallest M", "16", "the optimum in integers"),
        ("smallest M", "86.45619674", "the M of the starter"),
        ("smallest M", "2", "an M; its bound is asked"),
        ("cliques", "16.666667", "the bound with the smallest M"),
    ),
    "9": (
        ("nodes", "345", "the nodes without the empty set"),
        ("nodes in order", "67", "the nodes without the empty set"),
        ("nodes", "226", "the nodes without the tilings"),
        ("nodes in order", "48", "the nodes without the tilings"),
        ("solutions", "20", "the tilings with equal pieces alike"),
        ("orbits", "20", "the tilings with equal pieces alike"),
        ("solutions", "119", "'solutions' is not 119"),
    ),
    "11": (
        ("optimum", "70", "a whole number: the optimum of the linear program is not"),
        ("stop", "71", "the optimum rounded up: no packing has this value"),
        ("stop", "'11751/167'", "the optimum: values are whole"),
    ),
}


@pytest.mark.long
@pytest.mark.parametrize("exercise", SLIPS)
def test_known_slips_are_named(exercise: str, tmp_path: Path) -> None:
    figures = DRAWN[exercise].figures
    assert figures is not None
    right = {name: float(value) for name, value in figures(PROGRAMS[exercise]).items()}
    path = tmp_path / "mine.py"
    for name, value, words in SLIPS[exercise]:
        path.write_text(f"FIGURES = { {**right, name: 'X'} }\n".replace("'X'", value))
        faults = [one.fault for one in checks_of(exercise, path) if f"'{name}'" in one.what]
        assert len(faults) == 1
        assert faults[0].endswith(words) or words.endswith("is not"), faults


@pytest.mark.long
def test_the_figures_of_the_page_are_named_on_a_sheet_of_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(stated("8", NO_TILING))
    for mine in assign("8", STUDENTS[:2]).values():
        faults = [one.fault for one in checks_of("8", path, task=mine.task) if "figure" in one.what]
        assert len(faults) == 4
        assert all(fault.endswith("the page, not for yours") for fault in faults), faults


@pytest.mark.long
@pytest.mark.parametrize("exercise", DRAWN)
def test_a_copied_solution_has_half_the_marks_at_most(exercise: str, tmp_path: Path) -> None:
    """Where a puzzle is drawn, the public answer, to another one, is worth little."""
    source = next(one for one in SOLUTIONS.iterdir() if one.name.partition("-")[0] == exercise)
    path = tmp_path / f"mine{SUFFIXES[exercise]}"
    path.write_bytes(source.read_bytes())
    for mine in assign(exercise, STUDENTS[:2]).values():
        checks = checks_of(exercise, path, task=mine.task)
        assert sum(check.worth for check in checks) == 10
        own = {*PAGES, "data", "clinic"}
        most = 5 if exercise in own else MAX_COPIED if isinstance(mine.task, dict) else 1
        most += exercise == "7"  # its colouring is that of the page
        assert sum(check.marks for check in checks) <= most
