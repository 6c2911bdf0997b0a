"""What all results of tasks have in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

from calmip.errors import shown
from calmip.problem.shown import shown_by

if TYPE_CHECKING:
    from calmip.problem.status import Status

__all__ = ["Result"]

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
        # A result is shown by the module of calmip.render.reports with its task's name.
        task = type(self).__module__.rpartition(".")[2].removeprefix("_")
        return shown_by(f"reports.{task}", "text", self).removesuffix("\n")
