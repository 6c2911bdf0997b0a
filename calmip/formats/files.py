"""Files that appear under their name only when they are whole."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterable
from pathlib import Path

from calmip.errors import InputError

__all__ = ["write_atomically"]


def write_atomically(path: Path, data: bytes | Iterable[bytes]) -> None:
    """Write a file, whole or not at all.

    Raises
    ------
    InputError
        If the folder is missing or not writable, the path is a folder, or the
        disk is full.
    """
    parts = [data] if isinstance(data, bytes) else data
    temporary = None
    try:
        if path.is_dir():
            raise InputError("is a folder; name a file", path=path)
        with tempfile.NamedTemporaryFile(
            dir=path.parent, prefix=f".{path.name}.", suffix=".part", delete=False
        ) as file:
            temporary = Path(file.name)
            for part in parts:
                file.write(part)
            file.flush()
            os.fsync(file.fileno())
        umask = os.umask(0)
        os.umask(umask)
        temporary.chmod(0o666 & ~umask)
        temporary.replace(path)
        temporary = None
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror or error}", path=path) from None
    finally:
        if temporary is not None:
            with contextlib.suppress(OSError):
                temporary.unlink()
