"""Constructs: their meaning by brute force, all their files, and every command on them."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable
from fractions import Fraction
from itertools import pairwise, product
from pathlib import Path
from random import Random

import pytest
from logic_models import KINDS, Solutions, lp_file, random_model, solutions
from requirements import need_package

import calmip
from calmip._base.errors import InputError
from calmip._base.limits import Deadline
from calmip.cli import main
from calmip.mip.constructs import BrokenLine, Extreme, Indicator, OrderedSet, SemiContinuous
from calmip.mip.files.model_files import read_model
from calmip.mip.linearise import linearise, own_part, without_derived
from calmip.mip.lp.exact_lp import exact_model
from calmip.mip.model import Model
from calmip.mip.optima.ranges import find_ranges
from calmip.mip.pool import EVERY, Goal, PoolSearch, beside_constructs
from calmip.mip.rows import Interval, Number
from calmip.puzzle.tasks.compare import compare_models

OPTIMAL = Goal(optimal=True)


def pool(model: Model, goal: Goal = EVERY) -> Solutions:
    """Return the pool of a model; each solution has only the model's own columns, and is new."""
    own = len(model.own_columns)
    found: Solutions = {}
    for solution in (search := PoolSearch(model, goal)):
        assert all(column < own for column in solution.point)
        values = tuple(solution.point.get(column, 0) for column in range(own))
        assert values not in found
        found[values] = solution.objective
    assert search.complete
    return found


def check_against_brute_force(model: Model) -> int:
    """Compare all solutions and all optima; return the number of solutions."""
    wanted = solutions(model)
    assert pool(model) == wanted
    best = min(wanted.values(), default=None)
    assert pool(model, OPTIMAL) == {p: value for p, value in wanted.items() if value == best}
    return len(wanted)


@pytest.mark.parametrize("kind", KINDS)
def test_pools_are_those_of_brute_force(kind: str) -> None:
    assert sum(check_against_brute_force(random_model(seed, kind)) for seed in range(12)) > 15


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
def test_200_pools_are_those_of_brute_force(kind: str) -> None:
    assert sum(check_against_brute_force(random_model(seed, kind)) for seed in range(200)) > 200


@pytest.mark.parametrize("kind", KINDS)
def test_a_pool_without_a_construct_is_another(kind: str) -> None:
    """The brute force judges the constructs: without them it says no."""
    models = [random_model(seed, kind) for seed in range(12)]
    assert any(pool(own_part(model)) != solutions(model) for model in models)


def mixed_model(seed: int, kind: str) -> Model:
    """Return a model with two integer and two continuous columns, and a construct."""
    random = Random(f"mixed {kind} {seed}")
    bounds = [Interval(0, 1), Interval(random.randint(-2, 0), random.randint(1, 2))]
    bounds += [Interval(random.randint(-3, 0), random.randint(1, 4)) for _ in range(2)]
    terms = {c: Fraction(random.randint(-4, 4), random.choice((1, 2, 3))) for c in (1, 2, 3)}
    made = {
        "indicator": Indicator("k", 0, seed % 2, terms, -math.inf, random.randint(-3, 3)),
        "semi": SemiContinuous("x2", 2, Fraction(random.randint(1, 3), 2), 3),
        "sos1": OrderedSet("k", (1, 2, 3), 1),
        "sos2": OrderedSet("k", (2, 1, 3), 2),
        "abs": Extreme("k", 2, (({3: 1}, 0), ({3: -1}, 0)), 1, absolute=True),
        "max": Extreme("k", 2, (({3: 1}, 0), ({1: 1}, 0)), 1),
        "min": Extreme("k", 2, (({3: 1}, 0), ({1: 1}, 0), ({}, 1)), -1),
        "line": BrokenLine("k", 2, 3, ((-1, 1), (0, Fraction(1, 3)), (2, 1))),
    }[kind]
    bounds = [bounds[c] if kind != "semi" or c != 2 else Interval(made.low, 3) for c in range(4)]
    row = {c: Fraction(random.randint(-3, 3)) for c in range(4)}
    cost = {c: Fraction(random.randint(-4, 4), 3) for c in range(4)}
    rows = [("r", {c: v for c, v in row.items() if v}, -math.inf, random.randint(0, 5))]
    names = ["x0", "x1", "x2", "x3"]
    return linearise(exact_model(names, bounds, [True, True, False, False], rows, cost), [made])


