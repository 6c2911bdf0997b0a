"""The pictures of the README and the site are what the renderer draws, and are shown."""

from __future__ import annotations

import importlib.util
import struct
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest
from requirements import missing

pytestmark = pytest.mark.trade("year", "design", "bench", "workshop")  # which the script draws

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / ".ci/docs_build"
SCRIPT = FOLDER / "pictures.py"


@cache
def load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, FOLDER / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def script() -> ModuleType:
    return load("pictures")


@pytest.fixture
def pages() -> ModuleType:
    return load("pages")


@pytest.mark.long
def test_the_pictures_are_what_the_script_draws(script: ModuleType) -> None:
    drawn = dict(script.drawn())
    lying = {path.name: path for path in script.FOLDER.glob("*.svg")}
    assert lying.keys() == drawn.keys()
    for name, text in drawn.items():
        assert lying[name].read_text(encoding="utf-8") == text, f"run {SCRIPT}"


def test_the_card_for_other_sites_has_the_size_that_they_ask_for(script: ModuleType) -> None:
    head = (script.FOLDER / "social.png").read_bytes()[:24]
    assert head[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">II", head[16:]) == (1200, 630)


def test_nothing_on_the_card_is_cut_at_its_edge(script: ModuleType) -> None:
    if importlib.util.find_spec("matplotlib") is None:
        missing("matplotlib")
    from matplotlib.image import imread

    picture = imread(script.FOLDER / "social.png")[:, :, :3]
    for edge in (picture[:30], picture[-30:], picture[:, :30], picture[:, -30:]):
        assert (edge == picture[0, 0]).all()


def test_every_picture_is_shown_in_both_themes_and_said_in_words(
    script: ModuleType, pages: ModuleType
) -> None:
    shown = set()
    for page in (ROOT / "docs").rglob("*.md"):
        text = page.read_text(encoding="utf-8")
        for found in pages.PICTURE.finditer(text):
            assert len(found["alt"]) > 20
            assert found["dark"] == found["light"].replace("-light.", "-dark.")
            shown |= {(page.parent / found[theme]).resolve() for theme in ("light", "dark")}
        assert len(pages.PICTURE.findall(text)) == text.count("<img") == text.count("<picture>")
    assert shown == {path.resolve() for path in script.FOLDER.glob("*-*.*")}
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for name in ("leap-day", "year"):
        assert f'srcset="docs/pictures/{name}-dark.svg"' in readme
        assert f'src="docs/pictures/{name}-light.svg"' in readme
