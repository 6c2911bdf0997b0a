"""Notebooks run from top to bottom, print what they say, and become valid .ipynb files."""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest
from processes import HANG_SECONDS

ROOT = Path(__file__).parents[2]
NOTEBOOKS = sorted((ROOT / "docs" / "notebooks").glob("*.py"))
FILES = [path.with_suffix(".ipynb") for path in NOTEBOOKS]
RUN = (
    "import sys; sys.path.insert(0, sys.argv[1]); from pathlib import Path; import percent; "
    "Path('made.ipynb').write_text(percent.notebook(percent.run(Path(sys.argv[2]))))"
)


def run(path: Path, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a notebook in a process and a folder of its own, as on a stranger's machine."""
    return subprocess.run(
        [
            sys.executable,
            "-W",
            "error::DeprecationWarning:__main__",
            "-c",
            RUN,
            str(ROOT / ".ci/docs_build"),
            str(path),
        ],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=HANG_SECONDS,
        check=False,
    )


@pytest.mark.slow
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_notebook_runs_from_top_to_bottom(path: Path, tmp_path: Path) -> None:
    done = run(path, tmp_path)
    assert done.returncode == 0, done.stderr
    # Not on stdout: HiGHS 1.16 prints there, though it is silent.
    found = json.loads((tmp_path / "made.ipynb").read_text())
    assert (found["nbformat"], found["nbformat_minor"]) == (4, 5)
    kinds = [cell["cell_type"] for cell in found["cells"]]
    assert kinds[:2] == ["markdown", "code"]
    assert found["cells"][1]["source"].startswith("%pip install")
    shown = {
        kind
        for cell in found["cells"]
        for output in cell.get("outputs", [])
        for kind in output.get("data", {})
    }
    assert shown & {"image/svg+xml", "text/html"}
    assert len({cell["id"] for cell in found["cells"]}) == len(kinds)


@pytest.fixture
def percent(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Return the module that reads and writes notebooks."""
    monkeypatch.syspath_prepend(ROOT / ".ci/docs_build")
    return importlib.import_module("percent")


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_the_file_of_a_notebook_is_what_its_text_says(path: Path, percent: ModuleType) -> None:
    written = path.with_suffix(".ipynb")
    assert written.read_text(encoding="utf-8") == percent.unrun(path), (
        "python .ci/docs_build/percent.py writes it"
    )
    both = zip(percent.read(path), percent.read(written), strict=True)
    assert all(
        (one.kind, one.code, one.said) == (two.kind, two.code, two.said) for one, two in both
    )


def test_every_file_of_a_notebook_has_a_text() -> None:
    assert sorted((ROOT / "docs" / "notebooks").glob("*.ipynb")) == FILES


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_needs_pip_only(path: Path) -> None:
    # Where there is no shell, no apt, and none of this repository's files.
    text = path.read_text(encoding="utf-8")
    assert "# %pip install --quiet calmip" in text
    for word in ("instances/", "subprocess", "# !", "apt", "cbc", "../"):
        assert word not in text


def test_a_notebook_that_prints_something_else_fails(tmp_path: Path) -> None:
    path = tmp_path / "wrong.py"
    path.write_text("# %%\nprint(1 + 1)\n# > 3\n")
    done = run(path, tmp_path)
    assert done.returncode != 0
    assert "but prints" in done.stderr
    path.write_text("# %% [markdown]\n# Text\n\n# %%\nprint(1 + 1)\n# > 2\n")
    done = run(path, tmp_path)
    assert done.returncode == 0, done.stderr
    assert (
        json.loads((tmp_path / "made.ipynb").read_text())["cells"][1]["outputs"][0]["text"] == "2\n"
    )


def test_an_ipynb_file_that_prints_something_else_fails(
    tmp_path: Path, percent: ModuleType
) -> None:
    path = tmp_path / "wrong.py"
    path.write_text("# %%\nprint(1 + 1)\n# > 3\n")
    written = path.with_suffix(".ipynb")
    written.write_text(percent.unrun(path))
    done = run(written, tmp_path)
    assert done.returncode != 0
    assert "but prints" in done.stderr
