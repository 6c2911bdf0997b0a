"""The columns of two models paired: by their names, by a file, or by the structure of the rows.

The structure is matched by colour refinement with individualisation (McKay and Piperno 2014,
https://doi.org/10.1016/j.jsc.2013.09.003). Rows may be scaled, turned around and permuted. Colours
are hashes, so two columns of one colour may differ; the pairs are checked in exact numbers.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from calmip._base.errors import InputError, clip
from calmip._base.limits import ENDLESS, Deadline
from calmip.mip.display import quote
from calmip.mip.model import Model
from calmip.mip.rows import Number, Row, common_factor, is_finite

if TYPE_CHECKING:
    import numpy.typing as npt

    Colours = npt.NDArray[np.uint64]

MAX_TRIALS = 10_000
"""The most columns that are tried as partners before the search for a match ends."""

MAX_GUESSES = 10
"""The most wrong or empty guesses at all partners of some classes."""

MATCH_SECONDS = 60.0
"""The most seconds of that search without a time limit."""


@dataclass(frozen=True)
class Pairing:
    """The columns that two models share.

    Parameters
    ----------
    columns
        The column of the first model by the column of the second.
    how
        How many pairs were found how: ``equal`` names, ``mapped`` by a file, ``spelling`` (names
        that differ in punctuation alone), ``structure``.
    """

    columns: Mapping[int, int]
    how: Mapping[str, int]


def pair_columns(
    one: Model,
    other: Model,
    names: Mapping[str, str] | None = None,
    *,
    match: bool = False,
    clock: Deadline = ENDLESS,
) -> Pairing:
    """Return the columns that two models share.

    Parameters
    ----------
    one, other
        The models.
    names
        The name in the first model by the name in the second. A ``*`` stands for any text, and
        the same text replaces the ``*`` of the other name.
    match
        Whether to ignore the names, except those of ``names``, and match the structure.
    clock
        The time limit of the match.

    Raises
    ------
    InputError
        If a name is unknown or has two partners, or if no columns can be paired.
    """
    mapped = {
        other.column_index[theirs]: one.column_index[ours]
        for theirs, ours in _mapped(one, other, names or {})
    }
    if match:
        try:
            found = match_columns(one, other, mapped, clock)
        except TimeoutError as error:
            raise InputError(f"{error}; pair them by their names with --names") from None
        if found is None:
            raise InputError(
                "no renaming of the columns makes the two models equal; "
                "pair the columns by their names with --names"
            )
        return Pairing(found, _counts(mapped=len(mapped), structure=len(found) - len(mapped)))
    taken = set(mapped.values())
    pairs = dict(mapped)
    for index, name in enumerate(other.columns):
        partner = one.column_index.get(name)
        if index not in pairs and partner is not None and partner not in taken:
            pairs[index] = partner
    equal = len(pairs) - len(mapped)
    spelled = _spelled(one, other, pairs)
    pairs.update(spelled)
    if not pairs:
        raise InputError(
            f"the models share no name of a column, such as {quote(one.columns[0])}; "
            "pair them with --names, or by their structure with --match"
        )
    return Pairing(
        dict(sorted(pairs.items())),
        _counts(equal=equal, mapped=len(mapped), spelling=len(spelled)),
    )


def _counts(**how: int) -> dict[str, int]:
    return {word: number for word, number in how.items() if number}


def _mapped(one: Model, other: Model, names: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield the pairs of names that a mapping with patterns gives."""
    partner: dict[str, str] = {}
    for theirs, ours in names.items():
        for name, target in _matches(other, theirs, ours):
            if name not in other.column_index:
                raise InputError(f"the model {clip(other.name)} has no column {quote(name)}")
            if target not in one.column_index:
                raise InputError(f"the model {clip(one.name)} has no column {quote(target)}")
            if partner.setdefault(target, name) != name:
                raise InputError(
                    f"columns {quote(partner[target])} and {quote(name)} are both paired with "
                    f"{quote(target)}; pair each column once"
                )
            yield name, target


