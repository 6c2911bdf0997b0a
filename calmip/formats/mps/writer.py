"""MPS files that every solver reads alike, as fixed and as free MPS.

One marker pair around the integer columns with its keyword in field 3, explicit
upper bounds of 1, a cost row without entries when there is no cost, no OBJSENSE
section, and names of up to eight characters in their fixed columns: each of
these avoids a reader that misreads the alternative.
"""

from __future__ import annotations

import numpy as np

from calmip.problem.binary_model import BinaryModel

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


def _entry(first: str, second: str, value: float) -> str:
    return f"    {first:<8}  {second:<8}  {number(value)}"


def number(value: float) -> str:
    """Return a coefficient as short as it can be read back exactly."""
    return str(int(value)) if float(value).is_integer() else repr(float(value))


def _columns(model: BinaryModel, objective: str) -> list[str]:
    owner = np.repeat(np.arange(len(model.rows)), np.diff(model.start))
    order = np.argsort(model.index, kind="stable")
    heads = [f"    {column:<8}  " for column in model.columns]
    tails = [f"{row:<8}  " for row in model.rows]
    columns, rows = model.index[order].tolist(), owner[order].tolist()
    # A model of ones, as every placement model is, need not format its numbers.
    ones = bool((model.value == 1.0).all())
    values = ["1"] * len(rows) if ones else [number(v) for v in model.value[order].tolist()]
    costed = np.flatnonzero(model.cost).tolist()
    lines = [
        heads[column] + tails[row] + value
        for column, row, value in zip(columns, rows, values, strict=True)
    ]
    unused = sorted(set(range(len(model.columns))) - set(columns) - set(costed))
    if not costed and not unused:
        return lines
    # Entries of one column stand together; a column without any still must be named.
    extra = [(c, f"{heads[c]}{objective:<8}  {number(model.cost[c])}") for c in costed + unused]
    merged = sorted([*zip(columns, lines, strict=True), *extra], key=lambda pair: pair[0])
    return [line for _, line in merged]


def _senses(
    model: BinaryModel,
) -> tuple[list[str], list[tuple[str, float]], list[tuple[str, float]]]:
    """Return the rows' senses, their right-hand sides other than 0, and their ranges."""
    senses: list[str] = []
    right: list[tuple[str, float]] = []
    ranges: list[tuple[str, float]] = []
    for row, low, high in zip(model.rows, model.lower.tolist(), model.upper.tolist(), strict=True):
        bounded = np.isfinite(low), np.isfinite(high)
        sense, value = ("L", high) if bounded[1] else ("G", low) if bounded[0] else ("N", 0.0)
        if low == high:
            sense = "E"
        elif all(bounded):
            ranges.append((row, high - low))
        senses.append(sense)
        if value:
            right.append((row, value))
    return senses, right, ranges
