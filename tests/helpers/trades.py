"""The trades of calmip, and a copy of the project without one of them."""

import shutil
import subprocess
from pathlib import Path

from calmip.features import DOORS

ROOT = Path(__file__).parents[2]

TRADES = tuple(door.split(".")[1] for door in DOORS if door != "calmip.puzzle.features")
"""The folders that can be taken away, each with the folder of its tests."""


def missing() -> set[str]:
    """Return the trades that are not there."""
    return {trade for trade in TRADES if not (ROOT / "calmip" / trade).is_dir()}


def copy_without(trade: str, folder: Path) -> None:
    """Copy what git tracks into a folder, but for a trade and its tests."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    without = (f"calmip/{trade}/", f"tests/{trade}/")
    for name in listed.split("\0"):
        source = ROOT / name
        if name and source.is_file() and not name.startswith(without):
            target = folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target)
