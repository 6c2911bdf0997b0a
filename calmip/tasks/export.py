"""Write the model of an instance for other solvers, or a library of all dates of a puzzle."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

from calmip._files import suffix_of, write_text
from calmip._limits import Limits, Progress
from calmip.errors import InputError
from calmip.formats.model_files import WRITERS
from calmip.models import posed
from calmip.problem.cover import ExactCover
from calmip.problem.instance import Instance
from calmip.problem.puzzle import Puzzle
from calmip.problem.status import Status
from calmip.tasks._library import Given, LibraryEntry, Model, known_count, model_text, write_library
from calmip.tasks._result import Result

__all__ = ["Export", "Library", "export", "export_dates", "export_suite"]


@dataclass(frozen=True, repr=False)
class Export(Result):
    """A model file that was written.

    Parameters
    ----------
    path
        The file.
    columns, rows, nonzeros
        The size of the model in it.
    tilings
        The number of its tilings, if that was to be said and is quickly counted.
    """

    path: Path
    columns: int
    rows: int
    nonzeros: int
    tilings: int | None = None

    @property
    def status(self) -> Status:
        """Always done."""
        return Status.DONE

    def describe(self) -> dict[str, Any]:
        """Return the file, its size and its tilings as plain data."""
        return {**asdict(self), "path": str(self.path)}

    def _summary(self) -> str:
        return f"{self.path}, {self.columns} columns, {self.rows} rows"


@dataclass(frozen=True, repr=False)
class Library(Result):
    """A folder with model files, their index and their answers.

    Parameters
    ----------
    folder
        The folder.
    suffix
        The files' suffix.
    entries
        The lines of the index, one per file.
    """

    folder: Path
    suffix: str
    entries: tuple[LibraryEntry, ...]

    @property
    def status(self) -> Status:
        """Always done."""
        return Status.DONE

    def describe(self) -> dict[str, Any]:
        """Return the folder and the lines of its index as plain data."""
        return {
            "folder": str(self.folder),
            "suffix": self.suffix,
            "entries": [asdict(entry) for entry in self.entries],
        }

    def _summary(self) -> str:
        return f"{self.folder}, {len(self.entries)} files ({self.suffix})"


def export(
    instance: Instance,
    path: Path | str,
    *,
    formulation: str = "matrix",
    reduce: bool = False,
    count: bool = True,
) -> Export:
    """Write the model of an instance as a file, by the file's suffix.

    The same instance makes the same bytes. The head of the file says what it is
    and how to read its names.

    Parameters
    ----------
    instance
        The instance.
    path
        The file to make or replace, such as ``feb29.mps``. Its suffix is one of
        `calmip.formats.covers.FORMATS`, each also with ``.gz``.
    formulation
        Who writes ``.mps`` and ``.lp``; ``matrix`` is the portable writer of
        calmip itself.
    reduce
        Whether the model has only the columns that a tiling might use; see
        `calmip.problem.reduction`. Otherwise it is the textbook's.
    count
        Whether the head says the number of tilings, where it is quickly counted.

    Raises
    ------
    InputError
        If the suffix or the formulation is unknown, or the file cannot be written.
    SolverMissing
        If the formulation's package is not installed.
    """
    path = Path(path)
    cover = ExactCover(instance)
    kind, _ = suffix_of(path, WRITERS)
    tilings = known_count(cover) if count else None
    if reduce:
        if posed(formulation, cover).packs:
            raise InputError("a packing may use any column; leave out --reduce")
        cover = cover.reduced()
    text = model_text(cover, kind, formulation, tilings=tilings)
    write_text(path, text.parts)
    return Export(path, text.columns, text.rows, text.nonzeros, tilings)


def export_dates(
    puzzle: Puzzle,
    folder: Path | str,
    *,
    suffix: str = ".mps",
    formulation: str = "matrix",
    force: bool = False,
    progress: Callable[[Progress], None] | None = None,
) -> Library:
    """Write the model of every real date of a puzzle as a library.

    A library is a folder with the models, whose names are those of their files,
    ``index.csv``, ``index.solu``, ``README.md``, ``LICENSE``, ``CITATION.cff`` and
    ``SHA256SUMS``. The same call makes the same bytes, so an interrupted one is simply
    repeated: files that are there already are compared and kept, and so are the seconds
    that were measured. The index comes last.

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
    progress
        As for `calmip.solvers.Limits`. It counts the files.

    Raises
    ------
    InputError
        If the puzzle has no dates, the suffix is unknown, a file cannot be
        written, or one is there with another content.
    """
    from calmip.search.exact_cover.counting import count_by_reveal

    dates = puzzle.named_dates()
    # One search counts the whole year.
    counts = count_by_reveal(ExactCover(Instance(puzzle, (), tuple(puzzle.groups))))
    models = (
        (Instance.reveal(puzzle, labels, name=name), counts[tuple(labels.values())])
        for name, labels in dates.items()
    )
    entries = write_library(
        puzzle.name, models, Path(folder), suffix=suffix, formulation=formulation, force=force,
        step=partial(Limits(progress=progress).report, total=len(dates)),
    )  # fmt: skip
    return Library(Path(folder), suffix, tuple(entries))


def export_suite(
    suite: str,
    folder: Path | str,
    *,
    suffix: str = ".mps",
    formulation: str = "matrix",
    force: bool = False,
    progress: Callable[[Progress], None] | None = None,
) -> Library:
    """Write the models of a suite as a library; see `export_dates`.

    Parameters
    ----------
    suite
        The name of a bundled suite, or a campaign's file.
    folder, suffix, formulation, force, progress
        As for `export_dates`.

    Raises
    ------
    InputError
        As `export_dates` does, or if there is no such suite, or a model that came as a
        file is to be written as anything but MPS and LP.
    """
    from calmip.tasks.campaign.document import read_campaign
    from calmip.tasks.campaign.problems import problem_of_file

    models: list[Model] = []
    for one, goal, told in read_campaign(suite).instances:
        if isinstance(one, Instance):
            infeasible = told == ("inf", None)
            models.append((one, 0 if infeasible else known_count(ExactCover(one))))
        else:
            file = problem_of_file(one, goal, told)
            if file.unrun is not None:
                raise InputError(file.unrun[1], path=file.name)
            models.append(Given(one.name, file.model, file.known))
    entries = write_library(
        f"The suite {suite}", models, Path(folder), suffix=suffix, formulation=formulation,
        force=force, step=partial(Limits(progress=progress).report, total=len(models)),
    )  # fmt: skip
    return Library(Path(folder), suffix, tuple(entries))
