"""One-line faults in the modules that decide what is true, and whether the tests notice.

    nice python -m benchmarks.mutants [MODULE ...] [--sample 20] [--seed 1]

Each mutant is one of the modules in `TESTS` with one fault: another comparison,
sign or number, a condition turned round, a statement left out, ``min`` for
``max``. It lies in a copy of the checkout, where those of the module's tests
that run the line take their turns, the quickest first, in a process that is forked
from this one once the heavy packages are loaded. A mutant is killed if a test
fails, if it takes far more processor time than the tests of the faultless module,
or if it eats the memory. Prints a line for each survivor and a Markdown table;
benchmarks/mutants.md has the last campaign, with a line on why each survivor
lives. Texts, type annotations, imports for type checkers, ``strict`` and what
stands in a ``raise`` are not touched. Needs fork.
"""

from __future__ import annotations

import argparse
import ast
import compileall
import contextlib
import copy
import importlib
import os
import pickle
import random
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import coverage
import pytest

ROOT = Path(__file__).parents[1]

PROOFS = ["tests/proofs/test_proofs.py", "tests/cli/test_prove_command.py"]
EQUIVALENCE = ["tests/search/test_equivalence.py"]
TILING = ["tests/problem/test_tiling.py", "tests/problem/test_placements.py",
          "tests/tasks/test_hint.py"]  # fmt: skip
COVER = ["tests/problem/test_cover.py", "tests/formats/test_export.py",
         "tests/search/test_exact_cover.py", "tests/problem/test_reduction.py"]  # fmt: skip
CUTTING = ["tests/render/test_cutting.py", "tests/render/test_outline.py",
           "tests/render/test_lettering.py", "tests/render/test_workshop.py"]  # fmt: skip
SOLVED = ["tests/tasks/test_results_of_solving.py", "tests/tasks/test_solve_model.py",
          "tests/tasks/test_judge.py", "tests/tasks/test_library.py"]  # fmt: skip

WHOSE = ["tests/course/test_whose_fault.py"]

PLANTED = "tests/search/test_planted_verdicts.py"
COMPARED_MODELS = [PLANTED, "tests/search/test_comparison.py", "tests/tasks/test_check_against.py",
                   "tests/tasks/test_same_models.py"]  # fmt: skip

CONFLICTS = [PLANTED, "tests/search/test_subsystem.py"]

