from __future__ import annotations

import _thread
import itertools
import subprocess
import sys
import threading
from collections.abc import Iterable, Iterator
from time import process_time
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calmip._base.errors import InputError, SolverFailed
from calmip._base.limits import Deadline
from calmip.mip import kernel
from calmip.mip.model import Model
from calmip.mip.one_tree import OneTree
from calmip.mip.pool import NodeRelaxation, tree_search
from calmip.mip.pool.integer_model import MAX_ROW_SUM, program_of, rounded
from calmip.mip.pool.relaxation import NodeClaim
from calmip.mip.rows import Row as WholeRow
from calmip.puzzle.board import Board, Piece
from calmip.puzzle.cover import ExactCover
from calmip.puzzle.documents.reader import read_instance
from calmip.puzzle.instance import Instance
from calmip.puzzle.puzzle import Puzzle
from calmip.puzzle.tiling import Tiling

INF = float("inf")
MAX_COLUMNS = 8

Row = tuple[dict[int, float], float, float]


def model_of(columns: int, rows: Iterable[Row]) -> Model:
    """Return the model of rows given as ({column: coefficient}, lower, upper)."""
    rows = list(rows)
    counts = [len(entries) for entries, _, _ in rows]
    return Model(
        columns=tuple(f"x{j}" for j in range(columns)),
        rows=tuple(f"r{i}" for i in range(len(rows))),
        start=np.cumsum([0, *counts], dtype=np.int32),
        index=np.array([j for entries, _, _ in rows for j in entries], dtype=np.int32),
        value=np.array([a for entries, _, _ in rows for a in entries.values()], dtype=np.float64),
        lower=np.array([lower for _, lower, _ in rows], dtype=np.float64),
        upper=np.array([upper for _, _, upper in rows], dtype=np.float64),
        cost=np.ones(columns),
    )


def points(columns: int) -> Iterator[tuple[int, ...]]:
    for size in range(columns + 1):
        yield from itertools.combinations(range(columns), size)


def brute_force(model: Model) -> set[tuple[int, ...]]:
    return {p for p in points(len(model.columns)) if model.violated(p) is None}


def found_by(tree: OneTree) -> set[tuple[int, ...]]:
    found = [tuple(chosen) for chosen in tree]
    assert len(set(found)) == len(found) == tree.statistics.solutions
    return set(found)


def plain_search(cover: ExactCover) -> set[tuple[int, ...]]:
    """Return all solutions by a recursion on sets, for demands of one."""
    assert set(cover.demand) == {1}
    covered = [sum(1 << item for item in cover.items_of(j)) for j in range(cover.columns)]
    found = set()

    def extend(left: int, options: list[int], chosen: tuple[int, ...]) -> None:
        if not left:
            found.add(tuple(sorted(chosen)))
            return
        by_item = {
            item: [j for j in options if covered[j] >> item & 1]
            for item in range(cover.rows)
            if left >> item & 1
        }
        for option in min(by_item.values(), key=len):
            rest = [j for j in options if not covered[j] & covered[option]]
            extend(left & ~covered[option], rest, (*chosen, option))

    extend((1 << cover.rows) - 1, list(range(cover.columns)), ())
    return found


class Eager(NodeRelaxation):
    """HiGHS, asked at every node because its answers seem to cost nothing."""

    def solve(self, *node: Any) -> NodeClaim:
        return super().solve(*node)._replace(work=0)


def liar(proofs: Iterable[npt.NDArray[np.float64] | None]) -> type[NodeRelaxation]:
    """Return a relaxation that calls every node infeasible and shows arbitrary multipliers."""
    cycle = itertools.cycle(list(proofs))

    class Liar(NodeRelaxation):
        def solve(self, *_: Any) -> NodeClaim:
            return NodeClaim("infeasible", None, next(cycle))

    return Liar


def random_proofs(rows: int, seed: int = 1) -> list[npt.NDArray[np.float64]]:
    random = np.random.default_rng(seed)
    return [random.normal(size=rows) for _ in range(20)]


bounds = st.one_of(st.integers(-4, 8).map(float), st.sampled_from([-INF, INF, 0.5, 2.5, -0.3]))
coefficients = st.one_of(
    st.sampled_from([1.0, 1.0, 1.0, -1.0]),
    st.integers(-5, 5).map(float),
    st.sampled_from([0.1, 0.2, 0.3, -0.7, 2.5, 1e-3]),
)


