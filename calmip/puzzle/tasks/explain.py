"""Why an instance or a model is infeasible: irreducible infeasible subsystems, least changes."""

from __future__ import annotations

import math
from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from calmip._base.errors import InputError, SolverFailed
from calmip._base.limits import Deadline, Limits
from calmip.mip.display import describe_number, quote
from calmip.mip.files.points import is_csv, read_pairs
from calmip.mip.linearise import NoLinearForm, without_derived
from calmip.mip.rows import is_finite
from calmip.mip.status import Status
from calmip.puzzle.search.cover_conflict import DEFAULT_TRIES, find_conflict
from calmip.puzzle.tasks.interface import public
from calmip.puzzle.tasks.problems import InstanceProblem, ModelProblem, per_kind, problem_of
from calmip.puzzle.tasks.relax import Subjected
from calmip.puzzle.tasks.results import Pictured

if TYPE_CHECKING:
    from calmip.mip.files.objects import PointValues
    from calmip.mip.iis.constraint_sets import Member
    from calmip.mip.iis.least_change import Repair
    from calmip.mip.iis.subsystem import Subsystem, Subsystems
    from calmip.mip.iis.with_constructs import ConstructSubsystems
    from calmip.mip.lp.linear import Certificate
    from calmip.mip.model import Model
    from calmip.mip.rows import Number
    from calmip.puzzle.cover import ExactCover, Item
    from calmip.puzzle.lattice import Cell
    from calmip.puzzle.search.cover_conflict import Conflict
    from calmip.puzzle.search.exact_cover.witnesses import Subject
    from calmip.puzzle.tasks.problems import PerKind, Source

__all__ = ["Explanation", "explain"]


