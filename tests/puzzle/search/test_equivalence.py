"""Somebody else's model against the puzzle; brute force decides on small boards."""

import itertools
import json
import math
import random
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import solvable_instances

from calmip._base.errors import InputError
from calmip._base.limits import Deadline
from calmip.cli import main
from calmip.mip.files.lp import lp_text
from calmip.mip.model import Model
from calmip.puzzle.board import Board, Piece
from calmip.puzzle.cover import ExactCover
from calmip.puzzle.documents.reader import read_instance
from calmip.puzzle.files.chosen_options import violations
from calmip.puzzle.instance import Instance
from calmip.puzzle.puzzle import Puzzle
from calmip.puzzle.search.equivalence import compare_model
from calmip.puzzle.search.exact_cover.search import solutions
from calmip.puzzle.search.matching import (
    Row,
    _same_sizes,
    equations_of,
    match_by_structure,
    model_rows,
)
from calmip.puzzle.tasks.instance_library import model_text


def cover_of(name: str) -> ExactCover:
    return ExactCover(read_instance(f"instances/{name}.yaml"))


def renamed(model: Model, rng: random.Random) -> Model:
    """Return the model with its columns in another order, and no telling name at all."""
    order = list(range(len(model.columns)))
    rng.shuffle(order)
    return replace(
        model,
        columns=tuple(f"x{number}" for number in range(len(order))),
        rows=tuple(f"R{number}" for number in range(1, len(model.rows) + 1)),
        index=np.array([order[column] for column in model.index], dtype=np.int32),
    )


def wider(model: Model, names: Iterable[str]) -> Model:
    """The model with further binary columns, in no row, and without an objective."""
    columns = (*model.columns, *names)
    narrow = {"column_lower": (), "column_upper": (), "integer": ()}
    return replace(model, columns=columns, cost=np.zeros(len(columns)), **narrow)


def without(model: Model, rows: set[str]) -> Model:
    """Return the model without some rows."""
    kept = [number for number, row in enumerate(model.rows) if row not in rows]
    parts = [slice(model.start[number], model.start[number + 1]) for number in kept]
    return replace(
        model,
        rows=tuple(model.rows[number] for number in kept),
        start=np.cumsum([0] + [part.stop - part.start for part in parts]).astype(np.int32),
        index=np.concatenate([model.index[part] for part in parts]),
        value=np.concatenate([model.value[part] for part in parts]),
        lower=model.lower[kept],
        upper=model.upper[kept],
    )


@pytest.mark.long
@pytest.mark.parametrize("formulation", ["matrix", "pulp", "pyomo"])
@pytest.mark.parametrize("suffix", [".lp", ".mps"])
def test_what_is_exported_is_the_model(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, formulation: str, suffix: str
) -> None:
    for path in sorted(Path("instances").glob("*.yaml")):
        cover = ExactCover(read_instance(path))
        if cover.obstacle() is not None and formulation != "matrix":
            # PuLP and Pyomo write a row without columns with a column of their own.
            continue
        file = tmp_path / f"{path.stem}{suffix}"
        file.write_text("".join(model_text(cover, suffix, formulation).parts))
        assert main(["check", str(path), str(file)]) == 0
        assert "the same columns and rows" in capsys.readouterr().out


@pytest.mark.long
@settings(max_examples=40, deadline=None)
@given(instance=solvable_instances(), seed=st.integers(0, 1000))
def test_a_model_is_known_under_any_names(instance: object, seed: int) -> None:
    cover = ExactCover(instance)  # type: ignore[arg-type]
    model = renamed(Model.from_cover(cover), random.Random(seed))
    found = compare_model(cover, model)
    # A square full of equal pieces has more symmetries than are tried.
    assert found.equal in (True, None)
    if found.equal:
        assert "up to the names" in found.reason


