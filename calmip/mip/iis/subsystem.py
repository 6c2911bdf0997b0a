"""Why a model has no solution: irreducible infeasible subsystems (IIS) of a MIP.

A subsystem is infeasible if its members exclude each other, and irreducible if each member has
a *witness*: a point that satisfies all others. A deletion filter (Chinneck and Dravnieks 1991,
https://doi.org/10.1287/ijoc.3.2.157; for MIPs Guieu and Chinneck 1999,
https://doi.org/10.1287/ijoc.11.1.63) removes members in chunks while HiGHS calls the rest
infeasible: first rows, with all bounds and integrality given, then integrality and bounds.

Nothing rests on HiGHS's word. Witnesses are checked in rational numbers. A few changes of a
witness lead to witnesses of other members (model rotation, Belov and Marques-Silva 2011,
https://doi.org/10.3233/SAT190094). The final subsystem is refuted by exact Farkas multipliers or by
an exact search. If a solution turns up instead, the filter starts again without HiGHS.

The fewest rows are found by implicit hitting sets: the rows that a point violates are a correction
set, which every infeasible subsystem meets (Parker and Ryan 1996,
https://doi.org/10.1007/BF02284626).
"""

from __future__ import annotations

import contextlib
import math
import random
from collections import deque
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import NamedTuple

from calmip._base.bits import bits
from calmip._base.errors import SolverFailed
from calmip._base.limits import ENDLESS, CpuDeadline, Deadline
from calmip.mip.iis.constraint_sets import SIDES, Member, Members
from calmip.mip.iis.refutation import RefutationTree, TreeTest, circuit
from calmip.mip.iis.switched_tree import without_implied
from calmip.mip.lp.linear import Certificate, refute_rows
from calmip.mip.model import Model
from calmip.mip.rows import Bound, Number, is_finite

__all__ = ["ALL_BOUNDS", "FARKAS", "Subsystem", "Subsystems"]

PROOF_SECONDS = 20.0
"""The most CPU seconds of an exact proof; at the time limit it has one more second."""

HARD_SECONDS = 2.0
"""The same of members that the filter could not decide, once their rows are proved."""

RETRY_NODES_FACTOR = 10
"""How many times the nodes a test may have that is repeated, as it had no answer."""

FARKAS, SEARCH = "Farkas certificate", "exact search"
ALL_BOUNDS = "exact search with all bounds"

MIN_NODES, MAX_NODES, WORK_PER_NODE = 40, 400, 20
"""A tree that looks for the bounds and integrality that a proof uses takes about as long as the
rows before: so many nodes at least and at most, and so much work for each.
"""

MAX_FINAL_NODES = 600
"""The most nodes of the tree that refutes the last members, if integers have no bounds."""

MAX_FAILURES = 2
"""The rows without which the rest is infeasible before no further ones are tried."""

MAX_REORDER_WORK = 3000
"""The work, as `MemberTest` counts it, up to which further orders of the rows are tried."""

ROTATION_WORK = 20_000
"""The coefficients that are touched to find further witnesses from one."""

MAX_NEAR_MEMBERS = 3
"""The most members that a point violates if it is changed once more to violate only one."""

MAX_FRUITLESS_WITNESSES = 5
"""The witnesses in a row from which no further one was found before no more are searched so.

Without integers, one.
"""

Values = Mapping[int, Number]


