"""calmip beside other packages, and on every Python and system that its dependencies serve."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from requirements import missing, need_package

pytestmark = pytest.mark.slow  # they ask the registry
ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]

PLATFORMS = (
    "x86_64-unknown-linux-gnu",
    "aarch64-unknown-linux-gnu",
    "x86_64-apple-darwin",
    "aarch64-apple-darwin",
    "x86_64-pc-windows-msvc",
    "aarch64-pc-windows-msvc",
)
PYTHONS = ("3.11", "3.12", "3.13", "3.14", "3.15")
WITHOUT = {("aarch64-pc-windows-msvc", "3.11"): "pyyaml"}
"""Where a package has no wheel."""


@pytest.mark.parametrize("platform", PLATFORMS)
@pytest.mark.parametrize("python", PYTHONS)
def test_every_dependency_has_a_wheel(platform: str, python: str) -> None:
    need_package("uv")
    command = [
        sys.executable,
        "-m",
        "uv",
        "pip",
        "compile",
        "--only-binary",
        ":all:",
        "--no-header",
        "--no-annotate",
        "--python-platform",
        platform,
        "--python-version",
        python,
        "-",
    ]
    wanted = "\n".join(PROJECT["dependencies"])
    done = subprocess.run(command, input=wanted, capture_output=True, text=True, check=False)
    lacking = WITHOUT.get((platform, python))
    if lacking:
        assert done.returncode != 0
        assert f"Wheels are required for `{lacking}`" in done.stderr
        return
    assert done.returncode == 0, done.stderr
    assert "highspy==" in done.stdout


STUB = """
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"
[project]
name = "needs-a-new-highs"
version = "1"
dependencies = ["highspy>=1.16"]
[tool.hatch.build.targets.wheel]
bypass-selection = true
"""


@pytest.mark.parametrize("extra", ["", "[fast]"])
def test_calmip_is_installed_beside_a_package_that_needs_a_new_highs(
    extra: str, tmp_path: Path
) -> None:
    (tmp_path / "stub").mkdir()
    (tmp_path / "stub" / "pyproject.toml").write_text(STUB)
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "place"], check=True)
    windows = sys.platform == "win32"
    python = tmp_path / "place" / ("Scripts/python.exe" if windows else "bin/python")
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    source = shutil.copytree(
        ROOT,
        tmp_path / "calmip",
        ignore=shutil.ignore_patterns(
            ".git", ".venv*", "node_modules", "tests", "docs", "__pycache__"
        ),
    )
    wanted = (f"calmip{extra} @ {source.as_uri()}", str(tmp_path / "stub"))
    done = subprocess.run(
        [python, "-m", "pip", "install", "-q", *wanted],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    if "Temporary failure in name resolution" in done.stderr:
        missing("registry")
    assert done.returncode == 0, done.stderr

    def output(*words: str, **more: str) -> str:
        return subprocess.run(
            [python, "-m", "calmip", *words],
            cwd=tmp_path,
            text=True,
            check=True,
            capture_output=True,
            env={**environment, **more},
        ).stdout

    code = "from importlib import metadata; print(metadata.version('highspy'))"
    version = subprocess.check_output([python, "-c", code], text=True).strip()
    assert tuple(map(int, version.split(".")[:2])) >= (1, 16)
    way = next(line for line in output("solvers").splitlines() if line.startswith("  highs "))
    assert ("the C library" if extra else "the Python package") in way
    for chosen in ("", "highspy"):
        found = output("solve", "feb29", CALMIP_HIGHS=chosen)
        assert "tiling found and verified (highs," in found
