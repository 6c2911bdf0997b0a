"""One-line faults in the modules that decide what is true, and whether the tests notice.

    nice python -m benchmarks.mutants [MODULE ...] [--sample 20 | --draw 100] [--seed 1]
    nice python -m benchmarks.mutants --guards --draw 100 --seed 1 [--known FILE]
    nice python -m benchmarks.mutants MODULE:LINE ...
    nice python -m benchmarks.mutants --measure [FILE OF TESTS ...]

Each mutant is a module of the package with one fault: another comparison,
sign or number, a condition turned round, a statement left out, ``min`` for
``max``. With ``--guards`` they are those that guard a verdict, by the rule of guards.py.
A mutant lies in a copy of the checkout, where tests take their turns, the quickest first,
in a process that is forked from this one once the heavy packages are loaded. First come
those that coverage has seen run the line, then what else is near to the module: a program that a
test starts may run the line as well. A mutant is killed if a test
fails, if it takes far more processor time than the tests of the faultless module,
or if it eats the memory. The tests near to a module are those that run it: ``--measure`` runs
every file of tests with coverage, in the programs that it starts as well, and writes
near_tests.json. ``--known`` keeps which test runs which line for the next campaign.
Prints a line for each survivor and a Markdown table;
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
import functools
import hashlib
import importlib
import json
import multiprocessing
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
from typing import Any, NamedTuple

import coverage
import coverage.exceptions
import pytest

from benchmarks.guards import guards, verdict_lines

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
FILES_PER_LINE = 3
"""The files of tests near to a module that run a line, if there are as many: two missed faults."""
PART_MODULES = 12
"""The modules that are tried in one copy of the checkout."""
OUTPUT = ".output"
"""What the last tests have printed, in the copy."""
KNOWN = ".known"
"""What the tests do without a fault, in the copy."""
PRESENT = """
from calmip._base import highs
from calmip.solvers import SOLVERS, solver_named
found = [name for name in SOLVERS if solver_named(name).availability().found]
print(*found, *["highsbox"] * (highs.load() is not None))
"""
"""Prints what the tests need and is here. A fault that hides it fails, as it does in CI."""


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
    """Return the files of tests that run the functions of a module, and those of its name."""
    near: dict[str, list[str]] = json.loads(NEAR.read_text(encoding="utf-8"))["modules"]
    path = Path(module)
    name = (path.parent if path.stem == "__init__" else path).stem.strip("_")
    own = (
        str(one.relative_to(ROOT))
        for own in (f"test_{name}.py", f"test_{name}_guards.py")
        for one in (ROOT / "tests").rglob(own)
    )
    # A module or a file of tests may be newer than the last measurement.
    return tuple(dict.fromkeys((*near.get(module, ()), *sorted(own))))


def body_lines(source: str) -> set[int]:
    """Return the lines of a module's functions, which an import alone does not run."""
    lines: set[int] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            body = node.body if isinstance(node.body, list) else [node.body]
            lines.update(range(body[0].lineno, (node.end_lineno or 0) + 1))
    return lines


def line_of_use(source: str, line: int) -> int:
    """Return the first line of the function of whose signature a line is, or the line itself.

    An import runs a signature, but only a call of the function uses its defaults.
    """
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            documented = ast.get_docstring(node) is not None and len(node.body) > 1
            first = node.body[documented].lineno
            if node.lineno <= line < first:
                return first
    return line


