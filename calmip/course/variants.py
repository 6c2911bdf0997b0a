"""What is drawn for a student: puzzles here, data in their modules; what two share, and sheets."""

from __future__ import annotations

import hashlib
import itertools
import json
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any, TypeVar

from calmip.course import (
    all_optima,
    clinic,
    experiments,
    facilities,
    formulations,
    hand_cuts,
    lazy_rows,
    least_m,
    orbits,
    patterns,
    plane_hulls,
    pricing,
    rosters,
    separating,
)
from calmip.course.certificates import relaxation_of
from calmip.course.checks import LARGE as BOARDS
from calmip.course.checks import NO_TILING, SYMMETRIC, Check
from calmip.course.declared_numbers import Figures
from calmip.course.dice import Dice
from calmip.mip.status import Status
from calmip.puzzle.board import Board, Piece
from calmip.puzzle.cover import ExactCover
from calmip.puzzle.documents.reader import read_instance, read_puzzle
from calmip.puzzle.instance import Instance
from calmip.puzzle.lattice import Cell
from calmip.puzzle.puzzle import Puzzle
from calmip.puzzle.search.exact_cover.witnesses import exists

T = TypeVar("T")

PUZZLES = ("a-puzzle-a-day", "crea-makerspace", "jarringwords", "palmetto-whole-year")
"""Month and day on a board of 43 cells: seconds for any solver of integer programs."""

LARGE = {"L": ["###", "#.."], "T": ["###", ".#."], "S": [".##", "##."], "P": ["##", "##", "#."]}
SMALL = {"I": ["##"], "III": ["###"], "V": ["##", "#."]}
GRIDS = ((2, 3), (2, 4), (3, 3))

SHAPES = {
    2: (["##"],),
    3: (["###"], ["##", "#."]),
    4: (["###", "#.."], ["###", ".#."], [".##", "##."], ["####"], ["##", "##"]),
    5: (
        ["##", "##", "#."],
        ["#.#", "###"],
        ["####", ".#.."],
        ["##..", ".###"],
        ["###", "#..", "#.."],
        ["####", "#..."],
        ["##.", ".#.", ".##"],
        ["#..", "##.", ".##"],
        [".##", "##.", ".#."],
        [".#.", "###", ".#."],
        ["###", ".#.", ".#."],
        ["#####"],
    ),
}
"""The polyominoes of some sizes; new ones would draw other puzzles."""

SIZES = {10: ((4, 4, 2), (5, 3, 2)), 12: ((4, 4, 4), (5, 5, 2), (5, 4, 3))}
"""For each number of cells of a board, the sizes of different pieces that fill it."""

RECTANGLES = ((2, 4), (2, 5), (2, 6), (2, 7), (3, 4), (3, 5), (3, 6), (4, 4), (4, 5))
"""What the symmetric boards of exercise 9 are cut from."""

MAX_COPIED = 3
"""The most marks of the public answer to the page, as an answer to drawn data in JSON."""

MAX_TILINGS, MAX_ROSTERS = 1000, 2000
"""The most solutions of a puzzle of exercise 9 and of a roster, which a student enumerates."""


@dataclass(frozen=True)
class Assignment:
    """A student's puzzle, or the data of the own roster.

    Parameters
    ----------
    student, exercise
        The student and the exercise.
    seed
        The number that it was drawn by.
    task
        The puzzle and its date, or the data.
    source
        These as arguments of the program; empty for a board of its own.
    """

    student: str
    exercise: str
    seed: int
    task: Instance | Mapping[str, Any]
    source: str = ""

    @property
    def data_name(self) -> str:
        """The file of the data; no exercise has an answer of this name."""
        return f"{self.student}-data.json"

    @property
    def text(self) -> str:
        """The puzzle in a few words, the same for the same puzzle."""
        if self.source:
            return self.source
        if not isinstance(self.task, Instance):
            return hashlib.sha256(json.dumps(self.task).encode()).hexdigest()[:16]
        puzzle = self.task.puzzle
        rows = "/".join("".join(row) for row in puzzle.board.rows)
        pieces = [
            f"{piece.name}={'+'.join(f'{row}{column}' for row, column in sorted(piece.cells))}"
            for piece in puzzle.pieces
        ]
        return " ".join([rows, *pieces])


