"""A short, seeded part of the fuzz campaign; ``python -m benchmarks.fuzz`` is the long one."""

import sys
from pathlib import Path

import pytest

from benchmarks.fuzz import case_of, run_here
from benchmarks.mutations import KINDS

NAMES = pytest.mark.skipif(sys.platform == "win32", reason="such names are allowed elsewhere only")


@pytest.mark.trade("bench", "course")
@pytest.mark.long
@pytest.mark.parametrize(
    "kind", [pytest.param(kind, marks=NAMES if kind == "name" else ()) for kind in KINDS]
)
def test_mutated_inputs_get_a_clear_answer(kind: str, tmp_path: Path) -> None:
    codes = set()
    # A submission takes some processes.
    for number in range(12 if kind == "submission" else 40):
        folder = tmp_path / str(number)
        folder.mkdir()
        _, case = case_of(2027, number, kind)
        faults, code = run_here(case, folder)
        assert not faults, f"{kind} {number}: {case.arguments}"
        codes.add(code)
    # A campaign in which nothing or everything is refused proves little.
    assert len(codes) > 1


def test_a_fault_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_: object) -> int:
        Path("stray").touch()
        Path("tiny.yaml").write_text("changed")
        raise ZeroDivisionError

    monkeypatch.setattr("calmip.cli.main", broken)
    _, case = case_of(1, 0, "command")
    faults, _ = run_here(case, tmp_path)
    text = "\n".join(faults)
    assert "ZeroDivisionError" in text
    assert "files that were not requested: ['stray']" in text
    assert "an input file was changed" in text
