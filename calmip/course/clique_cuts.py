"""Exercise 4: the relaxation of a packing, its bound, and clique cuts.

The file is JSON: ``{"bound": 6, "optimum": 4, "cuts": [["T_...", "I_..."], ...]}``.
A cut says that of its placements at most one is chosen.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from typing import Any

from calmip._files import scratch_folder
from calmip.course.cases import SIX, course_name
from calmip.course.marks import (
    Check,
    Failed,
    example_of,
    number_of,
    options_of,
    quoted,
    run_checks,
)
from calmip.errors import CalmipError
from calmip.formats.reading import read_source
from calmip.models import build
from calmip.problem.cover import ExactCover
from calmip.solvers.highs import relax

__all__ = ["grade_cuts"]

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
        if not cuts:
            raise Failed("there is no cut")
        for cut in cuts:
            for one, other in combinations(cut, 2):
                if not set(cover.items_of(one)) & set(cover.items_of(other)):
                    names = " and ".join(course_name(cover, option) for option in (one, other))
                    raise Failed(
                        f"a cut is not valid: {names} fit on the board together, and the cut "
                        "allows one of them",
                        example_of(cover, [one, other]),
                    )

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
    model = build("packing", cover)
    for cut in cuts:
        model.forbid(cut, most=1)
    with scratch_folder() as folder:
        path = folder / "model.mps"
        model.write(path)
        bound = relax(path).bound
    assert bound is not None  # nothing placed satisfies every row
    return -bound
