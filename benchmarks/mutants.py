"""One-line faults in the modules that decide what is true, and whether the tests notice.

    nice python -m benchmarks.mutants [MODULE ...] [--sample 20] [--seed 1]

Each mutant is one of the modules in `TESTS` with one fault: another comparison,
sign or number, a condition turned round, a statement left out, ``min`` for
``max``. It lies in a copy of the checkout, where the module's tests run, the
quickest first, in a process that is forked from this one once the heavy packages
are loaded. A mutant is killed if a test fails, if it takes far more processor
time than the tests of the faultless module, or if it eats the memory. Prints a
line for each survivor and a Markdown table; benchmarks/mutants.md has the last
campaign, with a line on why each survivor lives. Texts, type annotations and
what stands in a ``raise`` are not touched. Needs fork.
"""

from __future__ import annotations

import argparse
import ast
import compileall
import contextlib
import copy
import importlib
import json
import os
import random
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

SANDBOX = ["tests/course/test_sandbox.py"]
GRADING = ["tests/course/test_grading.py", "tests/course/test_programs.py",
           "tests/course/test_sandbox.py"]  # fmt: skip
PROOFS = ["tests/proofs/test_proofs.py", "tests/cli/test_prove_command.py"]
EQUIVALENCE = ["tests/search/test_equivalence.py"]
TILING = ["tests/problem/test_tiling.py", "tests/documents/test_placed.py",
          "tests/tasks/test_hint.py"]  # fmt: skip
COVER = ["tests/problem/test_cover.py", "tests/formats/test_export.py",
         "tests/search/test_exact_cover.py", "tests/problem/test_reduction.py"]  # fmt: skip

CUTTING = ["tests/render/test_cutting.py"]
SOLUTIONS = ["tests/formats/test_solution_formats.py", "tests/formats/test_real_solution_files.py",
             "tests/formats/test_values.py"]  # fmt: skip
MODELS = ["tests/formats/test_mps_dialects.py", "tests/formats/test_lp_dialects.py",
          "tests/formats/test_model_files.py"]  # fmt: skip
WRITERS = ["tests/formats/test_no_columns.py", "tests/formats/test_export.py",
           "tests/formats/test_model_files.py",
           "tests/formats/test_exports_are_read.py"]  # fmt: skip
EXACT = ["tests/search/test_depth_first.py", "tests/search/test_regions.py",
         "tests/search/test_witnesses.py", "tests/search/test_kernel.py",
         "tests/search/test_exact_cover.py"]  # fmt: skip
COUNTING = ["tests/tasks/test_count_parts.py", *EXACT]
TREE = ["tests/search/test_farkas.py", "tests/search/test_one_tree.py"]
BRANCHING = ["tests/search/test_branching.py", "tests/tasks/test_tree.py"]

