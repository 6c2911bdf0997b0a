"""Writing files: whole or not at all."""

import errno
import gzip
import os
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calmip._base import files
from calmip._base.errors import InputError
from calmip._base.files import encode, scratch_folder, suffix_of, write_atomically, write_text


def names(folder: Path) -> list[str]:
    return [entry.name for entry in folder.iterdir()]


def test_a_file_is_written_and_replaced(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    write_atomically(path, b"one")
    write_atomically(path, iter([b"t", b"wo"]))
    assert path.read_bytes() == b"two"
    assert names(tmp_path) == ["a.txt"]


def test_new_files_get_the_usual_permissions_and_old_ones_keep_theirs(tmp_path: Path) -> None:
    plain = tmp_path / "plain"
    plain.touch()
    path = tmp_path / "a.txt"
    write_atomically(path, b"1")
    assert stat.S_IMODE(path.stat().st_mode) == stat.S_IMODE(plain.stat().st_mode)
    path.chmod(0o640)
    write_atomically(path, b"2")
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


@pytest.mark.parametrize("fault", [KeyboardInterrupt, SystemExit, RuntimeError, ValueError])
def test_an_interrupted_write_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, fault: type[BaseException]
) -> None:
    path = tmp_path / "a.txt"
    write_atomically(path, b"old")

    def parts() -> Iterator[bytes]:
        yield b"new" * 100_000
        raise fault

    with pytest.raises(fault):
        write_atomically(path, parts())
    assert path.read_bytes() == b"old"
    assert names(tmp_path) == ["a.txt"]


KILLED = """
import sys, time
from pathlib import Path
from calmip._base.files import growing_file
with growing_file(Path(sys.argv[1])) as write:
    write(b"half")
    print("writing", flush=True)
    time.sleep(1000)
"""


def test_what_a_killed_run_left_is_removed_by_the_next_and_only_that(tmp_path: Path) -> None:
    def start(name: str) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(
            [sys.executable, "-c", KILLED, str(tmp_path / name)], stdout=subprocess.PIPE
        )
        assert process.stdout is not None
        assert process.stdout.readline() == b"writing\n"
        return process

    dead, other, alive = start("a.txt"), start("b.txt"), start("a.txt")
    try:
        for process in (dead, other):
            process.kill()
            process.wait()
        parts = [name for name in names(tmp_path) if name.endswith(".part")]
        # The third run has found the first one's file while that was alive.
        assert len(parts) == 3
        write_atomically(tmp_path / "a.txt", b"whole")
        left = [name for name in names(tmp_path) if name.endswith(".part")]
        assert len(left) == 2
        assert (tmp_path / "a.txt").read_bytes() == b"whole"
        write_atomically(tmp_path / "b.txt", b"whole")
        assert len(names(tmp_path)) == 3
    finally:
        for process in (dead, other, alive):
            process.kill()
            process.communicate()
    write_atomically(tmp_path / "a.txt", b"again")
    assert sorted(names(tmp_path)) == ["a.txt", "b.txt"]


def test_a_file_that_vanishes_before_it_is_locked_is_made_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    locked = []

    def lock(file: BinaryIO) -> None:
        locked.append(file.name)
        if len(locked) == 1:
            Path(file.name).unlink()

    monkeypatch.setattr(files, "lock", lock)
    write_atomically(tmp_path / "a.txt", b"whole")
    assert len(set(locked)) == 2
    assert names(tmp_path) == ["a.txt"]


def test_scratch_folders_go_whatever_lies_in_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    (tmp_path / "keep").mkdir()
    (tmp_path / "keep" / "file").touch()
    with pytest.raises(KeyError), scratch_folder() as folder:  # noqa: PT012
        (folder / "a" / "b").mkdir(parents=True)
        (folder / "a" / "b" / "file").touch()
        (folder / "a" / "link").symlink_to(tmp_path / "keep")
        (folder / "a" / "b").chmod(0)
        (folder / "a").chmod(0o500)
        raise KeyError
    assert names(tmp_path) == ["keep"]
    with scratch_folder() as folder:
        folder.rmdir()
        folder.symlink_to(tmp_path / "keep")
    with scratch_folder() as folder:
        folder.rmdir()
    assert names(tmp_path) == ["keep"]
    assert names(tmp_path / "keep") == ["file"]


