"""The one place that writes files: atomically, and compressed where the name ends in ``.gz``."""

from __future__ import annotations

import contextlib
import errno
import io
import os
import sys
import zlib
from collections.abc import Callable, Collection, Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

from calmip._base.errors import InputError, clip, join_words, neighbours

CHUNK_CHARACTERS = 1 << 16
"""Characters that are gathered, at least, before they are compressed or written."""

MAX_FILES_COMPARED = 2000
"""The most files of a folder among which a missing one is looked for."""

SCRATCH = "calmip-scratch-"
"""The start of the names of scratch folders."""

KEEPER = """trap '' HUP INT TERM
read -r line && exit
rmdir -- "$2"
n=0
while [ -e "$1" ] && [ $n -lt 100 ]; do rm -rf -- "$1" || sleep 0.1; n=$((n + 1)); done"""
"""A program of the shell that removes a folder if its stdin ends without a line.

It repeats that, as others may still write to the folder. One that has no name yet is removed, too.
"""

_swept: set[str] = set()
"""The folders in which this process has looked for old scratch folders."""

SHELL = "/bin/sh"

LOCKS = os.name == "posix"
"""Whether open files can be removed and renamed; not on Windows."""

LOCK_OFFSET = 1 << 40
"""Where Windows locks a file: after its bytes, as locked bytes cannot be read or written."""

NO_ROOM = (errno.ENOSPC, errno.EFBIG, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.EPERM)


