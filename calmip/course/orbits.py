"""Exercise 9: a model whose solutions are one tiling of each orbit.

Two tilings are the same if equal pieces are exchanged, or if a symmetry of the board maps one
onto the other. All solutions of the student's model are enumerated, and sorted into orbits. The
tree that finds them solves no linear relaxation, so that its nodes are the same everywhere.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from contextlib import suppress
from fractions import Fraction
from functools import cache, partial
from pathlib import Path
from typing import Any

from calmip._base.errors import join_words
from calmip._base.limits import Deadline
from calmip.course.checks import (
    NAME,
    SYMMETRIC,
    Check,
    Failed,
    Undecided,
    example,
    name_of,
    run_checks,
)
from calmip.course.declared_numbers import Figures, figure_checks
from calmip.course.formulations import Limit, models_of, naming
from calmip.mip.defined import project
from calmip.mip.model import Model
from calmip.mip.one_tree import OneTree
from calmip.puzzle.cover import ExactCover
from calmip.puzzle.instance import Instance, Placement
from calmip.puzzle.lattice import Cell
from calmip.puzzle.search.exact_cover.search import Search
from calmip.puzzle.search.symmetry import symmetries

POOL_SECONDS = 20.0
"""The time limit of the pool of each model."""


class _Orbits:
    """A puzzle with equal pieces on a symmetric board, and its tilings by orbits."""

    def __init__(self, instance: Instance) -> None:
        self.instance = instance
        self.cover = ExactCover(instance)
        self.motions = symmetries(instance)
        pieces = instance.puzzle.pieces
        kinds: dict[object, list[str]] = {}
        for piece in pieces:
            kinds.setdefault(piece.orientations(flip=instance.puzzle.flip), []).append(piece.name)
        self.equal = [names for names in kinds.values() if len(names) > 1]
        self.kind = {name: names[0] for names in kinds.values() for name in names}
        options = [self.cover.option(option) for option in range(self.cover.columns)]
        self.placements = [
            Placement(name, option.cells)
            for option in options
            if isinstance(option, Placement)
            for name, kind in self.kind.items()
            if kind == self.kind[option.piece]
        ]

    def data(self) -> dict[str, Any]:
        """Return what the student's function gets."""
        return {
            "cells": [_digits(cell) for cell in self.instance.to_cover],
            "pieces": [piece.name for piece in self.instance.puzzle.pieces],
            "placements": {
                name_of(one.piece, one.cells): {
                    "piece": one.piece,
                    "cells": [_digits(cell) for cell in one.cells],
                }
                for one in self.placements
            },
            "equal": self.equal,
            "symmetries": [
                {_digits(cell): _digits(image) for cell, image in motion.items()}
                for motion in self.motions[1:]
            ],
        }

    def picture(self, tiling: Sequence[Placement]) -> frozenset[tuple[str, frozenset[Cell]]]:
        """Return what equal pieces do not change."""
        return frozenset((self.kind[one.piece], frozenset(one.cells)) for one in tiling)

    def orbit(self, tiling: Sequence[Placement]) -> frozenset[object]:
        """Return all images of a tiling under the motions of the board."""
        return frozenset(
            frozenset(
                (kind, frozenset(motion[cell] for cell in cells))
                for kind, cells in self.picture(tiling)
            )
            for motion in self.motions
        )

    def tilings(self) -> list[list[Placement]]:
        """Return the tilings, equal pieces in one order."""
        found = []
        for options in Search(self.cover):
            left = {kind: iter(names) for kind, names in self.groups().items()}
            chosen = []
            for option in sorted(options):
                one = self.cover.option(option)
                assert isinstance(one, Placement)
                chosen.append(Placement(next(left[self.kind[one.piece]]), one.cells))
            found.append(chosen)
        return found

    def groups(self) -> dict[str, list[str]]:
        """Return the pieces of each kind."""
        return {
            kind: [name for name, own in self.kind.items() if own == kind]
            for kind in self.kind.values()
        }

    def model(self) -> Model:
        """Return the model of all tilings, equal pieces distinguished."""
        members = [
            [cell in one.cells for one in self.placements] for cell in self.instance.to_cover
        ]
        members += [[one.piece == name for one in self.placements] for name in self.kind]
        rows = [
            (f"r{number}", {n: 1.0 for n, there in enumerate(each) if there}, 1.0, 1.0)
            for number, each in enumerate(members)
        ]
        names = [name_of(one.piece, one.cells) for one in self.placements]
        return Model.from_rows(names, rows)

    def nodes(self, *, ordered: bool) -> int:
        """Return the nodes of a search that covers the first open cell by every piece left.

        ``ordered`` tries only the first of equal pieces.
        """
        by_cell = {
            cell: [one for one in self.placements if cell in one.cells]
            for cell in self.instance.to_cover
        }

        def below(covered: frozenset[Cell], left: tuple[str, ...]) -> int:
            cell = next((cell for cell in by_cell if cell not in covered), None)
            if cell is None:
                return 1
            firsts = {self.kind[name]: name for name in reversed(left)}
            tried = firsts.values() if ordered else left
            return 1 + sum(
                below(covered.union(one.cells), tuple(name for name in left if name != one.piece))
                for one in by_cell[cell]
                if one.piece in tried and covered.isdisjoint(one.cells)
            )

        return below(frozenset(), tuple(self.kind))

    def moves(self, name: str) -> bool:
        """Return whether a piece has no equal one, and every symmetry moves all its placements."""
        own = [set(one.cells) for one in self.placements if one.piece == name]
        return list(self.kind.values()).count(name) == 1 and all(
            {motion[cell] for cell in cells} != cells
            for cells in own
            for motion in self.motions[1:]
        )

    def labelled(self) -> int:
        """Return the number of tilings, equal pieces distinguished."""
        orders = math.prod(math.factorial(len(names)) for names in self.groups().values())
        return len(self.tilings()) * orders


