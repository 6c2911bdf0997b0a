"""``calmip check``: somebody else's answer, or somebody else's model."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from calmip.cli import FOUND, LIMIT, NONE
from calmip.cli._options import deliver, instance_from, instance_options, terminal_style
from calmip.documents.description import describe_instance, json_text
from calmip.errors import InputError, NotATiling
from calmip.formats.model_files import read_model
from calmip.formats.reading import read_source
from calmip.formats.solutions import read_solution
from calmip.formats.values import chosen_options, violations
from calmip.models.cells import assignment_names
from calmip.problem.cover import ExactCover, Placement, Reveal
from calmip.render.text import Style, draw_choice
from calmip.search.equivalence import compare_model
from calmip.search.exact_cover import exists

__all__ = ["check_command"]


@dataclass(frozen=True)
class Report:
    """What was found: the verdict (None: not decided in time), its reasons, and a point."""

    valid: bool | None
    lines: tuple[str, ...]
    options: tuple[int, ...] | None = None


@click.command("check")
@instance_options
@click.argument("solution", type=click.Path(path_type=Path), metavar="[FILE]", required=False)
@click.option(
    "--model",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="In place of an answer: an MPS or LP file to compare with the puzzle.",
)
@click.option(
    "--names",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="With --model: lines COLUMN,PLACEMENT where its columns are named in another way.",
)
@click.option(
    "--limit",
    type=int,
    default=100_000,
    show_default=True,
    metavar="N",
    help="With --model: the most tilings to try.",
)
@click.option(
    "--time-limit",
    type=click.FloatRange(min=0, min_open=True),
    default=120.0,
    show_default=True,
    metavar="SECONDS",
    help="With --model: when to give up.",
)
@click.option(
    "--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True
)
def check_command(
    source: str,
    reveal: str | None,
    date: str | None,
    flip: bool | None,
    solution: Path | None,
    model: Path | None,
    names: Path | None,
    limit: int,
    time_limit: float,
    form: str,
) -> int:
    """Check a solver's solution FILE of INSTANCE, whatever solver wrote it.

    With --model a model file is checked: whether its solutions are the
    tilings of INSTANCE, all of them and no others; a counter-example is drawn
    if not. The exit code is 0 if the file holds a tiling (or rightly says
    that there is none) or the model is right, 1 if not, 2 if the file cannot
    be read, 3 if a limit came first.
    """
    if (solution is None) == (model is None):
        raise InputError("give either a solution FILE, or a model with --model FILE")
    if model is None and names is not None:
        raise InputError("--names goes with --model")
    if solution is not None and solution.name.removesuffix(".gz").endswith((".mps", ".lp")):
        raise InputError(f"is a model by its name; write --model {solution}", path=solution)
    cover = ExactCover(instance_from(source, reveal, date, flip))
    if solution is not None:
        report = _check_answer(cover, solution)
    else:
        assert model is not None
        report = _check_model(cover, model, names, limit, time_limit)
    if form == "json":
        deliver(json_text(_describe(cover, report)), None)
    else:
        deliver(_text(cover, report, terminal_style(None)), None)
    return {True: FOUND, False: NONE, None: LIMIT}[report.valid]


def _check_answer(cover: ExactCover, path: Path) -> Report:
    answer = read_solution(path, cover.option_names)
    told = f"{path}: a file of {answer.format}, claims '{answer.detail or answer.claim}'"
    if answer.claim == "infeasible":
        right = not exists(cover)
        verdict = "there is no tiling, by an independent search" if right else "but there is one"
        return Report(right, (f"{told}; {verdict}",))
    try:
        further = frozenset(assignment_names(cover))
        chosen = chosen_options(cover, answer.values, auxiliary=further)
    except InputError as error:
        raise InputError(error.message, path=path) from None
    except NotATiling as error:
        return Report(False, (told, f"not a tiling: {error}"))
    faults = violations(cover, chosen)
    if faults:
        more = [f"... and {len(faults) - 20} more"] if len(faults) > 20 else []
        lines = (told, f"not a tiling: {len(faults)} equations fail", *faults[:20], *more)
        return Report(False, lines, tuple(chosen))
    # Once more from the board itself, not from the rows.
    from calmip.problem.tiling import Tiling

    Tiling.from_options(cover, chosen)
    return Report(True, (f"{told}; verified: it is a tiling",), tuple(chosen))


def _check_model(
    cover: ExactCover, path: Path, names: Path | None, limit: int, time_limit: float
) -> Report:
    model = read_model(path)
    named = None if names is None else _read_names(names)
    found = compare_model(cover, model, names=named, limit=limit, time_limit=time_limit)
    size = f"{len(model.columns)} columns, {len(model.rows)} rows"
    verdict = {True: "is a model of this instance", False: "is not a model of this instance",
               None: "was not decided"}[found.equal]  # fmt: skip
    return Report(found.equal, (f"{path} ({size}) {verdict}: {found.reason}",), found.options)


def _read_names(path: Path) -> dict[str, str]:
    """Return which column is which placement, from lines ``COLUMN,PLACEMENT``."""
    source = read_source(path)
    names: dict[str, str] = {}
    for number, text in enumerate(source.lines, start=1):
        if not text.strip() or text.startswith("#"):
            continue
        column, sign, option = (part.strip() for part in text.rpartition(","))
        if not sign or not column or not option:
            raise source.error("a line is COLUMN,PLACEMENT, such as x[17],U_b30", number)
        if column in names:
            raise source.error(f"column {column[:60]!r} comes twice", number)
        names[column] = option
    return names


def _options(cover: ExactCover, report: Report) -> tuple[list[Placement], list[str]]:
    """Return the placements and labels of the point to show."""
    chosen = [cover.option(number) for number in report.options or ()]
    placements = [option for option in chosen if isinstance(option, Placement)]
    labels = [option.label for option in chosen if isinstance(option, Reveal)]
    return placements, [*cover.instance.labels, *labels]


def _text(cover: ExactCover, report: Report, style: Style) -> str:
    lines: Iterable[str] = report.lines
    if report.options is not None:
        lines = [draw_choice(cover.instance, *_options(cover, report), style), *lines]
    return "\n".join(lines) + "\n"


def _describe(cover: ExactCover, report: Report) -> dict[str, Any]:
    point = None
    if report.options is not None:
        placements, labels = _options(cover, report)
        point = {
            "labels": labels,
            "placements": [
                {"piece": placement.piece, "cells": [list(cell) for cell in placement.cells]}
                for placement in placements
            ],
        }
    return {
        "instance": describe_instance(cover.instance),
        "valid": report.valid,
        "reasons": list(report.lines),
        "point": point,
    }
