"""Rows and auxiliary columns that say what constructs say, exactly.

Each construct becomes rows over its columns and auxiliary ones. The numbers that switch a row off
are exact bounds of its sum: by the bounds of the columns, tightened by the rows, or by an exact
linear program. Without any such bound there is no linear form, and the construct is refused.

The formulations are those of the textbooks (Williams 2013, Model Building in Mathematical
Programming, chapters 7 and 9).
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cached_property, singledispatch
from itertools import accumulate

from calmip._base.errors import InputError
from calmip._base.limits import Deadline
from calmip.mip.constructs import (
    BrokenLine,
    Construct,
    Equivalence,
    Extreme,
    Indicator,
    Logic,
    OrderedSet,
    SemiContinuous,
    Terms,
)
from calmip.mip.display import quote
from calmip.mip.model import Model, inexact, unused_name
from calmip.mip.projection import Projection
from calmip.mip.rows import INFINITE, Bound, Interval, Number, is_finite, shortest
from calmip.mip.status import Status

MAX_ROUNDS = 20
"""The most rounds of propagation through rows and constructs; it need not end."""

BOUND_SECONDS = 20.0
"""The most seconds of an exact linear program for one bound."""

UNIT = Interval(0, 1)


def linearise(
    model: Model, constructs: Sequence[Construct], *, derived: bool = True, again: bool = False
) -> Model:
    """Return a model whose rows say what constructs say, too; see `Model.logic`.

    Parameters
    ----------
    model
        The model; of semi-continuous columns the bounds are those of the construct.
    constructs
        The constructs.
    derived
        Whether the numbers may rest on the rows of the model; else they rest on the bounds of its
        columns and the constructs, wherever these suffice.
    again
        Whether the bounds include 0 for semi-continuous columns already.

    Raises
    ------
    InputError
        If a sum needs a bound and has none, or an indicator is not binary.
    """
    if not constructs:
        return model
    # First widen: bounds that a later step changes would make the numbers false.
    wide = model if again else _widened(model, constructs)
    writer = _Writer(wide, constructs, derived=derived)
    owned = []
    for construct in constructs:
        first = len(wide.rows) + len(writer.rows)
        writer.begin(construct)
        write(construct, writer)
        if len(wide.rows) + len(writer.rows) == first:
            writer.row({}, -math.inf, math.inf)  # a construct that always holds
        owned.append(tuple(range(first, len(wide.rows) + len(writer.rows))))
    rows = range(len(wide.rows), len(wide.rows) + len(writer.rows))
    return writer.model(Logic(tuple(constructs), len(wide.columns), rows, tuple(owned)))


def without_derived(model: Model, free: Collection[int] = ()) -> Model:
    """Return a model whose constructs are linearised without its rows: by the bounds of columns.

    Where such a bound is missing, also of columns that constructs define, that which follows from
    the rows is used all the same, but for those that are free: they may be changed.

    Raises
    ------
    NoLinearForm
        If a bound is missing that only free rows give.
    """
    if model.logic is None:
        return model
    own = own_part(model)
    loose = own.with_sides(dict.fromkeys(free, (-math.inf, math.inf)))
    made = linearise(loose, model.logic.constructs, derived=False, again=True)
    return made.with_sides({row: own.exact_row(row).bounds for row in free})


def own_part(model: Model) -> Model:
    """Return a model without its constructs, and what linearises them."""
    logic = model.logic
    if logic is None:
        return model
    number = logic.columns
    own = model.with_rows([row for row in range(len(model.rows)) if row not in logic.rows])
    columns = ("cost", "column_lower", "column_upper")
    return own.changed(
        columns=model.columns[:number],
        integer=array("b", model.values("integer")[:number]),
        exact={k: v for k, v in own.exact.items() if k[0] not in columns or k[1] < number},
        logic=None,
        **{name: array("d", model.values(name)[:number]) for name in columns},
    )


def _widened(model: Model, constructs: Iterable[Construct]) -> Model:
    """Return the model in which semi-continuous columns may be 0."""
    low, high = (
        dict(enumerate(model.numbers(f"column_{side}", range(len(model.columns)))))
        for side in ("lower", "upper")
    )
    for one in constructs:
        if isinstance(one, SemiContinuous):
            low[one.column], high[one.column] = min(one.low, 0), max(one.high, 0)
    ends = {"column_lower": list(low.values()), "column_upper": list(high.values())}
    exact = {key: value for key, value in model.exact.items() if key[0] not in ends}
    for name, some in ends.items():
        exact |= inexact(name, some)
    return model.changed(
        exact=exact, **{name: array("d", map(float, some)) for name, some in ends.items()}
    )


class NoLinearForm(InputError):
    """A construct has no linear form: it needs a bound that is missing, or too large a number."""

    def __init__(self, construct: Construct, why: str) -> None:
        super().__init__(f"{construct.kind} {quote(construct.name)} has no linear form: {why}")
        self.construct = construct


class _Ranges:
    """The exact ranges of columns, and of sums of them, in a model with constructs."""

    def __init__(self, model: Model, constructs: Sequence[Construct]) -> None:
        from calmip.mip.pool.integer_model import program_of

        self.model = model
        self._program = program_of(model)
        self._place = {column: place for place, column in enumerate(self._program.order)}
        self.empty = False
        """Whether the model has no solution, so that any bound is right."""
        self._tighten(constructs)
        self._lp: dict[tuple[tuple[int, Number], ...], Bound] = {}

    def _tighten(self, constructs: Sequence[Construct]) -> None:
        """Propagate the bounds through the rows and the constructs to the end."""
        from calmip.mip.pool.integer_model import tighten

        for _ in range(MAX_ROUNDS):
            self.empty = not tighten(self._program, [])
            moved = [self._narrow(one) for one in constructs]
            if self.empty or not any(moved):
                return

    def _narrow(self, construct: Construct) -> bool:
        """Tighten the range of the column that a construct defines; return whether it changed."""
        if isinstance(construct, Extreme):
            sums = [self._sum(terms) for terms, _ in construct.sums]
            choose = max if construct.sign > 0 else min
            constants = [constant for _, constant in construct.sums]
            low, high = (
                choose(ends[side] + add for ends, add in zip(sums, constants, strict=True))
                for side in (0, 1)
            )
        elif isinstance(construct, BrokenLine):
            first, last = self.ends(construct.argument)
            if not is_finite(first) or not is_finite(last) or first > last:
                return False
            values = [value for _, value in construct.within(first, last)]
            low, high = min(values), max(values)
        else:
            return False
        place = self._place[construct.column]
        if place < self._program.integers:
            low, high = Interval(low, high).rounded()
        before = self._program.low[place], self._program.high[place]
        self._program.low[place] = max(before[0], low)
        self._program.high[place] = min(before[1], high)
        return before != (self._program.low[place], self._program.high[place])

    def ends(self, column: int) -> tuple[Bound, Bound]:
        """Return the range of a column."""
        place = self._place[column]
        return self._program.low[place], self._program.high[place]

    def _sum(self, terms: Terms) -> tuple[Bound, Bound]:
        return sum_of(terms, self.ends)

    def greatest(self, terms: Terms) -> Bound:
        """Return the greatest value of a sum; infinite if there is none."""
        if self.empty:
            return 0
        found = self._sum(terms)[1]
        if is_finite(found):
            return found
        key = tuple(sorted(terms.items()))
        if key not in self._lp:
            self._lp[key] = self._solve(terms)
        return self._lp[key]

    def _solve(self, terms: Terms) -> Bound:
        """Return the greatest value of a sum over the linear relaxation of the model's rows."""
        from calmip.mip.lp.exact_lp import ExactLp

        priced = self.model.with_costs({column: -value for column, value in terms.items()})
        every = range(len(self.model.columns))
        answer = ExactLp(priced, every).solve(clock=Deadline(BOUND_SECONDS))
        if answer.status is Status.INFEASIBLE:
            self.empty = True
            return 0
        if answer.status is Status.OPTIMAL and answer.cost is not None:
            return shortest(-answer.cost)
        return math.inf