def _digits(cell: Cell) -> str:
    return f"{cell[0]}{cell[1]}"


_orbits = cache(_Orbits)


def data_of(instance: Instance) -> dict[str, Any]:
    """Return what the student's function gets."""
    return _orbits(instance).data()


@cache
def figures_of(instance: Instance) -> Figures:
    """Return the numbers of all tilings, of orbits, and of the nodes of two searches."""
    mine = _orbits(instance)
    found = {
        "solutions": mine.labelled(),
        "orbits": len({mine.orbit(tiling) for tiling in mine.tilings()}),
        "nodes": mine.nodes(ordered=False),
        "nodes in order": mine.nodes(ordered=True),
    }
    return {name: Fraction(number) for name, number in found.items()}


def is_asked(instance: Instance, most: int) -> bool:
    """Return whether a puzzle with a tiling has the symmetries of the exercise.

    It has equal pieces, a symmetric board, a piece that every symmetry moves, several orbits, and
    at most ``most`` tilings with equal pieces distinguished.
    """
    mine = _orbits(instance)
    return (
        bool(mine.equal)
        and len(mine.motions) > 1
        and any(mine.moves(name) for name in mine.kind)
        and mine.labelled() <= most
        and figures_of(instance)["orbits"] > 1
    )


@cache
def _nodes(instance: Instance) -> int:
    """Return the nodes of the tree of all tilings, equal pieces distinguished."""
    search = OneTree(_orbits(instance).model(), relaxation=None)
    assert len(list(search)) == _orbits(instance).labelled()
    return search.statistics.nodes


def grade_symmetry(
    path: Path, *, task: Instance = SYMMETRIC[-1], limits: Limit = None
) -> tuple[Check, ...]:
    """Mark a model whose solutions are one tiling of each orbit."""
    puzzles = {one.name: _orbits(one) for one in (*SYMMETRIC[:-1], task)}
    nodes: dict[str, int] = {}
    solutions: dict[str, list[tuple[Placement, ...]]] = {}
    complete: dict[str, bool] = {}

    def runs() -> None:
        data = {name: one.data() for name, one in puzzles.items()}
        for name, model in models_of(path, data, limits).items():
            with naming(name):
                solutions[name], search = _solutions(puzzles[name], model)
                complete[name], nodes[name] = search.complete, search.statistics.nodes

    def every(look: Callable[[_Orbits, list[tuple[Placement, ...]]], None]) -> Callable[[], None]:
        def run() -> None:
            for name, found in solutions.items():
                with naming(name):
                    look(puzzles[name], found)

        return run

    def tilings() -> None:
        runs()
        every(_only_tilings)()
        for name, found in solutions.items():
            if not complete[name]:
                raise Undecided(
                    f"puzzle {name}: the solutions were not all found; there are {len(found)} or "
                    "more"
                )

    def fewer() -> None:
        every(_no_orbit_is_lost)()
        all_nodes, own = sum(_nodes(one.instance) for one in puzzles.values()), sum(nodes.values())
        if own >= all_nodes:
            raise Failed(
                f"the trees of your models have {own} nodes in all, those of all tilings "
                f"{all_nodes}"
            )

    checks = run_checks(
        [
            ("build(data) returns a model whose solutions are tilings", 1, tilings, True),
            ("no orbit is lost", 1, every(_no_orbit_is_lost), False),
            ("no two solutions differ by equal pieces alone", 1, every(_no_exchange), False),
            ("no two solutions are images of each other", 1, every(_no_images), False),
            ("all trees together have fewer nodes than without your rows", 1, fewer, False),
        ]
    )
    worth = {"solutions": 1, "orbits": 1, "nodes": 1, "nodes in order": 2}
    return (
        *checks,
        *figure_checks(path, partial(figures_of, task), worth, partial(_slips_of, task)),
    )