def chosen_files(
    run: dict[str, set[int]], seconds: dict[str, float], most: float = MODULE_CPU_SECONDS
) -> list[str]:
    """Return files of tests that together run each line FILES_PER_LINE times, the best first.

    A line that fewer files run is run by all of them, as far as the seconds allow.

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
    wanted = Counter({line: min(times, FILES_PER_LINE) for line, times in wanted.items()})
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


def measure(jobs: int, some: Sequence[str] = ()) -> dict[str, Any]:
    """Run each file of tests with coverage, and return which modules it runs, and how long.

    With ``some`` these files are added to the others' modules: where they run a third of a
    module's functions, or are the first to run them.
    """
    files = sorted(some) or sorted(
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
    before = json.loads(NEAR.read_text(encoding="utf-8")) if some else {"seconds": {}}
    seconds = before["seconds"] | seconds
    near = {}
    for module in modules(["calmip"]):
        body = body_lines((ROOT / module).read_text(encoding="utf-8"))
        run = {
            file: lines[module] & body
            for file, (_, lines) in zip(files, measured, strict=True)
            if lines.get(module, set()) & body
        }
        if some:
            known = [file for file in before["modules"].get(module, ()) if file not in files]
            more = [file for file in run if len(run[file]) * 3 >= len(body) or not known]
            near[module] = known + more
        else:
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


def count(module: str, lines: set[int] | None = None, *, guarding: bool = False) -> int:
    """Return how many mutants a module has, by the arguments of `mutants`."""
    tree = ast.parse((ROOT / module).read_text(encoding="utf-8"))
    return len(_places_of(tree, lines, guarding))


def mutants(
    source: str,
    most: int | None = None,
    seed: str = "",
    lines: set[int] | None = None,
    *,
    guarding: bool = False,
) -> list[Mutant]:
    """Return every mutant of a module, or some drawn by a seed, in the order of its lines.

    With ``lines`` they are on these lines, and with ``guarding`` guards of verdicts.
    """
    tree = ast.parse(source)
    places = _places_of(tree, lines, guarding)
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


def _places_of(
    tree: ast.Module, lines: set[int] | None, guarding: bool
) -> list[tuple[ast.AST, Callable[[ast.AST], str]]]:
    """Return what can be altered, on some lines if they are given."""
    if lines is None:
        return list(_places(tree))
    chosen = guards(tree, lines) if guarding else set(ast.walk(tree))
    return [
        (node, alter)
        for node, alter in _places(tree)
        if node in chosen and getattr(node, "lineno", 0) in lines
    ]


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

    That is what type checkers alone import or read, and whether lists that are as long
    as each other by construction are held against each other.
    """
    match node:
        case ast.FunctionDef(decorator_list=[ast.Name(id="overload")]):
            return True
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
    """What tests do without a fault: how long each takes, and which lines each runs.

    ``texts`` has the digests of the files that were measured, of tests and of modules.
    """

    times: dict[str, float] = field(default_factory=dict)
    lines: dict[str, dict[int, set[str]]] = field(default_factory=dict)
    texts: dict[str, dict[str, str]] = field(default_factory=dict)

    def near(self, module: str, line: int) -> set[str]:
        """Return the tests that run a line themselves."""
        return self.lines.get(module, {}).get(line, set()) - {""}

    def has(self, file: str, module: str) -> bool:
        """Return whether a file of tests was measured with the module as it is now."""
        texts = self.texts.get(file, {})
        return texts.get(file) == _digest(file) and texts.get(module) in (None, _digest(module))

    def add(self, file: str, other: Known) -> None:
        """Add what the tests of a file do, instead of what they did."""
        self.times = {test: time for test, time in self.times.items() if _file(test) != file}
        for lines in self.lines.values():
            for tests in lines.values():
                tests -= {test for test in tests if _file(test) == file}
        self._add({file}, other)
        self.texts[file] = {path: _digest(path) for path in (file, *other.lines)}

    def update(self, other: Known) -> None:
        """Add the files that another campaign has measured, and this one has not."""
        fresh = other.texts.keys() - self.texts.keys()
        self._add(fresh, other)
        self.texts |= {file: other.texts[file] for file in fresh}

    def _add(self, files: Collection[str], other: Known) -> None:
        self.times |= {test: time for test, time in other.times.items() if _file(test) in files}
        for module, found in other.lines.items():
            lines = self.lines.setdefault(module, {})
            for line, tests in found.items():
                lines.setdefault(line, set()).update(t for t in tests if _file(t) in files)


def _file(test: str) -> str:
    return test.partition("::")[0]


@functools.cache
def _digest(path: str) -> str:
    return hashlib.sha256((ROOT / path).read_bytes()).hexdigest()


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

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        """Take down a test's processor time, with that of the programs that it has awaited."""
        before = os.times()
        try:
            return (yield)
        finally:
            after = os.times()
            self.known.times[item.nodeid] = sum(after[:4]) - sum(before[:4])


