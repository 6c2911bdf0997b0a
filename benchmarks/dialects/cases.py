"""The small model files of the page, and how much of each the page shows."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from calmip.mip.files.findings import WORDS

FOLDER = Path(__file__).parent

MPS = {
    "FIRST": "",
    "NAME": "NAME          model\n",
    "HEAD": "",
    "ROWS": "N  cost\nL  r\n",
    "COLUMNS": (
        "x         cost      1\n"
        "x         r         1\n"
        "y         cost      2\n"
        "y         r         1\n"
    ),
    "RHS": "rhs       r         4\n",
    "END": "ENDATA\n",
}
"""The model whose sections a case of MPS replaces."""

LP = "Minimize\n obj: x + 2 y\nSubject To\n r: x + y >= 4\nEnd\n"
"""The model that most cases of LP change."""

SECTIONS = ("ROWS", "COLUMNS", "RHS", "RANGES", "BOUNDS")
LONG = {"LONG": " + ".join(f"{letter * 100}" for letter in "abcdef"), "NAME": "x" * 300}
"""Words of the cases of LP that stand for long texts."""


@dataclass(frozen=True)
class Case:
    """A small file: its format and key, its topic, what it tries, and what to write instead."""

    kind: str
    key: str
    topic: str
    title: str
    note: str
    text: str
    shown: tuple[str, ...]

    @property
    def anchor(self) -> str:
        """The identifier of its row on the page."""
        return f"{self.kind}-{self.key}"


def read_cases() -> list[Case]:
    """Return all cases, in the order of the page."""
    found = []
    for kind in ("mps", "lp"):
        entries = yaml.safe_load((FOLDER / f"{kind}.yaml").read_text(encoding="utf-8"))
        for key, entry in entries.items():
            text, shown = (mps if kind == "mps" else lp)(entry)
            note = WORDS.get(f"{kind}-{key}", entry.get("note", ""))
            about = entry["topic"], entry["title"], note
            found.append(Case(kind, key, *about, text, tuple(entry.get("shows", shown))))
    return found


def mps(entry: dict[str, Any]) -> tuple[str, list[str]]:
    """Return an MPS file, and the lines that differ from the usual ones."""
    parts = {**MPS, **entry}
    order = entry.get("order") or [name for name in SECTIONS if name in parts]
    lines = (parts["FIRST"] + parts["NAME"] + parts["HEAD"]).splitlines()
    shown = (entry.get("FIRST", "") + entry.get("NAME", "") + entry.get("HEAD", "")).splitlines()
    for name in order:
        indent = " " if name in ("ROWS", "BOUNDS") else "    "
        usual = MPS.get(name, "").splitlines()
        lines += [name, *(indent + line for line in parts[name].splitlines())]
        changed = [line for line in entry.get(name, "").splitlines() if line not in usual]
        if name == "COLUMNS" and parts[name].startswith("MARKER"):
            shown.append("x between INTORG and INTEND")
            continue
        if changed or (name in entry and name not in MPS) or "order" in entry:
            shown += [name, *changed]
    lines += parts["END"].splitlines()
    shown += [line for line in entry.get("END", "").splitlines() if line != "ENDATA" or shown]
    text = "\n".join(lines) + "\n"
    if entry.get("lower"):
        text = re.sub(r"(?m)^[A-Z]+", lambda found: found[0].lower(), text)
    if entry.get("tabs"):
        text = re.sub(" +", "\t", text)
    return text, shown


def lp(entry: dict[str, Any]) -> tuple[str, list[str]]:
    """Return an LP file, and the lines that differ from the usual ones."""
    text: str = entry["text"]
    usual = LP.splitlines()
    shown = [line.strip() for line in text.splitlines() if line not in usual]
    for word, meaning in LONG.items():
        text = re.sub(rf"\b{word}\b", meaning, text)
    return text, shown
