"""Solvers that are missing, crash, hang, or lie."""

import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import tracemalloc
from pathlib import Path

import pytest
from processes import HANG_SECONDS, assert_gone, until, wait_until
from requirements import need_solver

import calmip
from calmip import ExactCover, SolverFailed, SolverMissing
from calmip._base.highs import VARIABLE
from calmip.processes import Ended
from calmip.puzzle.documents.reader import read_instance
from calmip.puzzle.tasks.enumeration import Enumeration
from calmip.solvers import Limits, Outcome, Status, highs, solver_named
from calmip.solvers.base import StatusWords
from calmip.solvers.programs import Cbc

TINY = "instances/tiny.yaml"
RIGHT = [("p1_a00", 1), ("p2_a10", 1)]


def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, body: str) -> Path:
    """Make a program that behaves as told and let it be the CBC to use."""
    program = tmp_path / "cbc"
    program.write_text(
        f"#!{sys.executable}\nimport os, sys, time, signal\n"
        "from pathlib import Path\n"
        f"answer = Path(sys.argv[-1])\n{body}\n"
    )
    program.chmod(0o755)
    monkeypatch.setenv("CALMIP_CBC", str(program))
    return program


def answer(head: str, values: list[tuple[str, object]]) -> str:
    lines = [head, *(f"{n} {name} {value} 0" for n, (name, value) in enumerate(values))]
    return f"answer.write_text({chr(10).join(lines)!r})"


def solve_tiny() -> calmip.Solution:
    return calmip.solve(read_instance(TINY), solver="cbc", time_limit=100)


def test_an_honest_fake_is_believed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = names_of_a_tiling()
    fake(tmp_path, monkeypatch, answer("Optimal - objective value 0", [(n, 1) for n in names]))
    assert solve_tiny().status == "feasible"


def names_of_a_tiling() -> list[str]:
    from calmip.puzzle.search.exact_cover.search import solutions

    cover = ExactCover(read_instance(TINY))
    return [cover.option_names[option] for option in next(solutions(cover))]


LIES = [
    ("exit(1)", "exit status 1"),
    ("os.kill(os.getpid(), signal.SIGSEGV)", "signal 11"),
    ("print('hello')", "wrote no solution file; its last line: 'hello'"),
    ("answer.write_text('garbage')", "'garbage', which no known format does"),
    ("answer.write_bytes(bytes(range(256)))", "is not UTF-8 text"),
    (
        answer("Optimal - objective value 0", [("X", "nan")]),
        "found 'nan' where the value of 'X' should stand \\(line 2\\)",
    ),
    (answer("Optimal - objective value 0", [("X", "one")]), "found 'one' where the value of 'X'"),
    (answer("Optimal - objective value 0", [("nosuch", 1)]), "are not columns of this model"),
    (answer("Optimal - objective value 0", []), "no placement"),
    (answer("Infeasible - objective value 0", []), "but there is a tiling"),
    (answer("Integer infeasible - objective value 0", []), "but there is a tiling"),
]


@pytest.mark.parametrize(("body", "message"), LIES, ids=[message for _, message in LIES])
def test_a_solver_that_fails_or_lies_is_not_believed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, body: str, message: str
) -> None:
    fake(tmp_path, monkeypatch, body)
    with pytest.raises(SolverFailed, match=message):
        solve_tiny()


def test_a_fractional_or_wrong_optimum_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = ExactCover(read_instance(TINY)).option_names
    good = names_of_a_tiling()
    for values, message in (
        ([(name, 0.4999) for name in names], "neither 0 nor 1"),
        ([(name, 1) for name in names], "used twice|both cover"),
        ([(good[0], 1)], "no placement"),
    ):
        fake(tmp_path, monkeypatch, answer("Optimal - objective value 0", values))
        with pytest.raises(SolverFailed, match=message):
            solve_tiny()


@pytest.mark.parametrize(
    ("head", "values", "status"),
    [
        ("Stopped on time - objective value 0", True, "feasible"),
        (
            "Stopped on time (no integer solution - continuous used) - objective value 0",
            False,
            "unknown",
        ),
    ],
)
def test_what_is_in_hand_at_the_time_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, head: str, values: bool, status: str
) -> None:
    found = [(name, 1 if values else 0.5) for name in names_of_a_tiling()]
    fake(tmp_path, monkeypatch, answer(head, found))
    assert solve_tiny().status == status


def test_a_solver_that_overruns_its_limit_is_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pid = tmp_path / "pid"
    body = f"Path({str(pid)!r}).write_text(str(os.getpid()))\ntime.sleep(600)"
    fake(tmp_path, monkeypatch, body)

    def attempt(seconds: float) -> None:
        solution = calmip.solve(read_instance(TINY), solver="cbc", time_limit=seconds)
        assert (solution.status, solution.detail) == ("unknown", "killed: overran its time limit")

    until(pid.is_file, attempt)
    assert_gone(int(pid.read_text()))


