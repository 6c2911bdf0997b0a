"""A conflict in words."""

from __future__ import annotations

from calmip.errors import listed
from calmip.problem.cover import ExactCover
from calmip.problem.status import Status
from calmip.render.report import Block, Document, Drawing
from calmip.render.reports import heading, made_of
from calmip.render.text import draw_position
from calmip.search.linear import Certificate
from calmip.tasks.explain import Explanation

__all__ = ["FORMS", "proof", "report"]


def report(found: Explanation) -> Document:
    """Return the board with the conflict marked, its equations, and the proof if there is one."""
    return Document(f"{found.instance.name}: what conflicts", _blocks(found))


def _blocks(found: Explanation) -> list[Block]:
    cover, conflict, items = found.cover, found.conflict, found.items
    instance = found.instance
    title = heading(instance)
    if instance.placed:
        title += f" with {listed([one.piece for one in instance.placed])} placed"
    if conflict is None:
        if found.status is Status.FEASIBLE:
            return [f"{title}: there is a tiling, so nothing to explain"]
        return [
            f"{title}: the time limit was reached before it was known whether there is a tiling"
        ]
    count = "one equation" if len(items) == 1 else f"{len(items)} equations"
    lines: list[Block] = [
        Drawing(lambda style: draw_position(instance, style, marked=found.cells)),
        f"{title}: there is no tiling; {count} of {cover.rows} "
        + ("cannot hold:" if len(items) == 1 else "cannot hold together:"),
    ]
    lines += _named(found)
    if not conflict.irreducible:
        lines.append("the time limit was reached before each of them was shown to be needed")
    elif len(items) > 1:
        lines.append("without any one of them the others can hold")
    elif items[0].kind == "cell":
        lines.append("nothing that fits on the board covers this cell")
    if conflict.certificate is not None and len(items) > 1:
        lines += proof(cover, conflict.certificate)
    return lines


def _named(found: Explanation) -> list[str]:
    """Return the items of a conflict in words, cells by their labels."""
    board = found.instance.puzzle.board
    cells = [
        label if len(board.labels.get(label, ())) == 1 else f"{label} ({r}, {c})"
        for r, c in found.cells
        for label in [board.label((r, c))]
    ]
    lines = [f"  covered once: {', '.join(cells)}"] if cells else []
    named: dict[str, list[str]] = {}
    for item in found.items:
        if item.kind != "cell":
            verb = "used" if item.kind == "piece" else "decided"
            times = "once" if item.demand == 1 else f"{item.demand} times"
            text = item.text.removeprefix(f"{item.kind} ")
            if item.demand > 4:
                text = f"{text.partition(' = ')[0]} and those equal to it"
            named.setdefault(f"  {verb} {times}: ", []).append(text)
    return [*lines, *(verb + ", ".join(texts) for verb, texts in named.items())]


def proof(cover: ExactCover, certificate: Certificate) -> list[str]:
    """Return the multipliers of a certificate with what they prove, equal ones on one line."""
    by_number: dict[str, list[str]] = {}
    for row in certificate.rows:
        number = certificate.multipliers[row]
        text = f"+{number}" if number > 0 else str(number)
        by_number.setdefault(text, []).append(cover.items[row].name)
    width = max(map(len, by_number))
    return [
        "",
        "Not even fractions of pieces would do. Multiply the equations by",
        *(f"  {number:>{width}}  {' '.join(names)}" for number, names in by_number.items()),
        "and add them up: every placement gets 0 or less, but the right-hand side is "
        f"{certificate.value(cover)} (verified in whole numbers).",
    ]


FORMS = made_of(report)
