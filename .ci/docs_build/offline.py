"""A built page must not ask the network for anything; the build fails if one does."""

from __future__ import annotations

import logging
import re
from pathlib import Path
from typing import Any

log = logging.getLogger("mkdocs.hooks.offline")

# What a browser fetches by itself. A link that a reader may click is no load.
LOADS = re.compile(
    r"""<(?:script|img|iframe|source|video|audio|embed|object)\b[^>]*?\b(?:src|data)\s*=\s*["']?
        (?:https?:)?//[^"'\s>]+
      | <link\b(?=[^>]*\brel\s*=\s*["']?(?:stylesheet|preconnect|(?:module)?preload|icon|dns-))
        [^>]*?\bhref\s*=\s*["']?(?:https?:)?//[^"'\s>]+
      | (?:@import|url\()\s*["']?(?:https?:)?//[^"'\s)]+""",
    re.VERBOSE | re.IGNORECASE,
)
SHIM = re.compile(r'<script[^>]*src="?[^"\s>]*iframe-worker[^>]*></script>')


WORKER = (Path(__file__).parent / "frame_worker.js").read_text(encoding="utf-8")


def on_post_page(output: str, **_: Any) -> str:
    """Put a script of our own in the place of the one that Material loads from elsewhere.

    Both let the search work in pages that are opened from a folder.
    """
    return SHIM.sub(lambda _: f"<script>\n{WORKER}</script>", output)


def on_post_template(output_content: str, **_: Any) -> str:
    """Do the same for pages that have no source, such as 404.html."""
    return on_post_page(output_content)


def on_post_build(config: Any, **_: Any) -> None:
    """Warn, which is an error in strict mode, of every page and style that loads from elsewhere."""
    folder = Path(config["site_dir"])
    for path in sorted(folder.rglob("*")):
        if path.suffix not in (".html", ".css"):
            continue
        for match in LOADS.finditer(path.read_text(encoding="utf-8")):
            log.warning("%s loads %s", path.relative_to(folder), match.group(0)[:120])
