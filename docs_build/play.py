"""The page to play on, as `play/` of the site: without the solver in it, which lies beside it."""

from __future__ import annotations

from typing import Any

from calmip.tasks.play import page_text, solver_script


def on_files(files: Any, config: Any, **_: Any) -> Any:
    """Add the page and the solver's file to the site."""
    from mkdocs.structure.files import File

    texts = {"play/index.html": page_text(whole=False), "play/highs.js": solver_script()}
    for uri, text in texts.items():
        files.append(File.generated(config, uri, content=text))
    return files
