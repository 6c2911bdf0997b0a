"""Instances: a puzzle, the labels to leave uncovered, and pieces that are already placed."""

from __future__ import annotations

import datetime
import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from calmip._base.errors import InputError, clip, did_you_mean, errors_at, join_words, short_repr
from calmip.mip.display import Drawable
from calmip.puzzle.board import label_among, label_of
from calmip.puzzle.dates import labels_of_date
from calmip.puzzle.lattice import Cell
from calmip.puzzle.puzzle import Puzzle

FREE = "free"
"""The word that leaves the label of a reveal group to the model."""


@dataclass(frozen=True, order=True)
class Placement:
    """One piece on one set of cells, which determine its orientation and translation."""

    piece: str
    """The piece's name."""
    cells: tuple[Cell, ...]
    """The cells as 0-based (row, column)."""


@dataclass(frozen=True)
class Instance(Drawable):
    """A puzzle and the labels to leave uncovered.

    Parameters
    ----------
    puzzle, labels
        The puzzle, and the labels whose cells stay uncovered.
    free
        The reveal groups whose label the model chooses.
    name
        A name for people and files.
    placed
        Pieces that are already placed; every tiling has them.

    Raises
    ------
    InputError
        If a label is unknown or repeated, the pieces' area is not the number of cells to
        cover, a placed piece is unknown, repeated, of another shape, or out of place, or so
        many pieces as are to be used cannot have that area.
    """

    puzzle: Puzzle
    labels: tuple[str, ...] = ()
    free: tuple[str, ...] = ()
    name: str = ""
    placed: tuple[Placement, ...] = ()

    def __repr__(self) -> str:
        labels = " ".join([*self.labels, *(f"any {group}" for group in self.free)])
        placed = f", {len(self.placed)} pieces placed" if self.placed else ""
        return short_repr(self, f"{self.name or '-'}: {self.puzzle.name}, {labels or '-'}{placed}")

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
                    f"'{clip(label)}' is not a label of {self.puzzle.name}; "
                    f"{_remedy(label, known, 'its labels are')}",
                    where=("reveal", number),
                )
            if label in seen:
                raise InputError(f"label {label} is revealed twice", where=("reveal", number))
            seen.add(label)
        for number, group in enumerate(self.free):
            if group not in self.puzzle.groups:
                raise InputError(
                    f"{self.puzzle.name} has no group '{clip(group)}' to leave free; "
                    f"its groups are {join_words(self.puzzle.groups)}",
                    where=("reveal",),
                )
            fixed = [label for label in self.puzzle.groups[group] if label in seen]
            if fixed or group in self.free[:number]:
                why = f"{fixed[0]} is revealed" if fixed else "it is free already"
                raise InputError(f"group {group} cannot be free: {why}", where=("reveal",))
        self._check_area()
        self._check_use()
        placed = (Placement(one.piece, tuple(sorted(one.cells))) for one in self.placed)
        object.__setattr__(self, "placed", tuple(placed))
        self._check_placed()

    def _check_placed(self) -> None:
        """Raise `InputError` unless the placed pieces fit, each once and without overlap."""
        pieces = {piece.name: piece for piece in self.puzzle.pieces}
        board, open_cells = self.puzzle.board, set(self.to_cover)
        owner: dict[Cell, str] = {}
        for number, (name, cells) in enumerate((one.piece, one.cells) for one in self.placed):
            with errors_at("placed", number):
                if name not in pieces:
                    raise InputError(
                        f"'{clip(name)}' is not a piece of {self.puzzle.name}; "
                        f"its pieces are {join_words(pieces)}"
                    )
                if name in owner.values():
                    raise InputError(f"piece {name} is placed twice")
                for cell in cells:
                    lies = f"piece {name} is placed on"
                    if cell not in board.cells:
                        raise InputError(f"{lies} {cell}, which is off the board")
                    place = f"{board.label(cell)} {cell}"
                    if cell not in open_cells:
                        raise InputError(f"{lies} {place}, which is to stay uncovered")
                    if cell in owner:
                        both = f"pieces {owner[cell]} and {name}"
                        raise InputError(f"{both} are both placed on {place}")
                shape, piece = board.lattice.normal_form(cells), pieces[name]
                if shape not in piece.orientations(flip=self.puzzle.flip):
                    fault = ""
                    if shape in board.lattice.orientations(piece.cells, flip=True):
                        over = " over" if piece.rotate else ""
                        fault = f" unless it is turned{over}, which is forbidden here"
                    raise InputError(
                        f"the cells {join_words(cells)} do not have the shape of piece "
                        f"{name}{fault}"
                    )
                owner.update(dict.fromkeys(cells, name))

    @cached_property
    def _sizes(self) -> set[int]:
        """The numbers of cells that a tiling may cover, by the labels of the free groups."""
        board = self.puzzle.board
        sizes = {len(board.cells) - sum(len(board.labels[label]) for label in self.labels)}
        for group in self.free:
            freed = {len(board.labels[label]) for label in self.puzzle.groups[group]}
            sizes = {size - more for size in sizes for more in freed}
        return sizes

    def _check_area(self) -> None:
        puzzle, sizes = self.puzzle, self._sizes
        if not sizes.isdisjoint(puzzle.areas):
            return
        left = " or ".join(map(str, sorted(sizes)))
        by_group = self.by_group(self.labels)
        missing = [
            group for group in puzzle.groups if group not in self.free and group not in by_group
        ]
        hint = f"; no {' and no '.join(missing)} is revealed" if missing else ""
        if missing and len(by_group) == len(self.labels):
            choice = (f"{group}={by_group.get(group, FREE)}" for group in puzzle.groups)
            hint += f"; to leave that to the model, reveal {','.join(choice)}"
        large = puzzle.large_labels
        hint += "".join(f"; {large[label]}" for label in self.labels if label in large)
        if not hint and len(sizes) == 1:
            hint = puzzle.area_remedy(*sizes)
        if puzzle.optional:
            cover = "with some left out, the pieces cover"
            near = sorted(puzzle.areas, key=lambda area: min(abs(area - size) for size in sizes))
            area = " or ".join(map(str, sorted(near[:2])))
        else:
            cover, area = "the pieces cover", str(puzzle.area)
        raise InputError(
            f"{cover} {area} cells, but {left} cells are to be covered{hint}", where=("reveal",)
        )

    @cached_property
    def _numbers(self) -> frozenset[int]:
        """The numbers of pieces that cover as many cells as a tiling."""
        areas = self.puzzle.areas
        return frozenset(n for size in self._sizes for n in areas.get(size, ()))

    def _check_use(self) -> None:
        """Raise `InputError` if as many pieces as are to be used never have the area."""
        use, numbers = self.puzzle.use, self._numbers
        if use and use not in numbers:
            found = " or ".join(map(str, sorted(numbers)))
            cells = " or ".join(map(str, sorted(self._sizes)))
            raise InputError(
                f"use is {use}, but by their sizes {found} pieces cover {cells} cells; write "
                f"{'one of these numbers' if len(numbers) > 1 else f'use: {found}'}, or leave out "
                "the key 'use' and write optional: true for each piece that may be left out",
                where=("use",),
            )

    @cached_property
    def use(self) -> int | None:
        """How many pieces a tiling uses, if that is to be stated: their sizes do not imply it."""
        return self.puzzle.use if self._numbers != {self.puzzle.use} else None

    @classmethod
    def reveal(cls, puzzle: Puzzle, labels: Mapping[str, str], *, name: str = "") -> Instance:
        """Return the instance that reveals one label of each group.

        Parameters
        ----------
        puzzle, labels
            The puzzle, and the label of each group; ``free`` leaves it to the model.
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
                    f"{puzzle.name} has no group '{clip(group)}'; "
                    f"its groups are {join_words(puzzle.groups)}",
                    where=("reveal", group),
                )
        for group, allowed in puzzle.groups.items():
            if group not in labels:
                raise InputError(
                    f"no {group} is revealed; give one of {join_words(allowed)}, "
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
                    f"'{clip(label)}' is not a {group} of {puzzle.name}; "
                    f"{_remedy(label, allowed, 'use one of')}",
                    where=("reveal", group),
                )
        return cls(puzzle, tuple(chosen), tuple(free), name)

    @classmethod
    def of_dates(
        cls, puzzle: Puzzle, dates: Iterable[datetime.date], *, name: str = ""
    ) -> Instance:
        """Return the instance that leaves several dates uncovered at once.

        A label that dates share stays uncovered once. The errors are those of `of_date`.
        """
        dates = tuple(dates)
        if len(dates) == 1:
            return cls.of_date(puzzle, dates[0], name=name)
        every = [labels_of_date(_dated(puzzle), date).values() for date in dates]
        labels = tuple(dict.fromkeys(itertools.chain.from_iterable(every)))
        try:
            return cls(puzzle, labels, name=name)
        except InputError as error:
            named = " and ".join(date.isoformat() for date in dates)
            raise InputError(f"{named} ({' '.join(labels)}): {error.message}") from None

    @classmethod
    def of_date(cls, puzzle: Puzzle, date: datetime.date, *, name: str = "") -> Instance:
        """Return the instance of a date: month, day and, where there are any, weekday and year.

        Raises
        ------
        InputError
            If the puzzle has no groups, no label for the date, or another number of cells
            to cover than the pieces have.
        """
        labels = labels_of_date(_dated(puzzle), date)
        try:
            return cls.reveal(puzzle, labels, name=name)
        except InputError as error:
            words = " ".join(labels.values())
            raise InputError(f"{date.isoformat()} ({words}): {error.message}") from None

    @cached_property
    def to_cover(self) -> tuple[Cell, ...]:
        """The cells to cover, in row-major order; those of free groups are included."""
        bare = self.puzzle.board.labelled(self.labels)
        return tuple(cell for cell in self.puzzle.board.cells if cell not in bare)

    def reveal_of(self, labels: Sequence[str]) -> dict[str, str | list[str]]:
        """Return labels by group, or under ``labels`` if they are not one of each group."""
        by_group = self.by_group(labels)
        if len(by_group) == len(labels) and set(by_group) == set(self.puzzle.groups):
            return {**by_group}
        return {"labels": list(labels)}

    def by_group(self, labels: Sequence[str]) -> dict[str, str]:
        """Return the label of each group that has one."""
        groups = self.puzzle.groups.items()
        return {group: label for group, members in groups for label in labels if label in members}


class Selection(Instance):
    """The instance of a supply, of which only some pieces are used."""

    def _check_area(self) -> None:
        """Accept any area."""


def _dated(puzzle: Puzzle) -> Mapping[str, tuple[str, ...]]:
    """Return the groups of a puzzle; raise `InputError` if there are none."""
    if not puzzle.groups:
        raise InputError(
            f"{puzzle.name} uncovers no labels, so it has no dates; where its labels are "
            "months and days, write uncover: [month, day]"
        )
    return puzzle.groups


def _remedy(label: str, allowed: Iterable[str], words: str) -> str:
    """Return the closest label, or all labels."""
    allowed = list(allowed)
    guess = did_you_mean(label, allowed)
    return f"did you mean {guess}?" if guess else f"{words} {join_words(allowed)}"
