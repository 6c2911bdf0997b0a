"""What programs that read the site ask for first.

``llms.txt`` lists all pages in a sentence each (https://llmstxt.org), and ``robots.txt`` names the
map of the site.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

parts: list[Any] = []
"""The parts of the site, in order."""


def on_nav(nav: Any, **_: Any) -> Any:
    """Keep the order of the pages."""
    parts[:] = nav.items
    return nav


def on_post_build(config: Any, **_: Any) -> None:
    """Write both files beside the pages."""
    folder = Path(config["site_dir"])
    listed = [f"# {config['site_name']}", f"> {config['site_description']}"]
    for item in parts:
        listed.append(f"## {item.title}")
        listed.append("\n".join(entry(page) for page in pages_of(item)))
    (folder / "llms.txt").write_text("\n\n".join(listed) + "\n", encoding="utf-8")
    robots = f"User-agent: *\nAllow: /\nSitemap: {config['site_url']}sitemap.xml\n"
    (folder / "robots.txt").write_text(robots, encoding="utf-8")


def pages_of(item: Any) -> list[Any]:
    """Return the pages of a part of the site, in order."""
    if item.is_page:
        return [item]
    return [page for child in item.children or () for page in pages_of(child)]


def entry(page: Any) -> str:
    """Return the line of a page."""
    about = page.meta.get("description")
    return f"* [{page.title}]({page.canonical_url})" + (f": {about}" if about else "")
