"""What solvers share, tried with the two that the documentation adds."""

import os
import re
import struct
import sys
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from docblocks import blocks

import calmip
from calmip import ExactCover
from calmip.models import build
from calmip.processes import Ended
from calmip.puzzle.documents.reader import read_instance
from calmip.puzzle.search.exact_cover.search import solutions
from calmip.solvers import SOLVERS, Limits, Status, programs, solver_named
from calmip.solvers.programs import Cbc

PAGE = Path("docs/how-to/add-solver.md")

BODY = """
import json, os, sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any
if sys.argv[1:] == ["--version"]:
    print("MySolver version 1.2.3 of today")
    raise SystemExit
Path(sys.argv[sys.argv.index("--output") + 1]).write_text(ANSWER)
print(*sys.argv[1:])
"""


@pytest.fixture
def solver(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> object:
    """Return a function that makes the page's solver, with a program that gives this answer."""
    code = next(block.text for block in blocks(PAGE) if block.language == "python")
    assert len([line for line in code.splitlines() if line.strip()]) <= 10

    def make(answer: str) -> object:
        names: dict[str, type] = {}
        exec(code, names)
        program = tmp_path / "mysolver"
        program.write_text(f"#!{sys.executable}\nANSWER = {answer!r}\n{BODY}")
        program.chmod(0o755)
        monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
        monkeypatch.setitem(SOLVERS, "mysolver", (lambda _: names["MySolver"](), ""))
        return names["MySolver"]()

    return make


def tiny() -> ExactCover:
    return ExactCover(read_instance("instances/tiny.yaml"))


def names_of_a_tiling() -> list[str]:
    cover = tiny()
    return [cover.option_names[option] for option in next(solutions(cover))]


def test_the_solver_of_the_page_solves(solver) -> None:
    made = solver("".join(f"{name} 1\n" for name in names_of_a_tiling()))
    here = made.availability()
    assert (Path(here.found).name, here.version) == ("mysolver", "1.2.3")
    lines: list[str] = []
    found = calmip.solve(
        read_instance("instances/tiny.yaml"), solver="mysolver", time_limit=7000, log=lines.append
    )
    assert found.status == "feasible"
    # What is left, once the model is written.
    given = re.search(r"model\.mps --seconds (\d+\.\d{3}) --output answer\.sol$", lines[0])
    assert given is not None
    assert 5000 < float(given[1]) < 7000


def test_the_package_of_the_page_solves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _, code = (block.text for block in blocks(PAGE) if block.language == "python")
    (tmp_path / "adapter.py").write_text(code)
    values = dict.fromkeys(names_of_a_tiling(), 1)
    (tmp_path / "mysolver.py").write_text(
        "class Answer:\n"
        f"    values, status = {values!r}, 'found'\n"
        "def solve(path, seconds, seed):\n"
        "    assert open(path).read().startswith('NAME') or open(path).read(1) == '*'\n"
        "    return Answer\n"
    )
    info = tmp_path / "mysolver_bin-0.7.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: mysolver-bin\nVersion: 0.7\n")
    monkeypatch.setenv("PYTHONPATH", f"{tmp_path}{os.pathsep}{os.environ.get('PYTHONPATH', '')}")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setitem(SOLVERS, "mysolver", (lambda _: import_module("adapter").MySolver(), ""))
    assert solver_named("mysolver").availability().version == "0.7"
    found = calmip.solve(read_instance("instances/tiny.yaml"), solver="mysolver", seed=3)
    assert (found.status, found.detail) == ("feasible", "found")


# The same answer in the words of many programs: whoever writes one of these is understood.
CLAIMS = [
    ("Optimal - objective value 0\n0 x 1 0\n", Status.OPTIMAL, {"x": 1.0}),
    ("Optimal - objective value 0\n", Status.OPTIMAL, {}),
    ("Stopped on time - objective value 0\n0 x 1 0\n1 y 0 0\n", Status.FEASIBLE, {"x": 1.0}),
    ("Infeasible - objective value 0\n0 x 0.5 0\n", Status.INFEASIBLE, {}),
    ("Unbounded - objective value 0\n0 x 1 0\n", Status.UNBOUNDED, {}),
    (
        "Stopped on time (no integer solution - continuous used) - objective value 0\n0 x 0.5 0\n",
        Status.UNKNOWN,
        {},
    ),
    ("=infeas=\n", Status.INFEASIBLE, {}),
    (
        "solution status: optimal solution found\nobjective value: 0\nx 1 (obj:0)\n",
        Status.OPTIMAL,
        {"x": 1.0},
    ),
]


@pytest.mark.parametrize(("text", "status", "values"), CLAIMS)
def test_an_answer_in_any_known_format_is_an_outcome(
    solver, text: str, status: Status, values: dict[str, float], tmp_path: Path
) -> None:
    path = tmp_path / "model.mps"
    build("matrix", tiny()).write(path)
    outcome = solver(text).solve(path, Limits())
    assert (outcome.status, dict(outcome.values)) == (status, values)


