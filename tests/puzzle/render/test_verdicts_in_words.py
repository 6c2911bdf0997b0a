"""Every verdict of a report in words: each result, planted, has its own sentence."""

from __future__ import annotations

import itertools
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import pytest

from calmip import Model
from calmip.mip.iis.constraint_sets import Member
from calmip.mip.iis.subsystem import ALL_BOUNDS, FARKAS, SEARCH, Subsystem
from calmip.mip.lp.exact_lp import exact_model
from calmip.mip.lp.linear import Certificate
from calmip.mip.optima.ranges import Range
from calmip.mip.status import Status
from calmip.puzzle.render.picture import Words
from calmip.puzzle.render.reports import conflicts, relaxations, unique
from calmip.puzzle.render.reports import enumerate as pools

BOOLEANS = (True, False)


def planted(**values: Any) -> Any:
    return SimpleNamespace(**values)


# explain


def member_rows(number: int) -> tuple[Member, ...]:
    return tuple(Member("row", row) for row in range(number))


@pytest.mark.parametrize("proof", ["", "bounds", SEARCH, FARKAS, ALL_BOUNDS])
@pytest.mark.parametrize(("number", "known"), [(1, 1), (2, 2), (2, 1), (1, 0)])
@pytest.mark.parametrize("rows_irreducible", BOOLEANS)
def test_what_is_irreducible_and_what_proves_it(
    proof: str, number: int, known: int, rows_irreducible: bool
) -> None:
    members = member_rows(number)
    certificate = Certificate({0: Fraction(1)}) if proof == FARKAS else None
    one = Subsystem(
        members,
        {member: {} for member in members[:known]},
        proof,
        certificate,
        rows_irreducible=rows_irreducible,
    )
    (*lines,) = conflicts._irreducible(one)
    if number == known:
        wanted = ["irreducible: remove any one of them and"] if number > 1 else []
    elif proof and rows_irreducible:
        wanted = ["the rows are irreducible if all bounds and integrality are given"]
    else:
        wanted = ["the search ended before the set was shown to be irreducible"]
    assert [line.startswith(words) for line, words in zip(lines, wanted, strict=True)] == [
        True
    ] * len(wanted)
    model = exact_model(["x"], [(0, 1)], [False], [("r", {0: 1}, 3, 4)])
    text = " ".join(conflicts._proof(model, one))
    assert ("the bounds contradict each other" in text) is (proof == "bounds")
    assert ("proved infeasible by an exact search" in text) is (proof == SEARCH)
    assert ("is HiGHS's claim, unverified" in text) is (proof == ALL_BOUNDS)
    assert ("no exact search has proved it" in text) is (not proof)
    assert ("Multiply the rows" in text) is (proof == FARKAS)
    certified = replace_logic(model)
    text = " ".join(conflicts._proof(certified, one))
    assert ("a Farkas certificate of the rows that linearise them" in text) is (proof == FARKAS)


def replace_logic(model: Model) -> Any:
    """Return what a report sees of a model with constructs."""
    return planted(rows=model.rows, logic=planted(constructs=()))


@pytest.mark.parametrize("proof", ["", SEARCH])
@pytest.mark.parametrize("kept", [(), (1,), (1, 2)])
@pytest.mark.parametrize("alone", BOOLEANS)
@pytest.mark.parametrize("number", [0, 1, 2])
@pytest.mark.parametrize("least", [0, 1, 2])
def test_the_head_of_a_conflict(
    proof: str, kept: tuple[int, ...], alone: bool, number: int, least: int
) -> None:
    terms = {0: 1, 1: 1}
    rows = [(f"r{n}", terms, n, 9) for n in range(4)]
    model = exact_model(["x", "y"], [(0, 5), (-1, 5)], [True, False], rows)
    columns = (Member("lower", 0), Member("upper", 0), Member("upper", 1), Member("integer", 0))
    for some in (columns, columns[2:3], columns[:1]):
        members = (*member_rows(number), *some)
        one = Subsystem(members, {member: {} for member in members}, proof, least=least)
        found = planted(
            model=model,
            rows_of=lambda one: one.rows,
            named=tuple,
            groups_of=lambda _: {},
            kept=kept,
            kept_alone=alone,
            groups={},
            name_of=lambda one, member: f"{member.number}",
        )
        head, *lines = map(str, conflicts._subsystem(found, one, "t"))
        assert ("infeasible as HiGHS says" in head) is (not proof)
        assert ("the rows to keep conflict without any other" in head) is alone
        assert ("beside the row to keep" in head) is (not alone and len(kept) == 1)
        assert ("beside the 2 rows to keep" in head) is (not alone and len(kept) == 2)
        assert ("cannot hold together" in head) is (len(members) > 1)
        assert ("one row" in head) is (number == 1)
        assert (f"{number} of 4 rows" in head) is (number == 2)
        assert ("bounds of columns" in head) is (number == 0)
        assert ("4 bounds and integralities" in head) is (len(some) == 4 and number > 0)
        (bounds,) = (line for line in lines if line.startswith("  bounds: "))
        assert (
            bounds
            == {
                4: "  bounds: 0 <= x <= 5, y <= 5",
                1: "  bounds: y <= 5" if some == columns[2:3] else "  bounds: x >= 0",
            }[len(some)]
        )
        assert ("  integer: x" in lines) is (len(some) == 4)
        whose = " of the rows to keep" if alone else ""
        proved = [line for line in lines if line.endswith("(proved)")]
        if not least:
            assert proved == []
        elif proof and least == number:
            assert proved == [f"no conflict{whose} has fewer rows (proved)"]
        else:
            assert proved == [f"every conflict{whose} has at least {least} rows (proved)"]