def run_tests(
    copied: Path,
    tests: Sequence[str],
    seconds: float,
    known: Known | None = None,
    chosen: Collection[str] = (),
    *,
    long: bool = True,
) -> str:
    """Run tests, or those that are chosen of them, in a fork: ``passed``, ``failed`` or ``time``.

    Without ``known`` it is the first run, which leaves in the copy what the tests do.
    """
    shutil.rmtree(copied / ".hypothesis", ignore_errors=True)
    pid = os.fork()
    if not pid:
        os.setsid()
        _run_in_child(copied, tests, int(seconds), known, chosen, long)
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
    copied: Path,
    tests: Sequence[str],
    seconds: int,
    known: Known | None,
    chosen: Collection[str],
    long: bool,
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
        further = ["--long"] if long and Path("tests", "conftest.py").exists() else []
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
                    *further,
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
                known.lines[module] = {
                    line: set(tests) for line, tests in data.contexts_by_lineno(path).items()
                }
            (copied / KNOWN).write_bytes(pickle.dumps(known))
    finally:
        os._exit(code)


class Tried(NamedTuple):
    """What a campaign found in a module."""

    there: int
    tried: int
    survivors: list[Mutant]


class Campaign:
    """A campaign in a copy of the checkout.

    Parameters
    ----------
    copied
        The folder of the copy.
    known
        What tests do without a fault, as far as it is known.
    long
        Whether long tests run, too.
    lines
        The lines of each module that are altered; all if None.
    guarding
        Whether only guards of verdicts are.
    """

    def __init__(
        self,
        copied: Path,
        known: Known,
        long: bool,
        lines: dict[str, set[int] | None],
        guarding: bool,
    ) -> None:
        self.copied, self.known, self.long = copied, known, long
        self.lines, self.guarding = lines, guarding
        self.failing: set[str] = set()
        self.written = 0

    def try_module(self, module: str, most: int, seed: int) -> Tried:
        """Try some mutants of a module."""
        lines = self.lines[module]
        path = self.copied / module
        source = path.read_text(encoding="utf-8")
        chosen = mutants(source, most, f"{seed} {module}", lines, guarding=self.guarding)
        survivors = []
        for mutant in chosen:
            if not self._is_killed(module, mutant, source):
                survivors.append(mutant)
                print(f"{module}:{mutant.line}: {mutant.change}", flush=True)
        self._write(path, source)
        there = count(module, lines, guarding=self.guarding)
        return Tried(there, len(chosen), survivors)

    def _measure(self, module: str, file: str) -> bool:
        """Find out what a file of tests does; return whether that was not known before."""
        if file in self.failing or self.known.has(file, module):
            return False
        outcome = run_tests(self.copied, [file], 1200, long=self.long)
        if outcome == "passed":
            self.known.add(file, pickle.loads((self.copied / KNOWN).read_bytes()))
            return True
        print((self.copied / OUTPUT).read_text(encoding="utf-8", errors="replace"))
        print(f"left out: {file} does not pass without a fault ({outcome})", flush=True)
        self.failing.add(file)
        return False

    def _is_killed(self, module: str, mutant: Mutant, source: str) -> bool:
        """Return whether a test notices a mutant; measure files of tests until one does."""
        path = self.copied / module
        files = near_tests(module)
        fresh = [file for file in files if not self.known.has(file, module)]
        rounds: list[str | None] = [None, *fresh]
        line = line_of_use(source, mutant.line)
        tried: set[str] = set()
        for file in rounds:
            if file is not None:
                self._write(path, source)
                if not self._measure(module, file):
                    continue
            near = self.known.near(module, line) - tried
            self._write(path, mutant.text)
            if self._fails(self._affordable(near)):
                return True
            tried |= near
        others = {test for test in self.known.times if _file(test) in files} - tried
        return self._fails(self._affordable(others))

    def _write(self, path: Path, text: str) -> None:
        """Write a module, with a time of its own: another's compiled file may be as long."""
        path.write_text(text, encoding="utf-8")
        self.written += 1
        os.utime(path, (self.written, self.written))

    def _affordable(self, tests: Iterable[str]) -> list[str]:
        """Return the quickest tests, as many as a module's CPU seconds allow."""
        chosen: list[str] = []
        spent = 0.0
        for test in sorted(tests, key=self.known.times.__getitem__):
            spent += self.known.times[test]
            if spent > MODULE_CPU_SECONDS and chosen:
                break
            if _file(test) not in self.failing:
                chosen.append(test)
        return chosen

    def _fails(self, tests: list[str]) -> bool:
        if not tests:
            return False
        files = sorted({_file(test) for test in tests})
        usual = sum(self.known.times[test] for test in tests)
        outcome = run_tests(self.copied, files, 2 * usual + 10, self.known, tests, long=self.long)
        return outcome != "passed"


