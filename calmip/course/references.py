"""A student's model against a reference: the same solutions, and the same objective.

Any formulation is right whose solutions, on the variables of the reference, are those of the
reference. Further variables of the student's are projected out. A variable of the reference that
the student has not counts as 0. A difference is shown by a point, in exact numbers, with the
student's own names and the rows that it violates.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from calmip._base.errors import CalmipError, InputError, clip, join_words
from calmip._base.files import read_bytes
from calmip._base.limits import Deadline
from calmip.course import notebooks
from calmip.course.checks import Check, Failed, Table, Undecided, quote, run_checks
from calmip.course.sandbox import LIMITS, run_submission
from calmip.mip.compare.column_pairing import Pairing, pair_columns
from calmip.mip.compare.comparison import Inclusion, include
from calmip.mip.compare.objective_equivalence import compare_objectives
from calmip.mip.display import describe_number
from calmip.mip.files.model_files import is_model, read_model
from calmip.mip.files.mps import read_mps
from calmip.mip.files.text_source import MAX_BYTES, TextFile
from calmip.mip.model import Model, Violation, unused_name
from calmip.mip.rows import Number

COMPARISON_SECONDS = 20.0
"""The time limit of each comparison of a model with the reference."""

MAX_NONZEROS = 100_000
"""The most coefficients of a student's model, unless the reference has more than a tenth of it."""

MAX_LISTED_VALUES = 30
"""The most values and violated rows that are listed of a point."""

MAX_PROGRAM_BYTES = 1_000_000
"""The most bytes of a reference, and of a student's program."""

MODELS = (".mps", ".lp", ".mps.gz", ".lp.gz")
"""The suffixes of students' files, if the reference is a model file."""

Numbers = Mapping[int, Number]


@dataclass(frozen=True)
class ReferenceModels:
    """An instructor's model for each of several data sets, and how others are compared with it.

    Parameters
    ----------
    name, title
        The name of its file without the suffix, and a title.
    programs
        Whether it is a Python file, and so are the students' files; else they are model files.
    data
        The data sets: for each its name, and the arguments of ``build``.
    models
        The model of each.
    names, match, columns
        As for `compare_with_reference`.
    table
        Displays a point, by the columns of a model, with the arguments of ``build`` it is for.
    """

    name: str
    title: str
    programs: bool
    data: tuple[tuple[str, list[Any]], ...]
    models: tuple[Model, ...]
    names: Mapping[str, str] | None = None
    match: bool = False
    columns: tuple[str, ...] = ()
    table: Callable[[list[Any], Numbers], Table] | None = None

    @property
    def suffixes(self) -> tuple[str, ...]:
        """The suffixes of the students' files."""
        return (".py", notebooks.SUFFIX) if self.programs else MODELS

    @property
    def most_bytes(self) -> int:
        """The most bytes of a student's file."""
        return MAX_PROGRAM_BYTES if self.programs else MAX_BYTES

    @cached_property
    def digest(self) -> str:
        """A digest of all that the marks depend on."""
        models = [
            (one.columns, one.rows, one.maximise, *(
                one.values(name) for name in ("start", "index", "value", "lower", "upper", "cost",
                                              "column_lower", "column_upper", "integer")))
            for one in self.models
        ]  # fmt: skip
        exact = [sorted(map(str, one.exact.items())) for one in self.models]
        rules = [self.data, models, exact, dict(self.names or {}), self.match, self.columns]
        return hashlib.sha256(json.dumps(rules).encode()).hexdigest()

    @property
    def priced(self) -> bool:
        """Whether there is an objective."""
        return any(one.costs for one in self.models)

    @property
    def most(self) -> int:
        """The marks for a right answer: one, and two or three for each data set."""
        return 1 + len(self.models) * (3 if self.priced else 2)

    def checks_of(
        self, path: Path, time_limit: float | None = None
    ) -> tuple[tuple[Check, ...], tuple[str, ...]]:
        """Return the checks of a student's file, and notes for the instructor.

        Parameters
        ----------
        path
            The file.
        time_limit
            The seconds for the program, and for each comparison.

        Raises
        ------
        InputError
            If there is no such file, or it is too large.
        SolverFailed
            If this machine cannot run the program.
        """
        if not path.is_file():
            raise InputError("there is no such file to grade", path=path)
        models: list[Model | str] = []
        compared: dict[int, ReferenceComparison] = {}

        def reads() -> None:
            models.extend(self._models(path, time_limit))
            faults = [
                f"{name}: {one}" if name else one
                for (name, _), one in zip(self.data, models, strict=True)
                if isinstance(one, str)
            ]
            if len(faults) == len(models):
                raise Failed(faults[0])

        def compare(number: int, check: Callable[[ReferenceComparison], None]) -> None:
            model = models[number]
            if isinstance(model, str):
                raise Failed(model)
            if number not in compared:
                compared[number] = compare_with_reference(
                    model,
                    self.models[number],
                    names=self.names,
                    match=self.match,
                    columns=self.columns,
                    seconds=time_limit or COMPARISON_SECONDS,
                )
            check(compared[number])

        def check_solutions(number: int) -> None:
            try:
                compare(number, ReferenceComparison.check_solutions)
            except Failed as failed:
                point = compared[number].point if number in compared else None
                if self.table is not None and point is not None:
                    failed.table = self.table(self.data[number][1], point)
                raise

        what = "build(data) returns a model" if self.programs else "the file is a model"
        checks: list[tuple[str, int, Callable[[], object], bool]] = [(what, 1, reads, True)]
        for number, (name, _) in enumerate(self.data):
            of = f"{name}: " if name else ""
            solutions = partial(check_solutions, number)
            objective = partial(compare, number, ReferenceComparison.check_objective)
            checks.append((f"{of}the solutions are those of the reference", 2, solutions, False))
            if self.priced:
                checks.append(
                    (f"{of}the objective ranks them as the reference", 1, objective, False)
                )
        done = run_checks(checks)
        return done, tuple(self._notes(compared))

    def _notes(self, compared: Mapping[int, ReferenceComparison]) -> Iterator[str]:
        for number, found in compared.items():
            name = self.data[number][0] or self.name
            if found.same and not found.proved:
                yield f"{name}: that the solutions are the same rests on HiGHS's word in part"
            if how := found.unlike_names:
                yield f"{name}: {how}"

    def _models(self, path: Path, time_limit: float | None) -> list[Model | str]:
        """Return the student's model of each data set, or why there is none."""
        if self.programs:
            seconds = None if time_limit is None else math.ceil(time_limit)
            return build_models(path, list(self.data), seconds)[1]
        try:
            return [read_model(path)]
        except CalmipError as error:
            raise Failed(str(error)) from None


