"""Options and small helpers that several commands share."""

from __future__ import annotations

import contextlib
import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from shlex import quote
from typing import Any

import click
from click.core import ParameterSource

from calmip._limits import checked_seconds
from calmip.cli._command import Explained
from calmip.cli._streams import ReaderLeft, note, put
from calmip.errors import InputError, shown
from calmip.problem.instance import Instance
from calmip.problem.puzzle import Puzzle
from calmip.render.text import Style
from calmip.solvers import ABOUT as SOLVERS_ABOUT
from calmip.solvers import solver_named

__all__ = [
    "Named",
    "Names",
    "Years",
    "check_alone",
    "check_empty",
    "deliver",
    "flip_option",
    "instance_options",
    "is_given",
    "note",
    "note_faults",
    "note_written",
    "options_again",
    "output_stream",
    "quiet_option",
    "refuse_unheeded",
    "refuse_unused",
    "refuse_workers",
    "seconds",
    "terminal_style",
    "typed",
    "verbose_option",
    "write",
    "year_of",
]

Command = Callable[..., Any]

MOST_YEARS = 100


flip_option = click.option(
    "--flip/--no-flip", default=None, help="Whether pieces may be turned over."
)

verbose_option = click.option(
    "-v", "--verbose", is_flag=True, help="Show the solver's own lines on stderr."
)

_reveal_option = click.option(
    "--reveal", metavar="LABELS", help="Leave uncovered: month=Feb,day=29 or Feb,29."
)

_date_option = click.option(
    "--date",
    metavar="DATE",
    help="Leave a date uncovered: 2024-02-29, today, tomorrow, +3 days.",
)

_placed_option = click.option(
    "--placed",
    metavar="PIECES",
    help="What lies on the board, as in 'U:15+16 Y:3,0+4,0': places by label or row,column.",
)


def instance_options(command: Command) -> Command:
    """Add the options that say which instance of a puzzle is meant."""
    for option in (_placed_option, flip_option, _date_option, _reveal_option):
        command = option(command)
    return command


def seconds(text: str) -> float | None:
    """Return the time limit that a text means: a finite number of seconds above 0."""
    return checked_seconds(click.FLOAT(text))


def year_of(text: str) -> int:
    """Return the year that a text means; one before 1000 is written with four digits, too."""
    year = int(click.INT(text))
    if year > 0 and len(text.strip()) < 4:
        raise click.BadParameter(f"'{text}' has {len(text.strip())} digits; a year has four: 2027")
    return year


class Names(Explained):
    """Several words with commas between them; the option may be repeated instead."""

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, ...]:
        """Return the words, which are known if the option explains any."""
        words = [word.strip() for word in value.split(",")]
        return tuple(super(Names, self).convert(word, param, ctx) if self.about else word
                     for word in words)  # fmt: skip

    def get_metavar(self, *_: Any, **__: Any) -> str:
        """Return what stands for the words in the help."""
        return "NAMES"


class Named(click.ParamType):  # type: ignore[type-arg] # generic in newer versions only
    """A number for a placement: ``PLACEMENT=NUMBER``."""

    name = "PLACEMENT=NUMBER"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, float]:
        """Return the name and the number."""
        name, _, number = value.rpartition("=")
        try:
            found = name, float(number)
        except ValueError:
            found = "", 0.0
        if not found[0]:
            self.fail(f"PLACEMENT=NUMBER is needed, not '{shown(value)}'", param, ctx)
        return found


class Years(click.ParamType):  # type: ignore[type-arg] # generic in newer versions only
    """A year, or the first and the last of several."""

    name = "YEAR"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> int | range:
        """Return the year, or the years that a text such as ``2026-2031`` means."""
        if "-" not in value[1:]:
            return year_of(value)
        found = re.fullmatch(r"(\d{4})-(\d{4})", value, re.ASCII)
        first, last = map(int, found.groups()) if found else (0, 0)
        if not 1 <= first <= last:
            what = "a year, or a first and a last one such as 2026-2031"
            self.fail(f"{what}, not '{shown(value)}'", param, ctx)
        if last - first >= MOST_YEARS:
            self.fail(f"at most {MOST_YEARS} years at once", param, ctx)
        return range(first, last + 1)


quiet_option = click.option(
    "-q", "--quiet", is_flag=True, help="Print nothing; the exit code tells."
)


def note_faults(puzzle: Puzzle) -> None:
    """Say on stderr what is odd about the labels of a puzzle, unless the command is quiet."""
    if not click.get_current_context().params.get("quiet"):
        for fault in puzzle.label_faults():
            note(f"note: {fault}")


