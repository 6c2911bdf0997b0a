"""Check the answer of another program to an instance or a model, or its model of an instance."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from calmip._base.errors import InputError, NotATiling, clip
from calmip._base.files import PACKED, digest_of
from calmip._base.limits import Deadline, Limits, Progress
from calmip.mip.files.model_files import Known, is_model, known_beside, read_model
from calmip.mip.files.objects import given_values, refuse_open_ends
from calmip.mip.files.solutions import SolutionFile, read_solution
from calmip.mip.model import Model, Violation
from calmip.mip.rows import Number
from calmip.mip.status import Status
from calmip.models.matrix import assignment_names
from calmip.puzzle.cover import ExactCover, Reveal
from calmip.puzzle.files.chosen_options import chosen_options, read_column_names, violations
from calmip.puzzle.instance import Placement
from calmip.puzzle.search.equivalence import compare_model
from calmip.puzzle.tasks.answers import STATUS, check_answer, read_answer, rename
from calmip.puzzle.tasks.interface import public
from calmip.puzzle.tasks.problems import InstanceProblem, ModelProblem, per_kind, problem_of
from calmip.puzzle.tasks.results import Result, Sourced
from calmip.puzzle.tasks.verdicts import judge_none
from calmip.puzzle.tiling import Tiling
from calmip.solvers.points import (
    all_violations,
    describe_violation,
    exact_number,
    name_of,
    point_of,
)
from calmip.solvers.verdicts import Evidence

if TYPE_CHECKING:
    from calmip.mip.files.dialects import Finding
    from calmip.mip.iis.nearest import Nearest
    from calmip.puzzle.tasks.problems import PerKind, Source

    Names = Mapping[str, str] | None

__all__ = [
    "MAX_TILINGS",
    "FileVerdict",
    "FolderVerdict",
    "ModelVerdict",
    "Point",
    "Verdict",
    "check",
    "check_file",
    "check_folder",
]

MAX_LISTED_FAULTS = 20
"""The most violated equations that are listed."""

MAX_TILINGS = 100_000
"""The most tilings that are tried on a model by default."""

WORDS = {
    Status.ACCEPTED: "is a model of this instance",
    Status.REFUSED: "is not a model of this instance",
    Status.UNKNOWN: "was not decided",
}
NUMBERED_NAME = re.compile("x[1-9][0-9]*")

ENDINGS = (".sol", *(f".sol{one}" for one in PACKED), ".txt", ".json", ".slx", ".xml", ".out")
"""The endings of an answer's name, after the name of its model."""


@dataclass(frozen=True)
class Point:
    """A choice of placements and uncovered labels, which need not make a tiling."""

    KEYS = ("labels", "placements")

    placements: tuple[Placement, ...]
    labels: tuple[str, ...]

    @classmethod
    def from_options(cls, cover: ExactCover, options: Iterable[int]) -> Self:
        """Return the choice made by some options of an exact cover."""
        chosen = [cover.option(number) for number in options]
        labels = (option.label for option in chosen if isinstance(option, Reveal))
        return cls(
            tuple(option for option in chosen if isinstance(option, Placement)),
            (*cover.instance.labels, *labels),
        )


@dataclass(frozen=True)
class Broken:
    """A violated row, bound or integrality.

    Parameters
    ----------
    kind
        ``row``, ``construct``, ``bound`` or ``integrality``.
    name
        The name of the row, the construct or the column.
    amount, value, allowed
        The exact violation, the value, and the nearest value that is allowed.
    text
        The violation in words.
    """

    kind: str
    name: str
    amount: Number
    value: Number
    allowed: Number
    text: str

    @classmethod
    def of(cls, model: Model, one: Violation) -> Self:
        """Return a violation of a model with its name."""
        words = describe_violation(model, one)
        return cls(one.kind, name_of(model, one), one.amount, one.value, one.allowed, words)


@dataclass(frozen=True, repr=False)
class Verdict(Sourced, Result):
    """Result of `check`.

    Parameters
    ----------
    source
        The instance, or the model.
    status
        Accepted, refused, or unknown if a limit was reached.
    reasons
        Why, in one or more lines.
    point
        The point of the answer to an instance, or a counter-example to a model of it; or None.
    violations
        What the values of an answer to a model violate, as they are printed: rows, then bounds,
        then integrality, the greatest first.
    all
        Whether the command lists all violations.
    repair
        The feasible point with the least sum of changes, if it was wanted and found.
    """

    KEYS = ("instance", "valid", "reasons", "point")
    MODEL_KEYS = ("model", *KEYS[1:], "violations")

    source: Source
    status: Status
    reasons: tuple[str, ...]
    point: Point | None = None
    violations: tuple[Broken, ...] = ()
    all: bool = field(default=False, repr=False, compare=False)
    repair: Nearest | None = field(default=None, repr=False, compare=False)

    @property
    def valid(self) -> bool | None:
        """Whether the answer or the model is right; None if that was not decided."""
        return {Status.ACCEPTED: True, Status.REFUSED: False}.get(self.status)

    def describe(self) -> dict[str, Any]:
        """Return the verdict as plain data, with the keys in their documented order."""
        found = super().describe()
        return found if self.repair is None else found | {"repair": self.repair.describe()}

    def _summary(self) -> str:
        return f"{self.source.name}, {' '.join(self.reasons)}"


