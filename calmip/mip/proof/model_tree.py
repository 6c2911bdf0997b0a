"""A search of a binary model that writes its tree as a proof of the number of solutions.

A node is a variable to branch on, a variable that one constraint fixes, or the end of a branch:
a solution, or multipliers of constraints whose sum the branch violates. `check_model` describes
the files, and checks them. The multipliers come from a linear relaxation, or are those of one
constraint. Each is checked in whole numbers before it is written.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from calmip._base.files import growing_file, make_folder, write_text
from calmip._base.limits import NO_LIMITS, Limits
from calmip.mip.files.boolean import Constraint, constraint_lines, constraints_of
from calmip.mip.model import Model
from calmip.mip.proof.check_model import NAME

Multipliers = list[tuple[int, int]]
"""Constraints by number, from 0 on, and whole numbers."""

Refute = Callable[[Sequence[int]], Iterable[Multipliers]]
"""Makes candidates that may refute a node: 0 or 1 for each fixed variable, -1 for each free one."""


def model_lines(model: Model, comments: Iterable[str] | None = None) -> Iterator[str]:
    """Yield the text of ``model.opb``, without an objective.

    The comments are by default those of the model. None of them names a variable.
    """
    comments = model.comments if comments is None else comments
    head = [line for line in comments if not NAME.match(f"* {line}")]
    return constraint_lines(model.columns, constraints_of(model), head)


def write_model_proof(
    model: Model, folder: Path, refute: Refute | None = None, limits: Limits = NO_LIMITS
) -> tuple[int, int]:
    """Search all solutions of a binary model, and write the proof that there are no others.

    Return the numbers of solutions and of nodes. The files get their names when both are complete.
    """
    make_folder(folder)
    constraints = [constraint for _, constraint in constraints_of(model)]
    with growing_file(folder / "proof.json") as grow:

        def write(text: str) -> None:
            grow(text.encode())

        write('{"tree": [')
        mark = "\n"

        def node(entry: list[Any]) -> None:
            nonlocal mark
            write(mark + json.dumps(entry))
            mark = ",\n"

        found, nodes = explore_model(len(model.columns), constraints, node, refute, limits)
        write(f'\n],\n"solutions": {found}}}\n')
        write_text(folder / "model.opb", model_lines(model))
    return found, nodes


def explore_model(
    columns: int,
    constraints: Sequence[Constraint],
    write: Callable[[list[Any]], None],
    refute: Refute | None = None,
    limits: Limits = NO_LIMITS,
) -> tuple[int, int]:
    """Search all solutions; return the numbers of solutions and of nodes."""
    search = _Search(columns, constraints, write)
    branches: list[tuple[int, int]] = []
    found = nodes = 0
    while True:
        conflict = search.propagate()
        column = -1 if conflict else search.choose()
        if column >= 0 and refute is not None:
            candidates = refute(search.value)
            conflict = next(filter(search.refutes, candidates), None)
        nodes += 1
        limits.tick(nodes)
        if column >= 0 and not conflict:
            write(["branch", column + 1])
            branches.append((column, len(search.trail)))
            search.set(column, 0)
            continue
        if conflict:
            write(["none", _numbered(conflict)])
        else:
            found += 1
            write(["solution", [c + 1 for c, value in enumerate(search.value) if value]])
        if not branches:
            return found, nodes
        column, length = branches.pop()
        search.undo(length)
        search.set(column, 1)


def _numbered(multipliers: Multipliers) -> list[list[int]]:
    return [[number + 1, factor] for number, factor in multipliers]


class _Search:
    """The state of the search: the fixed variables, and the range of each constraint's sum."""

    def __init__(
        self, columns: int, constraints: Sequence[Constraint], write: Callable[[list[Any]], None]
    ) -> None:
        self.value = [-1] * columns
        self.trail: list[int] = []
        self._write = write
        self._constraints = constraints
        self._rows: list[list[tuple[int, int]]] = [[] for _ in range(columns)]
        for number, (terms, _, _) in enumerate(constraints):
            for column, factor in terms.items():
                self._rows[column].append((number, factor))
        self._least = [sum(min(f, 0) for f in terms.values()) for terms, _, _ in constraints]
        self._most = [sum(max(f, 0) for f in terms.values()) for terms, _, _ in constraints]
        self._free = [len(terms) for terms, _, _ in constraints]
        self._queue = list(range(len(constraints)))
        self._queued = set(self._queue)

    def set(self, column: int, value: int) -> None:
        """Fix a variable."""
        self._move(column, value, 1)
        self.value[column] = value
        self.trail.append(column)

    def undo(self, length: int) -> None:
        """Free the variables that were fixed last."""
        while len(self.trail) > length:
            column = self.trail.pop()
            self._move(column, self.value[column], -1)
            self.value[column] = -1
        self._queue.clear()
        self._queued.clear()

    def _move(self, column: int, value: int, sign: int) -> None:
        for number, factor in self._rows[column]:
            # A free variable adds min(factor, 0) to the least sum, max(factor, 0) to the greatest.
            now = factor if value else 0
            low, high = now - min(factor, 0), now - max(factor, 0)
            self._least[number] += sign * low
            self._most[number] += sign * high
            self._free[number] -= sign
            if number not in self._queued:
                self._queued.add(number)
                self._queue.append(number)

    def propagate(self) -> Multipliers | None:
        """Fix, and write, what single constraints imply; return a violated one."""
        while self._queue:
            number = self._queue.pop()
            self._queued.remove(number)
            terms, relation, side = self._constraints[number]
            above = self._most[number] - side
            below = side - self._least[number] if relation == "=" else None
            if above < 0:
                return [(number, 1)]
            if below is not None and below < 0:
                return [(number, -1)]
            for column, factor in terms.items():
                if self.value[column] >= 0:
                    continue
                if abs(factor) > above:
                    self._fix(column, factor > 0, number, 1)
                elif below is not None and abs(factor) > below:
                    self._fix(column, factor < 0, number, -1)
        return None

    def _fix(self, column: int, value: bool, number: int, factor: int) -> None:
        self._write(["fix", column + 1, int(value), [[number + 1, factor]]])
        self.set(column, int(value))

    def choose(self) -> int:
        """Return the free variable to branch on, -1 if all are fixed.

        It has the largest coefficient in an undecided constraint with the fewest free variables.
        """
        best, fewest = -1, len(self.value) + 1
        for number, (_, relation, side) in enumerate(self._constraints):
            open_ = self._least[number] < side or (relation == "=" and self._most[number] > side)
            if open_ and 0 < self._free[number] < fewest:
                best, fewest = number, self._free[number]
        if best < 0:
            return next((c for c, value in enumerate(self.value) if value < 0), -1)
        terms = self._constraints[best][0]
        free = (column for column in terms if self.value[column] < 0)
        return max(free, key=lambda column: (abs(terms[column]), -column))

    def refutes(self, multipliers: Multipliers) -> bool:
        """Return whether the sum of constraints is violated by all values of free variables."""
        total: dict[int, int] = {}
        right = 0
        for number, factor in multipliers:
            terms, relation, side = self._constraints[number]
            if factor < 0 and relation != "=":
                return False
            right += factor * side
            for column, value in terms.items():
                total[column] = total.get(column, 0) + factor * value
        most = sum(
            value * self.value[column] if self.value[column] >= 0 else max(value, 0)
            for column, value in total.items()
        )
        return most < right