def best_by_pieces(model: Model) -> dict[tuple[Number, ...], Number]:
    """Return the best objective of each choice of the integers: one exact LP for each case.

    A construct is a union of cases, each with rows of its own.
    """
    from calmip.mip.lp.exact_lp import ExactLp

    assert model.logic is not None
    own, (construct,) = own_part(model), model.logic.constructs
    found: dict[tuple[Number, ...], Number] = {}
    ranges = [range(math.ceil(low), math.floor(high) + 1) for low, high in own.column_bounds[:2]]
    for integers in product(*ranges):
        for case in cases(construct, integers):
            part = own
            for terms, low, high in case:
                columns = sorted(terms)
                part = part.with_row("case", columns, low, high, [terms[c] for c in columns])
            answer = ExactLp(part, [2, 3]).solve(dict(enumerate(integers)))
            if answer.status == "optimal" and answer.cost is not None:
                found[integers] = min(found.get(integers, answer.cost), answer.cost)
    return found


def cases(construct: object, integers: tuple[int, ...]) -> list[list[tuple[dict, Number, Number]]]:
    """Return the cases of a construct, each as rows."""
    inf = math.inf
    if isinstance(construct, Indicator):
        if integers[0] != construct.value:
            return [[]]
        return [[(dict(construct.terms), construct.low, construct.high)]]
    if isinstance(construct, SemiContinuous):
        column = construct.column
        return [[({column: 1}, 0, 0)], [({column: 1}, construct.low, construct.high)]]
    if isinstance(construct, OrderedSet):
        members, most = construct.members, construct.most
        return [
            [({c: 1}, 0, 0) for c in (*members[:first], *members[first + most :])]
            for first in range(len(members) - most + 1)
        ]
    if isinstance(construct, Extreme):
        found = []
        for chosen, constant in construct.sums:
            rows = [({construct.column: 1, **negative(chosen)}, constant, constant)]
            for terms, other in construct.sums:
                difference = {construct.column: construct.sign, **negative(terms, construct.sign)}
                rows.append((difference, construct.sign * other, inf))
            found.append(rows)
        return found
    assert isinstance(construct, BrokenLine)
    found = []
    ends = [-100, *(x for x, _ in construct.points[1:-1]), 100]
    for left, right in pairwise(ends):
        low, high = construct.at(left), construct.at(right)
        slope = Fraction(high - low) / (right - left)
        line = {construct.column: 1, construct.argument: -slope}
        side = low - slope * left
        found.append([({construct.argument: 1}, left, right), (line, side, side)])
    return found


def negative(terms: dict[int, Number], sign: int = 1) -> dict[int, Number]:
    return {column: -sign * value for column, value in terms.items()}


def check_mixed(seed: int, kind: str) -> int:
    model = mixed_model(seed, kind)
    wanted = best_by_pieces(model)
    found = {
        tuple(solution.point.get(c, 0) for c in (0, 1)): solution.objective
        for solution in PoolSearch(model)
    }
    assert found == wanted
    return len(found)


MIXED = KINDS[:-1]


@pytest.mark.long
@pytest.mark.parametrize("kind", MIXED)
def test_mixed_pools_have_the_best_of_each_choice(kind: str) -> None:
    assert sum(check_mixed(seed, kind) for seed in range(8)) > 10


@pytest.mark.long
@pytest.mark.parametrize("kind", MIXED)
def test_200_mixed_pools_have_the_best_of_each_choice(kind: str) -> None:
    assert sum(check_mixed(seed, kind) for seed in range(200)) > 200


def model_in(folder: Path, text: str, name: str = "m.lp") -> Model:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return read_model(path)


@pytest.mark.parametrize("kind", KINDS)
def test_lp_files_are_read_as_the_constructs_say(kind: str, tmp_path: Path) -> None:
    for seed in range(12):
        model = random_model(seed, kind, decimal=True)
        if model.logic is not None:
            assert pool(model_in(tmp_path, lp_file(model))) == solutions(model), seed


def read_by_gurobi(path: Path, optimum: Number | None, write: Path | None = None) -> None:
    """Check that Gurobi reads a file with the same optimum, and let it write another one."""
    gurobipy = need_package("gurobipy")
    with gurobipy.Env(params={"OutputFlag": 0}) as env, gurobipy.read(str(path), env) as found:
        found.Params.DualReductions = 0
        found.optimize()
        if optimum is None:
            assert found.Status == gurobipy.GRB.INFEASIBLE
        else:
            assert found.ObjVal == pytest.approx(float(optimum), abs=1e-6)
        if write is not None:
            found.write(str(write))


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
def test_comparisons_are_those_of_brute_force(kind: str) -> None:
    """With itself, and without or with other constructs; both ways, as both are asked."""
    seen = set()
    for seed in range(3):
        one = random_model(seed, kind)
        if one.logic is None:
            continue
        less = linearise(own_part(one), one.logic.constructs[1:], again=True)
        for other in (one, own_part(one), less):
            first, second = (set(solutions(model)) for model in (one, other))
            wanted = "same" if first == second else "smaller"
            found = compare_models(one, other, clock=Deadline(60))
            assert found.feasible_set == wanted
            assert found.proved_parts["feasible_set"]
            seen.add(wanted)
            if wanted == "smaller":
                assert found.back.point is not None
                point = tuple(found.back.point.get(c, 0) for c in range(len(one.own_columns)))
                assert point in second - first
                assert [each.kind for each in found.back.violations][:1] == ["construct"]
    assert seen == {"same", "smaller"}


