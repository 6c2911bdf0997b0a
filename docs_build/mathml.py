"""Formulas become MathML when the site is built, so no page needs a script to show them."""

from __future__ import annotations

import html
import logging
import re
from typing import Any

from latex2mathml.converter import convert

log = logging.getLogger("mkdocs.hooks.mathml")

INLINE = re.compile(r'<span class="arithmatex">\\\((.*?)\\\)</span>', re.DOTALL)
BLOCK = re.compile(r'<div class="arithmatex">\s*\\\[(.*?)\\\]\s*</div>', re.DOTALL)
UNKNOWN = re.compile(r"<m\w+>(\\\w+)")


def on_page_content(content: str, page: Any, **_: Any) -> str:
    """Replace the formulas that Arithmatex marked by MathML."""

    def formula(match: re.Match[str], display: str) -> str:
        source = html.unescape(match.group(1))
        mathml = convert(source, display=display)
        unknown = UNKNOWN.search(mathml)
        if unknown:
            log.warning("%s: unknown command %s in $%s$", page.file.src_uri, unknown[1], source)
        return mathml

    # On a phone a long formula scrolls by itself, not the page with it.
    content = BLOCK.sub(
        lambda match: f'<div class="formula">{formula(match, "block")}</div>', content
    )
    return INLINE.sub(lambda match: formula(match, "inline"), content)
