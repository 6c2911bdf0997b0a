"""One rule for every --time-limit: which numbers it takes, and what is said of the others."""

import click
import pytest

from calmip.cli import COMMANDS, cli, main

CONTEXT = click.Context(cli)
LIMITED = [
    name
    for name in COMMANDS
    if any(option.name == "time_limit" for option in cli.get_command(CONTEXT, name).params)
]


def test_these_commands_have_a_time_limit() -> None:
    expected = {"solve", "enumerate", "count", "year", "hint", "explain", "check", "compare"}
    expected |= {"relax", "tree", "prove", "calendar"}
    assert expected <= set(LIMITED)


@pytest.mark.parametrize("command", LIMITED)
@pytest.mark.parametrize(
    ("text", "number"),
    [("0", "0"), ("-1", "-1"), ("inf", "inf"), ("-inf", "-inf"), ("nan", "nan"), ("1e999", "inf")],
)
def test_every_command_refuses_the_same_with_the_same_words(
    command: str, text: str, number: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([command, f"--time-limit={text}", "nosuch"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err == (f"calmip: error: the time limit is a number of seconds above 0, not {number}\n")


@pytest.mark.parametrize("command", LIMITED)
def test_what_is_no_number_is_named(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([command, "--time-limit=soon", "nosuch"]) == 2
    assert "'--time-limit': 'soon' is not a valid float" in capsys.readouterr().err
