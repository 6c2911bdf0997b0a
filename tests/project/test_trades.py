"""Each trade can be taken away: what is left works, and does not mention it.

``nox -s trades`` runs the whole fast suite in such copies.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from trades import ROOT, TRADES, WORDS, copy_without, trades_of_case, trades_of_text

from calmip.features import OWN, features_at

pytestmark = pytest.mark.skipif(not (ROOT / ".git").exists(), reason="in the repository only")

LEFT = """
import importlib, pkgutil, sys
import calmip
for found in pkgutil.walk_packages(calmip.__path__, "calmip."):
    if not found.name.endswith("__main__"):
        importlib.import_module(found.name)
for name in calmip.__all__:
    getattr(calmip, name)
print(*calmip.__all__)
"""
"""Import all that is left, and every public name."""


@pytest.mark.parametrize("trade", TRADES)
def test_the_words_of_a_trade_are_its_commands_and_public_names(trade: str) -> None:
    door = features_at(f"calmip.{trade}.features")
    declared = {f"{one.above} {one.name}".strip() for one in door}
    declared |= {name.rpartition(".")[2] for one in door for name in one.names}
    assert declared == WORDS[trade]


def test_what_a_case_types_and_a_page_runs_needs_a_trade() -> None:
    assert trades_of_case(["year 2027", 3, ["bench", "run"]]) == {"year", "bench"}
    assert trades_of_case([("export", "suite", "easy"), ["solve", "year"]]) == {"bench"}
    assert trades_of_case(["yearly", "export dates", "", [], None, ["cut", 1]]) == set()
    text = "calmip prove dates x; calmip.read_pool; python -m calmip.course.machine"
    assert trades_of_text(text) == {"proofs", "design", "course"}
    assert trades_of_text("calmip export all, calmip.cuts, a calendar, grade") == set()


@pytest.fixture(scope="module", params=TRADES)
def without(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp(request.param) / request.param
    copy_without(request.param, folder)
    return folder


def run(folder: Path, *arguments: str) -> str:
    # Every night .ci/trades.py runs the long tests, too.
    environment = {**os.environ, "CI": "", "PYTHONPATH": str(folder), "COLUMNS": "100"}
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.long
def test_all_that_is_left_can_be_imported(without: Path) -> None:
    door = features_at(f"calmip.{without.name}.features")
    names = {name.rpartition(".")[2] for feature in door for name in feature.names}
    assert names, "a trade has public names"
    assert not names & set(run(without, "-c", LEFT).split())


@pytest.mark.long
def test_the_help_lists_the_rest(without: Path) -> None:
    door = features_at(f"calmip.{without.name}.features")
    gone = {feature.name for feature in door if not feature.above}
    shown = {
        line.split()[0] for line in run(without, "-m", "calmip", "--help").splitlines() if line
    }
    assert not gone & shown
    assert set(OWN) - gone <= shown


@pytest.mark.long
def test_the_tests_of_the_walls_and_of_the_help_pass(without: Path) -> None:
    tests = ("tests/project/test_architecture.py", "tests/cli/test_help.py")
    folder = without.parent / "temporary"
    done = run(
        without, "-m", "pytest", "-q", f"--basetemp={folder}", "-p", "no:cacheprovider", *tests
    )
    assert " passed" in done
