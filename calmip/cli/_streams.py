"""The standard streams as the program finds them: closed, full, or fine."""

from __future__ import annotations

import contextlib
import errno
import io
import os
import sys
from typing import TextIO

import click

__all__ = ["ReaderLeft", "drop", "note", "prepare", "put"]


class _Closed(io.StringIO):
    """Stands in for a stdout that is closed: whoever writes a result to it is told so."""

    def write(self, text: str, /) -> int:
        raise OSError(errno.EBADF, "stdout is closed; there is no place for the result")


class ReaderLeft(Exception):
    """Whoever read stdout has seen enough; what is printed from now on is dropped."""


def prepare() -> None:
    """Make the streams usable, whichever of them the caller has closed.

    Python leaves None in place of a closed stream. The system then gives its
    number to the next file that is opened, so that a library which prints
    would write into a model file: the numbers are taken first.
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
    """Print a line on stderr; that it cannot be printed changes nothing else."""
    try:
        click.echo(line, err=True)
    except OSError:
        drop(sys.stderr)


def put(text: str | bytes) -> None:
    """Print a text at once, what stdout's encoding has no sign for as an escape.

    Raises
    ------
    ReaderLeft
        If stdout is a pipe that nobody reads any more.
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


def drop(stream: TextIO) -> None:
    """Leave nothing that Python would try to flush to a broken stream at its end."""
    with contextlib.suppress(OSError, ValueError):
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, stream.fileno())
        os.close(null)
