"""Conflicts are conflicts, and none of their rows is superfluous; certificates hold exactly."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, count

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from strategies import instances, solvable_instances

from calmip import ExactCover, InputError, Instance, Placement, explain
from calmip._base.errors import SolverFailed
from calmip._base.highs import HighsModel, new_highs
from calmip._base.limits import ENDLESS, Deadline
from calmip.mip.lp import linear
from calmip.mip.lp.linear import Certificate, find_certificate
from calmip.puzzle.documents.reader import read_instance
from calmip.puzzle.placements import with_placed
from calmip.puzzle.search.cover_conflict import Conflict, _Filter, _Part, find_conflict, is_feasible
from calmip.puzzle.search.exact_cover.witnesses import exists


@st.composite
def positions(draw: st.DrawFn) -> Instance:
    """Draw a tiny instance on whose board up to two pieces lie anywhere: many are dead."""
    instance = draw(st.one_of(instances(), solvable_instances(largest=4)))
    cover = ExactCover(instance)
    for _ in range(draw(st.integers(0, 2))):
        if cover.columns:
            option = cover.option(draw(st.integers(0, cover.columns - 1)))
            assert isinstance(option, Placement)
            if option.piece not in {one.piece for one in instance.placed}:
                instance = replace(instance, placed=(*instance.placed, option))
                cover = ExactCover(instance)
    return instance


def met(cover: ExactCover, rows: tuple[int, ...]) -> bool:
    """Return whether some columns meet just these rows: all sums that can be reached."""
    reached = {tuple(0 for _ in rows)}
    for option in range(cover.columns):
        covered = cover.items_of(option)
        column = [int(row in covered) for row in rows]
        if any(column):
            sums = {tuple(map(sum, zip(total, column, strict=True))) for total in reached}
            reached |= {
                total
                for total in sums
                if all(a <= cover.demand[row] for a, row in zip(total, rows, strict=True))
            }
    return tuple(int(cover.demand[row]) for row in rows) in reached


def is_right(cover: ExactCover, conflict: Conflict) -> None:
    assert conflict.irreducible
    assert conflict.rows == tuple(sorted(set(conflict.rows)))
    assert not met(cover, conflict.rows)
    for row in conflict.rows:
        assert met(cover, tuple(other for other in conflict.rows if other != row))
    if conflict.certificate is not None:
        assert conflict.certificate.fault(cover) is None


@pytest.mark.long
@settings(max_examples=60, deadline=None)
@given(positions())
def test_random_instances(instance: Instance) -> None:
    cover = ExactCover(instance)
    conflict = find_conflict(cover)
    assert (conflict is None) == exists(cover)[0] == met(cover, tuple(range(cover.rows)))
    if conflict is not None:
        is_right(cover, conflict)


@pytest.mark.parametrize("seed", range(8))
def test_dead_positions_on_a_real_board(seed: int) -> None:
    rng = random.Random(seed)
    instance = read_instance("a-puzzle-a-day", reveal="Feb,29")
    for _ in range(2 + seed % 2):
        cover = ExactCover(instance)
        options = [cover.option(number) for number in range(cover.columns)]
        names = {one.piece for one in instance.placed}
        option = rng.choice([o for o in options if o.piece not in names])
        if not cover.obstacle():
            instance = replace(instance, placed=(*instance.placed, option))
    cover = ExactCover(instance)
    conflict = find_conflict(cover, tries=2)
    assert (conflict is None) == exists(cover)[0]
    if conflict is None:
        return
    if len(conflict.rows) <= 12:
        is_right(cover, conflict)
    assert conflict.irreducible
    assert is_feasible(cover, conflict.rows) is False
    assert all(
        is_feasible(cover, [other for other in conflict.rows if other != row])
        for row in conflict.rows
    )


@pytest.mark.long
@settings(max_examples=60, deadline=None)
@given(instance=positions(), data=st.data())
def test_some_rows_of_an_instance(instance: Instance, data: st.DataObject) -> None:
    cover = ExactCover(instance)
    rows = data.draw(st.sets(st.integers(0, cover.rows - 1), max_size=9))
    assert is_feasible(cover, sorted(rows)) == met(cover, tuple(sorted(rows)))


def test_the_shortest_beginning_that_conflicts_is_found() -> None:
    cover = ExactCover(read_instance("instances/chessboard.yaml"))
    rng = random.Random(5)
    for _ in range(3):
        order = rng.sample(range(cover.rows), cover.rows)
        filtering = _Filter(cover, Deadline())
        shortest = filtering._shortest(order)
        assert is_feasible(cover, order[:shortest]) is False
        assert is_feasible(cover, order[: shortest - 1]) is True
        assert set(filtering.smallest) == set(order[:shortest])


@pytest.mark.long
@settings(max_examples=60, deadline=None)
@given(instance=positions(), data=st.data())
def test_both_searches_say_so(instance: Instance, data: st.DataObject) -> None:
    cover = ExactCover(instance)
    rows = data.draw(st.sets(st.integers(0, cover.rows - 1), min_size=1, max_size=9))
    part = _Part(cover, sorted(rows))
    assert part.glance() == part.by_tree(ENDLESS) == met(cover, tuple(sorted(rows)))


@pytest.mark.long
@pytest.mark.parametrize("name", ["no-flip-dec29", "chessboard", "dead-corner"])
def test_without_a_glance_the_conflict_is_the_same(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    cover = ExactCover(read_instance(f"instances/{name}.yaml"))
    found = find_conflict(cover, tries=1)
    monkeypatch.setattr("calmip.puzzle.search.cover_conflict.MAX_SEARCH_OPTIONS", 0)
    assert _Part(cover, range(cover.rows)).glance() is None
    assert find_conflict(cover, tries=1) == found


def test_a_wrong_solution_of_the_search_proves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    class Wrong:
        finished = True

        def step(self, *_: int) -> list[list[int]]:
            return [[0]]

    cover = ExactCover(read_instance("tiny"))
    assert _Part(cover, range(cover.rows)).glance()
    monkeypatch.setattr("calmip.puzzle.search.cover_conflict.walk", lambda _: Wrong())
    assert _Part(cover, range(cover.rows)).glance() is None


def test_searches_that_disagree_are_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    cover = ExactCover(read_instance("instances/chessboard.yaml"))
    monkeypatch.setattr(_Part, "by_tree", lambda *_: True)
    with pytest.raises(SolverFailed, match="one-tree meets 7 equations"):
        find_conflict(cover)


@pytest.mark.long
@settings(max_examples=60, deadline=None)
@given(positions())
@example(read_instance("instances/chessboard.yaml"))
def test_certificates_hold_in_whole_numbers(instance: Instance) -> None:
    cover = ExactCover(instance)
    certificate = find_certificate(cover)
    if certificate is None:
        # Nothing plain is missed: an item without enough options is refuted by itself.
        assert cover.obstacle() is None
        return
    assert not exists(cover)[0]
    # Plain integer arithmetic, apart from the class's own.
    y = [int(certificate.multipliers.get(row, 0)) for row in range(cover.rows)]
    assert all(number == certificate.multipliers.get(n, 0) for n, number in enumerate(y))
    assert math.gcd(*y) == 1
    dense = cover.matrix.astype(object)
    assert all(total <= 0 for total in (np.array(y, dtype=object) @ dense).tolist())
    assert sum(a * int(b) for a, b in zip(y, cover.demand, strict=True)) > 0


def pair(labels: str) -> ExactCover:
    return ExactCover(read_instance("a-puzzle-a-day", reveal=labels))


@pytest.mark.parametrize(
    ("labels", "names"),
    [
        ("Jul,Feb", {"c_00"}),
        ("May,Dec", {"c_05"}),
        ("6,14", {"c_26"}),
        ("21,27", {"c_56"}),
        ("22,30", {"c_60"}),
        ("24,30", {"c_62"}),
        # 29 and 31 are corners that both need 23, and 30 as well.
        ("22,24", {"c_60", "c_62"}),
    ],
)
def test_the_seven_impossible_pairs(labels: str, names: set[str]) -> None:
    cover = pair(labels)
    conflict = find_conflict(cover)
    assert conflict is not None
    found = {cover.items[row].name for row in conflict.rows}
    # Which of several sets it is depends on the ray that HiGHS returns.
    assert found - names in ([set()] if len(names) == 1 else [{"c_51"}, {"c_61"}])
    assert found >= names
    is_right(cover, conflict)
    assert conflict.certificate is not None
    assert conflict.certificate.rows == conflict.rows


@pytest.mark.usefixtures("highs_way")
def test_the_chessboard_is_a_matter_of_counting() -> None:
    cover = ExactCover(read_instance("instances/chessboard.yaml"))
    conflict = find_conflict(cover, tries=1)
    assert conflict is not None
    # One colour has six squares, and seven dominoes each cover one of them.
    cells = [cover.instance.to_cover[row] for row in conflict.rows if row < 14]
    assert len(cells) == 6
    assert len({(r + c) % 2 for r, c in cells}) == 1
    assert [cover.items[row].kind for row in conflict.rows[6:]] == ["piece"]
    assert conflict.certificate is not None
    numbers = conflict.certificate.multipliers
    assert {abs(y) for y in numbers.values()} == {1}
    assert conflict.certificate.value(cover) == 1


@pytest.mark.long
def test_a_conflict_that_linear_programming_does_not_see() -> None:
    cover = ExactCover(read_instance("instances/no-flip-dec29.yaml"))
    conflict = find_conflict(cover, tries=1)
    assert conflict is not None
    assert conflict.irreducible
    assert conflict.certificate is None
    assert len(conflict.rows) < cover.rows
    assert is_feasible(cover, conflict.rows) is False
    for row in conflict.rows:
        assert is_feasible(cover, [other for other in conflict.rows if other != row])


@pytest.mark.long
def test_a_dead_position_names_what_is_left_over() -> None:
    instance = read_instance("a-puzzle-a-day", reveal="Feb,29")
    cover = ExactCover(with_placed(instance, "L:Jan+Jul+1+8 Z:Mar+Apr+Oct+4"))
    conflict = find_conflict(cover)
    assert conflict is not None
    is_right(cover, conflict)
    # Both sides of the Z need the P.
    assert "p_P" in {cover.items[row].name for row in conflict.rows}
    assert conflict.certificate is not None


def tampered(certificate: Certificate, row: int, change: Fraction) -> Certificate:
    changed = dict(certificate.multipliers)
    changed[row] = changed.get(row, Fraction(0)) + change
    return replace(certificate, multipliers=changed)


def test_the_rows_of_a_certificate_are_those_that_count_ascending() -> None:
    multipliers = {5: Fraction(1), 2: Fraction(-1), 3: Fraction(0)}
    assert Certificate(multipliers).rows == (2, 5)


def test_multipliers_are_whole_without_a_common_factor() -> None:
    thirds = [Fraction(2, 3), Fraction(-4, 3), Fraction(0)]
    assert linear._whole(thirds) == [1, -2, 0]
    assert linear._whole([Fraction(0)] * 2) == [0, 0]


def test_a_tampered_certificate_is_refused() -> None:
    cover = pair("22,24")
    certificate = find_certificate(cover)
    assert certificate is not None
    assert certificate.fault(cover) is None
    more, less = (
        next(row for row, y in certificate.multipliers.items() if (y > 0) == sign)
        for sign in (True, False)
    )
    fault = tampered(certificate, more, Fraction(1, 10**12)).fault(cover)
    assert fault is not None
    assert "gets 1/1000000000000, which is above 0" in fault
    fault = tampered(certificate, less, Fraction(-1)).fault(cover)
    assert fault == "the right-hand sides add up to 0, not to more than 0"
    fault = tampered(certificate, 999, Fraction(1)).fault(cover)
    assert fault == f"there is no equation 999; they are numbered from 0 to {cover.rows - 1}"
    assert Certificate({}).fault(cover) is not None
    # What proves one instance proves nothing about another.
    assert certificate.fault(pair("22,12")) is not None
    flipped = Certificate({row: -y for row, y in certificate.multipliers.items()})
    assert flipped.fault(cover) is not None


@pytest.mark.parametrize("noise", [1e-9, 1e-7, 1e-4])
def test_a_rough_ray_is_mended_exactly(noise: float, monkeypatch: pytest.MonkeyPatch) -> None:
    kind = type(new_highs("a test"))
    plain = kind.dual_ray
    rng = np.random.default_rng(5)

    def rough(highs: HighsModel) -> Sequence[float] | None:
        ray = plain(highs)
        return None if ray is None else [-3.7 * (y + noise * rng.normal()) for y in ray]

    monkeypatch.setattr(kind, "dual_ray", rough)
    cover = pair("22,24")
    found = find_certificate(cover)
    assert found is not None
    assert found.fault(cover) is None


def test_a_ray_that_proves_nothing_is_no_certificate(monkeypatch: pytest.MonkeyPatch) -> None:
    cover = pair("Feb,29")
    kind = type(new_highs("a test"))
    monkeypatch.setattr(kind, "status", "Infeasible")
    for ray in ([0.0] * cover.rows, [1.0] * cover.rows, [float("nan")] * cover.rows):
        monkeypatch.setattr(kind, "dual_ray", lambda _, ray=ray: ray)
        assert find_certificate(cover) is None


@pytest.mark.usefixtures("highs_way")
def test_smaller_systems_have_smaller_certificates() -> None:
    cover = pair("22,24")
    everything = find_conflict(cover)
    assert everything is not None
    found = find_certificate(cover, everything.rows)
    assert found is not None
    assert set(found.rows) <= set(everything.rows)
    for some in combinations(everything.rows, 2):
        assert find_certificate(cover, some) is None
    for wrong in ([0, 0], [-1], [cover.rows]):
        with pytest.raises(InputError, match="distinct numbers"):
            find_certificate(cover, wrong)


def test_at_least_one_order_is_tried() -> None:
    cover = ExactCover(read_instance("instances/tiny.yaml"))
    for tries in (0, -1):
        with pytest.raises(InputError, match=f"the number of tries is from 1 on, not {tries}"):
            find_conflict(cover, tries=tries)
    assert find_conflict(cover, tries=1) is None


@pytest.mark.long
def test_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    cover = ExactCover(read_instance("instances/no-flip-dec29.yaml"))
    looks = count()
    # A hundredth of a second passes at each look at the clock: no machine is too busy.
    monkeypatch.setattr("calmip._base.limits.perf_counter", lambda: next(looks) / 100)
    conflict = find_conflict(cover, clock=Deadline(0.3))
    assert next(looks) < 100
    monkeypatch.undo()
    assert conflict is not None
    assert is_feasible(cover, conflict.rows) is False
    with pytest.raises(InputError, match="above 0"):
        explain(cover.instance, time_limit=-1)


@pytest.mark.long
def test_a_set_is_looked_for_only_while_it_can_have_fewer_items() -> None:
    cover = pair("22,24")
    for order in ([*range(cover.rows)], [*reversed(range(cover.rows))]):
        found = _Filter(cover, Deadline()).reduce(order, cover.rows + 1)
        assert found is not None
        assert _Filter(cover, Deadline()).reduce(order, len(found) + 1) == found
        assert _Filter(cover, Deadline()).reduce(order, len(found)) is None


def test_without_an_irreducible_set_it_is_the_smallest_so_far(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    cover = ExactCover(read_instance("instances/no-flip-dec29.yaml"))
    looks = count()
    monkeypatch.setattr(
        "calmip.puzzle.search.cover_conflict.is_feasible",
        lambda *asked, **limits: is_feasible(*asked, **limits) if next(looks) < 10 else None,
    )
    conflict = find_conflict(cover)
    assert conflict is not None
    assert not conflict.irreducible
    assert list(conflict.rows) == sorted(conflict.rows)
    assert len(conflict.rows) < cover.rows
    assert is_feasible(cover, conflict.rows) is False


@pytest.mark.usefixtures("highs_way")
def test_the_linear_program_of_a_certificate_ends_with_its_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    cover = ExactCover(read_instance("instances/chessboard.yaml"))
    given: list[float | None] = []
    run = HighsModel.run

    def hurried(self: HighsModel, seconds: float | None = None) -> None:
        given.append(seconds)
        run(self, seconds and 0.0)

    monkeypatch.setattr(HighsModel, "run", hurried)
    assert find_certificate(cover, clock=Deadline(5.0)) is None
    assert find_certificate(cover) is not None
    assert given == [pytest.approx(5, abs=1), None]


@pytest.mark.usefixtures("highs_way")
def test_ctrl_c_is_heard_after_the_linear_program(monkeypatch: pytest.MonkeyPatch) -> None:
    def check_interrupt() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("calmip._base.highs.check_interrupt", check_interrupt)
    with pytest.raises(KeyboardInterrupt):
        find_certificate(ExactCover(read_instance("instances/chessboard.yaml")))
