"""Exercise clinic: eight models with one planted fault each, to be proved, found and repaired.

The file is JSON, for each model a point that satisfies only one of the two models, the wrong one
and the right one, a row, and one change in it:
``{"bag": {"point": {"x_a": 1}, "row": "weight", "change": {"x_b": 4}}, ...}``. All verdicts are in
exact numbers. Any change is right after which the solutions are those of the statement.
"""

from __future__ import annotations

import itertools
import math
from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple

from calmip._base.errors import join_words
from calmip.course.answers import read_answer
from calmip.course.checks import Check, Failed, Undecided, quote, run_checks
from calmip.course.dice import Dice
from calmip.course.references import COMPARISON_SECONDS, compare_with_reference
from calmip.mip.files.model_files import model_parts
from calmip.mip.model import Model, NamedRow

SOLUTIONS = Path(__file__).parent / "solutions"

SENSES = ("<=", ">=", "=")

MAX_NUMBER = 1000
"""The largest number of a point or a change."""

MAX_COPIED = 2
"""The most models of a drawn clinic that the public answer may repair."""

TASK: dict[str, Any] = {"seed": 0}
"""The clinic of the page."""


class LinearRow(NamedTuple):
    """A row: the whole factors of variables, the sense, and the right side."""

    terms: Mapping[str, int]
    sense: str
    side: int

    def holds(self, point: Mapping[str, int]) -> bool:
        """Return whether a point satisfies the row."""
        total = sum(factor * point.get(name, 0) for name, factor in self.terms.items())
        return {"<=": total <= self.side, ">=": total >= self.side, "=": total == self.side}[
            self.sense
        ]


Rows = Mapping[str, LinearRow]


@dataclass(frozen=True)
class StatedProblem:
    """A statement, its integer variables with their largest values, and the rows that say it."""

    name: str
    statement: str
    most: Mapping[str, int]
    rows: Rows

    @property
    def model(self) -> Model:
        """The model."""
        places = {name: place for place, name in enumerate(self.most)}
        ends = {"<=": (-math.inf, 0), ">=": (0, math.inf), "=": (0, 0)}
        rows: list[NamedRow] = [
            (
                name,
                {places[one]: float(factor) for one, factor in row.terms.items()},
                ends[row.sense][0] + row.side,
                ends[row.sense][1] + row.side,
            )
            for name, row in self.rows.items()
        ]
        return Model.from_rows(
            tuple(self.most),
            rows,
            column_lower=array("d", bytes(8 * len(places))),
            column_upper=array("d", map(float, self.most.values())),
        )

    def fault(self, point: Mapping[str, int]) -> str:
        """Return the bound or row that a point violates, in words; empty for a solution."""
        for name, value in point.items():
            if not 0 <= value <= self.most[name]:
                return f"{name} is from 0 to {self.most[name]}, not {value}"
        return next(
            (f"the row {name}" for name, row in self.rows.items() if not row.holds(point)), ""
        )

    def points(self) -> Iterator[dict[str, int]]:
        """Yield all points within the bounds."""
        for values in itertools.product(*(range(most + 1) for most in self.most.values())):
            yield dict(zip(self.most, values, strict=True))

    def changed(self, row: str, other: LinearRow) -> StatedProblem:
        """Return the problem with another row instead of one."""
        return replace(self, rows={**self.rows, row: other})


class Patient(NamedTuple):
    """A problem with a fault in one row, and the right one."""

    wrong: StatedProblem
    right: StatedProblem

    @property
    def lp(self) -> str:
        """The LP file of the wrong model, which begins with the statement."""
        comment = "".join(f"\\ {line}\n" for line in self.right.statement.splitlines())
        return comment + "".join(model_parts(self.wrong.model, ".lp"))


