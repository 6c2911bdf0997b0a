"""Notebooks are run when the site is built, and become pages with their outputs."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File

sys.path.insert(0, str(Path(__file__).parent))

import percent

_RUN: dict[Path, list[percent.Cell]] = {}


def on_files(files: Any, config: Any, **_: Any) -> Any:
    """Add a page and an .ipynb file for every notebook."""
    for path in sorted(Path(config["docs_dir"], "notebooks").glob("*.py")):
        if path not in _RUN:
            _RUN[path] = percent.run(path)
        found = _RUN[path]
        uri = f"notebooks/{path.stem}"
        files.append(
            File.generated(config, f"{uri}.md", content=percent.markdown(found, path.stem))
        )
        files.append(File.generated(config, f"{uri}.ipynb", content=percent.notebook(found)))
    return files
