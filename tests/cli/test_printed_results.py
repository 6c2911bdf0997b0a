"""What a command prints is what its result says: as a text, and as data."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from cpu_marks import marked_long

import calmip
from calmip.cli import main
from calmip.cli._work import EXIT_CODES
from calmip.puzzle.tasks.results import Pictured, Result

COURSE = Path(__file__).parents[2] / "docs" / "course"
WEEK = """\
name: A week
grid: ["Mon Tue Wed Thu Fri Sat Sun"]
uncover: [weekday]
pieces: {a: ["###"], b: ["###"]}
"""
MONTHS = Path(__file__).parents[1] / "data" / "three-months.yaml"
SMALL = """\
name: Two months
grid: ["Jan Feb", "1 2"]
uncover: [month, day]
pieces: {I: ["##"]}
"""


def months() -> calmip.Puzzle:
    return calmip.read_puzzle("months.yaml")


def _proved_and_checked() -> Result:
    calmip.prove(calmip.read_instance("months.yaml", reveal="Jan,1"), "checked", proofs=["tree"])
    return calmip.prove.check("checked")


# The command without its format, and the same in Python; of the result, what is printed
# on stdout unless another stream is named.
CASES: dict[str, tuple[list[str], Callable[[], Result]]] = {
    "year": (["year", "months.yaml"], lambda: calmip.year(months())),
    "year 2027": (
        ["year", "months.yaml", "--year", "2027"],
        lambda: calmip.year(months(), 2027),
    ),
    "calendar": (
        ["calendar", "week.yaml", "--year", "2027", "--seed", "3"],
        lambda: calmip.calendar(calmip.read_puzzle("week.yaml"), 2027, seed=3),
    ),
    "compare formulations": (
        ["compare", "formulations", "months.yaml", "--reveal", "Jan,1", "--solver", "highs"],
        lambda: calmip.compare.formulations(
            calmip.read_instance("months.yaml", reveal="Jan,1"), solver=["highs"]
        ),
    ),
    "design": (
        ["design", "months.yaml", "--pool", "polyominoes<=4", "--pieces", "3"],
        lambda: calmip.design(
            calmip.read_board("months.yaml"),
            calmip.read_pool("polyominoes<=4", months(), number=3),
        ),
    ),
    "design --rearrange": (
        ["design", "small.yaml", "--pool", "polyominoes<=2", "--pieces", "1", "--rearrange"],
        lambda: calmip.design(
            calmip.read_board("small.yaml"),
            calmip.read_pool("polyominoes<=2", calmip.read_board("small.yaml"), number=1),
        ).rearrange(),
    ),
    "rearrange": (
        ["rearrange", "months.yaml", "--starts", "2", "--seed", "1"],
        lambda: calmip.rearrange(months(), starts=2, seed=1),
    ),
    "grade 1": (
        ["grade", "1", str(COURSE / "1-placements" / "starter.txt")],
        lambda: calmip.grade("1", COURSE / "1-placements" / "starter.txt"),
    ),
    "grade 4": (
        ["grade", "4", str(COURSE / "4-relaxation" / "starter.json")],
        lambda: calmip.grade("4", COURSE / "4-relaxation" / "starter.json"),
    ),
    "prove": (
        ["prove", "months.yaml", "--reveal", "Jan,1", "-o", "proof"],
        lambda: calmip.prove(calmip.read_instance("months.yaml", reveal="Jan,1"), "proof"),
    ),
    "prove check": (["prove", "check", "checked"], _proved_and_checked),
    "prove dates": (
        ["prove", "dates", "months.yaml"],
        lambda: calmip.prove.dates(months()),
    ),
    "export": (
        ["export", "months.yaml", "--reveal", "Jan,1", "-o", "m.lp"],
        lambda: calmip.export(calmip.read_instance("months.yaml", reveal="Jan,1"), "m.lp"),
    ),
    "export dates": (
        ["export", "dates", "months.yaml", "-o", "year", "--suffix", ".opb.gz"],
        lambda: calmip.export.dates(months(), "year", suffix=".opb.gz"),
    ),
    "solvers": (["solvers"], calmip.installed_solvers),
    "puzzles": (["puzzles"], calmip.puzzles),
    "puzzles NAME": (["puzzles", "a-puzzle-a-day"], lambda: calmip.puzzles("a-puzzle-a-day")),
    "puzzles FILE": (["puzzles", "week.yaml"], lambda: calmip.puzzles(Path("week.yaml"))),
}
SECONDS = re.compile(r"\d+\.\d\d s")
ON_STDERR = {"export", "export dates"}
WITH_JSON = {"year", "year 2027", "calendar", "compare formulations", "grade 1", "grade 4"}
WITH_JSON |= {"design", "design --rearrange"}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "week.yaml").write_text(WEEK)
    shutil.copy(MONTHS, tmp_path / "months.yaml")
    (tmp_path / "small.yaml").write_text(SMALL)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("name", marked_long(CASES, {"design --rearrange", "rearrange"}))
def test_a_result_is_what_its_command_prints(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    arguments, ask = CASES[name]
    result = ask()
    assert main(arguments) == EXIT_CODES[result.status]
    printed = capsys.readouterr()
    text = printed.err if name in ON_STDERR else printed.out
    assert SECONDS.sub("N s", text) == SECONDS.sub("N s", f"{result}\n")
    assert len(repr(result)) < 200
    assert repr(result).startswith(f"<{type(result).__name__} {result.status}: ")
    json.dumps(result.describe())
    with pytest.raises(AttributeError):
        result.status = "done"  # type: ignore[misc, assignment]
    if name in WITH_JSON:
        assert main([*arguments, "--format", "json"]) == EXIT_CODES[result.status]
        assert _untimed(json.loads(capsys.readouterr().out)) == _untimed(
            json.loads(json.dumps(result.describe()))
        )


def _untimed(document: object) -> object:
    if isinstance(document, list):
        return [_untimed(value) for value in document]
    if isinstance(document, dict):
        return {key: key == "seconds" or _untimed(value) for key, value in document.items()}
    return document


@pytest.mark.long
@pytest.mark.parametrize(
    ("arguments", "ask", "suffixes"),
    [
        (["year", "months.yaml"], lambda: calmip.year(months()), "txt svg png html csv json"),
        (
            ["calendar", "week.yaml", "--year", "2027"],
            lambda: calmip.calendar(calmip.read_puzzle("week.yaml"), 2027),
            "json txt html md csv pdf",
        ),
        (
            ["puzzles", "week.yaml"],
            lambda: calmip.puzzles("week.yaml"),
            "txt svg png html",
        ),
        (["puzzles"], calmip.puzzles, "txt html"),
    ],
)
def test_a_result_is_saved_as_the_command_writes_it(
    arguments: list[str], ask: Callable[[], Pictured], suffixes: str, folder: Path
) -> None:
    result = ask()
    for suffix in suffixes.split():
        mine, theirs = folder / f"mine.{suffix}", folder / f"theirs.{suffix}"
        result.save(mine, theme="dark")
        theme = [] if suffix in ("txt", "json", "csv", "md") else ["--theme", "dark"]
        assert main([*arguments, *theme, "-o", str(theirs)]) == EXIT_CODES[result.status]
        assert mine.read_bytes() == theirs.read_bytes()
    with pytest.raises(calmip.InputError, match=r"x\.docx: the suffix \.docx is not one of \."):
        result.save(folder / "x.docx")
    assert not (folder / "x.docx").exists()
