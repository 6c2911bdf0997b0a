"""Students' models beside a reference: right formulations, and faults with a counter-example."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from calmip._base.errors import InputError
from calmip._base.limits import Deadline
from calmip.cli import main
from calmip.course import references
from calmip.course.checks import Failed, Undecided, run_checks
from calmip.course.grade import ClassMarks, Marks, grade_model
from calmip.course.references import compare_with_reference
from calmip.mip.compare.comparison import Inclusion
from calmip.mip.compare.objective_equivalence import Objectives
from calmip.mip.files.lp import read_lp
from calmip.mip.files.text_source import TextFile
from calmip.mip.model import Model
from calmip.mip.status import Status

SIZES, VALUES = (3, 4, 5, 8), (4, 5, 6, 11)


def model(text: str) -> Model:
    return read_lp(TextFile("model.lp", tuple(text.splitlines())))


def knapsack(
    rows: str = "room: 3 x_0 + 4 x_1 + 5 x_2 + 8 x_3 <= 9",
    objective: str = "Maximize\n value: 4 x_0 + 5 x_1 + 6 x_2 + 11 x_3",
    types: str = "Binaries\n x_0 x_1 x_2 x_3",
) -> Model:
    return model(f"{objective}\nSubject To\n {rows}\n{types}\nEnd\n")


REFERENCE = knapsack()


def faults(handed: Model, reference: Model = REFERENCE, **how: object) -> list[str]:
    """Return the fault of each check, empty where it holds; undecided ones begin with '?'."""
    try:
        found = compare_with_reference(handed, reference, **how)  # type: ignore[arg-type]
    except Failed as failed:
        return ["?" * isinstance(failed, Undecided) + str(failed)]
    checks = run_checks(
        [
            ("solutions", 1, found.check_solutions, False),
            ("objective", 1, found.check_objective, False),
        ]
    )
    return ["?" * check.undecided + check.fault for check in checks]


@pytest.mark.parametrize(
    "right",
    [
        knapsack(),
        knapsack("room: 6 x_0 + 8 x_1 + 10 x_2 + 16 x_3 <= 19"),
        knapsack(
            "a: x_0 + x_3 <= 1\n b: x_1 + x_3 <= 1\n c: x_2 + x_3 <= 1\n d: x_0 + x_1 + x_2 <= 2"
        ),
        knapsack(
            "room: 3 x_0 + 4 x_1 + 5 x_2 + 8 x_3 + rest = 9",
            types="Bounds\n rest >= 0\nBinaries\n x_0 x_1 x_2 x_3",
        ),
        knapsack(objective="Minimize\n value: - 8 x_0 - 10 x_1 - 12 x_2 - 22 x_3 + 7"),
    ],
    ids=["same", "scaled", "pairs", "slack", "minimised"],
)
def test_every_right_formulation_passes(right: Model) -> None:
    assert faults(right) == ["", ""]


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (
            knapsack("room: 3 x_0 + 4 x_1 + 5 x_2 + 8 x_3 <= 11"),
            "the model has a solution that is wrong: x_0 = 1, x_3 = 1; the row room of the "
            "reference is 11, not <= 9",
        ),
        (
            knapsack("room: 3 x_0 + 4 x_1 + 5 x_2 + 8 x_3 <= 9\n most: x_1 + x_2 <= 1"),
            "the model has not this solution: x_1 = 1, x_2 = 1; the row most of the model is 2, "
            "not <= 1",
        ),
        (
            knapsack(
                "room: 3 x_0 + 4 x_1 + 5 x_2 <= 9",
                "Maximize\n v: 4 x_0 + 5 x_1 + 6 x_2",
                "Binaries\n x_0 x_1 x_2",
            ),
            "the model has not this solution: x_3 = 1; the model has no variable x_3, which is 1",
        ),
        (
            knapsack(types="Bounds\n x_3 <= 1\nBinaries\n x_0 x_1 x_2"),
            "x_3 in the reference is integer, not",
        ),
    ],
    ids=["more", "fewer", "no variable", "no integer"],
)
def test_a_fault_is_shown_by_a_point_with_the_students_names(wrong: Model, words: str) -> None:
    solutions, _ = faults(wrong)
    assert words in solutions


def test_the_objective_is_another_question() -> None:
    other = knapsack(objective="Maximize\n value: 4 x_0 + 5 x_1 + 6 x_2 + 10 x_3")
    solutions, objective = faults(other)
    assert solutions == ""
    assert "ranks solutions differently" in objective
    assert "the cost of x_3 is 10, not 11" in objective
    turned = faults(knapsack(objective="Minimize\n value: 4 x_0 + 5 x_1 + 6 x_2 + 11 x_3"))[1]
    assert "(one maximises, the other minimises)" in turned


def test_other_names_are_matched_by_structure_or_a_mapping() -> None:
    def renamed(one: Model, letter: str) -> Model:
        names = tuple(name.replace("x_", letter) for name in one.columns)
        return one.changed(columns=names)

    assert faults(renamed(REFERENCE, "take")) == ["", ""]
    more = renamed(knapsack("room: 3 x_0 + 4 x_1 + 5 x_2 + 8 x_3 <= 12"), "take")
    (fault,) = faults(more)
    assert fault == (
        "no variable has one of the names x_0, x_1, x_2, ... (4 in all); "
        "found take0, take1, take2, ... (4 in all)"
    )
    assert faults(more, match=True)[0].startswith("?the variables cannot be paired")
    found, _ = faults(more, names={"x_*": "take*"})
    assert "wrong: take" in found
    assert "the row room of the reference is 12, not <= 9" in found
    shifted = REFERENCE.changed(columns=("x_3", "x_0", "x_1", "x_2"))
    assert faults(shifted)[0]
    assert faults(shifted, match=True) == ["", ""]


def test_only_the_columns_asked_for_count() -> None:
    reference = knapsack(
        "a: 3 x_0 + 4 x_1 + used = 7\n b: 5 x_2 + 8 x_3 - used <= 2",
        types="Bounds\n used >= 0\nBinaries\n x_0 x_1 x_2 x_3",
    )
    assert "no variable used" in faults(REFERENCE, reference)[0]
    assert faults(REFERENCE, reference, columns=["x_*"]) == ["", ""]
    indexed = reference.changed(columns=tuple(c.replace("_0", "[0]") for c in reference.columns))
    assert faults(REFERENCE, indexed, columns=["x[*]", "x_*"]) == ["", ""]


def test_undecided_is_neither_right_nor_wrong() -> None:
    handed = knapsack(
        "a: x_0 + x_3 <= 1\n b: x_1 + x_3 <= 1\n c: x_2 + x_3 <= 1\n d: x_0 + x_1 + x_2 <= 2"
    )
    solutions, objective = faults(handed, seconds=1e-9)
    assert solutions.startswith("?whether all solutions of the model are right was not decided")
    assert "left" in solutions
    assert objective in ("", f"?{objective[1:]}")


@pytest.mark.parametrize(("wrong", "missing"), list(product([True, False, None], repeat=2)))
def test_objectives_that_are_not_ranked_are_no_fault_unless_the_solutions_differ(
    wrong: bool | None, missing: bool | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(references, "compare_objectives", lambda *_, **__: Objectives("unknown"))
    other = knapsack(objective="Maximize\n value: 4 x_0 + 5 x_1 + 6 x_2 + 10 x_3")
    found = compare_with_reference(other, REFERENCE)
    found.__dict__["wrong"], found.__dict__["missing"] = Inclusion(wrong), Inclusion(missing)
    with pytest.raises(Failed) as raised:
        found.check_objective()
    differ = False in (wrong, missing) and None not in (wrong, missing)
    assert isinstance(raised.value, Undecided) is not differ
    assert str(raised.value).startswith("not checked, because the solutions differ") is differ


def test_every_verdict_is_that_of_all_points() -> None:
    """All single changes of the knapsack's row, against all sixteen points."""
    points = list(product((0, 1), repeat=4))

    def fit(sizes: tuple[int, ...], room: int) -> set[tuple[int, ...]]:
        return {x for x in points if sum(a * b for a, b in zip(sizes, x, strict=True)) <= room}

    right = fit(SIZES, 9)
    for place, step in product(range(4), (-3, 1)):
        sizes = tuple(size + step * (n == place) for n, size in enumerate(SIZES))
        row = " + ".join(f"{size} x_{n}" for n, size in enumerate(sizes))
        solutions, _ = faults(knapsack(f"room: {row} <= 9"))
        assert (solutions == "") is (fit(sizes, 9) == right)
        assert ("solution that is wrong" in solutions) is bool(fit(sizes, 9) - right)
        assert ("has not this solution" in solutions) is bool(right - fit(sizes, 9))