DOMINOES = Puzzle(
    "Dominoes", Board.from_text(["* * *"] * 2), tuple(Piece.from_rows(n, ["##"]) for n in "ABC")
)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    "instance",
    [read_instance("instances/tiny.yaml"), read_instance("instances/feb29.yaml"), DOMINOES],
    ids=["tiny", "feb29", "dominoes"],  # the last has symmetries, so columns have to be tried
)
def test_columns_are_known_by_the_rows_alone(instance: Instance | Puzzle, seed: int) -> None:
    cover = ExactCover(instance if isinstance(instance, Instance) else Instance(instance, ()))
    mine = Model.from_cover(cover)
    theirs = renamed(mine, random.Random(seed))
    rows = model_rows(theirs)
    found = match_by_structure(cover, theirs, rows, {})
    assert found is not None
    assert sorted(found) == sorted(found.values()) == list(range(cover.columns))
    assert {(frozenset(found[c] for c in row), total) for row, total in rows.equations} == set(
        equations_of(cover)
    )
    # With one entry less it is another model, whatever the names.
    start = theirs.start.copy()
    start[1:] -= 1
    other = replace(theirs, start=start, index=theirs.index[1:], value=theirs.value[1:])
    assert compare_model(cover, other).equal is False


@pytest.mark.long
@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_the_verdict_is_that_of_brute_force(data: st.DataObject) -> None:
    cover = cover_of("tiny")
    model = Model.from_cover(cover)
    lower, upper = model.lower.copy(), model.upper.copy()
    for row in data.draw(st.sets(st.integers(0, cover.rows - 1), max_size=3)):
        change = data.draw(st.sampled_from(["<=", ">=", "free", "0", "2"]))
        lower[row] = {"<=": -np.inf, "free": -np.inf, "0": 0, "2": 2}.get(change, lower[row])
        upper[row] = {">=": np.inf, "free": np.inf, "0": 0, "2": 2}.get(change, upper[row])
    model = replace(model, lower=lower, upper=upper)
    for number in range(data.draw(st.integers(0, 2))):
        chosen = data.draw(st.sets(st.integers(0, cover.columns - 1), min_size=1))
        low = data.draw(st.sampled_from([-np.inf, 0.0, 1.0]))
        high = data.draw(st.sampled_from([np.inf, 1.0, 2.0]))
        model = model.with_row(f"more{number}", chosen, low, high)
    points = [
        [column for column, one in enumerate(point) if one]
        for point in itertools.product((0, 1), repeat=cover.columns)
    ]
    theirs = {tuple(point) for point in points if model.violated(point) is None}
    mine = {tuple(point) for point in points if not violations(cover, point)}
    found = compare_model(cover, model)
    assert found.equal == (theirs == mine), found.reason
    if not found.equal:
        assert found.options in theirs ^ mine
    nameless = compare_model(cover, renamed(model, random.Random(0)))
    if len(theirs) != len(mine):
        assert nameless.equal is False
        assert f"{len(theirs)} solutions, the instance {len(mine)} tilings" in nameless.reason
    elif nameless.equal:
        orders = itertools.permutations(range(cover.columns))
        assert any({tuple(sorted(o[c] for c in p)) for p in theirs} == mine for o in orders)
    else:
        assert nameless.equal is None


WRONG = {
    "no rows for pieces": "row p_",
    "no rows for some cells": "row c_",
}


@pytest.mark.parametrize("fault", WRONG)
def test_missing_rows_let_wrong_solutions_in(fault: str) -> None:
    cover = cover_of("feb29")
    model = Model.from_cover(cover)
    kind = "p_" if "pieces" in fault else "c_3"
    broken = without(model, {row for row in model.rows if row.startswith(kind)})
    found = compare_model(cover, broken)
    assert found.equal is False
    assert found.reason.startswith(f"a solution of the model that is not a tiling: {WRONG[fault]}")
    assert found.options is not None
    columns = list(found.options)
    assert broken.violated(columns) is None
    assert violations(cover, columns)


def test_a_model_without_columns_that_are_forced_to_0_leaves_none_out() -> None:
    cover = cover_of("feb29")
    found = compare_model(cover, Model.from_cover(cover))
    assert found.equal is True
    assert found.reason == "the same columns and rows as the placement model"


def test_one_missing_row_is_implied_by_the_others() -> None:
    # The cells' rows and the other pieces' leave just as many cells for the piece.
    cover = cover_of("feb29")
    found = compare_model(cover, without(Model.from_cover(cover), {"p_U"}))
    assert found.equal is True
    assert found.reason == "every tiling is a solution, and there are no others"


