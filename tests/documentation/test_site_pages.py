"""The pages that are written from the program, and those that have to name all of it."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from types import ModuleType

import pytest

import calmip
from calmip.cli import COMMANDS
from calmip.documents.reader import bundled_puzzles
from calmip.models import FORMULATIONS
from calmip.solvers import SOLVERS

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def pages() -> ModuleType:
    spec = importlib.util.spec_from_file_location("pages", ROOT / "docs_build" / "pages.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_texts_of_puzzle_files_are_shown_as_they_are(pages: ModuleType) -> None:
    text = pages.counts()
    assert all(f"\n## {name}\n" in text for name in bundled_puzzles())
    assert r"solver/\*.c, solver/solution-count\*.\{txt,xlsx\}, 3Dmodel/\*.stl" in text
    assert "\n* min: 7 (Oct 6)\n" in text


def test_every_command_has_its_section(pages: ModuleType) -> None:
    text = pages.commands()
    assert re.findall(r"^## calmip (.*)$", text, re.MULTILINE) == list(COMMANDS)


@pytest.mark.parametrize("name", [n for n in calmip.__all__ if n != "__version__"])
def test_everything_public_is_in_the_reference(name: str) -> None:
    text = (ROOT / "docs" / "reference" / "api.md").read_text(encoding="utf-8")
    assert re.search(rf"\b{name}\b", text)


def test_the_readme_names_every_command_and_solver() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8").replace("CP-SAT", "cpsat")
    for name in COMMANDS:
        assert re.search(rf"^calmip {name}\b", text, re.MULTILINE), name
    reference = (ROOT / "docs" / "reference" / "solvers.md").read_text(encoding="utf-8")
    for name in SOLVERS:
        assert re.search(rf"\b{name}\b", text, re.IGNORECASE), name
        assert re.search(rf"\b{name}\b", reference, re.IGNORECASE), name


def test_every_formulation_is_explained() -> None:
    text = (ROOT / "docs" / "explanation" / "formulations.md").read_text(encoding="utf-8")
    for name in FORMULATIONS:
        assert re.search(rf"\b{name}\b", text), name


def test_every_module_has_its_line_in_the_architecture() -> None:
    text = (ROOT / "docs" / "explanation" / "architecture.md").read_text(encoding="utf-8")
    for path in sorted((ROOT / "calmip").iterdir()):
        name = path.stem
        is_code = path.suffix == ".py" or (path / "__init__.py").is_file()
        if is_code and not name.startswith("_"):
            assert re.search(rf"`{name}/?`", text), name