@st.composite
def models(draw: st.DrawFn) -> Model:
    columns = draw(st.integers(0, MAX_COLUMNS))
    places = st.integers(0, max(0, columns - 1))
    entries = st.dictionaries(places, coefficients, max_size=columns)
    rows = []
    for entry in draw(st.lists(entries, max_size=6)):
        lower, upper = draw(bounds), draw(bounds)
        kind = draw(st.sampled_from(["both", "equal", "at least", "at most"]))
        if kind == "equal":
            upper = lower
        elif kind == "at least":
            upper = INF
        elif kind == "at most":
            lower = -INF
        rows.append((entry, lower, upper))
    return model_of(columns, rows)


@st.composite
def covers(draw: st.DrawFn) -> Model:
    """Return set-partitioning models, feasible or not, some with a no-good cut."""
    columns, count = draw(st.integers(1, 10)), draw(st.integers(1, 5))
    sets = draw(
        st.lists(st.sets(st.integers(0, count - 1), min_size=1), min_size=columns, max_size=columns)
    )
    rows: list[Row] = [
        ({j: 1.0 for j in range(columns) if item in sets[j]}, 1.0, 1.0) for item in range(count)
    ]
    if draw(st.booleans()):
        forbidden = draw(st.sets(st.integers(0, columns - 1), min_size=1))
        rows.append((dict.fromkeys(forbidden, 1.0), -INF, len(forbidden) - 1.0))
    return model_of(columns, rows)


@pytest.mark.long
@settings(deadline=None)
@given(models())
def test_finds_exactly_the_solutions_of_any_model(model: Model) -> None:
    tree = OneTree(model)
    assert found_by(tree) == brute_force(model)
    assert tree.complete


@pytest.mark.long
@settings(deadline=None)
@given(st.one_of(models(), covers()))
def test_finds_the_same_with_a_relaxation_at_every_node(model: Model) -> None:
    plain, eager = OneTree(model), OneTree(model, relaxation=Eager)
    assert list(plain) == list(eager)
    assert set(map(tuple, eager)) == brute_force(model)
    assert eager.statistics.nodes <= plain.statistics.nodes


@pytest.mark.long
@settings(deadline=None)
@given(st.one_of(models(), covers()), st.integers(0, 1000))
def test_a_lying_relaxation_loses_nothing(model: Model, seed: int) -> None:
    tree = OneTree(model, relaxation=liar(random_proofs(len(model.rows), seed)))
    assert found_by(tree) == brute_force(model)
    assert tree.complete


@pytest.mark.parametrize("what", ["none", "zeros", "nan", "inf", "all rows", "wrong ray"])
def test_a_claim_without_proof_is_counted_and_not_believed(what: str) -> None:
    model = model_of(6, [({0: 1, 1: 1, 2: 1}, 1, 1), ({2: 1, 3: 1, 4: 1, 5: 1}, 1, 1)])
    proof = {
        "none": None,
        "zeros": np.zeros(2),
        "nan": np.array([1.0, np.nan]),
        "inf": np.array([1.0, np.inf]),
        "all rows": np.ones(2),
        "wrong ray": np.array([1.0, -1.0]),
    }[what]
    tree = OneTree(model, relaxation=liar([proof]))
    assert found_by(tree) == brute_force(model)
    assert tree.statistics.pruned == 0
    assert tree.statistics.unproved == tree.statistics.relaxations > 0


def dominoes(size: int, gone: set[tuple[int, int]]) -> Model:
    cells = [p for p in itertools.product(range(size), repeat=2) if p not in gone]
    pairs = [
        (cell, other)
        for cell in cells
        for other in ((cell[0], cell[1] + 1), (cell[0] + 1, cell[1]))
        if other in cells
    ]
    rows = [({j: 1.0 for j, pair in enumerate(pairs) if cell in pair}, 1, 1) for cell in cells]
    return model_of(len(pairs), rows)


@pytest.mark.long
def test_dominoes_on_a_board_are_counted() -> None:
    tree = OneTree(dominoes(6, set()))
    assert len(found_by(tree)) == 6728  # Fisher, Kasteleyn, Temperley 1961
    assert tree.statistics.relaxations < tree.statistics.nodes / 20


@pytest.mark.usefixtures("highs_way")
def test_the_relaxation_settles_the_mutilated_chessboard_at_the_root() -> None:
    tree = OneTree(dominoes(12, {(0, 0), (11, 11)}), clock=Deadline(60))
    assert list(tree) == []
    assert tree.complete
    assert (tree.statistics.nodes, tree.statistics.pruned) == (1, 1)


