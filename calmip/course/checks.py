"""Marks: what was checked, what it is worth, why it failed, and an example that shows it.

Also the small puzzles of the course, and the names of their placements.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from calmip._base.errors import InputError, NotATiling, SolverFailed
from calmip.course.machine import fault_of_machine
from calmip.mip.display import renderers
from calmip.puzzle.board import Board, Piece
from calmip.puzzle.cover import ExactCover, Option, Reveal
from calmip.puzzle.instance import Instance, Placement
from calmip.puzzle.lattice import Cell
from calmip.puzzle.placements import PlacementNames
from calmip.puzzle.puzzle import Puzzle
from calmip.puzzle.render.characters import align

MAX_TEXT_CHARACTERS = 200


@dataclass(frozen=True)
class Example:
    """Pieces on a board that show a fault, with the labels that stay uncovered."""

    instance: Instance
    placements: tuple[Placement, ...]
    labels: tuple[str, ...]


Table = tuple[tuple[str, ...], ...]
"""Rows of texts, the head first."""


@dataclass(frozen=True)
class Check:
    """A check of a submission.

    Parameters
    ----------
    what
        What has to hold.
    worth
        Its marks.
    fault
        Why it does not hold; empty if it does.
    examples
        The counter-examples to draw.
    undecided
        Whether it is not known whether it holds; the fault says why.
    table
        A counter-example as a table; empty without one.
    """

    what: str
    worth: int
    fault: str = ""
    examples: tuple[Example, ...] = ()
    undecided: bool = False
    table: Table = ()

    @property
    def passed(self) -> bool:
        """Whether it holds."""
        return not self.fault

    @property
    def marks(self) -> int:
        """The marks that were earned."""
        return self.worth if self.passed else 0

    @property
    def board(self) -> str:
        """The counter-examples drawn, their faults marked, or as a table; empty without one."""
        draw = renderers.notebook().draw_choice
        drawn = [draw(one.instance, one.placements, one.labels) for one in self.examples]
        return "\n".join([*align(self.table, left=range(99)), *drawn])


class Failed(Exception):
    """A check does not hold: a fault in a sentence, and counter-examples to draw."""

    table: Table = ()

    def __init__(self, fault: str, *examples: Example) -> None:
        super().__init__(fault)
        self.examples = examples


class Undecided(Failed):
    """Whether a check holds was not decided: no marks, and a word to the instructor."""


class MachineFault(SolverFailed):
    """A submission was not marked, by a fault of this machine: nothing is decided."""

    def __init__(self, why: str) -> None:
        super().__init__(f"this machine failed, not the submission: {why}")


def run_checks(
    checks: Sequence[tuple[str, int, Callable[[], object], bool]],
) -> tuple[Check, ...]:
    """Run checks in order.

    Parameters
    ----------
    checks
        For each: what has to hold, its marks, a function that raises `Failed` or the error of
        a file, and whether the further checks need it and are skipped without it.

    Raises
    ------
    MachineFault
        If the error of a file is this machine's.
    """
    done: list[Check] = []
    stopped = ""
    for what, worth, look, needed in checks:
        if stopped:
            done.append(Check(what, worth, f"not checked, because {stopped}"))
            continue
        try:
            look()
            done.append(Check(what, worth))
        except (Failed, InputError, NotATiling) as failed:
            if why := fault_of_machine(failed):
                raise MachineFault(why) from failed
            fault = str(failed)[:300] if isinstance(failed, InputError) else str(failed)
            examples, undecided = getattr(failed, "examples", ()), isinstance(failed, Undecided)
            table = getattr(failed, "table", ())
            done.append(Check(what, worth, fault, examples, undecided, table))
            if needed:
                stopped = f"this does not hold: {what}"
    return tuple(done)


def example(instance: Instance, options: Sequence[Option]) -> Example:
    """Return a board with these placements."""
    placements = tuple(option for option in options if isinstance(option, Placement))
    labels = tuple(option.label for option in options if isinstance(option, Reveal))
    return Example(instance, placements, (*instance.labels, *labels))


def example_of(cover: ExactCover, options: Sequence[int]) -> Example:
    """Return a board with these options of an exact cover."""
    return example(cover.instance, [cover.option(option) for option in options])


def quote(text: object) -> str:
    """Return a text of the submission in quotes, as plain ASCII."""
    try:
        return ascii(str(text)[:MAX_TEXT_CHARACTERS])
    except (RecursionError, ValueError):  # lists in lists; a number of thousands of digits
        return f"a {type(text).__name__} that is too large to be shown"


def misplacement(cover: ExactCover, placement: Placement) -> tuple[str, *tuple[Example, ...]]:
    """Return why a placement is not one of the puzzle's, and its cells on the board to draw."""
    fault, *board = _misplacement(cover, placement)
    return f"{fault}{_slip(cover, placement)}", *board


