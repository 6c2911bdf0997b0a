"""Names and roles that the theme leaves out, put into the built pages.

What axe-core finds in them; the colours are in `theme/assets/site.css`, and what the theme
makes in the browser is mended there, by `theme/assets/site.js`.
"""

from __future__ import annotations

import logging
import re
from typing import Any

log = logging.getLogger("mkdocs.hooks.accessible")

SEARCH = '<div class="md-search" data-md-component="search" role="dialog">'
REPOSITORY = ' data-md-component="source"'
EMPTY_HEADER = re.compile(r"<th((?: [^>]*)?)>\s*</th>")


def on_page_content(content: str, **_: Any) -> str:
    """Make the empty corner of a table a plain cell: it heads nothing."""
    return EMPTY_HEADER.sub(r"<td\1></td>", content)


def on_post_page(output: str, **_: Any) -> str:
    """Name the search; take away the script that would ask the code host for stars."""
    for found in (SEARCH, REPOSITORY):
        if found not in output:
            log.warning("the theme's pages have changed: no %s", found)
    named = SEARCH.replace(">", ' aria-label="Search">')
    return output.replace(SEARCH, named).replace(REPOSITORY, "")


def on_post_template(output_content: str, template_name: str, **_: Any) -> str:
    """Do the same for pages that have no source, such as 404.html."""
    return on_post_page(output_content) if template_name.endswith(".html") else output_content
