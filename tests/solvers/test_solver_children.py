"""Solvers that are Python packages: real ones at their limits, and false ones that crash or lie."""

import os
import sys
import textwrap
import tracemalloc
from pathlib import Path

import pytest
from processes import assert_gone, cpu_seconds, until
from requirements import need_solver

import calmip
from calmip import ExactCover, SolverFailed, SolverMissing
from calmip.mip.files.model_files import read_model
from calmip.models import build
from calmip.puzzle.documents.reader import read_instance
from calmip.puzzle.search.exact_cover import search
from calmip.puzzle.search.exact_cover.search import solutions
from calmip.solvers import SOLVERS, Limits, Status, highs, solver_named
from calmip.solvers.base import ModelRefused

TINY = "instances/tiny.yaml"

# Each solver's package, falsely: VALUES, STATUS and BODY are set by the test.
PACKAGES = {
    "scip": (
        "pyscipopt",
        "pyscipopt.py",
        """
        class Variable:
            def __init__(self, name): self.name = name
            def getLbOriginal(self): return 0.0
            def getUbOriginal(self): return 1.0
        class Model:
            def __getattr__(self, name): return lambda *_, **__: None
            def optimize(self): BODY()
            def getStatus(self): return STATUS.lower()
            def infinity(self): return 1e20
            def getDualbound(self): return 4.0 if VALUES else -1e20
            def getNSols(self): return len(VALUES)
            def getVars(self, transformed): return [Variable(name) for name in VALUES]
            def getSolVal(self, best, variable): return VALUES[variable.name]
        """,
    ),
    "gurobi": (
        "gurobipy",
        "gurobipy.py",
        """
        class GurobiError(Exception):
            errno = 10010
        class GRB:
            INFINITY = 1e100
            class Status:
                OPTIMAL, INFEASIBLE, TIMELIMIT, NUMERIC = 2, 3, 9, 12
        setattr(GRB.Status, "TIME_LIMIT", 9); del GRB.Status.TIMELIMIT
        class Variable:
            VType, LB, UB = "B", 0.0, 1.0
            def __init__(self, name): self.VarName, self.X = name, VALUES[name]
        class Env:
            def __init__(self, **_): pass
            def __enter__(self): return self
            def __exit__(self, *_): pass
            Status = property(lambda self: getattr(GRB.Status, STATUS))
            SolCount = property(lambda self: len(VALUES))
            NodeCount = 7.0
            ObjBound = property(lambda self: 4.0 if VALUES else -GRB.INFINITY)
            def optimize(self): BODY()
            def getVars(self): return [Variable(name) for name in VALUES]
            def getConstrs(self): return []
        def read(path, env): return Env()
        """,
    ),
    "cpsat": (
        "ortools",
        "ortools/linear_solver/python/model_builder.py",
        """
        class Variable:
            def __init__(self, name): self.name = name
        class Model:
            num_variables, num_constraints = 4, 5  # tiny.yaml, reduced
            def import_from_mps_file(self, path): return True
            def get_variables(self): return [Variable(name) for name in VALUES]
        class Solver:
            best_objective_bound = 4.0
            def __init__(self, _): self.name = STATUS
            def __getattr__(self, name): return lambda *_: None
            def solve(self, problem): BODY(); return self
            def value(self, variable): return VALUES[variable.name]
        """,
    ),
    "z3": (
        "z3-solver",
        "z3.py",
        """
        sat, unsat = "OPTIMAL", "INFEASIBLE"
        class Anything(dict):
            def __getattr__(self, name): return lambda *_: Anything()
            def __missing__(self, key): return True
            def check(self): BODY(); return STATUS
            def model(self): return {str(n): VALUES.get(n) for n in NAMES}
            def reason_unknown(self): return "timeout" if STATUS == "TIME_LIMIT" else "surprise"
        NAMES = []
        def Bool(name): NAMES.append(name); return name
        def __getattr__(name): return lambda *_: Anything()
        """,
    ),
}
STOPPED = {"scip": "timelimit", "gurobi": "TIME_LIMIT", "cpsat": "NOT_SOLVED", "z3": "TIME_LIMIT"}