TESTS: dict[str, list[str]] = {
    "calmip/problem/tiling.py": [*TILING, "tests/formats/test_values.py", *COVER],
    "calmip/problem/cover.py": COVER,
    "calmip/problem/placements.py": ["tests/formats/test_placement_names.py", *TILING],
    "calmip/problem/model.py": ["tests/problem/test_model.py", "tests/tasks/test_exact_models.py",
                                "tests/tasks/test_check_general_models.py"],
    "calmip/formats": ["tests/formats"],
    "calmip/formats/boolean.py": ["tests/formats/test_boolean_files.py"],
    "calmip/formats/dialects": ["tests/formats/test_dialect_findings.py"],
    "calmip/formats/model_builder.py": [
        "tests/formats/test_general_files.py", "tests/formats/test_boolean_files.py",
        "tests/formats/test_mps_dialects.py", "tests/formats/test_lp_dialects.py",
    ],
    "calmip/formats/objects.py": ["tests/formats/test_model_objects.py",
                                  "tests/tasks/test_objects_solved.py"],
    "calmip/formats/model_files.py": [
        "tests/formats/test_model_files.py", "tests/formats/test_solu.py",
        "tests/tasks/test_hard_models.py", *SOLVED,
    ],
    "calmip/search/exact_cover": [
        "tests/search/test_depth_first.py", "tests/search/test_regions.py",
        "tests/search/test_witnesses.py", "tests/search/test_kernel.py",
        "tests/search/test_exact_cover.py", "tests/tasks/test_count_parts.py",
        "tests/tasks/test_design.py", "tests/tasks/test_no_good.py",
    ],
    "calmip/search/kernel": ["tests/search/test_kernel.py"],
    "calmip/search/one_tree": ["tests/search/test_farkas.py", "tests/search/test_one_tree.py",
                               "tests/search/test_kernel.py"],
    "calmip/search": EQUIVALENCE,
    "calmip/search/matching.py": ["tests/tasks/test_exact_models.py", *EQUIVALENCE],
    "calmip/search/branching.py": ["tests/search/test_branching.py", "tests/tasks/test_tree.py"],
    "calmip/search/linear.py": [
        "tests/search/test_branching.py", "tests/tasks/test_relax.py", "tests/search/test_cuts.py",
        "tests/search/test_conflict.py", "tests/tasks/test_explain.py", "tests/tasks/test_tree.py",
    ],
    "calmip/search/conflict.py": ["tests/search/test_conflict.py", "tests/tasks/test_explain.py"],
    "calmip/search/exact_lp.py": ["tests/search/test_exact_lp.py",
                                  "tests/tasks/test_check_general_models.py"],
    "calmip/search/comparison.py": COMPARED_MODELS,
    "calmip/search/half_space.py": COMPARED_MODELS,
    "calmip/search/implication.py": COMPARED_MODELS,
    "calmip/search/objectives.py": COMPARED_MODELS,
    "calmip/search/projection.py": COMPARED_MODELS,
    "calmip/tasks/_against.py": COMPARED_MODELS,
    "calmip/search/members.py": CONFLICTS,
    "calmip/search/refutation.py": CONFLICTS,
    "calmip/search/row_tree.py": CONFLICTS,
    "calmip/search/pool": [
        "tests/search/test_pool_guards.py", "tests/search/test_pool_counting.py",
        "tests/search/test_pool_parts.py", "tests/search/test_pool_wide.py",
        "tests/search/test_pool.py", "tests/tasks/test_enumerate_pool.py",
        "tests/tasks/test_resumed_pools.py", "tests/search/test_pool_referee.py",
        "tests/search/test_pool_relaxations.py", "tests/search/test_pool_cuts.py",
    ],
    "calmip/search/face.py": ["tests/search/test_face.py"],
    "calmip/search/subsystem.py": ["tests/search/test_pool_guards.py",
                                   "tests/search/test_subsystem.py", "tests/tasks/test_explain.py"],
    "calmip/search/symmetry.py": ["tests/tasks/test_symmetry.py"],
    "calmip/search/witnesses.py": [*SOLVED, *EQUIVALENCE, "tests/tasks/test_unfinished.py"],
    "calmip/proofs/check_tree.py": PROOFS,
    "calmip/proofs/check_model.py": ["tests/proofs/test_model_proofs.py"],
    "calmip/proofs/check_proofs.py": PROOFS,
    "calmip/course": ["tests/course/test_modelling.py", "tests/course/test_grading.py",
                      "tests/course/test_wrong_programs.py", "tests/course/test_sandbox.py"],
    "calmip/course/pricing.py": ["tests/course/test_pricing_guards.py"],
    "calmip/course/machine.py": WHOSE,
    "calmip/course/marks.py": [*WHOSE, "tests/course/test_grading.py"],
    "calmip/course/sandbox.py": [*WHOSE, "tests/course/test_sandbox.py"],
    "calmip/processes/__init__.py": ["tests/test_process.py"],
    "calmip/processes/server.py": ["tests/test_process.py", "tests/tasks/test_bench.py"],
    "calmip/processes/warden.py": ["tests/test_process.py", "tests/course/test_sandbox.py"],
    "calmip/course/exercises.py": ["tests/course/test_assignments.py",
                                   "tests/course/test_grading.py"],
    "calmip/course/assignments.py": ["tests/course/test_assignments.py"],
    "calmip/course/classroom.py": ["tests/course/test_classroom.py"],
    "calmip/tasks/_marking.py": [*WHOSE, "tests/course/test_classroom.py"],
    "calmip/tasks/grade.py": [*WHOSE, "tests/course/test_classroom.py"],
    "calmip/course/autograder.py": ["tests/course/test_autograder.py"],
    "calmip/tasks/_trust.py": [*SOLVED, "tests/tasks/test_unfinished.py",
                               "tests/tasks/test_compare.py", "tests/solvers/test_solvers.py"],
    "calmip/tasks/campaign/problems.py": ["tests/tasks/test_judge.py"],
    "calmip/tasks/solve.py": SOLVED,
    "calmip/tasks/check.py": ["tests/tasks/test_results_of_solving.py", "tests/cli/test_cli.py",
                              "tests/formats/test_no_columns.py", "tests/tasks/test_library.py"],
    "calmip/render/cutting.py": CUTTING,
    "calmip/render/parts.py": CUTTING,
    "calmip/tasks/_nesting.py": ["tests/tasks/test_nesting.py"],
    "calmip/render/reports/cut.py": CUTTING,
    "calmip/render/outline.py": CUTTING,
    "calmip/render/tiles.py": ["tests/render/test_sheets.py", "tests/render/test_svg.py",
                               "tests/render/test_outline.py"],
}  # fmt: skip
"""The modules and folders of modules, and the tests that are to notice.

A line of a module's own goes before that of its folder.
"""

