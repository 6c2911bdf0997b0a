"""Texts of model files for the compiled loops: bytes, tables of names, and arrays that are filled.

A loop reads usual lines and stops before the first that is in any way unusual, which plain Python
reads then, and all behind it. A file in which anything is wrong is read again, by plain Python
alone: only that says what is wrong, and where.
"""

from __future__ import annotations

import ctypes
import math
import re
import sys
from array import array
from collections.abc import Callable
from typing import Any

from calmip.mip.files.entries import Entries, plain_numbers
from calmip.mip.files.model_builder import MAX_ENTRIES, MAX_NAMES
from calmip.mip.files.sorting import ints
from calmip.mip.files.text_source import Lines, TextFile
from calmip.mip.kernel import address, library
from calmip.mip.model import inexact
from calmip.mip.rows import Number

ROOM = 1 << 16
"""The coefficients, and the pieces of the text, that one call of a loop fills."""

ODD = re.compile(r"[^\S\x00-\x7f]|[\u017f\u0130\u0131\u212a\ud800-\udfff]")
"""Blanks beyond ASCII, and letters that Python takes for others of ASCII."""

_NUMBER, _POINTER = ctypes.c_int64, ctypes.c_void_p


ADDRESS: Any = None
"""Returns where the characters of a text of ASCII are, in the one Python where they are bytes."""

if sys.implementation.name == "cpython":
    ADDRESS = ctypes.PYFUNCTYPE(_POINTER, ctypes.py_object, _POINTER)(
        ("PyUnicode_AsUTF8AndSize", ctypes.pythonapi)
    )


class Unusual(Exception):
    """The file has what only plain Python reads rightly."""


class NamesState(ctypes.Structure):
    """Names in kernel/texts.h."""

    _fields_ = [
        ("slots", _POINTER),
        ("mask", _NUMBER),
        ("at", _POINTER),
        ("size", _POINTER),
        ("count", _NUMBER),
        ("room", _NUMBER),
    ]


class CoefficientsState(ctypes.Structure):
    """Coefficients in kernel/texts.h."""

    _fields_ = [
        ("row", _POINTER),
        ("column", _POINTER),
        ("value", _POINTER),
        ("count", _NUMBER),
        ("room", _NUMBER),
    ]


class ItemsState(ctypes.Structure):
    """Items in kernel/texts.h."""

    _fields_ = [
        ("place", _POINTER),
        ("kind", _POINTER),
        ("at", _POINTER),
        ("size", _POINTER),
        ("count", _NUMBER),
        ("room", _NUMBER),
    ]


class NameTable:
    """A table of names in the text, which numbers them."""

    def __init__(self, state: NamesState, room: int) -> None:
        self.state = state
        self.places, self.sizes = ints(0), ints(0)
        self.make_room(room)

    def make_room(self, room: int) -> None:
        """Make the table larger, or make it."""
        state, more = self.state, room - len(self.places)
        self.places.extend(ints(more))
        self.sizes.extend(ints(more))
        self.slots = ints(1 << max(4, (2 * room).bit_length()))
        state.slots, state.mask = address(self.slots), len(self.slots) - 1
        state.at, state.size = address(self.places), address(self.sizes)
        state.room = room

    def grow(self, text: int) -> None:
        """Make the table larger for the names in the text at an address."""
        if self.state.room == MAX_NAMES:
            raise Unusual
        self.make_room(min(MAX_NAMES, 4 * self.state.room))
        run("calmip_names", ctypes.byref(self.state), text)

    def new(self, scan: Scan, first: int) -> list[str]:
        """Return the names from a number on."""
        part = slice(first, self.state.count)
        return scan.pieces(self.places[part], self.sizes[part])

    def release(self) -> None:
        """Free the table."""
        self.places = self.sizes = self.slots = ints(0)


def written_floats(texts: list[str]) -> list[float] | None:
    """Return the floats that are written as these texts; None if one text is another number."""
    try:
        values = [*map(float, texts)]
    except ValueError:
        return None
    return values if [*map(repr, values)] == texts and all(map(math.isfinite, values)) else None