def _bag(dice: Dice) -> StatedProblem:
    weights = {name: 3 + dice.below(6) for name in "abcde"}
    most = sum(weights.values()) // 2 + dice.below(3)
    listed = ", ".join(f"{name} {weight}" for name, weight in weights.items())
    return StatedProblem(
        "bag",
        f"Pack some of five things; x_a is 1 if a is packed. Weights: {listed}.\n"
        f"The bag carries at most {most}. At least two of a, b and c are packed,\n"
        "and not both d and e.",
        {f"x_{name}": 1 for name in weights},
        {
            "weight": LinearRow({f"x_{n}": w for n, w in weights.items()}, "<=", most),
            "two": LinearRow(dict.fromkeys(("x_a", "x_b", "x_c"), 1), ">=", 2),
            "apart": LinearRow({"x_d": 1, "x_e": 1}, "<=", 1),
        },
    )


def _stations(dice: Dice) -> StatedProblem:
    sites = "abcde"
    near = {f"{n}": dice.some(sites, 2 + dice.below(2)) for n in range(1, 5)}
    most = 3
    listed = "; ".join(f"district {n}: {', '.join(some)}" for n, some in near.items())
    return StatedProblem(
        "stations",
        "Open fire stations; x_a is 1 if site a is opened. Each district needs at least one\n"
        f"open site near it. Near are, for {listed}.\n"
        f"At most {most} sites are opened. If e is opened, so is a.",
        {f"x_{name}": 1 for name in sites},
        {
            **{
                f"district_{n}": LinearRow({f"x_{s}": 1 for s in some}, ">=", 1)
                for n, some in near.items()
            },
            "number": LinearRow({f"x_{s}": 1 for s in sites}, "<=", most),
            "needs": LinearRow({"x_e": 1, "x_a": -1}, "<=", 0),
        },
    )


def _jobs(dice: Dice) -> StatedProblem:
    people, jobs = ("ann", "bob", "cy"), ("1", "2", "3")
    hours = {(p, j): 2 + dice.below(5) for p in people for j in jobs}
    most = {p: 6 + dice.below(3) for p in people}
    listed = "; ".join(
        f"{p} {', '.join(str(hours[p, j]) for j in jobs)} (at most {most[p]})" for p in people
    )
    return StatedProblem(
        "jobs",
        "Three jobs are done by one person each; x_ann_1 is 1 if ann does job 1. Hours that\n"
        f"jobs 1, 2, 3 take, and the most hours a person works: {listed}.\n"
        "bob does at most one job.",
        {f"x_{p}_{j}": 1 for p in people for j in jobs},
        {
            **{f"job_{j}": LinearRow({f"x_{p}_{j}": 1 for p in people}, "=", 1) for j in jobs},
            **{
                f"hours_{p}": LinearRow({f"x_{p}_{j}": hours[p, j] for j in jobs}, "<=", most[p])
                for p in people
            },
            "one_bob": LinearRow({f"x_bob_{j}": 1 for j in jobs}, "<=", 1),
        },
    )


def _depots(dice: Dice) -> StatedProblem:
    depots, customers = ("n", "s"), {c: 2 + dice.below(4) for c in "123"}
    total = sum(customers.values())
    carries = {d: total - 1 - dice.below(3) for d in depots}
    loads = ", ".join(f"{c} needs {load}" for c, load in customers.items())
    ends = " and ".join(f"{d} delivers at most {most}" for d, most in carries.items())
    return StatedProblem(
        "depots",
        "Each customer is served by one depot; x_n_1 is 1 if depot n serves customer 1, y_n is 1\n"
        f"if n is open. Customer {loads}. If open, {ends};\n"
        "if not, nothing. Customers 1 and 2 have not both depot n.",
        {
            **{f"y_{d}": 1 for d in depots},
            **{f"x_{d}_{c}": 1 for d in depots for c in customers},
        },
        {
            **{
                f"customer_{c}": LinearRow({f"x_{d}_{c}": 1 for d in depots}, "=", 1) for c in "123"
            },
            **{
                f"open_{d}": LinearRow(
                    {**{f"x_{d}_{c}": w for c, w in customers.items()}, f"y_{d}": -carries[d]},
                    "<=",
                    0,
                )
                for d in depots
            },
            "apart": LinearRow({"x_n_1": 1, "x_n_2": 1}, "<=", 1),
        },
    )