def sum_of(terms: Terms, ends: Callable[[int], tuple[Bound, Bound]]) -> tuple[Bound, Bound]:
    """Return the least and the greatest value of a sum by the ranges of its columns."""
    low: Bound = 0
    high: Bound = 0
    for column, factor in terms.items():
        if factor:
            down, up = ends(column)[:: 1 if factor > 0 else -1]
            low, high = low + factor * down, high + factor * up
    return low, high


class _Writer:
    """The rows and the auxiliary columns of constructs, in the making."""

    def __init__(self, model: Model, constructs: Sequence[Construct], *, derived: bool) -> None:
        self._model, self._constructs, self._derived = model, constructs, derived
        self._bounds = model.column_bounds
        self.columns: list[tuple[str, bool, Interval]] = []
        self.rows: list[tuple[str, dict[int, Number], Bound, Bound]] = []
        self._columns, self._rows = set(model.columns), set(model.rows)
        self._construct: Construct = constructs[0]

    def begin(self, construct: Construct) -> None:
        """Begin the next construct."""
        self._construct = construct

    def is_binary(self, column: int) -> bool:
        """Return whether a column is an integer from 0 to 1."""
        low, high = self._bounds[column].rounded()
        return self._model.is_integer(column) and low >= 0 and high <= 1

    def is_integer(self, column: int) -> bool:
        """Return whether a column is an integer."""
        return self._model.is_integer(column)

    def may_be_negative(self, column: int) -> bool:
        """Return whether the bound of a column allows values below 0."""
        return self._bounds[column].low < 0

    def name_of(self, column: int) -> str:
        """Return the name of a column, for messages."""
        return quote(self._model.columns[column])

    def column(self, *, integer: bool, bounds: Interval = UNIT) -> int:
        """Return a new auxiliary column, by default from 0 to 1."""
        name = unused_name(f"{self._construct.name}_z{len(self.columns)}", self._columns)
        self.columns.append((name, integer, bounds))
        return len(self._model.columns) + len(self.columns) - 1

    def row(self, terms: Mapping[int, Number], low: Bound, high: Bound) -> None:
        """Add a row of the construct; raise `InputError` if one of its numbers is too large."""
        numbers: list[Bound] = [*terms.values(), low, high]
        if not all(-INFINITE < one < INFINITE for one in numbers if is_finite(one)):
            raise NoLinearForm(
                self._construct,
                f"that needs a number of {INFINITE:g} or more, which solvers take for infinite; "
                "scale it, or bound its variables",
            )
        name = unused_name(self._construct.name, self._rows)
        self._rows.add(name)
        self.rows.append((name, {c: v for c, v in terms.items() if v}, low, high))

    def greatest(self, terms: Terms, what: str = "") -> Number:
        """Return a bound above a sum; raise `InputError` if it has none."""
        found = sum_of(terms, self._bounds.__getitem__)[1]
        if not self._derived and not -INFINITE < found < INFINITE:
            found = min(found, self._plain_ranges.greatest(terms))
        if self._derived or not -INFINITE < found < INFINITE:
            found = min(found, self._ranges.greatest(terms))
        if is_finite(found):
            return shortest(found)
        missing = next(c for c, factor in terms.items() if not is_finite(self._side(c, factor)))
        side = "upper" if terms[missing] > 0 else "lower"
        raise NoLinearForm(
            self._construct,
            f"{what or 'its row'} has no finite bound, because {self.name_of(missing)} has no "
            f"{side} bound; bound it",
        )

    def least(self, terms: Terms, what: str = "") -> Number:
        """Return a bound below a sum; raise `InputError` if it has none."""
        return -self.greatest({column: -factor for column, factor in terms.items()}, what)

    def _side(self, column: int, factor: Number) -> Bound:
        return self._ranges.ends(column)[factor > 0]

    @cached_property
    def _ranges(self) -> _Ranges:
        return _Ranges(self._model, self._constructs)

    @cached_property
    def _plain_ranges(self) -> _Ranges:
        """The ranges that follow from the bounds of columns and the constructs, without rows."""
        parts = {name: array("d") for name in ("value", "lower", "upper")}
        exact = {key: value for key, value in self._model.exact.items() if key[0] not in parts}
        start, index = array("i", [0]), array("i")
        model = self._model.changed(rows=(), start=start, index=index, exact=exact, **parts)
        return _Ranges(model, self._constructs)

    def model(self, logic: Logic) -> Model:
        """Return the model with all rows and columns."""
        old, count = self._model, len(self.columns)
        values = [value for _, terms, _, _ in self.rows for value in terms.values()]
        sizes = [len(terms) for _, terms, _, _ in self.rows]
        lows, highs = [low for *_, low, _ in self.rows], [high for *_, high in self.rows]
        more: dict[str, tuple[str, Sequence[Bound]]] = {
            "value": ("d", values),
            "lower": ("d", lows),
            "upper": ("d", highs),
            "index": ("i", [column for _, terms, _, _ in self.rows for column in terms]),
            "start": ("i", [*accumulate(sizes, initial=old.nonzeros)][1:]),
            "cost": ("d", [0] * count),
            "column_lower": ("d", [bounds.low for *_, bounds in self.columns]),
            "column_upper": ("d", [bounds.high for *_, bounds in self.columns]),
        }
        exact = dict(old.exact)
        arrays = {}
        for name, (code, numbers) in more.items():
            before = old.values(name)
            exact |= inexact(name, numbers, first=len(before)) if code == "d" else {}
            arrays[name] = array(
                code, [*before, *(map(float, numbers) if code == "d" else numbers)]
            )
        return old.changed(
            columns=(*old.columns, *(name for name, *_ in self.columns)),
            rows=(*old.rows, *(name for name, *_ in self.rows)),
            integer=array("b", [*old.values("integer"), *(one for _, one, _ in self.columns)]),
            exact=exact,
            logic=logic,
            **arrays,
        )