def read_reference(
    path: Path,
    data: Path | None = None,
    *,
    names: Mapping[str, str] | None = None,
    match: bool = False,
    columns: Sequence[str] = (),
    time_limit: float | None = None,
) -> ReferenceModels:
    """Return the reference of a file, with its model of each data set.

    Parameters
    ----------
    path
        A Python file with a function ``build``, or a model file. Without ``data`` the Python
        file may have the data sets: ``DATA``, a list, or a dictionary by their names.
    data
        A JSON file, or a folder of JSON files.
    names, match, columns
        As for `compare_with_reference`.
    time_limit
        The seconds that the Python file may run.

    Raises
    ------
    InputError
        If a file cannot be read, or has no model.
    SolverFailed
        If this machine cannot run the file.
    """
    found = _read_models(path, data, time_limit)
    for pattern in (*columns, *(names or ())):
        every = (name for model in found.models for name in model.columns)
        if not any(_is_like(name, pattern) for name in every):
            raise InputError(f"no variable of the reference is like {quote(pattern)}", path=path)
    return replace(found, names=names, match=match, columns=tuple(columns))


def _read_models(path: Path, data: Path | None, time_limit: float | None) -> ReferenceModels:
    if not path.is_file():
        raise InputError("there is no such reference", path=path)
    title = f"A model compared with {path.name}"
    if path.suffix != ".py":
        if not is_model(path):
            raise InputError("a reference is a Python file, or an MPS or LP file", path=path)
        if data is not None:
            raise InputError("--data goes with a Python file", path=path)
        name, model = path.name.partition(".")[0], read_model(path)
        return ReferenceModels(name, title, False, (("", []),), (model,))
    sets = None if data is None else [(one.stem, [_json_of(one)]) for one in _files_of(data)]
    read_bytes(path, MAX_PROGRAM_BYTES)
    seconds = None if time_limit is None else math.ceil(time_limit)
    try:
        found, built, own = build_models(path, sets, seconds)
    except Failed as failed:
        raise InputError(f"the reference: {failed}", path=path) from None
    models: list[Model] = []
    for (name, _), one in zip(found, built, strict=True):
        if isinstance(one, str):
            where = f"the reference, data set {clip(name)}: " if name else "the reference: "
            raise InputError(f"{where}{one}", path=path)
        models.append(one)
    if not models:
        raise InputError("the reference has no data sets", path=path)
    if len({name for name, _ in found}) < len(found):
        raise InputError("two data sets have one name", path=data or path)
    return ReferenceModels(path.stem, own or title, True, tuple(found), tuple(models))


