"""The one place that writes files: whole or not at all, compressed where the name says so."""

from __future__ import annotations

import contextlib
import errno
import io
import os
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, BinaryIO

from calmip.errors import InputError, listed, shown

__all__ = [
    "alone",
    "check_target",
    "encoded",
    "growing_file",
    "lock",
    "make_folder",
    "part_file",
    "scratch_folder",
    "suffix_of",
    "walk_folder",
    "write_atomically",
    "write_text",
]

CHUNK = 1 << 16
"""Characters are gathered up to about this number before they are compressed or written."""

SCRATCH = "calmip-scratch-"
_swept: set[str] = set()
"""The names of scratch folders begin so; and where this process has looked for old ones."""

LOCKS = os.name == "posix"
"""Whether the system lets open files be removed and renamed; Windows does not."""

FAR = 1 << 40
"""Where Windows locks a file: nobody reads or writes locked bytes there, so behind all of them."""

NO_ROOM = (errno.ENOSPC, errno.EFBIG, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.EPERM)


@contextlib.contextmanager
def scratch_folder() -> Iterator[Path]:
    """Make a folder for files that go between programs, and remove it at the end.

    Where the system locks folders, the first one that a process makes also removes
    those that killed processes of the same user have left there.

    Raises
    ------
    InputError
        If it cannot be made or written to, the disk being full, for example.
    """
    try:
        folder, lock = _new_scratch_folder()
        try:
            yield folder
        finally:
            # A solver that was stopped may still be writing its last words.
            with contextlib.suppress(OSError):
                _remove_folder(folder)
            if lock is not None:
                os.close(lock)
    except OSError as error:
        if error.errno not in NO_ROOM:
            raise
        raise InputError(
            f"the folder for temporary files cannot be written to: {error.strerror}; "
            "make room, or name another one in the environment variable TMPDIR",
            path=_temporary(),
        ) from None


def _temporary() -> str:
    """Return the folder for temporary files, as ``tempfile`` finds it.

    That module takes some milliseconds to load, so it is asked only where it is loaded, or
    where the folder is not the usual one.
    """
    named = filter(None, map(os.environ.get, ("TMPDIR", "TEMP", "TMP")))
    usual = Path(next(named, "/tmp")).absolute()  # noqa: S108 - what tempfile takes
    if LOCKS and "tempfile" not in sys.modules and usual.is_dir() and os.access(usual, os.W_OK):
        return str(usual)
    import tempfile

    return tempfile.gettempdir()


def _new_scratch_folder() -> tuple[Path, int | None]:
    """Make a folder and return it with its lock, which tells others that its process lives."""
    place = _temporary()
    if place not in _swept:
        _swept.add(place)
        with contextlib.suppress(OSError):
            _sweep(place)
    while True:
        folder = Path(place, f"{SCRATCH}{os.urandom(8).hex()}")
        folder.mkdir(0o700)
        lock = _locked_folder(folder)
        if folder.exists():  # else another process found it before it was locked
            return folder, lock
        if lock is not None:
            os.close(lock)


def _sweep(place: str) -> None:
    """Remove the scratch folders in a folder whose processes were killed."""
    with os.scandir(place) as entries:
        found = [Path(entry.path) for entry in entries if entry.name.startswith(SCRATCH)]
    for folder in found if LOCKS else []:
        if folder.is_symlink() or folder.lstat().st_uid != os.getuid():
            continue
        descriptor = _locked_folder(folder)
        if descriptor is not None:
            with contextlib.suppress(OSError):
                _remove_folder(folder)
            os.close(descriptor)


def _locked_folder(folder: Path) -> int | None:
    """Return a descriptor that locks a folder, None if another has it or there are no locks."""
    if not LOCKS:
        return None
    descriptor = None
    try:
        descriptor = os.open(folder, os.O_RDONLY)
        lock(descriptor)
    except OSError:
        if descriptor is not None:
            os.close(descriptor)
        return None
    return descriptor


def _remove_folder(folder: Path) -> None:
    """Remove a folder and what lies in it, however deep; links are removed, not followed.

    A folder in a folder is first moved up to the top, so paths stay short and
    nothing here calls itself: somebody else's program made the folders.
    """
    if folder.is_symlink():
        folder.unlink()
        return
    waiting = [folder]
    while waiting:
        found = waiting.pop()
        found.chmod(0o700)
        with os.scandir(found) as entries:
            for entry in list(entries):
                if not entry.is_dir(follow_symlinks=False):
                    Path(entry.path).unlink()
                    continue
                Path(entry.path).chmod(0o700)
                waiting.append(folder / f".{os.urandom(8).hex()}")
                Path(entry.path).rename(waiting[-1])
        if found != folder:
            found.rmdir()
    folder.rmdir()


