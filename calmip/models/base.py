"""The interface of every formulation."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, Protocol

from calmip.puzzle.cover import ExactCover


class Formulation(Protocol):
    """An exact cover written in a modelling language.

    The placement model has one binary column per option and one equality row
    per item. The objective is constant on all tilings: the number of placements of
    the first piece. (The writers of PuLP and Pyomo add a column of their own to an
    empty objective.) Other formulations may have further columns.

    Attributes
    ----------
    native
        The model object of the language, which users may extend and solve.
    suffix : str
        The preferred kind of file, ``.mps`` or ``.lp``.
    """

    native: Any
    suffix: str = ".mps"

    @property
    def size(self) -> tuple[int, int, int]:
        """The numbers of columns, rows and nonzeros, cuts included."""

    @staticmethod
    def objective(cover: ExactCover) -> float:
        """Return the objective's value at every tiling of a cover, as `write` writes it."""
        return float(cover.demand[len(cover.instance.to_cover)])

    @property
    def auxiliary(self) -> frozenset[str]:
        """The names of the columns that are not options, if there are any."""
        return frozenset()

    def forbid(self, options: Iterable[int], *, most: int) -> None:
        """Add a no-good cut: at most ``most`` of these options together."""

    def write(self, path: Path) -> None:
        """Write the model as an MPS or LP file, by the path's suffix.

        Column names in the file are the option names of the exact cover.
        """
