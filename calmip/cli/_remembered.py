"""The puzzle that is remembered: it is taken by commands that are given none."""

from __future__ import annotations

import contextlib
from pathlib import Path

import click

from calmip._base.errors import InputError, clip
from calmip._base.files import make_folder, write_text
from calmip.puzzle.documents.reader import DEFAULT_PUZZLE, bundled_puzzles, read_puzzle

MAX_PATH_CHARACTERS = 4096
"""The most characters of a path that is remembered."""


def last_puzzle(puzzle: str | None) -> str:
    """Return the puzzle that is named, or the remembered one.

    Raises
    ------
    InputError
        If the remembered puzzle is gone.
    """
    last = ""
    with contextlib.suppress(OSError, ValueError), _file().open(encoding="utf-8") as kept:
        last = kept.read(MAX_PATH_CHARACTERS).strip()
    if puzzle is None and last:
        try:
            read_puzzle(last)
        except InputError as error:
            raise InputError(
                f"your puzzle {clip(last)}, which was remembered, cannot be read ({error}); "
                "name another: calmip today PUZZLE"
            ) from None
    return puzzle or last or DEFAULT_PUZZLE


def remember(puzzle: str | None) -> None:
    """Remember a puzzle, a file by its whole path; a failure to write is ignored."""
    if puzzle is None or puzzle == "-":  # stdin is read once
        return
    name = puzzle if puzzle in bundled_puzzles() else str(Path(puzzle).resolve())
    with contextlib.suppress(InputError, ValueError):
        make_folder(_file().parent)
        write_text(_file(), [f"{name}\n"])


def _file() -> Path:
    return Path(click.get_app_dir("calmip")) / "puzzle"
