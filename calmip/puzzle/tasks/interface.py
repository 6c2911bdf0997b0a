"""What all public functions do with their arguments: sources by name, one name for several."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

from calmip._base.errors import did_you_mean

if TYPE_CHECKING:
    from calmip.puzzle.instance import Instance
    from calmip.puzzle.puzzle import Puzzle

P = ParamSpec("P")
R = TypeVar("R")

SEVERAL = ("Sequence[str]", "Collection[str]")
"""The types of arguments that are several names; a single name may be given as it is."""


def public(function: Callable[P, R]) -> Callable[P, R]:
    """Return a function of calmip's public names.

    A keyword that it lacks is a `TypeError` with its public name and a keyword that is like it;
    Python's own message may name an inner function, or no keyword.
    """
    found: Callable[P, R] = _interface(function, None)
    return found


def of_instance(
    function: Callable[Concatenate[Instance, P], R],
) -> Callable[Concatenate[Instance | str | Path, P], R]:
    """Return such a function of an instance; it also takes a path, or a bundled name."""

    def read(_: str, source: str | Path) -> Instance:
        from calmip.puzzle.documents.reader import read_instance

        return read_instance(source)

    found: Callable[Concatenate[Instance | str | Path, P], R] = _interface(function, read)
    return found


def of_puzzle(
    function: Callable[Concatenate[Puzzle, P], R],
) -> Callable[Concatenate[Puzzle | str | Path, P], R]:
    """Return such a function of a puzzle or a board; it also takes a path, or a bundled name."""

    def read(name: str, source: str | Path) -> Puzzle:
        from calmip.puzzle.documents.reader import read_board, read_puzzle

        if name == "puzzle":
            return read_puzzle(source)
        return read_board(source, pieces=name == "board")

    found: Callable[Concatenate[Puzzle | str | Path, P], R] = _interface(function, read)
    return found


def _interface(function: Any, read: Callable[[str, str | Path], Any] | None) -> Any:
    code = function.__code__
    known = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    several = {name for name, kind in function.__annotations__.items() if kind in SEVERAL}

    @wraps(function)
    def call(*given: Any, **named: Any) -> Any:
        if not named.keys() <= {*known}:
            _check_keywords(function.__name__, [*known, *_further(call)], named)
        if read is not None:
            first = known[0]
            if given and isinstance(given[0], str | Path):
                given = (read(first, given[0]), *given[1:])
            elif isinstance(named.get(first), str | Path):
                named[first] = read(first, named[first])
        for name in several & named.keys():
            if isinstance(named[name], str):  # else it would be its letters
                named[name] = (named[name],)
        return function(*given, **named)

    return call


def _further(function: Callable[..., Any]) -> list[str]:
    """Return the keywords of what ``**settings`` of a function are for."""
    other = getattr(function, "settings_of", None)
    return list(signature(other).parameters) if other else []


def _check_keywords(name: str, known: list[str], given: dict[str, Any]) -> None:
    """Raise `TypeError` for a keyword that a function lacks."""
    for one in given:
        if one not in known:
            near = did_you_mean(one, known)
            remedy = f"; did you mean '{near}'?" if near else ""
            raise TypeError(f"calmip.{name}() has no keyword '{one}'{remedy}")
