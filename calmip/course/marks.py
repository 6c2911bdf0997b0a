"""Marks: what was checked, what it is worth, why it failed, and a board that shows it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from calmip.problem.cover import ExactCover, Option, Placement, Reveal
from calmip.problem.instance import Instance
from calmip.render.text import draw_choice

__all__ = ["Check", "Failed", "Result", "drawing", "quoted", "run_checks"]

MOST_TEXT = 200


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
    board
        A drawing of the counter-example, or empty.
    """

    what: str
    worth: int
    fault: str = ""
    board: str = ""

    @property
    def passed(self) -> bool:
        """Whether it holds."""
        return not self.fault


@dataclass(frozen=True)
class Result:
    """The marks of one submission.

    Parameters
    ----------
    exercise, title
        The exercise.
    checks
        What was looked at, in order.
    """

    exercise: str
    title: str
    checks: tuple[Check, ...]

    @property
    def marks(self) -> int:
        """The marks that were earned."""
        return sum(check.worth for check in self.checks if check.passed)

    @property
    def most(self) -> int:
        """The marks that there are."""
        return sum(check.worth for check in self.checks)


class Failed(Exception):
    """A check does not hold; the message says why.

    Parameters
    ----------
    fault
        Why, in a sentence.
    board
        A drawing of the counter-example.
    """

    def __init__(self, fault: str, board: str = "") -> None:
        super().__init__(fault)
        self.fault = fault
        self.board = board


def run_checks(checks: Sequence[tuple[str, int, Callable[[], None], bool]]) -> Result:
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
            done.append(Check(what, worth, failed.fault, failed.board))
            if needed:
                stopped = f"this does not hold: {what}"
    return Result("", "", tuple(done))


def drawing(instance: Instance, options: Sequence[Option]) -> str:
    """Return a board with these placements, faults marked."""
    placements = [option for option in options if isinstance(option, Placement)]
    labels = [option.label for option in options if isinstance(option, Reveal)]
    return draw_choice(instance, placements, [*instance.labels, *labels])


def board_of(cover: ExactCover, options: Sequence[int]) -> str:
    """Return a board with these options of an exact cover."""
    return drawing(cover.instance, [cover.option(option) for option in options])


def quoted(text: object) -> str:
    """Return a text of the submission so that it cannot be taken for one of ours."""
    return ascii(str(text)[:MOST_TEXT])