def drawn(counts: dict[str, int], most: int, seed: int) -> Counter[str]:
    """Return how many mutants of each module are among those drawn from all modules together."""
    every = [name for name, there in counts.items() for _ in range(there)]
    return Counter(sorted(random.Random(seed).sample(every, min(most, len(every)))))


def chosen_lines(given: Iterable[str], *, guarding: bool) -> dict[str, set[int] | None]:
    """Return the lines that are altered of each module, all if None, given MODULE[:LINE].

    With ``guarding`` they are those of the functions of verdicts.
    """
    asked: defaultdict[str, set[int]] = defaultdict(set)
    for module, _, line in (name.partition(":") for name in given):
        asked[module].update([int(line)] if line else [])
    of_verdicts = verdict_lines(ROOT / name for name in modules(["calmip"])) if guarding else {}
    chosen: dict[str, set[int] | None] = {}
    for module in modules(asked):
        lines = asked.get(module) or None
        if guarding:
            of_module = of_verdicts[ROOT / module]
            lines = of_module if lines is None else of_module & lines
        chosen[module] = lines
    return chosen


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("modules", nargs="*", default=["calmip"], metavar="MODULE[:LINE]")
    parser.add_argument("--sample", type=int, default=20, help="mutants per module at most")
    parser.add_argument("--draw", type=int, help="mutants of all modules together")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--guards", action="store_true", help="guards of verdicts alone")
    parser.add_argument("--long", action="store_true", help="run long tests, too")
    parser.add_argument("--known", type=Path, help="file that keeps which tests run which lines")
    parser.add_argument("--measure", action="store_true", help=f"write {NEAR.name}")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    if options.measure:
        some = [name for name in options.modules if name.startswith("tests")]
        near = measure(options.jobs, some)
        NEAR.write_text(json.dumps(near, indent=1) + "\n", encoding="utf-8")
        return
    lines = chosen_lines(options.modules, guarding=options.guards)
    there = {name: count(name, lines[name], guarding=options.guards) for name in lines}
    counts = Counter({name: min(most, options.sample) for name, most in there.items() if most})
    if options.draw:
        counts = drawn(there, options.draw, options.seed)
    for name in HEAVY:
        importlib.import_module(name)
    os.environ["CALMIP_REQUIRE"] = subprocess.check_output(
        [sys.executable, "-c", PRESENT], cwd=ROOT, text=True
    )
    known = Known()
    if options.known and options.known.exists():
        known = pickle.loads(options.known.read_bytes())
    # Those of a folder have tests in common. What is known is kept after each part.
    share = max(1, min(-(-len(counts) // options.jobs), PART_MODULES))
    every = list(counts.items())
    parts = [every[first : first + share] for first in range(0, len(every), share)]
    fork = multiprocessing.get_context("fork")
    rows = []
    with concurrent.futures.ProcessPoolExecutor(options.jobs, fork) as pool:
        work = [pool.submit(_try_modules, part, options, known, lines) for part in parts]
        for done in work:
            found, measured = done.result()
            rows += found
            known.update(measured)
            if options.known:
                options.known.write_bytes(pickle.dumps(known))
    print("\n| module | mutants | tried | killed | survived |\n|---|---|---|---|---|")
    print("\n".join(rows))


def _try_modules(
    counts: Iterable[tuple[str, int]],
    options: argparse.Namespace,
    known: Known,
    lines: dict[str, set[int] | None],
) -> tuple[list[str], Known]:
    """Return the rows of the table for some modules, and what is known then."""
    rows = []
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        copied = Path(folder)
        _copy_checkout(copied)
        campaign = Campaign(copied, known, options.long, lines, options.guards)
        for module, most in counts:
            found = campaign.try_module(module, most, options.seed)
            lived = len(found.survivors)
            rows.append(
                f"| {module} | {found.there} | {found.tried} | {found.tried - lived} | {lived} |"
            )
            print(rows[-1], file=sys.stderr, flush=True)
    return rows, known


def _copy_checkout(copied: Path) -> None:
    for part in ("calmip", "tests", "docs", "instances", "benchmarks", "web", ".ci"):
        # With the compiled files, which fit as long as the times do.
        shutil.copytree(ROOT / part, copied / part, ignore=shutil.ignore_patterns("node_modules"))
    for file in ROOT.iterdir():
        if file.is_file():
            shutil.copy(file, copied)
    compileall.compile_dir(copied, quiet=2)


if __name__ == "__main__":
    # By its own name, so that what is kept for the next campaign can be read.
    importlib.import_module("benchmarks.mutants").main()
