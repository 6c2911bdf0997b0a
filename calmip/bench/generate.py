"""Draw instances of a family at random, with known answers, and as hard as asked for."""

from __future__ import annotations

import contextlib
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from calmip._base.errors import InputError, clip, join_words
from calmip._base.files import digest_of, encode
from calmip._base.limits import Limits, Progress
from calmip.bench.random_families import ANSWERS, FAMILIES, Drawn, Shape, draw
from calmip.mip.model import Model
from calmip.mip.status import Status
from calmip.puzzle.cover import ExactCover
from calmip.puzzle.documents.serialise import csv_text, puzzle_text
from calmip.puzzle.lattice import LATTICES
from calmip.puzzle.tasks.instance_library import Given, LibraryEntry, LibraryWriter, parts_of
from calmip.puzzle.tasks.interface import public
from calmip.puzzle.tasks.problems import problem_of
from calmip.puzzle.tasks.results import Result
from calmip.solvers import SOLVERS

__all__ = ["Generated", "generate"]

MAX_INSTANCES = 100_000
"""The most instances of a library."""

DIFFICULTY_FACTOR = 2.0
"""An instance is as hard as asked for if it takes this factor more or less."""

MEASURE_SECONDS = 10.0
"""The time limit of a run that measures a feature."""


@dataclass(frozen=True, repr=False)
class Generated(Result):
    """Result of `generate`: a folder with models, their answers and an index.

    Parameters
    ----------
    folder
        The folder.
    family, suffix
        The family, and the files' suffix.
    entries
        The lines of the index, one per instance.
    asked, drawn
        The number of instances that were asked for, and of those that were drawn.
    seconds
        The CPU seconds that the solver needed, by the name of the instance, if a hardness was
        asked for.
    stopped
        Whether the time limit was reached first.
    """

    folder: Path
    family: str
    suffix: str
    entries: tuple[LibraryEntry, ...]
    asked: int
    drawn: int
    seconds: dict[str, float]
    stopped: bool = False

    @property
    def status(self) -> Status:
        """Done, or unknown if the time limit was reached before all were drawn."""
        return Status.UNKNOWN if self.stopped else Status.DONE

    def _summary(self) -> str:
        return f"{self.folder}, {len(self.entries)} of {self.asked} instances, {self.drawn} drawn"


def _check_word(what: str, word: str, words: Iterable[str]) -> None:
    """Raise `InputError` for a word that is none of these."""
    if word not in words:
        raise InputError(f"unknown {what} '{clip(word)}'; use one of {join_words(words)}")


