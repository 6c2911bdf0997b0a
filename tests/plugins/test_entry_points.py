"""Solvers, formulations, formats and commands of other packages, found by their entry points."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from importlib.machinery import PathFinder
from pathlib import Path
from types import SimpleNamespace

import pytest
from cpu_marks import marked_long
from docblocks import blocks
from requirements import need_package

import calmip
from calmip import features, models, solvers
from calmip._base.registry import Registry
from calmip.mip.files import registry as formats

ROOT = Path(calmip.__file__).parents[1]
PAGE = ROOT / "docs" / "how-to" / "own-package.md"
FILES = {block.argument: block.text for block in blocks(PAGE) if block.mark == "file"}
TINY = str(ROOT / "instances" / "tiny.yaml")


def offer(folder: Path, package: str, points: dict[str, dict[str, str]], **code: str) -> Path:
    """Put modules and the metadata of an installed package into a folder."""
    info = folder / f"{package.replace('-', '_')}-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\nSummary: What {package} does.\n"
    )
    lines = []
    for group, named in points.items():
        lines += [f"[{group}]", *(f"{name} = {value}" for name, value in named.items())]
    (info / "entry_points.txt").write_text("\n".join(lines) + "\n")
    for module, text in code.items():
        (folder / f"{module}.py").write_text(text)
    return folder


def run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run the command line with the packages of a folder."""
    path = os.pathsep.join([str(folder), str(ROOT), os.environ.get("PYTHONPATH", "")])
    return subprocess.run(
        [sys.executable, "-m", "calmip", *words],
        env={**os.environ, "PYTHONPATH": path},
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def brute(tmp_path: Path) -> Path:
    """The package of the page, as an installer leaves it."""
    project = tomllib.loads(FILES["pyproject.toml"])["project"]
    return offer(
        tmp_path, project["name"], project["entry-points"], calmip_brute=FILES["calmip_brute.py"]
    )


def works(folder: Path) -> None:
    """Assert that the package of the page adds what the page says."""
    solved = run(folder, "solve", TINY, "--solver", "brute", "--formulation", "counted", "-v")
    assert solved.returncode == 0, solved.stderr
    assert "brute" in solved.stdout + solved.stderr
    model = folder / "pick.lp"
    model.write_text(
        "Maximize\n v: 3 a + 4 b + 5 c\nSubject To\n r: 2 a + 3 b + 4 c <= 7\n"
        "Binaries\n a b c\nEnd\n"
    )
    solved = run(folder, "solve", str(model), "--solver", "brute", "--format", "json")
    assert '"objective": 9' in solved.stdout, solved.stderr
    exported = run(folder, "export", TINY, "-o", "tiny.csv")
    assert exported.returncode == 0, exported.stderr
    rows = (folder / "tiny.csv").read_text().splitlines()
    assert len(rows) == calmip.ExactCover(calmip.read_instance(TINY)).rows
    listed = run(folder, "solvers").stdout
    assert "brute" in listed
    assert "counted" in listed
    assert "calmip-brute" in listed
    adds_a_command(folder)


def adds_a_command(folder: Path) -> None:
    """Assert that the command of the page is one like those of calmip."""
    done = run(folder, "sizes", "a-puzzle-a-day")
    assert (done.returncode, done.stdout) == (0, "cells  pieces\n    5       7\n    6       1\n")
    done = run(folder, "sizes", "a-puzzle-a-day", "--least", "6", "--format", "json")
    expected = {"puzzle": "A-Puzzle-A-Day (DragonFjord)", "sizes": {"6": 1}}
    assert (done.stderr, json.loads(done.stdout)) == ("", expected)
    done = run(folder, "sizes", "heart-set1", "-o", "sizes.html")
    assert (done.returncode, done.stderr) == (0, "wrote sizes.html\n")
    assert "<h1>Heart" in (folder / "sizes.html").read_text()
    assert run(folder, "sizes", "nosuch").returncode == 2
    told = run(folder, "sizes", "--help").stdout
    for words in (
        "Count the pieces of a puzzle by their",
        "--least N",
        "Leave out pieces of",
    ):
        assert words in told
    assert "  calmip sizes a-puzzle-a-day\n" in told
    assert "\nMore: https://example.org/sizes\n" in told
    told = run(folder, "--help").stdout
    section = told[told.index("Your puzzle:") :]
    assert "  sizes      Count the pieces of a puzzle by their number of cells.\n" in section
    assert "Did you mean sizes?" in run(folder, "size").stderr


@pytest.mark.long
def test_the_package_of_the_page_adds_one_of_each_kind(brute: Path) -> None:
    works(brute)


@pytest.mark.slow
def test_the_package_of_the_page_is_installed_by_pip(tmp_path: Path) -> None:
    need_package("hatchling")
    need_package("pip")
    source, target = tmp_path / "source", tmp_path / "target"
    source.mkdir()
    for name, text in FILES.items():
        (source / name).write_text(text)
    subprocess.run(
        [
            sys.executable,
            "-m",
            "pip",
            "install",
            "--quiet",
            "--no-deps",
            "--no-index",
            "--no-build-isolation",
            "--target",
            str(target),
            str(source),
        ],
        check=True,
    )
    assert (target / "calmip_brute-1.0.dist-info" / "entry_points.txt").is_file()
    works(target)


SOLVER = "calmip.solvers"
FAULTS = {
    "import": ("bad:Gone", "raise ValueError('no licence')", "ValueError: no licence"),
    "missing": ("nowhere:Gone", "", "ModuleNotFoundError: No module named 'nowhere'"),
    "attribute": ("bad:Gone", "", "AttributeError: module 'bad' has no attribute 'Gone'"),
    "made": ("bad:Gone", "def Gone(): return 1 / 0", "ZeroDivisionError: division by zero"),
    "kind": ("bad:Gone", "Gone = dict", "it is not a solver: it has no method availability"),
    "name": (
        "bad:Gone",
        "class Gone:\n name = 'other'\n availability = solve = None",
        "its name is another",
    ),
}


@pytest.mark.long
@pytest.mark.parametrize("fault", FAULTS)
def test_a_faulty_solver_has_one_message_and_the_others_work(fault: str, brute: Path) -> None:
    value, code, words = FAULTS[fault]
    offer(brute, "calmip-bad", {SOLVER: {"gone": value}}, bad=code)
    found = run(brute, "solve", TINY, "--solver", "gone")
    assert found.returncode == 4, found.stderr  # as for a solver that is not installed
    assert "Traceback" not in found.stderr
    assert words in found.stderr
    assert "gone of the package calmip-bad" in found.stderr
    listed = run(brute, "solvers")
    assert listed.returncode == 0, listed.stderr
    assert "brute" in listed.stdout


FAILING = """
class Gone:
    name = "gone"
    def availability(self):
        raise OSError("no disk")
    def solve(self, model, limits):
        return {"x": 1}
"""


@pytest.mark.long
def test_a_solver_that_fails_or_returns_something_else_is_named(tmp_path: Path) -> None:
    offer(tmp_path, "calmip-bad", {SOLVER: {"gone": "bad:Gone"}}, bad=FAILING)
    found = run(tmp_path, "solve", TINY, "--solver", "gone")
    assert "Traceback" not in found.stderr
    assert "gone of the package calmip-bad failed: it returned a dict, not Outcome" in found.stderr
    listed = run(tmp_path, "solvers")
    assert "Traceback" not in listed.stderr
    assert "highs" in listed.stdout


@pytest.mark.long
def test_a_lie_of_a_foreign_solver_is_refuted(tmp_path: Path) -> None:
    code = (
        "from calmip.solvers import Availability, Outcome, Status\n"
        "class Gone:\n"
        "    name = 'gone'\n"
        "    def availability(self): return Availability('here', None, '')\n"
        "    def solve(self, model, limits): return Outcome(Status.INFEASIBLE, detail='no')\n"
    )
    offer(tmp_path, "calmip-bad", {SOLVER: {"gone": "bad:Gone"}}, bad=code)
    found = run(tmp_path, "solve", TINY, "--solver", "gone")
    assert found.returncode == 4
    assert "gone says 'no', but there is a tiling" in found.stderr


@pytest.mark.long
def test_two_packages_with_one_name_are_both_named(brute: Path) -> None:
    offer(brute, "calmip-again", {SOLVER: {"brute": "calmip_brute:Brute"}})
    found = run(brute, "solve", TINY, "--solver", "brute")
    assert "the packages calmip-again, calmip-brute offer it" in found.stderr


@pytest.mark.long
def test_a_faulty_formulation_and_a_faulty_format_have_one_message(tmp_path: Path) -> None:
    points = {
        "calmip.formulations": {"gone": "bad:Gone", "odd": "bad:Odd"},
        "calmip.mip.files": {"gone": "nowhere:Gone", "odd": "bad:Odd", "broken": "bad:BROKEN"},
    }
    code = (
        "from calmip.mip.files.registry import Format\n"
        "from calmip.models import Formulation\n"
        "Odd = dict\n"
        "class Gone(Formulation):\n"
        "    def __init__(self, cover): raise KeyError('no row')\n"
        "BROKEN = Format(cover=lambda cover, comments: 1 / 0, model=lambda: (str, int))\n"
    )
    offer(tmp_path, "calmip-bad", points, bad=code)
    for words, text in {
        ("solve", TINY, "--formulation", "gone"): "gone of the package calmip-bad failed: KeyErr",
        ("solve", TINY, "--formulation", "odd"): "not a class that extends calmip.models.Form",
        ("export", TINY, "-o", "x.gone"): "ModuleNotFoundError: No module named 'nowhere'",
        ("export", TINY, "-o", "x.odd"): "it is a type, not a calmip.mip.files.registry.Format",
        ("export", TINY, "-o", "x.broken"): "broken of the package calmip-bad failed: ZeroDiv",
        ("export", TINY, "-o", "x.lp"): "",
    }.items():
        found = run(tmp_path, *words)
        assert "Traceback" not in found.stderr, found.stderr
        assert text in found.stderr
        assert bool(found.returncode) is bool(text)


PAIRS = """
import json
from calmip import Model
from calmip.mip.files.registry import Format

def write(model):
    rows = [(name, *model.exact_row(n)) for n, name in enumerate(model.rows)]
    costs = [float(model.costs.get(column, 0)) for column in range(len(model.columns))]
    return json.dumps([model.columns, [[n, list(t.items()), l, h] for n, t, l, h in rows], costs])

def read(source):
    columns, rows, costs = json.loads("".join(source.lines))
    return Model.from_rows(columns, [(n, dict(t), l, h) for n, t, l, h in rows], costs)

PAIRS = Format(model=lambda: (write, read))
ONE = Format(model=lambda: (write,))
ODD = Format(model=lambda: (lambda model: 7, lambda source: "a text"))
"""


@pytest.mark.long
def test_a_format_of_models_is_written_read_and_solved(tmp_path: Path) -> None:
    points = {"pairs": "bad:PAIRS", "one": "bad:ONE", "odd": "bad:ODD"}
    offer(tmp_path, "calmip-bad", {"calmip.mip.files": points}, bad=PAIRS)
    model = tmp_path / "pick.lp"
    model.write_text("Minimize\n v: 3 a + 4 b\nSubject To\n r: a + b >= 1\nBinaries\n a b\nEnd\n")
    for suffix in ("pairs", "pairs.gz"):
        assert run(tmp_path, "export", str(model), "-o", f"pick.{suffix}").returncode == 0
        solved = run(tmp_path, "solve", f"pick.{suffix}", "--format", "json")
        assert '"objective": 3' in solved.stdout, solved.stderr
    for words, text in {
        ("export", str(model), "-o", "x.one"): "one of the package calmip-bad failed: its model",
        ("export", str(model), "-o", "x.odd"): "failed: it returned a int, not str",
        ("solve", "pick.odd"): "odd of the package calmip-bad failed: it returned a str, not Model",
    }.items():
        (tmp_path / "pick.odd").write_text("?")
        found = run(tmp_path, *words)
        assert found.returncode == 4
        assert "Traceback" not in found.stderr, found.stderr
        assert text in found.stderr


COMMAND = "calmip.features"
FEATURE = "from calmip.features import Feature, Parameter\n"


@pytest.mark.long
def test_the_command_of_the_page_is_one_like_those_of_calmip(brute: Path) -> None:
    adds_a_command(brute)


@pytest.mark.long
@pytest.mark.parametrize(
    ("value", "code", "words"),
    [
        ("nowhere:Gone", "", "No module named 'nowhere'"),
        ("bad:GONE", "GONE = dict()", "it is a dict, not a calmip.features.Feature"),
        ("bad:GONE", f"{FEATURE}GONE = Feature('other', task='bad.f')", "its name is another"),
        ("bad:GONE", f"{FEATURE}GONE = Feature('gone', task='bad.f')", "has no attribute 'f'"),
        (
            "bad:GONE",
            f"{FEATURE}GONE = Feature('gone', task='bad.f')\ndef f(): return 1 / 0",
            "gone of the package calmip-bad failed: ZeroDivisionError",
        ),
        (
            "bad:GONE",
            f"{FEATURE}GONE = Feature('gone', task='bad.f')\ndef f(): return {{}}",
            "gone of the package calmip-bad failed: it returned a dict, not Result",
        ),
        (
            "bad:GONE",
            f"{FEATURE}GONE = Feature('gone', task='bad.f', "
            "parameters={'by': Parameter(words='bad.NO')})\ndef f(*, by='x'): return {}",
            "has no attribute 'NO'",
        ),
    ],
)
def test_a_faulty_command_has_one_message_and_the_others_work(
    value: str, code: str, words: str, brute: Path
) -> None:
    offer(brute, "calmip-bad", {COMMAND: {"gone": value}}, bad=code)
    found = run(brute, "gone")
    assert (found.returncode, found.stdout) == (4, ""), found.stderr
    assert words in found.stderr
    assert "gone of the package calmip-bad" in found.stderr
    assert found.stderr.count("\n") == 1
    listed = run(brute, "--help").stdout
    assert "\n  sizes " in listed
    assert "\n  gone " in listed
    assert run(brute, "sizes", "a-puzzle-a-day").returncode == 0


@pytest.mark.long
def test_a_command_of_calmip_is_not_replaced(tmp_path: Path) -> None:
    code = f"{FEATURE}GONE = Feature('solvers', line='Gone.', task='bad.f')"
    offer(tmp_path, "calmip-bad", {COMMAND: {"solvers": "bad:GONE"}}, bad=code)
    assert "highs" in run(tmp_path, "solvers").stdout
    assert "Gone." not in run(tmp_path, "--help").stdout


@pytest.mark.long
def test_own_names_come_first_and_need_no_search(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    offer(tmp_path, "calmip-bad", {SOLVER: {"highs": "nowhere:Gone"}})
    found = run(tmp_path, "solve", TINY, "--solver", "highs")
    assert found.returncode == 0, found.stderr

    def search(**_: object) -> None:
        raise AssertionError("a search of the installed packages")

    monkeypatch.setattr("importlib.metadata.entry_points", search)
    monkeypatch.setattr(Registry, "is_offered", lambda _: True)
    for registry in (solvers.SOLVERS, models.FORMULATIONS, formats.FORMATS, features.FEATURES):
        fresh = Registry(registry.group, registry.own, lambda _: None)
        for name in fresh.own:
            assert fresh[name] is registry.own[name]
        assert "" not in fresh
        with pytest.raises(AssertionError, match="a search"):
            fresh.get("gone")


def test_a_package_in_an_archive_or_of_a_finder_may_offer_something(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    registry: Registry[object] = Registry("calmip.of_nobody", {}, lambda _: None)
    monkeypatch.setattr(sys, "path", [str(offer(tmp_path, "calmip-a", {SOLVER: {"a": "b:C"}}))])
    monkeypatch.setattr(sys, "meta_path", [one for one in sys.meta_path if one is PathFinder])
    assert not registry.is_offered()
    assert Registry(SOLVER, {}, lambda _: None).is_offered()
    with monkeypatch.context() as patch:
        (tmp_path / "archive.zip").touch()
        patch.setattr(sys, "path", [str(tmp_path / "archive.zip")])
        assert registry.is_offered()
    finder = SimpleNamespace(find_distributions=None)
    monkeypatch.setattr(sys, "meta_path", [PathFinder, finder])
    assert registry.is_offered()


@pytest.mark.long
@pytest.mark.parametrize(
    "words",
    [
        ("--help",),
        ("hint", TINY),
        ("solve", TINY, "--solver", "exact-cover"),
        ("export", TINY, "-o", "x.mps"),
    ],
)
def test_commands_do_not_search_the_installed_packages(
    words: tuple[str, ...], tmp_path: Path
) -> None:
    code = (
        "import sys, importlib.metadata as metadata\n"
        "def search(**_): raise SystemExit('a search')\n"
        "metadata.entry_points = search\n"
        "from calmip.__main__ import run\n"
        f"sys.argv = ['calmip', *{words!r}]\n"
        "run()\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr


BROKEN = {
    "a syntax": ("def (\n", "SyntaxError"),
    "an exit": ("raise SystemExit(0)\n", "SystemExit: 0"),
    "an error": ("raise RuntimeError('\\x1b[2J\\nRight-to-left \\u202e')\n", r"\x1b[2J\nRight"),
    "a library": ("raise ImportError('no libx.so \\x1b]0;y')\n", r"no libx.so \x1b]0;y"),
}
USERS = {
    "highspy": ["relax", TINY],
    "pulp": ["solve", TINY, "--formulation", "pulp"],
    "pyomo": ["solve", TINY, "--formulation", "pyomo"],
    "matplotlib": ["solve", TINY, "--format", "pdf"],
    "pyscipopt": ["solve", TINY, "--solver", "scip"],
    "z3": ["solve", TINY, "--solver", "z3"],
}


@pytest.mark.long
@pytest.mark.parametrize("how", BROKEN)
@pytest.mark.parametrize(
    "package", marked_long(USERS, {"pulp", "pyomo", "matplotlib", "pyscipopt", "z3"})
)
def test_a_broken_package_is_named_in_one_line(
    package: str, how: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    need_package(package)
    if package == "highspy":  # else a library beside it serves
        monkeypatch.setenv("CALMIP_HIGHS", "highspy")
    text, words = BROKEN[how]
    (tmp_path / package).mkdir()
    (tmp_path / package / "__init__.py").write_text(text)
    done = run(tmp_path, *USERS[package])
    assert (done.returncode, done.stdout) == (4, "")
    (line,) = done.stderr.splitlines()
    assert line.startswith("calmip: error: ")
    assert line.isprintable()
    assert package in line
    assert "broken here" in line
    assert words in line


@pytest.mark.long
def test_a_package_that_ends_the_program_hides_nothing(tmp_path: Path) -> None:
    code = (
        "class Solver:\n"
        "    name = 'exits'\n"
        "    def availability(self): raise SystemExit(0)\n"
        "    def solve(self, model, limits): raise SystemExit(0)\n"
    )
    points = {"calmip.solvers": {"quits": "quits:Solver", "exits": "exits:Solver"}}
    offer(tmp_path, "calmip-quits", points, quits="raise SystemExit(0)\n", exits=code)
    for name, why in (("quits", "cannot be used"), ("exits", "failed: SystemExit: 0")):
        done = run(tmp_path, "solve", TINY, "--solver", name)
        assert (done.returncode, done.stdout) == (4, ""), done.stderr
        assert f"{name} of the package calmip-quits {why}" in done.stderr
        assert done.stderr.count("\n") == 1
    listed = run(tmp_path, "solvers")
    assert listed.returncode == 0
    assert "quits" in listed.stdout
    assert "highs" in listed.stdout
