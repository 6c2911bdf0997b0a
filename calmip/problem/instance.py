"""Instances: a puzzle, the labels to leave uncovered, and pieces that lie on the board already."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from calmip.errors import InputError, did_you_mean, listed, shown
from calmip.problem.board import label_among, label_of
from calmip.problem.dates import labels_of_date
from calmip.problem.lattice import Cell, normalised
from calmip.problem.puzzle import Puzzle

__all__ = ["FREE", "Instance", "Placement"]

FREE = "free"
"""The word that leaves a reveal group's label to the model."""


@dataclass(frozen=True, order=True)
class Placement:
    """One piece on one set of cells; orientation and translation follow from the cells."""

    piece: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True)
class Instance:
    """A puzzle and the labels to leave uncovered: what is solved.

    Parameters
    ----------
    puzzle
        The puzzle.
    labels
        The labels whose cells stay uncovered.
    free
        The reveal groups whose label the model chooses.
    name
        A name for people and files.
    placed
        Pieces that lie on the board already and stay there; every tiling has
        them. With some of them placed an instance is a position.

    Raises
    ------
    InputError
        If a label is unknown or repeated, the pieces' area is not the number
        of cells to cover, or a placed piece is unknown, placed twice, not of
        its shape, or lies where it cannot.
    """

    puzzle: Puzzle
    labels: tuple[str, ...] = ()
    free: tuple[str, ...] = ()
    name: str = ""
    placed: tuple[Placement, ...] = ()

    def __post_init__(self) -> None:
        if isinstance(self.labels, str) or isinstance(self.free, str):
            raise InputError("labels and free are lists of texts, such as ['Feb', '29']")
        known = self.puzzle.board.labels
        labels = (label_among(known, label) or label_of(label) for label in self.labels)
        object.__setattr__(self, "labels", tuple(labels))
        object.__setattr__(self, "free", tuple(self.free))
        seen: set[str] = set()
        for number, label in enumerate(self.labels):
            if label not in known:
                raise InputError(
                    f"'{shown(label)}' is not a label of {self.puzzle.name}; "
                    f"{_remedy(label, known, 'its labels are')}",
                    where=("reveal", number),
                )
            if label in seen:
                raise InputError(f"label {label} is revealed twice", where=("reveal", number))
            seen.add(label)
        for number, group in enumerate(self.free):
            if group not in self.puzzle.groups:
                raise InputError(
                    f"{self.puzzle.name} has no group '{shown(group)}' to leave free; "
                    f"its groups are {listed(list(self.puzzle.groups))}",
                    where=("reveal",),
                )
            fixed = [label for label in self.puzzle.groups[group] if label in seen]
            if fixed or group in self.free[:number]:
                why = f"{fixed[0]} is revealed" if fixed else "it is free already"
                raise InputError(f"group {group} cannot be free: {why}", where=("reveal",))
        self._check_area()
        placed = (Placement(one.piece, tuple(sorted(one.cells))) for one in self.placed)
        object.__setattr__(self, "placed", tuple(placed))
        self._check_placed()

    def _check_placed(self) -> None:
        """Raise `InputError` unless the placed pieces can lie there, each by itself."""
        pieces = {piece.name: piece for piece in self.puzzle.pieces}
        board, open_cells = self.puzzle.board, set(self.to_cover)
        owner: dict[Cell, str] = {}
        for number, (name, cells) in enumerate((one.piece, one.cells) for one in self.placed):
            where = ("placed", number)
            if name not in pieces:
                raise InputError(
                    f"'{shown(name)}' is not a piece of {self.puzzle.name}; "
                    f"its pieces are {listed(list(pieces))}",
                    where=where,
                )
            if any(one.piece == name for one in self.placed[:number]):
                raise InputError(f"piece {name} is placed twice", where=where)
            for cell in cells:
                if cell not in board.cells:
                    raise InputError(
                        f"piece {name} is placed on {cell}, which is off the board", where=where
                    )
                if cell not in open_cells:
                    raise InputError(
                        f"piece {name} is placed on {board.label(cell)} {cell}, "
                        "which is to stay uncovered",
                        where=where,
                    )
                if cell in owner:
                    raise InputError(
                        f"pieces {owner[cell]} and {name} are both placed on "
                        f"{board.label(cell)} {cell}",
                        where=where,
                    )
            if normalised(cells) not in pieces[name].orientations(flip=self.puzzle.flip):
                turned = normalised(cells) in pieces[name].orientations(flip=True)
                raise InputError(
                    f"the cells {listed(cells)} do not have the shape of piece {name}"
                    + (" unless it is turned over, which is forbidden here" if turned else ""),
                    where=where,
                )
            owner.update(dict.fromkeys(cells, name))

    def _check_area(self) -> None:
        board = self.puzzle.board
        fixed = len(board.cells) - sum(len(board.labels[label]) for label in self.labels)
        sizes = {fixed}
        for group in self.free:
            freed = {len(board.labels[label]) for label in self.puzzle.groups[group]}
            sizes = {size - more for size in sizes for more in freed}
        if self.puzzle.area not in sizes:
            left = " or ".join(map(str, sorted(sizes)))
            missing = [
                group
                for group, labels in self.puzzle.groups.items()
                if group not in self.free and not set(labels) & set(self.labels)
            ]
            hint = f"; no {' and no '.join(missing)} is revealed{self._cure()}" if missing else ""
            large = self.puzzle.large_labels
            hint += "".join(f"; {large[label]}" for label in self.labels if label in large)
            if not hint and len(sizes) == 1:
                hint = self.puzzle.area_remedy(*sizes)
            raise InputError(
                f"the pieces cover {self.puzzle.area} cells, but {left} cells are to be "
                f"covered{hint}",
                where=("reveal",),
            )

    def _cure(self) -> str:
        """Return how to say that the groups without a label are left to the model."""
        by_group = self._by_group(self.labels)
        if len(by_group) < len(self.labels):
            return ""
        said = (f"{group}={by_group.get(group, FREE)}" for group in self.puzzle.groups)
        return f"; to leave that to the model, reveal {','.join(said)}"

    @classmethod
    def reveal(cls, puzzle: Puzzle, labels: Mapping[str, str], *, name: str = "") -> Instance:
        """Return the instance that reveals one label of each group.

        Parameters
        ----------
        puzzle
            The puzzle.
        labels
            The label of every group; the word ``free`` leaves it to the model.
        name
            A name for the instance.

        Raises
        ------
        InputError
            If a group is missing or unknown, or a label is not in its group.
        """
        chosen: list[str] = []
        free: list[str] = []
        for group in labels:
            if group not in puzzle.groups:
                raise InputError(
                    f"{puzzle.name} has no group '{shown(group)}'; "
                    f"its groups are {listed(list(puzzle.groups))}",
                    where=("reveal", group),
                )
        for group, allowed in puzzle.groups.items():
            if group not in labels:
                raise InputError(
                    f"no {group} is revealed; give one of {listed(allowed)}, "
                    f"or '{FREE}' to let the model choose",
                    where=("reveal",),
                )
            label = label_of(labels[group])
            found = label_among(allowed, label)
            if label == FREE and found != FREE:
                free.append(group)
            elif found is not None:
                chosen.append(found)
            else:
                raise InputError(
                    f"'{shown(label)}' is not a {group} of {puzzle.name}; "
                    f"{_remedy(label, allowed, 'use one of')}",
                    where=("reveal", group),
                )
        return cls(puzzle, tuple(chosen), tuple(free), name)

    @classmethod
    def of_date(cls, puzzle: Puzzle, date: datetime.date, *, name: str = "") -> Instance:
        """Return the instance of a date: month, day and, where there are any, weekday and year.

        Raises
        ------
        InputError
            If the puzzle has no label for the date, or no groups at all, or the date
            leaves another number of cells than the pieces cover.
        """
        if not puzzle.groups:
            raise InputError(
                f"{puzzle.name} uncovers nothing, so it knows no dates; where its labels are "
                "months and days, write uncover: [month, day]"
            )
        labels = labels_of_date(puzzle.groups, date)
        try:
            return cls.reveal(puzzle, labels, name=name)
        except InputError as error:
            words = " ".join(labels.values())
            raise InputError(f"{date.isoformat()} ({words}): {error.message}") from None

    @cached_property
    def to_cover(self) -> tuple[Cell, ...]:
        """The cells to cover, in row-major order; cells of free groups are among them."""
        bare = self.puzzle.board.labelled(self.labels)
        return tuple(cell for cell in self.puzzle.board.cells if cell not in bare)

    def reveal_of(self, labels: Sequence[str]) -> dict[str, str | list[str]]:
        """Return uncovered labels by group, or under ``labels`` where they are no full choice."""
        by_group = self._by_group(labels)
        if len(by_group) == len(labels) and set(by_group) == set(self.puzzle.groups):
            return {**by_group}
        return {"labels": list(labels)}

    def _by_group(self, labels: Sequence[str]) -> dict[str, str]:
        return {
            group: label
            for group, members in self.puzzle.groups.items()
            for label in labels
            if label in members
        }


def _remedy(label: str, allowed: Iterable[str], words: str) -> str:
    """Return the label that was probably meant, or all that there are."""
    allowed = list(allowed)
    guess = did_you_mean(label, allowed)
    return f"did you mean {guess}?" if guess else f"{words} {listed(allowed)}"
