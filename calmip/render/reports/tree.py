"""Branch-and-bound trees as a text, as pictures and as a page."""

from __future__ import annotations

from calmip.documents.description import json_text
from calmip.render.escaping import xml_text
from calmip.render.html import page
from calmip.render.palette import AUTO
from calmip.render.svg import CELL, svg_file, svg_of
from calmip.render.trees import counts, tree_picture
from calmip.search.branching import Node, TreeSearch
from calmip.tasks.tree import Tree

__all__ = ["FORMS", "data", "said", "text"]

FORMS = ("text", "json", "html", "svg", "png", "pdf")

PIXELS = 2400
"""A picture is not made wider than this, as long as its words can be read."""

MOST = 60
"""So many nodes of a tree are listed as a text at most."""


def data(found: Tree, form: str, theme: str = AUTO) -> bytes:
    """Return trees in one of `FORMS`.

    Raises
    ------
    InputError
        If the theme is unknown.
    SolverMissing
        If matplotlib is needed (PNG, PDF) and not installed.
    """
    if form in ("text", "json"):
        return (json_text(found.describe()) if form == "json" else text(found)).encode()
    picture = tree_picture(found)
    cell = max(CELL / 2, min(CELL, PIXELS / picture.width))
    if form == "html":
        title = f"{found.instance.name}: branch and bound"
        body = [
            f"<h1>{xml_text(title)}</h1>",
            *(f"<p>{xml_text(line)}</p>" for line in said(found)),
        ]
        svg = svg_of(picture, theme=theme, cell=cell)
        style = ".scroll svg{max-width:none}"
        return page(title, [*body, f'<div class="scroll">{svg}</div>'], theme=theme,
                    style=style).encode()  # fmt: skip
    if form == "svg":
        return svg_file(picture, theme=theme, cell=cell).encode()
    from calmip.render.printing import pdf_of, png_of

    return pdf_of([picture], theme=theme) if form == "pdf" else png_of(
        picture, theme=theme, cell=2 * cell)  # fmt: skip


def text(found: Tree) -> str:
    """Return what became of the nodes, and the first tree node by node."""
    lines = said(found)
    first = found.searches[0]
    lines += ["", *_nodes(found, first)]
    if len(first.nodes) > MOST:
        lines.append(f"and {len(first.nodes) - MOST} nodes more; -o tree.svg draws them all")
    return "\n".join(lines) + "\n"


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
