"""Exercises 2 and 5: a placement model, and all tilings by no-good cuts.

The child process calls the submission's functions and writes their results: a model of each
small puzzle, or the cuts. A second run writes the lists, so that an endless loop leaves the
cuts. Here the files are read strictly. A model is compared with its puzzle: its solutions must
be the tilings. Every puzzle has tilings, and a model without solutions is refused, so that no
comparison is empty. Each cut is tried on every tiling.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from calmip._base.errors import InputError, join_words
from calmip._base.limits import Deadline
from calmip.course.checks import (
    CASES,
    Check,
    Failed,
    Undecided,
    course_name,
    example_of,
    find_option,
    misplacement,
    number_of,
    options_of,
    plain,
    quote,
    run_checks,
)
from calmip.course.formulations import Limit, models_of
from calmip.course.sandbox import run_submission
from calmip.mip.defined import project
from calmip.mip.independent_search import exists
from calmip.mip.model import Model
from calmip.mip.one_tree import OneTree
from calmip.puzzle.cover import ExactCover
from calmip.puzzle.files.chosen_options import violations
from calmip.puzzle.instance import Placement
from calmip.puzzle.search.equivalence import compare_model
from calmip.puzzle.search.exact_cover.search import Search

BOUNDS = ("integer", "column_lower", "column_upper")
"""The fields of a model that say which values its variables take."""

COMPARISON_SECONDS = 20.0
"""The time limit of each comparison of a model with its puzzle, and of each search."""


def grade_model(path: Path, *, limits: Limit = None) -> tuple[Check, ...]:
    """Mark a file whose function ``build(puzzle)`` returns a model of PuLP, Pyomo or highspy."""
    data = {f"puzzle {instance.name}": plain(instance) for instance in CASES}
    models: list[Model] = []
    answers: list[_Answer] = []
    faults: list[Failed] = []

    def binary() -> None:
        for cover, model in zip(map(ExactCover, CASES), models, strict=True):
            try:
                answers.append(_Answer.of(cover, model))
            except Failed as failed:
                faults.append(failed)
                if (rounded := _with_binary_placements(cover, model)) is not None:
                    answers.append(rounded)
        if faults:
            raise faults[0]

    def every(look: Callable[[_Answer], None]) -> Callable[[], object]:
        def check() -> None:
            if len(answers) < len(models) or (
                look is _has_nothing_else and not all(answer.stays_binary for answer in answers)
            ):
                raise Failed("not checked, because this does not hold: all variables are binary")
            for answer in answers:
                look(answer)

        return check

    return run_checks(
        [
            (
                "build(puzzle) returns a model",
                1,
                lambda: models.extend(models_of(path, data, limits).values()),
                True,
            ),
            ("all variables are binary", 1, binary, False),
            (
                "a variable for every placement and for no wrong one",
                3,
                every(_has_the_placements),
                False,
            ),
            ("every tiling satisfies the model", 2, every(_has_every_tiling), False),
            ("every solution of the model is a tiling", 3, every(_has_nothing_else), False),
        ]
    )


@dataclass(frozen=True)
class _Answer:
    """The model of one puzzle, and which placement each of its variables is."""

    cover: ExactCover
    model: Model
    stays_binary: bool = True
    """Whether the student's variables can have no other values than those of the model."""

    @classmethod
    def of(cls, cover: ExactCover, model: Model) -> _Answer:
        """Return the answer of a model, if its variables are binary.

        Raises
        ------
        Failed
            If one is not.
        """
        try:
            return cls(cover, project(model).as_binary("the exercise"))
        except InputError as error:
            raise cls(cover, model).failed(error.message) from None

    @cached_property
    def intended(self) -> dict[int, int | Placement]:
        """The option that a variable's name means, or the placement that is none."""
        found = {n: find_option(self.cover, name) for n, name in enumerate(self.model.columns)}
        return {number: option for number, option in found.items() if option is not None}

    @cached_property
    def options(self) -> dict[int, int]:
        """The options that variables are; two may be the same."""
        return {number: one for number, one in self.intended.items() if isinstance(one, int)}

    @cached_property
    def variables(self) -> dict[int, int]:
        """The first variable of every option that has one."""
        return {option: number for number, option in reversed(self.options.items())}

    @cached_property
    def names(self) -> list[str]:
        """The names of the options: the student's, else the course's."""
        return [
            self.model.columns[self.variables[option]]
            if option in self.variables
            else course_name(self.cover, option)
            for option in range(self.cover.columns)
        ]

    @cached_property
    def tilings(self) -> set[tuple[int, ...]]:
        """All tilings of the puzzle."""
        return {tuple(options) for options in Search(self.cover)}

    def failed(self, fault: str, *options: int) -> Failed:
        """Return a fault of the model, and a board that shows it."""
        examples = [example_of(self.cover, options)] if options else []
        return Failed(f"puzzle {self.cover.instance.name}: {fault}", *examples)

    def undecided(self, why: str) -> Undecided:
        """Return that a question about the model was not decided."""
        return Undecided(f"puzzle {self.cover.instance.name}: not decided: {why}")

    def misplacement(self, number: int, subject: str) -> Failed:
        """Return the fault of a variable whose name means no placement of the puzzle."""
        wrong = self.intended[number]
        assert isinstance(wrong, Placement)
        why, *board = misplacement(self.cover, wrong)
        name = quote(self.model.columns[number])
        return Failed(str(self.failed(f"{subject} {name} is not a placement: {why}")), *board)

    def need_names(self) -> None:
        """Refuse a model without a variable that is named as a placement."""
        if not self.intended:
            raise self.failed("not checked, because no variable is named as a placement")