@singledispatch
def write(construct: Construct, to: _Writer) -> None:
    """Add the rows and the auxiliary columns of a construct."""
    raise NotImplementedError(f"no rows are known for a {construct.kind}: {to}")


@write.register
def _write_indicator(one: Indicator, to: _Writer) -> None:
    _check_binary(one, dict(one.conditions), to)
    _switched(one.terms, one.low, one.high, one.conditions, to)


def _switched(
    terms: Terms, low: Bound, high: Bound, conditions: Sequence[tuple[int, int]], to: _Writer
) -> None:
    """Add rows by which a row holds if all of some binary columns have their values."""
    for sign, side in ((1, high), (-1, -low)):
        if not is_finite(side):
            continue
        signed = {column: sign * factor for column, factor in terms.items()}
        others = dict(signed)
        own: Number = 0
        if len(conditions) == 1:
            # The greatest sum where the only indicator has its other value, or where any has.
            ((column, value),) = conditions
            own = others.pop(column, 0) * (1 - value)
        switch = max(to.greatest(others) + own - side, 0)
        for column, value in conditions:
            signed[column] = signed.get(column, 0) + (switch if value else -switch)
        to.row(signed, -math.inf, side + switch * sum(value for _, value in conditions))


@write.register
def _write_equivalence(one: Equivalence, to: _Writer) -> None:
    _check_binary(one, [one.column], to)
    for column, value in one.terms.items():
        if value and not to.is_integer(column):
            raise InputError(
                f"{one.kind} {quote(one.name)}: its row has the continuous variable "
                f"{to.name_of(column)}, so no least violation; declare it integer, or write "
                "indicator constraints (->) for both values"
            )
    if one.both:
        _switched(one.terms, one.low, one.high, [(one.column, one.value)], to)
    ranges, other = one.otherwise, (one.column, 1 - one.value)
    if not ranges:  # the row always holds
        to.row({one.column: 1}, one.value, one.value)
    elif len(ranges) == 1:
        _switched(one.terms, *ranges[0], [other], to)
    else:
        above = to.column(integer=True)
        for value, ends in enumerate(ranges):
            _switched(one.terms, *ends, [other, (above, value)], to)


