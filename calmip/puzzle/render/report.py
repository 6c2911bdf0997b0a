"""A report as data: a title and lines, tables and drawings, and one writer for each form.

What the HTML pages have in common is here as well: one file, no network, light and dark.
"""

from __future__ import annotations

import base64
import math
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from calmip._base.errors import InputError, clip
from calmip.mip.display import PAPER
from calmip.puzzle.documents.serialise import json_text
from calmip.puzzle.render.characters import PLAIN, Style, align
from calmip.puzzle.render.escaping import latex_text, markdown_text, xml_text
from calmip.puzzle.render.palette import AUTO, THEMES, check_theme

if TYPE_CHECKING:
    from calmip.puzzle.render.picture import Picture
    from calmip.puzzle.tasks.results import Result
    from calmip.puzzle.tiling import Tiling

__all__ = [
    "DEFAULT",
    "PICTURES",
    "WIDTH",
    "Block",
    "DataTable",
    "Document",
    "Drawing",
    "Forms",
    "Markup",
    "Output",
    "Paragraph",
    "Plain",
    "as_element",
    "as_json",
    "as_latex",
    "as_markdown",
    "as_page",
    "as_text",
    "draw",
    "draw_tilings",
    "forms_from",
    "hash_of",
    "page",
    "svg_by",
    "table",
    "with_images",
]


WIDTH = 80
"""Columns of a terminal."""


class DataTable(NamedTuple):
    """Rows of equally many texts, with a head, or none, and a title above and a note below.

    The columns ``left``, counted from 0, hold words, the others numbers. The indent stands
    before each line of a text.
    """

    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    title: str = ""
    note: str = ""
    left: Collection[int] = (0,)
    indent: str = ""


class Drawing(NamedTuple):
    """Something drawn: with characters in a text, as an SVG element on a page; each is optional."""

    text: Callable[[Style], str] | None = None
    svg: Callable[[str], str] | None = None
    title: str = ""


class Paragraph(NamedTuple):
    """Words that a text wraps to a terminal's width; there it has ``first`` and ``further`` before.

    The first line has the one, the others have the other. Addresses stay in one piece.
    """

    words: str
    first: str = ""
    further: str = ""


class Markup(NamedTuple):
    """Markup that a page has, given the theme, where a text has other blocks, or nothing."""

    page: Callable[[str], str]
    text: Sequence[Plain] = ()


Plain = str | DataTable | Drawing | Paragraph
Block = Plain | Markup


class Document(NamedTuple):
    """A report: a title, and lines, tables and drawings; a page may have CSS rules and a script.

    Only a text has the empty lines, and it has no title. A page may load itself again after so many
    seconds, and says its language.
    """

    title: str
    blocks: Sequence[Block]
    style: str = ""
    script: str = ""
    refresh: float = 0.0
    language: str = "en"


PICTURES = ("svg", "png", "pdf")
"""The formats, by their suffixes."""

Forms = Mapping[str, Callable[..., str | bytes | tuple[bytes, ...]]]
"""The functions that make the forms of a result; several files are a tuple.

Each takes the result, and by name what it asks for of the form, the theme of pictures and pages,
the style of a text, and the paper of a PDF.
"""


class Output(NamedTuple):
    """How the results of one type are written.

    Attributes
    ----------
    forms
        The forms in the order of the command's help; the first is what the command prints.
    notes, picture_notes, sizes
        Lines for stderr: always, beside a picture, and with ``--verbose``.
    step
        The line for a step of the work.
    file
        What ``-o`` writes where the result itself is printed, its suffixes, and what makes it.
    aside
        Whether the text goes to stderr, as the result is what the task has written.
    """

    forms: Forms
    notes: Callable[[Any], Iterable[str]] = lambda _: ()
    picture_notes: Callable[[Any], Iterable[str]] = lambda _: ()
    sizes: Callable[[Any], Iterable[str]] = lambda _: ()
    step: Callable[[Any], str] | None = None
    file: tuple[str, Sequence[str], Callable[[Any], str]] | None = None
    aside: bool = False


def svg_by(picture: Callable[[], Picture]) -> Callable[[str], str]:
    """Return a function that makes the SVG element of a picture, for a `Drawing`."""

    def svg(theme: str) -> str:
        from calmip.puzzle.render.svg import svg_of

        return svg_of(picture(), theme=theme)

    return svg