@dataclass(frozen=True)
class Subsystem:
    """An infeasible subsystem of a model.

    Parameters
    ----------
    members
        Its rows, then bounds and integrality of columns.
    witnesses
        For a member, the values of a point that satisfies all other members and the rows that are
        kept, without zeros.
    proof
        Why it is infeasible: ``"Farkas certificate"``, ``"exact search"``, or ``"bounds"`` that
        contradict each other. ``"exact search with all bounds"``: only the rows with all bounds and
        integrality are proved infeasible. Empty if only HiGHS says so.
    certificate
        The Farkas multipliers of the rows, if that is the proof.
    least
        No infeasible subsystem has fewer rows than this, a group counted as one; 0 if that was
        not searched.
    groups
        The rows of each group that is a member, by its first row, which stands for it.
    rows_irreducible
        Whether each row has a witness that satisfies all bounds and integrality of the model, too.
    """

    members: tuple[Member, ...]
    witnesses: Mapping[Member, Values] = field(repr=False)
    proof: str = ""
    certificate: Certificate | None = None
    least: int = 0
    groups: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    rows_irreducible: bool = True

    @property
    def rows(self) -> tuple[int, ...]:
        """The numbers of its rows, those of groups too, ascending."""
        first = self.numbers("row")
        return tuple(sorted(one for row in first for one in self.groups.get(row, (row,))))

    @property
    def irreducible(self) -> bool:
        """Whether each member has a witness."""
        return all(member in self.witnesses for member in self.members)

    @property
    def proved(self) -> bool:
        """Whether the members are proved infeasible without further bounds."""
        return bool(self.proof) and self.proof != ALL_BOUNDS

    @property
    def smallest(self) -> bool:
        """Whether it is proved that no infeasible subsystem has fewer rows."""
        return bool(self.proof) and self.least == len(self.numbers("row"))

    def numbers(self, kind: str) -> tuple[int, ...]:
        """Return the numbers of the members of a kind, such as ``lower``."""
        return tuple(member.number for member in self.members if member.kind == kind)


class _Refuted(Exception):
    """A point satisfies what HiGHS has called infeasible."""


class _Witness(NamedTuple):
    """An exact point, and the members of the model that it violates."""

    values: dict[int, Number]
    mask: int


