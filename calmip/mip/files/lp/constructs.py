"""LP files with constructs as such: indicators, special ordered sets and others, as in Gurobi."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from calmip.mip.constructs import (
    BrokenLine,
    Conditional,
    OrderedSet,
    SemiContinuous,
    Terms,
)
from calmip.mip.files.constructs import own_form, rows_of, slopes_of
from calmip.mip.files.lp import check_names, lp_text
from calmip.mip.files.text_source import number
from calmip.mip.model import Model
from calmip.mip.rows import is_finite

SECTIONS = ("Bounds", "Generals", "Binaries", "End")
"""What may follow the rows."""


def lp_text_of_constructs(model: Model, dialect: str = "gurobi") -> str:
    """Return the model as the text of an LP file in which its constructs are such, and no rows.

    Parameters
    ----------
    model
        The model.
    dialect
        The program that reads the file, one of `DIALECTS`.

    Raises
    ------
    InputError
        If an LP file cannot say one of them, or a number is not decimal.
    """
    logic = model.logic
    if logic is None:
        return lp_text(model)
    own = own_form(model, dialect)
    check_names([one.name for one in logic.constructs if not isinstance(one, SemiContinuous)])
    lines = lp_text(own).splitlines()
    first = next(place for place, line in enumerate(lines) if line in SECTIONS)
    taken, rows, sets, others = set(own.rows), list[str](), list[str](), list[str]()
    sloped: list[str] = []
    for one in logic.constructs:
        if isinstance(one, Conditional):
            rows += _conditional(one, own.columns, taken)
        elif isinstance(one, OrderedSet):
            sets.append(f" {one.words(own.columns)}")
        elif isinstance(one, BrokenLine) and dialect == "cplex":
            sloped.append(_sloped(one, own.columns))
        elif not isinstance(one, SemiContinuous):
            others.append(f" {one.words(own.columns)}")
    semi = [own.columns[one.column] for one in logic.constructs if isinstance(one, SemiContinuous)]
    tail = [("Semi-continuous", [f" {name}" for name in semi]), ("SOS", sets)]
    tail += [("General Constraints", others), ("Pwl", sloped)]
    ends = [line for head, some in tail if some for line in (head, *some)]
    return "\n".join([*lines[:first], *rows, *lines[first:-1], *ends, "End"]) + "\n"


def _sloped(one: BrokenLine, names: Sequence[str]) -> str:
    """Return the line of a piecewise-linear function in CPLEX's form."""
    before, points, behind = slopes_of(one)
    pairs = " ".join(f"({number(x)}, {number(y)})" for x, y in points)
    head = f" {one.name}: {names[one.column]} = {names[one.argument]}"
    return f"{head} {number(before)} {pairs} {number(behind)}"


def _conditional(one: Conditional, names: Sequence[str], taken: set[str]) -> Iterator[str]:
    """Yield the lines of an indicator constraint or an equivalence."""
    for name, low, high in rows_of(one, taken):
        relation = "=" if low == high else ">=" if is_finite(low) else "<="
        side = number(low if is_finite(low) else high)
        condition = f"{names[one.column]} = {one.value}"
        yield f" {name}: {condition} {one.arrow} {_sum(one.terms, names)} {relation} {side}"


def _sum(terms: Terms, names: Sequence[str]) -> str:
    found = [
        f"{'-' if value < 0 else '+'} {number(max(value, -value))} {names[column]}"
        for column, value in terms.items()
        if value
    ]
    return " ".join(found) or f"0 {names[0]}"