def as_text(report: Document, style: Style = PLAIN) -> str:
    """Return a report as a text for a terminal."""
    lines: list[str] = []
    for block in _without_markup(report):
        if isinstance(block, str):
            lines.append(block)
        elif isinstance(block, Paragraph):
            lines += _wrap(clip(block.words, 10_000), block.first, block.further)
        elif isinstance(block, DataTable):
            rows = [*([block.head] if block.head else ()), *block.rows]
            lines += [block.title] if block.title else []
            lines += align(rows, left=block.left, indent=block.indent)
            lines += [f"{block.indent}{block.note}"] if block.note else []
        elif block.text is not None:
            lines += [*([block.title] if block.title else ()), block.text(style)]
    return "\n".join(lines) + "\n"


def _without_markup(report: Document) -> Iterator[Plain]:
    """Yield the blocks of a text."""
    for block in report.blocks:
        yield from block.text if isinstance(block, Markup) else (block,)


def _line(block: str | Paragraph) -> str:
    """Return a line as Markdown and a page have it."""
    return (block if isinstance(block, str) else f"{block.first}{block.words}").strip()


def _wrap(text: str, first: str, further: str) -> list[str]:
    """Return a text wrapped to a terminal's width, addresses in one piece."""
    import textwrap

    return textwrap.wrap(
        text,
        WIDTH,
        initial_indent=first,
        subsequent_indent=further,
        break_long_words=False,
        break_on_hyphens=False,
    ) or [first.rstrip()]


def as_markdown(report: Document) -> str:
    """Return a report as Markdown."""
    lines = [f"# {markdown_text(report.title)}", ""]
    for block in _without_markup(report):
        if isinstance(block, str | Paragraph):
            words = _line(block)
            lines += [f"* {markdown_text(words)}"] if words else []
            continue
        if isinstance(block, Drawing) and block.text is None:
            continue
        lines += [""] if lines[-1] else []
        lines += [f"## {markdown_text(block.title)}", ""] if block.title else []
        if isinstance(block, DataTable):
            lines += _table_lines(block)
        elif block.text is not None:
            drawn = block.text(PLAIN)
            fence = "`" * max(3, 1 + max(map(len, re.findall("`*", drawn))))
            lines += [f"{fence}text", drawn, fence, ""]
    return "\n".join(lines).rstrip() + "\n"


def _table_lines(block: DataTable) -> list[str]:
    head = block.head or [""] * len(block.rows[0])
    marks = ["---" if place in block.left else "---:" for place in range(len(head))]
    rows = [map(markdown_text, head), marks, *(map(markdown_text, row) for row in block.rows)]
    lines = [f"| {' | '.join(row)} |" for row in rows]
    return [*lines, "", *([markdown_text(block.note), ""] if block.note else [])]


def as_latex(report: Document) -> str:
    """Return the tables of a report for LaTeX with the package booktabs; its lines are comments."""
    lines = [f"% {clip(report.title, 200)}; needs the package booktabs"]
    for block in _without_markup(report):
        if isinstance(block, str | Paragraph):
            lines += [f"% {clip(_line(block), 1000)}"] if _line(block) else []
        elif isinstance(block, DataTable):
            lines += ["", *_latex_table(block)]
    return "\n".join(lines) + "\n"


def _latex_table(block: DataTable) -> list[str]:
    columns = range(len(block.head or block.rows[0]))

    def row(texts: Iterable[str]) -> str:
        return " & ".join(map(latex_text, texts)) + r" \\"

    return [
        r"\begin{table}",
        r"\centering",
        *([rf"\caption{{{latex_text(block.title)}}}"] if block.title else []),
        rf"\begin{{tabular}}{{{''.join('l' if n in block.left else 'r' for n in columns)}}}",
        r"\toprule",
        *([row(block.head), r"\midrule"] if block.head else []),
        *map(row, block.rows),
        r"\bottomrule",
        r"\end{tabular}",
        *([rf"\par\smallskip\footnotesize {latex_text(block.note)}"] if block.note else []),
        r"\end{table}",
    ]


def as_page(report: Document, theme: str = AUTO) -> str:
    """Return a report as a page that needs no other file; raise `InputError` for a wrong theme."""
    body = [f"<h1>{xml_text(report.title)}</h1>", *_elements(report, theme)]
    return page(
        report.title,
        body,
        theme=theme,
        style=report.style,
        script=report.script,
        refresh=report.refresh,
        language=report.language,
    )


def as_element(report: Document) -> str:
    """Return a report as an HTML element for a notebook, without its title.

    Its CSS rules hold within the element alone; words take the notebook's own colours. A picture
    is an image: JupyterLab removes SVG elements, not their words, until a notebook is trusted.
    """
    first = "<div>"
    if report.style:
        rules = f"{_variables('light')}--quiet:currentColor;--board:#8886;{report.style}"
        first = f'<div class="calmip-report">\n<style>.calmip-report{{{rules}}}</style>'
    # A notebook's own rules give it the letters of its text.
    pre = '<pre style="font-family:monospace">'
    elements = (one.replace("<pre>", pre) for one in _elements(report, AUTO))
    return with_images("\n".join([first, *elements, "</div>"]))


