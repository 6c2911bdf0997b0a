"""A folder of proofs about one instance, written in one search; check_folder checks it."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Callable, Collection
from dataclasses import dataclass
from pathlib import Path

from calmip._files import growing_file, make_folder, write_text
from calmip._limits import NO_LIMITS, Limits
from calmip.formats.covers import cnf_lines, opb_lines
from calmip.formats.model_files import header
from calmip.problem.cover import ExactCover
from calmip.proofs.logs import DIALECTS, BlockedLog, DratLog, Log, TreeLog, VeriPBLog, explore

__all__ = ["PARTS", "Proved", "proof_text", "write_proofs"]

PARTS = {
    "tree": ("proof.json",),
    "veripb": ("model.opb", "proof.pbp"),
    "drat": ("model.cnf", "proof.drat"),
}
"""The files of each part of a folder, the proof last where there is a model."""


@dataclass(frozen=True)
class Proved:
    """What a proof says, or what a check of it found.

    Parameters
    ----------
    tilings
        How many tilings there are; no others exist.
    nodes
        The nodes of the search tree.
    checks
        Of a check: for each file, in words, how it was checked.
    unchecked
        What was not checked of files that are there, in words.
    """

    tilings: int
    nodes: int
    checks: tuple[tuple[str, str], ...] = ()
    unchecked: tuple[str, ...] = ()


def write_proofs(
    cover: ExactCover,
    folder: Path,
    parts: Collection[str] = tuple(PARTS),
    *,
    dialect: str = DIALECTS[0],
    limits: Limits = NO_LIMITS,
) -> Proved:
    """Search all tilings and write the proofs that there are no others.

    The files grow while the search runs, so the memory that it takes does not
    depend on their length. They get their names when all are whole.

    Parameters
    ----------
    cover
        The exact cover.
    folder
        Where the files go; made if it is missing.
    parts
        Which of ``tree``, ``veripb`` and ``drat``.
    dialect
        The version of VeriPB's format.
    limits
        Whom to tell the number of nodes so far.

    Raises
    ------
    InputError
        If a file cannot be written, or the formula has too many clauses.
    """
    make_folder(folder)
    comments = header(cover)
    with contextlib.ExitStack() as stack:

        def grow(name: str) -> Callable[[str], object]:
            write = stack.enter_context(growing_file(folder / name))
            return lambda text: write(text.encode())

        logs: list[Log] = []
        if "tree" in parts:
            logs.append(TreeLog(cover, grow("proof.json")))
        if "veripb" in parts:
            logs.append(VeriPBLog(cover, grow("proof.pbp"), dialect))
        if "drat" in parts:
            # The formula tells the number of its clauses first, so the clauses wait in a file.
            excluded = stack.enter_context(tempfile.TemporaryFile("w+", encoding="ascii"))
            logs += [DratLog(grow("proof.drat")), BlockedLog(excluded.write)]
        found, nodes = explore(cover, logs, limits)
        if "veripb" in parts:
            preserved = dialect != DIALECTS[0]
            write_text(folder / "model.opb", opb_lines(cover, comments, preserved=preserved))
        if "drat" in parts:
            excluded.seek(0)
            lines = cnf_lines(cover, comments, blocked=(found, excluded))
            write_text(folder / "model.cnf", lines)
    return Proved(found, nodes)


def proof_text(cover: ExactCover) -> tuple[str, Proved]:
    """Return ``proof.json`` as a text, and what it says."""
    parts: list[str] = []
    found, nodes = explore(cover, [TreeLog(cover, parts.append)])
    return "".join(parts), Proved(found, nodes)
