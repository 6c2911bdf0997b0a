"""What CI runs for a change: all parts, or fewer if the change is in trades alone.

A trade is a folder of calmip that nothing else of calmip imports, so its change can break its
own tests, those of the doors (the command line, the help, the pages) and of the walls. The core,
on which it stands, is tested too, as the trade's tests rely on it.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[1]

TRADE = re.compile(r'"(\w+)"')
"""A trade in the tuple of calmip/_base/trades.py."""

DOORS = ("tests/cli", "tests/project", "tests/documentation")
CORE = ("tests/mip", "tests/models", "tests/solvers")

PARTS = ("lint", "prose", "site", "package", "tests")
"""The parts of CI that a change in a trade needs."""


def trades() -> set[str]:
    """Return the trades: the folders that have a door beside that of the puzzles."""
    text = Path(ROOT, "calmip", "_base", "trades.py").read_text(encoding="utf-8")
    return set(TRADE.findall(text.partition("TRADES = ")[2].partition(")")[0]))


def changed_since(revision: str) -> list[str]:
    """Return the files that differ between a revision and the commit."""
    command = ["git", "diff", "--name-only", "-z", f"{revision}...HEAD", "--"]
    found = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    return [name for name in found.split("\0") if name]


def trades_of(files: list[str]) -> set[str]:
    """Return the trades that alone are changed; none if anything else is."""
    known, found = trades(), set()
    for name in files:
        folder, *rest = name.split("/")
        if folder in ("calmip", "tests") and len(rest) > 1 and rest[0] in known:
            found.add(rest[0])
        elif name != "CHANGELOG.md":
            return set()
    return found


def tests_of(found: set[str]) -> tuple[str, ...]:
    """Return the folders of tests that a change of some trades needs."""
    return (*(f"tests/{trade}" for trade in sorted(found)), *DOORS, *CORE)
