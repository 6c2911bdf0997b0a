"""A plain exact-cover search that logs every step as a proof, and a folder of such proofs.

The search branches on the item with the fewest remaining options [1]_ and uses no other rule: what
it omits must follow by unit propagation, the one rule of every checker. The proof is its tree, a
VeriPB proof, or a DRAT proof.

The tree as JSON is for short checkers; `calmip.proofs.check_tree` is one, and describes the file.

For VeriPB the search logs each solution, and each closed branch by reverse unit propagation. It
writes two versions of the format of https://gitlab.com/MIAOresearch/software/VeriPB. VeriPB's
Python releases read 1.1, which ends with the contradiction: one line logs each solution. Later
releases read 3.0, which has the number of solutions in its conclusion. The argument behind
both: S. Gocht, C. McCreesh and J. Nordstrom, "Subgraph isomorphism meets cutting planes: solving
with certified solutions", IJCAI 2020, https://doi.org/10.24963/ijcai.2020/158.

DRAT is the common language of SAT solvers and their checkers: N. Wetzler, M. Heule and W. Hunt,
"DRAT-trim: efficient checking and trimming using expressive clausal proofs", SAT 2014,
https://doi.org/10.1007/978-3-319-09284-3_31. Every clause here follows by reverse unit propagation
from the formula and the clauses before it.

References
----------
.. [1] D. E. Knuth, "Dancing links", 2000, https://arxiv.org/abs/cs/0011047
"""

from __future__ import annotations

import contextlib
import json
import tempfile
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from calmip._base.bits import bits
from calmip._base.files import growing_file, make_folder, write_text
from calmip._base.limits import NO_LIMITS, Limits
from calmip.mip.proof.check_model import NAME
from calmip.mip.rows import Number
from calmip.puzzle.cover import ExactCover
from calmip.puzzle.files.cover_files import header
from calmip.puzzle.files.covers import cnf_lines, opb_lines
from calmip.puzzle.instance import Instance, Placement


class Log:
    """A listener to the search, called in the order of its steps; this one ignores them."""

    def node(self, item: int, options: Sequence[int]) -> None:
        """Receive the item to branch on, and all its remaining options.

        The subtrees of the options follow in this order. If the options are fewer than the
        item's demand, the branch is closed, and no subtree follows.
        """

    def tiling(self, options: Sequence[int]) -> None:
        """Receive a solution, which is a node by itself."""

    def closed(self, decisions: Sequence[int]) -> None:
        """Receive a closed branch, whose solutions have all been logged.

        The decisions are the options chosen among several; the other options follow from them
        by unit propagation. The last call has no decisions.
        """


def explore(cover: ExactCover, logs: Sequence[Log], limits: Limits = NO_LIMITS) -> tuple[int, int]:
    """Search a cover to the end, log every step, and return the numbers of solutions and nodes.

    The limits receive the number of nodes so far; a `TimeoutError` is raised at the time limit.
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
        """Log the subtree of a node.

        ``alive`` are the options that can still be chosen, ``bare`` the items that are not yet
        covered as often as they must be, ``decisions`` the options chosen among several.
        """
        self.nodes += 1
        self._limits.tick(self.nodes)
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
        left = self._left
        for option in options:
            path = (*decisions, option) if len(options) > 1 else decisions
            fits = alive
            for covered in self._items[option]:
                left[covered] -= 1
                if not left[covered]:
                    fits &= self._others[covered]
            self._chosen.append(option)
            self.visit(fits, [item for item in bare if left[item]], path)
            self._chosen.pop()
            for covered in self._items[option]:
                left[covered] += 1
            if len(options) > 1:
                for log in self._logs:
                    log.closed(path)

    def _branch(self, alive: int, bare: list[int]) -> tuple[int, list[int]]:
        """Return the item with the fewest options, or one that lacks options, and its options.

        The search does not branch on an item with a demand above 1: the same choice would occur in
        several orders. A cell has demand 1, and some cell is uncovered as long as options
        remain.
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
        return best, list(bits(alive & options[best]))


DIALECTS = ("1.1", "3.0")
"""The versions of the format, the default first."""