@dataclass(frozen=True)
class Draw:
    """How an exercise is drawn for a student.

    Parameters
    ----------
    make
        What a number draws, and its source as an `Assignment` has it.
    likeness
        What is the same for two tasks with the same right answer.
    fits
        Whether a task is one that the exercise can ask.
    sheet
        The lines of a student's sheet.
    data
        The data of a file beside the sheet; None if the sheet has all.
    figures
        The right figures of a task (`calmip.course.declared_numbers`); None without a program.
    files
        Further files beside the sheet, by the end of their names; None without any.
    """

    make: Callable[[int], tuple[Any, str]]
    likeness: Callable[[Any], Hashable]
    fits: Callable[[Any], bool]
    sheet: Callable[[Assignment], list[str]]
    data: Callable[[Any], dict[str, Any]] | None = None
    figures: Callable[[Any], Figures] | None = None
    files: Callable[[Any], Mapping[str, str]] | None = None


def _board(seed: int) -> tuple[Instance, str]:
    """Draw a board of at most nine cells and two pieces that fill it."""
    seed, large = divmod(seed, len(LARGE))
    seed, small = divmod(seed, len(SMALL))
    shapes = (list(LARGE.values())[large], list(SMALL.values())[small])
    area = sum(row.count("#") for shape in shapes for row in shape)
    grids = [grid for grid in GRIDS if grid[0] * grid[1] >= area]
    seed, which = divmod(seed, len(grids))
    rows, columns = grids[which]
    cells = [(row, column) for row in range(rows) for column in range(columns)]
    while len(cells) > area:
        seed, off = divmod(seed, len(cells))
        del cells[off]
    return _puzzle(grids[which], cells, shapes), ""


def _puzzle(shape: tuple[int, int], cells: Sequence[Cell], shapes: Sequence[list[str]]) -> Instance:
    """Return a puzzle on some cells of a rectangle, whose pieces are named A, B, C, ..."""
    labels = iter("abcdefghijklmnopqrstuvwxyz")
    text = [
        " ".join(next(labels) if (row, column) in cells else "." for column in range(shape[1]))
        for row in range(shape[0])
    ]
    pieces = tuple(map(Piece.from_rows, "ABCDEFGH", shapes))
    return Instance(Puzzle("drawn", Board.from_text(text), pieces), name="drawn")


def _date(seed: int) -> tuple[Instance, str]:
    """Draw a puzzle, a month and a day."""
    seed, which = divmod(seed, len(PUZZLES))
    labels = []
    for group in read_puzzle(PUZZLES[which]).groups.values():
        seed, number = divmod(seed, len(group))
        labels.append(group[number])
    text = ",".join(labels)
    return read_instance(PUZZLES[which], reveal=text), f"{PUZZLES[which]} --reveal {text}"


def _different(seed: int, *, area: int) -> tuple[Instance, str]:
    """Draw a board of some cells, two or three of a rectangle missing, and different pieces."""
    dice = Dice(seed)
    shape = (3, 4) if area < 12 else (3, 5)
    cells = dice.some(list(itertools.product(range(shape[0]), range(shape[1]))), area)
    sizes = dice.one(SIZES[area])
    shapes = [
        one
        for size in sorted(set(sizes), reverse=True)
        for one in dice.some(SHAPES[size], sizes.count(size))
    ]
    return _puzzle(shape, cells, shapes), ""


def _symmetric(seed: int) -> tuple[Instance, str]:
    """Draw a piece of its own, two to four equal ones, and a symmetric board with their cells."""
    dice = Dice(seed)
    anchor, number = dice.one([*SHAPES[4][:1], *SHAPES[5]]), 2 + dice.below(3)
    equal = dice.one(SHAPES[2] + SHAPES[3] + SHAPES[4])
    last = dice.one([[], *([one] for size in SHAPES for one in SHAPES[size])])
    shapes = [anchor, *[equal] * number, *last]
    area = sum(map(_size, shapes))
    rows, columns = dice.one(
        [one for one in RECTANGLES if area <= one[0] * one[1] <= area + 4] or [(area, 1)]
    )
    left = list(itertools.product(range(rows), range(columns)))
    while len(left) > area:  # cells and their images by half a turn, or by all reflections
        row, column = dice.one(left)
        off = {(row, column), (rows - 1 - row, columns - 1 - column)}
        if len(left) - area >= 4 and dice.below(2):
            off |= {(rows - 1 - row, column), (row, columns - 1 - column)}
        left = [cell for cell in left if cell not in off]
    return _puzzle((rows, columns), left, shapes), ""


def _size(shape: list[str]) -> int:
    return sum(row.count("#") for row in shape)


def _pentominoes(seed: int) -> tuple[Instance, str]:
    """Draw five pentominoes for a square of five by five."""
    cells = list(itertools.product(range(5), range(5)))
    return _puzzle((5, 5), cells, Dice(seed).some(SHAPES[5], 5)), ""


