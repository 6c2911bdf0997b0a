"""Journals of interrupted runs, for ``--resume``.

A *journal* grows by a line of JSON for each finished part of a long work. Its first line
identifies the work. Every line ends with a digest of itself and of the first, so that the reader
detects a damaged line or one of another work. Journals of shards are joined by ``cat``. The
*tilings* of an enumeration grow line by line under ``NAME.part`` and are verified like any other
file. In both, an incomplete last line, which a killed run leaves, is ignored.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import IO, Any, NoReturn, Self, TypeVar

from calmip._base.errors import CalmipError, InputError, NotATiling, clip
from calmip._base.files import check_target, digest_of, lock_path, part_file
from calmip.puzzle.documents.serialise import json_text, tiling_lines
from calmip.puzzle.instance import Instance, Placement
from calmip.puzzle.tiling import Tiling

MAX_LINE_BYTES = 1 << 27
"""The most bytes of a line; a longer one is not read to its end."""

FLUSH_SECONDS = 1.0
"""The most seconds that a line waits before it is flushed to the disk."""

MALFORMED = (ValueError, TypeError, KeyError, AttributeError, RecursionError)
"""The errors that malformed data raise."""

Value = TypeVar("Value")

Entry = tuple[int, dict[str, Any]]
"""The number of a line, and its data."""


def check_integer(value: object, low: int, high: int) -> int:
    """Return an integer in a range, both ends included, or raise `ValueError` for any other value.

    True and 1.0 are refused.
    """
    if type(value) is int and low <= value <= high:
        return value
    raise ValueError(f"{value!r} is not an integer from {low} to {high}")


class Journal:
    """The journal of a work in progress; a context manager.

    Parameters
    ----------
    path
        Its file, or None to keep none.
    head
        All that the work depends on, as plain data: the first line.
    resume
        Whether to continue an earlier run of the same work.
    work
        The kind of work, for messages.
    remedy
        How to begin without the file's lines, for messages.

    Attributes
    ----------
    entries : list of tuple
        The number and the data of each line of the earlier run, except the first.

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
        self._first = _line(head, b"")
        self._stack = ExitStack()
        if path is None:
            return
        self._path = path
        check_target(path)
        try:
            with ExitStack() as stack:
                stack.enter_context(lock_path(path))
                kept = self._read() if resume else 0
                self._file = stack.enter_context(path.open("r+b"))
                self._file.truncate(kept)
                self._file.seek(kept)
                if not kept:
                    self._write(self._first)
                self._stack = stack.pop_all()
        except OSError as error:
            raise self._unwritable(error) from None

    def _read(self) -> int:
        """Read the lines of an earlier run; return their length in bytes."""
        try:
            with self._path.open("rb") as file:
                line = file.readline(MAX_LINE_BYTES)
                if not line.endswith(b"\n") and self._first.startswith(line):
                    return 0
                if line != self._first:
                    mine = _data(line, b"") is not None
                    what = (
                        f"belongs to another {self._work}" if mine else "is not a journal of calmip"
                    )
                    raise InputError(f"{what}; {self._remedy}", path=self._path)
                kept = len(line)
                for number, line in _lines(file, MAX_LINE_BYTES, 2):
                    if line == self._first:  # of another shard, whose journal was put after this
                        kept += len(line)
                        continue
                    data = _data(line, self._first) if line.endswith(b"\n") else None
                    if data is None:
                        self.refuse(number)
                    self.entries.append((number, data))
                    kept += len(line)
        except OSError as error:
            raise _unreadable(self._path, error) from None
        return kept

    def read(
        self, parse: Callable[[dict[str, Any]], Value], entries: Iterable[Entry] | None = None
    ) -> Iterator[tuple[int, Value]]:
        """Yield the number of each line, or of some lines, and its data as parsed by a function.

        Raises
        ------
        InputError
            If the function raises `NotATiling` or one of `MALFORMED` for a line.
        """
        for number, entry in self.entries if entries is None else entries:
            try:
                value = parse(entry)
            except (*MALFORMED, NotATiling):
                self.refuse(number)
            yield number, value

    def refuse(self, number: int) -> NoReturn:
        """Raise the error of a line that no run of this work writes."""
        raise InputError(
            f"is damaged, or not a line of this {self._work}; remove the line to "
            f"have its part done again, or {self._remedy}",
            path=self._path,
            line=number,
        )

    def add(self, entry: Mapping[str, Any]) -> None:
        """Write a further line; it reaches the disk within a second, or at the end."""
        if self._file is None:
            return
        try:
            self._write(_line(entry, self._first))
        except OSError as error:
            raise self._unwritable(error) from None

    def _write(self, line: bytes) -> None:
        assert self._file is not None
        self._file.write(line)
        self._file.flush()
        if time.monotonic() >= self._synced + FLUSH_SECONDS:
            os.fsync(self._file.fileno())
            self._synced = time.monotonic()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            try:
                with self._stack:  # closing it writes what a full disk has not taken
                    os.fsync(self._file.fileno())
            except OSError as error:
                raise self._unwritable(error) from None

    def _unwritable(self, error: OSError) -> InputError:
        return InputError(f"cannot be written: {error.strerror or error}", path=self._path)


