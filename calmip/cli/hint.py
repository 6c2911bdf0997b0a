"""``calmip hint``."""

from __future__ import annotations

from pathlib import Path

import click

from calmip.cli import FOUND, LIMIT, NONE
from calmip.cli._options import (
    deliver,
    instance_from,
    instance_options,
    placed_option,
    terminal_style,
)
from calmip.documents.description import describe_instance, describe_placement, json_text
from calmip.documents.placed import written
from calmip.errors import listed
from calmip.render.text import draw_position
from calmip.tasks.hint import Hint, hint

__all__ = ["hint_command"]


@click.command("hint")
@instance_options
@placed_option
@click.option("--time-limit", type=float, metavar="SECONDS", help="Stop after so many seconds.")
@click.option(
    "--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True
)
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Write to a file.")
def hint_command(
    source: str,
    reveal: str | None,
    date: str | None,
    flip: bool | None,
    placed: str | None,
    time_limit: float | None,
    form: str,
    output: Path | None,
) -> int:
    """Say whether INSTANCE can be solved with what lies on its board, and show one piece more.

    Write what lies on the board as --placed "U:15+16 Y:3,0": the piece, and
    places that it covers, by label or by row,column from 0 on. If several ways
    to lie cover them, they are listed. In a file, the key placed says the same.
    The exit code is 0 if the position can be solved, 1 if not, 3 if a limit
    came first.
    """
    found = hint(instance_from(source, reveal, date, flip, placed), time_limit=time_limit)
    if form == "json":
        text = json_text(_described(found))
    else:
        drawing = draw_position(found.instance, terminal_style(output), shown=found.piece)
        text = "\n".join([drawing, *_said(found)]) + "\n"
    deliver(text, output)
    return LIMIT if found.solvable is None else FOUND if found.solvable else NONE


def _described(found: Hint) -> dict[str, object]:
    piece = found.piece
    return {
        "instance": describe_instance(found.instance),
        "solvable": found.solvable,
        "tilings": found.tilings,
        "piece": None if piece is None else describe_placement(piece),
        "tilings_left": found.tilings_left,
        "blocking": list(found.blocking),
        "take_off": list(found.take_off),
        "hopeless": found.hopeless,
        "complete": found.complete,
    }


def _said(found: Hint) -> list[str]:
    instance = found.instance
    names = [one.piece for one in instance.placed]
    lying = f" with {listed(names)} placed" if names else ""
    free = [f"any {group}" for group in instance.free]
    title = " ".join([*instance.labels, *free]) + lying
    if found.solvable is None:
        return [f"{title}: the time was over before an answer"]
    if not found.solvable:
        return [f"{title}: it cannot be solved", *_remedy(found)]
    lines = [f"{title}: it can be solved {_times(found.tilings)}"]
    if found.piece is None:
        return [f"{title}: solved"]
    if found.tilings_left is not None and found.tilings_left == found.tilings:
        share = "it must lie there" if found.tilings > 1 else ""
    elif found.tilings_left is not None:
        share = f"{_times(found.tilings_left)} then"
    else:
        share = ""
    lines.append(f"lay {written(instance, found.piece)}" + (f" ({share})" if share else ""))
    return lines


def _times(number: int | None) -> str:
    if number is None:
        return "in more ways than could be counted"
    return "in one way" if number == 1 else f"in {number:,} ways"


def _remedy(found: Hint) -> list[str]:
    """Return what would help: a piece to take off, or the command that says why nothing does."""
    if found.hopeless:
        return ["there is no tiling whatever is placed; calmip explain says what conflicts"]
    if len(found.blocking) == 1:
        return [f"take off {found.blocking[0]}, and it can be"]
    if found.blocking:
        return [f"take off any one of {listed(found.blocking)}, and it can be"]
    if found.take_off:
        return [f"take off {' and '.join(found.take_off)} together; no fewer pieces suffice"]
    if not found.complete:
        return ["the time was over before it was known what to take off"]
    return ["to take off any one piece does not suffice"]
