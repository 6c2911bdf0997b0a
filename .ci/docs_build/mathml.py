"""Formulas become MathML before a site is built, so no page needs a script to show them."""

from __future__ import annotations

import re

from latex2mathml.converter import convert

CODE = re.compile(
    r"^ *(`{3,}).*?^ *\1`*$|(?<!`)(`+)(?!`).+?(?<!`)\2(?!`)", re.DOTALL | re.MULTILINE
)
"""Fenced blocks and code within a line, in which a dollar is a dollar."""

BLOCK = re.compile(r"^( *)\$\$(.+?)\$\$ *$", re.DOTALL | re.MULTILINE)
INLINE = re.compile(r"(?<![\\$])\$(?![\s$])((?:[^$\n]|\n(?! *\n))+?)(?<!\s)\$(?![\w$])")
UNKNOWN = re.compile(r"<m\w+>(\\\w+)")
MARKS = str.maketrans({mark: f"&#{ord(mark)};" for mark in r"*_|`\[]"})
"""What Markdown would read as its own in the text of a formula."""


def formulas(markdown: str, page: str) -> str:
    """Return a page in which `$...$` and `$$...$$` are MathML.

    Raises
    ------
    ValueError
        If a formula has a command that is not known.
    """
    parts, end = [], 0
    for code in CODE.finditer(markdown):
        parts += [_converted(markdown[end : code.start()], page), code.group()]
        end = code.end()
    return "".join([*parts, _converted(markdown[end:], page)])


def _converted(text: str, page: str) -> str:
    # On a phone a long formula scrolls by itself, not the page with it.
    text = BLOCK.sub(
        lambda found: f'{found[1]}<div class="formula">{_mathml(found[2], "block", page)}</div>',
        text,
    )
    return INLINE.sub(lambda found: _inline(found, page), text)


def _inline(found: re.Match[str], page: str) -> str:
    mathml = _mathml(found[1], "inline", page)
    begins = not found.string[: found.start()].rpartition("\n")[2].strip()
    # At the beginning of a line <math> would end the paragraph.
    return f"<span>{mathml}</span>" if begins else mathml


def _mathml(source: str, display: str, page: str) -> str:
    mathml = convert(" ".join(source.split()), display=display)
    unknown = UNKNOWN.search(mathml)
    if unknown:
        raise ValueError(f"{page}: unknown command {unknown[1]} in ${source}$")
    return re.sub(r">[^<]+<", lambda found: found.group().translate(MARKS), mathml)
