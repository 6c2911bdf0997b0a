"""The placement model as plain arrays, written by calmip itself."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from calmip.formats.model_files import write_model
from calmip.problem.binary_model import BinaryModel
from calmip.problem.cover import ExactCover

__all__ = ["MatrixModel"]


class MatrixModel:
    """The placement model as a `BinaryModel`; see `calmip.models.base.Formulation`.

    Unlike the other formulations it has no objective: the portable files can
    do without.

    Parameters
    ----------
    cover
        The exact cover to express.

    Attributes
    ----------
    native : BinaryModel
        The arrays.
    """

    suffix = ".mps"
    packs = False

    def __init__(self, cover: ExactCover) -> None:
        self.native = BinaryModel.from_cover(cover)
        self._cuts = 0

    @property
    def size(self) -> tuple[int, int, int]:
        """The numbers of columns, rows and nonzeros, cuts included."""
        return len(self.native.columns), len(self.native.rows), self.native.nonzeros

    @staticmethod
    def objective(cover: ExactCover) -> float:  # noqa: ARG004
        """Return 0: there is no objective."""
        return 0.0

    @property
    def auxiliary(self) -> frozenset[str]:
        """No column is anything but an option."""
        return frozenset()

    def forbid(self, options: Iterable[int], *, most: int) -> None:
        """Add a no-good cut: at most ``most`` of these options together."""
        self._cuts += 1
        self.native = self.native.with_row(f"n{self._cuts}", options, float("-inf"), most)

    def write(self, path: Path) -> None:
        """Write a portable MPS or LP file, by suffix."""
        write_model(path, self.native)