@pytest.fixture
def falsify(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> object:
    """Put a false package before the real one, for this process and its children."""

    def put(
        solver: str, *, status: str = "OPTIMAL", values: object = (), body: str = "pass"
    ) -> None:
        package, path, code = PACKAGES[solver]
        info = tmp_path / f"{package.replace('-', '_')}-0.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 0.0\n")
        file = tmp_path / path
        file.parent.mkdir(parents=True, exist_ok=True)
        for folder in list(file.relative_to(tmp_path).parents)[:-1]:
            (tmp_path / folder / "__init__.py").touch()
        file.write_text(
            f"import os, signal, sys, time\nfrom pathlib import Path\n"
            f"STATUS, VALUES = {status!r}, {dict(values)!r}\n"
            f"def BODY():\n    {body}\n{textwrap.dedent(code)}"
        )
        monkeypatch.setenv("PYTHONPATH", f"{tmp_path}{os.pathsep}{os.environ.get('PYTHONPATH')}")
        monkeypatch.syspath_prepend(str(tmp_path))

    return put


def tiling() -> dict[str, float]:
    cover = ExactCover(read_instance(TINY))
    return {cover.option_names[option]: 1.0 for option in next(solutions(cover))}


def solve(solver: str) -> calmip.Solution:
    return calmip.solve(read_instance(TINY), solver=solver, time_limit=100)


@pytest.mark.parametrize("solver", PACKAGES)
def test_an_honest_package_is_believed(solver: str, falsify: object) -> None:
    falsify(solver, values=tiling())
    assert solver_named(solver).availability().version == "0.0"
    assert solve(solver).status == "feasible"


@pytest.mark.parametrize("solver", PACKAGES)
def test_a_false_infeasible_is_found_out(solver: str, falsify: object) -> None:
    falsify(solver, status="INFEASIBLE")
    with pytest.raises(SolverFailed, match="but there is a tiling"):
        solve(solver)


@pytest.mark.parametrize("solver", PACKAGES)
def test_a_limit_with_nothing_in_hand_is_unknown(solver: str, falsify: object) -> None:
    falsify(solver, status=STOPPED[solver])
    assert solve(solver).status == "unknown"


@pytest.mark.parametrize("solver", ["scip", "gurobi"])
def test_a_limit_with_a_tiling_in_hand_is_feasible(
    solver: str, falsify: object, tmp_path: Path
) -> None:
    falsify(solver, status=STOPPED[solver], values=tiling())
    outcome = solver_named(solver).solve(model(tmp_path), Limits(100))
    assert outcome.status is Status.FEASIBLE
    assert outcome.values == tiling()


def model(folder: Path) -> Path:
    path = folder / "tiny.mps"
    build("matrix", ExactCover(read_instance(TINY))).write(path)
    return path


ALL = ExactCover(read_instance(TINY)).option_names


@pytest.mark.parametrize("solver", ["scip", "gurobi", "cpsat"])
@pytest.mark.parametrize(
    ("values", "message"),
    [
        (dict.fromkeys(ALL, 0.4999), "neither 0 nor 1"),
        (dict.fromkeys(ALL, 1.0), "used twice|both cover"),
        ({"nosuch": 1.0}, "are not columns of this model"),
        ({}, "no placement"),
    ],
)
def test_a_false_optimum_is_refused(
    solver: str, values: dict[str, float], message: str, falsify: object
) -> None:
    falsify(solver, values=values)
    if not values and solver != "cpsat":
        # These two count their solutions: none is none, whatever the status says.
        assert solve(solver).status == "unknown"
        return
    with pytest.raises(SolverFailed, match=message):
        solve(solver)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("os._exit(3)", "exit status 3 and without an answer"),
        (
            "print('last words', flush=True); os.kill(os.getpid(), signal.SIGSEGV)",
            "signal 11 and without an answer; its last line: 'last words'",
        ),
        ("raise RuntimeError('boom')", "exit status 1 .*RuntimeError: boom"),
        ("Path('answer.json').write_text('{'); os._exit(0)", "cut or garbled"),
        ("Path('answer.json').write_text('[' * 100_000); os._exit(0)", "cut or garbled"),
        ("Path('answer.json').write_bytes(bytes(range(256))); os._exit(0)", "cut or garbled"),
        ("Path('answer.json').write_text('{}'); os._exit(0)", "not a status"),
        (
            "Path('answer.json').write_text("
            '\'{"status": "optimal", "detail": "", "values": {"x": NaN}}\'); os._exit(0)',
            "x has the value nan",
        ),
    ],
)
def test_a_child_that_crashes_or_answers_garbage(body: str, message: str, falsify: object) -> None:
    falsify("scip", body=body)
    with pytest.raises(SolverFailed, match=message):
        solve("scip")


def test_words_that_are_no_answer(falsify: object) -> None:
    falsify("gurobi", status="NUMERIC")
    with pytest.raises(SolverFailed, match="Gurobi ended with the status 'NUMERIC'"):
        solve("gurobi")