def _matches(other: Model, theirs: str, ours: str) -> Iterator[tuple[str, str]]:
    if "*" not in theirs or theirs in other.column_index:
        yield theirs, ours
        return
    if theirs.count("*") != ours.count("*"):
        raise InputError(f"{quote(theirs)} and {quote(ours)} need as many * each")
    pattern = re.compile("(.*)".join(map(re.escape, theirs.split("*"))))
    found = False
    for name in other.columns:
        if parts := pattern.fullmatch(name):
            found = True
            pieces = ours.split("*")
            ends = zip(parts.groups(), pieces[1:], strict=True)
            yield name, pieces[0] + "".join(text + end for text, end in ends)
    if not found:
        raise InputError(f"no column of the model {clip(other.name)} is like {quote(theirs)}")


def _spelled(one: Model, other: Model, pairs: Mapping[int, int]) -> dict[int, int]:
    """Return pairs of columns whose names differ in punctuation alone, where that is unique."""
    taken = set(pairs.values())
    left = [index for index in range(len(other.columns)) if index not in pairs]
    free = [index for index in range(len(one.columns)) if index not in taken]
    ours, theirs = (
        _unique({index: _plain(model.columns[index]) for index in indices})
        for model, indices in ((one, free), (other, left))
    )
    return {theirs[name]: index for name, index in ours.items() if name in theirs}


def _plain(name: str) -> str:
    return re.sub(r"[^0-9A-Za-z]+", "_", name).strip("_")


def _unique(names: Mapping[int, str]) -> dict[str, int]:
    counts = Counter(names.values())
    return {name: index for index, name in names.items() if name and counts[name] == 1}


# by structure


def match_columns(
    one: Model,
    other: Model,
    given: Mapping[int, int] | None = None,
    clock: Deadline = ENDLESS,
    *,
    trials: int = MAX_TRIALS,
) -> dict[int, int] | None:
    """Return a renaming of the columns that makes two models equal, None if there is none.

    Rows may be scaled, turned around and permuted. The objective may be scaled.

    Parameters
    ----------
    one, other
        The models.
    given
        Pairs that the renaming must have: the column of the first model by that of the second.
    clock, trials
        The time limit, and the most columns that are tried as partners.

    Raises
    ------
    TimeoutError
        If a limit is reached first.
    """
    sizes = [(len(m.columns), m.nonzeros) for m in (one, other)]
    if sizes[0][0] != sizes[1][0]:
        return None
    first, second = _Structure(one), _Structure(other)
    limit = Deadline(MATCH_SECONDS) if clock.seconds is None else clock
    return _Match(first, second, limit, trials).find(given or {})


