"""The check that a built page asks the network for nothing."""

from __future__ import annotations

import importlib.util
import logging
from pathlib import Path

import pytest

FILE = Path(__file__).parents[2] / ".ci/docs_build" / "offline.py"
SPEC = importlib.util.spec_from_file_location("offline", FILE)
assert SPEC is not None
assert SPEC.loader is not None
offline = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(offline)


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
