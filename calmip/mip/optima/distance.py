"""How different solutions are: the distances, what is proved of a choice, and its words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from calmip._base.errors import InputError, join_words

DISTANCES = {
    "unequal": "the number of integer variables with another value",
    "l1": "the sum of the differences of the integer variables",
}
"""The distances of two solutions."""


@dataclass(frozen=True)
class Diversity:
    """How different some solutions are, and what is proved of that.

    Parameters
    ----------
    wanted
        The number of solutions that was wanted.
    distance
        A key of `DISTANCES`.
    method
        ``"all"``: there are no more solutions than wanted. ``"exact"``: chosen exactly from the
        complete pool. ``"pool"``: chosen from it until the time limit of the choice. ``"greedy"``:
        each as far as possible from those before, as the pool was too large. Empty if there is
        no choice, as the search was stopped.
    least
        The least distance of two; None of fewer than two solutions.
    bound
        No choice of so many solutions has a greater one; None if there is no bound.
    pool
        The number of all solutions, if the pool is complete.
    """

    wanted: int
    distance: str
    method: str
    least: int | None = None
    bound: int | None = None
    pool: int | None = None

    @property
    def proved(self) -> bool:
        """Whether no choice is better."""
        exact = self.method in ("all", "exact")
        return exact or (self.least is not None and self.least == self.bound)

    def describe(self) -> dict[str, Any]:
        """Return it as plain data."""
        return {
            "wanted": self.wanted,
            "distance": self.distance,
            "method": self.method,
            "least": self.least,
            "bound": self.bound,
            "proved": self.proved,
            "pool": self.pool,
        }


def describe_choice(found: Diversity, number: int, what: str, units: str) -> str:
    """Return in a sentence how different so many solutions are, and how they were found."""
    text = f"{number:,} {what}{'s' * (number != 1)}"
    if found.method == "all":
        return f"{text}, all there are; nothing to choose"
    if found.method in ("exact", "pool"):
        text += f" of {found.pool:,}"
    if found.method == "greedy":
        text += ", each as far as possible from those before"
    if found.least is None:
        return text
    if found.distance == "l1":
        text += f"; any two are at least {found.least:,} apart (sum of the differences)"
    else:
        own = units.removesuffix("s") if found.least == 1 else units
        text += f"; any two differ in at least {found.least:,} {own}"
    if found.proved:
        return f"{text}, the greatest possible number, proved"
    return text + ("" if found.bound is None else f"; more than {found.bound:,} is impossible")


def check_choice(number: int, distance: str) -> None:
    """Raise `InputError` if a number of solutions or a distance is wrong."""
    if number < 1:
        raise InputError(f"diverse is a number of solutions from 1 on, not {number}")
    if distance not in DISTANCES:
        raise InputError(f"unknown distance '{distance}'; use {join_words(DISTANCES)}")