def _slip(cover: ExactCover, placement: Placement) -> str:
    """Return the slip by which a placement of the puzzle became this one; empty for another.

    A single cell becomes a placement of its piece by nearly any slip.
    """
    if len(placement.cells) == 1:
        return ""
    puzzle = cover.instance.puzzle
    if not puzzle.flip:
        turned = ExactCover(replace(cover.instance, puzzle=replace(puzzle, flip=True)))
        if placement in map(turned.option, range(turned.columns)):
            return "; it is turned over, which is forbidden here"
    placements = {cover.option(number) for number in range(cover.columns)}
    from_0 = [(row - 1, column - 1) for row, column in placement.cells]
    exchanged = [(column, row) for row, column in placement.cells]
    for meant, slip in (
        (from_0, "less 1 in each row and column it is one: these are counted from 0"),
        (exchanged, "with row and column exchanged it is one: the row is first"),
    ):
        if Placement(placement.piece, tuple(sorted(meant))) in placements:
            return f"; {slip}"
    return ""


def _misplacement(cover: ExactCover, placement: Placement) -> tuple[str, *tuple[Example, ...]]:
    instance = cover.instance
    board, stay = instance.puzzle.board, instance.puzzle.board.labelled(instance.labels)
    on_board = tuple(cell for cell in placement.cells if cell in board.cells)
    seen = [example(instance, [Placement(placement.piece, on_board)])] if on_board else []
    if placement.piece not in {piece.name for piece in instance.puzzle.pieces}:
        return f"there is no piece {quote(placement.piece)}", *seen
    if len(on_board) < len(placement.cells):
        return "it leaves the board", *seen
    if len(set(on_board)) < len(on_board):
        return "it names a cell twice", *seen
    for cell in on_board:
        if cell in stay:
            return f"it covers {stay[cell]}, which stays uncovered", *seen
    return f"it does not have the shape of {placement.piece}", *seen


def number_of(value: object, what: str) -> float:
    """Return a number of the submission as a finite one.

    Raises
    ------
    Failed
        If it is not a number, NaN, infinite or too large.
    """
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise Failed(f"{what} is a number, not {quote(value)}")
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise Failed(f"{what} is a finite number, not {quote(value)}")
    return number


NUMBER = re.compile(r"[+-]?\d{1,15}(/\d{1,15}|(\.\d{1,20})?([eE][+-]?\d{1,2})?)")
"""A whole number, a fraction or a decimal; short, so that every sum is."""


def rational_of(value: object, what: str) -> Fraction:
    """Return a number of a file that was read as text; `Failed` if it is none."""
    if not isinstance(value, str) or not NUMBER.fullmatch(value.strip()):
        raise Failed(
            f'{what} is a number such as 2, -1.5 or "1/3" of at most 15 digits, not {quote(value)}'
        )
    try:
        return Fraction(value.strip())
    except ZeroDivisionError:
        raise Failed(f"{what} has the denominator 0") from None


def rational_text(number: Fraction) -> str:
    """Return a number as a fraction, if it is short."""
    return str(number) if number.denominator < 10**6 else f"{float(number):.3g}"


