"""Exercises 2 and 3: a placement model in PuLP or Pyomo.

The child process builds and writes one model per puzzle. Here the files are
read strictly and compared with the puzzle: every tiling has to satisfy the
model, and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from calmip.course.cases import CASES, name_of, named_option, plain
from calmip.course.marks import Check, Example, Failed, example, example_of, quoted, run_checks
from calmip.course.sandbox import handed_over
from calmip.errors import CalmipError
from calmip.formats.model_files import read_model
from calmip.formats.values import violations
from calmip.problem.binary_model import BinaryModel
from calmip.problem.cover import ExactCover, Placement
from calmip.search.equivalence import compare_model
from calmip.search.exact_cover.search import Search
from calmip.search.one_tree import OneTree

__all__ = ["grade_pulp", "grade_pyomo"]

SECONDS = 20.0
"""For each comparison of a model with its puzzle."""


def grade_pulp(path: Path, *, limits: Mapping[str, int] | None = None) -> tuple[Check, ...]:
    """Mark a file whose function ``build(puzzle)`` returns a ``pulp.LpProblem``."""
    return _grade(path, "pulp", ".mps", limits)


def grade_pyomo(path: Path, *, limits: Mapping[str, int] | None = None) -> tuple[Check, ...]:
    """Mark a file whose function ``build(puzzle)`` returns a ``pyomo`` ConcreteModel."""
    return _grade(path, "pyomo", ".lp", limits)


def _grade(
    path: Path, job: str, suffix: str, limits: Mapping[str, int] | None
) -> tuple[Check, ...]:
    covers = [ExactCover(instance) for instance in CASES]
    with ExitStack() as stack:
        submission = _Submission({f"{n}{suffix}": cover for n, cover in enumerate(covers)})

        def runs() -> None:
            task = {"job": job, "puzzles": [plain(instance) for instance in CASES]}
            handed = handed_over(path, task, submission.covers, limits=limits)
            submission.folder = stack.enter_context(handed)

        return run_checks(
            [
                ("build(puzzle) returns a model", 1, runs, True),
                ("all variables are binary", 1, submission.read, True),
                ("a variable for every placement and for nothing else", 3, submission.columns,
                 False),
                ("every tiling satisfies the model", 2, submission.tilings, False),
                ("every solution of the model is a tiling", 3, submission.solutions, False),
            ]
        )  # fmt: skip


@dataclass(frozen=True)
class _Answer:
    """The model of one puzzle; its variables' names as placements, and those that are none."""

    cover: ExactCover
    model: BinaryModel
    names: dict[str, str] = field(default_factory=dict)
    others: list[int] = field(default_factory=list)


class _Submission:
    """The models of one submission, one per puzzle; the puzzles go by the names of their files."""

    def __init__(self, covers: Mapping[str, ExactCover]) -> None:
        self.covers = covers
        self.folder = Path()
        self.answers: list[_Answer] = []

    def read(self) -> None:
        for name, cover in self.covers.items():
            path = self.folder / name
            try:
                self.answers.append(_Answer(cover, read_model(path)))
            except CalmipError as error:
                message = str(error).replace(str(path), name)
                raise Failed(f"puzzle {cover.instance.name}: {message[:300]}") from None

    def columns(self) -> None:
        """Note what the variables are, in every puzzle, and then say what is wrong in the first.

        Whether the equations are right is looked at all the same, on what variables there are.
        """
        faults = []
        for answer in self.answers:
            try:
                _note_columns(answer)
            except Failed as fault:
                faults.append(fault)
        if faults:
            raise faults[0]

    def _compared(self, test: Callable[[ExactCover, BinaryModel, dict[str, str]], None]) -> None:
        enough = False
        for answer in self.answers:
            cover, model, others = answer.cover, answer.model, answer.others
            part = cover.restricted([cover.option_number[name] for name in answer.names.values()])
            enough = enough or any(True for _ in Search(part, limit=1))
            fixed = model.with_row("calmip_others", others, 0, 0) if others else model
            test(part, fixed, answer.names)
        if not enough:
            raise Failed("its variables are too few for any tiling of any puzzle")

    def tilings(self) -> None:
        self._compared(_has_every_tiling)

    def solutions(self) -> None:
        self._compared(_has_nothing_else)


def _note_columns(answer: _Answer) -> None:
    """Note the placement of every variable that is one, and the variables that are none.

    Raises
    ------
    Failed
        If a variable is no placement that there is, or a placement has none, or two.
    """
    cover = answer.cover
    where = f"puzzle {cover.instance.name}"
    seen: dict[int, str] = {}
    faults = []
    for number, column in enumerate(answer.model.columns):
        option = named_option(cover, column)
        if option is None:
            continue
        if isinstance(option, Placement):
            answer.others.append(number)
            text = (
                f"{where}: the variable {quoted(column)} is no placement of piece "
                f"{option.piece} on cells to cover"
            )
            faults.append(Failed(text, _shown(cover, option)))
        elif option in seen:
            answer.others.append(number)
            text = f"{where}: two variables are the placement {quoted(column)}"
            faults.append(Failed(text))
        else:
            seen[option] = column
            answer.names[column] = cover.option_names[option]
    for option in range(cover.columns):
        if option not in seen:
            placement = cover.option(option)
            assert isinstance(placement, Placement)
            name = name_of(placement.piece, placement.cells)
            text = f"{where}: there is no variable for the placement {name}"
            faults.append(Failed(text, example_of(cover, [option])))
    if faults:
        raise faults[0]


def _has_every_tiling(cover: ExactCover, model: BinaryModel, names: dict[str, str]) -> None:
    found = compare_model(cover, model, names=names, time_limit=SECONDS)
    where = f"puzzle {cover.instance.name}"
    if found.equal is None:
        raise Failed(f"{where}: not decided: {found.reason}")
    if found.options is None or violations(cover, found.options):
        return
    raise Failed(f"{where}: {found.reason}", example_of(cover, list(found.options)))


def _has_nothing_else(cover: ExactCover, model: BinaryModel, names: dict[str, str]) -> None:
    where = f"puzzle {cover.instance.name}"
    option_of = {
        number: cover.option_number[names[column]]
        for number, column in enumerate(model.columns)
        if column in names
    }
    tilings = {tuple(options) for options in Search(cover)}
    search = OneTree(model, limit=len(tilings) + 1, time_limit=SECONDS)
    for point in search:
        chosen = sorted(option_of[column] for column in point if column in option_of)
        if tuple(chosen) not in tilings:
            faults = violations(cover, chosen)
            raise Failed(
                f"{where}: a solution of the model that is no tiling: {'; '.join(faults[:3])}",
                example_of(cover, chosen),
            )
    if search.stopped == "time":
        raise Failed(f"{where}: whether there are other solutions was not found out in time")


def _shown(cover: ExactCover, placement: Placement) -> Example:
    """Return a board with a placement that may leave it."""
    board = set(cover.instance.puzzle.board.cells)
    cells = tuple(cell for cell in placement.cells if cell in board)
    return example(cover.instance, [Placement(placement.piece, cells)])
