"""MPS files that every solver reads alike, as fixed and as free MPS.

One marker pair around the integer columns with its keyword in field 3, explicit
upper bounds of 1, a cost row without entries when there is no cost, no OBJSENSE
section, and names of up to eight characters in their fixed columns: each of
these avoids a reader that misreads the alternative.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from calmip.problem.binary_model import BinaryModel, Bound

__all__ = ["mps_text"]


def mps_text(model: BinaryModel) -> str:
    """Return the model as the text of an MPS file.

    Names of up to eight characters give a file that is valid fixed and free
    MPS; longer names give free MPS.
    """
    lines = [f"* {line}" for line in model.comments]
    lines.append(f"NAME          {model.name}")
    lines.append("ROWS")
    objective = "OBJ"
    while objective in model.rows:
        objective += "_"
    lines.append(f" N  {objective}")
    senses, right, ranges = _senses(model)
    lines.extend(f" {sense}  {row}" for sense, row in zip(senses, model.rows, strict=True))
    lines.append("COLUMNS")
    lines.append("    MARKER    'MARKER'                 'INTORG'")
    lines.extend(_columns(model, objective))
    lines.append("    MARKER    'MARKER'                 'INTEND'")
    lines.append("RHS")
    lines.extend(_entry("RHS", row, value) for row, value in right)
    if ranges:
        lines.append("RANGES")
        lines.extend(_entry("RNG", row, value) for row, value in ranges)
    lines.append("BOUNDS")
    lines.extend(f" UP BND       {column:<8}  1" for column in model.columns)
    lines.append("ENDATA")
    return "\n".join(lines) + "\n"


def _entry(first: str, second: str, value: Bound) -> str:
    return f"    {first:<8}  {second:<8}  {number(value)}"


def number(value: Bound) -> str:
    """Return a number as short as it can be read back exactly."""
    if isinstance(value, int):
        return str(value)
    text = repr(float(value))
    if isinstance(value, float) or Fraction(text) == value:
        return text
    # Numbers that were read are decimal: their denominators divide a power of ten.
    most = value.denominator.bit_length()
    if 10**most % value.denominator:
        return text
    digits = str(value * 10**most)
    short = digits.rstrip("0")
    return f"{short}E{len(digits) - len(short) - most}"


def _columns(model: BinaryModel, objective: str) -> list[str]:
    owner = np.repeat(np.arange(len(model.rows)), np.diff(model.start))
    order = np.argsort(model.index, kind="stable")
    heads = [f"    {column:<8}  " for column in model.columns]
    tails = [f"{row:<8}  " for row in model.rows]
    columns, rows = model.index[order].tolist(), owner[order].tolist()
    # A model of ones, as every placement model is, need not format its numbers.
    ones = not model.exact and bool((model.value == 1.0).all())
    values = (
        ["1"] * len(rows) if ones else list(map(number, model.numbers("value", order.tolist())))
    )
    costed = list(model.costs)
    lines = [
        heads[column] + tails[row] + value
        for column, row, value in zip(columns, rows, values, strict=True)
    ]
    unused = sorted(set(range(len(model.columns))) - set(columns) - set(costed))
    if not costed and not unused:
        return lines
    # Entries of one column stand together; a column without any still must be named.
    extra = [
        (c, f"{heads[c]}{objective:<8}  {number(model.costs.get(c, 0))}") for c in costed + unused
    ]
    merged = sorted([*zip(columns, lines, strict=True), *extra], key=lambda pair: pair[0])
    return [line for _, line in merged]


def _senses(
    model: BinaryModel,
) -> tuple[list[str], list[tuple[str, Bound]], list[tuple[str, Bound]]]:
    """Return the rows' senses, their right-hand sides other than 0, and their ranges."""
    senses: list[str] = []
    right: list[tuple[str, Bound]] = []
    ranges: list[tuple[str, Bound]] = []
    places = range(len(model.rows))
    bounds = zip(model.numbers("lower", places), model.numbers("upper", places), strict=True)
    for row, (low, high) in zip(model.rows, bounds, strict=True):
        bounded = not isinstance(low, float), not isinstance(high, float)
        sense, value = ("L", high) if bounded[1] else ("G", low) if bounded[0] else ("N", 0)
        if low == high:
            sense = "E"
        elif all(bounded):
            ranges.append((row, high - low))
        senses.append(sense)
        if value:
            right.append((row, value))
    return senses, right, ranges