def _check_binary(one: Construct, columns: Iterable[int], to: _Writer) -> None:
    for column in columns:
        if not to.is_binary(column):
            raise InputError(
                f"{one.kind} {quote(one.name)}: its variable {to.name_of(column)} is not binary; "
                "declare it so"
            )


@write.register
def _write_semi(one: SemiContinuous, to: _Writer) -> None:
    z = to.column(integer=True)
    what = f"the variable {to.name_of(one.column)}"
    low = one.low if is_finite(one.low) else to.least({one.column: 1}, what)
    high = one.high if is_finite(one.high) else to.greatest({one.column: 1}, what)
    to.row({one.column: 1, z: -low}, 0, math.inf)
    to.row({one.column: 1, z: -high}, -math.inf, 0)


def _only_with(column: int, switches: Iterable[int], to: _Writer) -> None:
    """Add rows by which a column is 0 unless one of the switches is 1."""
    what = f"the variable {to.name_of(column)}"
    high, low = to.greatest({column: 1}, what), to.least({column: 1}, what)
    switches = list(switches)
    to.row({column: 1, **dict.fromkeys(switches, -max(high, 0))}, -math.inf, 0)
    if to.may_be_negative(column):  # whatever the rows say, which may be left out
        to.row({column: 1, **dict.fromkeys(switches, -min(low, 0))}, 0, math.inf)


