"""Options and small helpers that several commands share."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from shlex import quote
from typing import Any

import click
from click.core import ParameterSource

from calmip import models
from calmip._limits import checked_seconds
from calmip.cli._command import Explained, Source
from calmip.cli._streams import ReaderLeft, note, put
from calmip.documents.reader import read_instance
from calmip.errors import InputError, shown
from calmip.problem.instance import Instance
from calmip.problem.puzzle import Puzzle
from calmip.render.text import Style
from calmip.solvers import ABOUT as SOLVERS_ABOUT
from calmip.solvers import solver_named

__all__ = [
    "check_alone",
    "check_empty",
    "deliver",
    "instance_from",
    "instance_options",
    "instance_or_model_options",
    "memory_limit_option",
    "note",
    "note_faults",
    "note_written",
    "optional_instance_options",
    "options_again",
    "output_stream",
    "placed_option",
    "quiet_option",
    "reduce_option",
    "refuse_unheeded",
    "refuse_unused",
    "refuse_workers",
    "seconds",
    "sharing_options",
    "solver_options",
    "terminal_style",
    "time_limit_option",
    "write",
    "year_of",
    "year_option",
]

Command = Callable[..., Any]


def _stacked(*options: Callable[[Command], Command]) -> Callable[[Command], Command]:
    def decorate(command: Command) -> Command:
        """Add the options to a command."""
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


_reveal_options = _stacked(
    click.option("--reveal", metavar="LABELS", help="Leave uncovered: month=Feb,day=29 or Feb,29."),
    click.option(
        "--date",
        metavar="DATE",
        help="Leave a date uncovered: 2024-02-29, today, tomorrow, +3 days.",
    ),
    click.option("--flip/--no-flip", default=None, help="Whether pieces may be turned over."),
)

placed_option = _stacked(
    click.option(
        "--placed",
        metavar="PIECES",
        help="What lies on the board, as in 'U:15+16 Y:3,0+4,0': places by label or row,column.",
    )
)

instance_options = _stacked(
    click.argument("source", type=Source(), metavar="INSTANCE"), _reveal_options
)

optional_instance_options = _stacked(
    click.argument("source", type=Source(), metavar="[INSTANCE]", required=False), _reveal_options
)

instance_or_model_options = _stacked(
    click.argument("source", type=Source(), metavar="[INSTANCE]", required=False),
    click.option(
        "--model",
        type=click.Path(path_type=Path),
        metavar="FILE",
        help="Take a model file (MPS, LP; .gz) of binary columns in the place of INSTANCE.",
    ),
    _reveal_options,
)


def seconds(text: str) -> float | None:
    """Return the time limit that a text means: a finite number of seconds above 0."""
    return checked_seconds(click.FLOAT(text))


def year_of(text: str) -> int:
    """Return the year that a text means; one before 1000 is written with four digits, too."""
    year = int(click.INT(text))
    if year > 0 and len(text.strip()) < 4:
        raise click.BadParameter(f"'{text}' has {len(text.strip())} digits; a year has four: 2027")
    return year


def year_option(text: str) -> Callable[[Command], Command]:
    """Return the option ``--year`` with its help text."""
    return click.option("--year", type=year_of, metavar="Y", help=text)


def time_limit_option(
    text: str = "Stop after so many seconds.", default: float | None = None
) -> Callable[[Command], Command]:
    """Return the option ``--time-limit`` with its help text and default."""
    return click.option(
        "--time-limit",
        type=seconds,
        metavar="SECONDS",
        default=default,
        show_default=default is not None,
        help=text,
    )


def memory_limit_option(text: str) -> Callable[[Command], Command]:
    """Return the option ``--memory-limit`` with its help text."""
    return click.option("--memory-limit", type=float, metavar="MB", help=text)


quiet_option = click.option(
    "-q", "--quiet", is_flag=True, help="Print nothing; the exit code tells."
)

reduce_option = click.option(
    "--reduce/--no-reduce",
    default=True,
    show_default=True,
    help="Leave out columns that no tiling can use.",
)

solver_options = _stacked(
    click.option("--solver", type=Explained(SOLVERS_ABOUT), default="highs", show_default=True),
    click.option(
        "--formulation", type=Explained(models.ABOUT), default="matrix", show_default=True
    ),
    time_limit_option(),
    click.option(
        "--seed", type=int, default=0, show_default=True, help="The solver's random seed."
    ),
    click.option("--threads", type=int, default=1, show_default=True, help="The solver's threads."),
)


sharing_options = _stacked(
    click.option(
        "--workers",
        type=click.IntRange(1, 64),
        default=1,
        show_default=True,
        help="Threads, or processes where those do not pay, that share a large count.",
    ),
    memory_limit_option("Count in parts, one after the other, where the arrays would take more."),
)


def instance_from(
    source: str,
    reveal: str | None,
    date: str | None,
    flip: bool | None,
    placed: str | None = None,
) -> Instance:
    """Return the instance that the shared options describe; note what is odd about its labels."""
    instance = read_instance(source, reveal=reveal, date=date, flip=flip, placed=placed)
    note_faults(instance.puzzle)
    return instance


def note_faults(puzzle: Puzzle) -> None:
    """Say on stderr what is odd about the labels of a puzzle, unless the command is quiet."""
    if not click.get_current_context().params.get("quiet"):
        for fault in puzzle.label_faults():
            note(f"note: {fault}")


def options_again() -> list[str]:
    """Return the options that say which instance is meant, as they were given, for a shell."""
    given = click.get_current_context().params
    said = [f"--{name} {quote(given[name])}" for name in ("reveal", "date") if given.get(name)]
    if given.get("flip") is not None:
        said.append("--flip" if given["flip"] else "--no-flip")
    return said


def check_alone(allowed: Sequence[str]) -> None:
    """Refuse options on the command line that say nothing about a model file.

    Raises
    ------
    InputError
        If an argument or option was given that is not among ``allowed``.
    """
    context = click.get_current_context()
    for parameter in context.command.params:
        given = context.get_parameter_source(parameter.name or "")
        if given is ParameterSource.COMMANDLINE and parameter.name not in ("model", *allowed):
            name = "INSTANCE" if parameter.name == "source" else parameter.opts[0]
            raise InputError(f"--model FILE is a model by itself; leave out {name}")


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
    context = click.get_current_context()
    for parameter in context.command.params:
        name = parameter.name or ""
        given = context.get_parameter_source(name) is ParameterSource.COMMANDLINE
        if given and name in names:
            off = parameter.secondary_opts if context.params.get(name) is False else []
            option = max(off or parameter.opts, key=len)
            raise InputError(f"{option} goes with {needed} only, and changes nothing here")


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
    source = click.get_current_context().get_parameter_source
    for name in solver_named(solver).unused:
        if source(name) is not ParameterSource.COMMANDLINE:
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
