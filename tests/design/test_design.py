"""Sets of pieces: against brute force, known puzzles and another program; resumed; refused."""

from __future__ import annotations

import itertools
import json
import os
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from brute_force import rank_correlation
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from peers import Peers
from requirements import need_package

import calmip
from calmip._base.errors import SolverFailed
from calmip._base.limits import Limits, Progress
from calmip.cli import main
from calmip.design import design
from calmip.design.design import Design
from calmip.design.piece_sets import shares_of
from calmip.mip.kernel import VARIABLE, library
from calmip.mip.status import Status
from calmip.puzzle.lattice import HEXAGONAL, SQUARE, Cell, Lattice, polyforms
from calmip.puzzle.piece_set import PiecePool
from calmip.puzzle.search.exact_cover.search import Search
from calmip.puzzle.tasks.journal import Journal
from calmip.solvers.base import Outcome
from calmip.solvers.highs import Highs

PENTOMINOES = ["--pool", "pentominoes", "--with", "O6", "--pieces", "8"]
GRIDS = (
    ["Jan Feb 1 2", "3 4 5 *"],
    ["Jan 1 2", "Feb 3 *", "Mar 4 5"],
    ["Jan 1 . 2", "* 3 4 Feb", "5 6 * *"],
    ["Jan 1 2 3", "Feb 4 5 6", "* * * *"],
    ["Jan 1 Feb", "2 * 3", "Mar 4 Apr"],
)


def tilings(cells: frozenset[Cell], shapes: tuple[tuple[tuple[Cell, ...], ...], ...]) -> int:
    """Return the number of tilings in the plainest way; of equal pieces the first is placed."""
    if not cells:
        return int(not shapes)
    r, c = min(cells)
    return sum(
        tilings(cells - placed, shapes[:n] + shapes[n + 1 :])
        for n, shape in enumerate(shapes)
        if shape not in shapes[:n]
        for turned in shape
        if (placed := frozenset((r + down, c + right) for down, right in turned)) <= cells
    )


def by_brute_force(
    frame: calmip.Puzzle, pool: PiecePool
) -> Iterator[tuple[tuple[int, ...], list[int]]]:
    """Yield every set with the numbers of tilings of the real dates."""
    board, groups = frame.board, frame.groups
    dates = [
        frozenset(board.cells) - {cell for x in labels for cell in board.labels[x]}
        for labels in itertools.product(*groups.values())
    ]
    ranges = (range(a, b + 1) for a, b in zip(pool.least, pool.most, strict=True))
    for numbers in itertools.product(*ranges):
        pieces = [p for p, n in zip(pool.pieces, numbers, strict=True) for _ in range(n)]
        if sum(len(piece.cells) for piece in pieces) != pool.area:
            continue
        if pool.number not in (None, len(pieces)):
            continue
        shapes = tuple(piece.orientations(flip=frame.flip) for piece in pieces)
        yield numbers, [tilings(date, shapes) for date in dates]


def frame_of(rows: list[str], tmp_path: Path) -> calmip.Puzzle:
    path = tmp_path / "board.yaml"
    path.write_text(json.dumps({"name": "drawn", "grid": rows, "uncover": ["month", "day"]}))
    return calmip.read_board(path)


@pytest.fixture(scope="module")
def pentominoes() -> Design:
    frame = calmip.read_board("a-puzzle-a-day")
    return calmip.design(frame, calmip.read_pool("pentominoes", frame, number=8, required=["O6"]))