def _slips_of(instance: Instance) -> dict[str, dict[Fraction, str]]:
    """Return what is counted instead of a figure by those who answer another question."""
    right, alike = figures_of(instance), Fraction(len(_orbits(instance).tilings()))
    leaves = {"nodes": right["solutions"], "nodes in order": alike}
    inner = {
        name: {
            right[name] - 1: "the nodes without the empty set",
            right[name] - number: "the nodes without the tilings",
        }
        for name, number in leaves.items()
    }
    names = "the tilings with equal pieces alike"
    return {**inner, "solutions": {alike: names}, "orbits": {alike: names}}


def _solutions(puzzle: _Orbits, model: Model) -> tuple[list[tuple[Placement, ...]], OneTree]:
    """Return the placements of every solution of a model, and the tree that found them."""
    model = project(model).as_binary("the exercise")
    named: dict[int, Placement] = {}
    for number, name in enumerate(model.columns):
        found = NAME.search(name)
        if found is not None and not NAME.search(name, found.end()):
            cells = tuple(
                sorted((int(part[0]), int(part[1])) for part in found.group(2).split("_") if part)
            )
            named[number] = Placement(found.group(1), cells)
    if not named:
        raise Failed("no variable is named as a placement, such as L_00_01_02_10")
    most = 2 * puzzle.labelled() + 1
    search = OneTree(model, limit=most, clock=Deadline(POOL_SECONDS), relaxation=None)
    chosen = {
        tuple(sorted((named[n] for n in point if n in named), key=lambda one: one.cells))
        for point in search
    }
    return sorted(chosen, key=repr), search


def _only_tilings(puzzle: _Orbits, solutions: list[tuple[Placement, ...]]) -> None:
    known = set(puzzle.placements)
    for chosen in solutions:
        wrong = next((one for one in chosen if one not in known), None)
        if wrong is not None:
            raise Failed(f"{name_of(wrong.piece, wrong.cells)} is not one of the placements given")
        faults = [
            f"{what} {name} is used {times} times"
            for what, names, given in (
                (
                    "cell",
                    map(_digits, puzzle.instance.to_cover),
                    [_digits(cell) for one in chosen for cell in one.cells],
                ),
                ("piece", puzzle.kind, [one.piece for one in chosen]),
            )
            for name in names
            if (times := given.count(name)) != 1
        ]
        if faults:
            text = f"a solution is no tiling: {join_words(faults, most=3)}"
            raise Failed(text, example(puzzle.instance, chosen))


def _no_orbit_is_lost(puzzle: _Orbits, solutions: list[tuple[Placement, ...]]) -> None:
    if len(solutions) >= puzzle.labelled():
        raise Failed("not checked, because the model excludes no tiling")
    pictures = {puzzle.picture(chosen) for chosen in solutions}
    for tiling in puzzle.tilings():
        if pictures.isdisjoint(puzzle.orbit(tiling)):
            raise Failed(
                "neither this tiling nor an image of it is there", example(puzzle.instance, tiling)
            )


def _no_exchange(puzzle: _Orbits, solutions: list[tuple[Placement, ...]]) -> None:
    _no_two(
        puzzle, solutions, puzzle.picture, "these two solutions differ by the names of equal pieces"
    )


def _no_images(puzzle: _Orbits, solutions: list[tuple[Placement, ...]]) -> None:
    unlike = {puzzle.picture(chosen): chosen for chosen in reversed(solutions)}
    _no_two(
        puzzle, [*unlike.values()], puzzle.orbit, "these two solutions are images of each other"
    )


def _no_two(
    puzzle: _Orbits,
    solutions: Sequence[tuple[Placement, ...]],
    key: Callable[[Sequence[Placement]], object],
    what: str,
) -> None:
    """Refuse two solutions with the same key; a model that lost all has no marks for it."""
    if not solutions:
        raise Failed("not checked, because the model has no solution")
    seen: dict[object, tuple[Placement, ...]] = {}
    for chosen in solutions:
        with suppress(KeyError):  # a placement off the board has no image
            same = seen.setdefault(key(chosen), chosen)
            if same is not chosen:
                raise Failed(what, example(puzzle.instance, same), example(puzzle.instance, chosen))
