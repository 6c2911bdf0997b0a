"""A folder of proofs, checked: the tree from the puzzle up, the models against the puzzle.

The other proofs of the folder are written again from its tree and compared with the
files. A tree that holds says in which order everything was tried. So what the logs of
the search wrote follows from it, line by line, and a file that was cut, or lost
a solution or a step, shows. That each step holds is for VeriPB and drat-trim to
say: nothing here propagates.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import zip_longest
from pathlib import Path
from typing import Any

from calmip.errors import InputError, ProofRefused, listed, shown
from calmip.formats.covers import cnf_lines, opb_lines
from calmip.problem.board import Board, Piece
from calmip.problem.cover import ExactCover
from calmip.problem.instance import Instance
from calmip.problem.lattice import LATTICES
from calmip.problem.puzzle import Puzzle
from calmip.proofs.check_tree import Refused, check
from calmip.proofs.folder import Proved
from calmip.proofs.logs import DIALECTS, DratLog, Log, VeriPBLog, clause, described

__all__ = ["check_proofs", "compared", "first_line", "replay"]


MAX_BYTES = 1 << 30
"""A larger proof.json is not read."""


def check_proofs(folder: Path, instance: Instance | None = None) -> Proved:
    """Check the proofs in a folder.

    ``proof.json`` must be there and is checked from the puzzle up. The models
    of the other proofs, where they are there, must be those of the puzzle,
    and in ``model.cnf`` just the proved tilings are excluded. ``proof.pbp``
    must have the head, the solutions, the steps and the end that the tree
    gives; whether each step holds, is not checked. ``proof.drat`` is checked by
    the package dratify if it is installed, and else as ``proof.pbp`` is.

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
    path = folder / "proof.json"
    proof = _read(path)
    stated = proof.get("puzzle") if isinstance(proof, dict) else None
    if instance is not None and stated != json.loads(json.dumps(described(instance))):
        raise ProofRefused(f"{path}: is about another puzzle, or other labels are uncovered")
    try:
        found = check(proof)
    except Refused as refusal:
        raise ProofRefused(f"{path}: {refusal}") from None
    checks = [("proof.json", "every node checked from the puzzle up")]
    unchecked = []
    cover = ExactCover(instance or _instance(path, stated))
    position = _positions(cover, proof["options"])
    tilings = [options for item, options in proof["tree"] if item == "tiling"]
    if (folder / "proof.pbp").exists() or (folder / "model.opb").exists():
        dialect = _dialect(folder / "proof.pbp")
        _same(folder / "model.opb", opb_lines(cover, preserved=dialect != DIALECTS[0]), "*")
        checks.append(("model.opb", "is the puzzle's"))
        with compared(folder / "proof.pbp") as write:
            replay(proof, cover.instance.puzzle, position, VeriPBLog(cover, write, dialect))
        checks.append(("proof.pbp", f"{_logged(tilings)}, and the steps of the tree"))
        unchecked.append("each step of proof.pbp (run veripb)")
    if (folder / "proof.drat").exists() or (folder / "model.cnf").exists():
        lines = (clause(sorted(position[option] for option in some)) for some in tilings)
        _same(folder / "model.cnf", cnf_lines(cover, blocked=(len(tilings), lines)), "c")
        checks.append(("model.cnf", f"is the puzzle's with {len(tilings)} tilings excluded"))
        accepted = _check_drat(folder)
        if not accepted:
            with compared(folder / "proof.drat") as write:
                replay(proof, cover.instance.puzzle, position, DratLog(write))
            unchecked.append(
                "each step of proof.drat (pip install calmip[proof], or run drat-trim)"
            )
        how = "accepted by dratify" if accepted else "has the steps of the tree"
        checks.append(("proof.drat", how))
    return Proved(found, len(proof["tree"]) - 1, tuple(checks), tuple(unchecked))


def _logged(tilings: list[Any]) -> str:
    return f"logs the {len(tilings)} tilings" if tilings else "logs no tiling"


def _dialect(path: Path) -> str:
    """Return the version of the format that a proof's first line states."""
    head = first_line(path)
    for dialect in DIALECTS:
        if head == f"pseudo-Boolean proof version {dialect}":
            return dialect
    raise ProofRefused(
        f"{path}: begins with {shown(head)!r}, not with 'pseudo-Boolean proof version' and one of "
        f"{listed(DIALECTS)}"
    )


def _read(path: Path) -> Any:
    try:
        if path.stat().st_size > MAX_BYTES:
            raise InputError(f"has over {MAX_BYTES:,} bytes and is not read", path=path)
        return json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", path=path) from None
    except (ValueError, RecursionError):
        raise ProofRefused(f"{path}: is not JSON, or was cut") from None


