"""Stdin as a file of a command: a model, an instance or an answer, written as ``-``."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from calmip._base.errors import InputError
from calmip._base.files import scratch_folder

INPUTS = ("source", "answer", "against")
"""The parameters of files to read, in the order in which a command lists them."""


@contextlib.contextmanager
def stdin_as_file(given: dict[str, Any]) -> Iterator[None]:
    """Let a file that holds what stands in stdin take the place of ``-`` among the inputs.

    Its suffix is that of its content.

    Raises
    ------
    InputError
        If two inputs are stdin, or it is closed, empty, too long or of no known kind.
    """
    names = [name for name in INPUTS if str(given.get(name)) == "-"]
    if not names:
        yield
        return
    if len(names) > 1:
        raise InputError("stdin is one file; name the other one", path="-")
    (name,) = names
    with scratch_folder() as folder:
        path = _spool(folder, answer=name == "answer")
        given[name] = type(given[name])(path)
        try:
            yield
        except InputError as error:
            if error.path is not None and Path(error.path).parent == folder:
                error.path = "-"
            raise


def _spool(folder: Path, *, answer: bool) -> Path:
    """Write stdin to a file in a folder, and return its path."""
    from calmip.mip.files.model_files import kind_of_text
    from calmip.mip.files.text_source import MAX_BYTES, read_source

    stream: Any = sys.stdin
    try:
        data = b"" if stream is None else stream.buffer.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        raise InputError(f"cannot be read: {error}", path="-") from None
    spooled = folder / "stdin"
    spooled.write_bytes(data)
    try:
        source = read_source(spooled, longest=MAX_BYTES)
    except InputError as error:
        error.path = "-"
        raise
    kind = kind_of_text(source)
    if answer and kind in ("", ".yaml"):
        kind = ".sol"
    if not kind:
        raise InputError(
            "is of no known kind; stdin is an LP, MPS, OPB or CNF file, an instance in YAML, or, "
            "after a model or an instance, an answer",
            path="-",
        )
    return spooled.rename(folder / f"stdin{kind}")
