"""Prove how many tilings there are: these, and no others; also for every real date."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from calmip._limits import NO_LIMITS, Limits, Progress
from calmip.errors import InputError, ProofRefused, SolverFailed, listed
from calmip.problem.cover import ExactCover
from calmip.problem.instance import Instance
from calmip.problem.puzzle import Puzzle
from calmip.problem.status import Status
from calmip.processes import check_processes
from calmip.proofs.check_proofs import check_proofs
from calmip.proofs.check_tree import Refused, check
from calmip.proofs.folder import (
    PARTS,
    Proved,
    proof_text,
    write_proofs,
)
from calmip.proofs.logs import DIALECTS
from calmip.tasks._result import Result

__all__ = ["Proof", "proofs_of_dates", "prove", "prove_check", "prove_dates"]


@dataclass(frozen=True, repr=False)
class Proof(Result):
    """A proof of the number of tilings: written, or checked.

    Parameters
    ----------
    tilings
        How many tilings there are; no others exist.
    nodes
        The nodes of the search tree.
    folder
        Where the proof stands; None where it was checked in memory only.
    checks
        Of a check: for each file, in words, how it was checked.
    unchecked
        Of a check: what was not checked of files that are there, in words.
    dates
        Of a year, each proof of which is checked: the number of tilings of
        every real date, by the name of its folder.
    """

    KEYS = ("tilings", "nodes", "folder", "checks", "unchecked", "dates")

    tilings: int
    nodes: int
    folder: Path | None
    checks: tuple[tuple[str, str], ...] = ()
    unchecked: tuple[str, ...] = ()
    dates: Mapping[str, int] | None = None

    @property
    def status(self) -> Status:
        """Feasible if there is a tiling, infeasible if it is proved that there is none."""
        return Status.FEASIBLE if self.tilings else Status.INFEASIBLE

    def describe(self) -> dict[str, Any]:
        """Return the claim and its checks as plain data."""
        return super().describe() | {"checks": dict(self.checks)}

    def _summary(self) -> str:
        dates = "" if self.dates is None else f" of {len(self.dates)} dates"
        return (
            f"{self.tilings:,} tilings{dates}, {self.nodes:,} nodes, {self.folder or 'in memory'}"
        )


def prove(
    instance: Instance,
    folder: Path | str,
    *,
    parts: Collection[str] = tuple(PARTS),
    dialect: str = DIALECTS[0],
    progress: Callable[[Progress], None] | None = None,
) -> Proof:
    """Prove how many tilings an instance has: these, and no others.

    The folder gets the model and the proof in three languages. The search tree is
    proof.json. The files model.opb and proof.pbp are for VeriPB, and for drat-trim
    proof.drat and model.cnf, which excludes the tilings. An interrupted run can be
    repeated: dates that are proved already are only checked.

    Parameters
    ----------
    instance
        The instance.
    folder
        Write the files to this folder, which is made if it is missing.
    parts
        Write the proof in these languages: ``tree`` (``proof.json``), ``veripb``
        (``model.opb``, ``proof.pbp``), ``drat`` (``model.cnf``, ``proof.drat``).
    dialect
        The version of VeriPB's format: ``1.1`` or ``3.0``.
    progress
        As for `calmip.solvers.Limits`. It counts the nodes.

    Raises
    ------
    InputError
        If a part or the dialect is unknown, a file cannot be written, or the formula has too
        many clauses.
    """
    if dialect not in DIALECTS:
        raise InputError(f"unknown version '{dialect}' of VeriPB's format; use {listed(DIALECTS)}")
    proved = write_proofs(
        ExactCover(instance), Path(folder), _checked(parts), dialect=dialect,
        limits=Limits(progress=progress),
    )  # fmt: skip
    return Proof(proved.tilings, proved.nodes, Path(folder))


def prove_check(folder: Path | str, instance: Instance | None = None) -> Proof:
    """Check the proofs in a folder, by a checker that shares nothing with the search.

    Parameters
    ----------
    folder
        The folder.
    instance
        What the proof must be about; the puzzle that the proof states unless given.

    Raises
    ------
    InputError
        If ``proof.json`` is missing or cannot be read.
    ProofRefused
        If a proof does not hold or is about another puzzle.
    """
    proved = check_proofs(Path(folder), instance)
    return Proof(proved.tilings, proved.nodes, Path(folder), proved.checks, proved.unchecked)


def prove_dates(
    puzzle: Puzzle,
    folder: Path | str | None = None,
    *,
    parts: Collection[str] = ("tree",),
    workers: int = 1,
    progress: Callable[[Progress], None] | None = None,
) -> Proof:
    """Prove the number of tilings of every real date, check each proof, and compare the counts.

    Parameters
    ----------
    puzzle
        A puzzle whose labels depend on the date.
    folder
        Where each date gets a folder of its own. A folder whose proof holds is
        not written again. Without it the proofs are checked in memory.
    parts
        What to write, as in `prove`; the tree must be among them.
    workers, progress
        As for `calmip.solvers.Limits`. Workers are processes, and progress counts the dates.

    Raises
    ------
    InputError
        If the puzzle has no dates, a number or a part is wrong, or a file
        cannot be written.
    ProofRefused
        If a proof does not hold.
    SolverFailed
        If a proof says another number than the compiled search counts.
    """
    limits = Limits(workers=workers, progress=progress)
    path = None if folder is None else Path(folder)
    dates = puzzle.named_dates()
    if path is not None and "tree" not in parts:
        raise InputError("every date's tree is checked; add the part tree")
    proved = proofs_of_dates(puzzle, dates, path, tuple(_checked(parts)), limits)
    return Proof(
        sum(one.tilings for one in proved.values()),
        sum(one.nodes for one in proved.values()),
        path,
        dates={name: one.tilings for name, one in proved.items()},
    )


def _checked(parts: Collection[str]) -> Collection[str]:
    for part in parts:
        if part not in PARTS:
            raise InputError(f"unknown part '{part}' of a proof; use {listed(list(PARTS))}")
    return parts


Task = tuple[Instance, Path | None, tuple[str, ...]]


def proofs_of_dates(
    puzzle: Puzzle,
    dates: dict[str, dict[str, str]],
    folder: Path | None = None,
    parts: tuple[str, ...] = ("tree",),
    limits: Limits = NO_LIMITS,
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
    limits
        How many processes share the dates, and whom to tell how many are done.

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

    tasks = {
        name: (
            Instance.reveal(puzzle, labels, name=name),
            None if folder is None else folder / name,
            parts,
        )
        for name, labels in dates.items()
    }
    proved = {}
    limits.report(0, len(tasks))
    for name, result in _done(tasks, limits.workers):
        proved[name] = result
        limits.report(len(proved), len(tasks))
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
