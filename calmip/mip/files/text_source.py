"""Files of other programs as lines of text, read within bounds and unpacked."""

from __future__ import annotations

import math
import re
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import chain
from pathlib import Path
from typing import Protocol, cast, overload

from calmip._base.errors import InputError
from calmip._base.files import read_bytes
from calmip.mip.display import quote
from calmip.mip.rows import Bound, is_finite, shortest

MAX_BYTES = 64 * 1024 * 1024
"""Longer texts are refused, whether on the disk or after unpacking."""

MAX_LINE = 100_000
MAX_DIGITS = 400
MAX_COUNT = 9
MAX_MEMBERS = 100
MAX_XZ = 256 * 1024 * 1024
"""The most memory of an xz file's dictionary; that of the option -9 is a quarter of it."""

# Only ASCII digits and no underscores, unlike float(); some MPS writers print Fortran's D
# exponents.
NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eEdD][+-]?[0-9]+)?", re.ASCII)

JSON = re.compile(r"\s*\{")

RATIONAL = re.compile(r"[^/]*/[0-9]+", re.ASCII)


class Lines(Sequence[str]):
    """The lines of a text: read one after the other, they need no memory of their own.

    Parameters
    ----------
    text
        The lines with line feeds between them.
    """

    BLOCK = 1 << 16
    """The least characters that are split at a time."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def all(self) -> tuple[str, ...]:
        """All lines at once."""
        return tuple(self.text.split("\n"))

    def __iter__(self) -> Iterator[str]:
        return chain.from_iterable(self._blocks())

    def _blocks(self) -> Iterator[list[str]]:
        """Yield the lines, many at a time."""
        first = 0
        while (last := self.text.find("\n", first + self.BLOCK)) >= 0:
            yield self.text[first:last].split("\n")
            first = last + 1
        yield self.text[first:].split("\n")

    def __len__(self) -> int:
        return len(self.all)

    @overload
    def __getitem__(self, index: int) -> str: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[str, ...]: ...

    def __getitem__(self, index: int | slice) -> str | tuple[str, ...]:
        return self.all[index]


@dataclass(frozen=True)
class TextFile:
    """The lines of a text file without their ends, and its name for messages.

    Readers of MPS files bound an integer column without bounds by ``integer_default``.
    """

    name: str
    lines: Sequence[str]
    integer_default: float | None = None

    def error(self, message: str, line: int | None = None) -> InputError:
        """Return an error at a 1-based line of the file."""
        return InputError(message, path=self.name, line=line)

    def unexpected(self, found: str, wanted: str, line: int) -> InputError:
        """Return an error that quotes the text found, and states what is expected."""
        return self.error(f"found {quote(found)}, not {wanted}", line)

    def cut(self, missing: str) -> InputError:
        """Return the error of a file that ends too early."""
        return self.error(f"is cut: {missing}", len(self.lines))

    def number(self, text: str, line: int, what: str = "a number") -> float:
        """Return the finite number in a text; raise `InputError` for another text."""
        value = parse_number(text)
        if value is None:
            large = "; the greatest number is 1.8e308" if NUMBER.fullmatch(text) else ""
            raise self.error(f"found {quote(text)} where {what} should stand{large}", line)
        return value

    def count(self, text: str, line: int) -> int:
        """Return the integer in a text of digits; a count of 1e9 or more is refused."""
        if len(text) > MAX_COUNT:
            raise self.error(f"found the number {quote(text)}, which is too large", line)
        return int(text)

    def exact(self, text: str, line: int, what: str = "a number") -> int | Fraction:
        """Return the number in a text without rounding; too small or long ones are refused.

        A fraction such as 9/10 is a number too: SCIP writes it.
        """
        top, _, bottom = text.partition("/")
        if RATIONAL.fullmatch(text) and bottom.strip("0"):
            return shortest(Fraction(self.exact(top, line)) / self.exact(bottom, line))
        if len(text) > MAX_DIGITS and NUMBER.fullmatch(text):
            raise self.error(f"found a number of over {MAX_DIGITS} characters; round it", line)
        value = self.number(text, line, what)
        if not value and text.strip("+-0.") and text.lower().lstrip("+-0.")[0] not in "ed":
            raise self.error(f"found {quote(text)}, too small a number; leave it out", line)
        return _exact(text) if value else 0


LONG = 50_000
"""Shorter texts are read by plain Python: to load the compiled loops takes some milliseconds."""


def is_long(source: TextFile) -> bool:
    """Return whether a compiled loop may read a file."""
    return isinstance(source.lines, Lines) and len(source.lines.text) >= LONG


@lru_cache(maxsize=1024)
def parse_number(text: str) -> float | None:
    """Return the finite number that is the whole of a text, or None."""
    if not NUMBER.fullmatch(text):
        return None
    value = float(text.replace("d", "e").replace("D", "e"))
    return value if math.isfinite(value) else None


@lru_cache(maxsize=1024)
def _exact(text: str) -> int | Fraction:
    return shortest(Fraction(text.replace("d", "e").replace("D", "e")))


def number(value: Bound) -> str:
    """Return the shortest text that reads back as exactly this number; refuse 1/3."""
    if isinstance(value, int):
        return str(value)
    text = repr(float(value))
    if not is_finite(value) or Fraction(text) == value:
        return text
    # Numbers from files are decimal: their denominators divide a power of ten.
    most = value.denominator.bit_length()
    if 10**most % value.denominator:
        raise InputError(f"{value} is not a decimal number; scale its row, so that all are")
    digits = str(value * 10**most)
    short = digits.rstrip("0")
    return f"{short}E{len(digits) - len(short) - most}"


def read_source(path: Path, *, most: int = MAX_BYTES, longest: int = MAX_LINE) -> TextFile:
    """Return a text file of at most so many bytes, packed and unpacked, and characters per line.

    A file that gzip, bzip2 or xz has packed is unpacked, whatever its name. JSON may be one line.
    """
    name = str(path) if str(path).isprintable() else repr(str(path))
    data = read_bytes(path, most, name)
    data = unpack(data, name, most)
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
    del data  # as large as the text
    # Not splitlines(), which ends a line at a form feed; editors do not.
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    first = len(text) if JSON.match(text) else 0  # programs write it on one line
    while len(text) - first > longest:
        last = text.rfind("\n", first, first + longest + 1)
        if last < 0:
            line = text[:first].count("\n") + 1
            raise InputError(f"a line of over {longest:,} characters", path=name, line=line)
        first = last + 1
    return TextFile(name, Lines(text.removesuffix("\n")))


class _Unpacker(Protocol):
    """What zlib, bz2 and lzma share."""

    eof: bool
    unused_data: bytes

    def decompress(self, data: bytes, max_length: int, /) -> bytes: ...


def _gzip() -> tuple[_Unpacker, type[Exception]]:
    return cast("_Unpacker", zlib.decompressobj(wbits=31)), zlib.error


def _bzip2() -> tuple[_Unpacker, type[Exception]]:
    import bz2

    return cast("_Unpacker", bz2.BZ2Decompressor()), OSError


def _xz() -> tuple[_Unpacker, type[Exception]]:
    import lzma

    xz = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=MAX_XZ)
    return cast("_Unpacker", xz), lzma.LZMAError


UNPACKERS: dict[bytes, tuple[str, Callable[[], tuple[_Unpacker, type[Exception]]]]] = {
    b"\x1f\x8b": ("gzip", _gzip),
    b"BZh": ("bzip2", _bzip2),
    b"\xfd7zXZ\0": ("xz", _xz),
}
"""The packers that are known, by the first bytes of their files."""


def unpack(data: bytes, name: str, most: int = MAX_BYTES) -> bytes:
    """Return the bytes of a packed file unpacked, others as they are; ``most`` at the most.

    Raises
    ------
    InputError
        If the bytes are cut or damaged, or too many.
    """
    known = (one for mark, one in UNPACKERS.items() if data.startswith(mark))
    packer, start = next(known, ("", None))
    if start is None:
        return data
    parts: list[bytes] = []
    size = 0
    while data:
        if len(parts) == MAX_MEMBERS:
            raise InputError(f"is made of more than {MAX_MEMBERS} {packer} files", path=name)
        unpacker, wrong = start()
        try:
            part = unpacker.decompress(data, most + 1 - size)
        except wrong as error:
            if parts:
                break  # Padding after the last member, as gzip itself ignores it.
            raise InputError(f"is not a valid {packer} file: {error}", path=name) from None
        parts.append(part)
        size += len(part)
        if size > most:
            raise InputError(f"unpacks to more than {most:,} bytes", path=name)
        if not unpacker.eof:
            raise InputError("is cut: the compressed data end early", path=name)
        data = unpacker.unused_data.lstrip(b"\0")
    return b"".join(parts)
