"""Options that mean the same in every command: which commands have them, and why others do not."""

from __future__ import annotations

import inspect
import re
import shlex
from pathlib import Path
from typing import Any

import click
import pytest

from calmip.cli import cli, main
from calmip.cli._stdin import ANSWERS
from calmip.features import OWN, load
from calmip.puzzle.tasks.check import ENDINGS

TINY = "instances/tiny.yaml"
SIZES = ("LENGTH", "SIZE")
CUT = OWN["cut"].parameters if "cut" in OWN else {}
WRITERS_OF_MODELS = {"export", "export dates", "export suite", "generate"}
CONTEXT = click.Context(cli)
FEATURES = {
    name: feature
    for first, above in OWN.items()
    for name, feature in [
        (first, above),
        *((f"{first} {name}", one) for name, one in above.below.items()),
    ]
    if feature.task
}


def options(name: str) -> set[str]:
    command = cli.get_command(CONTEXT, name)
    assert command is not None
    return {option for parameter in command.params for option in parameter.opts}


@pytest.mark.parametrize("name", FEATURES)
def test_every_command_has_these_options(name: str) -> None:
    assert {"--quiet", "--format", "--output"} <= options(name)


@pytest.mark.parametrize("name", FEATURES)
def test_long_work_has_a_limit_or_can_be_continued(name: str) -> None:
    """What counts its steps may take long: it has a time limit, or goes on where it was."""
    steps = FEATURES[name].steps
    if steps.counts and "--time-limit" not in options(name):
        # A part of a proof proves nothing; --starts is the limit of rearrange.
        assert steps.part or steps.left or steps.unfinished or "--starts" in options(name)


def test_stdin_has_a_suffix_where_it_may_be_of_several_kinds() -> None:
    """The suffix of ``export`` is that of what it writes."""
    reads = {name for name, one in FEATURES.items() if one.models and "suffix" not in one.models}
    assert reads > {"solve", "check", "check file", "explain", "enumerate", "count"}
    assert {name for name in FEATURES if "--suffix" in options(name)} - WRITERS_OF_MODELS == reads
    assert set(ANSWERS) == {one for one in ENDINGS if one.count(".") == 1}


@pytest.mark.trade("design")
def test_solvers_show_their_own_lines_where_one_solver_runs() -> None:
    """A comparison would be slower if the solvers printed their lines."""
    assert {name for name in FEATURES if "--verbose" in options(name)} == {
        "solve",
        "enumerate",
        "design model",
    }


LISTS = dict.fromkeys(("--solver", "--formulation"), "compare formulations")
"""Options that take one word, and the command that takes several."""


def test_an_option_takes_one_kind_of_value_and_no_two_differ_by_an_s() -> None:
    kinds: dict[str, dict[str, set[str]]] = {}
    for name in FEATURES:
        command = cli.get_command(CONTEXT, name)
        assert command is not None
        for one in command.params:
            if isinstance(one, click.Option) and LISTS.get(one.opts[-1]) != name:
                kind = "list" if one.multiple else "flag" if one.is_flag else "value"
                kind = "number" if one.type in (click.INT, click.FLOAT) else kind
                for option in one.opts:
                    kinds.setdefault(option, {}).setdefault(kind, set()).add(name)
    assert not {option: found for option, found in kinds.items() if len(found) > 1}
    assert not [option for option in kinds if f"{option}s" in kinds]


@pytest.mark.parametrize("name", FEATURES)
def test_a_letter_is_one_option(name: str) -> None:
    for letter, option in {"-q": "--quiet", "-v": "--verbose", "-o": "--output"}.items():
        assert (letter in options(name)) == (option in options(name))


@pytest.mark.parametrize("name", FEATURES)
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
    command: list[str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
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


@pytest.mark.trade("proofs")
def test_a_page_goes_to_stdout_and_a_folder_does_not(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "-o", "-"]) == 0
    assert capsys.readouterr().out.startswith("<!doctype html>")
    assert main(["prove", TINY, "-o", "-"]) == 2
    assert "name it with -o DIR" in capsys.readouterr().err


def test_a_model_is_named_as_an_instance_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model = str(tmp_path / "tiny.mps")
    answer = tmp_path / "tiny.sol"
    assert main(["export", TINY, "-o", model, "-q"]) == 0
    assert capsys.readouterr().err == ""
    for words in (["solve", model], ["enumerate", model], ["check", TINY, model]):
        assert main([*words, "-q"]) == 0
        assert capsys.readouterr().out == ""
    assert main(["check", model, str(answer)]) == 2
    answer.write_text("=infeas=\n")
    assert main(["check", model, str(answer), "--format", "json"]) == 1
    assert '"valid": false' in capsys.readouterr().out
    assert main(["check", model, str(answer), "--reveal", "4"]) == 2
    assert "is a model, not a puzzle; leave out --reveal" in capsys.readouterr().err