PROGRAM = '''"""The knapsack problem."""
import pulp

DATA = {"small": {"sizes": [3, 4, 5, 8], "values": [4, 5, 6, 11], "room": 9},
        "large": {"sizes": [5, 7, 11, 13, 17], "values": [6, 7, 13, 12, 20], "room": 30}}


def build(data):
    problem = pulp.LpProblem("knapsack", pulp.LpMaximize)
    x = [problem.add_variable(f"x_{n}", cat="Binary") for n in range(len(data["sizes"]))]
    problem += pulp.lpSum(value * one for value, one in zip(data["values"], x))
    problem += pulp.lpSum(size * one for size, one in zip(data["sizes"], x)) <= data["room"], "room"
    return problem
'''
PYOMO = """
import pyomo.environ as pyo


def build(data):
    model, items = pyo.ConcreteModel(), range(len(data["sizes"]))
    model.x = pyo.Var(items, domain=pyo.Binary)
    model.rest = pyo.Var(bounds=(0, None))
    used = sum(data["sizes"][n] * model.x[n] for n in items)
    model.room = pyo.Constraint(expr=used + model.rest == data["room"])
    model.value = pyo.Objective(expr=-sum(data["values"][n] * model.x[n] for n in items))
    return model
"""
HIGHSPY = """
import highspy


def build(data):
    highs = highspy.Highs()
    x = [highs.addBinary(name=f"x[{n}]") for n in range(len(data["sizes"]))]
    highs.addConstr(sum(size * one for size, one in zip(data["sizes"], x)) <= data["room"])
    cost = sum(value * one for value, one in zip(data["values"], x))
    highs.setObjective(cost, sense=highspy.ObjSense.kMaximize)
    return highs
"""
ROOM = '<= data["room"], "room"'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "class").mkdir()
    (tmp_path / "knapsack.py").write_text(PROGRAM)
    return tmp_path