def market_split(rows: int, columns: int) -> Model:
    """Return equality knapsacks, hard for their size (Cornuejols and Dawande 1999), feasible."""
    random = np.random.default_rng(1)
    weights = random.integers(0, 100, (rows, columns)).astype(np.float64).tolist()
    return model_of(
        columns, [(dict(enumerate(row)), sum(row[::2]), sum(row[::2])) for row in weights]
    )


@pytest.mark.long
@pytest.mark.usefixtures("highs_way")
def test_relaxations_prove_what_a_lucky_guess_does_not() -> None:
    model = market_split(2, 14)
    tree = OneTree(model, relaxation=Eager)
    found = found_by(tree)
    assert found == brute_force(model)
    assert tuple(range(0, 14, 2)) in found
    assert tree.statistics.pruned > 0
    assert tree.statistics.unproved == 0


def pigeons(count: int, holes: int) -> Model:
    """Return every pigeon in one hole, at most one in each."""
    sits = [[pigeon * holes + hole for hole in range(holes)] for pigeon in range(count)]
    rows: list[Row] = [(dict.fromkeys(places, 1.0), 1, 1) for places in sits]
    rows += [(dict.fromkeys(hole, 1.0), -INF, 1) for hole in zip(*sits, strict=True)]
    return model_of(count * holes, rows)


def switched(model: Model) -> Model:
    """Return a model whose equations hold if one more column is 1, and give 0 if it is 0."""
    columns = len(model.columns)
    rows: list[Row] = []
    for row, (lower, upper) in enumerate(zip(model.lower, model.upper, strict=True)):
        entries = range(model.start[row], model.start[row + 1])
        found = {int(model.index[k]): float(model.value[k]) for k in entries}
        if lower == upper:
            rows.append(({**found, columns: -float(lower)}, 0.0, 0.0))
        else:
            rows.append((found, float(lower), float(upper)))
    return model_of(columns + 1, rows)


@pytest.mark.long
@pytest.mark.parametrize(
    "model", [pigeons(12, 11), dominoes(10, {(0, 0), (9, 9)})], ids=["pigeons", "dominoes"]
)
def test_relaxations_inside_the_tree_end_what_is_a_matter_of_counting(model: Model) -> None:
    # The root has a point, the branch with the switch on has none: without relaxations
    # there, ten pigeons take 2.5 million nodes, and each further one ten times as many.
    tree = OneTree(switched(model), clock=Deadline(60))
    assert list(tree) == [[]]
    assert tree.complete
    assert tree.statistics.pruned > 0
    assert tree.statistics.nodes < 20_000


def in_tenths(model: Model) -> Model:
    """Return a model of equations in tenths, which no whole numbers of 53 bits say.

    Tenths alone are multiplied by ten; with a coefficient of 1e-19, that of a
    further column which is 0, there is no such factor.
    """
    last = len(model.columns)
    rows: list[Row] = [({last: 1.0}, 0.0, 0.0)]
    for row, low in enumerate(model.lower.tolist()):
        part = slice(model.start[row], model.start[row + 1])
        terms = zip(model.index[part].tolist(), (model.value[part] / 10).tolist(), strict=True)
        rows.append(({**dict(terms), last: 1e-19}, low / 10, low / 10))
    tenths = model_of(last + 1, rows)
    assert [
        sum(map(abs, terms.values())) >= MAX_ROW_SUM for terms, _, _ in tenths.whole_rows()
    ] == [
        False,
        *[True] * len(model.rows),
    ]
    return tenths


@pytest.mark.parametrize("breath", [1, 40, 2_000_000])
def test_rows_beyond_64_bits_are_rounded_for_the_tree_alone(
    breath: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tree_search, "WORK_PER_CLOCK_READ", breath)
    weights = [3.0, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8]
    knapsacks = model_of(
        12,
        [(dict(enumerate(row)), 26, 26) for row in (weights, weights[5:] + weights[:5])],
    )
    for model in (knapsacks, dominoes(4, set())):
        found = list(OneTree(model))
        assert len(found) > 10
        assert sorted(OneTree(in_tenths(model))) == sorted(found)
        assert sorted(OneTree(in_tenths(model), relaxation=Eager)) == sorted(found)
    assert found_by(OneTree(knapsacks)) == brute_force(knapsacks)


