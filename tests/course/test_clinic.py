"""The clinic: faults, proofs and repairs of eight models, each verdict by brute force, too."""

from __future__ import annotations

import itertools
import json
import random
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calmip.cli import main
from calmip.course import clinic
from calmip.course.assignments import assign
from calmip.course.clinic import (
    NAMES,
    SENSES,
    LinearRow,
    Patient,
    StatedProblem,
    grade_clinic,
    patients,
)
from calmip.course.exercises import checks_of, write_solutions
from calmip.mip.files.model_files import read_model

FOLDER = Path(__file__).parents[2] / "docs/course/clinic-faults"
STUDENTS = [f"s{number:03}" for number in range(12)]
SEEDS = st.integers(0, 2**48)

Point = dict[str, int]

FIRST = [
    ("bag", "weight"),
    ("stations", "needs"),
    ("jobs", "one_bob"),
    ("depots", "open_s"),
    ("projects", "budget"),
    ("machines", "order"),
    ("stock", "week_3"),
    ("teams", "oldest"),
]


def solutions(problem: StatedProblem) -> list[Point]:
    return [point for point in problem.points() if not problem.fault(point)]


def at_fault(patient: Patient) -> str:
    (name,) = [n for n, row in patient.right.rows.items() if patient.wrong.rows[n] != row]
    return name


def numbers(text: str) -> list[int]:
    return [int(one) for one in re.findall(r"(?<![\w])\d+", text)]


def listed(text: str, start: str) -> dict[str, int]:
    """Return the numbers of a list such as ``a 3, b 4``."""
    part = text.partition(start)[2]
    return {name: int(number) for name, number in re.findall(r"\b([a-f]) (\d+)", part)}


def bag(text: str) -> Callable[[Point], bool]:
    weights, (most,) = listed(text, "Weights:"), numbers(text.partition("carries")[2])
    return lambda x: (
        sum(w for n, w in weights.items() if x[f"x_{n}"]) <= most
        and x["x_a"] + x["x_b"] + x["x_c"] >= 2
        and not (x["x_d"] and x["x_e"])
    )


def stations(text: str) -> Callable[[Point], bool]:
    near = [re.findall(r"[a-e]", one) for one in re.findall(r"district \d: ([a-e, ]+)", text)]
    (most,) = numbers(text.partition("At most")[2])
    assert len(near) == 4
    return lambda x: (
        all(any(x[f"x_{s}"] for s in some) for some in near)
        and sum(x.values()) <= most
        and not (x["x_e"] and not x["x_a"])
    )


def jobs(text: str) -> Callable[[Point], bool]:
    found = re.findall(r"(ann|bob|cy) (\d), (\d), (\d) \(at most (\d+)\)", text)
    assert len(found) == 3

    def holds(x: Point) -> bool:
        does = {p: [j for j in (1, 2, 3) if x[f"x_{p}_{j}"]] for p in ("ann", "bob", "cy")}
        return (
            sorted(itertools.chain(*does.values())) == [1, 2, 3]
            and len(does["bob"]) <= 1
            and all(
                sum(int(hours[j - 1]) for j in does[p]) <= int(most) for p, *hours, most in found
            )
        )

    return holds


def depots(text: str) -> Callable[[Point], bool]:
    loads = {c: int(n) for c, n in re.findall(r"(\d) needs (\d+)", text)}
    most = {d: int(n) for d, n in re.findall(r"\b([ns]) delivers at most (\d+)", text)}

    def holds(x: Point) -> bool:
        carried = {d: sum(loads[c] for c in loads if x[f"x_{d}_{c}"]) for d in most}
        return (
            all(x[f"x_n_{c}"] + x[f"x_s_{c}"] == 1 for c in loads)
            and all(carried[d] <= (most[d] if x[f"y_{d}"] else 0) for d in most)
            and not (x["x_n_1"] and x["x_n_2"])
        )

    return holds


def projects(text: str) -> Callable[[Point], bool]:
    costs, (budget,) = listed(text, "Costs:"), numbers(text.partition("budget is")[2])
    return lambda x: (
        sum(c for n, c in costs.items() if x[f"x_{n}"]) <= budget
        and not (x["x_b"] and not x["x_a"])
        and not (x["x_c"] and not (x["x_a"] and x["x_b"]))
        and x["x_d"] + x["x_e"] == 1
    )


