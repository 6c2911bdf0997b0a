"""The mutation campaign: its modules and tests are there, and its mutants are what they say."""

import ast
import json
import pickle
from pathlib import Path

import pytest
from trades import is_of_missing

from benchmarks.guards import guards, names_verdict, verdict_lines
from benchmarks.mutants import (
    KNOWN,
    NEAR,
    Known,
    body_lines,
    chosen_files,
    chosen_lines,
    drawn,
    line_of_use,
    modules,
    mutants,
    near_tests,
    run_tests,
)

ROOT = Path(__file__).parents[2]

SOURCE = '''
def least(values: list[int], most: int = 3) -> int:
    """Return the least of 7 values."""
    if not values or len(values) > most:
        raise ValueError(f"at most {most + 1}")
    found = min(values)
    print(found)
    return found


pairs = zip("ab", "cd", strict=True)
if TYPE_CHECKING:
    MOST = 3
'''


def test_the_files_of_tests_are_there_and_no_module_has_none() -> None:
    measured = json.loads(NEAR.read_text(encoding="utf-8"))
    files = {file for tests in measured["modules"].values() for file in tests}
    assert files == measured["seconds"].keys()
    named = [file for file in (*files, *measured["modules"]) if not is_of_missing(file)]
    assert all((ROOT / file).exists() for file in named)
    every = modules(["calmip"])
    assert len(every) == len(set(every))
    assert near_tests("calmip/not/measured/unique.py") == ("tests/puzzle/tasks/test_unique.py",)
    assert "tests/mip/test_pool.py" in near_tests("calmip/mip/pool/__init__.py")
    # A module without functions, such as a door of features, is run by its import alone.
    run = [module for module in every if body_lines((ROOT / module).read_text(encoding="utf-8"))]
    alone = [module for module in run if not near_tests(module)]
    assert alone == [], "run: python -m benchmarks.mutants --measure FILE OF TESTS"


def test_each_line_is_run_by_three_files_as_far_as_there_are_three() -> None:
    run = {"quick": {1, 2}, "slow": {1, 2, 3}, "other": {1}, "late": {4}}
    seconds = {"quick": 1.0, "slow": 4.0, "other": 1.0, "late": 90.0}
    assert chosen_files(run, seconds, 1e3) == ["quick", "other", "slow", "late"]
    run["fourth"], seconds["fourth"] = {1}, 2.0
    assert chosen_files(run, seconds, 1e3) == ["quick", "other", "slow", "late"]
    assert chosen_files(run, seconds, 60.0) == ["quick", "other", "slow"]
    assert chosen_files({"late": {4}}, seconds, 60.0) == ["late"]
    assert chosen_files({}, {}) == []


def test_only_an_import_runs_what_is_outside_of_functions() -> None:
    assert body_lines(SOURCE) == {3, 4, 5, 6, 7, 8}


def test_a_default_is_used_by_a_call_and_set_by_an_import() -> None:
    used = {line: line_of_use(SOURCE, line) for line in range(1, 12)}
    body = body_lines(SOURCE)
    moved = {line: use for line, use in used.items() if line != use}
    assert moved.keys() == {2, 3}
    assert set(moved.values()) <= body
    spread = "def f(\n    a: int,\n    *,\n    b: bool = False,\n) -> int:\n    return a\n"
    assert [line_of_use(spread, line) for line in range(1, 8)] == [6, 6, 6, 6, 6, 6, 7]


def test_what_type_checkers_alone_read_is_not_altered() -> None:
    source = "@overload\ndef f(a: int, *, b: bool = False) -> int: ...\n"
    assert mutants(source) == []
    assert len(mutants(source.partition("\n")[2])) == 1


def test_mutants_are_drawn_by_a_seed() -> None:
    every = mutants(SOURCE)
    some = mutants(SOURCE, 4, "a")
    assert some == mutants(SOURCE, 4, "a")
    assert len(some) == 4
    assert all(mutant in every for mutant in some)
    assert mutants(SOURCE, 99, "a") == every
    counts = drawn({"one": 20, "two": 20, "none": 0}, 30, 1)
    assert counts == drawn({"one": 20, "two": 20, "none": 0}, 30, 1)
    assert counts.total() == 30
    assert counts.keys() == {"one", "two"}
    assert max(counts.values()) <= 20


@pytest.mark.long
def test_mutants_of_named_lines_are_all_of_these_lines() -> None:
    for line in body_lines(SOURCE):
        every = [mutant for mutant in mutants(SOURCE) if mutant.line == line]
        assert mutants(SOURCE, lines={line}) == every
    one, other = "calmip/puzzle/search/cover_conflict.py", "calmip/puzzle/tiling.py"
    named = chosen_lines([f"{one}:5", f"{one}:7", other], guarding=False)
    assert named == {one: {5, 7}, other: None}
    guarding = chosen_lines([one, other], guarding=True)
    first = min(guarding[one] or ())
    named = chosen_lines([f"{one}:{first}", f"{one}:1", other], guarding=True)
    assert named == {one: {first}, other: guarding[other]}


