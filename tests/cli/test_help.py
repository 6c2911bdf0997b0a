"""The help: groups, sentences, examples; completion; dates in words; your puzzle of the day."""

import datetime
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from math import inf
from pathlib import Path

import click
import pytest
import requirements
from trades import missing, trades_of_text

import calmip
from calmip import read_instance, read_puzzle
from calmip.cli import cli, main
from calmip.cli._command import Command, Explained
from calmip.cli.completion import completion
from calmip.features import GROUPS, OWN, groups
from calmip.mip.files.model_files import is_model, write_model
from calmip.mip.model import Model
from calmip.models import FORMULATIONS
from calmip.puzzle.dates import parse_date
from calmip.puzzle.documents.reader import bundled_puzzles
from calmip.puzzle.tasks.enumeration import METHODS
from calmip.solvers import SOLVERS

CONTEXT = click.Context(cli, info_name="calmip")


BELOW = [f"{name} {one}" for name, feature in OWN.items() for one in feature.below]


def command(name: str) -> Command:
    found = cli.get_command(CONTEXT, name)
    assert isinstance(found, Command)
    return found


def whole_help(name: str) -> str:
    """Return all of the help of a command, as its page in the manual has it."""
    found = command(name)
    context = click.Context(found, CONTEXT, terminal_width=80)
    return "".join(found.whole_help(context).values())


def read(words: list[str]) -> click.Context:
    """Return the context of a command that is read, but not run."""
    name, meant, rest = cli.resolve_command(CONTEXT, words)
    assert meant is not None
    return meant.make_context(name, rest, parent=CONTEXT)


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Your puzzle is remembered in a folder of the test's."""
    folder = tmp_path / "config"
    monkeypatch.setattr(click, "get_app_dir", lambda name: str(folder / name))
    return folder


def test_the_help_has_the_groups_of_the_examples(capsys: pytest.CaptureFixture[str]) -> None:
    page = Path("docs/reference/commands/index.md").read_text(encoding="utf-8")
    block = next(part for part in page.split("```") if "\n# any model" in part)
    listed: dict[str, set[str]] = {}
    for line in block.splitlines():
        if line.startswith("# "):
            listed[line[2:].partition(":")[0]] = set()
        elif line.startswith("calmip ") and not trades_of_text(line) & missing():
            listed[list(listed)[-1]].add(line.split()[1])
    for name, found in groups().items():
        assert listed[name.lower()] <= {one.name for one in found}
    assert main(["--help"]) == 0
    said = capsys.readouterr().out
    places = [said.index(f"\n{name}:\n") for name in groups()]
    assert places == sorted(places)
    assert all(f"\n  {name} " in said for name in OWN)
    assert [*groups()] == [*GROUPS], "each group has a sentence"
    for name, sentence in GROUPS.items():
        assert f"\n{name}:\n  {sentence}\n" in said
    assert max(map(len, said.splitlines())) <= 80


def test_every_choice_of_a_solver_a_formulation_and_a_method_has_a_sentence() -> None:
    choices = [entry[-1] for entry in (*SOLVERS.values(), *FORMULATIONS.values())]
    for text in (*choices, *METHODS.values()):
        assert text.endswith(".")
    explained = {"solver", "formulation", "method"}
    listed = str(calmip.installed_solvers())
    for name in OWN:
        for option in command(name).params:
            if option.opts[0].removeprefix("--") in explained:
                assert isinstance(option.type, Explained), f"{name} {option.opts[0]}"
                shown = listed if option.type.listed else whole_help(name)
                assert all(f"\n  {word} " in shown for word in option.type.about)
                assert all(text in " ".join(shown.split()) for text in option.type.about.values())


@pytest.mark.parametrize("name", [*OWN, *BELOW])
def test_the_help_is_two_screens_with_examples_above_the_options(name: str) -> None:
    """At most 60 lines of 80 characters; puzzles and models have headings of their own."""
    found = command(name)
    if not found.feature.task:  # it has only commands below it
        return
    # As in a terminal of 80 columns, two of which click leaves free.
    shown = found.get_help(click.Context(found, CONTEXT, terminal_width=78))
    assert len(shown.splitlines()) <= 60
    assert max(len(line) for line in shown.splitlines() if "https://" not in line) <= 80
    options = {option for one in found.params for option in one.opts}
    for heading, typical in {
        "Options of puzzles": {"--reveal", "--flip", "--placed"},
        "Options of models": {"--integer-default", "--optimal", "--repair", "--vertices"},
    }.items():
        _, _, section = shown.partition(f"\n{heading}:\n")
        for option in options & typical:
            assert f"\n  {option}" in f"\n{section}".partition("\n\n")[0]
    assert shown.index("\nExamples:\n") < shown.index("\nOutput:\n")
    # Each option is there, and what is left out stands on the page that the last line names.
    for one in found.params:
        assert not isinstance(one, click.Option) or f"  {one.opts[0]}" in shown
    whole = whole_help(name)
    if len(whole.splitlines()) > len(shown.splitlines()) + 2:
        assert (
            f"\nMore: https://calmip.github.io/calmip/reference/commands/{name.split(maxsplit=1)[0]}.html"
            in shown
        )


