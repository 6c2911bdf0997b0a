"""What a conflict of a model with constructs names is infeasible by its meaning, and needed."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from fractions import Fraction
from itertools import combinations, product
from pathlib import Path
from random import Random

import pytest

import calmip
from calmip._base.errors import InputError, SolverFailed
from calmip.mip.constructs import (
    BrokenLine,
    Construct,
    Extreme,
    Indicator,
    OrderedSet,
    SemiContinuous,
)
from calmip.mip.files.model_files import read_model
from calmip.mip.iis import with_constructs
from calmip.mip.iis.subsystem import Subsystem
from calmip.mip.iis.with_constructs import ConstructSubsystems, cases_of
from calmip.mip.linearise import linearise, own_part, without_derived
from calmip.mip.lp.exact_lp import exact_model
from calmip.mip.model import Model
from calmip.mip.rows import Interval, Number, is_finite, shortest
from calmip.puzzle.tasks.explain import Explanation

BOX = 4
"""Columns without bounds are tried up to this value and its negative."""


def chained_model(seed: int) -> Model | None:
    """Return a random model whose constructs take the bounds of columns from one another.

    Its columns are two integers, two without bounds that constructs or rows bound, and a binary
    one. None if a construct has no linear form.
    """
    random = Random(f"chained {seed}")
    free = Interval(-math.inf, math.inf)
    bounds = [Interval(random.randint(-2, 0), random.randint(1, 2)) for _ in range(2)]
    bounds += [free, free, Interval(0, 1)]
    made: list[Construct] = []
    for column, others in ((2, (0, 1)), (3, (2, 0))):
        kind = random.choice(("extreme", "line", "abs", "row"))
        first, second = others
        if kind == "extreme":
            sums = (({first: 1}, random.randint(-1, 1)), ({second: random.choice((-1, 1))}, 0))
            made.append(Extreme(f"k{column}", column, sums, random.choice((-1, 1))))
        elif kind == "line":
            points = ((-2, random.randint(-2, 2)), (0, 0), (2, random.randint(-2, 2)))
            made.append(BrokenLine(f"k{column}", column, first, points))
        elif kind == "abs":
            sums = (({first: 1}, 0), ({first: -1}, 0))
            made.append(Extreme(f"k{column}", column, sums, 1, absolute=True))
    rows = []
    for number in range(random.randint(2, 4)):
        some = random.sample(range(4), random.randint(1, 2))
        terms = {column: Fraction(random.choice((-2, -1, 1, 2))) for column in some}
        ends = random.choice(
            ((-math.inf, random.randint(-4, 4)), (random.randint(-4, 5), math.inf))
        )
        rows.append((f"r{number}", terms, *ends))
    for number in range(random.randint(1, 3)):
        terms = {random.randint(2, 3): 1, random.randint(0, 1): random.choice((-1, 1))}
        ends = random.choice(
            ((-math.inf, random.randint(-4, 4)), (random.randint(-4, 5), math.inf))
        )
        made.append(Indicator(f"i{number}", 4, random.randint(0, 1), terms, *ends))
    if random.random() < 0.4:
        made.append(OrderedSet("s", tuple(random.sample(range(4), 3)), random.randint(1, 2)))
    random.shuffle(made)
    model = exact_model([f"x{c}" for c in range(5)], bounds, [True] * 5, rows)
    try:
        return linearise(model, made)
    except calmip.InputError:
        return None


class Judge:
    """Judge points of a model's own columns by the meaning of chosen members."""

    def __init__(self, model: Model, members: Collection[int]) -> None:
        """Take members by their first rows."""
        own, logic = own_part(model), model.logic
        assert logic is not None
        every = enumerate(own.exact_rows())
        self.rows = [
            (sorted(terms.items()), *ends) for row, (terms, *ends) in every if row in members
        ]
        pairs = zip(logic.constructs, logic.owned, strict=True)
        self.constructs = [one for one, rows in pairs if rows[0] in members]

    def holds(self, point: Sequence[Number]) -> bool:
        """Return whether all members hold."""
        rows = (
            low <= sum(v * point[c] for c, v in terms) <= high for terms, low, high in self.rows
        )
        values = dict(enumerate(point))
        return all(rows) and all(one.fault(values) is None for one in self.constructs)


def is_binary_by(model: Model, members: Collection[int]) -> set[int]:
    """Return the columns that named constructs say to be binary."""
    logic = model.logic
    assert logic is not None
    pairs = zip(logic.constructs, logic.owned, strict=True)
    named = [one for one, rows in pairs if rows[0] in members]
    return {c for one in named if isinstance(one, Indicator) for c in dict(one.conditions)}


