"""A public function with others beside it: ``calmip.grade`` and ``calmip.grade.folder``."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from typing import Any


class Verbs:
    """A function that has others as attributes; each is imported when it is used.

    Parameters
    ----------
    name
        The name of all of them.
    function
        What a call does; None if there are the others alone.
    places
        The modules and names of the others, such as ``calmip.course.grade.grade_folder``, by the
        names of the attributes.
    load
        Returns the function at a place.
    """

    def __init__(
        self,
        name: str,
        function: Callable[..., Any] | None,
        places: Mapping[str, str],
        load: Callable[[str], Any],
    ) -> None:
        self._name, self._function, self._places, self._load = name, function, dict(places), load
        if function is not None:
            functools.update_wrapper(self, function)

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        """Call the function.

        Raises
        ------
        TypeError
            If there is none.
        """
        if self._function is None:
            raise TypeError(f"{self} is no function; these are {self._list()}")
        return self._function(*arguments, **options)

    def __getattr__(self, verb: str) -> Any:
        place = self.__dict__.get("_places", {}).get(verb)
        if place is None:
            raise AttributeError(f"{self} has no attribute '{verb}'; these are {self._list()}")
        value = self.__dict__[verb] = self._load(place)
        return value

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._places]

    def __repr__(self) -> str:
        return f"calmip.{self.__dict__.get('_name', '')}"

    def _list(self) -> str:
        return ", ".join(f"{self}.{verb}" for verb in sorted(self.__dict__.get("_places", ())))