@dataclass(frozen=True)
class ModelVerdict:
    """The verdict on the answer to one model of a folder; unknown without an answer."""

    name: str
    status: Status
    reason: str


@dataclass(frozen=True, repr=False)
class FolderVerdict(Result):
    """Result of `check_folder`.

    Parameters
    ----------
    folder
        The folder with the models.
    files
        The verdict on each model's answer, in the order of the names.
    """

    KEYS = ("folder", "status", "files")

    folder: Path
    files: tuple[ModelVerdict, ...]

    @property
    def status(self) -> Status:
        """Refused if any answer is, accepted if all are, else unknown."""
        found = {file.status for file in self.files}
        if Status.REFUSED in found:
            return Status.REFUSED
        return Status.ACCEPTED if found == {Status.ACCEPTED} else Status.UNKNOWN

    def _summary(self) -> str:
        found = Counter(str(file.status) for file in self.files)
        return ", ".join(f"{number} {word}" for word, number in sorted(found.items()))


@public
def check(
    source: Source,
    answer: str | Path | Model | Mapping[Any, Any] | Any = None,
    *,
    names: Mapping[str, str] | str | Path | None = None,
    limit: int = MAX_TILINGS,
    all: bool = False,  # noqa: A002 - the name of the option
    time_limit: float | None = None,
) -> Verdict:
    """Check a solution file of any solver against an instance or a model.

    The format of a solution file is detected from its content. Values are rounded. For an
    instance, every equation of the exact cover is checked in integer arithmetic, then the
    tiling on the board; for a model, every row, bound and integer in exact arithmetic. Values
    of continuous variables that miss them by rounding, at most 1e-6, are completed exactly. A
    claim that there is no solution is checked by an independent search.

    If FILE is a model, its solutions must be exactly the tilings of the instance; if not,
    the verdict has a counter-example. The objective is ignored. check folder checks a folder of
    models, such as calmip export dates writes, against a folder of answers. check with a model
    file alone lists what other programs read differently in it. calmip compare compares two models.

    Parameters
    ----------
    source
        The instance; or the model that was solved, from `calmip.read_model` or as an object of
        PuLP, Pyomo, highspy, Gurobi or SCIP.
    answer
        The path of a solution file, which may be compressed by gzip; or a model
        of the instance, or the path of its MPS or LP file. In Python also values by the names
        or variables of a model, or an object such as a solved `pulp.LpProblem`, whose
        variables have values.
    names
        Pair the columns of a model with placements, by a file of lines COLUMN,PLACEMENT, or as a
        mapping. A ``*`` in both columns stands for the same text.
    limit
        Try at most this many tilings, if FILE is a model.
    all
        List all violated equations, rows, bounds and integers, the greatest first; and for a model
        the smallest repair: the feasible point with the least sum of changes of the values.
    time_limit
        As for `calmip.solvers.Limits`.

    Raises
    ------
    InputError
        If a file cannot be read, is not a solution file, or names an unknown column or placement;
        or if a number is out of range.
    TypeError
        If the source is neither an instance nor a model.
    """
    clock, problem = Limits(time_limit).clock, problem_of(source, open_ends=True)
    mapping = read_column_names(Path(names)) if isinstance(names, (str, Path)) else names
    if answer is None:
        raise InputError("an answer is missing: give a FILE")
    return _check(problem, answer, clock, names=mapping, limit=limit, every=all)


def _path_of(answer: Any) -> Path | None:
    return Path(answer) if isinstance(answer, (str, Path)) else None


def _model_in(given: Any) -> Model | None:
    """Return the model of a file or an object; None if it is an instance."""
    path = _path_of(given)
    if path is not None:
        return read_model(path)
    return getattr(problem_of(given, open_ends=True), "model", None)