def points_of(model: Model, members: set[int], one: Subsystem | None) -> Iterable[tuple]:
    """Return points of a box in which all that is named of columns holds, and nothing else.

    Columns in no member are 0. Without a subsystem, all bounds and integrality hold.
    """
    own, judge = own_part(model), Judge(model, members)
    used = {c for terms, *_ in judge.rows for c, _ in terms}
    used |= {c for construct in judge.constructs for c in construct.columns}
    named = None if one is None else set(one.members)
    binary = is_binary_by(model, members)
    ranges = []
    for column, ends in enumerate(own.column_bounds):
        if column not in used:
            ranges.append((0,))
            continue
        low, high = (
            end if is_finite(end) and (named is None or (side, column) in named) else far
            for side, end, far in zip(("lower", "upper"), ends, (-BOX, BOX), strict=True)
        )
        whole = named is None or ("integer", column) in named
        if column in binary:
            low, high, whole = 0, 1, True
        steps = range(2 * math.ceil(low), 2 * math.floor(high) + 1, 2 if whole else 1)
        ranges.append(tuple(shortest(Fraction(step, 2)) for step in steps))
    return product(*ranges)


def broken(model: Model, members: set[int], one: Subsystem, values: Sequence[Number]) -> set:
    """Return the members of a subsystem that a point violates, and what is said of conditions."""
    found = {
        (member.kind, member.number)
        for member in one.members
        if member.kind == "row" and not Judge(model, {member.number}).holds(values)
    }
    for kind, column in one.members:
        value, bounds = values[column] if kind != "row" else 0, own_part(model).column_bounds
        if kind == "lower" and value < bounds[column].low:
            found.add((kind, column))
        if kind == "upper" and value > bounds[column].high:
            found.add((kind, column))
        if kind == "integer" and Fraction(value).denominator > 1:
            found.add((kind, column))
    if not all(values[column] in (0, 1) for column in is_binary_by(model, members)):
        found.add(("said", 0))
    return found


def check(found: Explanation) -> int:
    """Check the conflicts of an explanation by brute force; return their number."""
    model = found.model
    width = len(model.own_columns)
    kept = set() if found.kept_alone else {*found.kept}
    for one in found.subsystems:
        assert one.proved
        assert one.irreducible
        members = {*found.rows_of(one), *kept}
        judge = Judge(model, members)
        assert not any(map(judge.holds, points_of(model, members, one)))
        for gone in one.members:
            values = [one.witnesses[gone].get(column, 0) for column in range(width)]
            assert broken(model, members, one, values) == {(gone.kind, gone.number)}
            assert Judge(model, kept).holds(values)
    return len(found.subsystems)


def check_rest(found: Explanation) -> None:
    """Check the solution of what is in no conflict by its meaning."""
    if found.complete and found.point is not None:
        gone = {row for one in found.subsystems for row in found.rows_of(one)}
        members = set(range(len(found.model.rows))) - gone
        values = [found.point.get(c, 0) for c in range(len(found.model.own_columns))]
        assert Judge(found.model, members).holds(values)


def explained(seed: int, **options: object) -> Explanation | None:
    model = chained_model(seed)
    return None if model is None else calmip.explain(model, **options)


def campaign(seeds: Iterable[int], **options: object) -> int:
    """Check the conflicts of random models; return their number."""
    every = [one for seed in seeds if (one := explained(seed, **options)) is not None]
    for one in every:
        assert one.status != "feasible" or (one.complete and one.point is not None)
        check_rest(one)
    return sum(map(check, every))


def test_conflicts_name_what_their_constructs_rest_on() -> None:
    """A seed whose first subsystem is feasible by its meaning."""
    assert campaign((50,)) == 1


@pytest.mark.long
def test_200_conflicts_name_what_their_constructs_rest_on() -> None:
    assert campaign(range(120)) > 40
    assert campaign(range(120, 160), disjoint=True) > 15
    assert campaign(range(160, 200), smallest=True) > 10
    assert campaign(range(320, 360), keep=["r0"]) > 10


CHAIN = """Minimize
 obj: x
Subject To
 low: w >= 10
 i: b = 1 -> w <= 3
Bounds
 x <= 4
 y <= 4
 w free
Generals
 x y
Binaries
 b
General Constraints
 most: w = MAX ( x , y )
End
"""


def model_in(folder: Path, text: str) -> Model:
    path = folder / "m.lp"
    path.write_text(text)
    return read_model(path)


def test_a_big_m_may_rest_on_another_construct(tmp_path: Path) -> None:
    """Only as w is the maximum of x and y is it at most 4 where b is 0."""
    found = calmip.explain(model_in(tmp_path, CHAIN))
    assert found.names == (("low", "most"),)
    assert found.subsystems[0].proof == "exact search"
    assert check(found) == 1