@pytest.mark.long
@settings(deadline=None)
@given(
    st.lists(st.integers(-(2**70), 2**70), min_size=1, max_size=6),
    st.integers(-(2**72), 2**72),
    st.integers(0, 2**72),
    st.data(),
)
def test_a_rounded_row_loses_no_point(
    values: list[int], lower: int, width: int, data: st.DataObject
) -> None:
    low = [data.draw(st.integers(-3, 3)) for _ in values]
    high = [one + data.draw(st.integers(0, 3)) for one in low]
    terms = {column: a for column, a in enumerate(values) if a}
    ((small, least, most),) = rounded([WholeRow(terms, lower, lower + width)], low, high, len(low))
    assert sum(abs(a) * max(abs(low[c]), abs(high[c])) for c, a in small.items()) < MAX_ROW_SUM
    point = [data.draw(st.integers(*ends)) for ends in zip(low, high, strict=True)]
    if lower <= sum(a * point[c] for c, a in terms.items()) <= lower + width:
        assert least <= sum(a * point[c] for c, a in small.items()) <= most


@pytest.mark.parametrize("more", range(-2, 3))
def test_rows_are_rounded_from_a_size_on(more: int) -> None:
    row = WholeRow({0: 1, 1: MAX_ROW_SUM - 1 + more}, 0, 1)
    assert ([*rounded([row], [0, 0], [1, 1], 2)] == [row]) == (more < 0)


def test_repeated_entries_of_a_row_add_up() -> None:
    model = Model(
        columns=("a", "b"),
        rows=("r",),
        start=np.array([0, 4], dtype=np.int32),
        index=np.array([0, 1, 0, 1], dtype=np.int32),
        value=np.array([1.0, 2.0, 1.0, -2.0]),
        lower=np.array([2.0]),
        upper=np.array([2.0]),
        cost=np.zeros(2),
    )
    assert found_by(OneTree(model)) == {(0,), (0, 1)}


def test_columns_in_no_row_take_both_values() -> None:
    assert len(found_by(OneTree(model_of(5, [({1: 1.0}, 1, 1)])))) == 16
    assert list(OneTree(model_of(0, []))) == [[]]
    assert list(OneTree(model_of(0, [({}, 1, 1)]))) == []
    many = OneTree(model_of(200, []), limit=30)
    assert len(found_by(many)) == 30
    assert not many.complete


@pytest.mark.usefixtures("highs_way")
def test_huge_coefficients_are_no_reason_to_lose_a_solution() -> None:
    big = 2.0**60
    model = model_of(4, [({0: big, 1: -big, 2: 1.0, 3: 0.5}, 0.5, 1.0)])
    assert found_by(OneTree(model)) == {(2,), (3,), (0, 1, 2), (0, 1, 3)}


@pytest.mark.long
@pytest.mark.parametrize(
    ("labels", "count"),
    [("Feb 29", 64), ("Oct 6", 7), ("Jan 25", 216), ("Dec 25", 92)],
)
def test_a_puzzle_a_day(labels: str, count: int) -> None:
    cover = ExactCover(read_instance("a-puzzle-a-day", reveal=labels.split()))
    tree = OneTree(cover)
    found = found_by(tree)
    assert found == plain_search(cover)
    assert len(found) == count
    assert tree.complete
    assert tree.statistics.relaxations >= 1


@pytest.mark.slow
def test_the_rhombus_and_a_whole_year() -> None:
    cover = ExactCover(read_instance("praxis-rhombus", reveal=["Fri", "Feb", "29"]))
    found = found_by(OneTree(cover))
    assert found == plain_search(cover)
    assert len(found) == 287
    free = {"month": "free", "day": "free"}
    cover = ExactCover(read_instance("a-puzzle-a-day", reveal=free))
    tree = OneTree(cover)
    assert len(found_by(tree)) == 25061
    assert tree.complete


def two_equal_pieces() -> ExactCover:
    board = Board.from_text(["* * *", "* * *"])
    pieces = (
        Piece.from_rows("A", ["##"]),
        Piece.from_rows("B", ["#", "#"]),
        Piece.from_rows("C", ["##"]),
    )
    return ExactCover(Instance(Puzzle("dominoes", board, pieces)))


def test_equal_pieces_make_each_picture_once() -> None:
    cover = two_equal_pieces()
    tree = OneTree(cover)
    assert len({Tiling.from_options(cover, chosen) for chosen in tree}) == 3
    assert tree.statistics.solutions == 3


shapes = st.sampled_from([["##"], ["###"], ["##", "#."], ["####"], ["##", "##"], [".##", "##."]])


