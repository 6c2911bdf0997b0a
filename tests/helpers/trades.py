"""The trades of calmip, and a copy of the project without one of them."""

import re
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path

from calmip._base.trades import TRADES

ROOT = Path(__file__).parents[2]

WORDS = {
    "year": {"year", "calendar", "read_calendar"},
    "proofs": {"prove", "prove_check", "prove_dates"},
    "design": {"design", "design_by_model", "rearrange", "read_pool"},
    "bench": {
        *("bench", "bench_aa", "bench_diff", "bench_log", "bench_merge"),
        *("bench_report", "bench_run", "bench_watch"),
        *("compare formulations", "compare_formulations", "generate"),
        *("export suite", "export_suite"),
    },
    "course": {"grade", "grade_folder", "grade_model", "lesson"},
    "workshop": {"cut"},
}
"""The commands and the public names of each trade: those of a missing one cannot be asked for."""


def missing() -> set[str]:
    """Return the trades that are not there."""
    return {trade for trade in TRADES if not (ROOT / "calmip" / trade).is_dir()}


def trades_of_case(values: Iterable[object]) -> set[str]:
    """Return the trades of which a case of a test types a command, in a text or a list of words."""
    typed = [value if isinstance(value, str) else _joined(value) for value in values]
    return {
        trade
        for trade, words in WORDS.items()
        if any(f"{text} ".startswith(f"{word} ") for text in typed for word in words)
    }


def _joined(value: object) -> str:
    if isinstance(value, list | tuple) and all(isinstance(word, str) for word in value):
        return " ".join(value)
    return ""


def trades_of_text(text: str) -> set[str]:
    """Return the trades of which a text names a command, a public name or a module."""
    found = {
        trade: rf"\bcalmip(?: |\.)({trade}|{'|'.join(words)})\b" for trade, words in WORDS.items()
    }
    return {trade for trade, pattern in found.items() if re.search(pattern, text)}


def is_of_missing(path: str) -> bool:
    """Return whether a path of the project lies in the folder of a missing trade."""
    folders = tuple(f"{place}/{trade}/" for trade in missing() for place in ("calmip", "tests"))
    return path.startswith(folders)


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
