"""What the HTML pages have in common: one file, no network, light and dark."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from calmip.render.escaping import xml_text
from calmip.render.palette import AUTO, THEMES

__all__ = ["page", "table"]

STYLE = """
body{margin:0 auto;padding:1.2rem;max-width:76rem;background:var(--paper);color:var(--ink);
font:16px/1.5 'Helvetica Neue',Helvetica,Arial,'Liberation Sans',sans-serif}
h1{font-size:1.6rem;margin:.2rem 0}h2{font-size:1.15rem;margin:1.6rem 0 .4rem}
svg{max-width:100%;height:auto}
table{border-collapse:collapse;font-variant-numeric:tabular-nums;font-size:.88rem}
th,td{padding:.12rem .5rem;text-align:right;border-bottom:1px solid var(--board)}
th{color:var(--quiet);font-weight:600}
.scroll{overflow-x:auto}
.quiet{color:var(--quiet)}
"""


def page(title: str, body: Iterable[str], *, theme: str, style: str = "", script: str = "") -> str:
    """Return a whole page that needs nothing from elsewhere.

    Parameters
    ----------
    title
        The title as plain text.
    body
        HTML, trusted: the callers escape what comes from files.
    theme
        ``light``, ``dark`` or ``auto``.
    style, script
        More rules, and a script that runs at the end.
    """
    first = "light" if theme == AUTO else theme
    rules = f":root{{color-scheme:{first};{_variables(first)}}}"
    if theme == AUTO:
        rules += (
            "@media screen and (prefers-color-scheme:dark){:root{color-scheme:dark;"
            f"{_variables('dark')}}}}}"
        )
    parts = [
        "<!DOCTYPE html>",
        '<html lang="en">',
        "<head>",
        '<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; '
        "style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:\">",
        f"<title>{xml_text(title)}</title>",
        f"<style>{rules}{STYLE}{style}</style>",
        "</head>",
        "<body>",
        *body,
    ]
    if script:
        parts.append(f"<script>{script}</script>")
    parts += ["</body>", "</html>"]
    return "\n".join(parts) + "\n"


def _variables(theme: str) -> str:
    return "".join(f"--{role}:{shade};" for role, shade in THEMES[theme].items())


def table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a table; the first cell of each row is its heading, all texts are escaped."""
    head = "".join(f'<th scope="col">{xml_text(text)}</th>' for text in header)
    lines = [f"<table><thead><tr>{head}</tr></thead><tbody>"]
    for first, *others in rows:
        cells = "".join(f"<td>{xml_text(str(value))}</td>" for value in others)
        lines.append(f'<tr><th scope="row">{xml_text(str(first))}</th>{cells}</tr>')
    lines.append("</tbody></table>")
    return "\n".join(lines)