@pytest.mark.long
@pytest.mark.parametrize("kind", MIXED)
def test_comparisons_of_mixed_models(kind: str) -> None:
    for seed in range(3):
        one = mixed_model(seed, kind)
        assert compare_models(one, one, clock=Deadline(60)).feasible_set == "same"
        found = compare_models(one, own_part(one), clock=Deadline(60))
        assert found.feasible_set in ("same", "smaller")
        if found.back.point is not None:
            assert own_part(one).violated(found.back.point) is None
            assert one.violated(found.back.point) is not None


@pytest.mark.parametrize("kind", KINDS)
def test_gurobi_reads_the_same_from_both_files(kind: str, tmp_path: Path) -> None:
    for seed in range(6):
        model = random_model(seed, kind, decimal=True)
        if model.logic is None:
            continue
        wanted = solutions(model)
        lp, mps = tmp_path / "m.lp", tmp_path / "g.mps"
        lp.write_text(lp_file(model), encoding="utf-8")
        read_by_gurobi(lp, min(wanted.values(), default=None), mps)
        assert pool(read_model(mps)) == wanted, seed


def semi_mps(bounds: str, *, integer: bool = False) -> str:
    """Return a model that maximises x up to 2.5 by a row; x is at least 2 or 0 by its bounds."""
    marks = ["    M 'MARKER' 'INTORG'", "    M 'MARKER' 'INTEND'"] if integer else ["", ""]
    column = "    x OBJ -1\n    x r 2\n"
    return (
        f"NAME m\nROWS\n N OBJ\n L r\nCOLUMNS\n{marks[0]}\n{column}{marks[1]}\nRHS\n"
        f"    RHS r 5\nBOUNDS\n{bounds}\nENDATA\n"
    )


SEMI = {
    "SC after LO": (" LO B x 2\n SC B x 3", False, "5/2"),
    "SC before LO": (" SC B x 3\n LO B x 2", False, "5/2"),
    "SC with an infinite number": (" LO B x 2\n SC B x 1e30", False, "5/2"),
    "SC 0 is infinite": (" LO B x 2\n SC B x 0", False, "5/2"),
    "SC between the marks is semi-integer": (" LO B x 2\n SC B x 3", True, "2"),
    "SI": (" LO B x 2\n SI B x 3", False, "2"),
    "only 0 is left": (" LO B x 3\n SC B x 4", False, "0"),
    "0 within the bounds": (" LO B x -1\n SC B x 2", False, "2"),
}


@pytest.mark.parametrize("name", SEMI)
def test_semi_continuous_columns_of_mps_files(name: str, tmp_path: Path) -> None:
    bounds, integer, best = SEMI[name]
    model = model_in(tmp_path, semi_mps(bounds, integer=integer), "m.mps")
    (found,) = PoolSearch(model, Goal(best=1))
    assert found.point.get(0, 0) == Fraction(best)
    assert (model.logic is None) == (name == "0 within the bounds")


def test_sc_without_a_number_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="found 'x' where a number should stand"):
        model_in(tmp_path, semi_mps(" SC B x"), "m.mps")


SECTIONS = {
    "Semi-continuous\n x\n": ("SemiContinuous", False),
    "Generals\n x\nSemi-continuous\n x\n": ("SemiContinuous", True),
    "sin\n x\n": ("SemiContinuous", True),
    "SOS\n s1:S1::x:1 y:2\n": ("OrderedSet", False),
    "SOS\n s1 : S1 :: x : 1 y : 2\n": ("OrderedSet", False),
    "SOS\n S1:: x:1\n y:2\n": ("OrderedSet", False),
    "General Constraints\n y = ABS(x)\n": ("Extreme", False),
    "General Constraints\n g: y = PWL ( x ) : (0, 1)\n (2.5, 2)\n": ("BrokenLine", False),
}


