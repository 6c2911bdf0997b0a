"""The command line: the only place that reads arguments and knows exit codes."""

from __future__ import annotations

import contextlib
import errno
import itertools
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from calmip._interrupt import asked, listening
from calmip._version import __version__
from calmip.cli import _streams as streams
from calmip.cli._command import About, PrintsHelp, later
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

MODEL: dict[str, tuple[str, ...]] = {"--model": ()}
"""A model was an option once; now it is named as an instance is."""

# One declaration per command, in the groups of the help; its task is imported when it is used.
GROUPS = {
    "Solve": {
        "play": About(
            "Open a page to play on, with the model and a solver inside.",
            (
                "calmip play",
                "calmip play hex43-v1 --date tomorrow",
                "calmip play heart-set1 -o heart.html",
            ),
            files=("a page", "html", "htm"),
        ),
        "today": About(
            "Show today's tiling of your puzzle, which is remembered.",
            (
                "calmip today",
                "calmip today praxis-rhombus",
                "calmip today --date tomorrow -o tomorrow.svg",
            ),
            "The exit code is 0 if there is a tiling, 1 if there is none, 3 if the time limit is "
            "reached.",
            remembers=True,
        ),
        "solve": About(
            "Find one tiling of an instance, or prove that there is none.",
            (
                "calmip solve a-puzzle-a-day --date today",
                "calmip solve a-puzzle-a-day --reveal month=Feb,day=29 --solver cbc",
                "calmip solve hex43-v1 --date +3 -o hexagons.svg",
            ),
            words={"start": "solve.STARTS"},
            of_models=("solver", "time_limit", "seed", "threads"),
            rival=True,
            old=MODEL,
        ),
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
        "enumerate": About(
            "Find all tilings of an instance.",
            (
                "calmip enumerate a-puzzle-a-day --reveal Feb,29",
                "calmip enumerate a-puzzle-a-day --date today --method one-tree --limit 5",
                "calmip enumerate a-puzzle-a-day --reveal Oct,6 -o oct6.jsonl",
            ),
            "The exit code is 0 if there are proved to be no others, 1 if there is none, 3 if a "
            "limit is reached. After Ctrl-C (130) what was found is kept.",
            settings="_enumeration.Enumeration",
            hidden=("file", "keep"),
            words={"method": "_enumeration.METHODS", "cut": "_no_good.CUTS"},
            of_models=("method", "limit", "time_limit", "memory_limit"),
            run="_own.enumerate",
            old=MODEL,
        ),
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
        "calendar": About(
            "A verified tiling for every day of a year.",
            (
                "calmip calendar a-puzzle-a-day --year 2027 -o 2027.html",
                "calmip calendar weekday-8x7 --year 2026-2028 -o years.json",
                "calmip calendar heart-set1 --seed 7 -o heart.json",
            ),
            "Of several years, as in 2026-2028, each is a file: -o NAME.html makes "
            "NAME-2026.html and so on. While a file is made, its days stand in FILE.part; "
            "--resume goes on from there, and keeps the years that are there already. The "
            "exit code is 1 if no day has a tiling.",
            counts="days",
            part=True,
            needs={"resume": "output"},
            old={"--years": ("--year",)},
        ),
        "prove": About(
            "Prove that the tilings of an instance are all there are.",
            (
                "calmip prove a-puzzle-a-day --reveal Oct,6 -o oct6",
                "calmip prove check oct6",
                "calmip prove dates heart-set1 --workers 2",
            ),
            "The exit code is 0 if there is a tiling, 1 if it is proved that there is none, 4 if "
            "a proof does not hold.",
            counts="nodes",
            unfinished="the proof is not finished",
            words={"parts": "prove.PARTS", "dialect": "prove.DIALECTS"},
            old={"--part": ("--parts",)},
            task="prove.prove",
            output="folder",
            moved={"--check DIR": "prove check DIR", "--all-dates": "prove dates"},
            commands={
                "check": About(
                    "Check the proofs in a folder, against an instance if it is named.",
                    ("calmip prove check oct6",),
                    "The exit code is 0 if there is a tiling, 1 if there is none, 4 if a proof "
                    "does not hold.",
                    task="prove.prove_check",
                    unnamed="the puzzle is the one that proof.json states; name INSTANCE to "
                    "compare it too",
                    output="",
                ),
                "dates": About(
                    "Prove every real date of a puzzle, and check each proof.",
                    ("calmip prove dates heart-set1 --workers 2",),
                    "The exit code is 0 if there is a tiling, 1 if there is none, 4 if a proof "
                    "does not hold.",
                    task="prove.prove_dates",
                    output="folder",
                    free=True,
                    counts="dates",
                    left="in {output}; run it again to go on",
                    words={"parts": "prove.PARTS"},
                    old={"--part": ("--parts",)},
                ),
            },
        ),
        "design": About(
            "Find the pieces that make every date solvable.",
            (
                "calmip design a-puzzle-a-day --pool pentominoes --with O6 --pieces 8",
                "calmip design a-puzzle-a-day --pool pentominoes,hexominoes --pieces 8 --workers 2",
                "calmip design hex43-v1 --pool tetrahexes,tetrahexes --with 5-11 --pieces 10 "
                "-o best.yaml",
            ),
            "The exit code is 0 if a set works, 1 if all were decided and none does, 3 if a "
            "limit is reached. With -o what is decided stands in FILE.part meanwhile, and stays "
            "there if a limit is reached; --resume goes on from there.",
            task="design.design",
            counts="sets",
            part=True,
            words={"by": "design.ABOUT"},
            needs={"resume": "output"},
            moved={"--method model": "design model", "--method count": "design"},
            commands={
                "model": About(
                    "Let an integer program choose one set.",
                    ("calmip design model a-puzzle-a-day --pool pentominoes --with O6",),
                    "The exit code is 0 if a set was found, 3 if not.",
                    task="_design_model.design_by_model",
                    counts="dates in the model",
                    old={"--model": ("--file",)},
                ),
            },
        ),
        "rearrange": About(
            "Arrange months and days so that the year gets harder.",
            (
                "calmip rearrange a-puzzle-a-day --starts 1",
                "calmip rearrange a-puzzle-a-day -o new.yaml",
                "calmip rearrange heart-set1 --seed 3 -o heart.yaml",
            ),
            free=True,
            counts="starts",
        ),
    },
    "Other programs": {
        "export": About(
            "Write the model of an instance for other solvers.",
            (
                "calmip export a-puzzle-a-day --reveal Feb,29 -o feb29.mps",
                "calmip export a-puzzle-a-day --date today -o today.lp --formulation pyomo",
                "calmip export dates a-puzzle-a-day --suffix .lp.gz -o models",
            ),
            task="export.export",
            output="path",
            aside=True,
            words={"suffix": "export.SUFFIXES"},
            moved={"--suite SUITE": "export suite SUITE", "--all-dates": "export dates"},
            commands={
                "dates": About(
                    "Write a library: a file for every real date of a puzzle.",
                    ("calmip export dates a-puzzle-a-day --suffix .lp.gz -o models",),
                    output="folder",
                    aside=True,
                    free=True,
                    counts="files",
                    left="in {output}; run it again to go on",
                    words={"suffix": "export.SUFFIXES"},
                    old={"--resume": ()},
                ),
                "suite": About(
                    "Write a library: the models of a suite, or of a campaign's file.",
                    ("calmip export suite infeasible -o models",),
                    output="folder",
                    aside=True,
                    counts="files",
                    left="in {output}; run it again to go on",
                    words={"suffix": "export.SUFFIXES"},
                    old={"--resume": ()},
                ),
            },
        ),
        "check": About(
            "Check a solution file of any solver against an instance.",
            (
                "calmip check a-puzzle-a-day feb29.sol --reveal Feb,29",
                "calmip check a-puzzle-a-day mine.lp --reveal Feb,29",
                "calmip check a-puzzle-a-day today.sol --date today --format json",
            ),
            "The exit code is 0 if the file holds a tiling (or rightly says that there is none) or "
            "the model is right, 1 if not, 2 if the file cannot be read, 3 if the time limit is "
            "reached.",
            defaults={"time_limit": 120.0},
            of_models=("answer", "time_limit"),
            moved={"--model FILE": "check INSTANCE FILE"},
            task="check.check",
            commands={
                "folder": About(
                    "Check a folder of answers against a folder of models.",
                    ("calmip check folder models answers",),
                    "The exit code is 0 if all answers are right, 1 if one is wrong, 3 if one is "
                    "missing or was not decided.",
                    task="_check_folder.check_folder",
                    counts="files",
                    defaults={"time_limit": 120.0},
                )
            },
        ),
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
        "bench": About(
            "Campaigns of solvers on many instances, and reports of them.",
            (
                "calmip bench run campaign.yaml -o results.db",
                "calmip bench report results.db -o report.html",
                "calmip bench diff before.db after.db",
            ),
            commands={
                "run": About(
                    "Do the runs of a campaign, or of a suite, that are missing from a file.",
                    ("calmip bench run campaign.yaml -o results.db",),
                    task="bench.bench",
                    counts="runs",
                    left="are done, in {output}; run it again to go on",
                ),
                "report": About(
                    "Say what the runs in a file of results show.",
                    ("calmip bench report results.db -o report.html",),
                    words={"clock": "campaign.statistics.CLOCKS"},
                ),
                "diff": About(
                    "Say what became slower, faster or wrong from one file to another.",
                    ("calmip bench diff before.db after.db",),
                    "The exit code is 1 if there is a regression.",
                    words={"clock": "campaign.statistics.CLOCKS"},
                ),
            },
        ),
        "grade": About(
            "Mark an answer to one of the exercises of the course.",
            (
                "calmip grade 1 placements.txt",
                "calmip grade 2 submissions/ -o marks.csv",
                "calmip grade assign 6 roster.csv -o sheets",
            ),
            "The exit code is 0 for full marks, 1 for fewer.",
            task="grade.grade_files",
            words={"exercise": "grade.EXERCISES"},
            commands={
                "assign": About(
                    "Draw a puzzle for each student of a class.",
                    ("calmip grade assign 6 roster.csv -o sheets",),
                    words={"exercise": "grade.EXERCISES"},
                ),
                "solutions": About(
                    "Write a right answer to each exercise.",
                    ("calmip grade solutions answers",),
                ),
            },
            moved={
                "--assign ROSTER": "grade assign EXERCISE ROSTER",
                "--solutions DIR": "grade solutions DIR",
            },
        ),
    },
    "What there is": {
        "puzzles": About(
            "List the bundled puzzles, show one, or check your own.",
            (
                "calmip puzzles",
                "calmip puzzles a-puzzle-a-day -o puzzle.svg",
                "calmip puzzles heart-set1",
            ),
            moved={"--cut": "cut PUZZLE"},
        ),
        "cut": About(
            "Draw a puzzle at its real size, to be cut of wood or paper.",
            (
                "calmip cut a-puzzle-a-day -o cut.svg",
                "calmip cut a-puzzle-a-day --cell 15mm --kerf 0.1mm -o cut.dxf",
                "calmip cut heart-set1 --sheet A4 -o paper.pdf",
            ),
            words={"words": "cut.WORDS"},
        ),
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
        first, _, last = name.partition(" ")
        about = COMMANDS.get(first)
        if about is not None and last:
            about = about.commands.get(last)
        if about is None:
            return None
        from calmip.cli._declared import declared

        return declared(name, about, about.codes or EXIT_CODES)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] not in COMMANDS and not args[0].startswith("-"):
            close = did_you_mean(args[0], COMMANDS)
            ctx.fail(
                f"No such command '{shown(args[0])}'."
                + (f" Did you mean {close}?" if close else "")
            )
        name, rest = args[0], args[1:]
        if name not in COMMANDS:
            return super().resolve_command(ctx, args)
        for option, now in COMMANDS[name].moved.items():
            words = _without(rest, now, *option.split())
            if words is not None:
                if not ctx.resilient_parsing:
                    later(ctx, f"note: calmip {name} {option} is now: calmip {now}")
                # The command is what precedes the first word in capitals.
                name = " ".join(itertools.takewhile(str.islower, now.split()))
                return name, self.get_command(ctx, name), words
        below = COMMANDS[name].commands
        if not COMMANDS[name].task:
            # Options may precede the action.
            rest.sort(key=lambda word: word not in below)
        elif rest[:1] != ["folder"] and "folder" in below and self._is_folder(ctx, name, rest):
            rest.insert(0, "folder")
        if rest and rest[0] in below:
            name, rest = f"{name} {rest[0]}", rest[1:]
        return name, self.get_command(ctx, name), rest

    def _is_folder(self, ctx: click.Context, name: str, args: list[str]) -> bool:
        """Return whether the first argument of a command is a folder."""
        command = self.get_command(ctx, name)
        assert command is not None
        with contextlib.suppress(click.UsageError):
            given, _, _ = command.make_parser(ctx).parse_args(list(args))
            # What click puts where an argument is missing is no text.
            return isinstance(given["source"], str) and Path(given["source"]).is_dir()
        return False

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for group, commands in GROUPS.items():
            with formatter.section(group):
                # One width for all groups.
                formatter.write_dl([(f"{name:9}", about.text) for name, about in commands.items()])


def _without(args: Sequence[str], now: str, flag: str, value: str = "") -> list[str] | None:
    """Return arguments without an option that has moved; None if they do not have it.

    A value in capitals is any one, and becomes the first or the last argument, as it is typed now.
    """
    words = [part for word in args for part in (word.split("=", 1) if word.startswith(f"{flag}=")
             else (word,))]  # fmt: skip
    if flag not in words[: len(words) - bool(value)]:
        return None
    at = words.index(flag)
    if not value:
        return [*words[:at], *words[at + 1 :]]
    given = words[at + 1]
    if value.islower() and given != value:
        return None
    rest = [*words[:at], *words[at + 2 :]]
    if value.islower():
        return rest
    first = next(word for word in now.split() if word.isupper())
    return [given, *rest] if first == value else [*rest, given]


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
