"""Exercises 2 and 3: a placement model in PuLP or Pyomo.

The child process builds and writes one model per puzzle. Here the files are
read strictly and compared with the puzzle: every tiling has to satisfy the
model, and nothing else. Every puzzle has tilings, and a model without solutions
is refused, so that no comparison is empty.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np

from calmip._limits import Deadline
from calmip.course.marks import (
    CASES,
    Check,
    Failed,
    course_name,
    example_of,
    misplaced,
    named_option,
    plain,
    quoted,
    run_checks,
)
from calmip.course.sandbox import handed_over
from calmip.errors import CalmipError, listed
from calmip.formats.model_files import read_model
from calmip.formats.values import violations
from calmip.problem.binary_model import BinaryModel
from calmip.problem.cover import ExactCover, Placement
from calmip.search.equivalence import compare_model
from calmip.search.exact_cover.search import Search
from calmip.search.one_tree import OneTree
from calmip.search.witnesses import exists

__all__ = ["grade_pulp", "grade_pyomo"]

SECONDS = 20.0
"""For each comparison of a model with its puzzle, and each search of its solutions."""

INDEXED = re.compile(r"(\w+)\(([^()']*)\)")
ROW_OF_LP = re.compile(r"c_(?:[elu]|r_[lu])_(.+)_")
"""How Pyomo writes ``x[L_00_01]`` and the row ``cells``: ``x(L_00_01)``, ``c_e_cells_``."""


def grade_pulp(path: Path, *, limits: Mapping[str, int] | None = None) -> tuple[Check, ...]:
    """Mark a file whose function ``build(puzzle)`` returns a ``pulp.LpProblem``."""
    return _grade(path, "pulp", ".mps", limits)


def grade_pyomo(path: Path, *, limits: Mapping[str, int] | None = None) -> tuple[Check, ...]:
    """Mark a file whose function ``build(puzzle)`` returns a ``pyomo`` ConcreteModel."""
    return _grade(path, "pyomo", ".lp", limits)


def _grade(
    path: Path, job: str, suffix: str, limits: Mapping[str, int] | None
) -> tuple[Check, ...]:
    covers = {f"{n}{suffix}": ExactCover(instance) for n, instance in enumerate(CASES)}
    folders: list[Path] = []
    answers: list[_Answer] = []

    with ExitStack() as stack:

        def runs() -> None:
            task = {"job": job, "puzzles": [plain(instance) for instance in CASES]}
            folders.append(stack.enter_context(handed_over(path, task, covers, limits=limits)))

        def read() -> None:
            answers.extend(_read(cover, folders[0] / name) for name, cover in covers.items())

        def every(look: Callable[[_Answer], None]) -> Callable[[], None]:
            def looks() -> None:
                for answer in answers:
                    look(answer)

            return looks

        return run_checks(
            [
                ("build(puzzle) returns a model", 1, runs, True),
                ("all variables are binary", 1, read, True),
                ("a variable for every placement and for no wrong one", 3,
                 every(_has_the_placements), False),
                ("every tiling satisfies the model", 2, every(_has_every_tiling), False),
                ("every solution of the model is a tiling", 3, every(_has_nothing_else), False),
            ]
        )  # fmt: skip


@dataclass(frozen=True)
class _Answer:
    """The model of one puzzle, and which placement each of its variables is."""

    cover: ExactCover
    model: BinaryModel

    @cached_property
    def meant(self) -> dict[int, int | Placement]:
        """The option that a variable's name means, or the placement that is none."""
        found = {n: named_option(self.cover, name) for n, name in enumerate(self.model.columns)}
        return {number: option for number, option in found.items() if option is not None}

    @cached_property
    def options(self) -> dict[int, int]:
        """The options that variables are; two may be the same."""
        return {number: one for number, one in self.meant.items() if isinstance(one, int)}

    @cached_property
    def variables(self) -> dict[int, int]:
        """The first variable of every option that has one."""
        return {option: number for number, option in reversed(self.options.items())}

    @cached_property
    def names(self) -> list[str]:
        """What the options are called: by the student, or else in the course."""
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
        """Return what is wrong with the model, and a board that shows it."""
        examples = [example_of(self.cover, options)] if options else []
        return Failed(f"puzzle {self.cover.instance.name}: {fault}", *examples)

    def misplaced(self, number: int, subject: str) -> Failed:
        """Return that a variable's name means a placement that there is not."""
        wrong = self.meant[number]
        assert isinstance(wrong, Placement)
        why, *board = misplaced(self.cover, wrong)
        name = quoted(self.model.columns[number])
        return Failed(str(self.failed(f"{subject} {name} is no placement: {why}")), *board)

    def need_names(self) -> None:
        """Refuse to look further at a model of whose variables none is named as a placement."""
        if not self.meant:
            raise self.failed("not looked at, because no variable is named as a placement")