def options_of(
    cover: ExactCover,
    names: Sequence[object],
    *,
    where: str = "",
    unknown: str = "is not a placement of this puzzle",
) -> list[int]:
    """Return the options that the names of a submission mean, in their order.

    Parameters
    ----------
    cover
        The exact cover of the puzzle.
    names
        The names.
    where
        The beginning of a message.
    unknown
        The end of the message about a name that means no option.

    Raises
    ------
    Failed
        If a name is not a placement of the puzzle, or two are the same placement.
    """
    options: dict[int, object] = {}
    for name in names:
        option = find_option(cover, name) if isinstance(name, str) else None
        if not isinstance(option, int):
            slip = _slip(cover, option) if isinstance(option, Placement) else ""
            raise Failed(f"{where}{quote(name)} {unknown}{slip}")
        if option in options:
            both = " and ".join(quote(text) for text in dict.fromkeys((options[option], name)))
            raise Failed(
                f"{where}the placement {both} is named twice; these are to be different placements",
                example_of(cover, [option]),
            )
        options[option] = name
    return list(options)


NAME = re.compile(r"(?<![A-Z])([A-Z])((?:_\d\d)+)")


def _instance(
    name: str, rows: list[str], pieces: dict[str, list[str]], reveal: str = "", *, flip: bool = True
) -> Instance:
    drawn = tuple(Piece.from_rows(letter, lines) for letter, lines in pieces.items())
    puzzle = Puzzle(name, Board.from_text(rows), drawn, flip=flip)
    return Instance(puzzle, tuple(reveal.split()), name=name)


# Why each is here: a first look; a board with a place outside, where a
# wrong cell uncovered shows; pieces that may not be turned over; a piece with few
# orientations and one that must lie flat, so that a missing row has other solutions;
# two labels, labels inside of labels, one over two cells, a hole in a tall board;
# three labels, one of them over two cells, months with one beginning, corners off the board;
# a board of two columns with a square. A program that is wrong in one of these ways must
# fail, and each of these puzzles has tilings, so that no check of a model is empty.
CASES: tuple[Instance, ...] = (
    _instance("six cells", ["a b c", "d e f"], {"L": ["###", "#.."], "I": ["##"]}),
    _instance(
        "eleven cells",
        ["a b c .", "d e f g", "h i j k"],
        {"P": ["##", "##", "#."], "L": ["###", "#.."], "I": ["#"]},
        reveal="g",
    ),
    _instance(
        "without turning over",
        ["a b c", "d e f", "g h i"],
        {"L": ["###", "#.."], "S": [".##", "##."]},
        reveal="a",
        flip=False,
    ),
    _instance(
        "twelve cells",
        ["a b c d", "e f g h", "i j k l"],
        {"V": ["##", "#."], "I": ["###"], "S": [".##", "##."], "O": ["##"]},
    ),
    _instance(
        "leap day",
        ["Jan Feb May", "Jun . May", "1 2 9", "12 21 29", "19 22 92"],
        {"L": ["###", "#.."], "V": ["##", "#."], "I": ["###"], "D": ["##"]},
        reveal="Feb 29",
    ),
    _instance(
        "a Sunday in July",
        [". Jul Jul Jun Mon", "2 12 21 22 Sun", "Jan 1 . 11 Sat", "20 23 Tue Wed ."],
        {"S": [".##", "##."], "V": ["##", "#."], "P": ["##", "##", "#."], "E": ["#"]},
        reveal="2 Jul Sun",
        flip=False,
    ),
    _instance(
        "two columns",
        ["9 19", "29 8", "2 18", "90 99", "1 91"],
        {"O": ["##", "##"], "V": ["##", "#."], "D": ["##"]},
        reveal="9",
    ),
)

SIX = _instance("six cells, a T", ["a b c", "d e f"], {"T": ["###", ".#."], "I": ["##"]})
"""No tiling, though the linear relaxation has a point."""

DOMINOES = _instance(
    "eight cells", ["a . c", "d e f", "g h i"], {letter: ["##"] for letter in "ABCD"}
)
"""No tiling by dominoes: of a chessboard it has five cells of one colour."""

NO_TILING, CONFLICT, TILED = (
    _instance(
        date,
        ["Jan Feb Mar Apr", "1 2 3 4", "5 6 7 8"],
        {"L": ["###", "#.."], "T": ["###", ".#."], "D": ["##"]},
        reveal=date,
    )
    for date in ("Jan 6", "Jan 3", "Mar 2")
)
"""Two dates of a small calendar without a tiling, and one with. The relaxation of the first is
infeasible, that of the second has a point."""

