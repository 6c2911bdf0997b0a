"""One-line faults in the modules that decide what is true, and whether the tests notice.

    nice python -m benchmarks.mutants [MODULE ...] [--sample 20 | --draw 100] [--seed 1]
    nice python -m benchmarks.mutants --measure

Each mutant is a module of the package with one fault: another comparison,
sign or number, a condition turned round, a statement left out, ``min`` for
``max``. It lies in a copy of the checkout, where those of the module's tests
that run the line take their turns, the quickest first, in a process that is forked
from this one once the heavy packages are loaded. A mutant is killed if a test
fails, if it takes far more processor time than the tests of the faultless module,
or if it eats the memory. The tests of each module are those that run it: ``--measure`` runs
every file of tests with coverage, in the programs that it starts as well, and writes
near_tests.json. Prints a line for each survivor and a Markdown table;
benchmarks/mutants.md has the last campaign, with a line on why each survivor
lives. Texts, type annotations, imports for type checkers, ``strict`` and what
stands in a ``raise`` are not touched. Needs fork.
"""

from __future__ import annotations

import argparse
import ast
import compileall
import concurrent.futures
import contextlib
import copy
import importlib
import json
import os
import pickle
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import coverage
import coverage.exceptions
import pytest

ROOT = Path(__file__).parents[1]

NEAR = Path(__file__).with_name("near_tests.json")
"""The test files that run each module, and the CPU seconds of each; ``--measure`` writes it."""

HEAVY = (
    "numpy",
    "scipy",
    "hypothesis",
    "highspy",
    "pulp",
    "pyomo.environ",
    "yaml",
    "click",
    "pytest",
    "rich",
)

COMPARED: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
COMPUTED: dict[type[ast.AST], type[ast.AST]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
}
CALLED = {"min": "max", "max": "min", "all": "any", "any": "all", "sorted": "list"}
MAX_MEMORY_BYTES = 6 << 30
MODULE_CPU_SECONDS = 60.0
"""CPU seconds of a module's tests, more or less."""
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
    """Return the files of tests that run the functions of a module."""
    near: dict[str, list[str]] = json.loads(NEAR.read_text(encoding="utf-8"))["modules"]
    return tuple(near.get(module, ()))


def body_lines(source: str) -> set[int]:
    """Return the lines of a module's functions, which an import alone does not run."""
    lines: set[int] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            body = node.body if isinstance(node.body, list) else [node.body]
            lines.update(range(body[0].lineno, (node.end_lineno or 0) + 1))
    return lines


def chosen_files(
    run: dict[str, set[int]], seconds: dict[str, float], most: float = MODULE_CPU_SECONDS
) -> list[str]:
    """Return files of tests that together run each line twice, if two files do, the best first.

    Parameters
    ----------
    run
        The lines that each file runs.
    seconds
        The CPU seconds of each file.
    most
        The CPU seconds of all files together, beyond which none is added to the first.
    """
    wanted: Counter[int] = Counter()
    for lines in run.values():
        wanted.update(lines)
    wanted = Counter({line: min(times, 2) for line, times in wanted.items()})
    chosen: list[str] = []
    spent = 0.0
    while left := {file for file in run if file not in chosen}:
        worth = {
            file: sum(wanted[line] > 0 for line in run[file]) / max(seconds[file], 0.5)
            for file in left
        }
        best = max(sorted(left), key=worth.__getitem__)
        if not worth[best] or (chosen and spent + seconds[best] > most):
            break
        wanted.subtract(run[best])
        spent += seconds[best]
        chosen.append(best)
    return chosen


def measure(jobs: int) -> dict[str, Any]:
    """Run each file of tests with coverage, and return which modules it runs, and how long."""
    files = sorted(
        str(path.relative_to(ROOT))
        for path in (ROOT / "tests").rglob("test_*.py")
        if path.parent.name != "page"  # these play in a browser
    )
    with (
        tempfile.TemporaryDirectory(prefix="near-tests-") as name,
        concurrent.futures.ThreadPoolExecutor(jobs) as pool,
    ):
        measured = list(pool.map(lambda file: _measured(Path(name), file), files))
    seconds = {file: spent for file, (spent, _) in zip(files, measured, strict=True)}
    near = {}
    for module in modules(["calmip"]):
        body = body_lines((ROOT / module).read_text(encoding="utf-8"))
        run = {
            file: lines[module] & body
            for file, (_, lines) in zip(files, measured, strict=True)
            if lines.get(module, set()) & body
        }
        near[module] = chosen_files(run, seconds)
    used = {file for tests in near.values() for file in tests}
    return {"seconds": {file: round(seconds[file], 1) for file in sorted(used)}, "modules": near}


