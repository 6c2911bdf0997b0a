"""The command line: the only place that reads arguments and knows exit codes."""

from __future__ import annotations

import contextlib
import errno
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

import click

from calmip._interrupt import asked, listening
from calmip._version import __version__
from calmip.cli import _streams as streams
from calmip.cli._command import PrintsHelp
from calmip.cli._work import INTERRUPTED
from calmip.errors import (
    CalmipError,
    InputError,
    SolverFailed,
    SolverMissing,
    did_you_mean,
    shown,
)
from calmip.problem.status import Status

if TYPE_CHECKING:
    from calmip.tasks._result import Result

__all__ = ["exit_code", "main"]

FOUND, NONE, USAGE, LIMIT, FAILED = range(5)

EXIT_CODES = {
    Status.OPTIMAL: FOUND,
    Status.FEASIBLE: FOUND,
    Status.ACCEPTED: FOUND,
    Status.DONE: FOUND,
    Status.INFEASIBLE: NONE,
    Status.REFUSED: NONE,
    Status.UNKNOWN: LIMIT,
    Status.FAILED: FAILED,
}

# One line per command, in the groups of the help: name -> what --help says. A module is
# imported when its command is used.
GROUPS = {
    "Solve": {
        "play": "Open a page to play on, with the model and a solver inside.",
        "today": "Show today's tiling of your puzzle, which is remembered.",
        "solve": "Find one tiling of an instance, or prove that there is none.",
        "hint": "Say whether a position can be solved, and show one piece.",
        "explain": "Name what conflicts in an instance without a tiling.",
    },
    "All solutions": {
        "enumerate": "Find all tilings of an instance.",
        "count": "Count the tilings of an instance, or of a whole year.",
        "year": "The tilings of every date, as heat-map, table or data.",
        "calendar": "A verified tiling for every day of a year.",
        "prove": "Prove that the tilings of an instance are all there are.",
        "design": "Find the pieces that make every date solvable.",
        "rearrange": "Arrange months and days so that the year gets harder.",
    },
    "Other programs": {
        "export": "Write the model of an instance for other solvers.",
        "check": "Check a solution file of any solver against an instance.",
        "relax": "Solve the linear relaxation, with cuts and a picture.",
        "tree": "Draw the branch-and-bound tree of a small instance.",
        "compare": "Compare formulations: sizes, bounds, nodes, seconds.",
        "bench": "Campaigns of solvers on many instances, and reports of them.",
        "grade": "Mark an answer to one of the exercises of the course.",
    },
    "What there is": {
        "puzzles": "List the bundled puzzles, show one, or check your own.",
        "solvers": "List the solvers and formulations, and how to get them.",
    },
}
COMMANDS = {name: text for group in GROUPS.values() for name, text in group.items()}

EPILOG = """\b
Exit codes: 0 a tiling was found, 1 proved that there is none, 2 wrong input
or usage, 3 a limit came first, 4 a solver is missing or failed, 130 Ctrl-C."""


UNWRITABLE = frozenset(
    {errno.EAGAIN, errno.EBADF, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.ENOSPC, errno.EROFS}
)
"""What the system says where it cannot write to an open file, which then has no name."""


class _Commands(PrintsHelp, click.Group):
    """A group that imports a command's module when the command is used."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            # Caught before click does, which would end with 1: "there is no tiling". It is
            # not stdout, since what prints there raises another error.
            raise SolverFailed("a process that helped has ended too early") from None

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        command: click.Command = getattr(import_module(f"calmip.cli.{name}"), f"{name}_command")
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] not in COMMANDS and not args[0].startswith("-"):
            close = did_you_mean(args[0], COMMANDS)
            ctx.fail(
                f"No such command '{shown(args[0])}'."
                + (f" Did you mean {close}?" if close else "")
            )
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for group, commands in GROUPS.items():
            with formatter.section(group):
                # One width for all groups.
                formatter.write_dl([(f"{name:9}", text) for name, text in commands.items()])


@click.group(
    cls=_Commands,
    epilog=EPILOG,
    context_settings={"help_option_names": ["-h", "--help"]},
    no_args_is_help=False,  # as an error, the help would be one long line
    invoke_without_command=True,
)
@click.version_option(__version__, prog_name="calmip")
@click.pass_context
def cli(context: click.Context) -> None:
    """Calendar puzzles as mixed-integer programs.

    INSTANCE is the path of an instance or a puzzle in YAML, or the name of a
    bundled puzzle. Try: calmip solve a-puzzle-a-day --date today
    """
    if context.invoked_subcommand is None:
        with contextlib.suppress(streams.ReaderLeft):
            streams.put(f"{context.get_help()}\n")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program and return its exit code.

    Parameters
    ----------
    arguments
        The command line without the program's name; that of the process
        unless given.
    """
    with listening():
        return _run(arguments)


def _run(arguments: Sequence[str] | None) -> int:
    streams.prepare()
    try:
        code = cli.main(
            args=None if arguments is None else list(arguments),
            prog_name="calmip",
            standalone_mode=False,
        )
        # That somebody asked to end may have been lost in native code.
        return INTERRUPTED if asked() else code if isinstance(code, int) else FOUND
    except click.ClickException as error:
        _complain(error.format_message(), getattr(error, "ctx", None))
        return USAGE
    except InputError as error:
        _complain(str(error))
        return USAGE
    except (SolverMissing, SolverFailed, CalmipError) as error:
        _complain(str(error))
        return FAILED
    except (click.Abort, KeyboardInterrupt):
        return INTERRUPTED
    except MemoryError:
        _complain("not enough memory; use a smaller board, or count in place of enumerate")
        return FAILED
    except OSError as error:
        streams.drop(sys.stdout)
        _complain(_trouble(error))
        return USAGE


def exit_code(result: Result) -> int:
    """Return the exit code for how a result stands."""
    return EXIT_CODES[result.status]


def _trouble(error: OSError) -> str:
    """Return what the system refused: a file by its name, the output, or something else."""
    why = error.strerror or str(error)
    if error.filename is not None:
        return f"{error.filename}: {why}"
    if error.errno in UNWRITABLE:
        return f"cannot write the output: {why}"
    return f"the system refused: {why}"


def _complain(message: str, context: click.Context | None = None) -> None:
    """Print an error message on one line of stderr, what a terminal might obey made visible."""
    clean = shown(message, 4000)
    hint = f" (see {context.command_path} --help)" if context is not None else ""
    streams.note(f"calmip: error: {clean}{hint}")
