"""The help: groups, sentences, examples; completion; dates in words; your puzzle of the day."""

import datetime
import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import click
import pytest

from calmip import models, read_puzzle
from calmip.cli import COMMANDS, GROUPS, cli, main
from calmip.cli._command import Command, Explained
from calmip.documents.collection import bundled_puzzles
from calmip.models import FORMULATIONS
from calmip.problem.dates import parse_date
from calmip.solvers import ABOUT, SOLVERS
from calmip.tasks._enumeration import METHODS

CONTEXT = click.Context(cli, info_name="calmip")


def command(name: str) -> Command:
    found = cli.get_command(CONTEXT, name)
    assert isinstance(found, Command)
    return found


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Your puzzle is remembered in a folder of the test's."""
    folder = tmp_path / "config"
    monkeypatch.setattr(click, "get_app_dir", lambda name: str(folder / name))
    return folder


def test_the_help_has_the_groups_of_the_readme(capsys: pytest.CaptureFixture[str]) -> None:
    readme = Path("README.md").read_text(encoding="utf-8")
    block = next(part for part in readme.split("```") if "\n# solve\n" in part)
    groups: dict[str, set[str]] = {}
    for line in block.splitlines():
        if line.startswith("# "):
            groups[line[2:]] = set()
        elif line.startswith("calmip "):
            groups[list(groups)[-1]].add(line.split()[1])
    assert {name.lower(): set(found) for name, found in GROUPS.items()} == groups
    assert main(["--help"]) == 0
    said = capsys.readouterr().out
    places = [said.index(f"\n{name}:\n") for name in GROUPS]
    assert places == sorted(places)
    assert all(f"\n  {name} " in said for name in COMMANDS)


def test_every_choice_of_a_solver_a_formulation_and_a_method_has_a_sentence() -> None:
    assert set(ABOUT) == set(SOLVERS)
    assert set(models.ABOUT) == set(FORMULATIONS)
    for text in (*ABOUT.values(), *models.ABOUT.values(), *METHODS.values()):
        assert text.endswith(".")
    explained = {"solver", "formulation", "method"}
    for name in COMMANDS:
        for option in command(name).params:
            if option.opts[0].removeprefix("--") in explained:
                assert isinstance(option.type, Explained), f"{name} {option.opts[0]}"
                shown = command(name).get_help(click.Context(command(name), CONTEXT))
                assert all(f"\n  {word} " in shown for word in option.type.about)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_examples_that_can_be_typed(name: str) -> None:
    examples = command(name).examples
    assert len(examples) == (1 if name == "solvers" else 3)
    shown = command(name).get_help(click.Context(command(name), CONTEXT))
    for example in examples:
        assert f"\n  {example}" in shown
        program, wanted, *words = shlex.split(example)
        assert (program, wanted) == ("calmip", name)
        # Words that are no option of the command are refused here.
        context = command(name).make_context(name, words, parent=CONTEXT)
        source = context.params.get("source") or context.params.get("puzzle")
        assert source is None or source in bundled_puzzles()
        if context.params.get("date") is not None:
            parse_date(context.params["date"])


@pytest.mark.parametrize(
    ("text", "days"),
    [("today", 0), ("Tomorrow", 1), ("yesterday", -1), ("+3", 3), ("-1", -1), (" +0 ", 0)],
)
def test_dates_in_words(text: str, days: int) -> None:
    # Midnight may pass between the two.
    before = datetime.date.today()
    found = parse_date(text) - datetime.timedelta(days)
    assert before <= found <= datetime.date.today()