class VeriPBLog(Log):
    """The steps of a search as a proof about the file that `opb_lines` writes.

    VeriPB checks a logged solution, and excludes it. ``rup C`` holds if unit propagation derives
    a contradiction from C's negation and the constraints so far. At the end nothing is left.
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

    def tiling(self, options: Sequence[int]) -> None:
        """Log a solution; the other variables are 0 by unit propagation."""
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
    """Return the line of the clause that at least one of the options is not chosen."""
    return "".join(f"-{option + 1} " for option in options) + "0\n"


class DratLog(Log):
    """Each closed branch as a clause; the last one is empty."""

    def __init__(self, write: Callable[[str], object]) -> None:
        self._write = write

    def closed(self, decisions: Sequence[int]) -> None:
        """Write that not all of the decisions hold."""
        self._write(clause(decisions))


class BlockedLog(Log):
    """The additional clauses of the formula, one that excludes each solution."""

    def __init__(self, write: Callable[[str], object]) -> None:
        self._write = write

    def tiling(self, options: Sequence[int]) -> None:
        """Write the clause that excludes a solution."""
        self._write(clause(sorted(options)))


def instance_data(instance: Instance) -> dict[str, Any]:
    """Return an instance as plain data for a checker."""
    puzzle = instance.puzzle
    return {
        "name": puzzle.name,
        "lattice": puzzle.board.lattice.name,
        "board": [list(row) for row in puzzle.board.rows],
        "pieces": {piece.name: [list(cell) for cell in piece.cells] for piece in puzzle.pieces},
        "flip": puzzle.flip,
        **({"rules": rules} if (rules := puzzle.rules) else {}),
        **({"use": instance.use} if instance.use else {}),
        "uncovered": list(instance.labels),
        "free": {
            group: [label for label in puzzle.groups[group] if label not in instance.labels]
            for group in instance.free
        },
    }


class TreeLog(Log):
    """The puzzle, its options, and the nodes of a search in the order of the visits."""

    def __init__(self, cover: ExactCover, write: Callable[[str], object]) -> None:
        self._write = write
        self._found = 0
        instance = cover.instance
        # A cell, the (first) piece's name, or the group's.
        items: list[object] = [
            *map(list, instance.to_cover),
            *(f"piece {pieces[0].name}" for pieces in instance.puzzle.piece_classes),
            *(f"group {group}" for group in instance.free),
        ]
        items += ["left out"] * bool(instance.use)
        items += [
            f"left out {rank} of piece {pieces[0].name}"
            for pieces, spare in zip(instance.puzzle.piece_classes, cover.spare, strict=True)
            for rank in range(1, spare + 1)
            if spare > 1
        ]
        self._items = list(map(json.dumps, items))
        write(f'{{"puzzle": {json.dumps(instance_data(instance))},\n"options": [\n')
        for number in range(cover.columns):
            end = ",\n" if number + 1 < cover.columns else "\n"
            write(json.dumps(option_data(cover, number)) + end)
        write('],\n"tree": [\n')

    def node(self, item: int, options: Sequence[int]) -> None:
        """Write the item and its options."""
        self._write(f"[{self._items[item]}, {list(options)}],\n")

    def tiling(self, options: Sequence[int]) -> None:
        """Write a solution."""
        self._found += 1
        self._write(f'["tiling", {sorted(options)}],\n')

    def closed(self, decisions: Sequence[int]) -> None:
        """Write the end of the file when the search ends."""
        if not decisions:
            self._write(f'["end", []]],\n"tilings": {self._found}}}\n')


def option_data(cover: ExactCover, number: int) -> dict[str, Any]:
    """Return an option as plain data for a checker."""
    chosen = cover.option(number)
    cells = [list(cell) for cell in chosen.cells]
    if isinstance(chosen, Placement):
        rule = cover.option_names[number].rpartition("_")[2]
        equal = {} if cells or rule == "left" else {"label": rule}
        return {"covers": f"piece {chosen.piece}", **equal, "cells": cells}
    return {"covers": f"group {chosen.group}", "label": chosen.label, "cells": cells}


PROOFS = {
    "tree": ("proof.json",),
    "veripb": ("model.opb", "proof.pbp"),
    "drat": ("model.cnf", "proof.drat"),
}
"""The files of each format of a proof, the proof last where there is a model."""


@dataclass(frozen=True)
class Proved:
    """A proof of the number of tilings or of a model's solutions, or the result of its check.

    Parameters
    ----------
    tilings, nodes
        The numbers of tilings or solutions, and of nodes of the search tree.
    checks
        Each checked file, and in words how it was checked.
    unchecked
        The unchecked parts of the files, in words.
    of_model
        Whether it is about a model.
    scope
        Which solutions of a model these are, in words; empty for all.
    objectives
        The best and the worst objective of these solutions; None if it plays no part.
    """

    tilings: int
    nodes: int
    checks: tuple[tuple[str, str], ...] = ()
    unchecked: tuple[str, ...] = ()
    of_model: bool = False
    scope: str = ""
    objectives: tuple[Number, Number] | None = None


def write_proofs(
    cover: ExactCover,
    folder: Path,
    proofs: Collection[str] = tuple(PROOFS),
    *,
    dialect: str = DIALECTS[0],
    limits: Limits = NO_LIMITS,
) -> Proved:
    """Search all tilings and write the proofs that there are no others.

    The files grow during the search, so its memory does not depend on their length. They get
    their names when all are complete.

    The proofs are some of ``tree``, ``veripb`` and ``drat``. The dialect is the version of VeriPB's
    format. The limits receive the number of nodes so far; at the time limit, a `TimeoutError` is
    raised, and no file is written.
    """
    make_folder(folder)
    comments = header(cover)
    with contextlib.ExitStack() as stack:

        def grow(name: str) -> Callable[[str], object]:
            write = stack.enter_context(growing_file(folder / name))
            return lambda text: write(text.encode())

        logs: list[Log] = []
        if "tree" in proofs:
            logs.append(TreeLog(cover, grow("proof.json")))
        if "veripb" in proofs:
            logs.append(VeriPBLog(cover, grow("proof.pbp"), dialect))
        if "drat" in proofs:
            # The formula begins with the number of its clauses, so the clauses wait in a file.
            excluded = stack.enter_context(tempfile.TemporaryFile("w+", encoding="ascii"))
            logs += [DratLog(grow("proof.drat")), BlockedLog(excluded.write)]
        found, nodes = explore(cover, logs, limits)
        if "veripb" in proofs:
            preserved = dialect != DIALECTS[0]
            head = [line for line in comments if not NAME.match(f"* {line}")]
            write_text(folder / "model.opb", opb_lines(cover, head, preserved=preserved))
        if "drat" in proofs:
            excluded.seek(0)
            lines = cnf_lines(cover, comments, blocked=(found, excluded))
            write_text(folder / "model.cnf", lines)
    return Proved(found, nodes)


def proof_text(cover: ExactCover, limits: Limits = NO_LIMITS) -> tuple[str, Proved]:
    """Return ``proof.json`` as a text, and the numbers that it proves."""
    parts: list[str] = []
    found, nodes = explore(cover, [TreeLog(cover, parts.append)], limits)
    return "".join(parts), Proved(found, nodes)
