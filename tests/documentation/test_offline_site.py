"""The hooks of the built site: it asks the network for nothing, and its search has no faults."""

from __future__ import annotations

import importlib.util
import logging
from pathlib import Path
from types import ModuleType

import pytest

FILE = Path(__file__).parents[2] / ".ci/docs_build" / "offline.py"


def load(name: str) -> ModuleType:
    """Return a hook of the site."""
    spec = importlib.util.spec_from_file_location(name, FILE.with_name(f"{name}.py"))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


offline, searchable = load("offline"), load("searchable")


@pytest.mark.parametrize(
    ("text", "loads"),
    [
        ('<script src="https://cdn.example/mathjax.js"></script>', True),
        ("<script async src=//cdn.example/x.js></script>", True),
        ('<link href="https://fonts.example/css" rel="stylesheet">', True),
        ('<link rel="preconnect" href="https://fonts.example">', True),
        ('<img alt="" src="http://example.org/x.png">', True),
        ("@import 'https://fonts.example/css';", True),
        ("a{background:url(//example.org/x.png)}", True),
        ('<a href="https://example.org">a link to click</a>', False),
        ('<link rel="canonical" href="https://example.org/">', False),
        ('<script src="assets/bundle.js"></script>', False),
        ('<img src="data:image/svg+xml;base64,AAAA">', False),
    ],
)
def test_what_a_browser_would_fetch_is_found(
    text: str, loads: bool, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / ("x.css" if text[0] in "@a" else "x.html")).write_text(text)
    with caplog.at_level(logging.WARNING):
        offline.on_post_build({"site_dir": str(tmp_path)})
    assert bool(caplog.records) == loads


def test_the_one_foreign_script_of_the_theme_is_replaced(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    page = '<p>x</p><script src="https://unpkg.com/iframe-worker/shim"></script><p>y</p>'
    own = FILE.with_name("frame_worker.js").read_text(encoding="utf-8")
    for text in (offline.on_post_page(page), offline.on_post_template(page)):
        assert text == f"<p>x</p><script>\n{own}</script><p>y</p>"
        (tmp_path / "x.html").write_text(text)
        with caplog.at_level(logging.WARNING):
            offline.on_post_build({"site_dir": str(tmp_path)})
        assert not caplog.records


WORKER = """for(s of r){e=e+s+o.id}return e}
transform(t){return t.replace(/"|(?:^|\\s+)[*+\\-:^~]+(?=\\s+|$)/g,"")}"""
"""The two places of the theme's worker that are mended, as it has them."""


def test_the_faults_of_the_search_are_mended_or_a_new_theme_is_noticed(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    folder = tmp_path / "assets/javascripts/workers"
    folder.mkdir(parents=True)
    worker = folder / "search.1a2b.min.js"
    worker.write_text(WORKER, encoding="utf-8")
    with caplog.at_level(logging.WARNING):
        searchable.on_post_build({"site_dir": str(tmp_path)})
    assert not caplog.records
    assert worker.read_text("utf-8") == (
        WORKER.replace("e=e+s+o.id}", 'e+=s+o.id+";"}').replace(
            "(?=\\s+|$)/g", "(?=\\s+|$)|\\B--+(?=\\w)/g"
        )
    )
    worker.write_text("another worker", encoding="utf-8")
    with caplog.at_level(logging.WARNING):
        searchable.on_post_build({"site_dir": str(tmp_path)})
    assert len(caplog.records) == 2