@pytest.mark.long
def test_a_cut_too_deep_is_shown_with_the_tiling_that_it_forbids() -> None:
    cover = cover_of("feb29")
    tiling = next(solutions(cover))
    model = Model.from_cover(cover).with_row("deep", tiling, -np.inf, len(tiling) - 1)
    found = compare_model(cover, model)
    assert found.equal is False
    assert found.options == tuple(tiling)
    assert found.reason.endswith("it violates row 'deep', whose sum is 8, not <= 7")


def test_columns_that_are_no_placements_may_help(tmp_path: Path) -> None:
    cover = cover_of("tiny")
    model = Model.from_cover(cover)
    # A row that needs its own further column to be one in every second tiling.
    text = lp_text(model).replace(
        "Binaries\n", f"s: {model.columns[0]} + slack = 1\nBinaries\n slack\n"
    )
    path = tmp_path / "m.lp"
    path.write_text(text)
    from calmip.mip.files.model_files import read_model

    found = compare_model(cover, read_model(path))
    assert found.equal is True
    assert "1 further columns stand for no placement" in found.reason


def extended(data: st.DataObject, model: Model) -> tuple[Model, list[str]]:
    """Return a model with one or two further columns, and rows that mix them with the others."""
    own = len(model.columns)
    names = tuple(f"further{number}" for number in range(data.draw(st.integers(1, 2))))
    model = wider(model, names)
    for number in range(data.draw(st.integers(1, 3))):
        placements = data.draw(st.sets(st.integers(0, own - 1), max_size=2))
        further = data.draw(st.sets(st.integers(own, own + len(names) - 1), min_size=1))
        low, high = data.draw(st.sampled_from([(1.0, 1.0), (1.0, np.inf), (-np.inf, 1.0)]))
        model = model.with_row(f"more{number}", placements | further, low, high)
    return model, list(names)


@pytest.mark.long
@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_further_columns_count_by_what_they_leave_of_the_others(data: st.DataObject) -> None:
    cover = cover_of("tiny")
    model, names = extended(data, Model.from_cover(cover))
    points = [
        [column for column, one in enumerate(point) if one]
        for point in itertools.product((0, 1), repeat=len(model.columns))
    ]
    theirs = {
        tuple(column for column in point if column < cover.columns)
        for point in points
        if model.violated(point) is None
    }
    mine = {tuple(chosen) for chosen in solutions(cover)}
    found = compare_model(cover, model)
    # The rows of the exact cover are all there: only tilings can be missing.
    assert theirs <= mine
    assert found.equal == (theirs == mine), found.reason
    if found.equal:
        assert f"{len(names)} further columns stand for no placement" in found.reason
    else:
        assert found.options in mine - theirs


class Unfinished:
    """A search that finds nothing and never says that there is nothing."""

    complete = False

    def __init__(self, *_: object, **__: object) -> None: ...

    def __iter__(self) -> Iterator[list[int]]:
        return iter(())


def test_a_search_of_the_model_that_was_not_finished_decides_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    cover = cover_of("tiny")
    plain = Model.from_cover(cover)
    wide = wider(plain, ["further"])
    further = wide.with_row("more", [0, 5], 1, 1)
    loose = without(plain, {plain.rows[0]})
    assert (compare_model(cover, further).equal, compare_model(cover, loose).equal) == (True, True)
    monkeypatch.setattr("calmip.mip.one_tree.OneTree", Unfinished)
    for model in (further, loose):
        assert compare_model(cover, model).equal is None
    assert compare_model(cover, plain).equal is True


def test_limits_leave_it_open() -> None:
    cover = cover_of("feb29")
    model = without(Model.from_cover(cover), {"p_U"})
    assert compare_model(cover, model, limit=5).equal is None
    nameless = renamed(model, random.Random(1))
    assert compare_model(cover, nameless, limit=5).equal is None
    assert compare_model(cover, model, limit=1).equal is None
    for wrong in (0, -1):
        with pytest.raises(InputError, match="the limit"):
            compare_model(cover, model, limit=wrong)


