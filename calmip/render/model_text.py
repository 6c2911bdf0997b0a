"""0/1 points of model files as text and JSON: the names of the columns that are one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from calmip.problem.binary_model import BinaryModel

__all__ = ["describe_model", "describe_point", "point_text"]


def describe_model(model: BinaryModel, path: str) -> dict[str, Any]:
    """Return what identifies a model: its file, the name inside, and its size."""
    return {
        "file": path,
        "name": model.name,
        "columns": len(model.columns),
        "rows": len(model.rows),
    }


def describe_point(model: BinaryModel, ones: Iterable[int]) -> dict[str, Any]:
    """Return a 0/1 point by the names of the columns that are one; all others are zero."""
    return {"ones": [model.columns[column] for column in ones]}


def point_text(model: BinaryModel, ones: Iterable[int]) -> str:
    """Return the names of the columns that are one, whatever a terminal might obey escaped."""
    names = " ".join(model.columns[column] for column in ones)
    shown = "".join(mark if mark.isprintable() else ascii(mark)[1:-1] for mark in names)
    return shown or "(no column is one)"
