"""Archives of learning platforms: members of a zip are files, and nothing is unpacked.

The path of a member is that of the archive followed by its own: ``class.zip/Ana_501/a.txt``.
"""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import datetime
from pathlib import Path, PurePosixPath

from calmip._base.errors import InputError
from calmip._base.files import os_errors

SUFFIX = ".zip"

TIME = (1980, 1, 1, 0, 0, 0)
"""The time of every file in an archive that is written."""

UNREADABLE = (zipfile.BadZipFile, zlib.error, RuntimeError, NotImplementedError, EOFError)
"""What a damaged or encrypted member raises, or one that is packed in another way."""


def is_archive(path: Path) -> bool:
    """Return whether a path is a file with the suffix of an archive."""
    return path.suffix.lower() == SUFFIX and path.is_file()


def archive_of(path: Path) -> tuple[Path, str] | None:
    """Return the archive and the name in it of a member's path; None for another path."""
    for folder in path.parents:
        if is_archive(folder):
            return folder, path.relative_to(folder).as_posix()
    return None


def members(path: Path) -> Iterator[Path]:
    """Yield the paths of an archive's files, but hidden ones.

    Raises
    ------
    InputError
        If it is not a zip archive.
    """
    try:
        with os_errors(path, "cannot be read"), zipfile.ZipFile(path) as archive:
            for one in archive.infolist():
                parts = PurePosixPath(one.filename).parts
                if not (
                    one.is_dir() or any(part.startswith(("/", ".", "__MACOSX")) for part in parts)
                ):
                    yield path.joinpath(*parts)
    except UNREADABLE as error:
        raise InputError(f"is not a zip archive: {error}", path=path) from None


def read_member(path: Path, most: int) -> bytes | None:
    """Return the first bytes of a member, ``most`` at most; None if the path is not a member's.

    Raises
    ------
    InputError
        If it cannot be read.
    """
    found = archive_of(path)
    if found is None:
        return None
    try:
        with zipfile.ZipFile(found[0]) as archive, archive.open(found[1]) as file:
            return file.read(most)
    except KeyError:
        raise InputError("there is no such file to grade", path=path) from None
    except UNREADABLE as error:
        raise InputError(f"cannot be read: {error}", path=path) from None


def time_of_member(path: Path) -> datetime | None:
    """Return when a member was last written, in the zone of this machine; None if not known."""
    found = archive_of(path)
    if found is not None:
        wrong = (KeyError, ValueError, OverflowError, OSError, *UNREADABLE)
        with suppress(*wrong), zipfile.ZipFile(found[0]) as archive:
            return datetime(*archive.getinfo(found[1]).date_time).astimezone()
    return None


def pack(files: Mapping[str, bytes]) -> bytes:
    """Return an archive of files, whose bytes depend on their content alone."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name, TIME)
            entry.compress_type = zipfile.ZIP_DEFLATED
            runs = name.endswith(".sh") or name == "run_autograder"
            entry.external_attr = (0o100755 if runs else 0o100644) << 16
            packed.writestr(entry, data)
    return stream.getvalue()
