"""A library of model files: every real date of a puzzle, an index, and the known answers."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from calmip._files import encoded, scratch_folder, suffix_of, write_atomically
from calmip.errors import InputError, listed
from calmip.formats.comments import header
from calmip.formats.export import WRITERS, cover_parts
from calmip.models import build, objective, packs
from calmip.problem.cover import ExactCover
from calmip.problem.dates import real_dates
from calmip.problem.instance import Instance
from calmip.problem.puzzle import Puzzle

__all__ = ["LibraryEntry", "known_count", "library_dates", "model_parts", "write_library"]

INDEX_COLUMNS = (
    "instance", "status", "variables", "binaries", "constraints", "nonzeros", "objective", "tags",
    "tilings",
)  # fmt: skip
"""The columns of MIPLIB's table of instances, and the number of tilings."""

COMMENT_MARKS = {".mps": "*", ".lp": "\\"}

EFFORT = 1000
"""Steps of a count after which it is not for free; every bundled puzzle needs under 600 a date."""


@dataclass(frozen=True)
class LibraryEntry:
    """A line of the index.

    Parameters
    ----------
    name
        The file's name without its suffix.
    columns, rows, nonzeros
        The size of the model.
    objective
        The objective's value at every solution, as the formulation says.
    tilings
        How many solutions it has.
    """

    name: str
    columns: int
    rows: int
    nonzeros: int
    objective: float
    tilings: int


def model_parts(
    cover: ExactCover, suffix: str, formulation: str = "matrix", *, tilings: int | None = None
) -> Iterator[str]:
    """Return the text of an exact cover's file in parts, as a formulation writes it.

    Parameters
    ----------
    cover
        The exact cover.
    suffix
        One of `calmip.formats.export.WRITERS`; the formulations other than
        ``matrix`` write ``.mps`` and ``.lp``.
    formulation
        The formulation's name.
    tilings
        The number of tilings for the head of the file, where it is known.

    Raises
    ------
    InputError
        If the suffix or the formulation is unknown.
    SolverMissing
        If the formulation's package is not installed.
    """
    comments = header(cover, tilings=tilings)
    if formulation == "matrix":
        return cover_parts(cover, suffix, comments)
    if suffix not in COMMENT_MARKS:
        raise InputError(
            f"formulation {formulation} writes {listed(list(COMMENT_MARKS))}, not {suffix}; "
            "formulation matrix writes every format"
        )
    with scratch_folder() as folder:
        path = folder / f"model{suffix}"
        build(formulation, cover).write(path)
        text = path.read_text(encoding="utf-8")
    return iter([*(f"{COMMENT_MARKS[suffix]} {line}\n" for line in comments), text])


def known_count(cover: ExactCover) -> int | None:
    """Return the number of tilings if a second or so is enough to count them, or None.

    The effort is measured in steps of the search, not by a clock, so that the
    same instance always has the same answer.
    """
    from calmip.search.exact_cover import count

    steps = iter(range(EFFORT))

    def step(_: int) -> None:
        if next(steps, None) is None:
            raise TimeoutError

    try:
        return count(cover, progress=step)
    except TimeoutError:
        return None


def library_dates(puzzle: Puzzle) -> dict[str, dict[str, str]]:
    """Return the labels of every real date of a puzzle, under the names of their files.

    The names are made of lower-case letters, digits and hyphens, whatever
    the puzzle is called.

    Raises
    ------
    InputError
        If the puzzle has no groups to reveal, or one that no date settles.
    """
    if not puzzle.groups:
        raise InputError(f"{puzzle.name} reveals nothing, so it has no dates; export it alone")
    title = puzzle.id or puzzle.name
    stem = re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")[:60] or "puzzle"
    stem += "" if puzzle.flip else "-no-flip"
    return {f"{stem}-{name}": labels for name, labels in real_dates(puzzle.groups).items()}


def write_library(
    puzzle: Puzzle,
    folder: Path,
    *,
    suffix: str = ".mps",
    formulation: str = "matrix",
    force: bool = False,
    step: Callable[[], None] = lambda: None,
) -> list[LibraryEntry]:
    """Write the model of every real date of a puzzle, ``index.csv`` and ``index.solu``.

    The same call makes the same bytes, so an interrupted one is simply
    repeated: files that are there already are compared and kept. The index
    comes last.

    Parameters
    ----------
    puzzle
        The puzzle.
    folder
        Where the files go; made if it is missing.
    suffix
        The format of the files, with ``.gz`` to compress them.
    formulation
        Who writes ``.mps`` and ``.lp``.
    force
        Whether to replace files of these names with another content.
    step
        Called after each file.

    Raises
    ------
    InputError
        If the puzzle has no dates, the suffix is unknown, a file cannot be
        written, or one is there with another content.
    """
    from calmip.search.exact_cover import count_by_reveal

    kind, packed = suffix_of(Path(f"model{suffix}"), WRITERS)
    if suffix != kind + (".gz" if packed else ""):
        raise InputError(f"'{suffix}' is not a suffix; write it as {kind} or {kind}.gz")
    if packs(formulation):
        raise InputError(
            f"--all-dates writes answers beside the models, and the optimum of {formulation} "
            "is not known for dates without a tiling; use another formulation"
        )
    dates = library_dates(puzzle)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot be made: {error.strerror or error}", path=folder) from None
    # One search counts the whole year.
    counts = count_by_reveal(ExactCover(Instance(puzzle, (), tuple(puzzle.groups))))
    entries = []
    for name, labels in dates.items():
        cover = ExactCover(Instance.reveal(puzzle, labels, name=name))
        tilings = counts[tuple(labels.values())]
        parts = model_parts(cover, kind, formulation, tilings=tilings)
        _put(folder / f"{name}{suffix}", b"".join(encoded(parts, packed=packed)), force=force)
        cost = objective(formulation, cover)
        entries.append(LibraryEntry(name, cover.columns, cover.rows, cover.nonzeros, cost, tilings))
        step()
    _put(folder / "index.csv", _index(entries).encode(), force=force)
    _put(folder / "index.solu", _answers(entries).encode(), force=force)
    return entries


def _put(path: Path, data: bytes, *, force: bool) -> None:
    """Write a file, unless it is there already."""
    if path.is_file() and not force:
        try:
            same = path.stat().st_size == len(data) and path.read_bytes() == data
        except OSError as error:
            raise InputError(f"cannot be read: {error.strerror or error}", path=path) from None
        if same:
            return
        raise InputError(
            "is there already, with another content; --force replaces it, or choose another folder",
            path=path,
        )
    write_atomically(path, data)


def _index(entries: list[LibraryEntry]) -> str:
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(INDEX_COLUMNS)
    for entry in entries:
        tags = ["binary", "feasibility", "set_partitioning"]
        writer.writerow(
            [
                entry.name,
                "easy",
                entry.columns,
                entry.columns,
                entry.rows,
                entry.nonzeros,
                f"{entry.objective:.15g}" if entry.tilings else "Infeasible",
                " ".join(tags if entry.tilings else [*tags, "infeasible"]),
                entry.tilings,
            ]
        )
    return stream.getvalue()


def _answers(entries: list[LibraryEntry]) -> str:
    """Return the lines of a ``.solu`` file, as SCIP's and MIPLIB's checkers read it."""
    return "".join(
        f"=opt= {entry.name} {entry.objective:.15g}\n" if entry.tilings else f"=inf= {entry.name}\n"
        for entry in entries
    )
