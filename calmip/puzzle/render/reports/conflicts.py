"""The report of explain: the conflict of an instance or a model, and the least changes."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

from calmip._base.errors import clip, join_words
from calmip.mip.display import describe_number
from calmip.mip.status import Status
from calmip.puzzle.render.report import (
    Block,
    DataTable,
    Document,
    Drawing,
    Output,
    forms_from,
)
from calmip.puzzle.render.reports.relaxations import cover_certificate, row_certificate
from calmip.puzzle.render.text import draw_position, point_text, row_text, safe_name
from calmip.puzzle.tasks.problems import InstanceProblem, ModelProblem, Problem, per_kind

if TYPE_CHECKING:
    from calmip.mip.iis.subsystem import Subsystem
    from calmip.mip.model import Model
    from calmip.mip.rows import Number
    from calmip.puzzle.tasks.explain import Explanation
    from calmip.puzzle.tasks.problems import PerKind

LARGE_CONFLICT_ROWS = 30
"""A conflict of more rows than this is of little help to a reader."""

MAX_LISTED_ROWS = 20
"""The most witnesses and changed rows that a report lists; JSON has all."""


def conflict(found: Explanation) -> Document:
    """Return the conflict: a board with its equations, or the rows of a model, and the proof."""
    blocks = _conflict(found.problem, found)
    return Document(f"{safe_name(found.title)}: conflict", [*blocks])


_conflict: PerKind[Iterator[Block]] = per_kind()
"""Yield the conflict of a problem."""


@_conflict.register(InstanceProblem)
def _conflict_of_equations(_: Problem, found: Explanation) -> Iterator[Block]:
    cover, conflict, items = found.cover, found.conflict, found.items
    instance = found.instance
    title = found.problem.heading
    if instance.placed:
        title += f" with {join_words([one.piece for one in instance.placed])} placed"
    if conflict is None:
        unknown = "the time limit was reached before it was known whether there is a tiling"
        feasible = found.status is Status.FEASIBLE
        yield f"{title}: {'there is a tiling, so no conflict to explain' if feasible else unknown}"
        return
    one = len(items) == 1
    yield Drawing(lambda style: draw_position(instance, style, marked=found.cells))
    yield (
        f"{title}: there is no tiling; {'one equation' if one else f'{len(items)} equations'} of "
        f"{cover.rows} cannot hold{'' if one else ' together'}:"
    )
    yield from _items(found)
    if not conflict.irreducible:
        yield "the time limit was reached before the set was shown to be irreducible"
    elif not one:
        yield "irreducible: remove any one of them and the others can be satisfied"
    elif items[0].kind == "cell":
        yield "no placement covers this cell"
    if conflict.certificate is not None and not one:
        yield from cover_certificate(cover, conflict.certificate)


def _items(found: Explanation) -> list[str]:
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
            verbs = {"piece": "used", "group": "decided", "left": "counted", "order": "stated"}
            times = "once" if item.demand == 1 else f"{item.demand} times"
            verb = verbs[item.kind]
            text = item.text.removeprefix(f"{item.kind} ")
            if item.demand > 4:
                text = f"{text.partition(' = ')[0]} and those equal to it"
            named.setdefault(f"  {verb} {times}: ", []).append(text)
    return [*lines, *(verb + ", ".join(texts) for verb, texts in named.items())]


@_conflict.register(ModelProblem)
def _conflict_of_rows(_: Problem, found: Explanation) -> Iterator[Block]:
    title = safe_name(found.model.title)
    if not found.subsystems:
        yield from _without_conflict(found, title)
        return
    several = len(found.subsystems) > 1
    for number, one in enumerate(found.subsystems, start=1):
        if several:
            yield "" if number > 1 else f"{title}: {len(found.subsystems)} disjoint conflicts"
        yield from _subsystem(found, one, f"conflict {number}" if several else title)
    if not found.kept_alone and (several or (found.complete and found.point is not None)):
        rest = "the other rows are feasible together"
        yield rest if found.complete else f"it is not known whether {rest}"
    yield from _repairs(found)
    if found.repairs is None and any(
        len(one.numbers("row")) > LARGE_CONFLICT_ROWS for one in found.subsystems
    ):
        yield (
            f"a conflict of more than {LARGE_CONFLICT_ROWS} rows explains little; --repair shows "
            "the least change that makes the model feasible"
        )


def _without_conflict(found: Explanation, title: str) -> Iterator[Block]:
    if found.point is None:
        yield (
            f"{title}: the time limit was reached before it was known whether there is a solution"
        )
        return
    yield f"{title}: feasible, so there is no conflict to explain; a solution, checked exactly:"
    yield point_text(found.model, found.point)
    if found.ray is not None:
        yield "the objective is unbounded: it improves for ever along the ray"
        yield point_text(found.model, found.ray)


def _subsystem(found: Explanation, one: Subsystem, title: str) -> Iterator[Block]:
    model, rows, names = found.model, found.rows_of(one), found.groups_of(one)
    every = model.own_rows + (0 if model.logic is None else len(model.logic.constructs))
    what = "rows" if model.logic is None else "rows and constructs"
    size = f"{len(rows)} of {every} {what}" if len(rows) != 1 else "one row"
    if names:
        number = len(names)
        single = len(one.numbers("row")) - number
        size = f"{number} group{'s' * (number > 1)}"
        size += f" and {single} row{'s' * (single > 1)}" if single else ""
        size += f" ({len(rows)} of {every} {what})"
    some = len(one.members) - len(one.numbers("row"))
    more = f" with {some} bounds and integralities" if some > 1 else ""
    state = "infeasible" if one.proof else "infeasible as HiGHS says"
    verb = "cannot hold" if len(one.members) == 1 else "cannot hold together"
    if found.kept_alone:
        state += "; the rows to keep conflict without any other"
    elif found.kept:
        number = len(found.named(found.kept))
        verb += f" beside the {f'{number} {what}' if number > 1 else 'row'} to keep"
    if not rows:
        size, more = "bounds of columns", ""
    yield f"{title}: {state}; {size}{more} {verb}:"
    for first in one.numbers("row"):
        if first not in names:
            yield f"  {row_text(model, first)}"
            continue
        group = found.named(one.groups[first])
        yield f"  group {safe_name(names[first])}, {len(group)} row{'s' * (len(group) > 1)}:"
        yield from (f"    {row_text(model, row)}" for row in group[:MAX_LISTED_ROWS])
        if len(group) > MAX_LISTED_ROWS:
            yield f"    and {len(group) - MAX_LISTED_ROWS} more"
    bounds = _bounds(model, one)
    if bounds:
        yield f"  bounds: {', '.join(bounds)}"
    integer = [safe_name(model.columns[column]) for column in one.numbers("integer")]
    if integer:
        yield f"  integer: {' '.join(integer)}"
    elif one.certificate is not None and any(model.integer):
        yield "integrality plays no part: the linear relaxation is infeasible"
    yield from _irreducible(one)
    if one.least:
        what = "rows and groups" if found.groups else "rows"
        whose = " of the rows to keep" if found.kept_alone else ""
        least = f"has fewer {what}" if one.smallest else f"has at least {one.least} {what}"
        yield f"{'no' if one.smallest else 'every'} conflict{whose} {least} (proved)"
    yield from _proof(model, one)
    yield from _witnesses(found, one)


def _irreducible(one: Subsystem) -> Iterator[str]:
    if one.irreducible and len(one.members) > 1:
        yield "irreducible: remove any one of them and the others can be satisfied"
    elif not one.irreducible and one.rows_irreducible and one.proof:
        yield (
            "the rows are irreducible if all bounds and integrality are given: remove any one row "
            "and the others can be satisfied; some of the bounds listed may be superfluous"
        )
    elif not one.irreducible:
        yield "the search ended before the set was shown to be irreducible"


def _bounds(model: Model, one: Subsystem) -> list[str]:
    """Return the bounds of columns in a subsystem, both of a column in one text."""
    sides: dict[int, dict[str, str]] = {}
    for member in one.members:
        if member.kind in ("lower", "upper"):
            bound = model.bounds(member.number)[member.kind == "upper"]
            sides.setdefault(member.number, {})[member.kind] = _number(bound)
    return [
        (f"{of['lower']} <= " if "lower" in of and "upper" in of else "")
        + safe_name(model.columns[column])
        + (f" <= {of['upper']}" if "upper" in of else f" >= {of['lower']}")
        for column, of in sides.items()
    ]


def _proof(model: Model, one: Subsystem) -> Iterator[str]:
    if one.certificate is not None and model.logic is not None:
        yield "proved infeasible by a Farkas certificate of the rows that linearise them"
    elif one.certificate is not None:
        yield from row_certificate(model, one.certificate, {})
    elif one.proof == "bounds":
        yield "the bounds contradict each other"
    elif one.proved:
        yield "proved infeasible by an exact search"
    elif one.proof:
        yield (
            "with all bounds and integrality, an exact search proves it; that the listed ones "
            "suffice is HiGHS's claim, unverified"
        )
    else:
        yield "unverified: HiGHS says that these are infeasible, and no exact search has proved it"


def _witnesses(found: Explanation, one: Subsystem) -> Iterator[Block]:
    """Yield a table with a solution of the others for each member, unless there are many."""
    if not 1 < len(one.members) <= MAX_LISTED_ROWS or not one.irreducible:
        return
    rows = []
    used = {c for row in {*one.rows, *found.kept} for c in found.model.exact_row(row)[0]}
    used |= {member.number for member in one.members if member.kind != "row"}
    for member in one.members:
        name = safe_name(found.name_of(one, member))
        kind = {"row": "", "integer": "integer "}.get(member.kind, f"{member.kind} bound of ")
        values = one.witnesses[member]
        point = {c: values[c] for c in sorted(used) if c in values}
        rows.append((f"{kind}{name}", clip(point_text(found.model, point), 100)))
    yield ""
    yield DataTable(("without", "the others hold at"), rows, left=(0, 1), indent="  ")


def _repairs(found: Explanation) -> Iterator[Block]:
    """Yield a table of the least changes that make the model feasible."""
    if found.repairs is None:
        return
    yield ""
    if not found.repairs:
        yield "no change of the rows that makes the model feasible was found"
        return
    rows = []
    for one in found.repairs:
        changes = [
            f"{safe_name(found.rows[row])} {'+' if size > 0 else ''}{_number(size)}"
            for row, size in sorted(one.changes.items())
        ]
        rest = len(changes) - MAX_LISTED_ROWS
        text = ", ".join(changes[:MAX_LISTED_ROWS]) + (f" and {rest} more" if rest > 0 else "")
        fewest = " (fewest)" if one.fewest else ""
        known = "proved" if one.proved else "found"
        rows.append((f"{len(changes)}{fewest}", _number(one.cost), known, text))
    total = "weighted sum" if found.penalties else "sum of changes"
    yield DataTable(
        ("rows", total, "least", "upper sides rise by +, lower sides fall by -"),
        rows,
        "least changes that make the model feasible:",
        left=(2, 3),
        indent="  ",
    )


def _number(value: Number | float) -> str:
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return str(describe_number(value))  # type: ignore[arg-type]


EXPLANATION = Output(forms_from(conflict))
