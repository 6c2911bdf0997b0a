"""Options that mean the same in every command: which commands have them, and why others do not."""

from __future__ import annotations

from pathlib import Path

import click
import pytest

from calmip.cli import COMMANDS, cli, main

TINY = "instances/tiny.yaml"
CONTEXT = click.Context(cli)
EVERY = [
    name for first, about in COMMANDS.items()
    for name in [*([first] if about.task or not about.commands else []),
                 *(f"{first} {one}" for one in about.commands)]
]  # fmt: skip

QUICK = "is done at once"
NO_SOLVER = "runs no solver whose lines one would read"
MEASURES = "measures solvers, which would be slower if their lines were printed"

# For each option the commands without it, and the reason.
WITHOUT: dict[str, dict[str, str]] = {
    "--time-limit": {
        **dict.fromkeys(("play", "puzzles", "cut", "solvers", "prove check"), QUICK),
        **dict.fromkeys(("bench report", "bench diff", "grade assign", "grade solutions"), QUICK),
        "relax": "solves small linear programs; --rounds is its limit",
        "tree": "has a limit of nodes, so that a picture is the same each time",
        "prove": "proves nothing by a part of a proof",
        "prove dates": "goes on where it was interrupted",
        "export": "writes a file; what is counted for its head has a limit of its own",
        "export dates": "goes on where it was interrupted",
        "export suite": "goes on where it was interrupted",
        "calendar": "searches each day shortly; --resume goes on",
        "rearrange": "has --starts",
        "bench run": "has the limits of its campaign",
    },
    "--quiet": {},
    "--verbose": {
        **dict.fromkeys(EVERY, NO_SOLVER),
        **dict.fromkeys(("compare", "bench run"), MEASURES),
    },
    "--format": {},
    "--output": {},
}
for named in ("solve", "enumerate"):
    del WITHOUT["--verbose"][named]


def options(name: str) -> set[str]:
    command = cli.get_command(CONTEXT, name)
    assert command is not None
    return {option for parameter in command.params for option in parameter.opts}


@pytest.mark.parametrize("option", WITHOUT)
def test_every_command_has_an_option_or_a_reason(option: str) -> None:
    without = {name for name in EVERY if option not in options(name)}
    assert without == set(WITHOUT[option])


@pytest.mark.parametrize("name", EVERY)
def test_a_letter_is_one_option(name: str) -> None:
    for letter, option in {"-q": "--quiet", "-v": "--verbose", "-o": "--output"}.items():
        assert (letter in options(name)) == (option in options(name))


