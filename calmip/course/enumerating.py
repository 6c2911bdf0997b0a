"""Exercise 5: all tilings by no-good cuts, with k - 1 and with k - 2 on the right-hand side.

The child process calls the submission's functions on the tilings of small
puzzles and writes down what they return. Here each cut is tried on every
tiling.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from calmip.course.cases import CASES, name_of
from calmip.course.marks import (
    Check,
    Failed,
    example_of,
    number_of,
    options_of,
    run_checks,
)
from calmip.course.sandbox import handed_over
from calmip.problem.cover import ExactCover, Placement
from calmip.search.exact_cover.search import Search

__all__ = ["grade_enumeration"]


def grade_enumeration(path: Path, *, limits: Mapping[str, int] | None = None) -> tuple[Check, ...]:
    """Mark a file with the functions ``cut_k1``, ``cut_k2`` and ``enumerate_all``."""
    covers = [ExactCover(instance) for instance in CASES]
    solutions = [[tuple(options) for options in Search(cover)] for cover in covers]
    tilings = [
        [[_name(cover, option) for option in options] for options in found]
        for cover, found in zip(covers, solutions, strict=True)
    ]
    handed: dict[str, Any] = {}

    def runs() -> None:
        task = {"job": "cuts", "tilings": tilings}
        with handed_over(path, task, ["cuts.json"], limits=limits) as folder:
            handed.update(_read(folder / "cuts.json"))

    def cuts(kind: str) -> None:
        slack = {"k-1": 1, "k-2": 2}[kind]
        if [len(given) for given in handed[kind]] != [len(found) for found in solutions]:
            raise Failed("there is not one cut for every tiling")
        for cover, found, given in zip(covers, solutions, handed[kind], strict=True):
            for own, (names, most) in zip(found, given, strict=True):
                _check_cut(cover, found, own, (names, most), slack)

    def lists() -> None:
        if len(handed["lists"]) != len(covers):
            raise Failed("there is not one list for every puzzle")
        for cover, found, listed in zip(covers, solutions, handed["lists"], strict=True):
            _check_list(cover, found, listed)

    return run_checks(
        [
            ("the three functions run", 1, runs, True),
            ("cut_k1 forbids its tiling and no other", 3, lambda: cuts("k-1"), False),
            ("cut_k2 forbids its tiling and no other, with k - 2", 3, lambda: cuts("k-2"), False),
            ("enumerate_all finds every tiling once", 3, lists, False),
        ]
    )


def _read(path: Path) -> dict[str, Any]:
    """Return the cuts and lists of the child; it is not trusted to have written them properly."""
    try:
        found = json.loads(path.read_bytes())
        return {
            **{
                kind: [
                    [(list(names), number_of(most, f"what a cut of {kind} allows"))
                     for names, most in cuts]
                    for cuts in found[kind]
                ]
                for kind in ("k-1", "k-2")
            },
            "lists": [[list(tiling) for tiling in listed] for listed in found["lists"]],
        }  # fmt: skip
    except (ValueError, TypeError, KeyError, RecursionError):
        raise Failed("what the file handed over cannot be read") from None


def _name(cover: ExactCover, option: int) -> str:
    placement = cover.option(option)
    assert isinstance(placement, Placement)
    return name_of(placement.piece, placement.cells)


def _options(cover: ExactCover, names: list[object]) -> set[int]:
    where = f"puzzle {cover.instance.name}: "
    return set(
        options_of(cover, names, where=where, unknown="is none of the placements that it was given")
    )


def _check_cut(
    cover: ExactCover,
    found: list[tuple[int, ...]],
    own: tuple[int, ...],
    cut: tuple[list[object], float],
    slack: int,
) -> None:
    names, most = cut
    where = f"puzzle {cover.instance.name}"
    row = _options(cover, names)
    if len(row & set(own)) <= most:
        raise Failed(
            f"{where}: the cut of this tiling does not forbid it: {len(row & set(own))} of its "
            f"placements are chosen, and {most:g} are allowed",
            example_of(cover, own),
        )
    for other in found:
        if other != own and len(row & set(other)) > most:
            raise Failed(
                f"{where}: the cut of another tiling forbids this one too: they share "
                f"{len(set(own) & set(other))} of {len(own)} placements, and at most {most:g} "
                "are allowed",
                example_of(cover, other),
            )
    if row == set(own) and most != len(own) - slack:
        raise Failed(
            f"{where}: a tiling of k = {len(own)} placements allows k - {slack} = "
            f"{len(own) - slack} of them, not {most:g}"
        )


def _check_list(
    cover: ExactCover, found: list[tuple[int, ...]], listed: list[list[object]]
) -> None:
    where = f"puzzle {cover.instance.name}"
    seen = set()
    for names in listed:
        options = tuple(sorted(_options(cover, names)))
        if options not in found:
            raise Failed(f"{where}: this was listed and is no tiling", example_of(cover, options))
        if options in seen:
            raise Failed(f"{where}: this tiling is listed twice", example_of(cover, options))
        seen.add(options)
    for options in found:
        if options not in seen:
            raise Failed(
                f"{where}: {len(found) - len(seen)} of {len(found)} tilings are missing, one of "
                "them this",
                example_of(cover, options),
            )