def machines(text: str) -> Callable[[Point], bool]:
    (need,) = numbers(text.partition(" units")[0])
    made = {
        m: (int(low), int(high))
        for m, low, high in re.findall(r"\b([ab]) makes (\d) to (\d)", text)
    }

    def holds(x: Point) -> bool:
        runs = all(
            low <= x[f"q_{m}"] <= high if x[f"on_{m}"] else x[f"q_{m}"] == 0
            for m, (low, high) in made.items()
        )
        return runs and x["q_a"] + x["q_b"] >= need and not (x["on_b"] and not x["on_a"])

    return holds


def stock(text: str) -> Callable[[Point], bool]:
    (start,) = numbers(text.partition(" in stock")[0])
    needs = numbers(text.partition("it sells ")[2].partition(".")[0])
    (most,) = numbers(text.partition("buys at most")[2])
    assert len(needs) == 3

    def holds(x: Point) -> bool:
        there = start
        for week, need in enumerate(needs, start=1):
            there += x[f"b_{week}"] - need
            if there < 0 or x[f"s_{week}"] != there:
                return False
        return sum(x[f"b_{week}"] for week in (1, 2, 3)) <= most

    return holds


def teams(text: str) -> Callable[[Point], bool]:
    ages = listed(text, "aged")
    least, most = numbers(text.partition("sum to")[2])

    def holds(x: Point) -> bool:
        first = [n for n in ages if x[f"x_{n}"]]
        return (
            len(first) == 3
            and least <= sum(ages[n] for n in first) <= most
            and ("a" in first) != ("b" in first)
            and ("e" in first) == ("f" in first)
        )

    return holds


MEANT = (bag, stations, jobs, depots, projects, machines, stock, teams)


@given(SEEDS)
@settings(max_examples=15)
def test_the_right_models_are_those_of_the_statements(seed: int) -> None:
    for meant, patient in zip(MEANT, patients(seed), strict=True):
        right = patient.right
        assert right.name == meant.__name__
        holds = meant(right.statement)
        assert solutions(right) == [one for one in right.points() if holds(one)], right.statement


@given(SEEDS)
@settings(max_examples=15)
def test_each_model_has_one_fault_that_changes_its_solutions(seed: int) -> None:
    found = patients(seed)
    assert tuple(one.right.name for one in found) == NAMES
    for patient in found:
        name = at_fault(patient)
        wrong, right = patient.wrong.rows[name], patient.right.rows[name]
        changes = [wrong.sense != right.sense, wrong.side != right.side]
        changes += [wrong.terms[one] != right.terms[one] for one in right.terms]
        assert sum(changes) == 1
        assert solutions(patient.wrong) != solutions(patient.right)
        assert solutions(patient.wrong)
        assert len(solutions(patient.right)) > 1
        assert patient.wrong.most == patient.right.most


@given(SEEDS, st.sampled_from(NAMES), st.randoms(use_true_random=False))
@settings(max_examples=40)
def test_a_repair_is_right_if_the_solutions_are(seed: int, name: str, draw: random.Random) -> None:
    (patient,) = [one for one in patients(seed) if one.right.name == name]
    row = draw.choice([at_fault(patient), *patient.wrong.rows])
    other = patient.wrong.rows[row]
    kind = draw.choice(["sense", "side", *other.terms])
    if kind == "sense":
        other = other._replace(sense=draw.choice(SENSES))
    elif kind == "side":
        other = other._replace(side=other.side + draw.randint(-3, 3))
    else:
        other = other._replace(terms={**other.terms, kind: draw.randint(-3, 9)})
    changed = patient.wrong.changed(row, other)
    assert clinic._same(changed, patient.right) is (solutions(changed) == solutions(patient.right))


def test_the_files_are_read_as_the_models_and_begin_with_the_statements(tmp_path: Path) -> None:
    for patient in patients(77):
        path = tmp_path / f"{patient.right.name}.lp"
        path.write_text(patient.lp)
        model = read_model(path)
        assert model.columns == tuple(patient.wrong.most)
        assert model.rows == tuple(patient.wrong.rows)
        for point in patient.wrong.points():
            values = dict(enumerate(point.values()))
            assert (model.violated(values) is None) is (not patient.wrong.fault(point))
        comments = [line[2:] for line in patient.lp.splitlines() if line.startswith("\\")]
        assert "\n".join(comments) == patient.right.statement
        assert max(map(len, patient.lp.splitlines())) < 255


