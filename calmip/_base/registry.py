"""Tables of solvers, formulations, formats and features: calmip's own, and those of other packages.

Another package offers its own by entry points. They are looked for only if a name is asked for
that calmip does not have, or if all are listed: the search of the installed packages takes
longer than most commands.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Iterator, Mapping, MutableMapping
from functools import cached_property
from importlib.machinery import PathFinder
from io import FileIO
from pathlib import Path
from typing import Any, Generic, TypeVar

from calmip._base.errors import (
    CalmipError,
    SolverFailed,
    SolverMissing,
    clip,
    describe_error,
    join_words,
)

T = TypeVar("T")
U = TypeVar("U")


class Offer:
    """What another package offers under a name: an entry point, or several, which is a fault.

    Parameters
    ----------
    points
        The entry points of the name, of type `importlib.metadata.EntryPoint`.
    """

    def __init__(self, points: list[Any]) -> None:
        self.points = sorted(points, key=lambda point: str(point.dist and point.dist.name))
        self.name: str = points[0].name
        self.packages = [clip(point.dist.name if point.dist else "") for point in self.points]

    @property
    def about(self) -> str:
        """The package, and its own sentence on itself."""
        dist = self.points[0].dist
        summary = dist.metadata["Summary"] if dist else None
        words = f"Of the package {join_words(self.packages)}"
        return f"{words}: {clip(summary, 200)}" if summary else f"{words}."

    def fault(self, why: str) -> SolverMissing:
        """Return the error that the offer cannot be used."""
        point = self.points[0]
        return SolverMissing(
            f"{clip(self.name)} of the package {self.packages[0]} cannot be used (entry point "
            f"{clip(point.value)} in {point.group}): {why}"
        )

    def load(self) -> Any:
        """Return the object of the entry point.

        Raises
        ------
        SolverMissing
            If it cannot be imported, or if another package offers the same name.
        """
        if len(self.points) > 1:
            raise self.fault(f"the packages {join_words(self.packages)} offer it; uninstall others")
        try:
            return self.points[0].load()
        except (Exception, SystemExit) as error:  # an import runs any code of the package
            raise self.fault(describe_error(error)) from error

    def call(self, work: Callable[..., U], *arguments: Any, **named: Any) -> U:
        """Call a function of the package; any error but those of calmip becomes `SolverFailed`."""
        try:
            return work(*arguments, **named)
        except CalmipError:
            raise
        except (Exception, SystemExit) as error:
            raise self.failed(describe_error(error)) from error

    def expect(self, value: Any, kind: type[U]) -> U:
        """Return what a function of the package returned, which must be of this type."""
        if not isinstance(value, kind):
            raise self.failed(f"it returned a {type(value).__name__}, not {kind.__name__}")
        return value

    def failed(self, why: str) -> SolverFailed:
        """Return the error that code of the package failed."""
        return SolverFailed(f"{clip(self.name)} of the package {self.packages[0]} failed: {why}")


class Guarded:
    """An object of another package, whose methods fail as `Offer.call` does."""

    def __init__(self, offer: Offer, thing: Any) -> None:
        self._offer, self._thing = offer, thing

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._thing, name)
        if not callable(found):
            return found
        return lambda *arguments, **named: self._offer.call(found, *arguments, **named)


class Registry(MutableMapping[str, T]):
    """A table by name; iterating and asking for an unknown name look for offers.

    Parameters
    ----------
    group
        The group of entry points.
    own
        The entries of calmip itself, which no other package replaces.
    adapt
        Makes an entry of an offer. It raises no error where all entries are listed, as the others
        are still of use.
    prefix
        What precedes the name of an entry point in this table.
    """

    def __init__(
        self,
        group: str,
        own: MutableMapping[str, T],
        adapt: Callable[[Offer], T],
        *,
        prefix: str = "",
    ) -> None:
        self.group, self.own = group, own
        self._adapt, self._prefix = adapt, prefix
        self._adapted: dict[str, T] = {}

    def is_offered(self) -> bool:
        """Return whether a package may declare an entry point of the group.

        This takes a small part of the time of a search, which reads the metadata of all packages
        and imports a parser of e-mail. Only folders of the path are read: a package in an archive,
        or of another finder, may declare one.
        """
        finders = (one for one in sys.meta_path if one is not PathFinder)
        if any(hasattr(one, "find_distributions") for one in finders):
            return True
        heading = f"[{self.group}]".encode()
        for folder in sys.path:
            if Path(folder).is_file():
                return True
            with contextlib.suppress(OSError), os.scandir(folder or os.curdir) as entries:
                for entry in entries:
                    if entry.name.endswith((".dist-info", ".egg-info")):
                        with (
                            contextlib.suppress(OSError),
                            FileIO(f"{entry.path}/entry_points.txt") as points,
                        ):
                            if heading in points.read():
                                return True
        return False

    @cached_property
    def _others(self) -> dict[str, Offer]:
        if not self.is_offered():
            return {}
        from importlib.metadata import entry_points

        found: dict[str, list[Any]] = {}
        for point in entry_points(group=self.group):
            found.setdefault(point.name, []).append(point)
        return {f"{self._prefix}{name}": Offer(points) for name, points in sorted(found.items())}

    def __getitem__(self, name: str) -> T:
        if name in self.own or not name:
            return self.own[name]
        if name not in self._adapted:
            self._adapted[name] = self._adapt(self._others[name])
        return self._adapted[name]

    def __setitem__(self, name: str, entry: T) -> None:
        self.own[name] = entry

    def __delitem__(self, name: str) -> None:
        del self.own[name]

    def __iter__(self) -> Iterator[str]:
        yield from self.own
        yield from (name for name in self._others if name not in self.own)

    def __len__(self) -> int:
        return len(list(iter(self)))


class View(Mapping[str, U], Generic[T, U]):
    """The entries of a registry for which a function of name and entry returns other than None."""

    def __init__(self, registry: Registry[T], get: Callable[[str, T], U | None]) -> None:
        self.registry, self._get = registry, get

    @property
    def own(self) -> dict[str, U]:
        """The entries of calmip itself."""
        pairs = ((name, self._get(name, entry)) for name, entry in self.registry.own.items())
        return {name: value for name, value in pairs if value is not None}

    def __getitem__(self, name: str) -> U:
        value = self._get(name, self.registry[name])
        if value is None:
            raise KeyError(name)
        return value

    def __iter__(self) -> Iterator[str]:
        return (name for name in self.registry if name in self)

    def __len__(self) -> int:
        return len(list(iter(self)))

    def __bool__(self) -> bool:
        return True  # without a search
