"""The standard streams, which may be closed, full, or without a reader."""

from __future__ import annotations

import contextlib
import errno
import io
import os
import sys
from typing import Any, TextIO

import click

from calmip._base.errors import InputError
from calmip._base.signals import is_announced


class _Closed(io.StringIO):
    """Replaces a closed stdout, and refuses what is written, text or bytes."""

    @property
    def buffer(self) -> Any:
        """The stream for bytes."""
        return self

    def write(self, _: str | bytes, /) -> int:
        raise OSError(errno.EBADF, "stdout is closed, so the result cannot be written")


class ReaderLeft(Exception):
    """The reader of stdout has left; further output is dropped."""


def prepare() -> None:
    """Make the streams usable, even if the caller has closed some.

    Python has None instead of a closed stream, and the next file that is opened gets its number.
    A library that prints would write into that file, so the numbers are taken first.
    """
    with contextlib.suppress(OSError):
        while (taken := os.open(os.devnull, os.O_RDWR)) <= 2:
            pass
        os.close(taken)
    # The types do not know that there may be None.
    streams: dict[str, TextIO | None] = {"stdout": sys.stdout, "stderr": sys.stderr}
    if streams["stdout"] is None:
        sys.stdout = _Closed()
    if streams["stderr"] is None:
        sys.stderr = io.StringIO()


def note(line: str) -> None:
    """Print a line on stderr; a failure to print is ignored."""
    try:
        click.echo(line, err=True)
    except OSError:
        drop(sys.stderr)


def note_interrupt(line: str = "interrupted") -> None:
    """Print on stderr that the program is interrupted, unless that has been printed."""
    if not is_announced():
        note(line)


def put(text: str | bytes) -> None:
    """Print a text at once, with escapes for characters that stdout's encoding lacks.

    Raises
    ------
    ReaderLeft
        If stdout is a pipe without a reader.
    InputError
        If stdout cannot be written to. A full disk below it is not that of the temporary files.
    """
    try:
        if isinstance(text, bytes):
            sys.stdout.buffer.write(text)
        else:
            encoding = sys.stdout.encoding or "utf-8"
            sys.stdout.write(text.encode(encoding, "backslashreplace").decode(encoding))
        sys.stdout.flush()
    except BrokenPipeError:
        drop(sys.stdout)
        raise ReaderLeft from None
    except OSError as error:
        drop(sys.stdout)
        raise InputError(f"cannot write the output: {error.strerror or error}") from None


def drop(stream: TextIO) -> None:
    """Redirect a broken stream, so that Python does not fail to flush it at exit."""
    with contextlib.suppress(OSError, ValueError):
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, stream.fileno())
        os.close(null)