@pytest.mark.parametrize("text", ["+", "3", "+3.5", "+9999999", "-999999", "++1", "next week"])
def test_other_words_are_no_dates(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", "a-puzzle-a-day", "--date", text]) == 2
    assert capsys.readouterr().err.startswith("calmip: error: '")


def test_a_date_may_begin_with_a_minus(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["today", "a-puzzle-a-day", "--date", "-1", "--format", "json"]) == 0
    day = datetime.date.fromisoformat(json.loads(capsys.readouterr().out)["date"])
    assert day < datetime.date.today()


def test_today_remembers_your_puzzle(own_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["today"]) == 0
    assert "A-Puzzle-A-Day" in capsys.readouterr().out
    assert not own_folder.exists()
    assert main(["today", "heart-set1"]) == 0
    capsys.readouterr()
    assert main(["today"]) == 0
    assert "Heart board" in capsys.readouterr().out
    # A wrong name is not remembered.
    assert main(["today", "nosuch"]) == 2
    assert main(["today"]) == 0
    assert "Heart board" in capsys.readouterr().out


def test_a_file_is_remembered_by_its_whole_path(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    source = Path("calmip/puzzles/jarringwords.yaml").read_text(encoding="utf-8")
    (tmp_path / "mine.yaml").write_text(source.replace("name: ", "name: MINE ", 1))
    before = Path.cwd()
    monkeypatch.chdir(tmp_path)
    assert main(["today", "mine.yaml"]) == 0
    monkeypatch.chdir(before)
    capsys.readouterr()
    assert main(["today"]) == 0
    assert "MINE" in capsys.readouterr().out
    (tmp_path / "mine.yaml").unlink()
    assert main(["today"]) == 2
    assert "name another: calmip today PUZZLE" in capsys.readouterr().err
    assert main(["today", "heart-set1"]) == 0


def test_a_memory_that_cannot_be_read_or_written_is_no_matter(
    own_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own_folder.parent.mkdir(exist_ok=True)
    own_folder.write_text("a file where a folder should be")
    assert main(["today", "heart-set1"]) == 0
    assert main(["today"]) == 0
    own_folder.unlink()
    (own_folder / "calmip").mkdir(parents=True)
    (own_folder / "calmip" / "puzzle").write_bytes(b"\xff\xfe")
    assert main(["today"]) == 0
    assert capsys.readouterr().err == ""


def test_today_says_how_many_tilings_there_are() -> None:
    from calmip import today

    found = today(read_puzzle("a-puzzle-a-day"), "2024-02-29")
    assert (found.tilings, found.status, found.date) == (64, "feasible", datetime.date(2024, 2, 29))
    assert found.tiling is not None
    assert found.tiling.labels == ("Feb", "29")
    assert "one of 64 tilings" in str(found)
    many = today(read_puzzle("weekday-8x7"), datetime.date(2024, 2, 1))
    assert many.tilings is not None
    assert many.tilings > 1000


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["sol"], {"solve", "solvers"}),
        (["solve", "h"], {"heart-set1", "hex43-v1", "hex61-symmetric"}),
        (["puzzles", "a"], {"a-puzzle-a-day"}),
        (["solve", "--solver", "c"], {"cbc", "cpsat"}),
    ],
)
def test_the_shell_completes_names(words: list[str], expected: set[str]) -> None:
    environment = {
        **os.environ,
        "_CALMIP_COMPLETE": "bash_complete",
        "COMP_WORDS": " ".join(["calmip", *words]),
        "COMP_CWORD": str(len(words)),
    }
    done = subprocess.run(
        [sys.executable, "-m", "calmip"], env=environment, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    found = [line.split(",") for line in done.stdout.split()]
    assert {name for kind, name in found if kind == "plain"} == expected
    if words[0] in ("solve", "puzzles") and len(words) == 2:
        assert "file" in [kind for kind, _ in found], "a file of one's own can be named as well"


def test_the_lines_of_the_documentation_make_completion_scripts() -> None:
    page = Path("docs/reference/commands/index.md").read_text(encoding="utf-8")
    for shell in ("bash", "zsh", "fish"):
        assert f"_CALMIP_COMPLETE={shell}_source calmip" in page
        environment = {**os.environ, "_CALMIP_COMPLETE": f"{shell}_source"}
        done = subprocess.run(
            [sys.executable, "-m", "calmip"], env=environment, capture_output=True, text=True,
            check=False,
        )  # fmt: skip
        assert "_CALMIP_COMPLETE" in done.stdout, done.stderr


@pytest.mark.parametrize(
    ("typed", "meant"), [("slove", "solve"), ("enum", "enumerate"), ("Count", "count")]
)
def test_a_command_that_is_written_wrong_is_guessed(
    typed: str, meant: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([typed, "feb29"]) == 2
    assert f"No such command '{typed}'. Did you mean {meant}?" in capsys.readouterr().err
    assert main(["xyz"]) == 2
    assert "Did you mean" not in capsys.readouterr().err


@pytest.mark.parametrize("words", [["solve", "--date", "today"], ["year"]])
def test_a_board_without_groups_says_how_to_uncover_dates(
    words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    board = tmp_path / "own.yaml"
    board.write_text('name: Own\ngrid: ["Jan Feb", "1 2"]\npieces: {A: ["##"]}\n')
    assert main([words[0], str(board), *words[1:]]) == 2
    said = capsys.readouterr().err
    assert "Own" in said
    assert "write uncover: [month, day]" in said
