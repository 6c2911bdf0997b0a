"""Exercise 6: the answer of a second solver to leap day of A-Puzzle-A-Day, or to a date drawn."""

from __future__ import annotations

from pathlib import Path

from calmip.course.marks import Check, Failed, example_of, quoted, run_checks
from calmip.documents.reader import read_instance
from calmip.errors import CalmipError, NotATiling
from calmip.formats.solutions import read_solution
from calmip.formats.values import chosen_options, violations
from calmip.problem.cover import ExactCover
from calmip.problem.instance import Instance

__all__ = ["grade_answer"]


def grade_answer(path: Path, *, instance: Instance | None = None) -> tuple[Check, ...]:
    """Mark a solution file, in any format but HiGHS's, to leap day or to another instance."""
    date = "29 February" if instance is None else "the date that was drawn"
    tilings = "leap day has 64 tilings" if instance is None else "this date has a tiling"
    cover = ExactCover(instance or read_instance("a-puzzle-a-day", reveal="Feb,29"))
    chosen: list[int] = []

    def readable() -> None:
        try:
            answer = read_solution(path, cover.option_names)
        except CalmipError as error:
            raise Failed(str(error)[:300]) from None
        if answer.format.startswith("HiGHS"):
            raise Failed(
                "this is a file of HiGHS, which comes with calmip; hand in that of a second solver"
            )
        if answer.claim == "infeasible":
            raise Failed(f"the file says {quoted(answer.detail or answer.claim)}; {tilings}")
        values.update(answer.values)

    def belongs() -> None:
        try:
            chosen.extend(chosen_options(cover, values))
        except NotATiling as error:
            raise Failed(str(error)) from None
        except CalmipError as error:
            raise Failed(str(error)[:300]) from None

    def tiling() -> None:
        faults = violations(cover, chosen)
        if faults:
            raise Failed(
                f"{len(faults)} equations fail, the first: {faults[0]}", example_of(cover, chosen)
            )

    values: dict[str, float] = {}
    return run_checks(
        [
            # Whose answer it is, no file proves: the first line is soon changed. So there are no
            # marks for it; only what says itself that HiGHS wrote it is refused.
            ("the file is a solver's answer, and does not say that it is HiGHS's", 2, readable,
             True),
            ("every column is 0 or 1, and one of this model's", 3, belongs, True),
            (f"it is a tiling of {date}", 5, tiling, False),
        ]
    )  # fmt: skip
