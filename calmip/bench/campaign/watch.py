"""How far campaigns are, for those who wait for them."""

from __future__ import annotations

import datetime
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from calmip._base.errors import InputError
from calmip.mip.status import Status
from calmip.puzzle.tasks.results import Pictured

SUMS = ("planned", "done", "running", "solved", "wrong")
"""What is added up over the files."""

SILENT_SECONDS = 60.0
"""Seconds without a note of a campaign that is not done, after which it seems to have ended."""


@dataclass(frozen=True, repr=False)
class Watched(Pictured):
    """How far campaigns are.

    Parameters
    ----------
    paths
        Their files.
    solvers
        For each solver the runs that are ``planned``, ``done``, ``running``, ``solved`` and
        ``wrong``, and the seconds that are ``left``; None where none has ended yet.
    updated
        When the latest of the files was written, in UTC.
    silent
        The files of campaigns that are not done, and have not been written for a minute.
    refresh
        The seconds after which a page loads itself again.
    """

    KEYS = ("paths", "updated", "done", "left", "silent", "solvers")

    paths: tuple[Path, ...]
    solvers: tuple[dict[str, Any], ...]
    updated: str
    silent: tuple[Path, ...] = ()
    refresh: float | None = None

    @property
    def done(self) -> bool:
        """Whether all planned runs are done."""
        return all(row["done"] >= row["planned"] for row in self.solvers)

    @property
    def left(self) -> float | None:
        """The seconds that are left, None if that is not known."""
        known = [row["left"] for row in self.solvers]
        return None if None in known else round(sum(known), 1)

    @property
    def status(self) -> Status:
        """Failed if an answer was refuted, else done."""
        return Status.FAILED if any(row["wrong"] for row in self.solvers) else Status.DONE

    def _summary(self) -> str:
        done, planned = (sum(row[one] for row in self.solvers) for one in ("done", "planned"))
        return f"{done} of {planned} runs"


def watched(
    paths: Sequence[Path], files: Sequence[Sequence[Mapping[str, Any]]], refresh: float | None
) -> Watched:
    """Return how far the campaigns of some files are, from their tables ``work``."""
    if not any(files):  # a shard of few runs may have none
        raise InputError(
            "does not say how far its campaign is: an earlier version of calmip wrote it, or "
            "bench merge; see calmip bench report",
            path=paths[0],
        )
    sums: dict[str, dict[str, Any]] = defaultdict(lambda: dict.fromkeys(SUMS, 0) | {"left": 0.0})
    for rows in files:
        for row in rows:
            total = sums[row["solver"]]
            for one in SUMS:
                total[one] += row[one]
            left = _left(row)
            # Shards are done at the same time, so the slowest one counts.
            if left is None or total["left"] is None:
                total["left"] = None
            else:
                total["left"] = max(total["left"], left)
    now = datetime.datetime.now(datetime.UTC)
    silent = [
        path
        for path, rows in zip(paths, files, strict=True)
        if any(row["done"] < row["planned"] for row in rows)
        and (now - _time(rows[0]["updated"])).total_seconds() > SILENT_SECONDS
    ]
    updated = max(str(row["updated"]) for rows in files for row in rows)
    solvers = tuple({"solver": name, **sums[name]} for name in sorted(sums))
    return Watched(tuple(paths), solvers, updated, tuple(silent), refresh)


def _left(row: Mapping[str, Any]) -> float | None:
    """Return the seconds that the further runs of a solver take, by the mean of those done."""
    further, own = row["planned"] - row["done"], row["done"] - row["kept"]
    if further <= 0:
        return 0.0
    return round(row["seconds"] / own * further / max(1, row["workers"]), 1) if own else None


def _time(text: str) -> datetime.datetime:
    try:
        found = datetime.datetime.fromisoformat(text)
    except ValueError:
        return datetime.datetime.fromtimestamp(0, datetime.UTC)
    return found if found.tzinfo else found.replace(tzinfo=datetime.UTC)