@public
def generate(
    family: str,
    folder: Path | str,
    *,
    size: int | None = None,
    number: int = 1,
    seed: int = 0,
    answer: str = "feasible",
    piece_size: str = "4-6",
    lattice: str = "square",
    hardness: str | None = None,
    features: Sequence[str] = (),
    suffix: str = ".mps",
    force: bool = False,
    time_limit: float | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Generated:
    """Draw instances of a family at random and write them as a library.

    The library has index.csv, index.solu, answers.csv with the reasons, README.md, LICENSE,
    CITATION.cff and SHA256SUMS. Beside a model lie the solution from which it was made (.sol)
    and its puzzle (.yaml), if there is one. The same seed gives the same bytes, unless
    a hardness is asked for, which depends on the machine. If it was interrupted, run it again:
    existing files are compared and kept, and nothing is measured twice.

    Parameters
    ----------
    family
        The family.
    folder
        Write the files to this folder.
    size
        Draw instances of this size: cells to cover, dates of choice, labels of arrangement.
        By default that of the family; with a hardness, the size that has it.
    number
        Draw this number of instances.
    seed
        Draw those of this seed.
    answer
        Draw instances with this answer.
    piece_size
        Draw pieces with this number of cells, such as 5 or 4-6.
    lattice
        Draw boards of this lattice.
    hardness
        Draw until a solver needs these CPU seconds, such as 10s:highs, within a factor of two.
    features
        Measure the nodes and CPU seconds of these solvers, and the linear relaxation, and
        write features.csv. Each solver has 10 seconds per instance.
    suffix
        Write files of this format.
    force
        Replace existing files whose content differs.
    time_limit, progress
        As for `calmip.solvers.Limits`. At the time limit, the instances that were drawn are
        written. Progress counts the instances.

    Raises
    ------
    InputError
        If the family, a number or a word is unknown or out of range, no draw has the answer, or a
        file cannot be written.
    SolverMissing
        If a solver that measures is not installed.

    Notes
    -----
    A feasible instance is made from its solution: a strip is filled with random pieces from its
    top. An infeasible one has a proof, by a colouring or by a complete search.
    """
    if not 1 <= number <= MAX_INSTANCES:
        raise InputError(f"the number of instances is from 1 to {MAX_INSTANCES:,}, not {number}")
    limits = Limits(time_limit, seed, progress=progress)
    shape = _shape(family, size, answer, piece_size, lattice)
    writer = LibraryWriter(Path(folder), suffix=suffix, force=force)
    wanted = None if hardness is None else _Hardness(hardness)
    draws = _Draws(family, shape, answer, seed, wanted)
    if wanted:
        wanted.recall(writer.table(DRAWS))
    known = {
        row["instance"]: [*row.values()]
        for row in writer.table(FEATURES)
        if [*row] == _feature_names(features)
    }
    answers: list[tuple[object, ...]] = []
    measured: list[Sequence[object]] = []
    stopped = False
    with _solvers([*features, *([wanted.solver] if wanted else [])]):
        try:
            for name, one in draws.drawn(limits, fixed=size is not None):
                given = Given(name, one.model, one.known)
                if features:
                    there = name in known and writer.has(given)
                    measured.append(known[name] if there else [name, *_features(one, features)])
                cpu = [] if wanted is None else [f"{wanted.seconds[name]:.3g}"]
                answers.append((name, *_answer(one), *cpu))
                writer.add(given, _beside(name, one))
                limits.report(len(writer.entries), number)
                if len(writer.entries) == number:
                    break
        except TimeoutError:
            stopped = True
        finally:
            # After Ctrl-C as well: what was found may have taken hours.
            if done := len(writer.entries):
                head = [*ANSWER, *["cpu"] * (wanted is not None)]
                beside = {"answers.csv": csv_text(head, answers[:done])}
                if features:
                    beside[FEATURES] = csv_text(_feature_names(features), measured[:done])
                if wanted:
                    beside[DRAWS] = csv_text([*DRAWN], wanted.rows)
                writer.finish(
                    f"Instances of the family {family}",
                    about=_about(draws),
                    beside=beside,
                    partial=done < number,
                )
    names = [entry.name for entry in writer.entries]
    seconds = {} if wanted is None else {name: wanted.seconds[name] for name in names}
    return Generated(
        Path(folder), family, suffix, tuple(writer.entries), number, draws.number, seconds, stopped
    )


def _shape(family: str, size: int | None, answer: str, piece_size: str, lattice: str) -> Shape:
    """Return the sizes to draw; raise `InputError` for an unknown word."""
    _check_word("family", family, FAMILIES)
    _check_word("answer", answer, ANSWERS)
    _check_word("lattice", lattice, LATTICES)
    own = FAMILIES[family].size if size is None else size
    return Shape(own, _range(piece_size), LATTICES[lattice])


ANSWER = ("instance", "answer", "objective", "reason")
"""The columns of the table of answers."""

FEATURES = "features.csv"
DRAWS = "draws.csv"
DRAWN = ("instance", "sha256", "solver", "wanted", "cpu")
"""The table of all that was measured for a hardness, and its columns."""


class _Hardness:
    """The CPU seconds that a solver is to need, and what it needed for each instance."""

    def __init__(self, text: str) -> None:
        found = re.fullmatch(r"(\d+(?:\.\d+)?)s:([\w-]+)", text.strip(), re.ASCII)
        if not found or not 0.01 <= float(found[1]) <= 86_400:
            raise InputError(
                "a hardness is CPU seconds from 0.01 to 86400 and a solver, such as 10s:highs, not "
                f"'{clip(text)}'"
            )
        self.wanted, self.solver = float(found[1]), found[2]
        self.seconds: dict[str, float] = {}
        self.rows: list[tuple[object, ...]] = []
        self._known: dict[tuple[str, str], float] = {}

    def __str__(self) -> str:
        return f"{self.wanted:g} to {self.solver}"

    def factor(self, name: str, one: Drawn) -> float:
        """Return the factor by which an instance is too hard; below 1 it is too easy."""
        digest = digest_of(_data(one.model))
        seconds = self._known.get((digest, self.solver))
        if seconds is None:
            run = _run(one.model, self.solver, DIFFICULTY_FACTOR * self.wanted + 1, cpu=True)
            seconds = float(run["cpu"]) if run["ended"] else math.inf
        self.seconds[name] = seconds
        self.rows.append((name, digest, self.solver, self.wanted, seconds))
        return seconds / self.wanted

    def recall(self, rows: Iterable[Mapping[str, str]]) -> None:
        """Take over what an earlier run has measured."""
        with contextlib.suppress(KeyError, TypeError, ValueError):
            for row in rows:
                seconds = float(row["cpu"])
                if seconds < math.inf or self.wanted <= float(row["wanted"]):
                    self._known[row["sha256"], row["solver"]] = seconds


class _Draws:
    """The draws for a library, numbered; with a hardness, of a size that approaches it."""

    def __init__(
        self, family: str, shape: Shape, answer: str, seed: int, wanted: _Hardness | None
    ) -> None:
        self.family, self.wanted, self.number = family, wanted, 0
        self._shape, self._answer, self._seed = shape, answer, seed

    def drawn(self, limits: Limits, *, fixed: bool) -> Iterator[tuple[str, Drawn]]:
        """Yield the instances by their names; raise a `TimeoutError` at the time limit."""
        size, family = float(self._shape.size), FAMILIES[self.family]
        while True:
            limits.clock.check("not all instances were drawn")
            self.number += 1
            shape = replace(self._shape, size=round(size))
            name = f"{self.family}-{shape.size}-{self._seed}-{self.number:03}"
            one = draw(self.family, shape, self._answer, f"{name} {shape} {self._answer}")
            factor = 1.0 if self.wanted is None else self.wanted.factor(name, one)
            if 1 / DIFFICULTY_FACTOR <= factor <= DIFFICULTY_FACTOR:
                yield name, one
            elif not fixed:
                size *= 0.95 if factor > 1 else 1.05
                size = min(max(size, family.least), family.most)


def _run(model: ExactCover | Model, solver: str, seconds: float, *, cpu: bool) -> dict[str, Any]:
    """Return whether a solver ended, its CPU seconds without its start, and its nodes."""
    from calmip.bench.campaign.runner import Job, execute

    cpu_seconds = seconds if cpu else None
    run = execute(
        Job(data=_data(model), goal="solve", solver=solver, seconds=seconds, cpu=cpu_seconds)
    )
    answer = run["answer"] or {}
    ended = answer.get("status") in (Status.OPTIMAL.value, Status.INFEASIBLE.value)
    used = (run["cpu"] or 0.0) - (run["start_cpu"] or 0.0)
    return {"ended": ended, "cpu": used, "nodes": answer.get("nodes")}


def _data(model: ExactCover | Model) -> bytes:
    """Return the file that a solver gets."""
    return b"".join(encode(parts_of(problem_of(model), ".mps"), packed=False))


@contextlib.contextmanager
def _solvers(names: Sequence[str]) -> Iterator[None]:
    """Check that solvers are known and installed, and end their servers afterwards."""
    for name in names:
        if name not in SOLVERS:
            raise InputError(f"unknown solver '{clip(name)}'; use one of {join_words(SOLVERS)}")
    if not names:
        yield
        return
    from calmip.bench.campaign.runner import pool

    with pool(1, None, names):
        yield


def _range(text: str) -> tuple[int, int]:
    """Return the least and the greatest number of cells of a piece."""
    found = re.fullmatch(r"(\d{1,2})(?:-(\d{1,2}))?", text.strip(), re.ASCII)
    low, high = (int(found[1]), int(found[2] or found[1])) if found else (0, 0)
    if not 1 <= low <= high <= MAX_PIECE_CELLS:
        raise InputError(
            f"pieces have a number of cells such as 5 or 4-6, from 1 to {MAX_PIECE_CELLS}, not "
            f"'{clip(text)}'"
        )
    return low, high


MAX_PIECE_CELLS = 20
"""The most cells of a piece that is drawn."""


def _about(made: _Draws) -> str:
    hard = f" to need {made.wanted} CPU seconds" if made.wanted else ""
    return f"""{FAMILIES[made.family].about}
{made.number} were drawn{hard}. answers.csv says what each answer rests on; NAME.sol is a
solution of NAME, and NAME.yaml its board and pieces, if there are such files."""


def _beside(name: str, one: Drawn) -> dict[str, str]:
    """Return the texts beside an instance: its solution, and its puzzle, if there are such."""
    found = {}
    if one.point is not None:
        columns = problem_of(one.model).columns
        lines = [f"=obj= {one.known[1] or 0.0:.15g}"]
        lines += [f"{columns[column]} {value:.15g}" for column, value in sorted(one.point.items())]
        found[".sol"] = "\n".join(lines) + "\n"
    if one.puzzle is not None:
        found[".yaml"] = puzzle_text(replace(one.puzzle, name=name))
    return found


def _answer(one: Drawn) -> tuple[str, str, str]:
    word, value = one.known
    return word, "" if value is None else f"{value:.15g}", one.reason


def _feature_names(solvers: Sequence[str]) -> list[str]:
    measured = [f"{what}_{solver}" for solver in solvers for what in ("nodes", "cpu")]
    own = ["columns", "rows", "nonzeros", "density", "symmetries", "bound", "gap"]
    return ["instance", *own, *measured]


def _features(one: Drawn, solvers: Sequence[str]) -> list[object]:
    """Return the features of an instance, as `_feature_names` names them."""
    from calmip.mip.lp.linear import LinearModel
    from calmip.puzzle.search.symmetry import symmetries

    problem = problem_of(one.model)
    model = problem.relaxed(packing=False)
    columns, rows, entries = len(model.columns), len(model.rows), model.nonzeros
    point = LinearModel(model).solve()
    bound = None if point is None else point.bound
    best = one.known[1]
    gap = None if bound is None or best is None else (best - bound) / max(1.0, abs(best))
    found: list[object] = [columns, rows, entries, f"{entries / max(1, rows * columns):.4g}"]
    found += [len(symmetries(problem.instance)) if problem.has_board else ""]
    found += [
        "infeasible" if bound is None else f"{bound:.9g}",
        "" if gap is None else f"{gap:.4g}",
    ]
    for solver in solvers:
        run = _run(one.model, solver, MEASURE_SECONDS, cpu=False)
        found += [run["nodes"] if run["ended"] else "", f"{run['cpu']:.3g}"]
    return found