@pytest.mark.parametrize("section", SECTIONS)
def test_sections_of_lp_files(section: str, tmp_path: Path) -> None:
    head = "Minimize\n obj: x + y\nSubject To\n r: x + y >= 1\nBounds\n 1 <= x <= 3\n y <= 3\n"
    model = model_in(tmp_path, f"{head}{section}End\n")
    kind, integer = SECTIONS[section]
    assert model.logic is not None
    (construct,) = model.logic.constructs
    assert type(construct).__name__ == kind
    assert bool(model.is_integer(0)) == integer
    if kind == "OrderedSet":
        assert construct.members == (0, 1)


MPS_SETS = "NAME m\nROWS\n N OBJ\n L r\nCOLUMNS\n{}RHS\n    RHS r 4\nBOUNDS\n{}{}ENDATA\n"


@pytest.mark.parametrize("head", [" S1 s", " S1 SOS s", " S1 s 3", " S1 SOS s 3"])
@pytest.mark.parametrize("section", ["SOS", "SETS"])
def test_sets_of_mps_files(head: str, section: str, tmp_path: Path) -> None:
    columns = "".join(f"    {x} OBJ -1\n    {x} r 1\n" for x in "xyz")
    bounds = "".join(f" UP B {x} 3\n" for x in "xyz")
    members = "    y 2\n    SOS x 1\n    z 3\n"
    text = MPS_SETS.format(columns, bounds, f"{section}\n{head}\n{members}")
    model = model_in(tmp_path, text, "m.mps")
    assert model.logic is not None
    assert model.logic.constructs == (OrderedSet("s", (0, 1, 2), 1),)


LP = """Maximize
 obj: x + 2 y + s + t
Subject To
 r: x + y + s + t <= 9
 i1: b = 1 -> x + 2 y <= 3
 i2: b = 0 -> s <= 2.5
Bounds
 x <= 5
 y <= 4
 2 <= s <= 3.5
 2 <= t <= 3.5
Binaries
 b
Generals
 x t
Semi-continuous
 s t
End
"""


@pytest.fixture
def model(tmp_path: Path) -> Model:
    return model_in(tmp_path, LP)


def run(capsys: pytest.CaptureFixture[str], *words: object) -> str:
    assert main([str(word) for word in words]) in (0, 1)
    return capsys.readouterr().out