def one(folder: Path, text: str, **how: object) -> Marks:
    (folder / "class" / "ada.py").write_text(text)
    how = {"files": [folder / "class" / "ada.py"], **how}
    found = grade_model(folder / "knapsack.py", **how)  # type: ignore[arg-type]
    assert isinstance(found, Marks)
    return found


@pytest.mark.long
@pytest.mark.parametrize(
    "program",
    [
        PROGRAM,
        PYOMO,
        HIGHSPY,
        PROGRAM.replace("x_", "take"),
        PROGRAM.replace("sizes", "parts").replace('data["parts"]', 'data["sizes"]'),
    ],
    ids=["pulp", "pyomo", "highspy", "other names", "other words"],
)
def test_programs_in_every_language_get_full_marks(folder: Path, program: str) -> None:
    found = one(folder, program)
    assert [check.fault for check in found.checks] == [""] * 5
    assert found.checks[0].what == "build(data) returns a model"
    assert (found.marks, found.most, found.status) == (7, 7, Status.ACCEPTED)
    assert (found.exercise, found.title) == ("knapsack", "The knapsack problem.")


@pytest.mark.long
@pytest.mark.parametrize(
    ("old", "new", "marks", "words"),
    [
        (ROOM, '<= data["room"] + 2, "room"', 3, "the row room of the reference is 11, not <= 9"),
        (ROOM, '<= data["room"] + 2 * (len(x) > 4)', 5, "of the reference is"),
        ("return problem", "return 7", 0, "build returned int, not a model"),
        ("return problem", "return 1 / 0", 0, "ZeroDivisionError: division by zero (line 13)"),
        ("return problem", "import os; os._exit(0)", 0, "ended before it had handed over"),
        ("return problem", "while True: pass", 0, "took longer than 15 seconds"),
        ("return problem", "return problem if len(x) < 5 else None", 4, "returned NoneType"),
        ("def build", "def built", 0, "the file has no function build"),
        ("import pulp", "import pulp, nothing", 0, "No module named"),
        ("LpMaximize", "LpMinimize", 5, "(one maximises, the other minimises)"),
        ('f"x_{n}", cat="Binary"', 'f"x_{n}", lowBound=0, upBound=1', 3, "is integer, not"),
        ('f"x_{n}"', '"x"', 1, "the model has no variable x_0, which is 1"),
        ("lpSum(size", "lpSum(1e300 * size", 0, "not a finite one below 1e+20"),
    ],
)
def test_a_wrong_or_hostile_program_has_the_reason(
    folder: Path, old: str, new: str, marks: int, words: str
) -> None:
    assert old in PROGRAM
    found = one(folder, PROGRAM.replace(old, new), time_limit=15 if "while" in new else None)
    assert found.marks == marks, found
    assert any(words in check.fault for check in found.checks), found