def test_a_scratch_folder_has_no_name_before_it_is_locked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else another process may lock it first, and remove it while it is used."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    locked, seen = files._locked_folder, list[str]()

    def look(folder: Path) -> int | None:
        seen.extend(name for name in names(tmp_path) if name.startswith(files.SCRATCH))
        return locked(folder)

    monkeypatch.setattr(files, "_locked_folder", look)
    with scratch_folder() as folder:
        assert names(tmp_path) == [folder.name]
        files._sweep(str(tmp_path))
        assert folder.is_dir()
        assert seen == [folder.name] * files.LOCKS
    assert names(tmp_path) == []


def test_a_full_disk_is_said_and_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(InputError, match=r"a\.txt: cannot be written: No space left"):
        write_atomically(tmp_path / "a.txt", b"x")
    assert names(tmp_path) == []


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_devices_are_never_replaced(tmp_path: Path) -> None:
    # A pipe stands in for /dev/null, which a superuser would really replace.
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(InputError, match="is a device"):
        write_atomically(pipe, b"x")
    link = tmp_path / "link"
    link.symlink_to(pipe)
    with pytest.raises(InputError, match="is a device"):
        write_atomically(link, b"x")
    assert pipe.is_fifo()


def test_what_cannot_be_written_is_said(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"there is no folder .*none'; make it first"):
        write_atomically(tmp_path / "none" / "a.txt", b"x")
    with pytest.raises(InputError, match="is a folder"):
        write_atomically(tmp_path, b"x")
    with pytest.raises(InputError, match="is not a file name"):
        write_atomically(tmp_path / "a\0b", b"x")
    with pytest.raises(InputError, match="File name too long"):
        write_atomically(tmp_path / ("a" * 300), b"x")
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(InputError, match="cannot be written"):
        write_atomically(tmp_path / "file" / "a", b"x")
    assert names(tmp_path) == ["file"]


def test_a_protected_file_is_not_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"old")
    # Permissions do not bind every user who runs the tests.
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(InputError, match="write-protected"):
        write_atomically(path, b"new")
    assert path.read_bytes() == b"old"


def test_a_link_is_followed(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    target = tmp_path / "deep" / "target"
    target.write_bytes(b"old")
    link = tmp_path / "link"
    link.symlink_to(target)
    write_atomically(link, b"new")
    assert link.is_symlink()
    assert target.read_bytes() == b"new"


@settings(max_examples=30)
@given(st.lists(st.text(st.characters(codec="utf-8"), max_size=100), max_size=20), st.booleans())
def test_encoding_keeps_the_text_and_is_the_same_twice(parts: list[str], packed: bool) -> None:
    data = b"".join(encode(parts, packed=packed))
    assert data == b"".join(encode(parts, packed=packed))
    text = gzip.decompress(data) if packed else data
    assert text.decode() == "".join(parts)


def test_packed_files_carry_neither_time_nor_name(tmp_path: Path) -> None:
    write_text(tmp_path / "a.lp.gz", ["x" * 300_000, "y"])
    write_text(tmp_path / "b.LP.GZ", ["x" * 300_000, "y"])
    data = (tmp_path / "a.lp.gz").read_bytes()
    assert data == (tmp_path / "b.LP.GZ").read_bytes()
    assert gzip.decompress(data) == b"x" * 300_000 + b"y"
    flags, time = data[3], data[4:8]
    assert (flags, time) == (0, b"\0\0\0\0")


def test_suffixes() -> None:
    known = (".mps", ".lp")
    assert suffix_of(Path("a/b.mps"), known) == (".mps", False)
    assert suffix_of(Path("a.b/c.LP.GZ"), known) == (".lp", True)
    for name in ("a.txt", "a", "a.gz", "mps", ".mps.zip", ".lp"):
        with pytest.raises(InputError, match=r"use one of \.mps, \.lp, each also with \.gz"):
            suffix_of(Path(name), known)


@pytest.mark.parametrize("named", ["there", "nosuch", ""])
def test_scratch_folders_lie_where_tempfile_would_put_them(named: str, tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    code = (
        "import sys\nfrom calmip._base.files import scratch_folder\n"
        "with scratch_folder() as folder:\n    mode = folder.stat().st_mode\n"
        "import tempfile\nprint(folder.parent == __import__('pathlib').Path(tempfile.gettempdir()),"
        " oct(mode & 0o777) if sys.platform != 'win32' else '0o700')"
    )
    environment = {**os.environ, "TMPDIR": str(tmp_path / named) if named else ""}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False
    )
    assert (done.stdout, done.stderr) == ("True 0o700\n", "")