def _with_binary_placements(cover: ExactCover, model: Model) -> _Answer | None:
    """Return the answer of a model as if its placements were binary; None if others are not, too.

    Which placements it has, and whether tilings satisfy it, do not depend on their domain.
    """
    number = len(model.columns)
    integer, low, high = (np.array(model.values(one)) for one in BOUNDS)
    wrong = (integer == 0) | (low <= -1) | (high >= 2)
    if any(find_option(cover, model.columns[column]) is None for column in np.flatnonzero(wrong)):
        return None
    # In a row of terms from 0 on, no term is above the limit.
    owner = np.repeat(np.arange(len(model.rows)), np.diff(model.start))
    signed = np.bincount(
        owner, (model.value < 0) | (low[model.index] < 0), minlength=len(model.rows)
    )
    implied = (signed[owner] == 0) & (model.upper[owner] < 2 * model.value)
    at_most_one = np.bincount(model.index, implied, minlength=number) > 0
    changed = model.changed(
        integer=array("b", [1] * number),
        column_lower=array("d", np.where(wrong, 0.0, low)),
        column_upper=array("d", np.where(wrong, 1.0, high)),
        exact={key: v for key, v in model.exact.items() if key[0] not in BOUNDS},
    )
    try:
        answer = _Answer.of(cover, changed)
    except Failed:
        return None
    return replace(
        answer, stays_binary=bool(np.all(integer) and np.all(~wrong | at_most_one & (low > -1)))
    )


def _has_the_placements(answer: _Answer) -> None:
    """Refuse a variable that is not a placement, and a placement with no variable, or two."""
    if not answer.intended:
        found = join_words([quote(name) for name in answer.model.columns], most=3)
        raise answer.failed(
            f"no variable is named as a placement; found {found}. Name each variable by its "
            f"piece and its cells, such as {course_name(answer.cover, 0)}; the function "
            "name(piece, cells) in the starter does it"
        )
    for number, option in answer.intended.items():
        if isinstance(option, Placement):
            raise answer.misplacement(number, "the variable")
        if answer.variables[option] != number:
            both = " and ".join(
                quote(answer.model.columns[one]) for one in (answer.variables[option], number)
            )
            raise answer.failed(f"two variables are the same placement: {both}", option)
    for option, name in enumerate(answer.names):
        if option not in answer.variables:
            raise answer.failed(
                f"there is no variable for the placement {name}{_compared_in_part(answer)}", option
            )


