"""What a campaign runs on: the bytes of a model, and what is known of it from elsewhere."""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from calmip._files import scratch_folder
from calmip.errors import InputError, shown
from calmip.formats.model_files import read_model
from calmip.formats.solu import Known, read_solu
from calmip.models import build, objective, packs
from calmip.problem.binary_model import BinaryModel
from calmip.problem.cover import ExactCover
from calmip.problem.instance import Instance
from calmip.tasks.campaign.document import Campaign
from calmip.tasks.campaign.instances import ModelFile

__all__ = ["FILE", "Problem", "Truth", "Witness", "problem_of_file", "problems"]

FILE = "file"
"""The formulation of a model that came as a file."""

WITNESS_SECONDS = 60.0
"""So long the exact-cover search may look for the truth about an instance."""


@dataclass(frozen=True)
class Truth:
    """What is known of a model without the solvers that are compared; None where it is not.

    Parameters
    ----------
    feasible
        Whether it has a solution.
    optimum
        The best objective, as the file writes it.
    count
        How many solutions it has.
    """

    feasible: bool | None = None
    optimum: float | None = None
    count: int | None = None


class Witness:
    """What the exact-cover search says of an instance: each question is asked once.

    Parameters
    ----------
    instance
        The instance.
    """

    def __init__(self, instance: Instance) -> None:
        self.cover = ExactCover(instance)

    @cached_property
    def count(self) -> int | None:
        """The number of tilings, None if it is not known in time."""
        from calmip.search.exact_cover.counting import count

        try:
            return count(self.cover, time_limit=WITNESS_SECONDS)
        except TimeoutError:
            return None

    @cached_property
    def solvable(self) -> bool | None:
        """Whether there is a tiling, None if it is not known in time."""
        from calmip.search.exact_cover.search import Search

        search = Search(self.cover, limit=1, time_limit=WITNESS_SECONDS)
        found = any(True for _ in search)
        return found or (False if search.complete else None)


@dataclass(frozen=True, eq=False)
class Problem:
    """A model file and a question.

    Parameters
    ----------
    name
        The instance's name.
    formulation
        Who wrote the model, or `FILE`.
    goal
        ``solve`` or ``count``.
    suffix
        The file's suffix, ``.mps`` or ``.lp``.
    data
        The file's bytes.
    witness
        Who knows the instance, where there is one.
    known
        What a ``.solu`` file says of a file.
    """

    name: str
    formulation: str
    goal: str
    suffix: str
    data: bytes
    witness: Witness | None = None
    known: Known | None = None

    @cached_property
    def digest(self) -> str:
        """The SHA-256 of the model's bytes."""
        return hashlib.sha256(self.data).hexdigest()

    @cached_property
    def model(self) -> BinaryModel:
        """The model, as calmip's own readers read it."""
        with scratch_folder() as folder:
            path = folder / f"model{self.suffix}"
            path.write_bytes(self.data)
            return read_model(path)

    @cached_property
    def truth(self) -> Truth:
        """What is known: by the exact-cover search, or as the ``.solu`` file says."""
        if self.witness is None:
            return _told(self.known)
        return _searched(self.witness, self.formulation, self.goal)


def _told(known: Known | None) -> Truth:
    if known is None or known[0] == "unkn":
        return Truth()
    word, value = known
    return Truth(word != "inf", value if word == "opt" else None)


def _searched(witness: Witness, formulation: str, goal: str) -> Truth:
    if goal == "count":
        tilings = witness.count
        return Truth() if tilings is None else Truth(tilings > 0, count=tilings)
    there = witness.solvable
    optimum = objective(formulation, witness.cover) if there else None
    if packs(formulation) and not there:
        # Nothing laid at all is a packing; only a label that the model chooses may forbid it.
        there = None if witness.cover.instance.free else True
    return Truth(there, optimum)


def problems(campaign: Campaign) -> Iterator[Problem]:
    """Yield the models of a campaign, each built or read when it is asked for.

    Raises
    ------
    InputError
        If a formulation has no model of an instance, or a file cannot be read as a model of
        binary variables.
    SolverMissing
        If a formulation's package is not installed.
    """
    for one, goal in campaign.instances:
        if isinstance(one, ModelFile):
            yield problem_of_file(one, goal)
            continue
        witness = Witness(one)
        cover = witness.cover
        for formulation in campaign.formulations:
            obstacle = cover.obstacle()
            if obstacle is not None and not (packs(formulation) and cover.columns):
                raise InputError(f"{one.name}: {formulation} has no model to solve: {obstacle}")
            if goal == "count" and packs(formulation):
                raise InputError(f"{one.name}: {formulation} has solutions that are no tilings")
            with scratch_folder() as folder:
                model = build(formulation, cover)
                path = folder / f"model{model.suffix}"
                model.write(path)
                yield Problem(
                    one.name, formulation, goal, model.suffix, path.read_bytes(), witness=witness
                )


def problem_of_file(file: ModelFile, goal: str) -> Problem:
    """Return a model file as a problem, with what the ``.solu`` files beside it know."""
    answers: dict[str, Known] = {}
    for path in sorted(file.path.parent.glob("*.solu")):
        answers.update(read_solu(path))
    read_model(file.path)  # what is not a model of binary variables is said now
    try:
        data = file.path.read_bytes()
        packed = data[:2] == b"\x1f\x8b"
        data = gzip.decompress(data) if packed else data
    except (OSError, EOFError) as error:
        raise InputError(f"cannot be read: {error}", path=shown(file.path, 200)) from None
    suffix = ".lp" if file.path.name.lower().removesuffix(".gz").endswith(".lp") else ".mps"
    return Problem(file.name, FILE, goal, suffix, data, known=answers.get(file.name))