HEAVY = ("numpy", "scipy", "hypothesis", "highspy", "pulp", "pyomo.environ", "yaml", "click",
         "pytest", "rich")  # fmt: skip

COMPARED: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq, ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
COMPUTED: dict[type[ast.AST], type[ast.AST]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.FloorDiv, ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd,
}  # fmt: skip
CALLED = {"min": "max", "max": "min", "all": "any", "any": "all", "sorted": "list"}
MOST_MEMORY = 6 << 30
OUTPUT = ".output"
"""What the last tests have printed, in the copy."""
KNOWN = ".known"
"""What the tests do without a fault, in the copy."""


@dataclass(frozen=True)
class Mutant:
    """A module's text with one fault, and where the fault is."""

    line: int
    change: str
    text: str


def modules(names: Iterable[str]) -> list[str]:
    """Return the modules among modules and folders, each once."""
    found = []
    for name in names:
        path = ROOT / name
        found += sorted(path.rglob("*.py")) if path.is_dir() else [path]
    # A file that says only what a room is for has nothing to alter.
    return [
        str(path.relative_to(ROOT))
        for path in dict.fromkeys(found)
        if any(True for _ in _places(ast.parse(path.read_text(encoding="utf-8"))))
    ]


def near_tests(module: str) -> tuple[str, ...]:
    """Return the tests of a module: those of the nearest line in `TESTS`."""
    path = Path(module)
    return next(tuple(TESTS[str(place)]) for place in (path, *path.parents) if str(place) in TESTS)


def mutants(source: str) -> list[Mutant]:
    """Return every mutant of a module, in the order of its lines."""
    tree = ast.parse(source)
    found = []
    for node, alter in _places(tree):
        faulty = copy.deepcopy(tree)
        twin = _twin(tree, faulty, node)
        before = ast.unparse(twin).splitlines()[0]
        after = alter(twin)
        line = getattr(node, "lineno", 0)
        found.append(Mutant(line, f"{before} -> {after}", ast.unparse(faulty)))
    return sorted(found, key=lambda mutant: mutant.line)


def _twin(tree: ast.AST, other: ast.AST, node: ast.AST) -> ast.AST:
    """Return the node of a copied tree that stands where a node of the first one stands."""
    pairs = zip(ast.walk(tree), ast.walk(other), strict=True)
    return next(twin for one, twin in pairs if one is node)


def _places(tree: ast.Module) -> Iterator[tuple[ast.AST, Callable[[ast.AST], str]]]:
    """Yield each node that can be altered, with what alters it and says how it looks then."""
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        if _idle(node):
            continue
        for alter in _alterations(node):
            yield node, alter
        for name, value in ast.iter_fields(node):
            if name in ("annotation", "returns", "exc", "decorator_list", "bases"):
                continue
            children = value if isinstance(value, list) else [value]
            waiting += [child for child in children if isinstance(child, ast.AST)]


def _idle(node: ast.AST) -> bool:
    """Return whether nothing that a program does can tell a fault there.

    That is what type checkers alone import, and whether lists that are as long
    as each other by construction are held against each other.
    """
    match node:
        case ast.If(test=ast.Name(id="TYPE_CHECKING")) | ast.keyword(arg="strict"):
            return True
    return False


