"""The reports of relax and tree: linear relaxations, certificates, branch-and-bound trees."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import islice
from typing import TYPE_CHECKING

from calmip._base.errors import join_words
from calmip.mip.status import Status
from calmip.puzzle.documents.serialise import csv_text
from calmip.puzzle.render.picture import (
    CELL,
    Area,
    Mark,
    Picture,
    Words,
    box,
    fit,
    shift,
    text_width,
)
from calmip.puzzle.render.report import (
    Block,
    DataTable,
    Document,
    Drawing,
    Output,
    forms_from,
    svg_by,
)
from calmip.puzzle.render.text import point_text, safe_name
from calmip.puzzle.render.tiles import day_picture, shares_picture
from calmip.puzzle.tasks.problems import InstanceProblem, ModelProblem, Problem, per_kind

if TYPE_CHECKING:
    from calmip.mip.lp.branching import Node, SearchedTree
    from calmip.mip.lp.linear import Certificate
    from calmip.mip.model import Model
    from calmip.mip.rows import Number
    from calmip.puzzle.cover import ExactCover
    from calmip.puzzle.render.outline import Loop
    from calmip.puzzle.tasks.problems import PerKind
    from calmip.puzzle.tasks.relax import Relaxation
    from calmip.puzzle.tasks.tree import Tree

# certificates


def cover_certificate(cover: ExactCover, certificate: Certificate) -> list[str]:
    """Return the multipliers of a certificate with what they prove, equal ones on one line."""
    names = [item.name for item in cover.items]
    return [
        *_multipliers(certificate, names, "infeasible, too. Multiply the equations"),
        "and add them: every placement has a coefficient of at most 0, but the right-hand side is "
        f"{certificate.value(cover)} (verified in exact arithmetic).",
    ]


def _multipliers(certificate: Certificate, names: Sequence[str], words: str) -> list[str]:
    """Return the multipliers with the names of their rows, equal ones on one line."""
    by_number: dict[str, list[str]] = {}
    for row in certificate.rows:
        number = certificate.multipliers[row]
        text = f"+{number}" if number > 0 else str(number)
        by_number.setdefault(text, []).append(safe_name(names[row]))
    width = max(map(len, by_number))
    return [
        "",
        f"Farkas certificate: the linear relaxation is {words} by",
        *(f"  {number:>{width}}  {' '.join(some)}" for number, some in by_number.items()),
    ]


# relax

MAX_LISTED_ENTRIES = 60
"""The most columns, or nodes of a tree, that a text lists; the other forms have all."""


def relaxation(found: Relaxation) -> Document:
    """Return the bound, the rounds, the columns, the shares of cells, and the prices."""
    title = f"{safe_name(found.title)}: linear relaxation"
    if not found.known:
        return Document(title, ["the time limit was reached before the relaxation was solved"])
    if found.point is None:
        return Document(title, [*_solves(found), *_infeasible(found)])
    values = sorted(found.values.items(), key=lambda one: (-one[1], one[0]))
    rows = [
        (safe_name(found.columns[option]), _number(value))
        for option, value in values[:MAX_LISTED_ENTRIES]
    ]
    rest = len(values) - MAX_LISTED_ENTRIES
    more = f"and {rest} more (--format csv has them all)" if rest > 0 else ""
    columns = DataTable((), rows, f"{len(values)} columns are not 0:", more, (0, 1), "  ")
    blocks: list[Block] = [*_solves(found), "", columns]
    if found.has_picture:
        drawn = svg_by(lambda: shares(found))
        blocks += ["", Drawing(lambda _: _shares(found), drawn, "shares of the cells:")]
    if found.has_objective:
        heading = (
            "dual prices of the rows:" if found.prices else "the dual prices of the rows are all 0"
        )
        blocks += ["", heading, *_prices(found)]
    return Document(title, blocks)


def _solves(found: Relaxation) -> list[str]:
    """Return the sizes and the result of every round, line by line."""
    title = safe_name(found.problem.heading)
    if found.fixed:
        names = [f"{safe_name(found.columns[o])} = {value}" for o, value in found.fixed.items()]
        title += f" with {join_words(names)}"
    size = f"{len(found.columns)} columns, {len(found.rows)} rows"
    late = ["time limit reached: the cuts are not all found and added"] * bool(
        found.stopped and found.point is not None
    )
    return [f"{title}: the linear relaxation ({size})", *_rounds(found), *late]


def _rounds(found: Relaxation) -> Iterator[str]:
    for number, one in enumerate(found.rounds):
        if one.bound is None:
            state = "infeasible"
        else:
            side = "at most" if found.maximises else "at least"
            bound = f"{side} {_number(one.bound)}" if found.has_objective else "feasible"
            state = f"{bound}, {_fractional(one.fractional)}"
        cuts = [f"{count} {family}" for family, count in one.cuts.items() if count]
        added = f"; adds {join_words(cuts)} cuts that it violates" if cuts else ""
        start = f"after {number} round{'s' if number > 1 else ''} of cuts: " if number else ""
        yield f"{start}{state}{added}"


def _fractional(columns: int) -> str:
    return f"{columns} columns fractional" if columns else "integral"


def _infeasible(found: Relaxation) -> list[str]:
    if found.status is not Status.INFEASIBLE:
        late = ", which the time limit has ended" if found.stopped else ""
        return [f"unverified: HiGHS finds it infeasible, without an exact proof{late}"]
    if found.cuts:
        return [
            f"infeasible with valid cuts, so there is no {found.what} (verified in exact "
            "arithmetic)"
        ]
    return _proof(found.problem, found)


_proof: PerKind[list[str]] = per_kind()
"""Return the proof that the relaxation of a problem is infeasible, line by line."""


@_proof.register(InstanceProblem)
def _(problem: InstanceProblem, found: Relaxation) -> list[str]:
    if found.certificate is None:
        return ["infeasible (verified in exact arithmetic)"]
    return cover_certificate(problem.cover, found.certificate)


@_proof.register(ModelProblem)
def _(problem: ModelProblem, found: Relaxation) -> list[str]:
    if found.certificate is None:
        return ["the bounds of a row or a column contradict each other"]
    return row_certificate(problem.model, found.certificate, found.fixed)


def row_certificate(
    model: Model, certificate: Certificate, fixed: Mapping[int, Number]
) -> list[str]:
    """Return the multipliers of rows of a model with what they prove, equal ones on one line."""
    from calmip.mip.lp.linear import sides_of

    sides = sides_of(model, certificate, fixed)
    assert sides is not None
    return [
        *_multipliers(certificate, model.rows, "infeasible. Multiply the rows"),
        "and add them: within the bounds of the columns the left-hand side is at least "
        f"{sides[0]}, but the right-hand side is at most {sides[1]} (verified in exact "
        "arithmetic).",
    ]


def _shares(found: Relaxation) -> str:
    board = found.instance.puzzle.board
    lines = []
    for (r, c), shares in found.shares().items():
        of = [f"{name or 'uncovered'} {_number(share)}" for name, share in shares]
        lines.append(f"  {board.label((r, c)):>4} ({r}, {c})  {', '.join(of) or 'nothing'}")
    return "\n".join(lines)


def _prices(found: Relaxation) -> list[str]:
    by_price: dict[float, list[str]] = {}
    for item, price in found.prices.items():
        by_price.setdefault(float(f"{price:.6g}"), []).append(safe_name(found.rows[item]))
    ordered = sorted(by_price.items(), key=lambda one: -one[0])
    lines = [f"  {_number(price):>7}  {' '.join(names)}" for price, names in ordered]
    costs = _reduced_costs(found)
    if costs:
        near = sorted(
            costs.items(), key=lambda one: (-one[1] if found.maximises else one[1], one[0])
        )[:5]
        names = [f"{safe_name(found.columns[option])} {_number(cost)}" for option, cost in near]
        lines.append(f"reduced costs, nearest to entering first: {join_words(names)}")
    return lines


def _reduced_costs(found: Relaxation) -> Mapping[int, float]:
    """Return the reduced costs of the columns that are 0."""
    values = found.values
    return {option: cost for option, cost in enumerate(found.reduced) if option not in values}


def columns_csv(found: Relaxation) -> str:
    """Return a header and a line per column and row: its value and its price."""
    rows: list[tuple[object, ...]] = []
    if found.point is not None:
        values, prices, items = found.values, found.prices, found.problem.items
        for option, (name, reduced) in enumerate(zip(found.columns, found.reduced, strict=True)):
            chosen = found.problem.describe_column(option)
            what = chosen.get("reveals") or chosen.get("placement", {}).get("piece", "")
            rows.append(("column", name, what, values.get(option, 0.0), reduced))
        activity = found.activities
        for number, name in enumerate(found.rows):
            item = items[number] if items else None
            text, value = (item.text, item.demand) if item else ("", activity[number])
            rows.append(("row", name, text, value, prices.get(number, 0.0)))
    return csv_text(("kind", "name", "what", "value", "price"), rows)


def _number(value: float) -> str:
    """Return a value as a fraction where it is a simple one."""
    near = Fraction(value).limit_denominator(60)
    if abs(near - value) <= 1e-7 * min(1.0, abs(value)):
        return str(near)
    return f"{value:.4f}" if abs(value) >= 0.01 else f"{value:.4g}"


def shares(found: Relaxation) -> Picture:
    """Return the board with the shares of each cell."""
    return shares_picture(found.instance, found.shares())


# tree

MAX_WIDTH_PIXELS = 2400
"""A picture is not made wider than this, as long as its words can be read when it is enlarged."""

PIXELS_PER_UNIT = 55.0
"""Pixels per unit of a tree on a page, which scrolls: numbers of nodes are 13 pixels high."""


def tree(found: Tree) -> Document:
    """Return the status of the nodes; in a text the first tree, on a page the picture of all."""
    drawing = Drawing(
        lambda _: "\n".join(_nodes(found, found.searches[0])),
        svg_by(lambda: replace(tree_picture(found), cell=PIXELS_PER_UNIT)),
    )
    title = f"{safe_name(found.title)}: branch and bound"
    if not found.known:
        return Document(
            title, ["the time limit was reached before the first relaxation was solved"]
        )
    style = ".scroll svg{max-width:none}"
    return Document(title, [*_searches(found), "", drawing], style)


def _searches(found: Tree) -> list[str]:
    """Return the order, the branching rule and the numbers of nodes of every tree."""
    width = max(len(f"{one.order}, {one.branching}") for one in found.searches)
    lines = [
        f"{f'{one.order}, {one.branching}':{width}}  {counts(one)}"
        + ("" if one.complete else " (limit reached)")
        for one in found.searches
    ]
    return [
        *lines,
        *["time limit reached: these trees are not all that was asked for"] * bool(found.stopped),
    ]


def _nodes(found: Tree, search: SearchedTree) -> Iterator[str]:
    for node, depth, _ in islice(_walk(search), MAX_LISTED_ENTRIES):
        name = safe_name(found.columns[node.column]) if node.column >= 0 else ""
        value = f"{name} = {node.value}: " if name else ""
        yield f"{'  ' * depth}{value}{_state(found, node)}"
    if len(search.nodes) > MAX_LISTED_ENTRIES:
        yield f"and {len(search.nodes) - MAX_LISTED_ENTRIES} nodes more; -o tree.svg draws them all"


def _walk(search: SearchedTree) -> Iterator[tuple[Node, int, list[Node]]]:
    """Yield each node with its depth and its children, those with the column at 1 first."""
    children: list[list[Node]] = [[] for _ in search.nodes]
    for node in search.nodes[1:]:
        children[node.parent].append(node)
    stack = [(search.nodes[0], 0)]
    while stack:
        node, depth = stack.pop()
        below = sorted(children[node.number], key=lambda child: child.value)
        yield node, depth, below
        stack += [(child, depth + 1) for child in below]


def _state(found: Tree, node: Node) -> str:
    if node.bound is None:
        return "infeasible"
    side = "at most" if found.maximises else "at least"
    bound = f"{side} {found.bound(node):.6g}, " if found.has_objective else ""
    state = bound + _fractional(node.fractional)
    if node.status == "solution":
        return f"{state}, {_leaf(found.problem, found, node)}"
    return state + {"bound": "; pruned by bound", "open": "; open"}.get(node.status, "")


_leaf: PerKind[str] = per_kind()
"""Return the solution at a leaf in words."""


@_leaf.register(InstanceProblem)
def _(_: Problem, found: Tree, node: Node) -> str:
    return "a tiling" if found.tiling(node) else "no tiling"


@_leaf.register(ModelProblem)
def _(_: Problem, found: Tree, node: Node) -> str:
    return f"a solution: {point_text(*found.solution(node))}"


LEAF_DISTANCE, LEVEL_DISTANCE = 1.15, 1.9
"""The distance of leaves, and of a node from its parent."""

NODE_WIDTH, NODE_HEIGHT = 0.96, 0.62
THUMBNAIL_WIDTH = 1.5
GAP, MARGIN, HEAD_HEIGHT = 1.5, 0.5, 1.5

# The status of a node -> the words for it, and the role of the colour.
STATES = {
    "branched": ("branched", "bare"),
    "infeasible": ("infeasible", "p3"),
    "bound": ("pruned by bound", "p9"),
    "solution": ("integral", "p0"),
    "open": ("open", "p1"),
}


def tree_picture(found: Tree) -> Picture:
    """Return the picture of the trees of an instance.

    A box has the number of a node and the optimum of its relaxation; below it is the branching
    column, which is 1 to the left and 0 to the right.
    """
    marks: list[Mark] = []
    right, deepest = MARGIN, 0.0
    for search in found.searches:
        width, height, drawn = _tree(found, search)
        words = [f"{search.order}, {search.branching}", counts(search)]
        width = max(width, *(0.36 * text_width(text) for text in words))
        for line, text in enumerate(words):
            marks.append(
                Words(right, MARGIN + 0.2 + 0.5 * line, text, 0.34, bold=not line, start=True)
            )
        marks += shift(drawn, right, MARGIN + HEAD_HEIGHT)
        right += width + GAP
        deepest = max(deepest, height)
    title = f"branch and bound on {safe_name(found.title)}"
    if found.problem.has_board:
        title = f"{found.instance.puzzle.name}: {title}"
    text = "; ".join(f"{one.order}, {one.branching}: {counts(one)}" for one in found.searches)
    width, height = right - GAP + MARGIN, deepest + HEAD_HEIGHT + 2 * MARGIN
    cell = max(CELL / 2, min(CELL, MAX_WIDTH_PIXELS / width))
    return Picture(width, height, tuple(marks), title, text, cell)


def counts(search: SearchedTree) -> str:
    """Return the nodes of a tree by their status."""
    number = len(search.nodes)
    parts = [
        f"{search.count(status)} {words}"
        for status, (words, _) in STATES.items()
        if search.count(status)
    ]
    return f"{number} node{'' if number == 1 else 's'}: {', '.join(parts)}"


def _tree(found: Tree, search: SearchedTree) -> tuple[float, float, list[Mark]]:
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
            line: Loop = ((above[0], above[1] + NODE_HEIGHT / 2 + 0.3), (x, y - NODE_HEIGHT / 2))
            edges.append(Area((line,), "", "quiet", 0.03))
            at = (line[0][0] * 0.3 + x * 0.7, line[0][1] * 0.3 + line[1][1] * 0.7)
            boxes.append(Area((_around(at, 0.22, 0.3),), "paper"))
            boxes.append(Words(*at, str(node.value), 0.26, "ink"))
        boxes += _box(found, node, (x, y), branched.get(node.number))
        lowest = max(lowest, y + NODE_HEIGHT / 2 + 0.3)
        tiling = found.tiling(node)
        if tiling is not None:
            leaf = day_picture(found.instance, tiling)
            scale = min(THUMBNAIL_WIDTH / leaf.width, THUMBNAIL_WIDTH / leaf.height)
            down = y + NODE_HEIGHT / 2 + 0.1
            boxes += shift(leaf.marks, x - leaf.width * scale / 2, down, scale)
            lowest = max(lowest, down + leaf.height * scale + 0.1)
    return max(x for x, _ in places) + THUMBNAIL_WIDTH / 2, lowest, [*edges, *boxes]


def _places(search: SearchedTree) -> list[tuple[float, float]]:
    """Return the middle of every node's box: leaves side by side, parents above their children."""
    places = [(0.0, 0.0)] * len(search.nodes)
    walk = list(_walk(search))
    at = 0.0
    for node, depth, below in walk:
        width = THUMBNAIL_WIDTH + 0.1 if node.status == "solution" else LEAF_DISTANCE
        places[node.number] = at + width / 2, NODE_HEIGHT / 2 + LEVEL_DISTANCE * depth
        at += 0 if below else width
    for node, _, below in reversed(walk):
        if below:
            x = sum(places[child.number][0] for child in below) / len(below)
            places[node.number] = x, places[node.number][1]
    return places