def _measured(folder: Path, file: str) -> tuple[float, dict[str, set[int]]]:
    """Run a file of tests in a process; return its CPU seconds and the lines that it runs."""
    data = folder / file.replace("/", "_")
    configuration = data.with_suffix(".toml")
    configuration.write_text(
        f"[tool.coverage.run]\npatch = ['subprocess']\nsource = ['{ROOT / 'calmip'}']\n"
        f"data_file = '{data}'\nparallel = true\n",
        encoding="utf-8",
    )
    command = [
        sys.executable,
        "-m",
        "coverage",
        "run",
        f"--rcfile={configuration}",
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        file,
    ]
    environment = {**os.environ, "COVERAGE_CORE": "sysmon"}
    child = subprocess.Popen(
        command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode not in (0, 5):
        print(f"{file}: exit {child.returncode}", file=sys.stderr, flush=True)
    lines: dict[str, set[int]] = defaultdict(set)
    for part in folder.glob(f"{data.name}.*"):
        if part != configuration:
            found = coverage.CoverageData(str(part))
            try:
                found.read()
            except coverage.exceptions.DataError:  # of a program that a test has killed
                continue
            for path in found.measured_files():
                lines[str(Path(path).relative_to(ROOT))].update(found.lines(path) or ())
    print(f"{file}: {usage.ru_utime:.1f} s", file=sys.stderr, flush=True)
    return usage.ru_utime + usage.ru_stime, lines


def count(module: str) -> int:
    """Return how many mutants a module has."""
    return sum(1 for _ in _places(ast.parse((ROOT / module).read_text(encoding="utf-8"))))


def mutants(source: str, most: int | None = None, seed: str = "") -> list[Mutant]:
    """Return every mutant of a module, or some drawn by a seed, in the order of its lines."""
    tree = ast.parse(source)
    places = list(_places(tree))
    if most is not None:
        places = random.Random(seed).sample(places, min(most, len(places)))
    found = []
    for node, alter in places:
        faulty = copy.deepcopy(tree)
        twin = _twin(tree, faulty, node)
        before = ast.unparse(twin).splitlines()[0]
        after = alter(twin)
        line = getattr(node, "lineno", 0)
        found.append(Mutant(line, f"{before} -> {after}", ast.unparse(faulty)))
    return sorted(found, key=lambda mutant: (mutant.line, mutant.change))


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
        resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY_BYTES, MAX_MEMORY_BYTES))
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
        code = int(
            pytest.main(
                [
                    "-x",
                    "-q",
                    "-p",
                    "no:cacheprovider",
                    "--hypothesis-seed=0",
                    "-W",
                    "ignore::pytest.PytestAssertRewriteWarning",
                    *long,
                    *tests,
                ],
                [Plugin(known, chosen, watch)],
            )
        )
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
    there = count(module)
    chosen = mutants(source, most, f"{seed} {module}")
    tests = near_tests(module)
    if not tests:
        for mutant in chosen:
            print(f"{module}:{mutant.line}: {mutant.change} (no test runs it)", flush=True)
        return there, len(chosen), chosen
    if tests not in measured:
        outcome = run_tests(copied, tests, 1200)
        if outcome != "passed":
            print((copied / OUTPUT).read_text(encoding="utf-8", errors="replace"))
            raise SystemExit(f"{module}: the tests do not pass without a fault ({outcome})")
        measured[tests] = pickle.loads((copied / KNOWN).read_bytes())
    known = measured[tests]
    survivors = []
    for number, mutant in enumerate(chosen):
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
    return there, len(chosen), survivors


def drawn(names: Iterable[str], most: int, seed: int) -> Counter[str]:
    """Return how many mutants of each module are among those drawn from all modules together."""
    every = [name for name in names for _ in range(count(name))]
    return Counter(sorted(random.Random(seed).sample(every, min(most, len(every)))))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("modules", nargs="*", default=["calmip"], metavar="MODULE")
    parser.add_argument("--sample", type=int, default=20, help="mutants per module at most")
    parser.add_argument("--draw", type=int, help="mutants of all modules together")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--measure", action="store_true", help=f"write {NEAR.name}")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    if options.measure:
        NEAR.write_text(json.dumps(measure(options.jobs), indent=1) + "\n", encoding="utf-8")
        return
    counts = dict.fromkeys(modules(options.modules), options.sample)
    if options.draw:
        counts = drawn(counts, options.draw, options.seed)
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
        for module, most in counts.items():
            found = campaign(module, copied, most, options.seed, measured)
            there, tried, survivors = found
            killed = tried - len(survivors)
            lines.append(f"| {module} | {there} | {tried} | {killed} | {len(survivors)} |")
            print(lines[-1], file=sys.stderr, flush=True)
    print("\n| module | mutants | tried | killed | survived |\n|---|---|---|---|---|")
    print("\n".join(lines))


if __name__ == "__main__":
    main()
