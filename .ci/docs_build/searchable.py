"""A fault of lunr, the library of the theme's search, mended in the built site.

It merges states of its automaton that have the same text. There a character and the number of the
next state stand without a mark between them: "1", "23" is as "12", "3". Then the automaton accepts
words that no page has, and a search that meets one ends in an error.
"""

from __future__ import annotations

import logging
import re
from pathlib import Path
from typing import Any

log = logging.getLogger("mkdocs.hooks.searchable")

STATE = re.compile(r"\b(\w+)=\1\+(\w+)\+(\w+)\.id\}return \1\}")


def on_post_build(config: Any, **_: Any) -> None:
    """End each number of a state with a mark; warn, an error in strict mode, if it has moved."""
    for path in Path(config["site_dir"]).glob("assets/javascripts/workers/search.*.js"):
        text, found = STATE.subn(r'\1+=\2+\3.id+";"}return \1}', path.read_text(encoding="utf-8"))
        if found != 1:
            log.warning("the search of the theme has changed: %s", path.name)
        path.write_text(text, encoding="utf-8")