@pytest.mark.parametrize("name", BELOW)
def test_a_command_below_another_is_in_its_help(name: str) -> None:
    first = name.partition(" ")[0]
    assert f"\n  {name} " in command(first).get_help(click.Context(command(first), CONTEXT))
    examples = command(name).feature.lines
    assert {read(shlex.split(one)[1:]).info_name for one in examples} == {name}


@pytest.mark.parametrize("name", OWN)
def test_every_command_has_examples_that_can_be_typed(name: str) -> None:
    examples = command(name).feature.lines
    assert examples
    shown, whole = command(name).get_help(click.Context(command(name), CONTEXT)), whole_help(name)
    for number, example in enumerate(examples):
        assert f"\n  {example}\n" in (shown if number < 2 else whole)
        program, *typed = shlex.split(example)
        assert (program, typed[0]) == ("calmip", name)
        # Words that are no option of the command are refused here.
        context = read(typed)
        source = context.params.get("source") or context.params.get("puzzle")
        assert source is None or source in bundled_puzzles() or is_model(Path(source))
        date, placed = context.params.get("date"), context.params.get("placed")
        if date is not None:
            parse_date(date)
        if placed is not None:
            assert read_instance(source, reveal=context.params["reveal"], date=date, placed=placed)


RUN = (
    "today",
    "solve",
    "hint",
    "explain",
    "count",
    "year",
    "calendar",
    "export",
    "relax",
    "tree",
    "cut",
    "puzzles",
    "solvers",
    "prove",
)
"""Commands whose examples need a few seconds, and no file, browser or other solver."""