def _files_of(data: Path) -> list[Path]:
    if not data.is_dir():
        return [data]
    found = sorted(one for one in data.iterdir() if one.suffix == ".json")
    if not found:
        raise InputError("has no JSON files", path=data)
    return found


def _json_of(path: Path) -> Any:
    data = read_bytes(path, LIMITS["file"])
    try:
        return json.loads(data)
    except (ValueError, RecursionError) as error:
        raise InputError(f"is not JSON: {clip(error)}", path=path) from None


def build_models(
    path: Path, sets: list[tuple[str, list[Any]]] | None, seconds: int | None
) -> tuple[list[tuple[str, list[Any]]], list[Model | str], str]:
    """Return the data sets, the model of each or why there is none, and the title of a program.

    Without data sets they are taken from the program, which must be the instructor's.
    """
    limits = None if seconds is None else {"seconds": seconds}
    task = {"job": "models", "data": sets}
    with run_submission(path, task, ["models.json"], limits=limits) as folder:
        try:
            found = json.loads((folder / "models.json").read_bytes())
            texts, title = list(found["models"]), str(found["title"])
            if sets is None:
                sets = [(str(name), list(given)) for name, given in found["data"]]
            if len(texts) != len(sets):
                raise ValueError
            return sets, list(map(_read, texts)), title
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            raise Failed("what the file handed over cannot be read") from None


def _read(found: Any) -> Model | str:
    """Return the model that a program handed over, or the error that it raised."""
    if isinstance(found, str):
        return f"build failed: {quote(found)}"
    try:
        model = read_mps(TextFile("the model", tuple(str(found["mps"]).split("\n"))))
    except CalmipError as error:
        return f"the model cannot be read: {quote(error)}"
    names: dict[str, tuple[str, ...]] = {}
    for kind in ("columns", "rows"):
        own = {str(name): str(text) for name, text in found[kind].items()}
        names[kind] = tuple(own.get(name, name) for name in getattr(model, kind))
        if len(set(names[kind])) < len(names[kind]):
            return "two variables or two rows have one name"
    if found.get("maximise") is True:  # the file has the objective to be minimised
        exact = {key: -v if key[0] == "offset" else v for key, v in model.exact.items()}
        model = model.changed(maximise=True, offset=-model.offset, exact=exact)
    return model.changed(**names)


def compare_with_reference(
    model: Model,
    reference: Model,
    *,
    names: Mapping[str, str] | None = None,
    match: bool = False,
    columns: Sequence[str] = (),
    seconds: float = COMPARISON_SECONDS,
) -> ReferenceComparison:
    """Return the comparison of a student's model with a reference; its methods judge.

    Parameters
    ----------
    model
        The student's model.
    reference
        The reference.
    names
        The name in the student's model by the name in the reference; ``*`` as for `pair_columns`.
    match
        Whether the names do not matter, if a renaming makes the models equal.
    columns
        Patterns of the variables of the reference that count; all of them if empty.
    seconds
        The time limit of the comparison.

    Raises
    ------
    Failed
        If the model has none of these variables.
    Undecided
        If the model is too large, or the variables cannot be paired with ``match``.
    """
    most = max(MAX_NONZEROS, 10 * reference.nonzeros)
    if model.nonzeros > most:
        raise Undecided(
            f"the model has {model.nonzeros:,} coefficients; at most {most:,} are compared"
        )
    clock = Deadline(seconds)
    compared = [
        column
        for column, name in enumerate(reference.columns)
        if not columns or any(_is_like(name, pattern) for pattern in columns)
    ]
    paired = _paired(model, reference, names, clock, match=match)
    pairs = {column: paired.columns[column] for column in compared if column in paired.columns}
    if not pairs:
        raise _unnamed(model, [reference.columns[column] for column in compared])
    missing = [column for column in compared if column not in pairs]
    wide = _with_zeros(model, [reference.columns[column] for column in missing])
    added = range(len(model.columns), len(wide.columns))
    pairs.update(zip(missing, added, strict=True))
    return ReferenceComparison(
        wide, reference, replace(paired, columns=pairs), clock, len(model.columns)
    )


