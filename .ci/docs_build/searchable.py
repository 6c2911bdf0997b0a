"""Two faults of the theme's search, mended in the built site.

lunr, its library, merges states of its automaton that have the same text. There a character and
the number of the next state stand without a mark between them: "1", "23" is as "12", "3". Then the
automaton accepts words that no page has, and a search that meets one ends in an error.

An option as it is typed, such as ``--gap``, is an operator of lunr twice, which is an error too.
The theme takes operators out that stand alone; the two dashes of an option go the same way.
"""

from __future__ import annotations

import logging
import re
from pathlib import Path
from typing import Any

log = logging.getLogger("mkdocs.hooks.searchable")

STATE = re.compile(r"\b(\w+)=\1\+(\w+)\+(\w+)\.id\}return \1\}")

OPERATORS = re.compile(r"""(\.replace\(/"\|\(\?:\^\|\\s\+\)\[[^]]+\]\+\(\?=\\s\+\|\$\))/g,""\)""")
MENDED = ((STATE, r'\1+=\2+\3.id+";"}return \1}'), (OPERATORS, r'\1|\\B--+(?=\\w)/g,"")'))


def on_post_build(config: Any, **_: Any) -> None:
    """Mend both; warn, which is an error in strict mode, if one has moved."""
    for path in Path(config["site_dir"]).glob("assets/javascripts/workers/search.*.js"):
        text = path.read_text(encoding="utf-8")
        for fault, remedy in MENDED:
            text, found = fault.subn(remedy, text)
            if found != 1:
                log.warning("the search of the theme has changed: %s", path.name)
        path.write_text(text, encoding="utf-8")