def test_the_sums_of_the_tables_are_those_of_their_rows() -> None:
    text = (ROOT / "benchmarks" / "mutants.md").read_text(encoding="utf-8")
    rows: list[list[str]] = []
    sums = 0
    for line in text.splitlines():
        cells = [cell.strip(" *") for cell in line.split("|")[1:-1]]
        if cells and cells[0] == "together":
            for column in [number for number, cell in enumerate(cells) if cell.isdecimal()]:
                numbers = [int(row[column].split()[0]) for row in rows]
                assert sum(numbers) == int(cells[column]), (line, column)
                sums += 1
        rows = [] if not cells or "---" in cells else [*rows, cells]
    assert sums >= 8


def test_each_mutant_has_one_fault() -> None:
    changes = {mutant.change for mutant in mutants(SOURCE)}
    assert changes == {
        "3 -> 4",
        "if not values or len(values) > most: -> if not (not values or len(values) > most):",
        "not values or len(values) > most -> not values and len(values) > most",
        "not values -> values",
        "len(values) > most -> len(values) >= most",
        "raise ValueError(f'at most {most + 1}') -> pass",
        "min(values) -> max(values)",
        "print(found) -> pass",
        "return found -> return",
    }
    plain = ast.unparse(ast.parse(SOURCE)).splitlines()
    for mutant in mutants(SOURCE):
        lines = mutant.text.splitlines()
        assert sum(line not in plain for line in lines) == 1


GUARDED = '''
def proves(rows: list[int]) -> bool:
    """Return a verdict."""
    if not rows:
        return False
    return all(_holds(row) for row in rows if row != 7)


def _holds(row: int) -> bool:
    half = row // 2
    if half > MAX_HALF:
        return False
    return half > 3


def draw(rows: list[int]) -> int:
    """Return a width; this text names what is proved, which makes no verdict of it."""
    return 7 if rows else 8
'''
CALLER = """
def answer(rows: list[int]) -> str:
    return word("proved" if proves(rows) else "unknown")


def word(answer: str) -> str:
    return answer if answer else "none"
"""


def test_guards_are_what_decides_in_functions_of_verdicts_and_in_what_they_call(
    tmp_path: Path,
) -> None:
    words = ("proved", "is_complete", "OPTIMAL", "is proved", "the same", "completely", "approved")
    assert [names_verdict(word) for word in words] == [True] * 4 + [False] * 3
    module, caller = tmp_path / "rows.py", tmp_path / "answers.py"
    module.write_text(GUARDED)
    caller.write_text(CALLER)
    lines = verdict_lines([module, caller])
    assert lines == {module: {*range(2, 7), *range(9, 14)}, caller: {2, 3}}
    # Without the caller, in the same folder, nothing there names a verdict.
    assert verdict_lines([module]) == {module: set()}
    changes = {mutant.change for mutant in mutants(GUARDED, lines=lines[module], guarding=True)}
    assert changes == {
        "if not rows: -> if not not rows:",
        "not rows -> rows",
        "False -> True",
        "if half > MAX_HALF: -> if not half > MAX_HALF:",
        "return all((_holds(row) for row in rows if row != 7)) -> return",
        "all((_holds(row) for row in rows if row != 7)) -> "
        "any((_holds(row) for row in rows if row != 7))",
        "row != 7 -> row == 7",
        "7 -> 8",
        "return half > 3 -> return",
        "half > 3 -> half >= 3",
        "3 -> 4",
    }
    assert guards(ast.parse(GUARDED), set()) == set()


@pytest.mark.long
def test_tests_that_pass_fail_and_run_on(tmp_path: Path) -> None:
    for name, body, outcome in (
        ("good", "def test(): pass", "passed"),
        ("bad", "def test(): assert False", "failed"),
        ("endless", "def test():\n    while True: pass", "time"),
    ):
        (tmp_path / f"test_{name}.py").write_text(body)
        assert run_tests(tmp_path, [f"test_{name}.py"], 3, Known()) == outcome


@pytest.mark.long
def test_the_tests_that_run_a_line_are_known(tmp_path: Path) -> None:
    """What no test runs by itself is left to all of them."""
    (tmp_path / "calmip").mkdir()
    (tmp_path / "calmip" / "halves.py").write_text(
        "def half(n):\n    if n % 2:\n        raise ValueError\n    return n // 2\n"
        "TWO = half(4)\n"
        "def other():\n    return 3\n"
    )
    (tmp_path / "test_halves.py").write_text(
        "import sys\nsys.path.insert(0, 'calmip')\nimport halves, pytest\n"
        "@pytest.fixture(scope='module')\ndef three():\n    return halves.other()\n"
        "def test_odd():\n    with pytest.raises(ValueError):\n        halves.half(3)\n"
        "def test_even(three):\n    assert halves.half(8) == three + 1\n"
    )
    assert run_tests(tmp_path, ["test_halves.py"], 60) == "passed"
    known = pickle.loads((tmp_path / KNOWN).read_bytes())
    near = [known.near("calmip/halves.py", line) for line in range(1, 8)]
    odd, even = (f"test_halves.py::test_{name}" for name in ("odd", "even"))
    # What is made for several tests, or at the import, belongs to none.
    assert near == [set(), {odd, even}, {odd}, {even}, set(), set(), set()]
    assert known.times.keys() == {odd, even}
    assert run_tests(tmp_path, ["test_halves.py"], 60, known, {odd}) == "passed"
    (tmp_path / "calmip" / "halves.py").write_text("def half(n):\n    raise ValueError\n")
    assert run_tests(tmp_path, ["test_halves.py"], 60, known, {odd}) == "passed"
    assert run_tests(tmp_path, ["test_halves.py"], 60, known) == "failed"