def _compare_cover(
    problem: InstanceProblem, model: Model, clock: Deadline, *, names: Names, limit: int
) -> Verdict:
    cover = problem.cover
    found = compare_model(cover, model, names=names, limit=limit, clock=clock)
    size = f"{len(model.columns)} columns, {len(model.rows)} rows"
    status = {True: Status.ACCEPTED, False: Status.REFUSED, None: Status.UNKNOWN}[found.equal]
    reason = f"{model.source or model.name} ({size}) {WORDS[status]}: {found.reason}"
    point = None if found.options is None else Point.from_options(cover, found.options)
    return Verdict(problem.instance, status, (reason,), point)


_check: PerKind[Verdict] = per_kind()
"""Check the answer to a problem."""


@_check.register(InstanceProblem)
def _check_instance(
    problem: InstanceProblem, answer: Any, clock: Deadline, *, every: bool, **options: Any
) -> Verdict:
    path = _path_of(answer)
    if path is not None and not is_model(path):
        return _check_tiling(problem.cover, path, clock, most=None if every else MAX_LISTED_FAULTS)
    model = _model_in(answer)
    if model is None:
        raise InputError("an instance is no answer; give a FILE or a model")
    return _compare_cover(problem, model, clock, **options)


@_check.register(ModelProblem)
def _check_values(
    problem: ModelProblem, answer: Any, clock: Deadline, *, every: bool, **_: Any
) -> Verdict:
    """Check a solution file of a model, or values in Python."""
    model, path = problem.model, _path_of(answer)
    if path is not None and is_model(path):
        answer = read_model(path)
    if isinstance(answer, Model):  # a modelling object holds one, too, but has values
        raise InputError(
            "is a model, not an answer; compare two models with calmip compare", path=path
        )
    refuse_open_ends(model)
    if path is not None:
        given = read_answer(model, path)
    else:
        values = given_values(model, answer)
        exact = {name: exact_number(value) for name, value in values.items()}
        given = SolutionFile("Python", "feasible", exact)
    try:
        status, reasons = check_answer(Evidence(model, lambda: clock), given)
    except InputError as error:
        raise InputError(error.message, path=path) from None
    where = path or "the values"
    broken: list[Violation] = []
    if status is not Status.ACCEPTED:  # what rounding violates is no violation
        broken = all_violations(model, given.values, clock)
    repair = None
    if every and broken:
        from calmip.mip.iis.nearest import find_nearest

        repair = find_nearest(model, point_of(model, given.values), clock=clock)
    return Verdict(
        model,
        status,
        (f"{where}: {reasons[0]}", *reasons[1:]),
        None,
        tuple(Broken.of(model, one) for one in broken),
        every,
        repair,
    )


def _check_tiling(
    cover: ExactCover, path: Path, clock: Deadline, *, most: int | None = MAX_LISTED_FAULTS
) -> Verdict:
    """Check a solution file against the exact cover of an instance, and its board.

    At most ``most`` violated equations are listed.
    """
    instance = cover.instance
    answer = read_solution(path, cover.option_names)
    if answer.values and all(map(NUMBERED_NAME.fullmatch, answer.values)):
        numbers = enumerate(cover.option_names, start=1)
        answer = rename(answer, {f"x{n}": name for n, name in numbers}, cover.option_number, path)
    claim = f"{path}: a file of {answer.format}, claims '{answer.detail or answer.claim}'"
    if answer.claim == "infeasible":
        detail = f"{claim}; there is no tiling, by an independent search"
        none = judge_none(cover, claim, "", clock, detail)
        assert none.standing is not None
        return Verdict(instance, STATUS[none.standing], (none.reason,))
    if answer.claim == "unknown" and not answer.values:
        return Verdict(instance, Status.UNKNOWN, (f"{claim}; holds no solution",))
    try:
        # calmip's own JSON lists the labels that stay uncovered.
        labels = instance.by_group(instance.labels).items()
        fixed = {f"{group}:{label}" for group, label in labels}
        fixed |= {f"labels:{label}" for label in instance.labels}
        further = fixed.union(assignment_names(cover))
        chosen = chosen_options(cover, answer.values, auxiliary=further)
    except InputError as error:
        raise InputError(error.message, path=path) from None
    except NotATiling as error:
        return Verdict(instance, Status.REFUSED, (claim, f"not a tiling: {error}"))
    point = Point.from_options(cover, chosen)
    faults = violations(cover, chosen)
    if faults:
        count = 0 if most is None else len(faults) - most
        more = [f"... and {count} more (--all lists them)"] if count > 0 else []
        lines = (claim, f"not a tiling: {len(faults)} equations fail", *faults[:most], *more)
        return Verdict(instance, Status.REFUSED, lines, point)
    # Once more from the board itself, not from the rows.
    Tiling.from_options(cover, chosen)
    return Verdict(instance, Status.ACCEPTED, (f"{claim}; verified: it is a tiling",), point)