def _placements(instance: Instance) -> Hashable:
    cover = ExactCover(instance)
    return frozenset(cover.option(number) for number in range(cover.columns))


def _cells(instance: Instance) -> Hashable:
    # The cells suffice: no tiling covers two different sets of cells.
    return frozenset(instance.to_cover)


def _has_tiling(instance: Instance) -> bool:
    return exists(ExactCover(instance))[0] is True


def _has_certificate(instance: Instance) -> bool:
    return relaxation_of(ExactCover(instance)).status is Status.INFEASIBLE


def _needs_integrality(instance: Instance) -> bool:
    cover = ExactCover(instance)
    return relaxation_of(cover).status is Status.OPTIMAL and exists(cover)[0] is False


def _is_symmetric(instance: Instance) -> bool:
    cover = ExactCover(instance)
    return exists(cover)[0] is True and orbits.is_asked(instance, MAX_TILINGS)


def _has_rosters(data: Mapping[str, Any]) -> bool:
    return 10 <= rosters.figures_of(data, MAX_ROSTERS)["rosters"] <= MAX_ROSTERS


def _figures(figures_of: Callable[[Any], Figures]) -> Callable[[Any], Hashable]:
    def likeness(task: Any) -> Hashable:
        return tuple(sorted(figures_of(task).items()))

    return likeness


def _board_lines(assignment: Assignment) -> list[str]:
    """Return the drawing of a student's board and pieces."""
    assert isinstance(assignment.task, Instance)
    puzzle = assignment.task.puzzle
    rows, columns = puzzle.board.shape
    drawn = [
        " ".join(
            f"{r}{c}" if (r, c) in puzzle.board.cells else " ." for c in range(columns)
        ).rstrip()
        for r in range(rows)
    ]
    for piece in puzzle.pieces:
        left = min(column for _, column in piece.cells)
        cells = {(row, column - left) for row, column in piece.cells}
        height, width = (1 + max(cell[axis] for cell in cells) for axis in (0, 1))
        lines = ["".join(".#"[(r, c) in cells] for c in range(width)) for r in range(height)]
        drawn += ["", *(f"{piece.name if n == 0 else ' '}  {line}" for n, line in enumerate(lines))]
    return ["```text", *drawn, "```"]


BOARD_TASKS = {
    "1": (
        "List all placements of both pieces, one per line: the piece, a colon and its cells, row",
        "and column as two digits (`A: 00 01 02 10`). Pieces may be turned, and turned over.",
        "Nothing lies on a dot.",
    ),
    "7": (
        "The colouring is that of the page. Instead of 6 January, `date` and `prices` are about",
        "this board: nothing lies on a dot, and pieces may be turned, and turned over. Prove that",
        "it has no tiling.",
    ),
    "10": (
        "Instead of 3 January, explain why this board has no tiling: nothing lies on a dot, and",
        "pieces may be turned, and turned over.",
    ),
}
"""The task above the drawing of a student's own board, by exercise."""


def _board_sheet(assignment: Assignment) -> list[str]:
    return [*BOARD_TASKS[assignment.exercise], "", *_board_lines(assignment)]


def _answer_sheet(assignment: Assignment) -> list[str]:
    return [
        "Write this model, solve it with a second solver, and check its answer:",
        "",
        "```sh",
        f"calmip export {assignment.source} -o model.mps",
        f"cbc model.mps -solve -solution {assignment.student}.sol",
        f"calmip check {assignment.source} {assignment.student}.sol",
        "```",
    ]


def _wrong_models_sheet(assignment: Assignment) -> list[str]:
    assert not isinstance(assignment.task, Instance)
    models = [f"{n}. `{words}`" for n, words in enumerate(assignment.task["wrong"], start=1)]
    return ["Your three wrong models are, instead of those of the page:", "", *models]


def _clinic_sheet(assignment: Assignment) -> list[str]:
    lines = [
        "Your eight models, instead of those of the page, are below, and in the files",
        f"`{assignment.student}-MODEL.lp`.",
    ]
    for one in clinic.patients(_seed_of(assignment.task)):
        lines += ["", f"## {one.right.name}", "", "```text", *one.lp.splitlines(), "```"]
    return lines


def _clinic_files(task: Any) -> dict[str, str]:
    return {f"{one.right.name}.lp": one.lp for one in clinic.patients(_seed_of(task))}


def _seed_of(task: Any) -> int:
    return int(task["seed"])


def _program_sheet(assignment: Assignment, *, of: str) -> list[str]:
    return [
        f"Your program is marked with {of} in `{assignment.data_name}`, too.",
        "Your `FIGURES` are those of this file; on the page they are those of `data.json`.",
    ]


