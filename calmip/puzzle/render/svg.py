"""Pictures as SVG, version 1.1, in text that depends on the picture alone.

The result is one element that stands as a file of its own (`svg_file`) or in an
HTML page. It carries no identifiers, scripts or references, so several
may stand in one page.
"""

from __future__ import annotations

from collections.abc import Sequence

from calmip.puzzle.render.escaping import xml_text
from calmip.puzzle.render.outline import Loop
from calmip.puzzle.render.palette import AUTO, THEMES, check_theme, colour
from calmip.puzzle.render.picture import Area, Mark, Picture, Words, box

FONTS = "'Helvetica Neue', Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif"


def svg_of(picture: Picture, *, theme: str = AUTO) -> str:
    """Return a picture as an SVG element; raise `InputError` if the theme is unknown.

    The theme ``auto`` is dark where the viewer's system asks for it.
    """
    check_theme(theme)
    title = xml_text(picture.title)
    names = ' class="calmip-auto"' if theme == AUTO else ""
    width, height = picture.width, picture.height
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" version="1.1"{names} role="img" '
        f'aria-label="{title}" width="{number(width * picture.cell)}" '
        f'height="{number(height * picture.cell)}" viewBox="0 0 {number(width)} {number(height)}">',
        f"<title>{title}</title>",
        f"<desc>{xml_text(picture.description)}</desc>",
        *([f"<style>{_dark_rules(picture)}</style>"] if theme == AUTO else []),
        _mark(Area((box(0, 0, width, height),), "paper"), theme),
        f'<g font-family="{FONTS}" text-anchor="middle" stroke-linejoin="round" '
        'fill-rule="evenodd">',
        *(_mark(mark, theme) for mark in picture.marks),
        "</g>",
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def svg_file(picture: Picture, *, theme: str = AUTO) -> str:
    """Return a picture as a whole SVG document."""
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{svg_of(picture, theme=theme)}'


def _dark_rules(picture: Picture) -> str:
    """Return the style sheet that darkens a picture on dark screens, not on paper."""
    light, dark = THEMES["light"], THEMES["dark"]
    rules = [
        f".calmip-auto .f-{role}{{fill:{shade}}}"
        for role, shade in dark.items()
        if shade != light[role]
    ]
    inked = any(isinstance(mark, Area) and mark.stroke == "ink" for mark in picture.marks)
    strokes = ("line", "quiet", "ink") if inked else ("line", "quiet")
    rules += [f".calmip-auto .s-{role}{{stroke:{dark[role]}}}" for role in strokes]
    return f"@media screen and (prefers-color-scheme:dark){{{''.join(rules)}}}"


def number(value: float, digits: int = 3) -> str:
    """Return a number with at most ``digits`` decimals and no superfluous characters."""
    text = f"{value:.{digits}f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def path_data(loops: Sequence[Loop], end: str = "Z") -> str:
    """Return polygons, closed unless the end is empty, in the language of the ``d`` attribute."""
    return "".join(
        "M" + "L".join(f"{number(x)} {number(y)}" for x, y in loop) + end for loop in loops
    )


def text_place(words: Words, digits: int = 3) -> str:
    """Return the attributes of a ``text`` element for its place and its height of type."""
    x, y, size = (number(value, digits) for value in (words.x, words.baseline, words.size))
    return f'x="{x}" y="{y}" font-size="{size}"'


def _mark(mark: Mark, theme: str) -> str:
    if isinstance(mark, Words):
        return _words(mark, theme)
    fill, stroke = mark.fill, mark.stroke
    roles = (("f", fill), ("s", stroke))
    names = [f"{kind}-{role}" for kind, role in roles if role and role[0] != "#"]
    parts = [f'd="{path_data(mark.loops, "Z" * mark.closed)}"']
    if theme == AUTO:
        parts.append(f'class="{" ".join(names)}"')
    parts.append(f'fill="{colour(fill, theme) if fill else "none"}"')
    if stroke:
        parts.append(f'stroke="{colour(stroke, theme)}" stroke-width="{number(mark.width)}"')
        if mark.dash:
            parts.append(f'stroke-dasharray="{" ".join(map(number, mark.dash))}"')
    return f"<path {' '.join(parts)}/>"


def _words(words: Words, theme: str) -> str:
    parts = [text_place(words)]
    if words.bold:
        parts.append('font-weight="bold"')
    if words.start:
        parts.append('text-anchor="start"')
    if words.end:
        parts.append('text-anchor="end"')
    if theme == AUTO:
        parts.append(f'class="f-{words.role}"')
    parts.append(f'fill="{colour(words.role, theme)}"')
    return f"<text {' '.join(parts)}>{xml_text(words.text)}</text>"