def walk_folder(folder: Path) -> Iterator[os.DirEntry[str] | OSError]:
    """Yield what lies in a folder, at any depth; links are not followed.

    A folder comes before what lies in it. One that cannot be read, or is too
    deep to have a path, is followed by the error, with its path as ``filename``.
    """
    waiting = [str(folder)]
    while waiting:
        try:
            with os.scandir(waiting.pop()) as entries:
                for entry in entries:
                    yield entry
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(entry.path)
        except OSError as error:
            yield error


def suffix_of(path: Path, allowed: Iterable[str]) -> tuple[str, bool]:
    """Return the suffix of a file's name in lower case, and whether ``.gz`` follows it.

    Raises
    ------
    InputError
        If it is not one of the allowed suffixes.
    """
    known = list(allowed)
    name = path.name.lower()
    packed = name.endswith(".gz")
    suffix = Path(name.removesuffix(".gz")).suffix
    if suffix not in known:
        found = f"the suffix '{suffix}' is unknown" if suffix else "the name has no suffix"
        raise InputError(
            f"{found}; use one of {listed(known)}, each also with .gz",
            path=_shown(path),
        )
    return suffix, packed


def encoded(parts: Iterable[str], *, packed: bool) -> Iterator[bytes]:
    """Yield text as UTF-8, compressed by gzip if asked.

    The same text gives the same bytes: the gzip header carries neither a time
    nor a name.
    """
    if not packed:
        for part in _gathered(parts):
            yield part.encode()
        return
    sink = io.BytesIO()
    import gzip

    with gzip.GzipFile(filename="", mode="wb", compresslevel=6, fileobj=sink, mtime=0) as packer:
        for part in _gathered(parts):
            packer.write(part.encode())
            yield sink.getvalue()
            sink.seek(0)
            sink.truncate()
    yield sink.getvalue()


def make_folder(path: Path) -> None:
    """Make a folder, and those that it lies in, if it is not there.

    Raises
    ------
    InputError
        If it cannot be made.
    """
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot be made: {error.strerror or error}", path=path) from None


def write_text(path: Path, parts: Iterable[str]) -> None:
    """Write text, whole or not at all, compressed if the name ends in ``.gz``.

    Raises
    ------
    InputError
        As `write_atomically` does.
    """
    write_atomically(path, encoded(parts, packed=path.name.lower().endswith(".gz")))


def write_atomically(path: Path, data: bytes | Iterable[bytes]) -> None:
    """Write a file, whole or not at all.

    Parameters
    ----------
    path
        The file to make or replace.
    data
        Its bytes, at once or in parts.

    Raises
    ------
    InputError
        As `growing_file` does.
    """
    with growing_file(path) as write:
        for part in [data] if isinstance(data, bytes) else data:
            write(part)


@contextlib.contextmanager
def growing_file(path: Path) -> Iterator[Callable[[bytes], object]]:
    """Yield a function that adds bytes to a file that appears at the end, whole or not at all.

    The bytes go to a new file in the same folder that takes the final name
    when it is complete and on the disk. Whatever ends the writing early, an
    error or Ctrl-C, the new file is removed and an old one stays as it was;
    what a run left that was killed, the next one that writes this file removes.
    A symbolic link is followed; an old file's permissions are kept.

    Parameters
    ----------
    path
        The file to make or replace.

    Raises
    ------
    InputError
        If the folder is missing or not writable, the path is a folder, a
        device or a write-protected file, or the disk is full.
    """
    try:
        target, mode = check_target(path)
        temporary, file = _hidden_file(target)
        try:
            with file:
                if mode is not None:
                    temporary.chmod(mode)
                yield file.write
                file.flush()
                if not target.parent.name.startswith(SCRATCH):  # what outlives this process
                    os.fsync(file.fileno())
                if LOCKS:  # while it is locked, for else another run takes it for left behind
                    temporary.replace(target)
            if not LOCKS:
                temporary.replace(target)
        except BaseException:
            with contextlib.suppress(OSError):
                temporary.unlink()
            raise
    except OSError as error:
        raise InputError(
            f"cannot be written: {error.strerror or error}", path=_shown(path)
        ) from None


def _hidden_file(target: Path) -> tuple[Path, BinaryIO]:
    """Make a new file beside another one, and remove those that killed runs have left there.

    The name tells what it is to become, and a lock that its run is alive.
    """
    start = f".calmip-{zlib.crc32(os.fsencode(target.name)):08x}-"
    with contextlib.suppress(OSError):
        for path in target.parent.iterdir():
            if path.name.startswith(start) and path.is_file() and not path.is_symlink():
                with contextlib.suppress(OSError):
                    _remove_unlocked(path)
    while True:
        path = target.parent / f"{start}{os.urandom(8).hex()}.part"
        # Mode x: never over another's file, and with the permissions of a plain open().
        file = path.open("xb")
        with contextlib.suppress(OSError):  # locks are not known everywhere
            if LOCKS:
                lock(file)
        if path.exists():  # else another run found it before it was locked
            return path, file
        file.close()