@pytest.mark.parametrize("solver", ["cbc", "scip"])
def test_how_long_a_solver_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, solver: str
) -> None:
    """A second and a tenth of what is left of the limit, of each solve."""
    need_solver(solver)
    fake(tmp_path, monkeypatch, "")
    waited: list[float | None] = []

    def run(command: list[str], *, seconds: float | None, **_: object) -> Ended:
        waited.append(seconds)
        return Ended(None, "")

    module = {"cbc": "programs", "scip": "packages"}[solver]
    monkeypatch.setattr(f"calmip.solvers.{module}.run", run)
    for limit in (None, 2, 50):
        calmip.solve(read_instance(TINY), solver=solver, time_limit=limit)
        search = Enumeration(read_instance(TINY), method="no-good", solver=solver, time_limit=limit)
        assert list(search) == []
        assert search.stopped == "time"
    assert waited[:2] == [None, None]
    for first in (2, 3):
        assert 1 < waited[first] <= 3.2 < waited[first + 2] <= 56


@pytest.mark.long
def test_a_huge_answer_is_refused_before_it_fills_the_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    head, line = "Optimal - objective value 0\n", "1 p1_a00 1 0\n"
    body = f"answer.write_text({head!r} + {line!r} * (160_000_000 // {len(line)}))"
    fake(tmp_path, monkeypatch, body)
    tracemalloc.start()
    try:
        with pytest.raises(SolverFailed, match=r"CBC's solution file .* larger than 1,.* bytes"):
            calmip.solve(read_instance(TINY), solver="cbc")
        assert tracemalloc.get_traced_memory()[1] < 30_000_000
    finally:
        tracemalloc.stop()


def test_a_flood_of_output_is_no_harm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake(tmp_path, monkeypatch, "sys.stdout.write('x' * 50_000_000)\nexit(3)")
    with pytest.raises(SolverFailed, match="exit status 3"):
        solve_tiny()


def test_where_cbc_is_looked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = fake(tmp_path, monkeypatch, "")
    assert Cbc().find() == str(program)
    monkeypatch.setenv("CALMIP_CBC", str(tmp_path / "nosuch"))
    with pytest.raises(SolverMissing, match="CALMIP_CBC"):
        Cbc().find()
    monkeypatch.delenv("CALMIP_CBC")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert Cbc().find() == str(program)
    program.chmod(0o644)
    assert Cbc().find() != str(program)
    monkeypatch.setattr("calmip.solvers.programs._from_cbcbox", lambda: None)
    monkeypatch.setattr("calmip.solvers.programs._from_pulp", lambda: None)
    with pytest.raises(SolverMissing, match="apt install coinor-cbc"):
        solve_tiny()
    assert Cbc().availability().found is None


class Liar:
    """A solver that says what it is told to."""

    name = "highs"

    def __init__(self, *outcomes: Outcome) -> None:
        self.outcomes = list(outcomes)

    def solve(self, model: Path, limits: Limits) -> Outcome:
        return self.outcomes.pop(0)


def optimal(names: list[str]) -> Outcome:
    return Outcome(Status.OPTIMAL, dict.fromkeys(names, 1.0), "Optimal")


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (
            lambda names: [Outcome(Status.INFEASIBLE, detail="no")],
            "0 tilings are .*there are more",
        ),
        (
            lambda names: [optimal(names), Outcome(Status.INFEASIBLE)],
            "1 tilings are .*there are more",
        ),
        (lambda names: [optimal(names), optimal(names)], "that a no-good cut forbids"),
        (lambda names: [optimal(names[:1])], "not a tiling"),
        (lambda names: [optimal(["x"])], "not a tiling"),
    ],
)
def test_a_pool_is_never_complete_on_a_lie(
    monkeypatch: pytest.MonkeyPatch, make: object, message: str
) -> None:
    liar = Liar(*make(names_of_a_tiling()))
    monkeypatch.setattr("calmip.puzzle.tasks.no_good.solver_named", lambda name: liar)
    search = Enumeration(read_instance(TINY), method="no-good", swaps=0)
    with pytest.raises(SolverFailed, match=message):
        list(search)
    assert not search.complete


def test_a_limit_is_not_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    liar = Liar(optimal(names_of_a_tiling()), Outcome(Status.UNKNOWN, detail="time"))
    monkeypatch.setattr("calmip.puzzle.tasks.no_good.solver_named", lambda name: liar)
    search = Enumeration(read_instance(TINY), method="no-good", swaps=0)
    assert len(list(search)) == 1
    assert (search.complete, search.stopped) == (False, "time")


def test_highs_that_lies_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        highs.Highs, "solve", lambda *_: Outcome(Status.INFEASIBLE, detail="Infeasible")
    )
    with pytest.raises(SolverFailed, match="but there is a tiling"):
        calmip.solve(read_instance(TINY))


