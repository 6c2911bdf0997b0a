"""What comes with the package, and which file a name or a path means."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

from calmip.errors import InputError, listed, shown

__all__ = ["bundled_puzzles", "file_of"]


def bundled_puzzles() -> tuple[str, ...]:
    """Return the names of the puzzles that come with the package, sorted."""
    folder = resources.files("calmip") / "puzzles"
    return tuple(
        sorted(entry.name[:-5] for entry in folder.iterdir() if entry.name.endswith(".yaml"))
    )


def file_of(source: str | Path) -> tuple[Path, str]:
    """Return the file of a path or a bundled name, and what messages call it."""
    bundled = bundled_puzzles()
    if str(source) in bundled:
        return Path(str(resources.files("calmip") / "puzzles" / f"{source}.yaml")), str(source)
    path = Path(source)
    try:
        exists = path.exists()
    except (OSError, ValueError):
        exists = False
    if not exists:
        import difflib

        close = difflib.get_close_matches(str(source), bundled, n=1)
        guess = f" (did you mean {close[0]}?)" if close else ""
        raise InputError(
            f"{shown(source, 200)}: no such file or bundled puzzle{guess}; "
            f"the bundled puzzles are {listed(bundled)}"
        )
    return path, str(source)
