"""The difficulty for people: what its rules matter, and what others published.

    python -m benchmarks.difficulty rules a-puzzle-a-day --every 3
    python -m benchmarks.difficulty sets --every 37 --runs 200
    python -m benchmarks.difficulty levels data.py

``rules`` rates dates with one rule changed, and prints the mean and the rank correlation with the
rating itself. ``sets`` plays random games of the same person on the four sets of pieces that sh1ura
sorted by difficulty (github.com/sh1ura/daily-puzzle-solver), and prints the mean of the placements
tried with its standard error; on A-Puzzle-A-Day the exact expectation stands beside it.
``levels`` rates the positions of Kanoodle Genius, which the publisher sorted into three levels; the
file is kanoodlegenius2d/domain/data.py of github.com/wkeeling/kanoodlegenius2d.
"""

from __future__ import annotations

import argparse
import ast
import math
import random
import statistics
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

from calmip import Board, ExactCover, Instance, Piece, Placement, Puzzle, read_puzzle
from calmip._base.bits import bits
from calmip._base.limits import Deadline, Limits
from calmip.puzzle.lattice import HEXAGONAL
from calmip.puzzle.search.difficulty import MAX_POSITIONS, Position, _Person, rank_correlation, rate
from calmip.puzzle.search.exact_cover.counting import count
from calmip.year.year import year

Found = tuple[bool, Fraction, Fraction, int]


class WithoutDark(_Person):
    """A person who does not know the rule of dark cells."""

    def _weight(self, cells: int) -> int:
        return cells.bit_count() * (self._cells + 1)


class Reversed(_Person):
    """A person who takes the last of several most constrained cells."""

    def _most_constrained(self, position: Position) -> int:
        bare, _, possible = position
        cells = sorted(bits(bare), reverse=True)
        first = min((possible & self._of_cell[1 << cell] for cell in cells), key=int.bit_count)
        other = super()._most_constrained(position)
        return first if first.bit_count() == other.bit_count() else other


class Topmost(_Person):
    """A person who always covers the first free cell."""

    def _most_constrained(self, position: Position) -> int:
        bare, _, possible = position
        return possible & self._of_cell[bare & -bare]


class Player(_Person):
    """A person who plays once, in a random order of the trials."""

    rng = random.Random(0)

    def _explore(self, position: Position) -> Found:
        bare, kinds, _ = position
        tried = Fraction(0)
        if not bare and not any(kinds):
            return True, tried, tried, 0
        options = list(bits(self._most_constrained(position)))
        self.rng.shuffle(options)
        for option in options:
            then = self._after(position, option)
            if self._fits(then[0], then[1]):
                solvable, tries, *_ = self._explore(then)
                tried += 1 + tries
                if solvable:
                    return True, tried, Fraction(0), 0
        return False, tried, Fraction(0), 0


RULES = {
    "all rules": _Person,
    "no dark cells": WithoutDark,
    "last of equals": Reversed,
    "topmost cell": Topmost,
}


def covers(name: str, every: int) -> Iterator[tuple[ExactCover, int]]:
    """Yield the covers of some dates, and the numbers of their tilings."""
    puzzle = read_puzzle(name)
    for one in year(puzzle).dates[::every]:
        yield ExactCover(Instance.reveal(puzzle, one.labels)), one.tilings


def rules(name: str, every: int) -> None:
    """Print how the rating changes with a rule."""
    some = list(covers(name, every))
    found = {
        rule: [float(kind(cover, Deadline(), MAX_POSITIONS).rate()[0]) for cover, _ in some]
        for rule, kind in RULES.items()
    }
    for rule, tries in found.items():
        alike = rank_correlation(zip(found["all rules"], tries, strict=True))
        tilings = rank_correlation(zip(tries, (number for _, number in some), strict=True))
        print(
            f"{rule}: mean {statistics.mean(tries):.1f}, rank correlation with all rules "
            f"{alike:.2f}, with the tilings {tilings:.2f} ({len(some)} dates)"
        )


def sets(every: int, runs: int) -> None:
    """Print the mean number of placements tried in random games, by set of pieces."""
    for name in ("a-puzzle-a-day", *(f"shiura-daily-{number}p" for number in (8, 9, 10, 11))):
        means, spreads, tilings = [], [], []
        exact = []
        for cover, number in covers(name, every):
            games = [float(Player(cover, Deadline(), MAX_POSITIONS).rate()[0]) for _ in range(runs)]
            means.append(statistics.mean(games))
            spreads.append(statistics.variance(games) / runs)
            tilings.append(number)
            if name == "a-puzzle-a-day":
                exact.append(float(rate(cover, Deadline()).tries or 0))
        error = math.sqrt(sum(spreads)) / len(means)
        print(
            f"{name}: {statistics.mean(means):.1f} placements tried, standard error "
            f"{error:.1f}, over {len(means)} dates, median "
            f"{statistics.median(tilings):,g} tilings"
            + (f"; exact {statistics.mean(exact):.1f}" if exact else "")
        )


