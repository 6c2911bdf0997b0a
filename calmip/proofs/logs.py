"""A plain exact-cover search that tells of every step, written down as a proof.

The search branches on the item with the fewest options left [1]_ and knows no other
trick: what it leaves out must follow by unit propagation, the one rule that
every checker of proofs has. The proof is its tree, or one for VeriPB, or in DRAT.

The tree itself as JSON is for checkers that one writes in an afternoon;
`calmip.proofs.check_tree` is such a checker, and says what the file holds.

For VeriPB solutions are logged one by one, each closed branch by reverse unit
propagation. Two versions of the format of https://gitlab.com/MIAOresearch/software/VeriPB are
written. 1.1 is read by its releases in Python, and ends with the contradiction:
the number of solutions is that of the lines that log them. 3.0 is for later
releases, and says the number in its conclusion. The argument behind both:
S. Gocht, C. McCreesh and J. Nordstrom, "Subgraph isomorphism meets cutting
planes: solving with certified solutions", IJCAI 2020,
https://doi.org/10.24963/ijcai.2020/158.

DRAT is the common language of SAT solvers and their checkers: N. Wetzler, M. Heule
and W. Hunt, "DRAT-trim: efficient checking and trimming using expressive clausal
proofs", SAT 2014, https://doi.org/10.1007/978-3-319-09284-3_31. Every clause here
follows by reverse unit propagation from the formula and the clauses before it.

References
----------
.. [1] D. E. Knuth, "Dancing links", 2000, https://arxiv.org/abs/cs/0011047
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from calmip._limits import NO_LIMITS, Limits
from calmip.problem.cover import ExactCover, Placement
from calmip.problem.instance import Instance

__all__ = [
    "DIALECTS",
    "BlockedLog",
    "DratLog",
    "Log",
    "TreeLog",
    "VeriPBLog",
    "clause",
    "described",
    "explore",
]


class Log(Protocol):
    """What wants to hear of the search, in the order in which things happen."""

    def node(self, item: int, options: Sequence[int]) -> None:
        """Hear the item that is branched on next, and all its options that are left.

        The subtrees of the options follow in this order. If the options are
        fewer than the item still demands, the branch is closed, and no
        subtree follows.
        """

    def tiling(self, options: Sequence[int]) -> None:
        """Hear a solution, which is a node by itself."""

    def closed(self, decisions: Sequence[int]) -> None:
        """Hear that every solution with these options has been told.

        The options are those that were chosen among several; the others
        follow from them by unit propagation. The last call has none.
        """


def explore(cover: ExactCover, logs: Sequence[Log], limits: Limits = NO_LIMITS) -> tuple[int, int]:
    """Search a cover to the end and tell the logs every step.

    Parameters
    ----------
    cover
        The exact cover.
    logs
        They hear the same calls, one after the other.
    limits
        Whom to tell the number of nodes so far.

    Returns
    -------
    tuple
        The number of solutions, and that of nodes.
    """
    search = _Search(cover, logs, limits)
    search.visit((1 << cover.columns) - 1, list(range(cover.rows)), ())
    for log in logs:
        log.closed(())
    return search.found, search.nodes


class _Search:
    """The state of a search; sets of options are the bits of whole numbers."""

    def __init__(self, cover: ExactCover, logs: Sequence[Log], limits: Limits) -> None:
        self.found = 0
        self.nodes = 0
        self._logs = logs
        self._limits = limits
        self._left: list[int] = cover.demand.copy()
        self._items = [cover.items_of(option) for option in range(cover.columns)]
        self._options = [sum(1 << option for option in some) for some in cover.options_of()]
        self._others = [~options for options in self._options]
        self._chosen: list[int] = []

    def visit(self, alive: int, bare: list[int], decisions: tuple[int, ...]) -> None:
        """Tell everything below a node.

        Parameters
        ----------
        alive
            The options that can still be chosen.
        bare
            The items that are not yet covered as often as they must be.
        decisions
            The chosen options that were not the only ones left.
        """
        self.nodes += 1
        self._limits.report(self.nodes)
        if not bare:
            self.found += 1
            for log in self._logs:
                log.tiling(self._chosen)
            return
        item, options = self._branch(alive, bare)
        for log in self._logs:
            log.node(item, options)
        if len(options) < self._left[item]:
            return
        for option in options:
            path = (*decisions, option) if len(options) > 1 else decisions
            self._choose(option, alive, bare, path)
            if len(options) > 1:
                for log in self._logs:
                    log.closed(path)

    def _choose(self, option: int, alive: int, bare: list[int], path: tuple[int, ...]) -> None:
        covered, left = self._items[option], self._left
        for item in covered:
            left[item] -= 1
            if not left[item]:
                alive &= self._others[item]
        self._chosen.append(option)
        self.visit(alive, [item for item in bare if left[item]], path)
        self._chosen.pop()
        for item in covered:
            left[item] += 1

    def _branch(self, alive: int, bare: list[int]) -> tuple[int, list[int]]:
        """Return the item with the fewest options, one that lacks options if there is any.

        An item that wants several more options is no place to branch: the
        same choice would be met in several orders. A cell wants one, and as
        long as options are left there is a bare cell.
        """
        options, left = self._options, self._left
        fewest, best = len(self._items) + 1, bare[0]
        for item in bare:
            number = (alive & options[item]).bit_count()
            if number < left[item]:
                best = item
                break
            if number < fewest and left[item] == 1:
                fewest, best = number, item
        return best, _bits(alive & options[best])


def _bits(number: int) -> list[int]:
    found = []
    while number:
        low = number & -number
        found.append(low.bit_length() - 1)
        number ^= low
    return found


DIALECTS = ("1.1", "3.0")
"""The versions of the format; the first is written unless another is asked for."""


class VeriPBLog:
    """Writes the steps of a search as a proof about the file that `opb_lines` writes.

    Parameters
    ----------
    cover
        The exact cover.
    write
        Takes the text, line by line.
    dialect
        One of `DIALECTS`.

    Notes
    -----
    A logged solution is checked to be one, and excluded from then on. ``rup C``
    holds if C's negation and the constraints so far run into a contradiction by
    unit propagation. At the end nothing is left.
    """

    def __init__(
        self, cover: ExactCover, write: Callable[[str], object], dialect: str = DIALECTS[0]
    ) -> None:
        self._write = write
        self._new = dialect != "1.1"
        self._found = 0
        # An equation is two inequalities; a row without options is written as one.
        self._last = sum(2 if options else 1 for options in cover.options_of())
        write(f"pseudo-Boolean proof version {dialect}\n")
        write(f"f {self._last}{' ;' if self._new else ''}\n")

    def node(self, item: int, options: Sequence[int]) -> None:
        """Write nothing: what is branched on, the checker need not know."""

    def tiling(self, options: Sequence[int]) -> None:
        """Log a solution; the other variables are nought by unit propagation."""
        self._found += 1
        self._last += 1
        chosen = " ".join(f"x{option + 1}" for option in options)
        self._write(f"solx {chosen} ;\n" if self._new else f"v {chosen}\n")

    def closed(self, decisions: Sequence[int]) -> None:
        """Log that not all of the decisions hold; without any, that nothing is left."""
        self._last += 1
        terms = "".join(f"1 ~x{option + 1} " for option in decisions)
        self._write(f"rup {terms}>= 1 ;\n")
        if not decisions and not self._new:
            self._write(f"c {self._last}\n")
        elif not decisions:
            how = f"ENUMERATION_COMPLETE {self._found}" if self._found else "UNSAT"
            self._write(f"output NONE ;\nconclusion {how} : {self._last} ;\n")
            self._write("end pseudo-Boolean proof ;\n")


def clause(options: Sequence[int]) -> str:
    """Return the line of the clause that not all of the options are chosen."""
    return "".join(f"-{option + 1} " for option in options) + "0\n"


class DratLog:
    """Writes each closed branch as a clause; the last one is empty.

    Parameters
    ----------
    write
        Takes the text, line by line.
    """

    def __init__(self, write: Callable[[str], object]) -> None:
        self._write = write

    def node(self, item: int, options: Sequence[int]) -> None:
        """Write nothing: what is branched on, the checker need not know."""

    def tiling(self, options: Sequence[int]) -> None:
        """Write nothing: the formula itself excludes the solution."""

    def closed(self, decisions: Sequence[int]) -> None:
        """Write that not all of the decisions hold."""
        self._write(clause(decisions))


class BlockedLog:
    """Writes the clauses that the formula needs in addition, one for every solution.

    Parameters
    ----------
    write
        Takes the text, line by line.
    """

    def __init__(self, write: Callable[[str], object]) -> None:
        self._write = write

    def node(self, item: int, options: Sequence[int]) -> None:
        """Write nothing."""

    def tiling(self, options: Sequence[int]) -> None:
        """Write the clause that excludes a solution."""
        self._write(clause(sorted(options)))

    def closed(self, decisions: Sequence[int]) -> None:
        """Write nothing."""


def described(instance: Instance) -> dict[str, Any]:
    """Return an instance as plain data: all that a checker has to know of it."""
    puzzle = instance.puzzle
    return {
        "name": puzzle.name,
        "lattice": puzzle.board.lattice.name,
        "board": [list(row) for row in puzzle.board.rows],
        "pieces": {piece.name: [list(cell) for cell in piece.cells] for piece in puzzle.pieces},
        "flip": puzzle.flip,
        "uncovered": list(instance.labels),
        "free": {
            group: [label for label in puzzle.groups[group] if label not in instance.labels]
            for group in instance.free
        },
    }


class TreeLog:
    """Writes the puzzle, its options, and the nodes of a search in the order of the visits.

    Parameters
    ----------
    cover
        The exact cover.
    write
        Takes the text, a line or so at a time.
    """

    def __init__(self, cover: ExactCover, write: Callable[[str], object]) -> None:
        self._write = write
        self._found = 0
        self._items = [_item(cover, number) for number in range(cover.rows)]
        write(f'{{"puzzle": {json.dumps(described(cover.instance))},\n"options": [\n')
        for number in range(cover.columns):
            end = ",\n" if number + 1 < cover.columns else "\n"
            write(json.dumps(_option(cover, number)) + end)
        write('],\n"tree": [\n')

    def node(self, item: int, options: Sequence[int]) -> None:
        """Write the item and its options."""
        self._write(f"[{self._items[item]}, {list(options)}],\n")

    def tiling(self, options: Sequence[int]) -> None:
        """Write a solution."""
        self._found += 1
        self._write(f'["tiling", {sorted(options)}],\n')

    def closed(self, decisions: Sequence[int]) -> None:
        """Write the end of the file when the search is over; between, the tree says it."""
        if not decisions:
            self._write(f'["end", []]],\n"tilings": {self._found}}}\n')


def _item(cover: ExactCover, number: int) -> str:
    """Return an item as JSON: the cell, the (first) piece's name, or the group's."""
    cells, classes = cover.instance.to_cover, cover.instance.puzzle.piece_classes
    if number < len(cells):
        return json.dumps(list(cells[number]))
    number -= len(cells)
    if number < len(classes):
        return json.dumps(f"piece {classes[number][0].name}")
    return json.dumps(f"group {cover.instance.free[number - len(classes)]}")


def _option(cover: ExactCover, number: int) -> dict[str, Any]:
    chosen = cover.option(number)
    cells = [list(cell) for cell in chosen.cells]
    if isinstance(chosen, Placement):
        return {"covers": f"piece {chosen.piece}", "cells": cells}
    return {"covers": f"group {chosen.group}", "label": chosen.label, "cells": cells}
