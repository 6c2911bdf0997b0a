"""A file that grows by a line for each finished part of a long work, for ``--resume``.

The first line says which work it is. A last line that was cut when the run was
killed is passed over.
"""

from __future__ import annotations

from pathlib import Path
from typing import IO, Self

from calmip._files import check_target
from calmip.errors import InputError
from calmip.tasks._resume import unreadable

__all__ = ["Journal"]


class Journal:
    """The lines of a work that is being done; a context manager.

    Parameters
    ----------
    path
        Its file, or None to keep none.
    head
        The first line, which says all that the work depends on, with its line end.
    resume
        Whether to go on where an earlier run of the same work ended.
    other
        What a file with another first line is of, as it is said.

    Attributes
    ----------
    lines : list of bytes
        The whole lines that the earlier run has written after the first.

    Raises
    ------
    InputError
        If the file is that of another work, or cannot be read or written.
    """

    def __init__(
        self, path: Path | None, head: bytes, *, resume: bool, other: str = "work"
    ) -> None:
        self.lines: list[bytes] = []
        self._file: IO[bytes] | None = None
        if path is None:
            return
        self._path = path
        check_target(path)
        if resume and path.exists():
            self._read(head, other)
        try:
            self._file = path.open("r+b" if self.lines else "wb")
            if self.lines:
                self._file.seek(len(head) + sum(map(len, self.lines)))
                self._file.truncate()
        except OSError as error:
            raise self._unwritable(error) from None
        if not self.lines:
            self.add(head)

    def _read(self, head: bytes, other: str) -> None:
        try:
            lines = self._path.read_bytes().splitlines(keepends=True)
        except OSError as error:
            raise unreadable(self._path, error) from None
        if lines and lines[0].endswith(b"\n") and lines[0] != head:
            raise InputError(
                f"belongs to another {other}; leave out --resume to start anew", path=self._path
            )
        self.lines = [line for line in lines[1:] if line.endswith(b"\n")]

    def add(self, line: bytes) -> None:
        """Write a further line."""
        if self._file is None:
            return
        try:
            self._file.write(line)
            self._file.flush()
        except OSError as error:
            raise self._unwritable(error) from None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            self._file.close()

    def _unwritable(self, error: OSError) -> InputError:
        return InputError(f"cannot be written: {error.strerror or error}", path=self._path)
