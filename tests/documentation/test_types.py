"""The README's lines of Python, and what they infer, as type checkers see them."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from requirements import need_package

ROOT = Path(__file__).parents[2]

INFERRED = """
from pathlib import Path

import calmip

instance = calmip.read_instance("feb29")
reveal_type(calmip.enumerate(instance)[0])
reveal_type(calmip.enumerate(instance)[:2])
reveal_type(calmip.enumerate(Path("model.mps"))[0])
reveal_type(calmip.count(instance).total)
reveal_type(calmip.today("heart-set1").tilings)
pool: calmip.SolutionPool = calmip.enumerate(instance)
"""


def checked(text: str, folder: Path) -> str:
    """Return what mypy says of a program in its strict mode."""
    need_package("mypy")
    (folder / "program.py").write_text(text)
    command = [sys.executable, "-m", "mypy", "--strict", "program.py"]
    command += ["--config-file", str(folder / "none.ini"), "--cache-dir", str(folder / "cache")]
    (folder / "none.ini").write_text("[mypy]\nfollow_untyped_imports = True\n")
    environment = {"MYPYPATH": str(ROOT), "PATH": "", "PYTHONPATH": ":".join(sys.path)}
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    return done.stdout + done.stderr


@pytest.mark.long
def test_the_lines_of_the_readme_are_typed(tmp_path: Path) -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    text = "\n".join(re.findall(r"```python\n(.*?)```", readme, re.DOTALL))
    assert "calmip.enumerate(" in text
    assert checked(text, tmp_path).startswith("Success: ")
    assert "error: " in checked(text + '\ncalmip.enumerate(instance)[0] + ""\n', tmp_path)


@pytest.mark.long
def test_the_types_of_results_are_those_that_are_used(tmp_path: Path) -> None:
    said = checked(INFERRED, tmp_path)
    assert "Success: " in said, said
    found = re.findall(r'Revealed type is "(.*)"', said)
    assert [one.replace("builtins.", "") for one in found] == [
        "calmip.puzzle.tiling.Tiling",
        "tuple[calmip.puzzle.tiling.Tiling, ...]",
        "Any",
        "int",
        "int | None",
    ]
