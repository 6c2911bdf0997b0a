"""Defaults of options: files, variables, and colours that a variable forces."""

from __future__ import annotations

import json
from pathlib import Path

import click
import pytest

import calmip
from calmip.cli import cli, main
from calmip.cli._defaults import COMMON_KEYS, JUDGES, LOOKS, TYPED_ONLY, defaults_of
from calmip.cli._options import terminal_style
from calmip.cli.config import config
from calmip.features import OWN

Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    inner = tmp_path / "project" / "inner"
    inner.mkdir(parents=True)
    monkeypatch.chdir(inner)
    return inner


def solver_of(capsys: Capture, *words: str) -> str:
    """Return the solver that solves an instance."""
    assert main(["solve", "tiny", "--format", "json", *words]) == 0, capsys.readouterr().err
    found: str = json.loads(capsys.readouterr().out)["solver"]
    return found


def test_the_nearest_file_then_a_variable_then_the_command_line(
    folder: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert solver_of(capsys) == "highs"
    project = folder.parent / "pyproject.toml"
    project.write_text('[tool.other]\nsolver = "nothing"\n')
    assert solver_of(capsys) == "highs"
    project.write_text('[tool.calmip.solve]\nsolver = "exact-cover"\n')
    assert solver_of(capsys) == "exact-cover"
    (folder.parent / "calmip.toml").write_text("[solve]\nseed = 3\n")
    assert solver_of(capsys) == "highs", "calmip.toml stands instead of the table beside it"
    (folder / "calmip.toml").write_text('solver = "exact-cover"\n[count]\nquiet = true\n')
    assert solver_of(capsys) == "exact-cover", "an option for all commands"
    assert main(["count", "tiny"]) == 0
    assert capsys.readouterr().out == ""
    assert solver_of(capsys, "--solver", "highs") == "highs"
    monkeypatch.setenv("CALMIP_SOLVE_SOLVER", "highs")
    assert solver_of(capsys) == "highs"
    assert solver_of(capsys, "--solver", "exact-cover") == "exact-cover"


def test_config_shows_what_is_set_and_where(
    folder: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["config"]) == 0
    assert capsys.readouterr().out == "no calmip.toml, and no [tool.calmip]\n"
    text = 'time-limit = 9\n[solve]\nsolver = "highs"\n[check.folder]\ntime-limit = 4\n'
    (folder / "calmip.toml").write_text(text)
    monkeypatch.setenv("CALMIP_CHECK_FOLDER_TIME_LIMIT", "5")
    found = config()
    assert found.file == folder / "calmip.toml"
    assert [tuple(one) for one in found.settings] == [
        ("all", "time-limit", "9", "calmip.toml: time-limit"),
        ("solve", "solver", "highs", "calmip.toml: solve.solver"),
        ("check folder", "time-limit", "4", "calmip.toml: check.folder.time-limit"),
        ("check folder", "time-limit", "5", "CALMIP_CHECK_FOLDER_TIME_LIMIT"),
    ]
    assert main(["config"]) == 0
    assert "--solver      highs    calmip.toml: solve.solver" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "command", "message"),
    [
        ('[solve]\nslover = "cbc"', "solve", "'solve.slover'|did you mean solver?"),
        ('[solve]\nsolver = "cbx"', "solve", "'solve.solver'|'cbx' is not one of"),
        ("[solve]\nseed = 1.5", "solve", "'solve.seed'|not a valid integer"),
        ("[solve]\ntime-limit = -1", "solve", "'solve.time-limit'|above 0"),
        ("[solve]\nquiet = 1", "solve", "'solve.quiet' is true or false, not 1"),
        ("[solve]\nseed = true", "solve", "'solve.seed' is a text or a number, not True"),
        ("[solve]\nseed = [1, 2]", "solve", "'solve.seed' is one value, not a list"),
        ("solve = 3", "solve", "'solve' is a command: write [solve]"),
        ("[[solve]]\nseed = 3", "config", "'solve' is a command: write [solve]"),
        ('[solve]\noutput = "x"', "solve", "'solve.output' is no default; type --output"),
        ("tim = 3", "solve", "'tim' is no option of all commands|did you mean time-limit?"),
        ("any-cells = 3", "count", "put it into a table such as [solve]"),
        ("[slove]\nseed = 1", "config", "[slove] is no command; did you mean [solve]?"),
        ("[slove]\nseed = 1", "solve", "[slove] is no command; did you mean [solve]?"),
        ("[tables]\nseed = 1", "solve", "[tables] is no command; calmip --help lists"),
        ("[bench.rum]\nworkers = 1", "solve", "[bench.rum] is no command|[bench.run]?"),
        ("# \xe9", "solve", "is not UTF-8 text; save it as UTF-8"),
        ("[check]\nfolder = 3", "config", "'check.folder' is a command: write [check.folder]"),
        ("[solve", "solve", "is no TOML file"),
    ],
)
def test_errors_name_the_file_and_the_key(
    text: str, command: str, message: str, folder: Path, capsys: Capture
) -> None:
    (folder / "calmip.toml").write_text(text, encoding="latin-1")
    words = [command] if command == "config" else [command, "tiny"]
    assert main(words) == 2
    said = capsys.readouterr().err
    assert said.startswith(f"calmip: error: {folder / 'calmip.toml'}: ")
    assert said.count("\n") == 1
    for part in message.split("|"):
        assert part in said


@pytest.mark.parametrize("text", ["tool = 3", "[tool]\ncalmip = 3"])
def test_what_is_no_table_of_a_project_is_refused(text: str, folder: Path, capsys: Capture) -> None:
    (folder / "pyproject.toml").write_text(f"{text}\n# [tool.calmip]\n")
    assert main(["config"]) == 2
    assert "pyproject.toml: '" in (said := capsys.readouterr().err)
    assert "is a table: write [tool.calmip]" in said