@pytest.mark.parametrize("name", EVERY)
def test_json_is_a_form_of_every_result(name: str) -> None:
    command = cli.get_command(CONTEXT, name)
    assert command is not None
    for parameter in command.params:
        if "--format" in parameter.opts and name not in ("puzzles", "cut"):
            assert "json" in parameter.type.choices  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "command",
    [
        ["hint", TINY, "--format", "json"],
        ["count", TINY],
        ["today", "heart-set1", "--date", "2024-02-29", "--format", "svg"],
        ["enumerate", TINY, "--format", "jsonl"],
        ["explain", "instances/dead-corner.yaml", "--format", "json"],
        ["relax", TINY],
        ["check", TINY, "{tiny}"],
    ],
    ids=" ".join,
)
def test_a_dash_is_stdout(
    command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    model = tmp_path / "tiny.mps"
    main(["export", TINY, "-o", str(model), "-q"])
    words = [word.format(tiny=model) for word in command]
    monkeypatch.setattr(click, "get_app_dir", lambda name: str(tmp_path / name))
    code = main(words)
    printed = capsys.readouterr().out
    assert printed
    before = set(Path().iterdir())
    assert main([*words, "-o", "-", "-q"]) == code
    assert capsys.readouterr().out == printed
    assert set(Path().iterdir()) == before


@pytest.mark.parametrize("suffix", [".mps", ".lp.gz", ".opb"])
def test_a_model_goes_to_stdout_in_a_format_that_is_named(
    suffix: str, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    path = tmp_path / f"tiny{suffix}"
    assert main(["export", TINY, "-o", str(path)]) == 0
    capfdbinary.readouterr()
    assert main(["export", TINY, "-o", "-", "--suffix", suffix]) == 0
    out, err = capfdbinary.readouterr()
    assert (out, err) == (path.read_bytes(), b"")
    assert main(["export", TINY, "-o", "-"]) == 2
    assert b"give --suffix" in capfdbinary.readouterr().err
    assert main(["export", TINY, "-o", str(path), "--suffix", ".dlx"]) == 2
    assert b"leave out .dlx" in capfdbinary.readouterr().err


def test_a_page_goes_to_stdout_and_a_folder_does_not(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "-o", "-"]) == 0
    assert capsys.readouterr().out.startswith("<!doctype html>")
    assert main(["prove", TINY, "-o", "-"]) == 2
    assert "name it with -o DIR" in capsys.readouterr().err


def test_a_model_is_named_as_an_instance_is_and_the_old_option_is_read_still(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model = str(tmp_path / "tiny.mps")
    answer = tmp_path / "tiny.sol"
    assert main(["export", TINY, "-o", model, "-q"]) == 0
    assert capsys.readouterr().err == ""
    for new, old in (
        (["solve", model], ["solve", "--model", model]),
        (["enumerate", model], ["enumerate", f"--model={model}"]),
        (["check", TINY, model], ["check", TINY, "--model", model]),
    ):
        assert main([*new, "-q"]) == main([*old, "-q"]) == 0
        assert capsys.readouterr().out == ""
    assert main(["check", model, str(answer)]) == 2
    answer.write_text("=infeas=\n")
    assert main(["check", model, str(answer), "--format", "json"]) == 1
    assert '"valid": false' in capsys.readouterr().out
    assert main(["check", model, str(answer), "--reveal", "4"]) == 2
    assert "is a model by itself; leave out --reveal" in capsys.readouterr().err


def test_options_that_are_commands_now_are_read_still(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    tiny = str(Path(TINY).resolve())
    (tmp_path / "months.yaml").write_text(
        'name: Months\ngrid: ["Jan Feb Mar 1", "2 3 4 5", "6 7 8 *"]\nuncover: [month, day]\n'
        'pieces: {I: ["###"], V: ["##", "#."], L: ["###", "#.."]}\n'
    )
    monkeypatch.chdir(tmp_path)
    assert main(["prove", tiny, "-o", "proof", "--parts", "tree"]) == 0
    capsys.readouterr()
    for new, old, number in (
        ("prove check proof {tiny}", "prove {tiny} --check proof", 1),
        ("prove check proof", "prove --check=proof", 1),
        ("prove dates months.yaml", "prove months.yaml --all-dates", 1),
        (
            "prove {tiny} -o some --parts tree,drat",
            "prove {tiny} -o some --part tree --part drat",
            1,
        ),
        ("export dates months.yaml -o year", "export months.yaml --all-dates -o year --resume", 2),
        ("export suite infeasible -o set", "export --suite infeasible -o set", 1),
        ("check folder year", "check year", 0),
    ):
        code = main(new.format(tiny=tiny).split())
        said = capsys.readouterr()
        assert main(old.format(tiny=tiny).split()) == code, old
        out, err = capsys.readouterr()
        assert out == said.out
        notes = [line for line in err.splitlines() if line.startswith("note: ")]
        assert len(notes) == number, err
        assert [line for line in err.splitlines() if line not in notes] == said.err.splitlines()


def test_options_may_stand_before_what_they_belong_to(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    tiny = str(Path("instances/tiny.yaml").resolve())
    monkeypatch.chdir(tmp_path)
    assert main(["export", tiny, "-q", "-o", "tiny.lp"]) == 0
    (tmp_path / "json").mkdir()  # is the word of an option, not the folder to check
    assert main(["check", "--model", "tiny.lp", tiny, "--format", "json"]) == 0
    assert main(["check", tiny, "tiny.lp", "--format", "json"]) == 0
    assert main(["check", "-q", "json"]) == 2
    assert "holds no model" in capsys.readouterr().err
    assert main(["bench", "--clock", "cpu", "report", "no.db"]) == 2
    assert "no.db: no such file" in capsys.readouterr().err
    assert main(["export", tiny, "-o", "-", "--suffix", ".lp", "--format", "json"]) == 2
    assert "--format goes with -o FILE" in capsys.readouterr().err