def _box(found: Tree, node: Node, place: tuple[float, float], branched: int | None) -> list[Mark]:
    """Return the marks of a node and, below it, the column that is branched on."""
    x, y = place
    marks: list[Mark] = [
        Area((_around(place, NODE_WIDTH, NODE_HEIGHT),), STATES[node.status][1], "line", 0.03)
    ]
    state = "infeasible"
    if node.bound is not None and found.has_objective:
        state = f"{found.bound(node):.4g}"
    elif node.bound is not None:
        state = f"{node.fractional} frac." if node.fractional else "integral"
    ink = "ink" if node.status == "branched" else "name"
    for text, size, down in ((str(node.number), 0.24, -0.13), (state, 0.2, 0.15)):
        short, fits = fit(text, NODE_WIDTH * 0.9, size, 0.08)
        marks.append(Words(x, y + down, short, fits, ink))
    if branched is not None:
        name = safe_name(found.columns[branched])
        text, size = fit(name, NODE_WIDTH * 1.1, 0.2, 0.1)
        at = (x, y + NODE_HEIGHT / 2 + 0.18)
        marks += [Area((_around(at, NODE_WIDTH, 0.24),), "paper"), Words(*at, text, size, "quiet")]
    return marks


def _around(place: tuple[float, float], width: float, height: float) -> Loop:
    return box(place[0] - width / 2, place[1] - height / 2, width, height)


RELAXATION = Output(forms_from(relaxation, shares, csv=columns_csv), picture_notes=_solves)
TREE = Output(forms_from(tree, tree_picture), picture_notes=_searches)
