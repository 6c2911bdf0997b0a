"""Pages that are written from the program itself: its commands, and the counts it knows."""

from __future__ import annotations

import html
import re
from typing import Any

import click

from calmip.cli import COMMANDS, cli
from calmip.documents.reader import bundled_puzzles, read_puzzle


def on_files(files: Any, config: Any, **_: Any) -> Any:
    """Add the generated pages to the site."""
    from mkdocs.structure.files import File

    for uri, text in (("reference/cli.md", commands()), ("reference/counts.md", counts())):
        files.append(File.generated(config, uri, content=text))
    return files


def commands() -> str:
    """Return the reference of the command line."""
    context = click.Context(cli, info_name="calmip")
    lines = [
        "# Commands",
        "",
        "Written from the program when this site is built; `calmip COMMAND --help` says the same.",
        "",
        "`INSTANCE` is the path of an instance or a puzzle in YAML ([keys](files.md)), or the name "
        "of a bundled puzzle. Exit codes: [Files and exit codes](files.md#exit-codes).",
    ]
    for name, (_, summary) in COMMANDS.items():
        command = cli.get_command(context, name)
        assert command is not None
        lines += ["", f"## calmip {name}", "", summary, ""]
        lines += _command(click.Context(command, info_name=f"calmip {name}"), command)
    return "\n".join(lines) + "\n"


def _command(context: click.Context, command: click.Command) -> list[str]:
    usage = " ".join(command.collect_usage_pieces(context))
    lines = ["```text", f"{context.info_name} {usage}", "```", ""]
    body = (command.help or "").replace("\b\n", "").split("\n\n")
    lines += ["\n\n".join(" ".join(part.split()) for part in body[1:]), ""]
    rows = [
        record
        for parameter in command.get_params(context)
        if isinstance(parameter, click.Option) and (record := parameter.get_help_record(context))
    ]
    if rows:
        lines += ["| option | meaning |", "|---|---|"]
        lines += [f"| <code>{_cell(names)}</code> | {_cell(text)} |" for names, text in rows]
    return lines


def _cell(text: str) -> str:
    return html.escape(" ".join(text.split())).replace("|", "&#124;")


def counts() -> str:
    """Return the published counts of the bundled puzzles, each with its sources."""
    lines = [
        "# Known counts and their sources",
        "",
        "What others have published about the bundled puzzles, from the puzzle files "
        "(`calmip puzzles NAME` shows the same). `all` is the number of tilings over every "
        "combination of labels, `valid` over real dates only, `min` and `max` those of the hardest "
        "and the easiest date; [all keys](files.md#a-puzzle). calmip's own counts agree with "
        "them: the test suite compares.",
    ]
    for name in bundled_puzzles():
        puzzle = read_puzzle(name)
        lines += ["", f"## {name}", "", _plain(puzzle.name), ""]
        if puzzle.note:
            lines += [f"*Note:* {_plain(puzzle.note)}", ""]
        lines += [f"* {_plain(key)}: {_value(value)}" for key, value in puzzle.counts.items()]
        lines += ["", *(["Sources:", ""] if puzzle.sources else [])]
        lines += [f"* {_plain(source)}" for source in puzzle.sources]
    return "\n".join(lines) + "\n"


def _plain(text: str) -> str:
    """Return Markdown that shows a text of a puzzle file as it is."""
    return re.sub(r"([\\`*_{}\[\]])", r"\\\1", html.escape(text, quote=False))


def _value(value: object) -> str:
    if isinstance(value, dict) and "count" in value:
        dates = value.get("dates")
        return _value(value["count"]) + (f" ({_value(dates)})" if dates else "")
    if isinstance(value, dict):
        return ", ".join(f"{_plain(key)}: {_value(inner)}" for key, inner in value.items())
    if isinstance(value, (list, tuple)):
        return " and ".join(map(str, value))
    text = str(value)
    return f"{int(text):,}" if text.isdecimal() else text
