"""The defaults of options in a file: ``calmip.toml``, or a table of ``pyproject.toml``."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import click

from calmip._base.errors import CalmipError, InputError, clip, did_you_mean, join_words
from calmip.cli._variables import PREFIX
from calmip.features import FEATURES, feature_named

FILE = "calmip.toml"
PROJECT = "pyproject.toml"
HEADING = b"[tool.calmip"

MAX_BYTES = 1 << 20
"""The largest file of defaults."""

COMMON_KEYS = (
    "flip",
    "formulation",
    "integer-default",
    "memory-limit",
    "paper",
    "quiet",
    "seed",
    "solver",
    "theme",
    "threads",
    "time-limit",
    "verbose",
    "workers",
)
"""The options that may stand above the tables of a file, for all commands that have them."""

LOOKS = ("paper", "quiet", "theme", "verbose")
"""Those of them that change no result."""

JUDGES = ("bench", "grade")
"""The commands whose times and marks only their own tables change."""

ALL = "all"
"""The command of a default for all commands that have the option."""

TYPED_ONLY = ("force", "output", "resume", "unprotected", "yes")
"""The options that are no defaults: they write, overwrite or take a risk."""


def defaults_of(command: click.Command) -> dict[str, Any]:
    """Return the defaults of a command's parameters that the nearest file sets.

    Raises
    ------
    InputError
        If a key or a value is wrong; the error names the file and the key.
    """
    path = find_file()
    if path is None:
        return {}
    table = read_table(path)
    check_tables(path, table)
    return {name: value for name, (_, value) in of_command(path, table, command).items()}


def find_file() -> Path | None:
    """Return the nearest file of defaults; None without one."""
    try:
        here = Path.cwd()
    except OSError:  # it is gone
        return None
    for folder in (here, *here.parents):
        if os.path.lexists(path := folder / FILE):  # what is no file is refused later
            return path
        try:
            # A project without the table needs no parser.
            with (folder / PROJECT).open("rb") as file:
                if HEADING in file.read(MAX_BYTES):
                    return folder / PROJECT
        except OSError:
            continue
    return None


def variable_of(command: click.Command, option: str) -> str:
    """Return the variable that sets the default of an option."""
    words = f"{PREFIX} {command.name} {option}".upper()
    return words.replace(" ", "_").replace("-", "_")


def check_variables(command: click.Command) -> None:
    """Raise `InputError` if a variable begins like those of a command and is no option's."""
    start = variable_of(command, "")
    first, _, last = (command.name or "").partition(" ")
    feature = feature_named(first) if not last else None
    below = [f"{start}{name}_".upper() for name in (feature.below if feature else ())]
    known = {variable_of(command, one.name or "") for one in command.params}
    for name in sorted(os.environ):
        if name.startswith(start) and name not in known and not name.startswith((*below,)):
            near = did_you_mean(name, known)
            remedy = f"did you mean {near}?" if near else "calmip config lists what is set"
            raise InputError(
                f"the variable {clip(name)} is no option of calmip {command.name}; {remedy}"
            )


def key_of(option: click.Parameter) -> str:
    """Return the name of an option as a key: without the hyphens at its start."""
    return max(option.opts, key=len).lstrip("-")


def read_table(path: Path) -> dict[str, Any]:
    """Return the table of a file."""
    import tomllib

    from calmip._base.files import read_bytes

    data = read_bytes(path, MAX_BYTES)
    try:
        table: Any = tomllib.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise InputError("is not UTF-8 text; save it as UTF-8", path=path) from None
    except ValueError as error:
        raise InputError(f"is no TOML file: {error}", path=path) from None
    for key in ("tool", "calmip") if path.name == PROJECT else ():
        table = table.get(key, {})
        if not isinstance(table, dict):
            raise InputError(f"'{key}' is a table: write [tool.calmip]", path=path)
    found: dict[str, Any] = table
    return found


