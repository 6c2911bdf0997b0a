"""What runs in a browser (Pyodide): no processes, no threads, no compiled search, few packages."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from cpu_marks import marked_long
from packaging.requirements import Requirement

ROOT = Path(__file__).parents[2]

# What Python says there, as far as it can be said here. (Pyodide's own HiGHS is too old.)
BROWSER = """
import json, subprocess, sys, threading

sys.platform = "emscripten"

class Absent:
    NAMES = {"pulp", "pyomo", "ortools", "pyscipopt", "gurobipy", "z3", "cbcbox", "matplotlib",
             "fcntl", "resource", "psutil", "multiprocessing", "_multiprocessing"}
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in self.NAMES:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

def no_process(*arguments, **options):
    raise OSError(138, "emscripten does not support processes.")

def no_thread(self):
    raise RuntimeError("can't start new thread")

import numpy, highspy
sys.meta_path.insert(0, Absent())
subprocess.Popen.__init__ = no_process
threading.Thread.start = no_thread
"""


def in_browser(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", BROWSER + code],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )


@pytest.mark.long
def test_highs_solves_and_the_search_counts_without_processes_and_threads() -> None:
    done = in_browser(
        "import calmip\n"
        "instance = calmip.read_instance('feb29')\n"
        "solved = calmip.solve(instance)\n"
        "print(json.dumps([str(solved.status), len(solved.tiling.placements),\n"
        "    len(calmip.enumerate(instance)), calmip.count(calmip.read_instance('tiny')).total,\n"
        "    str(calmip.solve(calmip.read_instance('dead-corner')).status)]))\n"
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == ["feasible", 8, 64, 2, "infeasible"]


@pytest.mark.long
@pytest.mark.parametrize(
    "name",
    marked_long(
        ["cbc", "glpk", "scip", "cpsat", "gurobi", "z3"], {"glpk", "cpsat", "gurobi", "z3"}
    ),
)
def test_solvers_that_need_a_process_say_so(name: str) -> None:
    done = in_browser(
        f"from calmip.cli import main\nsys.exit(main(['solve', 'tiny', '--solver', {name!r}]))\n"
    )
    assert done.returncode == 4
    assert "needs a process of its own" in done.stderr
    assert "Traceback" not in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    "words",
    [
        "count tiny --workers 2",
        *(
            pytest.param(words, marks=pytest.mark.long)
            for words in (
                "bench run easy -o easy.db",
                "count tiny --parts 2 --journal journal.jsonl",
                "design a-puzzle-a-day --pool pentominoes --with O6 --pieces 8",
                "prove dates tiny -o proofs --workers 2",
            )
        ),
    ],
)
def test_what_needs_workers_says_so(words: str, tmp_path: Path) -> None:
    done = in_browser(
        f"import os\nos.chdir({str(tmp_path)!r})\n"
        f"from calmip.cli import main\nsys.exit(main({words.split()!r}))\n"
    )
    assert done.returncode == 4, done.stderr
    # A line before it says that the compiled search is not there.
    assert done.stderr.splitlines()[-1].endswith("threads, and there are none in a browser")
    assert "Traceback" not in done.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.long
@pytest.mark.trade("proofs")
def test_a_proof_is_made_and_checked_without_processes(tmp_path: Path) -> None:
    done = in_browser(
        "import calmip\n"
        "tiny = calmip.read_instance('tiny')\n"
        f"print(calmip.prove(tiny, {str(tmp_path / 'proof')!r}).status)\n"
        f"print(calmip.prove.check({str(tmp_path / 'proof')!r}).status)\n"
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == ["feasible", "feasible"]


def test_extras_that_cannot_be_there_are_left_out() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    there = {"sys_platform": "emscripten", "extra": ""}
    for extra in ("cbc", "cpsat", "glpk", "gurobi", "scip", "z3"):
        for line in project["optional-dependencies"][extra]:
            need = Requirement(line)
            assert need.marker is not None
            assert not need.marker.evaluate(there), line
            assert need.marker.evaluate({**there, "sys_platform": "linux"}), line
