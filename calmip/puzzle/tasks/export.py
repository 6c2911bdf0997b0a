"""Write the model of an instance, a model in another format, or a library of all dates."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from calmip._base.errors import InputError, clip
from calmip._base.files import suffix_of, write_text
from calmip._base.limits import Limits, Progress
from calmip._base.shards import read_shard
from calmip.mip.display import quote
from calmip.mip.files.model_files import READERS, holds_covers, write_model
from calmip.mip.files.registry import DIALECTS
from calmip.mip.status import Status
from calmip.models import pose
from calmip.puzzle.files.cover_files import WRITERS, plain
from calmip.puzzle.puzzle import Puzzle
from calmip.puzzle.tasks.instance_library import (
    LibraryEntry,
    LibraryWriter,
    model_text,
    quick_count,
    write_library,
)
from calmip.puzzle.tasks.interface import of_puzzle, public
from calmip.puzzle.tasks.problems import InstanceProblem, ModelProblem, per_kind, problem_of
from calmip.puzzle.tasks.results import Result

if TYPE_CHECKING:
    from calmip.puzzle.tasks.problems import PerKind, Source

__all__ = ["SUFFIXES", "Export", "Library", "export", "export_dates"]

SUFFIXES = (*WRITERS.own, *(f"{suffix}.gz" for suffix in WRITERS.own))
"""The formats of model files of calmip itself, by their suffixes."""


@dataclass(frozen=True, repr=False)
class Export(Result):
    """Result of `export`: a model file.

    Parameters
    ----------
    path
        The file.
    columns, rows, nonzeros
        The size of the model.
    tilings
        The number of tilings, if asked for and quickly counted.
    """

    path: Path
    columns: int
    rows: int
    nonzeros: int
    tilings: int | None = None

    status = Status.DONE

    def _summary(self) -> str:
        return f"{self.path}, {self.columns} columns, {self.rows} rows"


@dataclass(frozen=True, repr=False)
class Library(Result):
    """Result of `export_dates` and `calmip.export.suite`: model files in a folder, and an index.

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

    status = Status.DONE

    def _summary(self) -> str:
        return f"{self.folder}, {len(self.entries)} files ({self.suffix})"


@public
def export(
    source: Source,
    path: Path | str,
    *,
    formulation: str = "matrix",
    reduce: bool = False,
    count: bool = True,
    constructs: bool = False,
    dialect: str = "gurobi",
    suffix: str | None = None,
) -> Export:
    """Write the model of an instance as a file for other solvers, or a model in another format.

    The file's suffix is its format. The same instance gives the same bytes. Comments at the
    head of the file explain its names. A model is written without a change, but as a
    minimisation. A library is a folder of many models with index.csv, index.solu, README.md,
    LICENSE, CITATION.cff and SHA256SUMS. If its export was interrupted, run it again:
    existing files are compared and kept.

    Parameters
    ----------
    source
        The instance; or a model, from `calmip.read_model` for example.
    path
        Write the model to this file, such as feb29.mps, or a library to this folder. The
        suffix is one of `calmip.mip.files.registry.FORMATS`, each also with ``.gz``. A model is
        written in the formats of `calmip.read_model`.
    formulation
        Write ``.mps`` and ``.lp`` in this formulation; ``matrix`` is the portable writer of
        calmip itself.
    reduce
        Leave out columns that no tiling can use. See `calmip.puzzle.reduction`.
        Otherwise the model is the textbook's.
    count
        Write the number of tilings into the head of the file, if the count is quick.
    constructs
        Write indicators, special ordered sets and the like as such, not as rows, into LP and
        MPS files.
    dialect
        Write these as this program reads them, ``gurobi`` or ``cplex``: they differ in
        equivalences, piecewise-linear functions, maxima and the like.
    suffix
        Write this format, such as .lp.gz, if no file name gives it; .mps by default in a library.

    Raises
    ------
    InputError
        If the suffix or the formulation is unknown, the format cannot hold the model, or the
        file cannot be written.
    TypeError
        If the source is neither an instance nor a model.
    SolverMissing
        If the formulation's package is not installed.
    """
    path = Path(path)
    problem = problem_of(source)
    kind, _ = suffix_of(path, WRITERS)
    if suffix is not None and not path.name.lower().endswith(suffix):
        raise InputError(f"the file's name says another format; leave out {suffix}", path=path)
    if constructs and (kind not in (".lp", ".mps") or not isinstance(problem, ModelProblem)):
        raise InputError("only a model in an LP or MPS file has constructs; leave out --constructs")
    if dialect not in DIALECTS:
        known = " and ".join(DIALECTS)
        raise InputError(f"unknown dialect {quote(dialect)}; there are {known}")
    if dialect != DIALECTS[0] and not constructs:
        raise InputError("a dialect is for constructs; add --constructs, or leave out --dialect")
    return _export(
        problem,
        path,
        kind,
        formulation=formulation,
        reduce=reduce,
        count=count,
        constructs=constructs,
        dialect=dialect,
    )