@dataclass(frozen=True, repr=False)
class Explanation(Subjected, Pictured):
    """Result of `explain`.

    Parameters
    ----------
    subject
        The exact cover of the instance, or the model.
    status
        Infeasible, with a conflict that is proved; feasible or unbounded, with a solution; unknown
        at the time limit, or if no exact search proves what HiGHS says.
    conflict
        The equations of an instance that conflict, or None.
    subsystems
        The irreducible infeasible subsystems of a model; more than one only if they are disjoint.
    complete
        Whether the rows of a model that are in no subsystem are proved feasible together.
    point
        A solution of the model, or of these rows, without zeros; or None.
    ray
        A direction in which the objective improves for ever, if the status is unbounded, in whole
        numbers.
    repairs
        The least changes that make a model feasible; None if they were not searched.
    kept
        The rows of a model that are given, by number.
    kept_alone
        Whether the rows that are given conflict without any other; the subsystems are theirs.
    penalties
        What a change of a row by one costs, by number, where penalties were given.
    groups
        The rows of a model that are one member together, by the group's name.
    """

    subject: Subject
    status: Status
    conflict: Conflict | None = None
    subsystems: tuple[Subsystem, ...] = ()
    complete: bool = False
    point: Mapping[int, Number] | None = None
    ray: Mapping[int, Number] | None = None
    repairs: tuple[Repair, ...] | None = None
    kept: tuple[int, ...] = ()
    penalties: Mapping[int, Number] = field(default_factory=dict)
    groups: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    kept_alone: bool = False

    maximises = False

    @property
    def exit_status(self) -> Status:
        """Feasible if there is a conflict, which is what was asked for; infeasible if not."""
        if self.status is Status.UNKNOWN:
            return self.status
        return Status.FEASIBLE if self.status is Status.INFEASIBLE else Status.INFEASIBLE

    @property
    def items(self) -> tuple[Item, ...]:
        """The cells, pieces and groups of an instance whose equations conflict."""
        rows = () if self.conflict is None else self.conflict.rows
        return tuple(self.cover.items[row] for row in rows)

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The cells among them, in row-major order."""
        if self.conflict is None:
            return ()
        to_cover = self.instance.to_cover
        return tuple(to_cover[row] for row in self.conflict.rows if row < len(to_cover))

    @property
    def names(self) -> tuple[tuple[str, ...], ...]:
        """The names of the rows of each subsystem of a model."""
        return tuple(tuple(self.rows[row] for row in self.rows_of(one)) for one in self.subsystems)

    def groups_of(self, one: Subsystem) -> dict[int, str]:
        """Return the names of a subsystem's groups by their first rows."""
        names = {rows[0]: name for name, rows in self.groups.items()}
        return {first: names[first] for first in one.groups if first in names}

    def rows_of(self, one: Subsystem) -> tuple[int, ...]:
        """Return the rows of a subsystem; the first row of a construct stands for it."""
        return self.named(one.rows)

    def named(self, rows: Iterable[int]) -> tuple[int, ...]:
        """Return the rows that have a name in the file: of a construct the first, which has its."""
        logic = self.model.logic
        further = set() if logic is None else {row for own in logic.owned for row in own[1:]}
        return tuple(row for row in rows if row not in further)

    @property
    def values(self) -> PointValues:
        """The exact values of a model's variables in the solution.

        Raises
        ------
        InputError
            If there is no solution.
        """
        return self.values_of(self.point)

    def describe(self) -> dict[str, Any]:
        """Return the conflict, with the keys in their documented order."""
        return self.problem.describe() | _described(self.problem, self)

    def _describe_subsystem(self, one: Subsystem) -> dict[str, Any]:
        certificate, names = one.certificate, self.groups_of(one)
        found: dict[str, Any] = {
            "rows": [self.rows[row] for row in self.rows_of(one)],
            "bounds": [
                {
                    "column": self.columns[member.number],
                    "side": member.kind,
                    "value": describe_number(bound_of(self.model, member)),
                }
                for member in one.members
                if member.kind in ("lower", "upper")
            ],
            "integer": [self.columns[column] for column in one.numbers("integer")],
            "irreducible": one.irreducible,
            "rows_irreducible": one.rows_irreducible,
            "proved": one.proved,
            "proof": one.proof or None,
            "multipliers": None
            if certificate is None
            else {self.rows[row]: str(certificate.multipliers[row]) for row in certificate.rows},
            "witnesses": [
                {
                    "without": "group"
                    if member.kind == "row" and member.number in names
                    else member.kind,
                    "of": self.name_of(one, member),
                    "solution": self.model.describe_point(point),
                }
                for member, point in sorted(one.witnesses.items())
            ],
        }
        if one.least:
            found |= {"smallest": one.smallest, "least": one.least}
        if self.groups:
            found["groups"] = {
                name: [self.rows[row] for row in one.groups[first]] for first, name in names.items()
            }
        return found

    def name_of(self, one: Subsystem, member: Member) -> str:
        """Return the name of a member's row, group or column."""
        if member.kind != "row":
            return self.columns[member.number]
        return self.groups_of(one).get(member.number, self.rows[member.number])

    def _summary(self) -> str:
        sizes = [f"{len(self.rows_of(one))} rows conflict" for one in self.subsystems]
        if self.conflict is not None and self.conflict.rows:
            sizes = [f"{len(self.conflict.rows)} equations conflict"]
        return ", ".join([self.source.name, *sizes])


_described: PerKind[dict[str, Any]] = per_kind()
"""Return the conflict of a problem as plain data."""


@_described.register(InstanceProblem)
def _describe_equations(problem: InstanceProblem, found: Explanation) -> dict[str, Any]:
    cover, conflict = problem.cover, found.conflict
    certificate = None if conflict is None else conflict.certificate
    return {
        "status": found.status.value,
        "columns": cover.columns,
        "rows": cover.rows,
        "conflict": None
        if conflict is None
        else {
            "irreducible": conflict.irreducible,
            "rows": [
                {"name": item.name, "kind": item.kind, "text": item.text, "demand": item.demand}
                for item in found.items
            ],
            "cells": [list(cell) for cell in found.cells],
        },
        "certificate": None
        if certificate is None
        else {
            "value": str(certificate.value(cover)),
            "multipliers": describe_multipliers(cover, certificate),
        },
    }


@_described.register(ModelProblem)
def _describe_rows(problem: ModelProblem, found: Explanation) -> dict[str, Any]:
    model, rows = problem.model, found.rows
    described: dict[str, Any] = {
        "status": found.status.value,
        "conflicts": [found._describe_subsystem(one) for one in found.subsystems],
        "complete": found.complete,
        "kept": [rows[row] for row in found.named(found.kept)],
        "kept_alone": found.kept_alone,
        "solution": None if found.point is None else model.describe_point(found.point),
    }
    if found.ray is not None:
        described["ray"] = model.describe_point(found.ray)["values"]
    if found.repairs is not None:
        described["repairs"] = [
            {
                "rows": len(one.changes),
                "amount": describe_number(one.amount),
                **({"cost": describe_number(one.cost)} if found.penalties else {}),
                "changes": {rows[r]: describe_number(x) for r, x in one.changes.items()},
                "proved": one.proved,
                "fewest": one.fewest,
                "solution": model.describe_point(one.point),
            }
            for one in found.repairs
        ]
    return described