def _alterations(node: ast.AST) -> Iterator[Callable[[ast.AST], str]]:
    def shown(change: Callable[[ast.AST], None]) -> Callable[[ast.AST], str]:
        def alter(twin: ast.AST) -> str:
            change(twin)
            return ast.unparse(twin).splitlines()[0]

        return alter

    def becomes(field: str, value: object) -> Callable[[ast.AST], str]:
        return shown(lambda twin: setattr(twin, field, value))

    def without() -> Callable[[ast.AST], str]:
        """Leave the statement out."""

        def drop(twin: ast.AST) -> None:
            keep = ast.Pass(**{key: getattr(twin, key) for key in twin._attributes})  # type: ignore[attr-defined]
            twin.__class__, twin.__dict__ = ast.Pass, keep.__dict__

        return shown(drop)

    def negated(twin: ast.AST) -> None:
        twin.test = ast.UnaryOp(ast.Not(), twin.test)  # type: ignore[attr-defined]

    def bare(twin: ast.AST) -> None:
        inner = twin.operand  # type: ignore[attr-defined]
        twin.__class__, twin.__dict__ = inner.__class__, inner.__dict__

    match node:
        case ast.Compare(ops=[op, *rest]):
            yield becomes("ops", [COMPARED[type(op)](), *rest])
        case ast.BinOp(op=op) | ast.AugAssign(op=op) if type(op) in COMPUTED:
            yield becomes("op", COMPUTED[type(op)]())
        case ast.BoolOp(op=op):
            yield becomes("op", ast.Or() if isinstance(op, ast.And) else ast.And())
        case ast.UnaryOp(op=ast.Not()):
            yield shown(bare)
        case ast.Constant(value=bool(value)):
            yield becomes("value", not value)
        case ast.Constant(value=int(value) | float(value)):
            yield becomes("value", value + 1)
        case ast.If() | ast.IfExp() | ast.While():
            yield shown(negated)
        case ast.Raise() | ast.AugAssign() | ast.Continue() | ast.Break():
            yield without()
        case ast.Expr(value=ast.Call()):
            yield without()
        case ast.Return(value=ast.Constant(value=None)):
            return
        case ast.Return(value=value) if value is not None:
            yield becomes("value", None)
        case ast.Call(func=ast.Name(id=name)) if name in CALLED:
            yield becomes("func", ast.Name(CALLED[name], ast.Load()))


@dataclass
class Known:
    """What the tests do without a fault: how long each takes, and which lines each runs."""

    times: dict[str, float] = field(default_factory=dict)
    lines: dict[str, dict[int, list[str]]] = field(default_factory=dict)

    def near(self, module: str, line: int) -> set[str]:
        """Return the tests that run a line; none if what runs it is not known.

        It may be run by a program that a test starts, or before any test.
        """
        found = set(self.lines.get(module, {}).get(line, ()))
        return set() if "" in found else found


class Plugin:
    """Pytest's plugin that runs some tests or all, the quickest first.

    With a coverage measurement it also takes down what they do.
    """

    def __init__(
        self, known: Known, chosen: Collection[str], watch: coverage.Coverage | None
    ) -> None:
        self.known, self.chosen, self.watch = known, chosen, watch
        self.test = ""

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Choose and sort the tests."""
        items[:] = [item for item in items if not self.chosen or item.nodeid in self.chosen]
        items.sort(key=lambda item: self.known.times.get(item.nodeid, 0.0))

    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        """Begin a test; one that runs on for ever ends this process soon."""
        self._run_by(item.nodeid)
        if item.nodeid in self.known.times:
            import resource

            _, most = resource.getrlimit(resource.RLIMIT_CPU)
            soon = time.process_time() + 3 * self.known.times[item.nodeid] + 5
            resource.setrlimit(resource.RLIMIT_CPU, (min(int(soon), most), most))

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: Any) -> Generator[None, object, object]:
        """Leave to no test what is made for several."""
        if fixturedef.scope != "function":
            test = self.test
            self._run_by("")
        try:
            return (yield)
        finally:
            if fixturedef.scope != "function":
                self._run_by(test)

    def _run_by(self, test: str) -> None:
        self.test = test
        if self.watch:
            self.watch.switch_context(test)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Add a phase's time."""
        times = self.known.times
        times[report.nodeid] = times.get(report.nodeid, 0.0) + report.duration


def run_tests(
    copied: Path,
    tests: Sequence[str],
    seconds: float,
    known: Known | None = None,
    chosen: Collection[str] = (),
) -> str:
    """Run tests, or those that are chosen of them, in a fork: ``passed``, ``failed`` or ``time``.

    Without ``known`` it is the first run, which leaves in the copy what the tests do.
    """
    shutil.rmtree(copied / ".hypothesis", ignore_errors=True)
    pid = os.fork()
    if not pid:
        os.setsid()
        _run_in_child(copied, tests, int(seconds), known, chosen)
    # Ten times as long by the wall: the machine may be busy, the mutant asleep.
    deadline = time.monotonic() + 10 * seconds
    while True:
        done, status = os.waitpid(pid, os.WNOHANG)
        if done:
            break
        if time.monotonic() > deadline:
            os.killpg(pid, signal.SIGKILL)
        time.sleep(0.05)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)  # what it may have left behind
    code = os.waitstatus_to_exitcode(status)
    return {0: "passed"}.get(code, "failed" if code > 0 else "time")