def _read(cover: ExactCover, path: Path) -> _Answer:
    """Return the model of a file, its variables and rows called as the student did."""
    try:
        model = read_model(path)
    except CalmipError as error:
        line = getattr(error, "line", None)
        place = "the file of the model" + (f", line {line}" if line is not None else "")
        text = _indexed(getattr(error, "message", str(error)))[:300]
        if text.startswith("column") and text.endswith("twice"):
            text += "; two variables have one name"
        raise Failed(f"puzzle {cover.instance.name}: {place}: {text}") from None
    if path.suffix == ".lp":
        rows = [ROW_OF_LP.sub(r"\1", row) for row in model.rows]
        model = replace(
            model,
            columns=tuple(map(_indexed, model.columns)),
            rows=tuple(map(_indexed, rows)),
        )
    return _Answer(cover, model)


def _indexed(text: str) -> str:
    return INDEXED.sub(r"\1[\2]", text)


def _has_the_placements(answer: _Answer) -> None:
    """Refuse a variable that is no placement, and a placement with no variable, or two."""
    if not answer.meant:
        found = listed([quoted(name) for name in answer.model.columns], most=3)
        raise answer.failed(
            f"no variable is named as a placement; found {found}. Name each variable by its "
            f"piece and its cells, such as {course_name(answer.cover, 0)}; the function "
            "name(piece, cells) in the starter of exercise 2 does it"
        )
    for number, option in answer.meant.items():
        if isinstance(option, Placement):
            raise answer.misplaced(number, "the variable")
        if answer.variables[option] != number:
            both = " and ".join(
                quoted(answer.model.columns[one]) for one in (answer.variables[option], number)
            )
            raise answer.failed(f"two variables are the same placement: {both}", option)
    for option, name in enumerate(answer.names):
        if option not in answer.variables:
            raise answer.failed(f"there is no variable for the placement {name}", option)


def _has_every_tiling(answer: _Answer) -> None:
    """Refuse a model that a tiling does not satisfy, or anything satisfies."""
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
    # A placement that there is not, and a second variable of one, are 0 in a tiling; what is
    # named otherwise is free.
    wrong = [number for number in answer.meant if number not in kept]
    fixed = model.with_row("calmip_others", wrong, 0, 0) if wrong else model
    columns = tuple(
        cover.option_names[kept[number]] if number in kept else f"other {number}"
        for number in range(len(model.columns))
    )
    found = compare_model(cover, replace(fixed, columns=columns), clock=Deadline(SECONDS))
    if found.equal is None:
        raise answer.failed(f"not decided: {found.reason}")
    if found.options is not None and not violations(cover, found.options):
        raise answer.failed(found.reason, *found.options)


def _forbids_anything(model: BinaryModel) -> bool:
    """Whether some row is broken by some choice of values."""
    owner = np.repeat(np.arange(len(model.rows)), np.diff(model.start))
    least, most = (
        np.bincount(owner, bound(model.value, 0.0), minlength=len(model.rows))
        for bound in (np.minimum, np.maximum)
    )
    return bool(np.any(least < model.lower) or np.any(most > model.upper))


def _has_nothing_else(answer: _Answer) -> None:
    """Refuse a model that has a solution that is no tiling, or no solution at all."""
    answer.need_names()
    search = OneTree(answer.model, limit=len(answer.tilings) + 1, time_limit=SECONDS)
    found = 0
    for point in search:
        _check_tiling(answer, point)
        found += 1
    decided = search.complete
    if search.stopped == "limit":  # by variables that are no placements there may be any number
        decided = _check_rows(answer)
    if not decided:
        raise answer.failed("whether there are other solutions was not found out in time")
    if not found:
        raise answer.failed("the model has no solution; this would be one", *min(answer.tilings))


def _check_rows(answer: _Answer) -> bool:
    """Return whether no solution breaks an equation, each asked by itself; False if not decided."""
    for columns, low, high in _broken_equations(answer):
        broken = answer.model.with_row("calmip_broken", columns, low, high)
        there, point = exists(broken, Deadline(SECONDS))
        if there:
            _check_tiling(answer, point)
        if there is not False:
            return False
    return True


def _broken_equations(answer: _Answer) -> Iterator[tuple[list[int], float, float]]:
    """Yield the ways not to be a tiling: variables, and the bounds that their sum then has."""
    yield [n for n in answer.meant if n not in answer.options], 1, np.inf
    for row, item in enumerate(answer.cover.items):
        columns = [n for n, one in answer.options.items() if row in answer.cover.items_of(one)]
        yield columns, -np.inf, item.demand - 1.0
        yield columns, item.demand + 1.0, np.inf


def _check_tiling(answer: _Answer, point: list[int]) -> None:
    """Refuse a solution of the model that is no tiling."""
    chosen = []
    for number in point:
        if isinstance(answer.meant.get(number), Placement):
            raise answer.misplaced(number, "a solution of the model that is no tiling:")
        if number in answer.options:
            chosen.append(answer.options[number])
    faults = violations(answer.cover, chosen, names=answer.names)
    if faults:
        text = "; ".join(faults[:3])
        raise answer.failed(f"a solution of the model that is no tiling: {text}", *chosen)