@pytest.mark.long
def test_a_program_that_hands_over_files_of_its_own_is_no_better(folder: Path) -> None:
    forged = (
        "import json, os\n"
        "found = {'data': [], 'title': '', 'models': [{}, 'x']}\n"
        "open('models.json', 'w').write(json.dumps(found))\n"
        "open('done', 'w').close()\n"
        "os._exit(0)\n"
    )
    found = one(folder, forged)
    assert (found.marks, found.checks[0].fault) == (0, "what the file handed over cannot be read")


@pytest.mark.long
def test_undecided_is_a_row_of_its_own(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(references, "COMPARISON_SECONDS", 1e-9)
    found = one(folder, PROGRAM.replace(ROOM, '+ 0.1 * x[0] <= data["room"] + 0.05'))
    undecided = [check for check in found.checks if check.undecided]
    assert undecided
    assert found.marks < found.most == found.marks + found.undecided
    assert found.status is Status.UNKNOWN
    assert f"{found.marks} of 7 marks, {found.undecided} not decided" in str(found)
    assert "  ?/2  small: the solutions are those of the reference" in str(found)
    assert "was not decided in 1e-09 seconds" in str(found)


@pytest.mark.long
def test_a_class_is_marked_resumed_and_compared(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    (folder / "roster.csv").write_text("student\nada\nbob\ncarl\n")
    (folder / "class" / "ada.py").write_text(PYOMO)
    (folder / "class" / "bob.py").write_text(PROGRAM.replace(ROOM, '<= data["room"] + 2'))
    (folder / "class" / "carl.lp").write_text("no program")
    words = ["grade", "model", "knapsack.py", "class", "--roster", "roster.csv"]
    assert main([*words, "--workers", "2", "--feedback", "pages", "-o", "marks.json"]) == 1
    found = json.loads((folder / "marks.json").read_text())["submissions"]
    rows = [(row["student"], row["marks"], row["most"]) for row in found]
    assert rows == [("ada", 7, 7), ("bob", 3, 7), ("carl", 0, 7)]
    assert (
        "there is no file .py or .ipynb of this student; found carl.lp"
        in found[2]["checks"][0]["fault"]
    )
    assert "not <= 9" in (folder / "pages" / "bob.txt").read_text()
    (folder / "class" / "bob.py").write_text(PROGRAM)
    capsys.readouterr()
    assert main([*words, "--before", "marks.json", "--format", "csv"]) == 1
    assert "1 changed: bob 3 -> 7" in capsys.readouterr().err


@pytest.mark.long
def test_a_journal_of_another_reference_is_not_continued(folder: Path) -> None:
    program, journal = folder / "class" / "ada.py", folder / "journal"
    program.write_text(PROGRAM)

    def marks(**how: object) -> int:
        found = grade_model(folder / "knapsack.py", [folder / "class"], journal=journal, **how)  # type: ignore[arg-type]
        assert isinstance(found, ClassMarks)
        return found.submissions[0].marks

    assert marks() == marks(resume=True) == 7
    (folder / "knapsack.py").write_text(PROGRAM.replace('"room": 9', '"room": 10'))
    with pytest.raises(InputError):
        marks(resume=True)


def test_model_files_are_compared_without_programs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    text = "Maximize\n v: 2 x + 3 y\nSubject To\n c: x + y <= 3\nBounds\n x <= 2\n y <= 2\n"
    (tmp_path / "pair.lp").write_text(f"{text}Generals\n x y\nEnd\n")
    (tmp_path / "class").mkdir()
    (tmp_path / "class" / "ada.lp").write_text(f"{text}Generals\n y x\nEnd\n")
    (tmp_path / "class" / "bob.lp").write_text(f"{text}End\n")
    (tmp_path / "class" / "carl.mps").write_text("nothing\n")
    assert main(["grade", "model", "pair.lp", "class"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[2].startswith("  4/4  ada  ")
    assert lines[3].startswith("  2/4  bob  ")
    assert lines[4].startswith("  0/4  carl  ")
    assert main(["grade", "model", "pair.lp", "class/ada.lp"]) == 0
    assert "the file is a model" in capsys.readouterr().out


def test_what_is_no_reference_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "model.txt"
    with pytest.raises(InputError, match="there is no such reference"):
        grade_model(path, [path])
    path.write_text("x")
    with pytest.raises(InputError, match="a reference is a Python file, or an MPS or LP file"):
        grade_model(path, [path])
    (tmp_path / "model.lp").write_text("Minimize\n x\nEnd\n")
    with pytest.raises(InputError, match="--data goes with a Python file"):
        grade_model(tmp_path / "model.lp", [path], data=path)
    (tmp_path / "model.lp").write_text("Minimize\n x\nSubject To\n c: x >= 1\nEnd\n")
    for wrong in ({"columns": ["y*"]}, {"names": {"y*": "z*"}}, {"names": {"y": "z"}}):
        with pytest.raises(InputError, match="no variable of the reference is like 'y"):
            grade_model(tmp_path / "model.lp", [path], **wrong)  # type: ignore[arg-type]


@pytest.mark.long
def test_faults_of_a_reference_are_errors(folder: Path) -> None:
    mine = folder / "class" / "ada.py"
    mine.write_text(PROGRAM)
    reference = folder / "knapsack.py"
    for old, new, words in (
        ("return problem", "return 7", "the reference, data set small: build failed"),
        ("def build", "def built", "the file has no function build"),
        ("DATA = {", "DATA = [] and {", "has no data sets"),
    ):
        reference.write_text(PROGRAM.replace(old, new))
        with pytest.raises(InputError, match=words):
            grade_model(reference, [mine])
    reference.write_text(PROGRAM)
    data = folder / "data"
    data.mkdir()
    with pytest.raises(InputError, match="has no JSON files"):
        grade_model(reference, [mine], data=data)
    (data / "a.json").write_text('{"sizes": [1, 2], "values": [1, 1], "room": 2}')
    found = grade_model(reference, [mine], data=data)
    assert isinstance(found, Marks)
    assert [check.what.partition(":")[0] for check in found.checks][1:] == ["a", "a"]
    (data / "b.json").write_text("{")
    with pytest.raises(InputError, match="is not JSON"):
        grade_model(reference, [mine], data=data)


@pytest.mark.parametrize("maximise", [True, False])
def test_what_a_program_hands_over_is_its_model_or_its_fault(*, maximise: bool) -> None:
    sign = -1 if maximise else 1  # the file has the objective to be minimised
    mps = f"ROWS\n N o\n E r\nCOLUMNS\n a o {sign} r 1\n b r 1\nRHS\n rhs o {-2 * sign} r 1\nENDATA"
    names = {"columns": {"a": "x[0]"}, "rows": {}}
    read = references._read({"mps": mps, "maximise": maximise, **names})
    assert isinstance(read, Model)
    assert read.columns == ("x[0]", "b")
    assert read.maximise is maximise
    assert read.exact_objective({0: 1}) == 3
    assert references._read("ValueError: no") == "build failed: 'ValueError: no'"
    assert str(references._read({"mps": "ROWS\n X r\n", **names})).startswith("the model cannot be")
    twice = {"columns": {"a": "b"}, "rows": {}}
    assert references._read({"mps": mps, **twice}) == "two variables or two rows have one name"


def test_a_model_too_large_or_of_other_variables_is_not_compared(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(references, "MAX_NONZEROS", 1)
    few = model("Minimize\n o: x_0\nSubject To\n r: x_0 <= 1\nEnd\n")
    most = 10 * few.nonzeros
    rows = "\n".join(f" r{n}: x_0 <= {n}" for n in range(most + 1))
    with pytest.raises(Undecided, match=f"{most + 1} coefficients; at most {most} are compared"):
        compare_with_reference(model(f"Minimize\n o: x_0\nSubject To\n{rows}\nEnd\n"), few)
    two = model("Minimize\n o: x_0\nSubject To\n r: x_0 + z <= 1\nEnd\n")
    with pytest.raises(Failed, match=r"no variable has one of the names '?z"):
        compare_with_reference(few, two, columns=["z"])


@pytest.mark.parametrize(
    ("handed", "read"),
    [
        ({"models": ["a", "b"], "title": "t", "data": [["1", [7]], ["2", []]]}, True),
        ({"models": ["a"], "title": "t", "data": [["1", [7]], ["2", []]]}, False),
        ({"models": ["a", "b", "c"], "title": "t", "data": [["1", [7]], ["2", []]]}, False),
        ({"models": ["a", "b"], "title": "t", "data": 7}, False),
        ({"models": ["a", "b"], "title": "t", "data": [["1"], ["2"]]}, False),
        ({"models": ["a", "b"], "title": "t"}, False),
        ({"models": 7, "title": "t", "data": []}, False),
        ([], False),
        (b"{", False),
        (b"[" * 100_000, False),
    ],
)
def test_what_a_program_hands_over_has_a_model_for_each_data_set(
    handed: Any, read: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = handed if isinstance(handed, bytes) else json.dumps(handed).encode()
    (tmp_path / "models.json").write_bytes(text)

    @contextlib.contextmanager
    def run(_: object, task: Any, names: list[str], *, limits: Any) -> Iterator[Path]:
        assert (task["job"], names) == ("models", ["models.json"])
        assert limits == (None if seconds is None else {"seconds": seconds})
        yield tmp_path

    monkeypatch.setattr(references, "run_submission", run)
    monkeypatch.setattr(references, "_read", lambda one: f"read {one}")
    sets: list[tuple[str, list[Any]]] = [("1", [7]), ("2", [])]
    path = tmp_path / "mine.py"
    for seconds in (None, 9):
        for given in (None, sets):
            known = (
                given is not None and isinstance(handed, dict) and handed["models"] == ["a", "b"]
            )
            if read or known:
                assert references.build_models(path, given, seconds) == (
                    sets,
                    ["read a", "read b"],
                    "t",
                )
            else:
                with pytest.raises(Failed, match="what the file handed over cannot be read"):
                    references.build_models(path, given, seconds)


@pytest.mark.parametrize("match", [True, False])
@pytest.mark.parametrize("names", [None, {"x": "y"}])
@pytest.mark.parametrize("works", ["matched", "named", "neither"])
def test_variables_are_paired_by_structure_if_names_do_not_pair_them(
    works: str, names: Any, match: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A mapping that fits neither is the student's fault."""
    asked: list[bool] = []

    def pair(one: Any, other: Any, given: Any, *, match: bool = False, clock: Any = None) -> str:
        assert (one, other, given) == ("model", reference, names)
        asked.append(match)
        if works != ("matched" if match else "named"):
            raise InputError("matched in vain" if match else "named in vain")
        return works

    reference: Any = type("Reference", (), {"columns": ("x",)})()
    monkeypatch.setattr(references, "pair_columns", pair)
    monkeypatch.setattr(references, "_unnamed", lambda *_: Failed("no names"))
    model: Any = "model"

    def paired() -> Any:
        return references._paired(model, reference, names, Deadline(9.0), match=match)

    if works != "neither":
        assert paired() == works
    elif match:
        with pytest.raises(Undecided, match="cannot be paired: matched in vain"):
            paired()
    else:
        with pytest.raises(Failed, match="named in vain" if names else "no names"):
            paired()
    first = [True, False] if match else [False, True]
    assert asked == first[: 1 if works == ("matched" if match else "named") else 2]
