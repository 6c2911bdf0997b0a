"""Stdin as a file of a command: a model, an instance or an answer, written as ``-``."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

from calmip._base.errors import InputError, clip, join_words
from calmip._base.files import scratch_folder

INPUTS = ("source", "name", "path", "answer", "model", "against")
"""The parameters of files to read, in the order in which a command lists them."""

SUFFIX = "stdin_suffix"
"""The parameter of the option ``--suffix``, of commands that read more than one kind of file."""

FOLDER = "stdin_folder"
"""The folder of the file, as a text. Results leave it out of paths: no user has named it."""

ANSWERS = (".sol", ".txt", ".json", ".slx", ".xml", ".out")
"""The suffixes of answers, which all mean the same: the content decides."""


@contextlib.contextmanager
def stdin_as_file(given: dict[str, Any], kinds: Collection[str] = ()) -> Iterator[None]:
    """Replace ``-`` among the inputs by a file with the content of stdin.

    Its suffix is that of ``--suffix``, else the one that fits its content.

    Parameters
    ----------
    given
        The values of the command's parameters.
    kinds
        The parameters that a model may be; without any, stdin is a puzzle or an instance.

    Raises
    ------
    InputError
        If two inputs are stdin, or it is closed, empty, too long or of no known kind; or if
        there is a suffix for a file that is named.
    """
    suffix, given[FOLDER] = given.pop(SUFFIX, None), ""
    names = [name for name in INPUTS if str(given.get(name)) == "-"]
    if "path" not in kinds and "path" in names:
        names.remove("path")  # a submission, which has the name of its student
    if not names:
        if suffix:
            raise InputError("--suffix is that of stdin (-) only, and changes nothing here")
        yield
        return
    if len(names) > 1:
        raise InputError("stdin is one file; name the other one", path="-")
    (name,) = names
    with scratch_folder() as folder:
        path = _spool(folder)
        kind = suffix or (_kind(path, answer=name == "answer") if kinds else ".yaml")
        path = path.rename(folder / f"stdin{kind}")
        given[name], given[FOLDER] = type(given[name])(path), f"{folder}{os.sep}"
        try:
            yield
        except InputError as error:
            if error.path is not None and Path(error.path).parent == folder:
                error.path = "-"
                if not kinds and (kind := _model_kind(path)):
                    fault = f"is a model ({kind}), not a puzzle or an instance; calmip solve -"
                    fault += " solves it, and calmip compare A B compares two models"
                    raise InputError(fault, path="-") from None
            raise


def without_folder(data: bytes, folder: str) -> bytes:
    """Return a result without the folder of stdin's file, also as JSON escapes it."""
    for text in (folder, folder.replace("\\", "\\\\")):
        data = data.replace(text.encode(), b"")
    return data


def _spool(folder: Path) -> Path:
    """Write stdin to a file in a folder, and return its path."""
    from calmip.mip.files.text_source import MAX_BYTES

    stream: Any = sys.stdin
    try:
        data = b"" if stream is None else stream.buffer.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        raise InputError(f"cannot be read: {error}", path="-") from None
    spooled = folder / "stdin"
    spooled.write_bytes(data)
    return spooled


def _kind(path: Path, *, answer: bool) -> str:
    """Return the suffix that fits the content of a file."""
    from calmip.mip.files.model_files import kind_of_text
    from calmip.mip.files.text_source import MAX_BYTES, read_source

    try:
        source = read_source(path, longest=MAX_BYTES)
    except InputError as error:
        error.path = "-"
        raise
    kind = kind_of_text(source, whole=answer)
    if answer and kind in ("", ".yaml"):
        kind = ANSWERS[0]
    if not kind:
        raise InputError(
            "is of no known kind; stdin is an LP, MPS, OPB or CNF file, an instance in YAML, or, "
            "after a model or an instance, an answer; name the file, or its --suffix",
            path="-",
        )
    return kind


def _model_kind(path: Path) -> str:
    """Return the suffix that fits a file if it is a model, else an empty text."""
    from calmip.mip.files.model_files import YAML, kind_of_text
    from calmip.mip.files.text_source import MAX_BYTES, read_source

    try:
        kind = kind_of_text(read_source(path, longest=MAX_BYTES), whole=True)
    except InputError:  # no text
        return ""
    return "" if kind in YAML else kind


def check_kind(_: Any, __: Any, suffix: str | None) -> str | None:
    """Return the value of ``--suffix``; raise `InputError` if no file has this suffix."""
    if suffix is None:  # looking up the formats of other packages takes time
        return None
    from calmip._base.files import bare_suffix
    from calmip.mip.files.model_files import READERS, YAML

    known = (*READERS, *YAML[:1], *ANSWERS)
    if bare_suffix(Path(f"stdin{suffix}")) not in known:
        raise InputError(f"--suffix: '{clip(suffix)}' is unknown; use one of {join_words(known)}")
    return suffix
