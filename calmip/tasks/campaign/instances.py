"""What a campaign's file names: instances of puzzles, and model files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from calmip.documents.reader import parse_reveal, puzzle_of, read_instance
from calmip.documents.yaml import (
    Table,
    Text,
    check_keys,
    choice_of,
    flag_of,
    located,
    name_of,
    text_of,
    texts_of,
)
from calmip.errors import InputError, shown
from calmip.formats.solu import Known
from calmip.problem.dates import parse_date
from calmip.problem.instance import Instance

__all__ = ["ModelFile", "answer_of", "files_of", "instances_of"]

FILE_KEYS = ("files", "goal", "why", "answer", "reason")
INSTANCE_KEYS = (
    "puzzle", "dates", "reveal", "free", "flip", "name", "goal", "why", "answer", "reason",
)  # fmt: skip

ANSWERS = {"feasible": "feas", "infeasible": "inf"}
"""What an entry can say of its instances, and the word of a ``.solu`` file for it."""


@dataclass(frozen=True)
class ModelFile:
    """A model file of somebody, and the ``.solu`` files that lie beside it."""

    path: Path
    name: str


def files_of(entry: Table, path: Path) -> list[ModelFile]:
    """Return the model files of an entry ``files``, seen from the campaign's folder, sorted.

    Raises
    ------
    InputError
        If it is no pattern, or none fits.
    """
    check_keys(entry, FILE_KEYS)
    pattern = text_of(entry, "files", default="")
    base = Path(pattern)
    root = Path(base.anchor) if base.is_absolute() else path.parent
    inner = base.relative_to(base.anchor) if base.is_absolute() else base
    try:
        found = sorted(file for file in root.glob(str(inner)) if file.is_file())
    except (ValueError, NotImplementedError, OSError) as error:
        raise InputError(f"'{shown(pattern)}' is no pattern of files: {error}") from None
    models = [f for f in found if f.name.lower().removesuffix(".gz").endswith((".mps", ".lp"))]
    if not models:
        raise InputError(
            f"no file .mps or .lp (or .gz) fits '{shown(pattern)}', seen from {shown(root, 200)}",
            where=("files",),
        )
    return [
        ModelFile(file, re.sub(r"(\.gz|\.mps|\.lp)+$", "", file.name, flags=re.I))
        for file in models
    ]


def instances_of(entry: Table, path: Path, name: str) -> Iterator[Instance]:
    """Yield the instances of an entry ``puzzle``: its dates, what it reveals, or the whole year.

    Raises
    ------
    InputError
        If something in the entry is wrong, or the puzzle cannot be read.
    """
    check_keys(entry, INSTANCE_KEYS)
    flip = flag_of(entry, "flip", default=True) if "flip" in entry else None
    node = entry.get("puzzle")
    if isinstance(node, Table):
        title = name_of(entry, "name", default="puzzle")
        puzzle = puzzle_of(node, title, name)
        puzzle = puzzle if flip is None else puzzle.with_flip(flip)
        whole = Instance(puzzle, (), tuple(puzzle.groups), title)
    elif isinstance(node, Text) and node:
        beside = path.parent / node
        source: str | Path = beside if beside.is_file() else str(node)
        settled = not ("dates" in entry or flag_of(entry, "free", default=False))
        reveal = parse_reveal(text_of(entry, "reveal", default="")) if "reveal" in entry else None
        whole = read_instance(source, reveal=reveal, flip=flip, free=not settled)
        puzzle, title = whole.puzzle, name_of(entry, "name", default=whole.name)
    else:
        raise InputError("puzzle is a name, a path or the puzzle itself", where=("puzzle",))
    if "dates" not in entry:
        yield replace(whole, name=_stem(title))  # a file's name has no blanks
        return
    if entry["dates"] == "all":
        for stem, labels in puzzle.named_dates().items():
            yield Instance.reveal(puzzle, labels, name=stem)
        return
    dates = texts_of(entry, "dates")
    if not dates:
        raise InputError("dates is a list of one or more, or all", where=("dates",))
    for number, text in enumerate(dates):
        with located(name, entry, "dates", number):
            day = parse_date(text)
            stem = _stem(puzzle.id or title) + ("" if puzzle.flip else "-no-flip")
            yield Instance.of_date(puzzle, day, name=f"{stem}-{day.isoformat()}")


def answer_of(entry: Table) -> Known | None:
    """Return what an entry says of all its instances: that they have a solution, or none.

    Raises
    ------
    InputError
        If it is another word, or there is no reason for it.
    """
    if "answer" not in entry:
        if "reason" in entry:
            raise InputError("reason is for an answer; name the answer too", where=("reason",))
        return None
    word = ANSWERS[choice_of(entry, "answer", tuple(ANSWERS))]
    if not text_of(entry, "reason", default="").strip():
        raise InputError(
            "an answer needs its reason: why it holds without a solver", where=("answer",)
        )
    return word, None


def _stem(text: str) -> str:
    return re.sub(r"[^A-Za-z0-9_.]+", "-", text).strip("-")[:60] or "puzzle"