def describe_multipliers(cover: ExactCover, certificate: Certificate) -> dict[str, str]:
    """Return the multipliers of a certificate by the names of the items."""
    return {cover.items[row].name: str(certificate.multipliers[row]) for row in certificate.rows}


def bound_of(model: Model, member: Member) -> Number:
    """Return the bound of a column that is a member of a subsystem."""
    bound = model.bounds(member.number)[member.kind == "upper"]
    assert is_finite(bound)
    return bound


@public
def explain(
    source: Source,
    *,
    tries: int = DEFAULT_TRIES,
    keep: Sequence[str] = (),
    group: Sequence[str] | Mapping[str, Sequence[str]] = (),
    smallest: bool = False,
    disjoint: bool = False,
    rows_only: bool = False,
    repair: bool = False,
    penalty: Mapping[str, float] | None = None,
    time_limit: float | None = None,
) -> Explanation:
    """Name the few cells and pieces, or rows of a model, that conflict if there is no solution.

    They are an irreducible infeasible subsystem (IIS): remove any one
    of them and the rest can be satisfied. Where the linear relaxation is
    infeasible, a Farkas certificate proves the conflict in exact arithmetic. A subsystem of a model
    consists of rows, bounds and integrality. For each member, a solution of the others is checked
    exactly. The least change that makes a model feasible answers the other question (--repair).

    Parameters
    ----------
    source
        The instance; or a model, from `calmip.read_model` for example, or as an object of PuLP,
        Pyomo, highspy, Gurobi or SCIP.
    tries
        Look for a small conflict around this many cells, or in this many orders of the rows.
    keep
        Take these rows of a model as given; ``*`` and ``?`` stand for any letters. They are in no
        conflict and are not changed. If they conflict without any other row, they are named.
    group
        Take the rows of this pattern as one member, such as ``demand[*]``; may be repeated. A
        word that ends in ``.csv`` is a file of lines ROW,GROUP, with names or patterns of rows. In
        Python also a dictionary: the name of each group, and its rows by name or pattern.
    smallest
        Find the fewest rows of a model that conflict, and prove that fewer do not. A group counts
        as one.
    disjoint
        Find further conflicts of a model without the rows of those before, until the rest is
        feasible.
    rows_only
        Take all bounds and integrality of a model as given.
    repair
        Find the least changes of the sides of rows that make a model feasible.
    penalty
        Multiply the change of this row, or of the rows of this pattern, by a number, for --repair;
        may be repeated. For others it is 1. A later entry replaces an earlier one. On the command
        line also a file whose name ends in ``.csv``, of lines ROW,NUMBER.
    time_limit
        As for `calmip.solvers.Limits`. At the limit the smallest conflict so far is named,
        which may be reducible.

    Raises
    ------
    InputError
        If a number is out of range, a row is unknown or in two groups, or an option of models is
        given for an instance.
    TypeError
        If the source is neither an instance nor a model.
    SolverMissing
        If highspy is not installed.
    SolverFailed
        If exact searches disagree.
    """
    clock, problem = Limits(time_limit).clock, problem_of(source)
    if tries < 1:
        raise InputError(f"the number of tries is from 1 on, not {tries}")
    return _explain(
        problem,
        clock,
        tries,
        keep=keep,
        group=group,
        smallest=smallest,
        disjoint=disjoint,
        rows_only=rows_only,
        repair=repair,
        penalty=penalty or {},
    )


_explain: PerKind[Explanation] = per_kind()
"""Explain why a problem is infeasible."""


@_explain.register(InstanceProblem)
def _explain_cover(
    problem: InstanceProblem, clock: Deadline, tries: int, **options: Any
) -> Explanation:
    given = [name.replace("_", "-") for name, value in options.items() if value]
    if given:
        raise InputError(f"{given[0]} is for the rows of a model; leave it out for an instance")
    try:
        conflict = find_conflict(problem.cover, tries=tries, clock=clock)
    except TimeoutError:
        return Explanation(problem.cover, Status.UNKNOWN)
    status = Status.FEASIBLE if conflict is None else Status.INFEASIBLE
    return Explanation(problem.cover, status, conflict)