@given(
    rows=st.sampled_from(GRIDS),
    words=st.lists(
        st.sampled_from(["I1", "I2", "I3", "V3", "L4", "T4", "S4", "trominoes", "tetrominoes"]),
        min_size=1,
        max_size=5,
    ),
    number=st.sampled_from([None, 2, 3, 4]),
    repeat=st.booleans(),
    flip=st.booleans(),
    at_least=st.integers(1, 3),
)
@settings(deadline=None, max_examples=30)
def test_all_sets_are_those_of_brute_force(
    tmp_path_factory: pytest.TempPathFactory,
    rows: list[str],
    words: list[str],
    number: int | None,
    *,
    repeat: bool,
    flip: bool,
    at_least: int,
) -> None:
    frame = frame_of(rows, tmp_path_factory.mktemp("board")).with_flip(flip)
    try:
        pool = calmip.read_pool(words, frame, number=number, repeat=repeat)
    except calmip.InputError as error:
        assert "the areas that are possible" in str(error) or "not so many pieces" in str(error)
        return
    assume(pool.sets <= 40)
    expected = dict(by_brute_force(frame, pool))
    assert pool.sets == len(expected) == len(list(pool))
    assert set(pool) == set(expected)
    found = calmip.design(frame, pool, at_least=at_least)
    assert found.complete
    assert found.decided == len(expected)
    some = {one.numbers: one for one in found.sets}
    for numbers, counts in expected.items():
        assert (numbers in some) == any(counts)
        if numbers in some:
            one = some[numbers]
            assert (one.minimum, one.maximum, one.total) == (min(counts), max(counts), sum(counts))
            assert one.median == sorted(counts)[len(counts) // 2] or len(counts) % 2 == 0
            assert (one.impossible, one.unique) == (counts.count(0), counts.count(1))
            assert one.wanting == sum(count < at_least for count in counts)
    assert {one.numbers for one in found.working} == {
        numbers for numbers, counts in expected.items() if min(counts) >= at_least
    }


def test_the_plain_search_finds_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    frame = frame_of(GRIDS[3], tmp_path)
    pool = calmip.read_pool("polyominoes<=4", frame, number=3, repeat=True)
    found = calmip.design(frame, pool)
    monkeypatch.setenv(VARIABLE, "off")
    library.cache_clear()
    try:
        assert calmip.design(frame, pool) == found
    finally:
        library.cache_clear()
    assert found.sets


@pytest.mark.trade("year")
@pytest.mark.long
def test_sets_that_are_sold_have_their_known_counts(pentominoes: Design) -> None:
    assert (pentominoes.decided, pentominoes.complete) == (792, True)
    known = {"a-puzzle-a-day": (7, 216, 24_405), "jarringwords": (10, 208, 22_625)}
    for name, numbers in known.items():
        pieces = {piece.name for piece in calmip.read_puzzle(name).pieces}
        one = next(one for one in pentominoes.working if set(one.pieces) == pieces)
        assert (one.minimum, one.maximum, one.total) == numbers
        counts = sorted(date.tilings for date in calmip.year(calmip.read_puzzle(name)).dates)
        assert one.median == (counts[182] + counts[183]) / 2
    assert len(pentominoes.working) == 37


@pytest.mark.long
def test_the_order_is_what_was_asked_for(pentominoes: Design) -> None:
    frame, pool = pentominoes.frame, pentominoes.pool
    keys = {
        "median": lambda one: -one.median,
        "total": lambda one: -one.total,
        "spread": lambda one: one.maximum / one.minimum,
        "unique": lambda one: -one.unique,
        "min": lambda one: -one.minimum,
    }
    for by, key in keys.items():
        found = calmip.design(frame, pool, by=by)
        assert [key(one) for one in found.working] == sorted(map(key, found.working))
        assert set(found.sets) == set(pentominoes.sets)
        misses = [one.impossible for one in found.sets[len(found.working) :]]
        assert misses == sorted(misses)


@pytest.mark.trade("year")
@pytest.mark.slow
def test_ten_sets_by_other_programs(pentominoes: Design) -> None:
    """The whole year by the depth-first search, tiling by tiling; the hardest date by CP-SAT."""
    code = (Path("benchmarks") / "peer_cpsat_all.py").read_text()
    for one in (*pentominoes.working[::6], *pentominoes.sets[37:400:90]):
        puzzle = pentominoes.puzzle(one)
        dates = calmip.year(puzzle).dates
        free = calmip.Instance.reveal(puzzle, dict.fromkeys(puzzle.groups, "free"))
        real = {tuple(date.labels.values()) for date in dates}
        cover = calmip.ExactCover(free)
        reveals = [
            tuple(cover.option(n).label for n in tiling if n >= cover.placements)
            for tiling in Search(cover)
        ]
        assert sum(labels in real for labels in reveals) == one.total
        labels = next(date.labels for date in dates if date.name == one.hardest[0])
        cover = calmip.ExactCover(calmip.Instance.reveal(puzzle, labels))
        model = {"columns": cover.columns, "rows": cover.options_of()}
        said = Peers().script("ortools", code, given=json.dumps(model))
        assert int(said.split()[0]) == one.minimum


@pytest.mark.long
def test_workers_and_a_small_memory_change_nothing(pentominoes: Design) -> None:
    from calmip.design.piece_sets import SetJudge

    frame, pool = pentominoes.frame, pentominoes.pool
    assert calmip.design(frame, pool, workers=2) == pentominoes
    judge = SetJudge(frame, pool, 1)
    divided = judge.decide(pool, Limits(memory_limit=20))
    assert set(divided) == set(pentominoes.sets)


@pytest.mark.long
@pytest.mark.parametrize("left", [0, 1, 7, 1000])
def test_a_killed_run_gives_the_same_table(left: int, tmp_path: Path) -> None:
    frame = frame_of(GRIDS[3], tmp_path)
    pool = calmip.read_pool("polyominoes<=4", frame, repeat=True)
    journal = tmp_path / "best.yaml.part"
    whole = calmip.design(frame, pool, journal=journal)
    text = journal.read_bytes()
    lines = text.splitlines(keepends=True)
    assert len(lines) > 4
    kept = b"".join(lines[: 1 + len(lines) // 2])
    journal.write_bytes(kept + lines[-1][:left] if left < 1000 else text)
    before = len(journal.read_bytes().splitlines())
    assert calmip.design(frame, pool, journal=journal, resume=True) == whole
    assert sorted(journal.read_bytes().splitlines()) == sorted(text.splitlines())
    assert before <= len(lines)
    with pytest.raises(calmip.InputError, match="belongs to another work"):
        calmip.design(frame, pool, at_least=2, journal=journal, resume=True)
    head, *parts = [json.loads(line) for line in lines]
    for line in (head, *parts):
        del line["digest"]
    part = next(line for line in parts if len(line["sets"]) > 1)
    row, other = part["sets"][:2]
    stranger = next(one for line in parts if line is not part for one in line["sets"])
    numbers, hardest = row[0], row[-1]
    false = [
        *([*row[:at], value, *row[at + 1 :]]
          for at in range(1, 8)
          for value in (-1, True, 0.5 if at != 2 else 10**9, float(row[at] if at != 2 else -1),
                        None, 1 << 63)),
        row[:-1], [], 5, None, [numbers[:-1], *row[1:]], [[1.0 * n for n in numbers], *row[1:]],
        stranger, [*row[:-1], []], [*row[:-1], ["13-32"]], [*row[:-1], 5],
        [*row[:-1], hardest * 99],
    ]  # fmt: skip
    lines_of: list[list[dict[str, Any]]] = [
        *([{**part, "sets": [one]}] for one in false),
        [{**part, "sets": [row, other, row]}],
        [part, part],
        [{}],
        [{"part": part["part"]}],
        *([{**part, "part": place}] for place in (-1, True, 0.0, "0", len(parts), 1 << 70)),
    ]
    for entries in lines_of:
        with Journal(journal, head, resume=False) as written:
            for entry in entries:
                written.add(entry)
        with pytest.raises(calmip.InputError, match=f"part:{1 + len(entries)}: is damaged"):
            calmip.design(frame, pool, journal=journal, resume=True)


@pytest.mark.parametrize("repeat", [False, True])
@pytest.mark.parametrize("number", [9, 10, 11])
def test_the_shares_of_a_part_are_its_sets_each_once(number: int, repeat: bool) -> None:
    frame = calmip.read_board("a-puzzle-a-day")
    pool = calmip.read_pool("polyominoes<=5", frame, number=number, repeat=repeat)
    shares = list(shares_of(pool))
    assert shares[0].sets <= 10
    assert sum(share.sets for share in shares) == pool.sets
    few = [set(share) for share in shares if share.sets < 2000]
    assert sum(map(len, few)) == len(set().union(*few))


@pytest.mark.long
def test_a_run_that_stopped_at_its_limit_goes_on(pentominoes: Design, tmp_path: Path) -> None:
    frame, pool = pentominoes.frame, pentominoes.pool
    journal = tmp_path / "best.yaml.part"
    calmip.design(frame, pool, limit=2, journal=journal)
    again = calmip.design(frame, pool, limit=3, journal=journal, resume=True)
    assert len(again.working) >= 3
    assert not again.complete
    assert calmip.design(frame, pool, journal=journal, resume=True) == pentominoes
    assert calmip.design(frame, pool, limit=1, journal=journal, resume=True) == pentominoes


@pytest.mark.long
def test_limits_say_what_was_decided(pentominoes: Design, tmp_path: Path) -> None:
    frame = frame_of(GRIDS[3], tmp_path)
    pool = calmip.read_pool("polyominoes<=4", frame, repeat=True)
    some = calmip.design(frame, pool, limit=1)
    assert not some.complete
    assert some.status == "feasible"
    assert some.decided < pool.sets
    for limit in (1, 2, 5):
        some = calmip.design(pentominoes.frame, pentominoes.pool, limit=limit)
        assert len(some.working) >= limit
        assert some.decided < pentominoes.pool.sets / 2
        assert set(some.sets) < set(pentominoes.sets)
    every = calmip.design(pentominoes.frame, pentominoes.pool, limit=1000)
    assert every == pentominoes
    late = calmip.design(pentominoes.frame, pentominoes.pool, time_limit=1e-9)
    assert (late.decided, late.status, late.sets) == (0, "unknown", ())
    with pytest.raises(calmip.InputError, match="the order is one of min, median"):
        calmip.design(frame, pool, by="most")
    with pytest.raises(calmip.InputError, match="at-least is a number from 1 on, not 0"):
        calmip.design(frame, pool, at_least=0)


@pytest.mark.parametrize(
    ("lattice", "numbers"),
    [(SQUARE, (1, 1, 2, 5, 12, 35, 108)), (HEXAGONAL, (1, 1, 3, 7, 22, 82))],
)
def test_there_are_as_many_shapes_as_is_known(lattice: Lattice, numbers: tuple[int, ...]) -> None:
    assert tuple(len(polyforms(lattice, size + 1)) for size in range(len(numbers))) == numbers


def test_a_pool_may_be_a_file_and_without_flips_has_both_hands(tmp_path: Path) -> None:
    (tmp_path / "pool.yaml").write_text("pieces: {Bar: I3, Chair: ['##.', '#.#', '###']}\n")
    frame = frame_of(GRIDS[3], tmp_path)
    pool = calmip.read_pool([str(tmp_path / "pool.yaml"), "I3"], frame, number=2)
    assert [piece.name for piece in pool.pieces] == ["Bar", "Chair"]
    assert pool.most == (1, 1)
    one_sided = calmip.read_board("a-puzzle-a-day").with_flip(False)
    pool = calmip.read_pool("pentominoes", one_sided, number=8, required=["O6"])
    assert len(pool.pieces) == 19
    assert {"L", "L'", "X"} < {piece.name for piece in pool.pieces}
    assert "X'" not in {piece.name for piece in pool.pieces}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["a-puzzle-a-day", "--pool", "hexominoes"], "the areas that are possible are 12, 18, 24"),
        (["a-puzzle-a-day", "--pool", "pentominoes", "--pieces", "9"], "possible are 45"),
        (["a-puzzle-a-day", "--pool", "tetrahexes"], "are shapes of hexagonal cells"),
        (["hex43-v1", "--pool", "pentominoes"], "are shapes of square cells"),
        (["a-puzzle-a-day", "--pool", "pentominos,Q"], "'Q' is not a piece of square cells"),
        (["a-puzzle-a-day", "--pool", "nonominoes"], "is not a piece of square cells"),
        (["a-puzzle-a-day", "--pool", "polyominoes<=9"], "1 to 8 cells, not of 9"),
        (["a-puzzle-a-day", "--pool", "nosuch.yaml"], "no such file"),
        (["a-puzzle-a-day", *PENTOMINOES, "--with", "O7"], "'O7' is not a piece"),
        (["a-puzzle-a-day", *PENTOMINOES, "--without", "O6"], "cannot be both in and out"),
        (["a-puzzle-a-day", *PENTOMINOES[:-1], "0"], "from 1 to 41"),
        (["a-puzzle-a-day", *PENTOMINOES, "--resume"], "--resume goes with -o FILE"),
        (["a-puzzle-a-day", *PENTOMINOES, "--at-least", "0"], "a number from 1 on"),
        (["PLAIN", "--pool", "trominoes"], "has no groups to uncover"),
        (["PLAIN"], "Missing option '--pool'"),
        (["nosuch", "--pool", "trominoes"], "no such file or bundled puzzle"),
        (
            ["DAYS", "--pool", "monominoes,dominoes", "--rearrange"],
            "reveals day; only a puzzle of two groups or more can be rearranged",
        ),
    ],
)
def test_what_cannot_be_is_said(
    arguments: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plain = tmp_path / "plain.yaml"
    plain.write_text("grid: ['* * *', '* * *']\n")
    days = tmp_path / "days.yaml"
    days.write_text("grid: ['1 2', '3 4']\nuncover: [day]\n")
    files = {"PLAIN": str(plain), "DAYS": str(days)}
    words = [files.get(word, word) for word in arguments]
    assert main(["design", *words]) == 2
    printed = capsys.readouterr()
    assert message in printed.err
    assert not printed.out


@pytest.mark.long
def test_millions_of_sets_want_a_yes(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(design, "MAX_SETS", 20)
    (tmp_path / "board.yaml").write_text(
        json.dumps({"grid": GRIDS[3], "uncover": ["month", "day"]})
    )
    words = ["design", str(tmp_path / "board.yaml"), "--pool", "polyominoes<=4", "--repeat"]
    assert main(words) == 2
    said = capsys.readouterr().err
    assert "sets of pieces, and deciding them takes about" in said
    assert main([*words, "--yes"]) == 0
    assert main([*words, "--time-limit", "600"]) == 0


def test_the_report_lists_the_sets_with_their_numbers_best_first(tmp_path: Path) -> None:
    grid = ["Jan Feb Mar 1", "2 3 4 5", "6 7 8 *"]
    path = tmp_path / "board.yaml"
    path.write_text(json.dumps({"grid": grid, "uncover": ["month", "day"]}))
    board = calmip.read_board(path)
    found = calmip.design(board, calmip.read_pool("polyominoes<=4", board, number=4))
    assert len(found.sets) == 2 * len(found.working) == 10
    _, *tables = str(found).split("\n\n")
    assert [table.partition("\n")[0] for table in tables] == ["best by min:", "near misses:"]
    rows = [row.split() for table in tables for row in table.splitlines()[2:]]
    for place, (row, one) in enumerate(zip(rows, found.sets, strict=True)):
        numbers = (one.minimum, one.median, one.maximum, one.total, one.unique, one.impossible)
        assert int(row[0]) == place % 5 + 1
        assert tuple(row[1:5]) == one.pieces
        assert tuple(map(float, row[5:11])) == numbers


@pytest.mark.trade("year")
@pytest.mark.long
def test_the_best_is_a_puzzle_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "best.yaml"
    assert (
        main(["design", "a-puzzle-a-day", *PENTOMINOES, "--format", "json", "-o", str(path)]) == 0
    )
    told = json.loads(capsys.readouterr().out)
    assert list(told) == ["sets", "decided", "complete"]
    keys = ["pieces", "minimum", "median", "maximum", "total", "impossible", "hardest"]
    assert all(list(one) == keys for one in told["sets"])
    best = told["sets"][0]
    year = calmip.year(calmip.read_puzzle(path))
    numbers = [date.tilings for date in year.dates]
    assert (min(numbers), max(numbers), sum(numbers)) == (
        best["minimum"],
        best["maximum"],
        best["total"],
    )
    assert [date.name for date in year.dates if date.tilings == best["minimum"]] == best["hardest"]
    assert not list(tmp_path.glob("*.part"))
    none = ["design", "a-puzzle-a-day", *PENTOMINOES, "--at-least", "20", "-o", str(tmp_path / "n")]
    assert main(none) == 1
    assert not (tmp_path / "n").exists()


@pytest.mark.trade("year")
@pytest.mark.long
@pytest.mark.parametrize("method", ["count", "model"])
def test_the_labels_are_rearranged_for_the_best_sets(
    method: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, board = tmp_path / "best.yaml", tmp_path / "board.yaml"
    board.write_text(json.dumps({"grid": GRIDS[3], "uncover": ["month", "day"]}))
    below = ["model"] * (method == "model")
    words = ["design", *below, str(board), "--pool", "polyominoes<=4", "--repeat"]
    assert main([*words, "--format", "json"]) == 0
    plain = json.loads(capsys.readouterr().out)
    assert main([*words, "--rearrange", "--format", "json", "-o", str(path)]) == 0
    told = json.loads(capsys.readouterr().out)
    assert list(told) == ["sets", "decided", "complete", "rearranged"]
    assert {key: told[key] for key in plain} == plain
    working = [one["pieces"] for one in told["sets"] if not one["impossible"]]
    assert [one["pieces"] for one in told["rearranged"]] == working[: 3 if method == "count" else 1]
    new, first = calmip.read_puzzle(path), told["rearranged"][0]
    assert [piece.name for piece in new.pieces] == first["pieces"]
    assert [" ".join(row) for row in new.board.rows] == first["grid"]
    assert sorted(label for row in new.board.rows for label in row) == sorted(
        " ".join(GRIDS[3]).split()
    )
    # The file's year, counted anew, does as well as is said, and no worse than the old places.
    numbers = [date.tilings for date in calmip.year(new).dates]
    after = rank_correlation(range(len(numbers)), numbers)
    assert after == pytest.approx(first["after"]["correlation"])
    assert numbers.count(0) == first["after"]["impossible"] == first["before"]["impossible"] == 0
    assert after < first["before"]["correlation"]
    assert main([*words, "--rearrange"]) == 0
    assert f"{first['after']['correlation']:+.4f}" in capsys.readouterr().out


@pytest.mark.long
@given(
    rows=st.sampled_from(GRIDS[:3]),
    words=st.lists(
        st.sampled_from(["I1", "I2", "I3", "V3", "L4", "T4", "trominoes"]), min_size=2, max_size=5
    ),
    number=st.sampled_from([None, 3, 4]),
    flip=st.booleans(),
)
@settings(deadline=None, max_examples=12)
def test_the_integer_program_agrees(
    tmp_path_factory: pytest.TempPathFactory,
    rows: list[str],
    words: list[str],
    number: int | None,
    *,
    flip: bool,
) -> None:
    folder = tmp_path_factory.mktemp("board")
    frame = frame_of(rows, folder).with_flip(flip)
    try:
        pool = calmip.read_pool(words, frame, number=number)
    except calmip.InputError:
        assume(False)
    counted = calmip.design(frame, pool)
    samples: list[Progress] = []
    found = calmip.design.by_model(frame, pool, file=folder / "choice.lp", progress=samples.append)
    assert [one[:2] for one in samples] == [(2 + number, None) for number in range(len(samples))]
    assert bool(found.working) == bool(counted.working)
    known = {one.numbers: one for one in counted.sets}
    assert all(known.get(one.numbers, one) == one for one in found.sets)
    if not counted.working:
        assert found.status in ("unknown", "infeasible")
    model = calmip.read_model(folder / "choice.lp")
    # The chosen set solves the sample, and any set that works is a point of the model.
    if counted.working:
        assert calmip.solve(model).status == "feasible"


@pytest.mark.trade("year")
def test_the_integer_program_is_a_method(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "board.yaml"
    path.write_text(json.dumps({"grid": GRIDS[3], "uncover": ["month", "day"]}))
    words = ["design", "model", str(path), "--pool", "polyominoes<=4"]
    assert main([*words, "--file", str(tmp_path / "m.mps"), "-o", str(tmp_path / "b.yaml")]) == 0
    assert "by an integer program with" in capsys.readouterr().out
    assert all(date.tilings for date in calmip.year(calmip.read_puzzle(tmp_path / "b.yaml")).dates)
    assert main([*words, "--by", "total"]) == 2
    assert "--by is an option of calmip design" in capsys.readouterr().err
    assert main(["design", *words[2:], "--file", str(tmp_path / "m.mps")]) == 2
    assert "--file is an option of calmip design model" in capsys.readouterr().err


@pytest.mark.long
def test_symmetric_dates_are_counted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    from calmip.design.piece_sets import SetJudge

    frame = calmip.read_board("hex43-v1")
    pool = calmip.read_pool("tetrahexes,I4,P4,J4", frame, number=10, required=["5-11"])
    judge = SetJudge(frame, pool, 1)
    assert len(judge.symmetries) == 12
    assert len(judge.labels_to_count) < len(frame.board.labels)
    found = judge.decide(pool, Limits(memory_limit=1000))
    monkeypatch.setattr(SetJudge, "symmetries", [{one: one for one in frame.board.labels}])
    every = SetJudge(frame, pool, 1)
    assert every.labels_to_count == set(frame.board.labels)
    assert every.decide(pool, Limits(memory_limit=1000)) == found
    assert found
    # Without turning over only the rotations count, and most boards have no symmetry.
    assert len(SetJudge(frame.with_flip(False), pool, 1).symmetries) in (6, 1)
    assert len(SetJudge(calmip.read_board("a-puzzle-a-day"), pool, 1).symmetries) == 1


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")
def test_a_cluster_gives_the_same_table(tmp_path: Path) -> None:
    if "CI" not in os.environ:
        need_package("distributed")
    frame = frame_of(GRIDS[3], tmp_path)
    pool = calmip.read_pool("polyominoes<=4", frame, repeat=True)
    journal = tmp_path / "sets.part"
    assert calmip.design(frame, pool, dask="local", workers=2, journal=journal) == calmip.design(
        frame, pool, journal=journal, resume=True
    )
    assert calmip.design(frame, pool) == calmip.design(frame, pool, dask="local")


@pytest.mark.parametrize("total", [None, 10])
def test_the_labels_are_arranged_for_each_of_the_best_sets(
    total: int | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Their starts count together."""
    frame = frame_of(GRIDS[3], tmp_path)
    told: list[tuple[int, int | None]] = []

    def arrange(puzzle: Any, *, by: str, keep: Any, progress: Any) -> Any:
        assert (by, keep) == ("min", ())
        progress(Progress(4, total, "starts"))
        return f"arranged {puzzle}"

    monkeypatch.setattr(design, "rearrange", arrange)
    monkeypatch.setattr(Design, "puzzle", lambda _, one: f"puzzle {one}")
    monkeypatch.setattr(Design, "best", ["a", "b", "c"])
    pool: Any = None
    found = Design(frame, pool, (), 3).rearrange(
        2, by="min", progress=lambda now: told.append((now.done, now.total))
    )
    assert found.rearranged == ("arranged puzzle a", "arranged puzzle b")
    assert told == ([(4, 0), (4, 0)] if total is None else [(4, 20), (14, 20)])


@pytest.mark.parametrize("lie", ["no set", "a set that does not solve its dates"])
def test_a_set_of_the_integer_program_is_checked(
    lie: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    frame = frame_of(GRIDS[3], tmp_path)
    pool = calmip.read_pool("polyominoes<=4", frame)
    names = [f"y{number}_{copy}" for number, most in enumerate(pool.most) for copy in range(most)]
    values = dict.fromkeys(names if lie == "no set" else [], 1.0) or {"other": 1.0}
    answer = Outcome(Status.OPTIMAL, values)
    monkeypatch.setattr(Highs, "solve", lambda *_: answer)
    if lie == "no set":
        with pytest.raises(SolverFailed, match="HiGHS's answer is not a set of the pool"):
            design.design_by_model(frame, pool)
        return
    monkeypatch.setattr(PiecePool, "has", lambda *_: True)
    judged = SimpleNamespace(impossible=3, hardest=(), pieces=("I4",), numbers=())
    monkeypatch.setattr(design.SetJudge, "alone", lambda *_: judged)
    with pytest.raises(SolverFailed, match="HiGHS's pieces I4 do not solve a date of its model"):
        design.design_by_model(frame, pool)
    judged.hardest = next(iter(design.SetJudge(frame, pool, 1).dates)), "nothing else"
    with pytest.raises(SolverFailed, match="do not solve a date of its model"):
        design.design_by_model(frame, pool)
