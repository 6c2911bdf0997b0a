"""Exercises 7 and 10: right certificates and subsystems in many forms, and wrong ones refused."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from copy import deepcopy
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from calmip.course import certificates
from calmip.course.answers import grade_answer
from calmip.course.checks import CONFLICT, DOMINOES, NO_TILING, Check, Failed, name_of
from calmip.course.exercises import SOLUTIONS, checks_of
from calmip.puzzle.instance import Instance

DUALITY: dict[str, Any] = json.loads((SOLUTIONS / "7-duality").read_text())
IIS: dict[str, Any] = json.loads((SOLUTIONS / "10-iis").read_text())

Columns = dict[str, set[str]]
"""The rows of each placement, by its name."""


def columns_of(instance: Instance) -> Columns:
    """Return the columns of a puzzle: every piece on every set of cells that has its shape."""

    def normal(cells: Sequence[tuple[int, int]]) -> frozenset[tuple[int, int]]:
        top, left = min(r for r, _ in cells), min(c for _, c in cells)
        return frozenset((r - top, c - left) for r, c in cells)

    found: Columns = {}
    seen = set()
    for piece in instance.puzzle.pieces:
        shapes = set()
        shape = [(r, c) for r, c in piece.cells]
        for _ in range(2):
            for _ in range(4):
                shape = [(c, -r) for r, c in shape]
                shapes.add(normal(shape))
            shape = [(r, -c) for r, c in shape]
        if (kind := frozenset(shapes)) in seen:  # an equal piece has no further columns
            continue
        seen.add(kind)
        for cells in combinations(sorted(instance.to_cover), len(shape)):
            if normal(cells) in shapes:
                rows = {f"cell_{r}{c}" for r, c in cells}
                found[name_of(piece.name, cells)] = rows | {f"piece_{piece.name}"}
    return found


def sums(multipliers: Mapping[str, Any], columns: Columns) -> dict[str, Fraction]:
    return {
        name: sum((Fraction(str(multipliers.get(row, 0))) for row in rows), Fraction(0))
        for name, rows in columns.items()
    }


def mark(exercise: str, answer: object, folder: Path) -> tuple[Check, ...]:
    path = folder / "mine.json"
    path.write_text(answer if isinstance(answer, str) else json.dumps(answer))
    return checks_of(exercise, path)


def marks(checks: tuple[Check, ...]) -> int:
    assert sum(check.worth for check in checks) == 10
    return sum(check.marks for check in checks)


def faults(checks: tuple[Check, ...]) -> str:
    return " | ".join(check.fault for check in checks if not check.passed)


COLUMNS = {
    "colouring": columns_of(DOMINOES),
    "date": columns_of(NO_TILING),
    "prices": columns_of(NO_TILING),
}
NAMES = {key: sorted(set().union(*columns.values())) for key, columns in COLUMNS.items()}


def scaled(key: str, factor: Fraction) -> dict[str, Any]:
    found = deepcopy(DUALITY)
    found[key] = {row: str(factor * Fraction(str(y))) for row, y in found[key].items()}
    return found


def replaced(key: str, **values: object) -> dict[str, Any]:
    found = deepcopy(DUALITY)
    found[key].update(values)
    return found


def with_areas(key: str, factor: int) -> dict[str, Any]:
    """Add multipliers whose sums are all 0: 1 for a cell, minus its area for a piece."""
    areas = {"piece_A": 2, "piece_L": 4, "piece_T": 4, "piece_D": 2}
    found = deepcopy(DUALITY)
    for row in NAMES[key]:
        step = factor * -areas.get(row, -1)
        found[key][row] = str(Fraction(str(found[key].get(row, 0))) + step)
    return found


def renamed(old: str, new: str) -> str:
    return json.dumps(DUALITY).replace(f'"{old}', f'"{new}')


CORNERS = {
    "cell_00": 1,
    "cell_02": 1,
    "cell_10": -1,
    "cell_12": -1,
    "cell_20": 1,
    "cell_22": 1,
    "cell_11": 1,
    "cell_21": -1,
}

RIGHT_DUALITY: dict[str, object] = {
    "doubled": scaled("date", Fraction(2)),
    "a third": scaled("date", Fraction(1, 3)),
    "the other sign": scaled("date", Fraction(-1)),
    "the other colour": scaled("colouring", Fraction(-5, 7)),
    "decimals": replaced("date", cell_20=2.0, cell_01="1.0", cell_23=1e0),
    "text": replaced("date", cell_20="2", piece_D=" -1 "),
    "zeros": replaced("date", cell_02=0, cell_22="0/7", piece_L=0.0),
    "zeros for cells without a row": replaced("prices", cell_00=0, cell_21="0"),
    "the colouring by the sum of the coordinates": {**DUALITY, "colouring": CORNERS},
    "the areas are added": with_areas("date", 1),
    "the areas are taken away": with_areas("date", -2),
    "the areas of the dominoes are added": with_areas("colouring", 1),
    "Pyomo's names of rows": renamed("piece_", "pieces["),
    "names with brackets": renamed("cell_", "cells_"),
    "in one line": json.dumps(DUALITY, separators=(",", ":")),
}


@pytest.mark.parametrize("name", RIGHT_DUALITY)
def test_every_right_certificate_has_full_marks(name: str, tmp_path: Path) -> None:
    checks = mark("7", RIGHT_DUALITY[name], tmp_path)
    assert (marks(checks), faults(checks)) == (10, "")


RIGHT_SIDES = {"piece_A": 4}


@pytest.mark.long
@pytest.mark.parametrize("key", ["colouring", "date"])
def test_the_verdict_on_every_change_of_one_multiplier_is_that_of_all_columns(
    key: str, tmp_path: Path
) -> None:
    wrong = 0
    for row in NAMES[key]:
        for step in ("-1", "1/2", "3"):
            value = Fraction(str(DUALITY[key].get(row, 0))) + Fraction(step)
            answer = replaced(key, **{row: str(value)})
            check = mark("7", answer, tmp_path)[1 if key == "colouring" else 2]
            total = sum(Fraction(str(y)) * RIGHT_SIDES.get(r, 1) for r, y in answer[key].items())
            sign = 1 if total > 0 else -1
            values = {name: sign * value for name, value in sums(answer[key], COLUMNS[key]).items()}
            right = total != 0 and max(values.values()) <= 0
            assert check.passed is right
            if not right and total != 0:
                (example,) = check.examples
                (shown,) = example.placements
                assert values[name_of(shown.piece, shown.cells)] == max(values.values())
                assert name_of(shown.piece, shown.cells) in check.fault
            wrong += not right
    assert wrong >= 12


def test_the_verdict_on_prices_is_that_of_all_columns(tmp_path: Path) -> None:
    for row in NAMES["prices"]:
        for step in (-2, -1, 1):
            value = Fraction(str(DUALITY["prices"].get(row, 0))) + Fraction(step, 9)
            answer = replaced("prices", **{row: str(value)})
            *_, feasible, optimal = mark("7", answer, tmp_path)
            enough = all(
                total >= len(COLUMNS["prices"][name]) - 1
                for name, total in sums(answer["prices"], COLUMNS["prices"]).items()
            )
            assert feasible.passed is (enough and value >= 0), row
            assert not optimal.passed or Fraction(step) < 0
            assert bool(feasible.examples) is (not feasible.passed and value >= 0)


@pytest.mark.parametrize(
    ("answer", "earned", "words"),
    [
        (replaced("date", piece_D=0), 6, "so no placement may have a sum above 0"),
        (replaced("date", cell_20=1), 6, "add up to 0; a certificate needs a sum above 0"),
        (replaced("date", cell_20=3), 6, "so no placement may have"),
        ({**DUALITY, "date": {}}, 6, "all multipliers are 0"),
        ({**DUALITY, "colouring": {"cell_00": 1}}, 8, "A_00_10 has 1 (cell_00: 1)"),
        ({**DUALITY, "colouring": dict.fromkeys(CORNERS, 1)}, 8, "has 2"),
        ({**DUALITY, "prices": {}}, 7, "covers 4 cells, and its prices add up to less: 0"),
        (replaced("prices", piece_L="-4/9"), 7, "the price of piece_L is -4/9"),
        (replaced("prices", piece_T=1), 9, "the prices add up to 95/9, and other prices to less"),
        (replaced("prices", cell_03=1.333333), 7, "decimals are rounded"),
        (replaced("prices", cell_03=1.3333), 7, "decimals are rounded"),
        (replaced("prices", cell_03=1.33), 7, "piece_L: 4/9)"),
        (replaced("date", cell_99=1), 5, "'cell_99' is not a row of this model"),
        (replaced("date", cell_00=1), 5, "'cell_00' is not a row"),
        (replaced("date", cells_01=1), 5, "the row cell_01 is named twice"),
        (replaced("date", cell_01=True), 5, "is a number such as"),
        (replaced("date", cell_01=None), 5, "is a number such as"),
        (replaced("date", cell_01=[1]), 5, "is a number such as"),
        (replaced("date", cell_01="1/0"), 5, "has the denominator 0"),
        (replaced("date", cell_01="a half"), 5, "is a number such as"),
        (replaced("date", cell_01=float("nan")), 5, "is a number such as"),
        (replaced("date", cell_01=10**400), 5, "is a number such as"),
        (json.dumps(DUALITY).replace('"cell_20": 2', '"cell_20": 1e999999999'), 5, "is a number"),
        ({**DUALITY, "date": [1, 2]}, 5, "date is a set of multipliers"),
        ({"date": DUALITY["date"]}, 4, 'the file is {"colouring": '),
        ({**DUALITY, "more": {}}, 9, "the file is"),
        ("10 of 10 marks", 0, "the file is not JSON"),
        ("Running HiGHS\n{}", 0, "; the line is 'Running HiGHS'"),
        ("[" * 5000, 0, "the file is not JSON"),
        ([], 0, "the file is"),
        ("", 0, "is empty"),
    ],
)
def test_a_wrong_certificate_is_refused_with_its_reason(
    answer: object, earned: int, words: str, tmp_path: Path
) -> None:
    checks = mark("7", answer, tmp_path)
    assert (marks(checks), words in faults(checks)) == (earned, True), faults(checks)


def test_a_rounded_number_is_refused(tmp_path: Path) -> None:
    answer = scaled("date", Fraction(1, 3))
    answer["date"] = {row: f"{float(Fraction(y)):.9f}" for row, y in answer["date"].items()}
    checks = mark("7", answer, tmp_path)
    if marks(checks) < 10:
        assert "decimals are rounded" in faults(checks)


def subsystem(rows: Sequence[str], **without: list[str]) -> dict[str, Any]:
    """Return an answer to exercise 10 with witnesses that a search by hand finds."""
    columns = columns_of(CONFLICT)

    def satisfy(wanted: set[str], left: list[str]) -> list[str] | None:
        if not wanted:
            return []
        row = min(wanted)
        for name in left:
            touched = columns[name] & set(rows)
            if row in columns[name] and touched & SATISFY[-1] <= wanted:
                found = satisfy(wanted - touched, left)
                if found is not None:
                    return [name, *found]
        return None

    witnesses = {}
    for row in rows:
        SATISFY.append(set(rows) - {row})
        witnesses[row] = satisfy(set(rows) - {row}, sorted(columns)) or []
        SATISFY.pop()
    return {"rows": list(rows), "without": {**witnesses, **without}}


SATISFY: list[set[str]] = []
"""The rows that the search of a witness has to satisfy."""

ROWS = sorted(set().union(*columns_of(CONFLICT).values()))


def feasible(rows: frozenset[str]) -> bool:
    """Whether some placements satisfy each of these rows once."""
    columns = {frozenset(touched & rows) for touched in columns_of(CONFLICT).values()}

    def go(wanted: frozenset[str]) -> bool:
        return not wanted or any(
            min(wanted) in one and one <= wanted and go(wanted - one) for one in columns
        )

    return go(rows)


def irreducible_sets(most: int) -> list[tuple[str, ...]]:
    """Return some subsystems that a deletion filter finds, by the order of the rows."""
    found = set()
    for turn in range(most):
        kept = frozenset(ROWS)
        for row in ROWS[turn:] + ROWS[:turn]:
            if not feasible(kept - {row}):
                kept -= {row}
        found.add(tuple(sorted(kept)))
        kept = frozenset(ROWS)
        for row in reversed(ROWS[turn:] + ROWS[:turn]):
            if not feasible(kept - {row}):
                kept -= {row}
        found.add(tuple(sorted(kept)))
    return sorted(found)


@pytest.mark.long
def test_every_subsystem_that_a_deletion_filter_finds_has_full_marks(tmp_path: Path) -> None:
    found = irreducible_sets(len(ROWS))
    assert len(found) >= 5
    for rows in found:
        for order in (rows, rows[::-1]):
            checks = mark("10", subsystem(order), tmp_path)
            assert (marks(checks), faults(checks)) == (10, ""), rows


@pytest.mark.parametrize(
    "answer",
    [
        json.dumps(IIS).replace("cell_", "cells_"),
        json.dumps(IIS).replace("cell_", "c_").replace("piece_", "p_"),
        json.dumps(IIS).replace("piece_T", "pieces[T]"),
        json.dumps(IIS).replace('"T_11_20_21_22"', '"T_22_21_20_11"'),
        json.dumps(IIS).replace('"T_11_20_21_22"', '"x[T_11_20_21_22]"'),
        json.dumps({**IIS, "rows": IIS["rows"][::-1]}),
        json.dumps(IIS, indent=4),
    ],
)
def test_names_and_order_do_not_matter(answer: str, tmp_path: Path) -> None:
    checks = mark("10", answer, tmp_path)
    assert (marks(checks), faults(checks)) == (10, "")


def test_every_other_set_of_the_five_rows_and_more_is_refused(tmp_path: Path) -> None:
    """A set with one row less is satisfied, one with a row more can lose a row: both are shown."""
    for row in IIS["rows"]:
        rows = [one for one in IIS["rows"] if one != row]
        checks = mark("10", {**IIS, "rows": rows, "without": {}}, tmp_path)
        assert not checks[1].passed
        (example,) = checks[1].examples
        touched = [
            columns_of(CONFLICT)[name_of(one.piece, one.cells)] for one in example.placements
        ]
        assert all(sum(one in column for column in touched) == 1 for one in rows)
    for row in set(ROWS) - set(IIS["rows"]):
        checks = mark("10", {**IIS, "rows": [*IIS["rows"], row]}, tmp_path)
        assert [check.passed for check in checks] == [True, True, False, False]
        assert f"{row} can go: the other 5 rows are still infeasible" in checks[2].fault


def without(row: str, *placements: str) -> dict[str, Any]:
    return {**IIS, "without": {**IIS["without"], row: list(placements)}}


@pytest.mark.parametrize(
    ("answer", "earned", "words"),
    [
        (without("cell_10", "T_01_10_11_21"), 7, "the row cell_20 is 0, not 1, by no placement"),
        (without("cell_20", "T_01_10_11_21", "L_01_11_20_21"), 7, "is 2, not 1, by"),
        (without("piece_T", "L_10_20_21_22"), 7, "without piece_T: the row cell_11 is 0"),
        (without("piece_T"), 7, "is 0, not 1, by no placement"),
        ({**IIS, "without": {}}, 7, "without has no placements for cell_10"),
        ({**IIS, "rows": ROWS, "without": {}}, 4, "can go: the other 12 rows are still infeasible"),
        ({**IIS, "rows": ["piece_T"], "without": {}}, 1, "these placements satisfy all rows"),
        ({**IIS, "rows": ROWS[:10], "without": {}}, 1, "these placements satisfy all rows"),
        (without("cell_10", "T_99"), 6, "is not a placement of this puzzle"),
        (without("cell_10", "D_10_11", "D_11_10"), 6, "is named twice"),
        (without("cell_01", "D_10_11"), 6, "which is not one of the rows listed"),
        ({**IIS, "rows": []}, 0, "rows is a list of rows"),
        ({**IIS, "rows": "cell_10"}, 0, "rows is a list of rows"),
        ({**IIS, "rows": [*IIS["rows"], "cell_12"]}, 0, "'cell_12' is not a row"),
        ({**IIS, "rows": [*IIS["rows"], "cell_10"]}, 9, "the row cell_10 is named twice"),
        ({**IIS, "rows": [*IIS["rows"], "c_10"]}, 9, "the row cell_10 is named twice"),
        ({**IIS, "rows": [["cell_10"]]}, 0, "is not a row"),
        ({**IIS, "without": []}, 6, "without has a list of placements for every row"),
        ({**IIS, "without": {"cell_10": "T_11_20_21_22"}}, 6, "without has a list of placements"),
        ({"rows": IIS["rows"]}, 6, "the file is"),
        ("cell_10 cell_11", 0, "the file is not JSON"),
    ],
)
def test_a_wrong_subsystem_is_refused_with_its_reason(
    answer: object, earned: int, words: str, tmp_path: Path
) -> None:
    checks = mark("10", answer, tmp_path)
    assert (marks(checks), words in faults(checks)) == (earned, True), faults(checks)


@pytest.mark.parametrize(("exercise", "answer"), [("7", DUALITY), ("10", IIS)])
def test_what_is_not_decided_in_time_has_no_marks(
    exercise: str, answer: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(certificates, "exists", lambda *_: (None, []))
    monkeypatch.setattr(certificates, "QUESTION_SECONDS", 1e-9)
    checks = mark(exercise, answer, tmp_path)
    assert marks(checks) < 10
    assert "not decided" in faults(checks)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            "Stopped on time (no integer solution - continuous used) - objective value 0\n",
            "says 'Stopped on time .*' and holds no solution; leap day has 64 tilings",
        ),
        ("Infeasible - objective value 0\n", "says 'Infeasible'; leap day has 64 tilings"),
        ("Stopped on time - objective value 1\n 0 nosuch 1 0\n", ""),
    ],
)
def test_a_file_without_a_solution_is_no_answer(text: str, words: str, tmp_path: Path) -> None:
    """One that stopped with a solution is judged by that."""
    path = tmp_path / "x.sol"
    path.write_text(text)
    first, *_ = grade_answer(path)
    assert first.passed == (not words)
    assert re.search(words, first.fault or "")


@pytest.mark.parametrize(
    ("answers", "fault"),
    [
        ([False, True, True], ""),
        ([None], "not checked, because the rows are not infeasible"),
        ([True], "not checked, because the rows are not infeasible"),
        ([False, None], "not decided: whether first can go"),
        ([False, True, None], "not decided: whether second can go"),
        ([False, True, False], "second can go: the other 1 rows are still infeasible"),
    ],
)
def test_what_is_not_decided_of_a_row_is_no_verdict(
    answers: list[bool | None], fault: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    marker: Any = object.__new__(certificates._SubsystemMarker)
    marker.cover, marker.rows, marker.names = None, [0, 1], ["first", "second"]
    told = iter(answers)
    monkeypatch.setattr(certificates, "_feasible", lambda *_: (next(told), []))
    try:
        marker.check_irreducible()
    except Failed as failed:
        assert str(failed) == fault
    else:
        assert not fault
    assert list(told) == []
