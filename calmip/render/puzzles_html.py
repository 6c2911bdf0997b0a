"""All puzzles on one HTML page, each with its board and pieces: find the box you own."""

from __future__ import annotations

from collections.abc import Mapping

from calmip.problem.puzzle import Puzzle
from calmip.render.escaping import xml_text
from calmip.render.html import page
from calmip.render.palette import AUTO
from calmip.render.svg import svg_of
from calmip.render.tiles import puzzle_picture

__all__ = ["puzzles_page"]

STYLE = """
.boxes{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,18rem),1fr));gap:1.5rem}
.boxes section{border:1px solid var(--board);border-radius:.5rem;padding:.8rem;break-inside:avoid}
.boxes h2{font-size:1rem;margin:0}.boxes p{margin:.2rem 0;font-size:.88rem}
.boxes svg{display:block;width:100%;height:18rem}
code{background:var(--board);padding:.1rem .3rem;border-radius:.2rem}
code span{white-space:nowrap}
"""


def puzzles_page(puzzles: Mapping[str, Puzzle], *, theme: str = AUTO) -> str:
    """Return puzzles as a page that needs nothing from elsewhere and runs nothing.

    Parameters
    ----------
    puzzles
        Each puzzle under the name that commands take.
    theme
        ``light``, ``dark``, or ``auto``: dark where the viewer's system asks for it.

    Raises
    ------
    InputError
        If the theme is unknown.
    """
    body = ["<h1>Puzzles</h1>", '<div class="boxes">']
    for name, puzzle in puzzles.items():
        size = f"{len(puzzle.board.cells)} cells, {len(puzzle.pieces)} pieces"
        body += [
            f"<section><h2>{xml_text(puzzle.name)}</h2>",
            f"<p>{size}; uncovers {xml_text(', '.join(puzzle.groups) or 'nothing')}</p>",
            f"<p><code>calmip solve {xml_text(name)} <span>--date today</span></code></p>",
            svg_of(puzzle_picture(puzzle), theme=theme),
            "</section>",
        ]
    body.append("</div>")
    return page("Puzzles", body, theme=theme, style=STYLE)