@pytest.mark.long
def test_auxiliary_columns_are_nowhere(
    model: Model, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    auxiliary = model.columns[len(model.own_columns) :]
    assert len(auxiliary) == 2
    path = tmp_path / "m.lp"
    texts = [
        run(capsys, *words.split(), path, *more)
        for words in ("solve", "enumerate", "enumerate --optimal", "unique --ranges", "count")
        for more in ((), ("--format", "json"))
        if words != "count" or not more
    ]
    texts += [run(capsys, "enumerate", "--format", "csv", path)]
    for text in texts:
        assert not any(name in text for name in auxiliary), text
    assert '"columns": 5, "rows": 1, "constructs": 4' in texts[1]


def test_answers_of_all_kinds(model: Model) -> None:
    solved = calmip.solve(model)
    assert (solved.status, solved.objective, solved.verified) == ("optimal", 13, True)
    assert list(solved.values) == ["x", "y", "s", "t", "b"]
    found = calmip.enumerate(model, optimal=True)
    assert (found.count, found.complete) == (6, True)
    assert calmip.enumerate(model, count=True).count == calmip.enumerate(model).count
    ranges = find_ranges(model)
    points = [tuple(one.get(c, 0) for c in range(5)) for one in found.points]
    assert [(one.low, one.high) for one in ranges] == [
        (min(values), max(values)) for values in zip(*points, strict=True)
    ]
    assert calmip.unique(model).unique is False


def test_answers_of_others_are_judged_by_the_constructs(model: Model) -> None:
    right = {"x": 1, "y": 4, "s": 2, "t": 2, "b": 0}
    assert calmip.check(model, right).status == "accepted"
    wrong = {
        "s": (1.5, "semi-continuous variable 's' by 0.5 (1.5 instead of 2)"),
        "t": (1, "semi-continuous variable 't' by 1 (1 instead of 0)"),
        "b": (1, "indicator constraint 'i1' by 6 (9 instead of 3)"),
    }
    for name, (value, text) in wrong.items():
        verdict = calmip.check(model, {**right, name: value}, all=True)
        assert verdict.status == "refused"
        assert [(one.kind, one.text) for one in verdict.violations] == [("construct", text)]


def test_rounded_answers_are_completed(model: Model) -> None:
    """Solvers print 1e-9 for 0 of a semi-continuous variable."""
    near = {"x": 5, "y": 4, "s": 1e-9, "t": 0, "b": 0}
    verdict = calmip.check(model, near)
    assert verdict.status == "accepted"
    assert "completed exactly" in verdict.reasons[0]


INFEASIBLE = """Minimize
 obj: x
Subject To
 r: x + y >= 8
 q: x - y <= 100
 i1: b = 1 -> x = 3
 i2: b = 0 -> x <= 2
Bounds
 x <= 10
 y <= 4
Binaries
 b
End
"""


def test_a_conflict_names_constructs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = model_in(tmp_path, INFEASIBLE)
    found = calmip.explain(model)
    assert found.names == (("r", "i1", "i2"),)
    text = run(capsys, "explain", tmp_path / "m.lp")
    assert "  i1: b = 1 -> x = 3" in text
    assert "3 of 4 rows and constructs cannot hold together" in text
    assert "i1_" not in text
    # Two rows linearise i1, and both are kept with it.
    assert calmip.explain(model, keep=["i1"]).names == (("r", "i2"),)
    repaired = calmip.explain(model, repair=True).repairs
    assert repaired
    assert {model.rows[row] for row in repaired[0].changes} == {"r"}


def parts_hold(model: Model, rows: Iterable[int], constructs: Iterable[int]) -> bool:
    """Return whether some rows and constructs have a common point within the bounds."""
    assert model.logic is not None
    own, chosen = own_part(model), [model.logic.constructs[number] for number in constructs]
    exact = [own.exact_row(row) for row in rows]
    ranges = [range(math.ceil(low), math.floor(high) + 1) for low, high in own.column_bounds]
    return any(
        all(
            low <= sum(v * point[c] for c, v in terms.items()) <= high for terms, low, high in exact
        )
        and all(one.fault(dict(enumerate(point))) is None for one in chosen)
        for point in product(*ranges)
    )


def check_conflict(model: Model) -> bool:
    """Check that a conflict is infeasible and irreducible, by the meaning of its members."""
    found = calmip.explain(model)
    if found.status != "infeasible":
        assert solutions(model)
        return False
    (one,) = found.subsystems
    logic = found.model.logic
    assert logic is not None
    members = found.rows_of(one)
    firsts = [rows[0] for rows in logic.owned]
    rows = [row for row in members if row not in logic.rows]
    constructs = [firsts.index(row) for row in members if row in logic.rows]
    assert not parts_hold(model, rows, constructs)
    for gone in members:
        left = [row for row in rows if row != gone]
        others = [number for number in constructs if firsts[number] != gone]
        assert parts_hold(model, left, others) == one.irreducible
    return True


@pytest.mark.parametrize("kind", KINDS)
def test_conflicts_are_those_of_brute_force(kind: str) -> None:
    models = [random_model(seed, kind) for seed in range(60)]
    infeasible = [one for one in models if one.logic is not None and not solutions(one)][:4]
    assert all(map(check_conflict, infeasible))
    assert infeasible or kind == "semi"


def test_a_construct_of_a_conflict_does_not_rest_on_rows(tmp_path: Path) -> None:
    """The bounds of w follow from those of x and y: the conflict needs the row that bounds it."""
    text = (
        "Minimize\n obj: x\nSubject To\n wood: 2 x + 3 y <= 12\n orders: x + 2 y >= 8\n"
        " size: w - v <= 3\nBounds\n x <= 4\n y <= 4\n v = 0\n w free\nGenerals\n x y\n"
        "General Constraints\n most: w = MAX ( x , y )\nEnd\n"
    )
    (names,) = calmip.explain(model_in(tmp_path, text)).names
    assert names == ("wood", "orders", "size", "most")


def test_a_conflict_does_not_rest_on_rows_that_are_not_in_it(tmp_path: Path) -> None:
    """The bounds that rows imply are no part of a construct while bounds of columns suffice."""
    text = INFEASIBLE.replace(" q: x - y <= 100", " q: x <= 1").replace("x = 3", "x >= 5")
    model = model_in(tmp_path, text.replace("i2: b = 0 -> x <= 2", "i2: b = 0 -> x >= 5"))
    assert calmip.explain(model).names in ((("r", "q"),), (("q", "i1", "i2"),))
    plain = without_derived(model)
    assert plain.logic is not None
    (row,) = (plain.exact_row(rows[0]) for rows in plain.logic.owned[:1])
    assert min(row.terms.values()) == -1  # x >= 5 b, and not less as q would allow
    assert max(row.terms.values()) == 5


@pytest.mark.long
def test_an_export_has_rows_instead(model: Model, tmp_path: Path) -> None:
    for suffix in (".mps", ".lp"):
        path = tmp_path / f"rows{suffix}"
        calmip.export(model, path)
        rows = read_model(path)
        assert rows.logic is None
        assert rows.columns == model.columns
        whole = [column for column in range(5) if model.is_integer(column)]
        found = [-one.objective for one in PoolSearch(rows, OPTIMAL, distinct=whole)]
        assert found == list(pool(model, OPTIMAL).values())
    assert "semi-continuous" in path.read_text()


def test_a_journal_is_resumed(model: Model, tmp_path: Path) -> None:
    from calmip.puzzle.tasks.enumeration import Enumeration
    from calmip.puzzle.tasks.journal import save_pool

    output = tmp_path / "pool.jsonl"
    first = Enumeration(model, node_limit=12, resumable=True)
    before = list(save_pool(first, output, resume=False))
    assert len(before) > 0
    assert not first.complete
    second = Enumeration(model, resumable=True)
    after = list(save_pool(second, output, resume=True))
    assert second.complete
    assert after[: len(before)] == before
    every = Enumeration(model)
    assert sorted(map(str, every)) == sorted(map(str, after))
    assert all(max(point, default=0) < 5 for point in after)


def test_another_point_with_other_auxiliary_values_is_found(tmp_path: Path) -> None:
    """x and y are either 0 or above 1, with the sum 3: no line joins the two points."""
    text = (
        "Minimize\n obj: x + y\nSubject To\n r: x + y = 3\nBounds\n 3 <= x <= 4\n 3 <= y <= 4\n"
        "Semi-continuous\n x y\nEnd\n"
    )
    model = model_in(tmp_path, text)
    assert beside_constructs(model, {0: 3}) == {1: 3}
    assert beside_constructs(model_in(tmp_path, text.replace("= 3\n", "= 4\n")), {0: 4}) == {1: 4}
    only = model_in(tmp_path, text.replace("x + y = 3", "x + 2 y = 3"))
    assert beside_constructs(only, {0: 3}) is None
    assert calmip.unique(only).unique is True
    assert calmip.unique(model).unique is False


def test_another_point_with_the_same_auxiliary_values_is_found(tmp_path: Path) -> None:
    text = (
        "Minimize\n obj: 0 x\nSubject To\n r: x >= 1\nBounds\n 3 <= x <= 4\n"
        "Semi-continuous\n x\nEnd\n"
    )
    model = model_in(tmp_path, text)
    for value in (3, Fraction(7, 2), 4):
        other = beside_constructs(model, {0: value})
        assert other is not None
        assert other != {0: value}
        assert model.violated(other) is None
    with pytest.raises(TimeoutError):
        beside_constructs(model, {0: 3}, Deadline(1e-9))


def test_a_point_violates_a_row_of_its_construct_whatever_auxiliary_columns_have(
    tmp_path: Path,
) -> None:
    text = (
        "Minimize\n obj: x + y\nSubject To\n r: x + y >= 1\nBounds\n 3 <= x <= 4\n 2 <= y <= 4\n"
        "Semi-continuous\n x y\nEnd\n"
    )
    model = model_in(tmp_path, text)
    assert model.logic is not None
    assert model.violated({0: 3, 2: Fraction(5, 2), 3: -7}) is None
    for column, owned in enumerate(model.logic.owned):
        assert model.violated({column: 1}) == owned[0]


def test_what_rests_on_rows_alone_says_so(model: Model, tmp_path: Path) -> None:
    binary = model_in(tmp_path, LP.replace("Generals\n x t", "Generals\n x t s y"))
    for work in ("an OPB file", "a proof"):
        with pytest.raises(InputError, match=f"{work} needs rows alone, and the model has 2 ind"):
            binary.as_binary(work)
    with pytest.raises(InputError, match="a linear relaxation needs rows alone"):
        calmip.relax(model)
    with pytest.raises(InputError, match="an optimal face needs rows alone"):
        calmip.unique(model, vertices=True)
    with pytest.raises(InputError, match="a sensitivity analysis needs rows alone"):
        calmip.unique(model, sensitivity=True)


def test_derived_bounds_and_exact_programs_bound_a_sum(tmp_path: Path) -> None:
    """Of two rows that bound no column alone, an exact linear program bounds the sum."""
    text = (
        "Minimize\n obj: x\nSubject To\n r: x + y <= 7\n q: x - y <= 1\n i: b = 1 -> x <= 2\n"
        "Bounds\n x free\n y free\nBinaries\n b\nEnd\n"
    )
    found = model_in(tmp_path, text)
    assert found.exact_row(2) == ({0: 1, 2: 2}, -math.inf, 4)  # x is at most 4
    with pytest.raises(InputError) as error:
        model_in(tmp_path, text.replace("x - y <= 1", "x - y >= 1"))
    assert error.value.message == (
        "indicator constraint 'i' has no linear form: its row has no finite bound, because 'x' has "
        "no upper bound; bound it"
    )
    bounded = "Subject To\n r: x + y <= 7\n q: y >= 1\n i"
    chain = text.replace("Subject To\n r: x + y <= 7\n q: x - y <= 1\n i", bounded)
    assert model_in(tmp_path, chain).exact_row(2) == ({0: 1, 2: 4}, -math.inf, 6)


def test_an_indicator_with_several_conditions_holds_unless_all_are_met() -> None:
    """The row holds if b is 1 and c is 0; only then has a point a fault, and no other one."""
    one = Indicator("i", 1, 1, {0: 1}, 1, 2, also=((2, 0),))
    names, bounds = ["x", "b", "c"], [(0, 3), (0, 1), (0, 1)]
    model = linearise(exact_model(names, bounds, [True] * 3, []), [one])
    found = pool(model)
    for x, b, c in product(range(4), range(2), range(2)):
        values: dict[int, Number] = {0: x, 1: b, 2: c}
        wrong = b == 1 and c == 0 and not 1 <= x <= 2
        assert one.fault(values) == ((x, min(max(x, 1), 2)) if wrong else None)
        assert (model.violated(values) is not None) is wrong
        assert ((x, b, c) in found) is not wrong


@pytest.mark.parametrize("members", ["", "x:1", "x:1 y:2"])
@pytest.mark.parametrize("most", [1, 2])
def test_a_set_of_few_members_may_always_hold(members: str, most: int, tmp_path: Path) -> None:
    text = (
        f"Minimize\n obj: x + y\nSubject To\n r: x + y >= 0\nBounds\n x <= 1\n y <= 1\n"
        f"Generals\n x y\nSOS\n s: S{most} :: {members}\nEnd\n"
    )
    together = most == 2 or "y" not in members
    wanted = {(0, 0), (0, 1), (1, 0), *([(1, 1)] if together else [])}
    assert pool(model_in(tmp_path, text)).keys() == wanted


def test_a_maximum_of_one_column_needs_no_bound(tmp_path: Path) -> None:
    text = (
        "Minimize\n obj: y\nSubject To\n r: x + y >= 6\nBounds\n x free\n y free\n"
        "General Constraints\n g: y = MAX ( x )\nEnd\n"
    )
    assert pool(model_in(tmp_path, text), OPTIMAL) == {(3, 3): 3}
    with pytest.raises(InputError, match="maximum 'g' has no linear form: a difference of its"):
        model_in(tmp_path, text.replace("MAX ( x )", "MAX ( x , 0 )"))


@pytest.mark.parametrize(
    "rows",
    [
        " r: x + z <= 1\n q: x + z >= 2",  # which the linear program alone sees
        " r: 10 k >= 22\n q: 10 k <= 28",  # which the integers alone show
    ],
)
def test_without_solutions_any_bound_is_right(rows: str, tmp_path: Path) -> None:
    text = (
        f"Minimize\n obj: k\nSubject To\n{rows}\n i: b = 1 -> y <= 2\nBounds\n x free\n y free\n"
        " z free\n w free\n k <= 5\nGenerals\n k\nBinaries\n b\nEnd\n"
    )
    assert pool(model_in(tmp_path, text)) == {}
    with pytest.raises(InputError, match="because 'y' has no upper bound; bound it"):
        model_in(tmp_path, text.replace("q:", "q: w +"))


def test_names_of_auxiliary_columns_are_no_names_of_the_model(tmp_path: Path) -> None:
    text = (
        "Minimize\n obj: s_z0 + s_z1 + s_z1_\nSubject To\n r: s_z0 + s_z1 + s_z1_ >= 2\n"
        "Bounds\n s_z0 <= 2\n s_z1 <= 2\n s_z1_ <= 2\nGenerals\n s_z0 s_z1 s_z1_\n"
        "SOS\n s: S1 :: s_z0:1 s_z1:2 s_z1_:3\nEnd\n"
    )
    model = model_in(tmp_path, text)
    assert model.own_columns == ("s_z0", "s_z1", "s_z1_")
    assert len(set(model.columns)) == len(model.columns) == 6
    assert pool(model).keys() == {(2, 0, 0), (0, 2, 0), (0, 0, 2)}


LARGE = {
    "row 'i' has a coefficient": ("i: b = 1 -> 1e20 x <= 1", ""),
    "row 'i' has a coefficient of": ("i: b = 1 -> 1e300 x <= 1", ""),
    "indicator constraint 'i' has no linear form": ("i: b = 1 -> 90 x <= 1", ""),
    "maximum 'g' has no linear form": ("q: x <= 8", "g: y = MAX ( x , 1e300 )"),
    "piecewise-linear function 'g' has no": ("q: x <= 8", "g: y = PWL ( x ) : (0, 0) (1, 1e20)"),
    "piecewise-linear function 'g'": ("q: x <= 8", "g: y = PWL ( x ) : (0, 0) (1e-300, 1e300)"),
}


@pytest.mark.parametrize("words", LARGE)
def test_numbers_that_solvers_take_for_infinite_are_refused(words: str, tmp_path: Path) -> None:
    row, function = LARGE[words]
    text = (
        f"Minimize\n obj: y\nSubject To\n {row}\nBounds\n x <= 9e18\n y <= 5\n"
        f"Binaries\n b\nGeneral Constraints\n {function}\nEnd\n"
    )
    with pytest.raises(InputError, match=r"of 1e\+20 or more, which solvers take for inf") as error:
        model_in(tmp_path, text)
    assert error.value.message.startswith(words)
    small = re.sub("1e300|1e20|90", "9", text).replace("1e-300", "1")
    assert model_in(tmp_path, small).logic is not None


def test_a_bound_of_a_column_that_is_too_large_is_as_none(tmp_path: Path) -> None:
    """Where the bounds of columns give too large a number, the rows may give a smaller one."""
    text = (
        "Minimize\n obj: x\nSubject To\n q: x <= 8\n i: b = 1 -> 90 x <= 20\n"
        "Bounds\n x <= 9e18\nGenerals\n x\nBinaries\n b\nEnd\n"
    )
    for model in (found := model_in(tmp_path, text), without_derived(found)):
        (construct,) = model.logic.rows if model.logic else ()
        assert model.exact_row(construct) == ({0: 90, model.column_index["b"]: 700}, -math.inf, 720)


def test_descriptions_and_json(model: Model, tmp_path: Path) -> None:
    assert repr(model).endswith(
        "5 columns, 1 rows, 2 indicator constraints, 2 semi-continuous variables>"
    )
    assert json.loads(json.dumps(calmip.check(model, {"x": 9}).describe()))["valid"] is False


def test_rounded_values_of_a_set_are_completed(tmp_path: Path) -> None:
    """What is nearly 0 is 0, and the others keep the best exact values."""
    text = (
        "Maximize\n obj: x + y + z\nSubject To\n r: 3 x + z = 1\n"
        "Bounds\n x <= 2\n y <= 2\n z <= 2\nSOS\n s: S2 :: x:1 y:2 z:3\nEnd\n"
    )
    model = model_in(tmp_path, text)
    verdict = calmip.check(model, {"x": 1e-10, "y": 2, "z": 0.99999999997})
    assert verdict.status == "accepted"
    assert "completed exactly" in verdict.reasons[0]
    assert calmip.check(model, {"x": 0.01, "y": 2, "z": 0.97}).status == "refused"


@pytest.mark.parametrize("kind", KINDS)
def test_a_model_and_its_export_are_the_same(kind: str, tmp_path: Path) -> None:
    """Also with continuous columns, whose auxiliary ones have the same names."""
    seed = next(n for n in range(9) if random_model(n, kind, decimal=True).logic is not None)
    model = random_model(seed, kind, decimal=True)
    own = " ".join(model.own_columns)
    binary = " ".join(model.own_columns[-2:])
    text = lp_file(model).replace(f"Generals\n {own}", f"Generals\n {binary}")
    (tmp_path / "mixed.lp").write_text(text, encoding="utf-8")
    mixed = calmip.read_model(tmp_path / "mixed.lp")
    linear = tmp_path / "linear.lp"
    calmip.export(mixed, linear)
    for one, other in ((mixed, linear), (linear, mixed)):
        found = calmip.compare(one, other)
        assert (found.feasible_set, found.proved) == ("same", True)


@pytest.mark.parametrize(
    ("change", "expected"), [(("3.5 x_z0", "3 x_z0"), False), (("- 2 x_z0", "- 3 x_z0"), None)]
)
def test_a_model_and_a_narrower_linear_form_are_not_the_same(
    change: tuple[str, str], expected: bool | None, tmp_path: Path
) -> None:
    """A point that the other one has not is found, or it is not decided."""
    path, linear = tmp_path / "semi.lp", tmp_path / "linear.lp"
    path.write_text(
        "Maximize\n o: 2 x + y\nSubject To\n c: x + y <= 5\nBounds\n 2 <= x <= 3.5\n y <= 4\n"
        "Semi-continuous\n x\nEnd\n"
    )
    calmip.export(calmip.read_model(path), linear)
    assert calmip.compare(path, linear).feasible_set == "same"
    text = linear.read_text()
    linear.write_text(text.replace(*change))
    assert linear.read_text() != text
    found = calmip.compare(path, linear)
    assert found.forth.holds is expected
    assert found.back.holds is True
