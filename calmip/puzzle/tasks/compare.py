"""Compare two models: their solutions, their objectives and their linear relaxations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from calmip._base.errors import InputError
from calmip._base.limits import Deadline, Limits
from calmip.mip.compare.column_pairing import Pairing, pair_columns
from calmip.mip.compare.comparison import Inclusion, Side
from calmip.mip.compare.constructs import include_constructs
from calmip.mip.compare.objective_equivalence import Objectives, compare_objectives
from calmip.mip.display import describe_number
from calmip.mip.files.model_files import is_model
from calmip.mip.linearise import own_part
from calmip.mip.lp.inequality import Basis
from calmip.mip.model import Model
from calmip.mip.rows import Number
from calmip.mip.status import Status
from calmip.puzzle.documents.reader import file_of
from calmip.puzzle.documents.serialise import plain_data
from calmip.puzzle.files.chosen_options import read_column_names
from calmip.puzzle.tasks.interface import public
from calmip.puzzle.tasks.problems import problem_of
from calmip.puzzle.tasks.results import Result
from calmip.solvers.points import name_of
from calmip.solvers.verdicts import Evidence, Standing

__all__ = ["ModelComparison", "compare"]

BOUND_SECONDS = 2.0
"""The most seconds for the linear relaxation of each model, and for each optimum."""

SHARED_SECONDS = 1.0
"""The most seconds to find out whether a point satisfies the constructs of the other model."""

SETS = {
    (True, True): "same",
    (False, False): "different",
    (False, None): "different",
    (None, False): "different",
    (True, False): "smaller",
    (False, True): "larger",
}
"""The feasible set of the first model beside that of the second, by the two inclusions."""


@dataclass(frozen=True, repr=False)
class ModelComparison(Result):
    """Result of `compare`.

    Parameters
    ----------
    model, against
        The two models.
    pairing
        The columns that they share.
    forth
        Whether the solutions of ``model`` are solutions of ``against``.
    back
        The converse.
    objectives
        How the objectives belong together.
    bounds
        The optimum of each linear relaxation in the sense of its file; None if it has none, or if
        it is not known.
    optima
        The best objective of each model, where the objectives or the solutions differ; None if
        there is none or it was not found in time.
    optima_proved
        Whether each of them is proved to be the best.
    seconds
        The wall-clock seconds.
    """

    KEYS = (
        "model",
        "against",
        "status",
        "proved",
        "proved_parts",
        "feasible_set",
        "objective",
        "relaxation",
        "bounds",
        "optima",
        "columns",
        "point",
        "basis",
        "sides",
        "seconds",
    )

    model: Model
    against: Model
    pairing: Pairing
    forth: Inclusion
    back: Inclusion
    objectives: Objectives
    bounds: tuple[Number | None, Number | None] = (None, None)
    optima: tuple[Number | None, Number | None] = (None, None)
    optima_proved: tuple[bool, bool] = (False, False)
    seconds: float = 0.0

    @property
    def status(self) -> Status:
        """Accepted if both have the same solutions and rank them alike, else refused or unknown."""
        parts = (self.forth.holds, self.back.holds, self.objectives.ranks_alike)
        if False in parts:
            return Status.REFUSED
        return Status.UNKNOWN if None in parts else Status.ACCEPTED

    @property
    def feasible_set(self) -> str:
        """The solutions of ``model`` beside those of ``against``.

        ``same``, ``smaller``, ``larger``, ``different``, or ``unknown``.
        """
        return SETS.get((self.forth.holds, self.back.holds), "unknown")

    @property
    def proved(self) -> bool:
        """Whether the verdict, of the feasible sets and the objectives, is proved.

        Proved is what rests on exact numbers alone.
        """
        parts = self.proved_parts
        if self.status is Status.REFUSED:
            return self.refuted is not None or parts["objective"]
        return self.status is Status.ACCEPTED and parts["feasible_set"] and parts["objective"]

    @property
    def proved_parts(self) -> dict[str, bool]:
        """Whether each of ``feasible_set``, ``objective`` and ``relaxation`` is proved."""
        ways = self.forth, self.back
        # A point is checked in exact numbers, on both models.
        sets = self.feasible_set == "different" or all(
            way.proved or way.holds is False for way in ways
        )
        objective = self.objectives.proved
        if self.objectives.relation == "different" and not self.forth.proved:
            objective = objective and all(map(self._is_shared, self.objectives.points))
        relaxation = self.relaxation is not None and all(way.relaxed_proved for way in ways)
        return {"feasible_set": sets, "objective": objective, "relaxation": relaxation}

    def _is_shared(self, point: Mapping[int, Number]) -> bool:
        """Whether a solution of the model is one of the other model, without further columns."""
        columns = self.pairing.columns
        values = {c: point[place] for c, place in columns.items() if place in point}
        alone = len(columns) < len(self.against.columns)
        if alone or self.against.undecided(values, clock := Deadline(SHARED_SECONDS)):
            return False
        return next(self.against.violations(values, clock), None) is None

    @property
    def relaxation(self) -> str | None:
        """The stronger relaxation: ``model``, ``against``, ``same``, ``neither`` or None (unknown).

        One relaxation is stronger if it is a proper subset of the other one.
        """
        words = {
            (True, True): "same",
            (True, False): "model",
            (False, True): "against",
            (False, False): "neither",
        }
        return words.get((self.forth.relaxed, self.back.relaxed))  # type: ignore[arg-type]

    @property
    def refuted(self) -> tuple[Model, Model, Inclusion] | None:
        """The model that has a point, the one that has it not, and the point; or None."""
        if self.forth.point is not None:
            return self.model, self.against, self.forth
        return (self.against, self.model, self.back) if self.back.point is not None else None

    @property
    def labels(self) -> tuple[str, str]:
        """The two models in words: their files, or their names."""
        found = [one.source or one.name for one in (self.model, self.against)]
        short = [Path(name).name for name in found]
        found = short if short[0] != short[1] else found
        return (found[0], found[1]) if found[0] != found[1] else ("the model", "the other model")

    @property
    def open(self) -> tuple[tuple[str, Side], ...]:
        """The sides that were not decided, each with ``model`` or ``against``, which has it."""
        found = (("against", self.forth), ("model", self.back))
        return tuple(
            (name, side)
            for name, inclusion in found
            if inclusion.holds is None
            for side in inclusion.sides
            if side.holds is None
        )

    def describe(self) -> dict[str, Any]:
        """Return the result as plain data, with the keys in their documented order."""
        one, other = self.model, self.against
        names = {
            other.columns[theirs]: one.columns[ours]
            for theirs, ours in self.pairing.columns.items()
            if other.columns[theirs] != one.columns[ours]
        }
        taken = set(self.pairing.columns.values())
        return {
            "model": one.describe(),
            "against": other.describe(),
            "status": str(self.status),
            "proved": self.proved,
            "proved_parts": self.proved_parts,
            "feasible_set": self.feasible_set,
            "objective": plain_data(self.objectives),
            "relaxation": self.relaxation,
            "bounds": list(map(_plain, self.bounds)),
            "optima": list(map(_plain, self.optima)),
            "columns": {
                **self.pairing.how,
                "renamed": names,
                "model": [n for c, n in enumerate(one.own_columns) if c not in taken],
                "against": [
                    n for c, n in enumerate(other.own_columns) if c not in self.pairing.columns
                ],
            },
            "point": self._point(),
            "basis": {
                "model": _counts(self.back.sides),
                "against": _counts(self.forth.sides),
            },
            "sides": [
                {"of": name, **plain_data(side)}
                for name, inclusion in (("against", self.forth), ("model", self.back))
                for side in inclusion.sides
                if side.basis is not Basis.ROW
            ],
            "seconds": round(self.seconds, 6),
        }

    def _point(self) -> dict[str, Any] | None:
        if self.refuted is None:
            return None
        one, other, found = self.refuted
        assert found.point is not None
        return {
            "of": "model" if one is self.model else "against",
            "values": one.describe_point(found.point)["values"],
            "violations": [
                {
                    "kind": each.kind,
                    "name": name_of(other, each),
                    "value": describe_number(each.value),
                    "allowed": describe_number(each.allowed),
                }
                for each in found.violations
            ],
            "reason": found.reason,
        }

    def _summary(self) -> str:
        return f"{self.labels[0]} against {self.labels[1]}, feasible set {self.feasible_set}"


def _plain(number: Number | None) -> int | float | str | None:
    return None if number is None else describe_number(number)


def _counts(sides: Iterable[Side]) -> dict[str, int]:
    """Return how many sides hold by what."""
    counts = Counter(side.basis for side in sides if side.basis is not None)
    return {str(basis): counts[basis] for basis in Basis if basis in counts}


@public
def compare(
    model: str | Path | Model | Any,
    against: str | Path | Model | Any,
    *,
    names: Mapping[str, str] | str | Path | None = None,
    match: bool = False,
    time_limit: float | None = None,
) -> ModelComparison:
    """Compare two models: their solutions, their objectives and their linear relaxations.

    The models are compared on the columns that they share. A point that only one of them has is
    checked on both, in exact arithmetic, and printed with the row that it violates.

    Parameters
    ----------
    model
        The model: a file, a `calmip.Model`, or an object of PuLP, Pyomo, highspy, Gurobi or
        SCIP.
    against
        The other model.
    names
        Pair columns of other names, by a file of lines COLUMN,COLUMN, or as a mapping. The first
        is a column of ``against``, the second one of ``model``. A ``*`` in both stands for the
        same text.
    match
        Pair the columns by the structure of the rows, whatever their names are.
    time_limit
        As for `calmip.solvers.Limits`.

    Raises
    ------
    InputError
        If a file cannot be read, the columns cannot be paired, or a number is out of range.
    TypeError
        If an argument is not a model.
    """
    clock = Limits(time_limit).clock
    mapping = read_column_names(Path(names)) if isinstance(names, str | Path) else names
    one, other = _model(model), _model(against)
    return compare_models(one, other, names=mapping, match=match, clock=clock)


def _model(source: Any) -> Model:
    """Return the model of a file or an object; raise `InputError` for a puzzle."""
    path = source if isinstance(source, str | Path) else None
    if path is not None and not is_model(Path(path)):
        file_of(path)  # there is such a file, or a puzzle of this name
        model = None
    else:
        model = getattr(problem_of(source, open_ends=True), "model", None)
    if not isinstance(model, Model):
        raise InputError(
            "is a puzzle, not a model; calmip compare PUZZLE compares its formulations, and "
            "calmip check PUZZLE MODEL checks a model of it",
            path=path,
        )
    return model


def compare_models(
    model: Model,
    against: Model,
    *,
    names: Mapping[str, str] | None = None,
    match: bool = False,
    clock: Deadline,
) -> ModelComparison:
    """Return the comparison of two models; see `compare`."""
    ours, theirs = _linear(model, "model"), _linear(against, "against")
    pairing = pair_columns(own_part(model), own_part(against), names, match=match, clock=clock)
    inverse = {one: other for other, one in pairing.columns.items()}
    forth = _include(model, against, pairing.columns, _share(clock, 0.45))
    back = _include(against, model, inverse, _share(clock, 0.8))
    same = forth.holds is True and back.holds is True
    objectives = compare_objectives(ours, theirs, pairing.columns, _share(clock, 0.5), same=same)
    bounds: list[Number | None] = []
    optima: list[Number | None] = []
    proved: list[bool] = []
    unlike = not same or not objectives.ranks_alike
    for one in (ours, theirs):
        if clock.over:
            break
        evidence = Evidence(one, lambda: _share(clock, 0.5, most=BOUND_SECONDS))
        bounds.append(_bound(evidence))
        best, is_proved = _optimum(evidence, clock) if unlike else (None, False)
        optima.append(best)
        proved.append(is_proved)
    missing = 2 - len(bounds)
    bounds, optima = bounds + [None] * missing, optima + [None] * missing
    proved += [False] * missing
    return ModelComparison(
        model,
        against,
        pairing,
        forth,
        back,
        objectives,
        (bounds[0], bounds[1]),
        (optima[0], optima[1]),
        (proved[0], proved[1]),
        clock.elapsed,
    )


def _include(one: Model, other: Model, columns: Mapping[int, int], clock: Deadline) -> Inclusion:
    """Return whether the solutions of a model are solutions of another, on the shared columns.

    A further column of the other one may be a column that linearises constructs of the first, as
    `calmip export` writes them: the names tell. If the solutions with these columns satisfy all,
    so do those without; if they do not, that says nothing.
    """
    linear, width = one.changed(logic=None), len(one.own_columns)
    added = {name: width + place for place, name in enumerate(one.columns[width:])}
    further = {
        column: added[name]
        for column, name in enumerate(other.own_columns)
        if column not in columns and name in added
    }
    if further:
        found = include_constructs(linear, other, {**columns, **further}, _share(clock, 0.4))
        if found.holds:
            return found
    return include_constructs(linear, other, columns, clock)


def _linear(model: Model, name: str) -> Model:
    """Return a model without its constructs; columns that linearise them have names of its own."""
    own = model.own_columns
    apart = (f"{column} of {name}" for column in model.columns[len(own) :])
    return model.changed(columns=(*own, *apart), logic=None)


def _share(clock: Deadline, part: float, most: float | None = None) -> Deadline:
    """Return a clock with a part of the remaining seconds."""
    left = clock.left()
    if left is None:
        return Deadline(most)
    return Deadline(part * left if most is None else min(part * left, most))


def _bound(evidence: Evidence) -> Number | None:
    """Return the exact optimum of the linear relaxation, in the sense of the file."""
    answer = evidence.relaxed
    return evidence.model.exact_objective(answer.point) if answer.status is Status.OPTIMAL else None


def _optimum(evidence: Evidence, clock: Deadline) -> tuple[Number | None, bool]:
    """Return the objective of the best solution that is found, and whether it is the optimum."""
    from calmip.mip.compare.implication import Implications

    point = Implications(evidence.model, clock).best(BOUND_SECONDS)
    if point is None:
        return None, False
    standing, _ = evidence.judge_optimal(point)
    return evidence.model.exact_objective(point), standing is Standing.VERIFIED