def test_a_big_m_may_rest_on_a_row(tmp_path: Path) -> None:
    """No bound of w is given: with cap alone the indicators have a linear form."""
    text = CHAIN.replace(" i:", " cap: w <= 12\n j: b = 0 -> w <= 5\n i:").partition("General Con")[
        0
    ]
    model = model_in(tmp_path, text + "End\n")
    found = calmip.explain(model)
    assert set(*found.names) == {"low", "i", "j"}
    assert check(found) == 1
    # Kept rows are given: the big-M may rest on them.
    kept = calmip.explain(model, keep=["cap"])
    assert set(*kept.names) == {"low", "i", "j"}
    assert check(kept) == 1


def test_what_is_left_may_be_feasible_by_its_meaning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first conflict takes the maximum; without it, the indicator bounds w no longer."""
    found = calmip.explain(model_in(tmp_path, CHAIN), disjoint=True)
    assert found.names == (("low", "most"),)
    assert found.complete
    model = without_derived(model_in(tmp_path, CHAIN))
    assert model.logic is not None
    among = [model.rows.index("low"), *model.logic.owned[0]]
    search = ConstructSubsystems(model, groups=model.logic.owned, among=among)
    assert search.find() is None
    point = search.point()
    assert point is not None
    assert point[model.columns.index("w")] >= 10
    # If no case is tried, it is not known.
    monkeypatch.setattr(with_constructs, "MAX_CASES", 0)
    one = ConstructSubsystems(model, groups=model.logic.owned, among=among).find()
    assert one is not None
    assert not one.proved


def test_a_construct_to_keep_or_in_a_group_is_one_row(tmp_path: Path) -> None:
    """Its maximum is seven rows of the linear form."""
    model = model_in(tmp_path, CHAIN)
    kept = calmip.explain(model, keep=["most", "i"])
    assert len(kept.kept) > 2
    assert kept.describe()["kept"] == ["i", "most"]
    assert "one row with 2 bounds" in str(kept)
    assert "beside the 2 rows and constructs to keep" in str(kept)
    one = calmip.explain(model, keep=["most"])
    assert one.describe()["kept"] == ["most"]
    assert "cannot hold together beside the row to keep" in str(one)
    lines = str(calmip.explain(model, group={"g": ["low", "most"]})).splitlines()
    first = lines.index("  group g, 2 rows:")
    assert lines[first + 1 : first + 3] == ["    low: w >= 10", "    most: w = MAX ( x , y )"]
    assert lines[first + 3].startswith("  bounds:")


SIGN_BY_A_ROW = """Minimize
 obj: x
Subject To
 r: x >= 3
 low: v >= {low}
 high: v <= 4
 t: v <= -2
 u: y >= 1
Bounds
 x <= 1
 y <= 1
 v free
SOS
 s: S1 :: v:1 y:2
End
"""


@pytest.mark.parametrize("low", [-5, 0])
def test_a_set_holds_at_a_solution_of_the_rest_whatever_rows_said_of_signs(
    low: int, tmp_path: Path
) -> None:
    """No value of x is allowed, so any bound of v follows; or v >= 0, but of a row left out."""
    found = calmip.explain(model_in(tmp_path, SIGN_BY_A_ROW.format(low=low)), disjoint=True)
    assert ("r",) in found.names
    assert len(found.names) == 2
    assert found.complete
    check_rest(found)
    assert check(found) == 2


@pytest.mark.parametrize("most", [1, 2])
def test_what_no_case_decides_is_not_proved(
    most: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of two constructs, none or only the first is split: a case of it stays undecided."""
    text = CHAIN.replace(" i:", " cap: w <= 12\n j: b = 0 -> w <= 5\n i:")
    monkeypatch.setattr(with_constructs, "MAX_CASES", most)
    model = model_in(tmp_path, text.partition("General Con")[0] + "End\n")
    (one,) = calmip.explain(model, rows_only=True).subsystems
    # The row that is not needed stays, without a witness.
    assert len(one.members) == 4
    assert not one.irreducible
    assert one.proved
    (one,) = calmip.explain(model).subsystems
    assert not one.rows_irreducible


