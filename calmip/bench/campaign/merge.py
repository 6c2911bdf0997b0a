"""Several files of results as one: shards of a campaign, or campaigns of several machines."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from calmip._base.errors import InputError, clip
from calmip.bench.campaign.statistics import Run, claim_of, contradict
from calmip.bench.campaign.store import Store, Stored, in_order, read_runs
from calmip.mip.status import Status
from calmip.puzzle.tasks.results import Result

MAX_NAMED_CONFLICTS = 5
"""The number of conflicts that a message names."""


@dataclass(frozen=True, repr=False)
class Merged(Result):
    """Result of `merge`: one file of results.

    Parameters
    ----------
    path
        The file.
    sources
        The files whose runs it has now.
    runs
        The number of its runs.
    machines
        The machines of its runs.
    conflicts
        The runs that are in two files with different answers; the first run is kept, and the
        conflict as a doubt.
    """

    path: Path
    sources: tuple[Path, ...]
    runs: int
    machines: tuple[str, ...]
    conflicts: tuple[str, ...] = ()

    @property
    def status(self) -> Status:
        """Failed if two answers contradict each other, else done."""
        return Status.FAILED if self.conflicts else Status.DONE

    def _summary(self) -> str:
        return f"{self.path}, {self.runs} runs of {len(self.sources)} files"


def join(paths: Sequence[Path], files: Sequence[Stored]) -> tuple[Stored, list[str]]:
    """Return the contents of several files as one, and their conflicts.

    Of runs with the same key the earliest one counts that got a processor, whatever the order of
    the files. A conflict is a key with two answers that contradict each other.
    """
    if len(files) == 1:
        return files[0], []
    found: dict[str, list[tuple[dict[str, Any], int]]] = {}
    for place, stored in enumerate(files):
        for run in stored.runs:
            found.setdefault(run["key"], []).append((run, place))
    conflicts: list[str] = []
    for several in found.values():
        if len(several) > 1:
            several.sort(key=lambda one: _rank(one[0]))
            conflicts += _conflicts([(run, paths[place]) for run, place in several])
    chosen = {key: several[0] for key, several in found.items()}
    runs = [run for run, _ in chosen.values()]
    in_order(runs)
    jobs = {tuple(job.values()): job for stored in files for job in stored.reference}
    tags: dict[str, tuple[str, ...]] = {}
    for stored in files:
        for name, own in stored.tags.items():
            tags[name] = tuple(sorted({*tags.get(name, ()), *own}))
    joined = Stored(
        runs,
        sorted(jobs.values(), key=lambda job: str(job["finished"])),
        sorted({text for stored in files for text in stored.doubts}),
        {key: files[n].logs[key] for key, (_, n) in chosen.items() if key in files[n].logs},
        tags,
    )
    return joined, conflicts


def _conflicts(runs: Sequence[tuple[Run, Path]]) -> Iterator[str]:
    """Yield the conflicts of runs with the same key, each from a file, in the order of their rank.

    All answers are compared, since the run that is kept may have none, and refutes none then.
    """
    answers: dict[str, tuple[Run, Path]] = {}
    for run, path in runs:
        if claim := claim_of(run):
            answers.setdefault(claim, (run, path))
    for (claim, (one, path)), (other, (run, where)) in itertools.combinations(answers.items(), 2):
        if contradict(one, run):
            yield (
                f"{run['instance']}, {run['solver']}, seed {run['seed']} (run {run['key'][:8]}): "
                f"{path} says {claim}, {where} says {other}"
            )


def _rank(run: dict[str, Any]) -> tuple[bool, str]:
    return run["status"] == "starved", str(run["finished"])


def merge_files(paths: Sequence[Path], output: Path, *, keep_conflicts: bool) -> Merged:
    """Write the runs of several files to one, beside those that it has."""
    every = list(dict.fromkeys([*paths, *([output] if output.is_file() else [])]))
    found, conflicts = join(every, [read_runs(path) for path in every])
    if conflicts and not keep_conflicts:
        named = "; ".join(conflicts[:MAX_NAMED_CONFLICTS])
        more = len(conflicts) - MAX_NAMED_CONFLICTS
        raise InputError(
            f"cannot be made: the same run has two answers: {clip(named, 2000)}"
            f"{f'; and {more} more' if more > 0 else ''}; leave a file out, or keep the earliest "
            "answers and note the conflicts with --keep-conflicts",
            path=clip(output, 200),
        )
    if not found.runs:
        raise InputError("holds no runs yet", path=paths[0])
    doubts = sorted({*found.doubts, *conflicts})
    with Store(output) as store:
        store.put(found._replace(doubts=doubts))
    machines = tuple(sorted({str(run["machine"]) for run in found.runs}))
    return Merged(output, tuple(paths), len(found.runs), machines, tuple(conflicts))
