"""What every task's result has: one status, a short repr, the command's text, its JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import FrozenInstanceError, dataclass, replace
from pathlib import Path
from typing import Any

import pytest

import calmip
from calmip.cli import main
from calmip.mip.files.lp import lp_text
from calmip.mip.model import Model
from calmip.mip.status import Status
from calmip.models import FORMULATIONS, build
from calmip.puzzle.lattice import SHAPES
from calmip.puzzle.search.exact_cover.search import solutions
from calmip.puzzle.tasks.results import Pictured, Result

TINY = "instances/tiny.yaml"
NONE = "instances/chessboard.yaml"
DAY = "a-puzzle-a-day --reveal Feb,29"
HARD = "hard.yaml"
YEAR = "kao-pentomino-year-8x8"
MODEL = """Maximize
 value: 3 x + 4 y + 2 z
Subject To
 w: 2 x + 3 y + z <= {most}
Binaries
 x y z
End
"""


@dataclass(frozen=True)
class Case:
    """A command, the call that is the same, how it stands, and the exit code."""

    command: str
    call: Callable[[], Result]
    status: Status
    code: int


def tiny() -> calmip.Instance:
    return calmip.read_instance(TINY)


def none() -> calmip.Instance:
    return calmip.read_instance(NONE)


def year() -> calmip.Instance:
    return calmip.read_instance(YEAR, free=True)


def model(most: int) -> calmip.Model:
    path = f"m{most}.lp"
    Path(path).write_text(MODEL.format(most=most), encoding="utf-8")
    return calmip.read_model(path)


FEASIBLE, INFEASIBLE, UNKNOWN = Status.FEASIBLE, Status.INFEASIBLE, Status.UNKNOWN
ACCEPTED, REFUSED = Status.ACCEPTED, Status.REFUSED
SHORT = {"time_limit": 1e-6}

CASES = [
    Case(f"solve {TINY}", lambda: calmip.solve(tiny()), FEASIBLE, 0),
    Case(f"solve {NONE}", lambda: calmip.solve(none()), INFEASIBLE, 1),
    Case(
        f"solve {NONE} --formulation packing",
        lambda: calmip.solve(none(), formulation="packing"),
        INFEASIBLE,
        1,
    ),
    Case(
        "solve a-puzzle-a-day --reveal Feb,29 --time-limit 0.000001",
        lambda: calmip.solve(calmip.read_instance("a-puzzle-a-day", reveal="Feb,29"), **SHORT),
        UNKNOWN,
        3,
    ),
    Case("solve m3.lp", lambda: calmip.solve(model(3)), Status.OPTIMAL, 0),
    Case("solve m-1.lp", lambda: calmip.solve(model(-1)), INFEASIBLE, 1),
    Case(f"enumerate {TINY}", lambda: calmip.enumerate(tiny()), FEASIBLE, 0),
    Case(f"enumerate {NONE}", lambda: calmip.enumerate(none()), INFEASIBLE, 1),
    Case(
        f"enumerate {TINY} --method no-good --solver cbc",
        lambda: calmip.enumerate(tiny(), method="no-good", solver="cbc"),
        FEASIBLE,
        0,
    ),
    Case(
        f"enumerate {DAY} --method one-tree --limit 2",
        lambda: calmip.enumerate(
            calmip.read_instance("a-puzzle-a-day", reveal="Feb,29"), method="one-tree", limit=2
        ),
        FEASIBLE,
        3,
    ),
    Case(
        f"enumerate {HARD} --time-limit 0.000001",
        lambda: calmip.enumerate(calmip.read_instance(HARD), **SHORT),
        UNKNOWN,
        3,
    ),
    Case("enumerate m3.lp", lambda: calmip.enumerate(model(3)), FEASIBLE, 0),
    Case(
        "enumerate m3.lp --limit 2",
        lambda: calmip.enumerate(model(3), limit=2),
        FEASIBLE,
        3,
    ),
    Case("enumerate m-1.lp", lambda: calmip.enumerate(model(-1)), INFEASIBLE, 1),
    Case(
        "enumerate m3.lp --time-limit 0.000000001",
        lambda: calmip.enumerate(model(3), time_limit=1e-9),
        UNKNOWN,
        3,
    ),
    Case(f"check {TINY} right.sol", lambda: calmip.check(tiny(), "right.sol"), ACCEPTED, 0),
    Case(f"check {TINY} wrong.sol", lambda: calmip.check(tiny(), "wrong.sol"), REFUSED, 1),
    Case(f"check {TINY} denied.sol", lambda: calmip.check(tiny(), "denied.sol"), REFUSED, 1),
    Case(f"check {NONE} denied.sol", lambda: calmip.check(none(), "denied.sol"), ACCEPTED, 0),
    Case(
        f"check {TINY} right.lp",
        lambda: calmip.check(tiny(), calmip.read_model("right.lp")),
        ACCEPTED,
        0,
    ),
    Case(
        f"check {TINY} loose.lp",
        lambda: calmip.check(tiny(), calmip.read_model("loose.lp")),
        REFUSED,
        1,
    ),
    Case(
        f"check {TINY} nameless.lp --names names.csv",
        lambda: calmip.check(tiny(), calmip.read_model("nameless.lp"), names="names.csv"),
        ACCEPTED,
        0,
    ),
    Case(
        f"check {TINY} m3.lp",
        lambda: calmip.check(tiny(), calmip.read_model("m3.lp")),
        REFUSED,
        1,
    ),
    Case(
        f"check {TINY} mixed.lp",
        lambda: calmip.check(tiny(), calmip.read_model("mixed.lp")),
        UNKNOWN,
        3,
    ),
    Case(f"count {TINY}", lambda: calmip.count(tiny()), FEASIBLE, 0),
    Case(f"count {NONE}", lambda: calmip.count(none()), INFEASIBLE, 1),
    Case(
        "count a-puzzle-a-day",
        lambda: calmip.count(calmip.read_instance("a-puzzle-a-day", free=True)),
        FEASIBLE,
        0,
    ),
    Case(
        "count a-puzzle-a-day --any-cells 2",
        lambda: calmip.count(calmip.read_instance("a-puzzle-a-day", free=True), any_cells=2),
        FEASIBLE,
        0,
    ),
    Case(
        "explain a-puzzle-a-day --reveal 22,24",
        lambda: calmip.explain(calmip.read_instance("a-puzzle-a-day", reveal="22,24")),
        INFEASIBLE,
        0,
    ),
    Case(f"explain {NONE} --tries 1", lambda: calmip.explain(none(), tries=1), INFEASIBLE, 0),
    Case(f"explain {TINY}", lambda: calmip.explain(tiny()), FEASIBLE, 1),
    Case(
        f"explain {HARD} --time-limit 0.000001",
        lambda: calmip.explain(calmip.read_instance(HARD), **SHORT),
        UNKNOWN,
        3,
    ),
    Case(f"hint {TINY}", lambda: calmip.hint(tiny()), FEASIBLE, 0),
    Case(f"hint {NONE}", lambda: calmip.hint(none()), INFEASIBLE, 1),
    Case(
        f"hint {DAY} --placed U:Apr+Jun+Oct+Nov+Dec",
        lambda: calmip.hint(
            calmip.read_instance("a-puzzle-a-day", reveal="Feb,29", placed="U:Apr+Jun+Oct+Nov+Dec")
        ),
        INFEASIBLE,
        1,
    ),
    Case(
        f"hint {HARD} --time-limit 0.000001",
        lambda: calmip.hint(calmip.read_instance(HARD), **SHORT),
        UNKNOWN,
        3,
    ),
    Case(
        f"count {YEAR} --time-limit 0.001",
        lambda: calmip.count(year(), time_limit=0.001),
        UNKNOWN,
        3,
    ),
]


def settled(text: str) -> str:
    """Return a text without the seconds, which are never the same."""
    return re.sub(r"[0-9]+\.[0-9]{2} s\b", "SECONDS", text)


def without_seconds(document: dict[str, Any]) -> dict[str, Any]:
    return {key: list(value) if key == "seconds" else value for key, value in document.items()}


def write_answers(folder: Path) -> None:
    """Write what ``calmip check`` is given: answers to the tiny instance, and models of it."""
    cover = calmip.ExactCover(tiny())
    names = [cover.option_names[option] for option in next(solutions(cover))]
    texts = {
        "right.sol": "".join(f"{name} 1\n" for name in names),
        "wrong.sol": f"{names[0]} 1\n",
        "denied.sol": "=infeas=\n",
        "long.sol": "U_a02 1\n",
        "right.lp": lp_text(Model.from_cover(cover)),
    }
    texts["loose.lp"] = texts["right.lp"].replace("= 1", "<= 1")
    nameless = replace(Model.from_cover(cover), columns=tuple("abcde"))
    texts["nameless.lp"] = lp_text(nameless)
    # As many solutions as there are tilings, and nothing that says which is which.
    texts["mixed.lp"] = "Minimize\n obj: a\nSubject To\n r: a + b = 1\nBinaries\n a b\nEnd\n"
    texts["names.csv"] = "".join(
        f"{theirs},{ours}\n" for theirs, ours in zip("abcde", cover.option_names, strict=True)
    )
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of its own with the instances of the repository and the model files."""
    (tmp_path / "instances").symlink_to(Path("instances").resolve())
    monkeypatch.chdir(tmp_path)
    row = " ".join("*" * 12)
    grid = [". " + row[2:], *[row] * 10, row[2:] + " ."]
    puzzle = {"name": "Two corners cut off", "grid": grid, "pieces": ["I2"] * 71}
    (tmp_path / HARD).write_text(json.dumps({"puzzle": puzzle}), encoding="utf-8")
    write_answers(tmp_path)
    for most in (3, -1):
        model(most)
    return tmp_path


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.command)
def test_a_call_says_what_its_command_says(
    case: Case, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    result = case.call()
    assert (result.status, main(case.command.split())) == (case.status, case.code)
    printed = capsys.readouterr()
    # What is not known goes to stderr where the result itself is data.
    assert settled(printed.out or printed.err) == settled(f"{result}\n")
    assert len(repr(result)) < 200
    assert str(result.status) in repr(result)
    assert main([*case.command.split(), "--format", "json"]) == case.code
    printed = capsys.readouterr()
    if printed.out:
        document = json.loads(printed.out)
        assert without_seconds(document) == without_seconds(result.describe())
        assert list(document) == list(result.describe())
        if "valid" in document:
            assert document["valid"] is {ACCEPTED: True, REFUSED: False}.get(case.status)
    with pytest.raises(FrozenInstanceError):
        result.status = Status.DONE  # type: ignore[misc]


def test_twenty_equations_that_fail_are_named_and_the_others_counted(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    day = calmip.read_instance("a-puzzle-a-day", reveal="Feb,29")
    # One piece lies there: it and its five cells are six equations of 49.
    _, head, *faults, more = calmip.check(day, "long.sol").reasons
    assert (head, len(faults)) == ("not a tiling: 43 equations fail", 20)
    assert more == "... and 23 more (--all lists them)"
    assert len(calmip.check(day, "long.sol", all=True).reasons) == 2 + 43
    _, head, *faults = calmip.check(tiny(), "wrong.sol").reasons
    assert head == f"not a tiling: {len(faults)} equations fail"
    more = "... and 1 more (--all lists them)"
    for most, last in ((len(faults), faults[-1]), (len(faults) - 1, more)):
        monkeypatch.setattr("calmip.puzzle.tasks.check.MAX_LISTED_FAULTS", most)
        assert calmip.check(tiny(), "wrong.sol").reasons[-1] == last


def test_a_value_between_is_refused_and_a_file_without_a_status_says_what_it_claims(
    here: Path,
) -> None:
    name = calmip.ExactCover(tiny()).option_names[0]
    (here / "half.sol").write_text(f"{name} 0.5\n")
    told, why = (found := calmip.check(tiny(), "half.sol")).reasons
    assert found.status == REFUSED
    assert why.startswith(f"not a tiling: column {name} is 0.5, neither 0 nor 1")
    assert told.endswith(", claims 'feasible'")


def test_an_answer_is_verified_on_the_board_whatever_the_equations_say(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("calmip.puzzle.tasks.check.violations", lambda *_: [])
    with pytest.raises(calmip.NotATiling):
        calmip.check(tiny(), "wrong.sol")


def test_a_result_of_any_size_has_a_short_repr(here: Path) -> None:
    puzzle = calmip.read_puzzle("a-puzzle-a-day")
    long = calmip.Instance(puzzle, ("Feb", "29"), name="x\n" * 5000)
    wide = replace(model(3), name="x" * 5000)
    for result in (
        calmip.solve(long),
        calmip.enumerate(long),
        calmip.count(long),
        calmip.hint(long),
        calmip.explain(long),
        calmip.check(long, "long.sol"),
        calmip.check(long, wide),
        calmip.solve(wide),
        calmip.enumerate(wide),
    ):
        assert len(repr(result)) < 200
        assert repr(result).isprintable()


@pytest.mark.parametrize(
    ("most", "answer", "status", "words"),
    [
        (3, "x 1\n", ACCEPTED, "a solution, every row checked; objective "),
        (3, "x 0.5\n", REFUSED, "the value 0.5, not 0 or 1"),
        (3, "other 1\n", REFUSED, "names 'other', which is not a column"),
        (-1, "x 1\n", REFUSED, "violates row"),
        (3, "=infeas=\n", REFUSED, "satisfies every row"),
        (-1, "=infeas=\n", ACCEPTED, "no solution: a search of the model proves it"),
    ],
)
def test_a_solution_file_of_a_model_is_checked_row_by_row(
    most: int, answer: str, status: Status, words: str, here: Path
) -> None:
    (here / "answer.sol").write_text(answer)
    found = calmip.check(model(most), "answer.sol")
    assert (found.status, found.valid) == (status, status is ACCEPTED)
    assert words in str(found)
    assert list(found.describe()) == ["model", "valid", "reasons", "point", "violations"]
    assert (found.model.source, found.describe()["point"]) == (f"m{most}.lp", None)
    with pytest.raises(AttributeError, match="see its model"):
        _ = found.instance
    with pytest.raises(AttributeError, match="see its instance"):
        _ = calmip.solve(tiny()).model


@pytest.mark.parametrize(
    "task", [calmip.solve, calmip.enumerate, lambda one: calmip.check(one, "")]
)
@pytest.mark.parametrize("source", [(), None, 3])
def test_what_is_neither_an_instance_nor_a_model_is_refused(
    task: Callable[..., object], source: object
) -> None:
    kind = type(source).__name__
    with pytest.raises(TypeError, match=f"an Instance or a Model is needed, not {kind};"):
        task(source)


def test_a_task_of_instances_refuses_a_model(here: Path) -> None:
    with pytest.raises(TypeError, match="an Instance is needed, not Model"):
        calmip.hint(model(3))  # type: ignore[arg-type]


def test_a_model_is_solved_as_it_is_written(here: Path) -> None:
    for settings in ({"formulation": "pulp"}, {"warm_start": "search"}):
        with pytest.raises(calmip.InputError, match="as it is written"):
            calmip.solve(model(3), **settings)  # type: ignore[arg-type]


SAVED = [
    (f"solve {TINY}", lambda: calmip.solve(tiny()), "json svg png pdf"),
    (f"enumerate {TINY}", lambda: calmip.enumerate(tiny()), "json jsonl svg png pdf"),
    (f"count {TINY}", lambda: calmip.count(tiny()), "txt json csv"),
]


@pytest.mark.long
@pytest.mark.parametrize(("command", "call", "suffixes"), SAVED, ids=["solve", "all", "count"])
def test_a_result_is_saved_as_the_command_writes_it(
    command: str, call: Callable[[], Pictured], suffixes: str, here: Path
) -> None:
    result = call()
    for suffix in suffixes.split():
        mine, theirs = here / f"mine.{suffix}", here / f"theirs.{suffix}"
        result.save(mine)
        form = suffix.replace("txt", "text")
        assert main([*command.split(), "--format", form, "-o", str(theirs)]) == 0
        if suffix == "json":
            documents = [without_seconds(json.loads(path.read_text())) for path in (mine, theirs)]
            assert documents[0] == documents[1]
        else:
            assert mine.read_bytes() == theirs.read_bytes()


def test_what_is_not_there_is_not_saved(here: Path) -> None:
    for result, suffix, message in (
        (calmip.solve(none()), "svg", "there is no tiling to draw"),
        (calmip.enumerate(none()), "pdf", "there is no tiling to draw"),
        *(
            (calmip.count(year(), time_limit=0.001), suffix, "the number of tilings is unknown")
            for suffix in ("csv", "txt", "json")
        ),
    ):
        with pytest.raises(calmip.InputError, match=message):
            result.save(here / f"nothing.{suffix}")
        assert not list(here.glob("nothing*"))


@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.parametrize("reduce", [True, False])
def test_the_size_of_a_solved_model_is_that_before_its_reduction(
    formulation: str, reduce: bool
) -> None:
    """Columns and rows are the textbook's; how many columns were left is said beside them."""
    board = calmip.Board.from_text(["* * * .", "* * * *", "* * * *"])
    pieces = [calmip.Piece.from_rows(name, SHAPES["square"][name]) for name in ("I3", "L4", "S4")]
    instance = calmip.Instance(calmip.Puzzle("eleven", board, tuple(pieces)))
    cover = calmip.ExactCover(instance)
    found = calmip.solve(instance, formulation=formulation, reduce=reduce)
    columns, rows, _ = build(formulation, cover).size
    assert (found.columns, found.columns >= cover.columns) == (columns, True)
    if formulation == "packing" or not reduce:
        assert (found.rows, found.reduced) == (rows, None)
    else:
        left = build(formulation, cover.reduced())
        assert left.size[0] < columns
        assert (found.rows, found.reduced) == (left.size[1], left.size[0])


@pytest.mark.parametrize(
    "instance",
    [
        [TINY],
        ["a-puzzle-a-day", "--reveal", "Feb,29"],
        ["a-puzzle-a-day", "--reveal", "month=free,day=free"],
        ["hex61-symmetric", "--date", "2026-11-22"],
        ["weekday-8x7", "--reveal", "month=Jan,day=1,weekday=free"],
        [NONE],
    ],
)
def test_an_answer_of_calmip_itself_is_checked(
    instance: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "answer.json"
    code = main(["solve", *instance, "--solver", "exact-cover", "-o", str(path)])
    assert code == (instance == [NONE])
    assert main(["check", instance[0], str(path), *instance[1:]]) == 0
    assert capsys.readouterr().out.endswith(
        "there is no tiling, by an independent search\n" if code else "verified: it is a tiling\n"
    )
    answer = json.loads(path.read_text())
    for tiling in answer["tilings"]:
        tiling["placements"].pop()
        path.write_text(json.dumps(answer))
        assert main(["check", instance[0], str(path), *instance[1:]]) == 1
        tiling["placements"][0]["piece"] = "another"
        path.write_text(json.dumps(answer))
        assert main(["check", instance[0], str(path), *instance[1:]]) == 2


def test_an_answer_of_calmip_itself_to_another_date_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "answer.json"
    assert main(["solve", "feb29", "-o", str(path)]) == 0
    assert main(["check", "a-puzzle-a-day", str(path), "--reveal", "Mar,29"]) == 2
    assert "is it the answer to another instance?" in capsys.readouterr().err


def test_a_solution_of_a_model_by_calmip_itself_is_checked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model, path = tmp_path / "m.lp", tmp_path / "m.json"
    model.write_text(MODEL.format(most=3))
    assert main(["solve", str(model), "-o", str(path)]) == 0
    assert main(["check", str(model), str(path)]) == 0
    assert "a solution, every row checked; objective 5" in capsys.readouterr().out
    path.write_text(path.read_text().replace('"x"', '"y"'))
    assert main(["check", str(model), str(path)]) == 1
