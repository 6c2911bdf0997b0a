"""Machine faults planted while a class is marked, and hostile programs among right ones.

The whole campaigns are programs: benchmarks/machine_faults.py and benchmarks/hostile.py.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest
from processes import HANG_SECONDS

from benchmarks.hostile import ANSWERS, RIGHTS, WRONG, programs
from benchmarks.machine_faults import KINDS

ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the programs are those of Linux")


def campaign(name: str, *words: str) -> str:
    """Run a campaign in a process of its own, as it plants its faults there; return its output."""
    done = subprocess.run(
        [sys.executable, "-m", f"benchmarks.{name}", *words],
        capture_output=True,
        text=True,
        check=False,
        timeout=HANG_SECONDS,
        cwd=ROOT,
    )
    if "nothing protects this machine" in done.stderr:
        pytest.skip("there is no bubblewrap here")
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize(
    "number", [pytest.param(8, marks=pytest.mark.long), pytest.param(100, marks=pytest.mark.slow)]
)
def test_no_fault_of_the_machine_costs_a_mark(number: int) -> None:
    assert f"{number} cases, 0 failed" in campaign(
        "machine_faults", "--number", str(number), "--seed", str(number)
    )


QUICK = ("deletes the others' files", "kills its parent", "forges results", "ends all processes")


@pytest.mark.parametrize(
    "names",
    [pytest.param(QUICK, marks=pytest.mark.long), pytest.param((), marks=pytest.mark.slow)],
    ids=["some", "all"],
)
def test_no_program_touches_the_marks_of_another(names: tuple[str, ...]) -> None:
    printed = campaign("hostile", *(["--only", *names] if names else []))
    assert "FAULT" not in printed
    assert " right: 10/10" in printed


def test_the_hostile_programs_are_many_and_are_programs(tmp_path: Path) -> None:
    for bare in (False, True):
        every = programs(tmp_path, bare=bare)
        assert len(every) == len(WRONG) + len(RIGHTS) + len(ANSWERS) >= 60
        for text, _ in every.values():
            ast.parse(text)
    texts = {text for text, _ in every.values()}
    assert len(texts) == len(every)
    assert set(QUICK) < set(WRONG)
    assert sum(KINDS.values()) > len(KINDS)
