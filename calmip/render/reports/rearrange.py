"""A puzzle whose labels were rearranged, as YAML, and what was reached, in words."""

from __future__ import annotations

from calmip.documents.description import puzzle_text
from calmip.tasks._arrangement import Merit
from calmip.tasks.rearrange import Rearrangement

__all__ = ["reached", "text"]


def text(found: Rearrangement) -> str:
    """Return the new puzzle as YAML."""
    return puzzle_text(found.puzzle)


def reached(found: Rearrangement) -> list[str]:
    """Return the merits before, of the greedy arrangement and after, a line each."""
    merits = {"before:": found.before, "greedy:": found.greedy, "after:": found.after}
    return [f"{name:<8}{_words(merit)}" for name, merit in merits.items()]


def _words(merit: Merit) -> str:
    dates = "date is" if merit.impossible == 1 else "dates are"
    return f"rank correlation {merit.correlation:+.4f}; {merit.impossible} real {dates} impossible"
