"""The ``.solu`` files of MIPLIB and SCIP: what is known of the instances of a folder."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from calmip.errors import InputError
from calmip.formats.reading import parse_number, quoted, read_source

__all__ = ["Known", "known_beside", "read_solu", "solu_text"]

Known = tuple[str, float | None]
"""A word of `WORDS` and the value of the objective, None where the word has none."""

WORDS = {"opt": True, "best": True, "inf": False, "feas": False, "unkn": False}
"""``opt`` is the optimum, ``best`` the best that is known, ``inf`` that there is no solution,
``feas`` that there is one; and whether a value follows."""


def read_solu(path: Path) -> dict[str, Known]:
    """Return what a ``.solu`` file knows, by the instances' names.

    Raises
    ------
    InputError
        If it cannot be read or a line is none of ``=opt= NAME VALUE``, ``=best= NAME VALUE``,
        ``=inf= NAME``, ``=feas= NAME`` and ``=unkn= NAME``, or if an instance is there
        with two different answers.
    """
    source = read_source(path)
    found: dict[str, Known] = {}
    for number, line in enumerate(source.lines, start=1):
        parts = line.split()
        if not parts or parts[0].startswith("#"):
            continue
        word = parts[0].strip("=")
        value = parse_number(parts[2]) if len(parts) == 3 else None
        proper = parts[0] == f"={word}=" and word in WORDS and len(parts) in (2, 3)
        if not proper or WORDS[word] != (value is not None):
            raise source.error(
                f"found {quoted(line)}; a line is =opt= NAME VALUE, =best= NAME VALUE, "
                "=inf= NAME, =feas= NAME or =unkn= NAME",
                number,
            )
        known = (word, value)
        if found.setdefault(parts[1], known) != known:
            raise InputError(f"knows two answers of {quoted(parts[1])}", path=path, line=number)
    return found


def known_beside(folder: Path) -> dict[str, tuple[Known, str]]:
    """Return what the ``.solu`` files of a folder know, each with the name of its file.

    The last file that names an instance counts.

    Raises
    ------
    InputError
        As `read_solu` does.
    """
    return {
        name: (known, path.name)
        for path in sorted(folder.glob("*.solu"))
        for name, known in read_solu(path).items()
    }


def solu_text(known: Mapping[str, Known]) -> str:
    """Return the lines of a ``.solu`` file."""
    return "".join(
        f"={word}= {name}\n" if value is None else f"={word}= {name} {value:.15g}\n"
        for name, (word, value) in known.items()
    )
