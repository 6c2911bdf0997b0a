"""Marks: what was checked, what it is worth, why it failed, and an example that shows it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from calmip.course.cases import named_option
from calmip.problem.cover import ExactCover, Option, Placement, Reveal
from calmip.problem.instance import Instance

__all__ = [
    "Check",
    "Example",
    "Failed",
    "example",
    "example_of",
    "misplaced",
    "number_of",
    "options_of",
    "quoted",
    "run_checks",
]

MOST_TEXT = 200


@dataclass(frozen=True)
class Example:
    """Pieces on a board that show why something does not hold; they need not make a tiling.

    Parameters
    ----------
    instance
        The board, and what is to stay uncovered.
    placements
        The pieces.
    labels
        The labels that stay uncovered.
    """

    instance: Instance
    placements: tuple[Placement, ...]
    labels: tuple[str, ...]


@dataclass(frozen=True)
class Check:
    """One thing that was looked at.

    Parameters
    ----------
    what
        What has to hold.
    worth
        Its marks.
    fault
        Why it does not hold; empty if it does.
    examples
        The counter-examples to draw, mostly one or none.
    """

    what: str
    worth: int
    fault: str = ""
    examples: tuple[Example, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether it holds."""
        return not self.fault

    @property
    def marks(self) -> int:
        """The marks that were earned."""
        return self.worth if self.passed else 0


class Failed(Exception):
    """A check does not hold; the message says why.

    Parameters
    ----------
    fault
        Why, in a sentence.
    examples
        The counter-examples to draw, if there are any.
    """

    def __init__(self, fault: str, *examples: Example) -> None:
        super().__init__(fault)
        self.examples = examples


def run_checks(
    checks: Sequence[tuple[str, int, Callable[[], None], bool]],
) -> tuple[Check, ...]:
    """Run checks in order; after one that the others need, they are not looked at.

    Parameters
    ----------
    checks
        For each: what has to hold, its marks, a function that raises `Failed`,
        and whether the checks after it make no sense without it.
    """
    done: list[Check] = []
    stopped = ""
    for what, worth, look, needed in checks:
        if stopped:
            done.append(Check(what, worth, f"not looked at, because {stopped}"))
            continue
        try:
            look()
            done.append(Check(what, worth))
        except Failed as failed:
            done.append(Check(what, worth, str(failed), failed.examples))
            if needed:
                stopped = f"this does not hold: {what}"
    return tuple(done)


def example(instance: Instance, options: Sequence[Option]) -> Example:
    """Return a board with these placements."""
    placements = tuple(option for option in options if isinstance(option, Placement))
    labels = tuple(option.label for option in options if isinstance(option, Reveal))
    return Example(instance, placements, (*instance.labels, *labels))


def example_of(cover: ExactCover, options: Sequence[int]) -> Example:
    """Return a board with these options of an exact cover."""
    return example(cover.instance, [cover.option(option) for option in options])


def quoted(text: object) -> str:
    """Return a text of the submission so that it cannot be taken for one of ours."""
    try:
        return ascii(str(text)[:MOST_TEXT])
    except (RecursionError, ValueError):  # lists in lists; a number of thousands of digits
        return f"a {type(text).__name__} that is too large to be shown"


def misplaced(cover: ExactCover, placement: Placement) -> tuple[str, *tuple[Example, ...]]:
    """Return why a placement is none of the puzzle, and what of it can be drawn."""
    instance = cover.instance
    board, stay = instance.puzzle.board, instance.puzzle.board.labelled(instance.labels)
    on_board = tuple(cell for cell in placement.cells if cell in board.cells)
    seen = [example(instance, [Placement(placement.piece, on_board)])] if on_board else []
    if placement.piece not in {piece.name for piece in instance.puzzle.pieces}:
        return f"there is no piece {quoted(placement.piece)}", *seen
    if len(on_board) < len(placement.cells):
        return "it leaves the board", *seen
    if len(set(on_board)) < len(on_board):
        return "it names a cell twice", *seen
    for cell in on_board:
        if cell in stay:
            return f"it covers {stay[cell]}, which stays uncovered", *seen
    return f"it does not have the shape of {placement.piece}", *seen


def number_of(value: object, what: str) -> float:
    """Return a number of the submission as a finite one.

    Raises
    ------
    Failed
        If it is none: not a number, NaN, infinite or too large.
    """
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise Failed(f"{what} is a number, not {quoted(value)}")
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise Failed(f"{what} is a finite number, not {quoted(value)}")
    return number


def options_of(
    cover: ExactCover,
    names: Sequence[object],
    *,
    where: str = "",
    unknown: str = "is no placement of this puzzle",
) -> list[int]:
    """Return the options that the names of a submission mean, in their order, each there once.

    Parameters
    ----------
    cover
        The exact cover of the puzzle.
    names
        The names; whatever else is in their place is refused.
    where
        The beginning of a message.
    unknown
        What a message says of a name that means no option.

    Raises
    ------
    Failed
        If a name is no placement of the puzzle, or two are the same placement.
    """
    options: dict[int, object] = {}
    for name in names:
        option = named_option(cover, name) if isinstance(name, str) else None
        if not isinstance(option, int):
            raise Failed(f"{where}{quoted(name)} {unknown}")
        if option in options:
            both = " and ".join(quoted(text) for text in dict.fromkeys((options[option], name)))
            raise Failed(
                f"{where}the placement {both} is named twice; these are to be different placements",
                example_of(cover, [option]),
            )
        options[option] = name
    return list(options)