def options_again() -> list[str]:
    """Return the options that say which instance is meant, as they were given, for a shell."""
    given = click.get_current_context().params
    said = [
        f"--{name} {quote(given[name])}" for name in ("reveal", "date", "placed") if given.get(name)
    ]
    if given.get("flip") is not None:
        said.append("--flip" if given["flip"] else "--no-flip")
    return said


def typed(name: str) -> str:
    """Return an option or an argument by its parameter's name, as it was typed."""
    context = click.get_current_context()
    parameter = next(one for one in context.command.params if one.name == name)
    if isinstance(parameter, click.Argument):
        return (parameter.metavar or name).strip("[]")
    off = parameter.secondary_opts if context.params.get(name) is False else []
    return max(off or parameter.opts, key=len)


def is_given(name: str) -> bool:
    """Return whether an option or an argument stands on the command line."""
    source = click.get_current_context().get_parameter_source(name)
    return source is ParameterSource.COMMANDLINE


def check_alone(model: str, allowed: Sequence[str]) -> None:
    """Refuse options on the command line that say nothing about a model file.

    Raises
    ------
    InputError
        If an argument or option was given that is not among ``allowed``.
    """
    for name in click.get_current_context().params:
        if is_given(name) and name not in ("source", *allowed):
            raise InputError(f"{shown(model, 200)} is a model by itself; leave out {typed(name)}")


def refuse_unused(needed: str, *names: str) -> None:
    """Refuse options on the command line that would change nothing.

    Parameters
    ----------
    needed
        What they go with.
    names
        The options, as parameters of the command.

    Raises
    ------
    InputError
        If one of them was given.
    """
    for name in names:
        if is_given(name):
            raise InputError(f"{typed(name)} goes with {needed} only, and changes nothing here")


def refuse_workers(dask: str | None) -> None:
    """Refuse a number of workers where a cluster has its own.

    Raises
    ------
    InputError
        If it was given beside the address of a cluster elsewhere.
    """
    if dask not in (None, "local"):
        refuse_unused("--dask local, or without --dask,", "workers")


def refuse_unheeded(solver: str) -> None:
    """Refuse options of a solver that this one does not heed.

    Raises
    ------
    InputError
        If the seed or the threads were given, and change nothing.
    """
    for name in solver_named(solver).unused:
        if not is_given(name):
            continue  # and the other solvers need not be loaded
        others = [one for one in SOLVERS_ABOUT if name not in solver_named(one).unused]
        refuse_unused(f"--solver {' or '.join(others)}", name)


def check_empty(instance: Instance) -> None:
    """Refuse a position where every piece is to be free.

    Raises
    ------
    InputError
        If the instance has placed pieces.
    """
    if instance.placed:
        raise InputError("this starts from an empty board; leave out the key 'placed'")


def terminal_style(output: Path | None) -> Style:
    """Return colours and boxes for a terminal, plain characters for all else.

    ``NO_COLOR`` (no-color.org) and a dumb terminal get plain characters.
    """
    plain = (
        output is not None
        or not sys.stdout.isatty()
        or bool(os.environ.get("NO_COLOR"))
        or os.environ.get("TERM") == "dumb"
    )
    if plain:
        return Style()
    try:
        "└".encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return Style(colour=True)
    return Style(colour=True, boxes=True)


def deliver(text: str, output: Path | None) -> None:
    """Write a result to a file, whole or not at all, or to stdout as long as somebody reads it."""
    if output is None:
        with contextlib.suppress(ReaderLeft):
            put(text)
        return
    write(output, text.encode())


def write(output: Path, data: bytes) -> None:
    """Write a result to a file, whole or not at all, and say on stderr where it is."""
    from calmip._files import write_atomically

    write_atomically(output, data)
    note_written(output)


def note_written(output: Path) -> None:
    """Say on stderr which file was written, unless the command is quiet.

    Every command says so of every result that goes to a file.
    """
    if not click.get_current_context().params.get("quiet"):
        note(f"wrote {shown(output, 300)}")


@contextlib.contextmanager
def output_stream(output: Path | None) -> Iterator[Callable[[str], None]]:
    """Yield a function that writes and flushes a text to stdout or to a growing file.

    It raises `ReaderLeft` when nobody reads stdout any more.
    """
    if output is None:
        yield put
        return
    from calmip._files import part_file

    with part_file(output) as grow:
        yield grow
    note_written(output)