def _projects(dice: Dice) -> StatedProblem:
    costs = {name: 2 + dice.below(6) for name in "abcde"}
    budget = sum(costs.values()) * 2 // 3 + dice.below(3)
    listed = ", ".join(f"{name} {cost}" for name, cost in costs.items())
    return StatedProblem(
        "projects",
        f"Choose projects; x_a is 1 if a is chosen. Costs: {listed}.\n"
        f"The budget is {budget}. b needs a. c needs both a and b. Exactly one of d and e\n"
        "is chosen.",
        {f"x_{name}": 1 for name in costs},
        {
            "budget": LinearRow({f"x_{n}": c for n, c in costs.items()}, "<=", budget),
            "b_needs": LinearRow({"x_b": 1, "x_a": -1}, "<=", 0),
            "c_needs": LinearRow({"x_c": 2, "x_a": -1, "x_b": -1}, "<=", 0),
            "one": LinearRow({"x_d": 1, "x_e": 1}, "=", 1),
        },
    )


def _machines(dice: Dice) -> StatedProblem:
    machines = ("a", "b")
    least = {m: 2 + dice.below(2) for m in machines}
    most = {m: 4 + dice.below(3) for m in machines}
    need = 4 + dice.below(3)
    listed = "; ".join(f"{m} makes {least[m]} to {most[m]}" for m in machines)
    return StatedProblem(
        "machines",
        f"Two machines make at least {need} units; q_a is what a makes, on_a is 1 if it runs.\n"
        f"If it runs, {listed};\n"
        "if not, nothing. b runs only if a runs.",
        {**{f"q_{m}": 6 for m in machines}, **{f"on_{m}": 1 for m in machines}},
        {
            "demand": LinearRow({f"q_{m}": 1 for m in machines}, ">=", need),
            **{
                f"most_{m}": LinearRow({f"q_{m}": 1, f"on_{m}": -most[m]}, "<=", 0)
                for m in machines
            },
            **{
                f"least_{m}": LinearRow({f"q_{m}": 1, f"on_{m}": -least[m]}, ">=", 0)
                for m in machines
            },
            "order": LinearRow({"on_b": 1, "on_a": -1}, "<=", 0),
        },
    )


def _stock(dice: Dice) -> StatedProblem:
    start, needs = 1 + dice.below(2), [1 + dice.below(3) for _ in range(3)]
    total = sum(needs) - start + dice.below(2)
    return StatedProblem(
        "stock",
        f"A shop has {start} in stock. In weeks 1, 2, 3 it sells {needs[0]}, {needs[1]} and "
        f"{needs[2]}. It buys b_1, b_2, b_3 before it sells,\n"
        "each at most 3, and keeps s_1, s_2, s_3 at the end of the week, each at most 2.\n"
        f"It buys at most {total} in all.",
        {**{f"b_{n}": 3 for n in (1, 2, 3)}, **{f"s_{n}": 2 for n in (1, 2, 3)}},
        {
            "week_1": LinearRow({"b_1": 1, "s_1": -1}, "=", needs[0] - start),
            **{
                f"week_{n}": LinearRow(
                    {f"s_{n - 1}": 1, f"b_{n}": 1, f"s_{n}": -1}, "=", needs[n - 1]
                )
                for n in (2, 3)
            },
            "all": LinearRow({f"b_{n}": 1 for n in (1, 2, 3)}, "<=", total),
        },
    )


def _teams(dice: Dice) -> StatedProblem:
    ages = {name: 6 + dice.below(7) for name in "abcdef"}
    half = sum(ages.values()) // 2
    least, most = half - 2 - dice.below(2), half + 2 + dice.below(2)
    listed = ", ".join(f"{name} {age}" for name, age in ages.items())
    return StatedProblem(
        "teams",
        f"Six children, aged {listed}, make two teams of three; x_a is 1 if a is in the first.\n"
        f"The ages in the first team sum to {least} at least and {most} at most. a and b are in\n"
        "different teams, e and f are in the same.",
        {f"x_{name}": 1 for name in ages},
        {
            "three": LinearRow({f"x_{n}": 1 for n in ages}, "=", 3),
            "oldest": LinearRow({f"x_{n}": age for n, age in ages.items()}, "<=", most),
            "youngest": LinearRow({f"x_{n}": age for n, age in ages.items()}, ">=", least),
            "apart": LinearRow({"x_a": 1, "x_b": 1}, "=", 1),
            "together": LinearRow({"x_e": 1, "x_f": -1}, "=", 0),
        },
    )