def _remove_unlocked(path: Path) -> None:
    """Remove a file that no run has open, or raise OSError."""
    if not LOCKS:  # a file that is open cannot be removed there
        path.unlink()
        return
    with path.open("rb") as file:
        lock(file)
        path.unlink()


def lock(file: BinaryIO | int) -> None:
    """Lock an open file until it is closed, where the system has locks; a browser has none.

    Raises
    ------
    BlockingIOError
        If another run has locked it.
    """
    try:
        import fcntl
    except ImportError:
        with contextlib.suppress(ImportError):
            import msvcrt

            descriptor = file if isinstance(file, int) else file.fileno()
            _lock_on_windows(descriptor, msvcrt)
    else:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _lock_on_windows(file: int, msvcrt: Any) -> None:
    place = os.lseek(file, 0, os.SEEK_CUR)
    os.lseek(file, FAR, os.SEEK_SET)
    try:
        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
    except OSError as error:
        raise BlockingIOError(errno.EAGAIN, "is locked by another run") from error
    finally:
        os.lseek(file, place, os.SEEK_SET)


@contextlib.contextmanager
def part_file(path: Path, kept: int = 0) -> Iterator[Callable[[str], None]]:
    """Yield a function that adds text, at once, to a file that is of use before its end.

    It grows as ``NAME.part``, so that a reader never takes a part for the
    whole, and gets its name at the end, also after Ctrl-C. A run that is killed
    leaves the part behind.

    Parameters
    ----------
    path
        The file to make or replace.
    kept
        So many bytes of a ``NAME.part`` that is there are kept.

    Raises
    ------
    InputError
        As `growing_file` does, or if another run is writing the file.
    """
    try:
        # First of all: whatever bears the name now, a device say, must be one to replace.
        target, mode = check_target(path)
        part = target.with_name(target.name + ".part")
        if part.is_symlink():
            part.unlink()
        check_target(part)
        stop: BaseException | None = None
        with alone(part):
            # Not emptied before it is ours: another run may be writing there.
            with part.open("a", encoding="utf-8", newline="\n") as file:
                if file.tell() < kept:
                    raise InputError("has been changed by another run", path=_shown(part))
                file.truncate(kept)

                def write(text: str) -> None:
                    file.write(text)
                    file.flush()

                try:
                    yield write
                except (KeyboardInterrupt, GeneratorExit) as told:
                    stop = told
            if mode is not None:
                part.chmod(mode)
            if LOCKS:
                part.replace(target)
        if not LOCKS:
            part.replace(target)
        if stop is not None:
            raise stop
    except OSError as error:
        raise InputError(
            f"cannot be written: {error.strerror or error}", path=_shown(path)
        ) from None


@contextlib.contextmanager
def alone(path: Path) -> Iterator[None]:
    """Keep other runs away from a file, where the system can; it is made if need be.

    Raises
    ------
    InputError
        If another run has the file.
    """
    with path.open("ab") as file:
        try:
            lock(file)
            # The other run may have ended since, and its file has another name now.
            mine = path.exists() and os.path.samestat(os.fstat(file.fileno()), path.stat())
        except BlockingIOError:
            mine = False
        if not mine:
            raise InputError(
                "another run is writing this file; wait for its end, or choose another name",
                path=_shown(path),
            )
        yield


def check_target(path: Path) -> tuple[Path, int | None]:
    """Return the file that a path leads to, links followed, and the permissions of an old one.

    Raises
    ------
    InputError
        If no file can take this name: its folder is missing, it is a folder,
        a device, a pipe or a write-protected file, or no name at all.
    """
    _check_name(path)
    target = path.resolve() if path.is_symlink() else path
    if not target.parent.is_dir():
        raise InputError(
            f"cannot be written: there is no folder '{_shown(target.parent)}'; make it first",
            path=_shown(path),
        )
    return target, _permissions(path)


def _check_name(path: Path) -> None:
    try:
        proper = b"\0" not in os.fsencode(path)
    except UnicodeEncodeError:
        proper = False
    if not proper:
        raise InputError("is not a file name", path=_shown(path))


def _permissions(path: Path) -> int | None:
    """Return the permissions of the file to replace, None if there is none yet."""
    if not path.exists():
        return None
    if path.is_dir():
        raise InputError("is a folder; name a file in it", path=_shown(path))
    if not path.is_file():
        raise InputError("is a device, not a file that can be replaced", path=_shown(path))
    if not os.access(path, os.W_OK):
        raise InputError("is write-protected; choose another name", path=_shown(path))
    return path.stat().st_mode & 0o777


def _gathered(parts: Iterable[str]) -> Iterator[str]:
    waiting: list[str] = []
    size = 0
    for part in parts:
        waiting.append(part)
        size += len(part)
        if size >= CHUNK:
            yield "".join(waiting)
            waiting, size = [], 0
    yield "".join(waiting)


def _shown(path: Path) -> str:
    return shown(path, 300)