def check_tables(path: Path, table: Mapping[str, Any]) -> None:
    """Raise `InputError` if a table is no command's, or a key above the tables is wrong."""
    for key, value in table.items():
        if not isinstance(value, dict):
            if key not in COMMON_KEYS:
                raise _not_common(path, key)
            continue
        try:
            feature = feature_named(key)
        except CalmipError:  # of another package
            continue
        if feature is None:
            raise _no_command(path, key, FEATURES)
        for name in () if feature.task else value:
            if name not in feature.below:
                raise _no_command(path, f"{key}.{name}", [f"{key}.{one}" for one in feature.below])


def _not_common(path: Path, key: str) -> InputError:
    """Return the error that a key stands above the tables and is no option of all commands."""
    if key in FEATURES:
        return InputError(f"'{key}' is a command: write [{key}]", path=path)
    near = did_you_mean(key, COMMON_KEYS)
    remedy = f"did you mean {near}?" if near else "put it into a table such as [solve]."
    fault = f"'{clip(key)}' is no option of all commands; {remedy}"
    return InputError(f"{fault} These are {join_words(COMMON_KEYS)}", path=path)


def _no_command(path: Path, name: str, known: Iterable[str]) -> InputError:
    """Return the error that a table is no command's."""
    near = did_you_mean(name, known)
    remedy = f"did you mean [{near}]?" if near else "calmip --help lists the commands"
    return InputError(f"[{clip(name)}] is no command; {remedy}", path=path)


def of_command(
    path: Path, table: Mapping[str, Any], command: click.Command
) -> dict[str, tuple[str, Any]]:
    """Return the defaults of a command by parameter, each with its key."""
    options = {key_of(one): one for one in command.params if isinstance(one, click.Option)}
    found: dict[str, tuple[str, Any]] = {}
    first, _, last = (command.name or "").partition(" ")
    for key in COMMON_KEYS if first not in JUDGES else LOOKS:
        if key in table and (option := options.get(key)) is not None:
            found[option.name or ""] = (key, _value(path, key, option, table[key]))
    feature, inner, place = feature_named(first), table.get(first, {}), first
    below = set(feature.below) if feature else set()
    if last:
        inner, place, below = inner.get(last, {}), f"{first}.{last}", set()
    if not isinstance(inner, dict):
        raise InputError(f"'{place}' is a command: write [{place}]", path=path)
    for key, value in inner.items():
        if key in below:
            continue
        shown, option = f"{place}.{key}", options.get(key)
        if option is None:
            near = did_you_mean(key, options)
            remedy = f"; did you mean {near}?" if near else ""
            raise InputError(
                f"'{clip(shown)}': {clip(key)} is no option of calmip {command.name}{remedy}",
                path=path,
            )
        found[option.name or ""] = (shown, _value(path, shown, option, value))
    return found


def _value(path: Path, key: str, option: click.Option, value: Any) -> Any:
    """Return a value of a file as its option takes it."""
    if key_of(option) in TYPED_ONLY:
        raise InputError(f"'{key}' is no default; type --{key_of(option)}", path=path)
    if option.is_flag:
        if not isinstance(value, bool):
            raise InputError(f"'{key}' is true or false, not {clip(repr(value))}", path=path)
        return value
    words = value if isinstance(value, list) else [value]
    if any(isinstance(one, (bool, dict, list)) for one in words):
        raise InputError(f"'{key}' is a text or a number, not {clip(repr(value))}", path=path)
    if isinstance(value, list) and not option.multiple:
        raise InputError(f"'{key}' is one value, not a list", path=path)
    texts = [str(one) for one in words]
    try:
        for one in texts:
            option.type.convert(one, option, None)
    except (click.BadParameter, InputError) as error:
        fault = error.message if isinstance(error, InputError) else error.format_message()
        raise InputError(f"'{key}': {fault.partition(': ')[2] or fault}", path=path) from None
    return texts if option.multiple else texts[0]
