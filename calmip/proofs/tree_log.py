"""The search tree itself as JSON, for checkers that one writes in an afternoon.

`calmip.proofs.check_tree` is such a checker, and says what the file holds.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

from calmip.problem.cover import ExactCover, Placement
from calmip.problem.instance import Instance

__all__ = ["TreeLog", "described"]


def described(instance: Instance) -> dict[str, Any]:
    """Return an instance as plain data: all that a checker has to know of it."""
    puzzle = instance.puzzle
    return {
        "name": puzzle.name,
        "lattice": puzzle.board.lattice.name,
        "board": [list(row) for row in puzzle.board.rows],
        "pieces": {piece.name: [list(cell) for cell in piece.cells] for piece in puzzle.pieces},
        "flip": puzzle.flip,
        "uncovered": list(instance.labels),
        "free": {
            group: [label for label in puzzle.groups[group] if label not in instance.labels]
            for group in instance.free
        },
    }


class TreeLog:
    """Writes the puzzle, its options, and the nodes of a search in the order of the visits.

    Parameters
    ----------
    cover
        The exact cover.
    write
        Takes the text, a line or so at a time.
    """

    def __init__(self, cover: ExactCover, write: Callable[[str], object]) -> None:
        self._write = write
        self._found = 0
        self._items = [_item(cover, number) for number in range(cover.rows)]
        write(f'{{"puzzle": {json.dumps(described(cover.instance))},\n"options": [\n')
        for number in range(cover.columns):
            end = ",\n" if number + 1 < cover.columns else "\n"
            write(json.dumps(_option(cover, number)) + end)
        write('],\n"tree": [\n')

    def node(self, item: int, options: Sequence[int]) -> None:
        """Write the item and its options."""
        self._write(f"[{self._items[item]}, {list(options)}],\n")

    def tiling(self, options: Sequence[int]) -> None:
        """Write a solution."""
        self._found += 1
        self._write(f'["tiling", {sorted(options)}],\n')

    def closed(self, decisions: Sequence[int]) -> None:
        """Write the end of the file when the search is over; between, the tree says it."""
        if not decisions:
            self._write(f'["end", []]],\n"tilings": {self._found}}}\n')


def _item(cover: ExactCover, number: int) -> str:
    """Return an item as JSON: the cell, the (first) piece's name, or the group's."""
    cells, classes = cover.instance.to_cover, cover.instance.puzzle.piece_classes
    if number < len(cells):
        return json.dumps(list(cells[number]))
    number -= len(cells)
    if number < len(classes):
        return json.dumps(f"piece {classes[number][0].name}")
    return json.dumps(f"group {cover.instance.free[number - len(classes)]}")


def _option(cover: ExactCover, number: int) -> dict[str, Any]:
    chosen = cover.option(number)
    cells = [list(cell) for cell in chosen.cells]
    if isinstance(chosen, Placement):
        return {"covers": f"piece {chosen.piece}", "cells": cells}
    return {"covers": f"group {chosen.group}", "label": chosen.label, "cells": cells}