SVG = re.compile(r'<svg xmlns=[^>]*?aria-label="([^"]*)".*?</svg>', re.DOTALL)
"""A picture that stands by itself."""


def with_images(markup: str) -> str:
    """Return markup with an image for each picture, its title as the alternative text."""

    def image(found: re.Match[str]) -> str:
        encoded = base64.b64encode(found[0].encode()).decode()
        return f'<img alt="{found[1]}" src="data:image/svg+xml;base64,{encoded}"/>'

    return SVG.sub(image, markup)


def _elements(report: Document, theme: str) -> Iterator[str]:
    """Yield the HTML elements of the blocks."""
    for block in report.blocks:
        if isinstance(block, str | Paragraph):
            if words := _line(block):
                yield f"<p>{xml_text(words)}</p>"
            continue
        if isinstance(block, Markup):
            yield block.page(theme)
            continue
        if block.title:
            yield f"<h2>{xml_text(block.title)}</h2>"
        if isinstance(block, DataTable):
            yield '<div class="scroll">'
            yield table(block.head, block.rows, left=block.left)
            yield "</div>"
            if block.note:
                yield f'<p class="quiet">{xml_text(block.note)}</p>'
        elif block.svg is not None:
            yield f'<div class="scroll">\n{block.svg(theme)}\n</div>'
        elif block.text is not None:
            escaped = "\n".join(map(xml_text, block.text(PLAIN).splitlines()))
            yield f"<pre>{escaped}</pre>"


def as_json(result: Result) -> str:
    """Return the description of a result as a line of JSON."""
    return json_text(result.describe())


def forms_from(
    report: Callable[..., Document],
    picture: Callable[..., Picture] | None = None,
    **others: Callable[..., str | bytes],
) -> Forms:
    """Return the forms of a result from its `Document`, its picture if it has one, and others."""

    def text(result: Result, style: Style) -> str:
        """Return the report as a text for a terminal."""
        return as_text(report(result), style)

    def markdown(result: Result) -> str:
        """Return the report as Markdown."""
        return as_markdown(report(result))

    def page(result: Result, theme: str) -> str:
        """Return the report as a page."""
        return as_page(report(result), theme)

    def pictures(result: Result, form: str, theme: str) -> bytes:
        """Return the picture in a picture format."""
        assert picture is not None
        return draw(picture(result), form, theme)

    page.document = report  # type: ignore[attr-defined] # notebooks show it without a frame
    drawings: Forms = dict.fromkeys(PICTURES if picture else (), pictures)
    return {"text": text, "html": page, "md": markdown, "json": as_json, **drawings, **others}


def _description(result: Result) -> Document:
    """Return the description of a result as lines and tables, for a task without a report."""
    description = result.describe()
    blocks: list[Block] = []
    for key, value in description.items():
        if value and isinstance(value, list) and all(isinstance(one, dict) for one in value):
            head = list(dict.fromkeys(name for one in value for name in one))
            rows = [[_words(one.get(name)) for name in head] for one in value]
            texts = [n for n, name in enumerate(head) if isinstance(value[0].get(name), str)]
            blocks += ["", DataTable(head, rows, f"{key}:", left=texts)]
        else:
            blocks.append(clip(f"{key}: {_words(value)}", 1000))
    return Document(type(result).__name__, blocks)


def _words(value: Any) -> str:
    """Return a value of a description as people write it."""
    if isinstance(value, dict):
        return ", ".join(f"{key} {_words(one)}" for key, one in value.items())
    if isinstance(value, list):
        return ", ".join(map(_words, value)) or "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "-" if value is None else f"{value:,}" if isinstance(value, int) else str(value)


def draw_tilings(tilings: Callable[[Any], Sequence[Tiling]]) -> Forms:
    """Return the picture formats of a result that has tilings: one picture, or a sheet."""

    def pictures(result: Any, form: str, theme: str) -> bytes:
        """Return the tilings in a picture format; raise `InputError` if there is none."""
        every = tilings(result)
        if not every:
            raise InputError("there is no tiling to draw")
        from calmip.puzzle.render.tiles import sheet_pages, sheet_picture, tiling_picture

        if len(every) == 1:
            return draw(tiling_picture(every[0]), form, theme)
        if form == "pdf":
            from calmip.puzzle.render.paper import on_paper
            from calmip.puzzle.render.printing import MILLIMETRE, pdf_of

            pages = [on_paper(page, PAPER, across=False) for page in sheet_pages(every)]
            return pdf_of(pages, theme=theme, unit=MILLIMETRE)
        if form == "png":
            from calmip.puzzle.render.printing import png_of

            picture = sheet_picture(every)
            return png_of(picture, theme=theme, cell=picture.cell)
        return draw(sheet_picture(every), form, theme)

    return dict.fromkeys(PICTURES, pictures)


