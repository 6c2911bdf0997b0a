"""The report on whether a solution is unique."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

from calmip.mip.display import describe_number
from calmip.mip.optima.ranges import Range, describe_bound
from calmip.mip.rows import Interval
from calmip.puzzle.documents.serialise import csv_text, number_cell
from calmip.puzzle.render.report import (
    Block,
    DataTable,
    Document,
    Drawing,
    Output,
    Paragraph,
    draw_tilings,
    forms_from,
    svg_by,
)
from calmip.puzzle.render.reports.enumerate import STOPPED, head, row
from calmip.puzzle.render.text import draw_tiling, point_text, safe_name
from calmip.puzzle.tasks.problems import InstanceProblem, ModelProblem, Problem, per_kind

if TYPE_CHECKING:
    from calmip.mip.optima.face import OptimalFace
    from calmip.mip.optima.ranges import Ranges
    from calmip.mip.optima.sensitivity import Sensitivity
    from calmip.mip.rows import Number
    from calmip.puzzle.render.picture import Picture
    from calmip.puzzle.tasks.problems import PerKind
    from calmip.puzzle.tasks.unique import Uniqueness
    from calmip.puzzle.tiling import Tiling


def uniqueness(found: Uniqueness) -> Document:
    """Return the solutions, and the sentence on them."""
    blocks = [*_shown(found.problem, found)]
    if found.ranges is not None:
        blocks += range_blocks(found.ranges)
    if found.face is not None:
        blocks += face_blocks(found.face)
    if found.sensitivity is not None:
        blocks += sensitivity_blocks(found.sensitivity)
    if found.unique is not None and found.stopped in STOPPED:
        blocks.append(f"{STOPPED[found.stopped]}: the list is not complete")
    status = f"{sentence(found)} ({found.method}, {found.seconds:.2f} s)"
    return Document(f"{found.title}: uniqueness", [*blocks, status])


def ranges(found: Ranges) -> Document:
    """Return the ranges of variables as a report."""
    return Document(f"{found.model.title}: ranges", range_blocks(found))


def face(found: OptimalFace) -> Document:
    """Return the optimal face as a report."""
    return Document(f"{found.model.title}: optimal face", face_blocks(found))


def sensitivity(found: Sensitivity) -> Document:
    """Return dual values and ranges as a report."""
    return Document(f"{found.model.title}: sensitivity", sensitivity_blocks(found))


def sensitivity_blocks(found: Sensitivity) -> list[Block]:
    """Return a table of the rows, one of the variables, and a sentence."""
    rows = [
        [name, *map(_cell, one)]
        for name, one in zip(map(safe_name, found.model.rows), found.rows, strict=True)
    ]
    columns = [
        [name, *map(_cell, one)]
        for name, one in zip(map(safe_name, found.model.columns), found.columns, strict=True)
    ]
    heads = ("row", "activity", "dual value", "lower side", "upper side")
    return [
        DataTable(heads, rows, left=(0,)),
        DataTable(("variable", "value", "reduced cost", "cost"), columns, left=(0,)),
        f"{found}",
    ]


def _cell(value: Number | Interval | None) -> str:
    """Return a number or an interval in a table."""
    if isinstance(value, Interval):
        low, high = map(describe_bound, value)
        return f"{low}" if low == high else f"{low} to {high}"
    return "" if value is None else f"{describe_bound(value)}"


def face_blocks(found: OptimalFace) -> list[Block]:
    """Return the vertices, rays and lines of a face, and a sentence on it."""
    model = found.model
    parts = (("vertex", found.vertices), ("ray", found.rays), ("line", found.lines))
    return [
        *(
            f"{what} {number}: {point_text(model, point)}"
            for what, points in parts
            for number, point in enumerate(points, start=1)
        ),
        f"{found}",
    ]


def range_blocks(found: Ranges) -> list[Block]:
    """Return the variables that are fixed, those that are never used, and the other ranges."""
    named = {safe_name(name): one for name, one in found.named.items()}
    fixed = [f"{n}={describe_bound(one.low)}" for n, one in named.items() if one.fixed and one.low]
    unused = [name for name, one in named.items() if one.unused]
    rest = [
        [name, *map(str, map(describe_bound, one[:2])), "" if one.proved else _open(one)]
        for name, one in named.items()
        if not one.fixed
    ]
    blocks: list[Block] = []
    if fixed:
        blocks.append(Paragraph(" ".join(fixed), "always: ", "  "))
    if unused:
        blocks.append(Paragraph(" ".join(unused), "never used: ", "  "))
    if rest:
        blocks.append(DataTable(("variable", "least", "greatest", ""), rest, left=(0, 3)))
    return [*blocks, f"{found}"]


def _open(one: Range) -> str:
    """Return which end of a range is not proved."""
    if not (one.low_proved or one.high_proved):
        return "both ends not decided"
    return f"{'greatest' if one.low_proved else 'least'} not decided"


def sentence(found: Uniqueness) -> str:
    """Return in one sentence whether the solution is unique."""
    what = "optimum" if found.optimal else found.what
    if found.unique is None:
        return f"{STOPPED.get(found.stopped, 'stopped')}: {_unknown(found, what)}"
    if not found.solutions:
        return f"there is no {found.what}, proved"
    objective = _objective(found)
    if found.unique:
        return f"unique: this is the only {what}{objective}, proved"
    plural = "optima" if found.optimal else f"{what}s"
    if found.same_integers:
        alike = " with the same integer values" if any(found.model.values("integer")) else ""
        return f"not unique: two of infinitely many {plural}{objective}{alike}"
    return f"not unique: here are two {plural}{objective}"


def _objective(found: Uniqueness) -> str:
    """Return the objective in words, if optima are meant."""
    if not found.optimal or found.optimum is None:
        return ""
    return f" of objective {describe_number(found.optimum)}"


def _unknown(found: Uniqueness, what: str) -> str:
    """Return what a limit has left open."""
    if found.optimal and not found.proved:
        return "the optimum is not proved, so it is not known whether it is unique"
    if not found.solutions:
        if found.optimal:
            best = f"{what}{_objective(found)}"
            return f"the {best} is proved, but it is not known whether it is unique"
        return f"no {what} was found, so it is not known whether it is unique"
    return f"it is not known whether this {what} is the only one"


_shown: PerKind[Iterator[Block]] = per_kind()
"""Yield the solutions of a problem."""


@_shown.register(InstanceProblem)
def _(_: Problem, found: Uniqueness) -> Iterator[Block]:
    yield from map(_drawing, found.tilings)


@_shown.register(ModelProblem)
def _(problem: Problem, found: Uniqueness) -> Iterator[Block]:
    several = len(found.solutions) > 1
    for number, solution in enumerate(found.solutions, start=1):
        text = point_text(problem.model, solution)
        yield f"{number}. {text}" if several else text


def _drawing(tiling: Tiling) -> Drawing:
    def picture() -> Picture:
        from calmip.puzzle.render.tiles import tiling_picture

        return tiling_picture(tiling)

    return Drawing(partial(draw_tiling, tiling), svg_by(picture))


def as_csv(found: Uniqueness) -> str:
    """Return a line of CSV for each variable if ranges are wanted, else for each solution.

    If vertices are wanted, each is a line.
    """
    if found.sensitivity is not None:
        return _sensitivity_csv(found.sensitivity)
    if found.ranges is not None:
        rows = [
            (name, *map(number_cell, one[:2]), *one[2:]) for name, one in found.ranges.named.items()
        ]
        return csv_text(("variable", *Range._fields), rows)
    points = found.solutions if found.face is None else found.face.vertices
    return head(found) + "".join(row(found, one) for one in points)


def _sensitivity_csv(found: Sensitivity) -> str:
    """Return a line of CSV for each row, then for each variable; an end that is missing is empty.

    The range is that of the cost, or of the side at which the row is.
    """
    lines: list[tuple[Any, ...]] = []
    sides = found.model.exact_rows()
    for name, part, given in zip(found.model.rows, found.rows, sides, strict=True):
        lower = part.activity == given.low or part.upper is None
        ends = part.lower if lower else part.upper
        lines.append(("row", name, number_cell(part.activity), *_ends(part.dual), *_ends(ends)))
    for name, one in zip(found.model.columns, found.columns, strict=True):
        ends = one.cost
        lines.append(
            ("variable", name, number_cell(one.value), *_ends(one.reduced_cost), *_ends(ends))
        )
    head = ("kind", "name", "value", "dual_low", "dual_high", "range_low", "range_high")
    return csv_text(head, lines)


def _ends(ends: Interval | None) -> list[Any]:
    return ["", ""] if ends is None else list(map(number_cell, ends))


UNIQUENESS = Output(
    {
        **forms_from(uniqueness, csv=as_csv),
        **draw_tilings(lambda found: found.tilings),
    }
)