def _data_sheet(assignment: Assignment) -> list[str]:
    return [f"Your data are in `{assignment.data_name}`, instead of those of the page."]


def _data(draw: Callable[[int], Any]) -> Callable[[int], tuple[Any, str]]:
    """Return how data are drawn that no argument of the program names."""
    return lambda seed: (draw(seed), "")


def _drawn_data(
    draw: Callable[[int], Any],
    fits: Callable[[Any], bool],
    marker: Callable[..., tuple[Check, ...]],
    solution: str,
) -> Draw:
    """Return how data are drawn whose answer is a file that is not run."""
    public = Path(__file__).parent / "solutions" / solution

    def differs(task: Any) -> bool:
        """Return whether the answer to the data on the page, which is public, is worth little."""
        copied = sum(check.marks for check in marker(public, task=task)) if fits(task) else 10
        return copied <= MAX_COPIED

    return Draw(
        _data(draw),
        lambda task: json.dumps(task, sort_keys=True),
        differs,
        _data_sheet,
        dict,
    )


def _drawn_program(
    make: Callable[[int], tuple[Any, str]],
    fits: Callable[[Any], bool],
    data: Callable[[Any], dict[str, Any]],
    figures: Callable[[Any], Figures],
    of: str,
    *,
    public: Any,
) -> Draw:
    known = cache(partial(figures, public))

    def differs(task: Any) -> bool:
        """Return whether no figure is that of the data on the page, whose answers are public."""
        return fits(task) and all(value != known()[name] for name, value in figures(task).items())

    return Draw(make, _figures(figures), differs, partial(_program_sheet, of=of), data, figures)


DRAWN: dict[str, Draw] = {
    "1": Draw(_board, _placements, _has_tiling, _board_sheet),
    "6": Draw(_date, _cells, _has_tiling, _answer_sheet),
    "7": Draw(partial(_different, area=10), _placements, _has_certificate, _board_sheet),
    "8": _drawn_program(
        partial(_different, area=10),
        formulations.is_asked,
        formulations.data_of,
        formulations.figures_of,
        "the placements",
        public=NO_TILING,
    ),
    "9": _drawn_program(
        _symmetric,
        _is_symmetric,
        orbits.data_of,
        orbits.figures_of,
        "the puzzle",
        public=SYMMETRIC[-1],
    ),
    "10": Draw(partial(_different, area=12), _placements, _needs_integrality, _board_sheet),
    "11": _drawn_program(
        _pentominoes,
        pricing.is_asked,
        pricing.data_of,
        pricing.figures_of,
        "the board",
        public=BOARDS[0],
    ),
    "12": _drawn_program(
        _data(rosters.draw_data),
        _has_rosters,
        dict,
        rosters.figures_of,
        "the roster",
        public=rosters.ROSTERS[rosters.MINE],
    ),
    "13": _drawn_program(
        _data(patterns.draw_data),
        patterns.is_asked,
        dict,
        patterns.figures_of,
        "the workshop",
        public=patterns.WORKSHOPS[patterns.MINE],
    ),
    "14": _drawn_data(
        hand_cuts.draw_data, hand_cuts.is_asked, hand_cuts.grade_hand_cuts, "14-hand-cuts"
    ),
    "15": _drawn_data(
        plane_hulls.draw_data, plane_hulls.is_asked, plane_hulls.grade_plane_hull, "15-hull"
    ),
    "16": _drawn_data(least_m.draw_data, least_m.is_asked, least_m.grade_least_m, "16-smallest-m"),
    "17": _drawn_data(
        facilities.draw_data, facilities.is_asked, facilities.grade_facilities, "17-facilities"
    ),
    "18": _drawn_data(
        lazy_rows.draw_data, lazy_rows.is_asked, lazy_rows.grade_lazy_rows, "18-lazy-rows"
    ),
    "19": _drawn_data(
        all_optima.draw_data, all_optima.is_asked, all_optima.grade_all_optima, "19-all-optima"
    ),
    "20": _drawn_data(
        experiments.draw_data, experiments.is_asked, experiments.grade_experiment, "20-experiment"
    ),
    "data": Draw(
        _data(separating.draw_data),
        lambda task: frozenset(task["wrong"]),
        separating.is_asked,
        _wrong_models_sheet,
    ),
    "clinic": Draw(
        _data(lambda seed: {"seed": seed}),
        clinic.likeness,
        clinic.is_asked,
        _clinic_sheet,
        files=_clinic_files,
    ),
}
"""The exercises that can be drawn."""
