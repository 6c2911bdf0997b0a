"""Files of other programs as lines of text: bounded, unpacked, and never trusted."""

from __future__ import annotations

import math
import re
import zlib
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from pathlib import Path

from calmip.errors import InputError

__all__ = ["MAX_BYTES", "TextFile", "parse_number", "quoted", "read_source"]

MAX_BYTES = 64 * 1024 * 1024
"""Longer texts are refused, whether on the disk or after unpacking."""

MAX_LINE = 100_000
MAX_DIGITS = 400
MAX_MEMBERS = 100

# ASCII digits only and no underscores, which float() would let through; Fortran's D exponents
# are what some MPS writers print.
NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eEdD][+-]?[0-9]+)?", re.ASCII)


@dataclass(frozen=True)
class TextFile:
    """The lines of a text file, and its name for messages.

    Parameters
    ----------
    name
        What messages call the file.
    lines
        Its lines without their ends; line 1 is ``lines[0]``.
    """

    name: str
    lines: tuple[str, ...]

    def error(self, message: str, line: int | None = None) -> InputError:
        """Return an error at a 1-based line of the file."""
        return InputError(message, path=self.name, line=line)

    def number(self, text: str, line: int, what: str = "a number") -> float:
        """Return the finite number that a text means.

        Raises
        ------
        InputError
            If it is none: not a number, NaN, infinite or too large.
        """
        value = parse_number(text)
        if value is None:
            raise self.error(f"found {quoted(text)} where {what} should stand", line)
        return value

    def exact(self, text: str, line: int) -> int | Fraction:
        """Return the number that a decimal text means, without rounding.

        Raises
        ------
        InputError
            If it is none, or too small or too long for a number of a model.
        """
        value = self.number(text, line)
        if len(text) > MAX_DIGITS:
            raise self.error(f"found a number of over {MAX_DIGITS} characters; round it", line)
        if not value and text.strip("+-0.") and text.lower().lstrip("+-0.")[0] not in "ed":
            raise self.error(f"found {quoted(text)}, too small a number; leave it out", line)
        return _exact(text) if value else 0


@lru_cache(maxsize=1024)
def parse_number(text: str) -> float | None:
    """Return the finite number that a text means in full, or None."""
    if not NUMBER.fullmatch(text):
        return None
    value = float(text.replace("d", "e").replace("D", "e"))
    return value if math.isfinite(value) else None


@lru_cache(maxsize=1024)
def _exact(text: str) -> int | Fraction:
    value = Fraction(text.replace("d", "e").replace("D", "e"))
    return value.numerator if value.denominator == 1 else value


def quoted(text: str) -> str:
    """Return a text for a message: cut, and with control characters made visible."""
    return ascii(text if len(text) <= 60 else text[:57] + "...")


def read_source(path: Path, *, most: int = MAX_BYTES) -> TextFile:
    """Return a text file's lines; a gzip file, whatever its name, is unpacked.

    Parameters
    ----------
    path
        The file.
    most
        The most bytes, packed and unpacked.

    Raises
    ------
    InputError
        If it cannot be read, is empty, too large, cut, or not UTF-8 text.
    """
    name = str(path) if str(path).isprintable() else repr(str(path))
    data = _read(path, name, most)
    if data[:2] == b"\x1f\x8b":
        data = _unpacked(data, name, most)
    if not data.strip():
        raise InputError("is empty", path=name)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise InputError("is not UTF-8 text", path=name, line=line) from None
    if "\0" in text:
        line = text[: text.index("\0")].count("\n") + 1
        raise InputError("holds a NUL byte: not a text file", path=name, line=line)
    # Not splitlines(): form feeds and the like are part of a line here, and so counted as
    # every editor counts.
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for number, line_text in enumerate(lines, start=1):
        if len(line_text) > MAX_LINE:
            raise InputError(f"a line of over {MAX_LINE:,} characters", path=name, line=number)
    if not lines[-1]:
        lines.pop()
    return TextFile(name, tuple(lines))


def _read(path: Path, name: str, most: int) -> bytes:
    try:
        if not path.exists():
            raise InputError("no such file", path=name)
        if not path.is_file():
            raise InputError("is a folder" if path.is_dir() else "is not a regular file", path=name)
        with path.open("rb") as file:
            data = file.read(most + 1)
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", path=name) from None
    if len(data) > most:
        raise InputError(f"is larger than {most:,} bytes", path=name)
    return data


def _unpacked(data: bytes, name: str, most: int) -> bytes:
    """Return what gzip data hold; never more than ``most`` + 1 bytes are made."""
    parts: list[bytes] = []
    size = 0
    while data:
        if len(parts) == MAX_MEMBERS:
            raise InputError(f"is made of more than {MAX_MEMBERS} gzip files", path=name)
        unpacker = zlib.decompressobj(wbits=31)
        try:
            part = unpacker.decompress(data, most + 1 - size)
        except zlib.error as error:
            if parts:
                break  # Padding after the last member, as gzip itself ignores it.
            raise InputError(f"is not a valid gzip file: {error}", path=name) from None
        parts.append(part)
        size += len(part)
        if size > most:
            raise InputError(f"unpacks to more than {most:,} bytes", path=name)
        if not unpacker.eof:
            raise InputError("is cut: the compressed data end early", path=name)
        data = unpacker.unused_data.lstrip(b"\0")
    return b"".join(parts)
