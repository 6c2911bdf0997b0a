"""Exercises 1, 4 and 6: a list, bounds and cuts, and a solver's answer; files that nobody runs.

Exercise 1 is a list of the placements of a tiny board. The file has a line per placement:
the piece, a colon, and the cells as two digits each, row and column from 0:
``L: 00 01 02 10``. ``#`` starts a comment.

Exercise 4 is the relaxation of a packing, its bound, and clique cuts. The file is JSON:
``{"bound": 6, "optimum": 4, "cuts": [["T_...", "I_..."], ...]}``. A cut says that of its
placements at most one is chosen.

Exercise 6 is the answer of a second solver to leap day of A-Puzzle-A-Day, or to a date drawn.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from calmip.course.marks import (
    CASES,
    SIX,
    Check,
    Failed,
    example,
    example_of,
    misplaced,
    number_of,
    options_of,
    quoted,
    run_checks,
)
from calmip.documents.reader import read_instance
from calmip.errors import CalmipError, NotATiling
from calmip.formats.reading import read_source
from calmip.formats.solutions import read_solution
from calmip.formats.values import chosen_options, violations
from calmip.models import build
from calmip.problem.cover import ExactCover, Placement
from calmip.problem.instance import Instance
from calmip.search.linear import LinearModel

__all__ = ["grade_answer", "grade_cuts", "grade_listing"]


LINE = re.compile(r"([A-Za-z]+)\s*:\s*((?:\d\d\s*)+)")


def grade_listing(path: Path, *, instance: Instance = CASES[0]) -> tuple[Check, ...]:
    """Mark a list of all placements of the two pieces of "six cells", or of another puzzle."""
    cover = ExactCover(instance)
    first, second = sorted(piece.name for piece in instance.puzzle.pieces)
    right = {cover.option(number): number for number in range(cover.columns)}
    listed: list[Placement] = []

    def readable() -> None:
        try:
            lines = read_source(path).lines
        except CalmipError as error:
            raise Failed(str(error)) from None
        for number, line in enumerate(lines, start=1):
            text = line.partition("#")[0].strip()
            if not text:
                continue
            found = LINE.fullmatch(text)
            if found is None:
                raise Failed(
                    f"line {number}: found {quoted(text)}; a line is a piece, a colon and its "
                    "cells, such as L: 00 01 02 10"
                )
            cells = tuple(sorted((int(p[0]), int(p[1])) for p in found.group(2).split()))
            listed.append(Placement(found.group(1), cells))
        if not listed:
            raise Failed("the file lists no placement")

    def valid() -> None:
        for placement in listed:
            if placement not in right:
                fault, *board = misplaced(cover, placement)
                raise Failed(f"{_words(placement)}: {fault}", *board)
        again = next((p for p, times in Counter(listed).items() if times > 1), None)
        if again is not None:
            raise Failed(f"{_words(again)} is listed twice", example(cover.instance, [again]))

    def complete(piece: str) -> None:
        for placement, number in right.items():
            assert isinstance(placement, Placement)
            if placement.piece == piece and placement not in listed:
                left = sum(
                    1 for p in right
                    if isinstance(p, Placement) and p.piece == piece and p not in listed
                )  # fmt: skip
                raise Failed(
                    f"{left} placement{'s are' if left > 1 else ' is'} missing, one of them "
                    f"{_words(placement)}",
                    example_of(cover, [number]),
                )

    return run_checks(
        [
            ("the file is a list of placements", 1, readable, True),
            ("everything listed is a placement, once", 3, valid, False),
            (f"all placements of {first} are there", 3, lambda: complete(first), False),
            (f"all placements of {second} are there", 3, lambda: complete(second), False),
        ]
    )


def _words(placement: Placement) -> str:
    return f"{placement.piece}: {' '.join(f'{row}{column}' for row, column in placement.cells)}"


MOST_CUTS = 1000


def grade_cuts(path: Path) -> tuple[Check, ...]:
    """Mark bound, optimum and cuts for the puzzle "six cells, a T"."""
    cover = ExactCover(SIX)
    answer: dict[str, Any] = {}
    cuts: list[list[int]] = []

    def readable() -> None:
        try:
            found = json.loads("\n".join(read_source(path).lines))
        except CalmipError as error:
            raise Failed(str(error)) from None
        except (ValueError, RecursionError) as error:
            raise Failed(f"the file is not JSON: {quoted(error)}") from None
        if not isinstance(found, dict) or set(found) != {"bound", "optimum", "cuts"}:
            raise Failed('the file is {"bound": ..., "optimum": ..., "cuts": [[...], ...]}')
        answer.update(found)
        cuts.extend(_cuts(cover, found["cuts"]))

    def number(key: str, right: Callable[[], float]) -> None:
        value = number_of(answer[key], key)
        if not math.isclose(value, right(), abs_tol=1e-6):
            raise Failed(f"the {key} is not {quoted(answer[key])}")

    def valid() -> None:
        # Any two placements of this puzzle are in conflict, so whatever is cut, no tiling is.
        if not cuts:
            raise Failed("there is no cut")

    def new() -> None:
        valid()
        # Rows are cliques too; a part of one is valid, and costs no thought.
        rows = [set.intersection(*(set(cover.items_of(option)) for option in cut)) for cut in cuts]
        if all(rows):
            item = cover.items[min(rows[0])].text
            raise Failed(
                "no cut is new: each is part of a row that the model has, the first of that of "
                f"{item}"
            )

    def strong() -> None:
        valid()
        bound = _bound(cover, cuts)
        best = _bound(cover, [])
        if bound > 4 + 1e-6:
            # The bound without cuts is the answer to a question of its own: it is not told.
            is_now = "the same as without them" if bound > best - 1e-6 else f"{bound:g}"
            raise Failed(
                f"with your cuts the bound is {is_now}; the optimum is smaller. Which "
                "placements of a fractional solution are pairwise in conflict, and in no row "
                "together?"
            )

    return run_checks(
        [
            ("the file has a bound, an optimum and cuts", 1, readable, True),
            ("the bound of the linear relaxation is right", 2,
             lambda: number("bound", lambda: _bound(cover, [])), False),
            ("the optimum is right", 2, lambda: number("optimum", lambda: 4.0), False),
            ("every cut is valid, and one is part of no row", 2, new, False),
            ("the cuts bring the bound down to the optimum", 3, strong, False),
        ]
    )  # fmt: skip


def _cuts(cover: ExactCover, given: Any) -> list[list[int]]:
    if not isinstance(given, list) or len(given) > MOST_CUTS:
        raise Failed(f"cuts is a list of at most {MOST_CUTS} lists of placements")
    cuts = []
    for cut in given:
        if not isinstance(cut, list) or not cut:
            raise Failed(f"a cut is a list of different placements, not {quoted(cut)}")
        cuts.append(options_of(cover, cut))
    return cuts


def _bound(cover: ExactCover, cuts: list[list[int]]) -> float:
    """Return the most cells that the relaxation of the packing model covers."""
    model = LinearModel(build("matrix", cover.packing()).native)
    for cut in cuts:
        model.at_most(cut, 1)
    point = model.solve()
    assert point is not None  # nothing placed satisfies every row
    return -point.bound


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
