"""The mutation campaign: its modules and tests are there, and its mutants are what they say."""

import ast
from pathlib import Path

import pytest

from benchmarks.mutants import TESTS, mutants, run_tests

ROOT = Path(__file__).parents[1]

SOURCE = '''
def least(values: list[int], most: int = 3) -> int:
    """Return the least of 7 values."""
    if not values or len(values) > most:
        raise ValueError(f"at most {most + 1}")
    found = min(values)
    print(found)
    return found
'''


def test_the_modules_and_their_tests_are_there() -> None:
    for module, tests in TESTS.items():
        assert (ROOT / module).is_file()
        assert all((ROOT / test).is_file() for test in tests)


def test_the_sums_of_the_table_are_those_of_its_rows() -> None:
    text = (ROOT / "benchmarks" / "mutants.md").read_text(encoding="utf-8")
    rows = [[cell.strip(" *") for cell in line.split("|")[1:-1]] for line in text.splitlines()]
    tables = [row for row in rows if len(row) == 6]
    for name, seeds in (("together", ("1",)), ("seeds 11 and 12", ("11", "12"))):
        (said,) = [row for row in tables if row[0] == name]
        counted = [row for row in tables if row[1] in seeds and row[0] != name]
        for column in (3, 4, 5):
            numbers = [int(row[column].split()[0]) for row in counted]
            assert sum(numbers) == int(said[column]), (name, column)


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


@pytest.mark.long
def test_tests_that_pass_fail_and_run_on(tmp_path: Path) -> None:
    for name, body, outcome in (
        ("good", "def test(): pass", "passed"),
        ("bad", "def test(): assert False", "failed"),
        ("endless", "def test():\n    while True: pass", "time"),
    ):
        (tmp_path / f"test_{name}.py").write_text(body)
        found, used = run_tests(tmp_path, [f"test_{name}.py"], 6)
        assert (found, used > 0) == (outcome, True)