def test_a_table_of_witnesses_stands_below_what_is_irreducible() -> None:
    model = exact_model(["x"], [(0, 5)], [False], [(f"r{n}", {0: 1}, n, 9) for n in range(30)])
    found = planted(model=model, kept=(), name_of=lambda _, member: f"r{member.number}")
    for number in (1, 2, conflicts.MAX_LISTED_ROWS, conflicts.MAX_LISTED_ROWS + 1):
        members = member_rows(number)
        for known in (number, number - 1):
            one = Subsystem(members, {member: {0: 1} for member in members[:known]}, SEARCH)
            blocks = list(conflicts._witnesses(found, one))
            there = known == number and 1 < number <= conflicts.MAX_LISTED_ROWS
            assert len(blocks) == (2 if there else 0)


@pytest.mark.parametrize("ray", [None, {0: 1}])
@pytest.mark.parametrize("point", [None, {0: 1}])
def test_without_a_conflict_there_is_a_solution_or_it_is_not_known(ray: Any, point: Any) -> None:
    model = exact_model(["x"], [(0, 5)], [False], [])
    text = "\n".join(
        map(str, conflicts._without_conflict(planted(model=model, point=point, ray=ray), "t"))
    )
    assert ("the time limit was reached before" in text) is (point is None)
    assert ("t: feasible" in text) is (point is not None)
    assert ("the objective is unbounded" in text) is (point is not None and ray is not None)


# relax and tree


@pytest.mark.parametrize("bound", [None, 2.0, 0.0])
@pytest.mark.parametrize("priced", BOOLEANS)
@pytest.mark.parametrize("fractional", [0, 3])
def test_a_node_is_infeasible_if_its_relaxation_is(
    bound: float | None, priced: bool, fractional: int
) -> None:
    for maximises, status in itertools.product(BOOLEANS, ("branched", "bound", "open")):
        node: Any = planted(number=7, status=status, bound=bound, fractional=fractional)
        found = planted(bound=lambda _: bound, has_objective=priced, maximises=maximises)
        words = [
            m.text for m in relaxations._box(found, node, (0, 0), None) if isinstance(m, Words)
        ]
        integral = f"{fractional} frac." if fractional else "integral"
        state = "infeasible" if bound is None else f"{bound:g}" if priced else integral
        assert words[0] == "7"
        assert words[1] == state or state.startswith(words[1].rstrip("."))
        line = relaxations._state(found, node)
        if bound is None:
            assert line == "infeasible"
            continue
        side = f"{'at most' if maximises else 'at least'} {bound:g}, " if priced else ""
        whole = "3 columns fractional" if fractional else "integral"
        end = {"branched": "", "bound": "; pruned by bound", "open": "; open"}[status]
        assert line == side + whole + end