_export: PerKind[Export] = per_kind()
"""Write a problem as a file of some kind."""


@_export.register(InstanceProblem)
def _export_cover(
    problem: InstanceProblem,
    path: Path,
    kind: str,
    *,
    formulation: str,
    reduce: bool,
    count: bool,
    **_: bool | str,
) -> Export:
    cover = problem.cover
    tilings = quick_count(cover) if count else None
    if reduce:
        if pose(formulation, cover).packs:
            raise InputError("a packing may use any column; leave out --reduce")
        cover = cover.reduced()
    text = model_text(cover, kind, formulation, tilings=tilings)
    write_text(path, text.parts)
    return Export(path, text.columns, text.rows, text.nonzeros, tilings)


@_export.register(ModelProblem)
def _export_model(
    problem: ModelProblem,
    path: Path,
    kind: str,
    *,
    formulation: str,
    reduce: bool,
    constructs: bool,
    dialect: str,
    **_: bool | str,
) -> Export:
    """Write a model that was read in this or another format, or made."""
    from calmip.mip.files.objects import portable_names

    if formulation != "matrix" or reduce:
        raise InputError("a model is written as it is; leave out the formulation and the reduction")
    if kind not in READERS:
        raise holds_covers(kind)
    model = problem.model
    comments = [f"the model {plain(clip(Path(model.source).name or model.name, 50))}"]
    if model.maximise:
        comments.append("which maximises; here its objective is negated and minimised")
    logic = model.logic if constructs else None
    if model.logic is not None and logic is None:
        comments.append(f"whose constructs are rows here: {model.logic.words}")
        comments.append(
            f"the last {len(model.columns) - len(model.own_columns)} columns are theirs"
        )
    columns, rows = model.columns, model.rows
    if model.native is not None:
        columns = tuple(portable_names(columns, "x"))
        rows = tuple(portable_names(rows, "r"))
        if (*columns, *rows) != (*model.columns, *model.rows):
            comments.append("whose names are changed: characters that files cannot have are _ here")
    if logic is not None:
        names = portable_names([one.name for one in logic.constructs], "k")
        parts = zip(logic.constructs, names, strict=True)
        logic = replace(logic, constructs=tuple(replace(one, name=name) for one, name in parts))
    model = model.changed(columns=columns, rows=rows, comments=tuple(comments), logic=logic)
    if logic is None:
        write_model(path, model)
        return Export(path, len(model.columns), len(model.rows), model.nonzeros)
    if kind == ".lp":
        from calmip.mip.files.lp.constructs import lp_text_of_constructs as text_of
    else:
        from calmip.mip.files.mps.constructs import mps_text_of_constructs as text_of

    from calmip.mip.linearise import own_part

    write_text(path, iter([text_of(model, dialect)]))
    own = own_part(model)
    return Export(path, len(own.columns), len(own.rows), own.nonzeros)


@of_puzzle
def export_dates(
    puzzle: Puzzle,
    folder: Path | str,
    *,
    suffix: str = ".mps",
    formulation: str = "matrix",
    force: bool = False,
    shard: str | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Library:
    """Write the model of every real date of a puzzle as a library.

    A library is a folder with the models, whose names are those of their files,
    ``index.csv``, ``index.solu``, ``README.md``, ``LICENSE``, ``CITATION.cff`` and
    ``SHA256SUMS``. The same call gives the same bytes. If it was interrupted, run it again:
    existing files are compared and kept, and so are the measurements of the index.

    Parameters
    ----------
    puzzle
        The puzzle.
    folder
        Write the files to this folder.
    suffix
        Write files of this format, with ``.gz`` to compress them.
    formulation
        Write ``.mps`` and ``.lp`` in this formulation.
    force
        Replace existing files whose content differs.
    shard
        Write part I of N of the models; I may be a scheduler's variable. When all shards are
        written, the same call without a shard writes the index.
    progress
        As for `calmip.solvers.Limits`. It counts the files.

    Raises
    ------
    InputError
        If the puzzle has no dates, the suffix is unknown, a file cannot be
        written, or one exists with another content.
    """
    from calmip.puzzle.tasks.count import count_dates

    part, dates = read_shard(shard), count_dates(puzzle)
    writer = LibraryWriter(Path(folder), suffix=suffix, formulation=formulation, force=force)
    entries = write_library(puzzle.name, dates.values(), writer, Limits(progress=progress), part)
    return Library(Path(folder), suffix, entries)