def _instance(path: Path, stated: Any) -> Instance:
    """Return the instance that a proof states; it was checked to be well formed."""
    try:
        lattice = LATTICES[stated["lattice"]]
        pieces = tuple(
            Piece(name, tuple((r, c) for r, c in cells), lattice)
            for name, cells in stated["pieces"].items()
        )
        board = Board(tuple(map(tuple, stated["board"])), lattice)
        groups = {group: tuple(labels) for group, labels in stated["free"].items()}
        puzzle = Puzzle(stated["name"], board, pieces, groups, flip=stated["flip"])
        return Instance(puzzle, tuple(stated["uncovered"]), tuple(groups))
    except (InputError, KeyError, TypeError, ValueError) as error:
        raise ProofRefused(f"{path}: the puzzle in it is not valid ({error})") from None


def _positions(cover: ExactCover, options: list[Any]) -> list[int]:
    """Return for each option of the file the number that the models give it."""
    numbers = {}
    for number in range(cover.columns):
        option = cover.option(number)
        cells = frozenset(option.cells)
        numbers[cells, getattr(option, "label", ""), getattr(option, "piece", "")] = number
    return [
        numbers[
            frozenset(map(tuple, option["cells"])),
            option.get("label", ""),
            "" if "label" in option else option["covers"].removeprefix("piece "),
        ]
        for option in options
    ]


def _same(path: Path, expected: Iterable[str], mark: str) -> None:
    """Compare a file with the lines that it should have; comments may differ."""
    try:
        with path.open(encoding="utf-8") as file:
            wanted = (line for part in expected for line in part.splitlines(keepends=True))
            pairs = zip_longest(_statements(file, mark), _statements(wanted, mark))
            if any(found != line for found, line in pairs):
                raise ProofRefused(f"{path}: is not the model of the puzzle")
    except OSError as error:
        raise ProofRefused(f"{path}: cannot be read: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise ProofRefused(f"{path}: is not a text") from None


def _statements(lines: Iterable[str], mark: str) -> Iterator[str]:
    return (line for line in lines if not line.startswith(mark))


def _check_drat(folder: Path) -> bool:
    """Return whether dratify accepts the proof; False if it is not installed."""
    try:
        import dratify
    except ImportError:
        return False
    path = folder / "proof.drat"
    try:
        formula = dratify.parse_dimacs((folder / "model.cnf").read_text(encoding="ascii"))
        result = dratify.check_proof(formula, path.read_text(encoding="ascii"), check_rat=False)
    except (OSError, ValueError) as error:
        raise ProofRefused(f"{path}: cannot be read: {error}") from None
    if not result.ok:  # which says as well that the empty clause was reached
        raise ProofRefused(f"{path}: dratify does not accept it")
    return True


def replay(proof: Mapping[str, Any], puzzle: Puzzle, position: Sequence[int], log: Log) -> None:
    """Tell a log what the search that wrote a tree has told.

    Parameters
    ----------
    proof
        The content of ``proof.json``, whose tree was checked.
    puzzle
        The puzzle that it states.
    position
        The number that the models give to each option of the file.
    log
        It hears of solutions and closed branches, not of nodes.
    """
    nodes = iter(proof["tree"])
    covers = [option["covers"] for option in proof["options"]]
    left = Counter({f"piece {pieces[0].name}": len(pieces) for pieces in puzzle.piece_classes})
    chosen: list[int] = []
    decisions: list[int] = []

    def below() -> None:
        item, options = next(nodes)
        if item == "tiling":
            log.tiling(chosen)
            return
        if len(options) < (left.get(item, 1) if isinstance(item, str) else 1):
            return
        for option in options:
            chosen.append(position[option])
            left[covers[option]] -= 1
            if len(options) > 1:
                decisions.append(position[option])
            below()
            if len(options) > 1:
                log.closed(tuple(decisions))
                decisions.pop()
            left[covers[option]] += 1
            chosen.pop()

    below()
    log.closed(())


@contextmanager
def compared(path: Path) -> Iterator[Callable[[str], None]]:
    """Yield a function that, instead of writing a text to a file, compares it with the file's.

    Raises
    ------
    ProofRefused
        If the file cannot be read, or holds something else, less or more.
    """
    try:
        with path.open(encoding="ascii", newline="") as file:

            def write(text: str) -> None:
                if file.read(len(text)) != text:
                    raise ProofRefused(
                        f"{path}: was cut, or is not what the tree in proof.json gives"
                    )

            yield write
            if file.read(1):
                raise ProofRefused(f"{path}: goes on after its end")
    except OSError as error:
        raise ProofRefused(f"{path}: cannot be read: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise ProofRefused(f"{path}: is not a text") from None


def first_line(path: Path) -> str:
    """Return the first line of a text file without its end, or what there is of a long one.

    Raises
    ------
    ProofRefused
        If the file cannot be read.
    """
    try:
        with path.open("rb") as file:
            return file.readline(200).decode("ascii", "replace").rstrip("\r\n")
    except OSError as error:
        raise ProofRefused(f"{path}: cannot be read: {error.strerror or error}") from None
