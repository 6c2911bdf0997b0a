"""The errors that calmip raises on purpose.

::

    CalmipError
    ├── InputError      a file, label, option or argument is wrong; a ValueError, too
    ├── NotATiling      a set of placements does not tile its instance
    ├── ProofRefused    a proof of the number of tilings does not hold
    ├── SolverMissing   a solver or library is not installed
    └── SolverFailed    a solver crashed, or its answer was refuted
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

MAX_MESSAGE_CHARACTERS = 4000
"""Characters of a message, or of a path in it."""


class CalmipError(Exception):
    """The root of all errors that calmip raises on purpose."""


class InputError(CalmipError, ValueError):
    """A user's input is wrong; the message says what is allowed instead.

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
        # Callers shorten quoted texts; this is the last resort.
        message = clip(self.message, MAX_MESSAGE_CHARACTERS)
        if self.path is None:
            return message
        place = clip(self.path, MAX_MESSAGE_CHARACTERS)
        return f"{place}:{self.line}: {message}" if self.line is not None else f"{place}: {message}"


@contextmanager
def errors_at(*where: str | int) -> Iterator[None]:
    """Prefix the place of an `InputError` that leaves the block."""
    try:
        yield
    except InputError as error:
        error.where = (*where, *error.where)
        raise


class NotATiling(CalmipError):
    """A set of placements does not tile its instance; the message names the first fault."""


class ProofRefused(CalmipError):
    """A proof of the number of tilings does not hold, or proves another puzzle's."""


class SolverMissing(CalmipError):
    """A solver or a library is not installed; the message says the remedy."""


class SolverFailed(CalmipError):
    """A solver crashed, or its answer cannot be read or was refuted."""


@contextmanager
def needed_by(
    user: str, package: str, missing: Callable[[ImportError], str] | None = None
) -> Iterator[None]:
    """Turn whatever the import of a package raises into `SolverMissing`.

    Parameters
    ----------
    user, package
        What needs the package, and its name for pip.
    missing
        Makes the message if it, or a package that it needs, is not installed, unless the usual
        one says enough.
    """
    try:
        yield
    except (KeyboardInterrupt, GeneratorExit, MemoryError, CalmipError):
        raise
    except BaseException as error:  # an import runs any code of the package, SystemExit included
        if isinstance(error, ImportError) and is_missing(error):
            usual = f"{user} needs {package} ({error}); pip install {package}"
            raise SolverMissing(missing(error) if missing else usual) from None
        raise SolverMissing(
            f"{user} needs {package}, which is broken here ({describe_error(error)}); "
            f"pip install --force-reinstall {package}"
        ) from error


def is_missing(error: BaseException) -> bool:
    """Return whether an import failed as a package is not installed; else it is broken."""
    # Pyomo's error has the traceback of another package's failure.
    named = isinstance(error, ImportError) and "No module named" in str(error)
    return named or isinstance(error, ModuleNotFoundError)


def describe_error(error: BaseException) -> str:
    """Return the type and the message of an error of other code, on one line."""
    text = f": {clip(error, 200)}" if str(error) else ""
    return f"{type(error).__name__}{text}"


def join_words(names: Iterable[object], *, most: int = 40) -> str:
    """Return names joined by commas for a message, cut after the first ``most``."""
    names = list(names)
    more = [f"... ({len(names)} in all)"] * (len(names) > most)
    return ", ".join([*map(clip, names[:most]), *more]) or "none"


def clip(text: object, most: int = 60) -> str:
    r"""Return a text for a message: on one line, cut after ``most`` characters.

    Control characters and invisible ones are escaped as Python does: ``\x1b``, ``\u202e``.
    """
    words = str(text)
    cut = words if len(words) <= most else words[:most] + "..."
    return "".join(mark if mark.isprintable() else repr(mark)[1:-1] for mark in cut)


MAX_REPR_CHARACTERS = 100


def short_repr(thing: object, text: str) -> str:
    """Return a ``repr`` on one line: the type's name, and a text that is cut."""
    name = type(thing).__name__
    most = MAX_REPR_CHARACTERS - len(f"{name}()")
    cut = clip(text, most)  # cut again afterwards: escaping makes the text longer
    return f"{name}({cut if len(cut) <= most else cut[: most - 3] + '...'})"


def did_you_mean(text: str, names: Iterable[str]) -> str:
    """Return the name closest to a text, or an empty string.

    The text and the name begin alike or differ by few letters. Numbers and texts of one or
    two letters get no suggestion, as they resemble too many names.
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


def neighbours(text: str, names: Iterable[str], most: int = 3) -> list[str]:
    """Return the names that are closest to a text, the closest first; few or none."""
    import difflib

    folded = {name.casefold(): name for name in names}
    found = difflib.get_close_matches(text.casefold()[:100], folded, n=most, cutoff=0.55)
    return [folded[name] for name in found]


# A traceback names an error as it is imported.
for _error in (CalmipError, InputError, NotATiling, ProofRefused, SolverFailed, SolverMissing):
    _error.__module__ = "calmip"