@_explain.register(ModelProblem)
def _explain_model(
    problem: ModelProblem,
    clock: Deadline,
    tries: int,
    *,
    keep: Sequence[str],
    group: Sequence[str] | Mapping[str, Sequence[str]],
    smallest: bool,
    disjoint: bool,
    rows_only: bool,
    repair: bool,
    penalty: Mapping[str, float],
) -> Explanation:
    model = without_derived(problem.model)
    given = _rows_named(model, keep)
    groups = _groups_of(model, group, given)
    penalties = _penalties(model, penalty, repair=repair)
    kept = sorted(given)
    linear = model.changed(logic=None)
    search = _search(model, kept, groups, None, clock, rows_only=rows_only)
    found, complete = _subsystems(search, clock, tries, smallest=smallest, disjoint=disjoint)
    kept_alone = False
    if kept and found and not found[0].rows:  # without any other row
        search = _search(model, (), {}, kept, clock, rows_only=rows_only)
        own, _ = _subsystems(search, clock, tries, smallest=smallest, disjoint=disjoint)
        if own and own[0].rows:  # of the other rows nothing is said
            found, complete, kept_alone = own, False, True
    point = search.point() if complete else None
    if complete and not found:
        ray = _ray(linear, clock)
        status = Status.FEASIBLE if ray is None else Status.UNBOUNDED
        return Explanation(model, status, None, (), True, point, ray, None, tuple(kept))
    proved = any(one.proof for one in found)
    repairs = None
    if repair and found:
        from calmip.mip.iis.least_change import find_repairs

        free = _with_free_rows(model, kept)
        fixed = [*kept, *(() if free.logic is None else free.logic.rows)]
        linear = free.changed(logic=None)
        repairs = tuple(find_repairs(linear, keep=fixed, penalties=penalties, clock=clock))
    status = Status.INFEASIBLE if proved else Status.UNKNOWN
    return Explanation(
        model,
        status,
        None,
        tuple(found),
        complete,
        point,
        None,
        repairs,
        tuple(kept),
        penalties,
        groups,
        kept_alone,
    )


def _search(
    model: Model,
    kept: Collection[int],
    groups: Mapping[str, tuple[int, ...]],
    among: Collection[int] | None,
    clock: Deadline,
    *,
    rows_only: bool,
) -> Subsystems | ConstructSubsystems:
    """Return the search for the subsystems of a model."""
    from calmip.mip.iis.subsystem import Subsystems
    from calmip.mip.iis.with_constructs import ConstructSubsystems

    members = [*groups.values(), *_constructs_alone(model, kept, groups)]
    search = Subsystems if model.logic is None else ConstructSubsystems
    return search(model, keep=kept, clock=clock, rows_only=rows_only, groups=members, among=among)


def _constructs_alone(
    model: Model, kept: Container[int], groups: Mapping[str, tuple[int, ...]]
) -> list[tuple[int, ...]]:
    """Return the rows of each construct that is in no group and is not kept: one member each."""
    if model.logic is None:
        return []
    taken = {row for rows in groups.values() for row in rows}
    return [rows for rows in model.logic.owned if rows[0] not in kept and rows[0] not in taken]


def _subsystems(
    search: Subsystems | ConstructSubsystems,
    clock: Deadline,
    tries: int,
    *,
    smallest: bool,
    disjoint: bool,
) -> tuple[list[Subsystem], bool]:
    """Return one subsystem, or disjoint ones, and whether the other rows are proved feasible."""
    found: list[Subsystem] = []
    while not found or (disjoint and found[-1].rows and not clock.over):
        try:
            one = search.find(tries, smallest=smallest)
        except TimeoutError:
            break
        if one is None:
            return found, True
        found.append(one)
    return found, False


def _ray(model: Model, clock: Deadline) -> Mapping[int, Number] | None:
    """Return a direction in which the objective of a feasible model improves for ever, if any.

    With a solution, a ray of the linear relaxation proves that a MIP is unbounded, too (Meyer 1974,
    https://doi.org/10.1007/BF01585518).
    """
    from calmip.mip.lp.exact_lp import ExactLp
    from calmip.mip.lp.linear import LinearModel

    if not model.costs:
        return None
    try:
        LinearModel(model).solve()
    except SolverFailed:
        return None
    except InputError:  # HiGHS calls it unbounded
        answer = ExactLp(model, range(len(model.columns))).solve(clock=clock)
        return answer.ray if answer.status is Status.UNBOUNDED else None
    return None


