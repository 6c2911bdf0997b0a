"""CPLEX LP files in the dialect that all readers share.

An objective that names every column, with a 0 where it has no cost: GLPK
refuses an empty one, and readers number the columns in the order in which they
meet them, so this order is the model's. Lines under 80 characters, and a
Binaries section.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence

from calmip.errors import InputError
from calmip.formats.mps.writer import number
from calmip.problem.binary_model import BinaryModel, Bound

__all__ = ["lp_text"]

WIDTH = 78


def lp_text(model: BinaryModel) -> str:
    """Return the model as the text of an LP file.

    Raises
    ------
    InputError
        If a row has two different bounds; readers disagree on how to write that.
    """
    lines = [f"\\ {line}" for line in model.comments]
    lines.append("Minimize")
    costs = [model.costs.get(column, 0) for column in range(len(model.columns))]
    terms = _terms(range(len(model.columns)), costs, model)
    lines.extend(_wrapped(" obj: ", terms, ""))
    lines.append("Subject To")
    for number_, row in enumerate(model.rows):
        part = range(model.start[number_], model.start[number_ + 1])
        columns = model.index[part.start : part.stop].tolist()
        terms = _terms(columns, model.numbers("value", part), model)
        terms = terms or [f"0 {model.columns[0]}"]
        (low,), (high,) = (model.numbers(side, [number_]) for side in ("lower", "upper"))
        lines.extend(_wrapped(f" {row}: ", terms, _relation(row, low, high)))
    lines.append("Binaries")
    lines.extend(
        textwrap.wrap(
            " ".join(model.columns),
            WIDTH,
            initial_indent=" ",
            subsequent_indent=" ",
            break_long_words=False,
        )
    )
    lines.append("End")
    return "\n".join(lines) + "\n"


def _terms(columns: Sequence[int], values: Sequence[Bound], model: BinaryModel) -> list[str]:
    terms = []
    for column, value in zip(columns, values, strict=True):
        sign = "-" if value < 0 else "+"
        size = "" if value in (1, -1) else f"{number(max(value, -value))} "
        terms.append(f"{sign} {size}{model.columns[column]}")
    if terms and terms[0].startswith("+ "):
        terms[0] = terms[0][2:]
    return terms


def _relation(row: str, low: Bound, high: Bound) -> str:
    """Return a row's right-hand side; no formulation here has rows with two different bounds."""
    if low == high:
        return f"= {number(low)}"
    if not isinstance(low, float) and not isinstance(high, float):
        raise InputError(f"row {row} has two bounds, which an LP file cannot say; write MPS")
    return f"<= {number(high)}" if isinstance(low, float) else f">= {number(low)}"


def _wrapped(head: str, terms: list[str], tail: str) -> Iterator[str]:
    """Yield lines under 80 characters; a term is never split."""
    line = head
    for term in [*terms, tail] if tail else terms:
        if len(line) + len(term) > WIDTH and line.strip():
            yield line.rstrip()
            line = "   "
        line += term + " "
    yield line.rstrip()
