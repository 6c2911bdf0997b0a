"""MPS files with constructs as such: indicators, special ordered sets and others, as in Gurobi."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence

from calmip._base.errors import InputError
from calmip.mip.constructs import (
    BrokenLine,
    Conditional,
    Extreme,
    OrderedSet,
    SemiContinuous,
)
from calmip.mip.display import quote
from calmip.mip.files.constructs import own_form, rows_of, slopes_of
from calmip.mip.files.mps import ARROWS, mps_text
from calmip.mip.files.text_source import number
from calmip.mip.model import Model


def mps_text_of_constructs(model: Model, dialect: str = "gurobi") -> str:
    """Return the model as the text of an MPS file in which its constructs are such, and no rows.

    Parameters
    ----------
    model
        The model.
    dialect
        The program that reads the file, one of `DIALECTS`.

    Raises
    ------
    InputError
        If an MPS file cannot say one of them, or a number is not decimal.
    """
    logic = model.logic
    if logic is None:
        return mps_text(model)
    own = own_form(model, dialect)
    names, taken = own.columns, set(own.rows)
    # Semi-integer columns have bounds of a kind of their own: not all readers keep other marks.
    integer = array("b", own.values("integer"))
    semi, switches, sets, others = dict[int, bool](), list[str](), list[str](), list[str]()
    sloped, breaks = list[str](), list[str]()
    kinds = {arrow: kind for kind, arrow in ARROWS.items()}
    for one in logic.constructs:
        if isinstance(one, SemiContinuous):
            semi[one.column] = bool(integer[one.column])
            integer[one.column] = False
            continue
        if one.name.split() != [one.name]:
            raise InputError(
                f"an MPS file cannot have the name {quote(one.name)}; leave out its blanks"
            )
        if isinstance(one, Conditional):
            kind = kinds[one.arrow]
            columns = sorted(one.terms)
            values = [one.terms[column] for column in columns]
            for row, low, high in rows_of(one, taken):
                own = own.with_row(row, columns, low, high, values)
                switches.append(f" {kind} {row:<8}  {names[one.column]:<8}  {one.value}")
        elif isinstance(one, OrderedSet):
            members = (f"    {names[c]:<8}  {n}" for n, c in enumerate(one.members, start=1))
            sets += [f" S{one.most} {one.name}", *members]
        elif isinstance(one, BrokenLine) and dialect == "cplex":
            before, points, behind = slopes_of(one)
            pair = f"{names[one.column]}  {names[one.argument]}"
            sloped.append(f" {one.name}  {pair}  {number(before)}  {number(behind)}")
            breaks += [f" {one.name}  {number(x)}  {number(y)}" for x, y in points]
        elif isinstance(one, Extreme | BrokenLine):
            others += _function(one, names)
    sections = [("SOS", sets), ("INDICATORS", switches), ("GENCONS", others)]
    sections += [("PWLNAM", sloped), ("PWLCON", breaks)]
    lines = [line for head, some in sections if some for line in (head, *some)]
    return mps_text(own.changed(integer=integer), semi, lines)


def _function(one: Extreme | BrokenLine, names: Sequence[str]) -> Iterator[str]:
    """Yield the lines of a general constraint."""
    if isinstance(one, BrokenLine):
        yield f" PWL {one.name}"
        yield f"    {names[one.argument]}  {names[one.column]}"
        yield from (f"    {number(x)}  {number(y)}" for x, y in one.points)
        return
    yield f" {one.function} {one.name}"
    yield f"    {names[one.column]}"
    for terms, constant in one.sums[:1] if one.absolute else one.sums:
        text = names[min(terms)] if terms else number(constant)
        if not terms and text in names:
            raise InputError(
                f"general constraint {quote(one.name)}: an MPS file cannot say whether {text} is "
                "the number or the variable with this name; rename the variable"
            )
        yield f"    {text}"
