"""What an earlier, interrupted run has left behind, for ``--resume``.

Work in progress grows line by line under ``NAME.part``. A line that was cut
when the run was killed is passed over; all others are checked like anything
that comes from a file.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Generator
from pathlib import Path
from typing import Any

from calmip._files import part_file
from calmip.documents.description import describe_tiling, json_text
from calmip.errors import CalmipError, InputError, shown
from calmip.problem.cover import Placement
from calmip.problem.instance import Instance
from calmip.problem.tiling import Tiling
from calmip.tasks._enumeration import Enumeration

__all__ = ["earlier_tilings", "saved", "tiling_from", "tiling_of", "unreadable"]


def saved(search: Enumeration, output: Path, *, resume: bool) -> Generator[Tiling]:
    """Yield what an enumeration finds, each tiling when it stands in a file as a line of JSON.

    The file gets its name at the end, also when the iteration is broken off.

    Parameters
    ----------
    search
        The enumeration, not begun.
    output
        The file to make or replace.
    resume
        Whether to go on where an earlier run ended.

    Raises
    ------
    InputError
        If the file cannot be written, or if what an earlier run left there is
        not of this instance and method.
    """
    earlier, kept = earlier_tilings(search.instance, output) if resume else ([], 0)
    with part_file(output, kept) as write:
        for tiling in search.after(earlier):
            write(json_text(describe_tiling(tiling)))
            yield tiling


def earlier_tilings(instance: Instance, output: Path) -> tuple[list[Tiling], int]:
    """Return the tilings that an earlier run wrote, and how many bytes of NAME.part they take.

    They stand in ``NAME.part`` if that run was killed, and in ``NAME`` if it
    stopped at a limit; then they are copied to ``NAME.part``. A last line that
    was cut is passed over.

    Raises
    ------
    InputError
        If a whole line is no tiling of the instance, or one that stands there already.
    """
    part = output.with_name(output.name + ".part")
    source = part if part.is_file() else output
    if not source.is_file():
        return [], 0
    lines: dict[Tiling, int] = {}
    kept = 0
    try:
        with source.open("rb") as file:
            for number, line in enumerate(file, start=1):
                if not line.endswith(b"\n"):
                    break
                tiling = tiling_of(instance, line, source, number)
                first = lines.setdefault(tiling, number)
                if first != number:
                    raise InputError(
                        f"is the tiling of line {first} once more, which no run of ours writes; "
                        "remove the line, or leave out --resume to start anew",
                        path=source,
                        line=number,
                    )
                kept += len(line)
        if source is not part:
            shutil.copyfile(source, part)
    except OSError as error:
        raise unreadable(source, error) from None
    return list(lines), kept


def unreadable(path: Path, error: OSError) -> InputError:
    """Return what to raise where a file cannot be read."""
    return InputError(f"cannot be read: {error.strerror or error}", path=path)


def tiling_of(instance: Instance, line: bytes, path: Path, number: int) -> Tiling:
    """Return the verified tiling that a line of a file describes.

    Raises
    ------
    InputError
        If it is no tiling of the instance.
    """
    try:
        return tiling_from(instance, json.loads(line))
    except CalmipError as error:
        fault = str(error)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        fault = "it is not of the form that --format jsonl writes"
    raise InputError(
        f"is no tiling of this instance, so there is nothing to resume: {shown(fault)}; "
        "leave out --resume to start anew",
        path=path,
        line=number,
    )


def tiling_from(instance: Instance, described: Any) -> Tiling:
    """Return the verified tiling that plain data describe, as `describe_tiling` does.

    Raises
    ------
    NotATiling
        If it is no tiling of the instance.
    ValueError, TypeError, KeyError, AttributeError
        If the data are of another form.
    """
    reveal = described["reveal"]
    labels = reveal["labels"] if isinstance(reveal.get("labels"), list) else reveal.values()
    placements = [
        Placement(str(entry["piece"]), tuple(_cell(cell) for cell in entry["cells"]))
        for entry in described["placements"]
    ]
    return Tiling(instance, tuple(placements), tuple(map(str, labels)))


def _cell(value: Any) -> tuple[int, int]:
    row, column = value
    if type(row) is not int or type(column) is not int:
        raise ValueError
    return row, column
