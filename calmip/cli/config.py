"""Show the defaults of options: those of a file, and those of variables."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import click

from calmip._base.errors import CalmipError, clip
from calmip.cli._defaults import (
    ALL,
    COMMON_KEYS,
    FILE,
    check_tables,
    check_variables,
    find_file,
    key_of,
    of_command,
    read_table,
    variable_of,
)
from calmip.cli._variables import PREFIX
from calmip.features import FEATURES
from calmip.mip.status import Status
from calmip.puzzle.render.report import Block, DataTable, Document, Output, forms_from
from calmip.puzzle.tasks.results import Result


class Default(NamedTuple):
    """A default that a file or a variable sets.

    Attributes
    ----------
    command
        The command, or ``all``.
    option
        The option.
    value
        Its default.
    origin
        The file and the key, or the variable.
    """

    command: str
    option: str
    value: Any
    origin: str


@dataclass(frozen=True, repr=False)
class Configuration(Result):
    """The defaults that are in effect in the current folder.

    Parameters
    ----------
    file
        The file of defaults; None without one.
    settings
        The defaults by commands: those of the file, then those of variables, which come first.
    """

    file: Path | None
    settings: tuple[Default, ...]

    status = Status.DONE

    def _summary(self) -> str:
        return f"{self.file or 'no file'}, {len(self.settings)} defaults"


def config() -> Configuration:
    """Show the defaults of options that a file or variables set.

    The file is the nearest calmip.toml, or pyproject.toml with a table [tool.calmip], of the
    current folder and those above it. An option above its tables is for all commands, but
    changes no marks of grade and no times of bench. A table such as [solve] or [bench.run] has
    the options of a command. A variable such as CALMIP_SOLVE_TIME_LIMIT comes before the file,
    and the command line before both.

    Raises
    ------
    InputError
        If the file has a wrong key or value, or a variable begins like those of a command and
        is no option's.
    """
    path = find_file()
    table = read_table(path) if path is not None else {}
    commands = list(_commands(table))
    settings: list[Default] = []
    if path is not None:
        check_tables(path, table)
        settings += _of_file(path, table, commands)
    for command in commands:
        check_variables(command)
        for one in command.params:
            variable = variable_of(command, one.name or "")
            if isinstance(one, click.Option) and (value := os.environ.get(variable)):
                settings.append(Default(command.name or "", key_of(one), value, variable))
    return Configuration(path, tuple(settings))


def _of_file(
    path: Path, table: Mapping[str, Any], commands: Iterable[click.Command]
) -> Iterable[Default]:
    """Return the defaults of a file; one for all commands is listed once."""
    found: dict[str, Default] = {}
    for command in commands:
        named = {one.name: one for one in command.params}
        for name, (key, value) in of_command(path, table, command).items():
            whose = ALL if key in COMMON_KEYS else command.name or ""
            found.setdefault(key, Default(whose, key_of(named[name]), value, f"{path.name}: {key}"))
    return found.values()


def _commands(table: Mapping[str, Any]) -> Iterator[click.Command]:
    """Yield the commands that a file or a variable may mean, those below others included."""
    from calmip.cli import cli

    context = click.Context(cli)
    everywhere = any(key in COMMON_KEYS for key in table)
    for name in FEATURES:
        start = f"{PREFIX}_{name}_".upper().replace("-", "_")
        if not (everywhere or name in table or any(one.startswith(start) for one in os.environ)):
            continue  # To load all of them takes more than a second.
        try:
            feature = FEATURES[name]
            found = [cli.get_command(context, name)] if feature.task else []
            found += [cli.get_command(context, f"{name} {one}") for one in feature.below]
        except CalmipError:  # of another package
            continue
        yield from (one for one in found if one is not None)


def _shown(value: Any) -> str:
    return clip(", ".join(value) if isinstance(value, list) else value)


def _report(found: Configuration) -> Document:
    blocks: list[Block] = [
        f"defaults from {found.file}" if found.file else f"no {FILE}, and no [tool.calmip]"
    ]
    rows = [
        (one.command, f"--{one.option}", _shown(one.value), one.origin) for one in found.settings
    ]
    if rows:
        head = ("command", "option", "default", "from")
        blocks += ["", DataTable(head, rows, "", left=range(4))]
    return Document("Defaults", blocks)


CONFIGURATION = Output(forms_from(_report))
