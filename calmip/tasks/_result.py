"""What all results of tasks have in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from pathlib import Path
from typing import TYPE_CHECKING, Any

from calmip._files import write_atomically
from calmip.errors import InputError, listed, shown
from calmip.problem.shown import renderers

if TYPE_CHECKING:
    from calmip.problem.status import Status

__all__ = ["Pictured", "Result"]

MOST = 190
"""Characters of a result's ``repr``."""


class Result(ABC):
    """What a task gave: a status, a text for people and a description for programs.

    ``print(result)`` shows what the task's command prints; `describe` is what its
    ``--format json`` writes.
    """

    if TYPE_CHECKING:
        # Not there at run time, where a field of a subclass would take it for its default.
        @property
        def status(self) -> Status:
            """How the answer stands."""

    @property
    def known(self) -> bool:
        """Whether there is an answer to show; if not, only its status line is."""
        return True

    @abstractmethod
    def describe(self) -> dict[str, Any]:
        """Return the result as plain data, with the keys in their documented order."""

    @abstractmethod
    def _summary(self) -> str:
        """Return a few words for ``repr``."""

    def __repr__(self) -> str:
        text = f"<{type(self).__name__} {self.status}: {shown(self._summary(), MOST)}"
        # Cut afterwards as well: what is made visible grows.
        return f"{text if len(text) < MOST else text[: MOST - 4] + '...'}>"

    def __str__(self) -> str:
        return renderers.reports().text(self).removesuffix("\n")


class Pictured(Result):
    """A result that has pictures and tables as well: it is written in the form of a file."""

    def save(self, path: Path | str, *, theme: str = "auto") -> None:
        """Write the result to a file, whole or not at all, in the form that its suffix says.

        Parameters
        ----------
        path
            The file to make or replace. The forms are those of the option
            ``--format`` of the command, text as ``.txt``.
        theme
            The colours of pictures: ``light``, ``dark``, or ``auto``, which
            follows the reader's screen where the form can (SVG, HTML).

        Raises
        ------
        InputError
            If the suffix or the theme is unknown, or the file cannot be written.
        SolverMissing
            If the library that draws the form is not installed.
        """
        path = Path(path)
        forms = renderers.reports().forms_of(self)
        suffixes = {f".{form}".replace(".text", ".txt"): form for form in forms}
        form = suffixes.get(path.suffix.lower())
        if form is None:
            raise InputError(
                f"the suffix {path.suffix or 'is missing'} is none of {listed(list(suffixes))}",
                path=path,
            )
        write_atomically(path, renderers.reports().data(self, form, theme))
