"""0/1 points of model files as text: the names of the columns that are one."""

from __future__ import annotations

from collections.abc import Iterable

from calmip.problem.binary_model import BinaryModel

__all__ = ["point_text"]


def point_text(model: BinaryModel, ones: Iterable[int]) -> str:
    """Return the names of the columns that are one, whatever a terminal might obey escaped."""
    names = " ".join(model.columns[column] for column in ones)
    shown = "".join(mark if mark.isprintable() else ascii(mark)[1:-1] for mark in names)
    return shown or "(no column is one)"
