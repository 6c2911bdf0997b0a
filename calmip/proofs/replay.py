"""The other proofs of a folder, told once more from its tree, and compared with the files.

A tree that holds says in which order everything was tried. So what the logs of
the search wrote follows from it, line by line, and a file that was cut, or lost
a solution or a step, shows. That each step holds is for VeriPB and drat-trim to
say: nothing here propagates.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from calmip.errors import ProofRefused
from calmip.problem.puzzle import Puzzle
from calmip.proofs.search import Log

__all__ = ["compared", "first_line", "replay"]


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
