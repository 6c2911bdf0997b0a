"""The proofs of every real date of a puzzle, each made and checked."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

from calmip._process import check_processes
from calmip.errors import InputError, ProofRefused, SolverFailed
from calmip.problem.cover import ExactCover
from calmip.problem.instance import Instance
from calmip.problem.puzzle import Puzzle
from calmip.proofs.check_proofs import check_proofs
from calmip.proofs.check_tree import Refused, check
from calmip.proofs.folder import (
    PARTS,
    Proved,
    proof_text,
    write_proofs,
)

__all__ = ["proofs_of_dates"]

Task = tuple[Instance, Path | None, tuple[str, ...]]


def proofs_of_dates(
    puzzle: Puzzle,
    dates: dict[str, dict[str, str]],
    folder: Path | None = None,
    parts: tuple[str, ...] = ("tree",),
    *,
    workers: int = 1,
    step: Callable[[], None] = lambda: None,
) -> dict[str, Proved]:
    """Prove the number of tilings of every date, check the proofs, and compare with the counts.

    Parameters
    ----------
    puzzle
        The puzzle.
    dates
        The labels of each date, by the date's name.
    folder
        Where each date gets a folder of its own. A folder whose proof holds
        is not written again. Without it the proofs are checked in memory.
    parts
        The parts of the proofs to write.
    workers
        How many processes share the dates.
    step
        Called after each date.

    Raises
    ------
    InputError
        If a file cannot be written.
    ProofRefused
        If a proof does not hold.
    SolverFailed
        If a proof says another number than the compiled search counts.
    """
    from calmip.search.exact_cover.counting import count_by_reveal

    if workers < 1:
        raise InputError(f"{workers} workers; at least one is needed")
    tasks = {
        name: (
            Instance.reveal(puzzle, labels, name=name),
            None if folder is None else folder / name,
            parts,
        )
        for name, labels in dates.items()
    }
    proved = {}
    for name, result in _done(tasks, workers):
        proved[name] = result
        step()
    counts = count_by_reveal(ExactCover(Instance(puzzle, (), tuple(puzzle.groups))))
    for name, labels in dates.items():
        counted = counts[tuple(labels[group] for group in puzzle.groups)]
        if proved[name].tilings != counted:
            raise SolverFailed(
                f"{name}: the proof says {proved[name].tilings} tilings, "
                f"and the compiled search counts {counted}"
            )
    return {name: proved[name] for name in dates}


def _done(tasks: dict[str, Task], workers: int) -> Iterator[tuple[str, Proved]]:
    if workers == 1:
        for name, task in tasks.items():
            yield name, _prove(task)
        return
    check_processes("more than one worker")
    # Loads multiprocessing, which a browser has not.
    from concurrent.futures import ProcessPoolExecutor, as_completed

    with ProcessPoolExecutor(workers) as pool:
        names = {pool.submit(_prove, task): name for name, task in tasks.items()}
        try:
            for future in as_completed(names):
                yield names[future], future.result()
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def _prove(task: Task) -> Proved:
    """Make and check the proof of one date."""
    instance, folder, parts = task
    cover = ExactCover(instance)
    if folder is None:
        text, proved = proof_text(cover)
        try:
            found = check(json.loads(text))
        except Refused as refusal:
            raise ProofRefused(f"{instance.name}: {refusal}") from None
        if found != proved.tilings:
            raise ProofRefused(f"{instance.name}: {found} tilings are proved")
        return proved
    if not all((folder / name).exists() for part in parts for name in PARTS[part]):
        write_proofs(cover, folder, parts)
    return check_proofs(folder, instance)
