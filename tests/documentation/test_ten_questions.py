"""The tabs of the tutorial "Ten questions about one model" write the same model."""

from __future__ import annotations

import re
import textwrap
from pathlib import Path
from typing import Any

import pytest

import calmip

PAGE = Path(__file__).parents[2] / "docs" / "tutorials" / "ten-questions.md"
TEXT = PAGE.read_text(encoding="utf-8")
TABS = dict(re.findall(r'^=== "(.*?)"\n\n(.*?)(?=^===|^\S)', TEXT, re.MULTILINE | re.DOTALL))


def code(text: str) -> str:
    """Return the first block of a text."""
    found = re.search(r"^( *)```\w+\n(.*?)^\1```", text, re.MULTILINE | re.DOTALL)
    assert found is not None
    return textwrap.dedent(found[2])


def test_each_layer_has_a_tab() -> None:
    assert list(TABS) == ["PuLP", "Pyomo", "highspy", "A file"]


@pytest.mark.parametrize("tab", ["PuLP", "Pyomo", "highspy"])
def test_the_tabs_are_the_model_of_the_file(tab: str, tmp_path: Path) -> None:
    (tmp_path / "rota.lp").write_text(code(TABS["A file"]))
    found: dict[str, Any] = {}
    exec(code(TEXT), found)
    exec(code(TABS[tab]), found)

    def solutions(model: Any) -> set[tuple[Any, frozenset[str]]]:
        pool = calmip.enumerate(model, within=2)
        return {
            (objective, frozenset(re.sub(r"x\[(\w+),(\w+)\]", r"\1_\2", name) for name in values))
            for objective, values in zip(pool.objectives, map(ones, pool.values), strict=True)
        }

    def ones(values: Any) -> list[str]:
        return [name for name, value in values.items() if value]

    expected = solutions(tmp_path / "rota.lp")
    assert len(expected) > 12
    assert solutions(found["model"]) == expected
