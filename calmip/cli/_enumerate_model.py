"""``calmip enumerate --model``: all 0/1 points of a model file, whatever it is a model of."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from calmip._limits import checked_seconds
from calmip.cli import FOUND, INTERRUPTED, LIMIT, NONE
from calmip.cli._options import check_alone, note, output_stream
from calmip.cli._progress import counter
from calmip.documents.description import describe_model, describe_point, json_text
from calmip.errors import InputError, SolverFailed, listed
from calmip.formats.model_files import read_model
from calmip.problem.binary_model import BinaryModel
from calmip.render.model_text import point_text
from calmip.search.one_tree import OneTree

__all__ = ["enumerate_model", "refuse_instance_options"]

FORMS = ("text", "json", "jsonl")

USED = ("method", "limit", "time_limit", "form", "output", "quiet", "verbose")
"""The parameters of the command that concern model files."""

METHOD = "one-tree"
"""The only method that needs no more than the rows of a model."""


def refuse_instance_options(context: click.Context) -> None:
    """Refuse what was given that a model file has no use for.

    Raises
    ------
    InputError
        If an argument or an option concerns instances only.
    """
    check_alone(USED)
    given = context.get_parameter_source("method") is ParameterSource.COMMANDLINE
    if given and context.params["method"] != METHOD:
        raise InputError(f"--model goes with --method {METHOD} only")


def enumerate_model(
    path: Path,
    *,
    limit: int | None,
    time_limit: float | None,
    form: str,
    output: Path | None,
    quiet: bool,
    verbose: bool,
) -> int:
    """Find all solutions of a model file and return the exit code."""
    if form not in FORMS:
        raise InputError(f"a model file has no picture; --format is one of {listed(FORMS)}")
    checked_seconds(time_limit)
    model = read_model(path)
    search = OneTree(model, limit=limit, time_limit=time_limit)
    points: list[list[int]] = []
    interrupted = False
    with contextlib.ExitStack() as stack:
        write: Callable[[str], None] = _nowhere
        if output is not None or not quiet:
            write = stack.enter_context(output_stream(output))
        try:
            with counter("solutions") as count:
                for number, ones in enumerate(search, start=1):
                    _check(model, ones)
                    if form == "json":
                        points.append(ones)
                    elif form == "jsonl":
                        write(json_text(describe_point(model, ones)))
                    else:
                        write(f"{number}. {point_text(model, ones)}\n")
                    count(number)
        except KeyboardInterrupt:
            interrupted = True
        stopped = "interrupt" if interrupted else search.stopped
        if form == "text":
            write(_summary(model, search, stopped) + "\n")
        elif form == "json":
            write(json_text(_document(model, search, stopped, points)))
    if form == "jsonl" or output is not None or interrupted:
        note(_summary(model, search, stopped))
    if verbose:
        note(_statistics(search))
    return _exit_code(search, interrupted)


def _exit_code(search: OneTree, interrupted: bool) -> int:
    if interrupted:
        return INTERRUPTED
    if not search.complete:
        return LIMIT
    return FOUND if search.statistics.solutions else NONE


def _nowhere(_: str) -> None:
    """Drop a text."""


def _check(model: BinaryModel, ones: list[int]) -> None:
    """Hold a solution against the rows as they were read, before anybody sees it."""
    row = model.violated(ones)
    if row is not None:
        raise SolverFailed(
            f"one-tree found a point that breaks row {model.rows[row]}; please report this"
        )


def _summary(model: BinaryModel, search: OneTree, stopped: str) -> str:
    seen = search.statistics
    found = f"{seen.solutions:,} solution{'' if seen.solutions == 1 else 's'}"
    if search.complete:
        end = "complete: proved that there are no more"
        end = end if seen.solutions else "proved that there is none"
    else:
        why = {
            "limit": "stopped at the limit",
            "time": "stopped at the time limit",
            "interrupt": "interrupted",
        }.get(stopped, "stopped")
        end = f"not complete: {why}, there may be more"
    size = f"{len(model.columns)} columns x {len(model.rows)} rows, {seen.seconds:.2f} s"
    return f"{found}, {end} ({METHOD}, {size})"


def _statistics(search: OneTree) -> str:
    seen = search.statistics
    return (
        f"{seen.nodes:,} nodes, {seen.relaxations:,} relaxations; {seen.proved:,} nodes closed "
        f"by their own proof, {seen.reused:,} by another's, {seen.unproved:,} claims not proved"
    )


def _document(
    model: BinaryModel, search: OneTree, stopped: str, points: list[list[int]]
) -> dict[str, Any]:
    seen = search.statistics
    status = "feasible" if seen.solutions else "infeasible" if search.complete else "unknown"
    return {
        "model": describe_model(model),
        "status": status,
        "complete": search.complete,
        "stopped": stopped,
        "method": METHOD,
        "seconds": {"total": round(seen.seconds, 6)},
        "count": seen.solutions,
        "solutions": [describe_point(model, ones) for ones in points],
    }
