"""LP files with constructs as such: indicators, special ordered sets and others, as in Gurobi."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from calmip.mip.constructs import Indicator, OrderedSet, SemiContinuous, Terms
from calmip.mip.files.constructs import own_form, rows_of
from calmip.mip.files.lp import check_names, lp_text
from calmip.mip.files.text_source import number
from calmip.mip.model import Model
from calmip.mip.rows import is_finite

SECTIONS = ("Bounds", "Generals", "Binaries", "End")
"""What may follow the rows."""


def lp_text_of_constructs(model: Model) -> str:
    """Return the model as the text of an LP file in which its constructs are such, and no rows.

    Raises
    ------
    InputError
        If an LP file cannot say one of them, or a number is not decimal.
    """
    logic = model.logic
    if logic is None:
        return lp_text(model)
    own = own_form(model)
    check_names([one.name for one in logic.constructs if not isinstance(one, SemiContinuous)])
    lines = lp_text(own).splitlines()
    first = next(place for place, line in enumerate(lines) if line in SECTIONS)
    taken, rows, sets, others = set(own.rows), list[str](), list[str](), list[str]()
    for one in logic.constructs:
        if isinstance(one, Indicator):
            rows += _indicator(one, own.columns, taken)
        elif isinstance(one, OrderedSet):
            sets.append(f" {one.words(own.columns)}")
        elif not isinstance(one, SemiContinuous):
            others.append(f" {one.words(own.columns)}")
    semi = [own.columns[one.column] for one in logic.constructs if isinstance(one, SemiContinuous)]
    tail = [("Semi-continuous", [f" {name}" for name in semi]), ("SOS", sets)]
    tail.append(("General Constraints", others))
    ends = [line for head, some in tail if some for line in (head, *some)]
    return "\n".join([*lines[:first], *rows, *lines[first:-1], *ends, "End"]) + "\n"


def _indicator(one: Indicator, names: Sequence[str], taken: set[str]) -> Iterator[str]:
    """Yield the lines of an indicator constraint."""
    for name, low, high in rows_of(one, taken):
        relation = "=" if low == high else ">=" if is_finite(low) else "<="
        side = number(low if is_finite(low) else high)
        condition = f"{names[one.column]} = {one.value}"
        yield f" {name}: {condition} -> {_sum(one.terms, names)} {relation} {side}"


def _sum(terms: Terms, names: Sequence[str]) -> str:
    found = [
        f"{'-' if value < 0 else '+'} {number(max(value, -value))} {names[column]}"
        for column, value in terms.items()
        if value
    ]
    return " ".join(found) or f"0 {names[0]}"
