"""What commands of puzzles do beyond their tasks.

A stream of tilings, a search beside a slow solver, two models to compare, a puzzle to remember.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial
from inspect import signature
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any

import click

from calmip._base.errors import InputError, clip
from calmip._base.limits import Progress
from calmip.cli._options import (
    MAX_SHEET_TILINGS,
    deliver,
    note_written,
    options_again,
    output_stream,
    refuse_unheeded,
    refuse_unused,
    terminal_style,
)
from calmip.cli._remembered import remember
from calmip.cli._stdin import FOLDER, without_folder
from calmip.cli._streams import ReaderLeft, note, note_interrupt
from calmip.cli._work import EXIT_CODES, FOUND, INTERRUPTED, LIMIT, compare_with_search, counter
from calmip.mip.files.model_files import is_model
from calmip.puzzle.render.report import PICTURES
from calmip.puzzle.render.text import draw_tiling
from calmip.puzzle.tasks.problems import problem_of

if TYPE_CHECKING:
    from calmip.cli._declared import Typed
    from calmip.puzzle.tasks.enumeration import Enumeration
    from calmip.puzzle.tasks.problems import Problem


def solve(call: Typed) -> int:
    """Solve an instance or a model; a slow solver is compared with the exact-cover search."""
    source, solver = call.given["source"], call.given["solver"]
    if problem_of(source, open_ends=True).has_board and solver != "exact-cover":
        name = quote(click.get_current_context().params["source"])
        remedy = ["calmip solve", name, *options_again(), "--solver exact-cover"]
        compare_with_search(source, solver, " ".join(remedy), draw_tiling)
    return call.once()


def today(call: Typed) -> int:
    """Show the tiling of a date, and remember the puzzle if one is named."""
    code = call.once()
    remember(click.get_current_context().params["source"])
    return code


def check(call: Typed) -> int:
    """Check an answer, or a model of an instance."""
    if (answer := call.given["answer"]) is not None and not is_model(answer):
        call.refuse_unused("a model as FILE", "names", "limit")
    return call.once()


def compare(call: Typed) -> int:
    """Compare two models."""
    if call.given["integer_default"] is not None:  # else the task reads them
        for name in ("model", "against"):
            call.given[name] = call.model(call.given[name])
    return call.once()


def below_check(words: Sequence[str], _: Collection[str]) -> tuple[str, str]:
    """Return which command below ``check`` is meant: for a folder, or for a model alone."""
    if words and Path(words[0]).is_dir():
        return "folder", ""
    if len(words) == 1 and (words[0] == "-" or is_model(Path(words[0]))):
        return "file", "an answer to check"
    return "", ""


def below_compare(words: Sequence[str], _: Collection[str]) -> tuple[str, str]:
    """Return the command below ``compare`` for a puzzle; two models are compared by itself."""
    if len(words) == 1 and not is_model(Path(words[0])):
        return "formulations", "two models"
    return "", ""


def enumerate(call: Typed) -> int:  # noqa: A001, C901 - the name of the command; streams as one
    """Print or write solutions as they are found; return the exit code."""
    given, form, output = call.given, call.form, call.output
    if given["diverse"] is not None:
        return call.once()
    from calmip.puzzle.render.reports import data
    from calmip.puzzle.render.reports import enumerate as report
    from calmip.puzzle.tasks.enumerate import SolutionPool
    from calmip.puzzle.tasks.enumeration import Enumeration
    from calmip.puzzle.tasks.journal import save_pool, save_tilings

    if given["resume"] and (form != "jsonl" or output is None):
        raise InputError("--resume needs a JSONL file: -o FILE.jsonl")
    drawn = form in (*PICTURES, "html")
    problem = problem_of(given["source"], open_ends=True)
    if drawn and problem.has_board and given["limit"] is None:
        given["limit"] = MAX_SHEET_TILINGS
    _check_method(problem, given["method"], given["solver"])
    settings = {one: given[one] for one in signature(Enumeration).parameters if one in given}
    lines = _is_saved(problem, form, output)
    search = Enumeration(keep=form == "json" or drawn, resumable=lines, **settings)
    if problem.has_board and search.method != problem.methods[0]:
        remedy = f"leave out --method {search.method}"
        compare_with_search(search.instance, search.method, remedy)
    wanted = not given["quiet"] or given["output"] is not None
    style = terminal_style(output)
    entries: dict[str, Callable[[Any], str]] = {
        "text": lambda solution: report.entry(search, search.count, solution, style),
        "jsonl": report.lines(search),
        "csv": partial(report.row, search),
    }
    with contextlib.ExitStack() as stack:
        found: Iterator[Any] = iter(search)
        write: Callable[[str], None] = _nowhere
        if lines:
            assert output is not None
            save = save_tilings if search.pool is None else save_pool
            saved = save(search, output, resume=given["resume"])
            found = stack.enter_context(contextlib.closing(saved))
        if not drawn and wanted and not (lines and search.pool is None):
            write = stack.enter_context(output_stream(output))
        head = report.head(search) if form == "csv" else ""
        left = _stream(search, found, write, entries.get(form), head, output)
        with contextlib.suppress(ReaderLeft):
            if form == "text":
                # After Ctrl-C it is on stderr, too, as the reader of a pipe may have ended.
                once = search.stopped == "interrupt" and output is None and sys.stdout.isatty()
                write(report.usage_text(search) + ("" if once else f"{report.verdict(search)}\n"))
            elif form == "json":
                cut = search.stopped == "interrupt"
                parts = (
                    report.interrupted_json(search)
                    if cut
                    else report.json_parts(SolutionPool.of(search))
                )
                for part in parts:
                    write(without_folder(part.encode(), given[FOLDER]).decode())
    if drawn and search.count and wanted:
        deliver(data(SolutionPool.of(search), form, given["theme"]), form, output)
    if left:
        return FOUND
    _conclude(search, form, output, verbose=given["verbose"])
    if search.stopped == "interrupt":
        return INTERRUPTED
    return EXIT_CODES[search.status] if search.complete else LIMIT


def _conclude(search: Enumeration, form: str, output: Path | None, *, verbose: bool) -> None:
    """Print on stderr how the search ended, if stdout does not, and what Ctrl-C has left."""
    from calmip.puzzle.render.reports import enumerate as report

    interrupted = search.stopped == "interrupt"
    if form in ("jsonl", "csv", "html", *PICTURES) or output is not None or interrupted:
        (note_interrupt if interrupted else note)(report.verdict(search))
    if verbose and search.statistics is not None:
        note(report.statistics(search.statistics))
    if output is None:
        return
    if search.problem.pooled:
        if form == "jsonl" and not search.complete:
            note(f"{clip(output, 300)}.journal has what is known; continue with --resume")
        return
    if form == "jsonl":
        note_written(output)
    if interrupted and search.count:
        more = "; continue with --resume" if form == "jsonl" else ""
        note(f"they are in {clip(output, 300)}{more}")


def _is_saved(problem: Problem, form: str, output: Path | None) -> bool:
    """Return whether a search writes to a file from which ``--resume`` continues."""
    if form != "jsonl" or output is None:
        return False
    return not problem.pooled or output.is_file() or not output.exists()


def _check_method(problem: Problem, method: str | None, solver: str) -> None:
    """Raise `InputError` if an option was given that the method of an instance ignores."""
    if not problem.has_board:
        return
    if method != "no-good":
        refuse_unused(
            "--method no-good",
            "solver",
            "formulation",
            "seed",
            "threads",
            "no_good_cut",
            "swaps",
            "verbose",
        )
    else:
        refuse_unheeded(solver)
    if method in (None, "exact-cover"):
        refuse_unused("--method one-tree or no-good", "reduce")


def _stream(
    search: Enumeration,
    found: Iterator[Any],
    write: Callable[[str], None],
    entry: Callable[[Any], str] | None,
    head: str,
    output: Path | None,
) -> bool:
    """Write solutions as found, until the end or Ctrl-C; return whether the reader left."""
    try:
        write(head)
        # Solutions that the same terminal shows are progress enough.
        silent = entry is None or write is _nowhere or output is not None
        with counter(f"{search.what}s", silent=silent) as count:
            reports = search.report_to(count)
            for one in found:
                if entry is not None and write is not _nowhere:
                    write(entry(one))
                if not reports:
                    count(Progress(search.count))
    except KeyboardInterrupt:
        # Ctrl-C may have come during a write instead of the search.
        search.interrupt()
    except ReaderLeft:
        return True
    return False


def _nowhere(_: str) -> None:
    """Drop a text."""