TESTS: dict[str, list[str]] = {
    "calmip/problem/verification.py": TILING,
    "calmip/problem/tiling.py": [*TILING, "tests/formats/test_values.py", *COVER],
    "calmip/problem/cover.py": COVER,
    "calmip/tasks/_trust.py": [
        "tests/tasks/test_judge.py", "tests/tasks/test_unfinished.py",
        "tests/tasks/test_results_of_solving.py", "tests/tasks/test_compare.py",
        "tests/tasks/test_solve_model.py", "tests/tasks/test_library.py",
        "tests/solvers/test_solvers.py",
    ],
    "calmip/search/equivalence.py": EQUIVALENCE,
    "calmip/search/matching.py": EQUIVALENCE,
    "calmip/search/certificate.py": ["tests/search/test_conflict.py",
                                     "tests/tasks/test_explain.py"],
    "calmip/proofs/check_tree.py": PROOFS,
    "calmip/proofs/check_proofs.py": PROOFS,
    "calmip/course/listing.py": GRADING,
    "calmip/course/modelling.py": GRADING,
    "calmip/course/clique_cuts.py": GRADING,
    "calmip/course/enumerating.py": GRADING,
    "calmip/course/answers.py": GRADING,
    "calmip/course/marks.py": GRADING,
    "calmip/course/sandbox.py": SANDBOX,
    "calmip/course/_warden.py": SANDBOX,
    "calmip/tasks/campaign/judge.py": ["tests/tasks/test_judge.py"],
    "calmip/tasks/_solve_model.py": ["tests/tasks/test_solve_model.py",
                                    "tests/tasks/test_judge.py"],
    "calmip/tasks/check.py": ["tests/tasks/test_results_of_solving.py", "tests/cli/test_cli.py",
                              "tests/formats/test_no_columns.py"],
    "calmip/tasks/_check_folder.py": ["tests/tasks/test_library.py"],
    "calmip/tasks/_check_model.py": EQUIVALENCE,
    "calmip/formats/opb.py": WRITERS,
    "calmip/formats/dlx.py": WRITERS,
    "calmip/formats/cnf.py": WRITERS,
    "calmip/formats/export.py": WRITERS,
    "calmip/formats/comments.py": WRITERS,
    "calmip/formats/column_names.py": WRITERS,
    "calmip/formats/lp/writer.py": WRITERS,
    "calmip/formats/mps/writer.py": WRITERS,
    "calmip/formats/lp/tokens.py": MODELS,
    "calmip/formats/lp/reader.py": MODELS,
    "calmip/formats/mps/reader.py": MODELS,
    "calmip/formats/model_builder.py": MODELS,
    "calmip/formats/model_files.py": MODELS,
    "calmip/formats/placement_names.py": ["tests/formats/test_placement_names.py", *EQUIVALENCE],
    "calmip/formats/modelling_languages.py": ["tests/formats/test_modelling_languages.py"],
    "calmip/formats/solu.py": ["tests/tasks/test_hard_models.py", "tests/tasks/test_library.py"],
    "calmip/formats/json.py": ["tests/tasks/test_results_of_solving.py"],
    "calmip/formats/reading.py": ["tests/formats/test_reading.py", *SOLUTIONS],
    "calmip/formats/values.py": SOLUTIONS,
    "calmip/formats/solutions/__init__.py": SOLUTIONS,
    "calmip/formats/solutions/base.py": SOLUTIONS,
    "calmip/formats/solutions/cbc.py": SOLUTIONS,
    "calmip/formats/solutions/cplex.py": SOLUTIONS,
    "calmip/formats/solutions/glpk.py": SOLUTIONS,
    "calmip/formats/solutions/gurobi_json.py": SOLUTIONS,
    "calmip/formats/solutions/highs.py": SOLUTIONS,
    "calmip/formats/solutions/named.py": SOLUTIONS,
    "calmip/search/exact_cover/search.py": EXACT,
    "calmip/search/exact_cover/plain.py": EXACT,
    "calmip/search/exact_cover/words.py": EXACT,
    "calmip/search/exact_cover/regions.py": EXACT,
    "calmip/search/exact_cover/counting.py": COUNTING,
    "calmip/search/exact_cover/options.py": COUNTING,
    "calmip/search/exact_cover/_memory.py": COUNTING,
    "calmip/search/kernel/__init__.py": ["tests/search/test_kernel.py"],
    "calmip/search/one_tree/search.py": TREE,
    "calmip/search/one_tree/_tree_plain.py": TREE,
    "calmip/search/one_tree/_tree_rows.py": TREE,
    "calmip/search/one_tree/_tree_arrays.py": TREE,
    "calmip/search/one_tree/_tree_type.py": TREE,
    "calmip/search/one_tree/_farkas.py": TREE,
    "calmip/search/one_tree/_relaxation.py": TREE,
    "calmip/search/branching.py": BRANCHING,
    "calmip/search/linear.py": BRANCHING,
    "calmip/search/cuts.py": ["tests/search/test_cuts.py", "tests/tasks/test_relax.py"],
    "calmip/search/conflict.py": ["tests/search/test_conflict.py"],
    "calmip/search/symmetric.py": ["tests/tasks/test_symmetry.py"],
    "calmip/search/swaps.py": ["tests/tasks/test_no_good.py"],
    "calmip/search/model_rows.py": ["tests/tasks/test_exact_models.py", *EQUIVALENCE],
    "calmip/course/_child.py": [*SANDBOX, "tests/course/test_grading.py"],
    "calmip/course/assignments.py": ["tests/course/test_assignments.py"],
    "calmip/course/exercises.py": [*GRADING, "tests/course/test_assignments.py"],
    "calmip/course/cases.py": GRADING,
    "calmip/render/cutting.py": CUTTING,
    "calmip/render/cutting_files.py": CUTTING,
    "calmip/render/lettering.py": ["tests/render/test_lettering.py"],
    "calmip/render/outline.py": [*CUTTING, "tests/render/test_outline.py"],
    "calmip/render/sheets.py": ["tests/render/test_sheets.py", "tests/render/test_svg.py"],
}  # fmt: skip
"""The modules, and the tests that are to notice."""

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
TIMES = ".times"
"""How long each test takes without a fault, in the copy."""