@pytest.mark.parametrize("end", ["no proof", TimeoutError, SolverFailed])
def test_what_no_search_proves_is_not_known(
    end: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Search:
        def __init__(self, *_: object, **__: object) -> None: ...

        def find(self, _: int) -> Subsystem:
            if isinstance(end, type) and issubclass(end, Exception):
                raise end("planted")
            return Subsystem((), {})

    model = without_derived(model_in(tmp_path, CHAIN))
    assert model.logic is not None
    search = ConstructSubsystems(model, groups=model.logic.owned)
    monkeypatch.setattr(with_constructs, "Subsystems", Search)
    assert search._test(search._left).feasible is None


def test_bounds_are_named_where_they_are_needed(tmp_path: Path) -> None:
    model = model_in(tmp_path, CHAIN)
    (one,) = calmip.explain(model).subsystems
    assert [(kind, model.columns[c]) for kind, c in one.members if kind != "row"] == [
        ("upper", "x"),
        ("upper", "y"),
    ]
    (fewer,) = calmip.explain(model, rows_only=True).subsystems
    assert {kind for kind, _ in fewer.members} == {"row"}


def test_bounds_that_no_time_was_left_for_may_be_superfluous(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(with_constructs, "HARD_SECONDS", 1e-9)
    found = calmip.explain(model_in(tmp_path, CHAIN))
    (one,) = found.subsystems
    assert len(one.members) == 8  # x, y >= 0, x, y <= 4, x and y integer
    assert one.proved
    assert one.rows_irreducible
    assert not one.irreducible
    assert "some of the bounds listed may be superfluous" in str(found)


EXAMPLES: list[Construct] = [
    Indicator("k", 0, 1, {1: 1, 2: -1}, -1, 1),
    Indicator("k", 0, 0, {1: 2}, 1, math.inf, also=((3, 1),)),
    SemiContinuous("x1", 1, 2, 3),
    SemiContinuous("x1", 1, -3, -1),
    OrderedSet("k", (0, 1, 2), 1),
    OrderedSet("k", (2, 1, 3, 0), 2),
    OrderedSet("k", (1,), 2),
    Extreme("k", 1, (({2: 1}, 1), ({3: -2}, 0)), 1),
    Extreme("k", 1, (({2: 1}, 0), ({1: 1, 3: 1}, -1), ({}, 2)), -1),
    BrokenLine("k", 1, 2, ((-1, 2), (0, 0), (2, 1))),
    BrokenLine("k", 1, 2, ((0, 1), (3, Fraction(5, 2)))),
]


@pytest.mark.parametrize("one", EXAMPLES, ids=str)
def test_a_construct_is_the_union_of_its_cases(one: Construct) -> None:
    ends = Fraction(1, 2), Fraction(-1, 2)
    wide = [*range(-4, 5), *ends]
    for point in product((0, 1), wide, wide, (0, 1)):
        cases = [
            all(
                low <= sum(v * point[c] for c, v in terms.items()) <= high
                for terms, low, high in case
            )
            for case in cases_of(one)
        ]
        assert any(cases) == (one.fault(dict(enumerate(point))) is None)


def test_rows_of_a_construct_are_the_same_if_their_further_columns_are() -> None:
    """The further columns have other numbers in another model, those of the model have not."""

    def rows(
        place: int,
        high: int = 5,
        *,
        of: int = 0,
        integer: bool = True,
        own: int = 3,
        side: int = 7,
        columns: int = 6,
    ) -> object:
        model = exact_model(
            [f"c{n}" for n in range(columns)],
            [(0, own)] * 2 + [(0, high)] * (columns - 2),
            [True] * 2 + [integer] * (columns - 2),
            [("other", {0: 1}, 0, 1), ("r", {of: 1, place: 3}, 1, side)],
        )
        model = model.changed(logic=Seen(columns=2))
        return with_constructs._rows_of(model, [1])

    assert rows(2) == rows(3) == rows(5) == rows(2, own=4)
    different = [rows(2), rows(2, 6), rows(2, integer=False), rows(2, of=1), rows(2, side=8)]
    different.append(rows(1))
    assert all(one != other for one, other in combinations(different, 2))


class Seen:
    """What is asked of a model's constructs."""

    def __init__(self, columns: int) -> None:
        self.columns = columns


HIDDEN = """Minimize
 obj: x
Subject To
 r: x + y <= 3
 s1: x >= 10
 s2: x - y >= 10
 t: b = 1
 i: b = 0 -> x <= 2
Bounds
 0 <= y <= 100
 {bound}
Binaries
 b
End
"""


def test_the_least_change_frees_what_a_changed_row_said_of_constructs(tmp_path: Path) -> None:
    # The number that switches i off rested on r: with r at 10 it forbade all x above 3.
    path = tmp_path / "model.lp"
    path.write_text(HIDDEN.format(bound="x <= 50"))
    (one,) = calmip.explain(path, repair=True).repairs or ()
    assert (one.proved, one.amount) == (True, 7)
    path.write_text(HIDDEN.format(bound=""))
    with pytest.raises(InputError, match="'x' has no upper bound; bound it; the least change"):
        calmip.explain(path, repair=True)
    # A row that may not change gives its bound, too.
    (one,) = calmip.explain(path, repair=True, keep=["r"]).repairs or ()
    assert (one.proved, one.amount) == (True, 14)
