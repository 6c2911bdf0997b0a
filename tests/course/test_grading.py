"""Reference solutions get full marks, starters do not, wrong ones fail for the right reason."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from calmip.cli import main
from calmip.course.cases import CASES
from calmip.course.exercises import EXERCISES, write_solutions
from calmip.course.marks import quoted
from calmip.problem.cover import ExactCover
from calmip.render.reports.grade import board as board_of
from calmip.search.equivalence import Equivalence
from calmip.search.exact_cover.search import Search
from calmip.tasks.grade import Marks, grade, grade_class

COURSE = Path(__file__).parents[2] / "docs" / "course"
REFERENCES: dict[str, Path] = {}


@pytest.fixture(scope="module", autouse=True)
def _references(tmp_path_factory: pytest.TempPathFactory) -> None:
    written = write_solutions(tmp_path_factory.mktemp("solutions"))
    REFERENCES.update({path.name[0]: path for path in written})


def folder(exercise: str) -> Path:
    (found,) = COURSE.glob(f"{exercise}-*")
    return found


def handed_in(exercise: str, kind: str) -> Path:
    if kind == "reference":
        return REFERENCES[exercise]
    (found,) = folder(exercise).glob(f"{kind}.*")
    return found


def test_no_solution_lies_beside_a_starter() -> None:
    for exercise in EXERCISES:
        found = sorted(path.stem for path in folder(exercise).iterdir() if path.is_file())
        assert found == ["index", "starter"]
        assert REFERENCES[exercise].stem == folder(exercise).name


def test_solutions_are_written_by_the_program(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["grade", "--solutions", str(tmp_path / "solutions")]) == 0
    written = sorted((tmp_path / "solutions").iterdir())
    assert [path.read_bytes() for path in written] == [
        REFERENCES[exercise].read_bytes() for exercise in EXERCISES]  # fmt: skip
    assert main(["grade", "1", "--solutions", str(tmp_path)]) == 2
    assert main(["grade", "1", "--solutions", str(tmp_path), "--format", "json"]) == 2
    assert main(["grade", "1"]) == 2
    assert "name an EXERCISE, 1 to 6, and a FILE" in capsys.readouterr().err


def failed(result: Marks) -> dict[str, str]:
    return {check.what: check.fault for check in result.checks if not check.passed}


@pytest.mark.parametrize("exercise", EXERCISES)
def test_the_reference_gets_full_marks_and_the_starter_does_not(exercise: str) -> None:
    result = grade(exercise, handed_in(exercise, "reference"))
    assert (result.marks, result.most, failed(result)) == (10, 10, {})
    assert grade(exercise, handed_in(exercise, "starter")).marks < 10
    assert (folder(exercise) / "index.md").is_file()


VARIABLES = "a variable for every placement and for nothing else"
TILINGS = "every tiling satisfies the model"
SOLUTIONS = "every solution of the model is a tiling"
BINARY = "all variables are binary"
RUNS = "build(puzzle) returns a model"

# What is changed in the reference, which check has to fail first, and with which words.
WRONG_MODELS = {
    "no rows for pieces": (
        'for piece in puzzle["pieces"]:\n        problem', 'for piece in []:\n        problem',
        SOLUTIONS, "piece"),
    "<= in place of =": ("== 1", "<= 1", SOLUTIONS, "is covered not at all, not once"),
    ">= in place of =": ("== 1", ">= 1", SOLUTIONS, "times"),
    "one cell too far uncovered": (
        'label not in puzzle["uncover"]', 'labels[column - 1] not in puzzle["uncover"]',
        VARIABLES, "puzzle eleven cells"),
    "nothing uncovered": ('and label not in puzzle["uncover"]', "", VARIABLES, "no placement"),
    "places off the board": ('label != "." and', "", VARIABLES, "puzzle eleven cells"),
    "no mirrored pieces": ("range(2 if flip else 1)", "range(1)", VARIABLES, "no variable for"),
    "always mirrored": ("range(2 if flip else 1)", "range(2)", VARIABLES, "without turning over"),
    "half of the turns": ("range(4)", "range(2)", VARIABLES, "no variable for"),
    "one row too few": ("range(height)", "range(height - 1)", VARIABLES, "no variable for"),
    "integrality relaxed": ('cat="Binary"', "lowBound=0, upBound=1", BINARY, "binary"),
    "a tiling forbidden": (
        "    return problem\n",
        '    problem += x["L", ((0, 0), (0, 1), (0, 2), (1, 0))] == 0 if ("L", ((0, 0), (0, 1), '
        "(0, 2), (1, 0))) in x else pulp.lpSum(x.values()) >= 0\n    return problem\n",
        TILINGS, "a tiling that the model forbids"),
    "no problem at all": ("    return problem\n", "    return None\n", RUNS, "NoneType"),
    "an error": ("    return problem\n", "    return problem / 0\n", RUNS, "line "),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG_MODELS)
def test_a_wrong_model_fails_for_the_right_reason(name: str, tmp_path: Path) -> None:
    old, new, check, words = WRONG_MODELS[name]
    source = handed_in("2", "reference").read_text()
    assert old in source
    path = tmp_path / "mine.py"
    path.write_text(source.replace(old, new))
    result = grade("2", path)
    faults = failed(result)
    assert next(iter(faults)) == check, faults
    assert words in faults[check]
    assert result.marks < result.most
    if check in (VARIABLES, TILINGS, SOLUTIONS):
        board = next(board_of(c) for c in result.checks if c.what == check)
        assert board.startswith("+-")


@pytest.mark.parametrize(
    ("old", "new", "check", "words"),
    [
        ("sum(covering) == 1", "sum(covering) <= 1", None, ""),  # right: pieces fix the area
        ("== 1", "<= 1", SOLUTIONS, "not at all"),
        ("domain=pyo.Binary", "domain=pyo.UnitInterval", BINARY, "binary"),
        ("range(2 if flip else 1)", "range(1)", VARIABLES, "no variable for"),
        ("model.pieces =", "unused =", SOLUTIONS, "piece"),
    ],
)
def test_wrong_and_right_models_in_pyomo(
    old: str, new: str, check: str | None, words: str, tmp_path: Path
) -> None:
    source = handed_in("3", "reference").read_text()
    assert old in source
    path = tmp_path / "mine.py"
    path.write_text(source.replace(old, new))
    faults = failed(grade("3", path))
    assert next(iter(faults), None) == check, faults
    assert check is None or words in faults[check]


@pytest.mark.parametrize(
    ("change", "marks", "words"),
    [
        (("I: 00 01", "I: 00 02"), 4, "does not have the shape of I"),
        (("I: 00 01", "I: 02 03"), 4, "leaves the board"),
        (("I: 00 01", "I: 01 02"), 4, "listed twice"),
        (("I: 00 01", "K: 00 01"), 4, "there is no piece"),
        (("L: 00 01 02 12", "# no mirror images"), 7, "1 placement is missing"),
        (("I: 00 01", "I 00 01"), 0, "line 1"),
    ],
)
def test_wrong_lists(change: tuple[str, str], marks: int, words: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.txt"
    path.write_text(handed_in("1", "reference").read_text().replace(*change))
    result = grade("1", path)
    assert result.marks == marks
    assert words in next(iter(failed(result).values()))


def test_the_cells_of_a_listed_placement_come_in_any_order(tmp_path: Path) -> None:
    path = tmp_path / "mine.txt"
    lines = handed_in("1", "reference").read_text().splitlines()
    turned = []
    for line in lines:
        piece, colon, cells = line.partition(":")
        turned.append(line if "#" in line else piece + colon + " ".join([*cells.split()][::-1]))
    assert turned != lines
    path.write_text("\n".join(turned) + "\n")
    assert grade("1", path).marks == 10


T, T2, LEFT, RIGHT = "T_00_01_02_11", "T_01_10_11_12", "I_00_10", "I_02_12"


@pytest.mark.parametrize(
    ("answer", "marks", "words"),
    [
        ({"bound": 6, "optimum": 4, "cuts": []}, 5, "there is no cut"),
        ({"bound": 6, "optimum": 4, "cuts": [[T, T2, LEFT, RIGHT]]}, 7, "the bound is 4.66667"),
        ({"bound": 6, "optimum": 4, "cuts": [[T, T2]]}, 7, "the same as without them"),
        ({"bound": 5, "optimum": 5, "cuts": [[T, T2]]}, 3, "the same as without them"),
        ({"bound": 4, "optimum": 4, "cuts": [[T, T2]]}, 5, "the bound is not"),
        ({"bound": 6, "optimum": 6, "cuts": [[T, T2]]}, 5, "the optimum is not"),
        ({"bound": True, "optimum": 4, "cuts": [[T, T2]]}, 5, "bound is a number"),
        ({"bound": 6, "optimum": 4, "cuts": [["X_00"]]}, 0, "is no placement"),
        ({"bound": 6, "optimum": 4, "cuts": [[T, T]]}, 0, "different placements"),
        ({"bound": 6, "optimum": 4}, 0, "the file is"),
        ([], 0, "the file is"),
    ],
)
def test_wrong_bounds_and_cuts(answer: object, marks: int, words: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    path.write_text(json.dumps(answer))
    result = grade("4", path)
    assert result.marks == marks
    faults = " ".join(failed(result).values())
    assert words in faults
    assert "is 6" not in faults  # no answer is told


K1, K2, ALL = ("cut_k1 forbids its tiling and no other",
               "cut_k2 forbids its tiling and no other, with k - 2",
               "enumerate_all finds every tiling once")  # fmt: skip


@pytest.mark.parametrize(
    ("old", "new", "checks", "words"),
    [
        ("len(tiling) - 2", "len(tiling) - 3", [K2, ALL], "forbids this one too"),
        ("len(tiling) - 1", "len(tiling)", [K1], "does not forbid it"),
        ("len(tiling) - 1", "len(tiling) - 2", [K1], "k - 1"),
        ("len(tiling) - 2", "len(tiling) - 1", [K2], "k - 2"),
        ("return tiling, len(tiling) - 1", "return tiling[:1], 0", [K1], "too"),
        ("return found", "return found[:-1]", [ALL], "missing"),
        ("return found", "return found + found[:1]", [ALL], "listed twice"),
        ("return found", "return [found[0][:1]]", [ALL], "is no tiling"),
        ("return tiling, len(tiling) - 1", "return ['Q_99'], 0", [K1], "none of the placements"),
    ],
)
def test_wrong_enumerations(
    old: str, new: str, checks: list[str], words: str, tmp_path: Path
) -> None:
    source = handed_in("5", "reference").read_text()
    assert old in source
    path = tmp_path / "mine.py"
    path.write_text(source.replace(old, new))
    faults = failed(grade("5", path))
    assert list(faults) == checks
    assert words in faults[checks[0]]


def test_wrong_answers_of_solvers(tmp_path: Path) -> None:
    lines = handed_in("6", "reference").read_text().splitlines()
    path = tmp_path / "mine.sol"

    def marks(text: str) -> tuple[int, str]:
        path.write_text(text)
        result = grade("6", path)
        return result.marks, " ".join(failed(result).values())

    assert marks("\n".join(lines[:-1]) + "\n")[0] == 6
    got, why = marks("\n".join([lines[0], lines[1].replace(" 1 ", " 0.5 "), *lines[2:]]) + "\n")
    assert got == 2
    assert "neither 0 nor 1" in why
    got, why = marks("=infeas=\n")
    assert got == 0
    assert "it is a tiling of 29 February" in [check.what for check in grade("6", path).checks]
    assert "64 tilings" in why
    got, why = marks("=obj= 0\nQ_z99 1\n")
    assert got == 2
    assert "not columns of this model" in why
    assert marks("10 of 10 marks\n")[0] == 0
    for name in ("highs-sparse.sol", "highs-raw.sol.gz", "highs-pretty.sol.gz"):
        result = grade("6", Path(__file__).parents[1] / "data" / "solutions" / f"feb29.{name}")
        assert result.marks == 8
        assert "use a second solver" in " ".join(failed(result).values())


def test_a_list_of_nothing(tmp_path: Path) -> None:
    path = tmp_path / "mine.txt"
    path.write_text("# nothing\n")
    result = grade("1", path)
    assert (result.marks, result.checks[0].fault) == (0, "the file lists no placement")


def test_the_program_prints_marks_as_text_and_json(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert main(["grade", "1", str(handed_in("1", "reference"))]) == 0
    assert capsys.readouterr().out.endswith("\n10 of 10 marks\n")
    assert main(["grade", "1", str(handed_in("1", "starter")), "--format", "json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert list(found) == ["exercise", "title", "file", "marks", "most", "checks"]
    assert (found["marks"], found["most"]) == (4, 10)
    assert [check["passed"] for check in found["checks"]] == [True, True, False, False]
    assert found["checks"][2]["board"].startswith("+-")
    out = tmp_path / "marks.json"
    main(["grade", "1", str(handed_in("1", "starter")), "--format", "json", "-o", str(out)])
    assert json.loads(out.read_text()) == found
    assert main(["grade", "7", str(out)]) == 2
    assert main(["grade", "1", "nosuch.txt"]) == 2
    assert "there is no such file" in capsys.readouterr().err


HUGE = 10**400


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ('{"bound": NaN, "optimum": 4, "cuts": [["%s", "%s"]]}', "finite number"),
        ('{"bound": 6, "optimum": 1e999, "cuts": [["%s", "%s"]]}', "finite number"),
        ('{"bound": 1' + 400 * "0" + ', "optimum": 4, "cuts": [["%s", "%s"]]}', "finite number"),
    ],
)
def test_every_number_is_finite(answer: str, words: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    path.write_text(answer % (T, T2))
    result = grade("4", path)
    assert result.marks < 10
    assert words in next(iter(failed(result).values()))


def test_a_thousand_cuts_are_read_and_no_more(tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    for number, said in ((1000, False), (1001, True)):
        path.write_text(json.dumps({"bound": 6, "optimum": 4, "cuts": [[T, T2]] * number}))
        faults = " ".join(failed(grade("4", path)).values())
        assert ("at most 1000 lists" in faults) is said


def test_an_answer_that_is_no_text_is_said(tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    path.write_bytes(b"\xff\xfe\x00")
    result = grade("4", path)
    assert (result.marks, "UTF-8" in result.checks[0].fault) == (0, True), result.checks[0].fault


@pytest.mark.parametrize(
    "cut",
    [
        [T, f"x[{T}]", T2, LEFT, RIGHT],  # the same placement by two names
        [T, "T_02_01_00_11"],  # and by its cells in another order
        [T, {"name": T2}],
        [T, f"{T2} {LEFT}"],  # two placements in one name
    ],
)
def test_a_placement_is_named_once_and_by_a_name(cut: list[object], tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    path.write_text(json.dumps({"bound": 6, "optimum": 4, "cuts": [cut]}))
    result = grade("4", path)
    assert result.marks == 0
    assert any(words in result.checks[0].fault for words in ("twice", "is no placement"))


def test_what_cannot_be_shown_is_refused_all_the_same(tmp_path: Path) -> None:
    deep: list[object] = []
    for _ in range(100_000):
        deep = [deep]
    assert quoted(deep) == "a list that is too large to be shown"
    assert quoted(10**5000) == "a int that is too large to be shown"
    path = tmp_path / "mine.json"
    for depth in (10, 100, 300, 450, 490, 900):  # some can be read, and not be shown
        nested = "[" * depth + "]" * depth
        for answer in (
            '{"bound": 6, "optimum": 4, "cuts": [[%s]]}',
            '{"bound": %s, "optimum": 4, "cuts": []}',
        ):
            path.write_text(answer % nested)
            assert grade("4", path).marks <= 5


@pytest.mark.parametrize(
    ("functions", "checks"),
    [
        ('def cut_k1(t): return [], float("nan")', [K1]),
        ('def cut_k2(t): return [], float("nan")', [K2]),
        ("def cut_k1(t): return t, float('inf')", [K1]),
        ("def cut_k1(t): return t + t, len(t) - 1", [K1]),
        ("def cut_k2(t): return t + ['x[' + t[0] + ']'], len(t) - 2", [K2]),
        (
            "first = enumerate_all\ndef enumerate_all(s): return [t + t[:1] for t in first(s)]",
            [ALL],
        ),
    ],
)
def test_cuts_and_lists_hold_finite_numbers_and_every_name_once(
    functions: str, checks: list[str], tmp_path: Path
) -> None:
    path = tmp_path / "mine.py"
    path.write_text(handed_in("5", "reference").read_text() + "\n" + functions + "\n")
    result = grade("5", path)
    assert result.marks < 10
    assert set(checks) <= set(failed(result))


def test_a_cut_that_forbids_too_little_is_told_how_much_it_allows(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    source = handed_in("5", "reference").read_text()
    path.write_text(source + "\ndef cut_k1(t): return t[:1], 1\n")
    faults = failed(grade("5", path))
    assert list(faults) == [K1]
    assert faults[K1].endswith("1 of its placements are chosen, and 1 are allowed")


# The child writes its results by functions that a submission can replace.
FORGED = """
import json, os
def put(k1):
    cases = {counts}
    found = {{"k-1": [[[[], k1]] * n for n in cases], "k-2": [[[[], k1]] * n for n in cases],
             "lists": [[] for n in cases]}}
    open("cuts.json", "w").write(json.dumps(found))
    open("done", "w").close()
    os._exit(0)
