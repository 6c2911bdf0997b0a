"""What an earlier, interrupted run has left behind, for ``--resume``.

Work in progress grows line by line under ``NAME.part``. A line that was cut
when the run was killed is passed over; all others are checked like anything
that comes from a file.
"""

from __future__ import annotations

import itertools
import json
import shutil
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Any

from calmip._files import part_file
from calmip.documents.description import tiling_lines
from calmip.errors import CalmipError, InputError, shown
from calmip.problem.cover import Placement
from calmip.problem.instance import Instance
from calmip.problem.tiling import Tiling
from calmip.tasks._enumeration import Enumeration

__all__ = ["saved", "tiling_from", "tiling_of", "unreadable"]


MOST_LINE = 1 << 20
"""Bytes of a line at most: 500 pieces on 3,600 cells take a tenth of that."""


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
        Whether to go on where an earlier run ended, which has left its tilings in
        ``NAME.part`` if it was killed, or in ``NAME`` if it stopped at a limit.

    Raises
    ------
    InputError
        If the file cannot be written, or if what an earlier run left there is
        not of this instance and method.
    """
    line = tiling_lines(search.instance)
    part = output.with_name(output.name + ".part")
    source = part if part.is_file() else output
    earlier = _Earlier(search, source, line)
    try:
        found = search.after(earlier if resume and source.is_file() else ())
        if earlier.bytes and source is not part:
            shutil.copyfile(source, part)
    except InputError as error:
        if error.line is None or error.path is not None:
            raise
        raise InputError(error.message, path=source, line=error.line) from None
    except OSError as error:
        raise unreadable(source, error) from None
    with part_file(output, earlier.bytes) as write:
        for tiling in found:
            write(line(tiling))
            yield tiling


class _Earlier:
    """The tilings that an earlier run wrote, each verified; a last line that was cut is not there.

    Parameters
    ----------
    search
        The enumeration that goes on.
    source
        The file.
    line
        What makes a line of a tiling.

    Attributes
    ----------
    bytes : int
        How many bytes the lines take that were gone through.

    Raises
    ------
    InputError
        If a whole line is no tiling of the instance.
    """

    def __init__(self, search: Enumeration, source: Path, line: Callable[[Tiling], str]) -> None:
        self._search, self._source, self._line = search, source, line
        self.bytes = 0

    def __iter__(self) -> Iterator[Tiling]:
        with self._source.open("rb") as file:
            for number in itertools.count(1):
                line = file.readline(MOST_LINE)
                if not line.endswith(b"\n"):
                    if len(line) == MOST_LINE:
                        raise _no_tiling(f"it has over {MOST_LINE:,} bytes", self._source, number)
                    return
                yield self._tiling(line, number)
                self.bytes += len(line)

    def _tiling(self, line: bytes, number: int) -> Tiling:
        """Return the tiling of a line, by masks if the line is just as we write it."""
        verifier = self._search.verifier
        try:
            found = json.loads(line)
            placements = [
                Placement(one["piece"], tuple((r, c) for r, c in one["cells"]))
                for one in found["placements"]
            ]
            labels = found["reveal"].values()
            tiling = verifier.tiling(verifier.options(placements, labels))
            if self._line(tiling).encode() == line:
                return tiling
        except (CalmipError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
            pass
        return tiling_of(self._search.instance, line, self._source, number)


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
    raise _no_tiling(fault, path, number)


def _no_tiling(fault: str, path: Path, number: int) -> InputError:
    return InputError(
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
