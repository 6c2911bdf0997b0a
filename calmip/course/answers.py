"""Exercises 1, 4 and 6: a list, bounds and cuts, and a solver's answer; files that are not run.

Exercise 1 is a list of the placements of a tiny board. The file has a line per placement:
the piece, a colon, and the cells as two digits each, row and column from 0:
``L: 00 01 02 10``. ``#`` starts a comment.

Exercise 4 is the relaxation of a packing, its bound, and clique cuts. The file is JSON:
``{"bound": 6, "optimum": 4, "cuts": [["T_...", "I_..."], ...]}``. A cut allows at most one of
its placements.

Exercise 6 is the answer of a second solver to leap day of A-Puzzle-A-Day, or to a date drawn.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

from calmip.course.checks import (
    CASES,
    SIX,
    Check,
    Failed,
    example,
    example_of,
    misplacement,
    options_of,
    quote,
    rational_of,
    rational_text,
    run_checks,
)
from calmip.mip.files.solutions import read_solution
from calmip.mip.files.text_source import read_source
from calmip.mip.lp.linear import LinearModel
from calmip.mip.rows import Number
from calmip.models import build
from calmip.puzzle.cover import ExactCover
from calmip.puzzle.documents.reader import read_instance
from calmip.puzzle.files.chosen_options import chosen_options, violations
from calmip.puzzle.instance import Instance, Placement

LINE = re.compile(r"([A-Za-z]+)\s*:\s*((?:\d\d\s*)+)")


def grade_listing(path: Path, *, task: Instance = CASES[0]) -> tuple[Check, ...]:
    """Mark a list of all placements of the two pieces of "six cells", or of another puzzle."""
    cover = ExactCover(task)
    first, second = sorted(piece.name for piece in task.puzzle.pieces)
    options = map(cover.option, range(cover.columns))
    right = [option for option in options if isinstance(option, Placement)]
    listed: list[Placement] = []

    def readable() -> None:
        for number, line in enumerate(read_source(path).lines, start=1):
            text = line.partition("#")[0].strip()
            if not text:
                continue
            found = LINE.fullmatch(text)
            if found is None:
                raise Failed(
                    f"line {number}: found {quote(text)}; a line is a piece, a colon and its "
                    "cells, such as L: 00 01 02 10"
                )
            cells = tuple(sorted((int(p[0]), int(p[1])) for p in found.group(2).split()))
            listed.append(Placement(found.group(1), cells))
        if not listed:
            raise Failed("the file lists no placement")

    def valid() -> None:
        for placement in listed:
            if placement not in right:
                fault, *board = misplacement(cover, placement)
                raise Failed(f"{_words(placement)}: {fault}", *board)
        again = next((p for p, times in Counter(listed).items() if times > 1), None)
        if again is not None:
            raise Failed(f"{_words(again)} is listed twice", example(task, [again]))

    def complete(piece: str) -> None:
        own, mine = ([one for one in each if one.piece == piece] for each in (right, listed))
        _check_complete(own, mine, task)

    return run_checks(
        [
            ("the file is a list of placements", 1, readable, True),
            ("everything listed is a placement, once", 1, valid, False),
            (f"all placements of {first} are there", 4, lambda: complete(first), False),
            (f"all placements of {second} are there", 4, lambda: complete(second), False),
        ]
    )


def _check_complete(own: list[Placement], listed: list[Placement], task: Instance) -> None:
    """Refuse a list of the placements of a piece that lacks some, or has many others."""
    others = set(listed).difference(own)
    if 2 * len(others) > len(own):  # who lists all sets of cells has all placements, too
        raise Failed(f"{len(others)} lines with {own[0].piece} are no placements of it")
    if missing := [one for one in own if one not in listed]:
        verb = "s are" if len(missing) > 1 else " is"
        raise Failed(
            f"{len(missing)} placement{verb} missing, one of them {_words(missing[0])}",
            example(task, missing[:1]),
        )


def _words(placement: Placement) -> str:
    return f"{placement.piece}: {' '.join(f'{row}{column}' for row, column in placement.cells)}"


def read_answer(
    path: Path, form: Mapping[str, str], *, whole: bool = True, **how: Any
) -> dict[str, Any]:
    """Return the object of a JSON file that has exactly the keys of a form.

    Parameters
    ----------
    path
        The file.
    form
        The keys, and what their values look like.
    whole
        Whether a file without some of the keys, or with other ones, is refused.
    **how
        For `json.loads`: how numbers are read.

    Raises
    ------
    Failed
        If it is another file.
    """
    source = "\n".join(read_source(path).lines)
    try:
        answer = json.loads(source, **how)
    except (ValueError, RecursionError) as error:
        fault = f"the file is not JSON: {quote(error)}"
        if isinstance(error, json.JSONDecodeError):  # such as what a solver printed
            line = source.split("\n")[error.lineno - 1]
            fault += f"; the line is {quote(line)}"
        raise Failed(fault) from None
    if not isinstance(answer, dict):
        raise Failed(f"the file is {_text_of(form)}")
    if whole and (fault := fault_of_keys(answer, form)):
        raise Failed(fault)
    return answer


def _text_of(form: Mapping[str, str]) -> str:
    return "{" + ", ".join(f'"{key}": {value}' for key, value in form.items()) + "}"


def fault_of_keys(answer: Collection[str], form: Mapping[str, str]) -> str:
    """Return why an answer has not exactly the keys of a form; empty if it has."""
    if other := [key for key in answer if key not in form]:
        return f"the file is {_text_of(form)}, without {quote(other[0])}"
    if missing := [key for key in form if key not in answer]:
        return f"the file is {_text_of(form)}; {quote(missing[0])} is missing"
    return ""


class AnswerParts:
    """The parts of an answer in JSON, each read by itself.

    A part that is missing, or not as asked, costs the marks of the form and of the checks that
    need it; the others are marked.

    Parameters
    ----------
    path
        The file.
    form
        The keys, and what their values look like.
    readers
        What reads the value of each key, or raises `Failed`.
    """

    def __init__(
        self,
        path: Path,
        form: Mapping[str, str],
        readers: Mapping[str, Callable[[Any], object]],
    ) -> None:
        self.path, self.form, self.readers = path, form, readers
        self.there: set[str] = set()

    def read(self) -> None:
        """Read all parts, and refuse the file for the first fault."""
        # Numbers stay text: a float would be rounded, and one of many digits takes long.
        found = read_answer(
            self.path,
            self.form,
            whole=False,
            parse_int=str,
            parse_float=str,
            parse_constant=str,
        )
        faults = [fault_of_keys(found, self.form)]
        for key, reader in self.readers.items():
            if key in found:
                try:
                    reader(found[key])
                    self.there.add(key)
                except Failed as failed:
                    faults.append(str(failed))
        if fault := next(filter(None, faults), ""):
            raise Failed(fault)

    def after(self, look: Callable[[], object], *keys: str) -> Callable[[], object]:
        """Return a check that needs some parts: all of them without a key."""

        def check() -> None:
            if missing := [key for key in keys or self.form if key not in self.there]:
                raise Failed(f"not checked, because the file has no {missing[0]} as asked")
            look()

        return check


MAX_CUTS = 1000


def grade_cuts(path: Path) -> tuple[Check, ...]:
    """Mark bound, optimum and cuts for the puzzle "six cells, a T"."""
    cover, optimum = ExactCover(SIX), 4.0
    answer: dict[str, Fraction] = {}
    cuts: list[list[int]] = []

    def read_number(key: str, given: object) -> None:
        answer[key] = rational_of(given, key)

    slips = {
        ("bound", optimum): ", the optimum in integers",
        ("bound", 2): "; placements are counted, and cells are asked for",
        ("optimum", 1): "; placements are counted, and cells are asked for",
        ("optimum", 0): "; a packing may leave cells uncovered",
        ("optimum", 6): "; a packing of all six cells would be a tiling",
    }

    def number(key: str, right: Callable[[], float]) -> None:
        value = float(answer[key])
        if not math.isclose(value, right(), abs_tol=1e-6):
            slip = slips.get((key, value), "")
            if not slip and math.isclose(-value, right(), abs_tol=1e-6):
                slip = "; a model that minimises the negative number has the other sign"
            raise Failed(f"the {key} is not {rational_text(answer[key])}{slip}")

    def valid() -> None:
        # Any two placements of this puzzle are in conflict, so no cut excludes a tiling.
        if not cuts:
            raise Failed("there is no cut")

    def new() -> None:
        valid()
        # Rows are cliques too: a subset of one is valid, but not new.
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
        if bound > optimum + 1e-6:
            # The bound without cuts answers another question, so it is not printed.
            is_now = "the same as without them" if bound > best - 1e-6 else f"{bound:g}"
            raise Failed(
                f"with your cuts the bound is {is_now}; the optimum is smaller. Which "
                "placements of a fractional solution are pairwise in conflict, and in no row "
                "together?"
            )

    parts = AnswerParts(
        path,
        {"bound": "...", "optimum": "...", "cuts": "[[...], ...]"},
        {
            "bound": partial(read_number, "bound"),
            "optimum": partial(read_number, "optimum"),
            "cuts": lambda given: cuts.extend(_cuts(cover, given)),
        },
    )
    bound = partial(number, "bound", lambda: _bound(cover, []))
    best = partial(number, "optimum", lambda: optimum)
    return run_checks(
        [
            ("the file has a bound, an optimum and cuts", 1, parts.read, False),
            (
                "the bound of the linear relaxation is right",
                2,
                parts.after(bound, "bound"),
                False,
            ),
            ("the optimum is right", 2, parts.after(best, "optimum"), False),
            ("every cut is valid, and one is part of no row", 2, parts.after(new, "cuts"), False),
            ("the cuts bring the bound down to the optimum", 3, parts.after(strong, "cuts"), False),
        ]
    )


def _cuts(cover: ExactCover, answer: Any) -> list[list[int]]:
    if not isinstance(answer, list) or len(answer) > MAX_CUTS:
        raise Failed(f"cuts is a list of at most {MAX_CUTS} lists of placements")
    cuts = []
    for cut in answer:
        if not isinstance(cut, list) or not cut:
            raise Failed(f"a cut is a list of different placements, not {quote(cut)}")
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


def grade_answer(path: Path, *, task: Instance | None = None) -> tuple[Check, ...]:
    """Mark a solution file, in any format but HiGHS's, to leap day or to another instance."""
    date = "29 February" if task is None else "the date that was drawn"
    tilings = "leap day has 64 tilings" if task is None else "this date has a tiling"
    cover = ExactCover(task or read_instance("a-puzzle-a-day", reveal="Feb,29"))
    chosen: list[int] = []

    def readable() -> None:
        answer = read_solution(path, cover.option_names)
        if answer.format.startswith(("HiGHS", "calmip")):
            whose = "calmip" if answer.format == "calmip" else "HiGHS, which comes with calmip"
            raise Failed(f"this is a file of {whose}; hand in that of a second solver")
        if answer.claim == "infeasible":
            raise Failed(f"the file says {quote(answer.detail or answer.claim)}; {tilings}")
        if answer.claim == "unknown" and not answer.values:
            raise Failed(f"the file says {quote(answer.detail)} and holds no solution; {tilings}")
        values.update(answer.values)

    def belongs() -> None:
        chosen.extend(chosen_options(cover, values))

    def tiling() -> None:
        faults = violations(cover, chosen)
        if faults:
            raise Failed(
                f"{len(faults)} equations fail, the first: {faults[0]}", example_of(cover, chosen)
            )

    values: dict[str, float | Number] = {}
    return run_checks(
        [
            # No file proves which solver wrote it, so there are no marks for that.
            (
                "the file is a solver's answer, and does not say that it is HiGHS's",
                1,
                readable,
                True,
            ),
            ("every column is 0 or 1, and one of this model's", 1, belongs, True),
            (f"it is a tiling of {date}", 8, tiling, False),
        ]
    )