@dataclass(frozen=True)
class Mutant:
    """A module's text with one fault, and where the fault is."""

    line: int
    change: str
    text: str


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
        for alter in _alterations(node):
            yield node, alter
        for name, value in ast.iter_fields(node):
            if name in ("annotation", "returns", "exc", "decorator_list", "bases"):
                continue
            children = value if isinstance(value, list) else [value]
            waiting += [child for child in children if isinstance(child, ast.AST)]


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


class QuickestFirst:
    """Pytest's plugin that puts the tests in the order of their times, or takes the times."""

    def __init__(self, times: dict[str, float]) -> None:
        self.times = times

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Sort the tests."""
        items.sort(key=lambda item: self.times.get(item.nodeid, 0.0))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Add a phase's time."""
        self.times[report.nodeid] = self.times.get(report.nodeid, 0.0) + report.duration


def run_tests(copied: Path, tests: list[str], seconds: float) -> tuple[str, float]:
    """Run tests in a fork: ``passed``, ``failed`` or ``time``, and the processor's seconds."""
    shutil.rmtree(copied / ".hypothesis", ignore_errors=True)
    pid = os.fork()
    if not pid:
        os.setsid()
        _run_in_child(copied, tests, int(seconds))
    # Ten times as long by the wall: the machine may be busy, the mutant asleep.
    deadline = time.monotonic() + 10 * seconds
    while True:
        done, status, used = os.wait4(pid, os.WNOHANG)
        if done:
            break
        if time.monotonic() > deadline:
            os.killpg(pid, signal.SIGKILL)
        time.sleep(0.05)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)  # what it may have left behind
    code = os.waitstatus_to_exitcode(status)
    return {0: "passed"}.get(code, "failed" if code > 0 else "time"), used.ru_utime + used.ru_stime


def _run_in_child(copied: Path, tests: list[str], seconds: int) -> None:
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
        fresh = not Path(TIMES).exists()
        times = {} if fresh else json.loads(Path(TIMES).read_text(encoding="utf-8"))
        # The tests' own compiled files are written once, before the first fault.
        sys.dont_write_bytecode = not fresh
        sys.path[:] = [str(copied), *(p for p in sys.path if p not in ("", str(ROOT)))]
        code = int(pytest.main(["-x", "-q", "-p", "no:cacheprovider", "--hypothesis-seed=0",
                                "-W", "ignore::pytest.PytestAssertRewriteWarning",
                                *tests], [QuickestFirst(times)]))  # fmt: skip
        if fresh:
            Path(TIMES).write_text(json.dumps(times), encoding="utf-8")
    finally:
        os._exit(code)


def campaign(module: str, copied: Path, most: int, seed: int) -> tuple[int, int, list[Mutant]]:
    """Return how many mutants there are, how many were tried, and who survived."""
    path = copied / module
    source = path.read_text(encoding="utf-8")
    everyone = mutants(source)
    chosen = random.Random(f"{seed} {module}").sample(everyone, min(most, len(everyone)))
    (copied / TIMES).unlink(missing_ok=True)
    outcome, usual = run_tests(copied, TESTS[module], 600)
    if outcome != "passed":
        print((copied / OUTPUT).read_text(encoding="utf-8", errors="replace"), file=sys.stderr)
        print(f"{module}: the tests do not pass without a fault ({outcome})", file=sys.stderr)
        return len(everyone), 0, []
    survivors = []
    for number, mutant in enumerate(sorted(chosen, key=lambda mutant: mutant.line)):
        path.write_text(mutant.text, encoding="utf-8")
        # A time of its own: the compiled file of another mutant may be as long.
        os.utime(path, (number + 1, number + 1))
        outcome, _ = run_tests(copied, TESTS[module], 2 * usual + 5)
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
        for module in options.modules or TESTS:
            there, tried, survivors = campaign(module, copied, options.sample, options.seed)
            killed = tried - len(survivors)
            lines.append(f"| {module} | {there} | {tried} | {killed} | {len(survivors)} |")
            print(lines[-1], file=sys.stderr, flush=True)
    print("\n| module | mutants | tried | killed | survived |\n|---|---|---|---|---|")
    print("\n".join(lines))


if __name__ == "__main__":
    main()
