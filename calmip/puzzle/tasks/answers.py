"""Check an answer of another program to a model: its names, its point and what it claims of it."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from calmip._base.errors import InputError, SolverFailed
from calmip.mip.display import quote, tell, tell_apart
from calmip.mip.files.boolean import solver_names
from calmip.mip.files.objects import portable_names
from calmip.mip.files.solutions import SolutionFile, read_solution
from calmip.mip.files.text_source import read_source
from calmip.mip.model import Model
from calmip.mip.status import Status
from calmip.solvers.points import (
    Checked,
    Stated,
    all_violations,
    check_point,
    describe_violation,
    differs,
)
from calmip.solvers.verdicts import Evidence, Standing

STATUS = {
    Standing.VERIFIED: Status.ACCEPTED,
    Standing.UNVERIFIED: Status.UNKNOWN,
    Standing.REFUTED: Status.REFUSED,
}

NUMBERED = (".opb", ".cnf")
"""The formats whose variables are numbered."""


def read_answer(model: Model, path: Path) -> SolutionFile:
    """Return a solution file of a model.

    Its names may also be those that `export` writes of an object, or those that solvers give the
    variables of an OPB or CNF file.
    """
    linear = not any(model.values("integer"))
    found = read_solution(path, model.own_columns, zeros=True, linear=linear)
    names: Mapping[str, str] = {}
    if _is_numbered(model.source):
        names = solver_names(read_source(Path(model.source)))
        if found.format != "calmip":
            _check_meanings(found, names, model, path)
    elif model.native is not None and not found.values.keys() <= model.column_index.keys():
        names = dict(zip(portable_names(model.columns, "x"), model.columns, strict=True))
    return rename(found, names, model.column_index, path)


def _check_meanings(
    found: SolutionFile, names: Mapping[str, str], model: Model, path: Path
) -> None:
    """Refuse an answer with a name that is a column's own and a solver's name of another one."""
    for name in found.values:
        other = names.get(name, name)
        if name != other and name in model.column_index:
            raise InputError(
                f"{quote(name)} has two meanings: the column of this name, and variable {name} of "
                f"{model.source}, which is column {quote(other)}; export the model again, as such "
                "columns then have their own numbers",
                path=path,
            )


def _is_numbered(source: str) -> bool:
    """Whether a model was read from a file whose variables are numbered, which is there still."""
    path = Path(source)
    return any(end in NUMBERED for end in path.suffixes[-2:]) and path.is_file()


def rename(
    found: SolutionFile, names: Mapping[str, str], own: Container[str], path: Path
) -> SolutionFile:
    """Return a solution file with other names of those that are not the model's own."""
    if not names:
        return found

    def new(name: str) -> str:
        return name if name in own else names.get(name, name)

    values = {new(name): value for name, value in found.values.items()}
    if len(values) < len(found.values):
        words = "gives a column two values, by its name and by a solver's name for it"
        raise InputError(words, path=path)
    return replace(
        found, values=values, spread={new(name): half for name, half in found.spread.items()}
    )


def check_answer(evidence: Evidence, found: SolutionFile) -> tuple[Status, tuple[str, ...]]:
    """Return the status of a solution of a model, by the evidence, and why."""
    claim = f"it claims '{found.detail or found.claim}'"
    if found.claim in ("infeasible", "unbounded"):
        return _check_none(evidence, found, claim)
    if not found.values and found.claim not in ("optimal", "feasible"):
        return Status.UNKNOWN, (f"holds no solution: {claim}",)
    try:
        return _check_claimed(evidence, found, claim)
    except SolverFailed as error:
        said = str(error)
    if found.claim == "unknown":
        return Status.UNKNOWN, (f"holds no solution: {said}",)
    more = _greatest(evidence, found)
    return Status.REFUSED, (said, *(line for line in more if line.partition(": ")[2] not in said))


def _check_claimed(
    evidence: Evidence, found: SolutionFile, claim: str
) -> tuple[Status, tuple[str, ...]]:
    """Return the status of a point, by its rows and its objective, and why."""
    model, stated = evidence.model, None
    if found.objective is not None:
        stated = Stated(found.objective, found.rounding)
    checked = check_point(
        model, found.values, claim, evidence.clock(), spread=found.spread, stated=stated
    )
    if not checked.decided:
        return Status.UNKNOWN, (checked.note, *_greatest(evidence, found))
    objective = model.exact_objective(checked.point)
    words = f"objective {tell(objective)}"
    if stated is not None and differs(model, checked.point, stated, found.values, found.spread):
        stated_text, right = tell_apart(stated.objective, objective)
        words = f"objective {right}, but the file states {stated_text}"
        if not found.values:
            raise InputError(
                f"gives no values and the objective {stated_text}, but all columns at 0 have "
                f"{right}; is it cut?"
            )
        if found.claim == "optimal":
            return Status.REFUSED, (f"{claim}; a solution, {words}",)
    if not checked.exact:
        return Status.UNKNOWN, (f"{checked.note}; {words}", *_greatest(evidence, found))
    status, reason = _check_known(evidence, checked, words)
    return status, (reason,)


def _greatest(evidence: Evidence, found: SolutionFile) -> Iterator[str]:
    """Yield the greatest violation of rows, of bounds and of integrality, in words."""
    model = evidence.model
    every = [] if model.binary else all_violations(model, found.values, evidence.clock())
    for kind, title in PLURALS.items():
        some = [one for one in every if one.kind == kind]
        more = "" if len(some) == 1 else f", the greatest of {len(some):,}"
        if some:
            yield f"violated {title}: {describe_violation(model, some[0])}{more}"


PLURALS = {"row": "rows", "bound": "bounds", "integrality": "integrality"}


def _check_known(evidence: Evidence, checked: Checked, words: str) -> tuple[Status, str]:
    """Return the status of a solution by the answer that is known, and why."""
    objective = evidence.model.objective(checked.point)
    evidence.note(checked.point)
    if evidence.known[0] == "opt" and not evidence.reached(objective) and not evidence.doubt:
        standing, why = evidence.judge_optimal(checked.point)
        if standing is Standing.REFUTED:
            return Status.REFUSED, f"a solution of {tell(objective)}, but {why}"
    if doubt := evidence.doubt:
        return Status.UNKNOWN, f"satisfies every row, {words}; {doubt}"
    how = f"; {checked.note}" if checked.note else ""
    return Status.ACCEPTED, f"a solution, every row checked; {words}{how}"


def _check_none(
    evidence: Evidence, found: SolutionFile, claim: str
) -> tuple[Status, tuple[str, ...]]:
    """Return the status of a claim that there is no solution, or none that is the best."""
    if found.claim == "unbounded":
        standing, why = evidence.judge_unbounded()
        words = "the objective is unbounded"
    else:
        standing, why = evidence.judge_infeasible()
        words = "no solution"
        if found.either and standing is Standing.REFUTED:
            standing, why = evidence.judge_unbounded()
            words = "the objective is unbounded"
    accepted = standing is Standing.VERIFIED
    return STATUS[standing], (f"{words}: {why}" if accepted else f"{claim}, but {why}",)
