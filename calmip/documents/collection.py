"""What comes with the package, and which file a name or a path means."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from calmip.errors import InputError, did_you_mean, listed, shown

__all__ = ["DEFAULT_PUZZLE", "bundled_instances", "bundled_puzzles", "file_of"]

DEFAULT_PUZZLE = "a-puzzle-a-day"
"""The puzzle of those who have not named theirs."""

YAML = (".yaml", ".yml", ".json")
"""What documents are called; JSON is YAML as well."""

LEAST = 4
"""Letters of a brand that is looked for in the names and notes of the puzzles."""


def bundled_puzzles() -> tuple[str, ...]:
    """Return the names of the puzzles that come with the package, sorted."""
    return _names(_folder("puzzles"))


def bundled_instances() -> tuple[str, ...]:
    """Return the names of the instances that come with the package, sorted."""
    return _names(_folder("instances"))


def file_of(source: str | Path) -> tuple[Path, str]:
    """Return the file of a path or a bundled name, and what messages call it.

    A bundled puzzle's name comes before a path, a path before a bundled instance's name.

    Raises
    ------
    InputError
        If there is no such file or name, or the file holds a model.
    """
    name = str(source)
    if name in bundled_puzzles():
        return _folder("puzzles") / f"{name}.yaml", name
    path = Path(source)
    try:
        exists = path.exists()
    except (OSError, ValueError):
        exists = False
    if exists:
        _check_kind(path)
        return path, name
    if name in bundled_instances():
        return _folder("instances") / f"{name}.yaml", name
    bundled = [*bundled_puzzles(), *bundled_instances()]
    # The path of an instance in the checkout, say, where there is none.
    close = _branded(name) or did_you_mean(name, bundled) or did_you_mean(path.stem, bundled)
    raise InputError(
        f"{shown(source, 200)}: no such file or bundled puzzle"
        f"{f' (did you mean {close}?)' if close else ''}; the bundled puzzles are "
        f"{listed(bundled_puzzles())}; the bundled instances are {listed(bundled_instances())}"
    )


def _folder(name: str) -> Path:
    # What importlib.resources would say, without the time that it takes to load.
    package = Path(__file__).parents[1]
    # In a checkout the instances lie beside the package, where a student finds them.
    return next(
        (folder for folder in (package / name, package.parent / name) if folder.is_dir()),
        package / name,
    )


def _names(folder: Path) -> tuple[str, ...]:
    return tuple(sorted(path.stem for path in folder.glob("*.yaml")))


def _branded(name: str) -> str:
    """Return which bundled puzzles bear a name that people know them by, with their own names."""
    from calmip.documents.yaml import read_document

    if len(name) < LEAST:
        return ""
    word = re.compile(rf"\b{re.escape(name)}\b", re.IGNORECASE)
    found = {}
    for puzzle in bundled_puzzles():
        document: Any = read_document(_folder("puzzles") / f"{puzzle}.yaml")
        title = str(document["name"])
        if word.search(f"{title} {document.get('note', '')}"):
            found[puzzle] = title
    if len(found) == 1:
        ((puzzle, title),) = found.items()
        return f"{puzzle}: {title}"
    return f"one of {listed(list(found))}" if found else ""


def _check_kind(path: Path) -> None:
    """Refuse a file that by its name is a model, and say what can be done with it."""
    suffix = Path(path.name.lower().removesuffix(".gz")).suffix
    if suffix in YAML:
        return
    from calmip.formats.covers import FORMATS

    kind = FORMATS.get(suffix)
    if kind is None or kind.data:
        return
    if kind.read:
        raise InputError(
            "is a model, not a puzzle or an instance; solve it with calmip solve FILE",
            path=shown(path, 200),
        )
    if kind.language:
        raise InputError(
            "is a model in a modelling language; write it as an MPS or LP file there, and solve "
            "that with calmip solve FILE",
            path=shown(path, 200),
        )
    raise InputError(
        "is a model for other programs; name the puzzle or the instance that it was made of",
        path=shown(path, 200),
    )