def _paired(
    model: Model, reference: Model, names: Mapping[str, str] | None, clock: Deadline, *, match: bool
) -> Pairing:
    """Return the pairs of columns: by names, or else by the structure of the rows."""
    seconds = clock.left()
    limit = Deadline(None if seconds is None else seconds / 4)
    if match:
        try:
            return pair_columns(model, reference, names, match=True, clock=limit)
        except InputError as error:
            unmatched = error.message
    try:
        return pair_columns(model, reference, names)
    except InputError as error:
        if match:
            raise Undecided(f"the variables cannot be paired: {unmatched}") from None
        try:
            return pair_columns(model, reference, names, match=True, clock=limit)
        except InputError:
            if names:
                raise Failed(error.message) from None
    raise _unnamed(model, reference.columns)


def _unnamed(model: Model, names: Sequence[str]) -> Failed:
    wanted = join_words([_name(name) for name in names], most=3)
    found = join_words([_name(name) for name in model.columns], most=3) or "no variables"
    return Failed(f"no variable has one of the names {wanted}; found {found}")


def _with_zeros(model: Model, names: Sequence[str]) -> Model:
    """Return a model with further variables that are 0."""
    if not names:
        return model
    taken = dict.fromkeys(model.columns)
    for name in names:
        taken[unused_name(name, taken)] = None
    zeros = [0.0] * len(names)
    sides = {
        side: array("d", [*model.values(side), *zeros])
        for side in ("column_lower", "column_upper", "cost")
    }
    integer = array("b", [*model.values("integer"), *(True for _ in names)])
    return model.changed(columns=tuple(taken), integer=integer, native=None, **sides)


