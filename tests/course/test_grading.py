"""Reference solutions get full marks, starters do not, wrong ones fail for the right reason."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import combinations
from pathlib import Path

import pytest

from calmip._base.errors import InputError
from calmip.cli import main
from calmip.course import programs
from calmip.course.checks import CASES, SIX, plain, quote
from calmip.course.exercises import EXERCISES, checks_of, write_solutions
from calmip.course.grade import Marks, grade, grade_folder
from calmip.puzzle.cover import ExactCover
from calmip.puzzle.search.equivalence import SameTilings
from calmip.puzzle.search.exact_cover.search import Search

COURSE = Path(__file__).parents[2] / "docs" / "course"
REFERENCES: dict[str, Path] = {}


@pytest.fixture(scope="module", autouse=True)
def _references(tmp_path_factory: pytest.TempPathFactory) -> None:
    written = write_solutions(tmp_path_factory.mktemp("solutions"))
    REFERENCES.update({path.name.partition("-")[0]: path for path in written})


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
        assert set(found) - {"data"} == {"index", "starter"}
        assert REFERENCES[exercise].stem == folder(exercise).name


def test_solutions_are_written_by_the_program(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["grade", "solutions", str(tmp_path / "solutions")]) == 0
    written = sorted((tmp_path / "solutions").iterdir())
    assert [path.read_bytes() for path in written] == [
        path.read_bytes() for path in sorted(REFERENCES.values())
    ]
    assert list(REFERENCES) == list(EXERCISES)
    capsys.readouterr()
    assert main(["grade", "1"]) == 2
    assert "Missing argument 'FILE...'" in capsys.readouterr().err


def failed(result: Marks) -> dict[str, str]:
    return {check.what: check.fault for check in result.checks if not check.passed}


@pytest.mark.long
@pytest.mark.parametrize("exercise", EXERCISES)
def test_the_reference_gets_full_marks_and_the_starter_does_not(exercise: str) -> None:
    result = grade(exercise, handed_in(exercise, "reference"))
    assert (result.marks, result.most, failed(result)) == (10, 10, {})
    assert grade(exercise, handed_in(exercise, "starter")).marks < 10
    assert (folder(exercise) / "index.md").is_file()


VARIABLES = "a variable for every placement and for no wrong one"
TILINGS = "every tiling satisfies the model"
SOLUTIONS = "every solution of the model is a tiling"
RUNS = "build(puzzle) returns a model"


def changed(exercise: str, folder: Path, *changes: tuple[str, str]) -> Path:
    """Write the reference solution with some changes."""
    source = handed_in(exercise, "reference").read_text()
    for old, new in changes:
        assert old in source, old
        source = source.replace(old, new)
    path = folder / "mine.py"
    path.write_text(source)
    return path


@pytest.mark.long
@pytest.mark.parametrize(
    ("change", "check"),
    [
        (("range(2 if flip else 1)", "range(1)"), VARIABLES),
        (
            (
                "    return problem\n",
                "    problem += list(x.values())[0] == 0\n    return problem\n",
            ),
            TILINGS,
        ),
        (("== 1", "<= 1"), SOLUTIONS),
    ],
)
def test_what_fails_is_drawn(change: tuple[str, str], check: str, tmp_path: Path) -> None:
    result = grade("2", changed("2", tmp_path, change))
    assert next(iter(failed(result))) == check
    board = next(one.board for one in result.checks if one.what == check)
    assert board.startswith("+-")


def test_every_puzzle_of_a_model_has_a_tiling_and_tells_mistakes_apart() -> None:
    assert all(any(Search(ExactCover(instance), limit=1)) for instance in CASES)
    features = {
        "no label": lambda i: not i.labels,
        "two labels": lambda i: len(i.labels) == 2,
        "three labels": lambda i: len(i.labels) == 3,
        "a label inside of an uncovered one": lambda i: any(
            a != b and a in b for b in i.labels for a in i.puzzle.board.labels
        ),
        "an uncovered label inside of another": lambda i: any(
            a != b and b in a for b in i.labels for a in i.puzzle.board.labels
        ),
        "an uncovered label over two cells": lambda i: any(
            len(i.puzzle.board.labels[label]) == 2 for label in i.labels
        ),
        "a label to cover over two cells": lambda i: any(
            len(cells) == 2 and label not in i.labels
            for label, cells in i.puzzle.board.labels.items()
        ),
        "a high board": lambda i: i.puzzle.board.shape[0] > i.puzzle.board.shape[1],
        "a wide board": lambda i: i.puzzle.board.shape[0] < i.puzzle.board.shape[1],
        "pieces that stay on their side": lambda i: not i.puzzle.flip,
        "a piece somewhere": lambda i: any(
            min(cells)[0] > 0 for cells in plain(i)["pieces"].values()
        ),
    }
    assert [name for name, has in features.items() if not any(map(has, CASES))] == []
    for instance in CASES:
        first, *others = plain(instance)["pieces"].values()
        assert first == sorted(first)
        assert first[0][0] == 0
        assert not others or others[0] != sorted(others[0])


@pytest.mark.long
@pytest.mark.parametrize(
    ("exercise", "text"),
    [
        ("2", "import pulp\n\n\ndef build(puzzle):\n    return pulp.LpProblem()\n"),
        (
            "2",
            "import pulp\n\n\ndef build(puzzle):\n    p = pulp.LpProblem()\n"
            '    p += p.add_variable("x", cat="Binary") <= 1\n    return p\n',
        ),
        (
            "2",
            "import pyomo.environ as pyo\n\n\ndef build(puzzle):\n    return pyo.ConcreteModel()\n",
        ),
    ],
)
def test_a_model_of_nothing_has_no_marks_for_what_it_does_not_break(
    exercise: str, text: str, tmp_path: Path
) -> None:
    path = tmp_path / "mine.py"
    path.write_text(text)
    result = grade(exercise, path)
    assert result.marks <= 2, failed(result)
    assert {VARIABLES, TILINGS, SOLUTIONS} <= failed(result).keys()


@pytest.mark.long
def test_pyomos_names_are_those_that_the_student_gave(tmp_path: Path) -> None:
    pyomo = (
        "def build_in_pyomo(",
        "build = lambda puzzle: build_in_pyomo(puzzle)\n\n\ndef build_in_pyomo(",
    )
    path = changed("2", tmp_path, pyomo, ("sum(ways) == 1", "sum(ways) == 2"))
    assert "violates row 'pieces[L]'" in failed(grade("2", path))[TILINGS]
    path = changed("2", tmp_path, pyomo, ("model.pieces =", "unused ="))
    assert "(by x[I_00_10], x[I_01_11], x[I_02_12])" in failed(grade("2", path))[SOLUTIONS]


@pytest.mark.parametrize(
    ("change", "marks", "words"),
    [
        (("I: 00 01", "I: 00 02"), 5, "does not have the shape of I"),
        (("I: 00 01", "I: 02 03"), 5, "leaves the board"),
        (("I: 00 01", "I: 01 02"), 5, "listed twice"),
        (("I: 00 01", "K: 00 01"), 5, "there is no piece"),
        (("L: 00 01 02 12", "# no mirror images"), 6, "1 placement is missing"),
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
        ({"bound": 6, "optimum": 4, "cuts": [[T, T2]]}, 5, "the same as without them"),
        ({"bound": 5, "optimum": 5, "cuts": [[T, T2]]}, 1, "the same as without them"),
        ({"bound": 4, "optimum": 4, "cuts": [[T, T2]]}, 3, "the bound is not"),
        ({"bound": 6, "optimum": 6, "cuts": [[T, T2]]}, 3, "the optimum is not"),
        ({"bound": True, "optimum": 4, "cuts": [[T, T2]]}, 2, "bound is a number"),
        ({"bound": 6, "optimum": 4, "cuts": [["X_00"]]}, 4, "is not a placement"),
        ({"bound": 6, "optimum": 4, "cuts": [[T, T]]}, 4, "different placements"),
        ({"bound": 6, "optimum": 4}, 4, "the file is"),
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


CUT, ALL = "no_good_cut forbids its tiling and no other", "enumerate_all finds every tiling once"


@pytest.mark.long
def test_a_loop_without_an_end_is_stopped_and_the_two_tilings_of_it_are_drawn(
    tmp_path: Path,
) -> None:
    path = changed(
        "5", tmp_path, ("cuts.append(no_good_cut(tiling))", "cuts = [no_good_cut(tiling)]")
    )
    result = grade("5", path)
    assert (result.marks, list(failed(result))) == (4, ["the two functions run", ALL])
    assert "called solve 40 times, and there are 4 tilings" in failed(result)[ALL]
    one, other = next(check for check in result.checks if check.what == ALL).examples
    assert one.placements != other.placements
    assert result.checks[-1].board.count("+-----") >= 4
    path = changed("5", tmp_path, ("solve(cuts)", "solve([])"))
    result = grade("5", path)
    assert "this tiling again and again" in failed(result)[ALL]
    assert len(result.checks[-1].examples) == 1
    path = changed(
        "5",
        tmp_path,
        ("is not None:", "or True:\n        if tiling is None:\n            continue"),
    )
    assert "solve returns None" in failed(grade("5", path))[ALL]
    once = "tiling = solve(cuts)\n    while tiling is not None:"
    path = changed("5", tmp_path, ("while (tiling := solve(cuts)) is not None:", once))
    result = grade("5", path)
    assert (result.marks, len(result.checks[-1].examples)) == (4, 1)
    assert "it called solve 1 time, and" in failed(result)[ALL]


def test_a_loop_without_a_deadline_gets_no_advice_to_read_one() -> None:
    """After as many calls as there are tilings ``solve`` has not returned None yet."""
    cover = ExactCover(CASES[0])
    for calls in range(7):
        told = str(programs._endless(cover, 3, calls, []))
        assert ("Call solve anew" in told) == (calls <= 3)
        assert ("stop there" in told) == (calls > 3)


def test_a_file_that_fails_is_run_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    jobs = []

    @contextmanager
    def fails(_: Path, task: dict[str, str], *rest: object, **limits: object) -> Iterator[Path]:
        jobs.append(task["job"])
        raise programs.Failed("the file failed")
        yield tmp_path

    monkeypatch.setattr(programs, "run_submission", fails)
    checks = programs.grade_enumeration(tmp_path / "mine.py")
    assert jobs == ["cuts"]
    assert checks[0].fault == "the file failed"
    assert not any(check.passed for check in checks)


def test_wrong_answers_of_solvers(tmp_path: Path) -> None:
    lines = handed_in("6", "reference").read_text().splitlines()
    path = tmp_path / "mine.sol"

    def marks(text: str) -> tuple[int, str]:
        path.write_text(text)
        result = grade("6", path)
        return result.marks, " ".join(failed(result).values())

    assert marks("\n".join(lines[:-1]) + "\n")[0] == 2
    got, why = marks("\n".join([lines[0], lines[1].replace(" 1 ", " 0.5 "), *lines[2:]]) + "\n")
    assert got == 1
    assert "neither 0 nor 1" in why
    got, why = marks("=infeas=\n")
    assert got == 0
    assert "it is a tiling of 29 February" in [check.what for check in grade("6", path).checks]
    assert "64 tilings" in why
    got, why = marks("=obj= 0\nQ_z99 1\n")
    assert got == 1
    assert "not columns of this model" in why
    assert marks("10 of 10 marks\n")[0] == 0
    for name in ("highs-sparse.sol", "highs-raw.sol.gz", "highs-pretty.sol.gz"):
        result = grade("6", Path(__file__).parents[1] / "data" / "solutions" / f"feb29.{name}")
        assert result.marks == 0
        assert "this is a file of HiGHS" in result.checks[0].fault


def test_no_tick_says_which_solver_wrote_a_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.sol"
    path.write_text(handed_in("6", "reference").read_text())
    assert [check.what for check in grade("6", path).checks] == [
        "the file is a solver's answer, and does not say that it is HiGHS's",
        "every column is 0 or 1, and one of this model's",
        "it is a tiling of 29 February",
    ]


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
    assert list(found) == [
        "exercise",
        "title",
        "file",
        "student",
        "time",
        "late",
        "marks",
        "most",
        "before",
        "notes",
        "checks",
    ]
    assert found["student"] == "starter"  # nor does the folder 1-placements name anybody
    assert (found["marks"], found["most"]) == (2, 10)
    assert [check["passed"] for check in found["checks"]] == [True, True, False, False]
    assert found["checks"][2]["board"].startswith("+-")
    out = tmp_path / "marks.json"
    main(["grade", "1", str(handed_in("1", "starter")), "--format", "json", "-o", str(out)])
    assert json.loads(out.read_text()) == found
    assert main(["grade", "77", str(out)]) == 2
    assert main(["grade", "1", "nosuch.txt"]) == 2
    assert "there is no such file" in capsys.readouterr().err


HUGE = 10**400


@pytest.mark.parametrize(
    "answer",
    [
        '{"bound": NaN, "optimum": 4, "cuts": [["%s", "%s"]]}',
        '{"bound": 6, "optimum": 1e999, "cuts": [["%s", "%s"]]}',
        '{"bound": 1' + 400 * "0" + ', "optimum": 4, "cuts": [["%s", "%s"]]}',
    ],
)
def test_every_number_is_finite(answer: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    path.write_text(answer % (T, T2))
    result = grade("4", path)
    assert result.marks < 10
    assert "is a number such as" in next(iter(failed(result).values()))


def test_a_thousand_cuts_are_read_and_no_more(tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    for number, said in ((1000, False), (1001, True)):
        path.write_text(json.dumps({"bound": 6, "optimum": 4, "cuts": [[T, T2]] * number}))
        faults = " ".join(failed(grade("4", path)).values())
        assert ("at most 1000 lists" in faults) is said


def test_any_two_placements_of_the_cuts_puzzle_are_in_conflict() -> None:
    """No cut can be wrong that allows one of some placements."""
    cover = ExactCover(SIX)
    for one, other in combinations(range(cover.columns), 2):
        assert set(cover.items_of(one)) & set(cover.items_of(other))


def test_an_exercise_that_is_not_there_is_said(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("x")
    for name in ("77", "", "1 "):
        with pytest.raises(InputError, match=f"there is no exercise '{name}'; use one of 1, 2"):
            checks_of(name, tmp_path / "mine.txt")


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
    assert result.marks == 4  # those of the two numbers
    assert any(words in result.checks[0].fault for words in ("twice", "is not a placement"))


def test_what_cannot_be_shown_is_refused_all_the_same(tmp_path: Path) -> None:
    deep: list[object] = []
    for _ in range(100_000):
        deep = [deep]
    assert quote(deep) == "a list that is too large to be shown"
    assert quote(10**5000) == "a int that is too large to be shown"
    path = tmp_path / "mine.json"
    for depth in (10, 100, 300, 450, 490, 900):  # some can be read, and not be shown
        nested = "[" * depth + "]" * depth
        for answer in (
            '{"bound": 6, "optimum": 4, "cuts": [[%s]]}',
            '{"bound": %s, "optimum": 4, "cuts": []}',
        ):
            path.write_text(answer % nested)
            assert grade("4", path).marks <= 5


@pytest.mark.long
@pytest.mark.parametrize(
    ("functions", "checks"),
    [
        ('def no_good_cut(t): return [], float("nan")', [CUT]),
        ("def no_good_cut(t): return t, float('inf')", [CUT]),
        ("def no_good_cut(t): return t + t, len(t) - 1", [CUT]),
        ("def no_good_cut(t): return t + ['x[' + t[0] + ']'], len(t) - 1", [CUT]),
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


@pytest.mark.long
def test_feedback_on_a_weak_cut_says_how_much_it_allows(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    source = handed_in("5", "reference").read_text()
    path.write_text(source + "\ndef no_good_cut(t): return t[:1], 1\n")
    faults = failed(grade("5", path))
    assert CUT in faults
    assert faults[CUT].endswith("1 of its placements are chosen, and 1 are allowed")


# The child writes its results by functions that a submission can replace.
FORGED = """
import json, os
def put(k1):
    cases = {counts}
    found = {{"cuts": [[[[], k1]] * n for n in cases], "lists": [[] for n in cases]}}
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
    ["", "[]", "7", "{}", '{"cuts": 1, "lists": []}', "[" * 2000, '{"cuts": [[[[]]]]}'],
)
def test_forged_files_that_are_no_cuts_are_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(
        f"import os\nopen('cuts.json', 'w').write({text!r})\nopen('done', 'w').close()\n"
        "os._exit(0)\n"
    )
    result = grade("5", path)
    assert (result.marks, result.checks[0].fault) == (0, "what the file handed over cannot be read")