PROBLEMS: tuple[Callable[[Dice], StatedProblem], ...] = (
    _bag,
    _stations,
    _jobs,
    _depots,
    _projects,
    _machines,
    _stock,
    _teams,
)

NAMES = ("bag", "stations", "jobs", "depots", "projects", "machines", "stock", "teams")
"""The names of the models, in the order of `PROBLEMS`."""

MAX_DRAWS = 200
"""The most draws for one model with a fault."""


@cache
def patients(seed: int) -> tuple[Patient, ...]:
    """Return the eight models that a number draws, each with one fault."""
    return tuple(
        _patient(make, Dice(seed * len(PROBLEMS) + place)) for place, make in enumerate(PROBLEMS)
    )


def _patient(make: Callable[[Dice], StatedProblem], dice: Dice) -> Patient:
    """Draw a problem with some solutions, and a fault that changes them."""
    for _ in range(MAX_DRAWS):
        right = make(dice)
        solutions = [point for point in right.points() if not right.fault(point)]
        name = dice.one([*right.rows])
        wrong = right.changed(name, _faulty(right.rows[name], dice))
        others = [point for point in right.points() if not wrong.fault(point)]
        if len(solutions) > 1 and others and solutions != others:
            return Patient(wrong, right)
    raise AssertionError(f"{make.__name__} draws no fault")


def _faulty(row: LinearRow, dice: Dice) -> LinearRow:
    """Draw a fault in a row: a factor, the sense or the right side."""
    kind = dice.one(["factor", "sense", "side", "side"])
    if kind == "sense":
        return row._replace(sense=dice.one([one for one in SENSES if one != row.sense]))
    amount = dice.one([-2, -1, 1, 2])
    if kind == "side":
        return row._replace(side=row.side + amount)
    name = dice.one([*row.terms])
    other = row.terms[name] + amount
    # A variable with the factor 0 would be missing in the file.
    return row._replace(terms={**row.terms, name: other or -row.terms[name]})


FORM = dict.fromkeys(NAMES, '{"point": {...}, "row": "...", "change": {...}}')


def is_asked(task: Mapping[str, Any]) -> bool:
    """Return whether the public answer repairs few of the models."""
    public = read_answer(SOLUTIONS / "clinic-faults", FORM)
    right = 0
    for patient in patients(task["seed"]):
        try:
            _check(patient, public[patient.right.name])
            right += 1
        except Failed:
            pass
    return right <= MAX_COPIED


def likeness(task: Mapping[str, Any]) -> tuple[str, ...]:
    """Return what is the same for two clinics with the same models."""
    return tuple(one.lp for one in patients(task["seed"]))


def grade_clinic(path: Path, *, task: Mapping[str, Any] = TASK) -> tuple[Check, ...]:
    """Mark points, rows and repairs of eight models, each by itself."""
    answer: dict[str, Any] = {}
    repaired: dict[str, tuple[Patient, str, LinearRow]] = {}
    undecided: list[str] = []

    def treats(patient: Patient) -> None:
        name = patient.right.name
        try:
            if name not in answer:
                raise Failed("the file has no answer to it")
            repaired[name] = patient, *_check(patient, answer[name])
        except Undecided:
            undecided.append(name)
            raise

    def least() -> None:
        if undecided and len(repaired) + len(undecided) == len(NAMES):
            raise Undecided(f"not checked, because {undecided[0]} was not decided")
        if len(repaired) < len(NAMES):
            raise Failed("not checked, because not all models are repaired")
        for name, (patient, row, other) in repaired.items():
            for nearer in _nearer(patient.wrong.rows[row], other):
                if _same(patient.wrong.changed(row, nearer), patient.right):
                    raise Failed(f"{name}: a smaller change in the same place suffices")

    return run_checks(
        [
            ("the file has an answer to each model", 1, partial(_read, path, answer), False),
            *(
                (f"{one.right.name}: proved and repaired", 1, partial(treats, one), False)
                for one in patients(task["seed"])
            ),
            ("no repair can be smaller", 1, least, False),
        ]
    )


