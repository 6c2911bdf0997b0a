"""Symmetries of an instance, and how many tilings differ up to them.

They are the motions of the lattice that carry its tilings into tilings. The number of
solutions, when those that symmetries carry into each other count once, comes from
Burnside's lemma: it is the mean, over all symmetries, of the number of
solutions that a symmetry carries into themselves. Such a solution is an exact
cover by whole orbits of placements; as few placements have an orbit without
overlaps and with enough equal pieces, these are counted in plain Python.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from calmip._limits import Deadline
from calmip.errors import InputError, SolverFailed
from calmip.problem.cover import ExactCover
from calmip.problem.instance import Instance
from calmip.problem.lattice import Cell
from calmip.problem.tiling import Tiling

__all__ = ["Motion", "different", "foremost", "invariant", "symmetries"]


Motion = dict[Cell, Cell]
"""Where a motion carries each of the cells to cover."""


def symmetries(instance: Instance) -> tuple[Motion, ...]:
    """Return the motions that carry an instance into itself, the identity first.

    They carry the cells to cover onto themselves. A reflection counts if it
    carries the pieces into pieces: where they may be turned over it always does.

    Raises
    ------
    InputError
        If the instance has free groups or pieces that lie on the board.
    """
    if instance.free:
        raise InputError(
            "tilings are counted up to symmetry where it is known what stays uncovered; "
            f"give the labels of {' and '.join(instance.free)}"
        )
    if instance.placed:
        raise InputError(
            "tilings are counted up to symmetry from an empty board; leave out the key 'placed'"
        )
    puzzle, cells = instance.puzzle, instance.to_cover
    lattice = puzzle.board.lattice
    kinds = [piece.orientations(flip=puzzle.flip) for piece in puzzle.pieces]
    mirrored = [
        lattice.orientations(lattice.mirrored(piece.cells), flip=puzzle.flip)
        for piece in puzzle.pieces
    ]
    return tuple(lattice.symmetries(cells, flip=Counter(kinds) == Counter(mirrored)))


def foremost(tiling: Tiling, motions: Sequence[Motion]) -> bool:
    """Return whether a tiling is the first of those that motions make of it, as cells are sorted.

    So of all tilings that are carried into each other just one is chosen.
    """

    def picture(motion: Motion) -> list[tuple[Cell, ...]]:
        return sorted(tuple(sorted(motion[cell] for cell in p.cells)) for p in tiling.placements)

    own = picture(motions[0])
    return all(own <= picture(motion) for motion in motions[1:])


def different(cover: ExactCover, motions: Sequence[Motion], every: int, deadline: Deadline) -> int:
    """Return the number of solutions up to symmetry.

    Parameters
    ----------
    cover
        The exact cover of an instance without free groups.
    motions
        All its symmetries, the identity first.
    every
        The number of all solutions.
    deadline
        When to give up.

    Raises
    ------
    TimeoutError
        If the time is over.
    SolverFailed
        If the sum cannot be divided by the number of symmetries, so that some number is wrong.
    """
    total = every + sum(invariant(cover, motion, deadline) for motion in motions[1:])
    found, rest = divmod(total, len(motions))
    if rest:
        raise SolverFailed(
            f"{every:,} solutions and those that symmetries leave as they are make {total:,}, "
            f"which is no multiple of the {len(motions)} symmetries; please report this"
        )
    return found


def invariant(cover: ExactCover, motion: Motion, deadline: Deadline) -> int:
    """Return the number of solutions that a motion carries into themselves."""
    cells = cover.instance.to_cover
    place = {cell: number for number, cell in enumerate(cells)}
    moved = [place[motion[cell]] for cell in cells]
    options = [tuple(cover.items_of(number)[:-1]) for number in range(cover.columns)]
    kind = {option: cover.items_of(number)[-1] for number, option in enumerate(options)}
    full = (1 << len(cells)) - 1
    starting: dict[int, list[tuple[int, Counter[int]]]] = defaultdict(list)
    seen: set[tuple[int, ...]] = set()
    for option in options:
        if option in seen:
            continue
        orbit = [option]
        while (image := tuple(sorted(moved[cell] for cell in orbit[-1]))) != option:
            orbit.append(image)
        seen.update(orbit)
        covered = {cell for one in orbit for cell in one}
        used = Counter(kind[one] for one in orbit)
        if len(covered) == sum(map(len, orbit)) and all(
            number <= cover.demand[item] for item, number in used.items()
        ):
            starting[min(covered)].append((sum(1 << cell for cell in covered), used))
    # By the first bare cell: what is covered and how often each piece was used, and how often.
    levels: list[dict[tuple[int, tuple[int, ...]], int]] = [{} for _ in range(len(cells) + 1)]
    levels[0][0, tuple(cover.demand[len(cells) :])] = 1
    for cell in range(len(cells)):
        deadline.check("not all tilings were counted")
        for (covered_cells, left), ways in levels[cell].items():
            for more, used in starting[cell]:
                if covered_cells & more or any(left[i - len(cells)] < n for i, n in used.items()):
                    continue
                found = covered_cells | more
                rest = tuple(n - used[item] for item, n in enumerate(left, start=len(cells)))
                bare = len(cells) if found == full else (~found & (found + 1)).bit_length() - 1
                levels[bare][found, rest] = levels[bare].get((found, rest), 0) + ways
    return sum(levels[-1].values())
