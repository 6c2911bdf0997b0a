"""The check of a folder of answers, in words."""

from __future__ import annotations

from collections import Counter

from calmip.errors import shown
from calmip.problem.status import Status
from calmip.tasks._check_folder import FolderVerdict

__all__ = ["text"]


def text(verdict: FolderVerdict) -> str:
    """Return a line for each answer that is not accepted, and the numbers of all."""
    lines = [
        f"{shown(file.name, 300)}: {file.status}: {shown(file.reason, 1000)}"
        for file in verdict.files
        if file.status is not Status.ACCEPTED
    ]
    found = Counter(file.status for file in verdict.files)
    words = [f"{found[status]} {status}" for status in found]
    return "\n".join([*lines, f"{len(verdict.files)} models: {', '.join(words)}"]) + "\n"