def _compared_in_part(answer: _Answer) -> str:
    """Return the slip that explains all cells which no variable covers; empty for another one."""
    instance = answer.cover.instance
    board = instance.puzzle.board
    options = [answer.cover.option(option) for option in answer.variables]
    covered = {c for one in options if isinstance(one, Placement) for c in one.cells}
    bare = [board.label(cell) for cell in instance.to_cover if cell not in covered]
    parts = [
        next((stays for stays in instance.labels if stays in label or label in stays), "")
        for label in bare
    ]
    if not bare or not all(parts):
        return ""
    return (
        f"; no variable covers {quote(bare[0])}, as if it were {quote(parts[0])}, which stays "
        "uncovered: compare whole labels, not parts of them"
    )


def _has_every_tiling(answer: _Answer) -> None:
    """Refuse a model that a tiling violates, or that every point satisfies."""
    answer.need_names()
    cover, model = answer.cover, answer.model
    if not _forbids_anything(model):
        raise answer.failed(
            "the model has no equation that forbids anything: any choice of placements satisfies it"
        )
    for tiling in sorted(answer.tilings):
        for option in tiling:
            if option not in answer.variables:
                raise answer.failed(
                    "a tiling that the model does not have: there is no variable for its "
                    f"placement {answer.names[option]}",
                    *tiling,
                )
    kept = {number: option for option, number in answer.variables.items()}
    # In a tiling, variables of impossible placements and second variables of a placement are 0;
    # variables with other names are free.
    wrong = [number for number in answer.intended if number not in kept]
    fixed = model.with_row("calmip_others", wrong, 0, 0) if wrong else model
    columns = tuple(
        cover.option_names[kept[number]] if number in kept else f"other {number}"
        for number in range(len(model.columns))
    )
    comparison = compare_model(
        cover, replace(fixed, columns=columns), clock=Deadline(COMPARISON_SECONDS)
    )
    if comparison.equal is None:
        raise answer.undecided(comparison.reason)
    if comparison.options is not None and not violations(cover, comparison.options):
        raise answer.failed(comparison.reason, *comparison.options)


def _forbids_anything(model: Model) -> bool:
    """Whether some row is broken by some choice of values."""
    owner = np.repeat(np.arange(len(model.rows)), np.diff(model.start))
    least, most = (
        np.bincount(owner, bound(model.value, 0.0), minlength=len(model.rows))
        for bound in (np.minimum, np.maximum)
    )
    return bool(np.any(least < model.lower) or np.any(most > model.upper))


def _has_nothing_else(answer: _Answer) -> None:
    """Refuse a model that has a solution that is not a tiling, or no solution at all."""
    answer.need_names()
    most = len(answer.tilings) + 1
    search = OneTree(answer.model, limit=most, clock=Deadline(COMPARISON_SECONDS))
    found = 0
    for point in search:
        _check_tiling(answer, point)
        found += 1
    decided = search.complete
    if found == most and not decided:  # other variables may multiply the solutions
        decided = _check_rows(answer)
    if not decided:
        raise answer.undecided("whether there are other solutions was not found out in time")
    if not found:
        raise answer.failed("the model has no solution; this would be one", *min(answer.tilings))


def _check_rows(answer: _Answer) -> bool:
    """Return whether no solution breaks an equation, each asked by itself; False if not decided."""
    for columns, low, high in _broken_equations(answer):
        broken = answer.model.with_row("calmip_broken", columns, low, high)
        there, point = exists(broken, Deadline(COMPARISON_SECONDS))
        if there:
            _check_tiling(answer, point)
        if there is not False:
            return False
    return True