@pytest.mark.long
@pytest.mark.parametrize("name", RUN)
def test_the_examples_of_a_command_find_what_they_ask_for(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    both = {0: 1.0, 1: 1.0}
    demand = 2.0 if name == "explain" else 1.0
    model = Model.from_rows("xy", [("demand", both, demand, demand), ("capacity", both, -inf, 1.0)])
    for suffix in (".mps", ".lp"):
        write_model(tmp_path / f"model{suffix}", model)
    (tmp_path / "days.yaml").write_text("12-25: Christmas Day\n")
    for example in command(name).feature.lines:
        if "--solver cbc" in example or " dates " in example or "--wall" in example:
            continue  # the calendar for the wall: a page of the tutorial has it, and every night
        words, codes = shlex.split(example)[1:], [0]
        if "--difficulty" in words:  # a minute; the next test runs it to its end
            words, codes = [*words, "--time-limit", "1"], [0, 3]
        assert main(words) in codes, example + capsys.readouterr().err


@pytest.mark.trade("year")
@pytest.mark.slow
@pytest.mark.parametrize(("name", "option"), [("year", "--difficulty"), ("calendar", "--wall")])
def test_the_example_that_takes_a_minute(
    name: str, option: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "days.yaml").write_text("12-25: Christmas Day\n")
    (example,) = (one for one in command(name).feature.lines if option in one)
    assert main(shlex.split(example)[1:]) == 0


@pytest.mark.parametrize("name", [*OWN, *BELOW])
def test_the_help_of_an_option_begins_with_a_verb(name: str) -> None:
    for option in command(name).params:
        text = getattr(option, "help", None) or "Write."
        assert text.endswith((".", "]")), text
        first = text.removeprefix("With no-good, ").split()[0].strip(":,")
        # These begin a description of a thing, or refer to what only Python shows.
        others = "A An The Names Number Of For As Whether Which With Seconds Then How What"
        assert text[0].isupper(), text
        assert first not in others.split(), text


@pytest.mark.parametrize("name", [*OWN, *BELOW])
def test_a_placeholder_names_what_the_option_takes(name: str) -> None:
    assert not {"TEXT", "PATH", "INTEGER", "FLOAT"} & set(re.findall(r"[A-Z]+", whole_help(name)))


@pytest.mark.parametrize("name", ["a-puzzle-a-day", "hex43-v1", "heart-set1"])
def test_the_file_of_a_bundled_puzzle_begins_one_of_your_own(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["puzzles", name, "-o", str(tmp_path / "mine.yaml")]) == 0
    mine, bundled = read_puzzle(tmp_path / "mine.yaml"), read_puzzle(name)
    assert (mine.board, mine.pieces, mine.groups) == (bundled.board, bundled.pieces, bundled.groups)
    assert main(["puzzles", "-o", str(tmp_path / "all.yaml")]) == 2
    assert "give its NAME" in capsys.readouterr().err
    assert not (tmp_path / "all.yaml").exists()


@pytest.mark.parametrize("name", ["explain", "solve", "enumerate"])
def test_a_program_is_sent_to_the_function_that_takes_its_model(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "rota.py").write_text("import pulp\n")
    assert main([name, str(tmp_path / "rota.py")]) == 2
    assert "call a function of calmip with the model" in capsys.readouterr().err


def test_the_placed_pieces_of_the_help_can_be_placed() -> None:
    (option,) = (one for one in command("hint").params if one.name == "placed")
    assert isinstance(option, click.Option)
    assert option.help
    instance = read_instance("a-puzzle-a-day", reveal="Feb,29", placed=option.help.split("'")[1])
    assert {one.piece for one in instance.placed} == {"U", "O6"}


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


def test_today_remembers_your_puzzle(
    own_folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["today"]) == 0
    assert "A-Puzzle-A-Day" in capsys.readouterr().out
    assert not own_folder.exists()
    assert main(["today", "heart-set1"]) == 0
    capsys.readouterr()
    assert main(["today"]) == 0
    assert "Heart board" in capsys.readouterr().out
    # Neither a wrong name is remembered, nor what is read from stdin.
    assert main(["today", "nosuch"]) == 2
    with Path("calmip/puzzles/jarringwords.yaml").open(encoding="utf-8") as file:
        monkeypatch.setattr(sys, "stdin", file)
        assert main(["today", "-"]) == 0
    capsys.readouterr()
    assert main(["today"]) == 0
    assert "Heart board" in capsys.readouterr().out


def test_hint_and_play_take_the_remembered_puzzle(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["today", "palmetto-whole-year"]) == 0
    capsys.readouterr()
    assert main(["hint", "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)["instance"]
    assert main(["hint", "palmetto-whole-year", "--date", "today", "--format", "json"]) == 0
    assert found == json.loads(capsys.readouterr().out)["instance"]
    assert main(["play", "-o", str(tmp_path / "play.html"), "--format", "json"]) == 0
    assert "palmetto-whole-year" in json.loads(capsys.readouterr().out)["start"]
    # A puzzle that is named has the same day; a file that says its labels keeps them.
    assert main(["hint", "palmetto-whole-year", "--format", "json"]) == 0
    assert found == json.loads(capsys.readouterr().out)["instance"]
    assert main(["hint", "feb29", "--format", "json"]) == 0
    assert "Feb" in str(json.loads(capsys.readouterr().out)["instance"])
    assert main(["hint", "chessboard"]) == 1
    assert main(["hint", "no-such-puzzle"]) == 2
    # They change nothing that is remembered.
    assert main(["play", "heart-set1", "-o", str(tmp_path / "play.html")]) == 0
    assert main(["hint", "instances/tiny.yaml"]) == 0
    capsys.readouterr()
    assert main(["today"]) == 0
    assert "Palmetto" in capsys.readouterr().out


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


@pytest.mark.long
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
        [sys.executable, "-m", "calmip"],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    found = [line.split(",") for line in done.stdout.split()]
    assert {name for kind, name in found if kind == "plain"} == expected
    if words[0] in ("solve", "puzzles") and len(words) == 2:
        assert "file" in [kind for kind, _ in found], "a file of one's own can be named as well"


LINES = {
    "bash": ["bash", "--noprofile", "--norc", "-c"],
    "zsh": ["zsh", "-f", "-c"],
    "fish": ["fish", "--no-config", "-c"],
}
"""How each shell runs a line without the files of its user."""

ASKING = {
    # What a shell does when a user presses the tabulator key after these words.
    "bash": """. {script}
COMP_WORDS=(calmip solve --sol); COMP_CWORD=2; COMPREPLY=()
_calmip_completion calmip; printf '%s\\n' "${{COMPREPLY[@]}}"
""",
    "zsh": """compdef() {{ : ; }}; _describe() {{ shift 2; print -l -- ${{(P)1}}; }}
compadd() {{ print -l -- "$@"; }}
. {script}; words=(calmip solve --sol); CURRENT=3; _calmip_completion
""",
    "fish": """source {script}; complete -C 'calmip solve --sol'
""",
}


@pytest.mark.long
@pytest.mark.parametrize("shell", LINES)
def test_a_shell_completes_an_option(
    shell: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """In the real shell, with the script that `calmip completion` prints."""
    if shutil.which(shell) is None:
        requirements.missing(shell)
    script, program = tmp_path / f"calmip.{shell}", tmp_path / "calmip"
    assert main(["completion", shell, "-o", str(script)]) == 0
    capsys.readouterr()
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m calmip "$@"\n')
    program.chmod(0o755)
    environment = {
        **os.environ,
        "PATH": f"{tmp_path}:{os.environ['PATH']}",
        "PYTHONPATH": os.pathsep.join(sys.path),
        "HOME": str(tmp_path),
    }
    done = subprocess.run(
        [*LINES[shell], ASKING[shell].format(script=script)],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "--solver" in done.stdout, done.stderr
    assert "--time-limit" not in done.stdout


def test_scripts_are_those_of_three_shells(capsys: pytest.CaptureFixture[str]) -> None:
    for shell in LINES:
        assert main(["completion", shell]) == 0
        assert f"_CALMIP_COMPLETE={shell}_complete" in capsys.readouterr().out
    assert main(["completion", "tcsh"]) == 2
    assert "'bash', 'zsh', 'fish'" in capsys.readouterr().err
    with pytest.raises(calmip.InputError, match="one of bash, zsh, fish, not 'tcsh'"):
        completion("tcsh")


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
