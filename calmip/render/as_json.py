"""Results as JSON, in the documented and stable form."""

from __future__ import annotations

import json
from typing import Any

from calmip.problem.instance import Instance, Placement
from calmip.problem.packing import Packing
from calmip.tasks.solve import Solution

__all__ = [
    "describe_instance",
    "describe_placement",
    "describe_solution",
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


def describe_solution(solution: Solution) -> dict[str, Any]:
    """Return what solving gave, with the keys in their documented order."""
    found = {
        "instance": describe_instance(solution.instance),
        "status": solution.status,
        "complete": solution.complete,
        "detail": solution.detail,
        "solver": solution.solver,
        "formulation": solution.formulation,
        "columns": solution.columns,
        "rows": solution.rows,
        "seconds": {step: round(value, 6) for step, value in solution.seconds.items()},
        "tilings": [describe_tiling(tiling) for tiling in solution.tilings],
    }
    if solution.packing is not None:
        missing = [list(cell) for cell in solution.packing.missing]
        found["packing"] = {**describe_tiling(solution.packing), "missing": missing}
    return found


def json_text(document: Any) -> str:
    """Return a document as one line of JSON and a line end; the same input, the same text.

    It is plain ASCII, with other characters as JSON escapes, so that it is
    valid whatever the encoding of stdout, and harmless on a terminal.
    """
    return json.dumps(document, allow_nan=False) + "\n"