@write.register
def _write_set(one: OrderedSet, to: _Writer) -> None:
    if len(one.members) <= one.most:
        return
    if one.most > 1:
        pairs = [to.column(integer=True) for _ in one.members[1:]]
        to.row(dict.fromkeys(pairs, 1), 1, 1)
        for place, column in enumerate(one.members):
            _only_with(column, pairs[max(place - 1, 0) : place + 1], to)
        return
    chosen = [c if to.is_binary(c) else to.column(integer=True) for c in one.members]
    to.row(dict.fromkeys(chosen, 1), -math.inf, 1)
    for column, switch in zip(one.members, chosen, strict=True):
        if column != switch:
            _only_with(column, [switch], to)


@write.register
def _write_extreme(one: Extreme, to: _Writer) -> None:
    if one.logical:
        _check_binary(one, one.columns, to)
    sign = one.sign
    sums = [({c: sign * v for c, v in terms.items()}, sign * add) for terms, add in one.sums]
    # From here on the column, times the sign, is the greatest of the sums.
    differences = []
    for terms, add in sums:
        difference = {c: -v for c, v in terms.items()}
        difference[one.column] = difference.get(one.column, 0) + sign
        to.row(difference, add, math.inf)
        differences.append((difference, add))
    if len(sums) == 1:
        to.row(differences[0][0], -math.inf, differences[0][1])
        return
    chosen = [to.column(integer=True) for _ in sums]
    to.row(dict.fromkeys(chosen, 1), 1, 1)
    for (difference, add), switch in zip(differences, chosen, strict=True):
        size = max(to.greatest(difference, "a difference of its arguments") - add, 0)
        to.row({**difference, switch: size}, -math.inf, add + size)


@write.register
def _write_line(one: BrokenLine, to: _Writer) -> None:
    what = f"the variable {to.name_of(one.argument)}"
    low = to.least({one.argument: 1}, what)
    high = to.greatest({one.argument: 1}, what)
    points = one.within(low, high)
    shares = [to.column(integer=False) for _ in points]
    pieces = [to.column(integer=True) for _ in points[1:]]
    to.row(dict.fromkeys(shares, 1), 1, 1)
    for place, column in ((0, one.argument), (1, one.column)):
        weights = {share: -point[place] for share, point in zip(shares, points, strict=True)}
        to.row({column: 1, **weights}, 0, 0)
    if pieces:
        to.row(dict.fromkeys(pieces, 1), 1, 1)
    for place, share in enumerate(shares if len(pieces) > 1 else ()):
        beside = pieces[max(place - 1, 0) : place + 1]
        to.row({share: 1, **dict.fromkeys(beside, -1)}, -math.inf, 0)


@write.register
def _write_projection(one: Projection, to: _Writer) -> None:
    inner, count = one.model, len(one.shared)
    kinds = list(zip(inner.values("integer"), inner.column_bounds, strict=True))
    places = dict(enumerate(one.shared))
    for place, (integer, bounds) in enumerate(kinds[count:], start=count):
        places[place] = to.column(integer=bool(integer), bounds=bounds)
    for terms, low, high in inner.exact_rows():
        to.row({places[column]: value for column, value in terms.items()}, low, high)
