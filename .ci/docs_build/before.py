"""MkDocs builds the plain Markdown that `plain.py` writes, and knows what is generated."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

import pages
import plain

ELSEWHERE = {
    # Read in calmip.models, where a module has the name of the package that it imports.
    "calmip.models.pulp.LpProblem": "https://coin-or.github.io/pulp/technical/pulp.html#pulp.LpProblem",
    "pyomo.environ.ConcreteModel": "https://pyomo.readthedocs.io/en/stable/api/"
    "pyomo.core.base.PyomoModel.ConcreteModel.html",
}
"""Where the reference of Python leads for names of others, without asking the network for lists."""


def on_config(config: Any, **_: Any) -> Any:
    """Write the pages anew, and take them from there."""
    folder = plain.ROOT / "build" / "docs"
    plain.write(folder)
    config.docs_dir = str(folder)
    config.nav = pages.with_commands(config.nav)
    return config


def on_files(files: Any, config: Any, **_: Any) -> Any:
    """Tell the reference of Python where names of others are explained."""
    for name, url in ELSEWHERE.items():
        config.plugins["autorefs"].register_url(name, url)
    return files


def on_pre_page(page: Any, **_: Any) -> Any:
    """Take the link to a page's source from those that are generated."""
    if not (plain.DOCS / page.file.src_uri).is_file():
        page.edit_url = None
    return page