@dataclass(frozen=True)
class ReferenceComparison:
    """A student's model beside a reference.

    Parameters
    ----------
    model
        The student's model; variables that it lacks are added at the end, and are 0.
    reference
        The reference.
    pairing
        The student's variable by the one of the reference.
    clock
        The time limit.
    columns
        The number of the student's variables; the columns after them were added.
    """

    model: Model
    reference: Model
    pairing: Pairing
    clock: Deadline
    columns: int

    @cached_property
    def wrong(self) -> Inclusion:
        """Whether the solutions of the model are solutions of the reference."""
        return include(self.model, self.reference, self.pairing.columns, self._share(0.45))

    @cached_property
    def missing(self) -> Inclusion:
        """Whether the solutions of the reference are solutions of the model."""
        inverse = {ours: theirs for theirs, ours in self.pairing.columns.items()}
        return include(self.reference, self.model, inverse, self._share(0.8))

    def _share(self, part: float) -> Deadline:
        return Deadline(part * (self.clock.left() or 0.0))

    @property
    def same(self) -> bool:
        """Whether both have the same solutions."""
        return self.wrong.holds is True and self.missing.holds is True

    @property
    def point(self) -> Numbers | None:
        """A point that only one of them has, by the columns of the reference; None without one."""
        wrong = self.wrong.point
        return self.missing.point if wrong is None else self._theirs(wrong)

    @property
    def proved(self) -> bool:
        """Whether the same solutions are proved in exact numbers."""
        return self.wrong.proved and self.missing.proved

    @property
    def unlike_names(self) -> str:
        """How variables without a name of the reference were paired; empty if there are none."""
        number = self.pairing.how.get("structure", 0)
        return f"{number} variables were matched by the structure of the rows" if number else ""

    def check_solutions(self) -> None:
        """Raise `Failed` with a point that one has and the other has not; `Undecided` in doubt."""
        faults = []
        if self.wrong.point is not None:
            point = self._values(self.wrong.point, self.model)
            why = self._violations(self.reference, self.wrong, "the reference")
            faults.append(f"the model has a solution that is wrong: {point}; {why}")
        if self.missing.point is not None:
            point = self._values(self.missing.point, self.reference)
            why = self._violations(self.model, self.missing, "the model")
            faults.append(f"the model has not this solution: {point}; {why}")
        if faults:
            raise Failed("; and ".join(faults))
        self._check_decided()

    def _check_decided(self) -> None:
        questions = (
            (self.wrong, "all solutions of the model are right"),
            (self.missing, "the model has all solutions"),
        )
        for inclusion, question in questions:
            if inclusion.holds is None:
                left = [side for side in inclusion.sides if side.holds is None]
                names = join_words([_name(side.name) for side in left], most=3)
                raise Undecided(
                    f"whether {question} was not decided in {self.clock.seconds:g} seconds; "
                    f"{len(left)} rows or bounds are left: {names}"
                )

    def check_objective(self) -> None:
        """Raise `Failed` if the objectives rank solutions differently, `Undecided` in doubt.

        A constant or a positive factor makes no difference, nor does the sense if all costs
        have the other sign.
        """
        same = self.same
        found = compare_objectives(
            self.model, self.reference, self.pairing.columns, self._share(0.9), same=same
        )
        if found.ranks_alike:
            return
        costs = self._costs()
        if found.ranks_alike is False:
            parts = [self._ranked(point) for point in found.points]
            senses = {one.maximise for one in (self.model, self.reference)}
            turned = "" if len(senses) == 1 else " (one maximises, the other minimises)"
            why = "; ".join([*parts, *costs[: 1 if parts else None]])
            raise Failed(f"the objective ranks solutions differently{turned}: {why}")
        if not same and self.wrong.holds is not None and self.missing.holds is not None:
            raise Failed(f"not checked, because the solutions differ; {'; '.join(costs)}")
        raise Undecided(f"whether the objectives rank solutions alike was not decided; {costs[0]}")

    def _ranked(self, point: Numbers) -> str:
        mine = _number(self.model.exact_objective(point))
        other = _number(self.reference.exact_objective(self._theirs(point)))
        return (
            f"{self._values(point, self.model)} has {mine} in the model, {other} in the reference"
        )

    def _costs(self) -> list[str]:
        """Return where the costs differ; both as their files have them."""
        signs = [-1 if one.maximise else 1 for one in (self.model, self.reference)]
        for theirs, ours in self.pairing.columns.items():
            mine = signs[0] * self.model.costs.get(ours, 0)
            other = signs[1] * self.reference.costs.get(theirs, 0)
            if mine != other:
                name = _name(self.model.columns[ours])
                return [f"the cost of {name} is {_number(mine)}, not {_number(other)}"]
        return ["the costs of the shared variables are equal"]

    def _theirs(self, point: Numbers) -> dict[int, Number]:
        columns = self.pairing.columns
        return {theirs: point[ours] for theirs, ours in columns.items() if ours in point}

    def _values(self, point: Numbers, owner: Model) -> str:
        """Return a point with the student's names; all other values are 0."""
        names = owner.columns
        if owner is self.reference:
            own = {theirs: self.model.columns[c] for theirs, c in self.pairing.columns.items()}
            names = tuple(own.get(c, name) for c, name in enumerate(owner.columns))
        parts = [f"{_name(names[c])} = {_number(point[c])}" for c in sorted(point) if point[c]]
        if not parts:
            return "every variable is 0"
        if len(parts) > MAX_LISTED_VALUES:
            rest = len(parts) - MAX_LISTED_VALUES
            return f"{', '.join(parts[:MAX_LISTED_VALUES])}, and {rest} more"
        return ", ".join(parts)

    def _violations(self, model: Model, inclusion: Inclusion, label: str) -> str:
        parts = [inclusion.reason] if inclusion.reason else []
        parts += [
            self._violation(model, one, label) for one in inclusion.violations[:MAX_LISTED_VALUES]
        ]
        return "; ".join(parts)

    def _violation(self, model: Model, violation: Violation, label: str) -> str:
        value, allowed = _number(violation.value), _number(violation.allowed)
        number, kind = violation.number, violation.kind
        if model is self.model and kind != "row" and number >= self.columns:
            return f"the model has no variable {_name(model.columns[number])}, which is {value}"
        if kind == "row":
            what = f"the row {_name(model.rows[number])} of {label}"
        else:
            theirs = self.pairing.columns if model is self.reference else {}
            column = theirs.get(number)
            name = model.columns[number] if column is None else self.model.columns[column]
            what = f"{_name(name)} in {label}"
        if kind == "integrality":
            return f"{what} is integer, not {value}"
        sign = "<=" if violation.value > violation.allowed else ">="
        return f"{what} is {value}, not {sign} {allowed}"


def _is_like(name: str, pattern: str) -> bool:
    """Return whether a name is a pattern's, in which only ``*`` stands for other text."""
    return re.fullmatch(".*".join(map(re.escape, pattern.split("*"))), name) is not None


def _name(name: str) -> str:
    return quote(name)[1:-1]


def _number(number: Number) -> str:
    text = describe_number(number)
    return f"{text:.12g}" if isinstance(text, float) else str(text)