def _read(path: Path, answer: dict[str, Any]) -> None:
    """Read the answers of a file; those that are not as asked are left out, and said."""
    found = read_answer(path, FORM, whole=False)
    faults = [f"there is no model {quote(name)}" for name in found if name not in FORM]
    faults += [f"the answer to {name} is missing" for name in FORM if name not in found]
    for name, one in found.items():
        if name not in FORM:
            continue
        if isinstance(one, dict) and set(one) == {"point", "row", "change"}:
            answer[name] = one
        else:
            faults.append(f"{name}: an answer is {FORM[name]}, not {quote(one)}")
    if faults:
        raise Failed(faults[0])


def _check(patient: Patient, answer: Mapping[str, Any]) -> tuple[str, LinearRow]:
    """Return the row and what it is after its repair.

    Raises
    ------
    Failed
        If the point proves nothing, or the change does not repair the model.
    """
    wrong, right = patient
    point = _whole(answer["point"], "point", wrong.most)
    faults = [one.fault(point) for one in (wrong, right)]
    if not any(faults):
        raise Failed("the point satisfies the model and the statement, so it proves no fault")
    if all(faults):
        raise Failed(
            f"the point satisfies neither the model ({faults[0]}) nor the statement, so it "
            "proves no fault"
        )
    row = answer["row"]
    if not isinstance(row, str) or row not in wrong.rows:
        raise Failed(f"row: {quote(row)} is unknown; use one of {join_words(wrong.rows)}")
    other = _changed(wrong.rows[row], answer["change"], wrong.most)
    if other == wrong.rows[row]:
        raise Failed(f"the change leaves the row {row} as it is")
    if not _same(wrong.changed(row, other), right):
        raise Failed(
            f"with this change of {row} the solutions are still not those of the statement"
        )
    return row, other


def _whole(found: Any, what: str, names: Sequence[str] | Mapping[str, int]) -> dict[str, int]:
    if not isinstance(found, dict):
        raise Failed(f"{what} is an object of numbers, not {quote(found)}")
    for name, value in found.items():
        if name not in names:
            raise Failed(f"{what}: {quote(name)} is unknown; use {join_words(names)}")
        is_integer = isinstance(value, int) and not isinstance(value, bool)
        if not is_integer or abs(value) > MAX_NUMBER:
            raise Failed(
                f"{what}: {name} is a whole number of at most {MAX_NUMBER}, "
                f"{'without quotes, ' if isinstance(value, str) else ''}not {quote(value)}"
            )
    return found


def _changed(row: LinearRow, change: Any, names: Mapping[str, int]) -> LinearRow:
    """Return a row with one change."""
    if not isinstance(change, dict) or len(change) != 1:
        raise Failed(
            'change is one of {"VARIABLE": factor}, {"side": number} and {"sense": "<="}, not '
            f"{quote(change)}"
        )
    if "sense" in change:
        if change["sense"] not in SENSES:
            raise Failed(f"sense is one of {join_words(SENSES)}, not {quote(change['sense'])}")
        return row._replace(sense=change["sense"])
    ((name, value),) = _whole(change, "change", (*names, "side", "sense")).items()
    if name == "side":
        return row._replace(side=value)
    return row._replace(terms={**row.terms, name: value})


def _nearer(row: LinearRow, other: LinearRow) -> Iterator[LinearRow]:
    """Yield the rows between a row and one with another number in one place."""
    for side in _between(row.side, other.side):
        yield row._replace(side=side)
    for name, factor in other.terms.items():
        for value in _between(row.terms.get(name, 0), factor):
            yield row._replace(terms={**row.terms, name: value})


def _between(one: int, other: int) -> range:
    return range(min(one, other) + 1, max(one, other))


def _same(one: StatedProblem, other: StatedProblem) -> bool:
    """Return whether two problems have the same solutions.

    Raises
    ------
    Undecided
        If that was not decided in time.
    """
    found = compare_with_reference(one.model, other.model, seconds=COMPARISON_SECONDS)
    if found.point is not None:
        return False
    if not found.same:
        raise Undecided("whether the solutions are those of the statement was not decided in time")
    return True