def _broken_equations(answer: _Answer) -> Iterator[tuple[list[int], float, float]]:
    """Yield the ways not to be a tiling: variables, and the bounds that their sum then has."""
    yield [n for n in answer.intended if n not in answer.options], 1, np.inf
    for row, item in enumerate(answer.cover.items):
        columns = [n for n, one in answer.options.items() if row in answer.cover.items_of(one)]
        yield columns, -np.inf, item.demand - 1.0
        yield columns, item.demand + 1.0, np.inf


def _check_tiling(answer: _Answer, point: list[int]) -> None:
    """Refuse a solution of the model that is not a tiling."""
    chosen = []
    for number in point:
        if isinstance(answer.intended.get(number), Placement):
            raise answer.misplacement(number, "a solution of the model that is not a tiling:")
        if number in answer.options:
            chosen.append(answer.options[number])
    faults = violations(answer.cover, chosen, names=answer.names)
    if faults:
        text = "; ".join(faults[:3])
        raise answer.failed(f"a solution of the model that is not a tiling: {text}", *chosen)


FUNCTIONS = {"cuts": "no_good_cut", "lists": "enumerate_all"}


class _EnumerationMarker:
    """The checks of the functions ``no_good_cut`` and ``enumerate_all`` in a file."""

    def __init__(self, path: Path, limits: Mapping[str, int] | None) -> None:
        self.path, self.limits = path, limits
        self.covers = [ExactCover(instance) for instance in CASES]
        self.solutions = [[tuple(options) for options in Search(cover)] for cover in self.covers]
        self.handed: dict[str, Any] = {}
        self.faults: dict[str, str] = {}

    def run(self) -> None:
        """Run the file twice; what fails is kept for the other checks."""
        try:
            self._run("cuts", _cuts)
        except Failed as failed:  # it is the file that fails
            self.faults.update(dict.fromkeys(FUNCTIONS, str(failed)))
            raise
        for kind, function in FUNCTIONS.items():
            if isinstance(self.handed.get(kind), str):
                self.faults[kind] = f"{function} failed: {quote(self.handed[kind])}"
        try:
            self._run("lists", _lists)
        except Failed as failed:
            self.faults["lists"] = f"enumerate_all: {failed}"
        if self.faults:
            raise Failed(next(iter(self.faults.values())))
        if self.handed["endless"]:
            raise Failed("enumerate_all does not end")

    def check_cuts(self) -> None:
        """Refuse a cut that allows its tiling, or forbids another solution."""
        self._need("cuts")
        cuts = self.handed["cuts"]
        if [len(given) for given in cuts] != [len(found) for found in self.solutions]:
            raise Failed("there is not one cut for every tiling")
        for cover, found, given in zip(self.covers, self.solutions, cuts, strict=True):
            for own, cut in zip(found, given, strict=True):
                _check_cut(cover, found, own, cut)

    def check_lists(self) -> None:
        """Refuse a list that lacks a tiling, or has one twice."""
        self._need("lists")
        lists, endless = self.handed["lists"], self.handed["endless"]
        number = len(lists)
        if number > len(self.covers) or (number == len(self.covers)) is bool(endless):
            raise Failed("there is not one list for every puzzle")
        for cover, found, listed in zip(self.covers, self.solutions, lists, strict=False):
            _check_list(cover, found, listed)
        if endless:
            raise _endless(self.covers[number], len(self.solutions[number]), *endless)

    def _run(self, job: str, read: Callable[[Any], dict[str, Any]]) -> None:
        tilings = [
            [[course_name(cover, option) for option in options] for options in found]
            for cover, found in zip(self.covers, self.solutions, strict=True)
        ]
        task = {"job": job, "tilings": tilings}
        with run_submission(self.path, task, [f"{job}.json"], limits=self.limits) as folder:
            self.handed.update(read_handed(folder / f"{job}.json", read))

    def _need(self, kind: str) -> None:
        if kind in self.faults:
            raise Failed(f"not checked, because {FUNCTIONS[kind]} does not run")