"""


@pytest.mark.parametrize("number", ["float('nan')", "float('inf')", str(HUGE), "True", "'1'"])
def test_forged_numbers_are_refused(number: str, tmp_path: Path) -> None:
    counts = [len(list(Search(ExactCover(instance)))) for instance in CASES]
    path = tmp_path / "mine.py"
    path.write_text(FORGED.format(counts=counts) + f"put({number})\n")
    result = grade("5", path)
    assert result.marks == 0
    assert "number" in result.checks[0].fault


@pytest.mark.parametrize(
    "text",
    ["", "[]", "7", "{}", '{"k-1": 1, "k-2": [], "lists": []}', "[" * 2000, '{"k-1": [[[[]]]]}'],
)
def test_forged_files_that_are_no_cuts_are_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(
        f"import os\nopen('cuts.json', 'w').write({text!r})\nopen('done', 'w').close()\n"
        "os._exit(0)\n"
    )
    result = grade("5", path)
    assert (result.marks, result.checks[0].fault) == (0, "what the file handed over cannot be read")


def test_too_few_lists_and_cuts_are_said(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    found = {"k-1": [[]], "k-2": [[]] * len(CASES), "lists": [[]]}
    path.write_text(
        f"import os\nopen('cuts.json', 'w').write({json.dumps(found)!r})\n"
        "open('done', 'w').close()\nos._exit(0)\n"
    )
    result = grade("5", path)
    assert [check.fault for check in result.checks[1:]] == [
        "there is not one cut for every tiling",
        "there is not one cut for every tiling",
        "there is not one list for every puzzle",
    ]


def test_what_was_not_decided_earns_no_marks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "calmip.course.modelling.compare_model",
        lambda *_, **__: Equivalence(None, "the time was over"),
    )
    result = grade("2", handed_in("2", "reference"))
    assert failed(result) == {TILINGS: "puzzle six cells: not decided: the time was over"}


def test_a_model_that_was_not_searched_in_time_earns_no_marks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("calmip.course.modelling.SECONDS", 1e-9)
    found = failed(grade("2", handed_in("2", "reference")))
    assert found.keys() == {SOLUTIONS}
    assert "was not found out in time" in found[SOLUTIONS]


def test_variables_that_make_no_tiling_are_too_few_to_judge_the_equations(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(
        "import pulp\n\n\ndef build(puzzle):\n    problem = pulp.LpProblem()\n"
        '    problem += problem.add_variable("I_00_01", cat="Binary") <= 1\n    return problem\n'
    )
    found = failed(grade("2", path))
    assert found.keys() == {VARIABLES, TILINGS, SOLUTIONS}
    assert found[TILINGS] == "its variables are too few for any tiling of any puzzle"


def test_a_variable_that_is_no_placement_is_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    source = handed_in("2", "reference").read_text()
    assert "    return problem\n" in source
    helper = (
        '    problem += problem.add_variable("helper", cat="Binary") == 1\n    return problem\n'
    )
    path.write_text(source.replace("    return problem\n", helper))
    assert grade("2", path).marks == grade("2", handed_in("2", "reference")).marks


def class_of(folder: Path, names: dict[str, str]) -> Path:
    """Write a folder of submissions: a file's name and what is in it."""
    for name, text in names.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def test_a_class_is_marked_in_one_call(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    right = handed_in("1", "reference").read_text()
    starter = handed_in("1", "starter").read_text()
    names = {"ada/answer.txt": right, "bob.txt": starter, "=1+1.txt": "nonsense",
             ".hidden.txt": right, "notes.md": right}  # fmt: skip
    folder = class_of(tmp_path / "class", names)
    found = grade_class("1", [folder])
    assert [(Path(one.file).name, one.marks) for one in found.submissions] == [
        ("=1+1.txt", 0), ("answer.txt", 10), ("bob.txt", 4)]  # fmt: skip
    for one in found.submissions:
        assert one.checks == grade("1", one.file).checks
        assert one.describe()["file"] == one.file
    table = tmp_path / "marks.csv"
    assert main(["grade", "1", str(folder), "-o", str(table)]) == 1
    rows = list(csv.DictReader(table.read_text().splitlines()))
    assert [(row["submission"], row["marks"]) for row in rows] == [
        ("'=1+1", "0"), ("answer", "10"), ("bob", "4")]  # fmt: skip
    checks = [check.what for check in found.submissions[1].checks]
    assert sum(int(rows[2][what]) for what in checks) == 4
    capsys.readouterr()
    assert main(["grade", "1", str(folder / "ada"), str(folder / "ada" / "answer.txt")]) == 0
    assert "1 of 1 with full marks" in capsys.readouterr().out
    assert main(["grade", "1", str(folder), "--format", "gradescope"]) == 2
    assert "gradescope takes the results of one submission" in capsys.readouterr().err
    assert main(["grade", "1", str(folder / "bob.txt"), "--format", "gradescope"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert told["score"] == sum(test["score"] for test in told["tests"]) == 4
    assert {test["status"] for test in told["tests"]} == {"passed", "failed"}
    assert main(["grade", "1", str(tmp_path / "nosuch.txt"), str(folder / "bob.txt")]) == 1
    out = capsys.readouterr().out
    assert "no such file" in out
    assert "4/10" in out
    (tmp_path / "empty").mkdir()
    assert main(["grade", "1", str(tmp_path / "empty")]) == 2
    assert "there is no file .txt to grade" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("change", "marks"),
    [
        (("range(2 if flip else 1)", "range(1)"), 7),  # fewer placements, right equations
        (('label != "." and', ""), 5),  # more than there are, and rows for cells off the board
        (('and label not in puzzle["uncover"]', ""), 5),  # rows for cells that stay uncovered
        (("range(height)", "range(0)"), 1),  # none at all
    ],
)
def test_wrong_geometry_leaves_the_marks_of_right_equations(
    change: tuple[str, str], marks: int, tmp_path: Path
) -> None:
    path = tmp_path / "answer.py"
    path.write_text(handed_in("2", "reference").read_text().replace(*change))
    result = grade("2", path)
    assert VARIABLES in failed(result)
    assert result.marks == marks, failed(result)


HOSTILE = {
    "forever.py": "while True:\n    pass\n",
    "killer.py": "import os, signal\nos.kill(os.getppid(), signal.SIGKILL)\n",
    "forger.py": "print('10 of 10 marks')\nopen('done', 'w').write('10')\nraise SystemExit(0)\n",
}


@pytest.mark.slow
def test_hostile_submissions_do_not_spoil_a_class(tmp_path: Path) -> None:
    right = handed_in("2", "reference").read_text()
    wrong = right.replace("== 1", "<= 1")
    names = {f"s{n:02}.py": wrong if n % 3 == 0 else right for n in range(27)} | HOSTILE
    found = grade_class("2", [class_of(tmp_path / "class", names)], time_limit=20)
    marks = {Path(one.file).name: one.marks for one in found.submissions}
    assert len(marks) == 30
    for name, earned in marks.items():
        assert earned == (0 if name in HOSTILE else 10 if names[name] == right else 7)
    late = next(one for one in found.submissions if one.file.endswith("forever.py"))
    assert "took longer than 20 seconds" in late.checks[0].fault
