"""Each trade can be taken away: what is left works, and does not mention it.

``nox -s trades`` runs the whole fast suite in such copies.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from trades import ROOT, TRADES, copy_without

from calmip.features import OWN, features_at

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(not (ROOT / ".git").exists(), reason="in the repository only"),
]

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


@pytest.fixture(scope="module", params=TRADES)
def without(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp(request.param) / request.param
    copy_without(request.param, folder)
    return folder


def run(folder: Path, *arguments: str) -> str:
    environment = {**os.environ, "PYTHONPATH": str(folder), "COLUMNS": "100"}
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


def test_all_that_is_left_can_be_imported(without: Path) -> None:
    door = features_at(f"calmip.{without.name}.features")
    names = {name for feature in door for name in feature.names}
    assert names, "a trade has public names"
    assert not names & set(run(without, "-c", LEFT).split())


def test_the_help_lists_the_rest(without: Path) -> None:
    door = features_at(f"calmip.{without.name}.features")
    gone = {feature.name for feature in door if not feature.above}
    shown = {
        line.split()[0] for line in run(without, "-m", "calmip", "--help").splitlines() if line
    }
    assert not gone & shown
    assert set(OWN) - gone <= shown


def test_the_tests_of_the_walls_and_of_the_help_pass(without: Path) -> None:
    tests = ("tests/project/test_architecture.py", "tests/cli/test_help.py")
    folder = without.parent / "temporary"
    done = run(
        without, "-m", "pytest", "-q", f"--basetemp={folder}", "-p", "no:cacheprovider", *tests
    )
    assert " passed" in done
