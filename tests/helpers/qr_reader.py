"""A reader of QR codes (ISO/IEC 18004) that the tests wrote for themselves: bytes at level L.

It refuses a code in which a single module is wrong: the tests read what a page drew, not what a
camera saw.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

MASKS: list[Callable[[int, int], bool]] = [
    lambda i, j: (i + j) % 2 == 0,
    lambda i, _: i % 2 == 0,
    lambda _, j: j % 3 == 0,
    lambda i, j: (i + j) % 3 == 0,
    lambda i, j: (i // 2 + j // 3) % 2 == 0,
    lambda i, j: i * j % 2 + i * j % 3 == 0,
    lambda i, j: (i * j % 2 + i * j % 3) % 2 == 0,
    lambda i, j: ((i + j) % 2 + i * j % 3) % 2 == 0,
]
# Table 9 of the standard at level L: codewords of correction in a block, blocks of each version.
CORRECTION = (
    "7 10 15 20 26 18 20 24 30 18 20 24 26 30 22 24 28 30 28 28 28 28 30 30 26 28 30 30 30 30 30 30"
    " 30 30 30 30 30 30 30 30"
)
BLOCKS = (
    "1 1 1 1 1 2 2 2 2 4 4 4 4 4 6 6 6 6 7 8 8 9 9 10 12 12 12 13 14 15 16 17 18 19 19 20 21 22 24"
    " 25"
)
# The polynomial of the format's check bits, and what is added to it.
GENERATOR_FORMAT, MASK_FORMAT = 0b10100110111, 0b101010000010010


class Unreadable(ValueError):
    """A module is not as it has to be."""


def text_of(rows: Sequence[Sequence[int]]) -> str:
    """Return the text of a code without its margin."""
    size = len(rows)
    version, rest = divmod(size - 17, 4)
    if rest or not 1 <= version <= 40 or any(len(row) != size for row in rows):
        raise Unreadable(f"{size} modules")
    mask = _mask(rows)
    fixed = _fixed(version)
    bits = []
    column, up = size - 1, True
    while column > 0:
        if column == 6:
            column -= 1
        for row in range(size - 1, -1, -1) if up else range(size):
            places = [(row, at) for at in (column, column - 1) if (row, at) not in fixed]
            bits += [rows[r][c] ^ MASKS[mask](r, c) for r, c in places]
        column, up = column - 2, not up
    words = [int("".join(map(str, bits[k : k + 8])), 2) for k in range(0, len(bits) - 7, 8)]
    data = _data(words, version)
    stream = "".join(f"{word:08b}" for word in data)
    if stream[:4] != "0100":
        raise Unreadable("not bytes")
    width = 8 if version < 10 else 16
    length = int(stream[4 : 4 + width], 2)
    start = 4 + width
    found = bytes(int(stream[k : k + 8], 2) for k in range(start, start + 8 * length, 8))
    tail = stream[start + 8 * length :]
    if tail[:4].strip("0"):
        raise Unreadable("no end")
    padding = tail[4 + (-(start + 8 * length + 4)) % 8 :]
    pads = [padding[k : k + 8] for k in range(0, len(padding), 8)]
    if any(pad != ("11101100", "00010001")[k % 2] for k, pad in enumerate(pads)):
        raise Unreadable("other padding")
    return found.decode()


def _mask(rows: Sequence[Sequence[int]]) -> int:
    """Return the mask that both copies of the format name."""
    size = len(rows)
    around = [(8, k) for k in (0, 1, 2, 3, 4, 5, 7, 8)] + [(k, 8) for k in (7, 5, 4, 3, 2, 1, 0)]
    beside = [(size - 1 - k, 8) for k in range(7)] + [(8, size - 8 + k) for k in range(8)]
    copies = [int("".join(str(rows[r][c]) for r, c in places), 2) for places in (around, beside)]
    for mask in range(8):
        value = (0b01 << 3 | mask) << 10
        rest = value
        for shift in range(14, 9, -1):
            if rest >> shift & 1:
                rest ^= GENERATOR_FORMAT << (shift - 10)
        if copies == [(value | rest) ^ MASK_FORMAT] * 2 and rows[size - 8][8]:
            return mask
    raise Unreadable("its format is of no mask at level L")


def _aligned(version: int) -> list[int]:
    if version == 1:
        return []
    number = version // 7 + 2
    step = 26 if version == 32 else (version * 4 + number * 2 + 1) // (number * 2 - 2) * 2
    last = 4 * version + 10
    return [6, *sorted(last - step * k for k in range(number - 1))]


def _fixed(version: int) -> set[tuple[int, int]]:
    """Return the modules that are no data."""
    size = 4 * version + 17
    fixed = {(6, k) for k in range(size)} | {(k, 6) for k in range(size)}
    for top, left in ((0, 0), (0, size - 8), (size - 8, 0)):
        fixed |= {(top + r, left + c) for r in range(8) for c in range(8)}
    fixed |= {(8, k) for k in (*range(9), *range(size - 8, size))}
    fixed |= {(k, 8) for k in (*range(9), *range(size - 8, size))}
    middles = _aligned(version)
    for r in middles:
        for c in middles:
            if (r, c) not in ((6, 6), (6, size - 7), (size - 7, 6)):
                fixed |= {(r + y, c + x) for y in range(-2, 3) for x in range(-2, 3)}
    if version >= 7:
        fixed |= {(r, size - 11 + c) for r in range(6) for c in range(3)}
        fixed |= {(size - 11 + c, r) for r in range(6) for c in range(3)}
    return fixed


def _data(words: list[int], version: int) -> list[int]:
    """Return the codewords of data, each block of which its codewords of correction confirm."""
    blocks = int(BLOCKS.split()[version - 1])
    checks = int(CORRECTION.split()[version - 1])
    short, longer = divmod(len(words) - blocks * checks, blocks)
    parts: list[list[int]] = [[] for _ in range(blocks)]
    stream = iter(words)
    for k in range(short + bool(longer)):
        for number, part in enumerate(parts):
            if k < short or number >= blocks - longer:
                part.append(next(stream))
    data = [word for part in parts for word in part]
    for _ in range(checks):
        for part in parts:
            part.append(next(stream))
    for part in parts:
        for power in range(checks):
            root, value = _power(power), 0
            for word in part:
                value = _times(value, root) ^ word
            if value:
                raise Unreadable("a codeword is wrong")
    return data


def _times(one: int, other: int) -> int:
    product = 0
    while other:
        if other & 1:
            product ^= one
        one <<= 1
        if one & 256:
            one ^= 0b100011101
        other >>= 1
    return product


def _power(exponent: int) -> int:
    value = 1
    for _ in range(exponent):
        value = _times(value, 2)
    return value