@cache
def right_answer(seed: int) -> dict[str, Any]:
    """Return a right answer, by trying all points and all changes of the rows at fault."""
    answer = {}
    for patient in patients(seed):
        wrong, right = patient
        point = next(
            one for one in right.points() if bool(right.fault(one)) != bool(wrong.fault(one))
        )
        name = at_fault(patient)
        row, meant = wrong.rows[name], solutions(right)
        changes: list[tuple[dict[str, Any], LinearRow]] = [
            ({"sense": sense}, row._replace(sense=sense)) for sense in SENSES
        ]
        for amount in sorted(range(-13, 14), key=abs):
            changes.append(({"side": row.side + amount}, row._replace(side=row.side + amount)))
            changes += [
                ({n: value + amount}, row._replace(terms={**row.terms, n: value + amount}))
                for n, value in row.terms.items()
            ]
        change = next(
            change
            for change, other in changes
            if other != row and solutions(wrong.changed(name, other)) == meant
        )
        answer[right.name] = {"point": point, "row": name, "change": change}
    return answer


def written(folder: Path, data: object) -> Path:
    path = folder / "mine.json"
    path.write_text(data if isinstance(data, str) else json.dumps(data))
    return path


def marks(folder: Path, answer: object, seed: int) -> list[int]:
    return [one.marks for one in grade_clinic(written(folder, answer), task={"seed": seed})]


@pytest.fixture(scope="module")
def seeds() -> list[int]:
    return [one.seed for one in assign("clinic", STUDENTS).values()]


@pytest.mark.long
def test_twelve_right_answers_have_all_marks(seeds: list[int], tmp_path: Path) -> None:
    for seed in seeds:
        assert marks(tmp_path, right_answer(seed), seed) == [1] * 10


@pytest.mark.long
def test_wrong_answers_lose_the_mark_of_their_model(seeds: list[int], tmp_path: Path) -> None:
    """In each of three clinics, nine: the wrong point, another's row, no change, a large one."""
    draw = random.Random(3)
    for seed in seeds[:3]:
        right = right_answer(seed)
        for place, (name, patient) in enumerate(zip(NAMES, patients(seed), strict=True)):
            both = [one for one in solutions(patient.right) if not patient.wrong.fault(one)]
            none = [
                one
                for one in patient.right.points()
                if patient.right.fault(one) and patient.wrong.fault(one)
            ]
            row = patient.wrong.rows[right[name]["row"]]
            wrong = {
                "point": draw.choice([*both, *none]),
                "row": draw.choice([one for one in patient.wrong.rows if one != at_fault(patient)]),
                "change": {"sense": row.sense},
            }
            for key, value in wrong.items():
                answer = {**right, name: {**right[name], key: value}}
                if key == "row":
                    answer[name]["change"] = {"side": 999}
                expected = [1] * 9 + [0]
                expected[1 + place] = 0
                assert marks(tmp_path, answer, seed) == expected, (name, key)
    shuffled = {**right_answer(seeds[0]), "bag": right_answer(seeds[0])["teams"]}
    assert marks(tmp_path, shuffled, seeds[0])[1] == 0


def test_a_repair_that_can_be_smaller_is_named(tmp_path: Path) -> None:
    answer = json.loads((clinic.SOLUTIONS / "clinic-faults").read_text())
    # At most three sites: with 5 variables any side from the statement's on is another rule.
    assert marks(tmp_path, answer, 0) == [1] * 10
    patient = patients(0)[0]
    row = patient.wrong.rows["apart"]
    larger = [
        side
        for side in range(row.side, 20)
        if clinic._same(patient.wrong.changed("apart", row._replace(side=side)), patient.right)
    ]
    assert larger
    answer["bag"]["change"] = {"side": larger[0]}
    assert marks(tmp_path, answer, 0) == [1] * 10
    if larger[1:]:
        answer["bag"]["change"] = {"side": larger[1]}
        found = grade_clinic(written(tmp_path, answer))
        assert [one.marks for one in found] == [1] * 9 + [0]
        assert found[-1].fault == "bag: a smaller change in the same place suffices"


