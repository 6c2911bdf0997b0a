"""Reading other programs' files: bounded, and refused when they are not text."""

import gzip
import itertools
import os
import zlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calmip._base.errors import InputError
from calmip.mip.files.text_source import parse_number, read_source


def put(folder: Path, data: bytes) -> Path:
    path = folder / "file"
    path.write_bytes(data)
    return path


def test_lines_end_in_every_usual_way(tmp_path: Path) -> None:
    for end in ("\n", "\r\n", "\r"):
        text = end.join(["a", "", "b\x0cc", "d"])
        assert tuple(read_source(put(tmp_path, text.encode())).lines) == ("a", "", "b\x0cc", "d")
        assert tuple(read_source(put(tmp_path, (text + end).encode())).lines) == (
            "a",
            "",
            "b\x0cc",
            "d",
        )
    assert tuple(read_source(put(tmp_path, b"\xef\xbb\xbfa")).lines) == ("a",)


def test_packed_files_are_known_by_their_content(tmp_path: Path) -> None:
    data = gzip.compress(b"one\n") + gzip.compress(b"two\n")
    assert tuple(read_source(put(tmp_path, data)).lines) == ("one", "two")
    assert tuple(read_source(put(tmp_path, data + b"\0" * 512)).lines) == ("one", "two")


BROKEN = {
    "empty": (b"", "is empty"),
    "blank": (b" \n\n", "is empty"),
    "packed nothing": (gzip.compress(b""), "is empty"),
    "latin-1": (b"a\nb\xff\n", r"file:2: is not UTF-8 text"),
    "utf-16": ("a\nb".encode("utf-16"), "is not UTF-8 text"),
    "nul": (b"a\n\0", r"file:2: holds a NUL byte"),
    "long line": (b"a\n" + b"x" * 100_001, r"file:2: a line of over 100,000 characters"),
    "cut gzip": (gzip.compress(b"a" * 1000)[:-9], "is cut: the compressed data end early"),
    "no gzip": (b"\x1f\x8bnonsense", "is not a valid gzip file"),
    "wrong sum": (gzip.compress(b"abc")[:-8] + b"\0" * 8, "is not a valid gzip file"),
    "many members": (gzip.compress(b"a") * 101, "is made of more than 100 gzip files"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_broken_files_are_refused(tmp_path: Path, name: str) -> None:
    data, fault = BROKEN[name]
    with pytest.raises(InputError, match=fault):
        read_source(put(tmp_path, data))


def test_the_first_line_that_is_too_long_is_named(tmp_path: Path) -> None:
    for sizes in itertools.chain(*(itertools.product(range(1, 7), repeat=n) for n in range(1, 5))):
        path = put(tmp_path, "\n".join("x" * size for size in sizes).encode())
        long = next((line for line, size in enumerate(sizes, start=1) if size > 4), None)
        if long is None:
            assert len(read_source(path, longest=4).lines) == len(sizes)
        else:
            with pytest.raises(InputError, match=f"file:{long}: a line of over 4 characters"):
                read_source(path, longest=4)


def test_a_line_of_json_may_be_long(tmp_path: Path) -> None:
    assert read_source(put(tmp_path, b' \n{"x": 1}'), longest=4).lines[1] == '{"x": 1}'


@pytest.mark.long
def test_bombs_are_not_unpacked(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is larger than 1,000 bytes"):
        read_source(put(tmp_path, b"a" * 1001), most=1000)
    packer = zlib.compressobj(9, wbits=31)
    zeros = b"a" * (1 << 20)
    bomb = b"".join(packer.compress(zeros) for _ in range(200)) + packer.flush()
    assert len(bomb) < 250_000
    with pytest.raises(InputError, match="unpacks to more than 67,108,864 bytes"):
        read_source(put(tmp_path, bomb))


def test_only_files_are_read(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        read_source(tmp_path / "none")
    with pytest.raises(InputError, match="is a folder"):
        read_source(tmp_path)
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InputError, match="is not a regular file"):
        read_source(tmp_path / "pipe")


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_numbers_are_read_exactly(value: float) -> None:
    assert parse_number(repr(value)) == value
    assert parse_number(f"{value:.17e}".replace("e", "D")) == value


@pytest.mark.parametrize(
    "text",
    [
        "",
        "nan",
        "NaN",
        "inf",
        "-Infinity",
        "1e999",
        "1_0",
        "\u0661",
        "0x10",
        "1e",
        "e5",
        ".",
        "1 2",
        "--1",
    ],
)
def test_what_is_no_finite_number_is_none(text: str) -> None:
    assert parse_number(text) is None