# The first piece is no good to break the symmetries of the board in the third and the fourth: a
# domino and an S may lie so that a motion maps them onto themselves. The fourth has turns only.
# In the fifth two pieces would do, and both together lose an orbit.
SYMMETRIC = (
    _instance(
        "two by four", ["a b c d", "e f g h"], {"L": ["###", "#.."], "A": ["##"], "B": ["##"]}
    ),
    _instance(
        "a ring", ["a b c", "d . f", "g h i"], {"A": ["##"], "B": ["##"], "L": ["###", "#.."]}
    ),
    _instance(
        "three by four",
        ["a b c d", "e f g h", "i j k l"],
        {"D": ["##"], "L": ["###", "#.."], "A": ["###"], "B": ["###"]},
    ),
    _instance(
        "turns only",
        ["a b c d", "e f g h", "i j k l"],
        {"S": [".##", "##."], "L": ["###", "#.."], "A": ["##"], "B": ["##"]},
        flip=False,
    ),
    _instance(
        "two that move",
        ["a b c d", "e f g h", "i j k l"],
        {"L": ["##", "#."], "P": ["##", "##", "#."], "A": ["##"], "B": ["##"]},
    ),
    _instance(
        "three dominoes",
        ["a b c d e", "f g h i j"],
        {"A": ["##"], "B": ["##"], "C": ["##"], "L": ["###", "#.."]},
    ),
)
"""Equal pieces on boards with symmetries, and one piece that no symmetry keeps in its place."""

_PENTOMINOES = {
    "L": ["####", "#..."],
    "N": ["##..", ".###"],
    "P": ["##", "##", "#."],
    "Y": ["####", ".#.."],
    "V": ["###", "#..", "#.."],
    "W": ["#..", "##.", ".##"],
}

LARGE = tuple(
    _instance(name, rows, {letter: _PENTOMINOES[letter] for letter in letters})
    for name, rows, letters in (
        ("five by five", [" ".join(f"c{r}{c}" for c in range(5)) for r in range(5)], "LPYNV"),
        ("five by six", [" ".join(f"c{r}{c}" for c in range(6)) for r in range(5)], "LPYNVW"),
    )
)
"""Larger boards, with hundreds of placements."""

PUZZLES = (*CASES, SIX, DOMINOES, NO_TILING, CONFLICT, TILED, *SYMMETRIC, *LARGE)
"""All puzzles of the course that are the same for everybody."""


def plain(instance: Instance) -> dict[str, Any]:
    """Return an instance as the dictionary that submissions get.

    The further pieces do not begin at (0, 0), and their cells have another order: the exercise
    promises neither.
    """
    puzzle = instance.puzzle
    return {
        "board": [list(row) for row in puzzle.board.rows],
        "uncover": list(instance.labels),
        "pieces": {
            piece.name: [[row + 2 * number, column + 3 * number] for row, column in cells]
            for number, piece in enumerate(puzzle.pieces)
            for cells in (piece.cells[:: -1 if number % 2 else 1],)
        },
        "flip": puzzle.flip,
    }


def name_of(piece: str, cells: Iterable[Cell]) -> str:
    """Return the course's name of a placement: ``L_00_01_02_10``."""
    return piece + "".join(f"_{row}{column}" for row, column in sorted(cells))


def course_name(cover: ExactCover, option: int) -> str:
    """Return the course's name of an option of a puzzle without free groups."""
    placement = cover.option(option)
    assert isinstance(placement, Placement)
    return name_of(placement.piece, placement.cells)


def find_option(cover: ExactCover, name: str) -> int | Placement | None:
    """Return the option that a name means; a `Placement` if it is none; None for another name.

    The name may be wrapped, as in ``x[L_00_01]`` or ``x(L_00_01)``, but be there once. Other
    spellings of piece and cells are understood as in all of calmip (`PlacementNames`).
    """
    found = NAME.search(name)
    if found is None:
        known = PlacementNames(cover)
        option = known.option(name)
        return known.placement(name) if option is None else option
    if NAME.search(name, found.end()):
        return None
    cells = tuple(
        sorted((int(part[0]), int(part[1])) for part in found.group(2).split("_") if part)
    )
    placement = Placement(found.group(1), cells)
    for number in range(cover.columns):
        if cover.option(number) == placement:
            return number
    return placement