class _Structure:
    """The rows of a model as arrays for hashing, and as exact texts."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.width = len(model.columns)
        self.rows = [row for row in map(_normal, model.exact_rows()) if row is not None]
        entries = [(r, c, v) for r, row in enumerate(self.rows) for c, v in row[0].items()]
        self.row = np.array([r for r, _, _ in entries], dtype=np.int64)
        self.column = np.array([c for _, c, _ in entries], dtype=np.int64)
        values = np.array([v for _, _, v in entries], dtype=object)
        self.plus, self.minus, self.size = map(_hashes, (values, -values, abs(values)))
        self.factors = _mix(self.plus), _mix(self.minus), _mix(self.size)
        """The hashes of the coefficients again, mixed."""
        self.upper = np.array(
            [_hash((low, high, -high)) for _, low, high in self.rows], dtype=np.uint64
        )
        two = [is_finite(row.low) for row in self.rows]
        self.sided = np.flatnonzero(two)
        """The rows with two sides, which may be turned around."""
        self.both = np.flatnonzero(np.array(two, dtype=np.bool_)[self.row])
        """The places of their entries."""
        self.lower = np.array(
            [_hash((-high, -low, low)) for _, low, high in self.rows], dtype=np.uint64
        )[self.sided]
        pairs = zip(model.values("integer"), model.column_bounds, strict=True)
        cost = Row(model.costs, -math.inf, math.inf).reduced().terms
        self.kinds = [
            (bool(integer), *pair, cost.get(column, 0))
            for column, (integer, pair) in enumerate(pairs)
        ]
        self.colours = np.array([_hash(kind) for kind in self.kinds], dtype=np.uint64)

    @cached_property
    def texts(self) -> Counter[Any]:
        """The rows in exact numbers, by their names of columns."""
        return Counter(_text(row, range(self.width)) for row in self.rows)


def _normal(row: Row[Number]) -> Row[Number] | None:
    """Return a row with coprime coefficients, None if it holds without columns.

    A row with one side is turned so that it is the upper one.
    """
    terms = {column: value for column, value in row.terms.items() if value}
    sides = len(row.bounds.finite)
    if not sides or (not terms and row.low <= 0 <= row.high):
        return None
    up, down = common_factor(terms.values())
    factor = Fraction(up, down) if sides == 2 or is_finite(row.high) else Fraction(-up, down)
    integers = {c: int(value * factor) for c, value in terms.items()}
    return Row(integers, *row.bounds.times(factor))


def _text(row: Row[Number], name: Any) -> Any:
    """Return a row with new columns; a row with two sides is turned to its smaller text."""
    terms, low, high = row
    own = tuple(sorted((name[column], value) for column, value in terms.items()))
    if not is_finite(low):
        return own, low, high
    turned = tuple((column, -value) for column, value in own)
    return min((own, low, high), (turned, -high, -low))


def _hash(value: Any) -> int:
    """Return 64 bits for a value; equal numbers give equal bits."""
    return hash((value, "calmip")) & 0xFFFFFFFFFFFFFFFF


def _hashes(values: npt.NDArray[np.object_]) -> Colours:
    """Return the hashes of whole numbers, most of which occur many times."""
    # In Python -1 and -2 have the same hash; 1 and 2 have not.
    known = {value: _hash((value, -value)) for value in set(values)}
    return np.array([known[value] for value in values], dtype=np.uint64)


def _mix(values: Colours) -> Colours:
    """Return hashes of hashes, by the finaliser of splitmix64."""
    with np.errstate(over="ignore"):
        values = (values ^ (values >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        values = (values ^ (values >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return values ^ (values >> np.uint64(31))


class _Match:
    def __init__(
        self, first: _Structure, second: _Structure, clock: Deadline, max_trials: int
    ) -> None:
        self.first, self.second, self.clock = first, second, clock
        self.max_trials = max_trials
        self.trials = self.wrong = 0

    def find(self, given: Mapping[int, int]) -> dict[int, int] | None:
        """Return a renaming, None if there is none."""
        first, second = self.first.colours.copy(), self.second.colours.copy()
        for number, (theirs, ours) in enumerate(given.items()):
            if first[ours] != second[theirs]:
                return None
            first[ours] = second[theirs] = _hash(("given", number))
        return self._search(first, second)

    def _search(self, first: Colours, second: Colours) -> dict[int, int] | None:
        stack: list[tuple[Colours, Colours, Iterator[list[tuple[int, int]]]]] = []
        while True:
            refined = self._refine(first, second)
            self.wrong += refined is None
            if refined is not None:
                first, second = refined
                choice = self._choice(first, second)
                if choice is None:
                    renaming = self._renaming(first, second)
                    if self._equal(renaming):
                        return renaming
                    self.wrong += 1
                else:
                    stack.append((first, second, choice))
            while stack:
                first, second, choice = stack[-1]
                pairs = next(choice, None)
                if pairs is not None:
                    break
                stack.pop()
            else:
                return None
            self.trials += 1
            self.clock.check("the columns were not matched")
            if self.trials > self.max_trials:
                raise TimeoutError(f"the columns were not matched in {self.max_trials:,} trials")
            first, second = first.copy(), second.copy()
            for number, (ours, theirs) in enumerate(pairs):
                first[ours] = second[theirs] = _hash(("chosen", self.trials, number))

    def _refine(self, first: Colours, second: Colours) -> tuple[Colours, Colours] | None:
        """Return stable colours, None if the two models have different ones."""
        number = 0
        while True:
            ours, theirs = np.sort(first), np.sort(second)
            if not np.array_equal(ours, theirs):
                return None
            classes = 1 + int(np.count_nonzero(ours[1:] != ours[:-1])) if len(ours) else 0
            if classes == number or classes == len(first):
                return first, second
            number = classes
            first, second = _step(self.first, first), _step(self.second, second)

    def _choice(self, first: Colours, second: Colours) -> Iterator[list[tuple[int, int]]] | None:
        """Return the pairs to try: a guess, and one column of a smallest class with each partner.

        The guess pairs all columns of some classes, in any order. They are interchangeable as a
        rule: the flows of equal arcs, slacks, equal columns.
        """
        _, inverse, counts = np.unique(first, return_inverse=True, return_counts=True)
        large = counts > 1
        if not large.any():
            return None
        return self._tries(first, second, np.where(large[inverse], inverse, -1), counts)

    def _tries(
        self,
        first: Colours,
        second: Colours,
        classes: npt.NDArray[np.int64],
        counts: npt.NDArray[np.int64],
    ) -> Iterator[list[tuple[int, int]]]:
        """Yield the pairs to try; ``classes`` is the number of a column's class, -1 if known."""
        if self.wrong < MAX_GUESSES:
            free = self._free(classes, counts)
            ours, theirs = (np.argsort(one, kind="stable") for one in (first, second))
            some = (classes[ours] >= 0) & free[classes[ours]]
            guess = list(zip(ours[some].tolist(), theirs[some].tolist(), strict=True))
            self.wrong += not guess
            if guess:
                yield guess
        size = counts[counts > 1].min()
        chosen = int(np.flatnonzero(counts == size)[0])
        column = int(np.flatnonzero(classes == chosen)[0])
        for partner in np.flatnonzero(second == first[column]).tolist():
            yield [(column, partner)]

    def _free(
        self, classes: npt.NDArray[np.int64], counts: npt.NDArray[np.int64]
    ) -> npt.NDArray[np.bool_]:
        """Return the classes that share rows with others only where all their columns are."""
        row, own = self.first.row, classes[self.first.column]
        pairs, sizes = np.unique((row * len(counts) + own)[own >= 0], return_counts=True)
        row, own = np.divmod(pairs, len(counts))
        mixed = np.bincount(row, minlength=len(self.first.rows)) > 1
        free: npt.NDArray[np.bool_] = counts > 1
        free[own[mixed[row] & (sizes < counts[own])]] = False
        return free

    def _renaming(self, first: Colours, second: Colours) -> dict[int, int]:
        index = {int(colour): column for column, colour in enumerate(first.tolist())}
        return {column: index[int(colour)] for column, colour in enumerate(second.tolist())}

    def _equal(self, pairs: Mapping[int, int]) -> bool:
        """Whether a renaming makes the models equal, in exact numbers."""
        if any(
            self.first.kinds[ours] != self.second.kinds[theirs] for theirs, ours in pairs.items()
        ):
            return False
        return self.first.texts == Counter(_text(row, pairs) for row in self.second.rows)


def _step(structure: _Structure, colours: Colours) -> Colours:
    """Return finer colours: of each column, with those of its rows."""
    row, both = structure.row, structure.both
    with np.errstate(over="ignore"):
        own = _mix(colours)[structure.column]
        total = np.zeros(len(structure.rows), dtype=np.uint64)
        np.add.at(total, row, _mix(structure.plus ^ own))
        total = _mix(total + structure.upper)
        factor = structure.factors[0]
        if len(both):
            turned = np.zeros(len(structure.rows), dtype=np.uint64)
            np.add.at(turned, row[both], _mix(structure.minus[both] ^ own[both]))
            turned[structure.sided] = _mix(turned[structure.sided] + structure.lower)
            # A row that is turned around has the same sum, and the same factors.
            less, tie = (total <= turned)[row[both]], (total == turned)[row[both]]
            factor = factor.copy()
            factor[both] = np.where(less, structure.factors[1][both], factor[both])
            factor[both] = np.where(tie, structure.factors[2][both], factor[both])
            total += turned
        found = np.zeros(structure.width, dtype=np.uint64)
        np.add.at(found, structure.column, _mix(total[row] + factor))
        stepped: Colours = _mix(colours + _mix(found))
    return stepped
