"""What is proved, in words."""

from __future__ import annotations

from calmip.errors import shown
from calmip.tasks.prove import Proof

__all__ = ["text"]


def text(proof: Proof) -> str:
    """Return what was checked, file by file, and the claim."""
    if proof.dates is not None:
        return f"{len(proof.dates)} dates, each proof checked: {_claim(proof)}\n"
    if not proof.checks:
        return f"{_claim(proof)}: {shown(proof.folder, 300)}\n"
    end = f"; not checked: {', '.join(proof.unchecked)}" if proof.unchecked else ""
    lines = [
        *(f"{shown(name, 300)}: {shown(how, 1000)}" for name, how in proof.checks),
        f"{_claim(proof)}{end}",
    ]
    return "\n".join(lines) + "\n"


def _claim(proof: Proof) -> str:
    what = "tiling" if proof.tilings == 1 else "tilings"
    head = f"{proof.tilings:,} {what}, and no others" if proof.tilings else "no tiling"
    return f"{head} ({proof.nodes:,} nodes)"