class Scan:
    """The text of a file, as compiled loops read it, and what they fill in one call.

    Parameters
    ----------
    text
        The text, in which `ODD` finds nothing.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.data = text.encode() if not text.isascii() or ADDRESS is None else None
        """The bytes, if they are not those of the text in memory."""
        self.names = min(MAX_NAMES, text.count("\n") + 1)
        """As many columns as there may be."""
        self.make_room(ROOM)

    def make_room(self, room: int) -> None:
        """Make the arrays anew, for so many coefficients and pieces."""
        self.room = room
        self.rows, self.columns, self.values = ints(room), ints(room), array("d", bytes(8 * room))
        self.places, self.kinds, self.at, self.sizes = (ints(room) for _ in range(4))

    def begin(self, state: Any) -> None:
        """Hand the text and the arrays to the state of a loop."""
        if self.data is None:
            assert ADDRESS is not None
            state.text, state.size = ADDRESS(self.text, None), len(self.text)
        else:
            state.text, state.size = (
                ctypes.cast(ctypes.c_char_p(self.data), _POINTER).value,
                len(self.data),
            )
        state.entries = CoefficientsState(
            *[address(one) for one in (self.rows, self.columns, self.values)], 0, self.room
        )
        state.items = ItemsState(
            *[address(one) for one in (self.places, self.kinds, self.at, self.sizes)], 0, self.room
        )

    def pieces(self, places: array[int], sizes: array[int]) -> list[str]:
        """Return pieces of the text."""
        text, data = self.text, self.data
        if data is None:
            return [text[at : at + size] for at, size in zip(places, sizes, strict=True)]
        return [data[at : at + size].decode() for at, size in zip(places, sizes, strict=True)]

    def items(self, state: Any) -> tuple[array[int], array[int], list[str]]:
        """Return the places, kinds and texts of the items, which are taken with that."""
        count, state.items.count = state.items.count, 0
        texts = self.pieces(self.at[:count], self.sizes[:count])
        return self.places[:count], self.kinds[:count], texts

    def take_entries(self, state: Any, entries: Entries) -> int:
        """Append the coefficients; return the number of those before."""
        first, count = len(entries.values), state.entries.count
        state.entries.count = 0
        for mine, other in (
            (entries.rows, self.rows),
            (entries.columns, self.columns),
            (entries.values, self.values),
        ):
            mine.frombytes(memoryview(other)[:count].cast("B"))
        if len(entries.values) > MAX_ENTRIES:
            raise Unusual
        return first

    def take_long(
        self, some: list[tuple[int, str]], entries: Entries, number: Callable[[str], Number]
    ) -> None:
        """Set coefficients, given by places and texts, that are no short decimal numbers."""
        texts = [text for _, text in some]
        values = written_floats(texts) or plain_numbers(texts)
        for n, (place, text) in enumerate(some):
            if values is not None:
                entries.values[place] = values[n]
                continue
            value = number(text)
            entries.values[place] = float(value)
            if inexact("", (value,)):
                entries.rounded[place] = value
        if not all(entries.values[place] for place, _ in some):
            raise Unusual  # a coefficient of 0 is none

    def release(self) -> None:
        """Free the bytes and the arrays."""
        self.data = None
        self.rows = self.columns = self.places = self.kinds = self.at = self.sizes = ints(0)
        self.values = array("d")

    def piece(self, first: int, size: int) -> str:
        """Return a piece of the text."""
        return self.pieces(array("i", [first]), array("i", [size]))[0]

    def line(self, first: int) -> tuple[str, int]:
        """Return the line that begins at a byte, and where the next one does."""
        whole: str | bytes = self.text if self.data is None else self.data
        last = self.text.find("\n", first) if self.data is None else self.data.find(b"\n", first)
        last = len(whole) if last < 0 else last
        return self.piece(first, last - first), min(last + 1, len(whole))

    def character(self, at: int) -> int:
        """Return the character of the text at which a byte stands."""
        return at if self.data is None else len(self.data[:at].decode())


def scan_of(source: TextFile) -> Scan | None:
    """Return the text of a file for compiled loops; None if plain Python has to read it."""
    assert isinstance(source.lines, Lines)
    text = source.lines.text
    if (not text.isascii() and ODD.search(text)) or library() is None:
        return None
    return Scan(text)


def run(loop: str, *arguments: Any) -> int:
    """Call a loop of the library, which `scan_of` has found."""
    found = library()
    assert found is not None
    return int(getattr(found, loop)(*arguments))
