"""Exercise 5: all tilings by no-good cuts, with k - 1 and with k - 2 on the right-hand side.

The child process calls the submission's functions on the tilings of small
puzzles and writes down what they return: the cuts, and in a second run the
lists, so that a loop that never ends leaves the cuts. Here each cut is tried on
every tiling.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from calmip.course.marks import (
    CASES,
    Check,
    Failed,
    course_name,
    example_of,
    number_of,
    options_of,
    quoted,
    run_checks,
)
from calmip.course.sandbox import handed_over
from calmip.problem.cover import ExactCover
from calmip.search.exact_cover.search import Search

__all__ = ["grade_enumeration"]

FUNCTIONS = {"k-1": "cut_k1", "k-2": "cut_k2", "lists": "enumerate_all"}


def grade_enumeration(path: Path, *, limits: Mapping[str, int] | None = None) -> tuple[Check, ...]:
    """Mark a file with the functions ``cut_k1``, ``cut_k2`` and ``enumerate_all``."""
    covers = [ExactCover(instance) for instance in CASES]
    solutions = [[tuple(options) for options in Search(cover)] for cover in covers]
    tilings = [
        [[course_name(cover, option) for option in options] for options in found]
        for cover, found in zip(covers, solutions, strict=True)
    ]
    handed: dict[str, Any] = {}
    faults: dict[str, str] = {}

    def run(job: str, read: Callable[[Any], dict[str, Any]]) -> None:
        task = {"job": job, "tilings": tilings}
        with handed_over(path, task, [f"{job}.json"], limits=limits) as folder:
            handed.update(_read(folder / f"{job}.json", read))

    def runs() -> None:
        try:
            run("cuts", _cuts)
        except Failed as failed:  # it is the file that fails
            faults.update(dict.fromkeys(FUNCTIONS, str(failed)))
            raise
        for kind, function in FUNCTIONS.items():
            if isinstance(handed.get(kind), str):
                faults[kind] = f"{function} failed: {quoted(handed[kind])}"
        try:
            run("lists", _lists)
        except Failed as failed:
            faults["lists"] = f"enumerate_all: {failed}"
        if faults:
            raise Failed(next(iter(faults.values())))
        if handed["endless"]:
            raise Failed("enumerate_all does not end")

    def need(kind: str) -> None:
        if kind in faults:
            raise Failed(f"not looked at, because {FUNCTIONS[kind]} does not run")

    def cuts(kind: str) -> None:
        need(kind)
        slack = {"k-1": 1, "k-2": 2}[kind]
        if [len(given) for given in handed[kind]] != [len(found) for found in solutions]:
            raise Failed("there is not one cut for every tiling")
        for cover, found, given in zip(covers, solutions, handed[kind], strict=True):
            for own, (names, most) in zip(found, given, strict=True):
                _check_cut(cover, found, own, (names, most), slack)

    def lists() -> None:
        need("lists")
        number, endless = len(handed["lists"]), handed["endless"]
        if number > len(covers) or (number == len(covers)) is bool(endless):
            raise Failed("there is not one list for every puzzle")
        for cover, found, listed in zip(covers, solutions, handed["lists"], strict=False):
            _check_list(cover, found, listed)
        if endless:
            raise _endless(covers[number], len(solutions[number]), *endless)

    return run_checks(
        [
            ("the three functions run", 1, runs, False),
            ("cut_k1 forbids its tiling and no other", 3, lambda: cuts("k-1"), False),
            ("cut_k2 forbids its tiling and no other, with k - 2", 3, lambda: cuts("k-2"), False),
            ("enumerate_all finds every tiling once", 3, lists, False),
        ]
    )


def _read(path: Path, read: Callable[[Any], dict[str, Any]]) -> dict[str, Any]:
    """Return what the child handed over; it is not trusted to have written it properly."""
    try:
        return read(json.loads(path.read_bytes()))
    except (ValueError, TypeError, KeyError, OverflowError, RecursionError):
        raise Failed("what the file handed over cannot be read") from None


def _cuts(found: Any) -> dict[str, Any]:
    """Return the cuts of each function, or the error that it raised."""
    return {
        kind: found[kind]
        if isinstance(found[kind], str)
        else [
            [(list(names), number_of(most, f"what a cut of {kind} allows")) for names, most in cuts]
            for cuts in found[kind]
        ]
        for kind in ("k-1", "k-2")
    }


def _lists(found: Any) -> dict[str, Any]:
    """Return the lists, and of a loop that was stopped its calls and last answers."""
    endless = found["endless"]
    return {
        "lists": [list(listed) for listed in found["lists"]],
        "endless": endless and (int(endless["calls"]), list(endless["answers"])[-2:]),
    }


def _options(cover: ExactCover, names: object) -> set[int]:
    where = f"puzzle {cover.instance.name}: "
    if not isinstance(names, list):
        raise Failed(f"{where}a tiling is a list of names of placements, not {quoted(names)}")
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
    if row != set(own):
        raise Failed(
            f"{where}: the cut is a sum over all {len(own)} placements of its tiling; this one "
            f"has {len(row & set(own))} of them and {len(row - set(own))} others",
            example_of(cover, own),
        )
    if most != len(own) - slack:
        raise Failed(
            f"{where}: a tiling of k = {len(own)} placements allows k - {slack} = "
            f"{len(own) - slack} of them, not {most:g}"
        )


def _check_list(cover: ExactCover, found: list[tuple[int, ...]], listed: list[object]) -> None:
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


def _endless(cover: ExactCover, tilings: int, calls: int, last: list[object]) -> Failed:
    """Return why a loop was stopped, and the tilings that it was given last."""
    shown = [example_of(cover, sorted(_options(cover, one))) for one in last if one is not None]
    text = (
        f"puzzle {cover.instance.name}: the loop does not end: it called solve {calls} "
        f"time{'' if calls == 1 else 's'}, and there are {tilings} tilings. "
    )
    if calls <= tilings:
        return Failed(
            f"{text}Call solve anew in every round, and stop when it returns None", *shown
        )
    if not shown:
        return Failed(f"{text}solve returns None, as there is no further tiling; stop there")
    if len(shown) == 2 and shown[0] == shown[1]:
        return Failed(
            f"{text}solve returns this tiling again and again, as no cut that it gets forbids it",
            shown[0],
        )
    return Failed(
        f"{text}solve returns tilings that it has returned before, at the end these. It heeds "
        "the cuts of one call only: give it the cuts of all tilings found so far",
        *shown,
    )
