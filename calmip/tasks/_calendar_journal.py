"""The days of a calendar that is being made, kept so that a killed run can be resumed.

The first line says which calendar it is. A line that was cut when the run was
killed is passed over; all others are checked like anything that comes from a file.
"""

from __future__ import annotations

from pathlib import Path
from typing import IO, Self

from calmip._files import check_target
from calmip.documents.description import describe_tiling, json_text
from calmip.errors import InputError
from calmip.problem.instance import Instance
from calmip.tasks._calendar import Calendar, Day, DaySearch, days_of
from calmip.tasks._calendar_file import calendar_json
from calmip.tasks._resume import tiling_of, unreadable

__all__ = ["DayJournal"]


class DayJournal:
    """The days of a calendar that is being made, one line each; a context manager.

    Parameters
    ----------
    search
        Says the puzzle and the seed, and proves anew which days have no tiling.
    year
        The year.
    path
        The journal's file, or None to keep no journal.
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

    def __init__(self, search: DaySearch, year: int, path: Path | None, *, resume: bool) -> None:
        self.days: list[Day] = []
        self._file: IO[bytes] | None = None
        if path is None:
            return
        self._path = path
        check_target(self._path)
        # A calendar without days says the puzzle, the year and the seed.
        head = calendar_json(Calendar(search.puzzle, year, search.seed, ())).encode()
        kept = self._read(head, search, year) if resume and self._path.exists() else 0
        try:
            self._file = self._path.open("r+b" if kept else "wb")
            self._file.truncate(kept)
            self._file.seek(kept)
        except OSError as error:
            raise _unwritable(self._path, error) from None
        if not kept:
            self._write(head)

    def _read(self, head: bytes, search: DaySearch, year: int) -> int:
        """Read the days of an earlier run; return the bytes that are whole."""
        try:
            lines = self._path.read_bytes().splitlines(keepends=True)
        except OSError as error:
            raise unreadable(self._path, error) from None
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
                self.days.append(search.day(date))
            else:
                instance = Instance.of_date(search.puzzle, date, name=date.isoformat())
                tiling = tiling_of(instance, line, self._path, number)
                self.days.append(Day(date, instance, tiling))
            kept += len(line)
        return kept

    def add(self, day: Day) -> None:
        """Write a further day."""
        entry = None if day.tiling is None else describe_tiling(day.tiling)
        self._write(json_text(entry).encode())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            self._file.close()

    def _write(self, line: bytes) -> None:
        if self._file is None:
            return
        try:
            self._file.write(line)
            self._file.flush()
        except OSError as error:
            raise _unwritable(self._path, error) from None


def _unwritable(path: Path, error: OSError) -> InputError:
    return InputError(f"cannot be written: {error.strerror or error}", path=path)