@pytest.mark.trade("bench")
def test_options_may_stand_before_what_they_belong_to(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    tiny = str(Path("instances/tiny.yaml").resolve())
    monkeypatch.chdir(tmp_path)
    assert main(["export", tiny, "-q", "-o", "tiny.lp"]) == 0
    (tmp_path / "json").mkdir()  # is the word of an option, not the folder to check
    assert main(["check", "--format", "json", tiny, "tiny.lp"]) == 0
    assert main(["check", "-q", "json"]) == 2
    assert "holds no model" in capsys.readouterr().err
    assert main(["bench", "--clock", "cpu", "report", "no.db"]) == 2
    assert "no.db: no such file" in capsys.readouterr().err
    assert main(["export", tiny, "-o", "-", "--suffix", ".lp", "--format", "json"]) == 2
    assert "--format goes with -o FILE" in capsys.readouterr().err


@pytest.mark.parametrize("name", [name for name in FEATURES if " " in name])
def test_options_may_stand_before_a_command_below_another(name: str) -> None:
    first, second = name.split()
    _, *words = shlex.split(FEATURES[name].examples[0])
    assert words[:2] == [first, second]
    at = words.index("-o") if "-o" in words else len(words)
    words = [first, "-q", "-o", second, *words[1:at], *words[at + 2 :]]
    _, command, rest = cli.resolve_command(CONTEXT, words)
    assert command is not None
    context = command.make_context(first, rest, parent=CONTEXT)
    assert (context.info_name, context.command.name) == (name, name)
    assert (context.params["quiet"], context.params["output"]) == (True, Path(second))


@pytest.mark.parametrize(
    "words",
    ["solve tiny --seed 3", "check a.mps b.sol", "prove check folder", "bench run c.yaml -o r.db"],
)
def test_a_command_line_is_read_once(words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """By one parser; the words that are no options are divided among the arguments by another."""
    read: list[list[str]] = []
    kind = type(click.Command(None).make_parser(CONTEXT))
    parse = kind.parse_args

    def counted(parser: Any, args: list[str]) -> Any:
        read.append(list(args))
        return parse(parser, args)

    monkeypatch.setattr(kind, "parse_args", counted)
    first, *typed = words.split()
    _, command, rest = cli.resolve_command(CONTEXT, [first, *typed])
    assert command is not None
    command.make_context(first, rest, parent=CONTEXT)
    assert [args for args in read if args[:1] != ["--"]] == [typed]


@pytest.mark.parametrize("name", FEATURES)
def test_what_writes_a_file_asks_for_its_name(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    feature = FEATURES[name]
    parameter = inspect.signature(load(feature.task)).parameters.get(feature.output)
    if parameter is not None and parameter.default is parameter.empty:
        _, *words = shlex.split(feature.examples[0])
        at = words.index("-o")
        assert main([*words[:at], *words[at + 2 :]]) == 2
        assert re.match(r"calmip: error: -o [A-Z]+ is missing\. [A-Z]", capsys.readouterr().err)


@pytest.mark.parametrize("name", [name for name, one in CUT.items() if one.value in SIZES])
def test_a_wrong_length_names_its_option(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    most = "99999x1" if CUT[name].value == "SIZE" else "99999"
    for value, fault in (("5xx", "'5xx' is not a "), (most, f"the {name}")):
        assert main(["cut", "heart-set1", f"--{name}", value]) == 2
        assert capsys.readouterr().err.startswith(f"calmip: error: --{name}: {fault}")


@pytest.mark.trade("workshop", "design")
def test_what_another_command_writes_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["puzzles", "heart-set1", "-o", str(tmp_path / "x.dxf")]) == 2
    assert capsys.readouterr().err.endswith("or give --format, or use calmip cut\n")
    assert main(["puzzles", "heart-set1", "--cell", "5mm"]) == 2
    assert "--cell is an option of calmip cut" in capsys.readouterr().err
    assert main(["rearrange", "heart-set1", "-o", str(tmp_path / "x.html")]) == 2
    assert "is not one of .yaml, .yml, .json;" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_a_text_of_another_suffix_names_those_of_models(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model = tmp_path / "tiny.lp"
    assert main(["export", TINY, "-o", str(model), "-q"]) == 0
    text = model.rename(tmp_path / "tiny.txt")
    capsys.readouterr()
    assert main(["solve", str(text)]) == 2
    said = capsys.readouterr().err
    assert ".txt is not a suffix of a model or an instance; these are .mps, .lp, .opb" in said


def test_a_dash_in_a_folder_is_a_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    source = str(Path(TINY).resolve())
    monkeypatch.chdir(tmp_path)
    assert main(["count", source, "--format", "json", "-o", "./-"]) == 0
    assert (tmp_path / "-").read_text().startswith("{")
    assert capsys.readouterr().out == ""
