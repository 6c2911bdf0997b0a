"""What two commands do beyond their tasks: tilings that appear as they are found, your puzzle."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from calmip._files import make_folder, write_text
from calmip._limits import Progress
from calmip.cli import EXIT_CODES, FOUND, LIMIT
from calmip.cli._options import (
    note,
    note_written,
    output_stream,
    refuse_unheeded,
    refuse_unused,
    terminal_style,
)
from calmip.cli._pictures import MOST, PICTURES, deliver_data
from calmip.cli._progress import counter
from calmip.cli._streams import ReaderLeft
from calmip.cli._work import INTERRUPTED, compare_with_search
from calmip.documents.collection import DEFAULT_PUZZLE, bundled_puzzles
from calmip.documents.reader import read_puzzle
from calmip.errors import InputError, shown
from calmip.problem.instance import Instance

if TYPE_CHECKING:
    from calmip.tasks._enumeration import Enumeration
    from calmip.tasks._source import Source

__all__ = ["enumerate", "remember", "remembered"]

LONGEST = 4096
"""Characters of a path that is worth remembering."""


def enumerate(  # noqa: A001 - the name of the command
    output: Path | None, /, source: Source, form: str, **given: Any
) -> int:
    """Print or write solutions as they are found; return the exit code."""
    from calmip.render.reports import data
    from calmip.render.reports import enumerate as report
    from calmip.tasks._enumeration import Enumeration
    from calmip.tasks._journal import saved
    from calmip.tasks.enumerate import SolutionPool

    if given["resume"] and (form != "jsonl" or output is None):
        raise InputError("--resume goes with a file of lines: -o FILE.jsonl")
    if form in PICTURES and given["limit"] is None:
        given["limit"] = MOST
    if isinstance(source, Instance):
        _check_method(given["method"], given["solver"], given["formulation"])
    settings = {one: given[one] for one in signature(Enumeration).parameters if one in given}
    search = Enumeration(source, keep=form == "json" or form in PICTURES, **settings)
    if search.of_instance and search.method != "exact-cover":
        remedy = f"leave out --method {search.method}"
        compare_with_search(search.instance, search.method, remedy)
    wanted = not given["quiet"] or given["output"] is not None
    style = terminal_style(output)
    entries: dict[str, Callable[[Any], str]] = {
        "text": lambda solution: report.entry(search, search.count, solution, style),
        "jsonl": report.lines(search),
    }
    with contextlib.ExitStack() as stack:
        found: Iterator[Any] = iter(search)
        write: Callable[[str], None] = _nowhere
        if form == "jsonl" and output is not None and search.of_instance:
            lines = saved(search, output, resume=given["resume"])
            found = stack.enter_context(contextlib.closing(lines))
        elif form not in PICTURES and wanted:
            write = stack.enter_context(output_stream(output))
        left = _stream(search, found, write, entries.get(form))
        with contextlib.suppress(ReaderLeft):
            if form == "text":
                write(report.verdict(search) + "\n")
            elif form == "json":
                for part in report.json_parts(SolutionPool.of(search)):
                    write(part)
    if form in PICTURES and search.count and wanted:
        deliver_data(data(SolutionPool.of(search), form, given["theme"]), form, output)
    if left:
        return FOUND
    _conclude(search, form, output, verbose=given["verbose"])
    if search.stopped == "interrupt":
        return INTERRUPTED
    return EXIT_CODES[search.status] if search.complete else LIMIT


def _conclude(search: Enumeration, form: str, output: Path | None, *, verbose: bool) -> None:
    """Say on stderr how it ended where stdout does not say it, and what Ctrl-C has left."""
    from calmip.render.reports import enumerate as report

    interrupted = search.stopped == "interrupt"
    if form in ("jsonl", *PICTURES) or output is not None or interrupted:
        note(report.verdict(search))
    if not search.of_instance:
        if verbose and search.statistics is not None:
            note(report.statistics(search.statistics))
        return
    if form == "jsonl" and output is not None:
        note_written(output)
    if interrupted and output is not None and search.count:
        more = "; go on with --resume" if form == "jsonl" else ""
        note(f"they are in {shown(output, 300)}{more}")


def _check_method(method: str | None, solver: str, formulation: str) -> None:
    """Refuse options that the method has no use for.

    Raises
    ------
    InputError
        If one was given.
    """
    from calmip.models import packs

    if method != "no-good":
        refuse_unused(
            "--method no-good",
            "solver", "formulation", "seed", "threads", "cut", "swaps", "verbose",
        )  # fmt: skip
    else:
        refuse_unheeded(solver)
    if method in (None, "exact-cover"):
        refuse_unused("--method one-tree or no-good", "reduce")
    elif method == "no-good" and packs(formulation):
        refuse_unused("a formulation of equations", "reduce")


def _stream(
    search: Enumeration,
    found: Iterator[Any],
    write: Callable[[str], None],
    entry: Callable[[Any], str] | None,
) -> bool:
    """Write what is found as it comes, until the end or Ctrl-C; return whether the reader left.

    Whoever reads a pipe may have seen enough. Then there is no use to go on.
    """
    try:
        with counter(f"{search.what}s") as count:
            for one in found:
                if entry is not None:
                    write(entry(one))
                count(Progress(search.count))
    except KeyboardInterrupt:
        # It may have come while something was written, and not to the search.
        search.stopped = "interrupt"
    except ReaderLeft:
        return True
    return False


def _nowhere(_: str) -> None:
    """Drop a text."""


def remembered(puzzle: str | None) -> str:
    """Return the puzzle that is named, or was named last.

    Raises
    ------
    InputError
        If the puzzle that was remembered is gone.
    """
    last = ""
    with contextlib.suppress(OSError, ValueError), _file().open(encoding="utf-8") as kept:
        last = kept.read(LONGEST).strip()
    if puzzle is None and last:
        try:
            read_puzzle(last)
        except InputError as error:
            raise InputError(
                f"your puzzle {shown(last)}, which was remembered, cannot be read ({error}); "
                "name another: calmip today PUZZLE"
            ) from None
    return puzzle or last or DEFAULT_PUZZLE


def remember(puzzle: str | None) -> None:
    """Keep what was named, a file by its whole path; that it cannot be kept is no matter."""
    if puzzle is None:
        return
    name = puzzle if puzzle in bundled_puzzles() else str(Path(puzzle).resolve())
    with contextlib.suppress(InputError, ValueError):
        make_folder(_file().parent)
        write_text(_file(), [f"{name}\n"])


def _file() -> Path:
    return Path(click.get_app_dir("calmip")) / "puzzle"
