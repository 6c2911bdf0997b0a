"""A report as data: a title and lines, tables and drawings, and one writer for each form.

What the HTML pages have in common is here as well: one file, no network, light and dark.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from calmip.render.characters import PLAIN, Style, aligned
from calmip.render.escaping import markdown_text, xml_text
from calmip.render.palette import AUTO, THEMES, checked_theme

if TYPE_CHECKING:
    from calmip.render.picture import Picture

__all__ = [
    "Block",
    "DataTable",
    "Document",
    "Drawing",
    "as_markdown",
    "as_page",
    "as_text",
    "page",
    "svg_by",
    "table",
]


@dataclass(frozen=True)
class DataTable:
    """Rows of equally many texts.

    Parameters
    ----------
    head
        The texts above the columns; empty for none.
    rows
        The texts of each row.
    title, note
        What stands above and below.
    left
        The columns, counted from 0, that hold words; the others hold numbers.
    indent
        What stands before each line of the text.
    """

    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    title: str = ""
    note: str = ""
    left: Collection[int] = (0,)
    indent: str = ""


@dataclass(frozen=True)
class Drawing:
    """Something drawn: with characters in a text, as an SVG element on a page; each is optional."""

    text: Callable[[Style], str] | None = None
    svg: Callable[[str], str] | None = None
    title: str = ""


Block = str | DataTable | Drawing


@dataclass(frozen=True)
class Document:
    """A report: a title and blocks. Only a text has the empty lines, and it has no title.

    Parameters
    ----------
    title
        The heading of Markdown and of a page.
    blocks
        Lines, tables and drawings.
    style
        More rules for a page.
    """

    title: str
    blocks: Sequence[Block]
    style: str = ""


def svg_by(picture: Callable[[], Picture]) -> Callable[[str], str]:
    """Return what makes the SVG element of a picture, for a `Drawing`."""

    def svg(theme: str) -> str:
        from calmip.render.svg import svg_of

        return svg_of(picture(), theme=theme)

    return svg


def as_text(report: Document, style: Style = PLAIN) -> str:
    """Return a report as a text for a terminal."""
    lines: list[str] = []
    for block in report.blocks:
        if isinstance(block, str):
            lines.append(block)
        elif isinstance(block, DataTable):
            rows = [*([block.head] if block.head else ()), *block.rows]
            lines += [block.title] if block.title else []
            lines += aligned(rows, left=block.left, indent=block.indent)
            lines += [f"{block.indent}{block.note}"] if block.note else []
        elif block.text is not None:
            lines += [*([block.title] if block.title else ()), block.text(style)]
    return "\n".join(lines) + "\n"


def as_markdown(report: Document) -> str:
    """Return a report as Markdown."""
    lines = [f"# {markdown_text(report.title)}", ""]
    for block in report.blocks:
        if isinstance(block, str):
            lines += [f"* {markdown_text(block.strip())}"] if block.strip() else []
            continue
        if isinstance(block, Drawing) and block.text is None:
            continue
        lines += [""] if lines[-1] else []
        lines += [f"## {markdown_text(block.title)}", ""] if block.title else []
        if isinstance(block, DataTable):
            lines += _tabled(block)
        elif block.text is not None:
            drawn = block.text(PLAIN)
            fence = "`" * max(3, 1 + max(map(len, re.findall("`*", drawn))))
            lines += [f"{fence}text", drawn, fence, ""]
    return "\n".join(lines).rstrip() + "\n"


def _tabled(block: DataTable) -> list[str]:
    head = block.head or [""] * len(block.rows[0])
    marks = ["---" if place in block.left else "---:" for place in range(len(head))]
    rows = [map(markdown_text, head), marks, *(map(markdown_text, row) for row in block.rows)]
    lines = [f"| {' | '.join(row)} |" for row in rows]
    return [*lines, "", *([markdown_text(block.note), ""] if block.note else [])]


def as_page(report: Document, theme: str = AUTO) -> str:
    """Return a report as a page that needs nothing from elsewhere.

    Raises
    ------
    InputError
        If the theme is unknown.
    """
    body = [f"<h1>{xml_text(report.title)}</h1>"]
    for block in report.blocks:
        if isinstance(block, str):
            body += [f"<p>{xml_text(block.strip())}</p>"] if block.strip() else []
            continue
        body += [f"<h2>{xml_text(block.title)}</h2>"] if block.title else []
        if isinstance(block, DataTable):
            body += ['<div class="scroll">', table(block.head, block.rows), "</div>"]
            body += [f'<p class="quiet">{xml_text(block.note)}</p>'] if block.note else []
        elif block.svg is not None:
            body += ['<div class="scroll">', block.svg(theme), "</div>"]
        elif block.text is not None:
            escaped = "\n".join(map(xml_text, block.text(PLAIN).splitlines()))
            body.append(f"<pre>{escaped}</pre>")
    return page(report.title, body, theme=theme, style=report.style)


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

    Raises
    ------
    InputError
        If the theme is unknown.
    """
    first = "light" if checked_theme(theme) == AUTO else theme
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
    lines = [f"<table>{f'<thead><tr>{head}</tr></thead>' if head else ''}<tbody>"]
    for first, *others in rows:
        cells = "".join(f"<td>{xml_text(str(value))}</td>" for value in others)
        lines.append(f'<tr><th scope="row">{xml_text(str(first))}</th>{cells}</tr>')
    lines.append("</tbody></table>")
    return "\n".join(lines)
