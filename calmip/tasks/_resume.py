"""What an earlier, interrupted run has left behind, for ``--resume``.

Work in progress grows line by line under ``NAME.part``. A line that was cut
when the run was killed is passed over; all others are checked like anything
that comes from a file.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import IO, Any

from calmip._files import check_target
from calmip.documents.description import describe_tiling, json_text
from calmip.errors import CalmipError, InputError, shown
from calmip.problem.cover import Placement
from calmip.problem.instance import Instance
from calmip.problem.puzzle import Puzzle
from calmip.problem.tiling import Tiling
from calmip.tasks.calendar import Calendar, Day, day_of, days_of

__all__ = ["DayJournal", "earlier_tilings"]


def earlier_tilings(instance: Instance, output: Path) -> tuple[list[Tiling], int]:
    """Return the tilings that an earlier run wrote, and how many bytes of NAME.part they take.

    They stand in ``NAME.part`` if that run was killed, and in ``NAME`` if it
    stopped at a limit; then they are copied to ``NAME.part``. A last line that
    was cut is passed over.

    Raises
    ------
    InputError
        If a whole line is no tiling of the instance.
    """
    part = output.with_name(output.name + ".part")
    source = part if part.is_file() else output
    if not source.is_file():
        return [], 0
    tilings = []
    kept = 0
    try:
        with source.open("rb") as file:
            for number, line in enumerate(file, start=1):
                if not line.endswith(b"\n"):
                    break
                tilings.append(_tiling(instance, line, source, number))
                kept += len(line)
        if source is not part:
            shutil.copyfile(source, part)
    except OSError as error:
        raise _unreadable(source, error) from None
    return tilings, kept


class DayJournal:
    """The days of a calendar that is being made, one line each, under ``NAME.part``.

    Parameters
    ----------
    puzzle, year, seed
        What calendar it is.
    output
        The calendar's file, or None to keep no journal.
    resume
        Whether to go on where an earlier run of the same calendar ended.

    Attributes
    ----------
    days : list of Day
        What the earlier run has made, verified.

    Raises
    ------
    InputError
        If the journal is that of another calendar or cannot be read or written.
    """

    def __init__(
        self, puzzle: Puzzle, year: int, seed: int, output: Path | None, *, resume: bool
    ) -> None:
        from calmip.tasks._calendar_file import calendar_json

        self.days: list[Day] = []
        self._file: IO[bytes] | None = None
        if output is None:
            return
        check_target(output)
        self._path = output.with_name(output.name + ".part")
        check_target(self._path)
        # A calendar without days says the puzzle, the year and the seed.
        head = calendar_json(Calendar(puzzle, year, seed, ())).encode()
        kept = self._read(head, puzzle, year, seed) if resume and self._path.exists() else 0
        try:
            self._file = self._path.open("r+b" if kept else "wb")
            self._file.truncate(kept)
            self._file.seek(kept)
        except OSError as error:
            raise _unwritable(self._path, error) from None
        if not kept:
            self._write(head)

    def _read(self, head: bytes, puzzle: Puzzle, year: int, seed: int) -> int:
        """Read the days of an earlier run; return the bytes that are whole."""
        try:
            lines = self._path.read_bytes().splitlines(keepends=True)
        except OSError as error:
            raise _unreadable(self._path, error) from None
        if not lines or not lines[0].endswith(b"\n"):
            return 0
        if lines[0] != head:
            raise InputError(
                "belongs to another puzzle, year or seed; leave out --resume to start anew",
                path=self._path,
            )
        kept = len(head)
        for number, (date, line) in enumerate(zip(days_of(year), lines[1:], strict=False), start=2):
            if not line.endswith(b"\n"):
                break
            if line == b"null\n":
                # That there is none cannot be seen from the line: it is proved again.
                self.days.append(day_of(puzzle, date, seed=seed))
            else:
                instance = Instance.of_date(puzzle, date, name=date.isoformat())
                tiling = _tiling(instance, line, self._path, number)
                self.days.append(Day(date, instance, tiling))
            kept += len(line)
        return kept

    def add(self, day: Day) -> None:
        """Write a further day."""
        entry = None if day.tiling is None else describe_tiling(day.tiling)
        self._write(json_text(entry).encode())

    def done(self) -> None:
        """Remove the journal: the calendar stands under its own name."""
        if self._file is not None:
            self._file.close()
            self._path.unlink(missing_ok=True)

    def _write(self, line: bytes) -> None:
        if self._file is None:
            return
        try:
            self._file.write(line)
            self._file.flush()
        except OSError as error:
            raise _unwritable(self._path, error) from None


def _unreadable(path: Path, error: OSError) -> InputError:
    return InputError(f"cannot be read: {error.strerror or error}", path=path)


def _unwritable(path: Path, error: OSError) -> InputError:
    return InputError(f"cannot be written: {error.strerror or error}", path=path)


def _tiling(instance: Instance, line: bytes, path: Path, number: int) -> Tiling:
    try:
        found = json.loads(line)
        reveal = found["reveal"]
        labels = reveal["labels"] if isinstance(reveal.get("labels"), list) else reveal.values()
        placements = [
            Placement(str(entry["piece"]), tuple(_cell(cell) for cell in entry["cells"]))
            for entry in found["placements"]
        ]
        return Tiling(instance, tuple(placements), tuple(map(str, labels)))
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


def _cell(value: Any) -> tuple[int, int]:
    row, column = value
    if type(row) is not int or type(column) is not int:
        raise ValueError
    return row, column