def _with_free_rows(model: Model, kept: Collection[int]) -> Model:
    """Return a model whose rows but for some may be changed, and its constructs stay true."""
    free = [row for row in range(model.own_rows) if row not in kept]
    try:
        return without_derived(model, free)
    except NoLinearForm as error:
        raise InputError(
            f"{error.message}; the least change (--repair) changes the rows that give this bound",
            path=model.source or None,
        ) from None


def _penalties(model: Model, given: Mapping[str, float], *, repair: bool) -> dict[int, Number]:
    """Return the penalties of rows by number."""
    if given and not repair:
        raise InputError("penalties are for the least change; add repair, or leave them out")
    found: dict[int, Number] = {}
    for name, penalty in given.items():
        if not 0 < penalty < math.inf:
            raise InputError(
                f"the penalty of {quote(name)} is a number above 0, not {penalty:g}; "
                "keep the row if it must not change"
            )
        exact = Fraction(str(penalty))
        found |= dict.fromkeys(_rows_named(model, [name]), exact)
    return found


def _groups_of(
    model: Model, groups: Sequence[str] | Mapping[str, Sequence[str]], kept: Container[int]
) -> dict[str, tuple[int, ...]]:
    """Return the rows of each group, without those to keep."""
    if isinstance(groups, Mapping):
        named = [(name, _rows_named(model, words)) for name, words in groups.items()]
    else:
        words = [groups] if isinstance(groups, str) else groups
        named = [
            (name, _rows_named(model, [name]))
            for name, _ in _named(model, [word for word in words if not is_csv(word)])
        ]
        for path in map(Path, filter(is_csv, words)):
            named += _groups_in(model, path)
    owner: dict[int, str] = {}
    found: dict[str, tuple[int, ...]] = {}
    for name, rows in named:
        own = tuple(sorted(row for row in rows if row not in kept))
        for row in own:
            if row in owner:
                raise InputError(
                    f"row {quote(model.rows[row])} is in the groups {quote(owner[row])} and "
                    f"{quote(name)}; a row may be in one group"
                )
            owner[row] = name
        if own:
            found[name] = own
    return found


def _groups_in(model: Model, path: Path) -> list[tuple[str, set[int]]]:
    """Return the groups of a file, and their rows."""
    found: dict[str, set[int]] = {}
    for row, group in read_pairs(path, "ROW,GROUP", "demand[2],demand").items():
        try:
            found.setdefault(group, set()).update(_rows_named(model, [row]))
        except InputError as error:
            raise InputError(error.message, path=path) from None
    return [*found.items()]


def _rows_named(model: Model, words: Sequence[str]) -> set[int]:
    """Return the rows with these names, or with names of these patterns."""
    found = {row for _, rows in _named(model, words) for row in rows}
    for rows in () if model.logic is None else model.logic.owned:
        found |= set(rows) if found & set(rows) else set()
    return found


def _named(model: Model, words: Sequence[str]) -> Iterator[tuple[str, set[int]]]:
    """Yield each name or pattern and its rows."""
    words = [words] if isinstance(words, str) else list(words)
    numbers = {name: number for number, name in enumerate(model.rows)}
    while words:
        # A name such as c[1,a] reaches the command line in several words.
        joined = [",".join(words[: size + 1]) for size in range(len(words))]
        size = next((n for n, name in reversed([*enumerate(joined, 1)]) if name in numbers), 0)
        rows = {numbers[joined[size - 1]]} if size else set()
        if not size:
            whole = (n for n, name in enumerate(joined, 1) if name.count("[") <= name.count("]"))
            size = next(whole, 1)
            rows = _rows_like(numbers, joined[size - 1])
        if not rows:
            first = quote(model.rows[0]) if model.rows else "none"
            raise InputError(
                f"{quote(joined[size - 1])} is no row of the model, and no pattern of rows; "
                f"the first row is {first}"
            )
        yield joined[size - 1], rows
        del words[:size]


def _rows_like(numbers: Mapping[str, int], pattern: str) -> set[int]:
    """Return the rows whose names have a pattern, in which only * and ? are special."""
    pattern = pattern.replace("[", "[[]")
    return {number for row, number in numbers.items() if fnmatchcase(row, pattern)}