def _run_in_child(
    copied: Path, tests: Sequence[str], seconds: int, known: Known | None, chosen: Collection[str]
) -> None:
    code = 99
    try:
        import resource

        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        printed = os.open(copied / OUTPUT, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(printed, 1)
        os.dup2(printed, 2)
        os.chdir(copied)
        os.environ["PYTHONPATH"] = str(copied)
        os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
        sys.path[:] = [str(copied), *(p for p in sys.path if p not in ("", str(ROOT)))]
        # The first run writes the tests' own compiled files.
        sys.dont_write_bytecode = known is not None
        watch = None
        if known is None:
            known = Known()
            watch = coverage.Coverage(None, config_file=False, include=[f"{copied}/calmip/*"])
            watch.start()
        # A long test may be the one that notices.
        long = ["--long"] if Path("tests", "conftest.py").exists() else []
        code = int(pytest.main(["-x", "-q", "-p", "no:cacheprovider", "--hypothesis-seed=0",
                                "-W", "ignore::pytest.PytestAssertRewriteWarning",
                                *long, *tests], [Plugin(known, chosen, watch)]))  # fmt: skip
        if watch:
            watch.stop()
            data = watch.get_data()
            for path in data.measured_files():
                module = str(Path(path).relative_to(copied))
                known.lines[module] = data.contexts_by_lineno(path)
            (copied / KNOWN).write_bytes(pickle.dumps(known))
    finally:
        os._exit(code)


def campaign(
    module: str, copied: Path, most: int, seed: int, measured: dict[tuple[str, ...], Known]
) -> tuple[int, int, list[Mutant]]:
    """Return how many mutants there are, how many were tried, and who survived.

    What tests do without a fault is measured once and kept in ``measured``.
    """
    path = copied / module
    source = path.read_text(encoding="utf-8")
    everyone = mutants(source)
    chosen = random.Random(f"{seed} {module}").sample(everyone, min(most, len(everyone)))
    tests = near_tests(module)
    if tests not in measured:
        outcome = run_tests(copied, tests, 1200)
        if outcome != "passed":
            print((copied / OUTPUT).read_text(encoding="utf-8", errors="replace"))
            raise SystemExit(f"{module}: the tests do not pass without a fault ({outcome})")
        measured[tests] = pickle.loads((copied / KNOWN).read_bytes())
    known = measured[tests]
    survivors = []
    for number, mutant in enumerate(sorted(chosen, key=lambda mutant: mutant.line)):
        path.write_text(mutant.text, encoding="utf-8")
        # A time of its own: the compiled file of another mutant may be as long.
        os.utime(path, (number + 1, number + 1))
        near = known.near(module, mutant.line)
        files = sorted({test.partition("::")[0] for test in near}) or tests
        usual = sum(known.times[test] for test in near or known.times)
        outcome = run_tests(copied, files, 2 * usual + 5, known, near)
        if outcome == "passed":
            survivors.append(mutant)
            print(f"{module}:{mutant.line}: {mutant.change}", flush=True)
    path.write_text(source, encoding="utf-8")
    return len(everyone), len(chosen), survivors


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("modules", nargs="*", metavar="MODULE", help=", ".join(TESTS))
    parser.add_argument("--sample", type=int, default=20, help="mutants per module at most")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    for name in HEAVY:
        importlib.import_module(name)
    lines = []
    with tempfile.TemporaryDirectory(prefix="mutants-") as name:
        copied = Path(name)
        for part in ("calmip", "tests", "docs", "instances", "benchmarks"):
            shutil.copytree(ROOT / part, copied / part, ignore=shutil.ignore_patterns("*.pyc"))
        for file in ROOT.iterdir():
            if file.is_file():
                shutil.copy(file, copied)
        compileall.compile_dir(copied, quiet=2)
        measured: dict[tuple[str, ...], Known] = {}
        for module in modules(options.modules or TESTS):
            found = campaign(module, copied, options.sample, options.seed, measured)
            there, tried, survivors = found
            killed = tried - len(survivors)
            lines.append(f"| {module} | {there} | {tried} | {killed} | {len(survivors)} |")
            print(lines[-1], file=sys.stderr, flush=True)
    print("\n| module | mutants | tried | killed | survived |\n|---|---|---|---|---|")
    print("\n".join(lines))


if __name__ == "__main__":
    main()
