"""The puzzles that come with calmip, or a closer look at one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from calmip.documents.collection import bundled_puzzles
from calmip.documents.reader import read_puzzle
from calmip.problem.puzzle import Puzzle
from calmip.problem.status import Status
from calmip.tasks._result import Pictured

__all__ = ["Puzzles", "puzzles"]


@dataclass(frozen=True, repr=False)
class Puzzles(Pictured):
    """Puzzles, to be listed or, where one was asked for, shown.

    Parameters
    ----------
    puzzles
        Each puzzle under the name that commands take.
    single
        Whether one was asked for by its name.
    """

    puzzles: Mapping[str, Puzzle]
    single: bool = False

    @property
    def status(self) -> Status:
        """Always done."""
        return Status.DONE

    def describe(self) -> dict[str, Any]:
        """Return the puzzles as plain data: what their files say, and the pieces' cells."""
        return {"puzzles": [_described(name, puzzle) for name, puzzle in self.puzzles.items()]}

    def _summary(self) -> str:
        return f"{len(self.puzzles)} puzzles" if not self.single else ", ".join(self.puzzles)


def _described(name: str, puzzle: Puzzle) -> dict[str, Any]:
    return {
        "name": name,
        "title": puzzle.name,
        "lattice": puzzle.board.lattice.name,
        "grid": [" ".join(row) for row in puzzle.board.rows],
        "groups": {group: list(labels) for group, labels in puzzle.groups.items()},
        "pieces": {piece.name: [list(cell) for cell in piece.cells] for piece in puzzle.pieces},
        "flip": puzzle.flip,
        "note": puzzle.note,
        "counts": dict(puzzle.counts),
        "sources": list(puzzle.sources),
    }


def puzzles(name: str | Path | None = None) -> Puzzles:
    """Return the bundled puzzles, or one puzzle to look at.

    Parameters
    ----------
    name
        The name of a bundled puzzle, or the path of a puzzle in YAML; all
        bundled ones unless given.

    Raises
    ------
    InputError
        If there is no such puzzle, or its file is not a valid puzzle.
    """
    names = bundled_puzzles() if name is None else (str(name),)
    return Puzzles({one: read_puzzle(one) for one in names}, single=name is not None)
