"""Symmetries of an instance, and the number of tilings up to them.

Symmetries are the motions of the lattice that map tilings onto tilings. By Burnside's lemma the
number of solutions up to symmetry is the mean, over all symmetries, of the number of solutions
that a symmetry maps onto themselves. Such a solution is an exact cover by whole orbits of
placements. Few placements have an orbit without overlaps and with enough equal pieces, so plain
Python counts these solutions.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from calmip._base.errors import InputError, SolverFailed
from calmip._base.limits import Deadline
from calmip.puzzle.cover import ExactCover
from calmip.puzzle.instance import Instance
from calmip.puzzle.lattice import Cell, Shape
from calmip.puzzle.tiling import Tiling

Motion = dict[Cell, Cell]
"""The image of each of the cells to cover."""


def symmetries(instance: Instance) -> tuple[Motion, ...]:
    """Return the motions that map an instance onto itself, the identity first.

    They map the cells to cover onto themselves, and the pieces onto pieces: a rotation counts
    unless a piece may not be turned, a reflection if pieces may be turned over or have
    mirror images.

    Raises
    ------
    InputError
        If the instance has free groups or pieces that are already placed, or pieces of
        one shape that may be turned differently.
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
    kinds = {piece.name: piece.orientations(flip=puzzle.flip) for piece in puzzle.pieces}
    # Below, the cells of a placement determine its piece.
    owner: dict[Shape, str] = {}
    for name, shapes in kinds.items():
        for shape in shapes:
            other = owner.setdefault(shape, puzzle.first_equal[name])
            if other != puzzle.first_equal[name]:
                raise InputError(
                    f"pieces {other} and {name} have one shape but may be turned "
                    "differently; tilings are not counted up to symmetry with such pieces"
                )
    # A piece that may be left out cannot stand for one that every tiling uses.
    of_needed, of_optional = (
        puzzle.board.lattice.symmetries(
            cells, flip=True, kinds=[kinds[piece.name] for piece in some]
        )
        for some in (puzzle.needed, puzzle.optional)
    )
    return tuple(motion for motion in of_needed if motion in of_optional)


def is_first_image(tiling: Tiling, motions: Sequence[Motion]) -> bool:
    """Return whether a tiling is the first of its images under motions, with cells sorted.

    So exactly one of all symmetric tilings is chosen.
    """

    def picture(motion: Motion) -> list[tuple[Cell, ...]]:
        return sorted(tuple(sorted(motion[cell] for cell in p.cells)) for p in tiling.placements)

    own = picture(motions[0])
    return all(own <= picture(motion) for motion in motions[1:])


def count_different(
    cover: ExactCover, motions: Sequence[Motion], every: int, clock: Deadline
) -> int:
    """Return the number of solutions up to symmetry.

    ``motions`` are all symmetries, the identity first, and ``every`` is the number of solutions.

    Raises
    ------
    TimeoutError
        If the time limit is reached.
    SolverFailed
        If the number of symmetries does not divide the sum, so some number is wrong.
    """
    total = every + sum(count_invariant(cover, motion, clock) for motion in motions[1:])
    found, rest = divmod(total, len(motions))
    if rest:
        raise SolverFailed(
            f"{every:,} solutions and those that symmetries leave as they are make {total:,}, "
            f"which is not a multiple of the {len(motions)} symmetries; report this"
        )
    return found


def count_invariant(cover: ExactCover, motion: Motion, clock: Deadline) -> int:
    """Return the number of solutions that a motion maps onto themselves."""
    cells = cover.instance.to_cover
    place = {cell: number for number, cell in enumerate(cells)}
    moved = [place[motion[cell]] for cell in cells]
    kind = {
        tuple(option): piece
        for *option, piece in cover.covered
        if option and option[0] < len(cells)
    }
    full = (1 << len(cells)) - 1
    starting: dict[int, list[tuple[int, Counter[int]]]] = defaultdict(list)
    seen: set[tuple[int, ...]] = set()
    for option in kind:
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
    # By the first uncovered cell: how often each state of cells and used pieces occurs.
    levels: list[dict[tuple[int, tuple[int, ...]], int]] = [{} for _ in range(len(cells) + 1)]
    # There are no free groups, and the rules on pieces left out are checked in the end.
    levels[0][0, tuple(cover.demand[len(cells) : len(cells) + len(cover.spare)])] = 1
    for cell in range(len(cells)):
        clock.check("not all tilings were counted")
        for (covered_cells, left), ways in levels[cell].items():
            for more, used in starting[cell]:
                if covered_cells & more or any(left[i - len(cells)] < n for i, n in used.items()):
                    continue
                found = covered_cells | more
                rest = tuple(n - used[item] for item, n in enumerate(left, start=len(cells)))
                bare = len(cells) if found == full else (~found & (found + 1)).bit_length() - 1
                levels[bare][found, rest] = levels[bare].get((found, rest), 0) + ways
    puzzle, use = cover.instance.puzzle, cover.instance.use
    return sum(
        ways
        for (_, left), ways in levels[-1].items()
        if all(number <= spare for number, spare in zip(left, cover.spare, strict=True))
        and use in (None, len(puzzle.pieces) - sum(left))
    )
