"""Journals: what is left of one after any damage is what was written, or it is refused."""

from __future__ import annotations

import errno
import io
from pathlib import Path
from typing import Any

import pytest

from calmip import InputError
from calmip.puzzle.documents.reader import read_instance
from calmip.puzzle.tasks import journal as module
from calmip.puzzle.tasks.enumeration import Enumeration
from calmip.puzzle.tasks.journal import Journal, check_integer

HEAD = {"work": "a", "size": 3}
ENTRIES = [{"part": 0, "found": 7}, {"part": 1, "found": 0}, {"part": 2, "found": 9}]


def written(path: Path) -> list[bytes]:
    """Return the lines of a journal with all entries."""
    with Journal(path, HEAD, resume=False) as journal:
        for entry in ENTRIES:
            journal.add(entry)
    return path.read_bytes().splitlines(keepends=True)


def entries(path: Path, head: Any = HEAD) -> list[tuple[int, Any]]:
    with Journal(path, head, resume=True) as journal:
        return journal.entries


def test_of_a_journal_that_was_cut_the_whole_lines_are_left(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    lines = written(path)
    data = b"".join(lines)
    assert [entry for _, entry in entries(path)] == ENTRIES
    assert [number for number, _ in entries(path)] == [2, 3, 4]
    for size in range(len(data)):
        path.write_bytes(data[:size])
        whole = data[:size].count(b"\n")
        assert [entry for _, entry in entries(path)] == ENTRIES[: max(0, whole - 1)]
        # What is incomplete is cut off, and the work goes on from there.
        assert path.read_bytes() == b"".join(lines[: max(1, whole)])
    with Journal(path, HEAD, resume=False) as journal:
        assert journal.entries == []
    assert path.read_bytes() == lines[0]


def test_a_line_that_was_altered_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    lines = written(path)
    for number in range(1, len(lines)):
        other = lines[number].replace(b'"part"', b'"prat"')
        for wrong in (other, b"{}\n", b"[]\n", b"nothing\n"):
            path.write_bytes(b"".join([*lines[:number], wrong, *lines[number + 1 :]]))
            before = path.read_bytes()
            with pytest.raises(InputError) as error:
                entries(path)
            assert (error.value.line, error.value.path) == (number + 1, path)
            assert path.read_bytes() == before
    path.write_bytes(b"".join(lines))
    with pytest.raises(InputError, match="belongs to another work; leave out --resume"):
        entries(path, {**HEAD, "size": 4})
    for wrong in (b"name: T\n", lines[0][:-1] + b" \n", b"\x00" * 99):
        path.write_bytes(wrong + b"".join(lines[1:]))
        with pytest.raises(InputError, match="is not a journal of calmip"):
            entries(path)


def test_a_line_that_is_not_of_this_work_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    written(path)
    with Journal(path, HEAD, resume=True) as journal:

        def parse(entry: dict[str, Any]) -> int:
            return check_integer(entry["found"], 1, 8)

        with pytest.raises(InputError) as error:
            list(journal.read(parse))
        assert error.value.line == 3
        assert list(journal.read(parse, journal.entries[:1])) == [(2, 7)]


def test_without_a_path_nothing_is_kept(tmp_path: Path) -> None:
    with Journal(None, HEAD, resume=True) as journal:
        journal.add(ENTRIES[0])
    assert journal.entries == []
    assert not list(tmp_path.iterdir())


class Full(io.BytesIO):
    """A file on a full disk."""

    def write(self, _: object) -> int:
        raise OSError(errno.ENOSPC, "no room")


def test_what_the_disk_does_not_take_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "journal"
    with Journal(path, HEAD, resume=False) as journal:
        file, journal._file = journal._file, Full()
        with pytest.raises(InputError, match="cannot be written: no room") as error:
            journal.add(ENTRIES[0])
        assert error.value.path == path
        journal._file = file

    def fails(_: int) -> None:
        raise OSError(errno.EIO, "broken")

    monkeypatch.setattr(module.os, "fsync", fails)
    with (
        pytest.raises(InputError, match="cannot be written: broken"),
        Journal(path, HEAD, resume=True),
    ):
        pass


def test_a_folder_is_no_journal(tmp_path: Path) -> None:
    for resume in (False, True):
        with pytest.raises(InputError), Journal(tmp_path, HEAD, resume=resume):
            pass


@pytest.mark.parametrize("value", [True, 1.0, "1", None, -1, 9])
def test_what_is_no_integer_in_the_range_is_refused(value: object) -> None:
    with pytest.raises(ValueError, match="is not an integer from 0 to 8"):
        check_integer(value, 0, 8)
    assert [check_integer(end, 0, 8) for end in (0, 8)] == [0, 8]


def test_a_file_that_cannot_be_read_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "journal"
    written(path)
    usual = Path.open

    def broken(self: Path, mode: str = "r", **how: Any) -> Any:
        if self == path and mode == "rb":
            raise OSError(errno.EIO, "Input/output error")
        return usual(self, mode, **how)

    monkeypatch.setattr(Path, "open", broken)
    with pytest.raises(InputError, match="cannot be read: Input/output error") as error:
        entries(path)
    assert error.value.path == path
    search = Enumeration(read_instance("instances/tiny.yaml"))
    with pytest.raises(InputError, match="cannot be read: Input/output error") as error:
        next(module.save_tilings(search, path, resume=True))
    assert error.value.path == path
