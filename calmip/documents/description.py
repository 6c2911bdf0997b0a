"""Instances, tilings, models and points as plain data, and as JSON in the documented form."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from calmip.problem.binary_model import BinaryModel
    from calmip.problem.instance import Instance, Placement
    from calmip.problem.tiling import Packing

__all__ = [
    "describe_instance",
    "describe_model",
    "describe_placement",
    "describe_point",
    "describe_tiling",
    "json_text",
]


def describe_instance(instance: Instance) -> dict[str, Any]:
    """Return an instance's names and labels; a free group has the label ``free``.

    Pieces that are placed already are there only if there are any.
    """
    reveal = instance.reveal_of(instance.labels)
    if instance.free:
        groups = instance.puzzle.groups
        reveal = {
            group: next((label for label in instance.labels if label in members), "free")
            for group, members in groups.items()
        }
    described = {
        "name": instance.name,
        "puzzle": instance.puzzle.id or instance.puzzle.name,
        "reveal": reveal,
        "flip": instance.puzzle.flip,
    }
    if instance.placed:
        described["placed"] = [describe_placement(placed) for placed in instance.placed]
    return described


def describe_placement(placement: Placement) -> dict[str, Any]:
    """Return a piece's name and its cells as 0-based [row, column]."""
    return {"piece": placement.piece, "cells": [list(cell) for cell in placement.cells]}


def describe_tiling(tiling: Packing) -> dict[str, Any]:
    """Return a tiling's uncovered labels and its placements, cells as 0-based [row, column]."""
    return {
        "reveal": tiling.reveal,
        "placements": [describe_placement(placement) for placement in tiling.placements],
    }


def describe_model(model: BinaryModel) -> dict[str, Any]:
    """Return what identifies a model: its file, the name inside, and its size."""
    return {
        "file": model.source,
        "name": model.name,
        "columns": len(model.columns),
        "rows": len(model.rows),
    }


def describe_point(model: BinaryModel, ones: Iterable[int]) -> dict[str, Any]:
    """Return a 0/1 point by the names of the columns that are one; all others are zero."""
    return {"ones": [model.columns[column] for column in ones]}


def json_text(document: Any) -> str:
    """Return a document as one line of JSON and a line end; the same input, the same text.

    It is plain ASCII, with other characters as JSON escapes, so that it is
    valid whatever the encoding of stdout, and harmless on a terminal.
    """
    return json.dumps(document, allow_nan=False) + "\n"
