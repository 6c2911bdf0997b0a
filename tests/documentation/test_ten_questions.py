"""The tabs of the tutorial "Ten questions about one model" write the same model."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from requirements import missing

PAGE = Path(__file__).parents[2] / "docs" / "tutorials" / "ten-questions.md"
TEXT = PAGE.read_text(encoding="utf-8")
TABS = dict(re.findall(r'^=== "(.*?)"\n\n(.*?)(?=^===|^\S)', TEXT, re.MULTILINE | re.DOTALL))
LAYERS = {
    "PuLP": "pulp",
    "Pyomo": "pyomo",
    "highspy": "highspy",
    "cvxpy": "cvxpy",
    "linopy": "linopy",
    "OR-Tools": "ortools",
}
"""The package of each tab."""


def code(text: str) -> str:
    """Return the first block of a text."""
    found = re.search(r"^( *)```\w+\n(.*?)^\1```", text, re.MULTILINE | re.DOTALL)
    assert found is not None
    return textwrap.dedent(found[2])


def test_each_layer_has_a_tab() -> None:
    assert list(TABS) == [*LAYERS, "A file"]


POOL = """
import calmip, re
pool = calmip.enumerate(model, within=2)
for objective, values in zip(pool.objectives, pool.values):
    names = sorted(name for name, value in values.items() if value)
    print(objective, *(re.sub(r"x\\[(\\w+),(\\w+)\\]", r"\\1_\\2", name) for name in names))
"""
"""Print the solutions of a tab's model in the names of the file."""


def solutions(program: str, folder: Path) -> list[str]:
    """Return them from a process of its own, as packages of solvers exclude each other."""
    command = [sys.executable, "-c", program + POOL]
    ran = subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True)
    return sorted(line for line in ran.stdout.splitlines() if line[:1].isdigit())


@pytest.mark.long
@pytest.mark.parametrize("tab", LAYERS)
def test_the_tabs_are_the_model_of_the_file(tab: str, tmp_path: Path) -> None:
    if importlib.util.find_spec(LAYERS[tab]) is None:
        missing(LAYERS[tab])
    (tmp_path / "rota.lp").write_text(code(TABS["A file"]), encoding="utf-8")
    expected = solutions('model = "rota.lp"', tmp_path)
    assert len(expected) > 12
    assert solutions(code(TEXT) + code(TABS[tab]), tmp_path) == expected
