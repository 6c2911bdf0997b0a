"""Everything that calmip raises on purpose.

::

    CalmipError
    ├── InputError      what the user gave is wrong: file, label, option
    ├── NotATiling      a set of placements does not tile its instance
    ├── ProofRefused    a proof of the number of tilings does not hold
    ├── SolverMissing   the solver or library (also for drawing) is not installed here
    └── SolverFailed    the solver crashed, or its answer did not survive a check
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

__all__ = [
    "CalmipError",
    "InputError",
    "NotATiling",
    "ProofRefused",
    "SolverFailed",
    "SolverMissing",
    "did_you_mean",
    "listed",
    "shown",
]


MAX_MESSAGE = 4000
"""Characters of a message, or of a path in it."""


class CalmipError(Exception):
    """The root of all errors that calmip raises on purpose."""


class InputError(CalmipError):
    """Something that a user wrote is wrong; the message says what is allowed instead.

    Parameters
    ----------
    message
        What was found, what is allowed, and the remedy, in one sentence or two.
    where
        The place inside the document, as keys and 0-based positions, for
        example ``("pieces", 3)``. The reader turns it into a line number.
    path, line
        The file and its 1-based line, once they are known.
    """

    def __init__(
        self,
        message: str,
        *,
        where: Sequence[str | int] = (),
        path: Path | str | None = None,
        line: int | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.where = tuple(where)
        self.path = path
        self.line = line

    def __str__(self) -> str:
        # What a message quotes is shortened where it is quoted; this is the last resort.
        message = shown(self.message, MAX_MESSAGE)
        if self.path is None:
            return message
        place = shown(self.path, MAX_MESSAGE)
        return f"{place}:{self.line}: {message}" if self.line is not None else f"{place}: {message}"


class NotATiling(CalmipError):
    """A set of placements does not tile its instance; the message names the first fault."""


class ProofRefused(CalmipError):
    """A proof of the number of tilings does not hold, or is about another puzzle."""


class SolverMissing(CalmipError):
    """A solver, or a library for models or plots, is not installed; the message says the remedy."""


class SolverFailed(CalmipError):
    """A solver crashed, printed garbage, or gave an answer that does not survive its check."""


def listed(names: Sequence[object], *, most: int = 40) -> str:
    """Return names as a readable list for a message, cut after the first ``most``."""
    parts = [shown(name) for name in names[:most]]
    if len(names) > most:
        parts.append(f"... ({len(names)} in all)")
    return ", ".join(parts) if parts else "none"


def shown(text: object, most: int = 60) -> str:
    r"""Return a text for a message: on one line, cut after ``most`` characters, harmless.

    Whatever a terminal might obey, or nobody would see, is written as Python
    writes it in quotes: ``\x1b``, ``\u202e``.
    """
    whole = str(text)
    cut = whole if len(whole) <= most else whole[:most] + "..."
    return "".join(mark if mark.isprintable() else repr(mark)[1:-1] for mark in cut)


def did_you_mean(text: str, names: Iterable[str]) -> str:
    """Return the name that a text was probably meant for, or nothing.

    It is one that begins as the text does, whichever is the longer one, or
    else one that is written much alike. Numbers and texts of one or two
    letters are like too many.
    """
    import difflib

    if len(text) < 3 or text.isdigit():
        return ""

    folded = {name.casefold(): name for name in names}
    wanted = text.casefold()
    starts = [n for n in folded if n.startswith(wanted) or wanted.startswith(n)]
    if len(starts) == 1 and len(starts[0]) >= 3:
        return folded[starts[0]]
    close = difflib.get_close_matches(wanted[:100], folded, n=1)
    return folded[close[0]] if close else ""
