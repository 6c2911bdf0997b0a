"""Write the models of a suite as a library."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from calmip._base.errors import InputError
from calmip._base.limits import Limits, Progress
from calmip.bench.campaign.campaign_file import ModelFile, read_campaign
from calmip.bench.campaign.jobs import problem_of_file
from calmip.mip.files.model_files import Known
from calmip.puzzle.cover import ExactCover
from calmip.puzzle.instance import Instance
from calmip.puzzle.tasks.export import Library
from calmip.puzzle.tasks.instance_library import (
    Exportable,
    Given,
    LibraryWriter,
    quick_count,
    write_library,
)
from calmip.puzzle.tasks.interface import public


@public
def export_suite(
    suite: str,
    folder: Path | str,
    *,
    suffix: str = ".mps",
    formulation: str = "matrix",
    force: bool = False,
    progress: Callable[[Progress], None] | None = None,
) -> Library:
    """Write the models of a suite, or of a campaign file, as a library.

    Parameters
    ----------
    suite
        The name of a bundled suite, or a campaign's file.
    folder
        Write the files to this folder.
    suffix
        Write files of this format, with ``.gz`` to compress them.
    formulation
        Write ``.mps`` and ``.lp`` in this formulation.
    force
        Replace existing files whose content differs.
    progress
        As for `calmip.solvers.Limits`. It counts the files.

    Raises
    ------
    InputError
        As `calmip.export.dates`, or if there is no such suite, or a model that came as a
        file is to have another format than MPS and LP.
    """
    models = [_exportable(*one[:3]) for one in read_campaign(suite).instances]
    writer = LibraryWriter(Path(folder), suffix=suffix, formulation=formulation, force=force)
    entries = write_library(f"The suite {suite}", models, writer, Limits(progress=progress))
    return Library(Path(folder), suffix, entries)


def _exportable(problem: Instance | ModelFile, goal: str, known: Known | None) -> Exportable:
    """Return an instance and the number of its tilings, or a model and its known answer."""
    if isinstance(problem, Instance):
        return problem, 0 if known == ("inf", None) else quick_count(ExactCover(problem))
    file = problem_of_file(problem, goal, known)
    if file.skipped is not None:
        raise InputError(file.skipped[1], path=file.name)
    return Given(problem.name, file.model, file.known)