def draw(picture: Picture, form: str, theme: str) -> bytes:
    """Return a picture as a file of its format."""
    if form == "svg":
        from calmip.puzzle.render.svg import svg_file

        return svg_file(picture, theme=theme).encode()
    from calmip.puzzle.render.printing import pdf_of, png_of

    return pdf_of([picture], theme=theme) if form == "pdf" else png_of(picture, theme=theme)


DEFAULT = Output(forms_from(_description))
"""The report of a type that has none of its own."""


STYLE = """
body{margin:0 auto;padding:1.2rem;max-width:76rem;background:var(--paper);color:var(--ink);
font:16px/1.5 'Helvetica Neue',Helvetica,Arial,'Liberation Sans',sans-serif}
h1{font-size:1.6rem;margin:.2rem 0}h2{font-size:1.15rem;margin:1.6rem 0 .4rem}
svg{max-width:100%;height:auto}
table{border-collapse:collapse;font-variant-numeric:tabular-nums;font-size:.88rem}
th,td{padding:.12rem .5rem;text-align:right;border-bottom:1px solid var(--board)}
th.words,td.words{text-align:left}
th{color:var(--quiet);font-weight:600}
.scroll{overflow-x:auto}.scroll+.scroll{margin-top:1rem}
.quiet{color:var(--quiet)}
"""


def hash_of(text: str) -> str:
    """Return the source by which a content security policy allows a script or a style."""
    import hashlib  # loads a library, which only pages need

    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def page(
    title: str,
    body: Iterable[str],
    *,
    theme: str,
    style: str = "",
    script: str = "",
    refresh: float = 0.0,
    language: str = "en",
) -> str:
    """Return a whole page that needs no other file; raise `InputError` for a wrong theme.

    The body, more CSS rules and a script that runs at the end are trusted: callers escape what
    comes from files. The title is plain text. Only these style sheets, those of pictures in the
    body and this script are allowed; a ``style`` attribute has no effect.
    """
    check_theme(theme)
    first = "light" if theme == AUTO else theme
    rules = f":root{{color-scheme:{first};{_variables(first)}}}"
    if theme == AUTO:
        rules += (
            "@media screen and (prefers-color-scheme:dark){:root{color-scheme:dark;"
            f"{_variables('dark')}}}}}"
        )
    lines = list(body)
    own = f"{rules}{STYLE}{style}"
    sheets = [own, *re.findall(r"<style>(.*?)</style>", "\n".join(lines), re.DOTALL)]
    styles = " ".join(f"'{one}'" for one in dict.fromkeys(map(hash_of, sheets)))
    scripts = f"script-src '{hash_of(script)}'; " if script else ""
    parts = [
        "<!DOCTYPE html>",
        f'<html lang="{language}">',
        "<head>",
        '<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; '
        f'style-src {styles}; {scripts}img-src data:">',
        *([f'<meta http-equiv="refresh" content="{math.ceil(refresh)}">'] if refresh else []),
        f"<title>{xml_text(title)}</title>",
        f"<style>{own}</style>",
        "</head>",
        "<body>",
        *lines,
    ]
    if script:
        parts.append(f"<script>{script}</script>")
    parts += ["</body>", "</html>"]
    return "\n".join(parts) + "\n"


def _variables(theme: str) -> str:
    return "".join(f"--{role}:{shade};" for role, shade in THEMES[theme].items())


def table(
    header: Sequence[str], rows: Iterable[Sequence[object]], *, left: Collection[int] = ()
) -> str:
    """Return a table; the first cell of each row is its heading, all texts are escaped.

    The columns ``left``, counted from 0, hold words, which begin at the left.
    """

    def aligned(place: int) -> str:
        return ' class="words"' if place in left else ""

    head = "".join(
        f'<th scope="col"{aligned(place)}>{xml_text(text)}</th>'
        for place, text in enumerate(header)
    )
    lines = [f"<table>{f'<thead><tr>{head}</tr></thead>' if head else ''}<tbody>"]
    for first, *others in rows:
        cells = "".join(
            f"<td{aligned(place)}>{xml_text(str(value))}</td>"
            for place, value in enumerate(others, start=1)
        )
        lines.append(f'<tr><th scope="row"{aligned(0)}>{xml_text(str(first))}</th>{cells}</tr>')
    lines.append("</tbody></table>")
    return "\n".join(lines)
