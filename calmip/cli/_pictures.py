"""Results as pictures: which format is meant, and where the bytes go."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import click

from calmip.cli._options import deliver, refuse_unused, write
from calmip.cli._streams import ReaderLeft, put
from calmip.errors import InputError, listed
from calmip.render.palette import AUTO, THEMES
from calmip.render.picture_files import PICTURES

__all__ = [
    "BINARY",
    "MOST",
    "PICTURES",
    "chosen_form",
    "deliver_data",
    "format_option",
    "refuse_other_suffixes",
    "refuse_pictures",
    "theme_option",
]

BINARY = ("png", "pdf")

PLAIN = ("text", "md", "json", "jsonl", "csv")
"""Formats without colours."""

FOREIGN = (
    "bmp doc docx dxf eps gif gz htm html jpeg jpg ods pdf png ps svg svgz tif tiff webp xls "
    "xlsx zip"
).split()
"""Suffixes that promise what text is not."""

MOST = 1000
"""So many tilings go on one sheet unless a limit is given."""


def theme_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the option ``--theme`` to a command."""
    return click.option(
        "--theme",
        type=click.Choice([*THEMES, AUTO]),
        default=AUTO,
        show_default=True,
        help="Colours of pictures; auto: dark on dark screens (SVG, HTML), else light.",
    )(command)


def format_option(
    *forms: str, default: str = "text", by_suffix: bool = True
) -> Callable[[Callable[..., Any]], Any]:
    """Return the option ``--format``; see `chosen_form`."""
    return click.option(
        "--format",
        "form",
        type=click.Choice(forms),
        help=f"By the suffix of -o unless given, else {default}."
        if by_suffix
        else f"What is printed; {default} unless given.",
    )


def chosen_form(form: str | None, output: Path | None, allowed: Iterable[str]) -> str:
    """Return the format that is meant: as given, else by the file's suffix, else the first.

    Raises
    ------
    InputError
        If the file's suffix says another format than the one given, or one
        that there is not; a binary format would go to a terminal; or the
        file's folder is missing, which is better said before the work.
    """
    if output is not None and not output.parent.is_dir():
        raise InputError(
            f"cannot be written: there is no folder '{output.parent}'; make it first", path=output
        )
    allowed = tuple(allowed)
    suffix = "" if output is None else output.suffix.lower().removeprefix(".")
    if form is None:
        form = suffix if suffix in allowed else allowed[0]
        if suffix not in allowed and (suffix in FOREIGN or (suffix and form != "text")):
            suffixes = [".txt" if known == "text" else f".{known}" for known in allowed]
            raise InputError(
                f"the suffix .{suffix} is none of {listed(suffixes)}; "
                "choose one of them, or give --format",
                path=output,
            )
    elif suffix != form and (suffix in PICTURES or (form in BINARY and suffix in allowed)):
        raise InputError(
            f"--format {form} does not suit the file's suffix .{suffix}; give one of the two",
            path=output,
        )
    if form in PLAIN:
        refuse_unused("a picture, such as -o NAME.svg,", "theme")
    if form in BINARY and output is None and sys.stdout.isatty():
        raise InputError(
            f"{form} is no text for a terminal; name a file with -o NAME.{form}, or use a pipe"
        )
    return form


def refuse_other_suffixes(output: Path | None, what: str, own: Sequence[str]) -> None:
    """Raise `InputError` if a file's suffix promises what this is not."""
    suffix = "" if output is None else output.suffix.lower().removeprefix(".")
    if suffix in FOREIGN and suffix not in own:
        raise InputError(f"the suffix .{suffix} is not that of {what}; use .{own[0]}", path=output)


def refuse_pictures(form: str) -> None:
    """Raise `InputError` if a format draws tilings, where there are only columns."""
    if form in PICTURES:
        raise InputError(
            f"{form} draws tilings, and a model file has only columns; use text or json"
        )


def deliver_data(data: bytes, form: str, output: Path | None) -> None:
    """Write a result to a file or to stdout."""
    if output is not None:
        write(output, data)
    elif form in BINARY:
        with contextlib.suppress(ReaderLeft):
            put(data)
    else:
        deliver(data.decode(), None)