def grade_enumeration(path: Path, *, limits: Mapping[str, int] | None = None) -> tuple[Check, ...]:
    """Mark a file with the functions ``no_good_cut`` and ``enumerate_all``."""
    marker = _EnumerationMarker(path, limits)
    return run_checks(
        [
            ("the two functions run", 1, marker.run, False),
            ("no_good_cut forbids its tiling and no other", 4, marker.check_cuts, False),
            ("enumerate_all finds every tiling once", 5, marker.check_lists, False),
        ]
    )


def read_handed(path: Path, read: Callable[[Any], dict[str, Any]]) -> dict[str, Any]:
    """Return the output of the child, which is untrusted."""
    try:
        return read(json.loads(path.read_bytes()))
    except (ValueError, TypeError, KeyError, OverflowError, RecursionError):
        raise Failed("what the file handed over cannot be read") from None


def _cuts(answer: Any) -> dict[str, Any]:
    """Return the cuts, or the error that their function raised."""
    found = answer["cuts"]
    if not isinstance(found, str):
        found = [
            [(list(names), number_of(most, "what a cut allows")) for names, most in cuts]
            for cuts in found
        ]
    return {"cuts": found}


def _lists(answer: Any) -> dict[str, Any]:
    """Return the lists; for a stopped loop, its calls and last answers."""
    endless = answer["endless"]
    return {
        "lists": [list(listed) for listed in answer["lists"]],
        "endless": endless and (int(endless["calls"]), list(endless["answers"])[-2:]),
    }


def _options(cover: ExactCover, names: object) -> set[int]:
    where = f"puzzle {cover.instance.name}: "
    if not isinstance(names, list):
        raise Failed(f"{where}a tiling is a list of names of placements, not {quote(names)}")
    return set(options_of(cover, names, where=where, unknown="is not one of the placements given"))


def _check_cut(
    cover: ExactCover,
    tilings: list[tuple[int, ...]],
    tiling: tuple[int, ...],
    cut: tuple[list[object], float],
) -> None:
    names, most = cut
    where = f"puzzle {cover.instance.name}"
    row = _options(cover, names)
    if len(row & set(tiling)) <= most:
        raise Failed(
            f"{where}: the cut of this tiling does not forbid it: {len(row & set(tiling))} of its "
            f"placements are chosen, and {most:g} are allowed",
            example_of(cover, tiling),
        )
    for other in tilings:
        if other != tiling and len(row & set(other)) > most:
            raise Failed(
                f"{where}: the cut of another tiling forbids this one too: they share "
                f"{len(set(tiling) & set(other))} of {len(tiling)} placements, and at most "
                f"{most:g} are allowed",
                example_of(cover, other),
            )
    if row != set(tiling):
        raise Failed(
            f"{where}: the cut is a sum over all {len(tiling)} placements of its tiling; this one "
            f"has {len(row & set(tiling))} of them and {len(row - set(tiling))} others",
            example_of(cover, tiling),
        )
    if most != len(tiling) - 1:
        raise Failed(
            f"{where}: a tiling of k = {len(tiling)} placements allows k - 1 = {len(tiling) - 1} "
            f"of them, not {most:g}"
        )


def _check_list(cover: ExactCover, tilings: list[tuple[int, ...]], answer: list[object]) -> None:
    where = f"puzzle {cover.instance.name}"
    seen = set()
    for names in answer:
        if names == "None":  # the child hands over the text of what is no list
            raise Failed(f"{where}: None is listed; it says that no tiling is left, and is none")
        if isinstance(names, list) and len(names) == 2 and str(names[0]).startswith(("[", "(")):
            raise Failed(f"{where}: a cut is listed, not its tiling")
        options = tuple(sorted(_options(cover, names)))
        if options not in tilings:
            raise Failed(
                f"{where}: this was listed and is not a tiling", example_of(cover, options)
            )
        if options in seen:
            raise Failed(f"{where}: this tiling is listed twice", example_of(cover, options))
        seen.add(options)
    for options in tilings:
        if options not in seen:
            raise Failed(
                f"{where}: {len(tilings) - len(seen)} of {len(tilings)} tilings are missing, "
                "one of them this",
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
