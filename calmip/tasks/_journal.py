"""Work in progress, for ``--resume``: what a run that was interrupted has left behind.

A *journal* grows by a line of JSON for each finished part of a long work. Its first line
says which work it is. Every line ends with a digest of itself and of the first, so that a
damaged line, or one of another work, is found when it is read. The *tilings* of an
enumeration grow line by line under ``NAME.part`` and are checked like anything that comes from
a file. In both a last line that was cut when the run was killed is passed over.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import os
import shutil
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import IO, Any, NoReturn, Self, TypeVar

from calmip._files import alone, check_target, part_file
from calmip.documents.description import json_text, tiling_lines
from calmip.errors import CalmipError, InputError, NotATiling, shown
from calmip.problem.cover import Placement
from calmip.problem.instance import Instance
from calmip.problem.tiling import Tiling
from calmip.tasks._enumeration import Enumeration

__all__ = ["Journal", "saved", "tiling_from", "tiling_of", "unreadable", "whole"]


MOST_LINE = 1 << 27
"""Bytes of a line at most; what is longer is not read to its end."""

SECONDS = 1.0
"""Lines that come sooner after each other reach the disk together."""

Value = TypeVar("Value")

Entry = tuple[int, dict[str, Any]]
"""The number of a line, and its data."""


def whole(value: object, low: int, high: int) -> int:
    """Return a value that is an integer in a range, both ends included.

    Raises
    ------
    ValueError
        If it is none; true and 1.0 are no integers.
    """
    if type(value) is int and low <= value <= high:
        return value
    raise ValueError(f"{value!r} is no integer from {low} to {high}")


class Journal:
    """The lines of a work that is being done; a context manager.

    Parameters
    ----------
    path
        Its file, or None to keep none.
    head
        All that the work depends on, as plain data: the first line.
    resume
        Whether to go on where an earlier run of the same work ended.
    work
        What a file with another first line is the journal of, for the message.
    remedy
        How to begin without the file's lines, for the message.

    Attributes
    ----------
    entries : list of tuple
        What the earlier run has written after the first line: the number of each whole
        line, and its data.

    Raises
    ------
    InputError
        If the file is that of another work, a line of it is damaged, another run is
        writing it, or it cannot be read or written.
    """

    def __init__(
        self,
        path: Path | None,
        head: Mapping[str, Any],
        *,
        resume: bool,
        work: str = "work",
        remedy: str = "leave out --resume to start anew",
    ) -> None:
        self.entries: list[Entry] = []
        self._file: IO[bytes] | None = None
        self._work, self._remedy, self._synced = work, remedy, 0.0
        self._salt = b""
        first = self._line(head)
        self._salt = first
        self._stack = ExitStack()
        if path is None:
            return
        self._path = path
        check_target(path)
        try:
            with ExitStack() as stack:
                stack.enter_context(alone(path))
                kept = self._read(first) if resume else 0
                self._file = stack.enter_context(path.open("r+b"))
                self._file.truncate(kept)
                self._file.seek(kept)
                if not kept:
                    self._write(first)
                self._stack = stack.pop_all()
        except OSError as error:
            raise self._unwritable(error) from None

    def _read(self, first: bytes) -> int:
        """Read the lines of an earlier run; return how many bytes they take."""
        kept = 0
        try:
            with self._path.open("rb") as file:
                line = file.readline(MOST_LINE)
                if not line.endswith(b"\n") and first.startswith(line):
                    return 0
                if line != first:
                    mine = self._data(line, salted=False) is not None
                    what = f"belongs to another {self._work}" if mine else "is no journal of calmip"
                    raise InputError(f"{what}; {self._remedy}", path=self._path)
                while line.endswith(b"\n"):
                    kept += len(line)
                    line = file.readline(MOST_LINE)
                    number = len(self.entries) + 2
                    if line.endswith(b"\n"):
                        data = self._data(line)
                        if data is None:
                            self.refuse(number)
                        self.entries.append((number, data))
                    elif len(line) == MOST_LINE:
                        self.refuse(number)
        except OSError as error:
            raise unreadable(self._path, error) from None
        return kept

    def read(
        self, parse: Callable[[dict[str, Any]], Value], entries: Iterable[Entry] | None = None
    ) -> Iterator[tuple[int, Value]]:
        """Yield the number of each line, or of some of them, and what a function makes of it.

        Raises
        ------
        InputError
            If the function raises `ValueError`, `TypeError`, `KeyError` or `NotATiling`: the
            line is none that a run of this work writes.
        """
        for number, entry in self.entries if entries is None else entries:
            try:
                value = parse(entry)
            except (ValueError, TypeError, KeyError, AttributeError, NotATiling):
                self.refuse(number)
            yield number, value

    def refuse(self, number: int) -> NoReturn:
        """Raise the error of a line that no run of this work writes."""
        raise InputError(
            f"is damaged, or not what a run of this {self._work} writes; remove the line to "
            f"have its part done again, or {self._remedy}",
            path=self._path,
            line=number,
        )

    def add(self, entry: Mapping[str, Any]) -> None:
        """Write a further line; it is on the disk a second later at the latest, or at the end."""
        if self._file is None:
            return
        try:
            self._write(self._line(entry))
        except OSError as error:
            raise self._unwritable(error) from None

    def _write(self, line: bytes) -> None:
        assert self._file is not None
        self._file.write(line)
        self._file.flush()
        if time.monotonic() >= self._synced + SECONDS:
            os.fsync(self._file.fileno())
            self._synced = time.monotonic()

    def _line(self, entry: Mapping[str, Any]) -> bytes:
        return json_text({**entry, "digest": self._digest(entry)}).encode()

    def _digest(self, entry: Mapping[str, Any], *, salted: bool = True) -> str:
        salt = self._salt if salted else b""
        return hashlib.sha256(salt + json_text(entry).encode()).hexdigest()[:32]

    def _data(self, line: bytes, *, salted: bool = True) -> dict[str, Any] | None:
        """Return the data of a line, or None if it is none of a journal or its digest is wrong."""
        try:
            entry = json.loads(line)
            digest = entry.pop("digest")
            return entry if digest == self._digest(entry, salted=salted) else None
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            return None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            try:
                os.fsync(self._file.fileno())
            except OSError as error:
                raise self._unwritable(error) from None
            finally:
                self._stack.close()

    def _unwritable(self, error: OSError) -> InputError:
        return InputError(f"cannot be written: {error.strerror or error}", path=self._path)


MOST_TILING = 1 << 20
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
                line = file.readline(MOST_TILING)
                if not line.endswith(b"\n"):
                    if len(line) == MOST_TILING:
                        raise _no_tiling(f"it has over {MOST_TILING:,} bytes", self._source, number)
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
