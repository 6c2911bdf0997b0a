"""Branch-and-bound trees as a text, as pictures and as a page.

A picture has one tree beside the other, tilings at the leaves.
"""

from __future__ import annotations

from functools import partial

from calmip.render.outline import Loop
from calmip.render.picture import Area, Mark, Picture, Words, fitted, moved, text_width
from calmip.render.picture_files import PICTURES
from calmip.render.report import Document, Drawing
from calmip.render.reports import made_of
from calmip.render.svg import CELL, svg_file, svg_of
from calmip.render.tiles import day_marks
from calmip.search.branching import Node, TreeSearch
from calmip.tasks.tree import Tree

__all__ = ["FATES", "FORMS", "counts", "report", "said", "tree_picture"]


PIXELS = 2400
"""A picture is not made wider than this, as long as its words can be read."""

MOST = 60
"""So many nodes of a tree are listed as a text at most."""


def report(found: Tree) -> Document:
    """Return what became of the nodes; in a text the first tree, on a page the picture of all."""
    drawing = Drawing(lambda _: "\n".join(_nodes(found, found.searches[0])), partial(_svg, found))
    title, style = f"{found.instance.name}: branch and bound", ".scroll svg{max-width:none}"
    return Document(title, [*said(found), "", drawing], style)


def _svg(found: Tree, theme: str) -> str:
    picture = tree_picture(found)
    return svg_of(picture, theme=theme, cell=_cell(picture))


def said(found: Tree) -> list[str]:
    """Return the way and the numbers of nodes of every tree, line by line."""
    width = max(len(f"{one.order}, {one.branching}") for one in found.searches)
    return [
        f"{f'{one.order}, {one.branching}':{width}}  {counts(one)}"
        + ("" if one.complete else " (a limit came first)")
        for one in found.searches
    ]


def _nodes(found: Tree, search: TreeSearch) -> list[str]:
    children: list[list[Node]] = [[] for _ in search.nodes]
    for node in search.nodes[1:]:
        children[node.parent].append(node)
    lines: list[str] = []
    stack = [(search.nodes[0], 0)]
    while stack and len(lines) < MOST:
        node, depth = stack.pop()
        name = (
            "" if node.column < 0 else f"{found.cover.option_names[node.column]} = {node.value}: "
        )
        lines.append(f"{'  ' * depth}{name}{_fate(found, node)}")
        # Those with the column at 1 first.
        below = sorted(children[node.number], key=lambda child: child.value)
        stack += [(child, depth + 1) for child in below]
    if len(search.nodes) > MOST:
        lines.append(f"and {len(search.nodes) - MOST} nodes more; -o tree.svg draws them all")
    return lines


def _fate(found: Tree, node: Node) -> str:
    if node.bound is None:
        return "no point"
    bound = f"at most {-node.bound + 0.0:.6g}, " if found.maximises else ""
    parts = f"{bound}{node.fractional} columns fractional" if node.fractional else (
        f"{bound}all columns whole")  # fmt: skip
    if node.fate == "solution":
        return f"{parts}, {'a tiling' if found.tiling(node) else 'no tiling'}"
    return parts + {"bound": "; closed by its bound", "open": "; open"}.get(node.fate, "")


STEP, DEEP = 1.15, 1.9
"""The distance of leaves, and of a node from its parent."""

WIDE, HIGH = 0.96, 0.62
THUMB = 1.5
GAP, MARGIN, HEAD = 1.5, 0.5, 1.5

# What becomes of nodes -> the words for it, and the role of the colour.
FATES = {
    "branched": ("branched", "bare"),
    "infeasible": ("without a point", "p3"),
    "bound": ("closed by the bound", "p9"),
    "solution": ("whole", "p0"),
    "open": ("open", "p1"),
}


def tree_picture(found: Tree) -> Picture:
    """Return the picture of the trees of an instance.

    A box has the number of a node in the order of its making and what its
    relaxation said; below it stands the column that is branched on, which is 1
    to the left and 0 to the right.
    """
    marks: list[Mark] = []
    right, deepest = MARGIN, 0.0
    for search in found.searches:
        width, height, drawn = _tree(found, search)
        words = [f"{search.order}, {search.branching}", counts(search)]
        width = max(width, *(0.36 * text_width(text) for text in words))
        for line, text in enumerate(words):
            marks.append(Words(right, MARGIN + 0.2 + 0.5 * line, text, 0.34, bold=not line,
                               start=True))  # fmt: skip
        marks += moved(drawn, right, MARGIN + HEAD)
        right += width + GAP
        deepest = max(deepest, height)
    title = f"{found.instance.puzzle.name}: branch and bound on {found.instance.name}"
    text = "; ".join(f"{one.order}, {one.branching}: {counts(one)}" for one in found.searches)
    return Picture(right - GAP + MARGIN, deepest + HEAD + 2 * MARGIN, tuple(marks), title, text)