# The board of Kanoodle Genius: seven rows of holes, each with its offset in half holes.
ROWS = ((4, 2), (5, 1), (6, 0), (5, 1), (6, 0), (5, 1), (4, 2))
CLOCKWISE = {"NE": (-1, 0), "E": (0, 1), "SE": (1, 1), "SW": (1, 0), "W": (0, -1), "NW": (-1, -1)}
ACROSS = {"NE": "NW", "NW": "NE", "E": "W", "W": "E", "SE": "SW", "SW": "SE"}
NAMES = ("light_green", "yellow", "dark_blue", "light_blue", "red", "pink", "dark_green")


def walk(start: tuple[int, int], steps: list[str]) -> tuple[tuple[int, int], ...]:
    """Return the cells of a piece, sorted."""
    cells = [start]
    for step in steps:
        down, right = CLOCKWISE[step]
        cells.append((cells[-1][0] + down, cells[-1][1] + right))
    return tuple(sorted(cells))


def positions(path: Path) -> Iterator[tuple[int, Instance]]:
    """Yield the level and the position of each puzzle in the file, which is read and not run."""
    holes = [
        (row, (first + row) // 2 + n) for row, (many, first) in enumerate(ROWS) for n in range(many)
    ]
    wide = max(column for _, column in holes) + 1
    grid = [" ".join("*" if (r, c) in holes else "." for c in range(wide)) for r in range(7)]
    board = Board.from_text(grid, lattice=HEXAGONAL)
    shapes: list[list[str]] = []
    steps: dict[str, list[str]] = {}
    kinds: dict[str, str] = {}
    found: list[tuple[int, list[Placement]]] = []
    setup = next(
        one for one in ast.parse(path.read_text()).body if isinstance(one, ast.FunctionDef)
    )
    for line in setup.body:
        call: Any = getattr(line, "value", None)
        if not isinstance(call, ast.Call):
            continue
        name, _, method = ast.unparse(call.func).partition(".")
        given = {one.arg: one.value for one in call.keywords}
        if (name, method) == ("Noodle", "create"):
            shapes.append([given[f"part{n}"].attr for n in range(1, 5)])  # type: ignore[attr-defined]
        elif (name, method) == ("Puzzle", "create"):
            found.append((int(given["level"].id[-1]), []))  # type: ignore[attr-defined]
        elif name == "Noodle":
            taken = line.targets[0].id  # type: ignore[attr-defined]
            kinds[taken], steps[taken] = method, list(shapes[NAMES.index(method)])
        elif method == "rotate":
            turns = [*given.values(), *call.args]
            by = turns[0].value if turns else 1  # type: ignore[attr-defined]
            ring = list(CLOCKWISE)
            steps[name] = [ring[(ring.index(one) + by) % 6] for one in steps[name]]
        elif method == "flip":
            steps[name] = [ACROSS[one] for one in steps[name]]
        elif (name, method) == ("puzzle", "place"):
            taken = call.args[0].id  # type: ignore[attr-defined]
            start = holes[given["position"].value]  # type: ignore[attr-defined]
            found[-1][1].append(Placement(kinds[taken], walk(start, steps[taken])))
    pieces = tuple(
        Piece(name, walk((0, 0), one), HEXAGONAL) for name, one in zip(NAMES, shapes, strict=True)
    )
    puzzle = Puzzle("Kanoodle Genius", board, pieces, flip=True)
    for level, placed in found:
        yield level, Instance(puzzle, placed=tuple(placed))


def levels(path: Path) -> None:
    """Print the ratings of the publisher's positions by level and by pieces left."""
    rows = []
    for level, instance in positions(path):
        cover = ExactCover(instance)
        rating = rate(cover, Deadline())
        assert rating.tries is not None
        assert rating.forced is not None
        rows.append(
            (
                level,
                rating.pieces,
                float(rating.tries),
                float(rating.forced),
                count(cover, Limits()),
            )
        )
    for level, left in sorted({(row[0], row[1]) for row in rows}):
        some = [row for row in rows if row[:2] == (level, left)]
        tries = [row[2] for row in some]
        order = rank_correlation(enumerate(tries))
        print(
            f"level {level}, {left} pieces left: {len(some)} positions, "
            f"{min(tries):.1f} to {max(tries):.1f} placements tried, median "
            f"{statistics.median(tries):.1f}, "
            f"{sum(row[4] == 1 for row in some)} with one tiling, "
            f"forced {sum(row[3] for row in some) / left / len(some):.0%}, "
            f"rank correlation with the order in the level {order:.2f}"
        )
    for word, place in (("tries", 2), ("pieces left", 1), ("tilings", 4)):
        alike = rank_correlation((row[0], row[place]) for row in rows)
        print(f"rank correlation of level and {word}: {alike:.2f} ({len(rows)} positions)")


def main() -> None:
    """Run a comparison."""
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    one = commands.add_parser("rules")
    one.add_argument("puzzle")
    one.add_argument("--every", type=int, default=3)
    one = commands.add_parser("sets")
    one.add_argument("--every", type=int, default=37)
    one.add_argument("--runs", type=int, default=200)
    one = commands.add_parser("levels")
    one.add_argument("path", type=Path)
    given = parser.parse_args()
    if given.command == "rules":
        rules(given.puzzle, given.every)
    elif given.command == "sets":
        sets(given.every, given.runs)
    else:
        levels(given.path)


if __name__ == "__main__":
    main()