def _line(entry: Mapping[str, Any], first: bytes) -> bytes:
    """Return a line with its digest, which depends on the first line."""
    digest = digest_of(first + json_text(entry).encode())[:32]
    return json_text({**entry, "digest": digest}).encode()


def _data(line: bytes, first: bytes) -> dict[str, Any] | None:
    """Return the data of a line; None if its form or its digest is wrong."""
    try:
        entry: dict[str, Any] = json.loads(line)
        del entry["digest"]
        return entry if _line(entry, first) == line else None
    except MALFORMED:
        return None


MAX_TILING_BYTES = 1 << 20
"""The most bytes of a line: 500 pieces on 3,600 cells take a tenth of that."""


def save_tilings(search: Any, output: Path, *, resume: bool) -> Generator[Tiling]:
    """Yield the tilings of an enumeration, each after writing it to a file as a line of JSON.

    The file gets its name at the end, also if the iteration is stopped. The tilings of an
    earlier run are read from ``NAME.part`` if it was killed, else from ``NAME``.

    Raises
    ------
    InputError
        If the file cannot be written, or contains anything but tilings of this instance and
        method.
    """
    line_of = tiling_lines(search.instance)
    part = output.with_name(output.name + ".part")
    source = part if part.is_file() else output
    kept = 0

    def earlier() -> Iterator[Tiling]:
        nonlocal kept
        with source.open("rb") as file:
            for number, line in _lines(file, MAX_TILING_BYTES):
                yield _tiling_of(search, line, line_of, source, number)
                kept += len(line)

    try:
        found = search.after(earlier() if resume and source.is_file() else ())
        if kept and source is not part:
            import shutil  # loads what packs files

            shutil.copyfile(source, part)
    except InputError as error:
        if error.line is None or error.path is not None:
            raise
        raise InputError(error.message, path=source, line=error.line) from None
    except OSError as error:
        raise _unreadable(source, error) from None
    with part_file(output, kept) as write:
        for tiling in found:
            write(line_of(tiling))
            yield tiling


def save_pool(search: Any, output: Path, *, resume: bool) -> Generator[Any]:
    """Yield the solutions of a model, those of an earlier run first.

    Until the search is complete, ``NAME.journal`` has each solution, and which parts of the tree
    are open. Further solutions may be found twice by two runs, and count once.

    Raises
    ------
    InputError
        If the journal cannot be written, or contains anything but solutions of this model.
    """
    pool, path = search.pool, output.with_name(output.name + ".journal")
    assert pool is not None
    remedy = "give the options of that run, with --limit if it had one, or leave out --resume"
    head = {"pool": pool.identity}
    with Journal(path, head, resume=resume, work="pool", remedy=remedy) as journal:
        for _ in journal.read(pool.recall):
            pass
        journal.entries.clear()
        pool.record = journal.add
        yield from search
    if search.complete:
        with suppress(OSError):
            path.unlink()


def _lines(file: IO[bytes], most: int, first: int = 1) -> Iterator[tuple[int, bytes]]:
    """Yield each line with its number, except an incomplete last line.

    A line of more than ``most`` bytes is cut to that length, without a line end.
    """
    for number, line in enumerate(iter(lambda: file.readline(most), b""), first):
        if line.endswith(b"\n") or len(line) == most:
            yield number, line


def _unreadable(path: Path, error: OSError) -> InputError:
    """Return the error to raise where a file cannot be read."""
    return InputError(f"cannot be read: {error.strerror or error}", path=path)


def _tiling_of(
    search: Any, line: bytes, line_of: Callable[[Tiling], str], path: Path, number: int
) -> Tiling:
    """Return the verified tiling of a line; bit masks verify a line in calmip's own form."""
    verifier = search.verifier
    try:
        if not line.endswith(b"\n"):
            raise InputError(f"it has over {MAX_TILING_BYTES:,} bytes")
        placements, labels = _parts(json.loads(line))
        with suppress(KeyError, NotATiling):
            tiling: Tiling = verifier.tiling(verifier.options(placements, labels))
            if line_of(tiling).encode() == line:
                return tiling
        return Tiling(search.instance, placements, labels)
    except CalmipError as error:
        fault = str(error)
    except MALFORMED:
        fault = "it is not of the form that --format jsonl writes"
    raise InputError(
        f"is not a tiling of this instance, so there is nothing to resume: {clip(fault)}; "
        "leave out --resume to start anew",
        path=path,
        line=number,
    )


def tiling_from(instance: Instance, described: Any) -> Tiling:
    """Return the verified tiling from plain data as of `describe_tiling`.

    Raise `NotATiling`, or one of `MALFORMED` if the data are malformed.
    """
    return Tiling(instance, *_parts(described))


def _parts(described: Any) -> tuple[tuple[Placement, ...], tuple[str, ...]]:
    reveal = described["reveal"]
    labels = reveal["labels"] if isinstance(reveal.get("labels"), list) else reveal.values()
    placements = tuple(
        Placement(str(entry["piece"]), tuple(map(_cell, entry["cells"])))
        for entry in described["placements"]
    )
    return placements, tuple(map(str, labels))


def _cell(value: Any) -> tuple[int, int]:
    row, column = value
    if type(row) is not int or type(column) is not int:
        raise ValueError
    return row, column
