"""What a test needs: solvers, programs, packages, and a system with POSIX.

Without it the test is skipped, except in CI. There (``CI`` is set) everything must
be there, but for what ``CALMIP_WITHOUT`` names: what cannot be installed on that
system or with that Python. Elsewhere ``CALMIP_REQUIRE`` lists what must be there.
The licence inside gurobipy ends on a day of its own: from then on its tests are skipped.
"""

import ast
import importlib
import os
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest

from calmip import SolverMissing
from calmip._base import highs
from calmip._base.highs_library import HighsLibrary
from calmip.solvers import solver_named


def required(name: str) -> bool:
    """Whether a solver, program or package must be here."""
    return name in _named("CALMIP_REQUIRE") or (
        bool(os.environ.get("CI")) and name not in _named("CALMIP_WITHOUT")
    )


def missing(name: str) -> None:
    """Skip the test, or fail it where the solver, program or package is required."""
    if required(name):
        pytest.fail(f"{name} is required here and missing")
    pytest.skip(f"{name} is not installed", allow_module_level=True)


def _named(variable: str) -> list[str]:
    """Return the names that an environment variable lists."""
    return os.environ.get(variable, "").replace(",", " ").split()


def need_package(name: str) -> ModuleType:
    """Return a module of a package that the test needs."""
    try:
        module = importlib.import_module(name)
    except ImportError:
        missing(name.partition(".")[0])
        raise
    if name == "gurobipy":
        _need_licence()
    return module


def need_solver(name: str) -> None:
    """Let the test go on only if this solver is installed."""
    try:
        found = solver_named(name).availability().found
    except SolverMissing:
        found = None
    if found is None:
        missing(name)
    if name == "gurobi":
        _need_licence()


def need_library(monkeypatch: pytest.MonkeyPatch) -> HighsLibrary:
    """Return the C library of HiGHS, through which the test then calls it."""
    monkeypatch.setenv(highs.VARIABLE, "")
    found = highs.load()
    if found is None:
        missing("highsbox")
        raise AssertionError
    return found


def _need_licence() -> None:
    """Skip the test, in CI too, where the licence inside gurobipy is of the past."""
    ended = _licence_ended()
    if ended:
        pytest.skip(f"gurobipy: {ended}; a newer version has a newer one")


@cache
def _licence_ended() -> str | None:
    """Return what gurobipy says where its licence has ended; no other fault is believed."""
    gurobi = importlib.import_module("gurobipy")
    try:
        gurobi.Env(params={"OutputFlag": 0}).dispose()
    except gurobi.GurobiError as error:
        said = str(error)
        return said if said.startswith("License expired") else None
    return None


HELPERS = Path(__file__).parent
ROOT = HELPERS.parents[1]
POSIX = os.name == "posix"
ONLY_POSIX = {
    "chmod", "fork", "geteuid", "getpgid", "getrlimit", "getrusage", "killpg", "mkfifo", "openpty",
    "preexec_fn", "send_signal", "setrlimit", "setsid", "symlink", "symlink_to", "wait4",
    "SIGALRM", "SIGCONT", "SIGINT", "SIGKILL", "SIGSTOP", "SIGTERM",
}  # fmt: skip
"""What Windows does not have, does otherwise, or does not let everybody do."""

ONLY_POSIX_TEXT = ("#!/", "/dev/", "/proc")
ONLY_POSIX_PROGRAMS = ("bash", "sh")


@cache
def only_posix(path: Path) -> dict[str, set[str]]:
    """Return what every function and class of a module of tests uses that Windows lacks.

    Whatever it calls in the folders of tests and benchmarks counts with it, its
    fixtures included. So no test has to say by a mark what it needs.
    """
    tree = ast.parse(path.read_text(encoding="utf-8"))
    known: dict[str, set[str]] = {}
    if path.name.startswith(("test_", "conftest")):
        around = [ROOT / folder for folder in path.relative_to(ROOT).parents]
        for conftest in [folder / "conftest.py" for folder in around]:
            if conftest != path and conftest.is_file():
                known = {**only_posix(conftest), **known}
    own: dict[str, ast.AST] = {}
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and (there := _ours(node.module or "")):
            theirs = only_posix(there)
            known |= {
                alias.asname or alias.name: theirs.get(alias.name, set()) for alias in node.names
            }
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            own[node.name] = node
        elif isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            own |= {ast.unparse(target): node.value for target in targets}
    words = {name: _words(node) for name, node in own.items()}
    needs = {name: found & (ONLY_POSIX | {"a POSIX shell"}) for name, found in words.items()}
    needs = {**known, **needs}
    changed = True
    while changed:
        changed = False
        for name, found in words.items():
            more = set().union(*(needs[word] for word in found & set(needs)))
            changed |= not more <= needs[name]
            needs[name] = needs[name] | more
    return needs


def _ours(module: str) -> Path | None:
    """Return the file of a module of the tests or the benchmarks."""
    roots = (ROOT, HELPERS) if module.startswith("benchmarks") else (HELPERS,)
    paths = [root / f"{module.replace('.', '/')}.py" for root in roots]
    return next((path for path in paths if path.is_file()), None)


def _words(tree: ast.AST) -> set[str]:
    """Return all names in a piece of source, and whether it speaks to a shell of POSIX."""
    found: set[str] = set()
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(attr=name) | ast.Name(id=name) | ast.arg(arg=name):
                found.add(name)
            case ast.keyword(arg="shell"):
                found.add("a POSIX shell")
            case ast.keyword(arg=str(name)):
                found.add(name)
            case ast.Constant(value=str(text)) if (
                text.startswith(ONLY_POSIX_TEXT) or text in ONLY_POSIX_PROGRAMS
            ):
                found.add("a POSIX shell")
    return found