ODD = [
    "Optimal - objective value 0\n0 x 1_0 0\n",
    "Optimal - objective value 0\n0 x 1\n",
    "Optimal - objective value 0\n0 x 1 0 9\n",
    "Optimal - objective value 0\nzero x 1 0\n",
    "Optimal - objective value 0\n0 x 1 nan\n",
    "Optimal - objective value 0\n0 x inf 0\n",
    "Optimal - objective value 0\n0 x 1 0\n1 x 1 0\n",
    "Optimal - objective value\n0 x 1 0\n",
    "Optimal - objective value zero\n0 x 1 0\n",
    "Optimal - of course\n0 x 1 0\n",
    "Optimal - objective value 0\n0 x \N{ARABIC-INDIC DIGIT ONE} 0\n",
]


@pytest.mark.parametrize("text", ODD)
def test_solve_and_check_refuse_the_same_odd_files(solver, text: str, tmp_path: Path) -> None:
    """CBC's files have one reader; it once had two, and one took ``1_0`` for ten."""
    file = tmp_path / "odd.sol"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(calmip.InputError) as refused:
        calmip.mip.files.solutions.read_solution(file)
    path = tmp_path / "model.mps"
    build("matrix", tiny()).write(path)
    with pytest.raises(calmip.SolverFailed) as failed:
        solver(text).solve(path, Limits())
    assert refused.value.message in str(failed.value)
    assert str(failed.value).startswith("MySolver's solution file cannot be read: ")


PRECISE = struct.pack("=iid8d", 1, 3, 0.0, 9.0, 9.0, 1 / 3, 0.0, 2 / 3, 9.0, 9.0, 9.0)
"""The double numbers of a row and three columns, each with a dual value."""


@pytest.mark.parametrize(
    ("data", "precise"),
    [
        (PRECISE, True),
        (PRECISE[:32] + struct.pack("=d", 1 / 3 + 1e-6) + PRECISE[40:], False),
        (PRECISE[:-8], False),
        (PRECISE + 8 * b"\0", False),
        (struct.pack("=ii", 1, 2) + PRECISE[8:], False),
        (PRECISE[:4], False),
        (None, False),
    ],
)
def test_more_digits_of_cbc_count_where_all_are_those_of_its_printed_values(
    data: bytes | None, precise: bool, tmp_path: Path
) -> None:
    answer = tmp_path / Cbc.answer
    answer.write_text(
        "Optimal - objective value 1.00000000\n 0 x 0.33333333 0\n** 2 z 0.66666667 0\n"
    )
    if data is not None:
        (tmp_path / Cbc.doubles).write_bytes(data)
    found = Cbc()._outcome(answer, 9_999, Ended(0, "Enumerated nodes:  5"))
    x, z = (1 / 3, 2 / 3) if precise else (0.33333333, 0.66666667)
    assert (found.status, found.nodes) == (Status.OPTIMAL, 5)
    assert {name: float(value) for name, value in found.values.items()} == {"x": x, "z": z}
    assert bool(found.spread) is not precise


@pytest.mark.parametrize("there", ["no package", "no program", "broken", "program"])
def test_the_cbc_of_the_package_cbcbox(
    there: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "cbc"
    if there == "program":
        program.write_text("#!/bin/sh\n")
        program.chmod(0o755)

    def place() -> str:
        if there == "broken":
            raise OSError
        return str(program)

    spec = None if there == "no package" else SimpleNamespace()
    monkeypatch.setattr(programs.importlib.util, "find_spec", lambda _: spec)
    monkeypatch.setitem(sys.modules, "cbcbox", SimpleNamespace(cbc_bin_path=place))
    assert programs._from_cbcbox() == (str(program) if there == "program" else None)


@pytest.mark.parametrize(
    ("system", "machine", "folder"),
    [
        ("linux", "x86_64", "linux/i64"),
        ("linux", "aarch64", "linux/arm64"),
        ("darwin", "ARM64", "osx/arm64"),
        ("win32", "AMD64", "win/i64"),
        ("freebsd", "amd64", "freebsd/i64"),
    ],
)
def test_the_cbc_inside_pulp_is_that_of_the_machine(
    system: str, machine: str, folder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    origin: Any = str(tmp_path / "pulp" / "__init__.py")
    monkeypatch.setattr(
        programs.importlib.util, "find_spec", lambda _: SimpleNamespace(origin=origin)
    )
    monkeypatch.setattr(programs.sys, "platform", system)
    monkeypatch.setattr(programs.platform, "machine", lambda: machine)
    monkeypatch.setattr(programs.shutil, "which", lambda path: path)
    place = tmp_path / "pulp" / "solverdir" / "cbc" / folder / "cbc"
    assert programs._from_pulp() == str(place)
    for spec in (None, SimpleNamespace(origin=None)):
        monkeypatch.setattr(programs.importlib.util, "find_spec", lambda _, spec=spec: spec)
        assert programs._from_pulp() is None