@pytest.mark.parametrize("status", [Status.INFEASIBLE, Status.UNKNOWN])
@pytest.mark.parametrize("stopped", BOOLEANS)
@pytest.mark.parametrize("cuts", BOOLEANS)
def test_an_infeasible_relaxation_is_verified_or_not(
    status: Status, stopped: bool, cuts: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(relaxations, "_proof", lambda *_: ["a proof"])
    found = planted(status=status, stopped=stopped, cuts=cuts, what="tiling", problem=None)
    (line,) = relaxations._infeasible(found)
    unverified = status is not Status.INFEASIBLE
    assert line.startswith("unverified: HiGHS finds it infeasible") is unverified
    assert ("which the time limit has ended" in line) is (unverified and stopped)
    assert ("infeasible with valid cuts, so there is no tiling" in line) is (
        not unverified and cuts
    )
    assert (line == "a proof") is (not unverified and not cuts)


def test_each_round_of_cuts_has_its_line() -> None:
    for priced, maximises in itertools.product(BOOLEANS, BOOLEANS):
        rounds = [
            planted(bound=2.0, fractional=3, cuts={"clique": 2, "odd-hole": 0}),
            planted(bound=3.0, fractional=0, cuts={}),
            planted(bound=None, fractional=0, cuts={}),
        ]
        found = planted(rounds=rounds, has_objective=priced, maximises=maximises)
        side = "at most" if maximises else "at least"
        first, second = (f"{side} {n}" if priced else "feasible" for n in (2, 3))
        assert list(relaxations._rounds(found)) == [
            f"{first}, 3 columns fractional; adds 2 clique cuts that it violates",
            f"after 1 round of cuts: {second}, integral",
            "after 2 rounds of cuts: infeasible",
        ]


def test_a_tree_that_is_not_complete_has_a_limit() -> None:
    nodes = [planted(status="branched"), planted(status="bound"), planted(status="bound")]
    for complete, stopped in itertools.product(BOOLEANS, BOOLEANS):
        one = planted(
            order="depth-first",
            branching="first",
            complete=complete,
            nodes=nodes,
            count=lambda status: sum(node.status == status for node in nodes),
        )
        lines = relaxations._searches(planted(searches=[one], stopped=stopped))
        assert lines[0].endswith("(limit reached)") is (not complete)
        assert "3 nodes: 1 branched, 2 pruned by bound" in lines[0]
        assert (len(lines) == 2) is stopped


# unique


@pytest.mark.parametrize("known", [True, False, None])
@pytest.mark.parametrize("optimal", BOOLEANS)
@pytest.mark.parametrize("proved", BOOLEANS)
@pytest.mark.parametrize("number", [0, 1, 2])
@pytest.mark.parametrize("optimum", [None, 4])
@pytest.mark.parametrize("same", BOOLEANS)
def test_whether_a_solution_is_unique_in_words(
    known: bool | None, optimal: bool, proved: bool, number: int, optimum: Any, same: bool
) -> None:
    for integer in ((0, 0), (0, 1)):
        found = planted(
            unique=known,
            optimal=optimal,
            proved=proved,
            solutions=[{}] * number,
            optimum=optimum,
            same_integers=same,
            what="solution",
            stopped="time",
            model=planted(values=lambda _, integer=integer: integer),
        )
        what = "optimum" if optimal else "solution"
        objective = " of objective 4" if optimal and optimum else ""
        if known is None:
            if optimal and not proved:
                rest = "the optimum is not proved, so it is not known whether it is unique"
            elif not number and optimal:
                rest = f"the optimum{objective} is proved, but it is not known whether it is unique"
            elif not number:
                rest = "no solution was found, so it is not known whether it is unique"
            else:
                rest = f"it is not known whether this {what} is the only one"
            wanted = f"time limit reached: {rest}"
        elif not number:
            wanted = "there is no solution, proved"
        elif known:
            wanted = f"unique: this is the only {what}{objective}, proved"
        else:
            plural = "optima" if optimal else "solutions"
            wanted = f"not unique: here are two {plural}{objective}"
            if same:
                alike = " with the same integer values" if any(integer) else ""
                wanted = f"not unique: two of infinitely many {plural}{objective}{alike}"
        assert unique.sentence(found) == wanted


def test_the_end_of_a_range_that_is_not_proved_is_named() -> None:
    assert unique._open(Range(0, 1, False, False)) == "both ends not decided"
    assert unique._open(Range(0, 1, True, False)) == "greatest not decided"
    assert unique._open(Range(0, 1, False, True)) == "least not decided"


# enumerate


@pytest.mark.parametrize("complete", BOOLEANS)
@pytest.mark.parametrize("count", [0, 1, 2])
@pytest.mark.parametrize("goal", ["", "best", "gap"])
@pytest.mark.parametrize("optimum", [None, 0, 4])
def test_a_pool_is_complete_if_that_is_proved(
    complete: bool, count: int, goal: str, optimum: Any
) -> None:
    for proved, cutoff, tied in itertools.product((True, False, None), (None, 4, 5), BOOLEANS):
        pool = planted(
            complete=complete,
            count=count,
            goal=goal,
            optimum=optimum,
            proved=proved,
            cutoff=cutoff,
            tied=tied,
            unique=True,
            what="solution",
            unlisted=0,
            symmetries=None,
            columns=3,
            rows=2,
            reduced=None,
            seconds=1.0,
            stopped="time",
            method="one-tree",
            problem=planted(pooled=True),
        )
        line = pools.verdict(pool)
        assert ("proved complete" in line) is (complete and count > 0)
        assert ("proved that there is none" in line) is (complete and not count)
        more = "more or better ones" if goal else "more"
        end = f"incomplete: time limit reached, there may be {more} ("
        assert (end in line) is (not complete)
        assert line.startswith(f"{count} solution{'' if count == 1 else 's'}")
        told = bool(goal) and optimum is not None
        best = f"best objective found {optimum}"
        assert (best in line) is (told and proved is False)
        if not told or proved is False:
            assert "optimum " not in line
            continue
        if cutoff is None or not complete:
            wanted = f"(optimum {optimum}, proved)"
        elif goal == "best":
            others = "others equal" if tied else "no other equals"
            wanted = f"(objectives {optimum} to {cutoff}; {others} the last)"
        elif not optimum:
            wanted = "(optimum 0, proved; a relative gap of 0 is 0: use --within)"
        else:
            last = f"; objectives {optimum} to {cutoff}" if cutoff != optimum else ""
            wanted = f"(optimum {optimum}, proved{last})"
        assert wanted in line


@pytest.mark.parametrize("complete", BOOLEANS)
@pytest.mark.parametrize("single", BOOLEANS)
def test_choices_of_integers_are_called_so(complete: bool, single: bool) -> None:
    model = exact_model(["x"], [(0, 5)], [False], [])
    for sure, second, tally in itertools.product(
        (True, False, None), (None, (2, {0: 3})), BOOLEANS
    ):
        pool = planted(
            count=1 if single else 3,
            unique=sure,
            complete=complete,
            what="solution",
            second=second,
            tally=tally,
            model=model,
        )
        what, rest = pools.choices(pool)
        plural = "" if single else "s"
        if sure or not complete:
            assert (what, rest) == (f"solution{plural}", "")
            continue
        assert what == f"choice{plural} of the integers"
        if second is None:
            assert "it is not known whether" in rest
            continue
        whose = "its" if single else f"of {'at least one of them' if tally else 'choice 2'} the"
        assert rest.startswith(f"; {whose} continuous variables are not unique")


@pytest.mark.parametrize("count", [0, 2])
@pytest.mark.parametrize("complete", BOOLEANS)
@pytest.mark.parametrize("stopped", ["", "time"])
@pytest.mark.parametrize("method", ["", "exact"])
def test_a_choice_of_different_solutions_in_words(
    count: int, complete: bool, stopped: str, method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("calmip.mip.optima.distance.describe_choice", lambda *_: "chosen")
    pool: Any = type("Pool", (), {"__len__": lambda _: count})()
    pool.__dict__.update(
        problem=planted(pooled=True), what="solution", count=count, complete=complete,
        stopped=stopped, optimum=None, method="one-tree", seconds=1.0,
    )  # fmt: skip
    line = pools._choice(pool, planted(wanted=3, method=method))  # type: ignore[arg-type]
    text = "there is no solution, proved" if complete and not count else "chosen"
    if stopped:
        text = f"time limit reached: {text if method else f'{count} of 3 chosen'}"
    assert line == f"{text} (one-tree, 1.00 s)"


def test_what_all_solutions_use_is_so_far_if_the_pool_is_not_complete() -> None:
    for complete in BOOLEANS:
        far = "" if complete else " so far"
        used = {"a": 4, "b": 0, "c": 1, "d": 3}
        text = pools.usage_text(planted(used=used, count=4, complete=complete))  # type: ignore[arg-type]
        assert f"always used{far}: a\n" in text
        assert f"never used{far}: b\n" in text
        assert text.index("d  ") < text.index("c  ")
        assert "25.0%" in text
    assert pools.usage_text(planted(used=None, count=4, complete=True)) == ""  # type: ignore[arg-type]
    assert pools.usage_text(planted(used={"a": 0}, count=0, complete=True)) == ""  # type: ignore[arg-type]