@pytest.mark.long
@settings(deadline=None)
@given(st.lists(shapes, min_size=1, max_size=4), st.integers(2, 4), st.data())
def test_random_boards_with_and_without_tilings(
    drawn: list[list[str]], width: int, data: st.DataObject
) -> None:
    area = sum(row.count("#") for rows in drawn for row in rows)
    height = -(-area // width) + 1
    places = [(r, c) for r in range(height) for c in range(width)]
    order = data.draw(st.permutations(places))
    gone = set(order[area:])
    rows = [" ".join("." if (r, c) in gone else "*" for c in range(width)) for r in range(height)]
    pieces = tuple(Piece.from_rows(f"P{k}", shape) for k, shape in enumerate(drawn))
    try:
        cover = ExactCover(Instance(Puzzle("random", Board.from_text(rows), pieces)))
    except InputError:
        return  # a piece fits nowhere
    model = Model.from_cover(cover)
    tree = OneTree(cover)
    found = found_by(tree)
    assert tree.complete
    assert len({Tiling.from_options(cover, chosen) for chosen in found}) == len(found)
    if set(cover.demand) == {1}:
        assert found == plain_search(cover)
    assert found_by(OneTree(model, relaxation=Eager)) == found


def feb29() -> Model:
    return Model.from_cover(ExactCover(read_instance("a-puzzle-a-day", reveal=["Feb", "29"])))


@pytest.mark.long
def test_the_order_is_fixed_and_a_limit_gives_its_beginning() -> None:
    model = feb29()
    everything = list(OneTree(model))
    assert list(OneTree(model)) == everything
    for limit in (1, 10, 64):
        tree = OneTree(model, limit=limit)
        assert list(tree) == everything[:limit]
        assert not tree.complete
    tree = OneTree(model, limit=65)
    assert list(tree) == everything
    assert tree.complete


def test_solutions_stream_and_a_dropped_search_is_not_complete() -> None:
    tree = OneTree(feb29())
    first = next(iter(tree))
    assert first
    assert tree.statistics.nodes < 2000
    assert not tree.complete


def test_a_second_iteration_starts_anew() -> None:
    tree = OneTree(model_of(3, [({0: 1, 1: 1, 2: 1}, 1, 1)]))
    assert list(tree) == list(tree) == [[0], [1], [2]]
    assert tree.statistics.solutions == 3


def test_a_time_limit_is_kept_and_never_complete() -> None:
    tree = OneTree(market_split(4, 40), clock=Deadline(0.3))
    started = process_time()
    list(tree)
    assert not tree.complete
    assert process_time() - started < 5
    tree = OneTree(feb29(), clock=Deadline(1e-9))
    assert list(tree) == []
    assert not tree.complete


def test_ctrl_c_ends_a_running_search() -> None:
    tree = OneTree(market_split(4, 40), clock=Deadline(60))
    next(iter(OneTree(feb29())))  # compiled, so that the signal meets the search
    timer = threading.Timer(0.3, _thread.interrupt_main)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        list(tree)
    timer.join()
    assert not tree.complete
    assert found_by(OneTree(model_of(2, [({0: 1, 1: 1}, 1, 1)]))) == {(0,), (1,)}


@pytest.mark.long
def test_ctrl_c_keeps_what_was_found(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = 0
    solve = NodeRelaxation.solve

    def interrupted(self: NodeRelaxation, *node: Any) -> NodeClaim:
        nonlocal calls
        calls += 1
        if calls == last:
            raise KeyboardInterrupt
        return solve(self, *node)

    model = Model.from_cover(ExactCover(read_instance("a-puzzle-a-day", reveal=["Jan", "25"])))
    monkeypatch.setattr(NodeRelaxation, "solve", interrupted)
    last = 0
    everything = list(OneTree(model))
    # How many relaxations there are depends on the vertices that HiGHS returns.
    calls, last = 0, calls
    tree = OneTree(model)
    found = []
    with pytest.raises(KeyboardInterrupt):  # noqa: PT012
        for chosen in tree:
            found.append(chosen)  # noqa: PERF402
    assert not tree.complete
    assert 0 < len(found) < 216
    assert found == everything[: len(found)]


@pytest.mark.usefixtures("highs_way")
def test_an_error_of_the_solver_is_never_complete() -> None:
    class Broken(NodeRelaxation):
        def solve(self, *_: Any) -> NodeClaim:
            raise RuntimeError("crash")

    tree = OneTree(feb29(), relaxation=Broken)
    with pytest.raises(RuntimeError, match="crash"):
        list(tree)
    assert not tree.complete


@pytest.mark.long
def test_without_a_library_the_tree_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    small = [feb29(), dominoes(4, set()), market_split(2, 10), tenths(), switched(pigeons(6, 5))]
    runs = [OneTree(model, limit=9) for model in small]
    assert kernel.library() is not None
    compiled = [(list(tree), tree.statistics) for tree in runs]
    monkeypatch.setattr(kernel, "library", lambda: None)
    for tree, (found, statistics) in zip(runs, compiled, strict=True):
        assert list(tree) == found
        for number in ("nodes", "relaxations", "pruned", "unproved"):
            assert getattr(tree.statistics, number) == getattr(statistics, number)


@pytest.mark.long
@settings(deadline=None)
@given(st.one_of(models(), covers()), st.sampled_from([1, 40, 2_000_000]))
def test_the_compiled_tree_is_the_plain_one(model: Model, breath: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tree_search, "WORK_PER_CLOCK_READ", breath)
        compiled = OneTree(model)
        found = list(compiled)
        patch.setattr(kernel, "library", lambda: None)
        plain = OneTree(model)
        assert list(plain) == found
    for number in ("nodes", "relaxations", "pruned", "unproved"):
        assert getattr(plain.statistics, number) == getattr(compiled.statistics, number)


def tenths() -> Model:
    """Return a model whose rows are rounded for the tree."""
    some: Row = {**dict.fromkeys(range(7), 0.3), 7: 1e-19}, 0.9, 1.0
    model = model_of(8, [some, ({0: 0.1, 1: -0.7, 7: 1e-19}, -0.7, 0.1)])
    program = program_of(model)
    assert [*rounded(program.rows, [0] * 8, [1] * 8, 8)] != program.rows
    return model


def test_heavy_packages_are_imported_late() -> None:
    code = (
        "import sys, calmip.mip.one_tree\n"
        "sys.exit(any(name in sys.modules for name in ('highspy', 'numpy', 'scipy')))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_wrong_input_is_refused() -> None:
    fine = model_of(1, [({0: 1.0}, 0, 1)])
    with pytest.raises(InputError, match="at least one solution"):
        OneTree(fine, limit=0)
    with pytest.raises(InputError, match="row r0 has the coefficient nan on column x0"):
        OneTree(model_of(1, [({0: float("nan")}, 0, 1)]))
    with pytest.raises(InputError, match="row r0 has a bound that is not a number"):
        OneTree(model_of(1, [({0: 1.0}, float("nan"), 1)]))
    with pytest.raises(InputError, match="column 3, but there are 1"):
        OneTree(model_of(1, [({3: 1.0}, 0, 1)]))


@pytest.mark.usefixtures("highs_way")
def test_a_model_that_highs_refuses_is_searched_without_relaxations(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("calmip.mip.pool.relaxation.linear_program", refuse)
    model = dominoes(4, {(0, 0), (3, 3)})
    tree = OneTree(model)
    assert list(tree) == []
    assert tree.complete
    assert (tree.statistics.relaxations, tree.statistics.pruned) == (0, 0)


def refuse(*_: object, **__: object) -> None:
    raise SolverFailed("a coefficient is too large")


def test_without_relaxations_the_rows_alone_prune() -> None:
    model = dominoes(4, {(0, 0), (3, 3)})
    tree, bare = OneTree(model), OneTree(model, relaxation=None)
    assert list(tree) == list(bare) == []
    assert tree.statistics.nodes == 1 < bare.statistics.nodes
    assert bare.statistics.relaxations == 0


@pytest.mark.usefixtures("highs_way")
def test_each_relaxation_has_the_seconds_that_are_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """HiGHS's own clock goes on from solve to solve."""
    program = program_of(model_of(2, [({0: 1, 1: 1}, 1, 1)]))
    relaxation = NodeRelaxation(program, cost=False)
    limits: list[float] = []
    highs = relaxation._highs
    assert highs is not None
    kind = type(highs)
    own = kind.set

    def taken(self: object, options: dict[str, float]) -> None:
        limits.append(options["time_limit"])
        own(self, options)  # type: ignore[arg-type]

    relaxation.prepare(float("inf"), None)
    monkeypatch.setattr(kind, "set", taken)
    for seconds in (None, 7.0, -1.0):
        before = highs._call("getRunTime")
        relaxation.solve([0, 0], [1, 1], float("inf"), seconds)
        if seconds is None:
            assert limits == []
        else:
            assert limits.pop() == pytest.approx(before + max(0.0, seconds))