@pytest.mark.parametrize("kind", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("solver", ["cbc", "highs", "scip"])
def test_an_interrupt_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, solver: str, kind: signal.Signals
) -> None:
    pid = tmp_path / "pid"
    body = f"Path({str(pid)!r}).write_text(str(os.getpid()))\ntime.sleep(6000)"
    fake(tmp_path, monkeypatch, body)
    if solver == "scip":
        need_solver("scip")
        false = "import os, time\nfrom pathlib import Path\n"
        (tmp_path / "pyscipopt.py").write_text(false + body)
        path = f"{tmp_path}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"
        monkeypatch.setenv("PYTHONPATH", path)
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    # To prove that the best packing of this one is the best takes minutes.
    hard = ["instances/dead-corner.yaml", "--formulation", "packing"]
    source = hard if solver == "highs" else [TINY]
    command = [sys.executable, "-m", "calmip", "solve", *source, "--solver", solver]
    with subprocess.Popen(
        command,
        env={**os.environ, "TMPDIR": str(scratch)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as program:
        wait_until(lambda: any(scratch.iterdir()), program)
        if solver != "highs":
            wait_until(lambda: pid.is_file() and pid.read_text(), program)
        time.sleep(0.2)
        program.send_signal(kind)
        out, err = program.communicate(timeout=HANG_SECONDS)
    assert program.returncode == 130
    assert (out, err.strip()) == (
        b"",
        b"interrupted: there is no answer yet, and nothing is written",
    )
    assert list(scratch.iterdir()) == []
    if solver != "highs":
        assert_gone(int(pid.read_text()))


@pytest.mark.long
def test_a_solve_leaves_no_temporary_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    for formulation in ("matrix", "pulp", "pyomo"):
        calmip.solve(read_instance(TINY), formulation=formulation)
    assert list(tmp_path.iterdir()) == []


INFEASIBLE = """\
NAME either
ROWS
 N obj
 G r1
 E r2
 E r3
COLUMNS
 M1 'MARKER' 'INTORG'
 x obj -1 r1 1
 y obj -1 r2 1
 z r2 -1
 w r3 1
 v r3 -1
 M2 'MARKER' 'INTEND'
RHS
 RHS r1 1
 RHS r3 0.5
BOUNDS
"""
COLUMNS = "xyzwv"


@pytest.mark.long
@pytest.mark.parametrize("name", ["highs", "scip", "gurobi"])
@pytest.mark.parametrize("way", ["", "highspy"])
def test_infeasible_or_unbounded_is_infeasible_only_with_finite_bounds(
    name: str, way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    need_solver(name)
    monkeypatch.setenv(VARIABLE, way)
    free = INFEASIBLE + "".join(f" PL BND {column}\n" for column in COLUMNS) + "ENDATA\n"
    feasible = free.replace(" RHS r3 0.5\n", "")
    bounded = free.replace(" PL BND", " UP BND").replace("\nENDATA", " 9\nENDATA")
    bounded = re.sub(r"(UP BND \w)\n", r"\1 9\n", bounded)
    found = []
    for number, text in enumerate((free, feasible, bounded)):
        path = tmp_path / f"{number}.mps"
        path.write_text(text)
        found.append(solver_named(name).solve(path, Limits()).status)
    # HiGHS decides which by a run without presolve.
    assert found[0] in (Status.UNKNOWN, Status.INFEASIBLE)
    assert found[1] in (Status.UNKNOWN, Status.UNBOUNDED)
    assert found[2] is Status.INFEASIBLE
    if name == "highs":
        assert found[:2] == [Status.INFEASIBLE, Status.UNBOUNDED]


def test_the_words_for_infeasible_or_unbounded() -> None:
    words = StatusWords("A", "best", "none", "either", ("time",), "ray")
    assert words.outcome("ray", None).status is Status.UNBOUNDED
    with pytest.raises(SolverFailed, match="''"):  # no solver's word for unbounded
        StatusWords("A", "best", "none", "either", ("time",)).outcome("", None)
    assert words.outcome("either", None).status is Status.INFEASIBLE
    assert words.outcome("either", None, bounded=False).status is Status.UNKNOWN
    assert words.outcome("none", None, bounded=False).status is Status.INFEASIBLE


@pytest.mark.parametrize("kind", ["BV", "UP"])
def test_the_bound_is_that_of_the_problem(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "model.mps"
    end = "" if kind == "BV" else " 1"
    bounds = "".join(f" {kind} BND {column}{end}\n" for column in "xy")
    path.write_text(
        "NAME both\nROWS\n N obj\n L r1\nCOLUMNS\n x obj -3 r1 1\n y obj -2 r1 1\n"
        f"RHS\n RHS r1 1\nBOUNDS\n{bounds}ENDATA\n"
    )
    outcome = solver_named("highs").solve(path, Limits())
    assert (outcome.status, outcome.bound, outcome.nodes) == (Status.OPTIMAL, -3, 0)
