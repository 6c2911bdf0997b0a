"""Items and options of an exact cover: what is covered, what covers it, and their short names."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from calmip.problem.instance import Placement
from calmip.problem.lattice import Cell

__all__ = ["Item", "Option", "Placement", "Reveal", "place_name", "short_codes"]


@dataclass(frozen=True, order=True)
class Reveal:
    """A label of a free group that stays uncovered, with the cells that this frees."""

    group: str
    label: str
    cells: tuple[Cell, ...]


Option = Placement | Reveal


@dataclass(frozen=True)
class Item:
    """One thing to cover: a cell, a piece (or several equal ones), or a free reveal group.

    Parameters
    ----------
    kind
        ``"cell"``, ``"piece"`` or ``"group"``.
    text
        What a person calls it, for example ``cell 29 (6, 0)``.
    name
        The row's name in model files.
    demand
        How often it must be covered: 1, or the number of equal pieces.
    """

    kind: str
    text: str
    name: str
    demand: int = 1


def short_codes(texts: Iterable[str], letter: str, most: int) -> list[str]:
    """Return short unique codes of letters and digits, the texts themselves where they serve."""
    texts = list(texts)
    cut = [re.sub(r"[^A-Za-z0-9]", "", text)[:most] for text in texts]
    # A name that starts with a digit or like a number (E5), or with the
    # prefix of reveals (r_), would be misread by some program.
    plain = all(code and not re.match(r"[0-9]|[eE][0-9]|r$", code) for code in cut)
    if len(set(cut)) == len(cut) and (plain or (letter != "p" and all(cut))):
        return cut
    return [f"{letter}{number}" for number in range(1, len(texts) + 1)]


def place_name(row: int, column: int, wide: bool) -> str:
    """Return a place in a name: ``30``, or ``r12c3`` where the board is wide."""
    return f"r{row}c{column}" if wide else f"{row}{column}"