@contextlib.contextmanager
def scratch_folder() -> Iterator[Path]:
    """Make a folder for temporary files, and remove it at the end.

    If this process is killed, a small program of the shell removes the folder. Where the system
    locks folders, the first call in a process also removes the folders that processes of the same
    user have left which were killed together with that program.
    """
    try:
        with _new_scratch_folder() as folder:
            try:
                yield folder
            finally:
                # a stopped solver may still write to it
                with contextlib.suppress(OSError):
                    _remove_folder(folder)
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

    Loading that module takes milliseconds, so it is used only if loaded or necessary.
    """
    named = filter(None, map(os.environ.get, ("TMPDIR", "TEMP", "TMP")))
    usual = Path(next(named, "/tmp")).absolute()  # noqa: S108 - what tempfile takes
    if LOCKS and "tempfile" not in sys.modules and usual.is_dir() and os.access(usual, os.W_OK):
        return str(usual)
    import tempfile

    return tempfile.gettempdir()


@contextlib.contextmanager
def _new_scratch_folder() -> Iterator[Path]:
    """Yield a new folder, with a lock, which shows that this process is alive, and a keeper."""
    place = _temporary()
    if place not in _swept:
        _swept.add(place)
        with contextlib.suppress(OSError):
            _sweep(place)
    name = os.urandom(8).hex()
    folder, unnamed = Path(place, f"{SCRATCH}{name}"), Path(place, f".{SCRATCH}{name}")
    with _keeper(folder, unnamed):
        unnamed.mkdir(0o700)
        lock = _locked_folder(unnamed)
        unnamed.rename(folder)  # only now, else another process may take and remove it unlocked
        try:
            yield folder
        finally:
            if lock is not None:
                os.close(lock)


def leave_scratch() -> None:
    """Leave the scratch folders of this process to the caller, which removes the one around."""
    _left.append(True)


_left: list[bool] = []


@contextlib.contextmanager
def _keeper(folder: Path, unnamed: Path) -> Iterator[None]:
    """Start a program that removes a folder when this process ends; end it afterwards.

    Without a shell, as on Windows, there is none.
    """
    if _left or not hasattr(os, "posix_spawn"):
        yield
        return
    lifeline, held = os.pipe()
    keeper = None
    with contextlib.suppress(OSError):
        keeper = _start_keeper((folder, unnamed), lifeline)
    os.close(lifeline)
    try:
        yield
    finally:
        with contextlib.suppress(OSError):
            os.write(held, b"\n")
        os.close(held)
        if keeper is not None:
            with contextlib.suppress(OSError):  # another thread may wait for all children
                os.waitpid(keeper, 0)


def _start_keeper(folders: tuple[Path, Path], lifeline: int) -> int:
    """Start the keeper of a folder in a session of its own, or elsewhere in a group."""
    silent = [(os.POSIX_SPAWN_OPEN, number, os.devnull, os.O_WRONLY, 0) for number in (1, 2)]
    actions = [(os.POSIX_SPAWN_DUP2, lifeline, 0), *silent]
    command = [SHELL, "-c", KEEPER, "sh", *map(str, folders)]
    try:
        return os.posix_spawn(SHELL, command, os.environ, file_actions=actions, setsid=True)
    except NotImplementedError:
        return os.posix_spawn(SHELL, command, os.environ, file_actions=actions, setpgroup=0)


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
    """Return a descriptor that locks a folder; None if it is locked already or cannot be."""
    if not LOCKS:
        return None
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            lock(descriptor)
        except OSError:
            os.close(descriptor)
        else:
            return descriptor
    return None


def _remove_folder(folder: Path) -> None:
    """Remove a folder and its contents, however deep; links are removed, not followed.

    Inner folders are first moved to the top, so that no path is too long.
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
    """Yield the entries of a folder at any depth, a folder before its contents.

    Links are not followed. A folder that cannot be read is followed by the error, with
    its path as ``filename``.
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


def digest_of(data: bytes) -> str:
    """Return the SHA-256 of bytes, in hexadecimal."""
    from hashlib import sha256  # loads a library, which no help needs

    return sha256(data).hexdigest()


PACKED = (".gz", ".bz2", ".xz")
"""The suffixes of packed files that are read; only the first is written."""


DOUBLE = ".mof.json"
"""The suffix that has two parts."""


def bare_suffix(path: Path) -> str:
    """Return the suffix of a file to be read in lower case, without that of a packed file."""
    name = path.name.lower()
    packed = next((one for one in PACKED if name.endswith(one)), "")
    return _suffix(name.removesuffix(packed))


def _suffix(name: str) -> str:
    return DOUBLE if name.endswith(DOUBLE) else Path(name).suffix


def suffix_of(path: Path, allowed: Collection[str], *, read: bool = False) -> tuple[str, bool]:
    """Return the suffix of a file's name in lower case, and whether ``.gz`` follows it.

    Before the suffix of another packed file, a file to be read has one, too.
    """
    name = path.name.lower()
    suffix = bare_suffix(path) if read else _suffix(name.removesuffix(".gz"))
    if suffix not in allowed:
        known = list(allowed)
        found = f"the suffix '{suffix}' is unknown" if suffix else "the name has no suffix"
        more = join_words(PACKED if read else PACKED[:1])
        raise InputError(
            f"{found}; use one of {join_words(known)}, each also with {more}", path=path
        )
    return suffix, name.endswith(".gz")


def encode(parts: Iterable[str], *, packed: bool) -> Iterator[bytes]:
    """Yield text as UTF-8, compressed by gzip if packed, without a time or a name."""
    if not packed:
        yield from map(str.encode, _chunks(parts))
        return
    import gzip

    sink = io.BytesIO()
    with gzip.GzipFile(filename="", mode="wb", compresslevel=6, fileobj=sink, mtime=0) as packer:
        for part in _chunks(parts):
            packer.write(part.encode())
            yield sink.getvalue()
            sink.seek(0)
            sink.truncate()
    yield sink.getvalue()


@contextlib.contextmanager
def os_errors(path: Path | str, fault: str) -> Iterator[None]:
    """Turn an OSError into an `InputError`, for example that a file ``cannot be read``."""
    try:
        yield
    except OSError as error:
        if isinstance(error, TimeoutError) and error.errno is None:  # that of a `Deadline`
            raise
        raise InputError(f"{fault}: {error.strerror or error}", path=path) from None


def nearby(path: Path, further: Iterable[str] = ()) -> str:
    """Return a question that names files like a missing one, three at most; or an empty text.

    Parameters
    ----------
    path
        The missing file.
    further
        Names that were possible as well.
    """
    beside: list[str] = []
    with contextlib.suppress(OSError, ValueError), os.scandir(path.parent) as entries:
        files = (one.name for one in entries if Path(one.name).suffix == path.suffix)
        beside = [str(path.with_name(name)) for name in islice(files, MAX_FILES_COMPARED)]
    # The names of a folder are alike by the folder, so they are compared without it.
    named = {Path(one).name: one for one in (*further, *beside) if one != str(path)}
    found = [named[one] for one in neighbours(path.name, named)]
    if not found:
        return ""
    *others, last = map(clip, found)
    words = f"{', '.join(others)} or {last}" if others else last
    return f" (did you mean {words}?)"


def read_bytes(path: Path, most: int, name: str | None = None) -> bytes:
    """Return the bytes of a regular file, ``most`` at most; errors name ``name``, or the path."""
    name = name or str(path)
    with os_errors(name, "cannot be read"):
        if not path.is_file():
            found = "is a folder" if path.is_dir() else "is not a regular file"
            raise InputError(found if path.exists() else f"no such file{nearby(path)}", path=name)
        with path.open("rb") as file:
            data = file.read(most + 1)
    if len(data) > most:
        raise InputError(f"is larger than {most:,} bytes", path=name)
    return data


def make_folder(path: Path) -> None:
    """Make a folder and its parents; raise `InputError` if they cannot be made."""
    with os_errors(path, "cannot be made"):
        for part in (path, *path.parents):
            if part.exists() and not part.is_dir():
                raise InputError("is a file, and a folder is needed; name another", path=part)
        path.mkdir(parents=True, exist_ok=True)


def write_text(path: Path, parts: Iterable[str]) -> None:
    """Write text atomically, compressed if the name ends in ``.gz``; see `growing_file`."""
    write_atomically(path, encode(parts, packed=path.name.lower().endswith(".gz")))


def write_atomically(path: Path, data: bytes | Iterable[bytes]) -> None:
    """Write a file atomically, from bytes or parts of them; see `growing_file`."""
    with growing_file(path) as write:
        for part in [data] if isinstance(data, bytes) else data:
            write(part)


@contextlib.contextmanager
def growing_file(path: Path) -> Iterator[Callable[[bytes], object]]:
    """Yield a function that adds bytes to a file, which appears atomically at the end.

    The bytes go to a new file in the same folder that takes the final name when it is
    complete and on the disk. After an error or Ctrl-C the new file is removed and an old
    one stays. The next run that writes the file removes what a killed run has left.
    A symbolic link is followed; an old file's permissions are kept.
    """
    with os_errors(path, "cannot be written"):
        target, mode = check_target(path)
        temporary, file = _hidden_file(target)
        try:
            with file:
                if mode is not None:
                    temporary.chmod(mode)
                yield file.write
                file.flush()
                if not target.parent.name.startswith(SCRATCH):  # it outlives this process
                    os.fsync(file.fileno())
                if LOCKS:  # while it is locked; otherwise another run may remove it
                    temporary.replace(target)
            if not LOCKS:
                temporary.replace(target)
        except BaseException:
            with contextlib.suppress(OSError):
                temporary.unlink()
            raise


def _hidden_file(target: Path) -> tuple[Path, BinaryIO]:
    """Make a new locked file beside another one, and remove those that killed runs have left."""
    start = f".calmip-{zlib.crc32(os.fsencode(target.name)):08x}-"
    with contextlib.suppress(OSError):
        for path in target.parent.iterdir():
            if path.name.startswith(start) and path.is_file() and not path.is_symlink():
                with contextlib.suppress(OSError):
                    _remove_unlocked(path)
    while True:
        path = target.parent / f"{start}{os.urandom(8).hex()}.part"
        # Mode x: never over another file, and with the permissions of a plain open().
        file = path.open("xb")
        with contextlib.suppress(OSError):  # some file systems have no locks
            if LOCKS:
                lock(file)
        if path.exists():  # else another run removed it before it was locked
            return path, file
        file.close()


def _remove_unlocked(path: Path) -> None:
    """Remove a file that no run has open, or raise OSError."""
    if not LOCKS:  # Windows removes no open file
        path.unlink()
        return
    with path.open("rb") as file:
        lock(file)
        path.unlink()


def lock(file: BinaryIO | int) -> None:
    """Lock an open file until it is closed; `BlockingIOError` if another run has locked it."""
    try:
        import fcntl
    except ImportError:
        with contextlib.suppress(ImportError):  # a browser has no locks
            import msvcrt

            _lock_on_windows(file if isinstance(file, int) else file.fileno(), msvcrt)
    else:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _lock_on_windows(file: int, msvcrt: Any) -> None:
    position = os.lseek(file, 0, os.SEEK_CUR)
    os.lseek(file, LOCK_OFFSET, os.SEEK_SET)
    try:
        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
    except OSError as error:
        raise BlockingIOError(errno.EAGAIN, "is locked by another run") from error
    finally:
        os.lseek(file, position, os.SEEK_SET)


@contextlib.contextmanager
def part_file(path: Path, kept: int = 0) -> Iterator[Callable[[str], None]]:
    """Yield a function that adds text, without delay, to a file that is useful before its end.

    The file grows as ``NAME.part``, of which ``kept`` bytes are kept. It gets its name at the
    end, also after Ctrl-C. A killed run leaves the part behind.
    """
    with os_errors(path, "cannot be written"):
        # This comes first, as an existing file, such as a device, may not be replaceable.
        target, mode = check_target(path)
        part = target.with_name(target.name + ".part")
        if part.is_symlink():
            part.unlink()
        check_target(part)
        stop: BaseException | None = None
        with lock_path(part):
            # Truncated only once it is locked: another run may be writing to it.
            with part.open("a", encoding="utf-8", newline="\n") as file:
                if file.tell() < kept:
                    raise InputError("has been changed by another run", path=part)
                file.truncate(kept)

                def write(text: str) -> None:
                    file.write(text)
                    file.flush()

                try:
                    yield write
                except (KeyboardInterrupt, GeneratorExit) as error:
                    stop = error
            if mode is not None:
                part.chmod(mode)
            if LOCKS:
                part.replace(target)
        if not LOCKS:
            part.replace(target)
        if stop is not None:
            raise stop


@contextlib.contextmanager
def lock_path(path: Path) -> Iterator[None]:
    """Lock a file, made if need be; raise `InputError` if another run has it."""
    with path.open("ab") as file:
        try:
            lock(file)
            # The other run may have ended and renamed its file.
            mine = path.exists() and os.path.samestat(os.fstat(file.fileno()), path.stat())
        except BlockingIOError:
            mine = False
        if not mine:
            fault = "another run is writing this file; wait for its end, or choose another name"
            raise InputError(fault, path=path)
        yield


def check_target(path: Path) -> tuple[Path, int | None]:
    """Return the target of a path, links followed, and the permissions of an existing file.

    A folder, a device, a pipe or a write-protected file is refused.
    """
    try:
        proper = b"\0" not in os.fsencode(path)
    except UnicodeEncodeError:
        proper = False
    if not proper:
        raise InputError("is not a file name", path=path)
    with os_errors(path, "cannot be written"):
        target = path.resolve() if path.is_symlink() else path
        if not target.parent.is_dir():
            folder = clip(target.parent, 300)
            fault = f"cannot be written: there is no folder '{folder}'; make it first"
            raise InputError(fault, path=path)
        return target, _permissions(path)


def _permissions(path: Path) -> int | None:
    """Return the permissions of the file to replace, None if there is none yet."""
    if not path.exists():
        return None
    fault = ""
    if path.is_dir():
        fault = "is a folder; name a file in it"
    elif not path.is_file():
        fault = "is a device, not a file that can be replaced"
    elif not os.access(path, os.W_OK):
        fault = "is write-protected; choose another name"
    if fault:
        raise InputError(fault, path=path)
    return path.stat().st_mode & 0o777


def _chunks(parts: Iterable[str]) -> Iterator[str]:
    waiting: list[str] = []
    size = 0
    for part in parts:
        waiting.append(part)
        size += len(part)
        if size >= CHUNK_CHARACTERS:
            yield "".join(waiting)
            waiting, size = [], 0
    yield "".join(waiting)