class Subsystems:
    """The infeasible subsystems of one model; points that are found for one serve the next.

    Parameters
    ----------
    model
        The model.
    keep
        Rows that are given in every subsystem, and are no members.
    clock
        The time limit.
    rows_only
        Whether all bounds and integrality are given, too, and only rows are members.
    groups
        Rows that are one member together; each row is in at most one group, and not in ``keep``.
    among
        The rows that may be members; by default all that are not in ``keep``. Others are ignored.
    """

    def __init__(
        self,
        model: Model,
        *,
        keep: Iterable[int] = (),
        clock: Deadline = ENDLESS,
        rows_only: bool = False,
        groups: Iterable[Collection[int]] = (),
        among: Iterable[int] | None = None,
    ) -> None:
        self.members = Members(model, groups)
        self._clock, self._rows_only = clock, rows_only
        self._kept = sum(1 << row for row in set(keep))
        self._left = self.members.of_rows & ~self._kept
        if among is not None:
            self._left &= sum(1 << row for row in set(among))
        """The rows that may be members, and are in no subsystem found so far."""
        self._false = 0
        """The rows that are infeasible alone."""
        for row, (terms, low, high) in enumerate(self.members.rows):
            if low > high or not (terms or low <= 0 <= high):
                self._false |= self.members.of_row(row)
        self._tester: TreeTest | None = None
        self._trust = True
        self._hard = False
        """Whether no small tree refutes the last rows with all bounds and integrality."""
        self._proof: tuple[int, Certificate | None] | None = None
        """Members that are proved infeasible, and their multipliers if these prove it."""
        self._pool: list[_Witness] = []

    @property
    def _given(self) -> int:
        return self._kept | self.members.of_columns

    def point(self) -> Values | None:
        """Return a solution of the rows that are in no subsystem so far, if one is known."""
        return self._known(self._left | self._given)

    def restrict(self, rows: Iterable[int]) -> None:
        """Take these rows, the first of each group, as those that are in no subsystem so far."""
        self._left = sum(1 << row for row in rows)

    def find(self, tries: int = 4, *, smallest: bool = False) -> Subsystem | None:
        """Return an infeasible subsystem of the rows in none so far, or None if they are feasible.

        Parameters
        ----------
        tries
            Try at most this many orders of the rows, as long as they take little work.
        smallest
            Find the fewest rows.

        Raises
        ------
        SolverFailed
            If exact searches disagree.
        TimeoutError
            If the time limit is reached before it is known whether the rows are feasible.
        """
        found = self._contradiction()
        if found is not None and smallest:
            found = replace(found, least=len(found.numbers("row")))
        while found is None:
            run = _Filter(self, self._left | self._given)
            try:
                if run.test(run.active):
                    return None
                found = self._reduced(run, tries, smallest=smallest)
            except _Refuted:
                if not self._trust:
                    raise SolverFailed("exact searches disagree; report this") from None
                self._trust = False
        self._left &= ~sum(1 << row for row in found.numbers("row"))
        groups = {
            row: self.members.groups[row]
            for row in found.numbers("row")
            if row in self.members.groups
        }
        return replace(found, groups=groups)

    def _contradiction(self) -> Subsystem | None:
        """Return a column or a row that no value satisfies."""
        members = self.members
        for column, (low, high) in enumerate(members.bounds):
            if not (is_finite(low) and is_finite(high)):
                continue
            hole = members.integer[column] and math.ceil(low) > math.floor(high)
            if low <= high and not hole:
                continue
            inside: dict[str, Number] = {"lower": high, "upper": low, "integer": low}
            if low <= high:
                inside |= {"lower": math.floor(low), "upper": math.ceil(high)}
            own = tuple(Member(side, column) for side in SIDES[: 2 + (low <= high)])
            if self._rows_only:
                own = ()
            return Subsystem(own, {one: {column: inside[one.kind]} for one in own}, "bounds")
        if self._false & self._kept:
            return Subsystem((), {}, "bounds")
        false = self._false & self._left
        if not false or (one := _Filter(self, self._given).test(self._given)) is None:
            self._left &= ~false  # the rows to keep are infeasible without it
            return None
        row = Member("row", next(bits(false)))
        return Subsystem((row,), {row: one.values}, "bounds")

    def _reduced(self, run: _Filter, tries: int, *, smallest: bool) -> Subsystem:
        everything = run.active
        self._reduce_rows(run, tries if not smallest else 1)
        least = self._fewest(run, everything) if smallest else 0
        if not self._rows_only:
            self._reduce_columns(run)
        rows_and_given = run.active & self.members.of_rows | self._given
        proof, certificate = self._prove_first(run, rows_and_given)
        members = run.active & ~self._kept
        if self._rows_only:
            members &= self.members.of_rows
        rows = members & self.members.of_rows
        row_witnesses = self._witnesses(rows_and_given, rows)
        points = {**self._witnesses(run.active, members), **row_witnesses}
        every = tuple(self.members.member(bit) for bit in bits(members))
        needed = len(row_witnesses) == rows.bit_count()
        return Subsystem(every, points, proof, certificate, least, rows_irreducible=needed)

    def _witnesses(self, active: int, members: int) -> dict[Member, Values]:
        """Return known points that violate just one of the active members, one of these."""
        found: dict[Member, Values] = {}
        for one in self._pool:
            broken = one.mask & active
            if broken.bit_count() == 1 and broken & members:
                found.setdefault(self.members.member(broken.bit_length() - 1), one.values)
        return found

    def _prove_first(self, run: _Filter, members: int) -> tuple[str, Certificate | None]:
        """Return the proof of the members, or of their rows with all bounds and integrality."""
        if run.active == members:
            return self._prove(members)
        if run.reduced:
            proof, certificate = self._prove(run.active)
            return (proof, certificate) if proof else (self._prove(members)[0] and ALL_BOUNDS, None)
        # Members that the filter could not decide are harder to refute than all bounds.
        if not self._prove(members)[0]:
            return "", None
        over = self._clock.over
        proof, certificate = ("", None) if over else self._prove(run.active, HARD_SECONDS)
        return proof or ALL_BOUNDS, certificate

    def _reduce_rows(self, run: _Filter, tries: int) -> None:
        """Reduce the rows in several orders, and keep the fewest."""
        everything, best = run.active, 0
        rows = list(bits(everything & self._left))
        size = {
            row: sum(len(self.members.rows[one][0]) for one in self.members.rows_of(1 << row))
            for row in rows
        }
        for number in range(tries):
            order = sorted(rows, key=lambda row: (-size[row], -row))
            if number == 1:
                order = rows
            elif number > 1:
                random.Random(number).shuffle(order)  # noqa: S311
            run.restart(everything)
            if not number:
                run.shrink(everything, self._left)
            run.reduce(order, below=(best & self._left).bit_count())
            if not best or (run.active & self._left).bit_count() < (best & self._left).bit_count():
                best = run.active
            few = (best & self._left).bit_count() <= 1
            # If its relaxation is infeasible, the support of multipliers was small already.
            few = few or not self.tester.relaxation_is_feasible(best)
            if few or self._clock.over or run.tester.work > MAX_REORDER_WORK:
                break
        run.restart(best)

    def _reduce_columns(self, run: _Filter) -> None:
        """Reduce the integrality, then the bounds, of the columns that the rows have."""
        members = self.members
        rows = run.active & members.of_rows
        used = sorted({c for row in members.rows_of(rows) for c in members.rows[row][0]})
        own = sum(1 << members.bit(side, column) for column in used for side in SIDES)
        run.restart(rows | (own & members.of_columns))
        self._shorten(run)
        left = self._clock.left()
        if left is not None and not self._clock.over:  # the proof has the other half
            run.clock = self.tester.clock = Deadline(left / 2)
        try:
            for sides in (SIDES[2:], SIDES[:2]):
                chosen = [members.bit(side, column) for side in sides for column in used]
                run.reduce([bit for bit in chosen if run.active >> bit & 1], at_once=True)
        finally:
            run.clock = self.tester.clock = self._clock

    def _shorten(self, run: _Filter) -> None:
        """Keep the bounds and integrality that one proof of the rows uses."""
        clock = CpuDeadline(HARD_SECONDS, self._clock)
        if self._trust and not self.tester.relaxation_is_feasible(run.active):
            if not self.members.groups:
                found = circuit(self.members, run.active, run.unknown, clock)
                if found is not None and not found.support & ~run.active:
                    for point in found.points:
                        self.note(self.tester.inside(run.active, point))
                    run.restart(found.support | (run.active & self._kept))
                    self._proof = run.active, Certificate(found.multipliers)
        else:
            nodes = min(MAX_NODES, max(MIN_NODES, self.tester.work // WORK_PER_NODE))
            tree = RefutationTree(self.tester, run.active, nodes, clock)
            if tree.answer.feasible is False:
                run.restart(tree.answer.support | (run.active & self._kept))
                self._proof = run.active, None
            self._hard = tree.answer.feasible is None
            self._leave_implied(run)

    def _leave_implied(self, run: _Filter) -> None:
        """Leave out bounds that the others and the rows imply: the same points satisfy the rest."""
        proof = self._proof
        proved = proof is not None and not proof[0] & ~run.active and proof[1] is None
        for side in ("upper", "lower"):
            run.restart(without_implied(self.members, run.active, side))
        if proved:
            self._proof = run.active, None

    def _fewest(self, run: _Filter, everything: int) -> int:
        """Replace the rows by the fewest; return a proved lower bound on their number."""
        every, given = everything & self._left, everything & ~self._left
        with contextlib.suppress(TimeoutError):
            self._find_necessary(run, given, every)
        least = 0
        while not self._clock.over:
            sets = {one.mask & every for one in self._pool if not one.mask & given}
            chosen = _hitting_set(sets, self._clock)
            if chosen is None:
                break
            least = chosen.bit_count()
            if least == (run.active & every).bit_count():
                break
            try:
                point = run.test(given | chosen)
                if point is None:
                    run.restart(given | chosen)
                    run.reduce(list(bits(chosen)))
                    break
                self._grow(run, point.mask & every, given, every)
            except TimeoutError:
                break
        return least

    def _find_necessary(self, run: _Filter, given: int, every: int) -> None:
        """Find points that violate only one row of all, which then is in every subsystem."""
        failures = 0
        for row in bits(run.active & every):
            if self._clock.over or failures > MAX_FAILURES:
                return
            if run.test(given | (every & ~(1 << row))) is None:
                failures += 1

    def _grow(self, run: _Filter, violated: int, given: int, every: int) -> None:
        """Find points that violate fewer of the rows that a point violates."""
        size = violated.bit_count()
        while size > 1 and not self._clock.over:
            numbers = list(bits(violated))
            half = sum(1 << bit for bit in numbers[: len(numbers) // 2])
            point = run.test(given | (every & ~half))
            if point is None:
                point = run.test(given | (every & ~(violated & ~half)))
            if point is None or (point.mask & every).bit_count() >= size:
                return
            violated = point.mask & every
            size = violated.bit_count()

    def _prove(self, active: int, seconds: float = PROOF_SECONDS) -> tuple[str, Certificate | None]:
        """Return why members are infeasible, and Farkas multipliers of the rows.

        Raises
        ------
        _Refuted
            If they are not.
        """
        clock = CpuDeadline(seconds, self._clock.at_least(1.0))
        if self._proof is not None and not self._proof[0] & ~active:
            certificate = self._proof[1]
            return (FARKAS if certificate is not None else SEARCH), certificate
        if not self.tester.relaxation_is_feasible(active):
            part, _, rows = self.members.part(active)
            refuted, certificate = refute_rows(part, {}, clock)
            if refuted and certificate is not None:
                scale = self.members.scale
                found = {
                    rows[row]: y * scale[rows[row]] for row, y in certificate.multipliers.items()
                }
                factor = math.gcd(*(int(y) for y in found.values()))
                return FARKAS, Certificate({row: y / factor for row, y in found.items()})
        if self.members.bounded(active):
            answer = self.tester.search(active, clock)
        elif self._hard:
            return "", None
        else:
            answer = RefutationTree(self.tester, active, MAX_FINAL_NODES, clock).answer
        if answer.point is not None:
            self.note(answer.point)
            raise _Refuted
        return (SEARCH if answer.feasible is False else ""), None

    @property
    def tester(self) -> TreeTest:
        """The test of members, made when it is first needed."""
        if self._tester is None:
            self._tester = TreeTest(self.members, self._clock, self._known)
        return self._tester

    def _known(self, active: int) -> Values | None:
        """Return a known point of some members."""
        return next((one.values for one in reversed(self._pool) if not one.mask & active), None)

    def note(self, values: Values) -> _Witness:
        """Keep an exact point."""
        found = {column: value for column, value in values.items() if value}
        witness = _Witness(found, self.members.mask(found))
        self._pool.append(witness)
        return witness


class _Filter:
    """One deletion filter: members that are infeasible together, fewer and fewer."""

    def __init__(self, owner: Subsystems, active: int) -> None:
        self._owner, self._members = owner, owner.members
        self.tester, self.clock, self._pool = owner.tester, owner._clock, owner._pool
        self._support = active
        """What the last proof used."""
        self._unknown: list[int] = []
        """The members that stay as their tests had no answer."""
        self.restart(active)

    @property
    def unknown(self) -> int:
        """The members that may be superfluous."""
        return self.active & ~self._known

    @property
    def reduced(self) -> bool:
        """Whether each bound and integrality has a witness."""
        return not self.unknown & self._members.of_columns

    def restart(self, active: int) -> None:
        """Begin with these members."""
        self.active = active
        self._known = self._fruitless = 0
        self._learn()

    def _learn(self) -> None:
        """Find the members that have a witness in the pool."""
        for one in self._pool:
            broken = one.mask & self.active
            if broken.bit_count() == 1:
                self._known |= broken

    def test(self, active: int) -> _Witness | None:
        """Return a point that satisfies some members, None if they are infeasible.

        Raises
        ------
        TimeoutError
            If neither is known, within the time limit.
        """
        known = [one for one in self._pool if not one.mask & active]
        if known:
            return min(known, key=lambda one: (one.mask & self.active).bit_count())
        answer = self.tester.test(active, trust=self._owner._trust)
        if answer.feasible is None:
            raise TimeoutError("it is not known whether some rows are feasible")
        if answer.point is not None:
            point = self._owner.note(answer.point)
            if point.mask & active:
                raise SolverFailed("a search found a point that violates a row; report this")
            return point
        self._support = answer.support
        if answer.proved:
            self._owner._proof = answer.support, None
        return None

    def reduce(self, order: Sequence[int], *, below: int = 0, at_once: bool = False) -> None:
        """Remove members in this order as long as the others are infeasible.

        Parameters
        ----------
        order
            The members that may be removed.
        below
            Stop as soon as so many of them are needed; 0 for never.
        at_once
            Try to remove all at once first.
        """
        wanted = sum(1 << bit for bit in order)
        self._try(order, wanted, below=below, at_once=at_once)
        # With fewer members, and more nodes, the tests without an answer may have one.
        again = [bit for bit in self._unknown if self.active >> bit & 1]
        self._unknown = []
        if again:
            nodes, self.tester.nodes = self.tester.nodes, RETRY_NODES_FACTOR * self.tester.nodes
            self._try(again, wanted, below=below)
            self.tester.nodes, self._unknown = nodes, []

    def _try(self, order: Sequence[int], wanted: int, *, below: int, at_once: bool = False) -> None:
        left = list(order)
        chunk = len(left) if at_once else max(1, len(left) // 4)
        while True:
            left = [bit for bit in left if self.active >> bit & 1 and not self._known >> bit & 1]
            needed = (self._known & self.active & wanted).bit_count()
            if not left or self.clock.over or (below and needed >= below):
                return
            some = left[:chunk]
            dropped = sum(1 << bit for bit in some)
            try:
                point = self.test(self.active & ~dropped)
            except TimeoutError:
                if len(some) == 1:
                    self._unknown += some  # it stays, and has no witness
                    left = left[1:]
                chunk = max(1, len(some) // 4)
                continue
            if point is None:
                self.shrink(self.active & ~dropped, wanted)
                chunk = 2 * len(some)
                continue
            broken = point.mask & self.active
            if not broken:
                raise _Refuted
            if broken.bit_count() == 1:
                self._known |= broken
                self._rotate(point, wanted)
                chunk = max(1, min(chunk, len(left) // 4)) if not at_once else chunk
                continue
            if not at_once:
                # In order: what comes first is to go first.
                first = next(index for index, bit in enumerate(some) if broken >> bit & 1)
                chunk = max(1, first)
                continue
            blamed = [bit for bit in some if broken >> bit & 1]
            others = [bit for bit in some if not broken >> bit & 1]
            if len(blamed) * 2 <= len(some):
                left, chunk = others + blamed + left[len(some) :], len(others)
            else:
                left = blamed + others + left[len(some) :]
                chunk = max(1, len(blamed) // 2)

    def shrink(self, active: int, wanted: int) -> None:
        """Go on with infeasible members, of those wanted with what the last proof uses."""
        self.active = active & (self._support | ~wanted)
        if any(not one.mask & self.active for one in self._pool):
            raise _Refuted
        self._learn()

    def _rotate(self, first: _Witness, wanted: int) -> None:
        """Change one or two columns of a witness, and of those found so, for further witnesses."""
        members, known = self._members, self._known
        most = MAX_FRUITLESS_WITNESSES if members.has_integers else 1
        rotates = not members.groups and self._fruitless < most
        queue = deque([first] * rotates)
        while queue:
            one = queue.popleft()
            budget = ROTATION_WORK
            sums = members.sums(one.values)
            near: list[tuple[int, int, Number, int]] = []
            for column, value in self._moves(one.values, sums, one.mask, wanted):
                budget -= 1 + len(members.holders[column])
                mask = self._moved(one.values, sums, one.mask, column, value)
                size = (mask & self.active).bit_count()
                if size <= 1:
                    queue += self._take(mask, {**one.values, column: value}, wanted)
                elif size <= MAX_NEAR_MEMBERS:
                    near.append((size, column, value, mask))
                if budget < 0:
                    break
            for _, column, value, mask in sorted(near, key=lambda move: move[:2]):
                if budget < 0:
                    break
                values, changed = {**one.values, column: value}, sums.copy()
                step = value - one.values.get(column, 0)
                for row, factor in members.holders[column]:
                    changed[row] += factor * step
                for other, new in self._moves(values, changed, mask, wanted):
                    budget -= 1 + len(members.holders[other])
                    if other != column:
                        moved = self._moved(values, changed, mask, other, new)
                        queue += self._take(moved, {**values, other: new}, wanted)
                    if budget < 0:
                        break
        self._fruitless = 0 if self._known != known else self._fruitless + 1

    def _take(self, mask: int, values: dict[int, Number], wanted: int) -> list[_Witness]:
        """Keep a point if it is the witness of a member that has none."""
        broken = mask & self.active
        if broken and (broken.bit_count() > 1 or not broken & wanted & ~self._known):
            return []
        witness = self._owner.note(values)
        if not witness.mask & self.active:
            raise _Refuted
        self._known |= witness.mask & self.active
        return [witness]

    def _moves(
        self, values: Values, sums: Sequence[Number], mask: int, wanted: int
    ) -> Iterator[tuple[int, Number]]:
        """Yield values of one column that satisfy the first member that a point violates."""
        members = self._members
        kind, number = members.member(next(bits(mask & self.active)))
        if kind != "row":
            now = values.get(number, 0)
            low, high = members.bounds[number]
            end: Bound = {"lower": low, "upper": high}.get(kind, math.inf)
            new = (end,) if is_finite(end) else (math.floor(now), math.ceil(now))
            yield from ((number, value) for value in new)
            return
        terms, low, high = members.rows[number]
        gap = (low if sums[number] < low else high) - sums[number]
        for column, factor in terms.items():
            now = values.get(column, 0)
            if type(gap) is int and not gap % factor:  # many times faster than fractions
                yield column, now + gap // factor
                continue
            step = Fraction(gap) / factor
            if step.denominator == 1:
                yield column, now + step.numerator
                continue
            integer = members.is_integer(self.active, column)
            if not integer or members.is_integer(wanted, column):
                yield column, now + step
            if integer:
                yield column, now + (math.ceil(step) if step > 0 else math.floor(step))

    def _moved(
        self, values: Values, sums: Sequence[Number], mask: int, column: int, value: Number
    ) -> int:
        """Return the members that a point violates after the change of one column."""
        members = self._members
        old = values.get(column, 0)
        step = value - old
        mask ^= members.column_mask(column, old) ^ members.column_mask(column, value)
        for row, factor in members.holders[column]:
            _, low, high = members.rows[row]
            if low <= sums[row] + factor * step <= high:
                mask &= ~(1 << row)
            else:
                mask |= 1 << row
        return mask


def _hitting_set(sets: Iterable[int], clock: Deadline) -> int | None:
    """Return a smallest set that meets all sets, None if that is not proved in time."""
    from calmip.mip.pool import OPTIMUM, PoolSearch

    every = sorted(set(sets), key=int.bit_count)
    single = sum(one for one in every if one.bit_count() == 1)
    # A set that contains another one is met with it.
    rest: list[int] = []
    for one in every:
        if not one & single and not any(other & one == other for other in rest):
            rest.append(one)
    if not rest:
        return single
    numbers = sorted({bit for one in rest for bit in bits(one)})
    index = {bit: number for number, bit in enumerate(numbers)}
    rows = [
        (f"r{number}", {index[bit]: 1.0 for bit in bits(one)}, 1.0, math.inf)
        for number, one in enumerate(rest)
    ]
    model = Model.from_rows([f"x{bit}" for bit in numbers], rows, [1.0] * len(numbers))
    search = PoolSearch(model, OPTIMUM, clock=clock)
    found = [point for _, point in search]
    if not search.complete or not found:
        return None
    return single | sum(1 << numbers[column] for column in found[0])