def test_the_command_draws_and_tells(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    cover = cover_of("tiny")
    model = Model.from_cover(cover)
    right, loose = tmp_path / "right.lp", tmp_path / "loose.lp"
    right.write_text(lp_text(model))
    loose.write_text(lp_text(model).replace("= 1", "<= 1"))
    instance = "instances/tiny.yaml"
    assert main(["check", instance, str(loose)]) == 1
    out = capsys.readouterr().out
    assert " ?   | square |" in out
    size = "(5 columns, 5 rows)"
    assert f"{loose} {size} is not a model of this instance: a solution of the model that is" in out
    assert main(["check", instance, str(loose), "--format", "json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert list(found) == ["instance", "valid", "reasons", "point"]
    assert (found["valid"], found["point"]["labels"]) == (False, ["4"])
    names = tmp_path / "names.csv"
    other = renamed(model, random.Random(0))
    loose.write_text(lp_text(other).replace("= 1", "<= 1"))
    assert main(["check", instance, str(loose)]) == 1
    assert "to see a counter-example" in capsys.readouterr().out
    order = list(range(cover.columns))
    random.Random(0).shuffle(order)
    names.write_text(
        "# theirs,ours\n" + "".join(f"x{order[n]},{cover.option_names[n]}\n" for n in order)
    )
    assert main(["check", instance, str(loose), "--names", str(names)]) == 1
    assert "a solution of the model that is not a tiling" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("x0", "names.csv:1: a line is COLUMN,PLACEMENT"),
        ("\nx0,nosuch", "'nosuch' is not a placement of this instance"),
        ("nosuch,domin_a00", "the model has no column 'nosuch'"),
        ("x0,domin_a00\nx0,domin_a00", "names.csv:2: column 'x0' comes twice"),
        ("x0,domin_a00\nx1,domin_a00", "columns 'x0' and 'x1' are the same placement"),
    ],
)
def test_wrong_names_are_said(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, lines: str, message: str
) -> None:
    cover = cover_of("tiny")
    model, names = tmp_path / "m.lp", tmp_path / "names.csv"
    model.write_text(lp_text(renamed(Model.from_cover(cover), random.Random(0))))
    first = next(name for name in cover.option_names if name.endswith("_a00"))
    names.write_text(lines.replace("domin_a00", first))
    code = main(["check", "instances/tiny.yaml", str(model), "--names", str(names)])
    assert code == 2
    assert message in capsys.readouterr().err


def test_either_an_answer_or_a_model(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments, message in (
        ([], "an answer is missing: give a FILE"),
        (["a.sol", "b.lp"], "unexpected extra argument (b.lp)"),
        (["a.sol", "--names", "c.csv"], "--names goes with a model as FILE only"),
        (["mine.lp.gz"], "mine.lp.gz: no such file"),
        (["nosuch.lp"], "nosuch.lp: no such file"),
        (["nosuch.lp", "--time-limit", "0"], "seconds above 0, not 0"),
        (["a.sol", "--match"], "--match is an option of calmip compare"),
    ):
        assert main(["check", "instances/tiny.yaml", *arguments]) == 2
        assert message in capsys.readouterr().err


def test_models_of_nothing_are_equal_without_names(monkeypatch: pytest.MonkeyPatch) -> None:
    cover = cover_of("chessboard")
    plain = Model.from_cover(cover)
    # Two rows that contradict each other tell nothing of placements: solutions are counted.
    never = without(plain, set(plain.rows[1:])).with_row("a", [0, 1], 2, 2)
    never = never.with_row("b", [0, 1, 2], 1, 1)
    found = compare_model(cover, renamed(never, random.Random(2)))
    assert found.equal is True
    assert found.reason == "there is no tiling, and the model has no solution"

    def late(*_: object, **__: object) -> int:
        raise TimeoutError

    monkeypatch.setattr("calmip.puzzle.search.equivalence.count", late)
    found = compare_model(cover, renamed(never, random.Random(2)))
    assert found.equal is None
    assert found.reason.startswith("the time limit was reached; ")


def test_every_search_of_a_comparison_has_the_time_that_is_left(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    given: list[object] = []

    class Told(Unfinished):
        def __init__(self, *_: object, clock: Deadline, **__: object) -> None:
            given.append(clock.seconds)

    for user in ("mip.one_tree", "puzzle.search.equivalence"):
        monkeypatch.setattr(f"calmip.{user}.OneTree", Told)
    cover = cover_of("tiny")
    plain = Model.from_cover(cover)
    loose = without(plain, {plain.rows[0]})
    assert compare_model(cover, loose, clock=Deadline(50)).equal is None
    assert compare_model(cover, renamed(loose, random.Random(1)), clock=Deadline(50)).equal is None
    assert len(given) > 1
    assert all(isinstance(one, int | float) and 0 < one <= 50 for one in given)


@pytest.mark.long
@pytest.mark.parametrize("known_by", ["names of rows", "structure"])
def test_nameless_columns_are_counted_and_then_described_by_their_rows(
    known_by: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    cover = cover_of("feb29")
    model = Model.from_cover(cover)
    tiling = next(iter(solutions(cover)))
    model = model.with_row("more", tiling, -np.inf, len(tiling) - 1)
    if known_by == "structure":
        model = renamed(model, random.Random(1))
    else:
        monkeypatch.setattr("calmip.puzzle.search.matching.MAX_TRIALS", 0)
        model = replace(model, columns=tuple(f"x{n}" for n in range(cover.columns)))
    found = compare_model(cover, model)
    assert found.equal is False
    counted, _, told = found.reason.partition("; by the rows that its columns stand in, ")
    assert counted == "the model has 63 solutions, the instance 64 tilings"
    assert told.startswith("a tiling that the model forbids: it violates row")
    assert found.options == tuple(tiling)


@pytest.mark.parametrize("tries", [0, 1])
def test_one_refinement_is_enough_where_nothing_is_symmetric(
    tries: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("calmip.puzzle.search.matching.MAX_TRIALS", tries)
    cover = cover_of("feb29")
    theirs = renamed(Model.from_cover(cover), random.Random(1))
    found = match_by_structure(cover, theirs, model_rows(theirs), {})
    assert (found is not None) is (tries == 1)


ROWS = st.lists(st.tuples(st.frozensets(st.integers(0, 3)), st.integers(1, 2)), max_size=5)


@pytest.mark.long
@given(ROWS, ROWS)
def test_rows_are_left_out_until_both_sides_have_as_many_of_every_size(
    left: list[Row], right: list[Row]
) -> None:
    def sizes(rows: Iterable[Row]) -> Counter[tuple[int, int]]:
        return Counter((len(columns), total) for columns, total in rows)

    common = sizes(left) & sizes(right)
    found = [(sizes(one), sizes(other)) for one, other in _same_sizes(left, right)]
    assert found == [(common, common)] * math.prod(
        math.comb(number, common[size])
        for side in (left, right)
        for size, number in sizes(side).items()
    )


def test_a_model_without_a_column_lacks_the_tilings_that_use_it() -> None:
    cover = cover_of("tiny")
    tilings = [tuple(chosen) for chosen in solutions(cover)]
    for gone in range(cover.columns):
        kept = [option for option in range(cover.columns) if option != gone]
        found = compare_model(cover, Model.from_cover(cover.restricted(kept)))
        lacking = [chosen for chosen in tilings if gone in chosen]
        assert found.equal is (not lacking)
        assert found.options in (lacking or [None])
        assert not lacking or f"there is no column {cover.option_names[gone]} (" in found.reason


@pytest.mark.parametrize("name", ["tiny", "feb29"])
def test_columns_of_which_only_some_have_telling_names(name: str) -> None:
    """The others are known by the rows that they stand in, and no fault is lost by that."""
    cover = cover_of(name)
    model = Model.from_cover(cover)
    some = replace(
        model,
        columns=tuple(
            f"other{number}" if number % 3 else column
            for number, column in enumerate(model.columns)
        ),
    )
    assert compare_model(cover, some).equal
    tiling = next(iter(solutions(cover)))
    cut = some.with_row("cut", tiling, -np.inf, len(tiling) - 1.0)
    assert compare_model(cover, cut).equal is False