@pytest.mark.long
def test_too_few_lists_and_cuts_are_said(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    cuts = json.dumps({"cuts": [[]]})
    lists = json.dumps({"lists": [[]], "endless": None})
    path.write_text(
        f"import os\nopen('cuts.json', 'w').write({cuts!r})\n"
        f"open('lists.json', 'w').write({lists!r})\nopen('done', 'w').close()\nos._exit(0)\n"
    )
    result = grade("5", path)
    assert [check.fault for check in result.checks[1:]] == [
        "there is not one cut for every tiling",
        "there is not one list for every puzzle",
    ]


@pytest.mark.parametrize(
    "lists",
    [
        {"lists": [], "endless": {"calls": 10, "answers": [["Q_99"]]}},
        {"lists": [["text"]] * len(CASES), "endless": None},
        [],
        *(
            pytest.param(lists, marks=pytest.mark.long)
            for lists in (
                {"lists": [], "endless": {"calls": 10, "answers": ["text"]}},
                {"lists": [[]] * 99, "endless": {"calls": 10, "answers": []}},
                {"lists": [[]] * len(CASES), "endless": {"calls": 10, "answers": []}},
                {"lists": [], "endless": {"calls": float("inf"), "answers": []}},
                {"lists": [], "endless": {"calls": 5}},
                {"lists": 5, "endless": None},
                {"lists": [], "endless": 7},
                {"lists": [], "endless": {"calls": -1, "answers": [{}]}},
            )
        ),
    ],
)
def test_forged_lists_are_refused(lists: object, tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(
        handed_in("5", "reference").read_text() + "\nimport os, sys\n"
        "frame = sys._getframe()\n"
        "while 'task' not in frame.f_locals: frame = frame.f_back\n"
        "if frame.f_locals['task']['job'] == 'lists':\n"
        f"    open('lists.json', 'w').write({json.dumps(lists)!r})\n"
        "    open('done', 'w').close()\n    os._exit(0)\n"
    )
    result = grade("5", path)
    assert result.marks <= 5
    assert ALL in failed(result)


@pytest.mark.long
def test_what_was_not_decided_earns_no_marks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "calmip.course.programs.compare_model",
        lambda *_, **__: SameTilings(None, "the time was over"),
    )
    result = grade("2", handed_in("2", "reference"))
    assert failed(result) == {TILINGS: "puzzle six cells: not decided: the time was over"}


@pytest.mark.long
def test_a_model_that_was_not_searched_in_time_earns_no_marks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("calmip.course.programs.COMPARISON_SECONDS", 1e-9)
    found = failed(grade("2", handed_in("2", "reference")))
    assert found.keys() == {SOLUTIONS}
    assert "was not found out in time" in found[SOLUTIONS]


@pytest.mark.long
def test_tilings_that_the_variables_cannot_make_are_missing(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(
        "import pulp\n\n\ndef build(puzzle):\n    problem = pulp.LpProblem()\n"
        '    problem += problem.add_variable("I_00_01", cat="Binary") <= 0\n    return problem\n'
    )
    found = failed(grade("2", path))
    assert found.keys() == {VARIABLES, TILINGS, SOLUTIONS}
    assert "a tiling that the model does not have" in found[TILINGS]
    assert "0 times" in found[SOLUTIONS]


@pytest.mark.long
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
    names = {
        "ada/answer.txt": right,
        "bob.txt": starter,
        "=1+1.txt": "nonsense",
        ".hidden.txt": right,
        "notes.md": right,
    }
    folder = class_of(tmp_path / "class", names)
    found = grade_folder("1", [folder])
    assert [(Path(one.file).name, one.marks) for one in found.submissions] == [
        ("=1+1.txt", 0),
        ("answer.txt", 10),
        ("bob.txt", 2),
    ]
    for one in found.submissions:
        assert one.checks == grade("1", one.file).checks
        assert one.describe()["file"] == one.file
    table = tmp_path / "marks.csv"
    assert main(["grade", "1", str(folder), "-o", str(table)]) == 1
    rows = list(csv.DictReader(table.read_text().splitlines()))
    assert [(row["submission"], row["marks"]) for row in rows] == [
        ("'=1+1", "0"),
        ("answer", "10"),
        ("bob", "2"),
    ]
    checks = [check.what for check in found.submissions[1].checks]
    assert sum(int(rows[2][what]) for what in checks) == 2
    capsys.readouterr()
    assert main(["grade", "1", str(folder / "ada"), str(folder / "ada" / "answer.txt")]) == 0
    assert "1 of 1 with full marks" in capsys.readouterr().out
    assert main(["grade", "1", str(folder), "--format", "gradescope"]) == 2
    assert "gradescope takes the results of one submission" in capsys.readouterr().err
    assert main(["grade", "1", str(folder / "bob.txt"), "--format", "gradescope"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert told["score"] == sum(test["score"] for test in told["tests"]) == 2
    assert {test["status"] for test in told["tests"]} == {"passed", "failed"}
    assert main(["grade", "1", str(tmp_path / "nosuch.txt"), str(folder / "bob.txt")]) == 1
    out = capsys.readouterr().out
    assert "no such file" in out
    assert "2/10" in out
    (tmp_path / "empty").mkdir()
    assert main(["grade", "1", str(tmp_path / "empty")]) == 2
    assert "there is no file .txt to grade" in capsys.readouterr().err


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
    found = grade_folder("2", [class_of(tmp_path / "class", names)], time_limit=20)
    marks = {Path(one.file).name: one.marks for one in found.submissions}
    assert len(marks) == 30
    for name, earned in marks.items():
        assert earned == (0 if name in HOSTILE else 10 if names[name] == right else 7)
    late = next(one for one in found.submissions if one.file.endswith("forever.py"))
    assert "took longer than 20 seconds" in late.checks[0].fault
