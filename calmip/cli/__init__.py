"""The command line: the only place that reads arguments and knows exit codes."""

from __future__ import annotations

import contextlib
import errno
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from calmip._interrupt import asked, listening
from calmip._version import __version__
from calmip.cli import _streams as streams
from calmip.cli._command import About, PrintsHelp, named
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

# One declaration per command, in the groups of the help. One with examples is made of its task;
# the others have modules. Either is imported when the command is used.
GROUPS = {
    "Solve": {
        "play": About("Open a page to play on, with the model and a solver inside."),
        "today": About("Show today's tiling of your puzzle, which is remembered."),
        "solve": About("Find one tiling of an instance, or prove that there is none."),
        "hint": About(
            "Check whether a position is solvable, and suggest the next piece.",
            (
                "calmip hint a-puzzle-a-day --date today",
                'calmip hint a-puzzle-a-day --reveal Feb,29 --placed "U:Jan+Mar"',
                "calmip hint a-puzzle-a-day --date today -o hint.svg",
            ),
            "The exit code is 0 if the position is solvable, 1 if not, 3 after a limit.",
        ),
        "explain": About(
            "Explain why an instance has no tiling: what conflicts, and a proof.",
            (
                "calmip explain a-puzzle-a-day --reveal Jul,Feb",
                'calmip explain a-puzzle-a-day --date today --placed "U:15+16"',
                "calmip explain a-puzzle-a-day --reveal Dec,29 --no-flip --format json",
            ),
            "The exit code is 0 if a conflict is named, 1 if there is a tiling and nothing to "
            "explain, 3 after a limit.",
            # A conflict is what was asked for.
            {Status.INFEASIBLE: FOUND, Status.FEASIBLE: NONE, Status.UNKNOWN: LIMIT},
        ),
    },
    "All solutions": {
        "enumerate": About("Find all tilings of an instance."),
        "count": About(
            "Count the tilings of an instance, or of a whole year.",
            (
                "calmip count a-puzzle-a-day",
                "calmip count praxis-rhombus --date today",
                "calmip count a-puzzle-a-day --any-cells 2 --format csv",
            ),
            "The exit code is 0 if there is a tiling, 1 if there is none, 3 if the time limit is "
            "reached; then nothing is written.",
            free=True,
            counts="states",
            unfinished="not all tilings were counted, so nothing is written",
            excludes={"any_cells": ("reveal", "date")},
            old={"--any-two-cells": ("--any-cells", "2")},
        ),
        "year": About(
            "Count the tilings of every date: heat-map, table or data.",
            (
                "calmip year a-puzzle-a-day",
                "calmip year a-puzzle-a-day -o year.html",
                "calmip year praxis-rhombus --year 2027 --format csv",
            ),
            "The exit code is 0 if some date has a tiling, 1 if none has, 3 if the time limit is "
            "reached; then nothing is written.",
            counts="states",
            unfinished="not all tilings were counted, so nothing is written",
        ),
        "calendar": About("A verified tiling for every day of a year."),
        "prove": About("Prove that the tilings of an instance are all there are."),
        "design": About("Find the pieces that make every date solvable."),
        "rearrange": About("Arrange months and days so that the year gets harder."),
    },
    "Other programs": {
        "export": About("Write the model of an instance for other solvers."),
        "check": About("Check a solution file of any solver against an instance."),
        "relax": About(
            "Solve the linear relaxation, with cuts and a picture.",
            (
                "calmip relax a-puzzle-a-day --reveal Feb,29 --cuts clique,odd-hole",
                "calmip relax a-puzzle-a-day --date today -o relaxation.svg",
                "calmip relax a-puzzle-a-day --reveal Feb,29 --fix U:Jan+Mar+Jul+Aug+Sep=1",
            ),
            "The exit code is 0 if the relaxation is feasible, 1 if not.",
            needs={"rounds": "cuts"},
        ),
        "tree": About(
            "Draw the branch-and-bound tree of a small instance.",
            (
                "calmip tree a-puzzle-a-day --reveal Feb,29",
                "calmip tree a-puzzle-a-day --reveal Oct,6 -o tree.svg",
                "calmip tree heart-set1 --date today --order depth-first,best-first -o trees.html",
            ),
            "The exit code is 0 with a tiling, 1 if a whole tree has none, 3 if the node limit is "
            "reached.",
            old={"--all": ("--every",)},
        ),
        "compare": About(
            "Compare formulations: sizes, bounds, nodes, seconds.",
            (
                "calmip compare a-puzzle-a-day --date today",
                "calmip compare heart-set1 --date today --solver highs,cbc",
                "calmip compare heart-set1 --date today --formulation packing --time-limit 10",
            ),
            "The exit code is 0 if a tiling was found, 1 if there is none, 3 if no run ended "
            "within its limit, 4 if an answer was refuted.",
            counts="runs",
        ),
        "bench": About("Campaigns of solvers on many instances, and reports of them."),
        "grade": About("Mark an answer to one of the exercises of the course."),
    },
    "What there is": {
        "puzzles": About("List the bundled puzzles, show one, or check your own."),
        "solvers": About(
            "List the solvers and formulations, and how to get them.",
            ("calmip solvers",),
            task="solvers.installed_solvers",  # `calmip.solvers` is the room
        ),
    },
}
COMMANDS = {name: about for group in GROUPS.values() for name, about in group.items()}

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
        about = COMMANDS[name]
        if about.examples:
            from calmip.cli._declared import declared

            return declared(name, about, about.codes or EXIT_CODES)
        command: click.Command = named(f"cli.{name}.{name}_command")
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
                formatter.write_dl([(f"{name:9}", about.text) for name, about in commands.items()])


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
        code = _run(arguments)
        # That somebody asked to end may have been lost in native code, or have become another
        # error where a library was being loaded.
        return INTERRUPTED if asked() else code


def _run(arguments: Sequence[str] | None) -> int:
    streams.prepare()
    try:
        code = cli.main(
            args=None if arguments is None else list(arguments),
            prog_name="calmip",
            standalone_mode=False,
        )
        return code if isinstance(code, int) else FOUND
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
    if asked():
        streams.note("interrupted")  # and whatever else went wrong followed from it
        return
    clean = shown(message, 4000)
    hint = f" (see {context.command_path} --help)" if context is not None else ""
    streams.note(f"calmip: error: {clean}{hint}")