@pytest.mark.parametrize(
    ("entry", "fault"),
    [
        ([], "bag: an answer is {"),
        ({"point": {}}, "bag: an answer is {"),
        ({"point": [], "row": "apart", "change": {}}, "point is an object of numbers, not '[]'"),
        (
            {"point": {"z": 1}, "row": "apart", "change": {}},
            "point: 'z' is unknown; use x_a, x_b, x_c, x_d",
        ),
        (
            {"point": {"x_a": 0.5}, "row": "apart", "change": {}},
            "point: x_a is a whole number of at most 1000, not '0.5'",
        ),
        (
            {"point": {"x_a": True}, "row": "apart", "change": {}},
            "point: x_a is a whole number of at most 1000, not 'True'",
        ),
        (
            {"point": {"x_a": 2}, "row": "apart", "change": {}},
            "the point satisfies neither the model (x_a is from 0 to 1, not 2) nor the statement",
        ),
        (
            {"point": {"x_a": 1, "x_b": 1}, "row": "apart", "change": {}},
            "the point satisfies the model and the statement, so it proves no fault",
        ),
        ({"row": ["apart"], "change": {}}, "row: \"['apart']\" is unknown; use one of weight, two"),
        ({"row": "apart", "change": {}}, 'change is one of {"VARIABLE": factor}, {"side": number}'),
        ({"row": "apart", "change": {"sense": "<"}}, "sense is one of <=, >=, =, not '<'"),
        (
            {"row": "apart", "change": {"side": "2"}},
            "change: side is a whole number of at most 1000, without quotes, not '2'",
        ),
        ({"row": "apart", "change": {"q": 1}}, "change: 'q' is unknown; use x_a, x_b, x_c, x_d"),
        ({"row": "apart", "change": {"side": 1}}, "the change leaves the row apart as it is"),
        (
            {"row": "weight", "change": {"side": 0}},
            "with this change of weight the solutions are still not those of the statement",
        ),
    ],
)
def test_what_is_no_answer_is_refused_in_a_line(entry: Any, fault: str, tmp_path: Path) -> None:
    answer = json.loads((clinic.SOLUTIONS / "clinic-faults").read_text())
    whole = isinstance(entry, dict) and "row" in entry
    answer["bag"] = {**answer["bag"], **entry} if whole else entry
    found = grade_clinic(written(tmp_path, answer))
    first = next(one.fault for one in found if not one.passed)
    assert first.startswith(fault)
    assert "\n" not in first
    assert sum(one.marks for one in found) == (8 if whole else 7)


def test_models_without_an_answer_cost_their_own_marks(tmp_path: Path) -> None:
    answer = json.loads((clinic.SOLUTIONS / "clinic-faults").read_text())
    for left in (7, 1, 0):
        some = dict(list(answer.items())[:left])
        found = grade_clinic(written(tmp_path, some))
        assert [one.marks for one in found] == [0, *[1] * left, *[0] * (8 - left), 0]
        assert found[0].fault == f"the answer to {NAMES[left]} is missing"
        assert found[left + 1].fault == "the file has no answer to it"
    found = grade_clinic(written(tmp_path, {**answer, "sack": {}}))
    assert sum(one.marks for one in found) == 9
    assert found[0].fault == "there is no model 'sack'"


def test_what_is_not_decided_in_time_has_a_mark_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clinic, "COMPARISON_SECONDS", 0.0)

    class Late:
        point, same = None, False

    monkeypatch.setattr(clinic, "compare_with_reference", lambda *_, **__: Late)
    found = grade_clinic(clinic.SOLUTIONS / "clinic-faults")
    assert [one.undecided for one in found] == [False] + [True] * 9
    assert sum(one.marks for one in found) == 1


def test_the_files_of_the_page_are_those_that_are_marked(tmp_path: Path) -> None:
    files = {path.stem: path.read_text() for path in (FOLDER / "models").iterdir()}
    assert files == {one.right.name: one.lp for one in patients(0)}
    path = next(one for one in write_solutions(tmp_path) if one.stem == "clinic-faults")
    assert sum(check.marks for check in checks_of("clinic", path)) == 10
    assert sum(check.marks for check in checks_of("clinic", FOLDER / "starter.json")) == 1


def test_what_is_drawn_stays_so_in_further_versions() -> None:
    found = [(one.right.name, at_fault(one)) for one in patients(1)]
    assert found == FIRST


def test_a_class_draws_and_is_marked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    roster = tmp_path / "roster.csv"
    roster.write_text("student\nada\nbob\n")
    sheets = tmp_path / "sheets"
    assert main(["grade", "assign", "clinic", str(roster), "-o", str(sheets)]) == 0
    files = sorted(path.name for path in sheets.iterdir())
    assert [name for name in files if name.startswith("ada")] == sorted(
        ["ada.md", *(f"ada-{name}.lp" for name in NAMES)]
    )
    assert (sheets / "ada-bag.lp").read_text() in (sheets / "ada.md").read_text()
    seed = assign("clinic", ["ada"])["ada"].seed
    (tmp_path / "class").mkdir()
    for student in ("ada", "bob"):
        (tmp_path / f"class/{student}.json").write_text(json.dumps(right_answer(seed)))
    capsys.readouterr()
    given = ["--assigned", str(sheets / "assigned.csv"), "--format", "csv"]
    assert main(["grade", "clinic", str(tmp_path / "class"), *given]) == 1
    lines = capsys.readouterr().out.splitlines()
    own, copied = [int(line.split(",")[6]) for line in lines[1:]]
    assert own == 10
    assert copied <= 5