def test_what_is_no_file_is_refused(folder: Path, capsys: Capture) -> None:
    path = folder / "calmip.toml"
    path.mkdir()
    assert main(["solve", "tiny"]) == 2
    assert "calmip.toml: is a folder" in capsys.readouterr().err
    path.rmdir()
    path.symlink_to(path)
    assert main(["solve", "tiny"]) == 2
    assert "calmip.toml: no such file" in capsys.readouterr().err


def test_a_key_for_all_commands_is_listed_once(folder: Path) -> None:
    (folder / "calmip.toml").write_text('\ufeffsolver = "highs"\n', encoding="utf-8")
    assert [one.value for one in config().settings] == ["highs"]


@pytest.mark.parametrize(
    ("command", "name"),
    [("grade", "time_limit"), ("grade model", "workers"), ("bench run", "workers")],
)
def test_marks_and_times_have_defaults_of_their_own(command: str, name: str, folder: Path) -> None:
    made = cli.get_command(click.Context(cli), command)
    assert made is not None
    key = name.replace("_", "-")
    path = folder / "calmip.toml"
    path.write_text(f'{key} = 7\ntheme = "dark"\n')
    assert defaults_of(made) == {"theme": "dark"}
    path.write_text(f"{key} = 7\n[{command.replace(' ', '.')}]\n{key} = 9\n")
    assert defaults_of(made) == {name: "9"}


def test_a_wrong_variable_is_named(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CALMIP_SOLVE_SEED", "much")
    assert main(["solve", "tiny"]) == 2
    assert "(from the variable CALMIP_SOLVE_SEED)" in capsys.readouterr().err
    assert main(["solve", "tiny", "--seed", "much"]) == 2
    assert "variable" not in capsys.readouterr().err
    monkeypatch.setenv("CALMIP_CHECK_FOLDER_TIME_LIMIT", "much")
    assert main(["check", "folder", ".", "."]) == 2
    assert capsys.readouterr().err.count("(from the variable CALMIP_CHECK_FOLDER_TIME_LIMIT)") == 1


@pytest.mark.parametrize(
    ("command", "key"),
    [
        ("solve", "output"),
        ("enumerate", "resume"),
        ("generate", "force"),
        ("design", "yes"),
        ("grade", "unprotected"),
    ],
)
def test_what_writes_or_takes_a_risk_is_typed(command: str, key: str, folder: Path) -> None:
    made = cli.get_command(click.Context(cli), command)
    assert made is not None
    (folder / "calmip.toml").write_text(f"[{command}]\n{key} = true\n")
    with pytest.raises(calmip.InputError, match=f"type --{key}"):
        defaults_of(made)


def test_help_and_version_are_typed(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("CALMIP_HELP", "CALMIP_VERSION"):
        monkeypatch.setenv(name, "1")
    assert main(["solve", "tiny", "-q"]) == 0
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    ("name", "words", "near"),
    [
        ("CALMIP_SOLVE_TIMELIMIT", ("solve", "tiny"), "CALMIP_SOLVE_TIME_LIMIT"),
        ("CALMIP_SOLVE_HELP", ("solve", "tiny"), ""),
        ("CALMIP_BENCH_RUN_WORKER", ("bench", "run", "no.yaml"), "CALMIP_BENCH_RUN_WORKERS"),
        ("CALMIP_HINT_DATES", ("config",), "CALMIP_HINT_DATE"),
    ],
)
def test_a_variable_of_no_option_is_refused(
    name: str, words: tuple[str, ...], near: str, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, "1")
    assert main([*words]) == 2
    err = capsys.readouterr().err
    assert f"the variable {name} is no option of calmip" in err
    assert f"did you mean {near}?" in err or not near
    # Another command, and one above or below, have variables of their own.
    assert main(["unique", "tiny", "-q"]) in (0, 1)
    monkeypatch.setenv("CALMIP_CHECK_FOLDER_TIME_LIMIT", "1")
    assert main(["check", "tiny", "nothing"]) == 2
    assert "variable" not in capsys.readouterr().err


def test_the_keys_for_all_commands_are_options_of_several() -> None:
    counts = dict.fromkeys((*COMMON_KEYS, *TYPED_ONLY), 0)
    for name in OWN:
        command = cli.get_command(click.Context(cli), name)
        assert command is not None
        for one in command.params:
            key = max(one.opts, key=len).lstrip("-")
            counts[key] = counts.get(key, 0) + 1
    assert all(counts[key] > 1 for key in COMMON_KEYS)
    assert set(LOOKS) < set(COMMON_KEYS)
    assert set(JUDGES) < set(OWN)


def test_variables_force_colours(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR", "CLICOLOR_FORCE"):
        monkeypatch.delenv(name, raising=False)
    assert not terminal_style(None).colour, "a pipe has none"
    for name in ("FORCE_COLOR", "CLICOLOR_FORCE"):
        for value, coloured in {"1": True, "3": True, "": False, "0": False}.items():
            monkeypatch.setenv(name, value)
            assert terminal_style(None).colour is coloured, (name, value)
        monkeypatch.setenv(name, "1")
        assert not terminal_style(Path("file.txt")).colour
        assert main(["solve", "tiny"]) == 0
        assert "\x1b[" in capsys.readouterr().out
        monkeypatch.setenv("NO_COLOR", "1")
        assert not terminal_style(None).colour, "NO_COLOR comes first"
        monkeypatch.delenv("NO_COLOR")
        monkeypatch.delenv(name)
