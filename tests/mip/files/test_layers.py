"""Each modelling layer in a process of its own, as packages of solvers exclude each other.

`layers/check_NAME.py` has the tests of a layer: twenty random models, and what is refused.
"""

import importlib.util
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from requirements import missing

from calmip.mip.files.layers.linopy import LinopyObject
from calmip.mip.status import Status

FOLDER = Path(__file__).parent / "layers"

PACKAGES = {
    "cvxpy": "cvxpy",
    "docplex": "docplex",
    "linopy": "linopy",
    "optlang": "cobra",
    "ortools": "ortools",
    "python_mip": "mip",
    "xpress": "xpress",
}
"""The package of each layer, by the end of the name of its tests."""


def test_every_file_of_the_folder_is_run() -> None:
    files = {path.stem.removeprefix("check_") for path in FOLDER.glob("check_*.py")}
    assert files == PACKAGES.keys()


@pytest.mark.parametrize("status", [Status.OPTIMAL, Status.FEASIBLE, Status.UNKNOWN])
def test_only_an_optimum_is_told_as_one(status: Status) -> None:
    """Without the package: a model of linopy is an object with attributes."""
    layer = object.__new__(LinopyObject)
    layer.problem = SimpleNamespace()
    layer.tell(status)
    assert (layer.problem.termination_condition == "optimal") is (status is Status.OPTIMAL)


@pytest.mark.long
@pytest.mark.parametrize("layer", PACKAGES)
def test_a_layer(layer: str, tmp_path: Path) -> None:
    # A folder of that name, such as tests/mip, has no origin.
    if getattr(importlib.util.find_spec(PACKAGES[layer]), "origin", None) is None:
        missing(PACKAGES[layer])
    options = ["-q", "-p", "no:xdist", "-p", "no:cacheprovider", f"--basetemp={tmp_path / 'own'}"]
    command = [sys.executable, "-m", "pytest", *options, FOLDER / f"check_{layer}.py"]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout[-5000:] + ran.stderr[-2000:]
    assert "skipped" not in ran.stdout