def counts(search: TreeSearch) -> str:
    """Return how many nodes a tree has and what became of them."""
    number = len(search.nodes)
    parts = [f"{search.count(fate)} {words}" for fate, (words, _) in FATES.items()
             if search.count(fate)]  # fmt: skip
    return f"{number} node{'' if number == 1 else 's'}: {', '.join(parts)}"


def _tree(found: Tree, search: TreeSearch) -> tuple[float, float, list[Mark]]:
    """Return the width, the height and the marks of a tree."""
    places = _places(search)
    branched = {node.parent: node.column for node in search.nodes}
    edges: list[Mark] = []
    boxes: list[Mark] = []
    lowest = 0.0
    for node in search.nodes:
        x, y = places[node.number]
        if node.parent >= 0:
            above = places[node.parent]
            line: Loop = ((above[0], above[1] + HIGH / 2 + 0.3), (x, y - HIGH / 2))
            edges.append(Area((line,), "", "quiet", 0.03))
            at = (line[0][0] * 0.3 + x * 0.7, line[0][1] * 0.3 + line[1][1] * 0.7)
            boxes.append(Area((_box(at, 0.22, 0.3),), "paper"))
            boxes.append(Words(*at, str(node.value), 0.26, "ink"))
        boxes += _boxed(found, node, (x, y), branched.get(node.number))
        lowest = max(lowest, y + HIGH / 2 + 0.3)
        tiling = found.tiling(node)
        if tiling is not None:
            width, height, marks = day_marks(found.instance, tiling)
            scale = min(THUMB / width, THUMB / height)
            down = y + HIGH / 2 + 0.1
            boxes += moved(marks, x - width * scale / 2, down, scale)
            lowest = max(lowest, down + height * scale + 0.1)
    return max(x for x, _ in places) + THUMB / 2, lowest, [*edges, *boxes]


def _places(search: TreeSearch) -> list[tuple[float, float]]:
    """Return the middle of every node's box: leaves side by side, parents above their children."""
    children: list[list[int]] = [[] for _ in search.nodes]
    depth = [0] * len(search.nodes)
    for node in search.nodes[1:]:
        children[node.parent].append(node.number)
        depth[node.number] = depth[node.parent] + 1
    x = [0.0] * len(search.nodes)
    at = 0.0
    stack = [0]
    while stack:
        number = stack.pop()
        # On the left the child whose column is 1.
        stack += sorted(children[number], key=lambda child: search.nodes[child].value)
        if not children[number]:
            width = THUMB + 0.1 if search.nodes[number].fate == "solution" else STEP
            x[number] = at + width / 2
            at += width
    for node in reversed(search.nodes):
        if below := children[node.number]:
            x[node.number] = sum(x[child] for child in below) / len(below)
    return [(x[node.number], HIGH / 2 + DEEP * depth[node.number]) for node in search.nodes]


def _boxed(found: Tree, node: Node, place: tuple[float, float], branched: int | None) -> list[Mark]:
    """Return the marks of a node and, below it, the column that is branched on."""
    x, y = place
    marks: list[Mark] = [Area((_box(place, WIDE, HIGH),), FATES[node.fate][1], "line", 0.03)]
    if node.bound is None:
        said = "no point"
    elif found.maximises:
        said = f"{-node.bound + 0.0:.4g}"
    else:
        said = f"{node.fractional} parts" if node.fractional else "whole"
    ink = "ink" if node.fate == "branched" else "name"
    for text, size, down in ((str(node.number), 0.24, -0.13), (said, 0.2, 0.15)):
        short, fits = fitted(text, WIDE * 0.9, size, 0.08)
        marks.append(Words(x, y + down, short, fits, ink))
    if branched is not None:
        name = found.cover.option_names[branched]
        text, size = fitted(name, WIDE * 1.1, 0.2, 0.1)
        at = (x, y + HIGH / 2 + 0.18)
        marks += [Area((_box(at, WIDE, 0.24),), "paper"), Words(*at, text, size, "quiet")]
    return marks


def _box(place: tuple[float, float], width: float, height: float) -> Loop:
    (x, y), right, down = place, width / 2, height / 2
    return ((x - right, y - down), (x + right, y - down), (x + right, y + down),
            (x - right, y + down))  # fmt: skip


def pictures(found: Tree, form: str, theme: str) -> str | bytes:
    """Return the trees in a picture format.

    Raises
    ------
    InputError
        If the theme is unknown.
    SolverMissing
        If matplotlib is needed (PNG, PDF) and not installed.
    """
    picture = tree_picture(found)
    if form == "svg":
        return svg_file(picture, theme=theme, cell=_cell(picture))
    from calmip.render.printing import pdf_of, png_of

    if form == "pdf":
        return pdf_of([picture], theme=theme)
    return png_of(picture, theme=theme, cell=2 * _cell(picture))


def _cell(picture: Picture) -> float:
    """Return the pixels of a cell: as many as there are for a picture of the greatest width."""
    return max(CELL / 2, min(CELL, PIXELS / picture.width))


FORMS = {**made_of(report), **dict.fromkeys(PICTURES, pictures)}
