"""The command line: the only place that reads arguments and knows exit codes."""

from __future__ import annotations

import contextlib
import errno
import os
import sys
from collections.abc import Sequence
from typing import Any

import click

from calmip._base.errors import (
    CalmipError,
    InputError,
    SolverFailed,
    clip,
    describe_error,
    did_you_mean,
)
from calmip._base.signals import is_interrupted, listening
from calmip._base.version import __version__
from calmip.cli import _streams as streams
from calmip.cli._command import PrintsHelp
from calmip.cli._variables import PREFIX, VARIABLE
from calmip.cli._work import FAILED, FOUND, INTERRUPTED, USAGE
from calmip.features import FEATURES, GROUPS, all_groups, feature_named

__all__ = ["cli", "main"]


EPILOG = """\b
Exit codes: 0 a tiling was found, 1 proved that there is none, 2 wrong input
or usage, 3 a limit is reached, 4 a solver is missing or failed, 130 Ctrl-C."""


UNWRITABLE = frozenset(
    {errno.EAGAIN, errno.EBADF, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.ENOSPC, errno.EROFS}
)
"""The errors of writing to an open file, which have no file name."""


class _Commands(PrintsHelp, click.Group):
    """A group that imports a command's module when the command is used."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            # Caught before click does, which would end with 1: "there is no tiling". A broken
            # stdout raises `ReaderLeft`.
            raise SolverFailed("a helper process ended unexpectedly") from None
        except KeyboardInterrupt:
            # Click would print an empty line.
            streams.note_interrupt()
            raise click.exceptions.Exit(INTERRUPTED) from None

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [one.name for members in all_groups().values() for one in members]

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        feature = feature_named(name)
        if feature is None:
            return None
        from calmip.cli._declared import make_command

        return make_command(name, feature)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if feature_named(name) is None and not name.startswith("-"):
            close = did_you_mean(name, FEATURES)
            remedy = f" Did you mean {close}?" if close else ""
            ctx.fail(f"No such command '{clip(name)}'.{remedy}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for group, members in all_groups().items():
            with formatter.section(group):
                if group in GROUPS:
                    formatter.write_text(GROUPS[group])
                # One width for all groups.
                formatter.write_dl([(f"{one.name:9}", one.line) for one in members])


@click.group(
    cls=_Commands,
    epilog=EPILOG,
    context_settings={"help_option_names": ["-h", "--help"], "auto_envvar_prefix": PREFIX},
    no_args_is_help=False,  # as an error, the help would be one long line
    invoke_without_command=True,
)
@click.version_option(__version__, prog_name="calmip", allow_from_autoenv=False)
@click.pass_context
def cli(context: click.Context) -> None:
    """Calendar puzzles as MIPs; all solutions, conflicts and comparisons of any MIP, proved.

    A puzzle is a YAML file or the name of a bundled one. A model is a file of a mixed-integer
    program (MIP): MPS, LP, OPB, CNF or DLX.
    Try: calmip solve a-puzzle-a-day --date today, or calmip enumerate model.mps --optimal

    In Python every command is a function, also for models of PuLP, Pyomo or highspy:
    calmip.explain(problem).
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
        # An interrupt may have been lost in native code, or have become the error of an import.
        if is_interrupted():
            streams.note_interrupt()
            return INTERRUPTED
        return code


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
        _complain(" ".join(error.format_message().split()), getattr(error, "ctx", None))
        return USAGE
    except InputError as error:
        _complain(str(error))
        return USAGE
    except CalmipError as error:
        _complain(str(error))
        return FAILED
    except (click.Abort, KeyboardInterrupt):
        streams.note_interrupt()
        return INTERRUPTED
    except SystemExit as error:  # of a package, whose code would be the answer
        if VARIABLE in os.environ:  # or of click, which has completed a line
            return error.code if isinstance(error.code, int) else FAILED
        _complain(f"a package ended the program ({describe_error(error)}), without an answer")
        return FAILED
    except MemoryError:
        _complain("not enough memory; use a smaller board, or count instead of enumerate")
        return FAILED
    except OSError as error:
        streams.drop(sys.stdout)
        _complain(_trouble(error))
        return USAGE


def _trouble(error: OSError) -> str:
    """Return the message of a system error."""
    why = error.strerror or str(error)
    if error.filename is not None:
        return f"{error.filename}: {why}"
    if error.errno in UNWRITABLE:
        return f"cannot write the output: {why}"
    return f"operating system error: {why}"


def _complain(message: str, context: click.Context | None = None) -> None:
    """Print an error message on one line of stderr, without control characters."""
    if is_interrupted():
        return  # other errors follow from it
    clean = clip(message, 4000)
    hint = f" (see {context.command_path} --help)" if context is not None else ""
    streams.note(f"calmip: error: {clean}{hint}")
