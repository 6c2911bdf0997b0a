"""Campaigns as text: what was run."""

from __future__ import annotations

from collections import Counter

from calmip.tasks.bench import Bench
from calmip.tasks.campaign.judge import STATUSES

__all__ = ["text"]


def text(bench: Bench) -> str:
    """Return how many runs there are and how those that are new ended, and name the wrong ones."""
    found = Counter(str(run["status"]) for run in bench.runs)
    words = ", ".join(f"{found[status]} {status}" for status in STATUSES if found[status])
    lines = [
        f"{bench.path}: {len(bench.runs)} runs{f' ({words})' if words else ''}"
        f"{f', and {bench.kept} that were there' if bench.kept else ''}"
    ]
    lines += [
        f"wrong: {run['instance']}, {run['formulation']}, {run['solver']}: {run['detail']}"
        for run in bench.runs
        if run["status"] == "wrong"
    ]
    return "\n".join(lines) + "\n"