@public
def check_folder(
    folder: Path | str,
    answers: Path | str | None = None,
    *,
    time_limit: float = 60.0,
    progress: Callable[[Progress], None] | None = None,
) -> FolderVerdict:
    """Check a folder of solution files against the models of another folder, or of the same.

    The answer to ``NAME.mps`` or ``NAME.lp`` is ``NAME.sol``, of any solver. Every row is
    checked in exact arithmetic, the objective against the ``.solu`` files of the folder, and
    "infeasible" by a search and these files. If an answer refutes such a file, its status is
    unknown, and the reason names the file. ``SHA256SUMS`` is checked if it exists.

    Parameters
    ----------
    folder
        The folder with the models.
    answers
        The folder with the answers; the same unless given.
    time_limit
        Search for a solution this many seconds for each "infeasible".
    progress
        As for `calmip.solvers.Limits`. It counts the models.

    Raises
    ------
    InputError
        If there is no model, or a file cannot be read or has another digest than ``SHA256SUMS``.
    """
    models, place = Path(folder), Path(answers or folder)
    for path in (models, place):
        if not path.is_dir():
            raise InputError("is not a folder", path=clip(path, 200))
    files = {_stem(path): path for path in sorted(models.iterdir()) if is_model(path)}
    if not files:
        raise InputError("holds no model .mps or .lp", path=clip(models, 200))
    _check_sums(models)
    known = known_beside(models)
    found: list[ModelVerdict] = []
    limits = Limits(time_limit, progress=progress)
    limits.report(0, len(files))
    for name, path in files.items():
        found.append(ModelVerdict(name, *_check_file(name, path, place, known.get(name), limits)))
        limits.report(len(found), len(files))
    return FolderVerdict(models, tuple(found))


def _stem(path: Path) -> str:
    name = path.name
    for ending in (*PACKED, ".mps", ".lp"):
        name = name[: -len(ending)] if name.lower().endswith(ending) else name
    return name


def _check_sums(folder: Path) -> None:
    sums = folder / "SHA256SUMS"
    text = sums.read_text(encoding="utf-8", errors="replace") if sums.is_file() else ""
    for line in text.splitlines():
        # sha256sum writes a blank before the name of a file read as text, * if read as binary.
        digest, _, name = line.partition(" ")
        path, name = folder / name[1:], name[1:] if name[:1] in (" ", "*") else ""
        if not name or Path(name).name != name:
            continue
        try:
            now = digest_of(path.read_bytes())
        except OSError as error:
            raise InputError(f"cannot be read: {error.strerror}", path=path) from None
        if now != digest:
            raise InputError("has another digest than SHA256SUMS says", path=path)


def _check_file(
    name: str, path: Path, place: Path, known: tuple[Known, str] | None, limits: Limits
) -> tuple[Status, str]:
    answer = next((p for e in ENDINGS if (p := place / f"{name}{e}").is_file()), None)
    if answer is None:
        return Status.UNKNOWN, "no answer"
    evidence = Evidence(read_model(path), lambda: limits.renew().clock, *(known or ()))
    try:
        status, reasons = check_answer(evidence, read_answer(evidence.model, answer))
        return status, "; ".join(reasons)
    except InputError as error:
        return Status.REFUSED, f"cannot be read: {error.message}"


@dataclass(frozen=True, repr=False)
class FileVerdict(Result):
    """Result of `check_file`.

    Parameters
    ----------
    path
        The model file.
    findings
        What programs read differently, in the order of the lines.
    """

    KEYS = ("path", "status", "findings")

    path: Path
    findings: tuple[Finding, ...]

    @property
    def status(self) -> Status:
        """Refused if there are findings, else accepted."""
        return Status.REFUSED if self.findings else Status.ACCEPTED

    def _summary(self) -> str:
        return f"{self.path}: {len(self.findings)} findings"


@public
def check_file(path: str | Path) -> FileVerdict:
    """List what other programs read differently in an MPS or LP file, with its lines.

    Each finding names a case of the reference on dialects, which has what HiGHS, SCIP, CBC,
    GLPK, OR-tools, Gurobi and PuLP read there. What calmip refuses is a finding too.

    Parameters
    ----------
    path
        The model file, which may be compressed by gzip.

    Raises
    ------
    InputError
        If the file cannot be read, is no text, or is neither MPS nor LP.
    """
    from calmip.mip.files.dialects import find_differences

    return FileVerdict(Path(path), tuple(find_differences(path)))