def test_a_licence_that_is_too_small_says_what_to_do(falsify: object) -> None:
    falsify("gurobi", body="raise GurobiError('Model too large for size-limited license')")
    with pytest.raises(ModelRefused, match=r"too large .*2,000 columns.*use another solver"):
        solve("gurobi")


def test_a_package_that_cannot_be_imported_is_missing(tmp_path: Path, falsify: object) -> None:
    falsify("scip")
    (tmp_path / "pyscipopt.py").write_text("import nosuch_library")
    with pytest.raises(SolverMissing, match=r"nosuch_library.*pip install 'calmip\[scip\]'"):
        solve("scip")


@pytest.mark.parametrize("solver", PACKAGES)
def test_a_package_that_is_missing_says_how_to_get_it(
    solver: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "path", [])
    with pytest.raises(SolverMissing, match=rf"pip install 'calmip\[{solver}\]'"):
        solver_named(solver).solve(Path("model.mps"), Limits())


def test_a_child_that_hangs_is_killed(
    tmp_path: Path, falsify: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    pid = tmp_path / "pid"
    falsify("scip", body=f"Path({str(pid)!r}).write_text(str(os.getpid())); time.sleep(600)")

    def attempt(seconds: float) -> None:
        outcome = solver_named("scip").solve(model(tmp_path), Limits(seconds))
        assert outcome.status is Status.UNKNOWN

    until(pid.is_file, attempt)
    assert_gone(int(pid.read_text()))


@pytest.mark.long
def test_a_huge_answer_is_refused_before_it_fills_the_memory(falsify: object) -> None:
    entry = '\\"p1_a00\\": 1, '
    body = f"Path('answer.json').write_text(\"{entry}\" * 12_000_000); os._exit(0)"
    falsify("scip", body=body)
    tracemalloc.start()
    try:
        with pytest.raises(SolverFailed, match=r"scip's answer is larger than 1,.* bytes"):
            solve("scip")
        assert tracemalloc.get_traced_memory()[1] < 30_000_000
    finally:
        tracemalloc.stop()


def test_loading_the_package_is_part_of_the_time(tmp_path: Path, falsify: object) -> None:
    """What is left when the package is loaded is what the solver gets."""
    said = tmp_path / "said"
    falsify("scip", body="pass", values=tiling())
    file = tmp_path / "pyscipopt.py"
    noted = (
        "def setParam(self, *setting):\n"
        f"        print(*setting, file=Path({str(said)!r}).open('a'))\n"
        "    def optimize(self)"
    )
    code = file.read_text().replace("def optimize(self)", noted)
    file.write_text(f"import time\ntime.sleep(0.5)\n{code}")
    solver_named("scip").solve(model(tmp_path), Limits(100))
    words = dict(line.split() for line in said.read_text().splitlines())
    assert 0 < float(words["limits/time"]) <= 99.5


REAL = """Maximize
 value: 3 x + 4 y + 2 z + 10
Subject To
 w: 2 x + 3 y + z <= 3
 one: x + y + z >= ONE
Binaries
 x y z
End
"""


@pytest.mark.long
@pytest.mark.parametrize("solver", [name for name in SOLVERS if name != "exact-cover"])
def test_a_real_solver_finds_the_best_and_proves_that_there_is_none(
    solver: str, tmp_path: Path
) -> None:
    need_solver(solver)
    path = tmp_path / "model.lp"
    path.write_text(REAL.replace("ONE", "1"))
    best = calmip.solve(read_model(path), solver=solver, seed=2**31 - 1, time_limit=200)
    assert (best.status, best.chosen, best.objective) == ("optimal", (0, 2), 15)
    path.write_text(REAL.replace("ONE", "3"))
    assert calmip.solve(read_model(path), solver=solver).status == "infeasible"


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_real_solver_keeps_its_lines_to_the_log(
    solver: str, capfd: pytest.CaptureFixture[str]
) -> None:
    need_solver(solver)
    lines: list[str] = []
    found = calmip.solve(read_instance(TINY), solver=solver, threads=2, log=lines.append)
    assert found.status == "feasible"
    # These say nothing while they work.
    assert (len(lines) > 5) == (solver not in ("z3", "exact-cover"))
    assert not any(line.endswith("\n") for line in lines)
    assert tuple(capfd.readouterr()) == ("", "")


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_real_solver_stops_at_a_tiny_limit(solver: str, monkeypatch: pytest.MonkeyPatch) -> None:
    need_solver(solver)
    # By itself: nobody kills it.
    monkeypatch.setattr(Limits, "patience", None)
    hard = read_instance("instances/rhombus-thu-oct23.yaml")
    started = cpu_seconds()
    assert calmip.solve(hard, solver=solver, time_limit=0.001).status in ("unknown", "feasible")
    assert cpu_seconds() - started < 20


STARTING = [name for name in SOLVERS if solver_named(name).starts]


@pytest.mark.long
@pytest.mark.parametrize("solver", STARTING)
def test_a_start_is_taken_up(solver: str, tmp_path: Path) -> None:
    """Of 64 tilings a solver gives back the one that it was given, be it the first or the last."""
    need_solver(solver)
    leap_day = read_instance("instances/feb29.yaml")
    cover = ExactCover(leap_day)
    path = tmp_path / "model.mps"
    build("matrix", cover).write(path)
    last = list(solutions(cover))[-1]
    start = tuple(cover.option_names[option] for option in last)
    outcome = solver_named(solver).solve(path, Limits(start=start))
    assert {name for name, value in outcome.values.items() if value > 0.5} == set(start)
    solution = calmip.solve(leap_day, solver=solver, warm_start="search")
    assert solution.found_by == "search"
    assert f"accepted by {solver}" in str(solution)


@pytest.mark.parametrize("unsuccessful", [0, 2])
def test_highs_starts_from_a_known_tiling_when_its_dives_fail(
    unsuccessful: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first two dives tile this date neither whole nor reduced."""
    monkeypatch.setattr(highs, "DIVES_BEFORE_SPARE", unsuccessful)
    leap_day = read_instance("instances/feb29.yaml")
    cover = ExactCover(leap_day)
    path = tmp_path / "model.mps"
    build("matrix", cover).write(path)
    last = list(solutions(cover))[-1]
    spare = tuple(cover.option_names[option] for option in last)
    lines: list[str] = []
    outcome = solver_named("highs").solve(path, Limits(spare=spare, log=lines.append))
    assert {name for name, value in outcome.values.items() if value > 0.5} == set(spare)
    assert sum("Solving report" in line for line in lines) == unsuccessful + 1
    assert calmip.solve(leap_day).found_by == "search"
    assert calmip.solve(leap_day, warm_start="none").found_by == "highs"


def test_a_start_in_time_of_need_is_not_looked_for_without_need(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The tiling is HiGHS's own if a dive succeeds; other solvers start cold."""
    need_solver("cbc")
    tiny = read_instance(TINY)
    assert calmip.solve(tiny).found_by == "highs"
    monkeypatch.setattr(search, "solution_soon", lambda _: pytest.fail("it was looked for"))
    assert calmip.solve(tiny, solver="cbc").found_by == "cbc"
    assert calmip.solve(tiny, formulation="cells").found_by == "highs"
    assert calmip.solve(tiny, warm_start="none").found_by == "highs"


def _given(names: tuple[str, ...], *, spare: bool) -> Limits:
    return Limits(spare=names) if spare else Limits(start=names)


@pytest.mark.parametrize("spare", [False, True])
@pytest.mark.parametrize("solver", STARTING)
def test_a_false_start_does_no_harm(
    solver: str, spare: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    need_solver(solver)
    monkeypatch.setattr(highs, "DIVES_BEFORE_SPARE", 0)
    cover = ExactCover(read_instance(TINY))
    path = tmp_path / "model.mps"
    build("matrix", cover).write(path)
    outcome = solver_named(solver).solve(path, _given(cover.option_names, spare=spare))
    chosen = [cover.option_number[name] for name, value in outcome.values.items() if value > 0.5]
    assert sorted(chosen) in list(solutions(cover))


def test_a_start_is_refused_where_it_would_be_of_no_use() -> None:
    tiny = read_instance(TINY)
    with pytest.raises(
        calmip.InputError, match="glpk takes no warm start; those that do are highs"
    ):
        calmip.solve(tiny, solver="glpk", warm_start="search")
    with pytest.raises(calmip.InputError, match="unknown warm start 'magic'"):
        calmip.solve(tiny, warm_start="magic")
    with pytest.raises(calmip.InputError, match="columns that are not placements"):
        calmip.solve(tiny, formulation="cells", warm_start="search")


def test_without_a_tiling_there_is_nothing_to_start_from() -> None:
    none = read_instance("a-puzzle-a-day", reveal="Dec,29", flip=False)
    solution = calmip.solve(none, warm_start="search")
    assert (solution.status, solution.found_by) == ("infeasible", "")
